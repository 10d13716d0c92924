"""Builders of schemas, sequences, synonyms, XML schema collections, and DROP of such things."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    AlterSchemaStatement,
    CreateSchemaStatement,
    CreateSequenceStatement,
    CreateSynonymStatement,
    CreateTableStatement,
    DataSpace,
    DataTypeReference,
    DropObjectStatement,
    Expression,
    Identifier,
    ObjectName,
    Span,
    Statement,
    UseStatement,
    XmlSchemaCollectionStatement,
)
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.builders.common import merge_options, one_word
from sbql.grammar.builders.table_options import checked
from sbql.grammar.option_forms import WrittenOption

__all__: list[str] = []

node("use_statement", UseStatement)
node("create_synonym", CreateSynonymStatement)


# --- schemas, sequences, XML schema collections ------------------------------------------------------------


@rule("alter_schema")
def _alter_schema(span: Span, name: Identifier, securable: tuple[str, ObjectName]) -> AlterSchemaStatement:
    return AlterSchemaStatement(name, *securable, span=span)


@rule("create_schema")
def _create_schema(
    span: Span, name: Identifier, owner: Identifier | None, *elements: Statement
) -> CreateSchemaStatement:
    return CreateSchemaStatement(name, owner, elements, span=span)


@rule("create_schema_of")
def _create_schema_of(span: Span, owner: Identifier, *elements: Statement) -> CreateSchemaStatement:
    """Without a name the schema is called like its owner."""
    return CreateSchemaStatement(owner, owner, elements, span=span)


@rule("schema_table")
def _schema_table(
    span: Span,
    words: str,
    name: ObjectName,
    elements: tuple[Any, ...],
    storage: tuple[DataSpace, ...] | None,
    options: tuple[WrittenOption, ...] | None,
) -> CreateTableStatement:
    return CreateTableStatement(name, elements, checked(options, "CREATE TABLE"), storage or (), span=span)


@rule("create_sequence")
def _create_sequence(
    span: Span, verb: str, name: ObjectName, type_: DataTypeReference | None, *options: tuple[str, Any]
) -> CreateSequenceStatement:
    merge_options(span, options)
    return CreateSequenceStatement(verb, name, type_, options, span=span)


@rule("sequence_start", "sequence_increment", "sequence_maxvalue")
def _sequence_number(span: Span, word: str, value: int) -> tuple[str, Any]:
    return word, value


@rule("sequence_restart")
def _sequence_restart(span: Span, value: int | None) -> tuple[str, Any]:
    return "RESTART", value


@rule("sequence_no")
def _sequence_no(span: Span, word: str) -> tuple[str, Any]:
    """NO CYCLE and NO CACHE are False; NO MINVALUE and NO MAXVALUE are the type's bounds, None."""
    return word, False if word in ("CYCLE", "CACHE") else None


@rule("sequence_cycle")
def _sequence_cycle(span: Span) -> tuple[str, Any]:
    return "CYCLE", True


@rule("sequence_cache")
def _sequence_cache(span: Span, size: int | None) -> tuple[str, Any]:
    return "CACHE", True if size is None else size


@rule("create_xml_schema_collection")
def _create_xml_schema_collection(span: Span, name: ObjectName, schema: Expression) -> XmlSchemaCollectionStatement:
    return XmlSchemaCollectionStatement("CREATE", name, schema, span=span)


@rule("alter_xml_schema_collection")
def _alter_xml_schema_collection(span: Span, name: ObjectName, schema: Expression) -> XmlSchemaCollectionStatement:
    return XmlSchemaCollectionStatement("ALTER", name, schema, span=span)


# --- DROP --------------------------------------------------------------------------------------------------


@rule("drop_object")
def _drop_object(span: Span, kind: str, if_exists: bool | None, names: tuple[ObjectName, ...]) -> DropObjectStatement:
    return DropObjectStatement(kind, names, bool(if_exists), span=span)


@rule("drop_scoped_credential")
def _drop_scoped_credential(span: Span, if_exists: bool | None, names: tuple[ObjectName, ...]) -> DropObjectStatement:
    return DropObjectStatement("DATABASE SCOPED CREDENTIAL", names, bool(if_exists), span=span)


@rule("drop_nameless")
def _drop_nameless(span: Span, *words: str) -> DropObjectStatement:
    return DropObjectStatement(one_word(words[1:]), (), span=span)
