"""What a copy of a prepared instance costs a test, beside the set-up itself and a bare DuckDB:
`python tests/bench/bench_prepared.py [tests]`.

The application is the order application of docs/test-scripts.md; a test gets a connection, places an
order, lets an hour pass and looks.
"""

from __future__ import annotations

import argparse
import re
import statistics
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

import sbql

PAGE = Path(__file__).parents[2] / "docs" / "test-scripts.md"


def timed(name: str, call: Callable[[], object], times: int) -> float:
    """Print the milliseconds of a call: the middle one, the best one, and those of the
    processor. Returns the middle one."""
    took = []
    busy = time.process_time()
    for _ in range(times):
        began = time.perf_counter()
        call()
        took.append(1000 * (time.perf_counter() - began))
    busy = 1000 * (time.process_time() - busy) / times
    middle = statistics.median(took)
    print(f"{name:42} {middle:8.1f} {min(took):8.1f} {busy:8.1f}")
    return middle


def main(tests: int) -> None:
    found = re.search(r"^```sql\n-- orders\.sql\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    assert found is not None
    application = found.group(1)

    def set_up(connection: sbql.Connection) -> None:
        sbql.run_script(connection, application)

    def from_nothing() -> None:
        with sbql.connect(clock="virtual") as connection:
            set_up(connection)

    def test() -> None:
        with prepared.connect() as connection:
            connection.execute("EXEC PlaceOrder 1")
            connection.advance(3600)
            assert connection.execute("SELECT status FROM Orders").fetchall() == [("cancelled",)]

    from_nothing()  # loads modules, and the parse table
    print(f"{'milliseconds':42} {'median':>8} {'best':>8} {'cpu':>8}")
    timed("duckdb.connect() and close", lambda: duckdb.connect().close(), 30)
    timed("connect, set up, close", from_nothing, 10)
    with sbql.prepare(set_up) as prepared:
        timed("a copy: connect and close", lambda: prepared.connect().close(), 60)
        began = time.perf_counter()
        timed(f"{tests} tests, each on its copy", test, tests)
        print(f"{tests} tests took {time.perf_counter() - began:.1f} s")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("tests", type=int, nargs="?", default=500, help="how many tests (%(default)s)")
    main(parser.parse_args().tests)
