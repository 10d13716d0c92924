"""A store that one process owns and others reach: real processes, real sockets."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from queue import SimpleQueue

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import ServerProcess, run, server

import sbql
from sbql.engine.outcomes import ErrorOutcome, InfoMessage, Outcome, ResultSet
from sbql.engine.server.client import Client, client_at, client_of_store, forget
from sbql.engine.server.endpoint import endpoint_path
from sbql.engine.server.remote_session import RemoteSession
from sbql.repl.cli import main


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with server("--store", tmp_path_factory.mktemp("served") / "s.duckdb") as found:
        yield found


@pytest.fixture
def client(owner: ServerProcess) -> Client:
    found = client_of_store(owner.store)
    assert found is not None
    return found


@pytest.fixture
def session(client: Client) -> Iterator[RemoteSession]:
    found = client.session()
    yield found
    found.close()


def rows(outcomes: list[Outcome]) -> list[tuple[object, ...]]:
    return next(outcome.rows for outcome in outcomes if isinstance(outcome, ResultSet))


def numbers(outcomes: list[Outcome]) -> list[int]:
    return [outcome.error.number for outcome in outcomes if isinstance(outcome, ErrorOutcome)]


# --- the owner's life --------------------------------------------------------------------------------------


def test_the_endpoint_file_says_where_the_owner_is_and_goes_with_it(tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"
    with server("--store", store) as owner:
        path = Path(endpoint_path(store))
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        found = json.loads(path.read_text())
        assert (found["pid"], found["host"]) == (owner.pid, "127.0.0.1")
        assert owner.url == f"grpc://127.0.0.1:{found['port']}"
        done = run("ping", "--store", store)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"serves {store} at {owner.url} (process {owner.pid}, 0 sessions)" in done.stdout
        code, errors = owner.terminate()
        assert (code, errors) == (0, "")
        assert not path.exists()
    done = run("ping", "--store", store)
    assert (done.returncode, done.stdout) == (1, "")
    assert "sbql serve --store" in done.stderr


def test_the_end_gives_running_statements_a_time_and_folds(tmp_path: Path) -> None:
    """A statement that runs is finished; a wait for messages is not waited for; what was committed is in the tables."""
    store = tmp_path / "s.duckdb"
    with server("--store", store, "--grace", "60") as owner:
        client = client_of_store(store)
        assert client is not None
        worker, waiter = client.session(), client.session()
        worker.run("CREATE DATABASE d")
        for each in (worker, waiter):
            each.run("USE d")
        worker.run("CREATE TABLE t (n int); CREATE QUEUE q")
        said: SimpleQueue[Outcome] = SimpleQueue()
        results: dict[str, list[Outcome]] = {}

        def work() -> None:
            text = "INSERT t VALUES (1); PRINT 'runs'; WAITFOR DELAY '00:00:01'; INSERT t VALUES (2)"
            results["worker"] = worker.run(text, sink=said.put)

        def wait() -> None:
            results["waiter"] = waiter.run("PRINT 'waits'; WAITFOR (RECEIVE * FROM q), TIMEOUT 600000", sink=said.put)

        threads = [threading.Thread(target=target) for target in (work, wait)]
        for thread in threads:
            thread.start()
        texts: set[str] = set()
        while texts != {"runs", "waits"}:
            outcome = said.get(timeout=60)
            texts |= {outcome.text} if isinstance(outcome, InfoMessage) else set()
        assert owner.terminate()[0] == 0
        for thread in threads:
            thread.join()
        assert numbers(results["worker"]) == []
        assert numbers(results["waiter"]) in ([596], [10054])
        forget(client)
    with sbql.connect(store, "d") as connection:
        assert connection.execute("SELECT n FROM t ORDER BY n").fetchall() == [(1,), (2,)]


def test_a_large_result_is_in_the_memory_of_who_asked_for_it(owner: ServerProcess, session: RemoteSession) -> None:
    def most() -> int:
        return int(Path(f"/proc/{owner.pid}/status").read_text().partition("VmHWM:")[2].split()[0])

    if not Path("/proc/self/status").exists():
        pytest.skip("this system does not show the memory of processes in /proc")
    session.run("SELECT 1")
    before = most()
    found = rows(session.run("SELECT value, REPLICATE('x', 100) FROM GENERATE_SERIES(1, 300000)"))
    assert len(found) == 300_000
    assert most() - before < 40_000


def test_a_second_signal_hurries(tmp_path: Path) -> None:
    with server("--store", tmp_path / "s.duckdb", "--grace", "600") as owner:
        client = client_of_store(owner.store)
        assert client is not None
        session, said = client.session(), threading.Event()
        text = "PRINT 'runs'; WAITFOR DELAY '01:00:00'"
        results: list[Outcome] = []
        thread = threading.Thread(target=lambda: results.extend(session.run(text, sink=lambda outcome: said.set())))
        thread.start()
        assert said.wait(60)
        owner.process.terminate()
        while os.path.exists(endpoint_path(owner.store)):  # the end has begun
            assert owner.process.poll() is None
        assert owner.terminate()[0] == 0
        thread.join()
        assert numbers(results) in ([596], [10054])
        forget(client)


def test_a_store_in_memory_is_served_too() -> None:
    with server() as owner:
        assert owner.store == "a store in memory"
        token = owner.token()
        done = run("ping", "--endpoint", owner.url, SBQL_TOKEN=token)
        assert (done.returncode, "serves a store in memory" in done.stdout) == (0, True)
        done = run("ping", "--endpoint", owner.url, SBQL_TOKEN="not it")
        assert (done.returncode, "does not know this token" in done.stderr) == (1, True)


@pytest.mark.parametrize("spelling", [["./serve"], ["-i", "serve"]])
def test_a_script_of_that_name_is_reached_by_its_path(
    spelling: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("serve").write_text("PRINT 'the file'")
    assert main(spelling) == 0
    assert capfd.readouterr().out == "the file\n"


def test_a_connection_can_be_served(tmp_path: Path) -> None:
    """An engine in the program's own process: others come in, and the store closes when both are done with it."""
    store = tmp_path / "s.duckdb"
    connection = sbql.connect(store)
    connection.execute("CREATE TABLE t (n int); INSERT t VALUES (7)")
    with sbql.serve(connection) as served:
        assert served.endpoint.pid == os.getpid()
        connection.close()  # the server keeps the store
        done = run("ping", "--store", store)
        assert done.returncode == 0
        session = client_at(served.endpoint).session()
        assert rows(session.run("SELECT n FROM t")) == [(7,)]
    assert not os.path.exists(endpoint_path(store))
    with sbql.connect(store) as connection:
        assert connection.execute("SELECT n FROM t").fetchall() == [(7,)]


