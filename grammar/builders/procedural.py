"""Builders of variables, control flow, errors, EXECUTE, transactions, cursors and SET options."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    BeginEndBlock,
    BeginTransactionStatement,
    BreakStatement,
    ColumnDefinition,
    CommitTransactionStatement,
    ContinueStatement,
    DataTypeReference,
    DeclareStatement,
    DeclareTableStatement,
    ExecuteArgument,
    ExecuteAsStatement,
    ExecuteStatement,
    ExecuteStringStatement,
    Expression,
    GotoStatement,
    Identifier,
    IfStatement,
    IntegerLiteral,
    LabelStatement,
    ObjectName,
    PrintStatement,
    RaiserrorStatement,
    ResultSetDefinition,
    ReturnStatement,
    RevertStatement,
    RollbackTransactionStatement,
    SaveTransactionStatement,
    SetIdentityInsertStatement,
    SetOptionStatement,
    SetVariableStatement,
    SetXmlStatement,
    Span,
    Statement,
    StringLiteral,
    ThrowStatement,
    TryCatchStatement,
    UnaryExpression,
    VariableDeclaration,
    VariableReference,
    WaitForDelayStatement,
    WaitForStatement,
    WhileStatement,
)
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.builders.expressions import method
from sbql.grammar.errors import sql_error
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

node("if_statement", IfStatement)
node("while_statement", WhileStatement)
node("break_statement", BreakStatement)
node("continue_statement", ContinueStatement)
node("return_statement", ReturnStatement)
node("label", LabelStatement)
node("print_statement", PrintStatement)
node("throw", ThrowStatement)
node("revert", RevertStatement)
node("wait_for", WaitForStatement)
node("set_identity_insert", SetIdentityInsertStatement)
node("save_transaction", SaveTransactionStatement)


# --- variables ---------------------------------------------------------------------------------------------


@rule("declare")
def _declare(span: Span, *declarations: VariableDeclaration) -> DeclareStatement:
    return DeclareStatement(declarations, span=span)


@rule("declaration")
def _declaration(
    span: Span, variable: VariableReference, type_: DataTypeReference, value: Expression | None
) -> VariableDeclaration:
    return VariableDeclaration(variable.name, type_, value, span=span)


@rule("declare_table")
def _declare_table(span: Span, variable: VariableReference, elements: tuple[Any, ...]) -> DeclareTableStatement:
    return DeclareTableStatement(variable.name, elements, span=span)


@rule("set_variable")
def _set_variable(span: Span, variable: VariableReference, value: Expression) -> SetVariableStatement:
    return SetVariableStatement(variable, value, span=span)


@rule("set_compound")
def _set_compound(span: Span, variable: VariableReference, op: str, value: Expression) -> SetVariableStatement:
    return SetVariableStatement(variable, value, op, span=span)


@rule("set_method")
def _set_method(span: Span, variable: VariableReference, name: Identifier, *arguments: Any) -> SetXmlStatement:
    call = method(span, variable, name, arguments)
    if call.method != "modify":
        raise sql_error(8113, call.method, span=name.span)
    return SetXmlStatement(call, span=span)


# --- SET options -------------------------------------------------------------------------------------------


@rule("set_words")
def _set_words(span: Span, word: Identifier | str) -> Identifier | str:
    return word


@rule("set_option")
def _set_option(span: Span, *children: Any) -> SetOptionStatement:
    *options, value = children
    names = tuple(word if isinstance(word, str) else word.value.upper() for word in options)
    words = tuple(word for word in children if isinstance(word, Identifier))
    return SetOptionStatement(names, _set_value(value, span), words, span=span)


def _set_value(value: Any, span: Span) -> str | Expression:
    if isinstance(value, bool):
        return "ON" if value else "OFF"
    if isinstance(value, int):
        return IntegerLiteral(value, span=span) if value >= 0 else _negative_literal(value, span)
    return value.value.upper() if isinstance(value, Identifier) else value


def _negative_literal(value: int, span: Span) -> Expression:
    return UnaryExpression("-", IntegerLiteral(-value, span=span), span=span)


@rule("set_isolation")
def _set_isolation(span: Span, level: str) -> SetOptionStatement:
    return SetOptionStatement(("TRANSACTION ISOLATION LEVEL",), level, span=span)


@rule("set_statistics")
def _set_statistics(span: Span, *children: Any) -> SetOptionStatement:
    *names, on = children
    return SetOptionStatement(tuple(f"STATISTICS {n.value.upper()}" for n in names), "ON" if on else "OFF", span=span)


# --- flow --------------------------------------------------------------------------------------------------


@rule("begin_end")
def _begin_end(span: Span, *statements: Statement) -> BeginEndBlock:
    return BeginEndBlock(statements, span=span)


@rule("goto_statement")
def _goto(span: Span, label: Identifier) -> GotoStatement:
    return GotoStatement(label.value, span=span)


@rule("wait_for_delay")
def _wait_for_delay(span: Span, value: Expression) -> WaitForDelayStatement:
    return WaitForDelayStatement("DELAY", value, span=span)


@rule("wait_for_time")
def _wait_for_time(span: Span, value: Expression) -> WaitForDelayStatement:
    return WaitForDelayStatement("TIME", value, span=span)


@rule("try_catch")
def _try_catch(
    span: Span, try_block: tuple[Statement, ...], catch_block: tuple[Statement, ...] | None
) -> TryCatchStatement:
    return TryCatchStatement(try_block, catch_block or (), span=span)


@rule("raiserror")
def _raiserror(
    span: Span,
    message: Expression,
    severity: Expression,
    state: Expression,
    arguments: tuple[Expression, ...],
    options: Any,
) -> RaiserrorStatement:
    return RaiserrorStatement(message, severity, state, arguments, options or (), span=span)


@rule("raiserror_options")
def _raiserror_options(span: Span, *options: Identifier) -> tuple[str, ...]:
    for option in options:
        if option.value.upper() not in ("LOG", "NOWAIT", "SETERROR"):
            raise incorrect_syntax(option.value, "Expected LOG, NOWAIT or SETERROR.", option.span)
    return tuple(option.value.upper() for option in options)


# --- EXECUTE -----------------------------------------------------------------------------------------------


@rule("execute")
def _execute(
    span: Span,
    result: VariableReference | None,
    procedure: ObjectName | VariableReference,
    arguments: Any,
    options: Any,
) -> ExecuteStatement:
    name = procedure.name if isinstance(procedure, VariableReference) else procedure
    sets = _result_sets_of(options)
    return ExecuteStatement(name, arguments or (), result.name if result else None, sets, span=span)


def _result_sets_of(options: tuple[Any, ...] | None) -> tuple[ResultSetDefinition, ...] | None:
    """RECOMPILE and RESULT SETS UNDEFINED say nothing."""
    return next((option for option in options or () if option is not None), None)


@rule("result_set")
def _result_set(span: Span, *columns: ColumnDefinition) -> ResultSetDefinition:
    return ResultSetDefinition(columns, span=span)


@rule("result_column")
def _result_column(
    span: Span, name: Identifier, type_: DataTypeReference, collation: Identifier | None, nullable: bool | None
) -> ColumnDefinition:
    collated = collation.value if collation is not None else None
    return ColumnDefinition(name, type_, nullable, collation=collated, span=span)


@rule("result_set_of_object", "result_set_of_type")
def _result_set_of_object(span: Span, name: ObjectName) -> ResultSetDefinition:
    return ResultSetDefinition((), name, span=span)


@rule("result_set_of_xml")
def _result_set_of_xml(span: Span, word: str) -> ResultSetDefinition:
    return ResultSetDefinition((), span=span)


@rule("numbered_procedure")
def _numbered_procedure(span: Span, name: ObjectName, number: int) -> ObjectName:
    """`p;1` is p."""
    if number != 1:
        raise sql_error(40517, "numbered procedures", span=span)
    return name


@rule("positional_argument")
def _positional_argument(span: Span, value: Expression, output: bool | None) -> ExecuteArgument:
    return ExecuteArgument(value, None, bool(output), span=span)


@rule("named_argument")
def _named_argument(span: Span, variable: VariableReference, value: Expression, output: bool | None) -> ExecuteArgument:
    return ExecuteArgument(value, variable.name, bool(output), span=span)


@rule("bare_argument")
def _bare_argument(span: Span, word: Identifier) -> StringLiteral:
    """`EXEC sp_help Orders`: a bare word is a string."""
    return StringLiteral(word.value, span=span)


@rule("execute_string")
def _execute_string(
    span: Span,
    pieces: tuple[Expression, ...],
    values: tuple[Expression, ...] | None,
    principal: tuple[str, str] | None,
    server: Identifier | None,
    source: Identifier | None,
    options: Any,
) -> ExecuteStringStatement:
    kind, name = principal or (None, None)
    where = (source or server).value if server else None
    sets = _result_sets_of(options)
    return ExecuteStringStatement(pieces, values or (), kind, name, where, sets, span=span)


@rule("as_principal")
def _as_principal(span: Span, kind: tuple[str, ...], name: StringLiteral) -> tuple[str, str]:
    return kind[0], name.value


@rule("execute_as_caller")
def _execute_as_caller(span: Span, option: dict[str, Any] | None) -> ExecuteAsStatement:
    return ExecuteAsStatement("CALLER", **(option or {}), span=span)


@rule("execute_as")
def _execute_as(
    span: Span, kind: tuple[str, ...], name: Expression, option: dict[str, Any] | None
) -> ExecuteAsStatement:
    return ExecuteAsStatement(kind[0], name, **(option or {}), span=span)


@rule("no_revert")
def _no_revert(span: Span) -> dict[str, Any]:
    return {"no_revert": True}


@rule("cookie_into")
def _cookie_into(span: Span, variable: VariableReference) -> dict[str, Any]:
    return {"cookie": variable.name}


# --- transactions ------------------------------------------------------------------------------------------


@rule("transaction_name")
def _transaction_name(span: Span, name: Identifier | VariableReference) -> Identifier | str:
    return name.name if isinstance(name, VariableReference) else name


@rule("begin_transaction")
def _begin_transaction(span: Span, name: Any, mark: str | None) -> BeginTransactionStatement:
    return BeginTransactionStatement(name, mark, span=span)


@rule("begin_distributed")
def _begin_distributed(span: Span, name: Any) -> BeginTransactionStatement:
    return BeginTransactionStatement(name, distributed=True, span=span)


@rule("mark")
def _mark(span: Span, text: StringLiteral | None) -> str:
    return text.value if text else ""


@rule("commit")
def _commit(span: Span, delayed: bool | None) -> CommitTransactionStatement:
    return CommitTransactionStatement(None, delayed, span=span)


@rule("commit_transaction")
def _commit_transaction(span: Span, name: Any, delayed: bool | None) -> CommitTransactionStatement:
    return CommitTransactionStatement(name, delayed, span=span)


@rule("rollback")
def _rollback(span: Span, name: Any = None) -> RollbackTransactionStatement:
    return RollbackTransactionStatement(name, span=span)
