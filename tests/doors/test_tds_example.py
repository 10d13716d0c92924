"""The example project of scripts/samples/shop passes its own tests, as they are run by whoever copies it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

for _name in ("pyarrow", "pymssql", "sqlalchemy"):
    pytest.importorskip(_name, reason=f"the example needs {_name}")

SHOP = Path(__file__).parents[2] / "scripts" / "samples" / "shop"


def test_the_example_passes_its_own_tests(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--rootdir", str(SHOP), str(SHOP)],
        capture_output=True, text=True, timeout=110, cwd=tmp_path,
    )  # fmt: skip
    assert (done.returncode, "3 passed" in done.stdout) == (0, True), done.stdout + done.stderr
