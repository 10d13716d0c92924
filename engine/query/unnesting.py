"""Rows made from values: a function that lists rows, as a relation of the query.

Decides where its arguments are translated and how its rows become columns: DuckDB gets a list for each
column, or one of all values where texts can hold them, and unnests them, for an object of each row would be
made in one call that nothing can cancel. Which functions there are is `rowsets.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Final

from sbql.catalog.duck_types import decoder, duck_type, encoder
from sbql.catalog.parallelism import SERIAL
from sbql.engine.query.context import Context
from sbql.engine.query.few_rows import has_few_rows
from sbql.engine.query.names import Relation, RelationColumn
from sbql.engine.query.registered import call_text, packed, whole_type
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.checkpoints import checked_rows

__all__ = [
    "Rows",
    "expose",
    "exposed_name",
    "named_columns_of",
    "of_list",
    "place",
    "unnested",
    "unnested_values",
    "zipped",
]

Columns = Sequence[tuple[str, SqlType]]
Rows = Sequence[tuple[Any, ...]]
Change = Callable[[Any], Any] | None
_FLAT: Final = frozenset({"VARCHAR[]", "UTINYINT[]", "SMALLINT[]", "INTEGER[]", "BIGINT[]"})
"""Lists of columns that can pass as one list of texts."""


def place(cx: Context) -> Context:
    """Where the arguments of a table function are translated: they see their neighbours only under APPLY."""
    return Context(cx.statement, cx.level if cx.is_lateral else cx.derived().level, "FROM", is_lateral=cx.is_lateral)


def unnested(
    what: Any,
    function: Callable[..., Rows],
    arguments: Sequence[Typed],
    columns: Columns,
    exposed: str,
    cx: Context,
    span: ast.Span,
    native: str | None = None,
    *,
    is_pure: bool = False,
) -> str:
    """A relation of the rows that `function` lists, with values in the order of `columns`. Values go in and come out
    as Python has them. One that `is_pure` looks at nothing but its arguments. `native` is the list that DuckDB makes
    of t, the first argument, NULL where the function has to. It is for rows of tables: of a constant or of few rows
    the calls take less than DuckDB's look at so long a text."""
    statement = cx.statement
    ducks = [duck_type(a.type) for a in arguments]
    types = [whole_type(t) for t in (*(a.type for a in arguments), *(kind_ for _, kind_ in columns))]
    lists = [f"{duck_type(kind_)}[]" for _, kind_ in columns]
    is_flat = len(lists) > 1 and _FLAT.issuperset(lists)
    result = "VARCHAR[]" if is_flat else lists[0] if len(lists) == 1 else _struct_of(lists)
    function = _over_stored(function, [a.type for a in arguments])
    if cx.keeps_left:
        function = _at_least(function, (None,) * len(columns))
    width = len(columns)
    changes = [encoder(kind_) for _, kind_ in columns]
    if is_flat:
        are_texts = [duck == "VARCHAR[]" for duck in lists]
        texts_of = [c if is_text else _digits(c) for c, is_text in zip(changes, are_texts, strict=True)]
        function = _in_one_list(function, texts_of)
    else:
        function = _by_column(function, changes)
    digest = hashlib.blake2b(repr((what, types, result, cx.keeps_left)).encode(), digest_size=8).hexdigest()
    # Volatile, so that DuckDB joins the rows of each call in the order of the list.
    known = packed(f"{'sbql' if is_pure else SERIAL}_rows_{digest}", function, ducks, result, is_volatile=True)
    statement.use_function(known)
    texts = [a.sql for a in arguments]
    if native is not None and (arguments[0].constant is not None or has_few_rows(cx)):
        native = None
    call = call_text(known, texts if native is None else ["t", *texts[1:]])
    if is_flat:
        call = zipped(call, [_every(i, width, duck) for i, duck in enumerate(lists, 1)])
    elif width > 1:
        call = zipped(call, [f"l.c{i}" for i in range(1, width + 1)])
    if native is not None:
        call = f"invoke(lambda t: CASE WHEN t IS NULL THEN NULL ELSE coalesce({native}, {call}) END, {texts[0]})"
        call = f"coalesce(nullif({call}, []), [NULL])" if cx.keeps_left else call
    return of_list(call, columns, exposed, cx, span)


def unnested_values(
    what: Any,
    function: Callable[..., Sequence[Any]],
    arguments: Sequence[Typed],
    column: tuple[str, SqlType],
    exposed: str,
    cx: Context,
    span: ast.Span,
) -> str:
    """A relation of one column, whose values `function` lists as they are stored."""
    ducks = [duck_type(a.type) for a in arguments]
    types = [whole_type(t) for t in (*(a.type for a in arguments), column[1])]
    function = _over_stored(function, [a.type for a in arguments])
    if cx.keeps_left:
        function = _at_least(function, None)
    digest = hashlib.blake2b(repr((what, types, cx.keeps_left)).encode(), digest_size=8).hexdigest()
    # Volatile, so that DuckDB joins the rows of each call in the order of the list.
    known = packed(f"{SERIAL}_values_{digest}", function, ducks, f"{duck_type(column[1])}[]", is_volatile=True)
    cx.statement.use_function(known)
    return of_list(call_text(known, [a.sql for a in arguments]), [column], exposed, cx, span)


