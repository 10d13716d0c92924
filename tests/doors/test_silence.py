"""A server that says nothing any more: its clients do not wait for ever, and those of one that is only
busy wait for as long as it takes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from serving import ServerProcess, line_of

from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.server import client, silence
from sbql.engine.server.client import Client
from sbql.engine.server.endpoint import parse_url
from sbql.engine.server.flight_client import FlightTransport
from sbql.grammar.errors import SqlError

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="stops a process")

PATIENCE = 1.2
SERVER = """
import os, sys, time
import pyarrow as pa
from sbql.engine.instance import Instance
from sbql.engine.operations import operation
from sbql.engine.server.doors import Keys
from sbql.engine.server.flight_door import FlightDoor
from sbql.engine.server.owner import Server

def slowly(pause):
    for n in range(2):
        time.sleep(pause * n)
        yield pa.record_batch({"n": [n]})

@operation("test.rows", kind="read")
def rows(call):
    return pa.RecordBatchReader.from_batches(pa.schema({"n": pa.int64()}), slowly(call.request["pause"]))

@operation("test.take", kind="write")
def take(call):
    return {"count": sum(batch.num_rows for batch in call.rows)}

server = Server(Instance.open(None), [lambda door: FlightDoor(door, beat=0.1)], Keys(), pid=os.getpid())
with server:
    print(server.endpoint.url, server.endpoint.token, flush=True)
    sys.stdin.read()
"""


class Stopped:
    """A server of another process, with signs of life ten times a second, that can be stopped."""

    def __init__(self) -> None:
        command = [sys.executable, "-c", textwrap.dedent(SERVER)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        url, token = line_of(self.process.stdout).split()
        endpoint = parse_url(url, token, "")
        self.client = Client(endpoint, FlightTransport(endpoint, PATIENCE))

    @contextmanager
    def stop(self) -> Iterator[None]:
        os.kill(self.process.pid, signal.SIGSTOP)
        _, status = os.waitpid(self.process.pid, os.WUNTRACED)  # until then its threads may still answer
        assert os.WIFSTOPPED(status)
        try:
            yield
        finally:
            os.kill(self.process.pid, signal.SIGCONT)


@pytest.fixture
def server() -> Iterator[Stopped]:
    found = Stopped()
    try:
        yield found
    finally:
        found.client.close()
        found.process.kill()
        found.process.communicate()


def value(outcomes: list[Any]) -> Any:
    (result,) = [o for o in outcomes if isinstance(o, ResultSet)]
    return result.rows[0][0]


def test_a_session_does_not_wait_for_a_server_that_is_stopped(server: Stopped) -> None:
    session, idle = server.client.session("master"), server.client.session("master")
    session.run("CREATE TABLE t (n int); INSERT t VALUES (1); BEGIN TRANSACTION; UPDATE t SET n = 2")
    with server.stop():
        began = time.monotonic()
        (outcome,) = session.run("SELECT n FROM t")
        assert PATIENCE <= time.monotonic() - began < 20
        assert isinstance(outcome, ErrorOutcome)
        assert (outcome.error.number, outcome.error.severity) == (10060, 20)
        assert "sbql ping" in outcome.error.message and silence.VARIABLE in outcome.error.message
        assert session.is_ended and session.loss is not None
        (outcome,) = idle.run("SELECT 1")
        assert isinstance(outcome, ErrorOutcome) and outcome.error.number == 10060
    after = server.client.session("master")
    assert value(after.run("UPDATE t SET n += 10; SELECT n FROM t")) == 11, "what was not committed is undone"
    session.close()


def test_a_call_does_not_wait_for_a_server_that_is_stopped(server: Stopped) -> None:
    with server.stop():
        began = time.monotonic()
        with pytest.raises(SqlError) as raised:
            server.client.act("wait_idle", {"seconds": 1.0})
        assert raised.value.number == 10060
        assert time.monotonic() - began < 20


def test_a_store_whose_owner_is_stopped_is_not_taken_for_one_that_nobody_serves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "_ANSWERS", 0.5)
    served = ServerProcess("--store", tmp_path / "shop.duckdb")
    try:
        os.kill(served.pid, signal.SIGSTOP)
        with pytest.raises(SqlError) as raised:
            client.client_of_store(served.store)
        assert raised.value.number == 10060
        os.kill(served.pid, signal.SIGCONT)
        found = client.client_of_store(served.store)
        assert found is not None
        client.forget(found)
    finally:
        served.process.kill()
        served.process.communicate()


def test_whoever_is_only_busy_is_waited_for(server: Stopped) -> None:
    session = server.client.session("master")
    before = time.monotonic()
    assert value(session.run("WAITFOR DELAY '00:00:02.500'; SELECT 7")) == 7
    assert time.monotonic() - before > 2 * PATIENCE


def test_rows_are_waited_for_as_long_as_the_server_is_there(server: Stopped) -> None:
    assert server.client.read("test.rows", {"pause": 1.5 * PATIENCE}).read_all()["n"].to_pylist() == [0, 1]
    assert server.client.write("test.take", {}, pa.table({"n": [1, 2, 3]})) == {"count": 3}
    reader = server.client.read("test.rows", {"pause": 1.0})
    assert reader.read_next_batch().num_rows == 1
    with server.stop(), pytest.raises(SqlError) as raised:
        reader.read_all()
    assert raised.value.number == 10060
    large = pa.table({"text": ["x" * 1000] * 20_000})
    batches = iter([*large.to_batches(1000)])
    rows = pa.RecordBatchReader.from_batches(large.schema, batches)
    with server.stop(), pytest.raises(SqlError) as raised:
        server.client.write("test.take", {}, rows)
    assert raised.value.number == 10060
    assert server.client.write("test.take", {}, large) == {"count": 20_000}


def test_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {}
    for text in ("", "90", "5", "0"):
        monkeypatch.setenv(silence.VARIABLE, text)
        found[text] = silence.limit()
    assert found == {"": 60.0, "90": 90.0, "5": 30.0, "0": 0.0}
    for text in ("soon", "-1", "nan", "inf"):
        monkeypatch.setenv(silence.VARIABLE, text)
        with pytest.raises(SqlError, match="Give it seconds"):
            silence.limit()


class Patient:
    """Waits for one message for so many looks."""

    patience = 0.04

    def __init__(self, looks: int) -> None:
        self.looks = looks
        self.is_over = False

    def waits_for(self) -> int:
        self.looks -= 1
        return 5 if self.looks > 0 else 6 - self.looks

    def give_up(self) -> None:
        self.is_over = True


def test_what_hears_something_in_time_goes_on() -> None:
    lucky, unlucky = Patient(4), Patient(1000)
    silence.watch(lucky)
    silence.watch(unlucky)
    end = time.monotonic() + 20
    while not unlucky.is_over and time.monotonic() < end:
        time.sleep(0.01)
    assert unlucky.is_over and not lucky.is_over


def test_a_call_that_takes_long_goes_on_while_pings_are_answered() -> None:
    is_done = threading.Event()
    pings = 0

    def call() -> bytes:
        assert is_done.wait(20)
        return b"answer"

    def ping(seconds: float) -> None:
        nonlocal pings
        pings += 1
        if pings % 3:
            raise SqlError(10061, "one is lost now and then")
        if pings == 9:
            is_done.set()

    assert silence.patiently(call, ping, "grpc://here", 0.06) == b"answer"
    assert pings >= 9
