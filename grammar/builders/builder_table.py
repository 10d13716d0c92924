"""The table of builders: which function makes the value of which grammar rule.

A builder is called when the parser reduces its rule, with the span of the rule's text and its children. Keywords and
signs are gone unless the rule keeps them (`!`), an absent `[…]` is None, inlined rules (`_…`) are spread out. A rule
without a builder yields a tuple of its children; a rule whose name ends in `_words` yields them as one string.
It must not know the parser.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from sbql.grammar.ast.base import Node, Span

__all__ = ["BUILDERS", "builder_for", "node", "rule"]

Builder = Callable[..., Any]
Function = TypeVar("Function", bound=Builder)

BUILDERS: dict[str, Builder] = {}


def rule(*names: str) -> Callable[[Function], Function]:
    """Register a function as builder of the rules `names` (its own name if none is given)."""

    def register(function: Function) -> Function:
        for name in names or (function.__name__,):
            assert name not in BUILDERS, name
            BUILDERS[name] = function
        return function

    return register


def node(name: str, cls: type[Node]) -> None:
    """Register a rule whose children are the fields of `cls`, in order."""
    assert name not in BUILDERS, name

    def build(span: Span, *children: Any) -> Node:
        return cls(*children, span=span)

    BUILDERS[name] = build


def _as_tuple(span: Span, *children: Any) -> tuple[Any, ...]:
    return children


def _as_words(span: Span, *children: Any) -> str:
    return " ".join(_words(child) for child in children if child is not None)


def _words(value: Any) -> str:
    """A keyword (already a string) or a bare name, in upper case."""
    return (value if isinstance(value, str) else str(value.value)).upper()


def builder_for(name: str) -> Builder:
    """The builder of a rule."""
    found = BUILDERS.get(name)
    if found is not None:
        return found
    return _as_words if name.endswith("_words") else _as_tuple
