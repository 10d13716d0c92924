"""Last resort: an exception that nobody expected, a bug of sbql, becomes one error that a user can read and report.

It decides number and text, and where it happened: the innermost T-SQL statement that was being run or compiled
(`steps.note_place`), and the Python lines for the error log. It must not raise anything itself but what is the
program's: what the handler of a signal has raised, and what was set into the thread from outside.
"""

from __future__ import annotations

from pathlib import PurePath
from traceback import StackSummary, extract_tb

from sbql.catalog.duckdb_errors import is_interrupt
from sbql.catalog.interrupts import is_from_outside, raise_kept
from sbql.engine.ports import Session
from sbql.engine.steps import taken_place
from sbql.grammar.errors import SqlError
from sbql.grammar.messages import message

__all__ = ["UnexpectedError", "details", "failure_line", "report_unexpected", "unexpected_error"]

_TEXT_MAX = 400
_PLACES = 6


class UnexpectedError(SqlError):
    """Only a bug, or the end of memory or stack, raises it; `__cause__` is what happened."""


def unexpected_error(error: Exception, *, is_undone: bool = False) -> UnexpectedError:
    """The error to report for `error`, which is its `__cause__`: 8631 for the stack, 701 for memory, 3624 for
    anything else. `is_undone`: whoever reports it has rolled back, or is about to. Whether the session goes on is the
    door's business, and no text says it."""
    if isinstance(error, RecursionError):
        result = UnexpectedError(8631, message(8631).text, severity=17, batch_aborting=True)
    elif isinstance(error, MemoryError):
        result = UnexpectedError(701, message(701).text, severity=17, batch_aborting=True)
    else:
        result = UnexpectedError(3624, _text(error, is_undone), severity=20, batch_aborting=True)
    result.rolls_back = True
    result.__cause__ = error
    place = taken_place(error)
    if place is not None:
        result.line, result.column, result.procedure = place.span.line, place.span.column, place.module
    return result


def report_unexpected(session: Session, error: Exception) -> int:
    """A bug ended the batch: roll back, tell the user once, keep the details in the error log. Returns its number.
    Raises what the handler of a signal has raised, KeyboardInterrupt for Ctrl+C in a query, and `error` itself if it
    came from outside."""
    raise_kept()
    if is_interrupt(error):
        raise KeyboardInterrupt from error
    if is_from_outside(error):
        taken_place(error)
        raise error
    reported = unexpected_error(error, is_undone=True)
    try:
        session.rollback_transaction()
    except Exception as second:
        session.instance.log(reported.number, f"rolling back: {details(second)}", f"spid {session.spid}")
    session.report(reported)
    return reported.number


def failure_line(error: Exception) -> tuple[int, str]:
    """Number and text for the error log, of work that has failed and nobody waits for."""
    return (
        (error.number, str(error)) if isinstance(error, SqlError) else (unexpected_error(error).number, details(error))
    )


def details(error: BaseException) -> str:
    """One line for the error log: the exception, and where it was raised, innermost first."""
    places: StackSummary | list[None] = extract_tb(error.__traceback__)
    shown = [f"{PurePath(p.filename).name}:{p.lineno} {p.name}" for p in places if p is not None]
    return f"{_named(error)} at {' < '.join(reversed(shown[-_PLACES:]))}"


def _text(error: Exception, is_undone: bool) -> str:
    undone = "The statement was undone, and an open transaction was rolled back. " if is_undone else ""
    return f"Internal error of sbql: {_named(error)}. {undone}Please report this with the statement; the error log has the details."


def _named(error: BaseException) -> str:
    lines = str(error).splitlines()
    text = f"{type(error).__name__}: {lines[0]}" if lines else type(error).__name__
    return text if len(text) <= _TEXT_MAX else text[: _TEXT_MAX - 1] + "…"
