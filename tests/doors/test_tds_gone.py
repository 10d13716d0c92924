"""A TDS client that is gone in the middle of something, closed or killed, leaves no lock, no
transaction, no session and no thread."""

from __future__ import annotations

import socket
import struct
import threading
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import HEADERS, WireClient, login_record, parameter, rpc

import sbql
from sbql.engine.server.owner import Server
from sbql.engine.tds.packets import packets_of
from sbql.engine.tds.prelogin import write_prelogin
from sbql.grammar.types import INT, NVARCHAR_MAX

PASSWORD = "Secret-1234"
PATIENCE = 30.0

PRELOGIN = packets_of(0x12, write_prelogin([(0, bytes(6)), (1, b"\x02"), (2, b"\0"), (3, bytes(4)), (4, b"\0")]), 4096)[
    0
]
WITH_TLS = packets_of(0x12, write_prelogin([(0, bytes(6)), (1, b"\x01")]), 4096)[0]
HELLO = packets_of(0x12, b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(80), 4096)[0]
LOGIN = packets_of(0x10, login_record(user="sa", password=PASSWORD), 4096)[0]
STAGES = {
    "prelogin": PRELOGIN,
    "login": PRELOGIN + LOGIN,
    "handshake": WITH_TLS + HELLO,
    "tls at once": b"\x16\x03\x01\x02\x00\x01\x00" + bytes(20),
}


def batch(text: str) -> tuple[int, bytes]:
    return 1, HEADERS + text.encode("utf-16-le")


BULK = b"\x81\1\0" + b"\0\0\0\0\x09\0\x26\4\1a\0" + b"\xd1\4\1\0\0\0" * 4000 + b"\xfd" + bytes(12)
REQUESTS: dict[str, list[tuple[int, bytes]]] = {
    "batch": [batch("SELECT 1")],
    "long answer": [batch("SELECT REPLICATE(CAST('x' AS varchar(max)), 100000) FROM GENERATE_SERIES(1, 500)")],
    "rows": [batch("SELECT a.value FROM GENERATE_SERIES(1, 1000000) a CROSS JOIN GENERATE_SERIES(1, 1000000) b")],
    "delay": [batch("WAITFOR DELAY '01:00'")],
    "receive": [batch("WAITFOR (RECEIVE * FROM gone_q)")],
    "loop": [batch("DECLARE @i int = 0; WHILE 1 = 1 SET @i += 1")],
    "lock": [batch("UPDATE elsewhere SET a = 2")],
    "call": [(3, HEADERS + rpc("sp_executesql", parameter("", NVARCHAR_MAX, "WAITFOR DELAY '01:00'" + " " * 9000)))],
    "cursor": [(3, HEADERS + rpc(2, parameter("", INT, None, 1), parameter("", NVARCHAR_MAX, f"SELECT * FROM elsewhere{' ' * 9000}"), parameter("", INT, 1)))],
    "table": [(3, HEADERS + rpc("TakeIds", b"\2@\0t\0\0\xf3\0\3d\0b\0o\0\3I\0d\0s\0\1\0\0\0\0\0\0\0\x26\4\0\0" + b"\1\4\1\0\0\0" * 3000 + b"\0"))],
    "transaction": [(14, HEADERS + struct.pack("<H", 5) + b"\2\0")],
    "bulk": [batch("INSERT BULK held (a int)"), (7, BULK)],
}  # fmt: skip


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        session = server.instance.connect()
        session.run(
            "CREATE DATABASE trade; USE trade; CREATE TABLE held (a int); CREATE TABLE elsewhere (a int); INSERT elsewhere VALUES (1); CREATE QUEUE gone_q; CREATE TYPE dbo.Ids AS TABLE (id int)"
        )
        session.run(
            "CREATE PROCEDURE TakeIds @t dbo.Ids READONLY AS INSERT INTO held SELECT id FROM @t; WAITFOR DELAY '01:00'"
        )
        session.close()
        yield server


def leave(sock: socket.socket, how: str) -> None:
    if how == "killed":  # a reset instead of an end, as when data are left unread
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()


def connections(server: Server) -> tuple[int, int]:
    """Threads and sessions of clients."""
    threads = sum(thread.name == "sbql-tds" for thread in threading.enumerate())
    return threads, len(server.instance.sessions)


def await_nobody(server: Server, before: tuple[int, int]) -> None:
    end = time.monotonic() + PATIENCE
    while any(now > then for now, then in zip(connections(server), before, strict=True)):  # others may end meanwhile
        assert time.monotonic() < end, f"{before} before, {connections(server)} now"
        time.sleep(0.005)


@pytest.mark.parametrize("how", ["closed", "killed"])
@pytest.mark.parametrize("stage", STAGES)
def test_before_the_login(served: Server, stage: str, how: str) -> None:
    before, data = connections(served), STAGES[stage]
    for place in {0, 1, 7, 8, len(data) // 2, len(data) - 1, len(data)}:
        sock = socket.create_connection(("127.0.0.1", served.endpoints[1].port), timeout=PATIENCE)
        sock.sendall(data[:place])
        leave(sock, how)
    await_nobody(served, before)


@pytest.mark.parametrize("how", ["closed", "killed"])
@pytest.mark.parametrize("request_name", REQUESTS)
def test_in_the_middle_of_a_request(served: Server, request_name: str, how: str) -> None:
    """A row is inserted in an open transaction; then a part of the request goes out, or all of it."""
    holder = served.instance.connect()
    if request_name == "lock":
        holder.run("USE trade; BEGIN TRANSACTION; UPDATE elsewhere SET a = 3")
    before = connections(served)
    *first, (kind, data) = REQUESTS[request_name]
    stream = packets_of(kind, data, 4096)[0]
    for place in (5, len(stream) // 2, len(stream) - 1, len(stream)):
        client = WireClient(served.endpoints[1].port, password=PASSWORD, database="trade")
        client.batch("BEGIN TRANSACTION; INSERT INTO held VALUES (1)")
        for one in first:
            client.send(*one)
            client.answer()
        client.socket.sendall(stream[:place])
        leave(client.socket, how)
    await_nobody(served, before)
    outcomes = holder.run(
        "USE trade; IF @@TRANCOUNT > 0 ROLLBACK; SET LOCK_TIMEOUT 0; SELECT COUNT(*) FROM held WITH (UPDLOCK); SELECT a FROM elsewhere WITH (UPDLOCK)"
    )
    holder.close()
    assert [outcome.rows for outcome in outcomes if hasattr(outcome, "rows")] == [[(0,)], [(1,)]]
