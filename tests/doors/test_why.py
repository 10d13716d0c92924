"""Why is my message stuck: every cause of the inventory. Each row builds the fault, sees exactly that finding, runs the
repair that is proposed, and sees the message arrive. A healthy system has no findings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from sbql.catalog.records import Database
from sbql.engine.diagnosis.causes import CAUSES, Finding, Limits
from sbql.engine.diagnosis.scope import Scope
from sbql.engine.diagnosis.stuck import stuck
from sbql.engine.instance import Instance
from sbql.engine.operations import OPERATIONS, Call
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.repl.cli import main

TYPES = "CREATE MESSAGE TYPE Ask VALIDATION = NONE; CREATE MESSAGE TYPE Told VALIDATION = NONE; CREATE CONTRACT C (Ask SENT BY INITIATOR, Told SENT BY TARGET)"
SETUP = (
    "CREATE DATABASE Shop", "CREATE DATABASE Far", "USE Shop", TYPES,
    "CREATE QUEUE Q; CREATE SERVICE Customer ON QUEUE Q (C); CREATE QUEUE W; CREATE SERVICE Seller ON QUEUE W (C)",
    "CREATE PROCEDURE Reader AS BEGIN SET NOCOUNT ON; DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM W; INSERT Seen VALUES (@h); END",
    "CREATE TABLE Seen (h uniqueidentifier)",
    "USE Far", TYPES, "CREATE QUEUE D; CREATE SERVICE Depot ON QUEUE D (C); GRANT SEND ON SERVICE::Depot TO public",
    "USE Shop",
)  # fmt: skip

KEY = "USE {0}; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa55word of {0}'"
HERE, THERE = "Seller", "Depot"
SEND = """
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE '{to}' ON CONTRACT C WITH ENCRYPTION = {encryption}{more};
SEND ON CONVERSATION @h MESSAGE TYPE Ask (0x01);
"""
ACTIVE = "ALTER QUEUE W WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = Reader, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)"
ARRIVED = {
    HERE: "SELECT COUNT(*) FROM Shop.dbo.W",
    THERE: "SELECT COUNT(*) FROM Far.dbo.D",
    "Seen": "SELECT COUNT(*) FROM Shop.dbo.Seen",
    "Shop": "SELECT COUNT(*) FROM Shop.dbo.Q",
}
RECEIVE_ALL = "WHILE 1 = 1 BEGIN RECEIVE TOP (1) * FROM {queue}; IF @@ROWCOUNT = 0 BREAK END"


@dataclass(frozen=True)
class Fault:
    """`before` and `after` the message is sent to `to`; `other` runs in a second session, which stays. `arrives`:
    where it is seen in the end; `again`: the program sends a new one, because its conversation is over. `edits`: what
    only a reader of the repair knows."""

    cause: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    to: str = HERE
    encryption: str = "OFF"
    more: str = ""
    other: tuple[str, ...] = ()
    wait: int = 0
    again: bool = False
    arrives: str = ""
    edits: dict[str, str] = field(default_factory=dict)
    mended: tuple[str, ...] = ()
    """What the program's author does, before the repair."""


OTHER_DIALOG = "DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM Shop.sys.conversation_endpoints WHERE is_initiator = {side}); "
MORE = OTHER_DIALOG.format(side=1) + "SEND ON CONVERSATION @h MESSAGE TYPE Ask (0x02)"
ROLLBACK = "BEGIN TRANSACTION; RECEIVE TOP (1) * FROM W; ROLLBACK"
FAR_TYPES = "USE Far; ALTER SERVICE Depot (DROP CONTRACT C); DROP CONTRACT C"
RECEIVES = "DECLARE @h uniqueidentifier; RECEIVE TOP (1) @h = conversation_handle FROM W; "
ANN = "CREATE USER Ann WITHOUT LOGIN"
NOBODY = "00000000-0000-0000-0000-00000000ABCD"

