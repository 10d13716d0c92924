"""FORMAT: .NET format strings for numbers and dates (documentation: "FORMAT (Transact-SQL)").

Standard formats (C, D, E, F, G, N, P, R, X; d, D, f, F, g, G, m, o, s, t, T, u, y) and custom ones. A format that does
not fit the value gives NULL.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any

from sbql.engine.functions.cultures import INVARIANT, Culture, culture
from sbql.engine.scalars.function_registry import function
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.type_rules import character_text
from sbql.grammar.digits import whole
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType, nvarchar
from sbql.grammar.values.checkpoints import checked, checkpoint
from sbql.grammar.values.date_styles import fraction_text
from sbql.grammar.values.dates import as_datetime
from sbql.grammar.values.kinds import kind, spelled
from sbql.grammar.values.numbers import CONTEXT, rounded_to, without_sign_of_zero

__all__ = ["date_pieces"]

Types = tuple[SqlType, ...]


def _formattable(sql_type: SqlType, position: int, name: str) -> SqlType:
    if kind(sql_type) in (
        "int",
        "decimal",
        "money",
        "float",
        "date",
        "time",
        "datetime",
        "datetime2",
        "datetimeoffset",
    ):
        return sql_type
    if kind(sql_type) == "null":
        return SqlType("int")
    raise sql_error(8116, spelled(sql_type), position, name)


@function(
    "FORMAT", nvarchar(4000), [_formattable, character_text, character_text], optional=1, typed=True, needs_options=True
)
def _format(types: Types) -> Callable[..., str | None]:
    is_date = kind(types[0]) in ("date", "datetime", "datetime2", "datetimeoffset", "time")

    def run(frame: Frame, value: Any, pattern: str, name: str = "") -> str | None:
        known = culture(name or frame.session.options.dates.language.culture)
        try:
            return _date(value, pattern, known) if is_date else _number(value, pattern, known, types[0])
        except (ValueError, OverflowError):
            return None

    return run


# --- numbers -----------------------------------------------------------------------------------------------

_STANDARD = re.compile(r"([A-Za-z])(\d{0,2})")
_BITS = {"tinyint": 8, "smallint": 16, "bigint": 64}


def _number(value: Any, pattern: str, known: Culture, sql_type: SqlType) -> str:
    """A float has 15 digits to .NET, a real 7."""
    precision = 7 if sql_type.name == "real" else 15
    exact = Decimal(f"{value:.{precision}g}") if isinstance(value, float) else Decimal(value)
    if pattern and _STANDARD.fullmatch(pattern) is None:
        return _custom_number(exact, pattern, known)
    letter, digits = (pattern[0], whole(pattern[1:]) if len(pattern) > 1 else None) if pattern else ("G", None)
    if letter.upper() == "X" and isinstance(value, int):
        return format(value % 2 ** _BITS.get(sql_type.name, 32), letter).rjust(digits or 0, "0")
    if letter.upper() == "D" and isinstance(value, int):
        return ("-" if value < 0 else "") + str(abs(value)).rjust(digits or 0, "0")
    if letter.upper() == "R" and isinstance(value, float):
        return _general(Decimal(repr(value)), 9 if sql_type.name == "real" else 17, letter, known)
    if letter.upper() == "G":
        default = precision if isinstance(value, float) else 0
        return _general(exact, digits or default, letter, known)
    return _standard_number(exact, letter, digits, known)


def _plain(value: Decimal, known: Culture) -> str:
    return format(value, "f").replace(".", known.point)


def _rounded(value: Decimal, digits: int) -> Decimal:
    """What is rounded to zero has no sign, as in the .NET Framework (newer .NET shows it)."""
    return without_sign_of_zero(rounded_to(value, digits))


def _grouped(value: Decimal, digits: int, known: Culture) -> str:
    whole, _, fraction = format(_rounded(value, digits), "f").partition(".")
    sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    return sign + _with_groups(whole, known) + (known.point + fraction if fraction else "")


def _general(value: Decimal, digits: int, letter: str, known: Culture) -> str:
    """G: the shorter of fixed and scientific for so many digits; without a number of them a decimal is shown whole."""
    if not digits:
        return _plain(value, known)
    rounded = Decimal(f"{value:.{digits}g}").normalize()
    power = rounded.adjusted() if rounded else 0
    if -5 < power < digits:
        return _plain(rounded, known)
    mantissa = format(rounded.scaleb(-power), "f")
    return f"{mantissa.replace('.', known.point)}{'e' if letter == 'g' else 'E'}{'-' if power < 0 else '+'}{abs(power):02d}"


def _standard_number(exact: Decimal, letter: str, digits: int | None, known: Culture) -> str:
    kind_of, places = letter.upper(), 2 if digits is None else digits
    if kind_of == "C":
        rounded = _rounded(exact, places)
        shape = known.negative_currency if rounded < 0 else known.currency
        return shape.replace("{0}", _grouped(rounded.copy_abs(), places, known))
    if kind_of == "N":
        return _grouped(exact, places, known)
    if kind_of == "F":
        return _plain(_rounded(exact, places), known)
    if kind_of == "P":
        return known.percent.replace("{0}", _grouped(CONTEXT.multiply(exact, Decimal(100)), places, known))
    if kind_of == "E":
        mantissa, _, power = f"{exact:.{6 if digits is None else digits}e}".partition("e")
        return f"{mantissa.replace('.', known.point)}{letter}{power[0]}{int(power[1:]):03d}"
    raise ValueError(letter)


def _sections(pattern: str) -> list[str]:
    """The sections for positive, negative and zero, split at semicolons outside quotes."""
    parts = re.findall(r"(?:'[^']*'|\"[^\"]*\"|\\.|[^;])+|(?<=;)(?=;|$)", pattern)
    return parts or [pattern]


_MOST_SCALES = 200
"""Commas behind the last digit, each of which divides by a thousand: after so many nothing is left of any number."""


def _custom_number(value: Decimal, pattern: str, known: Culture) -> str:
    sections, value = _sections(pattern), without_sign_of_zero(value)
    sign = ""
    if value == 0 and len(sections) > 2:
        shape = sections[2]
    elif value < 0 and len(sections) > 1 and sections[1]:
        shape, value = sections[1], value.copy_negate()
    else:
        shape = sections[0]
        if value < 0:
            sign, value = "-", value.copy_negate()
    tokens = re.findall(r"'[^']*'|\"[^\"]*\"|\\.|[0#.,%‰]|[eE][+-]?0+|.", shape, re.DOTALL)
    value = CONTEXT.multiply(value, Decimal((100 if "%" in tokens else 1) * (1000 if "‰" in tokens else 1)))
    point = tokens.index(".") if "." in tokens else len(tokens)
    last_digit = max((i for i, t in enumerate(tokens[:point]) if t in "0#"), default=-1)
    checkpoint()
    scale = sum(1 for t in tokens[last_digit + 1 : point] if t == ",")
    grouped = any(t == "," for t in tokens[:last_digit]) if last_digit > 0 else False
    value = CONTEXT.divide(value, Decimal(1000 ** min(scale, _MOST_SCALES))) if scale else value
    digits = sum(1 for t in tokens[point:] if t in "0#")
    value = _scientific(tokens, point, value, digits)
    text = format(rounded_to(value, digits), "f")
    whole, _, fraction = text.partition(".")
    if not any(c != "0" for c in whole + fraction):
        sign = ""
    return sign + _placed(tokens, point, whole, fraction, grouped, known)


def _scientific(tokens: list[str], point: int, value: Decimal, digits: int) -> Decimal:
    """The mantissa for a format with an exponent, which is written into the tokens; without one the value itself."""
    place = next((i for i, t in checked(enumerate(tokens), 4096) if t[0] in "eE" and t[-1] == "0"), None)
    if place is None:
        return value
    whole = max(sum(1 for t in tokens[:point] if t in "0#"), 1)
    power = (value.adjusted() if value else 0) - whole + 1
    mantissa = rounded_to(value.scaleb(-power), digits)
    if mantissa and mantissa.adjusted() >= whole:
        mantissa, power = mantissa.scaleb(-1), power + 1
    token = tokens[place]
    sign = "-" if power < 0 else "+" if "+" in token else ""
    tokens[place] = f"'{token[0]}{sign}{str(abs(power)).rjust(token.count('0'), '0')}'"
    return mantissa


def _placed(tokens: list[str], point: int, whole: str, fraction: str, grouped: bool, known: Culture) -> str:
    """Digits put into the places of a custom format; the first place takes all digits that have none."""
    places = [i for i, t in enumerate(tokens[:point]) if t in "0#"]
    first_zero = next((n for n, i in enumerate(places) if tokens[i] == "0"), len(places))
    whole = whole.lstrip("0").rjust(len(places) - first_zero, "0")
    if grouped:
        digits = [_with_groups(whole, known), *[""] * (len(places) - 1)]
    else:
        spread = list(whole[len(whole) - len(places) + 1 :]) if len(places) > 1 else []
        head = whole[: max(len(whole) - len(places) + 1, 0)] if len(places) > 1 else whole
        digits = [head, *spread] if len(whole) >= len(places) else [*[""] * (len(places) - len(whole)), *whole]
    shown = dict(zip(places, digits, strict=False))
    decimals = [i for i in range(point, len(tokens)) if tokens[i] in "0#"]
    forced = max((n + 1 for n, i in enumerate(decimals) if tokens[i] == "0"), default=0)
    kept = max(len(fraction.rstrip("0")), forced)
    shown.update((i, fraction[n] if n < kept else "") for n, i in enumerate(decimals))
    return "".join(shown[i] if i in shown else _literal(t, kept > 0, known) for i, t in checked(enumerate(tokens)))


def _literal(token: str, has_fraction: bool, known: Culture) -> str:
    """What a token that is no digit place shows."""
    if token == ".":
        return known.point if has_fraction else ""
    if token == ",":
        return ""
    if token[0] in "'\"" and len(token) > 1:
        return token[1:-1]
    return token[1:] if token[0] == "\\" else token


def _with_groups(whole: str, known: Culture) -> str:
    sizes, parts = list(known.groups), []
    while len(whole) > sizes[0]:
        parts.append(whole[-sizes[0] :])
        whole = whole[: -sizes[0]]
        sizes = sizes[1:] or sizes
    return known.group.join([whole, *reversed(parts)])


# --- dates -------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"d+|M+|y+|h+|H+|m+|s+|f+|F+|t+|z+|K|g+|'[^']*'|\"[^\"]*\"|\\.|%|.",
    re.DOTALL,
)
_FRACTION = 7
_MOST_DIGITS = {"h": 2, "H": 2, "m": 2, "s": 2}
"""Of parts that are shown with so many digits at most, however often their letter stands."""


def _standard_date(letter: str, known: Culture) -> str:
    """The custom format that a standard one stands for. Raises ValueError for a letter that is none."""
    short_date, long_date, short_time, long_time = known.patterns
    month_and_day = "MMMM d" if known.order in ("mdy", "ymd") else "d MMMM"
    found = {
        "d": short_date, "D": long_date, "t": short_time, "T": long_time, "f": f"{long_date} {short_time}",
        "F": f"{long_date} {long_time}", "U": f"{long_date} {long_time}", "g": f"{short_date} {short_time}",
        "G": f"{short_date} {long_time}", "M": month_and_day, "Y": "MMMM yyyy", "s": "yyyy'-'MM'-'dd'T'HH':'mm':'ss",
        "u": "yyyy'-'MM'-'dd HH':'mm':'ss'Z'", "O": "yyyy'-'MM'-'dd'T'HH':'mm':'ss'.'fffffffK",
        "R": "ddd, dd MMM yyyy HH':'mm':'ss 'GMT'",
    }.get(letter.upper() if letter in "mory" else letter)  # fmt: skip
    if found is None:
        raise ValueError(letter)
    return found


def _date(value: Any, pattern: str, known: Culture) -> str:
    if isinstance(value, dt.time):
        return _time_span(value, pattern, known)
    moment = value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)
    if len(pattern) == 1 and pattern in "rRu" and moment.tzinfo is not None:
        moment = moment.astimezone(dt.UTC)
    pieces, known = date_pieces(pattern, known, has_zone=moment.tzinfo is not None)
    return _custom_date(pieces, moment, known)


@lru_cache(256)
def date_pieces(pattern: str, known: Culture, *, has_zone: bool = False) -> tuple[tuple[str, ...], Culture]:
    """The pieces of a format of dates, a standard one by those that it stands for, and the culture in which they are
    written. Raises ValueError for a letter that is no format."""
    if not pattern:
        pattern = _standard_date("G", known) + (" zzz" if has_zone else "")
    elif len(pattern) == 1:
        pattern, known = _standard_date(pattern, known), INVARIANT if pattern in "rRsuoO" else known
    return tuple(_TOKEN.findall(pattern)), known


def _custom_date(tokens: Sequence[str], moment: dt.datetime, known: Culture) -> str:
    """A point before an F without digits goes away with them."""
    text = ""
    for token in tokens:
        part = _date_token(token, moment, known)
        text = text.removesuffix(".") if token[0] == "F" and not part else text + part
    return text


def _time_span(value: dt.time, pattern: str, known: Culture) -> str:
    """time is a .NET TimeSpan: separators have to be escaped, am and pm are unknown."""
    fraction = fraction_text(value, 7)
    if pattern in ("", "c", "t", "T"):
        return f"{value:%H:%M:%S}" + (f".{fraction}" if fraction.strip("0") else "")
    if pattern == "g":
        return f"{value.hour}:{value:%M:%S}" + (f"{known.point}{fraction.rstrip('0')}" if fraction.strip("0") else "")
    if pattern == "G":
        return f"0:{value:%H:%M:%S}{known.point}{fraction}"
    if re.search(r"(?<!\\)[:.]", re.sub(r"'[^']*'", "", pattern)) or re.search(
        r"[HtyMz]", re.sub(r"'[^']*'|\\.", "", pattern)
    ):
        raise ValueError(pattern)
    moment = as_datetime(value)
    tokens = [t.replace("h", "H") if t[0] == "h" else t for t in _TOKEN.findall(pattern)]
    if any(len(t) > _MOST_DIGITS.get(t[0], len(t)) for t in tokens):
        raise ValueError(pattern)
    return "".join(_date_token(token, moment, Culture()) for token in tokens)


def _date_token(token: str, value: dt.datetime, known: Culture) -> str:
    letter, size = token[0], len(token)
    if letter == "d":
        day = known.days[value.isoweekday() % 7]
        short = known.short_days[value.isoweekday() % 7]
        return str(value.day).rjust(size, "0") if size < 3 else short if size == 3 else day
    if letter == "M":
        month = known.months[value.month - 1]
        short = known.short_months[value.month - 1]
        return str(value.month).rjust(size, "0") if size < 3 else short if size == 3 else month
    if letter == "y":
        return str(value.year % 100).rjust(size, "0") if size < 3 else str(value.year).rjust(size, "0")
    if letter in "hHms":
        number = {"h": value.hour % 12 or 12, "H": value.hour, "m": value.minute, "s": value.second}[letter]
        return str(number).rjust(min(size, _MOST_DIGITS[letter]), "0")
    if letter in "fF":
        if size > _FRACTION:
            raise ValueError(token)
        digits = fraction_text(value, size)
        return digits if letter == "f" else digits.rstrip("0")
    if letter == "t":
        noon = known.noon[value.hour >= 12]
        return noon[:1] if size == 1 else noon
    if letter in "zK":
        return _zone(token, value)
    if letter == "g":
        return "A.D."
    if letter in "'\"" and size > 1:
        return token[1:-1]
    if letter == "\\":
        return token[1:]
    if letter == "/":
        return known.date_mark
    return "" if letter == "%" else token


def _zone(token: str, value: dt.datetime) -> str:
    offset = value.utcoffset()
    if offset is None:
        return "" if token == "K" else "+00:00"[: {1: 2, 2: 3}.get(len(token), 6)]
    minutes = int(offset.total_seconds() // 60)
    sign, hours, rest = "-" if minutes < 0 else "+", abs(minutes) // 60, abs(minutes) % 60
    if token == "z":
        return f"{sign}{hours}"
    return f"{sign}{hours:02d}" if token == "zz" else f"{sign}{hours:02d}:{rest:02d}"
