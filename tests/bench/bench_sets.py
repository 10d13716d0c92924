"""What writes of many rows cost beside bare DuckDB and PostgreSQL, on files: `bench_sets.py [rows] [rounds]`.

Each statement runs in turn through sbql, on a bare DuckDB connection and on a temporary PostgreSQL cluster with fsync
(where it and psycopg are installed), on equal tables with equal keys, fresh ones each time and a commit each; the first
round, in which sbql compiles, counts too. Bare keys are DuckDB's own PRIMARY KEY.

`--by-rows` has sbql write row by row, as it does what cannot be a set.

`--memory` measures instead what a process of sbql takes at its peak that does nothing but one statement, on a store
that another one has filled: once with DuckDB's own limit (80 % of the machine's memory, which it uses for what it may
keep) and once with `max server memory` at 1024 MB.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

sys.path.insert(0, str(Path(__file__).parent))
import postgres

COLUMNS = "a int NOT NULL, b varchar(30), c decimal(18,2), d int"
BARE = "a INTEGER NOT NULL, b VARCHAR, c DECIMAL(18,2), d INTEGER"
LIMIT = 1024
"""Megabytes of `max server memory` in `--memory`."""

MERGE = (
    "m USING (SELECT a + {half} AS a, b, c, d FROM s) AS s ON s.a = m.a WHEN MATCHED THEN UPDATE SET d = s.d"
    " WHEN NOT MATCHED THEN INSERT (a, b, c, d) VALUES (s.a, s.b, s.c, s.d)"
)


class Statement(NamedTuple):
    """What runs in sbql, on the bare connection, and in PostgreSQL, if that is not the same as
    there. `{half}`: half of the rows. What they show, each hands over as rows of Python."""

    sbql: str
    bare: str
    postgres: str = ""


STATEMENTS = {
    "INSERT … SELECT": Statement(
        "INSERT INTO t SELECT a, b, c, d FROM s",
        "INSERT INTO bare.main.t SELECT a, b, c, d FROM s",
        "INSERT INTO public.t SELECT a, b, c, d FROM s",
    ),
    "INSERT … SELECT, with a key": Statement(*("INSERT INTO k SELECT a, b, c, d FROM s",) * 2),
    "SELECT INTO": Statement("SELECT a, b, c, d INTO n FROM s", "CREATE TABLE n AS SELECT a, b, c, d FROM s"),
    "INSERT … SELECT into #t": Statement(
        "INSERT INTO #t SELECT a, b, c, d FROM s",
        "INSERT INTO temp.main.t SELECT a, b, c, d FROM s",
        "INSERT INTO pg_temp.t SELECT a, b, c, d FROM s",
    ),
    "UPDATE": Statement(*("UPDATE m SET d = d + 1",) * 2),
    "UPDATE of a tenth": Statement(*("UPDATE m SET b = 'other' WHERE d = 7 OR d % 10 = 3",) * 2),
    "UPDATE FROM a join": Statement(
        "UPDATE m SET d = s.d + 1 FROM m JOIN s ON s.a = m.a",
        "UPDATE m SET d = s.d + 1 FROM s WHERE s.a = m.a",
    ),
    "MERGE": Statement(f"MERGE {MERGE};", f"MERGE INTO {MERGE}"),
    "DELETE": Statement(*("DELETE FROM m WHERE d < 90",) * 2),
    "INSERT with OUTPUT": Statement(
        "INSERT INTO t OUTPUT inserted.a, inserted.b SELECT a, b, c, d FROM s",
        "INSERT INTO bare.main.t SELECT a, b, c, d FROM s RETURNING a, b",
        "INSERT INTO public.t SELECT a, b, c, d FROM s RETURNING a, b",
    ),
    "UPDATE with OUTPUT": Statement(
        "UPDATE m SET d = d + 1 OUTPUT inserted.a, inserted.d",
        "UPDATE m SET d = d + 1 RETURNING a, d",
    ),
    "DELETE with OUTPUT": Statement(
        "DELETE FROM m OUTPUT deleted.* WHERE d < 90",
        "DELETE FROM m WHERE d < 90 RETURNING *",
    ),
    "DELETE TOP with OUTPUT INTO": Statement(
        "DELETE TOP ({half}) FROM m OUTPUT deleted.* INTO t",
        "BEGIN; CREATE TEMP TABLE q AS SELECT rowid AS r, * FROM m LIMIT {half};"
        " INSERT INTO bare.main.t SELECT a, b, c, d FROM q; DELETE FROM m WHERE rowid IN (SELECT r FROM q); DROP TABLE q; COMMIT",
        "WITH q AS (DELETE FROM m WHERE ctid = ANY (ARRAY (SELECT ctid FROM m LIMIT {half})) RETURNING a, b, c, d)"
        " INSERT INTO public.t SELECT a, b, c, d FROM q",
    ),
    "UPDATE with OUTPUT INTO": Statement(
        "UPDATE m SET d = d + 1 OUTPUT deleted.* INTO t",
        "BEGIN; INSERT INTO bare.main.t SELECT a, b, c, d FROM m; UPDATE m SET d = d + 1; COMMIT",
        "BEGIN; INSERT INTO public.t SELECT a, b, c, d FROM m; UPDATE m SET d = d + 1; COMMIT",
    ),
}


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


class Through:
    """sbql."""

    def __init__(self, folder: str, *, by_rows: bool = False) -> None:
        self.instance = Instance.open(str(Path(folder) / "store.duckdb"))
        if by_rows:
            self.instance.locks.sets_from = sys.maxsize
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
        self.connection.execute(text).fetchall()

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


class Postgres:
    """PostgreSQL with the same tables. It knows how many rows they have, and has nothing left
    to write when a statement begins."""

    def __init__(self, cluster: postgres.Cluster) -> None:
        self.connection: Any = cluster.connect()

    def run(self, text: str) -> None:
        done = self.connection.execute(text)
        if done.description is not None:
            done.fetchall()

    def fill(self, rows: int) -> None:
        self.run(f"CREATE TABLE s ({COLUMNS}); CREATE TEMP TABLE t ({COLUMNS})")
        self.run(
            f"INSERT INTO s SELECT i, 'name ' || repeat('x', i % 9), i % 1000, i % 100 FROM generate_series(1, {rows}) r(i)"
        )

    def fresh(self) -> None:
        self.run("DROP TABLE IF EXISTS public.t, k, n, m; TRUNCATE pg_temp.t")
        self.run(
            f"CREATE TABLE public.t ({COLUMNS}); CREATE TABLE k ({COLUMNS}, PRIMARY KEY (a)); CREATE TABLE m AS SELECT a, b, c, d FROM s"
        )
        for text in ("VACUUM ANALYZE s", "VACUUM ANALYZE m", "CHECKPOINT"):
            self.run(text)


@contextmanager
def peers(folder: str, *, by_rows: bool) -> Iterator[list[Through | Bare | Postgres]]:
    found: list[Through | Bare | Postgres] = [Through(folder, by_rows=by_rows), Bare(folder)]
    reason = postgres.missing()
    if reason:
        print(f"PostgreSQL was not measured: {reason}", file=sys.stderr)
        yield found
    else:
        with postgres.cluster() as cluster:
            yield [*found, Postgres(cluster)]
    assert isinstance(found[0], Through)
    found[0].instance.close()


def measure(rows: int, rounds: int, only: str | None, *, by_rows: bool) -> None:
    with tempfile.TemporaryDirectory() as folder, peers(folder, by_rows=by_rows) as found:
        for peer in found:
            peer.fill(rows)
        print(
            f"{rows:,} rows of 4 columns, median of {rounds} rounds in turn, seconds; the ratios are to sbql's time\n"
        )
        print("| what | sbql | bare DuckDB | PostgreSQL | sbql to bare DuckDB | to PostgreSQL |")
        print("|---|--:|--:|--:|--:|--:|")
        for name, statement in chosen(only).items():
            texts = [text.format(half=rows // 2) for text in (*statement[:2], statement.postgres or statement.bare)]
            times: list[list[float]] = [[] for _ in found]
            for _ in range(rounds):
                for peer, text, some in zip(found, texts, times, strict=False):
                    peer.fresh()
                    some.append(timed(lambda: peer.run(text)))  # noqa: B023
            own, *others = (statistics.median(some) for some in times)
            seconds = [f"{other:.3f}" for other in others] + [""] * (2 - len(others))
            ratios = [f"{own / other:.2f}" for other in others] + [""] * (2 - len(others))
            print(f"| {name} | {own:.3f} | {' | '.join((*seconds, *ratios))} |", flush=True)


def chosen(only: str | None) -> dict[str, Statement]:
    return {name: statement for name, statement in STATEMENTS.items() if only in {None, name}}


# --- memory ------------------------------------------------------------------------------------------------------


def peak_of(folder: str, name: str, rows: int, megabytes: int) -> None:
    """In a process of its own: run one statement on the store in `folder`, and print the peak of the process in MiB,
    before and after it. 0 megabytes: no limit of ours."""
    peer = Through(folder)
    if megabytes:
        peer.run(
            f"EXEC sp_configure 'show advanced options', 1; RECONFIGURE; EXEC sp_configure 'max server memory (MB)', {megabytes}; RECONFIGURE"
        )
    peer.run(f"CREATE TABLE #t ({COLUMNS})")
    before = peak()
    peer.run(STATEMENTS[name].sbql.format(half=rows // 2))
    print(before, peak())
    sys.stdout.flush()
    os._exit(0)  # what closing takes is not the statement's


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def measure_memory(rows: int, only: str | None) -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(made := os.path.join(folder, "made"))
        command = [sys.executable, __file__, str(rows), "--fill", made]
        subprocess.run(command, check=True)
        print(f"{rows:,} rows of 4 columns: the peak of a process that runs one statement, MiB\n")
        print(f"| what | before it | at its peak | with `max server memory` {LIMIT} |\n|---|--:|--:|--:|")
        for name in chosen(only):
            found = []
            for megabytes in (0, LIMIT):
                shutil.copytree(made, copy := os.path.join(folder, "copy"))
                command = [
                    sys.executable,
                    __file__,
                    str(rows),
                    "--peak",
                    copy,
                    "--only",
                    name,
                    "--limit",
                    str(megabytes),
                ]
                done = subprocess.run(command, check=False, capture_output=True, text=True)
                found.append(done.stdout.split() if done.returncode == 0 else ["", done.stderr.strip()[-80:]])
                shutil.rmtree(copy)
            print(f"| {name} | {found[0][0]} | {found[0][1]} | {found[1][1]} |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("rows", type=int, nargs="?", default=1_000_000)
    parser.add_argument("rounds", type=int, nargs="?", default=3)
    parser.add_argument("--only", choices=STATEMENTS, help="the statement of that name alone")
    parser.add_argument("--by-rows", action="store_true", help="sbql writes row by row, as it does where it must")
    parser.add_argument("--memory", action="store_true", help="the peak of a process instead of times")
    parser.add_argument("--fill", help=argparse.SUPPRESS)
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    parser.add_argument("--limit", type=int, default=0, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.fill:
        peer = Through(given.fill)
        peer.fill(given.rows)
        peer.fresh()
        peer.instance.close()
    elif given.peak:
        peak_of(given.peak, given.only, given.rows, given.limit)
    elif given.memory:
        measure_memory(given.rows, given.only)
    else:
        measure(given.rows, given.rounds, given.only, by_rows=given.by_rows)


if __name__ == "__main__":
    main()
