"""Which kind of principal each statement takes: users, logins, roles of either, application roles, and what is born
with a database or server.

The words are the documents': ALTER USER and ALTER LOGIN change no roles, ALTER ROLE and ALTER SERVER ROLE nothing but
such roles, a member is a user, a login or a role that somebody has made, and modules run as users, never as roles.
"""

from __future__ import annotations

from typing import Any, Final

import pytest

from sbql.engine.outcomes import ErrorOutcome

PRINCIPALS: Final = (
    "Ann", "Readers", "Tool", "db_owner", "public", "dbo", "sys", "Kim", "Ops", "sysadmin", "sa", "Nobody",
)  # fmt: skip
"""A user, a role, an application role, four of every database; a login, a server role, two of every server; none."""

TAKEN: Final[dict[str, dict[str, int]]] = {
    "ALTER USER [{}] WITH NAME = Other": {"Ann": 0, "dbo": 15150, "sys": 15150},
    "ALTER USER [{}] WITH DEFAULT_SCHEMA = dbo": {"Ann": 0, "dbo": 15150, "sys": 15150},
    "DROP USER [{}]": {"Ann": 0},
    "ALTER ROLE [{}] WITH NAME = Other": {"Readers": 0, "db_owner": 15150, "public": 15150},
    "ALTER ROLE [{}] ADD MEMBER Ann": {"Readers": 0, "db_owner": 0, "public": 15081},
    "ALTER ROLE [{}] DROP MEMBER Bob": {"Readers": 0, "public": 15081},
    "DROP ROLE [{}]": {"Readers": 15144},
    "ALTER ROLE Writers ADD MEMBER [{}]": {
        "Ann": 0, "Readers": 0, "Tool": -1, "db_owner": 15405, "public": 15405, "dbo": 15405, "sys": 15405,
    },
    "ALTER ROLE db_owner DROP MEMBER [{}]": {"db_owner": 15405, "public": 15405, "dbo": 15405, "sys": 15405},
    "ALTER APPLICATION ROLE [{}] WITH NAME = Other": {"Tool": 0},
    "DROP APPLICATION ROLE [{}]": {"Tool": 0},
    "ALTER LOGIN [{}] WITH NAME = Other": {"Kim": 0, "sa": 0},
    "ALTER LOGIN [{}] DISABLE": {"Kim": 0, "sa": 0},
    "DROP LOGIN [{}]": {"Kim": 0},
    "ALTER SERVER ROLE [{}] WITH NAME = Other": {"Ops": 0, "sysadmin": 15150, "public": 15150},
    "ALTER SERVER ROLE [{}] ADD MEMBER Kim": {"Ops": 0, "sysadmin": 0, "public": 15081},
    "ALTER SERVER ROLE Guards ADD MEMBER [{}]": {"Kim": 0, "Ops": 0, "sysadmin": 15405, "sa": 15405, "public": 15405},
    "DROP SERVER ROLE [{}]": {"Ops": 0},
    "CREATE PROCEDURE dbo.p WITH EXECUTE AS '{}' AS RETURN 0": {"Ann": 0, "dbo": 0, "sys": -1},
    "CREATE TRIGGER t ON DATABASE WITH EXECUTE AS '{}' FOR CREATE_TABLE AS RETURN": {"Ann": 0, "dbo": 0, "sys": -1},
    "ALTER QUEUE dbo.Inbox WITH ACTIVATION (EXECUTE AS '{}')": {"Ann": 0, "dbo": 0, "sys": -1},
    "EXECUTE AS USER = '{}'": {"Ann": 0, "dbo": 0, "sys": -1},
    "EXECUTE AS LOGIN = '{}'": {"Kim": 916, "sa": 0},
}  # fmt: skip
"""0: it goes. -1: the documents do not say. Of all others there is no such principal for this statement."""
MISSING: Final = {"ALTER QUEUE": 9611, "EXECUTE AS USER": 15517, "EXECUTE AS LOGIN": 15406}
"""The error of none, where it is not 15151."""


def run(session: Any, text: str) -> list[int]:
    return [outcome.error.number for outcome in session.run(text) if isinstance(outcome, ErrorOutcome)]


