"""The door of Arrow Flight: sessions as exchanges, operations as actions, reads and uploads of record batches.

It decides how requests travel over Flight. A session is one DoExchange. Each request is a message of metadata, and so
is each thing that is said to it. The stream lives as long as the session, so that either side learns at once when the
other is gone. `authorization: Bearer <token>` stands in the headers of every call. It must not know what requests
mean: the server (`doors.Host`) does.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

from sbql.engine.server import forks
from sbql.engine.server.doors import ClientSession, Host, Keys
from sbql.engine.server.endpoint import Endpoint
from sbql.engine.server.messages import ALIVE, LEAVE, error_to, pack
from sbql.grammar.errors import SqlError

try:
    import pyarrow as pa
    import pyarrow.flight as flight
except ImportError as missing:
    raise ImportError("a server needs pyarrow: pip install 'sbql[server]'") from missing

__all__ = ["BEAT", "FlightDoor"]

_LOOK = 0.25
"""Seconds between two looks for clients that are gone while their batch runs."""
BEAT = 10.0
"""Seconds between two signs of life. What a client's machine does not take within 20 seconds more (gRPC's
TCP_USER_TIMEOUT) ends its connection."""
_BEARER = "bearer "
_LOGIN = "login"


class FlightDoor:
    """A door at `host:port`; port 0 is one that is free."""

    def __init__(self, server: Host, host: str = "127.0.0.1", port: int = 0, beat: float = BEAT) -> None:
        self._server = server
        self._host, self._port = host, port
        self._listener: _Listener | None = None
        self._beat = beat
        self._running: dict[int, tuple[Any, ClientSession, _Sender]] = {}
        self._mutex = threading.Lock()
        self._closed = threading.Event()

    def open(self) -> Endpoint:
        forks.used()
        keys = self._server.keys
        is_encrypted = bool(keys.certificate)
        host = f"[{self._host}]" if ":" in self._host else self._host
        location = f"{'grpc+tls' if is_encrypted else 'grpc+tcp'}://{host}:{self._port}"
        tls = [(keys.certificate, keys.private_key)] if is_encrypted else None
        try:
            self._listener = _Listener(self, self._server, location, tls)
        except (pa.ArrowException, OSError) as error:
            raise _cannot_listen(self._host, self._port, error) from None
        forks.holds(self)
        try:
            threading.Thread(target=self._look, name="sbql-door", daemon=True).start()
        except BaseException:
            self.close(0)
            raise
        return Endpoint(host=self._host, port=self._listener.port, tls=is_encrypted)

    def renew(self, keys: Keys) -> bool:
        """Flight has the certificate that it began with."""
        return keys.certificate == self._server.keys.certificate

    def close(self, patience: float) -> bool:
        self._closed.set()
        listener, self._listener = self._listener, None
        if listener is None:
            return True
        # Arrow's shutdown waits for all streams, for ever when a client does not go: it must not keep the store open.
        ending = threading.Thread(target=listener.shutdown, name="sbql-door-closes", daemon=True)
        try:
            ending.start()
        except RuntimeError:  # the computer has no thread for it: the listener ends with the process
            return False
        ending.join(patience)
        return not ending.is_alive()

    def disown(self) -> None:
        """In the child of a fork: the listener is the parent's."""
        self._listener = None
        self._closed.set()

    def entered(self, context: Any, session: ClientSession, sender: _Sender) -> None:
        with self._mutex:
            self._running[id(session)] = (context, session, sender)

    def left(self, session: ClientSession) -> None:
        with self._mutex:
            self._running.pop(id(session), None)

    def _look(self) -> None:
        """Nobody reads while a batch runs: whether its client is still there has to be asked. And a machine that has
        vanished says nothing: only what is sent to it shows that it is not there."""
        beats_at = time.monotonic() + self._beat
        while not self._closed.wait(_LOOK):
            with self._mutex:  # a context is Arrow's, and gone when its session has left
                running = list(self._running.values())
                lost = [session for context, session, _ in running if context.is_cancelled()]
            for session in lost:
                session.lost()
            if time.monotonic() >= beats_at:
                beats_at = time.monotonic() + self._beat
                for _, _, sender in running:
                    sender.beat()


def _cannot_listen(host: str, port: int, error: Exception) -> SqlError:
    lines = str(error).splitlines()
    where = f"port {port}" if port else "any port"
    return SqlError(
        9692,
        f"The server cannot listen on {where} of '{host}': another process uses it, or the address is not this machine's. Choose another "
        f"port (0 takes one that is free) or host. ({lines[0][:200] if lines else type(error).__name__})",
    )


