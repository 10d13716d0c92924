"""Each argument of `connect` with each way in: what the way has no use for is
refused by name, and never passed over."""

from __future__ import annotations

import inspect
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql.arguments import WAYS

ARGUMENTS: dict[str, Any] = {
    "login": "sa", "admin": True, "clock": "virtual", "seed": 7, "start": datetime(2026, 1, 1), "addresses": {"a:1": "b:2"}, "token": "abc",
    "certificate": "no.pem", "user": "sa", "password": "x", "encryption": "strict", "trust_server_certificate": True,
}  # fmt: skip
WHERE: dict[str, dict[str, Any]] = {
    "memory": {}, "store": {"store": "x.duckdb"}, "endpoint": {"endpoint": "grpc+tls://127.0.0.1:1"}, "server": {"server": "127.0.0.1,1", "user": "a", "password": "b"},
    "instance": {},
}  # fmt: skip
REFUSED = [(way, name) for way in WHERE for name in ARGUMENTS if name not in WAYS["store" if way == "memory" else way]]


def test_every_argument_is_in_the_table_or_goes_with_every_way() -> None:
    parameters = set(inspect.signature(sbql.connect).parameters)
    assert parameters - set(WAYS) - {"database", "autocommit"} == set(ARGUMENTS) == set().union(*WAYS.values())


def test_the_manual_says_the_same() -> None:
    """The second column of the table in docs/python.md."""
    manual = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", manual.partition("## connect")[2].partition("\n## ")[0], re.M))
    said = {name: set(re.findall(r"`(\w+)`", ways)) for name, ways in rows.items()}
    assert {name: said[name] for name in ARGUMENTS} == {
        name: {way for way, arguments in WAYS.items() if name in arguments} for name in ARGUMENTS
    }


@pytest.mark.parametrize(("way", "name"), REFUSED)
def test_what_a_way_has_no_use_for_is_refused(way: str, name: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    with sbql.connect() as other:
        where = {"instance": other.instance} if way == "instance" else WHERE[way]
        with pytest.raises(sbql.InterfaceError) as raised:
            sbql.connect(**where, **{name: ARGUMENTS[name]})
        assert name in str(raised.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"start": datetime(2026, 1, 1)}, "start means something with clock='virtual' only"),
        ({"seed": 7}, "seed means something with clock='virtual' only"),
        ({"clock": "virtual", "addresses": {"a:1": "b:2"}}, "addresses means something with clock='system' only"),
        ({"encryption": "nonsense"}, "encryption is one of optional, mandatory, strict, not 'nonsense'"),
        ({"server": "127.0.0.1,1", "user": "a", "password": "b", "encryption": "nonsense"}, "encryption is one of"),
        ({"encryption": ["strict"]}, "encryption is one of"),
        ({"endpoint": "grpc://127.0.0.1:1", "certificate": "no.pem"}, "certificate goes with grpc\\+tls://"),
    ],
)  # fmt: skip
def test_what_means_nothing_is_refused(given: dict[str, Any], text: str) -> None:
    with pytest.raises(sbql.InterfaceError, match=text):
        sbql.connect(**given)


def test_what_belongs_to_a_way_is_taken() -> None:
    with sbql.connect(clock="virtual", seed=7, start=datetime(2026, 3, 1), login="sa", admin=True) as first:
        assert first.execute("SELECT YEAR(GETDATE()), MONTH(GETDATE())").fetchone() == (2026, 3)
        with sbql.connect(instance=first.instance, login="sa", autocommit=False, database="tempdb") as second:
            assert second.execute("SELECT DB_NAME()").fetchone() == ("tempdb",)
    with sbql.connect(addresses={"Trader:4022": "127.0.0.1:40221"}):
        pass
