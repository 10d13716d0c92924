"""Two instances, each a process, that are killed while what they know of each other changes: certificates expire and
are replaced, they swap their ports, one comes back with an older file of its store. KILL_SEED says which kills."""

from __future__ import annotations

import datetime as dt
import os
import random
import re
import shutil
import time
from pathlib import Path

import pytest
from children import Child, end_well
from serving import endpoint_ports

from sbql.catalog.store_file import store_files

SEED = int(os.environ.get("KILL_SEED", "1"))
PASSWORD = "Network-1-Password"
SHOP = "USE shop; CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT])"
RECEIVE = "USE shop; WAITFOR (RECEIVE CAST(message_body AS varchar(50)) FROM desk), TIMEOUT 500"
OTHER = {"A": "B", "B": "A"}


class Pair:
    """A sends numbered messages in dialogs, B receives them: once, and each dialog's in order."""

    def __init__(self, folder: Path, addresses: dict[str, list[str]]) -> None:
        self.folder, self.chance = folder, random.Random(SEED)
        self.children = {name: Child(folder / f"{name}.duckdb", addresses[name]) for name in "AB"}
        self.a, self.b = self.children["A"], self.children["B"]
        self.encryption, self.to_broker = "OFF", ""
        self.handles: list[str] = []
        self.sent: list[int] = []
        self.received: list[int] = []

    def begin(self) -> None:
        rows = self.a.run(
            f"""USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B'{self.to_broker}
            WITH ENCRYPTION = {self.encryption}; SEND ON CONVERSATION @h ('{len(self.handles)}:0'); SELECT @h"""
        )
        self.handles.append(rows[0][0])
        self.sent.append(1)
        self.received.append(0)

    def say(self, count: int) -> None:
        for _ in range(count):
            dialog = self.chance.randrange(len(self.handles))
            self.a.run(f"USE shop; SEND ON CONVERSATION '{self.handles[dialog]}' ('{dialog}:{self.sent[dialog]}')")
            self.sent[dialog] += 1

    def receive(self) -> None:
        for (text,) in self.b.run(RECEIVE):
            dialog, number = map(int, text.split(":"))
            assert number == self.received[dialog], "once, and in order"
            self.received[dialog] += 1

    def kill(self, *names: str) -> None:
        for name in names:
            self.children[name].kill()
        for name in names:
            self.children[name].start()

    def ends(self) -> None:
        """All arrives, both sides end, and nothing is left."""
        end = time.monotonic() + 200
        while self.received != self.sent:
            assert time.monotonic() < end, self.a.run(
                "SELECT DISTINCT transmission_status FROM shop.sys.transmission_queue"
            )
            self.receive()
        end_well(self.a, self.b, self.handles)


def close(pair: Pair) -> None:
    for child in pair.children.values():
        child.end()


# --- certificates ------------------------------------------------------------------------------------------

LIFE = 6.0
"""Seconds for which the first certificates are good."""


