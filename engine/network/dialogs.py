"""Dialogs: the transmission object of a conversation, and the frames that come of it (docs/spec: NETWORK).

Decides what a frame of a conversation says. Where it goes and when, `transmitter` decides; what is to be sent, and
whether it may still be, the conversation's rows of the transmission queue tell: here only their numbers are kept.
"""

from __future__ import annotations

from math import inf
from typing import Final
from uuid import UUID

from sbql.catalog.records import NEVER, TransmissionMessage
from sbql.catalog.records.broker import END_BIT, ERROR_BIT
from sbql.engine.broker import trace
from sbql.engine.broker.catalog_index import CatalogIndex
from sbql.engine.broker.ready_index import Conversation
from sbql.engine.broker.routing import parse_guid
from sbql.engine.network import frames
from sbql.engine.network.frames import (
    FRAGMENT_SIZE,
    Acknowledgement,
    BrokerError,
    ClearFrame,
    Envelope,
    Fragment,
    Receipt,
)
from sbql.engine.network.read_ahead import ReadAhead
from sbql.engine.network.sending import FIRST_RETRY, Sender

__all__ = ["STAYS", "Dialog", "trace_receipt"]

_OVERHEAD: Final = 512
"""Bytes that a frame counts besides its body when turns are given: eighty empty ones are a turn."""
STAYS: Final = ("DI", "ER")
"""States in which what waits is held until END CONVERSATION."""


def body_of(row: TransmissionMessage) -> bytes:
    return row.message_body or b""


