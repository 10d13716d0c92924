"""`sbql test`: which scripts run, what is said of them, and the exit code; the examples of
docs/test-scripts.md as they stand."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sbql.repl.cli import main
from sbql.repl.testing.collecting import keyword

PAGE = Path(__file__).parents[2] / "docs" / "test-scripts.md"
GOOD = "SELECT 1 AS a\nGO\n--! rows\n--! 1\n"
BAD = "-- three\nSELECT 1 AS a UNION ALL SELECT 2 UNION ALL SELECT 3\nGO\n--! rows\n--! 1\n--! 5\n--! 3\n"
BROKEN = "PRINT 'x'\nGO\n--! rows\n:r nowhere.sql\n"

Test = Callable[..., tuple[int, str, str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Scripts beside each other: two good tests, a bad one, one that cannot be read, and one that is no test."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    (tmp_path / "orders").mkdir()
    (tmp_path / ".hidden").mkdir()
    for name, text in (
        ("first.sql", GOOD), ("setup.sql", "SELECT 1 / 0\nGO\n"), ("orders/bad.sql", BAD), ("orders/broken.sql", BROKEN), ("orders/good.sql", GOOD),
        (".hidden/bad.sql", BAD),
    ):  # fmt: skip
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(folder: Path, capsys: pytest.CaptureFixture[str]) -> Test:
    """Run `sbql test`; its exit code, output and errors."""

    def call(*arguments: str) -> tuple[int, str, str]:
        code = main(["test", *arguments])
        return code, *capsys.readouterr()

    return call


def names_of(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines() if re.search(r" (PASSED|FAILED|ERROR) +\[", line)]


def test_a_folder_gives_the_scripts_with_expectations(run: Test) -> None:
    code, out, _ = run("--collect-only")
    assert (code, out.split()) == (0, ["first.sql", "orders/bad.sql", "orders/broken.sql", "orders/good.sql"])


def test_a_file_that_is_named_runs_whatever_is_in_it_and_once(run: Test) -> None:
    code, out, _ = run("-v", "setup.sql", "first.sql", ".", "first.sql")
    assert code == 1
    assert names_of(out) == ["setup.sql", "first.sql", "orders/bad.sql", "orders/broken.sql", "orders/good.sql"]
    assert "setup.sql:1: unexpected error: Msg 8134" in out


def test_a_failure_shows_expected_and_got_with_the_place(run: Test) -> None:
    code, out, _ = run("orders/bad.sql")
    assert code == 1
    begun = out.index("orders/bad.sql:4: the rows differ")
    shown = out[begun : out.index("short test summary")]
    assert shown.splitlines()[1:9] == [
        "  expected:", "    --! 1", "  > --! 5", "    --! 3", "  got:", "    --! 1", "  > --! 2", "    --! 3",
    ]  # fmt: skip
    assert "The batch at orders/bad.sql:1 produced:" in shown
    assert "FAILED orders/bad.sql:4 - the rows differ" in out


def test_marks_and_the_summary(run: Test) -> None:
    code, out, err = run()
    assert (code, err) == (1, "")
    assert re.search(r"^\./ \. +\[ 25%\]$", out, re.M)
    assert re.search(r"^orders/ FE\. +\[100%\]$", out, re.M)
    assert re.search(r"^=+ 1 failed, 2 passed, 1 error in \d+\.\d\ds =+$", out, re.M)
    assert "ERROR orders/broken.sql - orders/broken.sql" in out


@pytest.mark.parametrize(
    ("options", "code", "names"),
    [
        (["-x"], 1, ["first.sql", "orders/bad.sql"]),
        (["--maxfail", "2"], 1, ["first.sql", "orders/bad.sql", "orders/broken.sql"]),
        (["-k", "good or first"], 0, ["first.sql", "orders/good.sql"]),
        (["-k", "ORDERS and not (bad or broken)"], 0, ["orders/good.sql"]),
        (["-k", "nothing"], 5, []),
    ],
)
def test_which_scripts_run(run: Test, options: list[str], code: int, names: list[str]) -> None:
    got, out, _ = run("-v", *options)
    assert (got, names_of(out)) == (code, names)


def test_a_folder_without_tests_says_what_to_do_next(run: Test, folder: Path) -> None:
    """As the text of the page says: the example in it is a test when it stands in a script."""
    (folder / "empty").mkdir()
    code, out, err = run("empty")
    assert (code, "no scripts ran" in out) == (5, True)
    assert err == "There is no .sql file in empty. `sbql init DIR` makes a project with tests to begin with.\n"
    (folder / "plain").mkdir()
    (folder / "plain" / "orders.sql").write_text(
        "CREATE TABLE Orders (id int, status varchar(9)); INSERT INTO Orders VALUES (1, 'paid')\nGO\n"
    )
    code, _, err = run("plain")
    assert code == 5
    assert err.startswith("plain/orders.sql in plain, and no line in it begins with --!")
    assert run("-q", err.split("sbql test ")[1].split()[0])[0] == 0
    example = err.partition("has to show:\n\n")[2].partition("\n\n")[0].replace("\n  ", "\n")
    (folder / "plain" / "test.sql").write_text(f":r plain/orders.sql\n{example}\n")
    code, out, err = run("-q", "plain")
    assert (code, err) == (0, "")
    assert run("-q", "-k", "nothing")[2] == "", "who has left all out knows"


@pytest.mark.parametrize("text", ["", "and", "a or", "(a", "a)", "a b", "not"])
def test_wrong_words(text: str) -> None:
    with pytest.raises(ValueError, match=r"missing|not expected"):
        keyword(text)


@pytest.mark.parametrize(
    "arguments",
    [
        ["nowhere"],
        ["-k", "("],
        ["--nothing"],
        ["--maxfail", "0"],
        ["--set", "x"],
        ["--start", "never"],
        ["--seed", "x"],
    ],
)
def test_usage_errors(run: Test, arguments: list[str]) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (4, "")
    assert re.fullmatch(r"sbql: test: .*\. See: sbql test --help\n", err)


def test_variables_seed_and_start(run: Test, folder: Path) -> None:
    (folder / "given.sql").write_text(
        "SELECT $(n) AS n, YEAR(GETUTCDATE()), CAST(NEWID() AS char(36))\nGO\n--! rows\n--! 7 | 2008 | no\n",
        encoding="utf-8",
    )
    guids = set()
    for seed in ("1", "2", "1"):
        _, out, _ = run("given.sql", "--set", "n=7", "--start", "2008-01-31", "--seed", seed)
        guids.add(re.findall(r"> --! 7 \| 2008 \| ([0-9A-F-]{36})", out)[0])
    assert len(guids) == 2


def test_a_set_up_runs_once_and_each_script_gets_a_copy(run: Test, folder: Path) -> None:
    (folder / "app.sql").write_text(
        "CREATE DATABASE Shop\nGO\nUSE Shop\nCREATE TABLE t (a int IDENTITY, b int DEFAULT $(n))\n", encoding="utf-8"
    )
    for name in ("one", "two"):
        script = (
            "USE Shop\nINSERT t DEFAULT VALUES\nGO\n--! restart\nSELECT a, b FROM Shop.dbo.t\nGO\n--! rows\n--! 1 | 7\n"
        )
        (folder / f"{name}.sql").write_text(
            script if name == "one" else script.replace("--! restart\n", ""), encoding="utf-8"
        )
    code, out, _ = run("--setup", "app.sql", "--set", "n=7", "one.sql", "two.sql")
    assert (code, "2 passed" in out) == (0, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SELECT 1\nGO\nSELECT 1 / 0", r"sbql: Msg 8134.*\(app.sql:3\)"),
        (
            "BEGIN TRANSACTION; CREATE TABLE t (a int)",
            "sbql: The instance is not at rest.*session 51 has an open transaction",
        ),
        (":r nowhere.sql", "sbql: app.sql.*nowhere.sql"),
    ],
)
def test_a_set_up_that_fails(run: Test, folder: Path, text: str, said: str) -> None:
    (folder / "app.sql").write_text(text, encoding="utf-8")
    code, out, err = run("--setup", "app.sql", "first.sql")
    assert (code, out) == (3, "")
    assert re.match(said, err)


def test_results_as_junit_xml(run: Test, folder: Path) -> None:
    (folder / "orders/control.sql").write_text("SELECT NCHAR(1) AS a\nGO\n--! rows\n--! x\n", encoding="utf-8")
    assert run("-q", "--junitxml", "made/results.xml")[0] == 1
    suite = ElementTree.parse(folder / "made/results.xml").getroot()[0]
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors")}
    assert counts == {"tests": "5", "failures": "2", "errors": "1"}
    cases = {case.get("file"): case for case in suite}
    assert (cases["orders/bad.sql"].get("classname"), cases["orders/bad.sql"].get("name")) == ("orders", "bad")
    failure = cases["orders/bad.sql"].find("failure")
    assert failure is not None
    assert failure.get("message") == "orders/bad.sql:4: the rows differ"
    assert "--! 5" in (failure.text or "")
    assert cases["orders/broken.sql"].find("error") is not None
    assert list(cases["first.sql"]) == []
    control = cases["orders/control.sql"].find("failure")
    assert control is not None and "--! \\x01" in (control.text or "")


def test_what_activated_procedures_said_stands_below_a_failure(run: Test, folder: Path) -> None:
    (folder / "active.sql").write_text(
        """USE tempdb
