"""What a batch or module holds, asked of its tree once, before it is compiled.

Decides which SET statements change what the expressions around them mean. It must not know how anything is compiled.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from sbql.engine.functions.datetimes import CLOCKS
from sbql.grammar.ast import (
    CreateTableStatement,
    FunctionCall,
    NextValueFor,
    ObjectName,
    QuerySpecification,
    SelectAssign,
    SetOptionStatement,
    UpdatePredicate,
)
from sbql.grammar.errors import sql_error
from sbql.grammar.tree import walk

__all__ = ["NO_FACTS", "BatchFacts", "facts_of"]

_UNUSUAL: Final = {
    **dict.fromkeys(("ANSI_DEFAULTS", "ANSI_NULLS", "ANSI_WARNINGS", "ARITHABORT", "CONCAT_NULL_YIELDS_NULL"), "OFF"),
    "NUMERIC_ROUNDABORT": "ON",
}
"""The options that change what an expression means, and their unusual value."""


class BatchFacts(Struct, frozen=True):
    """`switches_meaning`: a SET in it changes what expressions mean, so that they are compiled when they run.
    `switches_noexec`: it holds SET NOEXEC. `has_sequences`: it holds NEXT VALUE FOR. `has_placed_clauses`: it holds a
    clause that may stand in some places only, `clause_places` says where. `asks_for_time`: it holds a function of the
    clock."""

    switches_meaning: bool = False
    switches_noexec: bool = False
    has_sequences: bool = False
    has_placed_clauses: bool = False
    asks_for_time: bool = False


NO_FACTS: Final = BatchFacts()


def facts_of(tree: Any) -> BatchFacts:
    """The facts of a tree, or of a tuple of statements. Raises 2714 where two statements make #tables of one name:
    whichever of them runs, SQL Server refuses the text."""
    options: set[tuple[str, Any]] = set()
    made: set[str] = set()
    has_sequences = has_placed_clauses = asks_for_time = False
    for node in walk(tree):
        if isinstance(node, SetOptionStatement):
            options.update((option, node.value) for option in node.options)
        elif isinstance(node, NextValueFor):
            has_sequences = True
        elif isinstance(node, FunctionCall):
            asks_for_time = asks_for_time or node.name.name.upper() in CLOCKS
        elif isinstance(node, SelectAssign | UpdatePredicate) or (
            isinstance(node, QuerySpecification) and (node.into is not None or node.order_by)
        ):
            has_placed_clauses = True
            if isinstance(node, QuerySpecification) and node.into is not None:
                _note_made(made, node.into)
        elif isinstance(node, CreateTableStatement):
            _note_made(made, node.name)
    return BatchFacts(
        switches_meaning=any(_UNUSUAL.get(option) == value for option, value in options),
        switches_noexec=any(option == "NOEXEC" for option, _ in options),
        has_sequences=has_sequences,
        has_placed_clauses=has_placed_clauses,
        asks_for_time=asks_for_time,
    )


def _note_made(made: set[str], name: ObjectName) -> None:
    if name.name.startswith("#") and not name.name.startswith("##"):
        if name.name.lower() in made:
            raise sql_error(2714, name.name, state=1, span=name.span)
        made.add(name.name.lower())
