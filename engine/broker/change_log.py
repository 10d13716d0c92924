"""ChangeLog: what a transaction has changed in place, how to undo it, and the records that a commit has to write.

Decides nothing about locks or visibility. Every method notes the undo step of what it does; undo steps run in reverse
order. An endpoint that is changed keeps its committed image until the transaction is over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import msgspec

from sbql.catalog.records import (
    BrokerChange,
    ConversationGroup,
    DeleteEndpoint,
    DeleteGroup,
    DeleteMessage,
    DeleteMonologMember,
    DeleteMonologMessage,
    DeleteTransmission,
    DeliveryChange,
    MonologMessage,
    QueuedMessage,
    TransmissionMessage,
)
from sbql.catalog.records.broker import HELD_BIT
from sbql.engine.broker.ready_index import NOTHING, Member, QueueStore
from sbql.engine.broker.state import BrokerState, Conversation, Group
from sbql.engine.broker.transmission_rows import KeptRow, TransmissionRows

__all__ = ["ChangeLog", "Departure"]

_MISSING: Final = object()
_MESSAGE_LISTS: Final = ("messages", "urgent", "incomplete", "retained")


class Departure(NamedTuple):
    """Something for another instance: the rows of the transmission queue up to number `until`, or
    (number, text) of a broker's error."""

    conversation: Conversation
    until: int
    problem: tuple[int, str]


