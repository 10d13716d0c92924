"""What the query of a cursor can be: which kind of cursor it becomes, and its
translations for reading and reading again.

Decides the implicit conversions (DYNAMIC to KEYSET to STATIC, as documented), and the order in which a dynamic cursor
goes through its table: by ORDER BY if an index gives that order, else by the clustered index, else as rows were added.
It must not know where a cursor stands.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from sbql.catalog.changes import ROW_ID, storage_name
from sbql.catalog.records import KeyColumn, Table
from sbql.engine.outcomes import ResultColumn
from sbql.engine.ports import Session
from sbql.engine.query.context import EXPRESSIONS, Context, has_aggregate, registers
from sbql.engine.query.translation import translate_query
from sbql.engine.query.written_sources import TableWithRowId
from sbql.engine.scalars.scope import Scope
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.comparison_keys import order_key
from sbql.engine.tables.typed_sql import Parameter, TranslatedQuery, Typed
from sbql.grammar.ast import (
    ColumnReference,
    CursorDefinition,
    Expression,
    FunctionCall,
    Identifier,
    IntegerLiteral,
    Join,
    NamedTable,
    OrderItem,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    SelectStatement,
    TableSource,
    VariableTable,
)
from sbql.grammar.ast.base import node
from sbql.grammar.tree import columns_in, rewrite, walk
from sbql.grammar.types import BIGINT

__all__ = ["FAST_FORWARD", "KEYSET", "STATIC", "CursorPlan", "Source", "cursor_plan", "reading", "wanted_kind"]

STATIC, KEYSET, DYNAMIC, FAST_FORWARD = "STATIC", "KEYSET", "DYNAMIC", "FAST_FORWARD"


@node
class SortKey(Expression):
    """What DuckDB sorts a column by; no text parses to it."""

    column: ColumnReference


@registers(EXPRESSIONS, SortKey)
def _sort_key(node: SortKey, cx: Context) -> Typed:
    return Typed(order_key(cx.expression(node.column)), BIGINT)  # a type whose values come out as DuckDB has them


class Source(Struct, frozen=True):
    """A table of FROM whose rows can be told apart. `key` are the columns of its unique index, in lower case."""

    node: NamedTable | VariableTable
    alias: str
    table: Table
    storage: str
    key: frozenset[str]
    is_preserved: bool = True


class CursorPlan(Struct, frozen=True):
    """`kind` is what the cursor becomes; `reads_on` tells that rows are looked for at each FETCH (DYNAMIC, and
    FAST_FORWARD where it can). `rows` gives the columns, then a row id for each source, then (if `reads_on`) the
    values of `order`, which `is_sorted` says are in the query itself; `again` the same rows without the
    condition, for one that is known already."""

    kind: str
    columns: tuple[ResultColumn, ...]
    rows: TranslatedQuery
    again: TranslatedQuery | None = None
    sources: tuple[Source, ...] = ()
    reads_on: bool = False
    is_sorted: bool = False
    order: tuple[bool, ...] = ()
    place_columns: frozenset[str] = frozenset()
    filter_columns: frozenset[str] = frozenset()
    is_joined: bool = False
    has_subqueries: bool = False
    tables: frozenset[str] = frozenset()

    @property
    def width(self) -> int:
        return len(self.columns)


def cursor_plan(definition: CursorDefinition, scope: Scope, session: Session) -> CursorPlan:
    """Translate a cursor's SELECT for the kind that was asked for, or for the one that it can be."""
    statement = definition.query
    wanted = wanted_kind(definition.options)
    found = _identified(statement, session, scope) if wanted != STATIC else None
    if found is None:
        return _static(statement, scope, session, wanted)
    specification, sources = found
    place = _place(statement.query, specification, sources)
    kind = wanted
    if kind in (DYNAMIC, FAST_FORWARD) and place is None:
        kind = KEYSET
    if kind == KEYSET and (wanted == FAST_FORWARD or not all(s.key for s in sources)):
        return _static(statement, scope, session, wanted)
    if kind == KEYSET and statement.query.order_by:
        place = None
    return _with_row_ids(statement, specification, sources, place, kind, scope, session)


def wanted_kind(options: Sequence[str]) -> str:
    """The kind that DECLARE asks for: by name, or what the other options and the defaults come to."""
    if {"STATIC", "INSENSITIVE"} & set(options):
        return STATIC
    for kind in (KEYSET, DYNAMIC, FAST_FORWARD):
        if kind in options:
            return kind
    return KEYSET if "SCROLL" in options else DYNAMIC


