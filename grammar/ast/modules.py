"""Procedures, functions, views and triggers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbql.grammar.ast.base import DataTypeReference, Identifier, Node, ObjectName, Statement, node
from sbql.grammar.ast.expressions import Expression

if TYPE_CHECKING:
    from sbql.grammar.ast.ddl import TableElement
    from sbql.grammar.ast.queries import SelectStatement

__all__ = [
    "CreateFunctionStatement",
    "CreateProcedureStatement",
    "CreateTriggerStatement",
    "CreateViewStatement",
    "DropModuleStatement",
    "EnableTriggerStatement",
    "ExecuteAsClause",
    "Parameter",
]


@node
class Parameter(Node):
    name: str
    type: DataTypeReference
    default: Expression | None = None
    output: bool = False
    readonly: bool = False
    varying: bool = False


@node
class ExecuteAsClause(Node):
    """`kind` is CALLER, SELF, OWNER or USER (then with a name)."""

    kind: str
    name: str | None = None


@node
class CreateProcedureStatement(Statement):
    """CREATE, ALTER and CREATE OR ALTER; `verb` tells. `text` is the whole batch, kept for sys.sql_modules.
    `options` are upper-case words (RECOMPILE, ENCRYPTION, SCHEMABINDING …)."""

    verb: str
    name: ObjectName
    parameters: tuple[Parameter, ...]
    body: tuple[Statement, ...]
    execute_as: ExecuteAsClause | None = None
    options: tuple[str, ...] = ()
    external_name: str | None = None


@node
class CreateFunctionStatement(Statement):
    """Scalar: `returns` and `body`. Inline: `query`. Multi-statement: `table_name`, `table_elements` and `body`."""

    verb: str
    name: ObjectName
    parameters: tuple[Parameter, ...]
    returns: DataTypeReference | None = None
    body: tuple[Statement, ...] = ()
    query: SelectStatement | None = None
    table_name: str | None = None
    table_elements: tuple[TableElement, ...] = ()
    execute_as: ExecuteAsClause | None = None
    options: tuple[str, ...] = ()
    external_name: str | None = None


@node
class CreateViewStatement(Statement):
    verb: str
    name: ObjectName
    columns: tuple[Identifier, ...]
    query: SelectStatement
    options: tuple[str, ...] = ()
    check_option: bool = False


@node
class CreateTriggerStatement(Statement):
    """DML trigger: `table`, `timing` AFTER or INSTEAD OF, `events` INSERT/UPDATE/DELETE. DDL trigger: `scope` DATABASE
    or ALL SERVER, `events` the event types."""

    verb: str
    name: ObjectName
    timing: str
    events: tuple[str, ...]
    body: tuple[Statement, ...]
    table: ObjectName | None = None
    scope: str | None = None
    execute_as: ExecuteAsClause | None = None
    options: tuple[str, ...] = ()
    external_name: str | None = None


@node
class DropModuleStatement(Statement):
    """DROP PROCEDURE | FUNCTION | VIEW | TRIGGER [IF EXISTS] a, b; `kind` upper case. For a DDL trigger, `scope`."""

    kind: str
    names: tuple[ObjectName, ...]
    if_exists: bool = False
    scope: str | None = None


@node
class EnableTriggerStatement(Statement):
    """ENABLE / DISABLE TRIGGER; no names means ALL."""

    enable: bool
    names: tuple[ObjectName, ...]
    on: ObjectName | None
    scope: str | None = None
