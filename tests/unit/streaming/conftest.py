"""A queue with a sender and a consumer, in memory and on a file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from sbql.grammar.errors import SqlError

sys.path.insert(0, str(Path(__file__).parent))

from consumer_bench import Bench


@pytest.fixture
def bench() -> Iterator[Bench]:
    found = Bench()
    yield found
    with suppress(SqlError):
        found.instance.close()


@pytest.fixture
def stored(tmp_path: Path) -> Iterator[Bench]:
    """On a file, so that it can be opened again."""
    found = Bench(str(tmp_path / "store.duckdb"))
    yield found
    with suppress(SqlError):
        found.instance.close()
