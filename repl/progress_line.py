"""The line of `progress`, drawn by rich: a sign that turns, the words, a bar if there
is a measure, and how long it takes.

It decides how that looks, without UTF-8 and without colours, too. It must not know when there is a line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, TextIO

from rich.console import Console, RenderableType
from rich.constrain import Constrain
from rich.control import Control
from rich.progress import (
    BarColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
)
from rich.segment import ControlType
from rich.table import Column
from rich.text import Text

__all__ = ["ProgressLine"]

_ECHO: Final = 4
"""Columns at the right end for the ^C that a terminal shows when it is pressed: in the next
line, nobody would take it away."""
_WIDE: Final = 100
"""Columns of a terminal that has room for a long bar."""


class ProgressLine:
    """It is on the screen from the first `draw` to `clear`, and drawn anew by each `draw`."""

    def __init__(self, stream: TextIO, began: float, clock: Callable[[], float]) -> None:
        """`began`: when the work did, by `clock`."""
        self._console = _Console(file=stream, force_terminal=True, force_interactive=True, highlight=False, emoji=False)
        self._began = began
        self._clock = clock
        self._drawn: _Drawn | None = None

    def draw(self, text: str, done: int, of: int, before: Text | None) -> None:
        """Words, of which only one line is seen, and what is done `of` how much; 0 for what cannot be measured.
        `before` stands where the cursor is: if it is more than a line, there is no place for another one."""
        if before is not None and before.cell_len >= self._console.width:
            return
        if self._drawn is not None and self._drawn.has_bar != (of > 0):
            self.clear()
        if self._drawn is None:
            self._drawn = _Drawn(self._console, self._clock, before, has_bar=of > 0)
            if before is not None:
                self._console.control(Control(ControlType.CARRIAGE_RETURN, (ControlType.ERASE_IN_LINE, 2)))
        shown = "".join(sign if sign.isprintable() else " " for sign in text)
        self._drawn.show(shown, min(done, of), of or None, self._began)

    def clear(self) -> None:
        """Nothing of it is left, and the cursor stands where it stood."""
        drawn, self._drawn = self._drawn, None
        if drawn is not None:
            drawn.stop()
            if drawn.before is not None:
                self._console.print(drawn.before, end="")


class _Console(Console):
    def show_cursor(self, show: bool = True) -> bool:
        """It stays: rich would hide it, and a process that is killed could not bring it back."""
        return False


class _Drawn(Progress):
    """rich's display of one task, and above it what stood in the line."""

    def __init__(self, console: Console, clock: Callable[[], float], before: Text | None, *, has_bar: bool) -> None:
        self._screen = console
        self.before = before
        self.has_bar = has_bar
        super().__init__(
            *_columns(console, has_bar=has_bar), console=console, transient=True, auto_refresh=False, expand=True, get_time=clock,
            redirect_stdout=False, redirect_stderr=False,
        )  # fmt: skip

    def show(self, text: str, done: int, of: int | None, began: float) -> None:
        if not self.tasks:
            self.add_task("", start=False)
            self.tasks[0].start_time = began
        self.update(self.tasks[0].id, description=text, completed=done, total=of)
        self.start()  # nothing if it has been
        self.refresh()

    def get_renderables(self) -> Iterable[RenderableType]:
        if self.before is not None:
            yield self.before
        yield Constrain(self.make_tasks_table(self.tasks), self._screen.width - _ECHO)


def _columns(console: Console, *, has_bar: bool) -> Iterable[ProgressColumn]:
    is_ascii = console.options.ascii_only
    words = Column(ratio=1, no_wrap=True, overflow="crop" if is_ascii else "ellipsis")
    yield SpinnerColumn("line" if is_ascii else "dots")
    yield TextColumn("{task.description}", markup=False, table_column=words)
    if has_bar:
        width = 24 if console.width >= _WIDE else 10
        yield BarColumn(width, table_column=Column(min_width=width, no_wrap=True))
        yield TaskProgressColumn(table_column=Column(min_width=4, no_wrap=True))
    yield TimeElapsedColumn(table_column=Column(min_width=7, no_wrap=True))
