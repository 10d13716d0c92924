"""SELECT as a statement: result sets, assignment to variables, SELECT INTO.

Decides which SELECT needs no DuckDB (no FROM, no aggregate: closures give the row) and how rows reach variables: the
last one wins, and where an expression reads a variable that the statement assigns, row after row. What a query means is
the translator's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sbql.engine.definition.select_into_statement import compile_select_into, into_of
from sbql.engine.documents.for_xml_checks import refuse_clause
from sbql.engine.modification.one_thread import has_one_thread, in_one_thread
from sbql.engine.outcomes import InParts, ResultColumn, RowsAffected
from sbql.engine.ports import Session
from sbql.engine.query.closures import converted, late
from sbql.engine.query.one_row import is_one_row
from sbql.engine.query.row_assignment import compile_row_assignment
from sbql.engine.query.running import run_query_by_pages
from sbql.engine.query.shown_rows import show_pages, show_rows
from sbql.engine.query.translation import fetch, translate_query
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.expressions import Scalar, convert_scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.warnings_told import tell_warnings
from sbql.engine.steps import Step, handles
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar.ast import (
    BinaryExpression,
    ColumnReference,
    QueryExpression,
    QuerySpecification,
    SelectAssign,
    SelectColumn,
    SelectStatement,
    VariableReference,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all
from sbql.grammar.types import INT, SqlType


@handles(SelectStatement)
def compile_select(node: SelectStatement, compiler: Compiler) -> Step:
    query = node.query.query
    if into_of(query) is not None:
        refuse_clause(node.query.for_, "SELECT INTO")
        step = compile_select_into(node, compiler)
        return in_one_thread(step) if has_one_thread(node.hints) else step
    if isinstance(query, QuerySpecification):
        assigns = [item for item in query.items if isinstance(item, SelectAssign)]
        if assigns:
            if len(assigns) != len(query.items):
                raise sql_error(141, span=node.span)
            refuse_clause(node.query.for_, "ASSIGNMENT")
            return _assignment(node, query, assigns, compiler)
        if is_one_row(node.query, node.with_):
            return _scalar_row(node, query, compiler)
    return _result_set(node, compiler)


def _translator(
    node: SelectStatement, compiler: Compiler, *, is_assigned: bool = False
) -> Callable[[Frame], TranslatedQuery]:
    scope = compiler.scope
    is_alone = has_one_thread(node.hints)

    def translated(session: Session) -> TranslatedQuery:
        query = translate_query(node.query, scope, session, with_=node.with_, is_assigned=is_assigned)
        return query.in_one_thread() if is_alone else query

    return late(translated)


def _result_set(node: SelectStatement, compiler: Compiler) -> Step:
    get = _translator(node, compiler)
    is_document = node.query.for_ is not None
    scope = compiler.scope

    def run(frame: Frame) -> RowsAffected:
        session = frame.session
        query = get(frame)
        if session.subscribing is not None:
            session.subscribing.query(frame, node, scope)
        if session.options.implicit_transactions and query.tables:
            session.begin_implicitly()
        if isinstance(session.sink, InParts) and not (is_document or session.options.fmtonly):
            return show_pages(session, query.columns, run_query_by_pages(query, frame))
        rows = fetch(query, frame) if not session.options.fmtonly else []
        if session.options.rowcount and len(rows) > session.options.rowcount:
            rows = rows[: session.options.rowcount]
        if is_document and rows and rows[0][0] is None and query.columns[0].type.name != "xml":
            rows = []
        return show_rows(session, query.columns, rows)

    return Step(run)


# --- without DuckDB ----------------------------------------------------------------------------------------


def _scalar_row(node: SelectStatement, query: QuerySpecification, compiler: Compiler) -> Step:
    scope = compiler.scope
    scalars: list[Scalar] = []
    columns = []
    for item in query.items:
        assert isinstance(item, SelectColumn)
        _no_columns(item)
        scalar = compiler.scalar(item.expression)
        scalars.append(scalar)
        name = item.alias.value if item.alias is not None else ""
        nullable = not scalar.is_constant or scalar.value is None
        columns.append(ResultColumn(name, INT if scalar.type.name == "null" else scalar.type, nullable))
    names = tuple(columns)
    runs = [scalar.run for scalar in scalars]
    where = compiler.condition(query.where) if query.where is not None else None

    def run(frame: Frame) -> RowsAffected:
        session = frame.session
        if session.subscribing is not None:
            session.subscribing.query(frame, node, scope)
        holds = not session.options.fmtonly and (where is None or where(frame))
        return show_rows(session, names, [tuple([value(frame) for value in runs])] if holds else [])

    return Step(run)


def _no_columns(item: SelectColumn | SelectAssign) -> None:
    """A column without FROM is 207 or 4104."""
    if isinstance(item.expression, ColumnReference):
        reference = item.expression
        if len(reference.parts) > 1:
            raise sql_error(4104, ".".join(p.value if p else "" for p in reference.parts), span=reference.span)
        raise sql_error(207, reference.name, span=reference.span)


# --- assignment --------------------------------------------------------------------------------------------


def plain_expression(item: SelectAssign) -> Any:
    """The expression of an assignment; `+=` and its like are written out."""
    if item.op == "=":
        return item.expression
    own = VariableReference(item.variable, span=item.span)
    return BinaryExpression(item.op[:-1], own, item.expression, span=item.span)


def _assignment(
    node: SelectStatement, query: QuerySpecification, items: list[SelectAssign], compiler: Compiler
) -> Step:
    if is_one_row(node.query, node.with_):
        return _scalar_assignment(query, items, compiler)
    targets = [compiler.scope.lookup(item.variable, item.span) for item in items]
    expressions = [plain_expression(item) for item in items]
    names = {item.variable.lower() for item in items}
    read = find_all(tuple(expressions), VariableReference, closed=QueryExpression)
    if any(variable.name.lower() in names for variable in read):
        return compile_row_assignment(node, query, targets, expressions, names, compiler)
    selects = tuple(SelectColumn(e, span=item.span) for e, item in zip(expressions, items, strict=True))
    plain = replace(node, query=replace(node.query, query=replace(query, items=selects)))
    get = _translator(plain, compiler, is_assigned=True)

    def run(frame: Frame) -> int:
        found = get(frame)
        session = frame.session
        if session.options.implicit_transactions and found.tables:
            session.begin_implicitly()
        rows = fetch(found, frame) if not session.options.fmtonly else []
        limit = session.options.rowcount
        if limit and len(rows) > limit:
            rows = rows[:limit]
        tell_warnings(session)
        if rows:
            _assign(frame, targets, found.columns, rows[-1])
        return len(rows)

    return Step(run)


def _assign(
    frame: Frame, targets: list[tuple[int, SqlType]], columns: tuple[ResultColumn, ...], row: tuple[Any, ...]
) -> None:
    variables = frame.variables
    for (slot, target), column, value in zip(targets, columns, row, strict=True):
        variables[slot] = value if column.type == target else converted(value, column.type, target)


def _scalar_assignment(query: QuerySpecification, items: list[SelectAssign], compiler: Compiler) -> Step:
    parts = []
    for item in items:
        _no_columns(item)
        slot, target = compiler.scope.lookup(item.variable, item.span)
        parts.append((slot, convert_scalar(compiler.scalar(plain_expression(item)), target).run))
    where = compiler.condition(query.where) if query.where is not None else None

    def run(frame: Frame) -> int:
        if where is not None and not where(frame):
            return 0
        for slot, value in parts:
            frame.variables[slot] = value(frame)
        return 1

    return Step(run)
