"""Usual values on their way into columns of other types: DuckDB converts them, in INSERT, UPDATE and MERGE of many
rows. A conversion that Python makes takes a hundred times as long, and nothing else would show it.

Each value of `usual_values`, and texts, numbers and dates that are less usual, go into a column of each type twice: as
a set and row by row. Rows, counts and errors must be the same, and the set of usual values may call Python no more
than CAST does in a query."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from told import calls_of_python, told_whole as told

sys.path.insert(0, str(Path(__file__).parents[1] / "translate"))

from usual_values import COLUMNS, ROWS, TABLE, create

from sbql.engine.instance import Instance
from sbql.engine.session import Session

FEW = ROWS // 10
"""Calls of Python in a set of as many rows that are not for each row."""
TYPES = (
    "int", "smallint", "tinyint", "bigint", "bit", "decimal(5,2)", "decimal(18,4)", "decimal(38,10)", "money", "smallmoney", "float", "real",
    "datetime", "smalldatetime", "datetime2(7)", "datetime2(3)", "datetime2(0)", "datetimeoffset(7)", "datetimeoffset(2)", "date", "time(7)", "time(0)",
    "varchar(10)", "varchar(60)", "nvarchar(10)", "nvarchar(400)", "varchar(max)", "nvarchar(max)", "char(60)", "nchar(60)", "char(5)", "nchar(12)",
    "uniqueidentifier", "varbinary(4)", "varbinary(20)", "binary(4)", "binary(20)", "varbinary(max)", "sql_variant", "xml",
)  # fmt: skip
UNUSUAL = {
    "a": ("nvarchar(30)", "CHOOSE(value % 9 + 1, N'Москва', N'a😀b', N'  ', N'12', N'$1,000.50', N'1e5', N'2024-01-01', N'€ß', N'x    ')"),
    "b": ("varchar(30)", "CHOOSE(value % 9 + 1, '', '1e2', '  7 ', '-', '£5', '+3', '0', '1.', 'é    ')"),
    "c": ("nvarchar(30)", "N'😀😀😀😀😀' + REPLICATE(N' ', value % 5)"),
    "d": ("ntext", "CAST(N'abcdefghij' + REPLICATE(N'x', value % 4) AS ntext)"),
    "e": ("sql_variant", "CAST(value AS sql_variant)"),
    "f": ("sql_variant", "CAST(CONCAT('', value) AS sql_variant)"),
    "g": ("float", "value * 1e300"),
    "h": ("varbinary(16)", "CAST(HASHBYTES('MD5', CONCAT('', value)) AS varbinary(16))"),
    "i": ("datetime2(7)", "DATEADD(ns, -100, CAST('9999-12-31 23:59:59.9999999' AS datetime2))"),
    "j": ("date", "DATEADD(day, value, CAST('0001-01-01' AS date))"),
    "k": ("time(7)", "CAST('23:59:59.9999999' AS time)"),
    "l": ("varchar(40) COLLATE Latin1_General_100_CI_AS_SC_UTF8", "CONCAT(N'żó', value)"),
    "m": ("decimal(38,38)", "CAST(0.12345678901234567890123456789012345678 AS decimal(38,38))"),
    "n": ("char(8)", "CASE value % 2 WHEN 0 THEN '12' ELSE '20240101' END"),
    "o": ("int", "NULLIF(value % 50, 7)"),
}  # fmt: skip
"""Values of which Python has some, or all."""

WAYS = {
    "INSERT": ("", "INSERT t SELECT id, {value} FROM {table}"),
    "UPDATE": ("INSERT t (id, given) SELECT id, {value} FROM {table}", "UPDATE t SET c = given"),
    "UPDATE FROM": ("INSERT t (id) SELECT id FROM {table}", "UPDATE t SET c = s.{value} FROM t JOIN {table} AS s ON s.id = t.id"),
    "MERGE": (
        "INSERT t (id) SELECT id + 100 FROM {table}",
        "MERGE t USING {table} AS s ON s.id = t.id WHEN MATCHED THEN UPDATE SET c = s.{value} WHEN NOT MATCHED THEN INSERT (id, c) VALUES (s.id, s.{value});",
    ),
}  # fmt: skip


CLAUSES = {"MERGE": 2}
"""Where a value is converted for more than one clause."""


@pytest.fixture(scope="module")
def usual() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    create(session)
    assert told(session, f"ALTER TABLE {TABLE} ADD id int") == []
    assert told(
        session,
        f"WITH n AS (SELECT id, ROW_NUMBER() OVER (ORDER BY i) AS number FROM {TABLE}) UPDATE n SET id = number",
    ) == [ROWS]
    declared = ", ".join(f"{name} {sql_type}" for name, (sql_type, _) in UNUSUAL.items())
    values = ", ".join(value for _, value in UNUSUAL.values())
    assert told(session, f"CREATE TABLE unusual (id int, {declared})") == []
    assert told(session, f"INSERT unusual SELECT value, {values} FROM GENERATE_SERIES(1, {ROWS})") == [ROWS]
    yield session
    instance.close()


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    return calls_of_python(monkeypatch)


def written(
    session: Session, way: str, name: str, sql_type: str, table: str, *, sets_from: int
) -> tuple[list[Any], list[Any]]:
    """What a write tells, and which rows there are then."""
    before, statement = (text.format(value=name, table=table) for text in WAYS[way])
    given = {**COLUMNS, **{f"unusual.{key}": value for key, value in UNUSUAL.items()}}[
        f"unusual.{name}" if table == "unusual" else name
    ][0]
    locks = session.instance.locks
    locks.sets_from = 1
    told(session, "DROP TABLE IF EXISTS t")
    told(
        session, f"CREATE TABLE t (id int, {'given ' + given + ', ' if way == 'UPDATE' else ''}c {sql_type}); {before}"
    )
    locks.sets_from = sets_from
    found = told(session, f"{statement} -- {sets_from}")
    return found, told(session, "SELECT id, c FROM t ORDER BY id")


def calls_of_cast(session: Session, calls: list[None], name: str, sql_type: str) -> int:
    """How many it takes in a query, whose sweeps say what is to be few."""
    calls.clear()
    told(session, f"SELECT CAST({name} AS {sql_type}) AS x FROM {TABLE}")
    return len(calls)


@pytest.mark.matrix
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("sql_type", TYPES)
def test_values_become_the_same_as_a_set(
    usual: Session, calls: list[None], by_sets: list[bool], sql_type: str, way: str
) -> None:
    slow: dict[str, str] = {}
    for table, columns in ((TABLE, COLUMNS), ("unusual", UNUSUAL)):
        for name in list(columns) if way == "INSERT" else list(columns)[TYPES.index(sql_type) % 3 :: 3]:
            calls.clear()
            by_sets.clear()
            as_set = written(usual, way, name, sql_type, table, sets_from=1)
            called, is_set = len(calls), by_sets != [] and all(by_sets)
            by_rows = written(usual, way, name, sql_type, table, sets_from=sys.maxsize)
            assert as_set == by_rows, (name, columns[name])
            if table == TABLE and isinstance(as_set[0][0], int):
                if not is_set:
                    slow[name] = "row by row"
                elif called > FEW and called > CLAUSES.get(way, 1) * calls_of_cast(usual, calls, name, sql_type):
                    slow[name] = f"{called} calls"
    assert slow == {}
