"""Queries that need no DuckDB: one user table by the value of a unique key, the few rows of a table variable or
#temp table, COUNT(*) of a queue, sys.conversation_endpoints by a handle and the first of them, and
sys.transmission_queue while nothing waits.

Decides, when a query is translated, whether it is one of these. Then the row is read by `KeyedRows` or from the rows in
memory, and what else the query asks is computed by the scalar compiler, which means the same as the translated text.

The translated query stands beside this form. It says what is wrong with a statement, what the columns are called, and
who may read them, and it gets whatever is not plain here and whatever fails. It must not know where the row comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from sbql.catalog.records import Queue, Table
from sbql.catalog.views import SystemView, system_view
from sbql.engine.ports import Session
from sbql.engine.query.context import is_constant
from sbql.engine.query.direct_endpoints import EndpointRows
from sbql.engine.query.direct_queues import QueueCount, QueueRows
from sbql.engine.query.direct_shape import Getter, Shape, Value, aggregated, counts_rows, shape_of
from sbql.engine.query.direct_transmissions import NoTransmissions
from sbql.engine.query.lock_hints import changes_no_rows
from sbql.engine.query.plain_expressions import Constants, is_plain
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
from sbql.grammar.tree import column_equations, columns_in

__all__ = ["direct_matches", "is_in_memory", "with_direct_query", "with_direct_target"]

_FEW: Final = 256
"""Rows in memory that are looked through here; DuckDB has more of them sooner."""

_VIEWS: Final = frozenset({"conversation_endpoints", "transmission_queue"})

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


class _Direct(Struct, frozen=True):
    source: _ByKey | _InMemory | EndpointRows | NoTransmissions
    where: Value | None
    shape: Shape
    constants: tuple[Callable[[Frame], Any], ...] = ()

    def rows(self, frame: Frame) -> Iterable[Row] | None:
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


class _DirectFirst(_Direct, frozen=True):
    """Of endpoints of which none is named. Not all of them are looked at: there have to be as many as TOP says."""

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        found = super().__call__(frame) if self.shape.top is not None else None
        return found if found is not None and len(found) == self._wanted(frame) else None

    def _wanted(self, frame: Frame) -> Any:
        return None if self.shape.top is None else self.shape.top(frame)


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
    items: list[Any] | None = _expressions(body.items, found)
    if not isinstance(body.from_, ast.NamedTable | ast.VariableTable) or items is None:
        return found
    if found.reads_broker and isinstance(body.from_, ast.NamedTable):
        view = _view_in_memory(body.from_)
        if view is None:
            is_plain = body.where is None and not query.order_by and _leaves_rows(body.top)
            return _with_queue_count(body.from_, body.items, found, session) if is_plain else found
        make = partial(_of_view, view, body.from_)
    elif _is_alone(found):
        make = partial(_of_table, body.from_)
    else:
        return found
    if _means_alias(query.order_by, body.items):
        return found
    asked = _Asked(body.where, items, query.order_by, body.top)
    direct = make(asked, found, scope, session)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _leaves_rows(top: ast.Top | None) -> bool:
    """No TOP, or TOP of a number of rows."""
    if top is None:
        return True
    return isinstance(top.count, ast.IntegerLiteral) and top.count.value > 0 and not (top.percent or top.with_ties)


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
    queue = resolve(session, source.name, missing_ok=True) if changes_no_rows(source) else None
    if not isinstance(queue, Queue):
        return found
    count = QueueCount(queue.id)
    if len(items) == 1 and isinstance(items[0], ast.SelectColumn) and counts_rows(items[0].expression):
        return msgspec.structs.replace(found, direct=count)
    asked = _expressions(items, found) or []
    is_rows = bool(asked) and not any(aggregated(item) is not None or counts_rows(item) for item in asked)
    is_rows = is_rows and all(isinstance(item, ast.ColumnReference | ast.IntegerLiteral) for item in asked)
    return msgspec.structs.replace(found, direct=QueueRows(count)) if is_rows else found


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
    direct = _of_table(target, _Asked(where, list(extras), has_id=True), found, scope, session)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _is_alone(found: TranslatedQuery) -> bool:
    """It reads one table."""
    return not found.reads_broker and len(found.tables) + len(found.locals) == 1


class _Asked(Struct, frozen=True):
    """What a query says of one source of rows."""

    where: ast.Condition | None
    items: list[Any]
    order: Sequence[ast.OrderItem] = ()
    top: ast.Top | None = None
    has_id: bool = False

    @property
    def conditions(self) -> list[ast.Condition]:
        where = self.where
        return [] if where is None else list(where.operands) if isinstance(where, ast.And) else [where]

    def nodes(self, but: Sequence[ast.Condition]) -> tuple[ast.Node, ...]:
        """All that it says of the rows, without the conditions that are answered already."""
        rest = [part for part in self.conditions if part not in but]
        return (*rest, *self.items, *self.order, *((self.top.count,) if self.top is not None else ()))


def _of_table(
    source: ast.NamedTable | ast.VariableTable, asked: _Asked, found: TranslatedQuery, scope: Scope, session: Session
) -> _Direct | None:
    if session.options.deviations:
        return None
    try:
        bound, slot = _bound(source, scope, session)
        if bound is None or not all(column.is_deterministic for column in bound.table.columns):
            return None  # a column that changes by itself is not what was stored with the row
        layout = [RowColumn(_alias(source), c.name, c.type) for c in bound.table.columns]
        columns = RowScope(layout, session, scope)
        equal = [pair for part in asked.conditions for pair in _equalities(part, columns, scope)]
        chosen = _chosen(bound, slot, equal)
        if chosen is None:
            return None
        _, used = chosen
        made = _made(chosen, asked, layout, found, scope, session)
        if made is None:
            return None
        origin = made.source
        if isinstance(origin, _ByKey) and not asked.has_id:
            nodes = asked.nodes(but=used)
            origin = msgspec.structs.replace(origin, keyed=KeyedRows(bound, origin.key, _needed(nodes, columns)))
        is_whole = made.where is None and made.shape.is_all and not made.constants
        if isinstance(origin, _InMemory) and not origin.positions and is_whole:
            origin = msgspec.structs.replace(origin, most=None)
        return msgspec.structs.replace(made, source=origin)
    except SqlError:
        return None


def _view_in_memory(source: ast.NamedTable) -> SystemView | None:
    """The view of the current database that is meant, if it is one of which memory may have the rows."""
    name = source.name
    if name.database or name.server or (name.schema or "").lower() != "sys":
        return None
    return system_view("sys", name.name) if name.name.lower() in _VIEWS else None


def _of_view(
    view: SystemView, source: ast.NamedTable, asked: _Asked, found: TranslatedQuery, scope: Scope, session: Session
) -> _Direct | None:
    if session.options.deviations or found.tables or not changes_no_rows(source):
        return None
    try:
        layout = [RowColumn(_alias(source), c.name, c.type) for c in view.columns]
        if view.name == "transmission_queue":
            return _made((NoTransmissions(), []), asked, layout, found, scope, session)
        columns = RowScope(layout, session, scope)
        for part in asked.conditions:
            for pair in _equalities(part, columns, scope):
                if pair.position == 0 and pair.is_exact:
                    one = EndpointRows(session.database_id, pair.value)
                    return _made((one, [part]), asked, layout, found, scope, session)
        if asked.order:
            return None
        made = _made((EndpointRows(session.database_id, None), []), asked, layout, found, scope, session)
        return made and _DirectFirst(made.source, made.where, made.shape, made.constants)
    except SqlError:
        return None


def _alias(source: ast.NamedTable | ast.VariableTable) -> str:
    named = source.name if isinstance(source, ast.VariableTable) else source.name.name
    return (named if source.alias is None else source.alias.value).lower()


def _made(
    chosen: tuple[_ByKey | _InMemory | EndpointRows | NoTransmissions, list[Any]],
    asked: _Asked,
    layout: Sequence[RowColumn],
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
) -> _Direct | None:
    """`chosen`: where the rows come from, and the conditions that this answers. Raises SqlError for what does not
    compile."""
    origin, used = chosen
    constants, top = Constants(scope), asked.top
    rest = [constants.folded(part) for part in asked.conditions if part not in used]
    items = [item if isinstance(item, ast.ColumnReference) else constants.folded(item) for item in asked.items]
    values = [aggregated(item) or item for item in items if not counts_rows(item)]
    if not all(is_plain(node, scope, session) for node in (*rest, *values, top.count if top is not None else None)):
        return None
    rows = RowScope([*layout, *constants.columns], session, scope)
    condition = rows.condition(rest[0] if len(rest) == 1 else ast.And(tuple(rest))) if rest else None
    columns = found.columns[1 if asked.has_id else 0 :]
    shape = shape_of(items, asked.order, top, columns, rows, scope, has_id=asked.has_id)
    return None if shape is None else _Direct(origin, condition, shape, tuple(constants.runs))


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


def _equalities(part: ast.Condition, rows: RowScope, scope: Scope) -> Iterator[_Equal]:
    for column, other in column_equations(part):
        if is_constant(other):
            position = rows.position(column)
            if position is None:
                return
            value = compile_scalar(other, scope)
            yield _Equal(position, value.run, key_conversion(rows.columns[position].type, value.type), part)


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
