"""GREATEST and LEAST: NULLs are passed over, and of equal values the first is taken.

Decides when DuckDB does that by its own functions: where two equal values are one. Others are compared in turn. Types
and collations meet as everywhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec

from sbql.engine.query.call_labels import labelled_call, labelled_operands
from sbql.engine.query.conditions import comparison
from sbql.engine.query.context import Context
from sbql.engine.query.conversions import convert, unify
from sbql.engine.tables.typed_sql import Typed, null_of, over_names
from sbql.grammar import ast
from sbql.grammar.errors import sql_error
from sbql.grammar.types import INT
from sbql.grammar.values.kinds import kind, spelled

__all__ = ["extreme"]

_OPERATORS: Final = {"GREATEST": ">", "LEAST": "<"}
_ORDERED: Final = frozenset(
    {"int", "decimal", "money", "float", "bit", "date", "datetime", "smalldatetime", "datetime2", "time"}
)
"""Kinds of which DuckDB's values have SQL Server's order, and nothing beside it."""


def extreme(node: ast.FunctionCall, cx: Context) -> Typed:
    """Raises 156, 174, 8116, and what unlike types and collations raise."""
    name = node.name.name.upper()
    given = [a for a in node.arguments if isinstance(a, ast.Expression)]
    if len(given) != len(node.arguments):
        raise sql_error(156, name.lower(), span=node.span)
    if not given:
        raise sql_error(174, name.lower(), 1, span=node.span)
    values = labelled_operands(name, [cx.expression(argument) for argument in given], node.span)
    if all(value.is_bare_null for value in values):
        return null_of(INT)
    met = unify(values, node.span, name)
    if kind(met.type) == "xml" or met.type.name in ("text", "ntext", "image"):
        raise sql_error(8116, spelled(met.type), 1, name.lower(), span=node.span)
    operands = [convert(value, met.type, cx) for value in values if not value.is_bare_null]
    found = msgspec.structs.replace(
        met, sql=_text(name, operands, met, cx, node), nullable=all(value.nullable for value in values)
    )
    return labelled_call(name, values, found, node.span)


def _text(name: str, operands: list[Typed], met: Typed, cx: Context, node: ast.FunctionCall) -> str:
    if kind(met.type) in _ORDERED:
        return f"{name.lower()}({', '.join(operand.sql for operand in operands)})"
    found, *others = operands
    op = _OPERATORS[name]

    def better(pair: Sequence[Typed]) -> str:
        found, other = pair
        is_better = comparison(op, other, found, cx, node.span)
        return f"(CASE WHEN {found.sql} IS NULL OR {is_better} THEN {other.sql} ELSE {found.sql} END)"

    for other in others:
        sql = over_names([found, other], better)
        found = msgspec.structs.replace(found, sql=sql, stands_once=found.stands_once or other.stands_once)
    return found.sql
