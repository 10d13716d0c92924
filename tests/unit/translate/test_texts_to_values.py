"""What a query reads from text is what the converter reads: numbers, bits, GUIDs, dates and times, in all spellings
that programs write and in what these become where one character is another one, is missing or comes twice.

DuckDB reads the usual spellings and knows of many texts that they are no value; none of both may differ from
`grammar.values`, which the scalar evaluator has.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from native_sweep import Sweep, type_of

from sbql.grammar.errors import SqlError
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.languages import DateFormat, language_named

SPELLINGS = (
    "0", "7", "-7", "+7", " 12", "12 ", " -12 ", "007", "255", "256", "-0", "32767", "32768", "2147483647", "2147483648", "-2147483648", "9223372036854775807", "9223372036854775808", "99999999999999999999",
    "1.5", "-1.50", "+1.005", ".5", "-.5", "5.", "12.50 ", "99999999.99", "99999999.995", "1e3", "1E-3", "2d2", "1.5e+2", "-0.0", "0.00000000000000001", "123456789012345.678", "1,234.50", "-1,234", "$5", "-$5.25", "$-5", "(5)", "1 234",
    "\u00a35", "\u20ac5", "5\u20ac", "\u0661\u0662", "1\u0662", "\uff11\uff12", "\u00a012", "12\u3000", "1\u20092", "\t12\n", "- 5", "+", "-", ".", "",
    " ", "true", "FALSE", "True ", " false", "yes", "Y", "tr\u00fce", "2", "1.0",
    "6F9619FF-8B86-D011-B42D-00C04FC964FF", "6f9619ff-8b86-d011-b42d-00c04fc964ff", "{6F9619FF-8B86-D011-B42D-00C04FC964FF}", "6F9619FF-8B86-D011-B42D-00C04FC964FFx", "6F9619FF8B86D011B42D00C04FC964FF", "6F9619FF-8B86D011--B42D-00C04FC964FF",
    "2024-02-29", "2024-02-29 13:05", "2024-02-29 13:05:06", "2024-02-29T13:05:06", "2024-02-29 13:05:29.998", "2024-02-29 13:05:29.999", "2024-02-29T13:05:06.123", "2024-02-29 13:05:06.1", "2024-02-29 13:05:06.12", "2024-02-29 13:05:06.0",
    "2024-02-29 13:05:06.1234", "2024-02-29T13:05:06.12345", "2024-02-29 13:05:06.123456", "2024-02-29 13:05:06.1234567", "2024-02-29T13:05:59.9999999", "2024-02-29 23:59:59.9999999", "2024-02-29 23:59:59.99999999", "2024-02-29 23:59:30",
    "2024-02-29T13:05:06Z", "2024-02-29 13:05:06+02:00", "2024-02-29 13:05:06.1234567 -05:30", "2024-02-29Z", "20240229", "20240229 13:05:06", "240229", "2024", "02/29/2024", "29/02/2024", "29.02.2024", "2/3/24", "02/03/2024 13:05", "02/03/2024 13:05:06.5",
    "1899-12-31 23:59:59", "1900-01-01", "2079-06-06 23:59:29", "2079-06-06 23:59:30", "2079-06-07", "0001-01-01", "1752-12-31", "1753-01-01", "9999-12-31 23:59:59.9999999", "9999-12-31 23:59:59.999",
    "Feb 29 2024", "29 February 2024", "29-Feb-24", "2024 FEB 29", "Feb 2024Z", "-Feb 29, 2024", "Thursday, 29 February 2024", "29. M\u00e4rz 2024", "29 okt 2024", "12 de octubre", "\u0444\u0435\u0432\u0440\u0443\u0430\u0440\u0438 2024", "29 Mars 2024 10:00PM",
    "13:05", "13:05:06", "13:05:06.5", "13:05:06.123", "13:05:06.1234567", "23:59:59.9999999", "1:05 PM", "1PM", "12 am", "24:00", "23:59:60", "13:05:06:123", "13:05:06 +02:00",
    "item 5", "AB-12", "O'Brien", "J. von Berg", "user@mail.com", "C:\\x", "50% off", "Za\u017c\u00f3\u0142\u0107 g\u0119\u015bl\u0105", "\u041c\u043e\u0441\u043a\u0432\u0430 12", "\u6771\u4eac\u90fd", "M\u00fcller \u2013 GmbH", "May", "Mark 12", "T", "Z", "10 item", "2024-02-29 x", "2024x", "2024-02-2\uff19", "2024\u201302\u201329",
)  # fmt: skip
"""As programs write values, and words."""

SIGNS = "0159 .,:-+/$eTZam\u00a0\u00e9\uff12\u212a\u0131\x1f\x7f"
"""What comes into a text."""

TARGETS = (
    "tinyint", "smallint", "int", "bigint", "bit", "decimal(10,2)", "decimal(38,6)", "decimal(5,5)", "decimal(3,0)", "money", "smallmoney", "float", "real", "uniqueidentifier",
    "date", "datetime", "smalldatetime", "datetime2(0)", "datetime2(3)", "datetime2(5)", "datetime2(7)", "time(0)", "time(3)", "time(6)", "time(7)", "datetimeoffset(0)", "datetimeoffset(3)", "datetimeoffset(7)",
)  # fmt: skip
SOURCES = ("varchar(60)", "nvarchar(60)", "char(60)")
SETTINGS = (
    ("", ""),
    ("SET LANGUAGE German", "German"),
    ("SET LANGUAGE Bulgarian", "Bulgarian"),
    ("SET LANGUAGE Japanese", "Japanese"),
    ("SET DATEFORMAT dmy", "dmy"),
    ("SET DATEFORMAT ydm", "ydm"),
)


@cache
def _texts() -> list[str]:
    """The spellings, and each with a character changed, at a few places that chance picks."""
    chance, found = random.Random(7), dict.fromkeys(SPELLINGS)
    for text in SPELLINGS:
        for _ in range(5):
            at, sign = chance.randint(0, len(text)), chance.choice(SIGNS)
            found |= dict.fromkeys(
                [text[:at] + sign + text[at:], text[:at] + text[at + 1 :], text[:at] + sign + text[at + 1 :]]
            )
        found |= dict.fromkeys([text + " ", " " + text, text.swapcase(), text + text])
    return [text for text in found if len(text) <= 60]


@pytest.fixture(scope="module")
def sweep() -> Iterator[Sweep]:
    found = Sweep()
    for i, source in enumerate(SOURCES):
        found.run(f"CREATE TABLE dbo.texts{i} (k int PRIMARY KEY, s {source})")
        rows = [f"({k}, N'{text.replace(chr(39), chr(39) * 2)}')" for k, text in enumerate(_stored(source))]
        for start in range(0, len(rows), 900):
            found.run(f"INSERT dbo.texts{i} VALUES {', '.join(rows[start : start + 900])}")
    yield found
    found.close()


@cache
def _stored(source: str) -> list[str]:
    """The texts as a column of this type has them."""
    run = converter(SqlType("nvarchar", length=MAX), type_of(source))
    return _texts() if run is None else [run(text) for text in _texts()]


def _converted(source: str, target: str, style: int | None, dates: DateFormat) -> list[Any]:
    """The values, None where a text has none."""
    run, found = converter(type_of(source), type_of(target), style, dates=dates), []
    assert run is not None
    for text in _stored(source):
        try:
            found.append(run(text))
        except SqlError:
            found.append(None)
    return found


def _differences(sweep: Sweep, source: str, target: str, style: int | None, dates: DateFormat) -> list[str]:
    """Of TRY_CAST, and of CAST of what has a value."""
    name, wanted = f"dbo.texts{SOURCES.index(source)}", _converted(source, target, style, dates)
    tried, cast = (
        (f"TRY_CAST(s AS {target})", f"CAST(s AS {target})")
        if style is None
        else (f"TRY_CONVERT({target}, s, {style})", f"CONVERT({target}, s, {style})")
    )
    rows = sweep.run(f"SELECT k, {tried} FROM {name}")[0].rows
    found = [
        f"{tried} of {_stored(source)[k]!r}: {wanted[k]!r}, in a query {value!r}"
        for k, value in rows
        if repr(value) != repr(wanted[k])
    ]
    having = ", ".join(str(k) for k, value in enumerate(wanted) if value is not None)
    rows = sweep.run(f"SELECT k, {cast} FROM {name} WHERE k IN ({having})")[0].rows
    return found + [
        f"{cast} of {_stored(source)[k]!r}: {wanted[k]!r}, in a query {value!r}"
        for k, value in rows
        if repr(value) != repr(wanted[k])
    ]


def _dates(named: str) -> DateFormat:
    if named.islower() and named:
        return DateFormat(named)
    language = language_named(named) if named else None
    return DateFormat() if language is None else DateFormat(language.dateformat, language)


@pytest.mark.matrix
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("target", TARGETS)
def test_texts_become_what_the_converter_makes_of_them(sweep: Sweep, source: str, target: str) -> None:
    found = _differences(sweep, source, target, None, DateFormat())
    assert not found, "\n".join(found[:20])


@pytest.mark.matrix
@pytest.mark.parametrize(("setting", "named"), SETTINGS[1:])
@pytest.mark.parametrize("target", [t for t in TARGETS if t.startswith(("date", "time", "small"))])
def test_dates_are_read_in_the_language_and_order_of_the_session(
    sweep: Sweep, target: str, setting: str, named: str
) -> None:
    sweep.run(setting)
    try:
        found = _differences(sweep, "nvarchar(60)", target, None, _dates(named))
    finally:
        sweep.run("SET LANGUAGE us_english; SET DATEFORMAT mdy")
    assert not found, "\n".join(found[:20])


@pytest.mark.matrix
@pytest.mark.parametrize("style", [0, 3, 20, 23, 101, 103, 104, 112, 120, 121, 126, 130])
@pytest.mark.parametrize(
    "target", ["date", "datetime", "smalldatetime", "datetime2(3)", "time(3)", "datetimeoffset(3)"]
)
def test_dates_are_read_in_a_style(sweep: Sweep, target: str, style: int) -> None:
    found = _differences(sweep, "varchar(60)", target, style, DateFormat())
    assert not found, "\n".join(found[:20])


CHECKS = (
    "ISNUMERIC(a0)",
    "ISDATE(a0)",
    *(
        f"TRY_PARSE(a0 AS {target})"
        for target in ("int", "decimal(18,2)", "money", "float", "date", "datetime", "datetime2(3)")
    ),
)


@pytest.mark.matrix
@pytest.mark.parametrize("setting", [setting for setting, _ in SETTINGS])
@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("call", CHECKS)
def test_functions_of_texts_are_what_scalars_say(sweep: Sweep, call: str, source: str, setting: str) -> None:
    sweep.run(setting or "SET LANGUAGE us_english")
    try:
        wanted = sweep.by_texts(call, source, _stored(source))
        rows = dict(sweep.run(f"SELECT k, {call.replace('a0', 's')} FROM dbo.texts{SOURCES.index(source)}")[0].rows)
    finally:
        sweep.run("SET LANGUAGE us_english; SET DATEFORMAT mdy")
    found = [
        f"{call} of {text!r}: {wanted[k]!r}, in a query {rows[k]!r}"
        for k, text in enumerate(_stored(source))
        if repr(wanted[k]) != repr(rows[k])
    ]
    assert not found, "\n".join(found[:20])
