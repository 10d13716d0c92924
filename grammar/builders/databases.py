"""Builders of CREATE DATABASE and ALTER DATABASE, and the options that they take."""

from __future__ import annotations

from typing import Any, Final

from sbql.grammar.ast import (
    AlterDatabaseStatement,
    CreateDatabaseStatement,
    DataSpace,
    Identifier,
    IntegerLiteral,
    Span,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import text_of
from sbql.grammar.errors import sql_error
from sbql.grammar.option_forms import WrittenOption, check_options, forms_of, text_of_option, wrong_option

__all__: list[str] = []

_SET_OPTIONS: Final = forms_of(
    """
    ENABLE_BROKER/DISABLE_BROKER/NEW_BROKER/ERROR_BROKER_CONVERSATIONS
    SINGLE_USER/RESTRICTED_USER/MULTI_USER/ONLINE/OFFLINE/READ_ONLY/READ_WRITE/EMERGENCY
    TRUSTWORTHY/HONOR_BROKER_PRIORITY/DB_CHAINING ON/OFF
    DELAYED_DURABILITY = DISABLED/ALLOWED/FORCED
    COMPATIBILITY_LEVEL = number
    RECOVERY FULL/BULK_LOGGED/SIMPLE
    AUTO_CLOSE/AUTO_SHRINK/AUTO_UPDATE_STATISTICS/AUTO_UPDATE_STATISTICS_ASYNC/AUTO_CREATE_STATISTICS ON/OFF
    AUTO_CREATE_STATISTICS ON (INCREMENTAL)
    ALLOW_SNAPSHOT_ISOLATION/READ_COMMITTED_SNAPSHOT ON/OFF
    ANSI_NULL_DEFAULT/ANSI_NULLS/ANSI_PADDING/ANSI_WARNINGS/ARITHABORT/CONCAT_NULL_YIELDS_NULL ON/OFF
    NUMERIC_ROUNDABORT/QUOTED_IDENTIFIER/RECURSIVE_TRIGGERS ON/OFF
    CURSOR_CLOSE_ON_COMMIT/DATE_CORRELATION_OPTIMIZATION/MIXED_PAGE_ALLOCATION/TORN_PAGE_DETECTION ON/OFF
    TEMPORAL_HISTORY_RETENTION/VARDECIMAL_STORAGE_FORMAT ON/OFF
    CURSOR_DEFAULT LOCAL/GLOBAL
    PAGE_VERIFY CHECKSUM/TORN_PAGE_DETECTION/NONE
    PARAMETERIZATION SIMPLE/FORCED
    ACCELERATED_DATABASE_RECOVERY = ON/OFF
    ACCELERATED_DATABASE_RECOVERY = ON (VERSION_STORE)
    MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT = ON/OFF
    NESTED_TRIGGERS/TRANSFORM_NOISE_WORDS = ON/OFF
    DEFAULT_LANGUAGE/DEFAULT_FULLTEXT_LANGUAGE = number/name/string
    TWO_DIGIT_YEAR_CUTOFF = number
    TARGET_RECOVERY_TIME = number SECONDS/MINUTES
    CONTAINMENT = NONE/PARTIAL
    FILESTREAM (FILESTREAM)
    AUTOMATIC_TUNING = INHERIT/AUTO/CUSTOM
    AUTOMATIC_TUNING (AUTOMATIC_TUNING)
    CHANGE_TRACKING = ON/OFF
    CHANGE_TRACKING = ON (CHANGE_TRACKING)
    CHANGE_TRACKING (CHANGE_TRACKING)
    QUERY_STORE = ON/OFF
    QUERY_STORE = ON (QUERY_STORE)
    QUERY_STORE = OFF (FORCED)
    QUERY_STORE (QUERY_STORE)
    QUERY_STORE CLEAR
    QUERY_STORE CLEAR ALL
    DATA_RETENTION/SUPPLEMENTAL_LOGGING ON/OFF
    ENCRYPTION ON/OFF/SUSPEND/RESUME
    HADR/PARTNER/WITNESS/PERSISTENT_LOG_BUFFER/REMOTE_DATA_ARCHIVE/SUSPEND_FOR_SNAPSHOT_BACKUP …
    AUTOMATIC_INDEX_COMPACTION/OPTIMIZED_LOCKING = ON/OFF
    STALE_QUERY_THRESHOLD_DAYS = number
    """
)
"""What ALTER DATABASE … SET reads. Those that do nothing here are told apart by who runs it."""

_CREATED: Final = forms_of(
    """
    FILESTREAM (FILESTREAM)
    DEFAULT_LANGUAGE/DEFAULT_FULLTEXT_LANGUAGE = number/name/string
    NESTED_TRIGGERS/TRANSFORM_NOISE_WORDS/LEDGER = ON/OFF
    TWO_DIGIT_YEAR_CUTOFF = number
    DB_CHAINING/TRUSTWORTHY ON/OFF
    PERSISTENT_LOG_BUFFER = ON (DIRECTORY)
    CATALOG_COLLATION = DATABASE_DEFAULT/SQL_LATIN1_GENERAL_CP1_CI_AS
    """
)
"""What CREATE DATABASE … WITH reads."""
_CREATED_ATTACHED: Final = {
    **_CREATED,
    **forms_of("ENABLE_BROKER/NEW_BROKER/ERROR_BROKER_CONVERSATIONS/RESTRICTED_USER"),
}
"""What it reads behind FOR ATTACH."""

_FILES: Final = forms_of(
    """
    NAME/NEWNAME = name/string
    FILENAME = string
    SIZE/MAXSIZE/FILEGROWTH = number
    SIZE/MAXSIZE/FILEGROWTH = number KB/MB/GB/TB
    FILEGROWTH/SIZE = number %
    MAXSIZE = UNLIMITED
    OFFLINE
    """
)

_GROUPS: Final = {
    "INCREMENTAL": forms_of("INCREMENTAL = ON/OFF"),
    "VERSION_STORE": forms_of("PERSISTENT_VERSION_STORE_FILEGROUP = name"),
    "DIRECTORY": forms_of("DIRECTORY_NAME = string"),
    "FORCED": forms_of("FORCED"),
    "FILESTREAM": forms_of(
        """
        NON_TRANSACTED_ACCESS = OFF/READ_ONLY/FULL
        DIRECTORY_NAME = string/NULL
        """
    ),
    "AUTOMATIC_TUNING": forms_of("FORCE_LAST_GOOD_PLAN/CREATE_INDEX/DROP_INDEX/MAINTAIN_INDEX = DEFAULT/ON/OFF"),
    "CHANGE_TRACKING": forms_of(
        """
        AUTO_CLEANUP = ON/OFF
        CHANGE_RETENTION = number DAYS/HOURS/MINUTES
        """
    ),
    "QUERY_STORE": forms_of(
        """
        OPERATION_MODE = READ_WRITE/READ_ONLY
        CLEANUP_POLICY = (CLEANUP_POLICY)
        DATA_FLUSH_INTERVAL_SECONDS/MAX_STORAGE_SIZE_MB/INTERVAL_LENGTH_MINUTES/MAX_PLANS_PER_QUERY = number
        SIZE_BASED_CLEANUP_MODE = AUTO/OFF
        QUERY_CAPTURE_MODE = ALL/AUTO/CUSTOM/NONE
        WAIT_STATS_CAPTURE_MODE = ON/OFF
        QUERY_CAPTURE_POLICY = (CAPTURE_POLICY)
        """
    ),
    "CLEANUP_POLICY": forms_of("STALE_QUERY_THRESHOLD_DAYS = number"),
    "CAPTURE_POLICY": forms_of(
        """
        STALE_CAPTURE_POLICY_THRESHOLD = number DAYS/HOURS
        EXECUTION_COUNT/TOTAL_COMPILE_CPU_TIME_MS/TOTAL_EXECUTION_CPU_TIME_MS = number
        """
    ),
}
"""What stands in the parentheses behind options."""

_ATTACHING = ("ATTACH", "ATTACH_REBUILD_LOG", "ATTACH_FORCE_REBUILD_LOG")
_CONTAINED = ("FILESTREAM", "MEMORY_OPTIMIZED_DATA")
_FILEGROUP_STATES = (
    "READ_ONLY", "READ_WRITE", "READONLY", "READWRITE", "AUTOGROW_SINGLE_FILE", "AUTOGROW_ALL_FILES",
)  # fmt: skip


def _check_word(word: Identifier, words: tuple[str, ...]) -> None:
    if word.value.upper() not in words:
        raise wrong_option(word, words)


# --- CREATE DATABASE ---------------------------------------------------------------------------------------


@rule("create_database")
def _create_database(span: Span, name: Identifier, *parts: tuple[str, Any] | None) -> CreateDatabaseStatement:
    options: list[str] = []
    written: list[WrittenOption] = []
    collation = None
    files: tuple[tuple[str | None, str | None], ...] = ()
    filegroups: tuple[Identifier, ...] = ()
    for key, value in filter(None, parts):
        if key == "collation":
            collation = value
        elif key == "files":
            files, filegroups = files + value[0], filegroups + value[1]
        elif key == "with":
            written.extend(value)
        else:
            options.append(value)
    is_attached = any(option.startswith("FOR ") for option in options)
    check_options(written, _CREATED_ATTACHED if is_attached else _CREATED, _GROUPS)
    options += [f"{option.word} {text_of_option(option)}".rstrip() for option in written]
    return CreateDatabaseStatement(name, tuple(options), collation, files, filegroups, span=span)


@rule("file_item")
def _file_item(span: Span, *parts: Any) -> tuple[dict[str, str], DataSpace | None]:
    """A file's options, and the filegroup that is made for it."""
    *filegroup, options = parts
    check_options(options, _FILES)
    space, contained = filegroup or (None, None)
    if contained is not None:
        _check_word(contained, _CONTAINED)
    return {option.word: text_of(option.parts[-1]) for option in options if option.parts}, space


@rule("database_files")
def _database_files(span: Span, *items: tuple[dict[str, str], DataSpace | None]) -> tuple[str, Any]:
    """Name and file of each, and the filegroups; sizes have no effect here."""
    groups = tuple(space.name for _, space in items if space is not None)
    return "files", (tuple((item.get("NAME"), item.get("FILENAME")) for item, _ in items), groups)


@rule("database_containment")
def _database_containment(span: Span, kind: Identifier) -> tuple[str, Any]:
    _check_word(kind, ("NONE", "PARTIAL"))
    return "option", f"CONTAINMENT = {kind.value.upper()}"


@rule("database_collate")
def _database_collate(span: Span, collation: Identifier) -> tuple[str, Any]:
    return "collation", collation.value


@rule("database_attach")
def _database_attach(span: Span, word: Identifier) -> tuple[str, Any]:
    _check_word(word, _ATTACHING)
    return "option", f"FOR {word.value.upper()}"


@rule("database_with")
def _database_with(span: Span, *options: WrittenOption) -> tuple[str, Any]:
    return "with", options


@rule("database_copy")
def _database_copy(span: Span, kind: Identifier, *name: Any) -> None:
    _check_word(kind, ("SNAPSHOT", "COPY"))
    raise sql_error(40517, f"CREATE DATABASE … AS {kind.value.upper()} OF", span=span)


# --- ALTER DATABASE ----------------------------------------------------------------------------------------


@rule("alter_database_set")
def _alter_database_set(span: Span, name: Identifier | None, *rest: Any) -> AlterDatabaseStatement:
    *options, termination = rest
    check_options(options, _SET_OPTIONS, _GROUPS)
    found = tuple((option.word, text_of_option(option) or None) for option in options)
    return AlterDatabaseStatement(name, "SET", found, termination, span=span)


@rule("alter_database_collate")
def _alter_database_collate(span: Span, name: Identifier | None, collation: Identifier) -> AlterDatabaseStatement:
    return AlterDatabaseStatement(name, "COLLATE", ((collation.value, None),), span=span)


@rule("alter_database_name")
def _alter_database_name(span: Span, name: Identifier | None, new_name: Identifier) -> AlterDatabaseStatement:
    return AlterDatabaseStatement(name, "MODIFY NAME", ((new_name.value, None),), span=span)


@rule("alter_database_files")
def _alter_database_files(
    span: Span, name: Identifier | None, change: str | tuple[str, tuple[Identifier, ...]]
) -> AlterDatabaseStatement:
    words, filegroups = (change, ()) if isinstance(change, str) else change
    return AlterDatabaseStatement(name, words, filegroups=filegroups, span=span)


@rule("add_file")
def _add_file(span: Span, words: str, *items: Any) -> tuple[str, tuple[Identifier, ...]]:
    """Where the file is has no effect; the filegroup has to be there."""
    return words, tuple(item.name for item in items if isinstance(item, DataSpace))


@rule("set_filegroup")
def _set_filegroup(
    span: Span, words: str, filegroup: DataSpace, state: Identifier | None = None, *termination: Any
) -> tuple[str, tuple[Identifier, ...]]:
    """What the filegroup is set to has no effect; it has to be there."""
    if isinstance(state, Identifier):
        _check_word(state, _FILEGROUP_STATES)
    return words, (filegroup.name,)


@rule("change_filegroup")
def _change_filegroup(span: Span, words: str, *names: Any) -> tuple[str, tuple[Identifier, ...]]:
    """The filegroup, and the name that it gets. `CONTAINS FILESTREAM` has no effect."""
    if words != "MODIFY FILEGROUP":
        first, *contained = names
        for word in filter(None, contained):
            _check_word(word, _CONTAINED)
        names = (first,)
    return words, () if words == "REMOVE FILE" else tuple(names)


@rule("filegroup_name")
def _filegroup_name(span: Span, name: Identifier) -> DataSpace:
    return DataSpace(name, span=span)


@rule("rollback_immediate")
def _rollback_immediate(span: Span) -> str:
    return "ROLLBACK IMMEDIATE"


@rule("rollback_after")
def _rollback_after(span: Span, seconds: IntegerLiteral) -> str:
    return f"ROLLBACK AFTER {seconds.value}"


@rule("no_wait")
def _no_wait(span: Span) -> str:
    return "NO_WAIT"
