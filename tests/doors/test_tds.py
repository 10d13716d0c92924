"""The door of TDS, seen token by token: who is let in, what a batch and a call are answered with, attention, reset, the end."""

from __future__ import annotations

import socket
import struct
import threading
import time as clock
from collections.abc import Iterator
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import HEADERS, WireClient, of, parameter, rpc

import sbql
from sbql.engine.server.doors import Keys
from sbql.engine.server.owner import Server
from sbql.engine.server.tds_door import TdsDoor
from sbql.engine.tds.encoding import encoder
from sbql.engine.tds.login import TDS_74
from sbql.engine.tds.types import type_info
from sbql.grammar.types import DATE, INT, MONEY, NVARCHAR_MAX, SqlType, decimal, nvarchar, varchar

PASSWORD = "Pässwörd-ж漢1"


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        run_in(server, "CREATE DATABASE trade")
        yield server


@pytest.fixture
def port(served: Server) -> int:
    return served.endpoints[1].port


@pytest.fixture
def client(port: int) -> Iterator[WireClient]:
    with WireClient(port, password=PASSWORD) as found:
        yield found


# --- the login ---------------------------------------------------------------------------------------------


def test_the_answer_to_a_login(client: WireClient) -> None:
    kinds = [token[:2] for token in client.greeting]
    assert kinds == [
        ("change", 1), ("info", 5701), ("change", 7), ("change", 2), ("info", 5703), ("login", 0x74000004), ("change", 4), ("done", 0),
    ]  # fmt: skip
    assert of("login", client.greeting)[0][1] == "Microsoft SQL Server"


@pytest.mark.parametrize(
    ("login", "numbers"),
    [
        ({"password": "wrong"}, [18456]),
        ({"user": "nobody", "password": PASSWORD}, [18456]),
        ({"user": "public", "password": ""}, [18456]),
        ({"password": PASSWORD, "database": "nowhere"}, [4060, 18456]),
        ({"password": PASSWORD, "options2": 0x80}, [18452]),
    ],
)
def test_who_is_not_let_in(served: Server, port: int, login: dict[str, Any], numbers: list[int]) -> None:
    with WireClient(port, **login) as client:
        errors = of("error", client.greeting)
        assert [(number, severity) for number, severity, *_ in errors] == [
            (n, 11 if n == 4060 else 14) for n in numbers
        ]
        assert client.greeting[-1][0] == "done"
        with pytest.raises(ConnectionError):
            client.message()


def test_the_log_says_why_and_the_client_does_not_learn_it(served: Server, port: int) -> None:
    run_in(
        served,
        "CREATE LOGIN keyless WITH PASSWORD = 'x'; CREATE LOGIN shut WITH PASSWORD = 'Right-1234'; ALTER LOGIN shut DISABLE;",
    )
    said: list[str] = []
    lines: list[str] = []
    stop = served.instance.listen_log(lambda record: lines.append(record.text))
    for user, password in (("sa", "no"), ("nobody", "no"), ("shut", "Right-1234")):
        with WireClient(port, user=user, password=password) as client:
            said.append(of("error", client.greeting)[0][3].replace(user, "…"))
    assert len(set(said)) == 1
    stop()
    for word in ("password is wrong", "no login", "disabled"):
        assert sum(word in line for line in lines) == 1
    assert all("[CLIENT: 127.0.0.1]" in line for line in lines)


def run_in(served: Server, text: str) -> None:
    session = served.instance.connect()
    try:
        session.run(text)
    finally:
        session.close()


