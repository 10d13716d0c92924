"""PARSE of dates in each culture, of a constant and of a column: what .NET's DateTime.Parse takes, which PARSE is (its
page says that it relies on .NET)."""

from __future__ import annotations

import pytest

from sbql.engine.functions.cultures import CULTURES
from sbql.engine.instance import Instance
from sbql.engine.session import Session

TYPES = ("date", "datetime", "datetime2(3)")
YEAR_FIRST = (
    "2024-02-03",
    "2024/02/03",
    "2024.02.03",
    "2024-2-3",
    "2024-02-03 00:00",
    "2024-02-03 00:00:00",
    "2024-02-03T00:00:00",
    "2024-02-03 00:00:00.000",
)
"""No culture has a pattern of year, day and month, so that the month is always behind the year."""
NO_DATES = (
    "20240203",
    "240203",
    "2024",
    "20240203 10:00",
    "20240203 10:00:00",
    "20240203T10:00:00",
    "20240203 10 AM",
    "",
    " ",
)
"""DateTime.Parse raises a FormatException for digits without anything between them, and for nothing."""


@pytest.fixture(scope="module")
def session() -> Session:
    session = Instance.open(None, clock="virtual").connect()
    for name, texts in (("dbo.YearFirst", YEAR_FIRST), ("dbo.NoDates", NO_DATES)):
        rows = ", ".join(f"('{text}')" for text in texts)
        list(session.run(f"CREATE TABLE {name} (a varchar(30)); INSERT {name} VALUES {rows}"))
    return session


@pytest.mark.parametrize("culture", sorted(filter(None, CULTURES)))
def test_what_begins_with_a_year_is_read_alike_in_every_culture(session: Session, culture: str) -> None:
    for target in TYPES:
        parsed = f"CONVERT(char(8), PARSE({{}} AS {target} USING '{culture}'), 112)"
        constants = ", ".join(parsed.format(f"'{text}'") for text in YEAR_FIRST)
        assert session.run(f"SELECT {constants}")[0].rows == [("20240203",) * len(YEAR_FIRST)], target
        found = session.run(f"SELECT {parsed.format('a')} FROM dbo.YearFirst")[0].rows
        assert found == [("20240203",)] * len(YEAR_FIRST), target


@pytest.mark.parametrize("text", NO_DATES)
def test_digits_without_signs_are_no_date(session: Session, text: str) -> None:
    for target in TYPES:
        for culture in ("en-US", "de-DE", "sv-SE"):
            for source in (
                f"SELECT PARSE('{text}' AS {target} USING '{culture}')",
                f"SELECT PARSE(a AS {target} USING '{culture}') FROM dbo.NoDates WHERE a = '{text}'",
            ):
                assert session.run(source)[0].error.number == 9819, source
