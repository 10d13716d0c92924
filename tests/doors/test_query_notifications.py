"""Query notifications over TDS: the header in own packets, what SqlDependency does, and Microsoft's ODBC
driver with its statement attributes."""

from __future__ import annotations

import ctypes
import struct
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import ServerProcess, free_port
from tds_drivers import odbc_driver
from tds_wire import HEADERS, WireClient, notification, of, parameter

import sbql
from sbql.engine.server.owner import Server
from sbql.grammar.types import INT, UNIQUEIDENTIFIER, nvarchar

PASSWORD = "Secret-1234"
OPTIONS = "Service=Told;Local Database=shop"
QUERY = "SELECT id, name FROM dbo.items WHERE id = 1"
TYPE = "http://schemas.microsoft.com/SQL/Notifications/QueryNotification"


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        with WireClient(server.endpoints[1].port, password=PASSWORD) as client:
            client.batch("CREATE DATABASE shop")
            client.batch("USE shop")
            client.batch(
                "CREATE TABLE dbo.items (id int NOT NULL PRIMARY KEY, name nvarchar(20) NOT NULL); INSERT dbo.items VALUES (1, N'pen'), (2, N'ink')"
            )
            client.batch(
                "CREATE QUEUE dbo.Told; CREATE SERVICE Told ON QUEUE dbo.Told ([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification])"
            )
        yield server


@pytest.fixture
def client(served: Server) -> Iterator[WireClient]:
    with WireClient(served.endpoints[1].port, password=PASSWORD, database="shop") as found:
        yield found
        found.batch("KILL QUERY NOTIFICATION SUBSCRIPTION ALL")


def heard(client: WireClient, seconds: float = 20) -> tuple[str | None, ...]:
    """type, source, info and message of the next notification, whose conversation is ended."""
    text = (
        "DECLARE @h uniqueidentifier, @b xml; WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @b = CAST(message_body AS xml) FROM dbo.Told), "
        f"TIMEOUT {int(seconds * 1000)}; IF @h IS NOT NULL END CONVERSATION @h; SELECT CAST(@b AS nvarchar(max)) AS b"
    )  # fmt: skip
    (((body,),),) = of("row", client.batch(text))
    if body is None:
        return ()
    root = ElementTree.fromstring(body)
    return root.get("type"), root.get("source"), root.get("info"), root[0].text


def waiting(client: WireClient) -> list[tuple[Any, ...]]:
    return [row for (row,) in of("row", client.batch("SELECT timeout FROM sys.dm_qn_subscriptions ORDER BY id"))]


def change(client: WireClient) -> None:
    assert not of("error", client.batch("UPDATE dbo.items SET name = LEFT(CONCAT(NEWID(), name), 20) WHERE id = 1"))


def traced(client: WireClient) -> list[tuple[Any, ...]]:
    """Subclass, text, and what else is told of subscriptions by event notifications; those of a
    busy moment come in their order."""
    found = []
    text = (
        "DECLARE @b xml; WAITFOR (RECEIVE TOP (1) @b = CAST(message_body AS xml) FROM dbo.Traced), TIMEOUT 5000; "
        "SELECT CAST(@b AS nvarchar(max)) AS b"
    )
    while not found or found[-1][0] != 9:
        (((body,),),) = of("row", client.batch(text))
        assert body is not None, found
        event = ElementTree.fromstring(body)
        inner = ElementTree.fromstring(event.findtext("TextData") or "")
        told = {part.tag.partition("}")[2]: part.text for part in inner}
        assert (event.findtext("EventType"), event.findtext("DatabaseName")) == ("QN_SUBSCRIPTION", "shop")
        found.append((int(event.findtext("EventSubClass") or 0), told["EventText"], sorted(set(told) - {"EventText"})))
    return found


def test_trace_events_tell_of_subscriptions(client: WireClient) -> None:
    for text in (
        "CREATE QUEUE dbo.Traced",
        "CREATE SERVICE Traces ON QUEUE dbo.Traced ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])",
        "CREATE EVENT NOTIFICATION ofSubscriptions ON SERVER FOR TRC_QUERY_NOTIFICATIONS TO SERVICE 'Traces', 'current database'",
    ):
        assert not of("error", client.batch(text))
    try:
        for _ in range(2):
            client.batch(QUERY, headers=notification("traced", OPTIONS, 600))
        change(client)
        assert heard(client) == ("change", "data", "update", "traced")
        number = ["SubscriptionID"]
        assert traced(client) == [
            (1, "subscription registered", number),
            (2, "subscription rewound", number),
            (3, "subscription fired", ["BrokerDialog", "NotificationMsg", "SubscriptionID"]),
            (9, "subscription destroyed", number),
        ]
        client.batch(QUERY, headers=notification("traced", OPTIONS, 600))
        assert not of("error", client.batch("KILL QUERY NOTIFICATION SUBSCRIPTION ALL"))
        assert [subclass for subclass, *_ in traced(client)] == [1, 7, 9]
        answer = client.batch(
            "CREATE EVENT NOTIFICATION ofThreads ON SERVER FOR QN_DYNAMICS TO SERVICE 'Traces', 'current database'"
        )
        assert of("error", answer)[0][0] == 40517
    finally:
        client.batch("DROP EVENT NOTIFICATION ofSubscriptions ON SERVER")


