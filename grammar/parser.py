"""Batch text to syntax tree: drives Lark's LALR(1) table and says what is wrong with a text that does not parse.

It decides the order of things: token, terminal for the present state, shift or reduce, builder. Lark's own driver is
not used because every node wants its span (keyword tokens included), the lexer wants the state, and the table alone
loads ten times faster than Lark. It must not know the rules: their values come from `build`. Any text ends in a tree or
in a numbered SqlError; nesting is counted, so that no text can exhaust the stack of whoever walks the tree.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from threading import Lock
from typing import Any

from sbql.grammar.ast.base import Batch, DataTypeReference, Node, Span
from sbql.grammar.builders import builder_for
from sbql.grammar.classifier import Classifier
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.lexer import UNCLOSED, Source, Token, scan
from sbql.grammar.suggestions import misspelled
from sbql.grammar.syntax_errors import syntax_error
from sbql.grammar.tables import START, TYPE_START, ParseTable, load_table
from sbql.grammar.values.checkpoints import checkpoint

__all__ = ["MAX_DEPTH", "check", "parse_batch", "parse_data_type", "states_before_end"]

MAX_DEPTH = 200
"""How deep a tree may be. Runs of one operator (`a + b + …`) do not count: they are folded, and walked in a loop."""

MAX_STACK = 4000
"""How high the parser's stack may grow: brackets around brackets make no nodes, but have to end somewhere."""

_lock = Lock()


def parse_batch(
    text: str, *, first_line: int = 1, quoted_identifiers: bool = True, drop_if_exists: bool = False
) -> Batch:
    """Parse one batch (the text between two GO lines), whose first line is line `first_line` of its file.
    `quoted_identifiers` is QUOTED_IDENTIFIER when the batch begins; `drop_if_exists` reads IF EXISTS in every
    DROP, also where SQL Server has none.

    Raises SqlError for the first thing that is wrong. A quotation mark that is never closed is told together
    with the wrong syntax that it makes.
    """
    source = Source(text, first_line)
    try:
        tokens = scan(source, quoted_identifiers=quoted_identifiers)
    except SqlError as error:
        if error.number != UNCLOSED:
            raise
        raise _with_syntax(error, source, quoted_identifiers, drop_if_exists) from None
    batch = _Run(source, tokens, drop_if_exists).parse()
    assert isinstance(batch, Batch)
    return batch


def _with_syntax(unclosed: SqlError, source: Source, quoted_identifiers: bool, drop_if_exists: bool) -> SqlError:
    """The errors of a text that holds an unclosed quotation mark, in the order of their places: what is wrong before it
    and it, or it and what it makes wrong."""
    tokens = scan(source, [], quoted_identifiers=quoted_identifiers)
    last = len(tokens) - 2
    tokens[last] = Token("STRING", source.text[tokens[last].start :][:64], tokens[last].start, tokens[last].end)
    run, index = _Run(source, tokens, drop_if_exists), 0
    try:
        while index < last:
            index, _ = run._step(index)
    except SqlError as error:
        run._suggest(error, index)
        unclosed.before, error.before = (*error.before, error), ()
        return unclosed
    near = syntax_error(run.table, run.states, source, tokens, last, 1)
    near.before = (*near.before, unclosed)
    return near


def parse_data_type(text: str) -> DataTypeReference:
    """Parse a text that is a data type and nothing else. Raises SqlError for any other."""
    source = Source(text)
    found = _Run(source, scan(source), False, TYPE_START).parse()
    assert isinstance(found, DataTypeReference)
    return found


def check(text: str, *, first_line: int = 1, drop_if_exists: bool = False) -> list[SqlError]:
    """Every syntax error of a batch, in order of place: after an error the parse goes on at the next statement."""
    errors: list[SqlError] = []
    source = Source(text, first_line)
    _Run(source, scan(source, errors), drop_if_exists).parse(errors)
    return sorted(errors, key=lambda error: (error.line, error.column))


