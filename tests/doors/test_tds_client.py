"""`sbql -S` and `sbql.connect(server=…)`: a client of TDS, beyond what the suites of the driver
and the command line show by it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import SA_PASSWORD, SBQL, address_of_tds, line_of, tds_connection

import sbql
from sbql.engine.broker.trace import TraceEvent
from sbql.engine.error_log import LogRecord
from sbql.engine.host import SystemHost
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, ResultSet
from sbql.engine.server.certificates import make_certificate
from sbql.engine.server.doors import Keys
from sbql.engine.server.owner import Server
from sbql.engine.server.tds_client import ServerAddress, TdsConnection, address_of_server
from sbql.engine.server.tds_setup import address_of, give_sa_password, tds_door
from sbql.engine.tds.packets import Kind, packets_of
from sbql.engine.tds.prelogin import ENCRYPT_ON, NO_ENCRYPTION, answer_to, read_prelogin
from sbql.grammar.errors import SqlError

DIALOG = """
CREATE QUEUE Q; CREATE SERVICE Asker ON QUEUE Q; CREATE SERVICE Answerer ON QUEUE Q ([DEFAULT])
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Asker TO SERVICE 'Answerer' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x')
DROP SERVICE Asker; DROP SERVICE Answerer; DROP QUEUE Q
"""


@pytest.fixture
def owner() -> Iterator[Any]:
    """A server that listens for TDS, and tempdb to work in."""
    with sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD) as found:
        yield found


@pytest.fixture
def listening(owner: Any) -> Iterator[sbql.Connection]:
    with sbql.connect(server=address_of_tds(owner), user="sa", password=SA_PASSWORD, database="tempdb") as found:
        yield found


@pytest.fixture
def connection() -> Iterator[sbql.Connection]:
    with tds_connection() as found:
        yield found


# --- where, who, and whose certificate ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("db1", ("db1", 1433)), ("db1,5000", ("db1", 5000)), ("tcp:db1,5000", ("db1", 5000)), (" . ", ("127.0.0.1", 1433)),
        ("(local),1", ("127.0.0.1", 1)), ("[::1],5000", ("::1", 5000)), ("TCP:LOCALHOST", ("127.0.0.1", 1433)),
    ],
)  # fmt: skip
def test_servers_are_named_as_for_sqlcmd(text: str, found: tuple[str, int]) -> None:
    assert address_of_server(text) == found


@pytest.mark.parametrize("text", ["", ",5", "a,", "a,b", "a,0", "a,65536", "a\\b", "np:a", "lpc:a", "admin:a"])
def test_what_is_no_server_says_how_one_is_written(text: str) -> None:
    with pytest.raises(SqlError, match=r"Write host,port"):
        address_of_server(text)


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, str]]:
    """A server with a certificate of its own: the port, and the certificate's file."""
    instance = sbql.connect()
    give_sa_password(instance.instance, SA_PASSWORD)  # type: ignore[arg-type]
    certificate, key = make_certificate(SystemHost(), ["localhost"])
    file = tmp_path_factory.mktemp("tls") / "server.pem"
    file.write_bytes(certificate)
    door = tds_door(address_of("127.0.0.1:0"), Keys({}, certificate, key), name="SBQL")
    with Server(instance.instance, [door], Keys(), pid=os.getpid()) as server:  # type: ignore[arg-type]
        yield server.endpoints[0].port, str(file)
    instance.close()


@pytest.mark.parametrize("encryption", ["optional", "mandatory", "strict"])
@pytest.mark.parametrize("believed", ["any", "this one"])
def test_what_is_encrypted(certified: tuple[int, str], encryption: Any, believed: str) -> None:
    port, file = certified
    how: dict[str, Any] = {"certificate": file} if believed == "this one" else {"trust_server_certificate": True}
    server = f"127.0.0.1,{port}"
    with sbql.connect(server=server, user="sa", password=SA_PASSWORD, encryption=encryption, **how) as connection:
        assert connection.execute("SELECT REPLICATE('x', 8000)").fetchall() == [("x" * 8000,)]


