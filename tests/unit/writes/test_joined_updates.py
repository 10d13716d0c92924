"""UPDATE from a join in one step: the same rows, counts and errors as row by row, and only where each row is met once
and nothing can ask for it again."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from told import told

from sbql.catalog.in_place import InPlace
from sbql.catalog.store_port import StorePort
from sbql.engine.instance import Instance

SETUP = """
CREATE TABLE m (id int NOT NULL, n int, word varchar(6), must int NOT NULL, other bigint, price decimal(9,2), g float);
CREATE TABLE s (a int, v int, w varchar(6), long varchar(20), b bigint, kind int, price decimal(9,2), g float);
CREATE TABLE twice (a int, v int);
CREATE TABLE keyed (a int PRIMARY KEY, v int, next int);
CREATE TABLE pairs (a int, b int, v int, PRIMARY KEY (a, b));
CREATE TABLE words (word varchar(6) PRIMARY KEY, v int);
CREATE TABLE watched (id int, n int);
CREATE TABLE checked (id int, n int CHECK (n < 1000));
CREATE TABLE #m (id int, n int);
INSERT m SELECT value, value % 5, 'w' + CAST(value % 9 AS varchar(4)), 0, value * 3, value, value FROM GENERATE_SERIES(1, 40);
INSERT m (id, must) VALUES (41, 0), (41, 0);
INSERT s SELECT value, value * 10, 's' + CAST(value AS varchar(4)), REPLICATE('x', value % 20), value, value % 2, value, value FROM GENERATE_SERIES(1, 30);
INSERT s (a, v) VALUES (NULL, 7), (NULL, 8), (41, NULL);
INSERT twice SELECT value % 20, value % 20 FROM GENERATE_SERIES(1, 40);
INSERT keyed SELECT value, value + 100, value + 1 FROM GENERATE_SERIES(1, 35);
INSERT pairs SELECT value, value % 5, value + 200 FROM GENERATE_SERIES(1, 35);
INSERT words SELECT 'w' + CAST(value AS varchar(4)), value FROM GENERATE_SERIES(0, 8);
INSERT watched SELECT id, n FROM m; INSERT checked SELECT id, n FROM m; INSERT #m SELECT id, n FROM m;
"""

IN_ONE_STEP = [
    "UPDATE m SET n = s.v + 1 FROM m JOIN s ON s.a = m.id",
    "UPDATE x SET n = x.n + s.v, word = s.w FROM m AS x INNER JOIN s ON x.id = s.a AND s.kind = 1 WHERE x.n > 1",
    "UPDATE m SET n = s.v FROM s, m WHERE m.id = s.a",
    "UPDATE m SET n = s.v FROM s CROSS JOIN m WHERE s.a = m.id AND (s.v > 50 OR m.n = 2)",
    "UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id WHERE s.v > 250 OR m.n = 2",
    "UPDATE m SET n = p.v + s.v FROM m JOIN pairs AS p ON p.a = m.id JOIN s ON s.a = p.a AND s.kind = p.b",
    "UPDATE m SET n = p.v + s.v FROM pairs AS p JOIN m ON p.a = m.id JOIN s ON s.a = m.id AND s.kind = p.b",
    "UPDATE m SET other = s.a FROM m JOIN s ON s.b = m.id",
    "UPDATE m SET n = k.v + s.v FROM m JOIN keyed AS k ON k.a = m.id JOIN s ON s.a = k.next",
    "UPDATE m SET n = p.v FROM m JOIN pairs AS p ON p.a = m.id AND p.b = m.n",
    "UPDATE m SET n = p.v FROM m JOIN pairs AS p ON p.a = m.id AND p.b < 3",
    "UPDATE m SET must = s.a FROM m JOIN s ON s.a = m.id",
    "UPDATE m SET price = s.price FROM m JOIN s ON s.a = m.id",
    "UPDATE m SET n = k.v FROM keyed AS k JOIN (s JOIN m ON m.id = s.a) ON k.a = s.a",
    "DECLARE @d int = 3, @k int = 1; UPDATE m SET n = s.v * @d + LEN(m.word) FROM m JOIN s ON s.a = m.id WHERE s.kind = @k",
    "UPDATE #m SET n = s.v FROM #m JOIN s ON s.a = #m.id",
    "UPDATE m SET id = m.id + 1000 FROM m JOIN s ON s.a = m.id",
]
OTHERWISE = [
    "UPDATE m SET n = t.v FROM m JOIN twice AS t ON t.a = m.id",
    "UPDATE m SET n = s.v FROM m LEFT JOIN s ON s.a = m.id",
    "UPDATE x SET n = y.n FROM m AS x JOIN m AS y ON y.id = x.id + 1 WHERE x.id < 41",
    "UPDATE x SET n = y.n FROM m AS x JOIN m AS y ON y.id = x.n",
    "UPDATE m SET n = (SELECT MAX(v) FROM twice) FROM m JOIN s ON s.a = m.id",
    "UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id WHERE EXISTS (SELECT 1 FROM twice AS t WHERE t.a = m.id)",
    "UPDATE m SET n = w.v FROM m JOIN words AS w ON w.word = m.word",
    "UPDATE m SET n = p.v FROM m JOIN pairs AS p ON p.b = m.n",
    "UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id + 0",
    "UPDATE m SET n = s.v FROM m JOIN s ON s.a > m.id",
    "UPDATE m SET word = s.long FROM m JOIN s ON s.a = m.id WHERE s.a < 6",
    "UPDATE m SET g = s.g FROM m JOIN s ON s.a = m.id",
    "DECLARE @n int; UPDATE m SET @n = n = s.v FROM m JOIN s ON s.a = m.id; SELECT @n - @n",
    "UPDATE m SET n = s.v OUTPUT inserted.id, deleted.n, inserted.n FROM m JOIN s ON s.a = m.id",
    "UPDATE TOP (100) m SET n = s.v FROM m JOIN s ON s.a = m.id",
    "WITH c AS (SELECT * FROM s WHERE a < 9) UPDATE m SET n = c.v FROM m JOIN c ON c.a = m.id",
    "UPDATE m SET n = s.v FROM m JOIN s WITH (NOLOCK) ON s.a = m.id",
    "UPDATE checked SET n = s.v FROM checked JOIN s ON s.a = checked.id",
    "UPDATE watched SET n = s.v FROM watched JOIN s ON s.a = watched.id",
    "BEGIN TRAN; UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id; ROLLBACK",
    "BEGIN TRAN; SAVE TRAN p; UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id; ROLLBACK TRAN p; SELECT SUM(n) FROM m; COMMIT",
    "SET IMPLICIT_TRANSACTIONS ON; UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id; ROLLBACK; SET IMPLICIT_TRANSACTIONS OFF",
    "UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id WHERE 1 = 0",
]
FAILING = {
    "UPDATE m SET n = s.v * 2147483647 FROM m JOIN s ON s.a = m.id": 8115,
    "UPDATE m SET must = s.v FROM m JOIN s ON s.a = m.id": 515,
    "UPDATE m SET n = s.v / (s.a - 5) FROM m JOIN s ON s.a = m.id": 8134,
    "UPDATE m SET word = s.long FROM m JOIN s ON s.a = m.id": 2628,
    "UPDATE checked SET n = s.v * 90 FROM checked JOIN s ON s.a = checked.id": 547,
}
TRIGGER = "CREATE TRIGGER seen ON watched AFTER UPDATE AS SELECT COUNT(*), SUM(inserted.n) FROM inserted"
TABLES = ("m", "checked", "watched", "#m")


class Port(StorePort):
    """What `at_commit` does comes in front of each commit of tables."""

    at_commit: Callable[[], None] | None = None

    def call(self, kind: Any, work: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if kind == "commit" and self.at_commit is not None:
            at_commit, self.at_commit = self.at_commit, None
            at_commit()
        return work(*args, **kwargs)


def opened(sets_from: int, path: str | None = None) -> Instance:
    instance = Instance.open(path, clock="virtual", seed=3)
    instance.locks.sets_from = sets_from
    return instance


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of rows of what was done in one step."""
    done: list[int] = []
    perform = InPlace.perform

    def noted(self: InPlace, session: Any, table: str) -> None:
        perform(self, session, table)
        done.append(self.count)

    monkeypatch.setattr(InPlace, "perform", noted)
    return done


