"""RECEIVE and GET CONVERSATION GROUP."""

from __future__ import annotations

from uuid import UUID

import pytest
from held_groups import held_groups

from sbql.catalog.records import BrokerPriority, DeleteMessage, QueuedMessage
from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.conversation_timer import begin_conversation_timer
from sbql.engine.broker.deadlines import run_due
from sbql.engine.broker.end_conversation import end_conversation
from sbql.engine.broker.get_conversation_group import get_conversation_group
from sbql.engine.broker.holdings import MustWait
from sbql.engine.broker.receive import receive
from sbql.engine.broker.send import send
from sbql.engine.work import Waiter
from sbql.grammar.errors import SqlError

CONTRACT, LEFT, RIGHT, BOTH = "//contract", "//left", "//right", "//both"
LEFT_QUEUE, RIGHT_QUEUE = 1001, 1002


def is_any_free(world):
    """Whether some group of the queue has a ready message and no lock."""
    return world.state.queues[RIGHT_QUEUE].is_any_free(world.state.locks)


def bodies(found):
    return [m.message_body for m, _, _ in found]


def filled(world, conversations=3, messages=2):
    """Handles of dialogs, each with messages b'00', b'01', … waiting at the right side."""
    handles = [world.begin() for _ in range(conversations)]
    for number in range(messages):
        for place, handle in enumerate(handles):
            world.send(handle, BOTH, b"%d%d" % (place, number))
    return handles


def test_one_group_all_its_messages(world):
    """4.3: one RECEIVE returns messages of one group, all that is ready without TOP."""
    filled(world)
    assert bodies(world.run(receive, RIGHT_QUEUE)) == [b"00", b"01"]
    assert bodies(world.run(receive, RIGHT_QUEUE, 1)) == [b"10"]
    assert bodies(world.run(receive, RIGHT_QUEUE, 5)) == [b"20", b"21"]
    assert bodies(world.run(receive, RIGHT_QUEUE, 5)) == [b"11"]
    assert bodies(world.run(receive, RIGHT_QUEUE, 5)) == []


def test_the_group_with_the_oldest_message_comes_first_whatever_came_to_it_later(world):
    first, theirs = world.dialog()
    _, related = world.dialog(related_conversation=first)
    _, other = world.dialog()
    for handle, body in ((theirs, b"1"), (other, b"2"), (related, b"3")):
        world.send(handle, BOTH, body)
    assert [world.receive(LEFT_QUEUE) for _ in range(2)] == [[("both", b"1"), ("both", b"3")], [("both", b"2")]]


def test_an_error_does_not_put_back_the_group_with_the_oldest_message(world):
    """What is urgent is read first of its conversation; the group's turn is that of the oldest message,
    the very first of the queue too."""
    first, second = world.begin(), world.begin()
    world.send(first, BOTH, b"1")
    world.send(second, BOTH, b"2")
    world.fail(first)
    received = [[kind for kind, _ in world.receive()] for _ in range(2)]
    assert received == [["Error", "both"], ["both"]]


def test_top_zero_is_empty(world):
    filled(world, 1, 1)
    assert world.run(receive, RIGHT_QUEUE, 0) == []
    assert is_any_free(world)


def test_locked_groups_are_skipped_and_own_ones_are_not(world):
    """4.2: RECEIVE skips groups locked by others; a group of one's own counts as available."""
    filled(world, 2, 2)
    first, second, third = world.transaction(), world.transaction(), world.transaction()
    assert bodies(receive(first, RIGHT_QUEUE, 1)) == [b"00"]
    assert bodies(receive(second, RIGHT_QUEUE, 1)) == [b"10"]
    assert receive(third, RIGHT_QUEUE) == []
    assert not is_any_free(world)
    assert bodies(receive(first, RIGHT_QUEUE)) == [b"01"]
    world.commit(first)
    assert not is_any_free(world)
    second.rollback()
    assert bodies(receive(third, RIGHT_QUEUE)) == [b"10", b"11"]


def test_arrivals_are_seen_by_the_reader_that_holds_the_group(world):
    """4.2: enqueueing goes on while a reader holds the group, and its later RECEIVE sees it."""
    [handle] = filled(world, 1, 1)
    reader = world.transaction()
    assert bodies(receive(reader, RIGHT_QUEUE)) == [b"00"]
    world.send(handle, BOTH, b"later")
    assert bodies(receive(reader, RIGHT_QUEUE)) == [b"later"]
    reader.rollback()
    assert bodies(world.run(receive, RIGHT_QUEUE)) == [b"00", b"later"]


