"""`sbql.prepare` and pytest's plugin: what is set up once, and what each test finds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql.engine.instance import Instance

SETUP = """
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE Orders (id int IDENTITY PRIMARY KEY, name nvarchar(20) COLLATE Latin1_General_CI_AS UNIQUE, made datetime2 DEFAULT SYSUTCDATETIME(), v rowversion);
CREATE SEQUENCE Numbers START WITH 5;
INSERT Orders (name) VALUES (N'Äpfel'), (N'ß');
SELECT NEXT VALUE FOR Numbers;
INSERT Orders (name) VALUES (N'gone'), (N'too'); DELETE Orders WHERE id > 2;
CREATE QUEUE Q WITH RETENTION = ON; CREATE SERVICE A ON QUEUE Q ([DEFAULT]);
CREATE QUEUE Away WITH STATUS = OFF; CREATE SERVICE B ON QUEUE Away ([DEFAULT]);
GO
CREATE TRIGGER Marked ON Orders AFTER INSERT AS PRINT 'inserted';
GO
CREATE VIEW Names AS SELECT UPPER(name) AS name FROM Orders;
GO
CREATE PROCEDURE Ask @service sysname AS
BEGIN
    DECLARE @h uniqueidentifier;
    BEGIN DIALOG @h FROM SERVICE A TO SERVICE @service WITH ENCRYPTION = OFF;
    BEGIN CONVERSATION TIMER (@h) TIMEOUT = 60;
    SEND ON CONVERSATION @h (N'hello');