@pytest.fixture
def pair() -> Iterator[list[Any]]:
    """Sessions of two instances: one writes sets, the other rows."""
    instances = [opened(0), opened(sys.maxsize)]
    sessions = [instance.connect() for instance in instances]
    for session in sessions:
        assert told(session, "CREATE DATABASE d") == [] == told(session, "USE d")
        assert told(session, SETUP) == []
        assert told(session, TRIGGER) == []
    yield sessions
    for instance in instances:
        instance.close()


def both(pair: list[Any], text: str) -> list[Any]:
    """What both tell of a text and of @@ROWCOUNT behind it, in any order of the rows; and of all tables then."""
    one, other = (sorted(map(repr, told(session, text + "; SELECT 'rows', @@ROWCOUNT"))) for session in pair)
    assert one == other, text
    for table in TABLES:
        first, second = (told(session, f"SELECT * FROM {table} ORDER BY 1, 2") for session in pair)
        assert first == second, (text, table)
    return one


@pytest.mark.matrix
@pytest.mark.parametrize("text", IN_ONE_STEP)
def test_in_one_step(pair: list[Any], steps: list[int], text: str) -> None:
    """The first time, or the second where a test looks through a table and there are conditions; the third time on rows
    that the ones before have changed."""
    both(pair, text)
    both(pair, text)
    assert steps
    both(pair, "UPDATE m SET n = id % 5, word = 'w' + CAST(n AS varchar(4)), id = id % 1000; " + text)


