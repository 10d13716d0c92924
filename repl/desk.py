"""What the prompt's commands work at: the session of whoever types, and the way to the screen.

It decides that commands ask in that session, in a thread that Ctrl-C can stop as it stops a batch, and that they show rows without counts. It must not
know the commands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sbql.engine.outcomes import ErrorOutcome, Outcome, ResultSet
from sbql.repl.runner import BatchRunner

if TYPE_CHECKING:
    from sbql.repl.presenter import Presenter
    from sbql.repl.script_run import ScriptRun
    from sbql.repl.sessions import AnyInstance, AnySession

__all__ = ["PromptDesk"]


class PromptDesk:
    """The desk (`commands.command.Desk`) of a prompt."""

    def __init__(self, instance: AnyInstance, run: ScriptRun, say: Callable[[str], None]) -> None:
        self.instance = instance
        self._run = run
        self._say = say

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
