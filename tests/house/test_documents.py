"""Documents tell the truth: links lead somewhere, commands exist, the examples of the first page run."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from sbql.repl.input import is_complete

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs" / "decisions").glob("*.md")),
]
PAGES_OF_A_LIST = [
    ROOT / "CHANGELOG.md",
    *sorted((ROOT / "docs" / "commands").glob("*.md")),
    *sorted((ROOT / "docs" / "spec").glob("*.md")),
]
"""Documents that are lists, whose links are looked at."""
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
FENCES = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)


def blocks(path: Path, language: str) -> list[str]:
    """The fenced blocks of one language ('' for none)."""
    return [body for kind, body in FENCES.findall(path.read_text(encoding="utf-8")) if kind == language]


def options() -> set[str]:
    """Those of the command line and of its commands."""
    from sbql.repl.options import command_line_parser
    from sbql.repl.subcommands import parsers

    return {
        option
        for parser in (command_line_parser(), *parsers().values())
        for action in parser._actions
        for option in action.option_strings
    }


def anchors(path: Path) -> set[str]:
    """What a link may name behind `#`: a name for each heading, as GitHub and MkDocs make it."""
    names: Counter[str] = Counter()
    found: set[str] = set()
    for heading in re.findall(r"^#+ (.*)$", FENCES.sub("", path.read_text(encoding="utf-8")), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).strip().lower()
        name = re.sub(r"[^\w -]", "", text).replace(" ", "-")
        found.add(f"{name}-{names[name]}" if names[name] else name)
        names[name] += 1
    return found


@pytest.mark.parametrize("path", [*DOCUMENTS, *PAGES_OF_A_LIST], ids=lambda p: str(p.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    """To a file that is there, and to a heading that it has."""
    text = re.sub(r"`[^`\n]*`", "", FENCES.sub("", path.read_text(encoding="utf-8")))
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        file = path.parent / name if name else path
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def test_modules_that_texts_name_are_there() -> None:
    """`folder/module.py` in a document, a docstring or a comment: a module that has moved leaves such names behind."""
    rooms = ("catalog", "engine", "grammar", "repl", "sbql", "scripts", "spark_udfs", "tests")
    sources = [file for room in rooms for file in (ROOT / room).rglob("*.py")]
    known = {
        "/".join(file.relative_to(ROOT).parts[i:]) for file in sources for i in range(len(file.relative_to(ROOT).parts))
    }
    readers = [*DOCUMENTS, *(file for file in sources if "tests" not in file.relative_to(ROOT).parts)]
    lost = [
        f"{file.relative_to(ROOT)}: {name}"
        for file in readers
        for name in re.findall(r"(?<![\w/.{<*-])((?:[a-z_]+/)*[a-z_]+\.py)\b", file.read_text(encoding="utf-8"))
        if name not in known and name not in ("setup.py", "coverage.py")
    ]
    assert lost == []


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_extras_exist(path: Path) -> None:
    import tomllib

    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    for names in re.findall(r"\bsbql\[([\w,]+)\]", path.read_text(encoding="utf-8")):
        assert set(names.split(",")) <= set(extras), names


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_make_targets_exist(path: Path) -> None:
    named = set(re.findall(r"(?:^|`)make ([a-z-]+)", path.read_text(encoding="utf-8"), re.M))
    assert named <= TARGETS


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_named_files_exist(path: Path) -> None:
    for file in re.findall(
        r"\b(?:scripts|tests|engine|grammar|catalog)/[\w/.-]+\.(?:sql|py|md|tsv)\b", path.read_text("utf-8")
    ):
        assert (ROOT / file).exists(), file


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda p: p.name)
def test_options_of_commands_exist(path: Path) -> None:
    for block in blocks(path, "sh"):
        for line in block.splitlines():
            command = line.split("#")[0]
            if re.match(r"\s*sbql ", command):
                command = re.sub(r'"[^"]*"', "TEXT", command)
                assert set(re.findall(r"(?<=\s)--?\w[\w-]*", command)) <= options() | {"-1"}, line


def test_every_option_is_in_the_manual() -> None:
    manual = "".join(
        (ROOT / "docs" / name).read_text(encoding="utf-8")
        for name in ("command-line.md", "server.md", "test-scripts.md", "pictures.md")
    )
    found = options()
    assert len(found) > 50
    for option in found:
        assert re.search(rf"`{re.escape(option)}(?![\w-])", manual), option  # `--in` is not the beginning of `--input`


def test_every_variable_of_the_environment_is_in_the_manual() -> None:
    """Those that the program reads by name."""
    rooms = ("catalog", "engine", "grammar", "repl", "sbql", "spark_udfs")
    read = {
        name
        for room in rooms
        for file in (ROOT / room).rglob("*.py")
        for name in re.findall(r'environ(?:\.get\(|\[)"([A-Z_]+)"', file.read_text(encoding="utf-8"))
    }
    table = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8").partition("\n## Environment\n")[2]
    named = set(re.findall(r"`([A-Z_]+)`", "".join(re.findall(r"^\| (`.*?) \|", table.partition("\n## ")[0], re.M))))
    assert len(read) > 10
    assert read <= named


def test_every_command_is_in_the_table_of_commands() -> None:
    from sbql.repl.subcommands import parsers

    manual = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    rows = "".join(re.findall(r"^\| (`sbql .*?) \|", manual, re.M))
    assert set(re.findall(r"`sbql ([\w-]+)", rows)) == set(parsers())


def test_every_screenshot_is_shown_and_loads_nothing() -> None:
    """A picture of docs/screenshots is in a document, and in the scenes of
    `make screenshots`; and the other way round."""
    import xml.etree.ElementTree as ET

    there = {path.stem for path in (ROOT / "docs" / "screenshots").glob("*.svg")}
    shown = {
        name
        for path in DOCUMENTS
        for name in re.findall(r"\]\(screenshots/([\w-]+)\.svg\)", path.read_text(encoding="utf-8"))
    }
    scenes = set(
        re.findall(r'^    "([\w-]+)": Scene\(', (ROOT / ".ci" / "screenshots.py").read_text(encoding="utf-8"), re.M)
    )
    assert there == shown == scenes
    for name in there:
        text = (ROOT / "docs" / "screenshots" / f"{name}.svg").read_text(encoding="utf-8")
        assert ET.fromstring(text).tag.endswith("svg")
        assert "url(http" not in text and "@import" not in text, name


def test_the_version_is_the_same_everywhere() -> None:
    """The first number of the changelog is the package's, and that of the page on versions."""
    import tomllib

    from sbql.grammar.version import __version__

    numbers = re.findall(
        r"^## \[(\d[^\]]*)\] - \d{4}-\d\d-\d\d$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M
    )
    assert numbers[0] == __version__
    assert len(set(numbers)) == len(numbers)
    assert tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"] == __version__
    assert f"| the package | {__version__} |" in (ROOT / "docs" / "versioning.md").read_text(encoding="utf-8")


