"""Conversations at rest, out of memory: rows of a private SQLite database that begins in memory, goes to a file of its own when it grows, and is gone with the process.

Decides how they are kept and found again. Must not know when a conversation is at rest, nor what it is to be in memory. Nothing here has to be durable: the store has every
endpoint, and whoever opens it again has them from there. SQLite because a look-up by key takes it microseconds, where a query of DuckDB takes a good part of a millisecond.

The row of one that leaves stays, and is not believed: one that comes back unchanged but for its record, as most do, is written over it and no index is touched. Rows of others go
with the next that come.

The file is where SQLite puts its temporary files (`SQLITE_TMPDIR`, `TMPDIR`), and has no name there.
"""

from __future__ import annotations

import sqlite3
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec

from sbql.catalog.records import ConversationEndpoint

__all__ = ["NO_NUMBERS", "IdleEndpoint", "IdleStore", "Seat"]

NO_NUMBERS: Final = array("q")

_CACHE: Final = 16 << 10
"""KiB of rows that SQLite keeps in memory."""

_SHORT: Final = (1 << 63) - 1
"""What of a GUID is looked up: the rest is compared."""

_SCHEMA: Final = f"""
PRAGMA cache_size = -{_CACHE};
PRAGMA journal_mode = MEMORY;
CREATE TABLE endpoints (
    place INTEGER PRIMARY KEY, handle INTEGER, conversation INTEGER, grp INTEGER, due REAL, database_id INTEGER, service_id INTEGER, contract_id INTEGER,
    queue_id INTEGER, urgency INTEGER, turn INTEGER, record BLOB, numbers BLOB);
CREATE INDEX by_handle ON endpoints (handle);
CREATE INDEX by_conversation ON endpoints (conversation);
CREATE INDEX by_group ON endpoints (grp);
CREATE INDEX by_due ON endpoints (due) WHERE due IS NOT NULL;
CREATE INDEX by_turn ON endpoints (queue_id, urgency, turn) WHERE turn IS NOT NULL;
"""
_INSERT: Final = "INSERT INTO endpoints VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
_OVERWRITE: Final = "UPDATE endpoints SET record = ? WHERE place = ?"
_DELETE: Final = "DELETE FROM endpoints WHERE place = ?"
_COLUMNS: Final = "place, record, due, queue_id, numbers"
_GROUP_OF: Final = f"SELECT {_COLUMNS} FROM endpoints WHERE grp IN (SELECT grp FROM endpoints WHERE {{}} = ?)"
_OF_QUEUE: Final = "FROM endpoints WHERE queue_id = ? AND turn IS NOT NULL ORDER BY urgency, turn LIMIT ?"
_PART: Final = 1_000

_encode = msgspec.msgpack.Encoder(uuid_format="bytes").encode
_decode = msgspec.msgpack.Decoder(ConversationEndpoint).decode


class Seat(NamedTuple):
    """A row that waits for its endpoint to come back, and what it is found by but the endpoint's own ids."""

    place: int
    group_id: int
    service_id: int
    contract_id: int
    queue_id: int


class IdleEndpoint(NamedTuple):
    """An endpoint at rest: `due` is when something is to be done for it, None for never; `queue_id` is its queue, `numbers` the keys and queuing orders, in turn, of the
    messages that are ready there, and `seat` where it rested last."""

    endpoint: ConversationEndpoint
    due: float | None
    queue_id: int
    numbers: array[int] = NO_NUMBERS
    seat: Seat | None = None

    @property
    def turn(self) -> tuple[int, int] | None:
        """Where it stands in its queue, the lowest first. None when no message of it is ready."""
        return (-self.endpoint.priority, self.numbers[1]) if self.numbers else None


