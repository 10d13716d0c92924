"""Scripts on one session: their batches, the directives between them, and the exit code. What is
typed at the prompt is a script too.

It decides where results and errors go (`:out`, `:error`, -r) and when a run ends early: errors under -b, -V
and `:on error exit`, a state of 127, `:quit`, `:exit(query)`. How outcomes look is `render`'s; that and the
running of one batch are used, not known.
"""

from __future__ import annotations

import contextlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet
from sbql.engine.result_text import Style
from sbql.engine.running_lines import came_from
from sbql.engine.scripts import Script, ScriptError, not_supported
from sbql.grammar.batches import BatchText, Directive
from sbql.repl.options import EXIT_ERROR, EXIT_INTERRUPTED, EXIT_OK, PROGRAMS
from sbql.repl.presenter import Presenter
from sbql.repl.progress import FOOT, Told
from sbql.repl.runner import BatchRunner
from sbql.repl.script_place import ScriptPlace
from sbql.repl.starting_variables import starting_variables
from sbql.repl.view import View

if TYPE_CHECKING:
    from sbql.repl.options import Options
    from sbql.repl.screen import Screen
    from sbql.repl.sessions import AnySession

__all__ = ["ScriptRun"]

_FAILED, _NO_ROWS, _NO_NUMBER = -100, -101, -102
"""What `:exit(query)` gives when the query has no number to give, as in sqlcmd."""

_ENDING_STATE = 127
"""An error or message of this state ends the script; its number is the exit code."""

_LOWEST_ERROR = 11

HELP = """\
GO [n]                    run the lines above, n times
:setvar name "value"      set $(name); without a value, remove it
:listvar                  list the variables
:r file                   read a file in this place
:on error exit|ignore     whether the script ends at the next error
:out file|stdout|stderr   where results go
:error file|stdout|stderr where errors go
:list, :reset             show, or forget, the lines above that have not run
:exit, :exit(query)       end the script; the query's value is the exit code
:quit                     end the script
:help                     this list
"""


