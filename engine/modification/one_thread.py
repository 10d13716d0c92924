"""OPTION (MAXDOP 1): DuckDB has one thread while a statement runs.

Decides which statements ask for it. A SELECT says it in the text of its query (`TranslatedQuery.in_one_thread`); what
writes runs several texts, and has one thread around all of them, but not while it waits for a lock. It must not know
what the statements do.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Step
from sbql.engine.work import Suspend, Work
from sbql.grammar.ast import IntegerLiteral, QueryHint

__all__ = ["has_one_thread", "in_one_thread"]


def has_one_thread(hints: Iterable[QueryHint]) -> bool:
    return any(hint.name == "MAXDOP" and _is_one(hint.arguments[0]) for hint in hints)


def _is_one(number: object) -> bool:
    return isinstance(number, IntegerLiteral) and number.value == 1


def in_one_thread(step: Step) -> Step:
    """The same step. Others have one thread, too, as long as it runs, but not while it waits for them."""

    def run(frame: Frame) -> object:
        with frame.session.instance.store.parallelism.around(is_serial=True):
            return step.run(frame)

    def wait(frame: Frame) -> Work:
        around, work = frame.session.instance.store.parallelism.around, step.run(frame)
        resume: Callable[[], Suspend] = work.__next__
        try:
            while True:
                with around(is_serial=True):
                    try:
                        suspend = resume()
                    except StopIteration as end:
                        return end.value
                try:
                    yield suspend
                    resume = work.__next__
                except BaseException as error:  # a cancel, the end of the session: the step has it where it waits
                    resume = functools.partial(work.throw, error)
        finally:
            work.close()

    return Step(wait, waits=True) if step.waits else Step(run)
