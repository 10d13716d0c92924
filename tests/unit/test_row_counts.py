"""The views that tell how many rows a table has, against COUNT(*) of each table: behind every statement that changes
something, in its transaction and in another session, rolled back, committed, and when the store is opened again.

SQL Server's documents call the rows of sys.partitions approximate; they are exact there but for what is under way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from changes import CHANGES, prepare, settle
from told import told

from sbql.engine.instance import Instance
from sbql.engine.prepared import PreparedInstance
from sbql.engine.session import Session

TABLES = "SELECT QUOTENAME(SCHEMA_NAME(schema_id)) + '.' + QUOTENAME(name) FROM sys.tables ORDER BY 1"
SHOWN = {
    "sys.partitions": "SELECT SUM(rows) FROM sys.partitions WHERE object_id = OBJECT_ID('{}') AND index_id IN (0, 1)",
    "sys.dm_db_partition_stats": "SELECT SUM(row_count) FROM sys.dm_db_partition_stats WHERE object_id = OBJECT_ID('{}') AND index_id < 2",
    "sysindexes.rows": "SELECT rows FROM sysindexes WHERE id = OBJECT_ID('{}') AND indid < 2",
    "sysindexes.rowcnt": "SELECT rowcnt FROM sysindexes WHERE id = OBJECT_ID('{}') AND indid < 2",
}
ALL = {
    "sys.partitions": "SELECT QUOTENAME(SCHEMA_NAME(t.schema_id)) + '.' + QUOTENAME(t.name), SUM(p.rows) FROM sys.tables t JOIN sys.partitions p ON p.object_id = t.object_id WHERE p.index_id < 2 GROUP BY t.schema_id, t.name ORDER BY 1",
    "sys.dm_db_partition_stats": "SELECT QUOTENAME(SCHEMA_NAME(t.schema_id)) + '.' + QUOTENAME(t.name), SUM(p.row_count) FROM sys.tables t JOIN sys.dm_db_partition_stats p ON p.object_id = t.object_id WHERE p.index_id < 2 GROUP BY t.schema_id, t.name ORDER BY 1",
    "sysindexes": "SELECT QUOTENAME(SCHEMA_NAME(t.schema_id)) + '.' + QUOTENAME(t.name), MAX(p.rows) FROM sys.tables t JOIN sysindexes p ON p.id = t.object_id WHERE p.indid < 2 GROUP BY t.schema_id, t.name ORDER BY 1",
}
WRITES = (
    "INSERT a SELECT value, value % 5, 'x' FROM GENERATE_SERIES(1, 50000)",
    "DELETE a WHERE id = 7",
    "DELETE a WHERE n = 3",
    "UPDATE a SET n = 9 WHERE n = 2",
    "UPDATE a SET id = -id",
    "INSERT a VALUES (1000000, 1, 'x'), (1000001, 1, 'x')",
    "MERGE a USING (SELECT value FROM GENERATE_SERIES(999990, 1000005)) s (id) ON s.id = a.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id, 0, 'y');",
    "INSERT b SELECT id, n, t FROM a WHERE id < 0",
    "TRUNCATE TABLE a",
    "INSERT a VALUES (1, 1, 'x')",
    "DELETE b WHERE id % 2 = 0; DELETE TOP (10) b",
    "SELECT * INTO c FROM b",
    "ALTER TABLE b ADD more int NOT NULL DEFAULT 1",
    "DELETE part WHERE id = 1; INSERT part VALUES (2), (7), (8)",
    "DROP TABLE c",
    "DELETE b",
)


@pytest.fixture(scope="module")
def image() -> PreparedInstance:
    instance = Instance.open(clock="virtual", seed=1)
    prepare(instance)
    assert told(instance.connect(database="D"), "ALTER DATABASE D SET ALLOW_SNAPSHOT_ISOLATION ON") == []
    return PreparedInstance(instance)


def check(session: Session, what: str, views: Iterable[str] = ALL) -> None:
    tables = [row[0] for row in told(session, TABLES)]  # type: ignore[index]
    assert tables
    counted = told(
        session, " UNION ALL ".join(f"SELECT '{table}', COUNT(*) FROM {table}" for table in tables) + " ORDER BY 1"
    )
    for view in views:
        assert told(session, ALL[view]) == counted, (view, what)


def check_one(session: Session, table: str, what: str) -> None:
    for view, text in SHOWN.items():
        assert told(session, text.format(table)) == told(session, f"SELECT COUNT(*) FROM {table}"), (view, what)


@pytest.mark.matrix
@pytest.mark.parametrize("topic", CHANGES)
def test_after_every_statement_that_changes_something(image: PreparedInstance, topic: str) -> None:
    instance = image.open()
    session, other = instance.connect(database="D"), instance.connect(database="D")
    views = ("sys.partitions",)
    for change in CHANGES[topic]:
        told(session, "BEGIN TRANSACTION")
        told(session, change)
        check(session, change, views)
        told(session, "ROLLBACK")
        settle(instance)
        check(session, f"{change}, rolled back", views)
        told(session, change)
        settle(instance)
        check(other, change, views)
    check(session, topic)
    instance.close()


def around(instance: Instance, each: Callable[[str], object]) -> None:
    """The writes one after the other, each looked at before it is committed, rolled back to a savepoint too."""
    session, other = instance.connect(database="D"), instance.connect(database="D")
    tables = "CREATE TABLE a (id int PRIMARY KEY, n int, t varchar(10)); CREATE TABLE b (id int, n int, t varchar(10)); CREATE TABLE part (id int) ON ps (id); INSERT part VALUES (1)"
    assert told(session, tables) == []
    for write in WRITES:
        check(other, write)
        assert told(session, "BEGIN TRANSACTION; SAVE TRANSACTION s") == []
        assert told(session, write) == [], write
        check(session, write)
        check(other, f"{write}, in another session")
        assert told(session, "ROLLBACK TRANSACTION s") == []
        check(session, f"{write}, to a savepoint")
        assert told(session, f"{write}; COMMIT") == [], write
        for one in (session, other):
            check(one, f"{write}, committed")
            check_one(one, "a", write)
            check_one(one, "b", write)
        each(write)


def test_writes_of_one_row_and_of_many(image: PreparedInstance) -> None:
    instance = image.open()
    around(instance, lambda write: None)
    instance.close()


def test_opened_again(image: PreparedInstance, tmp_path: Path) -> None:
    path = str(tmp_path / "live.duckdb")
    instance = image.open(path)
    session = instance.connect(database="D")
    assert told(session, "CREATE TABLE a (id int); INSERT a SELECT value FROM GENERATE_SERIES(1, 300000)") == []
    for delete in (
        "DELETE a WHERE id % 3 = 0",
        "DELETE a WHERE id = 1",
        "TRUNCATE TABLE a",
        "INSERT a VALUES (1), (2)",
    ):
        assert told(session, delete) == []
        check(session, delete)
        host = instance.host.again()
        instance.close()
        instance = Instance.open(path, host=host)
        session = instance.connect(database="D")
        check(session, f"{delete}, opened again")
    instance.close()


def test_under_snapshot_isolation_the_rows_of_the_snapshot(image: PreparedInstance) -> None:
    instance = image.open()
    session, other = instance.connect(database="D"), instance.connect(database="D")
    assert told(session, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION; SELECT COUNT(*) FROM w") == [
        (1,)
    ]
    assert told(other, "INSERT w VALUES (8, 8); CREATE TABLE newer (a int); INSERT newer VALUES (1)") == []
    check(other, "committed")
    shown = SHOWN["sys.partitions"]
    assert told(session, shown.format("w")) == [(1,)]
    assert told(session, "INSERT w VALUES (9, 9)") == []
    assert told(session, shown.format("w")) == [(2,)]
    assert told(session, f"COMMIT; {shown.format('w')}; {shown.format('newer')}") == [(3,), (1,)]
    instance.close()


def test_temporary_tables(image: PreparedInstance) -> None:
    """In tempdb's views; those of another session of the same name are others."""
    instance = image.open()
    rows = "SELECT p.rows FROM tempdb.sys.partitions p WHERE p.object_id = OBJECT_ID('tempdb..{}')"
    sessions = [instance.connect(database="D") for _ in range(2)]
    for count, session in enumerate(sessions, 3):
        assert told(session, f"CREATE TABLE #t (a int); INSERT #t SELECT value FROM GENERATE_SERIES(1, {count})") == []
    for count, session in enumerate(sessions, 3):
        assert told(session, rows.format("#t")) == [(count,)]
        assert told(session, f"DELETE #t WHERE a = 1; {rows.format('#t')}") == [(count - 1,)]
        assert told(session, f"BEGIN TRAN; TRUNCATE TABLE #t; {rows.format('#t')}; ROLLBACK; {rows.format('#t')}") == [
            (0,),
            (count - 1,),
        ]
    assert told(sessions[0], "CREATE TABLE ##g (a int); INSERT ##g VALUES (1), (2); DELETE ##g WHERE a = 1") == []
    assert [told(session, rows.format("##g")) for session in sessions] == [[(1,)], [(1,)]]
    instance.close()


def test_in_a_function_that_a_query_calls(image: PreparedInstance) -> None:
    """Which reads on a connection of its own."""
    instance = image.open()
    session = instance.connect(database="D")
    made = "CREATE FUNCTION dbo.row_count (@t sysname) RETURNS bigint AS BEGIN DECLARE @n bigint = 0; WHILE @n = 0 SELECT @n = SUM(rows) + 1 FROM sys.partitions WHERE object_id = OBJECT_ID(@t) AND index_id < 2; RETURN @n - 1 END"
    assert told(session, made) == []
    asked = "SELECT name, dbo.row_count(name) FROM sys.tables WHERE name IN ('w', 'p') ORDER BY name"
    assert told(session, asked) == [("p", 3), ("w", 1)]
    assert told(session, f"BEGIN TRAN; INSERT w VALUES (2, 2); {asked}; ROLLBACK") == [("p", 3), ("w", 2)]
    assert told(session, f"DELETE w; {asked}") == [("p", 3), ("w", 0)]
    instance.close()