FAULTS = [
    Fault("BROKER_DISABLED", ("ALTER DATABASE Far SET DISABLE_BROKER",), to=THERE),
    Fault("BROKER_DISABLED", after=("ALTER DATABASE Shop SET DISABLE_BROKER",), before=("ALTER QUEUE W WITH STATUS = OFF",), mended=("ALTER QUEUE Shop.dbo.W WITH STATUS = ON",)),
    Fault("DATABASE_READ_ONLY", ("ALTER DATABASE Far SET READ_ONLY",), to=THERE),
    Fault("DATABASE_SINGLE_USER", ("ALTER DATABASE Far SET SINGLE_USER",), to=THERE),
    Fault("DATABASE_OFFLINE", ("ALTER DATABASE Far SET OFFLINE",), to=THERE),
    Fault("QUEUE_OFF", ("ALTER QUEUE W WITH STATUS = OFF",)),
    Fault("QUEUE_OFF", ("ALTER QUEUE Far.dbo.D WITH STATUS = OFF",), to=THERE),
    Fault("QUEUE_OFF", after=("ALTER QUEUE W WITH STATUS = OFF",)),
    Fault("POISON_MESSAGE", after=(ROLLBACK,) * 5),
    Fault("SERVICE_MISSING", to="Nobody", arrives="Shop.dbo.[Nobody queue]"),
    Fault("SERVICE_MISSPELLED", to="seller", arrives=HERE),
    Fault("SERVICE_MISSPELLED", to="Selller", arrives=HERE),
    Fault("NO_ROUTE", ("DROP ROUTE AutoCreatedLocal",), to=THERE),
    Fault("ROUTE_EXPIRED", (
        "DROP ROUTE AutoCreatedLocal; CREATE ROUTE R WITH SERVICE_NAME = 'Depot', LIFETIME = 60, ADDRESS = 'LOCAL'",
        "EXEC sys.sp_sbql_advance_clock '00:02:00'",
    ), to=THERE),
    Fault("WRONG_BROKER", to=f"Seller', '{NOBODY}", arrives=HERE),
    Fault("ROUTE_WRONG_BROKER", (f"CREATE ROUTE R WITH SERVICE_NAME = 'Depot', BROKER_INSTANCE = '{NOBODY}', ADDRESS = 'LOCAL'",), to=THERE),
    Fault("WAITS_FOR_ROUTING", (
        "CREATE QUEUE B; CREATE SERVICE [SQL/ServiceBroker/BrokerConfiguration] ON QUEUE B ([http://schemas.microsoft.com/SQL/ServiceBroker/BrokerConfigurationNotice])",
        "CREATE ROUTE R WITH SERVICE_NAME = 'SQL/ServiceBroker/BrokerConfiguration', ADDRESS = 'LOCAL'",
    ), to=THERE),
    Fault("NO_MASTER_KEY", (KEY.format("Shop"),), to=THERE, encryption="ON"),
    Fault("NO_MASTER_KEY", (KEY.format("Far"), "USE Shop"), to=THERE, encryption="ON"),
    Fault("MASTER_KEY_CLOSED", (KEY.format("Shop"), KEY.format("Far"), "ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY", "USE Shop"), to=THERE, encryption="ON", edits={"<its password>": "Pa55word of Far"}),
    Fault("NOT_TRUSTED", ("USE Far", "REVOKE SEND ON SERVICE::Depot FROM public", "USE Shop"), to=THERE),
    Fault("NO_RIGHT_TO_RECEIVE", (ANN, "ALTER AUTHORIZATION ON SERVICE::Seller TO Ann")),
    Fault("NO_RIGHT_TO_SEND", (ANN, "ALTER AUTHORIZATION ON SERVICE::Customer TO Ann"), again=True),
    Fault("CONTRACT_MISSING", (FAR_TYPES, "DROP MESSAGE TYPE Ask", "USE Shop"), to=THERE, again=True),
    Fault("CONTRACT_NOT_ACCEPTED", ("ALTER SERVICE Seller (DROP CONTRACT C)",), again=True),
    Fault("CONTRACT_DIFFERS", (FAR_TYPES, "CREATE CONTRACT C (Told SENT BY ANY); ALTER SERVICE Depot (ADD CONTRACT C)", "USE Shop"), to=THERE, again=True),
    Fault("CONTRACT_DIFFERS", (FAR_TYPES, "CREATE CONTRACT C (Ask SENT BY TARGET, Told SENT BY INITIATOR); ALTER SERVICE Depot (ADD CONTRACT C)", "USE Shop"), to=THERE, again=True),
    Fault("BODY_REFUSED", ("ALTER MESSAGE TYPE Ask VALIDATION = WELL_FORMED_XML",), again=True),
    Fault("LIFETIME_OVER", ("ALTER QUEUE W WITH STATUS = OFF",), more=", LIFETIME = 30", wait=40, again=True, mended=("ALTER QUEUE Shop.dbo.W WITH STATUS = ON",)),
    Fault("CONVERSATION_FAILED", after=(RECEIVES + "END CONVERSATION @h WITH ERROR = 7 DESCRIPTION = 'no'",), again=True),
    Fault("HELD_AFTER_ERROR", after=(
        "ALTER QUEUE W WITH STATUS = OFF", MORE, OTHER_DIALOG.format(side=0) + "END CONVERSATION @h WITH ERROR = 7 DESCRIPTION = 'no'", "RECEIVE * FROM Q",
    ), mended=("ALTER QUEUE Shop.dbo.W WITH STATUS = ON",), again=True),
    Fault("HELD_AFTER_END", after=(
        "ALTER QUEUE W WITH STATUS = OFF", MORE, OTHER_DIALOG.format(side=0) + "END CONVERSATION @h",
    ), mended=("ALTER QUEUE Shop.dbo.W WITH STATUS = ON",), again=True),
    Fault("END_PENDING", other=("USE Shop; BEGIN TRANSACTION", OTHER_DIALOG.format(side=0) + "END CONVERSATION @h"), after=(MORE,)),
    Fault("NOBODY_READS", wait=120, arrives="repair"),
    Fault("ACTIVATION_OFF", (ACTIVE.replace("STATUS = ON", "STATUS = OFF"),), arrives="Seen"),
    Fault("PROCEDURE_MISSING", (ACTIVE.replace("= Reader", "= Readr"),), arrives="Seen"),
    Fault("PROCEDURE_MISSING", (ACTIVE.replace("= Reader", "= Nothing"),)),
    Fault("ACTIVATION_USER_MISSING", (ANN, ACTIVE.replace("OWNER", "'Ann'"), "DROP USER Ann"), arrives="Seen"),
    Fault("EXECUTE_DENIED", (ANN, ACTIVE.replace("OWNER", "'Ann'")), arrives="Seen"),
    Fault("NO_READERS", (ACTIVE.replace("READERS = 1", "READERS = 0"),), arrives="Seen"),
    Fault("ACTIVATION_STUCK", ("CREATE PROCEDURE Stub AS PRINT 'nothing'", ACTIVE.replace("= Reader", "= Stub")), wait=1, arrives="Seen", mended=("USE Shop", "ALTER PROCEDURE Stub AS EXEC Reader")),
    Fault("ACTIVATION_FAILS", (
        "ALTER QUEUE W WITH POISON_MESSAGE_HANDLING (STATUS = OFF)",
        "CREATE PROCEDURE Fails AS BEGIN TRANSACTION; RECEIVE TOP (1) * FROM W; ROLLBACK", ACTIVE.replace("= Reader", "= Fails"),
    ), wait=2, arrives="Seen", mended=("USE Shop", "ALTER PROCEDURE Fails AS EXEC Reader")),
    Fault("GROUP_LOCKED", other=("USE Shop; BEGIN TRANSACTION; DECLARE @g uniqueidentifier; GET CONVERSATION GROUP @g FROM W",), wait=120),
]  # fmt: skip


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    made = Instance.open(clock="virtual")
    yield made
    made.close()


