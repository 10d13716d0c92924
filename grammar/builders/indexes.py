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
    ObjectName,
    Span,
    UnsupportedStatement,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.table_options import checked
from sbql.grammar.errors import sql_error
from sbql.grammar.option_forms import WrittenOption, wrong_option
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

_XML_INDEX_KINDS = ("VALUE", "PATH", "PROPERTY")


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
    span: Span, name: Identifier, table: ObjectName, columns: tuple[IndexColumn, ...], use: Any, options: Any
) -> CreateIndexStatement:
    checked(options, "CREATE INDEX")
    return CreateIndexStatement(name, table, columns, kind="XML", span=span)


@rule("xml_index_use")
def _xml_index_use(span: Span, primary: Identifier, kind: Identifier | None) -> None:
    """Which index an XML index rests on: no XML index is kept."""
    if kind is not None and kind.value.upper() not in _XML_INDEX_KINDS:
        raise wrong_option(kind, _XML_INDEX_KINDS)


@rule("drop_index")
def _drop_index(span: Span, if_exists: bool | None, *parts: Any) -> DropIndexStatement:
    *items, storage = parts
    return DropIndexStatement(tuple(items), bool(if_exists), storage or (), span=span)


@rule("drop_with")
def _drop_with(span: Span, *options: Any) -> tuple[DataSpace, ...]:
    """Where the rows of a dropped clustered index or key go; the other options have no effect."""
    checked([option for option in options if isinstance(option, WrittenOption)], "DROP INDEX")
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
    checked(options, "CREATE TYPE")
    return CreateTypeStatement(name, elements=elements, span=span)
