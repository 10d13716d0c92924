"""GRANT, DENY, REVOKE and ALTER AUTHORIZATION.

Decides what a statement's securable is, who counts as the grantor, which permissions fit which class (4606), and what
CASCADE takes along. What a permission is good for is engine.security's.
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from sbql.catalog.kinds import object_type, securable_kinds
from sbql.catalog.records import CatalogRecord, Database, Permission, Principal, Schema, Table
from sbql.engine.definition.ddl import basics, ddl_step, may_own, refuse_system_object
from sbql.engine.definition.principals import find_principal
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.security import has_right, may, token
from sbql.engine.security.permissions import PERMISSIONS, Securable, is_visible, securable_of
from sbql.engine.security.resolver import find_named, resolve, resolve_itself
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import AlterAuthorizationStatement, Identifier, ObjectName, PermissionStatement, Span
from sbql.grammar.errors import sql_error
from sbql.grammar.suggestions import did_you_mean

__all__ = ["change_permissions"]

_SPECIAL = ("dbo", "sys", "information_schema")
_KEEPING_OWNERS = ("master", "model", "tempdb")
_NAMED_CLASSES = frozenset(
    {
        "ASSEMBLY", "AVAILABILITY GROUP", "COLUMN ENCRYPTION KEY", "COLUMN MASTER KEY", "DATABASE SCOPED CREDENTIAL",
        "EXTERNAL LANGUAGE", "EXTERNAL LIBRARY", "FULLTEXT CATALOG", "FULLTEXT STOPLIST", "PARTITION FUNCTION",
        "PARTITION SCHEME", "SEARCH PROPERTY LIST", "SERVER", "SERVER ROLE",
    }
)  # fmt: skip
"""Classes of securables that SQL Server has and that are only named."""
_EVERYWHERE = {"CONTROL", "TAKE OWNERSHIP", "ALTER", "VIEW DEFINITION", "VIEW CHANGE TRACKING"}
_READ = {"SELECT", "REFERENCES"}
_WRITE = {"INSERT", "UPDATE", "DELETE"}
_ALL = {
    "U": ("DELETE", "INSERT", "REFERENCES", "SELECT", "UPDATE"), "V": ("DELETE", "INSERT", "REFERENCES", "SELECT", "UPDATE"),
    "SQ": ("REFERENCES", "RECEIVE", "SELECT"), "P": ("EXECUTE",), "FN": ("EXECUTE", "REFERENCES"),
    "IF": ("DELETE", "INSERT", "REFERENCES", "SELECT", "UPDATE"), "TF": ("DELETE", "INSERT", "REFERENCES", "SELECT", "UPDATE"),
    "SO": ("UPDATE",), "SN": ("SELECT",),
    "DATABASE": (
        "BACKUP DATABASE", "BACKUP LOG", "CREATE DEFAULT", "CREATE FUNCTION", "CREATE PROCEDURE", "CREATE RULE", "CREATE TABLE", "CREATE VIEW",
    ),
}  # fmt: skip
"""What ALL means, by kind of object."""


class _Target(Struct, frozen=True):
    """The securable of a statement. `record` is None for the current database and the server."""

    securable: Securable
    record: CatalogRecord | None = None


def _target(
    session: Session, class_: str, name: ObjectName | None, permissions: tuple[str, ...], *, is_itself: bool = False
) -> _Target:
    """`is_itself`: a synonym is not what it stands for."""
    if name is None:
        return _scope(session, permissions)
    words = class_.lower()
    kind = securable_kinds().get(class_)
    if kind is None and class_ != "OBJECT":
        if class_ not in _NAMED_CLASSES:
            raise sql_error(102, class_, span=name.span).advise(
                did_you_mean(class_, [*securable_kinds(), *_NAMED_CLASSES])
            )
        raise sql_error(40517, f"permissions on {class_}", span=name.span)
    if name.database and name.database.lower() != session.database_name.lower():
        raise sql_error(4610, span=name.span)
    if kind is not None:
        record = find_named(session, kind, name)
    else:
        record = resolve_itself(session, name) if is_itself else resolve(session, name, missing_ok=True)
    if class_ == "DATABASE" and record is not None and record.id != session.database_id:
        record = None
    if record is None or not is_visible(session.catalog, token(session, record.database_id), record):
        raise sql_error(15151, "find", words, str(name), span=name.span)
    return _Target(securable_of(session.catalog, record), record)


def _check_in_master(session: Session, node: PermissionStatement) -> None:
    """Raises 4621 for a securable of the server (a login, an endpoint) elsewhere than in master."""
    kind = securable_kinds().get(node.securable_class) if node.securable is not None else None
    if kind is not None and kind.on_server and node.securable_class != "DATABASE" and session.database_id != 1:
        raise sql_error(4621, span=node.span)


def _scope(session: Session, permissions: tuple[str, ...]) -> _Target:
    """Without ON: the database, or the server for permissions that only it has (in master: 4621; one scope a statement:
    4620)."""
    on_server = [p in PERMISSIONS["SERVER"] and p not in PERMISSIONS["DATABASE"] for p in permissions]
    if not any(on_server):
        return _Target(Securable("DATABASE", 0, session.database_id))
    if not all(on_server):
        raise sql_error(4620)
    if session.database_id != 1:
        raise sql_error(4621)
    return _Target(Securable("SERVER"))


def _permissions(session: Session, node: PermissionStatement, target: _Target) -> list[str]:
    """The permissions by name: ALL spelled out, each fitting the securable. Raises 102 for an unknown one, 4606,
    4619."""
    kind = _kind(target)
    found: list[str] = []
    for written in node.permissions:
        name = {"EXEC": "EXECUTE"}.get(written, written)
        if name == "ALL":
            found += _ALL.get(kind, PERMISSIONS.get(target.securable.class_, ()))
            continue
        if not any(name in known for known in PERMISSIONS.values()):
            raise sql_error(102, written.split()[0], span=node.span)
        fits = name in PERMISSIONS[target.securable.class_]
        if target.securable.class_ == "OBJECT":
            fits = (
                name in _EVERYWHERE
                or name in _ALL.get(kind, ())
                or (kind == "SN" and name in (_READ | _WRITE | {"EXECUTE"}))
            )
        if not fits:
            raise sql_error(4606, name, span=node.span)
        if name == "CREATE DATABASE" and session.database_id != 1:
            raise sql_error(4619, span=node.span)
        found.append(name)
    return found


def _kind(target: _Target) -> str:
    if target.securable.class_ == "OBJECT" and target.record is not None:
        return object_type(target.record)
    return target.securable.class_


@handles(PermissionStatement)
def compile_permission(node: PermissionStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        change_permissions(session, transaction, node)

    return ddl_step(body)


def change_permissions(session: Session, transaction: Transaction, node: PermissionStatement) -> None:
    """GRANT, DENY or REVOKE: one record for each grantor, grantee, permission and column."""
    _check_in_master(session, node)
    target = _target(session, node.securable_class, node.securable, node.permissions)
    permissions = _permissions(session, node, target)
    database_id = target.securable.database_id
    columns = _columns(target, node.columns)
    for principal in node.principals:
        grantee = find_principal(
            session, principal.value, database_id, "login" if database_id == 0 else "user", principal.span
        )
        _check_grantee(session, target, grantee, principal)
        for permission in permissions:
            grantor = _grantor(session, node, target, permission)
            for column in columns:
                key = (target.securable.class_, target.securable.id, column, permission)
                _change(session, transaction, node, key, grantee.id, grantor, database_id)


def _columns(target: _Target, names: tuple[Identifier, ...]) -> list[int]:
    """Column ids, 0 for the whole object. Raises 4615, and 40517 for the columns of a view."""
    if not names:
        return [0]
    if not isinstance(target.record, Table):
        raise sql_error(40517, "permissions on columns of anything but a table", span=names[0].span)
    ids = {column.name.lower(): column.column_id for column in target.record.columns}
    for name in names:
        if name.value.lower() not in ids:
            raise sql_error(4615, name.value, span=name.span)
    return [ids[name.value.lower()] for name in names]


def _check_grantee(session: Session, target: _Target, grantee: Principal, written: Identifier) -> None:
    """Raises 4617 for fixed roles, 4624 for dbo, sa, the owner and the current user himself."""
    if grantee.is_fixed_role:
        raise sql_error(4617, span=written.span)
    database_id = target.securable.database_id
    is_owner = target.record is not None and grantee.id == target.securable.owner_id and database_id != 0
    own = session.login.id if database_id == 0 else session.user.id
    is_special = grantee.name.lower() in _SPECIAL if database_id else grantee.id == 1
    if is_special or is_owner or (grantee.id == own and grantee.id != 1):
        raise sql_error(4624, span=written.span)


def _grantor(session: Session, node: PermissionStatement, target: _Target, permission: str) -> int:
    """In whose name: AS, the owner for whoever controls the securable, else the principal that holds the grant option.
    Raises 4613."""
    securable = target.securable
    who = token(session, securable.database_id)
    mine = (
        who.principals if who is not None and securable.database_id else who.server if who is not None else frozenset()
    )
    if target.record is None:
        controls = _controls(session, securable)
    else:
        controls = may(session, "CONTROL", target.record) or _is_security_admin(session, securable.database_id)
    owner = max(securable.owner_id, 1)
    if node.grantor is not None:
        named = find_principal(session, node.grantor.value, securable.database_id, "user", node.grantor.span)
        if named.id not in mine and not may(session, "IMPERSONATE" if named.type != "R" else "CONTROL", named):
            raise sql_error(15151, "find", "user", named.name, span=node.grantor.span)
        is_dbo = named.id == 1 and securable.database_id != 0
        if controls and (named.id == owner or is_dbo):
            return named.id
        mine = frozenset({named.id})
        controls = False
    if controls:
        return owner
    for p in session.catalog.all(Permission, securable.database_id):
        same = (p.class_, p.major_id) == (securable.class_, securable.id) and p.permission in (permission, "CONTROL")
        if same and p.state == "W" and p.grantee_principal_id in mine:
            return int(p.grantee_principal_id)
    raise sql_error(4613, span=node.span)


def _is_security_admin(session: Session, database_id: int) -> bool:
    """Members of db_securityadmin may grant anything on whatever is in their database."""
    found, role = token(session, database_id), session.catalog.find(Principal, database_id, "db_securityadmin")
    return database_id != 0 and found is not None and role is not None and role.id in found.principals


def _controls(session: Session, securable: Securable) -> bool:
    """CONTROL of the database or the server; db_securityadmin may grant in its database, securityadmin on the
    server."""
    if securable.class_ == "SERVER":
        return has_right(session, "CONTROL SERVER", "SERVER") or has_right(session, "ALTER ANY LOGIN", "SERVER")
    return (
        has_right(session, "CONTROL") or has_right(session, "ALTER ANY ROLE") and has_right(session, "VIEW DEFINITION")
    )


def _change(
    session: Session,
    transaction: Transaction,
    node: PermissionStatement,
    key: tuple[str, int, int, str],
    grantee: int,
    grantor: int,
    database_id: int,
) -> None:
    class_, major_id, minor_id, permission = key
    old = _find(session, key, grantee, grantor, database_id)
    if node.verb == "REVOKE":
        if old is None:
            return
        if old.state == "W" and not node.cascade:
            raise sql_error(4611, span=node.span)
        _cascade(session, transaction, key, grantee, database_id)
        kept = msgspec.structs.replace(old, state="G") if node.grant_option else None
        transaction.change_catalog(old, kept)
        return
    state = "D" if node.verb == "DENY" else "W" if node.grant_option else "G"
    if state == "D":
        if old is not None and old.state == "W" and not node.cascade:
            raise sql_error(4611, span=node.span)
        if node.cascade:
            _cascade(session, transaction, key, grantee, database_id)
    if old is not None:
        kept_option = old.state == "W" and state == "G"
        transaction.change_catalog(old, msgspec.structs.replace(old, state="W" if kept_option else state))
        return
    record = Permission(
        **basics(session, ":".join(map(str, (*key, grantee, grantor))), database_id), class_=class_, major_id=major_id, minor_id=minor_id,
        grantee_principal_id=grantee, grantor_principal_id=grantor, permission=permission, state=state,
    )  # fmt: skip
    transaction.change_catalog(None, record)


def _find(
    session: Session, key: tuple[str, int, int, str], grantee: int, grantor: int, database_id: int
) -> Permission | None:
    for p in session.catalog.all(Permission, database_id):
        same = (p.class_, p.major_id, p.minor_id, p.permission) == key
        if same and p.grantee_principal_id == grantee and (p.grantor_principal_id == grantor or p.state == "D"):
            return p
    return None


def _cascade(
    session: Session, transaction: Transaction, key: tuple[str, int, int, str], grantor: int, database_id: int
) -> None:
    """What the grantee has given on goes too, and what those gave on."""
    for p in list(session.catalog.all(Permission, database_id)):
        if (
            p.class_,
            p.major_id,
            p.minor_id,
            p.permission,
        ) == key and p.grantor_principal_id == grantor != p.grantee_principal_id:
            transaction.change_catalog(p, None)
            _cascade(session, transaction, key, p.grantee_principal_id, database_id)


# --- ALTER AUTHORIZATION -----------------------------------------------------------------------------------


@handles(AlterAuthorizationStatement)
def compile_authorization(node: AlterAuthorizationStatement, compiler: Compiler) -> Step:
    """A new owner, but for what the system has. Needs TAKE OWNERSHIP of the securable, and the right to make that
    principal an owner. Permissions on it go."""

    def body(session: Session, transaction: Transaction) -> None:
        class_ = node.securable_class
        if class_ == "DATABASE":
            _own_database(session, transaction, node)
            return
        record = _target(session, class_, node.securable, (), is_itself=True).record
        assert record is not None
        _refuse_system_owner(record, class_, node.span)
        field = "owning_principal_id" if isinstance(record, Principal) else "principal_id"
        if field not in record.__struct_fields__:
            raise sql_error(
                40517, f"ALTER AUTHORIZATION ON {record.name}, which belongs to the owner of its schema", span=node.span
            )
        if not may(session, "TAKE OWNERSHIP", record):
            raise sql_error(15151, "find", class_.lower(), record.name, span=node.span)
        owner: int | None = None
        if node.owner is not None:
            on_server = record.database_id == 0
            new = find_principal(
                session, node.owner.value, record.database_id, "login" if on_server else "user", node.owner.span
            )
            if not (may(session, "IMPERSONATE", new) if on_server else may_own(session, new)):
                raise sql_error(15151, "find", "user", new.name, span=node.owner.span)
            owner = new.id
        transaction.change_catalog(record, msgspec.structs.replace(record, **{field: owner}))
        class_, number = securable_of(session.catalog, record)[:2]
        for p in list(session.catalog.all(Permission, record.database_id)):
            if (p.class_, p.major_id) == (class_, number):
                transaction.change_catalog(p, None)

    return ddl_step(body)


def _refuse_system_owner(record: CatalogRecord, class_: str, span: Span) -> None:
    """Raises 9663 for a built-in object, 15150 for a fixed role and for the schemas that dbo and the system have."""
    refuse_system_object(record, "ALTER", class_.lower(), span)
    is_fixed = isinstance(record, Principal) and (record.is_fixed_role or record.name == "public")
    if is_fixed or (isinstance(record, Schema) and record.name.lower() in _SPECIAL):
        raise sql_error(15150, "alter", class_.lower(), record.name, span=span)


def _own_database(session: Session, transaction: Transaction, node: AlterAuthorizationStatement) -> None:
    record = session.catalog.find(Database, 0, node.securable.name)
    if record is None or not may(session, "TAKE OWNERSHIP", record):
        raise sql_error(15151, "find", "database", node.securable.name, span=node.span)
    if record.name in _KEEPING_OWNERS:
        raise sql_error(15109, span=node.span)
    login = find_principal(session, node.owner.value if node.owner else "", 0, "login", node.span)
    if not may(session, "IMPERSONATE", login) and login.id != session.login.id:
        raise sql_error(15151, "find", "principal", login.name, span=node.span)
    for user in session.catalog.all(Principal, record.id):
        if user.sid == login.sid and user.id != 1:
            raise sql_error(15110, span=node.span)
    transaction.change_catalog(record, msgspec.structs.replace(record, owner_sid=login.sid))
