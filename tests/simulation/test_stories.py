"""The simulations as programs: `python tests/simulation/NAME.py SEED` prints the story of one run (docs/testing.md)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PROGRAMS = sorted(
    file for file in Path(__file__).parent.glob("*.py") if '\nif __name__ == "__main__":' in file.read_text("utf-8")
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda file: str(file.stem))
def test_a_seed_has_a_story(program: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, program, "3"], cwd=tmp_path, capture_output=True, text=True, timeout=200, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) > 20
