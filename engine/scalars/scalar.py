"""Scalar: a compiled expression, and the small helpers that all compiled expressions share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sbql.engine.scalars.scope import Frame
from sbql.grammar.types import SqlType

__all__ = ["Condition", "Scalar", "constant"]

Condition = Callable[[Frame], "bool | None"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A compiled expression.

    `is_constant`: the value is `value` whatever the frame. `slot`: the expression is just that variable, else None.
    `late` compiles it again for a session, when its type depends on a table that is not there yet; `type` is a guess
    then.
    """

    type: SqlType
    run: Callable[[Frame], Any]
    is_constant: bool = False
    value: Any = None
    slot: int | None = None
    late: Callable[[Any], Scalar] | None = None


def constant(value: Any, sql_type: SqlType) -> Scalar:
    """A Scalar that is always `value`."""
    return Scalar(sql_type, lambda frame: value, True, value)
