"""The moment of a statement: GETDATE, SYSDATETIME and their like give one value in it, however often they stand there
and for however many rows they are asked, as do the defaults of columns.

Decides where a statement's moment ends: with the statement, and where the body of a module begins, whose statements
have their own. It must not know what a statement is, nor which functions there are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

__all__ = ["StatementMoment", "seconds_of"]


class StatementMoment(Struct):
    """`level`: the nest level at which the statement runs; `seconds`: what the clock showed when it was first asked."""

    level: int
    seconds: float | None = None


class _Session(Protocol):
    @property
    def moment(self) -> StatementMoment | None: ...

    @property
    def nest_level(self) -> int: ...


def seconds_of(session: _Session, shown: Callable[[], float]) -> float:
    """Seconds from 1970: the statement's, or what the clock shows now where none has begun at this level."""
    moment = session.moment
    if moment is None or moment.level != session.nest_level:
        return shown()
    if moment.seconds is None:
        moment.seconds = shown()
    return moment.seconds
