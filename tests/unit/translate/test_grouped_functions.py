"""A function is grouped by, distinct and ordered by as it stands in the select list: both are texts
for DuckDB, which have to be the same. Every native function is asked, over each type that it takes."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from native_calls import CALLS
from native_sweep import Sweep

SHARE = int(os.environ.get("NATIVE_SHARE", "151"))
RANDOM = ("NEWID", "RAND")
OF_A_WEEK = tuple(
    f"{name}({part}, a0)" for name in ("DATEPART", "DATENAME", "DATETRUNC") for part in ("week", "weekday", "iso_week", "millisecond")
    if (name, part) != ("DATETRUNC", "weekday")
)  # fmt: skip
ORDERS = (
    "SELECT {0}, COUNT(*) FROM {1} GROUP BY {0}",
    "SELECT DISTINCT {0} FROM {1} ORDER BY {0}",
    "SELECT {0}, COUNT(*) FROM {1} GROUP BY {0} HAVING {0} IS NOT NULL ORDER BY {0}",
)


@pytest.fixture(scope="module")
def sweep() -> Iterator[Sweep]:
    found = Sweep()
    yield found
    found.close()


def _refused(sweep: Sweep, call: str, types: tuple[str, ...]) -> list[str]:
    """The statements that say that a column is not grouped by."""
    table, found = sweep.table(types), []
    for order in ORDERS:
        text = order.format(call, table)
        numbers = [outcome.error.number for outcome in sweep.session.run(text) if hasattr(outcome, "error")]
        if {8120, 145, 8121, 8127} & set(numbers):
            found.append(f"{text} {types}: {numbers}")
    return found


@pytest.mark.parametrize("name", ["date", "datetime", "datetime2(7)", "datetime2(3)", "datetimeoffset(7)"])
@pytest.mark.parametrize("call", OF_A_WEEK)
def test_what_depends_on_datefirst_is_grouped_by(sweep: Sweep, call: str, name: str) -> None:
    assert _refused(sweep, call, (name,)) == []


def test_native_calls_are_grouped_by(sweep: Sweep) -> None:
    calls = [(c, t) for c, t in CALLS[:: 4 * SHARE] if "a0" in c and "SELECT" not in c and not c.startswith(RANDOM)]
    assert len(calls) > 20
    assert [found for call, types in calls for found in _refused(sweep, call, types)] == []