def states_before_end(source: Source, tokens: list[Token]) -> tuple[ParseTable, list[int], int, bool]:
    """The parse table, the parser's stack before the last token, which is the end, and where the text of the statement
    begins that is not finished. Errors before are passed over as far as the next statement; False at the end tells of
    one in the last statement, whose stack is as it was there."""
    run = _Run(source, tokens, False)
    index: int | None = 0
    while index is not None and tokens[index].kind != "end":
        try:
            index, _ = run._step(index)
        except SqlError:
            index = run._recover(index)
    height = next((h for h in range(len(run.states), 0, -1) if "statement" in run.table.gotos[run.states[h - 1]]), 1)
    start = next((start for start in run.starts[height - 1 :] if start >= 0), len(source.text))
    return run.table, run.states, start, index is not None


def _plan(table: ParseTable) -> list[tuple[Any, ...]]:
    """The rules as the loop reads them: (origin, size, kind, keep, nones_after, single, builder, folds)."""
    return [
        (r.origin, r.size, _KINDS[r.kind], r.keep, r.nones_after, r.single, builder_for(r.builder), r.builder in FOLDED)
        for r in table.rules
    ]


_PASS, _LIST, _BUILD = range(3)
_KINDS = {"pass": _PASS, "list": _LIST, "build": _BUILD}

FOLDED = frozenset({"binary", "union", "intersect", "joined", "comma_join", "cross_joined", "applied"})
"""Left-recursive builders whose depth is that of their operands, not of the run."""


@cache
def _loaded() -> tuple[ParseTable, list[tuple[Any, ...]]]:
    table = load_table()
    return table, _plan(table)


def _machine() -> tuple[ParseTable, list[tuple[Any, ...]]]:
    """The table and the plan, loaded once; threads that come together wait for one load."""
    with _lock:
        return _loaded()


