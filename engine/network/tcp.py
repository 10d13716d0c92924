"""TCP: the transport of real instances. A thin shell around sockets: bytes in, bytes out, encrypted when it is told so.

One thread does everything with sockets; others only leave it something to do. Decides how much is read ahead. Must not
know what the bytes say. TLS only encrypts: the certificate is made at the start of the process that listens, and nobody
checks it; who the other side is, is proved inside (`adjacent`).
"""

from __future__ import annotations

import contextlib
import selectors
import socket
import ssl
import threading
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from typing import Final

from sbql.engine.network.wires import Wire, WireEvents

__all__ = ["TcpTransport"]

_CHUNK: Final = 256 * 1024
_AHEAD: Final = 4 * 1024 * 1024
"""Bytes that are read before somebody works them off."""
_LOW_WATER: Final = 64 * 1024
_CONNECT_TIME: Final = 10.0
_STOP_TIME: Final = 5.0

MakeTls = Callable[[], tuple[ssl.SSLContext, bytes]]


class TcpWire:
    """One connection. Methods that begin with `do_` run in the thread of the transport."""

    def __init__(self, transport: TcpTransport, address: str, events: WireEvents, *, is_acceptor: bool) -> None:
        self._transport = transport
        self._address = address
        self._events = events
        self._is_acceptor = is_acceptor
        self.socket: socket.socket | None = None
        self._given = self._gone = 0
        """Bytes that were given to `send`, and those that are gone: each is counted by one thread."""
        self._is_full = False
        self._out: deque[tuple[bytes, int]] = deque()
        """What goes out, and how much of what was given is gone with it."""
        self._unread = 0
        self._tls: ssl.SSLObject | None = None
        self._incoming, self._outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._binding = b""
        self._is_secured = self.is_closing = self._is_told = False

    @property
    def address(self) -> str:
        return self._address

    @property
    def backlog(self) -> int:
        return self._given - self._gone

    def send(self, frames: list[bytes]) -> None:
        data = b"".join(frames)
        self._given += len(data)
        if self.backlog >= _LOW_WATER:
            self._is_full = True
        self._transport.do(lambda: self._do_send(data))

    def consumed(self, count: int) -> None:
        self._transport.do(lambda: self._do_consumed(count))

    def start_tls(self, rest: bytes) -> None:
        self._transport.do(lambda: self._do_start_tls(rest))

    def close(self) -> None:
        self._is_told = True
        self._transport.do(self._do_close)

    def opened(self, connected: socket.socket) -> None:
        """In the thread of the transport: there is a socket."""
        connected.setblocking(False)
        with contextlib.suppress(OSError):
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = connected
        self.do_watch()

    def do_watch(self) -> None:
        if self.socket is None:
            return
        may_read = self._unread == 0 if not self._is_secured else self._unread < _AHEAD
        events = (selectors.EVENT_READ if may_read and not self.is_closing else 0) | (
            selectors.EVENT_WRITE if self._out else 0
        )
        self._transport.watch(self.socket, events, self._do_ready)

    def _do_ready(self, events: int) -> None:
        try:
            if events & selectors.EVENT_WRITE:
                self._do_write_on()
            if events & selectors.EVENT_READ and self.socket is not None:
                data = self.socket.recv(_CHUNK)
                if not data:
                    raise ConnectionError("closed by the other side")
                self._do_take(data)
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:  # those of TLS are OSErrors, too
            self.do_lose(str(error))
        self.do_watch()

    def _do_take(self, data: bytes) -> None:
        if self._tls is None:
            self._tell(data)
            return
        self._incoming.write(data)
        self._do_tls()

    def _tell(self, data: bytes) -> None:
        self._unread += len(data)
        self._events.received(self, data)

    def _do_tls(self) -> None:
        assert self._tls is not None
        try:
            if not self._is_secured:
                self._tls.do_handshake()
                self._is_secured = True
                certificate = self._binding if self._is_acceptor else self._tls.getpeercert(True) or b""
                self._events.secured(self, sha256(certificate).digest())
            while data := self._tls.read(_CHUNK):
                self._tell(data)
        except ssl.SSLWantReadError:
            pass
        finally:
            self._do_put(self._outgoing.read(), 0)

    def _do_start_tls(self, rest: bytes) -> None:
        if self.socket is None:
            return
        if self._tls is None:
            if self._is_acceptor:
                context, self._binding = self._transport.server_tls()
            else:
                context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            context.minimum_version = ssl.TLSVersion.TLSv1_2
            self._tls = context.wrap_bio(self._incoming, self._outgoing, server_side=self._is_acceptor)
        try:
            self._incoming.write(rest)
            self._do_tls()
        except OSError as error:
            self.do_lose(str(error))
        self.do_watch()

    def _do_send(self, data: bytes) -> None:
        if self._tls is not None and self._is_secured:
            self._tls.write(data)
            self._do_put(self._outgoing.read(), len(data))
        else:
            self._do_put(data, len(data))
        self._do_write_on()
        self.do_watch()

    def _do_put(self, data: bytes, given: int) -> None:
        if data:
            self._out.append((data, given))

    def _do_write_on(self) -> None:
        try:
            self._do_write()
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            self.do_lose(str(error), by_sending=True)

    def _do_write(self) -> None:
        while self._out and self.socket is not None:
            data, given = self._out[0]
            sent = self.socket.send(data)
            if sent < len(data):
                self._out[0] = data[sent:], given
                return
            self._out.popleft()
            self._gone += given
        if self.is_closing:
            self._do_drop()
        elif self._is_full and self.backlog < _LOW_WATER:
            self._is_full = False
            self._events.drained(self)

    def _do_consumed(self, count: int) -> None:
        self._unread -= count
        self.do_watch()

    def _do_close(self) -> None:
        self.is_closing = True
        if self._out:
            self.do_watch()
        else:
            self._do_drop()

    def _do_drop(self) -> None:
        if self.socket is not None:
            self._transport.watch(self.socket, 0, self._do_ready)
            self.socket.close()
            self.socket = None
        self._transport.wires.discard(self)

    def do_lose(self, text: str, *, by_sending: bool = False) -> None:
        self._do_drop()
        if not self._is_told:
            self._is_told = True
            self._events.lost(self, text, by_sending=by_sending)