@pytest.mark.parametrize(
    ("encryption", "is_encrypted"), [("optional", "FALSE"), ("mandatory", "TRUE"), ("strict", "TRUE")]
)
def test_the_server_shows_who_is_connected_and_how(
    certified: tuple[int, str], encryption: Any, is_encrypted: str
) -> None:
    """What the client said of itself, what the socket knows, and the same of functions."""
    port, _ = certified
    with sbql.connect(
        server=f"127.0.0.1,{port}",
        user="sa",
        password=SA_PASSWORD,
        encryption=encryption,
        trust_server_certificate=True,
    ) as connection:
        sessions = connection.execute(
            "SELECT host_name, HOST_NAME(), program_name, APP_NAME(), host_process_id, HOST_ID(), client_version, client_interface_name, endpoint_id"
            " FROM sys.dm_exec_sessions WHERE session_id = @@SPID"
        ).fetchall()
        ways = connection.execute(
            "SELECT net_transport, encrypt_option, client_net_address, CONNECTIONPROPERTY('client_net_address'), local_tcp_port,"
            " CONNECTIONPROPERTY('local_tcp_port'), CASE WHEN client_tcp_port <> local_tcp_port THEN 'a port' END, net_packet_size, endpoint_id,"
            " CONNECTIONPROPERTY('net_transport') FROM sys.dm_exec_connections WHERE session_id = @@SPID"
        ).fetchall()
    host, process = socket.gethostname(), os.getpid()
    assert sessions == [(host, host, "sbql", "sbql", process, str(process).ljust(10), 7, "sbql", 4)]
    assert ways == [
        ("TCP", is_encrypted, "127.0.0.1", "127.0.0.1", port, port, "a port", 8000, 4, "TCP"),
    ]


@pytest.mark.parametrize("encryption", ["mandatory", "strict"])
def test_a_certificate_that_nobody_knows_is_not_believed(certified: tuple[int, str], encryption: Any) -> None:
    with pytest.raises(sbql.OperationalError, match=r"self-signed certificate. -C \(trust_server_certificate=True\)"):
        sbql.connect(server=f"127.0.0.1,{certified[0]}", user="sa", password=SA_PASSWORD, encryption=encryption)


def test_a_password_never_travels_openly_when_the_server_can_encrypt(certified: tuple[int, str]) -> None:
    """What passes between is looked at: with encryption optional, the login is encrypted all the same."""
    seen = bytearray()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def carry(source: socket.socket, target: socket.socket, notes: bool) -> None:
            while data := source.recv(65536):
                if notes:
                    seen.extend(data)
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

        def between() -> None:
            near, _ = listener.accept()
            far = socket.create_connection(("127.0.0.1", certified[0]))
            threading.Thread(target=carry, args=(far, near, False), daemon=True).start()
            carry(near, far, True)

        threading.Thread(target=between, daemon=True).start()
        with sbql.connect(
            server=f"127.0.0.1,{listener.getsockname()[1]}", user="sa", password=SA_PASSWORD
        ) as connection:
            connection.execute("SELECT 1 AS seen_openly")
    disguised = bytes([(b << 4 & 0xF0 | b >> 4) ^ 0xA5 for b in SA_PASSWORD.encode("utf-16-le")])
    assert disguised not in seen and "seen_openly".encode("utf-16-le") in seen


def test_a_server_without_a_certificate_cannot_encrypt() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            peer, _ = listener.accept()
            asked = peer.recv(4096)
            assert read_prelogin(asked[8:]).encryption == ENCRYPT_ON
            peer.sendall(
                packets_of(Kind.ANSWER, answer_to(read_prelogin(asked[8:]), NO_ENCRYPTION, (16, 0, 0)), 4096)[0]
            )
            peer.recv(4096)
            peer.close()

        threading.Thread(target=answer, daemon=True).start()
        address = ServerAddress("127.0.0.1", listener.getsockname()[1], "sa", "x", encryption="mandatory")
        with pytest.raises(SqlError, match="has no certificate"):
            TdsConnection(address)


