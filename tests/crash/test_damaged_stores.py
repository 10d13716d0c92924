"""Stores as power failures and bad disks leave them.

A torn last write, which nobody was told of, is cut off and kept; what was acknowledged before it is there. Real
damage is refused, with a way out: `sbql --salvage` saves what can be read and names what is lost. The file is never
changed by an attempt to open it that fails.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import killing
import pytest
from file_names import absolute, hard_elsewhere, relative, symbolic, through_a_linked_folder, with_dots

from sbql.catalog.salvage import salvage
from sbql.catalog.store import Store
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.errors import SqlError
from sbql.repl.cli import main

# The rows have no pattern: DuckDB's checksum of an entry is the XOR of its words' hashes, so that words which are there
# an even number of times, as in 'abcabc…', may become zeros unnoticed.
WRITER = """
import os, random, sys
from sbql.engine.instance import Instance
instance = Instance.open(sys.argv[1])
session = instance.connect()
def run(text):
    errors = [o for o in session.run(text) if hasattr(o, "error")]
    assert not errors, errors
for text in ("CREATE DATABASE Shop", "USE Shop", "CREATE QUEUE q; CREATE SERVICE a ON QUEUE q ([DEFAULT]); CREATE TABLE t (n int, p varchar(max))",
             "CREATE TABLE h (h uniqueidentifier); DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'a' WITH ENCRYPTION = OFF; INSERT h VALUES (@h)"):
    run(text)
session.use("Shop")
with instance.store.scratch() as connection:
    connection.execute("CHECKPOINT sbql_store")
log = sys.argv[1] + ".wal"
print(os.path.getsize(log) if os.path.exists(log) else 0)
for n in range(1, 9):
    run(f"DECLARE @h uniqueidentifier = (SELECT h FROM h); BEGIN TRAN; INSERT t VALUES ({n}, '{random.Random(n).randbytes(2250).hex()}'); SEND ON CONVERSATION @h ('{n}'); COMMIT")
    print(os.path.getsize(log))
sys.stdout.flush()
os._exit(9)
"""
TURNS = 8


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """A store whose process was killed after eight commits, and the size of its log after each."""
    path = tmp_path_factory.mktemp("written") / "s.duckdb"
    done = subprocess.run([sys.executable, "-c", WRITER, str(path)], capture_output=True, text=True, check=False)
    assert done.returncode == 9, done.stderr
    return path, [int(line) for line in done.stdout.split()]


def copy_of(written: tuple[Path, list[int]], folder: Path) -> Path:
    shutil.copy(written[0], folder / "s.duckdb")
    shutil.copy(f"{written[0]}.wal", folder / "s.duckdb.wal")
    return folder / "s.duckdb"


def contents(path: Path) -> tuple[list[int], list[int], list[str]]:
    """Rows, messages, and the lines of the error log."""
    messages = "SELECT CAST(CAST(message_body AS varchar(10)) AS int) FROM q ORDER BY queuing_order"
    return killing.contents(path, "SELECT n FROM t ORDER BY n", messages)


CHANCE = random.Random(7)
TORN: dict[str, Callable[[bytes, int], bytes]] = {
    "missing": lambda last, half: last[:half],
    "half and zeros": lambda last, half: last[:half] + bytes(len(last) - half),
    "half and garbage": lambda last, half: last[:half] + CHANCE.randbytes(len(last) - half),
    "zeros": lambda last, half: bytes(len(last)),
    "garbage": lambda last, half: CHANCE.randbytes(len(last)),
    "half, garbage and more garbage": lambda last, half: last[:half] + CHANCE.randbytes(len(last)),
    "a sector not written": lambda last, half: last[:1024] + bytes(1536) + last[2560:],
}  # fmt: skip


@pytest.mark.parametrize("how", TORN)
@pytest.mark.parametrize("tenths", [1, 5, 9])
def test_a_torn_last_write_is_cut_off(written: tuple[Path, list[int]], tmp_path: Path, how: str, tenths: int) -> None:
    path = copy_of(written, tmp_path)
    log = Path(f"{path}.wal")
    whole = log.read_bytes()
    start = written[1][-2]
    last = whole[start:]
    log.write_bytes(whole[:start] + TORN[how](last, len(last) * tenths // 10))
    rows, messages, lines = contents(path)
    assert rows == messages == list(range(1, TURNS)), "all that was acknowledged before the torn write"
    kept = sorted(tmp_path.glob("*.torn-*"))
    assert len(lines) == len(kept)
    if kept:
        assert kept[0].name in lines[0] and kept[0].stat().st_size > 0
    assert contents(path)[:2] == (rows, messages)


def test_a_log_may_end_anywhere(written: tuple[Path, list[int]], tmp_path: Path) -> None:
    """Nothing synced from some byte on: the commits before it are there, whole, in order."""
    sizes = written[1]
    chance = random.Random(3)
    for number in range(12):
        folder = tmp_path / str(number)
        folder.mkdir()
        path = copy_of(written, folder)
        end = chance.randrange(0, sizes[-1])
        os.truncate(f"{path}.wal", end)
        there = sum(1 for size in sizes[1:] if size <= end)
        assert contents(path)[:2] == (list(range(1, there + 1)),) * 2, end


HEADERS = {4096, 8192}


@pytest.fixture(scope="module")
def checkpointed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, set[int]]]:
    """Stores whose process was killed between two steps of a checkpoint, and after it with a commit in the log behind
    it; the headers that the checkpoint wrote."""
    found = {}
    for when in ("in it", "after it"):
        path = tmp_path_factory.mktemp("checkpointed") / "s.duckdb"
        script = WRITER.replace("os._exit(9)", CHECKPOINT[when])
        done = subprocess.run([sys.executable, "-c", script, str(path)], capture_output=True, text=True, check=False)
        assert done.returncode == 9, done.stderr
        before, after = path.with_name("before").read_bytes(), path.with_name("s.duckdb").read_bytes()
        found[when] = path, {place for place in HEADERS if before[place : place + 4096] != after[place : place + 4096]}
        assert len(found[when][1]) == 1
    return found


CHECKPOINT = {
    "in it": """
