"""`sbql serve` and `sbql ping`: a process that owns a store for others, and whether there is one.

It decides what these commands take, the line that says that clients may come, and how a signal ends the
server: SIGTERM and Ctrl-C gracefully, a second one at once; SIGHUP has certificates and tokens read anew. It
must not know how clients are served.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sbql.grammar.errors import SqlError
from sbql.grammar.version import __version__
from sbql.repl.argument_types import seconds_of, whole_number
from sbql.repl.command_parser import command_parser
from sbql.repl.option_words import MAP_HELP
from sbql.repl.options import EXIT_ERROR, EXIT_OK, UsageError
from sbql.repl.progress import FOOT
from sbql.repl.streams import note, silence

if TYPE_CHECKING:
    from sbql.engine.instance import Instance
    from sbql.engine.network.address_map import AddressMap
    from sbql.engine.server.client import Client
    from sbql.engine.server.doors import Keys
    from sbql.engine.server.owner import Server

__all__ = ["COMMANDS", "GOES_WITH", "check_options", "ping_parser", "serve_parser"]

_GRACE = 10.0
MOST_CONNECTIONS = 32767
"""As SQL Server's user connections."""
_LOOK = 0.5
"""Seconds between two looks of the main thread: a signal that comes just before it begins
to wait is handled after the wait."""
GOES_WITH: dict[str, str] = {
    "--sa-password-file": "--listen", "--force-encryption": "--listen", "--max-connections": "--listen",
    "--certificate": "--key", "--key": "--certificate", "--map": "--clock system",
}  # fmt: skip
"""Options that mean something beside another one alone. All others go with all others, but for --tls with
--certificate; a --host that other machines reach needs one of the two."""


_SERVE_EXAMPLES = """\
examples:
  sbql serve --store shop.duckdb                          other processes open the same file, and reach it here
  sbql serve --store shop.duckdb --listen 127.0.0.1:1433  SQL Server's clients, too, as sa with a password
  sbql serve --store shop.duckdb --host 0.0.0.0 --tls --tokens tokens.txt   other machines
"""

_PING_EXAMPLES = """\
examples:
  sbql ping --store shop.duckdb && sbql --store shop.duckdb -Q "SELECT 1"
"""


def serve_parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "serve", "Owns a store and lets other processes work with it, until SIGTERM or Ctrl-C.", _SERVE_EXAMPLES
    )
    add = parser.add_argument
    add("--store", metavar="FILE", help="DuckDB file to keep everything in (default: in memory)")
    add(
        "--clock", default="system", choices=("system", "virtual", "auto"),
        help="virtual: time that clients move (sp_sbql_advance_clock); auto: it moves on when all of them wait",
    )  # fmt: skip
    add("--host", default="127.0.0.1", metavar="NAME", help="address to listen on (default: this machine only)")
    add("--port", type=whole_number, default=0, metavar="N", help="port to listen on (default: one that is free)")
    add("--listen", metavar="HOST:PORT", help="let SQL Server's clients in here, by password (default port 1433)")
    add(
        "--sa-password-file",
        metavar="FILE",
        help="the password of sa (default: MSSQL_SA_PASSWORD, or one that is made and shown)",
    )
    add(
        "--max-connections", type=whole_number, default=MOST_CONNECTIONS, metavar="N",
        help=f"of SQL Server's clients at one time (default {MOST_CONNECTIONS})",
    )  # fmt: skip
    add("--force-encryption", action="store_true", help="refuse SQL Server's clients that do not encrypt")
    add("--tls", action="store_true", help="encrypt, with a certificate that is made; needed for other hosts")
    add("--certificate", metavar="FILE", help="encrypt, with this certificate (PEM)")
    add("--key", metavar="FILE", help="its private key (PEM)")
    add("--tokens", metavar="FILE", help="named tokens, a line for each: NAME LOGIN TOKEN")
    add(
        "--grace",
        type=seconds_of,
        default=_GRACE,
        metavar="SECONDS",
        help=f"time of running statements at the end (default {_GRACE:g})",
    )
    add("--map", dest="addresses", action="append", default=[], metavar="HOST:PORT=HOST:PORT", help=MAP_HELP)
    add("--pid-file", metavar="FILE", help="write the number of the process there while it serves")
    add("--errorlog", metavar="FILE", help="write the error log to this file too, after what it already has")
    add(
        "--log-format", default="text", choices=("text", "json"),
        help="json: on standard error, and in the file, the error log is a JSON object a line",
    )  # fmt: skip
    return parser


def ping_parser() -> argparse.ArgumentParser:
    parser = command_parser(
        "ping", "Asks the server of a store whether it is there. Exit code 0: it is.", _PING_EXAMPLES
    )
    add = parser.add_argument
    add("--store", metavar="FILE", help="the store whose server is asked, through the endpoint file beside it")
    add("--endpoint", metavar="URL", help="or where the server listens, grpc://host:port; the token is in SBQL_TOKEN")
    return parser


