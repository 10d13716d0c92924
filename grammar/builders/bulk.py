"""Builders of BULK INSERT, OPENROWSET(BULK …), TABLESAMPLE, and of the table sources and calls that are only named."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    BulkColumn,
    BulkInsertStatement,
    BulkOption,
    BulkRowset,
    DataTypeReference,
    Expression,
    Identifier,
    InsertBulkStatement,
    IntegerLiteral,
    NamedTable,
    ObjectName,
    SampledTable,
    Span,
    StringLiteral,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.errors import sql_error
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []


@rule()
def bulk_insert(span: Span, target: ObjectName, file: StringLiteral, options: Any) -> BulkInsertStatement:
    return BulkInsertStatement(NamedTable(target, span=target.span), file.value, options or (), span=span)


@rule()
def bulk_rowset(
    span: Span, file: StringLiteral, options: Any, with_: Any, alias: Identifier | None, columns: Any
) -> BulkRowset:
    if with_:
        raise sql_error(40517, "OPENROWSET(BULK …) WITH (…)", span=span)
    return BulkRowset(file.value, options, alias, columns or (), span=span)


@rule()
def insert_bulk(span: Span, target: ObjectName, *rest: Any) -> InsertBulkStatement:
    columns = tuple(child for child in rest if isinstance(child, BulkColumn))
    options = next((child for child in rest if isinstance(child, tuple)), ())
    return InsertBulkStatement(NamedTable(target, span=target.span), columns, options, span=span)


@rule("bulk_column")
def _bulk_column(span: Span, name: Identifier, data_type: DataTypeReference, *rest: Any) -> BulkColumn:
    return BulkColumn(name, data_type, span=span)


@rule("bulk_with")
def _bulk_with(span: Span, *children: Any) -> Any:
    return children


@rule("bulk_options")
def _bulk_options(span: Span, *options: BulkOption) -> tuple[BulkOption, ...]:
    return options


@rule("bulk_word")
def _bulk_word(span: Span, name: Identifier) -> BulkOption:
    return BulkOption(name.value.upper(), span=span)


@rule("bulk_setting")
def _bulk_setting(span: Span, name: Identifier, value: Identifier | IntegerLiteral | StringLiteral) -> BulkOption:
    return BulkOption(name.value.upper(), value.value, span=span)


@rule("bulk_order")
def _bulk_order(span: Span, *columns: Any) -> BulkOption:
    return BulkOption("ORDER", None, tuple(c.name for c in columns if c is not None), span=span)


# --- samples -----------------------------------------------------------------------------------------------


@rule("sampled_table")
def _sampled_table(
    span: Span,
    name: ObjectName,
    alias: Identifier | None,
    method: Identifier | None,
    size: Expression,
    unit: tuple[str, ...] | None,
    seed: Expression | None,
    hints: Any,
) -> SampledTable:
    if method is not None and method.value.upper() != "SYSTEM":
        raise incorrect_syntax(method.value, "The method of a sample is SYSTEM.", method.span)
    table = NamedTable(name, alias, hints or (), span=span)
    return SampledTable(table, size, unit is not None and unit[0] == "ROWS", seed, span=span)


@rule("sampled_table_alias")
def _sampled_table_alias(span: Span, name: ObjectName, *rest: Any) -> SampledTable:
    method, size, unit, seed, alias, hints = rest
    return _sampled_table(span, name, alias, method, size, unit, seed, hints)


# --- what is only named ------------------------------------------------------------------------------------


@rule("period_table")
def _period_table(span: Span, *children: Any) -> None:
    raise sql_error(40517, "FOR SYSTEM_TIME", span=span)


@rule("path_table")
def _path_table(span: Span, *children: Any) -> None:
    raise sql_error(40517, "FOR PATH", span=span)


@rule("system_time")
def _system_time(span: Span, *children: Any) -> None:
    return None


@rule()
def unsupported_source(span: Span, word: str, *children: Any) -> None:
    raise sql_error(40517, word, span=span)


@rule("static_method")
def _static_method(span: Span, *children: Any) -> None:
    """`hierarchyid::GetRoot()`: only the system's own CLR types have such methods, and none of these is here."""
    name = ".".join(c.value for c in children if isinstance(c, Identifier))
    type_name = name.rpartition(".")[0]
    if type_name.lower().removeprefix("sys.") in ("hierarchyid", "geometry", "geography"):
        raise sql_error(40517, type_name, span=span)
    raise sql_error(243, type_name, span=span)


@rule("unsupported_predicate")
def _unsupported_predicate(span: Span, word: str) -> None:
    raise sql_error(40517, word, span=span)
