"""Consumers: RECEIVE for readers that outlive crashes, with a log of what they were delivered.

    attach -> deliver (`consumer_delivery`) -> (read the ranges) -> acknowledge

Decides what stays a consumer's own until it acknowledges, what becomes of it then, and which of its readers is heard.
It must not know statements, stores or Spark: each function works under the state's mutex, changes memory at once, and
returns the records that have to be submitted before the mutex is let go.

A delivered message is out of the queue for everybody else; END CONVERSATION and CLEANUP leave it alone. Of a group that
a consumer holds messages of, nobody else receives; SEND and END CONVERSATION find it unlocked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

import msgspec

from sbql.catalog.records import (
    BrokerChange,
    Consumer,
    DeleteConsumer,
    DeleteDelivery,
    DeleteMessages,
    Queue,
    QueuedMessage,
)
from sbql.engine.broker import queue_monitor
from sbql.engine.broker.consumer_delivery import back_to_its_place
from sbql.engine.broker.delivery_log import DeliveryLog, HeldRun
from sbql.engine.broker.poison import LIMIT
from sbql.engine.broker.ready_index import NOTHING
from sbql.engine.broker.state import BrokerState, Conversation, Group
from sbql.engine.broker.stored_run import StoredRun
from sbql.engine.broker.transaction import BrokerTransaction
from sbql.grammar.errors import sql_error

__all__ = [
    "acknowledge",
    "attach",
    "attached",
    "begin_reading",
    "drop_consumers_of",
    "end_consumers_of",
    "find_consumer",
    "ranges",
    "refuse_held",
    "release",
    "remove",
]


# --- who reads ---------------------------------------------------------------------------------------------


def find_consumer(state: BrokerState, queue: Queue, name: str) -> DeliveryLog | None:
    """The log of the consumer of this name on this queue, None when there is none."""
    for log in state.logs.values():
        record = log.record
        if (record.database_id, record.queue_id, record.name) == (queue.database_id, queue.id, name):
            return log
    return None


def attach(
    state: BrokerState, queue: Queue, name: str, log_id: UUID, now: float
) -> tuple[DeliveryLog, list[BrokerChange]]:
    """A new reader of a consumer: from now on it alone is heard. `log_id` is for a consumer that is new."""
    log = find_consumer(state, queue, name)
    if log is None:
        log = DeliveryLog(Consumer(log_id, queue.database_id, queue.id, name))
        state.logs[log_id] = log
    record = log.record
    record.epoch += 1
    record.attach_time = now
    log.wake()
    return log, [record]


def attached(state: BrokerState, log_id: UUID, epoch: int) -> DeliveryLog:
    """The log of a reader. Raises 49944 when there is none any more, 49941 when a later reader has taken its place."""
    log = state.logs.get(log_id)
    if log is None:
        raise sql_error(49944, str(log_id).upper())
    if log.record.epoch != epoch:
        raise sql_error(49941, log.record.name, epoch, log.record.epoch)
    return log


# --- reading -----------------------------------------------------------------------------------------------


def begin_reading(
    state: BrokerState, log: DeliveryLog, queue: Queue, start: int, end: int, *, allow_loss: bool = False
) -> list[BrokerChange]:
    """A reader begins to work on the messages after `start` up to `end`. Raises 49943 when some of them are not there
    any more, or were never delivered, unless `allow_loss`: the checkpoint is older, or newer, than the log.

    A reader that works on what an earlier one did not acknowledge counts as a failure of the earlier one. After five,
    the rule for poison messages: the queue is switched off. What is delivered can still be read.
    """
    record = log.record
    found = sum(
        min(end, run.last) - max(start + 1, run.first) + 1 for run in log.runs if run.last > start and run.first <= end
    )
    if found != end - start and not allow_loss:
        raise sql_error(49943, record.name, start + 1, end, end - start - found, record.acknowledged, record.delivered)
    if start != record.acknowledged or record.asked_epoch == record.epoch:
        return []
    if record.asked_epoch:
        record.failures += 1
        if record.failures == LIMIT and queue.is_poison_message_handling_enabled:
            state.notify("disable", queue.id)
    record.asked_epoch = record.epoch
    return [record]


def ranges(log: DeliveryLog, start: int, end: int, partition: int = 0, partitions: int = 1) -> list[HeldRun]:
    """The ranges with messages after `start` up to `end`, of those groups that belong to a partition."""
    return [
        run for run in log.runs if run.last > start and run.first <= end and run.group_id.int % partitions == partition
    ]


# --- the end of messages -----------------------------------------------------------------------------------


def acknowledge(state: BrokerState, log: DeliveryLog, queue: Queue, through: int, now: float) -> list[BrokerChange]:
    """Everything up to `through` is done for good; what is done already is no error. With RETENTION the messages stay
    until their conversations end, as received ones do."""
    record = log.record
    through = min(through, record.delivered)
    if through <= record.acknowledged:
        return []
    changes: list[BrokerChange] = []
    freed: list[Group] = []
    while log.runs and log.runs[0].first <= through:
        run = log.runs[0]
        changes.append(DeleteDelivery(record.log_id, run.first))
        changes += _done(state, run, through, queue.is_retention_enabled)
        if run.last <= through:
            log.runs.popleft()
            group = state.let_go(log, run.database_id, run.group_id)
            if group is not None:
                freed.append(group)
        else:
            run.cut(through)
            changes.append(run.record(record.log_id))
    record.acknowledged = through
    record.failures = record.asked_epoch = 0
    _tell(state, freed, now)
    return [*changes, record]


def _done(state: BrokerState, run: HeldRun, through: int, is_retained: bool) -> list[BrokerChange]:
    first, last = run.keys(run.first, through)
    conversation = state.find(run.database_id, run.handle)
    if not is_retained or conversation is None or conversation.removed:
        return [DeleteMessages(run.database_id, run.handle, first, last)]
    changes: list[BrokerChange] = []
    for message in _messages(state, list(run.numbers[: 2 * (min(through, run.last) - run.first + 1) : 2])):
        message.status = 0
        conversation.retain(message)
        changes.append(message)
    return changes


def _messages(state: BrokerState, keys: list[int]) -> Iterable[QueuedMessage]:
    """The stored messages of these keys. They have been folded: they were read."""
    assert state.paging.fetch is not None
    while keys:
        found = state.paging.fetch(keys)
        for key in keys[: len(found)]:
            yield found[key]
        keys = keys[len(found) :]


def release(state: BrokerState, log: DeliveryLog, now: float) -> list[BrokerChange]:
    """Give back what is not acknowledged, as a rollback would; its reader is not heard any more. What belongs to a
    conversation that has ended is deleted. Everything that is delivered has to be folded."""
    record = log.record
    changes: list[BrokerChange] = []
    freed: list[Group] = []
    for run in reversed(log.runs):
        changes.append(DeleteDelivery(record.log_id, run.first))
        conversation = state.find(run.database_id, run.handle)
        if conversation is None or conversation.removed or conversation.ended_by is not None:
            changes.append(DeleteMessages(run.database_id, run.handle, *run.keys(run.first, run.last)))
        else:
            _put_back(state, conversation, run)
        group = state.let_go(log, run.database_id, run.group_id)
        if group is not None:
            freed.append(group)
    log.runs.clear()
    record.epoch += 1
    record.acknowledged = record.delivered
    record.failures = record.asked_epoch = 0
    log.wake()
    _tell(state, freed, now)
    return [*changes, record]


def _put_back(state: BrokerState, conversation: Conversation, run: HeldRun) -> None:
    if run.is_urgent:
        for message in _messages(state, [run.numbers[0]]):
            conversation.put(message, front=True)
        conversation.queue.index(conversation)
        return
    stored = conversation.run
    if stored is None:
        conversation.run = stored = StoredRun()
        stored.add_later(conversation.messages)
    else:  # what stands before a stored run is stored itself
        stored.put_first(conversation.messages)
    conversation.messages = NOTHING
    stored.put_numbers_first(run.numbers)
    conversation.queue.index(conversation)


def remove(state: BrokerState, log: DeliveryLog, now: float) -> list[BrokerChange]:
    """A consumer goes, and gives back what it holds."""
    changes = [change for change in release(state, log, now) if change is not log.record]
    del state.logs[log.record.log_id]
    return [*changes, DeleteConsumer(log.record.log_id)]


def _tell(state: BrokerState, freed: Iterable[Group], now: float) -> None:
    """Messages can be received again."""
    for group in freed:
        queue = group.queue
        if queue.queue_id in state.monitors:
            queue_monitor.message_arrived(state, queue.queue_id, now)
        queue.wake()


# --- what DDL does -----------------------------------------------------------------------------------------


def refuse_held(
    state: BrokerState, what: tuple[str, str, str], queue_id: int, concerns: Callable[[Conversation | None], bool]
) -> None:
    """Raises 49942 when a consumer of the queue holds messages of a conversation that is concerned (None: one that has
    ended). `what`: the class and the name of an object, and what cannot be done to it."""
    for log in state.logs.values():
        if log.record.queue_id == queue_id:
            for run in log.runs:
                if concerns(state.find(run.database_id, run.handle)):
                    raise sql_error(49942, *what, log.record.name, log.held)


def end_consumers_of(transaction: BrokerTransaction, database_id: int, *, for_good: bool) -> None:
    """NEW_BROKER, DROP DATABASE, RESTORE: what consumers hold is gone with the conversations, and their readers learn
    it. `for_good`: the consumers go, too."""
    state = transaction.state
    for log in [log for log in state.logs.values() if log.record.database_id == database_id]:
        _end(transaction, log, for_good)


def drop_consumers_of(transaction: BrokerTransaction, queue: Queue) -> None:
    """DROP QUEUE. Raises 49942 when a consumer holds messages."""
    for log in [log for log in transaction.state.logs.values() if log.record.queue_id == queue.id]:
        if log.runs:
            raise sql_error(49942, "queue", queue.name, "dropped", log.record.name, log.held)
        _end(transaction, log, for_good=True)


def _end(transaction: BrokerTransaction, log: DeliveryLog, for_good: bool) -> None:
    state, record = transaction.state, log.record
    image = msgspec.structs.replace(record), log.runs, log.groups
    holders = dict.fromkeys(log.groups, log)
    transaction.undo.append((_resume, state, log, image, holders, len(transaction.deliveries), transaction))
    for run in log.runs:
        transaction.deliveries.append(DeleteDelivery(record.log_id, run.first))
        transaction.deliveries.append(DeleteMessages(run.database_id, run.handle, *run.keys(run.first, run.last)))
    for key in log.groups:
        del state.holders[key]
        group = state.groups.get(key)
        if group is not None:
            group.held_by = None
            back_to_its_place(group)
    log.runs, log.groups = type(log.runs)(), {}
    record.epoch += 1
    record.acknowledged = record.delivered
    record.failures = record.asked_epoch = 0
    if for_good:
        del state.logs[record.log_id]
        transaction.deliveries.append(DeleteConsumer(record.log_id))
    else:
        transaction.deliveries.append(record)
    log.wake()


def _resume(
    state: BrokerState, log: DeliveryLog, image: Any, holders: dict[Any, Any], mark: int, transaction: BrokerTransaction
) -> None:
    """Undo of `_end`."""
    del transaction.deliveries[mark:]
    log.record, log.runs, log.groups = image
    state.logs[log.record.log_id] = log
    state.holders.update(holders)
    for key in holders:
        group = state.groups.get(key)
        if group is not None:
            state.adopt_hold(group)
