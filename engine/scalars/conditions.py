"""Conditions: comparisons and logic with three values; unknown is None.

AND, OR and NOT follow Kleene; a comparison with NULL is unknown (but see ANSI_NULLS OFF). Strings compare by their
collation. Chains of operands are loops, not recursion.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.scalars.expressions import CONDITIONS, compile_scalar, convert_scalar
from sbql.engine.scalars.scalar import Condition, Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.collation_precedence import definite
from sbql.grammar.values.compare import OPERATORS, equality_key, order_key
from sbql.grammar.values.kinds import is_national, kind, spelled
from sbql.grammar.values.like import is_like
from sbql.grammar.values.result_types import common_type, comparison_type

__all__ = ["compare_scalars", "in_as_comparisons", "may_be_null"]

_MIRRORED = {"=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def compile_condition(node: ast.Condition, scope: Scope) -> Condition:
    """The closure of a search condition. Raises SqlError with the node's line."""
    compile_it = _COMPILERS.get(type(node))
    assert compile_it is not None, f"no condition compiler for {type(node).__name__}"
    try:
        return compile_it(node, scope)
    except SqlError as error:
        raise error.at(node.span) from None


# --- comparison --------------------------------------------------------------------------------------------


def _comparison(node: ast.Comparison, scope: Scope) -> Condition:
    left, right = compile_scalar(node.left, scope), compile_scalar(node.right, scope)
    found = compare_scalars(node.op, left, right)
    options = scope.deviating
    if options is None or options.ansi_nulls or node.op not in ("=", "<>"):
        return found
    return _meeting_nulls(node, left, right, found, scope)


def _meeting_nulls(node: ast.Comparison, left: Scalar, right: Scalar, found: Condition, scope: Scope) -> Condition:
    """ANSI_NULLS OFF: an operand that is a variable or the word NULL, and is NULL, equals what is NULL too (page "SET
    ANSI_NULLS"); columns and compound expressions compare as ever."""
    is_equal = node.op == "="
    for operand, other in ((node.left, right), (node.right, left)):
        if may_be_null(operand, scope):
            found = _with_null(left if other is right else right, other, is_equal, found)
    return found


def _with_null(operand: Scalar, other: Scalar, is_equal: bool, found: Condition) -> Condition:
    read, read_other = operand.run, other.run
    return lambda frame: found(frame) if read(frame) is not None else (read_other(frame) is None) is is_equal


def may_be_null(node: ast.Expression, scope: Scope) -> bool:
    """Whether ANSI_NULLS OFF looks at this operand: the word NULL or a variable."""
    if isinstance(node, ast.VariableReference):
        variable = scope.find(node.name)
        return variable is None or not variable.is_hidden or variable.name.startswith("@outer")
    return isinstance(node, ast.NullLiteral)


def in_as_comparisons(node: ast.InList) -> ast.Condition:
    """IN (…) as what it stands for."""
    equals = (ast.Comparison("=", node.operand, item, span=node.span) for item in node.items)
    whole = ast.Or(tuple(equals), span=node.span)
    return ast.Not(whole, span=node.span) if node.negated else whole


def _same_collation(op: str, left: Scalar, right: Scalar) -> str | None:
    """The collation of a comparison: an explicit one wins. Raises 468, 4191."""
    if left.type.collation is None and right.type.collation is None:
        return None
    return definite([s.label for s in (left, right) if kind(s.type) == "string"], OPERATORS_IN_WORDS[op])[1]


OPERATORS_IN_WORDS = {
    "=": "equal to", "<>": "not equal to", "<": "less than", "<=": "less than or equal to", ">": "greater than",
    ">=": "greater than or equal to", "like": "like",
}  # fmt: skip


def compare_scalars(op: str, left: Scalar, right: Scalar) -> Condition:
    """`left op right` as a condition. Raises 206, 305, 306, 402, 468."""
    sql_type = comparison_type(op, left.type, right.type)
    if kind(sql_type) == "string":
        sql_type = sql_type.with_collation(_same_collation(op, left, right))
    left, right = _for_comparison(left, sql_type), _for_comparison(right, sql_type)
    if equality_key(sql_type) is None and order_key(sql_type) is None:
        return _plain_comparison(op, left, right)
    return _keyed_comparison(op, left, right, sql_type)


def _for_comparison(scalar: Scalar, sql_type: SqlType) -> Scalar:
    """The operand in the type of the comparison. Exact numbers are compared as they are: a decimal for all digits of
    both may have no room for some of those behind the point."""
    if kind(sql_type) == "decimal" and kind(scalar.type) in _EXACT:
        return scalar
    return convert_scalar(scalar, _uncut(sql_type, scalar))


_EXACT = ("int", "bit", "decimal", "money")


