"""Assignment in SQL: what a value of a query becomes in its column when DuckDB writes it.

It decides which conversions DuckDB does exactly as a column does, and for each which values it does not convert so
(text that is too long, a number out of range). Where the set holds such a value, the write goes row by row, and the
converter of the column raises the error. It must not know where values come from.
"""

from __future__ import annotations

from msgspec import Struct

from sbql.catalog.duck_types import duck_type
from sbql.engine.tables.column_conversion import assignment
from sbql.engine.tables.typed_sql import cast_text
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.kinds import INTEGER_RANGES, digits_before, digits_of_integer, is_utf8, kind

__all__ = ["Assigned", "assigned_sql"]

_SIZED = frozenset({"char", "varchar", "nchar", "nvarchar"})
_WIDE = "[\\x{10000}-\\x{10FFFF}]"


class Assigned(Struct, frozen=True):
    """`sql` is the value as the column holds it; `odd` is true for values with which it is not."""

    sql: str
    odd: str = ""


def assigned_sql(text: str, source: SqlType, target: SqlType) -> Assigned | None:
    """The value `text` of type `source` in a column of `target`; None where DuckDB does not do it as the column does.
    Raises 206, 257 for types that do not convert by themselves."""
    if assignment(source, target, "", "") is None and duck_type(source) == duck_type(target):
        return Assigned(text)
    family, goal = kind(source), kind(target)
    if family == "null":
        return Assigned(cast_text("NULL", target))
    if source.name in _SIZED and target.name in _SIZED and target.length not in (None, MAX):
        return _text(text, source, target)
    if family in ("int", "bit"):
        return _whole(text, source, target)
    if family == goal == "decimal":
        return _decimal(text, source, target)
    if family == goal == "binary" and target.name == "varbinary" and target.length not in (None, MAX):
        return Assigned(text, f"octet_length({text}) > {target.length}")
    return None


def _text(text: str, source: SqlType, target: SqlType) -> Assigned:
    """As long as it fits in units of UTF-16, blanks at its end apart; to a code page what is ASCII."""
    size = target.length
    odd = f"strlen({text}) > {size} AND (length(rtrim({text}, ' ')) > {size} OR regexp_matches({text}, '{_WIDE}'))"
    if (source.name[0] == "n" and target.name[0] != "n") or is_utf8(source) or is_utf8(target):
        odd = f"strlen({text}) <> length({text}) OR {odd}"
    if target.name in ("char", "nchar"):
        return Assigned(f"rpad({text}, {size}, ' ')", odd)
    return Assigned(f"CASE WHEN strlen({text}) > {size} THEN left({text}, {size}) ELSE {text} END", odd)


def _whole(text: str, source: SqlType, target: SqlType) -> Assigned | None:
    number = f"CAST({text} AS UTINYINT)" if source.name == "bit" else text
    low, high = INTEGER_RANGES.get(source.name, (0, 1))
    match kind(target):
        case "bit":
            return Assigned(f"({number} <> 0)")
        case "int":
            return Assigned(cast_text(number, target), _beyond(number, low, high, *INTEGER_RANGES[target.name]))
        case "decimal":
            digits = digits_before(target)
            most = 10**digits - 1 if digits < digits_of_integer(source.name) else 1 << 63
            return Assigned(cast_text(number, target), _beyond(number, low, high, -most, most))
        case "float" if target.name == "float":
            return Assigned(f"CAST({number} AS DOUBLE)")
    return None


def _beyond(text: str, low: int, high: int, least: int, most: int) -> str:
    return f"{text} NOT BETWEEN {least} AND {most}" if low < least or high > most else ""


def _decimal(text: str, source: SqlType, target: SqlType) -> Assigned | None:
    """Digits behind the point are rounded away from zero by both; one more digit before it may come of that."""
    before, after = digits_before(source), digits_before(target)
    if after > before or (after == before and (target.scale or 0) >= (source.scale or 0)):
        return Assigned(cast_text(text, target))
    if (target.scale or 0) >= (source.scale or 0):
        return Assigned(cast_text(text, target), f"abs({text}) >= 1{'0' * after}")
    return None
