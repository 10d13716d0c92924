"""The changes that `runs` gives do what the redo list does, in fewer calls."""

from __future__ import annotations

import random
from collections.abc import Iterable

import pytest

from sbql.catalog.changes import ROW_ID, Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.redo_runs import runs

ALL = (ROW_ID, "a", "b")
Tables = dict[str, dict[int, dict[str, int]]]


def done(changes: Iterable[RowChange]) -> Tables:
    """What the tables have then. Fails where a change meets a row that is not there, or is there already."""
    tables: Tables = {}
    for change in changes:
        assert not isinstance(change, Definition)
        rows = tables.setdefault(change.table, {row: {"a": 0, "b": 0} for row in range(5)})
        if isinstance(change, InsertRows):
            for row in change.rows:
                assert row[0] not in rows
                rows[row[0]] = dict(zip(change.columns[1:], row[1:], strict=True))
        elif isinstance(change, UpdateRows):
            assert len({row[0] for row in change.rows}) == len(change.rows)
            for row in change.rows:
                rows[row[0]].update(zip(change.columns[1:], row[1:], strict=True))
        else:
            for row_id in change.row_ids:
                del rows[row_id]
    return tables


def redo_list(seed: int) -> list[RowChange]:
    chance = random.Random(seed)
    there = {"t": list(range(5)), "u": list(range(5))}
    changes: list[RowChange] = []
    last = 10
    for value in range(chance.randrange(2, 40)):
        table = chance.choice(("t", "t", "u"))
        rows = there[table]
        some = chance.sample(rows, min(len(rows), chance.randrange(1, 4)))
        match chance.randrange(4):
            case 0:
                fresh = list(range(last, last + chance.randrange(1, 4)))
                last += 5
                rows += fresh
                columns = chance.choice((ALL, (ROW_ID, "b", "a")))
                changes.append(InsertRows(table, columns, [(row, value, -value) for row in fresh]))
            case 1 if some:
                changes.append(DeleteRows(table, some))
                there[table] = [row for row in rows if row not in some]
            case _ if some:
                columns = chance.choice(((ROW_ID, "a"), (ROW_ID, "b"), ALL))
                changes.append(UpdateRows(table, columns, [(row, value, value)[: len(columns)] for row in some]))
    return changes


@pytest.mark.parametrize("seed", range(300))
def test_runs_have_the_same_effect(seed: int) -> None:
    changes = redo_list(seed)
    found = list(runs(changes))
    wanted = done(changes)
    assert done(found) == {table: wanted[table] for table in {c.table for c in found}}  # type: ignore[union-attr]
    assert all(
        wanted[table] == {row: {"a": 0, "b": 0} for row in range(5)} for table in wanted if table not in done(found)
    )
    assert done(changes) == wanted, "the list is as it was"


def test_a_definition_stays_where_it_is() -> None:
    new, gone, table = (
        InsertRows("t", ALL, [(9, 1, 1)]),
        DeleteRows("t", [9]),
        Definition("ALTER TABLE t ADD c int", ("t",)),
    )
    assert list(runs([new, gone])) == []
    assert list(runs([new, table, gone])) == [new, table, gone]


def test_a_row_that_many_changes_meet_is_one_statement() -> None:
    changes: list[RowChange] = [InsertRows("t", ALL, [(9, 1, 1)])]
    changes += [UpdateRows("t", (ROW_ID, "a"), [(9, i)]) for i in range(50)]
    changes += [UpdateRows("t", (ROW_ID, "b"), [(3, i)]) for i in range(50)]
    assert list(runs(changes)) == [UpdateRows("t", (ROW_ID, "b"), [(3, 49)]), InsertRows("t", ALL, [(9, 49, 1)])]
