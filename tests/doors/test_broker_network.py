"""Instances of several processes exchange messages over TCP."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from children import Child, end_well
from serving import endpoint_ports

SETUP = """CREATE DATABASE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = {encryption})
USE shop; CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
USE shop; CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'"""
SECURE = """USE shop; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Network-1-Password'; CREATE CERTIFICATE {me} WITH SUBJECT = '{me}', EXPIRY_DATE = '2099-01-01'
BACKUP CERTIFICATE {me} TO FILE = '{folder}/{me}.cer'"""
PARTNER = """USE shop; CREATE USER {you} WITHOUT LOGIN; CREATE CERTIFICATE {you} AUTHORIZATION {you} FROM FILE = '{folder}/{you}.cer'
USE shop; CREATE REMOTE SERVICE BINDING there TO SERVICE '//{you}' WITH USER = {you}
USE shop; REVOKE SEND ON SERVICE::[//{me}] FROM public; GRANT SEND ON SERVICE::[//{me}] TO {you}"""
SECURED = "SELECT COUNT(*) FROM shop.sys.conversation_endpoints WHERE outbound_session_key_identifier <> CAST(0x AS uniqueidentifier)"
RECEIVE = "USE shop; WAITFOR (RECEIVE conversation_handle, message_sequence_number, LEN(CAST(message_body AS varchar(max))) FROM desk), TIMEOUT 60000"


@pytest.fixture
def two(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[tuple[Child, Child]]:
    monkeypatch.setenv("SBQL_DOMAIN", str(tmp_path / "domain.key"))
    one, other = endpoint_ports()
    children = (
        Child(tmp_path / "a.duckdb", [f":4022=127.0.0.1:{one}", f"B:4022=127.0.0.1:{other}"]),
        Child(tmp_path / "b.duckdb", [f":4022=127.0.0.1:{other}", f"A:4022=127.0.0.1:{one}"]),
    )
    is_full = request.param == "FULL"
    words = {"encryption": "REQUIRED" if is_full else request.param, "folder": tmp_path}
    for texts in (SETUP, SECURE, PARTNER)[: 3 if is_full else 1]:
        for child, me, you in ((children[0], "A", "B"), (children[1], "B", "A")):
            for batch in texts.format(me=me, you=you, **words).splitlines():
                child.run(batch)
    yield children
    for child in children:
        child.end()


BEGIN = """USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (CAST(REPLICATE(CAST('x' AS varchar(max)), {size}) AS varbinary(max))); SELECT @h"""


@pytest.mark.spec("NETWORK-13", "NETWORK-14", "NETWORK-15")
@pytest.mark.parametrize("two", ["REQUIRED", "DISABLED", "FULL"], indirect=True)
def test_a_dialog_between_two_processes(two: tuple[Child, Child]) -> None:
    a, b = two
    a.run(BEGIN.format(size=1_000_000))
    ((handle, number, size),) = b.run(RECEIVE)
    assert (number, size) == (0, 1_000_000)
    b.run(f"USE shop; SEND ON CONVERSATION '{handle}' ('back')")
    ((_, _, size),) = a.run(RECEIVE)
    assert size == 4


@pytest.mark.spec("MONOLOG-33", "MONOLOG-35")
@pytest.mark.parametrize("two", ["FULL"], indirect=True)
def test_a_monolog_reaches_the_other_process(two: tuple[Child, Child]) -> None:
    """A publishes, B hears what is retained and what comes; both ways are secured by certificates."""
    a, b = two
    ((monolog,),) = a.run(
        "USE shop; DECLARE @h uniqueidentifier; BEGIN MONOLOG @h FROM SERVICE [//A] WITH RETENTION = ON; SEND ON CONVERSATION @h ('1'); SELECT @h"
    )
    b.run(
        "USE shop; DECLARE @h uniqueidentifier; BEGIN SUBSCRIPTION @h FOR SERVICE [//B] TO SERVICE '//A' WITH START = RETAINED"
    )
    assert [row[1:] for row in b.run(RECEIVE)] == [(0, 1)]
    a.run(f"USE shop; SEND ON CONVERSATION '{monolog}' ('22'); END CONVERSATION '{monolog}'")
    heard: list[Any] = []
    while len(heard) < 2:
        heard += [row[1:] for row in b.run(RECEIVE)]
    assert heard == [(1, 2), (2, None)]
    assert b.run(SECURED) == [(2,)]  # what tells of the subscription, and the monolog


@pytest.mark.soak
@pytest.mark.timeout(300)
def test_the_demo_ends_well(tmp_path: Path) -> None:
    """`make demo-network`, with two dialogs: certificates, both ways of security, two processes."""
    demo = Path(__file__).parents[2] / "scripts" / "network" / "run_demo.py"
    done = subprocess.run(
        [sys.executable, str(demo), "--dialogs", "2", "--folder", str(tmp_path)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "20 orders in 2 dialogs, 2 of them with session keys; 20 confirmed" in done.stdout
    assert "authentication CERTIFICATE, encryption AES" in done.stdout


@pytest.mark.soak
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("two", ["REQUIRED", "FULL"], indirect=True)
def test_messages_survive_the_death_of_either_side(two: tuple[Child, Child], request: pytest.FixtureRequest) -> None:
    """Each message arrives once and in order, however often one of the two is killed. A destination is left
    alone for up to a minute after that."""
    chance = random.Random(int(os.environ.get("KILL_SEED", "1")))
    a, b = two
    ((handle,),) = a.run(BEGIN.format(size=1))
    kills, received = int(os.environ.get("KILLS", "30")), 0
    for sent in range(1, kills + 1):
        a.run(
            f"USE shop; SEND ON CONVERSATION '{handle}' (CAST(REPLICATE(CAST('x' AS varchar(max)), {sent * 5000}) AS varbinary(max)))"
        )
        victim = chance.choice(two)
        time.sleep(chance.random() / 10)
        victim.kill()
        victim.start()
    while received <= kills:
        rows = b.run(RECEIVE)
        for _, number, size in rows:
            assert (number, size) == (received, received * 5000 or 1)
            received += 1
        assert rows or a.run("SELECT * FROM shop.sys.transmission_queue")
    is_full = "FULL" in request.node.name
    assert [child.run(SECURED) for child in two] == [[(int(is_full),)]] * 2, "dialog security is that of the run"
    end_well(a, b, [handle])
