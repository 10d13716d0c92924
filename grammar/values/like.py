"""LIKE and PATINDEX patterns, turned into regular expressions.

% is any text, _ one character, [a-f] and [^a-f] one of a set; ESCAPE takes the meaning away from the next character.
Case and accents count as the collation says, and ranges in sets follow its order: [a-c] holds B where case counts, but
not C.
"""

from __future__ import annotations

import re
from functools import lru_cache

from sbql.grammar.errors import sql_error
from sbql.grammar.types import varchar
from sbql.grammar.values.collation import is_binary_collation, is_case_sensitive, key_function, sort_key_function

__all__ = ["like_matcher", "pattern_text"]


@lru_cache(maxsize=512)
def like_matcher(pattern: str, escape: str | None = None, collation: str | None = None) -> re.Pattern[str]:
    """The compiled pattern, to be used with `fullmatch`. Raises 506 for an escape longer than one character."""
    if escape is not None and len(escape) != 1:
        raise sql_error(506, escape)
    flags = re.DOTALL if is_case_sensitive(collation) else re.DOTALL | re.IGNORECASE
    return re.compile(pattern_text(pattern, escape, collation), flags)


_LATIN = [chr(c) for c in range(32, 256) if not 127 <= c < 160]


@lru_cache(maxsize=512)
def _range(low: str, high: str, collation: str | None) -> str:
    """What stands for `low-high` in a set: the characters between the two in the order of the collation."""
    if is_binary_collation(collation) or low not in _LATIN or high not in _LATIN:
        return f"{re.escape(low)}-{re.escape(high)}" if low <= high else ""
    key = sort_key_function(varchar(1).with_collation(collation) if collation is not None else varchar(1))
    return (
        "".join(re.escape(c) for c in _LATIN if c in (low, high) or key(low) <= key(c) <= key(high))
        if (key(low) <= key(high))
        else ""
    )


@lru_cache(maxsize=512)
def _members(character: str, collation: str | None) -> str:
    """The characters that are equal to one, for a set."""
    if collation is None or "_AI" not in collation.upper() or character not in _LATIN or character == " ":
        return re.escape(character)
    key = key_function(varchar(1).with_collation(collation))
    return "".join(re.escape(c) for c in _LATIN if key(c) == key(character))


def _one(character: str, collation: str | None) -> str:
    found = _members(character, collation)
    return found if found == re.escape(character) else f"[{found}]"


def pattern_text(pattern: str, escape: str | None = None, collation: str | None = None) -> str:
    """The regular expression of a pattern, without anchors."""
    parts: list[str] = []
    position = 0
    while position < len(pattern):
        character = pattern[position]
        position += 1
        if escape is not None and character == escape:
            if position == len(pattern):
                return r"(?!)"  # an escape with nothing after it matches nothing
            parts.append(_one(pattern[position], collation))
            position += 1
        elif character == "%":
            if not parts or parts[-1] != ".*":
                parts.append(".*")
        elif character == "_":
            parts.append(".")
        elif character == "[":
            text, position = _set(pattern, position, escape, collation)
            parts.append(text)
        else:
            parts.append(_one(character, collation))
    return "".join(parts)


def _set(pattern: str, position: int, escape: str | None, collation: str | None) -> tuple[str, int]:
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
            members.append(_range(character, pattern[position + 2], collation))
            position += 3
            continue
        members.append(_members(character, collation))
        position += 1
    return r"(?!)", position