def test_where_waits_for_the_lock(world):
    [handle] = filled(world, 1, 1)
    target = world.peer(handle)
    group = world.endpoint(target).conversation_group_id
    holder = world.transaction()
    assert get_conversation_group(holder, RIGHT_QUEUE) == group
    for where in ({"conversation_handle": target}, {"conversation_group_id": group}):
        waiting = world.transaction()
        with pytest.raises(MustWait) as raised:
            receive(waiting, RIGHT_QUEUE, **where)
        assert raised.value.resource == ("group", 5, group.int)
        assert waiting.is_empty
    world.commit(holder)
    assert bodies(world.run(receive, RIGHT_QUEUE, conversation_group_id=group)) == [b"00"]


def test_where_handle_takes_only_that_conversation(world):
    first = world.begin()
    second = world.begin(related_conversation=first)
    for handle in (first, second):
        world.send(handle)
    for handle in (first, second):
        world.send(world.peer(handle), BOTH, b"to " + str(handle).encode())
    found = bodies(world.run(receive, LEFT_QUEUE, conversation_handle=second))
    assert found == [b"to " + str(second).encode()]
    assert bodies(world.run(receive, LEFT_QUEUE)) == [b"to " + str(first).encode()]


def test_refusals(world):
    """9617 disabled queue; 8426 and 8436 unknown or of another queue."""
    mine, theirs = world.dialog()
    cases = [
        (8426, {"conversation_handle": UUID(int=1)}),
        (8426, {"conversation_handle": mine}),
        (8436, {"conversation_group_id": UUID(int=1)}),
        (8436, {"conversation_group_id": world.endpoint(mine).conversation_group_id}),
    ]
    for number, where in cases:
        with pytest.raises(SqlError) as raised:
            world.run(receive, RIGHT_QUEUE, **where)
        assert raised.value.number == number
    world.alter_queue(RIGHT_QUEUE, is_enabled=False)
    with pytest.raises(SqlError) as raised:
        world.run(receive, RIGHT_QUEUE)
    assert raised.value.number == 9617
    del theirs


def test_higher_priority_first(world):
    """4.4: the group whose conversations with messages have the highest priority."""
    low = world.begin()
    world.send(low, BOTH, b"low")
    world.put(BrokerPriority(id=900, database_id=5, name="p", remote_service_name=LEFT, priority=9))
    high = world.begin()
    world.send(high, BOTH, b"high")
    world.send(low, BOTH, b"low 2")
    assert bodies(world.run(receive, RIGHT_QUEUE)) == [b"high"]
    assert bodies(world.run(receive, RIGHT_QUEUE)) == [b"low", b"low 2"]


def test_timer_then_error_then_the_rest(world):
    """13.2 trap 1: DialogTimer is delivered first, then Error, then messages in sequence."""
    mine, theirs = world.dialog()
    world.send(theirs, BOTH, b"1")
    world.send(theirs, BOTH, b"2")
    world.fail(theirs)
    world.conversation(mine).endpoint.state = "CO"
    world.run(begin_conversation_timer, 5, mine, 10)
    world.host.advance_to(world.host.now() + 10)
    world.run(run_due)
    assert [kind for kind, _ in world.receive(LEFT_QUEUE)] == ["DialogTimer", "Error", "both", "both"]


def test_rollback_puts_everything_back_in_order(world):
    """6.2: received messages reappear with their old queuing order."""
    filled(world, 1, 3)
    filled(world, 1, 3)
    transaction = world.transaction()
    before = bodies(receive(transaction, RIGHT_QUEUE, 2))
    mark = transaction.mark()
    assert bodies(receive(transaction, RIGHT_QUEUE)) == [b"02"]
    transaction.rollback_to(mark)
    assert bodies(receive(transaction, RIGHT_QUEUE)) == [b"02"]
    transaction.rollback()
    assert before == [b"00", b"01"]
    assert bodies(world.run(receive, RIGHT_QUEUE)) == [b"00", b"01", b"02"]
    assert bodies(world.run(receive, RIGHT_QUEUE)) == [b"00", b"01", b"02"]


def test_get_conversation_group_consumes_nothing(world):
    [handle] = filled(world, 1, 1)
    transaction = world.transaction()
    group = get_conversation_group(transaction, RIGHT_QUEUE)
    assert group == world.endpoint(world.peer(handle)).conversation_group_id
    assert held_groups(transaction) == {(5, group)}
    assert bodies(receive(transaction, RIGHT_QUEUE, conversation_group_id=group)) == [b"00"]
    world.commit(transaction)
    assert world.run(get_conversation_group, RIGHT_QUEUE) is None


