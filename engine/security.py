"""Who may do what: logins and their users, execution contexts, permission look-ups.

Decides from catalog records alone. dbo and members of sysadmin and db_owner may everything in their scope; for all others
a DENY wins over a GRANT, and CONTROL implies every other permission on the same securable.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import CatalogRecord, Database, Module, Permission, Principal, RoleMember, Service
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker.permissions import Rights
from sbql.engine.session import ExecutionContext, Session
from sbql.grammar.errors import sql_error

__all__ = [
    "DBO", "broker_rights", "check_database_access", "check_permission", "enter_module_context", "has_permission", "impersonate",
    "is_in_server_role", "is_sysadmin", "user_of_login",
]

DBO = 1
_PUBLIC = 0
_GUEST = 2
_DB_OWNER = "db_owner"
_SYSADMIN = "sysadmin"


def _members(snapshot: CatalogSnapshot, database_id: int, member_id: int) -> set[int]:
    """The ids of all roles that a principal belongs to, directly or through roles, and public."""
    links = [(m.role_principal_id, m.member_principal_id) for m in snapshot.all(RoleMember, database_id)]
    found, todo = {_PUBLIC}, [member_id]
    while todo:
        member = todo.pop()
        for role, of in links:
            if of == member and role not in found:
                found.add(role)
                todo.append(role)
    return found


def is_sysadmin(snapshot: CatalogSnapshot, login: Principal) -> bool:
    if login.id == 1:
        return True
    role = snapshot.find(Principal, 0, _SYSADMIN)
    return role is not None and role.id in _members(snapshot, 0, login.id)


def is_in_server_role(snapshot: CatalogSnapshot, login: Principal, name: str) -> bool:
    """Whether a login is a member of a fixed server role, or may do everything anyway."""
    role = snapshot.find(Principal, 0, name)
    return is_sysadmin(snapshot, login) or (role is not None and role.id in _members(snapshot, 0, login.id))


def user_of_login(snapshot: CatalogSnapshot, login: Principal, database_id: int) -> Principal:
    """The database user of a login: dbo for sysadmins and the owner, the user with its SID, else guest."""
    dbo = snapshot.get(Principal, database_id, DBO)
    assert dbo is not None
    database = snapshot.get(Database, 0, database_id)
    if is_sysadmin(snapshot, login) or (database is not None and database.owner_sid == login.sid):
        return dbo
    for user in snapshot.all(Principal, database_id):
        if login.sid and user.sid == login.sid:
            return user
    guest = snapshot.get(Principal, database_id, _GUEST)
    return guest if guest is not None else dbo


def check_database_access(session: Session, database: Database) -> None:
    """Raises 916 when the session's login has no way into the database."""
    login = session.login
    snapshot = session.catalog
    if is_sysadmin(snapshot, login) or database.owner_sid == login.sid or database.id <= 4:
        return
    if any(login.sid and u.sid == login.sid for u in snapshot.all(Principal, database.id)):
        return
    if any(p.grantee_principal_id == _GUEST and p.permission == "CONNECT" for p in snapshot.all(Permission, database.id)):
        return
    raise sql_error(916, login.name, database.name)


def has_permission(
    snapshot: CatalogSnapshot, user: Principal, permission: str, class_: str, major_id: int, database_id: int, owner_id: int = DBO
) -> bool:
    """Whether `user` has `permission` on a securable (`class_`, `major_id`) of a database, or on all of the database."""
    if user.id == DBO or user.id == owner_id:
        return True
    roles = _members(snapshot, database_id, user.id)
    owner_role = snapshot.find(Principal, database_id, _DB_OWNER)
    if owner_role is not None and owner_role.id in roles:
        return True
    grantees = roles | {user.id}
    wanted = {permission, "CONTROL"}
    matching = [
        p
        for p in snapshot.all(Permission, database_id)
        if p.grantee_principal_id in grantees
        and p.permission in wanted
        and (p.class_, p.major_id) in ((class_, major_id), ("DATABASE", 0))
    ]
    if any(p.state == "D" and p.permission == permission for p in matching):
        return False
    return any(p.state in ("G", "W") for p in matching)


