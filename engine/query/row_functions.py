"""Row functions: an expression over columns that the scalar compiler computes, one row at a time.

Every expression that has no twin in DuckDB (most built-in functions, XML methods, user functions) goes this way. Its
operands become variables of a small scope, the rest is compiled as any scalar is, and the closure is registered as a
DuckDB function of the operands. It decides which parts of the tree become operands; it must not know what the
expression means.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import replace
from typing import Any

from sbql.catalog.records import Table
from sbql.engine.documents.xml_nodes import COLUMN
from sbql.engine.query.call_labels import labelled_call, labelled_operands
from sbql.engine.query.context import ROW_FUNCTIONS, Context, is_constant
from sbql.engine.query.conversions import call
from sbql.engine.query.registered import running_frame
from sbql.engine.scalars.calls import LAST_DECIDES_TYPE, with_json
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.function_registry import lookup
from sbql.engine.scalars.scope import Frame, Scope, frame_of_constants
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import parse_object_name
from sbql.grammar.tree import map_children, walk
from sbql.grammar.types import INT, varchar
from sbql.grammar.values.collation_precedence import COERCIBLE, EXPLICIT, Label, produced
from sbql.grammar.values.result_types import common_type

__all__ = ["RANDOM", "is_text_constant", "named_value", "row_chain", "row_function"]


def row_function(node: ast.Expression, cx: Context, operand: Typed | None = None) -> Typed:
    """The call of a function registered for `node` with its operands. `operand` is the only one,
    when it has been translated already."""
    operands: list[Typed] = []
    if isinstance(node, ast.FunctionCall):
        node = with_json(node)
    scope = cx.statement.scope.emptied()
    scope.namespaces = cx.statement.scope.namespaces
    tables = _table_arguments(node, cx)
    inner = cx.of_method() if isinstance(node, ast.MethodCall) else cx
    name, values = _labelled(node, inner, tables, operand)
    tree = _with_operands(node, inner, scope, operands, tables, operand, values)
    if isinstance(node, ast.MethodCall):
        _pass_variables(node, cx, scope, operands)
    slots = tuple((scope.declare_table(name, table), slot) for name, (slot, table) in tables.items())
    scalar = compile_scalar(tree, scope)
    size, run = scope.size, scalar.run
    what = (tree, sorted(scope.namespaces.items()), slots, _meaning(cx))
    is_pure = cx.session.options.ansi_warnings and _looks_at_its_values_alone(node)
    over = scalar.of_one if scalar.of_one is not None and size == 1 else _over_values(run, size, slots, is_pure)
    sql = call("row", what, over, operands, scalar.type, cx, is_volatile=_is_volatile(tree), is_pure=is_pure)
    found = Typed(sql, scalar.type, True, stands_once=True)
    return labelled_call(name, [v for v in values if v is not None], found, node.span)


def _looks_at_its_values_alone(node: ast.Expression) -> bool:
    """A built-in function that needs no session: its arguments are operands, or constants of the text."""
    if isinstance(node, ast.AtTimeZone):
        return True
    if not isinstance(node, ast.FunctionCall) or len(node.name.parts) > 1 or node.name.name.upper() in RANDOM:
        return False
    spec = lookup(node.name.name)
    return spec is not None and not spec.needs_frame


def _labelled(
    node: ast.Expression, cx: Context, tables: Container[str], translated: Typed | None
) -> tuple[str, list[Typed | None]]:
    """The name of a built-in function, and its arguments with the collation where they meet; None for what
    is no operand. Raises 468, 4191."""
    if not isinstance(node, ast.FunctionCall) or len(node.name.parts) > 1:
        return "", []
    name = node.name.name.upper()
    values: list[Typed | None] = []
    for child in node.arguments:
        if not isinstance(child, ast.Expression) or _stays(child, tables):
            values.append(None)
        elif is_text_constant(child) and not isinstance(child, _LITERALS):
            values.append(_COLLATED.labelled((EXPLICIT, child.collation)) if isinstance(child, ast.Collate) else None)
        else:
            values.append(translated if translated is not None else cx.expression(child))
    known = iter(labelled_operands(name, [value or _NO_TEXT for value in values], node.span))
    return name, [found if value is not None else None for value, found in zip(values, known, strict=True)]


_COLLATED, _NO_TEXT = Typed("", varchar(1)), Typed("", INT)


def _stays(child: ast.Expression, tables: Container[str]) -> bool:
    """What is no operand: DEFAULT, and a table variable."""
    return isinstance(child, ast.DefaultValue) or (
        isinstance(child, ast.VariableReference) and child.name.lower() in tables
    )


_LINK = 50
"""Operators that one registered function computes."""


def row_chain(chain: Sequence[ast.BinaryExpression], cx: Context) -> Typed:
    """A long chain of operators, the innermost first: each so many of them are one registered function, whose first
    operand is what the one before gives."""
    result = cx.expression(chain[0].left)
    rights = [step.right if isinstance(step.right, _LITERALS) else cx.expression(step.right) for step in chain]
    label = _label_of_sum([result, *(value for value in rights if isinstance(value, Typed))], chain[0].span)
    for start in range(0, len(chain), _LINK):
        scope = cx.statement.scope.emptied()
        operands: list[Typed] = []
        tree = _operand(result.labelled(label), scope, operands, chain[start].left.span)
        for step, value in zip(chain[start : start + _LINK], rights[start : start + _LINK], strict=True):
            right = step.right
            if isinstance(value, Typed):
                right = _operand(value.labelled(label), scope, operands, step.right.span)
            tree = replace(step, left=tree, right=right)
        scalar = compile_scalar(tree, scope)
        sql = call("row", (tree, _meaning(cx)), _over_values(scalar.run, scope.size), operands, scalar.type, cx)
        result = Typed(sql, scalar.type, True, stands_once=True).labelled(label)
    return result


def _label_of_sum(values: Sequence[Typed], span: ast.Span) -> Label:
    """The label of a sum of texts. Raises 457, 468."""
    texts = [value for value in values if value.is_text]
    if not texts:
        return COERCIBLE, None
    try:
        return produced([value.label for value in texts], "add", common_type(value.type for value in texts))
    except SqlError as error:
        raise error.at(span) from None


def _operand(value: Typed, scope: Scope, operands: list[Typed], span: ast.Span) -> ast.Expression:
    """A variable of the scope that stands for one more operand."""
    name = f"@operand{len(operands)}"
    scope.declare_hidden(name, value.type if not value.is_bare_null else INT, value.rank)
    operands.append(value)
    return ast.VariableReference(name, span=span)


RANDOM = ROW_FUNCTIONS | {
    "ENCRYPTBYKEY", "ENCRYPTBYCERT", "ENCRYPTBYASYMKEY", "ENCRYPTBYPASSPHRASE", "PWDENCRYPT", "RAND",
}  # fmt: skip
"""The built-in functions that give another value at each call. What others read (the clock's moment
of the statement, the session, the catalog, tables in user functions) is the same while a query runs,
and a query is bound when it runs."""


def _is_volatile(tree: Any) -> bool:
    return any(isinstance(n, ast.FunctionCall) and n.name.name.upper() in RANDOM for n in walk(tree))


def _pass_variables(node: ast.MethodCall, cx: Context, scope: Scope, operands: list[Typed]) -> None:
    """What an XQuery names by sql:variable() and sql:column(). Raises 9501."""
    from sbql.engine.documents.xml_methods import variables_named  # XML is imported when it is used

    if not node.arguments or not isinstance(node.arguments[0], ast.StringLiteral):
        return
    namespaces = tuple(scope.namespaces.items())
    text = node.arguments[0].value
    for name in variables_named(text, namespaces, f"{node.method}()", is_lenient=True):
        if scope.find(name) is None:
            try:
                value = named_value(name, cx, node.span)
            except SqlError as error:
                raise error.within(text, text.find(name.removeprefix(COLUMN))) from None
            scope.declare_hidden(name, value.type, value.rank)
            operands.append(value)


def named_value(name: str, cx: Context, span: ast.Span) -> Typed:
    """What sql:variable() or sql:column() names: a column, a variable, or a parameter of the function whose query this
    is. Raises 9501."""
    if name.startswith(COLUMN):
        return cx.expression(ast.ColumnReference(parse_object_name(name.removeprefix(COLUMN)).parts, span=span))
    try:
        return cx.expression(ast.VariableReference(name, span=span))
    except SqlError as error:
        if error.number != 137:
            raise
        raise sql_error(9501, name, span=span) from None


def _meaning(cx: Context) -> tuple[Any, ...]:
    """What else the compiled closure depends on: SET options and, for user functions, what names mean here."""
    options = cx.session.options
    return (options.dates, options.datefirst, options.deviations, cx.session.database_id, cx.session.user.name)


def _table_arguments(node: ast.Expression, cx: Context) -> dict[str, tuple[int, Table]]:
    """The table variables that a user function is handed, by name: their slots in
    the frame of the query, and shapes."""
    found: dict[str, tuple[int, Table]] = {}
    if isinstance(node, ast.FunctionCall) and len(node.name.parts) > 1:
        for argument in node.arguments:
            if isinstance(argument, ast.VariableReference):
                name = argument.name.lower()
                if name in cx.statement.table_arguments:
                    found[name] = cx.statement.table_arguments[name]
                elif cx.statement.scope.table_slot(name) is not None:
                    found[name] = cx.statement.scope.lookup_table(name)
    return found


def _over_values(
    run: Callable[[Frame], Any], size: int, tables: tuple[tuple[int, int], ...] = (), is_pure: bool = False
) -> Callable[..., Any]:
    """`tables`: (slot here, slot in the frame of the query) of table variables; `is_pure`: there is no such frame."""

    def compute_alone(*values: Any) -> Any:
        frame = frame_of_constants(size)
        frame.variables[: len(values)] = values
        return run(frame)

    def compute(*values: Any) -> Any:
        outer = running_frame()
        frame = Frame(outer.session, size)
        frame.variables[: len(values)] = values
        for slot, outer_slot in tables:
            frame.variables[slot] = outer.variables[outer_slot]
        frame.module, frame.module_name, frame.scope_identity = outer.module, outer.module_name, outer.scope_identity
        return run(frame)

    return compute_alone if is_pure else compute


def _with_operands(
    node: ast.Expression,
    cx: Context,
    scope: Scope,
    operands: list[Typed],
    tables: Container[str],
    translated: Typed | None,
    values: Sequence[Typed | None],
) -> Any:
    """`node` with each of its direct operands replaced by a variable. Constants of the text stay where they may decide
    the type (a style, a path); literal arguments of functions do not, and so one registered function serves them
    all. `values`: the arguments of a call that have been translated."""
    known = (
        {id(a): v for a, v in zip(node.arguments, values, strict=False)} if isinstance(node, ast.FunctionCall) else {}
    )
    passes_literals = isinstance(node, ast.FunctionCall) and node.name.name.upper() not in LAST_DECIDES_TYPE

    def operand(child: ast.Expression) -> ast.Expression:
        if _stays(child, tables):
            return child
        if is_text_constant(child) and not (passes_literals and isinstance(child, _LITERALS)):
            return child
        value = known.get(id(child)) or (cx.expression(child) if translated is None else translated)
        return _operand(value, scope, operands, child.span)

    return map_children(node, lambda child: operand(child) if isinstance(child, ast.Expression) else child)


_LITERALS = (ast.StringLiteral, ast.IntegerLiteral, ast.NumericLiteral)


def is_text_constant(node: ast.Expression) -> bool:
    """A constant without variables or functions: it may decide the type, as a style or a length does."""
    return is_constant(node) and not any(
        isinstance(n, ast.VariableReference | ast.GlobalVariable | ast.FunctionCall | ast.MethodCall)
        for n in walk(node, closed=ast.QueryExpression)
    )
