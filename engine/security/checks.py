"""Permissions asked by a session: the checks that raise, execution contexts of statements and modules, what a user sees
of the catalog.

Decides which error a missing right is (229, 230, 262, 300, 916, 15151, 15247), where an unbroken chain of owners makes
the question unnecessary, and what EXECUTE AS pushes. What a permission follows from is `permissions`.
"""

from __future__ import annotations

import msgspec

from sbql.catalog.records import (
    AsymmetricKey,
    CatalogRecord,
    Certificate,
    Database,
    Module,
    Principal,
    Schema,
    Signature,
)
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.permissions import Rights
from sbql.engine.execution_context import SA, ExecutionContext
from sbql.engine.ports import Session
from sbql.engine.security.context import (
    DBO,
    Token,
    has_access,
    login_of_user,
    token_of,
    user_in,
    user_of_login,
)
from sbql.engine.security.owners import owner_rights
from sbql.engine.security.permissions import Securable, allowed, is_visible, owner_of, securable_of
from sbql.grammar.ast import ObjectName, Span
from sbql.grammar.errors import SqlError, sql_error

__all__ = [
    "broker_rights",
    "check_alter",
    "check_database_access",
    "check_permission",
    "context_from_principal",
    "denied",
    "enter_module_context",
    "has_right",
    "impersonate",
    "is_database_owner",
    "is_in_server_role",
    "may",
    "may_alter",
    "no_way_in",
    "require",
    "same_owner",
    "token",
    "user_in_database",
    "visible_catalog",
]


def token(session: Session, database_id: int | None = None) -> Token | None:
    """Who the session is in a database (the current one unless another is given)."""
    return token_of(session.contexts[-1], session.catalog, session.database_id if database_id is None else database_id)


def may(session: Session, permission: str, record: CatalogRecord) -> bool:
    """Whether the session has a permission on what a record describes."""
    context = session.contexts[-1]
    if context.is_sa:
        return True
    snapshot = session.catalog
    securable = securable_of(snapshot, record)
    return allowed(snapshot, token_of(context, snapshot, securable.database_id), permission, securable)


def has_right(session: Session, permission: str, class_: str = "DATABASE", major_id: int = 0, owner: int = -1) -> bool:
    """Whether the session has a permission on a securable of the current database, or on the server (class SERVER,
    LOGIN, ENDPOINT)."""
    context = session.contexts[-1]
    if context.is_sa:
        return True
    is_server = class_ in ("SERVER", "LOGIN", "SERVER ROLE", "ENDPOINT")
    database_id = 0 if is_server else session.database_id
    schema_id = 0
    if class_ in ("OBJECT", "TYPE", "XML SCHEMA COLLECTION"):
        schema_id = next(
            (getattr(r, "schema_id", 0) for k, r in session.catalog.by_id.items() if k[1:] == (database_id, major_id)),
            0,
        )
    securable = Securable(class_, major_id, database_id, owner, schema_id)
    return allowed(session.catalog, token_of(context, session.catalog, database_id), permission, securable)


def require(session: Session, permission: str, record: CatalogRecord, span: Span | None = None) -> None:
    """Raises 229 (objects and broker objects) or 15151 when the session's user lacks a permission; 916 without a way
    in."""
    if not may(session, permission, record):
        raise denied(session, permission, record, span)


def denied(session: Session, permission: str, record: CatalogRecord, span: Span | None = None) -> SqlError:
    """The error of a missing permission: 229, or 916 when the database itself is closed to the user."""
    snapshot = session.catalog
    database = snapshot.get(Database, 0, record.database_id)
    assert database is not None
    if not has_access(session.contexts[-1], snapshot, database.id):
        return no_way_in(session.contexts[-1], snapshot, database, span)
    schema = snapshot.get(Schema, record.database_id, getattr(record, "schema_id", 0))
    return sql_error(
        229, permission, record.name, database.name, schema.name if schema is not None else "dbo", span=span
    )


def may_alter(session: Session, record: CatalogRecord) -> bool:
    """Whether the session may ALTER a table or view; a temporary one is its own."""
    return bool(getattr(record, "session_id", 0)) or may(session, "ALTER", record)


def check_alter(session: Session, record: CatalogRecord, name: ObjectName) -> None:
    """For what changes the definition of a table or view, or all of its rows. No chain of owners makes that
    unnecessary. Raises 1088 without ALTER on it, as if it were not there; 916 without a way into its database."""
    if may_alter(session, record):
        return
    database = session.catalog.get(Database, 0, record.database_id)
    if database is not None:
        check_database_access(session, database)
    raise sql_error(1088, str(name), span=name.span)


