"""Scripts with expectations: what must fail fails, and says where and why."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.grammar.types import NVARCHAR_MAX
from sbql.repl.testing import ScriptFailure, run_script
from sbql.repl.testing.expectations import cells, match_in_any_order, matches, shown

Check = Callable[..., None]


@pytest.fixture
def check(tmp_path: Path) -> Check:
    """Run lines as a script."""

    def run(*lines: str, seed: int = 0) -> None:
        path = tmp_path / "t.sql"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        run_script(path, seed=seed)

    return run


@pytest.fixture
def fails(check: Check) -> Callable[..., str]:
    """Run lines as a script that has to fail; the failure's text."""

    def run(*lines: str) -> str:
        with pytest.raises(ScriptFailure) as caught:
            check(*lines)
        return str(caught.value)

    return run


def test_rows_that_hold(check: Check) -> None:
    check(
        "SELECT 1 AS a, N'x' AS b UNION ALL SELECT 2, NULL",
        "GO",
        "--! rows",
        "--! columns a | b",
        "--! 1 | x",
        "--! 2 | NULL",
    )


def test_no_row_line_means_no_row(check: Check, fails: Callable[..., str]) -> None:
    check("SELECT 1 AS a WHERE 1 = 0", "GO", "--! rows")
    assert "(no row)" in fails("SELECT 1 AS a", "GO", "--! rows")


def test_a_wrong_row_names_the_line_of_its_directive(fails: Callable[..., str]) -> None:
    text = fails("SELECT 1 AS a", "GO", "", "--! rows", "--! 2")
    assert "t.sql:4: the rows differ" in text
    assert text.index("--! 2") < text.index("--! 1")


def test_wrong_column_names_fail(fails: Callable[..., str]) -> None:
    assert "expected columns b, got a" in fails("SELECT 1 AS a", "GO", "--! rows", "--! columns b", "--! 1")


def test_missing_and_superfluous_result_sets_fail(fails: Callable[..., str]) -> None:
    assert "expected a result set, got none" in fails("PRINT 'x'", "GO", "--! rows", "--! 1")
    assert "more result sets" in fails("SELECT 1; SELECT 2", "GO", "--! rows", "--! 1")


def test_result_sets_without_a_directive_are_not_looked_at(check: Check) -> None:
    check("SELECT 1; SELECT 2", "GO")


def test_an_unexpected_error_fails(fails: Callable[..., str]) -> None:
    text = fails("SELECT 1", "GO", "SELECT 1 / 0", "GO", "SELECT 2", "GO")
    assert "unexpected error: Msg 8134" in text
    assert "t.sql:3" in text


def test_an_error_has_to_come(check: Check, fails: Callable[..., str]) -> None:
    check("SELECT 1 / 0", "GO", "--! error 8134 severity 16 state 1 line 1")
    assert "expected error 8134, got none" in fails("SELECT 1", "GO", "--! error 8134")
    assert "expected error 208, got Msg 8134" in fails("SELECT 1 / 0", "GO", "--! error 208")
    assert "expected error 8134 line 2" in fails("SELECT 1 / 0", "GO", "--! error 8134 line 2")
    assert "text nonsense" in fails("SELECT 1 / 0", "GO", "--! error 8134 text nonsense")


def test_lines_count_from_the_last_directive(check: Check) -> None:
    check("SELECT 1", "GO", "--! rows", "--! 1", "SELECT 2", "SELECT 1 / 0", "GO", "--! error 8134 line 2")


def test_prints_are_ignored_until_one_is_named(check: Check, fails: Callable[..., str]) -> None:
    check("PRINT 'one'; PRINT 'two'", "GO")
    check("PRINT 'one'; PRINT 'two'", "GO", "--! print one", "--! print two")
    assert "a message without a directive: 'two'" in fails("PRINT 'one'; PRINT 'two'", "GO", "--! print one")
    assert "got 'one'" in fails("PRINT 'one'", "GO", "--! print two")


def test_row_counts(check: Check, fails: Callable[..., str]) -> None:
    setup = ("CREATE TABLE t (a int)", "GO", "INSERT t VALUES (1), (2)", "GO")
    check(*setup, "--! affected 2")
    assert "expected 3 rows affected, got 2" in fails(*setup, "--! affected 3")


def test_names_in_braces_must_stay_the_same(check: Check, fails: Callable[..., str]) -> None:
    check("SELECT 1 AS a, 1 AS b", "GO", "--! rows", "--! {x} | {x}", "SELECT 1", "GO", "--! rows", "--! {x}")
    assert "{x} is 1" in fails("SELECT 1 AS a", "GO", "--! rows", "--! {x}", "SELECT 2", "GO", "--! rows", "--! {x}")


