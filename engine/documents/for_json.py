"""FOR JSON: rows become one JSON text, in the modes PATH and AUTO.

Pure functions of columns, options and rows of Python values. Decides nesting, names and the text of each value (docs:
"Format query results as JSON"). It must not know queries or sessions.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from sbql.engine.documents.for_xml_parts import value_text
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.kinds import kind

__all__ = ["JsonColumn", "JsonOptions", "frame", "quoted", "renderer", "shape", "value_writer"]


class JsonColumn(Struct, frozen=True):
    """`is_json`: the value is JSON text already, of JSON_QUERY or a nested FOR JSON."""

    name: str
    type: SqlType
    owner: str = ""
    is_json: bool = False


class JsonOptions(Struct, frozen=True):
    """`has_source`: the query has a FROM clause."""

    mode: str
    root: str | None = None
    keeps_nulls: bool = False
    has_source: bool = False
    without_wrapper: bool = False


Rows = Sequence[Sequence[Any]]
_SPECIAL = re.compile(r'["\\/\x00-\x1f]')
_SHORT = {'"': '\\"', "\\": "\\\\", "/": "\\/", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def quoted(text: str) -> str:
    """A JSON string; a solidus is escaped too, as SQL Server does."""
    return '"' + _SPECIAL.sub(lambda f: _SHORT.get(f[0]) or f"\\u{ord(f[0]):04x}", text) + '"'


def value_writer(column: JsonColumn) -> Callable[[Any], str]:
    """How values of a column are written. Not for NULL."""
    family = kind(column.type)
    text = value_text(column.type)
    if column.is_json:
        return str
    if family == "variant":
        return lambda value: value_writer(JsonColumn(column.name, value.type))(value.value)
    if family == "bit":
        return lambda value: "true" if value else "false"
    if family in ("int", "decimal", "money", "float"):
        return text
    if family == "binary":
        return lambda value: quoted(base64.b64encode(value).decode("ascii"))
    return lambda value: quoted(text(value))


def renderer(columns: Sequence[JsonColumn], options: JsonOptions) -> Callable[[Rows], str | None]:
    """A function from rows to the text, NULL for no rows. Raises 13605 for a column without name, 13601 for names
    that collide, 13603, 13600 for AUTO without a table."""
    for column in columns:
        if not column.name:
            raise sql_error(13605)
        if options.mode == "PATH" and ("" in column.name.split(".")):
            raise sql_error(13603, column.name)
    if options.mode == "AUTO" and not options.has_source and not any(column.owner for column in columns):
        raise sql_error(13600)
    build = _auto(columns, options) if options.mode == "AUTO" else _path(columns, options)
    before, after = frame(options)

    def render(rows: Rows) -> str | None:
        if not rows:
            return None
        return before + ",".join(build(rows)) + after

    return render


def frame(options: JsonOptions) -> tuple[str, str]:
    """What stands before the objects, and behind them."""
    before, after = ("", "") if options.without_wrapper else ("[", "]")
    if options.root is not None:
        before, after = f"{{{quoted(options.root)}:{before}", f"{after}}}"
    return before, after


# --- PATH --------------------------------------------------------------------------------------------------

Tree = dict[str, Any]


def shape(columns: Sequence[JsonColumn]) -> Tree:
    """Names with dots are objects in objects; a leaf is the position of its column. The columns of an object stand next
    to each other."""
    tree: Tree = {}
    open_: list[str] = []
    for position, column in enumerate(columns):
        place = tree
        *outer, last = column.name.split(".")
        for depth, part in enumerate(outer):
            found = place.setdefault(part, {})
            if not isinstance(found, dict) or found and open_[: depth + 1] != outer[: depth + 1]:
                raise sql_error(13601, column.name)
            place = found
        open_ = outer
        if last in place:
            raise sql_error(13601, column.name)
        place[last] = position
    return tree


def _path(columns: Sequence[JsonColumn], options: JsonOptions) -> Callable[[Rows], list[str]]:
    tree = shape(columns)
    writers = [value_writer(column) for column in columns]

    def write(place: Tree, row: Sequence[Any]) -> str | None:
        parts = []
        for name, below in place.items():
            if isinstance(below, dict):
                inner = write(below, row)
                if inner is not None:
                    parts.append(f"{quoted(name)}:{inner}")
            elif row[below] is not None:
                parts.append(f"{quoted(name)}:{writers[below](row[below])}")
            elif options.keeps_nulls:
                parts.append(f"{quoted(name)}:null")
        return "{" + ",".join(parts) + "}" if parts or place is tree else None

    return lambda rows: [write(tree, row) or "{}" for row in checked(rows)]


# --- AUTO --------------------------------------------------------------------------------------------------


def _auto(columns: Sequence[JsonColumn], options: JsonOptions) -> Callable[[Rows], list[str]]:
    """The first table's columns are the object; each further table is an array inside it, under its name. What is of no
    table is of the one before it, in front of all of the first."""
    first = next((column.owner for column in columns if column.owner), "")
    levels: list[str] = []
    members: list[list[int]] = []
    for position, column in enumerate(columns):
        owner = column.owner or (levels[-1] if levels else first)
        if owner not in levels:
            levels.append(owner)
            members.append([])
        members[levels.index(owner)].append(position)
    writers = [value_writer(column) for column in columns]

    def own(row: Sequence[Any], level: int) -> list[str]:
        parts = []
        for i in members[level]:
            if row[i] is not None:
                parts.append(f"{quoted(columns[i].name)}:{writers[i](row[i])}")
            elif options.keeps_nulls:
                parts.append(f"{quoted(columns[i].name)}:null")
        return parts

    def objects(rows: Rows, level: int) -> list[str]:
        if level == len(levels) - 1:
            return ["{" + ",".join(own(row, level)) + "}" for row in checked(rows)]
        found = []
        start = 0
        for end in checked(range(1, len(rows) + 1)):
            if end < len(rows) and all(rows[end][i] == rows[start][i] for i in members[level]):
                continue
            inner = f"{quoted(levels[level + 1])}:[{','.join(objects(rows[start:end], level + 1))}]"
            found.append("{" + ",".join([*own(rows[start], level), inner]) + "}")
            start = end
        return found

    return lambda rows: objects(rows, 0)