def test_a_wrong_password_is_a_login_that_failed(connection: sbql.Connection) -> None:
    with pytest.raises(sbql.OperationalError, match="Login failed for user 'sa'"):
        sbql.connect(server=connection.instance.name, user="sa", password="no")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"server": "a,1", "endpoint": "grpc://a:1"}, "not both"), ({"user": "sa"}, "go with server"), ({"server": "a,1"}, "user is text, not None"),
        ({"server": "a,1", "user": "sa", "password": 1}, "password is text"), ({"server": "a,1", "user": "sa", "password": "x" * 200}, "128 at most"),
        ({"server": "127.0.0.1,1", "user": "a", "password": "b", "encryption": "some"}, "one of optional, mandatory, strict"),
        ({"server": "127.0.0.1,1", "user": "a", "password": "b"}, "No server answers at 127.0.0.1,1"),
    ],
)  # fmt: skip
def test_wrong_arguments(given: dict[str, Any], words: str) -> None:
    if "128" in words:
        with tds_connection() as there:
            given = {**given, "server": there.instance.name}
            with pytest.raises(sbql.Error, match=words):
                sbql.connect(**given)
        return
    with pytest.raises(sbql.Error, match=words):
        sbql.connect(**given)


def test_what_is_no_server_of_tds_is_told() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def answer() -> None:
            peer, _ = listener.accept()
            peer.recv(4096)
            peer.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            peer.close()

        threading.Thread(target=answer, daemon=True).start()
        address = ServerAddress("127.0.0.1", listener.getsockname()[1], "sa", "x")
        with pytest.raises(SqlError, match="do not come together"):
            TdsConnection(address)


def test_a_server_that_says_nothing_is_not_waited_for_for_ever() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = ServerAddress("127.0.0.1", listener.getsockname()[1], "sa", "x", timeout=0.3)
        with pytest.raises(SqlError, match="the login takes too long"):
            TdsConnection(address)


# --- values ------------------------------------------------------------------------------------------------


def test_every_type_comes_as_it_is_here(connection: sbql.Connection) -> None:
    """The values, and the types that cursors describe."""
    text = """SELECT CAST(1 AS tinyint) a, CAST(2 AS smallint) b, 3 c, CAST(4 AS bigint) d, CAST(1 AS bit) e, CAST(1.5 AS real) f, 2.5e0 g,
        CAST(1.25 AS decimal(10, 3)) h, CAST(1 AS money) i, CAST(2 AS smallmoney) j, CAST('2026-01-02' AS date) k, CAST('01:02:03.1234567' AS time) l,
        CAST('2026-01-02T03:04:05' AS datetime) m, CAST('2026-01-02 03:04' AS smalldatetime) n, CAST('2026-01-02T03:04:05.1234567' AS datetime2) o,
        CAST('2026-01-02T03:04:05 +02:00' AS datetimeoffset(3)) p, CAST('a' AS char(3)) q, 'b' r, N'ü😀' s, CAST(N'x' AS nchar(2)) t, CAST('m' AS varchar(max)) u,
        0x0102 v, CAST(0x01 AS binary(2)) w, CAST(0x03 AS varbinary(max)) x, CAST('<a/>' AS xml) y, NEWID() z, CAST(5 AS sql_variant) v1, CAST('t' AS text) t1"""
    here = sbql.connect()
    there, same = connection.execute(text), here.execute(text)
    kinds = [[str(column[1]) for column in cursor.description or ()] for cursor in (there, same)]
    assert kinds[0] == kinds[1]
    (mine,), (expected,) = there.fetchall(), same.fetchall()
    assert [type(value) for value in mine] == [type(value) for value in expected]
    assert mine[:25] == expected[:25] and mine[26:] == expected[26:], "all but NEWID"
    here.close()


def test_a_hundred_thousand_rows(connection: sbql.Connection) -> None:
    text = "SELECT value, REPLICATE('x', value % 50) FROM GENERATE_SERIES(1, 100000)"
    rows = connection.execute(text).fetchall()
    assert len(rows) == 100_000 and rows[-1] == (100_000, "") and sum(len(text) for _, text in rows) == 2_450_000


def test_a_large_value_goes_there_and_back(connection: sbql.Connection) -> None:
    body = os.urandom(3_000_000)
    assert connection.execute("SELECT ?, DATALENGTH(?)", [body, body]).fetchall() == [(body, 3_000_000)]