import shutil
log = sys.argv[1] + ".wal"
shutil.copy(sys.argv[1], os.path.dirname(sys.argv[1]) + "/before"); shutil.copy(log, log + ".kept")
with instance.store.scratch() as connection:
    connection.execute("CHECKPOINT sbql_store")
shutil.copy(log + ".kept", log)
os._exit(9)""",
    "after it": """
import shutil
shutil.copy(sys.argv[1], os.path.dirname(sys.argv[1]) + "/before")
with instance.store.scratch() as connection:
    connection.execute("CHECKPOINT sbql_store")
run("INSERT t VALUES (9, '')")
os._exit(9)""",
}


@pytest.mark.parametrize("how", ["zeros", "garbage", "half and garbage"])
def test_a_torn_header_of_a_checkpoint_that_was_not_done(
    checkpointed: dict[str, tuple[Path, set[int]]], tmp_path: Path, how: str
) -> None:
    """The log has everything: DuckDB cuts it only when the header is on disk."""
    source, (place,) = checkpointed["in it"]
    path = tmp_path / "s.duckdb"
    data = bytearray(source.read_bytes())
    data[place : place + 4096] = TORN[how](bytes(data[place : place + 4096]), 40).ljust(4096, b"\0")[:4096]
    path.write_bytes(data)
    shutil.copy(f"{source}.wal", f"{path}.wal")
    rows, messages, lines = contents(path)
    assert rows == messages == list(range(1, TURNS + 1))
    assert len(lines) == 1 and "header" in lines[0]
    assert contents(path)[:2] == (rows, messages)


@pytest.mark.parametrize("with_log", [True, False])
@pytest.mark.parametrize("place", sorted(HEADERS))
def test_a_header_that_is_damaged_later(
    checkpointed: dict[str, tuple[Path, set[int]]], tmp_path: Path, place: int, with_log: bool
) -> None:
    """The log belongs to the checkpoint of the newer header: with the older one alone the store is
    refused, and nothing is changed."""
    source, (newer,) = checkpointed["after it"]
    path = tmp_path / "s.duckdb"
    data = bytearray(source.read_bytes())
    data[place + 30 : place + 60] = CHANCE.randbytes(30)
    path.write_bytes(data)
    if with_log:
        shutil.copy(f"{source}.wal", f"{path}.wal")
    if with_log and place != newer:
        assert contents(path)[0] == [*range(1, TURNS + 1), 9]
        return
    with pytest.raises(SqlError) as refused:
        Store.open(path)
    assert refused.value.number == 5172
    assert path.read_bytes() == bytes(data)


DAMAGED = {
    "in the middle": lambda sizes: (sizes[3] + sizes[4]) // 2,
    "a size": lambda sizes: sizes[3],
    "the head": lambda sizes: 0,
}


@pytest.mark.parametrize("where", DAMAGED)
def test_damage_before_whole_records_is_refused_and_salvaged(
    written: tuple[Path, list[int]], tmp_path: Path, where: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = copy_of(written, tmp_path)
    log = Path(f"{path}.wal")
    data = bytearray(log.read_bytes())
    data[DAMAGED[where](written[1])] ^= 0xFF
    log.write_bytes(data)
    with pytest.raises(SqlError) as refused:
        Store.open(path)
    assert refused.value.number == 5172
    assert "--salvage" in refused.value.message
    assert log.read_bytes() == bytes(data), "nothing was thrown away"
    assert main(["--salvage", str(path)]) == 1
    told = capsys.readouterr().out
    assert f"lost: the log {log} from byte" in told or f"lost: all {len(data)} bytes of the log" in told
    assert log.read_bytes() == bytes(data)
    if where != "the head":
        assert contents(tmp_path / "s.salvaged.duckdb")[:2] == ([1, 2, 3], [1, 2, 3])


def moved_alone(path: Path) -> str:
    return str(path.rename(path.with_name("moved.duckdb")))


NAMES: list[Callable[[Path], str]] = [
    absolute,
    relative,
    with_dots,
    symbolic,
    through_a_linked_folder,
    hard_elsewhere,
    moved_alone,
]


@pytest.mark.parametrize("name", NAMES)
def test_every_name_of_a_store_saves_the_same(
    tmp_path: Path, name: Callable[[Path], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the log has before its damage is saved by whatever name the store is called."""
    folder = tmp_path / "folder"
    folder.mkdir()
    monkeypatch.chdir(folder)
    path = folder / "s.duckdb"
    done = subprocess.run([sys.executable, "-c", WRITER, str(path)], capture_output=True, text=True, check=False)
    sizes = [int(line) for line in done.stdout.split()]
    log = Path(f"{path}.wal")
    data = bytearray(log.read_bytes())
    data[DAMAGED["in the middle"](sizes)] ^= 0xFF
    log.write_bytes(data)
    saved = salvage(name(path))
    assert contents(Path(saved.path))[:2] == ([1, 2, 3], [1, 2, 3])
    assert [loss.split(" from byte ")[0] for loss in saved.losses] == [f"the log {log}"]


