"""What the prompt's commands work at: the session of whoever types, further ones, the input, and the way to the screen.

It decides that commands ask in the session that one is in, in a thread that Ctrl-C can stop as it stops a batch, and
that they show rows without counts. It must not know the commands.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sbql.engine.drivers import LoopDriver
from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.grammar.batches import BatchText
from sbql.repl.background import Background, Job
from sbql.repl.commands.command import CommandError
from sbql.repl.recorder import Recorder
from sbql.repl.runner import BatchRunner

if TYPE_CHECKING:
    from sbql.engine.scripts import TypedScript
    from sbql.repl.presenter import Presenter
    from sbql.repl.script_run import ScriptRun
    from sbql.repl.sessions import AnyInstance, AnySession
    from sbql.repl.status import Status

__all__ = ["PromptDesk"]


class PromptDesk:
    """The desk (`commands.command.Desk`) of a prompt."""

    def __init__(
        self,
        instance: AnyInstance,
        run: ScriptRun,
        typed: TypedScript,
        say: Callable[[str], None],
        say_aside: Callable[[str], None],
    ) -> None:
        """`say_aside`: for lines that come by themselves."""
        self.instance = instance
        self.recorder = Recorder()
        self.last_batch = ""
        self.tour_step = 0
        self._run = run
        self._typed = typed
        self._say = say
        self.say_aside = say_aside
        self.status: Status | None = None
        self._sessions: dict[int, AnySession] = {1: run.session}
        self._number = 1
        self._next_input = ""
        self._background = Background(lambda outcome: run.presenter.text_of(outcome), say)

    @property
    def session(self) -> AnySession:
        return self._run.session

    @property
    def presenter(self) -> Presenter:
        return self._run.presenter

    def say(self, text: str) -> None:
        self._say(text)

    def show(self, outcome: Outcome) -> None:
        self._run.show(outcome)

    # --- asking --------------------------------------------------------------------------------------------

    def _results(self, text: str) -> list[ResultSet]:
        """Raises SqlError."""
        outcomes: list[Outcome] = []
        BatchRunner(self.session, outcomes.append, self._say).run(text)
        for outcome in outcomes:
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
        return [outcome for outcome in outcomes if isinstance(outcome, ResultSet)]

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        found = self._results(text)
        return found[0].rows if found else []

    def look(self, text: str) -> int:
        count = 0
        for result in self._results(text):
            count += len(result.rows)
            if result.rows:
                self._run.show(result)
        if self.presenter.screen is not None:
            self.presenter.screen.finish()
        return count

    # --- the input -----------------------------------------------------------------------------------------

    def take_open(self) -> str:
        return self._typed.take_back()

    def type(self, text: str) -> None:
        self._next_input = text

    def next_input(self) -> str:
        """What stands in the next input: what a command has put there, or the lines that wait for their GO."""
        text, self._next_input = self._next_input or self._typed.take_back(), ""
        return f"{text}\n" if text else ""

    def run_again(self, text: str, title: str) -> bool:
        if self.presenter.screen is not None:
            self.presenter.screen.clear()
        self._say(f"{title}:")
        self._run.step(BatchText(text, 1, "watch"))
        return not (self._run.was_cancelled or self.session.is_ended)

    def pause(self, seconds: float) -> bool:
        try:
            threading.Event().wait(seconds)
        except KeyboardInterrupt:
            self._say("")  # the ^C that the terminal shows has a line of its own
            return False
        return True

    # --- sessions ------------------------------------------------------------------------------------------

    @property
    def label(self) -> str:
        """Which session one is in, if there are several, and whether a transaction is open in it: `[2]*`."""
        number = f"[{self._number}]" if len(self._sessions) > 1 else ""
        return f"{number}{'*' if self.session.trancount else ''}"

    def replace_session(self, session: AnySession) -> None:
        """The present one has ended."""
        self._sessions[self._number] = self._run.session = session

    def open_session(self, database: str) -> None:
        number = max(self._sessions) + 1
        self._sessions[number] = self.instance.connect(database=database)
        self.enter_session(number)

    def enter_session(self, number: int) -> None:
        if number not in self._sessions:
            raise CommandError(f"There is no session {number}. \\session lists them, \\session new opens one.")
        self._refuse_busy(number)
        self._number = number
        self._run.session = self._sessions[number]

    def close_session(self, number: int | None) -> None:
        number = self._number if number is None else number
        if number not in self._sessions:
            raise CommandError(f"There is no session {number}. \\session lists them.")
        if len(self._sessions) == 1:
            raise CommandError("It is the only session. quit ends it, and sbql with it.")
        self._refuse_busy(number)
        self._sessions.pop(number).close()
        if number == self._number:
            self._enter_idle(self.session.database_name)

    def sessions_text(self) -> str:
        lines = []
        for number, session in sorted(self._sessions.items()):
            is_open = f", open transactions: {session.trancount}" if session.trancount else ""
            here = ">" if number == self._number else " "
            job = self._background.jobs.get(number)
            runs = f", runs since {job.seconds:.0f} s: {job.title}" if job is not None else ""
            lines.append(f"{here} {number}  spid {session.spid}, {session.database_name}{is_open}{runs}")
        return "\n".join(lines)

    # --- batches in the background -------------------------------------------------------------------------

    def start_background(self, text: str) -> None:
        if isinstance(self.instance.loop, LoopDriver):
            raise CommandError(
                "The clock is virtual: time goes on only while a batch runs, so none can wait in the background."
            )
        number, database = self._number, self.session.database_name
        self._background.start(number, self.session, text, self._job_ended)
        try:
            self._enter_idle(database)
        except BaseException:
            self._background.cancel(number)
            raise
        self._say(
            f"It runs in session {number}, and tells of itself above the input. You are in session {self._number}."
        )

    def cancel_background(self, number: int | None) -> None:
        running = sorted(self._background.jobs)
        if number is None and len(running) != 1:
            raise CommandError(
                f"Say which session: {', '.join(map(str, running))}." if running else "No batch runs in the background."
            )
        if not self._background.cancel(running[0] if number is None else number):
            raise CommandError(f"No batch runs in session {number}.")

    def close(self) -> None:
        """The end of the prompt: no batch runs any more, and nobody listens."""
        self._background.close()
        self.recorder.close()

    def _enter_idle(self, database: str) -> None:
        """Go to the first session that runs nothing; if there is none, to a new one. Raises SqlError."""
        idle = [number for number in sorted(self._sessions) if number not in self._background.jobs]
        if idle:
            self.enter_session(idle[0])
        else:
            self.open_session(database)

    def _refuse_busy(self, number: int) -> None:
        """Raises CommandError."""
        job = self._background.jobs.get(number)
        if job is not None:
            raise CommandError(
                f"Session {number} runs a batch: {job.title}  \\cancel {number} stops it; \\session new opens another one."
            )

    def _job_ended(self, job: Job) -> None:
        if job.session.is_ended and self._sessions.get(job.number) is job.session and len(self._sessions) > 1:
            del self._sessions[job.number]
