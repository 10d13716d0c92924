"""Cancelling a batch that computes: it is asked again and again until it has stopped.

DuckDB forgets an interrupt that comes just before a query starts, so one interrupt is not enough; everything else looks
at the session's `cancel_requested` (statements, waits, checkpoints in computations).
"""

from __future__ import annotations

import threading

from sbql.engine.ports import Session

__all__ = ["insist"]

_AGAIN = 0.05
"""Seconds between two interrupts."""


def insist(session: Session) -> None:
    """Interrupt the session's queries until its batch has ended, or another one has begun."""
    store, pause = session.store, threading.Event()

    def body() -> None:
        while session.is_running and session.cancel_requested:
            store.interrupt()
            pause.wait(_AGAIN)

    store.interrupt()
    if session.is_running:
        threading.Thread(target=body, name="sbql-cancel", daemon=True).start()
