"""Where NEXT VALUE FOR may not stand: errors 11716 to 11742, decided by the text of a statement alone.

It is asked only for batches that hold one (batch_facts). What a sequence gives is `definition/sequences.py`, how one
row gets one value `query/sequences.py`.
"""

from __future__ import annotations

from typing import Any

from sbql.engine.query.context import AGGREGATES
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.tree import find_all, walk

__all__ = ["check_places"]

_CONDITIONAL = frozenset({"CHOOSE", "COALESCE", "IIF", "ISNULL", "NULLIF"})
_NOT_THERE = (
    ast.CreateViewStatement, ast.CreateFunctionStatement, ast.ScalarSubquery, ast.Exists, ast.InSubquery,
    ast.QuantifiedComparison, ast.DerivedTable, ast.InlineValues, ast.CommonTableExpression, ast.ReturnStatement,
)  # fmt: skip
_TABLES = (ast.CreateTableStatement, ast.AlterTableStatement, ast.DeclareTableStatement, ast.CreateTypeStatement)


def _first(*nodes: Any) -> ast.NextValueFor | None:
    return next(find_all(nodes, ast.NextValueFor), None)


def _refuse(number: int, *nodes: Any) -> None:
    found = _first(*nodes)
    if found is not None:
        raise sql_error(number, span=found.span)


def check_places(node: ast.Statement) -> None:
    """Raises the error of the first NEXT VALUE FOR that stands where it must not."""
    if _first(node) is None:
        return
    if isinstance(node, ast.MergeStatement):
        _refuse(11742, node)
    if isinstance(node, _TABLES):
        _check_table(node)
        return
    if isinstance(node, ast.CreateProcedureStatement | ast.CreateTriggerStatement):
        return  # each statement of the body comes by itself
    if isinstance(node, ast.BeginEndBlock | ast.TryCatchStatement):
        return
    if isinstance(node, ast.IfStatement | ast.WhileStatement):
        _refuse(11720, node.condition)
        return
    if isinstance(node, ast.UpdateStatement):
        for value in find_all(node, ast.NextValueFor):
            if value.over is not None:
                raise sql_error(11717, span=value.span)
        _refuse(11720, node.where, node.top)
    if isinstance(node, ast.DeleteStatement):
        _refuse(11720, node)
    if isinstance(node, ast.InsertStatement):
        _refuse(11720, node.top)
    _refuse(11720, getattr(node, "output", None))
    for part in walk(node):
        _check_construct(part)
    _check_assignments(node)


def _check_table(node: Any) -> None:
    for part in walk(node):
        if isinstance(part, ast.ColumnDefinition):
            _refuse(11719, part.computed)
        elif isinstance(part, ast.Constraint):
            _refuse(11719, part.condition)
            for found in find_all(part.default, ast.NextValueFor):
                _check_default(node, found)


def _check_default(node: Any, found: ast.NextValueFor) -> None:
    if isinstance(node, ast.DeclareTableStatement | ast.CreateTypeStatement):
        raise sql_error(11719, span=found.span)
    if found.over is not None:
        raise sql_error(11717, span=found.span)
    if found.sequence.database:
        raise sql_error(11730, span=found.span)


def _check_construct(node: ast.Node) -> None:
    """What each construct that it stands in has to say."""
    if isinstance(node, _NOT_THERE):
        _refuse(11719, node)
    elif isinstance(node, ast.QueryExpression):
        _check_query(node)
    elif isinstance(node, ast.SimpleCase | ast.SearchedCase):
        _refuse(11741, node)
    elif isinstance(node, ast.FunctionTable | ast.MethodTable):
        _refuse(11724, getattr(node, "arguments", ()), getattr(node, "argument", ()))
    elif isinstance(node, ast.FunctionCall):
        _check_call(node)
    elif isinstance(node, ast.NextValueFor):
        _check_over(node)


def _check_call(node: ast.FunctionCall) -> None:
    name = node.name.name.upper()
    if len(node.name.parts) == 1:
        if name in _CONDITIONAL:
            _refuse(11741, node.arguments)
        if name in AGGREGATES:
            _refuse(11725, node.arguments)
    _refuse(11720, node.over)


def _check_over(node: ast.NextValueFor) -> None:
    if node.over is None:
        return
    _refuse(11720, node.over)
    if node.over.partition_by:
        raise sql_error(11716, span=node.over.span)
    if not node.over.order_by and node.over.window is None:
        raise sql_error(11718, span=node.over.span)


def _check_query(node: ast.QueryExpression) -> None:
    query = node.query
    if not isinstance(query, ast.QuerySpecification):
        _refuse(11721, query)
        return
    _refuse(11720, query.where, query.group_by, query.having, node.order_by, query.windows, _joins(query.from_))
    _refuse(11720, query.top, node.offset, node.fetch)
    items = list(find_all(query.items, ast.NextValueFor))
    if not items:
        return
    if query.distinct:
        raise sql_error(11721, span=items[0].span)
    if query.top is not None or node.offset is not None:
        raise sql_error(11739, span=items[0].span)
    if node.order_by and any(item.over is None for item in items):
        raise sql_error(11723, span=items[0].span)
    seen: dict[str, ast.Over | None] = {}
    for item in items:
        if seen.setdefault(str(item.sequence).lower(), item.over) != item.over:
            raise sql_error(11727, span=item.span)


def _joins(node: ast.TableSource | None) -> tuple[Any, ...]:
    """The conditions of ON."""
    return tuple(join.on for join in find_all(node, ast.Join) if join.on is not None)


def _check_assignments(node: ast.Statement) -> None:
    """SET and SELECT that assign variables ask a sequence once. Raises 11736."""
    values: list[Any] = []
    if isinstance(node, ast.SetVariableStatement):
        values = [node]
    elif isinstance(node, ast.SelectStatement) and isinstance(node.query.query, ast.QuerySpecification):
        values = [item for item in node.query.query.items if isinstance(item, ast.SelectAssign)]
    names = [str(found.sequence).lower() for found in find_all(tuple(values), ast.NextValueFor)]
    if len(names) != len(set(names)):
        error: SqlError = sql_error(11736, span=node.span)
        raise error
