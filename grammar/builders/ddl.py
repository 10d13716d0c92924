"""Builders of databases, schemas, sequences, synonyms, XML schema collections, and DROP of such things."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    AlterDatabaseStatement,
    AlterSchemaStatement,
    CreateDatabaseStatement,
    CreateSchemaStatement,
    CreateSequenceStatement,
    CreateSynonymStatement,
    CreateTableStatement,
    DataSpace,
    DataTypeReference,
    DropObjectStatement,
    Expression,
    Identifier,
    IntegerLiteral,
    ObjectName,
    Span,
    Statement,
    UseStatement,
    XmlSchemaCollectionStatement,
)
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.builders.common import merge_options, one_word, text_of
from sbql.grammar.errors import sql_error

__all__: list[str] = []

node("use_statement", UseStatement)
node("create_synonym", CreateSynonymStatement)


# --- databases ---------------------------------------------------------------------------------------------


@rule("create_database")
def _create_database(span: Span, name: Identifier, *parts: tuple[str, Any] | None) -> CreateDatabaseStatement:
    options: list[str] = []
    collation = None
    files: tuple[tuple[str | None, str | None], ...] = ()
    filegroups: tuple[Identifier, ...] = ()
    for part in parts:
        if part is None:
            continue
        key, value = part
        if key == "collation":
            collation = value
        elif key == "files":
            files, filegroups = files + value[0], filegroups + value[1]
        else:
            options.extend(value)
    return CreateDatabaseStatement(name, tuple(options), collation, files, filegroups, span=span)


@rule("file_option")
def _file_option(span: Span, word: Identifier, *value: Any) -> tuple[str, str]:
    return word.value.upper(), text_of(value)


@rule("database_files")
def _database_files(span: Span, *items: tuple[Any, ...]) -> tuple[str, Any]:
    """Name and file of each, and the filegroups; sizes have no effect here."""
    found: list[dict[str, str]] = [dict(part for part in item if isinstance(part, tuple)) for item in items]
    groups = tuple(part.name for item in items for part in item if isinstance(part, DataSpace))
    return "files", (tuple((item.get("NAME"), item.get("FILENAME")) for item in found), groups)


@rule("database_containment")
def _database_containment(span: Span, kind: Identifier) -> tuple[str, Any]:
    return "options", (f"CONTAINMENT = {kind.value.upper()}",)


@rule("database_collate")
def _database_collate(span: Span, collation: Identifier) -> tuple[str, Any]:
    return "collation", collation.value


@rule("database_attach")
def _database_attach(span: Span, word: Identifier) -> tuple[str, Any]:
    return "options", (f"FOR {word.value.upper()}",)


@rule("database_with")
def _database_with(span: Span, *options: str) -> tuple[str, Any]:
    return "options", options


@rule("created_option")
def _created_option(span: Span, name: Identifier, value: Any = None) -> str:
    return name.value.upper() if value is None else f"{name.value.upper()} {text_of(value).upper()}"


@rule("created_option_group")
def _created_option_group(span: Span, name: Identifier, *settings: str) -> str:
    return f"{name.value.upper()} ({', '.join(settings)})"


@rule("database_copy")
def _database_copy(span: Span, kind: Identifier, *name: Any) -> None:
    raise sql_error(40517, f"CREATE DATABASE … AS {kind.value.upper()} OF", span=span)


@rule("created_option_equals")
def _created_option_equals(span: Span, name: Identifier, *values: Any) -> str:
    return f"{name.value.upper()} = {' '.join(text_of(value).upper() for value in values)}"


@rule("alter_database_set")
def _alter_database_set(span: Span, name: Identifier | None, *rest: Any) -> AlterDatabaseStatement:
    *options, termination = rest
    return AlterDatabaseStatement(name, "SET", tuple(options), termination, span=span)


@rule("alter_database_collate")
def _alter_database_collate(span: Span, name: Identifier | None, collation: Identifier) -> AlterDatabaseStatement:
    return AlterDatabaseStatement(name, "COLLATE", ((collation.value, None),), span=span)


@rule("alter_database_name")
def _alter_database_name(span: Span, name: Identifier | None, new_name: Identifier) -> AlterDatabaseStatement:
    return AlterDatabaseStatement(name, "MODIFY NAME", ((new_name.value, None),), span=span)


@rule("alter_database_files")
def _alter_database_files(
    span: Span, name: Identifier | None, change: str | tuple[str, tuple[Identifier, ...]]
) -> AlterDatabaseStatement:
    words, filegroups = (change, ()) if isinstance(change, str) else change
    return AlterDatabaseStatement(name, words, filegroups=filegroups, span=span)


@rule("add_file")
def _add_file(span: Span, words: str, *items: Any) -> tuple[str, tuple[Identifier, ...]]:
    """Where the file is and what the filegroup is set to have no effect; the filegroup has to be there."""
    return words, tuple(item.name for item in items if isinstance(item, DataSpace))


@rule("change_filegroup")
def _change_filegroup(span: Span, words: str, *names: Any) -> tuple[str, tuple[Identifier, ...]]:
    """The filegroup, and the name that it gets. `CONTAINS FILESTREAM` has no effect."""
    given = names if words == "MODIFY FILEGROUP" else names[:1]
    return words, () if words == "REMOVE FILE" else tuple(given)


@rule("filegroup_name")
def _filegroup_name(span: Span, name: Identifier) -> DataSpace:
    return DataSpace(name, span=span)


@rule("set_database_option")
def _set_database_option(span: Span, name: Identifier, *value: Any) -> tuple[str, str | None]:
    text = " ".join(text_of(v).upper() for v in value if v is not None)
    return name.value.upper(), text or None


@rule("set_database_equals")
def _set_database_equals(span: Span, name: Identifier, *value: Any) -> tuple[str, str | None]:
    return name.value.upper(), "= " + " ".join(text_of(v).upper() for v in value if v is not None)


@rule("set_database_group")
def _set_database_group(span: Span, name: Identifier, *settings: str) -> tuple[str, str | None]:
    return name.value.upper(), f"({', '.join(settings)})"


@rule("set_database_on_group")
def _set_database_on_group(span: Span, name: Identifier, word: str, *settings: str) -> tuple[str, str | None]:
    return name.value.upper(), f"{word} ({', '.join(settings)})"


@rule("database_setting")
def _database_setting(span: Span, name: Identifier, *value: Any) -> str:
    return f"{name.value.upper()} = {' '.join(text_of(v).upper() for v in value if v is not None)}"


@rule("database_settings")
def _database_settings(span: Span, name: Identifier, *settings: str) -> str:
    return f"{name.value.upper()} = ({', '.join(settings)})"


@rule("rollback_immediate")
def _rollback_immediate(span: Span) -> str:
    return "ROLLBACK IMMEDIATE"


@rule("rollback_after")
def _rollback_after(span: Span, seconds: IntegerLiteral) -> str:
    return f"ROLLBACK AFTER {seconds.value}"


@rule("no_wait")
def _no_wait(span: Span) -> str:
    return "NO_WAIT"


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
    options: tuple[tuple[str, ...]] | None,
) -> CreateTableStatement:
    return CreateTableStatement(name, elements, options[0] if options else (), storage or (), span=span)


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
