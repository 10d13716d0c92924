"""Lists of values of a key give what DuckDB gives: in every kind of statement, over every type that keys have, with
NULL, repeated, missing and unfit values, and over what the transaction itself has written.

Each statement runs on two instances with the same rows, of which one leaves all to DuckDB.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from direct_pair import Pair
from told import told

from sbql.engine.direct import listed_keys
from sbql.engine.instance import Instance

VALUES = {
    "tinyint": ("0", "7", "255", "9"),
    "int": ("-5", "0", "2147483647", "12"),
    "bigint": ("-9223372036854775808", "1", "9223372036854775807", "5"),
    "bit": ("0", "1", "1", "0"),
    "decimal(9, 2)": ("1.25", "-1.25", "0", "7.5"),
    "float": ("0.5", "-0.5", "1e10", "3"),
    "varchar(10)": ("'a'", "'B '", "''", "'zz'"),
    "nvarchar(10)": ("N'Ä'", "N'b'", "N'ß'", "N'zz'"),
    "char(3)": ("'a'", "'bc'", "'def'", "'zz'"),
    "nchar(3) COLLATE Latin1_General_BIN2": ("N'a'", "N'A'", "N'b'", "N'zz'"),
    "date": ("'20240229'", "'00010101'", "'99991231'", "'20200101'"),
    "datetime": ("'20240229 12:00:00.003'", "'17530101'", "'20240229'", "'20200101'"),
    "datetime2": ("'20240229 12:00:00.0000001'", "'00010101'", "'20240229'", "'20200101'"),
    "uniqueidentifier": tuple(f"'0000000{n}-0000-0000-0000-000000000000'" for n in "1239"),
    "varbinary(5)": ("0x00", "0x01", "0xFF", "0x09"),
}
CONDITIONS = (
    "k IN ({a}, {b})", "k IN ({b}, {a}, {b}, {missing}, NULL)", "k = {a} OR k = {c}", "{a} = k OR k = {c} OR k = {missing}", "k IN ({a}, {b}) AND v > 1", "k NOT IN ({a}, {b})",
    "k IN (@a, @b)", "k = @a OR k = @b", "k IN (@a, @none)", "k IN ({a}, k)", "k IN ({a}, NULL) OR v = 3", "NOT (k IN ({a}, {b}))", "k IN ({a}, {b}) AND k IN ({b}, {c})",
    "k IN (N'1', 'x')", "k IN (1, {a})", "k IN ({a}, 1 / 0)", "k IN ({a}, CAST('x' AS int))", "k IN ({a})", "v = 1 OR k = {a}", "(k = {a} OR k = {b}) AND v IN (1, 2)",
)  # fmt: skip
STATEMENTS = (
    "SELECT v FROM t WHERE {}", "SELECT COUNT(*), MAX(v) + 1 FROM t WHERE {}", "SELECT TOP (1) v FROM t WHERE {} ORDER BY v DESC", "SELECT DISTINCT v / 10 FROM t WHERE {}",
    "SELECT v, COUNT(*) FROM t WHERE {} GROUP BY v", "IF EXISTS (SELECT * FROM t WHERE {}) SELECT 'yes'", "SELECT t.v, o.v FROM t JOIN t AS o ON o.k = t.k WHERE t.{}",
    "UPDATE t SET v = v + 10 WHERE {}; SELECT v FROM t ORDER BY v", "DELETE t WHERE {}; SELECT v FROM t ORDER BY v", "UPDATE t SET v = NULL OUTPUT deleted.v WHERE {}; SELECT v FROM t ORDER BY v",
    "SELECT v FROM t WITH (UPDLOCK, READPAST) WHERE {}", "UPDATE TOP (1) t SET v = 50 WHERE {}; SELECT COUNT(*) FROM t WHERE v = 50", "INSERT c SELECT v FROM t WHERE {}; SELECT COUNT(*) FROM c",
    "WITH x AS (SELECT TOP (1) * FROM t WHERE {} ORDER BY v DESC) UPDATE x SET v = v + 50 OUTPUT inserted.v; SELECT v FROM t ORDER BY v",
    "WITH x AS (SELECT TOP (1) * FROM t WITH (UPDLOCK, READPAST) WHERE {} ORDER BY v) DELETE x OUTPUT deleted.v; SELECT v FROM t ORDER BY v",
)  # fmt: skip
OWN = "UPDATE t SET v = 100 WHERE k = {a}; DELETE t WHERE k = {b}; INSERT t VALUES ({missing}, 9)"


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether the rows of each list were found."""
    found: list[bool] = []
    rows = listed_keys.ByKeys.rows

    def noted(self: Any, frame: Any) -> Any:
        answer = rows(self, frame)
        found.append(answer is not None)
        return answer

    monkeypatch.setattr(listed_keys.ByKeys, "rows", noted)
    return found


