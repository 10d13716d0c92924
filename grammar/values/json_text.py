"""JSON text: a scanner that knows where each value stands, paths over it, and edits that leave the rest as it was.

JSON functions return pieces of the text itself, so values carry their start and end. It decides lax and strict, and the
errors 13606 to 13609.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from sbql.grammar.digits import whole
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.values.checkpoints import checkpoint

__all__ = ["MAX_DEPTH", "JsonPath", "JsonValue", "find", "parse_document", "parse_json", "parse_path"]

_SPACE = re.compile(r"[ \t\r\n]*")
_BLANKS = frozenset(" \t\r\n")
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?", re.ASCII)
MAX_DEPTH = 128
_AT_ONCE = 256
"""Values between two checkpoints."""


@dataclass(slots=True)
class JsonValue:
    """`kind` is object, array, string, number, true, false or null. An object keeps its members in order as
    (name, start of the member, value); of equal names the first counts."""

    kind: str
    start: int
    end: int
    members: list[tuple[str, int, JsonValue]] = field(default_factory=list)
    items: list[JsonValue] = field(default_factory=list)

    def text(self, source: str) -> str:
        """The value as it stands in the source."""
        return source[self.start : self.end]

    def scalar(self, source: str) -> str | None:
        """The text of a scalar value: a string without quotes and escapes; None for null, objects and arrays."""
        if self.kind in ("object", "array", "null"):
            return None
        found = self.text(source)
        return _unquoted(found) if self.kind == "string" else found


@dataclass(frozen=True, slots=True)
class JsonPath:
    """Steps are names (str) and indexes (int). `append` belongs to JSON_MODIFY."""

    steps: tuple[str | int, ...]
    is_strict: bool = False
    append: bool = False


def _unquoted(text: str) -> str:
    return str(json.loads(text)) if "\\" in text else text[1:-1]


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text

    def fault(self, place: int) -> SqlError:
        return sql_error(13609, self.text[place : place + 1] or ".", place)

    def space(self, place: int) -> int:
        if self.text[place : place + 1] not in _BLANKS:
            return place
        found = _SPACE.match(self.text, place)
        assert found is not None
        return found.end()

    def value(self, place: int, depth: int = 0) -> JsonValue:
        if depth > MAX_DEPTH:
            raise sql_error(13606)
        place = self.space(place)
        character = self.text[place : place + 1]
        if character == "{":
            return self.object(place, depth)
        if character == "[":
            return self.array(place, depth)
        if character == '"':
            return JsonValue("string", place, self.string(place))
        found = _NUMBER.match(self.text, place)
        if found is None and character in ("t", "f", "n"):
            for word in ("true", "false", "null"):
                if self.text.startswith(word, place):
                    return JsonValue(word, place, place + len(word))
        if found is None:
            raise self.fault(place)
        return JsonValue("number", place, found.end())

    def string(self, place: int) -> int:
        found = _STRING.match(self.text, place)
        if found is None:
            raise self.fault(place)
        return found.end()

    def object(self, start: int, depth: int) -> JsonValue:
        members: list[tuple[str, int, JsonValue]] = []
        place = self.space(start + 1)
        if self.text[place : place + 1] == "}":
            return JsonValue("object", start, place + 1)
        while True:
            begin = self.space(place)
            end = self.string(begin)
            name = _unquoted(self.text[begin:end])
            colon = self.space(end)
            if self.text[colon : colon + 1] != ":":
                raise self.fault(colon)
            value = self.value(colon + 1, depth + 1)
            members.append((name, begin, value))
            if not len(members) % _AT_ONCE:
                checkpoint()
            place = self.space(value.end)
            if self.text[place : place + 1] == "}":
                return JsonValue("object", start, place + 1, members)
            if self.text[place : place + 1] != ",":
                raise self.fault(place)
            place += 1

    def array(self, start: int, depth: int) -> JsonValue:
        items: list[JsonValue] = []
        place = self.space(start + 1)
        if self.text[place : place + 1] == "]":
            return JsonValue("array", start, place + 1)
        while True:
            value = self.value(place, depth + 1)
            items.append(value)
            if not len(items) % _AT_ONCE:
                checkpoint()
            place = self.space(value.end)
            if self.text[place : place + 1] == "]":
                return JsonValue("array", start, place + 1, items=items)
            if self.text[place : place + 1] != ",":
                raise self.fault(place)
            place += 1


def parse_json(text: str) -> JsonValue:
    """The tree of a JSON text. Raises 13609 with the character and its position."""
    scanner = _Scanner(text)
    found = scanner.value(0)
    end = scanner.space(found.end)
    if end != len(text):
        raise scanner.fault(end)
    return found


def parse_document(text: str) -> JsonValue:
    """The tree of a text that must be an object or an array, as the functions that read JSON want it."""
    scanner = _Scanner(text)
    start = scanner.space(0)
    if text[start : start + 1] not in ("{", "["):
        raise scanner.fault(start)
    return parse_json(text)


_NO_LETTER = r"\x00-#%-@\[-^`{-\x7f\U00010000-\U0010ffff"
_PATH_STEP = re.compile(rf'\.(?:"((?:[^"\\]|\\.)*)"|([^{_NO_LETTER}](?:[^{_NO_LETTER}]|\w)*))|\[\s*(\d+)\s*\]')
"""A name without quotes is of letters, digits and whatever is in none of ASCII's signs. What is not in it is named: a
set of the many characters that are takes milliseconds to compile."""


_LONGEST_KNOWN = 1000
"""Characters of a path that is kept."""


def parse_path(text: str) -> JsonPath:
    """`[append] [lax|strict] $.a."b c"[0]`. Raises 13607."""
    return _known_path(text) if len(text) <= _LONGEST_KNOWN else _read_path(text)


def _read_path(text: str) -> JsonPath:
    found = re.match(r"\s*(append\s+)?(?:(lax|strict)\s+)?(append\s+)?\$", text)
    if found is None:
        raise sql_error(13607, text.strip()[:1] or ".", len(text) - len(text.lstrip()))
    steps: list[str | int] = []
    place = found.end()
    end = len(text.rstrip())
    while place < end:
        step = _PATH_STEP.match(text, place)
        if step is None:
            raise _path_fault(text, place)
        if step[3] is not None:
            steps.append(whole(step[3]))
        else:
            steps.append(_name(text, place, step))
        if not len(steps) % _AT_ONCE:
            checkpoint()
        place = step.end()
    return JsonPath(tuple(steps), found[2] == "strict", bool(found[1] or found[3]))


_known_path = lru_cache(maxsize=256)(_read_path)


def _name(text: str, place: int, step: re.Match[str]) -> str:
    if step[1] is None:
        return step[2]
    try:
        return str(json.loads(f'"{step[1]}"'))
    except ValueError:  # an escape that is none
        raise _path_fault(text, place) from None


def _path_fault(text: str, place: int) -> SqlError:
    """13607 at the first character that cannot go on: after a dot or a bracket the one behind it."""
    at = place + 1 if text[place] in ".[" and place + 1 < len(text) else place
    return sql_error(13607, text[at], at)


def _walk(value: JsonValue, steps: tuple[str | int, ...]) -> Iterator[JsonValue | None]:
    current: JsonValue | None = value
    for step in steps:
        current = _child(current, step) if current is not None else None
        yield current


def _child(value: JsonValue, step: str | int) -> JsonValue | None:
    if isinstance(step, int):
        return value.items[step] if value.kind == "array" and step < len(value.items) else None
    if value.kind != "object":
        return None
    return next((v for name, _, v in value.members if name == step), None)


def find(value: JsonValue, path: JsonPath) -> JsonValue | None:
    """The value at the path, or None; raises 13608 when a strict path leads nowhere."""
    current: JsonValue | None = value
    for current in _walk(value, path.steps):
        if current is None:
            break
    if current is None and path.is_strict:
        raise sql_error(13608)
    return current
