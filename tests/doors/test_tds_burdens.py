"""What a server of TDS bears: readers that do not read, clients that say a byte now and then or nothing, a thousand
that only wait, many wrong passwords.

Memory is that of a process of its own, whose growth is looked at.
"""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import ServerProcess, listening_server, until
from tds_wire import HEADERS, WireClient, login_record, of

import sbql
from sbql.engine.server import tds_connection
from sbql.engine.tds.packets import packets_of
from sbql.engine.tds.prelogin import write_prelogin

PASSWORD = "Secret-1234"
PRELOGIN = packets_of(0x12, write_prelogin([(0, bytes(6)), (1, b"\x02")]), 4096)[0]
LOGIN = packets_of(0x10, login_record(user="sa", password=PASSWORD), 4096)[0]
IDLE = 1_000


def megabytes(process: ServerProcess) -> float:
    found = re.search(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8"))
    assert found is not None
    return int(found[1]) / 1024


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ServerProcess, int]]:
    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not show the memory of processes in /proc")
    with listening_server(tmp_path_factory.mktemp("served"), PASSWORD) as (process, port):
        with WireClient(port, password=PASSWORD) as client:
            client.batch("SELECT 1")
        yield process, port


def test_a_thousand_idle_connections_cost_less_than_200_megabytes(served: tuple[ServerProcess, int]) -> None:
    process, port = served
    before = megabytes(process)
    clients = [WireClient(port, password=PASSWORD) for _ in range(IDLE)]
    try:
        assert megabytes(process) - before < 200
        assert clients[0].batch("SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE is_user_process = 1")[1][1][0] >= IDLE
        assert clients[-1].batch("SELECT 2")[1] == ("row", (2,))
    finally:
        for client in clients:
            client.close()


UNREAD = {
    "rows": "SELECT a.value FROM GENERATE_SERIES(1, 1000000) a CROSS JOIN GENERATE_SERIES(1, 1000000) b",
    "wide rows": "SELECT REPLICATE(CAST('x' AS varchar(max)), 10000) FROM GENERATE_SERIES(1, 1000000)",
    "one value": "SELECT REPLICATE(CAST('x' AS varchar(max)), 20000000)",
    "results": "SET NOCOUNT ON; WHILE 1 = 1 SELECT REPLICATE('x', 8000)",
    "messages": "WHILE 1 = 1 PRINT REPLICATE('x', 4000)",
    "errors": "WHILE 1 = 1 RAISERROR('x', 16, 1)",
}


@pytest.mark.parametrize("what", UNREAD)
def test_a_reader_that_does_not_read_costs_bounded_memory(served: tuple[ServerProcess, int], what: str) -> None:
    """What it does not take waits in the engine, not in a buffer. Others are served meanwhile."""
    process, port = served
    before = megabytes(process)
    with WireClient(port, password=PASSWORD) as lazy, WireClient(port, password=PASSWORD) as other:
        lazy.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        lazy.send(1, HEADERS + UNREAD[what].encode("utf-16-le"))
        end = time.monotonic() + 0.7
        most = 0.0
        while time.monotonic() < end:
            most = max(most, megabytes(process) - before)
            assert other.batch("SELECT 1")[1] == ("row", (1,))
        assert most < 150
        if what == "one value":
            assert len(lazy.answer()[1][1][0]) == 20_000_000


def closed_after(sock: socket.socket, *pieces: bytes) -> bool:
    """Whether the server closes while these are sent, a piece each hundredth of a second, and then nothing."""
    try:
        for piece in pieces:
            sock.sendall(piece)
            sock.settimeout(0.01)
            try:
                if not sock.recv(4096):
                    return True
            except TimeoutError:
                pass
        sock.settimeout(20)
        while sock.recv(4096):
            pass
    except TimeoutError:
        return False
    except OSError:
        pass
    return True


SLOW = {
    "silent": [],
    "half a prelogin": [PRELOGIN[:9]],
    "prelogin and no more": [PRELOGIN],
    "a byte now and then": [bytes([byte]) for byte in PRELOGIN + LOGIN],
    "half a record of TLS": [b"\x16\x03\x01\x02\x00\x01"],
}


