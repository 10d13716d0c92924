"""Registered functions: Python functions that generated SQL calls, so that both evaluators share one implementation.

Decides their names (a name says all that the function does: a store registers each once), how values pass between
stored and Python form, and how a function that looks at the session finds it: `running` holds the frame of the query
that this thread runs. DuckDB calls a function in any of its threads only if that is said to look at nothing but its
arguments; the names of all others have `SERIAL` in them.
"""

from __future__ import annotations

import functools
import hashlib
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from sbql.catalog.duck_types import decoder, duck_type, encoder, is_all_fraction
from sbql.catalog.parallelism import SERIAL
from sbql.engine.documents.xml_nodes import begin_nodes, end_nodes
from sbql.engine.functions.system import SECOND_OF_SEED
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import LateBound
from sbql.engine.tables.typed_sql import RegisteredFunction
from sbql.grammar.types import SqlType

T = TypeVar("T")

__all__ = [
    "NOTE_SEED",
    "bound_for",
    "call_text",
    "of_query",
    "packed",
    "registered",
    "running",
    "running_frame",
    "whole_type",
    "with_frame",
]


class _Running(threading.local):
    frame: Any = None
    known: dict[Any, Any] | None = None
    seed: int | None = None


_running = _Running()

NOTE_SEED: Final = RegisteredFunction(
    f"{SERIAL}_note_seed",
    functools.partial(setattr, _running, "seed"),
    ("BIGINT",),
    "BIGINT",
    is_volatile=True,
    is_bare=True,
)
"""Gives NULL. The seed of the last row for which it was called is the session's when the query has run. There is no
code of Python in a call, for a query may make one for each of a million rows."""


@contextmanager
def running(frame: Any) -> Iterator[None]:
    """While a query runs for `frame`."""
    before, known, seed = _running.frame, _running.known, _running.seed
    _running.frame, _running.known, _running.seed = frame, {}, None
    nodes = begin_nodes()
    try:
        yield
    finally:
        end_nodes(nodes)
        if _running.seed is not None:
            frame.session.note_random((_running.seed, SECOND_OF_SEED))
        _running.frame, _running.known, _running.seed = before, known, seed


def running_frame() -> Any:
    """The frame of the query that this thread runs or translates, None outside of any."""
    return _running.frame


def of_query(key: object, make: Callable[[Any], T]) -> T:
    """What `make` gives for the session, made once for the query that this thread runs: names, options and transaction
    are the same for all of its rows."""
    known, session = _running.known, _running.frame.session
    if known is None:
        return make(session)
    found: T | None = known.get(key)
    if found is None:
        found = known[key] = make(session)
    return found


def with_frame(function: Callable[..., Any], arity: int) -> Callable[..., Any]:
    """A function of a frame and so many values as one of the values, for the query that this thread runs."""
    if arity == 1:
        return lambda value: function(_running.frame, value)
    return lambda *values: function(_running.frame, *values)


def registered(
    prefix: str,
    what: Any,
    function: Callable[..., Any],
    arguments: Sequence[SqlType],
    result: SqlType,
    *,
    is_volatile: bool = False,
    is_remembered: bool = False,
    is_pure: bool = False,
) -> RegisteredFunction:
    """A registered function over Python values. `what` is anything whose repr tells this function from all others with
    the same prefix. One that `is_remembered` is called once for each values in a query, one that `is_pure` looks at
    nothing but them."""
    identity = repr((what, [whole_type(a) for a in arguments], whole_type(result), is_volatile))
    digest = hashlib.blake2b(identity.encode(), digest_size=8).hexdigest()
    call = _adapted(function, arguments, result)
    if is_remembered:
        call = _remembered(digest, call)
    ducks = tuple(duck_type(a) for a in arguments)
    name = f"{'sbql' if is_pure and not is_remembered else SERIAL}_{prefix}_{digest}"
    return packed(name, call, ducks, duck_type(result), is_volatile=is_volatile)


def packed(
    name: str, function: Callable[..., Any], arguments: Sequence[str], result: str, *, is_volatile: bool = False
) -> RegisteredFunction:
    """A function over stored values. One without arguments gets a number that it ignores: DuckDB calls
    a volatile one for each row then."""
    if not arguments:
        return RegisteredFunction(name, lambda ignored: function(), ("INTEGER",), result, is_volatile)
    return RegisteredFunction(name, function, tuple(arguments), result, is_volatile)


def call_text(function: RegisteredFunction, arguments: Sequence[str]) -> str:
    """The call of a function made by `packed`."""
    return f"{function.name}({', '.join(arguments) or 0})"


def whole_type(sql_type: SqlType) -> str:
    """All of a type that says how its values pass: two of one name and length differ
    by collation, which may be UTF-8."""
    return f"{sql_type} {sql_type.collation or ''} {sql_type.collection or ''}"


def _adapted(function: Callable[..., Any], arguments: Sequence[SqlType], result: SqlType) -> Callable[..., Any]:
    """The function over stored values. Most types are stored as they are."""
    encode = encoder(result)
    if is_all_fraction(result):
        encode = _as_digits
    odd = [(i, decode) for i, a in enumerate(arguments) if (decode := decoder(a)) is not None]
    if not odd and encode is None:
        return function

    if len(arguments) == 1:
        return _adapted_of_one(function, odd[0][1] if odd else None, encode)

    def call(*values: Any) -> Any:
        given = list(values)
        for i, decode in odd:
            if given[i] is not None:
                given[i] = decode(given[i])
        found = function(*given)
        return found if found is None or encode is None else encode(found)

    return call


def _adapted_of_one(
    function: Callable[[Any], Any], decode: Callable[[Any], Any] | None, encode: Callable[[Any], Any] | None
) -> Callable[[Any], Any]:
    def call(value: Any) -> Any:
        found = function(value if value is None or decode is None else decode(value))
        return found if found is None or encode is None else encode(found)

    return call


def _remembered(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """What was found for stored values before in the query that runs, by the same user in the same database: a
    body of a function may be another's."""

    def look(*values: Any) -> Any:
        known, session = _running.known, _running.frame.session
        if known is None:
            return function(*values)
        key = (name, session.database_id, session.user.id, session.login.id, values)
        found = known.get(key, _NOT_ASKED)
        if found is _NOT_ASKED:
            found = function(*values)
            if len(known) < _KNOWN:
                known[key] = found
        return found

    return look


_NOT_ASKED = object()
_KNOWN = 10_000
"""Answers that a query keeps."""


def _as_digits(value: Any) -> str:
    """A decimal with 38 digits after the point: DuckDB reads it by way of a float, and text exactly."""
    return format(value, "f")


def bound_for(late: LateBound[T], frame: Frame) -> T:
    """What a statement is bound to now. In a trigger, `inserted` and `deleted` are those of the frame."""
    if frame.trigger is None:
        return late.get(frame.session)
    with running(frame):
        return late.get(frame.session)
