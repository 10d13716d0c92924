"""Operations: what a program asks of an owner apart from T-SQL, by name: a delivery, a
range of messages, a batch to be sent.

An operation is a function with a name. It gets a `Call` (the session of who asks, the request, and rows that were
sent along) and answers with plain values, or with an Arrow reader of the catalog's; it may wait, as a step does. It
knows no door: whatever carries requests, `server` hands them over here. What rows are made of is the catalog's
business: here they are passed on unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Literal

from msgspec import Struct, field

from sbql.engine import ports
from sbql.engine.lazy_registry import Registry
from sbql.engine.work import Suspend
from sbql.grammar.errors import SqlError

__all__ = ["OPERATIONS", "Call", "Kind", "Operation", "argument", "operation"]

Kind = Literal["call", "read", "write"]
"""call: plain values in and out. read: answers with an Arrow reader. write: has an Arrow reader in `Call.rows`."""


class Call(Struct):
    """One call of an operation.

    `session` is the caller's: its login and permissions, its open transaction when the call came through a
    `RemoteSession`. `request` holds None, bool, int, float, str, bytes, Decimal, UUID, dates and times, lists and dicts
    of these. `rows`: what has the Arrow stream interface (`__arrow_c_stream__`), which can be read once; an upload that
    breaks off raises in the middle of it.
    """

    session: ports.Session
    request: dict[str, Any] = field(default_factory=dict)
    rows: Any = None

    @property
    def instance(self) -> ports.Instance:
        return self.session.instance


class Operation(Struct, frozen=True):
    """`run` answers with values as in `Call.request` (kind read: with an Arrow reader), or is a generator that yields
    `Suspend` and returns them. Raises SqlError for what the caller can cause."""

    name: str
    kind: Kind
    run: Callable[[Call], Any | Generator[Suspend, None, Any]]


OPERATIONS: Registry[Operation] = Registry("operations")


def operation(name: str, kind: Kind = "call") -> Callable[[Callable[[Call], Any]], Callable[[Call], Any]]:
    """Decorator: the function is the operation `name`; `wiring` names its module."""

    def add(run: Callable[[Call], Any]) -> Callable[[Call], Any]:
        OPERATIONS.add(name, Operation(name, kind, run))
        return run

    return add


def argument(call: Call, name: str, kind: type, default: Any = None, *, required: bool = False) -> Any:
    """A value of the request. Raises SqlError 201 when it is missing, 8114 when it is of another type."""
    value = call.request.get(name, default)
    if value is None and required:
        raise SqlError(201, f"The operation needs '{name}', which was not given.")
    if value is not None and not isinstance(value, kind):
        raise SqlError(8114, f"'{name}' is {type(value).__name__}; the operation takes {kind.__name__}.")
    return value
