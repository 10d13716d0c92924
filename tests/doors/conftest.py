"""The suites of the driver and of the command line run on a store in the process, and again through a server. A usual
run takes every fourth of the second kind, `make doors` all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from prompt_toolkit.application import create_app_session
from serving import SA_PASSWORD, address_of_tds, in_session
from tds_wire import PASSWORD, WireClient

import sbql
from sbql.engine.server.owner import Server

STRIDE = 4


@pytest.fixture(autouse=True)
def terminal_of_its_own() -> Iterator[None]:
    """prompt_toolkit keeps the first standard output that it meets, here that of an earlier test, which is closed: a
    line that comes while a prompt waits would go there."""
    with create_app_session():
        yield


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    """A server with a door of TDS; databases of a test module stay to its end."""
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        in_session(server, "CREATE DATABASE trade")
        yield server


@pytest.fixture(scope="module", params=["here", "served", "served-tds"])
def connect(request: pytest.FixtureRequest) -> Iterator[Callable[..., sbql.Connection]]:
    """Connects to one instance for the whole module: in this process, and through a server's doors."""
    if request.param == "here":
        with sbql.connect() as first:
            yield lambda **settings: sbql.connect(instance=first.instance, **settings)
        return
    pytest.importorskip("pyarrow", reason="a server needs pyarrow")
    with sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD) as owner:
        if request.param == "served":
            where = {"endpoint": owner.endpoint.url, "token": owner.endpoint.token}
        else:
            where = {"server": address_of_tds(owner), "user": "sa", "password": SA_PASSWORD}
        yield lambda **settings: sbql.connect(**where, **settings)


@pytest.fixture
def port(served: Server) -> int:
    return served.endpoints[1].port


@pytest.fixture
def client(port: int) -> Iterator[WireClient]:
    """Somebody who speaks TDS with it, as sa."""
    with WireClient(port, password=PASSWORD) as found:
        yield found


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if os.environ.get("DOORS") == "all" or any("::" in argument for argument in config.args):
        return
    served = [item for item in items if "[served" in item.nodeid]
    left_out = {item for number, item in enumerate(served) if number % STRIDE}
    items[:] = [item for item in items if item not in left_out]
    config.hook.pytest_deselected(items=list(left_out))
