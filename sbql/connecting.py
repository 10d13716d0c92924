"""`connect`: a connection to a store, wherever its instance runs.

It decides what a connection may be made of: a store, which is opened here or reached through the server of the process
that has it, an instance, the address of a server. What connections do is `dbapi`'s.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from sbql import instances
from sbql.arguments import check_connect, check_endpoint, check_server, check_way, seconds_of
from sbql.dbapi import Connection
from sbql.engine.network.address_map import AddressMap
from sbql.exceptions import InterfaceError, errors_of_opening, from_sql_errors
from sbql.grammar.errors import SqlError

if TYPE_CHECKING:
    from sbql.engine.server.tds_client import ServerAddress

__all__ = ["connect", "connection_to"]

Encryption = Literal["optional", "mandatory", "strict"]
ENCRYPTIONS: tuple[str, ...] = get_args(Encryption)


def connect(
    store: str | os.PathLike[str] | None = None,
    database: str = "master",
    *,
    login: str | None = None,
    admin: bool = False,
    autocommit: bool = True,
    clock: instances.Clock = "system",
    seed: int = 0,
    start: datetime | None = None,
    addresses: Mapping[str, str] | None = None,
    instance: instances.AnyInstance | None = None,
    endpoint: str | None = None,
    token: str = "",
    certificate: str | os.PathLike[str] | None = None,
    server: str | None = None,
    user: str | None = None,
    password: str | None = None,
    encryption: Encryption = "optional",
    trust_server_certificate: bool = False,
) -> Connection:
    """Open a connection.

    Args:
        store: a DuckDB file, made if it is not there. One that another process serves is reached there
            (docs/server.md). None keeps everything in memory.
        database: the T-SQL database to start in.
        login: whom to connect as; None is sa, or the login of the token.
        admin: open the dedicated administrator connection, which sees the base tables (sys.sysdesend and its
            like); one at a time.
        autocommit: False begins a transaction with the first statement, until commit() or rollback().
        clock: "virtual" is a clock that moves only when somebody waits or calls `advance`: for tests.
        seed: with a virtual clock, decides GUIDs and the order of concurrent work.
        start: the moment at which a virtual clock begins, in UTC unless it has a zone.
        addresses: where machines that routes name are in fact, such as {"Trader:4022": "127.0.0.1:40221"}, and
            with {":4022": "127.0.0.1:40222"} where this instance listens (docs/network.md). For whoever opens
            the store first.
        instance: use this instance (`Connection.instance` of another connection) instead of a store.
        endpoint: use the server at this address, "grpc://host:port" or "grpc+tls://host:port", instead of a store.
        token: says to the server at `endpoint` who comes.
        certificate: the file (PEM) of a server that made its own certificate.
        server: use the server at "host,port" that speaks SQL Server's protocol, TDS, instead of a store:
            `sbql serve --listen`, or SQL Server.
        user: a login of `server`.
        password: its password.
        encryption: "optional" encrypts the login at least, when the server can; "mandatory" encrypts everything,
            and the server's certificate is checked; "strict" does so by TDS 8.0.
        trust_server_certificate: True believes any certificate of `server`.

    Raises:
        InterfaceError: for what is no value of an argument, and for an argument that the way in has no use for
            (docs/python.md).
        OperationalError: for a file that is no store or not free, and for a server that cannot be reached.
        ProgrammingError: when there is no such database.
    """
    _check(locals())
    with errors_of_opening():
        if server is not None:
            instance = instances.reach_by_tds(
                _address(server, user or "", password or "", encryption, trust_server_certificate, certificate)
            )
        elif endpoint is not None:
            pem = "" if certificate is None else Path(certificate).read_text("ascii")
            instance = instances.reach(endpoint, token, pem)
        elif instance is None:
            moment = None if start is None else seconds_of(start)
            instance = instances.acquire(store, clock, seed, start=moment, addresses=AddressMap(addresses))
        else:
            instances.adopt(instance)
    return connection_to(instance, database, login, autocommit, admin)


def connection_to(
    instance: instances.AnyInstance,
    database: str,
    login: str | None = None,
    autocommit: bool = True,
    admin: bool = False,
) -> Connection:
    """A connection to an instance that counts it as a user already; if it fails, it is no user any more. Raises what
    `connect` does."""
    try:
        return Connection(instance, database, login, autocommit, admin)
    except SqlError as error:
        instances.release(instance)
        raise from_sql_errors([error]) from None
    except BaseException:
        instances.release(instance)
        raise


def _check(asked: Mapping[str, object]) -> None:
    """All arguments of `connect`. Raises InterfaceError."""
    store, instance, endpoint = (asked[name] for name in ("store", "instance", "endpoint"))
    check_server(asked["server"], asked["user"], asked["password"], (store, instance, endpoint))
    check_connect(store, asked["database"], asked["login"] or "sa", asked["clock"], asked["seed"], instance)
    check_endpoint(endpoint, asked["token"], store if instance is None else instance)
    if asked["encryption"] not in ENCRYPTIONS:
        raise InterfaceError(f"encryption is one of {', '.join(ENCRYPTIONS)}, not {asked['encryption']!r}")
    defaults: dict[str, object] = connect.__kwdefaults__ or {}
    check_way({name: asked[name] for name, default in defaults.items() if asked[name] != default})


def _address(
    server: str, user: str, password: str, encryption: str, trusts: bool, certificate: str | os.PathLike[str] | None
) -> ServerAddress:
    """Raises SqlError 87, ValueError."""
    from sbql.engine.server.tds_client import ServerAddress, address_of_server

    host, port = address_of_server(server)
    return ServerAddress(host, port, user, password, encryption, trusts, os.fspath(certificate) if certificate else "")
