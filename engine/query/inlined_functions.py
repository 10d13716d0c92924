"""Scalar user functions of one RETURN, translated in the place of their call.

Decides which functions are inlined: those that only compute from their parameters, in their caller's context. All
others (statements, queries, user functions and NEXT VALUE inside, EXECUTE AS, RETURNS NULL ON NULL INPUT, DEFAULT as an
argument) run as row functions. What their arguments and results are converted to is the same either way.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.records import Module
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import convert
from sbql.engine.query.only_expression import only_expression
from sbql.engine.query.statement import MAX_VIEW_DEPTH
from sbql.engine.scalars.scope import Scope
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import find_all, walk

__all__ = ["inlined"]

_LONGEST: Final = 2000
"""Characters of arguments, counted as often as the function names their parameters."""


def inlined(module: Module, node: ast.FunctionCall, cx: Context) -> Typed | None:
    """The call of a scalar function as its expression; None for a function or a call that cannot be inlined."""
    if cx.session.options.deviations or cx.statement.view_depth >= MAX_VIEW_DEPTH:
        return None
    definition = parse_batch(module.definition, quoted_identifiers=module.uses_quoted_identifier).statements[0]
    assert isinstance(definition, ast.CreateFunctionStatement)
    body, returns = only_expression(definition), cx.session.instance.modules.returns(module, cx.session)
    if body is None or returns is None or not all(_may_be_repeated(a) for a in node.arguments):
        return None
    if module.database_id != cx.session.database_id and any(True for _ in find_all(body, ast.FunctionCall)):
        return None  # what asks for objects (COL_LENGTH) would ask the caller's database when the query runs
    scope = Scope(cx.session)
    given: dict[str, Typed] = {}
    for parameter, argument in zip(definition.parameters, node.arguments, strict=True):
        assert isinstance(argument, ast.Expression)
        value = convert(cx.expression(argument), scope.resolve_type(parameter.type), cx)
        given[parameter.name.lower()] = value
    named = [n.name.lower() for n in find_all(body, ast.VariableReference)]
    if any(name not in given for name in named) or sum(len(given[name].sql) for name in named) > _LONGEST:
        return None
    value = _translated(module, body, given, cx)
    found = convert(value, returns, cx)
    return Typed(found.sql, returns, True, stands_once=found.stands_once)


def _may_be_repeated(node: object) -> bool:
    """An argument that is computed for each place of its parameter: nothing that is new each time, nor a query."""
    return isinstance(node, ast.Expression) and not any(
        isinstance(n, (ast.QueryExpression, ast.NextValueFor, ast.DefaultValue))
        or (isinstance(n, ast.FunctionCall) and n.name.name.upper() in ("NEWID", "NEWSEQUENTIALID", "RAND", "CRYPT_GEN_RANDOM"))
        for n in walk(node)
    )  # fmt: skip


def _translated(module: Module, body: ast.Expression, given: dict[str, Typed], cx: Context) -> Typed:
    """The body in the function's own names and options; whoever runs the query needs EXECUTE."""
    statement = cx.statement
    statement.read(module, set(), "EXECUTE")
    before = statement.arguments, statement.scope
    # A function without parameters has arguments, too: none of its expressions is one of the batch around.
    statement.arguments, statement.scope = given, Scope(cx.session)
    statement.view_depth += 1
    try:
        with statement.within(module), statement.session.as_created(module.uses_ansi_nulls):
            return cx.alone().expression(body)
    finally:
        statement.view_depth -= 1
        statement.arguments, statement.scope = before
