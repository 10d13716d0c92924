"""Threads that share a table: consumers of a queue in it get each row once, and keys stay unique."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet

ROWS = 60
TAKES = (
    "DELETE TOP (1) FROM q WITH (ROWLOCK, READPAST) OUTPUT deleted.id",
    "WITH x AS (SELECT TOP (1) * FROM q WITH (ROWLOCK, READPAST, UPDLOCK) ORDER BY id) DELETE FROM x OUTPUT deleted.id",
    "DECLARE @id int; SELECT TOP (1) @id = id FROM q WITH (UPDLOCK, READPAST) ORDER BY id; DELETE q WHERE id = @id; SELECT @id WHERE @id IS NOT NULL",
)


@pytest.fixture
def instance() -> Iterator[Instance]:
    opened = Instance.open()
    session = opened.connect()
    session.run("CREATE TABLE q (id int PRIMARY KEY); CREATE TABLE u (k int PRIMARY KEY, c varchar(10) UNIQUE)")
    session.run(f"DECLARE @i int = 0; WHILE @i < {ROWS} BEGIN INSERT q VALUES (@i); SET @i += 1; END")
    yield opened
    opened.close()


def together(work: Callable[[int], None], count: int) -> None:
    failures: list[BaseException] = []

    def body(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=body, args=(n,), daemon=True) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()
    if failures:
        raise failures[0]


def test_each_row_is_taken_once(instance: Instance) -> None:
    taken: list[int] = []

    def consume(number: int) -> None:
        session = instance.connect()
        while True:
            outcomes = session.run(f"BEGIN TRAN; {TAKES[number]}; COMMIT")
            assert not [o.error for o in outcomes if isinstance(o, ErrorOutcome)]
            rows = [row[0] for o in outcomes if isinstance(o, ResultSet) for row in o.rows]
            if not rows:
                return  # what is left is somebody's who will take it
            taken.extend(rows)

    together(consume, 3)
    assert sorted(taken) == list(range(ROWS))


def test_keys_stay_unique(instance: Instance) -> None:
    def insert(number: int) -> None:
        session, chance = instance.connect(), random.Random(number)
        for _ in range(60):
            key = chance.randrange(40)
            statement = chance.choice([
                f"INSERT u VALUES ({key}, 'v{key}')",
                f"BEGIN TRAN; INSERT u VALUES ({key}, 'V{key}'); IF @@TRANCOUNT > 0 ROLLBACK",
                f"BEGIN TRAN; INSERT u VALUES ({key}, 'v{key}'); DELETE u WHERE k = {chance.randrange(40)}; IF @@TRANCOUNT > 0 COMMIT",
                f"DELETE u WHERE k = {key}",
            ])  # fmt: skip
            numbers = {o.error.number for o in session.run(statement) if isinstance(o, ErrorOutcome)}
            assert numbers <= {2627, 1205}
            session.run("IF @@TRANCOUNT > 0 ROLLBACK")

    together(insert, 4)
    (counts,) = [
        o.rows
        for o in instance.connect().run("SELECT COUNT(*), COUNT(DISTINCT k), COUNT(DISTINCT LOWER(c)) FROM u")
        if isinstance(o, ResultSet)
    ]
    assert counts[0][0] == counts[0][1] == counts[0][2] > 0
