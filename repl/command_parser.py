"""The parser of one of sbql's commands (`sbql test`, `sbql diagnose`, …): what all of them have in common.

Decides how a wrong command line is refused, that options are not abbreviated, and how a command is told where the store
or server is. It must not know a command.
"""

from __future__ import annotations

import argparse
from typing import NoReturn

from sbql.repl.options import UsageError

__all__ = ["add_place", "command_parser"]


class CommandParser(argparse.ArgumentParser):
    """Raises UsageError, which begins with the command's name."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{self.prog.removeprefix('sbql ')}: {message}")


def command_parser(name: str, description: str, examples: str) -> CommandParser:
    """The parser of `sbql NAME`, without options. `examples` stand below the help as they are."""
    return CommandParser(
        prog=f"sbql {name}", description=description, epilog=examples, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip


def add_place(parser: argparse.ArgumentParser, database: str) -> None:
    """The options that say where to look: `store`, `endpoint`, `server`, `user`, `password`, `trusts`, `database`.
    `database` says what that one is for."""
    add = parser.add_argument
    add("--store", metavar="FILE", help="the store; when another process serves it, that one is asked")
    add("--endpoint", metavar="URL", help="the server there, grpc://host:port; the token is in SBQL_TOKEN")
    add("-S", dest="server", metavar="HOST,PORT", help="the server there that speaks SQL Server's protocol")
    add("-U", dest="user", default="", metavar="LOGIN", help="the login there (default: SQLCMDUSER)")
    add("-P", dest="password", metavar="PASSWORD", help="its password (default: SQLCMDPASSWORD, or asked for)")
    add("-C", dest="trusts", action="store_true", help="believe any certificate of the server")
    add("-d", dest="database", default="master", metavar="NAME", help=f"{database} (default: master)")