GO
CREATE QUEUE q; CREATE SERVICE s ON QUEUE q ([DEFAULT])
GO
CREATE PROCEDURE p AS BEGIN DECLARE @h uniqueidentifier; RECEIVE @h = conversation_handle FROM q; PRINT 'I was here' END
GO
ALTER QUEUE q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = p, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x')
GO
--! settle
SELECT 1 AS a
GO
--! rows
--! 2
""",
        encoding="utf-8",
    )
    _, out, _ = run("active.sql")
    assert re.search(r"^-+ error log -+\n(?:.*\n)*\[log\] .*I was here", out, re.M)


def test_a_directive_in_an_included_file_has_its_place_there(run: Test, folder: Path) -> None:
    (folder / "part.sql").write_text("\nSELECT 1 AS a\nGO\n--! rows\n--! 2\n", encoding="utf-8")
    (folder / "whole.sql").write_text("SELECT 1 AS a\nGO\n--! rows\n--! 1\n:r part.sql\n", encoding="utf-8")
    _, out, _ = run("whole.sql")
    assert "part.sql:4: the rows differ" in out


def test_an_unknown_database_of_a_session_is_a_failure(run: Test, folder: Path) -> None:
    (folder / "session.sql").write_text("SELECT 1\nGO\n--! session main IN nowhere\n", encoding="utf-8")
    code, out, _ = run("session.sql")
    assert code == 1
    assert "session.sql:3: session main cannot connect: Msg 911" in out


def test_the_slowest_are_listed_and_quiet_says_the_end_alone(run: Test) -> None:
    _, out, _ = run("-q", "--durations", "1", "first.sql", "orders/good.sql")
    assert re.search(r"^=+ slowest 1 of 2 =+\n +\d+\.\d{3}s \S+good.sql|first.sql$", out, re.M)
    assert "collected" not in out


def test_ctrl_c_ends_the_run_with_a_summary(folder: Path) -> None:
    (folder / "loop.sql").write_text("WHILE 1 = 1 SELECT 1 WHERE 1 = 0\nGO\n--! rows\n", encoding="utf-8")
    command = [sys.executable, "-m", "sbql", "test", "-v", "first.sql", "loop.sql"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        said = b""
        while not said.endswith(b"loop.sql "):
            one = process.stdout.read(1)
            assert one, said
            said += one
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (2, b"")
    assert b"! Interrupted !" in out
    assert b"1 passed in " in out


def test_the_examples_of_the_page(run: Test, folder: Path) -> None:
    """Each script of the page passes; the one that is shown to fail fails as it is printed there."""
    text = PAGE.read_text(encoding="utf-8")
    scripts = re.findall(r"^```sql\n-- (\S+\.sql)\n(.*?)^```", text, re.M | re.S)
    assert len(scripts) >= 3
    for name, body in scripts:
        (folder / name).write_text(f"-- {name}\n{body}", encoding="utf-8")
    code, out, _ = run(*(name for name, _ in scripts if name.startswith("test_")))
    assert code == 1
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)
    (shown,) = [body for language, body in blocks if not language and "the rows differ" in body]
    assert shown in out
    assert "1 failed, " in out


@pytest.mark.parametrize("place", ["pytest.ini", "pyproject.toml"])
def test_the_setup_is_that_of_pytest(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the folder of a new project, which says it in pytest.ini, and where pyproject.toml does."""
    assert main(["init", str(tmp_path)]) == 0
    monkeypatch.chdir(tmp_path)
    if place == "pyproject.toml":
        (tmp_path / "pytest.ini").unlink()
        (tmp_path / place).write_text('[tool.pytest.ini_options]\nsbql_setup = ["orders.sql"]\n', encoding="utf-8")
    assert main(["test"]) == 0
    (tmp_path / place).write_text("[[", encoding="utf-8")
    assert main(["test"]) == 4
    (tmp_path / place).unlink()
    assert main(["test"]) == 1


def test_from_the_folder_above_it_says_where_the_setup_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """pytest.ini counts in its own folder alone, for pytest, too. Nothing is said where a set-up was given, or
    nothing fails."""
    assert main(["init", str(tmp_path / "shop")]) == 0
    monkeypatch.chdir(tmp_path)
    capsys.readouterr()
    assert main(["test"]) == 1
    assert "sbql: shop has a set-up of its own (sbql_setup). Run sbql test in it" in capsys.readouterr().err
    assert main(["test", "--setup", "shop/orders.sql"]) == 0
    assert "sbql_setup" not in capsys.readouterr().err
    (tmp_path / "wrong.sql").write_text("SELECT 1/0\nGO\n")
    assert main(["test", "wrong.sql"]) == 1
    assert "sbql_setup" not in capsys.readouterr().err
