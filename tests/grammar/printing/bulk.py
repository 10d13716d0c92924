"""Text of BULK INSERT, OPENROWSET(BULK …) and TABLESAMPLE."""

from __future__ import annotations

from printing.blocks import prints
from printing.queries import aliased
from sbql.grammar.ast import BulkColumn, BulkInsertStatement, BulkOption, BulkRowset, InsertBulkStatement, SampledTable
from sbql.grammar.printer.core import comma, quoted, text, words

__all__: list[str] = []


@prints(BulkInsertStatement)
def _bulk_insert(node: BulkInsertStatement) -> str:
    options = f"WITH ({comma(node.options)})" if node.options else None
    return words("BULK INSERT", text(node.target), "FROM", quoted(node.file), options)


@prints(InsertBulkStatement)
def _insert_bulk(node: InsertBulkStatement) -> str:
    options = f"WITH ({comma(node.options)})" if node.options else None
    return words("INSERT BULK", text(node.target), f"({comma(node.columns)})", options)


@prints(BulkColumn)
def _bulk_column(node: BulkColumn) -> str:
    return f"{text(node.name)} {text(node.type)}"


@prints(BulkOption)
def _bulk_option(node: BulkOption) -> str:
    if node.columns:
        return f"ORDER ({comma(node.columns)})"
    if node.value is None:
        return node.name
    return f"{node.name} = {node.value if isinstance(node.value, int) else quoted(node.value)}"


@prints(BulkRowset)
def _bulk_rowset(node: BulkRowset) -> str:
    return aliased(f"OPENROWSET(BULK {quoted(node.file)}, {comma(node.options)})", node.alias, node.columns)


@prints(SampledTable)
def _sampled(node: SampledTable) -> str:
    unit = "ROWS" if node.is_rows else "PERCENT"
    seed = f" REPEATABLE ({text(node.seed)})" if node.seed is not None else ""
    hints = f" WITH ({comma(node.table.hints)})" if node.table.hints else ""
    table = aliased(text(node.table.name), node.table.alias)
    return f"{table} TABLESAMPLE ({text(node.size)} {unit}){seed}{hints}"
