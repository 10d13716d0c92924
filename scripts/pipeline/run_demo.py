"""The trade pipeline with Spark: entries become messages, a stream validates, lands and answers them, another
one aggregates the files, and activated procedures settle the answers. At the end stands an account. Run it
with `make demo-spark`, or by hand:

    python scripts/pipeline/run_demo.py [--entries N] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from account import Line, account
from entries import entries, send
from queries import Answer, Landing, answering, land, positions
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

import sbql
from sbql.spark_udfs import SbqlDataSource, lag

HERE = Path(__file__).parent
MOST_AT_ONCE = 20_000
"""Entries of a transaction of the sender, and messages of a batch of the stream."""
PATIENCE = 3600.0
FAILURES = 8


@dataclass
class Sample:
    """How far everything was at a moment."""

    seconds: float
    sent: int
    landed: int
    settled: int
    lag: int


class Kept:
    """A query that is started again when it has failed, from its checkpoint, as whoever runs one for long does."""

    def __init__(self, start: Callable[[], Any]) -> None:
        self._start, self.query, self.failures = start, start(), list[str]()
        self._again_at: float | None = None

    def check(self) -> None:
        """Raises the failure when it is not the first few."""
        if self._again_at is not None:
            if time.monotonic() >= self._again_at:
                self._again_at, self.query = None, self._start()
        elif (failure := self.query.exception()) is not None:
            self.failures.append(str(failure).partition("\n")[0])
            if len(self.failures) > FAILURES:
                raise failure
            # Of the Python processes that were too slow to start Spark leaves each
            # behind, busy: the next one gets more time.
            self._again_at = time.monotonic() + min(30.0, 2.0 ** len(self.failures) - 1)


@dataclass
class Run:
    """A run of the pipeline on a store that this process owns and serves to Spark's processes."""

    spark: Any
    folder: Path
    total: int
    samples: list[Sample] = field(default_factory=list)
    sent: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.store = self.folder / "trades.duckdb"
        self.connection = sbql.connect(self.store)
        self.server = sbql.serve(self.connection)
        self.chunk = min(MOST_AT_ONCE, max(1, self.total // 4))
        self._end = threading.Event()

    def close(self) -> None:
        self._end.set()
        self.server.stop()
        self.connection.close()

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def prepare(self) -> None:
        sbql.run_file(self.connection, HERE / "setup.sql")
        self.spark.dataSource.register(SbqlDataSource)

    def landing(self, answer: Answer | None = None) -> Landing:
        """`answer`: for tests."""
        session = self.connection.instance.connect(database="Brokerage")
        known = [row[0] for row in self.connection.execute("SELECT RICCODE FROM Brokerage.dbo.instruments").fetchall()]
        return Landing(session, known, self.folder, answer or answering(str(self.store)))

    def flow(self, landing: Landing, on_sample: Callable[[Sample], None] = lambda sample: None) -> None:
        """Send, land, aggregate and settle at the same time until all is done, and end the conversations.

        Raises what ends a query again and again, and TimeoutError after an hour.
        """
        self.kept = (
            Kept(lambda: land(self.spark, str(self.store), self.folder, landing, self.chunk)),
            Kept(lambda: positions(self.spark, self.folder)),
        )
        watcher = threading.Thread(target=self._watch, args=(on_sample,))
        self._began = time.perf_counter()
        watcher.start()
        try:
            # Here and not in a thread: Spark knows the session, and what is registered in it, in this one alone.
            for version, first in enumerate(range(0, self.total, self.chunk)):
                self._check()
                after = min(first + self.chunk, self.total)
                send(entries(self.spark, first, after, self.total), str(self.store), version)
                self.sent = after
            self._wait_until("SELECT COUNT(*) FROM Desk.dbo.settlements", self.total)
            self.connection.execute(END_ALL)
            self._wait_until(OPEN, 0)
            self.kept[1].query.processAllAvailable()
        finally:
            self._end.set()
            watcher.join()
            for kept in self.kept:
                kept.query.stop()

    def _check(self) -> None:
        for kept in self.kept:
            kept.check()

    def _wait_until(self, query: str, value: int) -> None:
        while self._count(query) != value:
            self._check()
            if time.perf_counter() - self._began > PATIENCE:
                raise TimeoutError(f"{self.samples[-1]} after an hour")
            time.sleep(0.2)

    def _watch(self, on_sample: Callable[[Sample], None]) -> None:
        """Note how far everything is, five times a second."""
        landed, seen = 0, -1
        with sbql.connect(instance=self.connection.instance) as connection:
            is_last = False
            while not is_last:
                is_last = self._end.wait(0.2)
                query = self.kept[0].query
                for progress in query.recentProgress:
                    if progress.batchId > seen:
                        landed, seen = landed + progress.numInputRows, progress.batchId
                last = query.lastProgress
                settled = connection.execute("SELECT COUNT(*) FROM Desk.dbo.settlements").fetchall()[0][0]
                seconds, waits = time.perf_counter() - self._began, lag(last) if last is not None else 0
                self.samples.append(Sample(seconds, self.sent, min(landed, self.total), settled, waits))
                on_sample(self.samples[-1])

    def _count(self, query: str) -> int:
        return int(self.connection.execute(query).fetchall()[0][0])


OPEN = """SELECT (SELECT COUNT(*) FROM Desk.sys.conversation_endpoints WHERE state <> 'CD')
    + (SELECT COUNT(*) FROM Brokerage.sys.conversation_endpoints WHERE state <> 'CD')"""
END_ALL = """USE Desk;
DECLARE @h uniqueidentifier;
DECLARE dialogs CURSOR LOCAL STATIC FOR SELECT conversation_handle FROM sys.conversation_endpoints WHERE state = 'CO';
OPEN dialogs;
FETCH NEXT FROM dialogs INTO @h;
WHILE @@FETCH_STATUS = 0
BEGIN
    END CONVERSATION @h;
    FETCH NEXT FROM dialogs INTO @h;
END;
USE master;"""


def new_session() -> Any:
    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local[2]").appName("trades").config("spark.sql.session.timeZone", "UTC")
    builder = builder.config("spark.ui.enabled", "false").config("spark.ui.showConsoleProgress", "false")
    # A busy machine needs longer than 15 s to start a Python process.
    builder = builder.config("spark.python.authenticate.socketTimeout", "120s")
    session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    return session


def print_account(lines: Sequence[Line], console: Console) -> bool:
    """The account as a table. Whether all of it holds."""
    table = Table(title="The account", title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("", "expected", "found", ""):
        table.add_column(name, overflow="fold")
    for line in lines:
        values = {_shown(value) for value in line.found.values()}
        found = (
            ", ".join(f"{name} {_shown(value)}" for name, value in line.found.items())
            if len(values) > 1
            else values.pop()
        )
        table.add_row(
            line.what, _shown(line.expected), found, "[green]holds[/green]" if line.holds else "[red]WRONG[/red]"
        )
    table.caption = "* trades, position and turnover: in the files, in the aggregate, in the table"
    console.print(table)
    return all(line.holds for line in lines)


def _shown(value: Any) -> str:
    return "  ".join(value) if isinstance(value, tuple) else str(value)


def with_progress(run: Run, console: Console) -> None:
    columns = TextColumn("[bold]{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=not console.is_terminal) as progress:
        bars = {name: progress.add_task(f"entries {name}", total=run.total) for name in ("sent", "landed", "settled")}

        def show(sample: Sample) -> None:
            for name, bar in bars.items():
                progress.update(bar, completed=getattr(sample, name))

        run.flow(run.landing(), show)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run the trade pipeline with Spark.")
    parser.add_argument("--entries", type=int, default=10_000, metavar="N", help="how many trade entries (10000)")
    parser.add_argument(
        "--folder", type=Path, help="keep store, files and plots here; must be new (default: thrown away)"
    )
    options = parser.parse_args(arguments)
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        print("Spark needs Java 17 or newer: install it, or set JAVA_HOME.", file=sys.stderr)
        return 1
    if options.folder is not None and options.folder.exists() and any(options.folder.iterdir()):
        print(
            f"{options.folder} is not empty: store, files and checkpoints of a run belong together. Name a new folder.",
            file=sys.stderr,
        )
        return 1
    console = Console()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.folder or Path(scratch)
        console.print("Starting Spark, and setting up [bold]Desk[/bold] and [bold]Brokerage[/bold] ...")
        with Run(new_session(), folder, options.entries) as run:
            run.prepare()
            with_progress(run, console)
            seconds = run.samples[-1].seconds
            console.print(
                f"{run.total} entries sent, landed, answered and settled in {seconds:.0f} s, {run.total / seconds:.0f} a second."
            )
            holds = print_account(account(run.spark, run.connection, folder, run.total), console)
        if options.folder is not None:
            from plots import plot

            console.print(f"Rate and lag: {plot(run.samples, folder)}")
        run.spark.stop()
    console.print("[green]The account is balanced.[/green]" if holds else "[red]The account is NOT balanced.[/red]")
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