def test_damaged_blocks_lose_their_rows_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    instance = Instance.open(str(path))
    session = instance.connect()
    for text in ("CREATE DATABASE Shop", "USE Shop; CREATE TABLE t (n int, p varchar(max))",
                 "CREATE QUEUE q; CREATE SERVICE a ON QUEUE q ([DEFAULT])",
                 "INSERT t SELECT value, REPLICATE('x' + CAST(value AS varchar(10)), 50) FROM GENERATE_SERIES(1, 50000)",
                 "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE a TO SERVICE 'a' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('1')"):  # fmt: skip
        assert not [o for o in session.run(text) if isinstance(o, ErrorOutcome)]
    instance.close()
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 100] = bytes(100)
    path.write_bytes(data)
    saved = salvage(str(path))
    assert [loss for loss in saved.losses if '"t", rows' in loss] == saved.losses != []
    rows, messages, _ = contents(Path(saved.path))
    assert messages == [1]
    assert 40_000 < len(rows) < 50_000
    assert path.read_bytes() == bytes(data)


def test_salvage_that_fails_advises_no_salvage(tmp_path: Path) -> None:
    """Wherever the damage is: who has just tried that is told to take a copy."""
    path = tmp_path / "s.duckdb"
    instance = Instance.open(str(path))
    instance.connect().run("CREATE TABLE t (n int); INSERT t VALUES (1)")
    instance.close()
    data = path.read_bytes()
    failed: list[SqlError] = []
    for place in range(4096, len(data), 65536):
        broken = tmp_path / "broken.duckdb"
        broken.write_bytes(data[:place] + bytes(8192) + data[place + 8192 :])
        try:
            salvage(str(broken))
        except SqlError as error:
            failed.append(error)
    assert failed and {error.number for error in failed} == {5172}
    assert all("--salvage" not in error.message and "copy" in error.message for error in failed)


def test_nothing_to_salvage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "s.duckdb"
    Instance.open(str(path)).close()
    assert main(["--salvage", str(path)]) == 0
    assert "Nothing is lost" in capsys.readouterr().out
    Instance.open(str(tmp_path / "s.salvaged.duckdb")).close()
    path.write_text("no store")
    assert main(["--salvage", str(path)]) == 1
    assert "not an sbql store" in capsys.readouterr().err
    assert main(["--salvage", str(tmp_path / "none")]) == 1


def test_a_store_that_is_open_in_this_process_is_not_damaged(tmp_path: Path) -> None:
    path = str(tmp_path / "s.duckdb")
    with Store.open(path), pytest.raises(SqlError) as refused:
        Store.open(path)
    assert refused.value.number == 5120
    assert "instance=" in refused.value.message and "copy" not in refused.value.message
