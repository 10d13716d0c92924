"""Transport: how a client reaches a door, whatever the door is made of.

It decides nothing: these are the names that `client` and `remote_session` use, and the errors that a transport raises.
`flight_client` is the one there is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from sbql.grammar.errors import SqlError

__all__ = ["Stream", "Transport", "Wait", "gone", "nobody_listens", "not_let_in"]


Wait = Callable[[Callable[[], Any]], Any]
"""Does what may take long because of the server, and gives up when it is silent."""


class Stream(Protocol):
    """The way of one session."""

    def send(self, message: bytes) -> None:
        """Raises SqlError when the server is gone."""
        ...

    def receive(self) -> bytes | None:
        """The next message; None when the server has ended the stream. Raises SqlError when it is gone."""
        ...

    def close(self) -> None:
        """Nothing more is said from here; what the server still says can be received. From any thread."""
        ...

    def finish(self) -> None:
        """The end, by whoever receives, after its last message."""
        ...

    def abandon(self) -> None:
        """The end, at once: the server is told, and whoever receives. From any thread."""
        ...


class Transport(Protocol):
    """The way to one server. All methods are thread safe, and raise SqlError when
    the server refuses or is not there."""

    patience: float
    """Seconds that the server may be silent, 0 for any. Streams end then by themselves."""

    def open(self, request: bytes) -> Stream: ...

    def act(self, name: str, request: bytes, timeout: float | None = None) -> bytes: ...

    def read(self, request: bytes, wait: Wait) -> Any: ...

    def write(self, request: bytes, rows: Any, wait: Wait) -> bytes: ...

    def close(self) -> None: ...


def gone(url: str) -> SqlError:
    return SqlError(
        10054,
        f"The server at {url} has ended or was killed, and this session with it. What was not committed is undone; whether a COMMIT that was "
        "running is done, only a look at the data can tell. Connect again when the server is back.",
        severity=20,
    )


def nobody_listens(url: str, detail: str) -> SqlError:
    return SqlError(
        10061, f"No server answers at {url}. Start one with: sbql serve --store FILE. ({detail})", severity=20
    )


def not_let_in(url: str) -> SqlError:
    return SqlError(
        18456,
        f"The server at {url} does not know this token. Its endpoint file beside the store has one for this machine; others are given by "
        "sbql serve --tokens FILE.",
        severity=14,
    )
