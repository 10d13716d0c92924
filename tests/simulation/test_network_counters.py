"""What instances count of their talk: on an instance that passes messages on, where one is damaged,
and for dialogs that are looked up."""

from __future__ import annotations

import pytest
from tampering import damaged_bodies
from test_network import Chain, Two

from sbql.engine.simulated_network import Machine, Mischief


def counters(machine: Machine) -> dict[str, int]:
    text = (
        "SELECT RTRIM(counter_name), cntr_value FROM sys.dm_os_performance_counters WHERE object_name LIKE '%Broker%'"
    )
    return dict(machine.execute(text)[0])


@pytest.mark.spec("COUNTER-34", "COUNTER-36", "COUNTER-38", "COUNTER-39")
def test_what_is_passed_on_waits_and_is_dropped_is_counted() -> None:
    chain = Chain(1)
    with chain.network:
        hub = chain.hubs[0]
        chain.network.partition(["H0"], ["B"])
        chain.begin()
        chain.network.advance(2)
        waiting = counters(hub)
        assert (waiting["Forwarded Pending Msg Count"], waiting["Forwarded Messages Total"]) == (1, 0)
        assert 100 < waiting["Forwarded Pending Msg Bytes"] < 1000
        chain.network.advance(10)  # it has come again, and there is one already
        assert counters(hub)["Forwarded Msg Discarded Total"] >= 1
        chain.network.heal()
        chain.network.deliver()
        done = counters(hub)
        assert (done["Forwarded Pending Msg Count"], done["Forwarded Pending Msg Bytes"]) == (0, 0)
        assert done["Forwarded Messages Total"] == done["Forwarded Messages/sec"] >= 2  # the message, and its receipt
        assert done["Forwarded Msg Byte Total"] > waiting["Forwarded Pending Msg Bytes"]
        assert done["Enqueued Transport Msgs Total"] == 0


@pytest.mark.spec("COUNTER-9", "COUNTER-49")
def test_a_damaged_message_is_counted_and_dialogs_that_are_looked_up() -> None:
    two = Two()
    with two.network:
        two.network.spoil(Mischief(rewrite=damaged_bodies))
        before = counters(two.a)["Tran Object Gets/sec"]
        two.begin()
        two.network.advance(1)
        assert counters(two.b)["Corrupted Messages Total"] == 1
        assert two.queue(two.b) == []
        assert counters(two.a)["Tran Object Gets/sec"] > before
        two.network.heal()
        two.network.deliver()
        assert two.queue(two.b) == [("DEFAULT", "first")]
        assert counters(two.b)["Corrupted Messages Total"] == 1
