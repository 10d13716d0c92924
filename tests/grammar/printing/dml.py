"""Text of INSERT, UPDATE, DELETE, MERGE and TRUNCATE TABLE."""

from __future__ import annotations

from printing.blocks import prints
from printing.queries import aliased, columns, option
from sbql.grammar.ast import (
    Assignment,
    DataModificationTable,
    DefaultValuesSource,
    DeleteStatement,
    ExecuteSource,
    Identifier,
    InsertStatement,
    MergeAction,
    MergeStatement,
    NamedTable,
    OutputClause,
    QuerySource,
    TruncateTableStatement,
    UpdateStatement,
    ValuesSource,
    VariableReference,
    VariableTable,
)
from sbql.grammar.printer.core import comma, text, words

__all__: list[str] = []


@prints(InsertStatement)
def _insert(node: InsertStatement) -> str:
    return words(
        text(node.with_) if node.with_ else None,
        "INSERT",
        text(node.top) if node.top else None,
        "INTO",
        text(node.target) + columns(node.columns),
        text(node.output) if node.output else None,
        text(node.source),
        option(node.hints),
    )


@prints(ValuesSource)
def _values(node: ValuesSource) -> str:
    return "VALUES " + ", ".join(f"({comma(row)})" for row in node.rows)


@prints(QuerySource)
def _query_source(node: QuerySource) -> str:
    return text(node.query)


@prints(ExecuteSource)
def _execute_source(node: ExecuteSource) -> str:
    return text(node.statement)


@prints(DefaultValuesSource)
def _default_values(node: DefaultValuesSource) -> str:
    return "DEFAULT VALUES"


@prints(OutputClause)
def _output(node: OutputClause) -> str:
    into = f"INTO {text(node.into)}{columns(node.into_columns)}" if node.into else None
    return words("OUTPUT", comma(node.items), into, f"OUTPUT {comma(node.shown)}" if node.shown else None)


@prints(UpdateStatement)
def _update(node: UpdateStatement) -> str:
    return words(
        text(node.with_) if node.with_ else None,
        "UPDATE",
        text(node.top) if node.top else None,
        text(node.target),
        "SET",
        comma(node.assignments),
        *_rest(node),
    )


@prints(DeleteStatement)
def _delete(node: DeleteStatement) -> str:
    top = text(node.top) if node.top else None
    return words(text(node.with_) if node.with_ else None, "DELETE", top, "FROM", text(node.target), *_rest(node))


def _rest(node: UpdateStatement | DeleteStatement) -> tuple[str | None, ...]:
    """What UPDATE and DELETE have in common behind their own part."""
    return (
        text(node.output) if node.output else None,
        f"FROM {text(node.from_)}" if node.from_ else None,
        f"WHERE {text(node.where)}" if node.where else None,
        f"WHERE CURRENT OF {_cursor(*node.current_of)}" if node.current_of else None,
        option(node.hints),
    )


def _cursor(cursor: Identifier | VariableReference, is_global: bool) -> str:
    spelled = text(cursor)
    return f"GLOBAL {spelled}" if is_global else spelled


@prints(Assignment)
def _assignment(node: Assignment) -> str:
    if node.op in ("modify", "write"):
        return text(node.expression)
    column = text(node.column) if node.column else None
    if node.variable is not None and column is not None:
        return f"{node.variable} = {column} {node.op} {text(node.expression)}"
    return f"{node.variable or column} {node.op} {text(node.expression)}"


@prints(MergeStatement)
def _merge(node: MergeStatement) -> str:
    return words(
        text(node.with_) if node.with_ else None,
        "MERGE",
        text(node.top) if node.top else None,
        "INTO",
        _merge_target(node.target),
        "USING",
        text(node.source),
        "ON",
        text(node.on),
        *(text(action) for action in node.actions),
        text(node.output) if node.output else None,
        option(node.hints),
    )


def _merge_target(target: NamedTable | VariableTable) -> str:
    """Here the hints stand before the alias."""
    if isinstance(target, VariableTable) or not target.hints:
        return text(target)
    return aliased(f"{text(target.name)} WITH ({comma(target.hints)})", target.alias)


@prints(MergeAction)
def _merge_action(node: MergeAction) -> str:
    condition = f"AND {text(node.condition)}" if node.condition else None
    if node.action == "UPDATE":
        change = f"UPDATE SET {comma(node.assignments)}"
    elif node.action == "DELETE":
        change = "DELETE"
    else:
        values = "DEFAULT VALUES" if node.values is None else f"VALUES ({comma(node.values)})"
        change = f"INSERT{columns(node.columns)} {values}"
    return words("WHEN", node.when, condition, "THEN", change)


@prints(TruncateTableStatement)
def _truncate(node: TruncateTableStatement) -> str:
    return f"TRUNCATE TABLE {text(node.name)}"


@prints(DataModificationTable)
def _modification_table(node: DataModificationTable) -> str:
    return aliased(f"({text(node.statement)})", node.alias, node.columns)
