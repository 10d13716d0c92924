"""Messages that are only in the store: nothing but memory and time may tell them from others."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from uuid import UUID

import pytest

from sbql.catalog.records.deliveries import Delivery
from sbql.catalog.stored_messages import HeldNumbers
from sbql.engine.broker.delivery_log import HeldRun
from sbql.engine.broker.paging import _page_out
from sbql.engine.broker.state import BrokerState
from sbql.engine.broker.stored_run import StoredRun
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

SETUP = """
CREATE DATABASE shop
GO
USE shop
CREATE QUEUE left_queue; CREATE QUEUE right_queue; CREATE QUEUE other_queue;
CREATE SERVICE lefty ON QUEUE left_queue; CREATE SERVICE righty ON QUEUE right_queue ([DEFAULT]);
CREATE TABLE handles (n int PRIMARY KEY, h uniqueidentifier);
"""

BEGIN = """
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE lefty TO SERVICE 'righty' WITH ENCRYPTION = OFF; INSERT handles VALUES ({n}, @h);
"""

SEND = """
DECLARE @h uniqueidentifier, @i int = {first}; SELECT @h = h FROM handles WHERE n = {n};
WHILE @i < {first} + {count} BEGIN SEND ON CONVERSATION @h (CAST(CONCAT('{n}:', @i) AS varchar(20))); SET @i += 1; END
"""


class Shop:
    """An instance with three dialogs of 40 messages each, sent in turns of 10, of which few stay in memory."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.open()
        for batch in SETUP.split("GO\n"):
            self.run(batch)
        for n in (1, 2, 3):
            self.run(BEGIN.format(n=n))
        for first in (0, 10, 20, 30):
            for n in (1, 2, 3):
                self.run(SEND.format(n=n, first=first, count=10))
        self.instance.store.fold_and_release()

    def open(self) -> None:
        self.instance = Instance.open(str(self.path), clock="virtual", seed=1)
        self.state: BrokerState = self.instance.broker
        self.state.paging.most_messages, self.state.paging.page = 8, 5
        self.session: Session = self.instance.connect("master")

    def run(self, text: str) -> list[tuple[Any, ...]]:
        outcomes = self.session.run(text)
        for outcome in outcomes:
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
        return [row for outcome in outcomes if isinstance(outcome, ResultSet) for row in outcome.rows]

    def in_memory(self) -> int:
        return sum(len(c.in_memory()) for c in self.state.endpoints.values())

    def only_stored(self) -> int:
        return sum(len(c.run) for c in self.state.endpoints.values() if c.run is not None)

    def receive_all(self, queue: str = "right_queue", top: int = 7) -> list[str]:
        bodies = []
        while rows := self.run(f"RECEIVE TOP ({top}) CAST(message_body AS varchar(20)) FROM {queue}"):
            bodies += [row[0] for row in rows]
        return bodies


def sent(n: int, first: int = 0, last: int = 40) -> list[str]:
    return [f"{n}:{i}" for i in range(first, last)]


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Shop(tmp_path / "shop.duckdb")
    yield made
    made.instance.close()


def test_few_stay_and_the_queue_shows_all(shop: Shop) -> None:
    assert (shop.in_memory(), shop.only_stored()) == (4, 116)
    assert shop.run("SELECT COUNT(*) FROM right_queue") == [(120,)]


def test_they_are_received_in_their_order(shop: Shop) -> None:
    bodies = shop.receive_all()
    assert len(bodies) == 120
    for n in (1, 2, 3):
        assert [b for b in bodies if b.startswith(f"{n}:")] == sent(n)
    assert shop.run("SELECT COUNT(*) FROM right_queue") == [(0,)]


def test_without_top_all_of_one_conversation_come(shop: Shop) -> None:
    rows = shop.run("RECEIVE CAST(message_body AS varchar(20)) FROM right_queue")
    assert [row[0] for row in rows] == sent(1)


def test_by_handle_and_by_group(shop: Shop) -> None:
    third = "WHERE CAST(message_body AS varchar(20)) = '3:0'"
    [(handle, group)] = shop.run(f"SELECT conversation_handle, conversation_group_id FROM right_queue {third}")
    for where, body in ((f"conversation_handle = '{handle}'", "3:0"), (f"conversation_group_id = '{group}'", "3:1")):
        rows = shop.run(f"RECEIVE TOP (1) CAST(message_body AS varchar(20)) FROM right_queue WHERE {where}")
        assert rows == [(body,)]


def test_what_comes_later_stands_behind(shop: Shop) -> None:
    shop.run(SEND.format(n=2, first=40, count=5))
    bodies = shop.receive_all()
    assert [b for b in bodies if b.startswith("2:")] == sent(2, 0, 45)


