"""What may follow an unfinished text: words, kinds of literals and names, and the rules
of the grammar that may begin there.

It decides nothing by itself: it drives the parser over what is there and asks the parse table. It must not know what a
name stands for; whoever completes texts knows that from the words before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from sbql.grammar.errors import SqlError
from sbql.grammar.keywords import PHRASES
from sbql.grammar.lexer import Source, Token, scan
from sbql.grammar.parser import states_before_end
from sbql.grammar.tables import ParseTable

__all__ = ["Expectation", "expectation"]


@dataclass(frozen=True, slots=True)
class Expectation:
    """At the end of a text. `words`: keywords and phrases, as they are written. `terminals`: all that may be shifted,
    IDENT, STRING and VARIABLE among them. `rules`: the rules that may begin here with a name or a variable. `is_sound`:
    nothing is wrong in the last statement. `before`: what the unfinished statement has so far, words in upper case,
    names and literals as they are written; `tokens`: all tokens of the text."""

    words: tuple[str, ...]
    terminals: frozenset[str]
    rules: frozenset[str]
    before: tuple[str, ...]
    tokens: tuple[Token, ...]
    is_sound: bool


def expectation(text: str) -> Expectation:
    """`text` ends where something is to follow: not inside of a word, a string or a comment. What
    is wrong earlier is passed over."""
    source = Source(text)
    errors: list[SqlError] = []
    tokens = scan(source, errors)
    table, states, start, is_sound = states_before_end(source, tokens)
    terminals = frozenset(t for t in table.actions[states[-1]] if table.shifted(states, t) is not None)
    words = {spelling for terminal, spelling in _spellings(table).items() if terminal in terminals}
    before = tuple(token.key or token.text for token in tokens[:-1] if token.start >= start)
    if not is_sound:
        words, before = set(), tuple(token.key or token.text for token in tokens[:-1])
    words |= _phrase_words(table, source, tokens)
    rules = frozenset(rule for terminal in ("IDENT", "VARIABLE") for rule in _beginning(table, states, terminal))
    return Expectation(tuple(sorted(words)), terminals, rules, before, tuple(tokens[:-1]), is_sound)


def _beginning(table: ParseTable, states: Sequence[int], terminal: str) -> Iterable[str]:
    """The rules that begin where the terminal would be shifted."""
    stack = table.reduced(states, terminal)
    return table.gotos[stack[-1]] if stack is not None else ()


@cache
def _phrases() -> dict[str, str]:
    """How the terminals of several words are written."""
    return {terminal: " ".join((first, *rest)) for first, forms in PHRASES.items() for rest, terminal in forms}


_tables: dict[int, dict[str, str]] = {}


def _spellings(table: ParseTable) -> dict[str, str]:
    """Terminal -> how it is written, of those that are words."""
    known = _tables.get(id(table))
    if known is None:
        known = {terminal: word for word, terminal in table.literals.items() if word[:1].isalpha() or word[:1] == "_"}
        known |= {terminal: text for terminal, text in _phrases().items() if not text.startswith("IF ")}
        _tables[id(table)] = known
    return known


def _phrase_words(table: ParseTable, source: Source, tokens: Sequence[Token]) -> set[str]:
    """The word that goes on with a phrase of which the first words are there: CONVERSATION after SEND ON."""
    found = set()
    for size in (1, 2):
        head = tokens[-1 - size : -1]
        if len(head) < size:
            continue
        for rest, terminal in PHRASES.get(head[0].key, ()):
            if tuple(token.key for token in head[1:]) != rest[: size - 1] or len(rest) < size:
                continue
            end = Token("end", "", head[0].start, head[0].start)
            _, states, _, is_sound = states_before_end(source, [*tokens[: -1 - size], end])
            if is_sound and table.shifted(states, terminal) is not None:
                found.add(rest[size - 1])
    return found
