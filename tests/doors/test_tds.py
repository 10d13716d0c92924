"""The door of TDS, seen token by token: what a batch, a request of a transaction and a call are answered with."""

from __future__ import annotations

import datetime as dt
import struct
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import HEADERS, PASSWORD, WireClient, of, parameter, rpc

from sbql.grammar.types import DATE, INT, MONEY, NVARCHAR_MAX, decimal, nvarchar, varchar

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


def test_dates_of_a_call(client: WireClient) -> None:
    value = dt.date(2024, 2, 29)
    answer = client.call(
        10,
        parameter("", nvarchar(20), "SELECT @d"),
        parameter("", nvarchar(20), "@d date"),
        parameter("@d", DATE, value),
    )
    assert of("row", answer) == [((value,),)]
