"""A sequence that several columns of a table default to has one value in each row, whatever writes the row.

So says the page "NEXT VALUE FOR" among its general remarks: all references to one sequence in a statement have the same
value for a given row.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from told import last_rows, prepared, told

from sbql.engine.session import Session

TABLES = (
    "CREATE SEQUENCE q START WITH 1; CREATE SEQUENCE other START WITH 1000",
    """CREATE TABLE t (id int IDENTITY, a int DEFAULT NEXT VALUE FOR q, b bigint DEFAULT (NEXT VALUE FOR dbo.q), c varchar(20) DEFAULT CONCAT('n', NEXT VALUE FOR q), o int DEFAULT NEXT VALUE FOR other, k int)""",
    "CREATE TABLE few (k int); INSERT few VALUES (1), (2), (3)",
    "CREATE TABLE parent (a int, b int, CONSTRAINT pk PRIMARY KEY (a, b)); INSERT parent SELECT value, value FROM GENERATE_SERIES(1, 40)",
)
WRITES = {
    "INSERT t DEFAULT VALUES": 1,
    "INSERT t (k) VALUES (1)": 1,
    "INSERT t (k) VALUES (1), (2), (3)": 3,
    "INSERT t (a, k) VALUES (DEFAULT, 1), (DEFAULT, 2)": 2,
    "INSERT t (a, b, c, o, k) VALUES (DEFAULT, DEFAULT, DEFAULT, DEFAULT, 1)": 1,
    "INSERT t (a, b, c) VALUES (NEXT VALUE FOR q, DEFAULT, DEFAULT), (DEFAULT, NEXT VALUE FOR q, DEFAULT)": 2,
    "INSERT t (k) SELECT k FROM few": 3,
    "INSERT t (k) SELECT value FROM GENERATE_SERIES(1, 3000)": 3000,
    "INSERT TOP (2) t (k) SELECT k FROM few": 2,
    "INSERT t (k) OUTPUT inserted.k SELECT k FROM few": 3,
    "INSERT t (k) EXEC ('SELECT k FROM few')": 3,
    "INSERT few OUTPUT inserted.k INTO t (k) VALUES (7), (8)": 2,
    "INSERT t (k) SELECT k FROM (DELETE few OUTPUT deleted.k) AS d (k)": 3,
    "MERGE t USING few ON few.k = t.k WHEN NOT MATCHED THEN INSERT (k) VALUES (few.k);": 3,
    "MERGE t USING few ON few.k = t.k WHEN NOT MATCHED THEN INSERT (k, a, b, c) VALUES (few.k, DEFAULT, DEFAULT, DEFAULT);": 3,
    "MERGE t USING (SELECT value FROM GENERATE_SERIES(1, 3000)) s (k) ON s.k = t.k WHEN NOT MATCHED THEN INSERT (k) VALUES (s.k);": 3000,
    "INSERT t (a, b, c, k) VALUES (0, 0, 'n0', 1), (0, 0, 'n0', 2); UPDATE t SET a = DEFAULT, b = DEFAULT, c = DEFAULT": 2,
    "INSERT t (a, b, c, k) VALUES (0, 0, 'n0', 1), (0, 0, 'n0', 2); MERGE t USING few ON few.k = t.k WHEN MATCHED THEN UPDATE SET a = DEFAULT, b = DEFAULT, c = DEFAULT;": 2,
    "INSERT v (k) VALUES (1), (2)": 2,
    "DECLARE @i int = 0; WHILE @i < 3 BEGIN INSERT t (k) VALUES (@i); SET @i += 1 END": 3,
}


@pytest.fixture
def session() -> object:
    with prepared(*TABLES, "CREATE VIEW v AS SELECT * FROM t") as opened:
        yield opened


def check(session: Session, count: int) -> None:
    """Each value once, none left out, as the rows were written."""
    shown = "SELECT a, b, c, ROW_NUMBER() OVER (ORDER BY id) FROM t"
    rows = last_rows(session, shown)
    assert [tuple(row) for row in rows] == [(n, n, f"n{n}", n) for n in range(1, count + 1)]


@pytest.mark.parametrize("write", WRITES)
def test_one_value_in_each_row(session: Session, write: str) -> None:
    assert not any(isinstance(row, int) for row in told(session, write)), "an error"
    check(session, WRITES[write])
    assert told(session, "SELECT NEXT VALUE FOR q") == [(WRITES[write] + 1,)]


def test_other_sequences_have_values_of_their_own(session: Session) -> None:
    assert told(session, "INSERT t (k) SELECT k FROM few; SELECT a, o FROM t") == [(1, 1000), (2, 1001), (3, 1002)]


def test_behind_an_error_statements_have_their_own_values(session: Session) -> None:
    failing = "BEGIN TRY INSERT t (k) VALUES (1 / 0) END TRY BEGIN CATCH END CATCH"
    assert (
        told(
            session, f"CREATE TABLE f (a int DEFAULT NEXT VALUE FOR q, b int DEFAULT (NEXT VALUE FOR q / 0)); {failing}"
        )
        == []
    )
    assert told(session, "BEGIN TRY INSERT f DEFAULT VALUES END TRY BEGIN CATCH END CATCH") == []
    first, second = told(session, "SELECT NEXT VALUE FOR q; SELECT NEXT VALUE FOR q")
    assert first != second


def test_a_bulk_load(session: Session, tmp_path: Path) -> None:
    file = tmp_path / "rows.csv"
    file.write_text("1,,,,,5\n2,,,,,6\n", encoding="utf-8")
    assert told(session, f"BULK INSERT t FROM '{file}' WITH (FORMAT = 'CSV')") == []
    check(session, 2)


def test_columns_that_are_added(session: Session) -> None:
    added = "ALTER TABLE few ADD a int NOT NULL DEFAULT NEXT VALUE FOR q, b int NULL DEFAULT NEXT VALUE FOR q WITH VALUES, c int NULL DEFAULT NEXT VALUE FOR q"
    assert told(session, added) == []
    assert told(session, "SELECT k, a, b, c FROM few ORDER BY k") == [
        (1, 1, 1, None),
        (2, 2, 2, None),
        (3, 3, 3, None),
    ]


def test_a_foreign_key_that_sets_defaults(session: Session) -> None:
    child = "CREATE TABLE child (k int, a int DEFAULT NEXT VALUE FOR q, b int DEFAULT NEXT VALUE FOR q, FOREIGN KEY (a, b) REFERENCES parent ON DELETE SET DEFAULT)"
    assert told(session, f"{child}; INSERT child VALUES (1, 39, 39), (2, 40, 40)") == []
    assert told(session, "DELETE parent WHERE a > 38; SELECT a, b FROM child ORDER BY k") == [(1, 1), (2, 2)]
