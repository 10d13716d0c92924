"""Processes of their own with an instance each, for tests of several instances."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

__all__ = ["Child", "end_well"]

CHILD = Path(__file__).parent / "doors" / "broker_child.py"
END_DIALOG = "http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog"
LEFT = """USE shop; SELECT state, CAST(conversation_id AS char(36)) FROM sys.conversation_endpoints WHERE state <> 'CD' OR is_initiator = 1
UNION ALL SELECT 'transmission queue', CAST(conversation_handle AS char(36)) FROM sys.transmission_queue
UNION ALL SELECT 'desk', message_type_name FROM desk"""


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


def end_well(initiator: Child, target: Child, handles: list[str]) -> None:
    """Both end every dialog, and agree that it is over: what the simulated networks ask in the end, here of
    processes (SHOP's `desk` in both)."""
    for handle in handles:
        initiator.run(f"USE shop; END CONVERSATION '{handle}'")
    heard: set[str] = set()
    while len(heard) < len(handles):
        rows = target.run("USE shop; WAITFOR (RECEIVE conversation_handle, message_type_name FROM desk), TIMEOUT 5000")
        for handle, kind in rows:
            assert kind == END_DIALOG and handle not in heard
            heard.add(handle)
            target.run(f"USE shop; END CONVERSATION '{handle}'")
    for child in (initiator, target):
        deadline = time.monotonic() + 300
        while left := child.run(LEFT):
            assert time.monotonic() < deadline, left
            child.run("WAITFOR DELAY '00:00:00.2'")
