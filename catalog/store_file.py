"""The file of a store: what is in a new one, what makes a file one that can be read, what is thrown away at the start.

Decides the format version. It must not know what is committed, folded or read later.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.bootstrap import FIRST_USER_ID, TEMPDB
from sbql.catalog.broker_tables import BROKER_TABLES
from sbql.catalog.checkpoint_room import NO_CHECKPOINTS
from sbql.catalog.duck_types import quote, quote_literal
from sbql.catalog.duckdb_errors import damaged, foreign_file, other_format
from sbql.catalog.file_header import bad_header, read_header, write_header
from sbql.catalog.first_row import first_row
from sbql.catalog.fold_deliveries import DELIVERY_TABLES
from sbql.catalog.new_store import ALIAS, is_there, making
from sbql.catalog.newer_log import refuse_newer_log
from sbql.catalog.write_ahead_log import bad_place, cut, find_tear, has_lost_its_head
from sbql.grammar.errors import SqlError

__all__ = [
    "ALIAS",
    "FORMAT_VERSION",
    "FORMAT_WITH_LOG",
    "attach",
    "create",
    "empty_tempdb",
    "engine_for",
    "log_of",
    "logs_elsewhere",
    "prepare",
    "store_files",
]

FORMAT_VERSION: Final = 2
"""2: time(7), datetime2(7) and datetimeoffset(7) in ticks of 100 ns (duck_types)."""
FORMAT_WITH_LOG: Final = 3
"""While a part of what is committed may stand in the broker's log beside the store (broker_log):
whoever knows no log must not open it."""

_OTHER_NAME: Final = (
    "The store '%s' was last open by its other name '%s', and what was committed since its last clean close stands in '%s'. Open it by "
    "that name."
)
_OTHER_PLACE: Final = (
    "The store '%s' was last open as '%s', and what was committed since its last clean close stands in '%s', which was left behind. "
    "Move that file to '%s' and open the store again."
)

_SCRIPTS: Final = Path(__file__).parent / "sql"
_parsed: dict[str, list[duckdb.Statement]] = {}
"""Of the scripts that were run; they belong to no connection."""


def log_of(path: str) -> str:
    """Where the broker's log of the store at `path` is."""
    return f"{path}.broker-log"


def store_files(path: str) -> tuple[str, str, str]:
    """The store, and what stands beside it while it is open."""
    return path, f"{path}.wal", log_of(path)


def spill_folder(path: str | Path | None) -> str:
    """Where a query that needs more memory than there is may write. DuckDB makes and removes it."""
    return f"{path}.tmp" if path is not None else str(Path(tempfile.gettempdir(), f"sbql-{os.getpid()}.tmp"))


def engine_for(path: str | None) -> duckdb.DuckDBPyConnection:
    """A DuckDB of its own, to which the file at `path` (None: a store in memory) will be attached."""
    config = {
        "threads": 1,  # see parallelism.py
        "scheduler_process_partial": True,  # a thread that is to go leaves its work where it is
        "autoinstall_known_extensions": False,
        "autoload_known_extensions": False,
        "temp_directory": spill_folder(path),
        # By them DuckDB 2.0.1 takes an outer join whose other side is empty for one without rows: EXISTS is false then,
        # LIMIT is lost, and sums are made as if they could not overflow. The setting is one for all sessions.
        "disabled_optimizers": "statistics_propagation",
        # Its threads for input and output wait for each other for ever when a COPY to a file is interrupted.
        "async_threads": 0,
        "wal_autocheckpoint": NO_CHECKPOINTS,
    }
    engine = duckdb.connect(":memory:", config=config)
    with contextlib.suppress(duckdb.Error):  # in Jupyter without ipywidgets there is none, and none can be turned off
        engine.execute("SET enable_progress_bar = false")  # it is on at the prompt of Python, and goes to its output
    return engine


def create(connection: duckdb.DuckDBPyConnection, path: str) -> list[str]:
    """Make the store's file if there is none. Returns what was done beside it, for the error log. Raises duckdb.Error,
    OSError."""
    if is_there(path):
        return []
    notices = []
    log = f"{path}.wal"
    if os.path.exists(log) and os.path.getsize(log):
        kept = cut(find_tear(log, 0))
        notices.append(f"The store '{path}' is new. The log of an older one of that name is kept in '{kept}'.")
    with making(connection, path):
        prepare(connection, path)
    return notices


def attach(connection: duckdb.DuckDBPyConnection, path: str) -> list[str]:
    """Attach the file. What DuckDB calls a damaged log and is only a torn end, the write of a commit that nobody
    was told of, is cut off and kept beside it. Returns what was done, for the error log. Raises duckdb.Error,
    OSError, and SqlError for real damage."""
    statement = f"ATTACH {quote_literal(path)} AS {ALIAS}"
    tear = has_lost_its_head(f"{path}.wal")
    if tear is None:
        try:
            connection.execute(statement)
        except duckdb.Error as error:
            header = bad_header(f"{path}.wal", error)
            if header is not None:
                return _attach_mended(connection, path, header, error)
            place = bad_place(error)
            if place is None:
                raise
            tear = find_tear(*place)
        else:
            return []
    if not tear.is_torn:
        raise damaged(
            path, f"its log is damaged from byte {tear.place} on, and {tear.whole_after} whole entries follow"
        )
    kept = cut(tear)
    connection.execute(statement)
    return [
        (
            f"The log of the store '{path}' was torn at byte {tear.place}, as a power failure leaves it: the last write, of "
            f"{tear.size - tear.place} bytes, belonged to no acknowledged commit. It was cut off and is kept in '{kept}'."
        )
    ]


