"""sqlcmd's ways with scripts: directives, options and exit codes, as its documentation has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbql.repl.cli import main

Done = tuple[int, str, str]


class Sqlcmd:
    """Runs the command line in a scratch folder; `files` are written first."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *arguments: str, **files: str) -> Done:
        for name, text in files.items():
            Path(f"{name}.sql").write_text(text, encoding="utf-8")
        self._capfd.readouterr()
        code = main(list(arguments) or [f"{next(iter(files))}.sql"])
        captured = self._capfd.readouterr()
        return code, captured.out, captured.err


@pytest.fixture
def sqlcmd(capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sqlcmd:
    monkeypatch.chdir(tmp_path)
    return Sqlcmd(capfd)


NUMBER = "SET NOCOUNT ON; SELECT {} AS n"


# --- how a run ends ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "code", "out"),
    [
        ("PRINT 'a'\nGO\nPRINT 'b'\n:quit\nPRINT 'c'", 0, "a\n"),
        ("PRINT 'a'\nGO\nPRINT 'b'\n:Exit\nGO", 0, "a\n"),
        ("PRINT 'a'\nGO\nPRINT 'b'\n:exit()\nPRINT 'c'", 0, "a\nb\n"),
        ("PRINT 'a'\nGO\nPRINT 'b'\nQUIT\nPRINT 'c'", 0, "a\n"),
        ("SET NOCOUNT ON\n:EXIT(SELECT 7 AS n)\nPRINT 'c'", 7, "n\n-\n7\n"),
        ("SET NOCOUNT ON\nGO\nexit (SELECT n FROM (VALUES (1), (2)) AS t(n) ORDER BY n)", 2, "n\n-\n1\n2\n"),
        ("SET NOCOUNT ON\nDECLARE @n int = 40\nSET @n += 2\n:exit(SELECT @n AS n)", 42, " n\n--\n42\n"),
        (":exit(SELECT 1 WHERE 1 = 0)", -101, None),
        (":exit(SELECT 'word')", -102, None),
        (":exit(SELECT NULL)", -102, None),
        (":exit(SELECT 1 / 0)", -100, None),
        (":exit(PRINT 'x')", -101, "x\n"),
    ],
)
def test_quit_and_exit(sqlcmd: Sqlcmd, script: str, code: int, out: str | None) -> None:
    done = sqlcmd(a=script)
    assert done[0] == code
    assert out is None or done[1] == out


def test_quit_ends_all_scripts(sqlcmd: Sqlcmd) -> None:
    assert sqlcmd("-i", "a.sql", "-i", "b.sql", a="PRINT 'a'\nGO\n:quit", b="PRINT 'b'") == (0, "a\n", "")
    assert sqlcmd("a.sql", a=":r b.sql\nPRINT 'after'", b="PRINT 'b'\nGO\n:quit") == (0, "b\n", "")


@pytest.mark.parametrize(
    ("options", "script", "code", "goes_on"),
    [
        ([], "SELECT 1 / 0", 0, True),
        (["-b"], "SELECT 1 / 0", 1, False),
        (["-b"], "RAISERROR ('low', 10, 1)", 0, True),
        (["-b", "-V", "17"], "SELECT 1 / 0", 0, True),
        (["-b", "-V", "16"], "SELECT 1 / 0", 16, False),
        (["-V", "16"], "SELECT 1 / 0", 16, True),
        (["-V", "17"], "SELECT 1 / 0", 0, True),
        (["-V1"], "SELECT * FROM", 15, True),
        ([], ":ON ERROR EXIT\nSELECT 1 / 0", 1, False),
        (["-b"], ":on error ignore\nPRINT 'x'", 0, True),
        ([], "RAISERROR ('stop', 16, 127)", 50000, False),
        ([], "RAISERROR ('stop', 10, 127)", 50000, False),
        ([], "THROW 51000, 'stop', 127", 51000, False),
    ],
)
def test_which_errors_end_a_run(sqlcmd: Sqlcmd, options: list[str], script: str, code: int, goes_on: bool) -> None:
    done = sqlcmd(*options, "a.sql", a=f"{script}\nGO\nPRINT 'after'\nGO\n")
    assert (done[0], done[1].endswith("after\n")) == (code, goes_on)


