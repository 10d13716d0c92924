"""Builders of ALTER TABLE."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sbql.grammar.ast import (
    AlterTableAction,
    AlterTableStatement,
    ColumnDefinition,
    DataSpace,
    Identifier,
    ObjectName,
    Span,
    TableElement,
)
from sbql.grammar.builders.builder_table import node, rule
from sbql.grammar.builders.common import spelled
from sbql.grammar.builders.table_options import checked
from sbql.grammar.option_forms import WrittenOption

__all__: list[str] = []

node("alter_table", AlterTableStatement)


@rule("alter_add")
def _alter_add(span: Span, with_check: bool | None, elements: tuple[TableElement, ...]) -> AlterTableAction:
    return AlterTableAction("ADD", elements, with_check=with_check, span=span)


@rule("alter_column")
def _alter_column(span: Span, column: ColumnDefinition, options: Any) -> AlterTableAction:
    checked(options, "ALTER TABLE ALTER COLUMN")
    return AlterTableAction("ALTER COLUMN", (column,), span=span)


@rule("alter_column_change")
def _alter_column_change(span: Span, name: Identifier, adds: bool, changed: str) -> AlterTableAction:
    """ADD and DROP of ROWGUIDCOL, PERSISTED, SPARSE, NOT FOR REPLICATION …"""
    return AlterTableAction("COLUMN PROPERTY", names=(name,), turns_on=adds, column_property=changed, span=span)


@rule("alter_column_masked")
def _alter_column_masked(span: Span, name: Identifier, mask: Any) -> AlterTableAction:
    return AlterTableAction("COLUMN PROPERTY", names=(name,), column_property="MASKED", span=span)


@rule("alter_column_unmasked")
def _alter_column_unmasked(span: Span, name: Identifier) -> AlterTableAction:
    return AlterTableAction("COLUMN PROPERTY", names=(name,), turns_on=False, column_property="MASKED", span=span)


_Dropped = tuple[str | None, bool, Identifier | None, tuple[DataSpace, ...]]
"""What one item of a DROP list says: its word, IF EXISTS, name, where its rows go."""


@rule("alter_drop")
def _alter_drop(span: Span, *items: _Dropped) -> AlterTableAction:
    """`DROP CONSTRAINT a, b, COLUMN c`: a name without a word goes on as the one before it, a first one is a
    constraint."""
    groups: list[tuple[str, bool, list[Identifier]]] = []
    for kind, if_exists, name, _ in items:
        if kind is None and name is not None and groups and groups[-1][2]:
            groups[-1][2].append(name)
        else:
            groups.append((kind or "DROP CONSTRAINT", if_exists, [name] if name is not None else []))
    action: AlterTableAction | None = None
    for group, if_exists, names in reversed(groups):
        action = AlterTableAction(group, names=tuple(names), if_exists=if_exists, next=action, span=span)
    assert action is not None
    return replace(action, storage=tuple(space for *_, spaces in items for space in spaces))


@rule("drop_constraint_item")
def _drop_constraint_item(
    span: Span, if_exists: bool | None, name: Identifier, storage: tuple[DataSpace, ...] | None
) -> _Dropped:
    return "DROP CONSTRAINT", bool(if_exists), name, storage or ()


@rule("drop_column_item")
def _drop_column_item(span: Span, if_exists: bool | None, name: Identifier) -> _Dropped:
    return "DROP COLUMN", bool(if_exists), name, ()


@rule("drop_next_item")
def _drop_next_item(
    span: Span, if_exists: bool | None, name: Identifier, storage: tuple[DataSpace, ...] | None
) -> _Dropped:
    return None, bool(if_exists), name, storage or ()


@rule("drop_period_item")
def _drop_period_item(span: Span, *words: Any) -> _Dropped:
    return "DROP PERIOD FOR SYSTEM_TIME", False, None, ()


@rule("alter_feature")
def _alter_feature(span: Span, words: str, options: Any) -> AlterTableAction:
    checked(options, "ENABLE CHANGE_TRACKING")
    return AlterTableAction(words, span=span)


@rule("alter_check")
def _alter_check(span: Span, with_check: bool | None, names: tuple[Identifier, ...]) -> AlterTableAction:
    return AlterTableAction("CHECK CONSTRAINT", names=names, with_check=with_check, span=span)


@rule("alter_nocheck")
def _alter_nocheck(span: Span, with_check: bool | None, names: tuple[Identifier, ...]) -> AlterTableAction:
    return AlterTableAction("CHECK CONSTRAINT", names=names, with_check=with_check, turns_on=False, span=span)


@rule("trigger_enabled")
def _trigger_enabled(span: Span, words: str) -> bool:
    return True


@rule("trigger_disabled")
def _trigger_disabled(span: Span, words: str) -> bool:
    return False


@rule("alter_trigger")
def _alter_trigger(span: Span, enables: bool, names: tuple[Identifier, ...]) -> AlterTableAction:
    return AlterTableAction("ENABLE TRIGGER", names=names, turns_on=enables, span=span)


@rule("alter_switch")
def _alter_switch(span: Span, partition: Any, table: ObjectName, target: Any, options: Any) -> AlterTableAction:
    checked(options, "ALTER TABLE SWITCH")
    return AlterTableAction(f"SWITCH TO {spelled(table)}", span=span)


@rule("alter_rebuild")
def _alter_rebuild(span: Span, what: Any, options: Any) -> AlterTableAction:
    checked(options, "ALTER TABLE REBUILD")
    return AlterTableAction("REBUILD", span=span)


@rule("alter_set")
def _alter_set(span: Span, options: tuple[WrittenOption, ...]) -> AlterTableAction:
    return AlterTableAction(f"SET ({', '.join(checked(options, 'ALTER TABLE'))})", span=span)
