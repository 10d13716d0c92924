"""Remote: what comes from another instance meets this one's endpoints (docs/spec: NETWORK).

Decides which endpoint a message is for, what becomes of duplicates, of messages that come too early and of
those that nobody knows, and what an acknowledgement ends. Works inside the `prepare` of a transaction, and
leaves the locks of conversation groups to those who have them, as every arrival does. Must not know frames,
connections, or when something is sent.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from uuid import UUID

from msgspec import Struct

from sbql.catalog.records import NO_GUID, QueuedMessage, Service
from sbql.engine.broker import far_monologs, routing, trace
from sbql.engine.broker.acceptance import (
    accept,
    body_problem,
    give_error,
    held_end,
    state_to_come,
    undeliverable,
)
from sbql.engine.broker.arrival import KIND_OF_TYPE, Arrival, Kind
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.endpoint_changes import (
    BROKER_UNAVAILABLE,
    QUEUE_DISABLED,
    SINGLE_USER,
    close,
    note_seen,
    problem_of,
    status_text,
)
from sbql.engine.broker.far_side import FarSide
from sbql.engine.broker.held_arrivals import hold_arrival, is_to_be_held
from sbql.engine.broker.held_errors import hold_back
from sbql.engine.broker.holdings import Holdings, MustWait
from sbql.engine.broker.incoming import Incoming
from sbql.engine.broker.out_of_step import (
    DUPLICATE,
    RESTORED_HERE,
    RESTORED_THERE,
    WINDOW,
    is_another,
    keep,
    mark_of,
)
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.targets import make_target, open_target

__all__ = ["MSDB", "acknowledge", "find", "later_spans", "look_up", "never_sent", "take"]

ENDED: Final = ("DO", "CD", "ER")
"""States of a side to whose queue nothing comes any more."""
MSDB: Final = 4
NO_CONVERSATION: Final = 11209
NO_SERVICE: Final = 11210
NOT_THE_FIRST: Final = 11213
INCONSISTENT: Final = 11221
OTHER_CONTRACT: Final = 11223
NOT_USABLE: Final = 8462
NOT_SECURE_HERE: Final = 11231
NOT_SECURE_THERE: Final = 11232
OTHER_SESSION_KEY: Final = 11233
NO_CONTEXT: Final = 11229
ANOTHER_INSTANCE: Final = 8495
CONTRACT_DROPPED: Final = 8487
UNKNOWN_SERVICE: Final = 8490
NO_MSDB: Final = 9788
MSDB_BROKER_OFF: Final = 9789
MSDB_SINGLE_USER: Final = 9790


class Answer(Struct):
    """What the sender of a message is to be told once this is on disk: nothing, a
    receipt of `conversation`, or an error."""

    conversation: Conversation | None = None
    is_taken: bool = False
    problem: tuple[int, str] = (0, "")


def take(transaction: Holdings, message: Incoming, sides: dict[Conversation, FarSide]) -> Answer:
    """Take in one message. `sides`: stand-ins of those who have sent others of the same transaction."""
    found = find(transaction, message.conversation_id, not message.from_initiator, message.to_broker)
    if found is None or found.removed:
        return _take_unknown(transaction, message)
    if found.ended_by is not None and found.ended_by is not transaction:
        return Answer(found)  # it may be gone in a moment: the sender repeats it
    endpoint = found.endpoint
    problem = transaction.index.databases[endpoint.database_id].broker_problem
    if problem and message.kind != Kind.BROKER_ERROR:
        return _dropped(transaction, found, BROKER_UNAVAILABLE, status_text(problem))
    expected_key = endpoint.inbound_key_id or NO_GUID
    if expected_key != message.security.key_id:
        subclass = "unsequenced" if message.kind == Kind.BROKER_ERROR else "sequenced"
        reason = _other_key(expected_key, message.security.key_id)
        return _dropped(transaction, found, reason, subclass=subclass)
    if endpoint.far_broker_instance is None:
        transaction.set_by_arrival(found, "far_broker_instance", message.from_broker)
    elif endpoint.far_broker_instance != message.from_broker:
        return Answer(found, problem=problem_of(ANOTHER_INSTANCE))
    if endpoint.far_service != message.from_service and message.kind != Kind.BROKER_ERROR:
        return _dropped(transaction, found, INCONSISTENT)
    if message.kind == Kind.BROKER_ERROR:
        if held_end(transaction, found) is not None:  # as in DI and ER
            return Answer(found)
        if problem and found.monolog is None:  # it is not repeated
            hold_back(transaction, found, state_to_come(transaction, found), Kind.BROKER_ERROR, message.body)
            return Answer(found)
        error = FarSide(message, transaction.host.now()).arrival(message)
        if not far_monologs.hear(transaction, found, error):
            accept(transaction, found, error)
        return Answer(found)
    if message.contract != endpoint.contract_name:
        return _dropped(transaction, found, OTHER_CONTRACT, message.contract, endpoint.contract_name)
    return _take_sequenced(transaction, found, message, sides)


def _other_key(expected: UUID, found: UUID) -> int:
    """Why a message that is secured by `found` is not taken where `expected` is wanted (NO_GUID: by none)."""
    if expected == NO_GUID:
        return NOT_SECURE_HERE
    return NOT_SECURE_THERE if found == NO_GUID else OTHER_SESSION_KEY


def find(transaction: Holdings, conversation_id: UUID, is_initiator: bool, broker: UUID | None) -> Conversation | None:
    """An endpoint of this instance: in the database of the broker, or, when the
    sender does not know that yet, in any."""
    return look_up(transaction.state, transaction.index, conversation_id, is_initiator, broker)


def look_up(
    state: BrokerState, index: CatalogIndex, conversation_id: UUID, is_initiator: bool, broker: UUID | None
) -> Conversation | None:
    """`find` without a transaction. The broker's mutex is held."""
    if broker is not None:
        database = index.by_guid.get(broker.int)
        return None if database is None else state.find_side(conversation_id, is_initiator, database.id)
    for database_id in index.databases:
        found = state.find_side(conversation_id, is_initiator, database_id)
        if found is not None:
            return found
    return None


