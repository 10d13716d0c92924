"""Dialog security between instances: none, anonymous, full; and what somebody on a way without encryption can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest

from sbql.engine.network.frames import Fragment, Frame, Sealed, decode, encode, integrity
from sbql.engine.network.framing import FrameReader, framed
from sbql.engine.simulated_network import Machine, Mischief, Network

FOLDER_OF_KEYS = """
CREATE DATABASE keys
GO
USE keys
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'
CREATE CERTIFICATE {name} WITH SUBJECT = '{name}', START_DATE = '{start}', EXPIRY_DATE = '{expiry}'
BACKUP CERTIFICATE {name} TO FILE = '{folder}/{name}.cer' WITH PRIVATE KEY (FILE = '{folder}/{name}.pvk', ENCRYPTION BY PASSWORD = 'Strong1!')
"""
DATES = {
    "A": ("2025-01-01", "2027-01-01"), "B": ("2025-01-01", "2027-01-01"), "A2": ("2025-01-01", "2028-01-01"), "B2": ("2025-01-01", "2028-01-01"),
    "EARLY": ("2026-02-01", "2027-01-01"), "LATE": ("2024-01-01", "2025-06-01"),
}  # fmt: skip
SHOP = """
CREATE DATABASE shop
CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS, ENCRYPTION = DISABLED)
GO
USE shop
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'
CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT])
CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'
CREATE USER {you} WITHOUT LOGIN
GO
"""
OWN = "CREATE CERTIFICATE {name} FROM FILE = '{folder}/{name}.cer' WITH PRIVATE KEY (FILE = '{folder}/{name}.pvk', DECRYPTION BY PASSWORD = 'Strong1!')"
THEIRS = "CREATE CERTIFICATE {name} AUTHORIZATION {you} FROM FILE = '{folder}/{name}.cer'"
BIND = "CREATE REMOTE SERVICE BINDING b TO SERVICE '//B' WITH USER = B, ANONYMOUS = {anonymous}"
BEGIN = "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B'{more}; SEND ON CONVERSATION @h ('the secret'); SELECT @h"
SECURE = Mischief(0.001, 0.005)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Certificates and their keys as files."""
    made = tmp_path_factory.mktemp("keys")
    with Network(1) as network:
        machine = network.add("Maker")
        for name, (start, expiry) in DATES.items():
            text = (
                FOLDER_OF_KEYS
                if name == "A"
                else FOLDER_OF_KEYS.replace("CREATE DATABASE keys\nGO\n", "").replace(
                    "CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'\n", ""
                )
            )
            machine.execute(text.format(name=name, start=start, expiry=expiry, folder=made))
    return made


class Pair:
    """A, which begins dialogs, and B; without encryption of the way, so that whoever stands there sees all."""

    def __init__(self, folder: Path, store: Path | None = None) -> None:
        self.folder = folder
        self.network = Network(1, folder=store)
        self.a, self.b = (self.network.add(name, on_disk=store is not None) for name in "AB")
        self.events: list[tuple[str, str, str]] = []
        self.pieces: list[tuple[str, bytes]] = []
        for machine, you in ((self.a, "B"), (self.b, "A")):
            machine.execute(SHOP.format(me=machine.name, you=you))
            self.watch(machine)
        self.on_the_way: Callable[[str, Frame], list[Frame]] = lambda _, frame: [frame]
        self.network.spoil(Mischief(rewrite=self.rewrite))

    def watch(self, machine: Machine) -> None:
        assert machine.instance is not None
        machine.instance.trace(
            lambda event: self.events.append((event.event_class, event.subclass, event.text)),
            "Audit Broker Conversation", "Broker:Message Undeliverable", "Broker:Corrupted Message",
        )  # fmt: skip

    def rewrite(self, one: str, other: str, data: bytes) -> bytes:
        self.pieces.append((one, data))
        reader, out = FrameReader(), b""
        reader.largest = 1 << 20
        reader.add(data)
        while (payload := reader.take()) is not None:
            out += b"".join(framed(encode(frame)) for frame in self.on_the_way(one, decode(payload)))
        return out

    def folder_of(self, machine: Machine) -> Path:
        """Where the files lie that its statements name."""
        assert machine.instance is not None and machine.instance.store.path is not None
        return Path(machine.instance.store.path).parent

    def own(self, machine: Machine, name: str) -> None:
        machine.execute("USE shop; " + OWN.format(name=name, folder=self.folder))

    def theirs(self, machine: Machine, name: str) -> None:
        you = "B" if machine is self.a else "A"
        machine.execute("USE shop; " + THEIRS.format(name=name, you=you, folder=self.folder))

    def full(self, *, anonymous: bool = False) -> None:
        self.theirs(self.a, "B")
        self.own(self.b, "B")
        if not anonymous:
            self.own(self.a, "A")
            self.theirs(self.b, "A")
        self.a.execute("USE shop; " + BIND.format(anonymous="ON" if anonymous else "OFF"))
        self.b.execute(f"USE shop; GRANT SEND ON SERVICE::[//B] TO {'public' if anonymous else 'A'}")

    def begin(self, more: str = "") -> str:
        return str(self.a.execute("USE shop; " + BEGIN.format(more=more))[0][0][0])

    def answer(self) -> None:
        self.b.execute(
            "USE shop; DECLARE @h uniqueidentifier; SELECT TOP (1) @h = conversation_handle FROM desk; SEND ON CONVERSATION @h ('also secret')"
        )

    def queue(self, machine: Machine) -> list[str]:
        text = "SELECT ISNULL(CAST(message_body AS varchar(900)), message_type_name) FROM shop.dbo.desk ORDER BY queuing_order"
        return [row[0] for row in machine.execute(text)[0]]

    def status(self) -> str:
        return str(self.a.execute("SELECT transmission_status FROM shop.sys.transmission_queue")[0][0][0])

    def close(self) -> None:
        self.network.close()


