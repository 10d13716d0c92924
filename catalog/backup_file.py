"""Backup files: one database's part of the store, copied into a DuckDB file of its own.

Decides what such a file holds. It has numbered backup sets, 1 first. Each set is complete, whatever BACKUP called it:

- its header in `sbql.backup_sets`
- its catalog records in `sbql.objects`
- its rows of the broker tables in `sbql.<table>`, the set's number first
- its user tables in DuckDB schemas `<number>.<schema>`.

A detached database is such a file with one set. It must not know statements, nor what becomes of a copy
when it is brought back.

    number = write_set(store, "shop.bak", header, is_new=True)
    with open_set(store, "shop.bak", number) as backup:
        backup.records, backup.endpoints … ; backup.select(table)
"""

from __future__ import annotations

import itertools
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import msgspec
from msgspec import Struct

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.bootstrap import storage_schema
from sbql.catalog.broker_tables import BROKER_TABLES, record_of
from sbql.catalog.duck_types import quote, quote_literal
from sbql.catalog.duckdb_errors import first_line, is_no_database, open_error, to_sql_error
from sbql.catalog.first_row import first_row
from sbql.catalog.object_codec import decode_object
from sbql.catalog.records.broker import (
    ConversationEndpoint,
    ConversationGroup,
    MonologMember,
    MonologMessage,
    QueuedMessage,
    TransmissionMessage,
)
from sbql.catalog.records.objects import CatalogRecord, Database, Schema
from sbql.grammar.errors import SqlError, sql_error

if TYPE_CHECKING:
    from sbql.catalog.store import Store

__all__ = ["BackupSet", "Header", "open_set", "parts", "read_headers", "write_set"]

BACKUP_FORMAT: Final = 2
"""That of the tables in it: see store.FORMAT_VERSION."""

_UNREADABLE: Final = (duckdb.Error, OSError, ValueError, StopIteration)
"""What reading a damaged file raises; the last two where damage has become other records."""
_KEPT: Final = tuple(BROKER_TABLES)
_TOGETHER: Final = 122_880
"""Rows of a row group: to read fewer of them alone is no use."""
_names: Final = itertools.count(1)
_mutex: Final = threading.Lock()
"""DuckDB attaches a file once: one statement at a time works with backup files."""


def _nobody(done: int, of: int) -> None:
    """Hears it."""


class Header(msgspec.Struct, frozen=True, kw_only=True):
    """The header of a backup set: what RESTORE HEADERONLY shows. `kind`: D full, I differential, L log, F detached."""

    position: int = 0
    kind: str = "D"
    name: str | None = None
    description: str | None = None
    database_name: str
    service_broker_guid: str
    family: str
    recovery_model: str
    database_create_date: float
    start: float
    finish: float
    server_name: str
    user_name: str
    is_copy_only: bool = False
    logical_name: str = ""
    file_name: str = ""


class BackupSet(Struct):
    """An opened set. `tables` are the user tables as (DuckDB schema that they had, name, places for rows)."""

    header: Header
    database: Database
    records: list[CatalogRecord]
    endpoints: list[ConversationEndpoint]
    groups: list[ConversationGroup]
    messages: list[QueuedMessage]
    transmissions: list[TransmissionMessage]
    members: list[MonologMember]
    retained: list[MonologMessage]
    tables: list[tuple[str, str, int]]
    alias: str

    def source(self, schema: str, table: str) -> str:
        """The DuckDB name of a user table in the file, while the set is open."""
        return f"{self.alias}.{quote(f'{self.header.position}.{schema}')}.{quote(table)}"