@pytest.fixture
def shop(instance: Instance) -> Iterator[Session]:
    """A session in Shop; the databases are new, and gone in the end."""
    session = instance.connect()
    run(session, *SETUP)
    yield session
    for other in list(instance.sessions.values()):
        if not other.is_background:
            other.close()
    with closing(instance.connect()) as last:
        for database in (d.name for d in instance.catalog.all(Database) if d.id > 4):
            run(last, f"DROP DATABASE [{database}]")


def run(session: Session, *statements: str) -> list[list[tuple[Any, ...]]]:
    """The rows of each result set."""
    rows = []
    for statement in statements:
        outcomes = session.run(statement)
        errors = [str(outcome.error) for outcome in outcomes if isinstance(outcome, ErrorOutcome)]
        assert not errors, (statement, errors)
        rows += [list(outcome.rows) for outcome in outcomes if isinstance(outcome, ResultSet)]
    return rows


def advance(session: Session, seconds: int) -> None:
    run(session, f"EXEC sys.sp_sbql_advance_clock '{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}'")


def send(session: Session, fault: Fault) -> None:
    run(session, SEND.format(to=fault.to, encryption=fault.encryption, more=fault.more))


def repair(session: Session, found: Finding, edits: dict[str, str]) -> list[list[tuple[Any, ...]]]:
    text = found.repair
    for before, after in edits.items():
        assert before in text
        text = text.replace(before, after)
    return run(session, text)


