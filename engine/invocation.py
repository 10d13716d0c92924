"""Invocation: the shell around every body that runs: procedures, functions, triggers, dynamic batches.

It keeps nesting, options, execution context and database apart from the caller's, and decides what a binding error ends.
What of a session holds for a while only is set here and set back: `with in_database(session, id):`. It must not know what the body is, nor where its arguments come from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sbql.catalog.records import Module
from sbql.engine.outcomes import Outcome
from sbql.engine.ports import Frame, Session
from sbql.engine.security.resolver import schema_of_names
from sbql.engine.steps import Return, Step
from sbql.engine.work import Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["ToldTo", "as_deeper", "ends_own_scope", "in_database", "in_trigger", "run_in_frame", "run_text"]

_NEST_MAX = 32


def run_in_frame(session: Session, step: Step, frame: Frame, record: Module | None) -> Work:
    """The common shell of procedures and dynamic batches: nesting, options, context, what a binding error ends."""
    if session.nest_level >= _NEST_MAX:
        raise sql_error(217, _NEST_MAX)
    options, trancount = session.options, session.trancount
    depth, context = len(session.contexts), session.contexts[-1]
    home, floor, caller = session.database_id, session.context_floor, session.running_module
    names = session.names_in
    session.options = own = options.copy() if record is None else options.for_module(record.uses_ansi_nulls)
    session.nest_level += 1
    try:
        if record is not None:
            session.instance.enter_module_context(session, record)
            session.database_id = record.database_id
        session.context_floor, session.running_module = len(session.contexts), record
        session.names_in = schema_of_names(session, record)
        signal = (yield from step.run(frame)) if step.waits else step.run(frame)
    except SqlError as error:
        if error.ends_module is frame:
            error.ends_module, error.is_binding, error.batch_aborting = None, False, error.rolls_back
        raise
    finally:
        session.options = options
        session.nest_level -= 1
        del session.contexts[depth:]
        session.contexts[-1] = context
        session.database_id, session.context_floor, session.running_module = home, floor, caller
        session.names_in = names
        session.instance.drop_frame_objects(session, frame)
    if record is not None and session.trancount != trancount and not frame.is_trigger and not own.xact_abort:
        session.statement_failed(sql_error(266, trancount, session.trancount, state=2), frame, step.span)
    return signal


@contextmanager
def in_database(session: Session, database_id: int) -> Iterator[None]:
    """While the text of a module of another database is looked at, names mean what they mean there."""
    before = session.database_id
    session.database_id = database_id
    try:
        yield
    finally:
        session.database_id = before


class ToldTo:
    """`with ToldTo(session, sink):` what is emitted meanwhile goes to `sink`; None: to nobody. Functions go this way for
    every row."""

    __slots__ = ("_before", "_session", "_sink")

    def __init__(self, session: Session, sink: Callable[[Outcome], None] | None) -> None:
        self._session, self._sink = session, sink

    def __enter__(self) -> None:
        self._before = self._session.sink
        self._session.sink = self._sink

    def __exit__(self, *raised: object) -> None:
        self._session.sink = self._before


@contextmanager
def in_trigger(session: Session) -> Iterator[None]:
    """A trigger always runs in a transaction: @@TRANCOUNT is 1 in that of an autocommit statement. Raises 3609 when the
    trigger has ended it."""
    transaction, is_autocommit = session.transaction, session.trancount == 0
    if is_autocommit:
        session.trancount = 1
    try:
        yield
    finally:
        if is_autocommit and session.transaction is transaction:
            session.trancount = 0
    if session.transaction is not transaction:
        raise sql_error(3609)


@contextmanager
def as_deeper(session: Session) -> Iterator[None]:
    """A system procedure that runs the text of its caller counts as a level of its own."""
    session.nest_level += 1
    try:
        yield
    finally:
        session.nest_level -= 1


@contextmanager
def ends_own_scope() -> Iterator[None]:
    """Text that does not compile ends the scope that it is the text of: the statement that called it has failed, and the
    next one goes on."""
    try:
        yield
    except SqlError as error:
        error.batch_aborting = error.is_binding = False
        error.column = 0  # it counts in the text, which the client does not have
        raise


def run_text(
    session: Session, text: str, values: dict[str, Any] | None = None, types: dict[str, Any] | None = None
) -> Work:
    """Run text as a nested batch (EXEC string, sp_executesql). Returns (return code, its frame, its scope)."""
    with ends_own_scope():
        compiled = session.instance.modules.batch(text, session, types)
    frame = compiled.new_frame(session, values)
    signal = yield from run_in_frame(session, compiled.step, frame, None)
    code = signal.value if isinstance(signal, Return) else None
    return code or 0, frame, compiled.scope
