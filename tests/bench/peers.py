"""What else keeps a message on this disk, measured in the same run as the broker: the disk itself, SQLite, PostgreSQL.

Every figure is of 100 bytes that are on disk when the call returns. None of them knows conversations; PostgreSQL's
table queue is what people build instead.
"""

from __future__ import annotations

import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import postgres

_BODY = b"A" * 100


def measure(folder: Path, scale: float) -> Iterator[tuple[str, str, float]]:
    """(what, unit, figure), as far as the programs are installed."""
    count = max(int(1000 * scale), 10)
    yield "append of 100 bytes and fdatasync, the floor", "calls/s", floor(folder, count)
    yield "SQLite (WAL, synchronous FULL): INSERT a call", "calls/s", sqlite(folder, count)
    if reason := postgres.missing():
        print(f"PostgreSQL was not measured: {reason}", file=sys.stderr)
        return
    with postgres.cluster() as cluster:
        yield "PostgreSQL: durable INSERT a call, psycopg, 1 thread", "calls/s", cluster.durable_calls(1, count)
        yield "PostgreSQL: the same, 50 threads", "calls/s", cluster.durable_calls(50, max(count * 2 // 5, 4))
        queue = cluster.table_queue(max(int(10 * scale), 1))
        yield "PostgreSQL: table queue, pgbench with 50 senders and 2 consumers", "messages/s", queue


def floor(folder: Path, count: int) -> float:
    file = os.open(folder / "floor", os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    since = time.perf_counter()
    for _ in range(count):
        os.write(file, _BODY)
        os.fdatasync(file)
    rate = count / (time.perf_counter() - since)
    os.close(file)
    return rate


def sqlite(folder: Path, count: int) -> float:
    connection = sqlite3.connect(folder / "peer.sqlite", isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE queue (id INTEGER PRIMARY KEY, body BLOB)")
    since = time.perf_counter()
    for _ in range(count):
        connection.execute("INSERT INTO queue (body) VALUES (?)", (_BODY,))
    rate = count / (time.perf_counter() - since)
    connection.close()
    return rate
