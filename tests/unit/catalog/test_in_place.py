"""A statement that a unit of work runs at once, whose rows nobody has seen: it is done in the snapshot that its
tests have seen, and never twice."""

from __future__ import annotations

from typing import Any

import pytest

from sbql.catalog.changes import ROW_ID, Definition, InsertRows, UpdateRows
from sbql.catalog.found_rows import FoundImages, OwnStatement
from sbql.catalog.in_place import InPlace, NotOnce, OnceTest
from sbql.catalog.store import Store
from sbql.catalog.unit_of_work import UnitOfWork
from sbql.grammar.errors import SqlError

STATEMENT = "UPDATE d.t SET n = s.n FROM d.s WHERE s.id = t.id + ?"


@pytest.fixture
def store(store: Store) -> Store:
    unit = store.connect().begin()
    unit.apply(Definition("CREATE SCHEMA d"))
    for name in ("t", "s"):
        unit.apply(Definition(f'CREATE TABLE d.{name} ("$rid" BIGINT, id INTEGER, n INTEGER)'))
        unit.apply(
            InsertRows(f"d.{name}", (ROW_ID, "id", "n"), [(i, i, i * (10 if name == "s" else 1)) for i in (1, 2, 3)])
        )
    unit.commit()
    return store


def change(sql: str = STATEMENT, values: Any = (0,), test: OnceTest | None = None) -> tuple[InPlace, UpdateRows]:
    done = InPlace(OwnStatement(sql, values), (test or OnceTest(("s.id",), "d.s"),))
    return done, UpdateRows("d.t", (ROW_ID, "n"), FoundImages(done, ""))


def rows(unit: UnitOfWork) -> list[int]:
    return [n for (n,) in unit.query("SELECT n FROM d.t ORDER BY id").rows]


def insert(store: Store, table: str, row_id: int, number: int | None) -> None:
    unit = store.connect().begin()
    unit.apply(InsertRows(table, (ROW_ID, "id", "n"), [(row_id, number, 0)]))
    unit.commit()


def test_it_is_done_when_it_is_applied(store: Store) -> None:
    unit, other = store.connect().begin(), store.connect().begin()
    done, update = change(values=(1,))
    unit.apply(update)
    assert (done.count, len(update.rows)) == (2, 2)
    assert (rows(unit), rows(other)) == ([20, 30, 3], [1, 2, 3])
    unit.commit()
    assert rows(other) == [20, 30, 3]


@pytest.mark.parametrize("number", [2, None])
def test_a_value_that_stands_twice(store: Store, number: int | None) -> None:
    """NULL is equal to nothing."""
    insert(store, "d.s", 4, number)
    insert(store, "d.s", 5, number)
    unit = store.connect().begin()
    done, update = change()
    if number is None:
        unit.apply(update)
        assert (done.count, rows(unit)) == (3, [10, 20, 30])
    else:
        with pytest.raises(NotOnce):
            unit.apply(update)
        assert (unit.has_written, unit.is_open, rows(unit)) == (False, False, [1, 2, 3])
    unit.rollback()


def test_one_of_two_columns(store: Store) -> None:
    unit = store.connect().begin()
    unit.apply(change(test=OnceTest(("s.id % 2", "s.n"), "d.s"))[1])
    assert rows(unit) == [10, 20, 30]
    unit.rollback()


def test_far_apart(store: Store) -> None:
    """Numbers for which bits would take too much room."""
    unit = store.connect().begin()
    unit.apply(change(test=OnceTest(("s.id * 4000000000000000000",), "d.s WHERE s.id < 3"))[1])
    unit.rollback()
    with pytest.raises(NotOnce):
        unit.apply(change(test=OnceTest(("s.id % 2 * 4000000000000000000",), "d.s"))[1])


@pytest.mark.parametrize("sql", ["UPDATE d.t SET n = s.n / (s.id - 2)::INTEGER * 2147483647 FROM d.s WHERE s.id = t.id + ?", "UPDATE d.t SET n = none WHERE id = ?"])  # fmt: skip
def test_one_that_fails(store: Store, sql: str) -> None:
    unit = store.connect().begin()
    with pytest.raises(SqlError):
        unit.apply(change(sql)[1])
    assert (unit.has_written, unit.is_open, rows(unit)) == (False, False, [1, 2, 3])
    unit.apply(change()[1])
    assert rows(unit) == [10, 20, 30]
    unit.rollback()


def test_it_is_not_done_again(store: Store) -> None:
    """On a newer snapshot it might do something else than what was told: the transaction is the victim."""
    unit = store.connect().begin()
    unit.apply(change()[1])
    insert(store, "d.t", 4, 1)
    with pytest.raises(SqlError) as raised:
        unit.commit()
    assert raised.value.number == 1205
    assert sorted(rows(store.connect().begin())) == [0, 1, 2, 3]


def test_its_rows_are_not_to_be_had(store: Store) -> None:
    unit = store.connect().begin()
    _, update = change()
    unit.apply(update)
    with pytest.raises(SqlError):
        list(update.rows)
    unit.rollback()
    assert rows(unit) == [1, 2, 3]


def test_a_definition_that_has_changed_since_undoes_it(store: Store) -> None:
    """What made sure of its rows may be gone: nothing was done then, and the unit goes on."""
    unit = store.connect().begin()
    done = InPlace(OwnStatement(STATEMENT, (0,)), (), lambda: False)
    with pytest.raises(NotOnce):
        unit.apply(UpdateRows("d.t", (ROW_ID, "n"), FoundImages(done, "")))
    assert rows(unit) == [1, 2, 3]
    _, update = change()
    unit.apply(update)
    unit.commit()
    assert rows(store.connect().begin()) == [10, 20, 30]
