"""Builders of partition functions and schemes."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    AlterPartitionFunctionStatement,
    AlterPartitionSchemeStatement,
    CreatePartitionFunctionStatement,
    CreatePartitionSchemeStatement,
    DataSpace,
    DataTypeReference,
    Identifier,
    Span,
)
from sbql.grammar.builders.builder_table import node, rule

__all__: list[str] = []

node("alter_partition_function", AlterPartitionFunctionStatement)
node("alter_partition_scheme", AlterPartitionSchemeStatement)


@rule("create_partition_function")
def _create_partition_function(
    span: Span, name: Identifier, parameter: DataTypeReference, is_right: bool | None, values: Any
) -> CreatePartitionFunctionStatement:
    """Without LEFT or RIGHT a range is LEFT."""
    return CreatePartitionFunctionStatement(name, parameter, bool(is_right), values or (), span=span)


@rule("create_partition_scheme")
def _create_partition_scheme(
    span: Span, name: Identifier, function: Identifier, is_all: bool | None, *filegroups: DataSpace
) -> CreatePartitionSchemeStatement:
    return CreatePartitionSchemeStatement(name, function, bool(is_all), filegroups, span=span)
