"""What may stand on the command line, and what it means: sqlcmd's letters where sqlcmd has the option.

It decides spelling and defaults only. `-h` belongs to headers as in sqlcmd, so help is `--help` or `-?`. It must import
nothing heavy: `sbql --help` and a usage error do not load the engine.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from dataclasses import dataclass, field
from typing import Any, NoReturn

from sbql.grammar.build import described
from sbql.grammar.version import __version__
from sbql.repl import option_words
from sbql.repl.argument_types import seconds_of
from sbql.repl.view import format_named

__all__ = [
    "EXIT_ACTIVATED",
    "EXIT_BUSY",
    "EXIT_ERROR",
    "EXIT_INTERRUPTED",
    "EXIT_OK",
    "PROGRAMS",
    "Options",
    "UsageError",
    "command_line_parser",
    "parse_options",
]

EXIT_OK = 0
EXIT_ERROR = 1
EXIT_ACTIVATED = 2
EXIT_BUSY = 3
EXIT_INTERRUPTED = 130

PROGRAMS = frozenset({"!!", "ed"})
"""Directives that start a program: they end the run, or are passed over by -X."""

EXAMPLES = """\
examples:
  sbql                              open the prompt; an empty store in memory
  sbql demo.sql                     run a script; waits until activated procedures have finished
  sbql --store shop.duckdb demo.sql keep everything in a DuckDB file
  sbql -Q "SELECT * FROM sys.service_queues"
  sbql -b -v db=Shop -i setup.sql -i test.sql
                                    stop at the first error, exit code 1; $(db) in the scripts is Shop
  sbql -S 127.0.0.1,1433 -U sa      the prompt, on a server (sbql serve --listen, or SQL Server)
  sbql --check *.sql                look for syntax errors only
  cat demo.sql | sbql               read a script from a pipe

commands, each with --help:
  sbql test         run T-SQL scripts with expectations
  sbql diagnose     say why messages are stuck, and what repairs it
  sbql diagram      draw a conversation, the services of a database, the states of a conversation
  sbql trace        look at a recorded trace, as lines or as a page with a timeline
  sbql init         make a starter project
  sbql pair         make two services of different instances talk
  sbql serve        own a store, and let other processes work with it
  sbql ping         ask the server of a store whether it is there
  sbql external-activator  start programs when queues have messages for them
  sbql completion   print what makes a shell complete these commands

exit codes: 0 done (errors of statements do not count without -b or :on error exit), 1 error, 2 an activated procedure
            failed (-b), 3 activated procedures did not come to rest (--wait), 130 interrupted
"""

_WAIT = 600.0
_OF_SERVERS = frozenset("-H -K -G -M -g -j -a -L -z -Z -D".split())
"""Options of sqlcmd about servers, logins and connections that there are not here."""
_VARIABLE = re.compile(r"[A-Za-z_][\w-]*=")


class UsageError(Exception):
    """The command line cannot be understood. Its text says why."""


@dataclass(slots=True)
class Options:
    """A parsed command line."""

    files: list[str] = field(default_factory=list)
    query: str | None = None
    stays: bool = False
    """-q: go on with the prompt after the query."""
    stops_on_error: bool = False
    severity: int | None = None
    """-V: from which severity an error sets the exit code."""
    shown_severity: int = 0
    """-m: below which severity errors are not shown."""
    redirects: int | None = None
    """-r0, -r1: errors, or all messages, to standard error."""
    echoes: bool = False
    substitutes: bool = True
    skips_programs: int | None = None
    """-X: `!!` and :ed are passed over with a warning; -X1: they end the script. None: they are not supported."""
    variables: dict[str, str] = field(default_factory=dict)
    database: str = "master"
    admin: bool = False
    store: str | None = None
    endpoint: str | None = None
    """Where a server is: instead of a store."""
    server: str | None = None
    """-S: one that speaks SQL Server's protocol."""
    user: str = ""
    password: str | None = field(default=None, repr=False)
    encryption: str = "optional"
    trusts: bool = False
    certificate: str | None = None
    login_timeout: float = 15.0
    """Seconds."""
    clock: str = "system"
    start: float | None = None
    """When a virtual clock begins, in seconds since 1970-01-01 UTC."""
    addresses: list[str] = field(default_factory=list)
    salvage: str | None = None
    """A damaged store, to save what can be read of it."""
    error_log: str | None = None
    drop_if_exists: bool = False
    """Read IF EXISTS in every DROP, also where SQL Server has none."""
    trace: list[str] = field(default_factory=list)
    """Event classes to print, or "broker" for all of them."""
    trace_file: str | None = None
    """Where trace events go as JSON lines, all classes of them."""
    output: str | None = None
    format: str | None = None
    """A format of `repl.view`; None for the usual one."""
    separator: str = " "
    trim: bool = False
    variable_width: int = 0
    fixed_width: int = 0
    """-y, -Y: how much of a value is shown, by its type; 0 is all."""
    controls: str | None = None
    """-k: what stands for control characters, see `engine.result_text.Style`; None leaves them."""
    input_encoding: str | None = None
    output_encoding: str = "utf-8"
    batch_limit: float | None = None
    """-t: seconds for a batch."""
    headers: int = 0
    checks: bool = False
    waits: bool = True
    wait_limit: float | None = None
    """Seconds at the end of the script for activated procedures; None: a virtual clock's own limit."""
    debug: bool = False


