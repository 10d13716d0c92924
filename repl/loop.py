"""The prompt: lines are collected until GO, run, and shown; what happens in the background is shown above the input.

It decides when an input is complete and what the keys do. It must not know how statements run; the runner does that.
Only this module, `completion` and `highlight` import prompt_toolkit, and they are imported only when somebody sits at a
terminal.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.filters import Condition, is_searching
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings
from prompt_toolkit.patch_stdout import patch_stdout

from sbql.engine.result_text import Style
from sbql.engine.scripts import ScriptError, text_script
from sbql.grammar.batches import ScriptVariables
from sbql.grammar.version import __version__
from sbql.repl.completion import TSqlCompleter
from sbql.repl.highlight import TSqlLexer
from sbql.repl.input import HELP, is_complete, is_help, is_quit, with_go
from sbql.repl.render import Renderer, log_text
from sbql.repl.runner import BatchRunner

if TYPE_CHECKING:
    from sbql.engine.error_log import LogRecord
    from sbql.repl.options import Options
    from sbql.repl.sessions import AnyInstance, AnySession

__all__ = ["Prompt", "history_path"]

_CELL_LIMIT = 256
_INTERNAL_ERROR = 3624
"""Its line in the log has what nobody sees in the message."""


def history_path() -> Path:
    """The history file, in the folder where this system keeps a user's state."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    else:
        base = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return base / "sbql" / "history"


def _history() -> History:
    path = history_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


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

    def __init__(self, instance: AnyInstance, session: AnySession, options: Options, **terminal: Any) -> None:
        """`terminal`: input and output for prompt_toolkit, for tests."""
        self._instance = instance
        self._session = session
        self._variables = ScriptVariables(options.variables)
        self._renderer = Renderer(self._write, Style(options.separator, options.trim, options.headers, _CELL_LIMIT))
        self._runner = BatchRunner(session, self._renderer.show, self._say, debug=options.debug)
        self._prompt: PromptSession[str] = PromptSession(
            history=_history(),
            key_bindings=_keys(),
            lexer=TSqlLexer(),
            completer=TSqlCompleter(lambda: self._session),
            complete_while_typing=False,
            auto_suggest=AutoSuggestFromHistory(),
            multiline=True,
            prompt_continuation=self._continuation,
            enable_history_search=True,
            **terminal,
        )

    def run(self) -> None:
        """Until `quit`, `exit` or Ctrl-D."""
        self._say(f"sbql {__version__}. GO on a line of its own (or F5) runs; help and quit do what they say.")
        stop_log = self._instance.listen_log(self._show_log)
        try:
            while True:
                try:
                    with patch_stdout(raw=True):
                        text = self._prompt.prompt(f"{self._session.database_name}> ")
                except KeyboardInterrupt:
                    continue
                except EOFError:
                    return
                if is_quit(text):
                    return
                if is_help(text):
                    self._say(HELP)
                elif text.strip():
                    self._execute(text)
        finally:
            stop_log()

    def _show_log(self, record: LogRecord) -> None:
        """A line of the error log. What the session itself logs (RAISERROR … WITH LOG) is on the screen as its message."""
        if record.source != f"spid {self._session.spid}" or record.number == _INTERNAL_ERROR:
            self._say(log_text(record))

    def _execute(self, text: str) -> None:
        try:
            for batch in text_script(text, "prompt", self._variables).batches():
                self._renderer.source = batch.text
                for _ in range(batch.count):
                    self._runner.run(batch.text)
                    if self._session.is_ended:
                        self._reconnect()
                        return
                    if self._runner.was_cancelled:
                        return
        except ScriptError as error:
            self._say(str(error))
        except KeyboardInterrupt:
            self._say("The batch does not stop. Quit, or go on and wait for it.")

    def _reconnect(self) -> None:
        """A fatal error or a KILL ended the session: go on in a new one, as a client that connects again would."""
        ended = self._session
        self._session = self._instance.connect(login=ended.login_name)
        self._runner.session = self._session
        self._say(
            f"The session {ended.spid} has ended. This is a new one, {self._session.spid}, in {self._session.database_name}."
        )

    def _continuation(self, width: int, line_number: int, wrap_count: int) -> str:
        return f"{line_number + 1}> ".rjust(width) if not wrap_count else " " * width

    @staticmethod
    def _write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    def _say(self, text: str) -> None:
        self._write(f"{text}\n")