def write_set(
    store: Store,
    path: str,
    header: Header,
    database_id: int,
    *,
    is_new: bool,
    hear: Callable[[int, int], None] = _nobody,
) -> Header:
    """Append a set to the file, or begin the file anew. Returns the header with its position. `hear` is told how many
    rows of how many are written, and may raise what it likes.

    Raises 3201 when the file cannot be written or is the store itself, 3241 when it is something else than a backup
    file.
    """
    target = f"{path}.new" if is_new else path
    if store.path is not None and os.path.exists(path) and os.path.samefile(path, store.path):
        raise sql_error(
            3201, path, "32(The process cannot access the file because it is being used by another process.)"
        )
    with _mutex:
        if is_new:
            _remove(target)
        elif os.path.exists(path):
            _headers_of(store, path)  # is it one?
        try:
            written = store.port.call("backup", _write, store, target, path, header, database_id, hear)
            if is_new:
                store.port.call("backup", os.replace, target, path)
        except duckdb.Error as error:
            raise _write_error(path, error) from None
        except OSError as error:
            raise sql_error(3201, path, f"{error.errno}({error.strerror})") from None
        finally:
            if is_new:
                _remove(target)
    return written


def _write(
    store: Store, target: str, path: str, header: Header, database_id: int, hear: Callable[[int, int], None]
) -> Header:
    with store.scratch() as connection, _attached(connection, target, path) as alias:
        store.begin_frozen(connection)
        try:
            if not _has_sets(connection, alias):
                _create(connection, alias)
            last = first_row(connection, f"SELECT coalesce(max(position), 0) FROM {alias}.sbql.backup_sets")
            header = msgspec.structs.replace(header, position=(last[0] if last else 0) + 1)
            _copy(connection, alias, header, database_id, hear)
            connection.commit()
        except duckdb.Error as error:
            raise _write_error(path, error) from None
        connection.execute(f"CHECKPOINT {alias}")
    return header


def _write_error(path: str, error: duckdb.Error) -> SqlError:
    """3202 where the disk of the backup file is full or fails: the store itself is well."""
    known = to_sql_error(error)
    if known.number not in (823, 1105):
        return known
    reason = (
        "112(There is not enough space on the disk.)" if known.number == 1105 else f"1117({str(error).splitlines()[0]})"
    )
    return sql_error(3202, path, reason)


def _create(connection: duckdb.DuckDBPyConnection, alias: str) -> None:
    connection.execute(f"CREATE SCHEMA {alias}.sbql")
    connection.execute(f"CREATE TABLE {alias}.sbql.meta (key VARCHAR, value VARCHAR)")
    connection.execute(f"INSERT INTO {alias}.sbql.meta VALUES ('backup_format', '{BACKUP_FORMAT}')")
    connection.execute(f"CREATE TABLE {alias}.sbql.backup_sets (position INTEGER, header VARCHAR)")
    for table in ("objects", *BROKER_TABLES):
        connection.execute(
            f"CREATE TABLE {alias}.sbql.{table} AS SELECT 0 AS position, * FROM sbql.{table} WHERE false"
        )


def _copy(
    connection: duckdb.DuckDBPyConnection,
    alias: str,
    header: Header,
    database_id: int,
    hear: Callable[[int, int], None],
) -> None:
    position = header.position
    text = msgspec.json.encode(header).decode()
    connection.execute(f"INSERT INTO {alias}.sbql.backup_sets VALUES (?, ?)", [position, text])
    own = "database_id = ? OR (class = 'Database' AND id = ?)"
    connection.execute(
        f"INSERT INTO {alias}.sbql.objects SELECT {position}, * FROM sbql.objects WHERE {own}",
        [database_id, database_id],
    )
    for table in BROKER_TABLES:
        connection.execute(
            f"INSERT INTO {alias}.sbql.{table} SELECT {position}, * FROM sbql.{table} WHERE database_id = ?",
            [database_id],
        )
    tables = [
        (f"{alias}.{quote(f'{position}.{schema}')}", quote(table), f"{quote(schema)}.{quote(table)}")
        for schema, table in _user_tables(connection, database_id)
    ]
    sizes = [_places(connection, source) for _, _, source in tables]
    done = 0
    for (inside, table, source), size in zip(tables, sizes, strict=True):
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {inside}")
        connection.execute(f"CREATE TABLE {inside}.{table} AS FROM {source} LIMIT 0")
        for part, count in parts(source, size):
            connection.execute(f"INSERT INTO {inside}.{table} {part}")
            done += count
            hear(done, sum(sizes))