@pytest.fixture
def pair(folder: Path) -> Iterator[Pair]:
    made = Pair(folder)
    yield made
    made.close()


def endpoint(machine: Machine) -> dict[str, Any]:
    columns = ("outbound_session_key_identifier", "inbound_session_key_identifier", "far_principal_id", "principal_id")
    (row,) = machine.execute(f"SELECT {', '.join(columns)} FROM shop.sys.conversation_endpoints")[0]
    return dict(zip(columns, row, strict=True))


@pytest.mark.spec("SECURE-1", "SECURE-2", "SECURE-3", "BINDING-14")
@pytest.mark.parametrize("anonymous", [False, True])
@pytest.mark.parametrize("more", ["", " WITH ENCRYPTION = OFF"])
def test_what_is_said_is_encrypted_both_ways(pair: Pair, anonymous: bool, more: str) -> None:
    """With a binding whatever ENCRYPTION says."""
    pair.full(anonymous=anonymous)
    pair.begin(more)
    pair.network.deliver()
    pair.answer()
    pair.network.deliver()
    assert (pair.queue(pair.b), pair.queue(pair.a)) == (["the secret"], ["also secret"])
    said = b"".join(data for _, data in pair.pieces)
    assert b"secret" not in said and b"//B" in said
    mine, theirs = endpoint(pair.a), endpoint(pair.b)
    assert mine["outbound_session_key_identifier"] == theirs["inbound_session_key_identifier"] != UUID(int=0)
    assert mine["inbound_session_key_identifier"] == theirs["outbound_session_key_identifier"]
    user = pair.b.execute("USE shop; SELECT USER_ID('A')")[0][0][0]
    assert theirs["far_principal_id"] == (-1 if anonymous else user)
    assert pair.events == []


@pytest.mark.spec("SECURE-4")
def test_without_binding_and_encryption_nothing_is_encrypted(pair: Pair) -> None:
    pair.b.execute("USE shop; GRANT SEND ON SERVICE::[//B] TO public")
    pair.begin(" WITH ENCRYPTION = OFF")
    pair.network.deliver()
    assert pair.queue(pair.b) == ["the secret"]
    assert any(b"the secret" in data for _, data in pair.pieces)
    assert endpoint(pair.a)["outbound_session_key_identifier"] == UUID(int=0)


