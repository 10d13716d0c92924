"""Native forms of FORMAT and STR.

A format that is a literal is read here, piece by piece: dates whose pieces strftime writes the same, numbers in fixed
places, with or without groups. What .NET's formats can say beside that, other calendars, zones, exponents, is Python's
(`functions.formatting`), and so are years before 1000 and numbers that are rounded to a zero with a sign.
"""

from __future__ import annotations

import re
from typing import Final

from sbql.catalog.duck_types import quote_literal
from sbql.engine.functions.cultures import INVARIANT, Culture, culture
from sbql.engine.functions.formatting import date_pieces
from sbql.engine.native.decimals import MOST_MONEY, in_64_bits
from sbql.engine.native.forms import Call, Form, Forms, Row, any_of, in_form
from sbql.engine.native.numbers import half_way, rounded_float
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import digits_after, digits_before, kind, storage_size

__all__ = ["FORMATS"]

_DATE_MARKS: Final = {
    "d": "%-d", "dd": "%d", "M": "%-m", "MM": "%m", "yy": "%y", "yyyy": "%Y", "H": "%-H", "HH": "%H", "h": "%-I", "hh": "%I",
    "m": "%-M", "mm": "%M", "s": "%-S", "ss": "%S", "fff": "%g", "ffffff": "%f",
}  # fmt: skip
"""Pieces of digits, in the marks of strftime."""

_UNLIKE: Final = frozenset({"d", "M", "H", "h", "m", "s", "ddd", "dddd", "MMM", "MMMM", "tt"})
"""Pieces that have letters, or not always as many digits."""

_NAMES: Final = {"ddd": "%a", "dddd": "%A", "MMM": "%b", "MMMM": "%B"}
"""Pieces that are names in English, as strftime has them."""

_LETTERS: Final = frozenset("dMyhHmsfFtzKg%\\'\"")
"""What is no text of its own in a format of dates."""
_ENGLISH: Final = Culture()
_FIXED: Final = re.compile(r"(#,##)?(0+)(?:\.(0+))?")
"""Formats of numbers that have a place for each digit behind the point."""
_STANDARD: Final = re.compile(r"([NFDCPXnfdcpx])(\d{0,2})")


def _culture(call: Call) -> Culture | None:
    name = call.values[2] if len(call.values) > 2 else ""
    if not isinstance(name, str):
        return None
    try:
        return culture(name or call.dates.language.culture)
    except SqlError:
        return None


def _date(call: Call) -> Form | None:
    pattern, known = call.values[1], _culture(call)
    if not isinstance(pattern, str) or known is None:
        return None
    if call.types[0].name == "datetimeoffset" and pattern in ("", "r", "R", "u"):
        return None  # those show UTC, or the offset
    try:
        pieces, known = date_pieces(pattern, known)
    except ValueError:
        return None
    marks = [_mark(piece, known) for piece in pieces]
    text = "".join(mark for mark in marks if mark is not None)
    if None in marks or "%" not in text or "\0" in text or len(pattern) > 100:
        return None
    is_ordered = not any(piece in _UNLIKE for piece in pieces)
    return Form(f"strftime({{m0}}, {in_form(quote_literal(text))})", "year({m0}) < 1000", is_ordered=is_ordered)


def _mark(piece: str, known: Culture) -> str | None:
    """A piece of a format for strftime; None where it has none."""
    if piece in _DATE_MARKS:
        return _DATE_MARKS[piece]
    if piece in _NAMES:
        is_same = known.days == _ENGLISH.days and known.months == _ENGLISH.months
        return _NAMES[piece] if is_same and known.short_months == _ENGLISH.short_months else None
    if piece == "tt" and known.noon == _ENGLISH.noon:
        return "%p"
    if piece == "/":
        return known.date_mark
    if piece[0] in "'\"" and len(piece) > 1:
        return piece[1:-1].replace("%", "%%")
    if piece[0] == "\\" and len(piece) == 2:
        return piece[1].replace("%", "%%")
    return piece if len(piece) == 1 and piece not in _LETTERS else None


# --- numbers -----------------------------------------------------------------------------------------------


