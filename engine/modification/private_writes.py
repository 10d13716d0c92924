"""Writes of variables: those that need neither a transaction nor a wait.

Decides which statements write and read nothing but variables of their own frame. Nobody else sees these, and no
ROLLBACK undoes them: what a statement that fails has done to them the statement itself puts back. It must not know how
rows are written.
"""

from __future__ import annotations

from typing import Final

from sbql.grammar.ast import (
    DeleteStatement,
    ExecuteSource,
    FunctionCall,
    InsertStatement,
    NamedTable,
    NextValueFor,
    TableSource,
    UpdateStatement,
    VariableTable,
)
from sbql.grammar.tree import walk

__all__ = ["is_own", "is_private"]

_OF_TRANSACTIONS: Final = "CURRENT_TRANSACTION_ID"


def is_private(node: InsertStatement | UpdateStatement | DeleteStatement) -> bool:
    """Whether all tables of the statement are table variables, and nothing in it asks for what others see."""
    if not isinstance(node.target, VariableTable) or node.with_ is not None:
        return False
    if isinstance(node, InsertStatement):
        if isinstance(node.source, ExecuteSource):
            return False
    elif node.current_of is not None:
        return False
    for part in walk(node):
        if isinstance(part, NextValueFor) or (isinstance(part, TableSource) and not isinstance(part, VariableTable)):
            return False
        if isinstance(part, FunctionCall) and part.name.name.upper() == _OF_TRANSACTIONS:
            return False
    return True


def is_own(node: InsertStatement | UpdateStatement | DeleteStatement) -> bool:
    """Whether the target is a #temp table, and no procedure makes its rows: the transaction of such a statement, where
    it is one by itself, is known to nobody behind it."""
    target = node.target
    if not isinstance(target, NamedTable) or isinstance(getattr(node, "source", None), ExecuteSource):
        return False
    return target.name.name.startswith("#") and not target.name.name.startswith("##")
