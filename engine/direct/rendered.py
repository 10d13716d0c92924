"""FOR XML and FOR JSON over rows that need no DuckDB: what their clause makes of them is Python's in any case.

Decides nothing but that. It must not know where the rows come from, nor what is made of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct

from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar.errors import SqlError

__all__ = ["with_rendered_rows"]


class _Rendered(Struct, frozen=True):
    """A FOR clause over rows that need no DuckDB."""

    rows: Callable[[Frame], list[tuple[Any, ...]] | None]
    render: Callable[[list[tuple[Any, ...]]], str | None]

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        try:
            found = self.rows(frame)
            return None if found is None else [(self.render(found) if found else None,)]
        except SqlError:
            return None

    def limited(self) -> _Rendered:
        return self


def with_rendered_rows(found: TranslatedQuery, rows: TranslatedQuery) -> TranslatedQuery:
    """`found` has the FOR clause of which `rows` are the rows."""
    if rows.direct is None or found.render is None:
        return found
    return msgspec.structs.replace(found, direct=_Rendered(rows.direct, found.render))
