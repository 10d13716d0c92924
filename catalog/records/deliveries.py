"""What consumers and writers outside of T-SQL leave in the store: delivery logs, batches that were sent, dialogs by
key, requests that were answered, queries whose changes somebody wants to hear of.

A consumer's delivery log is a durable RECEIVE: the messages stay in their table, and ranges of their keys
say that they are delivered. Field order is the stored order (array_like): append new fields at the end.
Times are seconds since 1970-01-01 UTC.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

import msgspec

__all__ = [
    "OUT_OF_TURN",
    "Consumer",
    "DeleteConsumer",
    "DeleteDelivery",
    "AnsweredRequest",
    "DeleteMessages",
    "DeleteQuerySubscription",
    "DeleteRequest",
    "DeleteSinkDialog",
    "Delivery",
    "DeliveryChange",
    "QuerySubscription",
    "SentBatch",
    "SinkDialog",
]

OUT_OF_TURN: Final = (1, 5)
"""Types of messages (Error, DialogTimer) that overtake the others of their conversation. Each is a range of its own,
and a range of others has none of them."""


class Consumer(msgspec.Struct, array_like=True, tag="C", gc=False):
    """A consumer of a queue. Its log numbers what it was delivered from 1 on: `delivered` is the last number, up to
    `acknowledged` all is done. `epoch` counts its readers: only the last one is heard. `failures` readers in a row have
    begun to read what comes next and not acknowledged it; `asked_epoch` is the last that began."""

    log_id: UUID
    database_id: int
    queue_id: int
    name: str
    epoch: int = 0
    acknowledged: int = 0
    delivered: int = 0
    failures: int = 0
    asked_epoch: int = 0
    attach_time: float = 0.0


class Delivery(msgspec.Struct, array_like=True, tag="D", gc=False):
    """A range of a log: `count` messages of one conversation, with keys from `first_key` to `last_key`, in the
    order of the keys. They have the numbers from `first_sequence` on. `is_urgent`: one of OUT_OF_TURN. The
    conversation may have ended since."""

    log_id: UUID
    first_sequence: int
    database_id: int
    conversation_handle: UUID
    conversation_group_id: UUID
    first_key: int
    last_key: int
    count: int
    delivery_time: float = 0.0
    is_urgent: bool = False


class DeleteConsumer(msgspec.Struct, array_like=True, tag="c", gc=False):
    log_id: UUID


class DeleteDelivery(msgspec.Struct, array_like=True, tag="d", gc=False):
    log_id: UUID
    first_sequence: int


class DeleteMessages(msgspec.Struct, array_like=True, tag="n", gc=False):
    """The messages of a range are gone for good."""

    database_id: int
    conversation_handle: UUID
    first_key: int
    last_key: int


class SentBatch(msgspec.Struct, array_like=True, tag="S", gc=False):
    """The last batch that a writer has sent: batches up to `version` are done. `writer` is a query's id or
    what an application calls itself."""

    database_id: int
    writer: str
    version: int
    commit_time: float = 0.0


class SinkDialog(msgspec.Struct, array_like=True, tag="k", gc=False):
    """The dialog that a writer has begun for a key."""

    database_id: int
    writer: str
    dialog_key: str
    conversation_handle: UUID


class DeleteSinkDialog(msgspec.Struct, array_like=True, tag="l", gc=False):
    database_id: int
    writer: str
    dialog_key: str


class AnsweredRequest(msgspec.Struct, array_like=True, tag="a", gc=False):
    """A text that was run once under a name, in a database: whoever asks again under this name gets `answer`, bytes
    that mean something to the client. `text_hash` tells whether it is the same text. None: the answer was too old, or
    there were too many, to be kept."""

    database_id: int
    name: str
    text_hash: bytes
    request_time: float
    answer: bytes | None


class DeleteRequest(msgspec.Struct, array_like=True, tag="b", gc=False):
    """The name may be used for another request."""

    database_id: int
    name: str


class QuerySubscription(msgspec.Struct, array_like=True, tag="q", gc=False):
    """Somebody waits for the first change of a query's rows: who it is, where a message goes then, with what text, and
    after how many seconds at the latest.

    `broker_instance` '' is that of the database. The text is UTF-16, for clients may send any. What the query is, only
    memory knows: the instance's end is a change."""

    id: int
    database_id: int
    sid: bytes
    principal_id: int
    service: str
    broker_instance: str
    message: bytes
    timeout: int
    create_time: float


class DeleteQuerySubscription(msgspec.Struct, array_like=True, tag="u", gc=False):
    id: int


DeliveryChange = (
    Consumer | Delivery | DeleteConsumer | DeleteDelivery | DeleteMessages | SentBatch | SinkDialog | DeleteSinkDialog
    | AnsweredRequest | DeleteRequest | QuerySubscription | DeleteQuerySubscription
)  # fmt: skip