def _static(statement: SelectStatement, scope: Scope, session: Session, wanted: str) -> CursorPlan:
    rows = translate_query(statement.query, scope, session, with_=statement.with_)
    return CursorPlan(FAST_FORWARD if wanted == FAST_FORWARD else STATIC, rows.columns, rows)


# --- whose rows they are -----------------------------------------------------------------------------------


def _identified(
    statement: SelectStatement, session: Session, scope: Scope
) -> tuple[QuerySpecification, tuple[Source, ...]] | None:
    """The tables whose rows are the rows of the query; None when it makes rows of its own, or reads anything else."""
    query = statement.query.query
    if not isinstance(query, QuerySpecification) or query.from_ is None:
        return None
    if query.distinct or query.group_by is not None or query.having is not None or has_aggregate(query.items):
        return None
    if any(isinstance(n, FunctionCall) and n.over is not None for n in walk(query.items)):
        return None
    if statement.with_ is not None and statement.with_.tables:
        return None
    if statement.query.offset is not None or has_aggregate(tuple(statement.query.order_by)):
        return None
    sources = _sources(query.from_, session, scope, is_preserved=True)
    if sources is None or len({s.alias.lower() for s in sources}) < len(sources):
        return None
    return query, tuple(sources)


def _sources(node: TableSource, session: Session, scope: Scope, *, is_preserved: bool) -> list[Source] | None:
    if isinstance(node, Join):
        if node.kind not in ("INNER", "CROSS", "LEFT", "RIGHT"):
            return None
        left = _sources(node.left, session, scope, is_preserved=is_preserved and node.kind != "RIGHT")
        right = _sources(node.right, session, scope, is_preserved=is_preserved and node.kind != "LEFT")
        return None if left is None or right is None else [*left, *right]
    if isinstance(node, VariableTable):
        found = scope.find(node.name)
        if found is None or found.table is None:
            return None
        alias = node.alias.value if node.alias is not None else node.name
        return [Source(node, alias, found.table, node.name.lower(), _unique_key(found.table), is_preserved)]
    if not isinstance(node, NamedTable) or (session.running_triggers and _is_pseudo_table(node)):
        return None
    table = resolve(session, node.name, missing_ok=True)
    if not isinstance(table, Table):
        return None
    alias = node.alias.value if node.alias is not None else node.name.name
    storage = storage_name(table.storage_schema, table.storage_name)
    return [Source(node, alias, table, storage, _unique_key(table), is_preserved)]


def _is_pseudo_table(node: NamedTable) -> bool:
    return len(node.name.parts) == 1 and node.name.name.lower() in ("inserted", "deleted")


def _unique_key(table: Table) -> frozenset[str]:
    for constraint in sorted(table.constraints, key=lambda c: c.type):
        if constraint.type in ("PK", "UQ") and not constraint.is_disabled:
            return frozenset(c.name.lower() for c in constraint.columns)
    for index in table.indexes:
        if index.is_unique and not index.is_disabled and index.filter is None:
            return frozenset(c.name.lower() for c in index.columns)
    return frozenset()


# --- in which order ----------------------------------------------------------------------------------------

Place = tuple[tuple[ColumnReference, bool], ...]
"""Columns that give the place of a row, and whether they descend. The row ids come after them."""


def _place(query: QueryExpression, specification: QuerySpecification, sources: tuple[Source, ...]) -> Place | None:
    """None: the order needs a work table."""
    first = sources[0]
    if specification.top is not None:
        return None
    if not query.order_by:
        clustered = next((i for i, is_clustered, _ in _indexes(first.table) if is_clustered), ())
        return tuple((_column(first, c.name), c.descending) for c in clustered)
    wanted: list[tuple[str, bool]] = []
    for item in query.order_by:
        name = _ordered_column(item, specification, sources)
        if name is None:
            return None
        wanted.append((name, item.descending))
    for columns, _, is_unique in _indexes(first.table):
        have = [(c.name.lower(), c.descending) for c in columns]
        length = min(len(have), len(wanted))
        if length < len(wanted) and not (is_unique and len(sources) == 1):
            continue
        if wanted[:length] in (have[:length], [(n, not d) for n, d in have[:length]]):
            return tuple((_column(first, name), descending) for name, descending in wanted[:length])
    return None


def _indexes(table: Table) -> list[tuple[tuple[KeyColumn, ...], bool, bool]]:
    """The columns of each index, whether it is clustered, whether unique."""
    found = [(c.columns, c.is_clustered, True) for c in table.constraints if c.type in ("PK", "UQ")]
    found += [(i.columns, i.is_clustered, i.is_unique) for i in table.indexes if not i.is_disabled and not i.filter]
    return [item for item in found if item[0]]


