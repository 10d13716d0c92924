"""Conversions: closures that turn a value of one type into another, made once for a pair of types.

It decides the value and the error of every CAST, CONVERT, assignment and implicit conversion. Which pairs are allowed
is conversion_rules; texts of dates, numbers and XML are read and written by their own modules. NULL converts to NULL.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from decimal import Decimal
from functools import lru_cache
from typing import Any

from sbql.grammar.errors import sql_error
from sbql.grammar.types import MAX, SqlType, Variant
from sbql.grammar.values import text_conversions as text
from sbql.grammar.values.binary import from_bytes, to_bytes, xml_bytes
from sbql.grammar.values.conversion_rules import check_conversion
from sbql.grammar.values.dates import days_since_1900, from_days_since_1900, to_date_type
from sbql.grammar.values.kinds import INTEGER_RANGES, kind, spelled
from sbql.grammar.values.languages import DEFAULT_DATES, DateFormat
from sbql.grammar.values.numbers import fit_decimal, fit_integer, fit_money, fit_real
from sbql.grammar.values.typed_xml import typed_check
from sbql.grammar.values.xml_encoding import decode_xml_bytes
from sbql.grammar.values.xml_text import parse_xml

__all__ = ["convert", "converter"]

Converter = Callable[[Any], Any]


def converter(
    source: SqlType, target: SqlType, style: int | None = None, explicit: bool = True, dates: DateFormat = DEFAULT_DATES
) -> Converter | None:
    """A function from values of `source` (None included) to values of `target`; None when nothing has to be done.

    `style` is that of CONVERT, `dates` what SET DATEFORMAT and SET LANGUAGE say. Strings too long are cut, as CAST and
    SET do; a column store checks first (see stores). Raises 206, 257, 529 at once; the function raises what the single
    value causes.
    """
    if source.spelling is not None and target.name == "sql_variant":  # equal types, but the value tells its spelling
        return _new_converter(source, target, style, explicit, dates)
    return _converter(source, target, style, explicit, dates)


def _new_converter(
    source: SqlType, target: SqlType, style: int | None, explicit: bool, dates: DateFormat
) -> Converter | None:
    check_conversion(source, target, explicit=explicit)
    if kind(source) == "null":
        return None
    make = _converter_of_value(source, target, style, dates)
    if target.collection is not None and source != target:
        make = _checked(make, target)
    if make is None:
        return None

    def run(value: Any) -> Any:
        return None if value is None else make(value)

    return run


_converter = lru_cache(maxsize=4096)(_new_converter)


def _checked(make: Converter | None, target: SqlType) -> Converter | None:
    """`make`, and then the check of typed xml."""
    check = typed_check(target)
    if check is None or make is None:
        return check or make
    return lambda v: check(make(v))


def convert(value: Any, source: SqlType, target: SqlType, style: int | None = None, *, explicit: bool = True) -> Any:
    """One value converted. For more than one value of a type, keep the `converter`."""
    found = converter(source, target, style, explicit)
    return value if found is None else found(value)


def _converter_of_value(source: SqlType, target: SqlType, style: int | None, dates: DateFormat) -> Converter | None:
    family, goal = kind(source), kind(target)
    if goal == "variant":
        return None if family == "variant" else _to_variant(source)
    if family == "variant":
        return lambda v: convert(v.value, v.type, target, style)
    if goal == "string":
        return text.to_text(source, target, style, dates)
    if goal == "binary":
        return _to_binary(source, target, style)
    if family == "string":
        return text.from_text(source, target, style, dates)
    if family == "binary":
        return _from_binary(target, style)
    if goal in ("date", "time", "datetime", "datetime2", "datetimeoffset"):
        return _to_date(source, target)
    if goal in ("xml", "guid"):
        return None
    return _TO_NUMBER[goal](source, target)


def _to_variant(source: SqlType) -> Converter:
    if source.length == MAX or source.name in ("xml", "text", "ntext", "image", "rowversion"):
        raise sql_error(206, spelled(source), "sql_variant")
    return lambda v: Variant(source, v)


def _to_binary(source: SqlType, target: SqlType, style: int | None) -> Converter | None:
    size = 8 if target.name == "rowversion" else MAX if target.name == "image" else target.length or 1
    fixed = target.name in ("binary", "rowversion")
    if kind(source) == "string" and style not in (None, 0, 1, 2):
        raise sql_error(9809, style, spelled(source), spelled(target))
    if kind(source) == "string" and style in (1, 2):
        return lambda v: _fit_bytes(text.hex_bytes(v, style, source), size, fixed, from_left=True)
    if kind(source) == "binary":
        same = source.length == target.length and source.name == target.name
        fits = target.length == MAX or (not fixed and source.length is not None and 0 < source.length <= size)
        if same or (fits and target.name != "rowversion"):
            return None
    if kind(source) == "xml":
        return lambda v: _whole_bytes(v, style, size, fixed)
    from_left = kind(source) not in ("int", "bit", "money")
    return lambda v: _fit_bytes(to_bytes(v, source), size, fixed, from_left=from_left)


def _whole_bytes(value: str, style: int | None, size: int, fixed: bool) -> bytes:
    """XML is never cut; style 1 protects no white space. Raises 6354, and 6360 for a style that there is not."""
    if style not in (None, 0, 1):
        raise sql_error(6360, style)
    data = xml_bytes(value, is_protected=style != 1)
    if size != MAX and len(data) > size:
        raise sql_error(6354)
    return _fit_bytes(data, size, fixed, from_left=True)


def _fit_bytes(data: bytes, size: int, fixed: bool, *, from_left: bool) -> bytes:
    """Cut or pad: numbers keep their last bytes and are padded in front, everything else the other way."""
    if size == MAX:
        return data
    if from_left:
        return data[:size].ljust(size, b"\0") if fixed else data[:size]
    return data[-size:].rjust(size, b"\0") if fixed else data[-size:]


def _from_binary(target: SqlType, style: int | None) -> Converter:
    goal = kind(target)
    if goal == "xml":
        preserve, has_dtd = text.xml_style(style)
        return lambda v: parse_xml(decode_xml_bytes(v), preserve=preserve, may_have_dtd=has_dtd)
    if goal == "decimal":
        digits, scale = target.precision or 18, target.scale or 0
        return lambda v: fit_decimal(from_bytes(v, target), digits, scale, "varbinary")
    return lambda v: from_bytes(v, target)


def _to_date(source: SqlType, target: SqlType) -> Converter | None:
    if kind(source) in ("int", "bit", "decimal", "money", "float"):
        return lambda v: from_days_since_1900(float(v), target.name)
    if source == target:
        return None
    return lambda v: to_date_type(v, target, source.name)


def _to_int(source: SqlType, target: SqlType) -> Converter | None:
    family, name = kind(source), target.name
    if family == "bit":
        return int
    if family == "int":
        low, high = INTEGER_RANGES[name]
        if INTEGER_RANGES[source.name][0] >= low and INTEGER_RANGES[source.name][1] <= high:
            return None
        return lambda v: v if low <= v <= high else fit_integer(v, name)
    if family == "decimal":
        return lambda v: fit_integer(int(v), name, "numeric")
    if family == "money":
        return lambda v: fit_integer(_round_money(v), name, "money")
    if family == "float":
        return lambda v: _float_to_int(v, name)
    return lambda v: fit_integer(_rounded_days(v), name, spelled(source))


def _round_money(value: Decimal) -> int:
    """money rounds where decimal and float are cut off."""
    return int(value.quantize(Decimal(1), "ROUND_HALF_UP"))


def _rounded_days(value: dt.datetime) -> int:
    days = days_since_1900(value)
    return int(days + 0.5) if days >= 0 else -int(-days + 0.5)


def _float_to_int(value: float, name: str) -> int:
    number = int(value)
    low, high = INTEGER_RANGES[name]
    if low <= number <= high:
        return number
    if name == "bigint":
        raise sql_error(8115, "expression", name)
    raise sql_error(232, name, f"{value:f}")


def _to_bit(source: SqlType, target: SqlType) -> Converter | None:
    return (
        None if source.name == "bit" else lambda v: bool(days_since_1900(v)) if isinstance(v, dt.datetime) else bool(v)
    )


def _exact(value: Any, source: SqlType) -> Decimal:
    """Any number or datetime as a decimal without loss."""
    if isinstance(value, dt.datetime):
        return Decimal(repr(days_since_1900(value)))
    if isinstance(value, float):
        # 17 significant digits are what the engine itself goes by.
        return Decimal(f"{value:.17g}") if source.name == "float" else Decimal(f"{value:.9g}")
    return Decimal(value)


def _to_decimal(source: SqlType, target: SqlType) -> Converter | None:
    digits, scale = target.precision or 18, target.scale or 0
    if source.name == "decimal" and source.scale == scale and (source.precision or 18) <= digits:
        return None
    spelling = spelled(source)
    return lambda v: fit_decimal(_exact(v, source), digits, scale, spelling)


def _to_money(source: SqlType, target: SqlType) -> Converter | None:
    if source.name == target.name:
        return None
    spelling, name = spelled(source), target.name
    return lambda v: fit_money(_exact(v, source), name, spelling)


def _to_float(source: SqlType, target: SqlType) -> Converter | None:
    if target.name == "real":
        return None if source.name == "real" else lambda v: fit_real(_number(v))
    return None if kind(source) == "float" else _number


def _number(value: Any) -> float:
    return days_since_1900(value) if isinstance(value, dt.datetime) else float(value)


_TO_NUMBER: dict[str, Callable[[SqlType, SqlType], Converter | None]] = {
    "int": _to_int, "bit": _to_bit, "decimal": _to_decimal, "money": _to_money, "float": _to_float,
}  # fmt: skip
