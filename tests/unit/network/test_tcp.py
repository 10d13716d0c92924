"""The transport of real instances: what only real sockets show."""

from __future__ import annotations

import socket
import threading
from typing import Any

from sbql.engine.network.tcp import TcpTransport


class Nobody:
    """Hears nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_: None


def test_a_port_that_was_let_go_is_free_at_once() -> None:
    """An endpoint that is altered stops and begins to listen on the same port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    transport = TcpTransport(lambda: None)  # type: ignore[arg-type, return-value]
    try:
        for _ in range(50):
            transport.listen("127.0.0.1", port, Nobody())
            socket.create_connection(("127.0.0.1", port)).close()
            transport.stop_listening()
    finally:
        transport.close()


def test_a_ring_between_two_looks_at_the_bell_is_not_lost() -> None:
    """Whoever has something to do while the bell is looked at must not keep later ones from ringing: the thread then slept until its second was over."""
    transport = TcpTransport(lambda: None)  # type: ignore[arg-type, return-value]
    bell = transport._bell

    class Interrupted:
        """Somebody comes just before the bell is looked at."""

        def recv(self, most: int) -> bytes:
            transport.do(lambda: None)
            return bell.recv(most)

        def close(self) -> None:
            bell.close()

    transport._bell = Interrupted()  # type: ignore[assignment]
    try:
        for _ in range(3):
            done = threading.Event()
            transport.do(done.set)
            assert done.wait(0.5)
    finally:
        transport.close()
