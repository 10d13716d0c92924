"""Fixtures for all tests: instances that are closed again, and a home folder that is not the user's."""

from __future__ import annotations

import gc
import os
import signal
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # `import serving`

ROOT = Path(__file__).parent.parent

# The suite starts some thousand processes of ours. Where bytecode may not be written
# each would compile the package anew.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
os.environ.pop("CI", None)  # what draws on a terminal does not where a machine looks on; the tests are the person
sys.dont_write_bytecode = False

# Started in the background by a shell, the tests ignore SIGINT, and so would all that they start and press Ctrl-C on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


SHARE = int(os.environ.get("MATRIX_SHARE", "1"))
LONG = ("tests/spark/", "tests/notebooks/")
"""What takes long and cannot be shared among workers comes first, so that the others' tests fill the time beside it."""


def pytest_report_header() -> str:
    from sbql.grammar.build import described

    return f"sbql: {described()}"


def pytest_configure() -> None:
    """Who asks for the compiled build (`make test-compiled`) is not to be shown that Python passes."""
    from sbql.grammar.build import SWITCH, is_compiled

    if os.environ.get(SWITCH) == "1" and not is_compiled():
        raise pytest.UsageError("SBQL_COMPILED=1, but no compiled module is found: run `make test-compiled`")
    if os.environ.get("ALL_PARALLEL") == "1":
        _give_all_queries_threads()


def _give_all_queries_threads() -> None:
    """Every query of any table has four threads of DuckDB, as if it were large and slow (`make parallel`): a function
    that is called in another thread than its query, and must not be, fails."""
    from sbql.catalog.parallelism import Parallelism

    begin = Parallelism.__init__

    def begin_with_all(self: Parallelism, connection: Any) -> None:
        begin(self, connection)
        self.large, self.long, self.there = 0, 0.0, 4

    Parallelism.__init__ = begin_with_all


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = _behind_the_share(items)
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item in left_out])
        items[:] = [item for item in items if item not in left_out]
    items.sort(key=lambda item: not item.nodeid.startswith(LONG))


def _behind_the_share(items: list[pytest.Item]) -> set[pytest.Item]:
    """Of each test that is marked `matrix` all cases but one in MATRIX_SHARE. Which ones stay is drawn by their names:
    always the same, of every row and column about as many."""
    cases: dict[str, list[pytest.Item]] = {}
    if SHARE > 1:
        for item in items:
            if item.get_closest_marker("matrix") is not None:
                cases.setdefault(item.nodeid.split("[")[0], []).append(item)
    drawn = [sorted(found, key=lambda item: zlib.crc32(item.nodeid.encode())) for found in cases.values()]
    return {item for found in drawn for item in found[-(-len(found) // SHARE) :]}


def pytest_collection_finish() -> None:
    """The twenty thousand tests themselves are no garbage: the collector need not go through them again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def instance() -> Iterator[Any]:
    """A new in-memory instance with a virtual clock."""
    from sbql.engine.instance import Instance

    opened = Instance.open(None, clock="virtual", seed=0)
    yield opened
    opened.close()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's state folder (history) that is thrown away."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path
