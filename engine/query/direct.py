"""Queries that need no DuckDB: one user table by the value of a unique key, the few rows of a table variable or
#temp table, or COUNT(*) of a queue.

Decides, when a query is translated, whether it is one of these. Then the row is read by `KeyedRows` or from the rows in
memory, and what else the query asks is computed by the scalar compiler, which means the same as the translated text.

The translated query stands beside this form. It says what is wrong with a statement, what the columns are called, and
who may read them, and it gets whatever is not plain here and whatever fails. It must not know where the row comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from sbql.catalog.records import Queue, Table
from sbql.engine.ports import Session
from sbql.engine.query.context import is_constant
from sbql.engine.query.direct_shape import Getter, Shape, Value, aggregated, counts_rows, shape_of
from sbql.engine.query.lock_hints import changes_no_rows
from sbql.engine.query.plain_expressions import Constants, is_plain
from sbql.engine.query.running import own_broker_changes
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.bound_table import BoundTable, Key, bind, bind_shape
from sbql.engine.tables.keyed_rows import KeyedRows, key_conversion
from sbql.engine.tables.memory_rows import MemoryRows
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.temp_rows import temp_rows
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import columns_in

__all__ = ["direct_matches", "is_in_memory", "with_direct_query", "with_direct_target"]

_FEW: Final = 256
"""Rows in memory that are looked through here; DuckDB has more of them sooner."""

Row = tuple[int, Sequence[Any]]
Match = tuple[int, Sequence[Any], tuple[Any, ...]]
"""Row id, image, and what was asked beside it."""


class _Equal(Struct, frozen=True):
    """`column = value`, where the value needs no row. `is_exact`: equal as keys of that column are."""

    position: int
    value: Callable[[Frame], Any]
    is_exact: bool
    node: ast.Condition


class _ByKey(Struct, frozen=True):
    """A table by a key."""

    keyed: KeyedRows
    key: Key
    values: tuple[Callable[[Frame], Any], ...]

    def rows(self, frame: Frame) -> list[Row] | None:
        given, wanted = [], []
        for value, normalise in zip(self.values, self.key.normalisers, strict=True):
            found = value(frame)
            if found is None:
                return []
            given.append(found)
            wanted.append(found if normalise is None else normalise(found))
        return self.keyed.find(frame.session, tuple(wanted), given)


class _InMemory(Struct, frozen=True):
    """A table variable (`slot`) or a #temp table (`bound`), by the values of columns if there are any."""

    slot: int
    bound: BoundTable
    positions: tuple[int, ...]
    values: tuple[Callable[[Frame], Any], ...]
    most: int | None = _FEW
    """Of more rows than this DuckDB makes sooner what is asked for; None: nothing is made of them."""

    def rows(self, frame: Frame) -> list[Row] | None:
        if self.slot >= 0:
            found = frame.variables[self.slot]
        else:
            found = temp_rows(frame.session, self.bound, _FEW, by_value=bool(self.positions))
        if not isinstance(found, MemoryRows):
            return None
        if self.positions:
            wanted = [value(frame) for value in self.values]
            return [] if None in wanted else list(found.with_values(self.positions, wanted))
        return list(found.rows.items()) if self.most is None or len(found.rows) <= self.most else None


class _QueueCount(Struct, frozen=True):
    """COUNT(*) of a queue."""

    queue_id: int

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        session = frame.session
        transaction = session.transaction
        if session.options.isolation_level != "READ COMMITTED" or (
            transaction is not None and (transaction.is_snapshot or transaction.snapshot is not None)
        ):
            return None
        session.check_cancelled()
        count = session.instance.store.counts.count(self.queue_id, own_broker_changes(session))
        return None if count is None else [(count,)]

    def limited(self) -> _QueueCount:
        return self


class _Direct(Struct, frozen=True):
    source: _ByKey | _InMemory
    where: Value | None
    shape: Shape
    constants: tuple[Callable[[Frame], Any], ...] = ()

    def rows(self, frame: Frame) -> list[Row] | None:
        """Those of the source, with what is the same for each."""
        found = self.source.rows(frame)
        if found and self.constants:
            more = [run(frame) for run in self.constants]
            return [(row_id, [*image, *more]) for row_id, image in found]
        return found

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        """The rows of the query; None: ask DuckDB."""
        try:
            found = self.rows(frame)
            if found is None:
                return None
            where = self.where
            return self.shape.of(frame, found if where is None else (row for row in found if where(frame, row[1])))
        except SqlError:
            return None  # which row fails first, and whether one does at all, is the query's

    def limited(self) -> _Direct:
        return msgspec.structs.replace(self, shape=self.shape.limited())