# --- own packets -------------------------------------------------------------------------------------------


def test_a_batch_with_the_header(client: WireClient) -> None:
    answer = client.batch(QUERY, headers=notification("shop;1", OPTIONS, 600))
    assert len(of("row", answer)) == 1 and waiting(client) == [(600,)]
    change(client)
    assert heard(client) == ("change", "data", "update", "shop;1")
    change(client)
    assert heard(client, 0.05) == () and waiting(client) == []


def test_the_time_out_may_be_missing(client: WireClient) -> None:
    client.batch(QUERY, headers=notification("shop;2", OPTIONS))
    assert waiting(client) == [(432000,)]
    client.batch(QUERY, headers=notification("shop;2", OPTIONS, 0))
    assert waiting(client) == []


def test_a_call_with_the_header(client: WireClient) -> None:
    text = parameter("", nvarchar(100), "SELECT name FROM dbo.items WHERE id = @id")
    answer = client.call(10, text, parameter("", nvarchar(20), "@id int"), parameter("@id", INT, 1), headers=notification("shop;3", OPTIONS, 60))  # fmt: skip
    assert len(of("row", answer)) == 1 and waiting(client) == [(60,)]
    client.batch("DELETE dbo.items WHERE id = 2; INSERT dbo.items VALUES (2, N'ink')")
    assert heard(client, 0.05) == ()
    change(client)
    assert heard(client) == ("change", "data", "update", "shop;3")


def test_it_holds_for_one_request(client: WireClient) -> None:
    client.batch(QUERY, headers=notification("shop;4", OPTIONS, 60))
    client.batch("SELECT id FROM dbo.items")
    assert len(waiting(client)) == 1


@pytest.mark.parametrize(("options", "number"), [("server=x", 9229), ("service=Told;local database=nowhere", 9236)])
def test_options_that_say_nothing(client: WireClient, options: str, number: int) -> None:
    assert of("error", client.batch(QUERY, headers=notification("shop;5", options)))[0][0] == number
    assert len(of("row", client.batch(QUERY))) == 1


@pytest.mark.parametrize(
    "rest",
    [
        struct.pack("<IH", 5, 1),
        struct.pack("<IHH", 8, 1, 40),
        struct.pack("<IHHH", 10, 1, 0, 40),
        struct.pack("<IHHHH", 12, 1, 0, 0, 7),
        struct.pack("<IHH", 4000, 1, 0),
    ],
)
def test_a_header_that_cannot_be_read(client: WireClient, rest: bytes) -> None:
    headers = struct.pack("<I", len(HEADERS) + len(rest)) + HEADERS[4:] + rest
    assert of("error", client.batch(QUERY, headers=headers))[0][0] == 4002
    assert len(of("row", client.batch(QUERY))) == 1


def test_other_headers_are_passed_over(client: WireClient) -> None:
    trace = struct.pack("<IH", 26, 3) + bytes(20)
    headers = struct.pack("<I", len(HEADERS) + len(trace)) + HEADERS[4:] + trace
    assert len(of("row", client.batch(QUERY, headers=headers))) == 1


def test_a_statement_that_cannot_be_watched(client: WireClient) -> None:
    client.batch("SELECT * FROM dbo.items", headers=notification("shop;6", OPTIONS))
    assert heard(client) == ("subscribe", "statement", "invalid", "shop;6")


def test_the_end_of_the_connection_is_not_the_subscription_s(served: Server, client: WireClient) -> None:
    with WireClient(served.endpoints[1].port, password=PASSWORD, database="shop") as other:
        other.batch(QUERY, headers=notification("shop;7", OPTIONS))
    change(client)
    assert heard(client) == ("change", "data", "update", "shop;7")


