"""What ends a session is said to its client before the connection is closed, however late the answer is."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import HEADERS, WireClient, of, rpc

import sbql
from sbql.engine.server.owner import Server
from sbql.engine.server.tds_answer import Answer
from sbql.engine.server.tds_connection import Connection

PASSWORD = "Secret-1234"
PATIENCE = 30.0
SHUT = "CREATE TRIGGER Shut ON ALL SERVER FOR LOGON AS IF ORIGINAL_LOGIN() = 'Ann' ROLLBACK"


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        run(server, f"CREATE LOGIN Ann WITH PASSWORD = '{PASSWORD}'; ALTER SERVER ROLE sysadmin ADD MEMBER Ann")
        yield server


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watcher looks after every connection before an answer's last packet goes out."""
    connections: list[Connection] = []
    serve, end = Connection.serve, Answer.end

    def served(connection: Connection) -> None:
        connections.append(connection)
        serve(connection)

    def ended(answer: Answer) -> None:
        for connection in connections:
            connection.look()
        end(answer)

    monkeypatch.setattr(Connection, "serve", served)
    monkeypatch.setattr(Answer, "end", ended)


def run(server: Server, text: str) -> None:
    session = server.instance.connect()
    try:
        session.run(text)
    finally:
        session.close()


def kill_when_it_waits(server: Server, spid: int) -> None:
    end = time.monotonic() + PATIENCE
    while not server.instance.sessions[spid].is_running:
        assert time.monotonic() < end
        time.sleep(0.001)
    run(server, f"KILL {spid}")


@pytest.mark.usefixtures("watched")
@pytest.mark.parametrize("how", ["severity 20", "refused reset", "refused reset by call", "killed"])
def test_the_error_comes_first(server: Server, how: str) -> None:
    with WireClient(server.endpoints[1].port, user="Ann", password=PASSWORD) as client:
        ((spid,),) = of("row", client.batch("SELECT CAST(@@SPID AS int)"))[0]
        if how == "severity 20":
            answer, numbers = client.batch("RAISERROR('no more', 20, 1) WITH LOG"), [2745, 50000, 596]
        elif how == "killed":
            killer = threading.Thread(target=kill_when_it_waits, args=(server, spid))
            killer.start()
            answer, numbers = client.batch("WAITFOR DELAY '01:00'"), [596]
            killer.join()
        else:
            run(server, SHUT)
            numbers = [17892]
            if how == "refused reset":
                answer = client.batch("SELECT 'not run'", status=8)
            else:
                client.send(3, HEADERS + rpc("sp_reset_connection"))
                answer = client.answer()
            run(server, "DROP TRIGGER Shut ON ALL SERVER")
        assert [error[0] for error in of("error", answer)] == numbers
        assert not of("row", answer)
        with pytest.raises(ConnectionError):
            client.batch("SELECT 1")
