"""The form in which the catalog keeps DEFAULT, CHECK, computed columns and filters: SQL Server writes them anew from
its own tree, and tools read that (`((0))`, `([a]>=(1) AND [a]<=(9))`, `(getdate())`).

Decides what becomes of BETWEEN, IN, CAST and the functions without parentheses. The layout is the printer's.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Final

from sbql.grammar.ast import (
    And,
    Between,
    CastExpression,
    ColumnReference,
    Comparison,
    Condition,
    ConvertExpression,
    DataTypeReference,
    Expression,
    FunctionCall,
    Identifier,
    InList,
    IntegerLiteral,
    MoneyLiteral,
    NextValueFor,
    Node,
    NumericLiteral,
    ObjectName,
    Or,
    RealLiteral,
    UnaryExpression,
    Word,
)
from sbql.grammar.printer import to_sql
from sbql.grammar.printer.expressions import Parenthesized
from sbql.grammar.tree import rewrite
from sbql.grammar.values.type_names import canonical_name, is_system_type

__all__ = ["definition_text"]

_NUMBERS = (IntegerLiteral, MoneyLiteral, NumericLiteral, RealLiteral)
_WITHOUT_PARENTHESES: Final = {
    "current_timestamp": "getdate", "current_user": "user_name", "session_user": "user_name", "user": "user_name", "system_user": "suser_sname",
}  # fmt: skip


def definition_text(node: Expression | Condition, *, is_filter: bool = False) -> str:
    """A default, a CHECK or a computed column, in parentheses. In the filter of an index
    IN stays, where OR is not allowed."""
    form = _plain_filter if is_filter else _plain
    return f"({to_sql(rewrite(node, form))})"


def _plain_filter(node: Node) -> Node | None:
    return None if isinstance(node, InList) else _plain(node)


def _plain(node: Node) -> Node | None:
    if isinstance(node, ColumnReference):
        return replace(node, parts=tuple(part and _bracketed(part) for part in node.parts))
    if isinstance(node, And) and any(isinstance(part, Between) and not part.negated for part in node.operands):
        parts = (_limits(part) if isinstance(part, Between) and not part.negated else (part,) for part in node.operands)
        return rewrite(replace(node, operands=tuple(chain.from_iterable(parts))), _plain)
    if isinstance(node, Between) and not node.negated:
        return rewrite(And(_limits(node), span=node.span), _plain)
    if isinstance(node, InList) and not node.negated:
        tests = tuple(Comparison("=", node.operand, item) for item in reversed(node.items))
        return rewrite(Or(tests, span=node.span) if len(tests) > 1 else tests[0], _plain)
    if isinstance(node, CastExpression):
        return rewrite(ConvertExpression(node.type, node.operand, None, node.is_try, span=node.span), _plain)
    if isinstance(node, _NUMBERS) or (isinstance(node, UnaryExpression) and isinstance(node.operand, _NUMBERS)):
        return Parenthesized(node, span=node.span)
    if isinstance(node, Word) and not node.name.quoted:
        return replace(node, name=replace(node.name, value=node.name.value.lower()))
    if isinstance(node, DataTypeReference):
        return replace(node, name=_qualified(_type_name(node.name)))
    if isinstance(node, NextValueFor) and node.over is None:
        return replace(node, sequence=_qualified(node.sequence))
    return _called(node) if isinstance(node, FunctionCall) else None


def _limits(node: Between) -> tuple[Condition, ...]:
    return Comparison(">=", node.operand, node.low), Comparison("<=", node.operand, node.high)


def _type_name(name: ObjectName) -> ObjectName:
    """The name in one word and small letters of what the language knows; numeric stays apart from decimal."""
    if len(name.parts) > 1 or not is_system_type(name.name):
        return name
    spelled = name.name.lower()
    plain = spelled if spelled in ("numeric", "timestamp") else canonical_name(spelled)
    return ObjectName((Identifier(plain, span=name.span),), span=name.span)


def _called(node: FunctionCall) -> Node | None:
    only = node.name.parts[0]
    if len(node.name.parts) > 1 or only is None or only.quoted:
        name = _qualified(node.name)
    else:
        spelled = only.value.lower()
        if not node.arguments and spelled == "current_date":
            return None
        if not node.arguments and not node.star:
            spelled = _WITHOUT_PARENTHESES.get(spelled, spelled)
        name = ObjectName((Identifier(spelled, span=only.span),), span=node.name.span)
    if name == node.name:
        return None
    return rewrite(replace(node, name=name), _plain)


def _qualified(name: ObjectName) -> ObjectName:
    return replace(name, parts=tuple(part and _bracketed(part) for part in name.parts))


def _bracketed(part: Identifier) -> Identifier:
    return replace(part, quoted=True)
