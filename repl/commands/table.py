"""The registry: one row a command, in the order in which `\\?` lists them.

It decides the names, and that a beginning of a name will do where only one command begins with
it. It must not know what commands do.
"""

from __future__ import annotations

import textwrap

from sbql.repl.commands import listings, looks, pictures, tour, working
from sbql.repl.commands.command import Command, CommandError, Desk
from sbql.repl.commands.conversation import conversation
from sbql.repl.commands.pages import PAGES
from sbql.repl.commands.why import why

__all__ = ["COMMANDS", "find", "help_text", "page_text"]


_NAMES = 24
"""Columns of the list for names and arguments."""


_WIDE = 80
"""Columns of the page of a command."""


def _help(desk: Desk, argument: str) -> None:
    desk.say(page_text(argument.strip().removeprefix("\\")) if argument.strip() else help_text())


COMMANDS = (
    Command("?", "[COMMAND]", "this list; all about a command", _help),
    Command("databases", "[like]", "databases, and whether their brokers run", listings.databases, "database"),
    Command("types", "[like]", "message types and what they check", listings.types, "message type"),
    Command("contracts", "[like]", "contracts: which side sends which message types", listings.contracts, "contract"),
    Command("queues", "[like]", "queues: messages, activation, whether they are on", listings.queues, "queue"),
    Command("services", "[like]", "services, their queues and contracts", listings.services, "service"),
    Command("routes", "[like]", "routes", listings.routes, "route"),
    Command("procedures", "[like]", "procedures, parameters, the queues that start them", listings.procedures, "procedure"),
    Command("tables", "[like]", "tables and views", listings.tables, "table"),
    Command("describe", "NAME", "whatever has this name: columns, parameters, text", listings.describe, "any"),
    Command("conversations", "[like]", "endpoints of conversations, by service", listings.conversations, "service"),
    Command("groups", "[like]", "conversation groups, by service", listings.groups, "service"),
    Command("transmission", "[like]", "messages that wait to be transmitted, and why", listings.transmission, "service"),
    Command("tasks", "", "activated procedures that run, and the queue monitors", listings.tasks),
    Command("peek", "QUEUE [n]", "the first messages of a queue, which stay there", listings.peek, "queue"),
    Command("conversation", "[ID]", "one conversation from BEGIN to END, on both sides", conversation),
    Command("diagram", "[ID|states] [FILE]", "draws services, a conversation, or its states", pictures.diagram),
    Command("why", "[ID|QUEUE|FROM TO|repair]", "why messages are stuck, and what repairs it", why, "queue"),
    Command("watch", "[n]", "runs the lines above, or the last batch, every n s", working.watch),
    Command("trace", "on [CLASS]|off", "shows what the broker does, as it happens", working.trace),
    Command("session", "[new|n|close n]", "further sessions, and which one you are in", working.session),
    Command("background", "", "runs the lines above; you go on in another session", working.background),
    Command("cancel", "[n]", "stops what runs in the background, in session n", working.cancel),
    Command("clock", "[90s|5m|2h]", "the server's time; moves a virtual clock on", working.clock),
    Command("e", "", "the lines above, or the last batch, in $EDITOR", working.edit),
    Command("tour", "[n|end]", "a first dialog, step by step", tour.tour),
    Command("x", "[on|off|auto]", "rows stand upright; auto: when they are too wide", looks.expanded),
    Command("format", "[NAME [FILE]]", "table, vertical, csv, json, parquet …, into a file", looks.output_format),
    Command("bodies", "[text|hex]", "how bodies of messages are shown", looks.bodies),
    Command("limit", "[n]", "how many rows of a result are shown; 0 for all", looks.limit),
    Command("pager", "[on|off]", "a pager for what is longer than the screen", looks.pager),
    Command("status", "[on|off]", "the line below the input", looks.status),
    Command("timing", "[on|off]", "how long each batch takes", looks.timing),
)  # fmt: skip


def find(word: str) -> Command:
    """The command of this name without its backslash, or the only one that begins so. Raises CommandError."""
    for command in COMMANDS:
        if command.name == word:
            return command
    found = [command for command in COMMANDS if word and command.name.startswith(word)]
    if len(found) == 1:
        return found[0]
    if found:
        choice = " or ".join("\\" + command.name for command in found)
        raise CommandError(f"\\{word} may be {choice}. Write more of it.")
    raise CommandError(f"There is no command \\{word}. \\? lists them.")


def page_text(word: str) -> str:
    """All about one command. Raises CommandError."""
    command = find(word)
    about, example = PAGES[command.name]
    lines = textwrap.wrap(about, _WIDE)
    typed = "\n".join(f"  {line}" for line in example.splitlines())
    return "\n".join([f"\\{command.name} {command.arguments}".rstrip(), command.help, "", *lines, "", typed])


def help_text() -> str:
    """A line a command; a long one takes two."""
    lines = []
    for command in COMMANDS:
        name = f"\\{command.name} {command.arguments}".rstrip()
        lines.append(
            f"{name.ljust(_NAMES)}  {command.help}"
            if len(name) <= _NAMES
            else f"{name}\n{' ' * _NAMES}  {command.help}"
        )
    return "\n".join(lines)
