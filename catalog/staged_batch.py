"""A batch of staged rows on its way into the message table, without a Python object a message.

    kinds -> place -> (bodies) -> number -> insert

Decides

- how rows are told apart: by what they say of their dialog and message type, and how often they have ended it before
- which place each has in the batch and on its dialog
- which rows of the message table become of them.

A row that ends its dialog takes two places: its own, and behind it one for the message that tells the other side.
Everything but the last step works on tables in memory, so that only `insert` needs a transaction of the store. It must
not know what a dialog is allowed to carry: it is told where each goes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.store_port import StorePort
from sbql.grammar.errors import SqlError

__all__ = ["BulkRows", "BulkTarget", "BulkType", "RowKind", "StagedBatch"]


class RowKind(Struct, frozen=True):
    """The rows that say the same of their dialog and message type, up to one that ends the dialog: `count` of them, row
    `first` of the batch is the first one. `largest` is the length of their longest body, `end` the row that ends the
    dialog, None when none of them does."""

    number: int
    conversation_handle: str | None
    conversation_key: str | None
    message_type_name: str | None
    count: int
    first: int
    largest: int
    end: int | None


BulkTarget = tuple[int, int, int, int, UUID, int, int, int]
"""dialog, queue_id, database_id, priority, conversation_handle, service_id,
contract_id, number of its first message."""

BulkType = tuple[int, int, str, str]
"""kind, id, name and validation of its message type."""


class BulkRows(Struct, frozen=True):
    """What the rows of a batch become: `targets` has the dialogs, `types` the kinds of rows. Keys count on from
    `first_key`, queuing orders of each queue from `first_orders`, so many as `counts` says; `message_id` is that of the
    first, the others count on from it."""

    batch: StagedBatch
    targets: list[BulkTarget]
    types: list[BulkType]
    first_key: int
    first_orders: dict[int, int]
    counts: dict[int, int]
    message_id: UUID
    enqueue_time: float

    def last_orders(self) -> dict[int, int]:
        """The highest queuing order that each queue has now."""
        return {queue_id: first + self.counts[queue_id] - 1 for queue_id, first in self.first_orders.items()}


_ROWS: Final = """
SELECT rowid + {first} AS row, conversation_handle, conversation_key, message_type_name, octet_length(message_body) AS size,
    coalesce(end_conversation, false) AS is_end
FROM memory.main.{table}
"""

_PLAIN: Final = "SELECT *, row AS position, 0 AS ended FROM ({rows})"

_ENDING: Final = """
CREATE TABLE memory.main.{name}_rows AS
SELECT *, row + count(CASE WHEN is_end THEN 1 END) OVER (ORDER BY row ROWS UNBOUNDED PRECEDING) - CAST(is_end AS INTEGER) AS position,
    count(CASE WHEN is_end THEN 1 END) OVER (PARTITION BY conversation_handle, conversation_key ORDER BY row ROWS UNBOUNDED PRECEDING)
        - CAST(is_end AS INTEGER) AS ended
FROM ({rows})
"""
"""The rows of a batch in which some end their dialog: `position` counts what tells of that, `ended` how
often the dialog was ended before."""

_KINDS: Final = """
CREATE TABLE memory.main.{name}_kinds AS
SELECT row_number() OVER (ORDER BY first) - 1 AS kind, * FROM (
    SELECT conversation_handle, conversation_key, message_type_name, count(*) AS count, min(row) AS first,
        coalesce(max(size), 0) AS largest, max(row) FILTER (is_end) AS end_row, ended
    FROM ({rows}) GROUP BY conversation_handle, conversation_key, message_type_name, ended)
"""

_PLACES: Final = """
CREATE TABLE memory.main.{name}_places AS
SELECT row, position, kind, dialog, row_number() OVER (PARTITION BY dialog ORDER BY position) - 1 AS sequence, coalesce(end_row = row, false) AS ends
FROM (SELECT r.row, r.position, k.kind, k.end_row, d.dialog FROM ({rows}) r
    JOIN memory.main.{name}_kinds k ON k.conversation_handle IS NOT DISTINCT FROM r.conversation_handle
        AND k.conversation_key IS NOT DISTINCT FROM r.conversation_key AND k.message_type_name IS NOT DISTINCT FROM r.message_type_name
        AND k.ended = r.ended
    JOIN memory.main.{name}_dialogs d ON d.kind = k.kind)
