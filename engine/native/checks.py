"""Native forms of the functions that say whether a text converts: ISNUMERIC and ISDATE.

Both are 1 for the usual spellings and 0 for what certainly is none (`no_values`); the texts between are Python's.
"""

from __future__ import annotations

from typing import Final

from sbql.engine.native.forms import Call, Form, Forms, Row
from sbql.engine.native.no_values import MAY_BE_NUMERIC, is_no, is_no_datetime
from sbql.engine.native.text_dates import date_from_text
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind

__all__ = ["CHECKS"]


def _isnumeric(call: Call) -> Form | None:
    family = kind(call.types[0])
    if family in ("int", "decimal", "money", "float", "bit"):
        return Form("CAST({0} IS NOT NULL AS INTEGER)")
    if family != "string":
        return None
    digits, amount = "[0-9]{{1,15}}", "[$]?[0-9][0-9,]{{0,13}}"
    shape = f" *[-+]?(?:(?:{digits}|{amount})(?:[.][0-9]{{{{0,15}}}})?|[.]{digits}) *"
    is_number = f"regexp_full_match({{0}}, '{shape}')"
    is_none = f"{{0}} IS NULL OR {{0}} = '' OR {is_no(MAY_BE_NUMERIC)}"
    sql = f"CASE WHEN {is_number} THEN 1 WHEN {is_none} THEN 0 END"
    is_plain = "NOT {0} GLOB '*[!0-9]*' AND strlen({0}) BETWEEN 1 AND 30"
    return Form(f"CASE WHEN {is_plain} THEN 1 ELSE {sql} END", misses=True, takes_nulls=True)


def _isdate(call: Call) -> Form | None:
    """What is read as a datetime is a date, but for one with more digits of a fraction than a datetime has."""
    if kind(call.types[0]) != "string":
        return None
    value = "rtrim({0}, ' ')" if call.types[0].name in ("char", "nchar") else "{0}"
    moment = date_from_text(value, SqlType("datetime"), None, call.dates)
    is_date = f"WHEN {moment.sql} IS NOT NULL THEN 1 " if moment is not None else ""
    if call.dates.order.find("m") < call.dates.order.find("d"):
        is_date = f"WHEN {_PLAINLY} THEN 1 {is_date}"
    none = is_no_datetime(call.dates.language)
    return Form(
        f"CASE WHEN {{0}} IS NULL THEN 0 {is_date}WHEN {{0}} = '' OR {none} THEN 0 END", misses=True, takes_nulls=True
    )


_PLAINLY: Final = (
    "({0} LIKE '____-__-__' OR {0} LIKE '____-__-__ __:__:__' AND NOT contains({0}, ' 24:'))"
    " AND coalesce(TRY_CAST({0} AS TIMESTAMP) >= TIMESTAMP '1753-01-01', false)"
)
"""The commonest spellings, in half the time that the others take."""


CHECKS: Final[Forms] = {
    "ISNUMERIC": (Row("int|decimal|money|float|bit|string", _isnumeric),),
    "ISDATE": (Row("string", _isdate),),
}
"""Functions to their forms."""
