"""Text to tokens: what is a word, a literal or a sign, and which words are keywords.

Two steps. `scan` splits the text without context: blanks and comments (nested) go, strings, numbers and names come out.
`Classifier.terminal` then names the terminal of a token for the parser's present state: a reserved word is always its
keyword; a soft keyword is a keyword only where the state accepts it, else a name; a few phrases (END CONVERSATION,
AT TIME ZONE, a label) need a look at the words that follow. What stands between double quotes is a name, or a string while QUOTED_IDENTIFIER is OFF. It must not know the grammar's
rules, only which terminals a state accepts.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Container
from dataclasses import dataclass
from typing import Any

from sbql.grammar.ast.base import Identifier, Span
from sbql.grammar.ast.expressions import (
    BinaryLiteral,
    GlobalVariable,
    IntegerLiteral,
    MoneyLiteral,
    NumericLiteral,
    RealLiteral,
    StringLiteral,
    VariableReference,
)
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.keywords import (
    CALL_WORDS,
    CLEAR_STARTS,
    PHRASES,
    RESERVED,
    STATEMENT_STARTS,
    UNSUPPORTED,
    UNSUPPORTED_CALLS,
)

__all__ = ["Classifier", "Source", "Token", "scan"]

MAX_NAME = 128

_TOKEN = re.compile(
    r"""
      (?P<blank>[\s\ufeff\u200b]+|--[^\n]*)
    | (?P<comment>/\*)
    | (?P<STRING>[Nn]?'(?:[^']|'')*')
    | (?P<open_string>[Nn]?')
    | (?P<BINARY>0[xX][0-9A-Fa-f]*(?:\\\r?\n[0-9A-Fa-f]+)*)
    | (?P<REAL>(?:\d+\.?\d*|\.\d+)[eE][+-]?\d*)
    | (?P<NUMERIC>\d+\.\d*|\.\d+)
    | (?P<INTEGER>\d+)
    | (?P<MONEY>[$\u00a3\u00a5\u20ac]\s*-?(?:\d+\.?\d*|\.\d+))
    | (?P<VARIABLE>@[\w@\#$]*)
    | (?P<word>[^\W\d][\w@\#$]*|\#[\w@\#$]*|\$[^\W\d]\w*)
    | (?P<quoted>\[(?:[^\]]|\]\])*\]|"(?:[^"]|"")*")
    | (?P<open_name>\[|")
    | (?P<SHIFT><<|>>)
    | (?P<COMPARE><\s*[=>]|>\s*=|!\s*[=<>]|[<>])
    | (?P<ASSIGN_OP>[-+*/%&|^]=)
    | (?P<sign>::|[-+*/%&|^~=(),.;:{}\\?$!`])
    | (?P<other>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_MARK = re.compile(r"/\*|\*/")
_SPELLING = {"!=": "<>", "!<": ">=", "!>": "<="}


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
            token.text = "'" + _unquote(token.text).replace("'", "''") + "'"
        elif kind in ("open_string", "open_name", "other"):
            _report(_lexical_error(source, kind, start), errors)
            if kind == "other":
                continue
            # Read on as if it were closed at the end, so that no second error tells of the same place.
            token, position = _closed(kind, text[start:], start), size
        if kind in ("word", "quoted", "VARIABLE") and len(token.text) > MAX_NAME:
            _check_length(source, token, errors)
        tokens.append(token)
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
        return sql_error(102, source.text[start], span=span)
    return sql_error(105, source.text[start : start + 64], span=span)


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
    name = _unquote(token.text) if token.kind == "quoted" else token.text
    if len(name) > MAX_NAME:
        _report(sql_error(103, "name", name[:MAX_NAME], MAX_NAME, span=source.span(token.start, token.end)), errors)


def _unquote(text: str) -> str:
    close = text[-1]
    return text[1:-1].replace(close * 2, close)


def _string(text: str, span: Span) -> StringLiteral:
    national = text[0] in "Nn"
    body = text[2:-1] if national else text[1:-1]
    # A backslash before a line end continues the string on the next line.
    if "\\" in body:
        body = body.replace("\\\r\n", "").replace("\\\n", "")
    return StringLiteral(body.replace("''", "'"), national, span=span)


def _binary(text: str, span: Span) -> BinaryLiteral:
    digits = re.sub(r"[\\\r\n]", "", text[2:])
    return BinaryLiteral(bytes.fromhex(digits if len(digits) % 2 == 0 else "0" + digits), span=span)


def _variable(text: str, span: Span) -> VariableReference | GlobalVariable:
    return GlobalVariable(text.upper(), span=span) if text.startswith("@@") else VariableReference(text, span=span)


_VALUES: dict[str, Callable[[str, Span], Any]] = {
    "STRING": _string,
    "BINARY": _binary,
    "VARIABLE": _variable,
    "INTEGER": lambda text, span: IntegerLiteral(int(text), span=span),
    "NUMERIC": lambda text, span: NumericLiteral(text, span=span),
    "REAL": lambda text, span: RealLiteral(text, span=span),
    "MONEY": lambda text, span: MoneyLiteral("".join(text[1:].split()), span=span),
    "COMPARE": lambda text, span: _SPELLING.get(joined := "".join(text.split()), joined),
    "SHIFT": lambda text, span: text,
    "quoted": lambda text, span: Identifier(_unquote(text), True, span=span),
    "word": lambda text, span: Identifier(text, False, span=span),
}


class Classifier:
    """Names the terminals of one text's tokens, and makes the values that the parser shifts."""

    __slots__ = ("literals", "source", "tokens")

    def __init__(self, source: Source, tokens: list[Token], literals: dict[str, str]) -> None:
        self.source = source
        self.tokens = tokens
        self.literals = literals

    def terminal(self, index: int, accepted: Container[str]) -> tuple[str, int]:
        """The terminal of token `index` where the parser accepts `accepted`, and how many tokens it takes."""
        token = self.tokens[index]
        kind = token.kind
        if kind == "word":
            return self._word(index, token.key, accepted)
        if kind == "VARIABLE":
            return ("GLOBAL_VARIABLE" if token.text.startswith("@@") else kind), 1
        if kind == "sign":
            # EXEC p;1 names a numbered procedure; no statement starts with a number.
            if token.text == ";" and "PROCEDURE_NUMBER" in accepted and self.tokens[index + 1].kind == "INTEGER":
                return "PROCEDURE_NUMBER", 2
            return self.literals.get(token.text, token.text), 1
        if kind == "quoted":
            if "LABEL" in accepted and self._is_label(index):
                return "LABEL", 2
            return "IDENT", 1
        return ("$END" if kind == "end" else kind), 1

    def _word(self, index: int, key: str, accepted: Container[str]) -> tuple[str, int]:
        for words, phrase in PHRASES.get(key, ()):
            if phrase in accepted and self._follows(index, words):
                return phrase, 1 + len(words)
        if key in UNSUPPORTED and "UNSUPPORTED" in accepted:
            for words in UNSUPPORTED[key]:
                if self._follows(index, words):
                    return "UNSUPPORTED", self._statement_length(index, 1 + len(words))
        for call, names in UNSUPPORTED_CALLS.items():
            if key in names and call in accepted and self.tokens[index + 1].text == "(":
                if key != "OPENROWSET" or self.tokens[index + 2].key != "BULK":
                    return call, self._call_length(index)
        terminal = self.literals.get(key)  # None for a word like MONEY or STAR, which terminals are called as well
        if key in RESERVED:
            return terminal or key, 1
        if "LABEL" in accepted and self._is_label(index):
            return "LABEL", 2
        if key == "WINDOW" and not self._defines_window(index):
            return "IDENT", 1  # else a table could not have the alias
        if key in STATEMENT_STARTS and index and self.tokens[index - 1].text == "," and "IDENT" in accepted:
            return "IDENT", 1  # no statement follows a comma, though a list of columns may end in one
        if key == "BINARY" and "INTEGER" in accepted:
            return "IDENT", 1  # the word and 0x… are one terminal: where any literal may stand, the word is a name
        if (
            terminal is not None
            and terminal in accepted
            and (key not in CALL_WORDS or self.tokens[index + 1].text == "(")
        ):
            return terminal, 1
        return "IDENT", 1

    def _follows(self, index: int, words: tuple[str, ...]) -> bool:
        following = self.tokens[index + 1 : index + 1 + len(words)]
        return len(following) == len(words) and all(token.key == word for token, word in zip(following, words))

    def _is_label(self, index: int) -> bool:
        return self.tokens[index + 1].text == ":"

    def _defines_window(self, index: int) -> bool:
        """WINDOW name AS ( … ; before the end there are always as many tokens or the end."""
        following = self.tokens[index + 1 : index + 4]
        return len(following) == 3 and following[1].key == "AS" and following[2].text == "("

    def _statement_length(self, index: int, head: int) -> int:
        """How many tokens an unsupported statement takes: up to a semicolon, or a word that starts a statement."""
        depth, end = 0, index + head
        while (token := self.tokens[end]).kind != "end":
            if token.text == "(":
                depth += 1
            elif token.text == ")":
                depth -= 1
            ends = token.text == ";" or token.key in CLEAR_STARTS or self.starts_statement(end)
            if depth < 0 or (depth == 0 and ends):
                break
            end += 1
        return end - index

    def _call_length(self, index: int) -> int:
        """How many tokens a call takes that is read as a whole, with the names and the WITH list that may follow it."""
        end = self._behind_parenthesis(index + 1)
        while self.tokens[end].text == ".":
            end += 2 if self.tokens[end + 1].kind in ("word", "quoted") else 1
        if self.tokens[end].key == "WITH" and self.tokens[end + 1].text == "(":
            end = self._behind_parenthesis(end + 1)
        return end - index

    def _behind_parenthesis(self, index: int) -> int:
        depth = 0
        while self.tokens[index].kind != "end":
            depth += {"(": 1, ")": -1}.get(self.tokens[index].text, 0)
            index += 1
            if depth == 0:
                break
        return index

    def starts_statement(self, index: int) -> bool:
        """Whether the token looks like the first of a statement, to someone who does not know what goes before."""
        token = self.tokens[index]
        # Words such as ALTER also stand inside options; only at the start of a line do they begin a statement.
        first_in_line = not self.source.text[: token.start].rpartition("\n")[2].strip()
        return token.key in STATEMENT_STARTS and first_in_line

    def value(self, index: int, terminal: str, count: int) -> Any:
        """What the parser shifts: a literal's or name's node; for keywords and signs the text in upper case."""
        token = self.tokens[index]
        if terminal == "LABEL":
            return _unquote(token.text) if token.kind == "quoted" else token.text
        if terminal == "UNSUPPORTED":
            return self._feature(index)
        if terminal in UNSUPPORTED_CALLS:
            return token.key
        if terminal == "PROCEDURE_NUMBER":
            return int(self.tokens[index + 1].text)
        if terminal == "IDENT" or token.kind != "word":
            make = _VALUES.get(token.kind)
            return token.text if make is None else make(token.text, self.source.span(token.start, token.end))
        return token.key if count == 1 else " ".join(t.key for t in self.tokens[index : index + count])

    def _feature(self, index: int) -> str:
        """The words by which an unsupported statement is named."""
        key = self.tokens[index].key
        words = next(words for words in UNSUPPORTED[key] if self._follows(index, words))
        return " ".join((key, *words))