@pytest.fixture
def session(instance: Any) -> Any:
    found = instance.connect()
    for text in (
        "CREATE DATABASE Shop", "USE Shop", "CREATE LOGIN Kim WITH PASSWORD = 'Secret-1'", "CREATE SERVER ROLE Ops",
        "CREATE SERVER ROLE Guards", "CREATE USER Ann WITHOUT LOGIN", "CREATE USER Bob WITHOUT LOGIN", "CREATE ROLE Readers",
        "CREATE ROLE Writers", "ALTER ROLE Readers ADD MEMBER Bob", "CREATE APPLICATION ROLE Tool WITH PASSWORD = 'Secret-1'",
        "CREATE PROCEDURE dbo.works AS RETURN 0",
        "CREATE QUEUE dbo.Inbox WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.works, MAX_QUEUE_READERS = 1, EXECUTE AS SELF)",
    ):  # fmt: skip
        assert run(found, text) == [], text
    return found


@pytest.mark.parametrize("statement", TAKEN)
def test_what_each_statement_takes(session: Any, statement: str) -> None:
    none = next((number for words, number in MISSING.items() if statement.startswith(words)), 15151)
    for name in PRINCIPALS:
        expected = TAKEN[statement].get(name, none)
        run(session, "BEGIN TRANSACTION")
        told = run(session, statement.format(name))
        run(session, "WHILE USER_NAME() <> 'dbo' REVERT; REVERT; IF @@TRANCOUNT > 0 ROLLBACK")
        if expected != -1:
            assert told == ([expected] if expected else []), name


def test_who_may_do_all_is_not_told_that_a_permission_is_missing(session: Any) -> None:
    """15151 goes on with what may be wrong. sa lacks nothing, whatever else the statement looked for."""
    statements = [one.format(name) for one in TAKEN for name in PRINCIPALS]
    assert run(session, "CREATE SERVICE [//s] ON QUEUE dbo.Inbox; CREATE CONTRACT [//c] ([DEFAULT] SENT BY ANY)") == []
    assert (
        run(session, "CREATE EVENT NOTIFICATION e ON DATABASE FOR CREATE_TABLE TO SERVICE '//s', 'current database'")
        == []
    )
    named = ("ALTER SERVICE [//s] (DROP CONTRACT [//c])", "DROP EVENT NOTIFICATION e ON QUEUE dbo.Inbox")
    heard = 0
    for statement in (*statements, *named):
        run(session, "BEGIN TRANSACTION")
        told = [outcome.error for outcome in session.run(statement) if isinstance(outcome, ErrorOutcome)]
        run(session, "WHILE USER_NAME() <> 'dbo' REVERT; REVERT; IF @@TRANCOUNT > 0 ROLLBACK")
        assert not [error for error in told if "what you lack" in error.message], statement
        heard += sum(error.number == 15151 for error in told)
    assert heard > 100
    for statement in named:
        (error,) = [one.error for one in session.run(statement) if isinstance(one, ErrorOutcome)]
        assert error.number == 15151 and "There is one of that name" in error.message
        (error,) = [
            one.error for one in session.run(f"EXECUTE AS USER = 'Ann'; {statement}") if isinstance(one, ErrorOutcome)
        ]
        run(session, "REVERT")
        assert error.number == 15151 and "There is one of that name" not in error.message


def test_no_role_is_in_itself_by_way_of_others(session: Any) -> None:
    assert (
        run(session, "CREATE ROLE Clerks; ALTER ROLE Writers ADD MEMBER Readers; ALTER ROLE Readers ADD MEMBER Clerks")
        == []
    )
    for outer, inner in (("Readers", "Readers"), ("Clerks", "Readers"), ("Clerks", "Writers"), ("Readers", "Writers")):
        assert run(session, f"ALTER ROLE {outer} ADD MEMBER {inner}") == [15413]
        assert run(session, f"EXEC sp_addrolemember '{outer}', '{inner}'") == [15413]
    assert run(session, "ALTER ROLE Writers ADD MEMBER Clerks") == []
    assert run(session, "ALTER SERVER ROLE Ops ADD MEMBER Guards; ALTER SERVER ROLE Guards ADD MEMBER Ops") == [15413]
