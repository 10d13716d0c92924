"""The parts of the crash tests stand beside them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from log_after import LOG_AFTER


@pytest.fixture(params=LOG_AFTER)
def either_log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything is tried where DuckDB takes all commits, and where the broker's log takes those of the broker."""
    monkeypatch.setenv("LOG_AFTER", LOG_AFTER[request.param])
