"""Writes as sets: the same tables, counts, identity values and errors as row by row,
in whatever transaction they stand.

Two instances run the same random batches, one with every write as a set, one with none; everything that they tell and
all tables must be equal. `SET_BATCHES` (40) says how many batches, `SET_SEED` which; `SET_SCRIPTS=all` runs all
scripts of tables and transactions.
"""

from __future__ import annotations

import itertools
import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet, RowsAffected
from sbql.repl.testing import ScriptFailure, run_script

BATCHES = int(os.environ.get("SET_BATCHES", "40"))
SEED = int(os.environ.get("SET_SEED", "1"))
STRIDE = 1 if os.environ.get("SET_SCRIPTS") == "all" else 4
OF_ROWS = {"deadlock", "locks", "readpast_levels", "table_hints", "writers_wait"}
"""Scripts about locks of single rows, which a set does not take: it locks the table."""
FOLDER = Path(__file__).parents[2] / "sql"
ALL = sorted(
    f for t in ("tables", "transactions") for f in (FOLDER / t).glob("*.sql") if f.stem not in (*OF_ROWS, "sets")
)
SCRIPTS = [FOLDER / "transactions" / "sets.sql", *ALL][::STRIDE]

SETUP = """
CREATE TABLE source (id int NOT NULL, n int NULL, big bigint, word varchar(12), wide nvarchar(12), price decimal(9,3), at datetime, raw varbinary(6));
CREATE TABLE parent (id int PRIMARY KEY, name varchar(10));
CREATE TABLE heap (id int, n smallint, word varchar(6), wide nvarchar(6), price decimal(9,2), raw varbinary(4));
CREATE TABLE keyed (id int PRIMARY KEY, n int NOT NULL CHECK (n < 40), word char(6) DEFAULT 'dflt', seen int DEFAULT (7));
CREATE TABLE counted (number int IDENTITY(10, 5) UNIQUE, word nvarchar(8), at datetime DEFAULT GETDATE());
CREATE TABLE child (id int IDENTITY PRIMARY KEY, parent_id int REFERENCES parent (id), word varchar(20));
CREATE TABLE named (word nvarchar(20) UNIQUE, id int, UNIQUE (id, word));
CREATE TABLE computed (id int, twice AS id * 2);
CREATE TABLE #temp (id int, word varchar(12));
CREATE TABLE shown (line int IDENTITY, word nvarchar(30), n int DEFAULT (3));
INSERT parent SELECT value, 'p' FROM GENERATE_SERIES(1, 20);
"""
TABLES = {
    "heap": ("id", "n", "word", "wide", "price", "raw"),
    "keyed": ("id", "n", "word"),
    "counted": ("word",),
    "child": ("parent_id", "word"),
    "computed": ("id",),
    "named": ("word", "id"),
    "#temp": ("id", "word"),
}
VALUES = {
    "id": ("id", "id + {}", "n", "id % 7", "id * 1000000000"),
    "n": ("n", "id % 50", "id % 30", "big", "NULL", "id + 32700"),
    "word": (
        "word",
        "'w' + word",
        "wide",
        "CAST(id AS varchar(10))",
        "NULL",
        "'a' + CAST(id + {} AS varchar(10))",
        "word + '      '",
    ),
    "wide": ("wide", "word", "N'x'", "NULL", "wide + N'\U0001f600'"),
    "price": ("price", "id", "n", "price * 100000", "id / 3.0"),
    "raw": ("raw", "NULL", "0x01020304", "raw + 0x00"),
    "parent_id": ("id % 20 + 1", "id", "NULL", "n"),
}


