"""At the ends of types an expression has one answer, written out here, for a variable and for a column: the value, or
number and state of the error (documentation: "CAST and CONVERT", "smalldatetime", "decimal and numeric")."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

from sbql.engine.instance import Instance
from sbql.engine.session import Session


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    yield instance.connect()
    instance.close()


def told(session: Session, batch: str) -> Any:
    """The value of the one row, or number and state of the error."""
    found: Any = None
    for outcome in session.run(batch):
        if hasattr(outcome, "error"):
            return outcome.error.number, outcome.error.state
        if hasattr(outcome, "rows"):
            ((found,),) = outcome.rows
    return found


OVERFLOW = (232, 3)
REALS: list[tuple[str, str, str, Any]] = [
    ("real", "2147483648", "TRY_CAST(v AS int)", None), ("real", "2147483648", "CAST(v AS int)", OVERFLOW), ("real", "2147483520", "CAST(v AS int)", 2147483520), ("real", "-2147483648", "CAST(v AS int)", -(2**31)),
    ("real", "-2147483904", "CAST(v AS int)", OVERFLOW), ("real", "-2147483904", "TRY_CAST(v AS int)", None), ("real", "9223372036854775808", "TRY_CAST(v AS bigint)", None), ("real", "32768", "TRY_CAST(v AS smallint)", None), ("real", "256", "TRY_CAST(v AS tinyint)", None),
]  # fmt: skip
LAST_MINUTE, NO_DAY = dt.datetime(2079, 6, 6, 23, 59), (242, 3)
MINUTES: list[tuple[str, str, str, Any]] = [
    (name, f"'2079-06-06T23:59:29.{fraction}'", "CAST(v AS smalldatetime)", expected)
    for name in ("datetime2(3)", "datetime2(7)", "varchar(30)") for fraction, expected in (("998", LAST_MINUTE), ("999", NO_DAY))
] + [
    ("datetime2(7)", "'2079-06-06T23:59:29.9989999'", "CAST(v AS smalldatetime)", LAST_MINUTE), ("datetime2(7)", "'2079-06-06T23:59:29.9990000'", "TRY_CAST(v AS smalldatetime)", None),
    ("datetime", "'2079-06-06T23:59:29.997'", "CAST(v AS smalldatetime)", LAST_MINUTE), ("datetime", "'2079-06-06T23:59:30'", "CAST(v AS smalldatetime)", NO_DAY), ("datetimeoffset(3)", "'2079-06-06T23:59:29.999+02:00'", "TRY_CAST(v AS smalldatetime)", None),
    ("varchar(30)", "'2079-06-06 23:59:29.999'", "CHECKSUM(TRY_CAST(v AS smalldatetime)) - CHECKSUM(CAST(NULL AS smalldatetime))", 0),
]  # fmt: skip
FLOATS: list[tuple[str, str, str, Any]] = [
    ("float", value, f"ROUND(v, {places})", expected)
    for value, places, expected in (
        ("1e300", -38, 1e300), ("-1e300", -38, -1e300), ("1.7e308", -300, 1.7e308), ("1.7e308", -307, 1.7e308), ("1.7e308", -308, (8115, 2)), ("1.7e308", -309, 0.0), ("1e39", -300, 0.0), ("6e38", -39, 1e39), ("4e38", -39, 0.0),
        ("1.2345678e40", -37, 1.235e40), ("-1.2345678e40", -37, -1.235e40), ("1.2345678e20", -14, 1.234568e20), ("1e300", 38, 1e300), ("1e300", 400, 1e300), ("1.7e308", -2147483648, 0.0), ("5e-324", 38, 0.0), ("-1e-300", 2, 0.0))
] + [("float", "1.7e308", "ROUND(v, -308, 1)", 1e308), ("float", "6e38", "ROUND(v, -39, 1)", 0.0)]  # fmt: skip
FRACTIONS: list[tuple[str, str, str, Any]] = [
    ("decimal(38,38)", "-0.5", "FORMAT(v, 'N2')", "-0.50"), ("decimal(38,38)", "-0.5", "FORMAT(v, 'C', 'en-US')", "($0.50)"), ("decimal(38,38)", "-0.5", "FORMAT(v, 'P0', 'en-US')", "-50%"), ("decimal(38,38)", "0.25", "FORMAT(v, 'F1')", "0.3"),
    ("decimal(38,38)", "0.000001", "CAST(POWER(v, 2) AS decimal(20,15))", Decimal("0.000000000001000")), ("decimal(38,38)", "0.5", "CAST(POWER(v, 2) AS decimal(5,3))", Decimal("0.250")),
]  # fmt: skip
LEAST = "0.00000000000000000000000000000000000001"
EXACT: list[tuple[str, str, str, Any]] = [
    ("decimal(38,0)", "0", "IIF(v > CAST(-0.01 AS decimal(9,2)), 1, 0)", 1), ("decimal(38,0)", "0", "IIF(v IN (0.01, -0.01), 1, 0)", 0), ("decimal(38,0)", "0", "IIF(v BETWEEN -0.01 AND 0.01, 1, 0)", 1),
    ("decimal(38,38)", LEAST, "IIF(NULLIF(v, 0) IS NULL, 1, 0)", 0), ("decimal(38,38)", LEAST, "CASE v WHEN 0 THEN 'zero' WHEN 1 THEN 'one' ELSE 'other' END", "other"), ("decimal(38,38)", "0.99999999999999999999999999999999999999", "IIF(v < 1, 1, 0)", 1),
    ("decimal(38,38)", LEAST, "IIF(v IN (0, 1), 1, 0)", 0), ("decimal(38,38)", LEAST, "IIF(v > CAST(0 AS bit), 1, 0)", 1), ("decimal(38,38)", LEAST, "IIF(v > $0, 1, 0)", 1), ("int", "0", f"IIF(v < {LEAST}, 1, 0)", 1),
]  # fmt: skip
ABSOLUTE: list[tuple[str, str, str, Any]] = [
    *((name, low, "ABS(v)", (8115, 2)) for name, low in (("int", "-2147483648"), ("bigint", "-9223372036854775808"), ("money", "-922337203685477.5808"))),
    ("int", "-2147483647", "ABS(v)", 2147483647), ("bigint", "-9223372036854775807", "ABS(v)", 2**63 - 1), ("int", "-2147483648", "CASE WHEN v IS NULL THEN ABS(v) END", None),
]  # fmt: skip
CASES = [*ABSOLUTE, *EXACT, *FRACTIONS, *FLOATS, *REALS, *MINUTES]


@pytest.mark.parametrize(("name", "value", "expression", "expected"), CASES, ids=[f"{c[0]} {c[1]} {c[2]}" for c in CASES])  # fmt: skip
def test_a_variable_and_a_column_have_one_answer(session: Session, name: str, value: str, expression: str, expected: Any) -> None:  # fmt: skip
    told(session, f"DROP TABLE IF EXISTS dbo.one; CREATE TABLE dbo.one (v {name} NULL)")
    told(session, f"INSERT dbo.one VALUES (CAST({value} AS {name}))")
    over_variable = re.sub(r"\bv\b", "@v", expression)
    variable = f"DECLARE @v {name} = CAST({value} AS {name}); SELECT {over_variable}"
    for batch in (variable, f"SELECT {expression} FROM dbo.one"):
        found = told(session, batch)
        assert (found, type(found)) == (expected, type(expected)), batch


PADDED = [("N'\U0001f600'", "\U0001f600   "), ("N'a'", "a    "), ("N'\U0001f600\U0001f600'", "\U0001f600\U0001f600 "), ("N'\U0001f600\U0001f600    '", "\U0001f600\U0001f600 "), ("N'\U0001f600\U0001f600a  '", "\U0001f600\U0001f600a"), ("N''", " " * 5)]  # fmt: skip


@pytest.mark.parametrize(("written", "kept"), PADDED)
def test_nchar_has_as_many_units_as_it_says_however_it_is_written(session: Session, written: str, kept: str) -> None:
    """A character beyond the first 65,536 has two units, which a column counts, pads and cuts (documentation: "nchar
    and nvarchar"). Blanks that do not fit are cut off."""
    told(session, "DROP TABLE IF EXISTS dbo.n; CREATE TABLE dbo.n (c nchar(5) PRIMARY KEY, k int)")
    for insert in (
        f"INSERT dbo.n VALUES ({written}, 1)", f"INSERT dbo.n SELECT {written}, 1", f"DECLARE @v nchar(5) = CAST({written} AS nchar(5)); INSERT dbo.n VALUES (@v, 1)",
        f"INSERT dbo.n VALUES (N'zz', 1); UPDATE dbo.n SET c = {written} WHERE k = 1", f"DECLARE @v nvarchar(9) = {written}; INSERT dbo.n (c, k) VALUES (@v, 1), (N'zz', 2)",
    ):  # fmt: skip
        assert told(session, f"DELETE dbo.n; {insert}; SELECT 1") == 1, insert
        assert told(session, "SELECT c FROM dbo.n WHERE k = 1") == kept, insert
        assert told(session, "SELECT DATALENGTH(c) FROM dbo.n WHERE k = 1") == 10, insert
        assert told(session, f"SELECT k FROM dbo.n WHERE c = {written}") == 1, insert
        assert told(session, f"DECLARE @c nchar(5) = CAST({written} AS nchar(5)); SELECT k FROM dbo.n WHERE c = @c") == 1, insert  # fmt: skip
    assert told(session, "INSERT dbo.n VALUES (N'\U0001f600\U0001f600ab', 3)")[0] == 2628
