"""Tries one mutant: in a copy of the package under build/, with the tests that run its line.

Which tests those are is recorded once, by coverage.py with one context a test, and kept as long as sources and tests
are the same. A trial is a fork of this process, which has loaded pytest and the libraries but nothing of sbql, so that
a trial begins in a moment. It must not know how mutants are made.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sys
import time
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import coverage
import duckdb  # noqa: F401 - every fork has it then
import elementpath  # noqa: F401
import hypothesis  # noqa: F401
import lark  # noqa: F401
import msgspec  # noqa: F401
import numpy  # noqa: F401
import pytest

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "build" / "mutation"
TREE = BUILD / "tree"
FOLDERS: dict[str, str] = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["package-dir"]

CANDIDATES = (
    "tests/unit/broker",
    "tests/unit/network",
    "tests/unit/streaming",
    "tests/unit/subscriptions",
    *(
        f"tests/simulation/test_{name}.py"
        for name in (
            "consumers",
            "dialog_security",
            "far_monologs",
            "held_arrivals",
            "late_receipts",
            "mirrored_routes",
        )
    ),
    *(f"tests/simulation/test_network{part}.py" for part in ("", "_counters", "_logins", "_routing", "_trace")),
    *(f"tests/simulation/test_{name}.py" for name in ("paged_transmission", "peer_changes")),
    *(
        f"tests/unit/catalog/test_{name}.py"
        for name in ("broker_log", "journal", "journal_pen", "log_interrupts", "log_ring", "store", "unit_of_work")
    ),
    *(
        f"tests/unit/test_{name}.py"
        for name in ("commit_order", "ended_sessions", "failing_activation", "final_wait", "keys")
    ),
    *(f"tests/unit/test_{name}.py" for name in ("late_deadlines", "notices", "statement_scope", "waiting")),
    "tests/unit/spec/test_monitoring.py",
    "tests/crash/test_damaged_log.py",
    "tests/sql",
)
"""Where the tests are looked for: small and fast, and repeated exactly."""

TOPICS = (
    "broker/",
    "databases/",
    "ddl/",
    "flows/",
    "monologs/",
    "network/",
    "security/event_",
    "transactions/",
    "views/",
)
"""Of tests/sql."""

TOO_LONG = 60.0
"""Seconds: a test that took longer is not used."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """`seconds`: what each test took. `lines[file][line]`: the tests that run it."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, list[str]]]

    def tests_of(self, module: str, line: int) -> list[str]:
        """The tests of a line, the fast ones first; those of the whole module for a
        line that runs when it is imported."""
        lines = self.lines.get(module, {})
        found = lines.get(line)
        if found is None:
            found = sorted({test for tests in lines.values() for test in tests})
        return sorted(found, key=lambda test: self.seconds[test])


def copy_package() -> None:
    """The folders become the package `sbql` under TREE, as they are once installed. What did
    not change keeps its compiled form."""
    for package, folder in FOLDERS.items():
        target = TREE.joinpath(*package.split("."))
        for path in (ROOT / folder).rglob("*"):
            copy = target / path.relative_to(ROOT / folder)
            if path.is_dir() or path.suffix == ".pyc":
                continue
            if not copy.exists() or copy.read_bytes() != path.read_bytes():
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(path.read_bytes())


def place_of(module: str) -> Path:
    """The copy of a module that is named by its path from the root."""
    folder, _, rest = module.partition("/")
    (package,) = (package for package, source in FOLDERS.items() if source == folder)
    return TREE.joinpath(*package.split("."), rest)


def digest(paths: Iterable[Path]) -> str:
    made = hashlib.sha256()
    for path in sorted(paths):
        made.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes())
    return made.hexdigest()[:16]


def recorded(modules: list[str]) -> Recorded:
    """Which tests run which line of the modules; from build/ when neither they nor the tests have changed."""
    found = [path for suffix in ("*.py", "*.sql") for path in (ROOT / "tests").rglob(suffix)]
    tests = [path for path in found if path.parent != Path(__file__).parent]
    kept = BUILD / f"lines-{digest([*tests, *(ROOT / module for module in modules)])}.json"
    if not kept.exists():
        status, _ = in_fork(lambda: _record(modules, kept), limit=3600)
        if status or not kept.exists():
            raise SystemExit("the tests do not pass without a mutant; see " + str(BUILD / "output.txt"))
    told = json.loads(kept.read_text())
    lines = {file: {int(line): tests for line, tests in found.items()} for file, found in told["lines"].items()}
    return Recorded(told["seconds"], lines)


