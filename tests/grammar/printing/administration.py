"""Text of DBCC, RECONFIGURE and ALTER INDEX."""

from __future__ import annotations

from printing.blocks import prints
from sbql.grammar.ast import AlterIndexStatement, DbccStatement, ReconfigureStatement
from sbql.grammar.printer.core import comma, text, words

__all__: list[str] = []


@prints(DbccStatement)
def _dbcc(node: DbccStatement) -> str:
    arguments = f"({comma(node.arguments)})" if node.arguments else None
    return words("DBCC", node.command, arguments, "WITH " + ", ".join(node.options) if node.options else None)


@prints(ReconfigureStatement)
def _reconfigure(node: ReconfigureStatement) -> str:
    return words("RECONFIGURE", "WITH OVERRIDE" if node.overrides else None)


@prints(AlterIndexStatement)
def _alter_index(node: AlterIndexStatement) -> str:
    action = "SET (STATISTICS_NORECOMPUTE = OFF)" if node.action == "SET" else node.action
    return words("ALTER INDEX", text(node.index) if node.index else "ALL", "ON", text(node.table), action)
