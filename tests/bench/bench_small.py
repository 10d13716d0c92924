"""What small statements in procedures cost, beside bare DuckDB and SQLite: `bench_small.py [rows …]`.

Each form is the body of a WHILE loop in a batch; the time of the same loop with nothing in it is taken off. The peers
run from a Python loop, with statements that are prepared or cached, the least that the same work needs. All stores
are files; where a form writes tables, one transaction is around the whole loop, and its COMMIT counts. Times are
processor time, so that who else uses the machine counts little, and the median of the rounds, which the three do in
turn. `--json FILE` keeps the figures.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import random
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome

STATEMENTS = 2_000
FEW = 10_000
"""Rows of which the forms of one row would write the same again."""
READ_BEFORE = 500
"""Keys of the forms that read again what they have read."""


@dataclass(frozen=True)
class Form:
    """`body` runs in a loop over @i; `before` and `after` around it, once. `peer` is (text, its parameters
    from i) for both others; None: they know no such thing. `goal` is in microseconds, `share` how much of
    the usual number of runs is done."""

    name: str
    body: str
    goal: float | None = None
    before: str = ""
    after: str = ""
    peer: tuple[str, Callable[[int], tuple[Any, ...]]] | None = None
    is_written: bool = False
    share: float = 1.0


def forms(rows: int, rng: random.Random) -> list[Form]:
    """Those that depend on the size of the table."""
    step = rng.randrange(1, rows) * 2 + 1
    hot = f"(@i % {READ_BEFORE}) * {max(1, rows // READ_BEFORE)} + 1"
    new = f"(CAST(@i + @first AS bigint) * {step}) % {rows} + 1"
    fresh: Callable[[int], int] = lambda i: i * step % rows + 1  # noqa: E731
    again: Callable[[int], int] = lambda i: i % READ_BEFORE * max(1, rows // READ_BEFORE) + 1  # noqa: E731
    select = "SELECT c FROM t WHERE a = ?"
    update = "UPDATE t SET c = c + 1 WHERE a = ?"
    return [
        Form(f"SELECT by key, {rows:,} rows, new rows", f"SET @k = {new}; SELECT @v = c FROM t WHERE a = @k", None,
             peer=(select, lambda i: (fresh(i),))),
        Form(f"SELECT by key, {rows:,} rows, rows read before", f"SET @k = {hot}; SELECT @v = c FROM t WHERE a = @k", 60,
             f"DECLARE @j int = 0; WHILE @j < {READ_BEFORE} BEGIN SET @k = {hot.replace('@i', '@j')}; SELECT @v = c FROM t WHERE a = @k; SET @j += 1 END",
             peer=(select, lambda i: (again(i),))),
        Form(f"UPDATE by key, {rows:,} rows, new rows", f"SET @k = {rows + 1} - ({new}); UPDATE t SET c = c + 1 WHERE a = @k", None,
             peer=(update, lambda i: (rows + 1 - fresh(i),)), is_written=True, share=0.5),
        Form(f"UPDATE by key, {rows:,} rows, rows read before", f"SET @k = {hot}; UPDATE t SET c = c + 1 WHERE a = @k", 60,
             peer=(update, lambda i: (again(i),)), is_written=True, share=0.5),
    ]  # fmt: skip


def coprime(step: int, rows: int) -> int:
    """The least from `step` on by which all of so many rows are met before one of them comes again."""
    return next(found for found in itertools.count(step) if math.gcd(found, rows) == 1)


def single(rows: int) -> list[Form]:
    """Writes of one row in a table of this size, each by itself and all in one transaction: those in
    the transaction go by other keys."""
    found: list[Form] = []
    for place, (how, is_written) in enumerate((("autocommit", False), ("in a transaction", True))):
        step, low, high = coprime(rows // 7 * 2 + 1, rows), place * 7, rows + 1 + place * 1_000_000
        key = f"(CAST(@i + @first AS bigint) * {step}) % {rows} + {low + 1}"
        at: Callable[[int], int] = lambda i, step=step, low=low: i * step % rows + low + 1  # noqa: E731
        text = f"SET @s = 'New {place} ' + CAST(@i + @first AS varchar(20)); INSERT INTO x VALUES (@s, 1)"
        found += [
            Form(f"one row, {how}: {name}", body, None, peer=peer, is_written=is_written, share=0.15)
            for name, body, peer in [
                ("UPDATE by key", f"SET @k = {key}; UPDATE t SET c = c + 1 WHERE a = @k", ("UPDATE t SET c = c + 1 WHERE a = ?", lambda i, at=at: (at(i),))),
                ("INSERT, ascending", f"INSERT INTO t (a, b, c) VALUES ({high} + @i + @first, 'x', 1)", ("INSERT INTO t VALUES (?, 'x', 1)", lambda i, high=high: (high + i,))),
                ("DELETE by key", f"SET @k = {key}; DELETE FROM t WHERE a = @k", ("DELETE FROM t WHERE a = ?", lambda i, at=at: (at(i),))),
                ("INSERT between keys", f"SET @k = {key}; INSERT INTO t (a, b, c) VALUES (@k, 'x', 1)", ("INSERT INTO t VALUES (?, 'x', 1)", lambda i, at=at: (at(i),))),
                ("INSERT with a text key", text, ("INSERT INTO x VALUES (?, 1)", lambda i, place=place: (f"New {place} {i}",))),
            ]
        ]  # fmt: skip
    other = f"SET @s = 'NAME ' + CAST((CAST(@i + @first AS bigint) * {step}) % {rows} + 1 AS varchar(20)); SELECT @v = c FROM x WHERE a = @s"
    found.append(Form("one row: SELECT by a text key, other letters", other, None, share=0.15))
    return found


FORMS = [
    Form("INSERT into #temp", "INSERT INTO #s (a, c) VALUES (@i, 7)", 20, "DROP TABLE IF EXISTS #s; CREATE TABLE #s (a int NOT NULL, c int)",
         peer=("INSERT INTO temp.s VALUES (?, 7)", lambda i: (i,))),
    Form("INSERT into #temp in a transaction", "INSERT INTO #s (a, c) VALUES (@i, 7)", 20,
         "DROP TABLE IF EXISTS #s; CREATE TABLE #s (a int NOT NULL, c int)", peer=("INSERT INTO temp.s VALUES (?, 7)", lambda i: (i,)), is_written=True),
    Form("SELECT by key from #temp", "SELECT @v = c FROM #h WHERE a = @i % 100", 20, peer=("SELECT c FROM temp.h WHERE a = ?", lambda i: (i % 100,))),
    Form("SELECT of the first row of #temp, 100 rows", "SELECT TOP (1) @v = a FROM #h ORDER BY a DESC", None, peer=("SELECT a FROM temp.h ORDER BY a DESC LIMIT 1", lambda i: ())),
    Form("UPDATE by key in #temp", "UPDATE #h SET c = @i WHERE a = @i % 100", 20, peer=("UPDATE temp.h SET c = 7 WHERE a = ?", lambda i: (i % 100,))),
    Form("#temp: INSERT, COUNT, DELETE by key", "INSERT INTO #s (a, c) VALUES (@i, 7); SELECT @v = COUNT(*) FROM #s; DELETE FROM #s WHERE a = @i", 60,
         "DROP TABLE IF EXISTS #s; CREATE TABLE #s (a int NOT NULL, c int)", share=0.5),
    Form("INSERT into a table variable", "INSERT INTO @t (a, c) VALUES (@i, 7)", 20, peer=("INSERT INTO temp.s VALUES (?, 7)", lambda i: (i,))),
    Form("SELECT by key from a table variable", "SELECT @v = c FROM @h WHERE a = @i % 100", 20,
         "INSERT INTO @h SELECT value, 7 FROM GENERATE_SERIES(0, 99)", peer=("SELECT c FROM temp.h WHERE a = ?", lambda i: (i % 100,))),
    Form("table variable: INSERT, COUNT, DELETE", "INSERT INTO @t (a, c) VALUES (@i, 7); SELECT @v = COUNT(*) FROM @t; DELETE FROM @t", 60, share=0.5),
    Form("table variable: INSERT, COUNT, DELETE by key",
         "INSERT INTO @t (a, c) VALUES (@i, 7); SELECT @v = COUNT(*) FROM @t; DELETE FROM @t WHERE a = @i", 60, share=0.5),
    Form("sp_executesql of the same text", "EXEC sp_executesql N'SET @x = @p + 1', N'@p int, @x int OUTPUT', @p = @i, @x = @v OUTPUT", 15),
    Form("EXEC of the same string", "EXEC ('DECLARE @q int = 1; SET @q = @q + 1')", 15),
    Form("sp_execute of a prepared statement", "EXEC sp_execute @h1, @i", 15, "EXEC sp_prepare @h1 OUTPUT, N'@p int', N'DECLARE @q int = @p + 1'"),
    Form("scalar function in SET", "SET @v = dbo.f(@i)", 2),
    Form("EXEC of a procedure", "EXEC p @i", 8),
    Form("EXEC of a procedure with OUTPUT", "EXEC p2 @i, @v OUTPUT", 8),
    Form("FETCH NEXT INTO", "FETCH NEXT FROM c INTO @v", 1.5, "DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT a FROM b; OPEN c", "CLOSE c; DEALLOCATE c"),
    Form("UPDATE WHERE CURRENT OF", "FETCH NEXT FROM c INTO @v; UPDATE b SET c = c + 1 WHERE CURRENT OF c", None,
         "DECLARE c CURSOR LOCAL FOR SELECT a FROM b FOR UPDATE OF c; OPEN c", "CLOSE c; DEALLOCATE c", is_written=True, share=0.25),
    Form("MERGE of one row by key", "MERGE b USING (SELECT @i % 500 + 1 AS a) s ON b.a = s.a WHEN MATCHED THEN UPDATE SET c = 8 WHEN NOT MATCHED THEN INSERT VALUES (s.a, 7);", None,
         peer=("INSERT INTO temp.h VALUES (?, 7) ON CONFLICT (a) DO UPDATE SET c = 8", lambda i: (i % 100,)), is_written=True, share=0.5),
    Form("INSERT … SELECT … WHERE NOT EXISTS, by key", "INSERT b SELECT @i % 500 + 1, 7 WHERE NOT EXISTS (SELECT * FROM b WHERE a = @i % 500 + 1)", None,
         peer=("INSERT INTO temp.h VALUES (?, 7) ON CONFLICT (a) DO NOTHING", lambda i: (i % 100,)), is_written=True, share=0.5),
    Form("UPDATE FROM a table variable of 20 rows", "UPDATE b SET c = h.c FROM b JOIN @h h ON h.a = b.a", None,
         "INSERT INTO @h SELECT value * 10 + 1, 7 FROM GENERATE_SERIES(0, 19)", is_written=True, share=0.1),
    Form("INSERT with a trigger that logs inserted", "INSERT g VALUES (@i)", None, is_written=True, share=0.25),
    Form("FOR XML of one row by key", "SET @x = (SELECT a, c FROM b WHERE a = @i % 500 + 1 FOR XML RAW)", None, share=0.25),
    Form("FOR JSON of one row by key", "SET @x = (SELECT a, c FROM b WHERE a = @i % 500 + 1 FOR JSON PATH)", None, share=0.25),
    Form("first open row: UPDATE q of WITH q AS (SELECT TOP (1) … READPAST … ORDER BY a)", "WITH q AS (SELECT TOP (1) * FROM j WITH (ROWLOCK, READPAST) WHERE d = 0 ORDER BY a) UPDATE q SET d = 1, @v = a", None,
         is_written=True, share=0.1),
    Form("first open row: DELETE q", "WITH q AS (SELECT TOP (1) * FROM j WITH (ROWLOCK, READPAST) WHERE d = 0 ORDER BY a) DELETE q OUTPUT deleted.a INTO @t (a)", None,
         is_written=True, share=0.1),
    Form("SELECT TOP (1) @v … WHERE d = 0 ORDER BY a", "SELECT TOP (1) @v = a FROM j WHERE d = 0 ORDER BY a", None, share=0.25),
    Form("IF EXISTS, by a column that is no key", "IF EXISTS (SELECT * FROM j WHERE d = 3) SET @v = 1", None, share=0.25),
    Form("SUM of 10 rows by the first part of a key", "SELECT @v = SUM(q) FROM l WHERE o = @i % 50", None, share=0.25),
    Form("next number: ISNULL(MAX(n), 0) + 1 of 10 rows", "SELECT @v = ISNULL(MAX(n), 0) + 1 FROM l WHERE o = @i % 50", None, share=0.25),
    Form("SELECT of three rows, key IN (…)", "SELECT @v = COUNT(*) FROM b WHERE a IN (@i % 50 + 1, @i % 50 + 2, @i % 50 + 3)", None, share=0.25),
    Form("UPDATE of two rows, key IN (…), to NULL", "UPDATE b SET c = NULL WHERE a IN (@i % 50 + 1, @i % 50 + 2)", None, is_written=True, share=0.1),
    Form("join of one row by key with its 10 lines", "SELECT @v = COUNT(*) FROM b JOIN l ON l.o = b.a WHERE b.a = @i % 50 + 1", None, share=0.25),
    Form("UPDATE of 10 rows by the first part of a key", "UPDATE l SET q = q + 1 WHERE o = @i % 50", None, is_written=True, share=0.1),
    Form("view of a join, by key", "SELECT @v = q FROM w WHERE o = @i % 50 AND n = 3", None, share=0.25),
    Form("SUM over a derived table of 10 rows", "SELECT @v = SUM(x.t) FROM (SELECT q * 2 AS t FROM l WHERE o = @i % 50) x", None, share=0.25),
    Form("join with a grouped common table expression", "WITH x AS (SELECT o, SUM(q) AS s FROM l WHERE o = @i % 50 GROUP BY o) SELECT @v = x.s + b.c FROM x JOIN b ON b.a = x.o", None, share=0.25),
    Form("inline function of 10 rows", "SELECT @v = SUM(q) FROM dbo.lines(@i % 50)", None, share=0.25),
    Form("CROSS APPLY of it", "SELECT @v = SUM(x.q) FROM b CROSS APPLY dbo.lines(b.a) x WHERE b.a = @i % 50 + 1", None, share=0.25),
    Form("STRING_SPLIT of a short text", "SELECT @v = COUNT(*) FROM STRING_SPLIT('a,b,c', ',')", None, share=0.25),
    Form("UPDATE TOP (1) of the open rows", "UPDATE TOP (1) b SET c = -1 OUTPUT inserted.a INTO @t (a) WHERE c >= 0", None, is_written=True, share=0.1),
]  # fmt: skip
"""Those that do not."""

NAMES = "DECLARE @i int = 0, @first int = {first}, @v int, @k bigint, @h1 int, @s varchar(40), @x nvarchar(max); DECLARE @t TABLE (a int NOT NULL, c int); DECLARE @h TABLE (a int NOT NULL, c int);"


class Through:
    """sbql."""

    def __init__(self, folder: str) -> None:
        self.instance = Instance.open(str(Path(folder) / "store.duckdb"))
        self.session = self.instance.connect()
        self.run("CREATE FUNCTION dbo.f (@a int) RETURNS int AS BEGIN RETURN @a * 2 + 1 END")
        self.run("CREATE PROCEDURE p @a int AS SET @a = @a + 1")
        self.run("CREATE PROCEDURE p2 @a int, @b int OUTPUT AS SET @b = @a + 1")
        self.run("CREATE TABLE b (a int NOT NULL PRIMARY KEY, c int); CREATE TABLE #h (a int NOT NULL, c int)")
        self.run(
            f"INSERT INTO b SELECT value, 7 FROM GENERATE_SERIES(1, {STATEMENTS}); INSERT INTO #h SELECT value, 7 FROM GENERATE_SERIES(0, 99)"
        )

        self.run("CREATE TABLE j (a int NOT NULL PRIMARY KEY, d tinyint NOT NULL, s nvarchar(40) NOT NULL)")
        self.run("CREATE TABLE l (o int NOT NULL, n int NOT NULL, q int NOT NULL, PRIMARY KEY (o, n))")
        self.run("CREATE VIEW w AS SELECT l.o, l.n, l.q, b.c FROM l JOIN b ON b.a = l.o")
        self.run("CREATE FUNCTION lines (@o int) RETURNS TABLE AS RETURN (SELECT n, q FROM l WHERE o = @o)")
        self.run(f"INSERT j SELECT value, 0, CONCAT('job ', value) FROM GENERATE_SERIES(1, {5 * STATEMENTS})")
        self.run(f"INSERT l SELECT value / 10, value % 10, 1 FROM GENERATE_SERIES(0, {STATEMENTS})")
        self.run("CREATE TABLE g (a int NOT NULL); CREATE TABLE seen (a int NOT NULL, said varchar(20) NOT NULL)")
        self.run("CREATE TRIGGER logs ON g AFTER INSERT AS INSERT seen SELECT a, CONCAT('row ', a) FROM inserted")

    def run(self, text: str) -> None:
        for outcome in self.session.run(text):
            if isinstance(outcome, ErrorOutcome):
                raise SystemExit(f"{outcome.error}\n{text}")

    def fill(self, rows: int) -> None:
        self.run("DROP TABLE IF EXISTS t; CREATE TABLE t (a int NOT NULL PRIMARY KEY, b varchar(30), c int NOT NULL)")
        self.run(
            f"INSERT INTO t SELECT value, 'row ' + CAST(value AS varchar(20)), value % 1000 FROM GENERATE_SERIES(1, {rows})"
        )

    def fill_texts(self, rows: int) -> None:
        key = "varchar(40) COLLATE Latin1_General_CI_AS NOT NULL PRIMARY KEY"
        self.run(f"DROP TABLE IF EXISTS x; CREATE TABLE x (a {key}, c int NOT NULL)")
        self.run(f"INSERT INTO x SELECT 'Name ' + CAST(value AS varchar(20)), value FROM GENERATE_SERIES(1, {rows})")

    def loop(self, form: Form, count: int, first: int) -> float:
        """Microseconds a run of the body, without the loop."""
        begin, end = ("BEGIN TRANSACTION;", "COMMIT;") if form.is_written else ("", "")
        took = []
        for body in (form.body, "SET @k = 1"):
            text = f"{NAMES.format(first=first)} SET NOCOUNT ON; {begin} {form.before};"
            text += f"WHILE @i < {count} BEGIN {body}; SET @i += 1 END; {form.after}; {end}"
            start = time.process_time()
            self.run(text)
            took.append(time.process_time() - start)
        return (took[0] - took[1]) * 1e6 / count


class Peer:
    """DuckDB or SQLite, with equal tables in a file."""

    def __init__(self, connection: Any, key: str) -> None:
        self.connection, self.key = connection, key
        connection.execute("CREATE TEMP TABLE s (a INTEGER, c INTEGER)")
        connection.execute(f"CREATE TEMP TABLE h (a INTEGER {key}, c INTEGER)")
        connection.executemany("INSERT INTO temp.h VALUES (?, 7)", [(i,) for i in range(100)])

    def fill(self, rows: int) -> None:
        self.connection.execute("DROP TABLE IF EXISTS t")
        self.connection.execute(f"CREATE TABLE t (a INTEGER {self.key}, b VARCHAR, c INTEGER)")
        series = (
            f"SELECT i, 'row ' || i, i % 1000 FROM range(1, {rows} + 1) r(i)"
            if isinstance(self.connection, duckdb.DuckDBPyConnection)
            else f"WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < {rows}) SELECT i, 'row ' || i, i % 1000 FROM r"
        )
        self.connection.execute(f"INSERT INTO t {series}")

    def fill_texts(self, rows: int) -> None:
        self.connection.execute("DROP TABLE IF EXISTS x")
        self.connection.execute("CREATE TABLE x (a VARCHAR PRIMARY KEY, c INTEGER)")
        self.connection.execute("INSERT INTO x SELECT 'Name ' || a, a FROM t")

    def loop(self, form: Form, count: int, first: int) -> float:
        assert form.peer is not None
        text, parameters = form.peer
        statement: Any = text
        if isinstance(self.connection, duckdb.DuckDBPyConnection):
            (statement,) = self.connection.extract_statements(text)
        execute = self.connection.execute
        execute("DELETE FROM temp.s")
        if form.is_written:
            execute("BEGIN")
        start = time.process_time()
        for i in range(first, first + count):
            execute(statement, parameters(i)).fetchall()
        if form.is_written:
            execute("COMMIT")
        return (time.process_time() - start) * 1e6 / count


def measured(form: Form, peers: list[Any], rounds: int, statements: int) -> list[float | None]:
    found: list[list[float]] = [[] for _ in peers]
    count = max(1, int(statements * form.share))
    for number in range(rounds):
        for peer, times in zip(peers, found, strict=True):
            if form.peer is not None or isinstance(peer, Through):
                times.append(peer.loop(form, count, number * count))
    return [statistics.median(times) if times else None for times in found]


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", nargs="*", type=int, default=[1_000, 100_000, 1_000_000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--statements", type=int, default=STATEMENTS)
    parser.add_argument("--only", default="", help="forms whose name has this in it")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args(arguments)
    rng = random.Random(14)
    with tempfile.TemporaryDirectory() as folder:
        lite = sqlite3.connect(str(Path(folder) / "lite.db"), isolation_level=None)
        bare = duckdb.connect(str(Path(folder) / "bare.duckdb"), config={"threads": 1})
        peers = [Through(folder), Peer(bare, "PRIMARY KEY"), Peer(lite, "PRIMARY KEY")]
        kept = {}
        print(
            f"| µs of processor time a run, median of {given.rounds} | goal | sbql | DuckDB | SQLite | to DuckDB |\n|---|--:|--:|--:|--:|--:|"
        )
        for rows in [*given.rows, 0]:
            known = [*forms(rows, rng), *(single(rows) if rows >= FEW else [])] if rows else FORMS
            wanted = [form for form in known if given.only.lower() in form.name.lower()]
            if rows and wanted:
                for peer in peers:
                    peer.fill(rows)
                    if any("one row" in form.name for form in wanted):
                        peer.fill_texts(rows)
            for form in wanted:
                own, duck, lite_time = measured(form, peers, given.rounds, given.statements)
                assert own is not None
                kept[form.name] = {"goal": form.goal, "sbql": own, "duckdb": duck, "sqlite": lite_time}
                others = [f"{value:.1f}" if value is not None else "" for value in (form.goal, own, duck, lite_time)]
                print(f"| {form.name} | {' | '.join(others)} | {f'{own / duck:.2f}' if duck else ''} |", flush=True)
        peers[0].instance.close()
        lite.close()
        bare.close()
    if given.json is not None:
        given.json.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
