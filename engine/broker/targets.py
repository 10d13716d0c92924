"""Targets: opening the target endpoint of a dialog when its first message comes.

Decides whether this instance has a service that may take the conversation (routing, security between databases,
contract, rights), and refuses with an Error message or a transmission status. Must not know queues' contents.
"""

from __future__ import annotations

from typing import Any, Final

from sbql.catalog.records import NO_GUID, ConversationEndpoint, Principal, Service
from sbql.engine.broker import route_requests, routing, trace
from sbql.engine.broker.acceptance import accept, body_problem, give_error
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.endpoint_changes import NO_TARGET_BROKER, TARGET_UNAVAILABLE, close, status_text
from sbql.engine.broker.far_side import FarSide
from sbql.engine.broker.held_arrivals import hold_arrival
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.monolog import is_leg
from sbql.engine.broker.out_of_step import RESTORED_HERE, RESTORED_THERE
from sbql.engine.broker.priority import priority_level
from sbql.engine.broker.ready_index import Conversation, QueueStore
from sbql.engine.broker.routing import Classification

__all__ = [
    "NO_RIGHT_TO_RECEIVE",
    "between_databases",
    "classify",
    "find_opened",
    "make_target",
    "open_or_refuse",
    "open_target",
    "queue_for",
]

NO_TRANSPORT: Final = 9666
NO_BINDING: Final = 9727
NO_RIGHT_TO_RECEIVE: Final = 8401
CLOSED_MASTER_KEY: Final = 15581


def classify(transaction: Holdings, sender: Conversation) -> Classification:
    """Where the conversation goes, by the routes of its database. Kept until the catalog changes, unless routes will
    expire."""
    index = transaction.index
    if sender.route is not None and sender.route_index is index:
        kept: Classification = sender.route
        return kept
    endpoint = sender.endpoint
    guid = endpoint.far_broker_instance or routing.parse_guid(endpoint.asked_broker_instance)
    if guid is None and endpoint.asked_broker_instance:
        guid = NO_GUID  # not a GUID at all: no broker has that one
    found = routing.classify(index, endpoint.database_id, endpoint.far_service, guid, transaction.host)
    if found.reason == routing.WAITS_FOR_ROUTING:
        asked = str(guid).upper() if guid is not None else ""
        route_requests.ask(transaction.state, endpoint.database_id, endpoint.far_service, asked, transaction.host.now())
    is_kept = found.kind == "Local" and routing.next_expiry(index, transaction.host.now()) is None
    sender.route, sender.route_index = (found, index) if is_kept else (None, None)
    reason = status_text(found.reason) if found.reason else ""
    trace.emit_conversation(transaction.state.trace, found.kind, sender, "Broker:Message Classify", reason)
    return found


def queue_for(transaction: Holdings, arrival: Arrival) -> QueueStore | None:
    """The queue on which the first message of a dialog will open a target, None when it will not."""
    sender = arrival.sender
    if (
        not sender.endpoint.is_initiator
        or sender.endpoint.far_broker_instance is not None
        or arrival.kind != Kind.MESSAGE
    ):
        return None
    place = classify(transaction, sender)
    if place.kind != "Local":
        return None
    service = transaction.index.services[place.database_id, sender.endpoint.far_service]
    return transaction.state.queue(service.queue_id, service.database_id)


def find_opened(transaction: Holdings, sender: Conversation) -> Conversation | None:
    """The target in this instance that the network has opened, over a route that led out and back in, when the routes
    lead to no other instance any more. Its receipt may never have come."""
    begun = sender.endpoint
    if not begun.is_initiator or not begun.security or begun.far_broker_instance is not None:
        return None
    if sender.monolog is not None or classify(transaction, sender).kind != "Local":
        return None
    for database_id, database in transaction.index.databases.items():
        peer = transaction.state.find_side(begun.conversation_id, False, database_id)
        if peer is not None and database.service_broker_guid.int in transaction.index.by_guid:
            sender.peer = peer
            peer.peer = sender
            transaction.set(sender, "far_broker_instance", database.service_broker_guid)
            return peer
    return None


