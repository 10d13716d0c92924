"""Dates as they are stored in practice, with fractions of a second, and the functions, operators and conversions that
are used on them: DuckDB computes each of these, and Python no row.

Whole minutes, of which most tests are made, hide that a form holds for nothing else."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from told import told

from sbql.engine.instance import Instance
from sbql.engine.session import Session

ROWS = 400
FEW = ROWS // 20
"""Calls of functions over constants, and values near an end of a type."""

_MOMENT = "DATEADD(ns, value * 791900, DATEADD(second, value * 79191, CAST('2001-01-01' AS datetime2)))"
COLUMNS = {
    "d": ("datetime", "DATEADD(ms, value * 293003 % 86400000, DATEADD(day, value * 31 % 9000, CAST('19960101' AS datetime)))"),
    "sd": ("smalldatetime", "CAST(DATEADD(minute, value * 7919, CAST('19960101' AS datetime)) AS smalldatetime)"),
    "e": ("datetime2(7)", _MOMENT), "e3": ("datetime2(3)", _MOMENT), "e0": ("datetime2(0)", _MOMENT),
    "o": ("datetimeoffset(7)", f"TODATETIMEOFFSET({_MOMENT}, (value % 5 - 2) * 60)"),
    "o3": ("datetimeoffset(3)", f"TODATETIMEOFFSET({_MOMENT}, '+02:00')"), "g": ("date", _MOMENT), "h": ("time(7)", _MOMENT), "h3": ("time(3)", _MOMENT),
    "h0": ("time(0)", _MOMENT), "i": ("int", "value * 7919 % 60000"), "n": ("decimal(18,6)", "value * 7919 % 65000 + value / 401.0"), "f": ("float", "value * 151.7 + value / 401e0"),
}  # fmt: skip
DATES = ("d", "sd", "e", "e3", "e0", "o", "o3", "g")
TIMES = ("h", "h3", "h0")
PARTS = "year quarter month dayofyear day week weekday hour minute second millisecond microsecond nanosecond iso_week".split()
OF_A_DAY = ("hour", "minute", "second", "millisecond", "microsecond", "nanosecond")
OF_MANY = ("CONVERT({}, {{}})", "IIF({{}} > CAST({{}} AS {}), 1, 0)")
TARGETS = (
    "datetime", "smalldatetime", "datetime2(7)", "datetime2(3)", "datetime2(0)", "datetimeoffset(7)", "datetimeoffset(0)", "date", "time(7)", "time(3)", "time(0)",
)  # fmt: skip
STYLES = (
    0,
    1,
    3,
    4,
    8,
    9,
    10,
    12,
    14,
    20,
    21,
    23,
    25,
    100,
    101,
    103,
    104,
    105,
    106,
    107,
    108,
    109,
    110,
    111,
    112,
    113,
    114,
    120,
    121,
    126,
    127,
)
FORMATS = ("yyyy-MM-dd", "yyyyMMddHHmmss", "HH:mm:ss.fff", "dd MMM yyyy", "dd.MM.yyyy HH:mm", "d", "D")
TIMELESS = {8, 14, 24, 108, 114}
DAYLESS = {0, 8, 9, 14, 20, 21, 25, 100, 108, 109, 113, 114, 120, 121, 126, 127}


def _expressions() -> Iterator[str]:
    for c in (*DATES, *TIMES):
        parts = PARTS if c in DATES and c != "g" else OF_A_DAY if c in TIMES else PARTS[:7]
        for part in parts:
            yield f"DATEPART({part}, {c})"
            yield f"DATENAME({part}, {c})"
            is_too_fine = c in ("d", "sd") and part in ("microsecond", "nanosecond")
            if not is_too_fine and part != "iso_week":
                yield f"DATEADD({part}, 3, {c})"
                yield f"DATEADD({part}, i % 8, {c})"
            is_shown = not (c in ("e0", "h0") and part in OF_A_DAY[3:]) and not (
                c in ("d", "e3", "o3", "h3") and part == "microsecond"
            )
            if part not in ("nanosecond", "weekday") and is_shown:
                yield f"DATETRUNC({part}, {c})"
        for style in STYLES:
            if not (c == "g" and style in TIMELESS) and not (c in TIMES and style not in DAYLESS):
                yield f"CONVERT(varchar(40), {c}, {style})"
        for target in TARGETS:
            if not (c in TIMES and target == "date") and not (c == "g" and target.startswith("time")):
                yield f"TRY_CAST({c} AS {target})"
    for c in DATES:
        yield from (f"FORMAT({c}, '{pattern}')" for pattern in FORMATS if not (c == "g" and ":" in pattern))
        yield from (f"{f}({c})" for f in ("YEAR", "MONTH", "DAY", "EOMONTH"))
        for other in (*DATES, *TIMES):
            yield (
                f"IIF({c} > {other}, 1, 0)"
                if not {c, other} >= {"g", "h"} and not (c == "g" and other in TIMES)
                else f"IIF({c} > g, 1, 0)"
            )
            yield from (
                f"DATEDIFF({part}, {c}, {other})"
                for part in ("year", "month", "week", "day", "hour", "minute", "second")
            )
            yield from (f"DATEDIFF_BIG({part}, {c}, {other})" for part in ("millisecond", "microsecond"))
    yield from (f"DATEDIFF({part}, {c}, {other})" for part in OF_A_DAY[:4] for c in TIMES for other in TIMES)
    yield from (
        "d + 1",
        "d - 0.5",
        "sd + 1",
        "d - d",
        "sd - 0.25",
        "CAST(CAST(d AS float) AS datetime)",
        "DATEPART(tzoffset, o)",
    )
    for number in ("i", "n", "f"):
        yield from (f"TRY_CAST({number} AS {target})" for target in ("datetime", "smalldatetime"))
    yield from (f"CAST({c} AS {number})" for c in ("d", "sd") for number in ("int", "float", "real", "decimal(18,6)"))


@pytest.fixture(scope="module")
def usual_rows() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    columns = ", ".join(f"{name} {made}" for name, (made, _) in COLUMNS.items())
    values = ", ".join(value for _, value in COLUMNS.values())
    made = f"CREATE TABLE t ({columns}); INSERT t SELECT {values} FROM GENERATE_SERIES(1, {ROWS})"
    assert told(session, made) == []
    yield session
    instance.close()


@pytest.mark.matrix
@pytest.mark.parametrize("expression", sorted(set(_expressions())))
def test_usual_dates_need_no_python(usual_rows: Session, calls: list[None], expression: str) -> None:
    found = told(usual_rows, f"SELECT COUNT(*) FROM t WHERE {expression} IS NOT NULL")
    assert found and not str(found[0]).startswith("Msg"), found
    assert len(calls) <= FEW


def test_calls_of_python_are_seen(usual_rows: Session, calls: list[None]) -> None:
    """What the others assert can be false."""
    told(usual_rows, "SELECT CONVERT(varchar(40), d, 130) FROM t")
    assert len(calls) >= ROWS