# --- where text goes ---------------------------------------------------------------------------------------


def test_out_and_error_send_text_elsewhere(sqlcmd: Sqlcmd) -> None:
    script = "PRINT 'here'\nGO\n:Out results.txt\nPRINT 'there'\nGO\n:error errors.txt\nSELECT 1 / 0\nGO\n:out STDOUT\n:Error stderr\nPRINT 'again'\nSELECT 1 / 0\nGO\n"
    code, out, err = sqlcmd(a=script)
    assert (code, out) == (0, "here\nagain\n")
    assert err.startswith("Msg 8134")
    assert Path("results.txt").read_text() == "there\n"
    assert Path("errors.txt").read_text().startswith("Msg 8134")


def test_out_to_a_file_that_cannot_be_written(sqlcmd: Sqlcmd) -> None:
    code, _, err = sqlcmd(a="PRINT 'x'\nGO\n:out no/such/folder.txt")
    assert (code, err) == (1, "sbql: a.sql:3: cannot write no/such/folder.txt: no such file or directory\n")


def test_r_sends_errors_to_standard_error(sqlcmd: Sqlcmd) -> None:
    script = "PRINT 'word'\nSELECT 1 / 0"
    assert sqlcmd("-r", "a.sql", a=script)[1] == "word\n"
    assert sqlcmd("-r0", "a.sql")[2].startswith("Msg 8134")
    code, out, err = sqlcmd("-r1", "a.sql")
    assert (code, out) == (0, "")
    assert err.startswith("word\nMsg 8134")


def test_m_hides_low_errors(sqlcmd: Sqlcmd) -> None:
    script = "RAISERROR ('low', 11, 1)\nRAISERROR ('high', 16, 1)\nPRINT 'word'"
    code, out, _ = sqlcmd("-m", "16", "a.sql", a=script)
    assert (code, "low" in out, "high" in out, "word" in out) == (0, False, True, True)
    assert "low" not in sqlcmd(b=":setvar SQLCMDERRORLEVEL 16\n" + script)[1]


def test_e_echoes_batches(sqlcmd: Sqlcmd) -> None:
    assert sqlcmd("-e", "a.sql", a="PRINT 'x'\nGO")[1] == "PRINT 'x'\nx\n"


# --- variables ---------------------------------------------------------------------------------------------


