"""Events of definitions: what a statement that changed the catalog is to DDL triggers and event notifications.

Decides which event a statement is (CREATE_TABLE, GRANT_DATABASE …), what its EVENT_INSTANCE document says, and that
triggers run in the statement's transaction and notifications are sent in its commit. While nobody listens, a definition
runs as it is. It must not know how a notification is sent.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from sbql.catalog.event_types import EVENT_TYPES, members
from sbql.catalog.kinds import KINDS, kind_of
from sbql.catalog.records import (
    CatalogRecord,
    Database,
    EventNotification,
    Module,
    Permission,
    Principal,
    RoleMember,
    Schema,
    Signature,
    Table,
)
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.event_notifications import posted_at
from sbql.engine.definition.ddl_triggers import in_order, run_one
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.resolver import resolve
from sbql.engine.steps import Step
from sbql.engine.work import Work
from sbql.grammar.ast import ObjectName, Statement
from sbql.grammar.passwords import without_passwords
from sbql.grammar.values.xml_text import escape_text

__all__ = ["call_text", "is_definition", "observed", "tell_called", "tell_renamed"]

_OTHERS = {
    "CreateIndexStatement": "TABLE", "AlterIndexStatement": "INDEX", "DropIndexStatement": "TABLE", "StatisticsStatement": "STATISTICS", "EnableTriggerStatement": "TRIGGER", "CreateRoleStatement": "",
    "DropModuleStatement": "", "DropObjectStatement": "", "PermissionStatement": "",
    "AlterAuthorizationStatement": "", "RoleMemberStatement": "", "AddSignatureStatement": "",
}  # fmt: skip
"""Statements that are not named after a kind of objects -> the family of their events; ''
where the statement itself tells."""


def _statements() -> dict[str, str]:
    """Statement class -> the family of its event: CreateQueueStatement -> QUEUE."""
    found: dict[str, str] = {}
    for kind in KINDS:
        noun = kind.words.title().replace(" ", "")
        found |= {f"{verb}{noun}Statement": kind.family for verb in ("Create", "Alter", "Drop", "")}
    return found | _OTHERS


_STATEMENTS = _statements()

_WITHOUT_OWN_EVENT = (Permission, RoleMember, Signature)
_SET_OPTIONS = 'ANSI_NULLS="ON" ANSI_NULL_DEFAULT="ON" ANSI_PADDING="ON" QUOTED_IDENTIFIER="{}" ENCRYPTED="FALSE"'


class DdlEvent(Struct, frozen=True):
    """One event. `database_id` 0: of the server. `document` is its EVENT_INSTANCE."""

    name: str
    database_id: int
    document: str


def is_definition(node: Statement) -> bool:
    return type(node).__name__ in _STATEMENTS


# --- who listens -------------------------------------------------------------------------------------------


def _listeners(snapshot: CatalogSnapshot) -> list[Module | EventNotification]:
    found: list[Module | EventNotification] | None = snapshot.derived.get("ddl listeners")
    if found is None:
        found = [m for m in snapshot.all(Module) if m.scope and not m.is_disabled]
        found += [n for n in snapshot.all(EventNotification) if n.scope != "QUEUE"]
        snapshot.derived["ddl listeners"] = found
    return found


def _hears(listener: Module | EventNotification, event: DdlEvent) -> bool:
    if listener.scope == "DATABASE" and listener.database_id != event.database_id:
        return False
    return any(event.name in members(name) for name in listener.events)


# --- the statement -----------------------------------------------------------------------------------------


def observed(step: Step, node: Statement, text: str) -> Step:
    """A definition that tells its listeners what it did."""

    def run(frame: Frame) -> Work:
        session = frame.session
        if not _listeners(session.catalog):
            return (yield from step.run(frame)) if step.waits else step.run(frame)
        if _STATEMENTS[type(node).__name__] == "DATABASE":
            return (yield from _tell_of_database(session, frame, step, node, text))
        with session.statement() as transaction:
            held = transaction.snapshot
            signal = yield from _plain(step, frame)
            changes = transaction.snapshot is not None
            if (
                changes or type(node).__name__ in _EVEN_WITHOUT_CHANGES
            ):  # nobody else has committed a definition since it has the schema lock
                yield from _tell(session, transaction, frame, held or session.instance.catalog, node, text)
        return signal

    return Step(run, waits=True)


def _plain(step: Step, frame: Frame) -> Work:
    return (yield from step.run(frame)) if step.waits else step.run(frame)


def _tell(
    session: Session, transaction: Any, frame: Frame, before: CatalogSnapshot, node: Statement, text: str
) -> Work:
    command = _command(frame, node, text)
    yield from _deliver(session, transaction, before, _events(session, before, session.catalog, node, command))


def _command(frame: Frame, node: Statement, text: str) -> str:
    source = text or (frame.module.definition if frame.module is not None else "")
    return without_passwords(source[node.span.start : node.span.end])


def _tell_of_database(session: Session, frame: Frame, step: Step, node: Statement, text: str) -> Work:
    """CREATE and ALTER DATABASE end their own transactions. Notifications go with the commit; triggers, which
    cannot take it back, run behind it."""
    told: list[tuple[CatalogSnapshot, DdlEvent]] = []

    def before_commit(transaction: Transaction) -> None:
        before, after = session.instance.catalog, transaction.snapshot
        if after is not None:  # it has had the schema lock since, so that all that differs is its own
            for event in _events(session, before, after, node, _command(frame, node, text)):
                told.append((before, event))
                if heard := _notifications(before, event):
                    post(event.name, event.document, heard, transaction)

    post = session.instance.scheduler.post_event
    with session.hearing_transactions(lambda opened: opened.before_commit(partial(before_commit, opened))):
        signal = yield from _plain(step, frame)
    with session.statement():
        for before, event in told:
            yield from _fire(session, event, before)
    return signal


def _deliver(session: Session, transaction: Any, before: CatalogSnapshot, events: Iterable[DdlEvent]) -> Work:
    for event in events:
        if notifications := _notifications(before, event):
            post = session.instance.scheduler.post_event
            transaction.before_commit(partial(post, event.name, event.document, notifications, transaction))
        yield from _fire(session, event, before)


def _notifications(before: CatalogSnapshot, event: DdlEvent) -> list[EventNotification]:
    return [one for one in _listeners(before) if isinstance(one, EventNotification) and _hears(one, event)]


def tell_renamed(
    session: Session, transaction: Any, before: CatalogSnapshot, record: CatalogRecord, word: str, old: str, new: str, *,
    is_part: bool, parameters: Sequence[str],
) -> Work:  # fmt: skip
    """RENAME, of `record` or of a part of it (a column, say). The text of the call is not at hand:
    the command is what it comes to."""
    if not _listeners(before):
        return
    target = [("TargetObjectName", record.name), ("TargetObjectType", _family(record))] if is_part else []
    given = "".join(f"<Param>{escape_text(value)}</Param>" for value in parameters)
    extra = [*target, ("NewObjectName", new), ("Parameters", given)]
    event = _event(session, "RENAME", record, word, call_text("sp_rename", parameters), name=old, extra=extra)
    yield from _deliver(session, transaction, before, [event])


def tell_called(
    session: Session, transaction: Any, before: CatalogSnapshot, event: str, record: CatalogRecord, word: str, command: str, *,
    name: str | None = None, extra: Sequence[tuple[str, str]] = (),
) -> Work:  # fmt: skip
    """What a system procedure has done to `record`, of which a part has the name, or to what is no record."""
    if _listeners(before):
        told = _event(session, event, record, word, command, name=name, extra=list(extra))
        yield from _deliver(session, transaction, before, [told])


def call_text(procedure: str, parameters: Sequence[str | None]) -> str:
    """A call with the values that it was given. Its own text is not at hand."""
    given = [value for value in parameters if value is not None]
    return f"EXEC {procedure} " + ", ".join(f"N'{value.replace(chr(39), chr(39) * 2)}'" for value in given)


def _fire(session: Session, event: DdlEvent, before: CatalogSnapshot) -> Work:
    """DDL triggers run in the transaction of the statement, those of the database before those of the server. Raises
    3609."""
    triggers = [one for one in _listeners(before) if isinstance(one, Module) and _hears(one, event)]
    for trigger in in_order(triggers, event.name):
        yield from run_one(session, trigger, event.document)


# --- what happened -----------------------------------------------------------------------------------------


def _events(
    session: Session, before: CatalogSnapshot, after: CatalogSnapshot, node: Any, command: str
) -> Iterator[DdlEvent]:
    """The events of a statement, from what it changed; none when it changed nothing."""
    changed = sorted(_changed(before, after), key=lambda pair: max(record.id for record in pair if record is not None))
    own = _OWN_EVENTS.get(type(node).__name__)
    if own is not None:
        if changed or type(node).__name__ in _EVEN_WITHOUT_CHANGES:
            yield from own(session, node, changed, command)
        return
    wanted = _STATEMENTS[type(node).__name__] or _family_of_drop(node)
    for old, new in changed:
        record = new or old
        assert record is not None
        if isinstance(record, _WITHOUT_OWN_EVENT) or (isinstance(record, Table) and record.session_id):
            continue
        family = _family(record)
        if family == wanted or (not wanted and family):
            verb = "CREATE" if old is None else "DROP" if new is None else "ALTER"
            if f"{verb}_{family}" in EVENT_TYPES:
                yield _event(session, f"{verb}_{family}", record, family, command, catalog=after)


def _family_of_drop(node: Any) -> str:
    kind = getattr(node, "kind", "")
    return {"PROC": "PROCEDURE"}.get(kind, kind).replace(" ", "_") if type(node).__name__.startswith("Drop") else ""


def _changed(
    before: CatalogSnapshot, after: CatalogSnapshot
) -> Iterator[tuple[CatalogRecord | None, CatalogRecord | None]]:
    old, new = before.by_id, after.by_id
    for key, record in new.items():
        if old.get(key) is not record:
            yield old.get(key), record
    for key, record in old.items():
        if key not in new:
            yield record, None


def _family(record: CatalogRecord) -> str:
    kind = kind_of(record)
    return kind.family if kind is not None else ""


def _table_named(session: Session, name: ObjectName) -> Table | Module | None:
    """The table or view that a statement names. A temporary table has no events."""
    found = resolve(session, name, Table, Module, missing_ok=True)
    return found if isinstance(found, Table | Module) and not found.name.startswith("#") else None


def _table_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    """ALTER TABLE, whatever it does: switches a trigger, say, or what is not kept here."""
    table = _table_named(session, node.name)
    if table is not None:
        yield _event(session, "ALTER_TABLE", table, "TABLE", command)


def _part_event(session: Session, event: str, table: Table | Module, name: str, command: str) -> DdlEvent:
    """Of an index or of statistics."""
    target = [("TargetObjectName", table.name), ("TargetObjectType", _family(table))]
    return _event(session, event, table, event.split("_")[-1], command, name=name, extra=target)


def _altered_index_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    table = _table_named(session, node.table)
    if table is not None:
        yield _part_event(session, "ALTER_INDEX", table, node.index.value if node.index else "", command)


def _statistics_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    for name in node.names:
        is_drop = node.verb == "DROP"
        table = _table_named(session, ObjectName(name.parts[:-1], span=name.span) if is_drop else name)
        called = name.name if is_drop else node.name.value if node.name else ""
        if table is not None:
            yield _part_event(session, f"{node.verb}_STATISTICS", table, called, command)


def _created_index_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    table = _table_named(session, node.table)
    if table is not None:
        event = "CREATE_XML_INDEX" if node.kind.startswith(("XML", "PRIMARY XML")) else "CREATE_INDEX"
        yield _part_event(session, event, table, node.name.value, command)


def _index_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    for old, new in changed:
        if isinstance(new, Table) and isinstance(old, Table):
            for name in sorted({i.name for i in old.indexes} - {i.name for i in new.indexes}):
                yield _part_event(session, "DROP_INDEX", new, name, command)


def _permission_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    """One event for the statement, whatever number of permissions and grantees it has."""
    record = next((new or old for old, new in changed if isinstance(new or old, Permission)), None)
    if record is None:
        return
    name = f"{node.verb}_{'DATABASE' if record.database_id else 'SERVER'}"
    grantor = session.catalog.get(Principal, record.database_id, record.grantor_principal_id)
    permissions = "".join(f"<Permission>{escape_text(p.lower())}</Permission>" for p in node.permissions)
    grantees = "".join(f"<Grantee>{escape_text(p.value)}</Grantee>" for p in node.principals)
    extra = [
        ("Grantor", grantor.name if grantor is not None else ""), ("Permissions", permissions), ("Grantees", grantees),
        ("AsGrantor", node.grantor.value if node.grantor else ""), ("GrantOption", str(int(node.grant_option))),
        ("CascadeOption", str(int(node.cascade))),
    ]  # fmt: skip
    subject = next(
        (
            r
            for key, r in session.catalog.by_id.items()
            if record.major_id and key[1:] == (record.database_id, record.major_id)
        ),
        None,
    )
    name_of = subject.name if subject is not None else ""
    kind = node.securable_class or ("DATABASE" if record.database_id else "SERVER")
    yield _event(session, name, subject or record, kind, command, name=name_of, extra=extra)


def _member_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    record = next((new or old for old, new in changed if isinstance(new or old, RoleMember)), None)
    if record is None:
        return
    name = f"{'ADD' if node.add else 'DROP'}_{'SERVER_' if node.server else ''}ROLE_MEMBER"
    subject = "LOGIN" if node.server else "SQL USER"
    extra = [("RoleName", node.role.value)]
    yield _event(session, name, record, subject, command, name=node.member.value, extra=extra)


def _signature_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    record = next((new or old for old, new in changed if isinstance(new or old, Signature)), None)
    if record is not None:
        module = session.catalog.get(Module, record.database_id, record.module_id)
        yield _event(session, f"{node.verb}_SIGNATURE_SCHEMA_OBJECT", module or record, "SIGNATURE", command)


def _authorization_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    record = next((new for old, new in changed if new is not None and not isinstance(new, _WITHOUT_OWN_EVENT)), None)
    if record is not None:
        on_server = record.database_id == 0 and not isinstance(record, Database)
        name = f"ALTER_AUTHORIZATION_{'SERVER' if on_server else 'DATABASE'}"
        extra = [
            ("OwnerName", node.owner.value if node.owner else ""),
            ("OwnerType", "LOGIN" if record.database_id == 0 else "SQL USER"),
        ]
        yield _event(session, name, record, node.securable_class, command, extra=extra)


def _transfer_events(session: Session, node: Any, changed: list[Any], command: str) -> Iterator[DdlEvent]:
    """ALTER SCHEMA … TRANSFER tells of the object, in its new schema; what moves along with it has no event."""
    for old, new in changed:
        if new is not None and old is not None and new.name.lower() == node.securable.name.lower():
            yield _event(session, "ALTER_SCHEMA", new, _family(new), command)
            return


_OWN_EVENTS: dict[str, Callable[[Any, Any, list[Any], str], Iterator[DdlEvent]]] = {
    "CreateIndexStatement": _created_index_events, "AlterIndexStatement": _altered_index_events, "DropIndexStatement": _index_events,
    "StatisticsStatement": _statistics_events, "AlterTableStatement": _table_events, "PermissionStatement": _permission_events,
    "RoleMemberStatement": _member_events, "AddSignatureStatement": _signature_events,
    "AlterAuthorizationStatement": _authorization_events, "AlterSchemaStatement": _transfer_events,
}  # fmt: skip

_EVEN_WITHOUT_CHANGES = frozenset({"AlterIndexStatement", "StatisticsStatement", "AlterTableStatement"})
"""Statements that may change nothing in the catalog, and are events all the same."""

_OF_A_DATABASE = ("_AUTHORIZATION_DATABASE", "_EXTENDED_PROPERTY")
"""Events that are heard in the database when it is what they are of; CREATE_DATABASE is heard on the server alone."""
_XML = ("Permissions", "Grantees", "Parameters", "TSQLCommand")


def _event(
    session: Session,
    event: str,
    record: CatalogRecord,
    kind: str,
    command: str,
    *,
    name: str | None = None,
    extra: list[tuple[str, str]] | None = None,
    catalog: CatalogSnapshot | None = None,
) -> DdlEvent:
    """The EVENT_INSTANCE document of an event (documented order: event, session, object, command). `catalog`: what is
    so behind it, if the session does not see that."""
    catalog, instance = catalog or session.catalog, session.instance
    database_id = record.id if isinstance(record, Database) else record.database_id
    elements = [
        ("EventType", event), ("PostTime", posted_at(instance.host.now())), ("SPID", str(session.spid)),
        ("ServerName", instance.name), ("LoginName", session.login.name),
    ]  # fmt: skip
    if database_id:
        elements.append(("UserName", session.user.name))
        database = catalog.get(Database, 0, database_id) or record
        elements.append(("DatabaseName", database.name))
    schema = catalog.get(Schema, record.database_id, getattr(record, "schema_id", 0) or 0)
    if schema is not None and not isinstance(record, Schema):
        elements.append(("SchemaName", schema.name))
    if not isinstance(record, Database):
        elements += [("ObjectName", record.name if name is None else name), ("ObjectType", kind.replace("_", " "))]
    elements += _target(catalog, record)
    elements += extra or []
    options = _SET_OPTIONS.format("ON" if session.options.quoted_identifier else "OFF")
    elements.append(("TSQLCommand", f"<SetOptions {options}/><CommandText>{escape_text(command)}</CommandText>"))
    inner = "".join(f"<{key}>{value if key in _XML else escape_text(value)}</{key}>" for key, value in elements)
    level = 0 if record.database_id == 0 and not event.endswith(_OF_A_DATABASE) else database_id
    return DdlEvent(event, level, f"<EVENT_INSTANCE>{inner}</EVENT_INSTANCE>")


def _target(catalog: CatalogSnapshot, record: CatalogRecord) -> list[tuple[str, str]]:
    """The table of a DML trigger, and what an event notification watches."""
    parent_id = getattr(record, "parent_id", 0)
    parent = next(
        (r for key, r in catalog.by_id.items() if parent_id and key[1:] == (record.database_id, parent_id)), None
    )
    if parent is None:
        return []
    return [("TargetObjectName", parent.name), ("TargetObjectType", _family(parent))]
