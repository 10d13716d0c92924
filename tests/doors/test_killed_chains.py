"""An initiator, one or two that forward, and a target, each a process of its own over TCP. Any of them is killed while
messages are on their way both ways, and while the way goes in circles or nowhere for a while. KILL_SEED says which.

Who forwards keeps frames in memory alone: what a kill takes there has to be sent again, and comes once."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest
from children import Child, end_well
from serving import endpoint_ports

SEED = int(os.environ.get("KILL_SEED", "1"))
TURNS = int(os.environ.get("CHAIN_TURNS", "8"))
SHOP = """CREATE DATABASE shop
USE shop; CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
USE shop; CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{near}:4022'"""
ENDPOINT = """CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022)
FOR SERVICE_BROKER (ENCRYPTION = REQUIRED, MESSAGE_FORWARDING = ENABLED, MESSAGE_FORWARD_SIZE = 1)"""
SAY = """USE shop; SEND ON CONVERSATION '{handle}' (CAST('{dialog}:{number}:' + REPLICATE(CAST('x' AS varchar(max)), {size}) AS varbinary(max)))"""
RECEIVE = """USE shop; WAITFOR (RECEIVE CAST(CAST(message_body AS varchar(max)) AS varchar(20)), DATALENGTH(message_body), conversation_handle
FROM desk), TIMEOUT 300"""
WAITING = "SELECT transmission_status, COUNT(*) FROM shop.sys.transmission_queue GROUP BY transmission_status"
FORWARDED = "SELECT COUNT(*) FROM sys.dm_broker_forwarded_messages"


class Side:
    """What one end has said and heard in each dialog."""

    def __init__(self, child: Child) -> None:
        self.child = child
        self.handles: dict[int, str] = {}
        self.said: dict[int, list[int]] = {}
        self.heard: dict[int, int] = {}

    def say(self, dialog: int, size: int) -> None:
        numbers = self.said.setdefault(dialog, [])
        text = SAY.format(handle=self.handles[dialog], dialog=dialog, number=len(numbers), size=size)
        self.child.run(text)
        numbers.append(len(f"{dialog}:{len(numbers)}:") + size)

    def hear(self, other: Side) -> list[int]:
        """What has come: once, in order and whole. Returns the dialogs."""
        dialogs = []
        for text, size, handle in self.child.run(RECEIVE):
            dialog, number = map(int, text.split(":")[:2])
            self.handles.setdefault(dialog, handle)
            assert number == self.heard.get(dialog, 0), "once, and in order"
            assert size == other.said[dialog][number]
            self.heard[dialog] = number + 1
            dialogs.append(dialog)
        return dialogs

    def has_heard_all(self, other: Side) -> bool:
        return self.heard == {dialog: len(numbers) for dialog, numbers in other.said.items()}


