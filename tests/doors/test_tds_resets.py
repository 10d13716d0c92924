"""The door of TDS, seen token by token: attention, a session that is to be as new, a client that is gone, KILL."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import in_session, is_waiting, until
from tds_wire import HEADERS, PASSWORD, WireClient, of

from sbql.engine.server.owner import Server


@pytest.mark.parametrize(
    "text", ["WAITFOR DELAY '00:01:00'", "WAITFOR (RECEIVE * FROM q)", "DECLARE @i int = 0; WHILE 1 = 1 SET @i += 1"]
)
def test_attention_ends_what_runs(client: WireClient, text: str) -> None:
    client.batch("USE trade; IF OBJECT_ID('q') IS NULL EXEC ('CREATE QUEUE q')")
    client.batch("BEGIN TRANSACTION")
    client.send(1, HEADERS + f"SELECT 1; PRINT 'begun'; {text}; SELECT 2".encode("utf-16-le"))
    client.await_word()
    client.attention()
    first = client.answer()
    assert (of("row", first), of("error", first), first[-1][:2]) == ([((1,),)], [], ("done", 4))
    assert client.answer() == [("done", 0x24, 0, 0)]
    assert of("row", client.batch("SELECT @@TRANCOUNT")) == [((1,),)]
    client.batch("ROLLBACK")


def test_attention_when_nothing_runs(client: WireClient) -> None:
    client.attention()
    assert client.answer() == [("done", 0x20, 0, 0)]
    assert of("row", client.batch("SELECT 3")) == [((3,),)]


def test_a_request_that_the_client_gave_up(client: WireClient) -> None:
    client.send(1, HEADERS + "SELECT 1".encode("utf-16-le"), status=2)
    assert client.answer() == [("done", 2, 0, 0)]


def test_reset_makes_the_session_as_it_was(client: WireClient) -> None:
    client.batch(
        "SET NOCOUNT ON; CREATE TABLE #gone (a int); BEGIN TRANSACTION; USE tempdb; SET LANGUAGE German; EXEC sp_set_session_context 'k', 1"
    )
    answer = client.batch(
        "SELECT @@TRANCOUNT, DB_NAME(), OBJECT_ID('tempdb..#gone'), @@LANGUAGE, SESSION_CONTEXT(N'k')", status=8
    )
    assert [token[:2] for token in answer[:4]] == [("change", 10), ("change", 1), ("change", 2), ("change", 18)]
    assert of("row", answer)[0][0][:4] == (0, "master", None, "us_english")


def kill_when_it_waits(served: Server, port: int, spid: int) -> None:
    """KILL of a session whose batch has not begun ends the connection without a word."""
    with WireClient(port, password=PASSWORD) as killer:
        assert of("row", killer.batch("SELECT @@SPID"))[0][0][0] != spid
        until(lambda: is_waiting(served, spid))
        killer.batch(f"KILL {spid}")


def test_a_connection_keeps_its_number_through_resets(served: Server, client: WireClient, port: int) -> None:
    """So do locks, waits and KILL, which go by it."""
    spid = of("row", client.batch("SELECT @@SPID"))[0][0][0]
    others = "SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE session_id = @@SPID; SELECT @@SPID"
    for ask in (
        lambda text: client.batch(text, status=8),
        lambda text: (client.call("sp_reset_connection"), client.batch(text))[1],
    ):
        client.batch("EXEC sp_getapplock 'mine', 'Exclusive', 'Session'; CREATE TABLE #gone (a int)")
        assert of("row", ask(others)) == [((1,),), ((spid,),)]
        assert of("row", client.batch("SELECT APPLOCK_MODE('public', 'mine', 'Session')")) == [(("NoLock",),)]
    client.send(1, HEADERS + "WAITFOR DELAY '01:00'".encode("utf-16-le"))
    kill_when_it_waits(served, port, spid)
    assert of("error", client.answer())[0][:2] == (596, 21)


def test_a_pool_may_reset_by_a_call(client: WireClient) -> None:
    """That of pytds does. It is a procedure of the protocol, none of T-SQL."""
    client.batch("CREATE TABLE #gone (a int); BEGIN TRANSACTION; USE tempdb")
    answer = client.call("sp_reset_connection")
    assert [token[:2] for token in answer] == [("change", 10), ("change", 1), ("status", 0), ("doneproc", 0)]
    assert of("row", client.batch("SELECT @@TRANCOUNT, DB_NAME(), OBJECT_ID('tempdb..#gone')")) == [
        ((0, "master", None),)
    ]
    assert of("error", client.batch("EXEC sp_reset_connection"))[0][0] == 2812


def test_a_client_that_is_gone_leaves_nothing(served: Server, port: int) -> None:
    in_session(served, "USE trade; CREATE TABLE held (a int); CREATE QUEUE gone_q;")
    for text in (
        "WAITFOR DELAY '01:00'",
        "WAITFOR (RECEIVE * FROM gone_q)",
        "SELECT 1",
        "DECLARE @i int = 0; WHILE 1 = 1 SET @i += 1",
    ):
        client = WireClient(port, password=PASSWORD, database="trade")
        ((spid,),) = of("row", client.batch("SELECT @@SPID"))[0]
        begun = f"BEGIN TRANSACTION; INSERT INTO held VALUES (1); PRINT 'begun'; {text}"
        client.send(1, HEADERS + begun.encode("utf-16-le"))
        client.await_word()
        client.close()
        until(lambda spid=spid: spid not in served.instance.sessions, text)  # type: ignore[misc]
    outcomes = in_session(served, "SET LOCK_TIMEOUT 0; USE trade; SELECT COUNT(*) FROM held WITH (UPDLOCK)")
    assert next(o.rows for o in outcomes if hasattr(o, "rows")) == [(0,)]


def test_kill_reaches_a_client_that_waits(served: Server, client: WireClient, port: int) -> None:
    spid = of("row", client.batch("SELECT @@SPID"))[0][0][0]
    client.send(1, HEADERS + "WAITFOR DELAY '01:00'".encode("utf-16-le"))
    kill_when_it_waits(served, port, spid)
    assert of("error", client.answer())[0][:2] == (596, 21)
    with pytest.raises(ConnectionError):
        client.message()
