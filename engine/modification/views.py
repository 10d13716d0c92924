"""What a name of INSERT stands for, and views whose INSTEAD OF triggers carry out what is written to them.

It decides which triggers those are and what the view looks like as a table; views that stand for their table are
`writable.py`. It must not know rows.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from sbql.catalog.records import Column, Module, Table
from sbql.engine.modification.target import find_target
from sbql.engine.modification.writable import Target, common_table_of, view_check, writable
from sbql.engine.ports import Session
from sbql.engine.query.translation import check_view, translate_query
from sbql.engine.scalars.scope import Scope
from sbql.engine.security.resolver import in_text_of
from sbql.engine.tables.bound_table import BoundTable, bind_shape
from sbql.grammar.ast import (
    CreateViewStatement,
    Identifier,
    InsertStatement,
    NamedTable,
    QueryExpression,
    QuerySpecification,
    SelectStar,
)

__all__ = ["insert_target", "triggered_view", "view_shape"]


def view_triggers(session: Session, view: Module) -> tuple[Module, ...]:
    """The enabled INSTEAD OF triggers of a view."""
    modules = session.catalog.all(Module, view.database_id)
    return tuple(m for m in modules if m.type == "TR" and m.parent_id == view.id and not m.is_disabled)


def triggered_view(session: Session, target: NamedTable, event: str) -> BoundTable | None:
    """The view as a table without constraints, for a statement that its INSTEAD OF trigger carries
    out; None when there is none for `event`, or it runs: what it writes to its own view goes to the
    tables (CREATE TRIGGER, "INSTEAD OF")."""
    view = find_target(session, target.name)
    if isinstance(view, Table):
        return None
    triggers = view_triggers(session, view)
    if not any(event in t.events and t.id not in session.instead_of for t in triggers):
        return None
    bound = bind_shape(view_shape(session, view), session, display=view.name)
    bound.triggers = triggers
    bound.needs_locks = False
    return bound


def view_shape(session: Session, view: Module) -> Table:
    """The columns of a view, as the table that its INSTEAD OF triggers see in inserted and deleted."""
    statement = session.instance.modules.parse(view.definition).statements[0]
    assert isinstance(statement, CreateViewStatement)
    with in_text_of(session, view):
        found = check_view(session, statement)
    columns = tuple(Column(name=c.name, column_id=i, type=c.type) for i, c in enumerate(found, 1))
    return Table(id=view.id, database_id=view.database_id, name=view.name, schema_id=view.schema_id, columns=columns)


# --- INSERT ------------------------------------------------------------------------------------------------


def insert_target(session: Session, scope: Scope, node: InsertStatement) -> tuple[Target, Sequence[Identifier]]:
    """What an INSERT into a name goes to, and its column list in the table's names."""
    target, names = node.target, node.columns
    assert isinstance(target, NamedTable)
    if common_table_of(target, node.with_) is None:
        found = find_target(session, target.name)
        if isinstance(found, Table):
            return writable(target, (), session, scope), names
        triggered = triggered_view(session, target, "INSERT")
        if triggered is not None:
            return Target(target, target.name.name, triggered), names
    if not names:
        star = QueryExpression(QuerySpecification((SelectStar(),), from_=target), span=node.span)
        shown = translate_query(star, scope, session, with_=node.with_).columns
        names = tuple(Identifier(column.name, span=target.span) for column in shown)
    through = writable(target, [(n.value, n.span) for n in names], session, scope, node.with_)
    if through.check is not None:
        through.bound = msgspec.structs.replace(through.bound, view_check=view_check(through, session))
    return through, [Identifier(through.column(n.value, n.span), span=n.span) for n in names]
