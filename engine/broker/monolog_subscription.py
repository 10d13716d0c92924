"""Where subscriptions and monologs meet (docs/monologs.md, rules 12 to 18).

Decides which monologs a subscription joins, from which message on, and how it leaves. Must not know statements: the
subscription is a catalog record that a handler has put into the transaction's snapshot; here is what that means for
conversations.

All of it happens when the transaction commits, under the mutex: of a subscription and a monolog, one commits second and
finds the other. A leg starts at the publisher's committed sequence, so it does not matter what is being sent meanwhile.
"""

from __future__ import annotations

from uuid import UUID

from sbql.catalog.records import ConversationEndpoint, MonologMember, MonologMessage, MonologSubscription, Service
from sbql.engine.broker import delivery, monolog_publisher, trace
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.begin_dialog import CURRENT_DATABASE
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.monolog import attach, is_open
from sbql.engine.broker.monolog_publisher import committed_sequence, work_of
from sbql.engine.broker.monolog_work import MonologWork
from sbql.engine.broker.priority import priority_level
from sbql.engine.broker.ready_index import LEG, SUBSCRIBER, Conversation, Member, Monolog

__all__ = [
    "begin_subscription",
    "end_subscription",
    "finish",
    "leave",
    "leave_one",
    "make_leg",
    "publisher_service",
    "tell_the_past",
]


def begin_subscription(transaction: Holdings, subscription: UUID) -> None:
    """Note a new subscription: it joins the open monologs when the transaction commits."""
    subscribed = work_of(transaction).subscribed
    subscribed[subscription] = None
    transaction.undo.append((subscribed.pop, subscription, None))


def end_subscription(transaction: Holdings, subscription: UUID) -> None:
    """Note that a subscription is gone: it leaves its monologs when the transaction commits."""
    unsubscribed = work_of(transaction).unsubscribed
    unsubscribed[subscription] = None
    transaction.undo.append((unsubscribed.pop, subscription, None))


def publisher_service(index: CatalogIndex, database_id: int, far_service: str, broker_instance: str) -> list[Service]:
    """The services that a subscription of `database_id` means: of the broker instance, else the own one, else all of
    that name."""
    found = index.services_by_name.get(far_service, [])
    if broker_instance:
        wanted = index.guid(database_id) if broker_instance == CURRENT_DATABASE else broker_instance
        return [s for s in found if index.guid(s.database_id) == wanted]
    return [s for s in found if s.database_id == database_id] or list(found)


def finish(transaction: Holdings) -> None:
    """At commit, before what was sent is delivered: join, and send to those that have joined since."""
    work, index = work_of(transaction), transaction.index
    for monolog in work.cleaned_up:
        for leg in list(monolog.legs):
            if not leg.removed:
                monolog_publisher.remove_leg(transaction, leg)
    for monolog in work.begun:
        assert monolog.publisher is not None
        service = index.service_by_id.get(
            (monolog.publisher.endpoint.database_id, monolog.publisher.endpoint.service_id)
        )
        for subscription in index.subscriptions.get(service.name, ()) if service is not None else ():
            _join(transaction, monolog, subscription)
    if work.subscribed:
        _join_open_monologs(transaction, work)
    for monolog in work.sent:
        monolog_publisher.catch_up(transaction, monolog)


def leave(transaction: Holdings) -> None:
    """At commit, after what was sent is delivered: the legs of subscriptions that have ended close, and those that wait
    for us to end."""
    work = work_of(transaction)
    for leg in [leg for monolog in work.sent for leg in monolog.legs]:
        if leg.monolog is not None and leg.endpoint.state == "DI" and leg.monolog.heard_to_end is transaction.owner:
            monolog_publisher.end_leg(transaction, leg)
    if not work.unsubscribed:
        return
    for leg in [leg for monolog in transaction.state.monologs.values() for leg in monolog.legs]:
        if leg.monolog is not None and leg.monolog.record.subscription_handle in work.unsubscribed:
            leave_one(transaction, leg, leg.monolog)


def _join_open_monologs(transaction: Holdings, work: MonologWork) -> None:
    orders = [s for found in transaction.index.subscriptions.values() for s in found if s.handle in work.subscribed]
    for subscription in orders:
        for publisher, monolog in list(transaction.state.monologs.items()):
            if is_open(publisher):
                _join(transaction, monolog, subscription)


def _join(transaction: Holdings, monolog: Monolog, subscription: MonologSubscription) -> None:
    """Make the two endpoints, if monolog and subscription fit, and deliver what is retained."""
    publisher, index = monolog.publisher, transaction.index
    assert publisher is not None
    endpoint = publisher.endpoint
    service = index.service_by_id.get((subscription.database_id, subscription.service_id))
    source = index.service_by_id.get((endpoint.database_id, endpoint.service_id))
    if service is None or source is None or source.name != subscription.far_service:
        return
    if subscription.contract_name != endpoint.contract_name or subscription.contract_id not in service.contract_ids:
        return
    if source not in publisher_service(index, subscription.database_id, source.name, subscription.broker_instance):
        return
    if any(
        leg.monolog is not None and leg.monolog.record.subscription_handle == subscription.handle
        for leg in monolog.legs
    ):
        return
    if not transaction.rights.may_send(service.principal_id, service.database_id, source):
        return
    handle, database = subscription.handle, index.databases[subscription.database_id]
    leg, past = make_leg(
        transaction, monolog, publisher, handle, subscription.from_retained, service.name, database.service_broker_guid
    )
    _make_subscriber(transaction, leg, publisher, subscription, service, source)
    tell_the_past(transaction, leg, past)


