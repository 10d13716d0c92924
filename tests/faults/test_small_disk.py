"""A real disk of 40 MB that is full, freed, and full again, with every kind of commit.

What was acknowledged is there once, what failed is not there, no transaction stays open, and all of it again when the
store is opened anew. Mounting a disk needs root.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

import sbql
from sbql.catalog.broker_log import begin_after
from sbql.catalog.store_file import log_of
from sbql.engine.broker.slots import Slots
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

KIB = 1024


class Disk:
    """A mounted tmpfs, and ballast on it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.store = str(folder / "s.duckdb")

    @contextmanager
    def nearly_full(self, left: int) -> Iterator[None]:
        ballast = self.folder / "ballast"
        found = os.statvfs(self.folder)
        ballast.write_bytes(b"x" * max(found.f_bavail * found.f_frsize - left, 0))
        try:
            yield
        finally:
            ballast.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=40m", "tmpfs", folder], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        pytest.skip("there is no mount command")
    if mounted.returncode:
        pytest.skip(f"a disk cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop",
    "CREATE QUEUE q; CREATE SERVICE a ON QUEUE q ([DEFAULT]); CREATE TABLE t (n int, p varchar(max)); CREATE TABLE h (h uniqueidentifier)",
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'a' WITH ENCRYPTION = OFF; INSERT h VALUES (@h)",
)  # fmt: skip
BODY = "CAST('{n};' AS varchar(max)) + REPLICATE(CAST('{n}' AS varchar(max)), 120000)"
SEND = f"DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h ({BODY})"
COMMITS = {
    "SEND": SEND,
    "tables and messages": f"BEGIN TRAN; INSERT t VALUES ({{n}}, 'x'); {SEND}; COMMIT",
    "tables": f"INSERT t VALUES ({{n}}, {BODY})",
    "a transaction of tables": f"BEGIN TRAN; INSERT t VALUES ({{n}}, {BODY}); UPDATE t SET p = p + 'y' WHERE n = {{n}}; COMMIT",
    "a definition": f"BEGIN TRAN; CREATE TABLE made{{n}} (i int); INSERT t VALUES ({{n}}, {BODY}); COMMIT",
}
WHERE = {
    "SEND": "messages",
    "tables and messages": "messages",
    "tables": "rows",
    "a transaction of tables": "rows",
    "a definition": "tables",
}
CONTENTS = {
    "messages": "SELECT CAST(LEFT(CAST(message_body AS varchar(max)), CHARINDEX(';', CAST(message_body AS varchar(max))) - 1) AS int) FROM q ORDER BY queuing_order",
    "rows": "SELECT n FROM t ORDER BY n",
    "tables": "SELECT CAST(REPLACE(name, 'made', '') AS int) AS n FROM sys.tables WHERE name LIKE 'made%' ORDER BY n",
}  # fmt: skip


def run(session: Session, text: str) -> tuple[list[tuple[object, ...]], list[int]]:
    outcomes = session.run(text)
    rows = [row for outcome in outcomes if isinstance(outcome, ResultSet) for row in outcome.rows]
    return rows, [outcome.error.number for outcome in outcomes if isinstance(outcome, ErrorOutcome)]


def opened(disk: Disk) -> tuple[Instance, Session]:
    instance = Instance.open(disk.store)
    session = instance.connect()
    if session.catalog.version and run(session, "SELECT DB_ID('Shop')")[0] != [(None,)]:
        session.use("Shop")
        return instance, session
    for text in SETUP:
        assert not run(session, text)[1]
    return instance, session


@pytest.mark.parametrize("kind", COMMITS)
def test_a_full_disk_and_then_a_free_one(disk: Disk, kind: str) -> None:
    instance, session = opened(disk)
    acknowledged: list[int] = []
    n = 0
    for _ in range(3):
        with disk.nearly_full(600 * KIB):
            failed: list[int] = []
            while len(failed) < 4:
                n += 1
                errors = run(session, COMMITS[kind].format(n=n))[1]
                (failed if errors else acknowledged).append(n)
                assert set(errors) <= {1105}, errors
                assert run(session, "SELECT @@TRANCOUNT, XACT_STATE()") == ([(0, 0)], [])
                assert n < 200, "the disk never fills"
        for again in failed:
            assert run(session, COMMITS[kind].format(n=again))[1] == []
            acknowledged.append(again)
        assert run(session, CONTENTS[WHERE[kind]])[0] == [(n,) for n in acknowledged]
        instance.close()
        instance, session = opened(disk)
        assert run(session, CONTENTS[WHERE[kind]])[0] == [(n,) for n in acknowledged]
    instance.close()


