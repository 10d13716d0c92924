"""Whoever connects to a store that another process serves is its client: the driver, the command line,
the prompt; and whose time it is."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import ServerProcess, line_of, served_connection, server

import sbql
from sbql.engine.instance import Instance
from sbql.engine.outcomes import InfoMessage, Outcome, ResultSet
from sbql.engine.server.client import client_at, client_of_store
from sbql.engine.server.messages import PROTOCOL, pack, unpack
from sbql.engine.server.remote_instance import RemoteInstance
from sbql.repl.cli import main
from sbql.repl.known_names import KnownNames
from sbql.repl.side_session import SideSession
from sbql.repl.suggestions import suggest

START = dt.datetime(2026, 1, 1)


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    folder = tmp_path_factory.mktemp("clients")
    tokens = folder / "tokens"
    tokens.write_text("# name login token\nreader  Reader  0123456789abcdef0123\n")
    tokens.chmod(0o600)
    with server("--store", folder / "s.duckdb", "--tokens", tokens) as found:
        with sbql.connect(found.store) as connection:
            connection.execute("CREATE DATABASE Shop; CREATE LOGIN Reader WITH PASSWORD = 'x'")
            connection.execute("USE Shop")
            connection.execute("CREATE USER Reader; CREATE TABLE Orders (Number int, Buyer nvarchar(20))")
            connection.execute("CREATE PROCEDURE Twice @n int, @twice int OUTPUT AS SET @twice = @n * 2; RETURN 7")
        yield found


@pytest.fixture
def shop(owner: ServerProcess) -> Iterator[sbql.Connection]:
    with sbql.connect(owner.store, "Shop") as connection:
        yield connection


def reached(owner: sbql.Server) -> sbql.Connection:
    return sbql.connect(endpoint=owner.endpoint.url, token=owner.endpoint.token)


def moment(connection: sbql.Connection) -> dt.datetime:
    row = connection.execute("SELECT SYSUTCDATETIME()").fetchone()
    assert row is not None
    found: dt.datetime = row[0]
    return found


# --- a store that is open elsewhere ------------------------------------------------------------------------


def test_connecting_to_an_open_store_is_being_its_client(owner: ServerProcess, shop: sbql.Connection) -> None:
    assert isinstance(shop.instance, RemoteInstance) and shop.instance.facts.pid == owner.pid
    with sbql.connect(owner.store, "Shop") as second:
        assert second.instance is shop.instance and second.session.spid != shop.session.spid
        shop.execute("INSERT Orders VALUES (1, N'Ada')")
        assert second.execute("SELECT Buyer FROM Orders WHERE Number = ?", [1]).fetchall() == [("Ada",)]
        second.execute("DELETE Orders")
    with pytest.raises(sbql.OperationalError, match="clock='system'"):
        sbql.connect(owner.store, clock="virtual")
    with pytest.raises(sbql.OperationalError, match="serves the store already"):
        sbql.serve(owner.store)


def test_output_parameters_come_back(shop: sbql.Connection) -> None:
    cursor = shop.cursor()
    assert cursor.callproc("Twice", [21, 0]) == [21, 42]
    assert cursor.return_value == 7


def test_a_batch_is_cancelled_from_another_thread(shop: sbql.Connection) -> None:
    said, results = threading.Event(), list[Outcome]()
    text = "PRINT 'runs'; WAITFOR DELAY '10:00:00'"
    thread = threading.Thread(target=lambda: results.extend(shop.run(text, sink=lambda outcome: said.set())))
    thread.start()
    assert said.wait(60)
    shop.cancel()
    thread.join()
    assert str(results[-1]).count("cancelled") == 1
    assert shop.execute("SELECT 1").fetchone() == (1,)


def test_trace_events_and_log_lines_come_to_the_client(shop: sbql.Connection) -> None:
    heard: SimpleQueue[Any] = SimpleQueue()
    stop = shop.trace(heard.put, "Broker:Conversation")
    assert isinstance(shop.instance, RemoteInstance)
    stop_log = shop.instance.listen_log(heard.put)
    shop.execute("CREATE QUEUE tq; CREATE SERVICE ts ON QUEUE tq ([DEFAULT])")
    shop.execute(
        "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE ts TO SERVICE 'ts' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (0x01)"
    )
    assert heard.get(timeout=60).event_class == "Broker:Conversation"
    stop()
    shop.execute("RAISERROR('kept', 10, 1) WITH LOG")
    while not hasattr(found := heard.get(timeout=60), "source"):
        pass
    assert "kept" in found.text
    stop_log()
    with pytest.raises(sbql.InterfaceError, match="event class"):
        shop.trace(heard.put, "Broker:Nothing")


def test_who_stops_listening_has_heard_all_that_came_before(shop: sbql.Connection) -> None:
    heard, logged, may_hear = list[Any](), list[Any](), threading.Event()
    assert isinstance(shop.instance, RemoteInstance)

    def hear(event: Any) -> None:
        may_hear.wait()
        heard.append(event)

    shop.execute("CREATE QUEUE hq; CREATE SERVICE hs ON QUEUE hq ([DEFAULT])")
    stops = [shop.trace(hear, "Broker:Conversation"), shop.instance.listen_log(logged.append)]
    shop.execute("""DECLARE @h uniqueidentifier, @n int = 0;
        WHILE @n < 300
        BEGIN
            BEGIN DIALOG @h FROM SERVICE hs TO SERVICE 'hs' WITH ENCRYPTION = OFF;
            RAISERROR('line %d', 10, 1, @n) WITH LOG;
            SET @n += 1
        END""")
    threading.Timer(0.2, may_hear.set).start()  # a client that is slow to hear
    for stop in stops:
        stop()
    assert [event.subclass for event in heard].count("BEGIN DIALOG") == 300
    assert [line for line in (record.text for record in logged) if "line 299" in line]
    shop.execute("DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE hs TO SERVICE 'hs' WITH ENCRYPTION = OFF")
    assert len([event for event in heard if event.subclass == "BEGIN DIALOG"]) == 300


def test_completion_knows_the_names_of_the_server(shop: sbql.Connection) -> None:
    aside = SideSession(shop.instance)
    offered = suggest("SELECT Buy FROM Orders", len("SELECT Buy"), KnownNames(aside).of("Shop"))
    assert [(offer.text, offer.length) for offer in offered] == [("Buyer", 3)]
    aside.close()


def test_the_command_line_is_a_client_too(
    owner: ServerProcess, shop: sbql.Connection, capfd: pytest.CaptureFixture[str]
) -> None:
    shop.execute("INSERT Orders VALUES (5, N'Bo')")
    assert (
        main(
            [
                "--store",
                owner.store,
                "-d",
                "Shop",
                "-W",
                "-h",
                "-1",
                "-Q",
                "SET NOCOUNT ON; DELETE Orders OUTPUT deleted.Buyer",
            ]
        )
        == 0
    )
    said = capfd.readouterr()
    assert (said.out, said.err) == ("Bo\n", "")
    assert shop.execute("SELECT COUNT(*) FROM Orders").fetchone() == (0,)
    for option in (["--errorlog", "e.log"], ["--drop-if-exists"], ["--clock", "virtual"]):
        assert main(["--store", owner.store, *option, "-Q", "SELECT 1"]) == 1
        assert "give it to sbql serve" in capfd.readouterr().err


def test_a_store_whose_owner_was_killed_is_opened_here(tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    with server("--store", store) as owner:
        connection = sbql.connect(store)
        connection.execute("CREATE TABLE t (n int); INSERT t VALUES (1)")
        connection.execute("BEGIN TRAN; INSERT t VALUES (2)")
        owner.kill()
        with pytest.raises(sbql.OperationalError) as raised:
            connection.execute("SELECT 1")
        assert raised.value.number == 10054
        with sbql.connect(store) as again:
            assert isinstance(again.instance, Instance)
            assert again.execute("SELECT n FROM t").fetchall() == [(1,)]
        connection.close()


def test_a_restarted_owner_is_found_by_the_next_connection(tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    with server("--store", store) as first:
        lost = sbql.connect(store)
        lost.execute("CREATE TABLE t (n int)")
        first.kill()
    with server("--store", store) as second:
        with sbql.connect(store) as connection:
            assert isinstance(connection.instance, RemoteInstance) and connection.instance.facts.pid == second.pid
            assert connection.execute("SELECT COUNT(*) FROM t").fetchone() == (0,)
        with pytest.raises(sbql.OperationalError):
            lost.execute("SELECT 1")
        lost.close()


# --- who comes ---------------------------------------------------------------------------------------------


def test_a_token_means_a_login(owner: ServerProcess) -> None:
    """Permissions are those of the login, and it cannot be another one."""
    with sbql.connect(endpoint=owner.url, token="0123456789abcdef0123") as connection:
        assert connection.execute("SELECT SUSER_SNAME()").fetchone() == ("Reader",)
        connection.execute("USE Shop")
        with pytest.raises(sbql.DatabaseError) as raised:
            connection.execute("SELECT * FROM Orders")
        assert raised.value.number == 229
        with pytest.raises(sbql.ProgrammingError) as refused:
            connection.trace(print)
        assert refused.value.number == 15003
    with pytest.raises(sbql.OperationalError) as raised_too:
        sbql.connect(endpoint=owner.url, token="0123456789abcdef0123", login="sa")
    assert raised_too.value.number == 18456
    with pytest.raises(sbql.OperationalError, match="does not know this token"):
        sbql.connect(endpoint=owner.url, token="0123456789abcdef0124")
    with sbql.connect(owner.store, login="Reader") as connection:  # a sysadmin's token
        assert connection.execute("SELECT SUSER_SNAME()").fetchone() == ("Reader",)
    with pytest.raises(sbql.OperationalError) as unknown:
        sbql.connect(owner.store, login="Nobody")
    assert unknown.value.number == 18456


def test_other_machines_come_over_tls_with_a_token(tmp_path: Path) -> None:
    """A client that knows the made certificate is let in; one that does not, and one that
    does not encrypt, get no further."""
    store, tokens = tmp_path / "s.duckdb", tmp_path / "tokens"
    tokens.write_text("far sa 0123456789abcdef9999")
    tokens.chmod(0o600)
    with server("--store", store, "--host", "0.0.0.0", "--tls", "--tokens", tokens) as owner:
        port = owner.url.rpartition(":")[2]
        assert owner.url == f"grpc+tls://0.0.0.0:{port}"
        assert owner.process.stderr is not None and "certificate.pem" in line_of(owner.process.stderr)
        far = {"endpoint": f"grpc+tls://localhost:{port}", "token": "0123456789abcdef9999"}
        certificate = tmp_path / "s.duckdb.certificate.pem"
        with sbql.connect(**far, certificate=certificate) as connection:
            assert connection.execute("SELECT SUSER_SNAME()").fetchone() == ("sa",)
        with sbql.connect(store) as connection:  # by the endpoint file
            assert connection.execute("SELECT 1").fetchone() == (1,)
        with pytest.raises(sbql.OperationalError):
            sbql.connect(**far)
        with pytest.raises(sbql.OperationalError):
            sbql.connect(endpoint=f"grpc://localhost:{port}", token="0123456789abcdef9999")


@pytest.mark.parametrize(
    ("request_", "number"),
    [
        ({"protocol": PROTOCOL + 1, "database": "master"}, 4002),
        ({"protocol": PROTOCOL, "database": "nowhere"}, 911),
        ([1, 2], 4002),
        (5, 4002),
    ],
)
def test_a_session_that_cannot_be_is_refused_with_its_number(owner: ServerProcess, request_: Any, number: int) -> None:
    client = client_of_store(owner.store)
    assert client is not None
    stream = client._transport.open(pack(request_))
    kind, error = unpack(stream.receive() or b"")
    assert (kind, error["number"]) == ("refused", number)
    stream.finish()


@pytest.mark.parametrize("name", ["call", "read", "write"])
def test_operations_that_are_not_there_name_those_that_are(owner: ServerProcess, name: str) -> None:
    import pyarrow as pa

    client = client_of_store(owner.store)
    assert client is not None
    arguments = [{}, pa.table({"a": [1]})] if name == "write" else []
    with pytest.raises(sbql.SqlError, match="no operation 'nothing'") as raised:
        getattr(client, name)("nothing", *arguments)
    assert raised.value.number == 4002


# --- whose time it is --------------------------------------------------------------------------------------


def test_a_virtual_clock_is_moved_by_the_server(tmp_path: Path) -> None:
    """A wait of a client is never hopeless, and ends when somebody moves the clock: each thing at its moment."""
    with sbql.serve(clock="virtual") as owner, reached(owner) as waiting, reached(owner) as other:
        said, results = threading.Event(), list[Outcome]()
        text = "PRINT 'waits'; WAITFOR DELAY '00:10:00'; SELECT SYSUTCDATETIME()"
        thread = threading.Thread(target=lambda: results.extend(waiting.run(text, sink=lambda outcome: said.set())))
        thread.start()
        assert said.wait(60)
        assert moment(other) == START
        owner.advance(599)
        assert moment(other) == START + dt.timedelta(seconds=599)
        assert [type(outcome) for outcome in results] == []
        other.execute("EXEC sys.sp_sbql_advance_clock '00:00:02'")
        thread.join(60)
        (shown,) = [outcome.rows for outcome in results if isinstance(outcome, ResultSet)]
        assert shown == [(START + dt.timedelta(seconds=600),)]
        other.advance(dt.timedelta(hours=1))
        assert moment(other) == START + dt.timedelta(seconds=601 + 3600)
        other.settle()
        assert other.wait_idle(1)


def test_a_clock_that_moves_by_itself_waits_for_nobody() -> None:
    with served_connection() as connection:
        connection.execute("WAITFOR DELAY '10:00:00'")
        assert moment(connection) == START + dt.timedelta(hours=10)


@pytest.mark.parametrize("clock", ["virtual", "auto"])
def test_a_wait_without_an_end_waits_for_the_next_client(clock: Any) -> None:
    """In a process alone nothing could ever end it, and it would be an error at once."""
    with sbql.serve(clock=clock) as owner, reached(owner) as waiting, reached(owner) as other:
        other.execute("USE msdb; CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])")
        said, results = threading.Event(), list[Outcome]()
        text = "USE msdb; PRINT 'waits'; WAITFOR (RECEIVE CAST(message_body AS nvarchar(9)) FROM q)"
        thread = threading.Thread(target=lambda: results.extend(waiting.run(text, sink=lambda outcome: said.set())))
        thread.start()
        assert said.wait(60)
        owner.advance(3600)
        assert other.execute(
            "SELECT COUNT(*) FROM sys.dm_exec_requests WHERE wait_type = 'BROKER_RECEIVE_WAITFOR'"
        ).fetchall() == [(1,)]
        other.execute(
            "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'news')"
        )
        thread.join(60)
        assert [outcome.rows for outcome in results if isinstance(outcome, ResultSet)] == [[("news",)]]


def test_a_connection_of_the_owner_hands_over_to_the_loop() -> None:
    """The program that serves its own virtual instance uses it beside its clients; afterwards
    it drives the loop itself again."""
    with sbql.connect(clock="virtual") as connection:
        with sbql.serve(connection) as owner, reached(owner) as client:
            connection.execute("CREATE TABLE t (n int); INSERT t VALUES (1)")
            client.execute("BEGIN TRAN; UPDATE t SET n = 2")
            said: SimpleQueue[Outcome] = SimpleQueue()
            results: list[Outcome] = []
            text = "PRINT 'waits'; UPDATE t SET n = n + 5; SELECT n FROM t"
            thread = threading.Thread(target=lambda: results.extend(connection.run(text, sink=said.put)))
            thread.start()
            first = said.get(timeout=60)
            assert isinstance(first, InfoMessage)
            client.execute("COMMIT")
            thread.join(60)
            assert [outcome.rows for outcome in results if isinstance(outcome, ResultSet)] == [[(7,)]]
            connection.advance(60)
            assert moment(client) == START + dt.timedelta(seconds=60)
        connection.execute("WAITFOR DELAY '00:01:00'")
        assert moment(connection) == START + dt.timedelta(seconds=120)


def test_the_clients_of_a_process_are_one(owner: ServerProcess) -> None:
    first = client_of_store(owner.store)
    assert first is not None and client_of_store(owner.store) is first and client_at(first.endpoint) is first
