"""`sbql external-activator`: what it takes, how it reaches servers and starts programs, its log, and its end.

It decides that programs live on when it ends, and that Ctrl-C at its terminal is not for them. It must
not know what notifications look like.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import IO, Any

from sbql.engine.host import SystemHost, local_time
from sbql.grammar.errors import SqlError
from sbql.repl.activator.configuration import (
    Application,
    BadConfiguration,
    Configuration,
    NotificationService,
    QueueName,
    read_configuration,
)
from sbql.repl.activator.notifications import Receiver
from sbql.repl.activator.programs import Programs, Start
from sbql.repl.command_parser import command_parser
from sbql.repl.opening import Stop, opened
from sbql.repl.options import EXIT_ERROR, EXIT_OK, Options
from sbql.repl.sessions import AnyInstance, AnySession

__all__ = ["parser", "run"]

_LOOK = 0.25
"""Seconds between two looks at the programs that run."""
_LEVELS = ("Error", "Warning", "Information", "Verbose")
_EVERYTHING = frozenset({"all levels", "verbose"})
_WITHOUT_MEANING = frozenset({"all modules", "all entities"})
_EXAMPLES = """\
examples:
  sbql external-activator --config EAService.config --store shop.duckdb    where sbql serve has it; Integrated Security is its owner
  sbql external-activator --config EAService.config --log activator.log    servers by User ID and Password of the connection strings