def _number(call: Call) -> Form | None:
    pattern, known = call.values[1], _culture(call)
    if not isinstance(pattern, str) or known is None or known.groups != INVARIANT.groups:
        return None
    found = _STANDARD.fullmatch(pattern)
    if found is not None:
        letter, digits = found.group(1).upper(), int(found.group(2) or "0")
        if letter in "DX":
            if kind(call.types[0]) != "int":
                return Form("CAST(NULL AS VARCHAR)")  # .NET has none
            return _padded(digits) if letter == "D" else _hexadecimal(call.types[0], digits, pattern[0] == "x")
        signs = (
            (known.currency, known.negative_currency) if letter == "C" else (known.percent,) if letter == "P" else ()
        )
        return _fixed(call, known, digits if found.group(2) else 2, is_grouped=letter != "F", signs=signs)
    custom = _FIXED.fullmatch(pattern)
    if custom is None:
        return None
    groups, whole, fraction = custom.groups()
    if groups is None and not fraction and len(whole) > 1:
        return _padded(len(whole)) if kind(call.types[0]) == "int" else None
    return _fixed(call, known, len(fraction or ""), is_grouped=groups is not None) if len(whole) == 1 else None


def _padded(digits: int) -> Form | None:
    """A whole number with so many digits; the sign has no place among them."""
    if digits > 100:
        return None
    plain, negative = f"format('{{{{:0{digits}d}}}}', {{0}})", f"format('{{{{:0{digits + 1}d}}}}', {{0}})"
    return Form(f"CASE WHEN {{0}} < 0 THEN {negative} ELSE {plain} END")


def _hexadecimal(sql_type: SqlType, digits: int, is_small: bool) -> Form:
    """All bits of the number, without a sign."""
    bits = 8 * storage_size(sql_type)
    text = f"to_hex(CAST({{0}} AS BIGINT){f' & {2**bits - 1}' if bits < 64 else ''})"
    text = f"lower({text})" if is_small else text
    return Form(f"lpad({text}, CAST(greatest({digits}, strlen({text})) AS INTEGER), '0')" if digits > 1 else text)


def _fixed(call: Call, known: Culture, digits: int, *, is_grouped: bool, signs: tuple[str, ...] = ()) -> Form | None:
    """`signs` stand around the number: one that is shown times a hundred, or that of a positive and that of a
    negative number without its sign."""
    found = _digits(call.types[0], digits, is_money=len(signs) == 2, is_percent=len(signs) == 1)
    if found is None:
        return None
    whole, fraction, odd = found
    text = f"format('{{{{:,}}}}', {whole})" if is_grouped else f"CAST({whole} AS VARCHAR)"
    if is_grouped and known.group != ",":
        text = f"replace({text}, ',', {in_form(quote_literal(known.group))})"
    if digits:
        text = f"({text} || {in_form(quote_literal(known.point))} || {fraction})"
    if len(signs) == 2:
        text = (
            f"invoke(lambda t, v: CASE WHEN v < 0 THEN {_around(signs[1])} ELSE {_around(signs[0])} END, {text}, {{0}})"
        )
    elif signs:
        text = f"invoke(lambda t: {_around(signs[0])}, {text})"
    return Form(text, odd)


def _around(sign: str) -> str:
    """The text t where a sign has its {0}."""
    before, behind = (in_form(quote_literal(part)) for part in sign.split("{0}"))
    return f"{before} || t || {behind}"


_SURE_DIGITS: Final = 13
"""Of a float: so many are the same however it is rounded, if it is not about in the middle.
.NET takes 15, and rounds those."""
_FIFTEEN_DIGITS: Final = 6e-15
"""By which part of it a number is off that has fifteen digits."""


def _near_half(places: int) -> str:
    """Whether a float is beside a half between two numbers of so many places, but is none."""
    unit = f"1e{places}::DOUBLE"
    is_half = f"abs({{0}}) = (floor(abs({{0}}) * {unit}) + 0.5::DOUBLE) / {unit}"
    return f"{half_way(places, _FIFTEEN_DIGITS)} AND NOT {is_half}"


