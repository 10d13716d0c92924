"""Keys of texts that are worked out where their table is read, and not above a join.

Decides of which tables the rows of a join have at most one each: those whose primary key ON says by other columns.
DuckDB computes what stands above a join for each of its rows, so the key by which a text of such a table is grouped or
ordered would be computed as often as the table is joined: it is a column of a query around the table instead. It must
not know what a key is made of.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from sbql.catalog.changes import ROW_ID
from sbql.catalog.duck_types import quote
from sbql.engine.query.context import Context
from sbql.engine.query.names import KeptKeys, Level, Relation
from sbql.engine.tables.typed_sql import Beside, Typed
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import column_equations, columns_in, conjuncts
from sbql.grammar.types import SqlType

__all__ = ["note_found_by_key", "with_keys", "with_kept_key"]


def note_found_by_key(on: ast.Condition, level: Level, first: int) -> None:
    """Mark the tables, from the relation `first` of the level on, of which ON finds one row at most for each row of the
    others."""
    given: dict[int, set[str]] = {}
    for test in conjuncts(on):
        for column, value in column_equations(test):
            if columns_in(value):
                try:
                    _, relation, known = level.column(column)
                except SqlError:
                    return  # said where it is translated
                given.setdefault(id(relation), set()).add(known.name.lower())
    for relation in level.relations[first:]:
        key = relation.address[1] if relation.address is not None else ()
        if key and {name.lower() for name in key} <= given.get(id(relation), set()):
            relation.is_found_by_key = True


def with_keys(visible: str, alias: str, relation: Relation, cx: Context) -> str:
    """The text of a stored table in FROM, around which stands what `with_kept_key` has asked for by the end."""

    kept = KeptKeys(alias)

    def text() -> str:
        keys = "".join(f", {key} AS {name}" for key, name in kept.names.items())
        return f"(SELECT *{keys} FROM {visible} AS {alias})" if keys else visible

    asks = cx.level.asks
    if not isinstance(asks, tuple) or not isinstance(asks[0].from_, ast.Join | ast.Apply):
        return f"{visible} AS {alias}"
    relation.kept_keys = kept
    return f"{cx.statement.later(text)} AS {alias}"


def with_kept_key(value: Typed, level: Level) -> Typed:
    """A column by which rows are grouped or ordered, with its keys as columns of its table if that is found by its
    primary key."""
    if not value.is_text or value.beside is not None:
        return value
    for relation in level.relations:
        kept = relation.kept_keys
        if relation.is_found_by_key and kept is not None and any(c.sql == value.sql for c in relation.columns):
            return msgspec.structs.replace(value, beside=Beside(value.sql, _keeper(value, kept)))
    return value


def _keeper(value: Typed, kept: KeptKeys) -> Callable[[Callable[[Typed], str], SqlType], str]:
    def key(make: Callable[[Typed], str], sql_type: SqlType) -> str:
        text = make(msgspec.structs.replace(value, type=sql_type))
        if text == value.sql:
            return text
        name = kept.names.setdefault(text, quote(f"{ROW_ID} {len(kept.names) + 1}"))
        return f"{kept.alias}.{name}"

    return key