def test_variables_come_from_the_environment_too(sqlcmd: Sqlcmd, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP_NAME", "corner")
    script = "PRINT '$(shop_name)'\nGO\n:setvar Shop_Name market\nPRINT '$(SHOP_NAME)'"
    assert sqlcmd(a=script) == (0, "corner\nmarket\n", "")
    assert sqlcmd("-v", "SHOP_NAME=mall", "-i", "a.sql")[1] == "mall\nmarket\n"
    assert sqlcmd("-X", "a.sql")[0] == 1
    assert sqlcmd("-x", "-Q", "PRINT '$(SHOP_NAME)'")[1] == "$(SHOP_NAME)\n"


def test_variables_of_sqlcmd(sqlcmd: Sqlcmd) -> None:
    assert sqlcmd("-d", "msdb", "-Q", "PRINT '$(SQLCMDDBNAME)|$(SQLCMDUSER)|' + '$(SQLCMDSERVER)'")[1].startswith(
        "msdb||"
    )
    script = f":setvar SQLCMDCOLSEP ;\n{NUMBER.format('1 AS m, 2')}\nGO\n:setvar SQLCMDHEADERS -1\n{NUMBER.format(3)}\n"
    assert sqlcmd(a=script)[1] == "m;n\n-;-\n1;2\n3\n"


def test_variables_stay_from_script_to_script(sqlcmd: Sqlcmd) -> None:
    done = sqlcmd("-i", "a.sql,b.sql", a=":r c.sql", b="PRINT '$(x)'", c=':SETVAR x "two words"')
    assert done == (0, "two words\n", "")


def test_a_variable_stands_for_any_text(sqlcmd: Sqlcmd) -> None:
    script = ":setvar db \"Some Shop\"\n:setvar q dbo.Q\nCREATE DATABASE [$(db)]\nGO\nUSE [$(db)]\nGO\nCREATE QUEUE $(q)\nGO\nSET NOCOUNT ON; SELECT name FROM sys.service_queues WHERE object_id = OBJECT_ID(N'$(q)')"
    assert sqlcmd("-h", "-1", "a.sql", a=script)[1].splitlines()[-1] == "Q"


def test_listvar_list_reset_and_help(sqlcmd: Sqlcmd) -> None:
    _, out, _ = sqlcmd("-v", "a=1", "-i", "a.sql", a=":setvar b two\n:ListVar\nPRINT 'x'\n:List\n:Reset\n:HELP\n")
    assert 'a = "1"\nb = "two"\nPRINT \'x\'\nGO [n]' in out
    assert not out.endswith("x\n")


# --- files and programs ------------------------------------------------------------------------------------


def test_r_is_nested_and_knows_both_slashes(sqlcmd: Sqlcmd) -> None:
    Path("inner/deep").mkdir(parents=True)
    Path("inner/one.sql").write_text("PRINT 'one'\n:r deep\\two.sql\nPRINT 'end of one'\nGO\n")
    Path("inner/deep/two.sql").write_text("PRINT 'two'\nGO\n:r \"top.sql\"\n")
    done = sqlcmd("a.sql", a=":setvar dir inner\n:R $(dir)\\one.sql\nPRINT 'last'", top="PRINT 'top'")
    assert done[1] == "one\ntwo\ntop\nend of one\nlast\n"


def test_programs_of_the_system_are_not_run(sqlcmd: Sqlcmd) -> None:
    script = "PRINT 'a'\nGO\n!!mkdir made\n:!! mkdir made\n:ed\nPRINT 'b'\nGO"
    code, out, err = sqlcmd(a=script)
    assert (code, out, err) == (1, "a\n", "sbql: a.sql:3: !! mkdir made is not supported\n")
    code, out, err = sqlcmd("-X", "a.sql")
    assert (code, out) == (0, "a\nb\n")
    assert err.splitlines()[0] == "a.sql:3: !! mkdir made is not supported; passed over (-X)"
    assert sqlcmd("-X1", "a.sql")[0] == 1
    assert not Path("made").exists()


def test_connect_is_told_and_xml_changes_nothing(sqlcmd: Sqlcmd) -> None:
    code, out, err = sqlcmd(a=":xml ON\nPRINT 'a'\nGO\n:CONNECT other\\instance -U sa\nPRINT 'b'")
    assert (code, out) == (1, "a\n")
    assert err.startswith("sbql: a.sql:4: The script directive :connect is not supported here: there is one instance")


def test_go_in_any_case_and_number(sqlcmd: Sqlcmd) -> None:
    assert sqlcmd(a="PRINT 'x'\nGo 3\nPRINT 'y'\n gO 0\nPRINT 'z'\nGO -- end\n")[1] == "x\nx\nx\nz\n"


def test_options_that_change_nothing(sqlcmd: Sqlcmd) -> None:
    assert sqlcmd("-I", "-w", "65535", "-Q", 'SET NOCOUNT ON; SELECT 1 AS "a"')[1] == "a\n-\n1\n"


def test_check_passes_over_directives(sqlcmd: Sqlcmd) -> None:
    script = ":out x.txt\n!!dir\n:list\nSELECT 1\nGO\nSELECT FROM\n"
    code, out, _ = sqlcmd("-X", "--check", "a.sql", a=script)
    assert (code, out.splitlines()[0].split(": ")[0]) == (1, "a.sql:6:8")
    code, out, _ = sqlcmd("--check", "a.sql", a=script)
    assert (code, [line.split(": ")[0] for line in out.splitlines()]) == (1, ["a.sql:2", "a.sql:6:8"])
    assert not Path("x.txt").exists()
