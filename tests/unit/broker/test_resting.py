"""Conversations at rest: nothing but memory may tell them from others. `pytest -p restless` (tests/restless.py) runs
any other suite with all of them at rest."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from dialog_shop import ENDPOINTS, Shop

from sbql.engine.broker import resting
from sbql.engine.broker.idle_store import IdleStore
from sbql.engine.broker.state import BrokerState
from sbql.engine.outcomes import ErrorOutcome


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    found = Shop(tmp_path / "shop.duckdb")
    yield found
    found.instance.close()


def test_they_leave_the_memory_and_come_back_when_they_are_asked_for(shop: Shop) -> None:
    before = shop.rows(ENDPOINTS)
    assert shop.rest() == 6
    assert shop.in_memory == 0 and not shop.instance.broker.groups and not shop.instance.broker.by_conversation
    assert shop.rows(ENDPOINTS) == before
    shop.send(shop.mine[1])
    assert shop.in_memory == 2, "the sender, and its peer, to which the message has come"
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 1
    assert shop.rest() == 5, "the one that a message waits for stays"
    assert shop.rows("RECEIVE CAST(message_body AS int), message_sequence_number FROM right_queue") == [(1, 1)]
    assert shop.rest() == 6


@pytest.mark.matrix
@pytest.mark.parametrize("restarts", [False, True], ids=["at rest", "at rest since the start"])
@pytest.mark.parametrize(
    ("statement", "states"),
    [
        ("END CONVERSATION @h", ["DO", "DI"]),
        ("END CONVERSATION @h WITH CLEANUP", ["CO"]),
        ("END CONVERSATION @h WITH ERROR = 5 DESCRIPTION = 'x'", ["DO", "ER"]),
        ("BEGIN CONVERSATION TIMER (@h) TIMEOUT = 5", ["CO", "CO"]),
        ("SEND ON CONVERSATION @h (0x02)", ["CO", "CO"]),
        ("DECLARE @g uniqueidentifier = NEWID(); BEGIN DIALOG @g FROM SERVICE lefty TO SERVICE 'righty' ON CONTRACT talk WITH RELATED_CONVERSATION = @h", ["SO", "CO", "CO"]),
        ("SELECT GET_TRANSMISSION_STATUS(@h)", ["CO", "CO"]),
        ("RECEIVE * FROM left_queue WHERE conversation_handle = @h", ["CO", "CO"]),
        ("DECLARE @g uniqueidentifier; SELECT @g = conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h; RECEIVE * FROM left_queue WHERE conversation_group_id = @g", ["CO", "CO"]),
        ("DECLARE @g uniqueidentifier; SELECT @g = conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h; MOVE CONVERSATION @h TO @g", ["CO", "CO"]),
        ("DROP SERVICE lefty", ["ER"]),
        ("DROP SERVICE righty", ["ER"]),
        ("ALTER SERVICE lefty ON QUEUE other_queue", ["CO", "CO"]),
        ("ALTER DATABASE shop SET NEW_BROKER WITH ROLLBACK IMMEDIATE", []),
        ("ALTER DATABASE shop SET ERROR_BROKER_CONVERSATIONS WITH ROLLBACK IMMEDIATE", ["ER", "ER"]),
        ("ALTER SERVICE righty (DROP CONTRACT talk); DROP CONTRACT talk", ["ER", "ER"]),
    ],
)  # fmt: skip
def test_each_statement_does_what_it_does_to_others(shop: Shop, monkeypatch: pytest.MonkeyPatch, statement: str, states: list[str], restarts: bool) -> None:  # fmt: skip
    """The same statement, once with all conversations in memory and once at rest, and what it leaves."""
    found = []
    for rests in (False, True):
        path = shop.path.with_name(f"{rests}.duckdb")
        monkeypatch.setattr(resting, "MOST", 0 if restarts and rests else 20_000)
        other = Shop(path, dialogs=1)
        handle = other.mine[0]
        if restarts:
            other.reopen()
        if rests:
            assert restarts or other.rest() == 2
            assert other.in_memory == 0
        outcomes = other.session.run(f"DECLARE @h uniqueidentifier = '{handle}'; {statement}")
        assert not [o.error for o in outcomes if isinstance(o, ErrorOutcome)]
        found.append((other.states(), other.rows("SELECT message_type_name, message_sequence_number FROM left_queue UNION ALL SELECT message_type_name, message_sequence_number FROM right_queue ORDER BY 1")))  # fmt: skip
        other.instance.close()
    assert found[0] == found[1]
    assert found[0][0] == states


def test_what_is_due_is_done(shop: Shop) -> None:
    """A timer, a LIFETIME and the end of CLOSED come at their time, of conversations at rest as of others."""
    timed, ended = shop.mine[:2]
    mortal = shop.dialog(", LIFETIME = 100")
    shop.run(f"BEGIN CONVERSATION TIMER ('{timed}') TIMEOUT = 50; END CONVERSATION '{ended}'")
    theirs = shop.value("DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM right_queue; SELECT @h")
    shop.run(f"END CONVERSATION '{theirs}'")
    assert sorted(shop.states()) == ["CD", *["CO"] * 6]
    assert shop.rest() == 7
    shop.advance(49)
    assert shop.in_memory == 0
    shop.advance(2)
    assert shop.rows("RECEIVE conversation_handle, message_type_name FROM left_queue") == [(timed, "http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer")]  # fmt: skip
    shop.rest()
    shop.advance(60)
    assert sorted(shop.states()) == ["CD", *["CO"] * 4, "ER", "ER"]
    assert {row[0] for row in shop.rows("RECEIVE conversation_handle FROM left_queue")} == {mortal}
    shop.rows("RECEIVE conversation_handle FROM right_queue")
    shop.rest()
    shop.advance(1700)
    assert "CD" not in shop.states()


@pytest.mark.parametrize("rests", [False, True])
def test_a_deadline_of_a_broker_that_is_off_waits_for_it(shop: Shop, rests: bool) -> None:
    if not rests:
        shop.rest = lambda: 0  # type: ignore[method-assign]
    shop.dialog(", LIFETIME = 100")
    shop.rest()
    shop.run("ALTER DATABASE shop SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE")
    shop.rest()
    shop.advance(200)
    shop.rest()
    shop.advance(200)
    assert "ER" not in shop.states()
    shop.run("ALTER DATABASE shop SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE")
    shop.advance(1)
    assert shop.states().count("ER") == 2


def test_who_takes_part_in_a_transaction_stays(shop: Shop) -> None:
    """Locked by its transaction, or on the way of what it has sent: neither rests before it is over."""
    other = shop.instance.connect("shop")
    shop.run(f"BEGIN TRANSACTION; SEND ON CONVERSATION '{shop.mine[0]}' (0x02)", other)
    assert shop.rest() == 5, "the peer may: nothing has come to it yet"
    shop.run("COMMIT", other)
    assert shop.rows("RECEIVE CAST(message_body AS int) FROM right_queue") == [(2,)]
    shop.run(f"BEGIN TRANSACTION; END CONVERSATION '{shop.mine[0]}'", other)
    shop.rest()
    shop.run("ROLLBACK", other)
    assert shop.states() == ["CO"] * 6
    shop.send(shop.mine[0])
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 1


@pytest.mark.parametrize(
    "makes",
    [
        "SEND ON CONVERSATION @h (0x02)",
        "ALTER QUEUE right_queue WITH STATUS = OFF; SEND ON CONVERSATION @h (0x02)",
        "ALTER QUEUE left_queue WITH RETENTION = ON; SEND ON CONVERSATION @h (0x02)",
    ],
    ids=["a message waits", "a message waits to be sent", "a message is retained"],
)
def test_what_waits_keeps_its_conversation_in_memory(shop: Shop, makes: str) -> None:
    shop.run(f"DECLARE @h uniqueidentifier = '{shop.mine[0]}'; {makes}")
    assert shop.rest() < 6
    assert {*shop.instance.broker.endpoints} and shop.in_memory + shop.instance.broker.resting.count == 6


def test_a_group_rests_as_a_whole(shop: Shop) -> None:
    first = shop.mine[0]
    second = shop.dialog(f", RELATED_CONVERSATION = '{first}'")
    assert shop.rest() == 8
    shop.send(second)
    assert UUID(int=shop.value(f"SELECT conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = '{first}'").int)  # fmt: skip
    in_memory = {c.endpoint.conversation_handle for c in shop.instance.broker.endpoints.values()}
    assert {first, second} <= in_memory


def test_a_restart_takes_many_straight_to_rest(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many; of those that something waits for, all are in memory."""
    shop.send(shop.mine[2])
    monkeypatch.setattr(resting, "MOST", 0)
    before = shop.rows(ENDPOINTS)
    shop.reopen()
    assert (shop.in_memory, shop.instance.broker.resting.count) == (1, 5)
    assert shop.rows(ENDPOINTS) == before
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 1
    assert len(shop.rows("RECEIVE conversation_handle FROM right_queue")) == 1
    for handle in shop.mine:
        shop.send(handle)
    assert shop.value("SELECT COUNT(*) FROM right_queue") == 3


