"""Tokens to terminals: which words are keywords where they stand, and what the parser shifts for a token.

One rule. A reserved word is always its keyword. Every other word of the grammar is a keyword only where no name may
stand, or where a name leads nowhere: if the parser could go on with both, the next few tokens are tried both ways, and
what gets further is meant. A word that begins a statement (SEND, RECEIVE, THROW …) is a name wherever a name may stand:
SQL Server wants a semicolon in front of it. A few phrases (END CONVERSATION, AT TIME ZONE) are one terminal. It must
not know the grammar's rules, only its table.
"""

from __future__ import annotations

import re
from collections.abc import Callable
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
from sbql.grammar.digits import whole
from sbql.grammar.keywords import (
    CALL_WORDS,
    CLEAR_STARTS,
    GLOBAL_VARIABLES,
    PHRASES,
    RESERVED,
    SOFT_STARTS,
    STATEMENT_STARTS,
    UNSUPPORTED,
    UNSUPPORTED_CALLS,
)
from sbql.grammar.lexer import Source, Token, unquote
from sbql.grammar.tables import ParseTable

__all__ = ["Classifier"]

_SPELLING = {"!=": "<>", "!<": ">=", "!>": "<="}

_AHEAD = 6
"""How many tokens are tried where a word may be a keyword or a name."""

_CALLS = {head: (call, seconds) for call, heads in UNSUPPORTED_CALLS.items() for head, seconds in heads.items()}
_WITH_FOLLOWERS = PHRASES.keys() | UNSUPPORTED.keys() | _CALLS.keys()
"""Words that mean something else before certain words."""


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
    name = text.upper()
    return GlobalVariable(name, span=span) if name in GLOBAL_VARIABLES else VariableReference(text, span=span)


_VALUES: dict[str, Callable[[str, Span], Any]] = {
    "STRING": _string,
    "BINARY": _binary,
    "VARIABLE": _variable,
    "INTEGER": lambda text, span: IntegerLiteral(whole(text), span=span),
    "NUMERIC": lambda text, span: NumericLiteral(text, span=span),
    "REAL": lambda text, span: RealLiteral(text, span=span),
    "MONEY": lambda text, span: MoneyLiteral("".join(text[1:].split()), span=span),
    "COMPARE": lambda text, span: _SPELLING.get(joined := "".join(text.split()), joined),
    "SHIFT": lambda text, span: text,
    "quoted": lambda text, span: Identifier(unquote(text), True, span=span),
    "word": lambda text, span: Identifier(text, False, span=span),
}


