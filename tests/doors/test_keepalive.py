"""A client whose machine has vanished says nothing: the server notices it by what it sends itself."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow as pa
import pytest
from serving import line_of

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.engine.server import flight_door
from sbql.engine.server.client import client_at
from sbql.engine.server.doors import Keys
from sbql.engine.server.flight_client import FlightTransport
from sbql.engine.server.flight_door import BEAT, FlightDoor
from sbql.engine.server.messages import ALIVE, PROTOCOL, pack
from sbql.engine.server.owner import Server


@contextmanager
def beating(beat: float, host: str = "127.0.0.1") -> Iterator[Server]:
    instance = Instance.open(None)
    server = Server(instance, [lambda door: FlightDoor(door, host, beat=beat)], Keys(), pid=os.getpid())
    try:
        with server:
            yield server
    finally:
        instance.close()


def test_signs_of_life_come_between_answers_and_are_none() -> None:
    with beating(0.05) as server:
        stream = FlightTransport(server.endpoint).open(pack({"protocol": PROTOCOL, "database": "master"}))
        assert stream.receive() != ALIVE, "first of all the session is opened"
        assert [stream.receive() for _ in range(3)] == [ALIVE] * 3, "while nothing is asked"
        stream.abandon()
        session = client_at(server.endpoint.url, server.endpoint.token).session("master")
        for number in range(40):
            (result,) = [
                o for o in session.run(f"WAITFOR DELAY '00:00:00.010'; SELECT {number}") if isinstance(o, ResultSet)
            ]
            assert result.rows == [(number,)]
        session.close()


def test_a_client_that_leaves_while_it_gets_a_sign_of_life_hurts_nobody() -> None:
    """Arrow frees a call's writer when the call is over; a sign of life behind it broke the memory of the server."""
    with beating(0.001) as server:
        for _ in range(60):
            session = client_at(server.endpoint.url, server.endpoint.token).session("master")
            (result,) = [o for o in session.run("SELECT 1") if isinstance(o, ResultSet)]
            assert result.rows == [(1,)]
            session.close()


class Writer:
    """Arrow's side of a call: what was said, and a client that takes it only when it wants to."""

    def __init__(self) -> None:
        self.said: list[bytes] = []
        self.is_asked, self.takes = threading.Event(), threading.Event()

    def write_metadata(self, message: pa.Buffer) -> None:
        self.is_asked.set()
        assert self.takes.wait(30)
        self.said.append(message.to_pybytes())


def test_the_end_of_a_call_waits_for_what_is_being_said_and_nothing_comes_behind_it() -> None:
    writer = Writer()
    sender = flight_door._Sender(writer)
    sender.beat()
    assert writer.is_asked.wait(30)
    ending = threading.Thread(target=sender.close)
    ending.start()
    ending.join(0.05)
    assert ending.is_alive() and writer.said == []
    writer.takes.set()
    ending.join(30)
    assert not ending.is_alive() and writer.said == [ALIVE]
    sender.beat()
    with pytest.raises(BrokenPipeError):
        sender(b"late")
    assert writer.said == [ALIVE]


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="looks for the sockets of this process in /proc")
def test_connections_end_when_what_was_sent_is_not_taken() -> None:
    """gRPC sets it for servers; docs/server.md rests on it."""
    with beating(BEAT) as server:
        session = client_at(server.endpoint.url, server.endpoint.token).session("master")
        found = []
        for name in os.listdir("/proc/self/fd"):
            with suppress(OSError):
                if not os.readlink(f"/proc/self/fd/{name}").startswith("socket:"):
                    continue
                with socket.socket(fileno=os.dup(int(name))) as one:
                    is_inet = one.family in (socket.AF_INET, socket.AF_INET6)
                    if is_inet and one.getsockname()[1] == server.endpoint.port and one.getpeername():
                        found.append(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))
        assert found == [20_000]
        session.close()


CLIENT = """
import sys
import sbql
connection = sbql.connect(endpoint=sys.argv[1], token=sys.argv[2])
connection.execute("BEGIN TRANSACTION; UPDATE t SET n = 2")
print("holds", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.environ.get("DOORS") != "all", reason="takes half a minute: `make doors` runs it")
def test_a_machine_that_vanishes_loses_its_locks() -> None:
    """In a network namespace, whose cable is pulled: no FIN, no RST."""

    def ip(*words: str) -> None:
        subprocess.run(["ip", *words], check=True, capture_output=True)

    try:
        ip("netns", "add", "sbqltest")
        ip("link", "add", "sbqlhere", "type", "veth", "peer", "name", "sbqlthere", "netns", "sbqltest")
    except (OSError, subprocess.CalledProcessError) as error:
        with suppress(OSError):
            subprocess.run(["ip", "netns", "del", "sbqltest"], check=False, capture_output=True)
        pytest.skip(f"needs the right to make a network namespace ({error})")
    try:
        ip("addr", "add", "10.213.77.1/24", "dev", "sbqlhere")
        ip("link", "set", "sbqlhere", "up")
        ip("-n", "sbqltest", "addr", "add", "10.213.77.2/24", "dev", "sbqlthere")
        ip("-n", "sbqltest", "link", "set", "sbqlthere", "up")
        with beating(1.0, "10.213.77.1") as server:
            session = server.instance.connect()
            session.run("CREATE TABLE t (n int); INSERT t VALUES (1)")
            command = ["ip", "netns", "exec", "sbqltest", sys.executable, "-c", textwrap.dedent(CLIENT)]
            command += [server.endpoint.url, server.endpoint.token]
            with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
                assert client.stdout is not None
                assert line_of(client.stdout) == "holds\n"
                ip("-n", "sbqltest", "link", "set", "sbqlthere", "down")
                began = time.monotonic()
                session.run("UPDATE t SET n = 3")  # waits for the lock
                took = time.monotonic() - began
                assert session.run("SELECT n FROM t")[0].rows == [(3,)]  # type: ignore[union-attr]
                assert took < 40
                client.kill()
    finally:
        with suppress(OSError):
            subprocess.run(["ip", "netns", "del", "sbqltest"], check=False, capture_output=True)
            subprocess.run(["ip", "link", "del", "sbqlhere"], check=False, capture_output=True)
