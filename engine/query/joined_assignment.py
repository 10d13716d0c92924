"""SELECT @t = @t + column FROM …: the texts of all rows, joined at once.

Row after row each sum would be a copy of all that is there. Decides which expressions are such sums: a text of no
limited length, or COALESCE or ISNULL of it, to which columns, variables and constants are added. Where one of these is
NULL, `row_assignment` goes from row to row. It must not know where the rows come from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

from msgspec import Struct

from sbql.engine.scalars.scalar import Scalar
from sbql.grammar import ast
from sbql.grammar.types import MAX, SqlType
from sbql.grammar.values.conversions import converter
from sbql.grammar.values.kinds import is_national
from sbql.grammar.values.memory import reserve
from sbql.grammar.values.utf16 import whole

__all__ = ["JoinedTexts", "joined_texts"]


class JoinedTexts(Struct, frozen=True):
    """What each row adds: the texts `between` it and what was there, and its `pieces`. `first` is what stands before
    the pieces of the first row where there was nothing, None where that stays NULL."""

    between: Sequence[Scalar]
    pieces: Sequence[Scalar]
    first: str | None
    is_national: bool

    def text(self, before: str | None, rows: Sequence[Sequence[Any]], variables: Sequence[Any]) -> str | None:
        """What `before` has become after the rows, one at least, whose values stand behind the `variables`; None if
        that has to be found row by row. Raises 7119, 701."""
        if before is None and self.first is None:
            return None
        columns, outer = list(zip(*rows, strict=True)), len(variables)
        added: list[Sequence[str]] = []
        for scalar in (*self.between, *self.pieces):
            if scalar.slot is not None and scalar.slot >= outer:
                texts = columns[scalar.slot - outer]
            else:
                texts = (scalar.value if scalar.slot is None else variables[scalar.slot],) * len(rows)
            if None in texts:
                return None
            added.append(texts)
        reserve(sum(sum(map(len, texts)) for texts in added) + len(before or ""))
        text = "".join(chain.from_iterable(zip(*added, strict=True)))
        if before is None:
            before, text = self.first or "", text[sum(len(texts[0]) for texts in added[: len(self.between)]) :]
        return whole(before + text) if self.is_national else before + text


def joined_texts(
    tree: ast.Expression, variable: str, compiled: Scalar, target: SqlType, compile_part: Callable[[Any], Scalar]
) -> JoinedTexts | None:
    """None for other expressions than such sums. `compiled` is the whole expression, to be assigned to the variable of
    the type `target`."""
    if compiled.type != target or target.name not in ("varchar", "nvarchar") or target.length != MAX:
        return None
    *pieces, start = _sum(tree)
    between: list[Any] = []
    first: str | None = None
    if isinstance(start, ast.FunctionCall) and start.name.name.upper() in ("COALESCE", "ISNULL"):
        if (
            len(start.name.parts) > 1
            or len(start.arguments) != 2
            or not isinstance(start.arguments[1], ast.StringLiteral)
        ):
            return None
        first = compile_part(start.arguments[1]).value
        *between, start = _sum(start.arguments[0])
    if not _is_variable(start, variable) or any(_is_variable(part, variable) for part in (*between, *pieces)):
        return None
    found = [compile_part(part) for part in (*reversed(between), *reversed(pieces))]
    if not all(_is_text(part, target) for part in found):
        return None
    return JoinedTexts(found[: len(between)], found[len(between) :], first, is_national(target))


def _is_variable(tree: Any, name: str) -> bool:
    return isinstance(tree, ast.VariableReference) and tree.name.lower() == name


def _sum(tree: Any) -> list[Any]:
    """What is added, the last one first, and what it is added to."""
    parts = []
    while isinstance(tree, ast.BinaryExpression) and tree.op == "+":
        parts.append(tree.right)
        tree = tree.left
    return [*parts, tree]


def _is_text(part: Scalar, target: SqlType) -> bool:
    """A column, a variable or a constant that is added as it is."""
    return (
        (part.is_constant or part.slot is not None)
        and part.type.name in ("char", "nchar", "varchar", "nvarchar")
        and converter(part.type, target) is None
    )
