"""A stream whose call has failed is not written to once more: gRPC has ended it, and may abort the process of whoever
tells it the end, which comes too rarely to be had at will."""

from __future__ import annotations

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
    writer.fails = False
    stream.close()
    assert ("done_writing" in writer.asked) == told
    stream.close()
    assert writer.asked.count("done_writing") == int(told), "once"
