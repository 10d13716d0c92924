"""Conversations with messages that nobody has received rest as well, as long as these are only in the store: whoever
receives, in which order, and what a statement finds, must not tell.

Random programs run twice, with everything in memory and with everything at rest as often as may be, and
are compared statement by statement.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from dialog_shop import BEGIN, Shop

from sbql.catalog import stored_messages
from sbql.engine.broker import resting
from sbql.engine.outcomes import ErrorOutcome

SETUP = """
CREATE SERVICE urgent ON QUEUE left_queue;
CREATE BROKER PRIORITY high FOR CONVERSATION SET (CONTRACT_NAME = talk, LOCAL_SERVICE_NAME = righty, REMOTE_SERVICE_NAME = 'urgent', PRIORITY_LEVEL = 9);
CREATE TABLE seen (n int)
"""
RECEIVED = "conversation_handle, CAST(message_body AS varchar(20)), message_sequence_number, queuing_order, priority, message_type_name"


class Program:
    """A run of one: `rests` says whether everything goes out of memory in between. GUIDs
    stand as numbers in what it gives."""

    def __init__(self, path: Path, seed: int, *, rests: bool, chance: float) -> None:
        self.random, self.rests, self.chance = random.Random(seed), rests, chance
        self.away = random.Random(seed + 1)
        self.shop = Shop(path, dialogs=4)
        self.shop.run(SETUP)
        for _ in range(3):
            self.shop.mine.append(self.shop.value(BEGIN.format("").replace("lefty", "urgent")))
        self.names: dict[UUID, int] = {}
        for handle in self.shop.mine:
            self.named(self.shop.value(f"SELECT conversation_id FROM sys.conversation_endpoints WHERE conversation_handle = '{handle}'"))  # fmt: skip
        self.bodies = 0
        self.most_waiting = 0

    def run(self, steps: int) -> Iterator[Any]:
        """What each step gives."""
        ways = (
            *[self.send] * 8, *[self.receive] * 4, self.receive_one, self.receive_group, self.get_group, self.undone, self.begin, self.end, self.move, self.count,
            self.switch, self.timer, self.reopen, self.move_service,
        )  # fmt: skip
        for _ in range(steps):
            way = self.random.choice(ways)
            yield way.__name__, self.named(way())
            if self.away.random() < self.chance and self.rests:
                self.rest()
        yield self.named(self.sides("state, conversation_group_id, service_id, priority"))
        for queue in ("left_queue", "right_queue", "other_queue"):
            yield self.named(self.rows(f"ALTER QUEUE {queue} WITH STATUS = ON; SELECT {RECEIVED} FROM {queue} ORDER BY queuing_order, message_sequence_number, message_type_name"))  # fmt: skip
            while found := self.rows(f"RECEIVE TOP (3) {RECEIVED} FROM {queue}"):
                yield self.named(found)

    def named(self, found: Any) -> Any:
        if isinstance(found, list | tuple):
            return [self.named(each) for each in found]
        return self.names.setdefault(found, len(self.names)) if isinstance(found, UUID) else found

    def sides(self, columns: str) -> list[tuple[Any, ...]]:
        """Both of each dialog, in the order in which the dialogs came to be known."""
        rows = self.shop.rows(f"SELECT conversation_id, is_initiator, conversation_handle, {columns} FROM sys.conversation_endpoints")  # fmt: skip
        return sorted(rows, key=lambda row: (self.named(row[0]), row[1]))

    def rest(self) -> None:
        state = self.shop.instance.broker
        state.paging.most_messages = state.paging.most_conversations = state.resting.most = 0
        self.shop.instance.store.fold_and_release()
        self.most_waiting = max(self.most_waiting, sum(bool(row.numbers) for row in state.resting.rows()))

    def rows(self, text: str) -> list[Any]:
        outcomes = self.shop.session.run(text)
        errors = [o.error.number for o in outcomes if isinstance(o, ErrorOutcome)]
        return [*errors, *(tuple(row) for o in outcomes if hasattr(o, "rows") for row in o.rows)]

    def handle(self) -> UUID:
        """One side of a dialog."""
        found = self.sides("state")
        return UUID(str(self.random.choice(found)[2])) if found else UUID(int=1)

    def queue(self) -> str:
        return self.random.choice(("left_queue", "right_queue", "right_queue", "other_queue"))

    def send(self) -> Any:
        self.bodies += 1
        return self.rows(f"SEND ON CONVERSATION '{self.handle()}' ('{self.bodies}')")

    def receive(self) -> Any:
        return self.rows(f"RECEIVE TOP ({self.random.randint(1, 4)}) {RECEIVED} FROM {self.queue()}")

    def receive_one(self) -> Any:
        return self.rows(f"RECEIVE TOP (2) {RECEIVED} FROM {self.queue()} WHERE conversation_handle = '{self.handle()}'")  # fmt: skip

    def receive_group(self) -> Any:
        return self.rows(f"DECLARE @g uniqueidentifier = ({self.group()}); RECEIVE {RECEIVED} FROM {self.queue()} WHERE conversation_group_id = @g")  # fmt: skip

    def group(self) -> str:
        return f"SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = '{self.handle()}'"  # fmt: skip

    def get_group(self) -> Any:
        return self.rows(f"DECLARE @g uniqueidentifier; GET CONVERSATION GROUP @g FROM {self.queue()}; SELECT @g")

    def undone(self) -> Any:
        text = f"BEGIN TRANSACTION; RECEIVE TOP (2) {RECEIVED} FROM {self.queue()}; SEND ON CONVERSATION '{self.handle()}' ('x')"  # fmt: skip
        found = self.rows(text)
        if self.rests:
            self.rest()
        return found + self.rows("IF @@TRANCOUNT > 0 ROLLBACK")

    def begin(self) -> Any:
        service = self.random.choice(("lefty", "urgent"))
        related = self.random.choice(("", f", RELATED_CONVERSATION = '{self.handle()}'"))
        self.bodies += 1
        text = BEGIN.format(related).replace("lefty", service)
        found = self.rows(f"{text}; SEND ON CONVERSATION @h ('{self.bodies}')")
        self.sides("state")
        return found

    def end(self) -> Any:
        how = self.random.choice(("", "", " WITH CLEANUP", " WITH ERROR = 7 DESCRIPTION = 'no'"))
        return self.rows(f"END CONVERSATION '{self.handle()}'{how}")

    def move(self) -> Any:
        return self.rows(f"DECLARE @g uniqueidentifier = ({self.group()}); MOVE CONVERSATION '{self.handle()}' TO @g")

    def count(self) -> Any:
        return self.rows("SELECT (SELECT COUNT(*) FROM left_queue), (SELECT COUNT(*) FROM right_queue), (SELECT COUNT(*) FROM other_queue)")  # fmt: skip

    def switch(self) -> Any:
        return self.rows(f"ALTER QUEUE {self.queue()} WITH RETENTION = {self.random.choice(('OFF', 'OFF', 'ON'))}")  # fmt: skip

    def timer(self) -> Any:
        found = self.rows(f"BEGIN CONVERSATION TIMER ('{self.handle()}') TIMEOUT = 5")
        self.shop.advance(10)
        return found

    def move_service(self) -> Any:
        return self.rows(f"ALTER SERVICE righty ON QUEUE {self.random.choice(('other_queue', 'right_queue'))}")

    def reopen(self) -> Any:
        if self.random.random() < 0.5:
            self.shop.reopen()
        return None


def out_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is opened leaves messages and conversations in their tables."""
    monkeypatch.setattr(resting, "MOST", 0)
    monkeypatch.setattr(stored_messages, "MOST_AS_RECORDS", 0)


