"""Why is my message stuck, between instances: what can be known on this side. Each row builds the fault on A, sees exactly that finding, runs the repair that is proposed, and
sees the message arrive on B. Simulated networks, on one clock."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sbql.engine.diagnosis.causes import CAUSES, Finding
from sbql.engine.diagnosis.stuck import stuck
from sbql.engine.instance import Instance
from sbql.engine.network.frames import Fragment, decode
from sbql.engine.network.framing import FrameReader, framed
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.simulated_network import Machine, Mischief, Network

ENDPOINT = (
    "CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)"
)
SHOP = """
CREATE DATABASE shop
GO
USE shop
CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'
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


@dataclass(frozen=True)
class Fault:
    """On A `before` and `after` the message is sent; `there` is run on B before, `heal` says what happens on B or the way before the repair. `edits`: what only a reader
    of the repair knows."""

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
    Fault("NOT_ACKNOWLEDGED", there="USE shop; DROP ROUTE there", wait=140, edits={"<this machine>": "A"}),
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


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.cause)
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


def test_an_endpoint_without_a_network() -> None:
    """On a virtual clock outside of a Network."""
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    for batch in (*SHOP.format(me="A", you="B").split("GO\n"), ENDPOINT, SEND.format(encryption="OFF", body="'hello'")):
        assert not [outcome for outcome in session.run(batch) if isinstance(outcome, ErrorOutcome)]
    assert [one.name for one in stuck(instance)] == ["NO_NETWORK"]
    instance.close()
