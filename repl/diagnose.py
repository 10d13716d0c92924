"""ssbdiagnose: checks whether two services of an instance can talk to each other, or watches those that do, and prints
what stands in the way.

Decides the command line, which findings are shown, and how. `python -m sbql.repl.diagnose`. It must not know what is
checked.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID
from xml.etree import ElementTree

from sbql.grammar.digits import is_whole
from sbql.grammar.errors import SqlError
from sbql.repl.opening import Stop, connect, opened
from sbql.repl.options import Options
from sbql.repl.progress import FOOT, Told
from sbql.repl.why import ask, rows

if TYPE_CHECKING:
    from sbql.engine.diagnosis.causes import Finding
    from sbql.engine.instance import Instance
    from sbql.repl.sessions import AnySession

__all__ = ["USAGE", "UsageError", "main", "over_two", "parse"]

USAGE = """\
usage: ssbdiagnose [-XML] [-LEVEL ERROR|WARNING|INFO] [-IGNORE code] ... [connection]
                   CONFIGURATION [FROM SERVICE name [connection]] [TO SERVICE name[,broker_id] [connection]]
                   [ON CONTRACT name] [ENCRYPTION ON|OFF|ANONYMOUS]
                 | RUNTIME [-SHOWEVENTS] [-NEW] [-ID handle|group|conversation_id] ... [-TIMEOUT seconds] [CONNECT TO connection] ...
