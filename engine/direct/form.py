"""What a query is that needs no DuckDB: a source of rows, a condition, and what is made of them.

Decides when it gives up and DuckDB is asked: at every error, for which row fails first, and whether one does at all, is
the query's. It must not know which queries have such a form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from sbql.engine.direct.endpoints import EndpointRows
from sbql.engine.direct.join_rows import JoinRows, tables_of
from sbql.engine.direct.listed_keys import ByKeys
from sbql.engine.direct.lists import ListedNumbers, ListedParts
from sbql.engine.direct.nodes import JsonRows, NodeRows
from sbql.engine.direct.shape import Getter, Shape, Value
from sbql.engine.direct.sources import ByGroup, ByKey, InMemory, Row, TriggerRows
from sbql.engine.direct.transmissions import NoTransmissions
from sbql.engine.documents.xml_nodes import begin_nodes, end_nodes
from sbql.engine.scalars.scope import Frame
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar.errors import SqlError

__all__ = [
    "Direct", "DirectFirst", "DirectGroup", "DirectMatches", "DirectNodes", "Source", "direct_matches", "is_in_memory",
    "is_of_one_row",
]  # fmt: skip

Match = tuple[int, Sequence[Any], tuple[Any, ...]]
"""Row id, image, and what was asked beside it."""


Source = (
    ByKey | ByKeys | ByGroup | InMemory | TriggerRows | JoinRows | EndpointRows | NoTransmissions | NodeRows | JsonRows | ListedParts | ListedNumbers
)  # fmt: skip


class Direct(Struct, frozen=True):
    """`where` and `shape` are asked of the rows of `source`, with the values of `constants` behind the columns of each.
    `held` gives the ids of the rows that the statement has locked, if it has, `passed` of those that READPAST leaves
    out. `asks_all`: the condition may fail, as it does in DuckDB also for rows behind the first ones."""

    source: Source
    where: Value | None
    shape: Shape
    constants: tuple[Callable[[Frame], Any], ...] = ()
    held: Callable[[Frame], list[int] | None] | None = None
    passed: Callable[[Frame], list[int]] | None = None
    asks_all: bool = False

    @property
    def tables(self) -> tuple[str, ...]:
        """The storage names of those that others may write."""
        return tables_of(self.source)

    def rows(self, frame: Frame) -> Iterable[Row] | None:
        """Those of the source that are seen."""
        if self.held is None and self.passed is None and not self.constants:  # most often
            return self.source.rows(frame)
        passed = self.passed_by(frame)
        found = self.source.rows(frame)
        return None if found is None else self.seen(frame, found, passed)

    def passed_by(self, frame: Frame) -> list[int]:
        """What READPAST leaves out, asked before the rows: whoever gives up a lock has told of his commit before."""
        return [] if self.passed is None else self.passed(frame)

    def seen(self, frame: Frame, found: Iterable[Row], passed: Sequence[int]) -> Iterable[Row]:
        """These rows, with what is the same for each; of rows that the statement has locked no others. Raises SqlError
        for what is the same and fails, also where there is no row: DuckDB may need it for rows that are not met."""
        if self.held is not None and (held := self.held(frame)) is not None:
            found = [row for row in found if row[0] in held]
        if passed:
            found = [row for row in found if row[0] not in passed]
        if self.constants:
            more = [run(frame) for run in self.constants]
            return ((row_id, [*image, *more]) for row_id, image in found)
        return found

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        """The rows of the query; None: ask DuckDB."""
        try:
            found = self.rows(frame)
            if found is None:
                return None
            return self.shape.of(frame, self.left(frame, found))
        except SqlError:
            return None  # which row fails first, and whether one does at all, is the query's

    def left(self, frame: Frame, found: Iterable[Row]) -> Iterable[Row]:
        """Those that fulfil the condition. Raises SqlError."""
        where = self.where
        if where is None:
            return found
        left = (row for row in found if where(frame, row[1]))
        return [*left] if self.asks_all else left

    def first(self, frame: Frame, left: Iterable[Row]) -> Iterable[Row] | None:
        """Of rows that a write is to take, which is written through a query with TOP: the first ones. None: DuckDB says
        what is wrong with their number. Raises SqlError."""
        if self.shape.top is None:
            return left
        count = self.shape.top(frame)
        return None if count is None or count < 0 else islice(self.shape.ordered(left), count)

    def limited(self) -> Direct:
        return msgspec.structs.replace(self, shape=self.shape.limited())


class DirectFirst(Direct, frozen=True):
    """Of endpoints of which none is named. Not all of them are looked at: there have to be as many as TOP says."""

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        found = super().__call__(frame) if self.shape.top is not None else None
        return found if found is not None and len(found) == self._wanted(frame) else None

    def _wanted(self, frame: Frame) -> Any:
        return None if self.shape.top is None else self.shape.top(frame)


class DirectGroup(Direct, frozen=True):
    """Of rows with the same values. Not all of them have to be known where some or the first ones are enough."""

    def known(self, frame: Frame, count: int | None) -> tuple[Any, bool] | None:
        """Those that are seen and fulfil the condition, and whether these are all; so many rows are enough. None: ask
        DuckDB."""
        source, passed = self.source, self.passed_by(frame)
        assert isinstance(source, ByGroup)
        if count is not None and not self.shape.order and not self.asks_all:
            first = source.first(frame, count)
            found, is_whole = first if first is not None else (None, True)
        else:
            found, is_whole = source.rows(frame), True
        if found is None:
            return None
        return self.left(frame, self.seen(frame, found, passed)), is_whole

    def _count(self, frame: Frame) -> int | None:
        """How many rows TOP asks for; -1 if that is wrong."""
        if self.shape.top is None or not self.shape.takes_first:
            return None
        found = self.shape.top(frame)
        return -1 if found is None else int(found)

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        try:
            count = self._count(frame)
            known = None if count == -1 else self.known(frame, count)
            if known is None:
                return None
            found = self.shape.of(frame, known[0])
            return found if found is None or known[1] or self._is_enough(found, count) else None
        except SqlError:
            return None

    def matches(self, frame: Frame, most: int | None) -> list[Row] | None:
        """The rows that a write takes, which asks for so many; None: ask DuckDB. Raises SqlError."""
        count = self._count(frame)
        if count is not None and count < 0:
            return None
        most = count if most is None else most if count is None else min(count, most)
        known = self.known(frame, most)
        if known is None:
            return None
        found = [*islice(self.shape.ordered(known[0]), most)]
        return found if known[1] or self._is_enough(found, most) else None

    def _is_enough(self, found: Sequence[Any], wanted: int | None) -> bool:
        enough = len(found) == wanted
        assert isinstance(self.source, ByGroup)
        self.source.grouped.note(enough=enough)
        return enough


class DirectNodes(Direct, frozen=True):
    """Of nodes, which are there while it runs."""

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        before = begin_nodes()
        try:
            return super().__call__(frame)
        finally:
            end_nodes(before)


class DirectMatches(Struct, frozen=True):
    """The rows that a write searches, as they are, with `extras` beside each."""

    direct: Direct
    width: int
    extras: tuple[Getter, ...]

    def __call__(self, frame: Frame, most: int | None = None) -> list[Match] | None:
        """Each row once, and there may be more of them than are asked for; None: ask DuckDB."""
        direct, extras, width = self.direct, self.extras, self.width
        try:
            if isinstance(direct, DirectGroup):
                found: Iterable[Row] | None = direct.matches(frame, most)
            else:
                found = direct.rows(frame)
                if found is not None:
                    found = direct.first(frame, direct.left(frame, found))
            if found is None:
                return None
            if isinstance(direct.source, JoinRows):
                found = _each_once(found)
            if direct.constants or isinstance(direct.source, JoinRows):
                return [
                    (
                        row_id,
                        row[:width],
                        tuple([row[one] if isinstance(one, int) else one(frame, row) for one in extras]),
                    )
                    for row_id, row in found
                ]
            if not extras:
                return [(row_id, image, ()) for row_id, image in found]
            return [
                (row_id, image, tuple([image[one] if isinstance(one, int) else one(frame, image) for one in extras]))
                for row_id, image in found
            ]
        except SqlError:
            return None


def _each_once(found: Iterable[Row]) -> list[Row]:
    """The rows of a join by the target's row ids: the first that each of these has, and none without one."""
    first: dict[int, Row] = {}
    for row in found:
        if row[0] is not None:
            first.setdefault(row[0], row)
    return [*first.values()]


def direct_matches(query: TranslatedQuery, width: int) -> DirectMatches | None:
    """The direct form of a search that gives the row id, all `width` columns and what is
    asked beside them, if it has one."""
    direct = query.direct
    if not isinstance(direct, Direct) or direct.shape.values[:width] != tuple(range(width)):
        return None
    return DirectMatches(direct, width, direct.shape.values[width:])


def is_of_one_row(query: TranslatedQuery) -> bool:
    """Whether the condition names a value of a unique key: it finds one row or none."""
    return isinstance(query.direct, Direct) and isinstance(query.direct.source, ByKey)


def is_in_memory(query: TranslatedQuery) -> bool:
    """Whether a query gives columns of all rows of a table variable, as they are."""
    source = query.direct.source if isinstance(query.direct, Direct) else None
    return isinstance(source, InMemory) and source.slot >= 0 and source.most is None
