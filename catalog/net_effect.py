"""The net effect of broker changes: the last word on every key of the broker's tables.

Decides what of a stretch of changes counts in the end. They come as records, or as they stand in the journal,
where one that something later overrules, as nearly all are in a busy dialog, is never read further than its key.
It must not know where the effect goes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any, Final, get_args

import msgspec

from sbql.catalog.broker_tables import BROKER_TABLES, LAST_MESSAGE_KEY, queue_counter
from sbql.catalog.fold_deliveries import DeliveryEffect
from sbql.catalog.journal_rows import Head, heads_and_rows
from sbql.catalog.records.broker import BrokerChange, CounterValue

__all__ = ["NetEffect"]

_TABLE_OF_TAG: Final = {
    "E": "conversation_endpoints",
    "G": "conversation_groups",
    "M": "messages",
    "T": "transmission_queue",
    "P": "monolog_members",
    "R": "monolog_messages",
}
"""The tag of a record that is a row; in lower case it is that of the row's end."""


def _kind(change: type[msgspec.Struct]) -> tuple[str, Callable[[Any], Any], bool, bool] | None:
    """Of a change: its table, how its key is got, whether the row is there then, and whether its key
    counts. None: it has no such row."""
    tag = str(change.__struct_config__.tag)
    table = _TABLE_OF_TAG.get(tag.upper())
    if table is None:
        return None
    key = BROKER_TABLES[table][1]
    return table, attrgetter(*key), tag.isupper(), tag.isupper() and key == ("message_key",)


_KINDS: Final = {change: _kind(change) for change in (*get_args(BrokerChange), *get_args(Head))}


class NetEffect:
    """The last word on every key of the broker's tables: a row (it is now so) or None (it is gone). Of records the
    rows are these records, of what stands in the journal they are StoredRows, and identifiers in keys are bytes: one
    effect takes only one of both kinds."""

    def __init__(self, changes: Sequence[BrokerChange] = ()) -> None:
        self.tables: dict[str, dict[Any, Any]] = {table: {} for table in BROKER_TABLES}
        self._places = {change: kind and (self.tables[kind[0]], *kind[1:]) for change, kind in _KINDS.items()}
        self.deliveries: DeliveryEffect | None = None
        self._counters: dict[str, int] = {}
        self._last_orders: dict[int, int] = {}
        self._last_key = -1
        self._add(changes, changes)

    def add_record(self, record: bytes) -> None:
        """The changes of a journal record."""
        self._add(*heads_and_rows(record))

    def at_least(self, name: str, value: int) -> None:
        """A counter has reached `value`."""
        self._counters[name] = max(self._counters.get(name, -1), value)

    def counters(self) -> dict[str, int]:
        """What the counters have come to: those that were said, and those of the messages."""
        seen = {queue_counter(queue_id): order for queue_id, order in self._last_orders.items()}
        if self._last_key >= 0:
            seen[LAST_MESSAGE_KEY] = self._last_key
        return {**self._counters, **{name: max(self._counters.get(name, -1), value) for name, value in seen.items()}}

    def _add(self, changes: Iterable[Any], rows: Iterable[Any]) -> None:
        places, orders = self._places, self._last_orders
        messages = self.tables["messages"]
        for change, row in zip(changes, rows, strict=True):
            place = places[type(change)]
            if place is None:
                self._add_rare(change)
                continue
            table, key_of, stays, counts = place
            key = key_of(change)
            if not stays:
                table[key] = None
                continue
            table[key] = row
            if counts:
                if key > self._last_key:
                    self._last_key = key
                if table is messages and change.queuing_order > orders.get(change.queue_id, -1):
                    orders[change.queue_id] = change.queuing_order

    def _add_rare(self, change: Any) -> None:
        if isinstance(change, CounterValue):
            self._counters[change.name] = change.value
        else:
            self.deliveries = self.deliveries or DeliveryEffect()
            self.deliveries.add(change)
