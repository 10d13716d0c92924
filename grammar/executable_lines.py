"""Lines that can run: which lines of a batch begin something that runs, and which of them nobody counts.

It decides what a statement's line is, for whoever tells that it runs and for whoever lists the lines that could. It
must not know files, nor what a statement does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Final

from sbql.grammar.ast import (
    Batch,
    BeginEndBlock,
    BreakStatement,
    ContinueStatement,
    CreateFunctionStatement,
    CreateProcedureStatement,
    CreateTriggerStatement,
    CreateViewStatement,
    DeclareStatement,
    DeclareTableStatement,
    GotoStatement,
    IfStatement,
    LabelStatement,
    ReturnStatement,
    Span,
    Statement,
    ThrowStatement,
    TryCatchStatement,
    WhileStatement,
)
from sbql.grammar.lexer import Source, scan

__all__ = ["excluded_lines", "first_line", "branches_of", "line_of", "lines_inside", "lines_of"]

EXCLUDES: Final = "pragma: no cover"
"""A comment with these words excludes the statement that begins on its line, with everything in it."""

_JUMPS: Final = (BreakStatement, ContinueStatement, GotoStatement, ReturnStatement, ThrowStatement)

_NOTHING: Final = (BeginEndBlock, TryCatchStatement, LabelStatement, DeclareTableStatement)
"""What only holds others, is jumped to, or is there from the start of its batch."""


def line_of(node: Statement) -> int | None:
    """The line on which a statement runs; None for one that does nothing by itself."""
    if isinstance(node, _NOTHING):
        return None
    if isinstance(node, DeclareStatement) and all(variable.value is None for variable in node.declarations):
        return None
    return node.span.line


def query_of(node: Statement) -> Span | None:
    """Where the query of a view or an inline function stands, which runs within the statement that reads it."""
    query = node.query if isinstance(node, CreateViewStatement | CreateFunctionStatement) else None
    if query is None:
        return None
    return query.with_.span if query.with_ is not None else query.query.span


def statements_of(tree: Batch | Iterable[Statement]) -> Iterator[Statement]:
    """Every statement that is compiled to run by itself, in modules and blocks too, each before those in it."""
    todo = list(tree.statements if isinstance(tree, Batch) else tree)[::-1]
    while todo:
        node = todo.pop()
        yield node
        todo.extend(reversed(_inside(node)))


def _inside(node: Statement) -> tuple[Statement, ...]:
    match node:
        case BeginEndBlock():
            return node.statements
        case IfStatement():
            return (node.then,) if node.otherwise is None else (node.then, node.otherwise)
        case WhileStatement():
            return (node.body,)
        case TryCatchStatement():
            return (*node.try_block, *node.catch_block)
        case CreateProcedureStatement() | CreateFunctionStatement() | CreateTriggerStatement():
            return node.body
    return ()


def lines_of(tree: Batch) -> set[int]:
    """The lines of a batch that can run."""
    found = set()
    for node in statements_of(tree):
        line, query = line_of(node), query_of(node)
        if line is not None:
            found.add(line)
        if query is not None:
            found.add(query.line)
    return found


def lines_inside(definition: Statement) -> set[int]:
    """The lines of a view or function that run when it does, be it as a part of somebody else's query."""
    query = query_of(definition)
    found = [line_of(node) for node in statements_of(_inside(definition))]
    return {line for line in (*found, query.line if query is not None else None) if line is not None}


def branches_of(tree: Batch) -> dict[int, tuple[int, int]]:
    """Where a line goes on that decides, IF or WHILE: when its condition holds, and when it does not; the negative line
    for an end of the batch or module. One that goes on in one place either way is none, nor are several on one line."""
    found: list[tuple[int, int, int]] = []
    _find_branches(tree.statements, None, found)
    count = Counter(line for line, _, _ in found)
    return {line: (then, other) for line, then, other in found if count[line] == 1 and then != other}


def _find_branches(nodes: tuple[Statement, ...], after: int | None, found: list[tuple[int, int, int]]) -> None:
    """`after`: the line that runs behind the last of them."""
    for node in reversed(nodes):
        line = node.span.line
        if isinstance(node, IfStatement | WhileStatement):
            then, *others = _inside(node)
            behind = line if isinstance(node, WhileStatement) else after
            target = _entry((then,)) or behind
            if target == line and isinstance(then, _JUMPS):
                target = None
            other = _entry(tuple(others)) or after
            is_seen = line not in (target, other)
            found.append((line, target or -line, other or -line) if is_seen else (line, 0, 0))
        is_module = isinstance(node, CreateProcedureStatement | CreateFunctionStatement | CreateTriggerStatement)
        within = None if is_module else line if isinstance(node, WhileStatement) else after
        for part in _lists_inside(node):
            _find_branches(part, within, found)
        after = _entry((node,)) or after


def _lists_inside(node: Statement) -> list[tuple[Statement, ...]]:
    """The statements in another one, as lists of which each runs from its first one to its last."""
    if isinstance(node, TryCatchStatement):
        return [node.try_block, node.catch_block]
    return [(part,) for part in _inside(node)] if isinstance(node, IfStatement) else [_inside(node)]


def _entry(nodes: tuple[Statement, ...]) -> int | None:
    """The first line that runs of statements that are entered; None if there is none."""
    for node in nodes:
        line = line_of(node)
        found = line if line is not None else _entry(_lists_inside(node)[0])
        if found is not None:
            return found
    return None


def first_line(text: str) -> int:
    """Where a batch begins behind blanks and comments: for one that has no tree."""
    source = Source(text)
    return source.place(scan(source, [])[0].start)[0]


def excluded_lines(text: str, tree: Batch) -> set[int]:
    """The lines of statements that a comment excludes."""
    marked = _marked_lines(text)
    found: set[int] = set()
    for node in statements_of(tree) if marked else ():
        for span in (node.span, query_of(node)):
            if span is not None and span.line in marked:
                found.update(range(span.line, span.end_line + 1))
    return found


def _marked_lines(text: str) -> set[int]:
    """The lines on which a comment has the words: comments stand between tokens."""
    if EXCLUDES not in text.lower():
        return set()
    source = Source(text)
    found, position = set(), 0
    for token in scan(source, []):
        gap = text[position : token.start].lower()
        at = gap.find(EXCLUDES)
        while at >= 0:
            found.add(source.place(position + at)[0])
            at = gap.find(EXCLUDES, at + 1)
        position = token.end
    return found
