"""Where one value stands in a JSON text, found without a tree of all the others.

The text is checked as a whole, by the scanner of Python's library, which is machine code; the way along the path skips
what it does not ask for. It gives what `json_text` finds in its tree, which is asked wherever the quick way cannot say:
of a text that is none, a long one, or one that may be nested too deeply.
"""

from __future__ import annotations

import json
import re
from typing import Final

from sbql.grammar.errors import sql_error
from sbql.grammar.values.json_text import MAX_DEPTH, JsonPath, JsonValue, find, parse_document

__all__ = ["container", "located"]

_LONGEST: Final = 100_000
"""Characters that are checked in a millisecond, without a checkpoint."""

_SPACE: Final = re.compile(r"[ \t\r\n]*")
_MEMBER: Final = re.compile(
    r'[ \t\r\n]*"([^"\\]*(?:\\.[^"\\]*)*)"[ \t\r\n]*:[ \t\r\n]*(?:("[^"\\]*(?:\\.[^"\\]*)*"|[^]\[{}",\s]+)[ \t\r\n]*[,}])?'
)
"""A name, and the value behind it with what follows, if it is no object or array."""
_ITEM: Final = re.compile(r'[ \t\r\n]*(?:("[^"\\]*(?:\\.[^"\\]*)*"|[^]\[{}",\s]+)[ \t\r\n]*[],])?')
_KINDS: Final = {"{": "object", "[": "array", '"': "string", "t": "true", "f": "false", "n": "null"}


def _refuse(word: str) -> None:
    raise ValueError(word)


_DECODER: Final = json.JSONDecoder(parse_float=str, parse_int=str, parse_constant=_refuse)
"""Numbers stay texts: some are too long for Python's."""


def located(text: str, path: JsonPath) -> JsonValue | None:
    """As `find` in the tree of a document, but without what is in an object or array. Raises 13606, 13608, 13609."""
    start = _begin(text)
    if start is None:
        return find(parse_document(text), path)
    place: int | None = start
    for step in path.steps:
        assert place is not None
        place = _child(text, place, step)
        if place is None:
            if path.is_strict:
                raise sql_error(13608)
            return None
    assert place is not None
    return JsonValue(_KINDS.get(text[place], "number"), place, _end(text, place))


def container(text: str) -> str | None:
    """`object` or `array`, if it is known quickly that a text is one."""
    start = _begin(text)
    return None if start is None else _KINDS[text[start]]


def _begin(text: str) -> int | None:
    """Where the object or array begins that a text is; None for one that is none, or of
    which this is not known quickly."""
    if len(text) > _LONGEST or text.count("{") + text.count("[") > MAX_DEPTH:
        return None
    space = _SPACE.match(text)
    assert space is not None
    start = space.end()
    if text[start : start + 1] not in ("{", "["):
        return None
    try:
        end = _DECODER.raw_decode(text, start)[1]
    except (ValueError, RecursionError):
        return None
    space = _SPACE.match(text, end)
    return start if space is not None and space.end() == len(text) else None


def _end(text: str, place: int) -> int:
    """Where the value ends that begins here."""
    return _DECODER.raw_decode(text, place)[1]


def _child(text: str, place: int, step: str | int) -> int | None:
    """Where the member or item of the object or array begins that begins here."""
    if text[place] != ("{" if isinstance(step, str) else "["):
        return None
    pattern, number = (_MEMBER, 2) if isinstance(step, str) else (_ITEM, 1)
    place, count = place + 1, 0
    while True:
        found = pattern.match(text, place)
        if found is None or text[found.end() : found.end() + 1] in ("}", "]") and found[number] is None:
            return None  # it is empty
        name: str | int = count
        if isinstance(step, str):
            name = found[1]
            if "\\" in found[1]:
                name = json.loads(f'"{found[1]}"')
        is_scalar = found[number] is not None
        if name == step:
            return found.start(number) if is_scalar else found.end()
        count += 1
        place = found.end() if is_scalar else _behind(text, _end(text, found.end()))
        if text[place - 1] in "}]":
            return None


def _behind(text: str, place: int) -> int:
    """The place behind the sign that comes next."""
    space = _SPACE.match(text, place)
    assert space is not None
    return space.end() + 1
