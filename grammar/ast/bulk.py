"""Reading files in bulk: OPENROWSET(BULK …) and BULK INSERT; rows that a client sends: INSERT BULK; TABLESAMPLE."""

from __future__ import annotations

from sbql.grammar.ast.base import DataTypeReference, Identifier, Node, Statement, node
from sbql.grammar.ast.expressions import Expression
from sbql.grammar.ast.queries import NamedTable, TableSource

__all__ = ["BulkColumn", "BulkInsertStatement", "BulkOption", "BulkRowset", "InsertBulkStatement", "SampledTable"]


@node
class BulkOption(Node):
    """`name` in upper case; `value` as written, None for a bare word; `columns` those of ORDER (…)."""

    name: str
    value: str | int | None = None
    columns: tuple[Identifier, ...] = ()


@node
class BulkRowset(TableSource):
    """`OPENROWSET(BULK 'file', SINGLE_CLOB) AS t (a)`."""

    file: str
    options: tuple[BulkOption, ...]
    alias: Identifier | None
    columns: tuple[Identifier, ...] = ()


@node
class SampledTable(TableSource):
    """`t TABLESAMPLE (10 PERCENT) REPEATABLE (5)`."""

    table: NamedTable
    size: Expression
    is_rows: bool = False
    seed: Expression | None = None


@node
class BulkColumn(Node):
    """A column as the sender of rows declares it."""

    name: Identifier
    type: DataTypeReference


@node
class InsertBulkStatement(Statement):
    """`INSERT BULK t (a int) WITH (KEEP_NULLS)`: a client is about to send rows."""

    target: NamedTable
    columns: tuple[BulkColumn, ...]
    options: tuple[BulkOption, ...] = ()


@node
class BulkInsertStatement(Statement):
    target: NamedTable
    file: str
    options: tuple[BulkOption, ...] = ()
