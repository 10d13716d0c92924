"""The broker's log as power failures, bad disks and people leave it.

A torn last write is passed over, with all that was acknowledged before it there; real damage and a log
that is missing are refused, and `sbql --salvage` saves what can be read and names the loss. Nothing is
changed by an attempt to open that fails.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import killing
import pytest
from test_damaged_stores import TORN

from sbql.catalog.log_frames import FRAME_HEAD, Frame, epoch_of, later_frames
from sbql.catalog.salvage import salvage
from sbql.catalog.store import Store
from sbql.catalog.store_file import log_of, store_files
from sbql.grammar.errors import SqlError
from sbql.repl.cli import main

WRITER = """
import log_after, os, random, sys
from sbql.engine.instance import Instance
instance = Instance.open(sys.argv[1])
session = instance.connect()
def run(text):
    errors = [o for o in session.run(text) if hasattr(o, "error")]
    assert not errors, errors
for text in ("CREATE DATABASE Shop", "USE Shop", "CREATE QUEUE q; CREATE SERVICE a ON QUEUE q ([DEFAULT]); CREATE TABLE t (n int)",
             "CREATE TABLE h (h uniqueidentifier); DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'a' WITH ENCRYPTION = OFF; INSERT h VALUES (@h)"):
    run(text)
session.use("Shop")
run("DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h ('the log begins with it'); RECEIVE * FROM q")
instance.store.fold()
for n in range(1, 9):
    if n == 4:
        run("INSERT t VALUES (4)")
    run(f"DECLARE @h uniqueidentifier = (SELECT h FROM h); SEND ON CONVERSATION @h ('{n} {random.Random(n).randbytes(2250).hex()}')")
os._exit(9)
"""
TURNS = 8


def len_of(data: bytes | None) -> str:
    return "gone" if data is None else f"{len(data)} bytes"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store whose process was killed after eight messages, all of them in its log."""
    path = tmp_path_factory.mktemp("written") / "s.duckdb"
    kill_a_writer(path)
    return path


