"""ALTER DATABASE: options of the broker, states, who may be in, and the name.

Decides which options need the database for themselves, and what they leave in the catalog. What the broker's options do
to running conversations is the broker's business; who has to leave, and how, is `database_access`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sbql.catalog.records import Database, Queue
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker import ddl_effects
from sbql.engine.definition.data_spaces import change_filegroups
from sbql.engine.definition.database_rights import check_may_alter, check_options
from sbql.engine.definition.ddl import broker_effect
from sbql.engine.outcomes import InfoMessage
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.database_access import have_alone, refuse_others, users_of
from sbql.engine.steps import Step, handles
from sbql.engine.work import Work
from sbql.grammar.ast import AlterDatabaseStatement, Span
from sbql.grammar.errors import sql_error
from sbql.grammar.names import dotted, parse_object_name
from sbql.grammar.values.collation import known_collation

__all__ = [
    "BROKER_EFFECTS",
    "broker_twin",
    "moved_procedure",
    "refuse_conflicts",
    "refuse_system_name",
    "rename_database",
]

_SYSTEM_DATABASES = 4
_MASTER, _TEMPDB, _MODEL, _MSDB = 1, 2, 3, 4

_ACCEPTED = frozenset(
    {
        "ACCELERATED_DATABASE_RECOVERY", "ALLOW_SNAPSHOT_ISOLATION", "ANSI_NULLS", "ANSI_NULL_DEFAULT", "ANSI_PADDING",
        "ANSI_WARNINGS", "ARITHABORT", "AUTOMATIC_TUNING", "AUTO_CLOSE", "AUTO_CREATE_STATISTICS", "AUTO_SHRINK",
        "AUTO_UPDATE_STATISTICS", "AUTO_UPDATE_STATISTICS_ASYNC", "CHANGE_TRACKING", "CONCAT_NULL_YIELDS_NULL",
        "CONTAINMENT", "CURSOR_CLOSE_ON_COMMIT", "CURSOR_DEFAULT", "DATE_CORRELATION_OPTIMIZATION", "DB_CHAINING",
        "DEFAULT_FULLTEXT_LANGUAGE", "DEFAULT_LANGUAGE", "FILESTREAM", "MEMORY_OPTIMIZED_ELEVATE_TO_SNAPSHOT",
        "MIXED_PAGE_ALLOCATION", "NESTED_TRIGGERS", "NUMERIC_ROUNDABORT", "PAGE_VERIFY", "PARAMETERIZATION",
        "QUERY_STORE", "QUOTED_IDENTIFIER", "READ_COMMITTED_SNAPSHOT", "RECURSIVE_TRIGGERS", "TARGET_RECOVERY_TIME",
        "TEMPORAL_HISTORY_RETENTION", "TORN_PAGE_DETECTION", "TRANSFORM_NOISE_WORDS", "TWO_DIGIT_YEAR_CUTOFF",
        "VARDECIMAL_STORAGE_FORMAT",
    }
)  # fmt: skip
"""ALTER DATABASE options that are stored and have no effect here; listed in docs/differences.md."""

_LEVELS = ("100", "110", "120", "130", "140", "150", "160")
_STATES = ("OFFLINE", "ONLINE", "READ_ONLY", "READ_WRITE")
_USER_ACCESS = ("SINGLE_USER", "RESTRICTED_USER", "MULTI_USER")
_BROKER_OPTIONS = ("ENABLE_BROKER", "DISABLE_BROKER", "NEW_BROKER", "ERROR_BROKER_CONVERSATIONS")
_KINDS = (_BROKER_OPTIONS, _USER_ACCESS, ("ONLINE", "OFFLINE", "EMERGENCY"), ("READ_ONLY", "READ_WRITE"))
"""Options of which a statement has one."""
_OF_SYSTEM: dict[int, frozenset[str]] = {
    _MASTER: frozenset({*_USER_ACCESS, *_BROKER_OPTIONS, "AUTO_CLOSE", "AUTO_SHRINK", "CHANGE_TRACKING", "DB_CHAINING", "READ_COMMITTED_SNAPSHOT"}),
    _TEMPDB: frozenset({
        *_USER_ACCESS, "AUTO_CLOSE", "AUTO_SHRINK", "CHANGE_TRACKING", "DB_CHAINING", "READ_COMMITTED_SNAPSHOT", "RECOVERY", "TRUSTWORTHY",
    }),
    _MODEL: frozenset({*_USER_ACCESS, *_BROKER_OPTIONS, "CHANGE_TRACKING", "DB_CHAINING", "TRUSTWORTHY"}),
    _MSDB: frozenset({"CHANGE_TRACKING", "READ_COMMITTED_SNAPSHOT"}),
}  # fmt: skip
"""What the pages of the system databases say cannot be modified, beside states."""


@handles(AlterDatabaseStatement)
def compile_alter_database(node: AlterDatabaseStatement, compiler: Compiler) -> Step:
    """What needs the database for itself waits without the schema lock: those who are to leave may be waiting for
    that. Whether the statement may be run at all is known before, for nobody is to leave for nothing. Files change
    nothing here. Raises 5062 (`refuse_conflicts`), 448."""
    exclusive = node.action == "MODIFY NAME" or any(_needs_exclusive(word) for word, _ in node.options)

    def run(frame: Frame) -> Work:
        session = frame.session
        if session.trancount:
            raise sql_error(226, "ALTER DATABASE")
        if node.action == "SET":
            refuse_conflicts([word for word, _ in node.options], node.span)
        done = False
        while not done:
            record = _database(session, node)
            if node.action == "MODIFY NAME":
                refuse_others(session, record)
            if exclusive:
                yield from have_alone(session, record, node.termination)
            with session.statement() as transaction:
                yield from transaction.lock_schema()
                record = _database(session, node)
                done = not exclusive or not users_of(session.instance, record.id, but=session)
                if done:
                    yield from _alter(session, transaction, node, record)
        return 0

    return Step(run, waits=True)


def refuse_conflicts(words: Sequence[str], span: Span) -> None:
    """Raises 5062 for an option that is given twice, and for two of which a database can have only one."""
    given: set[str] = set()
    for word in words:
        kind = next((kind[0] for kind in _KINDS if word in kind), word)
        if kind in given:
            raise sql_error(5062, word, span=span)
        given.add(kind)


def _needs_exclusive(word: str) -> bool:
    return word in _BROKER_OPTIONS or word in _STATES or word in _USER_ACCESS


def _database(session: Session, node: AlterDatabaseStatement) -> Database:
    """The database, if the session may alter it so. Raises 5011 and what a system database refuses."""
    name = node.name.value if node.name is not None else session.database_name
    record = session.catalog.find(Database, 0, name)
    if record is None:
        raise sql_error(5011, name, span=node.span)
    check_may_alter(session, record, node.span)
    check_options(session, (word for word, _ in node.options) if node.action == "SET" else ())
    if record.id <= _SYSTEM_DATABASES:
        _check_system_database(record, node)
    return record


def _check_system_database(record: Database, node: AlterDatabaseStatement) -> None:
    """Raises 5016 for the name, 5058 for an option that is fixed in this database: a state that the server could not do
    without, the broker of master and model."""
    for word, _ in node.options if node.action == "SET" else ():
        if word in _STATES or word in _OF_SYSTEM[record.id]:
            raise sql_error(5058, word, record.name, span=node.span)
    if node.action == "MODIFY NAME":
        refuse_system_name(record, node.span)


def _alter(session: Session, transaction: Transaction, node: AlterDatabaseStatement, record: Database) -> Work:
    if node.action == "MODIFY NAME":
        rename_database(session, transaction, record, node.options[0][0])
    elif node.action == "COLLATE":
        name = known_collation(node.options[0][0])
        transaction.change_catalog(record, msgspec.structs.replace(record, collation_name=name))
        transaction.on_commit(session.instance.modules.forget)
    elif node.filegroups:
        change_filegroups(transaction, record, node)
    elif node.action == "SET":
        for word, value in node.options:
            if word in _BROKER_OPTIONS:
                record = yield from _set_broker(session, transaction, record, word)
            else:
                record = _set_option(transaction, record, word, value, node)


def refuse_system_name(record: Database, span: Span | None = None) -> None:
    """Raises 5016: a system database keeps its name."""
    if record.id <= _SYSTEM_DATABASES:
        raise sql_error(5016, record.name, span=span)


def rename_database(session: Session, transaction: Transaction, record: Database, name: str) -> None:
    """ALTER DATABASE … MODIFY NAME, sp_renamedb. Activation procedures go along. Raises 1801."""
    other = session.catalog.find(Database, 0, name)
    if other is not None and other.id != record.id:
        raise sql_error(1801, name)
    now = session.instance.host.now()
    transaction.change_catalog(
        record, msgspec.structs.replace(record, name=name, storage=record.storage_name, modify_date=now)
    )
    for queue in list(session.catalog.all(Queue, record.id)):
        moved = moved_procedure(queue.activation_procedure, record.name, name)
        if moved != queue.activation_procedure:
            transaction.change_catalog(queue, msgspec.structs.replace(queue, activation_procedure=moved))
    session.emit(InfoMessage(f"The database name '{name}' has been set."))


def moved_procedure(procedure: str | None, old: str, new: str) -> str | None:
    """The name of an activation procedure after its database was renamed, or copied under another name."""
    if procedure is None:
        return None
    name = parse_object_name(procedure)
    if (name.database or "").lower() != old.lower():
        return procedure
    return dotted(new, name.schema or "dbo", name.name)


def _constant(field: str, value: str) -> Callable[[str | None], dict[str, Any]]:
    return lambda _: {field: value}


def _flag(field: str) -> Callable[[str | None], dict[str, Any]]:
    return lambda value: {field: value == "ON"}


def _value(written: str | None) -> str:
    return (written or "").removeprefix("= ")


def _level(value: str) -> int:
    """Raises 15048."""
    if value not in _LEVELS:
        raise sql_error(15048, ", ".join(_LEVELS[:-1]), _LEVELS[-1])
    return int(value)


_FIELDS: dict[str, Callable[[str | None], dict[str, Any]]] = {
    "TRUSTWORTHY": _flag("is_trustworthy_on"),
    "HONOR_BROKER_PRIORITY": _flag("is_honor_broker_priority_on"),
    "DELAYED_DURABILITY": lambda value: {"delayed_durability": _value(value)},
    "RECOVERY": lambda value: {"recovery_model": _value(value)},
    "COMPATIBILITY_LEVEL": lambda value: {"compatibility_level": _level(_value(value))},
    **{word: _constant("user_access", word) for word in _USER_ACCESS},
    "ONLINE": lambda value: {"state": "ONLINE"},
    "OFFLINE": lambda value: {"state": "OFFLINE"},
    "READ_ONLY": lambda value: {"is_read_only": True},
    "READ_WRITE": lambda value: {"is_read_only": False},
}


def _set_option(
    transaction: Transaction, record: Database, word: str, value: str | None, node: AlterDatabaseStatement
) -> Database:
    if record.state != "ONLINE" and word not in ("ONLINE", "OFFLINE"):
        raise sql_error(
            5004 if record.state == "RESTORING" else 942, *([] if record.state == "RESTORING" else [record.name])
        )
    if word in _FIELDS:
        new = msgspec.structs.replace(record, **_FIELDS[word](value))
    elif word in _ACCEPTED:
        new = msgspec.structs.replace(record, options=_with_option(record.options, word, _value(value)))
    else:
        raise sql_error(40517, f"ALTER DATABASE … SET {word}", span=node.span)
    transaction.change_catalog(record, new)
    return new


def _with_option(options: dict[str, str], word: str, value: str) -> dict[str, str]:
    """What is switched ON stays so, whatever is written in parentheses behind it; what has parentheses or CLEAR alone
    is not switched."""
    switch = value.partition(" (")[0]
    return options if not switch or switch.startswith(("(", "CLEAR")) else {**options, word: switch}


def _set_broker(session: Session, transaction: Transaction, record: Database, word: str) -> Work:
    """ENABLE_BROKER and its relatives (docs/spec: ALTERDB). The change takes effect for messages when it is
    published."""
    if record.state != "ONLINE":
        raise sql_error(942, record.name)
    if record.is_read_only:
        raise sql_error(9775, record.name) if word == "NEW_BROKER" else sql_error(3906, record.name)
    changes: dict[str, Any] = {"is_broker_enabled": word != "DISABLE_BROKER"}
    if word == "NEW_BROKER":
        changes |= {"service_broker_guid": session.instance.host.new_guid(), "family": record.family_id}
    elif word != "DISABLE_BROKER" and broker_twin(session.catalog, record) is not None:
        raise sql_error(9772, record.name)
    new = msgspec.structs.replace(record, **changes)
    transaction.change_catalog(record, new)
    effect = BROKER_EFFECTS.get(word)
    if effect is not None:
        yield from broker_effect(session, transaction, lambda broker: effect(broker, record.id))
    return new


def broker_twin(snapshot: CatalogSnapshot, record: Database) -> Database | None:
    """Another database with the same broker id and its broker enabled."""
    same = (d for d in snapshot.all(Database, 0) if d.service_broker_guid == record.service_broker_guid)
    return next((d for d in same if d.id != record.id and d.is_broker_enabled), None)


BROKER_EFFECTS = {
    "NEW_BROKER": ddl_effects.new_broker,
    "ERROR_BROKER_CONVERSATIONS": ddl_effects.error_broker_conversations,
}
