"""Security functions: who the session is, and what it may do (documentation: "Security functions").

Principals of the server have database id 0 in the catalog. The rules of permissions are engine.security's.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.kinds import securable_kinds
from sbql.catalog.records import Database, Permission, Principal, RoleMember
from sbql.engine.functions.metadata import find_object, parsed_name
from sbql.engine.functions.strings import name_parts
from sbql.engine.ports import Session
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.security import check_database_access, has_right, may
from sbql.engine.security.permissions import PERMISSIONS, securable_of
from sbql.engine.security.reads import check_columns
from sbql.engine.security.resolver import find_named
from sbql.grammar.errors import SqlError
from sbql.grammar.types import INT, NVARCHAR_MAX, SYSNAME, XML, varbinary

_SERVER = 0
_DBO = 1


def _principal(frame: Frame, database_id: int, name: str) -> Principal | None:
    """Blanks at the end of a name do not count, as in every comparison."""
    found: Principal | None = frame.session.catalog.find(Principal, database_id, name.rstrip(" "))
    return found


def _by_id(frame: Frame, database_id: int, principal_id: int) -> Principal | None:
    found: Principal | None = frame.session.catalog.get(Principal, database_id, principal_id)
    return found


def _user_name(frame: Frame) -> str:
    return str(frame.session.user.name)


for _name in ("USER", "CURRENT_USER", "SESSION_USER"):
    function(_name, SYSNAME, needs_frame=True)(_user_name)


@function("USER_NAME", SYSNAME, [INT], optional=1, needs_frame=True)
def _user_name_of(frame: Frame, principal_id: int | None = None) -> str | None:
    if principal_id is None:
        return _user_name(frame)
    found = _by_id(frame, frame.session.database_id, principal_id)
    return found.name if found is not None else None


def _user_id(frame: Frame, name: str | None = None) -> int | None:
    if name is None:
        return int(frame.session.user.id)
    found = _principal(frame, frame.session.database_id, name)
    return found.id if found is not None else None


function("USER_ID", INT, [SYSNAME], optional=1, needs_frame=True)(_user_id)
function("DATABASE_PRINCIPAL_ID", INT, [SYSNAME], optional=1, needs_frame=True)(_user_id)


@function("SYSTEM_USER", SYSNAME, needs_frame=True)
def _system_user(frame: Frame) -> str:
    return str(frame.session.login.name)


@function("ORIGINAL_LOGIN", SYSNAME, needs_frame=True)
def _original_login(frame: Frame) -> str:
    """Who connected, whatever EXECUTE AS says."""
    return str(frame.session.contexts[0].login.name)


@function("SUSER_NAME", SYSNAME, [INT], optional=1, needs_frame=True)
def _suser_name(frame: Frame, principal_id: int | None = None) -> str | None:
    if principal_id is None:
        return str(frame.session.login.name)
    found = _by_id(frame, _SERVER, principal_id)
    return found.name if found is not None else None


@function("SUSER_SNAME", SYSNAME, [varbinary(85)], optional=1, needs_frame=True)
def _suser_sname(frame: Frame, sid: bytes | None = None) -> str | None:
    if sid is None:
        return str(frame.session.login.name)
    return next((p.name for p in frame.session.catalog.all(Principal, _SERVER) if p.sid == sid), None)


@function("SUSER_SID", varbinary(85), [SYSNAME, INT], optional=2, needs_frame=True)
def _suser_sid(frame: Frame, name: str | None = None, check: int = 0) -> bytes | None:
    if name is None:
        return bytes(frame.session.login.sid)
    found = _principal(frame, _SERVER, name)
    return found.sid if found is not None else None


@function("SUSER_ID", INT, [SYSNAME], optional=1, needs_frame=True)
def _suser_id(frame: Frame, name: str | None = None) -> int | None:
    if name is None:
        return int(frame.session.login.id)
    found = _principal(frame, _SERVER, name)
    return found.id if found is not None else None


def _roles(frame: Frame, database_id: int, member_id: int) -> set[int]:
    """Ids of the roles of a principal, nested ones too."""
    links = [(m.role_principal_id, m.member_principal_id) for m in frame.session.catalog.all(RoleMember, database_id)]
    found: set[int] = set()
    todo = [member_id]
    while todo:
        member = todo.pop()
        for role, of in links:
            if of == member and role not in found:
                found.add(role)
                todo.append(role)
    return found


def _is_member(frame: Frame, database_id: int, role_name: str, member: Any) -> int | None:
    role = _principal(frame, database_id, role_name)
    if role is None or role.type != "R":
        return 1 if role is not None and member is not None and role.id == member.id else None
    if member is None:
        return None
    if role.name.lower() == "public":
        return 1
    if role.id in _roles(frame, database_id, member.id):
        return 1
    # dbo is in every fixed role of its database, sa in every one of the server.
    return int(member.id == _DBO and role.is_fixed_role and role.name.lower() in ("db_owner", "sysadmin"))


@function("IS_MEMBER", INT, [SYSNAME], needs_frame=True)
def _is_member_of(frame: Frame, role: str) -> int | None:
    return _is_member(frame, frame.session.database_id, role, frame.session.user)


@function("IS_ROLEMEMBER", INT, [SYSNAME, SYSNAME], optional=1, needs_frame=True)
def _is_rolemember(frame: Frame, role: str, name: str | None = None) -> int | None:
    database_id = frame.session.database_id
    member = frame.session.user if name is None else _principal(frame, database_id, name)
    return _is_member(frame, database_id, role, member)


@function("IS_SRVROLEMEMBER", INT, [SYSNAME, SYSNAME], optional=1, needs_frame=True)
def _is_srvrolemember(frame: Frame, role: str, login: str | None = None) -> int | None:
    member = frame.session.login if login is None else _principal(frame, _SERVER, login)
    return _is_member(frame, _SERVER, role, member)


@function("HAS_DBACCESS", INT, [SYSNAME], needs_frame=True)
def _has_dbaccess(frame: Frame, database: str) -> int | None:
    found = frame.session.catalog.find(Database, _SERVER, database.rstrip(" "))
    if found is None:
        return None
    try:
        check_database_access(frame.session, found)
    except SqlError:
        return 0
    return 1


def securable_record(frame: Frame, name: str, class_name: str) -> Any:
    """The record of a securable by class word and name; None when there is none."""
    session = frame.session
    if class_name == "OBJECT":
        return find_object(frame, name)
    kind = securable_kinds().get(class_name)
    parsed = parsed_name(name)
    return find_named(session, kind, parsed) if kind is not None and parsed is not None else None


def _has_column(record: Any, name: str | None, class_name: str | None = None) -> bool:
    """Whether a sub-securable is there: a column, the only class of them; NULL means the securable itself."""
    if name is None:
        return True
    columns = getattr(record, "columns", ())
    wanted = "".join(name_parts(name)[-1:]).lower()
    return (class_name or "").upper() == "COLUMN" and any(c.name.lower() == wanted for c in columns)


@function(
    "HAS_PERMS_BY_NAME",
    INT,
    [NVARCHAR_MAX, SYSNAME, SYSNAME, SYSNAME, SYSNAME],
    optional=2,
    null_on_null=False,
    needs_frame=True,
)
def _has_perms_by_name(
    frame: Frame, securable: str | None, class_name: str | None, permission: str | None, *sub: str | None
) -> int | None:
    """1 or 0; NULL for a securable, class or permission that is not there. ANY is any permission at all."""
    if permission is None:
        return None
    session, wanted = frame.session, permission.upper()
    if securable is None or class_name is None:
        kind = "DATABASE" if (class_name or "").upper() == "DATABASE" else "SERVER"
        names = PERMISSIONS[kind] if wanted == "ANY" else (wanted,)
        return (
            int(any(has_right(session, name, kind) for name in names)) if set(names) <= set(PERMISSIONS[kind]) else None
        )
    found = securable_record(frame, securable, class_name.upper())
    if found is None:
        return None
    if sub and not _has_column(found, *sub):
        return None
    known = PERMISSIONS[securable_of(session.catalog, found).class_]
    names = known if wanted == "ANY" else (wanted,)
    if not set(names) <= set(known):
        return None
    columns = name_parts(sub[0])[-1:] if sub and sub[0] is not None else []
    return int(any(_may(session, name, found, columns) for name in names))


def _may(session: Session, permission: str, record: Any, columns: list[str]) -> bool:
    """A column may be granted or denied alone."""
    if not columns:
        return may(session, permission, record)
    try:
        check_columns(session, permission, record, [name.lower() for name in columns])
    except SqlError:
        return False
    return True


@function("PERMISSIONS", INT, [INT, SYSNAME], optional=2, needs_frame=True)
def _permissions(frame: Frame, *ignored: Any) -> int:
    """The old bit map: everything for dbo, what is granted for others."""
    bits = {"SELECT": 1, "UPDATE": 2, "REFERENCES": 4, "INSERT": 8, "DELETE": 16, "EXECUTE": 32}
    if frame.session.user.id == _DBO:
        return sum(bits.values())
    granted = frame.session.catalog.all(Permission, frame.session.database_id)
    mine = {p.permission for p in granted if p.grantee_principal_id == frame.session.user.id and p.state in ("G", "W")}
    return sum(bit for name, bit in bits.items() if name in mine)


@function("EVENTDATA", XML, needs_frame=True, deterministic=False)
def _eventdata(frame: Frame) -> Any:
    """The EVENT_INSTANCE of the event that fired the running DDL trigger; NULL anywhere else."""
    return frame.event_data


@function("PWDCOMPARE", INT, [NVARCHAR_MAX, varbinary(128), INT], optional=1)
def _pwdcompare(password: str, digest: bytes, version: int = 0) -> int:
    return int(_password_hash(password, digest[2:6]) == digest)


def _password_hash(password: str, salt: bytes) -> bytes:
    """The layout of SQL Server 2012 and later: version, salt, SHA-512 of password and salt."""
    import hashlib

    return b"\x02\x00" + salt + hashlib.sha512(password.encode("utf-16-le", "surrogatepass") + salt).digest()


@function("PWDENCRYPT", varbinary(128), [SYSNAME], needs_frame=True)
def _pwdencrypt(frame: Frame, password: str) -> bytes:
    salt = int(frame.session.instance.host.random() * 2**32).to_bytes(4, "big")
    return _password_hash(password, salt)
