"""An endpoint at rest, on its way into memory or out of it: what the stores of those at rest
(idle_store.py, unread_store.py) give and take."""

from __future__ import annotations

from array import array
from typing import Final

import msgspec

from sbql.catalog.records import ConversationEndpoint

__all__ = ["NO_NUMBERS", "IdleEndpoint"]

NO_NUMBERS: Final = array("q")


class IdleEndpoint(msgspec.Struct, frozen=True, gc=False):
    """`due` is when something is to be done for it, None for never; `queue_id` is its queue, `numbers` the keys and
    queuing orders, in turn, of the messages that are ready there, `seat` where it rested last (0: nowhere), and
    `is_alone` says that nobody else is in its group."""

    endpoint: ConversationEndpoint
    due: float | None
    queue_id: int
    numbers: array[int] = NO_NUMBERS
    seat: int = 0
    is_alone: bool = False

    @property
    def turn(self) -> tuple[int, int] | None:
        """Where it stands in its queue, the lowest first. None when no message of it is ready."""
        return (-self.endpoint.priority, self.numbers[1]) if self.numbers else None
