"""Monologs between instances (docs/monologs.md, rules 33 to 38): a subscription whose publisher is in another
instance, and legs that lead there.

Decides how a subscription gets to the instance of the publisher, what it joins there, and which first message of a
leg makes a subscriber's endpoint here. The *order* is a system dialog from the subscribing service to the
publisher's: its only message asks, its end unsubscribes. Everything else is a leg's, which the network brings to
the other instance as it does a dialog's messages. Works inside the `prepare` of a transaction. Must not know
frames, nor when something is sent.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sbql.catalog.records import NEVER, ConversationEndpoint, MonologMember, MonologSubscription, Service
from sbql.engine.broker import monolog_delivery, routing
from sbql.engine.broker.acceptance import accept
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.begin_dialog import CURRENT_DATABASE
from sbql.engine.broker.endpoint_changes import Problem, close, problem_of
from sbql.engine.broker.far_side import FarSide
from sbql.engine.broker.held_arrivals import hold_arrival
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.incoming import Incoming
from sbql.engine.broker.monolog import attach, is_leg, is_open
from sbql.engine.broker.monolog_subscription import leave_one, make_leg, publisher_service, tell_the_past
from sbql.engine.broker.outgoing import send_out
from sbql.engine.broker.priority import priority_level
from sbql.engine.broker.ready_index import ORDER, SUBSCRIBER, Conversation, Member, Monolog
from sbql.engine.broker.targets import make_target

__all__ = ["SUBSCRIBE", "ask", "end_order", "hear", "join_begun", "open_order", "open_subscriber", "wanted"]

SUBSCRIBE: Final = "//sbql/Monologs/Subscribe"
"""The message type of an order. Its body: R (from what is retained) or N, and the 16
bytes of the subscription's handle."""


# --- where the subscriber is


def wanted(transaction: Holdings) -> list[MonologSubscription]:
    """Subscriptions that are to be told to another instance, and are not yet."""
    index, state = transaction.index, transaction.state
    return [
        subscription
        for found in index.subscriptions.values()
        for subscription in found
        if state.find(subscription.database_id, subscription.handle) is None
        and index.is_broker_enabled(subscription.database_id)
        and _is_elsewhere(transaction, subscription)
    ]


def _is_elsewhere(transaction: Holdings, subscription: MonologSubscription) -> bool:
    index, database_id, name = transaction.index, subscription.database_id, subscription.far_service
    asked = subscription.broker_instance
    if asked == CURRENT_DATABASE or publisher_service(index, database_id, name, asked):
        return False
    return routing.classify(index, database_id, name, routing.parse_guid(asked), transaction.host).kind == "Remote"


def ask(transaction: Holdings, subscription: MonologSubscription) -> None:
    """Begin the order. Its handle is that of the subscription."""
    index, host = transaction.index, transaction.host
    database_id, contract_id = subscription.database_id, subscription.contract_id
    service = index.service_by_id[database_id, subscription.service_id]
    endpoint = ConversationEndpoint(
        conversation_handle=subscription.handle, conversation_id=host.new_guid(), is_initiator=True, database_id=database_id,
        service_id=service.id, contract_id=contract_id, conversation_group_id=host.new_guid(), state="CO",
        far_service=subscription.far_service, far_broker_instance=None, lifetime=NEVER, principal_id=service.principal_id,
        priority=priority_level(index, database_id, contract_id, service.id, subscription.far_service), encryption=False,
        is_system=True, contract_name=subscription.contract_name, asked_broker_instance=subscription.broker_instance, send_sequence=1,
    )  # fmt: skip
    order = transaction.add_conversation(endpoint, transaction.state.queue(service.queue_id, database_id), True)
    _attach(
        transaction,
        order,
        MonologMember(subscription.handle, database_id, ORDER, endpoint.conversation_id, subscription.handle),
    )
    body = (b"R" if subscription.from_retained else b"N") + subscription.handle.bytes
    send_out(transaction, Arrival(order, Kind.MESSAGE, SUBSCRIBE, body, 0, host.new_message_id()))


