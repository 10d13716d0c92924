"""Connections that come while the door closes, or while the computer has no thread for them."""

from __future__ import annotations

import socket
import threading
from typing import Any

import pytest

from sbql.engine.server import tds_door
from sbql.engine.server.doors import Keys
from sbql.engine.server.tds_door import TdsDoor


class Server:
    """What a door belongs to: it only logs here."""

    def __init__(self) -> None:
        self.lines: list[int] = []

    def log(self, number: int, text: str) -> None:
        self.lines.append(number)


class Prelogin:
    """A connection that waits for its client, or for the door to say goodbye."""

    entering = threading.Event()
    may_enter = threading.Event()

    def __init__(self, sock: socket.socket, *others: Any) -> None:
        self.sock = sock
        self.goodbye = threading.Event()
        self.entering.set()
        assert self.may_enter.wait(30)

    def serve(self) -> None:
        self.sock.sendall(b"hello")
        assert self.goodbye.wait(30)

    def hang_up(self) -> None:
        self.sock.close()

    def look(self) -> None: ...

    def say_goodbye(self) -> None:
        self.goodbye.set()


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> tuple[TdsDoor, Server]:
    server = Server()
    Prelogin.entering, Prelogin.may_enter = threading.Event(), threading.Event()
    monkeypatch.setattr(tds_door, "Connection", Prelogin)
    return TdsDoor(server, port=0, keys=Keys({}, b"", b"")), server  # type: ignore[arg-type]


def served() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "sbql-tds"]


def test_who_comes_while_it_closes_is_sent_away(door: tuple[TdsDoor, Server]) -> None:
    """Accepted before, and not known yet to whoever closes: it gets no thread that nobody would wait for."""
    opened, _ = door
    endpoint = opened.open()
    with socket.create_connection((endpoint.host, endpoint.port), timeout=30) as client:
        assert Prelogin.entering.wait(30)
        assert opened.close(1.0)
        Prelogin.may_enter.set()
        assert client.recv(1) == b""
    assert not served()


def test_who_has_come_is_told(door: tuple[TdsDoor, Server]) -> None:
    opened, _ = door
    endpoint = opened.open()
    Prelogin.may_enter.set()
    with socket.create_connection((endpoint.host, endpoint.port), timeout=30) as client:
        assert client.recv(5) == b"hello"
        assert opened.close(30.0)
        assert client.recv(1) == b"" and not served()


def test_without_a_thread_the_next_one_may_come(door: tuple[TdsDoor, Server], monkeypatch: pytest.MonkeyPatch) -> None:
    opened, server = door
    endpoint = opened.open()
    Prelogin.may_enter.set()
    start, refused = threading.Thread.start, []

    def begin(self: threading.Thread) -> None:
        if self.name == "sbql-tds" and not refused:
            refused.append(self)
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(threading.Thread, "start", begin)
    with socket.create_connection((endpoint.host, endpoint.port), timeout=30) as client:
        assert client.recv(1) == b""
    assert 17189 in server.lines
    with socket.create_connection((endpoint.host, endpoint.port), timeout=30) as client:
        assert client.recv(5) == b"hello"
    assert opened.close(30.0)


@pytest.mark.parametrize("name", ["sbql-tds-door", "sbql-tds-watch"])
def test_a_door_that_cannot_open_listens_to_nobody(
    door: tuple[TdsDoor, Server], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    opened, _ = door
    start = threading.Thread.start

    def begin(self: threading.Thread) -> None:
        if self.name == name:
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(threading.Thread, "start", begin)
    with pytest.raises(RuntimeError, match="new thread"):
        opened.open()
    assert opened._listener is None
    monkeypatch.undo()
