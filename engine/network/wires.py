"""Wires: what the network asks of whoever moves its bytes, and what it is told by it. Protocols; TCP is one, a
simulated network in tests another.

Decides nothing. A transport must not know what the bytes say; it never blocks whoever calls it.
"""

from __future__ import annotations

from typing import Protocol

__all__ = ["Transport", "Wire", "WireEvents"]


class Wire(Protocol):
    """One way for bytes, both directions."""

    @property
    def address(self) -> str:
        """Of the other side, for people."""
        ...

    @property
    def backlog(self) -> int:
        """Bytes that were given to `send` and have not gone yet. `drained` is told when there are few again."""
        ...

    def send(self, frames: list[bytes]) -> None:
        """Frames in their order; a wire may join them."""
        ...

    def consumed(self, count: int) -> None:
        """So many of the bytes that were told have been worked off: more may be read."""
        ...

    def start_tls(self, rest: bytes) -> None:
        """Encrypt from here on; `rest` has come already. `secured` is told when that is done. Again:
        more has come before the wire knew."""
        ...

    def close(self) -> None:
        """Once what was sent has gone. Nothing is told any more."""
        ...


class WireEvents(Protocol):
    """Who is told. From any thread; quick."""

    def accepted(self, wire: Wire) -> None: ...

    def opened(self, wire: Wire) -> None: ...

    def received(self, wire: Wire, data: bytes) -> None: ...

    def secured(self, wire: Wire, binding: bytes) -> None:
        """`binding`: digest of the acceptor's certificate."""
        ...

    def drained(self, wire: Wire) -> None: ...

    def lost(self, wire: Wire, text: str, *, by_sending: bool = False) -> None:
        """It could not be opened, or is gone. `by_sending`: that was found out when something was sent."""
        ...


class Transport(Protocol):
    """Makes wires."""

    def connect(self, address: str, events: WireEvents) -> Wire:
        """Begin to connect to `host:port`; `opened` or `lost` is told."""
        ...

    def listen(self, ip_address: str | None, port: int, events: WireEvents) -> None:
        """Let others in: `accepted` is told. `ip_address` None: on all. Raises OSError."""
        ...

    def stop_listening(self) -> None: ...

    def close(self) -> None:
        """The end: nobody is told anything any more."""
        ...
