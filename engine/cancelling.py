"""Cancelling a batch that computes: it is asked again and again until it has stopped.

DuckDB forgets an interrupt that comes just before a query starts, so one interrupt is not enough; everything else looks
at the session's `cancel_requested` (statements, waits, checkpoints in computations). A thread of its own asks; it must
not interrupt the next batch, nor outlive the process, for whatever a sleeping thread holds is there when DuckDB's
module looks for objects left behind.
"""

from __future__ import annotations

import contextlib
import threading

from sbql.engine.ports import Session

__all__ = ["finish", "insist"]

_AGAIN = 0.05
"""Seconds between two interrupts."""


_gate = threading.Lock()
_asking: dict[Session, threading.Thread] = {}
_over = threading.Event()


def insist(session: Session) -> None:
    """Interrupt the session's queries until its batch has ended, or another one has begun."""
    session.store.interrupt()
    with _gate:
        if not session.is_running or session in _asking:
            return
        thread = threading.Thread(target=_ask, args=(session,), name="sbql-cancel", daemon=True)
        with contextlib.suppress(RuntimeError):  # the process ends: whoever ends the session asks again and again, too
            thread.start()
            _asking[session] = thread


def _ask(session: Session) -> None:
    while True:
        with _gate:
            if _over.is_set() or not session.while_it_stops(session.store.interrupt):
                _asking.pop(session, None)
                return
        _over.wait(_AGAIN)


def finish() -> None:
    """The process ends: nobody asks any more when this returns."""
    _over.set()
    for thread in list(_asking.values()):
        thread.join()
