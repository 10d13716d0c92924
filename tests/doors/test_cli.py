"""The command line, mostly in process: what it prints, where, and its exit code."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from serving import PATIENCE, SA_PASSWORD, address_of_tds

from sbql import serve
from sbql.repl.cli import main
from sbql.repl.subcommands import SUBCOMMANDS

SBQL = [sys.executable, "-m", "sbql"]


class Outcome:
    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


Run = Callable[..., Outcome]


OF_THE_OWNER = {
    "-S",
    "-Slocalhost",
    "-Slocalhost,1",
    "-K",
    "-U",
    "--store",
    "--check",
    "--salvage",
    "--errorlog",
    "--drop-if-exists",
    "--help",
    "--version",
    "--nonsense",
}
"""Command lines that are not for a server."""


NOT_BY_TDS = {"--trace", "virtual"}
"""What -S refuses."""


@pytest.fixture(params=["here", "served", "served-tds"])
def sbql(
    request: pytest.FixtureRequest, capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Run:
    """Run the command line in a scratch folder: on a store of its own, and as a client of a server with a new store."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> Outcome:
        capfd.readouterr()
        if request.param == "here" or OF_THE_OWNER & set(arguments):
            code = main(list(arguments))
        elif request.param == "served-tds":
            if set(arguments) & NOT_BY_TDS:
                pytest.skip("trace and clock are the server's business, and -S says so")
            pytest.importorskip("pyarrow", reason="a server needs pyarrow")
            with serve(
                clock="auto" if "virtual" in arguments else "system", listen="127.0.0.1:0", sa_password=SA_PASSWORD
            ) as owner:
                code = main(["-S", address_of_tds(owner), "-U", "sa", "-P", SA_PASSWORD, *arguments])
        else:
            pytest.importorskip("pyarrow", reason="a server needs pyarrow")
            with serve(clock="auto" if "virtual" in arguments else "system") as owner:
                monkeypatch.setenv("SBQL_TOKEN", owner.endpoint.token)
                code = main(["--endpoint", owner.endpoint.url, *arguments])
        captured = capfd.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run


def write(name: str, text: str) -> None:
    Path(name).write_text(text, encoding="utf-8")


# --- queries and scripts -----------------------------------------------------------------------------------


def test_a_query(sbql: Run) -> None:
    done = sbql("-Q", "SELECT 1 AS a, N'x' AS b")
    assert (done.code, done.err) == (0, "")
    assert done.out == "a b\n- -\n1 x\n\n(1 rows affected)\n"


def test_scripts_share_a_session(sbql: Run) -> None:
    write("a.sql", "CREATE TABLE #t (a int);\nINSERT #t VALUES (5);\nGO\n")
    write("b.sql", "SET NOCOUNT ON; SELECT a FROM #t\n")
    done = sbql("-i", "a.sql", "b.sql")
    assert done.code == 0
    assert done.out.endswith("a\n-\n5\n")


def test_prints_come_in_order(sbql: Run) -> None:
    write("a.sql", "SET NOCOUNT ON\nPRINT 'one'\nSELECT 2 AS n\nPRINT 'three'\nGO\nPRINT 'four'")
    assert sbql("a.sql").out == "one\nn\n-\n2\nthree\nfour\n"


def test_errors_name_file_and_line_and_the_script_goes_on(sbql: Run) -> None:
    """sqlcmd's habit: errors on standard output, exit code 0."""
    write("a.sql", "PRINT 'one'\nGO\nPRINT 'two'\nSELECT 1 / 0\nGO\nPRINT 'three'\n")
    done = sbql("a.sql")
    assert done.code == 0
    assert "Level 16, State 1, Line 2 (a.sql:4)\n" in done.out
    assert done.out.startswith("one\ntwo\n")
    assert done.out.endswith("three\n")
    assert done.err == ""


def test_errors_of_a_query_have_no_file(sbql: Run) -> None:
    assert sbql("-Q", "SELECT 1 / 0").out.startswith("Msg 8134, Level 16, State 1, Line 1\n")


