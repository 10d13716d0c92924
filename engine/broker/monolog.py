"""Monologs in memory: who belongs to one, and what it retains (docs/monologs.md).

Decides how a monolog's parts hang together. Must not know transactions, delivery or statements: the modules
monolog_publisher, monolog_subscription and monolog_delivery change it, with the state's mutex held.

A publisher has a *leg* for each subscriber: an initiator's endpoint in the publisher's group, which no view of
endpoints shows. Leg and subscriber's endpoint are the two sides of an ordinary conversation, with an id of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from uuid import UUID

from sbql.catalog.records import MonologMember, MonologMessage
from sbql.engine.broker.ready_index import LEG, PUBLISHER, Conversation, Member, Monolog

__all__ = ["attach", "forget", "is_leg", "is_open", "load", "transmission_status"]


def is_open(publisher: Conversation) -> bool:
    """Whether the publisher, as last committed, goes on: not ended and not in error."""
    image = (
        publisher.committed if publisher.toucher is not None and publisher.committed is not None else publisher.endpoint
    )
    return publisher.stored and image.state in ("SO", "CO")


def is_leg(conversation: Conversation) -> bool:
    return conversation.monolog is not None and conversation.monolog.is_leg


def attach(monologs: dict[Conversation, Monolog], conversation: Conversation, member: Member) -> None:
    """Make a conversation a member, known to its monolog and, when it is a publisher, to the state's `monologs`."""
    conversation.monolog = member
    monolog = member.monolog
    if monolog is None:
        return
    if member.is_publisher:
        monolog.publisher = conversation
        monologs[conversation] = monolog
    else:
        monolog.legs[conversation] = None


def forget(monologs: dict[Conversation, Monolog], conversation: Conversation) -> None:
    """A member's endpoint is gone. Legs outlive their publisher while they have something to deliver."""
    member = conversation.monolog
    if member is None or member.monolog is None:
        return
    if member.is_publisher:
        member.monolog.publisher = None
        monologs.pop(conversation, None)
    else:
        member.monolog.legs.pop(conversation, None)


def load(
    monologs: dict[Conversation, Monolog],
    find: Callable[[int, UUID], Conversation],
    members: Iterable[MonologMember],
    retained: Iterable[MonologMessage],
) -> list[Conversation]:
    """Put monologs together as stored. `find(database_id, handle)` gives an endpoint. Returns the members: they have
    something to do now and then."""
    known: dict[tuple[int, int], Monolog] = {}
    loaded: list[Conversation] = []
    for record in members:
        conversation = find(record.database_id, record.conversation_handle)
        monolog = None
        if record.role in (PUBLISHER, LEG):
            monolog = known.setdefault((record.database_id, record.publisher_handle.int), Monolog())
        attach(monologs, conversation, Member(record, monolog))
        loaded.append(conversation)
    bodies: dict[bytes, bytes | None] = {}
    for message in retained:
        known[message.database_id, message.conversation_handle.int].retained.append(message)
        bodies[message.message_id] = message.message_body
    for conversation in loaded:
        _share_bodies(conversation, bodies)
    return loaded


def _share_bodies(conversation: Conversation, bodies: dict[bytes, bytes | None]) -> None:
    """A message has one body, however many subscribers it waits for."""
    for message in conversation.in_memory():
        message.message_body = bodies.setdefault(message.message_id, message.message_body)
    for row in conversation.transmission:
        row.message_body = bodies.setdefault(row.message_id, row.message_body)


def transmission_status(conversation: Conversation) -> str:
    """That of the endpoint; of a publisher, that of the first subscriber who has one."""
    member = conversation.monolog
    if member is not None and member.is_publisher and member.monolog is not None:
        return next(
            (s for leg in member.monolog.legs if (s := leg.endpoint.transmission_status) and not leg.removed), ""
        )
    return conversation.endpoint.transmission_status
