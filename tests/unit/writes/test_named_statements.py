"""Error 547 names the statement that was run: INSERT, UPDATE, DELETE or MERGE, whichever of MERGE's actions it was, of
few rows and of many."""

from __future__ import annotations

import itertools

import pytest
from told import prepared, told_whole

TABLES = """CREATE TABLE parent (id int PRIMARY KEY, n int); INSERT parent SELECT value, value FROM GENERATE_SERIES(1, 5000);
CREATE TABLE child (id int PRIMARY KEY, p int REFERENCES parent, n int CHECK (n > 0)); INSERT child SELECT value, value, 1 FROM GENERATE_SERIES(1, 3000);
CREATE TABLE own (id int PRIMARY KEY, p int REFERENCES own); INSERT own SELECT value, NULL FROM GENERATE_SERIES(1, 3000); UPDATE own SET p = id - 1 WHERE id > 1;
CREATE TABLE s (id int PRIMARY KEY)"""
MERGED = "MERGE {table} AS t USING s ON s.id = t.id WHEN {when};"
STATEMENTS = {
    ("INSERT", "FOREIGN KEY"): "INSERT child SELECT id + 10000, 9999, 1 FROM s",
    ("INSERT", "FOREIGN KEY SAME TABLE"): "INSERT own SELECT id + 10000, 99999 FROM s",
    ("INSERT", "CHECK"): "INSERT child SELECT id + 10000, 1, 0 FROM s",
    ("UPDATE", "FOREIGN KEY"): "UPDATE child SET p = 9999 WHERE id IN (SELECT id FROM s)",
    ("UPDATE", "FOREIGN KEY SAME TABLE"): "UPDATE own SET p = 99999 WHERE id IN (SELECT id FROM s)",
    ("UPDATE", "CHECK"): "UPDATE child SET n = 0 WHERE id IN (SELECT id FROM s)",
    ("UPDATE", "REFERENCE"): "UPDATE parent SET id = id + 10000 WHERE id IN (SELECT id FROM s)",
    ("UPDATE", "SAME TABLE REFERENCE"): "UPDATE own SET id = id + 10000 WHERE id IN (SELECT id FROM s)",
    ("DELETE", "REFERENCE"): "DELETE parent WHERE id IN (SELECT id FROM s)",
    ("DELETE", "SAME TABLE REFERENCE"): "DELETE own WHERE id IN (SELECT id FROM s)",
    ("MERGE", "FOREIGN KEY", 1): MERGED.format(table="child", when="NOT MATCHED THEN INSERT VALUES (s.id, 9999, 1)"),
    ("MERGE", "FOREIGN KEY", 2): MERGED.format(table="child", when="MATCHED THEN UPDATE SET p = 9999"),
    ("MERGE", "FOREIGN KEY SAME TABLE", 1): MERGED.format(table="own", when="NOT MATCHED THEN INSERT VALUES (s.id, 99999)"),
    ("MERGE", "FOREIGN KEY SAME TABLE", 2): MERGED.format(table="own", when="MATCHED THEN UPDATE SET p = 99999"),
    ("MERGE", "CHECK", 1): MERGED.format(table="child", when="NOT MATCHED THEN INSERT VALUES (s.id, 1, 0)"),
    ("MERGE", "CHECK", 2): MERGED.format(table="child", when="MATCHED THEN UPDATE SET n = 0"),
    ("MERGE", "REFERENCE", 1): MERGED.format(table="parent", when="MATCHED THEN DELETE"),
    ("MERGE", "SAME TABLE REFERENCE", 1): MERGED.format(table="own", when="MATCHED THEN DELETE"),
}  # fmt: skip


@pytest.mark.parametrize(("case", "rows"), list(itertools.product(STATEMENTS, (1, 2000))))
def test_the_statement_and_the_kind_of_constraint(case: tuple[str, str] | tuple[str, str, int], rows: int) -> None:
    verb, kind = case[:2]
    first = 100 if "NOT MATCHED" not in STATEMENTS[case] else 100_000  # type: ignore[index]
    source = f"INSERT s SELECT {first} + value FROM GENERATE_SERIES(1, {rows})"
    with prepared(TABLES, source) as session:
        for _ in range(2):  # the second time it is known how many rows there are
            ((number, _, message),) = told_whole(session, STATEMENTS[case])  # type: ignore[index]
            assert number == 547
            assert f"The {verb} statement conflicted with the {kind} constraint" in message
