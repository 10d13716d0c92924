"""Noted warnings: what the running statement of a session is to tell at its end.

A query notes from DuckDB's threads that an aggregate left out NULLs: by the number of the session's warnings, since
nothing else is known there. It must not know what a warning says.
"""

from __future__ import annotations

import itertools
from typing import Final

__all__ = ["LEFT_OUT_NULLS", "NotedWarnings", "note_left_out"]

LEFT_OUT_NULLS: Final = 8153

_left_out: Final[set[int]] = set()
_numbers: Final = itertools.count(1)


def note_left_out(number: int) -> None:
    """An aggregate has left out NULLs; `number` is that of the session's warnings. For any thread."""
    _left_out.add(number)


class NotedWarnings(set[int]):
    """The numbers of the warnings, of one session."""

    __slots__ = ("number",)

    def __init__(self) -> None:
        super().__init__()
        self.number = next(_numbers)

    def taken(self) -> list[int]:
        """All of them, in order; none is noted any longer."""
        if _left_out and self.number in _left_out:
            _left_out.discard(self.number)
            self.add(LEFT_OUT_NULLS)
        if not self:
            return []
        found = sorted(self)
        self.clear()
        return found
