"""Conversion of compiled expressions and of single values: what assignments, arguments and stores do before they use
one."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import msgspec

from sbql.engine.ports import Session
from sbql.engine.scalars.arithmetic_errors import exact_scalar, heeding
from sbql.engine.scalars.scalar import Scalar, constant
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import LateBound
from sbql.grammar.errors import SqlError
from sbql.grammar.types import SqlType
from sbql.grammar.values import conversions
from sbql.grammar.values.collation_precedence import COERCIBLE
from sbql.grammar.values.date_styles import names_months
from sbql.grammar.values.kinds import DATE_NAMES, kind
from sbql.grammar.values.languages import DATE_ORDERS, DEFAULT_DATES, DateFormat

__all__ = ["convert_scalar", "converter"]


def _same(value: Any) -> Any:
    return value


def converter(source: SqlType, target: SqlType) -> Callable[[Any], Any]:
    """The implicit conversion of a value, NULL included. Raises 206, 257 for types that do not convert."""
    change = conversions.converter(source, target, None, False)
    return _same if change is None else change


def convert_scalar(scalar: Scalar, target: SqlType, *, explicit: bool = False, style: int | None = None) -> Scalar:
    """The scalar converted to `target`, by the rules of assignment (or of CAST with `explicit`). Strings too long are
    cut.

    Raises 206, 257 or 529 now; a constant is converted now too, unless that fails: then the error belongs to run time.
    """
    if scalar.late is not None:
        return _late(scalar.late, target, style, explicit)
    is_kept = kind(scalar.type) == kind(target) == "string" and scalar.label != (COERCIBLE, None)
    if is_kept and target.collation is None:
        target = target.with_collation(scalar.type.collation)
    change = conversions.converter(scalar.type, target, style, explicit)
    if kind(scalar.type) == "string" and target.name in DATE_NAMES:
        return _date_from_text(scalar, target, style, explicit)
    if scalar.type.name in DATE_NAMES and kind(target) == "string" and names_months(scalar.type, style):
        return _by_dates(scalar, target, style, explicit)
    rank = scalar.rank if is_kept else COERCIBLE
    if change is None:
        return Scalar(target, scalar.run, scalar.is_constant, scalar.value, scalar.slot, None, rank)
    if scalar.is_constant:
        try:
            return msgspec.structs.replace(constant(change(scalar.value), target), rank=rank)
        except SqlError:  # the statement may never be reached: let it fail when it runs
            given = scalar.value
            return Scalar(target, lambda frame: change(given), rank=rank)
    run = scalar.run
    return Scalar(target, lambda frame: change(run(frame)), rank=rank)


def _late(rebuild: Callable[[Any], Scalar], target: SqlType, style: int | None, explicit: bool) -> Scalar:
    def converted(session: Session) -> Scalar:
        before = rebuild(session)
        scalar = convert_scalar(before, target, explicit=explicit, style=style)
        options = session.options
        return heeding(exact_scalar(before, scalar, options), options) if options.deviations else scalar

    bound = LateBound(converted)
    return Scalar(target, lambda frame: bound.get(frame.session).run(frame))


def _date_from_text(scalar: Scalar, target: SqlType, style: int | None, explicit: bool) -> Scalar:
    """Text to a date follows SET DATEFORMAT and SET LANGUAGE as they stand when it runs; a constant is converted now if
    neither changes it."""
    if scalar.is_constant and (scalar.value is None or not _NAME.search(scalar.value)):
        try:
            found = [_changed(scalar, target, style, explicit, DateFormat(order)) for order in DATE_ORDERS]
        except SqlError:
            found = []
        if found and all(f == found[0] for f in found):
            return constant(found[0], target)
    return _by_dates(scalar, target, style, explicit)


_NAME = re.compile(r"[^\W\d_]{3}")
"""What may be the name of a month: T, Z, AM and PM are shorter."""


def _changed(scalar: Scalar, target: SqlType, style: int | None, explicit: bool, dates: DateFormat) -> Any:
    change = conversions.converter(scalar.type, target, style, explicit, dates)
    return scalar.value if change is None else change(scalar.value)


def _by_dates(scalar: Scalar, target: SqlType, style: int | None, explicit: bool) -> Scalar:
    """The conversion that the session's date format asks for when it runs."""
    source, run = scalar.type, scalar.run
    default = conversions.converter(source, target, style, explicit)

    def convert_it(frame: Frame) -> Any:
        dates = frame.session.options.dates
        change = default if dates is DEFAULT_DATES else conversions.converter(source, target, style, explicit, dates)
        value = run(frame)
        return value if change is None else change(value)

    return Scalar(target, convert_it)
