"""KeyBits, NotedNumbers and what KeyMemory makes of them: whole numbers that are
there are never taken for free ones."""

from __future__ import annotations

import random
from typing import Any

import duckdb
import pytest

from sbql.engine.modification import key_bits, key_memory, stored_rows
from sbql.engine.modification.key_bits import KeyBits, NotedNumbers, modulus_for
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every key is a large one, whose bits are read after two look-ups in vain; sets of two rows are large ones."""
    monkeypatch.setattr(key_memory, "LIMIT", 0)
    monkeypatch.setattr(stored_rows, "LIMIT", 1)
    monkeypatch.setattr(key_memory, "_IN_VAIN", 2)


def errors(session: Session, text: str) -> list[int]:
    return [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)]


def memory_of(session: Session, table: str = "t") -> Any:
    """What is remembered of the only key of a table."""
    states = [state for state in session.instance.tables._states.values() if state.keys]
    return next(iter(states[-1].keys.values()))


# --- bits --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("modulus", [1, 7, 8, 9, 64, 65, 1009])
@pytest.mark.parametrize("seed", range(3))
def test_the_bits_that_duckdb_makes_are_those_that_are_asked_for(modulus: int, seed: int) -> None:
    chance = random.Random(seed)
    numbers = [chance.choice([LEAST, GREATEST, -1, 0, chance.randrange(-500, 500)]) for _ in range(12)]
    connection = duckdb.connect()
    connection.execute("CREATE TABLE t (a BIGINT)")
    connection.executemany("INSERT INTO t VALUES (?)", [(number,) for number in [*numbers, None]])
    row = connection.execute(f"SELECT {KeyBits.sql('a', modulus)} FROM t").fetchone()
    assert row is not None
    read, added = KeyBits(modulus, row[0]), KeyBits(modulus)
    for number in numbers:
        added.add(number)
    assert read._bits == added._bits
    assert all(read.may_hold(number) for number in numbers)
    taken = {number % modulus for number in numbers}
    assert all(read.may_hold(number) == (number % modulus in taken) for number in range(-600, 600))


def test_without_rows_there_are_no_bits() -> None:
    row = duckdb.connect().execute(f"SELECT {KeyBits.sql('a', 100)} FROM (SELECT 1 AS a LIMIT 0)").fetchone()
    assert row == (None,)
    bits = KeyBits(100, None)
    assert not any(bits.may_hold(number) for number in range(200))


@pytest.mark.parametrize("seed", range(20))
def test_runs_are_the_numbers_that_were_noted(seed: int) -> None:
    chance = random.Random(seed)
    modulus = chance.choice([1, 5, 8, 16, 61, 200])
    noted, added = NotedNumbers(), KeyBits(modulus)
    for _ in range(chance.randrange(1, 12)):
        first = chance.choice([LEAST, GREATEST - 40, chance.randrange(-300, 300)])
        numbers = chance.sample(range(first, first + 40), chance.randrange(1, 20))
        if chance.random() < 0.5:
            numbers = list(range(first, first + chance.randrange(1, 40)))
        if chance.random() < 0.5:
            noted.note(numbers)
        else:
            for number in numbers:
                noted.note([number])
        for number in numbers:
            added.add(number)
    found = KeyBits(modulus)
    noted.put_into(found)
    assert found._bits == added._bits


def test_numbers_that_go_up_are_one_run() -> None:
    noted = NotedNumbers()
    for number in range(1000):
        noted.note([number])
        noted.note([number])
    assert len(noted._firsts) == 1


def test_how_many_bits_there_are() -> None:
    assert modulus_for(1, 1_000_000, 1_000_000) == 1_250_000 + (1 << 16)
    assert modulus_for(-(1 << 25), (1 << 25) - 10, 10) == (1 << 26) - 5
    assert modulus_for(LEAST, GREATEST, 100) == (1 << 22) - 3
    assert modulus_for(LEAST, GREATEST, 400_000) == (1 << 24) - 3
    assert modulus_for(LEAST, GREATEST, 30_000_000) == (1 << 26) - 5
    assert modulus_for(LEAST, GREATEST, 40_000_000) is None


# --- in a store --------------------------------------------------------------------------------------------------


def filled(session: Session, kind: str = "bigint") -> None:
    """Keys from 0 to 990, every tenth, that nobody has noted."""
    assert errors(session, f"CREATE TABLE t (a {kind} NOT NULL PRIMARY KEY, b int)") == []
    assert errors(session, "INSERT t SELECT value * 10, 0 FROM GENERATE_SERIES(0, 99)") == []
    session.instance.tables._states.clear()


def test_between_keys_that_are_known_nothing_is_looked_up(session: Session, eager: None) -> None:
    filled(session)
    for value in (1, 2, 3):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    memory = memory_of(session)
    assert memory._bits is not None
    free = [value for value in range(991) if not memory.may_hold((value,))]
    assert free == [value for value in range(991) if value % 10 and value > 3]
    assert errors(session, "INSERT t VALUES (4, 0), (990, 0)") == [2627]
    assert errors(session, "INSERT t VALUES (5, 0), (6, 0)") == []
    assert errors(session, "INSERT t VALUES (5, 0)") == [2627]


def test_rows_that_went_are_free_after_some_look_ups(session: Session, eager: None) -> None:
    filled(session)
    for value in (1, 2, 3):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    assert errors(session, "DELETE t WHERE a >= 100") == []
    memory = memory_of(session)
    assert memory.may_hold((500,))
    for value in (100, 110, 120):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    assert not memory.may_hold((500,)) and memory.may_hold((110,)) and memory.may_hold((20,)) and memory.may_hold((3,))
    assert errors(session, "INSERT t VALUES (500, 0)") == []
    assert errors(session, "INSERT t VALUES (500, 0)") == [2627]


def test_what_another_transaction_is_about_to_add_is_not_forgotten(session: Session, eager: None) -> None:
    """Its row is in no reader's table when the bits are read, twice."""
    filled(session)
    other = session.instance.connect()
    assert errors(other, "BEGIN TRAN; INSERT t VALUES (55, 0), (56, 0)") == []
    for value in (1, 2, 3):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    assert errors(session, "DELETE t WHERE a IN (100, 110, 120)") == []
    for value in (100, 110, 120):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    assert memory_of(session)._bits is not None
    assert errors(other, "COMMIT") == []
    for value in (55, 56):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == [2627]


