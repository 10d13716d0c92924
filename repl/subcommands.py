"""`sbql serve` and its like: the words that are commands when they stand first, in the order in which they are listed.

It decides names only, and loads a command when it is asked for. `./serve` and `-i serve` are
files. It must not know what commands do.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from msgspec import Struct

__all__ = ["SUBCOMMANDS", "parsers", "subcommand"]


class Subcommand(Struct, frozen=True):
    """`help`: what it does, in a few words. `load` gives its parser and what runs it
    with the arguments behind its name."""

    name: str
    help: str
    load: Callable[[], tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]]


def _diagnose() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl import why

    return why.parser, why.run


def _test() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl.testing import command

    return command.parser, command.run


def _pair() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl import pair

    return pair.parser, pair.run


def _diagram() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl import diagram

    return diagram.parser, diagram.run


def _trace() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl import trace_command

    return trace_command.parser, trace_command.run


def _init() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl import starter_project

    return starter_project.parser, starter_project.run


def _serve() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl import serve

    return serve.serve_parser, serve.COMMANDS["serve"]


def _ping() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl import serve

    return serve.ping_parser, serve.COMMANDS["ping"]


def _external_activator() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl.activator import command

    return command.parser, command.run


def _completion() -> tuple[Callable[[], argparse.ArgumentParser], Callable[[list[str]], int]]:
    from sbql.repl import shell_completion
    from sbql.repl.options import command_line_parser

    def run(arguments: Sequence[str]) -> int:
        helps = {one.name: one.help for one in SUBCOMMANDS}
        return shell_completion.run(arguments, {"": command_line_parser(), **parsers()}, helps)

    return shell_completion.parser, run


SUBCOMMANDS = (
    Subcommand("test", "run T-SQL scripts with expectations", _test),
    Subcommand("diagnose", "say why messages are stuck, and what repairs it", _diagnose),
    Subcommand("diagram", "draw a conversation, the services of a database, the states of a conversation", _diagram),
    Subcommand("trace", "look at a recorded trace, as lines or as a page with a timeline", _trace),
    Subcommand("init", "make a starter project", _init),
    Subcommand("pair", "make two services of different instances talk", _pair),
    Subcommand("serve", "own a store, and let other processes work with it", _serve),
    Subcommand("ping", "ask the server of a store whether it is there", _ping),
    Subcommand("external-activator", "start programs when queues have messages for them", _external_activator),
    Subcommand("completion", "print what makes a shell complete these commands", _completion),
)


def subcommand(word: str) -> Callable[[list[str]], int] | None:
    """What runs the command of this name; None when there is none."""
    found = next((one for one in SUBCOMMANDS if one.name == word), None)
    return found.load()[1] if found is not None else None


def parsers() -> dict[str, argparse.ArgumentParser]:
    """The parser of each command, by its name."""
    return {one.name: one.load()[0]() for one in SUBCOMMANDS}
