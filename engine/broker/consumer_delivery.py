"""What a consumer is delivered: messages become ranges of its log.

Decides which messages, in which order: those that RECEIVE would give, by priority and age, group after group. There are
none of a group that a transaction has locked or another consumer holds; there are those of groups that the consumer
holds itself. Works under the state's mutex, changes memory at once, and returns the records that have to be submitted
before it is let go. It must not know who reads what is delivered, nor when that is done (`consumers`).
"""

from __future__ import annotations

import itertools
from array import array
from bisect import bisect_left
from typing import Final

from sbql.catalog.records import BrokerChange, Queue, QueuedMessage
from sbql.engine.broker.consumer_choice import Wanted, free_choice
from sbql.engine.broker.delivery_log import DeliveryLog, HeldRun
from sbql.engine.broker.ready_messages import Messages, first_taken
from sbql.engine.broker.state import BrokerState, Conversation, Group, QueueStore
from sbql.engine.broker.stored_run import StoredRun, numbers_of
from sbql.grammar.errors import sql_error

__all__ = ["back_to_its_place", "deliver"]

_NOBODY: Final = 1 << 62


def deliver(
    state: BrokerState, log: DeliveryLog, queue: Queue, limit: int, now: float, before_order: int = _NOBODY,
    wanted: Wanted | None = None,
) -> list[BrokerChange]:  # fmt: skip
    """Deliver up to `limit` messages with queuing orders below `before_order`, only those that are `wanted`. Nothing
    ready: an empty list. Raises 9617 for a queue that is off."""
    if not queue.is_enabled:
        raise sql_error(9617, queue.name)
    store = state.queue(queue.id, queue.database_id)
    changes: list[BrokerChange] = []
    if wanted is not None:
        found = free_choice(state, log, store, wanted)
        runs = [] if found is None else _take_from(found[0], limit, before_order, now, found[1])
        if runs:
            _hold(state, log, runs, changes)
            changes.append(log.record)
        return changes
    own = _own_groups(state, log, store)
    later: list[Group] = []
    room = limit
    while room > 0:
        group = store.next_group(None, state.locks, lock=False)
        if group is None:
            break
        runs = _take_from(group, room, before_order, now)
        group.parked, group.entry = True, None
        if not runs:
            later.append(group)
        room -= _hold(state, log, runs, changes)
    for group in (*own, *later):
        back_to_its_place(group)
    if changes:
        changes.append(log.record)
    return changes


def _hold(state: BrokerState, log: DeliveryLog, runs: list[HeldRun], changes: list[BrokerChange]) -> int:
    """They are the consumer's now: so many messages."""
    before = log.record.delivered
    for run in runs:
        run.first = log.record.delivered + 1
        log.record.delivered += len(run)
        log.runs.append(run)
        state.hold(log, run.database_id, run.group_id)
        changes.append(run.record(log.record.log_id))
    return log.record.delivered - before


def _own_groups(state: BrokerState, log: DeliveryLog, store: QueueStore) -> list[Group]:
    """The groups that the consumer holds already, where something is ready: for this call they stand in the queue's
    heap with the others. The mutex is held all the time, so nobody else meets them there."""
    found = []
    for key in log.groups:
        group = state.groups.get(key)
        if group is None or group.queue is not store or state.locks.holder(group.resource) is not None:
            continue
        best = group.next_conversation()
        if best is not None:
            store.push(group, best)
            found.append(group)
    return found


def back_to_its_place(group: Group) -> None:
    """Held groups stand in no heap, others do when something is ready."""
    if group.held_by is not None:
        group.parked, group.entry = True, None
        return
    group.parked = False
    best = group.next_conversation()
    if best is not None:
        group.queue.push(group, best)


def _take_from(
    group: Group, room: int, before_order: int, now: float, only: Conversation | None = None
) -> list[HeldRun]:
    """As RECEIVE takes them: conversation after conversation, the one of highest priority and oldest message first."""
    if only is not None:
        return _take(only, room, before_order, now) if room > 0 else []
    runs: list[HeldRun] = []
    while room > 0:
        entry = group.next_conversation()
        if entry is None:
            break
        taken = _take(entry[3], room, before_order, now)
        if not taken:
            break
        runs += taken
        room -= sum(map(len, taken))
    return runs


def _take(conversation: Conversation, room: int, before_order: int, now: float) -> list[HeldRun]:
    """What is out of turn first, each a range of its own; then the others, those in memory and
    those that are only stored as one."""
    endpoint = conversation.endpoint
    runs: list[HeldRun] = []

    def add(numbers: array[int], *, is_folded: bool, is_urgent: bool) -> None:
        if not numbers:
            return
        last = runs[-1] if runs else None
        if last is not None and not is_urgent and not last.is_urgent:
            last.numbers += numbers
            last.is_folded = last.is_folded and is_folded
            return
        run = HeldRun(
            0, endpoint.database_id, endpoint.conversation_handle, endpoint.conversation_group_id, numbers, now
        )
        run.is_folded, run.is_urgent = is_folded, is_urgent
        runs.append(run)

    while conversation.urgent and room > 0 and conversation.urgent[0].queuing_order < before_order:
        add(numbers_of([conversation.urgent.pop(0)]), is_folded=False, is_urgent=True)
        room -= 1
    if conversation.urgent:
        return runs
    taken, conversation.messages = _first_messages(conversation.messages, room, before_order)
    add(numbers_of(taken), is_folded=False, is_urgent=False)
    room -= len(taken)
    run = conversation.run
    if conversation.messages or run is None:
        return runs
    numbers = _first_numbers(run, room, before_order)
    add(numbers, is_folded=True, is_urgent=False)
    room -= len(numbers) // 2
    if not run:
        taken, conversation.messages = _first_messages(run.later, room, before_order)
        conversation.run = None
        add(numbers_of(taken), is_folded=False, is_urgent=False)
    return runs


def _first_messages(messages: Messages, room: int, before_order: int) -> tuple[list[QueuedMessage], Messages]:
    """The first messages of those in memory, and the others."""
    count = sum(
        1 for _ in itertools.takewhile(lambda m: m.queuing_order < before_order, itertools.islice(messages, room))
    )
    return first_taken(messages, count)


def _first_numbers(run: StoredRun, room: int, before_order: int) -> array[int]:
    """Take the numbers of the first messages of a run."""
    count = min(room, len(run))
    if before_order != _NOBODY and count:
        orders = run.numbers[run.start + 1 : run.start + 2 * count : 2]
        count = bisect_left(orders, before_order)
    numbers = run.numbers[run.start : run.start + 2 * count]
    run.drop_first(count)
    return numbers
