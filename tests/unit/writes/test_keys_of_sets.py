"""Keys of text that were added as a set are known as those that were added row by row: the same other spelling is a
duplicate of them, or is none. And no function of ours is called for each of the new keys."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, RowsAffected
from sbql.engine.session import Session

ROWS = 3000
COLLATIONS = (
    "Latin1_General_CI_AS",
    "Latin1_General_CS_AS",
    "Latin1_General_BIN2",
    "Latin1_General_CI_AI",
    "SQL_Latin1_General_CP1_CI_AS",
    "Polish_CI_AS",
)
TEXTS = ("N'Item '", "N'Müller '", "N'Zażółć '", "N'a😀 '", "N'ß '", "N'ﬀ '", "NCHAR(55357) + N' '")
"""What stands before the number; the last one is half a character."""
OTHERS = (
    "UPPER({})",
    "LOWER({})",
    "{} + N'   '",
    "REPLACE({}, N'u', N'ü')",
    "REPLACE({}, N'ü', N'u')",
    "REPLACE({}, N'ß', N'ss')",
    "N'x' + {}",
)
KEYS = ("UNIQUE (w)", "PRIMARY KEY (id, w)", "UNIQUE (w, d, id)")
FIXED = 6000
"""Functions that a statement calls, however many rows it has."""
NUMBERS = itertools.count()


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    yield instance.connect()
    instance.close()


def told(session: Session, text: str) -> list[Any]:
    found: list[Any] = []
    for outcome in session.run(text):
        if isinstance(outcome, ErrorOutcome):
            found.append(outcome.error.number)
        elif isinstance(outcome, RowsAffected):
            found.append(outcome.count)
    return found


@pytest.mark.matrix
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("collation", COLLATIONS)
def test_other_spellings_of_new_keys(session: Session, collation: str, key: str) -> None:
    for text in TEXTS:
        found = []
        for sets_from in (1, sys.maxsize):
            session.instance.locks.sets_from = sets_from
            told(session, "DROP TABLE IF EXISTS t")
            told(
                session,
                f"CREATE TABLE t (id int NOT NULL, w nvarchar(40) COLLATE {collation} NOT NULL, d decimal(9,2) NOT NULL, {key})",
            )
            done = [
                told(
                    session,
                    f"INSERT t SELECT value, {text} + CAST(value AS nvarchar(9)), value / 4.0 FROM GENERATE_SERIES(1, 50) -- {next(NUMBERS)}",
                )
            ]
            for number, other in enumerate(OTHERS, 1):
                spelling = other.format(f"{text} + N'{number}'")
                done.append(told(session, f"INSERT t VALUES ({number}, {spelling}, {number / 4.0})"))
            found.append(done)
        assert found[0] == found[1], text
        assert found[0][0] == [50]
        assert found[0][3] == [2627]


@pytest.mark.parametrize("key", KEYS)
def test_new_keys_need_no_python(session: Session, key: str) -> None:
    session.instance.locks.sets_from = 1
    called = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal called
        called += event == "call"

    told(session, "DROP TABLE IF EXISTS t")
    told(session, f"CREATE TABLE t (id int NOT NULL, w varchar(40) NOT NULL, d decimal(9,2) NOT NULL, {key})")
    sys.setprofile(count)
    try:
        done = told(
            session,
            f"INSERT t SELECT value, CONCAT('Item ', value), value / 4.0 FROM GENERATE_SERIES(1, {ROWS}) -- {next(NUMBERS)}",
        )
    finally:
        sys.setprofile(None)
    assert done == [ROWS]
    assert called < FIXED + 2 * ROWS