class Pair:
    """Two instances: `sets_from` 0 and beyond all. What a batch tells must be the same in both."""

    def __init__(self) -> None:
        self.instances = [Instance.open(clock="virtual", seed=3) for _ in range(2)]
        for instance, sets_from in zip(self.instances, (0, sys.maxsize), strict=True):
            instance.locks.sets_from = sets_from
        self.sessions: list[Any] = [instance.connect() for instance in self.instances]
        self.run("CREATE DATABASE d")
        self.run("USE d")
        self.run(SETUP)

    def run(self, text: str) -> list[Any]:
        first, second = (told(session.run(text)) for session in self.sessions)
        assert first == second, text
        return first

    def compare_tables(self) -> None:
        for name in (*TABLES, "source", "parent"):
            self.run(f"SELECT * FROM {name} ORDER BY 1, 2")
        self.run("SELECT word, n FROM shown; SELECT line FROM shown")
        self.run("SELECT IDENT_CURRENT('counted'), IDENT_CURRENT('child'), @@IDENTITY")

    def close(self) -> None:
        for instance in self.instances:
            instance.close()


def told(outcomes: list[Outcome]) -> list[Any]:
    """Rows, counts, and errors with their texts."""
    found: list[Any] = []
    for outcome in outcomes:
        if isinstance(outcome, ResultSet):
            found.append(sorted(map(repr, outcome.rows)))
        elif isinstance(outcome, RowsAffected):
            found.append(outcome.count)
        elif isinstance(outcome, ErrorOutcome):
            found.append((outcome.error.number, outcome.error.state, outcome.error.message))
    return found


@pytest.fixture
def pair() -> Iterator[Pair]:
    made = Pair()
    yield made
    made.close()


def output(chance: random.Random, table: str, *sides: str, is_join: bool = False) -> str:
    """An OUTPUT clause now and then, for the client, a table or both. The rows of a join come in any order, so that of
    several that fail any one is told of: theirs do not."""
    if chance.random() < 0.6:
        return ""
    items = [
        f"{chance.choice(sides)}.{column}"
        for column in chance.sample(TABLES[table], min(1 if is_join else 2, len(TABLES[table])))
    ]
    if chance.random() < 0.3:
        items[0] = chance.choice((f"ISNULL(CAST({items[0]} AS nvarchar(40)), N'none')", "@three", "DB_NAME()"))
    into = f" INTO shown ({', '.join(('word', 'n')[: len(items)])})" if chance.random() < 0.5 else ""
    more = f" OUTPUT {sides[0]}.*" if into and chance.random() < 0.3 else ""
    return f" OUTPUT {', '.join(items)}{into}{more}"


def insertion(chance: random.Random) -> str:
    table = chance.choice(list(TABLES))
    columns = [c for c in TABLES[table] if table == "heap" or chance.random() < 0.9] or [TABLES[table][0]]
    values = [
        chance.choice(VALUES[column][: chance.choice((1, 2, 9))]).format(chance.randrange(3000)) for column in columns
    ]
    where = chance.choice(("", " WHERE id < 10", " WHERE n IS NOT NULL", " WHERE id < 0", " WHERE id % 3 = 1"))
    order = chance.choice(("", " ORDER BY id DESC"))
    top = chance.choice(("", "", "", "TOP (5) "))
    shown = output(chance, table, "inserted")
    return (
        f"INSERT INTO {table} ({', '.join(columns)}){shown} SELECT {top}{', '.join(values)} FROM source{where}{order}"
    )


SETS = {
    "heap": (
        "n = id",
        "n = n + 1, word = wide",
        "price = price * 10, id = id + 1",
        "word = 'x' + word",
        "wide = NULL",
        "raw = raw + 0x01",
        "n = DEFAULT",
        "n = @three * 2 + n, id = id - @three",
        "n = (SELECT MAX(h.n) FROM heap AS h) - id, word = CAST(@three AS varchar(6))",
    ),
    "keyed": (
        "n = n + 1",
        "word = 'a', seen = DEFAULT",
        "n = 39",
        "n = NULL",
        "word = CAST(id AS varchar(10))",
        "id = id + 100",
        "seen = seen + n",
    ),
    "counted": ("word = word + 'x'", "at = DEFAULT", "word = N'😀' + word"),
    "child": ("parent_id = NULL", "word = word + 'y'"),
    "computed": ("id = id + 1",),
    "#temp": ("word = NULL, id = id * 2", "id = 1000000000 * id"),
}
CONDITIONS = (
    "",
    " WHERE {t}.id % 2 = 0",
    " WHERE {t}.id < 0",
    " WHERE {t}.id IN (SELECT id FROM source WHERE n > 5)",
    " WHERE {t}.id > @three AND {t}.id <= (SELECT AVG(CAST(o.id AS bigint)) FROM {t} AS o)",
)


