"""Colours of the input line: keywords, strings, comments, variables. For the eye only; the grammar decides what is
what.

It must not parse: an unfinished text is the normal case here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.lexers import Lexer

from sbql.grammar.keywords import RESERVED

__all__ = ["TSqlLexer", "styled_lines"]

_BROKER_WORDS = frozenset(
    [
        "SEND",
        "RECEIVE",
        "CONVERSATION",
        "DIALOG",
        "QUEUE",
        "SERVICE",
        "CONTRACT",
        "MESSAGE",
        "TYPE",
        "ROUTE",
        "ACTIVATION",
        "TIMEOUT",
        "MOVE",
        "GET",
        "INITIATOR",
        "MONOLOG",
        "SUBSCRIPTION",
        "TARGET",
        "SENT",
        "VALIDATION",
        "STATUS",
        "THROW",
        "TRY",
        "CATCH",
        "GO",
    ]
)
KEYWORDS = RESERVED | _BROKER_WORDS
"""What is coloured, and offered by Tab."""
_TOKEN = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?(\*/|\Z))|(?P<string>[Nn]?'(?:[^']|'')*('|\Z))|(?P<name>\[[^\]]*\]?|\"[^\"]*\"?)"
    r"|(?P<variable>@@?\w*)|(?P<number>0x[0-9a-fA-F]*|\d+(\.\d*)?)|(?P<word>[^\W\d]\w*)|(?P<other>.)",
    re.DOTALL,
)
_STYLES = {
    "comment": "ansibrightblack",
    "string": "ansired",
    "variable": "ansicyan",
    "number": "ansimagenta",
    "keyword": "ansiblue bold",
    "name": "",
    "other": "",
}


def styled_lines(text: str) -> list[StyleAndTextTuples]:
    """The lines of `text` as (style, text) parts."""
    lines: list[StyleAndTextTuples] = [[]]
    for found in _TOKEN.finditer(text):
        kind = found.lastgroup or "other"
        if kind == "word":
            kind = "keyword" if found.group().upper() in KEYWORDS else "other"
        for index, part in enumerate(found.group().split("\n")):
            if index:
                lines.append([])
            if part:
                lines[-1].append((_STYLES.get(kind, ""), part))
    return lines


class TSqlLexer(Lexer):
    """The lexer that prompt_toolkit asks."""

    def lex_document(self, document: Document) -> Callable[[int], StyleAndTextTuples]:
        lines = styled_lines(document.text)
        return lambda number: lines[number] if number < len(lines) else []
