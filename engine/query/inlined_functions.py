"""Scalar user functions in the place of their call, as one expression.

Decides which calls are inlined: of functions whose body is one value (`only_expression.is_one_value`), in their
caller's context. All others (loops, table variables, EXECUTE AS, RETURNS NULL ON NULL INPUT, a function that calls
itself, DEFAULT as an argument) run as row functions, and so does what cannot be translated: the body then says what is
wrong. What arguments and results are converted to is the same either way. How a body is said is `inlined_bodies`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from sbql.catalog.records import Module
from sbql.engine.query.context import Context, has_aggregate
from sbql.engine.query.conversions import convert
from sbql.engine.query.inlined_bodies import Body, asks, has_query
from sbql.engine.query.looked_up import host_of
from sbql.engine.query.modules_below import calls_itself
from sbql.engine.query.only_expression import is_one_value, only_expression
from sbql.engine.query.statement import MAX_VIEW_DEPTH
from sbql.engine.running_lines import are_heard
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import CANCELLED, SqlError
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import find_all

__all__ = ["inlined"]

_LONGEST: Final = 20_000
"""Characters of a call's text."""


def inlined(module: Module, node: ast.FunctionCall, cx: Context) -> Typed | None:
    """The call of a scalar function as its value; None for a function or a call that cannot be inlined."""
    statement = cx.statement
    if not statement.hoists or cx.session.options.deviations or module.id in statement.inlined:
        return None
    if statement.view_depth >= MAX_VIEW_DEPTH:
        return None
    definition = parse_batch(module.definition, quoted_identifiers=module.uses_quoted_identifier).statements[0]
    assert isinstance(definition, ast.CreateFunctionStatement)
    if calls_itself(module, cx.session):
        return None  # DuckDB may compute what a query in it shows for rows that WHERE leaves out, by which it ends
    returns = cx.session.instance.modules.returns(module, cx.session)
    if returns is None or not is_one_value(definition) or any(isinstance(a, ast.DefaultValue) for a in node.arguments):
        return None
    if are_heard() and only_expression(definition) is None:
        return None  # somebody wants to know which of its lines run
    if module.database_id != cx.session.database_id and any(True for _ in find_all(definition, ast.FunctionCall)):
        return None  # what asks for objects (COL_LENGTH) would ask the caller's database when the query runs
    host = host_of(node, cx)
    is_grouped = cx.clause == "GROUP BY"  # by no query, says DuckDB
    if has_query(definition.body) and ((is_grouped and host is None) or any(map(_is_of_many_rows, node.arguments))):
        return None  # DuckDB would compute an aggregate over the rows of the query inside
    given = _arguments(module, definition, node, cx)
    # Equal calls are one text, by which ORDER BY knows an item of DISTINCT: the tables in it are named once.
    call = (module.id, is_grouped, host is None, *(value.sql for value in given.values()))
    if call in cx.level.inlined:
        return cx.level.inlined[call]
    before = set(statement.tables), list(statement.reads)
    try:
        with _inside(module, given, cx):
            found = Body(cx.alone().within(cx.clause), returns, host).value(definition.body, given)
    except SqlError as error:
        if error.number == CANCELLED:
            raise
        found = None
    if found is None or len(found.sql) > _LONGEST or (is_grouped and asks(found.sql)):
        statement.tables, statement.reads = before
        return None
    statement.has_inlined = True
    cx.level.inlined[call] = found
    return found


def _is_of_many_rows(node: object) -> bool:
    return has_aggregate(node) or any(call.over is not None for call in find_all(node, ast.FunctionCall))


def _arguments(
    module: Module, definition: ast.CreateFunctionStatement, node: ast.FunctionCall, cx: Context
) -> dict[str, Typed]:
    scope, given = Scope.in_database_of(module, cx.session), {}
    for parameter, argument in zip(definition.parameters, node.arguments, strict=True):
        assert isinstance(argument, ast.Expression)
        given[parameter.name.lower()] = convert(cx.expression(argument), scope.resolve_type(parameter.type), cx)
    return given


@contextmanager
def _inside(module: Module, given: Mapping[str, Typed], cx: Context) -> Iterator[None]:
    """In the function's own names and options; whoever runs the query needs EXECUTE. Nobody is told what its
    aggregates pass over."""
    statement = cx.statement
    statement.read(module, set(), "EXECUTE")
    before = statement.arguments, statement.scope, statement.common_tables, statement.inlined
    # A function without parameters has arguments, too: none of its expressions is one of the batch around.
    statement.arguments = dict(given)
    statement.scope = statement.scopes.setdefault(module.id, Scope.in_database_of(module, cx.session))
    statement.common_tables, statement.inlined = [], statement.inlined | {module.id}
    statement.view_depth += 1
    try:
        with statement.within(module), statement.session.as_created(module.uses_ansi_nulls):
            yield
    finally:
        statement.view_depth -= 1
        statement.arguments, statement.scope, statement.common_tables, statement.inlined = before
