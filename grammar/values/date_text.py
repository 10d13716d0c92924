"""Reading dates from text: all the spellings that a string may have when it becomes a date or time.

It decides which of month, day and year comes first (SET DATEFORMAT, default mdy; or the CONVERT style), two-digit years
(50 to 99 are 19xx) and what is no date at all. It must not know which error that is: the caller raises it.
"""

from __future__ import annotations

import datetime as dt
import re

from sbql.grammar.values.hijri import from_hijri, hijri_month
from sbql.grammar.values.languages import DEFAULT_DATES, DateFormat
from sbql.grammar.values.ticks import with_tick

__all__ = ["LONGEST_DATE", "parse_date_text"]

LONGEST_DATE = 4000
"""Characters of a text that can be a date, without the blanks at its ends: none is looked for in a document."""

_TIME = re.compile(
    r"(?P<hour>\d{1,2})(?::(?P<minute>\d{1,2})(?::(?P<second>\d{1,2})(?:\.(?P<fraction>\d{1,7})|:(?P<milliseconds>\d{1,3}))?)?)?"
    r"\s*(?P<half>[ap]m?)?",
    re.IGNORECASE,
)
_OFFSET = re.compile(
    r"(?<!\s)\s*+(?:(?P<zulu>z)|(?P<sign>[+-])(?P<hours>\d{1,2}):(?P<minutes>\d{1,2}))\s*+$", re.IGNORECASE
)
_ISO = re.compile(r"^(\d{4})-(\d{1,2})-(\d{1,2})(?:t|\s+|$)", re.IGNORECASE)
_PACKED = re.compile(r"^(\d{8}|\d{6}|\d{4})(?=\s|t\d|$)", re.IGNORECASE)
_NUMERIC = re.compile(r"^(\d{1,4})\s*([-/.])\s*(\d{1,4})\s*\2\s*(\d{1,4})(?=\s|t\d|$)", re.IGNORECASE)
_TOKEN = re.compile(
    r"(?P<number>\d{4}|\d{1,2})(?!\d|:|\s*[ap]m?\b)|(?P<word>[^\W\d_]{1,12})(?![^\W\d_])", re.IGNORECASE
)
_BETWEEN = re.compile(r"[\s,.-]*")

_STYLE_ORDERS = {
    1: "mdy", 101: "mdy", 2: "ymd", 102: "ymd", 3: "dmy", 103: "dmy", 4: "dmy", 104: "dmy", 5: "dmy", 105: "dmy",
    10: "mdy", 110: "mdy", 11: "ymd", 111: "ymd", 12: "ymd", 112: "ymd", 13: "dmy", 113: "dmy", 20: "ymd", 120: "ymd",
    21: "ymd", 25: "ymd", 121: "ymd", 23: "ymd", 126: "ymd", 127: "ymd",
}  # fmt: skip

_TWO_DIGIT_CUTOFF = 50

Parsed = tuple[dt.datetime, dt.timezone | None]


def parse_date_text(
    text: str, *, dates: DateFormat = DEFAULT_DATES, style: int = 0, iso_is_fixed: bool = True
) -> Parsed | None:
    """The date, time and offset that `text` spells, or None when it spells none.

    `dates` says in which order numbers stand and what months are called. `iso_is_fixed` says that yyyy-mm-dd means just
    that in any order (date, time, datetime2, datetimeoffset); datetime and smalldatetime follow the order for the last
    two parts. Missing date: 1900-01-01. Missing time: midnight.
    """
    text = text.strip()
    if not text:
        return dt.datetime(1900, 1, 1), None
    if len(text) > LONGEST_DATE:
        return None
    if style in (130, 131):
        named = _from_hijri(text)
        if named is None:
            return None
        text = named
    dates = dates._replace(order=_STYLE_ORDERS.get(style, dates.order))
    zone: dt.timezone | None = None
    offset = _OFFSET.search(text)
    if offset is not None and (":" in text[: offset.start()] or (offset["zulu"] and "t" in text.lower())):
        zone_found = _zone(offset)
        if zone_found is None:
            return None
        zone = zone_found
        text = text[: offset.start()]
    try:
        found = _date_and_time(text, dates, iso_is_fixed)
    except ValueError:
        return None
    return None if found is None else (found, zone)


_HIJRI = re.compile(
    r"(?P<day>\d{1,2})(?:[-/.]|\s+)(?P<month>\d{1,2}|[^\W\d]+(?: [^\W\d]+)?)(?:[-/.]|\s+)(?P<year>\d{4})(?P<rest>.*)",
    re.DOTALL,
)


def _from_hijri(text: str) -> str | None:
    """The text with its Hijri date, which stands first, as one of the Gregorian calendar."""
    found = _HIJRI.fullmatch(text)
    month = hijri_month(found["month"]) if found is not None else None
    day = from_hijri(int(found["year"]), month, int(found["day"])) if found is not None and month else None
    return None if day is None or found is None else f"{day:%Y%m%d}{found['rest']}"