ORDER BY position
"""
"""The place of each row in the batch, and among the messages of its dialog."""

_ALL: Final = """
SELECT position, dialog FROM memory.main.{name}_places
UNION ALL SELECT position + 1, dialog FROM memory.main.{name}_places WHERE ends
"""
"""All places that are taken: those of rows, and of what tells that a dialog was ended."""

_BODIES: Final = """
SELECT c.type, r.message_body FROM memory.main.{table} r
    JOIN memory.main.{name}_places p ON p.row = r.rowid + {first} JOIN memory.main.{name}_checks c USING (kind)
WHERE octet_length(r.message_body) > 0
"""

_ORDERS: Final = """
CREATE TABLE memory.main.{name}_orders AS
SELECT p.position, p.dialog, row_number() OVER (PARTITION BY t.queue_id ORDER BY p.position) - 1 AS place
FROM ({all}) p JOIN memory.main.{name}_targets t USING (dialog)
"""
"""The place of each row among those of its queue: its place in the batch when there is one queue only."""

_MESSAGES: Final = """
CREATE TABLE memory.main.{name}_messages_{first} AS
SELECT p.row, $first_key + p.position AS message_key, t.queue_id, t.database_id, t.priority, q.first_order + {place} AS queuing_order,
    t.conversation_handle, t.first_sequence + p.sequence AS sequence, t.service_id, t.contract_id, k.id, k.name, k.validation,
    CAST(CAST($message_id AS UHUGEINT) + CAST(p.position AS UHUGEINT) AS UUID) AS message_id
FROM memory.main.{name}_places p {join}
    JOIN memory.main.{name}_targets t ON t.dialog = p.dialog
    JOIN memory.main.{name}_queues q ON q.queue_id = t.queue_id
    JOIN memory.main.{name}_types k ON k.kind = p.kind
WHERE p.row BETWEEN {first} AND {last}
ORDER BY p.row
"""
"""The messages of one staged table, all but their bodies, row by row in its order."""

_INSERT: Final = """
INSERT INTO sbql.messages
SELECT m.message_key, m.queue_id, m.database_id, 1, m.priority, m.queuing_order, m.conversation_handle, m.sequence, m.service_id,
    m.contract_id, m.id, m.name, m.validation, CASE WHEN octet_length(r.message_body) > 0 THEN r.message_body END, m.message_id, ?
