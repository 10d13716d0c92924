"""A result set on its way to the client, whole or in parts: what SET TEXTSIZE and SET ROWCOUNT
cut off, and the count that follows.

It must not know where rows come from.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from typing import Any

from sbql.catalog.changes import Page
from sbql.engine.outcomes import MoreRows, ResultColumn, ResultSet, RowsAffected
from sbql.engine.ports import Session
from sbql.engine.scalars.warnings_told import tell_warnings
from sbql.grammar.types import MAX

__all__ = ["show_pages", "show_rows"]

_LARGE = frozenset({"varchar", "nvarchar", "varbinary"})
_OLD_LARGE = frozenset({"text", "ntext", "image"})
_WIDE = frozenset({"nvarchar", "ntext"})


def show_rows(session: Session, columns: Sequence[ResultColumn], rows: list[tuple[Any, ...]]) -> RowsAffected:
    """Hand a whole result to the client. Returns how many rows it has, as what the statement has done."""
    session.emit(ResultSet(columns, _cut(columns, rows, session.options.textsize)))
    tell_warnings(session)
    return RowsAffected(len(rows), "SELECT")


def show_pages(session: Session, columns: Sequence[ResultColumn], pages: Generator[Page]) -> RowsAffected:
    """As `show_rows`, for a sink that takes results in parts: rows go out as the query gives them.
    What fails then comes behind them."""
    size, most = session.options.textsize, session.options.rowcount
    count = 0
    with closing(pages):
        for rows, goes_on in pages:
            if most and count + len(rows) >= most:
                rows, goes_on = rows[: most - count], False
            is_first, count = count == 0, count + len(rows)
            shown = _cut(columns, rows, size)
            session.emit(ResultSet(columns, shown, goes_on) if is_first else MoreRows(shown, goes_on))
            if not goes_on:
                break
            del rows, shown
            session.check_cancelled()
    tell_warnings(session)
    return RowsAffected(count, "SELECT")


def _cut(columns: Sequence[ResultColumn], rows: list[tuple[Any, ...]], size: int) -> list[tuple[Any, ...]]:
    """TEXTSIZE counts bytes of (max) columns; a character of nvarchar(max) has two. Below 0: nothing is cut off."""
    if size < 0 or not rows:
        return rows
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
