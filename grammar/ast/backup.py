"""Copies of databases: BACKUP, RESTORE; and KILL, which clears the way for them, or ends subscriptions."""

from __future__ import annotations

from sbql.grammar.ast.base import Identifier, Node, Statement, node
from sbql.grammar.ast.expressions import Expression, IntegerLiteral, VariableReference

__all__ = ["BackupOption", "BackupStatement", "KillStatement", "KillSubscriptionStatement", "RestoreStatement"]


@node
class BackupOption(Node):
    """`word` in upper case: INIT, STATS, REPLACE … with its value if it has one. MOVE has the logical name in `value`
    and the file in `target`."""

    word: str
    value: Expression | Identifier | None = None
    target: Expression | None = None


@node
class BackupStatement(Statement):
    """`kind` is DATABASE or LOG. A device is a string or variable (DISK = …) or the name of a logical device."""

    kind: str
    database: Identifier | VariableReference
    devices: tuple[Expression | Identifier, ...]
    options: tuple[BackupOption, ...] = ()


@node
class RestoreStatement(Statement):
    """`kind` is DATABASE, LOG, FILELISTONLY, HEADERONLY, LABELONLY or VERIFYONLY; the last four name no database.
    Without devices a database is only recovered."""

    kind: str
    database: Identifier | VariableReference | None
    devices: tuple[Expression | Identifier, ...] = ()
    options: tuple[BackupOption, ...] = ()


@node
class KillStatement(Statement):
    """KILL session_id [WITH STATUSONLY]."""

    session_id: IntegerLiteral
    status_only: bool = False


@node
class KillSubscriptionStatement(Statement):
    """KILL QUERY NOTIFICATION SUBSCRIPTION; `subscription_id` None is ALL."""

    subscription_id: IntegerLiteral | None
