"""AT TIME ZONE over columns is what it is of a variable: around the changes of clocks, in gaps and double hours, and
beyond the years that DuckDB has a table of."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from native_sweep import Sweep

from sbql.engine.functions.time_zones import at_time_zone

ZONES = (
    "UTC", "UTC+12", "Central European Standard Time", "Pacific Standard Time", "India Standard Time", "Morocco Standard Time", "Lord Howe Standard Time", "Samoa Standard Time",
    "AUS Eastern Standard Time", "Russian Standard Time", "Nepal Standard Time", "Egypt Standard Time",
)  # fmt: skip
CHANGES = (
    "2024-03-31T01:00:00", "2024-10-27T01:00:00", "2024-03-10T10:00:00", "2024-11-03T09:00:00", "2023-04-01T15:00:00", "2023-09-30T15:30:00", "1985-12-31T18:30:00", "2011-12-30T10:00:00",
    "2024-03-10T02:00:00", "2014-10-25T22:00:00", "2023-04-27T22:00:00", "1971-01-01T00:00:00", "2038-01-01T00:00:00", "1995-06-15T12:00:00",
)  # fmt: skip
AROUND = tuple(60 * minutes + second for minutes in (-720, -60, -30, 0, 30, 60, 120, 600) for second in (-1, 0, 1))
COLUMNS = {
    "d": "datetime",
    "e": "datetime2(0)",
    "f": "datetime2(7)",
    "o": "datetimeoffset(3)",
    "p": "datetimeoffset(7)",
}


@pytest.fixture(scope="module")
def sweep() -> Iterator[Sweep]:
    found = Sweep()
    moments = sorted({dt.datetime.fromisoformat(c) + dt.timedelta(seconds=s) for c in CHANGES for s in AROUND})
    found.run(f"CREATE TABLE dbo.z (k int, {', '.join(f'{c} {t} NULL' for c, t in COLUMNS.items())})")
    rows = (
        f"({k}, '{m.isoformat()}', '{m.isoformat()}', '{m.isoformat()}.1234567', '{m.isoformat()}+02:00', '{m.isoformat()}.7654321-05:00')"
        for k, m in enumerate(moments)
    )
    found.run(f"INSERT dbo.z VALUES {', '.join(rows)}; INSERT dbo.z (k) VALUES (-1)")
    yield found
    found.close()


@pytest.mark.parametrize("zone", ZONES)
def test_columns_have_the_offsets_that_values_have(sweep: Sweep, zone: str) -> None:
    given = _rows(sweep, ", ".join(COLUMNS))
    found = _rows(sweep, ", ".join(f"{column} AT TIME ZONE '{zone}'" for column in COLUMNS))
    for values, moved in zip(given, found, strict=True):
        wanted = tuple(None if value is None else at_time_zone(value, zone) for value in values)
        assert repr(moved) == repr(wanted), values


def test_a_zone_of_a_zone(sweep: Sweep) -> None:
    given = _rows(sweep, "e")
    found = _rows(sweep, "e AT TIME ZONE 'Central European Standard Time' AT TIME ZONE 'Pacific Standard Time'")
    for (value,), (moved,) in zip(given, found, strict=True):
        if value is not None:
            between = at_time_zone(value, "Central European Standard Time")
            assert repr(moved) == repr(at_time_zone(between, "Pacific Standard Time"))


def test_python_is_asked_for_other_years_only(sweep: Sweep) -> None:
    text = "SELECT d AT TIME ZONE 'Pacific Standard Time' FROM dbo.z WHERE d"
    assert sweep.asked(f"{text} BETWEEN '2023-01-01' AND '2024-12-31'") == 0
    assert sweep.asked(f"{text} > '2038-01-01T00:00:00'") > 0


def _rows(sweep: Sweep, items: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = sweep.run(f"SELECT {items} FROM dbo.z ORDER BY k")[0].rows
    return found