def _places(connection: duckdb.DuckDBPyConnection, table: str) -> int:
    """The rows that a table has room for: as many as there are, and those that were
    deleted and are still in the file."""
    row = first_row(connection, f"SELECT coalesce(max(rowid) + 1, 0) FROM {table}")
    return int(row[0]) if row else 0


def parts(table: str, places: int) -> Iterator[tuple[str, int]]:
    """Queries that together read a table, in the order of its rows, and how many places for rows each takes: a tenth of
    all, or what DuckDB keeps together."""
    size = max(-(-places // 10 // _TOGETHER) * _TOGETHER, _TOGETHER)
    for first in range(0, places, size):
        yield f"FROM {table} WHERE rowid >= {first} AND rowid < {first + size}", min(size, places - first)


def _user_tables(connection: duckdb.DuckDBPyConnection, database_id: int) -> list[tuple[str, str]]:
    """(DuckDB schema, table) of every user table of a database, what sequences keep included."""
    own = "class IN ('Database', 'Schema') AND (database_id = ? OR id = ?)"
    rows = connection.execute(f"SELECT record FROM sbql.objects WHERE {own}", [database_id, database_id]).fetchall()
    records = [decode_object(text) for (text,) in rows]
    database = next(r for r in records if isinstance(r, Database) and r.id == database_id)
    schemas = [r for r in records if isinstance(r, Schema) and r.database_id == database_id]
    wanted = {storage_schema(database.storage_name, schema.name) for schema in schemas}
    found = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = current_database() ORDER BY ALL"
    ).fetchall()
    return [(schema, table) for schema, table in found if schema in wanted]


def read_headers(store: Store, path: str) -> list[Header]:
    """The headers of all sets, in order. Raises 3201 for a file that cannot be opened, 3241 for one that is no backup,
    3203 for one that is damaged there."""
    with _mutex:
        return _headers_of(store, path)


def _headers_of(store: Store, path: str) -> list[Header]:
    try:
        return store.port.call("backup", _headers, store, path)
    except _UNREADABLE as error:
        raise _read_error(path, error) from None


def _read_error(path: str, error: BaseException) -> SqlError:
    """Of what was found in the file. An interrupt is none of its faults."""
    if isinstance(error, duckdb.InterruptException):
        return to_sql_error(error)
    return sql_error(3203, path, f"23({first_line(error)})")


def _headers(store: Store, path: str) -> list[Header]:
    with store.scratch() as connection, _attached(connection, path, path, read_only=True) as alias:
        return _read_headers(connection, alias, path)


def _read_headers(connection: duckdb.DuckDBPyConnection, alias: str, path: str) -> list[Header]:
    if not _has_sets(connection, alias):
        raise sql_error(3241, path)
    found = first_row(connection, f"SELECT value FROM {alias}.sbql.meta WHERE key = 'backup_format'")
    if found is None or int(found[0]) != BACKUP_FORMAT:
        raise sql_error(3241, path)
    rows = connection.execute(f"SELECT header FROM {alias}.sbql.backup_sets ORDER BY position").fetchall()
    return [msgspec.json.decode(text, type=Header) for (text,) in rows]


@contextmanager
def open_set(store: Store, path: str, position: int) -> Iterator[BackupSet]:
    """A set of the file, attached to the store as long as the context lasts. All of it was read then, and is as it was
    written. Raises 3201, 3241, 3203 for a set that cannot be read, and 4038 for one that is not there."""
    with _mutex, store.scratch() as connection, _attached(connection, path, path, read_only=True) as alias:
        try:
            header = next((h for h in _read_headers(connection, alias, path) if h.position == position), None)
            if header is None:
                raise sql_error(4038, position, path)
            found = store.port.call("backup", _load, connection, alias, header)
        except _UNREADABLE as error:
            raise _read_error(path, error) from None
        yield found


def _load(connection: duckdb.DuckDBPyConnection, alias: str, header: Header) -> BackupSet:
    position = header.position
    rows = connection.execute(f"SELECT record FROM {alias}.sbql.objects WHERE position = ?", [position]).fetchall()
    records = [decode_object(text) for (text,) in rows]
    database = next(r for r in records if isinstance(r, Database))
    loaded: dict[str, list[Any]] = {}
    for table in _KEPT:
        record, _ = BROKER_TABLES[table]
        query = f"SELECT * EXCLUDE (position) FROM {alias}.sbql.{table} WHERE position = ?"
        loaded[table] = [record_of(record, row) for row in connection.execute(query, [position]).fetchall()]
    head = f"{position}."
    tables: list[tuple[str, str]] = connection.execute(
        "SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ? AND starts_with(schema_name, ?) ORDER BY ALL",
        [alias, head],
    ).fetchall()
    for schema, table in tables:
        _read_through(connection, f"{alias}.{quote(schema)}.{quote(table)}")
    return BackupSet(
        header,
        database,
        [r for r in records if r is not database],
        loaded["conversation_endpoints"],
        loaded["conversation_groups"],
        loaded["messages"],
        loaded["transmission_queue"],
        loaded["monolog_members"],
        loaded["monolog_messages"],
        [
            (schema.removeprefix(head), table, _places(connection, f"{alias}.{quote(schema)}.{quote(table)}"))
            for schema, table in tables
        ],
        alias,
    )


def _read_through(connection: duckdb.DuckDBPyConnection, table: str) -> None:
    """Have DuckDB read each block of a table: it finds those whose checksum is wrong. Raises its error."""
    for part, _ in parts(table, _places(connection, table)):
        connection.execute(f"SELECT bit_xor(hash(*COLUMNS(*))) {part}").fetchall()


@contextmanager
def _attached(connection: duckdb.DuckDBPyConnection, file: str, path: str, *, read_only: bool = False) -> Iterator[str]:
    """The file under a name of its own. Raises 3201 when it is not there or cannot be opened, 3241 when it is no DuckDB
    file, or one whose head is damaged."""
    if os.path.isdir(file):
        raise sql_error(3201, path, "5(Access is denied: it is a folder.)")
    if not os.path.isdir(os.path.dirname(file) or "."):
        raise sql_error(3201, path, "3(The system cannot find the path specified.)")
    if read_only and not os.path.isfile(file):
        raise sql_error(3201, path, "2(The system cannot find the file specified.)")
    alias = f"sbql_backup_{next(_names)}"
    try:
        connection.execute(f"ATTACH {quote_literal(file)} AS {alias}{' (READ_ONLY)' if read_only else ''}")
    except duckdb.Error as error:
        if is_no_database(error) or open_error(error, path).number == 5172:
            raise sql_error(3241, path) from None
        raise sql_error(3201, path, f"5({first_line(error)})") from None
    try:
        yield alias
    finally:
        with suppress(duckdb.Error):  # an interrupted query may leave a transaction behind
            connection.rollback()
        with suppress(duckdb.Error):  # a full disk: the connection is closed next
            connection.execute(f"DETACH {alias}")


def _has_sets(connection: duckdb.DuckDBPyConnection, alias: str) -> bool:
    found = (
        "SELECT 1 FROM duckdb_tables() WHERE database_name = ? AND schema_name = 'sbql' AND table_name = 'backup_sets'"
    )
    return first_row(connection, found, [alias]) is not None


def _remove(path: str) -> None:
    for name in (path, f"{path}.wal"):
        with suppress(OSError):
            os.remove(name)
