"""Doors: what listens for clients on behalf of a server, and what it may ask the server for.

A door decides how bytes come and go and who is let in; the server decides what they mean. Flight is the first
door; another protocol is another class with the same names. A door must not know what a request says.
Flight's hands requests to the server as they come; that of TDS, whose requests are T-SQL and calls of
procedures, takes a session and runs them in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct, field

from sbql.engine.client import Client
from sbql.engine.server.endpoint import Endpoint
from sbql.engine.server.owned_session import DirectSession
from sbql.grammar.errors import SqlError

__all__ = ["OWN_ADDRESSES", "ClientSession", "Door", "Host", "Keys"]

OWN_ADDRESSES = ("127.0.0.1", "::1", "localhost")
"""Those that only this machine reaches: elsewhere tokens must not travel openly."""

Send = Callable[[bytes], None]


class Keys(Struct, frozen=True):
    """Who is let in: token -> login. `certificate` and `private_key` (PEM) encrypt the
    way; empty: it is not encrypted."""

    logins: dict[str, str] = field(default_factory=dict)
    certificate: bytes = b""
    private_key: bytes = b""

    def login_of(self, token: str) -> str | None:
        return self.logins.get(token)


class ClientSession(Protocol):
    """A client's session, as a door sees it."""

    def handle(self, request: bytes) -> None:
        """Run a request; answers are sent as they come."""
        ...

    def lost(self) -> None:
        """The client is gone: what runs is cancelled. From any thread."""
        ...

    def close(self) -> None:
        """The end of the session. Twice is harmless."""
        ...


class Host(Protocol):
    """The server, as a door sees it. Everything may be called from the door's threads."""

    @property
    def keys(self) -> Keys: ...

    def open_session(self, login: str, request: bytes, send: Send) -> ClientSession:
        """A session for a client; `send` takes its answers, and raises OSError when the
        client is gone. Raises SqlError."""
        ...

    def log_in(self, login: str, password: str, address: str) -> str:
        """Who comes with a password from an address: the login's name. Raises
        SqlError 18456, whose reason is logged."""
        ...

    def refuse(self, login: str, reason: str, address: str) -> SqlError:
        """18456 for one who is not let in whoever he is; the reason goes into the log."""
        ...

    def attach(self, login: str, database: str, client: Client, goodbye: Callable[[], None]) -> DirectSession:
        """A session whose outcomes its door takes as they are; database '' is the login's own. `goodbye` is called,
        from any thread, when the server ends. Raises SqlError, 4060 when the database does not let the login in."""
        ...

    def log(self, number: int, text: str) -> None:
        """A line for the error log."""
        ...

    def act(self, login: str, name: str, request: bytes) -> bytes:
        """A request without a session: `ping`, `cancel`, an operation. Raises SqlError."""
        ...

    def read(self, login: str, request: bytes) -> tuple[Any, Callable[[], None]]:
        """An operation that answers with an Arrow reader, and what is to be called when
        it has been read. Raises SqlError."""
        ...

    def write(self, login: str, request: bytes, rows: Any) -> bytes:
        """An operation with rows that were sent along. Raises SqlError."""
        ...


class Door(Protocol):
    """What listens. Made with a Host."""

    def open(self) -> Endpoint:
        """Listen. Returns where, without token and store. Raises SqlError when the port is taken or may not be used."""
        ...

    def renew(self, keys: Keys) -> bool:
        """Take another certificate for connections from now on; those that are there keep theirs. False when that needs
        another start. Raises SqlError when it is none, and goes on with the one before."""
        ...

    def close(self, patience: float) -> bool:
        """Let nobody in any more, and end the ways to those who are in. False when some
        do not go in `patience` seconds."""
        ...
