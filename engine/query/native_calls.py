"""Calls of built-in functions that have native forms.

Decides how the call is bound: types and errors are those of the function's entry in the registry, and the Python form
is the function that the registry has. Which forms there are is said by the tables.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, Final

import msgspec

from sbql.engine.native.bits import BITS
from sbql.engine.native.characters import CHARACTERS
from sbql.engine.native.checks import CHECKS
from sbql.engine.native.checksums import CHECKSUMS
from sbql.engine.native.dates import DATES
from sbql.engine.native.formats import FORMATS
from sbql.engine.native.forms import UNKNOWN, Call, Forms, find_form, guarded
from sbql.engine.native.json_values import JSON
from sbql.engine.native.names import NAMES
from sbql.engine.native.numbers import NUMBERS
from sbql.engine.native.offsets import OFFSETS
from sbql.engine.native.texts import TEXTS
from sbql.engine.native.variants import VARIANTS, base_of_other
from sbql.engine.query.call_labels import labelled_call, labelled_operands
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import call, convert, literal_value, unless_null
from sbql.engine.query.registered import with_frame
from sbql.engine.query.row_functions import RANDOM, is_text_constant
from sbql.engine.scalars.calls import FORMS, LAST_DECIDES_TYPE, date_part, sized, with_json
from sbql.engine.scalars.expressions import compile_scalar
from sbql.engine.scalars.function_registry import (
    SCALAR,
    SYSTEM_FUNCTIONS,
    BoundFunction,
    FunctionSpec,
    bind,
    check_count,
    lookup,
)
from sbql.engine.tables.typed_sql import Nulls, Plainer, Signs, Typed, bounded, strictly
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, MAX, varchar

__all__ = ["NATIVE", "native_call"]

NATIVE: Final[Forms] = {
    **BITS,
    **CHECKSUMS,
    **DATES,
    **OFFSETS,
    **NUMBERS,
    **TEXTS,
    **CHARACTERS,
    **CHECKS,
    **FORMATS,
    **NAMES,
    **VARIANTS,
    **JSON,
}
"""Functions to their forms."""

METADATA: Final = frozenset({
    "OBJECT_ID", "OBJECT_NAME", "OBJECT_SCHEMA_NAME", "OBJECT_DEFINITION", "OBJECTPROPERTY", "OBJECTPROPERTYEX", "DB_ID", "DB_NAME", "SCHEMA_ID", "SCHEMA_NAME",
    "TYPE_ID", "TYPE_NAME", "TYPEPROPERTY", "COL_LENGTH", "COL_NAME", "COLUMNPROPERTY", "INDEX_COL", "INDEXPROPERTY", "INDEXKEY_PROPERTY", "DATABASEPROPERTYEX",
    "USER_NAME", "SUSER_NAME", "SUSER_SNAME", "SUSER_ID", "SUSER_SID", "IS_MEMBER", "IS_ROLEMEMBER", "IS_SRVROLEMEMBER", "HAS_DBACCESS", "HAS_PERMS_BY_NAME", "CERT_ID", "KEY_ID", "KEY_GUID",
})  # fmt: skip
"""Functions of what the catalog says, which is the same while a query runs: it asks for each value once."""

_BY_DATEFIRST: Final = frozenset({"week", "weekday"})
_DATEFIRST: Final = ast.GlobalVariable("@@the first day of a week")
"""Stands for SET DATEFIRST: GROUP BY and the select list agree when they share one parameter."""


def native_call(name: str, node: ast.FunctionCall, cx: Context) -> Typed | None:
    """The call of a function that has native forms for some types, or none and needs no scalar compiler; None for every
    other. Raises what its registry entry says: 174, 189, 155, 9810, 8116."""
    rows, spec = NATIVE.get(name, ()), lookup(name)
    if spec is None or not (rows or _is_plain(spec, node)):
        return None
    json_run = spec.with_json if len(node.arguments) - 1 in with_json(node).json_arguments else None
    check_count(spec, len(node.arguments))
    given = list(node.arguments)
    part = date_part(given.pop(0), spec) if spec.takes_part is not None else None
    values = []
    for argument in given:
        if not isinstance(argument, ast.Expression):
            raise sql_error(102, "=")
        values.append(_word(argument) if isinstance(argument, ast.Word) else cx.expression(argument))
    values = labelled_operands(name, values, node.span)
    bound = bind(spec, [value.type for value in values], part)
    last = given[-1] if given else None
    if name in LAST_DECIDES_TYPE and isinstance(last, ast.Expression) and is_text_constant(last):
        size = compile_scalar(last, cx.statement.scope).value
        bound = msgspec.structs.replace(bound, type=sized(name, bound.type, size)) if isinstance(size, int) else bound
    operands = [convert(value, goal, cx) for value, goal in zip(values, bound.parameters, strict=True)]
    if name == "SQL_VARIANT_PROPERTY" and (base := base_of_other(values[0], _literal(operands[1]))) is not None:
        return Typed(base, bound.type, True, stands_once=values[0].stands_once)
    what = Call(
        bound.parameters,
        tuple(_literal(v) for v in operands),
        bound.type,
        part or "",
        cx.session.options.dates,
        _datefirst(part, cx),
        json_run is not None,
        tuple(operand.bounds for operand in operands),
        tuple(_longest(value, operand) for value, operand in zip(values, operands, strict=True)),
    )
    if json_run is not None:
        bound = msgspec.structs.replace(bound, run=json_run)

    def by_rows(given: Sequence[Typed] = operands) -> str:
        which = (name, part, json_run is not None, *_session(spec, cx))
        is_new = name in RANDOM
        python, is_same = _python(spec, bound, cx), spec.name in METADATA
        is_pure = not is_new and (spec.needs_options or not spec.needs_frame)
        how = {"is_volatile": is_new, "is_remembered": is_same, "is_pure": is_pure}
        text = call("function", which, python, given, bound.type, cx, **how)
        return unless_null(text, given) if form is None and spec.null_on_null else text

    form = find_form(rows, what)
    sql, stands_once = guarded(form, operands, by_rows, by_rows)
    ordered, distinct = ("", "") if form is None else (form.ordered(sql), form.distinct(sql))
    is_trimmed = name == "RTRIM" and len(operands) == 1 and operands[0].constant is None and operands[0].is_text
    plainer = Plainer(sql, operands[0], False) if is_trimmed else None
    signs = Signs(sql, form.signs) if form is not None and form.signs else None
    found = Typed(
        sql, bound.type, True, stands_once=stands_once, ordered=ordered, distinct=distinct, plainer=plainer, signs=signs
    )
    found = bounded(_with_nulls(name, found, operands, form is not None), _bounds(name, part, operands))
    return labelled_call(name, values, found, node.span)


_PARTS: Final = {
    "year": (1, 9999),
    "month": (1, 12),
    "day": (1, 31),
    "hour": (0, 23),
    "minute": (0, 59),
    "second": (0, 59),
}


def _bounds(name: str, part: str | None, operands: Sequence[Typed]) -> tuple[int, int] | None:
    """Between which whole numbers a call is, if that is known."""
    if name in ("CHARINDEX", "PATINDEX"):
        length = _most(operands[1])
        return (0, length) if length > 0 else None
    return _PARTS.get(part or "" if name == "DATEPART" else name.lower())


def _with_nulls(name: str, found: Typed, operands: Sequence[Typed], has_form: bool) -> Typed:
    """What is known of where a call is NULL."""
    if name in _NEVER_NULL:
        return msgspec.structs.replace(found, nulls=Nulls(found.sql, ()))
    is_strict = name in _STRICT or has_form and name == "FORMAT"
    if name == "QUOTENAME" and len(operands) == 1:
        is_strict = operands[0].is_text and 0 < _most(operands[0]) <= _LONGEST_NAME
    return strictly(found, operands) if is_strict else found


def _most(text: Typed) -> int:
    """Characters; 0 where there may be any number."""
    return text.type.length if isinstance(text.type.length, int) else 0


def _longest(value: Typed, operand: Typed) -> int | None:
    """Characters of the longest text that an operand may be, which the value has become; None where it may be any."""
    digits = _DIGITS.get(value.type.name)
    length = operand.type.length
    return digits if digits is not None else length if operand.is_text and length != MAX else None


_DIGITS: Final = {"bit": 1, "tinyint": 3, "smallint": 6, "int": 11, "bigint": 20, "uniqueidentifier": 36}
"""Of whole numbers as text, with a sign, and of GUIDs."""
_LONGEST_NAME: Final = 128
_NEVER_NULL: Final = frozenset({"CONCAT", "CONCAT_WS", "ISNUMERIC"})
_STRICT: Final = frozenset({
    "ABS", "CEILING", "CHARINDEX", "DATALENGTH", "DATEADD", "DATEDIFF", "DATEDIFF_BIG", "DATEFROMPARTS", "DATENAME", "DATEPART", "DATETIMEFROMPARTS", "DATETRUNC", "DAY", "EXP",
    "FLOOR", "LEFT", "LOG", "LTRIM", "MONTH", "PATINDEX", "POWER", "REPLACE", "REVERSE", "RIGHT", "ROUND", "RTRIM", "SIGN", "SQRT", "SQUARE", "SUBSTRING",
    "SWITCHOFFSET", "TODATETIMEOFFSET", "TRANSLATE", "TRIM", "YEAR",
})  # fmt: skip
"""Functions that are NULL for a NULL among their arguments, and for nothing else."""


def _is_plain(spec: FunctionSpec, node: ast.FunctionCall) -> bool:
    """Whether a call of Python's function with the arguments is all that there is to it."""
    return (
        spec.kind == SCALAR
        and spec.make is not None
        and spec.duckdb is None
        and spec.takes_part is None
        and spec.with_json is None
        and node.over is None
        and bool(node.arguments)
        and all(isinstance(argument, ast.Expression) for argument in node.arguments)
        and FORMS.find(spec.name) is None
        and spec.name not in SYSTEM_FUNCTIONS
        and spec.name not in LAST_DECIDES_TYPE
    )


