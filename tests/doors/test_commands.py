"""Commands of the prompt, typed: here, over sbql's own protocol and over TDS."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from prompt_toolkit.input import create_pipe_input
from prompt_toolkit.output import DummyOutput
from serving import SA_PASSWORD, address_of_tds

import sbql
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.repl.commands.command import CommandError
from sbql.repl.commands.table import COMMANDS, find, help_text
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


@pytest.fixture(params=["here", "served", "served-tds"])
def typed(request: pytest.FixtureRequest, home: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[Type]:
    with contextlib.ExitStack() as stack:
        if request.param == "served":
            endpoint = stack.enter_context(sbql.serve()).endpoint
            instance: Any = stack.enter_context(sbql.connect(endpoint=endpoint.url, token=endpoint.token)).instance
        elif request.param == "served-tds":
            owner = stack.enter_context(sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD))
            there = sbql.connect(server=address_of_tds(owner), user="sa", password=SA_PASSWORD)
            instance = stack.enter_context(there).instance
        else:
            instance = Instance.open(None)
            stack.callback(instance.close)
        session = instance.connect()

        def run(text: str) -> str:
            with create_pipe_input() as keys:
                keys.send_text(text.replace("\n", "\r") + "\x04")
                Prompt(instance, session, Options(), input=keys, output=DummyOutput()).run()
            return capsys.readouterr().out.partition("say.\n")[2]

        for statement in SHOP.splitlines():
            assert not [outcome for outcome in session.run(statement) if isinstance(outcome, ErrorOutcome)]
        yield run


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
    assert max(map(len, help_text().splitlines())) <= 100
