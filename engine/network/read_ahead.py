"""Reading ahead: what waits in a transmission queue and is not in memory is read for many dialogs at once.

Decides how much is read at a time, and for whom: one look at the store costs milliseconds, however few rows it brings.
Must not know frames, nor when something is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import Final, Protocol

from sbql.catalog.records import TransmissionMessage
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.broker.row_paging import RowPaging
from sbql.engine.network.sending import Sender

__all__ = ["ReadAhead"]

PAGE: Final = 10_000
"""Rows that are read at once, and kept until the next page is read."""
TURN: Final = 80
"""At most so many messages of a dialog go in one turn."""


class _Dialog(Protocol):
    conversation: Conversation
    sender: Sender
    until: int


class ReadAhead:
    """Rows that go next. The broker's mutex is held."""

    def __init__(self, paging: RowPaging) -> None:
        self._paging = paging
        self._page: dict[int, TransmissionMessage] = {}
        self._line: Callable[[], Iterable[_Dialog]] = tuple
        self._now = 0.0

    def look_at(self, line: Callable[[], Iterable[_Dialog]], now: float) -> None:
        """Whose turn comes next, as far as that is known."""
        self._line, self._now = line, now

    def clear(self) -> None:
        self._page = {}

    def row(self, dialog: _Dialog, number: int) -> TransmissionMessage:
        """A row of the dialog that is still there. Raises what the store raises."""
        rows = dialog.conversation.transmission
        found = rows.records.get(number)
        if found is None:
            found = self._page.get(rows.key(number))
        if found is None:
            self._read(dialog, number)
            found = self._page[rows.key(number)]
        return found

    def _read(self, first: _Dialog, number: int) -> None:
        others = [dialog for dialog in islice(self._line(), PAGE // TURN) if dialog is not first]
        share = max(TURN, PAGE // (1 + len(others)))
        wanted = self._keys(first, number - 1, share)
        for dialog in others:
            if len(wanted) >= PAGE:
                break
            wanted += self._keys(dialog, dialog.sender.first_wanted(self._now) - 1, TURN)
        assert self._paging.fetch is not None
        self._page = self._paging.fetch(wanted)

    @staticmethod
    def _keys(dialog: _Dialog, behind: int, most: int) -> list[int]:
        rows = dialog.conversation.transmission
        if not rows:
            return []
        return [rows.key(number) for number in rows.after(behind, most, dialog.until) if number not in rows.records]