# --- serve -------------------------------------------------------------------------------------------------


def _serve(arguments: list[str]) -> int:
    options = serve_parser().parse_args(arguments)
    check_options(options)
    from sbql.engine.error_log import json_line
    from sbql.engine.instance import Instance
    from sbql.repl.render import log_text

    try:
        from sbql.engine.server.flight_door import FlightDoor
    except ImportError as error:
        raise UsageError(str(error)) from None
    from sbql.engine.server.broker_network import BrokerNetwork
    from sbql.engine.server.owner import Server

    keys = _keys(options)
    try:
        clock = "system" if options.clock == "system" else "virtual"
        network = partial(BrokerNetwork, addresses=_addresses(options)) if clock == "system" else None
        with FOOT.during(f"opening {options.store}"):
            instance = Instance.open(options.store, clock=clock, error_log=_log_file(options), network=network)
    except SqlError as error:
        return _failed(f"cannot open {options.store}: {error.message}")
    except OSError as error:
        return _failed(f"cannot open {error.filename or options.store}: {error.strerror or error}")
    try:
        as_line = json_line if options.log_format == "json" else log_text
        instance.error_log.listen(lambda record: note(as_line(record)))
        made, doors = _open_to_sql_clients(options, instance, keys)
        server = Server(
            instance,
            [lambda server: FlightDoor(server, options.host, options.port), *doors],
            keys,
            pid=os.getpid(),
            version=_version(),
            moves_clock=options.clock == "auto",
        )
        server.open()
        if made is not None:
            note(
                f"The password of sa is {made}. It is shown this once; ALTER LOGIN sa WITH PASSWORD = '…' gives another one."
            )
        with _pid_file(options.pid_file):
            _run(server, instance, options)
    except SqlError as error:
        return _failed(error.message)
    except OSError as error:
        return _failed(f"cannot read or write {error.filename or 'the endpoint file'}: {error.strerror or error}")
    finally:
        try:
            with FOOT.during(f"closing {options.store}"):
                instance.close()
        except SqlError as error:
            note(f"sbql: cannot write {options.store}: {error.message}")
    return EXIT_OK


def _log_file(options: argparse.Namespace) -> Any:
    """What --errorlog is for Instance.open. Raises OSError."""
    from sbql.engine.error_log import JsonLogFile

    is_json = options.errorlog is not None and options.log_format == "json"
    return JsonLogFile(options.errorlog) if is_json else options.errorlog


def _addresses(options: argparse.Namespace) -> AddressMap:
    from sbql.engine.network.address_map import AddressMap

    try:
        return AddressMap.parse(options.addresses)
    except ValueError as error:
        raise UsageError(f"--map: {error}") from None


def _open_to_sql_clients(options: argparse.Namespace, instance: Instance, keys: Any) -> tuple[str | None, list[Any]]:
    """The door that --listen asks for, and the password that was made for sa. Raises SqlError."""
    if options.listen is None:
        return None, []
    from sbql.engine.server.tds_setup import address_of, give_sa_password, tds_door

    password = os.environ.get("MSSQL_SA_PASSWORD") or os.environ.get("SA_PASSWORD") or None
    if options.sa_password_file is not None:
        password = Path(options.sa_password_file).read_text(encoding="utf-8").rstrip("\r\n")
    made = give_sa_password(instance, password)
    door = tds_door(
        address_of(options.listen), keys, name=instance.name, forces_encryption=options.force_encryption, most=options.max_connections
    )  # fmt: skip
    return made, [door]


@contextlib.contextmanager
def _pid_file(path: str | None) -> Iterator[None]:
    if path is None:
        yield
        return
    Path(path).write_text(f"{os.getpid()}\n", encoding="ascii")
    try:
        yield
    finally:
        Path(path).unlink(missing_ok=True)


def check_options(options: argparse.Namespace) -> None:
    """Raises UsageError for a value that is none, and for an option that means nothing
    beside the others (`GOES_WITH`)."""
    from sbql.engine.server.doors import OWN_ADDRESSES

    given = {
        action.option_strings[-1]
        for action in serve_parser()._actions
        if action.dest in options and getattr(options, action.dest) != action.default
    }
    if options.clock == "system":
        given.add("--clock system")
    for option, needed in GOES_WITH.items():
        if option in given and needed not in given:
            raise UsageError(f"serve: {option} goes with {needed}")
    if options.tls and options.certificate is not None:
        raise UsageError("serve: give either --tls or --certificate, not both")
    if options.host not in OWN_ADDRESSES and not options.tls and options.certificate is None:
        raise UsageError(
            f"serve: '{options.host}' is reached from other machines, and tokens must not travel openly: add --tls"
        )
    _check_values(options)


