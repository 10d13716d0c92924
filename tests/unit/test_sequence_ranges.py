"""sp_sequence_get_range that takes the last values: the sequence is at its end, also for whoever opens the store again,
and does not begin anew."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

SEQUENCES = {
    "up": ("START WITH 1 MINVALUE 1 MAXVALUE 10", "10"),
    "from the middle": ("START WITH 3 MINVALUE 1 MAXVALUE 12", "12"),
    "by three": ("START WITH 1 INCREMENT BY 3 MINVALUE 1 MAXVALUE 30", "28"),
    "down": ("START WITH 10 INCREMENT BY -1 MINVALUE 1 MAXVALUE 10", "1"),
}


def told(session: Session, text: str) -> list[Any]:
    found: list[Any] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append(outcome.error.number)
        elif isinstance(outcome, ResultSet):
            found += [str(row[0]) for row in outcome.rows]
    return found


@pytest.mark.parametrize("name", SEQUENCES)
def test_a_range_to_the_end(tmp_path: Path, name: str) -> None:
    options, last = SEQUENCES[name]
    for number in range(2):
        instance = Instance.open(str(tmp_path / "store.duckdb"))
        try:
            session = instance.connect()
            if number == 0:
                assert told(session, f"CREATE SEQUENCE short AS int {options}") == []
                text = "DECLARE @first sql_variant, @last sql_variant; EXEC sp_sequence_get_range N'short', 10, @first OUTPUT, @range_last_value = @last OUTPUT; SELECT CAST(@last AS int)"
                assert told(session, text) == [last]
                assert told(session, "SELECT CAST(current_value AS int) FROM sys.sequences") == [last]
            assert told(session, "SELECT NEXT VALUE FOR short") == [11728]
        finally:
            instance.close()
