"""The publisher's side of a monolog: BEGIN MONOLOG, SEND, END CONVERSATION (docs/monologs.md).

Decides what goes to which subscribers. Each SEND or END makes one arrival a leg; delivery brings it there as it does a
dialog's. Must not know how subscribers come (monolog_subscription does).

A subscriber may join between a SEND and the commit of its transaction: the transaction remembers what it has sent, and
gives it to legs that are newer. So a subscriber gets all of a transaction that commits after it has joined, and no
publisher waits for it.
"""

from __future__ import annotations

from typing import Final
from uuid import UUID

from sbql.catalog.records import NEVER, MonologMember
from sbql.engine.broker import delivery, system_messages
from sbql.engine.broker.arrival import Arrival, Kind
from sbql.engine.broker.begin_dialog import DEFAULT_LIFETIME, begin_dialog
from sbql.engine.broker.endpoint_changes import find_peer
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.monolog import attach, forget
from sbql.engine.broker.monolog_retention import drop_expired, retain
from sbql.engine.broker.monolog_work import MonologWork, Sent
from sbql.engine.broker.outgoing import send_out
from sbql.engine.broker.ready_index import PUBLISHER, Conversation, Member, Monolog
from sbql.engine.broker.system_messages import DEFAULT_CONTRACT
from sbql.grammar.errors import sql_error

__all__ = [
    "MAX_RETENTION",
    "begin_monolog",
    "catch_up",
    "clean_up",
    "committed_sequence",
    "end",
    "end_leg",
    "publish",
    "remove_leg",
    "run_due",
    "work_of",
]

MAX_RETENTION: Final = 2147483647


def work_of(transaction: Holdings) -> MonologWork:
    if transaction.monologs is None:
        transaction.monologs = MonologWork()
    return transaction.monologs


def begin_monolog(
    transaction: Holdings,
    database_id: int,
    from_service: str | None,
    *,
    contract: str | None = DEFAULT_CONTRACT,
    related_conversation: UUID | None = None,
    related_conversation_group: UUID | None = None,
    lifetime: int | None = DEFAULT_LIFETIME,
    retention: int | None = 0,
    encryption: bool = True,
) -> UUID:
    """Begin a monolog and return the publisher's handle. `retention` in seconds, None: until the end. Checks as BEGIN
    DIALOG, then 49934."""
    if retention is not None and not 0 <= retention <= MAX_RETENTION:
        raise sql_error(49934, retention, 0, MAX_RETENTION)
    handle = begin_dialog(
        transaction, database_id, from_service, "", contract=contract, related_conversation=related_conversation,
        related_conversation_group=related_conversation_group, lifetime=lifetime, encryption=encryption, is_monolog=True,
    )  # fmt: skip
    conversation = transaction.conversation(handle, database_id)
    seconds = NEVER if retention is None else float(retention)
    monolog_id = conversation.endpoint.conversation_id
    record = MonologMember(handle, database_id, PUBLISHER, monolog_id, handle, retention=seconds)
    monolog = Monolog()
    attach(transaction.state.monologs, conversation, Member(record, monolog))
    transaction.undo.append((forget, transaction.state.monologs, conversation))
    begun = work_of(transaction).begun
    begun[monolog] = None
    transaction.undo.append((begun.pop, monolog, None))
    return handle


def publish(
    transaction: Holdings,
    publisher: Conversation,
    type_name: str,
    body: bytes | None,
    sequence: int,
    message_id: bytes,
) -> None:
    """A message to every subscriber, and to those to come while it is retained."""
    member = publisher.monolog
    assert member is not None and member.monolog is not None
    if member.record.retention > 0:
        retain(transaction, publisher, member.monolog, type_name, body, sequence, message_id)
    _send_to_all(transaction, member.monolog, Kind.MESSAGE, type_name, body, sequence, message_id)


def end(transaction: Holdings, publisher: Conversation, kind: Kind, body: bytes | None) -> None:
    """END CONVERSATION of the publisher: every subscriber is told, and the endpoint goes; it waits for nobody."""
    member = publisher.monolog
    assert member is not None and member.monolog is not None
    endpoint = publisher.endpoint
    if endpoint.state in ("SO", "CO"):
        name = system_messages.END_DIALOG if kind == Kind.END else system_messages.ERROR
        _send_to_all(
            transaction, member.monolog, kind, name, body, endpoint.send_sequence, transaction.host.new_message_id()
        )
    transaction.remove_conversation(publisher)


def clean_up(transaction: Holdings, publisher: Conversation) -> None:
    """The publisher goes WITH CLEANUP or with its service: what waits for subscribers goes too, and nobody is told."""
    member = publisher.monolog
    assert member is not None and member.monolog is not None
    work, monolog = work_of(transaction), member.monolog
    for table in (work.begun, work.sent):
        if monolog in table:
            transaction.undo.append((table.setdefault, monolog, table.pop(monolog)))
    work.cleaned_up[monolog] = None
    transaction.undo.append((work.cleaned_up.pop, monolog, None))
    for leg in list(monolog.legs):
        if not leg.removed:
            remove_leg(transaction, leg)


def remove_leg(transaction: Holdings, leg: Conversation) -> None:
    transaction.delete_transmissions(leg, leg.transmission)
    transaction.remove_conversation(leg)


def end_leg(transaction: Holdings, leg: Conversation) -> None:
    """EndDialog for one subscriber, numbered after the last message that goes there."""
    if leg.transmission:
        sequence = max(leg.transmission.last_number + 1, leg.endpoint.send_sequence)  # later ones may have gone already
    else:
        peer = find_peer(transaction, leg)
        sequence = peer.endpoint.receive_sequence if peer is not None else leg.endpoint.send_sequence
    arrival = Arrival(leg, Kind.END, system_messages.END_DIALOG, None, sequence, transaction.host.new_message_id())
    delivery.apply(transaction, arrival)


def committed_sequence(publisher: Conversation) -> int:
    """The first message that no committed transaction has sent."""
    if not publisher.stored:
        return 0
    image = publisher.committed if publisher.toucher is not None else None
    return (image or publisher.endpoint).send_sequence


def _send_to_all(
    transaction: Holdings,
    monolog: Monolog,
    kind: Kind,
    type_name: str,
    body: bytes | None,
    sequence: int,
    message_id: bytes,
) -> None:
    work = work_of(transaction)
    catch_up(transaction, monolog)
    sent = Sent(kind, type_name, body, sequence, message_id, transaction.state.next_serial())
    entries = work.sent.setdefault(monolog, [])
    entries.append(sent)
    transaction.undo.append((entries.pop,))
    for leg in list(monolog.legs):
        send_out(transaction, sent.to(leg))


def catch_up(transaction: Holdings, monolog: Monolog) -> None:
    """Legs that have joined since this transaction's first SEND get what it sent before they came."""
    work = work_of(transaction)
    entries = work.sent.get(monolog)
    if not entries:
        return
    for leg in list(monolog.legs):
        member = leg.monolog
        if member is None or member.serial < entries[0].serial or leg in work.caught_up:
            continue
        work.caught_up[leg] = None
        transaction.undo.append((work.caught_up.pop, leg, None))
        for sent in entries:
            if sent.serial < member.serial:
                send_out(transaction, sent.to(leg))


def run_due(transaction: Holdings, conversation: Conversation, now: float) -> None:
    """What is due for a member of a monolog, whose group is locked."""
    assert conversation.monolog is not None
    if conversation.monolog.is_leg and conversation.endpoint.state == "DI":
        end_leg(transaction, conversation)
    elif conversation.monolog.is_publisher:
        drop_expired(transaction, conversation, now)
