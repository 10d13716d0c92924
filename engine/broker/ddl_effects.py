"""What DDL does to running conversations (docs/spec: CONTRACT, QUEUE, SERVICE, OFF, ALTERDB).

Decides which endpoints end, and what their peers are told. Each function works inside a BrokerTransaction, locks every
group concerned first (MustWait before any change), and leaves the catalog to its caller. Functions that take a
BrokerState change nothing that is stored: call them when the DDL has been published.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sbql.catalog.records import Contract, Database, QueuedMessage, Service
from sbql.catalog.snapshot import CatalogSnapshot
from sbql.engine.broker import consumers, deadlines, queue_monitor, system_messages, trace
from sbql.engine.broker.acceptance import give_error, state_to_come
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.conversation_state import Event
from sbql.engine.broker.end_conversation import clean_up
from sbql.engine.broker.endpoint_changes import find_peer
from sbql.engine.broker.outgoing import send_out
from sbql.engine.broker.ready_index import NOTHING
from sbql.engine.broker.state import BrokerState, Conversation, Group, QueueStore
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.messages import message as catalogue_message

__all__ = [
    "catalog_changed",
    "contract_dropped",
    "database_dropped",
    "error_broker_conversations",
    "new_broker",
    "queue_disabled",
    "queue_dropped",
    "service_altered",
    "service_dropped",
    "session_keys_lost",
]


def queue_disabled(state: BrokerState, queue_id: int) -> None:
    """STATUS = OFF: waiting receivers look again and get 9617; no monitor any more."""
    queue_monitor.remove(state, queue_id)
    store = state.queues.get(queue_id)
    if store is not None:
        store.rollbacks = 0
        store.wake_all()


def queue_dropped(state: BrokerState, queue_id: int) -> None:
    """No service was left on it, so it is empty. Waiting receivers get an error."""
    queue_disabled(state, queue_id)
    state.queues.pop(queue_id, None)


def catalog_changed(state: BrokerState, before: CatalogSnapshot, after: CatalogSnapshot, now: float) -> None:
    """Something was created, enabled or altered that may let delayed messages go. When a broker begins or ends to take
    part, or gets another id, peers are looked up anew and its own conversations thaw."""
    old = {d.id: (d.service_broker_guid, d.broker_problem) for d in before.all(Database)}
    new = {d.id: (d.service_broker_guid, d.broker_problem) for d in after.all(Database)}
    changed = {key for key in old.keys() | new.keys() if old.get(key) != new.get(key)}
    for database_id in changed:
        state.wake_all_of(database_id)
    if changed:
        for conversation in list(state.endpoints.values()):
            peer = conversation.peer
            if peer is not None and peer.endpoint.database_id != conversation.endpoint.database_id:
                conversation.peer = peer.peer = None
            if conversation.endpoint.database_id in changed:
                state.schedule(conversation)
    deadlines.retry_delayed(state, now)


def service_dropped(transaction: BrokerTransaction, service: Service) -> None:
    """Its conversations and their messages go; the peers get Error -8470. Receivers that wait for one of them look
    again. Raises 49942."""
    _refuse_held(transaction, service, "dropped")
    for conversation in _locked(transaction, service.database_id, service_id=service.id):
        _tell_peer(transaction, conversation, 8470)
        clean_up(transaction, conversation)
        conversation.queue.wake_all()
        trace.emit_conversation(transaction.state.trace, "Terminate Dialog", conversation)


def contract_dropped(transaction: BrokerTransaction, contract: Contract) -> None:
    """Running conversations end with an error on both sides: here -8425, at the peer -8487."""

    for conversation in _locked(transaction, contract.database_id, contract_id=contract.id):
        if state_to_come(transaction, conversation) in ("SO", "SI", "CO"):
            _tell_peer(transaction, conversation, 8487)
            transaction.touch(conversation)
            give_error(transaction, conversation, 8425, contract.name, event=Event.LOCAL_ERROR)


def service_altered(transaction: BrokerTransaction, service: Service, queue_id: int) -> None:
    """ALTER SERVICE … ON QUEUE: the service's messages move to the new queue; who waits for one of its conversations
    gets an error (8468). Raises 49942."""
    _refuse_held(transaction, service, "moved to another queue")
    store = transaction.state.queue(queue_id, service.database_id)
    groups: dict[Group, None] = {}
    moved: list[QueuedMessage] = []
    for conversation in _locked(transaction, service.database_id, service_id=service.id):
        if conversation.queue is store:
            continue
        groups[conversation.group] = None
        transaction.state.paging.page_in(conversation, None)
        moved += conversation.in_memory()
    for message in sorted(moved, key=lambda m: m.queuing_order):
        transaction.undo.append((setattr, message, "queue_id", message.queue_id))
        transaction.undo.append((setattr, message, "queuing_order", message.queuing_order))
        message.queue_id = queue_id
        message.queuing_order = store.next_order
        store.next_order += 1
        transaction.save_message(message, new=message.message_key in transaction.created)
    for group in groups:
        old = group.queue
        old.services_moved += 1
        _place(group, store)
        transaction.undo.append((_place, group, old))
        old.wake_all()


def _place(group: Group, store: QueueStore) -> None:
    """Put a group and its conversations into the ready index of a queue."""
    group.queue = store
    group.entry = None
    group.ready = NOTHING
    for conversation in group.members:
        conversation.queue = store
        conversation.entry = None
        store.index(conversation)


def new_broker(transaction: BrokerTransaction, database_id: int) -> None:
    """SET NEW_BROKER: all conversations of the database go, without a message to anybody."""
    for conversation in _locked(transaction, database_id):
        clean_up(transaction, conversation)
    consumers.end_consumers_of(transaction, database_id, for_good=False)


def database_dropped(transaction: BrokerTransaction, database_id: int) -> None:
    """As NEW_BROKER: what peers in other databases send from now on comes back as Error -8462."""
    new_broker(transaction, database_id)
    consumers.end_consumers_of(transaction, database_id, for_good=True)


def error_broker_conversations(transaction: BrokerTransaction, database_id: int) -> None:
    """SET ERROR_BROKER_CONVERSATIONS: every conversation gets Error -9719, peers in
    other databases and instances -9720."""
    for conversation in _locked(transaction, database_id):
        peer = find_peer(transaction, conversation)
        is_elsewhere = peer is None and conversation.endpoint.state != "CD"  # or nowhere: nobody is told then
        if is_elsewhere or (peer is not None and peer.endpoint.database_id != database_id):
            _tell_peer(transaction, conversation, 9720)
        transaction.touch(conversation)
        give_error(transaction, conversation, 9719, event=Event.LOCAL_ERROR)


def session_keys_lost(transaction: BrokerTransaction, database_id: int, is_lost: Callable[[bytes], bool]) -> None:
    """The master key of the database is another one, and the old one could not be opened: secure conversations with
    other instances get Error -28052 where the key that they have is lost."""
    for conversation in _locked(transaction, database_id, is_secure=True):
        kept = transaction.session_key_to_come(database_id, conversation.endpoint.session_key)
        if is_lost(kept) and state_to_come(transaction, conversation) in ("SO", "SI", "CO"):
            transaction.touch(conversation)
            give_error(transaction, conversation, 28052, event=Event.LOCAL_ERROR)


def _refuse_held(transaction: BrokerTransaction, service: Service, verb: str) -> None:
    what = "service", service.name, verb
    consumers.refuse_held(
        transaction.state,
        what,
        service.queue_id,
        lambda conversation: conversation is None or _is_of(conversation, service),
    )


def _is_of(conversation: Conversation, service: Service) -> bool:
    endpoint = conversation.endpoint
    return (endpoint.database_id, endpoint.service_id) == (service.database_id, service.id)


def _locked(
    transaction: BrokerTransaction,
    database_id: int,
    service_id: int | None = None,
    contract_id: int | None = None,
    *,
    is_secure: bool = False,
) -> Iterable[Conversation]:
    """The endpoints of a database, of a service or contract where that is given, all their groups locked. `is_secure`:
    only those with a session key, of which none rests."""
    if not is_secure:
        transaction.state.wake_all_of(database_id, service_id, contract_id)
    found = [
        c
        for c in transaction.state.endpoints.values()
        if (e := c.endpoint).database_id == database_id
        and service_id in (None, e.service_id)
        and contract_id in (None, e.contract_id)
        and (e.session_key or not is_secure)
    ]
    found.sort(key=lambda c: not c.endpoint.is_initiator)  # as they began: what was at rest has come in any order
    for conversation in found:
        transaction.lock(conversation.group)
    return [c for c in found if not c.removed]


def _tell_peer(transaction: BrokerTransaction, conversation: Conversation, number: int, *arguments: object) -> None:
    body = system_messages.broker_error_body(number, *arguments)
    problem = number, catalogue_message(number).format(*arguments)
    send_out(transaction, Arrival(conversation, Kind.BROKER_ERROR, system_messages.ERROR, body, problem=problem))
