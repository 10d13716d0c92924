"""JSON functions: ISJSON, JSON_VALUE, JSON_QUERY, JSON_MODIFY, JSON_PATH_EXISTS (documentation: "JSON functions").

Text in, text out: what is not touched stays as it was written.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sbql.engine.documents.for_json import JsonColumn, value_writer
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.type_rules import as_text, character_text
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import INT, NVARCHAR_MAX, SqlType, nvarchar
from sbql.grammar.values.json_places import container, located
from sbql.grammar.values.json_text import JsonPath, JsonValue, find, parse_document, parse_json, parse_path
from sbql.grammar.values.kinds import kind

Types = tuple[SqlType, ...]


@function("ISJSON", INT, [character_text, as_text], optional=1)
def _isjson(text: str, constraint: str = "") -> int:
    """Without a constraint an object or array; VALUE, ARRAY, OBJECT and SCALAR ask for that."""
    try:
        found = container(text) or parse_json(text).kind
    except SqlError:
        return 0
    wanted = constraint.strip().upper()
    is_container = found in ("object", "array")
    if wanted in ("OBJECT", "ARRAY"):
        return int(found == wanted.lower())
    if wanted == "SCALAR":
        return int(found in ("string", "number"))
    return int(True if wanted == "VALUE" else is_container)


@function("JSON_VALUE", nvarchar(4000), [character_text, character_text])
def _json_value(text: str, path_text: str) -> str | None:
    """A scalar; lax gives NULL for objects, arrays and values over 4000 characters, strict an error."""
    path = parse_path(path_text)
    found = located(text, path)
    if found is None:
        return None
    if found.kind in ("object", "array"):
        if path.is_strict:
            raise sql_error(13623)
        return None
    value = found.scalar(text)
    if value is not None and len(value) > 4000:
        if path.is_strict:
            raise sql_error(13625)
        return None
    return value


@function("JSON_QUERY", NVARCHAR_MAX, [character_text, character_text], optional=1)
def _json_query(text: str, path_text: str = "$") -> str | None:
    """An object or array as it stands in the text."""
    path = parse_path(path_text)
    found = located(text, path)
    if found is None or found.kind in ("object", "array"):
        return None if found is None else found.text(text)
    if path.is_strict:
        raise sql_error(13624)
    return None


@function("JSON_PATH_EXISTS", INT, [character_text, character_text])
def _json_path_exists(text: str, path_text: str) -> int:
    try:
        path = JsonPath(parse_path(path_text).steps)
        if container(text) is not None:
            return int(located(text, path) is not None)
        return int(find(parse_json(text), path) is not None)
    except SqlError:
        return 0


def modify_with_json(text: str | None, path_text: str | None, value: str | None) -> str | None:
    """JSON_MODIFY with a new value that is JSON text already."""
    if text is None or path_text is None:
        return None
    return _modified(text, parse_path(path_text), value, "null" if value is None else str(value))


@function(
    "JSON_MODIFY", NVARCHAR_MAX, [character_text, character_text, None], null_on_null=False, typed=True, with_json=modify_with_json,
)  # fmt: skip
def _json_modify(types: Types) -> Callable[[str | None, str | None, Any], str | None]:
    write = str if kind(types[2]) == "null" else value_writer(JsonColumn("", types[2], ""))

    def modify(text: str | None, path_text: str | None, value: Any) -> str | None:
        if text is None or path_text is None:
            return None
        return _modified(text, parse_path(path_text), value, "null" if value is None else write(value))

    return modify


def _modified(text: str, path: JsonPath, value: Any, new: str) -> str:
    """Replace, add, append; a NULL value deletes under lax. The tree is made only where what stands beside counts."""
    target = located(text, JsonPath(path.steps))
    if not path.steps and not path.append:
        raise sql_error(13619, 2)
    if path.append:
        return _appended(text, path, target, new)
    step = path.steps[-1]
    if target is not None:
        if value is None and not path.is_strict and isinstance(step, str):
            return _without_member(text, _parent(text, path), step)
        return text[: target.start] + new + text[target.end :]
    if path.is_strict:
        raise sql_error(13608)
    parent = located(text, JsonPath(path.steps[:-1])) if value is not None else None
    if parent is None:
        return text
    if isinstance(step, str) and parent.kind == "object":
        return _added(text, parent, f"{_name(step)}:{new}")
    if isinstance(step, int) and parent.kind == "array" and step == len(_parent(text, path).items):
        return _added(text, parent, new)
    return text


def _parent(text: str, path: JsonPath) -> JsonValue:
    """What the path leads to but for its last step, with all that is in it."""
    found = find(parse_document(text), JsonPath(path.steps[:-1]))
    assert found is not None
    return found


def _appended(text: str, path: JsonPath, target: JsonValue | None, new: str) -> str:
    if target is not None and target.kind == "array":
        return _added(text, target, new)
    if path.is_strict:
        raise sql_error(13621 if target is not None else 13608)
    if target is None and path.steps and isinstance(path.steps[-1], str):
        parent = located(text, JsonPath(path.steps[:-1]))
        if parent is not None and parent.kind == "object":
            return _added(text, parent, f"{_name(path.steps[-1])}:[{new}]")
    return text


def _name(step: str) -> str:
    """A name of the path as that of a member: letters stay what they are."""
    return json.dumps(step, ensure_ascii=False)


def _added(text: str, container: JsonValue, new: str) -> str:
    """`new` as the last member of an object or array."""
    place = container.end - 1
    has_more = bool(text[container.start + 1 : place].strip(" \t\r\n"))
    return text[:place] + ("," if has_more else "") + new + text[place:]


def _without_member(text: str, container: JsonValue, name: str) -> str:
    members = container.members
    index = next(i for i, (n, _, _) in enumerate(members) if n == name)
    if len(members) == 1:
        return text[: container.start + 1] + text[container.end - 1 :]
    if index + 1 < len(members):
        return text[: members[index][1]] + text[members[index + 1][1] :]
    return text[: members[index - 1][2].end] + text[members[index][2].end :]
