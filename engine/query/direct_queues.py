"""How many messages a queue has, and whether it has any, as the broker's counters say it to one reader.

Decides for whom they say it. It must not know what is asked beside it.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from sbql.engine.query.running import own_broker_changes, sees_last_commits
from sbql.engine.scalars.scope import Frame

__all__ = ["QueueCount", "QueueRows"]


class QueueCount(Struct, frozen=True):
    """COUNT(*) of a queue."""

    queue_id: int

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        session = frame.session
        if not sees_last_commits(session):
            return None
        session.check_cancelled()
        count = session.instance.store.counts.count(self.queue_id, own_broker_changes(session))
        return None if count is None else [(count,)]

    def limited(self) -> QueueCount:
        return self


class QueueRows(Struct, frozen=True):
    """All rows of a queue, of which the count says only whether there are any: that is EXISTS (`is_limited`)."""

    count: QueueCount
    is_limited: bool = False

    def __call__(self, frame: Frame) -> list[tuple[Any, ...]] | None:
        found = self.count(frame) if self.is_limited else None
        return None if found is None else found[:1] if found[0][0] else []

    def limited(self) -> QueueRows:
        return QueueRows(self.count, is_limited=True)
