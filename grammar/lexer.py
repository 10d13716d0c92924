"""Text to tokens: what is a word, a literal or a sign.

`scan` splits the text without context: blanks and comments (nested) go, strings, numbers and names come out. What
stands between double quotes is a name, or a string while QUOTED_IDENTIFIER is OFF. It must not know which words are
keywords (classifier.py decides that, for each state of the parser).
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

from sbql.grammar.ast.base import Span
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.names import string_literal
from sbql.grammar.values.checkpoints import checkpoint
from sbql.grammar.values.numbers import CURRENCY

__all__ = ["UNCLOSED", "Source", "Token", "scan", "unquote"]

MAX_NAME = 128
UNCLOSED = 105
"""The number of a quotation mark or bracket that is never closed."""

_TOKEN = re.compile(
    r"""
      (?P<blank>(?:(?![\u00a0\u2007\u202f])[\s\ufeff\u200b])+|--[^\n]*)
    | (?P<comment>/\*)
    | (?P<STRING>[Nn]?'(?:[^']|'')*')
    | (?P<open_string>[Nn]?')
    | (?P<BINARY>0[xX][0-9A-Fa-f]*(?:\\\r?\n[0-9A-Fa-f]+)*)
    | (?P<REAL>(?:\d+(?:\.\d*)?|\.\d+)[eE][+-]?\d*)
    | (?P<NUMERIC>\d+\.\d*|\.\d+)
    | (?P<INTEGER>\d+)
    | (?P<MONEY>[@CURRENCY@]\s*(?:[-+]\s*)?(?:\d+(?:\.\d*)?|\.\d+)|[@CURRENCY@](?![\w@\#$(]))
    | (?P<VARIABLE>@[\w@\#$]*)
    | (?P<word>[^\W\d][\w@\#$]*|\#[\w@\#$]*|\$[^\W\d]\w*)
    | (?P<quoted>\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*")
    | (?P<open_name>\[|")
    | (?P<SHIFT><<|>>)
    | (?P<COMPARE><\s*[=>]|>\s*=|!\s*[=<>]|[<>])
    | (?P<ASSIGN_OP>[-+*/%&|^]=)
    | (?P<sign>::|[-+*/%&|^~=(),.;:{}\\?$!`])
    | (?P<other>.)
    """.replace("@CURRENCY@", CURRENCY),
    re.VERBOSE | re.DOTALL,
)
_PLAIN = dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u00b4\u02bc\u2039\u203a\uff07", "'")
_PLAIN |= dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\uff02", '"')
_PLAIN |= dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u00ad\uff0d", "-")
_PLAIN |= dict.fromkeys("\u00a0\u2007\u202f", " ")
_PLAIN |= {"\u2026": "...", "\u00d7": "*", "\u2044": "/", "\uff08": "(", "\uff09": ")", "\uff0c": ",", "\uff1b": ";", "\uff1d": "=", "\u2260": "<>", "\u2264": "<=", "\u2265": ">="}  # fmt: skip
"""Characters of books and word processors, and what T-SQL has in their place."""
_WANTED = {" ": "a plain space", '"': "the plain ' around a text, and \" around a name"}
_AT_ONCE = 1024
"""Tokens between two checkpoints."""

_COMMENT_MARK = re.compile(r"/\*|\*/")


@dataclass(slots=True, eq=False)
class Token:
    """`kind` is the name of a literal's terminal, or word, quoted, sign, end. `key` is a word in upper case."""

    kind: str
    text: str
    start: int
    end: int
    key: str = ""


class Source:
    """A batch's text with its line starts: turns offsets into spans."""

    __slots__ = ("first_line", "lines", "text")

    def __init__(self, text: str, first_line: int = 1) -> None:
        self.text = text
        self.first_line = first_line
        self.lines = [0]
        self.lines.extend(found.end() for found in re.finditer("\n", text))

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        index = bisect_right(self.lines, offset) - 1
        return index + self.first_line, offset - self.lines[index] + 1

    def span(self, start: int, end: int) -> Span:
        lines = self.lines
        first = bisect_right(lines, start) - 1
        last = first
        # Nearly every node ends on the line where it starts.
        if first + 1 < len(lines) and end >= lines[first + 1]:
            last = bisect_right(lines, end) - 1
        base = self.first_line
        return Span(first + base, start - lines[first] + 1, last + base, end - lines[last] + 1, start, end)


def scan(source: Source, errors: list[SqlError] | None = None, *, quoted_identifiers: bool = True) -> list[Token]:
    """The tokens of the text, closed by one of kind `end`. Lexical errors raise, or go to `errors` when given.

    `quoted_identifiers`: QUOTED_IDENTIFIER at the start; a SET of it counts for the text that follows.
    """
    text = source.text
    has_switch = "QUOTED_IDENTIFIER" in text.upper()
    tokens: list[Token] = []
    match = _TOKEN.match
    position, size = 0, len(text)
    while position < size:
        found = match(text, position)
        assert found is not None
        assert found.lastgroup is not None
        kind, start, position = found.lastgroup, position, found.end()
        if kind == "blank":
            continue
        if kind == "comment":
            position = _skip_comment(source, start, errors)
            continue
        token = Token(kind, found.group(), start, position)
        if kind == "word":
            token.key = token.text.upper()
            if has_switch and token.key in ("ON", "OFF") and _sets_quoted_identifier(tokens):
                quoted_identifiers = token.key == "ON"
        elif kind == "quoted" and not quoted_identifiers and token.text[0] == '"':
            kind = token.kind = "STRING"
            token.text = string_literal(unquote(token.text))
        elif kind in ("open_string", "open_name", "other"):
            _report(_lexical_error(source, kind, start), errors)
            if kind == "other":
                continue
            # Read on as if it were closed at the end, so that no second error tells of the same place.
            token, position = _closed(kind, text[start:], start), size
        if kind == "quoted" and len(token.text) == 2:
            _report(sql_error(1038, span=source.span(start, position)), errors)
        elif kind in ("word", "quoted", "VARIABLE") and len(token.text) > MAX_NAME:
            _check_length(source, token, errors)
        tokens.append(token)
        if not len(tokens) % _AT_ONCE:
            checkpoint()
    tokens.append(Token("end", "", size, size))
    return tokens


def _sets_quoted_identifier(tokens: list[Token]) -> bool:
    """Whether the tokens end with `SET [option,] QUOTED_IDENTIFIER [, option]`; inside a module that is not heard."""
    if [token.key for token in tokens[:1]] in (["CREATE"], ["ALTER"]):
        return False
    for index in range(len(tokens) - 1, -1, -1):
        if tokens[index].key == "SET":
            return any(token.key == "QUOTED_IDENTIFIER" for token in tokens[index:])
        if tokens[index].kind != "word" and tokens[index].text != ",":
            return False
    return False


def _report(error: SqlError, errors: list[SqlError] | None) -> None:
    if errors is None:
        raise error
    errors.append(error)


def _lexical_error(source: Source, kind: str, start: int) -> SqlError:
    span = source.span(start, start + 1)
    if kind == "other":
        return sql_error(102, source.text[start], span=span).advise(_typography(source.text[start]))
    error = sql_error(UNCLOSED, source.text[start : start + 64], span=span)
    rest = source.text[start:].partition("\n")[0]
    closing = next((character for character in rest if _PLAIN.get(character) == "'"), None)
    return error.advise(_typography(closing)) if kind == "open_string" and closing else error


def _typography(character: str) -> str:
    """What to say of a character that books and word processors put where T-SQL has a plain one; '' for others."""
    plain = _PLAIN.get(character)
    if plain is None:
        return ""
    wanted = _WANTED.get(plain, f"the plain {plain}")
    called = f"{character} (U+{ord(character):04X}, {unicodedata.name(character).lower()})"
    return f"{called} is what books and word processors set: T-SQL wants {wanted}. Replace it in the whole text."


def _closed(kind: str, rest: str, start: int) -> Token:
    if kind == "open_string":
        return Token("STRING", rest.replace("'", "''") + "'", start, start + len(rest))
    return Token("quoted", "[name]", start, start + len(rest))


def _skip_comment(source: Source, start: int, errors: list[SqlError] | None) -> int:
    """The offset behind the comment that starts at `start`; comments nest."""
    depth = 0
    for mark in _COMMENT_MARK.finditer(source.text, start):
        depth += 1 if mark.group() == "/*" else -1
        if depth == 0:
            return mark.end()
    _report(sql_error(113, span=source.span(start, start + 2)), errors)
    return len(source.text)


def _check_length(source: Source, token: Token, errors: list[SqlError] | None) -> None:
    name = unquote(token.text) if token.kind == "quoted" else token.text
    if len(name) > MAX_NAME:
        _report(sql_error(103, "name", name[:MAX_NAME], MAX_NAME, span=source.span(token.start, token.end)), errors)


def unquote(text: str) -> str:
    close = text[-1]
    return text[1:-1].replace(close * 2, close)
