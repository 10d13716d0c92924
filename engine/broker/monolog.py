"""Monologs in memory: who belongs to one, and what it retains (docs/monologs.md).

Decides how a monolog's parts hang together. Must not know transactions, delivery or statements: the modules
monolog_publisher, monolog_subscription and monolog_delivery change it, with the state's mutex held.

A publisher has a *leg* for each subscriber: an initiator's endpoint in the publisher's group, which no view of
endpoints shows. Leg and subscriber's endpoint are the two sides of an ordinary conversation, with an id of their own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from math import ceil
from typing import TYPE_CHECKING, Final
from uuid import UUID

from sbql.catalog.records import NEVER, ConversationEndpoint, MonologMember, MonologMessage

if TYPE_CHECKING:
    from sbql.engine.broker.ready_index import Conversation
    from sbql.engine.broker.state import BrokerState
    from sbql.engine.locks import LockOwner

__all__ = [
    "LEG",
    "PUBLISHER",
    "SUBSCRIBER",
    "Member",
    "Monolog",
    "attach",
    "forget",
    "is_leg",
    "is_open",
    "load",
    "transmission_status",
]

PUBLISHER: Final = "P"
LEG: Final = "L"
SUBSCRIBER: Final = "S"


class Monolog:
    """One monolog: its publisher's endpoint (None when that is gone and legs still deliver), legs, retained messages in
    order."""

    __slots__ = ("legs", "publisher", "retained")

    def __init__(self) -> None:
        self.publisher: Conversation | None = None
        self.legs: dict[Conversation, None] = {}
        self.retained: deque[MonologMessage] = deque()


class Member:
    """What a conversation is to a monolog: `Conversation.monolog`. A subscriber's `monolog` is None: its publisher may
    be anywhere.

    `serial` orders legs and SENDs of this run of the instance; what was loaded has 0. A leg in state DI has been left
    while `heard_to_end`, a transaction of the publisher, was open.
    """

    __slots__ = ("heard_to_end", "is_leg", "is_publisher", "monolog", "record", "serial")

    def __init__(self, record: MonologMember, monolog: Monolog | None = None, serial: int = 0) -> None:
        self.record = record
        self.monolog = monolog
        self.serial = serial
        self.heard_to_end: LockOwner | None = None
        self.is_leg = record.role == LEG
        self.is_publisher = record.role == PUBLISHER

    @property
    def monolog_id(self) -> UUID:
        return self.record.monolog_id

    def due(self, endpoint: ConversationEndpoint) -> float:
        """When there is something to do: to drop what a publisher has retained long enough (counted in whole seconds),
        to end a leg that its subscriber has left."""
        if self.is_leg:
            return endpoint.security_timestamp if endpoint.state == "DI" else NEVER
        retained = self.monolog.retained if self.monolog is not None else None
        if not retained or self.record.retention >= NEVER:
            return NEVER
        return float(ceil(retained[0].enqueue_time + self.record.retention))


def is_open(publisher: Conversation) -> bool:
    """Whether the publisher, as last committed, goes on: not ended and not in error."""
    image = (
        publisher.committed if publisher.toucher is not None and publisher.committed is not None else publisher.endpoint
    )
    return publisher.stored and image.state in ("SO", "CO")


def is_leg(conversation: Conversation) -> bool:
    return conversation.monolog is not None and conversation.monolog.is_leg


def attach(state: BrokerState, conversation: Conversation, member: Member) -> None:
    """Make a conversation a member, known to its monolog and, when it is a publisher, to the state."""
    conversation.monolog = member
    monolog = member.monolog
    if monolog is None:
        return
    if member.is_publisher:
        monolog.publisher = conversation
        state.monologs[conversation] = monolog
    else:
        monolog.legs[conversation] = None


def forget(state: BrokerState, conversation: Conversation) -> None:
    """A member's endpoint is gone. Legs outlive their publisher while they have something to deliver."""
    member = conversation.monolog
    if member is None or member.monolog is None:
        return
    if member.is_publisher:
        member.monolog.publisher = None
        state.monologs.pop(conversation, None)
    else:
        member.monolog.legs.pop(conversation, None)


def load(
    state: BrokerState,
    find: Callable[[int, UUID], Conversation],
    members: Iterable[MonologMember],
    retained: Iterable[MonologMessage],
) -> None:
    """Put monologs together as stored. `find(database_id, handle)` gives an endpoint."""
    monologs: dict[tuple[int, int], Monolog] = {}
    loaded: list[Conversation] = []
    for record in members:
        conversation = find(record.database_id, record.conversation_handle)
        monolog = None
        if record.role != SUBSCRIBER:
            monolog = monologs.setdefault((record.database_id, record.publisher_handle.int), Monolog())
        attach(state, conversation, Member(record, monolog))
        loaded.append(conversation)
    bodies: dict[int, bytes | None] = {}
    for message in retained:
        state.last_key = max(state.last_key, message.message_key)
        monologs[message.database_id, message.conversation_handle.int].retained.append(message)
        bodies[message.message_id.int] = message.message_body
    for conversation in loaded:
        _share_bodies(conversation, bodies)
        state.schedule(conversation)


def _share_bodies(conversation: Conversation, bodies: dict[int, bytes | None]) -> None:
    """A message has one body, however many subscribers it waits for."""
    for message in conversation.in_memory():
        message.message_body = bodies.setdefault(message.message_id.int, message.message_body)
    for row in conversation.transmission:
        row.message_body = bodies.setdefault(row.message_id.int, row.message_body)


def transmission_status(conversation: Conversation) -> str:
    """That of the endpoint; of a publisher, that of the first subscriber who has one."""
    member = conversation.monolog
    if member is not None and member.is_publisher and member.monolog is not None:
        return next(
            (s for leg in member.monolog.legs if (s := leg.endpoint.transmission_status) and not leg.removed), ""
        )
    return conversation.endpoint.transmission_status
