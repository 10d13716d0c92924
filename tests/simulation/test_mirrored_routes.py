"""Routes with a MIRROR_ADDRESS: dialogs go on where the database is, after it has moved there and back."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from test_network import BEGIN, SHOP

from sbql.engine.simulated_network import Machine, Network

ROUTE = """USE shop; DROP ROUTE there
CREATE ROUTE there WITH SERVICE_NAME = '//B', BROKER_INSTANCE = '{broker}', ADDRESS = 'TCP://B:4022', MIRROR_ADDRESS = 'TCP://C:4022'"""


def bodies(machine: Machine) -> list[str]:
    rows = machine.execute("SELECT CAST(message_body AS varchar(20)) FROM shop.dbo.desk ORDER BY queuing_order")[0]
    return [row[0] for row in rows]


@pytest.mark.spec("ROUTE-33")
def test_dialogs_follow_the_database_to_the_mirror_and_back(tmp_path: Path) -> None:
    with Network(1, folder=tmp_path) as network:
        a, b, c = network.add("A"), network.add("B", on_disk=True), network.add("C", on_disk=True)
        files = {machine: next(tmp_path.glob(f"{machine.name}*.duckdb")) for machine in (b, c)}
        c.close()
        a.execute(SHOP.format(me="A", you="B"))
        b.execute(SHOP.format(me="B", you="A"))
        ((broker,),) = b.execute(
            "SELECT CAST(service_broker_guid AS varchar(36)) FROM sys.databases WHERE name = 'shop'"
        )[0]
        a.execute(ROUTE.format(broker=broker))
        ((handle,),) = a.execute(BEGIN.format(me="A", you="B", more=""))[0]
        network.deliver()
        expected = ["first"]
        assert bodies(b) == expected
        there, elsewhere = b, c
        for text in ("at the mirror", "back again"):
            there.close()
            shutil.copyfile(files[there], files[elsewhere])
            elsewhere.open()
            there, elsewhere = elsewhere, there
            a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('{text}')")
            network.deliver(200)
            expected.append(text)
            assert bodies(there) == expected
        there.close()
        a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('nobody is there')")
        network.advance(300)
        assert "refused" in a.execute("SELECT transmission_status FROM shop.sys.transmission_queue")[0][0][0]
        there.open()
        network.deliver(200)
        assert bodies(there) == [*expected, "nobody is there"]
