"""Conversation endpoints that stay in their table while nobody asks for them: of each a few
numbers, by which it is found there.

Decides how they are counted, numbered and read, all at once in DuckDB, where a record for each of two million would
take half a minute. Must not know which of them somebody has taken into memory meanwhile: what the table says of such a
one is old. The others stand there unchanged as long as the store is open, but not always in the same place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Final
from uuid import UUID

from msgspec import Struct

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.first_row import first_row
from sbql.catalog.records.broker import ConversationEndpoint, ConversationGroup

__all__ = ["AtRest", "EndpointRows", "UnreadEndpoints", "guid_key", "stored_endpoints"]

_MASK: Final = (1 << 63) - 1
_ODD: Final = 0x9E3779B97F4A7C15
_KEY: Final = f"(xor(xor({{0}}::UHUGEINT >> 64, {{0}}::UHUGEINT), ({{1}})::UHUGEINT * {_ODD}) & {_MASK})::BIGINT"
"""`guid_key` in SQL."""
_HANDLE_KEY: Final = _KEY.format("e.conversation_handle", "e.database_id")
_GROUP_KEY: Final = _KEY.format("e.conversation_group_id", "e.database_id")

_PART: Final = 2_048
_FEW: Final = 4
"""So many rows are read one by one, a millisecond each; more with one look at the whole table."""

_AWAKE: Final = """
CREATE OR REPLACE TEMP TABLE awake_groups AS
SELECT conversation_group_id, database_id FROM sbql.conversation_endpoints WHERE {never}
UNION SELECT conversation_group_id, database_id FROM sbql.conversation_groups WHERE is_system
UNION SELECT e.conversation_group_id, e.database_id FROM sbql.conversation_endpoints e SEMI JOIN (
    SELECT conversation_handle, database_id FROM sbql.messages WHERE NOT ({ready})
    UNION SELECT conversation_handle, database_id FROM sbql.transmission_queue
    UNION SELECT conversation_handle, database_id FROM sbql.monolog_members
    UNION SELECT conversation_handle, database_id FROM sbql.monolog_messages) w
  ON w.conversation_handle = e.conversation_handle AND w.database_id = e.database_id
"""
_IS_AWAKE: Final = "JOIN temp.main.awake_groups a ON a.conversation_group_id = e.conversation_group_id AND a.database_id = e.database_id"
_NUMBERS: Final = f"""
SELECT e.rowid AS place, {_HANDLE_KEY} AS handle, {_KEY.format("e.conversation_id", "e.database_id * 2 + e.is_initiator::INTEGER")} AS side,
    {_GROUP_KEY} AS grp, ({{due}})::DOUBLE AS due, e.state = 'CD' AS closed
FROM sbql.conversation_endpoints e ANTI {_IS_AWAKE}
"""

Array = Any
"""Of numpy, which is loaded when there is one."""


def guid_key(guid: UUID, salt: int) -> int:
    """A number for a GUID and its database: GUIDs that follow one another differ anywhere in it, and copies
    of a database have the same ones."""
    value = guid.int
    return (value >> 64 ^ value ^ salt * _ODD) & _MASK


class AtRest(Struct, frozen=True):
    """Which endpoints may stay in their table when there are more than `most`, in SQL over its columns: none of which
    `never` is true. `due` is when something is to be done for one."""

    most: int
    never: str
    due: str


class EndpointRows:
    """Reads rows of the table. `call` makes a call that reads, and raises SqlError when it fails; `connection` is this
    object's alone, `scratch` gives others."""

    def __init__(
        self,
        call: Callable[..., Any],
        connection: duckdb.DuckDBPyConnection,
        scratch: Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]],
    ) -> None:
        self._call, self._connection, self._scratch = call, connection, scratch

    def at(self, places: Sequence[int]) -> list[ConversationEndpoint]:
        """What stands in these places now, in any order."""
        return [ConversationEndpoint(*row) for row in self._call(_rows_at, self._connection, places)]

    def places(self) -> tuple[Array, Array]:
        """The keys of all handles, and their places now."""
        text = f"SELECT {_HANDLE_KEY} AS handle, e.rowid AS place FROM sbql.conversation_endpoints e"
        found = self._call(lambda: self._connection.execute(text).fetchnumpy())
        return found["handle"], found["place"]

    def some(
        self, database_id: int | None = None, service_id: int | None = None, contract_id: int | None = None
    ) -> Iterator[list[ConversationEndpoint]]:
        """Those of a database, a service, a contract where they are given, in parts."""
        conditions = " AND ".join(f"(${n} IS NULL OR {name} = ${n})" for n, name in enumerate(_NAMES, 1))
        text = f"SELECT * FROM sbql.conversation_endpoints WHERE {conditions}"
        with self._scratch() as connection:
            found = self._call(connection.execute, text, [database_id, service_id, contract_id])
            while part := self._call(found.fetchmany, _PART):
                yield [ConversationEndpoint(*row) for row in part]


