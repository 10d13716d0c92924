"""Who is let in between machines: of one domain or another, with the short keys of old scripts,
with certificates of another time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from sbql.engine.broker.trace import TraceEvent
from sbql.engine.network.credentials import Domain
from sbql.engine.outcomes import InfoMessage
from sbql.engine.security import cryptography as crypto
from sbql.engine.simulated_network import Machine, Network

SHOP = """CREATE DATABASE shop
GO
USE shop
CREATE QUEUE desk; CREATE SERVICE [//{me}] ON QUEUE desk ([DEFAULT]); GRANT SEND ON SERVICE::[//{me}] TO public
CREATE ROUTE there WITH SERVICE_NAME = '//{you}', ADDRESS = 'TCP://{you}:4022'
GO
USE master
"""
ENDPOINT = (
    "CREATE ENDPOINT broker STATE = STARTED AS TCP (LISTENER_PORT = 4022) FOR SERVICE_BROKER (AUTHENTICATION = {how})"
)
BEGIN = """DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE [//A] TO SERVICE '//B' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h ('first')"""
PARTNER = """CREATE LOGIN {you} WITH PASSWORD = 'Strong1!'; CREATE USER {you} FOR LOGIN {you}
CREATE CERTIFICATE theirs AUTHORIZATION {you} FROM FILE = '{folder}/{you}.cer'
GRANT CONNECT ON ENDPOINT::broker TO {you}"""
IN_2008 = datetime(2008, 6, 1, tzinfo=UTC).timestamp()


def has_arrived(machine: Machine) -> bool:
    return machine.execute("SELECT COUNT(*) FROM desk", "shop") == [[(1,)]]


def pair(network: Network, how: str, **whose: tuple[str, str]) -> tuple[Machine, Machine]:
    """`whose`: domain and account of a machine."""
    a, b = (network.add(name, domain=domain, account=account) for name, (domain, account) in whose.items())
    for machine, you in ((a, "B"), (b, "A")):
        machine.execute(SHOP.format(me=machine.name, you=you))
        machine.execute(ENDPOINT.format(how=how))
    return a, b


class Login:
    """A begins a dialog with B; what both sides see of it."""

    def __init__(
        self, network: Network, how: str, *, a: tuple[str, str], b: tuple[str, str], at_a: str = "", at_b: str = ""
    ) -> None:
        self.network = network
        self.a, self.b = pair(network, how, A=a, B=b)
        self.events: list[str] = []
        assert self.b.instance is not None
        self.b.instance.trace(self.note, "Audit Broker Login")
        self.a.execute(at_a)
        self.b.execute(at_b)
        self.a.execute(BEGIN, "shop")
        network.advance(10)

    def note(self, event: TraceEvent) -> None:
        self.events.append(event.subclass)

    def who(self, machine: Machine) -> list[tuple[object, ...]]:
        """Of the connections that are online."""
        query = """SELECT DISTINCT principal_name, remote_user_name, authentication_method, peer_certificate_id FROM sys.dm_broker_connections
            WHERE login_state_desc = 'ONLINE'"""
        return machine.execute(query)[0]

    def status(self) -> str:
        rows = self.a.execute("SELECT transmission_status FROM sys.transmission_queue", "shop")[0]
        return str(rows[0][0]) if rows else ""

    def logged(self, machine: Machine, number: int, text: str) -> bool:
        assert machine.instance is not None
        return any(record.number == number and text in record.text for record in machine.instance.error_log)


SERVICE, KIM = ("CORP", "service"), ("CORP", "kim")


@pytest.mark.spec("WIRE-15")
@pytest.mark.parametrize("other", [SERVICE, ("corp", "Service")])
def test_instances_of_one_account_let_each_other_in(other: tuple[str, str]) -> None:
    with Network(1) as network:
        login = Login(network, "WINDOWS", a=SERVICE, b=SERVICE)
        assert has_arrived(login.b) and login.status() == ""
        assert set(login.events) == {"Login Success"}
        (row,) = login.who(login.b)
        assert row == ("CORP\\service", "CORP\\service", "NEGOTIATE", None)


@pytest.mark.spec("WIRE-15")
def test_another_domain_is_refused_whatever_the_account_is_called() -> None:
    """The name of the account is the same, the secret is not."""
    with Network(1) as network:
        a, b = pair(network, "WINDOWS", A=SERVICE, B=SERVICE)
        a._domain = Domain("CORP\\service", lambda: b"the secret of another CORP")
        a.close()
        a.open()
        a.execute(SHOP.format(me="A", you="B"))
        a.execute(ENDPOINT.format(how="WINDOWS"))
        b.execute("CREATE LOGIN [CORP\\service] FROM WINDOWS; ALTER SERVER ROLE sysadmin ADD MEMBER [CORP\\service]")
        a.execute(BEGIN, "shop")
        network.advance(10)
        assert not has_arrived(b)
        status = a.execute("SELECT transmission_status FROM sys.transmission_queue", "shop")[0]
        assert "the secret of the domain is another one" in status[0][0]


KNOWS_SERVICE = "CREATE LOGIN [CORP\\service] FROM WINDOWS; GRANT CONNECT ON ENDPOINT::broker TO [CORP\\service]"
NO_LOGIN = ""
LOGIN = "CREATE LOGIN [corp\\Kim] FROM WINDOWS;"
GRANT = LOGIN + "GRANT CONNECT ON ENDPOINT::broker TO [CORP\\kim]"
CASES = {
    "no login": (NO_LOGIN, False),
    "a login": (LOGIN, False),
    "CONNECT": (GRANT, True),
    "CONTROL": (LOGIN + "GRANT CONTROL ON ENDPOINT::broker TO [CORP\\kim]", True),
    "sysadmin": (LOGIN + "ALTER SERVER ROLE sysadmin ADD MEMBER [CORP\\kim]", True),
    "owner of the endpoint": (LOGIN + "ALTER AUTHORIZATION ON ENDPOINT::broker TO [CORP\\kim]", True),
    "denied": (GRANT + "; DENY CONNECT ON ENDPOINT::broker TO [CORP\\kim]", False),
    "denied to all": (GRANT + "; DENY CONNECT ON ENDPOINT::broker TO public", False),
    "disabled": (GRANT + "; ALTER LOGIN [CORP\\kim] DISABLE", False),
    "dropped": (GRANT + "; DROP LOGIN [CORP\\kim]", False),
    "public": ("GRANT CONNECT ON ENDPOINT::broker TO public", True),
    "public, denied": (LOGIN + "GRANT CONNECT ON ENDPOINT::broker TO public; DENY CONNECT ON ENDPOINT::broker TO [CORP\\kim]", False),
}  # fmt: skip


@pytest.mark.spec("WIRE-16", "ENDPOINT-19")
@pytest.mark.parametrize("name", list(CASES))
def test_another_account_needs_connect(name: str) -> None:
    """The login of the account is asked, as that of a certificate's owner is; by either side of the other."""
    at_b, is_let_in = CASES[name]
    with Network(1) as network:
        login = Login(network, "WINDOWS", a=KIM, b=SERVICE, at_a=KNOWS_SERVICE, at_b=at_b)
        assert has_arrived(login.b) == is_let_in
        if is_let_in:
            assert "Login Success" in login.events
            assert ("CORP\\kim", "CORP\\kim", "NEGOTIATE", None) in login.who(login.b)
        else:
            assert "Authorization Failure" in login.events and "Login Success" not in login.events
            assert "CORP\\kim" in login.status() and "CONNECT" in login.status()
            assert login.logged(login.a, 28047, "CORP\\kim") and login.logged(login.b, 28048, "user 'CORP\\kim.'")
            assert login.who(login.b) == []


@pytest.mark.spec("WIRE-16")
def test_who_connects_asks_who_answers_just_so() -> None:
    with Network(1) as network:
        login = Login(network, "WINDOWS", a=KIM, b=SERVICE, at_b=GRANT)
        accounts = [
            machine.execute("SELECT service_account FROM sys.dm_server_services") for machine in (login.a, login.b)
        ]
        assert accounts == [[[("CORP\\kim",)]], [[("CORP\\service",)]]]
        assert not has_arrived(login.b)
        assert "CORP\\service" in login.status() and login.logged(login.a, 28048, "CORP\\service")
        login.a.execute(KNOWS_SERVICE)
        network.advance(100)
        assert has_arrived(login.b)


@pytest.mark.spec("WIRE-15")
@pytest.mark.parametrize(
    ("at_b", "is_let_in"),
    [
        ("CREATE LOGIN [CORP\\service] FROM WINDOWS", True),
        ("CREATE LOGIN [CORP\\service] FROM WINDOWS; ALTER LOGIN [CORP\\service] DISABLE", False),
    ],
)
def test_the_own_account_needs_no_right_unless_it_is_disabled(at_b: str, is_let_in: bool) -> None:
    with Network(1) as network:
        assert has_arrived(Login(network, "WINDOWS", a=SERVICE, b=SERVICE, at_b=at_b).b) == is_let_in


@pytest.mark.spec("WIRE-16")
@pytest.mark.parametrize("name", ["sa", "sysadmin", "public", "##MS_PolicyTsqlExecutionLogin##"])
def test_nobody_is_a_principal_that_is_no_windows_login(name: str) -> None:
    """Who is in the domain may say any account, but only those of Windows are looked for."""
    with Network(1) as network:
        a, b = pair(network, "WINDOWS", A=SERVICE, B=SERVICE)
        a._domain = Domain(name, a._domain.secret)
        a.close()
        a.open()
        a.execute(SHOP.format(me="A", you="B"))
        a.execute(ENDPOINT.format(how="WINDOWS"))
        a.execute(BEGIN, "shop")
        network.advance(10)
        assert not has_arrived(b)


def test_keys_of_1024_bits_are_used_with_a_warning(tmp_path: Path) -> None:
    """As scripts of the time have them; the error log has the warning, too."""
    with Network(1) as network:
        a, b = (network.add(name) for name in "AB")
        for machine in (a, b):
            private = crypto.new_private_key(1024)
            der = crypto.new_certificate(private, machine.name, network.now - 1e6, network.now + 1e8, b"\2" * 16)
            (tmp_path / f"{machine.name}.cer").write_bytes(der)
            (tmp_path / f"{machine.name}.pvk").write_bytes(crypto.private_key_file(private, "Strong1!"))
        for machine, you in ((a, "B"), (b, "A")):
            machine.execute(SHOP.format(me=machine.name, you=you))
            file = tmp_path / machine.name
            machine.execute(
                f"""CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'
                CREATE CERTIFICATE mine FROM FILE = '{file}.cer' WITH PRIVATE KEY (FILE = '{file}.pvk', DECRYPTION BY PASSWORD = 'Strong1!')"""
            )
            said = machine.connect().run(ENDPOINT.format(how="CERTIFICATE mine"))
            assert any(isinstance(outcome, InfoMessage) and "a key of 1024 bits" in outcome.text for outcome in said)
            assert machine.instance is not None
            assert any("a key of 1024 bits" in record.text for record in machine.instance.error_log)
            machine.execute(PARTNER.format(you=you, folder=tmp_path))
        a.execute(BEGIN, "shop")
        network.deliver()
        assert has_arrived(b)


@pytest.mark.spec("WIRE-13")
@pytest.mark.parametrize(("years_later", "is_let_in"), [(0, True), (18, False)])
def test_certificates_of_2008_are_good_in_2008(tmp_path: Path, years_later: int, is_let_in: bool) -> None:
    """The script is the same; the network begins when it was written, or goes on today."""
    with Network(1, start=IN_2008) as network:
        a, b = (network.add(name) for name in "AB")
        for machine, you in ((a, "B"), (b, "A")):
            machine.execute(SHOP.format(me=machine.name, you=you))
            machine.execute(
                f"""CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Strong1!'
                CREATE CERTIFICATE mine WITH SUBJECT = '{machine.name}', START_DATE = '01/01/2008', EXPIRY_DATE = '12/31/2008'
                BACKUP CERTIFICATE mine TO FILE = '{tmp_path}/{machine.name}.cer'"""
            )
            machine.execute(ENDPOINT.format(how="CERTIFICATE mine"))
        for machine, you in ((a, "B"), (b, "A")):
            machine.execute(PARTNER.format(you=you, folder=tmp_path))
        network.advance(years_later * 365 * 86400.0)
        a.execute(BEGIN, "shop")
        network.advance(10)
        assert has_arrived(b) == is_let_in
        status = a.execute("SELECT transmission_status FROM sys.transmission_queue", "shop")[0]
        assert status == [] if is_let_in else "not valid at this time" in status[0][0]
