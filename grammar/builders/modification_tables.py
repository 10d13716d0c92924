"""Builders of INSERT, UPDATE, DELETE and MERGE as a table source, and where such a source may not stand.

It decides what SQL Server says about the text alone: places in FROM, clauses of the statement inside, clauses of the
SELECT around it. What the target of the INSERT may be is known only when names are.
"""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    DataModificationTable,
    DeleteStatement,
    Identifier,
    InsertStatement,
    QueryExpression,
    QuerySource,
    QuerySpecification,
    Span,
    TableSource,
    UpdateStatement,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.errors import sql_error
from sbql.grammar.syntax_errors import incorrect_syntax

__all__ = ["refuse_modification", "refuse_modification_query"]


@rule("modification_table")
def _modification_table(span: Span, statement: Any, alias: Identifier, columns: Any) -> DataModificationTable:
    """Raises 10716 to 10721 and 10731 for what the statement inside may not have."""
    if statement.with_ is not None:
        raise incorrect_syntax("WITH", "A statement in FROM has no WITH clause.", statement.span)
    if statement.output is None:
        raise sql_error(10716, span=statement.span)
    if statement.output.into is not None:
        raise sql_error(10720, span=statement.output.span)
    if statement.hints:
        raise sql_error(10718, span=statement.span)
    if isinstance(statement, UpdateStatement | DeleteStatement) and statement.current_of is not None:
        raise sql_error(10721, span=statement.span)
    if isinstance(statement, InsertStatement) and isinstance(statement.source, QuerySource):
        refuse_modification_query(statement.source.query, 10731)
    return DataModificationTable(statement, alias, columns or (), span=span)


def refuse_modification(number: int, *sources: TableSource | None) -> None:
    """Raises error `number` when one of the sources is a data modification."""
    for source in sources:
        if isinstance(source, DataModificationTable):
            raise sql_error(number, span=source.span)


def refuse_modification_query(node: Any, number: int) -> None:
    """The same for the FROM of a query."""
    query = node.query if isinstance(node, QueryExpression) else node
    if isinstance(query, QuerySpecification):
        refuse_modification(number, query.from_)
