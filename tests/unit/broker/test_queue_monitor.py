"""Queue monitors and poison messages."""

from __future__ import annotations

import pytest

from sbql.catalog.records import NEVER
from sbql.engine.broker import queue_monitor
from sbql.engine.broker.poison import count_rollbacks
from sbql.engine.broker.queue_monitor import INACTIVE, NOTIFIED, RECEIVES_OCCURRING, TRANSITIONS, QueueMonitor, decide
from sbql.engine.broker.receive import receive
from sbql.engine.work import Waiter

BOTH = "//both"
RIGHT_QUEUE = 1002


def monitor(state=INACTIVE, running=0, max_readers=2, timer=0.0):
    return QueueMonitor(5, RIGHT_QUEUE, max_readers, state=state, running=running, timer=timer)


def test_every_cell_is_there():
    states = (INACTIVE, NOTIFIED, RECEIVES_OCCURRING)
    events = ("message", "received", "empty", "task_ended", "tick", "altered")
    assert set(TRANSITIONS) == {(s, e) for s in states for e in events}


@pytest.mark.spec("MONITOR-22")
@pytest.mark.parametrize(
    ("state", "event", "ready", "running", "waiting", "launched", "after"),
    [
        (INACTIVE, "message", True, 0, 0, True, NOTIFIED),
        (INACTIVE, "message", False, 0, 0, False, INACTIVE),
        (INACTIVE, "message", True, 1, 0, False, RECEIVES_OCCURRING),
        (INACTIVE, "message", True, 0, 1, False, RECEIVES_OCCURRING),
        (INACTIVE, "received", True, 0, 0, False, RECEIVES_OCCURRING),
        (INACTIVE, "received", False, 0, 0, False, INACTIVE),
        (INACTIVE, "empty", False, 0, 0, False, INACTIVE),
        (INACTIVE, "tick", True, 0, 0, True, NOTIFIED),
        (INACTIVE, "task_ended", True, 0, 0, True, NOTIFIED),
        (NOTIFIED, "message", True, 1, 0, False, NOTIFIED),
        (NOTIFIED, "tick", True, 1, 0, False, NOTIFIED),
        (NOTIFIED, "task_ended", True, 0, 0, False, NOTIFIED),
        (NOTIFIED, "received", True, 1, 0, False, RECEIVES_OCCURRING),
        (NOTIFIED, "received", False, 1, 0, False, RECEIVES_OCCURRING),
        (NOTIFIED, "received", False, 0, 0, False, INACTIVE),
        (NOTIFIED, "empty", False, 1, 0, False, INACTIVE),
        (NOTIFIED, "empty", True, 1, 0, False, RECEIVES_OCCURRING),
        (NOTIFIED, "altered", True, 0, 0, True, NOTIFIED),
        (RECEIVES_OCCURRING, "message", True, 1, 0, False, RECEIVES_OCCURRING),
        (RECEIVES_OCCURRING, "received", True, 1, 0, False, RECEIVES_OCCURRING),
        (RECEIVES_OCCURRING, "received", False, 1, 0, False, RECEIVES_OCCURRING),
        (RECEIVES_OCCURRING, "received", True, 0, 0, False, RECEIVES_OCCURRING),
        (RECEIVES_OCCURRING, "received", False, 0, 0, False, INACTIVE),
        (RECEIVES_OCCURRING, "empty", False, 1, 0, False, INACTIVE),
        (RECEIVES_OCCURRING, "task_ended", True, 1, 0, False, RECEIVES_OCCURRING),
        (RECEIVES_OCCURRING, "task_ended", True, 0, 0, True, NOTIFIED),
        (RECEIVES_OCCURRING, "task_ended", False, 0, 0, False, INACTIVE),
        (RECEIVES_OCCURRING, "tick", True, 1, 0, True, RECEIVES_OCCURRING),
        (RECEIVES_OCCURRING, "tick", True, 2, 0, False, RECEIVES_OCCURRING),
        (RECEIVES_OCCURRING, "tick", False, 1, 0, False, RECEIVES_OCCURRING),
    ],
)
def test_transitions(state, event, ready, running, waiting, launched, after):
    found = monitor(state, running)
    assert decide(found, event, 100.0, ready, waiting) is launched
    assert found.state == after
    assert found.running == running + launched


def test_five_second_rule():
    """One more reader at most every 5 seconds without an empty RECEIVE; at the limit only a counter moves."""
    found = monitor(NOTIFIED, running=1)
    decide(found, "received", 10.0, True)
    assert not decide(found, "tick", 14.9, True)
    assert decide(found, "tick", 15.0, True)
    assert not decide(found, "tick", 19.0, True)
    assert not decide(found, "tick", 20.0, True)
    assert (found.running, found.task_limit_reached) == (2, 1)
    decide(found, "empty", 22.0, True)
    assert (found.last_empty_rowset_time, found.timer) == (22.0, 22.0)


