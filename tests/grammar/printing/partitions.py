"""Text of partition functions and schemes."""

from __future__ import annotations

from printing.blocks import prints
from sbql.grammar.ast import (
    AlterPartitionFunctionStatement,
    AlterPartitionSchemeStatement,
    CreatePartitionFunctionStatement,
    CreatePartitionSchemeStatement,
)
from sbql.grammar.printer.core import comma, name, text, words

__all__: list[str] = []


@prints(CreatePartitionFunctionStatement)
def _create_function(node: CreatePartitionFunctionStatement) -> str:
    side = "RIGHT" if node.is_right else "LEFT"
    head = f"CREATE PARTITION FUNCTION {name(node.name)} ({text(node.type)})"
    return f"{head} AS RANGE {side} FOR VALUES ({comma(node.values)})"


@prints(AlterPartitionFunctionStatement)
def _alter_function(node: AlterPartitionFunctionStatement) -> str:
    value = f"RANGE ({text(node.value)})" if node.value is not None else None
    return words(f"ALTER PARTITION FUNCTION {name(node.name)} ()", node.action, value)


@prints(CreatePartitionSchemeStatement)
def _create_scheme(node: CreatePartitionSchemeStatement) -> str:
    to = f"TO ({comma(node.filegroups)})"
    return words(
        f"CREATE PARTITION SCHEME {name(node.name)} AS PARTITION {name(node.function)}",
        "ALL" if node.is_all else None,
        to,
    )


@prints(AlterPartitionSchemeStatement)
def _alter_scheme(node: AlterPartitionSchemeStatement) -> str:
    return words(
        f"ALTER PARTITION SCHEME {name(node.name)} NEXT USED", text(node.filegroup) if node.filegroup else None
    )