def change(chance: random.Random) -> str:
    """An UPDATE or a DELETE, some with FROM, where a row may be found several times."""
    table = chance.choice(list(SETS))
    where = "" if table == "counted" else chance.choice(CONDITIONS).format(t=table)
    joined = ""
    if table in ("heap", "keyed", "#temp") and chance.random() < 0.4:
        joined = f" FROM {table} JOIN (SELECT id, n AS m FROM source UNION ALL SELECT id, n FROM source WHERE id < 9) AS s ON s.id = {table}.id"
    first = chance.choice(("", "", "", "TOP (9) ", "TOP (30) PERCENT ")) if not joined else ""
    if chance.random() < 0.3:
        return f"DELETE {first}{table}{output(chance, table, 'deleted', is_join=bool(joined))}{joined}{where}"
    sets = chance.choice(SETS[table])
    if (
        joined and chance.random() < 0.5
    ):  # each row is met once: in one step, where the statement is a transaction by itself
        joined = f" FROM {table} JOIN parent AS s ON s.id = {table}.id"
        sets = "seen = s.id" if table == "keyed" else "id = s.id + 1" if table == "#temp" else "n = s.id, word = 'p'"
    elif joined:
        sets = "seen = s.m" if table == "keyed" else "id = s.m + 1" if table == "#temp" else "n = s.m"
    shown = output(chance, table, "deleted", "inserted", is_join=bool(joined))
    return f"UPDATE {first}{table} SET {sets}{shown}{joined}{where}"


MERGES = {
    "heap": ("n = s.n", "(id, n, word) VALUES (s.id, s.n, s.word)"),
    "keyed": ("seen = s.n, word = DEFAULT", "(id, n) VALUES (s.id + 30, ISNULL(s.n, 0))"),
    "child": ("parent_id = NULL", "(parent_id) VALUES (s.id % 21 + 1)"),
    "#temp": ("word = s.wide", "(id, word) VALUES (s.id, s.word)"),
}


def merge(chance: random.Random) -> str:
    table = chance.choice(list(MERGES))
    sets, values = MERGES[table]
    source = chance.choice(
        (
            "source",
            "(SELECT * FROM source WHERE id % 3 = 0)",
            "(SELECT * FROM source UNION ALL SELECT * FROM source WHERE id < 3)",
        )
    )
    clauses = [
        chance.choice(
            ("", f"WHEN MATCHED AND s.n > 20 THEN UPDATE SET {sets}", f"WHEN MATCHED THEN UPDATE SET {sets}")
        ),
        chance.choice(
            ("", "WHEN MATCHED AND s.id < 30 THEN DELETE", "WHEN NOT MATCHED BY SOURCE AND t.id > 70 THEN DELETE")
        ),
        chance.choice(
            (f"WHEN NOT MATCHED THEN INSERT {values}", f"WHEN NOT MATCHED AND s.id < 40 THEN INSERT {values}")
        ),
    ]
    if clauses[0].endswith(sets) and " AND " not in clauses[0] and clauses[1].startswith("WHEN MATCHED"):
        clauses[1] = ""
    shown = output(chance, table, "deleted", "inserted", is_join=True)
    return f"MERGE {table} AS t USING {source} AS s ON s.id = t.id {' '.join(clauses)}{shown};"


