"""The life of a connection: dropped without close(), closed from here and there while a batch runs, and used by two at
once."""

from __future__ import annotations

import gc
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sbql


@pytest.fixture
def store(tmp_path: Path) -> str:
    path = str(tmp_path / "s.duckdb")
    with sbql.connect(path) as connection:
        connection.execute("CREATE TABLE t (n int)")
    return path


def drop_by_reference(connections: list[sbql.Connection]) -> None:
    connections.clear()


def drop_in_a_cycle(connections: list[sbql.Connection]) -> None:
    connections[0].itself = connections[0]  # type: ignore[attr-defined]
    connections.clear()
    gc.collect()


def drop_with_its_cursor(connections: list[sbql.Connection]) -> None:
    cursor = connections.pop().cursor()
    cursor.execute("SELECT 1")
    del cursor


HELD = {
    "a table's row": ("INSERT t VALUES (1)", "DELETE t WITH (TABLOCKX)"),
    "a schema": ("CREATE TABLE made (n int)", "CREATE TABLE made (n int); DROP TABLE made"),
    "an applock of the session": (
        "EXEC sp_getapplock 'a', 'Exclusive', 'Session'",
        "DECLARE @r int; EXEC @r = sp_getapplock 'a', 'Exclusive', 'Session'; IF @r < 0 THROW 50000, 'it is held', 1",
    ),
}


@pytest.mark.parametrize("clock", ["system", "virtual"])
@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("drop", [drop_by_reference, drop_in_a_cycle, drop_with_its_cursor])
def test_a_dropped_connection_lets_go_of_what_it_held(
    clock: Any, held: str, drop: Callable[[list[sbql.Connection]], None]
) -> None:
    take, want = HELD[held]
    with sbql.connect(clock=clock) as other:
        other.execute("CREATE TABLE t (n int)")
        connections = [sbql.connect(instance=other.instance)]
        connections[0].execute(f"BEGIN TRANSACTION; {take}")
        with pytest.warns(ResourceWarning, match="dropped without close"):
            drop(connections)
        other.execute(f"SET LOCK_TIMEOUT 60000; {want}")
        assert other.execute("SELECT COUNT(*) FROM t").fetchall() == [(0,)]


def test_the_last_dropped_connection_closes_the_instance(store: str) -> None:
    instance = sbql.connect(store).instance
    end = time.monotonic() + 60
    while not instance.store._is_closed and time.monotonic() < end:
        time.sleep(0.01)  # another thread closes it
    with sbql.connect(store, clock="virtual") as connection:  # another clock: it was closed, or this would be refused
        assert connection.execute("SELECT COUNT(*) FROM t").fetchall() == [(0,)]


def test_a_closed_connection_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        connection = sbql.connect()
        connection.close()
        del connection
        with sbql.connect() as connection:
            connection.execute("SELECT 1")
        del connection
        gc.collect()


# --- close while a batch runs --------------------------------------------------------------------------------

BATCHES = {
    "a query": "SELECT COUNT_BIG(*) FROM GENERATE_SERIES(1, 100000) a CROSS JOIN GENERATE_SERIES(1, 100000) b WHERE a.value * b.value % 7 = 3",
    "a loop": "WHILE 1 = 1 DECLARE @n int",
    "a loop that catches": "WHILE 1 = 1 BEGIN TRY THROW 50000, 'x', 1 END TRY BEGIN CATCH END CATCH",
    "a loop that writes": "WHILE 1 = 1 INSERT t VALUES (1)",
    "WAITFOR DELAY": "WAITFOR DELAY '01:00:00'",
    "a transaction that waits": "BEGIN TRANSACTION; INSERT t VALUES (-1); WAITFOR DELAY '01:00:00'",
    "a lock": "EXEC sp_getapplock 'a', 'Exclusive', 'Session'",
    "a result set for each turn": "WHILE 1 = 1 SELECT 1",
}


class Running:
    """A batch in a thread of its own, on a connection of its own; `problem` is what execute raised."""

    def __init__(self, store: str, text: str) -> None:
        self.connection = sbql.connect(store)
        self.problem: BaseException | None = None
        self.thread = threading.Thread(target=self._body, args=(text,))
        self.thread.start()
        while not self.connection.session.is_running and self.thread.is_alive():
            time.sleep(0.001)

    def _body(self, text: str) -> None:
        try:
            self.connection.execute(text)
        except BaseException as error:
            self.problem = error

    def ended(self) -> BaseException | None:
        self.thread.join(60)
        assert not self.thread.is_alive()
        return self.problem


