"""The xml methods: value(), query(), exist(), nodes() and modify(), pure (text in, value out) and compiled for
expressions.

The pure functions serve queries too. It decides singletons (2389), types of results, and that NULL gives NULL. How an
expression is run is xquery's, what modify() does xml_changes'.
"""

from __future__ import annotations

import datetime as dt
import functools
from collections.abc import Callable, Sequence
from typing import Any

from sbql.engine.documents.xml_nodes import COLUMN, node_references
from sbql.engine.documents.xquery.programs import (
    compile_xquery,
    evaluate,
    is_node,
    item_text,
    items_as_xml,
    leads_anywhere,
    number_text,
    plain_nodes,
    plain_text,
    plain_value,
)
from sbql.engine.scalars.expressions import compile_scalar, compiles
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.grammar.ast import Expression, MethodCall, StringLiteral
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.parser import parse_data_type
from sbql.grammar.types import BIT, NVARCHAR_MAX, VARBINARY_MAX, XML, SqlType, nvarchar
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.date_text import parse_date_text
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.ticks import fraction_of

__all__ = [
    "columns_named",
    "compile_modify",
    "is_schema_bound",
    "item_maker",
    "nodes_function",
    "value_function",
    "variables_named",
    "xml_exist",
    "xml_query",
    "xml_value",
]

Namespaces = tuple[tuple[str, str], ...]
"""Prefix ('' for the default element namespace) and URI pairs, as WITH XMLNAMESPACES declares them."""


# --- pure --------------------------------------------------------------------------------------------------


def variables_named(text: str, namespaces: Namespaces, method: str, *, is_lenient: bool) -> tuple[str, ...]:
    """The names in sql:variable() and sql:column() of an XQuery, with the at sign, in order. Raises its SqlErrors."""
    return compile_xquery(text, namespaces, method, is_lenient=is_lenient).variables


def xml_value(
    text: str | None, path: str, target: SqlType, namespaces: Namespaces = (), values: tuple[Any, ...] = ()
) -> Any:
    """`.value(path, type)`: NULL for an empty result. `values` are those of sql:variable(), in order of appearance."""
    return value_function(path, target, namespaces)(text, values)


def value_function(
    path: str, target: SqlType, namespaces: Namespaces = (), *, is_typed: bool = False
) -> Callable[[str | None, tuple[Any, ...]], Any]:
    """`.value()` with everything prepared. Raises 2389 for a path that may give several nodes, of typed xml when it
    does."""
    compiled = compile_xquery(path, namespaces, "value()", is_lenient=is_typed)
    if compiled.piece.is_made:
        raise sql_error(2373, "value()", "value()").within(path)
    if compiled.piece.many and not is_typed:
        raise sql_error(2389, "value()", "value()", compiled.piece.type_name).within(path)
    source = NVARCHAR_MAX if kind(target) in ("string", "xml") else nvarchar(4000)  # as messages name it
    change = converter(source, target, None, True)
    fit = converter(VARBINARY_MAX, target, None, True) if kind(target) == "binary" else None
    is_exact = kind(target) not in ("string", "float")
    plain = compiled.plain if kind(target) != "binary" and not is_typed else None
    is_string = kind(target) == "string"

    def run(text: str | None, values: tuple[Any, ...] = ()) -> Any:
        if text is None:
            return None
        if plain is not None:
            found = plain_value(plain, text)
            if found is None:
                return None
            if not is_string:
                found = _lexical(found, target)
            return found if change is None else change(found)
        items = evaluate(compiled, text, values)
        if not items:
            return None
        if len(items) > 1:
            raise sql_error(2389, "value()", "value()", compiled.piece.type_name).within(path)
        if kind(target) == "binary":
            data = _bytes_of(items[0])
            return data if fit is None else fit(data)
        found = _lexical((number_text if is_exact else item_text)(items[0]), target)
        return found if change is None else change(found)

    return run


def _bytes_of(item: Any) -> bytes | None:
    """A binary value, or text that is one in base64; NULL for other text."""
    import base64
    import binascii

    if hasattr(item, "decode"):
        return bytes(item.decode())
    try:
        return base64.b64decode("".join(item_text(item).split()), validate=True)
    except (binascii.Error, ValueError):
        return None


def _lexical(text: str, target: SqlType) -> str:
    """XML's spellings where T-SQL's differ: a time zone on a type without one, blanks around numbers."""
    family = kind(target)
    if family == "string":
        return text
    stripped = text.strip()
    if family in ("datetime", "datetime2", "date", "time") and (
        stripped.endswith("Z") or stripped[-6:-5] in ("+", "-")
    ):
        return _in_utc(stripped)
    if family in ("int", "bit") and stripped.endswith(".0"):
        return stripped[:-2]
    return stripped


