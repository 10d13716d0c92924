"""Runs: the changes of a redo list in as few calls of DuckDB as have the same effect.

A procedure that writes row by row leaves a change for each row, often in turn to two or three tables. Changes of different tables do not touch each other, for
DuckDB knows no keys between them; those of one table stay in order, and neighbours of one kind become one change. A definition, and what rests on found rows, stays where it
is, and nothing goes past it. It must not know when a redo list is applied.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sbql.catalog.changes import Definition, DeleteRows, InsertRows, RowChange, UpdateRows
from sbql.catalog.found_rows import found_of

__all__ = ["runs"]


@dataclass(slots=True)
class _Run:
    """Changes of one kind to one table, which can go in one call. `updated` maps row ids to the last images."""

    first: InsertRows | UpdateRows | DeleteRows
    rows: list[Any] = field(default_factory=list)
    updated: dict[int, Sequence[Any]] = field(default_factory=dict)
    count: int = 0

    def takes(self, change: RowChange) -> bool:
        first = self.first
        if type(change) is not type(first):
            return False
        return isinstance(first, DeleteRows) or first.columns == getattr(change, "columns", None)

    def add(self, change: InsertRows | UpdateRows | DeleteRows) -> None:
        self.count += 1
        if isinstance(change, UpdateRows):
            for row in change.rows:
                self.updated[row[0]] = row
        else:
            self.rows += change.row_ids if isinstance(change, DeleteRows) else change.rows

    def change(self) -> RowChange:
        first = self.first
        if self.count == 1:
            return first
        if isinstance(first, DeleteRows):
            return DeleteRows(first.table, self.rows)
        if isinstance(first, InsertRows):
            return InsertRows(first.table, first.columns, self.rows)
        return UpdateRows(first.table, first.columns, list(self.updated.values()))


def runs(changes: Sequence[RowChange]) -> Iterator[RowChange]:
    """What has the effect of these changes, done in this order."""
    if len(changes) == 1:
        yield changes[0]
        return
    tables: dict[str, list[_Run]] = {}
    for change in changes:
        if isinstance(change, Definition) or found_of(change) is not None:
            yield from _flushed(tables)
            yield change
            continue
        of_table = tables.setdefault(change.table, [])
        if not of_table or not of_table[-1].takes(change):
            of_table.append(_Run(change))
        of_table[-1].add(change)
    yield from _flushed(tables)


def _flushed(tables: dict[str, list[_Run]]) -> Iterator[RowChange]:
    for of_table in tables.values():
        for run in of_table:
            yield run.change()
    tables.clear()
