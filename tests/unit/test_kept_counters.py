"""Closing a store and opening it again changes no counter: each program goes on as it would have gone on without.

On SQL Server an identity value is never given twice because its row is gone, row versions only grow, and a server that
stops in good order writes where its sequences are (CREATE SEQUENCE, cache management).
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from told import told

from sbql.engine.describe import sequence_values
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


IN_ONE = {
    "created and used": "BEGIN TRANSACTION; {}; SELECT NEXT VALUE FOR s; COMMIT",
    "created": "BEGIN TRANSACTION; {}; COMMIT",
    "created, used, begun anew": "BEGIN TRANSACTION; {}; SELECT NEXT VALUE FOR s; ALTER SEQUENCE s RESTART; COMMIT",
    "created, begun anew, used": "BEGIN TRANSACTION; {}; ALTER SEQUENCE s RESTART; SELECT NEXT VALUE FOR s; COMMIT",
    "used behind": "{}; SELECT NEXT VALUE FOR s",
    "begun anew, used": "{}; SELECT NEXT VALUE FOR s; BEGIN TRANSACTION; ALTER SEQUENCE s RESTART; SELECT NEXT VALUE FOR s; COMMIT",
    "another step": "{}; SELECT NEXT VALUE FOR s; ALTER SEQUENCE s INCREMENT BY 100; SELECT NEXT VALUE FOR s; SELECT NEXT VALUE FOR s",
    "another name": "{}; SELECT NEXT VALUE FOR s; BEGIN TRANSACTION; EXEC sp_rename 's', 'z'; SELECT NEXT VALUE FOR z; EXEC sp_rename 'z', 's'; SELECT NEXT VALUE FOR s; COMMIT",
    "dropped and created": "{0}; SELECT NEXT VALUE FOR s; BEGIN TRANSACTION; DROP SEQUENCE s; {0}; SELECT NEXT VALUE FOR s; COMMIT",
    "rolled back in part": "BEGIN TRANSACTION; {}; SELECT NEXT VALUE FOR s; SAVE TRANSACTION a; SELECT NEXT VALUE FOR s; ALTER SEQUENCE s RESTART; ROLLBACK TRANSACTION a; SELECT NEXT VALUE FOR s; COMMIT",
}
UNUSED = ("created", "created, used, begun anew")


class Program:
    """Runs on a store that may be closed in the middle, or left as it is by a crash."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.instance = Instance.open(str(path))

    def run(self, text: str) -> list[str]:
        return [*map(repr, told(self.instance.connect(), text))]

    def again(self) -> None:
        self.instance.close()
        self.instance = Instance.open(str(self.path))

    def number(self, text: str) -> int:
        return int(told(self.instance.connect(), text)[-1][0])

    def crash(self) -> None:
        """Go on with a copy of what the files hold now."""
        crashed = self.path.with_name(f"{self.path.stem}x.duckdb")
        for file in self.path.parent.glob(f"{self.path.name}*"):
            if file.is_file():
                shutil.copy(file, crashed.parent / file.name.replace(self.path.name, crashed.name))
        self.instance.close()
        self.path, self.instance = crashed, Instance.open(str(crashed))


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    found = Program(tmp_path / "one.duckdb")
    yield found
    found.instance.close()


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
        for text in (
            "SELECT current_value, is_exhausted, last_used_value FROM sys.sequences",
            "SELECT NEXT VALUE FOR s",
        ):
            assert one.run(text) == other.run(text), text


def test_tables_that_nobody_touched_are_kept(programs: tuple[Program, Program]) -> None:
    _, program = programs
    assert program.run("CREATE TABLE t (id int IDENTITY, a int); INSERT t (a) VALUES (1), (2); DELETE t") == []
    for _ in range(3):
        program.again()
        assert program.run("CREATE TABLE #other (id int IDENTITY, a int); INSERT #other (a) VALUES (1)") == []
    assert program.run("INSERT t (a) VALUES (3); SELECT id FROM t") == ["(3,)"]


