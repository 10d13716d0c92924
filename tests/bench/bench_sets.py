"""How much writes of many rows cost beside bare DuckDB, on a file, in one run: `python tests/bench/bench_sets.py [rows] [rounds]`.

Each statement runs in turn through sbql and on a bare DuckDB connection with an equal table, on fresh tables each time; the
first round, in which sbql compiles, counts too. Bare keys are DuckDB's own PRIMARY KEY.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

COLUMNS = "a int NOT NULL, b varchar(30), c decimal(18,2), d int"
BARE = "a INTEGER NOT NULL, b VARCHAR, c DECIMAL(18,2), d INTEGER"

MERGE = (
    "m USING (SELECT a + 500000 AS a, b, c, d FROM s) AS s ON s.a = m.a WHEN MATCHED THEN UPDATE SET d = s.d"
    " WHEN NOT MATCHED THEN INSERT (a, b, c, d) VALUES (s.a, s.b, s.c, s.d)"
)

STATEMENTS = {
    "INSERT … SELECT": ("INSERT INTO t SELECT a, b, c, d FROM s", "INSERT INTO bare.main.t SELECT a, b, c, d FROM s"),
    "INSERT … SELECT, with a key": ("INSERT INTO k SELECT a, b, c, d FROM s",) * 2,
    "SELECT INTO": ("SELECT a, b, c, d INTO n FROM s", "CREATE TABLE n AS SELECT a, b, c, d FROM s"),
    "INSERT … SELECT into #t": (
        "INSERT INTO #t SELECT a, b, c, d FROM s",
        "INSERT INTO temp.main.t SELECT a, b, c, d FROM s",
    ),
    "UPDATE": ("UPDATE m SET d = d + 1",) * 2,
    "UPDATE of a tenth": ("UPDATE m SET b = 'other' WHERE d = 7 OR d % 10 = 3",) * 2,
    "UPDATE FROM a join": (
        "UPDATE m SET d = s.d + 1 FROM m JOIN s ON s.a = m.a",
        "UPDATE m SET d = s.d + 1 FROM s WHERE s.a = m.a",
    ),
    "MERGE": (f"MERGE {MERGE};", f"MERGE INTO {MERGE}"),
    "DELETE": ("DELETE FROM m WHERE d < 90",) * 2,
}
"""What runs in sbql, and what on the bare connection."""


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Through:
    """sbql."""

    def __init__(self, folder: str) -> None:
        self.instance = Instance.open(str(Path(folder) / "store.duckdb"))
        self.session = self.instance.connect()

    def run(self, text: str) -> None:
        for outcome in self.session.run(text):
            if isinstance(outcome, ErrorOutcome):
                raise SystemExit(str(outcome.error))

    def fill(self, rows: int) -> None:
        self.run(f"CREATE TABLE s ({COLUMNS}); CREATE TABLE #t ({COLUMNS})")
        self.run(
            "INSERT INTO s (a, b, c, d) SELECT value, 'name ' + REPLICATE('x', value % 9), value % 1000, value % 100"
            f" FROM GENERATE_SERIES(1, {rows})"
        )

    def fresh(self) -> None:
        self.run("DROP TABLE IF EXISTS t, k, n, m; DELETE #t")
        self.run(
            f"CREATE TABLE t ({COLUMNS}); CREATE TABLE k ({COLUMNS}, PRIMARY KEY (a)); SELECT a, b, c, d INTO m FROM s"
        )


class Bare:
    """DuckDB with the same tables in a file of its own."""

    def __init__(self, folder: str) -> None:
        self.connection = duckdb.connect(str(Path(folder) / "bare.duckdb"), config={"threads": 1})

    def run(self, text: str) -> None:
        self.connection.execute(text)

    def fill(self, rows: int) -> None:
        self.run(f"CREATE TABLE s ({BARE}); CREATE TEMP TABLE t ({BARE})")
        self.run(
            f"INSERT INTO s SELECT i, 'name ' || repeat('x', CAST(i % 9 AS INTEGER)), i % 1000, i % 100 FROM range(1, {rows} + 1) r(i)"
        )

    def fresh(self) -> None:
        self.run(
            "DROP TABLE IF EXISTS bare.main.t; DROP TABLE IF EXISTS k; DROP TABLE IF EXISTS n; DROP TABLE IF EXISTS m; DELETE FROM temp.main.t"
        )
        self.run(
            f"CREATE TABLE bare.main.t ({BARE}); CREATE TABLE k ({BARE}, PRIMARY KEY (a)); CREATE TABLE m AS FROM s"
        )


def main() -> None:
    rows, rounds = (int(given) for given in [*sys.argv[1:], "1000000", "3"][:2])
    with tempfile.TemporaryDirectory() as folder:
        peers = (Through(folder), Bare(folder))
        for peer in peers:
            peer.fill(rows)
        print(f"{rows:,} rows of 4 columns, median of {rounds} rounds in turn, seconds")
        for name, texts in STATEMENTS.items():
            times: tuple[list[float], list[float]] = ([], [])
            for _ in range(rounds):
                for peer, text, found in zip(peers, texts, times, strict=True):
                    peer.fresh()
                    found.append(timed(lambda: peer.run(text)))  # noqa: B023
            own, base = (statistics.median(found) for found in times)
            print(f"{name:32} sbql {own:7.3f}   bare {base:7.3f}   ratio {own / base:6.2f}", flush=True)
        peers[0].instance.close()


if __name__ == "__main__":
    main()
