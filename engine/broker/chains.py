"""Chains: places by a hash of 32 bits, in twelve bytes for each, where a dict of Python takes a hundred and twenty.

Decides how they are found, and must not know what is at a place. Linear hashing: with each place that comes one chain
is divided, so that chains stay short and none of the calls has to wait until all of them have been divided.
"""

from __future__ import annotations

from array import array

__all__ = ["Chains"]

_FIRST = 8


class Chains:
    """Places, numbered from 1, by hashes from 0 to 2**32 - 1. Places that have been taken out leave nothing behind."""

    def __init__(self) -> None:
        self._heads = array("I", bytes(4 * _FIRST))
        """Of each chain the first place, 0 for none."""
        self._links = array("I", [0, 0])
        """Of each place the next in its chain and, beside it for the sake of the processor's cache, its hash."""
        self._half = _FIRST
        """Chains that there were when the last division of all began."""
        self.count = 0
        """Places that are there."""

    def put(self, place: int, hashed: int) -> None:
        """One more place. It is not there yet."""
        missing = 2 * (place + 1) - len(self._links)
        if missing > 0:
            self._links.extend([0] * missing)
        chain = self._chain(hashed)
        self._links[2 * place + 1] = hashed
        self._links[2 * place] = self._heads[chain]
        self._heads[chain] = place
        self.count += 1
        if self.count > len(self._heads):
            self._divide()

    def remove(self, place: int) -> None:
        """A place that is there goes."""
        chain = self._chain(self._links[2 * place + 1])
        at, links = self._heads[chain], self._links
        if at == place:
            self._heads[chain] = links[2 * place]
        else:
            while links[2 * at] != place:
                at = links[2 * at]
            links[2 * at] = links[2 * place]
        self.count -= 1

    def has(self, place: int, hashed: int) -> bool:
        """Whether a place that is there has this hash."""
        return self._links[2 * place + 1] == hashed

    def of(self, hashed: int) -> list[int]:
        """Those with this hash."""
        found = []
        at, links = self._heads[self._chain(hashed)], self._links
        while at:
            if links[2 * at + 1] == hashed:
                found.append(at)
            at = links[2 * at]
        return found

    def _chain(self, hashed: int) -> int:
        chain = hashed & (2 * self._half - 1)
        return chain if chain < len(self._heads) else chain - self._half

    def _divide(self) -> None:
        """The next chain whose turn it is becomes two, by one more bit of the hash."""
        new = len(self._heads)
        at, stays, goes = self._heads[new - self._half], 0, 0
        while at:
            following = self._links[2 * at]
            if self._links[2 * at + 1] & self._half:
                self._links[2 * at], goes = goes, at
            else:
                self._links[2 * at], stays = stays, at
            at = following
        self._heads[new - self._half] = stays
        self._heads.append(goes)
        if len(self._heads) == 2 * self._half:
            self._half *= 2
