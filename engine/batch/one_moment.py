"""Statements in which the clock stands still: each that asks for the time gets a moment of its own.

Decides which those are: INSERT, UPDATE, MERGE and DELETE, for defaults may ask (those of OUTPUT INTO, too), and those
in whose text a function of the clock stands. The condition of IF and WHILE is a statement in this. Where the text does
not show it (views, computed columns), each function gives one value for all rows, as queries always do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

import msgspec

from sbql.engine.batch.batch_facts import BatchFacts
from sbql.engine.functions.datetimes import CLOCKS
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step
from sbql.engine.work import Work
from sbql.grammar.ast import (
    DeleteStatement,
    FunctionCall,
    InsertStatement,
    MergeStatement,
    Node,
    Statement,
    UpdateStatement,
)
from sbql.grammar.tree import children, find_all

__all__ = ["condition_in_one_moment", "in_one_moment"]

T = TypeVar("T")

_HAVE_DEFAULTS: Final = (InsertStatement, UpdateStatement, DeleteStatement, MergeStatement)


def _asks_for_time(tree: Node) -> bool:
    """Whether a function of the clock stands in a statement or condition, statements inside it aside."""
    return any(
        call.name.name.upper() in CLOCKS
        for part in children(tree)
        for call in find_all(part, FunctionCall, closed=Statement)
    )


def in_one_moment(node: Statement, step: Step, facts: BatchFacts) -> Step:
    """The step of a statement that holds no others."""
    if not (isinstance(node, _HAVE_DEFAULTS) or facts.asks_for_time and _asks_for_time(node)):
        return step
    run = step.run

    def waiting(frame: Frame) -> Work:
        session = frame.session
        outer = session.begin_moment()
        try:
            return (yield from run(frame))
        finally:
            session.end_moment(outer)

    return msgspec.structs.replace(step, run=waiting if step.waits else _asked_at_once(run))


def condition_in_one_moment(
    node: Node, condition: Callable[[Frame], bool | None], facts: BatchFacts
) -> Callable[[Frame], bool | None]:
    """The condition of IF or WHILE, which has a moment of its own each time that it is asked."""
    if not (facts.asks_for_time and _asks_for_time(node)):
        return condition

    return _asked_at_once(condition)


def _asked_at_once(run: Callable[[Frame], T]) -> Callable[[Frame], T]:
    def asked(frame: Frame) -> T:
        session = frame.session
        outer = session.begin_moment()
        try:
            return run(frame)
        finally:
            session.end_moment(outer)

    return asked
