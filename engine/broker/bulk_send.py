"""SEND of many messages whose bodies are in the store's staging: the checks of SEND once for all rows that are alike.

    add, end, add, … -> checks -> place -> validate -> send -> (commit) deliver -> rows -> publish

Decides what one transaction sends in bulk, and the keys and queuing orders that its messages get: those that
they would get if they were sent one by one, at the moment of the commit. Bodies are looked into before anybody
has to wait for it. A dialog that is ended goes the usual way, as END CONVERSATION does; only the place of what
tells the other side is that behind its last row. Raises NotInBulk when sending one by one would do anything
else. It must not know where rows come from.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from typing import Final
from uuid import UUID

from sbql.catalog.records import MessageType
from sbql.catalog.staged_batch import BulkRows, BulkTarget, BulkType, RowKind, StagedBatch
from sbql.engine.broker import delivery
from sbql.engine.broker.arrival import Arrival, Kind, NotInBulk
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.endpoint_changes import find_peer
from sbql.engine.broker.many_messages import Checked, ManyMessages, checked_by
from sbql.engine.broker.outgoing import send_out
from sbql.engine.broker.ready_index import Conversation, QueueStore
from sbql.engine.broker.send import HEADER, MAX_MESSAGE, check_send
from sbql.engine.broker.system_messages import DEFAULT_TYPE
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.engine.broker.validation import invalid_body
from sbql.grammar.values.checkpoints import checked

__all__ = ["BulkSend"]

_LARGEST: Final = MAX_MESSAGE - HEADER


class BulkSend:
    """What `transaction` sends in bulk: the rows of `batch`, kind by kind. With the state's
    mutex, but for `place` and `validate`."""

    _rows: BulkRows
    """After `deliver`."""

    def __init__(self, transaction: BrokerTransaction, batch: StagedBatch) -> None:
        if transaction.state.trace is not None:
            raise NotInBulk
        self.transaction = transaction
        self.batch = batch
        self.dialogs: dict[Conversation, ManyMessages] = {}
        self._by_kind: list[ManyMessages] = []
        self._orders: list[array[int]] | None = None

    def add(self, database_id: int, handle: UUID, kind: RowKind, message_type: str = DEFAULT_TYPE) -> None:
        """Check the rows of a kind, in the order of the kinds. Raises what SEND raises, MustWait, and NotInBulk."""
        transaction = self.transaction
        conversation = transaction.conversation(handle, database_id)
        many = self.dialogs.get(conversation)
        name = kind.conversation_handle, kind.conversation_key
        if many is not None and many.name != name and self.batch.ends:
            raise NotInBulk  # which rows stand behind an end was counted by name
        index = transaction.index
        usage = check_send(transaction, index, conversation, message_type, None)
        queue = index.queues.get(conversation.queue.queue_id)
        if (
            kind.largest > _LARGEST
            or conversation.monolog is not None
            or conversation.transmission
            or (queue is not None and queue.is_retention_enabled)
            or (kind.largest and usage.type.validation == "E")
        ):
            raise NotInBulk
        if many is None:
            many = ManyMessages(conversation, len(self.dialogs), conversation.endpoint.send_sequence, name)
            self.dialogs[conversation] = many
        many.count += kind.count
        transaction.set(conversation, "send_sequence", many.first_sequence + many.count)
        if conversation.endpoint.state != "CO":
            transaction.set(conversation, "state", "CO")
        many.kinds[kind.number] = message_type, kind.largest > 0
        self._by_kind.append(many)

    def end(self, kind: RowKind) -> None:
        """END CONVERSATION behind the last row of a kind, which was added, as all that goes before on its dialog."""
        transaction, many = self.transaction, self._by_kind[kind.number]
        self._require_far(many)
        endpoint = many.sender.endpoint
        end_conversation(transaction, endpoint.database_id, endpoint.conversation_handle)
        many.ended = next(reversed(transaction.arrivals))
        assert many.ended.sender is many.sender

    def require_no_doubt(self) -> None:
        """Raises NotInBulk when a side of a dialog is in the batch that would have got messages by now, which
        may have changed what it may do."""
        for many in self.dialogs.values():
            self._require_far(many)

    def _require_far(self, many: ManyMessages) -> None:
        """The other side sends, too, in this batch: what it gets it has at once."""
        peer = find_peer(self.transaction, many.sender)
        if peer is not None and peer.group in self.transaction.locked:
            raise NotInBulk

    def checks(self) -> dict[int, Checked]:
        """All rows are added: the kinds whose bodies have to be looked into, and what for."""
        transaction = self.transaction
        for many in self.dialogs.values():
            many.valid = {kind: checked_by(transaction, found) for kind, found in many.target_types(transaction)}
        return {kind: check for many in self.dialogs.values() for kind, check in many.valid.items()}

    def send(self) -> None:
        """All rows are added: they are on their way."""
        transaction = self.transaction
        transaction.bulk = self
        for conversation, many in self.dialogs.items():
            self._require_far(many)
            arrival = Arrival(conversation, Kind.MESSAGE, sequence=many.first_sequence)
            arrival.many = many
            send_out(transaction, arrival)

    def before_fold(self) -> bool:
        """Whether the store has to fold, because there is something behind a run, which will be in the store then."""
        for conversation, many in self.dialogs.items():
            peer = find_peer(self.transaction, conversation)
            is_free = peer is not None and self.transaction.locks.holder(peer.group.resource) is None
            run = peer.run if peer is not None and is_free else None
            many.behind = run.later[-1].message_key if run is not None and run.later else None
        return any(many.behind is not None for many in self.dialogs.values())

    def place(self) -> None:
        """Without the mutex: give each row its place on its dialog."""
        for many, places in zip(
            self.dialogs.values(), self.batch.place([many.number for many in self._by_kind]), strict=True
        ):
            many.places = places

    def validate(self, checks: Mapping[int, Checked]) -> None:
        """Without the mutex, after `place`: look into all bodies of the kinds in `checks`. One that is not valid is an
        error of its dialog, which only its own arrival makes."""
        types: dict[tuple[int, int], tuple[int, MessageType]] = {}
        numbers = {}
        for number, (kind, _) in checks.items():
            numbers[number] = types.setdefault((kind.database_id, kind.id), (len(types), kind))[0]
        kinds = [kind for _, kind in types.values()]
        catalog, validator = self.transaction.catalog(), self.transaction.state.xml_validator
        for bodies in self.batch.bodies(numbers) if numbers else ():
            for number, body in checked(bodies, 64):
                if invalid_body(kinds[number], body, catalog, validator) is not None:
                    raise NotInBulk

    def deliver(self, arrivals: Iterable[Arrival]) -> list[Arrival]:
        """At the commit: what was sent in bulk reaches its queues, and gets its keys and queuing orders. Returns the
        arrivals that were sent after it. Raises NotInBulk when anything is not simply taken."""
        state = self.transaction.state
        queues = {conversation.queue for conversation in self.dialogs}
        key, orders = state.last_key, [(queue, queue.next_order) for queue in queues]
        try:
            return self._deliver(arrivals)
        except NotInBulk:  # an error may have been queued for a sender, and is undone: one by one it comes again
            state.last_key = key
            for queue, order in orders:
                queue.next_order = order
            raise

    def _deliver(self, arrivals: Iterable[Arrival]) -> list[Arrival]:
        transaction = self.transaction
        rest = []
        for arrival in arrivals:
            if arrival.many is None:
                many = self.dialogs.get(arrival.sender)
                if many is None or many.ended is not arrival:
                    rest.append(arrival)
            elif delivery.deliver(transaction, arrival) is not None:
                raise NotInBulk
            elif arrival.sender.endpoint.transmission_status:
                transaction.set(arrival.sender, "transmission_status", "")
        counts: dict[QueueStore, int] = {}
        targets: list[BulkTarget] = []
        types: list[BulkType] = []
        for many in self.dialogs.values():
            peer = many.peer
            if peer is None:
                raise NotInBulk
            counts[peer.queue] = counts.get(peer.queue, 0) + many.count + (many.ended is not None)
            e = peer.endpoint
            place = many.number, peer.queue.queue_id, e.database_id, e.priority, e.conversation_handle
            targets.append((*place, e.service_id, e.contract_id, many.first_sequence))
            types += [(kind, t.id, t.name, t.validation) for kind, t in many.types.items()]
        state, host = transaction.state, transaction.host
        first_key = state.last_key + 1
        orders = {queue.queue_id: queue.next_order for queue in counts}
        lengths = {queue.queue_id: count for queue, count in counts.items()}
        self._rows = BulkRows(self.batch, targets, types, first_key, orders, lengths, host.new_guid(), host.now())
        self._orders = self.batch.number(self._rows)
        self._deliver_ends(self._rows)
        state.last_key = first_key + self.batch.size - 1
        for queue, count in counts.items():
            queue.next_order = orders[queue.queue_id] + count
        return rest

    def _deliver_ends(self, rows: BulkRows) -> None:
        """Each with the key and the queuing order that stand behind the last row of its dialog."""
        transaction = self.transaction
        for many in self.dialogs.values():
            peer = many.peer
            if many.ended is not None and peer is not None:
                transaction.state.last_key = rows.first_key + many.places[-1] - 1
                peer.queue.next_order = rows.first_orders[peer.queue.queue_id] + self._places_in_queue(many)[-1]
                delivery.apply(transaction, many.ended)

    def _places_in_queue(self, many: ManyMessages) -> Sequence[int]:
        return self._orders[many.number] if self._orders is not None else many.places

    def rows(self) -> BulkRows:
        """What the commit has to write, after `deliver`."""
        return self._rows

    def publish(self, filled: dict[QueueStore, int]) -> None:
        """The commit has returned: the messages can be received."""
        rows, owner, counters = self._rows, self.transaction.owner, self.transaction.state.counters
        for many in self.dialogs.values():
            peer = many.peer
            assert peer is not None
            places, first_order = self._places_in_queue(many)[: many.count], rows.first_orders[peer.queue.queue_id]
            many.publish(owner, _from(rows.first_key, many.places[: many.count]), _from(first_order, places), filled)
            counters.sends += many.count
            counters.enqueued[peer.endpoint.priority] += many.count


def _from(first: int, places: Sequence[int]) -> array[int]:
    return array("q", [first + place for place in places])
