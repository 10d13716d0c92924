"""Builders of BACKUP, RESTORE and KILL."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    BackupOption,
    BackupStatement,
    Expression,
    Identifier,
    IntegerLiteral,
    KillStatement,
    KillSubscriptionStatement,
    RestoreStatement,
    Span,
    VariableReference,
)
from sbql.grammar.builders.builder_table import rule

__all__: list[str] = []


def _parts(children: tuple[Any, ...]) -> tuple[tuple[Any, ...], tuple[BackupOption, ...]]:
    """Devices and options; both may be left out."""
    *devices, options = children
    return tuple(device for device in devices if device is not None), options or ()


@rule("backup")
def _backup(span: Span, kind: str, name: Identifier | VariableReference, *rest: Any) -> BackupStatement:
    return BackupStatement(kind, name, *_parts(rest), span=span)


@rule("restore")
def _restore(span: Span, kind: str, name: Identifier | VariableReference, *rest: Any) -> RestoreStatement:
    return RestoreStatement(kind, name, *_parts(rest), span=span)


@rule("restore_list")
def _restore_list(span: Span, kind: str, *rest: Any) -> RestoreStatement:
    return RestoreStatement(kind, None, *_parts(rest), span=span)


@rule("logical_device")
def _logical_device(span: Span, name: Identifier) -> Identifier:
    return name


@rule("backup_word")
def _backup_word(span: Span, word: Identifier) -> BackupOption:
    return BackupOption(word.value.upper(), span=span)


@rule("backup_setting")
def _backup_setting(span: Span, word: Identifier, value: Any) -> BackupOption:
    return BackupOption(word.value.upper(), value, span=span)


@rule("backup_file")
def _backup_file(span: Span, number: IntegerLiteral) -> BackupOption:
    return BackupOption("FILE", number, span=span)


@rule("backup_move")
def _backup_move(span: Span, logical: Expression, target: Expression) -> BackupOption:
    return BackupOption("MOVE", logical, target, span=span)


@rule("kill")
def _kill(span: Span, session: IntegerLiteral, status_only: str | None) -> KillStatement:
    return KillStatement(session, status_only is not None, span=span)


@rule("kill_all")
def _kill_all(span: Span) -> None:
    return None


@rule("kill_subscription")
def _kill_subscription(span: Span, number: IntegerLiteral | None) -> KillSubscriptionStatement:
    return KillSubscriptionStatement(number, span=span)
