"""Invocation: the shell around every body that runs: procedures, functions, triggers, dynamic batches.

It keeps nesting, options, execution context and database apart from the caller's, and decides what a binding error
ends. What of a session holds for a while only, the session itself sets and sets back. It must not know what the body
is, nor where its arguments come from.
"""

from __future__ import annotations

from typing import Any

from sbql.catalog.records import Module
from sbql.engine.ports import Frame, Session
from sbql.engine.security.resolver import schema_of_names
from sbql.engine.steps import Return, Step
from sbql.engine.work import Cancelled, Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["NEST_MAX", "end_scope", "run_in_frame", "run_text"]

NEST_MAX = 32


def run_in_frame(session: Session, step: Step, frame: Frame, record: Module | None) -> Work:
    """The common shell of procedures and dynamic batches: nesting, options, context, what a binding error ends."""
    if session.nest_level >= NEST_MAX:
        raise sql_error(217, NEST_MAX)
    trancount = session.trancount
    outside = session.enter_body(record)
    own = session.options
    try:
        if record is not None:
            session.instance.enter_module_context(session, record)
        session.in_body(record, schema_of_names(session, record))
        signal = (yield from step.run(frame)) if step.waits else step.run(frame)
    except SqlError as error:
        if error.ends_module is frame:
            error.ends_module, error.is_binding, error.batch_aborting = None, False, error.rolls_back
        raise
    except Cancelled as stopped:
        if stopped.rolls_back is None:
            stopped.rolls_back = session.options.xact_abort  # the caller's own comes back with leave_body
        raise
    finally:
        session.leave_body(outside)
        session.instance.drop_frame_objects(session)
    if record is not None and session.trancount != trancount and not frame.is_trigger and not own.xact_abort:
        session.statement_failed(sql_error(266, trancount, session.trancount, state=2), frame, step.span)
    return signal


def end_scope(error: SqlError) -> None:
    """Text that does not compile ends the scope that it is the text of: the statement that called it has failed, and
    the next one goes on. For whoever raises the error further."""
    error.batch_aborting = error.is_binding = False
    error.column = 0  # it counts in the text, which the client does not have
    if error.line:
        error.tell_place(error.line, None, is_nested=True)


def run_text(
    session: Session, text: str, values: dict[str, Any] | None = None, types: dict[str, Any] | None = None
) -> Work:
    """Run text as a nested batch (EXEC string, sp_executesql). Returns (return code, its frame, its scope)."""
    try:
        compiled = session.instance.modules.batch(text, session, types)
    except SqlError as error:
        end_scope(error)
        raise
    frame = compiled.new_frame(session, values)
    signal = yield from run_in_frame(session, compiled.step, frame, None)
    code = signal.value if isinstance(signal, Return) else None
    return code or 0, frame, compiled.scope
