"""The WINDOW clause: windows by name, which may begin with one another.

Decides what a window that begins with a name comes to. Must not know what the parts of a window mean.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.query.context import is_constant
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk

__all__ = ["named_windows", "orders_nothing", "refuse_windows", "resolved"]

_WRITTEN = (
    ast.IntegerLiteral, ast.NumericLiteral, ast.RealLiteral, ast.MoneyLiteral, ast.StringLiteral, ast.BinaryLiteral, ast.NullLiteral,
    ast.UnaryExpression, ast.BinaryExpression,
)  # fmt: skip
"""What a constant is made of that is written as such; a variable, a function and a subquery are none."""


def orders_nothing(item: ast.OrderItem) -> bool:
    """Whether a term in the ORDER BY of a window or an aggregate is the same for all rows. Raises 5308 for a number,
    which names no column here, and 5309 for another constant that is written as such."""
    if not is_constant(item.expression):
        return False
    if isinstance(item.expression, ast.IntegerLiteral):
        raise sql_error(5308, span=item.span)
    if all(isinstance(part, _WRITTEN) for part in walk(item.expression)):
        raise sql_error(5309, span=item.span)
    return True


def named_windows(definitions: tuple[ast.WindowDefinition, ...]) -> dict[str, ast.Over]:
    """The windows of a WINDOW clause. Raises 5363 for a name that stands in it twice; 5362, 5364
    and 5365 for what they refer to."""
    windows: dict[str, ast.Over] = {}
    for definition in definitions:
        key = definition.name.value.lower()
        if key in windows:
            raise sql_error(5363, definition.name.value, span=definition.span)
        windows[key] = definition.window
    for window_ in windows.values():
        resolved(window_, windows)
    return windows


def resolved(over: ast.Over, windows: dict[str, ast.Over]) -> ast.Over:
    """A window with the parts of the named ones that it begins with. Each part may come from one of them only."""
    seen: set[str] = set()
    while over.window is not None:
        name = over.window.value
        base = windows.get(name.lower())
        if base is None:
            raise sql_error(5362, name, span=over.span)
        if name.lower() in seen:
            raise sql_error(5365, span=over.span)
        seen.add(name.lower())
        if (
            (over.partition_by and base.partition_by)
            or (over.order_by and base.order_by)
            or (over.frame and base.frame)
        ):
            raise sql_error(5364, name, span=over.span)
        over = ast.Over(
            over.partition_by or base.partition_by,
            over.order_by or base.order_by,
            over.frame or base.frame,
            base.window,
            span=over.span,
        )
    return over


def refuse_windows(parts: Any) -> None:
    """Raises 4109 for a window function within another one, or within an aggregate."""
    for part in walk(parts, closed=ast.QueryExpression):
        if isinstance(part, ast.FunctionCall) and part.over is not None:
            raise sql_error(4109, span=part.span)