def arrived(session: Session, fault: Fault) -> bool:
    place = fault.arrives or fault.to
    if place == "Seen":
        return run(session, "SELECT COUNT(*) FROM Shop.dbo.Seen")[0][0][0] > 0
    database, queue = {HERE: ("Shop", "dbo.W"), THERE: ("Far", "dbo.D")}.get(place) or place.split(".", 1)
    rows = run(session, f"USE {database}", f"RECEIVE message_type_name FROM {queue}")[0]
    return ("Ask",) in rows


def test_a_healthy_system_has_no_findings(shop: Session) -> None:
    run(shop, ACTIVE, KEY.format("Far"), KEY.format("Shop"))
    for to, encryption in ((HERE, "ON"), (THERE, "OFF"), (THERE, "ON")):
        send(shop, Fault("", to=to, encryption=encryption))
    advance(shop, 5)
    assert stuck(shop.instance) == []
    run(shop, "USE Far", "WHILE 1 = 1 BEGIN RECEIVE TOP (1) * FROM D; IF @@ROWCOUNT = 0 BREAK END")
    advance(shop, 3600)
    assert stuck(shop.instance) == []


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.cause)
def test_each_cause_is_found_alone_and_its_repair_brings_the_message(shop: Session, fault: Fault) -> None:
    instance = shop.instance
    run(shop, *fault.before)
    send(shop, fault)
    others = instance.connect()
    run(others, *fault.other)
    run(shop, *fault.after)
    if fault.wait:
        advance(shop, fault.wait)
    found = stuck(instance)
    assert [one.name for one in found] == [fault.cause], found
    [one] = found
    assert one.text and one.evidence and one.database and one.subject
    assert (one.level, one.code) == CAUSES[fault.cause][:2]
    assert {one.name for one in stuck(instance, Scope(services=frozenset({"Else", "where"})))} == set()
    author = instance.connect()
    run(author, *fault.mended)
    results = repair(instance.connect(), one, fault.edits)
    if fault.again:
        send(shop, replace(fault, more=""))
    reader = instance.connect()
    advance(reader, 130)
    assert fault.arrives == "repair" and len(results[0]) == 1 or arrived(reader, fault)
    assert fault.cause not in {one.name for one in stuck(instance)}


# --- causes that need more than statements ----------------------------------------------------------------------


def only(instance: Instance, cause: str, limits: Limits | None = None) -> Finding:
    found = stuck(instance, limits=limits)
    assert [one.name for one in found] == [cause], found
    assert (found[0].level, found[0].code) == CAUSES[cause][:2] and found[0].evidence and found[0].subject
    return found[0]


