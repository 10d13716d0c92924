"""Function calls: built-in functions bound to their argument types, and the forms that are no ordinary functions.

COALESCE, ISNULL, NULLIF, IIF and CHOOSE evaluate only what they need, so they are compiled here. A name of several
parts is a user function: the query translator's hook compiles it. It must not know what a single function computes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sbql.engine.execution.expressions import choose, compile_condition, compile_scalar, convert_scalar, fold
from sbql.engine.execution.expressions_conditions import compare_scalars
from sbql.engine.execution.for_json import JsonColumn, quoted, value_writer
from sbql.engine.execution.functions.hex_text import SYSTEM_FUNCTIONS, is_system_function
from sbql.engine.execution.functions.json_functions import modify_with_json
from sbql.engine.execution.functions.missing import MISSING_FUNCTIONS
from sbql.engine.execution.functions.registry import (
    SCALAR,
    WINDOW,
    BoundFunction,
    FunctionSpec,
    bind,
    check_count,
    lookup,
)
from sbql.engine.execution.scalar import Scalar, constant
from sbql.engine.execution.scope import Frame, Scope
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import INT, MAX, NVARCHAR_MAX, SqlType, datetimeoffset
from sbql.grammar.values.kinds import kind, spelled
from sbql.grammar.values.result_types import common_type

__all__ = ["LAST_DECIDES_TYPE", "compile_at_time_zone", "compile_call", "compile_parse", "with_json"]

_LAST_IS_SCALE = frozenset({"DATETIME2FROMPARTS", "DATETIMEOFFSETFROMPARTS", "TIMEFROMPARTS"})
_LAST_IS_LENGTH = frozenset({"LEFT", "RIGHT", "SUBSTRING"})
LAST_DECIDES_TYPE = _LAST_IS_SCALE | _LAST_IS_LENGTH
"""Functions whose last argument, a constant, is the number of fractional digits or the length of the result's type."""


