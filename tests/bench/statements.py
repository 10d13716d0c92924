"""The part of the benchmark that needs no broker: parse, start, plain statements, rows by key, definitions."""

from __future__ import annotations

import os
import pathlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

import duckdb

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session
from sbql.grammar.parser import parse_batch
from sbql.values import parameters_of


def run(session: Session, text: str) -> list[object]:
    """Run a batch; an error in a benchmark is a bug in the benchmark."""
    outcomes = session.run(text)
    for outcome in outcomes:
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error
    return list(outcomes)


def run_script(session: Session, text: str) -> None:
    """Run batches that stand between lines of GO."""
    for batch in text.split("\nGO\n"):
        run(session, batch)


def parse_seconds(lines: str) -> tuple[float, float]:
    """Seconds for parsing a script, cold; ms for finding a cached statement."""
    parse_batch("SELECT 1")
    start = time.perf_counter()
    parse_batch(lines)
    cold = time.perf_counter() - start
    instance = Instance.open()
    session = instance.connect()
    instance.modules.batch("DECLARE @i int; SET @i = 1", session)
    start = time.perf_counter()
    for _ in range(10_000):
        instance.modules.batch("DECLARE @i int; SET @i = 1", session)
    cached = (time.perf_counter() - start) / 10_000 * 1000
    instance.close()
    return cold, cached


def start_seconds(runs: int, folder: pathlib.Path) -> float:
    """Median seconds of the whole process `python -m sbql -Q "SELECT 1"`, its byte code compiled before as in any
    installation."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    times = []
    for _ in range(runs + 1):
        start = time.perf_counter()
        subprocess.run(
            [sys.executable, "-m", "sbql", "-Q", "SELECT 1"], check=True, capture_output=True, env=environment
        )
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def statements_per_second(count: int) -> float:
    """Simple statements (SET, IF) a second in a WHILE loop: two a turn."""
    instance = Instance.open()
    session = instance.connect()
    text = f"DECLARE @i int = 0; WHILE @i < {count // 2} BEGIN IF @i >= 0 SET @i = @i + 1; END"
    start = time.perf_counter()
    run(session, text)
    seconds = time.perf_counter() - start
    instance.close()
    return count / seconds


def alternately(ours: Callable[[int], object], bare: Callable[[int], object], count: int) -> tuple[float, float]:
    """Median ms of each of two calls, taken in turn so that both see the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    for number in range(count):
        for call, kept in ((ours, times[0]), (bare, times[1])):
            start = time.perf_counter()
            call(number)
            kept.append((time.perf_counter() - start) * 1000)
    return statistics.median(times[0]), statistics.median(times[1])


INSERT_KEYED = "SET NOCOUNT ON; INSERT INTO Keyed VALUES (@id, N'hello', 5)"
FIND_KEYED = "SET NOCOUNT ON; SELECT Name, N FROM Keyed WHERE Id = @id"


def rows_by_key(folder: pathlib.Path, count: int) -> dict[str, tuple[float, float]]:
    """Median ms here and in bare DuckDB of cached statements: their text stays, the parameter changes, as a program
    would have it.

    DuckDB's statements are parsed once too. Its INSERT stands between BEGIN and COMMIT; one in DuckDB's own autocommit
    is measured beside it.
    """
    instance = Instance.open(str(folder / "rows.duckdb"))
    session = instance.connect()
    run(session, "CREATE DATABASE Bench")
    run(session, "USE Bench")
    run(session, "CREATE TABLE Keyed (Id int PRIMARY KEY, Name nvarchar(50), N int)")
    run(session, "CREATE TABLE Counted (Id int IDENTITY PRIMARY KEY, Name nvarchar(50), N int)")
    run(
        session,
        "CREATE PROCEDURE FindKeyed @id int AS BEGIN SET NOCOUNT ON; SELECT Name, N FROM Keyed WHERE Id = @id; END",
    )
    bare = duckdb.connect(str(folder / "bare_rows.duckdb"), config={"threads": 1})
    bare.execute("CREATE TABLE Keyed (Id int PRIMARY KEY, Name varchar, N int)")
    bare.execute(
        "CREATE SEQUENCE Counter; CREATE TABLE Counted (Id int PRIMARY KEY DEFAULT nextval('Counter'), Name varchar, N int)"
    )
    insert = bare.extract_statements("INSERT INTO Keyed VALUES (?, 'hello', 5)")[0]
    count_up = bare.extract_statements("INSERT INTO Counted (Name, N) VALUES ('hello', 5)")[0]
    find = bare.extract_statements("SELECT Name, N FROM Keyed WHERE Id = ?")[0]

    def transaction(statement: object, *values: int) -> None:
        bare.begin()
        bare.execute(statement, values)
        bare.commit()

    found = {
        "INSERT of a row, key given": alternately(
            lambda n: cached(session, INSERT_KEYED, n), lambda n: transaction(insert, n), count
        ),
        "INSERT of a row, key given, autocommit on both sides": alternately(
            lambda n: cached(session, INSERT_KEYED, count + n), lambda n: bare.execute(insert, (count + n,)), count
        ),
        "INSERT of a row, IDENTITY key": alternately(
            lambda n: run(session, "INSERT INTO Counted (Name, N) VALUES (N'hello', 5)"),
            lambda _: transaction(count_up),
            count,
        ),
        "SELECT of a row by key": alternately(
            lambda n: cached(session, FIND_KEYED, n), lambda n: bare.execute(find, (n,)).fetchall(), count
        ),
        "EXEC of a procedure with that SELECT, a new text each": alternately(
            lambda n: run(session, f"EXEC FindKeyed {n}"),
            lambda n: bare.execute(f"SELECT Name, N FROM Keyed WHERE Id = {n}").fetchall(),
            count,
        ),
    }
    bare.close()
    instance.close()
    return found


def cached(session: Session, text: str, value: int) -> None:
    """Run a batch that is compiled already, with another value of its parameter @id."""
    for outcome in session.run(text, parameters=parameters_of({"id": value})):
        if isinstance(outcome, ErrorOutcome):
            raise outcome.error


def definitions(folder: pathlib.Path, count: int) -> float:
    """Median ms of CREATE MESSAGE TYPE, each a commit on disk."""
    instance = Instance.open(str(folder / "definitions.duckdb"))
    session = instance.connect()
    run(session, "CREATE DATABASE Bench")
    run(session, "USE Bench")
    times = []
    for number in range(count):
        start = time.perf_counter()
        run(session, f"CREATE MESSAGE TYPE [//bench/{number}]")
        times.append((time.perf_counter() - start) * 1000)
    instance.close()
    return statistics.median(times)
