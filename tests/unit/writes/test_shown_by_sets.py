"""OUTPUT of writes of many rows: row versions, GUIDs, values of all types, odd names, INTO the table itself, functions,
rights, and what goes row by row. `test_output_of_sets` has the statements, lists and errors."""

from __future__ import annotations

import ast
import itertools
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from told import told_whole as told

sys.path.insert(0, str(Path(__file__).parents[1] / "translate"))

from usual_values import COLUMNS, create

from sbql.engine.instance import Instance
from sbql.engine.session import Session

SOURCE = "CREATE TABLE s (id int NOT NULL PRIMARY KEY, n int, g uniqueidentifier, k int NOT NULL)"
ROWS = "INSERT s SELECT value, NULLIF(value % 11, 5) - 3, CAST(CAST(value AS binary(16)) AS uniqueidentifier), value % 5 + 1 FROM GENERATE_SERIES(1, 60)"
NUMBERS = itertools.count()
"""A text that is new expects nothing of how many rows it is about."""


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None, clock="virtual", seed=1)
    opened = instance.connect()
    told(opened, "CREATE DATABASE d")
    told(opened, "USE d")
    assert told(opened, SOURCE) == []
    assert told(opened, ROWS) == [60]
    yield opened
    instance.close()


@pytest.fixture(scope="module")
def usual() -> Iterator[Session]:
    instance = Instance.open(None)
    opened = instance.connect()
    create(opened)
    yield opened
    instance.close()


def fresh(session: Session, text: str) -> None:
    """The text makes tables r and v."""
    told(session, "DROP TABLE IF EXISTS r, v")
    assert [found for found in told(session, text) if isinstance(found, tuple)] == []


def number_of(shown: str) -> int:
    return int.from_bytes(ast.literal_eval(shown), "big")


def as_rows(found: list[Any]) -> list[Any]:
    """Without counts."""
    return [row for row in found if isinstance(row, tuple)]


@pytest.mark.parametrize("statement", [
    "INSERT r (n) OUTPUT {columns} SELECT n FROM s",
    "UPDATE r SET n = n + 1 OUTPUT {columns}, deleted.v WHERE id % 2 = 0",
    "MERGE r USING s ON s.id = r.id WHEN MATCHED AND s.id % 2 = 0 THEN UPDATE SET n = s.n WHEN NOT MATCHED THEN INSERT (n, g) VALUES (s.n, s.g) OUTPUT {columns}, deleted.v;",
])  # fmt: skip
def test_row_versions_that_are_shown(session: Session, by_sets: list[bool], statement: str) -> None:
    """Those of the rows behind it, each another one, and greater than the ones that went. What is computed of a row
    version and a GUID of a default are the row's, too."""
    session.instance.locks.sets_from = 1
    told(session, "DROP TABLE IF EXISTS r")
    made = "id int IDENTITY PRIMARY KEY, n int, v rowversion, g uniqueidentifier DEFAULT NEWID(), h AS CAST(g AS varchar(36)) PERSISTED"
    assert told(session, f"CREATE TABLE r ({made})") == []
    told(session, "INSERT r (n) SELECT n FROM s WHERE id <= 40")
    by_sets.clear()
    columns = "inserted.id, inserted.v, inserted.g, inserted.h"
    shown = as_rows(told(session, statement.format(columns=columns)))
    assert all(by_sets) and len(shown) >= 20
    behind = {row[0]: row for row in as_rows(told(session, "SELECT id, v, g, h FROM r"))}
    assert all(row[:4] == behind[row[0]] for row in shown)
    assert len({row[1] for row in shown}) == len({row[2] for row in shown}) == len(shown)
    assert all(row[4] == "None" or number_of(row[4]) < number_of(row[1]) for row in shown if len(row) > 4)


def test_into_the_table_itself(session: Session, by_sets: list[bool]) -> None:
    """Rows that are deleted and put back have the same keys; rows that are there already are refused."""
    for sets_from in (1, sys.maxsize):
        session.instance.locks.sets_from = sets_from
        fresh(session, "CREATE TABLE r (id int PRIMARY KEY, n int); INSERT r SELECT id, n FROM s")
        before = told(session, "SELECT * FROM r ORDER BY id")
        assert told(session, f"DELETE r OUTPUT deleted.* INTO r -- {next(NUMBERS)}") == [60]
        assert told(session, "SELECT * FROM r ORDER BY id") == before
        number, *_ = told(session, f"UPDATE r SET n = 1 OUTPUT deleted.* INTO r -- {next(NUMBERS)}")[0]
        assert number == 2627
        assert told(session, "SELECT * FROM r ORDER BY id") == before
        text = f"INSERT r OUTPUT inserted.id + 1000, 7 INTO r SELECT id + 100, n FROM s; SELECT COUNT(*), MIN(id), MAX(id) FROM r -- {next(NUMBERS)}"
        assert told(session, text) == [60, ("180", "1", "1160"), 1]