def _in_utc(text: str) -> str:
    """A moment with a time zone in UTC, without it; other text as it is."""
    parsed = parse_date_text(text) if "T" in text else None
    if parsed is None or parsed[1] is None:
        return text
    moment = parsed[0].replace(tzinfo=parsed[1]).astimezone(dt.UTC).replace(tzinfo=None)
    return moment.isoformat(timespec="auto" if fraction_of(moment) % 10_000 else "milliseconds")


def xml_query(
    text: str | None, path: str, namespaces: Namespaces = (), values: tuple[Any, ...] = (), *, is_typed: bool = False
) -> str | None:
    """`.query(path)`: xml; the empty value for an empty result. Raises 2396 for attributes alone."""
    compiled = compile_xquery(path, namespaces, "query()", is_lenient=is_typed)
    if compiled.piece.kind == "attribute":
        raise sql_error(2396, "query()").within(path)
    if text is None:
        return None
    if compiled.plain is not None and not is_typed:
        found = plain_text(compiled.plain, text)
        if found is not None:
            return found
    return items_as_xml(evaluate(compiled, text, values))


def xml_exist(
    text: str | None, path: str, namespaces: Namespaces = (), values: tuple[Any, ...] = (), *, is_typed: bool = False
) -> bool | None:
    """`.exist(path)`: whether the result has any item (also the item false)."""
    compiled = compile_xquery(path, namespaces, "exist()", is_lenient=is_typed)
    if text is None:
        return None
    if compiled.plain is not None and not is_typed:
        return leads_anywhere(compiled.plain, text)
    return bool(evaluate(compiled, text, values))


def nodes_function(path: str, namespaces: Namespaces = (), *, is_typed: bool = False) -> Callable[..., Sequence[str]]:
    """`.nodes(path)` with everything prepared: of a value, and the values of sql:variable(), a reference to each node,
    for the other methods while the query runs. NULL gives no row. Raises 2374."""
    compiled = compile_xquery(path, namespaces, "nodes()", is_lenient=is_typed)
    if compiled.piece.is_made:
        raise sql_error(2373, "nodes()", "nodes()").within(path)
    if not compiled.piece.is_nodes and compiled.piece.kind not in ("item", "empty"):
        raise sql_error(2374, "nodes()", "nodes()").within(path)
    plain = compiled.plain if compiled.plain is not None and compiled.plain.ends_with_element and not is_typed else None

    def find(text: str | None, values: tuple[Any, ...] = ()) -> Sequence[str]:
        if text is None:
            return []
        found = None if plain is None else plain_nodes(plain, text)
        if found is not None:
            return found
        items = evaluate(compiled, text, values)
        if not all(map(is_node, items)):
            raise sql_error(2374, "nodes()", "nodes()").within(path)
        return node_references(items)

    return find


# --- compiled ----------------------------------------------------------------------------------------------


def parse_type(text: str, scope: Scope) -> SqlType:
    """The SQL type named by the second argument of value(). Raises 9500 for what is none or not allowed there."""
    try:
        found = scope.resolve_type(parse_data_type(text))
    except SqlError as error:
        raise sql_error(9500, text).within(text) from error
    if found.name in ("xml", "image", "text", "ntext", "sql_variant", "rowversion"):
        raise sql_error(9500, text).within(text)
    return found


def _literal(node: Expression, position: int, method: str) -> str:
    if not isinstance(node, StringLiteral):
        raise sql_error(8172, position, method)
    return node.value


def _nothing(frame: Frame, row: Sequence[Any] = ()) -> tuple[Any, ...]:
    return ()


Readers = Callable[[Frame, Sequence[Any]], tuple[Any, ...]]


def _variables(
    names: Sequence[str],
    scope: Scope,
    method: str,
    may_be_xml: frozenset[int] = frozenset(),
    columns: dict[str, SqlType] | None = None,
    text: str = "",
) -> Readers:
    """Reads the T-SQL variables that the expression `text` names, and the columns that have the names of `columns` (in
    that order). Raises 9335 for a column where there are no rows, 9342 for one of type xml, 9344, 9501."""
    readers: list[tuple[bool, int, Callable[[Any], Any]]] = []
    known = columns or {}
    for number, name in enumerate(names):
        is_column = name in known
        found = scope.find(name)
        if not is_column and (found is None or found.type is None):
            error = sql_error(9335, method, "sql:column()") if name.startswith(COLUMN) else sql_error(9501, name)
            raise error.within(text, max(text.find(name.removeprefix(COLUMN)), 0))
        place, sql_type = (list(known).index(name), known[name]) if is_column else scope.lookup(name)
        family = kind(sql_type)
        if family == "xml" and number not in may_be_xml:
            raise sql_error(9342, method)
        if sql_type.name in ("rowversion", "timestamp", "text", "ntext", "image"):
            raise sql_error(9344, method, sql_type.name)
        readers.append((is_column, place, xml_items if family == "xml" else item_maker(sql_type)))

    def read(frame: Frame, row: Sequence[Any] = ()) -> tuple[Any, ...]:
        given = ((row[place] if is_column else frame.variables[place], make) for is_column, place, make in readers)
        return tuple(None if value is None else make(value) for value, make in given)

    return read if readers else _nothing