WHY = (
    ("DROP REMOTE SERVICE BINDING b", "no remote service binding", "bind"),
    ("DROP CERTIFICATE A", "no certificate is bound", "own A"),
    ("ALTER CERTIFICATE A REMOVE PRIVATE KEY", "has no private key", "DROP CERTIFICATE A;own A"),
    ("ALTER CERTIFICATE A WITH PRIVATE KEY (ENCRYPTION BY PASSWORD = 'Strong1!')", "protected by a password", "DROP CERTIFICATE A;own A"),
    ("ALTER CERTIFICATE B WITH ACTIVE FOR BEGIN_DIALOG = OFF", "not yet ACTIVE", "ALTER CERTIFICATE B WITH ACTIVE FOR BEGIN_DIALOG = ON"),
    ("ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY", "needs to reach the master key", "OPEN MASTER KEY DECRYPTION BY PASSWORD = 'Strong1!';ALTER MASTER KEY ADD ENCRYPTION BY SERVICE MASTER KEY"),
    ("CREATE USER gone WITHOUT LOGIN; ALTER REMOTE SERVICE BINDING b WITH USER = gone; DROP USER gone", "user of the secure conversation was dropped", "ALTER REMOTE SERVICE BINDING b WITH USER = B"),
    ("DROP CERTIFICATE B", "no certificate is bound", ""),
    ("theirs EARLY", "not yet valid", "DROP CERTIFICATE EARLY"),
    ("theirs LATE", "has expired", "DROP CERTIFICATE LATE;theirs B"),
)  # fmt: skip


@pytest.mark.spec("SECURE-5", "SECURE-15", "CERT-30", "CERT-31", "CERT-32")
def test_why_a_dialog_cannot_be_secured_is_its_status(pair: Pair) -> None:
    """Each reason alone; when nothing stands in the way any more, all of them are delivered."""
    pair.full()

    def do(text: str) -> None:
        for step in filter(None, text.split(";")):
            word, _, name = step.partition(" ")
            if word in ("own", "theirs"):
                getattr(pair, word)(pair.a, name)
            else:
                pair.a.execute("USE shop; " + (BIND.format(anonymous="OFF") if step == "bind" else step))

    handles = []
    for change, text, back in WHY:
        do(change)
        handles.append(pair.begin())
        query = f"SELECT transmission_status, GET_TRANSMISSION_STATUS('{handles[-1]}') FROM shop.sys.transmission_queue WHERE conversation_handle = '{handles[-1]}'"
        ((status, same),) = pair.a.execute(f"USE shop; {query}")[0]
        assert text in status and status == same, (change, status)
        do(back)
    assert pair.queue(pair.b) == []
    pair.network.deliver()
    assert pair.queue(pair.b) == ["the secret"] * len(WHY)


def test_without_a_master_key_the_status_says_so(pair: Pair) -> None:
    pair.a.execute("USE shop; DROP MASTER KEY")
    pair.theirs(pair.a, "B")
    pair.a.execute("USE shop; " + BIND.format(anonymous="ON"))
    pair.begin()
    assert "has no master key" in pair.status()
    pair.a.execute("USE shop; CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'")
    pair.own(pair.b, "B")
    pair.b.execute("USE shop; GRANT SEND ON SERVICE::[//B] TO public")
    pair.network.deliver()
    assert pair.queue(pair.b) == ["the secret"]


@pytest.mark.spec("SECURE-6", "SECURE-12")
@pytest.mark.parametrize(
    "change",
    [
        "REVOKE SEND ON SERVICE::[//B] FROM A",
        "GRANT SEND ON SERVICE::[//B] TO public; DENY SEND ON SERVICE::[//B] TO A",
    ],
)
def test_a_user_without_send_is_told(pair: Pair, change: str) -> None:
    pair.full()
    pair.b.execute(f"USE shop; {change}")
    pair.begin()
    pair.network.advance(10)
    assert pair.queue(pair.b) == []
    (answer,) = pair.a.execute("SELECT CAST(message_body AS nvarchar(max)) FROM shop.dbo.desk")[0]
    assert "-8494" in answer[0]
    assert all(b"-8494" not in data and b"8494" not in data for _, data in pair.pieces)


@pytest.mark.spec("SECURE-7", "SECURE-12")
@pytest.mark.parametrize(
    ("change", "subclass", "text"),
    [
        ("DROP CERTIFICATE A", "No Certificate", "security context could not be had"),
        ("DROP CERTIFICATE B", "No Certificate", "security context could not be had"),
        ("ALTER AUTHORIZATION ON CERTIFICATE::B TO A", "Run As Target Failure", "no CONTROL permission"),
        ("DENY CONNECT TO A", "", "no permission to reach the target database"),
    ],
)
def test_what_the_target_cannot_check_is_dropped_and_traced(pair: Pair, change: str, subclass: str, text: str) -> None:
    """The sender is not told: its message stays, with an empty status."""
    pair.full()
    pair.b.execute(f"USE shop; {change}")
    pair.begin()
    pair.network.advance(10)
    assert (pair.queue(pair.b), pair.status()) == ([], "")
    assert not subclass or ("Audit Broker Conversation", subclass) in {event[:2] for event in pair.events}
    assert any(text in event[2] for event in pair.events)


