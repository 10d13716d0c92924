"""Table hints behind the name of a common table expression: they are those of the
tables that it reads, as behind a view.

Decides which tables get them, before anything else sees the tree: the reference reads a copy of the expression, whose
tables have the hints. It must not know what a hint means.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final, TypeVar

from sbql.grammar.ast import (
    CommonTableExpression,
    DeleteStatement,
    Identifier,
    InsertStatement,
    MergeStatement,
    NamedTable,
    Node,
    ObjectName,
    SelectStatement,
    TableHint,
    UpdateStatement,
    WithClause,
)
from sbql.grammar.keywords import word_set
from sbql.grammar.tree import rewrite

__all__ = ["with_spread_hints"]

S = TypeVar("S", SelectStatement, InsertStatement, UpdateStatement, DeleteStatement, MergeStatement)
Hints = tuple[TableHint, ...]

_LOCK_HINTS: Final = word_set(
    """
    HOLDLOCK NOLOCK NOWAIT PAGLOCK READCOMMITTED READCOMMITTEDLOCK READPAST READUNCOMMITTED REPEATABLEREAD ROWLOCK
    SERIALIZABLE SNAPSHOT TABLOCK TABLOCKX UPDLOCK XLOCK
    """
)
"""Hints that speak of rows and locks, not of indexes."""


def with_spread_hints(statement: S) -> S:
    """The statement with such hints on the tables. Those of the target of a write stay where they
    are: the write itself looks at them."""
    with_ = statement.with_
    if with_ is None or not with_.tables:
        return statement
    spread = _Spread(with_)
    if len(spread.originals) < len(with_.tables):
        return statement  # two of one name: 239, elsewhere
    target = None if isinstance(statement, SelectStatement) else statement.target

    def change(node: Node) -> Node | None:
        return node if node is target or node is with_ else spread.read(node, ())

    changed = rewrite(statement, change)
    return replace(changed, with_=replace(with_, tables=spread.tables())) if spread.copies else statement


class _Spread:
    """The common tables of one statement, and the copies of them that references with hints read."""

    def __init__(self, with_: WithClause) -> None:
        self.originals = {table.name.value.lower(): table for table in with_.tables}
        self.copies: dict[tuple[str, tuple[str, ...]], CommonTableExpression] = {}

    def read(self, node: Node, hints: Hints) -> Node | None:
        """What is read instead of a table, with `hints` from outside; None for what is none."""
        if not isinstance(node, NamedTable):
            return None
        original = self.originals.get(node.name.name.lower()) if len(node.name.parts) == 1 else None
        if original is None:
            return replace(node, hints=_together(node.hints, hints)) if hints else node
        own = tuple(hint for hint in node.hints if hint.name.upper() in _LOCK_HINTS)
        wanted = _together(own, hints)
        if not wanted:
            return node
        others = tuple(hint for hint in node.hints if hint not in own)
        name = ObjectName((self._copy(original, wanted),), span=node.name.span)
        return replace(node, name=name, alias=node.alias or node.name.parts[-1], hints=others)

    def _copy(self, original: CommonTableExpression, hints: Hints) -> Identifier:
        """The name of a copy whose tables have the hints; a recursive one reads itself."""
        words = tuple(hint.name.upper() for hint in hints)
        name = replace(original.name, value=f"{original.name.value} WITH ({', '.join(words)})", quoted=True)
        key = original.name.value.lower(), words
        if key not in self.copies:
            self.copies[key] = replace(original, name=name)

            def change(node: Node) -> Node | None:
                return self.read(node, hints)

            self.copies[key] = replace(original, name=name, query=rewrite(original.query, change))
        return name

    def tables(self) -> tuple[CommonTableExpression, ...]:
        """All of them, each copy behind what it was made from."""
        found: list[CommonTableExpression] = []
        for key, original in self.originals.items():
            found += [original, *(copy for (name, _), copy in self.copies.items() if name == key)]
        return tuple(found)


def _together(inner: Hints, outer: Hints) -> Hints:
    known = {hint.name.upper() for hint in inner}
    return inner + tuple(hint for hint in outer if hint.name.upper() not in known)