def test_after_a_large_set_the_bits_are_read_again(session: Session, eager: None) -> None:
    filled(session)
    session.instance.locks.sets_from = 0
    for value in (1, 2, 3):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    assert errors(session, "BEGIN TRAN; INSERT t VALUES (7, 0); SAVE TRAN s") == []
    assert errors(session, "INSERT t SELECT value * 10 + 5, 0 FROM GENERATE_SERIES(0, 90)") == []
    for value in (11, 12, 13, 14):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    assert errors(session, "INSERT t VALUES (105, 0)") == [2627]
    assert errors(session, "ROLLBACK TRAN s") == []
    for value in (21, 22, 23, 24):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    assert errors(session, "INSERT t VALUES (7, 0)") == [2627]
    assert errors(session, "COMMIT") == []
    assert errors(session, "INSERT t SELECT value * 10 + 6, 0 FROM GENERATE_SERIES(0, 90)") == []
    for value in (31, 32, 33):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == []
    for value in (7, 11 + 5, 24, 106, 33, 990):
        assert errors(session, f"INSERT t VALUES ({value}, 0)") == [2627], value


def test_a_snapshot_reads_no_bits(session: Session, eager: None) -> None:
    filled(session)
    other = session.instance.connect()
    assert errors(session, "ALTER DATABASE CURRENT SET ALLOW_SNAPSHOT_ISOLATION ON") == []
    assert errors(other, "SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRAN; SELECT COUNT(*) FROM t") == []
    session.instance.locks.sets_from = 0
    assert errors(session, "INSERT t SELECT value * 10 + 5, 0 FROM GENERATE_SERIES(0, 90)") == []
    for value in (1, 2, 3, 4):
        assert errors(other, f"INSERT t VALUES ({value}, 0)") == []
    assert errors(other, "INSERT t VALUES (105, 0)") == [2627]
    assert errors(other, "COMMIT") == []
    assert errors(session, "INSERT t VALUES (205, 0), (4, 0)") == [2627]


@pytest.mark.parametrize("change", ["ALTER TABLE t ALTER COLUMN a bigint NOT NULL", "ALTER TABLE t ADD c int"])
def test_a_table_that_is_altered(session: Session, eager: None, change: str) -> None:
    assert errors(session, "CREATE TABLE t (a int NOT NULL CONSTRAINT k PRIMARY KEY, b int)") == []
    assert errors(session, "INSERT t SELECT value * 10, 0 FROM GENERATE_SERIES(0, 99)") == []
    for value in (1, 2, 3):
        assert errors(session, f"INSERT t (a) VALUES ({value})") == []
    assert errors(session, "ALTER TABLE t DROP CONSTRAINT k") == []
    assert errors(session, "INSERT t (a) VALUES (777)") == []
    assert errors(session, change) == []
    assert errors(session, "ALTER TABLE t ADD CONSTRAINT k PRIMARY KEY (a)") == []
    for value in (4, 5, 6, 7):
        assert errors(session, f"INSERT t (a) VALUES ({value})") == []
    for value in (3, 7, 500, 777):
        assert errors(session, f"INSERT t (a) VALUES ({value})") == [2627]


def test_identities_that_are_given(session: Session, eager: None) -> None:
    assert errors(session, "CREATE TABLE t (a int IDENTITY(10, 10) PRIMARY KEY, b int)") == []
    assert errors(session, "INSERT t SELECT 0 FROM GENERATE_SERIES(1, 50)") == []
    session.instance.tables._states.clear()
    assert errors(session, "SET IDENTITY_INSERT t ON") == []
    for value in (11, 12, 13, -5, 14):
        assert errors(session, f"INSERT t (a, b) VALUES ({value}, 0)") == []
    for value in (-5, 14, 500):
        assert errors(session, f"INSERT t (a, b) VALUES ({value}, 0)") == [2627]
    assert errors(session, "SET IDENTITY_INSERT t OFF; INSERT t VALUES (0)") == []
    assert errors(session, "SET IDENTITY_INSERT t ON; INSERT t (a, b) VALUES (510, 0)") == [2627]


