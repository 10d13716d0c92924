"""Listeners that are slow, gone, or fail: whoever causes events never waits, memory stays bounded, and what is
lost is counted, through both doors."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import PATIENCE, SA_PASSWORD, address_of_tds

import sbql
from sbql.engine.error_log import ErrorLog, LogRecord
from sbql.engine.event_queue import MOST_EVENTS, EventQueue
from sbql.engine.instance import Instance
from sbql.engine.outcomes import InfoMessage, Outcome
from sbql.engine.server import remote_listener
from sbql.engine.server.messages import PROTOCOL, pack, unpack
from sbql.engine.server.served_listener import ServedListener
from sbql.grammar.errors import SqlError

MORE = 17
BOTH = [{"log": True}, {"trace": []}]


@pytest.fixture
def connection() -> Iterator[sbql.Connection]:
    with sbql.connect() as found:
        yield found


def local(connection: sbql.Connection) -> Instance:
    assert isinstance(connection.instance, Instance)
    return connection.instance


def log(instance: Instance, number: int) -> None:
    instance.error_log.write(LogRecord(0.0, number, str(number), "test"))


@pytest.mark.parametrize(
    ("put", "most", "lost"), [(0, 3, []), (3, 3, [0, 0, 0]), (4, 3, [1, 0, 0]), (9, 3, [6, 0, 0]), (5, 1, [4])]
)
def test_a_queue_keeps_the_newest(put: int, most: int, lost: list[int]) -> None:
    woken: list[int] = []
    queue = EventQueue[int](lambda: woken.append(1), most)
    for number in range(put):
        queue.put(number)
    assert len(queue) == min(put, most) and len(woken) == put
    taken = list(queue.take())
    assert [count for count, _ in taken] == lost
    assert [number for _, number in taken] == list(range(max(0, put - most), put))
    queue.put(100)
    assert list(queue.take()) == [(0, 100)]


class Held:
    """A send that waits, from the second message on, until it is let go."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self.is_in, self.may_go = threading.Event(), threading.Event()

    def __call__(self, message: bytes) -> None:
        self.sent.append(unpack(message))
        if len(self.sent) > 1:
            self.is_in.set()
            assert self.may_go.wait(PATIENCE)


def test_a_client_of_our_protocol_that_does_not_read(connection: sbql.Connection) -> None:
    instance, held = local(connection), Held()
    listener = ServedListener("a", instance, {"log": True}, held)
    listener.greet()
    thread = threading.Thread(target=listener.handle, args=(b"",))
    thread.start()
    log(instance, 0)
    assert held.is_in.wait(PATIENCE)
    for number in range(1, MOST_EVENTS + MORE + 1):
        log(instance, number)
    assert len(listener._events) == MOST_EVENTS
    held.may_go.set()
    listener.end()
    thread.join(PATIENCE)
    assert held.sent[2] == ["lost", MORE]
    assert [message[2] for message in held.sent[3:-1]] == list(range(MORE + 1, MOST_EVENTS + MORE + 1))
    assert held.sent[-1] == ["ended"]


def test_a_client_of_sp_sbql_listen_that_does_not_read(connection: sbql.Connection) -> None:
    instance, is_in, may_go, said = local(connection), threading.Event(), threading.Event(), []
    before = list(instance.error_log._listeners)

    def sink(outcome: Outcome) -> None:
        assert isinstance(outcome, InfoMessage)
        said.append(json.loads(outcome.text))
        if len(said) == 1:
            log(instance, 0)
            return
        is_in.set()
        assert may_go.wait(PATIENCE)
        if said[-1].get("log", [0, 0])[1] == MOST_EVENTS + MORE:
            raise StopAsyncIteration

    def listen() -> None:
        with sbql.connect(instance=instance) as other, pytest.raises(StopAsyncIteration):
            other.run("EXEC sys.sp_sbql_listen @to = 'errorlog'", sink=sink)

    thread = threading.Thread(target=listen)
    thread.start()
    assert is_in.wait(PATIENCE)
    for number in range(1, MOST_EVENTS + MORE + 1):
        log(instance, number)
    may_go.set()
    thread.join(PATIENCE)
    assert said[2] == {"lost": MORE} and said[3]["log"][1] == MORE + 1
    assert instance.error_log._listeners == before


@pytest.mark.parametrize("asked", BOTH, ids=lambda asked: next(iter(asked)))
def test_who_cannot_be_told_that_it_listens_does_not(connection: sbql.Connection, asked: dict[str, Any]) -> None:
    instance = local(connection)
    before = list(instance.error_log._listeners)

    def send(message: bytes) -> None:
        raise OSError("gone")

    with sbql.serve(connection) as owner:
        with pytest.raises(OSError, match="gone"):
            owner.open_session("sa", pack({"protocol": PROTOCOL, "listens": asked}), send)
        assert [one for one in owner._listeners if not one.is_closed] == []
    assert instance.broker.trace is None and instance.error_log._listeners == before


@pytest.fixture(params=["served", "served-tds"])
def served(request: pytest.FixtureRequest) -> Iterator[tuple[Any, sbql.Connection]]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD) as owner:
        where: dict[str, Any] = {"endpoint": owner.endpoint.url, "token": owner.endpoint.token}
        if request.param == "served-tds":
            where = {"server": address_of_tds(owner), "user": "sa", "password": SA_PASSWORD}
        with sbql.connect(**where) as found:
            yield owner, found


