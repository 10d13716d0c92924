"""Batches that run while somebody types on: each in a thread of its own, on a session that nobody else uses meanwhile.

It decides what is said of them and when: each outcome as it comes, behind the number of its session, above the line
being typed. It must not know how outcomes look.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct, field

from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.work import Cancelled

if TYPE_CHECKING:
    from sbql.repl.sessions import AnySession

__all__ = ["Background", "Job"]

_CANCELLED = 3617
_SHOWN = 30
"""Letters of a batch that stand for it."""
_LEAVING = 5.0
"""Seconds for a batch to stop at the end of the prompt."""


class Job(Struct):
    """A batch that runs. `title`: its first line."""

    number: int
    session: AnySession
    title: str
    started: float = field(default_factory=time.monotonic)
    thread: threading.Thread | None = None

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started


class Background:
    """The jobs, by the numbers of their sessions. `jobs` changes from the threads of jobs."""

    def __init__(self, show: Callable[[Outcome], str], say: Callable[[str], None]) -> None:
        """`show`: an outcome as text for the screen. `say`: writes it above the input, from any thread."""
        self._show = show
        self._say = say
        self.jobs: dict[int, Job] = {}

    def start(self, number: int, session: AnySession, text: str, ended: Callable[[Job], None]) -> Job:
        """Run a batch on `session`, which is `number` for people. `ended` hears of its end,
        in its thread, before people do."""
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        title = lines[0] if lines else ""
        job = Job(number, session, f"{title[:_SHOWN]}…" if len(title) > _SHOWN or len(lines) > 1 else title)
        job.thread = threading.Thread(
            target=self._run, args=(job, text, ended), name=f"sbql-background-{number}", daemon=True
        )
        self.jobs[number] = job
        job.thread.start()
        return job

    def cancel(self, number: int) -> bool:
        """Stop the batch of a session. False when none runs there."""
        job = self.jobs.get(number)
        if job is not None:
            job.session.cancel()
        return job is not None

    def close(self) -> None:
        """Stop all. Those that do not stop soon are left to the end of their sessions."""
        jobs = list(self.jobs.values())
        for job in jobs:
            job.session.cancel()
        for job in jobs:
            assert job.thread is not None
            job.thread.join(_LEAVING)

    def _run(self, job: Job, text: str, ended: Callable[[Job], None]) -> None:
        how = "done"

        def sink(outcome: Outcome) -> None:
            nonlocal how
            if isinstance(outcome, ErrorOutcome) and outcome.error.number == _CANCELLED:
                how = "cancelled"
            else:
                self._tell(job, self._show(outcome))

        try:
            job.session.run(text, sink=sink)
        except Cancelled:
            how = "cancelled"
        except Exception as error:  # a bug must not be lost with its thread
            how = f"failed: {type(error).__name__}: {error}"
        finally:
            self.jobs.pop(job.number, None)
        ended(job)
        self._tell(job, f"{how}, {job.seconds:.1f} s{'; the session has ended' if job.session.is_ended else ''}")

    def _tell(self, job: Job, text: str) -> None:
        text = text.rstrip("\n")
        if text:
            self._say(f"[session {job.number}]{chr(10) if chr(10) in text else ' '}{text}")
