"""A misspelled option or value is refused with its number, and nothing has changed; what needs the catalog is looked
up. The other forms: tests/grammar/test_options_of_statements.py."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

_SETUP = (
    "CREATE DATABASE d", "USE d", "CREATE TABLE t (a int NOT NULL PRIMARY KEY, b int)", "CREATE INDEX i ON t (b)", "CREATE LOGIN l WITH PASSWORD = 'Secret-1'",
    "CREATE PROCEDURE p AS SELECT 1 AS a", "CREATE DATABASE kept", "ALTER DATABASE d SET TRUSTWORTHY ON", "CREATE QUEUE q",
)  # fmt: skip

_SHOWN = (
    ("SELECT name, is_trustworthy_on, is_honor_broker_priority_on, recovery_model_desc, delayed_durability_desc, compatibility_level, collation_name, "
    "is_read_committed_snapshot_on, page_verify_option_desc, is_query_store_on, is_broker_enabled, is_local_cursor_default, user_access_desc, state_desc FROM sys.databases"),
    "SELECT name, type FROM sys.objects WHERE is_ms_shipped = 0 ORDER BY name",
    "SELECT name, default_database_name, default_language_name FROM sys.server_principals ORDER BY name",
    "SELECT name, type FROM sys.database_principals ORDER BY name",
    "SELECT name, type, ignore_dup_key FROM sys.indexes WHERE object_id = OBJECT_ID('t') ORDER BY name",
    "SELECT name FROM sys.filegroups ORDER BY name",
    "SELECT name, state_desc FROM sys.endpoints ORDER BY name",
)  # fmt: skip

_REFUSED = {
    "ALTER DATABASE d SET TRUSTWORTHY offf": 102, "ALTER DATABASE d SET HONOR_BROKER_PRIORITY maybe": 102, "ALTER DATABASE d SET RECOVERY simpel": 102,
    "ALTER DATABASE d SET DELAYED_DURABILITY = disbled": 102, "ALTER DATABASE d SET COMPATIBILITY_LEVEL = 77": 15048,
    "ALTER DATABASE d SET COMPATIBILITY_LEVEL = 95": 15048, "ALTER DATABASE d SET COMPATIBILITY_LEVEL 150": 102, "CREATE DATABASE g WITH nosuch": 102,
    "ALTER DATABASE d SET TRUSTWORTHY = on": 102, "ALTER DATABASE d SET TRUSTWORTHY": 102, "ALTER DATABASE d SET ENABLE_BROKER on": 156,
    "ALTER DATABASE d SET READ_COMMITTED_SNAPSHOT": 102, "ALTER DATABASE d SET CURSOR_DEFAULT nowhere": 102, "ALTER DATABASE d SET QUERY_STORE = bogus": 102,
    "ALTER DATABASE d SET PAGE_VERIFY foo": 102, "ALTER DATABASE d SET ENABLE_BROKERS": 102, "ALTER DATABASE d SET TRUSTWORTHY OFF, RECOVERY simpel": 102,
    "CREATE DATABASE g COLLATE nosuch_collation": 448, "ALTER DATABASE d COLLATE nosuch_collation": 448, "CREATE DATABASE g CONTAINMENT = partly": 102,
    "CREATE DATABASE g FOR ATACH": 102, "ALTER DATABASE d ADD FILEGROUP g CONTAINS nosuch": 102, "ALTER DATABASE d SET SINGLE_USER WITH ROLLBACK NOW": 102,
    "CREATE VIEW v WITH SCHEMABINDNG AS SELECT 1 AS a": 102, "CREATE VIEW v WITH RECOMPILE AS SELECT 1 AS a": 102, "CREATE PROC x WITH encrypton AS SELECT 1": 102,
    "ALTER PROC p WITH foo, bar AS SELECT 1": 102, "CREATE FUNCTION f () RETURNS int WITH schemabindng AS BEGIN RETURN 1 END": 102,
    "CREATE TRIGGER tg ON t WITH encrypton FOR INSERT AS SELECT 1": 102, "CREATE PROC x WITH INLINE = ON AS SELECT 1": 102,
    "DBCC nosuch": 2526, "DBCC CHEKDB": 2526, "DBCC CHECKDB (d, NOINDX)": 2560, "DBCC SHRINKDATABASE (d, 10, foo)": 2560, "DBCC CHECKDB WITH foo": 155,
    "DBCC CHECKDB WITH NO_INFOMSGS = 3": 102, "DBCC CHECKDB WITH MAXDOP": 102,
    "UPDATE STATISTICS nope": 2706, "UPDATE STATISTICS t WITH FULLSCAM": 102, "CREATE STATISTICS s ON nope (a)": 1088, "CREATE STATISTICS s ON t (nope)": 1911,
    "DROP STATISTICS nope.s": 3701, "DROP STATISTICS t.i": 3739,
    "CREATE INDEX j ON t (b) WITH (PAD_INDX = ON)": 155, "CREATE INDEX j ON t (b) WITH (PAD_INDEX = maybe)": 102, "CREATE INDEX j ON t (b) WITH (FILLFACTOR = 101)": 129,
    "CREATE INDEX j ON t (b) WITH (FILLFACTOR = 0)": 129, "ALTER INDEX i ON t DISABEL": 102, "ALTER INDEX i ON t SET (IGNORE_DUP_KEY = offf)": 102,
    "CREATE TABLE u (a int) WITH (LOCK_ESCALATON = AUTO)": 155,
    "CREATE LOGIN m WITH PASSWORD = 'Secret-1', CHECK_POLICY = maybe": 102, "CREATE LOGIN m WITH PASSWORD = 'Secret-1', DEFAULT_DATABASE = nope": 15010,
    "ALTER LOGIN l WITH DEFAULT_DATABASE = nope": 15010, "CREATE LOGIN m WITH PASSWORD = 'Secret-1', DEFAULT_LANGUAGE = nope": 15033,
    "CREATE USER u WITHOUT LOGIN WITH DEFAULT_LANGUAGE = nope": 15033, "CREATE LOGIN m WITH DEFAULT_DATABASE = d": 102,
    "CREATE APPLICATION ROLE r WITH PASSWRD = 'x'": 102, "GRANT SELECT ON OBJCT::t TO public": 102, "GRANT SELECT ON ASSEMBLY::t TO public": 40517,
    "CREATE ENDPOINT e STATE = STRTED AS TCP (LISTENER_PORT = 4999) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)": 102,
    "CREATE ENDPOINT e AS TCP (LISTENER_PORT = 4999, LISTENER_IP = (nowhere)) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)": 102,
    "CREATE ENDPOINT e AS TCP (LISTENER_PORT = 4999, ENCRYPTION = DISABLED) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)": 102,
    "BACKUP DATABASE kept TO DISK = 'k.bak' WITH STATS = many": 102, "BACKUP DATABASE kept TO DISK = 'k.bak' WITH INIT = 3": 102, "BACKUP DATABASE kept TO DISK = 'k.bak' WITH NAME": 102,
    "BACKUP DATABASE kept TO DISK = 'k.bak' WITH INITT": 155, "RESTORE DATABASE e FROM DISK = 'k.bak' WITH RECOVERY = 1": 102, "RESTORE DATABASE e FROM DISK = 'k.bak' WITH FILE": 102,
    "BULK INSERT t FROM 'x.csv' WITH (FISTROW = 1)": 102, "BULK INSERT t FROM 'x.csv' WITH (FORMAT = 'CVS')": 102, "BULK INSERT t FROM 'x.csv' WITH (DATAFILETYPE = 'chr')": 102,
    "BULK INSERT t FROM 'x.csv' WITH (FORMATFILE = 'x')": 40517, "SELECT * FROM OPENROWSET(BULK 'x', SINGLE_BLOBB) AS x": 102, "SELECT * FROM OPENROWSET(BULK 'x', SINGLE_BLOB = 1) AS x": 102,
    "INSERT BULK t (a int) WITH (TABLOCKK)": 102, "CREATE TABLE u (a int, b datetime2 GENERATED ALWAYS AS ROWW START)": 102,
    "CREATE TABLE u (a int, b datetime2 GENERATED ALWAYS AS ROW STRT)": 102, "CREATE TABLE u (a int, b datetime2 GENERATED ALWAYS AS ROW END)": 40517,
    "SET FIPS_FLAGGER nowhere": 102, "SET QUERY_GOVERNOR_COST_LIMIT few": 2743, "SET FORCEPLAN maybe": 102, "SET STATISTICS IOO ON": 195,
    "ALTER DATABASE SCOPED CONFIGURATION SET MAXDOPP = 4": 102, "ALTER DATABASE SCOPED CONFIGURATION CLEAR PROCEDURE_CACH": 102,
    "DECLARE @x sysname(5)": 2716, "DECLARE @x int(5)": 2716, "CREATE TABLE u (a sysname(5))": 2716, "SELECT CAST('a' AS sysname(5)) AS a": 291,
    "CREATE QUEUE w WITH ACTIVATION (PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1)": 102, "CREATE QUEUE w WITH POISON_MESSAGE_HANDLNG (STATUS = ON)": 102,
}  # fmt: skip

_ADVISED = {
    "ALTER DATABASE d SET ENABLE_BROKERS": "Did you mean ENABLE_BROKER?",
    "ALTER DATABASE d SET TRUSTWORTHY offf": "Expected ON or OFF. Did you mean OFF?",
    "DBCC CHEKDB": "Did you mean CHECKDB?",
    "DBCC CHECKDB WITH NO_INFOMSG": "Did you mean NO_INFOMSGS?",
    "CREATE PROC x WITH encrypton AS SELECT 1": "Did you mean ENCRYPTION?",
    "CREATE QUEUE w WITH ACTIVATION (PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1)": "also needs EXECUTE AS.",
    "CREATE QUEUE w WITH ACTIVATION (EXECUTE AS SELF)": "also needs PROCEDURE_NAME and MAX_QUEUE_READERS.",
    "END CONVERSATION '00000000-0000-0000-0000-000000000001' WITH ERROR = -5 DESCRIPTION = 'x'": "greater than 0",
    "END CONVERSATION '00000000-0000-0000-0000-000000000001' WITH ERROR = 0 DESCRIPTION = 'x'": "greater than 0",
}


@pytest.fixture(scope="module")
def session_with_options() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    for text in _SETUP:
        assert not _told(opened, text)
    yield opened
    instance.close()


def _told(session: Session, text: str) -> list[ErrorOutcome]:
    return [one for one in session.run(text) if isinstance(one, ErrorOutcome)]


def _catalog(session: Session) -> list[list[tuple[object, ...]]]:
    found = [one for text in _SHOWN for one in session.run(text)]
    assert not [one for one in found if isinstance(one, ErrorOutcome)]
    return [[tuple(row) for row in one.rows] for one in found if isinstance(one, ResultSet)]


@pytest.mark.matrix
@pytest.mark.parametrize("text", _REFUSED)
def test_it_is_refused_and_nothing_changes(session_with_options: Session, text: str) -> None:
    before = _catalog(session_with_options)
    assert [one.error.number for one in _told(session_with_options, text)] == [_REFUSED[text]]
    assert _catalog(session_with_options) == before


@pytest.mark.parametrize("text", _ADVISED)
def test_what_was_meant_is_told(session_with_options: Session, text: str) -> None:
    (told,) = _told(session_with_options, text)
    assert _ADVISED[text] in str(told.error)


def _shown(session: Session, column: str) -> int:
    outcomes = session.run(f"SELECT {column} FROM sys.databases WHERE name = 'kept'")
    (found,) = (one for one in outcomes if isinstance(one, ResultSet))
    return int(next(iter(found.rows))[0])


@pytest.mark.parametrize("level", [100, 110, 120, 130, 140, 150, 160])
def test_each_documented_compatibility_level_is_taken(session_with_options: Session, level: int) -> None:
    assert not _told(session_with_options, f"ALTER DATABASE kept SET COMPATIBILITY_LEVEL = {level}")
    assert _shown(session_with_options, "compatibility_level") == level


def test_what_is_switched_is_shown(session_with_options: Session) -> None:
    """Whatever stands in parentheses behind it; and what only clears or sets something leaves it as it is."""
    for option, expected in (
        ("= ON", 1), ("= OFF", 0), ("= ON (MAX_STORAGE_SIZE_MB = 10)", 1), ("CLEAR ALL", 1), ("(OPERATION_MODE = READ_ONLY)", 1),
        ("= OFF (FORCED)", 0), ("CLEAR", 0),
    ):  # fmt: skip
        assert not _told(session_with_options, f"ALTER DATABASE kept SET QUERY_STORE {option}")
        assert _shown(session_with_options, "is_query_store_on") == expected, option
