"""Native forms: what DuckDB computes of T-SQL's functions, operators and conversions, and for which rows.

A form is text with places for the operands. It means exactly what the Python implementation means, but for the rows
that it calls odd: an overflow, a text that is no plain number, a date near the ends of the calendar. These go to
the Python form, which gives the value or raises the error. NULL is never odd. Tables of forms, by function and
kinds of arguments, are `dates`, `numbers` and `texts`; operators are `arithmetic`,
conversions `conversions`. It decides how both forms are put together, and when operands are too long to
stand twice. It must not know any function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from msgspec import Struct, field

from sbql.catalog.duck_types import in_ticks
from sbql.engine.tables.comparison_keys import PAIR, odd_text
from sbql.engine.tables.typed_sql import Typed, by_names
from sbql.grammar.types import SqlType
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.languages import DateFormat
from sbql.grammar.values.like_regex import ASCII_TEXT, PLAIN_TEXT

__all__ = [
    "Call",
    "FIRST_MICROSECOND",
    "Form",
    "Forms",
    "Maker",
    "Row",
    "UNKNOWN",
    "beyond",
    "beyond_ascii",
    "in_form",
    "find_form",
    "guarded",
    "has_pairs",
    "any_of",
    "not_between",
]

FIRST_MICROSECOND: Final = 62_135_596_800_000_000
"""The microseconds from 0001-01-01, where ticks begin, to 1970."""

UNKNOWN: Final = object()
"""The value of an argument that is no literal."""


class Form(Struct, frozen=True):
    """`sql` with places: {0}, {1} … are the operands, {m0} a date as a TIMESTAMP or
    DATE of its local time, {d0} one of which only the day counts, {u0} of UTC.

    `odd` is a condition, true for the rows that Python computes and false or NULL for NULLs. Instead of it
    `misses` says that `sql` gives NULL for them; one that is `boxed` gives a structure of one field, v, so that
    its NULL may be right. Python computes what has a NULL among the operands if `takes_nulls`, but not where one of
    those at the places `strict` is NULL: the value is, too. `once` means the same as `sql` and names each operand
    once. `is_ordered`: all of its texts have one layout (`Typed.ordered`). `when` is a condition that most rows
    fulfil: it is asked before `odd`, and for them `quick` means the same as `sql`.
    """

    sql: str
    odd: str = ""
    misses: bool = False
    boxed: bool = False
    takes_nulls: bool = False
    strict: tuple[int, ...] = ()
    once: str = ""
    when: str = ""
    quick: str = ""
    is_ordered: bool = False
    is_ordered_alone: bool = False
    """The bytes of its texts have the order of every collation (`Typed.ordered_alone`)."""
    is_distinct: bool = False
    """No text of it is equal to another one under any collation: names of months."""

    signs: frozenset[str] = frozenset()
    """Characters that its texts have (`Typed.signs`)."""

    @property
    def or_null(self) -> str:
        """`sql`, or NULL for the rows that Python computes."""
        if self.when:
            return f"(CASE WHEN {self.when} THEN {self.quick} WHEN {self.odd} THEN NULL ELSE {self.sql} END)"
        return f"(CASE WHEN {self.odd} THEN NULL ELSE {self.sql} END)" if self.odd else self.sql

    def distinct(self, sql: str) -> str:
        """`Typed.distinct` of what is made of it."""
        return sql if self.is_distinct or self.is_ordered else ""

    def ordered_alone(self, sql: str) -> str:
        """`Typed.ordered_alone` of what is made of it."""
        return sql if self.is_ordered_alone else ""

    def ordered(self, sql: str) -> str:
        """`Typed.ordered` of what is made of it."""
        return sql if self.is_ordered else ""


class Call(Struct, frozen=True):
    """What a form may depend on: the types of the operands, the values of literal ones, the type of the result, the
    date part, the parameter that holds DATEFIRST, whether the last operand is JSON already, between which numbers the
    operands are, and how many characters the longest texts of each have, if that is known."""

    types: tuple[SqlType, ...]
    values: tuple[Any, ...]
    result: SqlType
    part: str = ""
    dates: DateFormat = field(default_factory=DateFormat)
    datefirst: str = ""
    is_json: bool = False
    bounds: tuple[tuple[int, int] | None, ...] = ()
    longest: tuple[int | None, ...] = ()


Maker = Callable[[Call], Form | None]


class Row(Struct, frozen=True):
    """One row of a table of forms: `kinds` has a word for each argument, the kinds that it may have (`date|datetime2`,
    `*` for any; `string ...` for any number of them); `form` is the form, or makes it for one call (None where there is
    none)."""

    kinds: str
    form: Form | Maker


Forms = Mapping[str, tuple[Row, ...]]


def find_form(rows: Sequence[Row], call: Call) -> Form | None:
    """The form of the first row that has one for these operands."""
    given = [kind(t) for t in call.types]
    for row in rows:
        words = row.kinds.split()
        if words[-1:] == ["..."]:
            words = words[:1] * len(given)
        if len(words) != len(given):
            continue
        if all(word == "*" or family in word.split("|") for word, family in zip(words, given, strict=True)):
            found = row.form if isinstance(row.form, Form) else row.form(call)
            if found is not None:
                return found
    return None


def not_between(call: Call, position: int, least: int, most: int) -> str:
    """The condition that a number is not between these, as far as it is not known to be."""
    known = call.bounds[position] if call.bounds else None
    found = [] if known is not None and known[0] >= least else [f"{{{position}}} < {least}"]
    if known is None or known[1] > most:
        found.append(f"{{{position}}} > {most}")
    return " OR ".join(found)


def any_of(*conditions: str) -> str:
    """One of the conditions that there are."""
    return " OR ".join(condition for condition in conditions if condition)


def beyond_ascii(text: str) -> str:
    """Whether a text has other characters: SQL that is true or false."""
    return f"strlen({text}) <> length({text})"


def beyond(alphabet: str, text: str) -> str:
    """The condition that a text has characters that are not of an alphabet of patterns; empty where none has any."""
    if alphabet == PLAIN_TEXT:
        return in_form(odd_text("operand")).replace("operand", text)
    return beyond_ascii(text) if alphabet == ASCII_TEXT else ""


def in_form(text: str) -> str:
    """Text that stands in a form as it is."""
    return text.replace("{", "{{").replace("}", "}}")


def has_pairs(text: str) -> str:
    """Whether a national text has characters beyond the first 65,536: two UTF-16 units and one to DuckDB, or halves of
    such in their stored form."""
    return f"({beyond_ascii(text)} AND regexp_matches({text}, '{in_form(PAIR)}'))"


_LONG: Final = 200
"""Characters of an operand that stands once in the text if that can be."""
_LONGEST: Final = 1500
"""Characters of operands, counted as often as a form names them."""
_LONGEST_OF_DECIMALS: Final = 400
"""Their forms are long, and each part of them costs time when DuckDB plans the query. (What is made of texts of few
values DuckDB computes once for each value, but not in a lambda.)"""


def guarded(
    form: Form | None,
    operands: Sequence[Typed],
    python: Callable[[], str],
    over: Callable[[Sequence[Typed]], str] | None = None,
) -> tuple[str, bool]:
    """The text of both forms, and whether it stands once; `python` makes that of the other one. Only that where there
    is no form, or where operands would stand too often in the text: DuckDB computes them anew each time. A condition
    over constants it even computes when nothing asks for the value, and fails. `over` makes the other one of operands
    that have a name, so that those that are long, or another value each time, need not stand in both."""
    if form is None:
        return python(), True
    if form.once and any(operand.stands_once or len(operand.sql) > _LONG for operand in operands):
        form = Form(form.once)
    is_once = any(operand.stands_once and _computed(form, i) > 1 for i, operand in enumerate(operands))
    kinds = {kind(operand.type) for operand in operands}
    most = _LONGEST_OF_DECIMALS if kinds <= {"int", "decimal", "money"} and kinds != {"int"} else _LONGEST
    if is_once or sum(len(o.sql) * max(0, _times(form, i) - 1) for i, o in enumerate(operands)) > most:
        if over is None:
            return python(), True
        found = by_names(operands, lambda named: _both(form, named, lambda: over(named)))
        return found, any(operand.stands_once for operand in operands)
    return _both(form, operands, python), any(operand.stands_once for operand in operands)


def _both(form: Form, operands: Sequence[Typed], python: Callable[[], str]) -> str:
    texts, moments = [operand.sql for operand in operands], _moments(form, operands)
    sql = form.sql.format(*texts, **moments)
    if form.when:
        when, quick, odd = (one.format(*texts, **moments) for one in (form.when, form.quick, form.odd))
        return f"(CASE WHEN ({when}) IS NOT FALSE THEN {quick} WHEN {odd} THEN {python()} ELSE {sql} END)"
    if form.odd:
        return f"(CASE WHEN {form.odd.format(*texts, **moments)} THEN {python()} ELSE {sql} END)"
    if form.misses:
        asked = [operands[i] for i in form.strict] if form.takes_nulls else operands
        known = " AND ".join(f"{operand.sql} IS NOT NULL" for operand in asked if operand.nullable) or "true"
        if form.takes_nulls and known == "true":
            return f"coalesce({sql}, {python()})"
        if form.boxed:
            return f"struct_extract(coalesce({sql}, CASE WHEN {known} THEN struct_pack(v := {python()}) END), 'v')"
        return f"coalesce({sql}, CASE WHEN {known} THEN {python()} END)"
    return sql


def _times(form: Form, position: int) -> int:
    """How often an operand stands in the text of both forms."""
    other = 2 if form.misses else 1 if form.odd else 0
    return other + _named(form.sql + form.odd + form.when + form.quick, position)


def _computed(form: Form, position: int) -> int:
    """How often an operand is computed for a row."""
    times = _named(form.sql, position)
    if form.misses:
        return times + 2
    return max(times, 1) + _named(form.odd + form.when, position) if form.odd else times


def _named(text: str, position: int) -> int:
    """A local time is made of two parts of a value that has an offset."""
    return sum(
        times * text.count(f"{{{letter}{position}}}") for letter, times in (("", 1), ("m", 2), ("d", 2), ("u", 1))
    )


def _moments(form: Form, operands: Sequence[Typed]) -> dict[str, str]:
    """The dates that the form wants as moments."""
    found = {}
    for i, operand in enumerate(operands):
        for letter, moment in (("m", local_moment), ("d", local_day), ("u", utc_moment)):
            if f"{{{letter}{i}}}" in form.sql + form.odd + form.when + form.quick:
                found[f"{letter}{i}"] = moment(operand)
    return found


def utc_moment(value: Typed) -> str:
    """A date as DuckDB's DATE, TIMESTAMP or TIME, a seventh digit cut off; one with an offset as its UTC."""
    sql = f"({value.sql}).utc" if value.type.name == "datetimeoffset" else value.sql
    if not in_ticks(value.type):
        return sql
    if value.type.name == "time":
        return f"(TIME '00:00:00' + to_microseconds({sql} // 10))"
    return f"make_timestamp({sql} // 10 - {FIRST_MICROSECOND})"


def local_moment(value: Typed) -> str:
    """As utc_moment, but the local time of what has an offset."""
    if value.type.name != "datetimeoffset":
        return utc_moment(value)
    if in_ticks(value.type):
        return (
            f"make_timestamp(({value.sql}).utc // 10 + ({value.sql}).minutes * 60000000::BIGINT - {FIRST_MICROSECOND})"
        )
    return f"(({value.sql}).utc + to_minutes(({value.sql}).minutes))"


def local_day(value: Typed) -> str:
    """As local_moment, for what looks at the day alone: of ticks a DATE, which takes DuckDB less."""
    if not in_ticks(value.type) or value.type.name == "time":
        return local_moment(value)
    sql = value.sql
    if value.type.name == "datetimeoffset":
        sql = f"(({sql}).utc + ({sql}).minutes * 600000000::BIGINT)"
    return f"(DATE '0001-01-01' + CAST(floor(({sql} >> 14) / {864_000_000_000 >> 14}) AS INTEGER))"
