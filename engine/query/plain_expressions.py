"""Which expressions over a row the scalar compiler may compute in place of DuckDB, so that the result is the same.

Parts that are the same for every row (`context.is_constant`, which the translator makes parameters of)
are computed once, and stand in the row as further columns. Decides by the nodes of an expression; it
must not know where rows come from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeVar

from sbql.engine.ports import Session
from sbql.engine.query.context import AGGREGATES, is_constant
from sbql.engine.scalars.calls import is_json_value
from sbql.engine.scalars.determinism import is_deterministic
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.row_expressions import RowColumn
from sbql.grammar import ast
from sbql.grammar.tree import rewrite, walk

__all__ = ["Constants", "is_plain"]

N = TypeVar("N", bound=ast.Node)

_SIMPLE: Final = (
    ast.IntegerLiteral, ast.NumericLiteral, ast.StringLiteral, ast.NullLiteral, ast.VariableReference, ast.ColumnReference,
    ast.UnaryExpression, ast.BinaryExpression, ast.Comparison, ast.And, ast.Or, ast.Not, ast.IsNull, ast.Between, ast.InList,
    ast.Identifier,
)  # fmt: skip
_COMPUTED: Final = (
    ast.FunctionCall, ast.CastExpression, ast.ConvertExpression, ast.SimpleCase, ast.SearchedCase, ast.WhenClause, ast.Like,
    ast.Word, ast.DataTypeReference, ast.ObjectName,
)  # fmt: skip


class Constants:
    """Of one query."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self.columns: list[RowColumn] = []
        self.runs: list[Callable[[Frame], Any]] = []

    def folded(self, node: N) -> N:
        """`node` with a column in place of each part that is computed and the same for every row. Raises
        SqlError for what does not compile."""
        return rewrite(node, self._column)

    def _column(self, node: ast.Node) -> ast.Node | None:
        if not isinstance(node, ast.Expression) or isinstance(node, ast.Word) or not is_constant(node):
            return None
        if is_json_value(node):  # JSON to the call around it, which a column is not
            return None
        if all(isinstance(part, _SIMPLE) and not isinstance(part, ast.BinaryExpression) for part in walk(node)):
            return None
        scalar = compile_scalar(node, self._scope)
        name = f"\0{len(self.columns)}"
        self.columns.append(RowColumn("", name, scalar.type))
        self.runs.append(scalar.run)
        return ast.ColumnReference((ast.Identifier(name),), span=node.span)


def is_plain(node: ast.Node | None, scope: Scope, session: Session) -> bool:
    """Whether both evaluators compute it from the row and variables alone, the same at each time."""
    if node is None:
        return True
    for part in walk(node):
        if isinstance(part, ast.MethodCall):
            if scope.namespaces or not _reads_document_alone(part):
                return False
        elif not isinstance(part, _SIMPLE) and not (isinstance(part, _COMPUTED) and _is_pure(part, session)):
            return False
        if isinstance(part, ast.VariableReference):
            variable = scope.find(part.name)
            if variable is None or variable.type is None:
                return False
    return True


def _reads_document_alone(node: ast.MethodCall) -> bool:
    """An XML method that names no variable and no column."""
    from sbql.engine.documents.xml_methods import variables_named  # XML is imported when it is used

    path = node.arguments[0] if node.arguments else None
    if not isinstance(path, ast.StringLiteral) or node.method not in ("value", "query", "exist"):
        return False
    return not variables_named(path.value, (), f"{node.method}()", is_lenient=True)


def _is_pure(node: ast.Node, session: Session) -> bool:
    """A call, if it is one, is of a built-in function that looks at nothing but its arguments."""
    if not isinstance(node, ast.FunctionCall):
        return True
    if len(node.name.parts) > 1 or node.over is not None or node.star or node.within_group or node.order_by:
        return False
    return node.name.name.upper() not in AGGREGATES and is_deterministic(node, session)
