"""Builders of tables, constraints, indexes and types."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    ColumnDefinition,
    Condition,
    Constraint,
    CreateTableStatement,
    DataSpace,
    DataTypeReference,
    Expression,
    ForeignKeyReference,
    Identifier,
    IndexColumn,
    ObjectName,
    Span,
    TableElement,
    UnsupportedStatement,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import duplicate, merge_options, type_named
from sbql.grammar.builders.table_options import checked
from sbql.grammar.option_forms import WrittenOption, wrong_option
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

_GENERATED = ("ROW", "TRANSACTION_ID", "SEQUENCE_NUMBER")


@rule("create_table")
def _create_table(
    span: Span,
    name: ObjectName,
    elements: tuple[TableElement, ...],
    graph: str | None,
    storage: tuple[DataSpace, ...] | None,
    options: tuple[WrittenOption, ...] | None,
) -> CreateTableStatement | UnsupportedStatement:
    if graph is not None:
        return UnsupportedStatement(f"CREATE TABLE … {graph}", span=span)
    return CreateTableStatement(name, elements, checked(options, "CREATE TABLE"), storage or (), span=span)


@rule("create_table_as")
def _create_table_as(span: Span, name: ObjectName, kind: str, *ignored: Any) -> UnsupportedStatement:
    return UnsupportedStatement(f"CREATE TABLE … AS {kind}", span=span)


# --- columns -----------------------------------------------------------------------------------------------


@rule("column_definition")
def _column_definition(
    span: Span, name: Identifier, type_: DataTypeReference, *parts: tuple[str, Any]
) -> ColumnDefinition:
    return ColumnDefinition(name, type_, **_column_fields(span, parts), span=span)


@rule("untyped_column")
def _untyped_column(span: Span, name: Identifier, *parts: tuple[str, Any]) -> ColumnDefinition:
    """A column named timestamp is of that type."""
    if name.value.lower() != "timestamp":
        raise incorrect_syntax(name.value, "A column needs a type.", name.span)
    return ColumnDefinition(name, type_named(name.span, "timestamp"), **_column_fields(span, parts), span=span)


@rule("computed_column")
def _computed_column(span: Span, name: Identifier, value: Expression, *parts: tuple[str, Any]) -> ColumnDefinition:
    return ColumnDefinition(name, None, computed=value, **_column_fields(span, parts), span=span)


def _column_fields(span: Span, parts: tuple[tuple[str, Any], ...]) -> dict[str, Any]:
    constraints = tuple(value for key, value in parts if key == "constraint")
    features = tuple(value for key, value in parts if key == "feature")
    fields = merge_options(span, tuple(part for part in parts if part[0] not in ("constraint", "feature")))
    kinds = [c.kind for c in constraints if c.kind in ("PRIMARY KEY", "UNIQUE")]
    if len(kinds) != len(set(kinds)):
        raise duplicate(span, next(kind for kind in kinds if kinds.count(kind) > 1))
    return {**fields, "constraints": constraints, "features": features}


@rule("part_null")
def _part_null(span: Span, nullable: bool) -> tuple[str, Any]:
    return "nullable", nullable


@rule("part_identity")
def _part_identity(span: Span, seed: tuple[int, int] | None) -> tuple[str, Any]:
    return "identity", seed or (1, 1)


@rule("part_collate")
def _part_collate(span: Span, collation: Identifier) -> tuple[str, Any]:
    return "collation", collation.value


@rule("part_rowguidcol")
def _part_rowguidcol(span: Span) -> tuple[str, Any]:
    return "rowguidcol", True


@rule("part_sparse")
def _part_sparse(span: Span) -> tuple[str, Any]:
    return "sparse", True


@rule("part_filestream")
def _part_filestream(span: Span) -> tuple[str, Any]:
    return "filestream", True


@rule("part_named_null")
def _part_named_null(span: Span, name: Identifier, nullable: bool) -> tuple[str, Any]:
    """NULL and NOT NULL are no objects: the name is forgotten."""
    return "nullable", nullable


def _feature(builder: str, name: str) -> None:
    """A part of a column that is named by error 40517."""

    def build(span: Span, *ignored: Any) -> tuple[str, Any]:
        return "feature", name

    rule(builder)(build)


_feature("part_hidden", "HIDDEN")
_feature("part_column_set", "COLUMN_SET FOR ALL_SPARSE_COLUMNS")
_feature("part_masked", "MASKED")


@rule("part_generated")
def _part_generated(span: Span, what: Identifier, bound: Identifier | None) -> tuple[str, Any]:
    if what.value.upper() not in _GENERATED:
        raise wrong_option(what, _GENERATED)
    if bound is not None and bound.value.upper() != "START":
        raise wrong_option(bound, ("START", "END"))
    return "feature", "GENERATED ALWAYS"


@rule("part_encrypted")
def _part_encrypted(span: Span, options: tuple[WrittenOption, ...]) -> tuple[str, Any]:
    checked(options, "ENCRYPTED WITH")
    return "feature", "ENCRYPTED WITH"


@rule("table_period")
def _table_period(span: Span, *ignored: Any) -> Constraint:
    return Constraint("PERIOD FOR SYSTEM_TIME", span=span)


@rule("part_persisted")
def _part_persisted(span: Span) -> tuple[str, Any]:
    return "persisted", True


@rule("part_constraint")
def _part_constraint(span: Span, constraint: Constraint) -> tuple[str, Any]:
    return "constraint", constraint


# --- constraints -------------------------------------------------------------------------------------------


@rule("named_constraint")
def _named_constraint(span: Span, name: Identifier | None, fields: dict[str, Any]) -> Constraint:
    return Constraint(**{"name": name, **fields}, span=span)


@rule("rule_primary_key")
def _rule_primary_key(
    span: Span, clustered: bool | None, columns: Any, options: tuple[str, ...] | None, storage: DataSpace | None
) -> dict[str, Any]:
    return {
        "kind": "PRIMARY KEY",
        "columns": columns or (),
        "clustered": clustered,
        "options": options or (),
        "storage": storage,
    }


@rule("rule_unique")
def _rule_unique(
    span: Span, clustered: bool | None, columns: Any, options: tuple[str, ...] | None, storage: DataSpace | None
) -> dict[str, Any]:
    return {
        "kind": "UNIQUE",
        "columns": columns or (),
        "clustered": clustered,
        "options": options or (),
        "storage": storage,
    }


@rule("rule_check")
def _rule_check(span: Span, condition: Condition) -> dict[str, Any]:
    return {"kind": "CHECK", "condition": condition}


@rule("rule_default")
def _rule_default(span: Span, value: Expression, with_values: bool | None) -> dict[str, Any]:
    return {"kind": "DEFAULT", "default": value, "with_values": bool(with_values)}


@rule("table_default")
def _table_default(span: Span, value: Expression, column: Identifier, with_values: bool | None) -> dict[str, Any]:
    return {"kind": "DEFAULT", "default": value, "default_for": column, "with_values": bool(with_values)}


@rule("column_foreign_key")
def _column_foreign_key(span: Span, reference: ForeignKeyReference) -> dict[str, Any]:
    return {"kind": "FOREIGN KEY", "reference": reference}


@rule("table_foreign_key")
def _table_foreign_key(span: Span, names: tuple[Identifier, ...], reference: ForeignKeyReference) -> dict[str, Any]:
    columns = tuple(IndexColumn(name, span=name.span) for name in names)
    return {"kind": "FOREIGN KEY", "columns": columns, "reference": reference}


@rule("column_index")
def _column_index(
    span: Span,
    name: Identifier,
    unique: bool,
    clustered: bool | None,
    columnstore: bool | None,
    where: Condition | None,
    options: tuple[str, ...] | None,
    storage: DataSpace | None,
) -> dict[str, Any]:
    kind = "COLUMNSTORE INDEX" if columnstore else "UNIQUE INDEX" if unique else "INDEX"
    return {
        "kind": kind,
        "name": name,
        "clustered": clustered,
        "condition": where,
        "options": options or (),
        "storage": storage,
    }


@rule("table_index")
def _table_index(
    span: Span,
    name: Identifier,
    unique: bool,
    clustered: bool | None,
    columns: Any,
    include: Any,
    where: Condition | None,
    options: tuple[str, ...] | None,
    storage: DataSpace | None,
) -> dict[str, Any]:
    fields = _column_index(span, name, unique, clustered, None, where, options, storage)
    return {**fields, "columns": columns, "include": include or ()}


@rule("table_columnstore")
def _table_columnstore(
    span: Span,
    name: Identifier,
    unique: bool,
    clustered: bool | None,
    columnstore: bool,
    names: Any,
    where: Condition | None,
    options: tuple[str, ...] | None,
    storage: DataSpace | None,
) -> dict[str, Any]:
    fields = _column_index(span, name, False, clustered, columnstore, where, options, storage)
    return {**fields, "columns": tuple(IndexColumn(column, span=column.span) for column in names or ())}


@rule("table_connection")
def _table_connection(span: Span, *ignored: Any) -> dict[str, Any]:
    return {"kind": "CONNECTION constraint"}


@rule("references")
def _references(span: Span, table: ObjectName, columns: Any, *actions: tuple[str, str] | None) -> ForeignKeyReference:
    fields = merge_options(span, tuple(action for action in actions if action is not None))
    return ForeignKeyReference(table, columns or (), **fields, span=span)


@rule("on_delete")
def _on_delete(span: Span, action: str) -> tuple[str, str]:
    return "on_delete", action


@rule("on_update")
def _on_update(span: Span, action: str) -> tuple[str, str]:
    return "on_update", action


@rule("not_replicated")
def _not_replicated(span: Span) -> None:
    """NOT FOR REPLICATION: there is no replication here."""


@rule("index_column")
def _index_column(span: Span, name: Identifier, descending: bool | None) -> IndexColumn:
    return IndexColumn(name, bool(descending), span=span)
