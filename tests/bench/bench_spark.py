"""What Spark moves through sbql: stream source, sink, the floor of a batch, and memory, beside Spark's own sources.

    python tests/bench/bench_spark.py [--messages 1000000] [--dialogs 1000] [--batch 250000] [--body 100] [--json FILE]

The engine is a process of its own (`sbql serve` on a file, durable commits), Spark is local[2]. Rows a
second are those of the whole query: from its first planned batch to the end of its last. Memory is the peak
of each process. Prints a Markdown table.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import sbql

sys.path[:0] = [str(pathlib.Path(__file__).parents[1]), str(pathlib.Path(__file__).parents[1] / "spark")]
from spark_session import new_session  # noqa: E402

SETUP = (
    "CREATE DATABASE Bench",
    """USE Bench; CREATE QUEUE SenderQueue; CREATE QUEUE TargetQueue;
       CREATE XML SCHEMA COLLECTION Orders AS
           N'<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="order"><xs:complexType><xs:sequence><xs:element name="symbol" type="xs:string"/>
             <xs:element name="n" type="xs:int"/></xs:sequence><xs:attribute name="id" type="xs:int" use="required"/></xs:complexType></xs:element></xs:schema>';
       CREATE MESSAGE TYPE Plain VALIDATION = NONE; CREATE MESSAGE TYPE Xml VALIDATION = WELL_FORMED_XML;
       CREATE MESSAGE TYPE Valid VALIDATION = VALID_XML WITH SCHEMA COLLECTION Orders;
       CREATE CONTRACT Talk (Plain SENT BY INITIATOR, Xml SENT BY INITIATOR, Valid SENT BY INITIATOR);
       CREATE SERVICE [//bench/sender] ON QUEUE SenderQueue; CREATE SERVICE [//bench/target] ON QUEUE TargetQueue ([DEFAULT], Talk)""",
)
Figure = tuple[str, str, float]
"""(what, unit, value)."""


