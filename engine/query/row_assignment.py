"""SELECT @s = @s + column: assignment row after row, each row seeing what the one before it left in the variables.

The parts of the expressions that read columns, aggregates or subqueries become the select list of a query; the rest is
compiled as scalars over hidden variables that hold a row's values. It must not know what a part means.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sbql.engine.query.closures import converted, late
from sbql.engine.query.context import is_constant
from sbql.engine.query.joined_assignment import JoinedTexts, joined_texts
from sbql.engine.query.translation import fetch, translate_query
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.steps import Step
from sbql.grammar import ast
from sbql.grammar.tree import find_all, rewrite
from sbql.grammar.types import SqlType

__all__ = ["compile_row_assignment"]

_ROW = "@row.assignment"


def compile_row_assignment(
    node: ast.SelectStatement,
    query: ast.QuerySpecification,
    targets: list[tuple[int, SqlType]],
    expressions: list[ast.Expression],
    assigned: set[str],
    compiler: Any,
) -> Step:
    """SELECT whose variables stand in its own expressions, too. `targets` are the slots and types of the variables that
    `expressions` are assigned to, `assigned` their names."""
    parts: list[ast.Expression] = []
    trees = [_split(expression, assigned, parts) for expression in expressions]
    items = tuple(ast.SelectColumn(part, span=part.span) for part in parts) or (
        ast.SelectColumn(ast.IntegerLiteral(1)),
    )
    plain = replace(node.query, query=replace(query, items=items))
    scope: Scope = compiler.scope
    get = late(lambda session: translate_query(plain, scope, session, with_=node.with_, is_assigned=True))
    read = find_all(tuple(trees), ast.VariableReference, closed=ast.QueryExpression)
    used = sorted({variable.name.lower() for variable in read} | assigned)
    outer = [(name, *scope.lookup(name)) for name in used if not name.startswith(_ROW)]
    compiled: dict[tuple[SqlType, ...], tuple[list[Any], JoinedTexts | None]] = {}
    (single,) = assigned if len(targets) == 1 else ("",)

    def run(frame: Frame) -> int:
        found = get(frame)
        rows = fetch(found, frame)
        limit = frame.session.options.rowcount
        if limit and len(rows) > limit:
            rows = rows[:limit]
        types = tuple(column.type for column in found.columns)
        found_before = compiled.get(types)
        if found_before is None:
            found_before = compiled[types] = _compile(trees, targets, single, outer, types, scope)
        scalars, joined = found_before
        inner = Frame(frame.session, len(outer) + len(types))
        inner.module, inner.module_name, inner.trigger = frame.module, frame.module_name, frame.trigger
        variables = inner.variables
        for place, (_, slot, _) in enumerate(outer):
            variables[place] = frame.variables[slot]
        places = {slot: place for place, (_, slot, _) in enumerate(outer)}
        if joined is not None and rows:
            ((slot, _),) = targets
            text = joined.text(variables[places[slot]], rows, variables[: len(outer)])
            if text is not None:
                frame.variables[slot] = text
                return len(rows)
        for row in rows:
            variables[len(outer) :] = row
            for (slot, target), scalar in zip(targets, scalars, strict=True):
                value = scalar.run(inner)
                variables[places[slot]] = value if scalar.type == target else converted(value, scalar.type, target)
        for slot, _ in targets:
            frame.variables[slot] = variables[places[slot]]
        return len(rows)

    return Step(run)


def _compile(
    trees: list[Any],
    targets: list[tuple[int, SqlType]],
    single: str,
    outer: list[tuple[str, int, SqlType]],
    types: tuple[SqlType, ...],
    scope: Scope,
) -> tuple[list[Any], JoinedTexts | None]:
    """The expressions over a scope that has the variables they read, and the row's values after them; beside them what
    joins the rows of a `single` variable."""
    inner = Scope(scope.session)
    inner.namespaces = scope.namespaces
    for name, _, sql_type in outer:
        inner.declare(name, sql_type)
    for position, sql_type in enumerate(types):
        inner.declare_hidden(f"{_ROW}{position}", sql_type)
    scalars = [compile_scalar(tree, inner) for tree in trees]
    if not single or inner.deviating is not None:
        return scalars, None
    return scalars, joined_texts(trees[0], single, scalars[0], targets[0][1], lambda part: compile_scalar(part, inner))


def _split(tree: ast.Expression, assigned: set[str], parts: list[ast.Expression]) -> ast.Expression:
    """The expression with every largest part that reads rows but no assigned variable replaced by a variable for it."""

    def change(node: ast.Node) -> ast.Node | None:
        if not isinstance(node, ast.Expression | ast.Condition | ast.WhenClause):
            return node
        read = find_all(node, ast.VariableReference, closed=ast.QueryExpression)
        if not isinstance(node, ast.Expression) or any(variable.name.lower() in assigned for variable in read):
            return None
        if is_constant(node):
            return node
        if node not in parts:
            parts.append(node)
        return ast.VariableReference(f"{_ROW}{parts.index(node)}", span=node.span)

    return rewrite(tree, change)
