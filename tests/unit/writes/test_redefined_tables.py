"""A table that is written, altered and written again in one transaction: what the statements behind ALTER TABLE say and
leave is what they do where each statement is a transaction of its own."""

from __future__ import annotations

import contextlib
import itertools

import pytest
from told import told

from sbql.engine.instance import Instance

MAKE = "CREATE TABLE t (gone int NULL, id int NOT NULL PRIMARY KEY, a nvarchar(10) NULL, b int NULL); INSERT t VALUES (0, 1, 'one', 10), (0, 2, 'two', 20)"
BEFORE = [
    "INSERT t (id, a, b) VALUES (3, 'three', 30)",
    "UPDATE t SET b = 21, gone = 5 WHERE id = 2",
    "UPDATE t SET id = 4 WHERE id = 2",
    "DELETE t WHERE id = 2",
    "INSERT t (id, a) SELECT id + 10, a FROM t",
]
ALTER = [
    "ALTER TABLE t ADD c int NOT NULL DEFAULT 7",
    "ALTER TABLE t DROP COLUMN gone",
    "ALTER TABLE t ALTER COLUMN a nvarchar(40) NOT NULL",
    "ALTER TABLE t ADD CONSTRAINT u UNIQUE (id, b)",
    "ALTER TABLE t ADD c int NOT NULL DEFAULT 7; ALTER TABLE t DROP COLUMN gone; CREATE UNIQUE INDEX u ON t (id, c)",
    "ALTER TABLE t ADD c int NOT NULL DEFAULT 7; CREATE UNIQUE INDEX u ON t (id, c)",
    "CREATE UNIQUE INDEX u ON t (a) WHERE b > 0",
]
BEHIND = [
    "UPDATE t SET b = b + 1",
    "UPDATE t SET id = id + 1",
    "UPDATE t SET a = 'x' WHERE id = 3",
    "INSERT t (id, a, b) VALUES (2, 'again', 1)",
    "INSERT t (id, a, b) VALUES (3, 'again', 1)",
    "INSERT t (id, a, b) VALUES (9, 'three', 1)",
    "DECLARE @k int = 3; SELECT a, b FROM t WHERE id = @k; SET @k = 2; SELECT a, b FROM t WHERE id = @k",
    "DELETE t WHERE id = 3; INSERT t (id, a, b) VALUES (3, 'back', 1)",
    "MERGE t USING (VALUES (2), (3), (8)) AS s (n) ON t.id = s.n WHEN MATCHED THEN UPDATE SET b = 0 WHEN NOT MATCHED THEN INSERT (id, a, b) VALUES (s.n, 'new', 0);",
]
LOOK = "SELECT a FROM t WHERE id = 1"
LEFT = "SELECT * FROM t ORDER BY id"


@pytest.fixture(scope="module")
def instance():
    with contextlib.closing(Instance.open(None)) as opened:
        yield opened


@pytest.mark.matrix
@pytest.mark.parametrize("alter", ALTER)
def test_what_comes_behind_a_definition(instance: Instance, alter: str) -> None:
    session = instance.connect()
    for before, behind in itertools.product(BEFORE, BEHIND):
        found = []
        for make, begin, end in ((MAKE, "", ""), (MAKE, "BEGIN TRAN", "COMMIT"), ("", f"BEGIN TRAN; {MAKE}", "COMMIT")):
            told(session, f"DROP TABLE IF EXISTS t; {make}")
            told(session, begin)
            steps = [told(session, text) for text in (before, LOOK, alter, behind)]
            is_over = end and told(session, "SELECT @@TRANCOUNT") == [(0,)]
            found.append((steps, None if is_over else (told(session, end), told(session, LEFT))))
        alone, left = found[0]
        for together, left_together in found[1:]:
            assert together == alone, (before, behind)
            assert left_together in (None, left), (before, behind)
            assert 3624 not in itertools.chain(*together)