class Dialog:
    """What is to be sent for one endpoint: rows of the transmission queue up to number `until`,
    and a receipt for what it has got."""

    __slots__ = (
        "_check",
        "_envelope",
        "_envelope_of",
        "_offered",
        "_row",
        "address",
        "conversation",
        "heard",
        "is_ready",
        "kept",
        "problem",
        "receipt",
        "repeats",
        "sender",
        "timer",
        "until",
    )

    def __init__(self, conversation: Conversation) -> None:
        self.conversation = conversation
        self.sender = Sender()
        self.until = self._offered = -1
        self._row: TransmissionMessage | None = None
        self._check: tuple[Envelope, TransmissionMessage, bytes] | None = None
        """Of the large message that is going: what it was computed of, and the check."""
        self.receipt: Receipt | None = None
        """What it has got, on disk, and the other side does not know yet."""
        self.problem: tuple[int, str] | None = None
        """An error of the broker for the other side: number and text."""
        self.address = ""
        """Where it goes; empty: it was not classified yet."""
        self.kept = ""
        """The last address, which it keeps as long as a route leads there."""
        self.heard = 0.0
        """When its last receipt came."""
        self.repeats = False
        """What `next_frame` gave last has been sent before."""
        self.is_ready = False
        """It stands in the line of its destination."""
        self.timer = 0.0
        """When it is looked at again."""
        self._envelope: Envelope | None = None
        self._envelope_of: tuple[CatalogIndex | None, UUID | None] = (None, None)

    @classmethod
    def of_all(cls, conversation: Conversation) -> Dialog:
        """For all that waits, unless somebody is changing it."""
        dialog = cls(conversation)
        if conversation.transmission and conversation.toucher is None:
            dialog.offer(conversation.transmission.last_number)
        return dialog

    @property
    def has_rows(self) -> bool:
        """There is something of which no receipt has come."""
        return self._offered < self.until or len(self.sender) > 0

    @property
    def is_done(self) -> bool:
        return not self.has_rows and self.receipt is None and self.problem is None

    @property
    def needs_header(self) -> bool:
        """The other side may not know the session key yet, or no more."""
        return self.repeats or not self.is_known

    @property
    def is_known(self) -> bool:
        """The other side has acknowledged the first message. That it waits no more does not say so: END
        CONVERSATION WITH ERROR deletes it."""
        conversation = self.conversation
        return conversation.endpoint.far_broker_instance is not None and self._first not in conversation.transmission

    @property
    def _first(self) -> int:
        """The number of the first message."""
        member = self.conversation.monolog
        return member.record.start_sequence if member is not None and member.is_leg else 0

    def offer(self, until: int) -> None:
        """What waits up to this number is on disk, and may go."""
        self.until = max(self.until, until)

    def postpone(self, number: int, count: int, due: float) -> None:
        """Its receipt came at a moment at which it could not be taken out: it is asked for again."""
        self.sender.postpone(number, count, due)

    def withdraw_all(self) -> None:
        """Nothing of it goes any more, until more is offered."""
        self.sender = Sender()
        self.until = self._offered = -1
        self._row = self._check = None

    def acknowledged(self, receipt: Receipt) -> dict[int, int]:
        """Rows that need not be kept any more: their numbers, with the fragments of each. Those that were sent before a
        restart alone, or before their queue was read anew, too: if an END comes with the receipt, no other follows."""
        done = self.sender.acknowledged(receipt)
        last = min(self.until, receipt.next_sequence - 1)
        if last > self._offered:
            rows = self.conversation.transmission
            done.update((number, 1) for number in rows.after(self._offered, len(rows), last))
            self._offered = last
        return done

    def next_time(self, now: float) -> float | None:
        """When it has its next turn, if no receipt comes before. None: it has none."""
        if self._offered < self.until and len(self.sender) == 0:  # somebody has taken them out, and may put them back
            return now + FIRST_RETRY
        return self.sender.next_time()

    def next_frames(
        self, index: CatalogIndex, ahead: ReadAhead, now: float, arrived_until: float
    ) -> tuple[list[tuple[ClearFrame, bool]], bool]:
        """A turn: one large fragment, or some small ones, each with whether it needs the header; and whether there may
        be more. The broker's mutex is held."""
        turn: list[tuple[ClearFrame, bool]] = []
        room = FRAGMENT_SIZE
        while room > 0:
            frame = self.next_frame(index, ahead, now, arrived_until)
            if frame is None:
                return turn, False
            turn.append((frame, self.needs_header or isinstance(frame, BrokerError)))
            room -= _OVERHEAD + (len(frame.body) if isinstance(frame, Fragment) else 0)
        return turn, True

    def next_frame(
        self, index: CatalogIndex, ahead: ReadAhead, now: float, arrived_until: float = inf
    ) -> ClearFrame | None:
        """What goes next, None when nothing is due. `arrived_until` as in `Sender.next`. The broker's mutex is held."""
        conversation = self.conversation
        if self.problem is not None:
            problem, self.problem = self.problem, None
            return BrokerError(self.envelope(index), *problem)
        while not conversation.removed and conversation.endpoint.state not in STAYS and conversation.goes_out:
            if not self.sender.has_waiting:
                self._offer_more(ahead)
            item = self.sender.next(now, arrived_until)
            if item is None:
                break
            sequence, number, self.repeats = item
            if sequence in conversation.transmission:
                row = self._row
                if row is None or row.message_sequence_number != sequence:
                    row = ahead.row(self, sequence)
                self._row = row if len(body_of(row)) > FRAGMENT_SIZE else None
                return self._fragment(index, row, number, now)
            if conversation.toucher is None:  # else it may come back
                self.sender.withdraw(sequence)
        self.repeats = False
        if self.receipt is not None:
            receipt, self.receipt = self.receipt, None
            return Acknowledgement(self.envelope(index), receipt)
        return None

    def _offer_more(self, ahead: ReadAhead) -> None:
        """Give the sender what stands next in the transmission queue."""
        conversation = self.conversation
        rows = conversation.transmission
        numbers = rows.after(self._offered, 1, self.until) if rows else ()
        if not numbers and conversation.toucher is None:
            self._offered = self.until
        for number in numbers:
            self.sender.offer(number, len(body_of(ahead.row(self, number))))
            self._offered = number

    def _mark(self) -> tuple[UUID, UUID, int] | None:
        """What the subscriber's instance has to know of a leg of a monolog that is new there."""
        member = self.conversation.monolog
        if member is None or not member.is_leg or self._first not in self.conversation.transmission:
            return None
        return member.record.subscription_handle, member.monolog_id, self._first

    def envelope(self, index: CatalogIndex) -> Envelope:
        endpoint = self.conversation.endpoint
        if self._envelope is not None and self._envelope_of == (index, endpoint.far_broker_instance):
            return self._envelope
        service = index.service_by_id.get((endpoint.database_id, endpoint.service_id))
        database = index.databases.get(endpoint.database_id)
        self._envelope_of = index, endpoint.far_broker_instance
        self._envelope = Envelope(
            endpoint.conversation_id,
            endpoint.is_initiator,
            endpoint.far_service,
            endpoint.far_broker_instance or parse_guid(endpoint.asked_broker_instance),
            service.name if service is not None else "",
            database.service_broker_guid if database is not None else UUID(int=0),
        )
        return self._envelope

    def _fragment(self, index: CatalogIndex, row: TransmissionMessage, number: int, now: float) -> Fragment:
        endpoint = self.conversation.endpoint
        body = body_of(row)
        envelope = self.envelope(index)
        kind = frames.ERROR if row.status & ERROR_BIT else frames.END if row.status & END_BIT else frames.MESSAGE
        receipt, self.receipt = self.receipt, None
        if (
            kind != frames.MESSAGE and receipt is None
        ):  # the other side sends nothing more once it has this: all that has come is on disk, or not wanted any more
            receipt = Receipt(endpoint.receive_sequence)
        sequence, message_id = row.message_sequence_number, UUID(bytes=row.message_id)
        return Fragment(
            envelope=envelope,
            sequence=sequence,
            number=number,
            count=frames.fragment_count(len(body)),
            size=len(body),
            kind=kind,
            message_type=row.message_type_name,
            contract=endpoint.contract_name,
            message_id=message_id,
            lifetime=None if endpoint.lifetime >= NEVER else max(0.0, endpoint.lifetime - now),
            has_seen_first=endpoint.is_initiator and self.is_known,
            priority=endpoint.priority,
            check=self._check_of(envelope, row, kind),
            receipt=receipt,
            body=body[number * FRAGMENT_SIZE : (number + 1) * FRAGMENT_SIZE],
            monolog=self._mark(),
        )

    def _check_of(self, envelope: Envelope, row: TransmissionMessage, kind: int) -> bytes:
        """The integrity check of a message. That of a large one is computed for its first fragment, and kept for the
        others."""
        known = self._check
        if known is not None and known[0] is envelope and known[1] is row:
            return known[2]
        check = frames.integrity(
            envelope, row.message_sequence_number, kind, row.message_type_name, self.conversation.endpoint.contract_name,
            UUID(bytes=row.message_id), body_of(row),
        )  # fmt: skip
        self._check = (envelope, row, check) if row is self._row else None
        return check


def trace_receipt(sink: trace.TraceSink, conversation: Conversation, frame: ClearFrame) -> None:
    """What has gone out says what has arrived here."""
    if isinstance(frame, Acknowledgement):
        trace.emit_conversation(sink, "Acknowledgement Sent", conversation, trace.ACKNOWLEDGEMENT)
    elif isinstance(frame, Fragment) and frame.receipt is not None:
        trace.emit_conversation(sink, "Message With Acknowledgement Sent", conversation, trace.ACKNOWLEDGEMENT)