def kill_a_writer(path: Path) -> None:
    environment = {**os.environ, "LOG_AFTER": "0", "PYTHONPATH": str(Path(__file__).parent)}
    done = subprocess.run(
        [sys.executable, "-c", WRITER, str(path)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 9, done.stderr


@pytest.fixture
def store(written: Path, tmp_path: Path) -> Path:
    path = tmp_path / "s.duckdb"
    for file, copy in zip(store_files(str(written)), store_files(str(path)), strict=True):
        shutil.copy(file, copy)
    return path


def places(path: Path) -> list[tuple[int, int]]:
    """Of each frame in the log of `path`, its first byte and the one behind it."""
    found = [(one.place, one.end) for one in whole_frames(path)]
    assert len(found) >= TURNS
    return found


def whole_frames(path: Path) -> list[Frame]:
    data = Path(log_of(str(path))).read_bytes()
    epoch = epoch_of(data)
    assert epoch is not None
    return later_frames(epoch, data, 0)


def change(path: Path, place: int, data: bytes) -> None:
    with open(log_of(str(path)), "r+b") as file:
        file.seek(place)
        file.write(data)


def contents(path: Path) -> tuple[list[int], list[int], list[str]]:
    """Rows, messages, and the lines of the error log."""
    messages = "SELECT CAST(LEFT(CAST(message_body AS varchar(max)), 1) AS int) FROM q ORDER BY queuing_order"
    return killing.contents(path, "SELECT n FROM t", messages)


def files(path: Path) -> dict[str, bytes]:
    return {
        one.name: one.read_bytes() for one in path.parent.iterdir() if one.is_file() and not one.name.endswith(".wal")
    }


def refused(path: Path) -> str:
    """What opening says, with nothing of the broker's log changed."""
    before = Path(log_of(str(path))).read_bytes() if os.path.exists(log_of(str(path))) else None
    with pytest.raises(SqlError) as told:
        Store.open(path)
    assert told.value.number == 5172 and "--salvage" in told.value.message
    assert before is None or Path(log_of(str(path))).read_bytes() == before
    return told.value.message


def test_what_a_killed_process_left_is_there(store: Path) -> None:
    assert contents(store) == ([4], list(range(1, TURNS + 1)), [])
    assert set(files(store)) == {"s.duckdb"}, "and in one file again"
    assert contents(store) == ([4], list(range(1, TURNS + 1)), [])


@pytest.mark.parametrize("how", TORN)
@pytest.mark.parametrize("tenths", [0, 1, 5, 9])
def test_a_torn_last_write_is_passed_over(store: Path, how: str, tenths: int) -> None:
    place, end = places(store)[-1]
    whole = Path(log_of(str(store))).read_bytes()[place:end]
    torn = TORN[how](whole, len(whole) * tenths // 10).ljust(len(whole), b"\0")
    change(store, place, torn)
    rows, messages, lines = contents(store)
    assert (rows, messages) == ([4], list(range(1, TURNS)))
    has_head = torn[:FRAME_HEAD] == whole[:FRAME_HEAD]
    assert ["torn" in line for line in lines] == [True] * has_head, (
        "whoever reads the log learns of a frame that was begun"
    )
    assert contents(store)[:2] == (rows, messages)


def test_the_log_may_end_anywhere(written: Path, tmp_path: Path) -> None:
    """It is shorter than it was, as a file system may leave it whose own log was lost: the messages before the cut."""
    spans = places(written)[-TURNS:]
    chance = random.Random(5)
    for number in range(10):
        path = tmp_path / str(number) / "s.duckdb"
        path.parent.mkdir()
        for file, copy in zip(store_files(str(written)), store_files(str(path)), strict=True):
            shutil.copy(file, copy)
        end = chance.randrange(spans[0][0], spans[-1][1])
        os.truncate(log_of(str(path)), end)
        there = sum(1 for _, last in spans if last <= end)
        assert contents(path)[:2] == ([4], list(range(1, there + 1))), end


DAMAGED = {"its mark": 3, "its checksum": 9, "its length": 12, "its number": 16, "its body": 900}


@pytest.mark.parametrize("what", DAMAGED)
@pytest.mark.parametrize("turn", [1, 4])
def test_damage_before_whole_frames_is_refused_and_salvaged(
    store: Path, what: str, turn: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """All but the damaged message is saved, behind it too: it was written later, and is whole."""
    place = places(store)[-TURNS + turn - 1][0] + DAMAGED[what]
    byte = Path(log_of(str(store))).read_bytes()[place]
    change(store, place, bytes([byte ^ 0x21]))
    assert "is damaged, and" in refused(store)
    assert main(["--salvage", str(store)]) == 1
    assert capsys.readouterr().out.count("lost: frames") == 1
    saved = [n for n in range(1, TURNS + 1) if n != turn]
    assert contents(store.with_name("s.salvaged.duckdb")) == ([4], saved, [])
    refused(store)


def test_a_log_that_is_not_there(store: Path) -> None:
    """Put back it is taken; salvaged without it everything else is there, and the loss is named."""
    log = Path(log_of(str(store)))
    away = log.rename(log.with_name("away"))
    assert str(log) in refused(store) and "put it back" in refused(store)
    saved = salvage(str(store))
    assert contents(Path(saved.path))[:2] == ([4], [])
    assert saved.losses == [f"what stood in the broker's log {log}: the file is not there"]
    away.rename(log)
    assert contents(store)[:2] == ([4], list(range(1, TURNS + 1)))


def test_another_stores_log(store: Path, tmp_path: Path) -> None:
    other = tmp_path / "other" / "s.duckdb"
    other.parent.mkdir()
    kill_a_writer(other)
    shutil.copy(log_of(str(other)), log_of(str(store)))
    assert "is not its broker's log" in refused(store)
    assert "another store's" in salvage(str(store)).losses[0]


def test_a_log_beside_another_store_is_kept(store: Path) -> None:
    """Somebody has put another store's file in its place, and the log stands beside it."""
    with Store.open(store.with_name("new.duckdb")) as made:
        made.fold()
    log = Path(log_of(str(store)))
    data = log.read_bytes()
    for file in store_files(str(store))[:2]:
        os.remove(file)
    store.with_name("new.duckdb").rename(store)
    with Store.open(store) as opened:
        assert [str(log.with_name("s.duckdb.broker-log.other-1")) in notice for notice in opened.notices] == [True]
    assert log.with_name("s.duckdb.broker-log.other-1").read_bytes() == data and not log.exists()


@pytest.mark.parametrize("left", [None, b"", b"\x64", random.Random(5).randbytes(100_000)], ids=len_of)
def test_a_store_without_duckdbs_log_beside_the_brokers(store: Path, left: bytes | None) -> None:
    """What stood there is gone, and the broker's log proves that something did: it is no older store."""
    wal, log = (Path(file) for file in store_files(str(store))[1:])
    whole, data = wal.read_bytes(), log.read_bytes()
    wal.unlink()
    if left is not None:
        wal.write_bytes(left)
    for _ in range(2):
        told = refused(store)
        assert str(wal) in told and str(log) in told
        assert log.read_bytes() == data
    assert "commits in" in " ".join(salvage(str(store)).losses)
    wal.write_bytes(whole)
    assert contents(store)[:2] == ([4], list(range(1, TURNS + 1)))


def test_an_older_copy_of_the_file_beside_the_log_of_today(tmp_path: Path) -> None:
    """Whoever means it moves the log away, as the error says."""
    store = tmp_path / "s.duckdb"
    Store.open(store).close()
    shutil.copy(store, tmp_path / "older.duckdb")
    kill_a_writer(store)
    shutil.copy(tmp_path / "older.duckdb", store)
    os.remove(f"{store}.wal")
    assert "older copy" in refused(store)
    Path(log_of(str(store))).rename(tmp_path / "away")
    with Store.open(store) as opened:
        assert opened.notices == []


def test_a_store_that_was_moved_without_its_log(store: Path) -> None:
    """It says where the log is, as for DuckDB's own."""
    with duckdb.connect(str(store)) as connection:
        connection.execute("CHECKPOINT")  # now what is committed is in the file and in the broker's log
    folder = store.parent / "moved"
    folder.mkdir()
    moved = store.rename(folder / "s.duckdb")
    with duckdb.connect(str(moved)) as connection:
        connection.execute("UPDATE sbql.meta SET value = ? WHERE key = 'opened_as'", [str(store)])
    with pytest.raises(SqlError, match=r"left behind") as told:
        Store.open(moved)
    assert (
        told.value.number == 5120
        and log_of(str(store)) in told.value.message
        and log_of(str(moved)) in told.value.message
    )
    Path(log_of(str(store))).rename(log_of(str(moved)))
    assert contents(moved)[:2] == ([4], list(range(1, TURNS + 1)))


def test_salvage_of_a_store_that_was_moved_without_its_logs(tmp_path: Path) -> None:
    """DuckDB's log was left behind, and the broker's log: both are found."""
    path = tmp_path / "s.duckdb"
    kill_a_writer(path)
    assert all(os.path.getsize(file) for file in store_files(str(path)))
    (tmp_path / "moved").mkdir()
    moved = path.rename(tmp_path / "moved" / "s.duckdb")
    saved = salvage(str(moved))
    assert not saved.losses
    assert contents(Path(saved.path)) == ([4], list(range(1, TURNS + 1)), [])


def test_salvage_of_a_store_whose_log_cannot_be_read(store: Path) -> None:
    """Everything else is saved, and the loss is named."""
    log = Path(log_of(str(store)))
    log.unlink()
    log.mkdir()
    saved = salvage(str(store))
    assert [str(log) in loss and "cannot be read" in loss for loss in saved.losses] == [True]
    assert contents(Path(saved.path))[:2] == ([4], [])


def test_salvage_of_a_store_that_has_lost_the_beginning_of_its_log(store: Path) -> None:
    """What said that there is a log is lost with DuckDB's own: the commits in it are named as lost, not passed over."""
    count = sum(len(one.batch) for one in whole_frames(store))
    with duckdb.connect(str(store)) as connection:
        connection.execute("DELETE FROM sbql.broker_log")
    saved = salvage(str(store))
    assert saved.losses == [
        f"{count} commits in {log_of(str(store))}: the store does not say that it is its broker's log"
    ]