def test_unknown_and_misplaced_directives_fail(fails: Callable[..., str]) -> None:
    assert "not a directive: --! rowz" in fails("SELECT 1", "GO", "--! rowz")
    assert "a directive inside a batch" in fails("SELECT 1", "--! rows", "--! 1", "GO")
    assert "has no ended batch above it" in fails("--! rows", "--! 1", "SELECT 1", "GO")
    assert "has no waiting batch" in fails("SELECT 1", "GO", "--! finishes")


def test_a_blocked_batch_finishes_later(check: Check, fails: Callable[..., str]) -> None:
    waiting = ("WAITFOR DELAY '00:00:05'; SELECT 1", "GO", "--! blocked")
    check(*waiting, "--! advance 5s", "--! finishes", "--! rows", "--! 1")
    assert "still waits" in fails(*waiting, "--! advance 4s", "--! finishes")
    assert "still waits in the batch" in fails(*waiting, "SELECT 1", "GO")
    assert "expected the batch to wait" in fails("SELECT 1", "GO", "--! blocked")


def test_a_batch_that_waits_lets_the_clock_jump(check: Check) -> None:
    check("WAITFOR DELAY '10:00:00'; SELECT 1", "GO", "--! rows", "--! 1")


def test_go_with_a_count_runs_so_often(check: Check) -> None:
    check("SELECT 1", "GO 2", "--! rows", "--! 1", "--! rows", "--! 1")


def test_restart_keeps_what_is_stored(check: Check) -> None:
    check(
        "CREATE TABLE t (a int)",
        "GO",
        "INSERT t VALUES (7)",
        "GO",
        "--! restart",
        "SELECT a FROM t",
        "GO",
        "--! rows",
        "--! 7",
    )


def test_includes_and_variables(check: Check, tmp_path: Path) -> None:
    (tmp_path / "part.sql").write_text("SELECT $(n) AS a\nGO\n", encoding="utf-8")
    check(":setvar n 5", ":r part.sql", "--! rows", "--! 5")


def test_a_session_of_its_own(check: Check, fails: Callable[..., str]) -> None:
    check("CREATE TABLE #t (a int)", "GO", "--! session other", "SELECT DB_NAME()", "GO", "--! rows", "--! master")
    assert "cannot connect" in fails("--! session other IN nowhere", "SELECT 1", "GO")


def test_a_log_line_has_to_be_there(fails: Callable[..., str]) -> None:
    assert "in the error log" in fails("SELECT 1", "GO", "--! log 9724 nothing like it")


def test_cells_are_split_at_bars() -> None:
    assert cells(r"a | b\|c |") == ["a", r"b\|c", ""]


def test_matching_is_all_or_nothing() -> None:
    names: dict[str, str] = {}
    assert not matches(["{a}", "2"], ["1", "3"], names)
    assert names == {}
    assert matches(["{a}", "*"], ["1", "3"], names)
    assert names == {"a": "1"}


def test_any_order_tries_every_pairing() -> None:
    assert match_in_any_order([["*"], ["1"]], [["1"], ["2"]], {})
    assert match_in_any_order([["{a}", "x"], ["{b}", "y"]], [["2", "y"], ["1", "x"]], {})
    assert not match_in_any_order([["1"], ["1"]], [["1"], ["2"]], {})


TRACED = ("CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]);", "DECLARE @h uniqueidentifier;",
    "BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;", "SEND ON CONVERSATION @h (N'x');", "GO")  # fmt: skip


def test_trace_events_are_found_in_their_order(check: Check, fails: Callable[..., str]) -> None:
    check("USE tempdb", "GO", *TRACED, "--! trace Broker:Conversation BEGIN DIALOG", "--! trace Conversation text CO")
    wrong_order = ("--! trace Conversation SEND Message", "--! trace Conversation BEGIN DIALOG")
    text = fails("USE tempdb", "GO", *TRACED, *wrong_order)
    assert "t.sql:9: expected the trace event Conversation BEGIN DIALOG, got" in text
    assert "Received Sequenced Message target" in text
    assert "got\n    (nothing)" in fails("SELECT 1", "GO", "--! trace Activation started tasks 1")
    assert "not a directive" in fails("SELECT 1", "GO", "--! trace Nothing")


# --- several instances -------------------------------------------------------------------------------------

PAIR = (
    "--! instance {me}",
    "CREATE ENDPOINT e STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)",
    "CREATE DATABASE d",
    "GO",
    "USE d; CREATE QUEUE q; CREATE SERVICE [//{me}] ON QUEUE q ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public",
    "CREATE ROUTE r WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'",
    "GO",
)
SEND = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('x')"


def pair() -> list[str]:
    return [line.format(me=me, you=you) for me, you in (("A", "B"), ("B", "A")) for line in PAIR]


