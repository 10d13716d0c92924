"""Comparison: three-valued, by the collation of the type; also keys for sorting and grouping.

Both values have to be of one type already (see result_types.comparison_type).
"""

from __future__ import annotations

import datetime as dt
import operator
from collections.abc import Callable
from typing import Any

from sbql.grammar.types import SqlType, Variant
from sbql.grammar.values.binary import guid_sort_key
from sbql.grammar.values.collation import key_function, sort_key_function
from sbql.grammar.values.kinds import kind

__all__ = ["OPERATORS", "compare", "comparer", "equality_key", "order_key"]

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip

_FAMILY_RANKS = {"string": 1, "binary": 0, "guid": 2, "int": 4, "bit": 4, "decimal": 4, "money": 4, "float": 5}
_VARIANT_TOP = 6


def _binary_key(value: bytes) -> bytes:
    return value.rstrip(b"\0")


def _variant_key(value: Variant) -> Any:
    """Families of types sort before values: dates, approximate, exact numbers, guid, characters, binary."""
    family = kind(value.type)
    inner = equality_key(value.type)
    rank = _FAMILY_RANKS.get(family, _VARIANT_TOP)
    content: Any = value.value if inner is None else inner(value.value)
    if rank == _VARIANT_TOP and isinstance(content, dt.date) and not isinstance(content, dt.datetime):
        content = dt.datetime(content.year, content.month, content.day)
    return rank, content


def equality_key(sql_type: SqlType) -> Callable[[Any], Any] | None:
    """A function to a key that is equal exactly for equal values; None when the value is its own key. Not for NULL."""
    family = kind(sql_type)
    if family == "string":
        return key_function(sql_type)
    if family == "binary":
        return _binary_key
    return _variant_key if family == "variant" else None


def order_key(sql_type: SqlType) -> Callable[[Any], Any] | None:
    """A function to a key that sorts as the values do; None when the value is its own key. Not for NULL."""
    family = kind(sql_type)
    if family == "string":
        return sort_key_function(sql_type)
    if family == "guid":
        return guid_sort_key
    return equality_key(sql_type)


def comparer(op: str, sql_type: SqlType) -> Callable[[Any, Any], bool]:
    """`op` for two non-NULL values of one type."""
    plain = OPERATORS[op]
    key = equality_key(sql_type) if op in ("=", "<>") else order_key(sql_type)
    if key is None:
        return plain
    return lambda a, b: plain(key(a), key(b))


def compare(left: Any, right: Any, sql_type: SqlType) -> int | None:
    """-1, 0 or 1; None when either is NULL."""
    if left is None or right is None:
        return None
    key = order_key(sql_type)
    if key is not None:
        left, right = key(left), key(right)
    return 0 if left == right else -1 if left < right else 1


