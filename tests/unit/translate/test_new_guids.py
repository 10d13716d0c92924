"""NEWID in a query: a new GUID of version 4 for each row and each place, and those of the host where they have to
repeat (documentation: "NEWID (Transact-SQL)")."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from uuid import RFC_4122, UUID

import pytest

from sbql.engine.instance import Instance
from sbql.engine.session import Session

ROWS = 3000
QUERIES = (
    "SELECT NEWID(), NEWID() FROM dbo.t",
    "SELECT CAST(CAST(NEWID() AS varchar(36)) AS uniqueidentifier) FROM dbo.t",
    "SELECT IIF(k >= 0, NEWID(), NULL) FROM dbo.t",
    "SELECT ISNULL(n, NEWID()) FROM dbo.t",
    "SELECT NEWID() FROM dbo.t GROUP BY k",
    "SELECT MAX(v.g) FROM (SELECT k, NEWID() AS g FROM dbo.t) AS v GROUP BY v.k",
    "SELECT FIRST_VALUE(NEWID()) OVER (PARTITION BY k ORDER BY k) FROM dbo.t",
    "SELECT NEWID() FROM dbo.t UNION ALL SELECT NEWID() FROM dbo.t",
)


def opened(clock: str, seed: int = 0) -> Session:
    session = Instance.open(None, clock=clock, seed=seed).connect()
    text = f"CREATE TABLE dbo.t (k int, n uniqueidentifier); INSERT dbo.t SELECT value, NULL FROM GENERATE_SERIES(1, {ROWS})"
    assert rows(session, text) is None
    return session


def rows(session: Session, text: str) -> Any:
    """Of the last result set, if there is one. Raises AssertionError for an error."""
    found = None
    for outcome in session.run(text):
        assert not hasattr(outcome, "error"), (text, outcome)
        found = getattr(outcome, "rows", found)
    return found


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    session = opened("system")
    yield session
    session.instance.close()


@pytest.mark.parametrize("text", QUERIES)
def test_each_row_has_its_own(session: Session, text: str) -> None:
    found = [guid for row in rows(session, text) for guid in row]
    assert len(found) >= ROWS
    assert len(set(found)) == len(found)
    assert {(guid.version, guid.variant) for guid in found} == {(4, RFC_4122)}


def test_two_queries_with_the_same_chance_of_duckdb_have_other_guids(session: Session) -> None:
    """DuckDB's sequences of two queries meet sooner than GUIDs may."""
    found: list[UUID] = []
    for _ in range(2):
        session.store.connection.execute("SELECT setseed(0.25)").fetchall()
        found += [guid for (guid,) in rows(session, "SELECT NEWID() FROM dbo.t")]
    assert len(set(found)) == 2 * ROWS


def test_rows_are_shuffled(session: Session) -> None:
    first, second = (rows(session, "SELECT TOP (100) k FROM dbo.t ORDER BY NEWID()") for _ in range(2))
    assert first != second
    assert sorted(first) != first


def test_a_column_is_filled_with_new_ones(session: Session) -> None:
    rows(
        session,
        "SELECT k, n INTO dbo.u FROM dbo.t; UPDATE dbo.u SET n = NEWID(); INSERT dbo.u SELECT k, NEWID() FROM dbo.t",
    )
    assert rows(session, "SELECT COUNT(DISTINCT n), COUNT(DISTINCT k) FROM dbo.u") == [(2 * ROWS, ROWS)]


def test_a_host_that_repeats_gives_the_same_again() -> None:
    once, again, other = (rows(opened("virtual", seed), QUERIES[0]) for seed in (5, 5, 6))
    assert once == again
    assert not {guid for row in once for guid in row} & {guid for row in other for guid in row}


