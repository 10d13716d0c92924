"""The options of tables and indexes: what stands in the parentheses behind WITH and SET.

Decides which of them each statement takes, and in which form. A name that is no option of the statement is error 155, a
value that the option does not have 102; what the options mean is the engine's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from sbql.grammar.ast import Identifier, IntegerLiteral, Span
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.option_forms import Forms, WrittenOption, check_options, forms_of, text_of_option
from sbql.grammar.suggestions import did_you_mean

__all__ = ["STATEMENTS", "checked"]

_COMPRESSION: Final = """
    DATA_COMPRESSION = NONE/ROW/PAGE/COLUMNSTORE/COLUMNSTORE_ARCHIVE
    DATA_COMPRESSION = NONE/ROW/PAGE/COLUMNSTORE/COLUMNSTORE_ARCHIVE ON PARTITIONS
    XML_COMPRESSION = ON/OFF
    XML_COMPRESSION = ON/OFF ON PARTITIONS
    """
_LOW_PRIORITY: Final = "WAIT_AT_LOW_PRIORITY (WAIT_AT_LOW_PRIORITY)"
_KEPT: Final = """
    IGNORE_DUP_KEY/STATISTICS_NORECOMPUTE/ALLOW_ROW_LOCKS/ALLOW_PAGE_LOCKS/OPTIMIZE_FOR_SEQUENTIAL_KEY = ON/OFF
    IGNORE_DUP_KEY = ON (SUPPRESS_MESSAGES)
    COMPRESSION_DELAY = number
    COMPRESSION_DELAY = number MINUTES/MINUTE
    """
_REBUILT: Final = f"""
    {_KEPT}
    {_COMPRESSION}
    PAD_INDEX/STATISTICS_INCREMENTAL/SORT_IN_TEMPDB/ONLINE/RESUMABLE = ON/OFF
    ONLINE = ON (LOW_PRIORITY)
    FILLFACTOR/MAXDOP/MAX_DURATION/BUCKET_COUNT = number
    MAX_DURATION = number MINUTES
    {_LOW_PRIORITY}
    """
_TABLE: Final = """
    SYSTEM_VERSIONING/DATA_DELETION/REMOTE_DATA_ARCHIVE …
    """

STATEMENTS: Final[dict[str, Forms]] = {
    "CREATE INDEX": forms_of(f"{_REBUILT}\nDROP_EXISTING = ON/OFF"),
    "ALTER INDEX REBUILD": forms_of(_REBUILT),
    "ALTER INDEX REORGANIZE": forms_of("LOB_COMPACTION/COMPRESS_ALL_ROW_GROUPS = ON/OFF"),
    "ALTER INDEX RESUME": forms_of(f"MAXDOP/MAX_DURATION = number\nMAX_DURATION = number MINUTES\n{_LOW_PRIORITY}"),
    "ALTER INDEX DISABLE": {},
    "ALTER INDEX PAUSE": {},
    "ALTER INDEX ABORT": {},
    "ALTER INDEX SET": forms_of(_KEPT),
    "DROP INDEX": forms_of(f"MAXDOP = number\nONLINE = ON/OFF\nONLINE = ON (LOW_PRIORITY)\n{_LOW_PRIORITY}"),
    "CREATE TABLE": forms_of(
        f"""
        {_COMPRESSION}
        {_TABLE}
        MEMORY_OPTIMIZED = ON/OFF
        DURABILITY = SCHEMA_ONLY/SCHEMA_AND_DATA
        LEDGER …
        FILETABLE_DIRECTORY/FILETABLE_COLLATE_FILENAME = string/name
        FILETABLE_PRIMARY_KEY_CONSTRAINT_NAME/FILETABLE_STREAMID_UNIQUE_CONSTRAINT_NAME = name
        FILETABLE_FULLPATH_UNIQUE_CONSTRAINT_NAME = name
        """
    ),
    "CREATE TYPE": forms_of("MEMORY_OPTIMIZED = ON/OFF"),
    "ALTER TABLE": forms_of(
        f"""
        {_TABLE}
        LOCK_ESCALATION = AUTO/TABLE/DISABLE
        FILESTREAM_ON = name/string/DEFAULT/NULL
        FILETABLE_DIRECTORY = string/name
        """
    ),
    "ALTER TABLE REBUILD": forms_of(_REBUILT),
    "ALTER TABLE ALTER COLUMN": forms_of("ONLINE = ON/OFF"),
    "ALTER TABLE SWITCH": forms_of(_LOW_PRIORITY),
    "ENABLE CHANGE_TRACKING": forms_of("TRACK_COLUMNS_UPDATED = ON/OFF"),
    "ENCRYPTED WITH": forms_of(
        """
        COLUMN_ENCRYPTION_KEY = name
        ENCRYPTION_TYPE = DETERMINISTIC/RANDOMIZED
        ALGORITHM = string
        """
    ),
}
"""The options of each statement, by the words that error 155 names it with."""

_GROUPS: Final = {
    "SUPPRESS_MESSAGES": forms_of("SUPPRESS_MESSAGES = ON/OFF"),
    "LOW_PRIORITY": forms_of(_LOW_PRIORITY),
    "WAIT_AT_LOW_PRIORITY": forms_of(
        """
        MAX_DURATION = number
        MAX_DURATION = number MINUTES
        ABORT_AFTER_WAIT = NONE/SELF/BLOCKERS
        """
    ),
}


def _unknown_option(name: Identifier, statement: str, options: Iterable[str]) -> SqlError:
    error = sql_error(155, name.value, statement, span=name.span)
    return error.advise(did_you_mean(name.value, options))


def checked(options: Sequence[WrittenOption] | None, statement: str) -> tuple[str, ...]:
    """The options as texts, `NAME = VALUE`. Raises 155 for one that the statement does not have, 102 for a value that
    the option does not have, 129 for a fill factor that is no percentage."""
    forms = STATEMENTS[statement]
    for option in options or ():
        if option.word not in forms:
            raise _unknown_option(option.name, statement, forms)
    check_options(options or (), forms, _GROUPS)
    for option in options or ():
        if option.word == "FILLFACTOR":
            _check_percent(option.parts[-1])
    return tuple(f"{option.word} {text_of_option(option)}" for option in options or ())


def _check_percent(percent: Any) -> None:
    if not 1 <= percent.value <= 100:
        raise sql_error(129, percent.value, span=percent.span)


@rule("table_with")
def _table_with(span: Span, options: tuple[WrittenOption, ...]) -> tuple[WrittenOption, ...]:
    return options


@rule("index_with")
def _index_with(span: Span, options: tuple[WrittenOption, ...]) -> tuple[str, ...]:
    """Of CREATE INDEX and of a key."""
    return checked(options, "CREATE INDEX")


_OLD_OPTIONS = ("PAD_INDEX", "IGNORE_DUP_KEY", "DROP_EXISTING", "STATISTICS_NORECOMPUTE", "SORT_IN_TEMPDB")


@rule("old_option")
def _old_option(span: Span, name: Identifier) -> str:
    """The old form without parentheses: a word alone means ON."""
    if name.value.upper() not in _OLD_OPTIONS:
        raise _unknown_option(name, "CREATE INDEX", _OLD_OPTIONS)
    return f"{name.value.upper()} = ON"


@rule("fill_factor")
def _fill_factor(span: Span, percent: IntegerLiteral) -> str:
    _check_percent(percent)
    return f"FILLFACTOR = {percent.value}"


@rule("with_fill_factor")
def _with_fill_factor(span: Span, option: str) -> tuple[str, ...]:
    return (option,)
