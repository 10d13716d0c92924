"""Reads XQuery text: blanks and comments, names, literals, references to characters.

Decides what a token is and which of the errors 2209, 2274, 2282, 2285, 2340, 2342 its faults are. It must not know the
grammar of expressions.
"""

from __future__ import annotations

import re

from sbql.grammar.digits import whole
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["Reader", "resolve_references"]

_NAME = r"[A-Za-z_\u00c0-\ufdcf\ufdf0-\uffef][\w.\-\u00b7]*"
_QNAME = re.compile(rf"({_NAME})(?::(?!:)({_NAME}))?")
_LONGEST_INTEGER = 28  # digits of a constant without exponent
_NUMBER = re.compile(r"\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?")
_REFERENCE = re.compile(r"&(?:#x([0-9A-Fa-f]+)|#(\d+)|(lt|gt|amp|quot|apos));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


class Reader:
    """A place in an XQuery text. `method` is what messages call the place of the fault, as in `query()`."""

    def __init__(self, text: str, method: str) -> None:
        self.text, self.method, self.at = text, method, 0

    # --- faults --------------------------------------------------------------------------------------------

    def fault(self, number: int, *arguments: object) -> SqlError:
        """An error, at the word that it names, which is the last one read or the next
        one; else where the reader stands."""
        places = [self.text.rfind(one, 0, self.at + len(one)) for one in arguments if isinstance(one, str) and one]
        place = max(places, default=-1)
        return sql_error(number, self.method, *arguments).within(self.text, place if place >= 0 else self.at)

    def syntax_fault(self) -> SqlError:
        """2209, with the word where the reader stands."""
        return self.fault(2209, self._next())

    def missing(self, wanted: str) -> SqlError:
        """9303, with the word where the reader stands and the one that belongs there."""
        return self.fault(9303, self._next(), wanted)

    def _next(self) -> str:
        self.skip()
        found = re.compile(r"[\w.:@$-]+|.", re.DOTALL).match(self.text, self.at)
        return found[0] if found is not None else "<eof>"

    def unsupported(self, what: str) -> SqlError:
        return self.fault(9335, what)

    # --- tokens --------------------------------------------------------------------------------------------

    def skip(self) -> None:
        """Blanks and comments, which nest."""
        text = self.text
        while True:
            while self.at < len(text) and text[self.at] in " \t\r\n":
                self.at += 1
            if not text.startswith("(:", self.at):
                return
            depth, begin = 0, self.at
            while True:
                if text.startswith("(:", self.at):
                    depth, self.at = depth + 1, self.at + 2
                elif text.startswith(":)", self.at):
                    depth, self.at = depth - 1, self.at + 2
                    if depth == 0:
                        break
                elif self.at >= len(text):
                    raise self.fault(2340, text.count("\n", 0, begin) + 1)
                else:
                    self.at += 1

    def at_end(self) -> bool:
        self.skip()
        return self.at >= len(self.text)

    def peek(self, sign: str) -> bool:
        """Whether these characters come next."""
        self.skip()
        return self.text.startswith(sign, self.at)

    def take(self, sign: str) -> bool:
        if not self.peek(sign):
            return False
        self.at += len(sign)
        return True

    def expect(self, sign: str) -> None:
        if not self.take(sign):
            raise self.syntax_fault()

    def peek_name(self) -> str:
        """The qualified name that comes next, or ''."""
        self.skip()
        found = _QNAME.match(self.text, self.at)
        return found[0] if found is not None else ""

    def name(self) -> str:
        found = self.peek_name()
        if not found:
            raise self.syntax_fault()
        self.at += len(found)
        return found

    def peek_words(self, *words: str) -> bool:
        """Whether these words come next, one after the other."""
        start = self.at
        try:
            return all(self.take_word(word) for word in words)
        finally:
            self.at = start

    def take_word(self, word: str) -> bool:
        if self.peek_name() != word:
            return False
        self.at += len(word)
        return True

    def take_words(self, *words: str) -> bool:
        if not self.peek_words(*words):
            return False
        for word in words:
            self.take_word(word)
        return True

    def follows(self, name: str, sign: str) -> bool:
        """Whether `name`, which comes next, has `sign` after it."""
        start = self.at
        self.at += len(name)
        found = self.peek(sign)
        self.at = start
        return found

    def number(self) -> str:
        found = _NUMBER.match(self.text, self.at)
        if found is None:
            raise self.syntax_fault()
        self.at = found.end()
        if len(found[0].partition(".")[0].lstrip("0")) > _LONGEST_INTEGER and "e" not in found[0].lower():
            raise self.fault(2342)
        return found[0]

    def string(self) -> str:
        """A string literal: its value. A doubled quote stands for one."""
        self.skip()
        quote = self.text[self.at : self.at + 1]
        if quote not in ('"', "'"):
            raise self.fault(2225)
        begin, parts = self.at, []
        self.at += 1
        while True:
            end = self.text.find(quote, self.at)
            if end < 0:
                raise self.fault(2274, self.text.count("\n", 0, begin) + 1)
            parts.append(self.text[self.at : end])
            self.at = end + 1
            if not self.text.startswith(quote, self.at):
                return resolve_references(quote.join(parts), self)
            self.at += 1

    def until(self, end: str, number: int, *arguments: object) -> str:
        """The text up to `end`, which is read too. Raises the given error when it does not come."""
        place = self.text.find(end, self.at)
        if place < 0:
            raise self.fault(number, *arguments)
        found = self.text[self.at : place]
        self.at = place + len(end)
        return found


def resolve_references(text: str, reader: Reader) -> str:
    """`&lt;` and `&#10;` as characters. Raises 2282, 2285."""
    if "&" not in text:
        return text

    def character(found: re.Match[str]) -> str:
        if found[3]:
            return _NAMED[found[3]]
        code = int(found[1], 16) if found[1] else whole(found[2])
        if not (
            code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0xFFFD or 0x10000 <= code <= 0x10FFFF
        ):
            raise reader.fault(2285)
        return chr(code)

    if "&" in _REFERENCE.sub("", text):
        raise reader.fault(2282)
    return _REFERENCE.sub(character, text)
