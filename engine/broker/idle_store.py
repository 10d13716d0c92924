"""Conversations at rest, out of memory: rows of a private SQLite database that begins in memory, goes to a file of its own when it grows, and is gone with the process.

Decides how they are kept and found again. Must not know when a conversation is at rest, nor what it is to be in memory. Nothing here has to be durable: the store has every
endpoint, and whoever opens it again has them from there. SQLite because a look-up by key takes it microseconds, where a query of DuckDB takes a good part of a millisecond.

The file is where SQLite puts its temporary files (`SQLITE_TMPDIR`, `TMPDIR`), and has no name there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from sbql.catalog.records import ConversationEndpoint

__all__ = ["IdleEndpoint", "IdleStore"]

_CACHE: Final = 16 << 10
"""KiB of rows that SQLite keeps in memory."""

_SHORT: Final = (1 << 63) - 1
"""What of a GUID is looked up: the rest is compared."""

_SCHEMA: Final = f"""
PRAGMA cache_size = -{_CACHE};
PRAGMA journal_mode = MEMORY;
CREATE TABLE endpoints (
    place INTEGER PRIMARY KEY, handle INTEGER, conversation INTEGER, grp INTEGER, due REAL, database_id INTEGER, service_id INTEGER, contract_id INTEGER,
    queue_id INTEGER, record BLOB);
