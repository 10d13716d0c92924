"""Builders of procedures, functions, views and triggers."""

from __future__ import annotations

from typing import Any, Final

from sbql.grammar.ast import (
    CreateFunctionStatement,
    CreateProcedureStatement,
    CreateTriggerStatement,
    CreateViewStatement,
    DataTypeReference,
    DropModuleStatement,
    EnableTriggerStatement,
    ExecuteAsClause,
    Expression,
    Identifier,
    ObjectName,
    Parameter,
    QueryExpression,
    ReturnStatement,
    SelectStatement,
    Span,
    Statement,
    StringLiteral,
    UnsupportedStatement,
    VariableReference,
    WithClause,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import forbid_returned_values, one_word, spelled
from sbql.grammar.builders.common_table_hints import with_spread_hints
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.option_forms import wrong_option
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

MAX_PARAMETERS = 2100
"""Of a procedure or function."""

_MODULE_OPTIONS: Final = {
    "VIEW": ("ENCRYPTION", "SCHEMABINDING", "VIEW_METADATA"),
    "PROCEDURE": ("ENCRYPTION", "RECOMPILE", "EXECUTE AS", "NATIVE_COMPILATION", "SCHEMABINDING"),
    "FUNCTION": (
        "ENCRYPTION", "SCHEMABINDING", "RETURNS NULL ON NULL INPUT", "CALLED ON NULL INPUT", "EXECUTE AS", "INLINE",
        "NATIVE_COMPILATION",
    ),
    "TRIGGER": ("ENCRYPTION", "EXECUTE AS", "NATIVE_COMPILATION", "SCHEMABINDING"),
}  # fmt: skip
"""What each kind of module takes behind WITH."""


# --- options and parameters --------------------------------------------------------------------------------


def _options(span: Span, options: Any, kind: str) -> dict[str, Any]:
    """The fields `execute_as` and `options` of a module, from its WITH list. Raises 1039
    for one that stands there twice, 102 for one that the kind of module does not have."""
    found: dict[str, Any] = {"execute_as": None, "options": ()}
    seen: set[str] = set()
    for option in options or ():
        word = _word_of(option)
        if word in seen:
            raise sql_error(1039, word, span=span)
        if word not in _MODULE_OPTIONS[kind] or (word == "INLINE" and isinstance(option, Identifier)):
            raise _no_option(option, kind, span)
        seen.add(word)
        if isinstance(option, ExecuteAsClause):
            found["execute_as"] = option
        else:
            found["options"] = (*found["options"], word)
    return found


def _word_of(option: Identifier | ExecuteAsClause | str) -> str:
    if isinstance(option, ExecuteAsClause):
        return "EXECUTE AS"
    return option if isinstance(option, str) else option.value.upper()


def _no_option(option: Identifier | ExecuteAsClause | str, kind: str, span: Span) -> SqlError:
    if isinstance(option, Identifier):
        return wrong_option(option, _MODULE_OPTIONS[kind])
    return incorrect_syntax(_word_of(option).split()[0], f"A {kind.lower()} has no such option.", span)


@rule("option_inline")
def _option_inline(span: Span, word: Identifier, setting: Any) -> str:
    """INLINE = ON | OFF: functions are never inlined here, which nobody can see."""
    if word.value.upper() != "INLINE":
        raise incorrect_syntax(word.value, "Expected INLINE.", word.span)
    return "INLINE"


@rule("atomic_block")
def _atomic_block(span: Span, *children: Any) -> UnsupportedStatement:
    return UnsupportedStatement("BEGIN ATOMIC", span=span)


@rule("returns_null")
def _returns_null(span: Span) -> str:
    return "RETURNS NULL ON NULL INPUT"


@rule("called_on_null")
def _called_on_null(span: Span) -> str:
    return "CALLED ON NULL INPUT"


@rule("execute_as_kind")
def _execute_as_kind(span: Span, word: str) -> ExecuteAsClause:
    return ExecuteAsClause(word, span=span)


@rule("execute_as_name")
def _execute_as_name(span: Span, name: StringLiteral) -> ExecuteAsClause:
    return ExecuteAsClause("USER", name.value, span=span)


@rule("parameter")
def _parameter(
    span: Span,
    variable: VariableReference,
    type_: DataTypeReference,
    nullable: bool | None,
    varying: Any,
    default: Expression | None,
    output: Any,
    readonly: Any,
) -> Parameter:
    return Parameter(variable.name, type_, default, bool(output), bool(readonly), bool(varying), span=span)


def _check_count(parameters: tuple[Parameter, ...], verb: str, kind: str, span: Span) -> None:
    if len(parameters) > MAX_PARAMETERS:
        raise sql_error(180, f"{verb} {kind}", MAX_PARAMETERS, span=span)


# --- procedures and functions ------------------------------------------------------------------------------


@rule("procedure_body")
def _procedure_body(span: Span, *statements: Statement) -> dict[str, Any]:
    return {"body": statements}


@rule("external_body")
def _external_body(span: Span, name: ObjectName) -> dict[str, Any]:
    return {"body": (), "external_name": spelled(name)}


@rule("create_procedure")
def _create_procedure(
    span: Span, verb: str, name: ObjectName, number: int | None, parameters: Any, options: Any, body: dict[str, Any]
) -> CreateProcedureStatement:
    if number is not None and number != 1:
        raise sql_error(40517, "numbered procedures", span=span)
    _check_count(parameters or (), verb, "PROCEDURE", span)
    return CreateProcedureStatement(
        verb, name, parameters or (), **body, **_options(span, options, "PROCEDURE"), span=span
    )


@rule("create_function")
def _create_function(
    span: Span, verb: str, name: ObjectName, parameters: tuple[Parameter, ...], result: dict[str, Any]
) -> CreateFunctionStatement:
    _check_count(parameters, verb, "FUNCTION", span)
    body = result.get("body", ())
    if result.get("external_name") is None and "query" not in result:
        _check_last_return(body, span)
    if "table_name" in result:
        forbid_returned_values(body)
    return CreateFunctionStatement(verb, name, parameters, **result, span=span)


def _check_last_return(body: tuple[Statement, ...], span: Span) -> None:
    if not body or not isinstance(body[-1], ReturnStatement):
        raise sql_error(455, span=body[-1].span if body else span)


@rule("scalar_function")
def _scalar_function(span: Span, type_: DataTypeReference, options: Any, body: dict[str, Any]) -> dict[str, Any]:
    return {"returns": type_, **body, **_options(span, options, "FUNCTION")}


@rule("inline_function")
def _inline_function(span: Span, options: Any, query: SelectStatement) -> dict[str, Any]:
    return {"query": query, **_options(span, options, "FUNCTION")}


@rule("inline_select")
def _inline_select(span: Span, with_: WithClause | None, query: QueryExpression) -> SelectStatement:
    return with_spread_hints(SelectStatement(query, with_, span=span))


@rule("inline_subquery")
def _inline_subquery(span: Span, query: QueryExpression) -> SelectStatement:
    return SelectStatement(query, span=span)


@rule("table_function_body")
def _table_function_body(
    span: Span, variable: VariableReference, elements: tuple[Any, ...], options: Any, body: dict[str, Any]
) -> dict[str, Any]:
    return {"table_name": variable.name, "table_elements": elements, **body, **_options(span, options, "FUNCTION")}


@rule("external_table_function")
def _external_table_function(span: Span, elements: tuple[Any, ...], options: Any, name: ObjectName) -> dict[str, Any]:
    return {"table_elements": elements, "external_name": spelled(name), **_options(span, options, "FUNCTION")}


@rule("create_view")
def _create_view(
    span: Span, verb: str, name: ObjectName, columns: Any, options: Any, select: SelectStatement, check: Any
) -> CreateViewStatement:
    words = _options(span, options, "VIEW")["options"]
    verb = verb.removesuffix(" VIEW")  # of an element of CREATE SCHEMA
    return CreateViewStatement(verb, name, columns or (), select, words, bool(check), span=span)


# --- triggers ----------------------------------------------------------------------------------------------


@rule("create_trigger")
def _create_trigger(
    span: Span,
    verb: str,
    name: ObjectName,
    target: dict[str, Any],
    options: Any,
    timing: tuple[str, ...],
    events: tuple[str, ...],
    body: dict[str, Any],
) -> CreateTriggerStatement:
    when = "AFTER" if one_word(timing) == "FOR" else one_word(timing)
    forbid_returned_values(body["body"])
    fields = {**body, **target, **_options(span, options, "TRIGGER")}
    return CreateTriggerStatement(verb, name, when, events, **fields, span=span)


@rule("trigger_table")
def _trigger_table(span: Span, table: ObjectName) -> dict[str, Any]:
    return {"table": table}


@rule("trigger_database")
def _trigger_database(span: Span) -> dict[str, Any]:
    return {"scope": "DATABASE"}


@rule("trigger_server")
def _trigger_server(span: Span) -> dict[str, Any]:
    return {"scope": "ALL SERVER"}


@rule("trigger_event")
def _trigger_event(span: Span, word: Identifier | str) -> str:
    return one_word((word,))


@rule("enable_trigger")
def _enable_trigger(
    span: Span, word: str, names: tuple[ObjectName, ...], target: dict[str, Any]
) -> EnableTriggerStatement:
    return EnableTriggerStatement(word.startswith("ENABLE"), names, target.get("table"), target.get("scope"), span=span)


# --- DROP --------------------------------------------------------------------------------------------------


@rule("drop_module")
def _drop_module(
    span: Span, kind: str, if_exists: bool | None, names: tuple[ObjectName, ...], scope: dict[str, Any] | None
) -> DropModuleStatement:
    return DropModuleStatement(
        "PROCEDURE" if kind == "PROC" else kind, names, bool(if_exists), (scope or {}).get("scope"), span=span
    )