def _check_values(options: argparse.Namespace) -> None:
    if options.listen is not None:
        from sbql.engine.server.tds_setup import address_of

        try:
            address_of(options.listen)
        except ValueError as error:
            raise UsageError(f"serve: --listen {error}") from None
    if not 0 < options.max_connections <= MOST_CONNECTIONS:
        raise UsageError(
            f"serve: --max-connections is a number from 1 to {MOST_CONNECTIONS}, not {options.max_connections}"
        )
    if not 0 <= options.port < 65536:
        raise UsageError(f"serve: --port is a number from 0 to 65535, not {options.port}")
    if not 0 <= options.grace < 1e6:
        raise UsageError(f"serve: --grace is a number of seconds, not {options.grace:g}")


def _keys(options: argparse.Namespace, made: Keys | None = None) -> Keys:
    """What --tokens, --certificate, --key and --tls say. `made`: has the certificate that was made
    for this run. Raises UsageError."""
    from sbql.engine.host import SystemHost
    from sbql.engine.server.certificates import make_certificate
    from sbql.engine.server.doors import Keys
    from sbql.engine.server.tds_setup import names_of
    from sbql.engine.server.token_file import read_tokens

    given = options.tokens
    try:
        logins = read_tokens(given) if given is not None else {}
        if options.certificate is None:
            if made is not None:
                certificate, key = made.certificate, made.private_key
            else:
                certificate, key = make_certificate(SystemHost(), names_of(options.host)) if options.tls else (b"", b"")
        else:
            given = options.certificate
            certificate = Path(given).read_bytes()
            given = options.key
            key = Path(given).read_bytes()
    except (OSError, ValueError) as error:
        raise UsageError(f"serve: {given}: {getattr(error, 'strerror', None) or error}") from None
    return Keys(logins, certificate, key)


def _renew(server: Server, options: argparse.Namespace) -> None:
    """After SIGHUP. What cannot be read is told, and what was there before holds."""
    try:
        server.renew(_keys(options, made=server.keys))
    except (UsageError, SqlError) as error:
        server.instance.log(
            0, f"SIGHUP: {error.message if isinstance(error, SqlError) else error}. Everything stays as it was."
        )


def _run(server: Server, instance: Instance, options: argparse.Namespace) -> None:
    """Until a signal asks for the end, and the end is done. SIGHUP has certificates and tokens read anew. Raises
    SqlError when the store has stopped: whoever starts the server again has it recovered."""
    asked, grace = threading.Event(), options.grace
    enders: list[threading.Thread] = []

    def end(number: int, frame: object) -> None:
        ender = threading.Thread(target=server.stop, args=(0.0 if enders else grace,), name="sbql-end", daemon=True)
        enders.append(ender)
        ender.start()
        asked.set()

    def renew(number: int, frame: object) -> None:
        threading.Thread(target=_renew, args=(server, options), name="sbql-renew", daemon=True).start()

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGINT)}
    if hasattr(signal, "SIGHUP"):
        before[signal.SIGHUP] = signal.signal(signal.SIGHUP, renew)
    try:
        store = instance.store.path or "a store in memory"
        try:
            print(f"sbql serves {store} at {server.endpoint.url} (process {os.getpid()})", flush=True)
        except OSError:  # nobody is there to read it, as behind a supervisor; clients find the endpoint file
            silence(sys.stdout)
        if server.endpoint.tls and instance.store.path is not None:
            certificate = f"{instance.store.path}.certificate.pem"
            Path(certificate).write_text(server.endpoint.certificate, encoding="ascii")
            note(f"Clients on other machines need {certificate} and a token of --tokens.")
        if instance.store.path is None:
            note(f"Clients need SBQL_TOKEN={server.endpoint.token}")
        while not (asked.wait(_LOOK) and server.wait(_LOOK)):
            if instance.store.failure is not None:
                raise instance.store.failure.again()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        server.stop(0)


# --- ping --------------------------------------------------------------------------------------------------


def _ping(arguments: list[str]) -> int:
    options = ping_parser().parse_args(arguments)
    if (options.store is None) == (options.endpoint is None):
        raise UsageError("ping: give either --store FILE or --endpoint URL")

    try:
        client = _client(options)
        if client is None:
            return _failed(f"nobody serves {options.store}. Start a server with: sbql serve --store {options.store}")
        facts = client.ping()
    except SqlError as error:
        return _failed(error.message)
    counted = "1 session" if facts.sessions == 1 else f"{facts.sessions} sessions"
    store = facts.store or "a store in memory"
    print(f"sbql {facts.version} serves {store} at {client.endpoint.url} (process {facts.pid}, {counted})")
    return EXIT_OK


def _client(options: argparse.Namespace) -> Client | None:
    from sbql.engine.server.client import client_at, client_of_store

    if options.endpoint is not None:
        return client_at(options.endpoint, os.environ.get("SBQL_TOKEN", ""))
    return client_of_store(options.store)


def _failed(text: str) -> int:
    note(f"sbql: {text}")
    return EXIT_ERROR


def _version() -> str:
    return __version__


COMMANDS: dict[str, Callable[[list[str]], int]] = {"serve": _serve, "ping": _ping}
"""Words that are commands when they stand first; `./serve` and `-i serve` are files."""
