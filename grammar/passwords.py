"""Passwords in the text of a statement: what is shown of the text elsewhere must not show them.

Decides by the tokens, so comments and line ends do not matter, and a password in a literal or a name is just text.
"""

from __future__ import annotations

from sbql.grammar.lexer import Source, scan

__all__ = ["without_passwords"]

_WORDS = frozenset({"PASSWORD", "OLD_PASSWORD", "SECRET"})
_SHOWN = "'******'"


def without_passwords(text: str) -> str:
    """The text with stars in place of each password."""
    tokens = scan(Source(text), [])
    pieces, end = [], 0
    for word, equals, value in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if word.kind == "word" and word.key in _WORDS and equals.text == "=" and value.kind == "STRING":
            pieces += [text[end : value.start], _SHOWN]
            end = value.end
    return "".join([*pieces, text[end:]])
