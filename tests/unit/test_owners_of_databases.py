"""A database belongs to the login that makes it, by whatever statement; one that is restored over keeps its owner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

_MADE = {
    "CREATE DATABASE Fresh": "",
    "CREATE DATABASE Fresh COLLATE Latin1_General_CI_AS": "",
    "RESTORE DATABASE Fresh FROM DISK = 'kept.bak'": "",
    "RESTORE DATABASE Fresh FROM DISK = 'kept.bak' WITH NEW_BROKER": "",
    "RESTORE DATABASE Fresh FROM DISK = 'kept.bak' WITH NORECOVERY; RESTORE DATABASE Fresh WITH RECOVERY": "",
    "CREATE DATABASE Fresh ON (FILENAME = 'gone.mdf') FOR ATTACH": "Gone",
    "CREATE DATABASE Fresh ON (FILENAME = 'gone.mdf') FOR ATTACH WITH NEW_BROKER": "Gone",
    "EXEC sp_attach_db 'Fresh', 'gone.mdf'": "Gone",
    "EXEC sp_attach_single_file_db 'Fresh', 'gone.mdf'": "Gone",
}
"""What makes a database, and what is detached before."""
_OWNER = "SELECT SUSER_SNAME(owner_sid) FROM sys.databases WHERE name = 'Fresh'"


@pytest.fixture
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual", seed=1)
    _run(
        opened.connect(),
        "CREATE LOGIN maker WITH PASSWORD = 'x-1'; CREATE LOGIN boss WITH PASSWORD = 'x-1'; CREATE LOGIN other WITH PASSWORD = 'x-1'; "
        "ALTER SERVER ROLE dbcreator ADD MEMBER maker; ALTER SERVER ROLE sysadmin ADD MEMBER boss; "
        "CREATE DATABASE Kept; BACKUP DATABASE Kept TO DISK = 'kept.bak'; DROP DATABASE Kept; CREATE DATABASE Gone ON (NAME = g, FILENAME = 'gone.mdf')",
    )
    yield opened
    opened.close()


def _run(session: Session, text: str) -> list[tuple[object, ...]]:
    outcomes = session.run(text)
    assert [o.error.message for o in outcomes if isinstance(o, ErrorOutcome)] == []
    return [tuple(row) for o in outcomes if isinstance(o, ResultSet) for row in o.rows]


@pytest.mark.parametrize("login", ["maker", "boss", "sa"])
@pytest.mark.parametrize("text", _MADE)
def test_a_database_belongs_to_the_login_that_makes_it(instance: Instance, text: str, login: str) -> None:
    if _MADE[text]:
        _run(instance.connect(), f"EXEC sp_detach_db '{_MADE[text]}'")
    session = instance.connect(login=login)
    _run(session, text)
    assert _run(session, _OWNER) == [(login,)]
    _run(session, "USE Fresh; CREATE TABLE t (a int); ALTER DATABASE Fresh SET ENABLE_BROKER; USE master")
    _run(session, "DROP DATABASE Fresh")


@pytest.mark.parametrize("how", ["EXECUTE AS LOGIN = 'maker'", "EXECUTE AS LOGIN = 'boss'"])
def test_who_acts_as_a_login_makes_a_database_of_that_login(instance: Instance, how: str) -> None:
    session = instance.connect()
    _run(session, f"{how}; CREATE DATABASE Fresh; REVERT")
    assert _run(session, _OWNER) == [(how.split("'")[1],)]


@pytest.mark.parametrize("login", ["maker", "boss", "sa"])
def test_a_database_that_is_restored_over_keeps_its_owner(instance: Instance, login: str) -> None:
    _run(instance.connect(), "CREATE DATABASE Fresh; ALTER AUTHORIZATION ON DATABASE::Fresh TO other")
    session = instance.connect(login=login)
    _run(session, "RESTORE DATABASE Fresh FROM DISK = 'kept.bak' WITH REPLACE")
    assert _run(instance.connect(), _OWNER) == [("other",)]


def test_a_login_that_owns_a_database_stays(instance: Instance) -> None:
    _run(instance.connect(login="maker"), "CREATE DATABASE Fresh")
    session = instance.connect()
    (error,) = [o.error.number for o in session.run("DROP LOGIN maker") if isinstance(o, ErrorOutcome)]
    assert error == 15174
    _run(session, "ALTER AUTHORIZATION ON DATABASE::Fresh TO sa; DROP LOGIN maker")