END;
GO
EXEC Ask N'A'; EXEC Ask N'B'; EXEC Ask N'nowhere';
EXEC sp_addmessage 50001, 16, N'A message of ours';
EXEC sp_configure 'nested triggers', 0; RECONFIGURE;
USE tempdb;
CREATE TABLE Kept (a int); INSERT Kept VALUES (1); CREATE QUEUE InTempdb;
EXEC sys.sp_sbql_advance_clock '00:00:10';
USE Shop;
"""
LOOKS = """
SELECT id, name, made, v FROM Orders ORDER BY id;
SELECT name FROM Names WHERE name = N'SS' OR name LIKE N'ä%' ORDER BY name;
SELECT name, object_id, type, create_date FROM sys.objects ORDER BY object_id;
SELECT name, is_receive_enabled, is_retention_enabled, activation_procedure FROM sys.service_queues ORDER BY object_id;
SELECT name, service_id FROM sys.services ORDER BY service_id;
SELECT conversation_handle, conversation_id, state, far_service, dialog_timer, security_timestamp FROM sys.conversation_endpoints ORDER BY conversation_handle;
SELECT conversation_handle, to_service_name, transmission_status, message_body FROM sys.transmission_queue ORDER BY conversation_handle;
SELECT status, conversation_handle, message_sequence_number, message_body FROM Q ORDER BY queuing_order;
SELECT COUNT(*) FROM Away;
SELECT a FROM tempdb.dbo.Kept; SELECT name FROM tempdb.sys.service_queues ORDER BY name;
SELECT text FROM sys.messages WHERE message_id = 50001;
SELECT value_in_use FROM sys.configurations WHERE name = 'nested triggers';
INSERT Orders (name) VALUES (N'new'); SELECT SCOPE_IDENTITY(), NEXT VALUE FOR Numbers;
SELECT SYSUTCDATETIME(), DB_NAME();
EXEC Ask N'A';
EXEC sys.sp_sbql_advance_clock '00:01:00';
RECEIVE message_type_name, CAST(message_body AS nvarchar(50)) FROM Q;
SELECT COUNT(*) FROM sys.conversation_endpoints;
"""


def looks(connection: sbql.Connection) -> list[Any]:
    """What a test may find out: everything that one batch after the other produces."""
    outcomes: list[Any] = []
    for batch in (text.strip() for text in LOOKS.split("\n") if text.strip()):
        outcomes += connection.run(batch)
    return [getattr(one, "rows", one) for one in outcomes]


@pytest.fixture(scope="module")
def prepared() -> Iterator[sbql.Prepared]:
    with sbql.prepare(lambda connection: sbql.run_script(connection, SETUP), seed=7) as made:
        yield made


def test_a_test_finds_what_it_would_find_behind_the_set_up(prepared: sbql.Prepared) -> None:
    """Rows, catalog, messages, timers, clock, identities and handles: each copy, and the same
    set-up and test in one instance."""
    with sbql.connect(clock="virtual", seed=7) as connection:
        sbql.run_script(connection, SETUP)
        connection.settle()
        with sbql.connect(instance=connection.instance, database="Shop") as fresh:  # as a test's, it is a new session
            expected = looks(fresh)
    for _ in range(2):
        with prepared.connect() as connection:
            assert looks(connection) == expected


def test_another_seed_is_other_chance_at_the_same_time(prepared: sbql.Prepared) -> None:
    def chance(seed: int | None) -> Any:
        with prepared.connect(seed=seed) as connection:
            connection.execute("EXEC Ask N'A'")
            handles = connection.execute("SELECT conversation_handle FROM sys.conversation_endpoints").fetchall()
            return handles, connection.execute("SELECT NEWID(), RAND(), SYSUTCDATETIME()").fetchone()

    assert chance(None) == chance(None)
    assert chance(3) == chance(3)
    assert chance(3)[0] != chance(None)[0] and chance(3)[1][0] != chance(None)[1][0]
    assert chance(3)[1][2] == chance(None)[1][2]


def test_copies_that_are_open_at_once_do_not_meet(prepared: sbql.Prepared) -> None:
    """Whatever the order in which they are closed; and none of what they did is in the next one."""
    first, second = prepared.connect(), prepared.connect()
    first.execute("DELETE Orders; CREATE TABLE T (a int)")
    second.execute("INSERT Orders (name) VALUES (N'second')")
    with sbql.connect(instance=second.instance, database="Shop") as other:
        first.close()
        second.close()
        assert other.execute("SELECT COUNT(*) FROM Orders").fetchone() == (3,)
    with prepared.connect() as third:
        assert third.execute("SELECT COUNT(*), OBJECT_ID('T') FROM Orders").fetchone() == (2, None)


def test_a_copy_on_disk_opens_again(prepared: sbql.Prepared, tmp_path: Path) -> None:
    path = str(tmp_path / "copy.duckdb")
    for expected in (2, 3):
        instance = prepared.open(path)
        with sbql.connect(instance=instance, database="Shop") as connection:
            assert connection.execute("SELECT COUNT(*) FROM Orders").fetchone() == (expected,)
            connection.execute("INSERT Orders (name) VALUES (?)", [f"more {expected}"])
        instance.close()


ACTIVE = """
USE tempdb
GO
CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])
GO
CREATE PROCEDURE p AS {body}
GO
ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x')
"""


@pytest.mark.parametrize(
    ("setup", "named"),
    [
        ("BEGIN TRANSACTION; CREATE TABLE t (a int)", r"session 51 has an open transaction"),
        ("SET IMPLICIT_TRANSACTIONS ON; CREATE TABLE t (a int)", r"session 51 has an open transaction"),
        (ACTIVE.format(body="WAITFOR DELAY '01:00:00'"), r"\[p\] of the queue tempdb\.dbo\.q.*sleeping in WAITFOR DELAY"),
        (ACTIVE.format(body="WAITFOR (RECEIVE TOP (0) * FROM q); WAITFOR (RECEIVE * FROM q), TIMEOUT 5000; WAITFOR (RECEIVE * FROM q)"),
         r"\[p\] of the queue tempdb\.dbo\.q.*waiting for BROKER_RECEIVE_WAITFOR"),
    ],
)  # fmt: skip
def test_what_is_not_at_rest_is_named(setup: str, named: str) -> None:
    with pytest.raises(sbql.OperationalError, match=rf"not at rest.*{named}"):
        sbql.prepare(lambda connection: sbql.run_script(connection, setup))


def test_errors_of_the_set_up_are_raised(tmp_path: Path) -> None:
    (tmp_path / "wrong.sql").write_text("SELECT 1\nGO\nSELECT * FROM nowhere\n", encoding="utf-8")
    with pytest.raises(sbql.ProgrammingError, match=r"wrong\.sql:3: .*nowhere"):
        sbql.prepare(tmp_path / "wrong.sql")


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    from sbql.engine.prepared import PreparedInstance

    made = PreparedInstance(Instance.open(clock="virtual"))
    folder = made._image._folder
    copy = made.open()
    assert [path.name for path in folder.glob("[0-9]*.duckdb")] == ["0.duckdb"]
    copy.close()
    assert {path.name for path in folder.iterdir()} == {"image.duckdb", "held"}
    made.close()
    assert not folder.exists()


# --- the plugin ----------------------------------------------------------------------------------------------

PROJECT = {
    "pytest.ini": "[pytest]\nsbql_setup = setup.sql\nsbql_variables =\n    n=5\nsbql_start = 2008-01-31T12:00\nsbql_seed = 3\n",
    "setup.sql": "CREATE DATABASE Shop\nGO\nUSE Shop\nCREATE TABLE t (a int)\nINSERT t VALUES ($(n))\nGO\n",
    "test_python.py": """
