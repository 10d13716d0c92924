"""Runs the newcomer's samples of scripts/samples, with the expectations written in them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbql.repl.testing import ScriptFailure, run_script

SAMPLES = sorted((Path(__file__).parents[2] / "scripts" / "samples").glob("*.sql"))


@pytest.mark.timeout(60)
@pytest.mark.parametrize("script", SAMPLES, ids=[path.stem for path in SAMPLES])
def test_sample(script: Path) -> None:
    """The sample does what its expectations say."""
    try:
        run_script(script)
    except ScriptFailure as failure:
        pytest.fail(str(failure), pytrace=failure.__cause__ is not None)
