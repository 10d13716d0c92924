"""Conversions: expectations from the pages "CAST and CONVERT", "Date and time data types and functions" and "Data type
conversion" of the SQL Server documentation, and from the descriptions of the error numbers."""

from __future__ import annotations

import datetime as dt
import uuid
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, strategies as st

from sbql.grammar.errors import SqlError
from sbql.grammar.types import (
    BIGINT,
    BIT,
    DATE,
    DATETIME,
    FLOAT,
    INT,
    MONEY,
    NVARCHAR_MAX,
    SMALLINT,
    TINYINT,
    UNIQUEIDENTIFIER,
    VARBINARY_MAX,
    XML,
    SqlType,
    binary,
    char,
    datetime2,
    datetimeoffset,
    decimal,
    nvarchar,
    varbinary,
    varchar,
)
from sbql.grammar.values.conversions import convert, converter

MOMENT = dt.datetime(2006, 4, 25, 15, 50, 59, 997000)
TEXT = varchar(60)

STYLES = [
    (0, "Apr 25 2006  3:50PM"), (1, "04/25/06"), (101, "04/25/2006"), (2, "06.04.25"), (102, "2006.04.25"), (3, "25/04/06"),
    (103, "25/04/2006"), (4, "25.04.06"), (104, "25.04.2006"), (5, "25-04-06"), (105, "25-04-2006"), (6, "25 Apr 06"),
    (106, "25 Apr 2006"), (7, "Apr 25, 06"), (107, "Apr 25, 2006"), (8, "15:50:59"), (108, "15:50:59"),
    (9, "Apr 25 2006  3:50:59:997PM"), (109, "Apr 25 2006  3:50:59:997PM"), (10, "04-25-06"), (110, "04-25-2006"),
    (11, "06/04/25"), (111, "2006/04/25"), (12, "060425"), (112, "20060425"), (13, "25 Apr 2006 15:50:59:997"),
    (113, "25 Apr 2006 15:50:59:997"), (14, "15:50:59:997"), (114, "15:50:59:997"), (20, "2006-04-25 15:50:59"),
    (120, "2006-04-25 15:50:59"), (21, "2006-04-25 15:50:59.997"), (121, "2006-04-25 15:50:59.997"), (23, "2006-04-25"),
    (126, "2006-04-25T15:50:59.997"), (127, "2006-04-25T15:50:59.997"),
]  # fmt: skip


@pytest.mark.parametrize(("style", "expected"), STYLES)
def test_date_styles(style: int, expected: str) -> None:
    assert convert(MOMENT, DATETIME, TEXT, style) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("20060425", dt.datetime(2006, 4, 25)), ("2006-04-25T15:50:59.997", MOMENT), ("2006-04-25 15:50:59.997", MOMENT),
        ("04/25/2006", dt.datetime(2006, 4, 25)), ("4-25-06", dt.datetime(2006, 4, 25)), ("Apr 25 2006  3:50PM", dt.datetime(2006, 4, 25, 15, 50)),
        ("25 April 2006", dt.datetime(2006, 4, 25)), ("April 25, 2006", dt.datetime(2006, 4, 25)), ("060425", dt.datetime(2006, 4, 25)),
        ("14:30", dt.datetime(1900, 1, 1, 14, 30)), ("4 PM", dt.datetime(1900, 1, 1, 16)), ("", dt.datetime(1900, 1, 1)),
        ("1/1/49", dt.datetime(2049, 1, 1)), ("1/1/50", dt.datetime(1950, 1, 1)), ("12:30:20:999", dt.datetime(1900, 1, 1, 12, 30, 21)),
    ],
)  # fmt: skip
def test_text_to_datetime(text: str, expected: dt.datetime) -> None:
    assert convert(text, TEXT, DATETIME) == expected


@pytest.mark.parametrize(
    ("micro", "expected"),
    [
        (999000, "01.000"),
        (998000, "00.997"),
        (995000, "00.997"),
        (994000, "00.993"),
        (992000, "00.993"),
        (991000, "00.990"),
        (990000, "00.990"),
    ],
)
def test_datetime_rounds_to_three_hundredths(micro: int, expected: str) -> None:
    """Page "datetime": 01/01/98 23:59:59.999 and its neighbours."""
    given_value = dt.datetime(1998, 1, 1, 0, 0, 0, micro)
    assert convert(convert(given_value, datetime2(7), DATETIME), DATETIME, TEXT, 121)[-6:] == expected


