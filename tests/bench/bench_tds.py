"""What SQL Server's clients get through the door of TDS: `make bench-tds`.

For each driver that is installed: time to connect, trivial batches a second with one connection and with
eight, messages sent and received a second, rows a second down and (by executemany) up. The server is a
process of its own, with a store on disk. Drivers run in this process, eight connections in eight threads:
figures of clients in pure Python with eight are those of one interpreter. Microsoft's JDBC (MSSQL_JDBC names
its jar) and jTDS are measured by Rates.java.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

import postgres
from serving import free_port, server
from tds_drivers import MARKERS, connect, module_of, version_of
from tds_programs import PROGRAMS

PASSWORD = "Secret-1234"
JDBC = {
    "jdbc": "jdbc:sqlserver://127.0.0.1:{port};databaseName=shop;encrypt=false",
    "jtds": "jdbc:jtds:sqlserver://127.0.0.1:{port}/shop",
}
"""Programs of tds_programs.py that are Java, and their addresses."""
SET_UP = """
IF DB_ID(N'shop') IS NULL CREATE DATABASE shop;
"""
OBJECTS = """
IF OBJECT_ID(N'Moved') IS NULL CREATE TABLE Moved (g uniqueidentifier, n bigint, b varbinary(200));
IF OBJECT_ID(N'BenchQueue') IS NULL CREATE QUEUE BenchQueue;
IF NOT EXISTS (SELECT * FROM sys.services WHERE name = N'Bench') EXEC (N'CREATE SERVICE Bench ON QUEUE BenchQueue ([DEFAULT])');
"""
DOWN = "SELECT TOP ({rows}) NEWID() AS g, CAST(value AS bigint) AS n, CAST(REPLICATE('x', 200) AS varbinary(200)) AS b FROM GENERATE_SERIES(1, {rows})"


def a_second(work: Callable[[], Any], seconds: float) -> float:
    """How often a second, tried for so long."""
    count, since = 0, time.perf_counter()
    while time.perf_counter() - since < seconds:
        work()
        count += 1
    return count / (time.perf_counter() - since)


def trivial(connection: Any) -> Callable[[], Any]:
    cursor = connection.cursor()

    def work() -> None:
        cursor.execute("SELECT 1 AS x")
        cursor.fetchall()

    return work


def of_eight(make: Callable[[], Any], seconds: float) -> float:
    found: list[float] = []
    connections = [make() for _ in range(8)]

    def body(connection: Any) -> None:
        found.append(a_second(trivial(connection), seconds))

    threads = [threading.Thread(target=body, args=(one,)) for one in connections]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one in connections:
        one.close()
    return sum(found)


def messages(connection: Any, seconds: float) -> tuple[float, float]:
    """Sent and received a second, one a batch, each a transaction of its own."""
    cursor = connection.cursor()
    cursor.execute(
        "SET NOCOUNT ON; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Bench TO SERVICE N'Bench' WITH ENCRYPTION = OFF; SELECT CAST(@h AS varchar(36))"
    )
    ((handle,),) = cursor.fetchall()
    send = f"SEND ON CONVERSATION '{handle}' (0x{'41' * 100})"
    sent = a_second(lambda: cursor.execute(send), seconds)

    def receive() -> None:
        cursor.execute("RECEIVE TOP (1) conversation_handle, message_body FROM BenchQueue")
        cursor.fetchall()

    return sent, a_second(receive, seconds)


def measure(name: str, port: int, seconds: float, rows: int) -> list[str]:
    connect_rate = a_second(lambda: connect(name, port, password=PASSWORD, autocommit=True).close(), seconds)
    connection = connect(name, port, password=PASSWORD, autocommit=True)
    one, eight = (
        a_second(trivial(connection), seconds),
        of_eight(lambda: connect(name, port, password=PASSWORD, autocommit=True), seconds),
    )
    sent, received = messages(connection, seconds)
    cursor = connection.cursor()
    since = time.perf_counter()
    cursor.execute(DOWN.format(rows=rows))
    values = cursor.fetchall()
    down = rows / (time.perf_counter() - since)
    assert len(values) == rows
    marker, count = MARKERS[name], max(1, rows // 50)
    since = time.perf_counter()
    cursor.executemany(f"INSERT INTO Moved (n) VALUES ({marker})", [(n,) for n in range(count)])
    up = count / (time.perf_counter() - since)
    connection.close()
    return [f"{1000 / connect_rate:.1f} ms", *(f"{value:,.0f}" for value in (one, eight, sent, received, down, up))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--rows", type=int, default=100_000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        password = Path(folder) / "sa"
        password.write_text(PASSWORD)
        port = free_port()
        with server(
            "--store", Path(folder) / "b.duckdb", "--listen", f"127.0.0.1:{port}", "--sa-password-file", password
        ):
            prepare(port)
            print(
                "| client | connect | batches/s, 1 | batches/s, 8 | SEND/s | RECEIVE/s | rows/s down | rows/s up |\n|---|---|---|---|---|---|---|---|"
            )
            for name in MARKERS:
                try:
                    module_of(name)
                    print(
                        f"| {name} {version_of(name)} | {' | '.join(measure(name, port, options.seconds, options.rows))} |",
                        flush=True,
                    )
                except (Exception, SystemExit) as missing:
                    print(f"| {name} | not measured: {type(missing).__name__}: {str(missing)[:80]} |", flush=True)
            for name, url in JDBC.items():
                print(by_jdbc(name, url, port, options), flush=True)
    if reason := postgres.missing():
        print(f"PostgreSQL was not measured: {reason}")
        return
    with postgres.cluster() as cluster:
        print(
            f"| PostgreSQL, psycopg | {' | '.join(measure_postgresql(cluster.connect, options.seconds, options.rows))} |"
        )


def by_jdbc(name: str, url: str, port: int, options: argparse.Namespace) -> str:
    """A line of the table, by the Java program Rates; its connections of eight threads have
    an interpreter of their own each."""
    program = PROGRAMS[name]
    if (reason := program.missing()) is not None:
        return f"| {name} | not measured: {reason} |"
    java, _, jar = program.command[:3]
    values = (url.format(port=port), PASSWORD, str(options.seconds), str(options.rows), DOWN.format(rows=options.rows))
    done = subprocess.run(
        [java, "-cp", jar, str(Path(__file__).with_name("Rates.java")), *values], capture_output=True, text=True
    )
    return f"| {done.stdout.strip()} |" if done.returncode == 0 else f"| {name} | failed: {done.stderr[:200]} |"


def measure_postgresql(make: Callable[[], Any], seconds: float, rows: int) -> list[str]:
    """The same work; messages are rows of a table there, taken with SKIP LOCKED."""
    rate = a_second(lambda: make().close(), seconds)
    connection = make()
    cursor = connection.cursor()
    cursor.execute("CREATE TABLE moved (n bigint); CREATE TABLE queue (id bigserial PRIMARY KEY, body bytea)")
    one, eight = a_second(trivial(connection), seconds), of_eight(make, seconds)
    sent = a_second(lambda: cursor.execute("INSERT INTO queue (body) VALUES (%s)", (b"A" * 100,)), seconds)
    take = (
        "DELETE FROM queue WHERE id = (SELECT id FROM queue ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING body"
    )
    received = a_second(lambda: cursor.execute(take).fetchall(), seconds)
    since = time.perf_counter()
    cursor.execute(
        f"SELECT gen_random_uuid(), n::bigint, decode(repeat('78', 200), 'hex') FROM generate_series(1, {rows}) AS n"
    )
    assert len(cursor.fetchall()) == rows
    down = rows / (time.perf_counter() - since)
    count = max(1, rows // 50)
    since = time.perf_counter()
    cursor.executemany("INSERT INTO moved VALUES (%s)", [(n,) for n in range(count)])
    up = count / (time.perf_counter() - since)
    connection.close()
    return [f"{1000 / rate:.1f} ms", *(f"{value:,.0f}" for value in (one, eight, sent, received, down, up))]


def prepare(port: int) -> None:
    for database, text in (("master", SET_UP), ("shop", OBJECTS)):
        connection = connect("pymssql", port, password=PASSWORD, database=database, autocommit=True)
        connection.cursor().execute(text)
        connection.close()


if __name__ == "__main__":
    main()
