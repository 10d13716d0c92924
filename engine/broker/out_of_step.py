"""Out of step: numbers of a dialog that do not follow each other (docs/spec: RESTORED).

Decides what is kept because it came before its turn, and by what a message is known again, so that another one under
the same number is told from a duplicate. Inside an instance a number that does not follow says that one of two
databases has come back as it was earlier. Must not know what an arrival in its turn does (acceptance does).
"""

from __future__ import annotations

from enum import Enum, auto
from typing import Final

from sbql.engine.broker import conversation_state, system_messages
from sbql.engine.broker.acceptance import give_error, state_to_come, undeliverable
from sbql.engine.broker.arrival import KIND_OF_TYPE, Arrival, Kind, NotInBulk
from sbql.engine.broker.conversation_state import DISCARD, Event
from sbql.engine.broker.endpoint_changes import queued_message
from sbql.engine.broker.holdings import Holdings
from sbql.engine.broker.ready_index import Conversation

__all__ = [
    "DUPLICATE",
    "RESTORED_HERE",
    "RESTORED_THERE",
    "WINDOW",
    "Found",
    "is_another",
    "keep",
    "mark_of",
    "take_out_of_step",
]

WINDOW: Final = 1024
"""A message that is this far ahead of the next one is not taken: its sender repeats it."""
RESTORED_HERE: Final = 9719
RESTORED_THERE: Final = 9720
DUPLICATE: Final = 11218

_NUMBERS: Final = (1 << 21) - 1
_ID_BITS: Final = 42
_PRIME: Final = 4398046511093
"""The largest below 2 ** _ID_BITS."""
_SYSTEM_TYPES: Final = {kind: type_id for type_id, kind in KIND_OF_TYPE.items()}


class Found(Enum):
    """What has become of an arrival whose number is not the next one."""

    TO_ACCEPT = auto()
    """Nothing: it is accepted as any other, or dropped as one that has come before."""
    DONE = auto()
    TOO_FAR_AHEAD = auto()


def mark_of(sequence: int, message_id: bytes) -> int:
    """What an endpoint keeps of its last arrival from another instance: the end of its number before enough of its id.
    Never 0."""
    return (sequence & _NUMBERS) << _ID_BITS | (int.from_bytes(message_id) % _PRIME + 1)


def is_another(known: int, sequence: int, message_id: bytes) -> bool:
    """Whether `known` is the mark of another message with this number."""
    mark = mark_of(sequence, message_id)
    return known >> _ID_BITS == mark >> _ID_BITS and known not in (mark, 0)


def keep(
    transaction: Holdings, peer: Conversation, kind: int, type_name: str, body: bytes | None, sequence: int, message_id: bytes
) -> None:  # fmt: skip
    """Too early: it waits in the queue with status 2."""
    endpoint = peer.endpoint
    type_id = _SYSTEM_TYPES.get(Kind(kind), 0)
    usage = transaction.index.usages.get((endpoint.database_id, endpoint.contract_id), {})
    name = system_messages.NAMES.get(type_id, type_name)
    known = usage.get(name)
    of_type = (type_id or (known.type.id if known else 0), name, known.type.validation if known else "N")
    row = queued_message(transaction, peer, of_type, body, sequence, message_id, status=2)
    transaction.save_message(row, new=True)
    transaction.keep_incomplete(peer, [*peer.incomplete, row])


def take_out_of_step(transaction: Holdings, peer: Conversation, arrival: Arrival) -> Found:
    """Inside an instance: `arrival` is not the next message of `peer`, or its sender has more of `peer` than that has
    sent. Raises NotInBulk for many messages: each has a number of its own."""
    if arrival.many is not None:
        raise NotInBulk
    sender, endpoint = arrival.sender, peer.endpoint
    is_older = sender.endpoint.receive_sequence > endpoint.send_sequence
    if is_older and state_to_come(transaction, peer) in ("SO", "SI", "CO", "DO"):
        return _end_both(transaction, restored=peer, other=sender)
    sequence, expected = arrival.sequence, endpoint.receive_sequence
    kept = next((m for m in peer.incomplete if m.message_sequence_number == sequence), None)
    if kept is not None:
        if kept.message_id != arrival.message_id:
            return _end_both(transaction, restored=sender, other=peer)
        conversation_id, role = str(endpoint.conversation_id).upper(), int(endpoint.is_initiator)
        undeliverable(transaction, peer, DUPLICATE, conversation_id, role, sequence, 0)
        return Found.DONE
    if sequence < expected:
        if _was_never_sent_twice(peer, arrival):
            return _end_both(transaction, restored=sender, other=peer)
        return Found.TO_ACCEPT
    is_over = conversation_state.outcome(endpoint.state, Event.MESSAGE) == DISCARD
    if sequence == expected or arrival.kind == Kind.ERROR or is_over:  # an Error has deleted what would fill the gap
        return Found.TO_ACCEPT
    if sequence >= expected + WINDOW:
        return Found.TOO_FAR_AHEAD
    keep(transaction, peer, arrival.kind, arrival.type_name, arrival.body, sequence, arrival.message_id)
    return Found.DONE


def _end_both(transaction: Holdings, restored: Conversation, other: Conversation) -> Found:
    """What the restored side says under a used number is not what the other side has under it."""
    give_error(transaction, restored, RESTORED_HERE)
    give_error(transaction, other, RESTORED_THERE)
    return Found.DONE


def _was_never_sent_twice(peer: Conversation, arrival: Arrival) -> bool:
    """Whether an arrival under a used number is another message. Only the network, over a route that led out and back
    in, brings the same one again: the mark says what it has brought last."""
    known = peer.endpoint.last_arrival
    if not known:
        return True
    last = peer.endpoint.receive_sequence - 1
    by_network = last - (last - (known >> _ID_BITS) & _NUMBERS)
    if arrival.sequence == by_network:
        return is_another(known, arrival.sequence, arrival.message_id)
    return arrival.sequence > by_network