def no_way_in(
    context: ExecutionContext, snapshot: CatalogSnapshot, database: Database, span: Span | None = None
) -> SqlError:
    """Error 916 and the way out: of EXECUTE AS USER and activation TRUSTWORTHY or a certificate, of a login a user."""
    home = snapshot.get(Database, 0, context.scope) if context.scope is not None else None
    error = sql_error(916, context.login.name, database.name, span=span)
    if home is None:
        return error.advise(f"Give it a user: CREATE USER ... FOR LOGIN in {database.name}.")
    return error.advise(
        f"The session acts as a user of {home.name}, who counts there only. ALTER DATABASE {home.name} SET TRUSTWORTHY ON, "
        "or sign the procedure with a certificate whose user may AUTHENTICATE in the other database."
    )


def same_owner(snapshot: CatalogSnapshot, module: Module | None, record: CatalogRecord) -> bool:
    """An unbroken chain: the module that runs and what it uses have one owner, so nobody asks for rights. Between
    databases chains hold only with DB_CHAINING on both sides."""
    if module is None or owner_of(snapshot, module) != owner_of(snapshot, record):
        return False
    if module.database_id == record.database_id:
        return True
    both = [snapshot.get(Database, 0, module.database_id), snapshot.get(Database, 0, record.database_id)]
    owners = set()
    for database in both:
        if database is None or database.options.get("DB_CHAINING", "OFF").upper() != "ON":
            return False
        owner = snapshot.get(Principal, database.id, owner_of(snapshot, module))
        owners.add(database.owner_sid if owner is None or owner.id == DBO else owner.sid)
    return len(owners) == 1


def check_permission(session: Session, permission: str, record: CatalogRecord, caller: Module | None = None) -> None:
    """Raises 229 when the session's user lacks `permission` on an object which `caller`, the module that runs, does not
    own too."""
    if session.contexts[-1].is_sa or may(session, permission, record) or same_owner(session.catalog, caller, record):
        return
    raise denied(session, permission, record)


def check_database_access(session: Session, database: Database) -> None:
    """Raises 916 when the session has no way into the database."""
    if not has_access(session.contexts[-1], session.catalog, database.id):
        raise no_way_in(session.contexts[-1], session.catalog, database)


def user_in_database(session: Session, database: Database) -> Principal:
    """The user that the session becomes by USE. Raises 916."""
    user = user_in(session.contexts[-1], session.catalog, database.id)
    if user is None:
        raise no_way_in(session.contexts[-1], session.catalog, database)
    return user


def is_in_server_role(session: Session, name: str) -> bool:
    """Whether the session is a member of a fixed server role, or may do everything anyway. Roles of the login do not
    count where it acts as a user of a database, unless the server trusts that database."""
    server = token(session, 0)
    role = session.catalog.find(Principal, 0, name)
    return server is not None and (server.is_sysadmin or (role is not None and role.id in server.server))


def visible_catalog(session: Session) -> CatalogSnapshot:
    """The catalog as far as the session's user may see it: everything for sysadmin, else what metadata visibility
    leaves."""
    context, snapshot = session.contexts[-1], session.catalog
    if context.is_sa:
        return snapshot
    server = token_of(context, snapshot, 0)
    if server is not None and server.is_sysadmin:
        return snapshot
    kept: dict[tuple[object, ...], CatalogSnapshot] = snapshot.derived.setdefault("visible", {})
    key = (context.login, context.user, context.database_id, context.scope, context.signers)
    found = kept.get(key)
    if found is None:
        found = CatalogSnapshot.of(
            _shown(snapshot, context, r)
            for r in snapshot.records()
            if is_visible(snapshot, token_of(context, snapshot, r.database_id), r)
        )
        kept[key] = found
    return found


def _shown(snapshot: CatalogSnapshot, context: ExecutionContext, record: CatalogRecord) -> CatalogRecord:
    """A record as a user sees it who has some permission on it: the text of a module only with VIEW DEFINITION."""
    if isinstance(record, Module):
        token = token_of(context, snapshot, record.database_id)
        if not allowed(snapshot, token, "VIEW DEFINITION", securable_of(snapshot, record)):
            return msgspec.structs.replace(record, definition="")
    return record


# --- EXECUTE AS --------------------------------------------------------------------------------------------


def impersonate(session: Session, kind: str, name: str | None) -> None:
    """EXECUTE AS USER | LOGIN | CALLER: push a context. Raises 15517 (user) or 15406 (login) for an unknown
    principal."""
    snapshot, current = session.catalog, session.contexts[-1]
    if kind == "CALLER" or name is None:
        session.contexts.append(current.moved(current.user, session.database_id))
        return
    if kind == "LOGIN":
        login = snapshot.find(Principal, 0, name)
        if login is None or login.type == "R" or not may(session, "IMPERSONATE", login):
            raise sql_error(15406, name)
        user = user_in(ExecutionContext(login, login, -1), snapshot, session.database_id)
        if user is None:
            raise no_way_in(ExecutionContext(login, login, -1), snapshot, session.database)
        session.contexts.append(ExecutionContext(login, user, session.database_id))
        return
    user = snapshot.find(Principal, session.database_id, name)
    if user is None or user.type in ("R", "A", "C", "K") or not _may_impersonate(session, user):
        raise sql_error(15517, name)
    session.contexts.append(
        ExecutionContext(login_of_user(snapshot, user), user, session.database_id, scope=session.database_id)
    )