@pytest.mark.spec("SECURE-8", "CERT-30")
def test_certificates_are_replaced_while_dialogs_run(pair: Pair) -> None:
    """The one that expires last counts; the others may go as soon as the first message of a dialog is acknowledged."""
    pair.full()
    handle = pair.begin()
    pair.network.deliver()
    pair.own(pair.a, "A2")
    pair.own(pair.b, "B2")
    pair.theirs(pair.a, "B2")
    pair.theirs(pair.b, "A2")
    for machine in (pair.a, pair.b):
        machine.execute("USE shop; DROP CERTIFICATE A; DROP CERTIFICATE B")
    pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('still')")
    pair.begin()
    pair.network.deliver()
    assert sorted(pair.queue(pair.b)) == ["still", "the secret", "the secret"]
    assert pair.events == []


GONE = (
    "DROP CERTIFICATE A",
    "DROP CERTIFICATE B",
    "ALTER CERTIFICATE A REMOVE PRIVATE KEY",
    "ALTER CERTIFICATE B WITH ACTIVE FOR BEGIN_DIALOG = OFF",
    "DROP REMOTE SERVICE BINDING b; DROP CERTIFICATE B; DROP USER B",
    "",
)


@pytest.mark.spec("SECURE-16")
@pytest.mark.parametrize("anonymous", [False, True])
@pytest.mark.parametrize("gone", GONE)
def test_a_dialog_that_is_known_needs_no_certificates_whatever_is_lost(pair: Pair, gone: str, anonymous: bool) -> None:
    """They are dropped, or expire (empty), at its initiator; then each frame is lost the first time."""
    pair.full(anonymous=anonymous)
    handle = pair.begin()
    pair.network.deliver()
    if anonymous and "CERTIFICATE A" in gone:
        pair.own(pair.a, "A")
    pair.a.execute(f"USE shop; {gone}") if gone else pair.network.advance(2 * 366 * 86400)
    seen: set[tuple[str, int]] = set()

    def lose(one: str, frame: Frame) -> list[Frame]:
        if not isinstance(frame, Sealed) or (one, frame.sequence) in seen:
            return [frame]
        seen.add((one, frame.sequence))
        return []

    pair.on_the_way = lose
    pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('again')")
    pair.answer()
    pair.network.deliver(600)
    assert pair.queue(pair.a) == ["also secret"]
    pair.a.execute(f"USE shop; END CONVERSATION '{handle}'")
    pair.network.deliver(600)
    assert pair.queue(pair.b) == ["the secret", "again", "http://schemas.microsoft.com/SQL/ServiceBroker/EndDialog"]
    assert len(seen) > 2 and not [event for event in pair.events if "Audit" in event[0]]


LACKS = (
    ("DROP CERTIFICATE A", "no certificate is bound"),
    ("DROP CERTIFICATE B", "no certificate is bound"),
    ("ALTER CERTIFICATE A REMOVE PRIVATE KEY", "no private key"),
    ("ALTER CERTIFICATE B WITH ACTIVE FOR BEGIN_DIALOG = OFF", "not yet ACTIVE"),
    ("", "has expired"),
)


@pytest.mark.spec("SECURE-16")
@pytest.mark.parametrize(("gone", "why"), LACKS)
def test_a_target_that_has_lost_the_dialog_and_cannot_answer_is_seen_in_the_status(
    pair: Pair, gone: str, why: str
) -> None:
    """What is sent again has no header then, and nothing comes back. With the certificates it is told -8462."""
    pair.full()
    handle = pair.begin()
    pair.network.deliver()
    ends = "SELECT TOP (1) @h = conversation_handle FROM desk; END CONVERSATION @h WITH CLEANUP"
    pair.b.execute(f"USE shop; DECLARE @h uniqueidentifier; {ends}")
    pair.a.execute(f"USE shop; {gone}") if gone else pair.network.advance(2 * 366 * 86400)
    pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('again')")
    pair.network.advance(300)
    assert pair.queue(pair.a) == [] and why in pair.status()
    for name in "AB":
        if not gone or f"CERTIFICATE {name}" in gone:
            pair.a.execute(
                f"USE shop; IF EXISTS (SELECT * FROM sys.certificates WHERE name = '{name}') DROP CERTIFICATE {name}"
            )
            (pair.own if name == "A" else pair.theirs)(pair.a, name)
    if gone:  # new ones that are valid would be others, which the target does not know
        pair.network.advance(300)
        (answer,) = pair.a.execute("SELECT CAST(message_body AS nvarchar(max)) FROM shop.dbo.desk")[0]
        assert "-8462" in answer[0]


