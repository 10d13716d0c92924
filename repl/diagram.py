"""`sbql diagram`: a conversation, the services of a database, or the states of a conversation, as text, SVG or Mermaid.

It decides the command line and where a picture goes. What is drawn, and how, is `engine.pictures`'.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from sbql.grammar.errors import SqlError
from sbql.repl.command_parser import add_place, command_parser
from sbql.repl.opening import Stop, connect, opened
from sbql.repl.options import EXIT_OK, Options, UsageError
from sbql.repl.progress import FOOT

if TYPE_CHECKING:
    from sbql.engine.pictures import Picture

__all__ = ["parser", "run"]

_EXAMPLES = """\
examples:
  sbql diagram --store shop.duckdb -d Shop                  services, queues, contracts, routes and activation of a database
  sbql diagram --store shop.duckdb --conversation 7C5F0E1A-… -o dialog.svg   a handle, a conversation or a group
  sbql diagram --states                                     the states of a conversation, from the broker's own table
  sbql diagram --trace broker.jsonl -F mermaid              what a recorded trace tells (docs/pictures.md)

The format comes from the name of -o (.svg, .mmd, .txt), or from -F; text if nothing says it.
"""

_FORMS = {"text": ".txt", "svg": ".svg", "mermaid": ".mmd"}


def parser() -> argparse.ArgumentParser:
    made = command_parser(
        "diagram",
        "Draws what a broker has: the services of a database, a conversation from BEGIN to END, the states of conversations.",
        _EXAMPLES,
    )
    add = made.add_argument
    add_place(made, "the database whose services are drawn")
    add(
        "--conversation",
        metavar="ID",
        help="this conversation or conversation group: handle, conversation id or group id",
    )
    add("--states", action="store_true", help="the states of a conversation, and what leads from one to another")
    add("--trace", metavar="FILE", help="the conversations of a recorded trace (or the one of --conversation)")
    add("-F", "--format", dest="form", choices=tuple(_FORMS), help="text, svg or mermaid")
    add("-o", dest="output", metavar="FILE", help="write it to this file: .svg, .mmd or .txt")
    return made


def run(arguments: list[str]) -> int:
    """`sbql diagram`. Returns the exit code. Raises UsageError, Stop, OSError when the output cannot be written."""
    asked = parser().parse_args(arguments)
    form = _form(asked)
    if asked.states and (asked.trace or asked.conversation):
        raise UsageError("diagram: --states draws all that there are; it goes without --trace and --conversation")
    try:
        picture = _picture(asked)
    except (LookupError, ValueError) as error:
        raise Stop(str(error.args[0] if error.args else error)) from None
    except SqlError as error:
        raise Stop(f"Msg {error.number}: {error.message}") from None
    text = f"{getattr(picture, form)}\n"
    if asked.output is None:
        sys.stdout.write(text)
        return EXIT_OK
    try:
        Path(asked.output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise Stop(f"cannot write {asked.output}: {error.strerror or error}") from None
    return EXIT_OK


def _form(asked: argparse.Namespace) -> str:
    """Raises UsageError."""
    if asked.form is not None or asked.output is None:
        return str(asked.form or "text")
    ending = Path(asked.output).suffix.lower()
    found = next((form for form, one in _FORMS.items() if one == ending), None)
    if found is None:
        raise UsageError(f"diagram: -o is a file .svg, .mmd or .txt, or -F says the format; not '{asked.output}'")
    return found


def _picture(asked: argparse.Namespace) -> Picture:
    """Raises LookupError, ValueError, SqlError, Stop."""
    from sbql.engine.pictures import conversation, conversation_states, recorded, topology

    if asked.states:
        return conversation_states()
    if asked.trace is not None:
        try:
            with FOOT.during(f"reading {asked.trace}"):
                return recorded(asked.trace, asked.conversation)
        except OSError as error:
            raise Stop(f"cannot read {asked.trace}: {error.strerror or error}") from None
    options = Options(
        store=asked.store, endpoint=asked.endpoint, server=asked.server, user=asked.user, password=asked.password, trusts=asked.trusts,
        database=asked.database,
    )  # fmt: skip
    if not any((asked.store, asked.endpoint, asked.server)):
        raise UsageError(
            "diagram: say what to draw: a store (--store FILE), a server (-S, --endpoint), --trace FILE or --states"
        )
    with opened(options, makes=False) as instance:
        session = connect(instance, options)
        return conversation(session, asked.conversation) if asked.conversation is not None else topology(session)
