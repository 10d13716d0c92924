"""Who closes sessions while the owner of the store is killed goes on: gRPC aborted three of four such programs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

CHILD = Path(__file__).with_name("closing_child.py")
TURNS = 5


def test_the_program_goes_on(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(CHILD), str(tmp_path), str(TURNS)], capture_output=True, text=True, timeout=120
    )
    assert (done.returncode, done.stdout) == (0, "closed\n"), done.stderr[-2000:]
