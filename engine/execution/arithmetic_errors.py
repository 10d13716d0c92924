"""What becomes of arithmetic that fails when ANSI_WARNINGS is OFF (pages "SET ARITHABORT" and "SET ANSI_WARNINGS").

With ARITHABORT OFF the result is NULL, and the statement tells a warning; with ARITHABORT ON the error ends the batch.
It is decided when an expression is compiled, and so costs nothing while ANSI_WARNINGS is ON. It must not know which
expression it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sbql.engine.execution.scalar import Scalar
from sbql.engine.execution.scope import Frame
from sbql.engine.execution.session_view import OptionsView
from sbql.grammar.errors import SqlError

__all__ = ["forgives", "forgiving_conversion", "heeding"]

OVERFLOW, DIVISION, DOMAIN = 3606, 3607, 3622
_WARNINGS = {8134: DIVISION, 8115: OVERFLOW, 220: OVERFLOW, 232: OVERFLOW, 248: OVERFLOW, 3623: DOMAIN}
"""Errors of arithmetic, and the warning that is told in their place."""


def forgives(options: OptionsView) -> bool:
    """Arithmetic that fails gives NULL."""
    return not options.ansi_warnings and not options.arithabort


def heeding(scalar: Scalar, options: OptionsView) -> Scalar:
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
                error.batch_aborting = True
                raise
            frame.session.warnings.add(warning)
            return None

    return replace(scalar, run=attempt)


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
