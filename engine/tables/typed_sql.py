"""Typed pieces of DuckDB SQL: an expression's text with its SQL type, collation and nullability; a finished query.

Decides how a type or a parameter is spelled in the generated text. It must not know syntax trees or names.
"""

from __future__ import annotations

import datetime
import uuid
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Any, Final, Protocol

import msgspec
from msgspec import Struct, field

from sbql.catalog.duck_types import duck_type, in_ticks, quote, quote_literal, to_store
from sbql.catalog.marked_sql import MarkedSql
from sbql.catalog.parallelism import AS_FOUND
from sbql.catalog.stored_text import to_stored
from sbql.engine.outcomes import ResultColumn
from sbql.grammar.types import INT, NULL_TYPE, SqlType
from sbql.grammar.values.collation_precedence import COERCIBLE, Label

__all__ = [
    "Beside", "Chosen", "INTEGER_TYPES", "Joined", "LONG", "NODE", "NUMBER_TYPES", "LocalSource", "Nulls", "Parameter", "Plainer", "RegisteredFunction", "Signs", "TranslatedQuery", "Typed", "bounded", "cast_text",
    "by_names", "case_text", "has_literals", "literal", "null_of", "over_names", "quote", "strictly", "text_literal",
]  # fmt: skip

TEXT_TYPES = frozenset({"char", "varchar", "nchar", "nvarchar", "text", "ntext", "sysname"})
NODE = SqlType("xml", collection="$node")
"""A node that nodes() found: only the XML methods and IS NULL can read it."""

INTEGER_TYPES = ("bit", "tinyint", "smallint", "int", "bigint")
NUMBER_TYPES = frozenset({*INTEGER_TYPES, "decimal", "numeric", "money", "smallmoney", "float", "real"})


class Parameter(Struct, frozen=True):
    """A value computed once per execution by a scalar closure, already of `type`."""

    run: Callable[[Any], Any]
    type: SqlType


