"""Conversion of compiled expressions and of single values: what assignments, arguments and stores do before they use
one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.scalars.scalar import convert_scalar
from sbql.grammar.types import SqlType
from sbql.grammar.values import conversions

__all__ = ["convert_scalar", "converter"]


def _same(value: Any) -> Any:
    return value


def converter(source: SqlType, target: SqlType) -> Callable[[Any], Any]:
    """The implicit conversion of a value, NULL included. Raises 206, 257 for types that do not convert."""
    change = conversions.converter(source, target, None, False)
    return _same if change is None else change