@pytest.mark.parametrize("chance", [0.2, 0.9], ids=["now and then", "often"])
@pytest.mark.parametrize("seed", range(int(os.environ.get("AWAY_SEEDS", "6"))))
def test_a_program_finds_what_it_finds_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int, chance: float) -> None:  # fmt: skip
    plain = Program(tmp_path / "plain.duckdb", seed, rests=False, chance=chance)
    expected = list(plain.run(60))
    plain.shop.instance.close()
    assert not plain.shop.instance.broker.resting.count
    out_of_memory(monkeypatch)
    away = Program(tmp_path / "away.duckdb", seed, rests=True, chance=chance)
    for number, (found, known) in enumerate(zip(away.run(60), expected, strict=True)):
        assert found == known, f"step {number}"
    assert away.most_waiting >= 2
    away.shop.instance.close()


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    found = Shop(tmp_path / "shop.duckdb", dialogs=0)
    yield found
    found.instance.close()


def wait(shop: Shop, dialogs: int) -> None:
    """So many dialogs, each with a message that waits, all of them at rest."""
    for _ in range(dialogs):
        shop.mine.append(shop.value(BEGIN.format("")))
        shop.send(shop.mine[-1])
    put_to_rest(shop)
    assert shop.instance.broker.resting.count == 2 * dialogs