def test_a_copy_with_the_broker_id_of_its_origin(shop: Session, tmp_path: Path) -> None:
    file = tmp_path / "shop.bak"
    run(
        shop,
        "USE master",
        f"BACKUP DATABASE Shop TO DISK = '{file}'",
        f"RESTORE DATABASE Copy FROM DISK = '{file}' WITH MOVE 'Shop' TO 'copy.mdf'",
        "USE Copy",
    )
    send(shop, Fault("", to=HERE))
    one = only(shop.instance, "BROKER_ID_TAKEN")
    repair(shop, one, {})
    send(shop, Fault("", to=HERE))
    assert ("Ask",) in run(shop, "RECEIVE message_type_name FROM Copy.dbo.W")[0] and stuck(shop.instance) == []


def test_messages_that_a_consumer_holds(shop: Session) -> None:
    instance = shop.instance
    send(shop, Fault("", to=HERE))
    reader = instance.connect("Shop")

    def operation(name: str, **request: Any) -> Any:
        answer = OPERATIONS[f"consumer.{name}"].run(Call(reader, request))
        return instance.driver.run(answer, reader) if hasattr(answer, "send") else answer

    facts = operation("open", queue="Shop.dbo.W", consumer="spark", where="")
    operation(
        "deliver", log=facts["log"], epoch=facts["epoch"], start=facts["acknowledged"], limit=10, wanted=facts["wanted"]
    )
    run(shop, MORE)
    assert stuck(instance) == []
    advance(shop, 120)
    repair(instance.connect(), only(instance, "HELD_BY_CONSUMER"), {})
    assert len(run(shop, "RECEIVE message_type_name FROM W")[0]) == 2 and stuck(instance) == []


def test_enable_broker_that_waits_for_a_session(shop: Session) -> None:
    """The finding names the sessions that it waits for, and its repair does not wait."""
    instance = shop.instance
    assert instance.loop is not None
    outside = instance.connect()
    run(shop, "ALTER DATABASE Far SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE")
    inside = instance.connect("Far")
    send(shop, Fault("", to=THERE))
    task = instance.loop.start(instance.connect(), "ALTER DATABASE Far SET ENABLE_BROKER")
    advance(outside, 10)
    one = only(instance, "BROKER_DISABLED")
    assert {
        "view": "sys.dm_exec_sessions",
        "session_id": inside.spid,
        "database": "Far",
    } in one.evidence and not task.done
    repair(outside, one, {})
    advance(outside, 130)
    assert arrived(outside, Fault("", to=THERE)) and stuck(instance) == []


def test_what_will_go_wrong(shop: Session) -> None:
    """With limits as they are not: so many conversations take a while."""
    limits = Limits(ended=3, retained=3)
    run(shop, "ALTER QUEUE W WITH RETENTION = ON")
    for _ in range(3):
        send(shop, Fault("", to=HERE))
    run(shop, *["RECEIVE * FROM W"] * 3)
    run(shop, only(shop.instance, "RETENTION_GROWS", limits).repair, "USE Shop")
    assert stuck(shop.instance, limits=limits) == []
    ends = "DECLARE @h uniqueidentifier; WHILE 1 = 1 BEGIN SET @h = (SELECT TOP (1) conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0 AND state = 'CO'); IF @h IS NULL BREAK; END CONVERSATION @h END"
    run(shop, ends, *["RECEIVE * FROM Q"] * 3)
    run(shop, only(shop.instance, "CONVERSATIONS_LEFT_OPEN", limits).repair, "USE Shop")
    assert stuck(shop.instance, limits=limits) == [] and run(
        shop, "SELECT COUNT(*) FROM sys.conversation_endpoints WHERE state <> 'CD'"
    ) == [[(0,)]]


# --- the procedure and the command ---------------------------------------------------------------------------------


def asked(session: Session, arguments: str = "") -> list[tuple[Any, ...]]:
    return run(session, f"EXEC sys.sp_sbql_diagnose {arguments}")[0]


