"""A sink that raises: the batch stops as one that is cancelled, its transaction stays what it is, and the exception is
the caller's, whoever runs the batch.

Every kind of outcome is met by a sink that raises at the first one, at a later one, or at each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from serving import SA_PASSWORD, address_of_tds

import sbql
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet, RowsAffected
from sbql.engine.server.tds_session import TdsSession
from sbql.engine.session import Session
from sbql.grammar.errors import sql_error

KINDS = {
    "rows": ("SELECT 1 AS a", ResultSet),
    "rows of a table": ("SELECT n FROM t", ResultSet),
    "count": ("INSERT t VALUES (100)", RowsAffected),
    "message": ("PRINT 'a'", InfoMessage),
    "error": ("SELECT 1 / 0", ErrorOutcome),
    "in TRY": ("BEGIN TRY PRINT 'a' END TRY BEGIN CATCH INSERT t VALUES (-1) END CATCH", InfoMessage),
    "in a procedure": ("EXEC dbo.Say", InfoMessage),
    "in dynamic text": ("EXEC ('PRINT ''a''')", InfoMessage),
    "in INSERT EXEC": ("INSERT t EXEC dbo.Say", InfoMessage),
    "in a trigger": ("INSERT noted VALUES (1)", InfoMessage),
    "described": ("EXEC dbo.Say WITH RESULT SETS ((a int))", InfoMessage),
    "the last": ("THROW 50000, 'x', 1", ErrorOutcome),
}
"""A statement, and the class of what it says."""
RAISED: list[Callable[[], BaseException]] = [
    lambda: ValueError("mine"), lambda: OSError("mine"), lambda: StopIteration("mine"), lambda: sql_error(8134),
    lambda: KeyboardInterrupt(), lambda: SystemExit(3), lambda: sbql.DataError("mine"), lambda: RecursionError("mine"), lambda: MemoryError("mine"),
]  # fmt: skip


@pytest.fixture(scope="module", params=["virtual", "system", "owner", "served", "served-tds"])
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[[], sbql.Connection]]:
    """How to connect, to one instance for all: here under both clocks, in the process that
    serves it, and through both doors."""
    if request.param in ("virtual", "system"):
        with sbql.connect(clock=request.param) as first:
            yield lambda: sbql.connect(instance=first.instance)
        return
    pytest.importorskip("pyarrow", reason="a server needs pyarrow")
    if request.param == "owner":
        with sbql.connect(clock="virtual") as first, sbql.serve(first):
            yield lambda: sbql.connect(instance=first.instance)
        return
    with sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD) as owner:
        if request.param == "served":
            yield lambda: sbql.connect(endpoint=owner.endpoint.url, token=owner.endpoint.token)
        else:
            yield lambda: sbql.connect(server=address_of_tds(owner), user="sa", password=SA_PASSWORD)


@pytest.fixture
def connection(connect: Callable[[], sbql.Connection]) -> Iterator[sbql.Connection]:
    with connect() as found:
        found.execute("DROP TABLE IF EXISTS t, noted; DROP PROCEDURE IF EXISTS dbo.Say")
        found.execute("CREATE TABLE dbo.t (n int); CREATE TABLE dbo.noted (n int); INSERT t VALUES (1)")
        found.execute("CREATE PROCEDURE dbo.Say AS PRINT 'a'; SELECT 2 AS n")
        found.execute("CREATE TRIGGER tr ON dbo.noted AFTER INSERT AS PRINT 'a'")
        yield found


def raising(error: BaseException, when: str, kind: type) -> tuple[Callable[[Outcome], None], list[Outcome]]:
    """A sink that raises `error` at the first outcome of `kind`, at the second outcome of
    all, or at each; and what it hears."""
    heard: list[Outcome] = []

    def sink(outcome: Outcome) -> None:
        heard.append(outcome)
        if when == "always" or (when == "later" and len(heard) > 1) or (when == "first" and isinstance(outcome, kind)):
            raise error

    return sink, heard


def rest(connection: sbql.Connection) -> str:
    """What a batch must not come to. A server of TDS sends in packets, which it fills: the client may hear
    nothing before the batch has ended."""
    return "" if isinstance(connection.session, TdsSession) else "; WAITFOR DELAY '10:00'; INSERT t VALUES (3)"


def numbers(connection: sbql.Connection) -> list[Any]:
    return [row[0] for row in connection.execute("SELECT n FROM t ORDER BY n").fetchall()]


@pytest.mark.parametrize("in_transaction", [False, True])
@pytest.mark.parametrize("when", ["first", "later", "always"])
@pytest.mark.parametrize("name", KINDS)
def test_it_ends_the_batch_and_nothing_else(
    connection: sbql.Connection, name: str, when: str, in_transaction: bool
) -> None:
    text, kind = KINDS[name]
    begin = "BEGIN TRANSACTION; " if in_transaction else ""
    before = "PRINT 'before'; " if when == "later" else ""
    mine = ValueError("mine")
    sink, heard = raising(mine, when, kind)
    batch = f"SET NOCOUNT ON; {begin}INSERT t VALUES (2); SET NOCOUNT OFF; {before}{text}{rest(connection)}"
    with pytest.raises(ValueError) as raised:
        connection.run(batch, sink=sink)
    assert raised.value is mine
    assert heard.count(heard[-1]) == 1 and len(heard) <= 2 + (when == "later")
    is_open = connection.session.trancount == 1
    if name == "in a trigger" and in_transaction:
        # XACT_ABORT is ON there: stopped in it, as a batch in this process is, it goes as under a cancel. A
        # server may have left it when it hears.
        assert not (is_open and isinstance(connection.session, Session))
    else:
        assert is_open == in_transaction
    left = numbers(connection)
    assert (2 in left) == (is_open or not in_transaction) and 3 not in left and -1 not in left
    if in_transaction:
        connection.rollback()
        assert numbers(connection) == [1]


@pytest.mark.parametrize("make", RAISED, ids=lambda make: type(make()).__name__)
def test_whatever_it_is_the_caller_gets_it(connection: sbql.Connection, make: Callable[[], BaseException]) -> None:
    mine = make()

    def sink(outcome: Outcome) -> None:
        raise mine

    with pytest.raises(type(mine)) as raised:
        connection.run("BEGIN TRANSACTION; PRINT 'a'; INSERT t VALUES (3)", sink=sink)
    assert raised.value is mine
    assert connection.execute("SELECT @@TRANCOUNT, COUNT(*) FROM t").fetchone() in [
        (1, 1),
        (1, 2),
    ]  # a client is ahead of its cancel
    log = getattr(connection.instance, "error_log", ())
    assert not [record for record in log if record.number == 3624]


def test_a_doomed_transaction_is_rolled_back_all_the_same(connection: sbql.Connection) -> None:
    def sink(outcome: Outcome) -> None:
        raise ValueError("mine")

    text = "SET XACT_ABORT ON; BEGIN TRANSACTION; BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH PRINT 'a' END CATCH"
    with pytest.raises(ValueError):
        connection.run(text + rest(connection), sink=sink)
    assert connection.session.trancount == 0


def test_what_the_end_of_a_batch_says_is_the_first_that_it_raises_at(connection: sbql.Connection) -> None:
    """3998 comes when the batch is over: there is nothing to stop, and the session can go on."""

    def sink(outcome: Outcome) -> None:
        if isinstance(outcome, ErrorOutcome) and outcome.error.number == 3998:
            raise ValueError("mine")

    text = "SET XACT_ABORT ON; BEGIN TRANSACTION; BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH PRINT 'a' END CATCH"
    with pytest.raises(ValueError):
        connection.run(text, sink=sink)
    assert connection.execute("SELECT @@TRANCOUNT").fetchone() == (0,)


@pytest.mark.parametrize("run", [sbql.run_script], ids=["script"])
def test_a_script_ends(connection: sbql.Connection, run: Callable[..., Any]) -> None:
    def sink(outcome: Outcome) -> None:
        raise ValueError("mine")

    with pytest.raises(ValueError):
        run(connection, "PRINT 'a'\nGO\nINSERT t VALUES (4)", sink=sink)
    assert 4 not in numbers(connection)
