"""The door of TDS: rubbish, faults of ours, a virtual clock, the end of the server."""

from __future__ import annotations

import socket
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import is_waiting, until
from tds_wire import HEADERS, PASSWORD, WireClient, of

import sbql
from sbql.engine.server.doors import Keys
from sbql.engine.server.owner import Server
from sbql.engine.server.tds_door import TdsDoor


def test_rubbish_ends_the_connection_and_nothing_else(port: int, client: WireClient) -> None:
    for first in (b"GET / HTTP/1.1\r\n\r\n", bytes(100), b"\x16\x03\x01\x00\x05hello", b"\x12\x01\x00\x09\0\0\0\0\0"):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as sock:
            sock.sendall(first)
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(4096):
                pass
    assert of("row", client.batch("SELECT 1")) == [((1,),)]


def until_it_ends(client: WireClient) -> None:
    """Raises TimeoutError when it does not."""
    try:
        while True:
            client.message()
    except ConnectionError:
        pass


def test_the_end_of_the_server_ends_connections() -> None:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        client = WireClient(server.endpoints[1].port, password=PASSWORD)
        waiting = WireClient(server.endpoints[1].port, password=PASSWORD)
        ((spid,),) = of("row", waiting.batch("SELECT @@SPID"))[0]
        waiting.send(1, HEADERS + "WAITFOR DELAY '01:00'".encode("utf-16-le"))
        until(lambda: is_waiting(server, spid))
        server.stop(0)
        for one in (client, waiting):
            until_it_ends(one)
            one.close()


def test_on_a_virtual_clock_a_wait_takes_no_time() -> None:
    text = "DECLARE @d datetime2 = SYSDATETIME(); WAITFOR DELAY '23:00'; SELECT DATEDIFF(hour, @d, SYSDATETIME())"
    with (
        sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD, clock="auto") as server,
        WireClient(server.endpoints[1].port, password=PASSWORD) as client,
    ):
        assert of("row", client.batch(text)) == [((23,),)]
        assert of("error", client.batch("SELECT * FROM nowhere"))[0][0] == 208


class Faulty:
    """The server with sessions in which everything fails."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    def attach(self, *who: Any) -> Any:
        return FaultySession(self._server.attach(*who))


class FaultySession:
    def __init__(self, session: Any) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def run(self, begin: Any, show: Any) -> None:
        raise ZeroDivisionError("a fault")


def test_a_fault_is_an_internal_error_and_the_server_stays(served: Server) -> None:
    lines: list[str] = []
    stop = served.instance.listen_log(lambda record: lines.append(record.text) if record.number == 3624 else None)
    door = TdsDoor(Faulty(served), "127.0.0.1", 0, keys=Keys())  # type: ignore[arg-type]
    port = door.open().port
    try:
        for _ in range(2):
            with WireClient(port, password=PASSWORD) as client:
                assert of("error", client.batch("SELECT 1"))[0][:2] == (3624, 20)
                with pytest.raises(ConnectionError):
                    client.message()
    finally:
        stop()
        door.close(5)
    assert [("a fault" in line, "127.0.0.1" in line) for line in lines] == [(True, True)] * 2