def test_rows_of_a_statement_in_from(session: Session, by_sets: list[bool]) -> None:
    """The statement in FROM is a set."""
    session.instance.locks.sets_from = 1
    fresh(
        session,
        "CREATE TABLE r (id int PRIMARY KEY, n int); INSERT r SELECT id, n FROM s; CREATE TABLE v (id int, n int)",
    )
    by_sets.clear()
    text = "INSERT v SELECT d.id, d.n + 1 FROM (DELETE r OUTPUT deleted.id, deleted.n WHERE id > 50) AS d WHERE d.n IS NOT NULL"
    assert told(session, text) == [9]
    assert by_sets == [True, False]
    assert told(session, "SELECT COUNT(*) FROM r; SELECT MIN(id), MAX(id) FROM v") == [("50",), 1, ("51", "59"), 1]


@pytest.mark.parametrize(("before", "statement", "after"), [
    ("CREATE TRIGGER tr ON r AFTER DELETE AS PRINT 'gone'", "DELETE r OUTPUT deleted.id INTO v", "DROP TRIGGER tr"),
    ("", "DELETE r WITH (READPAST) OUTPUT deleted.id INTO v", ""),
    ("SET ROWCOUNT 7", "DELETE r OUTPUT deleted.id INTO v", "SET ROWCOUNT 0"),
    ("", "DECLARE @n int = 0; UPDATE r SET @n = n = @n + 1 OUTPUT inserted.id INTO v", ""),
    ("", "INSERT r (id, n) OUTPUT inserted.id INTO v SELECT TOP (1000) ROW_NUMBER() OVER (ORDER BY id) + 1000, 1 FROM s WHERE id < 0", ""),
    ("", "DELETE TOP (0) r OUTPUT deleted.id INTO v", ""),
])  # fmt: skip
def test_what_goes_row_by_row(session: Session, by_sets: list[bool], before: str, statement: str, after: str) -> None:
    session.instance.locks.sets_from = 1
    fresh(session, "CREATE TABLE r (id int PRIMARY KEY, n int); INSERT r SELECT id, n FROM s; CREATE TABLE v (id int)")
    told(session, before)
    by_sets.clear()
    count, *_ = told(session, statement)
    assert not any(by_sets)
    told(session, after)
    assert told(session, "SELECT COUNT(*) FROM v") == [(repr(count),), 1]


def test_a_table_of_into_in_which_others_are_at_work(session: Session, by_sets: list[bool]) -> None:
    """The write is a set; what it shows goes row by row into a table that cannot be locked as a whole, with the
    identity values that were taken."""
    session.instance.locks.sets_from = 1
    fresh(
        session,
        "CREATE TABLE r (id int PRIMARY KEY, n int); INSERT r SELECT id, n FROM s; CREATE TABLE v (line int IDENTITY PRIMARY KEY, id int)",
    )
    other = session.instance.connect("d")
    assert told(other, "BEGIN TRANSACTION; INSERT v VALUES (0)") == [1]
    by_sets.clear()
    assert told(session, "DELETE r OUTPUT deleted.id INTO v WHERE id <= 10") == [10]
    assert by_sets == [True, False]
    assert told(other, "ROLLBACK") == []
    assert told(session, "SELECT MIN(line), MAX(line), COUNT(*) FROM v") == [("2", "11", "10"), 1]


def test_what_others_may_see_and_do(session: Session) -> None:
    """A table of which others have rows is changed row by row, and their rows are waited for."""
    session.instance.locks.sets_from = 1
    fresh(session, "CREATE TABLE r (id int PRIMARY KEY, n int); INSERT r SELECT id, n FROM s")
    other = session.instance.connect("d")
    assert told(other, "BEGIN TRANSACTION; UPDATE r SET n = 100 WHERE id = 3") == [1]
    shown = told(session, "SET LOCK_TIMEOUT 0; DELETE r OUTPUT deleted.id")
    assert shown[0][0] == 1222
    assert told(session, "DELETE TOP (2) r OUTPUT deleted.id WHERE id > 10") == [("11",), ("12",), 2]
    assert told(other, "ROLLBACK") == []
    assert told(session, "DELETE r OUTPUT deleted.n WHERE id = 3; SELECT COUNT(*) FROM r") == [("0",), 1, ("57",), 1]


