"""What becomes of arithmetic that fails when ANSI_WARNINGS is OFF (pages "SET ARITHABORT" and "SET ANSI_WARNINGS").

With ARITHABORT OFF the result is NULL, and the statement tells a warning; with ARITHABORT ON the error ends the batch.
NUMERIC_ROUNDABORT ON makes a failure of digits that a narrower number loses (page "SET NUMERIC_ROUNDABORT").
It is decided when an expression is compiled, and so costs nothing while ANSI_WARNINGS is ON. It must not know which
expression it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from sbql.engine.ports import Session
from sbql.engine.scalars.scalar import Scalar
from sbql.engine.scalars.scope import Frame
from sbql.engine.session_options import SessionOptions
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import digits_after, kind, spelled

__all__ = [
    "ends_batch",
    "exact_scalar",
    "forgives",
    "forgiving_conversion",
    "heeding",
    "may_lose_digits",
    "without_loss",
]

OVERFLOW, DIVISION, DOMAIN = 3606, 3607, 3622
_WARNINGS = {8134: DIVISION, 8115: OVERFLOW, 220: OVERFLOW, 232: OVERFLOW, 248: OVERFLOW, 3623: DOMAIN}
"""Errors of arithmetic, and the warning that is told in their place."""


_EXACT = frozenset({"decimal", "money"})


def forgives(options: SessionOptions) -> bool:
    """Arithmetic that fails gives NULL."""
    return not options.ansi_warnings and not options.arithabort


def ends_batch(error: SqlError, options: SessionOptions) -> bool:
    return not options.ansi_warnings and options.arithabort and error.number in _WARNINGS


def heeding(scalar: Scalar, options: SessionOptions) -> Scalar:
    """The scalar, whose errors of arithmetic are what the options say."""
    if options.ansi_warnings or scalar.is_constant or scalar.slot is not None:
        return scalar
    run, forgiven = scalar.run, forgives(options)

    def attempt(frame: Frame) -> Any:
        try:
            return run(frame)
        except SqlError as error:
            warning = _WARNINGS.get(error.number)
            if warning is None or frame.session is None:  # None: a constant is tried
                raise
            if not forgiven:
                error.batch_aborting = ends_batch(error, options)
                raise
            frame.session.warnings.add(warning)
            return None

    return msgspec.structs.replace(scalar, run=attempt)


def may_lose_digits(source: SqlType, target: SqlType) -> bool:
    """Whether NUMERIC_ROUNDABORT ON looks at a conversion: of an exact number to one
    with fewer digits after the point."""
    return {kind(source), kind(target)} <= _EXACT and digits_after(source) > digits_after(target)


def without_loss(source: SqlType, target: SqlType, options: SessionOptions) -> Callable[[Any, Any], Any]:
    """The conversion of a value, given with the session (None: nobody is told), that refuses to lose digits: by error
    8115, or by NULL and a warning under ARITHABORT OFF."""
    change, aborts = converter(source, target, None, True), options.arithabort
    assert change is not None, "it has fewer digits"

    def convert(value: Any, session: Session) -> Any:
        if value is None:
            return None
        found = change(value)
        if found == value:
            return found
        if aborts:
            raise sql_error(8115, spelled(source), spelled(target))
        if session is not None:
            session.warnings.add(OVERFLOW)
        return None

    return convert


def exact_scalar(before: Scalar, after: Scalar, options: SessionOptions | None) -> Scalar:
    """`after`, which is `before` converted, as NUMERIC_ROUNDABORT wants it."""
    if options is None or not options.numeric_roundabort or not may_lose_digits(before.type, after.type):
        return after
    convert, run = without_loss(before.type, after.type, options), before.run
    return Scalar(after.type, lambda frame: convert(run(frame), frame.session))


def forgiving_conversion(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The conversion of a value for a column, NULL for a number that does not fit."""

    def attempt(value: Any) -> Any:
        try:
            return convert(value)
        except SqlError as error:
            if error.number not in _WARNINGS:
                raise
            return None

    return attempt