SMALL = {
    "rows": "INSERT t VALUES ({n}, '{body}')",
    "messages": "DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h ('{n};{body}')",
    "rows and messages": "BEGIN TRAN; INSERT t VALUES ({n}, '{body}'); DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h ('{n};{body}'); COMMIT",
    "changed rows": "UPDATE t SET p = '{n}' WHERE n BETWEEN -20 AND -1; INSERT t VALUES ({n}, '{body}')",
}  # fmt: skip
"""Commits of which many fit on the disk: DuckDB would begin checkpoints between them."""


def small(kind: str, n: int) -> str:
    """With a body that no file makes smaller."""
    return SMALL[kind].format(n=n, body=os.urandom(10_000).hex())


def resize(disk: Disk, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", disk.folder], check=True)


@pytest.mark.parametrize("kind", SMALL)
def test_a_disk_that_fills_up_by_itself(disk: Disk, kind: str) -> None:
    """No checkpoint is begun that finds no room: each commit is there or is 1105, rows are read, and all goes on when
    there is room, with the next instance, too. Queues are read when records can be brought into them."""
    what = "messages" if "messages" in kind else "rows"
    count = f"SELECT COUNT(DISTINCT n), COUNT(*) FROM ({CONTENTS[what].rsplit(' ORDER', 1)[0]}) x (n) WHERE n > 0"
    instance, session = opened(disk)
    resize(disk, "24m")
    assert not run(session, "INSERT t SELECT -value, 'old' FROM GENERATE_SERIES(1, 2000)")[1]
    n = acknowledged = failed = 0
    while failed < 20:
        n += 1
        errors = run(session, small(kind, n))[1]
        assert set(errors) <= {1105}, errors
        failed += bool(errors)
        acknowledged += not errors
        assert n < 50_000, "the disk never fills"
    found = run(session, count)
    assert found == ([(acknowledged, acknowledged)], []) or (what == "messages" and found == ([], [1105]))
    assert run(session, "SELECT COUNT(*) FROM t WHERE n < 0") == ([(2000,)], [])
    log, size = f"{disk.store}.wal", os.path.getsize(f"{disk.store}.wal")
    resize(disk, "200m")
    while os.path.getsize(log) >= size:  # until there was a checkpoint
        n += 1
        assert run(session, small(kind, n))[1] == []
        acknowledged += 1
        size = max(size, os.path.getsize(log))
        assert size < 64 << 20
    instance.close()
    instance, session = opened(disk)
    assert run(session, count) == ([(acknowledged, acknowledged)], [])
    instance.close()


BLIND = (
    "import shutil; from types import SimpleNamespace; shutil.disk_usage = lambda path: SimpleNamespace(free=1 << 40)"
)
"""The disk has a quota, say, or somebody else was faster: a checkpoint finds no room after all."""


@pytest.mark.parametrize("kind", ["rows", "rows and messages"])
def test_a_checkpoint_without_room(disk: Disk, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commit behind which it was begun is acknowledged, the store stops, and what is told is true."""
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=1 << 40))
    instance, session = opened(disk)
    resize(disk, "24m")
    n, errors = 0, []
    while not errors:
        n += 1
        errors = run(session, small(kind, n))[1]
        assert n < 50_000, "the disk never fills"
    assert errors == [9001]
    failure = instance.store.failure
    assert failure is not None
    assert "All that was acknowledged is on disk" in failure.message
    instance.close()
    monkeypatch.undo()
    resize(disk, "200m")
    instance, session = opened(disk)
    what = "messages" if "messages" in kind else "rows"
    assert run(session, CONTENTS[what])[0] == [(one,) for one in range(1, n)]
    instance.close()


def test_a_server_whose_store_has_stopped_ends(disk: Disk) -> None:
    """With an exit code by which a supervisor starts it again; no client sees it alive and useless, nor is left
    without the reason."""
    start = f"{BLIND}; import sys; from sbql.__main__ import main; sys.exit(main())"
    server = subprocess.Popen(
        [sys.executable, "-c", start, "serve", "--store", disk.store],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        assert server.stderr is not None
        assert server.stdout.readline().startswith("sbql serves")
        n = 0
        with closing(sbql.connect(disk.store, autocommit=True)) as connection:
            for text in SETUP:
                connection.execute(text)
            with pytest.raises(sbql.OperationalError) as refused:  # noqa: PT012
                while True:
                    n += 1
                    connection.execute(small("rows", n))
        assert (refused.value.number, "in a checkpoint" in str(refused.value)) == (9001, True)
        assert server.wait(60) == 1
        assert "in a checkpoint" in server.stderr.read()
    finally:
        server.kill()
        server.wait()
    resize(disk, "200m")
    instance, session = opened(disk)
    assert run(session, CONTENTS["rows"])[0] == [(one,) for one in range(1, n)]
    instance.close()


def test_a_fold_without_room(disk: Disk) -> None:
    """Reading the queue folds: 1105, or, where DuckDB gives the file up, 9001. Nothing is lost or doubled."""
    instance, session = opened(disk)
    for n in range(1, 31):
        assert not run(session, SEND.format(n=n))[1]
    with disk.nearly_full(8 * KIB):
        errors = run(session, "SELECT COUNT(*) FROM q")[1]
        assert set(errors) <= {1105, 9001}
        instance.close()
    instance, session = opened(disk)
    assert run(session, CONTENTS["messages"])[0] == [(n,) for n in range(1, 31)]
    instance.close()


@pytest.mark.parametrize("grows", [False, True])
def test_a_broker_log_takes_no_room_that_a_commit_needs(
    disk: Disk, monkeypatch: pytest.MonkeyPatch, grows: bool
) -> None:
    """There is room for the commits, and none to begin a log, or to make it larger: the commits go without it."""
    monkeypatch.setattr(begin_after, "batches", 0 if grows else 1_000_000)
    instance, session = opened(disk)
    assert run(session, SEND.format(n=0))[1] == []
    monkeypatch.setattr(begin_after, "batches", 0)
    assert os.path.exists(log_of(disk.store)) == grows
    instance.store.fold()
    count = 10 if grows else 2
    with disk.nearly_full(600 * KIB):
        for n in range(1, count + 1):
            assert run(session, SEND.format(n=n))[1] == [], n
        assert os.path.exists(log_of(disk.store)) == grows
        assert not grows or os.path.getsize(log_of(disk.store)) < 1100 * KIB
    instance.close()
    assert not os.path.exists(log_of(disk.store))
    instance, session = opened(disk)
    assert run(session, CONTENTS["messages"])[0] == [(n,) for n in range(count + 1)]
    instance.close()


def test_a_backup_without_room(disk: Disk) -> None:
    """3202, no half a backup, and the store goes on; then there is room."""
    instance, session = opened(disk)
    assert not run(session, f"INSERT t SELECT value, {BODY.format(n=1)} FROM GENERATE_SERIES(1, 20)")[1]
    backup = disk.folder / "shop.bak"
    with disk.nearly_full(400 * KIB):
        assert run(session, f"BACKUP DATABASE Shop TO DISK = '{backup}' WITH INIT")[1][0] == 3202
        assert not backup.exists()
        assert run(session, "SELECT COUNT(*) FROM t") == ([(20,)], [])
        assert run(session, "INSERT t VALUES (100, 'still')")[1] == []
    assert run(session, f"BACKUP DATABASE Shop TO DISK = '{backup}' WITH INIT")[1] == []
    assert (
        run(session, f"RESTORE DATABASE Copy FROM DISK = '{backup}' WITH MOVE 'Shop' TO 'c', MOVE 'Shop_log' TO 'd'")[1]
        == []
    )
    assert run(session, "SELECT COUNT(*) FROM Copy.dbo.t") == ([(21,)], [])
    instance.close()


def test_a_query_that_finds_no_room_to_spill(disk: Disk) -> None:
    """The query fails, the transaction with it; the session and what was committed are well."""
    instance, session = opened(disk)
    assert not run(session, "INSERT t SELECT value, CAST(value AS varchar(20)) FROM GENERATE_SERIES(1, 200000)")[1]
    with instance.store.scratch() as connection:
        connection.execute("SET GLOBAL memory_limit = '20MB'")
    with disk.nearly_full(100 * KIB):
        errors = run(
            session, "SELECT a.n, a.p, b.p FROM t a JOIN t b ON a.p = b.p AND a.n <= b.n ORDER BY a.p, b.n DESC"
        )[1]
        assert errors in ([1105], [701]), errors
        assert run(session, "SELECT @@TRANCOUNT, XACT_STATE()") == ([(0, 0)], [])
    assert run(session, "SELECT COUNT(*) FROM t") == ([(200000,)], [])
    instance.close()


def test_conversations_at_rest_find_no_room(disk: Disk, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their file is allocated before it is mapped: a page that cannot be written would end the process."""
    monkeypatch.setattr(tempfile, "tempdir", str(disk.folder))
    slots = Slots(224, 0)
    with disk.nearly_full(1024 * KIB):
        for _ in range(2):
            with pytest.raises(OSError) as refused:
                slots.take()
            assert refused.value.errno == errno.ENOSPC
    place = slots.take()
    data, begin = slots.at(place)
    data[begin : begin + 4] = b"here"
    assert (place, data[begin : begin + 4]) == (1, b"here")
