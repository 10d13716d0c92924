"""A value that is written is stored, though it equals the old one: another offset of the same instant, another type in
a sql_variant, blanks. In every way of writing, and for whoever looks afterwards: queries, triggers, a transaction after
a savepoint, another one under SNAPSHOT."""

from __future__ import annotations

import sys

import pytest
from told import told

from sbql.engine.instance import Instance

MOMENTS = "'2026-01-01 10:00 +02:00'", "'2026-01-01 11:00 +03:00'"
PAIRS = {
    "offset": ("datetimeoffset", *MOMENTS),
    "offset of three digits": ("datetimeoffset(3)", *MOMENTS),
    "offset of minutes": ("datetimeoffset(0)", "'2026-01-01 10:00 +00:00'", "'2026-01-01 04:30 -05:30'"),
    "computed offset": ("datetimeoffset", MOMENTS[0], "SWITCHOFFSET(CAST('2026-01-01 10:00 +02:00' AS datetimeoffset), '+05:00')"),
    "zone": ("datetimeoffset", MOMENTS[0], "CAST('2026-01-01 10:00 +02:00' AS datetimeoffset) AT TIME ZONE 'UTC'"),
    "variant's offset": ("sql_variant", *[f"CAST({text} AS datetimeoffset)" for text in MOMENTS]),
    "variant's digits": ("sql_variant", f"CAST({MOMENTS[0]} AS datetimeoffset(3))", f"CAST({MOMENTS[0]} AS datetimeoffset(4))"),
    "variant's type": ("sql_variant", "CAST(1 AS int)", "CAST(1 AS bigint)"),
    "variant's family": ("sql_variant", "CAST(1 AS int)", "CAST(1 AS float)"),
    "variant's bit": ("sql_variant", "CAST(1 AS bit)", "CAST(1 AS int)"),
    "variant's scale": ("sql_variant", "CAST(1 AS decimal(5, 1))", "CAST(1 AS decimal(5, 2))"),
    "variant's precision": ("sql_variant", "CAST(1 AS decimal(5, 1))", "CAST(1 AS decimal(6, 1))"),
    "variant's word": ("sql_variant", "CAST(1 AS decimal(5, 1))", "CAST(1 AS numeric(5, 1))"),
    "variant's zero": ("sql_variant", "CAST(0 AS float)", "-1e0 * 0e0"),
    "variant's blank": ("sql_variant", "'a'", "'a '"),
    "variant's length": ("sql_variant", "CAST('a' AS varchar(3))", "CAST('a' AS varchar(4))"),
    "variant's national text": ("sql_variant", "CAST('a' AS varchar(3))", "CAST('a' AS nvarchar(3))"),
    "variant's bytes": ("sql_variant", "0x01", "0x0100"),
    "blank": ("varchar(5)", "'a'", "'a '"),
    "case": ("nvarchar(5)", "N'a'", "N'A'"),
    "bytes": ("varbinary(5)", "0x01", "0x0100"),
    "tick": ("datetime2", "'2026-01-01 10:00:00.0000001'", "'2026-01-01 10:00:00.0000002'"),
}  # fmt: skip
"""Type, a value, and another one, which equals it."""
UNEQUAL = {"variant's family", "tick"}
"""But these, which Python, too, might have taken for equal."""
JOIN = "(SELECT 1 AS id, CAST({new} AS {type}) AS x) AS s"
WAYS = {
    "key": "UPDATE {t} SET x = {new} WHERE id = 1",
    "condition": "UPDATE {t} SET x = {new} WHERE id < 2",
    "some": "UPDATE {t} SET x = CASE id WHEN 1 THEN CAST({new} AS {type}) ELSE x END",
    "merge": f"MERGE {{t}} AS t USING {JOIN} ON s.id = t.id WHEN MATCHED THEN UPDATE SET x = s.x;",
    "join": f"UPDATE t SET x = s.x FROM {{t}} AS t JOIN {JOIN} ON s.id = t.id",
    "top": "UPDATE TOP (1) {t} SET x = {new} WHERE id = 1",
    "variable": "DECLARE @x {type} = {new}; UPDATE {t} SET @x = x = @x WHERE id = 1",
    "output": "UPDATE {t} SET x = {new} OUTPUT inserted.id INTO @ids WHERE id = 1",
    "current": "DECLARE c CURSOR LOCAL FOR SELECT x FROM {t} WHERE id = 1 FOR UPDATE; OPEN c; FETCH c INTO @seen; UPDATE {t} SET x = {new} WHERE CURRENT OF c",
    "savepoint": "BEGIN TRAN; UPDATE {t} SET x = {new} WHERE id = 1; SAVE TRAN s; UPDATE {t} SET x = {old} WHERE id = 1; ROLLBACK TRAN s; COMMIT",
    "back": "BEGIN TRAN; UPDATE {t} SET x = {new} WHERE id = 1; UPDATE {t} SET x = {old} WHERE id = 1; UPDATE {t} SET x = {new} WHERE id = 1; COMMIT",
}  # fmt: skip
TARGETS = {
    "table": "CREATE TABLE t (id int PRIMARY KEY, x {type})",
    "heap": "CREATE TABLE t (id int, x {type})",
    "key": "CREATE TABLE t (id int, x {type}, PRIMARY KEY (x, id))",
    "temp": "CREATE TABLE #t (id int PRIMARY KEY, x {type})",
    "variable": "DECLARE @t TABLE (id int PRIMARY KEY, x {type})",
    "trigger": "CREATE TABLE t (id int PRIMARY KEY, x {type}); CREATE TABLE seen (id int, x {type});"
    "EXEC ('CREATE TRIGGER tr ON t AFTER UPDATE AS INSERT seen SELECT * FROM inserted')",
}


