"""Weights of characters for order keys, such that the commonest text is its own key.

Some characters of ASCII, in whose order their weights are, stand for themselves: the anchors. A character with the
weight of an anchor is written as that, any other behind the anchor that it follows, or before all of them, with its own
weight. So text of anchors alone sorts by itself, which DuckDB can do, and beside it all other text. Of the signs
behind the last sign that is an anchor, those in whose order their weights are stand for themselves there: the
followers, whose keys DuckDB can make too. Beyond ASCII more letters may be anchors, as many as
are in the order of their weights. It must not know what the weights mean.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from string import ascii_lowercase, digits
from typing import Final

__all__ = ["BEHIND", "AnchoredWeights"]

_BEFORE, BEHIND = "\2", "\ue000"
"""Below and above every anchor. Separators of levels are below both."""
_SIGNS: Final = " !\"#$%&'()*+,-./"
"""What may stand for itself before the digits."""
_LATER_SIGNS: Final = ":;<=>?@[\\]^_`{|}~"
"""What may stand for itself behind them."""


class AnchoredWeights(dict[int, str]):
    """For str.translate: code points to weights. `anchors` are the characters of ASCII that stand for themselves, and
    `followers` those that do behind the anchor `leader` and BEHIND."""

    def __init__(
        self, weight: Callable[[str], str], without: str = "", letters: str = "", blocks: Sequence[tuple[str, str]] = ()
    ) -> None:
        """`weight` of a character is compared as text. Signs that are not in the order of their weights, and
        those of `without`, are no anchors. `letters` and then `blocks` are anchors behind all of ASCII; within a block
        no other character has its place."""
        super().__init__()
        self._weight, self._blocks = weight, blocks
        found = ""
        for sign in _SIGNS:
            if sign not in without and (not found or weight(found[-1]) < weight(sign)) and weight(sign) < weight("0"):
                found += sign
        self.anchors = found + digits + ascii_lowercase
        self._all = self.anchors + letters
        self.update((ord(anchor), anchor) for anchor in self._all)
        self._all += "".join(last for _, last in blocks)
        self._weights = [weight(anchor) for anchor in self._all]
        assert self._weights == sorted(self._weights), "anchors are in the order of their weights"
        self.leader, self.followers = found[-1], ""
        for sign in sorted(_LATER_SIGNS, key=weight):
            if sign < self.followers[-1:] or not weight(self.leader) < weight(sign) < weight("0"):
                break
            self.followers += sign
        self.update((ord(sign), self.leader + BEHIND + sign) for sign in self.followers)

    def __missing__(self, code: int) -> str:
        found = chr(code)
        if not any(first <= found <= last for first, last in self._blocks):
            found = self._behind_anchor(self._weight(found))
        self[code] = found
        return found

    def _behind_anchor(self, weight: str) -> str:
        place = bisect_right(self._weights, weight) - 1
        if place < 0:
            return _BEFORE + weight
        anchor = self._all[place]
        return anchor if weight == self._weights[place] else anchor + BEHIND + weight
