"""Requests that were answered, with their answers: who asks again under the same name gets
the answer, and nothing is done twice.

Decides how long an answer is kept (an hour, and 64 MB of them) and how long a name is known (a week). It must not know
what was asked, nor who asks. Works under the state's mutex.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from sbql.catalog.records import AnsweredRequest, BrokerChange, DeleteRequest

__all__ = ["KEPT", "KNOWN", "MOST_BYTES", "Requests"]

KEPT: Final = 3600.0
"""Seconds that an answer is kept."""
KNOWN: Final = 7 * 86400.0
"""Seconds that a name is known."""
MOST_BYTES: Final = 64 << 20
"""Of all answers together."""

_Key = tuple[int, str]


class Requests:
    """By database and name, the oldest first."""

    def __init__(self, stored: Iterable[AnsweredRequest] = (), most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes = most_bytes
        self._known: dict[_Key, AnsweredRequest] = {}
        self._with_answer: dict[_Key, None] = {}
        self._size = 0
        for record in sorted(stored, key=lambda record: record.request_time):
            self.note(record)

    def find(self, database_id: int, name: str) -> AnsweredRequest | None:
        return self._known.get((database_id, name))

    def note(self, record: AnsweredRequest) -> None:
        """It is committed."""
        key = record.database_id, record.name
        self._known[key] = record
        if record.answer is not None:
            self._with_answer[key] = None
            self._size += len(record.answer)

    def forget_old(self, now: float) -> list[BrokerChange]:
        """What was kept for long enough goes; the records that say so."""
        changes: list[BrokerChange] = []
        while self._with_answer:
            key = next(iter(self._with_answer))
            record = self._known[key]
            assert record.answer is not None
            if record.request_time >= now - KEPT and self._size <= self._most_bytes:
                break
            del self._with_answer[key]
            self._size -= len(record.answer)
            self._known[key] = msgspec.structs.replace(record, answer=None)
            changes.append(self._known[key])
        while self._known:
            key = next(iter(self._known))
            if self._known[key].request_time >= now - KNOWN:
                break
            del self._known[key]
            changes.append(DeleteRequest(*key))
        return changes
