"""Commands of the prompt, typed: here, over sbql's own protocol and over TDS."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from serving import instance_by

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.repl.commands.command import CommandError
from sbql.repl.commands.table import COMMANDS, find, help_text
from sbql.repl.commands.tour import END, STEPS
from sbql.repl.loop import Prompt
from sbql.repl.options import Options

Type = Callable[[str], str]

SHOP = """CREATE DATABASE Shop
USE Shop
CREATE MESSAGE TYPE [//shop/order] VALIDATION = WELL_FORMED_XML
CREATE CONTRACT [//shop/contract] ([//shop/order] SENT BY INITIATOR)
CREATE QUEUE OrderQueue
CREATE TABLE Orders (id int NOT NULL, what nvarchar(20))
CREATE SERVICE [//shop/orders] ON QUEUE OrderQueue ([//shop/contract])
CREATE SERVICE [//shop/customer] ON QUEUE OrderQueue
CREATE PROCEDURE Take @n int, @found int OUTPUT AS SELECT @found = @n
DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//shop/customer] TO SERVICE '//shop/orders' ON CONTRACT [//shop/contract] WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h MESSAGE TYPE [//shop/order] (N'<order/>')"""


EVERYWHERE = pytest.mark.parametrize("typed", ["here", "served", "served-tds"], indirect=True)


@pytest.fixture(params=["here"])
def typed(request: pytest.FixtureRequest, home: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Type]:
    with instance_by(request.param) as instance:
        session = instance.connect()

        def run(text: str) -> str:
            with create_pipe_input() as keys:
                keys.send_text(text.replace("\n", "\r") + "\x04")
                Prompt(instance, session, Options(), input=keys, output=DummyOutput()).run()
            return capsys.readouterr().out.partition("quit ends.\n")[2]

        for statement in SHOP.splitlines():
            assert not [outcome for outcome in session.run(statement) if isinstance(outcome, ErrorOutcome)]
        yield run


@EVERYWHERE
def test_every_list_shows_what_is_there(typed: Type) -> None:
    """Run one after the other in one prompt: starting one costs most of the time."""
    expected = {
        "\\databases Shop": r"^Shop +on ",
        "\\types": r"^//shop/order +WELL_FORMED_XML|^//shop/order +XML",
        "\\contracts": r"^//shop/contract +//shop/order +initiator",
        "\\queues": r"^dbo.OrderQueue +1 +1 on",
        "\\services": r"^//shop/customer +dbo.OrderQueue +NULL",
        "\\services //shop/o%": r"^//shop/orders +dbo.OrderQueue +//shop/contract",
        "\\routes": r"^AutoCreatedLocal",
        "\\procedures": r"^dbo.Take +@found +int +output",
        "\\tables": r"^dbo.Orders +table +2",
        "\\describe Orders": r"^what +nvarchar +40",
        "\\describe Take": r"^CREATE PROCEDURE Take",
        "\\describe //shop/contract": r"^//shop/contract +//shop/order",
        "\\conversations": r"^CONVERSING +//shop/customer +//shop/orders +initiator",
        "\\groups": r"//shop/customer +1$",
        "\\transmission": r"^Nothing waits to be transmitted",
        "\\tasks": r"^No activated procedure runs",
        "\\peek OrderQueue": r"//shop/order +0 0x",
        "\\peek dbo.[OrderQueue] 1": r"//shop/order +0 0x",
        "\\peek Nowhere": r"^There is no queue Nowhere in Shop",
        "\\queues Nothing%": r"^There are no such queues",
        "\\describe nothing": r"^There is nothing named nothing in Shop",
        "\\nonsense": r"^There is no command \\nonsense",
    }
    shown = typed("".join(f"PRINT '== {i}'\nGO\n{line}\n" for i, line in enumerate(expected)))
    parts = re.split(r"^== \d+\n", shown, flags=re.M)[1:]
    for (line, pattern), part in zip(expected.items(), parts, strict=True):
        assert re.search(pattern, part, re.M), (line, part)


def test_a_command_keeps_the_batch_that_is_open(typed: Type) -> None:
    shown = typed("PRINT 'a'\n\\tasks\nPRINT 'b'\nGO\n")
    assert shown.index("No activated") < shown.index("a\nb\n")


def test_a_command_in_a_string_is_none(typed: Type) -> None:
    assert "\\tasks" in typed("PRINT 'a\n\\tasks\n'\nGO\n")


def test_a_command_shows_what_the_transaction_has_done(typed: Type) -> None:
    assert "Uncommitted" in typed("BEGIN TRAN; CREATE QUEUE Uncommitted\nGO\n\\queues\nROLLBACK\nGO\n")


def test_formats_are_switched(typed: Type, tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    shown = typed(f"\\format json\nSELECT 1 AS a\nGO\n\\format csv {file}\nSELECT 2 AS b\nGO\n\\format\n\\format xls\n")
    assert '{"a": 1}\n' in shown
    assert file.read_text() == "b\n2\n"
    assert f"The format is csv, into {file}" in shown and "There is no format 'xls'" in shown


def test_each_setting_says_how_it_stands(typed: Type) -> None:
    shown = typed("\\x on\n\\x auto\n\\timing on\n\\limit 5\n\\pager off\n\\bodies hex\n\\x sideways\nSELECT 1\nGO\n")
    for text in (
        "stand upright",
        "Times are shown",
        "first 5 rows",
        "not used",
        "as hex",
        "\\x on, \\x off",
        "Time: 0.",
    ):
        assert text in shown


def test_a_name_may_be_cut_short() -> None:
    assert find("transm").name == "transmission"
    with pytest.raises(CommandError, match="types or"):
        find("t")
    with pytest.raises(CommandError):
        find("")


def test_names_are_unique_and_listed() -> None:
    names = [command.name for command in COMMANDS]
    assert len(set(names)) == len(names)
    assert all(f"\\{name}" in help_text() for name in names)
    assert max(map(len, help_text().splitlines())) < 80


def test_one_conversation_is_told_from_begin_to_end(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What was received and ended is told, too, and what waits is shown with its body; both sides
    stand in databases of their own."""
    steps = """CREATE DATABASE A; ALTER DATABASE A SET TRUSTWORTHY ON
CREATE DATABASE B; ALTER DATABASE B SET TRUSTWORTHY ON
USE A; CREATE QUEUE Q; CREATE SERVICE Asking ON QUEUE Q
USE B; CREATE QUEUE Q; CREATE SERVICE Answering ON QUEUE Q ([DEFAULT])
USE A; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE Asking TO SERVICE 'Answering' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h ('first'); SEND ON CONVERSATION @h ('second')
USE B; RECEIVE TOP (1) message_type_name FROM Q
USE B; DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Q); END CONVERSATION @h WITH ERROR = 7 DESCRIPTION = 'enough'"""
    text = "".join(f"{line}\nGO\n" for line in steps.splitlines()) + "\\format json\n\\conversation\n"
    instance = Instance.open(None)
    try:
        with create_pipe_input() as keys:
            keys.send_text(text.replace("\n", "\r") + "\x04")
            Prompt(instance, instance.connect(), Options(), input=keys, output=DummyOutput()).run()
    finally:
        instance.close()
    shown = capsys.readouterr().out.partition("Conversation ")[2]
    rows = [json.loads(line) for line in shown.splitlines() if line.startswith("{")]
    sides = [row for row in rows if "far_service" in row]
    events = [row["event"] for row in rows if "event" in row]
    waiting = [row for row in rows if "waits_in" in row]
    assert {(row["database"], row["role"]) for row in sides} >= {("A", "initiator")}
    assert events[0] == "BEGIN DIALOG"
    assert events.count("SEND Message") == 2
    assert "END CONVERSATION WITH ERROR" in events
    assert any("enough" in (row["detail"] or "") for row in rows if "event" in row)
    assert [(row["waits_in"], row["message_type"]) for row in waiting] == [
        ("A.dbo.Q", "http://schemas.microsoft.com/SQL/ServiceBroker/Error")
    ]


@EVERYWHERE
def test_services_a_conversation_and_its_states_are_drawn(typed: Type, tmp_path: Path) -> None:
    drawn = typed(
        f"USE Shop\nGO\n\\diagram\n\\diagram states\n\\diagram {tmp_path}/shop.svg\n"
        "\\diagram 00000000-0000-0000-0000-000000000001\n\\diagram x\n\\diagram a b\n\\diagram no/folder.svg\n"
    )
    assert "OrderQueue" in drawn and "//shop/orders" in drawn
    assert "STARTED_OUTBOUND" in drawn
    assert f"Written to {tmp_path}/shop.svg." in drawn
    assert (tmp_path / "shop.svg").read_text(encoding="utf-8").startswith("<svg")
    assert drawn.count("\\conversations lists those that there are") == 2
    assert "\\diagram [ID|states] [FILE]" in drawn and "cannot write no/folder.svg" in drawn
    assert "Traceback" not in drawn and "internal error" not in drawn


def test_there_is_no_such_conversation(typed: Type) -> None:
    assert "No conversation and no handle begins with 'ffffffff'" in typed("\\conversation ffffffff\n")


@EVERYWHERE
def test_sessions_are_worlds_of_their_own(typed: Type) -> None:
    shown = typed(
        "USE Shop\nGO\nBEGIN TRAN; SELECT 'one' AS here\nGO\n\\session new\nSELECT @@TRANCOUNT AS trans\nGO\n\\session 1\n"
        "SELECT @@TRANCOUNT AS trans\nGO\nROLLBACK\nGO\n\\session close 2\n\\session 7\n\\session close\n"
    )
    assert re.search(r"^  1  spid \d+, Shop, open transactions: 1\n> 2  spid \d+, Shop$", shown, re.M)
    assert re.findall(r"^ +([01])$", shown, re.M) == ["0", "1"]
    assert "There is no session 7" in shown and "It is the only session" in shown


def test_the_trace_is_shown_as_it_happens(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    instance = Instance.open(None)
    try:
        session = instance.connect()
        for statement in SHOP.splitlines()[:-1]:
            session.run(statement)
        with create_pipe_input() as keys:
            text = f"\\trace on\n{SHOP.splitlines()[-1]}\nGO\n\\trace off\n\\trace on Nonsense\n\\trace\n\x04"
            keys.send_text(text.replace("\n", "\r"))
            Prompt(instance, session, Options(), input=keys, output=DummyOutput()).run()
    finally:
        instance.close()
    shown = capsys.readouterr().out
    assert re.search(
        r"^\[trace\] .* SEND Message \[//shop/order\] 0 initiator //shop/customer -> //shop/orders", shown, re.M
    )
    assert "There is no class of events 'Nonsense'" in shown and "Write \\trace on" in shown


def test_the_editor_changes_the_open_lines(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "sed -i s/one/two/")
    shown = typed("PRINT 'one'\n\\e\nGO\nPRINT 'three'\nGO\n")
    assert shown.index("two\n") < shown.index("three\n")
    monkeypatch.setenv("EDITOR", "no-such-editor")
    assert "cannot start no-such-editor" in typed("\\e\n")


def test_the_clock_is_moved(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    instance = Instance.open(None, clock="virtual")
    try:
        with create_pipe_input() as keys:
            keys.send_text("\\clock\r\\clock 90s\r\\clock 01:00:00\r\\clock soon\r\x04")
            Prompt(instance, instance.connect(), Options(), input=keys, output=DummyOutput()).run()
    finally:
        instance.close()
    times = re.findall(r"It is 2026-01-01 (\S+)\.\d+ UTC", capsys.readouterr().out)
    assert times == ["00:00:00", "00:01:30", "01:01:30"]


def test_a_batch_is_watched_until_it_is_stopped(typed: Type, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter([True, True, False])
    monkeypatch.setattr("sbql.repl.desk.PromptDesk.pause", lambda self, seconds: next(left))
    shown = typed(
        "CREATE TABLE #n (a int IDENTITY)\nGO\nINSERT #n DEFAULT VALUES; SELECT COUNT(*) AS n FROM #n\n\\watch 1\n"
    )
    assert re.findall(r"^n\n-\n(\d)$", shown, re.M) == ["1", "2", "3"]
    assert "seconds between two runs" in typed("\\watch often\n")


def test_the_tour_runs_as_it_is_written() -> None:
    """Every step, in a new instance, without an error; and the clean-up."""
    instance = Instance.open(None)
    try:
        session = instance.connect()
        for batch in [step.batch for step in STEPS] + [END]:
            outcomes = session.run(batch) if batch else []
            assert not [o.error for o in outcomes if isinstance(o, ErrorOutcome)], batch
        assert session.run("SELECT DB_ID('Tour')")[0].rows == [(None,)]
    finally:
        instance.close()


def test_the_tour_puts_its_batches_into_the_input(typed: Type) -> None:
    shown = typed("\\tour\nGO\n\\tour\nGO\n\\tour 9\n\\tour end\nGO\nSELECT DB_ID('Tour') AS gone\nGO\n")
    assert "1 of 7" in shown and "2 of 7" in shown and "\\tour 1 to \\tour 7" in shown
    assert "NULL" in shown and "Msg" not in shown


@EVERYWHERE
def test_why_says_what_is_stuck_and_types_the_repair(typed: Type) -> None:
    """Of everything, a queue, a pair of services, one conversation; the same over every door."""
    off = "USE Shop\nALTER QUEUE OrderQueue WITH STATUS = OFF\nGO\n"
    said = typed(off + "\\why\n\\why dbo.OrderQueue\n\\why //shop/customer //shop/orders\n\\why a b c\n\\why 'a\n")
    assert said.count("ERROR 9617 QUEUE_OFF (Shop): ") == 3
    assert said.count("    ALTER QUEUE [dbo].[OrderQueue] WITH STATUS = ON;") == 3
    assert "takes an id, a queue, or two services" in said and "A quote is not closed" in said
    typed("\\why repair\n\n")
    assert "Nothing is stuck." in typed("\\why\n")
    assert "no statement that would repair" in typed("\\why repair\n")
