"""The types that an identity column may have, and the values that they hold. It must not know who counts."""

from __future__ import annotations

from sbql.grammar.ast import Span
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType

__all__ = ["IDENTITY_TYPES", "check_identity_values", "identity_range"]

IDENTITY_TYPES = frozenset({"tinyint", "smallint", "int", "bigint", "decimal", "numeric"})

_RANGES = {
    "tinyint": (0, 255),
    "smallint": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "bigint": (-(2**63), 2**63 - 1),
}


def identity_range(sql_type: SqlType) -> tuple[int, int]:
    """The lowest and the highest value of a type."""
    most = 10 ** (sql_type.precision or 18) - 1
    return _RANGES.get(sql_type.name, (-most, most))


def check_identity_values(name: str, sql_type: SqlType, seed: int, increment: int, span: Span) -> None:
    """Raises 2752 for a seed that the type does not hold, 2753 for an increment of 0 or beyond
    the type; a tinyint may count down."""
    low, high = identity_range(sql_type)
    if not low <= seed <= high:
        raise sql_error(2752, name, span=span)
    if increment == 0 or abs(increment) > max(-low, high):
        raise sql_error(2753, name, span=span)
