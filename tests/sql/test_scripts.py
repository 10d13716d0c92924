"""Runs every tests/sql/<topic>/<name>.sql as docs/test-scripts.md says. One topic: `pytest tests/sql -k broker/`."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbql.repl.testing import ScriptFailure, run_script


@pytest.mark.timeout(60)
def test_script(script: Path) -> None:
    """The script's expectations hold."""
    try:
        run_script(script)
    except ScriptFailure as failure:
        pytest.fail(str(failure), pytrace=failure.__cause__ is not None)
