"""A write as a statement: bound late, done in one transaction, told to the client. Or done inside of another
write, which takes its OUTPUT rows.

It decides what comes at the end of a write (rows of OUTPUT, the number of rows). It must not know what the four
kinds of writes do.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Generator
from operator import attrgetter
from typing import Any, Protocol, TypeVar

from msgspec import Struct

from sbql.engine.modification.locking import locked
from sbql.engine.modification.one_thread import has_one_thread, in_one_thread
from sbql.engine.outcomes import ResultSet, RowsAffected
from sbql.engine.query.registered import bound_for
from sbql.engine.scalars.compiling import Compiler
from sbql.engine.scalars.scope import Frame
from sbql.engine.scalars.warnings_told import tell_warnings
from sbql.engine.steps import HANDLERS, LateBound, Step, handles
from sbql.engine.tables.bound_table import BoundTable
from sbql.engine.tables.table_variables import needs_no_transaction
from sbql.engine.work import Suspend, Work, at_once
from sbql.grammar.ast import Statement
from sbql.grammar.errors import SqlError

__all__ = ["Writing", "writes", "writing_of"]

Done = Generator[Suspend, None, tuple[int, ResultSet | None]]


class Plan(Protocol):
    """What a write is bound to."""

    @property
    def shared(self) -> tuple[BoundTable, ...]:
        """The tables that it writes and others see: its target, that of a statement
        in its FROM, that of OUTPUT INTO."""


class Writing(Struct, frozen=True):
    """`plan` gives what the statement is bound to, with its `output`, a `Plan`. `perform(frame, transaction, plan)`
    does it, and returns the number of rows and what OUTPUT shows. `perform_privately(frame, plan)` is the same for what
    `is_private`; `is_own` as there."""

    plan: LateBound[Any]
    perform: Callable[[Frame, Any, Any], Done]
    perform_privately: Callable[[Frame, Any], tuple[int, ResultSet | None]] | None = None
    is_own: bool = False


_WORDS = {
    "InsertStatement": "INSERT",
    "UpdateStatement": "UPDATE",
    "DeleteStatement": "DELETE",
    "MergeStatement": "MERGE",
}

_MAKERS: dict[type[Statement], Callable[[Any, Compiler], Writing]] = {}

M = TypeVar("M", bound=Callable[[Any, Compiler], Writing])


def writes(node_class: type[Statement]) -> Callable[[M], M]:
    """Register what makes the Writing of a statement class."""

    def register(make: M) -> M:
        _MAKERS[node_class] = make

        @handles(node_class)
        @functools.wraps(make)
        def compile_write(node: Any, compiler: Compiler) -> Step:
            writing, word = make(node, compiler), _WORDS[node_class.__name__]
            step = _step(writing, word)
            if writing.perform_privately is not None:
                step = _private_step(writing, step, word)
            return in_one_thread(step) if has_one_thread(getattr(node, "hints", ())) else step

        return make

    return register


def writing_of(node: Statement, compiler: Compiler) -> Writing:
    """The Writing of an INSERT, UPDATE, DELETE or MERGE that stands inside of another statement."""
    HANDLERS.find(type(node).__name__)  # its module registers the Writing too
    return _MAKERS[type(node)](node, compiler)


_shared: Callable[[Any], tuple[BoundTable, ...]] = attrgetter("shared")


def _step(writing: Writing, word: str) -> Step:
    late, perform, is_own = writing.plan, writing.perform, writing.is_own

    def run(frame: Frame) -> Work:
        session = frame.session
        version = session.catalog.version
        plan: Any = bound_for(late, frame)
        if session.subscribing is not None:
            session.subscribing.statement(session)
        subscriptions = session.instance.subscriptions
        wrong = session.options.wrong_for_watching() if subscriptions.is_watching else ""
        try:
            with session.statement(is_own=is_own) as txn:
                before = txn.unit.mark() if wrong else 0
                if plan.shared or session.catalog.version != version:
                    plan = yield from locked(session, txn, version, plan, lambda: bound_for(late, frame), _shared)
                count, shown = yield from perform(frame, txn, plan)
                if wrong:
                    subscriptions.refuse(word, wrong, txn.unit.redo[before:])
        except SqlError as error:
            error.ends_write = not error.batch_aborting and error.ends_module is None
            raise
        if shown is not None:
            session.emit(shown)
        tell_warnings(session)
        return count if session.sink is None or session.options.nocount else RowsAffected(count, word)

    return Step(run, waits=True)


def _private_step(writing: Writing, whole: Step, word: str) -> Step:
    """The step without a transaction where it needs none; it never waits."""
    late, perform = writing.plan, writing.perform_privately
    assert perform is not None

    def run(frame: Frame) -> RowsAffected | int:
        session = frame.session
        if not needs_no_transaction(session):
            done: RowsAffected = at_once(whole.run(frame))
            return done
        plan = bound_for(late, frame)
        try:
            count, shown = perform(frame, plan)
        except SqlError as error:
            error.ends_write = not error.batch_aborting and error.ends_module is None
            raise
        if shown is not None:
            session.emit(shown)
        tell_warnings(session)
        return count if session.sink is None or session.options.nocount else RowsAffected(count, word)

    return Step(run)