@pytest.mark.spec("SECURE-9")
def test_exchange_keys_are_made_anew_after_hours(pair: Pair) -> None:
    pair.full()
    keys: list[bytes] = []

    def note(_: str, frame: Frame) -> list[Frame]:
        if isinstance(frame, Sealed) and frame.header is not None and frame.sequence == 0:
            keys.append(frame.header.exchange_key)
        return [frame]

    pair.on_the_way = note
    for hours in (0, 1, 4):
        pair.network.advance(hours * 3600)
        pair.begin()
        pair.network.deliver()
    assert keys[0] == keys[1] != keys[2]
    assert len(pair.queue(pair.b)) == 3


NOTIFICATIONS = "http://schemas.microsoft.com/SQL/Notifications"


@pytest.mark.spec("DELIVER-19")
def test_event_notifications_reach_other_instances_with_full_security(pair: Pair) -> None:
    """Without a binding, and with an anonymous one, they wait."""
    ((broker,),) = pair.b.execute(
        "SELECT CAST(service_broker_guid AS varchar(36)) FROM sys.databases WHERE name = 'shop'"
    )[0]
    pair.b.execute(f"""USE shop; ALTER SERVICE [//B] (ADD CONTRACT [{NOTIFICATIONS}/PostEventNotification])
        CREATE ROUTE back WITH SERVICE_NAME = '{NOTIFICATIONS}/EventNotificationService', ADDRESS = 'TCP://A:4022'""")
    pair.a.execute(f"USE shop; CREATE EVENT NOTIFICATION n ON DATABASE FOR CREATE_TABLE TO SERVICE '//B', '{broker}'")
    pair.a.execute("USE shop; CREATE TABLE t (a int)")
    pair.network.advance(10)
    assert "remote service binding" in pair.status()
    pair.full(anonymous=True)
    pair.network.advance(120)
    assert (pair.queue(pair.b), "remote service binding" in pair.status()) == ([], True)
    pair.own(pair.a, "A")
    pair.theirs(pair.b, "A")
    pair.b.execute("USE shop; GRANT SEND ON SERVICE::[//B] TO A")
    pair.a.execute("USE shop; ALTER REMOTE SERVICE BINDING b WITH ANONYMOUS = OFF")
    pair.network.deliver(200)
    text = "SELECT CAST(message_body AS xml).value('(/EVENT_INSTANCE/ObjectName)[1]', 'sysname') FROM shop.dbo.desk"
    assert pair.b.execute(text) == [[("t",)]]


@pytest.mark.spec("KEY-13", "BROKERERROR-19")
def test_session_keys_outlive_a_new_master_key_unless_the_old_one_was_lost(pair: Pair) -> None:
    pair.full()
    handle = pair.begin()
    pair.network.deliver()
    for machine in (pair.a, pair.b):
        machine.execute("USE shop; ALTER MASTER KEY REGENERATE WITH ENCRYPTION BY PASSWORD = 'Other1!x'")
    pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('again')")
    pair.network.deliver()
    assert pair.queue(pair.b) == ["the secret", "again"]
    pair.a.execute("""USE shop; ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY
        ALTER MASTER KEY FORCE REGENERATE WITH ENCRYPTION BY PASSWORD = 'Third1!x'""")
    text = "SELECT RTRIM(e.state), CAST(message_body AS nvarchar(max)) FROM shop.sys.conversation_endpoints e JOIN shop.dbo.desk d ON d.conversation_handle = e.conversation_handle"
    ((state, body),) = pair.a.execute(text)[0]
    assert state == "ER" and "-28052" in body


def test_keys_survive_crashes(folder: Path, tmp_path: Path) -> None:
    pair = Pair(folder, tmp_path)
    try:
        pair.full()
        handle = pair.begin()
        pair.network.deliver()
        for machine in (pair.a, pair.b):
            machine.crash()
            machine.open()
        pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('again')")
        pair.answer()
        pair.network.deliver(600)
        assert (pair.queue(pair.b), pair.queue(pair.a)) == (["the secret", "again"], ["also secret"])
    finally:
        pair.close()


# --- somebody on the way -----------------------------------------------------------------------------------


