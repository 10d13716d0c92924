"""What a registered function raises, on its way through DuckDB, which passes on only a text.

Decides how the exception is found again: the text names it by a number, by which it is kept: DuckDB calls functions in
threads of its own, too. An exception that asks the program to stop is raised at the end of the query even if DuckDB has
let it fall, as it does with whatever a function raises while the query is being planned; it comes in the thread of the
query alone. It must not know what any exception means.
"""

from __future__ import annotations

import inspect
import itertools
import re
import threading
from collections.abc import Callable
from typing import Any, Final

from sbql.catalog.interrupts import is_from_outside
from sbql.grammar.values.checkpoints import checkpoint

__all__ = ["keeping_errors", "raise_stop", "raised_in_function"]

_MARK: Final = re.compile(r"sbql raised (\d+)")
_numbers: Final = itertools.count(1)


_MOST: Final = 256
"""Exceptions that are kept: a query that fails asks for its own at once, and what DuckDB lets fall nobody asks for."""
_errors: Final[dict[int, BaseException]] = {}


class _Kept(threading.local):
    stop: BaseException | None = None


_kept: Final = _Kept()


def keeping_errors(function: Callable[..., Any], arity: int) -> Callable[..., Any]:
    """`function` with what it raises kept, a checkpoint at each call, and a signature that DuckDB can count."""

    def call(*arguments: Any) -> Any:
        try:
            checkpoint()
            return function(*arguments)
        except BaseException as error:
            raise _kept_aside(error) from None

    def call_of_one(argument: Any) -> Any:
        try:
            checkpoint()
            return function(argument)
        except BaseException as error:
            raise _kept_aside(error) from None

    def call_of_two(first: Any, second: Any) -> Any:
        try:
            checkpoint()
            return function(first, second)
        except BaseException as error:
            raise _kept_aside(error) from None

    parameters = [inspect.Parameter(f"p{n}", inspect.Parameter.POSITIONAL_ONLY) for n in range(arity)]
    made: Any = {1: call_of_one, 2: call_of_two}.get(arity, call)
    made.__signature__ = inspect.Signature(parameters)
    found: Callable[..., Any] = made
    return found


def _kept_aside(error: BaseException) -> RuntimeError:
    """What DuckDB is told of an exception."""
    number = next(_numbers)
    _errors[number] = error
    _errors.pop(number - _MOST, None)
    if is_from_outside(error):
        _kept.stop = error
    return RuntimeError(f"sbql raised {number}")


def raised_in_function(error: BaseException) -> BaseException | None:
    """The exception of a function behind an error of DuckDB, None when there is none. It is handed out once."""
    _kept.stop = None
    found = _MARK.search(str(error))
    return _errors.pop(int(found[1]), None) if found is not None else None


def raise_stop() -> None:
    """After a query that gave its rows: raise what asked the program to stop meanwhile."""
    stop = _kept.stop
    if stop is not None:
        _kept.stop = None
        raise stop