def test_a_server_that_is_killed_tells_when_it_is_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is told to the client of a subscription is on disk: it survives a kill, and ends with the next start."""
    monkeypatch.setenv("MSSQL_SA_PASSWORD", PASSWORD)
    given = ("--store", tmp_path / "shop.duckdb", "--listen", f"127.0.0.1:{(port := free_port())}")
    server = ServerProcess(*given)
    with WireClient(port, password=PASSWORD) as client:
        client.batch("CREATE DATABASE shop")
        client.batch("USE shop")
        client.batch("CREATE TABLE dbo.items (id int NOT NULL PRIMARY KEY, name nvarchar(20) NOT NULL)")
        client.batch(
            "CREATE QUEUE dbo.Told; CREATE SERVICE Told ON QUEUE dbo.Told ([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification])"
        )
        assert of("columns", client.batch(QUERY, headers=notification("shop;8", OPTIONS)))
        server.kill()
    server = ServerProcess(*given)
    try:
        with WireClient(port, password=PASSWORD, database="shop") as client:
            assert heard(client) == ("change", "database", "restart", "shop;8")
            assert waiting(client) == []
    finally:
        server.terminate()


# --- what SqlDependency does -------------------------------------------------------------------------------


class Dependency:
    """SqlDependency's server side with its own statements: a service, a queue and a procedure by one GUID; a dialog
    that only carries a timer; a connection that waits for messages."""

    def __init__(self, port: int) -> None:
        self.client = WireClient(port, password=PASSWORD, database="shop")
        self.name = f"SqlQueryNotificationService-{uuid.uuid4()}"
        self.procedure = self.name.replace("Service-", "StoredProcedure-")
        procedure = (
            f"CREATE PROCEDURE [{self.procedure}] AS BEGIN BEGIN TRANSACTION; RECEIVE TOP(0) conversation_handle FROM [{self.name}]; "
            f"IF (SELECT COUNT(*) FROM [{self.name}] WHERE message_type_name = 'http://schemas.microsoft.com/SQL/ServiceBroker/DialogTimer') > 0 "
            f"BEGIN if ((SELECT COUNT(*) FROM sys.services WHERE name = '{self.name}') > 0)   DROP SERVICE [{self.name}]; "
            f"if (OBJECT_ID('{self.name}', 'SQ') IS NOT NULL)   DROP QUEUE [{self.name}]; DROP PROCEDURE [{self.procedure}]; END COMMIT TRANSACTION; END"
        )
        assert not of("error", self.client.batch(procedure))
        text = (
            f"IF OBJECT_ID('{self.name}', 'SQ') IS NULL BEGIN CREATE QUEUE [{self.name}] WITH ACTIVATION (PROCEDURE_NAME=[{self.procedure}], "
            f"MAX_QUEUE_READERS=1, EXECUTE AS OWNER); END; IF (SELECT COUNT(*) FROM sys.services WHERE NAME='{self.name}') = 0 BEGIN "
            f"CREATE SERVICE [{self.name}] ON QUEUE [{self.name}] ([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification]); "
            "IF (SELECT COUNT(*) FROM sys.database_principals WHERE name='sql_dependency_subscriber' AND type='R') <> 0 BEGIN "
            f"GRANT SEND ON SERVICE::[{self.name}] TO sql_dependency_subscriber; END;  END; "
            f"BEGIN DIALOG @dialog_handle FROM SERVICE [{self.name}] TO SERVICE '{self.name}'"
        )
        answer = self.client.call(
            10, parameter("", nvarchar(4000), text), parameter("", nvarchar(100), "@dialog_handle uniqueidentifier output"),
            parameter("@dialog_handle", UNIQUEIDENTIFIER, None, 1),
        )  # fmt: skip
        assert not of("error", answer), answer
        ((_, _, handle),) = of("value", answer)
        receive = (
            "WAITFOR(RECEIVE TOP (1) message_type_name, conversation_handle, cast(message_body AS XML) as message_body "
            f"from [{self.name}]), TIMEOUT @p2;"
        )
        self.begin = f"BEGIN CONVERSATION TIMER ('{handle}') TIMEOUT = 120; {receive}"
        self.ended: Any = None

    def listen(self, milliseconds: int = 20_000) -> tuple[str, str] | None:
        """The next notification: info and message. The conversation before it ends in the same request."""
        declared = "@p2 int" if self.ended is None else "@p2 int,@p1 uniqueidentifier"
        text = self.begin if self.ended is None else "END CONVERSATION @p1; " + self.begin
        given = [parameter("@p2", INT, milliseconds)]
        if self.ended is not None:
            given.append(parameter("@p1", UNIQUEIDENTIFIER, self.ended))
        answer = self.client.call(
            10, parameter("", nvarchar(4000), text), parameter("", nvarchar(100), declared), *given
        )
        assert not of("error", answer), answer
        self.ended = None
        for ((kind, handle, body),) in of("row", answer):
            if kind == TYPE:
                self.ended = handle
                root = ElementTree.fromstring(body)
                return str(root.get("info")), str(root[0].text)
        return None

    def close(self) -> None:
        """SqlDependency.Stop()."""
        if self.ended is not None:
            self.client.batch(f"END CONVERSATION '{self.ended}'")
        text = f"BEGIN TRANSACTION; DROP SERVICE [{self.name}]; DROP QUEUE [{self.name}]; DROP PROCEDURE [{self.procedure}]; COMMIT TRANSACTION;"
        assert not of("error", self.client.batch(text))
        self.client.close()


def test_a_cache_that_depends(served: Server, client: WireClient) -> None:
    """Start, one command with a dependency, its change, the command again, Stop; nothing is left."""
    dependency = Dependency(served.endpoints[1].port)
    domain = str(uuid.uuid4())
    options = f"Service={dependency.name};Local Database=shop"
    assert dependency.listen(0) is None
    for number in range(3):
        key = f"{domain};{uuid.uuid4()}"
        client.batch(QUERY, headers=notification(key, options, 432000))
        assert dependency.listen(0) is None
        change(client)
        assert dependency.listen() == ("update", key), number
    client.batch("SELECT COUNT(*) FROM dbo.items", headers=notification(f"{domain};x", options, 432000))
    assert dependency.listen() == ("invalid", f"{domain};x")
    dependency.close()
    names = f"SELECT COUNT(*) FROM sys.services WHERE name = '{dependency.name}'"
    assert of("row", client.batch(names)) == [((0,),)]


# --- Microsoft's ODBC driver -------------------------------------------------------------------------------

TIMEOUT, MESSAGE, SERVICE = 1233, 1234, 1235
"""SQL_SOPT_SS_QUERYNOTIFICATION_TIMEOUT, _MSGTEXT, _OPTIONS."""
_STRING = -3


class Odbc:
    """The driver itself, without a manager: its entry points in UTF-16."""

    def __init__(self, port: int) -> None:
        self.api = ctypes.CDLL(odbc_driver("msodbcsql"))
        self.environment, self.connection, self.statement = (ctypes.c_void_p() for _ in range(3))
        self.check(self.api.SQLAllocHandle(1, None, ctypes.byref(self.environment)))
        self.check(self.api.SQLSetEnvAttr(self.environment, 200, ctypes.c_void_p(3), 0))
        self.check(self.api.SQLAllocHandle(2, self.environment, ctypes.byref(self.connection)))
        text = self.wide(f"Server=127.0.0.1,{port};Database=shop;UID=sa;PWD={PASSWORD};Encrypt=no")
        self.check(
            self.api.SQLDriverConnectW(self.connection, None, text, _STRING, None, 0, None, 0), 2, self.connection
        )
        self.check(self.api.SQLAllocHandle(3, self.connection, ctypes.byref(self.statement)))

    @staticmethod
    def wide(text: str) -> Any:
        return ctypes.create_string_buffer(text.encode("utf-16-le") + b"\0\0")

    def check(self, code: int, kind: int = 0, handle: Any = None) -> None:
        if code in (0, 1):
            return
        state, number, said, length = (
            ctypes.create_string_buffer(12),
            ctypes.c_int(),
            ctypes.create_string_buffer(2048),
            ctypes.c_short(),
        )
        if handle is not None:
            self.api.SQLGetDiagRecW(kind, handle, 1, state, ctypes.byref(number), said, 1000, ctypes.byref(length))
        raise AssertionError((code, state.raw.decode("utf-16-le"), said.raw.decode("utf-16-le").rstrip("\0")))

    def set(self, attribute: int, value: str | int) -> None:
        given = self.wide(value) if isinstance(value, str) else ctypes.c_void_p(value)
        length = _STRING if isinstance(value, str) else 0
        self.check(self.api.SQLSetStmtAttrW(self.statement, attribute, given, length), 3, self.statement)

    def execute(self, text: str) -> None:
        self.check(self.api.SQLExecDirectW(self.statement, self.wide(text), _STRING), 3, self.statement)
        while self.api.SQLMoreResults(self.statement) in (0, 1):
            pass
        self.api.SQLFreeStmt(self.statement, 0)

    def close(self) -> None:
        self.api.SQLFreeHandle(3, self.statement)
        self.api.SQLDisconnect(self.connection)
        self.api.SQLFreeHandle(2, self.connection)
        self.api.SQLFreeHandle(1, self.environment)


@pytest.fixture
def odbc(served: Server) -> Iterator[Odbc]:
    try:
        found = Odbc(served.endpoints[1].port)
    except OSError as error:
        pytest.skip(f"Microsoft's ODBC driver cannot be loaded here: {error}")
    yield found
    found.close()


def test_the_odbc_driver_s_attributes(odbc: Odbc, client: WireClient) -> None:
    odbc.set(MESSAGE, "Zażółć gęślą jaźń")
    odbc.set(SERVICE, "service=Told;local database=shop")
    odbc.set(TIMEOUT, 4711)
    odbc.execute(QUERY)
    assert waiting(client) == [(4711,)]
    change(client)
    assert heard(client) == ("change", "data", "update", "Zażółć gęślą jaźń")