class IdleStore:
    """Endpoints at rest, a group always as a whole. Calls come one at a time (the broker's mutex is held). Raises `sqlite3.Error` when its file cannot be written or read:
    `put` has then kept nothing, and `take` has taken nothing."""

    def __init__(self) -> None:
        self._forget_all()

    def _forget_all(self) -> None:
        self.count = 0
        """Endpoints that are here."""
        self.closed = 0
        """Those of them that are CLOSED."""
        self.next_due: float | None = None
        """The first moment at which something is to be done for one of them."""
        self.turns: dict[int, tuple[int, int]] = {}
        """Of each queue for which messages of them are ready: no `IdleEndpoint.turn` is lower."""
        self._waiting: Counter[int] = Counter()
        """And how many have such."""
        self._connection: sqlite3.Connection | None = None
        self._is_here = bytearray()
        """Of each place whether what its row says is so."""
        self._free: list[int] = []
        """Places without a row."""
        self._dead: list[int] = []
        """Places whose rows nobody needs."""

    # In

    def put(self, rows: Sequence[IdleEndpoint]) -> None:
        """Keep these endpoints: all of their groups."""
        again = {row.seat.place: row for row in rows if row.seat is not None and _fits(row, row.seat)}
        new = [row for row in rows if row.seat is None or row.seat.place not in again]
        left = [row.seat.place for row in new if row.seat is not None]
        places = self._places(len(new))
        connection = self._open()
        with connection:
            connection.execute("BEGIN")
            connection.executemany(_DELETE, [(place,) for place in (*self._dead, *left)])
            connection.executemany(_OVERWRITE, [(_encode(row.endpoint), place) for place, row in again.items()])
            connection.executemany(_INSERT, map(_values, places, new))
        self._free = [*self._free[len(new) :], *self._dead, *left]
        self._dead = []
        self._is_here.extend(bytes(max(0, max(places, default=0) + 1 - len(self._is_here))))
        for place in (*again, *places):
            self._is_here[place] = True
        self._count(rows, 1)
        for row in rows:
            if row.due is not None:
                self.next_due = row.due if self.next_due is None else min(row.due, self.next_due)
            if (turn := row.turn) is not None:
                self.turns[row.queue_id] = min(turn, self.turns.get(row.queue_id, turn))

    def _places(self, count: int) -> list[int]:
        found = self._free[:count]
        first_new = max(1, len(self._is_here))
        return [*found, *range(first_new, first_new + count - len(found))]

    def leave(self, seat: Seat) -> None:
        """Whoever had this place does not come back."""
        self._dead.append(seat.place)

    # Out: whoever is asked for leaves with all of its group

    def take(self, database_id: int, handle: UUID) -> list[IdleEndpoint]:
        """The group of the endpoint with this handle; nothing when it is not here."""
        found = self._select(_GROUP_OF.format("handle"), _short(handle))
        wanted = (
            row.endpoint
            for row in found
            if row.endpoint.conversation_handle == handle and row.endpoint.database_id == database_id
        )
        return self._take_group_of(next(wanted, None), found)

    def take_side(self, conversation_id: UUID, is_initiator: bool, database_id: int) -> list[IdleEndpoint]:
        """The group of one side of a conversation."""
        found = self._select(_GROUP_OF.format("conversation"), _short(conversation_id))
        key = conversation_id, is_initiator, database_id
        wanted = (e for row in found if ((e := row.endpoint).conversation_id, e.is_initiator, e.database_id) == key)
        return self._take_group_of(next(wanted, None), found)

    def take_group(self, database_id: int, group_id: UUID) -> list[IdleEndpoint]:
        found = self._select(f"SELECT {_COLUMNS} FROM endpoints WHERE grp = ?", _short(group_id))
        wanted = (row.endpoint for row in found if _group(row.endpoint) == (database_id, group_id))
        return self._take_group_of(next(wanted, None), found)

    def take_due(self, now: float, limit: int) -> list[IdleEndpoint]:
        """The groups of the first `limit` endpoints that are due."""
        if self.next_due is None or self.next_due > now:
            return []
        self._delete_dead()
        found = self._select(f"SELECT {_COLUMNS} FROM endpoints WHERE due <= ? ORDER BY due LIMIT ?", now, limit)
        return self._take_groups(found)

    def take_turns(self, queue_id: int, limit: int) -> list[IdleEndpoint]:
        """The groups of the first `limit` endpoints of a queue that have messages there."""
        if queue_id not in self.turns:
            return []
        self._delete_dead()
        found = self._select(f"SELECT {_COLUMNS} {_OF_QUEUE}", queue_id, limit)
        taken = self._take_groups(found)
        if queue_id in self.turns and (last := found[-1].turn) is not None:
            self.turns[queue_id] = last
        return taken

    def take_parts(
        self, database_id: int, service_id: int | None, contract_id: int | None
    ) -> Iterator[list[IdleEndpoint]]:
        """All of a database, of one service or contract where that is given, with their groups, in parts."""
        conditions = "database_id = ?1 AND (?2 IS NULL OR service_id = ?2) AND (?3 IS NULL OR contract_id = ?3)"
        text = f"SELECT place FROM endpoints WHERE {conditions} AND place > ?4 ORDER BY place LIMIT {_PART}"
        last = 0
        while self.count:
            self._delete_dead()
            places = self._open().execute(text, (database_id, service_id, contract_id, last)).fetchall()
            if not places:
                return
            ((last,),) = places[-1:]
            marks = ", ".join(str(place) for (place,) in places if self._is_here[place])
            if taken := self._take_groups(self._select(f"SELECT {_COLUMNS} FROM endpoints WHERE place IN ({marks})")):
                yield taken

    def rows(self) -> Iterator[IdleEndpoint]:
        """All of them, which stay here. Nothing may be put or taken meanwhile."""
        if self.count:
            for row in self._open().execute(f"SELECT {_COLUMNS} FROM endpoints"):
                if self._is_here[row[0]]:
                    yield _row(*row)

    def clear(self) -> None:
        """Forget all of them."""
        if self._connection is not None:
            self._connection.close()
        self._forget_all()

    # SQLite

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            self._connection = sqlite3.connect("", check_same_thread=False, isolation_level=None)
            self._connection.executescript(_SCHEMA)
        return self._connection

    def _select(self, text: str, *parameters: Any) -> list[IdleEndpoint]:
        """Those of the rows that are here."""
        if not self.count:
            return []
        found = self._open().execute(text, parameters).fetchall()
        return [_row(*row) for row in found if self._is_here[row[0]]]

    def _take_groups(self, rows: Iterable[IdleEndpoint]) -> list[IdleEndpoint]:
        groups = dict.fromkeys(_group(row.endpoint) for row in rows)
        return [member for group in groups for member in self.take_group(*group)]

    def _take_group_of(self, endpoint: ConversationEndpoint | None, found: list[IdleEndpoint]) -> list[IdleEndpoint]:
        """Of what was found all that are of the group of `endpoint`: they leave."""
        if endpoint is None:
            return []
        group = _group(endpoint)
        seats = {row.seat: row for row in found if row.seat is not None and _group(row.endpoint) == group}
        if self.next_due is not None and self.next_due in [row.due for row in seats.values()]:
            self.next_due = self._first_due({seat.place for seat in seats})
        taken = []
        for seat, row in seats.items():
            self._is_here[seat.place] = False
            if row.due is None and not row.numbers:
                taken.append(row)
            else:  # it would be found by what is over
                self._dead.append(seat.place)
                taken.append(row._replace(seat=None))
        self._count(taken, -1)
        return taken

    def _first_due(self, going: set[int]) -> float | None:
        """Of all but those in these places."""
        if len(self._dead) > _PART:
            self._delete_dead()
        places = self._open().execute("SELECT place, due FROM endpoints WHERE due IS NOT NULL ORDER BY due")
        return next((due for place, due in places if self._is_here[place] and place not in going), None)

    def _count(self, rows: Iterable[IdleEndpoint], sign: int) -> None:
        for row in rows:
            self.count += sign
            if row.endpoint.state == "CD":
                self.closed += sign
            if row.numbers:
                self._waiting[row.queue_id] += sign
                if not self._waiting[row.queue_id]:
                    del self.turns[row.queue_id], self._waiting[row.queue_id]

    def _delete_dead(self) -> None:
        """Nobody finds them by what is over."""
        if not self._dead:
            return
        connection = self._open()
        with connection:
            connection.execute("BEGIN")
            connection.executemany(_DELETE, [(place,) for place in self._dead])
        self._free += self._dead
        self._dead = []


