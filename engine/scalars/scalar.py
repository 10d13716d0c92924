"""Scalar: a compiled expression, and the small helpers that all compiled expressions share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from sbql.engine.scalars.scope import Frame
from sbql.grammar.types import SqlType
from sbql.grammar.values.collation_precedence import (
    COERCIBLE,
    EXPLICIT,
    IMPLICIT,
    UNRESOLVED,
    Label,
    Unresolved,
    produced,
)
from sbql.grammar.values.kinds import kind
from sbql.grammar.values.result_types import common_type

__all__ = ["Condition", "Scalar", "constant", "met"]

Condition = Callable[[Frame], "bool | None"]


class Scalar(Struct, frozen=True):
    """A compiled expression.

    `is_constant`: the value is `value` whatever the frame. `slot`: the expression is just that variable, else None.
    `late` compiles it again for a session, when its type depends on a table that is not there yet; `type` is a guess
    then. `rank`: that of its collation, where it has one. `of_one` computes it from the
    value of the one variable that it reads, where it needs nothing else of a frame.
    """

    type: SqlType
    run: Callable[[Frame], Any]
    is_constant: bool = False
    value: Any = None
    slot: int | None = None
    late: Callable[[Any], Scalar] | None = None
    rank: int = IMPLICIT
    of_one: Callable[[Any], Any] | None = None

    @property
    def label(self) -> Label:
        """Its rank and collation, where texts meet."""
        collation = self.type.collation
        if collation is None and self.rank != EXPLICIT:
            return COERCIBLE, None
        if isinstance(collation, Unresolved):
            return UNRESOLVED, collation
        return self.rank, collation

    def labelled(self, label: Label) -> Scalar:
        """The same value with another label; what is no text stays as it is."""
        if self.label == label or kind(self.type) != "string":
            return self
        return msgspec.structs.replace(self, type=self.type.with_collation(label[1]), rank=label[0])


def met(scalars: Sequence[Scalar], operation: str) -> Scalar:
    """What stands for all of them: their common type and label, without a value. Raises 456, 457, 468."""
    found = Scalar(common_type(s.type for s in scalars), lambda frame: None)
    if kind(found.type) != "string":
        return found
    return found.labelled(produced([s.label for s in scalars if kind(s.type) == "string"], operation, found.type))


def constant(value: Any, sql_type: SqlType) -> Scalar:
    """A Scalar that is always `value`."""
    return Scalar(sql_type, lambda frame: value, True, value)
