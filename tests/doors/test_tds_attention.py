"""Attention in the middle of every kind of request: the answer ends, the acknowledgement is a message of its own,
and session and transaction go on."""

from __future__ import annotations

import select
import struct
import time
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import is_waiting, until
from tds_wire import HEADERS, WireClient, of, parameter, parse, rpc

import sbql
from sbql.engine.server.owner import Server
from sbql.engine.tds.bulk import read_bulk
from sbql.engine.tds.login import TDS_74
from sbql.engine.tds.packets import packets_of
from sbql.grammar.types import INT, NVARCHAR_MAX
from sbql.grammar.values.checkpoints import set_check

PASSWORD = "Secret-1234"
SOON = 5.0
"""Seconds of computing, in which a server that has not heard it goes on; it takes a hundredth. How long a wait may
be, PATIENCE of WireClient says."""


def batch(text: str) -> tuple[int, bytes]:
    return 1, HEADERS + text.encode("utf-16-le")


def call(procedure: int | str, *parameters: Any) -> tuple[int, bytes]:
    """Texts and ints as they are; None is an int that comes out."""
    given = [
        parameter("", NVARCHAR_MAX, one) if isinstance(one, str) else parameter("", INT, one, one is None)
        for one in parameters
    ]
    return 3, HEADERS + rpc(procedure, *given)


def bulk_rows(count: int) -> bytes:
    return b"\x81\1\0" + b"\0\0\0\0\x09\0\x26\4\1a\0" + b"\xd1\4\1\0\0\0" * count + b"\xfd" + bytes(12)


LONG = "SELECT REPLICATE(CAST('x' AS varchar(max)), 100000) FROM GENERATE_SERIES(1, 500)"
ROWS = "SELECT a.value FROM GENERATE_SERIES(1, 1000000) a CROSS JOIN GENERATE_SERIES(1, 1000000) b"
SLOW = "SELECT COUNT_BIG(*) FROM GENERATE_SERIES(1, 100000) a CROSS JOIN GENERATE_SERIES(1, 1000000) b WHERE (a.value * CAST(b.value AS bigint)) % 7 = 3"
WAIT = "WAITFOR DELAY '01:00'"
REQUESTS: dict[str, list[tuple[int, bytes]]] = {
    "nothing much": [batch("SELECT 1")],
    "delay": [batch(WAIT)],
    "receive": [batch("WAITFOR (RECEIVE * FROM cancelled_q)")],
    "get group": [batch("DECLARE @g uniqueidentifier; WAITFOR (GET CONVERSATION GROUP @g FROM cancelled_q)")],
    "loop": [batch("DECLARE @i int = 0; WHILE 1 = 1 SET @i += 1")],
    "messages": [batch("WHILE 1 = 1 PRINT REPLICATE('x', 4000)")],
    "results": [batch("WHILE 1 = 1 SELECT 1")],
    "long answer": [batch(LONG)],
    "rows": [batch(ROWS)],
    "query": [batch(SLOW)],
    "lock": [batch("UPDATE elsewhere SET a = 2")],
    "application lock": [batch("EXEC sp_getapplock 'held', 'Exclusive', 'Session'")],
    "procedure": [call("waits")],
    "sp_executesql": [call(10, WAIT)],
    "sp_prepexec": [call(13, None, "", WAIT)],
    "sp_execute": [call(11, None, "", WAIT), call(12, 1)],
    "sp_cursoropen": [call(2, None, SLOW, 8, 0x2001, None)],
    "several calls": [(3, call(10, "SELECT 1")[1] + b"\xff" + rpc("waits") + b"\xff" + rpc("waits"))],
    "begin": [(14, HEADERS + struct.pack("<H", 5) + b"\2\0")],
    "save": [(14, HEADERS + struct.pack("<H", 9) + b"\2S\0")],
    "bulk": [batch("INSERT BULK held (a int)"), (7, bulk_rows(100_000))],
}
SAYS_SOMETHING = {"nothing much", "messages", "results", "long answer", "rows", "begin", "save"}
COMPUTES = {"loop", "query", "sp_cursoropen", "bulk"}
"""The others wait for something."""


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        holder = server.instance.connect()
        for text in (
            "CREATE DATABASE trade", "USE trade", "CREATE TABLE held (a int)", "CREATE TABLE elsewhere (a int)", "INSERT elsewhere VALUES (1)",
            "CREATE QUEUE cancelled_q", f"CREATE PROCEDURE waits AS {WAIT}", "EXEC sp_getapplock 'held', 'Exclusive', 'Session'",
            "BEGIN TRANSACTION; UPDATE elsewhere SET a = 3",
        ):  # fmt: skip
            holder.run(text)
        yield server
        holder.close()


