"""Builders of table sources: what may stand in FROM."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    Apply,
    ColumnReference,
    Condition,
    DataTypeReference,
    DerivedTable,
    Expression,
    FunctionTable,
    Identifier,
    InlineValues,
    IntegerLiteral,
    Join,
    MethodCall,
    MethodTable,
    NamedTable,
    ObjectName,
    OpenJsonTable,
    OpenXmlTable,
    Pivot,
    QueryExpression,
    RowsetColumn,
    ScalarSubquery,
    Span,
    StringLiteral,
    TableHint,
    TableSource,
    Unpivot,
    VariableReference,
    VariableTable,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import text_of
from sbql.grammar.builders.expressions import method
from sbql.grammar.builders.modification_tables import refuse_modification
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.keywords import word_set
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.syntax_errors import incorrect_syntax

HINTS = word_set(
    """
    FORCESCAN FORCESEEK HOLDLOCK IGNORE_CONSTRAINTS IGNORE_TRIGGERS KEEPDEFAULTS KEEPIDENTITY NOEXPAND NOLOCK NOWAIT
    PAGLOCK READCOMMITTED READCOMMITTEDLOCK SPATIAL_WINDOW_MAX_CELLS READPAST READUNCOMMITTED REPEATABLEREAD ROWLOCK SERIALIZABLE SNAPSHOT
    TABLOCK TABLOCKX UPDLOCK XLOCK INDEX
    """
)
"""The words that may stand in WITH (…) behind a table, and, in the old spelling, in bare parentheses."""


@rule("named_table")
def _named_table(span: Span, name: ObjectName, alias: Identifier | None, hints: Any) -> NamedTable:
    return NamedTable(name, alias, hints or (), span=span)


@rule("old_hints")
def _old_hints(span: Span, name: ObjectName, alias: Identifier, words: tuple[Identifier, ...]) -> NamedTable:
    """`FROM t a (NOLOCK)`."""
    for word in words:
        if word.value.upper() not in HINTS:
            raise _no_hint(word.value, word.span)
    return NamedTable(name, alias, tuple(TableHint(w.value.upper(), span=w.span) for w in words), span=span)


@rule("variable_table")
def _variable_table(span: Span, variable: VariableReference, alias: Identifier | None) -> VariableTable:
    return VariableTable(variable.name, alias, span=span)


@rule("derived_table")
def _derived_table(span: Span, query: QueryExpression, alias: Identifier, columns: Any) -> DerivedTable:
    return DerivedTable(query, alias, columns or (), span=span)


@rule("inline_values")
def _inline_values(span: Span, rows: tuple[Any, ...], alias: Identifier, columns: Any) -> InlineValues:
    return InlineValues(rows, alias, columns or (), span=span)


# --- joins -------------------------------------------------------------------------------------------------


@rule("inner_join")
def _inner_join(span: Span, hint: tuple[str, ...] | None = None) -> tuple[str, str | None]:
    return "INNER", hint[0] if hint else None


@rule("outer_join")
def _outer_join(span: Span, side: tuple[str, ...], hint: tuple[str, ...] | None) -> tuple[str, str | None]:
    return side[0], hint[0] if hint else None


@rule("joined")
def _joined(span: Span, left: TableSource, kind: tuple[str, str | None], right: TableSource, on: Condition) -> Join:
    refuse_modification(10727, left, right)
    return Join(kind[0], left, right, on, kind[1], span=span)


@rule("cross_joined", "comma_join")
def _cross_joined(span: Span, left: TableSource, right: TableSource) -> Join:
    refuse_modification(10727, left, right)
    return Join("CROSS", left, right, span=span)


@rule("applied")
def _applied(span: Span, left: TableSource, kind: tuple[str, ...], right: TableSource) -> Apply:
    refuse_modification(10727, left, right)
    return Apply(kind[0], left, right, span=span)


# --- functions ---------------------------------------------------------------------------------------------


@rule("function_table")
def _function_table(
    span: Span, name: ObjectName, arguments: tuple[Any, ...], alias: Identifier | None, columns: Any
) -> TableSource:
    if hints := _hints_of(arguments, columns):
        return NamedTable(name, alias, hints, span=span)
    if len(name.parts) > 1 and name.name.lower() == "nodes":
        target = ColumnReference(name.parts[:-1], span=name.span)
        return _nodes(span, target, arguments, alias, columns)
    return FunctionTable(name, arguments, alias, columns or (), span=span)


def _hints_of(arguments: tuple[Any, ...], columns: Any) -> tuple[TableHint, ...]:
    """The hints of `FROM t (NOLOCK)`, which reads as a call."""
    plain = [a.parts for a in arguments if isinstance(a, ColumnReference) and len(a.parts) == 1]
    words = [part for parts in plain for part in parts if part is not None and not part.quoted]
    if not arguments or columns or len(words) != len(arguments) or any(w.value.upper() not in HINTS for w in words):
        return ()
    return tuple(TableHint(w.value.upper(), span=w.span) for w in words)


def _nodes(
    span: Span, target: Expression, arguments: tuple[Any, ...], alias: Identifier | None, columns: Any
) -> MethodTable:
    if len(arguments) != 1:
        raise incorrect_syntax("nodes", "nodes takes one argument, the path.", span)
    if isinstance(target, ColumnReference) and target.parts[-1] is None:
        raise incorrect_syntax(".", "The column that nodes is called on is missing.", target.span)
    if alias is None or not columns or len(columns) != 1:
        raise sql_error(318, span=span)
    return MethodTable(target, arguments[0], alias, columns[0], span=span)


@rule("odbc_outer_join")
def _odbc_outer_join(span: Span, word: Identifier, source: TableSource) -> TableSource:
    """`{oj a LEFT OUTER JOIN b ON …}` is the join."""
    if word.value.lower() != "oj":
        raise incorrect_syntax(word.value, "Expected oj.", word.span)
    return source


@rule("method_table")
def _method_table(
    span: Span, target: Any, name: Identifier, arguments: tuple[Any, ...], alias: Identifier, column: Identifier
) -> MethodTable:
    if name.value.lower() != "nodes":
        raise incorrect_syntax(name.value, "Only nodes makes a table.", name.span)
    operand = ScalarSubquery(target, span=target.span) if isinstance(target, QueryExpression) else target
    return _nodes(span, operand, arguments, alias, (column,))


@rule("chained_method_table")
def _chained_method_table(
    span: Span,
    name: ObjectName,
    first: tuple[Any, ...],
    second_name: Identifier,
    second: tuple[Any, ...],
    alias: Identifier,
    column: Identifier,
) -> MethodTable:
    """`t.c.query('…').nodes('…') AS a (b)`."""
    last = name.parts[-1]
    assert last is not None
    if len(name.parts) < 2:
        raise incorrect_syntax(last.value, "Only nodes of an xml column or variable makes a table.", span)
    target: MethodCall = method(name.span, ColumnReference(name.parts[:-1], span=name.span), last, first)
    return _method_table(span, target, second_name, second, alias, column)


@rule("open_xml")
def _open_xml(
    span: Span,
    document: Expression,
    pattern: Expression,
    flags: Expression | None,
    with_: Any,
    alias: Identifier | None,
) -> OpenXmlTable:
    columns, table = ((), with_) if isinstance(with_, ObjectName) else (with_ or (), None)
    return OpenXmlTable(document, pattern, flags, columns, table, alias, span=span)


@rule("open_json")
def _open_json(
    span: Span, document: Expression, path: Expression | None, columns: Any, alias: Identifier | None
) -> OpenJsonTable:
    return OpenJsonTable(document, path, columns or (), alias, span=span)


@rule("rowset_column")
def _rowset_column(
    span: Span, name: Identifier, type_: DataTypeReference, path: StringLiteral | None, as_json: bool | None
) -> RowsetColumn:
    return RowsetColumn(name, type_, path, bool(as_json), span=span)


@rule("pivot")
def _pivot(
    span: Span,
    source: TableSource,
    aggregate: ObjectName,
    value: tuple[Expression, ...],
    column: Expression,
    names: tuple[Identifier, ...],
    alias: Identifier,
) -> Pivot:
    refuse_modification(10728, source)
    return Pivot(source, aggregate, value, column, names, alias, span=span)


@rule("unpivot")
def _unpivot(
    span: Span,
    source: TableSource,
    value: Identifier,
    name: Identifier,
    names: tuple[Identifier, ...],
    alias: Identifier,
) -> Unpivot:
    refuse_modification(10728, source)
    return Unpivot(source, value, name, names, alias, span=span)


# --- hints -------------------------------------------------------------------------------------------------


def _no_hint(word: str, span: Span) -> SqlError:
    return incorrect_syntax(word, f"Expected a table hint. {did_you_mean(word, HINTS)}".rstrip(), span)


@rule("table_hint")
def _table_hint(span: Span, name: Any, *arguments: Identifier | IntegerLiteral) -> TableHint:
    word = name[0] if isinstance(name, tuple) else name.value.upper()
    if word not in HINTS:
        raise _no_hint(word, span)
    listed = [a for argument in arguments for a in (argument if isinstance(argument, tuple) else (argument,))]
    return TableHint(word, tuple(text_of(a) for a in listed), span=span)


@rule("table_hint_index")
def _table_hint_index(span: Span, *arguments: Identifier | IntegerLiteral) -> TableHint:
    return TableHint("INDEX", tuple(text_of(a) for a in arguments), span=span)
