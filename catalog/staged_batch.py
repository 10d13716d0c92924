"""A batch of staged rows on its way into the message table, without a Python object a message.

    kinds -> place -> number -> insert

Decides how rows are told apart (what they say of their dialog and message type), which place each has in the batch and on its dialog, and the
rows of the message table that become of them. Everything but the last step works on tables in memory, so that only `insert` needs a
transaction of the store. It must not know what a dialog is allowed to carry: it is told where each goes.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.store_port import StorePort
from sbql.grammar.errors import SqlError

__all__ = ["BulkRows", "BulkTarget", "BulkType", "RowKind", "StagedBatch"]


class RowKind(Struct, frozen=True):
    """The rows that say the same of their dialog and message type: `count` of them, the first one at place `first` of the batch.
    `largest` is the length of their longest body, `ends` whether one of them ends its dialog."""

    number: int
    conversation_handle: str | None
    conversation_key: str | None
    message_type_name: str | None
    count: int
    first: int
    largest: int
    ends: bool


BulkTarget = tuple[int, int, int, int, UUID, int, int, int]
"""dialog, queue_id, database_id, priority, conversation_handle, service_id, contract_id, number of its first message."""

BulkType = tuple[int, int, str, str]
"""kind, id, name and validation of its message type."""


class BulkRows(Struct, frozen=True):
    """What the rows of a batch become: `targets` has the dialogs, `types` the kinds of rows. Keys count on from `first_key`, queuing orders of
    each queue from `first_orders`, so many as `counts` says; `message_id` is that of the first, the others count on from it."""

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


_ROWS: Final = "SELECT rowid + {first} AS position, * FROM memory.main.{table}"

_KINDS: Final = """
CREATE TABLE memory.main.{name}_kinds AS
SELECT row_number() OVER (ORDER BY first) - 1 AS kind, * FROM (
    SELECT conversation_handle, conversation_key, message_type_name, count(*) AS count, min(position) AS first,
        coalesce(max(octet_length(message_body)), 0) AS largest, coalesce(bool_or(end_conversation), false) AS ends
    FROM ({rows}) GROUP BY ALL)
"""

_PLACES: Final = """
CREATE TABLE memory.main.{name}_places AS
SELECT position, kind, dialog, row_number() OVER (PARTITION BY dialog ORDER BY position) - 1 AS sequence
FROM (SELECT r.position, k.kind, d.dialog FROM ({rows}) r
    JOIN memory.main.{name}_kinds k ON k.conversation_handle IS NOT DISTINCT FROM r.conversation_handle
        AND k.conversation_key IS NOT DISTINCT FROM r.conversation_key AND k.message_type_name IS NOT DISTINCT FROM r.message_type_name
    JOIN memory.main.{name}_dialogs d ON d.kind = k.kind)
ORDER BY position
"""
"""The place of each row in the batch, and among the messages of its dialog."""

_ORDERS: Final = """
CREATE TABLE memory.main.{name}_orders AS
SELECT p.position, p.dialog, row_number() OVER (PARTITION BY t.queue_id ORDER BY p.position) - 1 AS place
FROM memory.main.{name}_places p JOIN memory.main.{name}_targets t USING (dialog)
"""
"""The place of each row among those of its queue: its place in the batch when there is one queue only."""

_MESSAGES: Final = """
CREATE TABLE memory.main.{name}_messages_{first} AS
SELECT $first_key + p.position AS message_key, t.queue_id, t.database_id, t.priority, q.first_order + {place} AS queuing_order,
    t.conversation_handle, t.first_sequence + p.sequence AS sequence, t.service_id, t.contract_id, k.id, k.name, k.validation,
    CAST(CAST($message_id AS UHUGEINT) + CAST(p.position AS UHUGEINT) AS UUID) AS message_id
FROM memory.main.{name}_places p {join}
    JOIN memory.main.{name}_targets t ON t.dialog = p.dialog
    JOIN memory.main.{name}_queues q ON q.queue_id = t.queue_id
    JOIN memory.main.{name}_types k ON k.kind = p.kind
WHERE p.position BETWEEN {first} AND {last}
ORDER BY p.position
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
}
_PARTS: Final = ("kinds", "places", "orders", *_TABLES)
_COUNTED: Final = (1 << 40) - 1
"""The bits of a message id that count."""


class StagedBatch:
    """The rows of some staged tables, one table after the other: `tables` has the name and the length of each. `name` is for its own tables.
    Every method raises SqlError."""

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
        for table, count in tables:
            if count:
                self._tables.append((table, self.count, self.count + count - 1))
            self.count += count
        self._rows = " UNION ALL ".join(_ROWS.format(first=first, table=table) for table, first, _ in self._tables)

    def kinds(self) -> list[RowKind]:
        """The kinds of its rows, in the order in which they come first."""
        found = self._run(_KINDS, f"SELECT * FROM memory.main.{self._name}_kinds ORDER BY kind")
        return [RowKind(*row) for row in found]

    def place(self, dialogs: Sequence[int]) -> list[array[int]]:
        """`dialogs` has the number of the dialog of each kind, counted from 0 without a gap. Returns the places of each one's rows."""
        self._fill("dialogs", list(enumerate(dialogs)))
        return self._lists(_PLACES, "SELECT list(position ORDER BY position) FROM memory.main.{name}_places")

    def number(self, rows: BulkRows) -> list[array[int]] | None:
        """Make the messages, all but their bodies. Returns the places of each dialog's rows among those of its queue, None when there is one queue
        only: they are those of `place`."""
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
                query = f"SELECT count(*), bool_and(message_key = {rows.first_key + first} + rowid) FROM {name}"
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
                connection.execute(make.format(name=self._name, rows=self._rows))
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
