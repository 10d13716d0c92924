"""Builders of ODBC escapes: `{d '…'}`, `{t '…'}`, `{ts '…'}`, `{guid '…'}` and `{fn …}`.

Each becomes the T-SQL that it means, so nothing behind the parser knows of ODBC. Pages: "datetime" (ODBC literals) and
"ODBC scalar functions".
"""

from __future__ import annotations

from collections.abc import Callable

from sbql.grammar.ast import (
    BinaryExpression,
    CastExpression,
    Condition,
    ConvertExpression,
    Expression,
    FunctionCall,
    Identifier,
    IntegerLiteral,
    ObjectName,
    Span,
    StringLiteral,
    Word,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import type_named
from sbql.grammar.builders.words import date_part
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

_ODBC_CANONICAL = 120


def _call(name: str, *arguments: Expression | Condition, span: Span) -> FunctionCall:
    return FunctionCall(ObjectName((Identifier(name, span=span),), span=span), arguments, span=span)


def _convert(type_name: str, value: Expression, style: int, span: Span, length: int | None = None) -> ConvertExpression:
    return ConvertExpression(
        type_named(span, type_name, () if length is None else (length,)),
        value,
        IntegerLiteral(style, span=span),
        span=span,
    )


def _cast(type_name: str, value: Expression, span: Span, length: int | None = None) -> CastExpression:
    return CastExpression(value, type_named(span, type_name, () if length is None else (length,)), span=span)


def _now(span: Span) -> Expression:
    return _call("GETDATE", span=span)


@rule()
def odbc_literal(span: Span, word: Identifier, literal: StringLiteral) -> Expression:
    """A datetime (`{t '…'}` is that time of today), or a uniqueidentifier."""
    kind = word.value.lower()
    if kind in ("d", "ts"):
        return _convert("datetime", literal, _ODBC_CANONICAL, span)
    if kind == "t":
        today = _cast("datetime", _cast("date", _now(span), span), span)
        return BinaryExpression("+", today, _cast("datetime", literal, span), span=span)
    if kind == "guid":
        return _cast("uniqueidentifier", literal, span)
    raise incorrect_syntax(word.value, "Expected d, t, ts or guid.", word.span)


@rule()
def odbc_function(span: Span, word: Identifier, call: Expression) -> Expression:
    if word.value.lower() != "fn":
        raise incorrect_syntax(word.value, "Expected fn.", word.span)
    if not isinstance(call, FunctionCall) or len(call.name.parts) > 1:
        return call
    make = _FUNCTIONS.get(call.name.name.upper())
    values = [a for a in call.arguments if isinstance(a, Expression)]
    if make is None or len(values) != len(call.arguments):
        return call
    count, build = make
    if len(values) != count and not (build is _locate and len(values) == 3):
        raise incorrect_syntax(call.name.name, f"It takes {count} arguments.", call.span)
    return build(span, *values)


@rule()
def odbc_call(span: Span, word: tuple[str, ...], *arguments: Expression | Condition) -> FunctionCall:
    """A name that is a keyword of T-SQL."""
    return _call(word[0], *arguments, span=span)


@rule()
def odbc_name(span: Span, name: Identifier) -> FunctionCall:
    """A function without parentheses."""
    return _call(name.value, span=span)


@rule()
def odbc_database(span: Span) -> FunctionCall:
    return _call("DATABASE", span=span)


@rule()
def odbc_current_timestamp(span: Span) -> Expression:
    return _now(span)


@rule()
def odbc_current_date(span: Span) -> Expression:
    return _convert("varchar", _now(span), 23, span, 10)


@rule()
def odbc_current_time(span: Span, precision: IntegerLiteral | None) -> Expression:
    digits = precision.value if precision is not None else 0
    return _cast("varchar", _cast("time", _call("SYSDATETIME", span=span), span, digits), span, 16)


def _part(part: str) -> tuple[int, Callable[..., Expression]]:
    def build(span: Span, value: Expression) -> Expression:
        return _call("DATEPART", _name(part, span), value, span=span)

    return 1, build


def _date_name(part: str) -> tuple[int, Callable[..., Expression]]:
    return 1, lambda span, value: _call("DATENAME", _name(part, span), value, span=span)


def _name(text: str, span: Span) -> Word:
    return Word(Identifier(text, span=span), span=span)


def _renamed(name: str, count: int = 1) -> tuple[int, Callable[..., Expression]]:
    return count, lambda span, *values: _call(name, *values, span=span)


def _bit_length(span: Span, value: Expression) -> Expression:
    return BinaryExpression("*", _call("DATALENGTH", value, span=span), IntegerLiteral(8, span=span), span=span)


def _extract(span: Span, value: Expression, part: Expression) -> Expression:
    """EXTRACT(part FROM value): the FROM form has its operands the other way round."""
    return _call("DATEPART", date_part(part, "extract"), value, span=span)


def _locate(span: Span, *values: Expression) -> Expression:
    """LOCATE(what, where[, from])."""
    return _call("CHARINDEX", *values, span=span)


def _with_interval(name: str) -> tuple[int, Callable[..., Expression]]:
    """TIMESTAMPADD and TIMESTAMPDIFF, whose first argument is an interval, SQL_TSI_DAY and so on. Raises 102, 1023."""

    def build(span: Span, interval: Expression, *values: Expression) -> Expression:
        word = date_part(interval, name).name
        part = word.value.upper().removeprefix("SQL_TSI_")
        if part not in _INTERVALS or part == word.value.upper():
            raise incorrect_syntax(word.value, f"Expected SQL_TSI_{', SQL_TSI_'.join(_INTERVALS)}.", interval.span)
        return _call(name, _name(part.lower(), interval.span), *values, span=span)

    return 3, build


_INTERVALS = ("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND")


def _truncate(span: Span, value: Expression, places: Expression) -> Expression:
    return _call("ROUND", value, places, IntegerLiteral(1, span=span), span=span)


_FUNCTIONS: dict[str, tuple[int, Callable[..., Expression]]] = {
    "BIT_LENGTH": (1, _bit_length),
    "OCTET_LENGTH": _renamed("DATALENGTH"),
    "CONCAT": (2, lambda span, left, right: BinaryExpression("+", left, right, span=span)),
    "LCASE": _renamed("LOWER"),
    "UCASE": _renamed("UPPER"),
    "LENGTH": _renamed("LEN"),
    "INSERT": _renamed("STUFF", 4),
    "REPEAT": _renamed("REPLICATE", 2),
    "LOCATE": (2, _locate),
    "IFNULL": _renamed("ISNULL", 2),
    "ATAN2": _renamed("ATN2", 2),
    "MOD": (2, lambda span, left, right: BinaryExpression("%", left, right, span=span)),
    "TRUNCATE": (2, _truncate),
    "NOW": (0, _now),
    "CURDATE": (0, odbc_current_date),
    "CURRENT_DATE": (0, odbc_current_date),
    "CURTIME": (0, lambda span: _convert("varchar", _now(span), 108, span, 8)),
    "DAYNAME": _date_name("weekday"),
    "MONTHNAME": _date_name("month"),
    "DAYOFMONTH": _part("day"),
    "DAYOFWEEK": _part("weekday"),
    "DAYOFYEAR": _part("dayofyear"),
    "HOUR": _part("hour"),
    "MINUTE": _part("minute"),
    "QUARTER": _part("quarter"),
    "SECOND": _part("second"),
    "WEEK": _part("week"),
    "EXTRACT": (2, _extract),
    "TIMESTAMPADD": _with_interval("DATEADD"),
    "TIMESTAMPDIFF": _with_interval("DATEDIFF"),
    "DATABASE": _renamed("DB_NAME", 0),
    "USER": _renamed("USER_NAME", 0),
}
"""ODBC's names that are not T-SQL's: how many arguments they take, and what they become."""
