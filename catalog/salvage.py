"""Salvage: what can still be read of a damaged store, in a new one, and a list of what cannot.

It decides what counts as lost: rows whose block cannot be read, commits that stand in the log behind a damaged one, and
messages and conversations of which the other half is gone. The damaged file is only read; the work is done on a copy.
It must not know what the saved objects mean.
"""

from __future__ import annotations

import itertools
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from msgspec import Struct, field

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.broker_log import forget_log, salvaged_records
from sbql.catalog.duck_types import quote, quote_literal
from sbql.catalog.duckdb_errors import is_damage, open_error, unreadable
from sbql.catalog.first_row import first_row
from sbql.catalog.fold import fold_once
from sbql.catalog.new_store import ALIAS, making
from sbql.catalog.store_file import log_of, logs_elsewhere, prepare
from sbql.catalog.write_ahead_log import bad_place, cut, find_tear, has_lost_its_head
from sbql.grammar.errors import SqlError

__all__ = ["salvage"]

_SOURCE: Final = "damaged"
_SMALLEST: Final = 2048
"""Rows that DuckDB reads at once: it is no use to ask for fewer."""

_ORPHANS: Final = (
    ("conversation_endpoints", "conversations without their group",
     "NOT EXISTS (FROM sbql.conversation_groups g WHERE g.conversation_group_id = t.conversation_group_id AND g.database_id = t.database_id)"),
    ("deliveries", "ranges of consumers that are gone", "NOT EXISTS (FROM sbql.consumers c WHERE c.log_id = t.log_id)"),
    ("messages", "messages of conversations that are gone",
     "t.message_key NOT IN (SELECT message_key FROM main.held_messages) AND NOT EXISTS (FROM sbql.conversation_endpoints e WHERE e.conversation_handle = t.conversation_handle AND e.database_id = t.database_id)"),
    ("transmission_queue", "messages to be sent of conversations that are gone",
     "NOT EXISTS (FROM sbql.conversation_endpoints e WHERE e.conversation_handle = t.conversation_handle AND e.database_id = t.database_id)"),
    ("monolog_members", "monolog members whose conversations are gone",
     "NOT EXISTS (FROM sbql.conversation_endpoints e WHERE e.conversation_handle = t.conversation_handle AND e.database_id = t.database_id)"),
    ("monolog_messages", "retained messages of monologs that are gone",
     "NOT EXISTS (FROM sbql.conversation_endpoints e WHERE e.conversation_handle = t.conversation_handle AND e.database_id = t.database_id)"),
)  # fmt: skip
"""Table, what its rows are called when the other half is gone, how that is seen."""


class Salvaged(Struct):
    """The new store, how many rows are in it, and each loss as a sentence."""

    path: str
    rows: int = 0
    tables: int = 0
    losses: list[str] = field(default_factory=list)


def salvaged_name(path: str) -> str:
    """Where the new store goes: `shop.salvaged.duckdb` beside `shop.duckdb`, or with a number when that is there."""
    stem, suffix = os.path.splitext(path)
    names = itertools.chain([f"{stem}.salvaged{suffix}"], (f"{stem}.salvaged-{n}{suffix}" for n in itertools.count(2)))
    return next(name for name in names if not os.path.exists(name))


def salvage(path: str, hear: Callable[[str, int, int], None] = lambda table, done, of: None) -> Salvaged:
    """Save what can be read of the store at `path`. `hear` is told of each table, and how many rows of how many stand
    before it. Raises SqlError when it is in use, no store, or nothing can be read."""
    if not os.path.isfile(path):
        raise open_error(OSError("no such file"), path)
    result = Salvaged(salvaged_name(path))
    file = os.path.realpath(path)  # the log stands beside the file that a link means
    log = f"{file}.wal"
    try:
        with _work_folder(f"{file}.salvage.tmp") as folder, duckdb.connect(":memory:") as connection:
            if not os.path.exists(log):
                log = _log_elsewhere(connection, folder, file) or log
            _attach(connection, folder, file, log, result)
            with making(connection, result.path):
                prepare(connection, result.path)
                tables, done = _tables(connection), 0
                for schema, table, count in tables:
                    hear(table, done, sum(rows for _, _, rows in tables))
                    _copy_table(connection, schema, table, count, result)
                    done += count
                _copy_log(connection, _log_beside(connection, file), result)
                fold_once(connection, 1 << 62)
                _drop_orphans(connection, result)
    except (duckdb.Error, OSError) as error:
        raise (unreadable(path, _reason(error)) if is_damage(error) else open_error(error, path)) from None
    return result


@contextmanager
def _work_folder(name: str) -> Iterator[Path]:
    folder = Path(name)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _log_elsewhere(connection: duckdb.DuckDBPyConnection, folder: Path, file: str) -> str | None:
    """The log when the file was last open by another name and its process was killed."""
    copy = str(folder / "name.duckdb")
    shutil.copyfile(file, copy)
    with suppress(duckdb.Error):  # what cannot be read is told when the store is attached
        connection.execute(f"ATTACH {quote_literal(copy)} AS {_SOURCE} (READ_ONLY)")
        try:
            return next((log for log in logs_elsewhere(connection, _SOURCE, file) if log.endswith(".wal")), None)
        finally:
            connection.execute(f"DETACH {_SOURCE}")
    return None