def _ordered_column(item: OrderItem, query: QuerySpecification, sources: tuple[Source, ...]) -> str | None:
    """The column of the first table that an item of ORDER BY means, in lower case."""
    expression = item.expression
    if isinstance(expression, IntegerLiteral):
        if not 1 <= expression.value <= len(query.items):
            return None
        chosen = query.items[expression.value - 1]
        if not isinstance(chosen, SelectColumn):
            return None
        expression = chosen.expression
    elif isinstance(expression, ColumnReference) and len(expression.parts) == 1:
        name = expression.name.lower()
        for chosen in query.items:
            if isinstance(chosen, SelectColumn) and chosen.alias is not None and chosen.alias.value.lower() == name:
                expression = chosen.expression
    if not isinstance(expression, ColumnReference):
        return None
    qualifier = expression.parts[-2] if len(expression.parts) > 1 else None
    name = expression.name.lower()
    owners = [
        s
        for s in sources
        if (qualifier is None or qualifier.value.lower() == s.alias.lower())
        and any(c.name.lower() == name for c in s.table.columns)
    ]
    return name if len(owners) == 1 and owners[0] is sources[0] else None


def _column(source: Source, name: str) -> ColumnReference:
    return ColumnReference((Identifier(source.alias), Identifier(name)))


# --- translating -------------------------------------------------------------------------------------------


def _with_row_ids(
    statement: SelectStatement,
    specification: QuerySpecification,
    sources: tuple[Source, ...],
    place: Place | None,
    kind: str,
    scope: Scope,
    session: Session,
) -> CursorPlan:
    numbers = {id(source.node): f"{ROW_ID}{i}" for i, source in enumerate(sources)}

    def marked(part: Any) -> Any:
        name = numbers.get(id(part))
        return TableWithRowId(part, name, span=part.span) if name is not None else None

    assert specification.from_ is not None
    from_ = rewrite(specification.from_, marked)
    row_ids = tuple(SelectColumn(_column(s, f"{ROW_ID}{i}")) for i, s in enumerate(sources))
    keys = tuple(SelectColumn(SortKey(column)) for column, _ in place or ())
    whole = replace(specification, items=(*specification.items, *row_ids, *keys), from_=from_)
    order_by = statement.query.order_by if place is None else ()
    rows = translate_query(
        replace(statement.query, query=whole, order_by=order_by), scope, session, with_=statement.with_
    )
    known = replace(whole, where=None, top=None)
    again = translate_query(replace(statement.query, query=known, order_by=()), scope, session, with_=statement.with_)
    conditions = [specification.where, *(n.on for n in walk(specification.from_) if isinstance(n, Join))]
    parts = (*specification.items, *conditions)
    return CursorPlan(
        kind=kind,
        columns=rows.columns[: len(rows.columns) - len(row_ids) - len(keys)],
        rows=rows,
        again=again,
        sources=sources,
        reads_on=kind != KEYSET,
        is_sorted=place is None,
        order=tuple(descending for _, descending in place or ()),
        place_columns=frozenset(column.name.lower() for column, _ in place or ()),
        filter_columns=frozenset(c.name.lower() for part in conditions for c in columns_in(part)),
        is_joined=len(sources) > 1,
        has_subqueries=any(isinstance(n, QueryExpression) for part in parts for n in walk(part)),
        tables=rows.tables,
    )


def reading(
    query: TranslatedQuery, condition: str, order: str, limit: int | None, values: Sequence[Any]
) -> TranslatedQuery:
    """A query of a plan narrowed to a part of its rows. `condition` and `order` name its columns c1, c2 … and the
    `values` ?, which are as DuckDB gave them."""
    number = len(query.parameters)
    text = ") AS w"
    if condition:
        pieces = condition.split("?")
        text += " WHERE " + "".join(piece if i == 0 else f"${number + i}{piece}" for i, piece in enumerate(pieces))
    text += f" ORDER BY {order}" if order else ""
    text += f" LIMIT {limit}" if limit is not None else ""
    extra = tuple(Parameter(_always(value), BIGINT) for value in values)
    again = [lambda: reading(query.lazily[0](), condition, order, limit, values)] if query.lazily else []
    return msgspec.structs.replace(
        query.within("SELECT * FROM (", text), parameters=(*query.parameters, *extra), lazily=again
    )


def _always(value: Any) -> Callable[[Any], Any]:
    return lambda frame: value