_NAMES: Final = ("database_id", "service_id", "contract_id")


def _rows_at(connection: duckdb.DuckDBPyConnection, places: Sequence[int]) -> Sequence[tuple[Any, ...]]:
    one = "SELECT * FROM sbql.conversation_endpoints WHERE rowid = ?"
    if len(places) <= _FEW:
        found = connection.execute(" UNION ALL ".join([one] * len(places)), list(places))
    else:
        many = "SELECT e.* FROM sbql.conversation_endpoints e SEMI JOIN (SELECT unnest(?::BIGINT[]) AS place) w ON w.place = e.rowid"
        found = connection.execute(many, [list(places)])
    rows: list[tuple[Any, ...]] = found.fetchall()
    return rows


class UnreadEndpoints(Struct):
    """Endpoints that have not come as records: an element of each array is of the same one."""

    rows: EndpointRows
    services: list[tuple[int, int]]
    """Database and id of all that there are."""
    place: Array
    """Where it stood in the table."""
    handle: Array
    """`guid_key` of handle and database,"""
    side: Array
    """of conversation and twice the database, and one for the initiator,"""
    grp: Array
    """of group and database."""
    due: Array
    closed: Array


class FoundEndpoints(Struct):
    """Endpoints and groups as records, where each of the endpoints stands, and those that are not among them."""

    endpoints: list[ConversationEndpoint]
    places: list[int]
    groups: list[ConversationGroup]
    unread: UnreadEndpoints | None = None


def stored_endpoints(
    connection: duckdb.DuckDBPyConnection, rows: EndpointRows, at_rest: AtRest | None, unread_messages: str | None
) -> FoundEndpoints:
    """All of them as records, or, of more than `at_rest` says, whole groups of which somebody has to look after one;
    for `unread_messages`, SQL over the columns of messages, nobody has to."""
    (count,) = first_row(connection, "SELECT count(*) FROM sbql.conversation_endpoints") or (0,)
    if at_rest is None or count <= at_rest.most:
        return _records(connection, "")
    connection.execute(_AWAKE.format(never=at_rest.never, ready=unread_messages or "false"))
    try:
        found = _records(connection, f"SEMI {_IS_AWAKE}")
        numbers = connection.execute(_NUMBERS.format(due=at_rest.due)).fetchnumpy()
    finally:
        connection.execute("DROP TABLE temp.main.awake_groups")
    services = connection.execute("SELECT DISTINCT database_id, service_id FROM sbql.conversation_groups").fetchall()
    found.unread = UnreadEndpoints(rows, services, **numbers)
    return found


def _records(connection: duckdb.DuckDBPyConnection, which: str) -> FoundEndpoints:
    result = connection.execute(f"SELECT e.rowid, e.* FROM sbql.conversation_endpoints e {which}")
    endpoints, places = [], []
    while part := result.fetchmany(_PART):  # the tuples of a million would be gigabytes
        endpoints += [ConversationEndpoint(*row) for _, *row in part]
        places += [row[0] for row in part]
    result = connection.execute(f"SELECT e.* FROM sbql.conversation_groups e {which}")
    return FoundEndpoints(endpoints, places, [ConversationGroup(*row) for row in result.fetchall()])
