"""Result sets as text for programs and documents: vertical, CSV, TSV, JSON lines, Markdown, HTML.

It decides what a value is in each. A column without a name is column1, column2 and so on, where a program has to name
it. It must not know where the text goes.
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any, Final

from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.engine.result_text import NUMBERS, display, text_width
from sbql.grammar.types import SqlType, Variant
from sbql.grammar.values.numbers import decimal_text
from sbql.grammar.values.utf16 import without_halves

__all__ = ["WRITERS"]

_JSON_NUMBERS: Final = NUMBERS - {"float", "real"}


def _names(result: ResultSet) -> list[str]:
    return [without_halves(column.name) or f"column{index}" for index, column in enumerate(result.columns, 1)]


def _text(value: Any, column: ResultColumn) -> str:
    return "" if value is None else display(value, column.type)


def _rows(result: ResultSet) -> Iterator[list[str]]:
    for row in result.rows:
        yield [_text(value, column) for value, column in zip(row, result.columns, strict=True)]


def vertical(result: ResultSet) -> Iterator[str]:
    """As sqlcmd -F vertical: name and value in a line, an empty line between rows."""
    names = [column.name or "(No column name)" for column in result.columns]
    width = max((text_width(name) for name in names), default=0)
    for index, row in enumerate(result.rows):
        if index:
            yield ""
        for name, value, column in zip(names, row, result.columns, strict=True):
            yield f"{name}{' ' * (width - text_width(name))} {display(value, column.type)}".rstrip(" ")


def separated(result: ResultSet) -> Iterator[str]:
    """CSV of RFC 4180, with line feeds."""
    for row in chain([_names(result)], _rows(result)):
        line = io.StringIO()
        csv.writer(line, lineterminator="\n").writerow(row)
        yield line.getvalue()[:-1]


_ESCAPES: Final = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


def tabbed(result: ResultSet) -> Iterator[str]:
    """Tabs, line feeds and backslashes of values are written \\t, \\n and \\\\."""
    for row in chain([_names(result)], _rows(result)):
        yield "\t".join(text.translate(_ESCAPES) for text in row)


def json_lines(result: ResultSet) -> Iterator[str]:
    """Exact numbers keep their digits; dates and binary values are the texts that tables show."""
    names = [json.dumps(name, ensure_ascii=False) for name in _names(result)]
    for row in result.rows:
        values = (_json(value, column.type) for value, column in zip(row, result.columns, strict=True))
        yield "{" + ", ".join(f"{name}: {value}" for name, value in zip(names, values, strict=True)) + "}"


def _json(value: Any, sql_type: SqlType) -> str:
    if isinstance(value, Variant):
        value, sql_type = value.value, value.type
    if value is None:
        return "null"
    if sql_type.name == "bit":
        return "true" if value else "false"
    if sql_type.name in _JSON_NUMBERS:
        return str(int(value)) if isinstance(value, int) else decimal_text(value)
    if sql_type.name in NUMBERS:
        return json.dumps(value)
    return json.dumps(display(value, sql_type), ensure_ascii=False)


def markdown(result: ResultSet) -> Iterator[str]:
    """A table of GitHub's Markdown, numbers to the right."""
    yield _marked(column.name or " " for column in result.columns)
    yield "|" + "|".join(" ---: " if column.type.name in NUMBERS else " --- " for column in result.columns) + "|"
    for row in result.rows:
        yield _marked(display(value, column.type) for value, column in zip(row, result.columns, strict=True))


def _marked(texts: Iterator[str]) -> str:
    return (
        "| " + " | ".join(text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "<br>") for text in texts) + " |"
    )


def html_table(result: ResultSet) -> Iterator[str]:
    """A table without a page around it. Numbers stand at the right, NULL has a class of its own."""
    yield "<table>"
    heads = (f"<th>{_escaped(column.name)}</th>" for column in result.columns)
    yield f"<thead><tr>{''.join(heads)}</tr></thead>"
    yield "<tbody>"
    for row in result.rows:
        cells = (_cell(value, column.type) for value, column in zip(row, result.columns, strict=True))
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody>"
    yield "</table>"


def _cell(value: Any, sql_type: SqlType) -> str:
    if value is None:
        return '<td class="null">NULL</td>'
    aligned = ' style="text-align: right"' if sql_type.name in NUMBERS else ""
    return f"<td{aligned}>{_escaped(display(value, sql_type))}</td>"


def _escaped(text: str) -> str:
    return html.escape(without_halves(text)).replace("\n", "<br>")


WRITERS: Final[dict[str, Callable[[ResultSet], Iterator[str]]]] = {
    "vertical": vertical,
    "csv": separated,
    "tsv": tabbed,
    "json": json_lines,
    "markdown": markdown,
    "html": html_table,
}
"""By the name of the format (`repl.view`): the lines of a result set."""
