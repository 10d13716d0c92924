"""One file is one store, whatever it is called: two instances on it would write without knowing of each other."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from file_names import absolute, hard, hard_elsewhere, relative, symbolic, through_a_linked_folder, with_dots

import sbql
from sbql.engine.instance import Instance

NAMES: list[Callable[[Path], str]] = [
    absolute,
    relative,
    with_dots,
    symbolic,
    through_a_linked_folder,
    hard,
    hard_elsewhere,
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "folder" / "s.duckdb"
    path.parent.mkdir()
    with sbql.connect(path) as connection:
        connection.execute("CREATE TABLE t (n int)")
    return path


@pytest.mark.parametrize("second", NAMES)
def test_two_names_are_one_instance(file: Path, second: Callable[[Path], str]) -> None:
    with sbql.connect(file) as one, sbql.connect(second(file)) as other:
        assert one.instance is other.instance
        one.execute("INSERT t VALUES (1)")
        other.execute("INSERT t VALUES (2)")
        assert one.execute("SELECT n FROM t ORDER BY n").fetchall() == [(1,), (2,)]


@pytest.mark.parametrize("second", NAMES)
def test_another_clock_or_instance_is_refused_with_the_way_out(file: Path, second: Callable[[Path], str]) -> None:
    with sbql.connect(file) as connection:
        name = second(file)
        with pytest.raises(sbql.OperationalError, match="clock"):
            sbql.connect(name, clock="virtual")
        with pytest.raises(sbql.SqlError, match="instance=") as raised:
            Instance.open(name)
        assert raised.value.number == 5120
        connection.execute("INSERT t VALUES (1)")
        # The refused ones have not let go of the lock that keeps other processes out.
        code = f"import sbql; sbql.connect({str(file)!r})"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
        assert "open in another process" in done.stderr
    Instance.open(name).close()


@pytest.mark.parametrize("second", NAMES)
def test_what_a_killed_process_committed_is_there_under_every_name(file: Path, second: Callable[[Path], str]) -> None:
    """DuckDB's log stands beside the name that the file was opened by: another name finds it, or is refused."""
    name = second(file)
    code = f"import os, sbql; sbql.connect({name!r}).execute('INSERT t VALUES (1)'); os._exit(0)"
    subprocess.run([sys.executable, "-c", code], check=True)
    if second in (hard, hard_elsewhere):
        with pytest.raises(sbql.OperationalError, match=r"other name '.*hard\.duckdb'"):
            sbql.connect(file)
        sbql.connect(name).close()
    with sbql.connect(file) as connection:
        assert connection.execute("SELECT n FROM t").fetchall() == [(1,)]


def test_a_store_that_was_moved_without_its_log_says_where_the_log_is(file: Path) -> None:
    code = f"import os, sbql; sbql.connect({str(file)!r}).execute('INSERT t VALUES (1)'); os._exit(0)"
    subprocess.run([sys.executable, "-c", code], check=True)
    moved = file.rename(file.with_name("moved.duckdb"))
    with pytest.raises(sbql.OperationalError, match=r"left behind. Move that file to '.*moved\.duckdb\.wal'"):
        sbql.connect(moved)
    Path(f"{file}.wal").rename(f"{moved}.wal")
    with sbql.connect(moved) as connection:
        assert connection.execute("SELECT n FROM t").fetchall() == [(1,)]


def test_a_copy_beside_the_original_is_a_store_of_its_own(file: Path) -> None:
    code = f"import os, sbql; sbql.connect({str(file)!r}).execute('INSERT t VALUES (1)'); os._exit(0)"
    subprocess.run([sys.executable, "-c", code], check=True)
    copy = file.with_name("copy.duckdb")
    copy.write_bytes(file.read_bytes())
    Path(f"{copy}.wal").write_bytes(Path(f"{file}.wal").read_bytes())
    for path in (copy, file, copy):
        with sbql.connect(path) as connection:
            assert connection.execute("SELECT n FROM t").fetchall() == [(1,)]
