"""PARSE and TRY_PARSE in SQL: natively what is written in digits, in the order and with the signs of the culture.

Decides what that is: a number with the culture's point and groups, and the digits of a date. Names, currencies, signs
behind a number and what a variable names as the culture are Python's.
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import duck_type
from sbql.engine.functions.cultures import Culture, culture
from sbql.engine.native.conversions import conversion_form
from sbql.engine.native.forms import Form, guarded
from sbql.engine.native.text_dates import date_from_text
from sbql.engine.query.context import EXPRESSIONS, Context, registers
from sbql.engine.query.conversions import convert
from sbql.engine.query.row_functions import row_function
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.types import NVARCHAR_MAX, SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import DateFormat

__all__: list[str] = []


@registers(EXPRESSIONS, ast.ParseExpression)
def parse(node: ast.Expression, cx: Context) -> Typed:
    """Also of what stands for PARSE where each expression is computed row by row: that is any."""
    if not isinstance(node, ast.ParseExpression) or cx.session.options.deviations or not _is_known(node.culture):
        return row_function(node, cx)
    value = cx.expression(node.operand)
    if not value.is_text or value.type.name in ("text", "ntext") or value.stands_once:
        return row_function(node, cx, value)
    other = row_function(node, cx, value)
    form = _form(other.type, _culture(node.culture, cx))
    if form is None:
        return other
    sql, stands_once = guarded(form, [convert(value, NVARCHAR_MAX, cx)], lambda: other.sql)
    return Typed(sql, other.type, True, stands_once=stands_once)


def _is_known(node: ast.Expression | None) -> bool:
    """Whether a culture is one: none is that of the session."""
    if node is None:
        return True
    if not isinstance(node, ast.StringLiteral):
        return False
    try:
        culture(node.value)
    except SqlError:
        return False
    return True


def _culture(node: ast.Expression | None, cx: Context) -> Culture:
    """One that is known."""
    return culture(node.value if isinstance(node, ast.StringLiteral) else cx.session.options.dates.language.culture)


def _form(target: SqlType, known: Culture) -> Form | None:
    """That of a conversion of the text, in the order of the culture; a number without its groups, and with a point."""
    family = kind(target)
    if target.name in ("date", "datetime", "datetime2"):
        return date_from_text("{0}", target, None, DateFormat(known.order), is_parsed=True)
    if family == "int":
        return conversion_form(NVARCHAR_MAX, target, None, DateFormat())
    if family not in ("decimal", "money", "float") or known.point not in _SIGNS:
        return None
    plain = conversion_form(NVARCHAR_MAX, target, None, DateFormat())
    if plain is None or family == "float" and known.point == ".":
        return plain
    group = known.group if known.group in _SIGNS and family != "float" else ""
    number = "w" if known.point == "." else f"replace(w, '{known.point}', '.')"
    if group:
        number = number.replace("w", f"replace(w, '{group}', '')", 1)
    shape = f"-?[0-9][0-9{group}]*([{known.point}][0-9]+)?"
    read = f"CASE WHEN {plain.when} THEN {plain.quick} END" if plain.when else plain.or_null
    inner = f"invoke(lambda n: {read.replace('{0}', 'n')}, {number})"
    if family == "decimal":  # of digits and a point DuckDB makes what Python does
        inner = f"TRY_CAST({number} AS {duck_type(target)})"
    found = f"CASE WHEN regexp_full_match(w, '{shape}') THEN {inner} END"
    if group and known.point == ".":  # without groups it is as T-SQL writes it, which looks at it, too
        found = f"CASE WHEN contains(w, '{group}') THEN {found} ELSE {read.replace('{0}', 'w')} END"
    return Form(f"invoke(lambda w: {found}, {{0}})", misses=True)


_SIGNS: Final = (".", ",")
"""Points and signs between groups that are one character to everybody."""
