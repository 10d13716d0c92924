"""Why is my message stuck, between instances: what can be known on this side. Each row builds the fault
on A, sees exactly that finding, runs the repair that is proposed, and sees the message arrive on B.
Simulated networks, on one clock."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import pytest

from sbql.engine.diagnosis.causes import CAUSES, Finding
from sbql.engine.diagnosis.stuck import stuck
from sbql.engine.instance import Instance
from sbql.engine.network.frames import Fragment, decode
from sbql.engine.network.framing import FrameReader, framed
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.simulated_network import Machine, Mischief, Network
from sbql.repl.diagnose import main, over_two, parse

ENDPOINT = (
    "CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)"
)
SHOP = """
CREATE DATABASE shop
GO
USE shop
CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
CREATE ROUTE [to //{you}] WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'
"""
MASTER_KEY = "USE shop; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa55word of the shop'"
SEND = "USE shop; DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = {encryption}; SEND ON CONVERSATION @h ({body})"
OWN = "CREATE CERTIFICATE {name} FROM FILE = '{folder}/{name}.cer' WITH PRIVATE KEY (FILE = '{folder}/{name}.pvk', DECRYPTION BY PASSWORD = 'Pa55word of the shop')"
THEIRS = "CREATE CERTIFICATE {name} AUTHORIZATION B FROM FILE = '{folder}/{name}.cer'"
DATES = {
    "B": ("2025-01-01", "2036-01-01"),
    "EARLY": ("2027-01-01", "2030-01-01"),
    "LATE": ("2024-01-01", "2025-06-01"),
    "SOON": ("2025-01-01", "2026-01-15"),
    "OTHER": ("2025-01-01", "2036-01-01"),
}


STRIDE = 1 if os.environ.get("WHY") == "all" else 3
"""Machines cost: the usual run takes every third row. `make why` takes all."""


@dataclass(frozen=True)
class Fault:
    """On A `before` and `after` the message is sent; `there` is run on B before, `heal` says what happens on B or the
    way before the repair. `edits`: what only a reader of the repair knows."""

    cause: str
    before: str = ""
    after: str = ""
    there: str = ""
    encryption: str = "OFF"
    endpoint: str = ENDPOINT
    is_secure: bool = False
    wait: float = 10.0
    mended: str = ""
    """On B, after the repair: the other side of a file."""
    edits: dict[str, str] = field(default_factory=dict)


BINDING = "CREATE USER B WITHOUT LOGIN; CREATE REMOTE SERVICE BINDING b TO SERVICE '//B' WITH USER = B, ANONYMOUS = {anonymous}"
ANONYMOUS, FULL = BINDING.format(anonymous="ON"), BINDING.format(anonymous="OFF")
FILE = {"<its file>.cer": "{folder}/B.cer"}
TAKE = "USE shop; CREATE USER A WITHOUT LOGIN; CREATE CERTIFICATE FromA AUTHORIZATION A FROM FILE = '{folder}/A.cer'"

FAULTS = [
    Fault("ENDPOINT_MISSING", endpoint="SELECT 1"),
    Fault("ENDPOINT_STOPPED", endpoint=ENDPOINT.replace("STARTED", "STOPPED")),
    Fault("ENDPOINT_RC4", endpoint=ENDPOINT.replace("WINDOWS)", "WINDOWS, ENCRYPTION = REQUIRED ALGORITHM RC4)")),
    Fault("BINDING_MISSING", encryption="ON"),
    Fault("NO_MASTER_KEY", f"{ANONYMOUS}; {THEIRS.replace('{name}', 'B')}", is_secure=True),
    Fault("CERTIFICATE_MISSING", f"{MASTER_KEY}; {ANONYMOUS}", is_secure=True, edits=FILE),
    Fault("CERTIFICATE_TOO_EARLY", f"{MASTER_KEY}; {ANONYMOUS}; {THEIRS.replace('{name}', 'EARLY')}", is_secure=True, edits=FILE),
    Fault("CERTIFICATE_EXPIRED", f"{MASTER_KEY}; {ANONYMOUS}; {THEIRS.replace('{name}', 'LATE')}", is_secure=True, edits=FILE),
    Fault("CERTIFICATE_INACTIVE", f"{MASTER_KEY}; {ANONYMOUS}; {THEIRS.replace('{name}', 'B')}; ALTER CERTIFICATE B WITH ACTIVE FOR BEGIN_DIALOG = OFF", is_secure=True),
    Fault("CERTIFICATE_WITHOUT_KEY", f"{MASTER_KEY}; {FULL}; {THEIRS.replace('{name}', 'B')}; CREATE CERTIFICATE O FROM FILE = '{{folder}}/OTHER.cer'", is_secure=True, mended=TAKE, edits={"{file}": "{folder}/A.cer"}),
    Fault("CERTIFICATE_UNDER_PASSWORD", f"{MASTER_KEY}; {FULL}; {THEIRS.replace('{name}', 'B')}; CREATE CERTIFICATE O ENCRYPTION BY PASSWORD = 'Pa55word of O' WITH SUBJECT = 'O'; BACKUP CERTIFICATE O TO FILE = '{{folder}}/A2.cer'", is_secure=True, mended=TAKE.replace("A.cer", "A2.cer"), edits={"<its password>": "Pa55word of O"}),
    Fault("NOT_ACKNOWLEDGED", there="USE shop; DROP ROUTE [to //A]", wait=140, edits={"<this machine>": "A"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates and their keys as files."""
    made = tmp_path_factory.mktemp("keys")
    with Network(1) as network:
        machine = network.add("Maker")
        machine.execute(
            "CREATE DATABASE keys\nGO\nUSE keys; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa55word of keys'",
            "master",
        )
        for name, (start, expiry) in DATES.items():
            backup = f"BACKUP CERTIFICATE {name} TO FILE = '{made}/{name}.cer' WITH PRIVATE KEY (FILE = '{made}/{name}.pvk', ENCRYPTION BY PASSWORD = 'Pa55word of the shop')"
            machine.execute(
                f"USE keys; CREATE CERTIFICATE {name} WITH SUBJECT = '{name}', START_DATE = '{start}', EXPIRY_DATE = '{expiry}'; {backup}"
            )
    return made


@pytest.fixture
def network() -> Iterator[Network]:
    with Network(7) as made:
        for me, you in ("AB", "BA"):
            made.add(me).execute(SHOP.format(me=me, you=you))
        yield made


def findings(machine: Machine) -> list[Finding]:
    assert machine.instance is not None
    return stuck(machine.instance)


def has_arrived(machine: Machine) -> bool:
    return machine.execute("SELECT COUNT(*) FROM shop.dbo.desk WHERE message_type_name = 'DEFAULT'")[0][0][0] > 0


def written_file(repair: str) -> str:
    """The file that BACKUP CERTIFICATE in a repair writes."""
    return repair.partition("TO FILE = '")[2].partition("'")[0]


@pytest.mark.parametrize("fault", FAULTS[::STRIDE], ids=lambda fault: fault.cause)
def test_each_cause_is_found_alone_and_its_repair_brings_the_message(
    network: Network, folder: Path, fault: Fault
) -> None:
    a, b = network.machines["A"], network.machines["B"]
    b.execute(ENDPOINT)
    if fault.is_secure:
        b.execute(f"{MASTER_KEY}; {OWN.format(name='B', folder=folder)}")
    b.execute(fault.there or "SELECT 1")
    a.execute(fault.endpoint)
    a.execute("USE shop; " + fault.before.replace("{folder}", str(folder)))
    a.execute(SEND.format(encryption=fault.encryption, body="'hello'"))
    network.advance(fault.wait)
    found = findings(a)
    assert [one.name for one in found] == [fault.cause], found
    [one] = found
    assert (one.level, one.code) == CAUSES[fault.cause][:2] and one.evidence and one.text and one.subject
    text = one.repair
    for before, after in fault.edits.items():
        before = before.replace("{file}", written_file(text))
        assert before in text
        text = text.replace(before, after.replace("{folder}", str(folder)))
    if fault.cause == "NOT_ACKNOWLEDGED":
        b.execute(f"USE shop;\n{text}")
    else:
        a.execute(text)
    b.execute(fault.mended.replace("{folder}", str(folder)) or "SELECT 1")
    network.advance(140)
    assert has_arrived(b)
    assert findings(a) == []


def test_a_healthy_pair_has_no_findings(network: Network) -> None:
    a, b = network.machines["A"], network.machines["B"]
    for machine in (a, b):
        machine.execute(ENDPOINT)
    a.execute(SEND.format(encryption="OFF", body="'hello'"))
    network.advance(10)
    assert has_arrived(b) and findings(a) == findings(b) == []


def test_another_instance_that_is_down(network: Network) -> None:
    """Nothing on this side repairs that: the finding has the reason."""
    a, b = network.machines["A"], network.machines["B"]
    a.execute(ENDPOINT)
    a.execute(SEND.format(encryption="OFF", body="'hello'"))
    network.advance(10)
    [one] = findings(a)
    status = a.execute("SELECT transmission_status FROM shop.sys.transmission_queue")[0][0][0]
    assert (one.name, one.repair) == ("UNREACHABLE", "") and status and status in one.text
    b.execute(ENDPOINT)
    network.advance(140)
    assert has_arrived(b) and findings(a) == []


def test_the_certificate_of_the_endpoint(network: Network, folder: Path) -> None:
    a, b = network.machines["A"], network.machines["B"]
    key = "CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Pa55word of the shop'"
    for machine, name in ((a, "SOON"), (b, "B")):
        machine.execute(
            f"USE master; {key}; {OWN.format(name=name, folder=folder)}; {ENDPOINT.replace('WINDOWS', f'CERTIFICATE {name}')}; GRANT CONNECT ON ENDPOINT::broker TO public"
        )
    a.execute(
        f"USE master; CREATE LOGIN B WITH PASSWORD = 'Pa55word of B'; CREATE USER B FOR LOGIN B; {THEIRS.format(name='B', folder=folder)}"
    )
    network.advance(20 * 86400)
    a.execute(SEND.format(encryption="OFF", body="'hello'"))
    network.advance(10)
    [one] = findings(a)
    assert one.name == "ENDPOINT_CERTIFICATE"
    a.execute(one.repair.replace(written_file(one.repair), f"{folder}/new.cer"))
    b.execute(
        f"USE master; CREATE LOGIN A WITH PASSWORD = 'Pa55word of A'; CREATE USER A FOR LOGIN A; CREATE CERTIFICATE FromA AUTHORIZATION A FROM FILE = '{folder}/new.cer'"
    )
    network.advance(140)
    assert has_arrived(b) and findings(a) == []


def without_the_second(one: str, other: str, data: bytes) -> bytes:
    """What goes over the way, but for the second message of each dialog."""
    reader, out = FrameReader(), b""
    reader.largest = 1 << 20
    reader.add(data)
    while (payload := reader.take()) is not None:
        frame = decode(payload)
        if not (isinstance(frame, Fragment) and frame.sequence == 1):
            out += framed(payload)
    return out


def test_a_message_before_its_turn(network: Network) -> None:
    a, b = network.machines["A"], network.machines["B"]
    for machine in (a, b):
        machine.execute(ENDPOINT.replace("WINDOWS", "WINDOWS, ENCRYPTION = DISABLED"))
    network.spoil(Mischief(rewrite=without_the_second))
    a.execute(
        SEND.format(encryption="OFF", body="'one'")
        + "; SEND ON CONVERSATION @h ('two'); SEND ON CONVERSATION @h ('three')"
    )
    network.advance(200)
    b.execute("USE shop; RECEIVE TOP (1) * FROM desk")
    [one] = findings(b)
    assert (one.name, one.repair, one.evidence[0]["message_sequence_number"]) == ("MESSAGE_INCOMPLETE", "", 2)
    assert [found.name for found in findings(a)] == ["NOT_ACKNOWLEDGED"]
    network.spoil(Mischief())
    network.advance(140)
    assert len(b.execute("SELECT * FROM desk")[0]) == 2 and findings(a) == []


def test_a_certificate_that_ends_soon(network: Network, folder: Path) -> None:
    a = network.machines["A"]
    a.execute(f"{MASTER_KEY}; {ANONYMOUS}; {THEIRS.format(name='SOON', folder=folder)}")
    [one] = findings(a)
    assert one.name == "CERTIFICATE_EXPIRES"
    a.execute(one.repair.replace("<its file>.cer", f"{folder}/B.cer"))
    assert findings(a) == []


def test_a_certificate_of_the_endpoint_that_ends_soon_whatever_case_its_name_has_there(
    network: Network, folder: Path
) -> None:
    a = network.machines["A"]
    how = ENDPOINT.replace("WINDOWS", "CERTIFICATE soon")
    a.execute(f"USE master; {MASTER_KEY.removeprefix('USE shop; ')}; {OWN.format(name='SOON', folder=folder)}; {how}")
    assert [(one.name, one.subject) for one in findings(a)] == [("CERTIFICATE_EXPIRES", "SOON")]


# --- ssbdiagnose over two instances ------------------------------------------------------------------------------

SECURE = {
    "A": MASTER_KEY + "; CREATE USER B WITHOUT LOGIN; CREATE CERTIFICATE O FROM FILE = '{folder}/OTHER.cer' WITH PRIVATE KEY (FILE = '{folder}/OTHER.pvk', DECRYPTION BY PASSWORD = 'Pa55word of the shop')"
    "; CREATE CERTIFICATE B AUTHORIZATION B FROM FILE = '{folder}/B.cer'; CREATE REMOTE SERVICE BINDING b TO SERVICE '//B' WITH USER = B",
    "B": MASTER_KEY + "; CREATE USER A WITHOUT LOGIN; CREATE CERTIFICATE B FROM FILE = '{folder}/B.cer' WITH PRIVATE KEY (FILE = '{folder}/B.pvk', DECRYPTION BY PASSWORD = 'Pa55word of the shop')"
    "; CREATE CERTIFICATE A AUTHORIZATION A FROM FILE = '{folder}/OTHER.cer'; REVOKE SEND ON SERVICE::[//B] FROM public; GRANT SEND ON SERVICE::[//B] TO A",
}  # fmt: skip
NOBODY = "00000000-0000-0000-0000-00000000ABCD"
TYPED = "CREATE MESSAGE TYPE Ask; CREATE CONTRACT C (Ask SENT BY {by}); ALTER SERVICE [//{me}] (ADD CONTRACT C)"


class Two(NamedTuple):
    """A fault on one machine of a pair that works: what is found, and where the repair is run. `edits` as above;
    None: there is no statement for it."""

    cause: str
    machine: str
    fault: str
    where: str
    edits: dict[str, str] | None = {}
    contract: str = "DEFAULT"


DROPPED = """DECLARE @certificates nvarchar(max) = (SELECT STRING_AGG('DROP CERTIFICATE ' + QUOTENAME(name), ';') FROM sys.certificates WHERE principal_id = USER_ID('B'))
EXEC (@certificates)"""

KNOWN = "CREATE LOGIN [{account}] FROM WINDOWS; ALTER SERVER ROLE sysadmin ADD MEMBER [{account}]"
TWO = [
    Two("NO_ROUTE", "A", "DROP ROUTE [to //B]", "A", {"'LOCAL'": "'TCP://B:4022'"}),
    Two("NO_ROUTE", "B", "DROP ROUTE [to //A]", "B", {"'LOCAL'": "'TCP://A:4022'"}),
    Two("ROUTE_WRONG_PORT", "A", "ALTER ROUTE [to //B] WITH ADDRESS = 'TCP://B:4099'", "A"),
    Two("ROUTE_WRONG_BROKER", "A", f"ALTER ROUTE [to //B] WITH BROKER_INSTANCE = '{NOBODY}'", "A"),
    Two("ENDPOINT_STOPPED", "A", "ALTER ENDPOINT broker STATE = STOPPED", "A"),
    Two("ENDPOINT_STOPPED", "B", "ALTER ENDPOINT broker STATE = STOPPED", "B"),
    Two("ENDPOINT_MISSING", "B", "DROP ENDPOINT broker", "B"),
    Two("BROKER_DISABLED", "B", "ALTER DATABASE shop SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE", "B"),
    Two("QUEUE_OFF", "B", "ALTER QUEUE desk WITH STATUS = OFF", "B"),
    Two("CERTIFICATE_MISSING", "A", DROPPED, "A", FILE),
    Two("CERTIFICATE_DIFFERS", "A", DROPPED + "; CREATE CERTIFICATE B AUTHORIZATION B FROM FILE = '{folder}/SOON.cer'", "A", FILE),
    Two("BINDING_MISSING", "A", "DROP REMOTE SERVICE BINDING b; " + DROPPED, "A", FILE),
    Two("NO_RIGHT_TO_SEND", "B", "REVOKE SEND ON SERVICE::[//B] FROM A", "B"),
    Two("CERTIFICATE_UNKNOWN", "B", "DROP CERTIFICATE A", "B", {"<its file>.cer": "{folder}/OTHER.cer"}),
    Two("CONTRACT_NOT_ACCEPTED", "B", "ALTER SERVICE [//B] (DROP CONTRACT [DEFAULT])", "B"),
    Two("ACCOUNT_REFUSED", "A", r"ALTER SERVER ROLE sysadmin DROP MEMBER [DOMAIN\B]", "A"),
    Two("ACCOUNT_REFUSED", "B", r"ALTER LOGIN [DOMAIN\A] DISABLE", "B"),
    Two("ACCOUNT_REFUSED", "B", r"DROP LOGIN [DOMAIN\A]", "B"),
    Two("ENDPOINTS_DIFFER", "A", "ALTER ENDPOINT broker FOR SERVICE_BROKER (ENCRYPTION = DISABLED)", "A"),
]  # fmt: skip


@pytest.fixture(scope="module")
def pair(folder: Path) -> Iterator[Network]:
    with Network(9) as made:
        for me, you in ("AB", "BA"):
            machine = made.add(me, account=me)
            machine.execute(KNOWN.format(account=rf"DOMAIN\{you}"))
            machine.execute(
                SHOP.format(me=me, you=you) + f"GO\n{ENDPOINT}\nGO\nUSE shop; {SECURE[me].format(folder=folder)}"
            )
        yield made


def over(pair: Network, contract: str = "DEFAULT") -> list[Finding]:
    words = (
        f"CONFIGURATION FROM SERVICE //A -S A -d shop TO SERVICE //B -S B -d shop ON CONTRACT {contract} ENCRYPTION ON"
    )
    here, there = (pair.machines[name].connect("shop") for name in "AB")
    with closing(here), closing(there):
        return [one for one in over_two(parse(words.split()), here, there) if one.level != "INFO"]


@pytest.mark.parametrize("two", TWO[::STRIDE], ids=lambda two: f"{two.cause} {two.machine}")
def test_a_fault_of_one_of_two_instances(pair: Network, folder: Path, two: Two) -> None:
    """One pair for all: each row leaves it as it was."""
    assert over(pair) == []
    pair.machines[two.machine].execute("USE shop; " + two.fault.format(folder=folder))
    found = over(pair)
    assert [one.name for one in found] == [two.cause], found
    text = found[0].repair
    for before, after in (two.edits or {}).items():
        assert before in text
        text = text.replace(before, after.format(folder=folder))
    pair.machines[two.where].execute("USE shop;\n" + text)
    assert over(pair) == []


def test_contracts_of_two_instances(pair: Network) -> None:
    for name, by in (("A", "INITIATOR"), ("B", "ANY")):
        pair.machines[name].execute("USE shop; " + TYPED.format(me=name, by=by))
    assert [one.name for one in over(pair, "C")] == ["CONTRACT_DIFFERS"]
    pair.machines["B"].execute(
        "USE shop; ALTER SERVICE [//B] (DROP CONTRACT C); DROP CONTRACT C; CREATE CONTRACT C (Ask SENT BY INITIATOR); ALTER SERVICE [//B] (ADD CONTRACT C)"
    )
    assert over(pair, "C") == []
    pair.machines["B"].execute("USE shop; ALTER MESSAGE TYPE Ask VALIDATION = EMPTY")
    assert [one.name for one in over(pair, "C")] == ["TYPE_DIFFERS"]


@pytest.mark.spec("DIAG-19")
def test_the_command_with_two_stores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    stores = []
    for me, you in ("AB", "BA"):
        stores.append(str(tmp_path / f"{me}.duckdb"))
        with closing(Instance.open(stores[-1])) as instance:
            session = instance.connect()
            for batch in SHOP.format(me=me, you=you).split("GO\n"):
                assert not [outcome for outcome in session.run(batch) if isinstance(outcome, ErrorOutcome)]
    words = (
        f"CONFIGURATION FROM SERVICE //A -S {stores[0]} -d shop TO SERVICE //B -S {stores[1]} -d shop ENCRYPTION OFF"
    )
    assert main(words.split()) == 1
    lines = [line.split("\t")[:2] for line in capsys.readouterr().out.splitlines() if not line.startswith("\t")]
    assert lines == [["E", "29950"], ["E", "29950"]], "no endpoint, in neither"


def test_an_endpoint_without_a_network() -> None:
    """On a virtual clock outside of a Network."""
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    for batch in (*SHOP.format(me="A", you="B").split("GO\n"), ENDPOINT, SEND.format(encryption="OFF", body="'hello'")):
        assert not [outcome for outcome in session.run(batch) if isinstance(outcome, ErrorOutcome)]
    assert [one.name for one in stuck(instance)] == ["NO_NETWORK"]
    instance.close()
