"""A row by a text key: found at the place where its table had it, however the key is spelt, also when the place
has another row by now, or none."""

from __future__ import annotations

import hashlib
import itertools
from array import array

import pytest
from told import told

from sbql.catalog.key_places import KeyPlaces
from sbql.engine.instance import Instance

ROWS = 300


@pytest.fixture
def session():
    instance = Instance.open(None)
    rows = instance.store.feed.rows
    rows.patience_for_places = rows.fewest_for_places = 0
    yield instance.connect()
    instance.close()


def read(session, spelt: str, kind: str) -> list[object]:
    return told(session, f"DECLARE @s {kind} = {spelt}; SELECT c FROM t WHERE k = @s")


SPELT = {
    "Latin1_General_CI_AS": ["'Name {}'", "'NAME {}'", "'name {}  '"],
    "Latin1_General_CI_AI": ["'Name {}'", "'NÂME {}'", "'nämé {}'"],
    "Latin1_General_BIN2": ["'Name {}'", "'Name {}   '"],
}


@pytest.mark.parametrize("kind", ["varchar(20)", "nvarchar(20)", "char(20)", "nchar(20)"])
@pytest.mark.parametrize("collation", SPELT)
def test_every_spelling_finds_the_row(session, kind, collation):
    assert told(session, f"CREATE TABLE t (c int, k {kind} COLLATE {collation} NOT NULL PRIMARY KEY)") == []
    assert told(session, f"INSERT INTO t SELECT value, CONCAT('Name ', value) FROM GENERATE_SERIES(1, {ROWS})") == []
    for number, form in zip(range(1, ROWS, 7), itertools.cycle(SPELT[collation]), strict=False):
        assert read(session, form.format(number), kind) == [(number,)], form
    places = session.instance.store.feed.rows._places
    assert [p.size for kinds in places.values() for p in kinds.values()] == [16 * ROWS], "no place is known"
    assert read(session, "'Name 0'", kind) == []


def test_places_may_be_wrong(session):
    """Rows go, other rows come, keys change, and DuckDB puts what is left together: the key decides, not the place."""
    told(session, "CREATE TABLE t (c int, k varchar(20) COLLATE Latin1_General_CI_AS NOT NULL PRIMARY KEY)")
    told(session, f"INSERT INTO t SELECT value, CONCAT('Name ', value) FROM GENERATE_SERIES(1, {ROWS})")
    assert read(session, "'NAME 1'", "varchar(20)") == [(1,)] and read(session, "'NAME 2'", "varchar(20)") == [(2,)]
    model = {number: number for number in range(1, ROWS + 1)}
    for number in range(3, ROWS, 5):
        told(session, f"DELETE FROM t WHERE c = {number}; UPDATE t SET k = 'Name {number}' WHERE c = {number + 1}")
        model[number] = model.pop(number + 1)
    with session.instance.store.scratch() as connection:
        connection.execute("CHECKPOINT")
    told(session, "INSERT INTO t VALUES (-1, 'name 900')")
    model[900] = -1
    for number in [*range(1, ROWS + 1), 900]:
        assert read(session, f"'NAME {number}'", "varchar(20)") == ([(model[number],)] if number in model else []), (
            number
        )


def test_a_column_of_the_name_of_duckdbs_row_number(session):
    told(session, "CREATE TABLE t (rowid int, c int, k varchar(20) NOT NULL PRIMARY KEY)")
    told(session, "INSERT INTO t SELECT 300 - value, value, CONCAT('Name ', value) FROM GENERATE_SERIES(1, 300)")
    for number in range(1, 20):
        assert read(session, f"'NAME {number}'", "varchar(20)") == [(number,)]


def test_two_keys_of_one_hash_have_two_places():
    same = int.from_bytes(hashlib.md5(b"x", usedforsecurity=False).digest()[8:], "little")
    places = KeyPlaces(None)
    places.take(array("Q", [same, 5, same]), array("q", [7, 8, 9]))
    assert sorted(places.find("x")) == [7, 9] and places.find("y") == []
