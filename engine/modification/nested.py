"""INSERT … SELECT … FROM (INSERT | UPDATE | DELETE | MERGE … OUTPUT …) AS t: the OUTPUT rows of
one write, selected from for another.

It decides which clauses the SELECT may have and which tables may receive the rows, and hands the rows to the query as
a relation. Where such a source may stand at all is decided by the parser (`grammar/builders/modification_tables.py`);
how a write is done is its handler's.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

from msgspec import Struct

from sbql.catalog.changes import LocalTable
from sbql.catalog.duck_types import duck_type, quote, to_store
from sbql.catalog.records import Table
from sbql.engine.modification.statement import Writing, writing_of
from sbql.engine.modification.target import find_target
from sbql.engine.outcomes import ResultColumn
from sbql.engine.ports import Session
from sbql.engine.query.context import Context, is_aggregate, source
from sbql.engine.query.query_text import OutputColumn, QueryText, derived_relation
from sbql.engine.query.registered import bound_for
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.bound_table import BoundTable, bind
from sbql.engine.tables.typed_sql import LocalSource, Typed
from sbql.engine.work import Suspend
from sbql.grammar.ast import (
    DataModificationTable,
    Exists,
    Identifier,
    InsertStatement,
    InSubquery,
    NamedTable,
    Node,
    QuantifiedComparison,
    QueryExpression,
    QuerySpecification,
    ScalarSubquery,
    TableSource,
)
from sbql.grammar.ast.base import node
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import NULL_TYPE

__all__ = ["NestedRows", "check_outer_target", "nested_rows"]

_SUBQUERIES = (Exists, InSubquery, QuantifiedComparison, ScalarSubquery)


class NestedRows(Struct, frozen=True):
    """The statement in FROM, compiled, and the slot of the frame where its rows wait for the query."""

    query: QueryExpression
    table: DataModificationTable
    writing: Writing
    slot: int

    def perform(self, frame: Frame, txn: Any) -> Generator[Suspend, None, None]:
        """Do the statement in FROM and keep what its OUTPUT gives."""
        _, shown = yield from self.writing.perform(frame, txn, bound_for(self.writing.plan, frame))
        assert shown is not None, "the parser asks for OUTPUT without INTO"
        frame.variables[self.slot] = shown.rows

    def tables(self, session: Session) -> tuple[BoundTable, ...]:
        """Those that the statement in FROM writes and others see."""
        found: tuple[BoundTable, ...] = self.writing.plan.get(session).shared
        return found

    def query_over_rows(self, session: Session) -> QueryExpression:
        """The query with the rows in place of the statement."""
        specification = self.query.query
        assert isinstance(specification, QuerySpecification)
        columns = self.writing.plan.get(session).output.columns
        table = self.table
        rows = StatementRows(self.slot, columns, table.alias, table.columns, span=table.span)
        return replace(self.query, query=replace(specification, from_=rows))


def nested_rows(query: QueryExpression, compiler: Compiler) -> NestedRows | None:
    """The statement in the FROM of an INSERT's query; None when there is none. Raises 10717, 10722, 5322, 5323."""
    specification = query.query
    if not isinstance(specification, QuerySpecification) or not isinstance(specification.from_, DataModificationTable):
        return None
    table = specification.from_
    if specification.distinct:
        raise sql_error(10722, span=specification.span)
    clauses: list[tuple[str, Any]] = [
        ("TOP or OFFSET", specification.top or query.offset),
        ("GROUP BY", specification.group_by),
        ("HAVING", specification.having),
        ("ORDER BY", query.order_by),
    ]
    for name, clause in clauses:
        if clause:
            raise sql_error(10717, name, span=specification.span)
    for name, part in (("SELECT", specification.items), ("WHERE", specification.where)):
        for found in walk(part, closed=QueryExpression):
            _check_part(name, found)
    slot = compiler.scope.declare_hidden("$rows of a statement in FROM", NULL_TYPE)
    return NestedRows(query, table, writing_of(table.statement, compiler), slot)


def _check_part(clause: str, part: Node) -> None:
    if isinstance(part, _SUBQUERIES):
        raise sql_error(5323, clause, span=part.span)
    if is_aggregate(part):
        raise sql_error(5322, clause, span=part.span)


def check_outer_target(session: Session, statement: InsertStatement) -> None:
    """What the rows of a statement in FROM may go to. Raises 354, 355, 356."""
    target = statement.target
    assert isinstance(target, NamedTable)
    name = target.name.name
    common = () if statement.with_ is None else statement.with_.tables
    is_common = any(c.name.value.lower() == name.lower() for c in common) and len(target.name.parts) == 1
    found = None if is_common else find_target(session, target.name)
    if not isinstance(found, Table):
        raise sql_error(354, name, span=target.span)
    bound = bind(found, session)
    if bound.triggers:
        raise sql_error(355, name, span=target.span)
    for key in (*bound.foreign_keys, *bound.referenced_by):
        raise sql_error(356, name, key.constraint.name, span=target.span)


# --- the rows as a table source ----------------------------------------------------------------------------


@node
class StatementRows(TableSource):
    """The rows that wait in a slot of the frame; no text parses to it."""

    slot: int
    shape: tuple[ResultColumn, ...]
    alias: Identifier
    columns: tuple[Identifier, ...] = ()


@source(StatementRows)
def _statement_rows(source: StatementRows, cx: Context) -> str:
    shown = QueryText("", tuple(OutputColumn(c.name, Typed("", c.type, c.nullable)) for c in source.shape))
    types = [column.type for column in source.shape]
    ducks = tuple((f"c{i}", duck_type(t)) for i, t in enumerate(types, 1))
    local = f"statement_rows_{source.slot}_{abs(hash(ducks))}"

    def load(frame: Frame) -> LocalTable:
        rows = [[to_store(v, t) for v, t in zip(row, types, strict=True)] for row in frame.variables[source.slot]]
        return LocalTable(local, ducks, rows, object())

    cx.statement.use_local(LocalSource(local, load))
    alias = cx.statement.alias()
    cx.level.add(derived_relation(shown, source.alias.value, source.columns, alias, source.span), source.span)
    return f"temp.main.{quote(local)} AS {alias}"


@source(DataModificationTable)
def _misplaced(source: DataModificationTable, cx: Context) -> str:
    """Every place but the FROM of an INSERT's own SELECT."""
    raise sql_error(10729, span=source.span)
