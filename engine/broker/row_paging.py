"""Paging of transmission queues: more may wait there than memory should hold.

Decides which rows stay in memory, and reads the others for whoever wants to send or deliver them. A row that has been
folded into the readable tables needs no second copy; of those the first of each endpoint stay. Must not know
statements, nor how the store keeps its rows: `fetch` reads them by their keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from sbql.catalog.records import TransmissionMessage
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.broker.transmission_rows import TransmissionRows
from sbql.engine.locks import LockTable

__all__ = ["RowPaging"]

FetchRows = Callable[[Sequence[int]], dict[int, TransmissionMessage]]
"""Stored rows by their keys. It may leave out later ones when together they are large, never the first."""

MOST_ROWS: Final = 100_000
MOST_BYTES: Final = 64 << 20
"""So many rows, and bytes of their bodies, stay in memory when they have been folded."""

Folded = list[tuple[TransmissionRows, list[TransmissionMessage]]]


class RowPaging:
    """What of an instance's transmission queues is in memory. Every method is called with the state's mutex held."""

    def __init__(self, delayed: dict[Conversation, None], locks: LockTable) -> None:
        self._delayed = delayed
        self._locks = locks
        self.fetch: FetchRows | None = None
        self.most_rows = MOST_ROWS
        self.most_bytes = MOST_BYTES

    # Out of memory

    def before_fold(self) -> Folded:
        """The rows in memory that are committed: a fold from now on brings them into the tables. What a transaction
        works at is left for another time."""
        found: Folded = []
        for conversation in self._delayed:
            if self._locks.holder(conversation.group.resource) is not None:
                continue
            for rows in (conversation.transmission, conversation.held):
                if rows and rows.records:
                    found.append((rows, list(rows.records.values())))
        return found

    def after_fold(self, folded: Folded) -> int:
        """Let go of folded rows, those last that go first. Returns how many went."""
        count = sum(len(records) for _, records in folded)
        size = sum(len(row.message_body or b"") for _, records in folded for row in records)
        if count <= self.most_rows and size <= self.most_bytes:
            return 0
        share, room = max(1, self.most_rows // 2 // len(folded)), self.most_bytes // 2
        gone = 0
        for rows, records in folded:
            records.sort(key=_number)
            for place, row in enumerate(records):
                room -= len(row.message_body or b"")
                is_same = rows.records.get(row.message_sequence_number) is row  # else it was changed since, or has gone
                if is_same and (place >= share or room < 0):
                    del rows.records[row.message_sequence_number]
                    gone += 1
            if gone:
                rows.records = dict(rows.records)  # one that has lost most of its entries keeps their room
        return gone

    # Into memory

    def read(self, rows: TransmissionRows, numbers: Iterable[int]) -> list[TransmissionMessage]:
        """The rows of these numbers, or of the first of them at least. Raises what the store raises."""
        wanted = list(numbers)
        missing = [rows.key(number) for number in wanted if number not in rows.records]
        found = self._fetch(missing) if missing else {}
        result: list[TransmissionMessage] = []
        for number in wanted:
            row = rows.records.get(number) or found.get(rows.key(number))
            if row is None:
                break
            result.append(row)
        return result

    def bring_first(self, conversations: Iterable[Conversation], count: int = 1) -> None:
        """See to it that the first rows of these are in memory, by one look at the
        store. Raises what the store raises."""
        wanted = [
            (rows, number, rows.key(number))
            for conversation in conversations
            if (rows := conversation.transmission or conversation.held)
            for number in rows.after(-1, count)
            if number not in rows.records
        ]
        while wanted:
            found = self._fetch([key for _, _, key in wanted])
            for rows, number, key in wanted:
                if key in found:
                    rows.records[number] = found[key]
            wanted = [entry for entry in wanted if entry[2] not in found]

    def _fetch(self, keys: list[int]) -> dict[int, TransmissionMessage]:
        assert self.fetch is not None
        found = self.fetch(keys)
        assert found, "rows that are not in memory are in the store"
        return found


def _number(row: TransmissionMessage) -> int:
    return row.message_sequence_number
