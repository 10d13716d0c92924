"""Updatable views: a view over one table stands for that table.

It decides which views may be written to (plain columns of one table, no DISTINCT, GROUP BY, TOP or set operation) and
translates names and conditions to the table's. A view with an INSTEAD OF trigger is not looked at here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sbql.catalog.records import Column, Module, Table
from sbql.engine.execution.translate import check_view
from sbql.engine.execution.writes.bound import BoundTable, bind, bind_shape
from sbql.engine.execution.writes.row_expressions import RowColumn, RowScope
from sbql.engine.execution.writes.target import bound_target, find_target
from sbql.engine.execution.writes.tree import rewrite
from sbql.grammar.ast import (
    And,
    Assignment,
    ColumnReference,
    Condition,
    CreateViewStatement,
    Identifier,
    Join,
    NamedTable,
    Node,
    ObjectName,
    QuerySpecification,
    SelectColumn,
    SelectStar,
)
from sbql.grammar.errors import SqlError, sql_error

__all__ = [
    "ViewTarget",
    "checked_bound",
    "definition_of",
    "insert_target",
    "is_join_view",
    "triggered_view",
    "view_columns",
    "view_target",
]

MAX_DEPTH = 32


@dataclass(slots=True)
class ViewTarget:
    """`columns` maps the view's column names (lower case) to the table's; None for an expression. `checked` is what
    WITH CHECK OPTION asks of new rows, over the table's columns."""

    name: str
    named_table: NamedTable
    columns: dict[str, str | None]
    filter: Condition | None
    checked: Condition | None = None

    def column(self, name: str, span: Any) -> str:
        """Raises 207, 4406."""
        folded = name.lower()
        if folded not in self.columns:
            raise sql_error(207, name, span=span)
        found = self.columns[folded]
        if found is None:
            raise sql_error(4406, self.name, span=span)
        return found

    def condition(self, where: Condition | None) -> Condition | None:
        """The view's own condition and the statement's, over the table's columns."""
        mine = rewrite(where, self._replace) if where is not None else None
        if self.filter is None or mine is None:
            return self.filter or mine
        return And((self.filter, mine))

    def assignment(self, item: Assignment) -> Assignment:
        column = item.column
        if column is not None:
            column = ObjectName((Identifier(self.column(column.name, column.span)),), span=column.span)
        return replace(item, column=column, expression=rewrite(item.expression, self._replace))

    def _replace(self, node: Node) -> Node | None:
        if isinstance(node, ColumnReference) and node.name.lower() in self.columns:
            return ColumnReference((Identifier(self.column(node.name, node.span)),), span=node.span)
        return None


def view_target(session: Any, target: NamedTable, depth: int = 0) -> ViewTarget | None:
    """The view's table, or None when the target is a table. Raises 4405, 4406."""
    found = find_target(session, target.name)
    if isinstance(found, Table):
        return None
    statement, query = definition_of(session, found)
    names = statement.columns
    base = query.from_
    if (
        not isinstance(base, NamedTable)
        or query.group_by
        or query.distinct
        or query.top
        or query.having
        or depth > MAX_DEPTH
    ):
        raise sql_error(4405, found.name, span=target.span)
    inner = view_target(session, base, depth + 1)
    table = inner.named_table if inner is not None else base
    bound = bound_target(session, table)
    columns = view_columns(query, names, inner, bound)
    condition = query.where
    if inner is not None:
        condition = inner.condition(condition)
    checked = condition if statement.check_option else inner.checked if inner is not None else None
    return ViewTarget(found.name, NamedTable(table.name, span=target.span), columns, condition, checked)


def checked_bound(bound: BoundTable, view: ViewTarget, session: Any) -> BoundTable:
    """The table as a view WITH CHECK OPTION lets it be written."""
    if view.checked is None:
        return bound
    rows = RowScope([RowColumn("", c.name, c.type) for c in bound.table.columns], session)

    def bare(node: Node) -> Node | None:
        return ColumnReference(node.parts[-1:], span=node.span) if isinstance(node, ColumnReference) else None

    try:
        return replace(bound, view_check=rows.condition(rewrite(view.checked, bare)))
    except SqlError as error:
        if error.number == 1046:
            raise sql_error(40517, "WITH CHECK OPTION over a subquery") from None
        raise


