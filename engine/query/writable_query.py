"""Table sources that only writes use: a table with its row id, and a query that carries a base table's row along.

It decides what FROM text they become. Which query may be written through, and to which table, is `writable.py`.
"""

from __future__ import annotations

from dataclasses import replace

import msgspec

from sbql.catalog.changes import ROW_ID
from sbql.catalog.duck_types import quote
from sbql.engine.query.context import Context, source
from sbql.engine.query.names import Relation, RelationColumn, qualifier_of
from sbql.engine.query.queries import translate_inner
from sbql.engine.query.query_text import QueryText, derived_relation
from sbql.engine.query.set_operations import with_clause
from sbql.engine.query.written_sources import BASE, NewRows, TableWithRowId, WritableQuery
from sbql.grammar.ast import (
    QuerySpecification,
    SelectColumn,
)
from sbql.grammar.types import BIGINT


@source(TableWithRowId)
def _table_with_row_id(node: TableWithRowId, cx: Context) -> str:
    if node.images:
        with cx.statement.reading_images(node.table, with_rows=node.images == "with rows"):
            text = cx.source(node.table)
    else:
        text = cx.source(node.table)
    relation = cx.level.relations[-1]
    if relation.row_id is not None:
        row_id = RelationColumn(node.row_id, BIGINT, relation.row_id, False, is_hidden=True)
        cx.level.relations[-1] = msgspec.structs.replace(relation, columns=(*relation.columns, row_id))
    return text


@source(NewRows)
def _new_rows(node: NewRows, cx: Context) -> str:
    alias = cx.statement.alias()
    columns = tuple(RelationColumn(c.name, c.type, f"{alias}.{quote(c.name)}", True) for c in node.table.columns)
    row_id = RelationColumn(ROW_ID, BIGINT, f"{alias}.{quote(ROW_ID)}", False, is_hidden=True)
    cx.level.add(Relation(node.table.name, (*columns, row_id)), node.span)
    return f"({node.sql}) AS {alias}"


@source(WritableQuery)
def _writable_query(node: WritableQuery, cx: Context) -> str:
    statement = cx.statement
    module = node.module
    if module is None:
        return _carried(node, cx, cx.derived())
    known, scope = statement.common_tables, statement.scope
    statement.common_tables = []
    try:
        with statement.within(module):
            text = _carried(node, cx, cx.alone())
    finally:
        statement.common_tables, statement.scope = known, scope
    statement.read(module, cx.level.relations[-1].used)
    return text


def _carried(node: WritableQuery, cx: Context, inner: Context) -> str:
    specification = node.query.query
    assert isinstance(specification, QuerySpecification)
    prefix = with_clause(node.with_, inner) if node.with_ is not None else ""
    more = (SelectColumn(node.row_id), *(SelectColumn(e) for _, e in node.base))
    query = replace(node.query, query=replace(specification, items=(*specification.items, *more)))
    text = translate_inner(query, inner)
    alias = cx.statement.alias()
    shown = len(text.columns) - len(more)
    relation = derived_relation(
        QueryText(text.sql, text.columns[:shown]), node.alias.value, node.columns, alias, node.span
    )
    row_id = f"{alias}.c{shown + 1}"
    hidden = [RelationColumn(ROW_ID, BIGINT, row_id, True, is_hidden=True)]
    for place, (name, _) in enumerate(node.base, shown + 2):
        column = text.columns[place - 1]
        hidden.append(RelationColumn(BASE + name, column.type, f"{alias}.c{place}", True, is_hidden=True))
    qualifier = () if node.name is None else qualifier_of(node.name, cx.session.database_name)
    cx.level.add(Relation(relation.alias, (*relation.columns, *hidden), qualifier, row_id), node.span)
    if not node.is_checked:
        return f"({prefix}{text.sql}) AS {alias}"
    ids = cx.statement.row_ids(lambda frame: frame.session.held_rows[WritableQuery.CHECKED])
    return f"(SELECT * FROM ({prefix}{text.sql}) AS checked WHERE checked.c{shown + 1} IN (SELECT unnest({ids}))) AS {alias}"
