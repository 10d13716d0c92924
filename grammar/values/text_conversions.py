"""Text conversions: every type to a character type and back.

It decides length (cutting, padding, the star of a number that does not fit), the code page, and which error a text
causes that is not a value of the target type.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from typing import Any

from sbql.grammar.digits import whole
from sbql.grammar.errors import sql_error
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.binary import decode_utf16
from sbql.grammar.values.date_styles import date_to_text
from sbql.grammar.values.date_text import parse_date_text
from sbql.grammar.values.dates import to_date_type
from sbql.grammar.values.kinds import code_page, is_national, kind, spelled
from sbql.grammar.values.languages import DateFormat
from sbql.grammar.values.numbers import (
    decimal_text,
    float_text,
    money_text,
    parse_decimal,
    parse_float,
    parse_integer,
    parse_money,
)
from sbql.grammar.values.utf16 import unit_slice, utf16_length
from sbql.grammar.values.xml_text import parse_xml, protected

__all__ = ["cut_text", "from_text", "hex_bytes", "to_text", "xml_style"]

_GUID = re.compile(
    r"\{?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})(?:\}.*|(?!\}).*)?", re.IGNORECASE | re.DOTALL
)


def cut_text(value: str, length: int, national: bool) -> str:
    """The first `length` characters (UTF-16 units for a national type, so that a pair is never half kept … nor
    lost)."""
    if len(value) * 2 <= length or (len(value) <= length and (not national or value.isascii())):
        return value
    return unit_slice(value, 0, length) if national else value[:length]


def pad(value: str, length: int, national: bool) -> str:
    """A char or nchar value: blanks up to its length."""
    return value + " " * (length - (utf16_length(value) if national else len(value)))


def _fitted(render: Callable[[Any], str] | None, source: SqlType, target: SqlType) -> Callable[[Any], str] | None:
    """`render`, followed by what the length, padding and code page of the target ask for; None when that is nothing."""
    national, fixed = is_national(target), target.name in ("char", "nchar")
    page = code_page(target)
    if not national and page.counts_bytes:
        return _fitted_bytes(render, source, target)
    length = MAX if target.name in ("text", "ntext") else target.length or 1
    from_string = kind(source) == "string"
    narrows = from_string and (is_national(source) or code_page(source) is not page) and not national
    own = source.length if from_string and source.length is not None and source.name not in ("text", "ntext") else None
    if own == MAX:
        own = None
    cuts = length != MAX and (own is None or own > length or is_national(source) < national)
    if from_string and not narrows and not cuts and not (fixed and source.name != target.name) and own == length:
        return None
    if from_string and not narrows and not cuts and not fixed:
        return None

    def run(value: Any) -> str:
        text: str = value if render is None else render(value)
        if narrows:
            text = page.narrowed(text)
        if cuts:
            text = cut_text(text, length, national)
        return pad(text, length, national) if fixed else text

    return run


def _fitted_bytes(render: Callable[[Any], str] | None, source: SqlType, target: SqlType) -> Callable[[Any], str] | None:
    """The same for a target of a code page that has several bytes for a character."""
    page = code_page(target)
    fixed, length = target.name == "char", MAX if target.name == "text" else target.length or 1
    from_string = kind(source) == "string"
    narrows = from_string and (is_national(source) or code_page(source) is not page)
    fits = length == MAX or (not narrows and source.length not in (MAX, None) and (source.length or 0) <= length)
    if from_string and fits and not fixed and not narrows:
        return None

    def run(value: Any) -> str:
        text: str = value if render is None else render(value)
        if narrows:
            text = page.narrowed(text)
        if length != MAX:
            text = page.cut(text, length)
        return text + " " * (length - page.size(text)) if fixed else text

    return run


def to_text(source: SqlType, target: SqlType, style: int | None, dates: DateFormat) -> Callable[[Any], str] | None:
    """The function that makes a character value of type `target`; None when the value stays as it is."""
    family = kind(source)
    if family == "string":
        return _fitted(None, source, target)
    if family == "int":
        return _fitted(_limited(str, source, target, star=not is_national(target)), source, target)
    if family == "bit":
        return _fitted(_limited(lambda v: "1" if v else "0", source, target, star=True), source, target)
    if family in ("decimal", "money", "float"):
        return _fitted(_limited(_number_text(source, style or 0), source, target, star=False), source, target)
    if family == "guid":
        return _fitted(_guid_text(target), source, target)
    if family == "binary":
        return _fitted(_binary_text(source, target, style or 0), source, target)
    if family == "xml":
        if style not in (None, 0, 1):
            raise sql_error(6360, style)
        return _whole_xml(target, is_protected=style != 1)
    if style is not None:
        date_to_text(_SAMPLE[family], source, style)  # an unknown style fails at once
    months = dates.language.short_months
    if (style == _HIJRI or not "".join(months).isascii()) and not is_national(target):
        page = code_page(target)
        return _fitted(lambda v: page.narrowed(date_to_text(v, source, style, months)), source, target)
    return _fitted(lambda v: date_to_text(v, source, style, months), source, target)


_HIJRI = 130
"""The style with Arabic names of months."""


def _whole_xml(target: SqlType, *, is_protected: bool) -> Callable[[Any], str]:
    """XML is never cut (6354), and characters that the code page lacks are not replaced (6355).
    Style 1 protects no white space."""
    length, national, page = target.length, is_national(target), code_page(target)

    def run(value: str) -> str:
        value = protected(value) if is_protected else value
        if not national and page.narrowed(value) != value:
            raise sql_error(6355)
        if length is not None and length != MAX and (utf16_length(value) if national else page.size(value)) > length:
            raise sql_error(6354)
        return pad(value, length, national) if target.name in ("char", "nchar") and length else value

    return run


def _number_text(source: SqlType, style: int) -> Callable[[Any], str]:
    family = kind(source)
    if family == "decimal":
        return decimal_text
    if family == "money":
        return lambda v: money_text(v, style)
    return lambda v: float_text(v, style, single=source.name == "real")


def _limited(render: Callable[[Any], str], source: SqlType, target: SqlType, *, star: bool) -> Callable[[Any], str]:
    """Numbers are never cut: an integer becomes `*`, everything else fails (8115, money 234, float
    in text that is not national 232)."""
    length = target.length
    if length is None or length == MAX:
        return render

    def run(value: Any) -> str:
        text = render(value)
        if len(text) <= length:
            return text
        if star:
            return "*"
        if kind(source) == "money":
            raise sql_error(234, target.name)
        if kind(source) == "float" and not is_national(target):
            raise sql_error(232, target.name, f"{value:f}")
        raise sql_error(8115, "expression" if kind(source) == "int" else spelled(source), target.name)

    return run


def _guid_text(target: SqlType) -> Callable[[Any], str]:
    length = target.length
    if length is not None and length != MAX and length < 36:

        def fail(value: Any) -> str:
            raise sql_error(8170)

        return fail
    return lambda v: str(v).upper()


def _binary_text(source: SqlType, target: SqlType, style: int) -> Callable[[Any], str]:
    """Style 0 keeps the bytes, 1 and 2 write them as digits. Raises 9809 for others."""
    if style not in (0, 1, 2):
        raise sql_error(9809, style, spelled(source), spelled(target))
    if style == 1:
        return lambda v: hex_text(v, "0x")
    if style == 2:
        return lambda v: hex_text(v, "")
    return decode_utf16 if is_national(target) else code_page(target).decode


def hex_text(data: bytes, prefix: str) -> str:
    return prefix + data.hex().upper()


def hex_bytes(value: str, style: int, source: SqlType) -> bytes:
    """Style 1 (`0xAB`) and 2 (`AB`) of CONVERT to binary. Raises 8114."""
    digits = value.rstrip(" ")
    if style == 1:
        if not digits[:2].lower() == "0x":
            raise sql_error(8114, spelled(source), "varbinary")
        digits = digits[2:]
    if len(digits) % 2 or re.fullmatch(r"[0-9a-fA-F]*", digits) is None:
        raise sql_error(8114, spelled(source), "varbinary")
    return bytes.fromhex(digits)


def from_text(source: SqlType, target: SqlType, style: int | None, dates: DateFormat) -> Callable[[str], Any]:
    """The function that reads a value of type `target` from text."""
    family, name = kind(target), target.name
    if family == "int":
        return lambda v: parse_integer(v, source, name)
    if family == "bit":
        return lambda v: _bit(v, source)
    if family == "decimal":
        return lambda v: parse_decimal(v, source, target)
    if family == "float":
        return lambda v: parse_float(v, source, name)
    if family == "money":
        return lambda v: parse_money(v, name)
    if family == "guid":
        return _guid
    if family == "xml":
        preserve, has_dtd = xml_style(style)
        national = is_national(source)
        return lambda v: parse_xml(v, preserve=preserve, is_national=national, may_have_dtd=has_dtd)
    return lambda v: _date(v, source, target, style or 0, dates)


def xml_style(style: int | None) -> tuple[bool, bool]:
    """Whether a style of CONVERT to xml keeps white space, and whether it reads an internal DTD. Raises 6358."""
    if style not in (None, 0, 1, 2, 3):
        raise sql_error(6358, style)
    return bool((style or 0) & 1), bool((style or 0) & 2)


def _bit(value: str, source: SqlType) -> bool:
    word = value.strip().lower()
    if word in ("true", "false"):
        return word == "true"
    if re.fullmatch(r"[+-]?\d*", word) is None or word in ("+", "-"):
        raise sql_error(245, spelled(source), value, "bit")
    return bool(whole(word or "0"))


def _guid(value: str) -> uuid.UUID:
    """36 characters, braces allowed; what follows them is ignored, as on SQL Server."""
    found = _GUID.match(value)
    if found is None or (value[:1] == "{" and value[37:38] != "}"):
        raise sql_error(8169)
    return uuid.UUID(found[1])


def _date(value: str, source: SqlType, target: SqlType, style: int, dates: DateFormat) -> Any:
    name = target.name
    new_type = name not in ("datetime", "smalldatetime")
    parsed = parse_date_text(value, dates=dates, style=style, iso_is_fixed=new_type)
    if parsed is None:
        if not new_type and _looks_like_date(value):
            raise sql_error(242, spelled(source), name)
        raise sql_error(295 if name == "smalldatetime" else 241)
    moment, zone = parsed
    if not new_type and zone is not None and not value.strip().upper().endswith("Z"):
        raise sql_error(241 if name == "datetime" else 295)
    if zone is not None and name == "datetimeoffset":
        return to_date_type(moment.replace(tzinfo=zone), target, spelled(source))
    if not new_type and _fraction_digits(value) > 3:
        raise sql_error(241 if name == "datetime" else 295)
    return to_date_type(moment, target, spelled(source))


def _fraction_digits(value: str) -> int:
    found = re.search(r":\d{1,2}\.(\d+)", value)
    return len(found[1]) if found else 0


def _looks_like_date(value: str) -> bool:
    """Written as a date whose numbers are out of range: 242 and not 241."""
    return (
        re.match(r"\s*(?:\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}|\d{8}\b|\d{6}\b)(?:[ t]\d{1,2}:\d{1,2}.*)?\s*$", value, re.I)
        is not None
    )


def _samples() -> dict[str, Any]:
    import datetime as dt

    moment = dt.datetime(2000, 1, 1)
    return {
        "date": moment.date(), "time": moment.time(), "datetime": moment, "datetime2": moment,
        "datetimeoffset": moment.replace(tzinfo=dt.UTC),
    }  # fmt: skip


_SAMPLE = _samples()
