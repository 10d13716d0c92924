"""The line at the foot of a real terminal: there while something takes long, gone afterwards, and nowhere else."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from glass import Glass

pty = pytest.importorskip("pty", reason="a pseudo-terminal")

SCRIPT = """PRINT 'one'
GO
WAITFOR DELAY '00:00:01.6'
GO
PRINT 'two'
GO
"""
RESULT = "one\ntwo\n"


class Run:
    """sbql with a pseudo-terminal in the place of its standard error, and of its
    standard output if that is not given."""

    def __init__(self, home: Path, script: Path, output: int | None = None) -> None:
        self.seen = b""
        self._ours, theirs = pty.openpty()
        environ = {name: value for name, value in os.environ.items() if name not in ("CI", "NO_COLOR", "FORCE_COLOR")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sbql", str(script)], stdin=subprocess.DEVNULL, stdout=theirs if output is None else output, stderr=theirs,
            env={**environ, "TERM": "xterm", "COLUMNS": "80", "HOME": str(home)},
        )  # fmt: skip
        os.close(theirs)
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        try:
            while piece := os.read(self._ours, 4096):
                self.seen += piece
        except OSError:  # what a pseudo-terminal has for an end
            os.close(self._ours)

    def end(self) -> str:
        """What the terminal got."""
        output = self.process.stdout.read().decode() if self.process.stdout is not None else ""
        assert self.process.wait(60) == 0
        self._thread.join()
        assert output in ("", RESULT)
        return self.seen.decode().replace("\r\n", "\n")


def test_the_line_of_a_script_comes_and_goes_and_no_pipe_or_file_gets_any_of_it(home: Path, tmp_path: Path) -> None:
    script, file = tmp_path / "slow.sql", tmp_path / "out.txt"
    script.write_text(SCRIPT)
    with file.open("wb") as out:
        on_terminal, into_file, into_pipe = (
            Run(home, script),
            Run(home, script, out.fileno()),
            Run(home, script, subprocess.PIPE),
        )
        piped = subprocess.run([sys.executable, "-m", "sbql", str(script)], capture_output=True, text=True, timeout=60)
    assert (piped.stdout, piped.stderr) == (RESULT, "")

    for run, above, left in ((on_terminal, ["one"], ["one", "two"]), (into_file, [], [""])):
        glass, widest = (
            Glass(),
            [""],
        )  # of the script: where the computer is busy, opening has a line of its own, and a longer one
        for frame in re.split(r"(?=\x1b\[2K)", run.end()):  # rich wipes a line before it draws it anew
            glass.write(frame)
            if "slow.sql" in glass.lines[-1]:
                widest = max(widest, glass.lines, key=lambda lines: len("".join(lines)))
        assert widest[:-1] == above
        assert " slow.sql:3 of 7 | sleeping" in widest[-1]
        assert glass.lines == left
        assert not glass.is_hidden
    assert file.read_text() == RESULT
    assert into_pipe.end() == ""