def is_join_view(session: Any, view: Module) -> bool:
    """A view over a join: each of its tables can be updated through it."""
    statement = session.instance.modules.parse(view.definition).statements[0]
    query = statement.query.query.query
    return isinstance(query, QuerySpecification) and isinstance(query.from_, Join)


def definition_of(session: Any, view: Module) -> tuple[CreateViewStatement, QuerySpecification]:
    """The view's text. Raises 4405 for one that is no simple query."""
    statement = session.instance.modules.parse(view.definition).statements[0]
    assert isinstance(statement, CreateViewStatement)
    query = statement.query.query.query
    if not isinstance(query, QuerySpecification) or statement.query.with_ is not None:
        raise sql_error(4405, view.name)
    return statement, query


def view_columns(
    query: QuerySpecification, names: Sequence[Identifier], inner: ViewTarget | None, bound: BoundTable
) -> dict[str, str | None]:
    found: list[tuple[str, str | None]] = []
    for item in query.items:
        if isinstance(item, SelectStar):
            if inner is not None:
                found += inner.columns.items()
            else:
                found += [(c.name, c.name) for c in bound.table.columns]
        elif isinstance(item, SelectColumn):
            base: str | None = None
            if isinstance(item.expression, ColumnReference):
                base = item.expression.name
                if inner is not None:
                    base = inner.columns.get(base.lower())
            alias = item.alias.value if item.alias is not None else getattr(item.expression, "name", "")
            found.append((str(alias), base))
    if names:
        found = [(name.value, base) for name, (_, base) in zip(names, found, strict=False)]
    return {name.lower(): base for name, base in found}


def insert_target(
    session: Any, target: NamedTable, names: Sequence[Identifier]
) -> tuple[BoundTable, Sequence[Identifier]]:
    """The table that an INSERT goes to, and its column list in the table's names."""
    found = find_target(session, target.name)
    if isinstance(found, Table):
        return bound_target(session, target), names
    triggered = triggered_view(session, target, "INSERT")
    if triggered is not None:
        return triggered, names
    view = view_target(session, target)
    assert view is not None
    bound = checked_bound(bind(session.resolve(view.named_table.name, Table), session), view, session)
    if not names:
        names = [Identifier(c) for c in view.columns]
    return bound, [Identifier(view.column(n.value, n.span), span=n.span) for n in names]


# --- views with INSTEAD OF triggers ------------------------------------------------------------------------


def view_triggers(session: Any, view: Module) -> tuple[Module, ...]:
    """The enabled INSTEAD OF triggers of a view."""
    modules = session.catalog.all(Module, view.database_id)
    return tuple(m for m in modules if m.type == "TR" and m.parent_id == view.id and not m.is_disabled)


def triggered_view(session: Any, target: NamedTable, event: str) -> BoundTable | None:
    """The view as a table without constraints, for a statement that its INSTEAD OF trigger carries out; None when there
    is none for `event`."""
    view = find_target(session, target.name)
    if isinstance(view, Table):
        return None
    triggers = view_triggers(session, view)
    if not any(event in t.events for t in triggers):
        return None
    statement = session.instance.modules.parse(view.definition).statements[0]
    assert isinstance(statement, CreateViewStatement)
    columns = tuple(
        Column(name=c.name, column_id=i, type=c.type) for i, c in enumerate(check_view(session, statement), 1)
    )
    shape = Table(id=view.id, database_id=view.database_id, name=view.name, schema_id=view.schema_id, columns=columns)
    bound = bind_shape(shape, session, display=view.name)
    bound.triggers = triggers
    bound.needs_locks = False
    return bound