def _may_impersonate(session: Session, user: Principal) -> bool:
    return session.user.id == user.id or may(session, "IMPERSONATE", user)


def enter_module_context(session: Session, record: Module) -> None:
    """WITH EXECUTE AS of a module, its signatures, and its own database as the place where its names mean something.
    Raises 916 when the caller has no way into that database, 15517 when the user of EXECUTE AS is gone."""
    snapshot, caller = session.catalog, session.contexts[-1]
    signers = _signers_of(snapshot, record, caller.signers)
    if record.execute_as == "CALLER":
        if caller.database_id != record.database_id:
            user = user_in(caller, snapshot, record.database_id)
            if user is None:
                database = snapshot.get(Database, 0, record.database_id)
                assert database is not None
                raise no_way_in(caller, snapshot, database)
            session.contexts.append(caller.moved(user, record.database_id))
            caller = session.contexts[-1]
        if signers != caller.signers:
            session.contexts.append(caller.signed(signers))
    elif record.scope == "SERVER":
        session.contexts.append(_context_of_login(snapshot, record, signers))
    else:
        user_id = record.execute_as_principal_id or owner_of(snapshot, record)
        owner = snapshot.get(Principal, record.database_id, user_id)
        if owner is None or owner.type == "R":
            raise sql_error(15517, owner.name if owner is not None else record.execute_as)
        login = login_of_user(snapshot, owner)
        session.contexts.append(ExecutionContext(login, owner, record.database_id, record.database_id, signers=signers))


def _context_of_login(snapshot: CatalogSnapshot, record: Module, signers: frozenset[bytes]) -> ExecutionContext:
    """WITH EXECUTE AS of a trigger of the server: a login, in every database. Raises 15517 when it is gone."""
    login = snapshot.get(Principal, 0, record.execute_as_principal_id or SA)
    if login is None:
        raise sql_error(15517, record.execute_as)
    user = user_of_login(snapshot, login, record.database_id)
    return ExecutionContext(login, user, record.database_id, signers=signers)


def _signers_of(snapshot: CatalogSnapshot, record: Module, caller: frozenset[bytes]) -> frozenset[bytes]:
    """The keys that signed a module: its signatures, and those counter signatures that the calling module has as
    signatures."""
    kept: dict[int, list[tuple[bytes, bool]]] | None = snapshot.derived.get("signatures")
    if kept is None:
        kept = {}
        for signature in snapshot.all(Signature):
            key: Certificate | AsymmetricKey | None = snapshot.get(
                Certificate, signature.database_id, signature.certificate_id
            )
            key = key or snapshot.get(AsymmetricKey, signature.database_id, signature.certificate_id)
            if key is not None:
                kept.setdefault(signature.module_id, []).append((key.thumbprint, signature.is_counter_signature))
        snapshot.derived["signatures"] = kept
    found = kept.get(record.id)
    if not found:
        return frozenset()
    return frozenset(thumbprint for thumbprint, is_counter in found if not is_counter or thumbprint in caller)


def context_from_principal(session: Session, principal_id: int) -> None:
    """The EXECUTE AS of a queue's activation: run as this user of the current database."""
    user = session.catalog.get(Principal, session.database_id, principal_id)
    if user is None or user.type == "R":
        raise sql_error(15517, user.name if user is not None else str(principal_id))
    login = login_of_user(session.catalog, user)
    session.contexts.append(ExecutionContext(login, user, session.database_id, scope=session.database_id))


# --- the broker's questions --------------------------------------------------------------------------------


def broker_rights(session: Session) -> Rights:
    """What the broker asks of the session's current user. Built-in contracts may be used by everybody."""

    def ask(permission: str, record: CatalogRecord) -> None:
        if session.contexts[-1].is_sa or (record.is_ms_shipped and permission == "REFERENCES"):
            return
        module = session.running_module
        if not may(session, permission, record) and not same_owner(session.catalog, module, record):
            raise denied(session, permission, record)

    owners = owner_rights(lambda: session.catalog, session.instance.host.now)
    return msgspec.structs.replace(owners, require=ask, is_privileged=lambda: is_database_owner(session))


def is_database_owner(session: Session, database_id: int | None = None) -> bool:
    """Whether the session is dbo of a database (the current one), a member of its db_owner, or sysadmin."""
    found = token(session, database_id)
    role = session.catalog.find(Principal, session.database_id if database_id is None else database_id, "db_owner")
    return found is not None and (
        found.is_dbo or found.is_sysadmin or (role is not None and role.id in found.principals)
    )
