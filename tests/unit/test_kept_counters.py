"""Closing a store and opening it again changes no counter: each program goes on as it would have gone on without.

On SQL Server an identity value is never given twice because its row is gone, row versions only grow, and a server that
stops in good order writes where its sequences are (CREATE SEQUENCE, cache management).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from told import told

from sbql.engine.instance import Instance

BEFORE = {
    "rows": "INSERT t (a) VALUES (1), (2), (3)",
    "none": "",
    "all deleted": "INSERT t (a) VALUES (1), (2), (3); DELETE t",
    "last deleted": "INSERT t (a) VALUES (1), (2), (3); DELETE t WHERE a = 3",
    "rolled back": "BEGIN TRANSACTION; INSERT t (a) VALUES (1), (2); ROLLBACK; INSERT t (a) VALUES (3); BEGIN TRANSACTION; INSERT t (a) VALUES (4); ROLLBACK",
    "truncated": "INSERT t (a) VALUES (1), (2); TRUNCATE TABLE t",
    "truncated, and more": "INSERT t (a) VALUES (1), (2), (3); TRUNCATE TABLE t; INSERT t (a) VALUES (1)",
    "reseeded": "INSERT t (a) VALUES (1); DBCC CHECKIDENT (t, RESEED, 500)",
    "given": "SET IDENTITY_INSERT t ON; INSERT t (id, a) VALUES (700, 1); SET IDENTITY_INSERT t OFF; DELETE t",
    "as a set": "INSERT t (a) SELECT value FROM GENERATE_SERIES(1, 3000); INSERT t (a) SELECT value FROM GENERATE_SERIES(1, 3000); DELETE t",
    "made again": "INSERT t (a) VALUES (1), (2); DROP TABLE t; CREATE TABLE t (id int IDENTITY, a int, v rowversion)",
}
TABLES = {
    "int": "id int IDENTITY PRIMARY KEY",
    "by fives": "id bigint IDENTITY (10, 5)",
    "down": "id int IDENTITY (0, -1) PRIMARY KEY",
    "decimal": "id decimal(38) IDENTITY (99999999999999999999999999999999, 7)",
    "tinyint": "id tinyint IDENTITY",
}
SEQUENCES = {
    "cached": "CREATE SEQUENCE s AS int START WITH 1",
    "cached ten": "CREATE SEQUENCE s AS bigint START WITH 5 INCREMENT BY 3 CACHE 10",
    "not cached": "CREATE SEQUENCE s AS int START WITH 1 NO CACHE",
    "down": "CREATE SEQUENCE s AS int START WITH 0 INCREMENT BY -2",
    "cycles": "CREATE SEQUENCE s AS tinyint START WITH 1 MINVALUE 1 MAXVALUE 3 CYCLE",
    "ends": "CREATE SEQUENCE s AS tinyint START WITH 1 MAXVALUE 2",
    "decimal": "CREATE SEQUENCE s AS decimal(30) START WITH 100000000000000000000000",
}
TAKEN = {
    "none": "",
    "one": "SELECT NEXT VALUE FOR s",
    "two": "SELECT NEXT VALUE FOR s; SELECT NEXT VALUE FOR s",
    "a range": "DECLARE @f sql_variant; EXEC sp_sequence_get_range 's', 2, @f OUTPUT",
    "rolled back": "BEGIN TRANSACTION; SELECT NEXT VALUE FOR s; ROLLBACK",
    "restarted": "SELECT NEXT VALUE FOR s; ALTER SEQUENCE s RESTART",
    "a default": "CREATE TABLE d (v decimal(30) DEFAULT NEXT VALUE FOR s, a int); INSERT d (a) VALUES (1), (2)",
}
ASKED = (
    "SELECT IDENT_CURRENT('t')", "SELECT last_value FROM sys.identity_columns WHERE object_id = OBJECT_ID('t')", "INSERT t (a) VALUES (9); SELECT SCOPE_IDENTITY()", "DBCC CHECKIDENT (t, NORESEED)",
    "INSERT t (a) VALUES (9), (10); SELECT MAX(id), MIN(id), COUNT(*) FROM t", "SELECT @@DBTS", "SELECT MAX(CAST(v AS bigint)) FROM t", "INSERT t (a) VALUES (11); SELECT @@DBTS",
)  # fmt: skip


class Program:
    """Runs on a store that may be closed in the middle."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.instance = Instance.open(str(path))

    def run(self, text: str) -> list[str]:
        return [*map(repr, told(self.instance.connect(), text))]

    def again(self) -> None:
        self.instance.close()
        self.instance = Instance.open(str(self.path))


@pytest.fixture
def programs(tmp_path: Path) -> Iterator[tuple[Program, Program]]:
    found = Program(tmp_path / "one.duckdb"), Program(tmp_path / "other.duckdb")
    yield found
    for program in found:
        program.instance.close()


@pytest.mark.matrix
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("before", BEFORE)
def test_identity_values_and_row_versions_go_on(programs: tuple[Program, Program], before: str, table: str) -> None:
    one, other = programs
    made = f"CREATE TABLE t ({TABLES[table]}, a int, v rowversion)"
    if table == "tinyint" and before in ("reseeded", "given", "as a set"):
        pytest.skip("these values are no tinyint")
    for text in (made, BEFORE[before]):
        assert one.run(text) == other.run(text)
    other.again()
    for text in ASKED:
        assert one.run(text) == other.run(text), text
    other.again()
    other.again()
    for text in ("DELETE t", *ASKED):
        assert one.run(text) == other.run(text), text


@pytest.mark.matrix
@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("taken", TAKEN)
def test_sequences_go_on(programs: tuple[Program, Program], taken: str, sequence: str) -> None:
    one, other = programs
    for text in (SEQUENCES[sequence], TAKEN[taken]):
        assert one.run(text) == other.run(text)
    for _ in range(3):
        other.again()
        for text in ("SELECT current_value, is_exhausted FROM sys.sequences", "SELECT NEXT VALUE FOR s"):
            assert one.run(text) == other.run(text), text


def test_tables_that_nobody_touched_are_kept(programs: tuple[Program, Program]) -> None:
    _, program = programs
    assert program.run("CREATE TABLE t (id int IDENTITY, a int); INSERT t (a) VALUES (1), (2); DELETE t") == []
    for _ in range(3):
        program.again()
        assert program.run("CREATE TABLE #other (id int IDENTITY, a int); INSERT #other (a) VALUES (1)") == []
    assert program.run("INSERT t (a) VALUES (3); SELECT id FROM t") == ["(3,)"]


def test_behind_a_crash_the_rows_and_what_was_kept_last_count(
    programs: tuple[Program, Program], tmp_path: Path
) -> None:
    _, program = programs
    program.run("CREATE TABLE t (id int IDENTITY, a int); INSERT t (a) VALUES (1), (2), (3); DELETE t")
    program.again()
    program.run("INSERT t (a) VALUES (4), (5)")
    for file in tmp_path.glob("other*"):
        if file.is_file():
            shutil.copy(file, tmp_path / file.name.replace("other", "crashed"))
    crashed = Program(tmp_path / "crashed.duckdb")
    assert crashed.run("INSERT t (a) VALUES (6); SELECT MAX(id) FROM t") == ["(6,)"]
    crashed.instance.close()
