"""Queries without FROM as queries that need no DuckDB: their one row, or none, by a condition.

Decides which of them say the same so. It must not know what is done with the row.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from sbql.engine.ports import Session
from sbql.engine.query.one_row import is_one_row
from sbql.engine.scalars.expressions import compile_condition, compile_scalar
from sbql.engine.scalars.scope import Frame, Scope
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import walk

__all__ = ["with_one_row"]


class _OneRow(Struct, frozen=True):
    """The row of a query without FROM, or none, by its condition."""

    where: Callable[[Frame], Any] | None
    values: tuple[Callable[[Frame], Any], ...]

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        try:
            if self.where is not None and not self.where(frame):
                return []
            return [tuple([value(frame) for value in self.values])]
        except SqlError:
            return None

    def limited(self) -> _OneRow:
        return self


def with_one_row(
    query: ast.QueryExpression, body: ast.QuerySpecification, found: TranslatedQuery, scope: Scope, session: Session
) -> TranslatedQuery:
    """A value of a sequence, which would be gone when DuckDB is asked after all, is DuckDB's; so are two queries, which
    would see two moments."""
    if session.options.deviations or not is_one_row(query, None):
        return found
    if any(isinstance(part, ast.NextValueFor) for part in walk(body)):
        return found
    if sum(isinstance(part, ast.QueryExpression) for part in walk(body)) > 1:
        return found
    try:
        scalars = [compile_scalar(item.expression, scope) for item in body.items if isinstance(item, ast.SelectColumn)]
        where = None if body.where is None else compile_condition(body.where, scope)
    except SqlError:
        return found
    if [scalar.type for scalar in scalars] != [column.type for column in found.columns]:
        return found
    return msgspec.structs.replace(found, direct=_OneRow(where, tuple(scalar.run for scalar in scalars)))