# --- sessions ----------------------------------------------------------------------------------------------


def test_outcomes_come_as_they_happen(session: RemoteSession) -> None:
    """PRINT is here while the batch still runs: only its cancelling ends it."""
    said: SimpleQueue[Outcome] = SimpleQueue()
    results: list[Outcome] = []
    text = "PRINT 'one'; SELECT 2 AS n; WAITFOR DELAY '01:00:00'; PRINT 'never'"
    thread = threading.Thread(target=lambda: results.extend(session.run(text, sink=said.put)))
    thread.start()
    first, second, third = (said.get(timeout=60) for _ in range(3))
    assert isinstance(first, InfoMessage) and first.text == "one"
    assert isinstance(second, ResultSet) and second.rows == [(2,)]
    assert third is not None and thread.is_alive()
    session.cancel()
    thread.join()
    assert numbers(results) == [3617]
    assert rows(session.run("SELECT 1")) == [(1,)]


def test_transactions_live_in_the_session(client: Client, session: RemoteSession) -> None:
    session.run("CREATE TABLE tx (n int IDENTITY(5, 1), a int)")
    session.run("BEGIN TRAN; INSERT tx VALUES (1)")
    assert (session.trancount, session.identity) == (1, 5)
    session.run("ROLLBACK")
    assert rows(session.run("SELECT COUNT(*) FROM tx")) == [(0,)]
    other = client.session()
    other.run("BEGIN TRAN; INSERT tx VALUES (2)")
    other.close()  # rolls back
    assert rows(session.run("SELECT COUNT(*) FROM tx")) == [(0,)]


def test_errors_bring_number_severity_state_line_and_procedure(session: RemoteSession) -> None:
    session.run("CREATE PROCEDURE p AS\nBEGIN\n  RAISERROR('no', 14, 9)\nEND")
    (error,) = [o.error for o in session.run("SELECT 1\nEXEC p") if isinstance(o, ErrorOutcome)]
    assert (error.number, error.severity, error.state, error.line, error.message) == (50000, 14, 9, 3, "no")
    assert error.procedure == "p"
    (error,) = [o.error for o in session.run("PRINT 'a'\nSELEC 1") if isinstance(o, ErrorOutcome)]
    assert (error.number, error.line, error.column > 0) == (102, 2, True)


