"""Queue monitors: when to launch one more reader of a queue (docs/spec: ACTIVATION, MONITOR).

Decides launches from events: a pure state machine over `QueueMonitor`, with the transitions as a table. Must not know
procedures or sessions: a decision is a 'launch' event to the listeners of the state, and the scheduler reports back
with `task_ended`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sbql.catalog.records import NEVER
from sbql.engine.broker.state import BrokerState

__all__ = [
    "AT_ONCE",
    "INACTIVE",
    "NOTIFIED",
    "RECEIVES_OCCURRING",
    "THRESHOLD",
    "TRANSITIONS",
    "QueueMonitor",
    "altered",
    "commits_lost",
    "decide",
    "hears_receive",
    "is_to_start",
    "look_again",
    "message_arrived",
    "messages_taken",
    "next_tick",
    "not_started",
    "receive_executed",
    "remove",
    "task_ended",
    "tasks_waiting",
    "tick",
    "watch",
]

INACTIVE: Final = "INACTIVE"
NOTIFIED: Final = "NOTIFIED"
RECEIVES_OCCURRING: Final = "RECEIVES_OCCURRING"

THRESHOLD: Final = 5.0
"""Seconds without an empty RECEIVE after which readers cannot keep up."""

AT_ONCE: Final = 5
"""So many tasks in a row may leave messages in the queue without any commit that took some, and the next one still
starts at once: as many as poison handling needs to switch the queue off. From then on one starts every THRESHOLD
seconds."""


@dataclass
class QueueMonitor:
    """A row of sys.dm_broker_queue_monitors (times 0.0: never) with the timer and the number of running tasks.

    `max_readers` None: no procedure, only QUEUE_ACTIVATION notifications.
    """

    database_id: int
    queue_id: int
    max_readers: int | None
    state: str = INACTIVE
    last_empty_rowset_time: float = 0.0
    last_activated_time: float = 0.0
    timer: float = 0.0
    running: int = 0
    task_limit_reached: int = 0
    fruitless: int = 0
    """Tasks that ended, one after the other, with messages left and none taken for good."""
    unsettled: int = 0
    """`fruitless` before commits that the disk may still refuse."""
    is_planned: bool = False
    """Whether the background work knows of the next tick."""

    @property
    def has_room(self) -> bool:
        return self.max_readers is None or self.running < self.max_readers

    @property
    def is_slowed(self) -> bool:
        """Tasks come and go and take nothing: the next one starts with the tick."""
        return self.fruitless > AT_ONCE and self.running == 0 and self.state == RECEIVES_OCCURRING


TRANSITIONS: Final[dict[tuple[str, str], str]] = {
    (INACTIVE, "message"): "start",
    (INACTIVE, "received"): "receiving",
    (INACTIVE, "empty"): "note_empty",
    (INACTIVE, "task_ended"): "start",
    (INACTIVE, "tick"): "start",
    (INACTIVE, "altered"): "start",
    (NOTIFIED, "message"): "stay",
    (NOTIFIED, "received"): "receiving",
    (NOTIFIED, "empty"): "receiving_nothing",
    (NOTIFIED, "task_ended"): "stay",
    (NOTIFIED, "tick"): "stay",
    (NOTIFIED, "altered"): "start",
    (RECEIVES_OCCURRING, "message"): "stay",
    (RECEIVES_OCCURRING, "received"): "receiving_more",
    (RECEIVES_OCCURRING, "empty"): "receiving_nothing",
    (RECEIVES_OCCURRING, "task_ended"): "restart",
    (RECEIVES_OCCURRING, "tick"): "ramp_up",
    (RECEIVES_OCCURRING, "altered"): "start",
}
"""What an event does in a state:

