"""Logins, users, roles, EXECUTE AS and REVERT."""

from __future__ import annotations

import hashlib
from typing import Any

import msgspec

from sbql.catalog.kinds import kind_of
from sbql.catalog.records import (
    AsymmetricKey,
    CatalogRecord,
    Certificate,
    Database,
    Module,
    Permission,
    Principal,
    RoleMember,
)
from sbql.engine.definition.ddl import Drop, basics, check_right, ddl_step, owner_id
from sbql.engine.ports import Session, Transaction
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.conversion import convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import has_right, impersonate, may
from sbql.engine.security.logins import given_hash, password_hash
from sbql.engine.security.new_passwords import new_password
from sbql.engine.steps import Step, handles
from sbql.grammar.ast import (
    CreateLoginStatement,
    CreateRoleStatement,
    CreateUserStatement,
    ExecuteAsStatement,
    ObjectName,
    RevertStatement,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.types import NVARCHAR_MAX
from sbql.grammar.values.languages import language_named

"""Options of logins without effect: there is no password policy."""

_TYPE_WORDS = {"R": "role", "A": "application role"} | dict.fromkeys("SUCK", "user")

_UNALTERABLE_USERS = frozenset({1, 3, 4})
"""dbo, INFORMATION_SCHEMA and sys."""

__all__ = ["DROP", "find_principal"]


def _sid(text: str) -> bytes:
    return hashlib.sha256(text.lower().encode("utf-8", "surrogatepass")).digest()[:16]


@handles(CreateLoginStatement)
def compile_login(node: CreateLoginStatement, compiler: Compiler) -> Step:
    """The password is kept as a salted hash. Nobody asks a domain whether the account of a Windows login exists."""

    def body(session: Session, transaction: Transaction) -> None:
        if not has_right(session, "ALTER ANY LOGIN", "SERVER"):
            if node.verb != "CREATE":
                raise sql_error(15151, "alter", "login", node.name.value, span=node.name.span)
            raise sql_error(15247)
        old = session.catalog.find(Principal, 0, node.name.value)
        if node.verb == "CREATE" and old is not None:
            raise sql_error(15025, node.name.value, span=node.name.span)
        if node.verb != "CREATE" and (old is None or not old.is_single):
            raise sql_error(15151, "alter", "login", node.name.value, span=node.name.span)
        fields = _login_fields(session, node)
        if old is not None and "name" in fields:
            _check_new_name(session, old, fields["name"], 15025)
            _check_login_name(fields["name"], old.type, node.span)
        if old is not None:
            transaction.change_catalog(old, msgspec.structs.replace(old, **fields))
            return
        kind = "U" if node.source == "WINDOWS" else "C" if node.source == "CERTIFICATE" else "S"
        _check_login_name(node.name.value, kind, node.name.span)
        common = basics(session, node.name.value, 0)
        made: dict[str, Any] = {"type": kind, "sid": _sid(f"login {node.name.value}"), "default_schema": None}
        if node.source in ("CERTIFICATE", "ASYMMETRIC KEY"):
            made = _mapped_key(session, 1, node)
        made |= fields
        if any(other.sid == made["sid"] for other in session.catalog.all(Principal, 0)):
            raise sql_error(15433)
        transaction.change_catalog(None, Principal(**common, **made))

    return ddl_step(body)


def _check_login_name(name: str, kind: str, span: Any) -> None:
    """An account of Windows is DOMAIN\\name (15407), no SQL login is (15006): who is who at a glance."""
    domain, backslash, account = name.partition("\\")
    if kind == "U" and not (domain and account and "\\" not in account):
        raise sql_error(15407, name, span=span)
    if kind == "S" and backslash:
        raise sql_error(15006, name, span=span)


def _login_fields(session: Session, node: CreateLoginStatement) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    if node.source == "PASSWORD" and node.argument is not None:
        is_hashed = ("HASHED", "") in node.options
        salt = session.instance.host.new_guid().bytes
        fields["password_hash"] = (
            given_hash(node.argument) if is_hashed else password_hash(new_password(node.argument), salt)
        )
    for word, value in node.options:
        if word == "DEFAULT_DATABASE":
            if session.catalog.find(Database, 0, value) is None:
                raise sql_error(15010, value, span=node.span)
            fields["default_database"] = value
        elif word == "DEFAULT_LANGUAGE":
            fields["default_language"] = _language(value, node)
        elif word in ("ENABLE", "DISABLE"):
            fields["is_disabled"] = word == "DISABLE"
        elif word == "NAME":
            fields["name"] = value
        elif word == "SID":
            fields["sid"] = bytes.fromhex(value[2:])
        elif word == "CREDENTIAL":
            raise sql_error(40517, "credentials", span=node.span)
    return fields


def _language(name: str, node: CreateLoginStatement | CreateUserStatement) -> str:
    """Its official name. Raises 15033."""
    found = language_named(name)
    if found is None:
        raise sql_error(15033, name, span=node.span)
    return found.name


def _is_builtin(record: Principal) -> bool:
    """Every database or server has it under this name. sa may be called otherwise."""
    of_databases = bool(record.database_id) and record.id < 5
    return record.is_fixed_role or of_databases or (record.type == "R" and record.name == "public")


def _check_new_name(session: Session, record: Principal, name: str, taken: int) -> None:
    """Raises 15150 for a principal that every database has, `taken` when the name is another's."""
    if _is_builtin(record):
        raise sql_error(15150, "alter", _TYPE_WORDS[record.type], record.name)
    other = session.catalog.find(Principal, record.database_id, name)
    if other is not None and other.id != record.id:
        raise sql_error(taken, name)


@handles(CreateUserStatement)
def compile_user(node: CreateUserStatement, compiler: Compiler) -> Step:
    def body(session: Session, transaction: Transaction) -> None:
        old = session.catalog.find(Principal, session.database_id, node.name.value)
        if node.verb == "CREATE" and old is not None:
            raise sql_error(15023, node.name.value, span=node.name.span)
        if node.verb != "CREATE" and (old is None or not old.is_single or not may(session, "ALTER", old)):
            raise sql_error(15151, "alter", "user", node.name.value, span=node.name.span)
        if old is None:
            check_right(session, "ALTER ANY USER")
        elif old.id in _UNALTERABLE_USERS:
            raise sql_error(15150, "alter", "user", old.name)
        fields = _user_fields(session, node)
        if old is not None:
            if "name" in fields:
                _check_new_name(session, old, fields["name"], 15023)
            transaction.change_catalog(old, msgspec.structs.replace(old, **fields))
            return
        common = basics(session, node.name.value, session.database_id)
        transaction.change_catalog(None, Principal(**common, **_user_source(session, node), **fields))

    return ddl_step(body)


def _user_fields(session: Session, node: CreateUserStatement) -> dict[str, Any]:
    """Raises 15007, 15063 for the login of ALTER USER, 33233 for a password: no database is contained."""
    fields: dict[str, Any] = {}
    for word, value in node.options:
        if word == "DEFAULT_SCHEMA":
            fields["default_schema"] = None if value == "NULL" else value
        elif word == "NAME":
            fields["name"] = value
        elif word == "LOGIN":
            fields["sid"] = _free_login(session, value, node).sid
        elif word == "PASSWORD":
            raise sql_error(33233, span=node.span)
        elif word == "DEFAULT_LANGUAGE" and value != "NONE" and not value.isdecimal():
            _language(value, node)
    return fields


def _free_login(session: Session, name: str, node: CreateUserStatement) -> Principal:
    """A login for which the database has no other user. Raises 15007, 15063."""
    login = session.catalog.find(Principal, 0, name)
    if login is None:
        raise sql_error(15007, name, span=node.name.span)
    users = session.catalog.all(Principal, session.database_id)
    if any(user.sid == login.sid and user.name.lower() != node.name.value.lower() for user in users):
        raise sql_error(15063, span=node.name.span)
    return login


def _user_source(session: Session, node: CreateUserStatement) -> dict[str, Any]:
    if node.source == "WITHOUT LOGIN":
        return {"type": "S", "sid": _sid(f"user {session.database_id} {node.name.value}")}
    if node.source in ("CERTIFICATE", "ASYMMETRIC KEY"):
        return _mapped_key(session, session.database_id, node)
    login = _free_login(session, node.argument or node.name.value, node)
    return {"type": login.type, "sid": login.sid}


def _mapped_key(session: Session, database_id: int, node: CreateUserStatement | CreateLoginStatement) -> dict[str, Any]:
    """A user or login of a certificate or asymmetric key of the database: nobody connects as it, what it signed has its
    rights."""
    kind: type[Certificate] | type[AsymmetricKey] = Certificate if node.source == "CERTIFICATE" else AsymmetricKey
    key = session.catalog.find(kind, database_id, node.argument or "")
    if key is None:
        raise sql_error(15151, "find", node.source.lower(), node.argument, span=node.span)
    return {
        "type": "C" if kind is Certificate else "K",
        "sid": b"\x01" + key.thumbprint,
        "certificate_id": key.id,
        "default_schema": None,
    }


@handles(CreateRoleStatement)
def compile_role(node: CreateRoleStatement, compiler: Compiler) -> Step:
    def create(session: Session, transaction: Transaction) -> None:
        on_server = node.kind == "SERVER ROLE"
        if on_server:
            check_right(session, "CREATE SERVER ROLE", "SERVER")
        else:
            check_right(session, "ALTER ANY APPLICATION ROLE" if node.kind == "APPLICATION ROLE" else "CREATE ROLE")
        database_id = 0 if on_server else session.database_id
        if session.catalog.find(Principal, database_id, node.name.value) is not None:
            raise sql_error(15023, node.name.value, span=node.name.span)
        kind = "A" if node.kind == "APPLICATION ROLE" else "R"
        record = Principal(
            **basics(session, node.name.value, database_id), type=kind, default_schema=None,
            owning_principal_id=_server_owner(session, node) if on_server else owner_id(session, node.owner),
        )  # fmt: skip
        transaction.change_catalog(None, record)

    def alter(session: Session, transaction: Transaction) -> None:
        database_id = 0 if node.kind == "SERVER ROLE" else session.database_id
        record = session.catalog.find(Principal, database_id, node.name.value)
        kind = "A" if node.kind == "APPLICATION ROLE" else "R"
        if record is None or record.type != kind or not may(session, "ALTER", record):
            raise sql_error(15151, "alter", node.kind.lower(), node.name.value, span=node.name.span)
        fields: dict[str, Any] = {}
        for word, value in node.options:
            if word == "NAME":
                _check_new_name(session, record, value, 15023)
                fields["name"] = value
            elif word == "DEFAULT_SCHEMA":
                fields["default_schema"] = value
        transaction.change_catalog(record, msgspec.structs.replace(record, **fields))

    return ddl_step(create if node.verb == "CREATE" else alter)


def _server_owner(session: Session, node: CreateRoleStatement) -> int:
    if node.owner is None:
        return session.login.id
    return find_principal(session, node.owner.value, 0, "login", node.owner.span).id


def find_principal(session: Session, name: str, database_id: int, words: str, span: Any) -> Principal:
    """The principal of this name in the database, 0 for a login. `words`: what it is called in error 15151, which is
    raised when there is none."""
    found = session.catalog.find(Principal, database_id, name)
    if found is None:
        raise sql_error(15151, "find", words, name, span=span)
    return found


def _check_owns_nothing(session: Session, record: Principal, name: ObjectName) -> None:
    """Raises 15138 (schemas and other objects), 15421 (roles), 15144 (a role with members), 15284 (who has granted),
    15174 (databases), 15136 (modules run as it)."""
    catalog, database_id = session.catalog, record.database_id
    if database_id == 0:
        owned = [d.name for d in catalog.all(Database) if record.sid and d.owner_sid == record.sid]
        if owned:
            raise sql_error(15174, record.name, ", ".join(owned), span=name.span)
    for other in catalog.records():
        if other.database_id != database_id:
            continue
        if isinstance(other, Principal):
            if other.owning_principal_id == record.id:
                raise sql_error(
                    15421 if database_id else 15141, *(() if database_id else ("server role",)), span=name.span
                )
        elif isinstance(other, RoleMember):
            if other.role_principal_id == record.id and record.type == "R":
                raise sql_error(15144, span=name.span)
        elif isinstance(other, Permission):
            if other.grantor_principal_id == record.id != other.grantee_principal_id:
                raise sql_error(*((15284,) if database_id else (15173, record.name)), span=name.span)
        elif isinstance(other, Module) and other.execute_as_principal_id == record.id:
            raise sql_error(15136, span=name.span)
        elif getattr(other, "principal_id", None) == record.id and not (
            database_id == 0 and isinstance(other, Database)
        ):
            raise (
                sql_error(15138, _noun(other), span=name.span)
                if database_id
                else sql_error(15141, _noun(other), span=name.span)
            )


def _noun(record: CatalogRecord) -> str:
    kind = kind_of(record)
    return kind.noun if kind is not None else "object"


def _may_drop(session: Session, record: Principal) -> bool:
    is_sa = record.database_id == 0 and record.id == 1
    needed = "CONTROL" if record.type == "R" and record.database_id == 0 else "ALTER"
    return not _is_builtin(record) and not is_sa and may(session, needed, record)


def _forget(session: Session, transaction: Transaction, record: Principal) -> None:
    """What is granted to a principal goes with it, and what it is a member of."""
    for member in list(session.catalog.all(RoleMember, record.database_id)):
        if record.id in (member.role_principal_id, member.member_principal_id):
            transaction.change_catalog(member, None)
    for permission in list(session.catalog.all(Permission, record.database_id)):
        if permission.grantee_principal_id == record.id:
            transaction.change_catalog(permission, None)


DROP = Drop(may=_may_drop, refuse=_check_owns_nothing, effect=_forget)


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
    """Back to the context before an EXECUTE AS of this batch or module; nothing to go back to is no error, as on SQL
    Server."""
    cookie = compiler.scalar(node.cookie).run if node.cookie is not None else None

    def run(frame: Frame) -> None:
        session = frame.session
        if len(session.contexts) <= session.context_floor:
            return
        expected = session.contexts[-1].cookie
        if expected is not None and (cookie is None or cookie(frame) != expected):
            raise sql_error(15591)
        if session.database_id != session.contexts[-1].made_in:
            raise sql_error(15199, "EXECUTE AS")
        session.contexts.pop()

    return Step(run)
