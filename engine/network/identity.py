"""Who a side of a connection is: what `adjacent` asks of whoever knows.

Decides nothing: `credentials` does.
"""

from __future__ import annotations

from typing import Protocol

from msgspec import Struct

from sbql.engine.network.frames import Proof

__all__ = ["Credentials", "Peer", "Refused"]


class Refused(Exception):
    """The other side is not let in. `number` and `text` are told to it, and stand in our log. `user`: who it
    has proved to be, as far as it has."""

    def __init__(self, number: int, text: str, user: str = "") -> None:
        super().__init__(text)
        self.number = number
        self.text = text
        self.user = user


class Peer(Struct, frozen=True):
    """Who the other side is here: a principal, and the certificate that says so (0: none)."""

    principal: str
    certificate_id: int = 0


class Credentials(Protocol):
    """Who we are, and how we find out who others are."""

    @property
    def methods(self) -> tuple[str, ...]:
        """In the order in which we prefer them."""
        ...

    @property
    def encryption(self) -> str:
        """DISABLED, SUPPORTED or REQUIRED."""
        ...

    @property
    def introduction(self) -> str:
        """What whoever lets us in has to know, for our log; empty: nothing."""
        ...

    def prove(self, method: str, statement: bytes) -> Proof:
        """Our proof for `statement`. Raises Refused when we have none (any more)."""
        ...

    def check(self, proof: Proof, statement: bytes) -> Peer:
        """Who the other side is. Raises Refused."""
        ...
