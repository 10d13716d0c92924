"""`commit`, `rollback`, the end of `with`, and `autocommit` under every SET option: they are no
batches, and NOEXEC has no say in them.

The same for the transaction manager's requests of SQL Server's drivers, which are what commits over TDS.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator

import pytest

import sbql
from sbql.engine.session_options import ON_OFF_OPTIONS

OPTIONS = {
    "": "",
    **{f"{name} {value}": f"SET {name} {value}" for name in ON_OFF_OPTIONS for value in ("ON", "OFF") if name != "IMPLICIT_TRANSACTIONS"},
    "ROWCOUNT 1": "SET ROWCOUNT 1", "LOCK_TIMEOUT 0": "SET LOCK_TIMEOUT 0", "SERIALIZABLE": "SET TRANSACTION ISOLATION LEVEL SERIALIZABLE",
}  # fmt: skip
BACK = "SET NOEXEC OFF; SET PARSEONLY OFF; SET FMTONLY OFF; SET ROWCOUNT 0"


@pytest.fixture
def watcher(connect: Callable[..., sbql.Connection]) -> Iterator[sbql.Connection]:
    with connect() as found:
        found.execute("DROP TABLE IF EXISTS dbo.t; CREATE TABLE dbo.t (n int)")
        yield found


def rows(watcher: sbql.Connection) -> list[int]:
    return [row[0] for row in watcher.execute("SELECT n FROM dbo.t ORDER BY n").fetchall()]


@pytest.mark.parametrize(
    "begin", ["BEGIN TRANSACTION", "BEGIN TRANSACTION; BEGIN TRANSACTION", "SET IMPLICIT_TRANSACTIONS ON"]
)
@pytest.mark.parametrize("option", OPTIONS)
def test_under_every_option(
    connect: Callable[..., sbql.Connection], watcher: sbql.Connection, option: str, begin: str
) -> None:
    for ends, left in ((sbql.Connection.commit, [1]), (sbql.Connection.rollback, [])):
        watcher.execute("DELETE dbo.t")
        with connect() as connection:
            connection.execute(f"{begin}; INSERT dbo.t VALUES (1)")
            connection.execute(OPTIONS[option] or "PRINT ''")
            ends(connection)
            assert connection.session.trancount == 0
            assert rows(watcher) == left
            ends(connection)  # nothing is open


@pytest.mark.parametrize("option", ["NOEXEC ON", "PARSEONLY ON", "FMTONLY ON"])
def test_the_end_of_with(connect: Callable[..., sbql.Connection], watcher: sbql.Connection, option: str) -> None:
    with connect(autocommit=False) as connection:
        connection.execute("INSERT dbo.t VALUES (1)")
        connection.execute(f"SET {option}")
    assert rows(watcher) == [1]
    with contextlib.suppress(ZeroDivisionError), connect(autocommit=False) as connection:
        connection.execute("INSERT dbo.t VALUES (2)")
        connection.execute(f"SET {option}")
        raise ZeroDivisionError
    assert rows(watcher) == [1]


@pytest.mark.parametrize("option", ["NOEXEC ON", "PARSEONLY ON", "FMTONLY ON"])
def test_autocommit(connect: Callable[..., sbql.Connection], watcher: sbql.Connection, option: str) -> None:
    with connect() as connection:
        if "TdsSession" in type(connection.session).__name__:
            pytest.skip("TDS knows IMPLICIT_TRANSACTIONS as a batch alone")
        connection.execute(f"SET {option}")
        connection.autocommit = False
        connection.execute(BACK)
        connection.execute("INSERT dbo.t VALUES (1)")
        assert connection.session.trancount == 1
        connection.rollback()
    assert rows(watcher) == []


@pytest.mark.parametrize("begun", ["by itself", "BEGIN TRANSACTION", "BEGIN TRANSACTION; BEGIN TRANSACTION"])
def test_autocommit_that_becomes_true_commits(
    connect: Callable[..., sbql.Connection], watcher: sbql.Connection, begun: str
) -> None:
    """What is done behind it is committed by itself, whatever was open before."""
    with connect(autocommit=False) as connection:
        connection.execute(f"{'PRINT 1' if begun == 'by itself' else begun}; INSERT dbo.t VALUES (1)")
        connection.autocommit = False  # as it is: nothing happens
        assert connection.session.trancount > 0
        connection.autocommit = True
        assert (connection.session.trancount, rows(watcher)) == (0, [1])
        connection.execute("INSERT dbo.t VALUES (2)")
        assert rows(watcher) == [1, 2]
        connection.execute("BEGIN TRANSACTION; INSERT dbo.t VALUES (3)")
        connection.autocommit = True  # as it is: a transaction of the program's own
        connection.rollback()
        connection.close()
    assert rows(watcher) == [1, 2]


def test_autocommit_stays_false_where_the_commit_fails(
    connect: Callable[..., sbql.Connection], watcher: sbql.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_: sbql.Connection) -> None:
        raise sbql.OperationalError("the disk is full")

    with connect(autocommit=False) as connection:
        connection.execute("INSERT dbo.t VALUES (1)")
        with monkeypatch.context() as broken:
            broken.setattr(sbql.Connection, "commit", fails)
            with pytest.raises(sbql.OperationalError, match="the disk is full"):
                connection.autocommit = True
        assert connection.autocommit is False and connection.session.trancount == 1
    assert rows(watcher) == [1]


def test_identity_of_a_session_that_runs_nothing(connect: Callable[..., sbql.Connection]) -> None:
    with connect() as connection:
        connection.execute("SET NOEXEC ON")
        assert connection.cursor().lastrowid is None


def test_what_executemany_has_done_before_an_error(
    connect: Callable[..., sbql.Connection], watcher: sbql.Connection
) -> None:
    with connect() as connection:
        cursor = connection.cursor()
        with pytest.raises(sbql.DataError):
            cursor.executemany("INSERT dbo.t SELECT 10 / ?", [[1], [2], [0], [5]])
        assert (cursor.rowcount, rows(watcher)) == (2, [5, 10])
        with pytest.raises(sbql.ProgrammingError):
            cursor.executemany("INSERT dbo.t SELECT ?", [[1], [object()]])
        assert cursor.rowcount == 1


def test_nothing_of_a_closed_cursor_is_kept(connect: Callable[..., sbql.Connection]) -> None:
    with connect() as connection:
        for forget in (sbql.Cursor.close, lambda cursor: cursor.execute("PRINT ''")):
            cursor = connection.execute("SELECT CAST(1 AS sql_variant)")
            cursor.fetchall()
            forget(cursor)
            assert cursor._plain is None