CREATE INDEX by_handle ON endpoints (handle);
CREATE INDEX by_conversation ON endpoints (conversation);
CREATE INDEX by_group ON endpoints (grp);
CREATE INDEX by_due ON endpoints (due) WHERE due IS NOT NULL;
"""
_INSERT: Final = "INSERT INTO endpoints VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_COLUMNS: Final = "place, record, due, queue_id"

_GROUP_OF: Final = f"SELECT {_COLUMNS} FROM endpoints WHERE grp IN (SELECT grp FROM endpoints WHERE {{}} = ?)"

_encode = msgspec.msgpack.Encoder(uuid_format="bytes").encode
_decode = msgspec.msgpack.Decoder(ConversationEndpoint).decode


class IdleEndpoint(NamedTuple):
    """An endpoint at rest: `due` is when something is to be done for it, None for never; `queue_id` is its queue."""

    endpoint: ConversationEndpoint
    due: float | None
    queue_id: int


class IdleStore:
    """Endpoints at rest, a group always as a whole. Calls come one at a time (the broker's mutex is held). Raises `sqlite3.Error` when its file cannot be written or read:
    `put` has then kept nothing, and `take` has taken nothing."""

    def __init__(self) -> None:
        self.count = 0
        """Endpoints that are here."""
        self.closed = 0
        """Those of them that are CLOSED."""
        self.next_due: float | None = None
        """The first moment at which something is to be done for one of them."""
        self._connection: sqlite3.Connection | None = None

    # In

    def put(self, rows: Sequence[IdleEndpoint]) -> None:
        """Keep these endpoints: all of their groups."""
        connection = self._open()
        with connection:
            connection.execute("BEGIN")
            connection.executemany(_INSERT, map(_values, rows))
        self.count += len(rows)
        self.closed += _closed(rows)
        self._find_next_due([row.due for row in rows if row.due is not None])

    # Out: whoever is asked for leaves with all of its group

    def take(self, database_id: int, handle: UUID) -> list[IdleEndpoint]:
        """The group of the endpoint with this handle; nothing when it is not here."""
        found = self._select(_GROUP_OF.format("handle"), _short(handle))
        wanted = (
            row.endpoint
            for _, row in found
            if row.endpoint.conversation_handle == handle and row.endpoint.database_id == database_id
        )
        return self._take_group_of(next(wanted, None), found)

    def take_side(self, conversation_id: UUID, is_initiator: bool, database_id: int) -> list[IdleEndpoint]:
        """The group of one side of a conversation."""
        found = self._select(_GROUP_OF.format("conversation"), _short(conversation_id))
        key = conversation_id, is_initiator, database_id
        wanted = (e for _, row in found if ((e := row.endpoint).conversation_id, e.is_initiator, e.database_id) == key)
        return self._take_group_of(next(wanted, None), found)

    def take_group(self, database_id: int, group_id: UUID) -> list[IdleEndpoint]:
        found = self._select(f"SELECT {_COLUMNS} FROM endpoints WHERE grp = ?", _short(group_id))
        wanted = (row.endpoint for _, row in found if _group(row.endpoint) == (database_id, group_id))
        return self._take_group_of(next(wanted, None), found)

    def take_due(self, now: float, limit: int) -> list[IdleEndpoint]:
        """The groups of the first `limit` endpoints that are due."""
        if self.next_due is None or self.next_due > now:
            return []
        found = self._select(f"SELECT {_COLUMNS} FROM endpoints WHERE due <= ? ORDER BY due LIMIT ?", now, limit)
        return self._take_groups(row for _, row in found)

    def take_some(self, database_id: int, service_id: int | None, contract_id: int | None) -> list[IdleEndpoint]:
        """Some that are in a database, of one service or contract where that is given, with their groups; nothing when there are none."""
        conditions = "database_id = ?1 AND (?2 IS NULL OR service_id = ?2) AND (?3 IS NULL OR contract_id = ?3)"
        text = f"SELECT {_COLUMNS} FROM endpoints WHERE {conditions} LIMIT 1000"
        return self._take_groups(row for _, row in self._select(text, database_id, service_id, contract_id))

    def rows(self) -> Iterator[IdleEndpoint]:
        """All of them, which stay here. Nothing may be put or taken meanwhile."""
        if self.count:
            for _, record, *rest in self._open().execute(f"SELECT {_COLUMNS} FROM endpoints"):
                yield IdleEndpoint(_decode(record), *rest)

    def clear(self) -> None:
        """Forget all of them."""
        if self._connection is not None:
            self._connection.close()
        self._connection, self.count, self.closed, self.next_due = None, 0, 0, None

    # SQLite

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect("", check_same_thread=False, isolation_level=None)
            self._connection.executescript(_SCHEMA)
        return self._connection

    def _select(self, text: str, *parameters: Any) -> list[tuple[int, IdleEndpoint]]:
        if not self.count:
            return []
        found = self._open().execute(text, parameters).fetchall()
        return [(place, IdleEndpoint(_decode(record), *rest)) for place, record, *rest in found]

    def _take_groups(self, rows: Iterable[IdleEndpoint]) -> list[IdleEndpoint]:
        groups = dict.fromkeys((row.endpoint.database_id, row.endpoint.conversation_group_id) for row in rows)
        return [member for group in groups for member in self.take_group(*group)]

    def _take_group_of(
        self, endpoint: ConversationEndpoint | None, found: list[tuple[int, IdleEndpoint]]
    ) -> list[IdleEndpoint]:
        """Of what was found all that are of the group of `endpoint`: they go."""
        if endpoint is None:
            return []
        group = _group(endpoint)
        members = [(place, row) for place, row in found if _group(row.endpoint) == group]
        self._delete([place for place, _ in members])
        taken = [row for _, row in members]
        self.count -= len(taken)
        self.closed -= _closed(taken)
        if self.next_due is not None and self.next_due in [row.due for row in taken]:
            (first,) = self._open().execute("SELECT min(due) FROM endpoints WHERE due IS NOT NULL").fetchone()
            self.next_due = first
        return taken

    def _delete(self, places: list[int]) -> None:
        connection = self._open()
        if len(places) == 1:  # the most of them: no transaction around one statement
            connection.execute("DELETE FROM endpoints WHERE place = ?", places)
            return
        with connection:
            connection.execute("BEGIN")
            connection.executemany("DELETE FROM endpoints WHERE place = ?", [(place,) for place in places])

    def _find_next_due(self, found: list[float]) -> None:
        if found:
            first = min(found)
            self.next_due = first if self.next_due is None else min(first, self.next_due)


def _closed(rows: Iterable[IdleEndpoint]) -> int:
    return sum(row.endpoint.state == "CD" for row in rows)


def _group(endpoint: ConversationEndpoint) -> tuple[int, UUID]:
    return endpoint.database_id, endpoint.conversation_group_id


def _short(guid: UUID) -> int:
    return guid.int & _SHORT


def _values(row: IdleEndpoint) -> tuple[Any, ...]:
    e = row.endpoint
    return (
        _short(e.conversation_handle), _short(e.conversation_id), _short(e.conversation_group_id), row.due, e.database_id, e.service_id, e.contract_id,
        row.queue_id, _encode(e),
    )  # fmt: skip
