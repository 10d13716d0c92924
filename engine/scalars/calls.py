"""Function calls: built-in functions bound to their argument types, and the forms that are no ordinary functions.

COALESCE, ISNULL, NULLIF, IIF and CHOOSE evaluate only what they need, so they are compiled here. A name of several
parts is a user function: the query translator's hook compiles it. It must not know what a single function computes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec

from sbql.engine.lazy_registry import Registry
from sbql.engine.scalars.call_labels import met_arguments, result_label
from sbql.engine.scalars.conditions import compare_scalars
from sbql.engine.scalars.expressions import choose, compile_condition, compile_scalar, compiles, convert_scalar, fold
from sbql.engine.scalars.function_registry import (
    SCALAR,
    SYSTEM_FUNCTIONS,
    WINDOW,
    BoundFunction,
    FunctionSpec,
    all_functions,
    bind,
    check_count,
    is_system_function,
    lookup,
)
from sbql.engine.scalars.scalar import Scalar, constant, met
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.scalars.unsupported_functions import MISSING_FUNCTIONS
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.types import INT, MAX, SqlType
from sbql.grammar.values.collation_precedence import Label
from sbql.grammar.values.compare import comparer
from sbql.grammar.values.kinds import kind, spelled
from sbql.grammar.values.result_types import common_type

__all__ = ["FORMS", "LAST_DECIDES_TYPE", "date_part", "form_arguments", "is_json_value", "sized", "with_json"]

FORMS: Registry[Callable[[ast.FunctionCall, Scope], Scalar]] = Registry("forms")
"""Calls that compile their arguments themselves, but those of this module: by name in upper case."""

_LAST_IS_SCALE = frozenset({"DATETIME2FROMPARTS", "DATETIMEOFFSETFROMPARTS", "TIMEFROMPARTS"})
_LAST_IS_LENGTH = frozenset({"LEFT", "RIGHT", "SUBSTRING"})
LAST_DECIDES_TYPE = _LAST_IS_SCALE | _LAST_IS_LENGTH
"""Functions whose last argument, a constant, is the number of fractional digits or the length of the result's type."""