def open_or_refuse(transaction: Holdings, arrival: Arrival) -> str | None:
    """Deliver to an endpoint that does not exist (yet). Returns the transmission status when it has to wait."""
    sender = arrival.sender
    endpoint = sender.endpoint
    index = transaction.index
    starts = endpoint.is_initiator and arrival.sequence == 0 and not is_leg(sender)  # an end is never the first
    if endpoint.far_broker_instance is None and not starts:
        place = classify(transaction, sender) if _may_be_known_elsewhere(arrival) else None
        if place is not None and place.kind != "Local":
            return _elsewhere(transaction, arrival, place)
        close(transaction, sender)
        return None
    if endpoint.far_broker_instance is not None and not starts:
        if endpoint.far_broker_instance.int not in index.by_guid:
            return _elsewhere(transaction, arrival, classify(transaction, sender))
        if arrival.kind != Kind.MESSAGE:
            close(transaction, sender)
        else:
            give_error(transaction, sender, 8462)
        return None
    place = classify(transaction, sender)
    if place.kind != "Local":
        return _elsewhere(transaction, arrival, place)
    return open_target(transaction, arrival, place.database_id)


def _may_be_known_elsewhere(arrival: Arrival) -> bool:
    """END CONVERSATION WITH ERROR has deleted the first message, which the network had, and whose receipt may only be
    late: another instance may have it, and has to be told."""
    sender = arrival.sender
    return arrival.kind == Kind.ERROR and bool(sender.endpoint.security) and sender.monolog is None


def _elsewhere(transaction: Holdings, arrival: Arrival, place: Classification) -> str | None:
    if place.kind == "Delayed":
        return status_text(place.reason)
    if place.kind == "Local":
        return status_text(NO_TARGET_BROKER)
    if transaction.state.has_transport:
        return _over_the_network(transaction, arrival.sender)
    return status_text(NO_TRANSPORT, "Service Broker")


def _over_the_network(transaction: Holdings, sender: Conversation) -> str:
    """Empty: the network takes it. Else why it does not."""
    begun = sender.endpoint
    if begun.is_initiator and not begun.security:
        beginning = transaction.state.dialog_security.begin(transaction.index, begun)
        if beginning.status:
            return _unsecured(transaction, begun, beginning.status)
        is_order = sender.monolog is not None and sender.monolog.is_order
        if begun.is_system and beginning.fields.get("security") != "FULL" and not is_order:
            return status_text(NO_BINDING)  # event notifications: who they come from has to be proven
        for field, value in beginning.fields.items():
            transaction.set_by_arrival(sender, field, value)
    sender.goes_out = True
    return ""


def _unsecured(transaction: Holdings, begun: ConversationEndpoint, why: tuple[Any, ...]) -> str:
    """Why a dialog cannot be secured. The dynamic routing service is asked for a binding that is missing."""
    database_id, service, host = begun.database_id, begun.far_service, transaction.host
    if why != (NO_BINDING,) or not routing.asks_for_routes(transaction.index, database_id, service, host):
        return status_text(*why)
    route_requests.ask(transaction.state, database_id, service, "", host.now(), of_binding=True)
    return status_text(routing.WAITS_FOR_ROUTING)


def open_target(transaction: Holdings, arrival: Arrival, database_id: int) -> str | None:
    """Make the target endpoint and give it the first message."""
    index = transaction.index
    sender = arrival.sender
    begun = sender.endpoint
    service = index.services[database_id, begun.far_service]
    waits = between_databases(transaction, sender, service)
    if waits is not None:
        return waits
    if sender.stored and (known := transaction.state.find_side(begun.conversation_id, False, database_id)) is not None:
        if not known.removed:  # the database of the initiator is as it was before its first message
            give_error(transaction, sender, RESTORED_HERE)
            give_error(transaction, known, RESTORED_THERE)
            return None
    contract = index.contracts.get((database_id, begun.contract_name))
    refusal: tuple[Any, ...] | None = None
    if contract is None:
        refusal = (8425, begun.contract_name)
    elif contract.id not in service.contract_ids:
        refusal = (8408, service.name, contract.name)
    elif not _may_send(transaction, sender, service):
        refusal = (8494, service.name)
    else:
        refusal = body_problem(transaction, arrival, database_id, contract.id)
    if refusal is not None or contract is None:
        assert refusal is not None
        give_error(transaction, sender, *refusal)
        return None
    queue = index.queues.get(service.queue_id)
    is_held = sender.is_far and queue is not None and not queue.is_enabled
    if queue is None or not (queue.is_enabled or is_held):
        return status_text(TARGET_UNAVAILABLE)
    if not transaction.rights.may_receive(service.principal_id, queue):
        return status_text(NO_RIGHT_TO_RECEIVE, service.principal_id, database_id, queue.name)
    target = make_target(transaction, sender, service, contract.id)
    if is_held:
        transaction.set(target, "state", "SI")
        hold_arrival(transaction, target, arrival)
    else:
        accept(transaction, target, arrival)
    return None


