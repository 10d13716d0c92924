"""UPDATE TOP and DELETE TOP of a table ask for no more rows than they change."""

from __future__ import annotations

from typing import Any

import pytest
from told import last_rows, told

from sbql.engine.modification import sources
from sbql.engine.session import Session

SETUP = "CREATE TABLE work (id int NOT NULL PRIMARY KEY, state varchar(10) NOT NULL); INSERT work SELECT value, 'open' FROM GENERATE_SERIES(1, 500)"


@pytest.mark.parametrize(
    ("statement", "changed", "most"),
    [
        ("UPDATE TOP (1) work SET state = 'done' OUTPUT inserted.id WHERE state = 'open'", 1, 1),
        ("DECLARE @n int = 3; DELETE TOP (@n) FROM work OUTPUT deleted.id", 3, 3),
        ("DELETE TOP (2) FROM work WITH (ROWLOCK, READPAST) OUTPUT deleted.id WHERE state = 'open'", 2, 2),
        (
            "UPDATE TOP (1) w SET state = 'x' OUTPUT inserted.id FROM work w JOIN work v ON v.id < w.id",
            1,
            500 * 499 // 2,
        ),
        ("DELETE TOP (1) PERCENT FROM work OUTPUT deleted.id", 5, 500),
        ("SET ROWCOUNT 2; UPDATE TOP (3) work SET state = 'x' OUTPUT inserted.id", 2, 3),
        ("UPDATE TOP (0) work SET state = 'x' OUTPUT inserted.id", 0, 0),
    ],
)
def test_rows_asked_for(
    session: Session, statement: str, changed: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    fetch = sources.fetch

    def counted(*given: Any) -> Any:
        rows = fetch(*given)
        asked.append(len(rows))
        return rows

    assert told(session, SETUP) == []
    monkeypatch.setattr(sources, "fetch", counted)
    assert len(last_rows(session, statement)) == changed
    assert asked == [most]
    left = last_rows(session, "SELECT COUNT(*) FROM work")
    assert left == [(500 - changed if "DELETE" in statement else 500,)]
