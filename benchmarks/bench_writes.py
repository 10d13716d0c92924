"""How much single-row INSERT costs beside bare DuckDB, on a file, in one run: `python benchmarks/bench_writes.py [rows]`.

Each kind of table is filled by a T-SQL loop, once with a commit for each row and once inside BEGIN TRAN … COMMIT; the same rows go into an equal
table through a bare DuckDB connection with a prepared statement. The ratio is what docs promise: at most 1.5 for a table without a key that has to
be looked up.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

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


def bare(path: Path, rows: int, *, one_transaction: bool) -> float:
    """Seconds for the same rows without sbql."""
    connection = duckdb.connect(str(path), config={"threads": 1})
    connection.execute('CREATE TABLE t ("$rid" BIGINT, a INTEGER, b VARCHAR, c DECIMAL(10,2))')
    insert = connection.extract_statements("INSERT INTO t VALUES (?, ?, ?, ?)")[0]

    def work() -> None:
        if one_transaction:
            connection.begin()
        for i in range(rows):
            connection.execute(insert, (i, i, "some text", 12.5))
        if one_transaction:
            connection.commit()

    seconds = timed(work)
    connection.close()
    return seconds


def through_sbql(instance: Instance, name: str, kind: str, rows: int, *, one_transaction: bool) -> float:
    columns, insert = KINDS[kind]
    session = instance.connect()

    def run(text: str) -> None:
        for outcome in session.run(text):
            if isinstance(outcome, ErrorOutcome):
                raise SystemExit(str(outcome.error))

    run(f"CREATE TABLE {name} ({columns})")
    loop = f"DECLARE @i int = 0; WHILE @i < @n BEGIN INSERT {name} {insert}; SET @i += 1 END"
    before, after = ("BEGIN TRAN;", ";COMMIT") if one_transaction else ("", "")
    text = f"SET NOCOUNT ON; DECLARE @n int = {rows}; {before} {loop} {after}"
    run(text.replace(f"= {rows};", "= 0;"))
    seconds = timed(lambda: run(text))
    session.close()
    return seconds


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        instance = Instance.open(str(Path(folder) / "store.duckdb"))
        print(f"{rows} rows; microseconds a row")
        for one_transaction in (False, True):
            base = bare(Path(folder) / f"bare{one_transaction}.duckdb", rows, one_transaction=one_transaction)
            what = "BEGIN … COMMIT" if one_transaction else "autocommit"
            print(f"{what:16} {'bare DuckDB':14} {base / rows * 1e6:8.0f}")
            for number, kind in enumerate(KINDS):
                name = f"t{number}_{int(one_transaction)}"
                seconds = through_sbql(instance, name, kind, rows, one_transaction=one_transaction)
                print(f"{what:16} {kind:14} {seconds / rows * 1e6:8.0f}   ratio {seconds / base:5.2f}")
        instance.close()


if __name__ == "__main__":
    main()
