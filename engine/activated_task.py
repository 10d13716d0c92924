"""One activated task: a procedure that a queue monitor has started, in a session of its own (docs/spec: TASK).

It decides whom the procedure runs as, what becomes of what it says (the error log, as 9724), and what is written when
it ends badly: 28088 by an error, 8415 with its transaction open, 28087 without a RECEIVE. When a task is started, and
what follows from its end, is the scheduler's.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Final

from sbql.catalog.records import Queue
from sbql.engine.broker.queue_monitor import AT_ONCE, THRESHOLD
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome
from sbql.engine.ports import Instance, Session
from sbql.engine.security import context_from_principal
from sbql.engine.system.doing import doing
from sbql.engine.work import Cancelled, Work
from sbql.grammar.errors import SqlError, sql_error
from sbql.grammar.messages import message

__all__ = ["ActivatedTask"]

_OWNER: Final = -2
_LOWEST_ERROR: Final = 11
_PRINTS: Final = 1000
"""Lines a minute that the procedures of one queue may print into the error log. Of
its errors, each kind is one cause."""


class ActivatedTask:
    """A row of sys.dm_broker_activated_tasks, from its start on. `has_failed`: it let an error
    out, was killed, or ended badly."""

    def __init__(self, instance: Instance, session: Session, queue: Queue) -> None:
        principal = queue.execute_as_principal_id
        user = (queue.principal_id or 1) if principal in (None, _OWNER) else principal
        assert user is not None and queue.activation_procedure is not None
        self.instance = instance
        self.session = session
        self.queue = queue
        self.procedure = queue.activation_procedure
        self.execute_as: int = user
        self.started_at = instance.host.now()
        self.is_aborted = False
        self.has_failed = False
        self._name = instance.queue_name(queue.id)
        self._refused: Queue | None = None
        """Its queue as it was when it was refused last."""

    def run(self) -> Work:
        """The activated procedure, from its launch checks to its end."""
        session = self.session
        try:
            context_from_principal(session, self.execute_as)
            yield from session.execute_activated(self.procedure, self._heard)
        except SqlError as error:
            self._error(error)
            self._aborted(28088, sql_error(28088, error.number, error.state).message)
        if session.transaction is not None and session.trancount:
            self._aborted(8415, sql_error(8415, self.procedure).message, is_aborted=False)
            session.rollback_transaction()

    def ended(self, failure: BaseException | None, *, never_received: bool) -> None:
        """`run` is over, by `failure` if that is not None. `never_received`: the queue's monitor stays NOTIFIED."""
        is_killed = self.session.is_ended and isinstance(failure, Cancelled)
        self.has_failed = self.has_failed or is_killed
        self.session.close()
        if failure is not None and not isinstance(failure, Cancelled):
            self._aborted(28088, f"{sql_error(28088, 0, 1).message} {failure!r}")
        if never_received:
            self._aborted(28087, f"{sql_error(28087, self.procedure).message} {self._cure()}")
        self.is_aborted = self.is_aborted or failure is not None

    def slowed(self) -> None:
        """It was the last of too many tasks in a row that took nothing."""
        text = (
            f"The last {AT_ONCE + 1} tasks of the queue {self._queue_name} have ended without a commit that takes a message, "
            f"and messages are left. From now on one task is started every {THRESHOLD:g} seconds, until one of them gets on. "
            f"Mend the procedure {self.procedure}. EXEC sys.sp_sbql_diagnose says more."
        )
        self._log(0, text, "slowed")

    def refused(self) -> None:
        """It looked at a queue that is OFF or gone. If its own is gone, it is ended (28085). That it is OFF it learns
        once, as an error; a loop that goes on over the error looks again, and is ended (28086)."""
        queue = self.instance.catalog.queue_of_id(self.queue.id)
        if queue is not None and queue.is_enabled:
            return
        if queue is None or queue is self._refused:
            self.end(28085 if queue is None else 28086)
        self._refused = queue

    def end(self, number: int) -> None:
        """Stop it where it stands."""
        self.instance.log(number, message(number).text, f"spid {self.session.spid}s")
        self.session.cancel()

    @property
    def is_in_receive(self) -> bool:
        waiting = self.session.waiting_for
        return waiting is not None and waiting.reason == "BROKER_RECEIVE_WAITFOR"

    @property
    def waits_for_messages(self) -> bool:
        """It is where a reader of its queue should be when there is nothing to do."""
        waiting = self.session.waiting_for
        return waiting is not None and not waiting.waiter.woken and self.is_in_receive

    def description(self) -> str:
        """For people: queue, procedure, for how long, and what it does now."""
        seconds = self.instance.host.now() - self.started_at
        return (
            f"{self.procedure} of the queue {self._queue_name}, spid {self.session.spid}, for {seconds:.0f} s, "
            f"{doing(self.session)}"
        )

    # --- the error log ---------------------------------------------------------------------------------------

    @property
    def _queue_name(self) -> str:
        """Also when the queue is gone."""
        if self.instance.catalog.queue_of_id(self.queue.id) is not None:
            self._name = self.instance.queue_name(self.queue.id)
        return self._name

    def _cure(self) -> str:
        """What 28087 does not say: which queue stands still, and what makes it go on."""
        return (
            f"The queue {self._queue_name} stays enabled and keeps its messages, but nothing more is started for it. Mend the "
            "procedure, or what it needs; then ALTER QUEUE … WITH ACTIVATION (STATUS = OFF) and again (STATUS = ON), or a "
            "RECEIVE by hand, sets it going. EXEC sys.sp_sbql_diagnose says more."
        )

    def _heard(self, outcome: Outcome) -> None:
        """Result sets of an activated procedure are thrown away; messages and errors go to the error log as 9724."""
        if isinstance(outcome, InfoMessage):
            self._said(outcome.text, "message", _PRINTS)
        elif isinstance(outcome, ErrorOutcome):
            self._error(outcome.error)

    def _error(self, error: SqlError) -> None:
        self.has_failed = self.has_failed or error.severity >= _LOWEST_ERROR
        self._said(str(error), (error.number, error.procedure, error.line))

    def _said(self, text: str, cause: Hashable, most: int | None = None) -> None:
        self._log(9724, sql_error(9724, self.procedure, self._queue_name, text).message, cause, most)

    def _aborted(self, number: int, text: str, *, is_aborted: bool = True) -> None:
        self.is_aborted = self.is_aborted or is_aborted
        self.has_failed = True
        self._log(number, text, number)

    def _log(self, number: int, text: str, cause: Hashable, most: int | None = None) -> None:
        """All tasks of a queue are one cause: a procedure that fails again and again must not fill the log."""
        source = f"spid {self.session.spid}s"
        self.instance.log(number, text, source, cause=(self.queue.id, self.procedure, cause), most=most)
