"""A child made by fork is refused everything on what its parent opened, says why, and leaves the parent's store alone
however it ends; it may open stores of its own."""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sbql

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning"),
]

FORKED = "forked from the one that opened the store"


def in_child(body: Callable[[], None], *, exits: Callable[[int], Any] = os._exit) -> int:
    """Run `body` in a forked child. Returns its exit code: 0 when nothing was raised, 9 for an exception."""
    pid = os.fork()
    if pid == 0:
        code = 9
        try:
            body()
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            exits(code)
    _, status = os.waitpid(pid, 0)
    return os.waitstatus_to_exitcode(status)


USES: dict[str, Callable[[sbql.Connection, sbql.Cursor], object]] = {
    "execute": lambda c, k: c.execute("SELECT 1"),
    "cursor": lambda c, k: c.cursor(),
    "cursor.execute": lambda c, k: k.execute("SELECT 1"),
    "executemany": lambda c, k: k.executemany("INSERT t VALUES (?)", [(1,)]),
    "callproc": lambda c, k: k.callproc("sp_who"),
    "fetchone": lambda c, k: k.fetchone(),
    "fetchall": lambda c, k: k.fetchall(),
    "nextset": lambda c, k: k.nextset(),
    "commit": lambda c, k: c.commit(),
    "rollback": lambda c, k: c.rollback(),
    "autocommit": lambda c, k: setattr(c, "autocommit", not c.autocommit),
    "run": lambda c, k: c.run("SELECT 1"),
    "run_script": lambda c, k: sbql.run_script(c, "SELECT 1"),
    "wait_idle": lambda c, k: c.wait_idle(1),
    "advance": lambda c, k: c.advance(1),
    "settle": lambda c, k: c.settle(),
    "trace": lambda c, k: c.trace(print),
    "with": lambda c, k: c.__enter__(),
}


@pytest.mark.parametrize("kind", ["file", "memory", "virtual"])
def test_everything_is_refused_in_the_child(kind: str, tmp_path: Path) -> None:
    path = str(tmp_path / "s.duckdb") if kind == "file" else None
    with sbql.connect(path, clock="virtual" if kind == "virtual" else "system") as connection:
        connection.execute("CREATE TABLE t (n int)")
        cursor = connection.execute("SELECT 1")

        def body() -> None:
            for use in USES.values():
                with pytest.raises(sbql.InterfaceError, match=FORKED):
                    use(connection, cursor)
            with pytest.raises(sbql.Error):
                sbql.connect(instance=connection.instance)
            with pytest.raises(sbql.SqlError, match="(?i)" + FORKED):
                connection.session.run("SELECT 1")
            connection.cancel()
            cursor.close()
            connection.close()
            with pytest.raises(sbql.InterfaceError, match="closed"):
                connection.execute("SELECT 1")
            connection.instance.close()

        assert in_child(body) == 0
        assert connection.execute("SELECT COUNT(*) FROM t").fetchall() == [(0,)]


def test_the_child_connects_to_what_is_its_own(tmp_path: Path) -> None:
    ours, theirs = str(tmp_path / "ours.duckdb"), str(tmp_path / "theirs.duckdb")
    with sbql.connect(ours) as connection:
        connection.execute("CREATE TABLE t (n int)")

        def body() -> None:
            for path in (None, theirs):
                with sbql.connect(path) as own:
                    own.execute("CREATE TABLE mine (n int); INSERT mine VALUES (1)")
                    assert own.execute("SELECT n FROM mine").fetchall() == [(1,)]
            with pytest.raises(sbql.OperationalError, match="that it was forked from"):
                sbql.connect(ours)

        assert in_child(body) == 0
        connection.execute("INSERT t VALUES (1)")
    with sbql.connect(theirs) as own:
        assert own.execute("SELECT n FROM mine").fetchall() == [(1,)]

    def after() -> None:
        with sbql.connect(ours) as own:
            assert own.execute("SELECT n FROM t").fetchall() == [(1,)]

    assert in_child(after) == 0