def _may_send(transaction: Holdings, sender: Conversation, service: Service) -> bool:
    if sender.is_far:
        return transaction.state.dialog_security.may_send(transaction.index, service, sender.endpoint.principal_id)
    begun = sender.endpoint
    if begun.is_system and begun.database_id != service.database_id:
        return True  # an event notification: `between_databases` lets it pass, too
    return transaction.rights.may_send(begun.principal_id, begun.database_id, service)


def make_target(transaction: Holdings, sender: Conversation, service: Service, contract_id: int) -> Conversation:
    """A target endpoint for the dialog of `sender`, in the change log of the transaction."""
    index = transaction.index
    begun = sender.endpoint
    database_id = service.database_id
    host = transaction.host
    if isinstance(sender, FarSide):
        far_service, far_broker = sender.service_name, sender.broker_guid
    else:
        far_service = index.service_by_id[begun.database_id, begun.service_id].name
        far_broker = index.databases[begun.database_id].service_broker_guid
    endpoint = ConversationEndpoint(
        conversation_handle=host.new_guid(),
        conversation_id=begun.conversation_id,
        is_initiator=False,
        database_id=database_id,
        service_id=service.id,
        contract_id=contract_id,
        conversation_group_id=host.new_guid(),
        state="CO",
        far_service=far_service,
        far_broker_instance=far_broker,
        lifetime=begun.lifetime,
        priority=priority_level(index, database_id, contract_id, service.id, far_service),
        principal_id=service.principal_id,
        far_principal_id=_known_as(transaction, sender, service),
        encryption=begun.encryption,
        is_system=begun.is_system,
        contract_name=begun.contract_name,
        security=begun.security if sender.is_far else "",
        session_key=begun.session_key if sender.is_far else b"",
        outbound_key_id=begun.inbound_key_id if sender.is_far else None,
        inbound_key_id=begun.outbound_key_id if sender.is_far else None,
    )
    target = transaction.add_conversation(
        endpoint, transaction.state.queue(service.queue_id, database_id), begun.is_system
    )
    if not sender.is_far:
        target.peer = sender
        sender.peer = target
        transaction.set(sender, "far_broker_instance", index.databases[database_id].service_broker_guid)
        binding = index.bindings.get((begun.database_id, service.name))
        if binding is not None and begun.database_id != database_id:
            transaction.set(sender, "far_principal_id", binding.remote_principal_id)
    trace.emit_conversation(transaction.state.trace, "Dialog Created", target)
    return target


def _known_as(transaction: Holdings, sender: Conversation, service: Service) -> int:
    """Who the initiator is in the database of the target."""
    begun = sender.endpoint
    if sender.is_far or begun.database_id == service.database_id:
        return begun.principal_id
    return transaction.rights.known_there(begun.principal_id, begun.database_id, service)


def between_databases(transaction: Holdings, sender: Conversation, service: Service) -> str | None:
    """Dialogs between two databases of this instance need a master key in both when ENCRYPTION is ON, and certificates
    where a remote service binding names the target; without those SEND for public or a TRUSTWORTHY initiator database
    that makes the owner of the initiating service somebody in the other (docs/spec: BINDING, TRUST). Returns why not,
    None when fine."""
    index = transaction.index
    begun = sender.endpoint
    if begun.database_id == service.database_id or begun.is_system or sender.is_far:
        return None
    both = {begun.database_id, service.database_id}
    if begun.encryption and not both <= index.master_keys:
        closed = sorted(both & index.closed_master_keys)
        return status_text(28054, index.databases[closed[0]].name, CLOSED_MASTER_KEY) if closed else status_text(28051)
    if (begun.database_id, service.name) in index.bindings:
        return transaction.rights.not_there(begun.principal_id, begun.database_id, service) or None
    database = index.databases[begun.database_id]
    if (service.database_id, service.id) in index.public_send:
        return None
    if database.is_trustworthy_on:
        return transaction.rights.not_there(begun.principal_id, begun.database_id, service) or None
    owner = next((p.name for p in index.snapshot.all(Principal, 0) if p.sid == database.owner_sid), "dbo")
    far = index.databases[service.database_id].name
    return (
        f"{status_text(916, owner, far)} ALTER DATABASE {database.name} SET TRUSTWORTHY ON, or in {far} "
        f"GRANT SEND ON SERVICE::[{service.name}] TO public."
    )
