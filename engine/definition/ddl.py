"""What all DDL statements share: one autocommit statement around them, the schema lock, names and owners.

Decides nothing about any object class. A definition is checked against the transaction's own snapshot after the lock is
held, so that two sessions cannot create the same name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from msgspec import Struct

from sbql.catalog.kinds import Kind, kind_of_class
from sbql.catalog.records import CatalogRecord, Principal, Schema
from sbql.engine.broker.begin_dialog import MAX_SERVICE_NAME
from sbql.engine.broker.holdings import MustWait
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import has_right, may, token, visible_catalog
from sbql.engine.security.resolver import database_of
from sbql.engine.steps import Step
from sbql.engine.tables.definitions import find_schema, name_taken, new_object_id
from sbql.engine.work import Work
from sbql.grammar.ast import ExecuteAsClause, Identifier, ObjectName, Span
from sbql.grammar.errors import sql_error

__all__ = [
    "Drop",
    "basics",
    "broker_effect",
    "check_record",
    "check_right",
    "check_service_name",
    "ddl_step",
    "execute_as_fields",
    "existing",
    "in_new_place",
    "may_alter_any",
    "may_control",
    "may_drop",
    "may_own",
    "owner_id",
    "refuse_bound",
    "refuse_existing",
    "refuse_system_object",
]

R = TypeVar("R", bound=CatalogRecord)


def ddl_step(body: Callable[[Any, Transaction], Any]) -> Step:
    """A step that runs `body(session, transaction)` under the schema lock. `body` may be a generator function."""

    def run(frame: Frame) -> Work:
        session = frame.session
        with session.statement() as transaction:
            yield from transaction.lock_schema()
            with session.names_of_user():
                result = body(session, transaction)
                if result is not None:
                    yield from result
        return 0

    return Step(run, waits=True)


def broker_effect(session: Session, transaction: Transaction, operation: Callable[[BrokerTransaction], None]) -> Work:
    """What a definition, or whoever else is no statement of the broker, does to running conversations, waiting
    for the groups that others hold."""
    while True:
        try:
            with session.instance.broker.mutex:
                operation(transaction.broker)
            return
        except MustWait as wait:
            resource = wait.resource
        yield from transaction.lock(resource)


def basics(session: Session, name: str, database_id: int | None = None) -> dict[str, Any]:
    """The fields that every new record has; of the current database when none is given."""
    now = session.instance.host.now()
    home = session.database_id if database_id is None else database_id
    return {"id": session.catalog.next_id(), "name": name, "database_id": home, "create_date": now, "modify_date": now}


def in_new_place(session: Session, name: ObjectName) -> dict[str, Any]:
    """The fields of a new schema object, where its name points. Raises 911, 2760,
    2714 for a name that any object has."""
    database = database_of(session, name)
    schema = find_schema(session, database, name)
    if name_taken(session.catalog, database.id, schema.id, name.name):
        raise sql_error(2714, name.name, span=name.span)
    fields = basics(session, name.name, database.id)
    return fields | {"id": new_object_id(session.catalog)(), "schema_id": schema.id}


def refuse_existing(
    session: Session, cls: type[CatalogRecord], name: Identifier, database_id: int | None = None
) -> None:
    """Raises the error of a name that is taken, which each kind of objects has."""
    if session.catalog.find(cls, session.database_id if database_id is None else database_id, name.value) is not None:
        raise sql_error(_kind(cls).taken, name.value, span=name.span)


def existing(session: Session, cls: type[R], name: Identifier) -> R:
    """The record of the current database by name. Raises 15151."""
    found = session.catalog.find(cls, session.database_id, name.value)
    if found is None:
        raise sql_error(15151, "find", _kind(cls).noun, name.value, span=name.span)
    return found


def _kind(cls: type[CatalogRecord]) -> Kind:
    kind = kind_of_class(cls)
    assert kind is not None, cls
    return kind


def owner_id(session: Session, owner: Identifier | None) -> int:
    """AUTHORIZATION: the principal's id; the current user when left out. Raises 15151."""
    if owner is None:
        return session.user.id
    found = session.catalog.find(Principal, session.database_id, owner.value)
    if found is None or not may_own(session, found):
        raise sql_error(15151, "find", "user", owner.value, span=owner.span)
    return found.id


