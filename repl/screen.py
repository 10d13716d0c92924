"""Results on a terminal: tables that fit, lines where a table would not, colours, a pager. Drawn by rich.

It decides what a person gets to see of a value: shortened with a mark, decoded with a mark, NULL dim, numbers to the
right. What is for programs is `formats`' business, and so are the words of messages `render`'s. No meaning is in a
colour alone: NO_COLOR, and a terminal without UTF-8, lose nothing. It is imported only when somebody looks.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Final, TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.result_text import NUMBERS, display
from sbql.grammar.types import VARBINARY_MAX
from sbql.repl.bodies import decoded, indented
from sbql.repl.progress import FOOT
from sbql.repl.view import View

__all__ = ["Screen"]

_NARROW: Final = 11
"""A column that has to be narrower than this, and than what is in it, cannot be read: the row stands upright."""
_BETWEEN: Final = 2
"""Blanks between two columns."""
_NAMELESS: Final = "(No column name)"
_UNBOUND: Final = 100_000
"""Columns of what is no screen."""
_DOCUMENTS: Final = frozenset({"xml", "nvarchar", "varchar", "ntext", "text"})
_STYLES: Final = {"error": "bold red", "caret": "bold red", "source": "", "count": "dim", "text": "", "note": "dim"}


class Screen:
    """Where results are shown. What is longer than the screen waits for the end of the batch
    (`finish`), if the view asks for a pager."""

    def __init__(self, stream: TextIO) -> None:
        is_terminal = stream.isatty()
        self.stream = stream
        self._is_terminal = is_terminal
        self._console = Console(
            file=stream, highlight=False, markup=False, emoji=False, width=None if is_terminal else _UNBOUND
        )
        self._waiting: list[RenderableType] = []

    def like(self, stream: TextIO) -> Screen:
        """A screen on which things look as on this one."""
        return Screen(stream)

    @property
    def _mark(self) -> str:
        return "~" if self._console.options.ascii_only else "…"

    # --- what comes ----------------------------------------------------------------------------------------

    def text(self, text: str, kind: str = "text") -> None:
        """A message, an error, a count: `kind` is a key of the styles."""
        shown = Text(text, style=_STYLES[kind], overflow="fold", no_wrap=not self._is_terminal)
        self._put(shown)

    def error(self, text: str, pointed: str | None) -> None:
        """An error's number and words, and the line of the source with the caret below it."""
        self.text(text, "error")
        if pointed is not None:
            source, _, caret = pointed.rpartition("\n")
            self.text(source, "source")
            self.text(caret, "caret")

    def result(self, result: ResultSet, view: View) -> None:
        rows = result.rows if view.limit <= 0 else result.rows[: view.limit]
        columns = result.columns
        shown = [[_cell(value, column, view) for value, column in zip(row, columns, strict=True)] for row in rows]
        parts: list[RenderableType]
        if self._stands_upright(columns, shown, view):
            tall = (
                [_cell(v, column, view, is_tall=True) for v, column in zip(row, columns, strict=True)] for row in rows
            )
            parts = self._upright(columns, tall)
        else:
            parts = [self._table(columns, shown)]
        more = len(result.rows) - len(rows)
        if more:
            parts.append(
                Text(f"{more} more rows are not shown. \\limit 0 shows all, \\format csv FILE writes all.", "dim")
            )
        is_long = view.pages and self._is_terminal and self._height_of(parts) > self._console.height - 2
        for part in parts:
            self._put(part, waits=is_long)

    def _put(self, part: RenderableType, *, waits: bool = False) -> None:
        if waits or self._waiting:
            self._waiting.append(part)
        else:
            self._print(part)

    def _print(self, part: RenderableType) -> None:
        """rich cuts with an ellipsis, which a terminal without UTF-8 does not have."""
        if not self._console.options.ascii_only:
            self._console.print(part)
            return
        with self._console.capture() as captured:
            self._console.print(part)
        self.stream.write(captured.get().replace("…", self._mark))

    def coloured(self, text: str) -> str:
        """A line for the screen that comes between others, in the colour of such lines."""
        with self._console.capture() as captured:
            self._console.print(Text(text, style="cyan", no_wrap=True, overflow="ignore"), end="", soft_wrap=True)
        return captured.get()

    def clear(self) -> None:
        """Begin again at the top of an empty screen."""
        if self._is_terminal:
            self._console.clear()

    def finish(self) -> None:
        """What has waited goes through the pager: $PAGER, else less."""
        if self._waiting:
            waiting, self._waiting = self._waiting, []
            os.environ.setdefault("LESS", "-FRX")
            with (
                FOOT.cleared(self.stream),
                self._console.pager(styles=self._console.color_system is not None),
            ):
                for part in waiting:
                    self._console.print(part)

    def _height_of(self, parts: Sequence[RenderableType]) -> int:
        return sum(len(self._console.render_lines(part, pad=False)) for part in parts)

    # --- tables --------------------------------------------------------------------------------------------

    def _stands_upright(self, columns: Sequence[ResultColumn], rows: list[list[Text]], view: View) -> bool:
        if view.format == "vertical" or view.expanded == "on":
            return True
        if view.expanded == "off" or not rows:
            return False
        widths = map(max, _head_widths(columns), _cell_widths(columns, rows))
        return sum(min(width, _NARROW) + _BETWEEN for width in widths) > self._console.width

    def _table(self, columns: Sequence[ResultColumn], rows: list[list[Text]]) -> Table:
        table = Table(
            box=box.SIMPLE_HEAD,
            show_edge=False,
            padding=(0, 1, 0, 0),
            pad_edge=False,
            header_style="bold",
            safe_box=True,
        )
        for column, width in zip(columns, self._widths(columns, rows), strict=True):
            name = Text(column.name or _NAMELESS, no_wrap=True, overflow="ellipsis")
            table.add_column(name, justify="right" if column.type.name in NUMBERS else "left", max_width=width)
        for row in rows:
            table.add_row(*map(self._in_a_line, row))
        return table

    def _widths(self, columns: Sequence[ResultColumn], rows: list[list[Text]]) -> list[int]:
        """Of the columns, where there is room for them. Where there is not, the longest names above short values give
        way first: what they are can still be seen."""
        heads, cells = _head_widths(columns), _cell_widths(columns, rows)
        lacking = sum(map(max, heads, cells)) + _BETWEEN * (len(columns) - 1) - self._console.width
        for _ in range(lacking):
            spare = [head - max(cell, _NARROW) for head, cell in zip(heads, cells, strict=True)]
            if max(spare) <= 0:
                break
            heads[spare.index(max(spare))] -= 1
        return list(map(max, heads, cells))

    def _in_a_line(self, cell: Text) -> Text:
        """One line of the cell: what does not fit is cut off by rich, with an ellipsis."""
        lines = cell.split("\n", allow_blank=True) if "\n" in cell.plain else [cell]
        shown = lines[0].copy()
        if len(lines) > 1:
            shown.append(f" {self._mark}", "dim")
        shown.no_wrap, shown.overflow = True, "ellipsis"
        return shown

    def _upright(self, columns: Sequence[ResultColumn], rows: Iterable[list[Text]]) -> list[RenderableType]:
        parts: list[RenderableType] = []
        for number, row in enumerate(rows, 1):
            line = "-" if self._console.options.ascii_only else "─"
            parts.append(Rule(f"row {number}", align="left", style="dim", characters=line))
            table = Table.grid(padding=(0, 2), pad_edge=False)
            table.add_column(no_wrap=True, style="bold")
            table.add_column(overflow="fold")
            for column, cell in zip(columns, row, strict=True):
                table.add_row(Text(column.name or _NAMELESS), cell)
            parts.append(table)
        return parts