class Classifier:
    """Names the terminals of one text's tokens, and makes the values that the parser shifts."""

    __slots__ = ("actions", "literals", "drop_if_exists", "source", "table", "tokens")

    def __init__(self, source: Source, tokens: list[Token], table: ParseTable, drop_if_exists: bool) -> None:
        self.source = source
        self.tokens = tokens
        self.table = table
        self.drop_if_exists = drop_if_exists
        self.actions = table.actions
        self.literals = table.literals

    def terminal(self, index: int, states: list[int], ahead: int = _AHEAD) -> tuple[str, int]:
        """The terminal of token `index` for the parser whose stack is `states`, and how many tokens it takes."""
        token = self.tokens[index]
        kind = token.kind
        if kind == "word":
            return self._word(index, token.key, states, ahead)
        if kind == "VARIABLE":
            return ("GLOBAL_VARIABLE" if token.text.upper() in GLOBAL_VARIABLES else kind), 1
        accepted = self.actions[states[-1]]
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

    def _word(self, index: int, key: str, states: list[int], ahead: int) -> tuple[str, int]:
        accepted = self.actions[states[-1]]
        if key in _WITH_FOLLOWERS:
            meant = self._with_followers(index, key, states, ahead)
            if meant is not None:
                return meant
        terminal = self.literals.get(key)  # None for a word like MONEY or STAR, which terminals are called as well
        if key in RESERVED:
            return terminal or key, 1
        if "LABEL" in accepted and self._is_label(index):
            return "LABEL", 2
        if key == "BINARY" and "INTEGER" in accepted:
            return "IDENT", 1  # the word and 0x… are one terminal: where any literal may stand, the word is a name
        if (
            terminal is not None
            and terminal in accepted
            and (key not in CALL_WORDS or self.tokens[index + 1].text == "(")
            and self._means(terminal, index, 1, states, ahead)
        ):
            return terminal, 1
        return "IDENT", 1

    def _with_followers(self, index: int, key: str, states: list[int], ahead: int) -> tuple[str, int] | None:
        """The phrase, or what is read as a whole, that begins with this word here; None: the word stands for itself."""
        accepted = self.actions[states[-1]]
        for words, phrase in PHRASES.get(key, ()):
            if phrase in accepted and self._follows(index, words) and (key != "IF" or self.drop_if_exists):
                if self._means(phrase, index, 1 + len(words), states, ahead):
                    return phrase, 1 + len(words)
        if key in UNSUPPORTED and "UNSUPPORTED" in accepted:
            for words in UNSUPPORTED[key]:
                if self._follows(index, words) and self.table.shifted(states, "UNSUPPORTED"):
                    return "UNSUPPORTED", self._statement_length(index, 1 + len(words))
        call, seconds = _CALLS.get(key, ("", ()))
        if call in accepted and self.tokens[index + 1].text == "(":
            following = self.tokens[index + 2].key
            if (not seconds or following in seconds) and (key, following) != ("OPENROWSET", "BULK"):
                return call, self._call_length(index)
        return None

    # --- a keyword or a name -----------------------------------------------------------------------------------

    def _means(self, terminal: str, index: int, count: int, states: list[int], ahead: int) -> bool:
        """Whether the token and those behind it (`count` in all) are this keyword or phrase, and no name."""
        key = self.tokens[index].key
        if key in RESERVED:
            return self.table.shifted(states, terminal) is not None
        if "IDENT" not in self.actions[states[-1]]:
            return True
        # The row of a state that Lark has merged may list terminals that fail after a reduction.
        if self.table.shifted(states, "IDENT") is None:
            return True
        if self.table.shifted(states, terminal) is None:
            return False
        if terminal in SOFT_STARTS:
            return index == 0 or self.tokens[index - 1].text == ";"
        if ahead == 0 or key in CALL_WORDS:
            return True
        as_keyword = self._reach(terminal, index, count, states, ahead)
        as_name = self._reach("IDENT", index, 1, states, ahead)
        if as_keyword == as_name:
            return self.tokens[index + 1].key != key  # MERGE t using USING u: the first of the two is the name
        return as_keyword > as_name

    def _reach(self, terminal: str, index: int, count: int, states: list[int], ahead: int) -> int:
        """How many tokens the parser takes if the first is `terminal`; no more than
        `ahead`, which the end counts as."""
        reached = 0
        while (after := self.table.shifted(states, terminal)) is not None:
            if terminal == "$END":
                return ahead
            states = after
            reached += count
            index += count
            if reached >= ahead:
                return ahead
            terminal, count = self.terminal(index, states, ahead - reached)
            if terminal in SOFT_STARTS:
                break  # no proof of anything: the words may be names
        return reached

    def _follows(self, index: int, words: tuple[str, ...]) -> bool:
        tokens = self.tokens  # the last is the end, whose key is no word
        for word in words:
            index += 1
            if tokens[index].key != word:
                return False
        return True

    def _is_label(self, index: int) -> bool:
        return self.tokens[index + 1].text == ":"

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
            return unquote(token.text) if token.kind == "quoted" else token.text
        if terminal == "UNSUPPORTED":
            return self._feature(index)
        if terminal in UNSUPPORTED_CALLS:
            return token.key
        if terminal == "PROCEDURE_NUMBER":
            return whole(self.tokens[index + 1].text)
        if terminal == "IDENT" or token.kind != "word":
            make = _VALUES.get(token.kind)
            return token.text if make is None else make(token.text, self.source.span(token.start, token.end))
        return token.key if count == 1 else " ".join(t.key for t in self.tokens[index : index + count])

    def _feature(self, index: int) -> str:
        """The words by which an unsupported statement is named."""
        key = self.tokens[index].key
        words = next(words for words in UNSUPPORTED[key] if self._follows(index, words))
        return " ".join((key, *words))
