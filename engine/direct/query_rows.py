"""Rows of a query in FROM that needs no DuckDB itself: groups, the first rows, joins.

Decides which queries do. It must not know what is asked of the rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol, runtime_checkable

from msgspec import Struct

from sbql.engine.direct.sources import Row
from sbql.engine.ports import Session
from sbql.engine.query.translation import translate_query
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.row_expressions import RowColumn
from sbql.grammar import ast
from sbql.grammar.tree import walk

__all__ = ["QueryRows", "query_rows"]

_DEEPEST: Final = 3
"""Queries in a query in FROM, each of which is translated once more for itself."""


@runtime_checkable
class _OfTables(Protocol):
    """A query without DuckDB, and the storage names of the tables in it that others may write."""

    tables: tuple[str, ...]

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None: ...


class QueryRows(Struct, frozen=True):
    """The rows of a query, in its order."""

    query: _OfTables

    def look(self, frame: Frame, wanted: Sequence[Any]) -> list[Row] | None:
        """All of them. None: ask DuckDB."""
        found = self.query(frame)
        return None if found is None else [(0, row) for row in found]


def query_rows(node: ast.DerivedTable, scope: Scope, session: Session) -> tuple[QueryRows, list[RowColumn]] | None:
    """The rows of a derived table and their columns; None where DuckDB has to find them. Raises SqlError."""
    if node.alias is None or node.query.for_:
        return None
    if sum(isinstance(part, ast.DerivedTable) for part in walk(node.query)) > _DEEPEST:
        return None
    found = translate_query(node.query, scope, session)
    if found.reads_broker or not isinstance(found.direct, _OfTables):
        return None
    names = [name.value for name in node.columns] or [column.name for column in found.columns]
    if len(names) != len(found.columns):
        return None
    alias = node.alias.value.lower()
    columns = [RowColumn(alias, name, column.type) for name, column in zip(names, found.columns, strict=True)]
    return QueryRows(found.direct), columns
