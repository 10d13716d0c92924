"""The inbox: frames of dialogs that have come, until one transaction takes them in.

Decides what each frame asks of the broker's rules, and what is to be answered once that is on disk. Must not
know connections, but for the way back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from sbql.catalog.records import NO_GUID, ConversationEndpoint
from sbql.engine.broker import remote, system_messages, trace
from sbql.engine.broker.arrival import Kind
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.far_side import FarSide
from sbql.engine.broker.incoming import Incoming, Security
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.network import frames
from sbql.engine.network.assembly import Assembly
from sbql.engine.network.dialogs import Dialog
from sbql.engine.network.frames import (
    Acknowledgement,
    BrokerError,
    DialogFrame,
    Envelope,
    Fragment,
    Malformed,
    Receipt,
    Sealed,
)
from sbql.engine.network.links import Link
from sbql.engine.network.sealing import Opened, Unreadable, Vault
from sbql.engine.network.sending import FIRST_RETRY
from sbql.grammar.messages import message as catalogue_message

__all__ = ["Inbox", "Reply"]

_KINDS: Final = {frames.MESSAGE: Kind.MESSAGE, frames.END: Kind.END, frames.ERROR: Kind.ERROR}
ANOTHER_INSTANCE: Final = 8495


class Reply(Struct):
    """What is said when the transaction is on disk."""

    link: Link | None
    conversation: Conversation | None = None
    receipt: Receipt | None = None
    error: BrokerError | None = None
    to: Opened | None = None
    """What the error answers."""


class Inbox:
    """Frames in the order in which they came, complete messages only."""

    def __init__(self, vault: Vault) -> None:
        self.assembly = Assembly()
        self._vault = vault
        self._frames: list[tuple[Link | None, Opened, bytes]] = []
        self.touched: dict[Dialog, None] = {}
        """Dialogs that got receipts in the last `apply`."""
        self._noted: list[tuple[str, str, str]] = []
        """What the trace is to be told: class, subclass, text."""

    def __bool__(self) -> bool:
        return bool(self._frames or self._noted)

    def clear(self) -> None:
        self._frames.clear()

    def add(self, link: Link | None, sent: DialogFrame, state: BrokerState, index: CatalogIndex, now: float) -> None:
        """A frame has come. What is secured is opened; what cannot be is left out, and the trace is told."""
        try:
            opened = self._vault.open(index, _endpoint_of(state, index, sent), sent)
        except Unreadable as error:
            text = error.text
            if error.subclass:
                self._noted.append(("Audit Broker Conversation", error.subclass, text))
            if error.subclass == "Invalid Signature":
                self._noted.append(("Broker:Corrupted Message", "", text))
            self._noted.append(("Broker:Message Undeliverable", _sequence_class(sent), text))
            return
        frame = opened.frame
        if not isinstance(frame, Fragment):
            self._frames.append((link, opened, b""))
            return
        try:
            body = self.assembly.add(frame, now)
        except Malformed as error:
            self._noted.append(("Broker:Corrupted Message", "", str(error)))
            return
        if body is not None:
            self._frames.append((link, opened, body))
        elif frame.receipt is not None:
            receipt = Acknowledgement(frame.envelope, frame.receipt)
            self._frames.append((link, opened._replace(frame=receipt), b""))

    def hand_over(self, dialog: Dialog, index: CatalogIndex) -> bool:
        """A receipt whose way leads over no network, for the other side is in this instance: what it is for had come
        over a route that led out and back in."""
        far, receipt = dialog.conversation.endpoint.far_broker_instance, dialog.receipt
        if receipt is None or far is None or far.int not in index.by_guid:
            return False
        security = Security(key_id=dialog.conversation.endpoint.outbound_key_id or NO_GUID)
        frame = Acknowledgement(dialog.envelope(index), receipt)
        self._frames.append((None, Opened(frame, security, b""), b""))
        return True

    def with_fragments(self, conversation: Conversation, receipt: Receipt) -> Receipt:
        """A receipt that also says what is here of messages that are not complete."""
        endpoint = conversation.endpoint
        held = self.assembly.held((endpoint.conversation_id, not endpoint.is_initiator))
        return Receipt(receipt.next_sequence, receipt.later, held) if held else receipt

    def apply(self, transaction: BrokerTransaction, dialogs: dict[Conversation, Dialog]) -> list[Reply]:
        """Take everything in, within the `prepare` of `transaction`."""
        self.touched = {}
        replies: dict[Conversation, Reply] = {}
        errors: list[Reply] = []
        sides: dict[Conversation, FarSide] = {}
        counters = transaction.state.counters
        for event_class, subclass, text in self._noted:
            trace.emit(transaction.state.trace, event_class, subclass, text=text)
            counters.dropped += event_class == "Broker:Message Undeliverable"
            counters.corrupted += event_class == "Broker:Corrupted Message"
        self._noted.clear()
        for link, at_arrival, body in self._frames:
            opened = self._vault.kept_anew(transaction.index, at_arrival)
            if opened is None:
                continue
            frame = opened.frame
            if isinstance(frame, Acknowledgement):
                errors += self._receipt(transaction, dialogs, link, opened, frame.receipt)
                continue
            if isinstance(frame, Fragment) and frame.receipt is not None:
                errors += self._receipt(transaction, dialogs, link, opened, frame.receipt)
            before = sum(counters.enqueued)
            answer = remote.take(transaction, _incoming(frame, body, opened.security), sides)
            if isinstance(frame, Fragment) and (enqueued := sum(counters.enqueued) - before):
                counters.transport_messages += enqueued
                counters.transport_fragments += enqueued - 1 + frame.count
            if answer.problem[0]:
                errors.append(_error(transaction, link, opened, answer.problem, answer.conversation))
            elif answer.is_taken and answer.conversation is not None and answer.conversation not in replies:
                replies[answer.conversation] = Reply(link, answer.conversation)
        for conversation, reply in replies.items():
            later = tuple(remote.later_spans(conversation)[:64])
            reply.receipt = Receipt(conversation.endpoint.receive_sequence, later)
        return [*errors, *replies.values()]

    def _receipt(
        self,
        transaction: BrokerTransaction,
        dialogs: dict[Conversation, Dialog],
        link: Link | None,
        opened: Opened,
        receipt: Receipt,
    ) -> Iterator[Reply]:
        """What has arrived there need not be kept here any more."""
        envelope = opened.frame.envelope
        found = remote.find(transaction, envelope.conversation_id, not envelope.from_initiator, envelope.to_broker)
        if found is None or (found.endpoint.inbound_key_id or NO_GUID) != opened.security.key_id:
            return
        if not transaction.index.is_broker_enabled(found.endpoint.database_id):
            return  # what it is for goes out again when the broker takes part again
        if found.endpoint.far_broker_instance not in (None, envelope.from_broker):
            text = catalogue_message(ANOTHER_INSTANCE).text
            yield _error(transaction, link, opened, (ANOTHER_INSTANCE, text), found)
            return
        with_message = isinstance(opened.frame, Fragment)
        subclass = "Message With Acknowledgement Received" if with_message else "Acknowledgement Received"
        trace.emit_conversation(transaction.state.trace, subclass, found, trace.ACKNOWLEDGEMENT)
        problem = remote.never_sent(transaction, found, receipt.next_sequence)
        if problem is not None:
            yield _error(transaction, link, opened, problem, found)
            return
        dialog = dialogs.get(found)
        if dialog is None:  # its route leads nowhere now, or is being looked for
            remote.acknowledge(transaction, found, Dialog.of_all(found).acknowledged(receipt), envelope.from_broker)
            return
        arrived = dialog.acknowledged(receipt)
        for number in remote.acknowledge(transaction, found, arrived, envelope.from_broker):
            dialog.postpone(number, arrived[number], transaction.host.now() + FIRST_RETRY)
        self.touched[dialog] = None


def _sequence_class(sent: DialogFrame) -> str:
    """Of the event that tells that a frame is dropped: messages are in sequence,
    receipts and errors of a broker are not."""
    is_message = isinstance(sent, Fragment) or isinstance(sent, Sealed) and sent.number >= 0
    return "sequenced" if is_message else "unsequenced"


def _endpoint_of(state: BrokerState, index: CatalogIndex, sent: DialogFrame) -> ConversationEndpoint | None:
    """The endpoint that a secured frame is for."""
    if not isinstance(sent, Sealed):
        return None
    envelope = sent.envelope
    with state.mutex:
        found = remote.look_up(state, index, envelope.conversation_id, not envelope.from_initiator, envelope.to_broker)
        return found.endpoint if found is not None and not found.removed else None


def _incoming(frame: Fragment | BrokerError, body: bytes, security: Security) -> Incoming:
    envelope = frame.envelope
    parties = (
        envelope.conversation_id, envelope.from_initiator, envelope.to_service, envelope.to_broker, envelope.from_service, envelope.from_broker,
    )  # fmt: skip
    if isinstance(frame, BrokerError):
        document = system_messages.error_body(-frame.number, frame.text)
        return Incoming(
            *parties, Kind.BROKER_ERROR, message_type=system_messages.ERROR, body=document, security=security
        )
    return Incoming(
        *parties, _KINDS[frame.kind], frame.sequence, frame.message_type, frame.contract, frame.message_id.bytes, frame.lifetime,
        frame.has_seen_first, body or None, security, frame.monolog,
    )  # fmt: skip


def _error(
    transaction: BrokerTransaction,
    link: Link | None,
    opened: Opened,
    problem: tuple[int, str],
    conversation: Conversation | None,
) -> Reply:
    """An error for whoever has sent something, from whom it was sent to. Who did not know yet which broker that is may
    know it when the error comes, and then listens to no other: it is from the broker that has the conversation."""
    envelope = opened.frame.envelope
    to_broker = envelope.to_broker
    if to_broker is None:
        database_id = remote.MSDB if conversation is None else conversation.endpoint.database_id
        database = transaction.index.databases.get(database_id)
        to_broker = database.service_broker_guid if database is not None else NO_GUID
    back = Envelope(
        envelope.conversation_id, not envelope.from_initiator, envelope.from_service, envelope.from_broker, envelope.to_service, to_broker
    )  # fmt: skip
    return Reply(link, error=BrokerError(back, *problem), to=opened)