ERRORS: list[tuple[Any, SqlType, SqlType, int]] = [
    ("abc", TEXT, INT, 245), ("1.5", TEXT, INT, 245), ("99999999999", TEXT, INT, 248), ("300", TEXT, TINYINT, 244),
    ("99999999999999999999", TEXT, BIGINT, 8115), ("x", TEXT, BIGINT, 8114), ("x", TEXT, decimal(5, 2), 8114), ("x", TEXT, FLOAT, 8114),
    ("1234.5", TEXT, decimal(5, 2), 8115), ("x", TEXT, MONEY, 235), ("x", TEXT, UNIQUEIDENTIFIER, 8169), ("x", TEXT, DATETIME, 241),
    ("2006-13-45", TEXT, DATETIME, 242), ("1700-01-01", TEXT, DATETIME, 242), ("x", TEXT, SqlType("smalldatetime"), 295),
    ("<a>", TEXT, XML, 9400), ("<a></b>", TEXT, XML, 9436), ("<a b='1' b='2'/>", TEXT, XML, 9437), ("<p:a/>", TEXT, XML, 9459),
    (300, INT, TINYINT, 220), (40000, INT, SMALLINT, 220), (2**40, BIGINT, INT, 8115), (1e20, FLOAT, INT, 232),
    (12345, INT, nvarchar(3), 8115), (Decimal("1234.50"), decimal(6, 2), varchar(3), 8115), (Decimal("12.0000"), MONEY, varchar(2), 234),
    (uuid.UUID(int=1), UNIQUEIDENTIFIER, varchar(35), 8170), ("maybe", TEXT, BIT, 245),
]  # fmt: skip


@pytest.mark.parametrize(("value", "source", "target", "number"), ERRORS)
def test_values_that_do_not_convert(value: Any, source: SqlType, target: SqlType, number: int) -> None:
    with pytest.raises(SqlError) as caught:
        convert(value, source, target)
    assert caught.value.number == number


@pytest.mark.parametrize(
    ("source", "target", "explicit", "number"),
    [
        (TEXT, varbinary(10), False, 257), (XML, NVARCHAR_MAX, False, 257), (DATETIME, INT, False, 257), (XML, INT, True, 529), (DATE, INT, True, 529),
        (INT, DATE, False, 206), (UNIQUEIDENTIFIER, INT, True, 529), (INT, UNIQUEIDENTIFIER, False, 206), (FLOAT, XML, True, 529),
    ],
)  # fmt: skip
def test_types_that_do_not_convert(source: SqlType, target: SqlType, explicit: bool, number: int) -> None:
    with pytest.raises(SqlError) as caught:
        converter(source, target, None, explicit)
    assert caught.value.number == number


@pytest.mark.parametrize("number", [241, 242, 245, 248, 8114, 8169, 9400, 9436])
def test_conversion_errors_doom_the_transaction(number: int) -> None:
    from sbql.grammar.messages import message

    assert message(number).batch_aborting
    assert message(number).dooms_transaction


@pytest.mark.parametrize("number", [220, 515, 547, 2601, 2627, 2628, 8115, 8134, 8152])
def test_statement_errors_leave_the_transaction(number: int) -> None:
    from sbql.grammar.messages import message

    assert not message(number).batch_aborting
    assert not message(number).dooms_transaction


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (12345, INT, varchar(3), "*"), (Decimal("10.6496"), decimal(6, 4), INT, 10), (Decimal("-10.6496"), decimal(6, 4), INT, -10),
        (Decimal("10.6496"), decimal(6, 4), decimal(4, 0), Decimal("11")), (Decimal("10.3496847"), decimal(9, 7), MONEY, Decimal("10.3497")),
        (-1.9, FLOAT, INT, -1), (Decimal("2.5000"), MONEY, INT, 3), ("  12  ", TEXT, INT, 12), ("", TEXT, INT, 0), ("true", TEXT, BIT, True),
        (0.0, FLOAT, BIT, False), (5, INT, DATETIME, dt.datetime(1900, 1, 6)), (dt.datetime(1900, 1, 1, 13), DATETIME, INT, 1),
        ("abc", varchar(3), char(5), "abc  "), ("abcdef", varchar(6), varchar(3), "abc"), (b"\x01", varbinary(1), binary(3), b"\x01\x00\x00"),
        (1, INT, binary(2), b"\x00\x01"), (0x12345678, INT, varbinary(2), b"\x56\x78"), (b"\x00\x00\x01\x00", varbinary(4), INT, 256),
        ("Name", TEXT, varbinary(8), b"Name"), (b"Name", varbinary(8), varchar(8), "Name"), ("ab", nvarchar(2), varbinary(8), b"a\x00b\x00"),
        (1234567.0, FLOAT, TEXT, "1.23457e+006"), (0.1, FLOAT, TEXT, "0.1"), (Decimal("0.50"), decimal(3, 2), TEXT, "0.50"),
        (Decimal("4235.9800"), MONEY, TEXT, "4235.98"), ("\u0141\u00f3d\u017a", nvarchar(4), varchar(4), "L\u00f3dz"), ("日", nvarchar(1), varchar(1), "?"),
        (dt.datetime(2000, 1, 1, 12, 29, 29, 999000), datetime2(3), SqlType("smalldatetime"), dt.datetime(2000, 1, 1, 12, 30)),
        ("<a> <b></b> </a>", TEXT, XML, "<a><b/></a>"), ("x &amp; y", TEXT, XML, "x &amp; y"), ("$1,234.5", TEXT, MONEY, Decimal("1234.5000")),
    ],
)  # fmt: skip
def test_values(value: Any, source: SqlType, target: SqlType, expected: Any) -> None:
    assert convert(value, source, target) == expected


