"""Statements for whoever runs the server: DBCC, RECONFIGURE, ALTER INDEX, statistics."""

from __future__ import annotations

from sbql.grammar.ast.base import Identifier, ObjectName, Statement, node
from sbql.grammar.ast.expressions import Expression

__all__ = ["AlterIndexStatement", "DbccStatement", "ReconfigureStatement", "StatisticsStatement"]


@node
class DbccStatement(Statement):
    """`command` and the words of `options` are upper case. An argument is a name or an expression without columns."""

    command: str
    arguments: tuple[Expression | ObjectName, ...] = ()
    options: tuple[str, ...] = ()


@node
class ReconfigureStatement(Statement):
    """What sp_configure has set is in use from now on. `overrides`: WITH OVERRIDE."""

    overrides: bool = False


@node
class AlterIndexStatement(Statement):
    """`index` None is ALL; `action` REBUILD, REORGANIZE, DISABLE, SET …, upper case. `ignores_duplicates` is what
    IGNORE_DUP_KEY says, None without it; other index options have no effect."""

    index: Identifier | None
    table: ObjectName
    action: str
    ignores_duplicates: bool | None = None


@node
class StatisticsStatement(Statement):
    """CREATE, UPDATE and DROP STATISTICS. `names` are the table, or for DROP table.statistics; `columns` those of
    CREATE, which calls them `name`. That is told by events; a filter and the options have no effect."""

    verb: str
    names: tuple[ObjectName, ...]
    columns: tuple[Identifier, ...] = ()
    name: Identifier | None = None
