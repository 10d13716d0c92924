"""Receipts that come when their sender has forgotten that it has sent: what they are for leaves
the transmission queue all the same.

The END of the other side is the last that brings a receipt. What is left then would wait, with the status that an END
has come, until the application ends the dialog, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tampering import without_the_last_fragment

from sbql.engine.simulated_network import Machine, Mischief, Network

SHOP = """CREATE DATABASE shop
GO
USE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = SUPPORTED)
CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'
"""
BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('first'); SEND ON CONVERSATION @h ('second'); SELECT @h"""
END = "DECLARE @h uniqueidentifier; SELECT @h = conversation_handle FROM desk; END CONVERSATION @h"


class Pair:
    """A has sent to B, which has no way to acknowledge it."""

    def __init__(self, folder: Path) -> None:
        self.network = Network(5, folder=folder)
        self.a, self.b = (self.network.add(name, on_disk=True) for name in "AB")
        self.a.execute(SHOP.format(me="A", you="B"))
        self.b.execute(SHOP.format(me="B", you="A"))
        self.b.execute("DROP ROUTE there", "shop")
        self.a.execute(BEGIN, "shop")
        self.network.run_until(lambda: self.count(self.b, "desk") == 2)
        assert self.count(self.a, "sys.transmission_queue") == 2

    def count(self, machine: Machine, table: str) -> int:
        return int(machine.execute(f"SELECT COUNT(*) FROM {table}", "shop")[0][0][0])

    def let_b_end(self) -> None:
        self.b.execute(END, "shop")
        self.b.execute("CREATE ROUTE there WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022'", "shop")
        self.network.run_until(lambda: self.count(self.a, "desk") == 1)


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    found = Pair(tmp_path)
    with found.network:
        yield found


@pytest.mark.spec("NETWORK-4")
def test_an_end_brings_the_receipt_that_could_not_come(pair: Pair) -> None:
    pair.let_b_end()
    assert pair.count(pair.a, "sys.transmission_queue") == 0


def test_to_a_side_that_was_restarted_and_has_not_sent_again(pair: Pair) -> None:
    pair.a.crash()
    pair.b.execute("ALTER ENDPOINT broker AS TCP (LISTENER_PORT = 4023)")  # it does not reach B
    pair.a.open()
    pair.let_b_end()
    assert pair.count(pair.a, "sys.transmission_queue") == 0


def test_to_a_side_whose_route_is_gone(pair: Pair) -> None:
    pair.a.execute("DROP ROUTE there", "shop")
    pair.network.advance(100)
    pair.let_b_end()
    assert pair.count(pair.a, "sys.transmission_queue") == 0


@pytest.mark.spec("WIRE-11", "NETWORK-2")
def test_fragments_that_a_restart_has_forgotten_are_sent_again(tmp_path: Path) -> None:
    """B has two fragments of three, and says so with the receipt of the next message; then it forgets them."""
    pair = Pair(tmp_path)
    with pair.network:
        pair.b.execute("CREATE ROUTE there WITH SERVICE_NAME = '//A', ADDRESS = 'TCP://A:4022'", "shop")
        pair.network.deliver()
        handle = pair.a.execute("SELECT conversation_handle FROM sys.conversation_endpoints", "shop")[0][0][0]
        pair.network.spoil(Mischief(rewrite=without_the_last_fragment))
        pair.a.execute(
            f"SEND ON CONVERSATION '{handle}' (REPLICATE(CAST('x' AS varchar(max)), 100000)); SEND ON CONVERSATION '{handle}' ('small')",
            "shop",
        )
        pair.network.advance(3)
        assert pair.count(pair.a, "sys.transmission_queue") == 1
        pair.b.crash()
        pair.network.heal()
        pair.b.open()
        pair.network.deliver(600)
        assert pair.count(pair.b, "desk") == 4
