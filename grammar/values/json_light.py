"""JSON by the scanner of the standard library, which is in C: for whoever wants values, and where few of them stand.

Decides which texts it reads: those that `json_text` reads too, which has the last word and the errors. An object is
`Members`, pairs of name and value in their order, an array a list, a number the text of it (`Number`); the rest is as
Python has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
from json import JSONDecodeError, JSONDecoder
from typing import Any, Final

from sbql.grammar.values.checkpoints import checkpoint
from sbql.grammar.values.json_text import MAX_DEPTH

__all__ = ["UNREAD", "Members", "Number", "elements", "read", "span_of"]

UNREAD: Final = object()
"""What `read` gives for a text that `json_text` must read: it is none of JSON, too deep, or long and no array."""


class Members(list[tuple[str, Any]]):
    """An object."""


class Number(str):
    """A number as it stands in the text."""

    __slots__ = ()


def _refused(word: str) -> Any:
    raise ValueError(word)  # NaN and its like


_DECODER: Final = JSONDecoder(object_pairs_hook=Members, parse_int=Number, parse_float=Number, parse_constant=_refused)
_BLANKS: Final = re.compile(r"[ \t\r\n]*")
_BRACKETS: Final = re.compile(r'"(?:[^"\\]|\\.)*"|([\[{])|([\]}])')
_LONGEST: Final = 200_000
"""Characters that are read at once: nobody can cancel the scanner."""
_AT_ONCE: Final = 256
"""Elements between two checkpoints."""


def read(text: str) -> Any:
    """The object or array of a text, or UNREAD."""
    start = _after_blanks(text, 0)
    first = text[start : start + 1]
    if first not in ("{", "[") or (first == "{" and (len(text) > _LONGEST or _is_deep(text, 0, len(text)))):
        return UNREAD
    try:
        value, end = _array(text, start + 1) if first == "[" else _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return UNREAD
    return value if _after_blanks(text, end) == len(text) else UNREAD


def _after_blanks(text: str, place: int) -> int:
    found = _BLANKS.match(text, place)
    assert found is not None
    return found.end()


def _array(text: str, place: int) -> tuple[list[Any], int]:
    """The elements one by one. Raises ValueError."""
    found: list[Any] = []
    place = _after_blanks(text, place)
    if text[place : place + 1] == "]":
        return found, place + 1
    decode = _DECODER.raw_decode
    while True:
        begin = place
        value, place = decode(text, begin)
        if _is_deep(text, begin, place):
            raise JSONDecodeError("too deep", text, begin)
        found.append(value)
        if not len(found) % _AT_ONCE:
            checkpoint()
        sign = text[place : place + 1]
        if sign not in (",", "]"):
            place = _after_blanks(text, place)
            sign = text[place : place + 1]
        if sign == "]":
            return found, place + 1
        if sign != ",":
            raise JSONDecodeError("no comma", text, place)
        place += 1
        if text[place : place + 1] in (" ", "\t", "\r", "\n"):
            place = _after_blanks(text, place)


_Span = tuple[str | int, Any, int, int]
"""A name or index, its value, and where that begins and ends."""


def span_of(text: str, steps: tuple[str | int, ...], span: tuple[int, int] | None = None) -> tuple[int, int]:
    """Where the value at the path begins and ends: it is there, in what has this span of a text that `read` reads."""
    span = span or (0, len(text.rstrip(" \t\r\n")))
    for step in steps:
        span = next((begin, end) for name, _, begin, end in _within(text, span[0]) if name == step)
    return _after_blanks(text, span[0]), span[1]


def elements(text: str, steps: tuple[str | int, ...]) -> Iterator[_Span]:
    """What is in the object or array at the path."""
    return _within(text, span_of(text, steps)[0])


def _within(text: str, place: int) -> Iterator[_Span]:
    place = _after_blanks(text, place)
    is_object = text[place] == "{"
    place = _after_blanks(text, place + 1)
    if text[place] in ("]", "}"):
        return
    decode, index = _DECODER.raw_decode, 0
    while True:
        name: str | int = index
        if is_object:
            name, place = decode(text, place)
            place = _after_blanks(text, _after_blanks(text, place) + 1)
        value, end = decode(text, place)
        yield name, value, place, end
        place = _after_blanks(text, end)
        if text[place] != ",":
            return
        place = _after_blanks(text, place + 1)
        index += 1
        if not index % _AT_ONCE:
            checkpoint()


def _is_deep(text: str, start: int, end: int) -> bool:
    """Whether what stands there may go deeper than JSON functions do, in an array or not."""
    if text.count("{", start, end) + text.count("[", start, end) < MAX_DEPTH:
        return False
    steps = ((found[1] is not None) - (found[2] is not None) for found in _BRACKETS.finditer(text, start, end))
    return max(accumulate(steps), default=0) >= MAX_DEPTH
