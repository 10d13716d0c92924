"""Logins, users, roles, permissions, EXECUTE AS and REVERT, ALTER AUTHORIZATION."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from sbql.catalog.records import (
    CatalogRecord,
    Contract,
    Database,
    InstanceEndpoint,
    MessageType,
    Permission,
    Principal,
    RemoteServiceBinding,
    RoleMember,
    Route,
    Schema,
    Service,
)
from sbql.engine.execution.compiled import Step, handles
from sbql.engine.execution.compiler import Compiler
from sbql.engine.execution.conversion import convert_scalar
from sbql.engine.execution.ddl import check_right, ddl_step, owner_id
from sbql.engine.execution.scope import Frame
from sbql.engine.security import impersonate, is_sysadmin
from sbql.engine.transaction import Transaction
from sbql.grammar.ast import (
    AlterAuthorizationStatement,
    CreateLoginStatement,
    CreateRoleStatement,
    CreateUserStatement,
    ExecuteAsStatement,
    ObjectName,
    PermissionStatement,
    RevertStatement,
    RoleMemberStatement,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX

__all__ = ["basics", "drop_principal"]

_CLASSES: dict[str, type[CatalogRecord]] = {
    "MESSAGE TYPE": MessageType,
    "CONTRACT": Contract,
    "SERVICE": Service,
    "ROUTE": Route,
    "REMOTE SERVICE BINDING": RemoteServiceBinding,
    "SCHEMA": Schema,
    "USER": Principal,
    "ROLE": Principal,
    "LOGIN": Principal,
    "ENDPOINT": InstanceEndpoint,
    "DATABASE": Database,
}
_INSTANCE_CLASSES = ("LOGIN", "ENDPOINT", "SERVER", "DATABASE")


def basics(session: Any, name: str, database_id: int) -> dict[str, Any]:
    """The fields that every new record has."""
    now = session.instance.host.now()
    return {
        "id": session.catalog.next_id(), "name": name, "database_id": database_id, "create_date": now, "modify_date": now
    }  # fmt: skip


def _sid(text: str) -> bytes:
    return hashlib.sha256(text.lower().encode()).digest()[:16]


@handles(CreateLoginStatement)
def compile_login(node: CreateLoginStatement, compiler: Compiler) -> Step:
    """The password is kept as a salted hash. Windows logins are stored like any other."""

    def body(session: Any, transaction: Transaction) -> None:
        if not is_sysadmin(session.catalog, session.login):
            raise sql_error(15247)
        old = session.catalog.find(Principal, 0, node.name.value)
        if node.verb == "CREATE" and old is not None:
            raise sql_error(15025, node.name.value, span=node.name.span)
        if node.verb != "CREATE" and old is None:
            raise sql_error(15151, "alter", "login", node.name.value, span=node.name.span)
        fields = _login_fields(session, node)
        if old is not None:
            transaction.change_catalog(old, msgspec.structs.replace(old, **fields))
            return
        kind = "U" if node.source == "WINDOWS" else "C" if node.source == "CERTIFICATE" else "S"
        common = basics(session, node.name.value, 0)
        transaction.change_catalog(
            None, Principal(**common, type=kind, sid=_sid(f"login {node.name.value}"), default_schema=None, **fields)
        )

    return ddl_step(body)


def _login_fields(session: Any, node: CreateLoginStatement) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if node.source == "PASSWORD" and node.argument is not None:
        salt = session.instance.host.new_guid().bytes
        fields["password_hash"] = salt + hashlib.pbkdf2_hmac("sha256", node.argument.encode(), salt, 100_000)
    for word, value in node.options:
        if word == "DEFAULT_DATABASE":
            fields["default_database"] = value
        elif word in ("ENABLE", "DISABLE"):
            fields["is_disabled"] = word == "DISABLE"
    return fields


@handles(CreateUserStatement)
def compile_user(node: CreateUserStatement, compiler: Compiler) -> Step:
    def body(session: Any, transaction: Transaction) -> None:
        check_right(session, "ALTER ANY USER")
        old = session.catalog.find(Principal, session.database_id, node.name.value)
        if node.verb == "CREATE" and old is not None:
            raise sql_error(15023, node.name.value, span=node.name.span)
        if node.verb != "CREATE" and old is None:
            raise sql_error(15151, "alter", "user", node.name.value, span=node.name.span)
        fields: dict[str, Any] = {word.lower(): value for word, value in node.options if word == "DEFAULT_SCHEMA"}
        if old is not None:
            transaction.change_catalog(old, msgspec.structs.replace(old, **fields))
            return
        common = basics(session, node.name.value, session.database_id)
        transaction.change_catalog(None, Principal(**common, **_user_source(session, node), **fields))

    return ddl_step(body)


def _user_source(session: Any, node: CreateUserStatement) -> dict[str, Any]:
    if node.source == "WITHOUT LOGIN":
        return {"type": "S", "sid": _sid(f"user {session.database_id} {node.name.value}")}
    if node.source in ("CERTIFICATE", "ASYMMETRIC KEY"):
        return {"type": "C" if node.source == "CERTIFICATE" else "K", "sid": _sid(f"{node.source} {node.argument}")}
    login_name = node.argument or node.name.value
    login = session.catalog.find(Principal, 0, login_name)
    if login is None:
        raise sql_error(15007, login_name, span=node.name.span)
    return {"type": login.type, "sid": login.sid}


@handles(CreateRoleStatement)
def compile_role(node: CreateRoleStatement, compiler: Compiler) -> Step:
    def body(session: Any, transaction: Transaction) -> None:
        check_right(session, "CREATE ROLE")
        database_id = 0 if node.kind == "SERVER ROLE" else session.database_id
        if session.catalog.find(Principal, database_id, node.name.value) is not None:
            raise sql_error(15023, node.name.value, span=node.name.span)
        kind = "A" if node.kind == "APPLICATION ROLE" else "R"
        record = Principal(
            **basics(session, node.name.value, database_id), type=kind, default_schema=None,
            owning_principal_id=owner_id(session, node.owner),
        )  # fmt: skip
        transaction.change_catalog(None, record)

    return ddl_step(body)


def _principal(session: Any, name: str, database_id: int, words: str, span: Any) -> Principal:
    found = session.catalog.find(Principal, database_id, name)
    if found is None:
        raise sql_error(15151, "find", words, name, span=span)
    return found  # type: ignore[no-any-return]


@handles(RoleMemberStatement)
def compile_role_member(node: RoleMemberStatement, compiler: Compiler) -> Step:
    def body(session: Any, transaction: Transaction) -> None:
        database_id = 0 if node.server else session.database_id
        change_role_member(session, transaction, node.role.value, node.member.value, database_id, add=node.add)

    return ddl_step(body)


def change_role_member(session: Any, transaction: Transaction, role: str, member: str, database_id: int, *, add: bool) -> None:
    """ALTER ROLE … ADD | DROP MEMBER, sp_addrolemember and sp_droprolemember."""
    check_right(session, "ALTER ANY ROLE")
    group = _principal(session, role, database_id, "role", None)
    principal = _principal(session, member, database_id, "principal", None)
    existing = next(
        (
            m
            for m in session.catalog.all(RoleMember, database_id)
            if m.role_principal_id == group.id and m.member_principal_id == principal.id
        ),
        None,
    )
    if add and existing is None:
        name = f"{group.id}:{principal.id}"
        record = RoleMember(
            **basics(session, name, database_id), role_principal_id=group.id, member_principal_id=principal.id
        )
        transaction.change_catalog(None, record)
    elif not add:
        if existing is None:
            raise sql_error(15151, "drop", "role member", member)
        transaction.change_catalog(existing, None)


# --- permissions -------------------------------------------------------------------------------------------


def _securable(session: Any, node: PermissionStatement | AlterAuthorizationStatement) -> tuple[str, int, CatalogRecord | None]:
    """(class, id, record) of what a GRANT or ALTER AUTHORIZATION is about."""
    class_, name = node.securable_class, node.securable
    if not class_ or name is None:
        return "DATABASE", 0, None
    if class_ in ("OBJECT", "TYPE", "XML SCHEMA COLLECTION"):
        record = session.resolve(name, missing_ok=True)
        if record is None:
            raise sql_error(15151, "find", "object", str(name), span=name.span)
        return "OBJECT", record.id, record
    cls = _CLASSES.get(class_)
    if cls is None:
        return class_, 0, None
    database_id = 0 if class_ in _INSTANCE_CLASSES else session.database_id
    record = session.catalog.find(cls, database_id, name.name)
    if record is None:
        raise sql_error(15151, "find", class_.lower(), name.name, span=name.span)
    if class_ == "DATABASE":
        return "DATABASE", 0, record
    return class_, record.id, record


@handles(PermissionStatement)
def compile_permission(node: PermissionStatement, compiler: Compiler) -> Step:
    """GRANT, DENY and REVOKE: one record for each grantee and permission."""

    def body(session: Any, transaction: Transaction) -> None:
        class_, major_id, _ = _securable(session, node)
        is_server = class_ in ("SERVER", "LOGIN", "ENDPOINT") or any(
            p.startswith(("VIEW SERVER", "ALTER ANY LOGIN", "CREATE ENDPOINT", "CONTROL SERVER")) for p in node.permissions
        )
        database_id = 0 if is_server else session.database_id
        check_right(session, "CONTROL", class_, major_id)
        for principal in node.principals:
            grantee = _principal(session, principal.value, database_id, "user", principal.span)
            for permission in node.permissions:
                _change_permission(session, transaction, node, (class_, major_id, grantee.id, permission), database_id)

    return ddl_step(body)


def _change_permission(
    session: Any, transaction: Transaction, node: PermissionStatement, key: tuple[str, int, int, str], database_id: int
) -> None:
    class_, major_id, grantee, permission = key
    old = next(
        (
            p
            for p in session.catalog.all(Permission, database_id)
            if (p.class_, p.major_id, p.grantee_principal_id, p.permission) == key
        ),
        None,
    )
    if node.verb == "REVOKE":
        if old is not None:
            transaction.change_catalog(old, None)
        return
    state = "D" if node.verb == "DENY" else "W" if node.grant_option else "G"
    if old is not None:
        transaction.change_catalog(old, msgspec.structs.replace(old, state=state))
        return
    record = Permission(
        **basics(session, f"{class_}:{major_id}:{grantee}:{permission}", database_id), class_=class_, major_id=major_id,
        grantee_principal_id=grantee, grantor_principal_id=session.user.id, permission=permission, state=state,
    )  # fmt: skip
    transaction.change_catalog(None, record)


@handles(AlterAuthorizationStatement)
def compile_authorization(node: AlterAuthorizationStatement, compiler: Compiler) -> Step:
    def body(session: Any, transaction: Transaction) -> None:
        class_, _, record = _securable(session, node)
        if record is None:
            raise sql_error(40517, f"ALTER AUTHORIZATION ON {node.securable_class}", span=node.span)
        check_right(session, "TAKE OWNERSHIP", class_, record.id)
        if isinstance(record, Database):
            login = _principal(session, node.owner.value if node.owner else "", 0, "login", node.span)
            transaction.change_catalog(record, msgspec.structs.replace(record, owner_sid=login.sid))
            return
        if "principal_id" not in record.__struct_fields__:
            raise sql_error(40517, f"ALTER AUTHORIZATION ON {record.name}, which belongs to the owner of its schema", span=node.span)
        owner = owner_id(session, node.owner) if node.owner is not None else None
        transaction.change_catalog(record, msgspec.structs.replace(record, principal_id=owner))

    return ddl_step(body)


def drop_principal(session: Any, transaction: Transaction, kind: str, name: ObjectName) -> bool:
    """DROP LOGIN | USER | ROLE. False when there is none."""
    database_id = 0 if kind in ("LOGIN", "SERVER ROLE") else session.database_id
    record = session.catalog.find(Principal, database_id, name.name)
    if record is None:
        return False
    check_right(session, "ALTER ANY USER")
    if record.is_fixed_role or (record.id < 5 and database_id) or (database_id == 0 and record.id == 1):
        raise sql_error(15151, "drop", kind.lower(), name.name, span=name.span)
    for member in list(session.catalog.all(RoleMember, database_id)):
        if record.id in (member.role_principal_id, member.member_principal_id):
            transaction.change_catalog(member, None)
    for permission in list(session.catalog.all(Permission, database_id)):
        if permission.grantee_principal_id == record.id:
            transaction.change_catalog(permission, None)
    transaction.change_catalog(record, None)
    return True


# --- execution context -------------------------------------------------------------------------------------


@handles(ExecuteAsStatement)
def compile_execute_as(node: ExecuteAsStatement, compiler: Compiler) -> Step:
    name = convert_scalar(compiler.scalar(node.name), NVARCHAR_MAX).run if node.name is not None else None
    cookie = compiler.scope.lookup(node.cookie, node.span) if node.cookie is not None else None

    def run(frame: Frame) -> None:
        session = frame.session
        impersonate(session, node.kind, name(frame) if name is not None else None)
        context = session.contexts[-1]
        if cookie is not None:
            context.cookie = session.instance.host.new_guid().bytes
            frame.variables[cookie[0]] = context.cookie
        elif node.no_revert:
            context.cookie = b""

    return Step(run)


@handles(RevertStatement)
def compile_revert(node: RevertStatement, compiler: Compiler) -> Step:
    """Back to the context before an EXECUTE AS of this batch or module; nothing to go back to is no error, as on SQL Server."""
    cookie = compiler.scalar(node.cookie).run if node.cookie is not None else None

    def run(frame: Frame) -> None:
        session = frame.session
        if len(session.contexts) <= session.context_floor:
            return
        expected = session.contexts[-1].cookie
        if expected is not None and (cookie is None or cookie(frame) != expected):
            raise sql_error(15591)
        session.contexts.pop()

    return Step(run)