def compile_call(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """A call. Raises 195 for an unknown function, 174 and 189 for a wrong number of arguments."""
    if len(node.name.parts) > 1 and not is_system_function(node.name):
        found: Scalar = scope.compile_subquery(node, "function")
        return found
    node = with_json(node)
    name = node.name.name.upper()
    special = _SPECIAL.get(name)
    if special is not None:
        return special(node, scope)
    spec = lookup(name)
    if spec is None or (name in SYSTEM_FUNCTIONS and len(node.name.parts) == 1):
        if name in MISSING_FUNCTIONS:
            raise sql_error(40517, name)
        raise sql_error(195, node.name.name, "built-in function name")
    if spec.kind == WINDOW:
        raise sql_error(10753, name.lower())
    if spec.kind != SCALAR:
        raise sql_error(40517, f"{name} without a query")
    check_count(spec, len(node.arguments))
    if name == "NEWSEQUENTIALID" and not scope.is_default:
        raise sql_error(302)
    arguments = list(node.arguments)
    part = _date_part(arguments.pop(0), name) if spec.takes_part else None
    scalars = [compile_scalar(_expression(a), scope) for a in arguments]
    bound = bind(spec, [s.type for s in scalars], part)
    if name == "JSON_MODIFY" and 2 in node.json_arguments:
        bound = replace(bound, run=modify_with_json)
    if name in LAST_DECIDES_TYPE and scalars[-1].is_constant and isinstance(scalars[-1].value, int):
        bound = replace(bound, type=_sized(name, bound.type, scalars[-1].value))
    elif name in _LAST_IS_SCALE:
        raise sql_error(10760, bound.type.name)
    return _bound_call(spec, bound, scalars)


def _sized(name: str, sql_type: SqlType, size: int) -> SqlType:
    """The result's type with as many digits, or no more characters, than the call asks for."""
    if name in _LAST_IS_SCALE:
        return replace(sql_type, scale=max(0, min(size, 7)))
    if sql_type.length in (None, MAX):
        return sql_type
    return replace(sql_type, length=max(1, min(size, sql_type.length or 1)))


def with_json(node: ast.FunctionCall) -> ast.FunctionCall:
    """The call with the places of the arguments that are JSON already (of JSON_QUERY, FOR JSON …): types do not tell."""
    from sbql.engine.execution.translate.for_clause import is_json_value

    if node.json_arguments or node.name.name.upper() not in ("JSON_MODIFY", "JSON_OBJECT", "JSON_ARRAY"):
        return node
    found = tuple(i for i, a in enumerate(node.arguments) if isinstance(a, ast.Expression) and is_json_value(a))
    return replace(node, json_arguments=found) if found else node


def _expression(node: Any) -> ast.Expression:
    if not isinstance(node, ast.Expression):
        raise sql_error(102, "=")
    return node


def _date_part(node: Any, name: str) -> str:
    """The date part that a word means. Raises 155 for one that is none."""
    from sbql.engine.execution.functions.date_parts import canonical_part

    assert isinstance(node, ast.Word)
    return canonical_part(node.name.value, name)


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
    return lambda frame: run(*[read(frame) for read in reads])


def _frame_call(run: Callable[..., Any], arguments: list[Scalar]) -> Callable[[Frame], Any]:
    reads = [a.run for a in arguments]
    if not reads:
        return run
    return lambda frame: run(frame, *[read(frame) for read in reads])


# --- forms that choose -------------------------------------------------------------------------------------


def _arguments(node: ast.FunctionCall, scope: Scope, low: int, high: int | None = None) -> list[Scalar]:
    count, name = len(node.arguments), node.name.name.lower()
    if high == low and count != low:
        raise sql_error(174, name, low)
    if count < low or (high is not None and count > high):
        raise sql_error(189, name, low, high or 254)
    return [compile_scalar(_expression(a), scope) for a in node.arguments]


def _isnull(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """The type is that of the first argument, so the second one is cut to it."""
    first, second = _arguments(node, scope, 2, 2)
    sql_type = second.type if kind(first.type) == "null" else first.type
    if kind(sql_type) == "null":
        sql_type = INT
    first, second = convert_scalar(first, sql_type), convert_scalar(second, sql_type)
    read, other = first.run, second.run
    return fold(sql_type, lambda frame: other(frame) if (v := read(frame)) is None else v, (first, second))


def _coalesce(node: ast.FunctionCall, scope: Scope) -> Scalar:
    scalars = _arguments(node, scope, 2)
    sql_type = common_type(s.type for s in scalars)
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

    return fold(sql_type, run, tuple(converted))


def _nullif(node: ast.FunctionCall, scope: Scope) -> Scalar:
    first, second = _arguments(node, scope, 2, 2)
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
    index, *values = _arguments(node, scope, 2)
    index = convert_scalar(index, INT)
    sql_type = common_type(v.type for v in values)
    if kind(sql_type) == "null":
        raise sql_error(8133)
    reads, read_index = [convert_scalar(v, sql_type).run for v in values], index.run

    def run(frame: Frame) -> Any:
        place = read_index(frame)
        return reads[place - 1](frame) if place is not None and 1 <= place <= len(reads) else None

    return Scalar(sql_type, run)


def _identity(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """IDENTITY(type, seed, increment) is SELECT INTO's, which takes it out of its list. Raises 177."""
    raise sql_error(177)


def _extreme(op: str) -> Callable[[ast.FunctionCall, Scope], Scalar]:
    """GREATEST and LEAST: NULLs are passed over; of NULLs alone it is NULL. Raises 8116."""

    def compile_it(node: ast.FunctionCall, scope: Scope) -> Scalar:
        from sbql.grammar.values.compare import comparer

        scalars = _arguments(node, scope, 1)
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


# --- JSON constructors -------------------------------------------------------------------------------------


def _json_values(node: ast.FunctionCall, scope: Scope) -> list[tuple[Scalar, Callable[[Any], str]]]:
    """The arguments, and how their values are written as JSON."""
    found = []
    for i, scalar in enumerate(_arguments(node, scope, 0)):
        is_json = i in node.json_arguments
        found.append(
            (scalar, str if kind(scalar.type) == "null" else value_writer(JsonColumn("", scalar.type, "", is_json)))
        )
    return found


def _json_array(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """JSON_ARRAY: NULLs are left out unless NULL ON NULL keeps them."""
    values, keeps_nulls = _json_values(node, scope), node.nulls == "NULL ON NULL"
    reads = [(scalar.run, write) for scalar, write in values]

    def run(frame: Frame) -> str:
        items = [(read(frame), write) for read, write in reads]
        return f"[{','.join('null' if v is None else write(v) for v, write in items if keeps_nulls or v is not None)}]"

    return fold(NVARCHAR_MAX, run, tuple(scalar for scalar, _ in values))


def _json_object(node: ast.FunctionCall, scope: Scope) -> Scalar:
    """JSON_OBJECT: NULLs are kept unless ABSENT ON NULL leaves them out. Raises 13605 for a name that is NULL."""
    values, keeps_nulls = _json_values(node, scope), node.nulls != "ABSENT ON NULL"
    keys = [convert_scalar(scalar, NVARCHAR_MAX).run for scalar, _ in values[::2]]
    reads = [(key, scalar.run, write) for key, (scalar, write) in zip(keys, values[1::2], strict=True)]

    def run(frame: Frame) -> str:
        members = []
        for read_key, read, write in reads:
            key, value = read_key(frame), read(frame)
            if key is None:
                raise sql_error(13605)
            if keeps_nulls or value is not None:
                members.append(f"{quoted(key)}:{'null' if value is None else write(value)}")
        return f"{{{','.join(members)}}}"

    return fold(NVARCHAR_MAX, run, tuple(scalar for scalar, _ in values))


# --- PARSE and AT TIME ZONE --------------------------------------------------------------------------------


_SESSION_CULTURE = Scalar(NVARCHAR_MAX, lambda frame: frame.session.options.dates.language.culture)


def compile_parse(node: ast.ParseExpression, scope: Scope) -> Scalar:
    """PARSE and TRY_PARSE: text to numbers and dates by a culture, that of the session's language if none is given."""
    from sbql.engine.execution.functions.parsing import parse_text

    target = scope.resolve_type(node.type, in_cast=True)
    if kind(target) not in (
        "int",
        "decimal",
        "money",
        "float",
        "date",
        "time",
        "datetime",
        "datetime2",
        "datetimeoffset",
    ):
        raise sql_error(10761, spelled(target), "PARSE")
    text = compile_scalar(node.operand, scope)
    if kind(text.type) != "string" or text.type.name in ("text", "ntext"):
        raise sql_error(8116, spelled(text.type), 1, "try_parse" if node.is_try else "parse")
    operand = convert_scalar(text, NVARCHAR_MAX)
    culture = _SESSION_CULTURE
    if node.culture is not None:
        culture = convert_scalar(compile_scalar(node.culture, scope), NVARCHAR_MAX)
    read, read_culture, is_try = operand.run, culture.run, node.is_try

    def run(frame: Frame) -> Any:
        text, name = read(frame), read_culture(frame)
        if text is None:
            return None
        try:
            return parse_text(text, target, name or frame.session.options.dates.language.culture)
        except SqlError as error:
            if is_try and error.number != 9818:
                return None
            raise

    return fold(target, run, (operand, culture))


def compile_at_time_zone(node: ast.AtTimeZone, scope: Scope) -> Scalar:
    """AT TIME ZONE: a datetimeoffset as large as the input's scale. Raises 8116 for types that are no date and time."""
    from sbql.engine.execution.functions.time_zones import at_time_zone

    operand = compile_scalar(node.operand, scope)
    if kind(operand.type) not in ("datetime", "datetime2", "datetimeoffset", "null"):
        raise sql_error(8116, spelled(operand.type), 1, "AT TIME ZONE")
    scale = {"datetime": 3, "smalldatetime": 0}.get(operand.type.name, operand.type.scale)
    zone = convert_scalar(compile_scalar(node.zone, scope), NVARCHAR_MAX)
    read, read_zone = operand.run, zone.run

    def run(frame: Frame) -> Any:
        value, name = read(frame), read_zone(frame)
        return None if value is None or name is None else at_time_zone(value, name)

    return fold(datetimeoffset(7 if scale is None else scale), run, (operand, zone))


_SPECIAL: dict[str, Callable[[ast.FunctionCall, Scope], Scalar]] = {
    "ISNULL": _isnull, "COALESCE": _coalesce, "NULLIF": _nullif, "IIF": _iif, "CHOOSE": _choose, "GREATEST": _extreme(">"),
    "LEAST": _extreme("<"), "IDENTITY": _identity, "JSON_ARRAY": _json_array, "JSON_OBJECT": _json_object,
}  # fmt: skip
