"""However a program ends, and whatever runs then: no crash, the exit code that the program asked for, and a store that
opens with all that was acknowledged and nothing that was not committed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import sbql

CHILD = Path(__file__).with_name("ending_child.py")

CODES = {
    "end": 0,
    "closed": 0,
    "exception": 1,
    "exit": 3,
    "exit_in_thread": 0,
    "interrupt": -signal.SIGINT,
    "terminated": -signal.SIGTERM,
    "os_exit": 5,
}


@pytest.mark.parametrize("how", CODES)
def test_a_program_that_ends_while_procedures_run(how: str, tmp_path: Path) -> None:
    store = str(tmp_path / "s.duckdb")
    done = subprocess.run(
        [sys.executable, str(CHILD), store, how], capture_output=True, text=True, check=False, timeout=110
    )
    assert done.stdout == "ready\n", done.stderr
    assert done.returncode == CODES[how], done.stderr
    for word in ("FATAL", "terminate", "Fatal Python error", "Exception ignored", "Exception in thread"):
        assert word not in done.stderr
    assert bool(done.stderr) == (how in ("exception", "interrupt"))
    with sbql.connect(store, "d") as connection:
        assert connection.execute("SELECT n FROM acknowledged").fetchall() == [(1,)]
        assert connection.execute("SELECT COUNT(*) FROM log_of_writes WHERE n = 2").fetchall() == [(0,)]
