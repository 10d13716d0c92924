"""Functions that are no more than a value of their parameters, in the caller's context.

Whoever calls a function of one expression may compute that in place of running the body (`user_functions`). A query may
say a longer body as one value, too: one without loops, of variables, IF, queries and RETURN (`inlined_functions`). It
must not know how.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from sbql.engine.query.context import is_aggregate
from sbql.grammar import ast
from sbql.grammar.tree import find_all, walk

__all__ = ["is_one_value", "is_special", "only_expression", "statements_of"]

_NEVER: Final = (
    ast.MethodCall, ast.GlobalVariable, ast.NextValueFor, ast.DefaultValue, ast.AtTimeZone, ast.ParseExpression,
)  # fmt: skip
_SOURCES: Final = (ast.NamedTable, ast.DerivedTable, ast.Join)
"""What a query may read: the rows of all others are made of values."""
_MOST: Final = 500
"""Parts of a body that is one value."""


def only_expression(definition: ast.CreateFunctionStatement) -> ast.Expression | None:
    """What the function returns, if that is all that it does, without a query or another user function."""
    statements = [*statements_of(definition.body)]
    if is_special(definition) or len(statements) != 1 or not isinstance(statements[0], ast.ReturnStatement):
        return None
    found = statements[0].value
    never = (*_NEVER, ast.QueryExpression)
    if found is None or any(isinstance(n, never) or _is_user_function(n) for n in walk(found)):
        return None
    return found


def statements_of(body: Iterable[ast.Statement]) -> Iterator[ast.Statement]:
    """The statements of a body, those of blocks in it one by one."""
    for statement in body:
        if isinstance(statement, ast.BeginEndBlock):
            yield from statements_of(statement.statements)
        else:
            yield statement


def is_one_value(definition: ast.CreateFunctionStatement) -> bool:
    """Whether a query may say what the function returns as one value."""
    parts = [part for statement in definition.body for part in walk(statement)]
    return (
        not is_special(definition)
        and len(parts) <= _MOST
        and all(map(_is_plain, definition.body))
        and not any(isinstance(part, _NEVER) for part in parts)
        and all(map(_is_plain_query, (part for part in parts if isinstance(part, ast.QueryExpression))))
        and all(_has_columns(part) for part in parts if isinstance(part, ast.FunctionCall) and is_aggregate(part))
    )


def is_special(definition: ast.CreateFunctionStatement) -> bool:
    """Whether its options ask for more than to run the body."""
    return definition.execute_as is not None or "RETURNS NULL ON NULL INPUT" in definition.options


def _is_user_function(node: object) -> bool:
    return isinstance(node, ast.FunctionCall) and len(node.name.parts) > 1


def _is_plain(statement: ast.Statement) -> bool:
    if isinstance(statement, ast.BeginEndBlock):
        return all(map(_is_plain, statement.statements))
    if isinstance(statement, ast.IfStatement):
        return _is_plain(statement.then) and (statement.otherwise is None or _is_plain(statement.otherwise))
    if isinstance(statement, ast.ReturnStatement):
        return statement.value is not None
    if isinstance(statement, ast.SetVariableStatement):
        return statement.op == "="
    if isinstance(statement, ast.SelectStatement):
        query = statement.query.query
        return statement.with_ is None and isinstance(query, ast.QuerySpecification) and _assigns(query)
    return isinstance(statement, ast.DeclareStatement)


def _assigns(query: ast.QuerySpecification) -> bool:
    """Whether all items are assignments, none of them to what another one reads."""
    items = [item for item in query.items if isinstance(item, ast.SelectAssign) and item.op == "="]
    assigned = {item.variable.lower() for item in items}
    read = {n.name.lower() for item in items for n in find_all(item.expression, ast.VariableReference)}
    return len(items) == len(query.items) == len(assigned) and not assigned & read


def _is_plain_query(query: ast.QueryExpression) -> bool:
    """Whether its rows are those of tables, and how many it shows is said by no variable: DuckDB limits by none."""
    specifications = [n for n in walk(query) if isinstance(n, ast.QuerySpecification)]
    limits = [limit for n in specifications for limit in (n.top, n.offset, n.fetch)]
    limited = [query.offset, query.fetch, *limits]
    return all(isinstance(n, _SOURCES) for n in walk(query) if isinstance(n, ast.TableSource)) and not any(
        True for limit in limited if limit is not None for _ in find_all(limit, ast.VariableReference)
    )


def _has_columns(call: ast.FunctionCall) -> bool:
    """An aggregate of variables alone would be one of the query around."""
    variables = any(True for _ in find_all(call, ast.VariableReference))
    return not variables or any(True for _ in find_all(call, ast.ColumnReference))