# --- who is let in -----------------------------------------------------------------------------------------


class _Gate(flight.ServerMiddlewareFactory):  # type: ignore[misc]
    """A token, and with it a login, for every call."""

    def __init__(self, server: Host) -> None:
        self._server = server

    def start_call(self, info: Any, headers: dict[str, list[str]]) -> Any:
        for given in headers.get("authorization", ()):
            if given.lower().startswith(_BEARER):
                login = self._server.keys.login_of(given[len(_BEARER) :])
                if login is not None:
                    return _Known(login)
        raise flight.FlightUnauthenticatedError("the token is not known to this server")


class _Known(flight.ServerMiddleware):  # type: ignore[misc]
    def __init__(self, login: str) -> None:
        self.login = login


def _login(context: Any) -> str:
    return str(context.get_middleware(_LOGIN).login)


def _refusal(error: SqlError) -> Exception:
    """An error as Flight carries it: the text for other clients, the rest for ours."""
    made: Exception = flight.FlightServerError(str(error), extra_info=pack(error_to(error)))
    return made


@contextlib.contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except SqlError as error:
        raise _refusal(error) from None


# --- the calls ---------------------------------------------------------------------------------------------


class _Listener(flight.FlightServerBase):  # type: ignore[misc]
    """What Arrow calls, in threads of its own."""

    def __init__(self, door: FlightDoor, server: Host, location: str, tls: Any) -> None:
        self._door = door
        self._server = server
        super().__init__(location, tls_certificates=tls, middleware={_LOGIN: _Gate(server)})

    def do_exchange(self, context: Any, descriptor: Any, reader: Any, writer: Any) -> None:
        """A session: the command of the descriptor opens it, each message is a request."""
        sender = _Sender(writer)
        try:
            session = self._server.open_session(_login(context), descriptor.command, sender)
        except SqlError as error:
            sender(pack(["refused", error_to(error)]))
            return
        self._door.entered(context, session, sender)
        try:
            while (message := reader.read_chunk().app_metadata.to_pybytes()) != LEAVE:
                session.handle(message)
        except (StopIteration, OSError, pa.ArrowException):
            pass  # the client has ended the session, or is gone
        finally:
            self._door.left(session)
            session.close()
            sender.close()

    def do_action(self, context: Any, action: Any) -> Iterator[bytes]:
        with _told():
            yield self._server.act(_login(context), action.type, action.body.to_pybytes())

    def do_get(self, context: Any, ticket: Any) -> Any:
        with _told():
            reader, done = self._server.read(_login(context), ticket.ticket)
        return flight.GeneratorStream(reader.schema, _batches(reader, done))

    def do_put(self, context: Any, descriptor: Any, reader: Any, writer: Any) -> None:
        with _told():
            answer = self._server.write(_login(context), descriptor.command, reader.to_reader())
        writer.write(pa.py_buffer(answer))


def _batches(reader: Any, done: Callable[[], None]) -> Iterator[Any]:
    try:
        with _told():
            yield from reader
    finally:
        done()


class _Sender:
    """What is said to one client, by the session's thread and by others. The writer is Arrow's, and gone when the call
    is over: whoever used it then would write into memory of others."""

    def __init__(self, writer: Any) -> None:
        self._writer: Any = writer
        self._mutex = threading.Lock()  # the end of the server is told from another thread

    def __call__(self, message: bytes) -> None:
        with self._mutex:
            self._write(message)

    def close(self) -> None:
        """Before the call ends, after what is being said: nothing is said any more."""
        with self._mutex:
            self._writer = None

    def _write(self, message: bytes) -> None:
        if self._writer is None:
            raise BrokenPipeError("the client is gone")
        try:
            self._writer.write_metadata(pa.py_buffer(message))
        except pa.ArrowException as error:
            raise BrokenPipeError(f"the client is gone: {error}") from None

    def beat(self) -> None:
        """A sign of life, unless something is being said. In a thread of its own: a client that reads
        nothing for hours makes it wait."""
        if self._mutex.acquire(blocking=False):
            try:
                threading.Thread(target=self._beat, name="sbql-beat", daemon=True).start()
            except RuntimeError:  # the computer has no thread for it: the next beat may find one
                self._mutex.release()

    def _beat(self) -> None:
        try:
            with contextlib.suppress(OSError):  # whoever reads from the client learns it, too
                self._write(ALIVE)
        finally:
            self._mutex.release()
