"""A remote service binding for a service of another database of the same instance: it is certificates that say who the
sender is there, as between instances. A binding alone opens no door, and shuts none that is open without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sbql.engine.simulated_network import Network

KEYS = """
CREATE DATABASE keys
GO
USE keys
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'
"""
KEY = """
CREATE CERTIFICATE {name} WITH SUBJECT = '{name}', START_DATE = '{start}', EXPIRY_DATE = '{expiry}'
BACKUP CERTIFICATE {name} TO FILE = '{name}.cer' WITH PRIVATE KEY (FILE = '{name}.pvk', ENCRYPTION BY PASSWORD = 'Strong1!')
"""
DATES = {
    "a": ("2025-01-01", "2030-01-01"), "b": ("2025-01-01", "2030-01-01"), "other": ("2025-01-01", "2031-01-01"),
    "early": ("2027-01-01", "2028-01-01"), "late": ("2024-01-01", "2025-01-01"),
}  # fmt: skip
SIDE = """
CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'
CREATE USER owner_{me} {login}
CREATE USER {you} WITHOUT LOGIN
CREATE QUEUE desk
CREATE SERVICE [{service}] AUTHORIZATION owner_{me} ON QUEUE desk ([DEFAULT])
GRANT RECEIVE ON desk TO owner_{me}
CREATE CERTIFICATE own AUTHORIZATION owner_{me} FROM FILE = '{me}.cer' WITH PRIVATE KEY (FILE = '{me}.pvk', DECRYPTION BY PASSWORD = 'Strong1!')
CREATE CERTIFICATE theirs AUTHORIZATION {you} FROM FILE = '{you}.cer'
"""
BIND = "CREATE REMOTE SERVICE BINDING bound TO SERVICE '{service}' WITH USER = b, ANONYMOUS = {anonymous}"
CAME, REFUSED = "came", "-8494"
NOT_KNOWN, NO_CERTIFICATE, NO_WAY_IN = "security context", "no certificate is bound", "reach the target database"
OWN = "DROP CERTIFICATE own; CREATE CERTIFICATE own AUTHORIZATION owner_a FROM FILE = '{name}.cer' WITH PRIVATE KEY (FILE = '{name}.pvk', DECRYPTION BY PASSWORD = 'Strong1!')"
THEIRS = "DROP CERTIFICATE theirs; CREATE CERTIFICATE theirs AUTHORIZATION b FROM FILE = '{name}.cer'"

CASES = (
    # what is changed, in which database, and what then becomes of a message: with ANONYMOUS = OFF, and ON
    ("", "", CAME, REFUSED),
    ("b", "GRANT SEND ON SERVICE::[{service}] TO public", CAME, CAME),
    ("b", "REVOKE SEND ON SERVICE::[{service}] FROM a", REFUSED, REFUSED),
    ("b", "GRANT SEND ON SERVICE::[{service}] TO public; DENY SEND ON SERVICE::[{service}] TO a", REFUSED, CAME),
    ("b", "DENY CONNECT TO a", NO_WAY_IN, REFUSED),
    ("b", "DROP CERTIFICATE theirs", NOT_KNOWN, REFUSED),
    ("b", "DROP CERTIFICATE own", NOT_KNOWN, NOT_KNOWN),
    ("b", "ALTER CERTIFICATE own REMOVE PRIVATE KEY", NOT_KNOWN, NOT_KNOWN),
    ("b", "ALTER AUTHORIZATION ON CERTIFICATE::own TO a", "no CONTROL permission", "no CONTROL permission"),
    ("b", "ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY", "reach the master key", "reach the master key"),
    ("a", "ALTER MASTER KEY DROP ENCRYPTION BY SERVICE MASTER KEY", "reach the master key", "reach the master key"),
    ("a", "DROP CERTIFICATE theirs", NO_CERTIFICATE, NO_CERTIFICATE),
    ("a", "DROP CERTIFICATE own", NO_CERTIFICATE, REFUSED),
    ("a", "ALTER CERTIFICATE own REMOVE PRIVATE KEY", "no private key", REFUSED),
    ("a", "ALTER CERTIFICATE own WITH PRIVATE KEY (ENCRYPTION BY PASSWORD = 'Strong1!')", "protected by a password", REFUSED),
    ("a", "ALTER CERTIFICATE own WITH ACTIVE FOR BEGIN_DIALOG = OFF", "not yet ACTIVE", REFUSED),
    ("a", "ALTER CERTIFICATE theirs WITH ACTIVE FOR BEGIN_DIALOG = OFF", "not yet ACTIVE", "not yet ACTIVE"),
    ("a", OWN.format(name="early"), "not yet valid", REFUSED),
    ("a", OWN.format(name="late"), "has expired", REFUSED),
    ("a", OWN.format(name="other"), NOT_KNOWN, REFUSED),
    ("a", THEIRS.format(name="other"), NOT_KNOWN, NOT_KNOWN),
    ("a", THEIRS.format(name="early"), "not yet valid", "not yet valid"),
    ("a", THEIRS.format(name="late"), "has expired", "has expired"),
    ("a", "DROP CERTIFICATE own; DROP CERTIFICATE theirs", NO_CERTIFICATE, NO_CERTIFICATE),
)  # fmt: skip


class World:
    """Pairs of databases of one instance, each with the certificates of full security."""

    def __init__(self, network: Network, *, has_endpoint: bool) -> None:
        self.machine = network.add("M")
        self.pairs = 0
        if has_endpoint:
            how = "AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = WINDOWS)"
            self.machine.execute(f"CREATE ENDPOINT e STATE = STARTED {how}")
        self.machine.execute(KEYS)
        for name, (start, expiry) in DATES.items():
            self.machine.execute(KEY.format(name=name, start=start, expiry=expiry))

    def pair(self, anonymous: str, login: str = "WITHOUT LOGIN") -> tuple[str, str]:
        """Two new databases; the service of each is called after it."""
        self.pairs += 1
        names = f"a{self.pairs}", f"b{self.pairs}"
        for (me, you), name in zip(("ab", "ba"), names, strict=True):
            self.machine.execute(f"CREATE DATABASE {name}")
            self.machine.execute(
                SIDE.format(me=me, you=you, service=name, login=login if me == "a" else "WITHOUT LOGIN"), name
            )
        self.machine.execute(f"GRANT SEND ON SERVICE::{names[1]} TO a", names[1])
        self.machine.execute(BIND.format(service=names[1], anonymous=anonymous), names[0])
        return names

    def send(self, one: str, other: str, encryption: str = "ON") -> None:
        self.machine.execute(f"""DECLARE @h uniqueidentifier
            BEGIN DIALOG @h FROM SERVICE [{one}] TO SERVICE '{other}' WITH ENCRYPTION = {encryption}
            SEND ON CONVERSATION @h ('hello')""", one)  # fmt: skip

    def outcome(self, one: str, other: str, encryption: str) -> str:
        """What becomes of a message: `came`, the Error, or what its transmission status says."""
        self.send(one, other, encryption)
        if self.machine.execute("RECEIVE message_body FROM desk", other)[0]:
            return CAME
        answers = self.machine.execute("RECEIVE CAST(message_body AS nvarchar(max)) FROM desk", one)[0]
        waiting = self.machine.execute("SELECT transmission_status FROM sys.transmission_queue", one)[0]
        ends = "SELECT @h = conversation_handle FROM sys.conversation_endpoints; END CONVERSATION @h WITH CLEANUP"
        self.machine.execute(f"DECLARE @h uniqueidentifier; {ends}", one)
        return str((answers or waiting)[0][0])


@pytest.mark.spec("BINDING-11", "BINDING-12", "BINDING-15", "BINDING-16")
@pytest.mark.parametrize("has_endpoint", [False, True])
def test_a_binding_inside_an_instance_is_as_good_as_its_certificates(tmp_path: Path, has_endpoint: bool) -> None:
    """Each thing that can be amiss, for full and for anonymous security, with and without ENCRYPTION; an endpoint
    changes nothing."""
    with Network(1, folder=tmp_path) as network:
        world = World(network, has_endpoint=has_endpoint)
        for place, anonymous in ((2, "OFF"), (3, "ON")):
            for case in CASES:
                names = dict(zip("ab", world.pair(anonymous), strict=True))
                if case[0]:
                    world.machine.execute(case[1].replace("{service}", names[case[0]]), names[case[0]])
                for encryption in ("ON", "OFF"):
                    said = world.outcome(names["a"], names["b"], encryption)
                    assert str(case[place]) in said, (case, anonymous, encryption, said)


WAYS = (
    # in the database of the initiator, in that of the target, and whether that lets the owner in without certificates
    ("ALTER DATABASE {a} SET TRUSTWORTHY ON", "GRANT SEND ON SERVICE::[{b}] TO lo", True),
    ("ALTER DATABASE {a} SET TRUSTWORTHY ON", "", False),
    ("", "GRANT SEND ON SERVICE::[{b}] TO lo", False),
    ("", "GRANT SEND ON SERVICE::[{b}] TO public", True),
    ("ALTER DATABASE {a} SET TRUSTWORTHY ON", "GRANT SEND ON SERVICE::[{b}] TO public; DENY SEND ON SERVICE::[{b}] TO lo", False),
)  # fmt: skip


@pytest.mark.spec("BINDING-15", "BINDING-16")
@pytest.mark.parametrize("way", WAYS)
def test_a_binding_whose_certificates_lack_something_shuts_no_other_way_in(
    tmp_path: Path, way: tuple[str, str, bool]
) -> None:
    """The login of the owner has a user there. DENY CONNECT for whom the certificates show stays."""
    with Network(1, folder=tmp_path) as network:
        world = World(network, has_endpoint=False)
        world.machine.execute("CREATE LOGIN lo WITH PASSWORD = 'x-1'")
        for place, anonymous in ((2, "OFF"), (3, "ON")):
            for case in CASES:
                if case[place] in (CAME, REFUSED):
                    continue
                a, b = world.pair(anonymous, "FOR LOGIN lo")
                world.machine.execute("CREATE USER lo FOR LOGIN lo", b)
                names = {"a": a, "b": b}
                world.machine.execute(case[1].replace("{service}", names[case[0]]), names[case[0]])
                for text, name in zip(way[:2], (a, b), strict=True):
                    world.machine.execute(text.format(a=a, b=b), name)
                said = world.outcome(a, b, "OFF")
                comes = way[2] and case[place] != NO_WAY_IN
                assert (CAME if comes else str(case[place])) in said, (case, anonymous, way, said)


@pytest.mark.spec("BINDING-12")
def test_endpoints_name_the_users_whose_certificates_count(tmp_path: Path) -> None:
    with Network(1, folder=tmp_path) as network:
        world = World(network, has_endpoint=False)
        one, other = world.pair("OFF")
        world.send(one, other)
        names = "SELECT USER_NAME(principal_id), USER_NAME(far_principal_id) FROM sys.conversation_endpoints"
        assert world.machine.execute(names, one) == [[("owner_a", "b")]]
        assert world.machine.execute(names, other) == [[("owner_b", "a")]]
