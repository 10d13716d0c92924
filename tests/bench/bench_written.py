"""What writes of many rows cost with tables and values of applications: `bench_written.py [rows] [part of a name …]`.

Each statement runs once, on tables in memory that were made just before: milliseconds, nanoseconds a row, and how many
functions of ours a row calls, which says more than the time where other work goes on. A statement that is a set calls
none; `bench_sets.py` has plain ones beside bare DuckDB.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

SOURCE = "CREATE TABLE s (id int NOT NULL PRIMARY KEY, n int, w varchar(40), nw nvarchar(40), p decimal(18,4), d datetime2(7), tn varchar(20), td varchar(30), g uniqueidentifier, b varbinary(20), pid int)"
FILL = (
    "INSERT s SELECT value, value * 79 % 2000003 - 1000000, CONCAT('Item ', value, IIF(value % 10 = 0, '  ', '')), CONCAT(N'Müller ', value), CAST(value * 7919 % 100003 - 50000 AS decimal(18,4)) / 7,"
    " DATEADD(ns, value * 7919, DATEADD(second, value * 7919, CAST('2001-01-01' AS datetime2))), CONCAT('-', value, '.25'), CONVERT(varchar(30), DATEADD(minute, value, CAST('20240101' AS datetime)), 121),"
    " CAST(HASHBYTES('MD5', CONCAT(value, '')) AS uniqueidentifier), CAST(value AS varbinary(20)), value % 100 + 1 FROM GENERATE_SERIES(1, {rows})"
)
CLEAN = "DROP VIEW IF EXISTS v; DROP TABLE IF EXISTS child; DROP TABLE IF EXISTS t, o, parent; DROP SEQUENCE IF EXISTS numbers"
INSERT = "INSERT t (id, n, w) SELECT id, n, w FROM s"
FILLED = "; INSERT t (id, n, w, p, d, pid) SELECT id, n, w, p, d, pid FROM s"
MERGE = "MERGE t USING s ON s.id = t.id WHEN MATCHED THEN UPDATE SET n = s.n + 1, w = s.w WHEN NOT MATCHED THEN INSERT (id, n, w) VALUES (s.id, s.n, s.w) WHEN NOT MATCHED BY SOURCE THEN DELETE"


def plain(more: str = "") -> str:
    return f"CREATE TABLE t (id int NOT NULL, n int, w varchar(40){more})"


def keyed(more: str = "") -> str:
    return f"CREATE TABLE t (id int PRIMARY KEY, n int, w varchar(40), p decimal(18,4), d datetime2, pid int{more}){FILLED}"


STATEMENTS: dict[str, tuple[str, str]] = {
    "INSERT": (plain(), INSERT),
    "INSERT of varchar into decimal": ("CREATE TABLE t (id int, x decimal(18,4))", "INSERT t SELECT id, tn FROM s"),
    "INSERT of varchar into datetime": ("CREATE TABLE t (id int, x datetime)", "INSERT t SELECT id, td FROM s"),
    "INSERT of datetime2 into datetime": ("CREATE TABLE t (id int, x datetime)", "INSERT t SELECT id, d FROM s"),
    "INSERT of nvarchar into varchar": ("CREATE TABLE t (id int, x varchar(40))", "INSERT t SELECT id, nw FROM s"),
    "INSERT of int into varchar": ("CREATE TABLE t (id int, x varchar(20))", "INSERT t SELECT id, n FROM s"),
    "INSERT into char, nchar and binary": ("CREATE TABLE t (id int, c char(50), n nchar(50), b binary(30))", "INSERT t SELECT id, w, nw, b FROM s"),
    "INSERT, computed columns": (plain(", c AS n * 2, e AS UPPER(w)"), INSERT),
    "INSERT, persisted columns": (plain(", c AS n * 2 PERSISTED, e AS CONCAT(w, '-', n) PERSISTED"), INSERT),
    "INSERT, rowversion": (plain(", v rowversion"), INSERT),
    "INSERT, DEFAULT NEWID()": (plain(", g uniqueidentifier DEFAULT NEWID()"), INSERT),
    "INSERT, DEFAULT NEXT VALUE FOR": ("CREATE SEQUENCE numbers AS bigint START WITH 1\nGO\n" + plain(", k bigint DEFAULT NEXT VALUE FOR numbers"), INSERT),
    "INSERT, a key of itself": ("CREATE TABLE t (id int PRIMARY KEY, n int, pid int REFERENCES t)", "INSERT t SELECT id, n, NULLIF(id / 2, 0) FROM s"),
    "INSERT, as many parents": ("CREATE TABLE parent (id int PRIMARY KEY); INSERT parent SELECT id FROM s; CREATE TABLE t (id int REFERENCES parent, n int, w varchar(40))", INSERT),
    "INSERT, UNIQUE text": (plain(", UNIQUE (w)"), INSERT),
    "INSERT … OUTPUT INTO": (plain() + "; CREATE TABLE o (id int, w varchar(40))", "INSERT t OUTPUT inserted.id, inserted.w INTO o SELECT id, n, w FROM s"),
    "UPDATE of a key": (keyed(), "UPDATE t SET id = id + 1000000"),
    "UPDATE of a foreign key": ("CREATE TABLE parent (id int PRIMARY KEY); INSERT parent SELECT value FROM GENERATE_SERIES(1, 200)\nGO\n" + keyed(", FOREIGN KEY (pid) REFERENCES parent"), "UPDATE t SET pid = pid + 1"),
    "UPDATE, rowversion": (keyed(", v rowversion"), "UPDATE t SET n = n + 1"),
    "UPDATE, persisted column": (keyed(", c AS n * 2 PERSISTED"), "UPDATE t SET n = n + 1"),
    "UPDATE … OUTPUT INTO": (keyed() + "; CREATE TABLE o (id int, a int, b int)", "UPDATE t SET n = n + 1 OUTPUT inserted.id, deleted.n, inserted.n INTO o"),
    "UPDATE FROM of datetime2 into datetime": (keyed().replace("d datetime2", "d datetime"), "UPDATE t SET d = s.d FROM t JOIN s ON s.id = t.id"),
    "UPDATE FROM of varchar into decimal": (keyed(), "UPDATE t SET p = s.tn FROM t JOIN s ON s.id = t.id"),
    "DELETE of parents without children": (keyed() + "; CREATE TABLE child (id int REFERENCES t)", "DELETE t WHERE n > 0"),
    "DELETE, ON DELETE CASCADE": (keyed() + "; CREATE TABLE child (id int REFERENCES t ON DELETE CASCADE); INSERT child SELECT id FROM s", "DELETE t WHERE n > 0"),
    "DELETE … OUTPUT INTO": (keyed() + "; CREATE TABLE o (id int, n int)", "DELETE t OUTPUT deleted.id, deleted.n INTO o WHERE n > 0"),
    "DELETE TOP (1000), again and again": (keyed(), "SET NOCOUNT ON; WHILE 1 = 1 BEGIN DELETE TOP (1000) t; IF @@ROWCOUNT = 0 BREAK END"),
    "MERGE": ("CREATE TABLE t (id int PRIMARY KEY, n int, w varchar(40)); INSERT t SELECT id + {half}, n, w FROM s", MERGE + ";"),
    "MERGE with conversions": ("CREATE TABLE t (id int PRIMARY KEY, n decimal(18,2), w nvarchar(40), d datetime); INSERT t SELECT id + {half}, n, w, d FROM s", "MERGE t USING s ON s.id = t.id WHEN MATCHED THEN UPDATE SET n = s.tn, w = s.w, d = s.d WHEN NOT MATCHED THEN INSERT (id, n, w, d) VALUES (s.id, s.tn, s.w, s.d);"),
    "MERGE … OUTPUT INTO": ("CREATE TABLE t (id int PRIMARY KEY, n int, w varchar(40)); INSERT t SELECT id + {half}, n, w FROM s; CREATE TABLE o (a nvarchar(10), i int, d int)", MERGE + " OUTPUT $action, inserted.id, deleted.id INTO o;"),
}  # fmt: skip
"""Names to what makes the tables, and what is measured."""


def run(session: Session, text: str) -> None:
    for batch in text.split("\nGO\n"):
        for outcome in session.run(batch):
            if isinstance(outcome, ErrorOutcome):
                raise SystemExit(f"{batch}: {outcome.error}")


def measured(session: Session, before: str, statement: str) -> tuple[float, int]:
    """Seconds of one run, and functions called in another one."""
    run(session, CLEAN)
    run(session, before)
    start = time.perf_counter()
    run(session, statement)
    taken = time.perf_counter() - start
    run(session, CLEAN)
    run(session, before)
    called = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal called
        called += event == "call"

    sys.setprofile(count)
    try:
        run(session, statement)
    finally:
        sys.setprofile(None)
    return taken, called


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=int, nargs="?", default=80_000, help="rows that each statement writes")
    parser.add_argument("names", nargs="*", help="parts of the names of statements; without one all")
    given = parser.parse_args()
    rows = given.rows
    instance = Instance.open(None)
    session = instance.connect()
    run(session, SOURCE)
    run(session, FILL.format(rows=rows))
    print(f"{'what':42} {'ms':>8} {'ns a row':>9} {'calls a row':>12}")
    for name, (before, statement) in STATEMENTS.items():
        if not given.names or any(part in name for part in given.names):
            taken, called = measured(session, before.format(half=rows // 2), statement)
            print(f"{name:42} {taken * 1e3:8.1f} {taken * 1e9 / rows:9.0f} {called / rows:12.2f}", flush=True)
    instance.close()


if __name__ == "__main__":
    main()