class Typed(Struct, frozen=True):
    """A scalar expression in DuckDB SQL.

    `rank` is its collation precedence; the collation itself is part of the type. `is_literal` tells a constant of the
    text from everything else; `is_bare_null` the word NULL. `origin` is (relation alias, column name) of a plain
    column, for FOR XML AUTO. `constant` computes the same value outside the query, when that is possible. `stands_once`
    says that the text must not be computed twice for a row, nor tested ahead of the rows. Such a text has a call of
    Python or a subquery, which takes time or has another value each time, or it is a constant that may fail.
    """

    sql: str
    type: SqlType
    nullable: bool = True
    rank: int = COERCIBLE
    is_literal: bool = False
    origin: tuple[str, str] | None = None
    constant: Parameter | None = None
    stands_once: bool = False
    ordered: str = ""
    """`sql`, if all rows have digits and signs in one layout (`2024-11-05 10:30`): their bytes have the order of every
    collation. Beside another `sql` it says nothing."""

    ordered_alone: str = ""
    """`sql`, if the bytes of its texts have that order, but not of texts that go on behind them (digits of a binary
    string). Beside another `sql` it says nothing."""
    distinct: str = ""
    """`sql`, if none of its texts is equal to another one under any collation. Beside another `sql` it says nothing."""
    plainer: Plainer | None = None
    """A text that compares alike. Beside another `sql` it says nothing."""

    def plainest(self, *, ignores_case: bool, ignores_blanks: bool = True) -> Typed:
        """The text of which this one is made by what does not count: RTRIM, and UPPER and LOWER where case does not."""
        found = self
        while (step := found.plainer) is not None and step.of == found.sql:
            if not (ignores_case if step.changes_case else ignores_blanks):
                break
            found = step.value
        return self if found is self else msgspec.structs.replace(found, type=self.type, rank=self.rank)

    chosen: Chosen | None = None
    """The branches of a CASE of literals. Beside another `sql` they say nothing."""
    joined: Joined | None = None
    """The texts that it is put together of. Beside another `sql` they say nothing."""
    signs: Signs | None = None
    """Characters that its texts have. Beside another `sql` they say nothing."""
    nulls: Nulls | None = None
    """Where it is NULL. Beside another `sql` it says nothing."""

    beside: Beside | None = None
    """Where its keys are computed. Beside another `sql` it says nothing."""
    within: Within | None = None
    """Between which whole numbers it is. Beside another `sql` it says nothing."""

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The least and the greatest whole number that it may be, if that is known."""
        if self.is_literal and self.constant is not None:
            number = self.constant.run(None)
            return (number, number) if type(number) is int else None
        known = self.within
        return (known.low, known.high) if known is not None and known.of == self.sql else None

    @property
    def null_with(self) -> tuple[Typed, ...]:
        """It is NULL where one of these is, and only there."""
        if not self.nullable:
            return ()
        return (self,) if self.nulls is None or self.nulls.of != self.sql else self.nulls.values

    @property
    def known_signs(self) -> frozenset[str]:
        """Characters of which it is known that its texts have them."""
        if self.is_literal and self.is_text and self.constant is not None:
            return frozenset(self.constant.run(None) or "")
        found = self.signs.characters if self.signs is not None and self.signs.of == self.sql else frozenset()
        if self.joined is not None and self.joined.of == self.sql:
            found = found.union(*(piece.known_signs for piece in self.joined.pieces))
        return found

    @property
    def is_distinct(self) -> bool:
        return bool(self.distinct) and self.distinct == self.sql

    @property
    def has_own_order(self) -> bool:
        return bool(self.ordered) and self.ordered == self.sql

    @property
    def is_own_key(self) -> bool:
        """Whether the text as it stands sorts as its key does."""
        return self.has_own_order or bool(self.ordered_alone) and self.ordered_alone == self.sql

    @property
    def is_text(self) -> bool:
        return self.type.name in TEXT_TYPES

    @property
    def label(self) -> Label:
        """Its rank and collation, where texts meet."""
        return (self.rank, self.type.collation) if self.is_text else (COERCIBLE, None)

    def labelled(self, label: Label) -> Typed:
        """The same text with another label; what is no text stays as it is."""
        return (
            msgspec.structs.replace(self, type=self.type.with_collation(label[1]), rank=label[0])
            if self.is_text
            else self
        )

    @property
    def is_bare_null(self) -> bool:
        return self.type.name == NULL_TYPE.name

    def with_sql(self, sql: str) -> Typed:
        return msgspec.structs.replace(self, sql=sql)


class Plainer(Struct, frozen=True):
    """`value` is what the text `of` is made of, by a change of case or else without the blanks at its end."""

    of: str
    value: Typed
    changes_case: bool


class Beside(Struct, frozen=True):
    """`of` is a column of a row that many share. `key` gives the column in which is what is made of its text, as one of
    a type, once for that row."""

    of: str
    key: Callable[[Callable[[Typed], str], SqlType], str]


class Chosen(Struct, frozen=True):
    """`of` is CASE WHEN tests THEN values END, with one value more for ELSE if there is one; each is a literal."""

    of: str
    tests: tuple[str, ...]
    values: tuple[Typed, ...]


class Joined(Struct, frozen=True):
    """`of` is these texts one after the other."""

    of: str
    pieces: tuple[Typed, ...]


class Signs(Struct, frozen=True):
    """All texts of `of`, or all but a few, have these characters."""

    of: str
    characters: frozenset[str]


class Within(Struct, frozen=True):
    """`of` is between these, or NULL."""

    of: str
    low: int
    high: int


class Nulls(Struct, frozen=True):
    """`of` is NULL where one of the values is, and only there."""

    of: str
    values: tuple[Typed, ...]


def bounded(found: Typed, bounds: tuple[int, int] | None) -> Typed:
    """The same value, which is between these."""
    return found if bounds is None else msgspec.structs.replace(found, within=Within(found.sql, *bounds))


def strictly(found: Typed, operands: Sequence[Typed]) -> Typed:
    """What is made of operands, where it is NULL for those that are NULL and for no other."""
    if not found.nullable:
        return found
    sources = {source.sql: source for operand in operands for source in operand.null_with}
    return msgspec.structs.replace(found, nulls=Nulls(found.sql, tuple(sources.values())))


def case_text(tests: Sequence[str], values: Sequence[str]) -> str:
    """CASE WHEN test THEN value … END; one value more is that of ELSE."""
    branches = " ".join(f"WHEN {test} THEN {value}" for test, value in zip(tests, values, strict=False))
    last = f" ELSE {values[-1]}" if len(values) > len(tests) else ""
    return f"CASE {branches}{last} END"


_SHORT: Final = 60
"""Characters of an operand that need not have a name."""
LONG: Final = 200
"""Characters of an operand that must have one if it stands several times."""


def over_names(values: Sequence[Typed], write: Callable[[Sequence[Typed]], str]) -> str:
    """What `write` makes of values, each of which it may repeat: by names where one of them stands once or is long."""
    if any(value.stands_once or len(value.sql) > LONG for value in values):
        return by_names(values, write)
    return write(values)


def by_names(values: Sequence[Typed], write: Callable[[Sequence[Typed]], str]) -> str:
    """What `write` makes of names for values, which DuckDB computes once. A literal or a column is its own name."""
    names = {i: f"o{i}" for i, value in enumerate(values) if value.stands_once or _needs_name(value)}
    if not names:
        return write(values)
    named = [
        msgspec.structs.replace(value, sql=names[i], stands_once=False) if i in names else value
        for i, value in enumerate(values)
    ]
    return f"invoke(lambda {', '.join(names.values())}: {write(named)}, {', '.join(values[i].sql for i in names)})"


def _needs_name(value: Typed) -> bool:
    """Of more than a column: it is long, or may be a query or an aggregate, neither of which may stand in a lambda.
    Each name costs time in lambdas that are nested."""
    return not value.is_literal and (len(value.sql) > _SHORT or "(" in value.sql)


def null_of(sql_type: SqlType) -> Typed:
    return Typed(f"CAST(NULL AS {duck_type(sql_type)})", sql_type)


def cast_text(sql: str, sql_type: SqlType) -> str:
    return f"CAST({sql} AS {duck_type(sql_type)})"


def text_literal(value: str) -> str:
    """A string literal in its stored form; NUL cannot stand in DuckDB text, so it is put together."""
    value = to_stored(value)
    if "\0" in value:
        return "(" + " || chr(0) || ".join(quote_literal(part) for part in value.split("\0")) + ")"
    return quote_literal(value)


class RegisteredFunction(Struct, frozen=True):
    """A Python function over stored values that the query calls under `name`; types are DuckDB's names. `is_volatile`:
    it may give another value, or do something, at each call. All others DuckDB may call once for equal arguments, ahead
    of the rows, and in windows, which take no volatile function. `is_bare`: it raises nothing, and is called as it
    is."""

    name: str
    function: Callable[..., Any]
    arguments: tuple[str, ...] = ()
    result: str = "VARCHAR"
    is_volatile: bool = False
    is_bare: bool = False


class LocalSource(Struct, frozen=True):
    """Rows handed to DuckDB for one query: `load(frame)` returns the LocalTable."""

    name: str
    load: Callable[[Any], Any]


class DirectQuery(Protocol):
    """A query that needs no DuckDB."""

    def __call__(self, frame: Any) -> list[tuple[Any, ...]] | None:
        """Its rows, or None when that cannot be done now."""

    def limited(self) -> DirectQuery:
        """The same, of which one row is enough."""


class TranslatedQuery(Struct, frozen=True):
    """One DuckDB statement, as text and with the relations it reads marked. `tables` are the storage names
    read; `columns` describe the result, `origins` tells which table column each one is. `lazily` translates
    again with constant parts left inside; `reads` is what the user must have rights on (security.reads),
    `tell_lines` is called when it runs (running_lines). `is_simple` tells a query over stored tables only,
    `is_plain` one whose values need no decoding, `inlines` one that has bodies of scalar functions in it."""

    sql: str
    marked: MarkedSql
    columns: tuple[ResultColumn, ...]
    parameters: tuple[Parameter, ...] = ()
    tables: frozenset[str] = frozenset()
    locals: tuple[LocalSource, ...] = ()
    functions: tuple[RegisteredFunction, ...] = ()
    origins: tuple[tuple[str, str] | None, ...] = ()
    reads_broker: bool = False
    reads: tuple[Any, ...] = ()
    tell_lines: tuple[Callable[[], None], ...] = ()
    lazily: list[Callable[[], TranslatedQuery]] = field(default_factory=list)
    is_simple: bool = False
    is_plain: bool = False
    inlines: bool = False
    floats: tuple[int, ...] = ()
    """Columns of float: DuckDB adds up to infinity, which is an overflow here."""
    direct: DirectQuery | None = None
    render: Callable[[list[tuple[Any, ...]]], str | None] | None = None
    """What its FOR clause makes of the rows of the query without it."""

    def within(self, before: str, after: str) -> TranslatedQuery:
        """The same query with SQL around it."""
        marked = self.marked.within(before, after)
        return msgspec.structs.replace(self, sql=marked.plain(), marked=marked, direct=None)

    def in_one_thread(self) -> TranslatedQuery:
        """The same query, for which DuckDB takes one thread."""
        again = [lambda: self.lazily[0]().in_one_thread()] if self.lazily else []
        one = self.within("", AS_FOUND)
        return msgspec.structs.replace(one, lazily=again, direct=self.direct)

    def limited(self) -> TranslatedQuery:
        """The same query, of which one row is enough."""
        again = [lambda: self.lazily[0]().limited()] if self.lazily else []
        return msgspec.structs.replace(
            self.within("SELECT 1 FROM (", ") LIMIT 1"),
            columns=self.columns[:1],
            is_plain=True,
            floats=(),
            lazily=again,
            direct=None if self.direct is None else self.direct.limited(),
        )


def has_literals(sql_type: SqlType) -> bool:
    """Whether `literal` can write the constants of a type."""
    return sql_type.name not in ("datetimeoffset", "sql_variant")


def literal(value: Any, sql_type: SqlType) -> str:
    """A constant of the given type as DuckDB text."""
    if value is None:
        return f"CAST(NULL AS {duck_type(sql_type)})"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        plain = sql_type == INT and value > -(2**31)  # of which DuckDB negates a BIGINT
        return str(value) if plain else f"CAST({value} AS {duck_type(sql_type)})"
    if isinstance(value, str):
        return text_literal(value)
    if isinstance(value, Decimal):  # DuckDB reads no 1E-8 as a decimal that has digits behind the point only
        return f"CAST('{value:f}' AS {duck_type(sql_type)})"
    if isinstance(value, uuid.UUID | float):
        return f"CAST('{value}' AS {duck_type(sql_type)})"
    if isinstance(value, bytes):
        return f"from_hex('{value.hex()}')"
    if in_ticks(sql_type):
        return f"CAST({to_store(value, sql_type)} AS BIGINT)"
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return f"CAST('{value.isoformat()}' AS {duck_type(sql_type)})"
    raise AssertionError(f"no literal of {sql_type}")
