"""The `?` of a statement become variables: `WHERE a = ?` runs as `WHERE a = @sbql_1`.

It decides by tokens, so that a `?` in a string, a name or a comment stays what it is. It must not know types.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from sbql.exceptions import ProgrammingError
from sbql.grammar.errors import SqlError
from sbql.grammar.lexer import Source, scan

__all__ = ["bind_markers", "index_of_marker", "marker_name"]

_PREFIX = "sbql_"
_MOST_KEPT = 10_000
"""A longer text is read each time, for what is kept of many must not be large."""


def marker_name(index: int) -> str:
    """Name of the variable for the marker `index` (from 0)."""
    return f"{_PREFIX}{index + 1}"


def index_of_marker(name: str) -> int | None:
    """The index of the marker whose variable it is."""
    number = name.removeprefix(_PREFIX)
    return int(number) - 1 if number != name and number.isdecimal() else None


def bind_markers(text: str, values: Sequence[Any]) -> tuple[str, dict[str, Any]]:
    """The text with variables for its markers, and the values by name. Raises ProgrammingError when the counts
    differ."""
    bound, names = _bound(text) if len(text) <= _MOST_KEPT else _bound.__wrapped__(text)
    if len(names) != len(values):
        raise ProgrammingError(
            f"the statement has {len(names)} parameter markers (?), but {len(values)} values were given"
            + ("" if names or not values else "; values for @names come in a mapping")
        )
    return bound, dict(zip(names, values, strict=True))


@lru_cache(512)
def _bound(text: str) -> tuple[str, tuple[str, ...]]:
    """The text with variables, and their names. A program runs the same few texts again and again."""
    ignored: list[SqlError] = []  # the parser will say it better
    places = [token.start for token in scan(Source(text), ignored) if token.kind == "sign" and token.text == "?"]
    names = tuple([marker_name(index) for index in range(len(places))])
    parts = []
    end = 0
    for name, place in zip(names, places, strict=True):
        parts += [text[end:place], f"@{name}"]
        end = place + 1
    parts.append(text[end:])
    return "".join(parts), names
