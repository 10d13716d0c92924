"""Where a clause may not stand, whatever it says: assignments of variables, INTO, ORDER BY
of an operand of UNION, and UPDATE().

Decided by the tree of a statement and the kind of its module alone, when a batch or module is compiled, so that
the whole of it is refused. It is asked only for texts that hold such a clause (batch_facts). Where NEXT VALUE
FOR may stand is `sequence_places`.
"""

from __future__ import annotations

from collections.abc import Iterator

from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.syntax_errors import refuse_order
from sbql.grammar.tree import walk

__all__ = ["check_clauses"]

_HOLD_STATEMENTS = (
    ast.BeginEndBlock, ast.TryCatchStatement, ast.CreateProcedureStatement, ast.CreateTriggerStatement, ast.CreateFunctionStatement,
)  # fmt: skip


def check_clauses(node: ast.Statement, in_module: str) -> None:
    """Raises 140, 10734, 194, 196, 199, 102 (near =) and 156 (near INTO and ORDER) for the first clause that stands
    where it must not. `in_module` is the kind of the module around the statement, '' for a batch."""
    if isinstance(node, _HOLD_STATEMENTS):
        return  # each of the statements comes by itself
    tree = node.condition if isinstance(node, ast.IfStatement | ast.WhileStatement) else node
    if in_module != "TR":
        for part in walk(tree):
            if isinstance(part, ast.UpdatePredicate):
                raise sql_error(140, span=part.span)
    outer = _outer_query(node)
    if isinstance(node, ast.SelectStatement) and isinstance(outer, ast.QuerySpecification) and outer.into is not None:
        if any(isinstance(item, ast.SelectAssign) for item in outer.items):
            raise sql_error(194, span=node.span)
    if isinstance(outer, ast.BinaryQuery):
        _check_branches(outer)
    own = {id(branch) for branch in _branches(outer)}
    if isinstance(node, ast.InsertStatement):
        own = set()
        for branch in _branches(outer):
            for item in branch.items:
                if isinstance(item, ast.SelectAssign):
                    raise sql_error(199, span=item.span)
    for part in walk(tree):
        if isinstance(part, ast.QuerySpecification) and id(part) not in own:
            _check_inner(part)


def _outer_query(node: ast.Statement) -> ast.Query | None:
    """The query that the statement itself is, or takes its rows from."""
    if isinstance(node, ast.SelectStatement):
        return node.query.query
    if isinstance(node, ast.DeclareCursorStatement | ast.SetCursorVariableStatement):
        return node.definition.query.query.query
    if isinstance(node, ast.InsertStatement) and isinstance(node.source, ast.QuerySource):
        return node.source.query.query
    return None


def _branches(query: ast.Query | None) -> Iterator[ast.QuerySpecification]:
    todo = [query]
    while todo:
        found = todo.pop()
        if isinstance(found, ast.BinaryQuery):
            todo += [found.right, found.left]
        elif isinstance(found, ast.QuerySpecification):
            yield found


def _check_branches(query: ast.BinaryQuery) -> None:
    """A set operation gives rows to nobody's variables; INTO stands in its first
    SELECT, and ORDER BY behind the last."""
    for number, branch in enumerate(_branches(query)):
        if any(isinstance(item, ast.SelectAssign) for item in branch.items):
            raise sql_error(10734, span=branch.span)
        refuse_order(branch.order_by)
        if number and branch.into is not None:
            raise sql_error(196, span=branch.into.span)


def _check_inner(query: ast.QuerySpecification) -> None:
    """A query inside of something gives its rows to that."""
    for item in query.items:
        if isinstance(item, ast.SelectAssign):
            raise sql_error(102, "=", span=item.span)
    if query.into is not None:
        raise sql_error(156, "INTO", span=query.into.span)
