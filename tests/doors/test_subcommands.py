"""`sbql init`, `sbql completion`, `sbql diagram`: what they make is used as it is meant to be.

What all commands say of a wrong argument, and of a store that is not there.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import sbql
from sbql.engine.pictures import recorded_timeline
from sbql.engine.tracing import TraceFile
from sbql.repl import diagnose
from sbql.repl.cli import main
from sbql.repl.options import command_line_parser
from sbql.repl.shell_completion import SHELLS, script
from sbql.repl.starter_project import FILES
from sbql.repl.subcommands import SUBCOMMANDS, parsers

Call = Callable[..., tuple[int, str, str]]


@pytest.fixture
def call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command line in a scratch folder; exit code, output, errors."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(list(arguments))
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("command", [one.name for one in SUBCOMMANDS])
def test_each_command_has_help_with_a_description(call: Call, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call(command, "--help")
    said = capsys.readouterr().out
    assert ended.value.code == 0
    assert said.startswith(f"usage: sbql {command}")
    assert "examples:" in said, "a page of options alone tells nobody how to begin"


def test_help_of_sbql_lists_the_commands(call: Call, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        call("--help")
    said = capsys.readouterr().out
    for one in SUBCOMMANDS:
        assert re.search(rf"^  sbql {one.name}\b.*{re.escape(one.help)}$", said, re.M), one.name


# --- init ----------------------------------------------------------------------------------------------------


def test_the_starter_project_runs_as_its_readme_says(call: Call, tmp_path: Path) -> None:
    code, out, _ = call("init", "shop")
    assert code == 0
    assert sorted(path.name for path in (tmp_path / "shop").iterdir()) == sorted(FILES)
    blocks = re.findall(
        r"^```sh\n(.*?)^```", (tmp_path / "shop" / "README.md").read_text(encoding="utf-8"), re.M | re.S
    )
    commands = [line.partition("#")[0].split() for block in blocks for line in block.splitlines()]
    assert len(commands) == 6
    said = {}
    for words in commands:
        module = ["-p", "no:cacheprovider"] if words[0] == "pytest" else []
        done = subprocess.run(
            [sys.executable, "-m", *words, *module], cwd=tmp_path / "shop", capture_output=True, text=True, timeout=120
        )
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        said[" ".join(words)] = done.stdout
    assert re.search(r"42 +paid", said["sbql orders.sql order_42.sql"])
    assert "ShopQueue" in said["sbql diagram --store shop.duckdb -d Shop"]
    assert "1 passed" in said["sbql test"]
    assert re.search(r"\b4 passed", said["pytest"])
    assert re.search(r"^orders.sql .* 100%", said["pytest --cov --cov-report=term-missing"], re.M)
    for line in out.partition("Next:\n")[2].splitlines():
        assert line.strip() in ("cd shop", *said)


def test_init_overwrites_nothing(call: Call, tmp_path: Path) -> None:
    (tmp_path / "orders.sql").write_text("mine", encoding="utf-8")
    code, out, err = call("init", ".")
    assert (code, out, err) == (1, "", "sbql: . has orders.sql already; nothing was written\n")
    assert [path.name for path in tmp_path.iterdir()] == ["orders.sql"]
    (tmp_path / "file").touch()
    code, _, err = call("init", "file")
    assert code == 1
    assert err.startswith("sbql: cannot write ")


# --- trace ---------------------------------------------------------------------------------------------------


RECORDED = """
CREATE DATABASE Shop
GO
USE Shop
CREATE MESSAGE TYPE [//order] VALIDATION = NONE
CREATE CONTRACT [//contract] ([//order] SENT BY INITIATOR)
CREATE QUEUE Q
CREATE SERVICE [//customer] ON QUEUE Q
CREATE SERVICE [//shop] ON QUEUE Q ([//contract])
GO
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE [//customer] TO SERVICE '//shop' ON CONTRACT [//contract] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [//order] (0x01)
"""


def test_a_script_is_recorded_and_shown(call: Call, tmp_path: Path) -> None:
    """The file has all classes, whatever --trace prints; the page is the one that Python makes of it."""
    (tmp_path / "a.sql").write_text(RECORDED, encoding="utf-8")
    code, _, err = call("--clock", "virtual", "--trace-file", "b.jsonl", "--trace", "Activation", "a.sql")
    assert (code, err) == (0, "")
    code, out, _ = call("trace", "b.jsonl")
    lines = out.splitlines()
    assert len(lines) == len((tmp_path / "b.jsonl").read_text(encoding="utf-8").splitlines()) > 3
    sent = next(line for line in lines if "SEND" in line)
    assert re.fullmatch(
        r"2026-01-01 00:00:00.000 spid 51 Conversation SEND Message \[//order\] 0 initiator //customer -> //shop CO [0-9A-F-]{36}",
        sent,
    )
    id = sent.rpartition(" ")[2]
    assert call("trace", "b.jsonl", "--conversation", id.lower())[1].splitlines() == [
        line for line in lines if id in line
    ]
    code, out, _ = call("trace", "b.jsonl", "--html", "b.html")
    assert (code, out) == (
        0,
        f"b.html: {len(lines)} events on {len(recorded_timeline('b.jsonl').timeline.lanes)} lanes.\n",
    )
    assert (tmp_path / "b.html").read_text(encoding="utf-8") == recorded_timeline("b.jsonl").html


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["trace"], "trace: the following arguments are required: FILE. See: sbql trace --help"),
        (["trace", "none.jsonl"], "cannot read none.jsonl: No such file or directory"),
        (["trace", "text"], "text: line 1 of the trace is no JSON object: 'no trace'"),
        (["trace", "empty", "--conversation", "12"], "empty: '12' is no id: give a conversation id, a handle or the id of a group"),
        (["trace", "empty", "--conversation", "7C5F0E1A-1D5E-4C0B-9F6B-0A8E3F6D2C11"], "empty: nothing in the trace has the id 7C5F0E1A"),
        (["trace", "empty", "--html", "none/a.html"], "cannot write none/a.html: No such file or directory"),
        (["--trace-file", "none/a.jsonl", "-Q", "SELECT 1"], "cannot write none/a.jsonl: No such file or directory"),
        (["-S", "a,1", "-Usa", "-Px", "--trace-file", "a", "-Q", "SELECT 1"], "--trace-file does not go over -S"),
    ],
)  # fmt: skip
def test_a_trace_that_cannot_be_shown(call: Call, tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "text").write_text("no trace\n", encoding="utf-8")
    (tmp_path / "empty").touch()
    code, out, err = call(*arguments)
    assert (code, out) == (1, "")
    assert err.startswith(f"sbql: {said}")


# --- completion ----------------------------------------------------------------------------------------------


def words_of(shell_words: list[str], folder: Path) -> list[str]:
    """What bash offers behind these words, the last of which is being typed."""
    program = 'source /dev/stdin <<< "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _sbql; printf "%s\\n" "${COMPREPLY[@]}"'
    text = script("bash", {"": command_line_parser(), **parsers()}, {one.name: one.help for one in SUBCOMMANDS})
    done = subprocess.run(
        ["bash", "-c", program, "bash", text, *shell_words], cwd=folder, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash here")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("sbql d", ["diagnose", "diagram"]),
        ("sbql --sto", ["--store"]),
        ("sbql --clock ", ["system", "virtual"]),
        ("sbql --store sh", ["shop.duckdb"]),
        ("sbql -d ", []),
        ("sbql test --ju", ["--junitxml"]),
        ("sbql test --junitxml sh", ["shop.duckdb"]),
        ("sbql diagram -F s", ["svg"]),
        ("sbql completion ", list(SHELLS)),
        ("sbql serve --clock a", ["auto"]),
        ("sbql sh", ["shop.duckdb"]),
        ("sbql --store test --cl", ["--clock"]),
    ],
)
def test_bash_offers(typed: str, offered: list[str], tmp_path: Path) -> None:
    (tmp_path / "shop.duckdb").touch()
    assert words_of(typed.split(" "), tmp_path) == offered


@pytest.mark.parametrize("shell", SHELLS)
def test_every_option_of_every_command_is_there(call: Call, shell: str) -> None:
    code, out, _ = call("completion", shell)
    assert code == 0
    for command, parser in {"": command_line_parser(), **parsers()}.items():
        place = command or {"bash": "'')", "zsh": "('')", "fish": "not __fish"}[shell]
        lines = [line for line in out.splitlines() if place in line]
        for action in parser._actions:
            for option in action.option_strings if action.help != "==SUPPRESS==" else ():
                flag = {True: f"-l {option[2:]} ", False: option}[shell == "fish" and option.startswith("--")]
                flag = f"-s '{option[1:]}'" if shell == "fish" and len(option) == 2 else flag
                flag = f"-o {option[1:]} " if shell == "fish" and len(option) > 2 and option[1] != "-" else flag
                assert any(flag in line for line in lines), (command, option)
    if shutil.which(shell) is not None:
        done = subprocess.run([shell, "-n"], input=out, capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


# --- diagram -------------------------------------------------------------------------------------------------

SHOP = """
CREATE DATABASE Shop
GO
USE Shop
CREATE QUEUE Q; CREATE SERVICE Asker ON QUEUE Q; CREATE SERVICE Answerer ON QUEUE Q ([DEFAULT])
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Asker TO SERVICE 'Answerer' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x')
"""


@pytest.fixture
def shop(tmp_path: Path) -> str:
    """A store with a dialog, a trace of it beside; the handle."""
    with sbql.connect(str(tmp_path / "shop.duckdb"), clock="virtual") as connection:
        stop = connection.trace(TraceFile(tmp_path / "broker.jsonl"))
        sbql.run_script(connection, SHOP)
        stop()
        row = connection.execute(
            "SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 1"
        ).fetchone()
        assert row is not None
        return str(row[0])


def test_what_can_be_drawn(call: Call, shop: str, tmp_path: Path) -> None:
    store = ("--store", "shop.duckdb", "-d", "Shop")
    code, topology, _ = call("diagram", *store)
    assert code == 0 and "Answerer" in topology and "dbo.Q" in topology
    code, dialog, _ = call("diagram", *store, "--conversation", shop)
    assert code == 0 and "BEGIN DIALOG" in dialog and "DEFAULT" in dialog
    code, recorded, _ = call("diagram", "--trace", "broker.jsonl", "--conversation", shop, "-F", "mermaid")
    assert code == 0 and recorded.startswith("sequenceDiagram") and "Asker" in recorded
    code, states, _ = call("diagram", "--states")
    assert code == 0 and "STARTED_OUTBOUND" in states
    for name, begins in (("a.svg", "<svg"), ("a.mmd", "---\ntitle: .*\n---\nflowchart LR\n"), ("a.txt", "States")):
        assert call("diagram", "--states", "-o", name) == (0, "", "")
        assert re.match(begins, (tmp_path / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "say what to draw"),
        (["--states", "--trace", "broker.jsonl"], "--states draws all"),
        (["--states", "-o", "a.gif"], r"\.svg, \.mmd or \.txt"),
        (["--trace", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (["--store", "shop.duckdb", "--conversation", "00000000-0000-0000-0000-000000000001"], "00000000"),
        (["--store", "shop.duckdb", "--conversation", "x"], "x"),
        (["--states", "-o", "no/folder.svg"], "cannot write no/folder.svg"),
    ],
)
def test_what_cannot_be_drawn(call: Call, shop: str, arguments: list[str], said: str) -> None:
    code, out, err = call("diagram", *arguments)
    assert (code, out) == (1, "")
    assert re.match(rf"sbql: .*{said}", err)
    assert "internal error" not in err


def typed_options() -> Iterator[tuple[str, str]]:
    """Each option, of the command line and of its commands, whose argument is more than text."""
    for name, parser in (("", command_line_parser()), *parsers().items()):
        for action in parser._actions:
            if action.type is not None or action.choices is not None:
                yield name, action.option_strings[-1] if action.option_strings else ""


@pytest.mark.parametrize(("name", "option"), list(typed_options()))
def test_a_wrong_argument_is_told_in_words_of_the_manual(
    name: str, option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names what was given and says what would do, and no type or function of Python."""
    with contextlib.suppress(SystemExit):
        assert main([*filter(None, (name, option)), "no-such"]) != 0
    told = capsys.readouterr().err
    assert "no-such" in told.lower() and f"See: sbql{f' {name}' if name else ''} --help" in told
    assert not re.search(r"invalid \w+ value|_", told.partition("choose from")[0].replace("no-such", "")), told


def test_options_with_types_are_found() -> None:
    found = set(typed_options())
    assert {("", "-V"), ("", "--start"), ("", "-f"), ("serve", "--port"), ("test", "--seed")} <= found and len(
        found
    ) > 20


@pytest.mark.parametrize(
    "arguments",
    [
        ["diagnose", "--store"],
        ["diagnose", "--json", "--store"],
        ["diagram", "--store"],
        ["diagram", "--conversation", "7C5F0E1A-1D5E-4C0B-9F6B-0A8E3F6D2C11", "--store"],
        ["--salvage"],
    ],
    ids=" ".join,
)
def test_who_only_looks_at_a_store_makes_none(
    arguments: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A name that is mistyped is told, and not taken for a store in which nothing is wrong."""
    store = tmp_path / "mistyped.duckdb"
    assert main([*arguments, str(store)]) in (1, 2)
    out, err = capsys.readouterr()
    assert "mistyped.duckdb" in err and out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("words", ["CONFIGURATION FROM SERVICE a TO SERVICE b ON CONTRACT c", "RUNTIME -TIMEOUT 1"])
def test_ssbdiagnose_makes_no_store(words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "mistyped.duckdb"
    assert diagnose.main(["-S", str(store), *words.split()]) == 2
    assert f"there is no store {store}" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_the_address_of_a_server_is_no_store_to_watch(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert diagnose.main(["-S", "127.0.0.1,1433", "RUNTIME", "-TIMEOUT", "0"]) == 2
    assert "give its file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_diagnose_asks_where_to_look(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diagnose"]) == 2
    assert "--store FILE" in capsys.readouterr().err
