"""What a SEND waits for beside a big write of another session: `bench_beside.py [--rows N] [--rounds N]`.

One session sends messages, each a call of its own that returns when its record is on disk, one after the other, for as
long as another one's UPDATE or INSERT … SELECT and its commit take; before that it sends for a while alone. The 50th
and the 99th percentile of these calls, and the longest, in milliseconds. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from bench_broker import BODY, Bench
from statements import run

COLUMNS = "a int NOT NULL, b varchar(30), c decimal(18,2), d int"
WRITES = {
    "UPDATE": "UPDATE m SET d = d + 1",
    "UPDATE FROM a join": "UPDATE m SET d = s.d + 1 FROM m JOIN s ON s.a = m.a",
    "INSERT … SELECT": "INSERT INTO t SELECT a, b, c, d FROM s",
    "INSERT … SELECT, with a key": "INSERT INTO k SELECT a, b, c, d FROM s",
    "DELETE": "DELETE FROM m WHERE d < 90",
}
_BEFORE = 50
"""SENDs before anything is measured: the broker's log is begun by then."""


def sends_until(bench: Bench, is_over: Callable[[], bool]) -> list[float]:
    """Seconds of each durable SEND, one after the other."""
    session = bench.connect()
    text = f"SEND ON CONVERSATION '{bench.handle(session)}' MESSAGE TYPE [//bench/item] ({BODY})"
    for _ in range(_BEFORE):
        run(session, text)
    found = []
    while not is_over():
        start = time.perf_counter()
        run(session, text)
        found.append(time.perf_counter() - start)
    return found


def beside(folder: pathlib.Path, rows: int, text: str, seconds_alone: float) -> tuple[list[float], list[float], float]:
    """Of SENDs alone for some seconds, and of those while `text` runs; and how long that took."""
    bench = Bench(folder, "beside")
    run(bench.session, f"CREATE TABLE s ({COLUMNS})")
    run(
        bench.session,
        "INSERT INTO s (a, b, c, d) SELECT value, 'name ' + REPLICATE('x', value % 9), value % 1000, value % 100"
        f" FROM GENERATE_SERIES(1, {rows})",
    )
    run(
        bench.session,
        f"CREATE TABLE t ({COLUMNS}); CREATE TABLE k ({COLUMNS}, PRIMARY KEY (a)); SELECT a, b, c, d INTO m FROM s",
    )
    alone = sends_until(bench, lasting(seconds_alone))
    has_begun, seconds = threading.Event(), []

    def write() -> None:
        has_begun.wait()
        start = time.perf_counter()
        run(bench.connect(), text)
        seconds.append(time.perf_counter() - start)

    writer = threading.Thread(target=write)
    writer.start()

    def is_over() -> bool:
        has_begun.set()
        return not writer.is_alive()

    during = sends_until(bench, is_over)
    writer.join()
    bench.close()
    return alone, during, seconds[0]


def lasting(seconds: float) -> Callable[[], bool]:
    """Whether so many have passed since it was asked first."""
    begun: list[float] = []

    def is_over() -> bool:
        now = time.perf_counter()
        begun[:] = begun or [now]
        return now >= begun[0] + seconds

    return is_over


def percentile(found: list[float], part: float) -> float:
    return sorted(found)[min(int(len(found) * part), len(found) - 1)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    parser.add_argument("--alone", type=float, default=2.0, help="seconds of SENDs alone")
    parser.add_argument("--only", help="the write of that name alone")
    given = parser.parse_args()
    print("| beside | it took, s | SENDs | p50 | p99 | longest | alone: p50 | p99 | longest |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    for what, text in WRITES.items():
        if given.only not in {None, what}:
            continue
        lines = []
        for _ in range(given.rounds):
            with tempfile.TemporaryDirectory() as folder:
                alone, during, seconds = beside(pathlib.Path(folder), given.rows, text, given.alone)
            figures = [1000 * percentile(some, part) for some in (during, alone) for part in (0.5, 0.99, 1)]
            lines.append([seconds, len(during), *figures])
        middle = [statistics.median(column) for column in zip(*lines, strict=True)]
        shown = [f"{middle[0]:.2f}", f"{middle[1]:,.0f}", *(f"{figure:.2f}" for figure in middle[2:])]
        print(f"| {what} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    main()
