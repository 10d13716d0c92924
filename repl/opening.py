"""Which instance a command line means, and a session of it: a store of its own, one that another process
serves, or a server that speaks TDS.

It decides what is refused because it is the other process's business. It must not know what is done with the instance.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from sbql.grammar.errors import SqlError
from sbql.repl.options import EXIT_ERROR, Options
from sbql.repl.progress import FOOT

if TYPE_CHECKING:
    from sbql.engine.instance import Instance
    from sbql.engine.server.remote_instance import RemoteInstance
    from sbql.engine.server.tds_instance import TdsInstance
    from sbql.repl.sessions import AnyInstance, AnySession

__all__ = ["Stop", "connect", "opened"]


class Stop(Exception):
    """End with this exit code, after this line on standard error."""

    def __init__(self, message: str | None, code: int = EXIT_ERROR) -> None:
        super().__init__(message)
        self.message = message
        self.code = code


@contextlib.contextmanager
def opened(options: Options, *, is_process: bool = False, makes: bool = True) -> Iterator[AnyInstance]:
    """The instance, for a while. `is_process`: the process is there for this alone. `makes`: a store that is not there
    is made. Raises Stop."""
    if not makes and options.store is not None and not os.path.exists(options.store):
        raise Stop(f"there is no store {options.store}. Name the file that the program was given with --store")
    gc.disable()  # nothing that is loaded and made here is garbage
    try:
        instance = _by_tds(options) if options.server is not None else _served(options) or _own(options, is_process)
    except SqlError as error:
        raise Stop(f"cannot open {options.server or options.endpoint or options.store}: {error.message}") from None
    except OSError as error:
        raise Stop(f"cannot open {error.filename or options.store}: {error.strerror or error}") from None
    finally:
        gc.enable()
    try:
        yield instance
    finally:
        try:
            with FOOT.during(f"closing {options.store or 'the instance'}"):
                instance.close()
        except SqlError as error:
            raise Stop(f"cannot write {options.store}: {error.message}") from None


def _own(options: Options, is_process: bool) -> Instance:
    from sbql.engine.instance import Instance
    from sbql.engine.network.address_map import AddressMap
    from sbql.engine.server.broker_network import BrokerNetwork

    try:
        addresses = AddressMap.parse(options.addresses)
    except ValueError as error:
        raise Stop(f"--map: {error}") from None
    if is_process:
        # What is loaded stays: the collector would look through it again and again, and at the end of the
        # process for a tenth of its time. Not later than here, and in nobody else's process: connections to
        # DuckDB that stand in circles have to be found.
        gc.freeze()
    with FOOT.during(f"opening {options.store or 'an instance'}"):
        return Instance.open(
            options.store, clock=options.clock, start=options.start, error_log=options.error_log, drop_if_exists=options.drop_if_exists,
            network=partial(BrokerNetwork, addresses=addresses) if options.clock == "system" else None,
        )  # fmt: skip


def _served(options: Options) -> RemoteInstance | None:
    """The instance of a store that another process serves, or of the server at an address. Raises SqlError, Stop."""
    if options.endpoint is None and (
        options.store is None or not os.path.exists(f"{os.path.realpath(options.store)}.endpoint")
    ):
        return None
    from sbql.engine.server.client import client_at, client_of_store
    from sbql.engine.server.remote_instance import RemoteInstance

    if options.endpoint is not None:
        client = client_at(options.endpoint, os.environ.get("SBQL_TOKEN", ""))
    else:
        found = client_of_store(options.store or "")
        if found is None:
            return None
        client = found
    with FOOT.during(f"connecting to {options.endpoint or options.store}"):
        instance = RemoteInstance(client, client.ping())
    for option, is_given in (
        ("--errorlog", options.error_log is not None),
        ("--drop-if-exists", options.drop_if_exists),
        ("--map", bool(options.addresses)),
        ("--start", options.start is not None),
        ("--clock virtual", options.clock == "virtual" and instance.loop is None),
    ):
        if is_given:
            instance.close()
            raise Stop(f"another process serves the store, and {option} is its business: give it to sbql serve")
    return instance


def _by_tds(options: Options) -> TdsInstance:
    """-S: a server that speaks SQL Server's protocol. Raises SqlError, Stop."""
    from sbql.engine.server.tds_client import ServerAddress, address_of_server
    from sbql.engine.server.tds_instance import TdsInstance

    host, port = address_of_server(options.server or "")
    for option, is_given in (
        ("--errorlog", options.error_log is not None), ("--drop-if-exists", options.drop_if_exists), ("--trace", bool(options.trace)),
        ("--trace-file", options.trace_file is not None), ("--clock virtual", options.clock == "virtual"), ("-A", options.admin), ("--map", bool(options.addresses)),
    ):  # fmt: skip
        if is_given:
            raise Stop(
                f"{option} does not go over -S: it is the business of the server (sbql serve), or goes with --store and --endpoint"
            )
    user = options.user or os.environ.get("SQLCMDUSER", "")
    if not user:
        raise Stop(
            "-S needs a login: -U NAME -P PASSWORD (or SQLCMDUSER and SQLCMDPASSWORD). Only SQL logins are known, no Windows accounts (-E)"
        )
    password = options.password if options.password is not None else os.environ.get("SQLCMDPASSWORD")
    if password is None:
        password = _asked_password() if sys.stdin.isatty() else ""
    with FOOT.during(f"connecting to {options.server}"):
        return TdsInstance(
            ServerAddress(
                host,
                port,
                user,
                password,
                options.encryption,
                options.trusts,
                options.certificate or "",
                options.login_timeout,
            )
        )


def _asked_password() -> str:
    from getpass import getpass

    return getpass("Password: ")


def connect(instance: AnyInstance, options: Options) -> AnySession:
    """A session in the database of the options. Raises Stop."""
    try:
        return instance.connect(database=options.database, admin=options.admin)
    except SqlError as error:
        raise Stop(error.message) from None