def test_null_takes_the_type_that_the_statement_has_for_it_and_disturbs_nothing(connection: sbql.Connection) -> None:
    connection.execute("CREATE TABLE n (a varbinary(9), b xml)")
    connection.execute("SET XACT_ABORT ON; BEGIN TRAN; INSERT n (a) VALUES (0x01)")
    connection.execute("INSERT n VALUES (?, ?)", [None, None])
    assert connection.execute("SELECT ?, COALESCE(?, ?)", [None, None, 5]).fetchall() == [(None, 5)]
    assert connection.execute("SELECT @@TRANCOUNT, @@OPTIONS & 16384, COUNT(*) FROM n").fetchall() == [(1, 16384, 2)]
    connection.rollback()


def test_output_parameters_are_found_out(connection: sbql.Connection) -> None:
    connection.execute("CREATE DATABASE shop")
    connection.execute(
        "USE shop; EXEC('CREATE PROCEDURE half @a decimal(9, 2), @b decimal(9, 2) OUTPUT, @t nvarchar(30) OUTPUT AS SET @b = @a / 2; SET @t = N''ü''; RETURN 7')"
    )
    cursor = connection.cursor()
    assert cursor.callproc("half", [5, None, None]) == [5, Decimal("2.50"), "ü"] and cursor.return_value == 7
    connection.execute("USE master")
    assert cursor.callproc("shop.dbo.half", [3, None, None]) == [3, Decimal("1.50"), "ü"]


# --- while a batch runs ------------------------------------------------------------------------------------


def test_what_is_printed_is_heard_while_the_batch_runs(connection: sbql.Connection) -> None:
    """The batch waits for a message that is only sent when its PRINT has been heard."""
    connection.execute("USE tempdb; CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])")
    address = connection.instance.address  # type: ignore[union-attr]
    heard = threading.Event()

    def hear(outcome: Any) -> None:
        if isinstance(outcome, InfoMessage) and outcome.text == "waiting":
            heard.set()

    def send() -> None:
        if not heard.wait(60):
            connection.cancel()
            return
        with sbql.connect(server=address.name, user="sa", password=SA_PASSWORD) as other:
            other.execute(
                "USE tempdb; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (0x05)"
            )

    sender = threading.Thread(target=send, daemon=True)
    sender.start()
    found = connection.run("PRINT 'waiting'; WAITFOR (RECEIVE message_body FROM q)", sink=hear)
    sender.join(60)
    assert [outcome.rows for outcome in found if hasattr(outcome, "rows")] == [[(b"\x05",)]]


def test_a_cancelled_batch_leaves_the_session_usable(connection: sbql.Connection) -> None:
    """At any moment: before the batch runs, while it does, when it has ended. An attention that
    comes too late is answered, too."""
    for delay in (0, 0, 0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05):
        timer = threading.Timer(delay, connection.cancel)
        timer.start()
        for _ in range(3):
            (outcome, *_) = connection.run("SELECT COUNT(*) FROM sys.objects WHERE name = 'nothing'")
            if isinstance(outcome, ErrorOutcome):
                assert outcome.error.number == 3617
            else:
                assert isinstance(outcome, ResultSet) and outcome.rows == [(0,)]
        timer.join()
        assert connection.execute("SELECT 1").fetchall() == [(1,)]


def test_ctrl_c_ends_a_wait(tmp_path: Path) -> None:
    """In a process of its own; what it said, and nothing else."""
    script = tmp_path / "wait.sql"
    script.write_text("PRINT 'begun'\nWAITFOR DELAY '01:00:00'\n", encoding="utf-8")
    with sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD) as owner:
        command = [*SBQL, "-S", address_of_tds(owner), "-U", "sa", "-P", SA_PASSWORD, str(script)]
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
        assert process.stdout is not None
        assert line_of(process.stdout) == "begun\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert process.returncode == 130 and said == "The batch was cancelled.\n"


def test_a_connection_that_is_killed_says_so(connection: sbql.Connection) -> None:
    other = sbql.connect(server=connection.instance.name, user="sa", password=SA_PASSWORD)
    connection.execute(f"KILL {other.session.spid}")
    with pytest.raises(sbql.OperationalError):
        other.execute("SELECT 1")
    other.close()
    assert connection.execute("SELECT 1").fetchall() == [(1,)]


