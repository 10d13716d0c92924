"""Queries as people write them, beside bare DuckDB: `python tests/bench/bench_queries.py [--rows N] [--only WORD]`.

Prints a Markdown table: milliseconds here and there, the least of three runs in turn, and the ratio; the largest first.
Both stores are files. DuckDB's side is the cheapest that gives the same for these rows: its texts are compared in small
letters where T-SQL knows no case, and its quotients are doubles. Ratios of one run can be compared between machines.
"""

from __future__ import annotations

import argparse
import pathlib
import tempfile
import time
from collections.abc import Callable

import duckdb
from statements import run_script
from written_queries import BARE, QUERIES, SETUP

from sbql.engine.instance import Instance
from sbql.engine.session import Session

RUNS = 3
LONG = 3.0
"""Seconds of a run that is not done again."""


def taken(work: Callable[[], object]) -> float:
    """Milliseconds."""
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) * 1000


def measure(session: Session, bare: duckdb.DuckDBPyConnection, sql: str, other: str) -> tuple[float, float]:
    ours = theirs = float("inf")
    for _ in range(RUNS):
        theirs = min(theirs, taken(lambda: bare.execute(other).fetchall()))
        ours = min(ours, taken(lambda: run_script(session, sql)))
        if ours > LONG * 1000:
            break
    return ours, theirs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=100_000, help="orders; a thousand customers")
    parser.add_argument("--only", default="", help="queries whose names have this in them")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        instance = Instance.open(path / "shop.duckdb")
        session = instance.connect()
        run_script(session, SETUP.replace("{rows}", str(given.rows)))
        bare = duckdb.connect(path / "bare.duckdb")
        bare.execute(BARE.replace("{rows}", str(given.rows)))
        found = []
        for query in QUERIES:
            if given.only in query.name:
                ours, theirs = measure(session, bare, query.sql, query.bare)
                found.append((ours / theirs, f"| {query.name} | {ours:.1f} | {theirs:.1f} | {ours / theirs:.1f} |"))
        instance.close()
    print("| query | here, ms | bare DuckDB, ms | ratio |", "|---|--:|--:|--:|", sep="\n")
    for _, line in sorted(found, reverse=True):
        print(line)


if __name__ == "__main__":
    main()