def test_what_comes_later_goes_out_too(shop: Shop) -> None:
    shop.run(SEND.format(n=2, first=40, count=5))
    shop.instance.store.fold_and_release()
    assert shop.in_memory() <= 8
    assert [b for b in shop.receive_all() if b.startswith("2:")] == sent(2, 0, 45)


def test_a_rollback_puts_them_back(shop: Shop) -> None:
    first = shop.run("BEGIN TRANSACTION; RECEIVE TOP (30) CAST(message_body AS varchar(20)) FROM right_queue")
    shop.run("ROLLBACK")
    shop.instance.store.fold_and_release()
    assert shop.in_memory() <= 8
    assert [row[0] for row in first] == sent(1, 0, 30)
    assert [b for b in shop.receive_all() if b.startswith("1:")] == sent(1)


def test_a_held_group_keeps_what_it_has(shop: Shop) -> None:
    """Its messages may be uncommitted, or be put back by a rollback."""
    shop.run("BEGIN TRANSACTION; RECEIVE TOP (1) * FROM right_queue")
    before = shop.in_memory()
    shop.instance.store.fold_and_release()
    assert shop.in_memory() == before
    shop.run("ROLLBACK")


def test_timers_and_errors_come_before_them(shop: Shop) -> None:
    other = shop.instance.connect("shop")
    handle = shop.run(
        "SELECT TOP (1) conversation_handle FROM right_queue WHERE CAST(message_body AS varchar(20)) = '1:0'"
    )[0][0]
    shop.run(f"BEGIN CONVERSATION TIMER ('{handle}') TIMEOUT = 1")
    shop.instance.host.advance_to(shop.instance.host.now() + 2)
    shop.instance.loop.settle()
    names = shop.run(f"RECEIVE TOP (2) message_type_name FROM right_queue WHERE conversation_handle = '{handle}'")
    assert [name[0].rpartition("/")[2] for name in names] == ["DialogTimer", "DEFAULT"]
    other.close()


def test_end_deletes_them_and_its_rollback_brings_them_back(shop: Shop) -> None:
    handles = shop.run(
        "SELECT DISTINCT conversation_handle FROM right_queue WHERE CAST(message_body AS varchar(20)) LIKE '2:%'"
    )
    for end in ("ROLLBACK", "COMMIT"):
        shop.run(f"BEGIN TRANSACTION; END CONVERSATION '{handles[0][0]}'; {end}")
        left = 120 if end == "ROLLBACK" else 80
        assert shop.run("SELECT COUNT(*) FROM right_queue") == [(left,)]
    assert {b[0] for b in shop.receive_all()} == {"1", "3"}


def test_another_queue_gets_them_all(shop: Shop) -> None:
    shop.run("ALTER SERVICE righty ON QUEUE other_queue")
    assert shop.run("SELECT COUNT(*) FROM other_queue") == [(120,)]
    shop.instance.store.fold_and_release()
    assert shop.in_memory() <= 8
    bodies = shop.receive_all("other_queue")
    for n in (1, 2, 3):
        assert [b for b in bodies if b.startswith(f"{n}:")] == sent(n)


def test_a_service_that_goes_takes_them_along(shop: Shop) -> None:
    shop.run("DROP SERVICE righty")
    assert shop.run("SELECT COUNT(*) FROM right_queue") == [(0,)]
    assert shop.only_stored() == 0