def test_makefile_explains_every_target() -> None:
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.*)$", text, re.M)
    assert phony is not None
    internal = {"tree"}
    for target in set(phony.group(1).split()) - internal:
        assert re.search(rf"^{target}:.*## ", text, re.M), target


def test_make_help_lists_every_target_below_a_heading() -> None:
    around = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}  # these tests' own make
    done = subprocess.run(["make", "help"], cwd=ROOT, env=around, capture_output=True, text=True, check=True)
    groups = [part.splitlines() for part in done.stdout.strip().split("\n\n")]
    assert len(groups) == 3 and not any(heading.startswith(" ") for heading, *_ in groups)
    listed = [line.split()[1] for _, *lines in groups for line in lines]
    assert sorted(listed) == sorted(
        re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    )


class Terminal(io.StringIO):
    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


def test_the_conversation_of_the_first_page_is_real(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt shown in README.md answers, on a terminal of 80 columns, what is printed there."""
    from sbql.engine.instance import Instance
    from sbql.repl.presenter import Presenter
    from sbql.repl.screen import Screen
    from sbql.repl.view import View

    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")

    (shown,) = [block for block in blocks(ROOT / "README.md", "") if "master> " in block]
    typed: list[str] = []
    expected: list[str] = []
    terminal = Terminal()
    presenter = Presenter(View("table"), Screen(terminal), lambda text: None)
    instance = Instance.open(None)
    try:
        session = instance.connect()
        for line in shown.splitlines():
            prompt = re.match(r"(\w+> | +\d+> )(.*)", line)
            if prompt is None:
                if not line.startswith("$ "):
                    expected.append(line)
                continue
            if prompt.group(1).strip()[:-1].isalpha():
                assert prompt.group(1) == f"{session.database_name}> "
            typed.append(prompt.group(2))
            if is_complete("\n".join(typed)):
                session.run("\n".join(typed[:-1]), sink=lambda outcome: presenter.show(outcome, terminal))
                typed.clear()
    finally:
        instance.close()
    assert [line.rstrip() for line in terminal.getvalue().strip().splitlines()] == expected


def test_the_script_of_getting_started_runs(tmp_path: Path) -> None:
    """The activated procedure of docs/getting-started.md answers as the page says, and again from the stored file."""
    page = ROOT / "docs" / "getting-started.md"
    script = next(block for block in blocks(page, "sql") if "CREATE PROCEDURE EchoMessages" in block)
    answer = next(block for block in blocks(page, "") if "You said" in block)
    (tmp_path / "echo.sql").write_text(script, encoding="utf-8")
    command = [sys.executable, "-m", "sbql", "--store", "echo.duckdb", "echo.sql"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert answer.strip() in "\n".join(line.rstrip() for line in done.stdout.splitlines())
    (program,) = blocks(page, "python")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.stderr, done.stdout.strip()) == ("", "[('You said: From Python',)]")


def test_the_scripts_of_administration_run(tmp_path: Path) -> None:
    """Each script of docs/administration.md runs on the store of docs/getting-started.md; DuckDB reads what is left."""
    import sbql

    echo = next(block for block in blocks(ROOT / "docs" / "getting-started.md", "sql") if "EchoMessages" in block)
    page = ROOT / "docs" / "administration.md"
    store = tmp_path / "echo.duckdb"
    with sbql.connect(str(store)) as connection:
        sbql.run_script(connection, echo)
        connection.execute("USE master")
        for script in blocks(page, "sql"):
            sbql.run_script(connection, script)  # raises the first error
        copies = connection.execute(
            "SELECT name, is_broker_enabled FROM sys.databases WHERE name LIKE 'Echo%' ORDER BY name"
        )
        assert copies.fetchall() == [("Echo", True), ("EchoCopy", True)]
    (program,) = blocks(page, "python")
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.stderr == ""
    assert "Echoer" in done.stdout
