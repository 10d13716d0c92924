"""Table variables: rows in memory, with the constraints of their declaration; no transaction touches them.

`TableVariable` is what stands in the variable's slot of the frame. `MemoryRows` gives the write mechanism the same
calls as StoredRows. Queries read it as a LocalTable, loaded into DuckDB only when its version changed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from sbql.catalog.changes import LocalTable
from sbql.catalog.records import Table
from sbql.engine.ports import Session
from sbql.engine.tables.bound_table import BoundTable, Key, bind_shape, duck_columns
from sbql.engine.tables.column_conversion import key_normaliser
from sbql.engine.tables.row_images import Deleted, Inserted, Updated

__all__ = ["TableVariable"]


class TableVariable:
    """`rows` maps row ids to images. It is its own row store: `bound`, `find`, `insert` … are what the mechanism
    calls."""

    __slots__ = (
        "bound",
        "is_readonly",
        "last_identity",
        "name",
        "next_row_id",
        "rows",
        "_indexes",
        "_local",
        "_version",
    )

    def __init__(self, name: str, bound: BoundTable) -> None:
        self.name = name
        self.bound = bound
        self.rows: dict[int, list[Any]] = {}
        self._version: object | None = None
        self._indexes: dict[tuple[int, ...], dict[tuple[Any, ...], list[int]]] = {}
        self.next_row_id = 1
        self.last_identity: int | None = None
        self.is_readonly = False
        self._local: LocalTable | None = None

    @property
    def table(self) -> Table:
        """The shape: columns and constraints."""
        return self.bound.table

    def __len__(self) -> int:
        return len(self.rows)

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

    def snapshot(self) -> tuple[dict[int, list[Any]], int, int | None]:
        """For a statement that may fail after it has written here."""
        return dict(self.rows), self.next_row_id, self.last_identity

    def restore(self, state: tuple[dict[int, list[Any]], int, int | None]) -> None:
        self.rows, self.next_row_id, self.last_identity = state
        self._changed()

    def _changed(self) -> None:
        self._version = None
        self._indexes.clear()

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

    def find(
        self, positions: Sequence[int], values: Iterable[tuple[Any, ...]], *, is_unique: bool = False
    ) -> list[tuple[tuple[Any, ...], int]]:
        index = self._index(tuple(positions))
        return [(value, row_id) for value in set(values) for row_id in index.get(value, ())]

    def _index(self, positions: tuple[int, ...]) -> dict[tuple[Any, ...], list[int]]:
        """Row ids by key value, kept while rows are only added."""
        index = self._indexes.get(positions)
        if index is None:
            index = self._indexes[positions] = {}
            for row_id, row in self.rows.items():
                index.setdefault(self._value(positions, row), []).append(row_id)
        return index

    def _value(self, positions: tuple[int, ...], row: Sequence[Any]) -> tuple[Any, ...]:
        normalisers = self._normalisers(positions)
        return tuple(
            row[p] if n is None or row[p] is None else n(row[p]) for p, n in zip(positions, normalisers, strict=True)
        )

    def _normalisers(self, positions: tuple[int, ...]) -> list[Any]:
        return [key_normaliser(self.bound.types[p]) for p in positions]

    def find_rows(self, positions: Sequence[int], values: Iterable[tuple[Any, ...]]) -> list[tuple[int, list[Any]]]:
        return [(row_id, self.rows[row_id]) for _, row_id in self.find(positions, values)]

    def with_values(self, positions: tuple[int, ...], values: Sequence[Any]) -> list[tuple[int, list[Any]]]:
        """(row id, image) of the rows with these values, none of them NULL, in the order in which they came."""
        normalisers = self._normalisers(positions)
        wanted = tuple([v if n is None else n(v) for v, n in zip(values, normalisers, strict=True)])
        return [(row_id, self.rows[row_id]) for row_id in self._index(positions).get(wanted, ())]

    def by_id(self, row_id: int) -> list[list[Any]]:
        found = self.rows.get(row_id)
        return [] if found is None else [found]

    def insert(self, rows: Sequence[Inserted]) -> None:
        for row in rows:
            row.row_id = self.next_row_id
            self.rows[row.row_id] = row.new
            self.next_row_id += 1
            for positions, index in self._indexes.items():
                index.setdefault(self._value(positions, row.new), []).append(row.row_id)
        self._version = None

    def update(self, rows: Sequence[Updated]) -> None:
        for row in rows:
            self.rows[row.row_id] = row.new
        self._changed()

    def delete(self, rows: Sequence[Deleted]) -> None:
        for row in rows:
            del self.rows[row.row_id]
        self._changed()


def new_table_variable(name: str, shape: Table, session: Session) -> TableVariable:
    """An empty table variable of this shape."""
    bound = bind_shape(shape, session, display=name)
    bound.needs_locks = False
    return TableVariable(name, bound)
