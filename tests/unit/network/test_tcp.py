"""The transport of real instances: what only real sockets show."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pytest

from sbql.engine.host import SystemHost
from sbql.engine.instance import Instance
from sbql.engine.network.address_map import AddressMap
from sbql.engine.network.tcp import TcpTransport
from sbql.engine.server.broker_network import BrokerNetwork
from sbql.engine.server.tcp_network import tcp_transport


class Flipping:
    """A way to a port on which one byte of what goes there is changed, when it is told so."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._left = -1
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def flip_after(self, count: int) -> None:
        self._left = count

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        far = socket.create_connection(("127.0.0.1", self._target))
        threading.Thread(target=self._carry, args=(far, near, False), daemon=True).start()
        self._carry(near, far, True)

    def _carry(self, one: socket.socket, other: socket.socket, is_harmed: bool) -> None:
        try:
            while data := bytearray(one.recv(16384)):
                if is_harmed and 0 <= self._left < len(data):
                    data[self._left] ^= 1
                    self._left = -1
                elif is_harmed and self._left >= 0:
                    self._left -= len(data)
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            end.close()


class Nobody:
    """Hears nothing."""

    def __getattr__(self, name: str) -> Any:
        return lambda *_, **__: None


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
    """Whoever has something to do while the bell is looked at must not keep later ones from ringing: the thread then
    slept until its second was over. Here it has no end."""
    transport = TcpTransport(lambda: None)  # type: ignore[arg-type, return-value]
    bell, select = transport._bell, transport._selector.select
    transport._selector.select = lambda _: select(None)  # type: ignore[method-assign, assignment, misc]
    transport.do(lambda: None)

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
            assert done.wait(20)
    finally:
        transport.close()


# --- two ends ----------------------------------------------------------------------------------------------


class Told:
    """What the events of a wire said, in their order; `wait(word)` until one has come."""

    def __init__(self) -> None:
        self.news: list[tuple[str, Any]] = []
        self.wires: list[Any] = []
        self.data = b""
        self._bell = threading.Condition()

    def __getattr__(self, name: str) -> Any:
        def note(wire: Any, more: Any = None, **how: Any) -> None:
            with self._bell:
                if name in ("accepted", "opened"):
                    self.wires.append(wire)
                if name == "received":
                    self.data += more
                    wire.consumed(len(more))
                self.news.append((name, how.get("by_sending", more)))
                self._bell.notify_all()

        return note

    def wait(self, *names: str) -> Any:
        with self._bell:
            assert self._bell.wait_for(lambda: any(name in names for name, _ in self.news), 10), (names, self.news)
            return next(more for name, more in self.news if name in names)

    def wait_for_data(self, length: int) -> None:
        with self._bell:
            assert self._bell.wait_for(lambda: len(self.data) >= length, 10)


class Ends:
    """Two transports, one of which listens; what goes between them goes through `way` when there is one."""

    def __init__(self, way: Callable[[int], int] = lambda port: port) -> None:
        self.transports = [tcp_transport(SystemHost()), tcp_transport(SystemHost())]
        self.near, self.far = Told(), Told()
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        self.transports[1].listen("127.0.0.1", port, self.far)
        self.wire = self.transports[0].connect(f"127.0.0.1:{way(port)}", self.near)
        self.near.wait("opened")
        self.far.wait("accepted")

    def secure(self) -> tuple[bytes, bytes]:
        """The bindings that both sides see."""
        self.far.wires[0].start_tls(b"")
        is_ready = threading.Event()  # else it would take the first bytes of TLS for others
        self.transports[1].do(is_ready.set)
        assert is_ready.wait(10)
        self.wire.start_tls(b"")
        return self.near.wait("secured"), self.far.wait("secured")

    def close(self) -> None:
        for transport in self.transports:
            transport.close()


@pytest.fixture
def ends() -> Iterator[Ends]:
    found = Ends()
    yield found
    found.close()


def test_an_error_of_sending_is_told_apart(ends: Ends) -> None:
    def send_too_late() -> None:
        ends.wire.socket.shutdown(socket.SHUT_WR)  # type: ignore[attr-defined]
        ends.wire.send([b"too late"])

    ends.transports[0].do(send_too_late)  # in its thread, before it looks at the socket again
    assert ends.near.wait("lost") is True
    assert ends.far.wait("lost") is False


def test_both_ends_see_the_certificate_that_this_start_has_made() -> None:
    """Another start makes another one."""
    seen = set()
    for _ in range(2):
        ends = Ends()
        try:
            near, far = ends.secure()
            assert near == far
            seen.add(near)
        finally:
            ends.close()
    assert len(seen) == 2


@pytest.mark.spec("NETWORK-14")
def test_no_byte_that_was_changed_on_the_way_is_told_where_it_is_encrypted() -> None:
    """One byte anywhere behind the handshake ends the connection on the side that finds it,
    with nothing that came after it."""
    message = bytes(range(256)) * 200
    for place in (5, 40, 20_000, 50_000):
        proxies: list[Flipping] = []

        def way(port: int, proxies: list[Flipping] = proxies) -> int:
            proxies.append(Flipping(port))
            return proxies[0].port

        ends = Ends(way)
        try:
            ends.secure()
            ends.wire.send([b"before"])
            ends.far.wait_for_data(6)
            proxies[0].flip_after(place)
            ends.wire.send([message])
            assert ends.far.wait("lost") is False
            assert b"before" + message != ends.far.data == (b"before" + message)[: len(ends.far.data)]
        finally:
            ends.close()
            proxies[0].close()


@pytest.mark.spec("ENDPOINT-27")
@pytest.mark.parametrize(("address", "number"), [("127.0.0.1", 9692), ("192.0.2.1", 9693)])
def test_a_port_that_cannot_be_opened_is_in_the_error_log(address: str, number: int) -> None:
    """Somebody has the port, or the address is not one of this machine's."""
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        instance = Instance.open(
            None, network=lambda made: BrokerNetwork(made, AddressMap({":4022": f"{address}:{port}"}))
        )
        with closing(instance):
            instance.connect().run(
                "CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (ENCRYPTION = DISABLED)"
            )
            deadline = time.monotonic() + 20
            while not (numbers := [r.number for r in instance.error_log if 9690 <= r.number <= 9693]):
                assert time.monotonic() < deadline
                instance.connect().run("WAITFOR DELAY '00:00:00.01'")
    assert numbers[0] == number