@pytest.mark.parametrize("how", SLOW)
def test_who_does_not_come_to_a_login_is_cut_off(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tds_connection, "LOGIN_SECONDS", 0.3)
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as served:
        port = served.endpoints[1].port
        began = time.monotonic()
        with socket.create_connection(("127.0.0.1", port)) as sock:
            assert closed_after(sock, *SLOW[how])
        assert 0.2 < time.monotonic() - began < 15
        client, seconds = coming_in(port, monkeypatch)
        with client:  # who is in may take his time
            stream = packets_of(1, HEADERS + "SELECT 5".encode("utf-16-le"), 4096)[0]
            for byte in stream:
                client.socket.sendall(bytes([byte]))
                time.sleep(2 * seconds / len(stream))
            assert client.answer()[1] == ("row", (5,))


def coming_in(port: int, monkeypatch: pytest.MonkeyPatch) -> tuple[WireClient, float]:
    """Somebody who comes in in time, however busy the machine is, and the seconds that he had for it."""
    seconds = 0.3
    while True:
        try:
            return WireClient(port, password=PASSWORD), seconds
        except OSError:
            assert seconds < 30
            seconds *= 2
            monkeypatch.setattr(tds_connection, "LOGIN_SECONDS", seconds)


def test_a_message_that_never_ends_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tds_connection, "LARGEST_MESSAGE", 1_000_000)
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as served:
        port = served.endpoints[1].port
        with WireClient(port, password=PASSWORD) as endless, WireClient(port, password=PASSWORD) as other:
            fits = HEADERS + f"SELECT {' ' * 490_000}1".encode("utf-16-le")
            endless.send(1, fits)
            assert endless.answer()[1] == ("row", (1,))
            part = packets_of(1, bytes(100_000), 4096, is_end=False)[0]
            with pytest.raises(OSError):
                endless.socket.sendall(part * 1_000)
            assert other.batch("SELECT 1")[1] == ("row", (1,))
            said = logged(other)
            assert any("reading the input stream" in line and "more than 1000000 bytes" in line for line in said)


def logged(client: WireClient) -> list[str]:
    """The lines of the error log."""
    return [str(row[0][2]) for row in of("row", client.batch("EXEC sp_readerrorlog"))]


class Penalty(threading.Event):
    """Whoever has to wait for a wrong password does so until `is_over`."""

    def __init__(self) -> None:
        super().__init__()
        self.held: list[float | None] = []
        self.is_over = threading.Event()

    def wait(self, timeout: float | None = None) -> bool:
        self.held.append(timeout)
        return self.is_over.wait(60)


def test_wrong_passwords_in_bulk_hold_up_nobody_from_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who guesses waits; who comes from another address does not, and neither does who is in."""
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as served:
        port = served.endpoints[1].port
        with WireClient(port, password=PASSWORD) as inside:
            refused: list[int] = []

            def guess(number: int) -> None:
                with WireClient(port, password=f"guess {number}") as client:
                    refused.append(client.greeting[0][1])

            with ThreadPoolExecutor(24) as crowd:
                penalty = Penalty()
                monkeypatch.setattr(served._entry, "_closed", penalty)
                guesses = [crowd.submit(guess, number) for number in range(48)]
                try:
                    until(lambda: len(penalty.held) > 12)
                    with socket.create_connection(("127.0.0.1", port), 20, source_address=("127.0.0.2", 0)) as sock:
                        sock.sendall(PRELOGIN + LOGIN)
                        heard = b""
                        while b"M\0i\0c\0r\0o" not in heard:  # of the program's name, which who is let in is told
                            more = sock.recv(4096)
                            assert more, "the login was refused"
                            heard += more
                    assert inside.batch("SELECT 1")[1] == ("row", (1,))
                    assert len(refused) < 36
                finally:
                    penalty.is_over.set()
            for one in guesses:
                one.result()
            assert refused == [18456] * 48
