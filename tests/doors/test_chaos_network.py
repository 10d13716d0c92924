"""Two and three instances, each a process, whose connections stall, are reset and are cut within a frame, while
processes are killed (`make kill-network`)."""

from __future__ import annotations

import os
import random
from collections import defaultdict
from pathlib import Path

import pytest
from chaos import ChaosProxy
from children import Child, end_well
from serving import endpoint_ports

SETUP = """CREATE DATABASE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = {encryption}, MESSAGE_FORWARDING = ENABLED)
USE shop; CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public"""
ROUTE = "USE {database}; CREATE ROUTE [to {to}] WITH SERVICE_NAME = '//{to}', ADDRESS = 'TCP://{by}:4022'"
BEGIN = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//{me}] TO SERVICE '//{to}' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('{dialog}:0:'); SELECT @h"""
SAY = "USE shop; SEND ON CONVERSATION '{handle}' (CAST('{dialog}:{number}:' + REPLICATE(CAST('x' AS varchar(max)), {size}) AS varbinary(max)))"
RECEIVE = """USE shop; WAITFOR (RECEIVE CAST(CAST(message_body AS varchar(max)) AS varchar(20)), DATALENGTH(message_body) FROM desk), TIMEOUT 5000"""
DIALOGS, MESSAGES = 6, 15
HARMS = int(os.environ.get("HARMS", "6"))
SEED = int(os.environ.get("KILL_SEED", "1"))


def _world(
    folder: Path, names: str, ways: dict[str, list[str]], encryption: str
) -> tuple[dict[str, Child], list[ChaosProxy]]:
    """A process for each name; `ways`: the neighbours that each connects to, every one through a proxy of its own."""
    ports = dict(zip(names, endpoint_ports(len(names)), strict=True))
    proxies, children = [], {}
    for place, name in enumerate(names):
        addresses = [f":4022=127.0.0.1:{ports[name]}"]
        for neighbour in ways[name]:
            proxies.append(ChaosProxy(ports[neighbour], 100 * SEED + 10 * place + len(proxies), HARMS))
            addresses.append(f"{neighbour}:4022=127.0.0.1:{proxies[-1].port}")
        children[name] = Child(folder / f"{name}.duckdb", addresses)
        for batch in SETUP.format(me=name, encryption=encryption).splitlines():
            children[name].run(batch)
    return children, proxies


def _talk(sender: Child, receiver: Child, to: str, victims: list[Child], kills: int) -> None:
    """Messages in some dialogs, while some are killed. Each comes once, and each dialog's in order."""
    chance = random.Random(SEED)
    handles = [sender.run(BEGIN.format(me="A", to=to, dialog=d))[0][0] for d in range(DIALOGS)]
    sizes: dict[tuple[int, int], int] = {}
    for number in range(1, MESSAGES):
        for dialog, handle in enumerate(handles):
            size = sizes[dialog, number] = chance.choice((0, 100, 30_000, 200_000))
            sender.run(SAY.format(handle=handle, dialog=dialog, number=number, size=size))
        if number % (MESSAGES // kills) == 1:
            victim = chance.choice(victims)
            victim.kill()
            victim.start()
    received: dict[int, int] = defaultdict(int)
    while sum(received.values()) < DIALOGS * MESSAGES:
        for text, size in receiver.run(RECEIVE):
            dialog, number = (int(part) for part in text.split(":")[:2])
            assert number == received[dialog], "once, and in order"
            received[dialog] += 1
            assert size == len(f"{dialog}:{number}:") + sizes.get((dialog, number), 0)
    while sender.run("SELECT COUNT(*) FROM shop.sys.transmission_queue") != [(0,)]:
        assert receiver.run(RECEIVE) == []
    end_well(sender, receiver, handles)


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("encryption", ["REQUIRED", "DISABLED"])
def test_two_processes_over_ways_that_stall_and_break(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encryption: str
) -> None:
    monkeypatch.setenv("SBQL_DOMAIN", str(tmp_path / "domain.key"))
    children, proxies = _world(tmp_path, "AB", {"A": ["B"], "B": ["A"]}, encryption)
    a, b = children["A"], children["B"]
    a.run(ROUTE.format(database="shop", to="B", by="B"))
    b.run(ROUTE.format(database="shop", to="A", by="A"))
    _talk(a, b, "B", [a, b], 3)
    assert sum(len(proxy.harms) for proxy in proxies) >= 3
    for child in (a, b):
        child.end()


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_three_processes_of_which_the_middle_one_passes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A and C know only B, which forwards, and is killed: who has sent sends again."""
    monkeypatch.setenv("SBQL_DOMAIN", str(tmp_path / "domain.key"))
    children, proxies = _world(tmp_path, "ABC", {"A": ["B"], "B": ["A", "C"], "C": ["B"]}, "REQUIRED")
    for name, to in (("A", "C"), ("C", "A")):
        children[name].run(ROUTE.format(database="shop", to=to, by="B"))
        children["B"].run(ROUTE.format(database="msdb", to=to, by=to))
    _talk(children["A"], children["C"], "C", list(children.values()), 3)
    assert sum(len(proxy.harms) for proxy in proxies) >= 3
    for child in children.values():
        child.end()