def test_a_sink_that_raises_far_away_is_dropped_and_said(served: tuple[Any, sbql.Connection]) -> None:
    owner, connection = served
    told: SimpleQueue[str] = SimpleQueue()
    heard = []
    owner.instance.error_log.listen(lambda record: told.put(record.text))

    def sink(event: Any) -> None:
        heard.append(event)
        raise ZeroDivisionError("mine 100 %s")

    stop = connection.trace(sink)
    for _ in range(3):
        connection.execute("USE tempdb; CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT])")
        connection.execute(
            "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF"
        )
        connection.execute("DROP SERVICE S; DROP QUEUE Q")
    while "is dropped" not in (text := told.get(timeout=PATIENCE)):
        pass
    assert "ZeroDivisionError('mine 100 %s')" in text
    stop()
    assert len(heard) == 1
    assert owner.instance.broker.trace is None


SENDS = """DECLARE @i int = 0, @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF
WHILE @i < {} BEGIN SEND ON CONVERSATION @h (N'x'); SET @i += 1 END"""


@pytest.mark.parametrize("count", [1, 40])
@pytest.mark.parametrize("pause", [0.0, 0.005])
@pytest.mark.parametrize("by_closing", [False, True])
def test_what_has_arisen_is_heard_before_the_end(
    served: tuple[Any, sbql.Connection], monkeypatch: pytest.MonkeyPatch, by_closing: bool, pause: float, count: int
) -> None:
    """Also by a sink that takes longer for all of it than somebody waits who hears nothing."""
    owner, connection = served
    monkeypatch.setattr(remote_listener, "_LAST_WORDS", 0.2)
    connection.execute("USE tempdb; CREATE QUEUE Q; CREATE SERVICE S ON QUEUE Q ([DEFAULT])")
    there: list[Any] = []
    here: list[Any] = []

    def sink(event: Any) -> None:
        time.sleep(pause)
        here.append(event)

    owner.instance.trace(there.append)
    stop = connection.trace(sink)
    connection.execute(SENDS.format(count))
    (connection.close if by_closing else stop)()
    assert len(here) == len(there) > 2 * count
    if by_closing:
        return
    connection.execute(SENDS.format(1))
    assert len(here) < len(there)
    stop()
    assert connection.instance._stops == [], "nothing is kept of a listener that has been stopped"


@pytest.mark.parametrize(("login", "number"), [("A", 0), ("B", 0), ("sa", 0), ("C", 6102)])
def test_who_may_end_the_listening_of_a_session(connection: sbql.Connection, login: str, number: int) -> None:
    """Its own login, and who may end sessions."""
    for name in "ABC":
        connection.execute(f"CREATE LOGIN {name} WITH PASSWORD = 'Passw0rd!'")
    connection.execute("GRANT ALTER TRACE TO A; ALTER SERVER ROLE processadmin ADD MEMBER B")
    said: SimpleQueue[Any] = SimpleQueue()

    def say(outcome: Outcome) -> None:
        said.put(json.loads(outcome.text) if isinstance(outcome, InfoMessage) else outcome)

    listener = sbql.connect(instance=connection.instance, login="A")
    thread = threading.Thread(target=lambda: listener.run("EXEC sys.sp_sbql_listen", sink=say))
    thread.start()
    ends = f"EXEC sys.sp_sbql_listen @ends = {said.get(timeout=PATIENCE)['session']}"
    with sbql.connect(instance=connection.instance, login=login) as other:
        if number:
            with pytest.raises(sbql.Error) as raised:
                other.execute(ends)
            assert raised.value.number == number and thread.is_alive()
            connection.execute(ends)
        else:
            other.execute(ends)
        thread.join(PATIENCE)
        assert not thread.is_alive()
        other.execute(f"{ends}; EXEC sys.sp_sbql_listen @ends = 32000")
    listener.close()


@pytest.mark.parametrize("asked", BOTH, ids=lambda asked: next(iter(asked)))
def test_who_is_told_that_it_listens_may_end_it_at_once(connection: sbql.Connection, asked: dict[str, Any]) -> None:
    """Or its `stop` would wait for an end that never comes."""
    with sbql.serve(connection) as owner:
        said: list[Any] = []

        def send(message: bytes) -> None:
            said.append(unpack(message))
            if said[-1][0] == "opened":
                owner.act("sa", "unlisten", pack({"listener": said[-1][1]["name"]}))

        listener = owner.open_session("sa", pack({"protocol": PROTOCOL, "listens": asked}), send)
        listener.handle(b"")
        assert [message[0] for message in said] == ["opened", "ended"]
        listener.close()


@pytest.mark.parametrize("listens", [None, *BOTH], ids=["session", "log", "trace"])
def test_who_comes_while_the_server_ends_is_refused(connection: sbql.Connection, listens: Any, monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    """Later than the first look, too: nobody would end it."""
    owner = sbql.serve(connection)
    let_in, trace, listen = Instance.let_in, Instance.trace, ErrorLog.listen

    def ends(call: Any) -> Any:
        def then(*what: Any, **how: Any) -> Any:
            owner.stop(0)
            return call(*what, **how)

        return then

    monkeypatch.setattr(Instance, "let_in", ends(let_in))
    monkeypatch.setattr(Instance, "trace", ends(trace))
    monkeypatch.setattr(ErrorLog, "listen", ends(listen))
    before = set(local(connection).sessions)
    asked = {"protocol": PROTOCOL} | ({} if listens is None else {"listens": listens})
    with pytest.raises(SqlError) as raised:
        owner.open_session("sa", pack(asked), lambda message: None)
    assert raised.value.number == 6005
    assert set(local(connection).sessions) == before and local(connection).broker.trace is None
    assert owner._sessions == {} and owner._listeners == set()
