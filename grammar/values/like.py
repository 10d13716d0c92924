"""LIKE and PATINDEX patterns, turned into regular expressions.

% is any text, _ one character, [a-f] and [^a-f] one of a set; ESCAPE takes the meaning away from the next character.
Case counts as the collation says. Ranges in sets follow the order of characters without case.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sbql.grammar.errors import sql_error

__all__ = ["like_matcher", "pattern_text"]


@lru_cache(maxsize=512)
def like_matcher(pattern: str, escape: str | None = None, case_sensitive: bool = False) -> re.Pattern[str]:
    """The compiled pattern, to be used with `fullmatch`. Raises 506 for an escape longer than one character."""
    if escape is not None and len(escape) != 1:
        raise sql_error(506, escape)
    flags = re.DOTALL if case_sensitive else re.DOTALL | re.IGNORECASE
    return re.compile(pattern_text(pattern, escape), flags)


def pattern_text(pattern: str, escape: str | None = None) -> str:
    """The regular expression of a pattern, without anchors."""
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if escape is not None and character == escape:
            if position == len(pattern):
                return r"(?!)"  # an escape with nothing after it matches nothing
            parts.append(re.escape(pattern[position]))
            position += 1
        elif character == "%":
            if not parts or parts[-1] != ".*":
                parts.append(".*")
        elif character == "_":
            parts.append(".")
        elif character == "[":
            text, position = _set(pattern, position, escape)
            parts.append(text)
        else:
            parts.append(re.escape(character))
    return "".join(parts)


def _set(pattern: str, position: int, escape: str | None) -> tuple[str, int]:
    """A set that begins after `[`; an unclosed one matches nothing, as on SQL Server."""
    negated = position < len(pattern) and pattern[position] == "^"
    position += negated
    members: list[str] = []
    while position < len(pattern):
        character = pattern[position]
        if character == "]":
            body = "".join(members)
            if not body:
                return ("." if negated else r"(?!)"), position + 1
            return f"[{'^' if negated else ''}{body}]", position + 1
        if escape is not None and character == escape and position + 1 < len(pattern):
            position += 1
            character = pattern[position]
        if position + 2 < len(pattern) and pattern[position + 1] == "-" and pattern[position + 2] != "]":
            low, high = character, pattern[position + 2]
            if low <= high:
                members.append(f"{re.escape(low)}-{re.escape(high)}")
            position += 3
            continue
        members.append(re.escape(character))
        position += 1
    return r"(?!)", position
