"""Builders of tables, constraints, indexes and types."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    AlterTableAction,
    AlterTableStatement,
    ColumnDefinition,
    Condition,
    Constraint,
    CreateIndexStatement,
    CreateTableStatement,
    CreateTypeStatement,
    DataTypeReference,
    DropIndexStatement,
    Expression,
    ForeignKeyReference,
    Identifier,
    IndexColumn,
    ObjectName,
    Span,
    TableElement,
)
from sbql.grammar.builders.common import duplicate, merge_options, spelled, text_of, type_named
from sbql.grammar.builders.registry import node, rule, words
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []

node("alter_table", AlterTableStatement)


@rule("create_table")
def _create_table(
    span: Span, name: ObjectName, elements: tuple[TableElement, ...], storage: None, options: Any = None
) -> CreateTableStatement:
    return CreateTableStatement(name, elements, options or (), span=span)


@rule("index_option")
def _index_option(span: Span, *children: Any) -> str:
    """`NAME = VALUE`, in upper case."""
    present = [c for c in children if c is not None]
    first, *rest = [words(c) if isinstance(c, (str, Identifier)) else text_of(c).upper() for c in present]
    return f"{first} = {' '.join(rest)}"


@rule("index_option_nested")
def _index_option_nested(span: Span, *children: Any) -> str:
    plain = [c for c in children if not (isinstance(c, str) and " = " in c)]
    nested = [c for c in children if isinstance(c, str) and " = " in c]
    return f"{_index_option(span, *plain)} ({', '.join(nested)})"


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
    fields = merge_options(span, tuple(part for part in parts if part[0] != "constraint"))
    kinds = [c.kind for c in constraints if c.kind not in ("CHECK", "FOREIGN KEY")]
    if len(kinds) != len(set(kinds)):
        raise duplicate(span, next(kind for kind in kinds if kinds.count(kind) > 1))
    return {**fields, "constraints": constraints}


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
def _rule_primary_key(span: Span, clustered: bool | None, columns: Any, *ignored: Any) -> dict[str, Any]:
    return {"kind": "PRIMARY KEY", "columns": columns or (), "clustered": clustered}


@rule("rule_unique")
def _rule_unique(span: Span, clustered: bool | None, columns: Any, *ignored: Any) -> dict[str, Any]:
    return {"kind": "UNIQUE", "columns": columns or (), "clustered": clustered}


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
def _column_index(span: Span, name: Identifier, clustered: bool | None, *ignored: Any) -> dict[str, Any]:
    return {"kind": "INDEX", "name": name, "clustered": clustered}


@rule("table_index")
def _table_index(
    span: Span, name: Identifier, unique: bool, clustered: bool | None, columns: Any, *ignored: Any
) -> dict[str, Any]:
    return {"kind": "UNIQUE INDEX" if unique else "INDEX", "name": name, "columns": columns, "clustered": clustered}


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


# --- ALTER TABLE -------------------------------------------------------------------------------------------


@rule("alter_add")
def _alter_add(span: Span, with_check: bool | None, elements: tuple[TableElement, ...]) -> AlterTableAction:
    return AlterTableAction("ADD", elements, with_check=with_check, span=span)


@rule("alter_column")
def _alter_column(span: Span, column: ColumnDefinition) -> AlterTableAction:
    return AlterTableAction("ALTER COLUMN", (column,), span=span)


@rule("alter_drop_column")
def _alter_drop_column(span: Span, if_exists: bool | None, names: tuple[Identifier, ...]) -> AlterTableAction:
    return AlterTableAction("DROP COLUMN", names=names, if_exists=bool(if_exists), span=span)


@rule("alter_drop_constraint")
def _alter_drop_constraint(span: Span, if_exists: bool | None, names: tuple[Identifier, ...]) -> AlterTableAction:
    return AlterTableAction("DROP CONSTRAINT", names=names, if_exists=bool(if_exists), span=span)


@rule("alter_check")
def _alter_check(span: Span, with_check: bool | None, names: tuple[Identifier, ...]) -> AlterTableAction:
    return AlterTableAction("CHECK CONSTRAINT", names=names, with_check=with_check, span=span)


@rule("alter_nocheck")
def _alter_nocheck(span: Span, with_check: bool | None, names: tuple[Identifier, ...]) -> AlterTableAction:
    return AlterTableAction("NOCHECK CONSTRAINT", names=names, with_check=with_check, span=span)


@rule("alter_trigger")
def _alter_trigger(span: Span, kind: str, names: tuple[Identifier, ...]) -> AlterTableAction:
    return AlterTableAction(kind, names=names, span=span)


@rule("alter_switch")
def _alter_switch(span: Span, table: ObjectName) -> AlterTableAction:
    return AlterTableAction(f"SWITCH TO {spelled(table)}", span=span)


@rule("alter_rebuild")
def _alter_rebuild(span: Span, *ignored: Any) -> AlterTableAction:
    return AlterTableAction("REBUILD", span=span)


@rule("alter_set")
def _alter_set(span: Span, *options: str) -> AlterTableAction:
    return AlterTableAction(f"SET ({', '.join(options)})", span=span)


# --- indexes and types -------------------------------------------------------------------------------------


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
    *ignored: Any,
) -> CreateIndexStatement:
    return CreateIndexStatement(name, table, columns, unique, clustered, include or (), where, span=span)


@rule("create_columnstore")
def _create_columnstore(
    span: Span, unique: bool, clustered: bool | None, name: Identifier, table: ObjectName, names: Any, *ignored: Any
) -> CreateIndexStatement:
    columns = tuple(IndexColumn(column, span=column.span) for column in names or ())
    return CreateIndexStatement(name, table, columns, False, clustered, kind="COLUMNSTORE", span=span)


@rule("create_xml_index")
def _create_xml_index(
    span: Span, name: Identifier, table: ObjectName, columns: tuple[IndexColumn, ...], *ignored: Any
) -> CreateIndexStatement:
    return CreateIndexStatement(name, table, columns, kind="XML", span=span)


@rule("drop_index")
def _drop_index(span: Span, if_exists: bool | None, *items: Any) -> DropIndexStatement:
    return DropIndexStatement(tuple(item for item in items if item is not None), bool(if_exists), span=span)


@rule("drop_index_dotted")
def _drop_index_dotted(span: Span, *parts: Identifier) -> tuple[Identifier, ObjectName]:
    """The old form `table.index`."""
    return parts[-1], ObjectName(parts[:-1], span=span)


@rule("create_alias_type")
def _create_alias_type(
    span: Span, name: ObjectName, base: DataTypeReference, nullable: bool | None
) -> CreateTypeStatement:
    return CreateTypeStatement(name, base, nullable, span=span)


@rule("create_table_type")
def _create_table_type(span: Span, name: ObjectName, elements: tuple[Any, ...], options: Any) -> CreateTypeStatement:
    return CreateTypeStatement(name, elements=elements, span=span)