class _Parser(argparse.ArgumentParser):
    def _print_message(self, message: str, file: Any = None) -> None:
        """As argparse's, which says nothing when help cannot be written."""
        (file or sys.stderr).write(message)

    def error(self, message: str) -> NoReturn:
        if message.startswith("unrecognized") and any(word[:2] in _OF_SERVERS for word in message.split()):
            message += ". Of sqlcmd's options for connections there are -S, -U, -P, -N, -C and -l"
        raise UsageError(message)


def command_line_parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="sbql",
        usage="sbql [options] [script.sql …]",
        description="Runs SQL Server Service Broker programs without SQL Server.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        add_help=False,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("scripts", nargs="*", metavar="script.sql", help="scripts to run, one after the other; - is standard input")
    add("-i", dest="inputs", action="append", default=[], metavar="FILE", help="the same; may be repeated, comes first")
    add("-Q", dest="query", metavar="TEXT", help="run this text and end")
    add("-q", dest="query_stay", metavar="TEXT", help="run this text and go on at the prompt")
    option_words.add_errors(add)
    option_words.add_variables(add)
    add("-d", dest="database", default="master", metavar="NAME", help="database to start in (default: master)")
    add(
        "-A",
        dest="admin",
        action="store_true",
        help="use the dedicated administrator connection, which sees base tables",
    )
    option_words.add_output(add)
    add("--check", dest="checks", action="store_true", help="only report syntax errors, each with its place")
    add("--store", metavar="FILE", help="DuckDB file to keep everything in (default: in memory)")
    add("--endpoint", metavar="URL", help="work with the server there, grpc://host:port; the token is in SBQL_TOKEN")
    option_words.add_server(add)
    add(
        "--salvage",
        metavar="FILE",
        help="save what can be read of a damaged store into a new one, and say what is lost",
    )
    option_words.add_time_and_place(add)
    add("--drop-if-exists", action="store_true", help="DROP QUEUE IF EXISTS and its like, which SQL Server refuses")
    add("--errorlog", metavar="FILE", help="write the error log to this file too, after what it already has")
    add(
        "--trace",
        action="append",
        default=[],
        metavar="CLASS",
        help="print trace events to standard error: broker (all), Activation …",
    )
    add("--trace-file", metavar="FILE", help="write every trace event to this file, for `sbql trace`")
    add(
        "--no-wait",
        dest="waits",
        action="store_false",
        help="end with the script, whatever activated procedures still do",
    )
    add(
        "--wait",
        type=seconds_of,
        metavar="SECONDS",
        help=f"how long to wait for activated procedures at the end (default {_WAIT:g})",
    )
    add("--debug", action="store_true", help="show the Python traceback of an internal error")
    add("--version", action="version", version=_version(), help="show the version")
    add("-?", "--help", action="help", help="show this text")
    return parser