def test_rights_to_what_is_shown(session: Session) -> None:
    """Who may delete and not read sees no rows either way."""
    fresh(session, "CREATE TABLE r (id int PRIMARY KEY, n int)")
    told(
        session,
        "CREATE USER guard WITHOUT LOGIN; GRANT DELETE, UPDATE, INSERT ON r TO guard; GRANT SELECT ON s TO guard",
    )
    texts = (
        "DELETE r OUTPUT deleted.n", "DELETE r OUTPUT 1", "DELETE r", "UPDATE r SET n = 1 OUTPUT inserted.n", "UPDATE r SET n = 1",
        "INSERT r OUTPUT inserted.n SELECT id + 100, n FROM s",
    )  # fmt: skip
    for text in texts:
        found = []
        for sets_from in (1, sys.maxsize):
            session.instance.locks.sets_from = sets_from
            told(session, "DELETE r; INSERT r SELECT id, n FROM s")
            done = told(session, f"EXECUTE AS USER = 'guard'; {text} -- {next(NUMBERS)}")
            told(session, "REVERT")
            found.append((done, told(session, "SELECT * FROM r ORDER BY id")))
        assert found[0] == found[1], text
    told(session, "DROP USER guard")


@pytest.mark.parametrize("into", ["", "INTO v", "INTO @v"])
@pytest.mark.parametrize("statement", [
    "INSERT r OUTPUT inserted.* {into} SELECT * FROM usual",
    "DELETE r OUTPUT deleted.* {into}",
    "UPDATE r SET i = i + 0 OUTPUT {one}.* {into}",
    "MERGE r USING (VALUES (1)) AS x (n) ON 1 = 1 WHEN MATCHED THEN UPDATE SET i = NULL OUTPUT {other}.* {into};",
])  # fmt: skip
def test_values_of_all_types(usual: Session, by_sets: list[bool], statement: str, into: str) -> None:
    """They are what a SELECT gives, for the client and in the table of INTO."""
    declared = ", ".join(f"{name} {sql_type}" for name, (sql_type, *_) in COLUMNS.items())
    before = sorted(map(repr, as_rows(told(usual, "SELECT * FROM usual"))))
    for sets_from in (1, sys.maxsize):
        usual.instance.locks.sets_from = 1
        fresh(usual, f"CREATE TABLE r ({declared}); CREATE TABLE v ({declared})")
        if not statement.startswith("INSERT"):
            assert told(usual, "INSERT r SELECT * FROM usual") == [len(before)]
        usual.instance.locks.sets_from = sets_from
        by_sets.clear()
        text = statement.format(into=into, one="inserted", other="deleted")
        shown = told(
            usual,
            f"DECLARE @v TABLE ({declared}); {text} {f'; SELECT * FROM {into[5:]}' if into else ''} -- {next(NUMBERS)}",
        )
        assert sorted(map(repr, as_rows(shown))) == before
        assert (by_sets and all(by_sets)) if sets_from == 1 else not any(by_sets)


ODD = ("rowid", "c1", "c2", "c3", "old", "made", "k", "o", "a b", 'q"q', "row_id")


def test_columns_with_odd_names(session: Session, by_sets: list[bool]) -> None:
    """Names that the queries over found rows use for something else."""
    names = [f"[{name}]" for name in ODD]
    texts = [
        f"INSERT r ({', '.join(names)}) OUTPUT inserted.* SELECT {', '.join(f'id + {n}' for n in range(len(ODD)))} FROM s WHERE id <= 3",
        f"UPDATE r SET {', '.join(f'{one} = {other}' for one, other in zip(names, [*names[1:], names[0]], strict=True))} OUTPUT deleted.*, inserted.*",
        "MERGE r USING s ON s.id = r.rowid WHEN MATCHED THEN UPDATE SET [c1] = 7, old = 8 WHEN NOT MATCHED AND s.id > 59 THEN INSERT (c1, k) VALUES (s.id, s.id) OUTPUT $action, deleted.*, inserted.*, s.k;",
        f"DELETE r OUTPUT {', '.join(f'deleted.{name}' for name in reversed(names))}",
    ]  # fmt: skip
    found: list[list[Any]] = []
    for sets_from in (1, sys.maxsize):
        session.instance.locks.sets_from = 1
        fresh(
            session,
            f"CREATE TABLE r ({', '.join(f'{name} int' for name in names)}, twice AS [c1] * 2 PERSISTED, version rowversion)",
        )
        session.instance.locks.sets_from = sets_from
        by_sets.clear()
        found.append(
            [[without_versions(row) for row in as_rows(told(session, f"{text} -- {next(NUMBERS)}"))] for text in texts]
        )
        assert by_sets and set(by_sets) == {sets_from == 1}
    assert found[0] == found[1]
    assert found[0][0][0][: len(ODD) + 1] == (*(str(1 + n) for n in range(len(ODD))), "4")
    assert found[0][1][0][len(ODD) + 1 :][: len(ODD)] == (*(str(1 + n) for n in range(1, len(ODD))), "1")
    assert [row[0] for row in found[0][2]] == ["'INSERT'", *["'UPDATE'"] * 3]


