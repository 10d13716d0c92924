"""Native forms of numbers as text: CAST, CONVERT with a style, and what is made text for a function.

It decides how numbers are written, and which ones are odd: those that have no room, and floats with an exponent that is
not as long as most. Styles mean something for money and floats alone.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.native.decimals import in_64_bits
from sbql.engine.native.forms import Form
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.kinds import INTEGER_RANGES, kind

__all__ = ["integer_text", "number_text", "padded"]

_TEXTS: Final = ("varchar", "nvarchar", "char", "nchar")


def integer_text(source: SqlType, target: SqlType) -> Form | None:
    """A number too long for varchar is a star, which nvarchar has not (8115)."""
    length = target.length
    if target.name not in _TEXTS:
        return None
    sql = "CAST(CAST({0} AS UTINYINT) AS VARCHAR)" if source.name == "bit" else "CAST({0} AS VARCHAR)"
    if target.name in ("char", "nchar"):
        sql = f"rpad({sql}, {length}, ' ')"
    if length in (MAX, None) or (length or 0) >= 20 or source.name == "bit":
        return Form(sql, is_distinct=True)
    low, high = INTEGER_RANGES[source.name]
    assert length is not None
    if len(str(low)) <= length and len(str(high)) <= length:
        return Form(sql, is_distinct=True)
    return Form(sql, f"{{0}} < {-(10 ** (length - 1)) + 1} OR {{0}} > {10**length - 1}", is_distinct=True)


def number_text(source: SqlType, target: SqlType, style: int | None) -> Form | None:
    """The form of a decimal, an amount or a float as text, if it has one."""
    family = kind(source)
    if target.name not in _TEXTS:
        return None
    if family == "decimal":
        return _decimal_text(source, target)
    if family == "float":
        return _float_text(source, target, style or 0)
    return _amount_text(source, target, style) if style in (None, 0, 1, 2, 126) else None


def padded(sql: str, target: SqlType, odd: str = "") -> Form:
    """A text with the blanks of char."""
    if target.name in ("char", "nchar"):
        sql = f"rpad({sql}, {target.length}, ' ')"
    return Form(sql, odd)


def _room(target: SqlType) -> int:
    """Characters; as many as any number has where there is no limit."""
    return target.length if isinstance(target.length, int) and target.length != MAX else 100


def _decimal_text(source: SqlType, target: SqlType) -> Form | None:
    """A sign and a point stand beside the digits."""
    if source.precision == source.scale:
        return None
    text, room = in_64_bits(source, "CAST({} AS VARCHAR)".format), _room(target)
    if room >= (source.precision or 18) + 2:
        return padded(text, target)
    digits = room - 2 - (source.scale or 0)
    return padded(text, target, f"abs({{0}}) > {'9' * digits}") if digits > 0 else None


_LONGEST_FLOAT: Final = 12
"""Characters of -0.000123457: smaller and larger ones have an exponent, in a form of its own."""


def _float_text(source: SqlType, target: SqlType, style: int) -> Form | None:
    """Six digits, or as many as the style says and an exponent: of three digits to T-SQL, mostly of two to DuckDB."""
    number, is_real = ("CAST({0} AS DOUBLE)", True) if source.name == "real" else ("{0}", False)
    if style == 0:
        usual = "abs({0}) < 999999 AND (abs({0}) >= 0.0001 OR {0} = 0 AND NOT signbit({0}))"
        fits = _room(target) >= _LONGEST_FLOAT
        return padded(f"printf('%.6g', {number})", target, f"NOT ({usual})") if fits else None
    digits = {1: 8, 2: 16, **dict.fromkeys((3, 126, 128, 129), 9 if is_real else 17)}.get(style)
    if digits is None or _room(target) < digits + 7:
        return None
    text = f"invoke(lambda t: left(t, -2) || '0' || right(t, 2), printf('%.{digits - 1}e', {number}))"
    return padded(text, target, "" if is_real else "NOT (abs({0}) < 1e99 AND abs({0}) > 1e-99 OR {0} = 0)")


def _amount_text(source: SqlType, target: SqlType, style: int | None) -> Form | None:
    """Amounts that fit and are numbers of 64 bits to DuckDB; style 1 has commas."""
    places = 4 if style in (2, 126) else 2
    room = min(_room(target), 36) - places - 2
    most = min(room - room // 4 if style == 1 else room, 14)
    if most < 1:
        return None
    number = "{0}" if source.name == "smallmoney" else "CAST({0} AS DECIMAL(18,4))"
    shown = f"CAST({number} AS DECIMAL(18,{places}))"
    text = f"CAST({shown} AS VARCHAR)"
    if style == 1:
        whole = f"format('{{{{:,}}}}', CAST(trunc({shown}) AS BIGINT))"
        text = f"(CASE WHEN abs({{0}}) < 999 THEN {text} ELSE {whole} || right({text}, 3) END)"
    fits = source.name == "smallmoney" and most > 6
    return padded(text, target, "" if fits else f"abs({{0}}) > {10**most - 1}")