def xml_items(value: str) -> list[Any]:
    """An xml value as the nodes that insert puts in."""
    from sbql.engine.documents.xquery.programs import new_document

    return list(new_document(value)[0].children)


def item_maker(sql_type: SqlType) -> Callable[[Any], Any]:
    """T-SQL values of a type as XQuery takes them: numbers, booleans, strings and dates as such, the rest as text."""
    family = kind(sql_type)
    if family == "variant":
        return lambda value: item_maker(value.type)(value.value)
    if family in ("date", "time", "datetime", "datetime2", "datetimeoffset"):
        return functools.partial(_date_item, "date" if family == "date" else "time" if family == "time" else "dateTime")
    if family in ("int", "bit", "decimal", "money", "float"):
        return lambda value: value
    if family == "binary":
        return _binary_item
    change = converter(sql_type, NVARCHAR_MAX, None, True)
    return str if change is None else change


def _binary_item(value: bytes) -> Any:
    import base64

    from elementpath.datatypes import Base64Binary

    return Base64Binary(base64.b64encode(value).decode("ascii"))


def _date_item(name: str, value: Any) -> Any:
    from elementpath.datatypes import Date10

    from sbql.engine.documents.xquery.moments import FineDateTime, FineTime

    return {"date": Date10, "time": FineTime, "dateTime": FineDateTime}[name].fromstring(value.isoformat())


@compiles(MethodCall)
def compile_method(node: MethodCall, scope: Scope) -> Scalar:
    """value(), query() and exist() in an expression. Raises 258, 8137, 8172, 9500, 174."""
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
    is_typed = is_schema_bound(target.type)
    compiled = compile_xquery(path, namespaces, f"{method}()", is_lenient=is_typed)
    read_variables = _variables(compiled.variables, scope, f"{method}()", text=path)
    read = target.run
    sql_type = BIT if method == "exist" else XML
    if method == "value":
        sql_type = parse_type(_literal(node.arguments[1], 2, method), scope)
    run = _over_document(method, path, sql_type, namespaces, is_typed=is_typed)
    if target.slot is not None and not compiled.variables:
        return Scalar(sql_type, lambda frame: run(read(frame)), of_one=run)
    return Scalar(sql_type, lambda frame: run(read(frame), values=read_variables(frame, ())))


def _over_document(
    method: str, path: str, sql_type: SqlType, namespaces: Namespaces, *, is_typed: bool
) -> Callable[..., Any]:
    """A method as a function of the document and `values`. Raises what is wrong with the path."""
    if method == "value":
        return value_function(path, sql_type, namespaces, is_typed=is_typed)
    run = xml_query if method == "query" else xml_exist
    run(None, path, namespaces, is_typed=is_typed)
    return functools.partial(run, path=path, namespaces=namespaces, is_typed=is_typed)


def is_schema_bound(sql_type: SqlType) -> bool:
    """Whether a schema says how many nodes there are, so that only the nodes that are found can be counted."""
    return sql_type.collection is not None and not sql_type.collection.startswith("$")


def compile_modify(
    node: MethodCall, scope: Scope, target: SqlType = XML, columns: dict[str, SqlType] | None = None
) -> Callable[[Frame, str | None, Sequence[Any]], str | None]:
    """`.modify('…')`: a closure from frame, old value and the values of `columns` to the new value. Raises 5302 on
    NULL."""
    from sbql.engine.documents.xml_changes import apply_change, compile_change

    change = compile_change(modify_text(node), tuple(scope.namespaces.items()), is_typed=is_schema_bound(target))
    read_variables = _variables(change.variables, scope, "modify()", change.xml_sources, columns, modify_text(node))
    check = converter(XML, target)

    def run(frame: Frame, value: str | None, row: Sequence[Any] = ()) -> str | None:
        if value is None:
            raise sql_error(5302)
        changed = apply_change(change, value, read_variables(frame, row))
        return changed if check is None else check(changed)

    return run


def columns_named(node: MethodCall, scope: Scope, target: SqlType = XML) -> dict[str, str]:
    """The columns that the statement of a modify() names by sql:column(), by their names among its variables."""
    from sbql.engine.documents.xml_changes import compile_change

    change = compile_change(modify_text(node), tuple(scope.namespaces.items()), is_typed=is_schema_bound(target))
    return {name: name.removeprefix(COLUMN) for name in change.variables if name.startswith(COLUMN)}


def modify_text(node: MethodCall) -> str:
    """The statement of a call of modify(). Raises 174, 8172."""
    if len(node.arguments) != 1:
        raise sql_error(174, "modify", 1)
    return _literal(node.arguments[0], 1, "modify")