@pytest.mark.matrix
@pytest.mark.parametrize("text", OTHERWISE)
def test_otherwise(pair: list[Any], steps: list[int], text: str) -> None:
    for _ in range(3):
        both(pair, text)
    assert steps == [] or "1 = 0" in text


@pytest.mark.parametrize("text", FAILING)
def test_errors(pair: list[Any], steps: list[int], text: str) -> None:
    """That of the first row that fails, with nothing done; and the next statement of the
    session finds everything as it was."""
    harmless = "UPDATE s SET v = NULL, long = 'x'"
    before = told(pair[0], "SELECT * FROM m ORDER BY 1, 2")
    for _ in range(2):
        found = both(pair, f"BEGIN TRY {text} END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH")
        assert repr((FAILING[text],)) in found
        assert told(pair[0], "SELECT * FROM m ORDER BY 1, 2") == before
    both(pair, harmless)
    both(pair, "UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id")


def test_each_row_counts_once(pair: list[Any], steps: list[int]) -> None:
    """41 stands twice in m and once in s, 40 in no other; NULL meets nothing."""
    text = "UPDATE m SET n = s.v + 1 FROM m JOIN s ON s.a = m.id; SELECT @@ROWCOUNT"
    for _ in range(2):
        assert told(pair[0], text) == [(32,)]
    assert steps == [32, 32]
    assert told(pair[0], "SELECT SUM(n), COUNT(n) FROM m WHERE id <= 30") == [(4680, 30)]
    assert told(pair[0], "SELECT COUNT(*) FROM m WHERE id = 41 AND n IS NULL") == [(2,)]


def test_a_source_that_gets_duplicates(pair: list[Any], steps: list[int]) -> None:
    """The step is tried, does nothing, and is not tried again."""
    text = "UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id"
    both(pair, text)
    both(pair, text)
    assert len(steps) == 2
    both(pair, "INSERT s (a, v) VALUES (3, 30), (3, 30)")
    both(pair, text)
    both(pair, text)
    assert len(steps) == 2


def test_rights_are_asked_for(pair: list[Any], steps: list[int]) -> None:
    text = "UPDATE m SET n = s.v FROM m JOIN s ON s.a = m.id"
    for session in pair:
        told(session, "CREATE USER u WITHOUT LOGIN; GRANT UPDATE, SELECT ON m TO u")
    for _ in range(2):
        found = both(
            pair, f"EXECUTE AS USER = 'u'; BEGIN TRY {text} END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH; REVERT"
        )
        assert repr((229,)) in found
    for session in pair:
        told(session, "GRANT SELECT ON s TO u")
    for _ in range(2):
        both(pair, f"EXECUTE AS USER = 'u'; {text}; REVERT")
    assert steps


# --- other sessions ----------------------------------------------------------------------------------------------

STEP = "UPDATE m SET n = k.v FROM m JOIN keyed AS k ON k.a = m.id"


@pytest.fixture
def port() -> Port:
    return Port()


@pytest.fixture
def sessions(port: Port, tmp_path: Path) -> Iterator[list[Any]]:
    instance = Instance.open(str(tmp_path / "s.duckdb"), port=port)
    instance.locks.sets_from = 5
    found = [instance.connect() for _ in range(2)]
    assert told(found[0], "CREATE DATABASE d") == []
    for session in found:
        assert told(session, "USE d") == []
    assert told(found[0], SETUP) == []
    yield found
    instance.close()


