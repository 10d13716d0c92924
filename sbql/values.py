"""Parameters of the DB-API: Python values by the names of their variables, and what comes back out of a sql_variant.

It decides what is said of a value that cannot be one. Which SQL type a value takes
along is `grammar.values.python_values`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sbql.exceptions import DatabaseError, DataError, ProgrammingError
from sbql.grammar.types import Variant
from sbql.grammar.values.python_values import DoesNotFit, HasNoType, typed
from sbql.markers import index_of_marker

__all__ = ["parameters_of", "plain"]


def plain(value: Any) -> Any:
    """What is in a sql_variant; any other value itself."""
    return value.value if isinstance(value, Variant) else value


def parameters_of(values: Mapping[str, Any]) -> dict[str, Variant]:
    """The values as a session takes them: typed, by the name of the variable with its @. Raises ProgrammingError for a
    value that no type carries, DataError for one that does not fit the type that would, naming the parameter."""
    result = {}
    for name, value in values.items():
        try:
            result[f"@{name.removeprefix('@')}"] = typed(value)
        except (HasNoType, DoesNotFit) as error:
            raised: type[DatabaseError] = ProgrammingError if isinstance(error, HasNoType) else DataError
            raise raised(f"{_called(name)}: {error}") from None
    return result


def _called(name: str) -> str:
    index = index_of_marker(name)
    return f"parameter @{name.removeprefix('@')}" if index is None else f"parameter {index + 1}"
