"""The way between a TDS client and a server: a socket, encrypted or not, as bytes, at either end of it.

It decides how TLS begins: inside of TDS packets (7.x) or before them (8.0). It also decides what happens when the other
side is slow, silent or gone: while somebody waits for a login there is a deadline, and later the system's signs of life
say whether the other machine is there. Everything encrypted passes through memory, so that a second thread may look for
what has come while the first one sends. It must not know what the bytes say.
"""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Callable

__all__ = ["Channel"]

_PIECE = 65536
_IDLE, _BETWEEN, _TIMES = 30, 5, 4
"""Seconds of silence after which a client's machine is asked whether it is there,
between two questions, and how many."""
_UNTAKEN = 60_000
"""Milliseconds that data may wait to be taken by a machine that says nothing; one that
says it is busy may take for ever."""


class Channel:
    """One thread reads and sends; `look` and `shut` are for another one."""

    def __init__(self, sock: socket.socket, deadline: float, *, server_name: str | None = None) -> None:
        """`deadline`, on the monotonic clock: until then the client must have logged in. `server_name`: this is the
        client's end, and the name that the server's certificate is to have."""
        self._sock = sock
        self._server_name = server_name
        self._deadline: float | None = deadline
        self._tls: ssl.SSLObject | None = None
        self._coming, self._going = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._crypt = threading.Lock()
        with contextlib.suppress(OSError):
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for name, value in (
                ("TCP_KEEPIDLE", _IDLE), ("TCP_KEEPINTVL", _BETWEEN), ("TCP_KEEPCNT", _TIMES), ("TCP_USER_TIMEOUT", _UNTAKEN),
            ):  # fmt: skip
                if hasattr(socket, name):
                    sock.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)

    @property
    def is_encrypted(self) -> bool:
        return self._tls is not None

    def ends(self) -> tuple[tuple[str, int], tuple[str, int]]:
        """Address and port of the other side, and of this one. Raises OSError when the other side is gone."""
        return self._sock.getpeername()[:2], self._sock.getsockname()[:2]

    # --- reading -------------------------------------------------------------------------------------------

    def receive(self) -> bytes:
        """What comes next; empty: the other side is gone. Raises OSError, TimeoutError after the deadline."""
        while True:
            if self._tls is not None and (found := self._decrypted()) is not None:
                return found
            data = self._raw()
            if self._tls is None or not data:
                return data
            self._coming.write(data)

    def _raw(self) -> bytes:
        if self._deadline is not None:
            left = self._deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError("the login takes too long")
            self._sock.settimeout(left)
        try:
            return self._sock.recv(_PIECE)
        except TimeoutError:
            raise TimeoutError("the login takes too long") from None

    def _decrypted(self) -> bytes | None:
        """What has come, as it was sent; None: more has to come first."""
        assert self._tls is not None
        parts: list[bytes] = []
        with self._crypt:
            try:
                while True:
                    data = self._tls.read(_PIECE)
                    if not data:
                        return b"".join(parts)
                    parts.append(data)
            except ssl.SSLWantReadError:
                return b"".join(parts) if parts else None
            except ssl.SSLZeroReturnError:
                return b"".join(parts)
            except ssl.SSLError as error:
                raise ConnectionError(f"what was encrypted cannot be read: {error.reason}") from None

    def look(self) -> bytes | None:
        """What has come meanwhile, without waiting; None: nothing, empty: the client is gone."""
        try:
            data = self._sock.recv(_PIECE, socket.MSG_DONTWAIT)
        except (BlockingIOError, InterruptedError):
            return None
        except OSError:
            return b""
        if self._tls is None or not data:
            return data
        self._coming.write(data)
        try:
            return self._decrypted()
        except OSError:
            return b""

    # --- sending -------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Waits until the client's machine takes it. Raises OSError."""
        if self._tls is not None:
            with self._crypt:
                try:
                    self._tls.write(data)
                except ssl.SSLError as error:
                    raise ConnectionError(f"nothing can be encrypted any more: {error.reason}") from None
                data = self._going.read()
        self._sock.sendall(data)

    # --- encryption ----------------------------------------------------------------------------------------

    def encrypt(self, context: ssl.SSLContext, send: Callable[[bytes], None], receive: Callable[[], bytes]) -> None:
        """Shake hands; `send` and `receive` carry the records of the handshake. Raises OSError."""
        name = self._server_name
        tls = context.wrap_bio(self._coming, self._going, server_side=name is None, server_hostname=name)
        while True:
            try:
                tls.do_handshake()
                break
            except ssl.SSLWantReadError:
                pass
            except ssl.SSLError as error:
                with contextlib.suppress(OSError):
                    send(self._going.read())
                reason = getattr(error, "verify_message", "") or error.reason
                raise ConnectionError(f"the handshake of TLS has failed: {reason}") from None
            if self._going.pending:
                send(self._going.read())
            data = receive()
            if not data:
                raise ConnectionError("the other side is gone in the middle of the handshake of TLS")
            self._coming.write(data)
        if self._going.pending:
            send(self._going.read())
        self._tls = tls

    def encrypt_all(self, context: ssl.SSLContext) -> None:
        """TDS 8.0: TLS before anything else. Raises OSError."""
        self.encrypt(context, self._sock.sendall, self._raw)

    def put_back(self, records: bytes) -> None:
        """Bytes that were read with the handshake, and belong to what follows it."""
        self._coming.write(records)

    def stop_encrypting(self) -> None:
        """Only the login was to be encrypted."""
        self._tls = None

    # --- the end -------------------------------------------------------------------------------------------

    def logged_in(self) -> None:
        """There is no deadline any more."""
        self._deadline = None
        self._sock.settimeout(None)

    def first_byte(self) -> int:
        """Of what the client sends first, which stays to be read; -1: it is gone. Raises OSError."""
        self._sock.settimeout(max(0.001, (self._deadline or 0) - time.monotonic()))
        found = self._sock.recv(1, socket.MSG_PEEK)
        return found[0] if found else -1

    def shut(self) -> None:
        """No more is read or sent; whoever waits in either learns it. From any thread."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_RDWR)

    def leave(self) -> None:
        """No more is sent; what the other side still says can be read, up to its end. From any thread."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)

    def linger(self, seconds: float) -> None:
        """The client is to read the last answer: no more is sent, and what it still says is dropped, until it goes."""
        with contextlib.suppress(OSError):
            self._sock.shutdown(socket.SHUT_WR)
            self._sock.settimeout(seconds)
            while self._sock.recv(_PIECE):
                pass

    def close(self) -> None:
        self._sock.close()
