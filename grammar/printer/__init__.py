"""Expressions and conditions as T-SQL text: what the catalog keeps of computed columns, defaults, checks and filters.

Keywords come out in upper case, names as they were written, parentheses only where the tree needs
them. It must not know text positions: spans are not looked at. Queries and statements are not
printed: what is told of them is their own text.
"""

from __future__ import annotations

from sbql.grammar.ast import Node
from sbql.grammar.printer import expressions
from sbql.grammar.printer.core import BRANCHES, text

__all__ = ["BRANCHES", "expressions", "to_sql"]


def to_sql(node: Node) -> str:
    """The node as T-SQL text."""
    return text(node)
