"""Queries that need no DuckDB: one user table by the value of a unique key, the few rows of a table variable, a #temp
table, inserted or deleted, joins of these, the nodes or JSON of one document, COUNT(*) of a queue,
sys.conversation_endpoints by a handle and the first of them, and sys.transmission_queue while nothing waits.

Decides, when a query is translated, whether it is one of these. Then the row is read by `KeyedRows` or from the rows in
memory, and what else the query asks is computed by the scalar compiler, which means the same as the translated text.

The translated query stands beside this form. It says what is wrong with a statement, what the columns are called, and
who may read them, and it gets whatever is not plain here and whatever fails. It must not know where the row comes from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct

from sbql.catalog.views import SystemView, system_view
from sbql.engine.direct.aggregates import aggregated, counts_rows
from sbql.engine.direct.endpoints import EndpointRows
from sbql.engine.direct.form import Direct, DirectFirst, DirectGroup, DirectNodes, Source
from sbql.engine.direct.joins import Joined, conjuncts, joined_rows
from sbql.engine.direct.nodes import json_rows, node_rows
from sbql.engine.direct.one_row import with_one_row
from sbql.engine.direct.plain_expressions import Constants, has_failing_constant, is_plain
from sbql.engine.direct.queues import with_queue_count
from sbql.engine.direct.rendered import with_rendered_rows
from sbql.engine.direct.semijoins import asks_for_others, with_semi_joins
from sbql.engine.direct.shape import (
    leaves_rows,
    means_alias,
    ordered_by,
    shape_of,
)
from sbql.engine.direct.sources import (
    ByGroup,
    ByKey,
    InMemory,
    alias_of,
    bound_source,
    chosen_source,
    equalities,
    group_source,
    needed_columns,
    trigger_rows,
)
from sbql.engine.direct.through import is_apart, one_table
from sbql.engine.direct.transmissions import NoTransmissions
from sbql.engine.direct.unfailing import cannot_fail
from sbql.engine.ports import Session
from sbql.engine.query.lock_hints import EXCLUSIVE_HINTS, changes_no_rows, held_rows, hint_names, rows_of_others
from sbql.engine.query.translation import DIRECT, translate_query
from sbql.engine.query.written_sources import TableWithRowId, WritableQuery
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.keyed_rows import KeyedRows
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import walk

_OF_ONE: Final = (ast.NamedTable, ast.VariableTable, ast.MethodTable, ast.OpenJsonTable)
"""What may stand alone in FROM."""
_VIEWS: Final = frozenset({"conversation_endpoints", "transmission_queue"})


def _may_be_direct(query: ast.QueryExpression) -> bool:
    """Whether a query, without its FOR clause, is of a kind that may need no DuckDB."""
    body = query.query
    if query.offset or not isinstance(body, ast.QuerySpecification):
        return False
    return not (body.having or body.into or body.windows)


def with_direct_query(
    query: ast.QueryExpression, with_: ast.WithClause | None, found: TranslatedQuery, scope: Scope, session: Session,
    hoists: bool,
) -> TranslatedQuery:  # fmt: skip
    """The translated query with its direct form, if it has one. `hoists`: as it was translated."""
    if found.render is not None and with_ is None and _may_be_direct(query):
        return with_rendered_rows(found, translate_query(replace(query, for_=None), scope, session, hoists=hoists))
    body = query.query
    if query.for_ or not _may_be_direct(query) or not isinstance(body, ast.QuerySpecification):
        return found
    if isinstance(body.from_, TableWithRowId):
        return _with_row_ids(query, body, body.from_, found, scope, session, with_)
    by = _grouping(body)
    if with_ is not None or by == []:
        return found
    if body.from_ is None:
        return with_one_row(query, body, found, scope, session) if by is None and not body.distinct else found
    if isinstance(body.from_, ast.Join) or asks_for_others(body.where):
        return found if found.reads_broker else _with_join(query, body, found, scope, session)
    items: list[Any] | None = _expressions(body.items, found)
    if not isinstance(body.from_, _OF_ONE) or items is None:
        return found
    make: Callable[..., Direct | None]
    if isinstance(body.from_, ast.MethodTable | ast.OpenJsonTable):
        make = partial(_of_document, body.from_)
    elif found.reads_broker and isinstance(body.from_, ast.NamedTable):
        view = _view_in_memory(body.from_)
        if view is None:
            is_plain = not (body.where or query.order_by or by or body.distinct) and leaves_rows(body.top)
            return with_queue_count(body.from_, items, found, session) if is_plain else found
        make = partial(_of_view, view, body.from_)
    elif _is_alone(found):
        make = partial(_of_table, body.from_)
    else:
        return found
    if means_alias(query.order_by, body.items):
        return found
    asked = _Asked(body.where, items, query.order_by, body.top, by=by, is_distinct=body.distinct)
    direct = make(asked, found, scope, session)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _with_row_ids(
    query: ast.QueryExpression, body: ast.QuerySpecification, source: TableWithRowId, found: TranslatedQuery, scope: Scope, session: Session,
    with_: ast.WithClause | None,
) -> TranslatedQuery:  # fmt: skip
    """The row ids of a table, which are looked for to be locked."""
    item = body.items[0].expression if isinstance(body.items[0], ast.SelectColumn) else None
    is_row_id = isinstance(item, ast.ColumnReference) and item.name == source.row_id and len(body.items) == 1
    if source.images or not is_row_id or not isinstance(source.table, ast.NamedTable) or not _is_alone(found):
        return found
    if with_ is not None and not is_apart(source.table, [body, *query.order_by], with_):
        return found
    asked = _Asked(body.where, [], query.order_by, body.top, has_id=True)
    direct = _of_table(source.table, asked, found, scope, session)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _with_join(
    query: ast.QueryExpression, body: ast.QuerySpecification, found: TranslatedQuery, scope: Scope, session: Session
) -> TranslatedQuery:
    if means_alias(query.order_by, body.items) or body.from_ is None:
        return found
    try:
        joined = joined_rows(body.from_, body.where, None, scope, session)
        if joined is None:
            return found
        joined = with_semi_joins(joined, scope, session)
        items: list[Any] = []
        for item in body.items:
            if isinstance(item, ast.SelectColumn):
                items.append(item.expression)
            elif isinstance(item, ast.SelectStar):
                items += _starred(item, joined)
            else:
                return found
        rest = ast.And(tuple(joined.conditions)) if joined.conditions else None
        asked = _Asked(rest, items, query.order_by, body.top, by=_grouping(body), is_distinct=body.distinct)
        direct = _of_join(joined, asked, found, scope, session)
    except SqlError:
        return found
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _starred(item: ast.SelectStar, joined: Joined) -> list[ast.ColumnReference]:
    if item.qualifier is None:
        return joined.columns
    name = item.qualifier.name.lower()
    return [c for c in joined.columns if c.parts[0] is not None and c.parts[0].value.lower() == name]


def _of_join(joined: Joined, asked: _Asked, found: TranslatedQuery, scope: Scope, session: Session) -> Direct | None:
    if len(asked.items) != len(found.columns) - asked.has_id:
        return None
    return _made((joined.rows, joined.used), asked, joined.layout, found, scope, session)


def _grouping(body: ast.QuerySpecification) -> list[Any] | None:
    """What GROUP BY groups by, None without it; [] where it says more than that."""
    if body.group_by is None:
        return None
    elements = body.group_by.elements
    if any(element.kind or len(element.parts) != 1 for element in elements):
        return []
    return [element.parts[0] for element in elements]


def _expressions(items: Sequence[ast.SelectItem], found: TranslatedQuery) -> list[Any] | None:
    """What is selected; `*` is all columns of the one table."""
    if len(items) == 1 and isinstance(items[0], ast.SelectStar) and items[0].qualifier is None:
        return [ast.ColumnReference((ast.Identifier(column.name),)) for column in found.columns]
    expressions = [item.expression for item in items if isinstance(item, ast.SelectColumn)]
    return expressions if len(expressions) == len(items) else None


def with_direct_target(
    target: ast.TableSource,
    from_: ast.TableSource | None,
    where: ast.Condition | None,
    extras: Sequence[ast.Expression],
    with_: ast.WithClause | None,
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
) -> TranslatedQuery:
    """The same for the search of a write: the row id and these values for each row. `from_` as it stands in it."""
    asked = _Asked(where, list(extras), has_id=True)
    if isinstance(target, WritableQuery) and from_ is None:
        flat = one_table(target, where, extras, with_)
        if flat is None:
            return found
        target, asked = flat.table, _Asked(flat.where, flat.items, flat.order, flat.top, has_id=True)
    elif with_ is not None:
        return found
    if from_ is not None or asks_for_others(where):
        return _with_joined_target(target, from_ or target, where, extras, found, scope, session)
    if not isinstance(target, ast.NamedTable | ast.VariableTable) or not _is_alone(found):
        return found
    direct = _of_table(target, asked, found, scope, session)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _with_joined_target(
    target: ast.TableSource,
    from_: ast.TableSource,
    where: ast.Condition | None,
    extras: Sequence[ast.Expression],
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
) -> TranslatedQuery:
    if found.reads_broker:
        return found
    if all(part is not target for part in walk(from_)):
        from_ = ast.Join("CROSS", target, from_)
    try:
        joined = joined_rows(from_, where, target, scope, session)
        if joined is None:
            return found
        joined = with_semi_joins(joined, scope, session)
        rest = ast.And(tuple(joined.conditions)) if joined.conditions else None
        direct = _of_join(joined, _Asked(rest, list(extras), has_id=True), found, scope, session)
    except SqlError:
        return found
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
    by: list[Any] | None = None
    is_distinct: bool = False

    @property
    def conditions(self) -> list[ast.Condition]:
        return conjuncts(self.where)

    def nodes(self, but: Sequence[ast.Condition]) -> tuple[ast.Node, ...]:
        """All that it says of the rows, without the conditions that are answered already."""
        rest = [part for part in self.conditions if part not in but]
        return (*rest, *self.items, *(self.by or ()), *self.order, *((self.top.count,) if self.top is not None else ()))


def _of_table(
    source: ast.NamedTable | ast.VariableTable, asked: _Asked, found: TranslatedQuery, scope: Scope, session: Session
) -> Direct | None:
    try:
        triggered = trigger_rows(source)
        if triggered is not None:
            layout = [RowColumn(alias_of(source), c.name, c.type) for c in triggered.table.columns]
            return _made((triggered, []), asked, layout, found, scope, session)
        hints = hint_names(source) if isinstance(source, ast.NamedTable) else frozenset()
        is_held = bool(EXCLUSIVE_HINTS & hints)
        bound, slot = bound_source(source, scope, session, is_target=asked.has_id or is_held, may_pass=True)
        if bound is None or not all(column.is_deterministic for column in bound.table.columns):
            return None  # a column that changes by itself is not what was stored with the row
        layout = [RowColumn(alias_of(source), c.name, c.type) for c in bound.table.columns]
        columns = RowScope(layout, session, scope)
        equal = [pair for part in asked.conditions for pair in equalities(part, columns, scope)]
        chosen = chosen_source(bound, slot, equal)
        if chosen is None:
            made = _of_group(bound, equal, asked, columns, found, scope, session)
            used = []
        else:
            used = chosen[1]
            made = _made(chosen, asked, layout, found, scope, session)
        if made is None:
            return None
        origin = made.source
        if isinstance(source, ast.NamedTable) and not bound.table.session_id:
            held = held_rows(source) if is_held else None
            passed = rows_of_others(bound.table.id) if "READPAST" in hints else None
            if passed is not None and isinstance(origin, ByGroup):
                origin = msgspec.structs.replace(origin, passes=True)
            made = msgspec.structs.replace(made, source=origin, held=held, passed=passed)
        if isinstance(origin, ByKey) and not (asked.has_id or is_held):
            nodes = asked.nodes(but=used)
            origin = msgspec.structs.replace(origin, keyed=KeyedRows(bound, origin.key, needed_columns(nodes, columns)))
        is_whole = made.where is None and made.shape.is_all and not made.constants
        if isinstance(origin, InMemory) and not origin.positions and is_whole:
            origin = msgspec.structs.replace(origin, most=None)
        return msgspec.structs.replace(made, source=origin)
    except SqlError:
        return None


def _of_group(
    bound: BoundTable, equal: list[Any], asked: _Asked, columns: RowScope, found: TranslatedQuery, scope: Scope, session: Session,
) -> Direct | None:  # fmt: skip
    """By values of columns that are no key. Where TOP asks for the first ones, they are kept in their order."""
    is_first_enough = asked.top is not None and asked.by is None and not asked.is_distinct
    order = ordered_by(asked.order, columns) if is_first_enough else None
    origin = group_source(bound, equal, order[0] if order else (), is_descending=bool(order and order[1]))
    made = _made(origin, asked, columns.columns, found, scope, session)
    if made is None:
        return None
    shape = made.shape if order is None else msgspec.structs.replace(made.shape, order=())
    return DirectGroup(made.source, made.where, shape, made.constants, asks_all=made.asks_all)


def _view_in_memory(source: ast.NamedTable) -> SystemView | None:
    """The view of the current database that is meant, if it is one of which memory may have the rows."""
    name = source.name
    if name.database or name.server or (name.schema or "").lower() != "sys":
        return None
    return system_view("sys", name.name) if name.name.lower() in _VIEWS else None


def _of_view(
    view: SystemView, source: ast.NamedTable, asked: _Asked, found: TranslatedQuery, scope: Scope, session: Session
) -> Direct | None:
    if found.tables or not changes_no_rows(source):
        return None
    try:
        layout = [RowColumn(alias_of(source), c.name, c.type) for c in view.columns]
        if view.name == "transmission_queue":
            return _made((NoTransmissions(), []), asked, layout, found, scope, session)
        columns = RowScope(layout, session, scope)
        for part in asked.conditions:
            for pair in equalities(part, columns, scope):
                if pair.position == 0 and pair.is_exact:
                    one = EndpointRows(session.database_id, pair.value)
                    return _made((one, [part]), asked, layout, found, scope, session)
        if asked.order:
            return None
        made = _made((EndpointRows(session.database_id, None), []), asked, layout, found, scope, session)
        if made is None or made.asks_all:
            return None
        return DirectFirst(made.source, made.where, made.shape, made.constants)
    except SqlError:
        return None


def _of_document(
    source: ast.MethodTable | ast.OpenJsonTable, asked: _Asked, found: TranslatedQuery, scope: Scope, session: Session
) -> Direct | None:
    if found.tables or found.locals or found.reads_broker:
        return None
    try:
        if isinstance(source, ast.OpenJsonTable):
            listed = json_rows(source, scope, session)
            return None if listed is None else _made((listed[0], []), asked, listed[1], found, scope, session)
        nodes = node_rows(source, scope, session)
        made = None if nodes is None else _made((nodes[0], []), asked, nodes[1], found, scope, session)
        return made and DirectNodes(made.source, made.where, made.shape, made.constants, asks_all=made.asks_all)
    except SqlError:
        return None


def _made(
    chosen: tuple[Source, list[Any]],
    asked: _Asked,
    layout: Sequence[RowColumn],
    found: TranslatedQuery,
    scope: Scope,
    session: Session,
) -> Direct | None:
    """`chosen`: where the rows come from, and the conditions that this answers. Raises SqlError for what does not
    compile."""
    if session.options.deviations:
        return None
    origin, used = chosen
    constants, top = Constants(scope), asked.top
    rest = [constants.folded(part) for part in asked.conditions if part not in used]
    items = [item if isinstance(item, ast.ColumnReference) else constants.folded(item) for item in asked.items]
    values = [aggregated(item) or item for item in items if not counts_rows(item)]
    if not all(is_plain(node, scope, session) for node in (*rest, *values, top.count if top is not None else None)):
        return None
    rows = RowScope([*layout, *constants.columns], session, scope)
    if any(has_failing_constant(node, rows) for node in (*rest, *values)):
        return None
    condition = rows.condition(rest[0] if len(rest) == 1 else ast.And(tuple(rest))) if rest else None
    columns = found.columns[1 if asked.has_id else 0 :]
    shape = shape_of(
        items, asked.order, top, columns, rows, scope, has_id=asked.has_id, by=asked.by, is_distinct=asked.is_distinct
    )
    if shape is None:
        return None
    asks_all = not all(cannot_fail(part, rows) for part in rest)
    return Direct(origin, condition, shape, tuple(constants.runs), asks_all=asks_all)


DIRECT.add("query", with_direct_query)
DIRECT.add("target", with_direct_target)
