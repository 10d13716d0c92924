"""Builders of the statements of dialogs: BEGIN DIALOG, SEND, RECEIVE, GET and MOVE CONVERSATION, END CONVERSATION."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    BeginConversationTimerStatement,
    BeginDialogStatement,
    EndConversationStatement,
    Expression,
    GetConversationGroupStatement,
    Identifier,
    MoveConversationStatement,
    ObjectName,
    ReceiveStatement,
    ReceiveWhere,
    SelectItem,
    SendStatement,
    Span,
    Top,
    VariableReference,
)
from sbql.grammar.builders.common import merge_options
from sbql.grammar.builders.registry import node, rule
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

node("begin_conversation_timer", BeginConversationTimerStatement)
node("move_conversation", MoveConversationStatement)
node("end_conversation", EndConversationStatement)
node("end_with_error", EndConversationStatement)


@rule("begin_dialog")
def _begin_dialog(
    span: Span, handle: VariableReference, from_service: Any, to_service: Expression, instance: Expression | None,
    contract: Any, options: tuple[tuple[str, Any], ...] | None,
) -> BeginDialogStatement:
    fields = merge_options(span, options or ())
    if "related_conversation" in fields and "related_conversation_group" in fields:
        raise incorrect_syntax("RELATED_CONVERSATION_GROUP", "It excludes RELATED_CONVERSATION.", span)
    if "dialog_lifetime" in fields:
        fields["lifetime"] = fields.pop("dialog_lifetime")
    return BeginDialogStatement(handle.name, from_service, to_service, instance, contract, **fields, span=span)


@rule("send_list")
def _send_list(span: Span, first: Expression, others: tuple[Expression, ...]) -> tuple[Expression, ...]:
    return (first, *others)


@rule("send")
def _send(
    span: Span, handles: tuple[Expression, ...], message_type: Any, body: Expression | None
) -> SendStatement:
    return SendStatement(handles, message_type, body, span=span)


@rule("receive_where")
def _receive_where(span: Span, column: Identifier, value: Expression) -> ReceiveWhere:
    if column.value.lower() not in ("conversation_handle", "conversation_group_id"):
        raise incorrect_syntax(column.value, "Expected conversation_handle or conversation_group_id.", column.span)
    return ReceiveWhere(column.value.lower(), value, span=span)


@rule("receive")
def _receive(
    span: Span, top: Top | None, items: tuple[SelectItem, ...], queue: ObjectName, into: VariableReference | None,
    where: ReceiveWhere | None,
) -> ReceiveStatement:
    if top is not None and (top.percent or top.with_ties):
        raise incorrect_syntax("PERCENT" if top.percent else "WITH", "RECEIVE takes TOP (n) only.", top.span)
    count = top.count if top is not None else None
    return ReceiveStatement(items, queue, count, into.name if into else None, where, span=span)


@rule("get_conversation_group")
def _get_conversation_group(
    span: Span, variable: VariableReference, queue: ObjectName
) -> GetConversationGroupStatement:
    return GetConversationGroupStatement(variable.name, queue, span=span)


@rule("end_with_cleanup")
def _end_with_cleanup(span: Span, handle: Expression) -> EndConversationStatement:
    return EndConversationStatement(handle, cleanup=True, span=span)
