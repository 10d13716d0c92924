"""Native forms of conversions from text to numbers, bits, GUIDs and dates.

Text is read natively where it is written as most programs write it: digits with a sign, a point and blanks around,
amounts with commas, `true` and `false`, the 36 characters of a GUID, `2024-02-29 12:30:00`. Everything else, spellings
and errors, is Python's (`grammar.values.text_conversions`).
"""

from __future__ import annotations

from typing import Final

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.forms import Form
from sbql.engine.native.offset_texts import offset_from_text
from sbql.engine.native.text_dates import date_from_text
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import DateFormat

__all__ = ["value_of_text"]


def value_of_text(source: SqlType, target: SqlType, style: int | None, dates: DateFormat) -> Form | None:
    """The form of a conversion from text to a type that is neither text nor binary nor xml."""
    goal = kind(target)
    if goal == "int":
        return _integer(target)
    if goal == "bit":
        return _BIT
    if goal == "guid":
        return _GUID
    if goal in ("decimal", "float", "money"):
        return _number(target, goal) if style in (None, 0) else None
    value = "rtrim({0}, ' ')" if source.name in ("char", "nchar") else "{0}"
    if target.name in ("date", "time", "datetime", "smalldatetime", "datetime2"):
        return date_from_text(value, target, style, dates)
    if target.name == "datetimeoffset" and style in (None, 0, 20, 21, 120, 121):
        return offset_from_text(value, target, style, dates)
    return None


def _integer(target: SqlType) -> Form:
    """Digits alone are the commonest. What does not fit is Python's, which has the error."""
    read = f"TRY_CAST({{0}} AS {duck_type(target)})"
    marked = f"CASE WHEN regexp_full_match({{0}}, ' *[-+]?[0-9]+ *') THEN {read} END"
    return Form(f"CASE WHEN {{0}} GLOB '*[!0-9]*' THEN {marked} ELSE {read} END", misses=True)


_BIT: Final = Form(
    "CASE lower({0}) WHEN '1' THEN true WHEN '0' THEN false WHEN 'true' THEN true WHEN 'false' THEN false"
    " ELSE CASE WHEN regexp_full_match({0}, ' *[-+]?[0-9]{{1,18}} *') THEN TRY_CAST({0} AS BIGINT) <> 0 END END",
    misses=True,
)
_GUID: Final = Form(
    "CASE WHEN {0} LIKE '________-____-____-____-____________' THEN TRY_CAST({0} AS UUID) END", misses=True
)
"""DuckDB takes a GUID without hyphens, too, and with hyphens anywhere."""


def _number(target: SqlType, goal: str) -> Form:
    """Digits, and a point between them, behind them or before. DuckDB's decimals are rounded as ours are."""
    goal_type = duck_type(target)
    if goal == "decimal":
        return Form(f"CASE WHEN {_shaped(38)} THEN TRY_CAST({{0}} AS {goal_type}) END", misses=True)
    if goal == "float":
        # a real is rounded twice, as Python does
        read = "CAST({0} AS DOUBLE)" if target.name == "float" else f"CAST(CAST({{0}} AS DOUBLE) AS {goal_type})"
        return Form(read, f"NOT {_shaped(15)}")
    before = 14 if target.name == "money" else 5
    amount = f" *[-+]?[$]?[0-9][0-9,]{{{{0,{before - 1}}}}}(?:[.][0-9]{{{{0,15}}}})? *"
    read, plain = (f"CAST({text} AS {goal_type})" for text in ("{0}", "replace(replace({0}, ',', ''), '$', '')"))
    return Form(plain, f"NOT regexp_full_match({{0}}, '{amount}')", when=_shaped(before), quick=read)


def _shaped(before: int) -> str:
    """The condition that {0} is a number with up to so many digits before its point."""
    shape = f" *[-+]?(?:[0-9]{{{{1,{before}}}}}(?:[.][0-9]{{{{0,15}}}})?|[.][0-9]{{{{1,15}}}}) *"
    return f"regexp_full_match({{0}}, '{shape}')"
