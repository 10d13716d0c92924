"""PARSE and TRY_PARSE in SQL: natively what every culture reads alike.

Decides what that is: digits alone as a whole number, and the digits of a date from year to day. All else a culture decides, in Python.
"""

from __future__ import annotations

from sbql.engine.functions.cultures import culture
from sbql.engine.query.context import EXPRESSIONS, Context, registers
from sbql.engine.query.conversions import convert
from sbql.engine.query.native import Form, guarded
from sbql.engine.query.native_conversions import conversion_form
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
    form = _form(other.type)
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


def _form(target: SqlType) -> Form | None:
    """That of a conversion of the text."""
    if kind(target) == "int" or target.name in ("date", "datetime2"):
        return conversion_form(NVARCHAR_MAX, target, None, DateFormat())
    return None
