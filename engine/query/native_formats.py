"""Native forms of FORMAT and STR.

A format that is a literal is read here, piece by piece: dates whose pieces strftime writes the same, numbers in fixed places, with or without groups.
What .NET's formats can say beside that, other calendars, zones, exponents, is Python's (`functions.formatting`), and so are years before 1000 and numbers that
are rounded to a zero with a sign.
"""

from __future__ import annotations

import re
from typing import Final

from sbql.catalog.duck_types import quote_literal
from sbql.engine.functions.cultures import INVARIANT, Culture, culture
from sbql.engine.functions.formatting import date_pieces
from sbql.engine.query.native import Call, Form, Forms, Row, in_form
from sbql.engine.query.native_numbers import half_way
from sbql.grammar.errors import SqlError
from sbql.grammar.values.kinds import kind

__all__ = ["FORMATS"]

_DATE_MARKS: Final = {
    "d": "%-d", "dd": "%d", "M": "%-m", "MM": "%m", "yy": "%y", "yyyy": "%Y", "H": "%-H", "HH": "%H", "h": "%-I", "hh": "%I",
    "m": "%-M", "mm": "%M", "s": "%-S", "ss": "%S",
}  # fmt: skip
"""Pieces of digits, in the marks of strftime."""

_NAMES: Final = {"ddd": "%a", "dddd": "%A", "MMM": "%b", "MMMM": "%B"}
"""Pieces that are names in English, as strftime has them."""

_LETTERS: Final = frozenset("dMyhHmsfFtzKg%\\'\"")
"""What is no text of its own in a format of dates."""
_ENGLISH: Final = Culture()
_FIXED: Final = re.compile(r"(#,##)?(0+)(?:\.(0+))?")
"""Formats of numbers that have a place for each digit behind the point."""
_STANDARD: Final = re.compile(r"([NFDnfd])(\d{0,2})")


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
    if not isinstance(pattern, str) or known is None or call.types[0].name == "datetimeoffset":
        return None
    try:
        pieces, known = date_pieces(pattern, known)
    except ValueError:
        return None
    marks = [_mark(piece, known) for piece in pieces]
    text = "".join(mark for mark in marks if mark is not None)
    if None in marks or "%" not in text or len(pattern) > 100:
        return None
    return Form(f"strftime({{m0}}, {in_form(quote_literal(text))})", "year({m0}) < 1000")


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
        if letter == "D":
            return _padded(digits) if kind(call.types[0]) == "int" else None
        return _fixed(call, known, 1, digits if found.group(2) else 2, is_grouped=letter == "N")
    custom = _FIXED.fullmatch(pattern)
    if custom is None:
        return None
    groups, whole, fraction = custom.groups()
    if groups is None and not fraction and len(whole) > 1:
        return _padded(len(whole)) if kind(call.types[0]) == "int" else None
    return _fixed(call, known, len(whole), len(fraction or ""), is_grouped=groups is not None)


def _padded(digits: int) -> Form | None:
    """A whole number with so many digits; the sign has no place among them."""
    if digits > 100:
        return None
    plain, negative = f"format('{{{{:0{digits}d}}}}', {{0}})", f"format('{{{{:0{digits + 1}d}}}}', {{0}})"
    return Form(f"CASE WHEN {{0}} < 0 THEN {negative} ELSE {plain} END")


def _fixed(call: Call, known: Culture, places: int, digits: int, *, is_grouped: bool) -> Form | None:
    sql_type = call.types[0]
    if places > 1 or digits > 10:
        return None
    is_whole = kind(sql_type) == "int"
    if is_whole:
        whole, fraction, odd = "{0}", f"'{'0' * digits}'", ""
    else:
        precision, scale = (19, 4) if kind(sql_type) == "money" else (sql_type.precision or 18, sql_type.scale or 0)
        if precision - scale > 18:
            return None
        rounded = f"CAST({{0}} AS DECIMAL({min(precision - scale + 1 + digits, 38)},{digits}))"
        whole, fraction = f"CAST(trunc({rounded}) AS BIGINT)", f"right(CAST({rounded} AS VARCHAR), {digits})"
        odd = "{0} < 0 AND {0} > -1"  # the sign of what is written as 0 is Python's
    text = f"format('{{{{:,}}}}', {whole})" if is_grouped else f"CAST({whole} AS VARCHAR)"
    if is_grouped and known.group != ",":
        text = f"replace({text}, ',', {in_form(quote_literal(known.group))})"
    if digits:
        text = f"({text} || {in_form(quote_literal(known.point))} || {fraction})"
    return Form(text, odd)


# --- STR ---------------------------------------------------------------------------------------------------

_MOST_PLACES: Final = 6


def _str(call: Call) -> Form | None:
    """Half-way numbers are odd, as in ROUND, and those that do not fit; a zero with a sign."""
    length = call.values[1] if len(call.values) > 1 else 10
    digits = call.values[2] if len(call.values) > 2 else 0
    if not isinstance(length, int) or not isinstance(digits, int):
        return None
    if not 0 < length <= 100 or not 0 <= digits <= _MOST_PLACES:
        return None
    text = f"CAST(CAST({{0}} AS DECIMAL({10 + digits},{digits})) AS VARCHAR)"
    most = min(length - digits - (1 if digits else 0) - 1, 8)  # one for the sign
    if most < 1:
        return None
    return Form(
        f"lpad({text}, {length}, ' ')",
        f"NOT abs({{0}}) < 1e{most} - 1 OR {half_way(digits)} OR signbit({{0}}) AND {{0}} > -1",
    )


FORMATS: Final[Forms] = {
    "FORMAT": (
        Row("date|datetime|datetime2 string", _date),
        Row("date|datetime|datetime2 string string", _date),
        Row("int|decimal|money string", _number),
        Row("int|decimal|money string string", _number),
    ),
    "STR": (Row("float", _str), Row("float int", _str), Row("float int int", _str)),
}
"""Functions to their forms."""
