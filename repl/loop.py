"""The prompt: lines are collected until GO, run, and shown; what happens in the background is shown above the input.

It decides what the keys do and what becomes of an input: what a script of the same lines would do, but that whoever
types goes on after an error. It must not know how statements run; `script_run` does that. Only this module,
`completion` and `highlight` import prompt_toolkit, and they are imported only when somebody sits at a terminal.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.patch_stdout import patch_stdout

from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.scripts import ScriptError, TypedScript
from sbql.grammar.batches import BatchText, Directive
from sbql.grammar.errors import SqlError
from sbql.grammar.script_lines import open_sign
from sbql.grammar.version import __version__
from sbql.repl.commands.command import CommandError
from sbql.repl.commands.table import find
from sbql.repl.completion import TSqlCompleter
from sbql.repl.desk import PromptDesk
from sbql.repl.highlight import TSqlLexer
from sbql.repl.history import history
from sbql.repl.input import is_complete, is_help, with_go
from sbql.repl.known_names import KnownNames
from sbql.repl.progress import FOOT
from sbql.repl.render import log_text
from sbql.repl.script_run import ScriptRun
from sbql.repl.side_session import SideSession
from sbql.repl.status import Status

if TYPE_CHECKING:
    from sbql.engine.error_log import LogRecord
    from sbql.repl.options import Options
    from sbql.repl.screen import Screen
    from sbql.repl.sessions import AnyInstance, AnySession
    from sbql.repl.view import View

__all__ = ["Prompt"]

HELP = """\
GO [n]          runs what stands above it (n times); F5 runs without GO
\\?              lists the commands of the prompt; :help the directives, which scripts have too
quit, exit      ends (also Ctrl-D)
Ctrl-C          stops a running batch, or throws the input away
Tab             completes words, names, columns and variables; indents an empty line
Arrow up        earlier inputs     Ctrl-R  searches them
Lines that begin with [log] come from activated procedures and the server."""

_CELL_LIMIT = 256
_INTERNAL_ERROR = 3624
"""Its line in the log has what nobody sees in the message."""


def _is_command(step: BatchText | Directive) -> bool:
    return isinstance(step, Directive) and step.name.startswith("\\")


def _line_is_blank() -> bool:
    """Whether Tab indents."""
    return not get_app().current_buffer.document.current_line_before_cursor.strip()


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter", filter=~is_searching)
    def _(event: Any) -> None:
        buffer = event.current_buffer
        if buffer.complete_state is not None:  # takes what Tab has chosen
            buffer.complete_state = None
            return
        at_end = not buffer.document.text_after_cursor.strip()
        if at_end and is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    @keys.add("tab", filter=Condition(_line_is_blank))
    def _(event: Any) -> None:
        event.current_buffer.insert_text("    ")

    @keys.add("f5")
    def _(event: Any) -> None:
        event.current_buffer.text = with_go(event.current_buffer.text)
        event.current_buffer.validate_and_handle()

    return keys


class Prompt:
    """Reads and runs batches until quit or the end of input."""

    def __init__(
        self,
        instance: AnyInstance,
        session: AnySession,
        options: Options,
        out: TextIO | None = None,
        view: View | None = None,
        screen: Screen | None = None,
        **terminal: Any,
    ) -> None:
        """`out`: where results go, standard output if None. `view`, `screen`: how they look there. `terminal`: input
        and output for prompt_toolkit, for tests."""
        self._instance = instance
        self._run = ScriptRun(
            session,
            instance.name,
            options,
            out or sys.stdout,
            self._say,
            view=view,
            screen=screen,
            is_typed=True,
            cell_limit=_CELL_LIMIT,
        )
        self._typed = TypedScript(self._run.variables, options.substitutes, options.input_encoding)
        self._desk = PromptDesk(instance, self._run, self._typed, self._say, self._say_aside)
        self._aside = SideSession(instance)
        self._names = KnownNames(self._aside)
        is_live = screen is not None and options.server is None and options.clock != "virtual"
        self._status = self._desk.status = Status(self._aside, is_live=is_live)
        self._status.is_on = screen is not None
        self._open = ""
        """Lines that wait for their GO: they come back with the next prompt."""
        self._ended_spid: int | None = None
        """Of the session before this one: what it has logged may come from a server when this one is there already."""
        self._prompt: PromptSession[str] = PromptSession(
            history=history(),
            key_bindings=_keys(),
            lexer=TSqlLexer(),
            completer=TSqlCompleter(self._names, lambda: self._run.session.database_name),
            complete_while_typing=False,
            auto_suggest=AutoSuggestFromHistory(),
            multiline=True,
            prompt_continuation=self._continuation,
            enable_history_search=True,
            bottom_toolbar=self._toolbar if screen is not None else None,
            refresh_interval=1.0 if is_live else 0,
            **terminal,
        )

    def run(self) -> int:
        """Until `quit`, `exit`, Ctrl-D or an error that is to end everything. Returns the exit code."""
        self._say(f"sbql {__version__}. GO (or F5) runs, \\? lists commands, help helps, quit ends.")
        stop_log = self._instance.listen_log(self._show_log)
        self._desk.recorder.start(self._instance)
        try:
            while True:
                self._status.expire(self._run.session.database_name)
                try:
                    with patch_stdout(raw=True):
                        text = self._prompt.prompt(
                            f"{self._run.session.database_name}{self._desk.label}> ", default=self._open
                        )
                except KeyboardInterrupt:
                    self._open = ""
                    continue
                except EOFError:
                    return self._run.code
                self._open = ""
                if is_help(text):
                    self._say(HELP)
                elif (code := self._take(text)) is not None:
                    return code
        finally:
            stop_log()
            self._desk.close()
            self._status.close()
            self._aside.close()
            self._run.close()

    def _toolbar(self) -> str | None:
        """The status line; and why GO does not run, while a string or a comment is open."""
        text = get_app().current_buffer.text
        hint = open_sign(text) if text.strip() else ""
        return f"{self._status.text(self._run.session)}{f' | {hint}' if hint else ''}" or None

    def _show_log(self, record: LogRecord) -> None:
        """A line of the error log. What the session itself logs (RAISERROR … WITH LOG)
        is on the screen as its message."""
        own = f"spid {self._run.session.spid}", f"spid {self._ended_spid}"
        if record.source not in own or record.number == _INTERNAL_ERROR:
            self._say_aside(log_text(record))

    def _take(self, text: str) -> int | None:
        """Do what an input asks for. Returns the exit code if that ends everything."""
        try:
            for step in self._steps(text):
                if _is_command(step):
                    self._command(step)
                    continue
                if isinstance(step, BatchText):
                    self._names.forget()
                    self._desk.last_batch = step.text
                code = self._run.step(step)
                if code is not None and isinstance(step, Directive):
                    return code  # quit, even where the session has just been killed
                if self._run.session.is_ended:
                    self._reconnect()
                    break
                if self._run.was_cancelled and isinstance(step, BatchText):
                    break
                if code is not None:
                    return code
        except ScriptError as error:
            self._say(str(error))
        except KeyboardInterrupt:
            self._say("The batch does not stop. Quit, or go on and wait for it.")
        self._open = self._desk.next_input()
        return None

    def _command(self, step: BatchText | Directive) -> None:
        """Carry out a command. What it cannot do is said, and nothing more."""
        assert isinstance(step, Directive)
        try:
            find(step.name[1:]).run(self._desk, step.argument)
        except CommandError as error:
            self._say(str(error))
        except SqlError as error:
            self._run.show(ErrorOutcome(error))
        except KeyboardInterrupt:
            self._say("Stopped.")

    def _steps(self, text: str) -> Iterator[BatchText | Directive]:
        """What is typed; the rest runs, too, if it was handed over without a GO (F5 in the middle of a string)."""
        yield from self._typed.steps(text)
        if not is_complete(text):
            yield from self._typed.close()

    def _reconnect(self) -> None:
        """A fatal error or a KILL ended the session: go on in a new one, as a client that connects again would."""
        ended = self._run.session
        self._ended_spid = ended.spid
        found = self._instance.connect(login=ended.login_name)
        self._desk.replace_session(found)
        self._say(f"The session {ended.spid} has ended. This is a new one, {found.spid}, in {found.database_name}.")

    def _continuation(self, width: int, line_number: int, wrap_count: int) -> str:
        return f"{line_number + 1}> ".rjust(width) if not wrap_count else " " * width

    def _say_aside(self, text: str) -> None:
        """A line that nobody has asked for, coloured where there are colours."""
        screen = self._run.presenter.screen
        self._say(text if screen is None else screen.coloured(text))

    @staticmethod
    def _say(text: str) -> None:
        with FOOT.cleared(sys.stdout):
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()