@pytest.mark.parametrize("closers", [1, 3])
@pytest.mark.parametrize("name", BATCHES)
def test_close_stops_the_batch_of_another_thread(store: str, name: str, closers: int) -> None:
    with sbql.connect(store) as other:
        other.execute("EXEC sp_getapplock 'a', 'Exclusive', 'Session'")
        running = Running(store, BATCHES[name])
        problems: list[BaseException] = []

        def close() -> None:
            try:
                running.connection.close()
            except BaseException as error:
                problems.append(error)

        threads = [threading.Thread(target=close) for _ in range(closers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert problems == []
        problem = running.ended()
        assert isinstance(problem, sbql.OperationalError | sbql.InterfaceError), problem
        with pytest.raises(sbql.InterfaceError, match="the connection is closed"):
            running.connection.execute("SELECT 1")
        assert other.execute("SELECT COUNT(*) FROM t WHERE n = -1").fetchall() == [(0,)]
        assert other.execute("SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE is_user_process = 1").fetchall() == [(1,)]


def test_closing_the_last_connection_stops_its_batch_and_the_instance(store: str) -> None:
    running = Running(store, BATCHES["a query"])
    running.connection.close()
    assert isinstance(running.ended(), sbql.Error)
    with sbql.connect(store, clock="virtual") as connection:
        assert connection.execute("SELECT 1").fetchall() == [(1,)]


@pytest.mark.parametrize("clock", ["system", "virtual"])
@pytest.mark.parametrize("text", ["PRINT 'a'; PRINT 'b'; SELECT 1", "PRINT 'a'", "PRINT 'a'; WAITFOR DELAY '01:00:00'"])
def test_close_in_a_callback_of_the_batch(clock: Any, text: str) -> None:
    with sbql.connect(clock=clock) as other:
        connection = sbql.connect(instance=other.instance)
        connection.run("BEGIN TRANSACTION; CREATE TABLE gone (n int)")
        connection.run(text, sink=lambda outcome: connection.close())
        with pytest.raises(sbql.InterfaceError, match="closed"):
            connection.run("SELECT 1")
        assert other.execute("SELECT OBJECT_ID('gone')").fetchall() == [(None,)]
        assert other.execute("SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE is_user_process = 1").fetchall() == [(1,)]


def test_close_of_the_only_connection_in_a_callback(tmp_path: Path) -> None:
    path = str(tmp_path / "s.duckdb")
    connection = sbql.connect(path)
    connection.run("CREATE TABLE t (n int); INSERT t VALUES (1); PRINT 'a'", sink=lambda outcome: connection.close())
    with sbql.connect(path, clock="virtual") as again:
        assert again.execute("SELECT COUNT(*) FROM sys.tables WHERE name = 't'").fetchall() == [(1,)]


# --- two at once ---------------------------------------------------------------------------------------------

USES: dict[str, Callable[[sbql.Connection], object]] = {
    "execute": lambda c: c.execute("SELECT 1"),
    "commit": lambda c: c.commit(),
    "rollback": lambda c: c.rollback(),
    "callproc": lambda c: c.cursor().callproc("sp_who"),
    "executemany": lambda c: c.cursor().executemany("SELECT ?", [(1,)]),
    "autocommit": lambda c: setattr(c, "autocommit", not c.autocommit),
    "run_script": lambda c: sbql.run_script(c, "SELECT 1"),
}


@pytest.mark.parametrize("name", USES)
def test_two_threads_on_one_connection_are_refused(store: str, name: str) -> None:
    running = Running(store, "WAITFOR DELAY '01:00:00'")
    with pytest.raises(sbql.ProgrammingError, match="in another thread"):
        USES[name](running.connection)
    running.connection.cancel()
    assert isinstance(running.ended(), sbql.OperationalError)
    USES[name](running.connection)  # and now it may
    running.connection.close()


@pytest.mark.parametrize("name", USES)
@pytest.mark.parametrize("clock", ["system", "virtual"])
def test_a_callback_that_uses_the_connection_of_its_batch_is_refused(clock: Any, name: str) -> None:
    problems: list[BaseException] = []

    def use(outcome: object) -> None:
        try:
            USES[name](connection)
        except BaseException as error:
            problems.append(error)

    with sbql.connect(clock=clock) as connection:
        connection.run("PRINT 'a'", sink=use)
        assert [type(problem) for problem in problems] == [sbql.ProgrammingError]
        assert connection.execute("SELECT 1").fetchall() == [(1,)]


def test_a_connection_may_go_from_thread_to_thread(store: str) -> None:
    with sbql.connect(store) as connection:
        for n in range(3):
            thread = threading.Thread(target=connection.execute, args=(f"INSERT t VALUES ({n})",))
            thread.start()
            thread.join()
        assert connection.execute("SELECT COUNT(*) FROM t").fetchall() == [(3,)]
