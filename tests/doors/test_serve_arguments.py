"""`sbql.serve` and `sbql serve`: of each two arguments is known whether they go together, and what means nothing
beside the others is refused by name."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving import server

import sbql
from sbql import instances, serving
from sbql.repl.options import UsageError
from sbql.repl.serve import GOES_WITH, check_options, serve_parser

ARGUMENTS: dict[str, Any] = {
    "store": "x.duckdb", "connection": None, "virtual connection": None, "host": "localhost", "port": 4022, "tokens": {"token-0123456789": "sa"},
    "virtual": "virtual", "auto": "auto", "seed": 7, "listen": "127.0.0.1:0", "sa_password": "Secret-1234", "addresses": {"a:1": "b:2"},
}  # fmt: skip
STORES, CLOCKS = ("store", "connection", "virtual connection"), ("virtual", "auto")
NEEDS = {"seed": ("virtual", "auto"), "sa_password": ("listen",)}
NOT_BESIDE = {
    "connection": {"virtual", "auto", "seed", "addresses"},
    "virtual connection": {"virtual", "seed", "addresses"},
    "addresses": {"virtual", "auto"},
}


def refused(names: tuple[str, ...]) -> bool:
    """What the test expects, of the names of `ARGUMENTS`."""
    lacks = any(name in names and not set(others) & set(names) for name, others in NEEDS.items())
    return lacks or any(set(names) & others for name, others in NOT_BESIDE.items() if name in names)


COMBINATIONS = [
    names
    for count in (1, 2, 3)
    for names in itertools.combinations(ARGUMENTS, count)
    if sum(name in STORES for name in names) < 2 and sum(name in CLOCKS for name in names) < 2
]


class Taken(Exception):
    """The arguments were."""


@pytest.fixture
def nothing_opens(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def taken(*arguments: Any, **settings: Any) -> None:
        raise Taken

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(serving.instances, "acquire", taken)
    monkeypatch.setattr(serving.instances, "adopt", taken)


@pytest.fixture(scope="module")
def connections() -> Iterator[dict[str, sbql.Connection]]:
    with sbql.connect() as plain, sbql.connect(clock="virtual") as virtual:
        yield {"connection": plain, "virtual connection": virtual}


def test_every_argument_is_tried_and_in_the_table() -> None:
    parameters = set(inspect.signature(sbql.serve).parameters)
    assert parameters == (set(ARGUMENTS) - {*CLOCKS, "connection", "virtual connection"}) | {"clock"}
    assert set().union(*serving.SERVED.values()) == parameters - {"store", "host", "port", "tokens", "listen"}


@pytest.mark.parametrize("names", COMBINATIONS, ids=" ".join)
@pytest.mark.usefixtures("nothing_opens")
def test_up_to_three_arguments(names: tuple[str, ...], connections: dict[str, sbql.Connection]) -> None:
    values = {**ARGUMENTS, **connections}
    given = {"clock" if name in CLOCKS else "store" if name in STORES else name: values[name] for name in names}
    if not refused(names):
        with pytest.raises(Taken):
            sbql.serve(**given)
        return
    with pytest.raises(sbql.InterfaceError) as raised:
        sbql.serve(**given)
    assert any(word.split("=")[0] in given for word in str(raised.value).split())


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"clock": "sundial"}, "clock is 'system', 'virtual' or 'auto', not 'sundial'"),
        ({"clock": ["auto"]}, "clock is 'system', 'virtual' or 'auto'"),
        ({"host": "0.0.0.0"}, "tokens must not travel openly"),
        ({"host": None}, "host is text, not None"),
        ({"port": 65536}, "port is a number from 0 to 65535, not 65536"),
        ({"port": True}, "port is a number"),
        ({"port": "4022"}, "port is a number from 0 to 65535, not '4022'"),
        ({"clock": "virtual", "seed": "7"}, "seed is a whole number, not '7'"),
        ({"tokens": ["abc"]}, "tokens is a mapping of tokens to logins"),
        ({"tokens": {"abc": 1}}, "tokens is a mapping of tokens to logins"),
        ({"listen": "127.0.0.1:x"}, "listen: '127.0.0.1:x' is no address"),
        ({"listen": 1433}, "listen is text, not an int"),
        ({"listen": "127.0.0.1:0", "sa_password": b"Secret-1234"}, "sa_password is text, not a bytes"),
        ({"store": 7}, "store is the name of a file, or None for memory, not an int"),
        ({"store": ":memory:"}, "a store in memory has no name"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("nothing_opens")
def test_what_is_no_value(given: dict[str, Any], text: str) -> None:
    with pytest.raises(sbql.InterfaceError, match=text):
        sbql.serve(**given)


def test_a_password_that_is_too_short_leaves_the_store_closed(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    with pytest.raises(sbql.OperationalError, match="8 characters"):
        sbql.serve(path, listen="127.0.0.1:0", sa_password="short")
    assert not any(entry.file == instances.identity(path) for entry in instances._shared)
    with sbql.connect(path, clock="virtual"):  # which it is not open with
        pass


# --- the command ---------------------------------------------------------------------------------------------

OPTIONS: dict[str, list[str]] = {
    "--store": ["x.duckdb"], "--clock virtual": [], "--clock auto": [], "--host": ["localhost"], "--host far": [], "--port": ["4022"],
    "--listen": ["127.0.0.1:1433"], "--sa-password-file": ["sa"], "--max-connections": ["5"], "--force-encryption": [], "--tls": [],
    "--certificate": ["c.pem"], "--key": ["k.pem"], "--tokens": ["t"], "--grace": ["3"], "--map": ["a:1=b:2"], "--pid-file": ["p"],
    "--errorlog": ["e"], "--log-format": ["json"],
}  # fmt: skip
OPTIONS_NEED = {
    "--sa-password-file": ("--listen",), "--max-connections": ("--listen",), "--force-encryption": ("--listen",), "--certificate": ("--key",),
    "--key": ("--certificate",), "--host far": ("--tls", "--certificate"),
}  # fmt: skip
OPTIONS_NOT_BESIDE = {"--map": {"--clock virtual", "--clock auto"}, "--tls": {"--certificate"}}


def test_every_option_is_tried() -> None:
    known = {action.option_strings[-1] for action in serve_parser()._actions} - {"--help"}
    assert {option.split()[0] for option in OPTIONS} == known
    assert set(GOES_WITH) < known


OPTION_SETS = [
    names
    for count in (1, 2, 3)
    for names in itertools.combinations(OPTIONS, count)
    if len({name.split()[0] for name in names}) == count
]


@pytest.mark.parametrize("names", OPTION_SETS, ids=" ".join)
def test_up_to_three_options(names: tuple[str, ...]) -> None:
    lacks = any(name in names and not set(others) & set(names) for name, others in OPTIONS_NEED.items())
    clash = any(set(names) & others for name, others in OPTIONS_NOT_BESIDE.items() if name in names)
    words = [word for name in names for word in (*name.replace("far", "example.org").split(), *OPTIONS[name])]
    options = serve_parser().parse_args(words)
    if not lacks and not clash:
        check_options(options)
        return
    with pytest.raises(UsageError) as raised:
        check_options(options)
    assert any(name.split()[0] in str(raised.value) for name in names) or "example.org" in str(raised.value)


def test_with_clock_auto_time_moves_on_when_all_wait() -> None:
    with server("--clock", "auto") as process:
        with sbql.connect(endpoint=process.url, token=process.token()) as connection:
            connection.execute("WAITFOR DELAY '05:00:00'")
        assert process.terminate()[0] == 0