SORTED = (
    "SELECT NEWID() AS x FROM dbo.t ORDER BY x",
    "SELECT NEWID() AS x FROM dbo.t ORDER BY 1 DESC",
    "SELECT TOP (500) NEWID() AS x, k FROM dbo.t ORDER BY x",
    "SELECT TOP (10) PERCENT NEWID() AS x FROM dbo.t ORDER BY x",
    "SELECT NEWID() AS x FROM dbo.t ORDER BY x OFFSET 10 ROWS FETCH NEXT 500 ROWS ONLY",
    "SELECT NEWID() AS x FROM dbo.t GROUP BY k ORDER BY x DESC",
    "SELECT CAST(NEWID() AS varchar(36)) AS x FROM dbo.t ORDER BY x",
    "SELECT LEFT(NEWID(), 3) AS x, k FROM dbo.t ORDER BY x DESC, k DESC",
    "SELECT k % 7 AS m, LEFT(NEWID(), 3) AS x, k AS kk FROM dbo.t ORDER BY k % 7, x, k DESC",
    "SELECT LEFT(NEWID(), 3) COLLATE Latin1_General_BIN AS x FROM dbo.t ORDER BY x COLLATE Latin1_General_CI_AS",
)


def as_sorted(value: Any) -> Any:
    """GUIDs are sorted by their bytes in groups, the last group first (documentation: "Comparing
    GUID and uniqueidentifier values")."""
    if not isinstance(value, UUID):
        return value
    stored = value.bytes_le
    return stored[10:], stored[8:10], stored[6:8], stored[4:6], stored[:4]


@pytest.mark.parametrize("text", SORTED)
def test_rows_are_sorted_by_what_is_shown(session: Session, text: str) -> None:
    """A name or a place in ORDER BY is that column of the result, which is computed once
    (documentation: "SELECT - ORDER BY clause")."""
    found = rows(session, text)
    assert len(found) >= 300
    if "% 7" in text:
        assert found == sorted(sorted(found, key=lambda row: -row[2]), key=lambda row: row[:2])
        return
    keys = [as_sorted(row[0]) for row in found]
    assert keys == sorted(keys, reverse="DESC" in text)
    if text.endswith("k DESC"):
        assert found == sorted(found, reverse=True)


@pytest.mark.parametrize("value", ["ABS(CHECKSUM(NEWID())) % 2", "CRYPT_GEN_RANDOM(1) % 2"])
def test_a_new_bit_is_computed_once_for_json(session: Session, value: str) -> None:
    """It is never NULL, so that no array is without it."""
    found = {j for (j,) in rows(session, f"SELECT JSON_ARRAY(CAST({value} AS bit)) FROM dbo.t")}
    assert found == {"[true]", "[false]"}
    found = {j for (j,) in rows(session, f"SELECT JSON_OBJECT('a': CAST({value} AS bit)) FROM dbo.t")}
    assert found == {'{"a":true}', '{"a":false}'}


def test_the_checksum_of_a_new_one_has_any_32_bits(session: Session) -> None:
    """Each bit is set in about half of the rows, alone and beside any other, and nothing comes again."""
    count = 50_000
    drawn = f"SELECT TOP ({count}) CHECKSUM(NEWID()) FROM dbo.t AS a CROSS JOIN dbo.t AS b"
    numbers = [n for (n,) in rows(session, drawn)]
    assert len(numbers) == count and -(2**31) <= min(numbers) < -(2**30) and 2**30 < max(numbers) < 2**31
    margin = 6 * count**0.5 / 2  # six standard deviations
    for bit in range(32):
        assert abs(sum(n >> bit & 1 for n in numbers) - count / 2) < margin, bit
        assert abs(sum((n >> bit ^ n >> (bit + 1) % 32) & 1 for n in numbers) - count / 2) < margin, bit
    again = {n for (n,) in rows(session, drawn)}
    assert len(again.intersection(numbers)) < count / 100
    assert rows(session, "SELECT DISTINCT SIGN(ABS(CHECKSUM(NEWID())) % 6 - 6) FROM dbo.t") == [(-1,)]


def test_newid_of_a_schema_is_somebody_s_own(session: Session) -> None:
    rows(session, "CREATE FUNCTION dbo.NEWID() RETURNS int AS BEGIN RETURN 5 END")
    assert rows(session, "SELECT DISTINCT CHECKSUM(dbo.NEWID()) FROM dbo.t") == [(5,)]
    rows(session, "DROP FUNCTION dbo.NEWID")
