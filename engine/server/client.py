"""Clients: the way of this process to a server, and what may be asked there without a session.

It decides that a process has one client for each server and that none goes over a fork. It must
not know what a transport is made of.
"""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import weakref
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from msgspec import Struct

from sbql.engine.server import silence
from sbql.engine.server.endpoint import Endpoint, parse_url, read_endpoint
from sbql.engine.server.flight_client import FlightTransport
from sbql.engine.server.messages import PROTOCOL, pack, unpack
from sbql.engine.server.remote_listener import RemoteListener
from sbql.engine.server.remote_session import RemoteSession
from sbql.engine.server.transport import Transport
from sbql.grammar.errors import SqlError

__all__ = ["Client", "ServerFacts", "client_at", "client_of_store", "forget"]

T = TypeVar("T")

_ANSWERS = 10.0
"""Seconds for the first answer of a server."""


class ServerFacts(Struct, frozen=True):
    """What a server says of itself. `store` is the name of its file, None in memory; `clock` "system" or "virtual"."""

    version: str
    pid: int
    store: str | None
    store_id: str
    name: str
    clock: str
    login: str
    sessions: int
    protocol: int
    file: list[int]


class Client:
    """Made by `client_at` and `client_of_store`. All methods are thread safe and raise SqlError, with the server's
    number when it refuses, 10061 when nobody answers, 18456 for a wrong token, 10054 when the server ends meanwhile,
    10060 when it is silent for too long.

    Values in requests and answers are those of `operations.Call.request`; Arrow is pyarrow's.
    """

    def __init__(self, endpoint: Endpoint, transport: Transport) -> None:
        self.endpoint = endpoint
        self._transport = transport
        self._sessions: weakref.WeakSet[RemoteSession] = weakref.WeakSet()

    def ping(self) -> ServerFacts:
        """Raises SqlError 4002, too, for a server that speaks another version of the protocol."""
        found = unpack(self._transport.act("ping", pack({}), _ANSWERS))
        if found.get("protocol") != PROTOCOL:
            raise SqlError(
                4002,
                f"The server at {self.endpoint.url} is sbql {found.get('version')}, which speaks another protocol. Install the same version here.",
            )
        return ServerFacts(**found)

    def session(
        self, database: str = "master", *, login: str = "", admin: bool = False, program: str = "sbql client"
    ) -> RemoteSession:
        """A session of the token's login in `database`; a sysadmin may name another `login`. Raises 911,
        4060, 18456 as a connection does."""
        asked = {
            "protocol": PROTOCOL, "database": database, "login": login, "admin": admin, "program": program,
            "host": socket.gethostname(), "process": os.getpid(),
        }  # fmt: skip
        stream = self._transport.open(pack(asked))
        found = RemoteSession(self.endpoint.url, stream, self.cancel)
        self._sessions.add(found)
        return found

    def listen(self, asked: dict[str, Any], hear: Callable[[list[Any]], None]) -> RemoteListener:
        """Hear events as they arise, in a thread of its own: {"log": True} or {"trace": classes}."""
        stream = self._transport.open(pack({"protocol": PROTOCOL, "listens": asked}))
        return RemoteListener(self.endpoint.url, stream, hear, self._unlisten)

    def act(self, name: str, request: dict[str, Any]) -> Any:
        """What is asked of the server itself: its answer, as long as it takes while the server answers pings."""
        return unpack(self._wait(lambda: self._transport.act(name, pack(request))))

    def _wait(self, call: Callable[[], T]) -> T:
        patience = self._transport.patience
        return silence.patiently(call, self._is_there, self.endpoint.url, patience) if patience else call()

    def _is_there(self, seconds: float) -> None:
        self._transport.act("ping", pack({}), seconds)

    def call(self, operation: str, request: Mapping[str, Any] | None = None) -> Any:
        """Run an operation of kind "call" in a session of its own; its answer."""
        return self.act("call", {"name": operation, "request": dict(request or {})})

    def read(self, operation: str, request: Mapping[str, Any] | None = None) -> Any:
        """Run an operation of kind "read": a pyarrow.RecordBatchReader."""
        return self._transport.read(pack({"name": operation, "request": dict(request or {})}), self._wait)

    def write(self, operation: str, request: Mapping[str, Any] | None, rows: Any) -> Any:
        """Run an operation of kind "write" with `rows`, a pyarrow Table or RecordBatchReader; its answer."""
        asked = pack({"name": operation, "request": dict(request or {})})
        return unpack(self._transport.write(asked, rows, self._wait))

    def cancel(self, session: str, request: int) -> None:
        """Stop a request of a session, the first one being 1, as soon as the server comes to it. A
        server that is gone has done so."""
        with contextlib.suppress(SqlError):
            self._transport.act("cancel", pack({"session": session, "request": request}), _ANSWERS)

    def _unlisten(self, listener: str, why: str) -> None:
        with contextlib.suppress(SqlError):
            self._transport.act("unlisten", pack({"listener": listener, "why": why}), _ANSWERS)

    def close(self) -> None:
        """End what is left of its sessions."""
        for session in list(self._sessions):
            session.close()
        self._transport.close()


# --- one a process -----------------------------------------------------------------------------------------

_clients: dict[Endpoint, Client] = {}
_mutex = threading.Lock()


def client_at(endpoint: Endpoint | str, token: str = "", certificate: str = "") -> Client:
    """This process's client of the server there. `endpoint`: or its URL, with a token, and the certificate (PEM) of a
    server that made its own. Connects when it is used first."""
    found = parse_url(endpoint, token, certificate) if isinstance(endpoint, str) else endpoint
    with _mutex:
        if found not in _clients:
            _clients[found] = Client(found, FlightTransport(found))
        return _clients[found]


def client_of_store(store: str | os.PathLike[str]) -> Client | None:
    """The client of the process that serves the store; None when nobody does. Raises SqlError when that cannot be
    known, as when the owner is stopped (10060), or the owner does not let us in."""
    endpoint = read_endpoint(store)
    if endpoint is None:
        return None
    client = client_at(endpoint)
    try:
        client.ping()
    except SqlError as error:
        forget(client)
        if error.number in (10061, 10054):
            return None  # its number is another process's by now
        raise
    return client


def forget(client: Client) -> None:
    """Close a client; whoever asks for it again gets a new one."""
    with _mutex:
        _clients.pop(client.endpoint, None)
    client.close()


def _after_fork() -> None:
    """In the child: the clients are the parent's."""
    global _mutex
    _mutex = threading.Lock()
    _clients.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
