"""Result sets as DataFrames: every type, at both ends of its range, beside NULL, and in a result without rows."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="DataFrames are made of Arrow tables")
pytest.importorskip("pandas")

import pandas

import sbql

UTC = dt.timezone.utc
HIGHEST = dt.datetime(9999, 12, 31, 23, 59, 59)

# The type, values as T-SQL writes them, and what a program that reads the frame may expect.
VALUES: list[tuple[str, list[tuple[str, Any]]]] = [
    ("bit", [("1", True), ("0", False)]),
    ("tinyint", [("0", 0), ("255", 255)]),
    ("smallint", [("-32768", -32768), ("32767", 32767)]),
    ("int", [("-2147483648", -(2**31)), ("2147483647", 2**31 - 1)]),
    ("bigint", [("-9223372036854775808", -(2**63)), ("9223372036854775807", 2**63 - 1)]),
    ("decimal(38, 10)", [("-" + "9" * 28 + "." + "9" * 10, Decimal("-" + "9" * 28 + "." + "9" * 10)), ("0.0000000001", Decimal("1E-10"))]),
    ("numeric(5, 2)", [("-999.99", Decimal("-999.99")), ("1.5", Decimal("1.50"))]),
    ("money", [("-922337203685477.5808", Decimal("-922337203685477.5808")), ("922337203685477.5807", Decimal("922337203685477.5807"))]),
    ("smallmoney", [("-214748.3648", Decimal("-214748.3648")), ("214748.3647", Decimal("214748.3647"))]),
    ("float", [("-1.7976931348623157E+308", -1.7976931348623157e308), ("2.2250738585072014E-308", 2.2250738585072014e-308)]),
    ("real", [("-0.5", -0.5), ("1.5", 1.5)]),
    ("date", [("'0001-01-01'", dt.date.min), ("'9999-12-31'", dt.date.max)]),
    ("datetime", [("'1753-01-01'", dt.datetime(1753, 1, 1)), ("'9999-12-31T23:59:59.997'", HIGHEST.replace(microsecond=997_000))]),
    ("smalldatetime", [("'1900-01-01'", dt.datetime(1900, 1, 1)), ("'2079-06-06T23:59:00'", dt.datetime(2079, 6, 6, 23, 59))]),
    ("datetime2", [("'0001-01-01'", dt.datetime.min), ("'9999-12-31T23:59:59.9999999'", dt.datetime.max)]),
    ("datetimeoffset", [("'0001-01-01T00:00:00+00:00'", dt.datetime.min.replace(tzinfo=UTC)), ("'9999-12-31T23:59:59.9999999+00:00'", dt.datetime.max.replace(tzinfo=UTC))]),
    *((f"time({scale})", [("'00:00:00'", dt.time.min), ("'23:59:59'", dt.time(23, 59, 59))]) for scale in range(8)),
    ("time(6)", [("'23:59:59.999999'", dt.time.max)]),
    ("binary(2)", [("0x00", b"\0\0"), ("0xFFFF", b"\xff\xff")]),
    ("varbinary(max)", [("0x", b""), ("0x00FF", b"\0\xff")]),
    ("char(3)", [("'a'", "a  "), ("'äöü'", "äöü")]),
    ("nvarchar(max)", [("N''", ""), ("N'\U0001f600'", "\U0001f600")]),
    ("xml", [("N'<a b=\"1\">ü</a>'", '<a b="1">ü</a>'), ("N''", "")]),
    ("uniqueidentifier", [("'00000000-0000-0000-0000-00000000000a'", "00000000-0000-0000-0000-00000000000A"), ("'ffffffff-ffff-ffff-ffff-ffffffffffff'", "F" * 8 + "-FFFF-FFFF-FFFF-" + "F" * 12)]),
    ("sql_variant", [("CAST(1.50 AS decimal(5, 2))", "1.50"), ("N'x'", "x")]),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "values"), VALUES, ids=[f"{kind} {len(values)}" for kind, values in VALUES])
def test_every_type_becomes_a_column_of_a_frame(kind: str, values: list[tuple[str, Any]]) -> None:
    """Twice under one name, for a frame may have that."""
    rows = ", ".join(f"({n}, CAST({text} AS {kind}))" for n, (text, _) in enumerate(values))
    query = f"SELECT v, n, v FROM (VALUES {rows}, (9, NULL)) AS t(n, v)"
    with sbql.connect() as connection:
        frame = connection.execute(f"{query} ORDER BY n").df()
        assert list(frame.columns) == ["v", "n", "v"]
        for column in (0, 2):
            found = list(frame.iloc[:, column])
            assert found[:-1] == [value for _, value in values]
            assert pandas.isna(found[-1])
        one = connection.execute(f"{query} WHERE n = 0").df()
        assert list(one.iloc[:, 2]) == [values[0][1]]
        assert connection.execute(f"{query} WHERE n = -1").df().shape == (0, 3)


def test_a_seventh_digit_of_a_time_is_the_one_of_the_rows() -> None:
    with sbql.connect() as connection:
        text = "SELECT CAST(v AS time) AS t FROM (VALUES ('23:59:59.9999999'), ('00:00:00.0000001'), (NULL)) AS s(v)"
        rows = [row[0] for row in connection.execute(text).fetchall()]
        found = list(connection.execute(text).df()["t"])
        assert found == rows and [str(value) for value in found[:2]] == ["23:59:59.9999999", "00:00:00.0000001"]
        assert [value.nanosecond for value in found[:2]] == [900, 100]


def test_the_rest_of_the_rows_alone() -> None:
    with sbql.connect() as connection:
        cursor = connection.execute("SELECT CAST(v AS time) AS t FROM (VALUES ('01:00'), ('02:00'), ('03:00')) AS s(v)")
        cursor.fetchone()
        assert list(cursor.df()["t"]) == [dt.time(2), dt.time(3)]
        assert cursor.fetchall() == []


@pytest.mark.parametrize("missing", [pandas.NA, pandas.NaT, None], ids=str)
def test_what_pandas_calls_missing_is_null(missing: Any) -> None:
    with sbql.connect() as connection:
        assert connection.execute("SELECT ISNULL(?, 'none')", [missing]).fetchone() == ("none",)


def test_a_frame_goes_in_and_comes_out() -> None:
    frame = pandas.DataFrame(
        {"n": pandas.array([1, None], dtype="Int64"), "s": pandas.array(["a", None], dtype="string")}
    )
    with sbql.connect() as connection:
        connection.execute("CREATE TABLE #t (n int, s nvarchar(10))")
        connection.cursor().executemany("INSERT #t VALUES (?, ?)", list(frame.itertuples(index=False, name=None)))
        assert connection.execute("SELECT n, s FROM #t ORDER BY n DESC").fetchall() == [(1, "a"), (None, None)]
