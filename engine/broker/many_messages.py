"""Many messages of one dialog as one arrival: how it reaches the other side, when
every one of them is taken as it comes.

Decides whether they may go together, which is when each would become a message of the target's queue and
nothing else would happen; else `NotInBulk` says that they have to be sent one by one, with nothing done. It
must not know where the bodies are.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator

from sbql.catalog.records import MessageType, XmlSchemaCollection
from sbql.engine.broker import conversation_state
from sbql.engine.broker.arrival import Arrival, NotInBulk
from sbql.engine.broker.conversation_state import DISCARD, Event
from sbql.engine.broker.endpoint_changes import find_peer
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.ready_index import Conversation, QueueStore
from sbql.engine.broker.stored_run import StoredRun
from sbql.engine.broker.targets import classify
from sbql.engine.locks import LockOwner

__all__ = ["Checked", "ManyMessages", "checked_by"]


Checked = tuple[MessageType, XmlSchemaCollection | None]
"""What says whether a body is valid: as long as both are the same, it stays so."""


def checked_by(transaction: Holdings, kind: MessageType) -> Checked:
    collection = None
    if kind.xml_collection_id is not None:
        collection = transaction.index.snapshot.get(XmlSchemaCollection, kind.database_id, kind.xml_collection_id)
    return kind, collection


class ManyMessages:
    """Messages of `sender`, whose numbers on the dialog count on from `first_sequence`. `places` are their places in
    the batch, and the last is that of the end when the dialog is `ended`."""

    __slots__ = (
        "behind", "count", "ended", "first_sequence", "kinds", "name", "number", "peer", "places", "sender", "types", "valid",
    )  # fmt: skip

    def __init__(self, sender: Conversation, number: int, first_sequence: int, name: tuple[str | None, ...]) -> None:
        self.sender = sender
        self.name = name
        """What its rows call the dialog."""
        self.number = number
        self.first_sequence = first_sequence
        self.count = 0
        self.ended: Arrival | None = None
        """What tells the other side that the dialog was ended behind them."""
        self.behind: int | None = None
        """The last message that the other side had behind its run when it was folded last."""
        self.kinds: dict[int, tuple[str, bool]] = {}
        """The kinds of rows: the name of their message type, and whether one of them has a body."""
        self.valid: dict[int, Checked] = {}
        """By what all bodies of a kind were found valid."""
        self.places: array[int] = array("q")
        self.peer: Conversation | None = None
        """The other side, when it has taken them."""
        self.types: dict[int, MessageType] = {}

    def check_types(self, transaction: Holdings, database_id: int, contract_id: int) -> None:
        """Raises NotInBulk when the receiving side does not take one of them."""
        usages = transaction.index.usages.get((database_id, contract_id), {})
        from_initiator = self.sender.endpoint.is_initiator
        for kind, (name, has_body) in self.kinds.items():
            usage = usages.get(name)
            if usage is None or not (usage.by_initiator if from_initiator else usage.by_target):
                raise NotInBulk
            if (
                has_body
                and usage.type.validation != "N"
                and self.valid.get(kind) != checked_by(transaction, usage.type)
            ):
                raise NotInBulk
            self.types[kind] = usage.type

    def target_types(self, transaction: Holdings) -> Iterator[tuple[int, MessageType]]:
        """The kinds with bodies that the receiving side looks into, with the message types that they
        will have there, as things stand."""
        sender = self.sender
        peer = find_peer(transaction, sender)
        if peer is not None:
            place = peer.endpoint.database_id, peer.endpoint.contract_id
        else:
            where = classify(transaction, sender)
            contract = transaction.index.contracts.get((where.database_id, sender.endpoint.contract_name))
            if where.kind != "Local" or contract is None:
                raise NotInBulk
            place = where.database_id, contract.id
        usages = transaction.index.usages.get(place, {})
        for kind, (name, has_body) in self.kinds.items():
            usage = usages.get(name)
            if usage is None:
                raise NotInBulk
            if has_body and usage.type.validation == "E":
                raise NotInBulk
            if has_body and usage.type.validation != "N":
                yield kind, usage.type

    def accept(self, transaction: Holdings, peer: Conversation, security_period: float) -> None:
        """The endpoint `peer` takes them, as it takes one after the other."""
        endpoint = peer.endpoint
        state = endpoint.state
        found = state if state == "CO" else conversation_state.outcome(state, Event.MESSAGE)
        if found == DISCARD or self.first_sequence < endpoint.receive_sequence or peer.monolog is not None:
            raise NotInBulk
        if not self._may_stand_behind_all(transaction, peer):
            raise NotInBulk
        self.check_types(transaction, endpoint.database_id, endpoint.contract_id)
        last = self.first_sequence + self.count - 1
        if last > 0 and not (endpoint.is_initiator or endpoint.security_timestamp):
            transaction.set_by_arrival(peer, "security_timestamp", transaction.host.now() + security_period)
        transaction.set_by_arrival(peer, "receive_sequence", last + 1)
        if state != "CO":
            transaction.set_by_arrival(peer, "state", found)
        self.peer = peer

    def publish(self, owner: LockOwner, keys: array[int], orders: array[int], filled: dict[QueueStore, int]) -> None:
        """They are committed, and in the store under these keys: the other side has them behind what it has. A group
        that `owner` has locked is told of when it lets go."""
        peer = self.peer
        assert peer is not None
        if peer.run is None:
            peer.run = StoredRun()
        peer.run.extend(keys, orders)
        queue = peer.queue
        queue.index(peer)
        if peer.group.held_by is None and peer.group.resource not in owner.held:
            filled[queue] = filled.get(queue, 0) + self.count

    def _may_stand_behind_all(self, transaction: Holdings, peer: Conversation) -> bool:
        """Whether what is only in the store may stand behind all that the endpoint has. Not behind
        something that is not in the store: what somebody has sent to himself and not committed, what came
        behind an earlier run and was not folded."""
        holder = transaction.locks.holder(peer.group.resource)
        if holder is transaction.owner and peer.stored:
            return False
        if peer.run is not None and peer.run.later and not peer.run.put_later_behind(self.behind):
            return False
        if holder is None or holder is transaction.owner or not peer.messages:
            return True
        other = next((t for t in transaction.state.transactions if t.owner is holder), None)
        return other is None or not any(message.message_key in other.created for message in peer.messages)
