"""Running: the statements of a list one after the other, and what each leaves behind.

The one place that sets @@ROWCOUNT and @@ERROR from what a step returns (`steps.Done`), tells "rows affected", and
decides what comes after an error in the middle of a list and after GOTO. It must not know any single statement, only
that IF decides between two lists: its condition counts as a statement.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from sbql.engine.batch.pointing import point
from sbql.engine.outcomes import ErrorSet, RowsAffected
from sbql.engine.ports import Session
from sbql.engine.scalars.scope import Frame
from sbql.engine.steps import Goto, Signal, Step, note_place
from sbql.engine.work import Work
from sbql.grammar.ast import Statement
from sbql.grammar.errors import SqlError

__all__ = ["Ask", "AskLocked", "Item", "branch", "sequence"]


@dataclass(frozen=True)
class Item:
    """A statement in a list. `resets_error`: it is one of its own, and no list of others that tell of themselves."""

    run: Callable[[Frame], Any]
    waits: bool
    node: Statement
    resets_error: bool
    labels: frozenset[str] = frozenset()
    enter: Callable[[Frame, str], Any] | None = None


def sequence(items: list[Item], labels: dict[str, int]) -> Step:
    """One step that runs `items` in order; plain unless an item waits. `labels` stand in front of items. What it
    returns is None or the Signal that ended it."""
    inner = {label: place for place, item in enumerate(items) for label in item.labels}
    waits = any(item.waits for item in items)

    def after(label: str) -> list[Item] | None:
        """What is left to do from a label on; None when it is further out."""
        if label in labels:
            return items[labels[label] :]
        if label not in inner:
            return None
        place = inner[label]
        return [_entered(items[place], label), *items[place + 1 :]]

    run = _waiting_sequence(items, after) if waits else _plain_sequence(items, after)
    names = frozenset((*labels, *inner))
    return Step(run, waits=waits, labels=names, enter=run if names else None)


def _entered(item: Item, label: str) -> Item:
    enter = item.enter
    assert enter is not None
    return replace(item, run=lambda frame: enter(frame, label))


def _told(
    session: Session, done: int | RowsAffected | ErrorSet | Signal, frame: Frame, node: Statement
) -> Signal | None:
    """Set and tell what a statement has done, when that is more than a number of rows. Returns a Signal as it is."""
    if isinstance(done, Signal):
        return done
    try:
        session.completed(done)
    except SqlError as error:
        _failed(session, error, frame, node)
    return None


def _failed(session: Session, error: SqlError, frame: Frame, node: Statement) -> None:
    if not session.nest_level:
        point(error, node)  # no caret is drawn in another text than the client's
    session.statement_failed(error, frame, node.span)


After = Callable[[str], list[Item] | None]


def _plain_sequence(items: list[Item], after: After) -> Callable[..., Any]:
    def parts_of(some: list[Item]) -> list[tuple[Callable[[Frame], Any], Statement, bool]]:
        return [(item.run, item.node, item.resets_error) for item in some]

    parts = parts_of(items)

    def run(frame: Frame, label: str | None = None) -> Signal | None:
        session = frame.session
        todo = parts if label is None else parts_of(after(label) or [])
        while True:
            for call, node, resets_error in todo:
                try:
                    done = call(frame)
                except SqlError as error:
                    _failed(session, error, frame, node)
                    continue
                except Exception as error:
                    note_place(error, node.span, frame)
                    raise
                if resets_error:
                    session.error_number = 0
                if type(done) is int:  # the usual answer, on the way that every loop goes
                    session.rowcount = done
                elif done is not None and (signal := _told(session, done, frame, node)) is not None:
                    break
            else:
                return None
            rest = after(signal.label) if isinstance(signal, Goto) else None
            if rest is None:
                return signal
            session.check_cancelled()
            todo = parts_of(rest)

    return run


def _waiting_sequence(items: list[Item], after: After) -> Callable[..., Work]:
    def parts_of(some: list[Item]) -> list[tuple[Callable[[Frame], Any], bool, Statement, bool]]:
        return [(item.run, item.waits, item.node, item.resets_error) for item in some]

    parts = parts_of(items)

    def run(frame: Frame, label: str | None = None) -> Work:
        session = frame.session
        todo = parts if label is None else parts_of(after(label) or [])
        while True:
            for call, waits, node, resets_error in todo:
                try:
                    done = (yield from call(frame)) if waits else call(frame)
                except SqlError as error:
                    _failed(session, error, frame, node)
                    continue
                except Exception as error:
                    note_place(error, node.span, frame)
                    raise
                if resets_error:
                    session.error_number = 0
                if type(done) is int:
                    session.rowcount = done
                elif done is not None and (signal := _told(session, done, frame, node)) is not None:
                    break
            else:
                return None
            rest = after(signal.label) if isinstance(signal, Goto) else None
            if rest is None:
                return signal
            session.check_cancelled()
            todo = parts_of(rest)

    return run


Ask = Callable[[Frame], bool | None]
AskLocked = Callable[[Frame], Work | None]


def branch(condition: Ask, then: Step, otherwise: Step, locks: AskLocked | None = None) -> Step:
    """IF: one of two lists. The condition leaves @@ROWCOUNT 0 to what follows it. `locks` gives the work that asks it
    where it may wait, None where it does not."""
    labels = then.labels | otherwise.labels
    if then.waits or otherwise.waits or locks is not None:
        choices = (otherwise.run, otherwise.waits), (then.run, then.waits)

        def run_waiting(frame: Frame) -> Work:
            asked = locks(frame) if locks is not None else None
            run, waits = choices[bool(condition(frame) if asked is None else (yield from asked))]
            frame.session.rowcount = 0
            return (yield from run(frame)) if waits else run(frame)

        def enter_waiting(frame: Frame, label: str) -> Work:
            chosen = then if label in then.labels else otherwise
            assert chosen.enter is not None
            signal = chosen.enter(frame, label)
            return (yield from signal) if chosen.waits else signal

        return Step(run_waiting, waits=True, labels=labels, enter=enter_waiting)
    then_run, else_run = then.run, otherwise.run

    def run(frame: Frame) -> Any:
        holds = condition(frame)
        frame.session.rowcount = 0
        return then_run(frame) if holds else else_run(frame)

    def enter(frame: Frame, label: str) -> Any:
        chosen = then if label in then.labels else otherwise
        assert chosen.enter is not None
        return chosen.enter(frame, label)

    return Step(run, labels=labels, enter=enter)
