"""Measures the broker through its doors (SEND loop, activation, durable calls, latency), and what is in statements.py.

    python tests/bench/bench_broker.py [--quick | --scale X] [--json FILE]

Every figure is taken on a store on disk in a fresh temporary folder. Ratios are against bare DuckDB commits of the same
run, so that two machines can be compared; the disk, SQLite and PostgreSQL, where its programs and psycopg are
installed, are measured beside it (peers.py). Prints a Markdown table; docs/performance.md holds one.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable

import duckdb

from sbql.engine.instance import Instance
from sbql.engine.session import Session

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import fan_out
import peers
import statements
from statements import run

SETUP = """
CREATE MESSAGE TYPE [//bench/item] VALIDATION = NONE;
CREATE CONTRACT [//bench/contract] ([//bench/item] SENT BY ANY);
CREATE QUEUE SenderQueue; CREATE QUEUE TargetQueue;
CREATE SERVICE [//bench/sender] ON QUEUE SenderQueue;
CREATE SERVICE [//bench/target] ON QUEUE TargetQueue ([//bench/contract]);
CREATE TABLE Item (Id bigint IDENTITY PRIMARY KEY, Body varbinary(100));
CREATE TABLE Seen (Body varbinary(100));
"""

READER = """
CREATE PROCEDURE Reader AS
BEGIN
    SET NOCOUNT ON;
    DECLARE @batch TABLE (conversation_handle uniqueidentifier, message_body varbinary(100));
    WHILE 1 = 1
    BEGIN
        BEGIN TRANSACTION;
        WAITFOR (RECEIVE TOP (10000) conversation_handle, message_body FROM TargetQueue INTO @batch), TIMEOUT 1000;
        IF @@ROWCOUNT = 0 BEGIN COMMIT; BREAK; END;
        INSERT INTO Seen SELECT message_body FROM @batch;
        DELETE FROM @batch;
        COMMIT;
    END
END
"""

ACTIVATE = """
ALTER QUEUE TargetQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 2, EXECUTE AS OWNER);
"""

BODY = "0x" + "41" * 100


class Bench:
    """One instance on disk with the benchmark's objects."""

    def __init__(self, folder: pathlib.Path, name: str) -> None:
        self.instance = Instance.open(str(folder / f"{name}.duckdb"))
        self.session = self.connect("master")
        run(self.session, "CREATE DATABASE Bench")
        run(self.session, "USE Bench")
        run(self.session, SETUP)

    def connect(self, database: str = "Bench") -> Session:
        return self.instance.connect(database)

    def handle(self, session: Session) -> str:
        """A new dialog's handle as a literal."""
        outcomes = run(
            session,
            "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//bench/sender] TO SERVICE '//bench/target'"
            " ON CONTRACT [//bench/contract] WITH ENCRYPTION = OFF; SELECT @h",
        )
        return str(next(o for o in outcomes if hasattr(o, "rows")).rows[0][0])

    def close(self) -> None:
        self.instance.close()


def send_loop(folder: pathlib.Path, count: int) -> float:
    """Messages a second of SEND in a T-SQL WHILE loop, autocommit, durable at the end of the batch."""
    bench = Bench(folder, "send_loop")
    handle = bench.handle(bench.session)
    text = f"""DECLARE @h uniqueidentifier = '{handle}', @i int = 0;
        WHILE @i < {count} BEGIN SEND ON CONVERSATION @h MESSAGE TYPE [//bench/item] ({BODY}); SET @i += 1; END"""
    start = time.perf_counter()
    run(bench.session, text)
    seconds = time.perf_counter() - start
    bench.close()
    return count / seconds


def end_to_end(folder: pathlib.Path, count: int, senders: int) -> float:
    """Messages a second from SEND loops of `senders` sessions through activated readers into a table."""
    bench = Bench(folder, "end_to_end")
    run(bench.session, READER)
    run(bench.session, ACTIVATE)
    sessions = [bench.connect() for _ in range(senders)]
    texts = [
        f"""DECLARE @h uniqueidentifier = '{bench.handle(s)}', @i int = 0;
        WHILE @i < {count // senders} BEGIN SEND ON CONVERSATION @h MESSAGE TYPE [//bench/item] ({BODY}); SET @i += 1; END"""
        for s in sessions
    ]
    start = time.perf_counter()
    threads = [threading.Thread(target=run, args=pair) for pair in zip(sessions, texts, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert bench.instance.wait_idle(120)
    seconds = time.perf_counter() - start
    outcomes = run(bench.session, "SELECT COUNT(*) FROM Seen")
    seen = next(o for o in outcomes if hasattr(o, "rows")).rows[0][0]
    assert seen == count // senders * senders, f"{seen} of {count} arrived"
    bench.close()
    return count / seconds


def durable_calls(folder: pathlib.Path, threads: int, per_thread: int, *, readers: bool = False) -> float:
    """Calls a second of `threads` threads, each call one SEND that is on disk when it returns; of one thread behind the
    calls in which the broker's log begins. `readers`: activated procedures move the messages into a table meanwhile,
    and the time ends when they have the last one."""
    bench = Bench(folder, f"durable_{threads}_{readers}")
    if readers:
        run(bench.session, READER)
        run(bench.session, ACTIVATE)
    sessions = [bench.connect() for _ in range(threads)]
    texts = [f"SEND ON CONVERSATION '{bench.handle(s)}' MESSAGE TYPE [//bench/item] ({BODY})" for s in sessions]

    def work(session: Session, text: str, count: int = per_thread) -> None:
        for _ in range(count):
            run(session, text)

    if threads == 1:
        work(sessions[0], texts[0], FIRST_CALLS)
    workers = [threading.Thread(target=work, args=pair) for pair in zip(sessions, texts, strict=True)]
    start = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if readers:
        assert bench.instance.wait_idle(120)
    seconds = time.perf_counter() - start
    if readers:
        seen = next(o for o in run(bench.session, "SELECT COUNT(*) FROM Seen") if hasattr(o, "rows")).rows[0][0]
        assert seen == threads * per_thread, f"{seen} of {threads * per_thread} arrived"
    bench.close()
    return threads * per_thread / seconds


FIRST_CALLS = 64
"""In these the broker's log begins, once for an open store."""


def commit_latency(folder: pathlib.Path, count: int) -> tuple[float, float, float]:
    """Median and 99th percentile, in ms, of one durable SEND call of one session; the longest of the first
    calls, which are not among them."""
    bench = Bench(folder, "latency")
    text = f"SEND ON CONVERSATION '{bench.handle(bench.session)}' MESSAGE TYPE [//bench/item] ({BODY})"
    times = []
    for _ in range(FIRST_CALLS + count):
        start = time.perf_counter()
        run(bench.session, text)
        times.append((time.perf_counter() - start) * 1000)
    bench.close()
    first, times = times[:FIRST_CALLS], times[FIRST_CALLS:]
    return statistics.median(times), statistics.quantiles(times, n=100)[98], max(first)


def durable_against_bare(folder: pathlib.Path, count: int) -> tuple[float, float]:
    """Median ms of one durable SEND call, and of a bare DuckDB commit of one appended 100-byte row: the least that it
    can cost."""
    bench = Bench(folder, "durable_one")
    text = f"SEND ON CONVERSATION '{bench.handle(bench.session)}' MESSAGE TYPE [//bench/item] ({BODY})"
    connection = duckdb.connect(str(folder / "bare.duckdb"), config={"threads": 1})
    connection.execute("CREATE TABLE journal (lsn BIGINT, record BLOB)")
    with connection.appender("journal") as appender:

        def bare(number: int) -> None:
            connection.begin()
            appender.append_row(number, b"x" * 100)
            appender.flush()
            connection.commit()

        found = statements.alternately(lambda _: run(bench.session, text), bare, count)
    connection.close()
    bench.close()
    return found


def activation_latency(folder: pathlib.Path, count: int) -> float:
    """Median ms from the start of a SEND call to the activated procedure's own row being there, idle instance."""
    bench = Bench(folder, "activation")
    run(
        bench.session,
        """CREATE PROCEDURE Once AS BEGIN
            DECLARE @b varbinary(100);
            WHILE 1 = 1 BEGIN
                WAITFOR (RECEIVE TOP (1) @b = message_body FROM TargetQueue), TIMEOUT 60000;
                IF @@ROWCOUNT = 0 BREAK;
                PRINT 'got it';
            END
        END""",
    )
    run(bench.session, ACTIVATE.replace("Reader", "Once").replace("= 2", "= 1"))
    text = f"SEND ON CONVERSATION '{bench.handle(bench.session)}' MESSAGE TYPE [//bench/item] ({BODY})"
    got = threading.Event()
    bench.instance.error_log.listen(lambda record: got.set())
    times = []
    for _ in range(count):
        got.clear()
        start = time.perf_counter()
        run(bench.session, text)
        assert got.wait(10)
        times.append((time.perf_counter() - start) * 1000)
    bench.close()
    return statistics.median(times[1:])


def dialogs(folder: pathlib.Path, count: int) -> float:
    """Dialogs a second: BEGIN DIALOG, SEND, RECEIVE at the target, END there, RECEIVE EndDialog, END."""
    bench = Bench(folder, "dialogs")
    text = f"""DECLARE @h uniqueidentifier, @t uniqueidentifier, @i int = 0;
        WHILE @i < {count} BEGIN
            BEGIN DIALOG @h FROM SERVICE [//bench/sender] TO SERVICE '//bench/target' ON CONTRACT [//bench/contract]
                WITH ENCRYPTION = OFF;
            SEND ON CONVERSATION @h MESSAGE TYPE [//bench/item] ({BODY});
            RECEIVE TOP (1) @t = conversation_handle FROM TargetQueue;
            SEND ON CONVERSATION @t MESSAGE TYPE [//bench/item] ({BODY});
            END CONVERSATION @t;
            RECEIVE TOP (1) @t = conversation_handle FROM SenderQueue;
            END CONVERSATION @h;
            SET @i += 1;
        END"""
    start = time.perf_counter()
    run(bench.session, text)
    seconds = time.perf_counter() - start
    bench.close()
    return count / seconds


def activated_dialogs(folder: pathlib.Path, count: int) -> float:
    """Dialogs a second with a procedure at work on either side: BEGIN DIALOG and SEND in a loop; the target's ends what
    it receives, the initiator's at EndDialog."""
    bench = Bench(folder, "activated_dialogs")
    for queue in ("TargetQueue", "SenderQueue"):
        run(
            bench.session,
            f"""CREATE PROCEDURE Ends{queue} AS BEGIN
                DECLARE @h uniqueidentifier;
                WHILE 1 = 1 BEGIN
                    BEGIN TRANSACTION;
                    WAITFOR (RECEIVE TOP (1) @h = conversation_handle FROM {queue}), TIMEOUT 1000;
                    IF @@ROWCOUNT = 0 BEGIN COMMIT; BREAK; END;
                    END CONVERSATION @h;
                    COMMIT;
                END
            END""",
        )
        run(bench.session, ACTIVATE.replace("Reader", f"Ends{queue}").replace("TargetQueue", queue, 1))
    text = f"""DECLARE @h uniqueidentifier, @i int = 0;
        WHILE @i < {count} BEGIN
            BEGIN DIALOG @h FROM SERVICE [//bench/sender] TO SERVICE '//bench/target' ON CONTRACT [//bench/contract]
                WITH ENCRYPTION = OFF;
            SEND ON CONVERSATION @h MESSAGE TYPE [//bench/item] ({BODY});
            SET @i += 1;
        END"""
    start = time.perf_counter()
    run(bench.session, text)
    assert bench.instance.wait_idle(120)
    seconds = time.perf_counter() - start
    outcomes = run(bench.session, "SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1")
    assert next(o for o in outcomes if hasattr(o, "rows")).rows[0][0] == 0
    bench.close()
    return count / seconds


def receive_and_insert(folder: pathlib.Path, count: int) -> tuple[float, float]:
    """Transactions a second of RECEIVE TOP (1) and an INSERT in a procedure, each a call; the same of bare DuckDB
    inserts."""
    bench = Bench(folder, "receive_insert")
    run(
        bench.session,
        """CREATE PROCEDURE TakeOne AS BEGIN
            SET NOCOUNT ON;
            DECLARE @b varbinary(100);
            BEGIN TRANSACTION;
            RECEIVE TOP (1) @b = message_body FROM TargetQueue;
            INSERT INTO Seen VALUES (@b);
            COMMIT;
        END""",
    )
    run(
        bench.session,
        f"""DECLARE @h uniqueidentifier = '{bench.handle(bench.session)}', @i int = 0;
        WHILE @i < {count} BEGIN SEND ON CONVERSATION @h MESSAGE TYPE [//bench/item] ({BODY}); SET @i += 1; END""",
    )
    connection = duckdb.connect(str(folder / "bare_insert.duckdb"), config={"threads": 1})
    connection.execute("CREATE TABLE Seen (Body BLOB)")
    ours = bare = 0.0
    for _ in range(count):
        start = time.perf_counter()
        run(bench.session, "EXEC TakeOne")
        middle = time.perf_counter()
        connection.begin()
        connection.execute("INSERT INTO Seen VALUES (?)", [b"A" * 100])
        connection.commit()
        ours += middle - start
        bare += time.perf_counter() - middle
    connection.close()
    bench.close()
    return count / ours, count / bare


def measure(folder: pathlib.Path, scale: float) -> list[tuple[str, str, float]]:
    rows: list[tuple[str, str, float]] = []

    def add(what: str, unit: str, value: float) -> None:
        rows.append((what, unit, value))
        print(f"{what}: {value:,.2f} {unit}", file=sys.stderr, flush=True)

    def timed(what: str, unit: str, function: Callable[[], float]) -> float:
        value = function()
        add(what, unit, value)
        return value

    def n(full: int) -> int:
        return max(int(full * scale), 10)

    timed("SEND in a T-SQL loop, autocommit, durable at batch end", "messages/s", lambda: send_loop(folder, n(100_000)))
    timed(
        "SEND loops to activated readers to a table, 2 senders", "messages/s", lambda: end_to_end(folder, n(100_000), 2)
    )
    ours, bare = durable_against_bare(folder, n(1000))
    add("bare DuckDB commit of one 100-byte row", "commits/s", 1000 / bare)
    add("one durable SEND a call, 1 thread", "calls/s", 1000 / ours)
    add("one durable SEND a call, 1 thread, of bare commits", "ratio", bare / ours)
    timed("the same without bare commits in turn", "calls/s", lambda: durable_calls(folder, 1, n(3000)))
    timed("one durable SEND a call, 50 threads", "calls/s", lambda: durable_calls(folder, 50, n(400)))
    timed(
        "the same to activated readers to a table",
        "messages/s",
        lambda: durable_calls(folder, 50, n(400), readers=True),
    )
    for figure in peers.measure(folder, scale):
        add(*figure)
    median, worst, first = commit_latency(folder, n(1000))
    add("commit latency of a durable SEND call, median", "ms", median)
    add("commit latency of a durable SEND call, 99th percentile", "ms", worst)
    add("the longest of the first 64 such calls, in which the broker's log begins", "ms", first)
    timed("SEND call to activated procedure has the message, median", "ms", lambda: activation_latency(folder, n(200)))
    timed("a dialog a message, both sides in one session", "dialogs/s", lambda: dialogs(folder, n(10_000)))
    timed("a dialog a message, both sides activated", "dialogs/s", lambda: activated_dialogs(folder, n(10_000)))
    by_monolog, by_dialogs = fan_out.deliveries_per_second(folder, n(300), 100)
    add("SEND on a monolog with 100 subscribers, 100 bytes", "messages/s", by_monolog)
    add("the same by a SEND that names 100 dialogs", "messages/s", by_dialogs)
    by_monolog, by_dialogs = fan_out.deliveries_per_second(folder, n(100), 8000)
    add("SEND on a monolog with 100 subscribers, 8,000 bytes", "messages/s", by_monolog)
    add("the same by a SEND that names 100 dialogs, 8,000 bytes", "messages/s", by_dialogs)
    received, inserted = receive_and_insert(folder, n(1000))
    add("RECEIVE TOP (1) and one INSERT, a transaction", "transactions/s", received)
    add("the same, of bare DuckDB insert transactions", "ratio", received / inserted)
    for what, (ours, theirs) in statements.rows_by_key(folder, n(1000)).items():
        add(what, "ms", ours)
        add(f"{what}, to bare DuckDB's time", "ratio", ours / theirs)
    timed("a definition (CREATE MESSAGE TYPE), on disk", "ms", lambda: statements.definitions(folder, n(200)))
    timed("simple statements in a WHILE loop", "statements/s", lambda: statements.statements_per_second(n(1_000_000)))
    lines = (SETUP + READER.replace("CREATE PROCEDURE Reader AS", "")) * 44
    cold, cached = statements.parse_seconds(lines)
    count = lines.count("\n")
    add(f"parse of a script of {count:,} lines, cold", "s", cold)
    add("a cached statement", "µs", cached * 1000)
    timed('start of `sbql -Q "SELECT 1"`, whole process', "s", lambda: statements.start_seconds(5, folder))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick", action="store_const", dest="scale", const=0.1, help="a tenth of the work, to see that it runs"
    )
    parser.add_argument("--scale", type=float, help="how much of the work (1: all)")
    parser.set_defaults(scale=1.0)
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures to this file")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(pathlib.Path(folder), arguments.scale)
    print("| what | figure | unit |\n|---|--:|---|")
    for what, unit, value in rows:
        print(f"| {what} | {value:,.{2 if value < 1000 else 0}f} | {unit} |")
    if arguments.json:
        arguments.json.write_text(json.dumps({what: [value, unit] for what, unit, value in rows}, indent=1))


if __name__ == "__main__":
    main()
