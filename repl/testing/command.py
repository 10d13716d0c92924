"""`sbql test`: runs T-SQL scripts with expectations, and says how they went.

It decides the command line, the order of things and the exit code, which are pytest's. It
must not know what an expectation is.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sbql.grammar.errors import SqlError
from sbql.grammar.version import __version__
from sbql.repl.argument_types import moment_of, whole_number
from sbql.repl.command_parser import command_parser
from sbql.repl.opening import Stop
from sbql.repl.options import UsageError
from sbql.repl.progress import FOOT
from sbql.repl.streams import note
from sbql.repl.testing.ini import setup_in

__all__ = ["parser", "run"]

if TYPE_CHECKING:
    from sbql.engine.instance import Instance
    from sbql.engine.prepared import PreparedInstance
    from sbql.engine.simulated_network import Network
    from sbql.repl.testing.report import Report
    from sbql.repl.testing.results import Result
    from sbql.repl.testing.stages import OpenInstance, OpenNetwork

EXIT_PASSED = 0
EXIT_FAILED = 1
EXIT_INTERRUPTED = 2
EXIT_SETUP = 3
EXIT_USAGE = 4
EXIT_NOTHING = 5

_EXAMPLES = """\
examples:
  sbql test                          the scripts with expectations in this folder and below it
  sbql test tests/ -k "order and not slow"
  sbql test -x -v test_orders.sql    a line for each script; stop at the first that fails
  sbql test --junitxml results.xml --durations 5 tests/
  sbql test --set db=Shop tests/     $(db) in the scripts is Shop

A script is a test when an expectation stands behind a GO, as a comment:

  SELECT status FROM Orders WHERE id = 1;
  GO
  --! rows
  --! paid