class TcpTransport:
    """`make_tls` gives the context and the certificate (DER) of this process, when
    first somebody asks for encryption."""

    def __init__(self, make_tls: MakeTls) -> None:
        self._make_tls = make_tls
        self._tls: tuple[ssl.SSLContext, bytes] | None = None
        self._selector = selectors.DefaultSelector()
        self._todo: deque[Callable[[], None]] = deque()
        self._has_rung = False
        self._bell, self._ringer = socket.socketpair()
        self._bell.setblocking(False)
        self._ringer.setblocking(False)
        self._selector.register(self._bell, selectors.EVENT_READ, self._do_bell)
        self._listener: socket.socket | None = None
        self._is_closed = False
        self.wires: set[TcpWire] = set()
        self._thread = threading.Thread(target=self._run, name="sbql-network", daemon=True)
        try:
            self._thread.start()
        except BaseException:
            self._selector.close()
            self._bell.close()
            self._ringer.close()
            raise

    def server_tls(self) -> tuple[ssl.SSLContext, bytes]:
        if self._tls is None:
            self._tls = self._make_tls()
        return self._tls

    # --- from any thread -----------------------------------------------------------------------------------

    def do(self, call: Callable[[], None]) -> None:
        self._todo.append(call)
        if self._has_rung:
            return
        self._has_rung = True
        with contextlib.suppress(OSError):  # the bell is full, or gone
            self._ringer.send(b"x")

    def connect(self, address: str, events: WireEvents) -> Wire:
        """A thread of its own looks the name up and connects: both may take long."""
        wire = TcpWire(self, address, events, is_acceptor=False)

        def connect() -> None:
            host, _, port = address.rpartition(":")
            try:
                connected = socket.create_connection((host.strip("[]"), int(port)), timeout=_CONNECT_TIME)
            except (OSError, ValueError, UnicodeError) as error:
                text = str(error)
                self.do(lambda: wire.do_lose(text))
                return
            self.do(lambda: self._do_opened(wire, connected, events))

        try:
            threading.Thread(target=connect, name="sbql-connect", daemon=True).start()
        except RuntimeError as error:  # as if nobody had answered: it is tried again a while later
            text = str(error)
            self.do(lambda: wire.do_lose(text))
        return wire

    def listen(self, ip_address: str | None, port: int, events: WireEvents) -> None:
        family = socket.AF_INET6 if ip_address is not None and ":" in ip_address else socket.AF_INET
        listener = socket.create_server((ip_address or "", port), family=family, backlog=64)
        listener.setblocking(False)
        self._listener = listener

        def accept(_: int) -> None:
            with contextlib.suppress(OSError):
                accepted, peer = listener.accept()
                wire = TcpWire(self, f"{peer[0]}:{peer[1]}", events, is_acceptor=True)
                self.wires.add(wire)
                events.accepted(wire)
                wire.opened(accepted)

        self.do(lambda: self.watch(listener, selectors.EVENT_READ, accept))

    def stop_listening(self) -> None:
        listener, self._listener = self._listener, None
        if listener is not None:
            closed = threading.Event()
            self.do(lambda: self._do_stop(listener, closed))
            closed.wait(_STOP_TIME)  # the same port may be listened on at once

    def close(self) -> None:
        self.stop_listening()
        self.do(self._do_end)
        self._thread.join(5.0)

    # --- in the thread -------------------------------------------------------------------------------------

    def _do_opened(self, wire: TcpWire, connected: socket.socket, events: WireEvents) -> None:
        if self._is_closed or wire.is_closing:
            connected.close()
            return
        self.wires.add(wire)
        events.opened(wire)
        wire.opened(connected)

    def _do_stop(self, listener: socket.socket, closed: threading.Event) -> None:
        self.watch(listener, 0, lambda _: None)
        listener.close()
        closed.set()

    def _do_end(self) -> None:
        self._is_closed = True

    def _do_bell(self, _: int) -> None:
        with contextlib.suppress(OSError):
            self._bell.recv(4096)
        # Before what there is to do is looked at: whoever comes later rings again. Behind the look at the bell, which
        # else might take away the ring of somebody who came in between.
        self._has_rung = False

    def watch(self, what: socket.socket, events: int, call: Callable[[int], None]) -> None:
        known = self._selector.get_map().get(what) if what.fileno() >= 0 else None
        if events and known is not None:
            if known.events != events:
                self._selector.modify(what, events, call)
        elif events:
            self._selector.register(what, events, call)
        elif known is not None:
            self._selector.unregister(what)

    def _run(self) -> None:
        while not self._is_closed:
            for key, events in self._selector.select(1.0):
                key.data(events)
            while self._todo:
                self._todo.popleft()()
        for wire in list(self.wires):
            if wire.socket is not None:
                wire.socket.close()
        self._selector.close()
        self._bell.close()
        self._ringer.close()