def _word(node: ast.Word) -> Typed:
    """The type that ISJSON asks for."""
    return literal_value(node.name.value, varchar(len(node.name.value)))


def _literal(value: Typed) -> Any:
    return value.constant.run(None) if value.is_literal and value.constant is not None else UNKNOWN


def _datefirst(part: str | None, cx: Context) -> str:
    """The parameter of SET DATEFIRST, where the part depends on it."""
    if part not in _BY_DATEFIRST:
        return ""
    return cx.statement.parameter(lambda frame: frame.session.options.datefirst, INT, _DATEFIRST)


def _session(spec: FunctionSpec, cx: Context) -> tuple[Any, ...]:
    """What of the session a function depends on that looks at it."""
    options = cx.session.options
    return (options.dates, options.datefirst, options.deviations) if spec.needs_frame else ()


def _python(spec: FunctionSpec, bound: BoundFunction, cx: Context) -> Any:
    if spec.needs_options:
        options = cx.session.options  # each function is for these alone, see `_session`
        seen = SimpleNamespace(dates=options.dates, datefirst=options.datefirst)
        return functools.partial(bound.run, SimpleNamespace(session=SimpleNamespace(options=seen)))
    return with_frame(bound.run, len(bound.parameters)) if spec.needs_frame else bound.run
