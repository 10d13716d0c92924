"""Types: every SQL type has a stored type, values come back as they went in, spellings are read."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest

from sbql.catalog.duck_types import (
    decoder,
    duck_type,
    from_store,
    is_plain,
    is_units,
    parse_type,
    quote,
    quote_literal,
    to_store,
)
from sbql.catalog.type_facets import SYSTEM_TYPES, facets
from sbql.grammar.types import MAX, SQL_VARIANT, SqlType, Variant, datetime2, datetimeoffset, decimal, nvarchar
from sbql.grammar.values.ticks import with_tick

ALL = [
    ("bit", "BOOLEAN"), ("tinyint", "UTINYINT"), ("smallint", "SMALLINT"), ("int", "INTEGER"), ("bigint", "BIGINT"),
    ("decimal(10,2)", "DECIMAL(10,2)"), ("numeric(38,0)", "DECIMAL(38,0)"), ("money", "DECIMAL(19,4)"),
    ("smallmoney", "DECIMAL(10,4)"), ("float", "DOUBLE"), ("real", "FLOAT"), ("char(3)", "VARCHAR"),
    ("nvarchar(max)", "VARCHAR"), ("text", "VARCHAR"), ("ntext", "VARCHAR"), ("xml", "VARCHAR"), ("binary(8)", "BLOB"),
    ("varbinary(max)", "BLOB"), ("image", "BLOB"), ("rowversion", "BLOB"), ("date", "DATE"), ("time(6)", "TIME"),
    ("datetime", "TIMESTAMP"), ("smalldatetime", "TIMESTAMP"), ("datetime2(6)", "TIMESTAMP"), ("uniqueidentifier", "UUID"),
]  # fmt: skip


@pytest.mark.parametrize(("spelling", "stored"), ALL)
def test_stored_types(spelling: str, stored: str) -> None:
    parsed = parse_type(spelling)
    assert duck_type(parsed) == stored
    assert is_plain(parsed) != is_units(parsed)
    assert (decoder(parsed) is None) == is_plain(parsed)


@pytest.mark.parametrize("spelling", ["nchar(9)", "nvarchar(9)", "ntext", "sysname", "xml"])
@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("abc", "abc"), ("é漢😀\ue000\U0010ffff", "é漢😀\ue000\U0010ffff"), ("a\ud800", "a\U0010f000"), ("\udfffb", "\U0010f7ffb"),
        ("\ude00\ud83d", "\U0010f600\U0010f03d"), ("\U0010f000", "\U0010f3fc\U0010f400"),
    ],
)  # fmt: skip
def test_halves_have_a_stored_form(spelling: str, text: str, stored: str) -> None:
    parsed = parse_type(spelling)
    assert to_store(text, parsed) == stored
    assert from_store(stored, parsed) == text


def test_a_decimal_without_a_size_is_whole() -> None:
    assert parse_type("decimal") == decimal(18, 0)
    assert (parse_type("numeric").name, parse_type("numeric").spelling) == ("decimal", "numeric")


def test_two_halves_that_duckdb_joins_are_their_character() -> None:
    joined = to_store("a\ud83d", nvarchar(9)) + to_store("\ude00b", nvarchar(9))
    assert from_store(joined, nvarchar(9)) == "a😀b"


MOMENT = with_tick(dt.datetime(2020, 1, 1, 0, 30, 0, 123456), 7)
TO_THE_TICK: list[tuple[str, str, Any, Any]] = [
    ("datetime2(7)", "BIGINT", MOMENT, 637134354001234567), ("datetime2", "BIGINT", dt.datetime(1, 1, 1), 0),
    ("datetime2(7)", "BIGINT", with_tick(dt.datetime.max, 9), 3155378975999999999),
    ("time(7)", "BIGINT", MOMENT.time(), 18001234567), ("time", "BIGINT", with_tick(dt.time.max, 9), 863999999999),
    ("datetimeoffset(7)", "STRUCT(utc BIGINT, minutes SMALLINT)", MOMENT.replace(tzinfo=dt.timezone(dt.timedelta(hours=1))),
     {"utc": 637134318001234567, "minutes": 60}),
    ("datetimeoffset(6)", "STRUCT(utc TIMESTAMP, minutes SMALLINT)", dt.datetime(2020, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=-1))),
     {"utc": dt.datetime(2020, 1, 1, 1), "minutes": -60}),
]  # fmt: skip


@pytest.mark.parametrize(("spelling", "stored", "value", "form"), TO_THE_TICK)
def test_seven_digits_are_counted(spelling: str, stored: str, value: Any, form: Any) -> None:
    parsed = parse_type(spelling)
    assert duck_type(parsed) == stored
    assert not is_plain(parsed)
    assert to_store(value, parsed) == form
    back = from_store(form, parsed)
    assert back == value and repr(back) == repr(value)


VALUES: list[tuple[SqlType, Any]] = [
    (SqlType("bit"), True), (SqlType("int"), -5), (decimal(10, 2), Decimal("1.20")), (SqlType("float"), 0.1),
    (nvarchar(10), "ab'c"), (SqlType("varbinary", length=MAX), b"\x00\xff"), (SqlType("date"), dt.date(2020, 1, 2)),
    (SqlType("time", scale=7), dt.time(1, 2, 3, 4)), (datetime2(), dt.datetime(2020, 1, 2, 3, 4, 5, 6)),
    (datetime2(), MOMENT), (SqlType("time", scale=7), MOMENT.time()), (datetimeoffset(), MOMENT.replace(tzinfo=dt.UTC)),
    (SqlType("uniqueidentifier"), UUID(int=5)),
    (datetimeoffset(), dt.datetime(2020, 1, 1, tzinfo=dt.timezone(dt.timedelta(hours=5, minutes=30)))),
    (nvarchar(10).with_collation("Latin1_General_BIN"), "x"),
]  # fmt: skip


@pytest.mark.parametrize(("sql_type", "value"), VALUES)
def test_variants_keep_type_and_value(sql_type: SqlType, value: Any) -> None:
    variant = Variant(sql_type, value)
    assert from_store(to_store(variant, SQL_VARIANT), SQL_VARIANT) == variant


def test_offsets_survive() -> None:
    value = dt.datetime(2020, 1, 1, 0, 30, tzinfo=dt.timezone(dt.timedelta(hours=1)))
    stored = to_store(value, datetimeoffset())
    assert stored == {"utc": 637134318000000000, "minutes": 60}
    back = from_store(stored, datetimeoffset())
    assert (back, back.utcoffset()) == (value, value.utcoffset())


def test_null_is_null() -> None:
    for sql_type in (SQL_VARIANT, datetimeoffset(), nvarchar(5)):
        assert to_store(None, sql_type) is None
        assert from_store(None, sql_type) is None


def test_spellings() -> None:
    assert parse_type("sysname") == nvarchar(128)
    assert parse_type(" NVARCHAR ( MAX ) collate Latin1_General_BIN ") == SqlType(
        "nvarchar", length=MAX, collation="Latin1_General_BIN"
    )
    with pytest.raises(ValueError, match="not a type"):
        parse_type("two words")


@pytest.mark.parametrize(
    ("spelling", "expected"),
    [
        ("int", (56, 4, 10, 0)), ("nvarchar(20)", (231, 40, 0, 0)), ("varchar(max)", (167, -1, 0, 0)),
        ("decimal(10,2)", (106, 9, 10, 2)), ("datetime2(7)", (42, 8, 27, 7)), ("datetime2(0)", (42, 6, 19, 0)),
        ("time(3)", (41, 4, 12, 3)), ("datetimeoffset(7)", (43, 10, 34, 7)), ("xml", (241, -1, 0, 0)),
        ("rowversion", (189, 8, 0, 0)),
    ],
)  # fmt: skip
def test_facets(spelling: str, expected: tuple[int, ...]) -> None:
    f = facets(parse_type(spelling))
    assert (f.system_type_id, f.max_length, f.precision, f.scale) == expected


def test_every_system_type_is_stored() -> None:
    for name in SYSTEM_TYPES:
        assert duck_type(SqlType(name))


def test_quoting() -> None:
    assert quote('a"b') == '"a""b"'
    assert quote_literal("it's") == "'it''s'"