def test_b_stops_at_the_first_error(sbql: Run) -> None:
    write("a.sql", "SELECT 1 / 0\nGO\nPRINT 'after'\n")
    done = sbql("-b", "a.sql")
    assert done.code == 1
    assert "after" not in done.out


def test_low_severities_are_no_errors(sbql: Run) -> None:
    assert sbql("-b", "-Q", "RAISERROR('only a word', 10, 1)").code == 0


def test_on_error_exit(sbql: Run) -> None:
    write("a.sql", ":on error exit\nSELECT 1 / 0\nGO\nPRINT 'after'\n")
    done = sbql("a.sql")
    assert (done.code, "after" in done.out) == (1, False)


def test_on_error_ignore(sbql: Run) -> None:
    write("a.sql", ":on error exit\nPRINT 'x'\nGO\n:on error ignore\nSELECT 1 / 0\nGO\nPRINT 'after'\n")
    done = sbql("a.sql")
    assert (done.code, "after" in done.out) == (0, True)


def test_go_with_a_count(sbql: Run) -> None:
    write("a.sql", "PRINT 'x'\nGO 3\n")
    assert sbql("a.sql").out == "x\nx\nx\n"


def test_variables_and_includes(sbql: Run) -> None:
    Path("inner").mkdir()
    write("inner/part.sql", "PRINT '$(who)'\nGO\nSELECT 1 / 0\nGO\n")
    write("a.sql", ":r inner/part.sql\n:setvar who you\nPRINT '$(who)'\nGO\n")
    done = sbql("-v", "who=me", "a.sql")
    assert done.out.startswith("me\nMsg 8134")
    assert "part.sql:3)" in done.out
    assert done.out.endswith("you\n")


def test_an_unknown_variable_or_file_is_a_clear_error(sbql: Run) -> None:
    write("a.sql", "PRINT 'first'\nGO\nPRINT '$(nobody)'\nGO\n")
    done = sbql("a.sql")
    assert done.code == 1
    assert "nobody" in done.err
    assert "a.sql" in done.err
    write("b.sql", ":r missing.sql\n")
    done = sbql("b.sql")
    assert (done.code, "missing.sql" in done.err) == (1, True)


def test_utf_16_and_utf_8_files(sbql: Run) -> None:
    for encoding in ("utf-16", "utf-8-sig", "utf-8"):
        Path("a.sql").write_bytes("PRINT N'Größe ✓'".encode(encoding))
        assert sbql("a.sql").out == "Größe ✓\n"


def test_a_database_to_start_in(sbql: Run) -> None:
    assert "\nmsdb\n" in sbql("-d", "msdb", "-Q", "SELECT DB_NAME() AS db").out
    done = sbql("-d", "nowhere", "-Q", "SELECT 1")
    assert (done.code, "nowhere" in done.err) == (1, True)


def test_an_output_file(sbql: Run) -> None:
    done = sbql("-o", "out.txt", "-Q", "SET NOCOUNT ON; SELECT 1 AS a; SELECT 1 / 0")
    assert done.out == ""
    assert Path("out.txt").read_text().startswith("a\n-\n1\nMsg 8134")
    assert sbql("-o", "no/folder/out.txt", "-Q", "SELECT 1").code == 1


def test_how_columns_look(sbql: Run) -> None:
    text = "SET NOCOUNT ON; SELECT 1 AS a, N'x' AS bb UNION ALL SELECT 22, N'y'"
    assert sbql("-s", ",", "-W", "-Q", text).out == "a,bb\n-,--\n1,x\n22,y\n"
    assert sbql("-h", "-1", "-Q", text).out == " 1 x\n22 y\n"


def test_a_store_is_kept(sbql: Run) -> None:
    assert sbql("--store", "s.duckdb", "-Q", "CREATE DATABASE Shop").code == 0
    assert "\nShop\n" in sbql("--store", "s.duckdb", "-d", "Shop", "-Q", "SELECT DB_NAME() AS d").out


