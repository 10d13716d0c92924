"""Queues with messages that nobody takes: activation, readers, locks.

Decides why what has arrived stays where it is. It looks at each queue that has ready messages, and at nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from sbql.catalog.records import Queue
from sbql.engine.broker.queue_monitor import NOTIFIED, QueueMonitor
from sbql.engine.broker.ready_index import Conversation, Group
from sbql.engine.broker.state import BrokerState, QueueStore
from sbql.engine.diagnosis import repairs
from sbql.engine.diagnosis.causes import Evidence, Finding, found
from sbql.engine.diagnosis.scope import Scope
from sbql.engine.diagnosis.world import World
from sbql.engine.locks import LockOwner
from sbql.engine.ports import Session
from sbql.grammar.names import string_literal

__all__ = ["reading"]

_LOG_NUMBERS: Final = (9724, 28087, 28088, 8415)
_LINES: Final = 3


class _Backlog(Struct):
    """The ready messages of one queue. `since`: when the oldest of the first ones came; `holders`: who has locked
    groups of it; `is_free`: a group can be received."""

    queue: Queue
    since: float
    conversations: int = 0
    holders: dict[Group, LockOwner] = field(default_factory=dict)
    consumers: dict[str, float] = field(default_factory=dict)
    is_free: bool = False
    waiters: int = 0
    monitor: QueueMonitor | None = None

    def evidence(self) -> list[Evidence]:
        row = {
            "view": "queue",
            "name": self.queue.name,
            "conversations_with_messages": self.conversations,
            "oldest_message": self.since,
            "waiting_sessions": self.waiters,
        }
        if self.monitor is None:
            return [row]
        monitor = {
            "view": "sys.dm_broker_queue_monitors", "state": self.monitor.state, "last_activated_time": self.monitor.last_activated_time, "tasks": self.monitor.running,
            "tasks_that_took_nothing": self.monitor.fruitless,
        }  # fmt: skip
        return [row, monitor]


def reading(world: World, scope: Scope) -> Iterator[Finding]:
    for backlog in _backlogs(world, scope):
        yield from _causes(world, backlog)


def _backlogs(world: World, scope: Scope) -> list[_Backlog]:
    state = world.instance.broker
    found_ones: dict[int, _Backlog] = {}
    with state.mutex:
        for store in list(state.queues.values()):
            _bring_first(state, store)
        for conversation in list(state.ready.candidates):
            queue = world.index.queues.get(conversation.queue.queue_id)
            if (
                conversation.first_order() < 0
                or conversation.removed
                or queue is None
                or not scope.concerns(world, conversation)
            ):
                continue
            since = _since(conversation, world.now)
            backlog = found_ones.get(queue.id)
            if backlog is None:
                store = conversation.queue
                backlog = found_ones[queue.id] = _Backlog(
                    queue, since, waiters=len(store.waiters), monitor=state.monitors.get(queue.id)
                )
            backlog.since = min(backlog.since, since)
            backlog.conversations += 1
            group = conversation.group
            if group.held_by is not None:
                runs = group.held_by.runs
                backlog.consumers[group.held_by.record.name] = runs[0].delivery_time if runs else world.now
                continue
            holder = world.instance.locks.holder(group.resource)
            if holder is None:
                backlog.is_free = True
            else:
                backlog.holders[group] = holder
    return list(found_ones.values())


def _bring_first(state: BrokerState, store: QueueStore) -> None:
    """What stands first in a queue is looked at in memory; since the start of the instance
    all of it may be in the store only."""
    group = store.next_group(None, state.locks, lock=False)
    entry = group.next_conversation() if group is not None else None
    if entry is not None:
        state.paging.page_in(entry[3], 1)


def _since(conversation: Conversation, now: float) -> float:
    """When the first message came that is in memory."""
    times = [m.message_enqueue_time for m in conversation.urgent]
    if conversation.messages:
        times.append(conversation.messages[0].message_enqueue_time)
    return min(times, default=now)


def _causes(world: World, one: _Backlog) -> Iterator[Finding]:
    queue = one.queue
    database = world.index.databases[queue.database_id]
    broken = world.broker(database, one.evidence())
    if broken is not None:
        yield broken
    elif not queue.is_enabled:
        yield world.queue_off(queue, one.evidence())
    elif one.consumers and not one.is_free:
        yield from _consumers(world, one)
    elif one.holders and not one.is_free:
        yield from _locked(world, one)
    elif queue.activation_procedure is not None and not one.waiters:
        yield from _activated(world, one)
    elif not one.waiters and world.now - one.since >= world.limits.unread:
        yield _nobody(world, one)


def _consumers(world: World, one: _Backlog) -> Iterator[Finding]:
    database, name = world.name(one.queue.database_id), world.queue_name(one.queue)
    for consumer, since in one.consumers.items():
        if world.now - since >= world.limits.unread:
            text = f"The consumer {consumer} holds messages of the queue {one.queue.name}, and with them their conversation groups."
            call = f"EXEC sys.sp_sbql_release_consumer {string_literal(name)}, {string_literal(consumer)};"
            yield found(
                "HELD_BY_CONSUMER", database, text, one.queue.name, one.evidence(), repairs.in_database(database, call)
            )


def _locked(world: World, one: _Backlog) -> Iterator[Finding]:
    """By transactions that have been open for a while. An activated task at work is none of them."""
    sessions: dict[int, Session] = {}
    for holder in one.holders.values():
        session = world.session_of(holder)
        if session is None or session.spid in world.instance.scheduler.tasks or session.transaction is None:
            continue
        if world.now - session.transaction.begin_time >= world.limits.unread:
            sessions[session.spid] = session
    if not sessions:
        return
    rows = [
        {"view": "sys.dm_tran_session_transactions", "session_id": spid, "login": s.login.name, "begin_time": s.transaction.begin_time if s.transaction else None}
        for spid, s in sessions.items()
    ]  # fmt: skip
    who = ", ".join(str(spid) for spid in sessions)
    text = f"Open transactions have the conversation groups of the queue {one.queue.name}: session {who}."
    yield found(
        "GROUP_LOCKED",
        world.name(one.queue.database_id),
        text,
        one.queue.name,
        [*rows, *one.evidence()],
        repairs.kill(sessions),
    )


def _activated(world: World, one: _Backlog) -> Iterator[Finding]:
    queue, database = one.queue, world.name(one.queue.database_id)
    wrong = list(world.activation(queue, one.evidence()))
    if not queue.is_activation_enabled:
        text = f"The activation of the queue {queue.name} is switched off, and messages are ready."
        repair = repairs.activation(database, world.queue_name(queue), "STATUS = ON")
        yield found("ACTIVATION_OFF", database, text, queue.name, one.evidence(), repair)
    elif wrong:
        yield from wrong
    elif one.monitor is not None and one.monitor.running == 0:
        yield from _monitor(world, one, one.monitor)


def _monitor(world: World, one: _Backlog, monitor: QueueMonitor) -> Iterator[Finding]:
    queue, database = one.queue, world.name(one.queue.database_id)
    name = world.instance.queue_name(queue.id)
    lines = [
        r
        for r in world.instance.error_log
        if r.number in _LOG_NUMBERS and (name in r.text or (queue.activation_procedure or "") in r.text)
    ]
    rows = [
        *one.evidence(),
        *({"view": "error log", "time": r.time, "number": r.number, "text": r.text} for r in lines[-_LINES:]),
    ]
    said = f" The error log says: {lines[-1].text}" if lines else ""
    if monitor.state == NOTIFIED:
        text = f"The procedure {queue.activation_procedure} of the queue {queue.name} has ended without a RECEIVE, and nothing more is started.{said}"
        yield found("ACTIVATION_STUCK", database, text, queue.name, rows, world.restart(queue))
    elif monitor.fruitless:
        text = f"{monitor.fruitless} tasks of the procedure {queue.activation_procedure} in a row have taken nothing of the queue {queue.name}.{said}"
        yield found("ACTIVATION_FAILS", database, text, queue.name, rows)


def _nobody(world: World, one: _Backlog) -> Finding:
    database, name = world.name(one.queue.database_id), world.queue_name(one.queue)
    text = f"Messages of {one.conversations} conversation(s) are ready in the queue {one.queue.name}; it has no activation, and no session waits for them."
    receive = f"RECEIVE TOP (1) conversation_handle, message_type_name, CAST(message_body AS nvarchar(max)) AS body FROM {name};"
    return found("NOBODY_READS", database, text, one.queue.name, one.evidence(), repairs.in_database(database, receive))
