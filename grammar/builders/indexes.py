"""Builders of indexes, their options, storage clauses, and types."""

from __future__ import annotations

from typing import Any, NoReturn

from sbql.grammar.ast import (
    Condition,
    CreateIndexStatement,
    CreateTypeStatement,
    DataSpace,
    DataTypeReference,
    DropIndexStatement,
    Identifier,
    IndexColumn,
    IntegerLiteral,
    ObjectName,
    Span,
    UnsupportedStatement,
)
from sbql.grammar.builders.builder_table import rule, words
from sbql.grammar.builders.common import text_of
from sbql.grammar.errors import sql_error
from sbql.grammar.keywords import INDEX_OPTIONS
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []


@rule("index_option")
def _index_option(span: Span, *children: Any) -> str:
    """`NAME = VALUE`, in upper case; the old form without a value means ON."""
    present = [c for c in children if c is not None]
    first, *rest = [words(c) if isinstance(c, (str, Identifier)) else text_of(c).upper() for c in present]
    if first not in INDEX_OPTIONS:
        raise sql_error(155, first, "table or index", span=span)
    return f"{first} = {' '.join(rest) or 'ON'}"


@rule("index_option_nested")
def _index_option_nested(span: Span, *children: Any) -> str:
    *plain, nested = children
    return f"{_index_option(span, *plain)} ({', '.join(nested)})"


@rule("index_option_partitions")
def _index_option_partitions(span: Span, *children: Any) -> str:
    """Tables have one partition: which of them is meant makes no difference."""
    return _index_option(span, *(c for c in children if not isinstance(c, tuple)))


@rule("fill_factor")
def _fill_factor(span: Span, percent: IntegerLiteral) -> str:
    return f"FILLFACTOR = {percent.value}"


@rule("with_fill_factor")
def _with_fill_factor(span: Span, option: str) -> tuple[str, ...]:
    return (option,)


@rule("create_index")
def _create_index(
    span: Span,
    unique: bool,
    clustered: bool | None,
    name: Identifier,
    table: ObjectName,
    columns: tuple[IndexColumn, ...],
    include: Any,
    where: Condition | None,
    options: tuple[str, ...] | None,
    *storage: DataSpace | None,
) -> CreateIndexStatement:
    fields = (name, table, columns, unique, clustered, include or (), where)
    spaces = tuple(space for space in storage if space is not None)
    return CreateIndexStatement(*fields, options=options or (), storage=spaces, span=span)


@rule("create_columnstore")
def _create_columnstore(
    span: Span,
    unique: bool,
    clustered: bool | None,
    name: Identifier,
    table: ObjectName,
    names: Any,
    where: Condition | None,
    order: Any,
    options: tuple[str, ...] | None,
    storage: DataSpace | None,
) -> CreateIndexStatement:
    columns = tuple(IndexColumn(column, span=column.span) for column in names or ())
    fields = (name, table, columns, False, clustered, (), where)
    spaces = (storage,) if storage is not None else ()
    return CreateIndexStatement(*fields, kind="COLUMNSTORE", options=options or (), storage=spaces, span=span)


@rule("create_xml_index")
def _create_xml_index(
    span: Span, name: Identifier, table: ObjectName, columns: tuple[IndexColumn, ...], *ignored: Any
) -> CreateIndexStatement:
    return CreateIndexStatement(name, table, columns, kind="XML", span=span)


@rule("drop_index")
def _drop_index(span: Span, if_exists: bool | None, *parts: Any) -> DropIndexStatement:
    *items, storage = parts
    return DropIndexStatement(tuple(items), bool(if_exists), storage or (), span=span)


@rule("drop_with")
def _drop_with(span: Span, *options: Any) -> tuple[DataSpace, ...]:
    """Where the rows of a dropped clustered index or key go; the other options have no effect."""
    return tuple(option for option in options if isinstance(option, DataSpace))


@rule("drop_move_to")
def _drop_move_to(span: Span, word: Identifier, space: DataSpace) -> DataSpace:
    if word.value.upper() != "MOVE":
        raise incorrect_syntax(word.value, "Expected MOVE TO.", word.span)
    return space


@rule("filegroup")
def _filegroup(span: Span, name: Identifier) -> DataSpace:
    return DataSpace(name, span=span)


@rule("default_filegroup")
def _default_filegroup(span: Span) -> DataSpace:
    return DataSpace(Identifier("default", True, span=span), span=span)


@rule("partition_scheme")
def _partition_scheme(span: Span, name: Identifier, columns: Any) -> DataSpace:
    return DataSpace(name, tuple(columns), span=span)


@rule("drop_index_dotted")
def _drop_index_dotted(span: Span, *parts: Identifier) -> tuple[Identifier, ObjectName]:
    """The old form `table.index`."""
    return parts[-1], ObjectName(parts[:-1], span=span)


@rule("drop_index_alone")
def _drop_index_alone(span: Span, name: Identifier) -> NoReturn:
    raise sql_error(159, span=name.span)


@rule("create_alias_type")
def _create_alias_type(
    span: Span, name: ObjectName, base: DataTypeReference, nullable: bool | None
) -> CreateTypeStatement:
    return CreateTypeStatement(name, base, nullable, span=span)


@rule("create_clr_type")
def _create_clr_type(span: Span, *ignored: Any) -> UnsupportedStatement:
    return UnsupportedStatement("CREATE TYPE … EXTERNAL NAME", span=span)


@rule("create_table_type")
def _create_table_type(span: Span, name: ObjectName, elements: tuple[Any, ...], options: Any) -> CreateTypeStatement:
    return CreateTypeStatement(name, elements=elements, span=span)