@pytest.mark.parametrize("most", [0, 1000])
def test_a_restart_finds_them(shop: Shop, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """As numbers when there are many, as records when there are few."""
    monkeypatch.setattr("sbql.catalog.stored_messages.MOST_AS_RECORDS", most)
    orders = {queue_id: queue.next_order for queue_id, queue in shop.instance.broker.queues.items() if queue.ready}
    shop.session.close()
    shop.instance.close()
    shop.open()
    shop.run("USE shop")
    assert shop.only_stored() == (0 if most else 120)
    assert orders.items() <= {i: queue.next_order for i, queue in shop.instance.broker.queues.items()}.items()
    assert orders
    keys = shop.state.last_key
    shop.run(SEND.format(n=1, first=40, count=1))
    assert shop.state.last_key == keys + 1 > 120, "a new message has a key of its own"
    shop.instance.store.fold_and_release()
    shop.session.close()
    shop.instance.close()
    shop.open()
    shop.run("USE shop")
    assert shop.run("SELECT COUNT(*), COUNT(DISTINCT queuing_order) FROM right_queue") == [(121, 121)]
    bodies = shop.receive_all()
    for n in (1, 2, 3):
        assert [b for b in bodies if b.startswith(f"{n}:")] == sent(n, 0, 41 if n == 1 else 40)


def test_large_bodies_come_in_small_pages(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sbql.catalog.store._PAGE_BYTES", 10)
    keys = [key for c in shop.state.endpoints.values() if c.run is not None for key in c.run.message_keys()]
    assert shop.state.paging.fetch is not None
    assert 1 <= len(shop.state.paging.fetch(keys[:20])) <= 3
    assert len(shop.receive_all()) == 120


def test_bodies_count_too(shop: Shop) -> None:
    shop.state.paging.most_messages, shop.state.paging.most_bytes = 1000, 40
    assert len(shop.receive_all(top=2)) == 120
    shop.run(SEND.format(n=1, first=0, count=30))
    shop.instance.store.fold_and_release()
    assert sum(len(m.message_body) for c in shop.state.endpoints.values() for m in c.in_memory()) <= 40


@pytest.mark.parametrize(
    ("ready", "stays", "folded", "run", "later", "gone", "expected"),
    [
        ("abcd", 1, "abcd", None, "", 3, ("a", "bcd", "")),
        ("abcd", 1, "abc", None, "", 2, ("a", "bc", "d")),
        ("abcd", 2, "", None, "", 0, ("abcd", None, "")),
        ("abcd", 4, "abcd", None, "", 0, ("abcd", None, "")),
        ("ab", 1, "ab", "c", "", 1, ("a", "bc", "")),
        ("ab", 0, "a", "c", "", 0, ("ab", "c", "")),
        ("ab", 0, "", "c", "", 0, ("ab", "c", "")),
        ("ab", 1, "abd", "c", "de", 2, ("a", "bcd", "e")),
        ("", 0, "d", "c", "de", 1, ("", "cd", "e")),
    ],
)
def test_what_goes_out_of_memory_keeps_its_place(
    ready: str, stays: int, folded: str, run: str | None, later: str, gone: int, expected: tuple[str, str | None, str]
) -> None:
    """A letter is a message, its key the letter's number: those in memory, then those of a run that
    are only stored, then later ones."""

    def messages(letters: str) -> deque[Any]:
        return deque(SimpleNamespace(message_key=ord(letter), queuing_order=ord(letter)) for letter in letters)

    def letters(keys: Iterable[int]) -> str:
        return "".join(map(chr, keys))

    stored = None
    if run is not None:
        stored = StoredRun()
        for message in messages(run):
            stored.append(message)
        stored.later = messages(later)
    conversation: Any = SimpleNamespace(messages=messages(ready), run=stored)
    assert _page_out(conversation, stays, frozenset(map(ord, folded))) == gone
    in_memory = letters(m.message_key for m in conversation.messages)
    kept = conversation.run
    if kept is None:
        assert (in_memory, None, "") == expected
    else:
        behind = letters(m.message_key for m in kept.later)
        assert (in_memory, letters(kept.message_keys()), behind) == expected


@pytest.mark.parametrize(
    ("later", "last_folded", "expected"),
    [("def", "f", "abcdef"), ("d", "d", "abcd"), ("", "f", "abc"), ("def", "d", None), ("def", None, None)],
)
def test_what_came_later_goes_when_the_last_of_it_is_folded(
    later: str, last_folded: str | None, expected: str | None
) -> None:
    """Letters as above. A fold takes all up to one: when that is the last, the others are in the store too."""
    run = StoredRun()
    run.extend([ord(letter) for letter in "abc"], [1, 2, 3])
    messages: list[Any] = [SimpleNamespace(message_key=ord(letter), queuing_order=ord(letter)) for letter in later]
    run.later = deque(messages)
    assert run.put_later_behind(ord(last_folded) if last_folded else None) is (expected is not None)
    assert "".join(map(chr, run.message_keys())) == (expected or "abc")
    assert [chr(m.message_key) for m in run.later] == ([] if expected else list(later))


def test_what_a_consumer_holds_is_read_with_its_places() -> None:
    delivery = Delivery(UUID(int=1), 5, 7, UUID(int=2), UUID(int=3), 10, 12, 3, 1.5, is_urgent=True)
    found = HeldRun.stored(HeldNumbers(delivery, [10, 11, 12], [100, 101, 105]))
    assert list(found.numbers) == [10, 100, 11, 101, 12, 105]
    assert (found.first, found.last, found.is_urgent, found.is_folded) == (5, 7, True, True)


def test_a_run_of_thousands_is_taken_from_its_front():
    """What has gone keeps no room when it is much, and moves nothing."""
    run = StoredRun()
    run.extend(range(5000), range(7000, 12000))
    gone = 0
    for count in (1, 2, 2000, 700, 1500, 700, 96):
        run.drop_first(count)
        gone += count
        assert (len(run), run.first_order) == (5000 - gone, 7000 + gone)
        assert list(run.message_keys(2)) == list(range(gone, 5000))[:2]
    assert len(run.numbers) < 5000