def _take_unknown(transaction: Holdings, message: Incoming) -> Answer:
    """There is no such endpoint: it is begun, or was gone before, or its first message is still on its way."""
    index = transaction.index
    if message.kind == Kind.BROKER_ERROR:
        return _dropped(transaction, None, NO_CONVERSATION, subclass="unsequenced")
    if not message.from_initiator or message.has_seen_first:
        is_ours = message.to_broker is not None and message.to_broker.int in index.by_guid
        return Answer(problem=problem_of(NOT_USABLE)) if is_ours else Answer()
    if message.monolog is not None:
        return _answer_to(transaction, far_monologs.open_subscriber(transaction, message))
    is_over = message.kind == Kind.ERROR
    if not is_over and (message.sequence != 0 or message.kind != Kind.MESSAGE):
        return _dropped(transaction, None, NOT_THE_FIRST)
    if problem := _problem_of_msdb(index):
        return _dropped(transaction, None, problem)
    place = routing.classify(index, MSDB, message.to_service, message.to_broker, transaction.host)
    if place.kind != "Local":
        database = index.by_guid.get(message.to_broker.int) if message.to_broker is not None else None
        if database is not None and not database.broker_problem:
            return Answer(problem=problem_of(UNKNOWN_SERVICE, message.to_service))
        return _dropped(transaction, None, NO_SERVICE, message.to_service)
    if message.security.session_key and message.security.database_id != place.database_id:
        return _dropped(transaction, None, NO_CONTEXT)
    if is_over:
        return _bury(transaction, message, index.services[place.database_id, message.to_service])
    if message.message_type == far_monologs.SUBSCRIBE:
        service = index.services[place.database_id, message.to_service]
        return _answer_to(transaction, far_monologs.open_order(transaction, message, service))
    far = FarSide(message, transaction.host.now())
    refusal = open_target(transaction, far.arrival(message), place.database_id)
    if far.problem[0]:
        return Answer(problem=far.problem)
    if refusal is not None:
        return _left(transaction, refusal)
    found = find(transaction, message.conversation_id, False, message.to_broker)
    assert found is not None
    transaction.set_by_arrival(found, "last_arrival", mark_of(message.sequence, message.message_id))
    return Answer(found, is_taken=True)


def _bury(transaction: Holdings, message: Incoming, service: Service) -> Answer:
    """The initiator has ended WITH ERROR before it knew of any target, and there is none here. Its first message may
    still be on its way: a closed endpoint stays for a while and knows it again."""
    contract = transaction.index.contracts.get((service.database_id, message.contract))
    if contract is None:
        return Answer(problem=problem_of(8425, message.contract))
    if not transaction.state.dialog_security.may_send(transaction.index, service, message.security.principal_id):
        return Answer(problem=problem_of(8494, service.name))
    target = make_target(transaction, FarSide(message, transaction.host.now()), service, contract.id)
    transaction.set(target, "receive_sequence", message.sequence + 1)
    note_seen(transaction, target)
    close(transaction, target)
    return Answer(target, is_taken=True)


