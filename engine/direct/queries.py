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

from sbql.catalog.views import SystemView, system_view
from sbql.engine.direct.endpoints import EndpointRows
from sbql.engine.direct.flattening import flattened
from sbql.engine.direct.form import Direct, DirectFirst, DirectNodes, Source
from sbql.engine.direct.joins import Joined, joined_rows
from sbql.engine.direct.lists import list_rows
from sbql.engine.direct.making import Asked, is_alone, made_of, of_join, of_table
from sbql.engine.direct.nodes import json_rows, node_rows
from sbql.engine.direct.one_row import with_one_row
from sbql.engine.direct.queues import with_queue_count
from sbql.engine.direct.rendered import with_rendered_rows
from sbql.engine.direct.semijoins import asks_for_others, with_semi_joins
from sbql.engine.direct.shape import (
    leaves_rows,
    means_alias,
)
from sbql.engine.direct.sources import (
    alias_of,
    equalities,
)
from sbql.engine.direct.through import is_apart
from sbql.engine.direct.transmissions import NoTransmissions
from sbql.engine.ports import Session
from sbql.engine.query.lock_hints import changes_no_rows
from sbql.engine.query.translation import DIRECT, translate_query
from sbql.engine.query.written_sources import TableWithRowId
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.row_expressions import RowColumn, RowScope
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast
from sbql.grammar.errors import SqlError

_OF_ONE: Final = (ast.NamedTable, ast.VariableTable, ast.MethodTable, ast.OpenJsonTable, ast.FunctionTable)
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
    try:
        flat = flattened(query, () if with_ is None else with_.tables, scope, session)
    except SqlError:
        return found
    if flat is None or (with_ is not None and with_.namespaces) or not isinstance(flat.query, ast.QuerySpecification):
        return found
    query, body = flat, flat.query
    by = _grouping(body)
    if by == []:
        return found
    if body.from_ is None:
        return with_one_row(query, body, found, scope, session) if by is None and not body.distinct else found
    if isinstance(body.from_, ast.Join | ast.DerivedTable) or asks_for_others(body.where):
        return found if found.reads_broker else _with_join(query, body, found, scope, session)
    items: list[Any] | None = _expressions(body.items, found)
    if not isinstance(body.from_, _OF_ONE) or items is None:
        return found
    make: Callable[..., Direct | None]
    if isinstance(body.from_, ast.MethodTable | ast.OpenJsonTable | ast.FunctionTable):
        make = partial(_of_document, body.from_)
    elif found.reads_broker and isinstance(body.from_, ast.NamedTable):
        view = _view_in_memory(body.from_)
        if view is None:
            is_plain = not (body.where or query.order_by or by or body.distinct) and leaves_rows(body.top)
            return with_queue_count(body.from_, items, found, session) if is_plain else found
        make = partial(_of_view, view, body.from_)
    elif is_alone(found):
        make = partial(of_table, body.from_)
    else:
        return found
    if means_alias(query.order_by, body.items):
        return found
    asked = Asked(body.where, items, query.order_by, body.top, by=by, is_distinct=body.distinct)
    direct = make(asked, found, scope, session)
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _with_row_ids(
    query: ast.QueryExpression, body: ast.QuerySpecification, source: TableWithRowId, found: TranslatedQuery, scope: Scope, session: Session,
    with_: ast.WithClause | None,
) -> TranslatedQuery:  # fmt: skip
    """The row ids of a table, which are looked for to be locked."""
    item = body.items[0].expression if isinstance(body.items[0], ast.SelectColumn) else None
    is_row_id = isinstance(item, ast.ColumnReference) and item.name == source.row_id and len(body.items) == 1
    if source.images or not is_row_id or not isinstance(source.table, ast.NamedTable) or not is_alone(found):
        return found
    if with_ is not None and not is_apart(source.table, [body, *query.order_by], with_):
        return found
    asked = Asked(body.where, [], query.order_by, body.top, has_id=True)
    direct = of_table(source.table, asked, found, scope, session)
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
        asked = Asked(rest, items, query.order_by, body.top, by=_grouping(body), is_distinct=body.distinct)
        direct = of_join(joined, asked, found, scope, session)
    except SqlError:
        return found
    return found if direct is None else msgspec.structs.replace(found, direct=direct)


def _starred(item: ast.SelectStar, joined: Joined) -> list[ast.ColumnReference]:
    if item.qualifier is None:
        return joined.columns
    name = item.qualifier.name.lower()
    return [c for c in joined.columns if c.parts[0] is not None and c.parts[0].value.lower() == name]


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


def _view_in_memory(source: ast.NamedTable) -> SystemView | None:
    """The view of the current database that is meant, if it is one of which memory may have the rows."""
    name = source.name
    if name.database or name.server or (name.schema or "").lower() != "sys":
        return None
    return system_view("sys", name.name) if name.name.lower() in _VIEWS else None


def _of_view(
    view: SystemView, source: ast.NamedTable, asked: Asked, found: TranslatedQuery, scope: Scope, session: Session
) -> Direct | None:
    if found.tables or not changes_no_rows(source):
        return None
    try:
        layout = [RowColumn(alias_of(source), c.name, c.type) for c in view.columns]
        if view.name == "transmission_queue":
            return made_of((NoTransmissions(), []), asked, layout, found, scope, session)
        columns = RowScope(layout, session, scope)
        for part in asked.conditions:
            for pair in equalities(part, columns, scope):
                if pair.position == 0 and pair.is_exact:
                    one = EndpointRows(session.database_id, pair.value)
                    return made_of((one, [part]), asked, layout, found, scope, session)
        if asked.order:
            return None
        made = made_of((EndpointRows(session.database_id, None), []), asked, layout, found, scope, session)
        if made is None or made.asks_all:
            return None
        return DirectFirst(made.source, made.where, made.shape, made.constants)
    except SqlError:
        return None


def _of_document(
    source: ast.MethodTable | ast.OpenJsonTable | ast.FunctionTable, asked: Asked, found: TranslatedQuery, scope: Scope, session: Session,
) -> Direct | None:  # fmt: skip
    if found.tables or found.locals or found.reads_broker:
        return None
    try:
        if not isinstance(source, ast.MethodTable):
            listed: tuple[Source, list[RowColumn]] | None
            if isinstance(source, ast.OpenJsonTable):
                listed = json_rows(source, scope, session)
            else:
                listed = list_rows(source, scope, session)
            return None if listed is None else made_of((listed[0], []), asked, listed[1], found, scope, session)
        nodes = node_rows(source, scope, session)
        made = None if nodes is None else made_of((nodes[0], []), asked, nodes[1], found, scope, session)
        return made and DirectNodes(made.source, made.where, made.shape, made.constants, asks_all=made.asks_all)
    except SqlError:
        return None


DIRECT.add("query", with_direct_query)
