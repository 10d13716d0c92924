"""What a transaction has done with monologs, until it commits.

Plain data: who publishes and who subscribes read it, and decide.
"""

from __future__ import annotations

from typing import NamedTuple
from uuid import UUID

from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.ready_index import Conversation, Monolog

__all__ = ["MonologWork", "Sent"]


class Sent(NamedTuple):
    """What a transaction has sent on a monolog."""

    kind: Kind
    type_name: str
    body: bytes | None
    sequence: int
    message_id: bytes
    serial: int

    def to(self, leg: Conversation) -> Arrival:
        return Arrival(leg, self.kind, self.type_name, self.body, self.sequence, self.message_id)


class MonologWork:
    """What a transaction has done with monologs, until it commits: `Holdings.monologs`."""

    def __init__(self) -> None:
        self.begun: dict[Monolog, None] = {}
        self.sent: dict[Monolog, list[Sent]] = {}
        self.caught_up: dict[Conversation, None] = {}
        self.cleaned_up: dict[Monolog, None] = {}
        self.subscribed: dict[UUID, None] = {}
        self.unsubscribed: dict[UUID, None] = {}