def _head_widths(columns: Sequence[ResultColumn]) -> list[int]:
    return [cell_len(column.name or _NAMELESS) for column in columns]


def _cell_widths(columns: Sequence[ResultColumn], rows: list[list[Text]]) -> list[int]:
    return [max((cell_len(row[index].plain) for row in rows), default=0) for index in range(len(columns))]


def _cell(value: Any, column: ResultColumn, view: View, *, is_tall: bool = False) -> Text:
    """The text of a value, with its marks; over several lines if there is room for them."""
    if value is None:
        return Text("NULL", style="dim italic")
    if view.decodes and isinstance(value, bytes) and column.type == VARBINARY_MAX:
        found = decoded(value)
        if found is not None:
            text, encoding = found
            pretty = indented(text) if is_tall else None
            mark = Text.assemble((f"{encoding}:", "dim"), " " if pretty is None else "\n")
            return mark.append(_safe(text if pretty is None else pretty))
    text = display(value, column.type)
    return Text(_safe((indented(text) if is_tall and column.type.name in _DOCUMENTS else None) or text))


def _safe(text: str) -> str:
    """Signs that would move the cursor are shown as what they are."""
    if text.isprintable():
        return text
    text = text.replace("\r\n", "\n").replace("\t", "    ")
    return "".join(sign if sign == "\n" or sign.isprintable() else f"\\u{ord(sign):04x}" for sign in text)
