"""The `?` of a statement become variables: `WHERE a = ?` runs as `WHERE a = @sbql_1`.

It decides by tokens, so that a `?` in a string, a name or a comment stays what it is. It must not know types.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.exceptions import ProgrammingError
from sbql.grammar.errors import SqlError
from sbql.grammar.lexer import Source, scan

__all__ = ["bind_markers", "index_of_marker", "marker_name"]

_PREFIX = "sbql_"


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
    ignored: list[SqlError] = []  # the parser will say it better
    places = [token.start for token in scan(Source(text), ignored) if token.kind == "sign" and token.text == "?"]
    if len(places) != len(values):
        raise ProgrammingError(
            f"the statement has {len(places)} parameter markers (?), but {len(values)} values were given"
            + ("" if places or not values else "; values for @names come in a mapping")
        )
    parts = []
    end = 0
    for index, place in enumerate(places):
        parts += [text[end:place], f"@{marker_name(index)}"]
        end = place + 1
    parts.append(text[end:])
    return "".join(parts), {marker_name(index): value for index, value in enumerate(values)}