def make_leg(
    transaction: Holdings,
    monolog: Monolog,
    publisher: Conversation,
    subscription: UUID,
    from_retained: bool,
    far_service: str,
    far_broker: UUID,
) -> tuple[Conversation, list[MonologMessage]]:
    """The publisher's side of a subscriber, and what is retained for it."""
    host, begun = transaction.host, publisher.endpoint
    assert publisher.monolog is not None
    start = committed_sequence(publisher)
    past: list[MonologMessage] = []
    if from_retained:
        oldest = host.now() - publisher.monolog.record.retention
        past = [m for m in monolog.retained if m.message_sequence_number < start and m.enqueue_time > oldest]
        start = past[0].message_sequence_number if past else start
    priority = priority_level(transaction.index, begun.database_id, begun.contract_id, begun.service_id, far_service)
    near = ConversationEndpoint(
        conversation_handle=host.new_guid(), conversation_id=host.new_guid(), is_initiator=True, database_id=begun.database_id,
        service_id=begun.service_id, contract_id=begun.contract_id, conversation_group_id=begun.conversation_group_id, state="CO",
        far_service=far_service, far_broker_instance=far_broker, lifetime=begun.lifetime, principal_id=begun.principal_id,
        priority=priority, encryption=begun.encryption, contract_name=begun.contract_name, send_sequence=start,
    )  # fmt: skip
    leg = Conversation(near, publisher.group)
    transaction.adopt(leg)
    record = MonologMember(
        near.conversation_handle, near.database_id, LEG, publisher.monolog.monolog_id, begun.conversation_handle, subscription, start
    )  # fmt: skip
    attach(transaction.state.monologs, leg, Member(record, monolog, transaction.state.next_serial()))
    trace.emit_conversation(transaction.state.trace, "Subscriber Joined", leg, text=far_service)
    return leg, past


def tell_the_past(transaction: Holdings, leg: Conversation, past: list[MonologMessage]) -> None:
    """Send what is retained."""
    for message in past:
        arrival = Arrival(
            leg,
            Kind.MESSAGE,
            message.message_type_name,
            message.message_body,
            message.message_sequence_number,
            message.message_id,
        )
        delivery.apply(transaction, arrival)


def _make_subscriber(
    transaction: Holdings,
    leg: Conversation,
    publisher: Conversation,
    subscription: MonologSubscription,
    service: Service,
    source: Service,
) -> None:
    """The other side of a leg, in a database of this instance."""
    index, host, state, near = transaction.index, transaction.host, transaction.state, leg.endpoint
    database_id, start = subscription.database_id, near.send_sequence
    assert leg.monolog is not None
    far = ConversationEndpoint(
        conversation_handle=host.new_guid(), conversation_id=near.conversation_id, is_initiator=False, database_id=database_id,
        service_id=service.id, contract_id=subscription.contract_id, conversation_group_id=host.new_guid(), state="SI",
        far_service=source.name, far_broker_instance=index.databases[near.database_id].service_broker_guid, lifetime=near.lifetime,
        principal_id=service.principal_id, far_principal_id=near.principal_id, receive_sequence=start, encryption=near.encryption,
        priority=priority_level(index, database_id, subscription.contract_id, service.id, source.name), contract_name=near.contract_name,
    )  # fmt: skip
    subscriber = transaction.add_conversation(far, state.queue(service.queue_id, database_id))
    record = MonologMember(
        far.conversation_handle, database_id, SUBSCRIBER, leg.monolog.monolog_id, publisher.endpoint.conversation_handle,
        subscription.handle, start,
    )  # fmt: skip
    attach(state.monologs, subscriber, Member(record, None, state.next_serial()))
    leg.peer, subscriber.peer = subscriber, leg


def leave_one(transaction: Holdings, leg: Conversation, member: Member) -> None:
    """The subscriber hears no more. A transaction of the publisher that is open now is heard to its end: all of it or
    nothing."""
    if leg.removed or leg.endpoint.state != "CO":
        return
    trace.emit_conversation(transaction.state.trace, "Subscriber Left", leg, text=leg.endpoint.far_service)
    holder = transaction.locks.holder(leg.group.resource)
    if holder is None or holder is transaction.owner:
        monolog_publisher.end_leg(transaction, leg)
        return
    member.heard_to_end = holder
    transaction.set_by_arrival(leg, "state", "DI")
    transaction.set_by_arrival(leg, "security_timestamp", transaction.host.now())
    transaction.reschedule[leg] = None