def test_a_login_without_a_password_has_no_way_in_by_network() -> None:
    connection = sbql.connect()
    with sbql.serve(connection, listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        connection.execute("CREATE LOGIN [PC\\me] FROM WINDOWS")
        with WireClient(server.endpoints[1].port, user="PC\\me", password="") as client:
            assert of("error", client.greeting)[0][0] == 18456
        assert connection.execute("SELECT 1").fetchall() == [(1,)]
    connection.close()


@pytest.mark.parametrize(
    ("made", "password"),
    [
        # sha1 and sha512 of "Letmein-1" in UTF-16 and the salt 01020304, as SQL Server 2008 and 2012 keep it
        ("0x0100", "Letmein-1"),
        ("0x0200", "Letmein-1"),
    ],
)
def test_hashes_that_sql_server_has_made(served: Server, port: int, made: str, password: str) -> None:
    import hashlib

    digest = (hashlib.sha1 if made == "0x0100" else hashlib.sha512)(
        password.encode("utf-16-le") + bytes([1, 2, 3, 4])
    ).hexdigest()
    name = f"old{made}"
    run_in(served, f"CREATE LOGIN [{name}] WITH PASSWORD = {made}01020304{digest} HASHED")
    with WireClient(port, user=name, password=password) as client:
        assert of("error", client.greeting) == []
        assert of("row", client.batch("SELECT SUSER_SNAME()")) == [((name,),)]
    with WireClient(port, user=name, password="letmein-1") as client:
        assert of("error", client.greeting)[0][0] == 18456


def test_many_wrong_passwords_take_longer_and_longer(served: Server) -> None:
    from sbql.engine.server.entry import Entry
    from sbql.grammar.errors import SqlError

    waits: list[float] = []

    class Closed(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(round(timeout or 0, 2))
            return False

    entry = Entry(served.instance, Closed())
    for _ in range(12):
        with pytest.raises(SqlError, match="Login failed"):
            entry.check("sa", "wrong", "10.0.0.1")
    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 3.0, 3.0, 3.0]
    waits.clear()
    assert entry.check("SA", PASSWORD, "10.0.0.2") == "sa"
    assert entry.check("sa", PASSWORD, "10.0.0.1") == "sa"
    assert entry.check("sa", PASSWORD, "10.0.0.1") == "sa"
    assert waits == [3.0]


# --- batches -----------------------------------------------------------------------------------------------


def test_a_batch_is_answered_statement_by_statement(client: WireClient) -> None:
    answer = client.batch(
        "CREATE TABLE #t (a int); INSERT INTO #t VALUES (1), (2); SELECT a AS x FROM #t ORDER BY a; PRINT 'hello';"
    )
    assert answer == [
        ("done", 0x11, 0xC3, 2),
        ("columns", [("x", "int")]),
        ("row", (1,)),
        ("row", (2,)),
        ("done", 0x11, 0xC1, 2),
        ("info", 0, 0, 1, "hello", "", 1),
        ("done", 0, 0, 0),
    ]


def test_counts_are_missing_under_nocount_and_results_are_not(client: WireClient) -> None:
    answer = client.batch(
        "SET NOCOUNT ON; CREATE TABLE #n (a int); INSERT INTO #n VALUES (1); SELECT a FROM #n; SELECT a FROM #n"
    )
    assert [token for token in answer if token[0] != "columns"] == [
        ("row", (1,)), ("done", 1, 0xC1, 0), ("row", (1,)), ("done", 0, 0xC1, 0),
    ]  # fmt: skip


def test_the_language_of_a_login_and_of_set_language(port: int) -> None:
    spoken = "SELECT @@LANGUAGE AS l, DATENAME(month, '20260301') AS m, @@DATEFIRST AS d"
    with WireClient(port, password=PASSWORD, language="Deutsch") as client:
        assert [change[1:] for change in of("change", client.greeting) if change[0] == 2] == [("Deutsch", "")]
        assert of("info", client.greeting)[1][3] == "The language setting is now Deutsch."
        assert of("row", client.batch(spoken)) == [(("Deutsch", "März", 1),)]
        answer = client.batch("SET LANGUAGE French")
        assert [token[:2] for token in answer][:2] == [("change", 2), ("info", 5703)]
        assert of("change", answer) == [(2, "Français", "Deutsch")]
        assert of("row", client.batch(spoken, status=8)) == [(("Deutsch", "März", 1),)]
    with WireClient(port, password=PASSWORD, language="Klingon") as client:
        assert of("row", client.batch(spoken)) == [(("us_english", "March", 7),)]
        client.batch("CREATE LOGIN Karl WITH PASSWORD = 'Letmein-1', DEFAULT_LANGUAGE = German")
    for asked, found in (
        ("", ("Deutsch", "März", 1)),
        ("Klingon", ("Deutsch", "März", 1)),
        ("us_english", ("us_english", "March", 7)),
    ):
        with WireClient(port, user="Karl", password="Letmein-1", language=asked) as client:
            assert [change[1:] for change in of("change", client.greeting) if change[0] == 2] == [(found[0], "")]
            assert of("row", client.batch(spoken)) == [(found,)]
            assert of("row", client.batch(spoken, status=8)) == [(found,)]


def test_print_has_its_line_and_procedure(client: WireClient) -> None:
    client.batch("CREATE PROCEDURE #said AS\nPRINT 'in'")
    answer = client.batch("PRINT 'out'\n\nEXEC #said")
    assert [(text, procedure.partition("_")[0], line) for _, _, _, text, procedure, line in of("info", answer)] == [
        ("out", "", 1), ("in", "#said", 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "call",
    [
        lambda client: client.call(10, parameter("", NVARCHAR_MAX, "SET NOCOUNT ON; SELECT 1 AS a")),
        lambda client: client.call(2, parameter("", INT, None, 1), parameter("", NVARCHAR_MAX, "SELECT 1 AS a"), parameter("", INT, 8, 1)),
        lambda client: client.call("sp_executesql", parameter("", NVARCHAR_MAX, "SELECT 1 AS a; SET NOCOUNT ON; SELECT 2 AS a")),
    ],
)  # fmt: skip
def test_a_result_ends_before_the_call_does(client: WireClient, call: Any) -> None:
    """A DONEINPROC behind the rows, counted or not, then RETURNSTATUS and outputs, and DONEPROC at the very end."""
    kinds = [token[0] for token in call(client)]
    assert kinds[-1] == "doneproc" and kinds.count("doneproc") == 1
    assert kinds.index("status") > max(
        place for place, kind in enumerate(kinds) if kind in ("row", "columns", "doneinproc")
    )
    assert kinds.count("doneinproc") >= kinds.count("columns")


def test_an_error_has_its_number_state_line_and_procedure(client: WireClient) -> None:
    client.batch(
        "CREATE PROCEDURE #p AS\nRAISERROR('bad %d', 16, 7, 5);\nRAISERROR('note', 3, 9);\nRAISERROR('ten', 10, 2);"
    )
    answer = client.batch("\nEXEC #p;\nSELECT 1/0;")
    assert of("error", answer) == [
        (50000, 16, 7, "bad 5", "#p", 2), (8134, 16, 1, of("error", answer)[1][3], "", 3),
    ]  # fmt: skip
    assert of("info", answer) == [(50000, 3, 9, "note", "#p", 3), (50000, 0, 2, "ten", "#p", 4)]
    assert [token[:2] for token in answer if token[0].startswith("done")] == [("doneinproc", 3), ("done", 2)]


def test_a_transaction_and_a_database_are_told(client: WireClient) -> None:
    begun = client.batch("BEGIN TRANSACTION")
    assert begun == [("change", 8, b"\x08" + struct.pack("<Q", 1) + b"\0"), ("done", 4, 0, 0)]
    assert client.batch("COMMIT")[0] == ("change", 9, b"\0\x08" + struct.pack("<Q", 1))
    client.batch("BEGIN TRAN")
    assert client.batch("ROLLBACK")[0] == ("change", 10, b"\0\x08" + struct.pack("<Q", 2))
    answer = client.batch("USE tempdb")
    assert [token[:3] for token in answer[:2]] == [("change", 1, "tempdb"), ("info", 5701, 0)]


def test_transaction_requests(client: WireClient) -> None:
    def request(number: int, body: bytes) -> list[tuple[Any, ...]]:
        client.send(14, HEADERS + struct.pack("<H", number) + body)
        return client.answer()

    assert [token[:2] for token in request(5, b"\4\0")] == [("change", 8), ("done", 4)]
    client.batch("CREATE TABLE #kept (a int)")
    assert [token[:2] for token in request(9, b"\2S\0")] == [("done", 4)]
    client.batch("INSERT INTO #kept VALUES (1)")
    assert [token[:2] for token in request(8, b"\2S\0\0")] == [("done", 4)]
    assert [token[:2] for token in request(7, b"\0\1\0\0")] == [("change", 9), ("change", 8), ("done", 4)]
    assert of("row", client.batch("SELECT COUNT(*), @@TRANCOUNT FROM #kept")) == [((0, 1),)]
    assert [token[:2] for token in request(8, b"\0\0")] == [("change", 10), ("done", 0)]
    assert [token[:2] for token in request(8, b"\0\0")] == [("done", 0)]
    assert of("error", request(7, b"\0\0"))[0][0] == 3902
    assert of("error", request(1, b""))[0][0] == 4002


def test_every_type_in_a_result(client: WireClient) -> None:
    """Those that the drivers' tests cannot tell apart."""
    answer = client.batch(
        "SELECT CAST(1 AS tinyint) a, CAST('x' AS char(3)) b, CAST(N'x' AS nchar(3)) c, CAST(1.5 AS money) d, CAST(0x01 AS binary(3)) e, "
        "CAST('2024-01-02' AS smalldatetime) f, CAST('x' AS text) g, CAST(N'ж' AS ntext) h, CAST(0x02 AS image) i, CAST(2 AS sql_variant) j, "
        "CAST('<a/>' AS xml) k, CAST('v' AS varchar(max)) l, CAST(1.25 AS decimal(7,3)) m, CAST('10:11:12.1234567' AS time(7)) n, "
        "SYSDATETIMEOFFSET() o, NULL p, CAST(0x01 AS rowversion) q"
    )
    assert [kind for _, kind in of("columns", answer)[0][0]] == [
        "tinyint", "char(3)", "nchar(3)", "money", "binary(3)", "smalldatetime", "text", "ntext", "image", "sql_variant", "nvarchar(max)", "varchar(max)",
        "decimal(7,3)", "time(7)", "datetimeoffset(7)", "int", "binary(8)",
    ]  # fmt: skip


def test_a_text_that_is_no_text_is_an_error_and_the_connection_goes_on(client: WireClient) -> None:
    client.send(1, HEADERS + b"\0")
    assert of("error", client.answer())[0][:2] == (4002, 16)
    client.send(1, b"\xff\xff\xff\xff")
    assert of("error", client.answer())[0][:2] == (4002, 16)
    assert of("row", client.batch("SELECT N'\U0001f600'")) == [(("\U0001f600",),)]


def test_rows_larger_than_packets(client: WireClient) -> None:
    answer = client.batch(
        "SELECT value, REPLICATE(CAST(N'x' AS nvarchar(max)), 5000) AS t FROM GENERATE_SERIES(1, 300)"
    )
    rows = of("row", answer)
    assert (len(rows), {len(row[0][1]) for row in rows}, rows[-1][0][0]) == (300, {5000}, 300)


# --- calls -------------------------------------------------------------------------------------------------


def test_a_procedure_returns_results_a_code_and_outputs(client: WireClient) -> None:
    client.batch(
        "CREATE PROCEDURE #q @a int, @b decimal(9,2) OUTPUT, @c nvarchar(20) = N'none' OUTPUT AS SELECT @a AS a; SET @b += @a; SET @c += N'!'; RETURN 7;"
    )
    answer = client.call(
        "#q", parameter("@a", INT, 5), parameter("@b", decimal(9, 2), 1, 1), parameter("@c", nvarchar(20), "x", 1)
    )
    assert answer[1:] == [
        ("row", (5,)), ("doneinproc", 0x11, 0xC1, 1), ("status", 7), ("value", 1, "@b", 6), ("value", 2, "@c", "x!"), ("doneproc", 0, 0xE0, 0),
    ]  # fmt: skip
    named = client.call(
        "#q", parameter("@b", decimal(9, 2), 1, 1), parameter("@a", INT, 1), parameter("@c", INT, None, 2)
    )
    assert of("value", named) == [(0, "@b", 2)]


def test_sp_executesql_counts_outputs_among_all_parameters(client: WireClient) -> None:
    text = parameter("", NVARCHAR_MAX, "SELECT @x; SET @y = @x * 2")
    declared = parameter("", nvarchar(100), "@x money, @y money OUTPUT")
    answer = client.call(10, text, declared, parameter("", MONEY, 4), parameter("", MONEY, None, 1))
    assert of("value", answer) == [(3, "", 8)]
    assert of("status", answer) == [(0,)]
    assert of("row", client.call(10, parameter("", nvarchar(20), "SELECT 1"))) == [((1,),)]


def test_prepared_statements(client: WireClient) -> None:
    text, declared = parameter("", nvarchar(100), "SELECT @p + 1"), parameter("", nvarchar(100), "@p int")
    answer = client.call(13, parameter("", INT, None, 1), declared, text, parameter("@p", INT, 1))
    assert (of("row", answer), of("value", answer)) == ([((2,),)], [(0, "", 1)])
    assert of("row", client.call(12, parameter("", INT, 1), parameter("", INT, 41))) == [((42,),)]
    again = client.call(11, parameter("", INT, 1, 1), declared, text, parameter("", INT, 1))
    handle = of("value", again)[0][2]
    assert of("error", client.call(12, parameter("", INT, 99), parameter("", INT, 1)))[0][0] == 8179
    assert of("error", client.call(15, parameter("", INT, handle))) == []
    assert of("error", client.call(12, parameter("", INT, handle), parameter("", INT, 1)))[0][0] == 8179


def test_a_handle_that_comes_in_is_dropped(client: WireClient) -> None:
    """As msodbcsql prepares a statement anew; otherwise a pool's connection would keep them all."""
    text, declared = parameter("", nvarchar(100), "SELECT @p"), parameter("", nvarchar(100), "@p int")
    handle: Any = None
    for value in range(3):
        answer = client.call(13, parameter("", INT, handle, 1), declared, text, parameter("", INT, value))
        assert of("row", answer) == [((value,),)]
        handle = of("value", answer)[0][2]
    assert of("row", client.batch("DECLARE @h int; EXEC sp_prepare @h OUTPUT, N'', N'SELECT 1'; SELECT @h")) == [
        ((handle + 1,),)
    ]


def test_a_prepared_call_of_a_procedure(client: WireClient) -> None:
    client.batch("CREATE PROCEDURE #twice @a int, @b int OUTPUT AS SET @b = @a * 2; SELECT @a; RETURN 5")
    answer = client.call(
        14,
        parameter("", INT, None, 1),
        parameter("", nvarchar(20), "#twice"),
        parameter("", INT, 4),
        parameter("", INT, None, 1),
    )
    assert (of("row", answer), of("status", answer)) == ([((4,),)], [(5,)])
    assert [(place, value) for place, _, value in of("value", answer)] == [(0, 1), (3, 8)]
    again = client.call(12, parameter("", INT, 1), parameter("", INT, 7), parameter("", INT, None, 1))
    assert (of("row", again), of("value", again)) == ([((7,),)], [(2, "", 14)])
    missing = client.call(14, parameter("", INT, None, 1), parameter("", nvarchar(20), "no_such"))
    assert of("error", missing)[0][0] == 2812


def test_several_calls_in_one_message(client: WireClient) -> None:
    client.batch("CREATE TABLE #many (a int NOT NULL)")
    one = rpc(10, parameter("", nvarchar(60), "INSERT INTO #many VALUES (@a)"), parameter("", nvarchar(20), "@a int"))
    calls = b"\xff".join(one + parameter("", INT, value) for value in (1, None, 3))
    client.send(3, HEADERS + calls)
    answer = client.answer()
    assert [token[0] for token in answer] == [
        "doneinproc", "status", "doneproc", "error", "doneinproc", "doneproc", "doneinproc", "status", "doneproc",
    ] or [token[0] for token in answer if token[0] in ("error", "doneproc")] == ["doneproc", "error", "doneproc", "doneproc"]  # fmt: skip
    assert of("row", client.batch("SELECT SUM(a) FROM #many")) == [((4,),)]


def test_a_call_that_fails(client: WireClient) -> None:
    answer = client.call("no_such_procedure", parameter("@a", INT, 1))
    assert of("error", answer)[0][0] == 2812
    assert (of("status", answer), answer[-1][0]) == ([], "doneproc")
    assert of("error", client.call("sp_executesql;1", parameter("", varchar(20), "SELECT 1")))[0][0] == 214
    assert of("row", client.call("[sys].sp_executesql", parameter("", nvarchar(20), "SELECT 1"))) == [((1,),)]


# --- attention and reset -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["WAITFOR DELAY '00:01:00'", "WAITFOR (RECEIVE * FROM q)", "DECLARE @i int = 0; WHILE 1 = 1 SET @i += 1"]
)
def test_attention_ends_what_runs(client: WireClient, text: str) -> None:
    client.batch("USE trade; IF OBJECT_ID('q') IS NULL EXEC ('CREATE QUEUE q')")
    client.batch("BEGIN TRANSACTION")
    client.send(1, HEADERS + f"SELECT 1; {text}; SELECT 2".encode("utf-16-le"))
    clock.sleep(0.05)
    since = clock.monotonic()
    client.attention()
    first = client.answer()
    assert (of("row", first), of("error", first), first[-1][:2]) == ([((1,),)], [], ("done", 4))
    assert client.answer() == [("done", 0x24, 0, 0)]
    assert clock.monotonic() - since < 5
    assert of("row", client.batch("SELECT @@TRANCOUNT")) == [((1,),)]
    client.batch("ROLLBACK")


def test_attention_when_nothing_runs(client: WireClient) -> None:
    client.attention()
    assert client.answer() == [("done", 0x20, 0, 0)]
    assert of("row", client.batch("SELECT 3")) == [((3,),)]


def test_a_request_that_the_client_gave_up(client: WireClient) -> None:
    client.send(1, HEADERS + "SELECT 1".encode("utf-16-le"), status=2)
    assert client.answer() == [("done", 2, 0, 0)]


def test_reset_makes_the_session_as_it_was(client: WireClient) -> None:
    client.batch(
        "SET NOCOUNT ON; CREATE TABLE #gone (a int); BEGIN TRANSACTION; USE tempdb; SET LANGUAGE German; EXEC sp_set_session_context 'k', 1"
    )
    answer = client.batch(
        "SELECT @@TRANCOUNT, DB_NAME(), OBJECT_ID('tempdb..#gone'), @@LANGUAGE, SESSION_CONTEXT(N'k')", status=8
    )
    assert [token[:2] for token in answer[:4]] == [("change", 10), ("change", 1), ("change", 2), ("change", 18)]
    assert of("row", answer)[0][0][:4] == (0, "master", None, "us_english")


def until_it_waits(other: WireClient, spid: int) -> None:
    """KILL of a session whose batch has not begun ends the connection without a word."""
    waits = f"SELECT COUNT(*) FROM sys.dm_exec_requests WHERE session_id = {spid} AND command LIKE 'WAITFOR%'"
    end = clock.monotonic() + 20
    while of("row", other.batch(waits)) != [((1,),)]:
        assert clock.monotonic() < end
        clock.sleep(0.01)


def test_a_connection_keeps_its_number_through_resets(client: WireClient, port: int) -> None:
    """So do locks, waits and KILL, which go by it."""
    spid = of("row", client.batch("SELECT @@SPID"))[0][0][0]
    others = "SELECT COUNT(*) FROM sys.dm_exec_sessions WHERE session_id = @@SPID; SELECT @@SPID"
    for ask in (
        lambda text: client.batch(text, status=8),
        lambda text: (client.call("sp_reset_connection"), client.batch(text))[1],
    ):
        client.batch("EXEC sp_getapplock 'mine', 'Exclusive', 'Session'; CREATE TABLE #gone (a int)")
        assert of("row", ask(others)) == [((1,),), ((spid,),)]
        assert of("row", client.batch("SELECT APPLOCK_MODE('public', 'mine', 'Session')")) == [(("NoLock",),)]
    client.send(1, HEADERS + "WAITFOR DELAY '01:00'".encode("utf-16-le"))
    with WireClient(port, password=PASSWORD) as killer:
        assert of("row", killer.batch("SELECT @@SPID"))[0][0][0] != spid
        until_it_waits(killer, spid)
        killer.batch(f"KILL {spid}")
    assert of("error", client.answer())[0][:2] == (596, 21)


def test_a_pool_may_reset_by_a_call(client: WireClient) -> None:
    """That of pytds does. It is a procedure of the protocol, none of T-SQL."""
    client.batch("CREATE TABLE #gone (a int); BEGIN TRANSACTION; USE tempdb")
    answer = client.call("sp_reset_connection")
    assert [token[:2] for token in answer] == [("change", 10), ("change", 1), ("status", 0), ("doneproc", 0)]
    assert of("row", client.batch("SELECT @@TRANCOUNT, DB_NAME(), OBJECT_ID('tempdb..#gone')")) == [
        ((0, "master", None),)
    ]
    assert of("error", client.batch("EXEC sp_reset_connection"))[0][0] == 2812


def test_a_client_that_is_gone_leaves_nothing(served: Server, port: int) -> None:
    run_in(served, "USE trade; CREATE TABLE held (a int); CREATE QUEUE gone_q;")
    for text in (
        "WAITFOR DELAY '01:00'",
        "WAITFOR (RECEIVE * FROM gone_q)",
        "SELECT 1",
        "DECLARE @i int = 0; WHILE 1 = 1 SET @i += 1",
    ):
        client = WireClient(port, password=PASSWORD, database="trade")
        client.send(1, HEADERS + f"BEGIN TRANSACTION; INSERT INTO held VALUES (1); {text}".encode("utf-16-le"))
        clock.sleep(0.05)
        client.close()
        end = clock.monotonic() + 20
        while any(
            one.client.program_name == "sbql" and one.trancount for one in list(served.instance.sessions.values())
        ):
            assert clock.monotonic() < end, text
            clock.sleep(0.01)
    session = served.instance.connect()
    outcomes = session.run("SET LOCK_TIMEOUT 0; USE trade; SELECT COUNT(*) FROM held WITH (UPDLOCK)")
    session.close()
    assert next(o.rows for o in outcomes if hasattr(o, "rows")) == [(0,)]


def test_kill_reaches_a_client_that_waits(served: Server, client: WireClient, port: int) -> None:
    spid = of("row", client.batch("SELECT @@SPID"))[0][0][0]
    client.send(1, HEADERS + "WAITFOR DELAY '01:00'".encode("utf-16-le"))
    with WireClient(port, password=PASSWORD) as killer:
        until_it_waits(killer, spid)
        killer.batch(f"KILL {spid}")
    assert of("error", client.answer())[0][:2] == (596, 21)
    with pytest.raises(ConnectionError):
        client.message()


# --- limits ------------------------------------------------------------------------------------------------


def test_rubbish_ends_the_connection_and_nothing_else(port: int, client: WireClient) -> None:
    for first in (b"GET / HTTP/1.1\r\n\r\n", bytes(100), b"\x16\x03\x01\x00\x05hello", b"\x12\x01\x00\x09\0\0\0\0\0"):
        with socket.create_connection(("127.0.0.1", port), timeout=20) as sock:
            sock.sendall(first)
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(4096):
                pass
    assert of("row", client.batch("SELECT 1")) == [((1,),)]


def until_it_ends(client: WireClient) -> None:
    """Raises TimeoutError when it does not."""
    try:
        while True:
            client.message()
    except ConnectionError:
        pass


def test_the_end_of_the_server_ends_connections() -> None:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        client = WireClient(server.endpoints[1].port, password=PASSWORD)
        waiting = WireClient(server.endpoints[1].port, password=PASSWORD)
        waiting.send(1, HEADERS + "WAITFOR DELAY '01:00'".encode("utf-16-le"))
        clock.sleep(0.05)
        server.stop(0)
        for one in (client, waiting):
            until_it_ends(one)
            one.close()


def test_on_a_virtual_clock_a_wait_takes_no_time() -> None:
    text = "DECLARE @d datetime2 = SYSDATETIME(); WAITFOR DELAY '23:00'; SELECT DATEDIFF(hour, @d, SYSDATETIME())"
    with (
        sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD, clock="auto") as server,
        WireClient(server.endpoints[1].port, password=PASSWORD) as client,
    ):
        assert of("row", client.batch(text)) == [((23,),)]
        assert of("error", client.batch("SELECT * FROM nowhere"))[0][0] == 208


