"""Where one text stands in another: CHARINDEX, REPLACE and STRING_SPLIT, by the collation.

Decides what is compared: the folds of both texts, character by character. Decides also that places count units of the
text itself: where a character is equal to two (ß and ss), what is found begins and ends at whole characters. It
must not know the functions.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.collation import BINARY, CODE_PAGE, Rule, without_accent
from sbql.grammar.values.text_weights import fold_table
from sbql.grammar.values.utf16 import expanded

__all__ = ["first_place", "found_places"]


def found_places(value: str, wanted: str, rule: Rule, start: int = 0) -> Iterator[tuple[int, int]]:
    """(begin, end) of each place of `wanted` from unit `start` on, none over another,
    as positions in `expanded(value)`."""
    folded, origins = _folded(expanded(value), rule)
    sought, _ = _folded(expanded(wanted), rule)
    if not sought:
        return
    if origins is None:
        place = folded.find(sought, start)
        while place >= 0:
            yield place, place + len(sought)
            place = folded.find(sought, place + len(sought))
        return
    place = folded.find(sought)
    while place >= 0:
        after = place + len(sought)
        is_whole = origins[place - 1 : place] != origins[place : place + 1] and (
            after == len(folded) or origins[after] != origins[after - 1]
        )
        if is_whole and origins[place] >= start:
            yield origins[place], origins[after - 1] + 1
            place = folded.find(sought, after)
        else:
            place = folded.find(sought, place + 1)


def first_place(value: str, wanted: str, rule: Rule, start: int) -> int:
    """The first place of `wanted` from `start` on, of texts of ASCII; -1 for none."""
    if not wanted:
        return -1
    if rule.kind != BINARY and rule.case:
        value, wanted = value.lower(), wanted.lower()
    return value.find(wanted, start)


def _folded(text: str, rule: Rule) -> tuple[str, list[int] | None]:
    """What is compared, and for each of its characters the one that it comes from; None where that is its own place."""
    if rule.kind == BINARY:
        return text, None
    if text.isascii():
        return (text.lower() if rule.case else text), None
    if rule.kind == CODE_PAGE:
        pieces = [_of_code_page(c, rule) for c in checked(text, 65536)]
    else:
        table = fold_table(rule.case, rule.accent, rule.kana, rule.width)
        pieces = [table.get(ord(c), c) for c in checked(text, 65536)]
    folded = "".join(pieces)
    if all(len(piece) == 1 for piece in pieces):
        return folded, None
    return folded, [place for place, piece in enumerate(pieces) for _ in piece]


def _of_code_page(character: str, rule: Rule) -> str:
    if rule.accent:
        character = without_accent(character)
    lower = character.lower() if rule.case else character
    return lower if len(lower) == 1 else character
