"""Every cell of state × event: what each statement and each arrival does in each state."""

from __future__ import annotations

from typing import Any

import pytest

from sbql.engine.broker.acceptance import give_error
from sbql.engine.broker.conversation_state import CLOSED, DISCARD, REMOVED, STATES, TABLE, Event, outcome, step
from sbql.engine.broker.conversation_timer import begin_conversation_timer
from sbql.engine.broker.end_conversation import (
    end_conversation,
    end_conversation_with_cleanup,
    end_conversation_with_error,
)
from sbql.engine.broker.move_conversation import move_conversation
from sbql.engine.broker.receive import receive
from sbql.engine.broker.send import send
from sbql.grammar.errors import SqlError

CONTRACT, LEFT, LEFT_QUEUE, BOTH = "//contract", "//left", 1001, "//both"

STATEMENTS: dict[str, Any] = {
    "SEND": lambda t, h: send(t, 5, h, BOTH, b"x"),
    "RECEIVE": lambda t, h: receive(t, LEFT_QUEUE, conversation_handle=h),
    "END": lambda t, h: end_conversation(t, 5, h),
    "END_WITH_ERROR": lambda t, h: end_conversation_with_error(t, 5, h, 1, "x"),
    "END_WITH_CLEANUP": lambda t, h: end_conversation_with_cleanup(t, 5, h),
    "TIMER": lambda t, h: begin_conversation_timer(t, 5, h, 60),
    "MOVE": lambda t, h: move_conversation(t, 5, h, t.state.endpoint(5, h).conversation_group_id),
}


def test_the_table_has_every_cell():
    assert set(TABLE) == {(state, event.value) for state in STATES for event in Event}
    for cell in TABLE.values():
        assert isinstance(cell, int) or cell in (*STATES, CLOSED, DISCARD, REMOVED)


@pytest.mark.parametrize("is_initiator", [True, False])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("statement", STATEMENTS)
def test_statement_in_state(world, statement, state, is_initiator):
    """Each statement on an endpoint put into each state does what its cell says, or raises its number and changes
    nothing."""
    handle = world.begin()
    conversation = world.conversation(handle)
    conversation.endpoint.state = state
    conversation.endpoint.is_initiator = is_initiator
    conversation.endpoint.security_timestamp = 1.0
    transaction = world.transaction()
    cell = outcome(state, statement)
    if isinstance(cell, int):
        with pytest.raises(SqlError) as raised:
            STATEMENTS[statement](transaction, handle)
        assert raised.value.number == cell
        assert conversation.endpoint.state == state
        assert not conversation.removed
        return
    STATEMENTS[statement](transaction, handle)
    if cell == REMOVED or (cell == CLOSED and is_initiator):
        assert conversation.removed
    else:
        assert conversation.endpoint.state == ("CD" if cell == CLOSED else cell)
    transaction.rollback()
    assert conversation.endpoint.state == state
    assert not conversation.removed


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("event", ["MESSAGE", "PEER_END", "PEER_ERROR"])
def test_arrival_in_state(world, event, state):
    """Each kind of arrival at a target in each state: the next state, and a message in the queue unless discarded."""
    mine, theirs = world.dialog()
    target = world.conversation(theirs)
    target.endpoint.state = state
    {"MESSAGE": world.send, "PEER_END": world.end, "PEER_ERROR": world.fail}[event](mine)
    cell = outcome(state, event)
    expected = {DISCARD: state, CLOSED: "CD"}.get(cell, cell)
    assert world.state_of(theirs) == expected
    arrived = 1 if cell not in (DISCARD, CLOSED) else 0
    assert len(target.in_memory()) == arrived


@pytest.mark.parametrize("is_initiator", [True, False])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("event", [Event.PEER_ERROR, Event.LIFETIME, Event.LOCAL_ERROR])
def test_error_of_the_broker_in_state(world, event, state, is_initiator):
    """Each reason for an error of the broker on each side in each state: one Error message, the end, or nothing."""
    conversation = world.conversation(world.dialog()[0 if is_initiator else 1])
    conversation.endpoint.state = state
    transaction = world.transaction()
    transaction.lock(conversation.group)
    give_error(transaction, conversation, 8489, event=event)
    cell = outcome(state, event)
    assert conversation.removed == (cell == REMOVED or (cell == CLOSED and is_initiator))
    if not conversation.removed:
        assert conversation.endpoint.state == {DISCARD: state, CLOSED: "CD"}.get(cell, cell)
    errors = [world.error(message.message_body)[0] for message in conversation.in_memory()]
    assert errors == ([-8489] if cell == "ER" else [])


def test_closed_depends_on_the_side():
    assert step("DI", Event.END, True, None) == REMOVED
    assert step("DI", Event.END, False, None) == "CD"


def test_refusals_name_the_state(world):
    """8429 tells the state the endpoint is in."""
    mine, theirs = world.dialog()
    world.end(mine)
    with pytest.raises(SqlError, match="DI") as raised:
        world.send(theirs)
    assert raised.value.number == 8429
