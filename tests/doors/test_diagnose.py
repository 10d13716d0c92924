"""ssbdiagnose: its command line, and what it finds in two databases of one instance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from uuid import UUID
from xml.etree import ElementTree

import pytest

from sbql.engine.diagnosis.watch import ConversationWatch
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.repl import diagnose

SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop",
    "CREATE MESSAGE TYPE Ask; CREATE CONTRACT C (Ask SENT BY ANY)",
    "CREATE QUEUE Q; CREATE SERVICE Customer ON QUEUE Q (C); CREATE QUEUE W; CREATE SERVICE Seller ON QUEUE W (C, [DEFAULT])",
    "CREATE DATABASE Far",
    "USE Far",
    "CREATE MESSAGE TYPE Ask; CREATE CONTRACT C (Ask SENT BY ANY); CREATE QUEUE Q; CREATE SERVICE Depot ON QUEUE Q (C)",
    "GRANT SEND ON SERVICE::Depot TO public",
)

INSIDE = "-d Shop CONFIGURATION FROM SERVICE Customer TO SERVICE Seller ON CONTRACT C"
ACROSS = "CONFIGURATION FROM SERVICE Customer -d Shop TO SERVICE Depot -d Far ON CONTRACT C ENCRYPTION "

Run = Callable[..., tuple[int, list[str]]]


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """`run(arguments, *statements)`: the statements run on a new store; then exit code and findings as `level code`."""

    def found(arguments: str, *statements: str) -> tuple[int, list[str]]:
        store = tmp_path / f"{len(list(tmp_path.iterdir()))}.duckdb"
        instance = Instance.open(str(store), clock="virtual")
        session = instance.connect()
        for statement in (*SETUP, *statements):
            errors = [outcome for outcome in session.run(statement) if isinstance(outcome, ErrorOutcome)]
            assert not errors, errors
        instance.close()
        code = diagnose.main(["-S", str(store), *arguments.split()])
        lines = capsys.readouterr().out.splitlines()
        return code, [" ".join(line.split("\t")[:2]) for line in lines if not line.startswith("\t")]

    return found


@pytest.mark.spec("DIAG-1", "DIAG-2")
def test_nothing_stands_in_the_way(run: Run) -> None:
    assert run(INSIDE) == (0, [])
    assert run(ACROSS + "OFF") == (0, [])


@pytest.mark.spec("DIAG-3", "DIAG-8")
def test_broker_queue_and_services(run: Run) -> None:
    assert run(INSIDE, "ALTER DATABASE Shop SET DISABLE_BROKER") == (1, ["E 9791"])
    assert run(INSIDE, "ALTER QUEUE Shop.dbo.W WITH STATUS = OFF") == (1, ["E 9617"])
    assert run("-d Shop CONFIGURATION FROM SERVICE customer ON CONTRACT C") == (1, ["E 8423"])
    assert run("-d Nowhere CONFIGURATION TO SERVICE Seller ON CONTRACT C") == (1, ["E 911"])


@pytest.mark.spec("DIAG-4")
def test_contracts_are_there_accepted_and_alike(run: Run) -> None:
    assert run(INSIDE.replace("CONTRACT C", "CONTRACT Missing")) == (1, ["E 8425"])
    assert run(INSIDE, "USE Shop", "ALTER SERVICE Seller (DROP CONTRACT C)") == (1, ["E 8408"])
    other = (
        "ALTER SERVICE Depot (DROP CONTRACT C)",
        "DROP CONTRACT C",
        "CREATE CONTRACT C (Ask SENT BY INITIATOR)",
        "ALTER SERVICE Depot (ADD CONTRACT C)",
    )
    assert run(ACROSS + "OFF", *other) == (1, ["E 8431"])
    assert run(ACROSS + "OFF", "ALTER MESSAGE TYPE Ask VALIDATION = EMPTY") == (1, ["W 8430"])


@pytest.mark.spec("DIAG-5")
def test_activation(run: Run) -> None:
    missing = "ALTER QUEUE Shop.dbo.W WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Missing, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
    assert run(INSIDE, missing) == (1, ["E 303"])
    gone = ("USE Shop", "CREATE USER Ann WITHOUT LOGIN", "CREATE PROCEDURE P AS RETURN 0",
            "ALTER QUEUE W WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = P, MAX_QUEUE_READERS = 1, EXECUTE AS 'Ann')", "DROP USER Ann")  # fmt: skip
    assert run(INSIDE, *gone) == (1, ["E 304"])
    none = ("USE Shop", "CREATE PROCEDURE P AS RETURN 0",
            "ALTER QUEUE W WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = P, MAX_QUEUE_READERS = 0, EXECUTE AS OWNER)")  # fmt: skip
    assert run(INSIDE, *none) == (1, ["W 9648"])


@pytest.mark.spec("DIAG-6")
def test_routes_of_both_directions(run: Run) -> None:
    assert run(ACROSS + "OFF", "USE Far", "DROP ROUTE AutoCreatedLocal") == (1, ["E 29931"])
    away = "CREATE ROUTE R WITH SERVICE_NAME = 'Depot', ADDRESS = 'TCP://far:4022'"
    assert run(ACROSS + "OFF", "USE Shop", away) == (1, ["E 29950"])


@pytest.mark.spec("DIAG-7")
def test_security_of_each_kind(run: Run) -> None:
    assert run(ACROSS + "ON") == (1, ["E 1102", "E 1102"])
    assert run(ACROSS + "ANONYMOUS", "USE Far", "CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa$$w0rd1'") == (
        1,
        ["E 1102"],
    )
    assert run(ACROSS + "OFF", "USE Far", "REVOKE SEND ON SERVICE::Depot FROM public") == (1, ["E 29975"])
    owner = ("USE Shop", "CREATE USER Ann WITHOUT LOGIN", "ALTER AUTHORIZATION ON SERVICE::Customer TO Ann")
    assert run(INSIDE, *owner) == (1, ["E 29975"])


@pytest.mark.spec("DIAG-9", "DIAG-10")
def test_levels_and_ignored_codes(run: Run) -> None:
    warning = "ALTER MESSAGE TYPE Ask VALIDATION = EMPTY"
    assert run("-LEVEL ERROR " + ACROSS + "OFF", warning) == (0, [])
    assert run("-LEVEL INFO " + ACROSS + "OFF", warning) == (1, ["W 8430", "I 303", "I 303"])
    assert run("-IGNORE 1102 " + ACROSS + "ON") == (0, [])


@pytest.mark.spec("DIAG-11")
def test_xml(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        diagnose.main(["-XML", "-d", "msdb", "CONFIGURATION", "FROM", "SERVICE", "Nobody", "ON", "CONTRACT", "DEFAULT"])
        == 1
    )
    root = ElementTree.fromstring(capsys.readouterr().out)
    assert root.tag == "DiagnosticInformation"
    assert [(i.tag, i.get("type"), i.get("code"), i.get("database")) for i in root] == [
        ("Issue", "Diagnosis", "8423", "msdb")
    ]


@pytest.mark.spec("DIAG-1", "DIAG-2", "DIAG-12")
def test_the_command_line() -> None:
    found = diagnose.parse("-E -U sa -P x -l 30 -d One CONFIGURATION FROM SERVICE a TO SERVICE b,0001 -d Two".split())
    assert (found.level, found.contract, found.encryption, found.database) == ("WARNING", "DEFAULT", "ON", "One")
    assert (found.source.service, found.target.service, found.broker_instance, found.target.database) == (
        "a",
        "b",
        "0001",
        "Two",
    )


@pytest.mark.parametrize("word", ["-?", "--help"])
def test_the_usage_is_no_error_where_it_is_asked_for(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnose.main([word]) == 0
    assert capsys.readouterr() == (f"{diagnose.USAGE}\n", "")


@pytest.mark.parametrize(
    "text",
    ["", "CONFIGURATION", "RUNTIME -ID x", "RUNTIME -TIMEOUT", "RUNTIME -OLD", "RUNTIME CONNECT -d x", "-LEVEL ALL CONFIGURATION FROM SERVICE a", "-x CONFIGURATION FROM SERVICE a", "CONFIGURATION FROM a",
     "CONFIGURATION FROM SERVICE a ON C", "CONFIGURATION FROM SERVICE a ENCRYPTION MAYBE", "-IGNORE x CONFIGURATION FROM SERVICE a", "CONFIGURATION TO SERVICE"],
)  # fmt: skip
def test_what_makes_no_sense(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(diagnose.UsageError):
        diagnose.parse(text.split())
    assert diagnose.main(text.split()) == 2
    assert "usage: ssbdiagnose" in capsys.readouterr().err


# --- RUNTIME -----------------------------------------------------------------------------------------------

TALK = """
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE '{to}' ON CONTRACT C WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE Ask (0x01);
SELECT @h AS h, conversation_id, conversation_group_id FROM sys.conversation_endpoints WHERE conversation_handle = @h;
"""


@pytest.fixture
def shop() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    for statement in SETUP:
        session.run(statement)
    session.run("USE Shop")
    yield session
    instance.close()


def talk(session: Session, to: str) -> tuple[UUID, UUID, UUID]:
    """Handle, conversation id and group of a new conversation with one message."""
    results = [outcome for outcome in session.run(TALK.format(to=to)) if isinstance(outcome, ResultSet)]
    return results[0].rows[0]


def shown(watch: ConversationWatch, **options: bool) -> list[tuple[str, int]]:
    return [(f.kind, f.code) for f in watch.findings(**options) if f.level != "INFO" or f.kind == "Event"]


@pytest.mark.spec("DIAG-13", "DIAG-16", "DIAG-17")
def test_a_conversation_that_fails_is_reported(shop: Session) -> None:
    watch = ConversationWatch(shop.instance)
    talk(shop, "Seller")
    assert shown(watch) == []
    assert ("Event", 124) in shown(watch, with_events=True)
    talk(shop, "Nobody")
    assert shown(watch) == [("Problem", 141), ("Diagnosis", 8423)]
    watch.stop()
    talk(shop, "Missing")
    assert len(shown(watch)) == 2


@pytest.mark.spec("DIAG-14", "DIAG-15", "DIAG-18")
def test_what_is_watched(shop: Session) -> None:
    handle, identity, group = talk(shop, "Nobody")
    chosen = {
        name: ConversationWatch(shop.instance, ids=[key])
        for name, key in (("handle", handle), ("id", identity), ("group", group))
    }
    new = ConversationWatch(shop.instance, only_new=True)
    near, far = ConversationWatch(shop.instance, ["shop"]), ConversationWatch(shop.instance, ["Far"])
    for watch in (*chosen.values(), new, near, far):
        assert shown(watch, with_events=True) == []
    shop.run(
        "DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints); END CONVERSATION @h"
    )
    for watch in (*chosen.values(), near):
        assert ("Event", 124) in shown(watch, with_events=True)
    assert shown(new, with_events=True) == shown(far, with_events=True) == []
    talk(shop, "Nobody")
    assert ("Problem", 141) in shown(new)
    assert ("Problem", 141) not in shown(chosen["handle"])
    assert diagnose.parse(f"-d One RUNTIME -NEW -ID {handle} CONNECT TO -d Two".split()).databases == ["One", "Two"]


@pytest.mark.spec("DIAG-13")
def test_it_ends_with_its_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert diagnose.main(["RUNTIME", "-SHOWEVENTS", "-TIMEOUT", "0"]) == 0
    assert capsys.readouterr().out == ""