def _uncut(sql_type: SqlType, scalar: Scalar) -> SqlType:
    """Comparing never cuts or pads a string: only its kind changes."""
    if kind(sql_type) in ("string", "binary") and kind(scalar.type) == kind(sql_type):
        wide = is_national(sql_type) != is_national(scalar.type)
        return SqlType("nvarchar", length=MAX) if wide and is_national(sql_type) else scalar.type
    return sql_type


def _plain_comparison(op: str, left: Scalar, right: Scalar) -> Condition:
    """Values that are their own keys: numbers, dates. Variables and constants are read in place."""
    if left.slot is None and right.slot is not None:
        left, right, op = right, left, _MIRRORED[op]
    if left.slot is not None and right.is_constant:
        return _variable_with_constant(op, left.slot, right.value)
    if left.slot is not None and right.slot is not None:
        return _variable_with_variable(op, left.slot, right.slot)
    compute, first, second = OPERATORS[op], left.run, right.run

    def run(frame: Frame) -> bool | None:
        a = first(frame)
        if a is None:
            return None
        b = second(frame)
        return None if b is None else compute(a, b)

    return run


def _variable_with_constant(op: str, slot: int, value: Any) -> Condition:
    """One closure an operator: a call of operator.lt would cost half of the whole comparison."""
    if value is None:
        return lambda frame: None

    def less(frame: Frame) -> bool | None:
        a = frame.variables[slot]
        return None if a is None else a < value

    def less_or_equal(frame: Frame) -> bool | None:
        a = frame.variables[slot]
        return None if a is None else a <= value

    def greater(frame: Frame) -> bool | None:
        a = frame.variables[slot]
        return None if a is None else a > value

    def greater_or_equal(frame: Frame) -> bool | None:
        a = frame.variables[slot]
        return None if a is None else a >= value

    def equal(frame: Frame) -> bool | None:
        a = frame.variables[slot]
        return None if a is None else a == value

    def unequal(frame: Frame) -> bool | None:
        a = frame.variables[slot]
        return None if a is None else a != value

    return {"<": less, "<=": less_or_equal, ">": greater, ">=": greater_or_equal, "=": equal, "<>": unequal}[op]


def _variable_with_variable(op: str, slot: int, other: int) -> Condition:
    compute = OPERATORS[op]

    def run(frame: Frame) -> bool | None:
        variables = frame.variables
        a, b = variables[slot], variables[other]
        return None if a is None or b is None else compute(a, b)

    return run


def _keyed_comparison(op: str, left: Scalar, right: Scalar, sql_type: SqlType) -> Condition:
    """Values compared by a key; the key of a constant is made once."""
    key = equality_key(sql_type) if op in ("=", "<>") else order_key(sql_type)
    if key is None:
        return _plain_comparison(op, left, right)
    if left.is_constant and not right.is_constant:
        left, right, op = right, left, _MIRRORED[op]
    compute, first, second = OPERATORS[op], left.run, right.run
    if right.is_constant:
        fixed = None if right.value is None else key(right.value)

        def with_constant(frame: Frame) -> bool | None:
            a = first(frame)
            return None if a is None or fixed is None else compute(key(a), fixed)

        return with_constant

    def run(frame: Frame) -> bool | None:
        a = first(frame)
        if a is None:
            return None
        b = second(frame)
        return None if b is None else compute(key(a), key(b))

    return run


# --- logic -------------------------------------------------------------------------------------------------


def _and(node: ast.And, scope: Scope) -> Condition:
    parts = [compile_condition(p, scope) for p in node.operands]
    if len(parts) == 2:
        first, second = parts

        def both(frame: Frame) -> bool | None:
            a = first(frame)
            if a is False:
                return False
            b = second(frame)
            return False if b is False else None if a is None or b is None else True

        return both

    def run(frame: Frame) -> bool | None:
        result: bool | None = True
        for part in parts:
            value = part(frame)
            if value is None:
                result = None
            elif not value:
                return False
        return result

    return run


def _or(node: ast.Or, scope: Scope) -> Condition:
    parts = [compile_condition(p, scope) for p in node.operands]

    def run(frame: Frame) -> bool | None:
        result: bool | None = False
        for part in parts:
            value = part(frame)
            if value is None:
                result = None
            elif value:
                return True
        return result

    return run


def _not(node: ast.Not, scope: Scope) -> Condition:
    return _negated(compile_condition(node.operand, scope), True)


def _negated(condition: Condition, negated: bool) -> Condition:
    if not negated:
        return condition
    return lambda frame: None if (value := condition(frame)) is None else not value


# --- predicates --------------------------------------------------------------------------------------------


