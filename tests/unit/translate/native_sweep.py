"""One call, computed for many values twice: by the scalar evaluator, and by a query over
stored rows, which has the native form.

What a query does not compute natively the same Python function computes that the scalar evaluator has, so that all
three are compared. Values are the ends of each type, what lies beside them, NULL, and what is written oddly. It decides
what is the same: value (with its type in Python) or the number of the error.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from sbql.catalog import function_errors
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import parse_batch
from sbql.grammar.types import MAX, SqlType, varchar
from sbql.grammar.values.conversions import convert

_WHOLE = "0 1 -1 2 7 12 28 29 31 60 99 100 -100 2024"
JSON = (
    '{"a":1,"b":"x y","c":{"a":[1,2],"b":null}}', '{"a": 1.50, "b" :\t"é", "c": {"b": "z"}}', '{"a":{"b":2.0},"b":true,"c":[]}', '[1,"x",{"b":-0}]', "[]", "{}", " [ 7 , 8.10 ] ",
    '{"a":-0,"b":0}', '{"a":1e3,"b":1E-5}', '{"a":12345678901234567890123,"b":1e999}', '{"a":0.1,"a":2}', '{"b":{"a":1.0},"a":1.00}', '{"a":"a","b":1.00}', '{"a":"{","b":"["}',
    '{"a":"a\\/b\\n\\"","b":"\\u00e9\\u0041"}', '{"\\u0061":5,"b":"\\ud83d\\ude00"}', '{"a":"\\ud83d","b":1}', '{"a":"\\u0000"}', '{"a":"日本😀","b":"\U0001f600"}', '{"A":1,"B":2}',
    '{"a":null}', '{"a":false}', '{"a":[{"b":1.10}]}', '{"a":[{"b":"x"},2.50]}', "", " ", "5", '"a"', "null", "true", "nan", "{a:1}", '{"x":"y",",":1.0}', "{'a':1}", '{"a":1,}', "[1,]", "[1, ]", '{"a":NaN}', '{"a":nan}',
    '{"a":-inf}', "[Infinity]", "[1]x", "[1 2]", "[01]", "[1.]", "[.5]", "[+1]", "[True]", '["\t"]', '["\x7f"]', '["\\x"]', '{"a":", ]"}', '{"a":"x",\n"b":[ 1 ]}', '{"a" "b"}', '{"a":1', '{"a"}',
    "[\u0661]", "[1\u0661]", "[1\xa0]", "\ufeff[1]", "[1/*x*/]", '{"":1}', '{"a.b":1,"x y":{"*":2}}', '{"a":"",  "b":" "}', '{"b":"\\\\","a":3.10}', '{"a":"\ud83d","b":"\ude00"}',
    '{"a":123456789012345678,"b":18446744073709551615}', '{"a":-9223372036854775809,"b":1.7976931348623157e308}', '{"a":"-5","b":"1.0"}', '[["a"],{"a":[[],{}]}]', '{"a" : [1,2]}', '{"c":{"a":1.0,"b":{"a":2.0}}}',
)  # fmt: skip
"""JSON, what is nearly JSON, and what is none."""
ZEROS = ("a\0b", "ab", "\0", "b\0", "xyz", "A\0B", "", "-\0-\0", "{0}")
"""Texts with the character that ends texts elsewhere."""
VALUES: dict[str, Sequence[str]] = {
    "bit": ("0", "1"), "tinyint": ("0", "1", "9", "10", "99", "100", "255"), "smallint": (*_WHOLE.split(), "32767", "-32768", "-999"),
    "int": (*_WHOLE.split(), "2147483647", "-2147483648", "46341", "999999999", "-999999999", "9999", "40000"),
    "bigint": (*_WHOLE.split(), "9223372036854775807", "-9223372036854775808", "2147483648", "-2147483649", "999999999999999999"),
    "decimal(9,2)": ("0", "1", "-1", "0.01", "-0.01", "-0.004", "0.05", "1.25", "1.35", "-2.50", "2.5", "9999999.99", "-9999999.99", "9999999.95", "255.99"),
    "decimal(18,4)": ("0", "1", "-1", "0.0001", "-0.0001", "1.23456", "2.5", "3.5", "-3.5", "99999999999999.9999", "-99999999999999.9999", "2147483647.9"),
    "decimal(4,4)": ("0", "0.5", "-0.5", "0.9999", "-0.9999", "0.0001"),
    "decimal(38,38)": (
        "0", "-0.5", "0.5", "-0.00000000000000000000000000000000000001", "0.00000000000000000000000000000000000001", "0.000001", "-0.000001", "0.99999999999999999999999999999999999999",
        "-0.99999999999999999999999999999999999999", "0.005", "-0.005", "-0.004"),
    "decimal(38,37)": ("0", "-0.5", "-1", "9.9999999999999999999999999999999999999", "-9.9999999999999999999999999999999999999", "0.005", "-0.005", "0.000001", "0.0000000000000000000000000000000000001"),
    "decimal(38,0)": ("0", "1", "-7", "99999999999999999999999999999999999999", "-99999999999999999999999999999999999999", "9223372036854775808"),
    "decimal(38,10)": ("0", "1", "-1", "9999999999999999999999999999.9999999999", "0.0000000001", "-2.5", "123456789.5", "99999999.9999999999", "-100000000"),
    "money": ("0", "1", "-1", "0.0001", "-0.0001", "0.005", "-0.005", "2.5", "3.5", "-2.5", "922337203685477.5807", "-922337203685477.5808", "19.99", "99999999999999.9999", "100000000000000", "-99999999999999.995"),
    "decimal(22,4)": (
        "0", "-0.0001", "0.005", "-2.5", "2.5", "1.99995", "2147483647.9", "2147483648", "-2147483648.9", "99999999999999.9999", "-99999999999999.9999", "99999999999999.995", "100000000000000",
        "-100000000000000.0001", "999999999999999.9999", "-1000000000000000", "999999999999999999.9999", "-999999999999999999.9999"),
    "decimal(38,18)": (
        "0", "0.5", "-0.5", "1.005", "9.999999999999999999", "-9.999999999999999999", "0.999999999999999999", "10", "-2147483648", "99999999999999999999.999999999999999999"),
    "decimal(38,16)": ("0", "99.9949999999999999", "99.995", "-99.9999999999999999", "100", "-2147483648.9999", "9999999999999999999999.9999999999999999"),
    "decimal(19,0)": ("0", "999999999999999999", "1000000000000000000", "-9223372036854775808", "9223372036854775808", "9999999999999999999"),
    "smallmoney": ("0", "1", "-1", "214748.3647", "-214748.3648", "0.0001", "3.14"),
    "real": (
        "0", "1", "-1", "0.1", "3.4e38", "-3.4e38", "1e-30", "16777217", "2.5", "-7142.857", "1234.5678", "0.125", "-0.0625", "1234.565", "99999.995", "0.99999994", "1e-40", "999999.5", "12345678", "-15",
        "2147483648", "2147483520", "-2147483648", "-2147483904", "9223372036854775808", "-9223372036854775808", "32768", "256", "-0.5", "1e15"),
    "float": ("0", "1", "-1", "0.1", "2.5", "0.5", "-0.5", "-0.001", "-0.00005", "999999.5", "1.005", "2.675", "1e15", "1.7e308", "-1.7e308", "1e-300", "123456.789", "1e200", "3", "15", "-25",
        "14.999999999999998", "-0.15", "1.0049999999999999", "0.285", "-1234567.895", "99999999999.5", "0.9999999999999999", "8.5e-5", "1e-4", "45.45", "9.9999999999999995e98", "-1e-99", "1e99"),
    "date": ("0001-01-01", "9999-12-31", "1900-01-01", "1753-01-01", "1752-12-31", "2024-02-29", "2023-12-31", "2024-01-31", "1969-12-31", "2021-01-03"),
    "datetime": (
        "1753-01-01T00:00:00", "9999-12-31T23:59:59.997", "1900-01-01T00:00:00", "2024-02-29T13:05:06.007", "2024-12-31T23:59:59.997",
        "1969-12-31T23:59:59.003", "1999-01-31T00:30:00", "2024-01-06T12:00:00", "2024-01-07T00:00:00", "2024-02-29T13:05:29.997", "2024-02-29T13:05:30.003", "1753-01-01T00:00:00.003", "5899-12-31T23:59:59.997"),
    "smalldatetime": ("1900-01-01T00:00:00", "2079-06-06T23:59:00", "2024-02-29T13:05:00", "1969-12-31T00:00:00", "2079-06-05T00:01:00"),
    "datetime2(0)": ("0001-01-01T00:00:00", "9999-12-31T23:59:59", "2024-02-29T13:05:06", "1969-12-31T23:59:59"),
    "datetime2(3)": ("0001-01-01T00:00:00", "9999-12-31T23:59:59.999", "2024-02-29T13:05:06.123", "1969-12-31T23:59:59.001", "1899-12-31T00:00:00.5", "2024-12-31T23:59:59.998",
        "2024-12-31T23:59:59.999", "2024-02-29T13:05:29.998", "2024-02-29T13:05:29.999", "2024-02-29T13:05:06.005", "2024-02-29T13:05:06.495", "1752-12-31T23:59:59.999", "1753-01-01T00:00:00.001", "2079-06-06T23:59:29.998", "2079-06-06T23:59:29.999"),
    "datetime2(7)": (
        "0001-01-01T00:00:00", "9999-12-31T23:59:59.9999999", "2024-02-29T13:05:06.1234567", "1969-12-31T23:59:59.9999999", "0001-01-01T00:00:00.0000001",
        "2024-01-31T00:00:00", "2024-12-31T23:59:59.9983333", "2024-12-31T23:59:59.9983334", "2024-02-29T13:05:06.0016666", "2024-02-29T13:05:06.0016667", "2024-02-29T13:05:06.0049999", "2024-02-29T13:05:06.0050000",
        "2024-02-29T13:05:29.9989999", "2024-02-29T13:05:29.9990000", "2024-02-29T13:05:06.0000005", "2024-02-29T13:05:06.9999995", "9999-12-31T00:00:00.0016667", "9999-12-31T23:59:59.4999999", "1752-12-31T23:59:59.9999999",
        "2079-06-06T23:59:29.9989999", "2079-06-06T23:59:29.9990000", "2079-06-06T23:59:59.9999999", "2079-06-07T00:00:00", "1899-12-31T23:59:59.9999999"),
    "time(0)": ("00:00:00", "23:59:59", "12:30:15"), "time(3)": ("00:00:00", "23:59:59.999", "12:30:15.5", "12:30:29.999", "12:30:29.998", "00:00:00.002"),
    "time(7)": ("00:00:00", "23:59:59.9999999", "12:30:15.1234567", "12:30:15.4999999", "12:30:15.0000005", "23:59:29.9990000", "00:00:00.0016667", "00:00:00.0016666"),
    "datetimeoffset(3)": (
        "2024-02-29T00:30:00.5+02:00", "2024-02-28T22:30:00.5+00:00", "1969-12-31T23:59:59.999-05:30", "0001-01-01T14:00:00+14:00",
        "9999-12-31T09:59:59.999-14:00", "9999-12-31T23:59:59.999+14:00", "2024-02-29T13:05:06.123+00:00"),
    "datetimeoffset(7)": (
        "2024-02-29T00:30:00.1234567+14:00", "2024-12-31T23:59:59.9999999-14:00", "1900-01-01T00:00:00+00:00", "0001-01-01T00:00:00+00:00",
        "9999-12-31T23:59:59.9999999+00:00", "2024-02-28T22:30:00.5+00:00", "2024-12-31T23:59:59.9983334-05:30", "2024-02-29T00:29:29.9990000+01:00", "0001-01-05T10:00:00.1234567-13:59", "9999-12-31T23:59:59.9999999+14:00", "9999-12-31T23:59:59.9999999+00:01", "9999-12-27T23:59:59.9999996+13:59"),
    "uniqueidentifier": ("6F9619FF-8B86-D011-B42D-00C04FC964FF", "00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
        "00112233-4455-6677-8899-AABBCCDDEEFF", "80000000-0000-8000-0080-800000000080"),
    "varchar(40)": (
        "", " ", "0", "-0", "+5", "-7", "007", " 12 ", "12 ", "1 2", "42", "255", "256", "32768", "2147483647", "2147483648", "999999999999999999", "9223372036854775808",
        "1.5", "-1.50", ".5", "5.", "1e3", "1,000", "$5", "0x10", "abc", "--1", "1_000", "12a", "123456.78", "99999999.999",
        "2024-02-29", "2023-02-29", "2024-02-29 13:05:06", "2024-02-29 24:00:00", "2024-02-29T13:05:06", "2024-02-29 13:05:06.123", "20240229", "02/29/2024",
        "0000-01-01", "1752-12-31", "9999-12-31", "12345-1-01", "-024-01-01", "2024-2-9", "2024/02/29", "2024-13-01", "13:05:06", "Feb 29 2024", "2024-02-29 23:59:60",
        "tRUE", "a b", "  ab", "ab  ", "2024-02-29 13:05:06 +02:00", "2024-02-29T13:05:06.123456-05:30", "2024-02-29 13:05:06.1234567+00:00", "2024-02-29 13:05:06.5 -00:30", "2024-02-30 13:05:06 +02:00",
        "2024-02-29 13:05:06 +14:00", "2024-02-29 13:05:06+14:30", "0001-01-01 00:00:00 +02:00", "9999-12-31 23:59:59 -02:00", "2024-02-29 13:05:06  +02:00", "AbC", "aBcabc", "a%c_", "[a-c]b%", "x.[y", "é", "Übermaß", "ß"),
    "nvarchar(40)": ("", "42", "-7", "1.5", "abc", "2024-02-29", "2024-02-29 13:05:06", "Zażółć", "日本", "a\U0001f600b", "aBc", "  ab ", "é", "straße", "a\ud83d", "\ude00b\ud83d", "\U0010f000\U0001f600", "\U0001f600"),
    "char(10)": ("", "42", "-7", "abc", "2024-02-29", "1.5"), "nchar(10)": ("42", "abc", "日本", "\U0001f600"),
    "varchar(50)": ZEROS, "nvarchar(50)": ZEROS,
    "nvarchar(300)": JSON, "varchar(max)": [text for text in JSON if text.isascii()],
    "varchar(30)": (
        "2024022\r", "02/29/204\r", "01/02/204\t", "2024-02-29\n", "2024-02-29 13:05:06\t", "\xa02024-02-29 13:05:06 +02:00", "29. M\xe4rz 2024 13:05:06 +02:00",
        "2024-02-29", "2024-02-29 13:05", "2024-02-29 13:05:06", "2024-02-29T13:05:06", "2024-02-29t13:05:06", "2024-02-29 13:05:6Z", "2024-02-29 13:05: 6", "2024-02-29 13:05:6 ", "2024-02-29  3:05:06",
        *(f"2024-02-29 13:05:06.12{digit}" for digit in range(10)), "2024-02-29 13:05:06.12Z", "2024-02-29 13:05:06.1 3", "2024-02-29 13:05:06:123", "2024-02-29 24:00:00", "2024-02-29 23:59:60",
        "9999-12-31", "9999-12-31 23:59:59", "9999-12-31 23:59:59.999", "9999-12-30 23:59:59.999", "0001-01-01", "0000-01-01", "1752-12-31", "1753-01-01 00:00:00.001", "1752-12-31 23:59:59.999", " 024-02-29", " 2024-02-9", "0024-02-29", "-024-02-29",
        "29/02/2024", "02/29/2024", "02/03/2024", "2/3/2024", " 2/03/2024", "30/02/2024", "29-02-2024", "29.02.2024", "2024.02.29", "2024/02/29", "02-29-2024", "02-03-2024", "29/02-2024", "29/02/2024 13:05", "29/02/2024 13:05:06",
        "02/29/2024 13:05:06.123", "29.02.2024 24:00:00", "2024/02/29T13:05:06", "20240229", "2024029 ", "20240230", "202402 9", "20240229 13:05:06", "20240229 13:05:6 ", "20240229T13:05:06", "240229", "29/02/24", "2024 229", "00000000", "99991231", "17521231", "12345678",
        "1,234.50", "1.234,50", "-1.234,5", "12,5", "(5)", "$5.00", "5-", "+5", "1 234,5", "1e5", "5 ", " 5", "1,2,3", "0.00001", "-0", "Feb 29 2024", "29 February 2024", "29. Februar 2024", "Thursday, 29 February 2024", "13:05", "1:05 PM", "x", "",
        *(f"2024-02-29 13:05:06{zone}" for zone in (" +02:00", "+02:00", "-00:30", " +13:59", " +14:00", " -14:00", " +2:00", " + 2:00", " +02: 5", " +02:00 ", " +24:00", "Z", " +0200", "  -01:00", " +00:00")),
        "2024-02-29 13:05:6 +02:00", "2024-02-29  3:05:06 +02:00", "2024-02-29 3:05:06 +02:00", "2024-02-29 13:05:6  +02:00", "2024-2-29 13:05:06  -02:00", " 2024-2-29 13:05:06 -02:00",
        "2024-02-29 13:05:06\u00e9+02:00", "2024-02-29 13:05:06.12+02:00", "2024-02-29 13:05:06.12 +02:00", "2024-02-29 13:05:06.123456+02:00", "2024-02-29 13:05:06.12345 -02:00", "2024-02-29 13:05:06 +13:5", "2024-02-29 13:05:06 +0:05:",
        "9999-12-31 23:59:59 +13:00", "0001-01-01 00:00:00 -13:00", "0001-01-02 10:00:00 +13:59", "2024-02-29 13:05:06.5 +02:00", "2024-02-29T13:05:06.123-05:30", "2024-02-29 13:05:06.123456+01", "2024-02-29T13:05:06.1234567", "2024-02-29 13:05:06.123456", "2024-02-29 +02:00", "0001-01-01 00:00:00 +02:00", "29/02/2024 13:05:06 +02:00"),
    "varchar(100)": (
        "$", "$.a", "$.b", "$.c.a", "$.c.b", "$.a[0].b", "$.a[1]", "$[0]", "$[1]", "$[007]", "lax $.a", "strict $.a", "strict $.b", "strict $[0]", "lax  $.a", "append $.a", '$."a"',
        '$."x y"."*"', "$.*", "$[*]", "$..a", "$[#-1]", "/a", "a", "", "$.", "$.a.", "$.a ", " $.a", "$.é", "$.a$", "$.$a", "$.1", "$[ 0 ]", "$[-1]", "$[9999999999]", "LAX $.a", "$.A", "$.z", "strict $.z", "$.c.z"),
    "nvarchar(max)": (
        '["' + "x" * 4000 + '"]', '{"a":"' + "x" * 4001 + '"}', "[" * 128 + "]" * 128, "[" * 128 + "1" + "]" * 128, "[" * 129 + "]" * 129, "[" * 130 + "]" * 130,
        '{"a":' * 129 + "1" + "}" * 129, "[" + "[1]," * 300 + "[2]]", '{"a":' + "7" * 4001 + "}", '{"a":"' + "\\n" * 2500 + '"}', '{"a":{"b":"' + "é" * 3000 + '"}}'),
}  # fmt: skip
"""Types to values, written as texts that convert to them."""


def values_of(name: str) -> list[Any]:
    """The values of a type, NULL last."""
    goal = type_of(name)
    source = SqlType("nvarchar", length=MAX) if name.startswith("n") and "char" in name else varchar(8000)
    return [convert(text, source, goal) for text in VALUES[name]] + [None]


def type_of(name: str) -> SqlType:
    """The type that a name of VALUES spells."""
    statement = parse_batch(f"DECLARE @v {name}").statements[0]
    return Scope(None).resolve_type(statement.declarations[0].type)


class Sweep:
    """An instance in memory, with a table that is filled with the rows of a call."""

    def __init__(self) -> None:
        self.instance = Instance.open(None, clock="virtual", seed=0)
        self.session = self.instance.connect()
        self._tables: dict[tuple[str, ...], str] = {}

    def close(self) -> None:
        self.instance.close()

    def rows(self, types: Sequence[str]) -> list[tuple[Any, ...]]:
        return list(itertools.product(*(values_of(t) for t in types)))

    def table(self, types: tuple[str, ...]) -> str:
        """The table with each combination of values of the types, whose columns are k, a0, a1 …"""
        if types not in self._tables:
            name = f"dbo.t{len(self._tables)}"
            columns = ", ".join(f"a{i} {t} NULL" for i, t in enumerate(types))
            self.run(f"CREATE TABLE {name} (k int, {columns})")
            sources = [
                "(VALUES "
                + ", ".join(f"({n}, {_literal(text, t)})" for n, text in enumerate([*VALUES[t], None]))
                + f") AS s{i}(k, v)"
                for i, t in enumerate(types)
            ]
            key = "0"
            for i, t in enumerate(types):
                key = f"({key}) * {len(VALUES[t]) + 1} + s{i}.k"
            self.run(
                f"INSERT INTO {name} SELECT {key}, {', '.join(f's{i}.v' for i in range(len(types)))} FROM {' CROSS JOIN '.join(sources)}"
            )
            self._tables[types] = name
        return self._tables[types]

    def run(self, text: str) -> list[Any]:
        """The outcomes of a batch that has to succeed."""
        outcomes = list(self.session.run(text))
        for outcome in outcomes:
            if isinstance(outcome, ErrorOutcome):
                raise AssertionError(f"{text[:300]}: {outcome.error.number} {outcome.error.message}")
        return outcomes

    def asked(self, text: str) -> int:
        """How often a query calls functions of Python."""
        count = 0

        def note(frame: Any, event: str, argument: Any) -> None:
            nonlocal count
            code = frame.f_code
            count += (
                event == "call" and code.co_name.startswith("call") and code.co_filename == function_errors.__file__
            )

        sys.setprofile(note)
        try:
            self.run(text)
        finally:
            sys.setprofile(None)
        return count

    def differences(self, call: str, types: tuple[str, ...]) -> Iterator[str]:
        """Where the two disagree about `call`, an expression over a0, a1 …"""
        wanted = self.by_scalars(call, types)
        if isinstance(wanted, int):  # refused: then by the query, too
            found = self._query(call, types, "")
            if found != wanted:
                yield f"{call} {types}: {wanted}, in a query {found}"
            return
        failing = [k for k, value in enumerate(wanted) if isinstance(value, SqlError)]
        condition = f" WHERE k NOT IN ({', '.join(map(str, failing))})" if failing else ""
        rows = self._query(call, types, condition)
        if isinstance(rows, int):
            rows = {}
            for k in range(len(wanted)):
                if k not in failing:
                    one = self._query(call, types, f" WHERE k = {k}")
                    rows.update(one if isinstance(one, dict) else {k: f"error {one}"})
        for k, value in enumerate(wanted):
            if k in failing:
                continue
            if value is None and None in self.rows(types)[k] and str(rows[k]).startswith("error"):
                continue  # the other operand fails to convert: whether that is seen depends on what is computed first
            if repr(rows[k]) != repr(value):
                yield f"{call} {types} of {self.rows(types)[k]}: {value!r}, in a query {rows[k]!r}"
        for k in failing[:: max(1, len(failing) // 12)]:
            error = self._query(call, types, f" WHERE k = {k}")
            if error != wanted[k].number:
                yield f"{call} {types} of {self.rows(types)[k]}: error {wanted[k].number}, in a query {error}"

    def by_scalars(self, call: str, types: tuple[str, ...]) -> Any:
        """Value or error for each row; the number of an error that refuses the call."""
        return self._by_rows(call, types, self.rows(types))

    def by_texts(self, call: str, name: str, texts: Sequence[str]) -> Any:
        """The same for texts of one type that are not among its values."""
        return self._by_rows(call, (name,), [(text,) for text in texts])

    def _by_rows(self, call: str, types: tuple[str, ...], rows: Sequence[tuple[Any, ...]]) -> Any:
        scalar, scope = self._compiled(call, types)
        if isinstance(scalar, int):
            return scalar
        found: list[Any] = []
        for row in rows:
            frame = Frame(self.session, scope.size)
            frame.variables[: len(row)] = row
            try:
                found.append(scalar.run(frame))
            except SqlError as error:
                found.append(error)
        return found

    def _compiled(self, call: str, types: tuple[str, ...]) -> tuple[Any, Scope]:
        """The call over variables as a scalar, or the number of the error that refuses it; and its scope."""
        scope, text = Scope(self.session), call
        for i, t in enumerate(types):
            scope.declare_hidden(f"@a{i}", type_of(t))
            text = text.replace(f"a{i}", f"@a{i}")
        expression = parse_batch(f"SELECT {text}").statements[0].query.query.items[0].expression
        try:
            return compile_scalar(expression, scope), scope
        except SqlError as error:
            return error.number, scope

    def early(self, call: str, types: tuple[str, ...]) -> Iterator[str]:
        """Where `call`, with constants for operands that fail to be computed, fails in a branch of CASE that no row
        takes. Beside a constant, the other operands are columns, too. A subquery is computed before the rows are."""
        if "SELECT" in call:
            return
        refused, _ = self._compiled(call, types)
        if isinstance(refused, int):
            return
        if () not in self._tables:
            columns = ", ".join(f"c{i} {t} NULL" for i, t in enumerate(VALUES))
            self.run(f"CREATE TABLE dbo.one (k int, {columns}); INSERT dbo.one (k) VALUES (1)")
            self._tables[()] = "dbo.one"
        for failing in itertools.product((True, False), repeat=len(types)):
            if not any(failing):
                continue
            text = call
            for i, t in enumerate(types):
                text = text.replace(f"a{i}", _failing(t) if failing[i] else f"c{list(VALUES).index(t)}")
            found = self._query(f"CASE WHEN k < 0 THEN {text} END", (), "")
            if found != {1: None}:
                yield f"{text}: {found}"

    def needless(self, call: str, types: tuple[str, ...]) -> Iterator[str]:
        """Where `call`, which stands twice behind a value that no row has NULL, fails all the same."""
        refused, _ = self._compiled(f"DATALENGTH({call})", types)
        if isinstance(refused, int):
            return
        rows = {k: k for k in range(len(self.rows(types)))}
        for text in (
            f"ISNULL(k, DATALENGTH({call}) + DATALENGTH({call}))",
            f"COALESCE(k + 0, 1, DATALENGTH({call}), DATALENGTH({call}))",
        ):
            found = self._query(text, types, "")
            if found != rows:
                yield f"{text} {types}: {found}"

    def _query(self, call: str, types: tuple[str, ...], condition: str) -> Any:
        """Keys to values, or the number of the error."""
        for outcome in self.session.run(f"SELECT k, {call} FROM {self.table(types)}{condition}"):
            if isinstance(outcome, ErrorOutcome):
                return outcome.error.number
            if isinstance(outcome, ResultSet):
                return dict(outcome.rows)
        return None


def _failing(name: str) -> str:
    """A constant of a type whose value is an error."""
    return f"CAST(SQRT(-1) AS {name})" if "char" in name else f"CAST('x' AS {name})"


def _literal(text: str | None, name: str) -> str:
    if text is None:
        return f"CAST(NULL AS {name})"
    quoted = text.replace("'", "''")
    return (
        f"CAST(N'{quoted}' AS {name})"
        if "char" in name or name.startswith(("date", "time"))
        else f"CAST('{quoted}' AS {name})"
    )