def test_a_client_that_is_killed_takes_its_session_along(
    owner: ServerProcess, client: Client, session: RemoteSession
) -> None:
    """In a wait, and idle with an open transaction: the locks are free afterwards."""
    session.run("CREATE TABLE killed (n int PRIMARY KEY)")
    code = (
        "import sys; from sbql.engine.server.client import client_of_store\n"
        f"session = client_of_store({owner.store!r}).session()\n"
        "session.run('BEGIN TRAN; INSERT killed VALUES (1)')\n"
        "print('ready', flush=True)\n"
        "if sys.argv[1] == 'waits': session.run('WAITFOR DELAY ''10:00:00'''.replace(\"''\", \"'\"))\n"
        "sys.stdin.read()"
    )
    import subprocess
    import sys

    for kind in ("idle", "waits"):
        child = subprocess.Popen(
            [sys.executable, "-c", code, kind], stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
        )
        assert child.stdout is not None and child.stdout.readline() == "ready\n"
        child.kill()
        child.communicate()
        # Waits for the dead client's lock, which goes with its session.
        assert numbers(session.run("SET LOCK_TIMEOUT 60000; INSERT killed VALUES (1); DELETE killed")) == []


# --- trouble -----------------------------------------------------------------------------------------------


def test_an_owner_that_is_killed(tmp_path: Path) -> None:
    """Its clients are told, in a wait and idle; its endpoint file is stale, and the next owner replaces it."""
    store = tmp_path / "s.duckdb"
    with server("--store", store) as owner:
        client = client_of_store(store)
        assert client is not None
        waiting, idle, said = client.session(), client.session(), threading.Event()
        waiting.run("CREATE TABLE t (n int); INSERT t VALUES (1)")
        results: list[Outcome] = []
        text = "PRINT 'waits'; WAITFOR DELAY '01:00:00'"
        thread = threading.Thread(target=lambda: results.extend(waiting.run(text, sink=lambda outcome: said.set())))
        thread.start()
        assert said.wait(60)
        owner.kill()
        thread.join(60)
        assert numbers(results) == [10054]
        assert numbers(idle.run("SELECT 1")) == [10054]
        assert waiting.is_ended and idle.is_ended
        with pytest.raises(sbql.SqlError) as raised:
            client.session()
        assert raised.value.number in (10054, 10061)
        assert os.path.exists(endpoint_path(store))
        assert client_of_store(store) is None
        forget(client)
    with server("--store", store) as owner:
        again = client_of_store(store)
        assert again is not None and again.ping().pid == owner.pid
        assert rows(again.session().run("SELECT n FROM t")) == [(1,)]
        forget(again)


def test_a_port_that_is_taken(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["serve", "--port", str(port)]) == 1
    said = capfd.readouterr()
    assert said.out == ""
    assert f"cannot listen on port {port}" in said.err and "Choose another" in said.err


