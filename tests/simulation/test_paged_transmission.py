"""Transmission queues of which little is in memory: nothing but memory and time may tell them from others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_held_arrivals import OFF, ON, Pair
from test_network import SHOP

from sbql.catalog import stored_messages
from sbql.engine.broker import deadlines
from sbql.engine.broker.transmission_rows import TransmissionRows
from sbql.engine.network import read_ahead
from sbql.engine.simulated_network import Machine, Network

SENT = [f"text {n}" for n in range(60)]
COUNT = "SELECT COUNT(*) FROM shop.sys.transmission_queue"


class Paged(Pair):
    """A and B on disk. Of what waits in their transmission queues two rows stay in memory after a
    fold, and five are read at once."""

    def __init__(self, folder: Path) -> None:
        self.network = Network(1, folder=folder)
        self.a, self.b = (self.network.add(name, on_disk=True) for name in "AB")
        self.a.execute(SHOP.format(me="A", you="B"))
        self.b.execute(SHOP.format(me="B", you="A"))

    def fold(self, machine: Machine) -> list[TransmissionRows]:
        """Have what waits leave the memory; the rows of each endpoint."""
        assert machine.instance is not None
        state = machine.instance.broker
        state.row_paging.most_rows = 2
        machine.instance.store.fold_and_release()
        return [rows for c in state.delayed for rows in (c.transmission, c.held) if rows]

    def texts(self, machine: Machine) -> list[str]:
        return [body for _, body in self.queue(machine)]


@pytest.fixture
def paged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Paged]:
    monkeypatch.setattr(read_ahead, "PAGE", 5)
    monkeypatch.setattr(read_ahead, "TURN", 3)
    monkeypatch.setattr(deadlines, "PAGE", 7)
    monkeypatch.setattr(stored_messages, "MOST_AS_RECORDS", 10)
    found = Paged(tmp_path)
    with found.network:
        yield found


def begin_and_wait(paged: Paged) -> list[str]:
    """Three dialogs of 20 messages each wait at A, nearly all of them on disk alone. Returns the handles."""
    paged.network.partition(["A"], ["B"])
    handles = [paged.begin() for _ in range(3)]
    for place, handle in enumerate(handles):
        paged.say(handle, *(text for text in SENT[place::3]))
    found = paged.fold(paged.a)
    assert [len(rows) for rows in found] == [21, 21, 21] and sum(len(rows.records) for rows in found) == 3
    return handles


def check_all_arrived(paged: Paged) -> None:
    paged.network.heal()
    paged.network.deliver()
    texts = paged.texts(paged.b)
    assert sorted(texts) == sorted(SENT + ["first"] * 3)
    for place in range(3):
        assert [text for text in texts if text in SENT[place::3]] == SENT[place::3], "each dialog in its order"
    assert paged.a.execute(COUNT) == [[(0,)]]


def test_what_is_on_disk_alone_is_sent_in_its_order(paged: Paged) -> None:
    begin_and_wait(paged)
    paged.network.advance(100)
    assert paged.a.execute(COUNT) == [[(63,)]]
    check_all_arrived(paged)


@pytest.mark.parametrize("end", ["close", "crash"])
def test_after_a_restart_only_numbers_are_read(paged: Paged, end: str) -> None:
    begin_and_wait(paged)
    getattr(paged.a, end)()
    paged.a.open()
    assert paged.a.instance is not None
    found = [c.transmission for c in paged.a.instance.broker.delayed]
    assert [len(rows) for rows in found] == [21, 21, 21] and not any(rows.records for rows in found)
    check_all_arrived(paged)


def test_receipts_end_what_is_on_disk_alone_and_what_was_on_its_way_is_read_again(paged: Paged) -> None:
    """Messages are folded and let go between their sending and their receipts, and some get lost."""
    handles = begin_and_wait(paged)
    paged.network.heal()
    for turn in range(12):
        paged.network.advance(0.02)
        if turn % 4 == 3:
            paged.network.cut("A", "B")
        paged.fold(paged.a)
    paged.say(handles[0], "late")
    paged.fold(paged.a)
    paged.network.deliver()
    assert paged.texts(paged.b).count("late") == 1 and len(paged.texts(paged.b)) == 64
    assert paged.a.execute(COUNT) == [[(0,)]]


def test_a_rollback_puts_back_what_is_on_disk_alone(paged: Paged) -> None:
    handles = begin_and_wait(paged)
    for words, left in (("WITH ERROR = 1 DESCRIPTION = 'x'", 43), ("WITH CLEANUP", 42)):  # the error waits as well
        paged.a.execute(f"USE shop; BEGIN TRANSACTION; END CONVERSATION '{handles[1]}' {words}")
        assert paged.a.execute(COUNT) == [[(left,)]]
        paged.a.execute("ROLLBACK")
        assert paged.a.execute(COUNT) == [[(63,)]]
    paged.fold(paged.a)
    check_all_arrived(paged)


def test_an_end_with_error_takes_the_place_of_what_waits(paged: Paged) -> None:
    handles = begin_and_wait(paged)
    paged.a.execute(f"USE shop; END CONVERSATION '{handles[1]}' WITH ERROR = 7 DESCRIPTION = 'x'")
    paged.network.heal()
    paged.network.advance(60)
    assert sorted(paged.texts(paged.b)) == sorted(SENT[0::3] + SENT[2::3] + ["first"] * 2)


def test_a_receipt_that_comes_while_somebody_has_taken_the_messages_out_is_asked_for_again(paged: Paged) -> None:
    paged.network.partition(["A"], ["B"])
    handle = paged.begin()
    paged.say(handle, "second")
    session = paged.a.connect("shop")
    for _ in range(2):  # once they have never been sent, once their receipts come meanwhile
        session.run(f"BEGIN TRANSACTION; END CONVERSATION '{handle}' WITH ERROR = 1 DESCRIPTION = 'x'")
        paged.network.heal()
        paged.network.advance(1)
        session.run("ROLLBACK")
        paged.network.advance(0.001)
    paged.network.deliver()
    assert paged.texts(paged.b) == ["first", "second"] and paged.status() == []


def test_what_is_held_for_a_queue_that_is_off_leaves_the_memory_too(paged: Paged) -> None:
    paged.b.execute(OFF)
    handle = paged.begin()
    paged.say(handle, *SENT)
    paged.network.advance(100)
    (rows,) = paged.fold(paged.b)
    assert len(rows) == 61 and len(rows.records) == 1
    paged.b.crash()
    paged.b.open()
    paged.network.advance(10)
    paged.fold(paged.b)
    paged.b.execute(ON)
    paged.network.deliver()
    assert paged.texts(paged.b) == ["first", *SENT]


def test_what_waits_within_an_instance_leaves_the_memory_too(paged: Paged) -> None:
    """It is delivered by pages when its queue is ON."""
    paged.a.execute(
        "USE shop; CREATE QUEUE other; CREATE SERVICE near ON QUEUE other ([DEFAULT]); ALTER QUEUE other WITH STATUS = OFF"
    )
    begin = "USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE 'near' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('first'); SELECT @h"
    handle = str(paged.a.execute(begin)[0][0][0])
    paged.say(handle, *SENT)
    (rows,) = paged.fold(paged.a)
    assert len(rows) == 61 and len(rows.records) == 1
    paged.network.advance(30)
    (status,) = {row[0] for row in paged.a.execute("SELECT transmission_status FROM shop.sys.transmission_queue")[0]}
    assert status
    paged.a.execute("USE shop; ALTER QUEUE other WITH STATUS = ON")
    paged.network.deliver()
    bodies = paged.a.execute("SELECT CAST(message_body AS varchar(20)) FROM shop.dbo.other ORDER BY queuing_order")[0]
    assert [body for (body,) in bodies] == ["first", *SENT]


def test_the_diagnosis_reads_what_it_shows(paged: Paged) -> None:
    begin_and_wait(paged)
    paged.network.advance(100)
    paged.a.close()
    paged.a.open()
    paged.network.advance(100)
    rows = paged.a.execute("USE shop; EXEC sys.sp_sbql_diagnose")[0]
    assert any("63" in str(row) or "61" in str(row) for row in rows), rows
