"""Second weights of the Windows order: what tells texts apart whose letters are alike but for their accents.

They are compared at the second level of a key, place by place, so that only letters of one first weight meet. A letter
without a mark stands for itself there, and so do the commonest letters that have one where the order allows it. The
rest of these has a character of its own in between, so that DuckDB can make this level of a text that has no other
letters (`second_characters`). All others stand behind the one before them. It must not know collations.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from sbql.grammar.values.anchored_weights import BEHIND
from sbql.grammar.values.text_weights import letter_groups, other_place

__all__ = ["MARKED", "has_marks", "second_characters", "second_weights"]

MARKED: Final = "àáâãäåçèéêëìíîïñòóôõöøùúûüýÿąćęłńśźżčďěňřšťůžľőűăşţșțğđάέήίόύώё"
"""Small letters that differ by their mark alone from one that stands for itself: most of Latin, Greek and Cyrillic."""

_BASE: Final = "\2"
"""The place of a letter that is not below BEHIND."""


class _SecondWeights(dict[int, str]):
    """For str.translate: code points to second weights. `marked` are the characters that make this level say
    something."""

    marked: frozenset[str]

    def __init__(self) -> None:
        super().__init__()
        marked = set()
        for group in letter_groups():
            variants = group.replace("ς", "")  # of which the fold makes σ
            last = _itself(variants[:1])
            written = _written(variants) if any(c in MARKED for c in variants) else {}
            for number, character in enumerate(variants):
                if number == 0:
                    self[ord(character)] = last
                    continue
                marked.add(character)
                found = written.get(character)
                self[ord(character)] = last + BEHIND + chr(2 + number) if found is None else found
                last = last if found is None else found
        self.marked = frozenset(marked)

    def __missing__(self, code: int) -> str:
        found = self[code] = _itself(chr(code)) if code < 0xD800 else _BASE * len(other_place(chr(code)))
        return found


def _itself(character: str) -> str:
    return character if character < "\ud800" else _BASE


def _written(group: str) -> dict[str, str]:
    """The characters that stand for the marked letters of a group, in their order: as many as can be are their own."""
    letters = [character for character in group[1:] if character in MARKED]
    own = _own(ord(group[0]), [ord(letter) for letter in letters])
    found, last = {}, ord(group[0])
    for place, letter in enumerate(letters):
        last = ord(letter) if place in own else last + 1
        found[letter] = chr(last)
    return found


def _own(base: int, codes: list[int]) -> set[int]:
    """The places of the most codes that ascend, behind the base, with room for those between them."""
    chains: list[list[int]] = []
    for place, code in enumerate(codes):
        room = code - place
        before = [chain for chain in chains if codes[chain[-1]] - chain[-1] <= room]
        if room > base:
            chains.append([*_longest(before), place])
    return set(_longest(chains))


def _longest(chains: list[list[int]]) -> list[int]:
    return max(chains, key=lambda chain: len(chain), default=[])


@cache
def second_weights() -> _SecondWeights:
    return _SecondWeights()


def has_marks(text: str) -> bool:
    """Whether the second level says something of a text that is folded."""
    return not text.isascii() and not second_weights().marked.isdisjoint(text)


@cache
def second_characters() -> tuple[str, str]:
    """The marked letters that are not written as they are, and what stands for each."""
    weights = second_weights()
    changed = [letter for letter in MARKED if weights[ord(letter)] != letter]
    return "".join(changed), "".join(weights[ord(letter)] for letter in changed)
