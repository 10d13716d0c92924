"""Large results on their way to a client: rows go out as the query gives them, and what ends a query
ends it in the middle of its rows."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import HEADERS, WireClient, of, parameter, parse

import sbql
from sbql.engine.server import tds_connection
from sbql.engine.server.client import client_at
from sbql.engine.server.owner import Server
from sbql.grammar.types import NVARCHAR_MAX

PASSWORD = "Secret-1234"
PATIENCE = 30.0
ENDLESS = "SELECT a.value FROM GENERATE_SERIES(1, 1000000) a CROSS JOIN GENERATE_SERIES(1, 1000000) b"
ROWS = 20_000
"""More than buffers and sockets hold, with 400 bytes each."""

Tokens = list[tuple[Any, ...]]


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        session = server.instance.connect()
        for text in (
            "CREATE DATABASE trade; ALTER DATABASE trade SET ALLOW_SNAPSHOT_ISOLATION ON", "USE trade",
            "CREATE TABLE large (n int PRIMARY KEY, t char(400))",
            f"INSERT large SELECT value, CONCAT('row ', value) FROM GENERATE_SERIES(1, {ROWS})",
            "CREATE FUNCTION twice(@n int) RETURNS int AS BEGIN DECLARE @m int = @n; RETURN @m + @n END",
            "CREATE VIEW seen AS SELECT n FROM large",
            "CREATE PROCEDURE gives AS SELECT n FROM large ORDER BY n; SELECT @@ROWCOUNT",
        ):  # fmt: skip
            session.run(text)
        session.close()
        yield server


@pytest.fixture
def client(served: Server) -> Iterator[WireClient]:
    with WireClient(served.endpoints[1].port, password=PASSWORD, database="trade") as client:
        yield client


def begins(client: WireClient, text: str, size: int = 1) -> None:
    """Ask, and take no more of the answer than this, which `message` gives again."""
    client.send(1, HEADERS + text.encode("utf-16-le"))
    while client.reader.buffered < size:
        data = client.socket.recv(4096)
        assert data, "the server has closed the connection"
        client.reader.feed(data)


def rows(tokens: Tokens) -> list[Any]:
    """The first value of each row."""
    return [values[0] for (values,) in of("row", tokens)]


def others(tokens: Tokens) -> Tokens:
    return [token for token in tokens if token[0] not in ("row", "columns")]


def test_first_rows_come_while_the_query_runs_and_an_attention_ends_it(client: WireClient) -> None:
    """Of a million millions of rows."""
    began = time.monotonic()
    begins(client, f"BEGIN TRANSACTION; UPDATE large SET t = 'mine' WHERE n = 1; {ENDLESS}", 100_000)
    client.attention()
    found = parse(client.message())
    assert time.monotonic() - began < PATIENCE
    assert len(rows(found)) > 5_000
    assert found[-1][0] == "done" and not found[-1][1] & 1
    assert client.answer() == [("done", 0x24, 0, 0)]
    assert rows(client.batch("SELECT t FROM large WHERE n = 1")) == ["mine".ljust(400)]
    client.batch("ROLLBACK")


PLAIN = list(range(1, ROWS + 1))
ASKED: dict[str, tuple[str, list[Any]]] = {
    "batch": ("SELECT n FROM large ORDER BY n", PLAIN),
    "two": ("SELECT n FROM large ORDER BY n; SELECT n + 1 FROM large ORDER BY n", [*PLAIN, *range(2, ROWS + 2)]),
    "@@ROWCOUNT": ("SELECT n FROM large ORDER BY n; SELECT @@ROWCOUNT", [*PLAIN, ROWS]),
    "NOCOUNT": ("SET NOCOUNT ON; SELECT n FROM large ORDER BY n; SELECT @@ROWCOUNT", [*PLAIN, ROWS]),
    "TOP": ("SELECT TOP (15000) n FROM large ORDER BY n", PLAIN[:15_000]),
    "SET ROWCOUNT in a page": ("SET ROWCOUNT 15000; SELECT n FROM large ORDER BY n; SELECT @@ROWCOUNT", [*PLAIN[:15_000], 15_000]),
    "SET ROWCOUNT after a page": ("SET ROWCOUNT 256; SELECT n FROM large ORDER BY n; SELECT @@ROWCOUNT", [*PLAIN[:256], 256]),
    "a page": ("SELECT TOP (256) n FROM large ORDER BY n", PLAIN[:256]),
    "a page and one": ("SELECT TOP (257) n FROM large ORDER BY n", PLAIN[:257]),
    "nothing": ("SELECT n FROM large WHERE n < 0", []),
    "TEXTSIZE": ("SET TEXTSIZE 5; SELECT CAST(t AS varchar(max)) FROM large ORDER BY n", [f"row {n}"[:5] for n in PLAIN]),
    "procedure": ("EXEC gives", [*PLAIN, ROWS]),
    "INSERT EXEC": ("CREATE TABLE #n (n int); INSERT #n EXEC gives; SELECT COUNT(*) FROM #n", [ROWS + 1]),
    "WITH RESULT SETS": ("EXEC gives WITH RESULT SETS ((m bigint), (c int))", [*PLAIN, ROWS]),
    "dynamic": ("EXEC ('SELECT n FROM large ORDER BY n')", PLAIN),
    "view": ("SELECT n FROM seen ORDER BY n", PLAIN),
    "function": ("SELECT dbo.twice(n) FROM large ORDER BY n", [2 * n for n in PLAIN]),
    "function with its own query": ("SELECT n, (SELECT MAX(f.n) FROM large f WHERE f.n = large.n) FROM large ORDER BY n", PLAIN),
    "decimals": ("SELECT CAST(n AS decimal(10, 1)) FROM large ORDER BY n", PLAIN),
    "variable": ("DECLARE @t TABLE (n int); INSERT @t SELECT n FROM large; SELECT n FROM @t ORDER BY n", PLAIN),
    "temp table": ("SELECT n INTO #t FROM large; SELECT n FROM #t ORDER BY n", PLAIN),
    "own changes": ("BEGIN TRANSACTION; UPDATE large SET n = -n WHERE n = 20000; DELETE large WHERE n = 1; SELECT n FROM large ORDER BY n; ROLLBACK", [-ROWS, *PLAIN[1:-1]]),
    "snapshot": ("SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION; SELECT n FROM large ORDER BY n; COMMIT", PLAIN),
    "serializable": ("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE; SELECT n FROM large ORDER BY n", PLAIN),
    "FOR JSON": ("SELECT LEN(x.d) - LEN(REPLACE(x.d, '{', '')) FROM (SELECT (SELECT n FROM large FOR JSON PATH)) x(d)", [ROWS]),
}  # fmt: skip


@pytest.mark.parametrize("name", ASKED)
def test_all_rows_come(client: WireClient, name: str) -> None:
    text, expected = ASKED[name]
    answer = client.batch(text)
    assert rows(answer) == expected
    assert not of("error", answer)
    assert answer[-1][0] == "done" and not answer[-1][1] & 0x23


CALLED = {
    "batch": [ROWS],
    "two": [ROWS, ROWS],
    "NOCOUNT": [],
    "procedure": [ROWS, 1],
    "function": [ROWS],
    "own changes": [1, 1, ROWS - 1],
}


@pytest.mark.parametrize("name", CALLED)
def test_all_rows_of_a_call_come_with_their_counts(client: WireClient, name: str) -> None:
    text, expected = ASKED[name]
    answer = client.call(10, parameter("", NVARCHAR_MAX, text))
    assert rows(answer) == expected
    assert [token[3] for token in answer if token[0] == "doneinproc" and token[1] & 0x10] == CALLED[name]
    assert answer[-1][0] == "doneproc" and not answer[-1][1] & 0x23


DIVIDED = f"SELECT 1000000 / ({ROWS - 5_000} - n), t FROM large"


def check_prefix(found: list[Any]) -> None:
    """What came before the row that fails: most of it, and nothing else."""
    zero = ROWS - 5_000
    assert 7_500 < len(found) < zero
    assert found == [1_000_000 // (zero - n) for n in range(1, len(found) + 1)]


def test_an_error_in_the_middle_comes_behind_the_rows(client: WireClient) -> None:
    """And takes nothing from the transaction."""
    client.batch("BEGIN TRANSACTION; UPDATE large SET t = 'mine' WHERE n = 2")
    found = client.batch(f"{DIVIDED}; SELECT @@ERROR, @@ROWCOUNT, @@TRANCOUNT")
    first = found[: next(place for place, token in enumerate(found) if token[0] == "error")]
    check_prefix(rows(first))
    error, done = others(found)[:2]
    assert (error[1], done[0], done[1] & 0x12) == (8134, "done", 2)
    assert found[-2] == ("row", (8134, 0, 1))
    assert rows(client.batch("SELECT t FROM large WHERE n = 2")) == ["mine".ljust(400)]
    client.batch("ROLLBACK")


def test_an_error_in_the_middle_is_caught_behind_the_rows(client: WireClient) -> None:
    found = client.batch(f"BEGIN TRY {DIVIDED} END TRY BEGIN CATCH SELECT ERROR_NUMBER() END CATCH")
    *before, last = rows(found)
    check_prefix(before)
    assert last == 8134
    assert [token[0] for token in others(found)] == ["done", "done"] and not others(found)[0][1] & 2


def test_under_xact_abort_an_error_in_the_middle_rolls_back(client: WireClient) -> None:
    client.batch("SET XACT_ABORT ON; BEGIN TRANSACTION; UPDATE large SET t = 'mine' WHERE n = 3")
    found = client.batch(f"{DIVIDED}; SELECT -1")
    check_prefix(rows(found))
    assert [error[0] for error in of("error", found)] == [8134]
    assert client.batch("SELECT @@TRANCOUNT, t FROM large WHERE n = 3")[1] == ("row", (0, "row 3".ljust(400)))


@pytest.mark.parametrize(
    "text", [ASKED["two"][0], ASKED["procedure"][0], ASKED["nothing"][0], f"{DIVIDED}; SELECT @@ERROR"]
)
def test_a_remote_session_gets_what_one_in_the_process_gets(served: Server, text: str) -> None:
    """As a whole, or not at all."""
    remote, local = client_at(served.endpoint).session("trade"), served.instance.connect("trade")
    try:
        found, expected = remote.run(text), local.run(text)
    finally:
        remote.close()
        local.close()
    assert [type(outcome) for outcome in found] == [type(outcome) for outcome in expected]
    assert [getattr(outcome, "rows", None) for outcome in found] == [
        getattr(outcome, "rows", None) for outcome in expected
    ]


CHANGES = {
    "deleted": "BEGIN TRANSACTION; DELETE large; SELECT COUNT(*) FROM large; ROLLBACK",
    "another column": "ALTER TABLE large ADD c int; ALTER TABLE large DROP COLUMN c; SELECT COUNT(*) - 20000 FROM large",
    "dropped": "BEGIN TRANSACTION; DROP TABLE large; SELECT COUNT(*) FROM sys.tables WHERE name = 'large'; ROLLBACK",
    "deleted for good": "DELETE large WHERE n % 2 = 0; CHECKPOINT; SELECT 0",
}


def test_others_change_what_is_read_and_the_reader_sees_what_it_began_with(served: Server, client: WireClient) -> None:
    """A reader that takes its time holds up nobody."""
    port = served.endpoints[1].port
    client.batch("SELECT * INTO before_changes FROM large")
    for change in CHANGES.values():
        with WireClient(port, password=PASSWORD, database="trade") as slow:
            begins(slow, "SELECT n, t FROM large", 4_096)
            changed = client.batch(change)
            assert rows(changed) == [0], changed
            assert sorted(rows(slow.answer())) == PLAIN
    client.batch(
        "INSERT large SELECT * FROM before_changes b WHERE NOT EXISTS (SELECT * FROM large l WHERE l.n = b.n); DROP TABLE before_changes"
    )
    assert rows(client.batch("SELECT COUNT(*) FROM large")) == [ROWS]


def test_kill_ends_a_query_whose_rows_nobody_takes(
    served: Server, client: WireClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tds_connection, "_ENDED", 0.2)
    with WireClient(served.endpoints[1].port, password=PASSWORD, database="trade") as lazy:
        (spid,) = rows(lazy.batch("SELECT @@SPID"))
        begins(lazy, f"BEGIN TRANSACTION; UPDATE large SET t = 'mine' WHERE n = 4; {ENDLESS}", 4_096)
        client.batch(f"KILL {spid}")
        end = time.monotonic() + PATIENCE
        while rows(client.batch(f"SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE session_id = {spid}")) != [0]:
            assert time.monotonic() < end
    assert rows(client.batch("SET LOCK_TIMEOUT 0; SELECT t FROM large WITH (UPDLOCK) WHERE n = 4")) == [
        "row 4".ljust(400)
    ]
