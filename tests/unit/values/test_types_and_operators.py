"""Type names, precedence, result types and operators: expectations from the pages "Data types", "Precision, scale, and
length", "Data type precedence" and "Operators"."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from sbql.grammar.ast import DataTypeReference, Identifier, ObjectName
from sbql.grammar.errors import SqlError
from sbql.grammar.types import (
    BIT,
    DATE,
    DATETIME,
    FLOAT,
    INT,
    MAX,
    MONEY,
    REAL,
    XML,
    SqlType,
    char,
    decimal,
    nvarchar,
    varbinary,
    varchar,
)
from sbql.grammar.values.arithmetic import operation
from sbql.grammar.values.binary import guid_sort_key
from sbql.grammar.values.collation import key_function, sort_key_function
from sbql.grammar.values.compare import compare
from sbql.grammar.values.display import to_display
from sbql.grammar.values.like import like_pattern
from sbql.grammar.values.printf import format_message
from sbql.grammar.values.result_types import arithmetic_type, common_type
from sbql.grammar.values.type_names import resolve_type


def reference(name: str, *arguments: int | str) -> DataTypeReference:
    return DataTypeReference(ObjectName((Identifier(name),)), arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("int", (), INT), ("INTEGER", (), INT), ("dec", (5, 2), decimal(5, 2)), ("numeric", (), decimal(18, 0)), ("varchar", (), varchar(1)),
        ("varchar", ("max",), varchar(MAX)), ("national character varying", (5,), nvarchar(5)), ("sysname", (), nvarchar(128)), ("float", (24,), REAL),
        ("float", (), FLOAT), ("datetime2", (), SqlType("datetime2", scale=7)), ("timestamp", (), SqlType("rowversion")), ("double precision", (), FLOAT),
    ],
)  # fmt: skip
def test_type_names(name: str, arguments: tuple[Any, ...], expected: SqlType) -> None:
    assert resolve_type(reference(name, *arguments)) == expected


def test_default_length_is_30_in_a_cast() -> None:
    assert resolve_type(reference("varchar"), in_cast=True) == varchar(30)


@pytest.mark.parametrize(
    ("name", "arguments", "number"),
    [
        ("nosuch", (), 2715), ("varchar", (8001,), 131), ("nvarchar", (4001,), 131), ("varchar", (0,), 1001), ("decimal", (39,), 2750),
        ("decimal", (5, 6), 2751), ("datetime2", (8,), 1002), ("int", (4,), 2716),
    ],
)  # fmt: skip
def test_wrong_type_names(name: str, arguments: tuple[Any, ...], number: int) -> None:
    with pytest.raises(SqlError) as caught:
        resolve_type(reference(name, *arguments))
    assert caught.value.number == number


@pytest.mark.parametrize(
    ("op", "left", "right", "expected"),
    [
        ("+", decimal(5, 2), decimal(6, 3), decimal(7, 3)), ("*", decimal(5, 2), decimal(6, 3), decimal(12, 5)),
        ("/", decimal(5, 2), decimal(6, 3), decimal(15, 9)), ("%", decimal(5, 2), decimal(6, 3), decimal(6, 3)), ("+", decimal(38, 10), decimal(38, 10), decimal(38, 10)),
        ("*", decimal(38, 10), decimal(38, 10), decimal(38, 6)), ("+", INT, SqlType("tinyint"), INT), ("+", INT, decimal(5, 2), decimal(13, 2)),
        ("+", MONEY, INT, MONEY), ("/", INT, FLOAT, FLOAT), ("+", varchar(5), varchar(6), varchar(11)), ("+", varchar(5), nvarchar(6), nvarchar(11)),
        ("+", varchar(8000), varchar(8000), varchar(8000)), ("+", varchar(MAX), varchar(5), varchar(MAX)), ("+", char(2), char(3), char(5)),
        ("+", varchar(5), INT, INT), ("-", DATETIME, INT, DATETIME), ("+", varbinary(3), varbinary(4), varbinary(7)), ("&", INT, BIT, INT),
    ],
)  # fmt: skip
def test_result_types(op: str, left: SqlType, right: SqlType, expected: SqlType) -> None:
    assert arithmetic_type(op, left, right) == expected


@pytest.mark.parametrize(
    ("op", "left", "right", "number"),
    [
        ("+", BIT, BIT, 8117),
        ("-", varchar(5), varchar(5), 8117),
        ("+", DATE, INT, 206),
        ("%", FLOAT, FLOAT, 8117),
        ("+", DATE, DATE, 8117),
        ("*", XML, XML, 8117),
    ],
)
def test_operators_that_types_do_not_have(op: str, left: SqlType, right: SqlType, number: int) -> None:
    with pytest.raises(SqlError) as caught:
        arithmetic_type(op, left, right)
    assert caught.value.number == number


@pytest.mark.parametrize(
    ("types", "expected"),
    [
        ([INT, varchar(5)], INT), ([decimal(5, 2), decimal(4, 3)], decimal(6, 3)), ([varchar(5), nvarchar(3)], nvarchar(5)), ([char(5), varchar(3)], varchar(5)),
        ([INT, DATETIME], DATETIME), ([INT, FLOAT], FLOAT), ([decimal(3, 1), INT], decimal(11, 1)),
    ],
)  # fmt: skip
def test_common_types(types: list[SqlType], expected: SqlType) -> None:
    assert common_type(types) == expected


def test_division_of_decimals_cuts_off() -> None:
    """SELECT 2.0/3 is 0.666666."""
    assert operation("/", decimal(7, 6))(Decimal("2.0"), Decimal(3)) == Decimal("0.666666")


@pytest.mark.parametrize(
    ("a", "b", "quotient", "rest"), [(7, 2, 3, 1), (-7, 2, -3, -1), (7, -2, -3, 1), (-7, -2, 3, -1)]
)
def test_integer_division(a: int, b: int, quotient: int, rest: int) -> None:
    assert operation("/", INT)(a, b) == quotient
    assert operation("%", INT)(a, b) == rest


def test_collation() -> None:
    key, sort_key = key_function(varchar(20)), sort_key_function(varchar(20))
    assert key("Straße ") == key("STRAßE")
    assert key("Straße") != key("STRASSE")
    assert key("a") != key("á")
    assert sorted(["b", "_", "Z", "1", "á", "a", "~"], key=sort_key) == ["_", "~", "1", "a", "á", "b", "Z"]
    assert compare("abc", "ABC  ", varchar(5)) == 0
    assert compare("abc", "ABC", varchar(5).with_collation("Latin1_General_BIN")) == 1
    assert compare(None, 1, INT) is None
    assert compare(b"\x01", b"\x01\x00", varbinary(5)) == 0


def test_guids_sort_by_their_last_bytes_first() -> None:
    """The order of the .NET page "Comparing GUID and uniqueidentifier values"."""
    from uuid import UUID

    values = [
        "3AAAAAAA-BBBB-CCCC-DDDD-2EEEEEEEEEEE",
        "2AAAAAAA-BBBB-CCCC-DDDD-1EEEEEEEEEEE",
        "1AAAAAAA-BBBB-CCCC-DDDD-3EEEEEEEEEEE",
    ]
    assert [str(v)[0] for v in sorted(map(UUID, values), key=guid_sort_key)] == ["2", "3", "1"]


@pytest.mark.parametrize(
    ("pattern", "text", "matches"),
    [
        ("%en%", "Green", True), ("_ean", "Dean", True), ("[CK]ars[eo]n", "Karson", True), ("[M-Z]inger", "Ringer", True), ("M[^c]%", "McBadden", False),
        ("5[%]", "5%", True), ("[_]n", "_n", True), ("[a-cdf]", "F", True), ("[[]", "[", True), ("]", "]", True), ("abc[_]d%", "abc_de", True), ("a\nb", "a\nb", True),
    ],
)  # fmt: skip
def test_like(pattern: str, text: str, matches: bool) -> None:
    """The tables of the page "LIKE"."""
    assert like_pattern(pattern).matches(text) == matches


def test_like_escape() -> None:
    assert like_pattern("%30!%%", "!").matches("save 30% now")
    assert not like_pattern("%30!%%", "!").matches("save 300 now")


@pytest.mark.parametrize(
    ("value", "sql_type", "expected"),
    [
        (None, INT, "NULL"), (True, BIT, "1"), (Decimal("0.50"), decimal(3, 2), ".50"), (Decimal("-0.5"), decimal(3, 1), "-.5"), (b"\x0a\x0b", varbinary(2), "0x0A0B"),
        (Decimal("12.5000"), MONEY, "12.5000"), (0.1, FLOAT, "0.10000000000000001"),
    ],
)  # fmt: skip
def test_display(value: Any, sql_type: SqlType, expected: str) -> None:
    assert to_display(value, sql_type) == expected


@pytest.mark.parametrize(
    ("template", "arguments", "expected"),
    [
        ("This is the %s and this is the %d.", ["first", 2], "This is the first and this is the 2."), ("<<%7.3s>>", ["abcde"], "<<    abc>>"), ("<<%*.*s>>", [7, 3, "abcde"], "<<    abc>>"),
        ("%i, %+i, % i", [5, 5, 5], "5, +5,  5"), ("%05i", [50], "00050"), ("%x %X %o %#x", [255, 255, 8, 255], "ff FF 10 0xff"), ("%u", [-50], "4294967246"), ("100%%", [], "100%"),
        ("%s", [], "(null)"), ("%-5s|", ["ab"], "ab   |"),
    ],
)  # fmt: skip
def test_message_formats(template: str, arguments: list[Any], expected: str) -> None:
    """The examples of the pages "RAISERROR" and "FORMATMESSAGE"."""
    assert format_message(template, arguments) == expected
