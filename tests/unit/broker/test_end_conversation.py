"""END CONVERSATION, MOVE and BEGIN CONVERSATION TIMER."""

from __future__ import annotations

from uuid import UUID

import pytest

from sbql.engine.broker.begin_dialog import begin_dialog
from sbql.engine.broker.conversation_timer import begin_conversation_timer
from sbql.engine.broker.deadlines import next_deadline, run_due
from sbql.engine.broker.end_conversation import (
    end_conversation,
    end_conversation_with_cleanup,
    end_conversation_with_error,
)
from sbql.engine.broker.move_conversation import move_conversation
from sbql.engine.broker.permissions import Rights
from sbql.engine.broker.receive import receive
from sbql.engine.broker.send import send
from sbql.grammar.errors import SqlError

CONTRACT, LEFT, RIGHT, BOTH = "//contract", "//left", "//right", "//both"
LEFT_QUEUE, RIGHT_QUEUE = 1001, 1002


def number_of(call, *arguments, **options):
    with pytest.raises(SqlError) as raised:
        call(*arguments, **options)
    return raised.value.number


@pytest.mark.parametrize("initiator_first", [True, False])
def test_both_sides_end(world, initiator_first):
    """3.3: after both ENDs the initiator's row is gone, the target's stays CD for the security period."""
    mine, theirs = world.dialog()
    first, second = (mine, theirs) if initiator_first else (theirs, mine)
    world.end(first)
    assert (world.state_of(first), world.state_of(second)) == ("DO", "DI")
    queue = RIGHT_QUEUE if initiator_first else LEFT_QUEUE
    assert world.receive(queue) == [("EndDialog", None)]
    world.end(second)
    assert (world.state_of(mine), world.state_of(theirs)) == (None, "CD")
    assert world.count_of_groups() == 1
    assert next_deadline(world.state) == world.host.now() + 1800
    world.host.advance_to(world.host.now() + 1800)
    world.run(run_due)
    assert not world.state.endpoints
    assert not world.state.groups
    assert next_deadline(world.state) is None


def test_end_drops_unread_messages(world):
    mine, theirs = world.dialog()
    world.send(theirs)
    world.end(mine)
    assert world.receive(LEFT_QUEUE) == []
    assert len(world.conversation(mine).in_memory()) == 0


def test_end_before_anything_was_sent(world):
    """3.2: END in SO tells nobody; the endpoint goes away."""
    handle = world.begin()
    world.end(handle)
    assert not world.state.endpoints
    assert not world.state.groups


def test_fire_and_forget(world):
    transaction = world.transaction()
    handle = begin_dialog(transaction, 5, LEFT, RIGHT, contract=CONTRACT)
    send(transaction, 5, handle, BOTH, b"1")
    end_conversation(transaction, 5, handle)
    world.commit(transaction)
    assert world.receive() == [("both", b"1"), ("EndDialog", None)]
    world.end(world.peer(handle))
    assert world.state_of(handle) is None


def test_end_with_error(world):
    """3.6: Code and Description in the Error document's namespace."""
    mine, theirs = world.dialog()
    world.fail(mine, 42, "a < b & c")
    assert world.state_of(theirs) == "ER"
    [(kind, body)] = world.receive()
    assert (kind, world.error(body)) == ("Error", (42, "a < b & c"))
    assert body[:2] == b"\xff\xfe"
    world.end(theirs)
    assert (world.state_of(mine), world.state_of(theirs)) == (None, "CD")


@pytest.mark.parametrize(("code", "text", "number"), [(None, None, 8424), (None, "x", 8419), (1, None, 8422)])
def test_null_arguments(world, code, text, number):
    handle = world.begin()
    assert number_of(world.run, end_conversation_with_error, 5, handle, code, text) == number


def test_handles_after_the_end(world):
    mine, theirs = world.dialog()
    world.end(mine)
    assert number_of(world.end, mine) == 8427
    assert number_of(world.end, UUID(int=3)) == 8426
    world.end(theirs)
    assert number_of(world.end, mine) == 8426


def test_error_to_a_side_that_has_ended_is_swallowed(world):
    """3.3: DO and the peer's Error: the application never learns of it."""
    handle = world.begin("//far")
    world.send(handle)
    assert len(world.waiting()) == 1
    mine, theirs = world.dialog()
    left, right = world.transaction(), world.transaction()
    end_conversation(left, 5, mine)
    end_conversation_with_error(right, 5, theirs, 5, "late")
    world.commit(left)
    world.commit(right)
    world.run(run_due)
    assert world.receive(LEFT_QUEUE) == []
    assert (world.state_of(mine), world.state_of(theirs)) == (None, "CD")


def test_both_end_at_the_same_time(world):
    mine, theirs = world.dialog()
    left, right = world.transaction(), world.transaction()
    end_conversation(left, 5, mine)
    end_conversation(right, 5, theirs)
    world.commit(left)
    world.commit(right)
    world.run(run_due)
    assert (world.state_of(mine), world.state_of(theirs)) == (None, "CD")
    assert world.waiting() == []


