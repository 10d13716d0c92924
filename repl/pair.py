"""`sbql pair`: makes two services of different instances talk.

Decides the command line, the files that it writes, and that of each side the identity comes before the partner of the
other. It must not know what the statements are (pair_scripts).
"""

from __future__ import annotations

import argparse
import base64
import datetime as dt
import os
from pathlib import Path

from sbql.engine.host import SystemHost
from sbql.grammar.digits import is_whole
from sbql.grammar.errors import SqlError
from sbql.repl.command_parser import command_parser
from sbql.repl.opening import Stop, connect, opened
from sbql.repl.options import EXIT_OK, Options, UsageError
from sbql.repl.pair_scripts import FOLDER, Side, identity, partner
from sbql.repl.progress import FOOT
from sbql.repl.why import rows

__all__ = ["parser", "run"]

_EXAMPLES = """\
A and B are NAME@HOST:PORT/DATABASE/SERVICE: what the instance is called, where the other one reaches it, and the service with its database.

examples:
  sbql pair Trader@10.0.0.1:4022/Trading///Trader DMBroker@10.0.0.2:4022/Trading///DMBroker --folder pairing
      writes four scripts: run both that end in 1-identity.sql, each on its side; see that both folders have all
      the files *.cer; run both that end in 2-partner.sql
  sbql pair Trader@127.0.0.1:4022/Trading///Trader DMBroker@127.0.0.1:4023/Trading///DMBroker --folder pairing
      --stores trader.duckdb broker.duckdb
      the same, and runs them in these stores, which other processes may serve
"""
_YEARS = 5
_HOST = SystemHost()


def parser() -> argparse.ArgumentParser:
    made = command_parser(
        "pair",
        "Writes the certificates and statements that make two services of different instances talk, with full dialog security.",
        _EXAMPLES,
    )
    add = made.add_argument
    add("one", metavar="A", help="one side")
    add("other", metavar="B", help="the other side")
    add("--folder", required=True, metavar="FOLDER", help="where scripts and certificates go: new, or empty")
    add("--stores", nargs=2, metavar=("FILE", "FILE"), help="the stores of A and B: the scripts are run there")
    add("--until", metavar="DATE", help=f"when new certificates expire (default: in {_YEARS} years)")
    return made


def side(text: str) -> Side:
    """NAME@HOST:PORT/DATABASE/SERVICE. Raises UsageError."""
    name, is_at, rest = text.partition("@")
    address, _, place = rest.partition("/")
    database, _, service = place.partition("/")
    host, _, port = address.rpartition(":")
    if not (name and is_at and host and database and service and is_whole(port)):
        raise UsageError(f"pair: {text!r} is not NAME@HOST:PORT/DATABASE/SERVICE")
    if not 1024 <= int(port) <= 32767:
        raise UsageError(f"pair: an endpoint may have the ports 1024 to 32767, not {port}")
    if any(sign in name + database for sign in "/\\:$'\"") or "'" in service:
        raise UsageError(f"pair: {text!r}: quotes, and / \\ : $ in names, cannot stand in the names of files")
    return Side(name, host, int(port), database, service)


def run(arguments: list[str]) -> int:
    """`sbql pair`. Returns the exit code. Raises UsageError, Stop."""
    asked = parser().parse_args(arguments)
    one, other = side(asked.one), side(asked.other)
    if one.name.lower() == other.name.lower():
        raise UsageError(f"pair: both sides are called {one.name}")
    until = _date(asked.until)
    folder = Path(asked.folder).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise Stop(f"the folder {folder} is not empty: give a new one, so that nothing of another pairing is used")
        scripts = [
            (number, f"{me.name}.{name}.sql", batches)
            for me, you, number in ((one, other, 0), (other, one, 1))
            for name, batches in (("1-identity", identity(me, until, _password)), ("2-partner", partner(me, you, _password)))
        ]  # fmt: skip
        for _, name, batches in scripts:
            _write(folder / name, folder, batches)
    except OSError as error:
        raise Stop(f"cannot write {error.filename or folder}: {error.strerror or error}") from None
    if asked.stores is None:
        print(_what_to_do(folder, one, other), end="")
        return EXIT_OK
    for step in ("1-identity", "2-partner"):
        for number, name, batches in scripts:
            if step in name:
                _execute(asked.stores[number], name, [batch.replace(FOLDER, _path(folder)) for batch in batches])
    print(f"{one.service} of {one.name} and {other.service} of {other.name} can talk. The files are in {folder}.")
    return EXIT_OK


def _date(text: str | None) -> str:
    today = dt.datetime.fromtimestamp(_HOST.now(), dt.UTC).date()
    try:
        return (dt.date.fromisoformat(text) if text else today.replace(day=1, year=today.year + _YEARS)).isoformat()
    except ValueError:
        raise UsageError(f"pair: --until is a date such as {today.year + 1}-01-31, not {text!r}") from None


def _password() -> str:
    return f"aA1-{base64.urlsafe_b64encode(_HOST.random_bytes(24)).decode()}"


def _path(folder: Path) -> str:
    return str(folder).replace("'", "''")


def _write(path: Path, folder: Path, batches: list[str]) -> None:
    """A script; it has passwords in it."""
    text = f':setvar folder "{_path(folder)}"\n' + "".join(f"{batch}\nGO\n" for batch in batches)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text)


def _execute(store: str, name: str, batches: list[str]) -> None:
    options = Options(store=store)
    with opened(options) as instance:
        session = connect(instance, options)
        with FOOT.during(f"{name} in {store}"):
            for batch in batches:
                try:
                    rows(session, batch)
                except SqlError as error:
                    raise Stop(f"{name} in {store}: Msg {error.number}: {error.message}") from None


def _what_to_do(folder: Path, one: Side, other: Side) -> str:
    return (
        f"Four scripts are in {folder}; change the folder in their first lines to where it is on each side.\n"
        f"1. Run {one.name}.1-identity.sql on {one.name}, and {other.name}.1-identity.sql on {other.name}.\n"
        f"2. Copy the files *.cer of each side to the folder of the other.\n"
        f"3. Run {one.name}.2-partner.sql on {one.name}, and {other.name}.2-partner.sql on {other.name}.\n"
    )
