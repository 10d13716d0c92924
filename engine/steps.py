"""Compiled statements: Step and Signal, the registry of handlers, and names that bind late.

A handler is a function `(node, compiler) -> Step`, registered for one node class with `@handles`. It compiles what can
be known from the text alone (variables, types, control flow); names of tables, queues and procedures bind when the
step runs, through `LateBound` (deferred name resolution), again whenever the catalog has changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from msgspec import Struct

from sbql.engine.lazy_registry import Registry
from sbql.engine.outcomes import ErrorSet, RowsAffected
from sbql.engine.ports import Frame, Session
from sbql.grammar.ast import NO_SPAN, Span, Statement
from sbql.grammar.errors import SqlError
from sbql.grammar.messages import all_messages

__all__ = [
    "BREAK", "CONTINUE", "HANDLERS", "Goto", "LateBound", "Return", "Signal", "Step", "collecting", "handles", "note_place", "taken_place",
]  # fmt: skip

T = TypeVar("T")


class Signal(Struct, frozen=True):
    """Why a step did not simply go on to the next one."""

    name: str


BREAK = Signal("BREAK")
CONTINUE = Signal("CONTINUE")


class Return(Signal, frozen=True):
    """RETURN [value]; value is the return code of a procedure or the result of a function."""

    name: str = "RETURN"
    value: Any = None


class Goto(Signal, frozen=True):
    """GOTO: the step with this label is the next one."""

    name: str = "GOTO"
    label: str = ""


Done = int | RowsAffected | ErrorSet | Signal | None
"""What a step returns: what it has done. It sets nothing in the session; who runs it does (`batch.running`).

An int is the number of rows, for @@ROWCOUNT alone; RowsAffected is told to the client too, unless NOCOUNT is ON. None
leaves @@ROWCOUNT as it is: for statements that run others. A Signal says where to go on.
"""


class Step(Struct, frozen=True):
    """A compiled statement.

    `waits` False: `run(frame)` is a plain call that returns Done. `waits` True: `run(frame)` is a generator that may
    yield Suspend and returns Done. Either may raise SqlError. A step with `labels` inside can be entered by GOTO:
    `enter(frame, label)` runs as `run` does, from there.
    """

    run: Callable[[Any], Any]
    waits: bool = False
    span: Span = NO_SPAN
    labels: frozenset[str] = frozenset()
    enter: Callable[[Any, str], Any] | None = None


HANDLERS: Registry[Callable[[Any, Any], Step]] = Registry("statements")
"""What compiles a statement, by the name of its node class."""

H = TypeVar("H", bound=Callable[[Any, Any], Step])


def handles(node_class: type[Statement]) -> Callable[[H], H]:
    """Register the handler of a statement class. One handler a class."""

    def register(handler: H) -> H:
        HANDLERS.add(node_class.__name__, handler)
        return handler

    return register


_compiling = threading.local()


@contextmanager
def collecting() -> Iterator[list[LateBound[Any]]]:
    """Everything to be bound later that is made inside, but for what an inner `collecting` has taken."""
    outer = getattr(_compiling, "found", None)
    found: list[LateBound[Any]] = []
    _compiling.found = found
    try:
        yield found
    finally:
        _compiling.found = outer


class LateBound(Generic[T]):
    """Something built from names, kept while `session.binding_key` stays the same.

    The key changes with the catalog version, the current database and the session's temp tables. A few keys are kept,
    because activated tasks of several databases may share a compiled procedure.
    """

    __slots__ = ("_build", "_kept", "_last")
    _LIMIT = 8

    def __init__(self, build: Callable[[Any], T]) -> None:
        self._build = build
        self._kept: dict[Any, T] = {}
        self._last: tuple[Any, T] | None = None
        """What was asked for last, by its key, which is compared sooner than it is hashed."""
        found = getattr(_compiling, "found", None)
        if found is not None:
            found.append(self)

    def get(self, session: Session) -> T:
        key = session.binding_key
        last = self._last
        if last is not None and last[0] == key:
            return last[1]
        found = self._kept.get(key)
        if found is None:
            try:
                found = self._build(session)
            except SqlError as error:
                # A missing right, a read-only database, a lock: the statement's own errors, which its TRY catches.
                entry = all_messages().get(error.number)
                error.is_binding = entry is not None and entry.is_binding
                raise
            if len(self._kept) >= self._LIMIT:
                self._kept.pop(next(iter(self._kept)))
            self._kept[key] = found
        self._last = key, found
        return found


# --- where a bug was met -------------------------------------------------------------------------------------


class Place(Struct):
    """A statement, and the module of its text; None is the batch."""

    span: Span
    module: str | None = None
    is_run: bool = False


def note_place(error: Exception, span: Span, frame: Frame | None = None) -> None:
    """An exception that is no SqlError passes the statement at `span`, which is run in `frame`, or compiled. The
    innermost counts, of modules the innermost that is run."""
    place: Place = error.__dict__.setdefault("sbql_place", Place(span))
    if frame is not None and not place.is_run:
        place.module, place.is_run = frame.module_name or None, True


def taken_place(error: Exception) -> Place | None:
    """What was noted, once: an exception may be raised again."""
    found: Place | None = error.__dict__.pop("sbql_place", None)
    return found
