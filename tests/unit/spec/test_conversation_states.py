"""Every cell of docs/spec/conversations.md: what each statement does in each state of an endpoint, and what each
arrival does.

A fact is `statement in state: result` or `arrival in state: result`. States come about by statements, as users make
them; only SI is set by force, because nothing arrives in pieces or out of order on one instance, and so are states that
meet an arrival which the peer's own state would not allow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

import pytest
from spec import Fact, facts

from sbql.engine.broker.state import Conversation
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

INITIATOR, TARGET = "initiator", "target"

ENDS: dict[tuple[str, str], tuple[str, ...]] = {
    ("CO", INITIATOR): (),
    ("CO", TARGET): (),
    ("SI", TARGET): (),
    ("DI", INITIATOR): ("END CONVERSATION '{t}'",),
    ("DI", TARGET): ("END CONVERSATION '{h}'",),
    ("DO", INITIATOR): ("END CONVERSATION '{h}'",),
    ("DO", TARGET): ("END CONVERSATION '{t}'",),
    ("ER", INITIATOR): ("END CONVERSATION '{t}' WITH ERROR = 1 DESCRIPTION = N'x'",),
    ("ER", TARGET): ("END CONVERSATION '{h}' WITH ERROR = 1 DESCRIPTION = N'x'",),
    ("CD", TARGET): ("END CONVERSATION '{h}'", "END CONVERSATION '{t}'"),
}
"""What brings a dialog in use ({h} the initiator's handle, {t} the target's) to a state of one side."""

STATEMENTS = {
    "SEND": "SEND ON CONVERSATION '{own}' (N'x')",
    "RECEIVE": "RECEIVE * FROM {queue} WHERE conversation_handle = '{own}'",
    "END": "END CONVERSATION '{own}'",
    "END WITH ERROR": "END CONVERSATION '{own}' WITH ERROR = 2 DESCRIPTION = N'y'",
    "END WITH CLEANUP": "END CONVERSATION '{own}' WITH CLEANUP",
    "TIMER": "BEGIN CONVERSATION TIMER ('{own}') TIMEOUT = 60",
    "MOVE": "MOVE CONVERSATION '{own}' TO '{group}'",
}

ARRIVALS = {
    "message": "SEND ON CONVERSATION '{h}' (N'x')",
    "EndDialog": "END CONVERSATION '{h}'",
    "Error": "END CONVERSATION '{h}' WITH ERROR = 2 DESCRIPTION = N'y'",
}

MARKS = re.compile(r" \((derived|unverified|conflict)\)$")


@dataclass
class World:
    """One instance with the services S1 (queue Q1) and S2 (queue Q2) in one database."""

    instance: Instance
    session: Session

    def run(self, text: str) -> list[int]:
        """The error numbers of a batch."""
        return [outcome.error.number for outcome in self.session.run(text) if isinstance(outcome, ErrorOutcome)]

    def must(self, text: str) -> None:
        assert self.run(text) == []

    def value(self, text: str) -> UUID:
        (found,) = [outcome for outcome in self.session.run(text) if isinstance(outcome, ResultSet)]
        ((handle,),) = found.rows
        assert isinstance(handle, UUID)
        return handle

    def begin(self) -> UUID:
        """A new dialog from S1 to S2 with a lifetime of ten minutes; its handle."""
        begin = "BEGIN DIALOG @h FROM SERVICE S1 TO SERVICE 'S2' WITH ENCRYPTION = OFF, LIFETIME = 600"
        return self.value(f"DECLARE @h uniqueidentifier; {begin}; SELECT @h")

    def dialog(self) -> tuple[UUID, UUID]:
        """A dialog in use: the handles of initiator and target."""
        handle = self.begin()
        self.must(f"SEND ON CONVERSATION '{handle}' (N'first')")
        target = self.value(
            "SELECT t.conversation_handle FROM sys.conversation_endpoints i JOIN sys.conversation_endpoints t "
            f"ON t.conversation_id = i.conversation_id AND t.is_initiator = 0 WHERE i.conversation_handle = '{handle}'"
        )
        return handle, target

    def conversation(self, handle: UUID) -> Conversation | None:
        found = self.instance.broker.find(self.session.database_id, handle)
        return None if found is None or found.removed else found

    def state(self, handle: UUID) -> str:
        found = self.conversation(handle)
        return "removed" if found is None else found.endpoint.state

    def force(self, handle: UUID, state: str) -> Conversation:
        found = self.conversation(handle)
        assert found is not None
        found.endpoint.state = state
        return found

    def endpoint_in(self, state: str, side: str) -> UUID:
        """The handle of an endpoint of `side` that is in `state`."""
        if state == "SO":
            return self.begin()
        handle, target = self.dialog()
        for statement in ENDS[state, side]:
            self.must(statement.format(h=handle, t=target))
        own = handle if side == INITIATOR else target
        if state == "SI":
            self.must(f"RECEIVE * FROM Q2 WHERE conversation_handle = '{own}'")
            self.force(own, "SI")
        assert self.state(own) == state
        return own


@pytest.fixture
def world() -> Iterator[World]:
    instance = Instance.open(clock="virtual")
    instance.connect().run("CREATE DATABASE Cells")
    session = instance.connect("Cells")
    session.run(
        "CREATE QUEUE Q1; CREATE QUEUE Q2; CREATE SERVICE S1 ON QUEUE Q1; CREATE SERVICE S2 ON QUEUE Q2 ([DEFAULT])"
    )
    yield World(instance, session)
    instance.close()


def cell(fact: Fact) -> tuple[str, str, str]:
    found = re.match(r"(?P<event>.+) in (?P<state>[A-Z]{2}): (?P<result>.+)$", MARKS.sub("", fact.text))
    assert found is not None, f"{fact.id} is not of the shape `event in state: result`: {fact.text}"
    return found["event"], found["state"], found["result"]


def sides(state: str) -> list[str]:
    """The sides that can be in a state."""
    return [INITIATOR] if state == "SO" else [side for found, side in ENDS if found == state]


@pytest.mark.parametrize("fact", facts("STATE"), ids=str)
def test_the_state_has_its_name_and_sides(fact: Fact, world: World) -> None:
    code, name, side = fact.text.split()
    assert sides(code) == {"both": [INITIATOR, TARGET]}.get(side, [side])
    for who in sides(code):
        handle = world.endpoint_in(code, who)
        if code == "SI":  # the view shows what is stored
            world.must(f"BEGIN CONVERSATION TIMER ('{handle}') TIMEOUT = 60")
        shown = world.session.run(
            f"SELECT state, state_desc, is_initiator FROM sys.conversation_endpoints WHERE conversation_handle = '{handle}'"
        )
        assert [o.rows for o in shown if isinstance(o, ResultSet)] == [[(code, name, int(who == INITIATOR))]]


@pytest.mark.parametrize("fact", facts("CELL"), ids=str)
def test_statement_in_state(fact: Fact, world: World) -> None:
    statement, state, result = cell(fact)
    for side in sides(state):
        own = world.endpoint_in(state, side)
        other = world.conversation(world.dialog()[0 if side == INITIATOR else 1])
        assert other is not None
        group = other.group.record.conversation_group_id
        queue = "Q1" if side == INITIATOR else "Q2"
        errors = world.run(STATEMENTS[statement].format(own=own, group=group, queue=queue))
        after = world.state(own)
        if result.isdigit():
            assert (errors, after) == ([int(result)], state)
            continue
        by_side = {"stays": state, "CD on a target, removed on an initiator": "CD" if side == TARGET else "removed"}
        assert (errors, after) == ([], by_side.get(result, result))
        if statement == "MOVE":
            moved = world.conversation(own)
            assert moved is not None
            assert moved.endpoint.conversation_group_id == group


@pytest.mark.parametrize("fact", facts("ARRIVAL"), ids=str)
def test_arrival_in_state(fact: Fact, world: World) -> None:
    arrival, state, result = cell(fact)
    if arrival == "lifetime":
        for side in sides(state):
            own = world.endpoint_in(state, side)
            world.instance.driver.advance(601)
            closed = "CD" if side == TARGET else "removed"
            assert world.state(own) == {"stays": state, "closed": closed}.get(result, result)
        return
    handle, target = world.dialog()
    conversation = world.force(target, state)
    before = len(conversation.in_memory())
    world.must(ARRIVALS[arrival].format(h=handle))
    arrived = len(conversation.in_memory()) - before
    assert world.state(target) == {"dropped": state, "stays, received": state}.get(result, result)
    assert arrived == (0 if result in ("dropped", "CD") else 1)


def test_the_tables_are_complete() -> None:
    """Every statement has a cell for every state; every arrival for every state in which it can come."""
    states = [fact.text.split()[0] for fact in facts("STATE")]
    assert sorted(cell(fact)[:2] for fact in facts("CELL")) == sorted(
        (s, state) for s in STATEMENTS for state in states
    )
    arrivals = {(arrival, state) for arrival in ARRIVALS for state in states if state != "SO"}
    assert {cell(fact)[:2] for fact in facts("ARRIVAL")} == arrivals | {
        ("lifetime", state) for state in states if state != "CD"
    }
