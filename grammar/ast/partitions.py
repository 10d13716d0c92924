"""Partition functions and schemes."""

from __future__ import annotations

from sbql.grammar.ast.base import DataSpace, DataTypeReference, Identifier, Statement, node
from sbql.grammar.ast.expressions import Expression

__all__ = [
    "AlterPartitionFunctionStatement",
    "AlterPartitionSchemeStatement",
    "CreatePartitionFunctionStatement",
    "CreatePartitionSchemeStatement",
]


@node
class CreatePartitionFunctionStatement(Statement):
    """`is_right`: RANGE RIGHT, a boundary belongs to the partition on its right.
    `values` are the boundaries as written."""

    name: Identifier
    type: DataTypeReference
    is_right: bool = False
    values: tuple[Expression, ...] = ()


@node
class AlterPartitionFunctionStatement(Statement):
    """`action` is SPLIT or MERGE; `value` None: RANGE was left out."""

    name: Identifier
    action: str
    value: Expression | None = None


@node
class CreatePartitionSchemeStatement(Statement):
    """`is_all`: ALL TO, one filegroup for all partitions."""

    name: Identifier
    function: Identifier
    is_all: bool
    filegroups: tuple[DataSpace, ...]


@node
class AlterPartitionSchemeStatement(Statement):
    """NEXT USED; `filegroup` None: no filegroup is next."""

    name: Identifier
    filegroup: DataSpace | None = None