def statement(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.45:
        return insertion(chance)
    if kind < 0.82:
        return change(chance)
    if kind < 0.88:
        return merge(chance)
    if kind < 0.91:
        name = chance.choice(("#into", "into_table"))
        return f"DROP TABLE IF EXISTS {name}; SELECT id, word, n + 1 AS m INTO {name} FROM source WHERE id % 2 = 0; SELECT * FROM {name}"
    if kind < 0.95:
        return f"DELETE {chance.choice(list(TABLES))}"
    return "INSERT keyed (id, n) VALUES (-1, 1); DELETE keyed WHERE id = -1"


def batch(chance: random.Random) -> str:
    """One to four statements, in a transaction or not, some of which a savepoint undoes."""
    statements = [statement(chance) for _ in range(chance.choice((1, 1, 2, 4)))]
    statements[0] = f"DECLARE @three int = 3; {statements[0]}"
    if chance.random() < 0.5:
        return "; ".join(statements)
    if len(statements) > 2:
        statements.insert(1, "SAVE TRAN s")
        statements.insert(3, "ROLLBACK TRAN s")
    reads = "SELECT COUNT(*), SUM(CAST(id AS bigint)) FROM heap; SELECT COUNT(*) FROM keyed"
    end = chance.choice(("COMMIT", "COMMIT", "ROLLBACK"))
    return f"BEGIN TRAN; {'; '.join(statements)}; {reads}; IF @@TRANCOUNT > 0 {end}"


def test_random_batches(pair: Pair) -> None:
    """Whatever is inserted, with errors of every kind, is the same in both."""
    chance = random.Random(SEED)
    pair.run(
        "INSERT source SELECT value, CASE WHEN value % 9 = 0 THEN NULL ELSE value % 35 END, value * 3, 'w' + CAST(value AS varchar(8)),"
        " N'\u00e9' + CAST(value AS nvarchar(8)), value / 7.0, '2026-01-01', CAST(value AS varbinary(4)) FROM GENERATE_SERIES(1, 60)"
    )
    for number in range(BATCHES):
        pair.run(batch(chance))
        if number % 5 == 0:
            pair.compare_tables()
    pair.compare_tables()


def test_done_again_on_newer_snapshots(pair: Pair) -> None:
    """Writes that DuckDB has seen are done again when another session has committed what the transaction
    reads next: the same rows change."""
    others = [instance.connect("d") for instance in pair.instances]
    number = itertools.count(100)

    def commit_elsewhere() -> None:
        row = next(number)
        for session in others:
            assert session.run(f"INSERT parent VALUES ({row}, 'q')") is not None
        pair.run("SELECT COUNT(*), SUM(h.n), MIN(h.id) FROM heap AS h CROSS JOIN parent AS p")

    pair.run("INSERT heap (id, n) SELECT id, id % 7 FROM parent; INSERT keyed (id, n) SELECT id, id FROM parent")
    pair.run("BEGIN TRAN; UPDATE heap SET n = n + 1; UPDATE keyed SET n = n + 1")
    commit_elsewhere()
    pair.run(
        "UPDATE heap SET id = id + n OUTPUT deleted.id, inserted.id INTO shown (word, n) WHERE n > 2; DELETE heap OUTPUT deleted.id WHERE n = 5;"
        " DECLARE @n int = 2; DELETE TOP (50) keyed OUTPUT deleted.id INTO shown (n) WHERE n <= @n"
    )
    commit_elsewhere()
    pair.run(
        "SAVE TRAN s; UPDATE heap SET n = n * 2; DELETE keyed WHERE n % 2 = 0; UPDATE heap SET n = n - id WHERE id < 9"
    )
    commit_elsewhere()
    pair.run("ROLLBACK TRAN s; UPDATE heap SET n = n + 10")
    commit_elsewhere()
    pair.run(
        "INSERT heap (id) OUTPUT inserted.id INTO shown (n) SELECT id FROM parent WHERE id < 9; SELECT COUNT(*), SUM(n) FROM shown"
    )
    commit_elsewhere()
    pair.run("COMMIT")
    pair.compare_tables()


TWICE = "(SELECT id, id % 3 AS n FROM parent UNION ALL SELECT id, 1 FROM parent WHERE id > 18)"


@pytest.mark.parametrize(
    "clauses",
    [
        "WHEN MATCHED THEN UPDATE SET n = s.n",
        "WHEN MATCHED THEN DELETE",
        "WHEN MATCHED AND s.n = 1 THEN UPDATE SET n = 9 WHEN MATCHED THEN DELETE",
        "WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN MATCHED AND s.id = 20 THEN UPDATE SET n = s.n",
        "WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, 7) WHEN MATCHED THEN DELETE",
    ],
)
def test_a_row_changed_twice(pair: Pair, clauses: str) -> None:
    """8672 in either way, for whichever two clauses a row of the target is; nothing has
    changed, and a transaction goes on."""
    pair.run("INSERT heap (id, n) SELECT id + 5, 0 FROM parent")
    statement = f"MERGE heap AS t USING {TWICE} AS s ON s.id = t.id {clauses};"
    unchanged = "SELECT COUNT(*), SUM(id), SUM(n) FROM heap"
    before = pair.run(unchanged)
    failed, *rest = pair.run(f"{statement} {unchanged}")
    assert (failed[0], rest) == (8672, before)
    _, failed, *rest = pair.run(f"BEGIN TRAN; UPDATE heap SET n = 1 WHERE id = 6; {statement} {unchanged}; ROLLBACK")
    assert failed[0] == 8672
    assert rest[0] == ["(20, 310, 1)"]
    assert pair.run(unchanged) == before


def test_the_first_write_of_a_store_compares_texts(pair: Pair) -> None:
    """A function that DuckDB has for keys of text is there when only a check of what was found mentions it."""
    pair.run("INSERT named (word, id) SELECT NCHAR(200 + id) + N'w', id FROM parent")
    pair.compare_tables()


def test_nothing_is_left_in_memory(pair: Pair) -> None:
    """What statements have found is dropped with the end of their transaction, failed ones and cut ones too."""
    pair.run("INSERT heap (id) SELECT id FROM parent; UPDATE heap SET n = 1; DELETE heap WHERE id = 3")
    pair.run(
        "INSERT keyed (id, n) SELECT id, id FROM parent; INSERT keyed (id, n) SELECT id, id FROM parent; SELECT id INTO #into FROM parent"
    )
    pair.run(
        "BEGIN TRAN; UPDATE heap SET n = 2; SAVE TRAN s; DELETE heap; INSERT heap (id) SELECT n FROM heap; ROLLBACK TRAN s; COMMIT"
    )
    pair.run(
        "BEGIN TRAN; DELETE heap; INSERT heap (id) SELECT id FROM parent; ROLLBACK; SELECT COUNT(*), SUM(n) FROM heap"
    )
    for instance in pair.instances:
        with instance.store.scratch() as connection:
            found = (
                "SELECT count(*) FROM duckdb_tables() WHERE table_name LIKE '%found%' OR database_name LIKE '%found%'"
            )
            assert connection.execute(found).fetchall() == [(0,)]


def in_sets(path: str | None, seed: int) -> Instance:
    """An instance that does every write as a set that can be one."""
    opened = Instance.open(path, clock="virtual", seed=seed)
    opened.locks.sets_from = 0
    return opened


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scripts_in_sets(script: Path) -> None:
    """What scripts of tables and transactions expect holds when every write that can be is done as a set."""
    try:
        run_script(script, open_instance=in_sets)
    except ScriptFailure as failure:
        pytest.fail(str(failure), pytrace=failure.__cause__ is not None)
