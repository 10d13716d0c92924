"""Control flow, variables, errors, EXECUTE, transactions, cursors, SET options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sbql.grammar.ast.base import DataTypeReference, Identifier, Node, ObjectName, Statement, node
from sbql.grammar.ast.expressions import Condition, Expression, GlobalVariable, MethodCall, VariableReference

if TYPE_CHECKING:
    from sbql.grammar.ast.broker import GetConversationGroupStatement, ReceiveStatement
    from sbql.grammar.ast.ddl import ColumnDefinition, TableElement
    from sbql.grammar.ast.queries import SelectStatement

__all__ = [
    "BeginEndBlock",
    "BeginTransactionStatement",
    "BreakStatement",
    "CloseCursorStatement",
    "CommitTransactionStatement",
    "ContinueStatement",
    "CursorDefinition",
    "DeallocateCursorStatement",
    "DeclareCursorStatement",
    "DeclareStatement",
    "DeclareTableStatement",
    "ExecuteArgument",
    "ExecuteAsStatement",
    "ExecuteStatement",
    "ExecuteStringStatement",
    "FetchCursorStatement",
    "GotoStatement",
    "IfStatement",
    "LabelStatement",
    "OpenCursorStatement",
    "PrintStatement",
    "RaiserrorStatement",
    "ResultSetDefinition",
    "ReturnStatement",
    "RevertStatement",
    "RollbackTransactionStatement",
    "SaveTransactionStatement",
    "SetCursorVariableStatement",
    "SetIdentityInsertStatement",
    "SetOptionStatement",
    "SetVariableStatement",
    "SetXmlStatement",
    "ThrowStatement",
    "TryCatchStatement",
    "VariableDeclaration",
    "WaitForDelayStatement",
    "WaitForStatement",
    "WhileStatement",
]


# --- variables ---------------------------------------------------------------------------------------------


@node
class VariableDeclaration(Node):
    """`name` has its at sign. A cursor variable has type name `cursor`."""

    name: str
    type: DataTypeReference
    value: Expression | None = None


@node
class DeclareStatement(Statement):
    declarations: tuple[VariableDeclaration, ...]


@node
class DeclareTableStatement(Statement):
    """`DECLARE @t TABLE (…)`."""

    name: str
    elements: tuple[TableElement, ...]


@node
class SetVariableStatement(Statement):
    """`op` is '=' or a compound form such as '+='."""

    variable: VariableReference
    value: Expression
    op: str = "="

    @property
    def name(self) -> str:
        return self.variable.name


@node
class SetXmlStatement(Statement):
    """`SET @x.modify('…')`; the call's target is the variable."""

    call: MethodCall


# --- flow --------------------------------------------------------------------------------------------------


@node
class BeginEndBlock(Statement):
    statements: tuple[Statement, ...]


@node
class IfStatement(Statement):
    condition: Condition
    then: Statement
    otherwise: Statement | None = None


@node
class WhileStatement(Statement):
    condition: Condition
    body: Statement


@node
class BreakStatement(Statement):
    pass


@node
class ContinueStatement(Statement):
    pass


@node
class ReturnStatement(Statement):
    value: Expression | None = None


@node
class GotoStatement(Statement):
    label: str


@node
class LabelStatement(Statement):
    label: str


@node
class WaitForDelayStatement(Statement):
    """`kind` is DELAY or TIME."""

    kind: str
    value: Expression


@node
class WaitForStatement(Statement):
    """`WAITFOR (RECEIVE … | GET CONVERSATION GROUP …) [, TIMEOUT ms]`."""

    statement: ReceiveStatement | GetConversationGroupStatement
    timeout: Expression | None = None


# --- errors and messages -----------------------------------------------------------------------------------


@node
class TryCatchStatement(Statement):
    try_block: tuple[Statement, ...]
    catch_block: tuple[Statement, ...]


@node
class ThrowStatement(Statement):
    """Without arguments: raise the caught error again."""

    number: Expression | None = None
    message: Expression | None = None
    state: Expression | None = None


@node
class RaiserrorStatement(Statement):
    """`options` are upper-case words: LOG, NOWAIT, SETERROR."""

    message: Expression
    severity: Expression
    state: Expression
    arguments: tuple[Expression, ...] = ()
    options: tuple[str, ...] = ()


@node
class PrintStatement(Statement):
    value: Expression


# --- EXECUTE -----------------------------------------------------------------------------------------------