def _answer_to(transaction: Holdings, opened: tuple[Conversation | None, tuple[int, str]]) -> Answer:
    """The first message of what belongs to a monolog was taken, refused, or neither."""
    found, problem = opened
    if found is None and not problem[0]:
        return _dropped(transaction, None, NOT_THE_FIRST)
    return Answer(found, is_taken=not problem[0], problem=problem)


def _problem_of_msdb(index: CatalogIndex) -> int:
    """Why new dialogs of others cannot be routed, as a message number; 0 when they can."""
    msdb = index.databases.get(MSDB)
    if msdb is None or msdb.state != "ONLINE":
        return NO_MSDB
    if not msdb.broker_problem:
        return 0
    return MSDB_SINGLE_USER if msdb.broker_problem == SINGLE_USER else MSDB_BROKER_OFF


def _take_sequenced(
    transaction: Holdings, found: Conversation, message: Incoming, sides: dict[Conversation, FarSide]
) -> Answer:
    endpoint = found.endpoint
    expected = endpoint.receive_sequence
    kept = next((m for m in found.incomplete if m.message_sequence_number == message.sequence), None)
    if message.sequence < expected or kept is not None:
        known = mark_of(kept.message_sequence_number, kept.message_id) if kept is not None else endpoint.last_arrival
        if is_another(known, message.sequence, message.message_id):
            if found.monolog is None:  # its database is older than what has come from it before
                give_error(transaction, found, RESTORED_THERE)
                return Answer(found, problem=problem_of(RESTORED_HERE))
        if message.has_seen_first:  # a duplicate, too, may say so; and a message that is too early waits for that
            note_seen(transaction, found)
        conversation_id, role = str(endpoint.conversation_id).upper(), int(endpoint.is_initiator)
        undeliverable(transaction, found, DUPLICATE, conversation_id, role, message.sequence, 0)
        return Answer(found, is_taken=True)
    is_early = message.sequence > expected
    if (message.kind == Kind.MESSAGE or (message.kind == Kind.END and is_early)) and _has_failed(transaction, found):
        return Answer(found, problem=_failure(transaction, found, message))
    if is_early and message.kind != Kind.ERROR:
        if is_to_be_held(transaction, found):  # only what can be let go as it is, in its order, is held
            return _dropped(transaction, found, QUEUE_DISABLED, found.queue.queue_id)
        if (
            message.sequence >= expected + WINDOW or endpoint.state in ENDED
        ):  # what fills the gap is acknowledged and dropped, and then this
            return Answer(found)
        keep(transaction, found, message.kind, message.message_type, message.body, message.sequence, message.message_id)
        return Answer(found, is_taken=True)
    if is_early:
        _drop_kept(transaction, found)
    far = sides.get(found)
    if far is None or far.problem[0]:
        far = sides[found] = FarSide(message, transaction.host.now())
    _next(transaction, found, far.arrival(message))
    while not far.problem[0] and not found.removed:
        following = next((m for m in found.incomplete if m.message_sequence_number == endpoint.receive_sequence), None)
        if following is None:
            break
        transaction.keep_incomplete(found, [m for m in found.incomplete if m is not following])
        transaction.delete_message(following.message_key)
        _next(transaction, found, far.arrival(_again(message, following)))
    return Answer(found, is_taken=not far.problem[0], problem=far.problem)


def _has_failed(transaction: Holdings, found: Conversation) -> bool:
    """An error of this broker has ended this side, so that the other one does not know it from what it has been sent in
    sequence: whatever it still says, it did not hear of it. A lifetime it has itself."""
    endpoint = found.endpoint
    return (
        endpoint.state in ("ER", "CD")
        and endpoint.end_dialog_sequence < 0
        and found.monolog is None
        and transaction.host.now() < endpoint.lifetime
    )


def _failure(transaction: Holdings, found: Conversation, message: Incoming) -> tuple[int, str]:
    """What the other side is told of it: as when it happened, if that can still be seen."""
    endpoint = found.endpoint
    if (endpoint.database_id, endpoint.contract_id) not in transaction.index.usages:
        return problem_of(CONTRACT_DROPPED)
    if message.kind == Kind.MESSAGE and message.sequence == endpoint.receive_sequence:
        arrival = FarSide(message, transaction.host.now()).arrival(message)
        problem = body_problem(transaction, arrival, endpoint.database_id, endpoint.contract_id)
        if problem is not None:
            return problem_of(*problem)
    return problem_of(NOT_USABLE)


def _drop_kept(transaction: Holdings, found: Conversation) -> None:
    """END CONVERSATION WITH ERROR has deleted what its sender had not brought over: nothing fills a gap before the
    Error, and what was kept behind one goes."""
    for kept in found.incomplete:
        transaction.delete_message(kept.message_key)
    if found.incomplete:
        transaction.keep_incomplete(found, [])


