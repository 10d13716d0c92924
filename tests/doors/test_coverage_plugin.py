"""coverage.py's plugin, with pytest-cov and by itself: a real project in a process of its own, whose scripts say in
comments which lines are not to run."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import coverage
import pytest
from coverage.exceptions import PluginError
from coverage.plugin_support import Plugins

from sbql import coverage_plugin
from sbql.engine.running_lines import listen

UNRUN = "-- unrun"

PREPARED = """\
CREATE DATABASE Shop;
GO
USE Shop;
CREATE TABLE Orders (id int PRIMARY KEY, price int NOT NULL);
CREATE TABLE Log (what nvarchar(100));
CREATE QUEUE Q;
CREATE SERVICE S ON QUEUE Q ([DEFAULT]);
GO
CREATE VIEW Cheap AS
    SELECT id
    FROM Orders WHERE price < 10;
GO
CREATE VIEW Never AS
    SELECT id FROM Orders; -- unrun
GO
CREATE VIEW CheapOnes AS
    SELECT id FROM Cheap;
GO
CREATE FUNCTION dbo.Twice (@x int) RETURNS int AS
BEGIN
    RETURN 2 * @x;
END;
GO
CREATE FUNCTION dbo.Half (@x int) RETURNS int AS
BEGIN
    RETURN @x / 2;
END;
GO
CREATE FUNCTION dbo.Kind (@price int) RETURNS nvarchar(10) AS
BEGIN
    IF @price < 10
        RETURN N'cheap';
    RETURN N'dear'; -- unrun
END;
GO
CREATE FUNCTION dbo.Priced (@price int) RETURNS TABLE AS
RETURN
(
    SELECT id FROM Orders WHERE price = @price
);
GO
CREATE FUNCTION dbo.Both () RETURNS @rows TABLE (id int) AS
BEGIN
    INSERT @rows VALUES (1);
    IF 1 = 0
        INSERT @rows VALUES (2); -- unrun
    RETURN;
END;
GO
CREATE TRIGGER Told ON Orders AFTER INSERT AS
    INSERT Log SELECT N'order' FROM inserted;
GO
CREATE PROCEDURE Place @id int, @price int AS
BEGIN
    DECLARE @dialog uniqueidentifier;
    IF @price > 100
        THROW 50001, 'too dear', 1; -- unrun
    INSERT Orders VALUES (@id, @price);
    IF EXISTS (SELECT * FROM CheapOnes WHERE id = @id)
    BEGIN
        BEGIN DIALOG @dialog FROM SERVICE S TO SERVICE 'S' WITH ENCRYPTION = OFF;
        SEND ON CONVERSATION @dialog (N'cheap');
    END;
    ELSE
    BEGIN
        PRINT 'dear'; -- unrun
        SELECT * FROM Never; -- unrun
        WAITFOR DELAY '00:00:01'; -- unrun
        THROW 50001, 'internal', 1; -- pragma: no cover
    END;
END;
GO
CREATE PROCEDURE OnMessage AS
    PRINT 'another text'; -- unrun
GO
ALTER PROCEDURE OnMessage AS
BEGIN
    DECLARE @body nvarchar(max), @dialog uniqueidentifier;
    RECEIVE TOP (1) @dialog = conversation_handle, @body = message_body FROM Q;
    IF @body = N'cheap'
        INSERT Log VALUES (@body);
    ELSE
        INSERT Log VALUES (N'an end'); -- unrun
END;
GO
ALTER QUEUE Q WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = OnMessage, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER);
GO
"""

NEVER = "PRINT 'never'; -- unrun\nGO\n\nSELECT 1; -- unrun\n"

REFUSED = """\
PRINT 'it runs';
GO
-- a batch is refused as a whole
SELECT FROM WHERE; -- unrun
PRINT 'it does not run';
GO
:r inner.sql
PRINT 'it runs';
GO
IF $(n) = 1
    PRINT 'as said on the command line';
ELSE
    PRINT 'otherwise'; -- unrun
GO
"""

SCRIPT = """\
USE Shop;
GO
EXEC Place 7, 7;
GO
--! settle
IF EXISTS (SELECT * FROM Log)
    PRINT 'yes';
ELSE
    PRINT 'no'; -- unrun
GO
--! print yes
"""

TESTS = """\
import pytest
import sbql

HERE = __file__.rpartition("/")[0]


def call(connection):
    connection.execute("EXEC Place 1, 5")
    assert connection.wait_idle(30)
    assert connection.execute("SELECT what FROM Log ORDER BY what").fetchall() == [("cheap",), ("order",)]
    assert connection.execute("DECLARE @x int = dbo.Twice(4); SELECT @x, dbo.Half(id), dbo.Kind(price) FROM Orders").fetchall() == [(8, 0, "cheap")]
    assert connection.execute("SELECT a.id, b.id FROM dbo.Priced(5) AS a, dbo.Both() AS b").fetchall() == [(1, 1)]


def test_a_clone(sbql_connection):
    call(sbql_connection)


def test_threads():
    with sbql.connect() as connection:
        sbql.run_file(connection, HERE + "/threads.sql")
        assert connection.instance.loop is None
        call(connection)


def test_what_is_refused():
    with sbql.connect() as connection:
        with pytest.raises(sbql.ProgrammingError):
            sbql.run_file(connection, HERE + "/refused.sql", variables={"n": "1"})
