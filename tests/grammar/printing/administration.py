"""Text of DBCC, RECONFIGURE, ALTER INDEX and statistics."""

from __future__ import annotations

from printing.blocks import prints
from sbql.grammar.ast import AlterIndexStatement, DbccStatement, ReconfigureStatement, StatisticsStatement
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
    ignores = {True: "IGNORE_DUP_KEY = ON", False: "IGNORE_DUP_KEY = OFF", None: ""}[node.ignores_duplicates]
    action = node.action + (f" WITH ({ignores})" if ignores else "")
    if node.action == "SET":
        action = f"SET ({ignores or 'STATISTICS_NORECOMPUTE = OFF'})"
    return words("ALTER INDEX", text(node.index) if node.index else "ALL", "ON", text(node.table), action)


@prints(StatisticsStatement)
def _statistics(node: StatisticsStatement) -> str:
    if node.verb == "CREATE":
        return words("CREATE STATISTICS", text(node.name), "ON", text(node.names[0]), f"({comma(node.columns)})")
    return words(node.verb, "STATISTICS", comma(node.names))