def test_the_procedure_tells_of_everything_a_conversation_a_queue_and_two_services(shop: Session) -> None:
    run(shop, "ALTER QUEUE W WITH STATUS = OFF")
    send(shop, Fault("", to=HERE))
    send(shop, Fault("", to="Nobody"))
    causes = {(row[2], row[4]) for row in asked(shop)}
    assert causes == {("QUEUE_OFF", "W"), ("SERVICE_MISSING", "Nobody")}
    assert [row[2] for row in asked(shop, "@queue = N'dbo.W'")] == ["QUEUE_OFF"]
    assert [row[2] for row in asked(shop, "@from_service = N'Customer', @to_service = N'Nobody'")] == [
        "SERVICE_MISSING"
    ]
    ids = run(
        shop,
        "SELECT conversation_handle, conversation_id, conversation_group_id FROM sys.conversation_endpoints WHERE far_service = 'Seller'",
    )
    for identity in ids[0][0]:
        [(level, code, cause, database, subject, text, evidence, mended)] = asked(shop, f"@conversation = '{identity}'")
        assert (level, code, cause, database, subject) == ("ERROR", 9617, "QUEUE_OFF", "Shop", "W")
        assert (
            "Shop.dbo.W" in text
            and "transmission_status" in evidence
            and mended == "USE [Shop];\nALTER QUEUE [dbo].[W] WITH STATUS = ON;"
        )


def test_between_two_services_the_way_is_checked_when_nothing_waits(shop: Session) -> None:
    pair = "@from_service = N'Customer', @to_service = N'Depot', @to_database = N'Far', @contract = N'C', @encryption = N'OFF'"
    assert asked(shop, pair) == []
    run(shop, "USE Far", "REVOKE SEND ON SERVICE::Depot FROM public", "USE Shop")
    [row] = asked(shop, pair)
    assert row[2] == "NO_RIGHT_TO_SEND"
    run(shop, row[7], "USE Shop")
    assert asked(shop, pair) == []


@pytest.mark.parametrize(
    ("cause", "fault", "arguments"),
    [
        ("TYPE_DIFFERS", "ALTER MESSAGE TYPE Told VALIDATION = EMPTY", "@to_service = N'Depot', @to_database = N'Far'"),
        ("DATABASE_MISSING", "", "@to_service = N'Depot', @to_database = N'Fa'"),
    ],
)
def test_causes_that_hold_no_message_back(shop: Session, cause: str, fault: str, arguments: str) -> None:
    pair = f"@from_service = N'Customer', @contract = N'C', @encryption = N'OFF', @configuration = 1, {arguments}"
    run(shop, fault or "SELECT 1")
    [row] = asked(shop, pair)
    assert (row[0], row[1], row[2]) == (*CAUSES[cause][:2], cause)
    if row[7]:
        run(shop, row[7], "USE Shop")
        assert asked(shop, pair) == []


def test_who_may_ask(shop: Session) -> None:
    run(shop, "CREATE USER Ann WITHOUT LOGIN", "EXECUTE AS USER = 'Ann'")
    [error] = [outcome for outcome in shop.run("EXEC sys.sp_sbql_diagnose") if isinstance(outcome, ErrorOutcome)]
    assert error.error.number == 300
    run(shop, "REVERT")
    [error] = [o for o in shop.run("EXEC sys.sp_sbql_diagnose @conversation = 'x'") if isinstance(o, ErrorOutcome)]
    assert error.error.number == 8169


def test_the_command_says_why_and_its_script_repairs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "shop.duckdb")
    with closing(Instance.open(store)) as made:
        session = made.connect()
        run(session, *SETUP, "ALTER QUEUE W WITH STATUS = OFF")
        send(session, Fault("", to=HERE))
    assert main(["diagnose", "--store", store]) == 1
    text = capsys.readouterr().out
    assert text.startswith("ERROR 9617 QUEUE_OFF (Shop): ") and "    ALTER QUEUE [dbo].[W] WITH STATUS = ON;" in text
    assert main(["diagnose", "--store", store, "--json", "-d", "Shop", "--queue", "W"]) == 1
    [line] = capsys.readouterr().out.splitlines()
    assert json.loads(line)["cause"] == "QUEUE_OFF" and json.loads(line)["evidence"][0]["view"]
    assert main(["diagnose", "--store", store, "--repair"]) == 1
    script = tmp_path / "repair.sql"
    script.write_text(capsys.readouterr().out)
    assert main(["--store", store, str(script)]) == 0
    assert main(["diagnose", "--store", store]) == 0
    assert "Nothing is stuck." in capsys.readouterr().out