@pytest.mark.spec("TRACE-16")
def test_instances_have_sessions_logs_and_traces_of_their_own(check: Check, fails: Callable[..., str]) -> None:
    check(
        *pair(),
        "WAITFOR (RECEIVE CAST(message_body AS varchar(5)) FROM q)", "GO", "--! blocked",
        "--! instance A", SEND, "GO", "--! advance 5s", "--! log 9690", "--! trace Message Classify Remote",
        "--! instance B", "--! finishes", "--! rows", "--! x", "--! log 9690", "--! trace Conversation Dialog Created",
    )  # fmt: skip
    text = fails(*pair(), "--! instance A", SEND, "GO", "--! advance 5s", "--! trace Conversation Dialog Created")
    assert "expected the trace event Conversation Dialog Created" in text and "SEND Message" in text


def test_a_partition_and_a_restart(check: Check) -> None:
    check(
        *pair(), "--! partition", "--! instance A", SEND, "GO", "--! advance 1h", "--! restart", "--! advance 1m",
        "SELECT COUNT(*) FROM d.sys.transmission_queue", "GO", "--! rows", "--! 1",
        "--! heal", "--! advance 2m", "SELECT COUNT(*) FROM d.sys.transmission_queue", "GO", "--! rows", "--! 0",
        "--! instance B", "SELECT COUNT(*) FROM d.dbo.q", "GO", "--! rows", "--! 1",
    )  # fmt: skip


def test_what_is_for_several_instances_alone(fails: Callable[..., str]) -> None:
    assert "`instance NAME` says which one" in fails("SELECT 1", "GO", "--! partition")
    assert "which instance is meant?" in fails("SELECT 1", "GO", "--! instance A")


# --- what still waits at the end -------------------------------------------------------------------------------

WAITS = ["WAITFOR DELAY '00:00:05'; SELECT 1 / 0", "GO", "--! blocked"]


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ([], "t.sql:1: the batch of session main still waits at the end"),
        (["--! session other", "PRINT ''", "GO"], "t.sql:1: the batch of session main still waits at the end"),
        (["--! advance 10s"], "t.sql:1: the batch of session main has finished, and nothing asks how"),
        (["--! advance 10s", "--! finishes"], "unexpected error: Msg 8134"),
        (
            ["--! never finishes", "--! advance 10s"],
            "t.sql:1: the batch of session main was never to finish, but it has",
        ),
        (["--! never finishes other"], "session other has no waiting batch"),
        (
            ["--! advance 10s", "--! finishes", "--! error 8134", "--! never finishes"],
            "session main has no waiting batch",
        ),
    ],
)
def test_a_batch_that_waits_has_to_be_asked_about(fails: Callable[..., str], rest: list[str], text: str) -> None:
    assert text in fails(*WAITS, *rest)


@pytest.mark.parametrize(
    "rest",
    [
        ["--! never finishes"],
        ["--! session other", "PRINT ''", "GO", "--! never finishes main"],
        ["--! advance 10s", "--! finishes", "--! error 8134"],
        ["--! restart"],
    ],
)
def test_what_is_said_of_it(check: Check, rest: list[str]) -> None:
    check(*WAITS, *rest)


# --- how cells are spelled -------------------------------------------------------------------------------------

PIECES = ["\\", "|", "n", "r", "t", "x", "\n", "\r", "\t", "NULL", "'"]
TEXTS = [None, *{"".join(parts).strip() for count in (1, 2, 3, 4) for parts in product(PIECES, repeat=count)} - {""}]


def test_no_two_values_are_spelled_alike() -> None:
    """Every text of up to four of the pieces that are escaped or escape, and NULL."""
    result = ResultSet([ResultColumn("a", NVARCHAR_MAX)], [])
    spelled: dict[str, str | None] = {}
    for value in TEXTS:
        (text,) = shown((value,), result)
        assert text not in spelled, (value, spelled[text])
        spelled[text] = value
        assert cells(text) == [text]
        assert cells(f"{text} | {text}") == [text, text]


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        ("N'a\\nb'", r"a\\nb"), ("N'a' + NCHAR(10) + N'b'", r"a\nb"), ("N'\\' + NCHAR(10) + N'b'", r"\\\nb"), ("N'DOMAIN\\ann'", r"DOMAIN\ann"),
        ("N'NULL'", "'NULL'"), ("CAST(NULL AS nvarchar(9))", "NULL"), ("N'''NULL'''", "''NULL''"), ("NCHAR(10) + N'b'", r"\nb"), ("N'\\x'", r"\x"),
        ("N'rows'", r"\rows"),
    ],
)  # fmt: skip
def test_cells_in_scripts(check: Check, fails: Callable[..., str], value: str, cell: str) -> None:
    check(f"SELECT {value} AS a", "GO", "--! rows", f"--! {cell}")
    check(
        f"SELECT 1 AS a, {value} AS b",
        "GO",
        "--! rows",
        f"--! 1 | {cell.removeprefix(chr(92)) if cell == chr(92) + 'rows' else cell}",
    )
    assert "the rows differ" in fails(f"SELECT {value} AS a", "GO", "--! rows", f"--! {cell}x")
