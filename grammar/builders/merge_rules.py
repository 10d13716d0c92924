"""What the WHEN clauses of MERGE may be together: errors 10710, 10711, 10714, 5318, 5319 and 5324.

It decides by the text alone. Names are bound by whoever runs the statement.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sbql.grammar.ast import (
    FunctionCall,
    Identifier,
    MergeAction,
    NamedTable,
    QueryExpression,
    TableSource,
    VariableTable,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import find_all

__all__ = ["check_merge"]

_AGGREGATES = frozenset(
    "AVG CHECKSUM_AGG COUNT COUNT_BIG MAX MIN STDEV STDEVP STRING_AGG SUM VAR VARP".split()
)  # fmt: skip


def check_merge(target: NamedTable | VariableTable, source: TableSource, actions: Sequence[MergeAction]) -> None:
    """Raises the error of the first thing that is wrong."""
    if _exposed(target) and _exposed(target) == _exposed(source):
        raise sql_error(5318, span=source.span)
    for place, action in enumerate(actions):
        _check_action(action)
        for before in actions[:place]:
            if before.when == action.when:
                _check_pair(before, action)


def _exposed(source: TableSource) -> str:
    alias = getattr(source, "alias", None)
    if isinstance(alias, Identifier):
        return alias.value.lower()
    if isinstance(source, NamedTable):
        return source.name.name.lower()
    return source.name.lower() if isinstance(source, VariableTable) else ""


def _check_action(action: MergeAction) -> None:
    if action.when == "NOT MATCHED" and action.action != "INSERT":
        raise sql_error(10711, action.action, span=action.span)
    if action.when != "NOT MATCHED" and action.action == "INSERT":
        raise sql_error(10710, action.action, action.when, span=action.span)
    parts: tuple[Any, ...] = (action.condition, action.assignments, action.values)
    if any(_is_aggregate(call) for call in find_all(parts, FunctionCall, closed=QueryExpression)):
        raise sql_error(5319, span=action.span)


def _is_aggregate(node: FunctionCall) -> bool:
    return len(node.name.parts) == 1 and node.over is None and node.name.name.upper() in _AGGREGATES


def _check_pair(before: MergeAction, action: MergeAction) -> None:
    """Of one kind of clause there may be two: the first with a condition, one UPDATE and one DELETE."""
    if action.action == before.action:
        raise sql_error(10714, action.action, f"WHEN {action.when}", span=action.span)
    if before.condition is None:
        raise sql_error(5324, f"WHEN {action.when}", f"WHEN {action.when}", span=action.span)
