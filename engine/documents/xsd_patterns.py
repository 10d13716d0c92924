"""Patterns of XML schemas, matched in time that grows with the text only.

A schema is a user's text, and its patterns may be ones that a backtracking matcher never ends on. Here a pattern
becomes a network of states, and all states that the text so far may have led to are kept at once; sets of states that
have been met are remembered with the characters that lead on. What one atom matches (escapes, blocks, classes with
subtraction) is asked of elementpath. Raises 2378 for a pattern with more states than `_STATES`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from elementpath.regex import translate_pattern

from sbql.grammar.digits import whole
from sbql.grammar.errors import sql_error
from sbql.grammar.values.checkpoints import checked

__all__ = ["XsdPattern"]

_STATES = 5000
_REMEMBERED = 20_000
_COUNT = re.compile(r"\{(\d+)(?:(,)(\d*))?\}")

Transition = tuple[re.Pattern[str] | None, tuple[int, ...]]
"""What a state needs (None: nothing, or the end of the pattern if it leads nowhere), and where it leads."""


class XsdPattern:
    """`match` as that of a compiled regular expression, for the whole text."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self._position = 0
        self._states: list[Transition] = []
        self._classes: dict[str, re.Pattern[str]] = {}
        end = self._add(None, ())
        start = self._branches(0, len(pattern), end)
        self._first = self._closure([start])
        self._next: dict[tuple[frozenset[int], str], frozenset[int]] = {}
        self._end = end

    def match(self, text: str) -> bool | None:
        """True or None, as callers ask `is None`."""
        current = self._first
        for character in checked(text, 1024):
            key = current, character
            found = self._next.get(key)
            if found is None:
                if len(self._next) >= _REMEMBERED:
                    self._next.clear()
                found = self._next[key] = self._step(current, character)
            if not found:
                return None
            current = found
        return True if self._end in current else None

    def _step(self, current: frozenset[int], character: str) -> frozenset[int]:
        reached: list[int] = []
        for state in current:
            wanted, following = self._states[state]
            if wanted is not None and wanted.match(character) is not None:
                reached += following
        return self._closure(reached)

    def _closure(self, states: Iterable[int]) -> frozenset[int]:
        """The states, and those that need no character behind them."""
        found, todo = set(), list(states)
        while todo:
            state = todo.pop()
            if state not in found:
                found.add(state)
                wanted, following = self._states[state]
                if wanted is None:
                    todo += following
        return frozenset(found)

    # -- from the text, back to front: each part knows the state behind it --------------------------------------------

    def _add(self, wanted: re.Pattern[str] | None, following: tuple[int, ...]) -> int:
        if len(self._states) >= _STATES:
            raise sql_error(2378, f"the pattern '{self.pattern[:60]}' is too large")
        self._states.append((wanted, following))
        return len(self._states) - 1

    def _branches(self, start: int, end: int, behind: int) -> int:
        heads, begin, position = [], start, start
        while position < end:
            if self.pattern[position] == "|":
                heads.append(self._branch(begin, position, behind))
                begin = position + 1
            position = self._atom_end(position)
        heads.append(self._branch(begin, end, behind))
        return heads[0] if len(heads) == 1 else self._add(None, tuple(heads))

    def _branch(self, start: int, end: int, behind: int) -> int:
        pieces, position = [], start
        while position < end:
            after = self._atom_end(position)
            least, most, rest = self._quantifier(after, end)
            pieces.append((position, after, least, most))
            position = rest
        for begin, after, least, most in reversed(pieces):
            behind = self._piece(begin, after, least, most, behind)
        return behind

    def _piece(self, start: int, end: int, least: int, most: int | None, behind: int) -> int:
        if most is None:
            loop = self._add(None, (behind,))
            self._states[loop] = (None, (self._atom(start, end, loop), behind))
            behind = loop
        else:
            for _ in range(most - least):
                behind = self._add(None, (self._atom(start, end, behind), behind))
        for _ in range(least):
            behind = self._atom(start, end, behind)
        return behind

    def _atom(self, start: int, end: int, behind: int) -> int:
        if self.pattern[start] == "(":
            return self._branches(start + 1, end - 1, behind)
        text = self.pattern[start:end]
        known = self._classes.get(text)
        if known is None:
            known = self._classes[text] = re.compile(
                translate_pattern(text, back_references=False, lazy_quantifiers=False, anchors=False)
            )
        return self._add(known, (behind,))

    def _quantifier(self, position: int, end: int) -> tuple[int, int | None, int]:
        sign = self.pattern[position] if position < end else ""
        if sign in ("?", "*", "+"):
            return int(sign == "+"), 1 if sign == "?" else None, position + 1
        found = _COUNT.match(self.pattern, position, end) if sign == "{" else None
        if found is None:
            return 1, 1, position
        least = whole(found[1])
        if found[2] is None:
            return least, least, found.end()
        return least, whole(found[3]) if found[3] else None, found.end()

    def _atom_end(self, position: int) -> int:
        """Behind the character, escape, class or group that begins here."""
        sign = self.pattern[position]
        if sign == "\\":
            is_block = self.pattern[position + 1 : position + 3] in ("p{", "P{")
            return self.pattern.index("}", position) + 1 if is_block else position + 2
        if sign == "[":
            return self._class_end(position)
        if sign != "(":
            return position + 1
        position += 1
        while self.pattern[position] != ")":
            position = self._atom_end(position)
        return position + 1

    def _class_end(self, position: int) -> int:
        position += 1
        while self.pattern[position] != "]":
            sign = self.pattern[position]
            position = self._class_end(position) if sign == "[" else position + (2 if sign == "\\" else 1)
        return position + 1