connection: [-E] [-U login] [-P password] [-S store.duckdb | -S host,port | -S grpc://host:port] [-d database] [-l seconds]
exit codes: 0 nothing found, 1 findings, 2 the command line cannot be understood or the store not be opened"""

LEVELS = ("ERROR", "WARNING", "INFO")


class UsageError(Exception):
    """The command line cannot be understood. Its text says why."""


@dataclass(slots=True)
class Side:
    """A service, and where it is: what the connection leaves out is as in the one in front."""

    service: str | None = None
    database: str | None = None
    server: str | None = None
    user: str | None = None
    password: str | None = field(default=None, repr=False)


@dataclass(slots=True)
class Command:
    """A parsed command line."""

    level: str = "WARNING"
    ignored: set[int] = field(default_factory=set)
    xml: bool = False
    store: str | None = None
    """A store, host,port of a server that speaks TDS, or grpc://host:port."""
    user: str = ""
    password: str | None = field(default=None, repr=False)
    timeout_of_login: int = 15
    database: str = "master"
    source: Side = field(default_factory=Side)
    target: Side = field(default_factory=Side)
    broker_instance: str | None = None
    contract: str = "DEFAULT"
    encryption: str = "ON"
    watches: bool = False
    """RUNTIME."""
    databases: list[str] = field(default_factory=list)
    shows_events: bool = False
    only_new: bool = False
    ids: list[UUID] = field(default_factory=list)
    timeout: float | None = None


def parse(arguments: list[str]) -> Command:
    """Raises UsageError."""
    return _Parser(arguments).command()


class _Parser:
    def __init__(self, arguments: list[str]) -> None:
        self.words = list(arguments)
        self.found = Command()

    def command(self) -> Command:
        found = self.found
        while self.words and self.words[0].startswith("-"):
            self._option(None)
        if self._take("RUNTIME"):
            return self._runtime()
        if not self._take("CONFIGURATION"):
            raise UsageError("CONFIGURATION or RUNTIME is missing")
        if self._take("FROM"):
            found.source.service = self._service()
            self._connection(found.source)
        if self._take("TO"):
            name, _, instance = self._service().partition(",")
            found.target.service, found.broker_instance = name, instance or None
            self._connection(found.target)
        if self._take("ON"):
            self._need("CONTRACT")
            found.contract = self._value("ON CONTRACT")
        if self._take("ENCRYPTION"):
            found.encryption = self._one_of("ENCRYPTION", ("ON", "OFF", "ANONYMOUS"))
        if self.words:
            raise UsageError(f"{self.words[0]} stands where nothing more is expected")
        if found.source.service is None and found.target.service is None:
            raise UsageError("FROM SERVICE or TO SERVICE is missing")
        return found

    def _runtime(self) -> Command:
        found = self.found
        found.watches = True
        found.databases = [found.database] if found.database != "master" else []
        options: dict[str, Callable[[], None]] = {
            "-SHOWEVENTS": lambda: setattr(found, "shows_events", True),
            "-NEW": lambda: setattr(found, "only_new", True),
            "-ID": lambda: found.ids.append(self._guid("-ID")),
            "-TIMEOUT": lambda: setattr(found, "timeout", float(self._number("-TIMEOUT"))),
        }
        while self.words and self.words[0].upper() in options:
            options[self.words.pop(0).upper()]()
        while self._take("CONNECT"):
            self._need("TO")
            side = Side()
            self._connection(side)
            found.databases += [side.database] if side.database is not None else []
        if self.words:
            raise UsageError(f"{self.words[0]} stands where nothing more is expected")
        return found

    def _guid(self, option: str) -> UUID:
        value = self._value(option)
        try:
            return UUID(value)
        except ValueError:
            raise UsageError(f"{option} needs a handle, a group or a conversation id") from None

    def _option(self, side: Side | None) -> None:
        word = self.words.pop(0)
        options: dict[str, Callable[[], None]] = {
            "-xml": lambda: setattr(self.found, "xml", True),
            "-level": lambda: setattr(self.found, "level", self._one_of("-LEVEL", LEVELS)),
            "-ignore": lambda: self.found.ignored.add(self._number("-IGNORE")),
        }  # fmt: skip
        if side is None and word.lower() in options:
            options[word.lower()]()
        elif word == "-d":
            (self.found if side is None else side).database = self._value("-d")
        elif word == "-S":
            if side is None:
                self.found.store = self._value("-S")
            else:
                side.server = self._value("-S")
        elif word == "-U":
            (self.found if side is None else side).user = self._value("-U")
        elif word == "-P":
            (self.found if side is None else side).password = self._value("-P")
        elif word == "-l":
            self.found.timeout_of_login = self._number("-l")
        elif word != "-E":
            raise UsageError(f"there is no option {word}")

    def _connection(self, side: Side) -> None:
        while self.words and self.words[0].startswith("-"):
            self._option(side)

    def _service(self) -> str:
        self._need("SERVICE")
        return self._value("SERVICE")

    def _take(self, word: str) -> bool:
        if self.words and self.words[0].upper() == word:
            self.words.pop(0)
            return True
        return False

    def _need(self, word: str) -> None:
        if not self._take(word):
            raise UsageError(f"{word} is missing")

    def _value(self, option: str) -> str:
        if not self.words:
            raise UsageError(f"{option} needs a value")
        return self.words.pop(0)

    def _one_of(self, option: str, allowed: tuple[str, ...]) -> str:
        value = self._value(option).upper()
        if value not in allowed:
            raise UsageError(f"{option} is {', '.join(allowed)}")
        return value

    def _number(self, option: str) -> int:
        value = self._value(option)
        if not is_whole(value):
            raise UsageError(f"{option} needs a number")
        return int(value)


def report(findings: Iterable[Finding], *, xml: bool) -> str:
    """The findings as lines, each with the statements that repair it below, or as one XML document."""
    if not xml:
        return "".join(f"{f.level[0]}\t{f.code}\t{f.database}\t{f.text}\n{_indented(f.repair)}" for f in findings)
    root = ElementTree.Element("DiagnosticInformation")
    for f in findings:
        issue = ElementTree.SubElement(root, "Issue", type=f.kind, level=f.level, code=str(f.code), database=f.database)
        issue.text = f.text
        if f.name:
            issue.set("cause", f.name)
        if f.repair:
            ElementTree.SubElement(issue, "Repair").text = f.repair
    return ElementTree.tostring(root, encoding="unicode") + "\n"


def _indented(repair: str) -> str:
    return "".join(f"\t{line}\n" for line in repair.splitlines())


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. Returns the exit code."""
    words = sys.argv[1:] if arguments is None else arguments
    if words in (["-?"], ["--help"]):
        print(USAGE)
        return 0
    try:
        command = parse(words)
    except UsageError as error:
        print(f"ssbdiagnose: {error}\n{USAGE}", file=sys.stderr)
        return 2
    try:
        found = _watched(command) if command.watches else _configured(command)
    except Stop as stop:
        print(f"ssbdiagnose: {stop.message}", file=sys.stderr)
        return 2
    shown = LEVELS[: LEVELS.index(command.level) + 1]
    findings = [f for f in found if (f.level in shown or f.kind == "Event") and f.code not in command.ignored]
    print(report(findings, xml=command.xml), end="")
    return 1 if findings else 0


# --- CONFIGURATION -----------------------------------------------------------------------------------------------


def _configured(command: Command) -> list[Finding]:
    """One instance answers for both services, or each for its own, and then what has to agree
    between them is compared. Raises Stop."""
    source, target = command.source, command.target
    with contextlib.ExitStack() as stack:

        def session(side: Side, database: str) -> AnySession:
            options = _options(command, side, database)
            return connect(stack.enter_context(opened(options, makes=False)), options)

        if source.service is None or target.service is None or _server(command, source) == _server(command, target):
            return _asked(
                session(source if source.service is not None else target, "master"),
                command,
                _database(command, source),
                _database(command, target),
            )
        return over_two(
            command, session(source, _database(command, source)), session(target, _database(command, target))
        )


def over_two(command: Command, here: AnySession, there: AnySession) -> list[Finding]:
    """CONFIGURATION with the services in two instances, by a session in the database of each. Raises Stop."""
    from sbql.engine.diagnosis.between import Place, between

    source, target = command.source, command.target
    found = _asked(here, command, _database(command, source), "") + _asked(
        there, command, "", _database(command, target)
    )
    first, second = (
        Place(f"{_server(command, side)}, {_database(command, side)}", side.service or "", partial(rows, session))
        for side, session in ((source, here), (target, there))
    )
    try:
        return found + list(between(first, second, command.contract, encryption=command.encryption))
    except SqlError as error:
        raise Stop(f"Msg {error.number}: {error.message}") from None


def _server(command: Command, side: Side) -> str | None:
    return command.store if side.server is None else side.server


def _database(command: Command, side: Side) -> str:
    return side.database or command.database


def _options(command: Command, side: Side, database: str) -> Options:
    """The connection of a side: a store, a server of ours, or one that speaks TDS."""
    place = _server(command, side) or ""
    is_tds = "," in place and not os.path.exists(place)
    is_ours = place.startswith("grpc")
    return Options(
        store=place if place and not is_tds and not is_ours else None, endpoint=place if is_ours else None, server=place if is_tds else None,
        user=side.user or command.user, password=side.password or command.password, login_timeout=float(command.timeout_of_login),
        database=database, trusts=True,
    )  # fmt: skip


def _asked(session: AnySession, command: Command, here: str, there: str) -> list[Finding]:
    from sbql.engine.diagnosis.causes import Finding

    values = {
        "configuration": True, "level": "INFO", "from_service": command.source.service, "to_service": command.target.service, "from_database": here,
        "to_database": there, "contract": command.contract, "encryption": command.encryption, "broker_instance": command.broker_instance,
    }  # fmt: skip
    return [
        Finding(one.level, one.code, one.database, one.text, "Diagnosis", one.cause, one.subject, (), one.repair or "")
        for one in ask(session, values)
    ]


# --- RUNTIME -------------------------------------------------------------------------------------------------------


def _watched(command: Command) -> list[Finding]:
    """The store is opened, so that its broker runs. Raises Stop."""
    from sbql.engine.instance import Instance

    if command.store is not None and not os.path.exists(command.store):
        raise Stop(f"there is no store {command.store}. RUNTIME opens a store that no other process has: give its file")
    try:
        instance = Instance.open(command.store)
    except SqlError as error:
        raise Stop(f"cannot open {command.store}: {error.message}") from None
    try:
        return list(_watch(instance, command))
    finally:
        instance.close()


def _watch(instance: Instance, command: Command) -> Iterable[Finding]:
    """Until the time is over, or Ctrl-C."""
    from sbql.engine.diagnosis.watch import ConversationWatch

    watch = ConversationWatch(instance, command.databases, command.ids, only_new=command.only_new)
    with (
        FOOT.during(lambda: Told(f"watching for {command.timeout:g} s", hint="Ctrl-C ends")),
        contextlib.suppress(KeyboardInterrupt),
    ):
        threading.Event().wait(command.timeout)
    watch.stop()
    return watch.findings(with_events=command.shows_events)


if __name__ == "__main__":
    sys.exit(main())
