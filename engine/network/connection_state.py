"""States of a connection between two instances: which event is allowed in which state,
and what it becomes. Data, no effects.

Decides the state × event table of the adjacent broker protocol. Must not know frames, bytes or time:
`adjacent` looks a cell up and acts on it.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

__all__ = ["CONNECTION_STATES", "STATES", "TABLE", "ConnectionEvent", "login_state", "next_state"]

STATES: Final = ("NEW", "HELLO", "TLS", "PROOF", "ACCEPT", "ONLINE", "CLOSED")


class ConnectionEvent(StrEnum):
    """What can happen to a connection: first what this side does, then what comes."""

    START = "START"
    """There is a way for bytes; our hello goes out."""
    AGREED = "AGREED"
    """The other side's hello fits ours, without encryption."""
    AGREED_TLS = "AGREED_TLS"
    """The same; everything from now on is to be encrypted."""
    SECURED = "SECURED"
    """It is."""
    PROVEN = "PROVEN"
    """The other side's proof is good."""
    ACCEPTED = "ACCEPTED"
    """The other side believes ours."""
    TRAFFIC = "TRAFFIC"
    """A frame of a dialog, or a ping, in either direction."""
    END = "END"
    """Goodbye, an error, or the way is gone."""


_GRID: Final = """
event       NEW     HELLO   TLS     PROOF   ACCEPT  ONLINE  CLOSED
START       HELLO   -       -       -       -       -       CLOSED
AGREED      -       PROOF   -       -       -       -       CLOSED
AGREED_TLS  -       TLS     -       -       -       -       CLOSED
SECURED     -       -       PROOF   -       -       -       CLOSED
PROVEN      -       -       -       ACCEPT  -       -       CLOSED
ACCEPTED    -       -       -       -       ONLINE  -       CLOSED
TRAFFIC     -       -       -       -       -       ONLINE  CLOSED
END         CLOSED  CLOSED  CLOSED  CLOSED  CLOSED  CLOSED  CLOSED
"""
"""A cell is the next state; `-` breaks the protocol and ends the connection. Each side sends its proof before it
accepts the other's: so `accepted` never comes before `proof`."""


def _read(grid: str) -> dict[tuple[str, str], str]:
    header, *rows = [line.split() for line in grid.strip().splitlines()]
    return {(state, row[0]): cell for row in rows for state, cell in zip(header[1:], row[1:], strict=True)}


TABLE: Final = _read(_GRID)

_LOGIN_STATES: Final = {
    "NEW": (0, "INITIAL"),
    "HELLO": (1, "WAIT LOGIN NEGOTIATE"),
    "TLS": (9, "WAIT PRE-MASTER SECRET"),
    "PROOF": (10, "WAIT VALIDATION"),
    "ACCEPT": (11, "WAIT ARBITRATION"),
    "ONLINE": (12, "ONLINE"),
    "CLOSED": (13, "ERROR"),
}
"""What sys.dm_broker_connections calls them (login_state)."""

_BY_ACCOUNT: Final = {
    ("PROOF", False): (2, "ONE ISC"),
    ("PROOF", True): (3, "ONE ASC"),
    ("ACCEPT", False): (6, "WAIT ISC Confirm"),
    ("ACCEPT", True): (7, "WAIT ASC Confirm"),
}
"""The same where the login is one of accounts, by whether this side accepts."""


CONNECTION_STATES: Final = {
    "NEW": (2, "CONNECTING"),
    **dict.fromkeys(("HELLO", "TLS", "PROOF", "ACCEPT"), (3, "CONNECTED")),
    "ONLINE": (4, "LOGGED_IN"),
    "CLOSED": (5, "CLOSED"),
}
"""The same, of its state."""


def login_state(state: str, *, is_acceptor: bool, by_account: bool) -> tuple[int, str]:
    """Number and name of a state in sys.dm_broker_connections. An initiator of a login by account has made one security
    context (ISC), an acceptor has taken one (ASC)."""
    return _BY_ACCOUNT.get((state, is_acceptor), _LOGIN_STATES[state]) if by_account else _LOGIN_STATES[state]


def next_state(state: str, event: ConnectionEvent) -> str | None:
    """The next state; None when the event breaks the protocol there."""
    found = TABLE[state, event]
    return None if found == "-" else found