class _Recorder:
    """A pytest plugin: one coverage context a test, and how long each took."""

    def __init__(self, measured: coverage.Coverage) -> None:
        self.measured = measured
        self.seconds: dict[str, float] = {}
        self.failed: list[str] = []

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if not _other_topic(item)]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Any:
        self.measured.switch_context(item.nodeid)
        began = time.monotonic()
        yield
        self.seconds[item.nodeid] = time.monotonic() - began
        self.measured.switch_context("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.append(report.nodeid)


def _other_topic(item: pytest.Item) -> bool:
    """A script of another topic."""
    return item.nodeid.startswith("tests/sql/") and not item.name.startswith(tuple(f"test_script[{t}" for t in TOPICS))


def _record(modules: list[str], kept: Path) -> int:
    places = {str(place_of(module)): module for module in modules}
    measured = coverage.Coverage(data_file=None, include=list(places))
    recorder = _Recorder(measured)
    measured.start()
    _pytest(CANDIDATES, ["--timeout=120"], [recorder])
    measured.stop()
    good = {test for test, took in recorder.seconds.items() if took <= TOO_LONG} - set(recorder.failed)
    data = measured.get_data()
    lines = {
        places[file]: {
            line: found for line, tests in data.contexts_by_lineno(file).items() if (found := sorted(good & set(tests)))
        }
        for file in data.measured_files()
        if file in places
    }
    kept.write_text(json.dumps({"seconds": {t: recorder.seconds[t] for t in sorted(good)}, "lines": lines}))
    return 0


def survives(module: str, text: str, tests: list[str], limit: float) -> bool:
    """Whether all tests pass with `text` in the place of the module. A trial that does not end
    within `limit` seconds is a kill."""
    place = place_of(module)
    before = place.read_bytes()
    for compiled in (place.parent / "__pycache__").glob(f"{place.stem}.*"):
        compiled.unlink()  # its time stamp has whole seconds only
    place.write_text(text, encoding="utf-8")
    try:
        files = sorted({test.partition("::")[0] for test in tests})
        status, ended = in_fork(lambda: _pytest(files, ["-x", "--timeout=60"], [_Chosen(tests)]), limit)
    finally:
        place.write_bytes(before)
    output = BUILD / "output.txt"
    if status == int(pytest.ExitCode.USAGE_ERROR) and "while loading conftest" in output.read_text(encoding="utf-8"):
        return False  # it cannot even be imported
    if status in (int(pytest.ExitCode.USAGE_ERROR), int(pytest.ExitCode.NO_TESTS_COLLECTED)):
        raise SystemExit(f"pytest found no tests: {tests[:3]}; see {output}")
    return ended and status == 0


class _Chosen:
    """A pytest plugin: these tests in this order, of the files that are collected. (As arguments they would
    each be collected for themselves.)"""

    def __init__(self, tests: list[str]) -> None:
        self.order = {test: number for number, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.order), key=lambda item: self.order[item.nodeid]
        )


def _pytest(tests: Iterable[str], options: list[str], plugins: list[Any]) -> int:
    sys.path.insert(0, str(TREE))
    sys.dont_write_bytecode = True
    os.environ["PYTHONPATH"] = str(TREE)
    os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
    quiet = ["-q", "--no-header", "--tb=line", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:randomly"]
    return int(pytest.main([*quiet, *options, *tests], plugins=plugins))


def in_fork(work: Callable[[], int], limit: float) -> tuple[int, bool]:
    """Runs `work` in a fork of its own process group: its status, and whether it ended
    in time (it is killed otherwise)."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        output = os.open(BUILD / "output.txt", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream in (1, 2):
            os.dup2(output, stream)
        status = 1
        try:
            status = work()
        finally:
            sys.stdout.flush()
            os._exit(status)
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return os.waitstatus_to_exitcode(status), True
        time.sleep(0.05)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return 1, False


def clean() -> None:
    shutil.rmtree(BUILD, ignore_errors=True)
