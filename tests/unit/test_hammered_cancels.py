"""A batch that is cancelled is interrupted again and again until it has stopped; whatever that meets, the
session goes on with its transaction.

DuckDB takes an interrupt in every call, also in BEGIN, COMMIT and ROLLBACK, and does not say whether they have done
their work: here interrupts come without a pause, so that they meet every call of a batch.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from sbql.engine import cancelling
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

ROUNDS = 8
SLOW = "FROM GENERATE_SERIES(1, 100000) a CROSS JOIN GENERATE_SERIES(1, 1000000) b WHERE (a.value * CAST(b.value AS bigint)) % 7 = 3"
BATCHES = {
    "query": f"SELECT COUNT_BIG(*) {SLOW}",
    "rows": "SELECT a.value FROM GENERATE_SERIES(1, 3000) a CROSS JOIN GENERATE_SERIES(1, 3000) b",
    "long answer": "SELECT REPLICATE(CAST('x' AS varchar(max)), 100000) FROM GENERATE_SERIES(1, 500)",
    "cursor": f"DECLARE c CURSOR LOCAL STATIC FOR SELECT a.value {SLOW}; OPEN c",
    "insert": f"INSERT kept SELECT COUNT_BIG(*) {SLOW}",
    "insert many": "INSERT kept SELECT a.value + 5 FROM GENERATE_SERIES(1, 9000) a CROSS JOIN GENERATE_SERIES(1, 3000) b",
    "update": f"UPDATE kept SET a = (SELECT COUNT_BIG(*) {SLOW})",
    "delete": f"DELETE kept WHERE a < (SELECT COUNT_BIG(*) {SLOW})",
    "into": f"SELECT a.value INTO #new {SLOW}",
    "single rows": "WHILE 1 = 1 BEGIN INSERT kept VALUES (2); DELETE kept WHERE a = 2 END",
    "definitions": "DROP TABLE IF EXISTS #more; WHILE 1 = 1 BEGIN CREATE TABLE #more (a int); INSERT #more VALUES (1), (2); DROP TABLE #more END",
    "savepoints": "WHILE 1 = 1 BEGIN SAVE TRANSACTION S; INSERT kept VALUES (2), (2); SELECT * FROM kept; ROLLBACK TRANSACTION S END",
    "variables": "DECLARE @t TABLE (a int); WHILE 1 = 1 BEGIN INSERT @t VALUES (1), (2); SELECT COUNT(*) FROM @t, kept; DELETE @t END",
    "messages": "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S'; WHILE 1 = 1 BEGIN SEND ON CONVERSATION @h (0x01); "
    "SELECT COUNT(*) FROM Q END",
}  # fmt: skip


@pytest.fixture(scope="module")
def instance(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Instance]:
    instance = Instance.open(str(Path(tmp_path_factory.mktemp("hammered")) / "store.duckdb"))
    session = instance.connect()
    for text in (
        "CREATE DATABASE Shop", "USE Shop", "CREATE TABLE kept (a bigint)", "CREATE QUEUE Q", "CREATE SERVICE S ON QUEUE Q ([DEFAULT])",
    ):  # fmt: skip
        assert errors(session.run(text)) == []
    yield instance
    instance.close()


@pytest.fixture
def session(instance: Instance) -> Iterator[Session]:
    session = instance.connect()
    session.run("USE Shop")
    yield session
    session.close()


def errors(outcomes: list[object]) -> list[tuple[int, str]]:
    return [(one.error.number, one.error.message) for one in outcomes if isinstance(one, ErrorOutcome)]


def rows_of(session: Session, query: str) -> list[tuple[object, ...]]:
    found = session.run(query)
    assert errors(found) == []
    return [tuple(row) for one in found if isinstance(one, ResultSet) for row in one.rows]


@contextmanager
def cancelled_after(seconds: float, session: Session) -> Iterator[None]:
    """Also when the batch begins later than that."""
    is_over = threading.Event()

    def insist() -> None:
        moment = seconds
        while not is_over.wait(moment):
            session.cancel()
            moment = 0.1  # one that comes before the batch begins is lost

    canceller = threading.Thread(target=insist)
    canceller.start()
    try:
        yield
    finally:
        is_over.set()
        canceller.join()


@pytest.mark.parametrize(
    ("name", "is_inside"),
    [*((name, True) for name in BATCHES), *((name, False) for name in BATCHES if name != "savepoints")],
)
def test_the_session_goes_on(session: Session, name: str, is_inside: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(name)
    monkeypatch.setattr(cancelling, "_AGAIN", 0)
    for _ in range(ROUNDS):
        assert rows_of(session, "DELETE kept; INSERT kept VALUES (1)") == []
        if is_inside:
            begin = "BEGIN TRANSACTION; CREATE TABLE #kept (a int); INSERT #kept VALUES (1); UPDATE kept SET a = 5"
            assert rows_of(session, begin) == []
        with cancelled_after(chance.random() * 0.06, session):
            said = {number for number, _ in errors(session.run(BATCHES[name]))}
        assert said <= {3617}
        assert rows_of(session, "SELECT @@TRANCOUNT") == [(int(is_inside),)]
        kept = rows_of(session, "SELECT a FROM kept WHERE a <> 2")
        if is_inside:
            assert rows_of(session, "SELECT a FROM #kept; DROP TABLE #kept; COMMIT") == [(1,)]
        assert kept == [(5 if is_inside else 1,)]
        assert rows_of(session, "SELECT a FROM kept WHERE a <> 2") == kept