class Certified(Pair):
    def __init__(self, folder: Path, *, is_secured: bool) -> None:
        ports = dict(zip("AB", endpoint_ports(), strict=True))
        super().__init__(
            folder,
            {me: [f":4022=127.0.0.1:{ports[me]}", f"{you}:4022=127.0.0.1:{ports[you]}"] for me, you in OTHER.items()},
        )
        self.databases = ("master", "shop") if is_secured else ("master",)
        self.encryption = "ON" if is_secured else "OFF"
        for me, you in OTHER.items():
            run = self.children[me].run
            run("CREATE DATABASE shop")
            run(SHOP.format(me=me))
            run(f"USE master; CREATE LOGIN {you} WITH PASSWORD = '{PASSWORD}'; CREATE USER {you} FOR LOGIN {you}")
            run(f"USE shop; CREATE USER {you} WITHOUT LOGIN; GRANT SEND ON SERVICE::[//{me}] TO {you}")
            run(f"USE shop; CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'")
            for database in self.databases:
                run(f"USE {database}; CREATE MASTER KEY ENCRYPTION BY PASSWORD = '{PASSWORD}'")
            if is_secured:
                run(f"USE shop; CREATE REMOTE SERVICE BINDING there TO SERVICE '//{you}' WITH USER = {you}")
            else:
                run(f"USE shop; GRANT SEND ON SERVICE::[//{me}] TO public")
        self.end_of_life = time.monotonic() + LIFE
        for me in OTHER:
            self.make(me, 0, LIFE)
        for me, you in OTHER.items():
            self.children[me].run(
                f"""USE master; CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022)
                FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE {me}_master_0, ENCRYPTION = REQUIRED)
                GRANT CONNECT ON ENDPOINT::broker TO {you}"""
            )

    def make(self, me: str, number: int, life: float) -> None:
        """New certificates of one side, also at the other."""
        expiry = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=life)
        for database in self.databases:
            name = f"{me}_{database}_{number}"
            self.children[me].run(
                f"""USE {database}; CREATE CERTIFICATE {name} WITH SUBJECT = '{name}', EXPIRY_DATE = '{expiry:%Y-%m-%dT%H:%M:%S}'
                BACKUP CERTIFICATE {name} TO FILE = '{self.folder}/{name}.cer'"""
            )
            self.children[OTHER[me]].run(
                f"USE {database}; CREATE CERTIFICATE {name} AUTHORIZATION {me} FROM FILE = '{self.folder}/{name}.cer'"
            )

    def replace(self, number: int) -> None:
        """Both sides get new ones, in either order, and use them."""
        order = self.chance.choice(("AB", "BA"))
        for me in order:
            self.make(me, number, 3600.0)
        for me in order:
            self.children[me].run(
                f"USE master; ALTER ENDPOINT broker FOR SERVICE_BROKER (AUTHENTICATION = CERTIFICATE {me}_master_{number})"
            )

    def forget(self, number: int) -> None:
        for child in self.children.values():
            for database in self.databases:
                child.run(
                    "; ".join([f"USE {database}", *(f"DROP CERTIFICATE {me}_{database}_{number}" for me in "AB")])
                )


@pytest.mark.timeout(300)
@pytest.mark.spec("WIRE-13", "SECURE-8", "NETWORK-2")
@pytest.mark.soak
@pytest.mark.parametrize("is_secured", [True, False])
def test_certificates_that_expire_and_are_replaced_between_kills(tmp_path: Path, is_secured: bool) -> None:
    pair = Certified(tmp_path, is_secured=is_secured)
    pair.begin()
    for turn in range(6):
        pair.begin()
        pair.say(8)
        time.sleep(pair.chance.random() / 5)
        if turn == 2:  # nobody lets anybody in after this
            time.sleep(max(0.0, pair.end_of_life + 1 - time.monotonic()))
        pair.kill(*pair.chance.choice(("A", "B", "AB")))
        if turn == 2:
            pair.say(2)
            pair.replace(1)
        if turn == 4:
            pair.replace(2)
            pair.forget(0)
        pair.receive()
    pair.ends()
    close(pair)


# --- addresses ---------------------------------------------------------------------------------------------

LISTEN = "AS TCP (LISTENER_PORT = {port}, LISTENER_IP = (127.0.0.1)) FOR SERVICE_BROKER (ENCRYPTION = REQUIRED)"


@pytest.fixture
def domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SBQL_DOMAIN", str(tmp_path / "domain.key"))
    return tmp_path


def neighbours(folder: Path, ports: dict[str, int], *, by_broker: bool) -> Pair:
    """Endpoints and routes with the ports themselves; `by_broker`: routes for one broker id only."""
    pair = Pair(folder, {"A": [], "B": []})
    ids = {}
    for me, child in pair.children.items():
        child.run("CREATE DATABASE shop")
        child.run(f"CREATE ENDPOINT broker STATE = STARTED {LISTEN.format(port=ports[me])}")
        child.run(SHOP.format(me=me) + f"; GRANT SEND ON SERVICE::[//{me}] TO public")
        ((ids[me],),) = child.run("SELECT CAST(service_broker_guid AS char(36)) FROM sys.databases WHERE name = 'shop'")
    for me, you in OTHER.items():
        only = f", BROKER_INSTANCE = '{ids[you]}'" if by_broker else ""
        pair.children[me].run(
            f"USE shop; CREATE ROUTE there WITH SERVICE_NAME = '//{you}'{only}, ADDRESS = 'TCP://127.0.0.1:{ports[you]}'"
        )
    pair.to_broker = f", '{ids['B']}'" if by_broker else ""
    return pair


