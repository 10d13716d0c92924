"""Rows of a join without DuckDB: each row so far meets those that the next source has for it.

Decides when there are too many, and that all are of one moment. It must not know how the order of the sources was
found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from msgspec import Struct, field

from sbql.engine.direct.listed_keys import ByKeys
from sbql.engine.direct.query_rows import QueryRows
from sbql.engine.direct.shape import Value
from sbql.engine.direct.sources import (
    FEW,
    ByGroup,
    ByKey,
    InMemory,
    Row,
    TriggerRows,
)
from sbql.engine.scalars.scope import Frame

__all__ = ["ConstantRows", "JoinRows", "Met", "Source", "tables_of"]

_LOOKS: Final = 4
"""Queries for rows of a source that are not in memory: DuckDB has more of them sooner."""
_PAIRS: Final = 4_000
"""Of rows that are looked through. DuckDB joins more of them sooner."""
_TRIES: Final = 3
_PAUSE: Final = 64


class ConstantRows(Struct, frozen=True):
    """Rows of values that need no row."""

    values: tuple[tuple[Callable[[Frame], Any], ...], ...]

    def look(self, frame: Frame, wanted: Sequence[Any]) -> list[Row]:
        return [(0, [value(frame) for value in row]) for row in self.values]


Source = ByKey | ByGroup | InMemory | TriggerRows | ConstantRows | QueryRows


def tables_of(source: Any) -> tuple[str, ...]:
    """The storage names of the tables of a source that others may write."""
    if isinstance(source, ByKey | ByKeys | ByGroup):
        return (source.storage,)
    if isinstance(source, QueryRows):
        return source.query.tables
    return source.tables if isinstance(source, JoinRows) else ()


class Met(Struct, frozen=True):
    """A source at its turn: its columns begin at `place`, and `wanted` of the rows so far is what it is asked for."""

    source: Source
    place: int
    width: int
    wanted: tuple[Value, ...]
    is_target: bool
    is_outer: bool
    on: Value | None = None

    def met(self, frame: Frame, found: Sequence[Row]) -> Iterator[tuple[Row, list[Row]]]:
        """Each row so far, and what the source has for it. Raises NotAtHand, TooManyRows."""
        store, wanted = frame.session.store, self.wanted
        most = store.looks + _LOOKS
        matches: list[Row] | None = []
        for i, row in enumerate(found):
            if wanted or i == 0:  # the same for each row, where nothing of it is wanted
                is_late = store.looks > most
                matches = None if is_late else self.source.look(frame, [value(frame, row[1]) for value in wanted])
            if matches is None:
                raise NotAtHand
            if not wanted and len(matches) * len(found) > _PAIRS:
                raise TooManyRows
            yield row, matches

    def beside(self, frame: Frame, found: list[Row]) -> list[Row]:
        """The rows so far with those of the source. Raises NotAtHand, TooManyRows."""
        start, end, on = self.place, self.place + self.width, self.on
        more: list[Row] = []
        for row, matches in self.met(frame, found):
            before = len(more)
            for row_id, image in matches:
                values = [*row[1]]
                values[start:end] = image
                if on is None or on(frame, values):
                    more.append((row_id if self.is_target else row[0], values))
            if self.is_outer and len(more) == before:
                more.append(row)
            if len(more) > FEW:
                raise TooManyRows
        return more


class NotAtHand(Exception):
    """Rows that are not in memory: DuckDB is asked."""


class TooManyRows(NotAtHand):
    """There are more than DuckDB joins sooner."""


class _Patience(Struct):
    """Of one statement that has found too many rows again and again: it tries only now and then."""

    lost: int = 0
    pause: int = 0

    def is_left(self) -> bool:
        self.pause = max(0, self.pause - 1)
        return self.pause == 0

    def lose(self) -> None:
        self.lost += 1
        if self.lost >= _TRIES:
            self.pause = _PAUSE


class JoinRows(Struct, frozen=True):
    """The row id of each is the target's, None where an outer join leaves it out; 0 without a target. `tables` are the
    storage names of those that others may write."""

    met: tuple[Met, ...]
    width: int
    has_target: bool
    tables: tuple[str, ...]
    patience: _Patience = field(default_factory=_Patience)

    def rows(self, frame: Frame) -> list[Row] | None:
        """None: ask DuckDB, also where a commit is on its way or has begun meanwhile, so that all are of one moment."""
        if not self.patience.is_left():
            return None
        try:
            found = self._rows(frame) if not self.tables else self._rows_of_one_moment(frame)
        except NotAtHand as error:
            if isinstance(error, TooManyRows):
                self.patience.lose()
            return None
        self.patience.lost = 0
        return found

    def _rows_of_one_moment(self, frame: Frame) -> list[Row] | None:
        cache = frame.session.instance.store.feed.rows
        begun = cache.begun(self.tables)
        found = None if begun is None else self._rows(frame)
        return found if cache.begun(self.tables) == begun else None

    def _rows(self, frame: Frame) -> list[Row]:
        no_id: Any = None if self.has_target else 0
        found: list[Row] = [(no_id, [None] * self.width)]
        for one in self.met:
            if not found:
                return found
            found = one.beside(frame, found)
        return found