class Engine:
    """`sbql serve` on a new file, and a client of it."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.path = str(folder / "bench.duckdb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "sbql", "serve", "--store", self.path], stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout is not None and self.process.stdout.readline(), "the engine did not start"
        self.connection = sbql.connect(self.path)
        for text in SETUP:
            self.run(text)

    def run(self, text: str) -> list[Any]:
        cursor = self.connection.cursor()
        cursor.execute(text)
        return list(cursor.fetchall()) if cursor.description else []

    def waiting(self) -> int:
        return int(self.run("SELECT COUNT(*) FROM Bench.dbo.TargetQueue")[0][0])

    def close(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.wait(60)


class Bench:
    def __init__(self, spark: Any, engine: Engine, folder: pathlib.Path, options: argparse.Namespace) -> None:
        from sbql.spark_udfs import SbqlDataSource

        spark.dataSource.register(SbqlDataSource)
        self.spark, self.engine, self.folder, self.options = spark, engine, folder, options
        self.version = 0

    def rows(self, count: int, dialogs: int) -> Any:
        body = "x" * self.options.body
        return self.spark.range(count, numPartitions=2).selectExpr(
            f"CAST(id % {dialogs} AS STRING) AS conversation_key", f"CAST('{body}' AS BINARY) AS message_body"
        )

    def sink(self, count: int, dialogs: int, application: str = "bench") -> None:
        """One batch of so many rows."""
        self.version += 1
        self.rows(count, dialogs).write.format("sbql").mode("append").options(
            database=self.engine.path, inDatabase="Bench", fromService="//bench/sender", toService="//bench/target",
            encryption="false", txnAppId=application, txnVersion=str(self.version),
        ).save()  # fmt: skip

    def stream(self, columns: str = "", **options: object) -> Any:
        """The queue as a stream; `options` of the source, `columns` those of its schema when not all."""
        reader = (
            self.spark.readStream.format("sbql")
            .option("database", self.engine.path)
            .option("queue", "Bench.dbo.TargetQueue")
        )
        for name, value in options.items():
            reader = reader.option(name, value)
        return (reader.schema(columns) if columns else reader).load()

    def batches(self, frame: Any, name: str, expected: int) -> list[tuple[int, float]]:
        """Rows and seconds of each batch of what is there, into nothing, all rows counted."""
        writer = frame.writeStream.format("noop").option("checkpointLocation", str(self.folder / name))
        query = writer.trigger(availableNow=True).start()
        query.awaitTermination()
        found = [
            (p.numInputRows, p.durationMs["triggerExecution"] / 1000) for p in query.recentProgress if p.numInputRows
        ]
        rows = sum(count for count, _ in found)
        assert rows == expected, f"{name}: {rows} rows, expected {expected}"
        return found

    def drained(self, frame: Any, name: str, expected: int) -> float:
        return sum(seconds for _, seconds in self.batches(frame, name, expected))

    def stop(self, query: Any, consumer: str) -> None:
        """Its last poll may have taken messages that the next query waits for: they go
        back, and then the queue is emptied."""
        query.stop()
        self.engine.run(
            f"USE Bench; EXEC sp_sbql_release_consumer 'TargetQueue', '{consumer}'; DECLARE @n int = 1; DECLARE @t TABLE (h uniqueidentifier); "
            "WHILE @n > 0 BEGIN RECEIVE TOP (10000) conversation_handle FROM TargetQueue INTO @t; SET @n = @@ROWCOUNT; DELETE @t END"
        )

    def sender(self) -> Callable[[str], None]:
        """What sends a body, a T-SQL expression, on a dialog of its own."""
        (row,) = self.engine.run(
            "USE Bench; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//bench/sender] TO SERVICE '//bench/target' "
            "WITH ENCRYPTION = OFF; SELECT CAST(@h AS char(36))"
        )

        def send(body: str) -> None:
            self.engine.connection.cursor().execute(f"USE Bench; SEND ON CONVERSATION '{row[0]}' ({body})")

        return send

    # -- the figures --

    def sink_rate(self) -> Iterator[Figure]:
        """Twice as many as `messages`, for the source to have a first batch and another."""
        options = self.options
        self.sink(max(options.dialogs, 500), options.dialogs)  # begins the dialogs; Spark is warm
        before, times = self.engine.waiting(), []
        for _ in range(2 * options.messages // options.batch):
            start = time.perf_counter()
            self.sink(options.batch, options.dialogs)
            times.append(time.perf_counter() - start)
        assert self.engine.waiting() == before + 2 * options.messages // options.batch * options.batch
        what = f"sink into {options.dialogs:,} open dialogs, batches of {options.batch:,}"
        yield what, "rows/s", options.batch / statistics.median(times)

    def sink_of_kinds(self) -> Iterator[Figure]:
        """What takes more than a body in a queue: bodies that are looked into, dialogs that are ended."""
        options = self.options
        padding = "x" * max(options.body - 60, 0)
        order = f"concat('<order id=\"', id, '\"><symbol>{padding}', id % 977, '</symbol><n>', id, '</n></order>')"
        columns = (
            f"CAST(id % {options.dialogs} AS STRING) AS conversation_key",
            f"CAST({order} AS BINARY) AS message_body",
        )
        kinds = (
            ("Plain", options.batch, True, "the same, and the last row of each dialog ends it"),
            ("Xml", options.batch, False, "the same of a type WELL_FORMED_XML"),
            (
                "Valid",
                options.batch // 10,
                False,
                "the same of a type VALID_XML WITH SCHEMA COLLECTION, batches of a tenth",
            ),
        )
        for kind, count, ends, what in kinds:
            times = []
            for number in range(6):
                self.version += 1
                rows = self.spark.range(count if number % 2 else max(options.dialogs, 500), numPartitions=2)
                is_last = f"id >= {count - options.dialogs}" if ends and number % 2 else "false"
                start = time.perf_counter()
                rows.selectExpr(*columns, f"'{kind}' AS message_type_name", f"{is_last} AS end_conversation").write.format("sbql").mode("append").options(
                    database=self.engine.path, inDatabase="Bench", fromService="//bench/sender", toService="//bench/target", onContract="Talk",
                    encryption="false", txnAppId=kind, txnVersion=str(self.version),
                ).save()  # fmt: skip
                if number % 2:
                    times.append(time.perf_counter() - start)
            yield what, "rows/s", count / statistics.median(times)

    def source_rate(self) -> Iterator[Figure]:
        count = self.engine.waiting()
        frame = self.stream(maxMessagesPerTrigger=self.options.messages, numPartitions=2)
        first, second, *_ = (rows / seconds for rows, seconds in self.batches(frame, "source", count))
        yield f"source to noop, a batch of {self.options.messages:,} folded messages", "rows/s", second
        yield "the first such batch of a query, which starts Python workers", "rows/s", first
        assert self.engine.waiting() == 0

    def narrow_rate(self) -> Iterator[Figure]:
        """The same with a schema of two columns."""
        options = self.options
        for _ in range(2 * options.messages // options.batch):
            self.sink(options.batch, options.dialogs)
        count = self.engine.waiting()
        columns = "conversation_handle STRING, message_body BINARY"
        frame = self.stream(columns, maxMessagesPerTrigger=options.messages, numPartitions=2, consumerId="narrow")
        rates = [rows / seconds for rows, seconds in self.batches(frame, "narrow", count)]
        yield "the same with a schema of handle and body alone", "rows/s", rates[1]

    def sparks_own(self) -> Iterator[Figure]:
        """Spark's sources of the same rows, to see what Spark itself takes here."""
        options = self.options
        files = options.messages // options.batch
        folder = str(self.folder / "parquet")
        for _ in range(files):
            self.rows(options.batch, options.dialogs).coalesce(1).write.mode("append").parquet(folder)
        schema = self.rows(1, 1).schema
        parquet = self.spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(folder)
        rates = [rows / seconds for rows, seconds in self.batches(parquet, "files", files * options.batch)]
        yield f"beside it: Parquet files of {options.batch:,} rows to noop", "rows/s", statistics.median(rates)
        rate = self.spark.readStream.format("rate-micro-batch").option("rowsPerBatch", options.batch).load()
        query = rate.writeStream.format("noop").option("checkpointLocation", str(self.folder / "rate")).start()
        while len([p for p in query.recentProgress if p.numInputRows]) < files:
            time.sleep(0.05)
        batches = [p for p in query.recentProgress if p.numInputRows]
        query.stop()
        seconds = sum(p.durationMs["triggerExecution"] for p in batches) / 1000
        yield "beside it: rate source to noop", "rows/s", sum(p.numInputRows for p in batches) / seconds

    def source_beside_senders(self) -> Iterator[Figure]:
        """The stream reads while a thread of this process writes batch after batch through the sink."""
        options, found = self.options, []
        frame = self.stream(maxMessagesPerTrigger=options.batch, numPartitions=2, consumerId="beside")
        writer = frame.writeStream.format("noop").option("checkpointLocation", str(self.folder / "beside"))
        query = writer.start()
        start = time.perf_counter()
        for _ in range(options.messages // options.batch):
            self.sink(options.batch, options.dialogs)
        expected = options.messages // options.batch * options.batch
        while sum(p.numInputRows for p in query.recentProgress) < expected:
            assert query.isActive, query.exception()
            time.sleep(0.05)
        found.append(time.perf_counter() - start)
        self.stop(query, "beside")
        yield "source while the sink sends the same rows", "rows/s", expected / found[0]

    def dialog_a_message(self) -> Iterator[Figure]:
        count = self.options.messages // 50
        self.version += 1
        start = time.perf_counter()
        self.sink(count, count, "single")
        yield f"sink, {count:,} dialogs of one message", "rows/s", count / (time.perf_counter() - start)
        frame = self.stream(maxMessagesPerTrigger=self.options.batch, consumerId="single")
        yield f"source, {count:,} dialogs of one message", "rows/s", count / self.drained(frame, "single", count)

    def floor(self) -> Iterator[Figure]:
        """Batches of one message into nothing: what a batch costs in any case."""
        frame = self.stream(consumerId="floor")
        query = frame.writeStream.format("noop").option("checkpointLocation", str(self.folder / "floor")).start()
        send = self.sender()
        for number in range(20):
            send("0x01")
            while len(found := [p for p in query.recentProgress if p.numInputRows]) <= number:
                assert query.isActive, query.exception()
                time.sleep(0.01)
        self.stop(query, "floor")
        yield (
            "a batch of one message, median",
            "ms",
            statistics.median(p.durationMs["triggerExecution"] for p in found[5:]),
        )

    def latency(self) -> Iterator[Figure]:
        """How long a message takes from SEND to a function in the driver."""
        times: list[float] = []

        def take(batch: Any, number: int) -> None:
            for row in batch.select("message_body").collect():
                times.append(time.time() - float(bytes(row.message_body).decode("utf-16le")))

        frame = self.stream(consumerId="latency")
        writer = frame.writeStream.foreachBatch(take).option("checkpointLocation", str(self.folder / "latency"))
        query = writer.start()
        send = self.sender()
        for n in range(30):
            send(f"CAST(N'{time.time()!r}' AS nvarchar(40))")
            while len(times) <= n:
                assert query.isActive, query.exception()
                time.sleep(0.01)
        self.stop(query, "latency")
        yield "SEND to the function of foreachBatch, median", "ms", 1000 * statistics.median(times[5:])


class Memory:
    """The highest size of the processes below this one, by what they are; pages that Spark's Python workers share count
    in parts. To look costs those that are looked at: once in a while has to do."""

    def __init__(self, engine: int) -> None:
        self.engine, self.peaks = engine, dict.fromkeys(("engine", "driver (JVM)", "Python workers", "this process"), 0)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def _watch(self) -> None:
        while not self._stop.wait(1.5):
            now = dict.fromkeys(self.peaks, 0)
            for pid, parts in _below(os.getpid()):
                kind = "this process" if pid == os.getpid() else "engine" if pid == self.engine else _kind(parts)
                now[kind] += _size(pid, "Pss:" if kind == "Python workers" else "Rss:")
            for kind, size in now.items():
                self.peaks[kind] = max(self.peaks[kind], size)

    def end(self) -> Iterator[Figure]:
        self._stop.set()
        self._thread.join()
        for kind, size in self.peaks.items():
            yield f"memory of {kind}, peak", "MiB", size / 1024


def _kind(command: list[str]) -> str:
    return "driver (JVM)" if command and command[0].endswith("java") else "Python workers"


def _size(pid: int, what: str) -> int:
    """KiB; 0 for a process that has ended."""
    try:
        if what == "Rss:":
            return int(pathlib.Path(f"/proc/{pid}/statm").read_text(encoding="utf-8").split()[1]) * 4
        lines = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith(what)), 0)


