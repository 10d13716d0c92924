"""What Tab offers at the prompt, as prompt_toolkit wants it: commands and their arguments, and
whatever `suggestions` has for T-SQL.

It decides only which of the two a line is. It must not run anything for whoever types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from sbql.grammar.script_lines import LineState, open_part
from sbql.repl.commands.command import CommandError
from sbql.repl.commands.table import COMMANDS, find
from sbql.repl.known_names import KnownNames
from sbql.repl.suggestions import Known, suggest

__all__ = ["TSqlCompleter", "command_offers"]

_ANY = ("table", "queue", "procedure", "function", "service", "contract", "message type", "route", "database")


class TSqlCompleter(Completer):
    """The completer that prompt_toolkit asks. `database` says in which one somebody is."""

    def __init__(self, names: KnownNames, database: Callable[[], str]) -> None:
        self._names = names
        self._database = database

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        known = self._names.of(self._database())
        line = document.current_line_before_cursor
        if line.startswith("\\") and _is_plain(document.text_before_cursor[: -len(line)]):
            for word, length, meta in command_offers(line, known):
                yield Completion(word, start_position=-length, display_meta=meta)
            return
        before = open_part(document.text_before_cursor)
        for offer in suggest(before + document.text_after_cursor, len(before), known):
            yield Completion(
                offer.text, start_position=-offer.length, display_meta="" if offer.kind == "word" else offer.kind
            )


def command_offers(line: str, known: Known) -> list[tuple[str, int, str]]:
    """Of a line that begins with a backslash: the word, how many characters it takes the place of, and what it is."""
    name, blank, argument = line[1:].partition(" ")
    if not blank:
        return [(f"\\{command.name}", len(line), command.help) for command in COMMANDS if command.name.startswith(name)]
    try:
        command = find(name)
    except CommandError:
        return []
    kinds = _ANY if command.completes == "any" else (command.completes,)
    names = sorted({(found, kind) for kind in kinds for found in known.names.get(kind, ())})
    return [(found, len(argument), kind) for found, kind in names if found.lower().startswith(argument.lower())]


def _is_plain(text: str) -> bool:
    state = LineState()
    for line in text.splitlines():
        state.skip(line)
    return state.is_plain