@compiles(ast.FunctionCall)
def compile_call(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """A call. Raises 195 for an unknown function, 174 and 189 for a wrong number of arguments."""
    if len(node.name.parts) > 1 and not is_system_function(node.name):
        found: Scalar = scope.compile_subquery(node, "function")
        return found
    node = with_json(node)
    name = node.name.name.upper()
    special = _SPECIAL.get(name) or FORMS.find(name)
    if special is not None:
        return special(node, scope)
    spec = lookup(name)
    if spec is None or (name in SYSTEM_FUNCTIONS and len(node.name.parts) == 1):
        if name in MISSING_FUNCTIONS:
            raise sql_error(40517, name)
        meant = did_you_mean(node.name.name.upper(), [*_SPECIAL, *FORMS, *all_functions()])
        advice = meant or "A user function is called with its schema: dbo.name(…)."
        raise sql_error(195, node.name.name, "built-in function name").advise(advice)
    if node.over is not None:  # there are no rows that it could look at
        raise sql_error(4108)
    if spec.kind == WINDOW:
        raise sql_error(10753, name.lower())
    if spec.kind != SCALAR:
        advice = "It needs rows: (SELECT … FROM …); a RECEIVE's are those of the table variable that it goes INTO."
        raise sql_error(40517, f"{name} without a query").advise(advice)
    check_count(spec, len(node.arguments))
    if name == "NEWSEQUENTIALID" and not scope.is_default:
        raise sql_error(302)
    arguments = list(node.arguments)
    part = date_part(arguments.pop(0), spec) if spec.takes_part is not None else None
    scalars = _met(name, [compile_scalar(_expression(a), scope) for a in arguments])
    bound = bind(spec, [s.type for s in scalars], part)
    if spec.with_json is not None and len(node.arguments) - 1 in node.json_arguments:
        bound = msgspec.structs.replace(bound, run=spec.with_json)
    if name in LAST_DECIDES_TYPE and scalars[-1].is_constant and isinstance(scalars[-1].value, int):
        bound = msgspec.structs.replace(bound, type=sized(name, bound.type, scalars[-1].value))
    elif name in _LAST_IS_SCALE:
        raise sql_error(10760, bound.type.name)
    found = _bound_call(spec, bound, scalars)
    if kind(found.type) == "string" and any(s.type.collation for s in scalars):
        return found.labelled(result_label(name, _labels(scalars)))
    return found


def _labels(scalars: list[Scalar]) -> list[Label | None]:
    return [s.label if kind(s.type) == "string" else None for s in scalars]


def _met(name: str, scalars: list[Scalar]) -> list[Scalar]:
    """The arguments, those that meet with their common collation. Raises 468 and 4191."""
    if not any(s.type.collation for s in scalars):
        return scalars
    found = met_arguments(name, _labels(scalars))
    if found is None:
        return scalars
    places, label = found
    return [s.labelled(label) if place in places else s for place, s in enumerate(scalars)]


def sized(name: str, sql_type: SqlType, size: int) -> SqlType:
    """The result's type with as many digits, or no more characters, than the call asks for."""
    if name in _LAST_IS_SCALE:
        return replace(sql_type, scale=max(0, min(size, 7)))
    if sql_type.length in (None, MAX):
        return sql_type
    return replace(sql_type, length=max(1, min(size, sql_type.length or 1)))


def with_json(node: ast.FunctionCall) -> ast.FunctionCall:
    """The call with the places of the arguments that are JSON already (of
    JSON_QUERY, FOR JSON …): types do not tell."""
    if node.json_arguments or node.name.name.upper() not in ("JSON_MODIFY", "JSON_OBJECT", "JSON_ARRAY"):
        return node
    found = tuple(i for i, a in enumerate(node.arguments) if isinstance(a, ast.Expression) and is_json_value(a))
    return replace(node, json_arguments=found) if found else node


def is_json_value(node: ast.Expression) -> bool:
    """JSON_QUERY, JSON_ARRAY, JSON_OBJECT, JSON_MODIFY, and a subquery FOR JSON with its brackets."""
    if isinstance(node, ast.FunctionCall):
        return node.name.name.upper() in ("JSON_QUERY", "JSON_ARRAY", "JSON_OBJECT", "JSON_MODIFY")
    if isinstance(node, ast.ScalarSubquery) and node.query.for_ is not None and node.query.for_.kind == "JSON":
        return all(word != "WITHOUT_ARRAY_WRAPPER" for word, _ in node.query.for_.options)
    return False


def _expression(node: Any) -> ast.Expression:
    if not isinstance(node, ast.Expression):
        raise sql_error(102, "=")
    return node


def date_part(node: Any, spec: FunctionSpec) -> str:
    """The date part that a word means. Raises 155 for one that is none."""
    assert isinstance(node, ast.Word) and spec.takes_part is not None
    try:
        return spec.takes_part(node.name.value, spec.name)
    except SqlError as error:
        raise error.at(node.span) from None


def _bound_call(spec: FunctionSpec, bound: BoundFunction, scalars: list[Scalar]) -> Scalar:
    converted = [convert_scalar(s, t) for s, t in zip(scalars, bound.parameters, strict=True)]
    run = _frame_call(bound.run, converted) if spec.needs_frame else _plain_call(bound.run, converted)
    return fold(bound.type, run, tuple(converted)) if spec.deterministic else Scalar(bound.type, run)


def _plain_call(run: Callable[..., Any], arguments: list[Scalar]) -> Callable[[Frame], Any]:
    reads = [a.run for a in arguments]
    if len(reads) == 1:
        only = reads[0]
        return lambda frame: run(only(frame))
    if len(reads) == 2:
        first, second = reads
        return lambda frame: run(first(frame), second(frame))
    if len(reads) == 3:
        one, two, three = reads
        return lambda frame: run(one(frame), two(frame), three(frame))
    return lambda frame: run(*[read(frame) for read in reads])


def _frame_call(run: Callable[..., Any], arguments: list[Scalar]) -> Callable[[Frame], Any]:
    reads = [a.run for a in arguments]
    if not reads:
        return run
    return lambda frame: run(frame, *[read(frame) for read in reads])


# --- forms that choose -------------------------------------------------------------------------------------


def form_arguments(node: ast.FunctionCall, scope: Scope, low: int, high: int | None = None) -> list[Scalar]:
    """The arguments, each compiled. Raises 174 and 189 for a wrong number of them."""
    count, name = len(node.arguments), node.name.name.lower()
    if high == low and count != low:
        raise sql_error(174, name, low)
    if count < low or (high is not None and count > high):
        raise sql_error(189, name, low, high or 254)
    return [compile_scalar(_expression(a), scope) for a in node.arguments]


def _isnull(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """The type is that of the first argument, so the second one is cut to it."""
    first, second = form_arguments(node, scope, 2, 2)
    sql_type = second.type if kind(first.type) == "null" else first.type
    if kind(sql_type) == "null":
        sql_type = INT
    first, second = convert_scalar(first, sql_type), convert_scalar(second, sql_type)
    read, other = first.run, second.run
    label = first.label
    found = fold(sql_type, lambda frame: other(frame) if (v := read(frame)) is None else v, (first, second))
    return found.labelled(label)


def _coalesce(node: ast.FunctionCall, scope: Scope) -> Scalar:
    scalars = form_arguments(node, scope, 2)
    common = met(scalars, "CASE")
    sql_type = common.type
    if kind(sql_type) == "null":
        raise sql_error(4127)
    converted = [convert_scalar(s, sql_type) for s in scalars]
    reads = [s.run for s in converted]

    def run(frame: Frame) -> Any:
        for read in reads:
            value = read(frame)
            if value is not None:
                return value
        return None

    return fold(sql_type, run, tuple(converted)).labelled(common.label)


def _nullif(node: ast.FunctionCall, scope: Scope) -> Scalar:
    first, second = form_arguments(node, scope, 2, 2)
    if kind(first.type) == "null":
        raise sql_error(4151)
    equal, read = compare_scalars("=", first, second), first.run
    return fold(first.type, lambda frame: None if equal(frame) else read(frame), (first, second))


def _iif(node: ast.FunctionCall, scope: Scope) -> Scalar:
    if len(node.arguments) != 3:
        raise sql_error(174, "iif", 3)
    condition = node.arguments[0]
    if not isinstance(condition, ast.Condition):
        raise sql_error(4145, ",")
    test = compile_condition(condition, scope)
    results = [compile_scalar(_expression(a), scope) for a in node.arguments[1:]]
    if all(kind(r.type) == "null" for r in results):
        raise sql_error(8133)
    return choose([test], results)


def _choose(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """CHOOSE(index, value, …): NULL for an index outside the list."""
    index, *values = form_arguments(node, scope, 2)
    index = convert_scalar(index, INT)
    common = met(values, "CHOOSE")
    sql_type = common.type
    if kind(sql_type) == "null":
        raise sql_error(8133)
    reads, read_index = [convert_scalar(v, sql_type).run for v in values], index.run

    def run(frame: Frame) -> Any:
        place = read_index(frame)
        return reads[place - 1](frame) if place is not None and 1 <= place <= len(reads) else None

    return msgspec.structs.replace(common, run=run)


def _identity(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """IDENTITY(type, seed, increment) is SELECT INTO's, which takes it out of its list. Raises 177."""
    raise sql_error(177)


def _extreme(op: str) -> Callable[[ast.FunctionCall, Scope], Scalar]:
    """GREATEST and LEAST: NULLs are passed over; of NULLs alone it is NULL. Raises 8116."""

    def compile_it(node: ast.FunctionCall, scope: Scope) -> Scalar:
        scalars = _met(node.name.name.upper(), form_arguments(node, scope, 1))
        sql_type = common_type(s.type for s in scalars)
        if kind(sql_type) == "null":
            return constant(None, INT)
        if kind(sql_type) == "xml" or sql_type.name in ("text", "ntext", "image"):
            raise sql_error(8116, spelled(sql_type), 1, node.name.name.lower())
        converted = [convert_scalar(s, sql_type) for s in scalars]
        reads, better = [s.run for s in converted], comparer(op, sql_type)

        def run(frame: Frame) -> Any:
            best = None
            for read in reads:
                value = read(frame)
                if value is not None and (best is None or better(value, best)):
                    best = value
            return best

        return fold(sql_type, run, tuple(converted))

    return compile_it


_SPECIAL: dict[str, Callable[[ast.FunctionCall, Scope], Scalar]] = {
    "ISNULL": _isnull, "COALESCE": _coalesce, "NULLIF": _nullif, "IIF": _iif, "CHOOSE": _choose, "GREATEST": _extreme(">"),
    "LEAST": _extreme("<"), "IDENTITY": _identity,
}  # fmt: skip
