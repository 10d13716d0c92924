"""The word of a statement that an error is about, for errors that come up while it
runs or is compiled and know no place.

Decides which word is to blame: what the error's number says of the statement's parts (`_PARTS`), else the name in the
statement that the error's text has too. The error keeps the line that SQL Server gives it, that of the statement. It
must not know how a place is shown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sbql.grammar import ast
from sbql.grammar.ast import Node, Span, Statement
from sbql.grammar.errors import SqlError
from sbql.grammar.tree import children, walk
from sbql.grammar.values.type_names import is_system_type

__all__ = ["point"]

_HANDLE = ("handle", "handles")
_PARTS: Final[dict[int, tuple[str, ...]]] = {
    6102: ("session_id",), 6104: ("session_id",), 6106: ("session_id",), 6107: ("session_id",),
    8406: ("lifetime",), 8410: ("timeout",), 8411: ("lifetime",), 8412: ("to_service",), 8413: ("broker_instance",),
    8414: ("related_conversation_group", "group"), 8417: ("contract",), 8418: _HANDLE, 8420: ("related_conversation_group", "group"),
    8421: ("from_service", "for_service", "to_service"), 8422: ("description",), 8423: ("from_service", "for_service"), 8425: ("contract",),
    8426: ("related_conversation", *_HANDLE), 8427: _HANDLE, 8428: ("message_type",), 8429: _HANDLE, 8430: ("body",), 8431: ("message_type",),
    8432: ("message_type",), 8433: ("body",), 8434: ("message_type",), 8438: _HANDLE, 8439: ("group",), 8458: _HANDLE, 8459: ("body",), 8462: _HANDLE,
    2116: ("broker_instance",), 9661: ("mirror_address",), 9662: ("broker_instance",), 9743: ("address", "mirror_address"),
    9745: ("address",), 9746: ("lifetime",), 9747: ("mirror_address",), 16905: ("cursor",), 16911: ("cursor",), 16917: ("cursor",), 16924: ("into",),
    16925: ("cursor",), 16929: ("current_of",), 16931: ("current_of",), 16933: ("current_of",), 16950: ("cursor",), 33302: ("level",),
}  # fmt: skip
"""Fields of statements and of their options that hold what the error is about, whatever stands there: a name, a
value, or a variable that holds one."""

_UNPOINTED: Final = frozenset({547})
"""Errors that name a column or table of another statement's, which may be called as something in this one."""


def point(error: SqlError, node: Statement, *, or_statement: bool = False) -> None:
    """Give an error without a place the line of its statement, and the column of the word that it is about; an error
    about the whole statement, too. If there is no such word it stays one about the statement if `or_statement`, as what
    is told before anything runs; else the column stays unknown."""
    span = node.span
    if error.call_line is not None and error.is_placed:
        return
    if error.inside is not None and (place := _place_inside(*error.inside, node)) is not None:
        error.line = error.line or span.line
        error.column_line, error.column = place if place[0] != error.line else (0, place[1])
        return
    if error.line and (error.line, error.column) != (span.line, span.column):
        return
    word = _blamed(error, node) or _named(error, node)
    if word is not None:
        error.line, error.column = error.line or span.line, word.column
        error.column_line = word.line if word.line != error.line else 0
    elif not error.line:
        error.line, error.column = span.line, span.column if or_statement else 0


def _place_inside(text: str, at: int, node: Statement) -> tuple[int, int] | None:
    """Line and column of the character `at` of a text that the statement holds as a
    literal, or as the name of a column."""
    for one in _words(node):
        if isinstance(one, ast.SelectColumn) and one.alias is not None and one.alias.value.lower() == text.lower():
            return one.alias.span.line, one.alias.span.column
    for one in _words(node):
        if isinstance(one, ast.StringLiteral) and one.value == text:
            return _in_literal(one, at)
    return None


def _in_literal(literal: ast.StringLiteral, at: int) -> tuple[int, int]:
    """Where a character of its value stands: behind the quote, and each quote in front of it stands there twice."""
    span, before = literal.span, literal.value[:at]
    opening = 2 if literal.national else 1
    quote = next(
        (q for q in "'\"" if opening + len(literal.value) + literal.value.count(q) + 1 == span.end - span.start), None
    )
    if quote is None:
        return span.line, span.column
    lines = before.split("\n")
    column = len(lines[-1]) + lines[-1].count(quote)
    return span.line + len(lines) - 1, column + (span.column + opening if len(lines) == 1 else 1)


def _blamed(error: SqlError, node: Statement) -> Span | None:
    """What stands in the field that the error's number, or as an option's name its text, says."""
    options = getattr(node, "options", None)
    holders = (node, options) if isinstance(options, Node) else (node,)
    texts = tuple(one.lower() for one in error.arguments[:1] if isinstance(one, str)) if len(holders) > 1 else ()
    for name in _PARTS.get(error.number, ()) + texts:
        for part in (getattr(holder, name, None) for holder in holders):
            for one in part if isinstance(part, tuple) else (part,):
                if isinstance(one, Node) and one.span.line:
                    return one.span
    return None


def _named(error: SqlError, node: Statement) -> Span | None:
    """The first word that says what an argument of the error's text says. What an argument is, a type is not looked
    for: that a value cannot become an int is no fault of the word int."""
    wanted = [str(argument).lower() for argument in error.arguments if not isinstance(argument, int | float)]
    wanted = [one for one in wanted if one and not is_system_type(one.partition("(")[0])]
    if not wanted or error.number in _UNPOINTED:
        return None
    said = [(says, one.span) for one in _words(node) for says in _says(one)]
    return next((span for one in wanted for says, span in said if says == one), None)


def _words(node: Statement) -> Iterator[Node]:
    """What stands in a statement, but not in the statements that it holds."""
    return (one for child in children(node) for one in walk(child, Statement) if one.span.line)


def _says(node: Any) -> tuple[str, ...]:
    """What a word says, in lower case: a name, alone or with those in front of it; a text; the name of an argument."""
    match node:
        case ast.Identifier() | ast.StringLiteral():
            return (node.value.lower(),)
        case ast.ObjectName():
            return (str(node).lower(), node.name.lower())
        case ast.VariableReference():
            return (node.name.lower(),)
        case ast.ExecuteArgument(name=str() as name):
            return (name.lower(),)
    return ()