class ScriptRun:
    """Runs scripts one after the other; `run` says whether, and with which exit code, that was all."""

    def __init__(
        self,
        session: AnySession,
        server: str,
        options: Options,
        out: TextIO,
        note: Callable[[str], None],
        *,
        view: View | None = None,
        screen: Screen | None = None,
        is_typed: bool = False,
        cell_limit: int | None = None,
    ) -> None:
        """`server`: the name of the instance, for $(SQLCMDSERVER). `is_typed`: batches stand in
        no file that an error could name."""
        self.variables = starting_variables(options, server)
        self._runner = BatchRunner(session, self._show, note, debug=options.debug)
        self._session = session
        self._names_places = not is_typed and options.query is None
        self._cell_limit = cell_limit
        self._options = options
        self._note = note
        self._out = out
        self._error: TextIO | None = sys.stderr if options.redirects is not None else None
        self._files: dict[str, TextIO] = {}
        self.presenter = Presenter(view or View(), screen, note)
        self._renderer = self.presenter.renderer
        self._worst = 0
        """The highest severity of the running batch."""
        self._code = EXIT_OK
        self.was_left = False
        """Whether a directive ended the run, and no error."""
        self._ending: int | None = None
        """The number of a message of state 127."""
        self._value: Any = _NO_ROWS
        """First column of the last row."""

    @property
    def code(self) -> int:
        """The exit code when the scripts have ended by themselves."""
        return self._code

    @property
    def session(self) -> AnySession:
        """Where batches run. A prompt puts another one in the place of one that has ended."""
        return self._session

    @session.setter
    def session(self, session: AnySession) -> None:
        self._session = session
        self._runner.session = session

    @property
    def was_cancelled(self) -> bool:
        """Whether Ctrl-C stopped the last batch."""
        return self._runner.was_cancelled

    def run(self, script: Script) -> int | None:
        """Run a script. Returns the exit code if it ended everything. Raises ScriptError."""
        place = ScriptPlace(script.name, script.text)
        with FOOT.during(place.told):
            for step in script.steps():
                place.at(step)
                code = self.step(step)
                if code is not None:
                    if self._session.is_ended:
                        self._note("The session has ended; what follows was not run.")
                    return code
        return None

    def show(self, outcome: Outcome) -> None:
        """Show an outcome that is of no batch of the script."""
        self._renderer.source, self._renderer.place = None, None
        self._renderer.style = self._style()
        self._show(outcome)

    def step(self, step: BatchText | Directive) -> int | None:
        """Run a batch or carry out a directive. Returns the exit code if that ends everything. Raises ScriptError."""
        return self._directive(step) if isinstance(step, Directive) else self._batch(step)

    def close(self) -> None:
        """Close the files of :out, :error and \\format."""
        try:
            self.presenter.close()
            self._out.flush()
        finally:  # one left open would try to write once more when it is collected, and Python tell the user that it failed
            for file in self._files.values():
                with contextlib.suppress(OSError):
                    file.close()

    # --- batches -------------------------------------------------------------------------------------------

    def _batch(self, batch: BatchText) -> int | None:
        self._renderer.place = batch.place if self._names_places else None
        self._renderer.source = batch.text
        self._renderer.style = self._style()
        if self._options.echoes:
            self._write(f"{batch.text}\n")
        came_from(batch)
        run = 0

        def told() -> Told:
            return Told(f"run {run} of {batch.count}", run - 1, batch.count) if batch.count > 1 else Told("")

        with FOOT.during(told):
            while run < batch.count:
                run += 1
                code = self._once(batch)
                if code is not None:
                    return code
        return None

    def _once(self, batch: BatchText) -> int | None:
        """Run it. Returns the exit code if that ends everything."""
        self._worst, self._value = 0, _NO_ROWS
        started = time.monotonic()
        is_good = self._runner.run(batch.text, self._number("SQLCMDSTATTIMEOUT") or None)
        self._ended(time.monotonic() - started)
        if self._runner.was_cancelled:
            return EXIT_INTERRUPTED
        if self._ending is not None:
            return self._ending
        if self._session.is_ended:
            return EXIT_ERROR
        if self._counts() and self._options.severity is not None:
            self._code = self._worst
        stops = self._options.stops_on_error or batch.exits_on_error
        if stops and not is_good and (self._counts() or not self._worst):
            return self._code or EXIT_ERROR
        return None

    def _ended(self, seconds: float) -> None:
        """What is to be seen after a batch: what has waited for the pager, and how long it took."""
        if self.presenter.screen is not None:
            self.presenter.screen.finish()
        if self.presenter.view.times:
            self._note(f"Time: {seconds:.3f} s")

    def _counts(self) -> bool:
        """Whether the worst error of the batch is one that -V asks for; without -V every error is."""
        return self._worst >= (self._options.severity or _LOWEST_ERROR) and self._worst >= _LOWEST_ERROR

    def _style(self) -> Style:
        """How tables look now: scripts set SQLCMDHEADERS and SQLCMDCOLSEP."""
        return Style(
            self.variables["SQLCMDCOLSEP"] or " ", self._options.trim, self._number("SQLCMDHEADERS"), self._cell_limit,
            self._number("SQLCMDMAXVARTYPEWIDTH"), self._number("SQLCMDMAXFIXEDTYPEWIDTH"), self._options.controls,
        )  # fmt: skip

    def _number(self, name: str) -> int:
        try:
            return int(self.variables.get(name) or 0)
        except ValueError:
            return 0

    def _show(self, outcome: Outcome) -> None:
        stream = self._out
        if isinstance(outcome, ErrorOutcome):
            self._worst = max(self._worst, outcome.error.severity)
            self._end_at(outcome.error.state, outcome.error.number)
            if outcome.error.severity < self._number("SQLCMDERRORLEVEL"):
                return
            stream = self._error or stream
        elif isinstance(outcome, InfoMessage):
            self._end_at(outcome.state, outcome.number)
            stream = (self._error if self._options.redirects == 1 else None) or stream
        elif isinstance(outcome, ResultSet):
            self._value = outcome.rows[-1][0] if outcome.rows else _NO_ROWS
        self.presenter.show(outcome, stream)

    def _end_at(self, state: int, number: int) -> None:
        if state == _ENDING_STATE and self._ending is None:
            self._ending = number

    # --- directives ----------------------------------------------------------------------------------------

    def _directive(self, directive: Directive) -> int | None:
        match directive.name:
            case "quit" | "exit":
                self.was_left = True
                return self._exit_value() if directive.argument else self._code
            case "out":
                self._out = self._stream(directive)
            case "error":
                self._error = self._stream(directive)
            case "list":
                self._write(f"{directive.argument}\n")
            case "listvar":
                self._write("".join(f'{name} = "{value}"\n' for name, value in self._told()))
            case "help":
                self._write(HELP)
            case "xml":
                pass  # values are never cut nor wrapped, which is what it asks for
            case name if name in PROGRAMS and self._options.skips_programs == 0:
                self._note(f"{not_supported(directive)}; passed over (-X)")
            case _:
                raise not_supported(directive)
        return None

    def _write(self, text: str) -> None:
        """What is neither a result nor a note."""
        with FOOT.cleared(self._out):
            self._out.write(text)

    def _told(self) -> Iterator[tuple[str, str]]:
        """The variables that a script has or may have set; the environment's are not told."""
        return ((name, value) for name, value in self.variables.items() if os.environ.get(name) != value)

    def _exit_value(self) -> int:
        if self._worst >= _LOWEST_ERROR:
            return _FAILED
        try:
            value: int = int(self._value)
        except (TypeError, ValueError):
            return _NO_NUMBER
        return value

    def _stream(self, directive: Directive) -> TextIO:
        name = directive.argument
        if name.lower() in ("stdout", "stderr"):
            return sys.stdout if name.lower() == "stdout" else sys.stderr
        if name not in self._files:
            try:
                self._files[name] = open(name, "w", encoding=self._options.output_encoding, errors="replace")  # noqa: SIM115 (closed at the end)
            except OSError as error:
                place = f"{directive.source}:{directive.line}"
                raise ScriptError(f"{place}: cannot write {name}: {(error.strerror or str(error)).lower()}") from None
        return self._files[name]
