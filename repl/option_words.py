"""The options of the command line by topic: their letters, what they take, what --help says of them.

What an argument may look like is decided by `argument_types`, what options mean together by `options`. It must import
nothing heavy.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

from sbql.repl.argument_types import code_pages, moment_of, seconds_of, time_limit, whole_number, width_of

__all__ = [
    "MAP_HELP", "add_errors", "add_output", "add_server", "add_time_and_place", "add_variables",
]  # fmt: skip

MAP_HELP = (
    "where an address of routes is in fact: Trader:4022=127.0.0.1:40221; without a host, where this instance listens"
)


def add_time_and_place(add: Callable[..., object]) -> None:
    add(
        "--clock",
        default="system",
        choices=("system", "virtual"),
        help="virtual: time that scripts move (sp_sbql_advance_clock)",
    )
    add(
        "--start",
        type=moment_of,
        metavar="DATE",
        help="when a virtual clock begins (UTC): 2008-01-31, 2008-01-31T12:00:00",
    )
    add("--map", dest="addresses", action="append", default=[], metavar="HOST:PORT=HOST:PORT", help=MAP_HELP)


def add_server(add: Callable[..., object]) -> None:
    add(
        "-S",
        dest="server",
        metavar="HOST,PORT",
        help="work with the server there that speaks SQL Server's protocol (sbql serve --listen)",
    )
    add("-U", dest="user", default="", metavar="LOGIN", help="the login there (default: SQLCMDUSER)")
    add("-P", dest="password", metavar="PASSWORD", help="its password (default: SQLCMDPASSWORD, or asked for)")
    add(
        "-N",
        "-Nm",
        dest="encryption",
        action="store_const",
        const="mandatory",
        default="optional",
        help="encrypt everything, and check the server's certificate",
    )
    add("-Ns", dest="encryption", action="store_const", const="strict", help="the same by TDS 8.0")
    add(
        "-No",
        dest="encryption",
        action="store_const",
        const="optional",
        help="encrypt the login at least, if the server can (default)",
    )
    add("-C", dest="trusts", action="store_true", help="believe any certificate of the server")
    add("-J", dest="certificate", metavar="FILE", help="believe this certificate (PEM)")
    add(
        "-l",
        dest="login_timeout",
        type=seconds_of,
        default=15.0,
        metavar="SECONDS",
        help="time for the login (default 15)",
    )
    add(
        "-E",
        dest="integrated",
        action="store_true",
        help="come as the owner of the store, as without it; there are no Windows accounts for -S",
    )


def add_errors(add: Callable[..., object]) -> None:
    add("-b", dest="stops", action="store_true", help="end with exit code 1 at the first error of severity 11 and more")
    add(
        "-V",
        dest="severity",
        type=whole_number,
        metavar="N",
        help="errors of severity N and more set the exit code to their severity; with -b, only they end",
    )
    add(
        "-t",
        dest="batch_limit",
        type=time_limit,
        metavar="SECONDS",
        help="time for a batch; what takes longer is stopped, an error",
    )
    add("-m", dest="shown", type=whole_number, default=0, metavar="N", help="show no errors below severity N")
    add("-r", "-r0", dest="redirects", action="store_const", const=0, help="errors go to standard error")
    add("-r1", dest="redirects", action="store_const", const=1, help="errors and other messages go to standard error")


def add_variables(add: Callable[..., object]) -> None:
    add(
        "-v",
        dest="variables",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help="scripting variable $(NAME)",
    )
    add("-x", dest="substitutes", action="store_false", help="leave $(NAME) as it is")
    add(
        "-X",
        dest="skips_programs",
        action="store_const",
        const=0,
        help="pass over !! and :ed with a warning, and take no variables from the environment; -X1: they end the script",
    )
    add("-X1", dest="skips_programs", action="store_const", const=1, help=argparse.SUPPRESS)


def add_output(add: Callable[..., object]) -> None:
    add("-o", dest="output", metavar="FILE", help="write results and messages to this file")
    add(
        "-F",
        "--format",
        dest="format",
        metavar="NAME",
        help="how results are written: horizontal, vertical (as sqlcmd's), table, csv, tsv, json, markdown, html, parquet, arrow",
    )
    add("-s", dest="separator", default=" ", metavar="CHAR", help="what stands between columns")
    add(
        "-y",
        dest="variable_width",
        type=width_of,
        default=0,
        metavar="N",
        help="show N characters of varchar(max), nvarchar(max), varbinary(max), xml and their like; 0: all",
    )
    add(
        "-Y",
        dest="fixed_width",
        type=width_of,
        default=0,
        metavar="N",
        help="show N characters of char, varchar(n), nchar, nvarchar(n) and sql_variant; 0: all",
    )
    add(
        "-k",
        dest="controls",
        action="store_const",
        const="",
        help="leave out control characters; -k1: a blank for each; -k2: for several",
    )
    add("-k1", dest="controls", action="store_const", const="each", help=argparse.SUPPRESS)
    add("-k2", dest="controls", action="store_const", const="run", help=argparse.SUPPRESS)
    add(
        "-f",
        dest="codepage",
        type=code_pages,
        default=(None, None),
        metavar="PAGE",
        help="code page of files: 1252, or i:1252,o:65001",
    )
    add("-u", dest="is_unicode", action="store_true", help="the file of -o is in UTF-16")
    add("-W", dest="trim", action="store_true", help="no padding of columns, no trailing blanks")
    add(
        "-h",
        dest="headers",
        type=whole_number,
        default=0,
        metavar="ROWS",
        help="header again after so many rows; -1: no header",
    )
    add("-e", dest="echoes", action="store_true", help="print every batch before it runs")
    add("-I", dest="quoted", action="store_true", help="QUOTED_IDENTIFIER is ON, as it always is at the start")
    add(
        "-w",
        dest="width",
        type=whole_number,
        metavar="N",
        help="lines are never wrapped, whatever N says",
    )
