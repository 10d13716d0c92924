"""Lines of scripts: which are GO, directives or commands of a prompt, and where strings,
delimited names and comments begin and end.

It decides what a line is. What such a line does, and where batches end, is decided by `batches`. A line counts as a
directive only where the state before it is plain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["LineState", "ends_in_directive", "lines_of", "open_part", "open_sign", "word_of"]

_GO = re.compile(r"[ \t]*+GO(?:[ \t]++(?P<count>\d++))?[ \t]*+;?[ \t]*+(?:--.*)?\r?\Z", re.IGNORECASE)
_DIRECTIVE = re.compile(
    r"[ \t]*+(?::(?P<name>[A-Za-z]++|!!)|(?P<shell>!!))[ \t]*+(?P<rest>(?:.*[^ \t\r\n])?)[ \t\r]*+\Z"
)
_BARE = re.compile(r"[ \t]*+:?(?P<name>exit|quit|reset)[ \t]*+(?P<rest>(?:\(.*\)|;)?)[ \t\r]*+\Z", re.IGNORECASE)
"""Directives that sqlcmd knows without the colon, for scripts of its predecessor. No statement is written like
them, with a semicolon or without."""
_COMMAND = re.compile(r"(?P<name>\\\S*+)[ \t]*+(?P<rest>(?:.*[^ \t\r\n])?)[ \t\r]*+\Z")
"""Commands of the prompt. No statement begins with a backslash."""
_MARK = re.compile(r"--|/\*|\*/|'|\[|\"|\]")


def open_sign(text: str) -> str:
    """What is open at the end of what is typed, for people: a string, a delimited name, a comment, and the
    line it begins in; '' for nothing."""
    state, begun = LineState(), 0
    for number, line in enumerate(text.split("\n"), 1):
        was_plain = state.is_plain
        state.skip(line)
        begun = number if was_plain and not state.is_plain else begun
    if state.is_plain:
        return ""
    kind = "comment" if state.comments else "string" if state.closing == "'" else "name"
    return f"a {kind} is open since line {begun}, GO is in it"


def open_part(text: str) -> str:
    """The end of what is typed, from behind the last GO or directive."""
    state, start, position = LineState(), 0, 0
    for line in text.split("\n"):
        position += len(line) + 1
        if state.is_plain and word_of(line, True) is not None:
            start = position
        else:
            state.skip(line)
    return text[start:]


def ends_in_directive(text: str) -> bool:
    """Whether the last line of what is being typed is carried out as soon as it is entered: GO, a directive or a
    command of the prompt. It is none inside of a string, a delimited name or a comment."""
    state = LineState()
    lines = lines_of(text.rstrip())
    for line in lines[:-1]:
        if not (state.is_plain and word_of(line, True)):
            state.skip(line)
    return state.is_plain and word_of(lines[-1], True) is not None


@dataclass(slots=True)
class LineState:
    """What the scan of lines is inside of: '' (plain text), a quote's closing sign, or a comment of some depth."""

    closing: str = ""
    comments: int = 0

    @property
    def is_plain(self) -> bool:
        return not self.closing and not self.comments

    def skip(self, line: str) -> None:
        """Scan a whole line."""
        position, ends = 0, False
        while position < len(line) and not ends:
            position, ends = self.advance(line, position)

    def advance(self, line: str, start: int) -> tuple[int, bool]:
        """Scan to the next place where the state changes. Gives it, and whether a `--` comment starts there."""
        for mark in _MARK.finditer(line, start):
            sign = mark.group()
            if self.comments:
                if sign == "/*":
                    self.comments += 1
                elif sign == "*/":
                    self.comments -= 1
                    if not self.comments:
                        return mark.end(), False
            elif self.closing:
                if sign == self.closing:
                    # A doubled sign closes and opens again, which comes to the same.
                    self.closing = ""
            elif sign == "--":
                return mark.start(), True
            elif sign == "/*":
                self.comments = 1
                return mark.end(), False
            elif sign in ("'", '"'):
                self.closing = sign
            elif sign == "[":
                self.closing = "]"
        return len(line), False


def lines_of(text: str) -> list[str]:
    """The lines without their ends; a carriage return stays in the text, since it may belong to a string."""
    return text.removeprefix("\ufeff").split("\n")


def word_of(line: str, takes_commands: bool) -> tuple[str, str] | None:
    """GO or a directive and what follows it, as ("go", "5"); None for a line of a batch. No line of a statement begins
    with a colon and a word, so that is a directive whatever the word is."""
    if go := _GO.match(line):
        return "go", go["count"] or "1"
    if found := _BARE.match(line):
        return found["name"].lower(), found["rest"].removesuffix(";")
    if found := _DIRECTIVE.match(line):
        return (found["name"] or found["shell"]).lower(), found["rest"]
    if takes_commands and (found := _COMMAND.match(line)):
        return found["name"].lower(), found["rest"]
    return None
