"""Function calls in SQL: the ones that are conditions in disguise, aggregates and windows by their own modules, all
others.

Decides whether a call becomes an aggregate, a window function, a DuckDB expression (the registry's template or one
written here) or a row function. Names, arguments and types of built-in functions are the registry's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import msgspec

from sbql.engine.query.aggregates import aggregate
from sbql.engine.query.call_labels import labelled_call, labelled_operands
from sbql.engine.query.conditions import comparison
from sbql.engine.query.context import AGGREGATES, EXPRESSIONS, Context, registers
from sbql.engine.query.conversions import call, convert, unify
from sbql.engine.query.cut_off_dates import cut_by_difference
from sbql.engine.query.expressions import case_expression, stands_in_lambda
from sbql.engine.query.extremes import extreme
from sbql.engine.query.inlined_functions import inlined
from sbql.engine.query.json_constructors import json_constructor
from sbql.engine.query.native_calls import native_call
from sbql.engine.query.native_xml import xml_method
from sbql.engine.query.partition_numbers import names_partition_function
from sbql.engine.query.random_values import checksum_of_newid, newid, rand
from sbql.engine.query.row_functions import row_function
from sbql.engine.query.user_functions import find_function
from sbql.engine.query.windows import RANKING, window
from sbql.engine.scalars.function_registry import bind, check_count, is_system_function, lookup
from sbql.engine.tables.comparison_keys import PAIR, if_null, plain_text, without_blanks
from sbql.engine.tables.typed_sql import (
    LONG,
    Plainer,
    Typed,
    bounded,
    by_names,
    cast_text,
    null_of,
    over_names,
    strictly,
)
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIGINT, INT, MAX, SqlType
from sbql.grammar.values.collation import counts_characters
from sbql.grammar.values.kinds import is_national, is_utf8, is_wide, kind
from sbql.grammar.values.utf16 import utf16_length

__all__: list[str] = []


@registers(EXPRESSIONS, ast.FunctionCall)
def function_call(node: ast.FunctionCall, cx: Context) -> Typed:
    name = node.name.name.upper()
    if len(node.name.parts) > 1:
        if not is_system_function(node.name) and not names_partition_function(node.name):
            found = inlined(find_function(cx.session, node, len(node.arguments)), node, cx)
            if found is not None:
                return found
        return row_function(node, cx)
    if node.over is not None:
        return window(name, node, cx)
    if name in AGGREGATES:
        return aggregate(name, node, cx)
    if name in RANKING:
        raise sql_error(10753, name.lower(), span=node.span)
    special = _SPECIAL.get(name)
    if special is not None:
        return special(node, cx)
    if name == "DATEADD":
        cut = cut_by_difference(node, cx, lambda: native_call(name, node, cx))
        if cut is not None:
            return cut
    return native_call(name, node, cx) or _template(name, node, cx) or row_function(node, cx)


@registers(EXPRESSIONS, ast.MethodCall)
def method_call(node: ast.MethodCall, cx: Context) -> Typed:
    return xml_method(node, cx)


def _expressions(node: ast.FunctionCall, count: int | None = None) -> list[ast.Expression]:
    """The arguments. Raises 174 for another number of them."""
    name = node.name.name.lower()
    if count is not None and len(node.arguments) != count:
        raise sql_error(174, name, count, span=node.span)
    found = [a for a in node.arguments if isinstance(a, ast.Expression)]
    if len(found) != len(node.arguments):
        raise sql_error(156, name, span=node.span)
    return found


def _iif(node: ast.FunctionCall, cx: Context) -> Typed:
    if len(node.arguments) != 3 or not isinstance(node.arguments[0], ast.Condition):
        raise sql_error(174, "iif", 3, span=node.span)
    then, otherwise = node.arguments[1], node.arguments[2]
    assert isinstance(then, ast.Expression) and isinstance(otherwise, ast.Expression)
    return case_expression([cx.condition(node.arguments[0])], [then], otherwise, cx, node.span)


def _coalesce(node: ast.FunctionCall, cx: Context) -> Typed:
    if len(node.arguments) < 2:
        raise sql_error(174, "coalesce", 2, span=node.span)
    values = [cx.expression(a) for a in _expressions(node)]
    if all(value.is_bare_null for value in values):
        raise sql_error(4127, span=node.span)
    met = unify(values, node.span, "CASE")
    sql = _first_known([convert(value, met.type, cx) for value in values], node, cx)
    return msgspec.structs.replace(met, sql=sql, nullable=all(value.nullable for value in values))


def _first_known(values: Sequence[Typed], node: ast.FunctionCall, cx: Context) -> str:
    """The first value that is not NULL. What stands several times in a query DuckDB computes once ahead of it, for
    all rows, out of coalesce() too; but not out of a branch of CASE. So what may fail stands in one, if the first
    value can be asked for twice."""
    first, others = values[0], values[1:]
    plain = f"coalesce({', '.join(value.sql for value in values)})"
    if all(value.is_literal or "(" not in value.sql for value in others):
        return plain
    rest = others[0].sql if len(others) == 1 else f"coalesce({', '.join(value.sql for value in others)})"

    def write(named: Sequence[Typed]) -> str:
        return f"coalesce({named[0].sql}, CASE WHEN {named[0].sql} IS NULL THEN {rest} END)"

    if not (first.stands_once or len(first.sql) > LONG or " OVER (" in first.sql):
        return write([first])
    if stands_in_lambda(node.arguments[1:], cx):
        return by_names([first], write)
    return plain if first.stands_once or len(first.sql) > _LONGEST_TWICE else write([first])


_LONGEST_TWICE = 2000
"""Characters of a value that may stand twice where it can have no name."""


def _isnull(node: ast.FunctionCall, cx: Context) -> Typed:
    """ISNULL has the type of its first argument; the second is cut to fit."""
    first, second = (cx.expression(a) for a in _expressions(node, 2))
    if first.is_bare_null:
        return second if not second.is_bare_null else null_of(INT)
    other = convert(second, first.type, cx)
    return msgspec.structs.replace(
        first, sql=_first_known([first, other], node, cx), nullable=second.nullable and first.nullable, constant=None, origin=None,
        is_literal=False, stands_once=first.stands_once or second.stands_once,
    )  # fmt: skip


def _nullif(node: ast.FunctionCall, cx: Context) -> Typed:
    first, second = (cx.expression(a) for a in _expressions(node, 2))
    if first.is_bare_null:
        raise sql_error(4151, span=node.span)

    def write(pair: Sequence[Typed]) -> str:
        return f"CASE WHEN {comparison('=', pair[0], pair[1], cx, node.span)} THEN NULL ELSE {pair[0].sql} END"

    return msgspec.structs.replace(
        first, sql=over_names([first, second], write), nullable=True, constant=None, is_literal=False, origin=None,
        stands_once=first.stands_once or second.stands_once,
    )  # fmt: skip


def _choose(node: ast.FunctionCall, cx: Context) -> Typed:
    arguments = _expressions(node)
    if len(arguments) < 2:
        raise sql_error(189, "choose", 2, 255, span=node.span)
    index = convert(cx.expression(arguments[0]), INT, cx)
    tests = [f"({index.sql} = {i})" for i in range(1, len(arguments))]
    return case_expression(tests, arguments[1:], None, cx, node.span, "CHOOSE")


def _identity(node: ast.FunctionCall, cx: Context) -> Typed:
    raise sql_error(177, span=node.span)


def _len(node: ast.FunctionCall, cx: Context) -> Typed:
    argument = _expressions(node, 1)[0]
    value = labelled_operands("LEN", [cx.expression(argument)], node.span)[0]
    if kind(value.type) in _WRITTEN_BY_STYLE_0 and not value.is_bare_null:
        value = _as_text("LEN", value, cx)
    if not value.is_text or value.type.name in ("text", "ntext") or counts_characters(value.type.collation):
        return row_function(node, cx, value)
    result = BIGINT if value.type.length == MAX else INT
    sql = over_names([value], lambda named: _length(named[0], result, cx))
    length = value.type.length
    bounds = (0, length) if isinstance(length, int) and length > 0 and length != MAX else None
    return bounded(strictly(Typed(sql, result, value.nullable, stands_once=value.stands_once), [value]), bounds)


_WRITTEN_BY_STYLE_0 = frozenset({"int", "bit", "decimal", "money", "float", "guid"})
"""Kinds of values that are made text for a function, whose Python form takes none but text."""


def _as_text(name: str, value: Typed, cx: Context) -> Typed:
    """What a function takes for its first argument."""
    spec = lookup(name)
    assert spec is not None
    return convert(value, bind(spec, [value.type], None).parameters[0], cx)


def _length(value: Typed, result: SqlType, cx: Context) -> str:
    text = without_blanks(value.sql)
    length = cast_text(f"length({text})", result)
    if not is_national(value.type):
        return length
    # DuckDB counts a surrogate pair once, so text that has one is counted in UTF-16 units.
    units = call("utf16_length", "", _units, [value.with_sql(text)], result, cx, is_pure=True)
    is_pair = f"strlen({value.sql}) <> length({value.sql}) AND regexp_matches({value.sql}, '{PAIR}')"
    return f"CASE WHEN {is_pair} THEN {units} ELSE {length} END"


def _units(text: str | None) -> int | None:
    return None if text is None else utf16_length(text)


_WITHOUT_CAPITALS = "µÿ"
"""Letters of the code page whose capitals are in no code page, or not in each."""


def _case(function: str) -> Callable[[ast.FunctionCall, Context], Typed]:
    """UPPER and LOWER: DuckDB's for plain characters; its rules for other letters are not T-SQL's."""

    def translate(node: ast.FunctionCall, cx: Context) -> Typed:
        value = cx.expression(_expressions(node, 1)[0])
        if not value.is_text or value.type.name in ("text", "ntext"):
            return row_function(node, cx, value)

        def write(named: Sequence[Typed]) -> str:
            text, other = named[0].sql, row_function(node, cx, named[0]).sql
            if is_wide(value.type) and not is_utf8(value.type):  # its page may have one of two letters
                is_known = f"strlen({text}) = length({text})"
            else:
                is_known = plain_text(text, but="" if is_national(value.type) else _WITHOUT_CAPITALS)
            return f"CASE WHEN {is_known} THEN {function}({text}){if_null(value, text)} ELSE {other} END"

        name = {"char": "varchar", "nchar": "nvarchar"}.get(value.type.name, value.type.name)
        sql = over_names([value], write)
        # The capitals of some letters beyond the code page (ı, µ) are those of others, too.
        is_alike = function == "lower" or not (is_national(value.type) or is_wide(value.type))
        found = msgspec.structs.replace(
            value,
            sql=sql,
            type=replace(value.type, name=name),
            constant=None,
            is_literal=False,
            origin=None,
            plainer=Plainer(sql, value, True) if is_alike and value.constant is None else None,
        )
        return strictly(found, [value])

    return translate


def _checksum(node: ast.FunctionCall, cx: Context) -> Typed:
    """CHECKSUM(*) is over all columns of FROM; BINARY_CHECKSUM(*) leaves out those that cannot be compared."""
    is_binary = node.name.name.upper() == "BINARY_CHECKSUM"
    if node.star:
        columns = cx.level.star(None, node.span)
        if is_binary:
            columns = [(r, c) for r, c in columns if c.type.name not in ("xml", "text", "ntext", "image")]
        arguments = tuple(
            ast.ColumnReference((ast.Identifier(r.alias, True), ast.Identifier(c.name, True)), span=node.span)
            for r, c in columns
        )
        node = replace(node, arguments=arguments, star=False)
    found = _of_newid(node, cx) if len(node.arguments) == 1 else None
    found = found or (native_call(node.name.name.upper(), node, cx) if node.arguments else None)
    return msgspec.structs.replace(found, nullable=False) if found is not None else row_function(node, cx)


def _of_newid(node: ast.FunctionCall, cx: Context) -> Typed | None:
    (argument,) = node.arguments
    if not isinstance(argument, ast.FunctionCall) or argument.name.schema or argument.name.name.upper() != "NEWID":
        return None
    return checksum_of_newid(argument, cx) if node.over is None else None


_SPECIAL: dict[str, Callable[[ast.FunctionCall, Context], Typed]] = {
    "IIF": _iif, "COALESCE": _coalesce, "ISNULL": _isnull, "NULLIF": _nullif, "CHOOSE": _choose, "NEWID": newid, "RAND": rand, "IDENTITY": _identity, "GREATEST": extreme, "LEAST": extreme,
    "CHECKSUM": _checksum, "BINARY_CHECKSUM": _checksum, "LEN": _len, "JSON_ARRAY": json_constructor, "JSON_OBJECT": json_constructor, "UPPER": _case("upper"), "LOWER": _case("lower")
}  # fmt: skip


def _template(name: str, node: ast.FunctionCall, cx: Context) -> Typed | None:
    """The DuckDB twin of a built-in function, if its registry entry has an exact one."""
    spec = lookup(name)
    if spec is None or spec.duckdb is None or spec.takes_part:
        return None  # the scalar compiler knows it, or raises 195
    check_count(spec, len(node.arguments))
    values = labelled_operands(name, [cx.expression(a) for a in _expressions(node)], node.span)
    bound = bind(spec, [value.type for value in values])
    converted = [convert(value, goal, cx) for value, goal in zip(values, bound.parameters, strict=True)]
    found = Typed(spec.duckdb.format(*(value.sql for value in converted)), bound.type, True)
    return labelled_call(name, values, found, node.span)