def _is_null(node: ast.IsNull, scope: Scope) -> Condition:
    operand = compile_scalar(node.operand, scope)
    if operand.slot is not None:
        slot = operand.slot
        if node.negated:
            return lambda frame: frame.variables[slot] is not None
        return lambda frame: frame.variables[slot] is None
    run = operand.run
    if node.negated:
        return lambda frame: run(frame) is not None
    return lambda frame: run(frame) is None


def _between(node: ast.Between, scope: Scope) -> Condition:
    operand = compile_scalar(node.operand, scope)
    low = compare_scalars(">=", operand, compile_scalar(node.low, scope))
    high = compare_scalars("<=", operand, compile_scalar(node.high, scope))

    def run(frame: Frame) -> bool | None:
        a = low(frame)
        if a is False:
            return False
        b = high(frame)
        return False if b is False else None if a is None or b is None else True

    return _negated(run, node.negated)


def _in_list(node: ast.InList, scope: Scope) -> Condition:
    if (options := scope.deviating) is not None and not options.ansi_nulls:
        return compile_condition(in_as_comparisons(node), scope)
    operand = compile_scalar(node.operand, scope)
    items = [compile_scalar(i, scope) for i in node.items]
    fast = _in_constants(operand, items)
    if fast is not None:
        return _negated(fast, node.negated)
    parts = [compare_scalars("=", operand, item) for item in items]

    def run(frame: Frame) -> bool | None:
        result: bool | None = False
        for part in parts:
            value = part(frame)
            if value:
                return True
            if value is None:
                result = None
        return result

    return _negated(run, node.negated)


def _in_constants(operand: Scalar, items: list[Scalar]) -> Condition | None:
    """A list of constants is one look-up in a set."""
    kinds = {kind(i.type) for i in items}
    if not all(i.is_constant for i in items) or len(kinds) > 1 or "null" in kinds:
        return None
    if any(t.type.collation for t in (operand, *items)) or kind(operand.type) in ("null", "xml", "variant"):
        return None
    sql_type = comparison_type("=", operand.type, common_type(i.type for i in items))
    converted = [_for_comparison(i, sql_type) for i in items]
    if not all(i.is_constant for i in converted) or any(i.value is None for i in converted):
        return None
    key = equality_key(sql_type)
    keys = frozenset(i.value if key is None else key(i.value) for i in converted)
    read = _for_comparison(operand, sql_type).run
    if key is None:
        return lambda frame: None if (value := read(frame)) is None else value in keys
    make: Callable[[Any], Any] = key
    return lambda frame: None if (value := read(frame)) is None else make(value) in keys


def _text(scalar: Scalar, position: int) -> Scalar:
    if kind(scalar.type) in ("string", "null"):
        return scalar
    if kind(scalar.type) in ("xml", "variant"):
        raise sql_error(8116, spelled(scalar.type), position, "like")
    return convert_scalar(scalar, SqlType("varchar", length=8000))


def _like(node: ast.Like, scope: Scope) -> Condition:
    operand = _text(compile_scalar(node.operand, scope), 1)
    pattern = _text(compile_scalar(node.pattern, scope), 2)
    escape = _text(compile_scalar(node.escape, scope), 3) if node.escape is not None else None
    collation = _same_collation("like", operand, pattern)
    national = is_national(operand.type) or is_national(pattern.type)
    read, read_pattern = operand.run, pattern.run
    read_escape = escape.run if escape is not None else None

    def run(frame: Frame) -> bool | None:
        value, shape = read(frame), read_pattern(frame)
        mark = read_escape(frame) if read_escape is not None else None
        if value is None or shape is None or (read_escape is not None and mark is None):
            return None
        return is_like(value, shape, mark, collation, is_national=national)

    return _negated(run, node.negated)


def _by_query(kind_of_query: str) -> Callable[[Any, Scope], Condition]:
    def compile_it(node: Any, scope: Scope) -> Condition:
        found: Condition = scope.compile_subquery(node, kind_of_query)
        return found

    return compile_it


def _update_predicate(node: ast.UpdatePredicate, scope: Scope) -> Condition:
    name = node.column.value.lower()

    def run(frame: Frame) -> bool:
        return frame.trigger is not None and name in frame.trigger.changed_columns

    return run


_COMPILERS: dict[type[ast.Node], Callable[[Any, Scope], Condition]] = {
    ast.Comparison: _comparison, ast.And: _and, ast.Or: _or, ast.Not: _not, ast.IsNull: _is_null, ast.Like: _like,
    ast.Between: _between, ast.InList: _in_list, ast.Exists: _by_query("exists"), ast.InSubquery: _by_query("in"),
    ast.QuantifiedComparison: _by_query("quantified"), ast.UpdatePredicate: _update_predicate,
}  # fmt: skip


CONDITIONS.add("condition", compile_condition)
