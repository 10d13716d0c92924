"""OPENJSON: the rows of a JSON text, as pure functions.

Decides what the default schema and a WITH list read from each element (docs: "OPENJSON"). Objects and arrays are given
as they stand in the text. It must not know SQL text.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any

from sbql.grammar.errors import sql_error
from sbql.grammar.types import MAX, NVARCHAR_MAX, SqlType, nvarchar
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.json_light import UNREAD, Members, Number, elements, read, span_of
from sbql.grammar.values.json_text import JsonPath, JsonValue, find, parse_document, parse_path
from sbql.grammar.values.kinds import kind

__all__ = ["column_reader", "default_rows", "with_rows"]

_TYPES = {"null": 0, "string": 1, "number": 2, "true": 3, "false": 3, "array": 4, "object": 5}
_LONGEST_KEY = 4000


def _target(text: str | None, path_text: str | None) -> JsonValue | None:
    """What OPENJSON opens. Raises 13607, 13608, 13609, and 13611 for a strict path to a scalar."""
    if text is None:
        return None
    path = parse_path(path_text) if path_text is not None else JsonPath(())
    found = find(parse_document(text), path)
    if found is None or found.kind in ("object", "array"):
        return found
    if path.is_strict:
        raise sql_error(13611)
    return None


def _light_target(text: str | None, path_text: str | None) -> Any:
    """What OPENJSON opens, if no place in the text is asked for; else UNREAD. Nothing at the path is an empty array.
    Raises 13607."""
    path = parse_path(path_text) if path_text is not None else JsonPath(())
    if text is None or path.is_strict:
        return UNREAD
    value = read(text)
    if value is UNREAD:
        return UNREAD
    found = _light_found(value, path.steps)
    return found if isinstance(found, list) else []


def _light_found(value: Any, steps: tuple[str | int, ...]) -> Any:
    """The value at a path; None where nothing is, too."""
    for step in steps:
        if isinstance(step, int):
            is_there = isinstance(value, list) and not isinstance(value, Members) and step < len(value)
            value = value[step] if is_there else None
        else:
            members = value if isinstance(value, Members) else ()
            value = next((member for name, member in members if name == step), None)
    return value


def _light_rows(
    light: Any, text: str, steps: tuple[str | int, ...], columns: tuple[tuple[JsonPath, bool], ...]
) -> list[tuple[str | None, ...]]:
    """The rows of what is at the steps of the text."""
    ways = [(column.steps, as_json) for column, as_json in columns]
    if not any(as_json for _, as_json in ways):
        members: list[Any] = [light] if isinstance(light, Members) else light
        return [tuple(_light_cell(member, way) for way, _ in ways) for member in checked(members)]
    if isinstance(light, Members):
        spans = [(light, span_of(text, steps))]
    else:
        spans = [(value, (begin, end)) for _, value, begin, end in elements(text, steps)] if light else []
    return [
        tuple(_light_piece(value, way, text, span) if as_json else _light_cell(value, way) for way, as_json in ways)
        for value, span in checked(spans)
    ]


def _light_cell(element: Any, steps: tuple[str | int, ...]) -> str | None:
    found = _light_found(element, steps)
    return None if isinstance(found, list) else _light_scalar(found)[0]


def _light_piece(element: Any, steps: tuple[str | int, ...], text: str, span: tuple[int, int]) -> str | None:
    """An object or array as it stands in the text, in which the element has this place."""
    if not isinstance(_light_found(element, steps), list):
        return None
    begin, end = span_of(text, steps, span)
    return text[begin:end]


def _light_scalar(value: Any) -> tuple[str | None, int]:
    """The text of what is no object or array, and its type."""
    if isinstance(value, Number):
        return str(value), _TYPES["number"]
    if isinstance(value, str):
        return value, _TYPES["string"]
    word = {None: None, True: "true", False: "false"}[value]
    return word, _TYPES[word or "null"]


def _light_shown(value: Any, piece: str) -> tuple[str | None, int]:
    """Objects and arrays as they stand."""
    if isinstance(value, list):
        return piece, _TYPES["object" if isinstance(value, Members) else "array"]
    return _light_scalar(value)


def _shown(value: JsonValue, text: str) -> str | None:
    return value.text(text) if value.kind in ("object", "array") else value.scalar(text)


def default_rows(text: str | None, path: str | None = None) -> list[tuple[str, str | None, int]]:
    """key, value, type for each element of an array or member of an object."""
    light = _light_target(text, path)
    if light is not UNREAD:
        named = light if isinstance(light, Members) else list(enumerate(light))
        if not any(isinstance(value, list) for _, value in named):
            return [(str(k)[:_LONGEST_KEY], *_light_scalar(v)) for k, v in checked(named)]
        assert text is not None
        steps = parse_path(path).steps if path is not None else ()
        return [(str(k)[:_LONGEST_KEY], *_light_shown(v, text[i:j])) for k, v, i, j in elements(text, steps)]
    found = _target(text, path)
    if found is None:
        return []
    assert text is not None
    pairs = (
        list(enumerate(found.items)) if found.kind == "array" else [(name, value) for name, _, value in found.members]
    )
    return [(str(k)[:_LONGEST_KEY], _shown(v, text), _TYPES[v.kind]) for k, v in checked(pairs)]


def with_rows(
    text: str | None, path: str | None, columns: tuple[tuple[JsonPath, bool], ...]
) -> list[tuple[str | None, ...]]:
    """One row for each element of an array (or for the object itself); texts of the columns, `as_json` ones as JSON."""
    light = UNREAD if any(column.is_strict for column, _ in columns) else _light_target(text, path)
    if light is not UNREAD:
        assert text is not None
        return _light_rows(light, text, parse_path(path).steps if path is not None else (), columns)
    found = _target(text, path)
    if found is None:
        return []
    assert text is not None
    items = found.items if found.kind == "array" else [found]
    return [tuple(_cell(item, text, *column) for column in columns) for item in checked(items)]


def _cell(element: JsonValue, text: str, path: JsonPath, as_json: bool) -> str | None:
    """Raises 13608 and 13624 for strict paths."""
    found = find(element, path)
    if found is None or found.kind == "null":
        return None
    is_container = found.kind in ("object", "array")
    if is_container == as_json:
        return _shown(found, text)
    if path.is_strict:
        raise sql_error(13624)
    return None


def column_reader(sql_type: SqlType) -> Callable[[str], Any]:
    """The value of a column from the text of a JSON value. Binary values are base64: raises 13612, 13613; 13614 for
    types that cannot be columns of OPENJSON."""
    if sql_type.name in ("text", "ntext", "image", "sql_variant"):
        raise sql_error(13614)
    if sql_type.name in ("binary", "varbinary"):
        return lambda text: _bytes(text, sql_type)
    source = NVARCHAR_MAX if kind(sql_type) in ("string", "xml") else nvarchar(4000)  # as messages name it
    change = converter(source, sql_type, None, True)
    if change is None:
        return lambda text: text
    return change


def _bytes(text: str, sql_type: SqlType) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise sql_error(13612) from None
    size = sql_type.length or 1
    if size != MAX and len(data) > size:
        raise sql_error(13613)
    return data.ljust(size, b"\0") if sql_type.name == "binary" else data
