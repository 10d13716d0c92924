"""How many messages a queue has, and whether it has any, as the broker's counters say it to one reader.

Decides for whom they say it. It must not know what is asked beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sbql.catalog.records import Queue
from sbql.engine.direct.aggregates import counts_rows
from sbql.engine.ports import Session
from sbql.engine.query.lock_hints import changes_no_rows
from sbql.engine.query.running import own_broker_changes, sees_last_commits
from sbql.engine.scalars.scope import Frame
from sbql.engine.security.resolver import resolve
from sbql.engine.tables.typed_sql import TranslatedQuery
from sbql.grammar import ast

__all__ = ["with_queue_count"]


class _QueueCount(Struct, frozen=True):
    """COUNT(*) of a queue."""

    queue_id: int

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        session = frame.session
        if not sees_last_commits(session):
            return None
        session.check_cancelled()
        count = session.instance.store.counts.count(self.queue_id, own_broker_changes(session))
        return None if count is None else [(count,)]

    def limited(self) -> _QueueCount:
        return self


class _QueueRows(Struct, frozen=True):
    """All rows of a queue, of which the count says only whether there are any: that is EXISTS (`is_limited`)."""

    count: _QueueCount
    is_limited: bool = False

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        found = self.count(frame) if self.is_limited else None
        return None if found is None else found[:1] if found[0][0] else []

    def limited(self) -> _QueueRows:
        return _QueueRows(self.count, is_limited=True)


def with_queue_count(
    source: ast.NamedTable, items: Sequence[ast.Expression], found: TranslatedQuery, session: Session
) -> TranslatedQuery:
    """The query of these items over what may be a queue, with the form of its count if it asks for no more."""
    queue = resolve(session, source.name, missing_ok=True) if changes_no_rows(source) else None
    if not isinstance(queue, Queue):
        return found
    count = _QueueCount(queue.id)
    if len(items) == 1 and counts_rows(items[0]):
        return msgspec.structs.replace(found, direct=count)
    is_rows = bool(items) and all(isinstance(item, ast.ColumnReference | ast.IntegerLiteral) for item in items)
    return msgspec.structs.replace(found, direct=_QueueRows(count)) if is_rows else found
