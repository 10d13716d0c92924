"""OPENJSON: the rows of a JSON text, as pure functions.

Decides what the default schema and a WITH list read from each element (docs: "OPENJSON"). It must not know SQL text.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import Any

from sbql.grammar.errors import sql_error

__all__ = ["default_rows", "parse_path", "with_rows"]

_STEP = re.compile(r'\.(?:"((?:[^"\\]|\\.)*)"|([A-Za-z_$][\w$]*))|\[(\d+)\]')

Path = tuple[bool, tuple[str | int, ...]]
"""Whether it is strict, and its steps."""


def parse_path(text: str) -> Path:
    """`[lax|strict] $.a."b c"[0]`. Raises 13607 for anything else."""
    words = text.strip()
    is_strict = words.lower().startswith("strict ")
    if is_strict or words.lower().startswith("lax "):
        words = words.split(None, 1)[1].strip()
    if not words.startswith("$"):
        raise sql_error(13607, words[:1] or " ", 0)
    steps: list[str | int] = []
    position = 1
    while position < len(words):
        found = _STEP.match(words, position)
        if found is None:
            raise sql_error(13607, words[position], position)
        quoted, plain, index = found.groups()
        steps.append(int(index) if index is not None else json.loads(f'"{quoted}"') if quoted is not None else plain)
        position = found.end()
    return is_strict, tuple(steps)


_MISSING = object()


def _follow(value: Any, path: Path) -> Any:
    """What the path leads to, or _MISSING. Raises 13608 for a strict path that leads nowhere."""
    is_strict, steps = path
    for step in steps:
        if isinstance(step, int) and isinstance(value, list) and step < len(value):
            value = value[step]
        elif isinstance(step, str) and isinstance(value, dict) and step in value:
            value = value[step]
        elif is_strict:
            raise sql_error(13608)
        else:
            return _MISSING
    return value


class _Number(str):
    """A number as it is written."""


def _parse(text: str) -> Any:
    try:
        return json.loads(text, parse_float=_Number, parse_int=_Number, parse_constant=_no_constant)
    except ValueError as error:
        position = getattr(error, "pos", 0)
        raise sql_error(13609, text[position : position + 1] or " ", position) from None


def _no_constant(word: str) -> Any:
    raise ValueError(word)


def _dump(value: Any) -> str:
    if isinstance(value, _Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{_dump(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_dump, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def _scalar(value: Any) -> str | None:
    """The text of a scalar; NULL for JSON null, objects and arrays."""
    if value is None or isinstance(value, dict | list):
        return None
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _kind(value: Any) -> int:
    """The column `type` of the default schema."""
    if value is None:
        return 0
    if isinstance(value, bool):
        return 3
    if isinstance(value, _Number | int | Decimal):
        return 2
    return 1 if isinstance(value, str) else 4 if isinstance(value, list) else 5


def _target(text: str | None, path: str | None) -> Any:
    if text is None:
        return _MISSING
    return _follow(_parse(text), parse_path(path)) if path is not None else _parse(text)


def default_rows(text: str | None, path: str | None = None) -> list[dict[str, Any]]:
    """key, value, type for each element of an array or member of an object."""
    value = _target(text, path)
    if isinstance(value, list):
        pairs = [(str(i), v) for i, v in enumerate(value)]
    elif isinstance(value, dict):
        pairs = list(value.items())
    else:
        return []
    return [
        {"key": k, "value": _dump(v) if isinstance(v, dict | list) else _scalar(v), "type": _kind(v)} for k, v in pairs
    ]


def with_rows(
    text: str | None, path: str | None, columns: tuple[tuple[Path, bool], ...]
) -> list[dict[str, str | None]]:
    """One row for each element of an array (or for the object itself); texts of the columns, `as_json` ones as JSON."""
    value = _target(text, path)
    if value is _MISSING:
        return []
    elements = value if isinstance(value, list) else [value]
    rows = []
    for element in elements:
        row: dict[str, str | None] = {}
        for number, (column, as_json) in enumerate(columns, 1):
            found = _follow(element, column)
            if as_json:
                row[f"c{number}"] = _dump(found) if isinstance(found, dict | list) else None
            else:
                row[f"c{number}"] = None if found is _MISSING else _scalar(found)
        rows.append(row)
    return rows
