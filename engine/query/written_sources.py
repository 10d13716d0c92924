"""The nodes of table sources that only writes and locks use; no text parses to them.

They say what is wanted of a source beside its columns: the row id, or a base table's row carried along. What FROM text
they become is `writable_query.py`.
"""

from __future__ import annotations

from typing import Any, ClassVar

from sbql.catalog.changes import ROW_ID
from sbql.grammar.ast import (
    Expression,
    Identifier,
    NamedTable,
    ObjectName,
    QueryExpression,
    TableSource,
    VariableTable,
    WithClause,
)
from sbql.grammar.ast.base import node

__all__ = ["BASE", "NewRows", "TableWithRowId", "WritableQuery"]

BASE = "$base."
"""In front of the name of a base table's column that a query carries along."""


@node
class TableWithRowId(TableSource):
    """A table of FROM whose row id can be asked for by name; no text parses to it. With `images` it
    stands for what others have written and not committed ("alone"), or for the table as it would be if they committed
    ("with rows")."""

    table: NamedTable | VariableTable
    row_id: str = ROW_ID
    images: str = ""


@node
class NewRows(TableSource):
    """The rows that a write is about to make of a table (a catalog record): `sql` gives them, with the names of its
    columns and their row ids. No text parses to it."""

    table: Any
    sql: str


@node
class WritableQuery(TableSource):
    """A query in FROM under `alias`, with hidden columns: the row id of the table that is written through it, and its
    columns by name (`base`). `is_checked`: only the rows whose ids are being checked. `name` is that of a view
    without an alias. No text parses to it."""

    CHECKED: ClassVar[int] = -1

    query: QueryExpression
    alias: Identifier
    columns: tuple[Identifier, ...]
    row_id: Expression
    base: tuple[tuple[str, Expression], ...]
    with_: WithClause | None = None
    module: Any = None
    is_checked: bool = False
    name: ObjectName | None = None