def end_order(transaction: Holdings, subscription: MonologSubscription) -> None:
    """END SUBSCRIPTION: the publisher's instance is told. Raises MustWait."""
    order = transaction.state.find(subscription.database_id, subscription.handle)
    if order is None or order.removed:
        return
    transaction.lock(order.group)
    endpoint = order.endpoint
    transaction.empty_queue_of(order)
    if endpoint.state != "CO":
        close(transaction, order, remove=True)
        return
    number = endpoint.send_sequence
    transaction.set(order, "send_sequence", number + 1)
    transaction.set(order, "end_dialog_sequence", number)
    transaction.set(order, "state", "DO")
    send_out(transaction, Arrival(order, Kind.END, "", None, number, transaction.host.new_message_id()))


def open_subscriber(transaction: Holdings, message: Incoming) -> tuple[Conversation | None, Problem]:
    """The first message of a leg: the endpoint of the subscriber who has asked for it. None: dropped, or
    refused with a problem for the leg."""
    assert message.monolog is not None
    handle, monolog_id, start = message.monolog
    index = transaction.index
    database = index.by_guid.get(message.to_broker.int) if message.to_broker is not None else None
    if database is None or message.sequence != start:
        return None, (0, "")
    order = transaction.state.find(database.id, handle)
    if order is None or order.removed or not _is_asked(order, message):
        return None, problem_of(monolog_delivery.NO_SUBSCRIPTION, str(handle).upper())
    service = index.service_by_id[database.id, order.endpoint.service_id]
    if message.security.session_key and message.security.database_id != database.id:
        return None, (0, "")
    if not transaction.state.dialog_security.may_send(index, service, message.security.principal_id):
        return None, problem_of(8494, service.name)
    far = FarSide(message, transaction.host.now())
    subscriber = _make_subscriber(transaction, far, order.endpoint, service, start)
    own = subscriber.endpoint.conversation_handle
    _attach(transaction, subscriber, MonologMember(own, database.id, SUBSCRIBER, monolog_id, own, handle, start))
    arrival = far.arrival(message)
    queue = index.queues.get(service.queue_id)
    if queue is not None and queue.is_enabled:
        accept(transaction, subscriber, arrival)
    else:
        hold_arrival(transaction, subscriber, arrival)
    return subscriber, far.problem


def _is_asked(order: Conversation, message: Incoming) -> bool:
    """What comes is what the order has asked for, where it has arrived."""
    asked = order.endpoint
    if order.monolog is None or not order.monolog.is_order or not asked.is_initiator:
        return False
    is_there = asked.far_broker_instance in (None, message.from_broker)
    return is_there and (asked.far_service, asked.contract_name) == (message.from_service, message.contract)


def _make_subscriber(
    transaction: Holdings, far: FarSide, asked: ConversationEndpoint, service: Service, start: int
) -> Conversation:
    begun, index, host = far.endpoint, transaction.index, transaction.host
    endpoint = ConversationEndpoint(
        conversation_handle=host.new_guid(), conversation_id=begun.conversation_id, is_initiator=False, database_id=service.database_id,
        service_id=service.id, contract_id=asked.contract_id, conversation_group_id=host.new_guid(), state="SI",
        far_service=far.service_name, far_broker_instance=far.broker_guid, lifetime=begun.lifetime, principal_id=service.principal_id,
        priority=priority_level(index, service.database_id, asked.contract_id, service.id, far.service_name),
        far_principal_id=begun.principal_id, encryption=begun.encryption, contract_name=begun.contract_name, receive_sequence=start,
        security=begun.security, session_key=begun.session_key, outbound_key_id=begun.inbound_key_id, inbound_key_id=begun.outbound_key_id,
    )  # fmt: skip
    return transaction.add_conversation(endpoint, transaction.state.queue(service.queue_id, service.database_id))


# --- where the publisher is


