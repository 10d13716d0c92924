"""Numbers: range checks, rounding, and their text.

decimal keeps 38 digits and rounds half away from zero; money keeps four digits after the point; integers never wrap,
they overflow. It decides nothing about which conversion is allowed: see conversions.
"""

from __future__ import annotations

import decimal
import math
import re
import struct
from decimal import Decimal

from sbql.grammar.digits import whole
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import INTEGER_RANGES, spelled

__all__ = [
    "CONTEXT",
    "CURRENCY",
    "MONEY_RANGES",
    "decimal_text",
    "float_text",
    "fit_decimal",
    "fit_integer",
    "fit_money",
    "fit_real",
    "money_text",
    "parse_decimal",
    "parse_float",
    "parse_integer",
    "parse_money",
    "rounded_to",
    "without_sign_of_zero",
    "truncate_decimal",
]

CONTEXT = decimal.Context(
    prec=100, rounding=decimal.ROUND_HALF_UP, traps=[decimal.InvalidOperation, decimal.DivisionByZero]
)
"""Wide enough for exact intermediate results of two decimal(38). Python's own context (abs, -, /, quantize) keeps 28
digits only."""

MONEY_RANGES = {
    "money": (Decimal("-922337203685477.5808"), Decimal("922337203685477.5807")),
    "smallmoney": (Decimal("-214748.3648"), Decimal("214748.3647")),
}
_UNITS = [Decimal(1).scaleb(-scale) for scale in range(39)]
_LIMITS = [Decimal(10) ** digits for digits in range(40)]

# Possessive (`*+`): a long text that is no number is found out in one go.
_INTEGER = re.compile(r"\s*+([+-]?)\s*+(\d*+)\s*+")
_DECIMAL = re.compile(r"\s*+[+-]?\s*+(?:\d++\.?\d*+|\.\d++)\s*+")
_FLOAT = re.compile(r"\s*+[+-]?(?:\d++\.?\d*+|\.\d++)(?:[edED][+-]?\d*+)?\s*+")
CURRENCY = r"$¢£¤¥\u09f2\u09f3\u0e3f\u17db\u20a0-\u20b1\ufdfc\ufe69\uff04\uffe0\uffe1\uffe5\uffe6"
_MONEY = re.compile(rf"\s*+([+-]?)\s*+[{CURRENCY}\\]?\s*+([+-]?)\s*+([\d,]*+(?:\.\d*+)?)\s*+")
_ANY_FLOAT = decimal.Context(prec=1000, rounding=decimal.ROUND_HALF_UP)
_SHORT_NAMES = {"tinyint": "INT1", "smallint": "INT2", "int": "int", "bigint": "bigint"}


def fit_integer(value: int, name: str, source: str = "expression") -> int:
    """The integer, if type `name` holds it. Raises 8115, or 220 for the small types."""
    low, high = INTEGER_RANGES[name]
    if low <= value <= high:
        return value
    if name in ("tinyint", "smallint") and source in ("expression", "int", "smallint", "tinyint", "bigint"):
        raise sql_error(220, name, value)
    raise sql_error(8115, source, name)


def _rounded(value: Decimal, scale: int, rounding: str, source: str, name: str) -> Decimal:
    """Raises 8115 for a value with more digits than even the context has, as 1e308."""
    try:
        return value.quantize(_UNITS[scale], rounding, CONTEXT)
    except decimal.InvalidOperation:
        raise sql_error(8115, source, name) from None


def fit_decimal(value: Decimal, precision: int, scale: int, source: str = "expression") -> Decimal:
    """The value rounded half away from zero to `scale`. Raises 8115 when it has more than `precision` digits."""
    rounded = _rounded(value, scale, decimal.ROUND_HALF_UP, source, "numeric")
    if rounded.copy_abs() >= _LIMITS[precision - scale]:
        raise sql_error(8115, source, "numeric")
    return without_sign_of_zero(rounded)


def without_sign_of_zero(value: Decimal) -> Decimal:
    """What a negative number is rounded to: SQL Server has one zero."""
    return value or value.copy_abs()


def rounded_to(value: Decimal, digits: int) -> Decimal:
    """Any number, as 1e308 is one, rounded half away from zero to so many digits after the point."""
    return value.quantize(Decimal(1).scaleb(-digits), context=_ANY_FLOAT)


def truncate_decimal(value: Decimal, precision: int, scale: int) -> Decimal:
    """As fit_decimal, but digits beyond the scale are cut off: what division does."""
    cut = _rounded(value, scale, decimal.ROUND_DOWN, "expression", "numeric")
    if cut.copy_abs() >= _LIMITS[precision - scale]:
        raise sql_error(8115, "expression", "numeric")
    return without_sign_of_zero(cut)