"""

FILES = {
    "prepared.sql": PREPARED,
    "threads.sql": PREPARED.replace("CREATE ", "CREATE  ").replace("ALTER ", "ALTER  "),  # equal texts are one text
    "never.sql": NEVER,
    "refused.sql": REFUSED,
    "inner.sql": "\n\nPRINT 'included';\n",
    "test_script.sql": SCRIPT,
    "test_app.py": TESTS,
    "pytest.ini": "[pytest]\nsbql_setup = prepared.sql\n",
    ".coveragerc": "[run]\nplugins = sbql.coverage_plugin\nsource = .\n\n[sbql.coverage_plugin]\nvariables =\n    n=1\n",
}
SCRIPTS = sorted(name for name in FILES if name.endswith(".sql"))


def unrun(name: str) -> list[int]:
    return [number for number, line in enumerate(FILES[name].split("\n"), 1) if line.endswith(UNRUN)]


def call(folder: Path, *words: str) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, timeout=120, env=environment
    )
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """After a run of its tests, with the report in `said`."""
    folder = tmp_path_factory.mktemp("shop")
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = ("--cov", "--cov-branch", "--cov-context=test", "--cov-report=term-missing", "--cov-report=json")
    said = call(folder, "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", ".", *words)
    (folder / "said").write_text(said, encoding="utf-8")
    return folder


def missing(said: str, name: str) -> str:
    """The column of the text report."""
    found = re.search(rf"^{re.escape(name)} .*%(.*)$", said, re.M)
    assert found is not None, said
    return found[1].strip()


@pytest.mark.parametrize("name", SCRIPTS)
def test_missing_lines_are_those_that_did_not_run(project: Path, name: str) -> None:
    report: dict[str, Any] = json.loads((project / "coverage.json").read_text(encoding="utf-8"))["files"][name]
    assert report["missing_lines"] == unrun(name)
    assert bool(report["executed_lines"]) == (name != "never.sql")
    said = missing((project / "said").read_text(encoding="utf-8"), name)
    assert [int(line) for line in re.findall(r"\d+", said.partition("->")[0])] or not unrun(name)


def test_the_procedure_with_an_if(project: Path) -> None:
    """The text report, in the words of coverage.py: neighbours that are missing are one range."""
    said = missing((project / "said").read_text(encoding="utf-8"), "test_script.sql")
    assert said == str(unrun("test_script.sql")[0])


def test_what_a_comment_excludes(project: Path) -> None:
    report = json.loads((project / "coverage.json").read_text(encoding="utf-8"))["files"]["prepared.sql"]
    lines = FILES["prepared.sql"].split("\n")
    assert report["excluded_lines"] == [n for n, line in enumerate(lines, 1) if line.endswith("-- pragma: no cover")]


def test_branches(project: Path) -> None:
    report = json.loads((project / "coverage.json").read_text(encoding="utf-8"))["files"]["test_script.sql"]
    start = next(n for n, line in enumerate(SCRIPT.split("\n"), 1) if line.startswith("IF"))
    assert report["executed_branches"] == [[start, start + 1]]
    assert report["missing_branches"] == [[start, start + 3]]


def test_contexts_are_the_tests(project: Path) -> None:
    """The set-up ran in the first test that wanted it; what an activated procedure
    did belongs to the test around it."""
    data = coverage.CoverageData(str(project / ".coverage"))
    data.read()
    line = FILES["prepared.sql"].split("\n").index("        INSERT Log VALUES (@body);") + 1
    contexts = data.contexts_by_lineno(str(project / "prepared.sql"))[line]
    assert sorted(contexts) == ["test_app.py::test_a_clone|run", "test_script.sql::script|run"]
    contexts = data.contexts_by_lineno(str(project / "threads.sql"))[line]
    assert [context for context in contexts if context] == ["test_app.py::test_threads|run"]


def test_without_pytest(project: Path) -> None:
    """`coverage run -m sbql test` and `-m sbql FILE`, and a report of another process."""
    folder = project / "by_itself"
    folder.mkdir()
    for name in ("prepared.sql", "test_script.sql", "never.sql", ".coveragerc"):
        (folder / name).write_text(FILES[name], encoding="utf-8")
    call(folder, "coverage", "run", "-m", "sbql", "test", "--setup", "prepared.sql")
    call(folder, "coverage", "run", "-a", "-m", "sbql", "never.sql")
    said = call(folder, "coverage", "report", "-m")
    assert missing(said, "test_script.sql") == str(unrun("test_script.sql")[0])
    assert missing(said, "never.sql") == ""
    assert missing(said, "prepared.sql")


def test_lines_are_counted_as_errors_count_them(tmp_path: Path) -> None:
    """A form feed ends no line; files of Windows and of Management Studio are read as they run."""
    path = tmp_path / "saved.sql"
    path.write_text("PRINT 'a\x0cb'\r\nGO\r\nPRINT 'é'\r\n", encoding="utf-16")
    reporter = coverage_plugin.Plugin({}).file_reporter(str(path))
    assert reporter.lines() == {1, 3}
    assert [text.rstrip("\r") for ((_, text),) in reporter.source_token_lines()] == [
        "PRINT 'a\x0cb'",
        "GO",
        "PRINT 'é'",
        "",
    ]


# --- options -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("core", "expected"), [(None, "ctrace"), ("sysmon", "sysmon"), ("pytrace", "pytrace")])
def test_a_core_that_heeds_plugins_unless_another_one_is_asked_for(core: str | None, expected: str) -> None:
    measured = coverage.Coverage(config_file=False)
    measured.set_option("run:core", core)
    coverage_plugin.Plugin({}).configure(measured)
    assert measured.get_option("run:core") == expected


@pytest.mark.parametrize("options", [{"variable": "n=1"}, {"variables": "n"}, {"variables": ["n=1", "m"]}])
def test_options_that_are_none(options: dict[str, Any]) -> None:
    with pytest.raises(PluginError, match=r"sbql\.coverage_plugin"):
        coverage_plugin.coverage_init(Plugins(), options)
    listen(None)
