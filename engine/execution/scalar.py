"""Scalar: a compiled expression, and the small helpers that all compiled expressions share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sbql.engine.execution.scope import Frame
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import DATE_NAMES, kind

__all__ = ["Condition", "Scalar", "constant", "convert_scalar"]

Condition = Callable[[Frame], "bool | None"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A compiled expression.

    `is_constant`: the value is `value` whatever the frame. `slot`: the expression is just that variable, else None.
    """

    type: SqlType
    run: Callable[[Frame], Any]
    is_constant: bool = False
    value: Any = None
    slot: int | None = None


def constant(value: Any, sql_type: SqlType) -> Scalar:
    """A Scalar that is always `value`."""
    return Scalar(sql_type, lambda frame: value, True, value)


def convert_scalar(scalar: Scalar, target: SqlType, *, explicit: bool = False, style: int | None = None) -> Scalar:
    """The scalar converted to `target`, by the rules of assignment (or of CAST with `explicit`). Strings too long are cut.

    Raises 206, 257 or 529 now; a constant is converted now too, unless that fails: then the error belongs to run time.
    """
    change = converter(scalar.type, target, style, explicit)
    if not style and kind(scalar.type) == "string" and target.name in DATE_NAMES:
        return _date_from_text(scalar, target, explicit)
    if change is None:
        return Scalar(target, scalar.run, scalar.is_constant, scalar.value, scalar.slot)
    if scalar.is_constant:
        try:
            return constant(change(scalar.value), target)
        except SqlError:  # the statement may never be reached: let it fail when it runs
            value = scalar.value
            return Scalar(target, lambda frame: change(value))
    run = scalar.run
    return Scalar(target, lambda frame: change(run(frame)))


_ORDERS = ("mdy", "dmy", "ymd", "ydm", "myd", "dym")


def _date_from_text(scalar: Scalar, target: SqlType, explicit: bool) -> Scalar:
    """Text to a date follows SET DATEFORMAT as it stands when it runs; a constant is converted now if no order changes it."""
    source = scalar.type
    by_order = {order: converter(source, target, None, explicit, order) for order in _ORDERS}
    if scalar.is_constant:
        value = scalar.value
        try:
            found = [change(value) if change is not None else value for change in by_order.values()]
        except SqlError:
            found = []
        if found and all(f == found[0] for f in found):
            return constant(found[0], target)
    default, run = by_order["mdy"], scalar.run

    def convert_it(frame: Frame) -> Any:
        order = getattr(getattr(frame.session, "options", None), "dateformat", "mdy")
        change = default if order == "mdy" else by_order.get(order, default)
        value = run(frame)
        return value if change is None else change(value)

    return Scalar(target, convert_it)