def check_permission(session: Session, permission: str, record: CatalogRecord) -> None:
    """Raises 229 when the session's user lacks `permission` on an object."""
    snapshot = session.catalog
    user = session.user
    if session.contexts[-1].database_id != record.database_id:
        user = user_of_login(snapshot, session.login, record.database_id)
    owner = getattr(record, "principal_id", None) or DBO
    if not has_permission(snapshot, user, permission, "OBJECT", record.id, record.database_id, owner):
        database = snapshot.get(Database, 0, record.database_id)
        raise sql_error(229, permission, record.name, database.name if database else "", "dbo")


def impersonate(session: Session, kind: str, name: str | None) -> None:
    """EXECUTE AS USER | LOGIN | CALLER: push a context. Raises 15517 (user) or 15406 (login) for an unknown principal."""
    snapshot, current = session.catalog, session.contexts[-1]
    if kind == "CALLER" or name is None:
        session.contexts.append(ExecutionContext(current.login, current.user, session.database_id))
        return
    if kind == "LOGIN":
        login = snapshot.find(Principal, 0, name)
        if login is None or not is_sysadmin(snapshot, current.login):
            raise sql_error(15406, name)
        session.contexts.append(ExecutionContext(login, user_of_login(snapshot, login, session.database_id), session.database_id))
        return
    user = snapshot.find(Principal, session.database_id, name)
    allowed = user is not None and has_permission(
        snapshot, current.user, "IMPERSONATE", "USER", user.id, session.database_id, owner_id=-1
    )
    if user is None or not allowed:
        raise sql_error(15517, name)
    session.contexts.append(ExecutionContext(_login_of_user(snapshot, user, current.login), user, session.database_id))


def _login_of_user(snapshot: CatalogSnapshot, user: Principal, fallback: Principal) -> Principal:
    if user.id == DBO:
        return fallback
    for login in snapshot.all(Principal, 0):
        if user.sid and login.sid == user.sid:
            return login
    return fallback


def enter_module_context(session: Session, record: Module) -> None:
    """WITH EXECUTE AS of a module, and the module's own database as the place where its names mean something."""
    snapshot = session.catalog
    if record.database_id != session.database_id:
        session.database_id = record.database_id
    if record.execute_as == "CALLER":
        caller = session.contexts[-1]
        if caller.database_id != record.database_id:
            user = user_of_login(snapshot, caller.login, record.database_id)
            session.contexts.append(ExecutionContext(caller.login, user, record.database_id))
        return
    user_id = record.execute_as_principal_id or (record.principal_id or DBO)
    owner = snapshot.get(Principal, record.database_id, user_id)
    if owner is None:
        raise sql_error(15517, record.execute_as)
    login = _login_of_user(snapshot, owner, session.contexts[-1].login)
    session.contexts.append(ExecutionContext(login, owner, record.database_id))


_CLASS_OF = {"Contract": "CONTRACT", "Service": "SERVICE", "MessageType": "MESSAGE TYPE"}


def broker_rights(session: Session) -> Rights:
    """What the broker asks of the session's current user. Built-in contracts may be used by everybody."""

    def require(permission: str, record: CatalogRecord) -> None:
        user = session.contexts[-1].user
        if user.id == DBO or (record.is_ms_shipped and permission == "REFERENCES"):
            return
        snapshot = session.catalog
        class_ = _CLASS_OF.get(type(record).__name__, "OBJECT")
        owner = getattr(record, "principal_id", None) or DBO
        if has_permission(snapshot, user, permission, class_, record.id, record.database_id, owner):
            return
        database = snapshot.get(Database, 0, record.database_id)
        raise sql_error(229, permission, record.name, database.name if database else "", "dbo")

    def may_send(principal_id: int, database_id: int, service: Service) -> bool:
        snapshot = session.catalog
        sender = snapshot.get(Principal, database_id, principal_id)
        if principal_id == DBO or sender is None:
            return True
        return has_permission(snapshot, sender, "SEND", "SERVICE", service.id, database_id, service.principal_id)

    return Rights(require, may_send, session.contexts[-1].user.id == DBO)


def context_from_principal(session: Any, principal_id: int) -> None:
    """The EXECUTE AS of a queue's activation: run as this user of the current database."""
    user = session.catalog.get(Principal, session.database_id, principal_id)
    if user is None:
        raise sql_error(15517, str(principal_id))
    login = _login_of_user(session.catalog, user, session.contexts[0].login)
    session.contexts.append(ExecutionContext(login, user, session.database_id))
