"""Table variables: rows in memory, with the constraints of their declaration; no transaction touches them.

`TableVariable` is what stands in the variable's slot of the frame. It gives the write mechanism the same
calls as StoredRows. Queries read it as a LocalTable, loaded into DuckDB only when its version changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sbql.catalog.changes import LocalTable
from sbql.catalog.records import Table
from sbql.engine.ports import Session
from sbql.engine.tables.bound_table import BoundTable, Key, bind_shape, duck_columns
from sbql.engine.tables.memory_rows import MemoryRows
from sbql.engine.tables.row_images import Deleted, Inserted, RowImages, Updated

__all__ = ["TableVariable", "TableVariables", "needs_no_transaction", "new_table_variable"]


class TableVariable(MemoryRows):
    """It is its own row store: `bound`, `find`, `insert` … are what the mechanism calls."""

    __slots__ = ("_local", "_version", "is_readonly", "last_identity", "name", "next_row_id")

    def __init__(self, name: str, bound: BoundTable) -> None:
        super().__init__(bound)
        self.name = name
        self._version: object | None = None
        self.next_row_id = 1
        self.last_identity: int | None = None
        self.is_readonly = False
        self._local: LocalTable | None = None

    @property
    def table(self) -> Table:
        """The shape: columns and constraints."""
        return self.bound.table

    def local(self, name: str) -> LocalTable:
        """The rows as DuckDB sees them under `name`: the row id, then the columns."""
        found = self._local
        if found is None or found.version is not self.version or found.name != name:
            encode = self.bound.encode
            rows = [(row_id, *encode(row)) for row_id, row in self.rows.items()]
            found = self._local = LocalTable(name, duck_columns(self.table), rows, self.version)
        return found

    def as_parameter(self, name: str) -> TableVariable:
        """The same rows under the name of a READONLY parameter. The caller waits for the procedure, so they need no
        copy."""
        parameter = TableVariable(name, self.bound)
        parameter.rows = self.rows
        parameter.is_readonly = True
        return parameter

    def undo(self, images: RowImages) -> None:
        """Put back what these images have changed: all of it, a part or nothing. For a statement that has failed after
        it has written here."""
        rows = self.rows
        new = [inserted.row_id for inserted in images.inserted if inserted.row_id in rows]
        before = [(one.row_id, one.old) for one in images.updated] + [(one.row_id, one.old) for one in images.deleted]
        old = [(row_id, image) for row_id, image in before if rows.get(row_id) is not image]
        if not (new or old):  # most statements fail before they write
            return
        for row_id in new:
            del rows[row_id]
        for row_id, image in old:
            rows[row_id] = list(image)
        self.clear()
        self.rows = dict(sorted(rows.items()))
        self._version = None

    @property
    def version(self) -> object:
        """Another object after each change."""
        if self._version is None:
            self._version = object()
        return self._version

    # --- what the mechanism asks ---------------------------------------------------------------------------

    def take_identities(self, count: int) -> tuple[range, bool]:
        assert self.bound.identity is not None
        column = self.table.columns[self.bound.identity]
        first = column.seed if self.last_identity is None else self.last_identity + column.increment
        values = range(first, first + count * column.increment, column.increment)
        if values:
            self.last_identity = values[-1]
        return values, True

    def note_identity(self, value: int) -> None:
        raise AssertionError("IDENTITY_INSERT has no table variables")

    def candidates(self, key: Key, values: Iterable[tuple[Any, ...]], *, are_fresh: bool) -> list[tuple[Any, ...]]:
        return [] if are_fresh else list(values)

    def note_in_vain(self, key: Key, look_ups: int) -> None:
        """Nothing of keys is remembered."""

    def find_rows(self, positions: Sequence[int], values: Iterable[tuple[Any, ...]]) -> list[tuple[int, list[Any]]]:
        return [(row_id, self.rows[row_id]) for _, row_id in self.find(positions, values)]

    def by_id(self, row_id: int) -> list[list[Any]]:
        found = self.rows.get(row_id)
        return [] if found is None else [found]

    def insert(self, rows: Sequence[Inserted]) -> None:
        put = self.put if self.is_indexed else self.rows.__setitem__
        for row_id, row in enumerate(rows, self.next_row_id):
            row.row_id = row_id
            put(row_id, row.new)
        self.next_row_id += len(rows)
        self._version = None

    def update(self, rows: Sequence[Updated]) -> None:
        self.expect(len(rows))
        for row in rows:
            self.put(row.row_id, row.new)
        self._version = None

    def delete(self, rows: Sequence[Deleted]) -> None:
        self.expect(len(rows))
        for row in rows:
            self.take_away(row.row_id)
        self._version = None


class TableVariables:
    """Makes empty table variables of one shape, which is bound once as long as its names mean the same: a function
    makes one at each call."""

    __slots__ = ("_bound", "name", "shape")

    def __init__(self, name: str, shape: Table) -> None:
        self.name, self.shape = name, shape
        self._bound: tuple[Any, BoundTable] | None = None

    def new(self, session: Session) -> TableVariable:
        key, kept = session.binding_key, self._bound
        if kept is None or kept[0] != key:
            bound = bind_shape(self.shape, session, display=self.name)
            bound.needs_locks = False
            kept = self._bound = key, bound
        return TableVariable(self.name, kept[1])


def new_table_variable(name: str, shape: Table, session: Session) -> TableVariable:
    """An empty table variable of this shape."""
    return TableVariables(name, shape).new(session)


def needs_no_transaction(session: Session) -> bool:
    """Whether a statement over table variables alone needs no transaction now: none is begun for it by
    IMPLICIT_TRANSACTIONS, none refuses it (3930), and nobody wants to know what it reads or would do."""
    options, transaction = session.options, session.transaction
    return (
        not (options.implicit_transactions or options.fmtonly)
        and session.subscribing is None
        and (transaction is None or not transaction.is_doomed)
    )