@pytest.mark.matrix
@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("before", BEFORE)
def test_behind_a_crash_no_identity_value_comes_again(program: Program, before: str, table: str) -> None:
    if table == "tinyint" and before in ("reseeded", "given", "as a set"):
        pytest.skip("these values are no tinyint")
    program.run(f"CREATE TABLE t ({TABLES[table]}, a int, v rowversion); {BEFORE[before]}")
    for turn in range(3):
        given, version = program.number("SELECT IDENT_CURRENT('t')"), program.number("SELECT CAST(@@DBTS AS bigint)")
        step = program.number("SELECT IDENT_INCR('t')")
        program.crash()
        value = program.number("INSERT t (a) VALUES (9); SELECT CAST(SCOPE_IDENTITY() AS decimal(38))")
        ahead, block = (
            (value - given) // step,
            (
                1000
                if before == "made again"
                else {"tinyint": 10, "int": 1000 if before != "as a set" else 10_000}.get(
                    TABLES[table].split()[1], 10_000
                )
            ),
        )
        was_used = before not in ("none", "truncated", "made again") or turn > 0
        assert (ahead > 0 if was_used else ahead >= 0) and ahead <= block + 1
        assert version < program.number("SELECT CAST(v AS bigint) FROM t WHERE a = 9") <= version + 10_001
        program.run("DELETE t")


@pytest.mark.matrix
@pytest.mark.parametrize("change", IN_ONE)
@pytest.mark.parametrize("sequence", SEQUENCES)
def test_behind_a_crash_no_value_of_a_sequence_comes_again(program: Program, sequence: str, change: str) -> None:
    if sequence in ("cycles", "ends"):
        pytest.skip("its values end, or come again")
    program.run(IN_ONE[change].format(SEQUENCES[sequence]))
    for turn in range(3):
        given = program.number("SELECT CAST(current_value AS decimal(38)) FROM sys.sequences")
        step = program.number("SELECT CAST(increment AS decimal(38)) FROM sys.sequences")
        program.crash()
        ahead = (program.number("SELECT CAST(NEXT VALUE FOR s AS decimal(38))") - given) / step
        block = {"not cached": 2, "cached ten": 10}.get(sequence, 50)  # two are taken in one transaction
        assert (0 if change in UNUSED and not turn else 1) <= ahead <= block


def test_what_begins_a_counter_anew_outlives_a_crash(program: Program) -> None:
    program.run("CREATE TABLE t (id int IDENTITY, a int); INSERT t (a) VALUES (1), (2), (3)")
    program.run("CREATE SEQUENCE s AS int START WITH 1; SELECT NEXT VALUE FOR s")
    program.run("DBCC CHECKIDENT (t, RESEED, 5000); ALTER SEQUENCE s RESTART WITH 700")
    program.crash()
    assert program.run("INSERT t (a) VALUES (4); SELECT MAX(id), NEXT VALUE FOR s FROM t") == ["(5001, 700)"]
    program.run("TRUNCATE TABLE t")
    program.crash()
    assert program.run("INSERT t (a) VALUES (4); SELECT id FROM t") == ["(1,)"]


@pytest.mark.parametrize(
    "taking", ["SELECT NEXT VALUE FOR s", "DECLARE @v int = NEXT VALUE FOR s", "INSERT t VALUES (NEXT VALUE FOR s)"]
)
def test_single_values_without_a_cache_leave_no_gap(program: Program, taking: str) -> None:
    program.run("CREATE SEQUENCE s AS int START WITH 1 NO CACHE; CREATE TABLE t (i int)")
    for given in range(1, 8, 2):
        program.run(taking)
        program.crash()
        assert program.number("SELECT NEXT VALUE FOR s") == given + 1


@pytest.mark.parametrize("many", ["NO CACHE", "CACHE 7", ""])
def test_rows_take_values_in_ever_larger_blocks(program: Program, many: str) -> None:
    """A crash leaves out no more than was taken."""
    program.run(f"CREATE SEQUENCE s AS int START WITH 1 {many}; CREATE TABLE t (i int)")
    program.run("INSERT t SELECT NEXT VALUE FOR s + 0 FROM GENERATE_SERIES(1, 3000)")
    assert program.run("SELECT MIN(i), MAX(i), COUNT(DISTINCT i) FROM t") == ["(1, 3000, 3000)"]
    program.crash()
    assert 3000 < program.number("SELECT NEXT VALUE FOR s") <= 6001
    program.run(
        "BEGIN TRANSACTION; DECLARE @i int = 0, @v int; WHILE @i < 99 SELECT @v = NEXT VALUE FOR s, @i += 1; COMMIT"
    )
    last = program.number("SELECT CAST(current_value AS int) FROM sys.sequences")
    program.crash()
    assert last < program.number("SELECT NEXT VALUE FOR s") <= last + 101