def test_arrival_waits_for_an_uncommitted_end(world):
    """Nothing is lost: when the END is rolled back the message is delivered after all."""
    mine, theirs = world.dialog()
    other = world.transaction()
    end_conversation(other, 5, theirs)
    world.send(mine, BOTH, b"kept")
    assert len(world.waiting()) == 1
    other.rollback()
    world.run(run_due)
    assert world.waiting() == []
    assert world.receive() == [("both", b"kept")]


def test_cleanup_tells_nobody(world):
    mine, theirs = world.dialog()
    world.send(mine)
    world.run(end_conversation_with_cleanup, 5, theirs)
    assert world.state_of(theirs) is None
    assert world.receive() == []
    assert world.state_of(mine) == "CO"
    world.send(mine)
    assert world.error(world.receive(LEFT_QUEUE)[0][1])[0] == -8462


def test_cleanup_of_a_closed_conversation_needs_rights(world):
    mine, theirs = world.dialog()
    world.end(mine)
    world.end(theirs)
    transaction = world.transaction(rights=Rights(is_privileged=lambda: False))
    assert number_of(end_conversation_with_cleanup, transaction, 5, theirs) == 28006
    transaction.rollback()
    world.run(end_conversation_with_cleanup, 5, theirs)
    assert not world.state.endpoints


def test_rolled_back_end_comes_back(world):
    mine, theirs = world.dialog()
    world.send(theirs, BOTH, b"unread")
    transaction = world.transaction()
    end_conversation(transaction, 5, mine)
    transaction.rollback()
    assert (world.state_of(mine), world.state_of(theirs)) == ("CO", "CO")
    assert world.receive(LEFT_QUEUE) == [("both", b"unread")]


def test_move_takes_messages_along(world):
    """2.18: the endpoint and its queued messages go to the other group; an emptied group disappears."""
    a, b = world.begin(), world.begin()
    world.send(a)
    world.send(world.peer(a), BOTH, b"m")
    group = world.endpoint(b).conversation_group_id
    transaction = world.transaction()
    move_conversation(transaction, 5, a, group)
    transaction.rollback()
    assert world.count_of_groups() == 3
    world.run(move_conversation, 5, a, group)
    assert world.count_of_groups() == 2
    found = world.run(receive, LEFT_QUEUE)
    assert [(g.conversation_group_id, e.conversation_handle) for _, e, g in found] == [(group, a)]


def test_move_refusals(world):
    mine, theirs = world.dialog()
    assert number_of(world.run, move_conversation, 5, UUID(int=1), UUID(int=2)) == 8426
    assert number_of(world.run, move_conversation, 5, mine, UUID(int=2)) == 8436
    other = world.endpoint(theirs).conversation_group_id
    assert number_of(world.run, move_conversation, 5, mine, other) == 8439
    world.end(mine)
    assert number_of(world.run, move_conversation, 5, mine, other) == 8438


def test_timer(world):
    """2.13: a DialogTimer in the own queue after so many seconds; setting it again resets it."""
    mine, _ = world.dialog()
    world.run(begin_conversation_timer, 5, mine, 10)
    world.run(begin_conversation_timer, 5, mine, 20)
    assert next_deadline(world.state) == world.host.now() + 20
    world.host.advance_to(world.host.now() + 10)
    assert world.run(run_due) == 0
    world.host.advance_to(world.host.now() + 10)
    assert world.run(run_due) == 1
    assert world.receive(LEFT_QUEUE) == [("DialogTimer", None)]
    assert world.endpoint(mine).dialog_timer == 0.0


def test_timer_refusals_and_rollback(world):
    mine = world.begin(lifetime=60)
    assert number_of(world.run, begin_conversation_timer, 5, mine, 61) == 8410
    transaction = world.transaction()
    begin_conversation_timer(transaction, 5, mine, 5)
    transaction.rollback()
    assert next_deadline(world.state) == world.host.now() + 60


def test_timer_waits_for_the_lock_of_its_group(world):
    mine, _ = world.dialog()
    world.run(begin_conversation_timer, 5, mine, 1)
    holder = world.transaction()
    send(holder, 5, mine, BOTH, b"x")
    world.host.advance_to(world.host.now() + 1)
    world.run(run_due)
    assert world.endpoint(mine).dialog_timer
    world.commit(holder)
    world.run(run_due)
    assert world.receive(LEFT_QUEUE) == [("DialogTimer", None)]


def test_lifetime(world):
    """3.7: each side on its own goes to ER with Error -8489; the row stays until END."""
    mine, theirs = world.dialog(lifetime=100)
    world.send(mine, BOTH, b"unread")
    world.host.advance_to(world.host.now() + 100)
    world.run(run_due)
    assert (world.state_of(mine), world.state_of(theirs)) == ("ER", "ER")
    found = world.receive()
    assert [kind for kind, _ in found] == ["Error", "both"]
    assert world.error(found[0][1])[0] == -8489
    assert number_of(world.send, mine) == 8429
    world.end(mine)
    world.end(theirs)
    assert (world.state_of(mine), world.state_of(theirs)) == (None, "CD")
