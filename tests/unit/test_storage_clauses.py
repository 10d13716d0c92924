"""Every storage clause names a filegroup that the database has, or is error 1921 and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.grammar.ast import DataSpace
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import find_all

SETUP = """
CREATE DATABASE Other ON PRIMARY (NAME = a), FILEGROUP theirs (NAME = b);
CREATE DATABASE D; ALTER DATABASE D ADD FILEGROUP [Second One];
USE D;
CREATE TABLE old (a int NOT NULL, b int, CONSTRAINT pk PRIMARY KEY NONCLUSTERED (a));
CREATE CLUSTERED INDEX ix ON old (b);
CREATE QUEUE old_queue
"""

CLAUSES = (
    "CREATE TABLE t (a int) ON {}",
    "CREATE TABLE t (a int) TEXTIMAGE_ON {}",
    "CREATE TABLE t (a int) ON [PRIMARY] FILESTREAM_ON {}",
    "CREATE TABLE t (a int PRIMARY KEY ON {})",
    "CREATE TABLE t (a int UNIQUE NONCLUSTERED ON {})",
    "CREATE TABLE t (a int INDEX i ON {})",
    "CREATE TABLE t (a int, PRIMARY KEY (a) WITH (FILLFACTOR = 80) ON {})",
    "CREATE TABLE t (a int, CONSTRAINT u UNIQUE (a) ON {})",
    "CREATE TABLE t (a int, INDEX i (a) ON {})",
    "CREATE SCHEMA s CREATE TABLE t (a int) ON {}",
    "ALTER TABLE old ADD c int UNIQUE ON {}",
    "ALTER TABLE old ADD CONSTRAINT u UNIQUE (a) ON {}",
    "ALTER TABLE old DROP CONSTRAINT pk WITH (ONLINE = OFF, MOVE TO {})",
    "CREATE INDEX i ON old (a) ON {}",
    "CREATE UNIQUE NONCLUSTERED INDEX i ON old (a) INCLUDE (b) WITH (SORT_IN_TEMPDB = ON) ON {}",
    "CREATE INDEX i ON old (a) ON [PRIMARY] FILESTREAM_ON {}",
    "CREATE NONCLUSTERED COLUMNSTORE INDEX i ON old (a) ON {}",
    "DROP INDEX ix ON old WITH (MOVE TO {})",
    "DROP INDEX ix ON old WITH (MOVE TO [PRIMARY], FILESTREAM_ON {})",
    "SELECT 1 AS a INTO t ON {}",
    "SELECT 1 AS a INTO t ON {} UNION ALL SELECT 2",
    "CREATE QUEUE t ON {}",
    "CREATE QUEUE t WITH STATUS = OFF ON {}",
    "ALTER QUEUE old_queue MOVE TO {}",
)
"""A storage clause of every statement that has one, with the name left out."""

THERE = ("[PRIMARY]", '"default"', "[second one]")
NOT_THERE = ("theirs", "nowhere", "[]]]")


@pytest.fixture(scope="module")
def made() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    assert not errors(session, SETUP)
    yield session
    instance.close()


@pytest.fixture
def session(made: Session) -> Iterator[Session]:
    """In a transaction, so that each test finds what SETUP has made."""
    made.run("BEGIN TRAN")
    yield made
    made.run("IF @@TRANCOUNT > 0 ROLLBACK")


def errors(session: Session, text: str) -> list[int]:
    return [outcome.error.number for outcome in session.run(text) if isinstance(outcome, ErrorOutcome)]


def named(session: Session) -> list[tuple[object, ...]]:
    (found,) = [o for o in session.run("SELECT name FROM sys.objects ORDER BY name") if isinstance(o, ResultSet)]
    return list(found.rows)


@pytest.mark.parametrize("clause", CLAUSES)
@pytest.mark.parametrize("name", THERE)
def test_a_filegroup_of_the_database_is_fine(session: Session, clause: str, name: str) -> None:
    assert not errors(session, clause.format(name))


@pytest.mark.parametrize("clause", CLAUSES)
@pytest.mark.spec("QUEUE-8", "QUEUE-39")
def test_any_other_is_1921_and_changes_nothing(session: Session, clause: str) -> None:
    before = named(session)
    for name in NOT_THERE:
        assert errors(session, clause.format(name)) == [1921], name
    if "QUEUE" not in clause:
        assert errors(session, clause.format("scheme (a)")) == [1921]
    assert errors(session, f"BEGIN TRY EXEC ('{clause.format('nowhere')}') END TRY BEGIN CATCH THROW END CATCH") == [
        1921
    ]
    assert named(session) == before
    spaces = list(find_all(parse_batch(clause.format("nowhere")), DataSpace))
    assert [s.name.value for s in spaces if s.name.value != "PRIMARY"] == ["nowhere"]


def test_the_database_of_what_is_made_counts(session: Session) -> None:
    assert not errors(session, "CREATE TABLE Other.dbo.t (a int) ON theirs; SELECT 1 AS a INTO Other.dbo.u ON theirs")
    assert errors(session, "CREATE TABLE Other.dbo.v (a int) ON [Second One]") == [1921]
    assert errors(session, "CREATE TABLE #t (a int) ON [Second One]") == [1921]
    assert not errors(session, "CREATE TABLE #t (a int) ON [PRIMARY]")


def test_filegroups_come_and_go(made: Session) -> None:
    session = made

    def rows(text: str) -> list[tuple[object, ...]]:
        return [row for outcome in session.run(text) if isinstance(outcome, ResultSet) for row in outcome.rows]

    listed = "SELECT name, data_space_id, is_default FROM sys.filegroups ORDER BY data_space_id"
    assert rows(listed) == [("PRIMARY", 1, True), ("Second One", 2, False)]
    assert rows(
        "SELECT FILEGROUP_ID('second one'), FILEGROUP_NAME(2), FILEGROUPPROPERTY('Second One', 'IsUserDefinedFG')"
    ) == [(2, "Second One", 1)]
    assert errors(session, "ALTER DATABASE D ADD FILEGROUP [SECOND ONE]") == [5035]
    assert errors(session, "ALTER DATABASE D ADD FILEGROUP [primary]") == [5035]
    assert errors(session, "ALTER DATABASE D REMOVE FILEGROUP [PRIMARY]") == [5042]
    assert not errors(
        session, "ALTER DATABASE D ADD FILEGROUP third; ALTER DATABASE D MODIFY FILEGROUP [Second One] NAME = second"
    )
    assert errors(session, "ALTER DATABASE D MODIFY FILEGROUP second NAME = Third") == [5035]
    assert not errors(session, "ALTER DATABASE D ADD FILE (NAME = f) TO FILEGROUP second")
    for words in (
        "ADD FILE (NAME = f) TO FILEGROUP nowhere",
        "MODIFY FILEGROUP nowhere DEFAULT",
        "REMOVE FILEGROUP nowhere",
    ):
        assert errors(session, f"ALTER DATABASE D {words}") == [1921], words
    assert not errors(session, "ALTER DATABASE D REMOVE FILEGROUP third")
    assert rows(listed) == [("PRIMARY", 1, True), ("second", 2, False)]
