"""Builders of DBCC, RECONFIGURE and ALTER INDEX."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    AlterIndexStatement,
    DbccStatement,
    Identifier,
    IntegerLiteral,
    ObjectName,
    ReconfigureStatement,
    Span,
    UnaryExpression,
)
from sbql.grammar.builders.builder_table import rule

__all__: list[str] = []


@rule()
def dbcc(
    span: Span, command: Identifier, arguments: tuple[Any, ...] | None, options: tuple[str, ...] | None
) -> DbccStatement:
    found = tuple(_argument(span, a) for a in arguments or ())
    return DbccStatement(command.value.upper(), found, options or (), span=span)


def _argument(span: Span, value: Any) -> Any:
    """A number is its literal here; text and names come as they are."""
    if isinstance(value, int):
        literal = IntegerLiteral(abs(value), span=span)
        return literal if value >= 0 else UnaryExpression("-", literal, span=span)
    return value


@rule()
def dbcc_option(span: Span, name: Identifier, value: IntegerLiteral | None = None) -> str:
    return name.value.upper() if value is None else f"{name.value.upper()} = {value.value}"


@rule()
def reconfigure(span: Span, override: bool | None) -> ReconfigureStatement:
    return ReconfigureStatement(override is not None, span=span)


@rule()
def alter_index(
    span: Span, index: Identifier | None, table: ObjectName, action: str, *more: Any
) -> AlterIndexStatement:
    return AlterIndexStatement(index, table, action, _ignores_duplicates(more), span=span)


def _ignores_duplicates(given: Any) -> bool | None:
    """What the option IGNORE_DUP_KEY says, among options or lists of them."""
    options = [o for part in given for o in (part if isinstance(part, tuple) else (part,))]
    return True if "IGNORE_DUP_KEY = ON" in options else False if "IGNORE_DUP_KEY = OFF" in options else None


@rule()
def alter_index_set(span: Span, index: Identifier | None, table: ObjectName, *more: Any) -> AlterIndexStatement:
    return AlterIndexStatement(index, table, "SET", _ignores_duplicates(more), span=span)
