"""INSERT, UPDATE, DELETE, MERGE, TRUNCATE and their parts."""

from __future__ import annotations

from sbql.grammar.ast.base import Identifier, Node, ObjectName, Statement, node
from sbql.grammar.ast.expressions import Condition, DefaultValue, Expression, VariableReference
from sbql.grammar.ast.procedural import ExecuteStatement
from sbql.grammar.ast.queries import (
    NamedTable,
    QueryExpression,
    QueryHint,
    SelectItem,
    TableSource,
    Top,
    VariableTable,
    WithClause,
)

__all__ = [
    "Assignment",
    "DataModificationTable",
    "DefaultValuesSource",
    "DeleteStatement",
    "ExecuteSource",
    "InsertStatement",
    "MergeAction",
    "MergeStatement",
    "OutputClause",
    "QuerySource",
    "TruncateTableStatement",
    "UpdateStatement",
    "ValuesSource",
]


# --- data modification -------------------------------------------------------------------------------------


@node
class OutputClause(Node):
    """OUTPUT list [INTO target (columns)] [OUTPUT list]. Columns are written inserted.c / deleted.c / $action. `shown`
    is the second list, for the client."""

    items: tuple[SelectItem, ...]
    into: NamedTable | VariableTable | None = None
    into_columns: tuple[Identifier, ...] = ()
    shown: tuple[SelectItem, ...] = ()


@node
class ValuesSource(Node):
    rows: tuple[tuple[Expression | DefaultValue, ...], ...]


@node
class QuerySource(Node):
    query: QueryExpression


@node
class ExecuteSource(Node):
    statement: ExecuteStatement


@node
class DefaultValuesSource(Node):
    pass


@node
class InsertStatement(Statement):
    target: NamedTable | VariableTable
    columns: tuple[Identifier, ...]
    source: ValuesSource | QuerySource | ExecuteSource | DefaultValuesSource
    with_: WithClause | None = None
    top: Top | None = None
    output: OutputClause | None = None
    hints: tuple[QueryHint, ...] = ()


@node
class Assignment(Node):
    """One item of SET in UPDATE: `column = e`, `@v = e`, `@v = column = e`, `column.modify('…')` and
    `column.WRITE(e, offset, length)` (then `expression` is the MethodCall and `op` its name). `op` may be a compound
    form."""

    column: ObjectName | None
    expression: Expression
    variable: str | None = None
    op: str = "="


@node
class UpdateStatement(Statement):
    """`target` is as written: a table, or an alias of `from_`. `current_of`: a cursor, and whether GLOBAL."""

    target: NamedTable | VariableTable
    assignments: tuple[Assignment, ...]
    from_: TableSource | None = None
    where: Condition | None = None
    current_of: tuple[Identifier | VariableReference, bool] | None = None
    with_: WithClause | None = None
    top: Top | None = None
    output: OutputClause | None = None
    hints: tuple[QueryHint, ...] = ()


@node
class DeleteStatement(Statement):
    target: NamedTable | VariableTable
    from_: TableSource | None = None
    where: Condition | None = None
    current_of: tuple[Identifier | VariableReference, bool] | None = None
    with_: WithClause | None = None
    top: Top | None = None
    output: OutputClause | None = None
    hints: tuple[QueryHint, ...] = ()


@node
class MergeAction(Node):
    """`when` is MATCHED, NOT MATCHED or NOT MATCHED BY SOURCE; `action` UPDATE, DELETE or INSERT."""

    when: str
    condition: Condition | None
    action: str
    assignments: tuple[Assignment, ...] = ()
    columns: tuple[Identifier, ...] = ()
    values: tuple[Expression, ...] | None = None


@node
class MergeStatement(Statement):
    target: NamedTable | VariableTable
    source: TableSource
    on: Condition
    actions: tuple[MergeAction, ...]
    with_: WithClause | None = None
    top: Top | None = None
    output: OutputClause | None = None
    hints: tuple[QueryHint, ...] = ()


@node
class TruncateTableStatement(Statement):
    name: ObjectName


@node
class DataModificationTable(TableSource):
    """`(DELETE … OUTPUT …) AS t (a, b)` in the FROM of INSERT … SELECT: the rows that OUTPUT gives."""

    statement: InsertStatement | UpdateStatement | DeleteStatement | MergeStatement
    alias: Identifier
    columns: tuple[Identifier, ...] = ()
