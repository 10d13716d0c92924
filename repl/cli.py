"""The command line: from arguments to an exit code.

It decides what runs in which order, where text goes, and what a failure looks like to a shell: every problem that a
user can cause is one clear line and exit code 1, never a traceback. Results and T-SQL errors go to standard output in
the order they arise, as in sqlcmd; what sbql itself has to say (log lines of activated procedures, notes) goes to
standard error. It must not know how statements run.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING, TextIO

from sbql.grammar.errors import SqlError
from sbql.repl.opening import Stop, connect, opened
from sbql.repl.options import (
    EXIT_ACTIVATED,
    EXIT_BUSY,
    EXIT_ERROR,
    EXIT_INTERRUPTED,
    EXIT_OK,
    PROGRAMS,
    Options,
    UsageError,
    parse_options,
)
from sbql.repl.progress import FOOT, Told
from sbql.repl.streams import note, prepare, silence
from sbql.repl.subcommands import SUBCOMMANDS, subcommand

if TYPE_CHECKING:
    from sbql.engine.scripts import Script
    from sbql.grammar.batches import ScriptVariables
    from sbql.repl.screen import Screen
    from sbql.repl.sessions import AnyInstance, AnySession
    from sbql.repl.view import View

__all__ = ["main"]

_COLLECT_AT = 10_000
"""Allocations between two looks of Python's collector, 700 by default. With 100,000 dialogs in memory that default
takes a quarter of the time of a SEND (tests/bench/backlog.py)."""


def main(arguments: list[str], *, is_process: bool = False) -> int:
    """Run the command line; `is_process`: the process is there for this alone. Returns the exit code; raises
    SystemExit for --help and --version only."""
    gc.set_threshold(max(_COLLECT_AT, gc.get_threshold()[0]))
    prepare()
    try:
        try:
            return _main(arguments, is_process)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:  # whoever read our output has gone (`sbql … | head`)
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        note(f"sbql: cannot write the output: {error.strerror or error}")
    return EXIT_ERROR


def _main(arguments: list[str], is_process: bool) -> int:
    """The same. Raises OSError when the output cannot be written."""
    command = subcommand(arguments[0]) if arguments else None
    debugs = False
    try:
        if command is not None:
            return command(arguments[1:])
        options = parse_options(arguments)
        debugs = options.debug
        if options.salvage is not None:
            return _salvage(options.salvage)
        return _check(options) if options.checks else _run(options, is_process)
    except UsageError as error:
        note(f"sbql: {error}. See: sbql {f'{arguments[0]} ' if command is not None else ''}--help")
        return EXIT_ERROR
    except Stop as stop:
        if stop.message:
            note(f"sbql: {stop.message}")
        return stop.code
    except KeyboardInterrupt:
        note("Interrupted.")
        return EXIT_INTERRUPTED
    except OSError:
        raise
    except Exception as error:
        if debugs:
            raise
        text = str(error).splitlines()
        note(f"sbql: internal error, please report it: {type(error).__name__}: {text[0] if text else ''}")
        note("(sbql --debug shows where it happened)")
        return EXIT_ERROR


# --- reading -----------------------------------------------------------------------------------------------


def _scripts(options: Options, variables: ScriptVariables) -> Iterator[Script]:
    """The scripts of the command line, each read when its turn comes; the variables stay from one to the next."""
    from sbql.engine.scripts import read_script, text_script

    if options.query is not None:
        yield text_script(
            options.query, "query", variables, substitutes=options.substitutes, encoding=options.input_encoding
        )
    for file in options.files:
        if file == "-":
            yield text_script(
                _standard_input(),
                "standard input",
                variables,
                substitutes=options.substitutes,
                encoding=options.input_encoding,
            )
        else:
            yield read_script(file, variables, substitutes=options.substitutes, encoding=options.input_encoding)


def _standard_input() -> str:
    try:
        return sys.stdin.read()
    except UnicodeDecodeError as error:
        raise Stop(f"standard input is not text: {error}") from None
    except OSError as error:
        raise Stop(f"cannot read standard input: {error.strerror or error}") from None


def _check(options: Options) -> int:
    """--check: every syntax error of every file, or of the query, with its place; and every directive that would end
    the run."""
    from sbql.engine.scripts import ScriptError, not_supported
    from sbql.grammar.batches import BatchText
    from sbql.grammar.parser import check
    from sbql.repl.script_place import ScriptPlace
    from sbql.repl.starting_variables import starting_variables

    worst = EXIT_OK
    texts = [(file, replace(options, files=[file], query=None)) for file in options.files]
    if options.query is not None:
        texts.append(("query", options))
    variables = starting_variables(options, "")
    for name, one in texts:
        found = 0
        try:
            for script in _scripts(one, variables):
                place = ScriptPlace(script.name, script.text)
                with FOOT.during(place.told):
                    for step in script.steps():
                        place.at(step)
                        if not isinstance(step, BatchText):
                            if step.name in PROGRAMS and options.skips_programs != 0:
                                found += 1
                                print(not_supported(step))
                            continue
                        for error in check(step.text, drop_if_exists=options.drop_if_exists):
                            found += 1
                            file, line = step.place.at(max(error.line, 1))
                            with FOOT.cleared(sys.stdout):
                                print(f"{file}:{line}:{max(error.column, 1)}: Msg {error.number}: {error.message}")
        except ScriptError as error:
            found += 1
            print(error)
        if found:
            worst = EXIT_ERROR
        else:
            print(f"{name}: no syntax errors")
    return worst


def _salvage(path: str) -> int:
    """--salvage: what can be read of a damaged store goes into a new one. Exit code 1 when anything is lost."""
    from sbql.catalog.salvage import salvage

    told = Told(f"saving {path}")

    def hear(table: str, done: int, of: int) -> None:
        nonlocal told
        told = Told(f"saving {path}: {table}", done, of)

    try:
        with FOOT.during(lambda: told):
            found = salvage(path, hear)
    except SqlError as error:
        raise Stop(error.message) from None
    print(f"{found.path}: saved {found.rows} rows, of {found.tables} tables, the queues and the catalog.")
    for loss in found.losses:
        print(f"lost: {loss}")
    if not found.losses:
        print("Nothing is lost.")
    return EXIT_ERROR if found.losses else EXIT_OK


# --- running -----------------------------------------------------------------------------------------------


def _run(options: Options, is_process: bool) -> int:
    if not options.files and options.query is None and not sys.stdin.isatty():
        options.files.append("-")
    for file in options.files:
        if file != "-" and (os.path.isdir(file) or not os.path.exists(file)):  # a pipe is read as well as a file
            why = "it is a folder" if os.path.isdir(file) else "no such file"
            raise Stop(f"cannot read {file}: {why}{_what_was_meant(file)}")
    with (
        _output(options) as out,
        opened(options, is_process=is_process) as instance,
        _trace(options, instance),
    ):
        session = connect(instance, options)
        code = EXIT_OK
        if options.files or options.query is not None:
            code = _run_scripts(options, instance, session, out)
            if not options.stays:
                return code
        from sbql.repl.loop import Prompt

        view, screen = _looks(options, out)
        return Prompt(instance, session, options, out, view, screen).run()


def _what_was_meant(file: str) -> str:
    """What to say of a script that is not there."""
    ending = os.path.splitext(file)[1]
    if not ending:
        return f". The commands of sbql are {', '.join(one.name for one in SUBCOMMANDS)}. See: sbql --help"
    return f". A store goes behind --store: sbql --store {file}" if ending == ".duckdb" else ""


def _looks(options: Options, out: TextIO) -> tuple[View, Screen | None]:
    """How results look: on a terminal as people like it, unless options of sqlcmd's tables are given;
    elsewhere as sqlcmd prints them."""
    from sbql.repl.view import View

    is_styled = (
        options.separator != " "
        or options.trim
        or options.headers != 0
        or bool(options.variable_width or options.fixed_width)
    )
    is_screen = out.isatty() and not is_styled
    view = View(options.format or ("table" if is_screen else "plain"))
    if view.is_file:
        view.path = options.output
    if not is_screen and view.format != "table":
        return view, None
    from sbql.repl.screen import Screen

    return view, Screen(out)


@contextlib.contextmanager
def _output(options: Options) -> Iterator[TextIO]:
    if options.output is None:
        yield sys.stdout
        return
    if options.format in ("parquet", "arrow"):  # written by pyarrow when rows are there
        _check_arrow(options.format, options.output)
        yield sys.stdout
        return
    try:
        file = open(options.output, "w", encoding=options.output_encoding, errors="replace")  # noqa: SIM115 (closed below)
    except OSError as error:
        raise Stop(f"cannot write {options.output}: {error.strerror}") from None
    with file:
        yield file


def _check_arrow(kind: str, path: str) -> None:
    """Raises Stop for a file that cannot be written, before anything runs."""
    if find_spec("pyarrow") is None:
        raise Stop(f"-F {kind} needs pyarrow: pip install pyarrow")
    folder = os.path.dirname(path) or "."
    if os.path.isdir(path):
        raise Stop(f"cannot write {path}: it is a folder")
    if not os.path.isdir(folder):
        raise Stop(f"cannot write {path}: there is no folder {folder}")


@contextlib.contextmanager
def _trace(options: Options, instance: AnyInstance) -> Iterator[None]:
    """--trace: a line on standard error for each event. --trace-file: each as JSON in a file, until the end."""
    if options.trace:
        from sbql.engine.broker.trace import CLASSES, event_text

        classes = [] if any(name.lower() == "broker" for name in options.trace) else options.trace
        try:
            instance.trace(lambda event: note(f"[trace] {event_text(event)}"), *classes)
        except KeyError as error:
            names = ", ".join(name.removeprefix("Broker:") for name in CLASSES)
            raise Stop(
                f"--trace {error.args[0]}: there is no such event class. There are broker (all), {names}"
            ) from None
    if options.trace_file is None:
        yield
        return
    from sbql.engine.tracing import TraceFile

    try:
        file = TraceFile(options.trace_file)
    except OSError as error:
        raise Stop(f"cannot write {options.trace_file}: {error.strerror or error}") from None
    stop = instance.trace(file)
    try:
        yield
    finally:
        stop()
        file.close()


def _run_scripts(options: Options, instance: AnyInstance, session: AnySession, out: TextIO) -> int:
    """Run the scripts, one after the other, on one session."""
    from sbql.engine.scripts import ScriptError
    from sbql.repl.render import log_text
    from sbql.repl.runner import wait_idle
    from sbql.repl.script_run import ScriptRun

    view, screen = _looks(options, out)
    view.pages, view.limit = False, 0
    run = ScriptRun(session, instance.name, options, out, note, view=view, screen=screen)
    stop_log = instance.listen_log(lambda record: note(log_text(record)))
    try:
        codes = (run.run(script) for script in _scripts(options, run.variables))
        code = next((code for code in codes if code is not None), None)
        if options.waits and not options.stays and (code is None or run.was_left):
            is_idle = wait_idle(instance, note, options.wait_limit)
            code = _last_code(options, instance, run.code if code is None else code, is_idle=is_idle)
        instance.flush_log()
        ended = run.code if code is None else code
        return EXIT_ERROR if ended == EXIT_OK and run.presenter.has_lost_rows else ended
    except ScriptError as error:
        raise Stop(str(error)) from None
    finally:
        stop_log()
        run.close()


def _last_code(options: Options, instance: AnyInstance, code: int, *, is_idle: bool) -> int:
    """The exit code after the wait for activated procedures: what the script itself has to say comes first."""
    if not is_idle:
        busy = "; ".join(instance.busy())
        note("Activated procedures have not come to rest; sbql ends without them." + (f" Busy: {busy}" if busy else ""))
        return code or EXIT_BUSY
    failures = instance.failures
    if failures and options.stops_on_error:
        note(f"Activated procedures have failed ({failures}): the [log] lines say how.")
        return code or EXIT_ACTIVATED
    return code
