"""Servers for tests: processes that own a store, with nothing left behind, and how
to wait for them without sleeping."""

from __future__ import annotations

import contextlib
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import sbql
from sbql.engine.instance import Instance

SBQL = [sys.executable, "-m", "sbql"]
_READY = re.compile(r"sbql serves (.+) at (grpc\S+) \(process (\d+)\)\n")
PATIENCE = 60.0
_A_MOMENT = threading.Event()


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def endpoint_ports(count: int = 2) -> list[int]:
    """So many below 32768, which an endpoint may have, and nobody listens on."""
    found = []
    for port in range(20000 + hash(str(Path.cwd())) % 5000, 32000):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                found.append(port)
        if len(found) == count:
            break
    return found


def line_of(stream: IO[str]) -> str:
    """The next line, which has to come."""
    ready, _, _ = select.select([stream], [], [], PATIENCE)
    assert ready, "nothing was said"
    return stream.readline()


def until(holds: Callable[[], object], what: object = "") -> None:
    """Wait for what another thread or process brings about. Raises AssertionError when it has not come in a minute."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, what
        _A_MOMENT.wait(0.002)


class ServerProcess:
    """`sbql serve …`, ready for clients."""

    def __init__(self, *arguments: str | Path) -> None:
        command = [*SBQL, "serve", *map(str, arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        said = line_of(self.process.stdout)
        found = _READY.fullmatch(said)
        if found is None:
            self.process.kill()
            raise AssertionError(said + self.process.communicate()[1])
        self.store, self.url, self.pid = found[1], found[2], int(found[3])

    def token(self) -> str:
        """What clients of a store in memory need, which it says on standard error."""
        assert self.process.stderr is not None
        return line_of(self.process.stderr).strip().partition("SBQL_TOKEN=")[2]

    def terminate(self) -> tuple[int, str]:
        """SIGTERM, and its end: exit code and what it has said on standard error."""
        self.process.send_signal(signal.SIGTERM)
        _, errors = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, errors

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate(timeout=PATIENCE)


@contextlib.contextmanager
def server(*arguments: str | Path) -> Iterator[ServerProcess]:
    found = ServerProcess(*arguments)
    try:
        yield found
    finally:
        if found.process.poll() is None:
            found.kill()


@contextlib.contextmanager
def listening_server(folder: Path, password: str) -> Iterator[tuple[ServerProcess, int]]:
    """One with a store in memory, to which SQL Server's clients come as sa. Yields its port, too."""
    file, port = folder / "sa", free_port()
    file.write_text(password, encoding="utf-8")
    with server("--listen", f"127.0.0.1:{port}", "--sa-password-file", file) as process:
        yield process, port


def run(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command line, to its end."""
    return subprocess.run(
        [*SBQL, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
        env={**os.environ, **environment},
    )


@contextlib.contextmanager
def served_connection(**settings: Any) -> Iterator[sbql.Connection]:
    """A connection through a door of this process: the client's side of everything, and a real
    socket. The clock moves when all wait."""
    with sbql.serve(clock="auto") as owner:
        connection = sbql.connect(endpoint=owner.endpoint.url, token=owner.endpoint.token, **settings)
        try:
            yield connection
        finally:
            connection.close()


SA_PASSWORD = "Letmein-1"


@contextlib.contextmanager
def tds_connection(**settings: Any) -> Iterator[sbql.Connection]:
    """The same by SQL Server's protocol."""
    with sbql.serve(clock="auto", listen="127.0.0.1:0", sa_password=SA_PASSWORD) as owner:
        connection = sbql.connect(server=address_of_tds(owner), user="sa", password=SA_PASSWORD, **settings)
        try:
            yield connection
        finally:
            connection.close()


@contextlib.contextmanager
def instance_by(way: str) -> Iterator[Any]:
    """A new instance: in this process ("here"), through a server ("served"), or by SQL Server's protocol
    ("served-tds")."""
    with contextlib.ExitStack() as stack:
        if way == "here":
            instance: Any = Instance.open(None)
            stack.callback(instance.close)
        elif way == "served":
            endpoint = stack.enter_context(sbql.serve()).endpoint
            instance = stack.enter_context(sbql.connect(endpoint=endpoint.url, token=endpoint.token)).instance
        else:
            owner = stack.enter_context(sbql.serve(listen="127.0.0.1:0", sa_password=SA_PASSWORD))
            there = sbql.connect(server=address_of_tds(owner), user="sa", password=SA_PASSWORD)
            instance = stack.enter_context(there).instance
        yield instance


def address_of_tds(owner: Any) -> str:
    """As `connect(server=…)` and -S take it."""
    return f"127.0.0.1,{owner.endpoints[1].port}"


def in_session(owner: Any, text: str) -> list[Any]:
    """A batch in a session of its own, in the process of the server; its outcomes."""
    session = owner.instance.connect()
    try:
        outcomes: list[Any] = session.run(text)
        return outcomes
    finally:
        session.close()


def is_waiting(owner: Any, spid: int) -> bool:
    """Whether the batch of a session has come to something that it waits for."""
    session = owner.instance.sessions.get(spid)
    return session is not None and session.is_running and session.waiting_for is not None