ACTIVATED = """
CREATE DATABASE Act
GO
USE Act
GO
CREATE QUEUE q
CREATE SERVICE s ON QUEUE q ([DEFAULT])
CREATE TABLE seen (body nvarchar(50))
GO
CREATE PROCEDURE reader AS
BEGIN
    DECLARE @body nvarchar(50), @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle, @body = CAST(message_body AS nvarchar(50)) FROM q;
    IF @h IS NULL RETURN;
    WAITFOR DELAY '00:00:00.300';
    INSERT seen VALUES (@body);
    PRINT N'saw ' + @body;
END
GO
ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
GO
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'word');
GO
"""


def test_the_end_waits_for_activated_procedures(sbql: Run) -> None:
    """What they print goes to the error log, and so to standard error."""
    write("a.sql", ACTIVATED)
    done = sbql("--store", "s.duckdb", "a.sql")
    assert done.code == 0
    assert "saw word" in done.err
    assert "saw word" not in done.out
    assert "\nword\n" in sbql("--store", "s.duckdb", "-d", "Act", "-Q", "SELECT body FROM seen").out


def test_no_wait_does_not(sbql: Run) -> None:
    """Or it would take an hour."""
    write("a.sql", ACTIVATED.replace("00:00:00.300", "01:00:00"))
    assert sbql("--no-wait", "a.sql").code == 0


# --- checking ----------------------------------------------------------------------------------------------


def test_check_shows_every_error_with_its_place(sbql: Run) -> None:
    write("a.sql", "SELECT 1\nGO\nSELECT FROM t\nSELECT 2\nSELECT ) \nGO\n")
    write("b.sql", "SELECT 1\nGO\n")
    done = sbql("--check", "a.sql", "b.sql")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[0].startswith("a.sql:3:")
    assert lines[1].startswith("a.sql:5:")
    assert lines[-1] == "b.sql: no syntax errors"
    assert sbql("--check", "b.sql").code == 0


def test_check_looks_at_a_query_too(sbql: Run) -> None:
    done = sbql("--check", "-Q", "SELECT 1;\nSELECT * FROM;")
    assert done.code == 1
    assert done.out.startswith("query:2:14: Msg 102: ")
    assert sbql("--check", "-Q", "SELECT 1").out == "query: no syntax errors\n"


@pytest.mark.parametrize(
    "line", [":ed", "!!dir", "!! dir", ":connect srv", ":perftrace x", ":serverlist", ":nope", ":exit(SELECT 1"]
)
def test_check_finds_the_directives_that_would_end_the_run(sbql: Run, line: str) -> None:
    """It says of a script what running it says; with -X both pass over the programs."""
    write("a.sql", f"SELECT 1\nGO\n{line}\nSELECT 2\nGO\n")
    for options in ([], ["-X"], ["-X1"]):
        ran, checked = sbql(*options, "a.sql"), sbql(*options, "--check", "a.sql")
        assert (checked.code, ran.code) in ((0, 0), (1, 1))
        if ran.code:
            assert checked.out.startswith("a.sql:3: ") and checked.out.splitlines()[0] in ran.err


def test_check_runs_nothing(sbql: Run) -> None:
    write("a.sql", "CREATE DATABASE x\n")
    assert sbql("--check", "--store", "s.duckdb", "a.sql").code == 0
    assert not Path("s.duckdb").exists()


