"""Arrivals: what is on its way from one side of a dialog to the other.

Decides what kinds there are. What an arrival does when it gets there is delivery's.
"""

from __future__ import annotations

from enum import IntEnum
from uuid import UUID

from sbql.catalog.records import NO_GUID
from sbql.engine.broker.ready_index import Conversation

__all__ = ["Arrival", "Kind"]


class Kind(IntEnum):
    MESSAGE = 0
    END = 1
    ERROR = 2
    BROKER_ERROR = 3
    """An error of the broker: not in sequence."""
    CLOSED = 4
    """The sender has ended too: the other side need not wait any longer. No message."""


class Arrival:
    """Something on its way from `sender` to the other side."""

    __slots__ = ("body", "kind", "message_id", "sender", "sequence", "serial", "type_name")

    def __init__(
        self,
        sender: Conversation,
        kind: int,
        type_name: str = "",
        body: bytes | None = None,
        sequence: int = 0,
        message_id: UUID = NO_GUID,
    ) -> None:
        self.sender = sender
        self.kind = kind
        self.type_name = type_name
        self.body = body
        self.sequence = sequence
        self.message_id = message_id
        self.serial = 0