def test_what_others_see_until_the_commit(sessions: list[Any], port: Port, steps: list[int]) -> None:
    """Readers the rows as they were, writers a table that is locked; what they commit in the source
    meanwhile is not for this statement."""
    session, other = sessions
    seen: list[Any] = []

    def look() -> None:
        seen.append(told(other, "SELECT SUM(n) FROM m WHERE id < 10"))
        seen.append(told(other, "SET LOCK_TIMEOUT 0; BEGIN TRY UPDATE m SET n = 0 WHERE id = 3 END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH"))  # fmt: skip
        seen.append(told(other, "SET LOCK_TIMEOUT 0; BEGIN TRY UPDATE m SET n = 0 WHERE n = 103 END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH"))  # fmt: skip

    port.at_commit = look
    assert told(session, STEP + "; SELECT @@ROWCOUNT") == [(35,)]
    assert steps == [35]
    assert seen == [[(20,)], [(1222,)], [(1222,)]]
    assert told(other, "SELECT SUM(n) FROM m WHERE id < 10") == [(945,)]
    assert told(other, "UPDATE m SET n = 0 WHERE n = 103; SELECT @@ROWCOUNT") == [(1,)]


def test_it_waits_for_rows_of_others(sessions: list[Any], steps: list[int]) -> None:
    """Row by row, then: the table is not its own."""
    session, other = sessions
    assert told(other, "BEGIN TRAN; UPDATE m SET n = 55 WHERE id = 30") == []
    counts: list[Any] = []
    waiting = threading.Thread(target=lambda: counts.extend(told(session, STEP + "; SELECT @@ROWCOUNT")))
    waiting.start()
    while told(other, "SELECT COUNT(*) FROM sys.dm_os_waiting_tasks WHERE wait_type LIKE 'LCK%'") != [(1,)]:
        assert waiting.is_alive()
    assert told(other, "COMMIT") == []
    waiting.join()
    assert (counts, steps) == ([(35,)], [])
    assert told(other, "SELECT n FROM m WHERE id IN (1, 30) ORDER BY id") == [(101,), (130,)]


@pytest.mark.parametrize("error", [duckdb.TransactionException("conflict"), duckdb.IOException("the disk"), OSError(28, "full")])  # fmt: skip
def test_a_commit_that_fails(sessions: list[Any], port: Port, steps: list[int], error: Exception) -> None:
    """It is not tried again on another snapshot, whose rows may be others: the statement has failed, the session
    perhaps with it, and nothing was done."""
    session, other = sessions

    def fail() -> None:
        raise error

    port.at_commit = fail
    found = told(session, f"BEGIN TRY {STEP}; SELECT 'done' END TRY BEGIN CATCH SELECT 'failed' END CATCH")
    assert found != [("done",)]
    assert told(other, "SELECT SUM(n) FROM m WHERE id < 10") == [(20,)]
    assert len(steps) == 1
    assert told(other, STEP + "; SELECT SUM(n) FROM m WHERE id < 10") == [(945,)]


def test_what_was_remembered_of_rows_is_forgotten(sessions: list[Any], steps: list[int]) -> None:
    """A row that was read by its key, a cursor on the table, and the rows of a #temp table."""
    session, other = sessions
    told(
        session,
        "CREATE TABLE p (id int PRIMARY KEY, n int); INSERT p SELECT a, 0 FROM keyed; CREATE TABLE #p (id int, n int); INSERT #p SELECT a, 0 FROM keyed",
    )
    read = "SELECT n FROM p WHERE id = 7"
    for each in (session, other, session, other):
        assert told(each, read) == [(0,)]
    assert told(session, "SELECT n FROM #p WHERE id = 7") == [(0,)]
    told(other, "DECLARE c CURSOR KEYSET GLOBAL FOR SELECT n FROM p WHERE id = 7; OPEN c")
    for table in ("p", "#p"):
        assert told(session, f"UPDATE {table} SET n = k.v FROM {table} JOIN keyed AS k ON k.a = {table}.id") == []
    assert steps == [35, 35]
    assert told(session, read) == [(107,)] == told(other, read)
    assert told(session, "SELECT n FROM #p WHERE id = 7") == [(107,)]
    assert told(other, "FETCH NEXT FROM c") == [(107,)]
    assert told(session, "BEGIN TRAN; UPDATE #p SET n = n + 1; ROLLBACK; SELECT SUM(n) FROM #p") == [(4130,)]


def test_it_is_on_the_disk(tmp_path: Path, steps: list[int]) -> None:
    path = str(tmp_path / "s.duckdb")
    instance = opened(0, path)
    session = instance.connect()
    told(session, "CREATE DATABASE d")
    told(session, "USE d")
    told(session, SETUP + STEP)
    assert steps == [35]
    instance.close()
    instance = opened(0, path)
    session = instance.connect("d")
    assert told(session, "SELECT SUM(n) FROM m WHERE id < 10") == [(945,)]
    instance.close()