# --- trouble -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["missing.sql"], "cannot read missing.sql: no such file"),
        (
            ["server"],
            f"cannot read server: no such file. The commands of sbql are {', '.join(c.name for c in SUBCOMMANDS)}. See: sbql --help",
        ),
        (["missing.duckdb"], "no such file. A store goes behind --store: sbql --store missing.duckdb"),
        (["."], "it is a folder"),
        (["--nonsense"], "--nonsense"),
        (["-S", "localhost", "-E", "-Q", "SELECT 1"], "Give -U and -P; who owns the store uses --store instead of -S"),
        (
            ["-K", "ReadOnly", "-Q", "SELECT 1"],
            "Of sqlcmd's options for connections there are -S, -U, -P, -N, -C and -l",
        ),
        (["-U", "sa", "-Q", "SELECT 1"], "-U and -P go with -S"),
        (["-Slocalhost", "-Q", "SELECT 1"], "-S needs a login: -U NAME -P PASSWORD"),
        (["-Slocalhost,1", "-Usa", "-Px", "-Q", "SELECT 1"], "No server answers at 127.0.0.1,1"),
        (["-S", "127.0.0.1:21433", "-Usa", "-Px", "-Q", "SELECT 1"], "Write 127.0.0.1,21433"),
        (["-S", "tcp:there:1433", "-Usa", "-Px", "-Q", "SELECT 1"], "Write there,1433"),
        (["-v", "a", "-Q", "SELECT 1"], "-v takes NAME=VALUE"),
        (["-v", "1a=2", "-Q", "SELECT 1"], "-v takes NAME=VALUE"),
        (["-S", "a\\b", "-Usa", "-Px", "-Q", "SELECT 1"], "Write host,port"),
        (["-S", "np:a", "-Usa", "-Px", "-Q", "SELECT 1"], "by TCP only"),
        (["-S", "a,b", "-Usa", "-Px", "-Q", "SELECT 1"], "'a,b' is not a server"),
        (["-S", "a,1", "-Usa", "-Px", "--errorlog", "x", "-Q", "SELECT 1"], "--errorlog does not go over -S"),
        (["-S", "a,1", "-Usa", "-Px", "--trace", "broker", "-Q", "SELECT 1"], "--trace does not go over -S"),
        (["-S", "a,1", "-Usa", "-Px", "--clock", "virtual", "-Q", "SELECT 1"], "--clock virtual does not go over -S"),
        (["-S", "a,1", "--store", "s.duckdb", "-Q", "SELECT 1"], "give one of --store, --endpoint and -S"),
        (["-Q", "!!dir"], "query:1: !! dir is not supported"),
        (["-Q", ":connect srv"], "query:1: The script directive :connect is not supported here: there is one instance"),
        (["-Q", "SELECT 1", "a.sql"], "not both"),
        (["--store", "no/folder/s.duckdb", "-Q", "SELECT 1"], "cannot open no/folder/s.duckdb"),
        (["--store", ".", "-Q", "SELECT 1"], "cannot open ."),
    ],
)
def test_trouble_is_one_clear_line(sbql: Run, arguments: list[str], words: str) -> None:
    done = sbql(*arguments)
    assert done.code == 1
    assert words in done.err
    assert done.err.startswith("sbql: ")
    assert len(done.err.splitlines()) == 1
    assert done.out == ""


@pytest.mark.parametrize("name", ["shop.duckdb", "shop.sql"])
def test_a_store_is_no_script(sbql: Run, name: str) -> None:
    """Under whatever name, and by each way in which a script is named, before anything of it runs."""
    assert sbql("--store", name, "-Q", "SELECT 1").code == 0
    write("includes.sql", f":r {name}\n")
    for arguments in ([name], ["-i", name], ["includes.sql"], ["--check", name]):
        done = sbql(*arguments)
        assert done.code == 1
        assert "it is a store, not a script; --store opens it" in done.out + done.err
        assert "Msg" not in done.out + done.err


def test_a_file_that_is_no_database(sbql: Run) -> None:
    write("text.duckdb", "this is text\n" * 500)
    done = sbql("--store", "text.duckdb", "-Q", "SELECT 1")
    assert done.code == 1
    assert done.err.startswith("sbql: cannot open text.duckdb")
    assert "Traceback" not in done.err
    assert Path("text.duckdb").read_text() == "this is text\n" * 500


