"""Measures one durable call in turn with its peers, in one process: a SEND, psycopg's
INSERT on PostgreSQL, the disk alone.

    python tests/bench/bench_durable.py [rounds] [calls]

Each round makes so many calls of each, one behind the other, so that all see the same machine. Prints a Markdown table:
the median of the rounds with the least and the most, processor time, and the rate as a multiple of psycopg's in the
same round. docs/performance.md holds one.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from uuid import UUID

import sbql

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import postgres
from bench_broker import BODY, FIRST_CALLS, Bench
from statements import run

_RING = 1 << 20
_FRAME = 456
"""Bytes of a SEND in the broker's log."""
_BODY = b"A" * 100


@contextmanager
def disk_alone(folder: pathlib.Path) -> Iterator[Callable[[], object]]:
    """What a call of ours writes, written where the file has its room already, by one call of the system that
    syncs: the least that it can take."""
    file = os.open(folder / "floor", os.O_CREAT | os.O_RDWR | os.O_DSYNC)
    os.pwrite(file, bytes(_RING), 0)
    frame, place = bytes(_FRAME), 0

    def call() -> None:
        nonlocal place
        os.pwrite(file, frame, place)
        place = (place + _FRAME) % (_RING - _FRAME)

    yield call
    os.close(file)


@contextmanager
def sends(folder: pathlib.Path) -> Iterator[Callable[[], object]]:
    """As `make bench` measures it: a session of the engine, and a text."""
    bench = Bench(folder, "session")
    text = f"SEND ON CONVERSATION '{bench.handle(bench.session)}' MESSAGE TYPE [//bench/item] ({BODY})"
    yield lambda: run(bench.session, text)
    bench.close()


@contextmanager
def driver(folder: pathlib.Path) -> Iterator[Callable[[], object]]:
    """As programs do it, and as psycopg is called: a cursor, and parameters."""
    bench = Bench(folder, "driver")
    handle = UUID(bench.handle(bench.session))
    cursor = sbql.connect(instance=bench.instance, database="Bench").cursor()
    text = "SEND ON CONVERSATION ? MESSAGE TYPE [//bench/item] (?)"
    yield lambda: cursor.execute(text, (handle, _BODY))
    cursor.connection.close()
    bench.close()


@contextmanager
def psycopg(_: pathlib.Path) -> Iterator[Callable[[], object]]:
    with postgres.cluster() as cluster, cluster.connect() as connection, connection.cursor() as cursor:
        cursor.execute(postgres.TABLES)
        yield lambda: cursor.execute("INSERT INTO queue (body) VALUES (%s)", (_BODY,))


PEER = "PostgreSQL: INSERT through psycopg"
CONTENDERS = {
    "the disk alone: a frame of the log": disk_alone,
    PEER: psycopg,
    "SEND, a text in a session": sends,
    "SEND, a cursor with parameters": driver,
}


def in_turn(rounds: int, calls: int) -> dict[str, list[tuple[float, float]]]:
    """Of each contender that is installed, for each round: µs a call by the clock, and
    of this process's processor time."""
    found: dict[str, list[tuple[float, float]]] = {}
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        ready = {}
        for what, begin in CONTENDERS.items():
            if what == PEER and (reason := postgres.missing()):
                print(f"PostgreSQL was not measured: {reason}", file=sys.stderr)
                continue
            ready[what] = stack.enter_context(begin(pathlib.Path(folder)))
            for _ in range(FIRST_CALLS * 2):
                ready[what]()
        for _ in range(rounds):
            for what, call in ready.items():
                since, busy_since = time.perf_counter(), time.process_time()
                for _ in range(calls):
                    call()
                took, busy = time.perf_counter() - since, time.process_time() - busy_since
                found.setdefault(what, []).append((took / calls * 1e6, busy / calls * 1e6))
    return found


def main(rounds: int, calls: int) -> None:
    found = in_turn(rounds, calls)
    peer = [took for took, _ in found.get(PEER, [])]
    print("| what | µs a call | least | most | processor, µs | of psycopg's rate | from | to |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    for what, rows in found.items():
        took, ratios = [row[0] for row in rows], [other / row[0] for other, row in zip(peer, rows, strict=False)]
        figures = [statistics.median(took), min(took), max(took), statistics.median(row[1] for row in rows)]
        shown = [f"{figure:.0f}" for figure in figures]
        if ratios:
            shown += [f"{figure:.2f}" for figure in (statistics.median(ratios), min(ratios), max(ratios))]
        print(f"| {what} | {' | '.join(shown)} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rounds", type=int, nargs="?", default=15, help="how many rounds (%(default)s)")
    parser.add_argument("calls", type=int, nargs="?", default=1000, help="calls of each in a round (%(default)s)")
    given = parser.parse_args()
    main(given.rounds, given.calls)
