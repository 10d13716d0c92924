"""A program whose sessions are closed in the moment in which the owner of the store is killed. Its arguments: a folder,
and how often. A process that gRPC aborts prints nothing in the end.
"""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import sbql

SESSIONS = 60


def closed_beside_a_kill(store: Path) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-m", "sbql", "serve", "--store", str(store)], stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    owner.stdout.readline()
    connections = [sbql.connect(str(store)) for _ in range(SESSIONS)]
    may_close = threading.Event()

    def close(connection: sbql.Connection) -> None:
        may_close.wait()
        connection.close()

    threads = [threading.Thread(target=close, args=(connection,)) for connection in connections]
    for thread in threads:
        thread.start()
    owner.kill()
    may_close.set()
    for thread in threads:
        thread.join()
    owner.wait()


if __name__ == "__main__":
    for turn in range(int(sys.argv[2])):
        closed_beside_a_kill(Path(sys.argv[1]) / f"{turn}.duckdb")
    print("closed")
