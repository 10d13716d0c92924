"""Writes through a common table expression, and through a view in a FROM or over a join: which table they mean, and its
columns.

It decides the base table (of a join, the one whose columns are all that SET names) and what its columns are called. A
view becomes a common table expression of its own text. It must not know rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sbql.catalog.records import Module
from sbql.engine.execution.writes.bound import BoundTable
from sbql.engine.execution.writes.target import bound_target
from sbql.engine.execution.writes.tree import rewrite
from sbql.engine.execution.writes.views import definition_of, view_columns
from sbql.grammar.ast import (
    Apply,
    ColumnReference,
    CommonTableExpression,
    DeleteStatement,
    Identifier,
    Join,
    NamedTable,
    Node,
    ObjectName,
    QueryExpression,
    QuerySpecification,
    SelectColumn,
    SelectStar,
    TableSource,
    UpdateStatement,
    WithClause,
)
from sbql.grammar.errors import sql_error

__all__ = ["CommonTarget", "common_table_of", "common_target", "sources_of", "with_view"]

Write = UpdateStatement | DeleteStatement


@dataclass(slots=True)
class CommonTarget:
    """`source` is the node in the expression's FROM, `columns` the expression's names (lower case) to the table's, None
    for what is no column of it."""

    source: NamedTable
    bound: BoundTable
    columns: dict[str, str | None]

    def column(self, name: str, span: Any) -> str:
        """The table's name of a column in SET. Raises 207, 4406."""
        if name.lower() not in self.columns:
            raise sql_error(207, name, span=span)
        found = self.columns[name.lower()]
        if found is None:
            raise sql_error(4406, name, span=span)
        return found


def sources_of(node: TableSource | None) -> list[TableSource]:
    if isinstance(node, Join | Apply):
        return [*sources_of(node.left), *sources_of(node.right)]
    return [] if node is None else [node]


def common_table_of(target: NamedTable, node: Write) -> CommonTableExpression | None:
    """The common table expression that a target names."""
    if node.with_ is None or len(target.name.parts) != 1:
        return None
    name = target.name.name.lower()
    return next((c for c in node.with_.tables if c.name.value.lower() == name), None)


def common_target(common: CommonTableExpression, node: Write, session: Any) -> CommonTarget:
    """The table under the expression. Raises 4405 when it has none, or the change concerns several."""
    query = common.query.query
    if not isinstance(query, QuerySpecification) or query.group_by is not None or query.distinct:
        raise sql_error(4405, common.name.value, span=node.span)
    tables = [s for s in sources_of(query.from_) if isinstance(s, NamedTable)]
    if len(sources_of(query.from_)) == 1 and len(tables) == 1:
        bound = bound_target(session, tables[0])
        return CommonTarget(tables[0], bound, view_columns(query, common.columns, None, bound))
    if not tables or isinstance(node, DeleteStatement):
        raise sql_error(4405, common.name.value, span=node.span)
    wanted = {a.column.name.lower() for a in node.assignments if a.column is not None}
    for table in tables:
        bound = bound_target(session, table)
        columns = _columns_of(query, common.columns, table, bound, [bound_target(session, t) for t in tables])
        if all(columns.get(name) is not None for name in wanted):
            return CommonTarget(table, bound, columns)
    raise sql_error(4405, common.name.value, span=node.span)


def _columns_of(
    query: QuerySpecification,
    names: tuple[Identifier, ...],
    table: NamedTable,
    bound: BoundTable,
    all_bound: list[BoundTable],
) -> dict[str, str | None]:
    """The columns of the select list that are columns of one table of a join."""
    alias = (table.alias.value if table.alias is not None else table.name.name).lower()
    found: list[tuple[str, str | None]] = []
    for item in query.items:
        if isinstance(item, SelectStar):
            for other in all_bound if item.qualifier is None else [bound]:
                mine = other is bound and (item.qualifier is None or item.qualifier.name.lower() == alias)
                found += [(c.name, c.name if mine else None) for c in other.table.columns]
        elif isinstance(item, SelectColumn):
            base = None
            if isinstance(item.expression, ColumnReference):
                qualifier = item.expression.parts[-2] if len(item.expression.parts) > 1 else None
                is_mine = qualifier is None or qualifier.value.lower() == alias
                if is_mine and bound.position(item.expression.name) is not None:
                    base = item.expression.name
            name = item.alias.value if item.alias is not None else getattr(item.expression, "name", "")
            found.append((str(name), base))
    if names:
        found = [(name.value, base) for name, (_, base) in zip(names, found, strict=False)]
    return {name.lower(): base for name, base in found}


def with_view(node: Write, view: Module, target: NamedTable, session: Any) -> Write:
    """The statement with the view's text as a common table expression, under the name that the statement uses."""
    statement, query = definition_of(session, view)
    if statement.check_option:
        raise sql_error(40517, "a view WITH CHECK OPTION in FROM or over a join", span=node.span)
    name = Identifier(target.name.name)
    plain = ObjectName((name,))
    common = CommonTableExpression(name, statement.columns, QueryExpression(query, span=node.span), span=node.span)
    tables = node.with_.tables if node.with_ is not None else ()
    with_ = WithClause(node.with_.namespaces if node.with_ is not None else (), (common, *tables))

    def change(part: Node) -> Node | None:
        if isinstance(part, NamedTable) and session.resolve(part.name, missing_ok=True) is view:
            return replace(part, name=plain)
        return None

    from_ = rewrite(node.from_, change) if node.from_ is not None else None
    is_alias = isinstance(node.target, NamedTable) and session.resolve(node.target.name, missing_ok=True) is not view
    return replace(
        node, with_=with_, from_=from_, target=node.target if is_alias else replace(target, name=plain, alias=None)
    )