# --- by chance ---------------------------------------------------------------------------------------------------

VALUES = [LEAST, LEAST + 1, -(1 << 31), -41, -3, -2, -1, 0, 1, 2, 3, 5, 8, 40, (1 << 31) - 1, GREATEST - 1, GREATEST]
WAYS = ["insert"] * 6 + [
    "delete",
    "move",
    "again",
    "two",
    "set",
    "truncate",
    "begin",
    "save",
    "back",
    "rollback",
    "commit",
]


class Model:
    """A session and what it should see. Those of one test have values of their own
    each, so that nobody waits for a row."""

    def __init__(self, session: Session, table: str, values: list[int], rows: set[int]) -> None:
        self.session, self.table, self.values = session, table, values
        self.rows = rows
        self.begun: set[int] | None = None
        self.saved: set[int] | None = None

    def run(self, text: str, refused: bool = False) -> None:
        assert errors(self.session, text) == ([2627] if refused else []), text

    def step(self, way: str, chance: random.Random, is_alone: bool) -> None:
        one, other = chance.sample(self.values, 2)
        table, rows = self.table, self.rows
        if way == "insert":
            self.run(f"INSERT {table} VALUES ({one}, 0)", one in rows)
            self.rows = rows | {one}
        elif way == "two":  # the second may be refused, and with it the first
            refused = bool({one, other} & rows)
            self.run(f"INSERT {table} VALUES ({one}, 0), ({other}, 0)", refused)
            self.rows = rows if refused else rows | {one, other}
        elif way == "delete":
            self.run(f"DELETE {table} WHERE a = {one}")
            self.rows = rows - {one}
        elif way == "again":
            self.run(f"DELETE {table} WHERE a = {one}; INSERT {table} VALUES ({one}, 1)")
            self.rows = rows | {one}
        elif way == "move" and one in rows:
            refused = other in rows
            self.run(f"UPDATE {table} SET a = {other} WHERE a = {one}", refused)
            self.rows = rows if refused else rows - {one} | {other}
        elif way == "set" and is_alone:
            refused = bool({one, other} & rows)
            self.run(
                f"INSERT {table} SELECT CAST(value AS bigint), 2 FROM (VALUES ({one}), ({other})) AS s(value)", refused
            )
            self.rows = rows if refused else rows | {one, other}
        elif way == "truncate" and is_alone:
            self.run(f"TRUNCATE TABLE {table}")
            self.rows = set()
        else:
            self.end(way)

    def end(self, way: str) -> None:
        if way == "begin" and self.begun is None:
            self.run("BEGIN TRAN")
            self.begun = self.rows
        elif self.begun is None:
            return
        elif way == "save":
            self.run("SAVE TRAN s")
            self.saved = self.rows
        elif way == "back" and self.saved is not None:
            self.run("ROLLBACK TRAN s")
            self.rows = self.saved
        elif way in ("rollback", "commit"):
            self.run(way)
            self.rows = self.begun if way == "rollback" else self.rows
            self.begun = self.saved = None


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("most", "runs"), [(11, 1 << 19), ((1 << 26) - 5, 1 << 19), (11, 6)])
@pytest.mark.parametrize("table", ["t", "#t"])
def test_random_writes_agree_with_sets(
    session: Session, monkeypatch: pytest.MonkeyPatch, seed: int, most: int, runs: int, table: str, eager: None
) -> None:
    chance = random.Random(f"{seed} {most} {runs} {table}")
    monkeypatch.setattr(key_bits, "_MOST_RUNS", runs)
    if most < 100:
        for name, value in (("_MOST", most), ("_PRIMES", (most,)), ("_SLACK", 0)):
            monkeypatch.setattr(key_bits, name, value)
    assert errors(session, f"CREATE TABLE {table} (a bigint NOT NULL PRIMARY KEY, b int)") == []
    others = [session]
    if table == "t" and chance.random() < 0.6:
        others.append(session.instance.connect())
    else:  # a set keeps the table until the end of its transaction
        session.instance.locks.sets_from = chance.choice([0, 1 << 20])
    values = VALUES if most < 100 else VALUES[3:14]
    models = [Model(one, table, values[place :: len(others)], set()) for place, one in enumerate(others)]
    for _ in range(150):
        model = chance.choice(models)
        is_alone = all(one is model or one.begun is None for one in models)
        way = chance.choice(WAYS)
        if way in ("set", "truncate") and model.begun is not None and len(models) > 1:
            continue  # it would keep the table until its end
        if way == "truncate" and is_alone:
            for one in models:
                one.rows = set()
        if chance.random() < 0.15 and table == "t" and all(one.begun is None for one in models):
            session.instance.tables._states.clear()
        model.step(way, chance, is_alone)
    for model in models:
        model.end("commit")
    found = {row[0] for row in session.run(f"SELECT a FROM {table}")[0].rows}
    assert found == set().union(*[model.rows for model in models])