def flipped(value: bytes, place: int) -> bytes:
    return value[:place] + bytes([value[place] ^ 1]) + value[place + 1 :]


def changed(value: Any) -> list[Any]:
    """Other values of the same kind, one for each part of it."""
    if isinstance(value, msgspec.Struct):
        found = []
        for name in value.__struct_fields__:
            if name not in ("hops",):
                found += [msgspec.structs.replace(value, **{name: other}) for other in changed(getattr(value, name))]
        return found
    if isinstance(value, bytes):
        return [flipped(value, 0), flipped(value, len(value) - 1), value[:-1]] if value else [b"x"]
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    if isinstance(value, str):
        return [value + "x"]
    if isinstance(value, UUID):
        return [UUID(int=value.int ^ 2)]
    return [UUID(int=5)] if value is None else []


@pytest.mark.spec("SECURE-10")
def test_whatever_part_of_a_secured_message_is_changed_it_is_not_delivered(pair: Pair) -> None:
    """Every part of the frame of the first message, one after the other: nothing arrives, and the trace says so."""
    pair.full()
    count, place = 0, 0
    while True:
        spoiled: list[Frame] = []

        def spoil(one: str, frame: Frame, place: int = place, spoiled: list[Frame] = spoiled) -> list[Frame]:
            if one == "A" and isinstance(frame, Sealed) and not spoiled:
                others = [other for other in changed(frame) if _is_frame(other)]
                spoiled += others[place : place + 1]
                return others[place : place + 1]
            return [frame] if not isinstance(frame, Sealed) else []

        pair.events.clear()
        pair.on_the_way = spoil
        handle = pair.begin()
        pair.network.advance(1)
        pair.a.execute(f"USE shop; END CONVERSATION '{handle}' WITH CLEANUP")
        if not spoiled:
            break
        assert pair.queue(pair.b) == [], (place, spoiled)
        assert pair.events, spoiled
        count, place = count + 1, place + 1
    assert count > 25


def _is_frame(frame: Frame) -> bool:
    try:
        decode(encode(frame))
    except Exception:
        return False
    return True


@pytest.mark.spec("SECURE-10")
def test_what_is_said_again_arrives_once(pair: Pair) -> None:
    """Replay: each frame twice, and all of it once more when it is over."""
    pair.full()
    said: list[tuple[str, Frame]] = []

    def note(one: str, frame: Frame) -> list[Frame]:
        said.append((one, frame))
        return [frame, frame] if isinstance(frame, Sealed) else [frame]

    pair.on_the_way = note
    pair.begin()
    pair.network.deliver()
    old = [frame for one, frame in said if one == "A" and isinstance(frame, Sealed)]
    pair.on_the_way = lambda one, frame: [frame, *old] if one == "A" and isinstance(frame, Sealed) else [frame]
    pair.begin()
    pair.network.deliver()
    assert pair.queue(pair.b) == ["the secret", "the secret"]


@pytest.mark.spec("SECURE-10")
def test_what_is_sent_back_or_made_up_is_not_taken(pair: Pair) -> None:
    """Reflection, and frames without security for a dialog that has it: a message, a receipt, an error."""
    pair.full()
    pair.begin()
    pair.network.deliver()
    seen: list[Sealed] = []

    def forge(one: str, frame: Frame) -> list[Frame]:
        if one != "A" or not isinstance(frame, Sealed):
            return [frame]
        seen.append(frame)
        envelope = frame.envelope
        body = b"made up"
        check = integrity(envelope, 1, 0, "DEFAULT", "DEFAULT", UUID(int=7), body)
        made_up = Fragment(
            envelope, 1, 0, 1, len(body), 0, "DEFAULT", "DEFAULT", UUID(int=7), None, True, 5, check, None, body
        )
        back = msgspec.structs.replace(
            frame, envelope=msgspec.structs.replace(envelope, from_initiator=not envelope.from_initiator)
        )
        return [made_up, back]

    pair.events.clear()
    pair.on_the_way = forge
    handle = pair.a.execute("SELECT conversation_handle FROM shop.sys.conversation_endpoints")[0][0][0]
    pair.a.execute(f"USE shop; SEND ON CONVERSATION '{handle}' ('second')")
    pair.network.advance(2)
    assert seen and pair.queue(pair.b) == ["the secret"]
    assert any("is secure, and the message is not" in text for _, _, text in pair.events)
    pair.on_the_way = lambda _, frame: [frame]
    pair.network.deliver()
    assert pair.queue(pair.b) == ["the secret", "second"]
