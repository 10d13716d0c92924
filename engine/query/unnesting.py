"""Rows made from values: a function that lists structs, as a relation of the query.

Decides where its arguments are translated and how its rows become columns; DuckDB unnests the list. Which functions
there are is `rowsets.py`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from sbql.catalog.duck_types import decoder, duck_type, encoder
from sbql.engine.query.context import Context
from sbql.engine.query.names import Relation, RelationColumn
from sbql.engine.query.registered import call_text, packed
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType

__all__ = ["Columns", "exposed_name", "named_columns", "named_columns_of", "place", "unnested"]

Columns = Sequence[tuple[str, SqlType]]


def place(cx: Context) -> Context:
    """Where the arguments of a table function are translated: they see their neighbours only under APPLY."""
    return Context(cx.statement, cx.level if cx.is_lateral else cx.derived().level, "FROM", is_lateral=cx.is_lateral)


def unnested(
    what: Any,
    function: Callable[..., Any],
    arguments: Sequence[Typed],
    columns: Columns,
    exposed: str,
    cx: Context,
    span: ast.Span,
) -> str:
    """A relation of the structs that `function` lists: keys c1, c2, … in the order of `columns`. Values go in and come out
    as Python has them."""
    statement = cx.statement
    fields = ", ".join(f"c{i} {duck_type(kind_)}" for i, (_, kind_) in enumerate(columns, 1))
    ducks = [duck_type(a.type) for a in arguments]
    function = _over_stored(function, [a.type for a in arguments], [kind_ for _, kind_ in columns])
    if cx.keeps_left:
        function = _at_least_one(function)
    digest = hashlib.blake2b(repr((what, ducks, fields, cx.keeps_left)).encode(), digest_size=8).hexdigest()
    # Volatile, so that DuckDB joins the rows of each call in the order of the list.
    known = packed(f"sbql_rows_{digest}", function, ducks, f"STRUCT({fields})[]", is_volatile=True)
    statement.use_function(known)
    alias = statement.alias()
    shown = tuple(
        RelationColumn(name, kind_, f"struct_extract({alias}.s, 'c{i}')") for i, (name, kind_) in enumerate(columns, 1)
    )
    cx.level.add(Relation(exposed, shown), span)
    return f"(SELECT unnest({call_text(known, [a.sql for a in arguments])}) AS s) AS {alias}"


def _over_stored(
    function: Callable[..., Any], arguments: Sequence[SqlType], columns: Sequence[SqlType]
) -> Callable[..., Any]:
    """The function over stored values. Text of ASCII is stored as it is."""
    decoders = [decoder(t) for t in arguments]
    encoders = [(f"c{i}", encode) for i, t in enumerate(columns, 1) if (encode := encoder(t)) is not None]

    def call(*stored: Any) -> Any:
        values = [v if v is None or d is None else d(v) for v, d in zip(stored, decoders, strict=False)]
        rows = function(*values)
        for key, encode in encoders:
            for row in rows:
                value = row[key]
                if value is not None:
                    row[key] = encode(value)
        return rows

    return call


def _at_least_one(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *values: function(*values) or [None]


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