def test_a_store_that_another_process_has_open(sbql: Run) -> None:
    holder = subprocess.Popen(
        [*SBQL, "--store", "s.duckdb", "-Q", "PRINT 'open'; WAITFOR DELAY '00:01:00'"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "open\n"
        done = sbql("--store", "s.duckdb", "-Q", "SELECT 1")
        assert done.code == 1
        assert done.err.startswith("sbql: cannot open s.duckdb")
        assert "Traceback" not in done.err
    finally:
        holder.kill()
        holder.communicate()


@pytest.mark.parametrize("sbql", ["here"], indirect=True)  # with a client connected no wait is hopeless
def test_a_batch_that_waits_for_ever_under_a_virtual_clock(sbql: Run) -> None:
    """Nothing can come: the batch ends with a clear line, and the script goes on."""
    write(
        "w.sql",
        "CREATE DATABASE W;\nGO\nUSE W; CREATE QUEUE Q;\nGO\nBEGIN TRAN; WAITFOR (RECEIVE * FROM Q);\nGO\nSELECT @@TRANCOUNT AS open_now\nGO\n",
    )
    done = sbql("--clock", "virtual", "-W", "w.sql")
    assert "BROKER_RECEIVE_WAITFOR" in done.err
    assert "internal error" not in done.err
    assert "open_now\n" in done.out


@pytest.mark.parametrize("sbql", ["here"], indirect=True)  # the bug is made in this process
def test_a_bug_is_reported_without_a_traceback(sbql: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def bug(*arguments: object, **named: object) -> None:
        raise AssertionError("gremlins\nand more")

    monkeypatch.setattr("sbql.engine.session.Session.run", bug)
    done = sbql("-Q", "SELECT 1")
    assert done.code == 1
    assert "internal error, please report it: AssertionError: gremlins" in done.err
    assert "Traceback" not in done.err
    with pytest.raises(AssertionError):
        main(["--debug", "-Q", "SELECT 1"])


# --- processes ---------------------------------------------------------------------------------------------


def test_a_script_from_a_pipe() -> None:
    done = subprocess.run(SBQL, input="PRINT 'piped'\nGO\n", capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "piped\n", "")


def test_nobody_reads_on() -> None:
    """`sbql … | head` ends quietly."""
    done = subprocess.run(
        f"{sys.executable} -m sbql -h -1 -Q \"WHILE 1 = 1 PRINT 'x'\" | head -2",
        shell=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.stdout, done.stderr) == ("x\nx\n", "")


def interrupted(text: str, says: str) -> subprocess.Popen[str]:
    """Start a query, wait until it prints `says`, and press Ctrl-C: at once, for it is to be
    heard wherever the batch is then."""
    process = subprocess.Popen([*SBQL, "-Q", text], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == f"{says}\n"
    process.send_signal(signal.SIGINT)
    return process


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(
    "text",
    [
        "PRINT 'on'; WAITFOR DELAY '00:01:00'",
        "PRINT 'on'; DECLARE @n int = 0; WHILE 1 = 1 SET @n += 1",
        "PRINT 'on'; SELECT COUNT(*) FROM " + ", ".join(f"(VALUES (1), (2), (3), (4)) t{n}(a)" for n in range(25)),
    ],
    ids=["waiting", "looping", "in DuckDB"],
)
def test_ctrl_c_stops_the_batch(text: str) -> None:
    process = interrupted(text, "on")
    _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 130
    assert err == "The batch was cancelled.\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="Windows has no pipes that are files")
@pytest.mark.parametrize("option", [["-i"], []], ids=["-i", "alone"])
@pytest.mark.parametrize("kind", ["fifo", "/dev/fd", "/dev/stdin", "included"])
def test_a_pipe_is_a_script_like_any_other(kind: str, option: list[str], tmp_path: Path) -> None:
    """What `sbql -i <(...)`, a FIFO, `-i /dev/stdin` and `:r` of one give it."""
    reading, writing = os.pipe()
    os.write(writing, b"PRINT 'a'\nGO\nPRINT 'b'\n")
    os.close(writing)
    name = {"fifo": str(tmp_path / "f"), "/dev/fd": f"/dev/fd/{reading}", "/dev/stdin": "/dev/stdin"}.get(kind, "r.sql")
    (tmp_path / "r.sql").write_text(":r /dev/stdin\n")
    if kind == "fifo":
        os.mkfifo(name)
        threading.Thread(target=lambda: Path(name).write_text("PRINT 'a'\nGO\nPRINT 'b'\n"), daemon=True).start()
    done = subprocess.run(
        [sys.executable, "-m", "sbql", *option, name],
        stdin=reading,
        pass_fds=[reading],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=60,
    )
    os.close(reading)
    assert (done.returncode, done.stdout, done.stderr) == (0, "a\nb\n", "")


def test_main_uses_no_terminal_for_pipes(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("PRINT 'typed'\n"))
    assert main([]) == 0
    assert capfd.readouterr().out == "typed\n"


# --- trace, error log, clock -------------------------------------------------------------------------------

READER = """
USE tempdb;
CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT]);
GO
CREATE PROCEDURE p AS
BEGIN
    DECLARE @h uniqueidentifier;
    RECEIVE TOP (1) @h = conversation_handle FROM q;
    PRINT 'got it';
END
GO
ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'x');
"""


def test_trace_prints_a_line_an_event(sbql: Run) -> None:
    write("a.sql", READER)
    done = sbql("--clock", "virtual", "--trace", "broker", "a.sql")
    lines = [line for line in done.err.splitlines() if line.startswith("[trace] 00:00:00.000 spid ")]
    assert done.code == 0
    # Through a server the number is 51 or the next: a session that has just ended
    # keeps its own until its locks are free.
    begun = [line.split()[3] for line in lines if "Broker:Conversation BEGIN DIALOG initiator handle=" in line]
    assert len(begun) == 1 and begun[0] in ("51", "52")
    assert any("Broker:Activation started object_id=" in line and line.endswith("tasks=1") for line in lines)
    assert any("Broker:Activation ended object_id=" in line and line.endswith("tasks=0") for line in lines)
    done = sbql("--clock", "virtual", "--trace", "activation", "--trace", "Broker:Queue Disabled", "a.sql")
    assert [line.split()[4] for line in done.err.splitlines() if line.startswith("[trace]")] == [
        "Broker:Activation"
    ] * 2


def test_trace_of_an_unknown_class(sbql: Run) -> None:
    done = sbql("--trace", "nothing", "-Q", "SELECT 1")
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(
        "sbql: --trace nothing: there is no such event class. There are broker (all), Conversation,"
    )


def test_the_error_log_goes_to_a_file(sbql: Run) -> None:
    write("a.sql", READER)
    assert sbql("--clock", "virtual", "--errorlog", "log.txt", "a.sql").code == 0
    (line,) = Path("log.txt").read_text(encoding="utf-8").splitlines()
    assert line.startswith("2026-01-01 00:00:00.00 spid52s     ")
    assert line.endswith("'got it'")
    done = sbql("--errorlog", "no/log.txt", "-Q", "SELECT 1")
    assert (done.code, done.err) == (1, "sbql: cannot open no/log.txt: No such file or directory\n")


def test_a_virtual_clock_begins_when_it_is_told(sbql: Run) -> None:
    query = "SET NOCOUNT ON; SELECT GETUTCDATE()"
    done = sbql("--clock", "virtual", "--start", "2008-02-29T12:30", "-h", "-1", "-Q", query)
    assert done.out.strip() == "2008-02-29 12:30:00.000" or "--start" in done.err  # a served store has a clock already
    assert sbql("--start", "2008-02-29", "-Q", query).code == 1


@pytest.mark.parametrize("text", ["Trader", "Trader:4022=there", "Trader:4022=:5", "a:99999=b:1"])
def test_a_map_that_maps_nothing_is_refused(sbql: Run, text: str) -> None:
    done = sbql("--map", text, "-Q", "SELECT 1")
    assert (done.code, "--map" in done.err) == (1, True)


def test_a_script_moves_the_virtual_clock(sbql: Run) -> None:
    query = "SET NOCOUNT ON; EXEC sys.sp_sbql_advance_clock '01:00:00'; SELECT GETUTCDATE()"
    assert sbql("--clock", "virtual", "-h", "-1", "-Q", query).out.strip() == "2026-01-01 01:00:00.000"
    assert "Msg 40517" in sbql("-Q", query).out