FROM memory.main.{table} r POSITIONAL JOIN memory.main.{name}_messages_{first} m
"""
"""A join by the place of rows costs nothing: bodies are read once, in their order."""

_TABLES: Final = {
    "dialogs": "kind BIGINT, dialog BIGINT",
    "targets": "dialog BIGINT, queue_id INTEGER, database_id INTEGER, priority UTINYINT, conversation_handle UUID,"
    " service_id INTEGER, contract_id INTEGER, first_sequence BIGINT",
    "types": "kind BIGINT, id INTEGER, name VARCHAR, validation VARCHAR",
    "queues": "queue_id INTEGER, first_order BIGINT",
    "checks": "kind BIGINT, type BIGINT",
}
_PARTS: Final = ("rows", "kinds", "places", "orders", *_TABLES)
_CHUNK: Final = 500
_COUNTED: Final = (1 << 40) - 1
"""The bits of a message id that count."""


class StagedBatch:
    """The rows of some staged tables, one table after the other: `tables` has the name and the length of each. `name`
    is for its own tables. Every method raises SqlError."""

    def __init__(
        self,
        connect: Callable[[], duckdb.DuckDBPyConnection],
        port: StorePort,
        sql_error: Callable[[duckdb.Error | OSError], SqlError],
        name: str,
        tables: Sequence[tuple[str, int]],
    ) -> None:
        self._connect = connect
        self._port = port
        self._sql_error = sql_error
        self._name = name
        self._tables: list[tuple[str, int, int]] = []
        """Name, place of the first row, place of the last row; those that have rows."""
        self.count = 0
        self.ends = 0
        """So many rows end their dialog; known when `kinds` is."""
        for table, count in tables:
            if count:
                self._tables.append((table, self.count, self.count + count - 1))
            self.count += count
        self._rows = " UNION ALL ".join(_ROWS.format(first=first, table=table) for table, first, _ in self._tables)

    @property
    def size(self) -> int:
        """The places that it takes."""
        return self.count + self.ends

    def kinds(self) -> list[RowKind]:
        """The kinds of its rows, in the order in which they come first."""
        ((self.ends,),) = self._run("", f"SELECT count(*) FILTER (is_end) FROM ({self._rows})")
        if self.ends:
            self._run(_ENDING, "SELECT 1")
            self._rows = f"SELECT * FROM memory.main.{self._name}_rows"
        else:
            self._rows = _PLAIN.format(rows=self._rows)
        found = self._run(_KINDS, f"SELECT * EXCLUDE (ended) FROM memory.main.{self._name}_kinds ORDER BY kind")
        return [RowKind(*row) for row in found]

    def place(self, dialogs: Sequence[int]) -> list[array[int]]:
        """`dialogs` has the number of the dialog of each kind, counted from 0 without a gap. Returns the places of each
        one's rows; the last one is that of its end, when it is ended."""
        self._fill("dialogs", list(enumerate(dialogs)))
        all_places = _ALL.format(name=self._name)
        return self._lists(_PLACES, f"SELECT list(position ORDER BY position) FROM ({all_places})")

    def bodies(self, types: Mapping[int, int]) -> Iterator[list[tuple[int, bytes]]]:
        """After `place`: the bodies of some kinds that are not empty, in pieces, each with the
        number that `types` has for its kind."""
        self._fill("checks", list(types.items()))
        connection = self._connect()
        try:
            for table, first, _ in self._tables:
                result = connection.execute(_BODIES.format(name=self._name, table=table, first=first))
                while found := result.fetchmany(_CHUNK):
                    yield found
        except (duckdb.Error, OSError) as error:
            raise self._sql_error(error) from None
        finally:
            connection.close()

    def number(self, rows: BulkRows) -> list[array[int]] | None:
        """Make the messages, all but their bodies. Returns the places of each dialog's rows among those of its queue,
        None when there is one queue only: they are those of `place`."""
        self._fill("targets", rows.targets)
        self._fill("types", rows.types)
        self._fill("queues", list(rows.first_orders.items()))
        has_orders = len(rows.first_orders) > 1
        places = (
            self._lists(_ORDERS, "SELECT list(place ORDER BY position) FROM memory.main.{name}_orders")
            if has_orders
            else None
        )
        more = {
            "name": self._name,
            "place": "o.place" if has_orders else "p.position",
            "join": f"JOIN memory.main.{self._name}_orders o ON o.position = p.position" if has_orders else "",
        }
        values = {"first_key": rows.first_key, "message_id": str(rows.message_id.int & ~_COUNTED)}

        def make(connection: duckdb.DuckDBPyConnection) -> None:
            for _, first, last in self._tables:
                connection.execute(_MESSAGES.format(first=first, last=last, **more), values)
                name = f"memory.main.{self._name}_messages_{first}"
                query = f"SELECT count(*), bool_and(row = {first} + rowid) FROM {name}"
                assert connection.execute(query).fetchall() == [(last - first + 1, True)], "a row is not at its place"

        self._with_connection(make)
        return places

    def insert(self, connection: duckdb.DuckDBPyConnection, rows: BulkRows) -> None:
        """In a transaction of the store, after `number`: the rows as messages. Raises what DuckDB raises."""
        for table, first, _ in self._tables:
            connection.execute(_INSERT.format(table=table, first=first, name=self._name), [rows.enqueue_time])

    def drop(self) -> None:
        """Its own tables go; what was staged stays."""
        parts = [*_PARTS, *(f"messages_{first}" for _, first, _ in self._tables)]
        with suppress(SqlError):
            self._run("", "; ".join(f"DROP TABLE IF EXISTS memory.main.{self._name}_{part}" for part in parts))

    def _lists(self, make: str, query: str) -> list[array[int]]:
        """The lists of a query, by dialog."""
        found = self._run(make, f"{query.format(name=self._name)} GROUP BY dialog ORDER BY dialog")
        return [array("q", places) for (places,) in found]

    def _fill(self, part: str, rows: Sequence[tuple[Any, ...]]) -> None:
        def fill(connection: duckdb.DuckDBPyConnection) -> None:
            table = f"memory.main.{self._name}_{part}"
            connection.execute(f"CREATE TABLE {table} ({_TABLES[part]})")
            with connection.appender(table) as appender:
                appender.append_rows(rows)

        self._with_connection(fill)

    def _run(self, make: str, query: str) -> list[Any]:
        def run(connection: duckdb.DuckDBPyConnection) -> list[Any]:
            if make:
                all_places = _ALL.format(name=self._name)
                connection.execute(make.format(name=self._name, rows=self._rows, all=all_places))
            rows: list[Any] = connection.execute(query).fetchall()
            return rows

        found: list[Any] = self._with_connection(run)
        return found

    def _with_connection(self, work: Callable[[duckdb.DuckDBPyConnection], Any]) -> Any:
        connection = self._connect()
        try:
            return self._port.call("write", work, connection)
        except (duckdb.Error, OSError) as error:
            raise self._sql_error(error) from None
        finally:
            connection.close()
