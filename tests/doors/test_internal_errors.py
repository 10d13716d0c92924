"""A bug is error 3624 at every door, and what its text says is true there: of the statement, of the transaction, and of
the session nothing, for each door sees to that itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import WireClient, of

import sbql
from sbql.engine import last_resort
from sbql.engine.server.owner import Server

PASSWORD = "Pässwörd-ж漢1"
UNDONE = "The statement was undone, and an open transaction was rolled back."


@pytest.fixture
def served() -> Iterator[Server]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        yield server


@pytest.fixture(autouse=True)
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """PRINT has a bug."""

    def bug(*_: object, **__: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr("sbql.engine.batch.messages.InfoMessage", bug)


def says(text: str) -> bool:
    return "KeyError" in text and UNDONE in text and "session" not in text


def there(server: Server) -> list[Any]:
    with sbql.connect(instance=server.instance, database="tempdb") as connection:
        return list(connection.execute("SELECT n FROM t").fetchall())


LAST = "BEGIN TRAN; INSERT t VALUES (2); PRINT 1"


@pytest.mark.parametrize("way", ["in the process", "served"])
def test_the_session_goes_on(served: Server, way: str) -> None:
    how: dict[str, Any] = (
        {"instance": served.instance}
        if way == "in the process"
        else {"endpoint": served.endpoint.url, "token": served.endpoint.token}
    )
    with sbql.connect(database="tempdb", autocommit=True, **how) as connection:
        connection.execute("CREATE TABLE t (n int); INSERT t VALUES (1)")
        spid = connection.execute("SELECT @@SPID").fetchall()
        with pytest.raises(sbql.Error) as caught:
            connection.execute(LAST)
        assert caught.value.number == 3624 and says(str(caught.value))
        assert connection.execute("SELECT @@SPID").fetchall() == spid
        assert connection.execute("SELECT @@TRANCOUNT").fetchall() == [(0,)]
        assert there(served) == [(1,)]


def test_a_connection_of_tds_ends(served: Server) -> None:
    with WireClient(served.endpoints[1].port, password=PASSWORD) as client:
        client.batch("USE tempdb; CREATE TABLE t (n int); INSERT t VALUES (1)")
        (error,) = of("error", client.batch(LAST))
        assert error[:2] == (3624, 20) and says(str(error))
        with pytest.raises(ConnectionError):
            client.message()
    assert there(served) == [(1,)]


def test_outside_of_a_statement_nothing_is_said_to_be_undone() -> None:
    error = last_resort.unexpected_error(KeyError("x"))
    assert error.number == 3624 and "undone" not in error.message and "session" not in error.message
