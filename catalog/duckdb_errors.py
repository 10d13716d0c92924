"""What a DuckDB error is called in SQL Server.

Decides number and text only; what becomes of the transaction is decided by whoever catches it. A text of the form
`SQL|number|argument|argument…`, raised by `error()` in generated SQL or by a registered function, is that message of
the catalogue. Everything that a user can do something about says what to do next.
"""

from __future__ import annotations

import re
from typing import Final

from sbql.catalog import duckdb_client as duckdb
from sbql.catalog.interrupts import is_from_outside
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.messages import message

__all__ = [
    "bad_block",
    "damaged",
    "first_line",
    "foreign_file",
    "has_committed",
    "is_conflict",
    "is_damage",
    "is_fatal",
    "is_in_use",
    "is_interrupt",
    "is_no_database",
    "lost_error",
    "open_error",
    "other_format",
    "stopped_error",
    "to_sql_error",
    "unreadable",
]

_TAGGED: Final = re.compile(
    r"\AInvalid Input Error: (?:Python exception occurred [^:]*: RuntimeError: )?SQL\|(\d+)(?:\|(.*))?", re.DOTALL
)
"""Only at the beginning: what DuckDB says of a value that looks like it is not one."""

_BAD_BLOCK: Final = re.compile(r"computed checksum .* in block at location (\d+)")

_NO_MEMORY: Final = (
    "There is not enough memory to run this query. Touch fewer rows at a time, or give sbql more memory."
)
_FULL: Final = "The disk that holds the store is full (%s). Free some space, and run the statement again."
_LOST: Final = (
    "%s The last commits could not be written: they are rolled back, together with what rested on them, and are never "
    "delivered. Run them again."
)
_READ_ONLY: Final = "The store cannot be written: it was opened read-only, or its file or disk is write-protected."
_DAMAGED: Final = "The store file could not be read or written (%s). Close this instance and open the store again."
_IO: Final = (
    "The operating system could not read or write the store (%s). The transaction is rolled back. Look at the disk, connect "
    "again and repeat it."
)

_DURABLE: Final = "commit succeeded and is durable"
_CHECKPOINT: Final = "checkpoint"
_WITHOUT_CHECKPOINT: Final = (
    "The store's file could not be written in a checkpoint (%s). All that was acknowledged is on disk, in the store's log. This instance "
    "has stopped: close its connections, make room on the disk, and connect again, which recovers the store."
)

_DAMAGE: Final = ("corrupt", "checksum", "read enough bytes", "serializ", "replaying wal")
"""Words of the errors of a file that is not what was written to it."""

_IN_THIS_PROCESS: Final = "unique file handle conflict"

_NESTED: Final = "The statement is nested too deeply. Write it in smaller parts."

_TOO_LARGE: Final = re.compile(
    r"Overflow in \w+ of (\w+)|out of range for the destination type (\w+)|Overflow on .* (?:to|of type) (\w+)"
)
_TYPES: Final = {
    "UINT8": "tinyint", "UTINYINT": "tinyint", "INT16": "smallint", "SMALLINT": "smallint", "INT32": "int", "INTEGER": "int", "INT64": "bigint",
    "BIGINT": "bigint", "DOUBLE": "float", "FLOAT": "real",
}  # fmt: skip
"""DuckDB's types by the names that T-SQL has for them."""

_BY_TEXT: Final[tuple[tuple[str, int, str], ...]] = (
    ("expression depth", 191, _NESTED),
    ("no space left", 1105, _FULL),
    ("disk full", 1105, _FULL),
    ("file too large", 1105, _FULL),
    ("max_temp_directory_size", 1105, _FULL),
    ("out of memory", 701, _NO_MEMORY),
    ("failed to allocate", 701, _NO_MEMORY),
    ("could not write", 823, _IO),
    ("could not read", 823, _IO),
    ("could not sync", 823, _IO),
    ("input/output error", 823, _IO),
    ("read-only mode", 3906, _READ_ONLY),
    ("read-only file system", 3906, _READ_ONLY),
    ("permission denied", 3906, _READ_ONLY),
    ("division by zero", 8134, "Division by zero."),
    ("could not convert string", 8114, "A value could not be converted: %s"),
    ("overflow", 8115, "A result is too large for its data type: %s"),
    ("out of range", 8115, "A result is too large for its data type: %s"),
)


