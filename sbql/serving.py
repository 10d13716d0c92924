"""`serve`: this process becomes the owner of a store that others reach, as a context manager.

It decides what may be served (a store by name, one in memory, the instance of a connection), which arguments go
together, and which doors there are. It must not know how a door works.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Literal

from sbql import exceptions, instances
from sbql.arguments import check_store, kind_of
from sbql.dbapi import Connection
from sbql.engine.instance import Instance
from sbql.engine.network.address_map import AddressMap
from sbql.engine.server.doors import OWN_ADDRESSES, Host, Keys
from sbql.engine.server.elsewhere import InstanceElsewhere
from sbql.engine.server.flight_door import FlightDoor
from sbql.engine.server.owner import Server
from sbql.engine.server.remote_instance import RemoteInstance
from sbql.engine.server.tds_setup import address_of, give_sa_password, tds_door
from sbql.exceptions import InterfaceError, errors_of_opening
from sbql.grammar.version import __version__

__all__ = ["SERVED", "Server", "serve"]

SERVED: dict[str, frozenset[str]] = {
    "store": frozenset({"clock", "seed", "addresses"}),
    "connection": frozenset({"clock"}),
    "listen": frozenset({"sa_password"}),
}
"""What `serve` is given, and the arguments that go with it; `host`, `port`, `tokens` and `listen` go with a store
and a connection alike. A store without a name is in memory. The clock of a connection is there already: 'auto'
alone says something of a virtual one."""
_USUAL: dict[str, object] = {"host": "127.0.0.1", "port": 0, "seed": 0, "tokens": {}}


def serve(
    store: str | os.PathLike[str] | Connection | Instance | None = None,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    tokens: Mapping[str, str] | None = None,
    clock: Literal["system", "virtual", "auto"] = "system",
    seed: int = 0,
    listen: str | None = None,
    sa_password: str | None = None,
    addresses: Mapping[str, str] | None = None,
) -> Server:
    """Serve a store to other processes: they reach it by the same `sbql.connect(path)`, or by `Server.endpoint`.

    Args:
        store: a DuckDB file, None for one in memory, or a connection (or its `instance`), whose store stays open
            at least as long as it is served.
        host: the address to listen on.
        port: the port to listen on; 0 is one that is free.
        tokens: tokens for other clients, each with the login that it means. The one in the endpoint file means sa.
        clock: as for `connect`; "auto" is a virtual clock that moves by itself when everybody waits.
        seed: as for `connect`.
        listen: "host:port" where SQL Server's clients are let in, too, as logins with passwords. Port 0 is one
            that is free, `Server.endpoints[1]` says which.
        sa_password: the password that sa gets for them. Without one a password is made, unless sa has one already:
            `Server.sa_password`.
        addresses: as for `connect`.

    Returns a Server that listens: use it as a context manager, or call its `stop`.

    Raises:
        InterfaceError: for what is no value of an argument, and for one that means nothing beside the others
            (docs/server.md has them all); before anything is opened.
        OperationalError: for a store that cannot be opened or that another process serves, a port that is taken,
            a password of fewer than 8 characters (15116).
    """
    given = store.instance if isinstance(store, Connection) else store
    connection = given if isinstance(given, Instance | InstanceElsewhere) else None
    path = None if isinstance(given, Instance | InstanceElsewhere) else given
    asked = {**locals(), "store": path}
    defaults: dict[str, object] = {"store": None, "connection": None, **(serve.__kwdefaults__ or {})}
    check_serve({name: asked[name] for name, default in defaults.items() if asked[name] != default})
    with errors_of_opening():
        if connection is None:
            kind: instances.Clock = "system" if clock == "system" else "virtual"
            instance = instances.acquire(path, kind, seed, addresses=AddressMap(addresses))
        else:
            instances.adopt(connection)
            instance = connection
        try:
            server = _server_of(instance, host, port, tokens or {}, listen, sa_password, moves_clock=clock == "auto")
        except BaseException:
            instances.release(instance)
            raise
        server.open()
    return server


def _server_of(
    instance: instances.AnyInstance, host: str, port: int, tokens: Mapping[str, str], listen: str | None, sa_password: str | None, *, moves_clock: bool
) -> Server:  # fmt: skip
    """A server that does not listen yet. Raises OperationalError for an instance of another process, SqlError 15116
    for a password that is too short."""
    if not isinstance(instance, Instance):
        where = instance.client.endpoint.url if isinstance(instance, RemoteInstance) else instance.name
        raise exceptions.OperationalError(f"another process serves the store already, at {where}")
    made = None if listen is None else give_sa_password(instance, sa_password)
    others = [] if listen is None else [tds_door(address_of(listen), None, name=instance.name)]

    def door(server: Host) -> FlightDoor:
        return FlightDoor(server, host, port)

    server = Server(
        instance,
        [door, *others],
        Keys(dict(tokens)),
        pid=os.getpid(),
        version=__version__,
        closing=partial(instances.release, instance),
        moves_clock=moves_clock,
    )
    server.sa_password = sa_password or made
    return server


def check_serve(given: Mapping[str, object]) -> None:
    """`given`: the arguments of `serve` that are not as they are when left out; `connection` stands for a store that is
    a connection or an instance. Raises InterfaceError for what is no value of an argument, and for an argument that
    means nothing beside the others."""
    check_store(given.get("store"))
    for name in SERVED["store"] - SERVED["connection"]:
        if name in given and "connection" in given:
            raise InterfaceError(f"{name} goes with a store that is opened here; a connection has no use for it")
    if "sa_password" in given and "listen" not in given:
        raise InterfaceError("sa_password goes with listen, which lets SQL Server's clients in")
    clock = given.get("clock", "system")
    if clock not in ("system", "virtual", "auto"):
        raise InterfaceError(f"clock is 'system', 'virtual' or 'auto', not {clock!r}")
    if "connection" in given and (
        clock == "virtual" or (clock == "auto" and not _has_virtual_clock(given["connection"]))
    ):
        raise InterfaceError(f"clock={clock!r} does not go with this connection, which has a clock of its own")
    if "seed" in given and clock == "system":
        raise InterfaceError("seed means something with clock='virtual' or 'auto' only")
    if "addresses" in given and clock != "system":
        raise InterfaceError("addresses means something with clock='system' only")
    _check_doors(given)


def _check_doors(given: Mapping[str, object]) -> None:
    """Where `serve` listens, and for whom. Raises InterfaceError."""
    for name in ("host", "listen", "sa_password"):
        if not isinstance(given.get(name, ""), str):
            raise InterfaceError(f"{name} is text, not {kind_of(given[name])}")
    host, port, seed, tokens = (given.get(name, usual) for name, usual in _USUAL.items())
    if host not in OWN_ADDRESSES:
        raise InterfaceError(
            f"host {host!r} is reached from other machines, and tokens must not travel openly: `sbql serve --tls` encrypts"
        )
    if not isinstance(port, int) or isinstance(port, bool) or not 0 <= port < 65536:
        raise InterfaceError(f"port is a number from 0 to 65535, not {port!r}")
    if not isinstance(seed, int):
        raise InterfaceError(f"seed is a whole number, not {seed!r}")
    if not isinstance(tokens, Mapping) or not all(isinstance(text, str) for pair in tokens.items() for text in pair):
        raise InterfaceError("tokens is a mapping of tokens to logins, both text")
    if "listen" in given:
        try:
            address_of(str(given["listen"]))
        except ValueError as error:
            raise InterfaceError(f"listen: {error}") from None


def _has_virtual_clock(instance: object) -> bool:
    return not isinstance(instance, Instance) or instance.loop is not None
