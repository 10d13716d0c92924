"""Collation labels of function calls: where the texts of a call meet, and which label its result has.

Decides by the documentation's list of functions that look into text: they refuse one without a collation, and the texts
that they compare need a common one. It must not know what a function computes, nor which evaluator asks.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from sbql.grammar.values.collation_precedence import COERCIBLE, Label, definite, meeting

__all__ = ["met_arguments", "result_label"]

_MEETING: Final[dict[str, tuple[int, ...]]] = {
    "CHARINDEX": (0, 1), "PATINDEX": (0, 1), "REPLACE": (0, 1, 2), "STUFF": (0, 3), "TRANSLATE": (0, 1, 2), "DIFFERENCE": (0, 1),
    "TRIM": (0, 1), "LTRIM": (0, 1), "RTRIM": (0, 1),
}  # fmt: skip
"""Functions that compare some of their arguments, by place."""

_ALL: Final = frozenset({"GREATEST", "LEAST"})
_JOINING: Final = frozenset({"CONCAT", "CONCAT_WS"})
_LOOKING: Final = frozenset({"LEN", "UPPER", "LOWER", "SUBSTRING", "REVERSE", "LEFT", "RIGHT", "SOUNDEX", "UNICODE"})
_PASSING: Final = frozenset({"REPLICATE", "QUOTENAME", "STRING_ESCAPE"})


def met_arguments(name: str, labels: Sequence[Label | None]) -> tuple[list[int], Label] | None:
    """The places of the texts that the function compares or looks into, and their common label. `labels`: None for what
    is no text. Raises 468 where they have none, 4191 for one without a collation."""
    all_places = range(len(labels)) if name in _ALL else _MEETING.get(name, (0,) if name in _LOOKING else ())
    places = [place for place in all_places if place < len(labels) and labels[place] is not None]
    if not places:
        return None
    return places, definite([label for p in places if (label := labels[p]) is not None], _operation(name))


def _operation(name: str) -> str:
    return "Trim" if name == "TRIM" else name.lower()


def result_label(name: str, labels: Sequence[Label | None]) -> Label:
    """The label of the text that a call gives: that of its first text, where it gives that
    text in another form. Raises 468."""
    texts = [label for label in labels if label is not None]
    if name in _JOINING:
        return meeting(texts, name.lower())
    if not texts:
        return COERCIBLE, None
    if name in _ALL or name in _MEETING:
        return max(texts, key=lambda label: label[0])
    return texts[0] if name in _LOOKING or name in _PASSING else (COERCIBLE, None)