def _attach_mended(connection: duckdb.DuckDBPyConnection, path: str, place: int, cause: duckdb.Error) -> list[str]:
    """The file with its other header twice, if that is the one to which its log belongs; else as it was. Returns and
    raises as `attach`, which met `cause`."""
    torn = read_header(path, place)
    write_header(path, place, read_header(path, place, other=True))
    try:
        notices = attach(connection, path)
    except duckdb.Error:
        write_header(path, place, torn)
        raise cause from None
    return [
        *notices,
        f"A header of the store '{path}' was torn, as a power failure in the middle of a checkpoint leaves it. The other one was taken, whose log has everything that was committed since.",
    ]


def prepare(connection: duckdb.DuckDBPyConnection, path: str) -> bool:
    """Create the internal schema in an empty file, or check that the file is a store that we can read. Was it empty?"""
    tables = "SELECT DISTINCT schema_name FROM duckdb_tables() WHERE database_name = ?"
    known = {row[0] for row in connection.execute(tables, [ALIAS]).fetchall()}
    if "sbql" not in known:
        if known:
            raise foreign_file(path)
        connection.begin()
        _run(connection, _text("schema"))
        _add_later_tables(connection)
        connection.execute("INSERT INTO sbql.meta VALUES ('opened_as', ?)", [os.path.realpath(path)])
        connection.commit()
        return True
    row = first_row(connection, "SELECT value FROM sbql.meta WHERE key = 'format_version'")
    found = int(row[0]) if row else 0
    if found not in {FORMAT_VERSION, FORMAT_WITH_LOG}:
        raise other_format(path, found, FORMAT_VERSION)
    refuse_newer_log(connection, path, log_of(path))
    _check_name(connection, path)
    _add_later_tables(connection)
    return False


def _check_name(connection: duckdb.DuckDBPyConnection, path: str) -> None:
    """DuckDB's log stands beside the name by which the file was opened. The file keeps that name, so
    that another one (a link, wherever it is, or the file moved alone) finds what a killed process left.
    Raises SqlError, with nothing changed."""
    if path == ":memory:":
        return
    before = _opened_as(connection, ALIAS)
    if before == path:
        return
    for log in logs_elsewhere(connection, ALIAS, path):
        if not os.path.exists(str(before)):
            raise SqlError(5120, _OTHER_PLACE % (path, before, log, log.replace(str(before), path, 1)))
        raise SqlError(5120, _OTHER_NAME % (path, before, log))
    connection.begin()
    connection.execute("DELETE FROM sbql.meta WHERE key = 'opened_as'")
    connection.execute("INSERT INTO sbql.meta VALUES ('opened_as', ?)", [path])
    connection.commit()
    connection.execute(f"CHECKPOINT {ALIAS}")


def logs_elsewhere(connection: duckdb.DuckDBPyConnection, alias: str, path: str) -> list[str]:
    """The logs of the file at `path`, attached as `alias`, that stand beside another name of it: a link of the file, or
    one that it had before it was moved."""
    before = _opened_as(connection, alias)
    if before is None or before == path:
        return []
    if os.path.exists(before) and not os.path.samefile(before, path):
        return []
    _, *logs = store_files(before)
    return [log for log in logs if os.path.exists(log) and os.path.getsize(log)]


def _opened_as(connection: duckdb.DuckDBPyConnection, alias: str) -> str | None:
    row = first_row(connection, f"SELECT value FROM {alias}.sbql.meta WHERE key = 'opened_as'")
    return str(row[0]) if row is not None else None


def _add_later_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """What stores of this format had not from the start. A store keeps what it was given last: DuckDB takes longer to
    find that nothing is to be done than for all else that opening an old store asks of it."""
    text = _text("monologs", "error_log", "store_id", "deliveries", "dialog_security", "broker_log", "kept_counters")
    given = hashlib.sha256(text.encode()).hexdigest()
    if first_row(connection, "SELECT value FROM sbql.meta WHERE key = 'additions'") == (given,):
        return
    _run(connection, text)
    connection.execute("DELETE FROM sbql.meta WHERE key = 'additions'")
    connection.execute("INSERT INTO sbql.meta VALUES ('additions', ?)", [given])


@cache
def _text(*names: str) -> str:
    return "".join((_SCRIPTS / f"{name}.sql").read_text(encoding="utf-8") for name in names)


def _run(connection: duckdb.DuckDBPyConnection, script: str) -> None:
    """One statement after the other, parsed once in the process: a third less time than
    DuckDB takes for them as one text."""
    statements = _parsed.get(script)
    if statements is None:
        statements = _parsed[script] = connection.extract_statements(script)
    for statement in statements:
        connection.execute(statement)


def empty_tempdb(connection: duckdb.DuckDBPyConnection) -> None:
    """What was made in tempdb ends with the instance; its built-in objects stay."""
    connection.begin()
    schemas = "SELECT schema_name FROM duckdb_schemas() WHERE database_name = ? AND schema_name LIKE 'tempdb.%'"
    for (schema,) in connection.execute(schemas, [ALIAS]).fetchall():
        connection.execute(f"DROP SCHEMA {quote(schema)} CASCADE; CREATE SCHEMA {quote(schema)}")
    connection.execute("DELETE FROM sbql.objects WHERE database_id = ? AND id >= ?", [TEMPDB, FIRST_USER_ID])
    for table in (*BROKER_TABLES, *DELIVERY_TABLES):
        connection.execute(f"DELETE FROM sbql.{table} WHERE database_id = ?", [TEMPDB])
    connection.commit()
