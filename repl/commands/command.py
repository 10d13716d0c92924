"""What a command of the prompt is, and what it may use.

It decides what a row of the registry says and how a command says no (`CommandError`). It must not know which
commands there are, nor how anything looks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Struct

from sbql.grammar.names import string_literal

if TYPE_CHECKING:
    from sbql.engine.outcomes import Outcome
    from sbql.repl.presenter import Presenter
    from sbql.repl.recorder import Recorder
    from sbql.repl.sessions import AnyInstance, AnySession
    from sbql.repl.status import Status

__all__ = ["Command", "CommandError", "Desk", "name_literal"]


class CommandError(Exception):
    """A command cannot do what was asked of it. Its text says why, and what to write instead."""


class Desk(Protocol):
    """What a command may use: the prompt that it was typed at."""

    @property
    def instance(self) -> AnyInstance: ...

    @property
    def session(self) -> AnySession:
        """The session that whoever types is in."""

    @property
    def recorder(self) -> Recorder:
        """What the broker has done since the prompt began, and the trace."""

    @property
    def presenter(self) -> Presenter:
        """How results look, and where they go."""

    def say(self, text: str) -> None:
        """Show a line or more."""

    def say_aside(self, text: str) -> None:
        """Show a line that comes by itself, above the input; from any thread."""

    @property
    def status(self) -> Status | None:
        """The status line."""

    def show(self, outcome: Outcome) -> None:
        """Show an outcome as those of batches are shown."""

    def rows(self, text: str) -> list[tuple[Any, ...]]:
        """The rows of the first result set of a batch, which is not shown. Raises SqlError for the first error."""

    def look(self, text: str) -> int:
        """Run a query of ours and show its result sets without their counts. Returns the
        number of rows. Raises SqlError."""

    @property
    def last_batch(self) -> str:
        """The text of the last batch that ran."""

    def take_open(self) -> str:
        """The lines above the command that wait for their GO, which are given up."""

    def type(self, text: str) -> None:
        """Put a text into the next input, for whoever types to read, change and run."""

    def run_again(self, text: str, title: str) -> bool:
        """Run a batch and show it on an empty screen. False when it was cancelled."""

    def pause(self, seconds: float) -> bool:
        """Wait. False when Ctrl-C has ended it."""

    def open_session(self, database: str) -> None:
        """Open another session and enter it. Raises SqlError."""

    def enter_session(self, number: int) -> None:
        """Raises CommandError for a number that there is not."""

    def close_session(self, number: int | None) -> None:
        """Close a session (None: the present one). Raises CommandError."""

    def sessions_text(self) -> str:
        """A line a session."""

    def start_background(self, text: str) -> None:
        """Run a batch in the present session while somebody types on in another one. Raises CommandError, SqlError."""

    def cancel_background(self, number: int | None) -> None:
        """Stop the batch that runs in a session (None: in the only one that runs any). Raises CommandError."""

    tour_step: int
    """Where the tour is; 0 before it."""


class Command(Struct, frozen=True):
    """A row of the registry.

    `arguments` and `help` are what `\\?` shows. `run` gets the desk and the rest of the line; raises CommandError or
    SqlError, which are shown. `completes`: the kind of names that Tab offers for the argument, a kind of
    `known_names` or 'any' ('' for none).
    """

    name: str
    arguments: str
    help: str
    run: Callable[[Desk, str], None]
    completes: str = ""


def name_literal(argument: str) -> str:
    """The argument of a command as a literal: a name as it is, in brackets or in quotes."""
    text = argument.strip().rstrip(";")
    if len(text) >= 2 and text[0] + text[-1] in ("[]", '""', "''"):
        text = text[1:-1].replace(text[-1] * 2, text[-1])
    return string_literal(text, is_national=True)
