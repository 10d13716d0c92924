"""Where the rows of a query without DuckDB come from: a stored table by the value of a unique key or by values of other
columns, the few rows of a table variable or #temp table, and those of inserted and deleted.

Decides which of these a source in FROM is, and which conditions finding its rows answers. It must not know what is
asked of the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from sbql.catalog.records import Table
from sbql.engine.ports import Session
from sbql.engine.query.context import is_constant
from sbql.engine.query.lock_hints import changes_no_rows
from sbql.engine.query.registered import running_frame
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.bound_table import BoundTable, Key, bind, bind_shape
from sbql.engine.tables.grouped_rows import GroupedRows
from sbql.engine.tables.keyed_rows import KeyedRows, key_conversion
from sbql.engine.tables.memory_rows import MemoryRows
from sbql.engine.tables.row_expressions import RowScope
from sbql.engine.tables.temp_rows import temp_rows
from sbql.grammar import ast
from sbql.grammar.tree import column_equations, columns_in

__all__ = [
    "FEW", "ByGroup", "ByKey", "Equal", "InMemory", "Row", "TriggerRows", "alias_of", "bound_source", "chosen_source",
    "equalities", "exact_equations", "group_source", "needed_columns", "trigger_rows",
]  # fmt: skip

FEW: Final = 256
"""Rows in memory that are looked through here; DuckDB has more of them sooner."""


Row = tuple[int, Sequence[Any]]


class Equal(Struct, frozen=True):
    """`column = value`, where the value needs no row. `is_exact`: equal as keys of that column are."""

    position: int
    value: Callable[[Frame], Any]
    is_exact: bool
    node: ast.Condition


class ByKey(Struct, frozen=True):
    """A table by a key."""

    keyed: KeyedRows
    key: Key
    values: tuple[Callable[[Frame], Any], ...]

    @property
    def storage(self) -> str:
        return self.keyed.bound.storage

    def rows(self, frame: Frame) -> list[Row] | None:
        return self.look(frame, [value(frame) for value in self.values])

    def look(self, frame: Frame, wanted: Sequence[Any]) -> list[Row] | None:
        """The row of these values. None: ask DuckDB."""
        if None in wanted:
            return []
        normalisers = self.key.normalisers
        key = tuple([v if n is None else n(v) for v, n in zip(wanted, normalisers, strict=True)])
        return self.keyed.find(frame.session, key, wanted)


class ByGroup(Struct, frozen=True):
    """A table by the values of columns that are no key, or all of a small one."""

    grouped: GroupedRows
    values: tuple[Callable[[Frame], Any], ...]
    passes: bool = False
    """By what others have locked."""

    @property
    def storage(self) -> str:
        return self.grouped.bound.storage

    def rows(self, frame: Frame) -> list[Row] | None:
        return self.look(frame, [value(frame) for value in self.values])

    def look(self, frame: Frame, wanted: Sequence[Any]) -> list[Row] | None:
        """All rows with these values. None: ask DuckDB."""
        return self.grouped.all(frame.session, wanted, passes=self.passes)

    def first(self, frame: Frame, count: int) -> tuple[list[Row], bool] | None:
        """So many of them or more, the first ones in its order, and whether these are all. None: ask DuckDB."""
        return self.grouped.first(frame.session, [value(frame) for value in self.values], count, passes=self.passes)


class InMemory(Struct, frozen=True):
    """A table variable (`slot`) or a #temp table (`bound`), by the values of columns if there are any."""

    slot: int
    bound: BoundTable
    positions: tuple[int, ...]
    values: tuple[Callable[[Frame], Any], ...]
    most: int | None = FEW
    """Of more rows than this DuckDB makes sooner what is asked for; None: nothing is made of them."""

    def rows(self, frame: Frame) -> list[Row] | None:
        return self.look(frame, [value(frame) for value in self.values])

    def look(self, frame: Frame, wanted: Sequence[Any]) -> list[Row] | None:
        """The rows with these values, or all. None: ask DuckDB."""
        if self.slot >= 0:
            found = frame.variables[self.slot]
        else:
            found = temp_rows(frame.session, self.bound, FEW, by_value=bool(self.positions))
        if not isinstance(found, MemoryRows):
            return None
        if self.positions:
            return [] if None in wanted else found.with_values(self.positions, wanted)
        return list(found.rows.items()) if self.most is None or len(found.rows) <= self.most else None


