"""Two instances over TCP whose endpoints start at the same moment, each with something to say to the other: both
connect, and all arrives without a pause."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from serving import endpoint_ports, until

import sbql
from sbql.engine.network.links import AFTER_DISCONNECT

SHOP = "USE shop; CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public"
ROUTE = "USE shop; CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://127.0.0.1:{port}'"
ENDPOINT = """CREATE ENDPOINT broker STATE = STOPPED AS TCP (LISTENER_PORT = {port}, LISTENER_IP = (127.0.0.1))
FOR SERVICE_BROKER (ENCRYPTION = {encryption})"""
SEND = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//{me}] TO SERVICE '//{you}' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('{turn}'); SEND ON CONVERSATION @h (CAST(REPLICATE(CAST('x' AS varchar(max)), 200000) AS varbinary(max)))"""
WAITING = "SELECT COUNT(*) FROM shop.sys.transmission_queue"
COUNT = "SELECT COUNT(*) FROM shop.dbo.desk"
TURNS = 8


@pytest.mark.timeout(300)
@pytest.mark.spec("NETWORK-2")
@pytest.mark.parametrize("encryption", ["DISABLED", "REQUIRED"])
def test_all_arrives_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encryption: str) -> None:
    monkeypatch.setenv("SBQL_DOMAIN", str(tmp_path / "domain.key"))
    ports = dict(zip("AB", endpoint_ports(), strict=True))
    sides = {name: sbql.connect(tmp_path / f"{name}.duckdb") for name in "AB"}
    try:
        for (me, side), you in zip(sides.items(), "BA", strict=True):
            side.execute("CREATE DATABASE shop")
            side.execute(SHOP.format(me=me))
            side.execute(ROUTE.format(you=you, port=ports[you]))
            side.execute(ENDPOINT.format(port=ports[me], encryption=encryption))
        for turn in range(TURNS):
            for (me, side), you in zip(sides.items(), "BA", strict=True):
                side.execute(SEND.format(me=me, you=you, turn=turn))
            line = threading.Barrier(2)
            starts = [threading.Thread(target=_start, args=(side, line)) for side in sides.values()]
            begun = time.monotonic()
            for start in starts:
                start.start()
            for start in starts:
                start.join()
            for side in sides.values():
                until(lambda side=side: side.execute(WAITING).fetchone() == (0,), "it is not brought over")
            assert time.monotonic() < begun + AFTER_DISCONNECT, "a destination was left alone"
            assert [side.execute(COUNT).fetchone() for side in sides.values()] == [(2 * turn + 2,)] * 2
            for side in sides.values():
                side.execute("ALTER ENDPOINT broker STATE = STOPPED")
    finally:
        for side in sides.values():
            side.close()


def _start(side: sbql.Connection, line: threading.Barrier) -> None:
    line.wait()
    side.execute("ALTER ENDPOINT broker STATE = STARTED")
