"""Which conversation of a group, and which group of a queue, is next, against a look at all of them: however many there
are in a group, whichever of them came first, and whatever their messages are kept in."""

from __future__ import annotations

import gc
import random
from collections import deque
from uuid import UUID

import pytest

from sbql.catalog.records import NEVER, ConversationEndpoint, ConversationGroup, QueuedMessage
from sbql.engine.broker.ready_index import Conversation, Group, QueueStore, ReadyIndex
from sbql.engine.broker.ready_messages import (
    Messages,
    all_of,
    first_taken,
    with_all,
    with_first,
    with_last,
    without,
)
from sbql.engine.locks import LockTable

GUID = UUID(int=7)


def letter(order: int, priority: int = 5) -> QueuedMessage:
    return QueuedMessage(order, 1, 1, 1, priority, order, GUID, 0, 1, 1, 14, "DEFAULT", "N", None, b"", 0.0)


# What messages are kept in


@pytest.mark.parametrize("seed", range(8))
def test_messages_are_as_a_list_has_them(seed: int) -> None:
    chance, expected = random.Random(seed), list[QueuedMessage]()
    found: Messages = ()
    for order in range(0, 15_000, 10):
        more = [letter(order + n) for n in range(chance.choice((0, 1, 1, 2, 3)))]
        match chance.randrange(6):
            case 0:
                found, expected = with_last(found, letter(order)), [*expected, letter(order)]
            case 1:
                found, expected = with_first(found, letter(order)), [letter(order), *expected]
            case 2:
                found, expected = with_all(found, more), expected + more
            case 3:
                count = chance.randrange(len(expected) + 1)
                taken, found = first_taken(found, count)
                assert taken == expected[:count]
                expected = expected[count:]
            case 4 if expected:
                gone = found[chance.choice((-1, chance.randrange(len(expected))))]
                found, expected = without(found, gone), [m for m in expected if m != gone]
            case _:
                found = all_of(found)
        assert [*found] == expected and bool(found) == bool(expected)


def test_a_message_that_is_not_there_is_an_error_as_it_is_of_a_list() -> None:
    for messages in (all_of([letter(1)]), all_of([letter(1), letter(2)])):
        with pytest.raises(ValueError, match="not in"):
            without(messages, letter(3))


def test_one_message_is_nothing_to_the_collector() -> None:
    one = with_last((), letter(1))
    gc.collect()
    assert not gc.is_tracked(one) and isinstance(with_last(one, letter(2)), deque)


# Who is next


class Line:
    """A queue with groups, and all that the test knows of them."""

    def __init__(self, chance: random.Random) -> None:
        self.chance, self.index = chance, ReadyIndex()
        self.queue = QueueStore(self.index, 1, 1)
        self.groups = [Group(ConversationGroup(UUID(int=n), 1, 1), self.queue) for n in range(3)]
        self.conversations: list[Conversation] = []

    def come(self) -> None:
        group, guid = self.chance.choice(self.groups), UUID(int=self.chance.getrandbits(128))
        endpoint = ConversationEndpoint(
            guid, guid, False, 1, 1, 1, group.record.conversation_group_id, "CO", "//a", None, NEVER,
            priority=self.chance.choice((1, 5, 5, 10)),
        )  # fmt: skip
        made = Conversation(endpoint, group)
        group.take_in(made)
        self.conversations.append(made)

    def get(self, it: Conversation) -> None:
        it.put(letter(self.queue.next_order, it.endpoint.priority), front=False)
        self.queue.next_order += 1
        self.queue.index(it)

    def read(self, it: Conversation) -> None:
        """As RECEIVE does and, half of the time, its rollback."""
        taken, it.messages = first_taken(it.messages, self.chance.randrange(len(it.messages) + 1))
        if self.chance.random() < 0.5:
            for message in reversed(taken):
                it.put(message, front=True)
            self.queue.index(it)

    def move(self, it: Conversation) -> None:
        it.group.let_out(it)
        it.group = self.chance.choice(self.groups)
        it.group.take_in(it)
        it.entry = None
        self.queue.index(it)

    def go(self, it: Conversation) -> None:
        """With its messages, which go before it does."""
        it.messages = ()
        it.group.let_out(it)
        self.conversations.remove(it)

    def turn(self, it: Conversation) -> tuple[int, int]:
        return -it.endpoint.priority, it.first_order()

    def expected(self, group: Group | None = None) -> Conversation | None:
        ready = [c for c in self.conversations if c.messages and (group is None or c.group is group)]
        return min(ready, key=self.turn, default=None)


@pytest.mark.parametrize("most", [1, 2, 6])
@pytest.mark.parametrize("seed", range(10))
def test_next_is_who_is_first_of_all(seed: int, most: int) -> None:
    """With groups of one, of one that others join and leave, and of many."""
    chance = random.Random(seed)
    line = Line(chance)
    for _ in range(1_500):
        it = chance.choice(line.conversations) if line.conversations else None
        if it is None or (len(line.conversations) < most and chance.random() < 0.2):
            line.come()
        else:
            chance.choice((line.get, line.get, line.read, line.read, line.move, line.go))(it)
        for group in line.groups:
            found, expected = group.next_conversation(), line.expected(group)
            assert (None if found is None else (found[0], found[1], found[3])) == (
                None if expected is None else (*line.turn(expected), expected)
            )
            assert found is None or group.likely_next() is expected
        first = line.expected()
        assert line.queue.next_group(None, LockTable(), lock=False) is (None if first is None else first.group)


def test_who_is_alone_has_no_heap() -> None:
    line = Line(random.Random(1))
    line.groups = line.groups[:1]
    line.come()
    line.get(line.conversations[0])
    (group,) = line.groups
    assert not group.ready and line.conversations[0].entry is None
    line.come()
    assert group.ready and line.conversations[0].entry is group.ready[0], "there is a choice now"