def _below(root: int) -> Iterator[tuple[int, list[str]]]:
    """The process and all its descendants, with their command lines."""
    parents: dict[int, int] = {}
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except OSError:
                continue
    for pid in parents:
        at = pid
        while at not in (root, 0, 1):
            at = parents.get(at, 0)
        if at == root:
            try:
                yield pid, (pathlib.Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0"))
            except OSError:
                continue


@contextmanager
def environment(folder: pathlib.Path) -> Iterator[tuple[Any, Engine]]:
    engine = Engine(folder)
    spark = new_session(folder / "warehouse")
    try:
        yield spark, engine
    finally:
        spark.stop()
        engine.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--dialogs", type=int, default=1_000)
    parser.add_argument("--batch", type=int, default=250_000, help="rows of a batch")
    parser.add_argument("--body", type=int, default=100, help="bytes of a message body")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures there")
    options = parser.parse_args()
    found: list[Figure] = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with environment(folder) as (spark, engine):
            bench, memory = Bench(spark, engine, folder, options), Memory(engine.process.pid)
            parts: tuple[Callable[[], Iterator[Figure]], ...] = (
                bench.sink_rate, bench.source_rate, bench.narrow_rate, bench.sparks_own, bench.source_beside_senders, bench.floor, bench.latency,
                bench.dialog_a_message, bench.sink_of_kinds,
            )  # fmt: skip
            for part in (*parts, memory.end):
                for figure in part():
                    found.append(figure)
                    print(f"| {figure[0]} | {figure[2]:,.0f} {figure[1]} |", flush=True)
    if options.json:
        options.json.write_text(json.dumps({what: [value, unit] for what, unit, value in found}, indent=1))


if __name__ == "__main__":
    main()