def test_without_room_they_stay_in_memory(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no place for a temporary file: it is said once, and nothing is lost."""
    shop.instance.broker.resting.store = IdleStore(in_memory=0)
    monkeypatch.setattr(tempfile, "tempdir", str(shop.path / "nowhere"))
    for _ in range(30):
        shop.dialog()
    assert shop.rest() == 0 and shop.in_memory == 66
    said = [record.text for record in shop.instance.error_log if "stay in memory" in record.text]
    assert len(said) == 1, said
    assert shop.rest() == 0
    shop.send(shop.mine[0])


def test_they_are_counted_and_diagnosed(shop: Shop) -> None:
    """DBCC, counters and ssbdiagnose know of them."""
    counter = "SELECT cntr_value FROM sys.dm_os_performance_counters WHERE counter_name = 'Dialog Timer Event Count'"
    before = [o.text for o in shop.run("DBCC CHECKDB") if hasattr(o, "text")], shop.value(counter)
    shop.rest()
    assert ([o.text for o in shop.run("DBCC CHECKDB") if hasattr(o, "text")], shop.value(counter)) == before
    assert before[1] == 6


def test_it_goes_on_until_half_as_many_are_left(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that not every fold has a few to let go; looks in vain have an end, others have not."""
    monkeypatch.setattr(resting, "SLICE", 2)
    monkeypatch.setattr(resting, "MOST_LOOKS", 4)
    for _ in range(17):
        shop.dialog()
    state = shop.instance.broker
    for most, left in ((40, 40), (30, 15), (16, 15), (13, 6)):
        state.resting.most = most
        state.resting.begin()
        while state.rest_some():
            pass
        assert left - 1 <= shop.in_memory <= left, most


def test_what_comes_meanwhile_rests_behind_the_next_fold(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who begins dialogs as fast as others leave the memory keeps no fold waiting."""
    monkeypatch.setattr(resting, "SLICE", 2)
    monkeypatch.setattr(resting, "MOST_TIMES", 1)
    for _ in range(17):
        shop.dialog()
    state = shop.instance.broker
    state.resting.most = 20
    for _ in range(2):
        state.resting.begin()
        steps, before = 0, state.resting.count
        surplus = shop.in_memory - 10
        while state.rest_some():
            shop.dialog()
            steps += 1
            assert steps <= 40
        assert surplus <= state.resting.count - before <= surplus + 1


@pytest.mark.parametrize(
    ("woken", "awake", "at_rest", "most"),
    [
        (0, 0, 0, 40),
        (0, 40, 160, 40),
        (30, 40, 160, 70),
        (1_000, 80, 0, 230),
        (1_000, 200, 0, 215),
        (1_000, 100, 700, 140),
        (1_000, 40, 1_500, 48),
        (1_000, 40, 1_600, 40),
        (1_000, 40, 1_000_000, 40),
    ],
)
def test_more_stay_in_memory_while_few_rest(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, woken: int, awake: int, at_rest: int, most: int
) -> None:
    """All of a hundred thousand dialogs in use, and of a million what leaves them a gigabyte: here a thousandth."""
    monkeypatch.setattr(resting, "MOST", 40)
    state = BrokerState()
    one = next(iter(shop.instance.broker.endpoints.values()))
    state.endpoints.update(dict.fromkeys(range(awake), one))
    state.resting.store.count, state.resting.woken = at_rest, woken
    assert state.resting.most == most
    assert state.resting.least == state.resting.at_rest.most == 40, "an opening takes no longer"
    state.resting.most = 7
    assert (state.resting.most, state.resting.least) == (7, 7)


def test_those_that_are_asked_for_stay(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resting, "MOST", 8)
    monkeypatch.setattr(resting, "SLICE", 2)
    monkeypatch.setattr(resting, "MOST_TIMES", 1)
    state = shop.instance.broker
    mine = [*shop.mine, *(shop.dialog() for _ in range(9))]

    def rest() -> int:
        state.resting.begin()
        while state.rest_some():
            pass
        return shop.in_memory

    assert rest() == 4, "24, of which 8 may stay, and half as many less"
    for handle in mine:
        shop.value(f"SELECT GET_TRANSMISSION_STATUS('{handle}')")
    woken = state.resting.woken
    assert 10 <= woken <= 12 and rest() == shop.in_memory == 4 + woken