import datetime as dt, pytest, sbql

def test_one(sbql_connection, sbql_connect, sbql_instance, sbql_clock):
    sbql_connection.execute("INSERT t VALUES (6)")
    other = sbql_connect("master")
    assert other.execute("SELECT DB_NAME(), COUNT(*) FROM Shop.dbo.t").fetchone() == ("master", 2)
    assert sbql_instance is other.instance
    sbql_clock.advance(90)
    sbql_clock.settle()
    assert sbql_clock.now == dt.datetime(2008, 1, 31, 12, 1, 30)

@pytest.mark.parametrize("again", range(2))
def test_each_has_its_own(sbql_connection, again):
    assert sbql_connection.execute("SELECT a FROM t").fetchall() == [(5,)]

def test_server(sbql_server):
    with sbql.connect(server=f"127.0.0.1,{sbql_server.endpoints[1].port}", user="sa", password=sbql_server.sa_password, database="Shop",
                      trust_server_certificate=True) as far:
        assert far.execute("SELECT a FROM t").fetchall() == [(5,)]

def test_network(sbql_network):
    assert sbql_network.add("A").execute("SELECT 1") == [[(1,)]]
""",
    "test_script.sql": "USE Shop\nGO\nSELECT a, $(n) AS n FROM t\nGO\n--! rows\n--! 5 | 5\n",
    "test_restarted.sql": "USE Shop\nGO\n--! restart\nSELECT a FROM Shop.dbo.t\nGO\n--! rows\n--! 5\n",
    "test_plain.sql": "SELECT 1 / 0\n",
    "test_bad.sql": "SELECT 1 AS a\nGO\n--! rows\n--! 2\n",
    "other.sql": "CREATE DATABASE Shop\nGO\nUSE Shop\nCREATE TABLE t (a int)\nGO\n",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name, text in PROJECT.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def pytest_in(folder: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def test_fixtures_options_and_scripts(project: Path) -> None:
    code, out = pytest_in(project)
    assert code == 1, out
    assert "1 failed, 7 passed" in out
    assert "test_bad.sql:3: the rows differ\n  expected:\n  > --! 2\n  got:\n  > --! 1\n" in out
    assert "Traceback" not in out and "test_plain" not in out


def test_the_command_line_goes_before_the_ini_file(project: Path) -> None:
    code, out = pytest_in(project, "--sbql-setup", "other.sql", "test_python.py", "-k", "own")
    assert code == 1
    assert "assert [] == [(5,)]" in out


@pytest.mark.parametrize(
    ("line", "said"),
    [("sbql_start=never", "sbql_start is a date"), ("sbql_variables=n", "sbql_variables has lines NAME=VALUE")],
)
def test_wrong_options_say_so(project: Path, line: str, said: str) -> None:
    code, out = pytest_in(project, "-o", line, "test_python.py", "-k", "own and 0")
    assert code != 0
    assert said in out


def test_the_plugin_loads_nothing_before_it_is_asked() -> None:
    program = "import sys, sbql.pytest_plugin; print(*[name for name in sys.modules if name.startswith(('sbql.engine', 'duckdb'))])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout.strip() == ""
