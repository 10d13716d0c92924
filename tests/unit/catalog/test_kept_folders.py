"""Folders in shared memory: those of processes that were killed go, those of the living stay."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("fcntl", reason="this system has no locks of files that go with their process")

from sbql.catalog.kept_folders import kept_folder, let_go

HOLDER = "import sys, sbql.catalog.kept_folders as kept; print(kept.kept_folder('kept-', sys.argv[1]), flush=True); sys.stdin.read()"


def holder(place: Path) -> tuple[subprocess.Popen[str], Path]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, place], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    return process, Path(process.stdout.readline().strip())


def test_what_a_killed_process_leaves_goes_with_the_next(tmp_path: Path) -> None:
    (killed, lost), (living, kept) = holder(tmp_path), holder(tmp_path)
    other = tmp_path / "kept-not"  # of nobody who locks
    other.mkdir()
    try:
        (lost / "1.duckdb").write_bytes(b"x" * 100)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        own = kept_folder("kept-", str(tmp_path))
        assert {path.name for path in tmp_path.iterdir()} == {own.name, kept.name, other.name}
        again = kept_folder("kept-", str(tmp_path))  # its own folders a process keeps, too
        assert own.is_dir() and kept.is_dir()
        let_go(own)
        let_go(own)
        let_go(again)
        assert {path.name for path in tmp_path.iterdir()} == {kept.name, other.name}
    finally:
        for process in (killed, living):
            process.kill()
            process.wait()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.close()
            process.stdout.close()