class ChangeLog:
    """The changes of one transaction. `records` may be asked at any time."""

    def __init__(self, state: BrokerState) -> None:
        self.state = state
        self.undo: list[tuple[Any, ...]] = []
        self.endpoints: dict[Conversation, None] = {}
        self.groups: dict[Group, None] = {}
        self.emptied: dict[Group, None] = {}
        self.handed_over: dict[Group, None] = {}
        """Those of which the store has the record of another service."""
        self.messages: dict[int, QueuedMessage | None] = {}
        self.created: set[int] = set()
        self.transmissions: dict[int, TransmissionMessage | None] = {}
        self.touched: list[Conversation] = []
        self.unpublished: list[tuple[Conversation, QueuedMessage]] = []
        self.reschedule: dict[Conversation, None] = {}
        self.retained: dict[int, MonologMessage | DeleteMonologMessage] = {}
        self.deliveries: list[DeliveryChange] = []
        self.departures: list[Departure] = []
        """What goes to other instances once this is committed."""
        self.renewals: list[tuple[int, Callable[[bytes], bytes]]] = []
        """Databases whose master key changes with this transaction, and what then becomes of a session key."""

    def touch(self, conversation: Conversation) -> None:
        """Before the first change of an endpoint whose group is locked: keep its committed image."""
        if conversation.toucher is not self:
            conversation.committed = msgspec.structs.replace(conversation.endpoint) if conversation.stored else None
            conversation.toucher = self
            self.touched.append(conversation)
        self.endpoints[conversation] = None

    def set(self, conversation: Conversation, field: str, value: object) -> None:
        """Change one field of an endpoint that this transaction holds."""
        endpoint = conversation.endpoint
        self.touch(conversation)
        self.undo.append((_restore_field, endpoint, field, getattr(endpoint, field)))
        setattr(endpoint, field, value)

    def set_by_arrival(self, conversation: Conversation, field: str, value: object) -> None:
        """Change one field of an endpoint that perhaps another transaction holds: in its committed image too."""
        endpoint = conversation.endpoint
        self.undo.append((_restore_field, endpoint, field, getattr(endpoint, field)))
        setattr(endpoint, field, value)
        self.endpoints[conversation] = None
        image = conversation.committed
        if image is not None and conversation.toucher is not self:
            self.undo.append((_restore_field, image, field, getattr(image, field)))
            setattr(image, field, value)

    def renew_session_keys(self, database_id: int, renew: Callable[[bytes], bytes]) -> None:
        """The master key of a database is another one once this is committed. Until then conversations go on under the
        old one, and others begin."""
        self.renewals.append((database_id, renew))
        self.undo.append((self.renewals.pop,))

    def session_key_to_come(self, database_id: int, kept: bytes) -> bytes:
        """A session key as this transaction will leave it."""
        for concerned, renew in self.renewals:
            if concerned == database_id:
                kept = renew(kept)
        return kept

    def _finish_session_keys(self) -> None:
        """Within `prepare`: nobody begins under the old master key between this and the new one's publication. An
        endpoint may be held by another transaction, or be new in it: it then writes what is set here."""
        if not self.renewals:
            return
        concerned = {database_id for database_id, _ in self.renewals}
        for conversation in list(self.state.endpoints.values()):
            if conversation.endpoint.database_id not in concerned:
                continue
            image = conversation.committed if conversation.toucher is not self else None
            for record in (conversation.endpoint, image):
                if record is None or not record.session_key:
                    continue
                self.undo.append((_restore_field, record, "session_key", record.session_key))
                record.session_key = self.session_key_to_come(record.database_id, record.session_key)
                if conversation.stored:
                    self.endpoints[conversation] = None

    def remove_conversation(self, conversation: Conversation) -> None:
        """The endpoint goes away at commit; until then others that ask for it wait for its group."""
        self.touch(conversation)
        conversation.removed = True
        self.groups[conversation.group] = None
        self.undo.append((_unremove, conversation))

    def hand_over(self, group: Group, service_id: int, queue: QueueStore) -> None:
        """A group of which everything has ended in this transaction: another service begins in it."""
        self.undo.append((_restore_service, self, group, group.record, group.queue, group in self.handed_over))
        group.record = msgspec.structs.replace(group.record, service_id=service_id)
        group.queue, group.entry = queue, None
        self.handed_over[group] = None

    def mark_ended(self, conversation: Conversation) -> None:
        """An uncommitted END: arrivals from other transactions are put off until this one is over."""
        self.undo.append((_restore_attribute, conversation, "ended_by", conversation.ended_by))
        conversation.ended_by = self

    def add_message(self, conversation: Conversation, message: QueuedMessage, visible: bool) -> None:
        """A message for the local queue: found at once by this transaction when `visible`, else at publish."""
        key = message.message_key
        self.messages[key] = message
        self.created.add(key)
        self.state.counters.enqueued[message.priority] += 1
        if visible:
            conversation.put(message)
            conversation.queue.index(conversation)
            self.undo.append((_take_message, self, conversation, message))
        else:
            self.unpublished.append((conversation, message))
            self.undo.append((_forget_unpublished, self))

    def save_message(self, message: QueuedMessage, new: bool) -> None:
        """Note that a message's stored row is new or changed."""
        self.undo.append(
            (_restore_item, self.messages, message.message_key, self.messages.get(message.message_key, _MISSING))
        )
        self.messages[message.message_key] = message
        if new:
            self.created.add(message.message_key)

    def delete_message(self, key: int) -> None:
        """Note that a message's stored row goes."""
        self.undo.append((_restore_item, self.messages, key, self.messages.get(key, _MISSING)))
        if key in self.created:
            self.messages.pop(key, None)
        else:
            self.messages[key] = None

    def empty_queue_of(self, conversation: Conversation) -> None:
        """Delete everything that the local queue holds for an endpoint: ready, incomplete and retained messages."""
        for message in conversation.in_memory():
            self.delete_message(message.message_key)
        for key in conversation.run.message_keys() if conversation.run is not None else ():
            self.delete_message(key)
        saved = tuple(getattr(conversation, name) for name in _MESSAGE_LISTS), conversation.run
        self.undo.append((_restore_messages, conversation, saved))
        conversation.messages = conversation.urgent = conversation.incomplete = conversation.retained = NOTHING
        conversation.run = None

    def add_transmission(self, conversation: Conversation, row: TransmissionMessage) -> None:
        """Something waits in the transmission queue: what the endpoint has sent or, by its status, what
        has come for a queue that is OFF."""
        self.state.counters.enqueued_transmissions += 1
        rows = conversation.rows(held=bool(row.status & HELD_BIT))
        rows.add(row)
        self.state.delayed[conversation] = None
        self.transmissions[row.message_key] = row
        self.created.add(row.message_key)
        self.reschedule[conversation] = None
        self.undo.append((_take_transmission, self, rows, row))

    def delete_transmission(self, conversation: Conversation, rows: TransmissionRows, number: int) -> None:
        """Remove one row of `conversation`, normally the first."""
        self.state.counters.dequeued_transmissions += 1
        kept = rows.take(number)
        self.undo.append((_put_transmission, self, conversation, rows, kept))
        self._forget_row(kept.key)
        self.reschedule[conversation] = None

    def delete_transmissions(self, conversation: Conversation, rows: TransmissionRows) -> None:
        """Remove all of them."""
        if not rows:
            return
        self.state.counters.dequeued_transmissions += len(rows)
        taken = rows.take_all()
        self.undo.append((_put_transmissions, self, conversation, rows, taken))
        for key in taken.keys():  # noqa: SIM118
            self._forget_row(key)
        self.reschedule[conversation] = None

    def _forget_row(self, key: int) -> None:
        """Note that a stored row of the transmission queue goes."""
        self.undo.append((_restore_item, self.transmissions, key, self.transmissions.get(key, _MISSING)))
        if key in self.created:
            self.transmissions.pop(key, None)
        else:
            self.transmissions[key] = None

    def keep_incomplete(self, conversation: Conversation, messages: list[QueuedMessage]) -> None:
        """The messages that came too early are these now."""
        self.undo.append((_restore_attribute, conversation, "incomplete", conversation.incomplete))
        conversation.incomplete = messages or NOTHING

    def change_transmission(
        self, conversation: Conversation, row: TransmissionMessage, next_attempt: float, **fields: Any
    ) -> None:
        """The first of what an endpoint has sent could not be delivered. The record is a new one: what
        a fold has found is the old one."""
        rows, number = conversation.transmission, row.message_sequence_number
        self.undo.append((_restore_item, rows.records, number, rows.records.get(number, _MISSING)))
        self.undo.append((_restore_attempt, rows, rows.next_attempt))
        rows.records[number] = changed = msgspec.structs.replace(row, next_attempt=next_attempt, **fields)
        rows.next_attempt = next_attempt
        self.undo.append(
            (_restore_item, self.transmissions, row.message_key, self.transmissions.get(row.message_key, _MISSING))
        )
        self.transmissions[row.message_key] = changed
        self.reschedule[conversation] = None

    def take_from_network(self, conversation: Conversation) -> None:
        """What waits is no longer the network's to send, until it is classified again."""
        self.undo.append((_restore_attribute, conversation, "goes_out", True))
        conversation.goes_out = False

    def depart(self, conversation: Conversation, until: int = -1, problem: tuple[int, str] = (0, "")) -> None:
        """Something goes to another instance once this is committed."""
        self.departures.append(Departure(conversation, until, problem))
        self.undo.append((self.departures.pop,))

    def mark(self) -> int:
        """A place to roll back to: a savepoint, or the start of a statement."""
        return len(self.undo)

    def rollback_to(self, mark: int) -> None:
        """Undo everything since `mark`. Locks stay."""
        undo = self.undo
        while len(undo) > mark:
            entry = undo.pop()
            entry[0](*entry[1:])

    def records(self) -> list[BrokerChange]:
        """The rows that are new, changed or gone, as the transaction has left them so far."""
        changes: list[BrokerChange] = []
        for group in self.groups:
            if group.is_alive_for(self):
                if not group.stored or group in self.handed_over:
                    changes.append(group.record)
            elif group.stored:
                changes.append(DeleteGroup(group.record.conversation_group_id, group.record.database_id))
        for conversation in self.endpoints:
            foreign = conversation.toucher is not self and conversation.committed is not None
            if foreign:
                assert conversation.committed is not None
                changes.append(conversation.committed)
            elif not conversation.removed:
                changes.append(conversation.endpoint)
            elif conversation.stored:
                changes.append(
                    DeleteEndpoint(conversation.endpoint.conversation_handle, conversation.endpoint.database_id)
                )
        for key, message in self.messages.items():
            changes.append(DeleteMessage(key) if message is None else message)
        for key, row in self.transmissions.items():
            changes.append(DeleteTransmission(key) if row is None else row)
        changes += self.retained.values()
        changes += self.deliveries
        for conversation in self.endpoints:
            if conversation.monolog is not None:
                _add_member_records(conversation, conversation.monolog, changes)
        return changes

    def clear(self) -> None:
        self.undo.clear()
        self.endpoints.clear()
        self.groups.clear()
        self.emptied.clear()
        self.handed_over.clear()
        self.messages.clear()
        self.created.clear()
        self.transmissions.clear()
        self.touched.clear()
        self.unpublished.clear()
        self.reschedule.clear()
        self.retained.clear()
        self.deliveries.clear()
        self.departures.clear()
        self.renewals.clear()