@pytest.mark.parametrize(("style", "expected"), [(0, "4235.98"), (1, "4,235.98"), (2, "4235.9819")])
def test_money_styles(style: int, expected: str) -> None:
    assert convert(Decimal("4235.9819"), MONEY, TEXT, style) == expected


@pytest.mark.parametrize(("style", "expected"), [(1, "0x4E616D65"), (2, "4E616D65"), (0, "Name")])
def test_binary_styles(style: int, expected: str) -> None:
    """Page "CAST and CONVERT", binary styles: the example with 0x4E616d65."""
    assert convert(b"Name", varbinary(8), TEXT, style) == expected
    assert convert(expected, TEXT, varbinary(8), style) == b"Name"


def test_uniqueidentifier_bytes_have_three_little_endian_fields() -> None:
    value = uuid.UUID("6F9619FF-8B86-D011-B42D-00C04FC964FF")
    expected = bytes.fromhex("FF19966F868B11D0B42D00C04FC964FF")
    assert convert(value, UNIQUEIDENTIFIER, varbinary(16)) == expected
    assert convert(expected, varbinary(16), UNIQUEIDENTIFIER) == value


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xfe<\x00a\x00/\x00>\x00",
        b"<\x00a\x00/\x00>\x00",
        b"<a/>",
        b"\xef\xbb\xbf<a/>",
        b'<?xml version="1.0" encoding="utf-8"?><a/>',
    ],
)
def test_message_bodies_become_xml(data: bytes) -> None:
    assert convert(data, VARBINARY_MAX, XML) == "<a/>"


def test_xml_becomes_utf16_with_a_mark() -> None:
    assert convert("<a/>", XML, VARBINARY_MAX) == b"\xff\xfe<\x00a\x00/\x00>\x00"


def test_declared_encoding_has_to_fit() -> None:
    """varchar that declares UTF-16 and nvarchar that declares UTF-8 cannot switch the encoding."""
    for text, source in (
        ('<?xml version="1.0" encoding="utf-16"?><a/>', TEXT),
        ('<?xml version="1.0" encoding="utf-8"?><a/>', nvarchar(99)),
    ):
        with pytest.raises(SqlError) as caught:
            convert(text, source, XML)
        assert caught.value.number == 9402


def test_offset_is_kept_and_taken_as_utc() -> None:
    value = convert("2007-05-08 12:35:29.1234567 +12:15", TEXT, datetimeoffset(3))
    assert convert(value, datetimeoffset(3), TEXT) == "2007-05-08 12:35:29.123 +12:15"
    assert convert(dt.datetime(2007, 5, 8), DATETIME, datetimeoffset(0)).utcoffset() == dt.timedelta(0)


@given(st.integers(-(2**31), 2**31 - 1))
def test_integers_survive_text_and_bytes(value: int) -> None:
    assert convert(convert(value, INT, TEXT), TEXT, INT) == value
    assert convert(convert(value, INT, VARBINARY_MAX), VARBINARY_MAX, INT) == value


@given(st.uuids())
def test_guids_survive_text_and_bytes(value: uuid.UUID) -> None:
    assert convert(convert(value, UNIQUEIDENTIFIER, TEXT), TEXT, UNIQUEIDENTIFIER) == value
    assert convert(convert(value, UNIQUEIDENTIFIER, VARBINARY_MAX), VARBINARY_MAX, UNIQUEIDENTIFIER) == value


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_national_text_survives_bytes(value: str) -> None:
    assert convert(convert(value, NVARCHAR_MAX, VARBINARY_MAX), VARBINARY_MAX, NVARCHAR_MAX) == value


@given(st.datetimes(dt.datetime(1753, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59)))
def test_datetime_survives_text_and_bytes(value: dt.datetime) -> None:
    rounded = convert(value, datetime2(7), DATETIME)
    assert convert(convert(rounded, DATETIME, TEXT, 121), TEXT, DATETIME) == rounded
    assert convert(convert(rounded, DATETIME, VARBINARY_MAX), VARBINARY_MAX, DATETIME) == rounded


@given(st.decimals(min_value=-(10**10), max_value=10**10, places=4, allow_nan=False))
def test_decimals_survive_text_and_bytes(value: Decimal) -> None:
    wide = decimal(20, 4)
    assert convert(convert(value, wide, TEXT), TEXT, wide) == value
    assert convert(convert(value, wide, VARBINARY_MAX), VARBINARY_MAX, wide) == value
