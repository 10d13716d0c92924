"""The language's own table functions, STRING_SPLIT and GENERATE_SERIES: whole in DuckDB where it
does the same, else a list of ours.

Decides when that is: for numbers that are whole, with a step that is known; for text in which the separator is equal to
itself alone. It must not know who reads the rows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

from sbql.catalog.duck_types import decoder, duck_type, encoder
from sbql.engine.query.context import LIST_FUNCTIONS, Context, is_constant
from sbql.engine.query.conversions import convert
from sbql.engine.query.registered import call_text, packed, running_frame, whole_type
from sbql.engine.query.unnesting import Rows, expose, exposed_name, named_columns_of, of_list, place, unnested, zipped
from sbql.engine.tables.comparison_keys import is_plain, meeting_collation
from sbql.engine.tables.typed_sql import Typed, text_literal
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk
from sbql.grammar.types import BIGINT, SqlType, nvarchar
from sbql.grammar.values.checkpoints import checked
from sbql.grammar.values.collation import Rule, rule_of
from sbql.grammar.values.kinds import is_national, kind, spelled
from sbql.grammar.values.memory import reserve_room
from sbql.grammar.values.text_search import found_places
from sbql.grammar.values.utf16 import expanded

__all__ = ["LISTS", "listed_numbers", "listed_parts"]

_ROW_OF_LIST = 150
"""Bytes of a row while it is one of a list for DuckDB."""


def _string_split(node: ast.FunctionTable, cx: Context) -> str:
    """STRING_SPLIT(text, separator [, ordinal])."""
    if not 2 <= len(node.arguments) <= 3:
        raise sql_error(189, "string_split", 2, 3, span=node.span)
    inner = place(cx)
    values = [inner.expression(a) for a in node.arguments]
    text, separator = values[0], values[1]
    if text.is_bare_null:
        text = convert(text, nvarchar(4000), inner)
    if not text.is_text or text.type.name in ("text", "ntext"):
        raise sql_error(8116, spelled(text.type), 1, "string_split", span=node.span)
    if not separator.is_text and not separator.is_bare_null:
        raise sql_error(214, "separator", "nchar(1)/nvarchar(1)", state=11, span=node.span)
    with_ordinal = len(values) == 3 and _has_ordinal(node.arguments[2], values[2])
    rule = rule_of(meeting_collation(text, separator, "string_split", node.span), is_national(text.type))
    column = SqlType("nvarchar" if is_national(text.type) else "varchar", length=text.type.length or 8000)
    column = column.with_collation(text.type.collation)
    columns = [("value", column), ("ordinal", BIGINT)] if with_ordinal else [("value", column)]
    parts = _parts(node.arguments[1], text, separator, column, rule, cx)
    if cx.keeps_left:
        parts = f"coalesce({parts}, [NULL])"
    if with_ordinal:
        first = "CASE WHEN l = [NULL] THEN NULL ELSE 1 END" if cx.keeps_left else "1"
        parts = zipped(parts, ["l", f"range({first}, len(l) + 1)"])
    return of_list(parts, named_columns_of(columns, node), exposed_name(node), cx, node.span)


def _parts(node: ast.Expression, text: Typed, separator: Typed, column: SqlType, rule: Rule, cx: Context) -> str:
    """The list of the parts, NULL for NULL."""
    decode, mark_of, encode = decoder(text.type), decoder(separator.type), encoder(column)

    def split(stored: str | None, mark: str | None) -> list[str] | None:
        value = stored if decode is None or stored is None else decode(stored)
        parts = listed_parts(value, mark if mark_of is None or mark is None else mark_of(mark), rule)
        return parts if encode is None or parts is None else [encode(part) for part in checked(parts, 4096)]

    ducks = duck_type(text.type), duck_type(separator.type)
    what = (rule, [whole_type(t) for t in (text.type, separator.type, column)])
    name = f"sbql_split_{hashlib.blake2b(repr(what).encode(), digest_size=8).hexdigest()}"
    # Volatile, so that DuckDB joins the parts of each call in their order.
    known = packed(name, split, ducks, f"{duck_type(column)}[]", is_volatile=True)
    cx.statement.use_function(known)
    mark = node.value if isinstance(node, ast.StringLiteral) else ""
    if len(mark) != 1 or not mark.isascii() or mark.isalpha():
        return call_text(known, [text.sql, separator.sql])
    own = call_text(known, ["t", separator.sql])
    parts = f"CASE WHEN t IS NULL THEN NULL WHEN {is_plain('t', rule)} THEN string_split(t, {text_literal(mark)}) ELSE {own} END"
    return f"list_transform([{text.sql}], lambda t: {parts})[1]"


def listed_parts(text: str | None, separator: str | None, rule: Rule) -> list[str] | None:
    """The parts of a text, of which a pair may be cut into halves; None for NULL. Raises 214, 701."""
    if text is None:
        return None
    text, mark = expanded(text), expanded(separator or "")
    if len(mark) != 1:
        raise sql_error(214, "separator", "nchar(1)/nvarchar(1)", state=11)
    reserve_room(_ROW_OF_LIST * (text.lower().count(mark.lower()) + 1))
    parts, position = [], 0
    for begin, end in checked(found_places(text, mark, rule), 4096):
        parts.append(text[position:begin])
        position = end
    parts.append(text[position:])
    return parts


def _has_ordinal(node: ast.Expression, flag: Typed) -> bool:
    """The flag of the ordinal column: 0, 1 or NULL, known before the query runs. Raises 8116, 8748 and 4199."""
    if flag.is_bare_null:
        return False
    if flag.type.name not in ("int", "bit", "smallint", "tinyint", "bigint"):
        raise sql_error(8116, spelled(flag.type), 3, "string_split", span=node.span)
    if (
        not is_constant(node)
        or flag.constant is None
        or any(isinstance(n, ast.VariableReference) for n in walk(node, closed=ast.QueryExpression))
    ):
        raise sql_error(8748, span=node.span)
    given = flag.constant.run(running_frame())
    if given not in (None, 0, 1):
        raise sql_error(4199, given, 3, "string_split", span=node.span)
    return bool(given)


def _generate_series(node: ast.FunctionTable, cx: Context) -> str:
    """GENERATE_SERIES(start, stop [, step])."""
    if not 2 <= len(node.arguments) <= 3:
        raise sql_error(189, "generate_series", 2, 3, span=node.span)
    inner = place(cx)
    values = [inner.expression(a) for a in node.arguments]
    target = values[0].type
    if kind(target) not in ("int", "decimal"):
        raise sql_error(8116, spelled(target), 1, "generate_series", span=node.span)
    if any(value.type.name != target.name and not value.is_bare_null for value in values[1:]):
        raise sql_error(5373, span=node.span)
    arguments = [convert(value, target, inner) for value in values]
    columns = named_columns_of([("value", target)], node)
    bounds = arguments[:2]
    is_known = all(a.constant is not None and not a.stands_once for a in bounds)
    if kind(target) == "int" and is_known and not cx.is_lateral and (step := _step(values, bounds)) is not None:
        # DuckDB's own, which makes its numbers when they are asked for. Over columns their order would be another.
        series = ", ".join(f"CAST({a.sql} AS BIGINT)" for a in bounds)
        alias = cx.statement.alias()
        expose(exposed_name(node), columns, [f"{alias}.c1"], cx, node.span)
        return (
            f"(SELECT CAST(s AS {duck_type(target)}) AS c1 FROM generate_series({series}, {step}) AS g (s)) AS {alias}"
        )
    return unnested(
        ("series", len(values)), listed_numbers, arguments, columns, exposed_name(node), cx, node.span, is_pure=True
    )


def _step(values: list[Typed], bounds: list[Typed]) -> str | None:
    """The step, where it is known not to be 0."""
    if len(values) == 2:
        return f"CASE WHEN {bounds[0].sql} <= {bounds[1].sql} THEN 1 ELSE -1 END"
    step = values[2]
    given = step.constant.run(None) if step.is_literal and step.constant is not None else None
    return str(given) if given else None


def listed_numbers(start: Any, stop: Any, *steps: Any) -> Rows:
    """From one to the other. Raises 4199, 701."""
    if start is None or stop is None or steps == (None,):
        return []
    by = steps[0] if steps else (1 if start <= stop else -1)
    if by == 0:
        raise sql_error(4199, by, 3, "generate_series")
    span = stop - start if by > 0 else start - stop
    count = int(span // abs(by)) + 1 if span >= 0 else 0
    reserve_room(_ROW_OF_LIST * count)
    return [(start + i * by,) for i in checked(range(count), 4096)]


LISTS: dict[str, Callable[[ast.FunctionTable, Context], str]] = {
    "STRING_SPLIT": _string_split, "GENERATE_SERIES": _generate_series,
}  # fmt: skip
assert LISTS.keys() == LIST_FUNCTIONS
