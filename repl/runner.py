"""Runs batches for a person: live output, and Ctrl-C that stops the batch instead of the program.

The batch runs in a thread of its own, because the main thread is the only one that hears Ctrl-C, and would not hear it
while DuckDB works. It decides when a script ends early. It must not know how outcomes look.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from traceback import format_exception
from typing import TYPE_CHECKING

from sbql.engine.last_resort import UnexpectedError
from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.patience import NeverWakes
from sbql.engine.session import Session
from sbql.engine.system.doing import doing
from sbql.engine.work import Cancelled
from sbql.repl.progress import FOOT, Told

if TYPE_CHECKING:
    from sbql.repl.sessions import AnyInstance, AnySession

__all__ = ["BatchRunner", "wait_idle"]

_ERROR_SEVERITY = 11
_CANCELLED = 3617
_AGAIN = 0.2
"""Seconds between two requests to stop."""

_FOREVER = 1e6
_LOOK = 0.5
"""Seconds between two looks of the main thread: Ctrl-C just before it begins to wait is handled after the wait."""
_PATIENCE = 3
"""Ctrl-C so many times gives up waiting for the batch to stop."""


class BatchRunner:
    """Runs batches on one session, showing every outcome as it comes."""

    def __init__(
        self,
        session: AnySession,
        show: Callable[[Outcome], None],
        note: Callable[[str], None],
        *,
        debug: bool = False,
    ) -> None:
        """`debug`: an error that is a bug of sbql is followed by its Python traceback."""
        self.session = session
        self._debug = debug
        self._show = show
        self._note = note
        self.was_cancelled = False
        self._is_over = False
        """Whether the batch has taken too long."""

    def run(self, text: str, limit: float | None = None) -> bool:
        """Run one batch. False when it raised an error, was cancelled (see `was_cancelled`), waits for what cannot
        come, or has taken more than `limit` seconds and was stopped.

        Raises KeyboardInterrupt when the batch does not stop, and whatever bug ended it.
        """
        failed = False
        ended = threading.Event()
        problem: list[BaseException] = []

        def sink(outcome: Outcome) -> None:
            nonlocal failed
            if isinstance(outcome, ErrorOutcome):
                if outcome.error.number == _CANCELLED:
                    self.was_cancelled = True
                    return  # said once, below
                failed = failed or outcome.error.severity >= _ERROR_SEVERITY
            if problem:
                return
            try:
                self._show(outcome)
                self._show_traceback(outcome)
            except OSError as error:  # nobody reads on: not the batch's fault, but its end
                problem.append(error)
                self.session.cancel()

        def body() -> None:
            try:
                self.session.run(text, sink=sink)
            except BaseException as error:
                problem.append(error)
            finally:
                ended.set()

        self.was_cancelled = self._is_over = False
        thread = threading.Thread(target=body, name="batch", daemon=True)
        with FOOT.during(self._told):
            self._wait(thread, ended, limit)
            if thread.ident is not None:
                thread.join()
        if self._is_over:
            self.was_cancelled = False
            self._note(f"The batch has taken more than {limit:g} s and was stopped (-t).")
            return False
        if problem and isinstance(problem[0], Cancelled):
            self.was_cancelled = True
        elif problem and isinstance(problem[0], NeverWakes):
            self._note(f"sbql: {problem[0]} (the clock is virtual)")
            return False
        elif problem:
            raise problem[0]
        if self.was_cancelled:
            self._note("The batch was cancelled.")
        return not failed and not self.was_cancelled

    def _told(self) -> Told:
        """What the batch does, as far as one sees from here, and how it is stopped."""
        if self.was_cancelled or self._is_over:
            return Told("being cancelled")
        if not isinstance(self.session, Session):
            return Told("", hint="Ctrl-C cancels")
        does, percent = doing(self.session), self.session.percent_complete
        return Told("" if does == "running" else does, percent, 100 if percent else 0, hint="Ctrl-C cancels")

    def _show_traceback(self, outcome: Outcome) -> None:
        if self._debug and isinstance(outcome, ErrorOutcome) and isinstance(outcome.error, UnexpectedError):
            self._note("".join(format_exception(outcome.error.__cause__)).rstrip())

    def _wait(self, thread: threading.Thread, ended: threading.Event, limit: float | None) -> None:
        """Start `thread` and wait for `ended`. Ctrl-C may come at any point, in the middle of the start as well."""
        interrupts = 0
        end = time.monotonic() + (_FOREVER if limit is None else limit)
        while not ended.is_set():
            try:
                if thread.ident is None:
                    if not interrupts:
                        thread.start()
                    elif thread not in threading.enumerate():
                        return  # it was not to be started any more
                # Asked again and again: DuckDB forgets an interrupt that comes just before a query starts.
                ended.wait(
                    _AGAIN if self.was_cancelled or self._is_over else min(max(end - time.monotonic(), 0), _LOOK)
                )
                self._is_over = self._is_over or not (ended.is_set() or self.was_cancelled or time.monotonic() < end)
                if self.was_cancelled or self._is_over:
                    self.session.cancel()
            except KeyboardInterrupt:
                interrupts += 1
                if interrupts >= _PATIENCE:
                    raise
                self.was_cancelled = True
                self.session.cancel()


def wait_idle(instance: AnyInstance, note: Callable[[str], None], seconds: float | None) -> bool:
    """Wait until activated procedures have nothing left to do, saying every few seconds who is busy: at
    the foot of the terminal, elsewhere by `note`. False when `seconds` were not enough (None: the
    instance's own limit). Ctrl-C raises."""
    has_hinted = False
    busy = ""

    def report(text: str) -> None:
        nonlocal has_hinted, busy
        if FOOT.is_watched:
            busy = f": {'; '.join(instance.busy())}"
            return
        note(text)
        if not has_hinted:
            note("(Ctrl-C ends; --wait SECONDS sets a limit, --no-wait does not wait)")
        has_hinted = True

    with FOOT.during(lambda: Told(f"waiting for activated procedures{busy}", hint="Ctrl-C ends")):
        return instance.wait_idle(seconds, report)