def _zone(found: re.Match[str]) -> dt.timezone | None:
    if found["zulu"]:
        return dt.UTC
    hours, minutes = int(found["hours"]), int(found["minutes"])
    if minutes > 59 or hours * 60 + minutes > 14 * 60:
        return None
    delta = dt.timedelta(hours=hours, minutes=minutes)
    return dt.timezone(-delta if found["sign"] == "-" else delta)


def _date_and_time(text: str, dates: DateFormat, iso_is_fixed: bool) -> dt.datetime | None:
    whole_time = _TIME.fullmatch(text)
    if whole_time is not None and (whole_time["minute"] or whole_time["half"]):
        day, rest = dt.date(1900, 1, 1), text
    else:
        split = _date(text, dates, iso_is_fixed)
        if split is None:
            return None
        day, rest = split
        rest = rest.strip()
        if rest[:1] in ("T", "t"):
            rest = rest[1:]
    if not rest:
        return dt.datetime(day.year, day.month, day.day)
    clock = _TIME.fullmatch(rest)
    if clock is None or not (clock["minute"] or clock["half"]):
        return None
    return _with_time(day, clock)


def _date(text: str, dates: DateFormat, iso_is_fixed: bool) -> tuple[dt.date, str] | None:
    """The date at the start of the text, and what follows it."""
    order = dates.order
    found = _ISO.match(text)
    if found is not None:
        year, second, third = (int(g) for g in found.groups())
        month, day = (
            (third, second)
            if order.find("d") < order.find("m") and not iso_is_fixed and "T" not in text.upper()
            else (second, third)
        )
        return dt.date(year, month, day), text[found.end(3) :]
    named = _alphabetic(text, dates.language.month_numbers)
    if named is not None:
        return named
    found = _PACKED.match(text)
    if found is not None:
        return _packed(found[1]), text[found.end() :]
    found = _NUMERIC.match(text)
    if found is not None:
        return _numeric(found[1], found[3], found[4], order), text[found.end() :]
    return None


def _year(digits: str) -> int:
    number = int(digits)
    if len(digits) > 2:
        return number
    return number + (1900 if number >= _TWO_DIGIT_CUTOFF else 2000)


def _packed(digits: str) -> dt.date:
    if len(digits) == 4:
        return dt.date(int(digits), 1, 1)
    if len(digits) == 6:
        return dt.date(_year(digits[:2]), int(digits[2:4]), int(digits[4:]))
    return dt.date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))


def _numeric(first: str, second: str, third: str, order: str) -> dt.date:
    """A number of four digits is the year wherever it stands; `order` then says which of the others is the month."""
    texts = (first, second, third)
    years = [position for position, text in enumerate(texts) if len(text) == 4]
    if len(years) > 1 or any(len(text) == 3 for text in texts):
        raise ValueError
    if years:
        others = order.replace("y", "")
        order = others[: years[0]] + "y" + others[years[0] :]
    parts = dict(zip(order, texts, strict=True))
    return dt.date(_year(parts["y"]), int(parts["m"]), int(parts["d"]))


def _alphabetic(text: str, names: dict[str, int]) -> tuple[dt.date, str] | None:
    """A date with the name of its month: `Oct 12, 2024`, `12 Oct 2024`, `Oct 2024`, `12-Oct-24`, `2024 OCT 12`, `12
    2024 oct`."""
    numbers: list[str] = []
    month, after_month, end = 0, False, 0
    while len(numbers) + bool(month) < 3:
        start = _BETWEEN.match(text, end)
        token = _TOKEN.match(text, start.end() if start is not None else end)
        if token is None or (token["word"] and (month or token["word"].lower() not in names)):
            break
        if token["word"]:
            month = names[token["word"].lower()]
        elif len(numbers) < 2:
            numbers.append(token["number"])
            after_month = month > 0
        else:
            break
        end = token.end()
    if not month:
        return None
    years = [number for number in numbers if len(number) == 4]
    if len(years) > 1 or not numbers or (len(numbers) == 1 and not years and not after_month):
        raise ValueError
    year = (
        years[0] if years else numbers[-1]
    )  # `Oct 12` alone is a month of the year 2012 in SQL Server, as `Oct 2012` is.
    days = [number for number in numbers if number is not year]
    return dt.date(_year(year), month, int(days[0]) if days else 1), text[end:].lstrip(",. ")


def _with_time(day: dt.date, found: re.Match[str]) -> dt.datetime:
    hour, minute, second = int(found["hour"]), int(found["minute"] or 0), int(found["second"] or 0)
    half = (found["half"] or "").lower()
    if half:
        if not 0 <= hour <= 23 or (hour > 12 and half.startswith("a")):
            raise ValueError
        if half.startswith("p") and hour < 12:
            hour += 12
        elif half.startswith("a") and hour == 12:
            hour = 0
    ticks = int((found["fraction"] or "").ljust(7, "0"))
    if found["milliseconds"]:
        ticks = int(found["milliseconds"]) * 10_000
    return with_tick(dt.datetime(day.year, day.month, day.day, hour, minute, second, ticks // 10), ticks % 10)
