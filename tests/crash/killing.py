"""Runs a child process until it is killed, and reads columns of what it leaves."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

__all__ = ["column", "contents", "killed_after"]


def killed_after(script: Path, path: str, first: int, acknowledgements: int, delay: float) -> int:
    """Run the child, kill it `delay` seconds after so many acknowledgements. Returns the last turn that it
    acknowledged."""
    command = [sys.executable, str(script), path, str(first)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None and child.stderr is not None
        for _ in range(acknowledgements):
            line = child.stdout.readline()
            assert line, child.stderr.read()
        killer = threading.Timer(delay, child.kill)
        killer.start()
        lines = [line, *child.stdout]
        killer.join()
    return int([text for text in lines if text.endswith("\n")][-1])


def contents(path: Path, rows: str, messages: str) -> tuple[list[int], list[int], list[str]]:
    """What two queries find in the first column in database Shop, and the lines of the
    error log about what opening mended."""
    instance = Instance.open(str(path))
    try:
        session = instance.connect(database="Shop")
        lines = [record.text for record in instance.error_log if record.number == 9004]
        return column(session, rows), column(session, messages), lines
    finally:
        instance.close()


def column(session: Session, query: str) -> list[Any]:
    for outcome in session.run(query):
        assert not isinstance(outcome, ErrorOutcome), outcome.error
        if isinstance(outcome, ResultSet):
            return [row[0] for row in outcome.rows]
    raise AssertionError("no result set")