def _version() -> str:
    return f"sbql {__version__} ({described()})"


def parse_options(arguments: list[str]) -> Options:
    """Raises UsageError; SystemExit after --help and --version."""
    found = command_line_parser().parse_intermixed_args(arguments)
    options = Options(
        files=[*(file for names in found.inputs for file in _files(names)), *found.scripts],
        query=found.query if found.query is not None else found.query_stay,
        stays=found.query_stay is not None,
        stops_on_error=found.stops,
        severity=found.severity,
        shown_severity=found.shown,
        redirects=found.redirects,
        echoes=found.echoes,
        substitutes=found.substitutes,
        skips_programs=found.skips_programs,
        database=found.database,
        admin=found.admin,
        store=found.store,
        endpoint=found.endpoint,
        server=found.server,
        user=found.user,
        password=found.password,
        encryption=found.encryption,
        trusts=found.trusts,
        certificate=found.certificate,
        login_timeout=found.login_timeout or 1e9,
        salvage=found.salvage,
        clock=found.clock,
        start=found.start,
        addresses=found.addresses,
        error_log=found.errorlog,
        drop_if_exists=found.drop_if_exists,
        trace=found.trace,
        trace_file=found.trace_file,
        output=found.output,
        format=_format(found.format),
        separator=found.separator,
        trim=found.trim,
        variable_width=found.variable_width,
        fixed_width=found.fixed_width,
        controls=found.controls,
        input_encoding=found.codepage[0],
        output_encoding="utf-16" if found.is_unicode else found.codepage[1] or "utf-8",
        batch_limit=found.batch_limit or None,
        headers=found.headers,
        checks=found.checks,
        waits=found.waits,
        wait_limit=_WAIT if found.wait is None and found.clock == "system" else found.wait,
        debug=found.debug,
    )
    for place, text in enumerate(found.variables):
        if not place and not _VARIABLE.match(text):
            raise UsageError(f"-v takes NAME=VALUE, a letter or _ first, not {text}")
        if _VARIABLE.match(text):
            name, _, value = text.partition("=")
            options.variables[name] = value.removeprefix('"').removesuffix('"')
        else:
            options.files.append(text)  # `-v a=1 script.sql`: -v takes several, as in sqlcmd
    _refuse_what_does_not_go_together(options, found)
    if options.checks and not options.files and options.query is None:
        if sys.stdin.isatty():
            raise UsageError("--check needs at least one file, or a query (-Q)")
        options.files.append("-")
    return options


def _refuse_what_does_not_go_together(options: Options, found: argparse.Namespace) -> None:
    if found.query is not None and found.query_stay is not None:
        raise UsageError("give either -q or -Q, not both")
    if sum(place is not None for place in (options.store, options.endpoint, options.server)) > 1:
        raise UsageError("give one of --store, --endpoint and -S")
    if options.start is not None and options.clock != "virtual":
        raise UsageError("--start is the beginning of a virtual clock: --clock virtual")
    if found.integrated and options.server is not None:
        raise UsageError(
            "-E: there are SQL logins only, no Windows accounts. Give -U and -P; who owns the store uses --store instead of -S"
        )
    if options.server is None and (options.user or options.password is not None):
        raise UsageError("-U and -P go with -S: a store and an endpoint know who comes")
    if found.is_unicode and options.output is None:
        raise UsageError("-u writes a file in UTF-16: give its name with -o")
    if options.format in ("parquet", "arrow") and options.output is None:
        raise UsageError(f"-F {options.format} writes a file: give its name, -o result.{options.format}")
    if options.query is not None and options.files:
        raise UsageError("give either scripts or a query (-q, -Q), not both")


def _format(name: str | None) -> str | None:
    try:
        return format_named(name, usual="") or None if name is not None else None
    except ValueError as error:
        raise UsageError(f"-F: {error}") from None


def _files(names: str) -> list[str]:
    """`-i a.sql,b.sql` names two files, unless there is one of this name."""
    return [names] if "," not in names or os.path.exists(names) else [name.strip() for name in names.split(",")]
