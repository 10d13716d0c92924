"""What a partition function says of a value: the number of its partition.

Boundaries are compared as values of the function's type are in an index, NULL below all others.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from sbql.catalog.duck_types import from_store
from sbql.catalog.records import PartitionFunction
from sbql.grammar.types import SQL_VARIANT, SqlType
from sbql.grammar.values.compare import order_key

__all__ = ["boundary_key", "boundary_keys", "partition_number"]


def boundary_key(parameter: SqlType) -> Callable[[Any], Any]:
    """A function to a key that sorts as the values do, NULL first."""
    own = order_key(parameter)
    return lambda value: (0, None) if value is None else (1, value if own is None else own(value))


def boundary_keys(function: PartitionFunction) -> list[Any]:
    """The keys of its boundaries, in order."""
    key = boundary_key(function.type)
    return [key(None if stored is None else _value(stored)) for stored in function.boundaries]


def _value(stored: tuple[str, str, str]) -> Any:
    return from_store(dict(zip(("sort", "base", "text"), stored, strict=True)), SQL_VARIANT).value


def partition_number(function: PartitionFunction) -> Callable[[Any], int]:
    """From a value of the function's type to its partition, counted from 1."""
    keys, key = boundary_keys(function), boundary_key(function.type)
    find = bisect_right if function.is_right else bisect_left
    return lambda value: find(keys, key(value)) + 1
