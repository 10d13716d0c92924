"""Collation labels of function calls over columns: what `scalars.call_labels` decides, for typed pieces of SQL."""

from __future__ import annotations

from collections.abc import Sequence

from sbql.engine.scalars import call_labels
from sbql.engine.tables.typed_sql import Typed
from sbql.grammar.ast import Span
from sbql.grammar.errors import SqlError
from sbql.grammar.values.collation_precedence import Label

__all__ = ["labelled_call", "labelled_operands"]


def _labels(values: Sequence[Typed]) -> list[Label | None]:
    return [value.label if value.is_text else None for value in values]


def labelled_operands(name: str, values: Sequence[Typed], span: Span) -> list[Typed]:
    """The arguments, those that meet with their common collation. Raises 468 and 4191."""
    try:
        met = call_labels.met_arguments(name, _labels(values))
    except SqlError as error:
        raise error.at(span) from None
    found = list(values)
    if met is not None and len({found[place].type.collation for place in met[0]}) > 1:
        for place in met[0]:
            found[place] = found[place].labelled(met[1])
    return found


def labelled_call(name: str, values: Sequence[Typed], result: Typed, span: Span) -> Typed:
    """What a call gives, with its label. Raises 468."""
    if not result.is_text:
        return result
    try:
        return result.labelled(call_labels.result_label(name, _labels(values)))
    except SqlError as error:
        raise error.at(span) from None