def to_sql_error(error: BaseException) -> SqlError:
    """The SqlError for a DuckDB error. Raises what was set into the thread from outside: a TimeoutError is an OSError,
    too, and the file has nothing to do with it."""
    if is_from_outside(error):
        raise error
    text = str(error)
    tagged = _TAGGED.search(text)
    if tagged is not None:
        return _tagged(int(tagged[1]), tagged[2])
    detail = _first_line(text)
    if "More than one row returned by a subquery" in text:
        return sql_error(512)
    if isinstance(error, duckdb.InterruptException):
        return _error(3617, "The query was cancelled.")
    if isinstance(error, duckdb.FatalException):
        return _error(823, _DAMAGED, detail)
    lowered = text.lower()
    too_large = _TOO_LARGE.search(text)
    if too_large is not None:
        return sql_error(8115, "expression", _TYPES.get((too_large[1] or too_large[2]).split("(")[0], "numeric"))
    for part, number, template in _BY_TEXT:
        if part in lowered:
            return _error(number, template, *([detail] if "%s" in template else []))
    if isinstance(error, duckdb.OutOfMemoryException):
        return _error(701, _NO_MEMORY)
    if isinstance(error, duckdb.IOException | OSError):
        return _error(823, _DAMAGED, detail)
    if isinstance(error, UnicodeEncodeError):
        return _error(6355, "A character string holds half a surrogate pair and cannot be stored as Unicode text.")
    return _error(50, "The store refused a statement that sbql made: %s. Please report this.", detail)


def is_no_database(error: BaseException) -> bool:
    """True for a file that holds something else than a DuckDB database."""
    return "valid duckdb database" in str(error).lower()


def is_in_use(error: BaseException) -> bool:
    """True for a file that this process or another one has open."""
    lowered = str(error).lower()
    return _is_locked(lowered) or _IN_THIS_PROCESS in lowered


def _is_locked(lowered: str) -> bool:
    return "conflicting lock" in lowered or "could not set lock" in lowered


def first_line(error: BaseException) -> str:
    """What DuckDB says, in short."""
    return _first_line(str(error))


def lost_error(error: SqlError) -> SqlError:
    """The error of commits that the disk refused with `error`. It ends the batch: what follows may rest on them."""
    result = _error(error.number, _LOST, error.message)
    result.batch_aborting = result.rolls_back = True
    return result


def stopped_error(cause: BaseException) -> SqlError:
    """The error of a store of which nobody can know what is on disk, or whose file DuckDB has given up."""
    detail = _first_line(str(cause))
    if _CHECKPOINT in detail.lower():
        return _error(9001, _WITHOUT_CHECKPOINT, detail)
    return sql_error(9001, detail)


def has_committed(error: BaseException) -> bool:
    """Whether the commit that raised it is on disk all the same: only the checkpoint that DuckDB began behind it has
    failed. Also of the SqlError that was made of it."""
    return _DURABLE in str(error).lower()


def is_interrupt(error: Exception) -> bool:
    """Whether Ctrl+C has ended a query in the main thread: what DuckDB makes of a
    KeyboardInterrupt, and calls no error of its own."""
    return type(error) is RuntimeError and str(error) == "Query interrupted"


def is_fatal(error: BaseException) -> bool:
    """DuckDB has given the file up: nothing works before it is opened again."""
    return isinstance(error, duckdb.FatalException) or "has been invalidated" in str(error)