def test_a_store_that_is_served_has_one_owner(owner: ServerProcess, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--store", owner.store]) == 1
    assert "open in another process" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("not json", "it is damaged"),
        ('{"host": "127.0.0.1"}', "it is damaged"),
        ('{"host": "127.0.0.1", "port": 1, "format": 99}', "format 99"),
    ],
)
def test_endpoint_files_that_cannot_be_read(
    text: str, words: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "s.duckdb"
    Path(endpoint_path(store)).write_text(text)
    assert main(["ping", "--store", str(store)]) == 1
    assert words in capfd.readouterr().err


def test_an_endpoint_file_that_was_copied_along_is_stale(owner: ServerProcess, tmp_path: Path) -> None:
    """A copy of a store is no door to the original."""
    copy = tmp_path / "copy.duckdb"
    copy.write_bytes(b"")
    Path(endpoint_path(copy)).write_bytes(Path(endpoint_path(owner.store)).read_bytes())
    assert client_of_store(copy) is None


@pytest.mark.filterwarnings("ignore:.*multi-threaded, use of fork:DeprecationWarning")
def test_a_child_of_a_client_is_told_to_start_anew(client: Client, session: RemoteSession) -> None:
    """Arrow's threads do not come along: instead of a hang, an error."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            assert [o.error.number for o in session.run("SELECT 1")] == []
        except sbql.SqlError as error:
            session.close()
            try:
                client_at(client.endpoint)
            except sbql.SqlError as second:
                os.write(writing, f"{error.number} {second.message}".encode())
        finally:
            os._exit(0)
    os.close(writing)
    os.waitpid(child, 0)
    with os.fdopen(reading) as said:
        text = said.read()
    assert text.startswith("596") and "spawn" in text
    assert rows(session.run("SELECT 1")) == [(1,)]


SERVES_AND_FORKS = """
import os, sys, sbql
path = sys.argv[1]
with sbql.serve(path):
    connection = sbql.connect(path)
    pid = os.fork()
    if pid == 0:
        sys.exit(7)  # with all that a process does at its end
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
    assert connection.execute("SELECT 1").fetchall() == [(1,)]
print("good", flush=True)
os._exit(0)
"""


def test_a_child_of_an_owner_ends(tmp_path: Path) -> None:
    """It waited for the threads of the parent's server, which it has not."""
    command = [sys.executable, "-c", SERVES_AND_FORKS, str(tmp_path / "s.duckdb")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stdout) == (0, "good\n"), done.stderr
    assert not Path(endpoint_path(tmp_path / "s.duckdb")).exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["serve", "--port", "70000"], "--port"),
        (["serve", "--grace", "-1"], "--grace"),
        (["serve", "--host", "example.org"], "add --tls"),
        (["serve", "--certificate", "a.pem"], "--certificate goes with --key"),
        (["serve", "--certificate", "missing.pem", "--key", "missing.pem"], "missing.pem: No such file"),
        (["serve", "script.sql"], "script.sql"),
        (["serve", "--tokens", "missing"], "No such file"),
        (["ping"], "--store FILE or --endpoint URL"),
        (["ping", "--endpoint", "example"], "grpc://host:port"),
        (["ping", "--endpoint", "grpc://127.0.0.1:1"], "No server answers"),
    ],
)
def test_command_lines_that_cannot_be(arguments: list[str], words: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(arguments) == 1
    said = capfd.readouterr()
    assert said.out == ""
    assert words in said.err and "Traceback" not in said.err


# --- values ------------------------------------------------------------------------------------------------


def test_every_type_comes_back_as_it_is(session: RemoteSession) -> None:
    """What the owner's own sessions give, the client's gives too: types, values and their Python classes."""
    text = """
        SELECT CAST(1 AS bit) a, CAST(255 AS tinyint) b, CAST(-5 AS smallint) c, 2147483647 d, CAST(-9223372036854775808 AS bigint) e,
               CAST(1.50 AS decimal(9, 4)) f, CAST(-0.01 AS money) g, CAST(1.5e308 AS float) h, CAST(0.1 AS real) i, N'\U0001f9ea' j, 'x' k,
               CAST('ab' AS char(5)) l, 0x00FF m, CAST('0001-01-01' AS date) n, CAST('23:59:59.9999999' AS time) o,
               CAST('9999-12-31T23:59:59.9999999' AS datetime2) p, CAST('2026-01-01T00:00:00.003' AS datetime) q,
               CAST('2026-01-01T12:00:00.1234567-05:30' AS datetimeoffset) r, CAST('6F9619FF-8B86-D011-B42D-00C04FC964FF' AS uniqueidentifier) s,
               CAST('<a/>' AS xml) t, CAST(CAST(1.20 AS decimal(5, 2)) AS sql_variant) u, NULL v, NCHAR(0xD800) + N'a' w
    """
    with sbql.connect() as connection:
        (expected,) = [o for o in connection.run(text) if isinstance(o, ResultSet)]
    (got,) = [o for o in session.run(text) if isinstance(o, ResultSet)]
    assert list(got.columns) == list(expected.columns)
    assert repr(got.rows) == repr(expected.rows)


@pytest.mark.parametrize("count", [0, 1, 1999, 2000, 2001, 4001])
def test_result_sets_of_every_length(session: RemoteSession, count: int) -> None:
    text = (
        f"SELECT value, CAST(value AS varchar(10)) FROM GENERATE_SERIES(1, 5000) WHERE value <= {count} ORDER BY value"
    )
    outcomes = session.run(text)
    assert rows(outcomes) == [(n, str(n)) for n in range(1, count + 1)]


def test_parameters_keep_their_types(session: RemoteSession) -> None:
    from sbql.values import parameters_of

    given = parameters_of({"a": 5, "b": None, "c": "x", "d": b"\x00", "e": 1.5, "f": "\ud800"})
    text = "SELECT @a, @b, @c, @d, @e, @f, CAST(SQL_VARIANT_PROPERTY(@a, 'BaseType') AS varchar(10))"
    assert rows(session.run(text, parameters=given)) == [(5, None, "x", b"\x00", 1.5, "\ud800", "int")]
