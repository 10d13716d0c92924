"""Makes the helpers in this folder importable for the tests beside it; two instances of which one
leaves every query to DuckDB, and what counts calls of Python."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from direct_pair import Pair
from told import calls_of_python, told


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Iterator[Pair]:
    """With what the module's SETUP makes, if it has one."""
    found = Pair(monkeypatch)
    for session in found.sessions:
        assert told(session, getattr(request.module, "SETUP", "")) == []
    yield found
    for instance in found.instances:
        instance.close()


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """One for each call of a Python function by DuckDB."""
    return calls_of_python(monkeypatch)
