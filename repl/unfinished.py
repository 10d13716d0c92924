"""The word at the cursor: what of the text is finished, and what is still being typed.

It decides where a completion begins: behind a quote or a bracket that is open, and behind the points of a name. It
must not know what may stand there.
"""

from __future__ import annotations

from msgspec import Struct

from sbql.grammar.errors import SqlError
from sbql.grammar.lexer import Source, Token, scan, unquote

__all__ = ["Cut", "cut"]

_OPEN_QUOTE, _OPEN_COMMENT = 105, 113


class Cut(Struct, frozen=True):
    """`before`: the text in front of the word and of `path`, the names and points that stand before
    it. `mark`: the quote or bracket that is open, '' for none. `length`: how many characters a
    completion replaces, the mark among them."""

    before: str
    path: tuple[str, ...]
    stem: str
    mark: str
    length: int


def cut(text: str) -> Cut | None:
    """The word that `text` ends in, '' after a blank or a sign. None in a comment, and in a string of several lines."""
    errors: list[SqlError] = []
    tokens = scan(Source(text), errors)[:-1]
    numbers = [error.number for error in errors]
    last = tokens[-1] if tokens else None
    if _OPEN_COMMENT in numbers or "--" in text[last.end if last is not None else 0 :].rpartition("\n")[2]:
        return None
    stem, mark, start = "", "", len(text)
    if last is not None and last.end == len(text):
        if _OPEN_QUOTE in numbers:
            start = last.start
            mark = text[start : start + 2][-1] if text[start] in "Nn" else text[start]
            stem = text[start:].partition(mark)[2]
        elif last.kind in ("word", "VARIABLE"):
            start, stem = last.start, last.text
    if "\n" in stem:
        return None
    path, first = _path(tokens, start)
    return Cut(text[:first], path, stem, mark, len(text) - start)


def _path(tokens: list[Token], end: int) -> tuple[tuple[str, ...], int]:
    """The names and points that end at `end`, and where they begin."""
    parts: list[str] = []
    index = len(tokens) - 1
    while index >= 0 and tokens[index].start >= end:
        index -= 1
    while index >= 0 and tokens[index].text == "." and tokens[index].end == end:
        end = tokens[index].start
        index -= 1
        name = ""
        if index >= 0 and tokens[index].kind in ("word", "quoted") and tokens[index].end == end:
            name = unquote(tokens[index].text) if tokens[index].kind == "quoted" else tokens[index].text
            end = tokens[index].start
            index -= 1
        parts.insert(0, name)
    return tuple(parts), end
