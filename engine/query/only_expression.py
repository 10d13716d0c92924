"""Functions that are no more than an expression: one RETURN that only computes from the
parameters, in the caller's context.

Whoever calls such a function may compute the expression in place of running the body: queries translate it
(`inlined_functions`), statements evaluate it (`user_functions`). It must not know how.
"""

from __future__ import annotations

from typing import Final

from sbql.grammar import ast
from sbql.grammar.tree import walk

__all__ = ["only_expression"]

_NEVER: Final = (
    ast.QueryExpression, ast.MethodCall, ast.GlobalVariable, ast.NextValueFor, ast.DefaultValue, ast.AtTimeZone, ast.ParseExpression,
)  # fmt: skip


def only_expression(definition: ast.CreateFunctionStatement) -> ast.Expression | None:
    """What the function returns, if that is all that it does."""
    if definition.execute_as is not None or "RETURNS NULL ON NULL INPUT" in definition.options:
        return None
    statements = definition.body
    while len(statements) == 1 and isinstance(statements[0], ast.BeginEndBlock):
        statements = statements[0].statements
    if len(statements) != 1 or not isinstance(statements[0], ast.ReturnStatement):
        return None
    found = statements[0].value
    if found is None or any(isinstance(n, _NEVER) or _is_user_function(n) for n in walk(found)):
        return None
    return found


def _is_user_function(node: object) -> bool:
    return isinstance(node, ast.FunctionCall) and len(node.name.parts) > 1