@pytest.fixture(scope="module", params=[0, sys.maxsize], ids=["set", "rows"])
def session(request: pytest.FixtureRequest):
    instance = Instance.open(clock="virtual", seed=1)
    instance.locks.sets_from = request.param
    found = instance.connect()
    assert told(found, "CREATE DATABASE d; ALTER DATABASE d SET ALLOW_SNAPSHOT_ISOLATION ON") == []
    assert told(found, "USE d") == []
    yield found
    instance.close()


def shown(rows: list[object]) -> list[str]:
    """With offsets, types and signs."""
    return list(map(repr, rows))


@pytest.mark.matrix
@pytest.mark.parametrize("kind", PAIRS)
@pytest.mark.parametrize("target", TARGETS)
def test_what_is_written_is_there(session, target: str, kind: str) -> None:
    sql_type, old, new = PAIRS[kind]
    name = {"temp": "#t", "variable": "@t"}.get(target, "t")
    wanted = shown(told(session, f"SELECT 1, CAST({new} AS {sql_type}); SELECT 2, CAST({old} AS {sql_type})"))
    wrong = []
    for way, text in WAYS.items():
        if target == "variable" and way in ("savepoint", "current"):  # no transaction of theirs, no cursor over them
            continue
        told(session, "DROP TABLE IF EXISTS t, seen")
        make = TARGETS[target].format(type=sql_type)
        fill = f"INSERT {name} VALUES (1, {old}), (2, {old}); DECLARE @seen {sql_type}; DECLARE @ids TABLE (id int)"
        write = text.format(t=name, new=new, old=old, type=sql_type)
        found = told(session, f"{make}; {fill}; {write}; SELECT * FROM {name} ORDER BY id")
        if target != "variable":
            again = told(session, f"SELECT * FROM {name} ORDER BY id; DROP TABLE {name}")
            if found != again or shown(found) != shown(again):
                wrong.append(f"{way}: {found} {again}")
        if shown(found) != wanted:
            wrong.append(f"{way}: {found}")
        if target == "trigger":
            seen = told(session, "SELECT TOP 1 * FROM seen WHERE id = 1; DROP TABLE seen")
            if shown(seen) != wanted[:1]:
                wrong.append(f"{way}: {seen}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("kind", PAIRS)
def test_a_snapshot_meets_it(session, kind: str) -> None:
    """3960: the row is another one than the transaction's snapshot has."""
    sql_type, old, new = PAIRS[kind]
    other = session.instance.connect("d")
    told(session, "DROP TABLE IF EXISTS t")
    make = f"CREATE TABLE t (id int PRIMARY KEY, x {sql_type})"
    assert told(session, f"{make}; INSERT t VALUES (1, {old})") == []
    told(session, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT * FROM t")
    assert told(other, f"UPDATE t SET x = {new}") == []
    assert told(session, "UPDATE t SET x = x WHERE id = 1") == [3960]
    told(session, "IF @@TRANCOUNT > 0 ROLLBACK; SET TRANSACTION ISOLATION LEVEL READ COMMITTED")


@pytest.mark.parametrize("kind", PAIRS)
def test_children_follow(session, kind: str) -> None:
    """Parent and child may be spelled differently: what is compared is equal. The parent is what was written."""
    sql_type, old, new = PAIRS[kind]
    if kind in UNEQUAL:
        pytest.skip("not equal")
    told(session, "DROP TABLE IF EXISTS c, p")
    make = f"CREATE TABLE p (x {sql_type} PRIMARY KEY); CREATE TABLE c (x {sql_type} REFERENCES p)"
    assert told(session, f"{make}; INSERT p VALUES ({old}); INSERT c VALUES ({old})") == []
    wanted = shown(told(session, f"SELECT CAST({new} AS {sql_type})"))
    assert shown(told(session, f"UPDATE p SET x = {new}; SELECT * FROM p")) == wanted
    assert shown(told(session, f"UPDATE c SET x = {new}; SELECT * FROM c")) == wanted
