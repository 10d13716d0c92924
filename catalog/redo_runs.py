"""Runs: the changes of a redo list in as few calls of DuckDB as have the same effect.

A procedure that writes row by row leaves a change for each row, often in turn to two or three tables, and often to a
row that it has written before. Changes of different tables do not touch each other, for DuckDB knows no keys between
them. Those of one table of one kind become one change; of several kinds, what has become of each row counts: it is
deleted, it has other values, it is new. A definition, and what rests on found rows, stays where it is, and nothing goes
past it. It must not know when a redo list is applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.found_rows import found_of

__all__ = ["runs"]

Row = Sequence[Any]


def runs(changes: Sequence[RowChange]) -> Iterator[RowChange]:
    """What has the effect of these changes, done in this order."""
    if len(changes) == 1:
        yield changes[0]
        return
    tables: dict[str, list[Any]] = {}
    for change in changes:
        if isinstance(change, Definition) or found_of(change) is not None:
            yield from _flushed(tables)
            yield change
        else:
            tables.setdefault(change.table, []).append(change)
    yield from _flushed(tables)


def _flushed(tables: dict[str, list[Any]]) -> Iterator[RowChange]:
    for table, changes in tables.items():
        if len(changes) == 1:
            yield changes[0]
        elif len({(type(change), getattr(change, "columns", None)) for change in changes}) == 1:
            yield _joined(changes)
        else:
            yield from _net(table, changes)
    tables.clear()


def _joined(changes: list[Any]) -> RowChange:
    """Changes of one kind, and of the same columns, as one."""
    first = changes[0]
    if isinstance(first, DeleteRows):
        return DeleteRows(first.table, [row_id for change in changes for row_id in change.row_ids])
    rows = [row for change in changes for row in change.rows]
    if isinstance(first, InsertRows):
        return InsertRows(first.table, first.columns, rows)
    return UpdateRows(first.table, first.columns, list({row[0]: row for row in rows}.values()))


def _net(table: str, changes: list[Any]) -> Iterator[RowChange]:
    """What becomes of each row. Row ids are given once: one that is deleted does not come back."""
    new: dict[int, tuple[tuple[str, ...], Row]] = {}
    updated: dict[int, dict[str, Any]] = {}
    deleted: dict[int, None] = {}
    for change in changes:
        if isinstance(change, InsertRows):
            new.update({row[0]: (change.columns, row) for row in change.rows})
        elif isinstance(change, DeleteRows):
            for row_id in change.row_ids:
                updated.pop(row_id, None)
                if new.pop(row_id, None) is None:
                    deleted[row_id] = None
        else:
            for row in change.rows:
                made = new.get(row[0])
                if made is None:
                    updated.setdefault(row[0], {}).update(zip(change.columns, row, strict=True))
                    continue
                image = list(made[1])
                for name, value in zip(change.columns, row, strict=True):
                    image[made[0].index(name)] = value
                new[row[0]] = made[0], tuple(image)
    if deleted:
        yield DeleteRows(table, list(deleted))
    for columns, rows in _by_columns((tuple(values), tuple(values.values())) for values in updated.values()):
        yield UpdateRows(table, columns, rows)
    for columns, rows in _by_columns(iter(new.values())):
        yield InsertRows(table, columns, rows)


def _by_columns(rows: Iterator[tuple[tuple[str, ...], Row]]) -> Iterator[tuple[tuple[str, ...], list[Row]]]:
    found: dict[tuple[str, ...], list[Row]] = {}
    for columns, row in rows:
        found.setdefault(columns, []).append(row)
    yield from found.items()
