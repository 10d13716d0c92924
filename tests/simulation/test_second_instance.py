"""Facts about conversations that only a second instance, or a way that loses just this message, can show."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from test_network import BEGIN, Chain, Two

from sbql.engine.simulated_network import Machine, Mischief


class Lossy(Two):
    """A and B, and a way that loses every piece in which a word stands."""

    def __init__(self) -> None:
        super().__init__()
        self.events: list[tuple[str, str]] = []
        assert self.b.instance is not None
        self.b.instance.trace(lambda e: self.events.append((e.subclass, e.text)), "Broker:Message Undeliverable")

    def lose(self, word: bytes) -> None:
        self.network.spoil(Mischief(rewrite=lambda _one, _other, data: b"" if word in data else data))

    def rows(self, machine: Machine) -> list[tuple[int, int]]:
        return machine.execute(
            "SELECT message_sequence_number, status FROM shop.dbo.desk ORDER BY message_sequence_number"
        )[0]

    def say(self, handle: str, text: str) -> None:
        self.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('{text}')")


@pytest.fixture
def pair() -> Iterator[Lossy]:
    found = Lossy()
    with found.network:
        yield found


@pytest.mark.spec("SEQUENCE-11", "STATUS-5")
def test_what_comes_too_early_waits_with_status_2(pair: Lossy) -> None:
    handle = pair.begin()
    pair.network.deliver()
    pair.lose(b"second")
    for text in ("second", "third", "fourth"):
        pair.say(handle, text)
    pair.network.advance(2)
    assert pair.rows(pair.b) == [(0, 1), (2, 2), (3, 2)]
    receive = "USE shop; RECEIVE CAST(message_body AS varchar(20)) FROM desk"
    assert pair.b.execute(receive) == [[("first",)]]
    assert pair.b.execute(receive) == [[]]
    pair.network.heal()
    pair.network.deliver()
    assert pair.rows(pair.b) == [(1, 1), (2, 1), (3, 1)]
    assert pair.b.execute(receive) == [[("second",), ("third",), ("fourth",)]]


def test_what_comes_too_early_for_a_side_that_has_ended_is_not_kept(pair: Lossy) -> None:
    handle = pair.begin()
    pair.network.deliver()
    pair.lose(b"second")
    for text in ("second", "third"):
        pair.say(handle, text)
    pair.network.advance(1)
    assert pair.rows(pair.b) == [(0, 1), (2, 2)]
    target = pair.b.execute("SELECT conversation_handle FROM shop.sys.conversation_endpoints")[0][0][0]
    pair.network.partition(["A"], ["B"])
    pair.b.execute(f"USE shop; END CONVERSATION '{target}'")
    assert pair.rows(pair.b) == []
    pair.say(handle, "fourth")
    pair.network.heal()
    pair.lose(b"second")
    pair.network.advance(40)
    assert pair.rows(pair.b) == []
    pair.network.heal()
    pair.network.advance(100)
    pair.a.execute(f"USE shop; END CONVERSATION '{handle}'")
    pair.network.deliver()
    assert pair.rows(pair.b) == []


@pytest.mark.spec("CHANGE-9", "CHANGE-10")
def test_a_conversation_begins_with_its_first_message(pair: Lossy) -> None:
    pair.lose(b"first")
    handle = pair.begin()
    pair.say(handle, "second")
    pair.network.advance(2)
    assert pair.state(pair.b) == []
    assert {subclass for subclass, _ in pair.events} == {"sequenced"} and "first" in pair.events[0][1]
    pair.network.heal()
    pair.network.deliver()
    assert (pair.state(pair.b), pair.rows(pair.b)) == (["CO"], [(0, 1), (1, 1)])


@pytest.mark.spec("SEQUENCE-10")
def test_what_comes_twice_is_dropped_and_traced(pair: Lossy) -> None:
    handle = pair.begin()
    pair.network.deliver()
    pair.network.spoil(Mischief(doubled=1.0))
    pair.say(handle, "second")
    pair.network.deliver()
    pair.network.advance(10)
    assert pair.rows(pair.b) == [(0, 1), (1, 1)]
    pair.network.heal()
    pair.network.spoil(Mischief(rewrite=lambda one, _other, data: b"" if one == "B" else data))  # no receipt gets back
    pair.say(handle, "third")
    pair.network.advance(30)
    assert pair.rows(pair.b) == [(0, 1), (1, 1), (2, 1)]
    assert any("already" in text or "duplicate" in text for _, text in pair.events), pair.events


@pytest.mark.spec("XMITSTATUS-9")
def test_who_forwards_has_neither_endpoint_nor_status() -> None:
    chain = Chain(1)
    with chain.network:
        chain.network.partition(["H0"], ["B"])
        handle = chain.begin()
        chain.network.advance(2)
        assert len(chain.forwarded()) == 1
        hub = chain.hubs[0]
        text = f"SELECT GET_TRANSMISSION_STATUS('{handle}'), (SELECT COUNT(*) FROM msdb.sys.conversation_endpoints), (SELECT COUNT(*) FROM msdb.sys.transmission_queue)"
        assert hub.execute(f"USE msdb; {text}") == [[("", 0, 0)]]


@pytest.mark.spec("LEVEL-11")
def test_what_is_forwarded_counts_as_5() -> None:
    chain = Chain(1)
    sent = "SELECT RTRIM(counter_name) FROM sys.dm_os_performance_counters WHERE counter_name LIKE 'Message Fragment P%' AND cntr_value > 0"
    forwarded = "SELECT cntr_value FROM sys.dm_os_performance_counters WHERE counter_name IN ('Forwarded Messages Total', 'Message Fragment P5 Sends/sec')"
    with chain.network:
        chain.a.execute("""ALTER DATABASE shop SET HONOR_BROKER_PRIORITY ON; USE shop
            CREATE BROKER PRIORITY p FOR CONVERSATION SET (PRIORITY_LEVEL = 9)""")
        chain.begin()
        chain.network.deliver()
        assert chain.a.execute(sent) == [[("Message Fragment P9 Sends/sec",)]]
        assert chain.hubs[0].execute(sent) == [[("Message Fragment P5 Sends/sec",)]]
        ((one,), (other,)) = chain.hubs[0].execute(forwarded)[0]
        assert one == other >= 2  # the message, and its receipt


@pytest.mark.spec("LEVEL-12")
def test_a_low_level_has_its_turn_while_a_high_one_has_much_to_send(pair: Lossy) -> None:
    """Of what waits, the last level is asked for now and then."""
    pair.a.execute("""ALTER DATABASE shop SET HONOR_BROKER_PRIORITY ON; USE shop
        CREATE CONTRACT high ([DEFAULT] SENT BY ANY)
        CREATE BROKER PRIORITY p FOR CONVERSATION SET (CONTRACT_NAME = high, PRIORITY_LEVEL = 10)
        CREATE BROKER PRIORITY q FOR CONVERSATION SET (CONTRACT_NAME = [DEFAULT], PRIORITY_LEVEL = 1)""")
    pair.b.execute("USE shop; CREATE CONTRACT high ([DEFAULT] SENT BY ANY); ALTER SERVICE [//B] (ADD CONTRACT high)")
    pair.network.partition(["A"], ["B"])
    high = BEGIN.format(me="A", you="B", more="").replace("'//B' WITH", "'//B' ON CONTRACT high WITH")
    for _ in range(3):
        pair.a.execute(high.replace("'first'", "CAST(REPLICATE(CAST('x' AS varchar(max)), 900000) AS varbinary(max))"))
    pair.begin()
    pair.network.heal()
    pair.network.deliver()
    lengths = [len(body) for _, body in pair.queue(pair.b)]
    assert len(lengths) == 4 and lengths.index(5) < 3, "the low one came before the last of the high ones"
