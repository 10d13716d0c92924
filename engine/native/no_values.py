"""Texts, and numbers, that are certainly no value of a type: conditions in DuckDB's SQL.

TRY_CAST of them is NULL, and ISDATE and ISNUMERIC 0, without Python. A condition may be false for a text that is no
value either, but never true for one that is: what is in doubt, signs and blanks of other scripts above all, is left to
the readers of `grammar.values`, whose spellings these patterns are wider than.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sbql.catalog.duck_types import quote_literal
from sbql.engine.native.forms import in_form
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import INTEGER_RANGES, digits_before, kind
from sbql.grammar.values.languages import DateFormat, Language
from sbql.grammar.values.numbers import MONEY_RANGES

__all__ = ["MAY_BE_NUMERIC", "is_no", "is_no_datetime", "never_converts"]

_BLANKS: Final = r"[\x00-\x20]*"
_DOUBTFUL: Final = r"[\x{80}-\x{a0}\x{660}-\x{2fff}\x{3000}\x{a000}-\x{abff}\x{e000}-\x{10ffff}]"
"""Digits, blanks and signs of currencies beyond ASCII are among these. No letter of Europe is, no Han and no Hangul."""
_END: Final = rf"{_BLANKS}(?:{_DOUBTFUL}|\z)"
_FRACTION: Final = r"(?:[.][0-9]*)?"
_EXPONENT: Final = "(?:[edED][-+]?[0-9]*)?"
_MONEY: Final = rf"[-+\x00-\x20$\\\x{{a2}}-\x{{a5}}]*[0-9,]*{_FRACTION}"
MAY_BE_NUMERIC: Final = rf"\A{_MONEY}{_EXPONENT}{_END}"
"""A regular expression of what ISNUMERIC may be 1 for."""
_DIGITS: Final = {"smallint": "[0-9]{0,5}", "int": "[0-9]{0,10}", "bigint": "[0-9]{0,19}"}
_TINY: Final = rf"\A(?:[+\x00-\x20]*0*(?:[01]?[0-9]{{0,2}}|2[0-4][0-9]|25[0-5])|[-\x00-\x20]+0*){_END}"
"""A tinyint has no sign, unless it is 0."""
_GUID: Final = r"\A\{?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}"


def never_converts(source: SqlType, target: SqlType, style: int | None, dates: DateFormat) -> str:
    """A condition on {0} under which a value is none of the target: TRY_CAST of it is NULL
    without Python. Empty where there is none."""
    if kind(source) != "string":
        return _never_fits(source, target)
    goal, signs = kind(target), r"\A[-+\x00-\x20]*"
    if goal == "int":
        return is_no(_TINY if target.name == "tinyint" else rf"{signs}0*{_DIGITS[target.name]}{_END}")
    if goal == "bit":
        return is_no(rf"\A{_BLANKS}(?:[-+]?[0-9]*|(?i:true|false)){_END}")
    if goal == "decimal":
        return is_no(rf"{signs}0*[0-9]{{0,{digits_before(target)}}}{_FRACTION}{_END}")
    if goal == "float":
        return is_no(rf"{signs}[0-9]*{_FRACTION}{_EXPONENT}{_END}")
    if goal == "money":
        return is_no(rf"\A{_MONEY}{_END}")
    if goal == "guid":
        return f"strlen({{0}}) < 36 OR {is_no(_GUID)}"
    if goal in ("date", "time", "datetime", "datetime2", "datetimeoffset") and style not in _HIJRI:
        is_old = target.name in ("datetime", "smalldatetime")
        return is_no_datetime(dates.language) if is_old else is_no(_may_be_date(dates.language))
    return ""


def _never_fits(source: SqlType, target: SqlType) -> str:
    """A number far out of the range of the target. DuckDB has no room for a bound of more digits than a decimal has
    before its point."""
    family, goal = kind(source), kind(target)
    if family not in ("int", "decimal", "money", "float") or goal not in ("int", "decimal", "money"):
        return ""
    if goal == "int":
        low, high = INTEGER_RANGES[target.name]
    else:
        high = 10 ** digits_before(target) if goal == "decimal" else int(MONEY_RANGES[target.name][1])
        low = -high
    digits = {"decimal": digits_before(source), "smallmoney": 6}.get(source.name, 15)
    if min(digits, _IN_64_BITS) < len(str(high)):
        return ""
    return _outside(low - 1, high + 1).replace("{0}", "CAST({0} AS DOUBLE)" if source.name == "real" else "{0}")


_IN_64_BITS: Final = 18
"""Digits of a bound."""


def _outside(low: object, high: object) -> str:
    return f"{{0}} < {low} OR {{0}} > {high}"


_HIJRI: Final = (130, 131)
_FINE: Final = "{0} GLOB '*:[0-9][0-9].[0-9][0-9][0-9][0-9]*'"
"""More digits of a fraction than a datetime has."""


def is_no_datetime(language: Language) -> str:
    """The condition that the text {0} is neither a datetime nor a smalldatetime."""
    return f"{is_no(_may_be_date(language))} OR {_FINE}"


def is_no(pattern: str) -> str:
    """The condition that {0} does not match, for a form."""
    return f"NOT regexp_matches({{0}}, {in_form(quote_literal(pattern))})"


@lru_cache(maxsize=64)
def _may_be_date(language: Language) -> str:
    """A regular expression of the texts that may be dates or times: one with the name of a month, a time, a day in two
    or three numbers or 4, 6 or 8 digits; blanks alone are 1900-01-01."""
    number, sign = "[0-9]{1,4}", rf"{_BLANKS}[-/.]{_BLANKS}"
    day = f"[0-9]{{4}}|[0-9]{{6}}|[0-9]{{8}}|{number}{sign}{number}{sign}{number}"
    time = rf"[0-9]{{1,2}}{_BLANKS}(?::|[aApP][mM]?(?:[^0-9A-Za-z]|[zZ]|\z))"
    plain = rf"\A{_BLANKS}(?:\z|{_DOUBTFUL}|{time}|(?:{day})(?:[\x00-\x20tT]|\z)|[-0-9/.\x00-\x20]+{_DOUBTFUL})"
    months = "|".join(sorted(name for name in language.month_numbers if name.isalpha()))
    return rf"{plain}|(?:\A|[^A-Za-z])(?i:{months})[zZ]?(?:[^A-Za-z]|\z)" if months else plain
