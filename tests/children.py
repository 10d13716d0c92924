"""Processes of their own with an instance each, for tests of several instances."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

__all__ = ["Child"]

CHILD = Path(__file__).parent / "doors" / "broker_child.py"


class Child:
    """One process; `run` gives the rows of a batch."""

    def __init__(self, store: Path, addresses: list[str]) -> None:
        self.store = store
        self.addresses = addresses
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, str(CHILD), str(self.store), *self.addresses],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def run(self, batch: str) -> list[Any]:
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(batch.replace("\n", " ") + "\n")
        self.process.stdin.flush()
        rows: list[Any] = eval(self.process.stdout.readline(), {"UUID": str, "datetime": __import__("datetime")})
        return rows

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        if self.process.poll() is None:
            assert self.process.stdin is not None
            self.process.stdin.close()
            assert self.process.wait(60) == 0
