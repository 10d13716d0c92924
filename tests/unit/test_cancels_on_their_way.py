"""A client's cancel goes to the request that it was meant for: also when it is there before it, between its arrival and
its beginning, or late, when the next one runs."""

from __future__ import annotations

import linecache
import sys
import threading
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from types import FrameType
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import PATIENCE, SA_PASSWORD, address_of_tds

import sbql
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.server.flight_client import FlightStream
from sbql.engine.server.messages import PROTOCOL, error_from, pack, unpack
from sbql.engine.server.owner import Server
from sbql.engine.server.remote_session import RemoteSession
from sbql.engine.server.served_session import ServedSession
from sbql.engine.server.tds_client import TdsConnection
from sbql.engine.server.tds_session import TdsSession

ENDLESS = {
    "delay": "WAITFOR DELAY '01:00'",
    "loop": "DECLARE @i int = 0; WHILE 1 = 1 SET @i += 1",
    "query": "SELECT COUNT_BIG(*) FROM GENERATE_SERIES(1, 100000) a CROSS JOIN GENERATE_SERIES(1, 1000000) b WHERE (a.value * CAST(b.value AS bigint)) % 7 = 3",
}


class Client:
    """What a door makes of one session, without a network."""

    def __init__(self, owner: Server) -> None:
        self.owner, self.said = owner, SimpleQueue[list[Any]]()
        asked = pack({"protocol": PROTOCOL})
        found = owner.open_session("sa", asked, lambda message: self.said.put(unpack(message)))
        assert isinstance(found, ServedSession)
        self.session = found
        self.said.get()

    def asks(self, text: str) -> list[Any]:
        """Numbers of errors, and values, in a thread of its own, for it may take for ever."""
        threading.Thread(target=self.session.handle, args=(pack(["batch", text, {}]),), daemon=True).start()
        found: list[Any] = []
        while (message := self.said.get(timeout=PATIENCE))[0] != "end":
            if message[0] == "error":
                found.append(error_from(message[1]).number)
            elif message[0] != "message":
                found.append(message)
        return found

    def cancel(self, request: int) -> None:
        self.owner.act("sa", "cancel", pack({"session": self.session.name, "request": request}))


@pytest.fixture(params=["system", "auto"])
def client(request: pytest.FixtureRequest) -> Iterator[Client]:
    with sbql.serve(clock=request.param) as owner:
        found = Client(owner)
        yield found
        found.session.close()


@pytest.mark.parametrize("name", ENDLESS)
def test_a_cancel_that_is_there_first(client: Client, name: str) -> None:
    client.cancel(1)
    assert client.asks(ENDLESS[name]) == [3617]
    assert len(client.asks("SELECT 1")) == len(client.asks("SELECT 1")) != 0


@pytest.mark.parametrize("name", ENDLESS)
def test_a_cancel_between_arrival_and_beginning(client: Client, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    run = ServedSession.run

    def begins(session: ServedSession, *how: Any) -> None:
        client.cancel(1)
        run(session, *how)

    monkeypatch.setattr(ServedSession, "run", begins)
    assert client.asks(ENDLESS[name]) == [3617]
    assert 3617 not in client.asks("SELECT 1")


def test_a_cancel_that_is_late(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the next request, while it begins, and while it runs."""
    once = client.asks("SELECT 1")
    client.cancel(1)
    assert client.asks("SELECT 1") == once
    show = ServedSession._show

    def shows(session: ServedSession, outcome: Any) -> None:
        client.cancel(2)
        show(session, outcome)

    monkeypatch.setattr(ServedSession, "_show", shows)
    assert client.asks("PRINT 'begun'; SELECT 1")[-len(once) :] == once
    client.cancel(0)
    assert client.asks("SELECT 1") == once


Session = RemoteSession | TdsSession


@pytest.fixture(params=["served", "served-tds"])
def connection(request: pytest.FixtureRequest) -> Iterator[sbql.Connection]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD) as owner:
        where: dict[str, Any] = {"endpoint": owner.endpoint.url, "token": owner.endpoint.token}
        if request.param == "served-tds":
            where = {"server": address_of_tds(owner), "user": "sa", "password": SA_PASSWORD}
        with sbql.connect(**where) as found:
            yield found


@pytest.fixture
def session(connection: sbql.Connection) -> Session:
    return new_session(connection)


def new_session(connection: sbql.Connection) -> Session:
    found = connection.instance.connect()
    assert isinstance(found, Session)
    return found


def answer(session: Session, text: str) -> list[Any]:
    """In a thread of its own: if the cancel is lost, it comes never."""
    found: SimpleQueue[list[Any]] = SimpleQueue()
    threading.Thread(target=lambda: found.put(list(session.run(text))), daemon=True).start()
    outcomes = found.get(timeout=PATIENCE)
    return [one.error.number if isinstance(one, ErrorOutcome) else one.rows for one in outcomes if isinstance(one, ErrorOutcome | ResultSet)]  # fmt: skip


@pytest.mark.parametrize("name", ENDLESS)
@pytest.mark.parametrize("moment", ["before", "behind"])
def test_a_cancel_while_the_request_is_sent(session: Session, name: str, moment: str, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    def sending(send: Callable[..., None]) -> Callable[..., None]:
        def sends(way: Any, *what: Any) -> None:
            if moment == "before":
                session.cancel()
            send(way, *what)
            if moment == "behind":
                session.cancel()

        return sends

    with monkeypatch.context() as patch:
        patch.setattr(FlightStream, "send", sending(FlightStream.send))
        patch.setattr(TdsConnection, "send", sending(TdsConnection.send))
        assert answer(session, ENDLESS[name]) == [3617]
    assert [answer(session, f"SELECT {n}") for n in range(3)] == [[[(n,)]] for n in range(3)]


def test_a_cancel_when_nothing_is_asked_stops_nothing(session: Session) -> None:
    for n in range(3):
        session.cancel()
        assert answer(session, f"SELECT {n}") == [[(n,)]]


PLACES = ["_ask", "_hear", "_is_over"]


class Interrupting:
    """Ctrl-C at the n-th line that the session's own code comes to. The line of a `with` is that of its end, too:
    raised there, a lock would be kept, as no signal does it."""

    def __init__(self, moment: int, code: set[Any]) -> None:
        self.left, self.code = moment, code

    def __call__(self, frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code not in self.code:
            return None
        if event == "line" and not linecache.getline(frame.f_code.co_filename, frame.f_lineno).lstrip().startswith(
            "with "
        ):
            self.left -= 1
            if self.left == 0:
                raise KeyboardInterrupt
        return self


def test_ctrl_c_at_any_line_leaves_no_answer_for_the_next_request(connection: sbql.Connection) -> None:
    """The session goes on, or has ended."""
    for moment in range(1, 80):
        session = new_session(connection)
        code = {getattr(type(session), name).__code__ for name in PLACES if hasattr(type(session), name)}
        interrupting = Interrupting(moment, code)
        sys.settrace(interrupting)
        try:
            session.run(f"SELECT 'interrupted {moment}'")
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(None)
        if session._busy.locked():
            session._busy.release()  # it was in the line that does so itself
        if not session.is_ended:
            assert answer(session, f"SELECT {moment}") == [[(moment,)]]
        session.close()
        if interrupting.left > 0:
            return
    raise AssertionError("it never came to its end")
