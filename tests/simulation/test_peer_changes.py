"""What becomes of dialogs with another instance when its database gets another broker
id, or is restored from a backup."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from test_held_arrivals import Pair
from test_network import SHOP

from sbql.engine.simulated_network import Network

NUMBERS = "SELECT message_sequence_number, status FROM shop.dbo.desk ORDER BY message_sequence_number"


@pytest.fixture
def pair(tmp_path: Path) -> Iterator[Pair]:
    found = Pair.__new__(Pair)
    found.network = Network(5, folder=tmp_path)
    found.a, found.b = (found.network.add(name, on_disk=True) for name in "AB")
    found.a.execute(SHOP.format(me="A", you="B"))
    found.b.execute(SHOP.format(me="B", you="A"))
    with found.network:
        yield found


@pytest.mark.spec("IDENTITY-4", "IDENTITY-13")
def test_a_dialog_with_a_broker_id_that_is_gone_waits_and_a_new_one_goes_on(pair: Pair) -> None:
    handle = pair.begin()
    pair.network.deliver()
    pair.b.execute("USE master; ALTER DATABASE shop SET NEW_BROKER WITH ROLLBACK IMMEDIATE")
    pair.say(handle, "late")
    pair.network.advance(300)
    assert pair.queue(pair.b) == [] and len(pair.status()) == 1
    pair.begin()
    pair.network.advance(10)
    assert pair.queue(pair.b) == [("DEFAULT", "first")] and len(pair.status()) == 1
    pair.a.execute(f"USE shop; END CONVERSATION '{handle}' WITH CLEANUP")
    assert pair.status() == []


def test_dialogs_go_on_with_a_peer_that_was_restored(pair: Pair, tmp_path: Path) -> None:
    """The backup has all that was acknowledged."""
    handle = pair.begin()
    pair.say(handle, "second")
    pair.network.deliver()
    path = tmp_path / "shop.bak"
    pair.b.execute(f"USE master; BACKUP DATABASE shop TO DISK = '{path}'")
    pair.network.partition(["A"], ["B"])
    pair.say(handle, "third")
    pair.network.advance(30)
    pair.b.execute(
        f"USE master; ALTER DATABASE shop SET SINGLE_USER WITH ROLLBACK IMMEDIATE; RESTORE DATABASE shop FROM DISK = '{path}' WITH REPLACE, ENABLE_BROKER"
    )
    pair.b.execute("ALTER DATABASE shop SET MULTI_USER")
    pair.network.heal()
    pair.network.deliver()
    assert [body for _, body in pair.queue(pair.b)] == ["first", "second", "third"]


def test_what_a_restored_peer_has_forgotten_is_a_gap(pair: Pair, tmp_path: Path) -> None:
    """What was acknowledged after the backup its sender has no more: what follows waits with status 2,
    and is not delivered out of order."""
    handle = pair.begin()
    pair.network.deliver()
    path = tmp_path / "shop.bak"
    pair.b.execute(f"USE master; BACKUP DATABASE shop TO DISK = '{path}'")
    pair.say(handle, "second")
    pair.network.deliver()
    pair.b.execute(
        f"USE master; ALTER DATABASE shop SET SINGLE_USER WITH ROLLBACK IMMEDIATE; RESTORE DATABASE shop FROM DISK = '{path}' WITH REPLACE, ENABLE_BROKER"
    )
    pair.b.execute("ALTER DATABASE shop SET MULTI_USER")
    pair.say(handle, "third")
    pair.network.advance(300)
    assert pair.b.execute(NUMBERS) == [[(0, 1), (2, 2)]]
    assert pair.status() == []  # it is on the receiver's disk
    (finding,) = [
        row for row in pair.b.execute("USE shop; EXEC sys.sp_sbql_diagnose")[0] if "MESSAGE_INCOMPLETE" in str(row)
    ]
    assert finding