def test_a_server_that_ends_is_told_at_once() -> None:
    owner = sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD)
    connection = sbql.connect(server=address_of_tds(owner), user="sa", password=SA_PASSWORD)
    found: list[BaseException] = []

    def wait() -> None:
        try:
            connection.execute("WAITFOR DELAY '01:00:00'")
        except sbql.Error as error:
            found.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    owner.stop()
    waiting.join(60)
    assert len(found) == 1 and isinstance(found[0], sbql.OperationalError)
    with pytest.raises(sbql.OperationalError, match=r"is gone|has ended"):
        connection.execute("SELECT 1")
    connection.close()


def test_a_forked_child_leaves_the_session_to_its_parent(connection: sbql.Connection) -> None:
    if "fork" not in multiprocessing.get_all_start_methods():
        pytest.skip("there is no fork here")
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            connection.execute("SELECT 1")
        except sbql.Error:
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0
    assert connection.execute("SELECT 1").fetchall() == [(1,)]


def heard(connection: sbql.Connection, *classes: str) -> tuple[Callable[[], None], SimpleQueue[TraceEvent]]:
    """What stops it, and the events that come."""
    events: SimpleQueue[TraceEvent] = SimpleQueue()
    return connection.trace(events.put, *classes), events


def test_trace_events_come_as_the_owner_has_them(owner: Any, listening: sbql.Connection) -> None:
    """Every field but service_id, in their order, until it is stopped; a second stop is harmless."""
    own: list[TraceEvent] = []
    stop_own = owner.instance.trace(own.append)
    stop, events = heard(listening)
    listening.execute(DIALOG)
    count = len(own)
    assert count > 4
    came = [events.get(timeout=60) for _ in range(count)]
    assert came == [
        event._replace(service_id=0, start_time=event.start_time.replace(microsecond=event.start_time.microsecond // 1000 * 1000))
        for event in own[:count]
        if event.start_time is not None
    ]  # fmt: skip
    stop()
    stop()
    listening.execute(DIALOG)
    assert events.empty()
    stop_own()
    assert owner.instance.broker.trace is None, "the server listens for nobody any more"


def test_only_the_classes_that_were_asked_for_come(owner: Any, listening: sbql.Connection) -> None:
    stop, events = heard(listening, "conversation group", "Broker:Message Classify")
    listening.execute(DIALOG)
    assert {events.get(timeout=60).event_class for _ in range(2)} == {
        "Broker:Conversation Group",
        "Broker:Message Classify",
    }
    stop()
    with pytest.raises(sbql.InterfaceError, match="Nothing"):
        listening.trace(print, "Nothing")


def test_who_may_not_listen_is_refused_and_hears_no_log(listening: sbql.Connection, owner: Any) -> None:
    listening.execute("CREATE LOGIN Nobody WITH PASSWORD = 'Passw0rd!', CHECK_POLICY = OFF")
    there = sbql.connect(server=address_of_tds(owner), user="Nobody", password="Passw0rd!")
    with there:
        with pytest.raises(sbql.Error, match=r"sys\.sp_sbql_listen"):
            there.trace(print)
        there.instance.listen_log(print)()
    listening.execute("DROP LOGIN Nobody")


def test_a_listener_that_fails_is_dropped(owner: Any, listening: sbql.Connection) -> None:
    def fail(event: TraceEvent) -> None:
        raise ValueError("no")

    stop = listening.trace(fail)
    listening.execute(DIALOG)
    stop()
    assert listening.execute("SELECT 1").fetchone() == (1,)
    assert owner.instance.broker.trace is None


def test_lines_of_the_error_log_come(listening: sbql.Connection) -> None:
    lines: SimpleQueue[LogRecord] = SimpleQueue()
    stop = listening.instance.listen_log(lines.put)
    listening.execute("RAISERROR (N'told', 10, 1) WITH LOG")
    while (line := lines.get(timeout=60)).text != "told":
        pass
    assert (line.number, line.source) == (50000, f"spid {listening.session.spid}")
    stop()


def test_what_tds_does_not_have_is_refused_by_its_name(connection: sbql.Connection) -> None:
    with pytest.raises(sbql.NotSupportedError, match="clock"):
        connection.advance(1)
    with pytest.raises(sbql.Error, match="no dedicated administrator connection by TDS"):
        sbql.connect(instance=connection.instance, admin=True)
    with pytest.raises(sbql.Error, match="needs its password"):
        sbql.connect(instance=connection.instance, login="ann")
    with pytest.raises(sbql.OperationalError, match="another process serves the store already"):
        sbql.serve(connection)