def test_tasks_that_take_nothing_are_slowed():
    """AT_ONCE tasks in a row may leave what they found; from then on one starts every 5 seconds."""
    found, launched, now = monitor(RECEIVES_OCCURRING, running=1), [0.0], 0.0
    while now < 60:
        if found.running:
            if decide(found, "received", now, True):
                raise AssertionError("a RECEIVE starts nothing")
            found.running -= 1
            event = "task_ended"
        else:
            now += 1
            event = "tick"
        if decide(found, event, now, True):
            launched.append(now)
    assert launched == [0.0] * (queue_monitor.AT_ONCE + 1) + [5.0 * n for n in range(1, 13)]
    found.running = 0
    assert found.is_slowed


def test_a_commit_that_takes_messages_ends_the_slowness(world):
    queue_monitor.watch(world.state, 5, RIGHT_QUEUE, 1, world.host.now())
    handle = world.begin()
    world.send(handle)
    world.send(handle)
    found = world.state.monitors[RIGHT_QUEUE]
    found.state, found.running, found.fruitless = RECEIVES_OCCURRING, 0, queue_monitor.AT_ONCE + 1
    assert found.is_slowed
    world.receive(top=1)
    assert not found.is_slowed


def test_a_queue_watched_anew_counts_the_tasks_that_still_run(world):
    """Activation OFF and ON while a task runs: MAX_QUEUE_READERS holds."""
    world.send(world.begin())
    events = heard(world)
    queue_monitor.watch(world.state, 5, RIGHT_QUEUE, 1, world.host.now(), running=1)
    assert events == []


def test_max_queue_readers_zero():
    assert not decide(monitor(max_readers=0), "message", 1.0, True)


@pytest.mark.parametrize(
    ("state", "before", "after", "running", "launches"),
    [
        (INACTIVE, 0, 1, 0, True),
        (INACTIVE, 0, None, 0, True),
        (INACTIVE, 0, 0, 0, False),
        (NOTIFIED, 1, 2, 0, True),
        (NOTIFIED, 1, 2, 1, False),
        (NOTIFIED, 2, 2, 0, False),
        (NOTIFIED, 2, 1, 0, False),
        (NOTIFIED, 1, None, 0, False),
        (RECEIVES_OCCURRING, 1, 2, 1, False),
    ],
)
def test_alter_queue_starts_who_is_missing(world, state, before, after, running, launches):
    """5.5: messages wait. Where nobody was started one is, if there is room now; NOTIFIED is cured by more room, not
    by an ALTER that changes nothing."""
    world.send(world.begin())
    world.state.monitors[RIGHT_QUEUE] = monitor(state, running, before)
    events = heard(world)
    queue_monitor.altered(world.state, RIGHT_QUEUE, after, world.host.now())
    assert events == [("launch", RIGHT_QUEUE)] * launches


@pytest.mark.parametrize(("running", "state"), [(2, RECEIVES_OCCURRING), (1, INACTIVE), (0, INACTIVE)])
def test_a_launch_that_did_not_come_about_is_no_reader(world, running, state):
    """Nobody was NOTIFIED: the others read on, or the next message launches."""
    world.state.monitors[RIGHT_QUEUE] = found = monitor(NOTIFIED, running)
    queue_monitor.not_started(world.state, RIGHT_QUEUE)
    assert (found.running, found.state) == (max(0, running - 1), state)


def test_notifications_have_no_limit():
    found = monitor(max_readers=None)
    assert decide(found, "message", 1.0, True)
    decide(found, "received", 2.0, True)
    assert decide(found, "tick", 7.0, True)
    assert found.running == 0


def heard(world):
    events = []
    world.state.listeners.append(lambda event, queue: events.append((event, queue)) if event != "deadline" else None)
    return events


def test_arrival_activates_after_the_commit(world):
    """6.1: activation follows the commit of the enqueuing transaction, once, until somebody receives."""
    events = heard(world)
    queue_monitor.watch(world.state, 5, RIGHT_QUEUE, 1, world.host.now())
    handle = world.begin()
    assert events == []
    world.send(handle)
    world.send(handle)
    assert events == [("launch", RIGHT_QUEUE)]
    assert world.state.monitors[RIGHT_QUEUE].state == NOTIFIED
    assert len(world.receive()) == 2
    assert world.state.monitors[RIGHT_QUEUE].state == RECEIVES_OCCURRING
    world.receive()
    assert world.state.monitors[RIGHT_QUEUE].state == INACTIVE
    queue_monitor.task_ended(world.state, RIGHT_QUEUE, world.host.now(), has_failed=False)
    world.send(handle)
    assert events == [("launch", RIGHT_QUEUE)] * 2


