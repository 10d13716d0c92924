"""Usual rows need no Python: of values that look like those of applications DuckDB computes nearly all, whichever
common function, operator or conversion is asked for. A form that calls all of them odd is none, and nothing else would
show it: each row is right, and takes ten to a hundred times as long.

Who adds a form adds the expressions that use it to the list of its topic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from told import told
from usual_values import NUMBERS, ROWS, TABLE, create

from sbql.engine.instance import Instance
from sbql.engine.session import Session

FEW = ROWS // 20
"""Rows that may be odd."""

ALWAYS_PYTHON = "FORMATMESSAGE(n, i)"
"""What has no form in DuckDB."""

OF_A_NUMBER = (
    "ABS({})", "SIGN({})", "CEILING({})", "FLOOR({})", "ROUND({}, 0)", "ROUND({}, 1)", "ROUND({}, 2)", "ROUND({}, -1)", "ROUND({}, -2)", "ROUND({}, 1, 1)", "ROUND({}, -1, 1)", "ROUND({} / 3.0, 2)",
    "SQRT(ABS({}))", "POWER({}, 2)", "POWER({}, 3)", "SQUARE({})", "EXP({} / 1e6)", "LOG(ABS({}) + 1)", "LOG10(ABS({}) + 1)", "SIN({})", "ATN2({}, 2)",
    "{} % 7", "{} / 3", "{} / 7.0", "{} * 1.1", "{} * 2", "{} + 1", "{} - 0.5", "{} / NULLIF({}, 0)", "{} * {}", "{} + {}", "{} + ' 1'", "CAST(ROUND({} * 1.19, 2) AS decimal(14, 2))", "CAST({} AS float) / 3",
    "CAST({} AS varchar(40))", "CAST({} AS nvarchar(40))", "CAST({} AS char(40))", "CONVERT(varchar(40), {}, 0)", "CONVERT(varchar(40), {}, 1)", "CONVERT(varchar(40), {}, 2)", "CONVERT(varchar(40), {}, 3)",
    "CONCAT({}, '')", "CONCAT_WS('-', {}, {})", "RIGHT('000000' + CAST({} AS varchar(20)), 6)", "LEN({})", "LEFT({}, 2)", "RIGHT({}, 2)", "JSON_OBJECT('a': {})", "JSON_ARRAY({}, 1)",
    "CAST({} AS decimal(18, 2))", "CAST({} AS decimal(38, 6))", "CAST({} AS money)", "CAST({} AS float)", "CAST({} AS real)", "CAST({} AS bit)", "TRY_CAST({} AS int)", "TRY_CAST({} AS bigint)", "TRY_CAST({} AS tinyint)", "TRY_CAST({} AS smallmoney)", "TRY_CAST({} AS decimal(5, 2))",
    "ISNULL({}, 0)", "NULLIF({}, 0)", "COALESCE({}, 0)", "IIF({} > 5, 1, 0)", "IIF({} = 5.5, 1, 0)", "IIF({} BETWEEN 1 AND 10, 1, 0)", "IIF({} > '5', 1, 0)", "GREATEST({}, 5)", "LEAST({}, 5.5)",
    "DEGREES({})", "RADIANS({})", "STR({}, 16, 2)", "FORMAT({}, 'N2')", "FORMAT({}, '0.00')", "FORMAT({}, '#,##0')", "FORMAT({}, 'C')", "FORMAT({}, 'P1')", "FORMAT({}, 'X')", "FORMAT({}, 'D8')", "FORMAT({}, 'N', 'de-DE')",
    "SUM({})", "AVG({})", "MIN({})", "MAX({})", "COUNT(DISTINCT {})", "STDEV({})", "VAR({})", "SUM({} * 1.0)", "AVG({} * 1.0)", "SUM({}) OVER (ORDER BY k)",
)  # fmt: skip
OF_TWO_NUMBERS = (
    "{0} + NULLIF({1}, 0)", "{0} - NULLIF({1}, 0)", "{0} * NULLIF({1}, 0)", "{0} / NULLIF({1}, 0)", "{0} % NULLIF({1}, 0)", "IIF({0} > {1}, 1, 0)", "IIF({0} = {1}, 1, 0)", "COALESCE({0}, {1})",
)  # fmt: skip
OF_TEXT_NUMBERS = (
    "CAST(tn AS decimal(18, 4))", "CAST(tn AS money)", "CAST(tn AS float)", "CAST(tn AS real)", "tn * 2.0", "IIF(tn > 5.5, 1, 0)", "SUM(CAST(tn AS real))",
)  # fmt: skip
SUMMED = (*NUMBERS, "d", "sd", "e", "e3", "e0", "o", "o3", "g", "h", "h0", "s", "x", "c", "z")
AS_VARIANTS = (*NUMBERS, "sd", "g", "z")
OF_A_SUM = ("CHECKSUM({})", "BINARY_CHECKSUM({})", "CHECKSUM({}, i)", "CHECKSUM_AGG(CHECKSUM(k, {}))")
PYTHONS_OWN = frozenset({"w * w", "w * NULLIF(w, 0)", "b / NULLIF(w, 0)"})
"""Products of more digits than DuckDB has, and a quotient of 27 places."""


@pytest.fixture(scope="module")
def usual() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    create(session)
    yield session
    instance.close()


def _called(session: Session, calls: list[None], expressions: Sequence[str]) -> dict[str, float]:
    """Expressions that call Python for more than few rows, and for which share of them."""
    found = {}
    for expression in expressions:
        calls.clear()
        told(session, f"SELECT {expression} AS x FROM {TABLE}")
        if len(calls) > FEW and expression not in PYTHONS_OWN:
            found[expression] = len(calls) / ROWS
    return found


@pytest.mark.matrix
@pytest.mark.parametrize("column", NUMBERS)
def test_usual_numbers_need_no_python(usual: Session, calls: list[None], column: str) -> None:
    assert _called(usual, calls, [expression.replace("{}", column) for expression in OF_A_NUMBER]) == {}


@pytest.mark.matrix
@pytest.mark.parametrize("column", NUMBERS)
def test_two_usual_numbers_need_no_python(usual: Session, calls: list[None], column: str) -> None:
    found = _called(usual, calls, [text.format(column, other) for other in NUMBERS for text in OF_TWO_NUMBERS])
    assert found == {}


@pytest.mark.matrix
def test_usual_texts_of_numbers_need_no_python(usual: Session, calls: list[None]) -> None:
    assert _called(usual, calls, OF_TEXT_NUMBERS) == {}


@pytest.mark.matrix
def test_checksums_of_usual_values_need_no_python(usual: Session, calls: list[None]) -> None:
    assert _called(usual, calls, [text.replace("{}", column) for column in SUMMED for text in OF_A_SUM]) == {}


@pytest.mark.matrix
def test_usual_values_become_variants_without_python(usual: Session, calls: list[None]) -> None:
    assert _called(usual, calls, [f"CAST({column} AS sql_variant)" for column in AS_VARIANTS]) == {}


def test_calls_of_python_are_seen(usual: Session, calls: list[None]) -> None:
    """What the others assert can be false."""
    assert _called(usual, calls, [ALWAYS_PYTHON]) != {}