class DirectMatches(Struct, frozen=True):
    """The rows that a write searches, as they are, with `extras` beside each."""

    direct: _Direct
    width: int
    extras: tuple[Getter, ...]

    def __call__(self, frame: Frame) -> list[Match] | None:
        """Each row once; None: ask DuckDB."""
        direct, extras = self.direct, self.extras
        try:
            found = direct.rows(frame)
            if found is None:
                return None
            where = direct.where
            if where is not None:
                found = [row for row in found if where(frame, row[1])]
            if direct.constants:
                width = self.width
                return [
                    (
                        row_id,
                        row[:width],
                        tuple([row[one] if isinstance(one, int) else one(frame, row) for one in extras]),
                    )
                    for row_id, row in found
                ]
            if not extras:
                return [(row_id, image, ()) for row_id, image in found]
            return [
                (row_id, image, tuple([image[one] if isinstance(one, int) else one(frame, image) for one in extras]))
                for row_id, image in found
            ]
        except SqlError:
            return None


def direct_matches(query: TranslatedQuery, width: int) -> DirectMatches | None:
    """The direct form of a search that gives the row id, all `width` columns and what is
    asked beside them, if it has one."""
    direct = query.direct
    if not isinstance(direct, _Direct) or direct.shape.values[:width] != tuple(range(width)):
        return None
    return DirectMatches(direct, width, direct.shape.values[width:])


def is_in_memory(query: TranslatedQuery) -> bool:
    """Whether a query gives columns of all rows of a table variable, as they are."""
    source = query.direct.source if isinstance(query.direct, _Direct) else None
    return isinstance(source, _InMemory) and source.slot >= 0 and source.most is None


def with_direct_query(
    query: ast.QueryExpression, with_: ast.WithClause | None, found: TranslatedQuery, scope: Scope, session: Session
) -> TranslatedQuery:
    """The translated query with its direct form, if it has one."""
    body = query.query
    if with_ is not None or query.offset or query.for_ or not isinstance(body, ast.QuerySpecification):
        return found
    if body.group_by or body.having or body.distinct or body.into or body.windows:
        return found
    if isinstance(body.from_, ast.NamedTable) and found.reads_broker and body.where is None:
        is_plain = not query.order_by and body.top is None
        return _with_queue_count(body.from_, body.items, found, session) if is_plain else found
    items: list[Any] | None = _expressions(body.items, found)
    if not isinstance(body.from_, ast.NamedTable | ast.VariableTable) or items is None:
        return found
    if not _is_alone(found) or _means_alias(query.order_by, body.items):
        return found
    direct = _direct(body.from_, body.where, items, found, scope, session, order=query.order_by, top=body.top)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _means_alias(order: Sequence[ast.OrderItem], items: Sequence[ast.SelectItem]) -> bool:
    """Whether ORDER BY has a name that the select list gives to something else than the column of that name."""
    given = {i.alias.value.lower(): i.expression for i in items if isinstance(i, ast.SelectColumn) and i.alias}
    for item in order:
        meant = given.get(item.expression.name.lower()) if isinstance(item.expression, ast.ColumnReference) else None
        if meant is not None and getattr(meant, "name", "") != getattr(item.expression, "name", None):
            return True
    return False


def _with_queue_count(
    source: ast.NamedTable, items: Sequence[ast.SelectItem], found: TranslatedQuery, session: Session
) -> TranslatedQuery:
    is_count = len(items) == 1 and isinstance(items[0], ast.SelectColumn) and counts_rows(items[0].expression)
    queue = resolve(session, source.name, missing_ok=True) if is_count and changes_no_rows(source) else None
    return msgspec.structs.replace(found, direct=_QueueCount(queue.id)) if isinstance(queue, Queue) else found


def _expressions(items: Sequence[ast.SelectItem], found: TranslatedQuery) -> list[Any] | None:
    """What is selected; `*` is all columns of the one table."""
    if len(items) == 1 and isinstance(items[0], ast.SelectStar) and items[0].qualifier is None:
        return [ast.ColumnReference((ast.Identifier(column.name),)) for column in found.columns]
    expressions = [item.expression for item in items if isinstance(item, ast.SelectColumn)]
    return expressions if len(expressions) == len(items) else None


def with_direct_target(
    target: ast.TableSource,
    where: ast.Condition | None,
    extras: Sequence[ast.Expression],
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
) -> TranslatedQuery:
    """The same for the search of a write: the row id and these values for each row."""
    if not isinstance(target, ast.NamedTable | ast.VariableTable) or not _is_alone(found):
        return found
    direct = _direct(target, where, list(extras), found, scope, session, has_id=True)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _is_alone(found: TranslatedQuery) -> bool:
    """It reads one table."""
    return not found.reads_broker and len(found.tables) + len(found.locals) == 1


