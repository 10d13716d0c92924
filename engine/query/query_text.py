"""What a translated query is: its text, its columns, and how it is read as a table.

Columns of every translated query are called c1, c2, … in the text, so that T-SQL names (doubles, blanks, other letter
case) never meet DuckDB's rules. How a query is translated is `queries.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct, field

from sbql.engine.query.names import Relation, RelationColumn
from sbql.engine.tables.comparison_keys import order_key
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT, NULL_TYPE, SqlType

__all__ = ["OrderTerm", "OutputColumn", "QueryText", "Tail", "derived_relation", "output_columns", "settled"]


class OutputColumn(Struct, frozen=True):
    """`name` is '' without alias; `value` the typed expression inside the query. `is_json`: its text is JSON already,
    of JSON_QUERY and its like."""

    name: str
    value: Typed
    is_json: bool = False

    @property
    def type(self) -> SqlType:
        return self.value.type

    @property
    def nullable(self) -> bool:
        return self.value.nullable


class OrderTerm(Struct, frozen=True):
    value: Typed
    descending: bool

    @property
    def sql(self) -> str:
        """NULL counts as the smallest value."""
        return f"{order_key(self.value)} {'DESC NULLS LAST' if self.descending else 'ASC NULLS FIRST'}"


class QueryText(Struct, frozen=True):
    """A translated query. `order` is filled instead of ORDER BY when the caller asked for it: then the text has columns
    o1, o2, … to sort by."""

    sql: str
    columns: tuple[OutputColumn, ...]
    order: tuple[str, ...] = ()


class Tail(Struct):
    """What stands after a query specification."""

    order_by: Sequence[ast.OrderItem] = ()
    offset: ast.Expression | None = None
    fetch: ast.Expression | None = None
    keeps_order_apart: bool = False
    extra: Callable[[], str] | None = None
    prefix: str = field(default="")


def output_columns(query: QueryText, alias: str) -> list[Typed]:
    """The columns of a query seen from outside, where it is called `alias`."""
    return [Typed(f"{alias}.c{i}", c.type, c.nullable, c.value.rank) for i, c in enumerate(query.columns, 1)]


def settled(sql_type: SqlType) -> SqlType:
    """The type that a column has for a query outside: one of bare NULLs is an int."""
    return INT if sql_type.name == NULL_TYPE.name else sql_type


def derived_relation(
    query: QueryText, alias: str, names: tuple[ast.Identifier, ...], sql_alias: str, span: ast.Span
) -> Relation:
    """The relation of a query used as a table. Raises 8155, 8156, 8158, 8159."""
    columns = query.columns
    if names and len(names) < len(columns):
        raise sql_error(8158, alias, span=span)
    if len(names) > len(columns):
        raise sql_error(8159, alias, span=span)
    seen: set[str] = set()
    found = []
    for position, column in enumerate(columns):
        name = names[position].value if names else column.name
        if not name:
            raise sql_error(8155, position + 1, alias, span=span)
        if name.lower() in seen:
            raise sql_error(8156, name, alias, span=span)
        seen.add(name.lower())
        found.append(
            RelationColumn(
                name, settled(column.type), f"{sql_alias}.c{position + 1}", column.nullable, rank=column.value.rank
            )
        )
    return Relation(alias, tuple(found))
