"""What does not bind in the text of a view or inline function that a query names: the cause in its place in that text,
and 4413 behind it.

Decides which errors those are. It must not know how texts are translated.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sbql.catalog.records import Module
from sbql.grammar.ast import ObjectName, Span
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["in_text_of_module"]

_BINDING = frozenset({107, 205, 206, 207, 208, 209, 402, 403, 4104, 4121, 4413, 5313, 8116, 8117, 8155, 8156})
"""Names, and types that do not go together (any longer)."""


@contextmanager
def in_text_of_module(module: Module, name: ObjectName, span: Span) -> Iterator[None]:
    """Around the translation of the module's text, where `name` stands in a query. Errors of the text name the module
    as their procedure."""
    try:
        yield
    except SqlError as error:
        if error.number not in _BINDING:
            error.line = 0
            error.procedure = error.procedure or module.name
            raise error.at(span) from None
        error.procedure, error.column = error.procedure or module.name, 0
        failed = sql_error(4413, str(name), span=span)
        failed.before = (*error.before, error)
        error.before = ()
        raise failed from None
