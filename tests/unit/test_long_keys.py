"""A key has 32 columns at most (1904, which names it); what has no key list, as a columnstore index, takes as many as
the table has."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

COLUMNS = ", ".join(f"c{number} int NOT NULL" for number in range(1, 41))
KEYS = {
    "CREATE TABLE n ({columns}, CONSTRAINT k PRIMARY KEY ({key}))": ("k", "n"),
    "CREATE TABLE n ({columns}, CONSTRAINT k UNIQUE NONCLUSTERED ({key}))": ("k", "n"),
    "CREATE TABLE n ({columns}, INDEX k ({key}))": ("k", "n"),
    "CREATE TABLE n ({columns}, INDEX k UNIQUE CLUSTERED ({key}))": ("k", "n"),
    "CREATE TABLE #n ({columns}, CONSTRAINT k PRIMARY KEY ({key}))": ("k", "#n"),
    "CREATE TABLE n ({columns}, PRIMARY KEY ({key}))": ("PK__n__[0-9A-F]{16}", "n"),
    "CREATE TABLE n ({columns}, UNIQUE ({key}))": ("UQ__n__[0-9A-F]{16}", "n"),
    "DECLARE @n TABLE ({columns}, UNIQUE ({key}))": ("UQ__.*__[0-9A-F]{16}", "@n"),
    "ALTER TABLE t ADD CONSTRAINT k UNIQUE ({key})": ("k", "t"),
    "ALTER TABLE t ADD CONSTRAINT k PRIMARY KEY ({key})": ("k", "t"),
    "ALTER TABLE t ADD UNIQUE ({key})": ("UQ__t__[0-9A-F]{16}", "t"),
    "CREATE INDEX k ON t ({key})": ("k", "t"),
    "CREATE UNIQUE CLUSTERED INDEX k ON t ({key})": ("k", "t"),
    "CREATE INDEX k ON t ({key}) INCLUDE (c40)": ("k", "t"),
}
"""What has a key list -> its name in the error, and the table's."""
FREE = (
    "CREATE NONCLUSTERED COLUMNSTORE INDEX k ON t ({key})",
    "CREATE COLUMNSTORE INDEX k ON t ({key})",
    "CREATE CLUSTERED COLUMNSTORE INDEX k ON t",
    "CREATE TABLE n ({columns}, INDEX k NONCLUSTERED COLUMNSTORE ({key}))",
    "CREATE TABLE n ({columns}, INDEX k CLUSTERED COLUMNSTORE)",
    "CREATE INDEX k ON t (c40) INCLUDE ({key})",
    "CREATE TABLE n ({columns}, INDEX k (c40) INCLUDE ({key}))",
)


@pytest.fixture
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual", seed=1)
    session = instance.connect()
    session.run(f"CREATE TABLE t ({COLUMNS})")
    yield session
    instance.close()


def _errors(session: Session, text: str, count: int) -> list[tuple[int, str]]:
    key = ", ".join(f"c{number}" for number in range(1, count + 1))
    outcomes = session.run(text.format(columns=COLUMNS, key=key))
    return [(o.error.number, o.error.message) for o in outcomes if isinstance(o, ErrorOutcome)]


@pytest.mark.parametrize("text", KEYS)
def test_a_key_of_more_than_32_columns_is_named(session: Session, text: str) -> None:
    name, table = KEYS[text]
    (number, message), *_ = _errors(session, text, 33)
    assert number == 1904
    assert re.match(f"The index '{name}' on the table '{table}' has 33 columns", message), message
    assert _errors(session, text, 32) == []


@pytest.mark.parametrize("text", FREE)
def test_columns_that_are_no_key_are_not_counted(session: Session, text: str) -> None:
    assert _errors(session, text, 39) == []
