"""The domain of a process: which account it runs as, and the secret in its file."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from pathlib import Path

import pytest
from login_pair import Pair

from sbql.catalog.records import InstanceEndpoint
from sbql.engine.host import VirtualHost
from sbql.engine.instance import Instance
from sbql.engine.network.credentials import EndpointCredentials
from sbql.engine.server.domain import domain_of_process

HOST = VirtualHost(1)
ENDPOINT = InstanceEndpoint(
    id=1, database_id=0, name="broker", authentication="WINDOWS", encryption="DISABLED", principal_id=1
)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SBQL_DOMAIN", str(tmp_path / "folder" / "Corp.key"))
    monkeypatch.delenv("SBQL_ACCOUNT", raising=False)
    return tmp_path / "folder" / "Corp.key"


@pytest.mark.parametrize(("said", "account"), [("trader", r"CORP\trader"), (r"Shop\trader", r"Shop\trader")])
def test_the_account_is_what_is_said(monkeypatch: pytest.MonkeyPatch, said: str, account: str) -> None:
    monkeypatch.setenv("SBQL_ACCOUNT", said)
    assert domain_of_process(HOST).account == account


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="users have numbers on POSIX only")
@pytest.mark.parametrize("empty", [True, False])
def test_else_it_is_the_user_whatever_the_environment_says(monkeypatch: pytest.MonkeyPatch, *, empty: bool) -> None:
    if empty:
        monkeypatch.setenv("SBQL_ACCOUNT", "")
    import pwd

    for name in ("LOGNAME", "USER", "USERNAME"):
        monkeypatch.setenv(name, "somebody")
    assert domain_of_process(HOST).account == f"CORP\\{pwd.getpwuid(os.getuid()).pw_name}"
    monkeypatch.setattr(os, "getuid", lambda: 4_000_000_001)  # of a container, without a name
    assert domain_of_process(HOST).account == r"CORP\4000000001"


def test_the_secret_is_made_once_and_only_its_owner_can_read_it(file: Path) -> None:
    domain = domain_of_process(HOST)
    assert not file.parent.exists()
    secret = domain.secret()
    assert len(secret) == 32 and secret == domain_of_process(HOST).secret() == file.read_bytes()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(file.parent.iterdir()) == [file]


def login(file: Path) -> Pair:
    """Of two instances of this process."""
    instance = Instance.open(None, clock="virtual")
    with closing(instance):
        domains = (domain_of_process(HOST), domain_of_process(HOST))
        pair = Pair(*(EndpointCredentials(ENDPOINT, lambda: instance.catalog, HOST.now, domain) for domain in domains))
        pair.carry()
    return pair


def test_two_instances_of_one_user_let_each_other_in_without_more(file: Path) -> None:
    pair = login(file)
    assert pair.states() == ("ONLINE", "ONLINE")
    assert pair.initiator.who.principal == pair.acceptor.who.principal == domain_of_process(HOST).account


@pytest.mark.parametrize("what", ["short", "empty", "folder"])
def test_without_a_good_secret_there_is_no_login(file: Path, what: str) -> None:
    file.parent.mkdir()
    if what == "folder":
        file.mkdir()
    else:
        file.write_bytes(b"x" * 15 if what == "short" else b"")
    pair = login(file)
    assert pair.states() == ("CLOSED", "CLOSED")
    closed = pair.closed(pair.initiator)
    assert closed.number == 9751 and str(file) not in closed.text
