"""The clock stands still while a statement runs: whatever asks for the time in it, and for how many rows ever, gets one
moment; the next statement, the next round of a loop and each statement of a module have their own.

The host of these tests moves on by a second each time that it shows the time, so two looks never agree.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import last_rows, told

from sbql.engine.functions.datetimes import CLOCKS
from sbql.engine.host import VirtualHost
from sbql.engine.instance import Instance
from sbql.engine.session import Session

ROWS = 300
COLUMNS = "c datetime2 NULL DEFAULT SYSDATETIME(), m datetime2 NULL DEFAULT SYSUTCDATETIME(), o datetime2 NULL"
TABLES = {
    "table": f"CREATE TABLE t (id int PRIMARY KEY, {COLUMNS})",
    "#temp": f"CREATE TABLE #t (id int PRIMARY KEY, {COLUMNS})",
    "@variable": f"DECLARE @t TABLE (id int PRIMARY KEY, {COLUMNS})",
    "heap": f"CREATE TABLE t (id int, {COLUMNS})",
    "with a trigger": f"CREATE TABLE t (id int PRIMARY KEY, {COLUMNS})\nGO\nCREATE TRIGGER tr ON t AFTER INSERT AS DECLARE @n int = (SELECT COUNT(*) FROM inserted)",
}
NUMBERS = f"SELECT value AS id FROM GENERATE_SERIES(1, {ROWS}) AS g"
VALUES = ", ".join(f"({i})" for i in range(1, ROWS + 1))
EXPLICIT = ", ".join(f"({i}, SYSDATETIME(), SYSUTCDATETIME(), SYSDATETIME())" for i in range(1, ROWS + 1))
WRITES = {
    "VALUES": f"INSERT {{t}} (id) VALUES {VALUES}",
    "one row": "INSERT {t} (id) VALUES (1)",
    "one row given": "INSERT {t} VALUES (1, SYSDATETIME(), SYSUTCDATETIME(), SYSDATETIME())",
    "VALUES that ask": f"INSERT {{t}} VALUES {EXPLICIT}",
    "DEFAULT beside a call": "INSERT {t} VALUES (1, DEFAULT, SYSUTCDATETIME(), SYSDATETIME())",
    "SELECT": f"INSERT {{t}} (id) {NUMBERS}",
    "SELECT that asks": f"INSERT {{t}} (id, o) SELECT id, SYSDATETIME() FROM ({NUMBERS}) AS s",
    "EXEC": f"INSERT {{t}} (id) EXEC ('{NUMBERS}')",
    "MERGE": f"MERGE {{t}} AS x USING ({NUMBERS}) AS s ON s.id = x.id WHEN NOT MATCHED THEN INSERT (id, o) VALUES (s.id, SYSDATETIME());",
    "UPDATE": f"INSERT {{t}} (id) {NUMBERS}; UPDATE {{t}} SET c = SYSDATETIME(), m = SYSUTCDATETIME()",
    "UPDATE to defaults": f"INSERT {{t}} (id) {NUMBERS}; UPDATE {{t}} SET c = DEFAULT, m = DEFAULT, o = SYSDATETIME()",
}


class Ticking(VirtualHost):
    def shown(self) -> float:
        self._now += 1
        return self._now


@pytest.fixture
def session() -> Iterator[Session]:
    instance = Instance.open(None, host=Ticking())
    yield instance.connect()
    instance.close()


@pytest.mark.parametrize("write", WRITES)
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("rounds", [1, 3], ids=["once", "again"])
def test_a_write_has_one_moment(session: Session, table: str, write: str, rounds: int) -> None:
    """Again: INSERT … SELECT that had many rows goes as a set the next time."""
    name = {"#temp": "#t", "@variable": "@t"}.get(table, "t")
    if write == "EXEC" and name == "@t":
        write = "SELECT"
    made, *behind = TABLES[table].split("\nGO\n")
    text = WRITES[write].format(t=name)
    once = f"{text}; SELECT COUNT(DISTINCT d) FROM {name} CROSS APPLY (VALUES (c), (m), (o)) AS v (d)"
    body = f"; DELETE {name}; ".join([once] * rounds)
    if name == "@t":
        assert last_rows(session, f"SET NOCOUNT ON; {made}; {body}") == [(1,)]
        return
    for definition in (made, *behind):
        assert told(session, definition) == []
    assert last_rows(session, f"SET NOCOUNT ON; {body}") == [(1,)]


TWICE = {
    "SELECT": "SELECT {f}, {f}",
    "SELECT of rows": "SELECT TOP (1) {f}, {f} FROM sys.objects",
    "SELECT into variables": "DECLARE @a sql_variant, @b sql_variant; SELECT @a = {f}, @b = {f}; SELECT @a, @b",
    "SET": "DECLARE @a int; SET @a = CASE WHEN {f} = {f} THEN 1 ELSE 0 END; SELECT 1, @a",
    "IF": "IF {f} = {f} SELECT 1, 1 ELSE SELECT 1, 0",
    "WHILE": "DECLARE @i int = 0; WHILE @i < 1 AND {f} = {f} SET @i += 1; SELECT 1, @i",
    "DECLARE": "DECLARE @a varchar(100) = CONCAT(CASE WHEN {f} = {f} THEN 1 ELSE 0 END, ''); SELECT '1', @a",
    "RETURN": "EXEC ('CREATE FUNCTION dbo.two() RETURNS int AS BEGIN DECLARE @i int; RETURN CASE WHEN {f} = {f} THEN 1 ELSE 0 END END'); EXEC ('SELECT 1, dbo.two()')",
    "a part of it": "SELECT DATEPART(second, {f}), DATEPART(second, {f})",
}


@pytest.mark.parametrize("way", TWICE)
@pytest.mark.parametrize("clock", sorted(CLOCKS))
def test_a_function_of_the_clock_agrees_with_itself(session: Session, clock: str, way: str) -> None:
    if clock == "CURRENT_DATE" and "part" in way:
        clock = "SYSDATETIME"
    call = clock if clock.startswith("CURRENT_") else f"{clock}()"
    ((one, two),) = last_rows(session, f"SET NOCOUNT ON; {TWICE[way].format(f=call)}")
    assert one == two


def test_every_statement_has_its_own(session: Session) -> None:
    text = "DECLARE @a datetime2 = SYSDATETIME(); DECLARE @b datetime2 = SYSDATETIME(); DECLARE @c datetime2; SET @c = SYSDATETIME(); SELECT DATEDIFF(second, @a, @b), DATEDIFF(second, @b, @c)"
    assert last_rows(session, text) == [(1, 1)]


def test_every_round_of_a_loop_asks_anew(session: Session) -> None:
    text = "DECLARE @end datetime2 = DATEADD(second, 20, SYSDATETIME()), @n int = 0; WHILE SYSDATETIME() < @end SET @n += 1; SELECT @n"
    assert last_rows(session, text) == [(19,)]
    text = "DECLARE @end datetime2 = DATEADD(second, 20, SYSDATETIME()), @n int = 0; again: SET @n += 1; IF SYSDATETIME() < @end GOTO again; SELECT @n"
    assert last_rows(session, text) == [(20,)]


def test_statements_of_modules_have_theirs(session: Session) -> None:
    """The time does not stand still in what a statement runs, however deep."""
    for text in (
        "CREATE TABLE t (c datetime2 DEFAULT SYSDATETIME(), i int); CREATE TABLE log (c datetime2 DEFAULT SYSDATETIME())",
        "CREATE VIEW clock AS SELECT SYSDATETIME() AS c",
        "CREATE TRIGGER tr ON t AFTER INSERT AS BEGIN INSERT log DEFAULT VALUES; INSERT log SELECT c FROM clock; INSERT log (c) VALUES (SYSDATETIME()) END",
        "CREATE PROCEDURE p AS SELECT SYSDATETIME(), 1 UNION ALL SELECT c, 2 FROM clock; SELECT SYSDATETIME(), 3; SELECT c, 4 FROM clock; SELECT c, 5 FROM clock",
    ):
        assert told(session, text) == []
    assert last_rows(
        session,
        "INSERT t (i) VALUES (1); SELECT COUNT(DISTINCT c) FROM (SELECT c FROM t UNION ALL SELECT c FROM log) AS a",
    ) == [(4,)]
    assert last_rows(session, "DELETE t; INSERT t (c, i) EXEC p; SELECT COUNT(DISTINCT c), COUNT(*) FROM t") == [(4, 5)]


def test_what_a_delete_logs_has_its_moment(session: Session) -> None:
    text = f"CREATE TABLE t (id int PRIMARY KEY); CREATE TABLE log (id int, {COLUMNS}); INSERT t {NUMBERS}"
    assert told(session, text) == []
    text = "DELETE t OUTPUT deleted.id INTO log (id); SELECT COUNT(DISTINCT d) FROM log CROSS APPLY (VALUES (c), (m)) AS v (d)"
    assert last_rows(session, text) == [(1,)]


def test_what_fails_gives_the_clock_back(session: Session) -> None:
    text = "DECLARE @a datetime2, @b datetime2; BEGIN TRY SET @a = DATEADD(year, 9000, SYSDATETIME()) END TRY BEGIN CATCH SET @a = SYSDATETIME() END CATCH; SET @b = SYSDATETIME(); SELECT DATEDIFF(second, @a, @b)"
    assert last_rows(session, text) == [(1,)]
    assert session.moment is None