"""


def parser() -> argparse.ArgumentParser:
    found = command_parser(
        "external-activator",
        "Starts programs when queues have messages for them, as Microsoft's external activator does, until SIGTERM or Ctrl-C.",
        _EXAMPLES,
    )
    found.add_argument(
        "--config", required=True, metavar="FILE", help="the configuration, in the format of EAService.config"
    )
    found.add_argument(
        "--store",
        metavar="FILE",
        help="the store that connection strings with Integrated Security mean; sbql serve has to have it",
    )
    found.add_argument("--log", metavar="FILE", help="append the log to this file (default: standard error)")
    return found


def run(arguments: Sequence[str]) -> int:
    options = parser().parse_args(list(arguments))
    try:
        configuration = read_configuration(options.config)
        with _log_to(options.log) as log:
            activator = Activator(configuration, options.store, log, start)
            return _until_asked(activator)
    except BadConfiguration as error:
        print(f"sbql: {options.config}: {error}", file=sys.stderr)
    except OSError as error:
        print(f"sbql: cannot open {error.filename}: {error.strerror}", file=sys.stderr)
    except Stop as error:
        print(f"sbql: {error.message}", file=sys.stderr)
    return EXIT_ERROR


def _until_asked(activator: Activator) -> int:
    asked = threading.Event()
    before = {n: signal.signal(n, lambda number, frame: asked.set()) for n in (signal.SIGTERM, signal.SIGINT)}
    try:
        with activator:
            while not asked.wait(_LOOK):
                activator.look()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return EXIT_OK


class Activator:
    """All services of a configuration, each in a thread. `with activator:` runs it;
    `look` is to be called now and then."""

    def __init__(
        self, configuration: Configuration, store: str | None, log: Callable[[str], None], start: Start
    ) -> None:
        """`log` gets lines. Raises Stop when a connection string needs the store, and none is named."""
        self._write = log
        flags = {flag.lower() for flag in configuration.flags}
        levels = {flag for flag in flags if flag in {level.lower() for level in _LEVELS}}
        self._levels = (
            frozenset(_LEVELS)
            if flags & _EVERYTHING or not levels
            else {one for one in _LEVELS if one.lower() in levels}
        )
        self.programs = {
            one.queue.key: Programs(one, start, self.log, time.monotonic) for one in configuration.applications
        }
        self._receivers: list[Receiver] = []
        self._threads: list[threading.Thread] = []
        self._instances = contextlib.ExitStack()
        for flag in configuration.flags:
            if flag.lower() not in _EVERYTHING | _WITHOUT_MEANING | {level.lower() for level in _LEVELS}:
                self.log("Warning", f"The trace flag '{flag}' has no meaning here.")
        for service in configuration.services:
            if service.is_owner and store is None:
                raise Stop(
                    f"{service.name} connects by Integrated Security, which is for who owns a store: name it (--store FILE), or write User ID and Password"
                )
            self._receivers.append(
                Receiver(service, _connecting(service, store, self._instances), self._hear, self.log)
            )

    def log(self, level: str, text: str) -> None:
        """A line, if its level is asked for."""
        if level in self._levels:
            self._write(f"{level:<11} {text}")

    def look(self) -> None:
        """At the programs: which have ended, which are due."""
        for programs in self.programs.values():
            programs.look()

    def __enter__(self) -> Activator:
        self._threads = [
            threading.Thread(target=one.run, name=f"sbql-{one.service.name}", daemon=True) for one in self._receivers
        ]
        for thread in self._threads:
            thread.start()
        self.log("Information", "The external activator has started.")
        return self

    def __exit__(self, *exception: object) -> None:
        for receiver in self._receivers:
            receiver.stop()
        for thread in self._threads:
            thread.join(10)
        self._instances.close()
        running = [str(pid) for programs in self.programs.values() for pid in programs.running]
        rest = f" Programs go on: processes {', '.join(running)}." if running else ""
        self.log("Information", f"The external activator has ended.{rest}")

    def _hear(self, queue: QueueName) -> None:
        found = self.programs.get(queue.key)
        if found is None:
            self.log(
                "Warning",
                f"No ApplicationService is for the queue {queue.database}.{queue.schema}.{queue.queue} of {queue.server}.",
            )
        else:
            self.log("Verbose", f"{found.application.name}: the queue {queue.queue} has messages.")
            found.notified()


def start(application: Application) -> subprocess.Popen[bytes]:
    """The program in a session of its own. Raises OSError."""
    arguments: list[str] | str
    if os.name == "nt":
        arguments = f'"{application.program}" {application.arguments}'
    else:
        arguments = [application.program, *shlex.split(application.arguments)]
    return subprocess.Popen(arguments, cwd=application.folder or None, stdin=subprocess.DEVNULL, start_new_session=True)


def _connecting(
    service: NotificationService, store: str | None, held: contextlib.ExitStack
) -> Callable[[], AnySession]:
    """What makes a session of a service, over the one way to its server."""
    server = service.server if "," in service.server else f"{service.server},1433"
    options = Options(
        store=store if service.is_owner else None, server=None if service.is_owner else server, user=service.user, password=service.password,
        encryption="mandatory" if service.encrypts else "optional", trusts=service.trusts, database=service.database,
    )  # fmt: skip
    ways: list[AnyInstance] = []

    def connect() -> AnySession:
        if not ways:
            if service.is_owner and not os.path.exists(f"{os.path.realpath(store or '')}.endpoint"):
                raise SqlError(10061, f"Nobody serves the store {store}: start sbql serve --store {store} first.")
            try:
                ways.append(held.enter_context(opened(options)))
            except Stop as error:
                raise SqlError(10061, f"{error.message}.") from None
        try:
            return ways[0].connect(database=service.database)
        except SqlError:
            ways.clear()
            raise

    return connect


@contextlib.contextmanager
def _log_to(path: str | None) -> Iterator[Callable[[str], None]]:
    host, mutex = SystemHost(), threading.Lock()
    with contextlib.ExitStack() as stack:
        file: IO[Any] = sys.stderr if path is None else stack.enter_context(open(path, "a", encoding="utf-8"))

        def write(line: str) -> None:
            moment = local_time(host, host.now()).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
            with mutex, contextlib.suppress(OSError, ValueError):
                file.write(f"{moment} {line}\n")
                file.flush()

        yield write
