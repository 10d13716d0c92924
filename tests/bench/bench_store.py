"""What the store costs beside bare DuckDB on the same machine, in the same run, with the same durability.

    python tests/bench/bench_store.py [folder] [--quick]

Prints one table: what was done, ours, bare DuckDB's, the ratio, and the goal. Each pair is measured in turns, so that a
busy machine slows both; medians are compared. The files go into `folder` (a new temporary folder when none is given).
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import duckdb

from sbql.catalog.changes import Definition, InsertRows, storage_name
from sbql.catalog.journal import encode
from sbql.catalog.records import DeleteMessage, QueuedMessage
from sbql.catalog.store import Store
from sbql.catalog.store_session import StoreSession

TABLE = storage_name("Shop.dbo", "t")
COLUMNS = ("$rid", "a", "b")
READ = f'SELECT a, b FROM {TABLE} WHERE "$rid" = ?'


def message(key: int) -> QueuedMessage:
    return QueuedMessage(
        message_key=key, queue_id=1, database_id=5, status=1, priority=5, queuing_order=key, conversation_handle=UUID(int=1),
        message_sequence_number=key, service_id=1, contract_id=6, message_type_id=14, message_type_name="DEFAULT",
        validation="N", message_body=b"x" * 100, message_id=UUID(int=key).bytes, message_enqueue_time=1.5e9,
    )  # fmt: skip


class Bench:
    """One store, one bare DuckDB file with the same tables, and the lines of the report."""

    def __init__(self, folder: Path, rounds: int) -> None:
        self.rounds = rounds
        self.store = Store.open(folder / "ours.duckdb")
        self.session: StoreSession = self.store.connect()
        self.bare = duckdb.connect(str(folder / "bare.duckdb"), config={"threads": 1})
        self.next = 0
        create = f'CREATE SCHEMA "Shop.dbo"; CREATE TABLE {TABLE} ("$rid" BIGINT, a INTEGER, b VARCHAR)'
        self.bare.execute(create + "; CREATE TABLE journal (lsn BIGINT, record BLOB)")
        unit = self.session.begin()
        unit.apply(Definition(create, (TABLE,)))
        unit.commit()
        self.record = encode([message(1)])

    def pair(self, title: str, ours: Callable[[], object], bare: Callable[[], object], goal: str) -> None:
        """Measure two calls in turns and print their medians."""
        mine: list[float] = []
        theirs: list[float] = []
        for _ in range(self.rounds):
            for call, times in ((ours, mine), (bare, theirs)):
                start = time.perf_counter()
                call()
                times.append(time.perf_counter() - start)
        a, b = statistics.median(mine), statistics.median(theirs)
        print(f"{title:44} {a * 1e3:8.3f} ms {b * 1e3:8.3f} ms {a / b:6.2f} x   {goal}")

    def number(self) -> int:
        self.next += 1
        return self.next

    # -- single commits ----------------------------------------------------------------------------------------------

    def our_insert(self, *broker: DeleteMessage) -> None:
        unit = self.session.begin()
        unit.apply(InsertRows(TABLE, COLUMNS, [(self.number(), 1, "some text")]))
        unit.commit([], broker)

    def bare_insert(self) -> None:
        self.bare.begin()
        self.bare.execute(f"INSERT INTO {TABLE} VALUES (?, ?, ?)", [self.number(), 1, "some text"])
        self.bare.commit()

    def our_record(self) -> None:
        self.store.wait_durable(self.store.submit([message(self.number())]))

    def bare_record(self) -> None:
        self.bare.begin()
        self.bare.execute("INSERT INTO journal VALUES (?, ?)", [self.number(), self.record])
        self.bare.commit()

    def our_read(self) -> None:
        self.session.begin().query(READ, (1,), tables=frozenset({TABLE}))

    def bare_read(self) -> None:
        self.bare.execute(READ, [1]).fetchall()

    def single(self) -> None:
        self.pair("insert one row, commit", self.our_insert, self.bare_insert, "<= 1.5 x")
        self.pair(
            "insert one row and one broker record",
            lambda: self.our_insert(DeleteMessage(1)),
            self.bare_insert,
            "<= 1.5 x",
        )
        self.pair("one broker record, durable", self.our_record, self.bare_record, "0.6 to 0.9 ms")
        self.pair("read one row, outside a transaction", self.our_read, self.bare_read, "<= 1.3 x")

    # -- streams -----------------------------------------------------------------------------------------------------

    def insert_loop(self, count: int) -> None:
        """`count` single-row inserts in one transaction, as a T-SQL loop makes them."""
        unit = self.session.begin()
        start = time.perf_counter()
        for _ in range(count):
            unit.apply(InsertRows(TABLE, COLUMNS, [(self.number(), 1, "some text")]))
        unit.commit()
        ours = count / (time.perf_counter() - start)
        few = count // 10
        start = time.perf_counter()
        self.bare.begin()
        for _ in range(few):
            self.bare.execute(f"INSERT INTO {TABLE} VALUES (?, ?, ?)", [self.number(), 1, "some text"])
        self.bare.commit()
        bare = few / (time.perf_counter() - start)
        print(f"{'inserts a second in one transaction':44} {ours:11,.0f} {bare:11,.0f} {ours / bare:6.2f} x")

    def submit_loop(self, count: int) -> None:
        """One session submits as fast as it can, sending and receiving, while folds run beside it."""
        done = threading.Event()
        folds: list[float] = []

        def keep_folding() -> None:
            while not done.wait(0.1):
                start = time.perf_counter()
                self.store.fold()
                folds.append(time.perf_counter() - start)

        folder = threading.Thread(target=keep_folding)
        folder.start()
        first = self.next + 1
        start = time.perf_counter()
        for key in range(first, first + count):
            self.store.submit([message(key)])
            self.store.submit([DeleteMessage(key)])
        self.store.wait_durable(self.store.last_lsn)
        rate = 2 * count / (time.perf_counter() - start)
        done.set()
        folder.join()
        self.next += count
        took = f"{statistics.median(folds) * 1e3:.0f} ms" if folds else "none"
        print(
            f"{'records a second, durable at the end':44} {rate:11,.0f} {'':11}          >= 20,000 (folds beside it: {took})"
        )

    def clients(self, threads: int, each: int) -> None:
        """Many threads, each call durable."""

        def work() -> None:
            for _ in range(each):
                self.store.wait_durable(self.store.submit([DeleteMessage(1)]))

        running = [threading.Thread(target=work) for _ in range(threads)]
        start = time.perf_counter()
        for thread in running:
            thread.start()
        for thread in running:
            thread.join()
        rate = threads * each / (time.perf_counter() - start)
        print(
            f"{f'records a second, {threads} threads, each call durable':44} {rate:11,.0f} {'':11}          >= 10,000"
        )

    def close(self) -> None:
        self.store.close()
        self.bare.close()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", nargs="?", type=Path)
    arguments.add_argument("--quick", action="store_true", help="a tenth of the work")
    given = arguments.parse_args()
    scale = 1 if given.quick else 10
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        bench = Bench(folder, 50 * scale)
        print(f"{'':44} {'ours':>11} {'bare':>11} {'ratio':>8}   goal")
        try:
            bench.single()
            bench.insert_loop(1000 * scale)
            bench.submit_loop(5000 * scale)
            bench.clients(50, 10 * scale)
        finally:
            bench.close()


if __name__ == "__main__":
    main()
