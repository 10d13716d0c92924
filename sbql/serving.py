"""`serve`: this process becomes the owner of a store that others reach, as a context manager.

It decides what may be served (a store by name, one in memory, the instance of a connection) and which doors there are. It must not know
how a door works.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import partial
from typing import Literal

from sbql import exceptions, instances
from sbql.arguments import check_connect
from sbql.dbapi import Connection
from sbql.engine.instance import Instance
from sbql.engine.network.address_map import AddressMap
from sbql.engine.server.doors import Host, Keys
from sbql.engine.server.elsewhere import InstanceElsewhere
from sbql.engine.server.flight_door import FlightDoor
from sbql.engine.server.owner import Server
from sbql.engine.server.remote_instance import RemoteInstance
from sbql.engine.server.tds_setup import address_of, give_sa_password, tds_door
from sbql.exceptions import from_sql_errors
from sbql.grammar.errors import SqlError
from sbql.grammar.version import __version__

__all__ = ["Server", "serve"]


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
        store: a DuckDB file, None for one in memory, or a connection (or its `instance`), whose store stays open at least as long as it
        is served. host, port: where to listen; port 0 is one that is free. tokens: tokens for other clients, each with the login that it
        means; the one in the endpoint file means sa. clock, seed: as for `connect`;
        "auto" is a virtual clock that moves by itself when everybody waits. listen: "host:port" where SQL Server's clients are let in,
        too, as logins with passwords; port 0 is one that is free, `Server.endpoints[1]` says which. sa_password: the password that sa
        gets for them; without one `Server.sa_password` is one that is made, unless sa has one already. addresses: as for `connect`.

    Returns a Server that listens: use it as a context manager, or call its `stop`. Raises OperationalError for a store that cannot be
    opened or a port that is taken.
    """
    given = store.instance if isinstance(store, Connection) else store
    has_instance = isinstance(given, Instance | InstanceElsewhere)
    path = None if isinstance(given, Instance | InstanceElsewhere) else given
    moves_clock = clock == "auto"
    kind: instances.Clock = "virtual" if clock == "auto" else clock
    check_connect(path, "master", "sa", kind, seed, given if has_instance else None)
    try:
        instance = (
            given
            if isinstance(given, Instance | InstanceElsewhere)
            else instances.acquire(path, kind, seed, addresses=AddressMap(addresses))
        )
        if has_instance:
            instances.adopt(instance)
        closing = partial(instances.release, instance)
        if not isinstance(instance, Instance):
            closing()
            where = instance.client.endpoint.url if isinstance(instance, RemoteInstance) else instance.name
            raise exceptions.OperationalError(f"another process serves the store already, at {where}")
        keys = Keys(dict(tokens or {}))
        made = None if listen is None else give_sa_password(instance, sa_password)
        others = [] if listen is None else [tds_door(address_of(listen), None, name=instance.name)]

        def door(server: Host) -> FlightDoor:
            return FlightDoor(server, host, port)

        server = Server(
            instance,
            [door, *others],
            keys,
            pid=os.getpid(),
            version=__version__,
            closing=closing,
            moves_clock=moves_clock,
        )
        server.sa_password = sa_password or made
        server.open()
    except SqlError as error:
        raise from_sql_errors([error], exceptions.OperationalError) from None
    except (OSError, ValueError) as error:
        raise exceptions.OperationalError(str(error)) from error
    return server
