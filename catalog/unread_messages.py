"""Ready messages that stay in their table when a store is opened with many: of each its
key and its queuing order, in arrays.

Decides how they are counted and read, all at once in DuckDB, where Python's numbers for ten million would
take eight seconds and a gigabyte. Must not know which of their conversations come as records and which stay
in their table, too (unread_endpoints.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from sbql.catalog import duckdb_client as duckdb

__all__ = ["UnreadMessages", "unread_messages"]

Array = Any
"""Of numpy, which is loaded when there is one."""

_OF: Final = """sbql.messages m JOIN sbql.conversation_endpoints e
    ON e.conversation_handle = m.conversation_handle AND e.database_id = m.database_id WHERE {}"""
_CONVERSATIONS: Final = f"""
SELECT e.rowid AS place, any_value(e.database_id) AS database_id, any_value(e.service_id) AS service_id, any_value(e.priority) AS priority,
    (sum(count(*)) OVER (ORDER BY e.rowid))::BIGINT AS ends
FROM {_OF} GROUP BY e.rowid ORDER BY e.rowid
"""
_MESSAGES: Final = (
    f"SELECT e.rowid AS place, m.message_sequence_number AS number, m.message_key, m.queuing_order FROM {_OF}"
)
_ORDERED: Final = f"{_MESSAGES} ORDER BY e.rowid, m.message_sequence_number, m.message_key"
_LAST: Final = "SELECT database_id, queue_id, max(queuing_order), max(message_key) FROM sbql.messages GROUP BY ALL"


class UnreadMessages(Struct):
    """Ready messages, those of a conversation together and in their order. The arrays of conversations
    are in the order of their places."""

    keys: Array
    """Of a message,"""
    orders: Array
    """and its queuing order."""
    place: Array
    """Of a conversation: where its endpoint stood in its table,"""
    database_id: Array
    service_id: Array
    priority: Array
    ends: Array
    """and which message is the first behind its last."""
    last: list[tuple[int, int, int, int]]
    """Database and id of each queue that has messages of any kind, the highest queuing
    order and the highest key there."""

    def of(self, number: int) -> tuple[Array, Array]:
        """The keys and queuing orders of a conversation's messages."""
        which = slice(int(self.ends[number - 1]) if number else 0, int(self.ends[number]))
        return self.keys[which], self.orders[which]

    def first_orders(self) -> Array:
        """Of each conversation the queuing order of its first message."""
        firsts = self.ends.copy()
        firsts[1:], firsts[:1] = self.ends[:-1], 0
        return self.orders[firsts]

    def find(self, places: Sequence[int] | Array) -> tuple[Array, Array]:
        """For each of the places, in any order, which conversation here may be there, and whether it is."""
        at = self.place.searchsorted(places).clip(max=len(self.place) - 1)
        return at, self.place[at] == places

    def among(self, places: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Of those of the places that are here: which of the places it is, and which conversation."""
        if len(self.place) and places:
            at, is_here = self.find(places)
            yield from zip(is_here.nonzero()[0].tolist(), at[is_here].tolist(), strict=True)


def unread_messages(connection: duckdb.DuckDBPyConnection, which: str) -> UnreadMessages:
    """The messages for which `which` is true, SQL over the columns of their table."""
    conversations = connection.execute(_CONVERSATIONS.format(which)).fetchnumpy()
    messages = _by_conversation(connection.execute(_MESSAGES.format(which)).fetchnumpy())
    if messages is None:
        messages = connection.execute(_ORDERED.format(which)).fetchnumpy()
    last = connection.execute(_LAST).fetchall()
    return UnreadMessages(messages["message_key"], messages["queuing_order"], last=last, **conversations)


def _by_conversation(messages: dict[str, Array]) -> dict[str, Array] | None:
    """The same with those of a conversation together and by their numbers, most of which they are already; None when
    two of one have the same number. NumPy does it in half of the time in which DuckDB sorts by all three columns."""
    place, number = messages.pop("place"), messages.pop("number")
    if _is_in_order(place, number):
        return messages
    sorted_ = _sorted(place)
    if not _is_in_order(place[sorted_], number[sorted_]):
        sorted_ = _sorted(place, _sorted(number))
        if not _is_in_order(place[sorted_], number[sorted_]):
            return None
    return {name: column[sorted_] for name, column in messages.items()}


def _is_in_order(place: Array, number: Array) -> bool:
    is_next = (place[1:] > place[:-1]) | (place[1:] == place[:-1]) & (number[1:] > number[:-1])
    return bool(is_next.all())


def _sorted(values: Array, before: Array = None) -> Array:
    """How to sort numbers from 0, stably, after they were sorted as `before` says: NumPy
    does it in linear time for 16 bits."""
    sorted_ = before
    for shift in range(0, max(1, int(values.max()).bit_length()), 16):
        part = (values >> shift & 0xFFFF).astype("uint16")
        sorted_ = part.argsort(kind="stable") if sorted_ is None else sorted_[part[sorted_].argsort(kind="stable")]
    return sorted_