def _fits(row: IdleEndpoint, seat: Seat) -> bool:
    """Whether it is found by the same as before, and nothing else has to be written than its record."""
    e = row.endpoint
    is_found = e.conversation_group_id.int, e.service_id, e.contract_id, row.queue_id
    return row.due is None and not row.numbers and is_found == seat[1:]


def _row(place: int, record: bytes, due: float | None, queue_id: int, numbers: bytes | None) -> IdleEndpoint:
    e = _decode(record)
    seat = Seat(place, e.conversation_group_id.int, e.service_id, e.contract_id, queue_id)
    return IdleEndpoint(e, due, queue_id, array("q", numbers) if numbers else NO_NUMBERS, seat)


def _group(endpoint: ConversationEndpoint) -> tuple[int, UUID]:
    return endpoint.database_id, endpoint.conversation_group_id


def _short(guid: UUID) -> int:
    return guid.int & _SHORT


def _values(place: int, row: IdleEndpoint) -> tuple[Any, ...]:
    e = row.endpoint
    urgency, turn = row.turn or (None, None)
    return (
        place, _short(e.conversation_handle), _short(e.conversation_id), _short(e.conversation_group_id), row.due, e.database_id, e.service_id, e.contract_id,
        row.queue_id, urgency, turn, _encode(e), row.numbers.tobytes() or None,
    )  # fmt: skip