def test_questions_that_make_no_sense(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(tmp_path / "x.duckdb")
    for arguments in (
        ["--level", "ALL"],
        ["--nothing"],
        ["--store", store, "--queue", "Q"],
        ["--store", store, "--conversation", "x"],
    ):
        assert main(["diagnose", *arguments]) == 2
        assert capsys.readouterr().err.startswith("sbql: ")


# --- the inventory -----------------------------------------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "stuck.md"
BEGIN, END = "<!-- causes -->\n", "<!-- end of causes -->"


def table() -> str:
    """The causes as docs/stuck.md has them; `python tests/doors/test_why.py` writes it."""
    rows = [f"| {name} | {c.level} {c.code} | {c.when} | {c.repair} |\n" for name, c in CAUSES.items()]
    return "\n| cause | finding | when | repair |\n|---|---|---|---|\n" + "".join(rows) + "\n"


BUILT_ALONE = {
    "TYPE_DIFFERS", "DATABASE_MISSING", "BROKER_ID_TAKEN", "HELD_BY_CONSUMER", "RETENTION_GROWS", "CONVERSATIONS_LEFT_OPEN",
}  # fmt: skip
BETWEEN_INSTANCES = {
    "ENDPOINT_MISSING", "ENDPOINT_STOPPED", "ENDPOINT_RC4", "ENDPOINT_CERTIFICATE", "NO_NETWORK", "BINDING_MISSING", "CERTIFICATE_MISSING",
    "CERTIFICATE_TOO_EARLY", "CERTIFICATE_EXPIRED", "CERTIFICATE_INACTIVE", "CERTIFICATE_WITHOUT_KEY", "CERTIFICATE_UNDER_PASSWORD", "UNREACHABLE",
    "NOT_ACKNOWLEDGED", "ENDPOINTS_DIFFER", "ACCOUNT_REFUSED", "ROUTE_WRONG_PORT", "CERTIFICATE_DIFFERS", "CERTIFICATE_UNKNOWN", "MESSAGE_INCOMPLETE", "CERTIFICATE_EXPIRES",
}  # fmt: skip
"""test_why_network.py."""
CANNOT_BE = {
    "CERTIFICATE_TOO_SHORT": "no statement takes a key of fewer than 1024 bits any more; a store of an earlier version may have one"
}


def test_every_cause_is_built() -> None:
    assert {fault.cause for fault in FAULTS} | BUILT_ALONE | BETWEEN_INSTANCES | CANNOT_BE.keys() == CAUSES.keys()


def test_the_page_says_how_long_each_takes() -> None:
    """The limits, in its table of causes that are a finding only after a while."""
    limits = Limits()
    rows = {
        "NOBODY_READS": f"{limits.unread:.0f} seconds",
        "GROUP_LOCKED, HELD_BY_CONSUMER": f"{limits.unread:.0f} seconds",
        "NOT_ACKNOWLEDGED": f"{limits.unacknowledged:.0f} seconds",
        "CONVERSATIONS_LEFT_OPEN": f"{limits.ended:,} of",
        "RETENTION_GROWS": f"{limits.retained:,} messages",
        "CERTIFICATE_EXPIRES": f"{limits.expiry / 86400:.0f} days",
    }
    said = dict(re.findall(r"^\| ([A-Z_, ]+) \| ([^|]*) \|$", PAGE.read_text(encoding="utf-8"), re.M))
    assert all(words in said[causes] for causes, words in rows.items())


def test_the_page_has_the_inventory() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text[text.index(BEGIN) + len(BEGIN) : text.index(END)] == table()


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(page[: page.index(BEGIN) + len(BEGIN)] + table() + page[page.index(END) :], encoding="utf-8")
