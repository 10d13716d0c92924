"""Text of BACKUP, RESTORE and KILL."""

from __future__ import annotations

from printing.blocks import prints
from sbql.grammar.ast import (
    BackupOption,
    BackupStatement,
    Expression,
    Identifier,
    KillStatement,
    KillSubscriptionStatement,
    RestoreStatement,
)
from sbql.grammar.printer.core import comma, text, words

__all__: list[str] = []


def _devices(devices: tuple[Expression | Identifier, ...]) -> str:
    return ", ".join(text(d) if isinstance(d, Identifier) else f"DISK = {text(d)}" for d in devices)


def _options(options: tuple[BackupOption, ...]) -> str | None:
    return f"WITH {comma(options)}" if options else None


@prints(BackupOption)
def _option(node: BackupOption) -> str:
    if node.value is None:
        return node.word
    if node.target is not None:
        return f"MOVE {text(node.value)} TO {text(node.target)}"
    return f"{node.word} = {text(node.value)}"


@prints(BackupStatement)
def _backup(node: BackupStatement) -> str:
    return words(f"BACKUP {node.kind}", text(node.database), "TO", _devices(node.devices), _options(node.options))


@prints(RestoreStatement)
def _restore(node: RestoreStatement) -> str:
    name = text(node.database) if node.database is not None else None
    devices = f"FROM {_devices(node.devices)}" if node.devices else None
    return words(f"RESTORE {node.kind}", name, devices, _options(node.options))


@prints(KillStatement)
def _kill(node: KillStatement) -> str:
    return f"KILL {text(node.session_id)}" + (" WITH STATUSONLY" if node.status_only else "")


@prints(KillSubscriptionStatement)
def _kill_subscription(node: KillSubscriptionStatement) -> str:
    number = node.subscription_id
    return f"KILL QUERY NOTIFICATION SUBSCRIPTION {text(number) if number is not None else 'ALL'}"
