"""Comparison: three-valued, by the collation of the type; also keys for sorting and grouping.

Both values have to be of one type already (see result_types.comparison_type). Equal values need not
be the same value: `is_same_value`.
"""

from __future__ import annotations

import datetime as dt
import math
import operator
import struct
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from sbql.grammar.types import SqlType, Variant
from sbql.grammar.values.binary import guid_sort_key
from sbql.grammar.values.collation import key_function, sort_key_function, variant_text_key
from sbql.grammar.values.dates import as_datetime, raw_datetime
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.ticks import tick_of

__all__ = ["OPERATORS", "compare", "comparer", "equality_key", "is_same_value", "order_key", "variant_key"]

OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def _binary_key(value: bytes) -> bytes:
    return value.rstrip(b"\0")


def variant_key(value: Variant) -> str:
    """A text that is equal for equal variants and sorts as they do: the family of the type comes first (dates,
    approximate and exact numbers, characters, binary, uniqueidentifier), then the value."""
    family, content = kind(value.type), value.value
    if family in ("int", "bit", "decimal", "money"):
        return f"4{_exact_key(Decimal(content))}"
    if family == "float":
        bits = int.from_bytes(struct.pack(">d", content + 0.0), "big")
        return f"5{(~bits if bits >> 63 else bits | 1 << 63) & (1 << 64) - 1:016X}"
    if family == "string":
        return f"3{variant_text_key(value.type)(content)}"
    if family == "guid":
        return f"1{guid_sort_key(content).hex()}"
    if family == "binary":
        return f"2{_binary_key(content).hex()}"
    moment = content.astimezone(dt.UTC) if isinstance(content, dt.datetime) and content.tzinfo is not None else content
    instant = raw_datetime(content) if value.type.name == "datetime" else as_datetime(moment)
    return f"6{instant.isoformat(' ', 'microseconds')}{tick_of(instant)}"


_COMPLEMENT = str.maketrans("0123456789", "9876543210")


def _exact_key(value: Decimal) -> str:
    """39 digits before the point, and those after it up to the last that is not 0; below zero their complements."""
    sign, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    text = "".join(map(str, digits)) + "0" * exponent
    places = max(-exponent, 0)
    text = text.rjust(places + 39, "0")
    whole, fraction = text[: len(text) - places], text[len(text) - places :].rstrip("0")
    if not sign or not any(digits):
        return f"P{whole}{fraction}"
    return f"N{(whole + fraction).translate(_COMPLEMENT)}~"


def is_same_value(one: Any, other: Any) -> bool:
    """Whether two values of one column, or NULLs, are stored alike. Python has more of them equal: one instant at two
    offsets, and a sql_variant that holds them, a type of two names or zeros of either sign. (Of such zeros in a column
    DuckDB leaves the one that is there.)"""
    if one is other:
        return True
    if one != other:
        return False
    if isinstance(one, dt.datetime):
        return bool(one.utcoffset() == other.utcoffset())
    if isinstance(one, Variant):
        if isinstance(one.value, float) and not one.value:
            return math.copysign(1, one.value) == math.copysign(1, other.value)
        return one.type.word == other.type.word and is_same_value(one.value, other.value)
    return True


def equality_key(sql_type: SqlType) -> Callable[[Any], Any] | None:
    """A function to a key that is equal exactly for equal values; None when the value is its own key. Not for NULL."""
    family = kind(sql_type)
    if family == "string":
        return key_function(sql_type)
    if family == "binary":
        return _binary_key
    return variant_key if family == "variant" else None


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
