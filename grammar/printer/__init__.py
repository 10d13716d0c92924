"""Syntax tree to T-SQL text: `parse_batch(to_sql(tree)) == tree` for every tree that the parser makes.

Keywords come out in upper case, names as they were written, parentheses only where the tree needs them. It must not
know text positions: spans are not looked at.
"""

from __future__ import annotations

from sbql.grammar.ast import Node
from sbql.grammar.printer import (
    administration,
    backup,
    broker,
    bulk,
    ddl,
    dml,
    expressions,
    modules,
    procedural,
    queries,
    security,
)
from sbql.grammar.printer.core import BRANCHES, text

__all__ = [
    "BRANCHES",
    "administration",
    "backup",
    "broker",
    "bulk",
    "ddl",
    "dml",
    "expressions",
    "modules",
    "procedural",
    "queries",
    "security",
    "to_sql",
]


def to_sql(node: Node) -> str:
    """The node as T-SQL text."""
    return text(node)