def test_dates_of_a_call(client: WireClient) -> None:
    import datetime as dt

    value = dt.date(2024, 2, 29)
    answer = client.call(
        10,
        parameter("", nvarchar(20), "SELECT @d"),
        parameter("", nvarchar(20), "@d date"),
        parameter("@d", DATE, value),
    )
    assert of("row", answer) == [((value,),)]


# --- table-valued parameters -------------------------------------------------------------------------------


def table(name: str, type_name: str, columns: list[tuple[SqlType, bool]], rows: list[tuple[Any, ...]]) -> bytes:
    """A table-valued parameter; a column that is True takes its default."""

    def text(value: str) -> bytes:
        return bytes([len(value)]) + value.encode("utf-16-le")

    described = b"".join(
        struct.pack("<IH", 0, 0x0200 if by_default else 1) + type_info(kind, TDS_74) + b"\0"
        for kind, by_default in columns
    )
    sent = [kind for kind, by_default in columns if not by_default]
    body = b"".join(b"\x01" + b"".join(encoder(k, TDS_74)(v) for k, v in zip(sent, row, strict=True)) for row in rows)
    count = struct.pack("<H", len(columns) or 0xFFFF)
    return (
        text(name)
        + b"\0\xf3"
        + text("")
        + text("dbo" if type_name else "")
        + text(type_name)
        + count
        + described
        + b"\0"
        + body
        + b"\0"
    )


