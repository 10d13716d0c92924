"""Conversation states: which event an endpoint accepts in which state, and what it becomes. Data, no effects.

Decides the state × event table of a dialog's side. Must not know messages, queues, locks or transactions: the
operations look a cell up and act on the answer.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from sbql.grammar.errors import SqlError, sql_error

__all__ = [
    "CLOSED",
    "DISCARD",
    "REMOVED",
    "STATES",
    "STATE_DESC",
    "TABLE",
    "Event",
    "is_over",
    "outcome",
    "refusal",
    "step",
]

STATES: Final = ("SO", "SI", "CO", "DI", "DO", "ER", "CD")

STATE_DESC: Final = {
    "SO": "STARTED_OUTBOUND",
    "SI": "STARTED_INBOUND",
    "CO": "CONVERSING",
    "DI": "DISCONNECTED_INBOUND",
    "DO": "DISCONNECTED_OUTBOUND",
    "ER": "ERROR",
    "CD": "CLOSED",
}

REMOVED: Final = "removed"
"""The endpoint row goes away."""
CLOSED: Final = "closed"
"""Both sides have ended: a target becomes CD, an initiator's row goes away."""
DISCARD: Final = "discard"
"""The arriving message is dropped without a word; the state stays."""


class Event(StrEnum):
    """What can happen to an endpoint: statements first, then what comes from elsewhere."""

    SEND = "SEND"
    RECEIVE = "RECEIVE"
    END = "END"
    END_WITH_ERROR = "END_WITH_ERROR"
    END_WITH_CLEANUP = "END_WITH_CLEANUP"
    TIMER = "TIMER"
    MOVE = "MOVE"
    MESSAGE = "MESSAGE"
    PEER_END = "PEER_END"
    PEER_ERROR = "PEER_ERROR"
    PEER_CLOSED = "PEER_CLOSED"
    LIFETIME = "LIFETIME"
    LOCAL_ERROR = "LOCAL_ERROR"


_GRID: Final = """
event             SO       SI       CO       DI       DO       ER       CD
SEND              CO       8429     CO       8429     8429     8429     8429
RECEIVE           SO       SI       CO       DI       8426     ER       8426
END               removed  DO       DO       closed   8427     closed   8427
END_WITH_ERROR    removed  DO       DO       closed   8427     closed   8427
END_WITH_CLEANUP  removed  removed  removed  removed  removed  removed  removed
TIMER             SO       SI       CO       8458     8458     8458     8458
MOVE              SO       SI       CO       DI       8438     ER       8438
MESSAGE           discard  CO       CO       discard  discard  discard  discard
PEER_END          discard  DI       DI       discard  closed   discard  discard
PEER_ERROR        ER       ER       ER       discard  closed   discard  discard
PEER_CLOSED       discard  discard  discard  discard  closed   discard  discard
LIFETIME          ER       ER       ER       ER       closed   discard  removed
LOCAL_ERROR       ER       ER       ER       ER       removed  discard  removed
"""
"""A cell is the next state, REMOVED, CLOSED, DISCARD, or the number of the error that refuses the statement.

Reference 3.2 and 3.3. END in SO tells nobody, as nothing was sent. In DO a peer's error is swallowed: the
application has already left. END WITH CLEANUP in DO and CD needs db_owner (28006), which the operation checks.
"""


def _read(grid: str) -> dict[tuple[str, str], str | int]:
    header, *rows = [line.split() for line in grid.strip().splitlines()]
    return {
        (state, row[0]): int(cell) if cell.isdigit() else cell
        for row in rows
        for state, cell in zip(header[1:], row[1:], strict=True)
    }


TABLE: Final[dict[tuple[str, str], str | int]] = _read(_GRID)


def outcome(state: str, event: str) -> str | int:
    """The cell of the table: a state, REMOVED, CLOSED, DISCARD, or an error number."""
    return TABLE[state, event]


def is_over(state: str) -> bool:
    """Whether this side has ended, so that nobody may RECEIVE from it."""
    return isinstance(TABLE[state, Event.RECEIVE], int)


def refusal(number: int, state: str, handle: object) -> SqlError:
    """The error of a refused statement. 8426 names the handle, the others the state."""
    return sql_error(number, str(handle).upper() if number == 8426 else state)


def step(state: str, event: str, is_initiator: bool, handle: object) -> str:
    """The next state for a statement; CLOSED resolved by side. Raises the SqlError of a refusing cell."""
    found = TABLE[state, event]
    if isinstance(found, int):
        raise refusal(found, state, handle)
    if found == CLOSED:
        return REMOVED if is_initiator else "CD"
    return found