def may_own(session: Session, principal: Principal) -> bool:
    """Whether the current user may make this principal an owner: himself, a role he is in, a user he may
    IMPERSONATE."""
    found = token(session)
    if found is None or principal.id in found.principals:
        return found is not None
    return may(session, "ALTER" if principal.type in ("R", "A") else "IMPERSONATE", principal)


def refuse_system_object(record: CatalogRecord, verb: str, class_name: str, span: Span) -> None:
    """Built-in objects cannot be altered (9663) or dropped (3708)."""
    if record.is_ms_shipped:
        if verb == "DROP":
            raise sql_error(3708, "drop", class_name, record.name, class_name, span=span)
        raise sql_error(9663, span=span)


def refuse_bound(
    session: Session, dropped: tuple[str, str], words: str, users: Iterable[CatalogRecord], span: Span
) -> None:
    """Raises 3716 when anything (`words`: contracts, services …) uses what is to be dropped (class and name), with
    the names that the user may see."""
    found = list(users)
    if found:
        visible = visible_catalog(session)
        names = [r.name for r in found if r.name and visible.get(type(r), r.database_id, r.id) is not None]
        error = sql_error(3716, *dropped, words, span=span)
        raise error.advise(f"Drop or change first: {', '.join(names)}." if names else "")


def check_right(
    session: Session,
    permission: str,
    class_: str = "DATABASE",
    major_id: int = 0,
    owner: int = 1,
    named: tuple[str, str, str] | None = None,
) -> None:
    """Raises 262 (CREATE …), 15151 (`named`: verb, class and name of what exists), or 15247 when the current user may
    not do this in the current database."""
    if not has_right(session, permission, class_, major_id, owner):
        if class_ == "DATABASE" and permission.startswith("CREATE "):
            raise sql_error(262, permission, session.database_name)
        if named is not None:
            raise sql_error(15151, *named)
        raise sql_error(15247)


def check_service_name(name: str, span: Span) -> None:
    """Raises 8412 for a name in a string that no service can have: BEGIN DIALOG would refuse it."""
    if not 0 < len(name) <= MAX_SERVICE_NAME:
        raise sql_error(8412, name, span=span)


def may_alter_any(session: Session, record: Any) -> bool:
    """The owner, and whoever may ALTER ANY of its kind."""
    return has_right(session, f"ALTER ANY {_kind(type(record)).words}", owner=record.principal_id)


def may_control(session: Session, record: CatalogRecord) -> bool:
    """The owner, and whoever has CONTROL of it or may ALTER it."""
    return may(session, "CONTROL", record) or may(session, "ALTER", record)


def may_drop(session: Session, record: CatalogRecord) -> bool:
    """A schema object goes with CONTROL on it or ALTER on its schema."""
    schema = session.catalog.get(Schema, record.database_id, getattr(record, "schema_id", 0))
    return may(session, "CONTROL", record) or (schema is not None and may(session, "ALTER", schema))


def check_record(
    session: Session, permission: str, record: CatalogRecord, verb: str, words: str, span: Span | None = None
) -> None:
    """Raises 15151 (cannot find it, or no permission) when the current user lacks a permission on what a record
    describes."""
    if not may(session, permission, record):
        raise sql_error(15151, verb, words, record.name, span=span)


class Drop(Struct, frozen=True, kw_only=True):
    """How DROP goes with a kind of objects. `missing`: the error of what is not there, or not for the user
    to drop. `may`: who is allowed to. `refuse` raises what keeps it: who uses it. `effect` is what else
    happens, before the record goes."""

    missing: int = 15151
    may: Callable[[Session, Any], bool] = may_drop
    refuse: Callable[[Session, Any, ObjectName], None] = lambda session, record, name: None
    effect: Callable[[Session, Transaction, Any], Work | None] = lambda session, transaction, record: None


def execute_as_fields(
    session: Session, clause: ExecuteAsClause | None, *, of_server: bool = False
) -> tuple[str, int | None]:
    """EXECUTE AS of a module, as its record keeps it; triggers of the server name a login. Raises
    15151 for an unknown user or login, and for a role."""
    if clause is None or clause.kind == "CALLER":
        return "CALLER", None
    if clause.kind == "SELF":
        return "SELF", session.login.id if of_server else session.user.id
    if clause.kind == "OWNER":
        return "OWNER", None
    user = session.catalog.find(Principal, 0 if of_server else session.database_id, clause.name or "")
    if user is None or not user.is_single:
        raise sql_error(15151, "execute as", "login" if of_server else "user", clause.name, span=clause.span)
    return user.name, user.id