def test_who_waits_for_ticks_is_told_once_when_the_first_may_be_due(world):
    """5.5: the five seconds run where messages wait and receives occur, not before a reader has come."""
    told = []
    world.state.listeners.append(lambda *event: told.append(event) if event == ("deadline", RIGHT_QUEUE) else None)
    queue_monitor.watch(world.state, 5, RIGHT_QUEUE, 1, world.host.now())
    handle = world.begin()
    for _ in range(3):
        world.send(handle)
    assert (told, queue_monitor.next_tick(world.state)) == ([], NEVER)
    world.receive(top=1)
    world.receive(top=1)
    world.send(handle)
    assert told == [("deadline", RIGHT_QUEUE)]
    assert queue_monitor.next_tick(world.state) == world.host.now() + queue_monitor.THRESHOLD
    assert len(world.receive()) == 2 and world.receive() == []
    assert queue_monitor.next_tick(world.state) == NEVER


def test_watching_a_queue_with_messages_activates_at_once(world):
    """2.3: activation OFF to ON with messages waiting."""
    world.send(world.begin())
    events = heard(world)
    queue_monitor.watch(world.state, 5, RIGHT_QUEUE, 1, world.host.now())
    assert events == [("launch", RIGHT_QUEUE)]


def test_rollback_returning_messages_activates(world):
    world.send(world.begin())
    reader = world.transaction()
    receive(reader, RIGHT_QUEUE)
    events = heard(world)
    queue_monitor.watch(world.state, 5, RIGHT_QUEUE, 1, world.host.now())
    assert events == []
    reader.rollback()
    assert events == [("launch", RIGHT_QUEUE)]


def test_a_waiting_reader_takes_the_message(world):
    """5.5: no launch while a reader waits in RECEIVE."""
    events = heard(world)
    queue_monitor.watch(world.state, 5, RIGHT_QUEUE, 5, world.host.now())
    waiter = Waiter()
    world.state.queue_waiters(RIGHT_QUEUE, 5)[waiter] = None
    assert queue_monitor.tasks_waiting(world.state, RIGHT_QUEUE) == 1
    world.send(world.begin())
    assert waiter.woken
    assert events == []


def returned(transaction):
    """A RECEIVE statement that has given its messages to its session."""
    assert receive(transaction, RIGHT_QUEUE)
    transaction.returned_queues.add(RIGHT_QUEUE)


def poisoned(world, times):
    for _ in range(times):
        transaction = world.transaction()
        returned(transaction)
        transaction.rollback()


def test_a_receive_that_failed_is_no_poison(world):
    """5.6: an error inside of a RECEIVE, as of a CAST in its list, undoes the statement; it has returned nothing."""
    world.send(world.begin())
    events = heard(world)
    for _ in range(6):
        transaction = world.transaction()
        assert receive(transaction, RIGHT_QUEUE)
        transaction.rollback_to(0)
        transaction.rollback()
    assert events == []


def test_five_rollbacks_disable(world):
    """5.8: five consecutive full rollbacks; nothing is removed."""
    world.send(world.begin())
    events = heard(world)
    poisoned(world, 4)
    assert events == []
    poisoned(world, 1)
    assert events == [("disable", RIGHT_QUEUE)]


def test_a_commit_in_between_resets(world):
    handle = world.begin()
    world.send(handle)
    world.send(handle)
    events = heard(world)
    poisoned(world, 4)
    world.run(receive, RIGHT_QUEUE, 1)
    poisoned(world, 4)
    assert events == []


def test_savepoint_and_empty_rollbacks_do_not_count(world):
    world.send(world.begin())
    events = heard(world)
    transaction = world.transaction()
    mark = transaction.mark()
    for _ in range(6):
        returned(transaction)
        transaction.rollback_to(mark)
    transaction.rollback()
    world.run(receive, RIGHT_QUEUE)
    for _ in range(6):
        transaction = world.transaction()
        assert receive(transaction, RIGHT_QUEUE) == []
        transaction.rollback()
    assert events == []


def test_poison_handling_off_and_several_queues(world):
    """All queues that the transaction received from are disabled, except those with the handling off."""
    events = heard(world)
    for queue in (1001, RIGHT_QUEUE, 1003):
        world.state.queue(queue, 5)
    world.alter_queue(1003, is_poison_message_handling_enabled=False)
    index = world.state.index(world.snapshot)
    for _ in range(4):
        assert count_rollbacks(world.state, [RIGHT_QUEUE], index) == []
    assert count_rollbacks(world.state, [1001, RIGHT_QUEUE, 1003], index) == [1001, RIGHT_QUEUE]
    assert events == [("disable", 1001), ("disable", RIGHT_QUEUE)]