def test_records_of_a_commit(world):
    """A received message is a DeleteMessage; one sent and received in the same transaction leaves no trace."""
    [handle] = filled(world, 1, 1)
    key = world.conversation(world.peer(handle)).messages[0].message_key
    transaction = world.transaction()
    receive(transaction, RIGHT_QUEUE)
    assert [(type(c).__name__, c.message_key) for c in world.commit(transaction)] == [("DeleteMessage", key)]
    transaction = world.transaction()
    send(transaction, 5, handle, BOTH, b"x")
    assert bodies(receive(transaction, RIGHT_QUEUE)) == [b"x"]
    assert {type(c).__name__ for c in world.commit(transaction)} == {"ConversationEndpoint"}


def test_what_is_sent_and_ended_unread_in_one_transaction_leaves_no_trace(world):
    """END CONVERSATION deletes what is in its queue, also what the store has not seen yet."""
    mine, theirs = world.dialog()
    transaction = world.transaction()
    send(transaction, 5, mine, BOTH, b"never read")
    end_conversation(transaction, 5, theirs)
    stored = [c for c in world.commit(transaction) if isinstance(c, QueuedMessage | DeleteMessage)]
    assert [(c.conversation_handle, c.message_body) for c in stored] == [(mine, None)], "the EndDialog"


def test_retention_keeps_rows_with_status_0(world):
    world.alter_queue(RIGHT_QUEUE, is_retention_enabled=True)
    filled(world, 1, 1)
    transaction = world.transaction()
    [(message, _, _)] = receive(transaction, RIGHT_QUEUE)
    assert message.status == 0
    transaction.rollback()
    assert message.status == 1
    world.run(receive, RIGHT_QUEUE)
    assert message.status == 0
    assert world.run(receive, RIGHT_QUEUE) == []


def test_waiters_are_woken(world):
    """2.16: the wait ends on an arrival and when a locked group becomes free."""
    waiters = [Waiter(), Waiter()]
    for waiter in waiters:
        world.state.queue_waiters(RIGHT_QUEUE, 5)[waiter] = None
    handle = world.begin()
    world.send(handle)
    assert [w.woken for w in waiters] == [True, False]
    world.state.stop_waiting(RIGHT_QUEUE, waiters[0])
    assert waiters[1].woken, "the first went without receiving: the hint is passed on"
    holder = world.transaction()
    receive(holder, RIGHT_QUEUE)
    late = Waiter()
    world.state.queue_waiters(RIGHT_QUEUE, 5)[late] = None
    holder.rollback()
    assert late.woken


@pytest.mark.parametrize("messages", [1, 2, 3])
def test_as_many_are_woken_as_conversations_become_ready(world, messages):
    handles = [world.begin() for _ in range(messages)]
    waiters = [Waiter() for _ in range(4)]
    for waiter in waiters:
        world.state.queue_waiters(RIGHT_QUEUE, 5)[waiter] = None
    transaction = world.transaction()
    for handle in handles:
        send(transaction, 5, handle, BOTH, b"x")
    world.commit(transaction)
    assert [w.woken for w in waiters] == [place < messages for place in range(4)]


def test_lock_of_a_rolled_back_reader_frees_the_group(world):
    filled(world, 1, 1)
    holder = world.transaction()
    receive(holder, RIGHT_QUEUE)
    other = world.transaction()
    assert receive(other, RIGHT_QUEUE) == []
    holder.rollback()
    assert bodies(receive(other, RIGHT_QUEUE)) == [b"00"]


def test_end_of_a_locked_conversation_waits(world):
    [handle] = filled(world, 1, 1)
    holder = world.transaction()
    receive(holder, RIGHT_QUEUE)
    with pytest.raises(MustWait):
        world.run(end_conversation, 5, world.peer(handle))


def test_many_groups_in_one_transaction(world):
    """A transaction that began many dialogs holds their groups; others find the rest without them."""
    transaction = world.transaction()
    for _ in range(50):
        handle = begin_dialog(transaction, 5, RIGHT, LEFT, contract=CONTRACT)
        begin_conversation_timer(transaction, 5, handle, 60)
    filled(world, 2, 1)
    assert bodies(world.run(receive, RIGHT_QUEUE)) == [b"00"]
    world.commit(transaction)
    assert bodies(world.run(receive, RIGHT_QUEUE)) == [b"10"]