@pytest.mark.matrix
@pytest.mark.parametrize("has_own", [False, True], ids=["committed", "own"])
@pytest.mark.parametrize("sql_type", VALUES)
def test_all_statements(pair: Pair, sql_type: str, has_own: bool, answered: list[bool]) -> None:
    a, b, c, missing = VALUES[sql_type]
    words = {"a": a, "b": b, "c": c, "missing": missing}
    rows = ", ".join(f"({key}, {n})" for n, key in enumerate(dict.fromkeys((a, b, c)), 1))
    declared = f"DECLARE @a {sql_type.split(' COLLATE')[0]} = {a}, @b {sql_type.split(' COLLATE')[0]} = {b}, @none {sql_type.split(' COLLATE')[0]}; "
    assert pair.both(
        f"CREATE TABLE t (k {sql_type} PRIMARY KEY, v int); INSERT t VALUES {rows}; CREATE TABLE c (v int)"
    )
    for statement, condition in itertools.product(STATEMENTS, CONDITIONS):
        own = OWN.format(**words) if has_own and missing not in (a, b, c) else ""
        text = f"{declared}BEGIN TRANSACTION; {own}; {statement.format(condition.format(**words))}"
        one, other = pair.both(text)
        assert one == other, text
        pair.both("IF @@TRANCOUNT > 0 ROLLBACK")
    if sql_type not in ("decimal(9, 2)", "float", "varbinary(5)", "datetime2"):
        assert sum(answered) > 30


COMPOSITE = (
    "SELECT q FROM l WHERE o = 3 AND i IN (1, 2, 99)", "SELECT q FROM l WHERE i IN (4, 5) AND o = 2 AND q < 25", "SELECT q FROM l WHERE o IN (1, 2) AND i IN (3, 4)",
    "SELECT q FROM l WHERE o IN (1, 2)", "SELECT SUM(q) FROM l WHERE o = 1 AND (i = 2 OR i = 3)", "UPDATE l SET q = 0 WHERE i IN (4, 5) AND o = 2; SELECT SUM(q) FROM l",
    "DELETE l WHERE o = 2 AND i IN (4, 5, 4); SELECT COUNT(*) FROM l", "SELECT q FROM l WHERE u IN ('u5', 'U7')", "SELECT q FROM l WHERE u = 'u5' OR u IS NULL", "SELECT q FROM l WHERE u IN ('u5', NULL)",
)  # fmt: skip


@pytest.mark.parametrize("text", COMPOSITE)
def test_keys_of_several_columns(pair: Pair, text: str) -> None:
    one, other = pair.both(
        "CREATE TABLE l (o int, i int, q int, u varchar(5) NULL, PRIMARY KEY (o, i)); CREATE UNIQUE INDEX x ON l (u) WHERE u IS NOT NULL;"
        "INSERT l SELECT value / 10, value % 10, value, CONCAT('u', value) FROM GENERATE_SERIES(0, 99)"
    )
    assert one == other
    one, other = pair.both(text)
    assert one == other
    assert len(one) > 0


TOPS = (
    "TOP (1)", "TOP (2)", "TOP (0)", "TOP (@n)", "TOP (@n - 2)", "TOP (@none)", "TOP (100)", "",
)  # fmt: skip
MADE = {
    "a table by a key": ("CREATE TABLE w (id int PRIMARY KEY, pri int)", "w", "WHERE id = 2"),
    "a table by keys": ("CREATE TABLE w (id int PRIMARY KEY, pri int)", "w", "WHERE id IN (1, 2, 3, 4)"),
    "a table": ("CREATE TABLE w (id int PRIMARY KEY, pri int)", "w", "WHERE pri > 0"),
    "#temp": ("CREATE TABLE #w (id int, pri int)", "#w", ""),
    "#temp by a value": ("CREATE TABLE #w (id int, pri int)", "#w", "WHERE id < 4"),
    "@variable": ("DECLARE @w TABLE (id int, pri int)", "@w", ""),
}


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("top", TOPS)
def test_a_write_through_a_query_with_top_takes_the_first_rows(pair: Pair, made: str, top: str) -> None:
    """`WITH x AS (SELECT TOP (1) … ORDER BY pri) DELETE x`, from wherever the rows come."""
    definition, name, where = MADE[made]
    rows = f"INSERT {name} VALUES (1, 5), (2, 9), (3, 1), (4, 7)"
    declared = "DECLARE @n int = 1, @none int;"
    order = "ORDER BY pri DESC" if top else ""
    query = f"WITH x AS (SELECT {top} * FROM {name} {where} {order})"
    for write in ("DELETE x OUTPUT deleted.id", "UPDATE x SET pri = pri + 20 OUTPUT inserted.id, inserted.pri"):
        text = f"{declared} {definition}; {rows}; {query} {write}; SELECT id, pri FROM {name} ORDER BY id"
        one, other = pair.both(text)
        assert one == other, text
        if top == "TOP (1)" and where != "WHERE id = 2":
            assert ("(2, 29)" if write.startswith("UPDATE") else "(2,)") in one, one
        pair.both("DROP TABLE IF EXISTS w; DROP TABLE IF EXISTS #w")


def test_what_others_commit_meanwhile_is_not_half_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows found before and behind a commit are of two moments: DuckDB is asked."""
    instance = Instance.open(None)
    session, other = instance.connect(), instance.connect()
    assert told(session, "CREATE TABLE t (k int PRIMARY KEY, v int); INSERT t VALUES (1, 1), (2, 1)") == []
    assert told(session, "SELECT v FROM t WHERE k = 1; SELECT v FROM t WHERE k = 2")
    look, looks = listed_keys.ByKey.look, []

    def interrupted(self: Any, frame: Any, wanted: Any) -> Any:
        found = look(self, frame, wanted)
        looks.append(wanted)
        if len(looks) == 1:
            assert told(other, "UPDATE t SET v = 2") == []
        return found

    monkeypatch.setattr(listed_keys.ByKey, "look", interrupted)
    assert told(session, "SELECT SUM(v), COUNT(DISTINCT v) FROM t WHERE k IN (1, 2)") == [(4, 1)]
    assert looks
    instance.close()