def fit_money(value: Decimal, name: str, source: str = "expression") -> Decimal:
    """The amount rounded to four digits. Raises 8115 out of range."""
    rounded = _rounded(value, 4, decimal.ROUND_HALF_UP, source, name)
    low, high = MONEY_RANGES[name]
    if not low <= rounded <= high:
        raise sql_error(8115, source, name)
    return without_sign_of_zero(rounded)


def fit_real(value: float) -> float:
    """The value in 24 bits of mantissa. Raises 232 out of range."""
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])  # the native format would give infinity
    except OverflowError:
        raise sql_error(232, "real", f"{value:f}") from None


def _no_number(text: str, source: SqlType, target: str) -> SqlError:
    return sql_error(245, spelled(source), text, target)


def parse_integer(text: str, source: SqlType, name: str) -> int:
    """An integer or bit from text; blank text and a lone sign are 0. Raises 245, 248, 244, 8114 as
    SQL Server does for each target."""
    found = _INTEGER.fullmatch(text)
    if found is None:
        if name == "bigint":
            raise sql_error(8114, spelled(source), "bigint")
        raise _no_number(text, source, name)
    value = whole(found[1] + (found[2] or "0"))
    low, high = INTEGER_RANGES[name]
    if low <= value <= high:
        return value
    if name == "bigint":
        raise sql_error(8115, "expression", "bigint")
    if name == "int":
        raise sql_error(248, spelled(source), text.strip())
    raise sql_error(244, spelled(source), text.strip(), _SHORT_NAMES[name])


def parse_decimal(text: str, source: SqlType, target: SqlType) -> Decimal:
    """A decimal from text. Raises 8114 when it is no number, 8115 when too large."""
    if _DECIMAL.fullmatch(text) is None:
        raise sql_error(8114, spelled(source), "numeric")
    value = Decimal("".join(text.split()))  # white space of any kind may stand behind the sign
    return fit_decimal(value, target.precision or 18, target.scale or 0, spelled(source))


def parse_float(text: str, source: SqlType, name: str) -> float:
    """A float or real from text; blank text is 0. Raises 8114."""
    if not text.strip():
        return 0.0
    if _FLOAT.fullmatch(text) is None:
        raise sql_error(8114, spelled(source), name)
    plain = text.strip().lower().replace("d", "e")
    value = float(plain + "0" if plain[-1] in "e+-" else plain)
    if math.isinf(value):
        raise sql_error(8115, spelled(source), name)
    return fit_real(value) if name == "real" else value


def parse_money(text: str, name: str) -> Decimal:
    """An amount: an optional sign and currency sign, commas ignored; without a digit it is 0. Raises 235, 293, 8115."""
    found = _MONEY.fullmatch(text)
    if found is None or (found[1] and found[2]):
        raise sql_error(235 if name == "money" else 293)
    digits = found[3].replace(",", "")
    amount = Decimal((found[1] or found[2]) + digits) if digits.strip(".") else Decimal(0)
    return fit_money(amount, name, "varchar")


def decimal_text(value: Decimal) -> str:
    """`0.50`: plain digits, never an exponent."""
    return format(value, "f")


def money_text(value: Decimal, style: int = 0) -> str:
    """Style 0: two digits; 1: two digits and commas; 2 and 126: four digits. Raises 281 for others."""
    if style in (2, 126):
        return format(value, ".4f")
    if style not in (0, 1):
        raise sql_error(281, style, "money")
    rounded = value.quantize(_UNITS[2], decimal.ROUND_HALF_UP, CONTEXT)
    return format(without_sign_of_zero(rounded), ",.2f" if style == 1 else ".2f")


def float_text(value: float, style: int = 0, *, single: bool = False) -> str:
    """Style 0: six digits, an exponent of three where needed; 1: 8 digits; 2: 16 digits; 3: 17 digits (real: 9),
    lossless."""
    if style == 0:
        text = f"{value:.6g}"
        mantissa, mark, exponent = text.partition("e")
        return f"{mantissa}e{exponent[0]}{int(exponent[1:]):03d}" if mark else ("0" if text == "-0" else text)
    if style not in (1, 2, 3, 126, 128, 129):
        raise sql_error(281, style, "real" if single else "float")
    digits = {1: 8, 2: 16, 3: 9 if single else 17}.get(style, 9 if single else 17)
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa}e{exponent[0]}{int(exponent[1:]):03d}"
