"""Builders of cursors: their definition, OPEN, FETCH, CLOSE and DEALLOCATE."""

from __future__ import annotations

from typing import Any

from sbql.grammar.ast import (
    CloseCursorStatement,
    CursorDefinition,
    DeallocateCursorStatement,
    DeclareCursorStatement,
    Expression,
    FetchCursorStatement,
    GlobalVariable,
    Identifier,
    OpenCursorStatement,
    SetCursorVariableStatement,
    Span,
    VariableReference,
)
from sbql.grammar.builders.builder_table import rule
from sbql.grammar.builders.common import one_word
from sbql.grammar.errors import sql_error
from sbql.grammar.keywords import word_set
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.syntax_errors import incorrect_syntax

__all__: list[str] = []


_CURSOR_OPTIONS = word_set(
    """
    LOCAL GLOBAL FORWARD_ONLY SCROLL STATIC KEYSET DYNAMIC FAST_FORWARD READ_ONLY SCROLL_LOCKS OPTIMISTIC
    TYPE_WARNING INSENSITIVE
    """
)


@rule("cursor_definition")
def _cursor_definition(span: Span, *children: Any) -> CursorDefinition:
    *words, query, end = children
    options, update_of = _cursor_options(tuple(words)), None
    if isinstance(end, tuple):
        update_of = end
    elif end is not None:
        options += (end,)
    return CursorDefinition(query, options, update_of, span=span)


def _cursor_options(words: tuple[Identifier, ...]) -> tuple[str, ...]:
    for word in words:
        if word.value.upper() not in _CURSOR_OPTIONS:
            meant = did_you_mean(word.value, [*_CURSOR_OPTIONS, "FOR"])
            raise incorrect_syntax(word.value, f"Expected a cursor option or FOR. {meant}".rstrip(), word.span)
    return tuple(word.value.upper() for word in words)


@rule("for_read_only")
def _for_read_only(span: Span) -> str:
    return "READ_ONLY"


@rule("for_update")
def _for_update(span: Span, names: tuple[Identifier, ...] | None) -> tuple[Identifier, ...]:
    return names or ()


@rule("declare_cursor")
def _declare_cursor(span: Span, name: Identifier, *rest: Any) -> DeclareCursorStatement:
    *words, definition = rest
    if words:
        # The ISO form: INSENSITIVE and SCROLL stand in front of CURSOR, all else behind it.
        for word in words:
            if word.value.upper() not in ("INSENSITIVE", "SCROLL"):
                raise incorrect_syntax(word.value, "Expected INSENSITIVE, SCROLL or CURSOR.", word.span)
        if set(definition.options) - {"READ_ONLY"}:
            raise sql_error(1049, span=span)
        options = _cursor_options(tuple(words)) + definition.options
        definition = CursorDefinition(definition.query, options, definition.update_of, span=definition.span)
    return DeclareCursorStatement(name, definition, span=span)


@rule("set_cursor")
def _set_cursor(span: Span, variable: VariableReference, definition: CursorDefinition) -> SetCursorVariableStatement:
    return SetCursorVariableStatement(variable.name, definition, span=span)


_CursorName = Identifier | VariableReference


@rule("cursor_local")
def _cursor_local(span: Span, name: _CursorName) -> tuple[_CursorName, bool]:
    return name, False


@rule("cursor_global")
def _cursor_global(span: Span, name: _CursorName) -> tuple[_CursorName, bool]:
    return name, True


@rule("open_cursor")
def _open_cursor(span: Span, cursor: tuple[_CursorName, bool]) -> OpenCursorStatement:
    return OpenCursorStatement(*cursor, span=span)


@rule("close_cursor")
def _close_cursor(span: Span, cursor: tuple[_CursorName, bool]) -> CloseCursorStatement:
    return CloseCursorStatement(*cursor, span=span)


@rule("deallocate_cursor")
def _deallocate_cursor(span: Span, cursor: tuple[_CursorName, bool]) -> DeallocateCursorStatement:
    return DeallocateCursorStatement(*cursor, span=span)


@rule("fetch_cursor")
def _fetch_cursor(span: Span, orientation: Any, cursor: tuple[_CursorName, bool], into: Any) -> FetchCursorStatement:
    word, offset = orientation or ("NEXT", None)
    return FetchCursorStatement(cursor[0], word, offset, into or (), cursor[1], span=span)


@rule("variables")
def _variables(
    span: Span, *variables: VariableReference | GlobalVariable
) -> tuple[VariableReference | GlobalVariable, ...]:
    return variables


@rule("fetch_word")
def _fetch_word(span: Span, *word: str) -> tuple[str, Expression | None]:
    return one_word(word or ("NEXT",)), None


@rule("fetch_absolute")
def _fetch_absolute(span: Span, offset: Expression) -> tuple[str, Expression | None]:
    return "ABSOLUTE", offset


@rule("fetch_relative")
def _fetch_relative(span: Span, offset: Expression) -> tuple[str, Expression | None]:
    return "RELATIVE", offset