@pytest.fixture
def port(served: Server) -> int:
    return served.endpoints[1].port


def ends(message: bytes) -> tuple[Any, ...]:
    """The last token of a message, of which the tokens before may have been cut off by nobody."""
    return parse(message)[-1]


def spid_of(client: WireClient) -> int:
    ((spid,),) = of("row", client.batch("SELECT CAST(@@SPID AS int)"))[0]
    return int(spid)


def until_under_way(served: Server, client: WireClient, spid: int, name: str) -> None:
    session = served.instance.sessions[spid]
    if name in SAYS_SOMETHING:
        client.await_word()
    elif name in COMPUTES:  # or has done so: rows in bulk are soon inserted
        until(lambda: session.is_running or select.select([client.socket], [], [], 0)[0], name)
    else:
        until(lambda: is_waiting(served, spid), name)


@pytest.mark.parametrize("moment", ["at once", "under way"])
@pytest.mark.parametrize("name", REQUESTS)
def test_attention_while(served: Server, port: int, name: str, moment: str) -> None:
    """At once, when the request may not have begun, and when it is under way."""
    *first, last = REQUESTS[name]
    with WireClient(port, password=PASSWORD, database="trade") as client:
        client.batch("BEGIN TRANSACTION; CREATE TABLE #kept (a int); INSERT #kept VALUES (1)")
        spid = spid_of(client)
        for one in first:
            client.send(*one)
            client.answer()
        client.send(*last)
        if moment == "under way":
            until_under_way(served, client, spid, name)
        since = time.process_time()  # of the server, too: it is in this process
        client.attention()
        end = ends(client.message())
        assert end[0] in ("done", "doneproc") and not end[1] & 1
        assert client.answer() == [("done", 0x24, 0, 0)]
        assert time.process_time() - since < SOON
        open_now = 2 if name == "begin" else 1
        assert client.batch("SELECT @@TRANCOUNT, COUNT(*) FROM #kept")[1] == ("row", (open_now, 1))
        client.batch("ROLLBACK")


def test_rows_in_bulk_are_read_where_an_attention_is_heard(served: Server, port: int) -> None:
    """However many they are: a million take seconds to read alone."""
    with WireClient(port, password=PASSWORD, database="trade") as client:
        session = served.instance.sessions[spid_of(client)]
        client.batch("INSERT BULK held (a int)")
        client.send(7, bulk_rows(1_000_000))
        until(lambda: session.is_running)
        since = time.process_time()
        client.attention()
        assert client.answer() == [("done", 0, 0, 0)]
        assert client.answer() == [("done", 0x20, 0, 0)]
        assert time.process_time() - since < 2.0
        assert client.batch("SELECT COUNT(*) FROM held")[1] == ("row", (0,))
    asked: list[int] = []
    before = set_check(lambda: asked.append(1))
    try:
        read_bulk(bulk_rows(10_000), TDS_74)
    finally:
        set_check(before)
    assert len(asked) >= 5


def given_up(client: WireClient, how: str) -> list[tuple[Any, ...]]:
    """Rows in bulk were announced, and the client thinks better of it."""
    stream = packets_of(7, bulk_rows(5_000), 4096)[0]
    match how:
        case "before the first row":
            client.attention()
        case "between two packets":
            client.socket.sendall(stream[: 3 * 4096])
            client.attention()
        case _:  # in the message itself
            client.send(7, bulk_rows(10), status=2)
    return client.answer()


@pytest.mark.parametrize("how", ["before the first row", "between two packets", "in the last packet"])
def test_rows_in_bulk_that_are_given_up(port: int, how: str) -> None:
    """Nothing is inserted, and the next request is not taken for what should have come."""
    with WireClient(port, password=PASSWORD, database="trade") as client:
        for _ in range(2):
            assert client.batch("INSERT BULK held (a int)") == [("done", 0, 0, 0)]
            assert given_up(client, how) == [("done", 2 if "last" in how else 0x20, 0, 0)]
            assert client.batch("SELECT COUNT(*), @@TRANCOUNT FROM held")[1] == ("row", (0, 0))
        client.batch("INSERT BULK held (a int)")
        client.send(7, bulk_rows(3))
        assert client.answer() == [("done", 0x10, 0xF0, 3)]
        client.batch("TRUNCATE TABLE held")
