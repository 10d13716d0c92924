"""Builders of options as they are written; their statement's builder checks them (`option_forms`)."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import Identifier, Span
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.option_forms import WrittenOption

__all__: list[str] = []


@rule("option")
def _option(span: Span, name: Identifier, *rest: Any) -> WrittenOption:
    *parts, group = rest
    return WrittenOption(name, tuple(parts), group, span)


@rule("option_on_partitions")
def _option_on_partitions(span: Span, name: Identifier, *parts: Any) -> WrittenOption:
    """Tables have one partition: which of them are meant makes no difference."""
    words = tuple(part for part in parts if not isinstance(part, tuple))
    return WrittenOption(name, (*words, Identifier("PARTITIONS", span=span)), None, span)


@rule("option_keyword", "option_name_keyword", "alter_index_keyword")
def _option_keyword(span: Span, word: str) -> Identifier:
    """A keyword or a sign, with its place."""
    return Identifier(word, span=span)
