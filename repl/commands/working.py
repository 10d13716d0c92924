"""Ways of working at the prompt: an editor, further sessions, a query again and again, the trace, the clock.

It decides what these take and what they say. It must not know the terminal.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from pathlib import Path

from sbql.repl.commands.command import CommandError, Desk, name_literal

__all__ = ["background", "cancel", "clock", "edit", "session", "trace", "watch"]

_EVERY = 2.0
_LONGEST = 86_400.0


def edit(desk: Desk, argument: str) -> None:
    """The open lines, or the last batch, in $VISUAL or $EDITOR; what comes back stands in the input and has not run."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or ("notepad" if os.name == "nt" else "vi")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "batch.sql"
        file.write_text(desk.take_open() or desk.last_batch, encoding="utf-8")
        try:
            code = subprocess.call([*shlex.split(editor), str(file)])
        except OSError as error:
            raise CommandError(
                f"cannot start {editor}: {(error.strerror or str(error)).lower()}. Set $EDITOR."
            ) from None
        if code:
            desk.say(f"{editor} ended with {code}.")
        desk.type(file.read_text(encoding="utf-8").rstrip("\n"))


def watch(desk: Desk, argument: str) -> None:
    """The open lines, or the last batch, every so many seconds until Ctrl-C."""
    try:
        seconds = float(argument) if argument.strip() else _EVERY
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= _LONGEST:
        raise CommandError(
            "Write the seconds between two runs: \\watch 2. It runs the lines before it, or the last batch."
        )
    text = desk.take_open() or desk.last_batch
    if not text:
        raise CommandError("There is nothing to run again: write a batch, and \\watch 2 instead of its GO.")
    while desk.run_again(text, f"every {seconds:g} s, Ctrl-C ends") and desk.pause(seconds):
        pass


def trace(desk: Desk, argument: str) -> None:
    """on, off, or on and a class of events."""
    word, _, name = argument.strip().partition(" ")
    if word.lower() not in ("on", "off"):
        raise CommandError("Write \\trace on, \\trace on Activation (or another class of events), or \\trace off.")
    if word.lower() == "off":
        desk.say("The trace is off." if desk.recorder.hide() else "The trace was not on.")
        return
    try:
        desk.recorder.show(desk.instance, desk.say_aside, *([name.strip()] if name.strip() else []))
    except KeyError:
        raise CommandError(
            f"There is no class of events '{name.strip()}': SELECT name FROM sys.trace_events lists them."
        ) from None
    desk.say("The trace is on: events appear as they happen. \\trace off ends it.")


def session(desk: Desk, argument: str) -> None:
    """new, a number, close and a number, or nothing for the list."""
    word, _, rest = argument.strip().lower().partition(" ")
    if word == "new":
        desk.open_session(rest.strip() or desk.session.database_name)
    elif word == "close":
        desk.close_session(_number(rest) if rest.strip() else None)
    elif word:
        desk.enter_session(_number(word))
    desk.say(desk.sessions_text())


def background(desk: Desk, argument: str) -> None:
    """Run the lines above it, instead of their GO."""
    text = desk.take_open()
    if not text.strip():
        raise CommandError("There is nothing to run: write a batch, and \\background instead of its GO.")
    desk.start_background(text)


def cancel(desk: Desk, argument: str) -> None:
    """The batch of a session; without a number, the only one."""
    desk.cancel_background(_number(argument) if argument.strip() else None)


def _number(text: str) -> int:
    if not (text.strip().isdecimal() and len(text.strip()) < 6):
        raise CommandError("Write \\session new, \\session 2, \\session close 2, or \\session for the list.")
    return int(text)


_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}


def clock(desk: Desk, argument: str) -> None:
    """The time of the server, and how far a virtual clock is to move first: 90s, 5m, 2h, 1d or hh:mm:ss."""
    text = argument.strip().lower()
    if text:
        amount, unit = text[:-1], text[-1]
        if unit in _UNITS and amount.isdecimal() and len(amount) < 8:
            seconds = int(amount) * _UNITS[unit]
            text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
        elif ":" not in text:
            raise CommandError("Write how far the clock is to move: \\clock 90s, 5m, 2h, 1d or 01:30:00.")
        desk.rows(f"EXEC sys.sp_sbql_advance_clock {name_literal(text)}")
    (now,) = desk.rows("SELECT CONVERT(nvarchar(30), SYSUTCDATETIME(), 121)")[0]
    desk.say(f"It is {str(now)[:23]} UTC.")