@pytest.mark.parametrize("change", ["ALTER SEQUENCE s RESTART WITH {}", "ALTER SEQUENCE s RESTART WITH {} NO CACHE"])
@pytest.mark.parametrize(
    "taken", ["", "SELECT NEXT VALUE FOR s;", "SELECT NEXT VALUE FOR s FROM GENERATE_SERIES(1, 70);"]
)
def test_a_restart_is_committed_with_its_transaction(
    program: Program, monkeypatch: pytest.MonkeyPatch, taken: str, change: str
) -> None:
    """A crash just behind the commit comes before anything is stored by itself."""
    program.run(f"CREATE SEQUENCE s AS int START WITH 1; {taken}")
    monkeypatch.setattr(sequence_values, "_store", lambda *arguments, **how: None)
    for transaction in ("{0}", "BEGIN TRANSACTION; {1}; SELECT NEXT VALUE FOR s; {0}; COMMIT"):
        program.run(transaction.format(change.format(700), change.format(900)))
        program.crash()
        assert program.number("SELECT NEXT VALUE FOR s") == 700
    program.run(
        f"BEGIN TRANSACTION; {change.format(900)}; SAVE TRANSACTION a; {change.format(5)}; ROLLBACK TRANSACTION a; COMMIT"
    )
    program.crash()
    assert program.number("SELECT NEXT VALUE FOR s") == 900


@pytest.mark.parametrize("is_used", [False, True])
@pytest.mark.parametrize("is_crashed", [False, True])
def test_what_begins_a_counter_anew_is_rolled_back(program: Program, is_crashed: bool, is_used: bool) -> None:
    program.run(
        "CREATE TABLE t (id int IDENTITY, a int); INSERT t (a) SELECT value FROM GENERATE_SERIES(1, 3000); DELETE t"
    )
    program.run("CREATE SEQUENCE s AS int START WITH 1; SELECT NEXT VALUE FOR s FROM GENERATE_SERIES(1, 300)")
    use = "INSERT t (a) VALUES (1); SELECT NEXT VALUE FOR s" if is_used else ""
    program.run(f"BEGIN TRANSACTION; TRUNCATE TABLE t; ALTER SEQUENCE s RESTART; {use}; ROLLBACK")
    if is_crashed:
        program.crash()
    assert program.number("INSERT t (a) VALUES (4); SELECT MAX(id) FROM t") in range(3001, 4002)
    assert program.number("SELECT NEXT VALUE FOR s") in range(301, 352)


def test_a_sequence_goes_by_its_new_definition(program: Program) -> None:
    program.run("CREATE SEQUENCE s AS int START WITH 1 MAXVALUE 2; SELECT NEXT VALUE FOR s; SELECT NEXT VALUE FOR s")
    assert "11728" in str(
        program.run("BEGIN TRY SELECT NEXT VALUE FOR s END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH")
    )
    assert program.run("ALTER SEQUENCE s MAXVALUE 100000 INCREMENT BY 100; SELECT NEXT VALUE FOR s") == ["(3,)"]
    program.crash()
    assert program.number("SELECT NEXT VALUE FOR s") > 3


def test_row_versions_of_a_new_table_go_on_where_the_others_were(program: Program) -> None:
    program.run("CREATE TABLE t (a int, v rowversion); INSERT t (a) VALUES (1), (2), (3)")
    program.crash()
    program.run("CREATE TABLE u (a int, v rowversion); INSERT u (a) VALUES (1)")
    assert program.number("SELECT COUNT(*) FROM u WHERE v > (SELECT MAX(v) FROM t)") == 1


def test_what_was_counted_without_blocks_goes_by_the_rows(program: Program) -> None:
    """A store whose last values were kept once, and that somebody went on with who kept no ends of blocks."""
    program.run("CREATE TABLE t (id int IDENTITY, a int); INSERT t (a) VALUES (1), (2)")
    program.again()
    program.run("INSERT t (a) VALUES (3), (4)")
    program.instance.close()
    with duckdb.connect(str(program.path)) as connection:
        connection.execute("UPDATE sbql.kept_counters SET last = 2 WHERE last = 4")
        connection.execute("INSERT INTO sbql.kept_counters VALUES (-1, 0, 0)")
    program.instance = Instance.open(str(program.path))
    assert program.run("INSERT t (a) VALUES (5); SELECT MAX(id) FROM t") == ["(5,)"]