def _attach(
    connection: duckdb.DuckDBPyConnection, folder: Path, path: str, original_log: str, result: Salvaged
) -> None:
    """Attach a copy of the store at `path`, its log as far as it can be read."""
    copy = str(folder / "store.duckdb")
    log = f"{copy}.wal"
    shutil.copyfile(path, copy)
    if os.path.exists(original_log):
        shutil.copyfile(original_log, log)
    statement = f"ATTACH {quote_literal(copy)} AS {_SOURCE}"
    tear = has_lost_its_head(log)
    if tear is not None:
        result.losses.append(f"all {tear.size} bytes of the log {original_log}: its beginning cannot be read")
        os.remove(log)
    for _ in range(2):
        try:
            connection.execute(statement)
            break
        except duckdb.Error as error:
            place = bad_place(error)
            if place is not None and place[0] == log:
                tear = find_tear(*place)
                lost = f"the log {original_log} from byte {tear.place} on: {tear.size - tear.place} bytes"
                result.losses.append(f"{lost}, {tear.whole_after} whole entries behind the damaged one among them")
                cut(tear)
            elif "replaying wal" in str(error).lower() and os.path.exists(log):
                result.losses.append(f"all {os.path.getsize(log)} bytes of the log {original_log}: {_reason(error)}")
                os.remove(log)
            else:
                raise _beyond_help(path, error) from None
    else:
        connection.execute(statement)
    found = f"SELECT 1 FROM duckdb_tables() WHERE database_name = '{_SOURCE}' AND schema_name = 'sbql' AND table_name = 'objects'"
    try:
        is_store = connection.execute(found).fetchall()
    except duckdb.Error as error:
        raise _beyond_help(path, error) from None
    if not is_store:
        raise open_error(OSError("not a valid DuckDB database"), path)


def _log_beside(connection: duckdb.DuckDBPyConnection, path: str) -> str:
    """The broker's log, beside this name of the file or the one by which it was last open."""
    here = log_of(path)
    elsewhere = () if os.path.exists(here) else logs_elsewhere(connection, _SOURCE, path)
    return next((log for log in elsewhere if log.endswith(log_of(""))), here)


def _copy_log(connection: duckdb.DuckDBPyConnection, path: str, result: Salvaged) -> None:
    """The records of the broker's log go into the journal."""
    row = first_row(connection, "SELECT epoch, frame, place, lsn, is_open FROM sbql.broker_log")
    records, lost = salvaged_records(row, path)
    result.losses += lost
    if records:
        connection.executemany("INSERT INTO sbql.journal VALUES (?, ?)", records)
    forget_log(connection, ALIAS)


def _beyond_help(path: str, error: duckdb.Error) -> SqlError:
    """The list of the tables itself cannot be read."""
    return open_error(error, path) if "not a valid" in str(error) else unreadable(path, _reason(error))


def _tables(connection: duckdb.DuckDBPyConnection) -> list[tuple[str, str, int]]:
    """(schema, table, rows by the file's own count)."""
    found: list[tuple[str, str, int]] = connection.execute(
        f"SELECT schema_name, table_name, estimated_size FROM duckdb_tables() WHERE database_name = '{_SOURCE}' "
        "AND NOT (schema_name = 'sbql' AND table_name = 'meta') ORDER BY schema_name <> 'sbql', schema_name, table_name"
    ).fetchall()
    return found


def _copy_table(connection: duckdb.DuckDBPyConnection, schema: str, table: str, count: int, result: Salvaged) -> None:
    name = f"{quote(schema)}.{quote(table)}"
    result.tables += schema != "sbql"
    try:
        connection.execute(f"CREATE SCHEMA IF NOT EXISTS {quote(schema)}")
        connection.execute(f"CREATE TABLE IF NOT EXISTS {name} AS FROM {_SOURCE}.{name} LIMIT 0")
    except duckdb.Error as error:
        result.losses.append(f"table {name}, {count} rows: {_reason(error)}")
        return
    lost: list[tuple[int, int, str]] = []
    ranges = [(0, max(count, 1))]
    while ranges:
        first, end = ranges.pop()
        try:
            where = "" if (first, end) == (0, max(count, 1)) else f" WHERE rowid >= {first} AND rowid < {end}"
            done = connection.execute(f"INSERT INTO {name} BY NAME FROM {_SOURCE}.{name}{where}").fetchall()
            result.rows += done[0][0]
        except duckdb.Error as error:
            if end - first <= _SMALLEST:
                lost.append((first, end, _reason(error)))
                continue
            middle = first + max((end - first) // 2 // _SMALLEST, 1) * _SMALLEST
            ranges += [(middle, end), (first, middle)]
    for first, end, reason in _joined(lost):
        result.losses.append(f"table {name}, rows {first + 1} to {end} in the order of the file: {reason}")


def _joined(lost: list[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    joined: list[tuple[int, int, str]] = []
    for first, end, reason in sorted(lost):
        if joined and joined[-1][1] == first:
            joined[-1] = (joined[-1][0], end, joined[-1][2])
        else:
            joined.append((first, end, reason))
    return joined


def _drop_orphans(connection: duckdb.DuckDBPyConnection, result: Salvaged) -> None:
    for table, what, condition in _ORPHANS:
        ((count,),) = connection.execute(f"DELETE FROM sbql.{table} t WHERE {condition}").fetchall()
        if count:
            result.losses.append(f"{count} {what}")


def _reason(error: BaseException) -> str:
    return str(error).strip().splitlines()[0]