def _struct_of(lists: Sequence[str]) -> str:
    return f"STRUCT({', '.join(f'c{i} {duck}' for i, duck in enumerate(lists, 1))})"


def _every(first: int, width: int, duck: str) -> str:
    """The list of a column out of the one of all columns."""
    column = f"l[{first}:-:{width}]"
    return column if duck == "VARCHAR[]" else f"CAST({column} AS {duck})"


def zipped(made: str, lists: Sequence[str]) -> str:
    """The list of structs of `lists`, texts over the value l of the text `made`, which is computed once."""
    return f"list_transform([{made}], lambda l: list_zip({', '.join(lists)}))[1]"


def of_list(rows: str, columns: Columns, exposed: str, cx: Context, span: ast.Span) -> str:
    """A relation of a list: of values for one column, of structs for more. Under APPLY DuckDB keeps the
    order of a list that it unnests."""
    alias = cx.statement.alias()
    values = (
        [f"{alias}.s"] if len(columns) == 1 else [f"struct_extract({alias}.s, {i + 1})" for i in range(len(columns))]
    )
    expose(exposed, columns, values, cx, span)
    return f"(SELECT unnest({rows}) AS s) AS {alias}"


def expose(exposed: str, columns: Columns, values: Sequence[str], cx: Context, span: ast.Span) -> None:
    """The relation's columns are known under their names from here on."""
    shown = tuple(RelationColumn(name, kind_, sql) for (name, kind_), sql in zip(columns, values, strict=True))
    cx.level.add(Relation(exposed, shown), span)


def _over_stored(function: Callable[..., Any], arguments: Sequence[SqlType]) -> Callable[..., Any]:
    """The function over stored values. Text of ASCII is stored as it is."""
    odd = [(place, decode) for place, t in enumerate(arguments) if (decode := decoder(t)) is not None]
    if not odd:
        return function

    if len(arguments) == 1:
        decode_one = odd[0][1]
        return lambda stored: function(stored if stored is None else decode_one(stored))

    def call(*stored: Any) -> Any:
        values = list(stored)
        for place, decode in odd:
            if values[place] is not None:
                values[place] = decode(values[place])
        return function(*values)

    return call


def _at_least(function: Callable[..., Rows], row: Any) -> Callable[..., Rows]:
    return lambda *values: function(*values) or [row]


def _by_column(function: Callable[..., Rows], changes: Sequence[Change]) -> Callable[..., Any]:
    """A list for each column, of what its values are stored as."""
    places = [(f"c{i + 1}", i, change) for i, change in enumerate(changes)]
    if len(places) == 1:
        change = changes[0]
        return lambda *stored: _column(function(*stored), 0, change)

    def call(*stored: Any) -> dict[str, list[Any]]:
        rows = function(*stored)
        return {name: _column(rows, place, change) for name, place, change in places}

    return call


def _column(rows: Rows, place: int, change: Change) -> list[Any]:
    if change is None:
        return [row[place] for row in checked_rows(rows, 4096)]
    return [v if (v := row[place]) is None else change(v) for row in checked_rows(rows)]


def _in_one_list(function: Callable[..., Rows], changes: Sequence[Change]) -> Callable[..., Any]:
    """The values row by row, whole numbers as texts: DuckDB takes a list of texts five times as fast as lists in a
    struct."""
    width = len(changes)
    changing = [(place, change) for place, change in enumerate(changes) if change is not None]

    def call(*stored: Any) -> list[str | None]:
        found: list[Any] = []
        for row in checked_rows(function(*stored), 4096):
            found += row[:width]
        for i, change in changing:
            found[i::width] = [None if v is None else change(v) for v in checked_rows(found[i::width], 4096)]
        return found

    return call


def _digits(change: Change) -> Callable[[Any], str]:
    """Of what a value is stored as, a whole number."""
    return (lambda value: str(int(value))) if change is None else (lambda value: str(int(change(value))))


def named_columns(columns: Columns, names: tuple[ast.Identifier, ...], exposed: str, span: ast.Span) -> Columns:
    """The columns under the names of an alias list. Raises 8158, 8159."""
    if not names:
        return columns
    if len(names) != len(columns):
        raise sql_error(8158 if len(columns) > len(names) else 8159, exposed, span=span)
    return [(name.value, kind_) for name, (_, kind_) in zip(names, columns, strict=True)]


def named_columns_of(columns: Columns, node: ast.FunctionTable) -> Columns:
    """The columns of a table function under the names of its alias."""
    return named_columns(columns, node.columns, exposed_name(node), node.span)


def exposed_name(node: ast.FunctionTable) -> str:
    return node.alias.value if node.alias is not None else node.name.name
