"""Builders of the statements of dialogs: BEGIN DIALOG, SEND, RECEIVE, GET and MOVE CONVERSATION, END CONVERSATION."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    BeginConversationTimerStatement,
    BeginDialogStatement,
    BeginMonologStatement,
    BeginSubscriptionStatement,
    EndConversationStatement,
    EndSubscriptionStatement,
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
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.builders.common import merge_options
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

node("begin_conversation_timer", BeginConversationTimerStatement)
node("move_conversation", MoveConversationStatement)
node("end_conversation", EndConversationStatement)
node("end_with_error", EndConversationStatement)
node("end_subscription", EndSubscriptionStatement)


@rule("begin_dialog")
def _begin_dialog(
    span: Span,
    handle: VariableReference,
    from_service: Any,
    to_service: Expression,
    instance: Expression | None,
    contract: Any,
    options: tuple[tuple[str, Any], ...] | None,
) -> BeginDialogStatement:
    fields = _conversation_options(span, options)
    return BeginDialogStatement(handle, from_service, to_service, instance, contract, **fields, span=span)


def _conversation_options(span: Span, options: tuple[tuple[str, Any], ...] | None) -> dict[str, Any]:
    fields = merge_options(span, options or (), {"dialog_lifetime": "LIFETIME"})
    if "related_conversation" in fields and "related_conversation_group" in fields:
        raise incorrect_syntax("RELATED_CONVERSATION_GROUP", "It excludes RELATED_CONVERSATION.", span)
    if "dialog_lifetime" in fields:
        fields["lifetime"] = fields.pop("dialog_lifetime")
    return fields


@rule("begin_monolog")
def _begin_monolog(
    span: Span, handle: VariableReference, from_service: Any, contract: Any, options: tuple[tuple[str, Any], ...] | None
) -> BeginMonologStatement:
    return BeginMonologStatement(handle, from_service, contract, **_conversation_options(span, options), span=span)


@rule("option_retention_period", "option_retention_switch")
def _option_retention(span: Span, value: Expression | bool) -> tuple[str, Any]:
    return "retention", value


@rule("begin_subscription")
def _begin_subscription(
    span: Span,
    handle: VariableReference,
    for_service: Any,
    to_service: Expression,
    instance: Expression | None,
    contract: Any,
    start: tuple[str, ...] | None,
) -> BeginSubscriptionStatement:
    return BeginSubscriptionStatement(
        handle, for_service, to_service, instance, contract, start[0] if start else None, span=span
    )


@rule("send_list")
def _send_list(span: Span, first: Expression, others: tuple[Expression, ...]) -> tuple[Expression, ...]:
    return (first, *others)


@rule("send")
def _send(span: Span, handles: tuple[Expression, ...], message_type: Any, body: Expression | None) -> SendStatement:
    return SendStatement(handles, message_type, body, span=span)


@rule("receive_where")
def _receive_where(span: Span, column: Identifier, value: Expression) -> ReceiveWhere:
    if column.value.lower() not in ("conversation_handle", "conversation_group_id"):
        raise incorrect_syntax(column.value, "Expected conversation_handle or conversation_group_id.", column.span)
    return ReceiveWhere(column.value.lower(), value, span=span)


@rule("receive")
def _receive(
    span: Span,
    top: Top | None,
    items: tuple[SelectItem, ...],
    queue: ObjectName,
    into: VariableReference | None,
    where: ReceiveWhere | None,
) -> ReceiveStatement:
    if top is not None and (top.percent or top.with_ties):
        raise incorrect_syntax("PERCENT" if top.percent else "WITH", "RECEIVE takes TOP (n) only.", top.span)
    count = top.count if top is not None else None
    return ReceiveStatement(items, queue, count, into, where, span=span)


@rule("get_conversation_group")
def _get_conversation_group(
    span: Span, variable: VariableReference, queue: ObjectName
) -> GetConversationGroupStatement:
    return GetConversationGroupStatement(variable, queue, span=span)


@rule("end_with_cleanup")
def _end_with_cleanup(span: Span, handle: Expression) -> EndConversationStatement:
    return EndConversationStatement(handle, cleanup=True, span=span)
