"""The end of a stream is told by a word of ours, and not where a call has failed. Arrow's own way may abort the process
if its server is gone and another thread receives, which comes too rarely to be had at will."""

from __future__ import annotations

import threading
from typing import Any

import pyarrow.flight as flight
import pytest

from sbql.engine.server.endpoint import parse_url
from sbql.engine.server.flight_client import FlightStream, FlightTransport
from sbql.grammar.errors import SqlError


class Side:
    """A writer or reader: notes what it is asked for, and fails when it shall."""

    def __init__(self, fails: bool) -> None:
        self.fails, self.asked = fails, []

    def __getattr__(self, name: str) -> Any:
        def call(*_: object) -> Any:
            self.asked.append(name)
            if self.fails:
                raise flight.FlightUnavailableError("the server was killed")
            raise StopIteration

        return call


@pytest.mark.parametrize(("fails", "told"), [(None, True), ("send", False), ("receive", False)])
def test_the_end_is_told_to_a_server_that_is_there(fails: str | None, told: bool) -> None:
    writer, reader = Side(fails == "send"), Side(fails == "receive")
    stream = FlightStream(FlightTransport(parse_url("grpc://127.0.0.1:1")), writer, reader)
    if fails == "send":
        with pytest.raises(SqlError):
            stream.send(b"x")
    elif fails == "receive":
        with pytest.raises(SqlError):
            stream.receive()
    else:
        assert stream.receive() is None
    writer.fails, before = False, len(writer.asked)
    stream.close()
    stream.close()
    assert writer.asked[before:] == ["write_metadata"] * told, "once"
    stream.finish()
    assert writer.asked[before:] == ["write_metadata"] * told + ["close"]


def test_whoever_is_sending_is_not_disturbed() -> None:
    writer, reader = Side(False), Side(False)
    stream = FlightStream(FlightTransport(parse_url("grpc://127.0.0.1:1")), writer, reader)
    began, may_end = threading.Event(), threading.Event()

    def write(_: bytes) -> None:
        began.set()
        assert may_end.wait(10)

    writer.write_metadata = write
    sending = threading.Thread(target=stream.send, args=(b"x",))
    sending.start()
    assert began.wait(10)
    stream.close()
    assert reader.asked == ["cancel"]
    may_end.set()
    sending.join(10)