class TriggerRows(Struct, frozen=True):
    """inserted or deleted (`name`) of the trigger that runs."""

    name: str
    table: Table

    def rows(self, frame: Frame) -> list[Row] | None:
        return self.look(frame, ())

    def look(self, frame: Frame, wanted: Sequence[Any]) -> list[Row] | None:
        """All of them. None: ask DuckDB."""
        trigger = frame.trigger
        if trigger is None or trigger.table.id != self.table.id:
            return None
        found = trigger.inserted if self.name == "inserted" else trigger.deleted
        return list(enumerate(found)) if len(found) <= FEW else None


def trigger_rows(source: ast.TableSource) -> TriggerRows | None:
    """Those that a name in FROM means, if it is translated for a trigger and means one of them."""
    trigger = getattr(running_frame(), "trigger", None)
    if trigger is None or not isinstance(source, ast.NamedTable) or len(source.name.parts) > 1:
        return None
    name = source.name.name.lower()
    return TriggerRows(name, trigger.table) if name in ("inserted", "deleted") else None


def alias_of(source: ast.NamedTable | ast.VariableTable) -> str:
    named = source.name if isinstance(source, ast.VariableTable) else source.name.name
    return (named if source.alias is None else source.alias.value).lower()


def needed_columns(nodes: tuple[ast.Node, ...], columns: RowScope) -> frozenset[int]:
    """The positions of the columns that these name; what is computed once for a query is none."""
    return frozenset(place for place in map(columns.position, columns_in(nodes)) if place is not None)


def bound_source(
    source: Any, scope: Scope, session: Session, *, is_target: bool = False, may_pass: bool = False
) -> tuple[BoundTable | None, int]:
    """The table that is meant, and the slot of a table variable. `is_target`: a write searches it. `may_pass`: so do
    those who leave out what others have locked."""
    if isinstance(source, ast.VariableTable):
        slot, shape = scope.lookup_table(source.name)
        return bind_shape(shape, session, display=source.name), slot
    if not changes_no_rows(source, is_target=is_target, may_pass=may_pass):
        return None, -1
    if source.name.name.lower() in ("inserted", "deleted"):
        return None, -1
    table = resolve(session, source.name, missing_ok=True)
    if not isinstance(table, Table) or table.is_ms_shipped or table.name.startswith("##"):
        return None, -1
    return bind(table, session), -1


def equalities(part: ast.Condition, rows: RowScope, scope: Scope) -> Iterator[Equal]:
    for column, other in column_equations(part):
        if is_constant(other):
            position = rows.position(column)
            if position is None:
                return
            value = compile_scalar(other, scope)
            yield Equal(position, value.run, key_conversion(rows.columns[position].type, value.type), part)


def exact_equations(equal: Sequence[Equal]) -> dict[int, Equal]:
    """By position the first of the equations that means what keys of the column mean."""
    return {pair.position: pair for pair in reversed(equal) if pair.is_exact}


def chosen_source(bound: BoundTable, slot: int, equal: list[Equal]) -> tuple[ByKey | InMemory, list[Any]] | None:
    """Where the rows come from, and the conditions that this answers."""
    exact = exact_equations(equal)
    if slot >= 0 or bound.table.session_id:
        positions = tuple(sorted(exact))
        used = [exact[p] for p in positions]
        source = InMemory(slot, bound, positions, tuple(pair.value for pair in used))
        return source, [pair.node for pair in used]
    for key in bound.keys:
        if key.filter is None and all(p in exact for p in key.positions):
            used = [exact[p] for p in key.positions]
            values = tuple(pair.value for pair in used)
            return ByKey(KeyedRows(bound, key), key, values), [pair.node for pair in used]
    return None


def group_source(
    bound: BoundTable, equal: list[Equal], order: tuple[int, ...], *, is_descending: bool
) -> tuple[ByGroup, list[Any]]:
    """The rows with the values that columns are equal to, in this order, and the conditions that this answers."""
    exact = exact_equations(equal)
    positions = tuple(sorted(exact))
    used = [exact[p] for p in positions]
    grouped = GroupedRows(bound, positions, order, is_descending=is_descending)
    return ByGroup(grouped, tuple(pair.value for pair in used)), [pair.node for pair in used]
