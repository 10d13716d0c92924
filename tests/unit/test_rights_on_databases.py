"""Statements about databases by somebody without rights: refused at once. Nobody is ended, nothing is waited for, and
the database is as it was. Who has a right has it wherever he is."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet
from sbql.engine.session import Session
from sbql.grammar.builders import databases

_WORDS = {"number": "1", "name": "English"}
_TERMINATIONS = (
    "",
    " WITH ROLLBACK IMMEDIATE",
    " WITH ROLLBACK AFTER 0",
    " WITH ROLLBACK AFTER 5 SECONDS",
    " WITH NO_WAIT",
)
_ALONE = (
    "ENABLE_BROKER", "DISABLE_BROKER", "NEW_BROKER", "ERROR_BROKER_CONVERSATIONS", "SINGLE_USER", "RESTRICTED_USER",
    "MULTI_USER", "OFFLINE", "ONLINE", "READ_ONLY", "READ_WRITE",
)  # fmt: skip


def _each_option() -> Iterator[str]:
    """Every option of ALTER DATABASE … SET in each of its forms that has no list in parentheses."""
    for name, forms in databases._SET_OPTIONS.items():
        for form in forms:
            words = [_WORDS.get(part[0], part[0]) for part in form]
            if not any(word.startswith(("(", "…")) for word in words):
                yield " ".join((name, *words))


_ALTERED = (
    *(f"SET {option}" for option in _each_option()),
    *(f"SET {option}{how}" for option in _ALONE for how in _TERMINATIONS),
    "MODIFY NAME = Other", "COLLATE Latin1_General_CI_AS", "ADD FILEGROUP g", "REMOVE FILEGROUP g", "MODIFY FILEGROUP [PRIMARY] DEFAULT",
    "ADD FILE (NAME = f, FILENAME = 'f.ndf')", "REMOVE FILE f", "MODIFY FILE (NAME = A, SIZE = 10MB)",
)  # fmt: skip
_REFUSED = {
    **{f"ALTER DATABASE A {change}": 5011 for change in _ALTERED},
    **{f"ALTER DATABASE {name} SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE": 5011 for name in ("master", "model", "msdb", "tempdb")},
    "DROP DATABASE A": 3701, "DROP DATABASE Free": 3701,
    "EXEC sp_renamedb 'A', 'Other'": 5011, "EXEC sp_rename 'A', 'Other', 'DATABASE'": 5011, "EXEC sp_dbcmptlevel 'A', 150": 5011,
    "EXEC sp_detach_db 'A'": 15247, "EXEC sp_detach_db 'Free'": 15247,
    "ALTER AUTHORIZATION ON DATABASE::A TO lg": 15151,
    "BACKUP DATABASE A TO DISK = 'a.bak'": 262, "BACKUP LOG A TO DISK = 'a.bak' WITH NORECOVERY": 262,
    "RESTORE DATABASE Free FROM DISK = 'free.bak' WITH REPLACE": 3110, "RESTORE DATABASE A WITH RECOVERY": 3110,
    "RESTORE DATABASE A FROM DISK = 'a0.bak' WITH REPLACE": 3110,
    "RESTORE HEADERONLY FROM DISK = 'free.bak'": 262, "RESTORE FILELISTONLY FROM DISK = 'free.bak'": 262, "RESTORE VERIFYONLY FROM DISK = 'free.bak'": 262,
    "RESTORE HEADERONLY FROM DISK = 'nowhere.bak'": 262, "RESTORE DATABASE Fresh FROM DISK = 'nowhere.bak'": 262,
    "RESTORE DATABASE Fresh FROM DISK = 'free.bak'": 262, "CREATE DATABASE Fresh": 262, "CREATE DATABASE Fresh ON (FILENAME = 'x.mdf') FOR ATTACH": 262,
    "EXEC sp_attach_db 'Fresh', 'x.mdf'": 262, "EXEC sp_attach_single_file_db 'Fresh', 'x.mdf'": 262,
}  # fmt: skip
"""Statement -> the error of who lacks the right."""

_PLACES = {"lg": "master", "owner_elsewhere": "Own"}
"""Who tries, and where: a login without anything, and one who owns the database that he is in."""

_SHOWN = (
    "SELECT name, state_desc, user_access_desc, is_broker_enabled, service_broker_guid, is_read_only, is_trustworthy_on, owner_sid, "
    "compatibility_level, recovery_model_desc, collation_name FROM sys.databases ORDER BY name"
)


class _World:
    def __init__(self) -> None:
        self.instance = Instance.open(clock="virtual", seed=1)
        self.admin = self.instance.connect()
        self.admin.run(
            "CREATE DATABASE A; CREATE DATABASE Free; CREATE DATABASE Own; CREATE LOGIN lg WITH PASSWORD = 'x-1'; CREATE LOGIN maker WITH PASSWORD = 'x-1'; "
            "CREATE LOGIN owner_elsewhere WITH PASSWORD = 'x-1'; ALTER AUTHORIZATION ON DATABASE::Own TO owner_elsewhere; "
            "CREATE LOGIN inside WITH PASSWORD = 'x-1'; ALTER SERVER ROLE dbcreator ADD MEMBER maker; "
            "BACKUP DATABASE Free TO DISK = 'free.bak'; BACKUP DATABASE A TO DISK = 'a0.bak'"
        )
        self.admin.run(
            "USE A; CREATE USER inside FOR LOGIN inside; ALTER ROLE db_owner ADD MEMBER inside; CREATE TABLE T (id int)"
        )
        self.user = self.instance.connect(database="A")
        self.user.run("BEGIN TRANSACTION; INSERT T VALUES (1)")
        self.admin.run("USE master")

    def shown(self) -> list[tuple[object, ...]]:
        (rows,) = (o.rows for o in self.admin.run(_SHOWN) if isinstance(o, ResultSet))
        return [tuple(row) for row in rows]


@pytest.fixture(scope="module")
def world() -> Iterator[_World]:
    made = _World()
    yield made
    made.instance.close()


def _errors(session: Session, text: str) -> list[int]:
    return [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)]


@pytest.mark.parametrize("who", _PLACES)
@pytest.mark.parametrize("text", _REFUSED)
@pytest.mark.spec("ALTERDB-37")
def test_nobody_is_ended_by_a_statement_that_is_refused(world: _World, text: str, who: str) -> None:
    before, session = world.shown(), world.instance.connect(database=_PLACES[who], login=who)
    try:
        started = world.instance.host.now()
        outcomes = session.run(text)
        assert [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)] == [_REFUSED[text]], outcomes
        assert not [o for o in outcomes if isinstance(o, InfoMessage)], outcomes
        assert world.instance.host.now() - started < 1
    finally:
        session.close()
    (row,) = (o.rows for o in world.user.run("SELECT @@TRANCOUNT, COUNT(*) FROM T") if isinstance(o, ResultSet))
    assert [tuple(r) for r in row] == [(1, 1)]
    assert world.shown() == before


@pytest.mark.parametrize(
    ("login", "text"),
    [
        ("maker", "ALTER DATABASE Free SET DISABLE_BROKER; ALTER DATABASE Free SET ENABLE_BROKER"),
        ("maker", "EXEC sp_renamedb 'Free', 'Freed'; ALTER DATABASE Freed MODIFY NAME = Free"),
        ("maker", "CREATE DATABASE Made; DROP DATABASE Made"),
        (
            "maker",
            "RESTORE HEADERONLY FROM DISK = 'free.bak'; RESTORE FILELISTONLY FROM DISK = 'free.bak'; RESTORE VERIFYONLY FROM DISK = 'free.bak'",
        ),
        ("inside", "ALTER DATABASE A SET HONOR_BROKER_PRIORITY ON; ALTER DATABASE A SET HONOR_BROKER_PRIORITY OFF"),
        ("owner_elsewhere", "ALTER DATABASE Own SET NEW_BROKER"),
    ],
)
@pytest.mark.spec("ALTERDB-37")
def test_a_right_counts_wherever_its_holder_is(world: _World, login: str, text: str) -> None:
    session = world.instance.connect(database="master", login=login)
    try:
        assert _errors(session, text) == []
    finally:
        session.close()


_BEYOND = {
    "RESTORE DATABASE Other FROM DISK = 'other.bak' WITH REPLACE": {3110}, "RESTORE DATABASE Other WITH RECOVERY": {3110},
    "RESTORE DATABASE Fresh FROM DISK = 'other.bak'": {262}, "RESTORE HEADERONLY FROM DISK = 'other.bak'": {262},
    "CREATE DATABASE Fresh": {262}, "ALTER DATABASE Other SET RECOVERY SIMPLE": {5011}, "DROP DATABASE Other": {3701}, "USE Other": {916},
    "BACKUP DATABASE Other TO DISK = 'other.bak'": {262, 916}, "EXEC sp_detach_db 'Other'": {15247}, "EXEC sp_renamedb 'Other', 'Fresh'": {5011},
    "ALTER AUTHORIZATION ON DATABASE::Other TO helper": {15151}, "ALTER DATABASE Other SET TRUSTWORTHY ON": {5011, 15247},
    "KILL 9999": {6102}, "KILL QUERY NOTIFICATION SUBSCRIPTION ALL": {6102}, "EXEC sp_readerrorlog": {15003}, "EXEC sp_cycle_errorlog": {15003},
    "DBCC DROPCLEANBUFFERS": {2571}, "ALTER SERVER ROLE sysadmin ADD MEMBER helper": {15151}, "CREATE LOGIN fresh WITH PASSWORD = 'x-1'": {15247},
}  # fmt: skip
"""What is no business of a user of another database, and its error."""


def _confined() -> Instance:
    instance = Instance.open(clock="virtual", seed=1)
    admin = instance.connect()
    roles = ("dbcreator", "securityadmin", "processadmin", "serveradmin", "diskadmin", "setupadmin", "bulkadmin")
    assert not _errors(
        admin,
        "CREATE DATABASE Home; CREATE DATABASE Other; CREATE LOGIN owner WITH PASSWORD = 'x-1'; CREATE LOGIN helper WITH PASSWORD = 'x-1'; "
        "CREATE LOGIN boss WITH PASSWORD = 'x-1'; CREATE LOGIN plain WITH PASSWORD = 'x-1'; ALTER SERVER ROLE sysadmin ADD MEMBER boss; "
        + "".join(f"ALTER SERVER ROLE {role} ADD MEMBER helper; " for role in roles)
        + "ALTER AUTHORIZATION ON DATABASE::Home TO owner; ALTER AUTHORIZATION ON DATABASE::Other TO owner; "
        "BACKUP DATABASE Other TO DISK = 'other.bak'; USE Home; CREATE USER helper FOR LOGIN helper; CREATE USER boss FOR LOGIN boss; "
        "CREATE USER plain FOR LOGIN plain; ALTER ROLE db_owner ADD MEMBER plain",
    )
    return instance


@pytest.mark.parametrize("user", ["dbo", "helper", "boss"])
def test_a_user_of_one_database_has_no_right_of_its_login_outside(user: str) -> None:
    instance = _confined()
    try:
        for text, numbers in _BEYOND.items():
            session = instance.connect(database="Home", login="plain")
            assert not _errors(session, f"EXECUTE AS USER = '{user}'")
            found = _errors(session, text)
            assert found and found[0] in numbers, (text, found)
            session.close()
    finally:
        instance.close()


@pytest.mark.parametrize("login", ["owner", "helper", "boss"])
@pytest.mark.parametrize("is_impersonated", [False, True])
def test_who_may_restore_over_a_database_may_as_a_login(login: str, is_impersonated: bool) -> None:
    instance = _confined()
    try:
        session = instance.connect(login="sa" if is_impersonated else login)
        text = f"EXECUTE AS LOGIN = '{login}'" if is_impersonated else "PRINT ''"
        assert not _errors(session, text)
        assert not _errors(session, "RESTORE DATABASE Other FROM DISK = 'other.bak' WITH REPLACE")
        assert not _errors(session, "RESTORE DATABASE Other FROM DISK = 'other.bak' WITH REPLACE, NORECOVERY")
        assert not _errors(session, "RESTORE DATABASE Other WITH RECOVERY")
    finally:
        instance.close()


def test_the_rights_of_the_login_count_from_a_database_that_the_server_trusts() -> None:
    instance = _confined()
    try:
        admin = instance.connect()
        assert not _errors(admin, "ALTER AUTHORIZATION ON DATABASE::Home TO sa; ALTER DATABASE Home SET TRUSTWORTHY ON")
        session = instance.connect(database="Home", login="plain")
        assert not _errors(session, "EXECUTE AS USER = 'helper'")
        assert not _errors(session, "RESTORE DATABASE Other FROM DISK = 'other.bak' WITH REPLACE")
    finally:
        instance.close()