def without_versions(row: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(value for value in row if not value.startswith("b'"))


def test_columns_under_other_names(session: Session, by_sets: list[bool]) -> None:
    """A view and a common table expression call the columns of the table something else."""
    session.instance.locks.sets_from = 1
    fresh(session, "CREATE TABLE r (id int PRIMARY KEY, n int); INSERT r SELECT id, n FROM s WHERE id <= 5")
    told(session, "CREATE VIEW w AS SELECT n AS amount, id AS number FROM r WHERE id <> 3")
    by_sets.clear()
    text = "WITH q (a, b) AS (SELECT TOP (2) id, n FROM r ORDER BY id DESC) UPDATE q SET b = 40 + a OUTPUT inserted.b, deleted.a"
    assert told(session, text) == [("45", "5"), ("44", "4"), 2]
    assert told(
        session,
        "INSERT w (number, amount) OUTPUT inserted.amount, inserted.number SELECT id, 1 FROM s WHERE id IN (9, 8)",
    ) == [("1", "8"), ("1", "9"), 2]
    assert told(session, "DELETE w OUTPUT deleted.* WHERE amount > 40") == [("44", "4"), ("45", "5"), 2]
    assert all(by_sets)
    told(session, "DROP VIEW w")


@pytest.mark.parametrize("sets_from", [1, sys.maxsize])
@pytest.mark.parametrize("into", ["@v", "v"])
def test_what_is_shown_beside_into_fails(session: Session, into: str, sets_from: int) -> None:
    """Nothing is written then, not even in a table variable."""
    session.instance.locks.sets_from = sets_from
    fresh(
        session,
        "CREATE TABLE r (id int PRIMARY KEY, n int); INSERT r SELECT id, n FROM s; CREATE TABLE v (line int IDENTITY, id int)",
    )
    text = f"DECLARE @v TABLE (line int IDENTITY, id int); DELETE r OUTPUT deleted.id INTO {into} OUTPUT 10 / deleted.n; SELECT COUNT(*) FROM {into}; SELECT COUNT(*) FROM r"
    error, *rest = told(session, f"{text} -- {next(NUMBERS)}")
    assert (error[0], [row for row in rest if isinstance(row, tuple)]) == (8134, [("0",), ("60",)])


def test_what_is_shown_is_on_disk(tmp_path: Path, by_sets: list[bool]) -> None:
    """The rows of INTO are committed with the write, or rolled back with it."""
    path = str(tmp_path / "store.duckdb")
    asked = "SELECT COUNT(*), SUM(id) FROM s; SELECT COUNT(*), SUM(id), MAX(line) FROM v"
    with closing(Instance.open(path, clock="virtual")) as instance:
        instance.locks.sets_from = 1
        opened = instance.connect()
        assert told(opened, f"{SOURCE}; CREATE TABLE v (line int IDENTITY PRIMARY KEY, id int)") == []
        assert told(opened, ROWS) == [60]
        by_sets.clear()
        assert told(opened, "DELETE TOP (50) s OUTPUT deleted.id INTO v WHERE id <= 50") == [50]
        assert told(opened, "BEGIN TRANSACTION; DELETE s OUTPUT deleted.id INTO v; ROLLBACK") == [10]
        assert by_sets == [True] * 4
        behind = told(opened, asked)
    assert behind == [("10", "555"), 1, ("50", "1275", "50"), 1]
    with closing(Instance.open(path, clock="virtual")) as instance:
        assert told(instance.connect(), asked) == behind


@pytest.mark.parametrize("sets_from", [1, sys.maxsize])
def test_functions_in_the_list(session: Session, sets_from: int) -> None:
    """RAND() is one value for a statement, NEWID() another one for each row; a function of a user sees
    what is written."""
    session.instance.locks.sets_from = sets_from
    fresh(session, "CREATE TABLE r (id int PRIMARY KEY, n int); INSERT r SELECT id, n FROM s")
    told(session, "CREATE FUNCTION dbo.twice (@n int) RETURNS int AS BEGIN RETURN @n * 2 END")
    shown = as_rows(
        told(
            session,
            f"UPDATE r SET n = id OUTPUT RAND(), NEWID(), dbo.twice(inserted.n), dbo.twice(1), inserted.id -- {next(NUMBERS)}",
        )
    )
    assert [len({row[place] for row in shown}) for place in range(5)] == [1, 60, 60, 1, 60]
    assert all(int(row[2]) == 2 * int(row[4]) for row in shown)
    told(session, "DROP FUNCTION dbo.twice")