def open_order(transaction: Holdings, message: Incoming, service: Service) -> tuple[Conversation | None, Problem]:
    """Somebody elsewhere subscribes: the order joins all open monologs that fit, and those to come."""
    index = transaction.index
    contract = index.contracts.get((service.database_id, message.contract))
    if contract is None:
        return None, problem_of(8425, message.contract)
    if not transaction.state.dialog_security.may_send(index, service, message.security.principal_id):
        return None, problem_of(8494, service.name)
    body = message.body or b""
    if len(body) != 17 or body[:1] not in (b"R", b"N"):
        return None, (0, "")
    far = FarSide(message, transaction.host.now())
    far.endpoint.is_system = True
    order = make_target(transaction, far, service, contract.id)
    transaction.set(order, "receive_sequence", 1)
    handle, own = UUID(bytes=body[1:]), order.endpoint.conversation_handle
    retained = 1.0 if body[:1] == b"R" else 0.0
    record = MonologMember(own, service.database_id, ORDER, message.conversation_id, own, handle, 0, retained)
    _attach(transaction, order, record)
    for publisher, monolog in list(transaction.state.monologs.items()):
        if is_open(publisher):
            _join(transaction, monolog, order, record)
    return order, (0, "")


def join_begun(transaction: Holdings) -> None:
    """At commit: monologs that were begun are joined by the orders of other instances."""
    if transaction.monologs is None or not transaction.state.orders:
        return
    for monolog in transaction.monologs.begun:
        for order in list(transaction.state.orders):
            if order.monolog is not None and not order.endpoint.is_initiator and is_open(order):
                _join(transaction, monolog, order, order.monolog.record)


def _join(transaction: Holdings, monolog: Monolog, order: Conversation, record: MonologMember) -> None:
    """Make the leg, if order and monolog fit, and send what is retained."""
    publisher, asked = monolog.publisher, order.endpoint
    assert publisher is not None
    begun = publisher.endpoint
    same = (begun.database_id, begun.service_id, begun.contract_name)
    if same != (asked.database_id, asked.service_id, asked.contract_name) or asked.far_broker_instance is None:
        return
    if any(_is_of(leg, order) for leg in monolog.legs):
        return
    source = transaction.index.service_by_id.get((begun.database_id, begun.service_id))
    may_send = transaction.state.dialog_security.may_send
    if source is None or not may_send(transaction.index, source, asked.far_principal_id):
        return
    leg, past = make_leg(
        transaction, monolog, publisher, record.subscription_handle, bool(record.retention), asked.far_service, asked.far_broker_instance
    )  # fmt: skip
    tell_the_past(transaction, leg, past)


def _is_of(leg: Conversation, order: Conversation) -> bool:
    """A leg was made for an order."""
    assert leg.monolog is not None and order.monolog is not None
    is_same = leg.monolog.record.subscription_handle == order.monolog.record.subscription_handle
    return is_same and leg.endpoint.far_broker_instance == order.endpoint.far_broker_instance


def hear(transaction: Holdings, found: Conversation, arrival: Arrival) -> bool:
    """What comes from another instance for a leg or an order here. False: it is to be accepted as any other's."""
    if is_leg(found):
        _count(transaction, found, arrival)
        monolog_delivery.hear(transaction, found, arrival)
        return True
    if found.monolog is None or not found.monolog.is_order or found.endpoint.is_initiator:
        return False
    legs = _legs(transaction, found) if arrival.kind != Kind.MESSAGE else []
    for leg in legs:
        assert leg.monolog is not None
        leave_one(transaction, leg, leg.monolog)
    if arrival.kind == Kind.END and any(not leg.removed for leg in legs):
        return (
            True  # not acknowledged yet: as long as its order is there, the other instance takes what was sent before
        )
    _count(transaction, found, arrival)
    if arrival.kind != Kind.MESSAGE:
        close(transaction, found)  # it stays for a while, as targets do: its first message may come again
    return True


def _legs(transaction: Holdings, order: Conversation) -> list[Conversation]:
    """All that were made for an order, also those whose monolog has ended and that still deliver."""
    members = transaction.state.endpoints.values()
    return [c for c in members if c.endpoint.service_id == order.endpoint.service_id and is_leg(c) and _is_of(c, order)]


def _count(transaction: Holdings, found: Conversation, arrival: Arrival) -> None:
    if arrival.kind != Kind.BROKER_ERROR:
        number = max(found.endpoint.receive_sequence, arrival.sequence + 1)
        transaction.set_by_arrival(found, "receive_sequence", number)


def _attach(transaction: Holdings, conversation: Conversation, record: MonologMember) -> None:
    state = transaction.state
    attach(state.monologs, conversation, Member(record, None, state.next_serial()))
    if record.role == ORDER:
        state.orders[conversation] = None  # an undo takes it out with the endpoint
