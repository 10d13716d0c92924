"""Who is let in between machines: of one domain or another, with the short keys of old scripts, with certificates of another time."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

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


def pair(network: Network, how: str, **domains: str) -> tuple[Machine, Machine]:
    a, b = (network.add(name, domain=domains.get(name, "")) for name in "AB")
    for machine, you in ((a, "B"), (b, "A")):
        machine.execute(SHOP.format(me=machine.name, you=you))
        machine.execute(ENDPOINT.format(how=how))
    return a, b


@pytest.mark.parametrize(("domain", "is_let_in"), [("one", True), ("another", False)])
def test_windows_is_for_machines_of_one_domain(domain: str, is_let_in: bool) -> None:
    with Network(1) as network:
        a, b = pair(network, "WINDOWS", A="one", B=domain)
        events: list[str] = []
        assert b.instance is not None
        b.instance.trace(lambda event: events.append(event.subclass), "Audit Broker Login")
        a.execute(BEGIN, "shop")
        network.advance(10)
        assert has_arrived(b) == is_let_in
        assert set(events) == {"Login Success" if is_let_in else "Authentication Failure"}
        rows = a.execute("SELECT principal_name FROM sys.dm_broker_connections WHERE login_state_desc = 'ONLINE'")[0]
        assert set(rows) == ({("sa",)} if is_let_in else set())
        status = a.execute("SELECT transmission_status FROM sys.transmission_queue", "shop")[0]
        assert status == [] if is_let_in else "the secret of the domain is another one" in status[0][0]


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
