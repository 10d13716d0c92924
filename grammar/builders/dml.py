"""Builders of INSERT, UPDATE, DELETE, MERGE and TRUNCATE TABLE."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    Assignment,
    ColumnReference,
    Condition,
    DefaultValue,
    DefaultValuesSource,
    DeleteStatement,
    ExecuteSource,
    Expression,
    Identifier,
    InsertStatement,
    MergeAction,
    MergeStatement,
    MethodCall,
    NamedTable,
    ObjectName,
    OutputClause,
    QuerySource,
    SelectItem,
    Span,
    TableSource,
    Top,
    TruncateTableStatement,
    UpdateStatement,
    ValuesSource,
    VariableReference,
    VariableTable,
    WithClause,
)
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.builders.common import name_parts
from sbql.grammar.builders.common_table_hints import with_spread_hints
from sbql.grammar.builders.expressions import method
from sbql.grammar.builders.merge_rules import check_merge
from sbql.grammar.builders.modification_tables import refuse_modification
from sbql.grammar.builders.query_hints import checked_hints, with_depth
from sbql.grammar.errors import sql_error
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

Target = NamedTable | VariableTable
Cursor = tuple[Identifier | VariableReference, bool]
Where = tuple[Condition | None, Cursor | None]

node("values_source", ValuesSource)
node("query_source", QuerySource)
node("subquery_source", QuerySource)
node("execute_source", ExecuteSource)
node("default_values", DefaultValuesSource)
node("default_value", DefaultValue)


@rule()
def truncate_table(span: Span, table: ObjectName, *partitions: Any) -> TruncateTableStatement:
    if any(partition is not None for partition in partitions):
        raise sql_error(40517, "TRUNCATE TABLE … WITH (PARTITIONS)", span=span)
    return TruncateTableStatement(table, span=span)


@rule()
def insert_column(span: Span, *parts: Any) -> Identifier:
    """What stands in front of a column is not looked at, as on SQL Server: it can only be one of the target."""
    name: Identifier = parts[-1]
    return name


@rule()
def insert(
    span: Span,
    with_: WithClause | None,
    top: Top | None,
    target: Target,
    columns: Any,
    output: OutputClause | None,
    source: Any,
    hints: Any,
) -> InsertStatement:
    with_ = with_depth(with_, hints)
    return with_spread_hints(
        checked_hints(InsertStatement(target, columns or (), source, with_, top, output, hints or (), span=span))
    )


@rule("target_table")
def _target_table(span: Span, name: ObjectName, hints: Any) -> NamedTable:
    return NamedTable(name, None, hints or (), span=span)


@rule("target_variable")
def _target_variable(span: Span, variable: VariableReference) -> VariableTable:
    return VariableTable(variable.name, span=span)


@rule("output_table")
def _output_table(span: Span, name: ObjectName) -> NamedTable:
    return NamedTable(name, span=span)


@rule("output")
def _output(
    span: Span, items: tuple[SelectItem, ...], into: tuple[Any, ...] | None, shown: tuple[Any, ...] = ()
) -> OutputClause:
    target, *columns = into or (None,)
    return OutputClause(items, target, columns[0] if columns else (), shown[0] if shown else (), span=span)


# --- UPDATE and DELETE -------------------------------------------------------------------------------------


@rule()
def update(
    span: Span,
    with_: WithClause | None,
    top: Top | None,
    target: Target,
    assignments: tuple[Assignment, ...],
    output: OutputClause | None,
    from_: TableSource | None,
    where: Where,
    hints: Any,
) -> UpdateStatement:
    refuse_modification(10730, from_)
    with_ = with_depth(with_, hints)
    return with_spread_hints(
        checked_hints(UpdateStatement(target, assignments, from_, *where, with_, top, output, hints or (), span=span))
    )


@rule()
def delete(
    span: Span,
    with_: WithClause | None,
    top: Top | None,
    target: Target,
    output: OutputClause | None,
    from_: TableSource | None,
    where: Where,
    hints: Any,
) -> DeleteStatement:
    refuse_modification(10730, from_)
    with_ = with_depth(with_, hints)
    return with_spread_hints(
        checked_hints(DeleteStatement(target, from_, *where, with_, top, output, hints or (), span=span))
    )


@rule("no_where")
def _no_where(span: Span) -> Where:
    return None, None


@rule("where_condition")
def _where_condition(span: Span, condition: Condition) -> Where:
    return condition, None


@rule("where_current")
def _where_current(span: Span, cursor: Cursor) -> Where:
    return None, cursor


@rule("assign_column")
def _assign_column(span: Span, column: ObjectName, value: Expression) -> Assignment:
    return Assignment(column, value, span=span)


@rule("assign_compound")
def _assign_compound(span: Span, column: ObjectName, op: str, value: Expression) -> Assignment:
    return Assignment(column, value, None, op, span=span)


@rule("assign_variable")
def _assign_variable(span: Span, variable: VariableReference, value: Expression) -> Assignment:
    return Assignment(None, value, variable.name, span=span)


@rule("assign_variable_compound")
def _assign_variable_compound(span: Span, variable: VariableReference, op: str, value: Expression) -> Assignment:
    return Assignment(None, value, variable.name, op, span=span)


@rule("assign_both")
def _assign_both(span: Span, variable: VariableReference, *rest: Any) -> Assignment:
    """`@v = column = expression`."""
    *dotted, value = rest
    return Assignment(ObjectName(name_parts(span, tuple(dotted)), span=span), value, variable.name, span=span)


@rule("assign_both_compound")
def _assign_both_compound(span: Span, variable: VariableReference, *rest: Any) -> Assignment:
    *dotted, op, value = rest
    return Assignment(ObjectName(name_parts(span, tuple(dotted)), span=span), value, variable.name, op, span=span)


@rule("assign_method")
def _assign_method(span: Span, name: ObjectName, arguments: tuple[Any, ...]) -> Assignment:
    """`column.modify('…')` or `column.WRITE(expression, offset, length)`."""
    last = name.parts[-1]
    assert last is not None
    word = last.value.lower()
    if len(name.parts) < 2 or word not in ("modify", "write"):
        raise incorrect_syntax(last.value, "Expected column.modify('…') or column.WRITE(…).", name.span)
    column = ObjectName(name.parts[:-1], span=name.span)
    target = ColumnReference(column.parts, span=name.span)
    if word == "modify":
        return Assignment(column, method(span, target, last, arguments), None, word, span=span)
    if len(arguments) != 3:
        raise incorrect_syntax(last.value, "Expected column.WRITE(expression, offset, length).", name.span)
    return Assignment(column, MethodCall(target, word, arguments, span=span), None, word, span=span)


# --- MERGE -------------------------------------------------------------------------------------------------


@rule()
def merge(
    span: Span,
    with_: WithClause | None,
    top: Top | None,
    target: Target,
    source: TableSource,
    on: Condition,
    *rest: Any,
) -> MergeStatement:
    refuse_modification(10733, source)
    *actions, output, hints = rest
    check_merge(target, source, actions)
    with_ = with_depth(with_, hints)
    return with_spread_hints(
        checked_hints(MergeStatement(target, source, on, tuple(actions), with_, top, output, hints or (), span=span))
    )


@rule("merge_target")
def _merge_target(span: Span, target: Target, alias: Identifier | None) -> Target:
    if isinstance(target, NamedTable):
        return NamedTable(target.name, alias, target.hints, span=span)
    return VariableTable(target.name, alias, span=span)


@rule("merge_action")
def _merge_action(span: Span, when: str, condition: Condition | None, change: dict[str, Any]) -> MergeAction:
    return MergeAction(when, condition, **change, span=span)


@rule("merge_matched")
def _merge_matched(span: Span) -> str:
    return "MATCHED"


@rule("merge_not_matched")
def _merge_not_matched(span: Span) -> str:
    return "NOT MATCHED"


@rule("merge_not_matched_by_source")
def _merge_not_matched_by_source(span: Span) -> str:
    return "NOT MATCHED BY SOURCE"


@rule("merge_update")
def _merge_update(span: Span, assignments: tuple[Assignment, ...]) -> dict[str, Any]:
    return {"action": "UPDATE", "assignments": assignments}


@rule("merge_delete")
def _merge_delete(span: Span) -> dict[str, Any]:
    return {"action": "DELETE"}


@rule("merge_insert")
def _merge_insert(span: Span, columns: Any, values: tuple[Expression, ...]) -> dict[str, Any]:
    return {"action": "INSERT", "columns": columns or (), "values": values}


@rule("merge_insert_default")
def _merge_insert_default(span: Span) -> dict[str, Any]:
    return {"action": "INSERT"}
