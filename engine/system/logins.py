"""Logins, users and roles in the words of SQL Server 2000: sp_addlogin, sp_adduser, sp_grantdbaccess and their like.

Each is the statement that replaced it, with its errors.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Database, Principal
from sbql.engine.describe.procedure_registry import ProcedureCall, procedure
from sbql.engine.invocation import run_text
from sbql.engine.work import Work
from sbql.grammar.errors import sql_error


def _name(value: Any) -> str:
    return "[" + str(value).replace("]", "]]") + "]"


def _text(value: Any) -> str:
    return "N'" + str(value).replace("'", "''") + "'"


def _run(call: ProcedureCall, text: str) -> Work:
    code, _, _ = yield from run_text(call.session, text)
    return code


@procedure("sp_addlogin")
def sp_addlogin(call: ProcedureCall) -> Work:
    """@loginame [, @passwd, @defdb, @deflanguage, @sid, @encryptopt]: CREATE LOGIN. Raises 15010, 15025."""
    login, password, database, _, sid, _ = call.values(
        "@loginame", "@passwd", "@defdb", "@deflanguage", "@sid", "@encryptopt", required=1
    )
    options = [f"PASSWORD = {_text(password if password is not None else '')}", "CHECK_POLICY = OFF"]
    if sid is not None:
        options.append("SID = 0x" + bytes(sid).hex())
    if database is not None:
        if call.session.catalog.find(Database, 0, str(database)) is None:
            raise sql_error(15010, database)
        options.append(f"DEFAULT_DATABASE = {_name(database)}")
    return (yield from _run(call, f"CREATE LOGIN {_name(login)} WITH {', '.join(options)}"))


@procedure("sp_droplogin", "sp_revokelogin")
def sp_droplogin(call: ProcedureCall) -> Work:
    """DROP LOGIN. Raises 15007, 15175 while a user of a database belongs to it."""
    (login,) = call.values("@loginame", required=1)
    catalog = call.session.catalog
    found = catalog.find(Principal, 0, str(login))
    if found is None or found.type == "R":
        raise sql_error(15007, login)
    if any(user.database_id and user.sid == found.sid and user.id != 1 for user in catalog.all(Principal)):
        raise sql_error(15175, login)
    return (yield from _run(call, f"DROP LOGIN {_name(login)}"))


@procedure("sp_password")
def sp_password(call: ProcedureCall) -> Work:
    """@old, @new [, @loginame]: ALTER LOGIN … WITH PASSWORD."""
    old, new, login = call.values("@old", "@new", "@loginame")
    whose = call.session.login.name if login is None else login
    proof = "" if old is None else f" OLD_PASSWORD = {_text(old)}"
    return (yield from _run(call, f"ALTER LOGIN {_name(whose)} WITH PASSWORD = {_text(new or '')}{proof}"))


@procedure("sp_defaultdb")
def sp_defaultdb(call: ProcedureCall) -> Work:
    """@loginame, @defdb: ALTER LOGIN … WITH DEFAULT_DATABASE. Raises 15010."""
    login, database = call.values("@loginame", "@defdb", required=2)
    if call.session.catalog.find(Database, 0, str(database)) is None:
        raise sql_error(15010, database)
    return (yield from _run(call, f"ALTER LOGIN {_name(login)} WITH DEFAULT_DATABASE = {_name(database)}"))


@procedure("sp_adduser", "sp_grantdbaccess")
def sp_adduser(call: ProcedureCall) -> Work:
    """@loginame [, @name_in_db [, @grpname]]: CREATE USER … FOR LOGIN. sp_adduser makes a schema of the name too."""
    parameters = ("@loginame", "@name_in_db") + (("@grpname",) if call.name == "sp_adduser" else ())
    login, *rest = call.values(*parameters, required=1)
    user = login if rest[0] is None else rest[0]
    if str(login).lower() == "guest":
        return (yield from _run(call, "GRANT CONNECT TO guest"))
    schema = "" if call.name == "sp_grantdbaccess" else f"; CREATE SCHEMA {_name(user)} AUTHORIZATION {_name(user)}"
    default = "" if call.name == "sp_grantdbaccess" else f" WITH DEFAULT_SCHEMA = {_name(user)}"
    if schema:
        schema = f"; EXEC ({_text(schema[2:])})"
    role = f"; ALTER ROLE {_name(rest[1])} ADD MEMBER {_name(user)}" if len(rest) > 1 and rest[1] is not None else ""
    return (yield from _run(call, f"CREATE USER {_name(user)} FOR LOGIN {_name(login)}{default}{schema}{role}"))


@procedure("sp_dropuser", "sp_revokedbaccess")
def sp_dropuser(call: ProcedureCall) -> Work:
    """DROP USER, with an empty schema of its name. Raises 15008."""
    (user,) = call.values("@name_in_db", required=1)
    session = call.session
    found = session.catalog.find(Principal, session.database_id, str(user))
    if found is None or found.type == "R":
        raise sql_error(15008, user)
    text = f"""IF EXISTS (SELECT * FROM sys.schemas AS s WHERE s.name = {_text(user)} AND s.principal_id = USER_ID({_text(user)})
        AND NOT EXISTS (SELECT * FROM sys.objects AS o WHERE o.schema_id = s.schema_id)) EXEC (N'DROP SCHEMA {_name(str(user).replace("'", "''"))}');
        DROP USER {_name(user)}"""
    return (yield from _run(call, text))


@procedure("sp_addrole")
def sp_addrole(call: ProcedureCall) -> Work:
    """@rolename [, @ownername]: CREATE ROLE."""
    role, owner = call.values("@rolename", "@ownername", required=1)
    return (yield from _run(call, f"CREATE ROLE {_name(role)}" + (f" AUTHORIZATION {_name(owner)}" if owner else "")))


@procedure("sp_droprole")
def sp_droprole(call: ProcedureCall) -> Work:
    """DROP ROLE. Raises 15014."""
    (role,) = call.values("@rolename", required=1)
    session = call.session
    found = session.catalog.find(Principal, session.database_id, str(role))
    if found is None or found.type != "R":
        raise sql_error(15014, role)
    return (yield from _run(call, f"DROP ROLE {_name(role)}"))


@procedure("sp_addsrvrolemember", "sp_dropsrvrolemember")
def sp_addsrvrolemember(call: ProcedureCall) -> Work:
    """@loginame, @rolename: ALTER SERVER ROLE … ADD, DROP MEMBER."""
    login, role = call.values("@loginame", "@rolename", required=2)
    verb = "ADD" if call.name == "sp_addsrvrolemember" else "DROP"
    return (yield from _run(call, f"ALTER SERVER ROLE {_name(role)} {verb} MEMBER {_name(login)}"))


@procedure("sp_changedbowner")
def sp_changedbowner(call: ProcedureCall) -> Work:
    """@loginame [, @map]: ALTER AUTHORIZATION ON DATABASE."""
    login, _ = call.values("@loginame", "@map", required=1)
    return (
        yield from _run(call, f"ALTER AUTHORIZATION ON DATABASE::{_name(call.session.database_name)} TO {_name(login)}")
    )


@procedure("sp_dbcmptlevel")
def sp_dbcmptlevel(call: ProcedureCall) -> Work:
    """@dbname [, @new_cmptlevel]: ALTER DATABASE … SET COMPATIBILITY_LEVEL, or the level as a message. Raises 15010."""
    database, level = call.values("@dbname", "@new_cmptlevel")
    record = call.session.catalog.find(Database, 0, str(database or call.session.database_name))
    if record is None:
        raise sql_error(15010, database)
    if level is None:
        call.session.print(f"The current compatibility level is {record.compatibility_level}.")
        return 0
    return (yield from _run(call, f"ALTER DATABASE {_name(record.name)} SET COMPATIBILITY_LEVEL = {int(level)}"))
