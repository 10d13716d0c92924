"""Display: a value as the command line prints it.

`to_display` is used by the command line, the test runner and the REPL; the conversions to varchar are another matter
(CONVERT). Decimals have no zero before the point, as sqlcmd prints them.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

from sbql.grammar.types import SqlType, Variant
from sbql.grammar.values.date_styles import date_to_text
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.numbers import decimal_text
from sbql.grammar.values.utf16 import without_halves

__all__ = ["to_display"]


def to_display(value: Any, sql_type: SqlType) -> str:
    """The text of one cell; NULL is `NULL`, half of a surrogate pair U+FFFD."""
    if value is None:
        return "NULL"
    family = kind(sql_type)
    if family == "string" or family == "xml":
        return without_halves(str(value))
    if family in ("int", "bit"):
        return str(int(value))
    if family == "guid":
        return str(value).upper()
    if family == "binary":
        return f"0x{value.hex().upper()}"
    if family == "variant":
        assert isinstance(value, Variant)
        return to_display(value.value, value.type)
    if family == "decimal":
        return _without_leading_zero(decimal_text(value))
    if family == "money":
        return _without_leading_zero(format(value, ".4f"))
    if family == "float":
        return _float(value, 9 if sql_type.name == "real" else 17)
    return _date(value, sql_type)


def _without_leading_zero(text: str) -> str:
    if text.startswith("0."):
        return text[1:]
    return "-" + text[2:] if text.startswith("-0.") else text


def _float(value: float, digits: int) -> str:
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value)}.0"
    if abs(value) >= 1e15:
        mantissa, _, exponent = f"{value:.{digits - 1}E}".partition("E")
        return f"{mantissa.rstrip('0').rstrip('.')}E{exponent}"
    return f"{value:.{digits}g}".replace("e", "E")


def _date(value: Any, sql_type: SqlType) -> str:
    if sql_type.name == "smalldatetime":
        assert isinstance(value, dt.datetime)
        return f"{value.year:04d}-{value:%m-%d %H:%M:%S}"
    return date_to_text(value, sql_type, 121)