def _digits(sql_type: SqlType, digits: int, *, is_money: bool, is_percent: bool) -> tuple[str, str, str] | None:
    """The whole part of a number as an integer, the text of its digits behind the point, and which rows are odd."""
    family = kind(sql_type)
    if digits > 10:
        return None
    places, is_exact = digits + 2 if is_percent else digits, False
    least = "-0.01" if is_percent else "-1"
    has_zeros = family != "decimal" or digits_after(sql_type) > (2 if is_percent else 0)
    odd = f"{{0}} < 0 AND {{0}} > {least}" if has_zeros else ""  # the sign of what is written as 0 is Python's
    if family == "decimal" and digits_before(sql_type) == 0:
        odd = "{0} < 0"  # DuckDB has no room for -1 beside all fraction
    if family == "int" and not is_percent:
        number = "abs(CAST({0} AS BIGINT))" if is_money else "{0}"
        is_longest = is_money and sql_type.name == "bigint"
        return number, f"'{'0' * digits}'", "{0} < -9223372036854775807" if is_longest else ""
    if family == "float":
        if places > _MOST_PLACES:
            return None
        before = _SURE_DIGITS - places
        is_near = f"{_near_half(places)} OR " if sql_type.name == "float" else ""
        odd = f"NOT abs({{0}}) < 1e{before} - 1 OR {is_near}signbit({{0}}) AND {{0}} > {least}"
    elif family == "int":
        before = 10 if sql_type.name != "bigint" else 19
    else:
        precision, scale = (19, 4) if family == "money" else (sql_type.precision or 18, sql_type.scale or 0)
        before, is_exact = precision - scale, places >= scale
    most_digits = 18 - (2 if is_percent else 0)
    if before > most_digits:
        odd = any_of(odd, f"{{0}} > {10**most_digits - 1}", f"{{0}} < -{10**most_digits - 1}")
        before = most_digits
    # DuckDB's product has no more digits than its first factor, up to 18; one that is rounded may have one more.
    more = 4 if is_percent else 0 if is_exact else 1
    goal, shown = f"DECIMAL({min(before + more + places, 38)},{places})", "abs({})" if is_money else "{}"

    def write(number: str) -> str:
        return f"CAST({shown.format(number)} AS {goal})"

    most = None
    if family == "money":
        most, odd = MOST_MONEY, any_of(odd, f"abs({{0}}) > {MOST_MONEY}")
    if sql_type.name == "real":
        rounded = write(f"CAST(format('{{{{:.7g}}}}', CAST({{0}} AS DOUBLE)) AS {goal})")  # its digits to .NET
    elif family == "float":
        rounded = write(rounded_float(places).sql)
    else:
        rounded = write("{0}") if family == "int" else in_64_bits(sql_type, write, most)
    if is_percent:
        rounded = f"CAST({rounded} * 100 AS DECIMAL({before + 3 + digits},{digits}))"
    return f"CAST(trunc({rounded}) AS BIGINT)", f"right(CAST({rounded} AS VARCHAR), {digits})", odd


# --- STR ---------------------------------------------------------------------------------------------------

_MOST_PLACES: Final = 6


def _str(call: Call) -> Form | None:
    """As ROUND rounds. Odd are those that do not fit, and a zero with a sign."""
    length = call.values[1] if len(call.values) > 1 else 10
    digits = call.values[2] if len(call.values) > 2 else 0
    if not isinstance(length, int) or not isinstance(digits, int):
        return None
    if not 0 < length <= 100 or not 0 <= digits <= _MOST_PLACES:
        return None
    most = min(length - digits - (1 if digits else 0) - 1, 14 - digits)  # one for the sign
    if most < 1:
        return None
    rounded = rounded_float(digits)
    text = f"CAST(CAST({rounded.sql} AS DECIMAL(18,{digits})) AS VARCHAR)"
    return Form(f"lpad({text}, {length}, ' ')", f"NOT abs({{0}}) < 1e{most} - 1 OR signbit({{0}}) AND {{0}} > -1")


FORMATS: Final[Forms] = {
    "FORMAT": (
        Row("date|datetime|datetime2|datetimeoffset string", _date),
        Row("date|datetime|datetime2|datetimeoffset string string", _date),
        Row("int|decimal|money|float string", _number),
        Row("int|decimal|money|float string string", _number),
    ),
    "STR": (Row("float", _str), Row("float int", _str), Row("float int int", _str)),
}
"""Functions to their forms."""
