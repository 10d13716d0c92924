"""PostgreSQL for comparison: a cluster of its own in a folder of its own, with fsync and
synchronous_commit as they are by default.

Where its programs or the Python package `psycopg` are not installed, there is nothing to measure. Started by
`bench_broker.py` and `bench_tds.py`.
"""

from __future__ import annotations

import glob
import importlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from serving import free_port

_TAKEN = 10_000
"""Rows that a consumer takes at once, as the benchmark's readers do."""
TABLES = "CREATE TABLE IF NOT EXISTS queue (id bigserial PRIMARY KEY, body bytea); CREATE TABLE IF NOT EXISTS seen (body bytea)"
SEND = "INSERT INTO queue (body) VALUES (decode(repeat('41', 100), 'hex'));"
TAKE = f"""WITH taken AS (
    DELETE FROM queue WHERE id IN (SELECT id FROM queue ORDER BY id LIMIT {_TAKEN} FOR UPDATE SKIP LOCKED) RETURNING body
) INSERT INTO seen SELECT body FROM taken;"""


def missing() -> str:
    """What is not installed; empty: nothing."""
    if _tools() is None:
        return "PostgreSQL is not installed"
    return "" if importlib.util.find_spec("psycopg") is not None else "psycopg is not installed"


def _tools() -> str | None:
    return max(glob.glob("/usr/lib/postgresql/*/bin"), default=None)


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A server that runs. PostgreSQL refuses to be root: then it is the user `postgres`."""
    tools, port = _tools(), free_port()
    as_user = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        data = f"{folder}/data"
        quiet: dict[str, Any] = {"check": True, "stdout": subprocess.DEVNULL, "cwd": folder}
        subprocess.run([*as_user, f"{tools}/initdb", "-A", "trust", "-U", "bench", "-D", data], **quiet)
        how = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder}"
        control = [*as_user, f"{tools}/pg_ctl", "-D", data, "-m", "fast"]
        subprocess.run([*control[:-2], "-w", "-l", f"{folder}/log", "-o", how, "start"], **quiet)
        try:
            yield Cluster(port, f"{tools}/pgbench", Path(folder))
        finally:
            subprocess.run([*control, "stop"], **quiet)


class Cluster:
    """A running server, reached at `port` of 127.0.0.1."""

    def __init__(self, port: int, pgbench: str, folder: Path) -> None:
        self.port = port
        self._pgbench = [pgbench, "-n", "-h", "127.0.0.1", "-p", str(port), "-U", "bench"]
        self._folder = folder

    def connect(self) -> Any:
        psycopg = importlib.import_module("psycopg")
        return psycopg.connect(f"host=127.0.0.1 port={self.port} user=bench dbname=postgres", autocommit=True)

    def durable_calls(self, threads: int, count: int) -> float:
        """INSERTs of 100 bytes a second, each a call through psycopg and a commit on disk; `count` by each thread."""
        connections = [self.connect() for _ in range(threads)]
        connections[0].execute(TABLES)

        def insert(connection: Any) -> None:
            with connection.cursor() as cursor:
                for _ in range(count):
                    cursor.execute("INSERT INTO queue (body) VALUES (%s)", (b"A" * 100,))

        workers = [threading.Thread(target=insert, args=(connection,)) for connection in connections]
        since = time.perf_counter()
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        seconds = time.perf_counter() - since
        for connection in connections:
            connection.close()
        return threads * count / seconds

    def table_queue(self, seconds: int) -> float:
        """Rows a second from 50 senders through a table queue, by two consumers into a table:
        pgbench, until the queue is empty."""
        with self.connect() as connection:
            connection.execute(TABLES)
            connection.execute("TRUNCATE queue, seen")
            since = time.perf_counter()
            senders = self._run("send", SEND, 50, seconds)
            consumers = self._run("take", TAKE, 2, seconds + 30)
            assert senders.wait() == 0
            while connection.execute("SELECT EXISTS (SELECT FROM queue)").fetchone()[0]:
                time.sleep(0.01)
            took = time.perf_counter() - since
            consumers.terminate()
            consumers.wait()
            return float(connection.execute("SELECT count(*) FROM seen").fetchone()[0]) / took

    def _run(self, name: str, script: str, clients: int, seconds: int) -> subprocess.Popen[bytes]:
        file = self._folder / f"{name}.sql"
        file.write_text(script.replace("\n", " ") + "\n")
        how = ["-c", str(clients), "-j", "2", "-T", str(seconds), "-f", str(file), "postgres"]
        return subprocess.Popen([*self._pgbench, *how], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