def _add_member_records(conversation: Conversation, member: Member, changes: list[BrokerChange]) -> None:
    """What an endpoint that came or goes is to a monolog; with its publisher goes what the monolog retains."""
    if not conversation.removed:
        if not conversation.stored:
            changes.append(member.record)
        return
    if conversation.stored:
        changes.append(
            DeleteMonologMember(conversation.endpoint.conversation_handle, conversation.endpoint.database_id)
        )
    if member.is_publisher and member.monolog is not None:
        changes += [DeleteMonologMessage(message.message_key) for message in member.monolog.retained]


# Undo steps


def _restore_field(record: msgspec.Struct, field: str, value: object) -> None:
    setattr(record, field, value)


def _restore_attribute(conversation: Conversation, name: str, value: object) -> None:
    setattr(conversation, name, value)


def _restore_item(table: dict[Any, Any], key: object, value: object) -> None:
    if value is _MISSING:
        table.pop(key, None)
    else:
        table[key] = value


def _restore_service(
    log: ChangeLog, group: Group, record: ConversationGroup, queue: QueueStore, was_handed_over: bool
) -> None:
    group.record, group.queue, group.entry = record, queue, None
    if not was_handed_over:
        del log.handed_over[group]


def _unremove(conversation: Conversation) -> None:
    conversation.removed = False