WAYS = """
import os, sys, threading, gc
import sbql

path, way = sys.argv[1:]
connection = sbql.connect(path)
connection.execute("CREATE TABLE t (n int)")
held = sbql.connect(path)
held.execute("BEGIN TRANSACTION; INSERT t VALUES (-1)")
running = sbql.connect(path)
threading.Thread(target=lambda: running.execute("WHILE (SELECT COUNT(*) FROM t WITH (NOLOCK) WHERE n = 5) = 0 INSERT t VALUES (0)"), daemon=True).start()
pid = os.fork()
if pid == 0:
    if way == "exit":
        sys.exit(7)
    if way == "end":
        pass
    if way == "exception":
        sys.stderr = open(os.devnull, "w")
        raise ValueError
    if way == "drop":
        del connection, held, running
        gc.collect()
    if way == "close":
        for one in (connection, held, running):
            one.close()
    if way == "with":
        held.__exit__(None, None, None)  # a block that was entered before the fork
    if way == "use":
        try:
            connection.execute("INSERT t VALUES (100)")
        except sbql.InterfaceError:
            pass
    os.close(1)
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == (1 if way == "exception" else 7)
for n in range(1, 6):
    connection.execute(f"INSERT t VALUES ({n})")
held.execute("COMMIT")
with sbql.connect(path) as last:
    assert last.execute("SELECT n FROM t WHERE n <> 0 ORDER BY n").fetchall() == [(-1,), (1,), (2,), (3,), (4,), (5,)]
print("good", flush=True)
os._exit(0)  # as if killed: what was acknowledged is on the disk
"""


@pytest.mark.parametrize("way", ["exit", "end", "exception", "drop", "close", "with", "use"])
def test_however_the_child_ends_the_parents_store_is_its_own(way: str, tmp_path: Path) -> None:
    path = str(tmp_path / "s.duckdb")
    done = subprocess.run(
        [sys.executable, "-c", WAYS, path, way], capture_output=True, text=True, check=False, timeout=110
    )
    assert (done.returncode, done.stdout) == (0, "good\n"), done.stderr
    with sbql.connect(path) as connection:
        found = connection.execute("SELECT n FROM t WHERE n <> 0 ORDER BY n").fetchall()
        assert found == [(-1,), (1,), (2,), (3,), (4,), (5,)]


def worker(path: str, answers: Any) -> None:
    with sbql.connect(path) as own:
        own.execute("CREATE TABLE mine (n int)")
    answers.put("connected")


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_multiprocessing(method: str, tmp_path: Path) -> None:
    with sbql.connect(str(tmp_path / "parent.duckdb")) as connection:
        connection.execute("CREATE TABLE t (n int)")
        context: Any = multiprocessing.get_context(method)
        answers = context.Queue()
        process = context.Process(target=worker, args=(str(tmp_path / "child.duckdb"), answers))
        process.start()
        assert answers.get(timeout=60) == "connected"
        process.join(60)
        assert process.exitcode == 0
        connection.execute("INSERT t VALUES (1)")
        assert connection.execute("SELECT n FROM t").fetchall() == [(1,)]


def test_a_fork_inside_of_a_batch(tmp_path: Path) -> None:
    """A callback that forks: the child comes back into the batch, and the batch is refused there."""
    codes: list[int] = []
    with sbql.connect(str(tmp_path / "s.duckdb")) as connection:
        connection.execute("CREATE TABLE t (n int)")

        def fork(outcome: object) -> None:
            if codes:
                return
            pid = os.fork()
            if pid == 0:
                codes.append(-1)
                return
            codes.append(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))

        parent = os.getpid()
        try:
            connection.run("BEGIN TRANSACTION; INSERT t VALUES (1); PRINT 'a'; INSERT t VALUES (2); COMMIT", sink=fork)
        finally:
            if os.getpid() != parent:
                os._exit(4)
        assert codes == [4]
        assert connection.execute("SELECT n FROM t").fetchall() == [(1,), (2,)]