class Chain:
    def __init__(self, folder: Path, hubs: int) -> None:
        self.chance = random.Random(1000 * hubs + SEED)
        self.names = ["A", *(f"H{number}" for number in range(hubs)), "B"]
        ports = dict(zip(self.names, endpoint_ports(len(self.names)), strict=True))
        addresses = [f"{name}:4022=127.0.0.1:{port}" for name, port in ports.items()]
        self.children = {
            name: Child(folder / f"{name}.duckdb", [f":4022=127.0.0.1:{ports[name]}", *addresses])
            for name in self.names
        }
        self.hubs = self.names[1:-1]
        for child in self.children.values():
            child.run(ENDPOINT)
        for me, you, near in (("A", "B", self.hubs[0]), ("B", "A", self.hubs[-1])):
            for line in SHOP.format(me=me, you=you, near=near).splitlines():
                self.children[me].run(line)
        for place, hub in enumerate(self.hubs, 1):
            for to, by in (("A", self.names[place - 1]), ("B", self.names[place + 1])):
                self.children[hub].run(
                    f"USE msdb; CREATE ROUTE [{to}] WITH SERVICE_NAME = '//{to}', ADDRESS = 'TCP://{by}:4022'"
                )
        self.a, self.b = Side(self.children["A"]), Side(self.children["B"])

    def begin(self) -> int:
        dialog = len(self.a.handles)
        ((self.a.handles[dialog],),) = self.children["A"].run(
            "USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF; SELECT @h"
        )
        return dialog

    def talk(self) -> None:
        """Both ways, small and large; some are larger than what may wait in one that forwards."""
        self.a.say(self.begin(), 0)
        for _ in range(8):
            dialog = self.chance.choice(list(self.a.handles))
            self.a.say(dialog, self.chance.choice((0, 0, 100, 30_000, 200_000, 1_500_000)))
        for dialog in list(self.b.handles):
            if self.chance.random() < 0.5:
                self.b.say(dialog, self.chance.choice((0, 100, 30_000)))

    def route(self, hub: str, to: str, by: str) -> None:
        self.children[hub].run(f"USE msdb; ALTER ROUTE [{to}] WITH ADDRESS = 'TCP://{by}:4022'")

    def harm(self) -> tuple[str, ...]:
        """Something is wrong with the way; what to say to `heal`."""
        hub = self.chance.choice(self.hubs)
        place = self.names.index(hub)
        kind = self.chance.choice(("circle", "forbidden", "none", "none"))
        if kind == "circle":
            to, by = self.chance.choice((("B", self.names[place - 1]), ("A", self.names[place + 1])))
            if by in self.hubs:
                self.route(hub, to, by)
                return kind, hub, to
        if kind == "forbidden":
            self.children[hub].run("ALTER ENDPOINT broker FOR SERVICE_BROKER (MESSAGE_FORWARDING = DISABLED)")
            return kind, hub
        return ("none",)

    def heal(self, kind: str, hub: str = "", to: str = "") -> None:
        if kind == "circle":
            place = self.names.index(hub)
            self.route(hub, to, self.names[place + (1 if to == "B" else -1)])
        elif kind == "forbidden":
            self.children[hub].run("ALTER ENDPOINT broker FOR SERVICE_BROKER (MESSAGE_FORWARDING = ENABLED)")

    def kill(self) -> None:
        names = self.chance.sample(self.names, self.chance.choice((1, 1, 2, len(self.names))))
        if not set(names) & set(self.hubs) and self.chance.random() < 0.5:
            names.append(self.chance.choice(self.hubs))
        for name in names:
            self.children[name].kill()
        for name in names:
            if self.chance.random() < 0.3:  # the others speak to nobody meanwhile
                time.sleep(self.chance.random())
            self.children[name].start()

    def hear(self) -> None:
        self.b.hear(self.a)
        self.a.hear(self.b)

    def ends(self) -> None:
        """All has come, both sides end, and nothing is left anywhere."""
        end = time.monotonic() + 200
        while not (self.b.has_heard_all(self.a) and self.a.has_heard_all(self.b)):
            assert time.monotonic() < end, {name: self.children[name].run(WAITING) for name in "AB"}
            self.hear()
        end_well(self.children["A"], self.children["B"], list(self.a.handles.values()))
        while left := [hub for hub in self.hubs if self.children[hub].run(FORWARDED) != [(0,)]]:
            assert time.monotonic() < end + 100, left
            time.sleep(0.5)
        for child in self.children.values():
            child.end()


@pytest.mark.timeout(600)
@pytest.mark.spec("NETWORK-17", "NETWORK-18", "NETWORK-2")
@pytest.mark.soak
@pytest.mark.parametrize("hubs", [1, 2])
def test_a_chain_any_part_of_which_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hubs: int) -> None:
    monkeypatch.setenv("SBQL_DOMAIN", str(tmp_path / "domain.key"))
    chain = Chain(tmp_path, hubs)
    for _ in range(TURNS):
        harm = chain.harm()
        chain.talk()
        time.sleep(chain.chance.random() / 3)
        chain.kill()
        if chain.chance.random() < 0.5:
            chain.hear()
        chain.heal(*harm)
        if chain.chance.random() < 0.5:
            chain.hear()
    chain.ends()
