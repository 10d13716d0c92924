"""What is remembered of rows after a transaction that has written some of them often, and what DuckDB has: each key is
asked for by itself, which needs no query once the row was read, and all rows by a query."""

from __future__ import annotations

import random

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

SEEDS = 25
KEYS = 8


def rows(session: Session, text: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for outcome in session.run(text):
        assert not isinstance(outcome, ErrorOutcome), (text, outcome.error)
        if isinstance(outcome, ResultSet):
            found += [tuple(row) for row in outcome.rows]
    return found


def write(chance: random.Random, place: int) -> str:
    """One statement that cannot fail."""
    key, other = chance.randrange(KEYS), chance.randrange(KEYS)
    return chance.choice(
        [
            f"UPDATE t SET c = c * 3 + {place} WHERE a = {key}",
            f"UPDATE t SET c = c + {place} WHERE a = {key}",
            f"UPDATE t SET b = '{place}' WHERE a = {key}",
            f"UPDATE t SET b = NULL, c = {place} WHERE a = {key}",
            f"UPDATE t SET c = c - 1 WHERE a >= {key}",
            f"UPDATE t SET a = a + 100 WHERE a = {key}; UPDATE t SET a = {key} WHERE a = {key} + 100",
            f"IF NOT EXISTS (SELECT * FROM t WHERE a = {other}) UPDATE t SET a = {other} WHERE a = {key}",
            f"DELETE FROM t WHERE a = {key}",
            f"IF NOT EXISTS (SELECT * FROM t WHERE a = {key}) INSERT INTO t VALUES ({key}, 'new', {place})",
            f"IF NOT EXISTS (SELECT * FROM t WHERE a = {key}) INSERT INTO t VALUES ({key}, 'new', {place}); UPDATE t SET c = c + 5, b = b + '!' WHERE a = {key}",
        ]
    )  # fmt: skip


@pytest.mark.parametrize("seed", range(SEEDS))
def test_rows_by_key_are_those_of_a_query(seed: int) -> None:
    chance = random.Random(seed)
    instance = Instance.open()
    writer, reader = instance.connect(), instance.connect()
    rows(writer, "CREATE TABLE t (a int NOT NULL PRIMARY KEY, b varchar(200), c int)")
    rows(writer, f"INSERT INTO t SELECT value, 'old', value FROM GENERATE_SERIES(0, {KEYS - 1})")
    by_key = "DECLARE @b varchar(200), @c int, @a int; " + "".join(
        f"SELECT @a = NULL; SELECT @a = a, @b = b, @c = c FROM t WHERE a = {key}; IF @a IS NOT NULL SELECT @a, @b, @c; "
        for key in range(KEYS)
    )
    wrong: list[str] = []
    for _ in range(6):
        rows(chance.choice([writer, reader]), by_key)  # so that they are remembered
        text = "; ".join(write(chance, place) for place in range(chance.choice([1, 2, 5, 25])))
        end = chance.choice(["COMMIT", "COMMIT", "COMMIT", "ROLLBACK"])
        wrong.append(f"{text}; {end}")
        rows(writer, f"BEGIN TRANSACTION; {text}; {end}")
        asked = rows(writer, f"SELECT a, b, c FROM t WHERE a + 0 BETWEEN 0 AND {KEYS} ORDER BY a")
        assert rows(reader, by_key) == asked, wrong
        assert rows(writer, by_key) == asked, wrong
    instance.close()