- start: launch if something is ready and nobody is there to read it
- receiving: NOTIFIED is over, the timer runs
- receiving_more: whoever takes the last message of a queue without tasks leaves it INACTIVE
- receiving_nothing: the timer starts over, an empty queue is INACTIVE
- restart: the last task is gone; the next one starts at once, unless AT_ONCE of them took nothing
- ramp_up: the 5-second rule
- stay: nothing
"""


def decide(monitor: QueueMonitor, event: str, now: float, ready: bool, waiting: int = 0) -> bool:
    """Take one event; True launches one more reader (already counted in `running`). `ready`: something is receivable;
    `waiting`: sessions waiting in RECEIVE."""
    action = TRANSITIONS[monitor.state, event]
    if event == "empty":
        monitor.last_empty_rowset_time = now
    if action == "start":
        return _start(monitor, now, ready, waiting)
    if action == "receiving":
        monitor.state, monitor.timer = RECEIVES_OCCURRING if ready or monitor.running else INACTIVE, now
    elif action == "receiving_more" and not ready and not monitor.running:
        monitor.state = INACTIVE
    elif action == "receiving_nothing":
        monitor.state, monitor.timer = RECEIVES_OCCURRING if ready else INACTIVE, now
    elif action == "restart" and not monitor.running:
        return _restart(monitor, now, ready, waiting)
    elif action == "ramp_up" and ready and now - monitor.timer >= THRESHOLD:
        monitor.timer = now
        if monitor.has_room:
            return _launch(monitor, now)
        monitor.task_limit_reached += 1
    return False


def _restart(monitor: QueueMonitor, now: float, ready: bool, waiting: int) -> bool:
    monitor.fruitless = monitor.fruitless + 1 if ready else 0
    if monitor.is_slowed:
        monitor.timer = now
        return False
    monitor.state = INACTIVE
    return _start(monitor, now, ready, waiting)


def _start(monitor: QueueMonitor, now: float, ready: bool, waiting: int) -> bool:
    if not ready:
        return False
    if monitor.running > 0 or waiting > 0:
        monitor.state, monitor.timer = RECEIVES_OCCURRING, now
        return False
    if not monitor.has_room:
        monitor.task_limit_reached += 1
        return False
    monitor.state = NOTIFIED
    return _launch(monitor, now)


def _launch(monitor: QueueMonitor, now: float) -> bool:
    monitor.last_activated_time = now
    if monitor.max_readers is not None:
        monitor.running += 1
    return True


# The monitors of an instance


def watch(
    state: BrokerState, database_id: int, queue_id: int, max_readers: int | None, now: float, running: int = 0
) -> QueueMonitor:
    """The queue is to be monitored (activation ON or a notification, in an enabled broker); messages may wait
    already. `running`: tasks that an earlier monitor of the queue has started."""
    monitor = QueueMonitor(database_id, queue_id, max_readers, running=running)
    state.monitors[queue_id] = monitor
    _event(state, monitor, "altered", now)
    return monitor


def remove(state: BrokerState, queue_id: int) -> None:
    """Activation was switched off, or the queue or the broker disabled or dropped. Running tasks go on."""
    state.monitors.pop(queue_id, None)


def altered(state: BrokerState, queue_id: int, max_readers: int | None, now: float) -> None:
    """ALTER QUEUE on a monitored queue: a new limit counts at once."""
    monitor: QueueMonitor = state.monitors[queue_id]
    raised = max_readers is not None and monitor.max_readers is not None and max_readers > monitor.max_readers
    monitor.max_readers = max_readers
    if monitor.state == INACTIVE or (raised and monitor.running == 0):
        _event(state, monitor, "altered", now)


def message_arrived(state: BrokerState, queue_id: int, now: float) -> None:
    """Something may have become receivable: an arrival, a rollback, a released lock."""
    monitor = state.monitors.get(queue_id)
    if monitor is None:
        return
    if monitor.state == INACTIVE:
        _event(state, monitor, "message", now)
    elif monitor.state == RECEIVES_OCCURRING and not monitor.is_planned:
        _plan(state, monitor)


def hears_receive(state: BrokerState, queue_id: int, with_rows: bool) -> bool:
    """Whether a RECEIVE would mean something to a monitor now. May be asked without the mutex."""
    monitor = state.monitors.get(queue_id)
    return monitor is not None and not (with_rows and monitor.state == RECEIVES_OCCURRING and monitor.running)


def receive_executed(state: BrokerState, queue_id: int, with_rows: bool, now: float) -> None:
    """Any session has executed RECEIVE on the queue, and it did not fail."""
    if hears_receive(state, queue_id, with_rows):
        _event(state, state.monitors[queue_id], "received" if with_rows else "empty", now)


def messages_taken(state: BrokerState, queue_id: int) -> None:
    """A transaction that took messages of the queue was committed: its readers get on, if the disk takes it."""
    monitor = state.monitors.get(queue_id)
    if monitor is not None:
        monitor.unsettled, monitor.fruitless = max(monitor.unsettled, monitor.fruitless), 0


def commits_lost(state: BrokerState) -> None:
    """The disk has refused commits: what they took is there again, so that nobody has got on by them."""
    for monitor in state.monitors.values():
        monitor.fruitless = max(monitor.unsettled, monitor.fruitless)


def task_ended(state: BrokerState, queue_id: int, now: float, *, has_failed: bool) -> bool:
    """An activated task of the queue is over. One that never received leaves NOTIFIED as it is (28087). One that has
    not failed has waited for the disk. True when this was the one too many: from now on they start with the tick."""
    monitor: QueueMonitor | None = state.monitors.get(queue_id)
    if monitor is None:
        return False
    if not has_failed:
        monitor.unsettled = 0
    monitor.running = max(0, monitor.running - 1)
    _event(state, monitor, "task_ended", now)
    return monitor.is_slowed and monitor.fruitless == AT_ONCE + 1


def not_started(state: BrokerState, queue_id: int) -> None:
    """A launch was asked for and may not be now. `look_again` is to follow."""
    monitor = state.monitors.get(queue_id)
    if monitor is not None:
        monitor.running = max(0, monitor.running - 1)
        monitor.state = RECEIVES_OCCURRING if monitor.running else INACTIVE


def look_again(state: BrokerState, database_id: int | None, now: float) -> None:
    """Tasks may start again in a database, or in all of them (None); those that are slowed with their tick."""
    for monitor in list(state.monitors.values()):
        if database_id in (None, monitor.database_id) and monitor.state != NOTIFIED and not monitor.is_slowed:
            _event(state, monitor, "altered", now)


def tick(state: BrokerState, now: float) -> None:
    """The 5-second rule, for every monitor."""
    for monitor in list(state.monitors.values()):
        _event(state, monitor, "tick", now)


def next_tick(state: BrokerState) -> float:
    """When `tick` may have something to do; NEVER when nothing waits for it."""
    due = NEVER
    for monitor in state.monitors.values():
        monitor.is_planned = monitor.state == RECEIVES_OCCURRING and _ready(state, monitor.queue_id)
        if monitor.is_planned:
            due = min(due, monitor.timer + THRESHOLD)
    return due


def is_to_start(state: BrokerState, monitor: QueueMonitor) -> bool:
    """Whether a monitor will start a task soon: not one that stands still (NOTIFIED), or is
    slowed because its tasks take nothing."""
    if monitor.state == NOTIFIED or monitor.is_slowed:
        return False
    has_room = monitor.max_readers is not None and monitor.has_room
    return has_room and _ready(state, monitor.queue_id)


def tasks_waiting(state: BrokerState, queue_id: int) -> int:
    """Sessions waiting in RECEIVE on the queue, whoever started them."""
    store = state.queues.get(queue_id)
    return 0 if store is None else len(store.waiters)


def _ready(state: BrokerState, queue_id: int) -> bool:
    store = state.queues.get(queue_id)
    return store is not None and store.is_any_free(state.locks)


def _event(state: BrokerState, monitor: QueueMonitor, event: str, now: float) -> None:
    ready = _ready(state, monitor.queue_id)
    if decide(monitor, event, now, ready, tasks_waiting(state, monitor.queue_id)):
        state.notify("launch", monitor.queue_id)
    if monitor.state == RECEIVES_OCCURRING and not monitor.is_planned and ready:
        _plan(state, monitor)


def _plan(state: BrokerState, monitor: QueueMonitor) -> None:
    """Let the background work find out when the next tick is due."""
    monitor.is_planned = True
    state.notify("deadline", monitor.queue_id)