class _Run:
    """One parse. Parallel stacks: states, and per value its text's start and end (-1: empty) and its depth."""

    def __init__(self, source: Source, tokens: list[Token], drop_if_exists: bool, start: str = START) -> None:
        self.table, self.plan = _machine()
        self.source = source
        self.tokens = tokens
        self.classifier = Classifier(source, tokens, self.table, drop_if_exists)
        self.start = start
        self.states = [self.table.starts[start]]
        self.values: list[Any] = []
        self.starts: list[int] = []
        self.ends: list[int] = []
        self.depths: list[int] = []

    def parse(self, errors: list[SqlError] | None = None) -> Any:
        """The tree. With `errors`: None, and the errors are added there."""
        index = 0
        while True:
            try:
                index, done = self._step(index)
            except SqlError as error:
                self._suggest(error, index)
                if errors is None:
                    raise
                errors.append(error)
                resumed = self._recover(index)
                if resumed is None:
                    return None
                index, done = resumed, False
            if done:
                return self.values[-1]

    def _suggest(self, error: SqlError, index: int) -> None:
        """Tell of a misspelled keyword at or beside the token, and point at it when it is in the same line."""
        if error.number not in (102, 156, 319, 343, 4145):
            return
        found = misspelled(self.tokens, index, self.table.literals, self._reached)
        if found is not None:
            token, word = found
            error.advise(f"Did you mean {word} instead of {token.text}?")
            line, column = self.source.place(token.start)
            if line == error.line:
                error.column = column

    def _reached(self, tokens: list[Token]) -> int:
        """How many tokens of a changed text can be taken."""
        run = _Run(self.source, tokens, self.classifier.drop_if_exists, self.start)
        index, done = 0, False
        with suppress(SqlError):
            while not done:
                index, done = run._step(index)
        return len(tokens) if done else index

    def _step(self, index: int) -> tuple[int, bool]:
        """Take the token `index`: all reductions it asks for, then its shift. Gives the next index, and if it is
        over."""
        if not index % 256:
            checkpoint()
        actions = self.table.actions
        states = self.states
        row = actions[states[-1]]
        terminal, count = self.classifier.terminal(index, states)
        while True:
            action = row.get(terminal)
            if action is None:
                raise syntax_error(self.table, states, self.source, self.tokens, index, count)
            if action >= 0:
                break
            self._reduce(self.plan[~action])
            if terminal == "$END" and states[-1] in self.table.ends:
                return index, True
            row = actions[states[-1]]
        if terminal == "WITH" and self._lacks_semicolon(index):
            raise sql_error(319, span=self._span_of(index))
        states.append(action)
        if len(states) > MAX_STACK:
            raise sql_error(191, span=self._span_of(index))
        self.values.append(self.classifier.value(index, terminal, count))
        self.starts.append(self.tokens[index].start)
        self.ends.append(self.tokens[index + count - 1].end)
        self.depths.append(0)
        return index + count, False

    def _lacks_semicolon(self, index: int) -> bool:
        """Whether this WITH starts a statement right behind another that no semicolon ends."""
        starts_statement = "statement" in self.table.gotos[self.states[-1]]
        in_list = bool(self.values) and isinstance(self.values[-1], list)
        return starts_statement and in_list and self.tokens[index - 1].text != ";"

    def _span_of(self, index: int) -> Span:
        token = self.tokens[index]
        return self.source.span(token.start, token.end)

    def _reduce(self, plan: tuple[Any, ...]) -> None:
        """Replace the top of the stacks by the value of a rule."""
        origin, size, kind, keep, nones_after, single, build, folds = plan
        states = self.states
        if kind == _PASS:
            states[-1] = self.table.gotos[states[-2]][origin]
            return
        children, start, end, depth = self._pop(size, folds)
        if keep is not None:
            children = _shape(children, keep, nones_after)
        if kind == _LIST:
            value = children
        elif single and len(children) == 1:
            value = children[0]
        else:
            span = self.source.span(start, end) if start >= 0 else self._empty_span()
            value = build(span, *children)
            if isinstance(value, Node):
                depth += 1
                if depth > MAX_DEPTH:
                    raise sql_error(191, span=span)
        states.append(self.table.gotos[states[-1]][origin])
        self.values.append(value)
        self.starts.append(start)
        self.ends.append(end)
        self.depths.append(depth)

    def _pop(self, size: int, folds: bool) -> tuple[list[Any], int, int, int]:
        """The top `size` values, with the start and end of their text and the depth of the deepest."""
        if size == 0:
            return [], -1, -1, 0
        values, starts, ends, depths = self.values, self.starts, self.ends, self.depths
        children = values[-size:]
        if size == 1:
            start, end, depth = starts.pop(), ends.pop(), depths.pop()
        else:
            start = next((s for s in starts[-size:] if s >= 0), -1)
            end = max(ends[-size:])
            depth = max(depths[-size:])
            if folds:
                depth = max(depths[-size] - 1, *depths[1 - size :])
            del starts[-size:], ends[-size:], depths[-size:]
        del values[-size:], self.states[-size:]
        return children, start, end, depth

    def _empty_span(self) -> Span:
        """Where an empty rule stands: right behind what was read last."""
        end = next((e for e in reversed(self.ends) if e >= 0), 0)
        return self.source.span(end, end)

    # --- recovery --------------------------------------------------------------------------------------------

    def _recover(self, index: int) -> int | None:
        """After an error at or before token `index`: drop what cannot be finished, and find the next statement."""
        tokens = self.tokens
        index += 1
        while index < len(tokens) - 1:
            behind_semicolon = tokens[index - 1].text == ";"
            if (behind_semicolon or self.classifier.starts_statement(index)) and self._unwind(index):
                return index
            index += 1
        return None

    def _unwind(self, index: int) -> bool:
        """Pop to the nearest list of statements that takes the token. False, and nothing popped, if none does."""
        for height in range(len(self.states), 0, -1):
            state = self.states[height - 1]
            if "statement" not in self.table.gotos[state]:
                continue
            row = self.table.actions[state]
            terminal, _ = self.classifier.terminal(index, self.states[:height])
            if terminal in row:
                del self.states[height:]
                for stack in (self.values, self.starts, self.ends, self.depths):
                    del stack[height - 1 :]
                return True
        return False


def _shape(children: list[Any], keep: tuple[tuple[int, bool, int], ...], nones_after: int) -> list[Any]:
    """Filter, inline and pad the children of a rule, as Lark would."""
    shaped: list[Any] = []
    for index, inline, nones_before in keep:
        if nones_before:
            shaped.extend([None] * nones_before)
        if not inline:
            shaped.append(children[index])
        elif shaped:
            shaped.extend(children[index])
        else:
            # A left-recursive list grows in place: nobody else holds it.
            shaped = children[index]
    if nones_after:
        shaped.extend([None] * nones_after)
    return shaped