def put_to_rest(shop: Shop) -> None:
    state = shop.instance.broker
    state.paging.most_messages = state.paging.most_conversations = state.resting.most = 0
    shop.instance.store.fold_and_release()


@pytest.mark.parametrize("restarts", [False, True], ids=["at rest", "at rest since the start"])
def test_their_turns_come_by_the_page_and_in_their_order(shop: Shop, monkeypatch: pytest.MonkeyPatch, restarts: bool) -> None:  # fmt: skip
    out_of_memory(monkeypatch)
    monkeypatch.setattr(resting, "TURNS", 4)
    wait(shop, 20)
    if restarts:
        shop.reopen()
    state = shop.instance.broker
    assert shop.in_memory == 0
    received: list[tuple[Any, ...]] = []
    for _ in range(20):
        received += shop.rows("RECEIVE conversation_handle, queuing_order FROM right_queue")
        assert 1 <= shop.in_memory <= 10
        if len(received) in (7, 13):
            put_to_rest(shop)
    of_handle = dict(shop.rows("SELECT conversation_handle, conversation_id FROM sys.conversation_endpoints"))
    assert [of_handle[handle] for handle, _ in received] == [of_handle[handle] for handle in shop.mine]
    assert [order for _, order in received] == sorted(order for _, order in received)
    assert not state.ready.first_turns and not shop.rows("RECEIVE * FROM right_queue")


@pytest.mark.parametrize("restarts", [False, True], ids=["at rest", "at rest since the start"])
def test_an_activated_procedure_and_who_waits_find_them(shop: Shop, monkeypatch: pytest.MonkeyPatch, restarts: bool) -> None:  # fmt: skip
    out_of_memory(monkeypatch)
    wait(shop, 5)
    if restarts:
        shop.reopen()
        assert shop.instance.broker.resting.unread is not None
    shop.run("CREATE TABLE got (n int)")
    shop.run("CREATE PROCEDURE reader AS DECLARE @n int = 1; WHILE @n > 0 BEGIN RECEIVE TOP (1) * FROM right_queue; SET @n = @@ROWCOUNT; INSERT got VALUES (@n) END")  # fmt: skip
    assert len(shop.rows("WAITFOR (RECEIVE conversation_handle FROM right_queue), TIMEOUT 10")) == 1
    put_to_rest(shop)
    shop.run("ALTER QUEUE right_queue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 1, EXECUTE AS SELF)")  # fmt: skip
    shop.advance(10)
    assert shop.value("SELECT SUM(n) FROM got") == 4


def test_what_nobody_takes_is_found_since_the_start(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """`sbql diagnose` looks at what is in memory, and nothing of the queue is."""
    out_of_memory(monkeypatch)
    wait(shop, 3)
    shop.reopen()
    shop.advance(1000)
    found = shop.run("EXEC sp_sbql_diagnose")
    assert "NOBODY_READS" in repr(found), found


def test_their_places_are_used_again_and_do_not_pile_up(shop: Shop) -> None:
    """Waking, ending and beginning for ever takes no more places than there were conversations at once."""
    wait(shop, 5)
    store = shop.instance.broker.resting.store
    for _ in range(20):
        for row in shop.rows("SELECT conversation_handle FROM sys.conversation_endpoints"):
            shop.run(f"END CONVERSATION '{row[0]}' WITH CLEANUP")
        put_to_rest(shop)
        shop.mine.clear()
        wait(shop, 5)
        shop.rows("RECEIVE * FROM right_queue")
        put_to_rest(shop)
    assert len(store._slots.taken) <= 20


def test_groups_that_have_gone_leave_the_heap_of_their_queue(shop: Shop) -> None:
    shop.instance.broker.ready.slack = 3
    wait(shop, 10)
    assert max(len(queue.ready) for queue in shop.instance.broker.queues.values()) <= 4
