"""What the broker's log saves: `python tests/bench/bench_log.py [--rounds N]`.

The same calls on stores with a log from the first commit on and on stores that never begin one, in turn;
medians of the rounds. Commits with tables go to DuckDB either way, and are measured because they must not
become slower. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import pathlib
import statistics
import sys
import tempfile
from collections.abc import Callable

from sbql.catalog.broker_log import begin_after

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import bench_broker

NEVER = 1 << 60
MEASURED: dict[str, tuple[str, Callable[[pathlib.Path], float]]] = {
    "one durable SEND a call, 1 thread": ("calls/s", lambda folder: bench_broker.durable_calls(folder, 1, 3000)),
    "the same, 50 threads": ("calls/s", lambda folder: bench_broker.durable_calls(folder, 50, 400)),
    "the same to activated readers to a table": (
        "messages/s",
        lambda folder: bench_broker.durable_calls(folder, 50, 400, readers=True),
    ),
    "SEND loops to activated readers to a table, 2 senders": (
        "messages/s",
        lambda folder: bench_broker.end_to_end(folder, 100_000, 2),
    ),
    "commit latency of a durable SEND call, median": (
        "ms",
        lambda folder: bench_broker.commit_latency(folder, 1000)[0],
    ),
    "SEND call to activated procedure has the message, median": (
        "ms",
        lambda folder: bench_broker.activation_latency(folder, 300),
    ),
    "RECEIVE TOP (1) and one INSERT, a transaction": (
        "transactions/s",
        lambda folder: bench_broker.receive_and_insert(folder, 1000)[0],
    ),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often each is measured")
    rounds = parser.parse_args().rounds
    print("| what | DuckDB alone | with the log | unit |\n|---|--:|--:|---|")
    for what, (unit, measure) in MEASURED.items():
        found: dict[int, list[float]] = {NEVER: [], 0: []}
        for _ in range(rounds):
            for batches, figures in found.items():
                begin_after.batches = batches
                with tempfile.TemporaryDirectory() as folder:
                    figures.append(measure(pathlib.Path(folder)))
        without, with_log = (statistics.median(figures) for figures in found.values())
        digits = 2 if unit == "ms" else 0
        print(f"| {what} | {without:,.{digits}f} | {with_log:,.{digits}f} | {unit} |", flush=True)


if __name__ == "__main__":
    main()
