"""What a publisher retains for subscribers to come (docs/monologs.md).

Decides when a message is retained no longer. Must not know who subscribes.
"""

from __future__ import annotations

from sbql.catalog.records import DeleteMonologMessage, MonologMessage
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.ready_index import Conversation, Monolog

__all__ = ["drop_expired", "retain"]


def retain(
    transaction: Holdings,
    publisher: Conversation,
    monolog: Monolog,
    type_name: str,
    body: bytes | None,
    sequence: int,
    message_id: bytes,
) -> None:
    """A message stays for those who subscribe later."""
    endpoint = publisher.endpoint
    message = MonologMessage(
        transaction.state.next_key(), endpoint.database_id, endpoint.conversation_handle, sequence, type_name, body, message_id,
        transaction.host.now(),
    )  # fmt: skip
    if not monolog.retained:
        transaction.reschedule[publisher] = None
    monolog.retained.append(message)
    transaction.retained[message.message_key] = message
    transaction.undo.append((_unretain, transaction, monolog, message))


def _unretain(transaction: Holdings, monolog: Monolog, message: MonologMessage) -> None:
    last = monolog.retained.pop()
    assert last is message, "only who has the publisher locked retains"
    transaction.retained.pop(message.message_key, None)


def drop_expired(transaction: Holdings, publisher: Conversation, now: float) -> None:
    """Drop the retained messages whose time is over; all of them when the monolog is in error."""
    member = publisher.monolog
    if member is None or not member.is_publisher or member.monolog is None:
        return
    retained = member.monolog.retained
    is_over = publisher.endpoint.state == "ER"
    while retained and (is_over or retained[0].enqueue_time + member.record.retention <= now):
        message = retained.popleft()
        key = message.message_key
        transaction.undo.append((_put_back, transaction, member.monolog, message, transaction.retained.get(key)))
        transaction.retained[key] = DeleteMonologMessage(key)


def _put_back(transaction: Holdings, monolog: Monolog, message: MonologMessage, noted: MonologMessage | None) -> None:
    monolog.retained.appendleft(message)
    if noted is None:
        del transaction.retained[message.message_key]
    else:
        transaction.retained[message.message_key] = noted
