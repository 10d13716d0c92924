"""Assignment in SQL: what a value of a query becomes in its column when DuckDB writes it.

It decides which conversions DuckDB does exactly as a column does, and for each which values it does not convert so
(text that is too long, a number out of range). Where the set holds such a value, the write goes row by row, and the
converter of the column raises the error. A conversion that has rows for Python stands beside the value in what the
query finds (`Beside`): each row is converted once, and one that Python converts leaves the others to DuckDB. It must
not know where values come from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct

from sbql.catalog.duck_types import duck_type
from sbql.engine.native.conversions import conversion_form
from sbql.engine.native.forms import Form, guarded
from sbql.engine.outcomes import ResultColumn
from sbql.engine.query.registered import call_text, registered
from sbql.engine.session_options import SessionOptions
from sbql.engine.tables.column_conversion import Converter, assignment
from sbql.engine.tables.typed_sql import RegisteredFunction, TranslatedQuery, Typed, cast_text
from sbql.grammar.errors import SqlError
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.kinds import INTEGER_RANGES, digits_before, digits_of_integer, is_national, is_wide, kind

__all__ = ["Assigned", "Beside", "assigned_sql"]

_SIZED = frozenset({"char", "varchar", "nchar", "nvarchar"})
_TEXTS = _SIZED | {"text", "ntext", "sysname"}
_WIDE = "[\\x{10000}-\\x{10FFFF}]"


class Assigned(Struct, frozen=True):
    """`sql` is the value as the column holds it; `odd` is true for values with which it is not. `unlike`: where `sql`
    stands beside the value, what is true for those of which `assigned_sql` makes something else."""

    sql: str
    odd: str = ""
    unlike: str = ""


class Beside:
    """The columns that a query of `width` columns gets beside its own: values as columns hold them."""

    __slots__ = ("_items", "_options", "_width")

    def __init__(self, width: int, options: SessionOptions) -> None:
        self._width = width
        self._options = options
        self._items: list[tuple[str, SqlType, RegisteredFunction]] = []

    def column(self, place: int, source: SqlType, target: SqlType) -> Assigned:
        """The value of column `place` of the query in a column of `target`. Raises 206, 257 for types that do not
        convert by themselves."""
        text = f"c{place}"
        plain = _without_python(text, source, target, self._options)
        if plain is not None and not plain.needs_python:
            return Assigned(plain.sql, plain.odd)
        convert = assignment(source, target, "", "", self._options)
        assert convert is not None
        what = (source, target, self._options.dates)
        function = registered("assign", what, _quiet(convert), [source], target, is_pure=True)
        call = f"CASE WHEN {text} IS NOT NULL THEN {call_text(function, [text])} END"
        sql = call if plain is None else plain.with_python(text, source, call)
        self._items.append((sql, target, function))
        made = f"c{self._width + len(self._items)}"
        unlike = f"{text} IS NOT NULL AND {plain.sql} IS NULL" if plain is not None else ""
        return Assigned(made, f"{text} IS NOT NULL AND {made} IS NULL", unlike)

    def of(self, query: TranslatedQuery) -> TranslatedQuery:
        """The query with these columns."""
        if not self._items:
            return query
        own = ", ".join(f"c{place}" for place in range(1, self._width + 1))
        found = query.within(f"SELECT *, {', '.join(sql for sql, _, _ in self._items)} FROM (", f") AS given({own})")
        again = [lambda: self.of(query.lazily[0]())] if query.lazily else []
        columns = (*query.columns, *(ResultColumn("", target) for _, target, _ in self._items))
        functions = dict.fromkeys((*query.functions, *(function for _, _, function in self._items)))
        return msgspec.structs.replace(found, columns=columns, functions=tuple(functions), lazily=again)


def _quiet(convert: Converter) -> Callable[[Any], Any]:
    """NULL for a value that does not convert: the row way has the error."""

    def attempt(value: Any) -> Any:
        try:
            return convert(value)
        except SqlError:
            return None

    return attempt


class _Plain(Struct, frozen=True):
    """What DuckDB makes of a value. `odd` is true for values that the column refuses or Python has to look at; the
    latter only if `needs_python`: `sql` gives NULL for those then, by `form` if there is one."""

    sql: str
    odd: str = ""
    form: Form | None = None
    needs_python: bool = False

    def with_python(self, text: str, source: SqlType, call: str) -> str:
        if self.form is None:
            return f"CASE WHEN {self.odd} THEN {call} ELSE {self.sql} END"
        return guarded(self.form, [Typed(text, source)], lambda: call)[0]


def assigned_sql(value: Typed, target: SqlType, options: SessionOptions) -> Assigned | None:
    """A value in a column of `target`, where it stands in the text of a statement. None where DuckDB does not do it as
    the column does. Raises 206, 257 for types that do not convert by themselves."""
    text = value.sql
    plain = _without_python(text, value.type, target, options)
    if plain is None or (plain.needs_python and len(text) > _LONG):
        return None
    if value.stands_once and plain.sql != text:
        return None
    return Assigned(plain.sql, f"{text} IS NOT NULL AND {plain.sql} IS NULL" if plain.needs_python else plain.odd)


_LONG = 200
"""Characters of a value that stand several times in a statement."""


def _without_python(text: str, source: SqlType, target: SqlType, options: SessionOptions) -> _Plain | None:
    """None where each row is for Python. Raises 206, 257."""
    convert = assignment(source, target, "", "", options)
    if convert is None:
        return _Plain(text if duck_type(source) == duck_type(target) else cast_text(text, target))
    family, goal = kind(source), kind(target)
    if family == "null":
        return _Plain(cast_text("NULL", target))
    found = None
    if source.name in _TEXTS and target.name in _SIZED and target.length not in (None, MAX):
        found = _text(text, source, target, options)
    elif family in ("int", "bit"):
        found = _whole(text, source, target)
    elif family == goal == "decimal":
        found = _decimal(text, source, target)
    elif family == goal == "binary" and target.name in ("binary", "varbinary") and target.length not in (None, MAX):
        filled = f"unhex(rpad(hex({text}), {2 * (target.length or 1)}, '0'))" if target.name == "binary" else text
        found = _Plain(filled, f"octet_length({text}) > {target.length}")
    return found or _in_form(text, source, target, options)


def _in_form(text: str, source: SqlType, target: SqlType, options: SessionOptions) -> _Plain | None:
    """As CAST does it."""
    form = conversion_form(source, target, None, options.dates)
    if form is None or form.boxed or form.takes_nulls:
        return None
    operand = [Typed(text, source)]
    if not (form.odd or form.misses):
        return _Plain(guarded(form, operand, str)[0])
    sql, _ = guarded(form if form.misses else Form(form.or_null), operand, lambda: "NULL")
    return _Plain(sql, form=form, needs_python=True)


def _text(text: str, source: SqlType, target: SqlType, options: SessionOptions) -> _Plain:
    """As long as it fits in units of UTF-16, blanks at its end apart; to a code page what that has."""
    size = target.length or 1
    is_long = f"strlen({text}) > {size} AND length(rtrim({text}, ' ')) > {size}"
    odd = ""
    if (is_national(source) and not is_national(target)) or is_wide(source) or is_wide(target):
        form = conversion_form(source, replace(target, name="varchar", length=MAX), None, options.dates)
        odd = form.odd.format(text) if form is not None and form.odd else ""
    elif is_national(source):
        may_be_wide = f"strlen({text}) <> length({text})" if target.name == "nchar" else f"strlen({text}) > {size}"
        odd = f"{may_be_wide} AND regexp_matches({text}, '{_WIDE}')"
    if target.name in ("char", "nchar"):
        fitting = f"rpad({text}, {size}, ' ')"
    elif 0 < (source.length or 0) <= size:
        fitting = text
    else:
        fitting = f"CASE WHEN strlen({text}) > {size} THEN left({text}, {size}) ELSE {text} END"
    if not odd:
        return _Plain(fitting, is_long)
    odd = f"({odd}) OR {is_long}"
    return _Plain(f"CASE WHEN {odd} THEN NULL ELSE {fitting} END", odd, needs_python=True)


def _whole(text: str, source: SqlType, target: SqlType) -> _Plain | None:
    number = f"CAST({text} AS UTINYINT)" if source.name == "bit" else text
    low, high = INTEGER_RANGES.get(source.name, (0, 1))
    match kind(target):
        case "bit":
            return _Plain(f"({number} <> 0)")
        case "int":
            return _Plain(cast_text(number, target), _beyond(number, low, high, *INTEGER_RANGES[target.name]))
        case "decimal":
            digits = digits_before(target)
            most = 10**digits - 1 if digits < digits_of_integer(source.name) else 1 << 63
            return _Plain(cast_text(number, target), _beyond(number, low, high, -most, most))
        case "float" if target.name == "float":
            return _Plain(f"CAST({number} AS DOUBLE)")
    return None


def _beyond(text: str, low: int, high: int, least: int, most: int) -> str:
    return f"{text} NOT BETWEEN {least} AND {most}" if low < least or high > most else ""


def _decimal(text: str, source: SqlType, target: SqlType) -> _Plain | None:
    """Digits behind the point are rounded away from zero by both; one more digit before it may come of that."""
    before, after = digits_before(source), digits_before(target)
    if after > before or (after == before and (target.scale or 0) >= (source.scale or 0)):
        return _Plain(cast_text(text, target))
    if (target.scale or 0) >= (source.scale or 0):
        return _Plain(cast_text(text, target), f"abs({text}) >= 1{'0' * after}")
    return None