exit codes: 0 all passed, 1 some failed, 2 interrupted, 3 --setup failed, 4 the command line cannot be understood, 5 there are no scripts
"""


def parser() -> argparse.ArgumentParser:
    """The options of `sbql test`."""
    made = command_parser(
        "test",
        "Runs T-SQL scripts with expectations, each on a new instance in memory with a clock of its own.",
        _EXAMPLES,
    )
    add = made.add_argument
    add("paths", nargs="*", metavar="PATH", help="scripts, and folders to look for them in (default: this folder)")
    add("-k", dest="keyword", metavar="WORDS", help="only scripts whose path has these words; and, or, not, ( )")
    add("-x", "--exitfirst", dest="most", action="store_const", const=1, help="stop at the first script that fails")
    add("--maxfail", dest="most", type=whole_number, metavar="N", help="stop when N scripts have failed")
    add("-v", "--verbose", action="count", default=0, help="a line for each script")
    add("-q", "--quiet", action="count", default=0, help="only failures and how it ended")
    add("--collect-only", action="store_true", help="only list the scripts")
    add("--durations", type=whole_number, default=0, metavar="N", help="list the N slowest scripts")
    add("--junitxml", metavar="FILE", help="write the results to this file too, as JUnit XML")
    add("--set", dest="variables", action="append", default=[], metavar="NAME=VALUE", help="scripting variable $(NAME)")
    add(
        "--setup",
        action="append",
        default=[],
        metavar="FILE",
        help="script that sets the application up, once; each test gets a copy (default: sbql_setup in pytest.ini here)",
    )
    add("--seed", type=whole_number, default=0, metavar="N", help="another order of tasks, and other GUIDs (default 0)")
    add("--start", type=moment_of, metavar="DATE", help="when the virtual clock begins, in UTC (default 2026-01-01)")
    return made


def run(arguments: Sequence[str]) -> int:
    """`sbql test`. Returns the exit code; raises OSError when the output cannot be
    written, Stop when the set-up fails."""
    try:
        asked = parser().parse_args(arguments)
        asked.setup = asked.setup or setup_in(Path())
        variables = _variables(asked.variables)
        scripts, deselected = _scripts(asked)
    except UsageError as error:
        note(f"sbql: {error}. See: sbql test --help")
        return EXIT_USAGE
    if asked.collect_only:
        print("".join(f"{script}\n" for script in scripts), end="")
        code = EXIT_PASSED if scripts else EXIT_NOTHING
    else:
        with _opener(asked, variables) as openers:
            code = _play(asked, openers, scripts, deselected, variables)
        if code == EXIT_FAILED and not asked.setup:
            _note_other_setups(scripts)
    if not scripts and not deselected:
        from sbql.repl.testing.collecting import why_nothing

        sys.stdout.flush()
        note(why_nothing(asked.paths or ["."]))
    return code


def _note_other_setups(scripts: Iterable[Path]) -> None:
    """Scripts that fail for want of a set-up: say where there is one that was not asked for."""
    for folder in sorted({script.parent for script in scripts}):
        with contextlib.suppress(UsageError):
            if setup_in(folder):
                sys.stdout.flush()
                note(f"sbql: {folder} has a set-up of its own (sbql_setup). Run sbql test in it, or give --setup")


def _play(
    asked: argparse.Namespace,
    openers: _Openers,
    scripts: Sequence[Path],
    deselected: int,
    variables: dict[str, str],
) -> int:
    """Run the scripts and say how they went. Returns the exit code."""
    from sbql.repl.testing.report import Report

    report = Report(sys.stdout, min(asked.verbose, 1) - min(asked.quiet, 1))
    report.begin(__version__, len(scripts), deselected)
    began, results, notice = time.monotonic(), [], ""
    try:
        with FOOT.during(report.told):
            for result in _results(scripts, variables, asked.seed, openers, report):
                results.append(result)
                if asked.most and sum(one.outcome != "passed" for one in results) >= asked.most:
                    notice = f"stopping after {asked.most} {'failure' if asked.most == 1 else 'failures'}"
                    break
    except KeyboardInterrupt:
        notice = "Interrupted"
    seconds = time.monotonic() - began
    report.end(results, seconds, asked.durations, notice)
    if asked.junitxml is not None and not _write_junit(asked.junitxml, results, seconds):
        return EXIT_USAGE
    if notice == "Interrupted":
        return EXIT_INTERRUPTED
    if any(result.outcome != "passed" for result in results):
        return EXIT_FAILED
    return EXIT_PASSED if results else EXIT_NOTHING


def _scripts(asked: argparse.Namespace) -> tuple[list[Path], int]:
    """The scripts to run, and how many -k leaves out. Raises UsageError."""
    from sbql.repl.testing.collecting import collect, keyword

    if asked.most is not None and asked.most < 1:
        raise UsageError(f"test: --maxfail is a number from 1 on, not {asked.most}")
    try:
        found = collect(asked.paths or ["."])
    except FileNotFoundError as error:
        raise UsageError(f"test: there is no file or folder {error}") from None
    if asked.keyword is None:
        return found, 0
    try:
        is_asked = keyword(asked.keyword)
    except ValueError as error:
        raise UsageError(f"test: -k '{asked.keyword}': {error}") from None
    scripts = [script for script in found if is_asked(str(script))]
    return scripts, len(found) - len(scripts)


def _variables(texts: Sequence[str]) -> dict[str, str]:
    for text in texts:
        if "=" not in text:
            raise UsageError(f"test: --set takes NAME=VALUE, not '{text}'")
    return dict(text.split("=", 1) for text in texts)


def _results(
    scripts: Sequence[Path], variables: dict[str, str], seed: int, openers: _Openers, report: Report
) -> Iterator[Result]:
    """Run the scripts, one after the other."""
    from sbql.repl.testing.playing import run_script
    from sbql.repl.testing.results import result_of

    for script in scripts:
        name = os.fspath(script)
        report.start(name)
        run_one = partial(run_script, script, seed=seed, open_instance=openers.one, open_network=openers.several)
        result = result_of(name, partial(run_one, variables=dict(variables)))
        report.add(result)
        yield result


def _open(path: str | None, seed: int, *, start: float | None) -> Instance:
    from sbql.engine.instance import Instance

    return Instance.open(path, clock="virtual", seed=seed, start=start)


def _open_network(folder: Path, seed: int, *, start: float | None) -> Network:
    from sbql.engine.simulated_network import Network

    return Network(seed, folder=folder) if start is None else Network(seed, folder=folder, start=start)


def _no_network(folder: Path, seed: int) -> Network:
    from sbql.engine.scripts import ScriptError

    raise ScriptError("--setup prepares one instance, and the script has several: include what sets them up by :r")


class _Openers(NamedTuple):
    """How a script gets its instance, or its instances."""

    one: OpenInstance
    several: OpenNetwork


@contextlib.contextmanager
def _opener(asked: argparse.Namespace, variables: dict[str, str]) -> Iterator[_Openers]:
    """New instances, or copies of one on which the scripts of --setup have run. Raises Stop."""
    if not asked.setup:
        yield _Openers(partial(_open, start=asked.start), partial(_open_network, start=asked.start))
        return
    prepared = _prepared(asked, variables)
    try:
        yield _Openers(lambda path, seed: prepared.open(path, seed=None if seed == asked.seed else seed), _no_network)
    finally:
        prepared.close()


def _prepared(asked: argparse.Namespace, variables: dict[str, str]) -> PreparedInstance:
    """The instance on which the scripts of --setup have run. Raises Stop."""
    from sbql.engine.instance import Instance
    from sbql.engine.patience import NeverWakes
    from sbql.engine.prepared import PreparedInstance
    from sbql.engine.scripts import ScriptError, read_script, run_batches
    from sbql.repl.render import error_text

    instance = Instance.open(clock="virtual", seed=asked.seed, start=asked.start)
    try:
        session = instance.connect()
        for file in asked.setup:
            with FOOT.during(f"setting up by {file}"):
                _, failures = run_batches(read_script(file, variables).batches(), lambda batch: session.run(batch.text))
            if failures:
                raise Stop(error_text(failures[0].error, failures[0].batch.place), EXIT_SETUP)
        if session.trancount == 0:
            session.close()
        return PreparedInstance(instance)
    except (ScriptError, SqlError, NeverWakes) as error:
        raise Stop(str(error), EXIT_SETUP) from None
    finally:
        instance.close()


def _write_junit(path: str, results: Sequence[Result], seconds: float) -> bool:
    from sbql.engine.host import SystemHost, local_time
    from sbql.repl.testing.junit import junit_xml

    host = SystemHost()
    document = junit_xml(results, local_time(host, host.now() - seconds), seconds)
    try:
        with contextlib.suppress(FileExistsError):
            Path(path).parent.mkdir(parents=True)
        Path(path).write_bytes(document)
    except OSError as error:
        note(f"sbql: cannot write {path}: {error.strerror or error}")
        return False
    return True