@node
class ExecuteArgument(Node):
    """`name` None is by position. `value` may be a DefaultValue."""

    value: Expression
    name: str | None = None
    output: bool = False


@node
class ExecuteStatement(Statement):
    """`EXEC [@rc =] proc args`. `procedure` is a name, or a variable (`@name`) that holds one. `result_sets` is what
    WITH RESULT SETS asks for, () for NONE; without it None."""

    procedure: ObjectName | str
    arguments: tuple[ExecuteArgument, ...] = ()
    result: str | None = None
    result_sets: tuple[ResultSetDefinition, ...] | None = None


@node
class ResultSetDefinition(Node):
    """Its columns (name, type, COLLATE, NULL), or the table, view, function or type whose columns it has. Neither: FOR
    XML."""

    columns: tuple[ColumnDefinition, ...] = ()
    object: ObjectName | None = None


@node
class ExecuteStringStatement(Statement):
    """`EXEC ('…' + @v [, value …]) [AS USER|LOGIN = 'x'] [AT server]`. The pieces are literals and variables, no
    expressions; the values are for a linked server."""

    pieces: tuple[Expression, ...]
    values: tuple[Expression, ...] = ()
    as_kind: str | None = None
    as_name: str | None = None
    at_server: str | None = None
    result_sets: tuple[ResultSetDefinition, ...] | None = None


@node
class ExecuteAsStatement(Statement):
    """`EXECUTE AS USER|LOGIN|CALLER [= 'x'] [WITH NO REVERT | COOKIE INTO @v]`."""

    kind: str
    name: Expression | None = None
    no_revert: bool = False
    cookie: str | None = None


@node
class RevertStatement(Statement):
    cookie: Expression | None = None


# --- transactions ------------------------------------------------------------------------------------------


@node
class BeginTransactionStatement(Statement):
    """`name` is an Identifier, or a variable name as str."""

    name: Identifier | str | None = None
    mark: str | None = None
    distributed: bool = False


@node
class CommitTransactionStatement(Statement):
    name: Identifier | str | None = None
    delayed_durability: bool | None = None


@node
class RollbackTransactionStatement(Statement):
    name: Identifier | str | None = None


@node
class SaveTransactionStatement(Statement):
    name: Identifier | str


# --- cursors -----------------------------------------------------------------------------------------------


@node
class CursorDefinition(Node):
    """`options` are upper-case words: LOCAL, GLOBAL, FORWARD_ONLY, SCROLL, STATIC, KEYSET, DYNAMIC, FAST_FORWARD,
    READ_ONLY, SCROLL_LOCKS, OPTIMISTIC, TYPE_WARNING, INSENSITIVE. `update_of` None: no FOR UPDATE."""

    query: SelectStatement
    options: tuple[str, ...] = ()
    update_of: tuple[Identifier, ...] | None = None


@node
class DeclareCursorStatement(Statement):
    name: Identifier
    definition: CursorDefinition


@node
class SetCursorVariableStatement(Statement):
    name: str
    definition: CursorDefinition


@node
class OpenCursorStatement(Statement):
    cursor: Identifier | VariableReference
    is_global: bool = False


@node
class CloseCursorStatement(Statement):
    cursor: Identifier | VariableReference
    is_global: bool = False


@node
class DeallocateCursorStatement(Statement):
    cursor: Identifier | VariableReference
    is_global: bool = False


@node
class FetchCursorStatement(Statement):
    """`orientation` is NEXT, PRIOR, FIRST, LAST, ABSOLUTE or RELATIVE."""

    cursor: Identifier | VariableReference
    orientation: str = "NEXT"
    offset: Expression | None = None
    into: tuple[VariableReference | GlobalVariable, ...] = ()
    is_global: bool = False


# --- SET options -------------------------------------------------------------------------------------------


@node
class SetOptionStatement(Statement):
    """`SET NOCOUNT, XACT_ABORT ON`, `SET LANGUAGE x`, `SET TRANSACTION ISOLATION LEVEL y`, `SET ROWCOUNT n` …

    `options` are upper-case words; `value` is 'ON', 'OFF', a word, or an expression. `words` are those
    that are no keywords, as they were written.
    """

    options: tuple[str, ...]
    value: str | Expression
    words: tuple[Identifier, ...] = ()


@node
class SetIdentityInsertStatement(Statement):
    table: ObjectName
    on: bool