@pytest.fixture(scope="module")
def lines(served: Server) -> str:
    """A table type and a procedure that takes it."""
    run_in(
        served,
        "USE trade; EXEC ('CREATE TYPE Lines AS TABLE (id int IDENTITY, item nvarchar(20) NOT NULL, amount decimal(9,2) DEFAULT 1, twice AS amount * 2, "
        "CHECK (amount > 0))'); EXEC ('CREATE PROCEDURE TakeLines @shop int, @lines Lines READONLY AS SELECT id, item, amount, twice FROM @lines ORDER BY id');",
    )
    return "TakeLines"


TWO = [(nvarchar(20), False), (decimal(9, 2), False)]


def test_a_table_goes_to_a_procedure(port: int, lines: str) -> None:
    with WireClient(port, password=PASSWORD, database="trade") as client:
        for type_name in ("Lines", ""):
            answer = client.call(
                lines, parameter("@shop", INT, 1), table("@lines", type_name, TWO, [("ж", 2), ("b", None)])
            )
            assert of("row", answer) == [((1, "ж", 2, 4),), ((2, "b", None, None),)]
        all_columns = [(INT, True), (nvarchar(20), False), (decimal(9, 2), True), (decimal(9, 2), True)]
        answer = client.call(lines, parameter("@shop", INT, 1), table("@lines", "Lines", all_columns, [("x",)]))
        assert of("row", answer) == [((1, "x", 1, 2),)]
        assert of("row", client.call(lines, parameter("@shop", INT, 1), table("@lines", "Lines", [], []))) == []
        text = (
            parameter("", nvarchar(100), "SELECT COUNT(*) FROM @t"),
            parameter("", nvarchar(100), "@t dbo.Lines READONLY"),
        )
        assert of("row", client.call(10, *text, table("@t", "Lines", TWO, [("a", 1)] * 3))) == [((3,),)]


