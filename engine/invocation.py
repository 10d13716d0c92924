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
from sbql.engine.session_options import SessionOptions
from sbql.engine.session_values import Outside
from sbql.engine.steps import Return, Step
from sbql.engine.work import Cancelled, Work
from sbql.grammar.errors import SqlError, sql_error

__all__ = ["NEST_MAX", "end_scope", "run_in_frame", "run_plainly", "run_text"]

NEST_MAX = 32


def run_in_frame(session: Session, step: Step, frame: Frame, record: Module | None) -> Work:
    """The common shell of procedures and dynamic batches: nesting, options, context, what a binding error ends."""
    if not step.waits:
        return run_plainly(session, step, frame, record)
    trancount = session.trancount
    outside, own = _entered(session, record)
    try:
        signal = yield from step.run(frame)
    except (SqlError, Cancelled) as error:
        if (behind := _goes_out(error, session, trancount, own, frame, step)) is not None:
            raise behind from None
        raise
    finally:
        _left(session, outside)
    if _count_differs(session, trancount, own, frame):
        session.statement_failed(sql_error(266, trancount, session.trancount, state=2), frame, step.span)
    return signal


def run_plainly(session: Session, step: Step, frame: Frame, record: Module | None) -> Any:
    """The same for a body that does not wait: functions are called for every row."""
    trancount = session.trancount
    outside, own = _entered(session, record)
    try:
        signal = step.run(frame)
    except (SqlError, Cancelled) as error:
        if (behind := _goes_out(error, session, trancount, own, frame, step)) is not None:
            raise behind from None
        raise
    finally:
        _left(session, outside)
    if _count_differs(session, trancount, own, frame):
        session.statement_failed(sql_error(266, trancount, session.trancount, state=2), frame, step.span)
    return signal


def _entered(session: Session, record: Module | None) -> tuple[Outside, SessionOptions]:
    """What brings the caller's state back, and the body's own options. Raises 217."""
    if session.nest_level >= NEST_MAX:
        raise sql_error(217, NEST_MAX)
    outside = session.enter_body(record)
    try:
        if record is not None:
            session.instance.enter_module_context(session, record)
        session.in_body(record, schema_of_names(session, record))
    except BaseException:
        _left(session, outside)
        raise
    return outside, session.options


def _left(session: Session, outside: Outside) -> None:
    session.leave_body(outside)
    session.instance.drop_frame_objects(session)


def _goes_out(
    error: SqlError | Cancelled, session: Session, trancount: int, own: SessionOptions, frame: Frame, step: Step
) -> SqlError | None:
    """What leaves the body: a binding error has ended it, and the caller's XACT_ABORT is not the body's. Returns the
    266 behind it of a body that has begun or ended transactions before; a CATCH gets the error itself."""
    if isinstance(error, Cancelled):
        if error.rolls_back is None:
            error.rolls_back = own.xact_abort
        return None
    if error.ends_module is not frame:
        return None
    error.ends_module, error.is_binding, error.batch_aborting = None, False, error.rolls_back
    if session.try_depth or error.rolls_back or not _count_differs(session, trancount, own, frame):
        return None
    behind = sql_error(266, trancount, session.trancount, state=2).of_call(frame.module_name or None, step.span.line)
    behind.tell_place(step.span.line, frame.module_name or None, is_nested=session.nest_level > 0)
    behind.before, error.before = (*error.before, error), ()
    return behind


def _count_differs(session: Session, trancount: int, own: SessionOptions, frame: Frame) -> bool:
    """Whether a procedure or a text has begun or ended transactions, which 266 tells. Of triggers 3609 tells it; under
    XACT_ABORT nothing does, nor of the transaction that IMPLICIT_TRANSACTIONS has begun for the caller, too."""
    if session.trancount == trancount or frame.is_trigger or own.xact_abort:
        return False
    return not (own.implicit_transactions and trancount == 0 and session.trancount == 1)


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
