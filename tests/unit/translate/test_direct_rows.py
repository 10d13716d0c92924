"""What is computed of a row found by its key without DuckDB is what DuckDB computes: every call of the sweep of native forms, for some rows.

`k + 0 = n` is no key to the translator, so the same statement goes to DuckDB.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from math import prod
from typing import Any

import pytest
from native_calls import CALLS
from native_sweep import VALUES, Sweep

from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.query import direct

SHARE = int(os.environ.get("NATIVE_SHARE", "151"))
"""One of so many calls is made."""
FORMS = (
    "SELECT {call} FROM {table} WHERE {key} = {number}",
    "SELECT k FROM {table} WHERE {key} = {number} AND {call} IS NOT NULL",
    "SELECT CASE WHEN {call} = {call} THEN {call} END, ISNULL(CAST({call} AS varchar(60)), 'none') FROM {table} WHERE {key} = {number}",
    "SELECT {call}, GETDATE() FROM {table} WHERE {key} = {number} AND DATEDIFF(day, GETDATE(), GETDATE()) = LEN('') AND k >= ABS(-{number})",
)


class KeyedSweep(Sweep):
    """Its tables have a key."""

    def run(self, text: str) -> list[Any]:
        return super().run(text.replace("(k int,", "(k int NOT NULL PRIMARY KEY,", 1))


@pytest.fixture(scope="module")
def sweep() -> Iterator[KeyedSweep]:
    found = KeyedSweep()
    yield found
    found.close()


def asked(sweep: Sweep, text: str) -> Any:
    """Values with their types, and what the columns say; or the number of the error."""
    for outcome in sweep.session.run(text):
        if isinstance(outcome, ErrorOutcome):
            return outcome.error.number
        if isinstance(outcome, ResultSet):
            rows = [tuple((type(value), repr(value)) for value in row) for row in outcome.rows]
            return rows, [(column.name, column.type, column.nullable) for column in outcome.columns]
    raise AssertionError(text)


def test_a_row_gives_what_duckdb_gives(sweep: KeyedSweep, monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    run = direct._Direct.__call__

    def counted(self: Any, frame: Any) -> Any:
        found.append(run(self, frame))
        return found[-1]

    monkeypatch.setattr(direct._Direct, "__call__", counted)
    chance, differences = random.Random(SHARE), []
    for call, types in CALLS[::SHARE]:
        table = sweep.table(types)
        for _ in range(2):
            number = chance.randrange(prod(len(VALUES[t]) + 1 for t in types))
            for form in FORMS:
                texts = [form.format(call=call, table=table, key=key, number=number) for key in ("k", "k + 0")]
                by_key, by_duckdb = (asked(sweep, text) for text in texts)
                if by_key != by_duckdb:
                    differences.append(f"{texts[0]} {types}: {by_key} {by_duckdb}")
    assert not differences, "\n".join(differences[:20])
    assert sum(one is not None for one in found) > len(CALLS) // SHARE * 3, "most need no DuckDB"
