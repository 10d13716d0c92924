"""No two objects have one id, and none comes again when what had it was dropped or rolled back: sessions may still know
it. On SQL Server object_id is unique in a database (sys.objects), and what a session is does not change with names."""

from __future__ import annotations

import pytest
from told import prepared, told

MADE = {
    "table": "CREATE TABLE {} (a int CONSTRAINT {}_p PRIMARY KEY, b int CONSTRAINT {}_d DEFAULT 1 CONSTRAINT {}_c CHECK (b > 0))",
    "constraint": "ALTER TABLE t ADD CONSTRAINT {} CHECK (a > 0)",
    "default": "ALTER TABLE t ADD {} int CONSTRAINT {}_d DEFAULT 1",
    "table type": "CREATE TYPE {} AS TABLE (a int PRIMARY KEY, b int DEFAULT 1)",
    "into": "SELECT 1 AS a INTO {}",
    "view": "EXEC ('CREATE VIEW {} AS SELECT 1 AS a')",
    "procedure": "EXEC ('CREATE PROCEDURE {} AS SELECT 1 AS a')",
    "function": "EXEC ('CREATE FUNCTION {} () RETURNS int AS BEGIN RETURN 1 END')",
    "trigger": "EXEC ('CREATE TRIGGER {} ON t AFTER INSERT AS RETURN')",
    "DDL trigger": "EXEC ('CREATE TRIGGER {} ON DATABASE FOR CREATE_TABLE AS RETURN')",
    "synonym": "CREATE SYNONYM {} FOR t",
    "sequence": "CREATE SEQUENCE {}",
    "queue": "CREATE QUEUE {}",
    "service": "CREATE SERVICE {} ON QUEUE q",
    "notification": "CREATE EVENT NOTIFICATION {} ON DATABASE FOR CREATE_TABLE TO SERVICE 's', 'current database'",
    "user": "CREATE USER {} WITHOUT LOGIN",
    "key": "CREATE SYMMETRIC KEY {} WITH ALGORITHM = AES_128 ENCRYPTION BY PASSWORD = 'x-1'",
    "property": "EXEC sp_addextendedproperty '{}', 1",
}
IDS = """SELECT object_id FROM sys.objects UNION ALL SELECT object_id FROM sys.triggers WHERE parent_class = 0 UNION ALL SELECT service_id FROM sys.services WHERE service_id > 65535
UNION ALL SELECT object_id FROM sys.event_notifications UNION ALL SELECT principal_id FROM sys.database_principals WHERE type = 'S' AND principal_id > 65535
UNION ALL SELECT symmetric_key_id FROM sys.symmetric_keys"""
SETUP = ("CREATE DATABASE D", "USE D", "CREATE TABLE t (a int); CREATE QUEUE q; CREATE SERVICE s ON QUEUE q")


def made(kind: str, name: str) -> str:
    return MADE[kind].replace("{}", name)


@pytest.mark.parametrize("kind", MADE)
def test_no_two_objects_have_one_id(kind: str) -> None:
    """Each kind in front of each other one, and behind it."""
    with prepared(*SETUP) as session:
        for number, other in enumerate(MADE):
            assert told(session, made(other, f"before{number}")) == []
            assert told(session, made(kind, f"made{number}")) == []
        ids = told(session, IDS)
        assert len(ids) == len(set(ids)) > len(MADE)


@pytest.mark.parametrize("way", ["ROLLBACK", "ROLLBACK TRANSACTION here; COMMIT"])
@pytest.mark.parametrize("kind", MADE)
def test_the_id_of_what_was_rolled_back_does_not_come_again(kind: str, way: str) -> None:
    with prepared(*SETUP) as session:
        before = told(session, IDS)
        assert told(session, f"BEGIN TRANSACTION; SAVE TRANSACTION here; {made(kind, 'one')}") == []
        lost = set(told(session, IDS)) - set(before)
        assert told(session, way) == []
        assert sorted(told(session, IDS), key=str) == sorted(before, key=str)
        for other in MADE:
            assert told(session, made(other, f"next_{other.replace(' ', '_')}")) == []
        assert not lost & set(told(session, IDS))


def test_a_session_that_was_somebody_who_was_rolled_back_is_nobody_else() -> None:
    with prepared(*SETUP, "INSERT t VALUES (1)") as session:
        other = session.instance.connect(database="D")
        text = "BEGIN TRANSACTION; CREATE USER z WITHOUT LOGIN; EXECUTE AS USER = 'z'"
        assert told(session, text) == []
        assert told(session, "ROLLBACK") == []
        assert told(other, "CREATE USER boss WITHOUT LOGIN; ALTER ROLE db_owner ADD MEMBER boss") == []
        assert told(session, "SELECT IS_MEMBER('db_owner'); SELECT a FROM t") == [(0,), 229]


def test_identity_insert_of_a_table_that_was_rolled_back_is_that_of_no_other() -> None:
    made = "CREATE TABLE i (id int IDENTITY, a int)"
    with prepared(*SETUP, f"BEGIN TRANSACTION; {made}; SET IDENTITY_INSERT i ON; ROLLBACK", made) as session:
        assert told(session, "INSERT i (id, a) VALUES (7, 1)") == [544]
        assert told(session, "INSERT i (a) VALUES (1); SELECT id FROM i") == [(1,)]
