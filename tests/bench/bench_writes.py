"""How much single-row INSERT costs beside bare DuckDB, on a file, in one run: `python tests/bench/bench_writes.py
[rows]`.

Each kind of table is filled by a T-SQL loop, once with a commit for each row and once inside BEGIN TRAN … COMMIT; the
same rows go into an equal table through a bare DuckDB connection with a prepared statement, both in turn, because the
cost of a commit changes with the disk. The ratio to keep is 1.5.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

ROUNDS = 11

KINDS = {
    "no key": ("a int, b varchar(50), c decimal(10,2)", "(a, b, c) VALUES (@i, 'some text', 12.5)"),
    "identity key": (
        "id int IDENTITY PRIMARY KEY, b varchar(50) NOT NULL, c decimal(10,2) CHECK (c > 0)",
        "(b, c) VALUES ('some text', 12.5)",
    ),
    "int key": ("id int PRIMARY KEY, b varchar(50), c decimal(10,2)", "(id, b, c) VALUES (@i, 'some text', 12.5)"),
}


def timed(work: Callable[[], None]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Bare:
    """The same rows without sbql, in a file of its own."""

    def __init__(self, path: Path) -> None:
        self.connection = duckdb.connect(str(path), config={"threads": 1})
        self.connection.execute('CREATE TABLE t ("$rid" BIGINT, a INTEGER, b VARCHAR, c DECIMAL(10,2))')
        self.statement = self.connection.extract_statements("INSERT INTO t VALUES (?, ?, ?, ?)")[0]

    def prepare(self, rows: int, *, one_transaction: bool) -> None:
        """Nothing: the statement is prepared."""

    def fill(self, rows: int, *, one_transaction: bool) -> None:
        if one_transaction:
            self.connection.begin()
        for i in range(rows):
            self.connection.execute(self.statement, (i, i, "some text", 12.5))
        if one_transaction:
            self.connection.commit()


class Through:
    """A table in sbql, and the batch that fills it."""

    def __init__(self, instance: Instance, name: str, kind: str) -> None:
        self.session = instance.connect()
        self.insert = f"INSERT {name} {KINDS[kind][1]}"
        self.next = 0
        self.batch = ""
        self.run(f"CREATE TABLE {name} ({KINDS[kind][0]})")

    def run(self, text: str) -> None:
        for outcome in self.session.run(text):
            if isinstance(outcome, ErrorOutcome):
                raise SystemExit(str(outcome.error))

    def prepare(self, rows: int, *, one_transaction: bool) -> None:
        """Compile the next batch: what is measured is a cached statement."""
        before, after = ("BEGIN TRAN;", ";COMMIT") if one_transaction else ("", "")
        start, self.next = self.next, self.next + rows
        self.batch = (
            f"SET NOCOUNT ON; DECLARE @i int = {start}; {before} "
            f"WHILE @i < {self.next} BEGIN {self.insert}; SET @i += 1 END {after}"
        )
        self.session.instance.compile_batch(self.batch, self.session)

    def fill(self, rows: int, *, one_transaction: bool) -> None:
        self.run(self.batch)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("rows", type=int, nargs="?", default=1000, help="rows that are written each time (%(default)s)")
    rows: int = parser.parse_args().rows
    chunk = max(1, rows // ROUNDS)
    with tempfile.TemporaryDirectory() as folder:
        instance = Instance.open(str(Path(folder) / "store.duckdb"))
        print(f"{ROUNDS} rounds of {chunk} rows, in turn; median microseconds a row")
        for one_transaction in (False, True):
            what = "BEGIN … COMMIT" if one_transaction else "autocommit"
            for number, kind in enumerate(KINDS):
                name = f"t{number}_{int(one_transaction)}"
                peers = (Bare(Path(folder) / f"{name}.duckdb"), Through(instance, name, kind))
                times: tuple[list[float], list[float]] = ([], [])
                for _ in range(ROUNDS):
                    for peer, found in zip(peers, times, strict=True):
                        peer.prepare(chunk, one_transaction=one_transaction)
                        found.append(timed(lambda: peer.fill(chunk, one_transaction=one_transaction)))  # noqa: B023
                base, own = (statistics.median(found) / chunk * 1e6 for found in times)
                print(f"{what:16} {kind:14} bare {base:6.0f}   sbql {own:6.0f}   ratio {own / base:5.2f}")
        instance.close()


if __name__ == "__main__":
    main()
