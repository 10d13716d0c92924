"""Where the outcomes of batches go, and in which form: the screen, a pipe with sqlcmd's habits, a
program's format, a file of its own.

It decides that formats for programs get rows and nothing else: counts are left out there, and messages go to standard
error. It must not know how any form is written.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Final, TextIO

import msgspec

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet, RowsAffected
from sbql.engine.result_text import caret
from sbql.grammar.values.checkpoints import checked
from sbql.repl.formats import WRITERS
from sbql.repl.progress import FOOT, Told
from sbql.repl.render import Renderer, error_text
from sbql.repl.view import View

if TYPE_CHECKING:
    from sbql.repl.screen import Screen

__all__ = ["Presenter"]

_DRAWN: Final = 1000
"""Rows that rich draws in good time."""
_BETWEEN: Final = frozenset({"csv", "tsv", "markdown", "html", "vertical"})
"""Formats in which an empty line stands between result sets."""


class _Page(io.TextIOWrapper):
    """What is written on it looks as on the screen, letters that this does not have included."""

    def __init__(self, screen: Screen | None) -> None:
        self._bytes = io.BytesIO()
        self._is_terminal = screen is not None and screen.stream.isatty()
        encoding = None if screen is None else screen.stream.encoding
        super().__init__(self._bytes, encoding=encoding or "utf-8", errors="replace", newline="", write_through=True)

    def isatty(self) -> bool:
        return self._is_terminal

    def text(self) -> str:
        self.flush()
        return self._bytes.getvalue().decode(self.encoding)


class Presenter:
    """Shows outcomes. `renderer` knows the place and the source of the running batch, and sqlcmd's habits."""

    def __init__(self, view: View, screen: Screen | None, note: Callable[[str], None]) -> None:
        """`screen`: what results look like on a terminal; None where there is none. `note`:
        for what is said beside results."""
        self.view = view
        self.screen = screen
        self.renderer = Renderer(sys.stdout.write)
        self.renderer.told = self._counted
        self._note = note
        self._file: TextIO | None = None
        self._written = 0
        """How many result sets have been written for programs."""
        self._written_lines = 0
        """Of the present result set."""
        self._lines_of_row = 1
        self.has_lost_rows = False
        """Whether a file could not be written."""

    def redirect(self, format_name: str, path: str | None) -> None:
        """Another format, and the file that result sets go to. Raises OSError when that cannot be written."""
        file = None
        if path is not None and format_name not in ("parquet", "arrow"):
            file = open(path, "w", encoding="utf-8", errors="replace", newline="")  # noqa: SIM115 (closed by `close`)
        self.close()
        self.view.format, self.view.path, self._file, self._written = format_name, path, file, 0

    def close(self) -> None:
        if self._file is not None:
            file, self._file = self._file, None
            file.close()

    def text_of(self, outcome: Outcome) -> str:
        """What the screen would show of an outcome that comes by itself, in the present format; from any thread."""
        page = _Page(self.screen)
        view = msgspec.structs.replace(
            self.view, pages=False, path=None, format="table" if self.view.is_for_programs else self.view.format
        )
        aside = Presenter(view, None if self.screen is None else self.screen.like(page), self._note)
        aside.show(outcome, page)
        return page.text()

    def show(self, outcome: Outcome, stream: TextIO) -> None:
        """Show it on `stream`, unless the view has another place for it. Raises OSError when nobody reads on."""
        if not isinstance(outcome, ResultSet):
            self._show(outcome, stream)
            return
        rows, place = len(outcome.rows), f" to {os.path.basename(self.view.path)}" if self.view.path is not None else ""
        self._written_lines = 0
        self._lines_of_row = len(outcome.columns) + 1 if self.view.format == "vertical" else 1

        def told() -> Told:
            done = min(self._written_lines // self._lines_of_row, rows)
            return Told(f"writing {done or rows:,} rows{place}", done, rows if done else 0)

        with FOOT.during(told):
            self._show(outcome, stream)

    def _counted(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines of a result, which take their time when they are many."""
        for line in checked(lines):
            self._written_lines += 1
            yield line

    def _show(self, outcome: Outcome, stream: TextIO) -> None:
        view = self.view
        if isinstance(outcome, ResultSet) and (view.path is not None or not self._is_drawn(stream)):
            if view.path is not None or view.format in WRITERS:
                self._write(outcome, stream)
                return
        elif view.is_for_programs and view.path is None and not isinstance(outcome, ResultSet):
            if isinstance(outcome, RowsAffected):
                return
            stream = sys.stderr
        with FOOT.cleared(stream):
            if self.screen is not None and stream is self.screen.stream and not self._is_plain(outcome):
                self._draw(outcome, self.screen)
            else:
                self.renderer.write = stream.write
                self.renderer.show(outcome)
                stream.flush()

    def _is_drawn(self, stream: TextIO) -> bool:
        return (
            self.screen is not None
            and stream is self.screen.stream
            and (self.view.format == "table" or (self.view.format == "vertical" and stream.isatty()))
        )

    def _is_plain(self, outcome: Outcome) -> bool:
        """Whether it is a table as sqlcmd prints it: asked for, or too long to be drawn in good time."""
        if not isinstance(outcome, ResultSet):
            return False
        return self.view.format == "plain" or (self.view.limit == 0 and len(outcome.rows) > _DRAWN)

    def _draw(self, outcome: Outcome, screen: Screen) -> None:
        match outcome:
            case ResultSet():
                screen.result(outcome, self.view)
            case RowsAffected(count):
                screen.text(f"({count} rows affected)", "count")
            case InfoMessage(text):
                screen.text(text)
            case ErrorOutcome(error):
                source = self.renderer.source
                pointed = caret(source, error) if source is not None and error.is_in_batch else None
                screen.error(error_text(error, self.renderer.place), pointed)

    def _write(self, result: ResultSet, stream: TextIO) -> None:
        """Rows for programs; what cannot be written to a file of its own is said, and
        goes to the screen from then on."""
        self._written += 1
        path = self.view.path
        if path is None:
            with FOOT.cleared(stream):
                self._write_lines(result, stream)
            return
        try:
            if self.view.is_file:
                self._write_file(result, path)
            else:
                assert self._file is not None
                self._write_lines(result, self._file)
        except (OSError, ValueError, ImportError) as error:
            self.has_lost_rows = True
            self._note(f"sbql: cannot write {self.view.path}: {getattr(error, 'strerror', None) or error}")
            self.close()
            self.view.path, self.view.format = None, "plain" if self.screen is None else "table"

    def _write_lines(self, result: ResultSet, stream: TextIO) -> None:
        if self._written > 1 and self.view.format in _BETWEEN:
            stream.write("\n")
        if self.view.format in WRITERS:
            stream.writelines(f"{line}\n" for line in self._counted(WRITERS[self.view.format](result)))
        else:
            self.renderer.write = stream.write
            self.renderer.show(result)
        stream.flush()

    def _write_file(self, result: ResultSet, path: str) -> None:
        """The second result set goes to a file of its own, name-2.parquet."""
        from sbql.engine.result_arrow import write_file

        stem, ending = os.path.splitext(path)
        write_file(result, path if self._written == 1 else f"{stem}-{self._written}{ending}", self.view.format)