@pytest.mark.timeout(300)
@pytest.mark.spec("NETWORK-2", "NETWORK-15")
@pytest.mark.soak
@pytest.mark.parametrize("by_broker", [True, False])
def test_instances_that_swap_their_ports_while_messages_wait(domain: Path, by_broker: bool) -> None:
    """For a while the routes of both lead to themselves."""
    ports = dict(zip("AB", endpoint_ports(), strict=True))
    pair = neighbours(domain, ports, by_broker=by_broker)
    pair.begin()
    for _ in range(3):
        pair.begin()
        pair.say(8)
        pair.kill("A", "B")
        for child in pair.children.values():
            child.run("ALTER ENDPOINT broker STATE = STOPPED")
        ports["A"], ports["B"] = ports["B"], ports["A"]
        for me, child in pair.children.items():
            child.run("ALTER ENDPOINT broker STATE = STARTED " + LISTEN.format(port=ports[me]).partition(" FOR ")[0])
        pair.say(4)
        time.sleep(pair.chance.random() / 2)
        pair.receive()
        pair.kill(pair.chance.choice("AB"))
        pair.say(4)
        for me, you in OTHER.items():
            pair.children[me].run(f"USE shop; ALTER ROUTE there WITH ADDRESS = 'TCP://127.0.0.1:{ports[you]}'")
        pair.receive()
    pair.ends()
    close(pair)


# --- an older file -----------------------------------------------------------------------------------------

CODES = "SELECT CAST(message_body AS nvarchar(400)) FROM shop.dbo.desk WHERE message_type_name LIKE '%/Error'"


@pytest.mark.timeout(300)
@pytest.mark.spec("RESTORED-5")
@pytest.mark.parametrize(
    ("count", "is_other_killed"), [pytest.param(1, False, marks=pytest.mark.soak), (9, False), (9, True)]
)
def test_a_store_that_is_put_back_as_an_older_file(domain: Path, count: int, is_other_killed: bool) -> None:
    """Nothing disables the broker of a file that was copied. Neither side goes on believing that all arrives."""
    ports = dict(zip("AB", endpoint_ports(), strict=True))
    pair = neighbours(domain, ports, by_broker=False)
    pair.begin()
    pair.say(3)
    while pair.received != pair.sent:
        pair.receive()
    pair.a.end()
    files = [file for file in store_files(str(pair.a.store)) if Path(file).exists()]
    for file in files:
        shutil.copy(file, file + ".older")
    pair.a.start()
    pair.say(5)
    while pair.received != pair.sent:
        pair.receive()
    pair.a.kill()
    for file in store_files(str(pair.a.store)):
        Path(file).unlink(missing_ok=True)
    for file in files:
        shutil.move(file + ".older", file)
    if is_other_killed:
        pair.kill("B")
    pair.a.start()
    again = "; ".join([f"SEND ON CONVERSATION '{pair.handles[0]}' ('again')"] * count)
    pair.a.run(f"USE shop; BEGIN TRY {again} END TRY BEGIN CATCH END CATCH")  # it may know already
    codes: dict[str, list[str]] = {}
    end = time.monotonic() + 100
    while not all(codes.get(name) for name in "AB"):
        assert time.monotonic() < end, [
            child.run(
                "SELECT is_initiator, state, send_sequence, receive_sequence FROM shop.sys.conversation_endpoints UNION ALL SELECT -1, transmission_status, message_sequence_number, 0 FROM shop.sys.transmission_queue"
            )
            for child in (pair.a, pair.b)
        ]
        for name, child in pair.children.items():
            codes[name] = [re.findall("<Code>(.*)</Code>", body)[0] for (body,) in child.run(CODES)]
    assert codes == {"A": ["-9719"], "B": ["-9720"]}
    assert pair.b.run("SELECT COUNT(*) FROM shop.dbo.desk WHERE CAST(message_body AS varchar(10)) = 'again'") == [(0,)]
    close(pair)