def _direct(
    source: ast.NamedTable | ast.VariableTable,
    where: ast.Condition | None,
    items: list[Any],
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
    *,
    order: Sequence[ast.OrderItem] = (),
    top: ast.Top | None = None,
    has_id: bool = False,
) -> _Direct | None:
    if session.options.deviations:
        return None
    try:
        bound, slot = _bound(source, scope, session)
        if bound is None or not all(column.is_deterministic for column in bound.table.columns):
            return None  # a column that changes by itself is not what was stored with the row
        named = source.name if isinstance(source, ast.VariableTable) else source.name.name
        alias = named if source.alias is None else source.alias.value
        layout = [RowColumn(alias.lower(), c.name, c.type) for c in bound.table.columns]
        parts = list(where.operands if isinstance(where, ast.And) else (where,)) if where is not None else []
        columns = RowScope(layout, session, scope)
        equal = [pair for part in parts for pair in _equalities(part, columns, bound, scope)]
        chosen = _chosen(bound, slot, equal)
        if chosen is None:
            return None
        origin, used = chosen
        constants = Constants(scope)
        rest = [constants.folded(part) for part in parts if part not in used]
        items = [item if isinstance(item, ast.ColumnReference) else constants.folded(item) for item in items]
        asked = [aggregated(item) or item for item in items if not counts_rows(item)]
        if not all(is_plain(node, scope, session) for node in (*rest, *asked, top.count if top is not None else None)):
            return None
        rows = RowScope([*layout, *constants.columns], session, scope) if constants.columns else columns
        condition = rows.condition(rest[0] if len(rest) == 1 else ast.And(tuple(rest))) if rest else None
        shape = shape_of(items, order, top, found.columns[1 if has_id else 0 :], rows, scope, has_id=has_id)
        if shape is None:
            return None
        if isinstance(origin, _ByKey) and not has_id:
            nodes = (*rest, *items, *order, *((top.count,) if top is not None else ()))
            origin = msgspec.structs.replace(origin, keyed=KeyedRows(bound, origin.key, _needed(nodes, columns)))
        is_whole = condition is None and shape.is_all and not constants.columns
        if isinstance(origin, _InMemory) and not origin.positions and is_whole:
            origin = msgspec.structs.replace(origin, most=None)
        return _Direct(origin, condition, shape, tuple(constants.runs))
    except SqlError:
        return None


def _needed(nodes: tuple[ast.Node, ...], columns: RowScope) -> frozenset[int]:
    """The positions of the columns that these name; what is computed once for a query is none."""
    return frozenset(place for place in map(columns.position, columns_in(nodes)) if place is not None)


def _bound(source: Any, scope: Scope, session: Session) -> tuple[BoundTable | None, int]:
    """The table that is meant, and the slot of a table variable."""
    if isinstance(source, ast.VariableTable):
        slot, shape = scope.lookup_table(source.name)
        return bind_shape(shape, session, display=source.name), slot
    if not changes_no_rows(source) or source.name.name.lower() in ("inserted", "deleted"):
        return None, -1
    table = resolve(session, source.name, missing_ok=True)
    if not isinstance(table, Table) or table.is_ms_shipped or table.name.startswith("##"):
        return None, -1
    return bind(table, session), -1


def _equalities(part: ast.Condition, rows: RowScope, bound: BoundTable, scope: Scope) -> Iterator[_Equal]:
    if not isinstance(part, ast.Comparison) or part.op != "=":
        return
    for column, other in ((part.left, part.right), (part.right, part.left)):
        if isinstance(column, ast.ColumnReference) and is_constant(other):
            position = rows.position(column)
            if position is None:
                return
            value = compile_scalar(other, scope)
            yield _Equal(position, value.run, key_conversion(bound.types[position], value.type), part)


def _chosen(bound: BoundTable, slot: int, equal: list[_Equal]) -> tuple[_ByKey | _InMemory, list[Any]] | None:
    """Where the rows come from, and the conditions that this answers."""
    exact: dict[int, _Equal] = {}
    for pair in equal:
        if pair.is_exact:
            exact.setdefault(pair.position, pair)
    if slot >= 0 or bound.table.session_id:
        positions = tuple(sorted(exact))
        used = [exact[p] for p in positions]
        source = _InMemory(slot, bound, positions, tuple(pair.value for pair in used))
        return source, [pair.node for pair in used]
    for key in bound.keys:
        if key.filter is None and all(p in exact for p in key.positions):
            used = [exact[p] for p in key.positions]
            values = tuple(pair.value for pair in used)
            return _ByKey(KeyedRows(bound, key), key, values), [pair.node for pair in used]
    return None
