"""PARSE and TRY_PARSE: text of a culture to a number or date (documentation: "PARSE (Transact-SQL)")."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from sbql.engine.functions.cultures import Culture, culture
from sbql.engine.scalars.expressions import compile_scalar, compiles, convert_scalar, fold
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.grammar import ast
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import NVARCHAR_MAX, SqlType
from sbql.grammar.values.conversions import convert, converter
from sbql.grammar.values.date_text import LONGEST_DATE
from sbql.grammar.values.kinds import kind, spelled
from sbql.grammar.values.languages import US_ENGLISH, DateFormat


def parse_text(text: str, target: SqlType, culture_name: str) -> Any:
    """The value. Raises 9819 when the text is none in this culture, 9818 for an unknown culture."""
    known = culture(culture_name)
    try:
        if kind(target) in ("int", "decimal", "money", "float"):
            return convert(_plain_number(text, kind(target), known), NVARCHAR_MAX, target)
        return _date(text, target, known)
    except SqlError:
        raise sql_error(9819, text, spelled(target), culture_name) from None


def _plain_number(text: str, family: str, known: Culture) -> str:
    """The number as T-SQL writes it. What may stand in it is .NET's style for the type: Number, Float or Currency."""
    body, is_negative = text.strip(), False
    if family == "money":
        if body.startswith("(") and body.endswith(")"):
            body, is_negative = body[1:-1].strip(), True
        if known.symbol in body:
            body = body.replace(known.symbol, "", 1).strip()
    if body[-1:] in ("+", "-") and family != "float":
        body = body[-1] + body[:-1].strip()
    sign = body[0] if body[:1] in ("+", "-") else ""
    whole, point, fraction = body[len(sign) :].strip().partition(known.point)
    if family != "float":
        whole = (
            whole.replace(known.group, "").replace(" ", "")
            if known.group == "\u00a0"
            else whole.replace(known.group, "")
        )
    number = whole + ("." if point else "") + fraction
    if (_FLOAT.fullmatch(number) if family == "float" else _NUMBER.fullmatch(number)) is None:
        raise sql_error(8114, "nvarchar", "numeric")
    if family == "int":
        if fraction.strip("0"):
            raise sql_error(8114, "nvarchar", "int")
        number = whole or "0"
    return ("-" if is_negative or sign == "-" else "") + number


_NUMBER = re.compile(r"\d++\.?\d*+|\.\d++", re.ASCII)
_FLOAT = re.compile(rf"(?:{_NUMBER.pattern})(?:[eE][+-]?\d++)?", re.ASCII)


def _date(text: str, target: SqlType, known: Culture) -> Any:
    words = text.strip()
    if not words or len(words) > LONGEST_DATE or _PACKED.fullmatch(words) is not None:
        raise sql_error(241)
    if _LETTER.search(words) is not None:
        for pattern, english in _names(known):
            words = pattern.sub(english, words)
        words = _BEHIND_DAY.sub(r"\1 ", words)
    order = "ymd" if _YEAR_FIRST.match(words) is not None else known.order
    change = converter(NVARCHAR_MAX, target, None, True, DateFormat(order))
    return words if change is None else change(words)


_YEAR_FIRST = re.compile(r"\d{4}\s*+[-/.]")
"""What begins with a year goes on with the month in every culture: no pattern of .NET has year, day, month."""
_PACKED = re.compile(r"\d++(?:[\st]\s*+\d++\s*+(?::|[ap]m).*)?", re.IGNORECASE | re.DOTALL)
"""Digits alone, or with a time behind them, which T-SQL reads as a date and .NET does not."""
_LETTER = re.compile(r"[^\W\d_]")
_BEHIND_DAY = re.compile(r"(?<!\d)(\d++)\.\s++(?=[A-Za-z])")


@lru_cache(maxsize=64)
def _names(known: Culture) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Names of months to those in English, and of the day of the week to nothing."""
    found = [
        (re.compile(rf"\b{re.escape(name)}(?!\w)", re.IGNORECASE), US_ENGLISH.months[number])
        for names in (known.months, known.short_months)
        for number, name in enumerate(names)
        if name[0].isalpha()
    ]
    days = "|".join(re.escape(day) for day in (*known.days, *known.short_days))
    return (*found, (re.compile(rf"^(?:{days})\b[,.]?\s*", re.IGNORECASE), ""))


_SESSION_CULTURE = Scalar(NVARCHAR_MAX, lambda frame: frame.session.options.dates.language.culture)


@compiles(ast.ParseExpression)
def compile_parse(node: ast.ParseExpression, scope: Scope) -> Scalar:
    """PARSE and TRY_PARSE: text to numbers and dates by a culture, that of the session's language if none is given."""
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
