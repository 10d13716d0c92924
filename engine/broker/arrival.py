"""Arrivals: what is on its way from one side of a dialog to the other.

Decides what kinds there are. What an arrival does when it gets there is delivery's.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any, Final, Protocol

from sbql.catalog.records import NO_MESSAGE_ID
from sbql.catalog.records.broker import END_BIT, ERROR_BIT, UNSEQUENCED_BIT
from sbql.catalog.staged_batch import BulkRows
from sbql.engine.broker import system_messages
from sbql.engine.broker.ready_index import Conversation, QueueStore

__all__ = ["KIND_OF_STATUS", "KIND_OF_TYPE", "STATUS_OF_KIND", "Arrival", "Bulk", "Kind", "NotInBulk"]


class NotInBulk(Exception):
    """These messages have to be sent one by one. Whoever raises it may leave
    changes: the transaction is rolled back."""


class Many(Protocol):
    """Many messages as one arrival: the class is `many_messages.ManyMessages`. Both methods raise NotInBulk."""

    def check_types(self, transaction: Any, database_id: int, contract_id: int) -> None: ...

    def accept(self, transaction: Any, peer: Conversation, security_period: float) -> None: ...


class Bulk(Protocol):
    """What a transaction sends in bulk: the class is `bulk_send.BulkSend`."""

    def deliver(self, arrivals: Iterable[Arrival]) -> list[Arrival]: ...

    def rows(self) -> BulkRows: ...

    def publish(self, filled: dict[QueueStore, int]) -> None: ...


class Kind(IntEnum):
    MESSAGE = 0
    END = 1
    ERROR = 2
    BROKER_ERROR = 3
    """An error of the broker: not in sequence."""
    CLOSED = 4
    """The sender has ended too: the other side need not wait any longer. No message."""


STATUS_OF_KIND: Final[dict[int, int]] = {
    Kind.MESSAGE: 0,
    Kind.ERROR: ERROR_BIT,
    Kind.END: END_BIT,
    Kind.BROKER_ERROR: UNSEQUENCED_BIT | ERROR_BIT,
    Kind.CLOSED: UNSEQUENCED_BIT,
}
"""What waits in a transmission queue, as the status of its row. The kinds that are not in sequence wait only with the
endpoint that they are for."""
KIND_OF_STATUS: Final = {status: Kind(kind) for kind, status in STATUS_OF_KIND.items()}
KIND_OF_TYPE: Final = {system_messages.END_DIALOG_ID: Kind.END, system_messages.ERROR_ID: Kind.ERROR}
"""Messages of a queue that the other side has sent as something else than a MESSAGE, by the ids of their types."""


class Arrival:
    """Something on its way from `sender` to the other side."""

    __slots__ = (
        "body",
        "has_seen_first",
        "kind",
        "many",
        "message_id",
        "problem",
        "sender",
        "sequence",
        "serial",
        "type_name",
    )

    def __init__(
        self,
        sender: Conversation,
        kind: int,
        type_name: str = "",
        body: bytes | None = None,
        sequence: int = 0,
        message_id: bytes = NO_MESSAGE_ID,
        problem: tuple[int, str] = (0, ""),
    ) -> None:
        self.sender = sender
        self.kind = kind
        self.type_name = type_name
        self.body = body
        self.sequence = sequence
        self.message_id = message_id
        self.serial = 0
        self.many: Many | None = None
        """A MESSAGE that stands for many: `sequence` is that of the first."""
        self.problem = problem
        """Number and text of a BROKER_ERROR."""
        self.has_seen_first = sequence > 0 or kind != Kind.MESSAGE
        """An initiator knows that its first message was acknowledged; inside an instance with every later one."""
