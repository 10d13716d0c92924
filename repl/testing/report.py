"""What is seen of a run: a mark or a line for each script as it ends, then failures, the slowest
scripts and a summary, as pytest has them.

It decides the words and the colours, which rich draws, and says nothing by a colour
alone. It must not know how scripts run.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from sbql.repl.progress import FOOT, Told
from sbql.repl.testing.results import Outcome, Result

__all__ = ["Report"]

_MARKS: dict[Outcome, str] = {"passed": ".", "failed": "F", "error": "E"}
_COLOURS: dict[Outcome, str] = {"passed": "green", "failed": "red", "error": "red"}
_WIDEST = 100


class Report:
    """`verbosity`: -1 says only how it ended, 0 has a mark for each script and a line for each
    folder, 1 a line for each script."""

    def __init__(self, out: TextIO, verbosity: int) -> None:
        self._console = Console(file=out, highlight=False, markup=False, emoji=False)
        self._verbosity = verbosity
        self._width = min(self._console.width, _WIDEST)
        self._count = 0
        self._done = 0
        self._failed = 0
        self._folder: str | None = None
        self._name = ""
        """The script that runs."""
        self._open = Text()
        """The line that has not ended."""

    def begin(self, version: str, count: int, deselected: int) -> None:
        """The head. `deselected`: scripts that -k leaves out."""
        self._count = count
        if self._verbosity < 0:
            return
        self._rule("sbql test starts", "bold")
        left_out = f" / {deselected} deselected / {count} selected" if deselected else ""
        self._line(
            f"sbql {version}\ncollected {count + deselected} {'script' if count + deselected == 1 else 'scripts'}{left_out}\n"
        )

    def start(self, name: str) -> None:
        """A script begins: its folder is written down first, so that what takes long has a name."""
        self._name = name
        if self._verbosity == 0 and os.path.dirname(name) != self._folder:
            if self._folder is not None:
                self._percent()
            self._folder = os.path.dirname(name)
            self._write(f"{self._folder or '.'}/ ")  # as pytest names a file, in front of its marks
        elif self._verbosity > 0:
            self._write(f"{name} ")

    def add(self, result: Result) -> None:
        """A script has ended."""
        self._done += 1
        self._failed += result.outcome != "passed"
        if self._verbosity > 0:
            self._write(result.outcome.upper(), _COLOURS[result.outcome])
            self._percent()
        elif self._verbosity == 0:
            if self._open.cell_len >= self._width - 8:
                self._percent()
            self._write(_MARKS[result.outcome], _COLOURS[result.outcome])
            if self._done == self._count:
                self._percent()

    def told(self) -> Told:
        """How far it is, for the foot of the terminal."""
        failed = f", {self._failed} failed" if self._failed else ""
        before = self._open.copy() if self._console.file.isatty() else None
        return Told(
            f"{self._done} of {self._count} scripts{failed} | {self._name}", self._done, self._count, before=before
        )

    def end(self, results: Sequence[Result], seconds: float, slowest: int, note: str = "") -> None:
        """Failures, the slowest scripts and the summary. `note`: why not all scripts have run."""
        if self._open:
            self._line("")
        bad = [result for result in results if result.outcome != "passed"]
        if bad:
            self._line("")
            self._rule("FAILURES", "")
        for result in bad:
            self._failure(result)
        if slowest and results:
            self._line("")
            self._rule(f"slowest {min(slowest, len(results))} of {len(results)}", "")
            for result in sorted(results, key=lambda one: -one.seconds)[:slowest]:
                self._line(f"{result.seconds:8.3f}s {result.name}")
        if bad:
            self._rule("short test summary info", "cyan")
            for result in bad:
                self._line(
                    f"{'FAILED' if result.outcome == 'failed' else 'ERROR'} {result.place} - {result.message}",
                    _COLOURS[result.outcome],
                )
        if note:
            self._rule(note, "yellow", "!")
        self._rule(_counted(results) + f" in {seconds:.2f}s", "bold red" if bad or not results else "bold green")

    def _failure(self, result: Result) -> None:
        self._rule(result.name, "red", "_")
        self._line(result.text)
        if result.log:
            self._rule("error log", "", "-")
            for line in result.log:
                self._line(line)

    # --- writing -------------------------------------------------------------------------------------------

    def _write(self, text: str, style: str = "") -> None:
        with FOOT.cleared(self._console.file):
            self._console.print(Text(text, style), end="", soft_wrap=True)
            self._console.file.flush()
            self._open.append(text, style)

    def _line(self, text: str, style: str = "") -> None:
        with FOOT.cleared(self._console.file):
            self._console.print(Text(text, style), soft_wrap=True)
            self._open = Text()

    def _percent(self) -> None:
        """How much is done, at the right end of the line, which ends."""
        share = f"[{100 * self._done // max(self._count, 1):3}%]"
        self._line(" " * max(1, self._width - self._open.cell_len - len(share)) + share, "cyan")

    def _rule(self, text: str, style: str, sign: str = "=") -> None:
        rest = max(self._width - cell_len(text) - 2, 2)
        self._line(f"{sign * (rest // 2)} {text} {sign * (rest - rest // 2)}", style)


def _counted(results: Sequence[Result]) -> str:
    counts = [(name, sum(result.outcome == outcome for result in results)) for name, outcome in _NAMES]
    return (
        ", ".join(f"{count} {name}" + ("s" if name == "error" and count > 1 else "") for name, count in counts if count)
        or "no scripts ran"
    )


_NAMES: tuple[tuple[str, Outcome], ...] = (("failed", "failed"), ("passed", "passed"), ("error", "error"))