def is_conflict(error: BaseException) -> bool:
    """True for two transactions in each other's way, which a second try on a new snapshot heals."""
    text = str(error).lower()
    return isinstance(error, duckdb.TransactionException) and ("conflict" in text or "altered" in text)


def open_error(error: BaseException, path: str) -> SqlError:
    """The SqlError for a store that does not open."""
    detail = _first_line(str(error))
    lowered = str(error).lower()
    if _is_locked(lowered):
        return _error(
            5120,
            "The store '%s' is open in another process (%s). Close that process, or have it serve the store to others (sbql serve, "
            "sbql.serve), or open another file.",
            path,
            detail,
        )
    if _IN_THIS_PROCESS in lowered:
        return _error(
            5120,
            "The store '%s' is open in this process, or in the one that it was forked from. Use the instance that has it open "
            "(sbql.connect(instance=…)), or a process that is started anew (multiprocessing: 'spawn').",
            path,
        )
    if is_no_database(error) or "is a directory" in lowered:
        return _error(
            5171,
            "'%s' is not an sbql store: the file holds something else. Name another file, or one that does not exist.",
            path,
        )
    if "read-only" in lowered or "permission denied" in lowered:
        return _error(
            3415, "The store '%s' cannot be written. Make the file and its folder writable, or copy it.", path
        )
    if "no such file" in lowered or "cannot open file" in lowered:
        return _error(
            5133, "The store '%s' cannot be opened or created: %s. Check that its folder exists.", path, detail
        )
    if "no space left" in lowered:
        return _error(1105, _FULL, path)
    if is_damage(error):
        return damaged(path, detail)
    return _error(5172, "The store '%s' cannot be opened: %s.", path, detail)


def is_damage(error: BaseException) -> bool:
    """Whether the file is not what was written to it."""
    return any(word in str(error).lower() for word in _DAMAGE)


def bad_block(error: BaseException) -> int | None:
    """The place in the file of a block whose checksum is wrong, None when the error is another one."""
    found = _BAD_BLOCK.search(str(error))
    return int(found[1]) if found is not None else None


def damaged(path: str, what: str) -> SqlError:
    """The SqlError for a store whose file is not what was written to it."""
    return _error(
        5172,
        "The store '%s' is damaged: %s. 'sbql --salvage %s' saves what can be read into a new store and says what is lost; "
        "or restore the file from a copy.",
        path, what, path,
    )  # fmt: skip


def unreadable(path: str, what: str) -> SqlError:
    """The SqlError for a store of which nothing can be saved."""
    return _error(5172, "Nothing of the store '%s' can be read: %s. Restore it from a copy.", path, what)


def other_format(path: str, found: int, known: int) -> SqlError:
    """The SqlError for a store written by a later or an earlier release."""
    cure = "Open it with a newer release."
    if found < known:
        cure = "An older release reads it; docs/administration.md says how to carry its tables over."
    return _error(
        948, "The store '%s' has format %s, and this release of sbql reads format %s. %s", path, found, known, cure
    )


def foreign_file(path: str) -> SqlError:
    """The SqlError for a DuckDB file that another program made."""
    return _error(
        5171, "'%s' is a DuckDB file, but not an sbql store. Name another file, or one that does not exist yet.", path
    )


def _error(number: int, text: str, *arguments: object) -> SqlError:
    """A SqlError with our text: the catalogue's own may take other arguments. Severity and flags are the
    catalogue's."""
    formatted = text % arguments if arguments else text
    try:
        entry = message(number)
    except KeyError:
        return SqlError(number, formatted)
    return SqlError(
        number, formatted, severity=entry.severity,
        batch_aborting=entry.batch_aborting, dooms_transaction=entry.dooms_transaction,
    )  # fmt: skip


def _tagged(number: int, rest: str | None) -> SqlError:
    arguments = [part.strip() for part in rest.split("|")] if rest else []
    try:
        return sql_error(number, *arguments)
    except (KeyError, TypeError):
        return SqlError(number, "|".join(arguments))


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0]
