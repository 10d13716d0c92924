"""A result set on its way to the client: what SET TEXTSIZE cuts off, and the count that follows.

It must not know where rows come from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.engine.outcomes import ResultColumn, ResultSet, RowsAffected
from sbql.engine.ports import Session
from sbql.engine.scalars.warnings_told import tell_warnings
from sbql.grammar.types import MAX

__all__ = ["show_rows"]

_LARGE = frozenset({"varchar", "nvarchar", "varbinary"})
_OLD_LARGE = frozenset({"text", "ntext", "image"})
_WIDE = frozenset({"nvarchar", "ntext"})


def show_rows(session: Session, columns: Sequence[ResultColumn], rows: list[tuple[Any, ...]]) -> RowsAffected:
    """Hand a whole result to the client. Returns how many rows it has, as what the statement has done."""
    options = session.options
    count = len(rows)
    if options.textsize >= 0 and rows:
        rows = _cut(columns, rows, options.textsize)
    session.emit(ResultSet(columns, rows))
    tell_warnings(session)
    return RowsAffected(count, "SELECT")


def _cut(columns: Sequence[ResultColumn], rows: list[tuple[Any, ...]], size: int) -> list[tuple[Any, ...]]:
    """TEXTSIZE counts bytes of (max) columns; a character of nvarchar(max) has two."""
    limits = []
    for column in columns:
        name = column.type.name
        is_large = name in _OLD_LARGE or (name in _LARGE and column.type.length == MAX)
        limits.append((size // 2 if name in _WIDE else size) if is_large else None)
    if not any(limit is not None for limit in limits):
        return rows
    return [
        tuple([v if limit is None or v is None else v[:limit] for v, limit in zip(row, limits, strict=True)])
        for row in rows
    ]
