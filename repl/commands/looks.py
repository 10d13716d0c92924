"""How results look: format, upright rows, the pager, times, how many rows.

It decides the words of these settings; without one each says how it stands. It must not know how anything is drawn.
"""

from __future__ import annotations

from sbql.repl.commands.command import CommandError, Desk
from sbql.repl.view import FORMATS, format_named

__all__ = ["bodies", "expanded", "limit", "output_format", "pager", "status", "timing"]


def output_format(desk: Desk, argument: str) -> None:
    """A format, and perhaps the file that result sets go to until the next \\format."""
    presenter, (name, _, path) = desk.presenter, argument.strip().partition(" ")
    usual = "plain" if presenter.screen is None else "table"
    if not name:
        place = f", into {presenter.view.path}" if presenter.view.path is not None else ""
        desk.say(f"The format is {presenter.view.format}{place}. There are:")
        desk.say("\n".join(f"  {known:<9} {what}" for known, what in FORMATS.items()))
        return
    path = path.strip().strip('"')
    try:
        found = format_named(name, usual=usual)
        if found in ("parquet", "arrow") and not path:
            raise CommandError(f"A {found} file needs a name: \\format {found} orders.{found}")
        presenter.redirect(found, path or None)
    except ValueError as error:
        raise CommandError(str(error)) from None
    except OSError as error:
        raise CommandError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
    where = f" Results go to {path} until the next \\format." if path else ""
    desk.say(f"The format is {found}.{where}")


def _switch(text: str, now: bool) -> bool:
    """What on, off or nothing, which turns it over, make of a setting. Raises CommandError."""
    word = text.strip().lower()
    if word not in ("", "on", "off"):
        raise CommandError(f"It is on or off, not {text.strip()}.")
    return word == "on" if word else not now


def expanded(desk: Desk, argument: str) -> None:
    view, word = desk.presenter.view, argument.strip().lower()
    if word not in ("", "on", "off", "auto"):
        raise CommandError("Rows stand upright: \\x on, \\x off, or \\x auto, which is when they are too wide.")
    view.expanded = word or ("on" if view.expanded != "on" else "auto")
    desk.say(
        {"on": "Rows stand upright.", "off": "Rows lie.", "auto": "Rows stand upright when they are too wide."}[
            view.expanded
        ]
    )


def timing(desk: Desk, argument: str) -> None:
    view = desk.presenter.view
    view.times = _switch(argument, view.times)
    desk.say(f"Times are {'shown' if view.times else 'not shown'}.")


def pager(desk: Desk, argument: str) -> None:
    view = desk.presenter.view
    view.pages = _switch(argument, view.pages)
    desk.say(f"The pager is {'used for what is longer than the screen' if view.pages else 'not used'}.")


def status(desk: Desk, argument: str) -> None:
    if desk.status is not None:
        desk.status.is_on = _switch(argument, desk.status.is_on)
        desk.say(f"The status line is {'on' if desk.status.is_on else 'off'}.")


def bodies(desk: Desk, argument: str) -> None:
    view, word = desk.presenter.view, argument.strip().lower()
    if word not in ("", "text", "hex"):
        raise CommandError(
            "Bodies of messages are shown as text, if they are text, or as hex: \\bodies text, \\bodies hex."
        )
    view.decodes = word == "text" if word else not view.decodes
    desk.say(f"Bodies of messages are shown as {'text, if they are text' if view.decodes else 'hex'}.")


def limit(desk: Desk, argument: str) -> None:
    view, word = desk.presenter.view, argument.strip()
    if word and not (word.isdecimal() and len(word) < 10):
        raise CommandError("It is a number of rows, 0 for all: \\limit 1000.")
    if word:
        view.limit = int(word)
    desk.say(f"Of a result {f'the first {view.limit} rows' if view.limit else 'all rows'} are shown.")