def _take_message(log: ChangeLog, conversation: Conversation, message: QueuedMessage) -> None:
    conversation.take(message)
    log.messages.pop(message.message_key, None)
    log.state.counters.enqueued[message.priority] -= 1


def _forget_unpublished(log: ChangeLog) -> None:
    """The last: what came later has been undone."""
    _, message = log.unpublished.pop()
    log.messages.pop(message.message_key, None)
    log.state.counters.enqueued[message.priority] -= 1


def _restore_messages(conversation: Conversation, saved: tuple[Any, ...]) -> None:
    assert not (conversation.messages or conversation.urgent), (
        "what arrives waits until it is known whether it has ended"
    )
    for name, messages in zip(_MESSAGE_LISTS, saved[0], strict=True):
        setattr(conversation, name, messages)
    conversation.run = saved[1]
    conversation.queue.index(conversation)


def _take_transmission(log: ChangeLog, rows: TransmissionRows, row: TransmissionMessage) -> None:
    rows.take(row.message_sequence_number)
    log.transmissions.pop(row.message_key, None)


def _put_transmission(log: ChangeLog, conversation: Conversation, rows: TransmissionRows, kept: KeptRow) -> None:
    log.state.delayed[conversation] = None
    rows.put_back(kept)


def _put_transmissions(
    log: ChangeLog, conversation: Conversation, rows: TransmissionRows, taken: TransmissionRows
) -> None:
    log.state.delayed[conversation] = None
    rows.put_all_back(taken)


def _restore_attempt(rows: TransmissionRows, next_attempt: float) -> None:
    rows.next_attempt = next_attempt