def _next(transaction: Holdings, found: Conversation, arrival: Arrival) -> None:
    """The next message in order: held while the queue is OFF, unless it is an error for both sides."""
    endpoint = found.endpoint
    transaction.set_by_arrival(found, "last_arrival", mark_of(arrival.sequence, arrival.message_id))
    if far_monologs.hear(transaction, found, arrival):
        return
    if is_to_be_held(transaction, found) and (
        arrival.kind != Kind.MESSAGE
        or body_problem(transaction, arrival, endpoint.database_id, endpoint.contract_id) is None
    ):
        hold_arrival(transaction, found, arrival)
    else:
        accept(transaction, found, arrival)


def _again(message: Incoming, row: QueuedMessage) -> Incoming:
    """A kept message as it was sent."""
    return Incoming(
        message.conversation_id, message.from_initiator, message.to_service, message.to_broker, message.from_service,
        message.from_broker, KIND_OF_TYPE.get(row.message_type_id, Kind.MESSAGE), row.message_sequence_number, row.message_type_name,
        message.contract, row.message_id, message.lifetime, message.has_seen_first, row.message_body, message.security,
    )  # fmt: skip


def _dropped(
    transaction: Holdings, found: Conversation | None, number: int, *arguments: object, subclass: str = "sequenced"
) -> Answer:
    """It was not taken, and nobody is told: whoever sent it repeats it."""
    if found is not None:
        undeliverable(transaction, found, number, *arguments, subclass=subclass)
        return Answer(found)
    return _left(transaction, status_text(number, *arguments), subclass)


def _left(transaction: Holdings, text: str, subclass: str = "sequenced") -> Answer:
    """As `_dropped`, of a dialog that is not known here."""
    transaction.state.counters.dropped += 1
    trace.emit(transaction.state.trace, "Broker:Message Undeliverable", subclass, text=text)
    return Answer()


def later_spans(conversation: Conversation) -> list[tuple[int, int]]:
    """What has come too early and is kept, as spans of numbers."""
    spans: list[tuple[int, int]] = []
    for number in sorted(m.message_sequence_number for m in conversation.incomplete):
        if spans and spans[-1][1] == number - 1:
            spans[-1] = spans[-1][0], number
        else:
            spans.append((number, number))
    return spans


def never_sent(transaction: Holdings, conversation: Conversation, next_sequence: int) -> tuple[int, str] | None:
    """The other side has messages below `next_sequence`. If this one has not sent so many, its database is older than
    what the other side knows of it: a backup, or a copy of the file. What it sends now would be taken for duplicates,
    so both sides end; what the other side is told comes back."""
    endpoint = conversation.endpoint
    if (
        next_sequence <= endpoint.send_sequence
        or conversation.monolog is not None
        or state_to_come(transaction, conversation) not in ("SO", "SI", "CO", "DO")
    ):
        return None
    give_error(transaction, conversation, RESTORED_HERE)
    return problem_of(RESTORED_THERE)


def acknowledge(
    transaction: Holdings, conversation: Conversation, numbers: Iterable[int], far_broker: UUID
) -> list[int]:
    """Messages of these numbers are on the disk of `far_broker`. A side that has ended is done when nothing of it is
    left there: its end may arrive before what was sent before it. Returns those that have to be acknowledged again: the
    last of a dialog that somebody has locked, and what somebody has taken out who may put it back. Raises LookupError
    when another instance has acknowledged the dialog before."""
    if conversation.removed:
        return []
    endpoint = conversation.endpoint
    if endpoint.far_broker_instance is None:
        transaction.set_by_arrival(conversation, "far_broker_instance", far_broker)
    elif endpoint.far_broker_instance != far_broker:
        raise LookupError(far_broker)
    left: list[int] = []
    rows = conversation.transmission
    for number in numbers:
        if number not in rows:
            if conversation.toucher is not None:
                left.append(number)
            continue
        is_the_end = endpoint.state == "DO" and len(rows) == 1
        if is_the_end and not _is_ours(transaction, conversation):
            left.append(number)
            continue
        transaction.delete_transmission(conversation, rows, number)
        if is_the_end:
            close(transaction, conversation)
            trace.emit_conversation(transaction.state.trace, "Received END CONVERSATION Ack", conversation)
    if conversation.endpoint.transmission_status and conversation.endpoint.state not in ("DI", "ER"):
        transaction.set_by_arrival(conversation, "transmission_status", "")
    return left


def _is_ours(transaction: Holdings, conversation: Conversation) -> bool:
    try:
        transaction.lock(conversation.group)
    except MustWait:
        return False
    return True
