"""Users and roles: the older ways to change who is in a role, and the lists of both."""

from __future__ import annotations

from sbql.catalog.records import Principal
from sbql.engine.execution.system_procedures.registry import ProcedureCall, procedure, show
from sbql.engine.steps import Work
from sbql.grammar.errors import sql_error


@procedure("sp_addrolemember")
def sp_addrolemember(call: ProcedureCall) -> Work:
    role, member = call.values("@rolename", "@membername", required=2)
    yield from _role_member(call, role, member, add=True)
    return 0


@procedure("sp_droprolemember")
def sp_droprolemember(call: ProcedureCall) -> Work:
    role, member = call.values("@rolename", "@membername", required=2)
    yield from _role_member(call, role, member, add=False)
    return 0


def _role_member(call: ProcedureCall, role: str, member: str, *, add: bool) -> Work:
    from sbql.engine.execution.handlers.principals import change_role_member

    session = call.session
    with session.statement() as transaction:
        yield from transaction.lock_schema()
        change_role_member(session, transaction, role, member, session.database_id, add=add)


_USERS = """
SELECT u.name AS UserName, ISNULL(r.name, 'public') AS RoleName, SUSER_SNAME(u.sid) AS LoginName,
    CASE WHEN SUSER_SNAME(u.sid) IS NULL THEN NULL ELSE (SELECT p.default_database_name FROM sys.server_principals AS p WHERE p.sid = u.sid) END
        AS DefDBName,
    u.default_schema_name AS DefSchemaName, CAST(u.principal_id AS char(10)) AS UserID, u.sid AS SID
FROM sys.database_principals AS u
LEFT JOIN sys.database_role_members AS m ON m.member_principal_id = u.principal_id
LEFT JOIN sys.database_principals AS r ON r.principal_id = m.role_principal_id
WHERE u.type <> 'R' AND (@name IS NULL OR u.name = @name) ORDER BY UserName, RoleName"""

_MEMBERS_OF = """
SELECT r.name AS Role_name, r.principal_id AS Role_id, u.name AS Users_in_role, u.principal_id AS Userid
FROM sys.database_role_members AS m
JOIN sys.database_principals AS r ON r.principal_id = m.role_principal_id
JOIN sys.database_principals AS u ON u.principal_id = m.member_principal_id
WHERE r.name = @name ORDER BY Users_in_role"""

_ROLES = """
SELECT r.name AS RoleName, r.principal_id AS RoleId, 0 AS IsAppRole FROM sys.database_principals AS r
WHERE r.type = 'R' AND (@name IS NULL OR r.name = @name) ORDER BY RoleId"""

_ROLE_MEMBERS = """
SELECT r.name AS DbRole, u.name AS MemberName, u.sid AS MemberSID
FROM sys.database_role_members AS m
JOIN sys.database_principals AS r ON r.principal_id = m.role_principal_id
JOIN sys.database_principals AS u ON u.principal_id = m.member_principal_id
WHERE @name IS NULL OR r.name = @name ORDER BY DbRole, MemberName"""


@procedure("sp_helpuser")
def sp_helpuser(call: ProcedureCall) -> Work:
    """The users of the database with their roles; of a role, its members. Raises 15198."""
    (name,) = call.values("@name_in_db")
    found = _principal(call, name)
    if name is not None and found is None:
        raise sql_error(15198, name)
    is_role = found is not None and found.type == "R"
    return (yield from show(call, _MEMBERS_OF if is_role else _USERS, name=name))


@procedure("sp_helprole")
def sp_helprole(call: ProcedureCall) -> Work:
    """The roles of the database. Raises 15409."""
    (name,) = call.values("@rolename")
    _check_role(call, name)
    return (yield from show(call, _ROLES, name=name))


@procedure("sp_helprolemember")
def sp_helprolemember(call: ProcedureCall) -> Work:
    """Who is in the roles of the database. Raises 15409."""
    (name,) = call.values("@rolename")
    _check_role(call, name)
    return (yield from show(call, _ROLE_MEMBERS, name=name))


def _check_role(call: ProcedureCall, name: str | None) -> None:
    found = _principal(call, name)
    if name is not None and (found is None or found.type != "R"):
        raise sql_error(15409, name)


def _principal(call: ProcedureCall, name: str | None) -> Principal | None:
    return None if name is None else call.session.catalog.find(Principal, call.session.database_id, str(name))
