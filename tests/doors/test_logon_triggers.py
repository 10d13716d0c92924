"""LOGON triggers: who fires them, by which door he comes, and what a login that is refused leaves behind."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tds_wire import WireClient

import sbql
from sbql.engine.client import Client
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.server.owner import Server
from sbql.grammar.errors import SqlError

SETUP = (
    "CREATE TABLE master.dbo.Seen (n int IDENTITY, who sysname, kind nvarchar(30) NULL, doc xml)",
    "CREATE LOGIN Ann WITH PASSWORD = 'Secret-1234'",
    "CREATE LOGIN Bob WITH PASSWORD = 'Secret-1234'",
    "GRANT CONNECT SQL TO Ann",
)
WATCH = (
    "CREATE TRIGGER Watch ON ALL SERVER WITH EXECUTE AS 'sa' FOR LOGON AS "
    "INSERT master.dbo.Seen (who, kind, doc) VALUES (ORIGINAL_LOGIN(), APP_NAME(), EVENTDATA())"
)
NO_BOB = (
    "CREATE TRIGGER NoBob ON ALL SERVER WITH EXECUTE AS 'sa' AFTER LOGON AS IF ORIGINAL_LOGIN() = 'Bob' BEGIN "
    "INSERT master.dbo.Seen (who) VALUES ('undone'); PRINT 'Bob stays outside'; ROLLBACK; "
    "INSERT master.dbo.Seen (who) VALUES ('kept') END"
)


@pytest.fixture
def instance() -> Iterator[Instance]:
    found = Instance.open(clock="virtual")
    run(found, *SETUP)
    yield found
    found.close()


def run(instance: Instance, *texts: str) -> list[tuple[object, ...]]:
    """The rows of the last result set, by the connection that no trigger sees."""
    session = instance.connect(admin=True)
    rows: list[tuple[object, ...]] = []
    try:
        for text in texts:
            for outcome in session.run(text):
                if isinstance(outcome, ErrorOutcome):
                    raise outcome.error
                if isinstance(outcome, ResultSet):
                    rows = outcome.rows
    finally:
        session.close()
    return rows


def refused(instance: Instance, login: str = "sa") -> int:
    before = set(instance.sessions)
    with pytest.raises(SqlError) as raised:
        instance.connect(login=login)
    assert set(instance.sessions) == before, "a session that was refused is gone"
    return raised.value.number


@pytest.mark.spec("TRIGGER-10", "TRIGGER-11")
def test_each_login_but_the_administrators_connection_fires(instance: Instance) -> None:
    run(instance, WATCH)
    ann = instance.connect(login="Ann", client=Client(program_name="till", address="10.1.2.3"))
    instance.connect().close()
    rows = run(
        instance,
        "SELECT who, kind, doc.value('(/EVENT_INSTANCE/LoginName)[1]', 'sysname'), doc.value('(/EVENT_INSTANCE/ClientHost)[1]', 'sysname'), "
        "doc.value('(/EVENT_INSTANCE/SPID)[1]', 'int') FROM master.dbo.Seen ORDER BY n",
    )
    assert rows[0] == ("Ann", "till", "Ann", "10.1.2.3", ann.spid)
    assert [row[0] for row in rows] == ["Ann", "sa"]
    names = run(
        instance,
        "SELECT e.value('local-name(.)', 'sysname') FROM (SELECT TOP 1 doc FROM master.dbo.Seen) s CROSS APPLY doc.nodes('/EVENT_INSTANCE/*') x(e)",
    )
    assert [name for (name,) in names] == ["EventType", "PostTime", "SPID", "ServerName", "LoginName", "LoginType", "SID", "ClientHost", "IsPooled"]  # fmt: skip


@pytest.mark.spec("TRIGGER-12")
def test_rollback_refuses_and_what_follows_it_stays(instance: Instance) -> None:
    run(instance, NO_BOB)
    assert refused(instance, "Bob") == 17892
    instance.connect(login="Ann").close()
    assert run(instance, "SELECT who FROM master.dbo.Seen") == [("kept",)]
    logged = [(record.number, record.text) for record in instance.error_log]
    assert (0, "Bob stays outside") in logged
    assert any(number == 17892 and "'Bob'" in text and "[CLIENT: <local machine>]" in text for number, text in logged)


@pytest.mark.parametrize(
    ("body", "number"),
    [
        ("SELECT 1 / 0", 17892),
        ("INSERT master.dbo.NoSuch VALUES (1)", 17892),
        ("THROW 50001, 'out', 1", 17892),
        ("RAISERROR('out', 20, 1) WITH LOG", 17892),
        ("COMMIT", 17892),
        ("ROLLBACK", 17892),
        ("RAISERROR('a remark', 16, 1)", None),
        ("PRINT 'a remark'", None),
        ("BEGIN TRY SELECT * FROM master.dbo.NoSuch END TRY BEGIN CATCH END CATCH", 17892),
        ("BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH END CATCH", 17892),
        ("SET XACT_ABORT OFF; BEGIN TRY SELECT 1 / 0 END TRY BEGIN CATCH END CATCH", None),
        ("SELECT 1", None),
        ("SET NOCOUNT ON; SET ANSI_NULLS OFF; SET LOCK_TIMEOUT 5; DECLARE @x int = 1", None),
    ],
)
@pytest.mark.spec("TRIGGER-12")
def test_which_ends_of_a_trigger_refuse(instance: Instance, body: str, number: int | None) -> None:
    run(instance, f"CREATE TRIGGER T ON ALL SERVER FOR LOGON AS {body}")
    if number is not None:
        assert refused(instance) == number
        run(instance, "DISABLE TRIGGER T ON ALL SERVER")
    session = instance.connect()
    outcomes = session.run("SELECT @@TRANCOUNT, @@ERROR, @@NESTLEVEL, @@LOCK_TIMEOUT, DB_NAME()")
    assert [o.rows for o in outcomes if isinstance(o, ResultSet)] == [[(0, 0, 0, -1, "master")]]


@pytest.mark.spec("TRIGGER-13")
def test_several_triggers_run_in_one_transaction_and_in_their_order(instance: Instance) -> None:
    for name in ("A", "B", "C"):
        run(
            instance, f"CREATE TRIGGER {name} ON ALL SERVER FOR LOGON AS INSERT master.dbo.Seen (who) VALUES ('{name}')"
        )
    run(
        instance,
        "EXEC sp_settriggerorder 'C', 'First', 'LOGON', 'SERVER'",
        "EXEC sp_settriggerorder 'A', 'Last', 'LOGON', 'SERVER'",
    )
    instance.connect().close()
    assert run(instance, "SELECT who FROM master.dbo.Seen ORDER BY n") == [("C",), ("B",), ("A",)]
    rows = run(instance, "SELECT t.name, e.type, e.is_first, e.is_last FROM sys.server_triggers t JOIN sys.server_trigger_events e ON e.object_id = t.object_id ORDER BY t.name")  # fmt: skip
    assert rows == [("A", 147, False, True), ("B", 147, False, False), ("C", 147, True, False)]
    run(instance, "DELETE master.dbo.Seen", "ALTER TRIGGER A ON ALL SERVER FOR LOGON AS ROLLBACK")
    assert refused(instance) == 17892
    assert run(instance, "SELECT who FROM master.dbo.Seen") == []


def test_a_trigger_may_wait(instance: Instance) -> None:
    run(
        instance,
        "CREATE TRIGGER T ON ALL SERVER FOR LOGON AS WAITFOR DELAY '00:00:03'; INSERT master.dbo.Seen (who) VALUES ('late')",
    )
    before = instance.host.now()
    instance.connect().close()
    assert instance.host.now() == before + 3
    assert run(instance, "SELECT COUNT(*) FROM master.dbo.Seen") == [(1,)]


def test_activated_procedures_and_notifications_log_nobody_in(instance: Instance) -> None:
    run(
        instance, "CREATE DATABASE D", "USE D", "CREATE QUEUE Q", "CREATE SERVICE S ON QUEUE Q ([DEFAULT])", "CREATE SERVICE S0 ON QUEUE Q",
        "CREATE PROCEDURE P AS RECEIVE * FROM Q", "ALTER QUEUE Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = P, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)",
        WATCH, "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S0 TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('x')",
    )  # fmt: skip
    instance.wait_idle()
    assert run(instance, "USE D", "SELECT COUNT(*) FROM Q") == [(0,)]
    assert run(instance, "SELECT COUNT(*) FROM master.dbo.Seen") == [(0,)]


# --- over the network --------------------------------------------------------------------------------------


@pytest.mark.parametrize("clock", ["system", "virtual"])
@pytest.mark.spec("TRIGGER-10", "TRIGGER-12")
def test_clients_of_tds(clock: str) -> None:
    """A pool's reset is a login, too; one that is refused ends the connection."""
    pytest.importorskip("pyarrow", reason="a server needs pyarrow")
    with sbql.serve(listen="127.0.0.1:0", sa_password="Secret-1234", clock=clock) as server:
        run_served(server, *SETUP, WATCH, NO_BOB)
        port = server.endpoints[1].port
        with WireClient(port, user="Bob", password="Secret-1234") as bob:
            errors = [token[1:3] for token in bob.greeting if token[0] == "error"]
            assert errors == [(17892, 14)]
            assert not [token for token in bob.greeting if token[0] == "login"]
        with WireClient(port, user="Ann", password="Secret-1234") as ann:
            seen = "SELECT who, doc.value('(/EVENT_INSTANCE/IsPooled)[1]', 'bit') FROM master.dbo.Seen WHERE who = 'Ann' ORDER BY n"
            ann.batch("SELECT 1", status=8)
            assert run_served(server, seen) == [("Ann", False), ("Ann", True)]
            run_served(server, "CREATE TRIGGER Closed ON ALL SERVER FOR LOGON AS IF ORIGINAL_LOGIN() <> 'sa' ROLLBACK")
            answer = ann.batch("SELECT 'not run'", status=8)
            assert [token[1] for token in answer if token[0] == "error"] == [17892]
            assert not [token for token in answer if token[0] == "row"]
            with pytest.raises(ConnectionError):
                ann.batch("SELECT 1")
        end = time.monotonic() + 20
        while {session.login_name for session in list(server.instance.sessions.values())} - {"sa"}:
            assert time.monotonic() < end, "a session that was refused stays"
            time.sleep(0.01)


def run_served(server: Server, *texts: str) -> list[tuple[object, ...]]:
    """As sa, whose logins no trigger here minds."""
    rows: list[tuple[object, ...]] = []
    with WireClient(server.endpoints[1].port, password="Secret-1234") as client:
        for text in texts:
            answer = client.batch(text)
            assert not [token for token in answer if token[0] == "error"], answer
            rows = [token[1] for token in answer if token[0] == "row"]
    return rows


def test_the_driver_says_it(tmp_path: Path) -> None:
    """A store that lets nobody in any more is opened by the administrator's connection, and mended."""
    store = tmp_path / "shut.duckdb"
    with sbql.connect(store, autocommit=True) as connection:
        connection.execute("CREATE TRIGGER Shut ON ALL SERVER FOR LOGON AS ROLLBACK")
    with pytest.raises(sbql.OperationalError, match="17892"):
        sbql.connect(store)
    with sbql.connect(store, admin=True, autocommit=True) as connection:
        connection.execute("DROP TRIGGER Shut ON ALL SERVER")
    sbql.connect(store).close()