@pytest.mark.parametrize(
    ("type_name", "columns", "rows", "number"),
    [
        ("Lines", TWO, [("a", -1)], 547),
        ("Lines", TWO, [(None, 1)], 515),
        ("Lines", [(nvarchar(40), False), (decimal(9, 2), False)], [("x" * 30, 1)], 2628),
        ("Lines", [(INT, False)], [(1,)], 500),
        ("Nothing", TWO, [("a", 1)], 2715),
    ],
)
def test_a_table_that_does_not_fit(port: int, lines: str, type_name: str, columns: Any, rows: Any, number: int) -> None:
    with WireClient(port, password=PASSWORD, database="trade") as client:
        answer = client.call(lines, parameter("@shop", INT, 1), table("@lines", type_name, columns, rows))
        assert [error[0] for error in of("error", answer)] == [number]
        assert of("row", client.batch("SELECT @@TRANCOUNT")) == [((0,),)]


# --- bulk load ---------------------------------------------------------------------------------------------


def bulk(columns: list[SqlType], rows: list[tuple[Any, ...]], *, with_bitmap: bool = False) -> bytes:
    described = b"".join(struct.pack("<IH", 0, 9) + type_info(kind, TDS_74) + b"\0" for kind in columns)
    body = b""
    for row in rows:
        if with_bitmap:
            bits = sum(1 << i for i, value in enumerate(row) if value is None)
            values = b"".join(encoder(k, TDS_74)(v) for k, v in zip(columns, row, strict=True) if v is not None)
            body += b"\xd2" + bits.to_bytes((len(row) + 7) // 8, "little") + values
        else:
            body += b"\xd1" + b"".join(encoder(k, TDS_74)(v) for k, v in zip(columns, row, strict=True))
    return struct.pack("<BH", 0x81, len(columns)) + described + body + b"\xfd" + bytes(12)


def load(
    client: WireClient, text: str, columns: list[SqlType], rows: list[tuple[Any, ...]], **how: Any
) -> list[tuple[Any, ...]]:
    announced = client.batch(text)
    if of("error", announced):
        return announced
    assert announced in ([("done", 0, 0, 0)], [("done", 4, 0, 0)])
    client.send(7, bulk(columns, rows, **how))
    return client.answer()


THREE = [INT, nvarchar(20), varchar(36)]
SHAPE = "CREATE TABLE #b (id int IDENTITY, n int CHECK (n > 0), s nvarchar(5) DEFAULT N'none', g uniqueidentifier)"
GUID = "00112233-4455-6677-8899-aabbccddeeff"


@pytest.mark.parametrize("with_bitmap", [False, True])
def test_rows_in_bulk(client: WireClient, with_bitmap: bool) -> None:
    client.batch(SHAPE)
    text = "INSERT BULK #b ([n] int, s nvarchar(20) COLLATE SQL_Latin1_General_CP1_CI_AS, g char(36)) WITH (TABLOCK, ROWS_PER_BATCH = 3)"
    answer = load(client, text, THREE, [(1, "ж", GUID), (-2, None, None)], with_bitmap=with_bitmap)
    assert answer == [("done", 0x10, 0xF0, 2)]
    rows = of("row", client.batch("SELECT id, n, s, CAST(g AS char(36)) FROM #b ORDER BY id"))
    assert rows == [((1, 1, "ж", GUID.upper()),), ((2, -2, "none", None),)]


def test_options_of_rows_in_bulk(client: WireClient) -> None:
    client.batch(SHAPE)
    two = [INT, nvarchar(20)]
    assert (
        of("error", load(client, "INSERT BULK #b (n int, s nvarchar(20)) WITH (CHECK_CONSTRAINTS)", two, [(-1, None)]))[
            0
        ][0]
        == 547
    )
    load(client, "INSERT BULK #b (n int, s nvarchar(20)) WITH (KEEP_NULLS)", two, [(1, None)])
    load(client, "INSERT BULK #b (id int, n int)", [INT, INT], [(70, 7)])
    assert of("row", client.batch("SELECT id, n, s FROM #b WHERE n > 0 ORDER BY n"))[0][0][1:] == (1, None)
    assert of("row", client.batch("SELECT id FROM #b WHERE n = 7")) == [((70,),)]


@pytest.mark.parametrize(
    ("text", "columns", "row", "number"),
    [
        ("INSERT BULK nowhere (n int)", [INT], (1,), 208),
        ("INSERT BULK #b (x int)", [INT], (1,), 207),
        ("INSERT BULK #b (n int) WITH (NONSENSE)", [INT], (1,), 40517),
        ("INSERT BULK #b (n int)", [INT, INT], (1, 2), 4815),
        ("INSERT BULK #b (s nvarchar(20))", [nvarchar(20)], ("too long",), 2628),
        ("INSERT BULK #b (g char(36))", [varchar(36)], ("no guid",), 8169),
    ],
)
def test_rows_in_bulk_that_do_not_fit(
    client: WireClient, text: str, columns: list[SqlType], row: Any, number: int
) -> None:
    client.batch(SHAPE)
    answer = load(client, text, columns, [row])
    assert [error[0] for error in of("error", answer)] == [number]
    assert of("row", client.batch("SELECT COUNT(*), @@TRANCOUNT FROM #b")) == [((0, 0),)]


@pytest.mark.parametrize(
    ("options", "wrong", "number", "goes_on"),
    [
        (" WITH (CHECK_CONSTRAINTS)", (-1, "s", None), 547, True),
        ("", (1, "too long", None), 2628, True),
        ("", (1, "s", "no guid"), 8169, False),  # as elsewhere, a failed conversion ends the batch and its transaction
    ],
)
@pytest.mark.parametrize("place", [0, 2_500, 4_999])
def test_rows_in_bulk_one_of_which_is_wrong(
    client: WireClient, options: str, wrong: tuple[Any, ...], number: int, goes_on: bool, place: int
) -> None:
    """It fails as a whole, wherever the row stands, and the connection goes on."""
    client.batch(SHAPE)
    rows: list[tuple[Any, ...]] = [(n + 1, "s", None) for n in range(5_000)]
    rows[place] = wrong
    client.batch("BEGIN TRANSACTION; INSERT INTO #b (n) VALUES (7)")
    text = f"INSERT BULK #b (n int, s nvarchar(20), g char(36)){options}"
    answer = load(client, text, THREE, rows)
    assert ([error[0] for error in of("error", answer)], answer[-1][:2]) == ([number], ("done", 6 if goes_on else 2))
    left = (1, 7, 1) if goes_on else (0, None, 0)
    assert of("row", client.batch("SELECT COUNT(*), MIN(n), @@TRANCOUNT FROM #b")) == [(left,)]
    rows[place] = (1, "s", None)
    assert load(client, text, THREE, rows)[-1][2:] == (0xF0, 5_000)


def test_rows_that_are_announced_and_do_not_come(client: WireClient) -> None:
    client.batch(SHAPE)
    client.batch("INSERT BULK #b (n int)")
    assert of("error", client.batch("SELECT 1"))[0][0] == 4022
    assert of("row", client.batch("SELECT 1")) == [((1,),)]
    client.send(7, bulk([INT], [(1,)]))
    assert of("error", client.answer())[0][0] == 4002
    with sbql.connect() as connection, pytest.raises(sbql.Error, match="4022"):
        connection.execute("CREATE TABLE #c (n int); INSERT BULK #c (n int)")


class Faulty:
    """The server with sessions in which everything fails."""

    def __init__(self, server: Server) -> None:
        self._server = server

    def __getattr__(self, name: str) -> Any:
        return getattr(self._server, name)

    def attach(self, *who: Any) -> Any:
        return FaultySession(self._server.attach(*who))


class FaultySession:
    def __init__(self, session: Any) -> None:
        self._session = session

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    def run(self, begin: Any, show: Any) -> None:
        raise ZeroDivisionError("a fault")


def test_a_fault_is_an_internal_error_and_the_server_stays(served: Server) -> None:
    lines: list[str] = []
    stop = served.instance.listen_log(lambda record: lines.append(record.text) if record.number == 3624 else None)
    door = TdsDoor(Faulty(served), "127.0.0.1", 0, keys=Keys())  # type: ignore[arg-type]
    port = door.open().port
    try:
        for _ in range(2):
            with WireClient(port, password=PASSWORD) as client:
                assert of("error", client.batch("SELECT 1"))[0][:2] == (3624, 20)
                with pytest.raises(ConnectionError):
                    client.message()
    finally:
        stop()
        door.close(5)
    assert [("a fault" in line, "127.0.0.1" in line) for line in lines] == [(True, True)] * 2
