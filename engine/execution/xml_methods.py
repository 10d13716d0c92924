"""The xml methods: value(), query(), exist(), nodes() and modify(), pure (text in, value out) and compiled for expressions.

The pure functions serve queries too. It decides singletons (2389), types of results, and that NULL gives NULL. How an
expression is run is xquery's, what modify() does xml_changes'.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.execution.scalar import Scalar
from sbql.engine.execution.scope import Frame, Scope
from sbql.engine.execution.xquery import (
    NODE_MARK,
    Compiled,
    compile_xquery,
    evaluate,
    is_surely_plural,
    item_text,
    items_as_xml,
)
from sbql.grammar.ast import Expression, MethodCall, StringLiteral
from sbql.grammar.errors import sql_error
from sbql.grammar.types import BIT, NVARCHAR_MAX, XML, SqlType
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import kind

__all__ = [
    "Namespaces", "compile_method", "compile_modify", "parse_type", "xml_exist", "xml_modify", "xml_nodes", "xml_query", "xml_value",
]

Namespaces = tuple[tuple[str, str], ...]
"""Prefix ('' for the default element namespace) and URI pairs, as WITH XMLNAMESPACES declares them."""


# --- pure --------------------------------------------------------------------------------------------------


def xml_value(text: str | None, path: str, target: SqlType, namespaces: Namespaces = (), values: tuple[Any, ...] = ()) -> Any:
    """`.value(path, type)`: NULL for an empty result. `values` are those of sql:variable(), in order of appearance."""
    return value_function(path, target, namespaces)(text, values)


def value_function(path: str, target: SqlType, namespaces: Namespaces = ()) -> Callable[[str | None, tuple[Any, ...]], Any]:
    """`.value()` with everything prepared. Raises 2389 for a path that may give several nodes."""
    compiled = compile_xquery(path, namespaces, "value()")
    if is_surely_plural(compiled.text):
        raise sql_error(2389, "value()", "value()", "xdt:untypedAtomic *")
    change = converter(NVARCHAR_MAX, target, None, True)

    def run(text: str | None, values: tuple[Any, ...] = ()) -> Any:
        if text is None:
            return None
        items = evaluate(compiled, text, values)
        if not items:
            return None
        if len(items) > 1:
            raise sql_error(2389, "value()", "value()", "xdt:untypedAtomic *")
        found = _lexical(item_text(items[0]), target)
        return found if change is None else change(found)

    return run


def _lexical(text: str, target: SqlType) -> str:
    """XML's spellings where T-SQL's differ: a time zone on a type without one, blanks around numbers."""
    family = kind(target)
    if family == "string":
        return text
    stripped = text.strip()
    if family in ("datetime", "datetime2", "date", "time") and (stripped.endswith("Z") or stripped[-6:-5] in ("+", "-")):
        return _in_utc(stripped)
    if family in ("int", "bit") and stripped.endswith(".0"):
        return stripped[:-2]
    return stripped


def _in_utc(text: str) -> str:
    import datetime as dt

    try:
        moment = dt.datetime.fromisoformat(text)
    except ValueError:
        return text
    if moment.tzinfo is None:
        return text
    plain = moment.astimezone(dt.UTC).replace(tzinfo=None)
    shown = plain.isoformat(timespec="milliseconds") if plain.microsecond % 1000 == 0 else plain.isoformat()
    return shown


def xml_query(text: str | None, path: str, namespaces: Namespaces = (), values: tuple[Any, ...] = ()) -> str | None:
    """`.query(path)`: xml; the empty value for an empty result."""
    if text is None:
        return None
    return items_as_xml(evaluate(compile_xquery(path, namespaces, "query()"), text, values))


def xml_exist(text: str | None, path: str, namespaces: Namespaces = (), values: tuple[Any, ...] = ()) -> bool | None:
    """`.exist(path)`: whether the result has any item (also the item false)."""
    if text is None:
        return None
    return bool(evaluate(compile_xquery(path, namespaces, "exist()"), text, values))


def xml_nodes(text: str | None, path: str, namespaces: Namespaces = (), values: tuple[Any, ...] = ()) -> list[str]:
    """`.nodes(path)`: one value a node, for the other methods only. Each is the node's text after NODE_MARK; its ancestors
    cannot be reached from it. NULL gives no row. Raises 493-free text only: attributes are refused (2396)."""
    if text is None:
        return []
    items = evaluate(compile_xquery(path, namespaces, "nodes()"), text, values)
    return [NODE_MARK + items_as_xml([item]) for item in items]


def xml_modify(text: str | None, statement: str, namespaces: Namespaces = (), values: tuple[Any, ...] = ()) -> str | None:
    """`.modify(statement)`: the changed value. Raises 5302 on NULL."""
    from sbql.engine.execution.xml_changes import apply_change

    if text is None:
        raise sql_error(5302)
    return apply_change(text, statement, namespaces, values)


# --- compiled ----------------------------------------------------------------------------------------------


def parse_type(text: str, scope: Scope) -> SqlType:
    """The SQL type named by the second argument of value(). Raises 9500 for what is none or not allowed there."""
    from sbql.grammar.parser import parse_batch

    try:
        statement: Any = parse_batch(f"DECLARE @v {text}").statements[0]
        found = scope.resolve_type(statement.declarations[0].type)
    except Exception as error:
        raise sql_error(9500, text) from error
    if found.name in ("xml", "image", "text", "ntext", "sql_variant", "rowversion"):
        raise sql_error(9500, text)
    return found


def _literal(node: Expression, position: int, method: str) -> str:
    if not isinstance(node, StringLiteral):
        raise sql_error(8172, position, method)
    return node.value


def _variables(compiled: Compiled, scope: Scope) -> Callable[[Frame], tuple[Any, ...]]:
    """Reads the T-SQL variables that an expression names."""
    slots = []
    for name in compiled.variables:
        slot, sql_type = scope.lookup(name)
        if kind(sql_type) == "xml":
            raise sql_error(9344, "xml")
        slots.append(slot)
    if not slots:
        return lambda frame: ()
    return lambda frame: tuple(_as_item(frame.variables[s]) for s in slots)


def _as_item(value: Any) -> Any:
    """A T-SQL value as XPath takes it: numbers, booleans and strings as such, the rest as text."""
    import datetime as dt
    import uuid

    if isinstance(value, uuid.UUID):
        return str(value).upper()
    if isinstance(value, dt.date | dt.time):
        return value.isoformat()
    return value


def compile_method(node: MethodCall, scope: Scope) -> Scalar:
    """value(), query() and exist() in an expression. Raises 258, 8137, 8172, 9500, 174."""
    from sbql.engine.execution.expressions import compile_scalar

    target = compile_scalar(node.target, scope)
    if kind(target.type) != "xml":
        raise sql_error(258, str(target.type))
    method = node.method
    if method == "modify":
        raise sql_error(8137, method)
    if method == "nodes":
        raise sql_error(493, method)
    expected = 2 if method == "value" else 1
    if len(node.arguments) != expected:
        raise sql_error(174, method, expected)
    path, namespaces = _literal(node.arguments[0], 1, method), tuple(scope.namespaces.items())
    read_variables = _variables(compile_xquery(path, namespaces, f"{method}()"), scope)
    read = target.run
    if method == "value":
        sql_type = parse_type(_literal(node.arguments[1], 2, method), scope)
        run = value_function(path, sql_type, namespaces)
        return Scalar(sql_type, lambda frame: run(read(frame), read_variables(frame)))
    if method == "query":
        return Scalar(XML, lambda frame: xml_query(read(frame), path, namespaces, read_variables(frame)))
    return Scalar(BIT, lambda frame: xml_exist(read(frame), path, namespaces, read_variables(frame)))


def compile_modify(node: MethodCall, scope: Scope) -> Callable[[Frame, str | None], str | None]:
    """`.modify('…')`: a closure from frame and old value to the new value."""
    from sbql.engine.execution.xml_changes import change_variables

    if len(node.arguments) != 1:
        raise sql_error(174, "modify", 1)
    statement, namespaces = _literal(node.arguments[0], 1, "modify"), tuple(scope.namespaces.items())
    names = change_variables(statement)
    slots = [scope.lookup(name, node.span)[0] for name in names]

    def run(frame: Frame, value: str | None) -> str | None:
        return xml_modify(value, statement, namespaces, tuple(_as_item(frame.variables[s]) for s in slots))

    return run
