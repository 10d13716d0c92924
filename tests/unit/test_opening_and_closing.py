"""Each step of opening and of closing an instance fails: no file stays open, no thread is left, and the store can be
opened again with all that was committed."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from told import told

from sbql.catalog.broker_log import BrokerLog
from sbql.catalog.message_counts import MessageCounts
from sbql.catalog.row_cache import RowCache
from sbql.catalog.store import Store
from sbql.catalog.store_session import StoreSession
from sbql.engine import ending, instance as instances
from sbql.engine.error_log import ErrorLog, LogFile
from sbql.engine.instance import Instance
from sbql.engine.scheduler import Scheduler
from sbql.engine.server_files import ServerFiles
from sbql.engine.session import Session
from sbql.grammar.errors import SqlError, sql_error

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="looks there which files are open")


class Sender:
    """A transmitter with nothing to send."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def catalog_changed(self) -> None: ...
    def reloaded(self) -> None: ...


OPENING: dict[str, tuple[object, str]] = {
    "row cache": (RowCache, "limit"),
    "text functions": (instances, "announce_text_functions"),
    "loading": (instances, "fill"),
    "kept log": (ErrorLog, "load"),
    "scheduler": (Scheduler, "start"),
    "sender": (Sender, "start"),
    "ending": (ending, "adopt"),
    "collisions": (instances, "told_collisions"),
    "listening": (ErrorLog, "listen"),
}
CLOSING: dict[str, tuple[object, str]] = {
    "scheduler": (Scheduler, "stop"),
    "sender": (Sender, "stop"),
    "work": (ending, "stop_work"),
    "session": (Session, "close"),
    "held lines": (ErrorLog, "flush"),
    "kept log": (Instance, "save_log"),
    "store": (Store, "close"),
    "fold": (Store, "fold"),
    "broker's log": (BrokerLog, "close"),
    "counts": (MessageCounts, "close"),
    "connection": (StoreSession, "close"),
    "memory": (instances, "set_limit"),
    "files": (ServerFiles, "close"),
    "log": (LogFile, "close"),
}
THREADS = ("sbql-committer", "sbql-fold", "sbql-broker")
ERRORS: dict[str, Callable[[], BaseException]] = {
    "RuntimeError": lambda: RuntimeError("can't start new thread"),
    "OSError": lambda: OSError(5, "Input/output error"),
    "SqlError": lambda: sql_error(6005),
    "KeyboardInterrupt": KeyboardInterrupt,
}


def fail(monkeypatch: pytest.MonkeyPatch, place: tuple[object, str], error: BaseException) -> None:
    """What stands there is done, and then, once, it fails."""
    owner, name = place
    real = getattr(owner, name)
    left = [error]

    def failing(*arguments: Any, **named: Any) -> Any:
        found = real(*arguments, **named)
        if left:
            raise left.pop()
        return found

    monkeypatch.setattr(owner, name, failing)


def refuse_thread(monkeypatch: pytest.MonkeyPatch, name: str, error: BaseException) -> None:
    start = threading.Thread.start

    def begin(self: threading.Thread) -> None:
        if self.name == name:
            raise error
        start(self)

    monkeypatch.setattr(threading.Thread, "start", begin)


def opened(folder: Path) -> Instance:
    return Instance.open(str(folder / "s.duckdb"), error_log=str(folder / "log.txt"), network=lambda instance: Sender())  # type: ignore[arg-type, return-value]


@pytest.fixture
def before() -> list[threading.Thread]:
    return threading.enumerate()


def nothing_is_left(folder: Path, before: list[threading.Thread]) -> None:
    files = [
        os.readlink(f"/proc/self/fd/{number}")
        for number in os.listdir("/proc/self/fd")
        if os.path.islink(f"/proc/self/fd/{number}")
    ]
    assert not [file for file in files if file.startswith(str(folder))]
    assert not [thread for thread in threading.enumerate() if thread.name in THREADS and thread not in before]


def is_there(folder: Path, before: list[threading.Thread]) -> None:
    nothing_is_left(folder, before)
    instance = opened(folder)
    assert told(instance.connect(), "SELECT n FROM msdb.dbo.t") == [(1,)]
    instance.close()
    nothing_is_left(folder, before)


def made(folder: Path) -> Instance:
    instance = opened(folder)
    assert not told(instance.connect("msdb"), "CREATE TABLE t (n int); INSERT t VALUES (1)")
    return instance


@pytest.mark.matrix
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("step", [*OPENING, *THREADS])
def test_a_step_of_opening_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: list[threading.Thread], step: str, error: str
) -> None:
    made(tmp_path).close()
    if step in OPENING:
        fail(monkeypatch, OPENING[step], ERRORS[error]())
    else:
        refuse_thread(monkeypatch, step, ERRORS[error]())
    with pytest.raises((RuntimeError, OSError, SqlError, KeyboardInterrupt)):
        opened(tmp_path)
    monkeypatch.undo()
    is_there(tmp_path, before)


@pytest.mark.matrix
@pytest.mark.parametrize("error", ERRORS)
@pytest.mark.parametrize("step", CLOSING)
def test_a_step_of_closing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, before: list[threading.Thread], step: str, error: str
) -> None:
    instance = made(tmp_path)
    instance.connect()
    fail(monkeypatch, CLOSING[step], ERRORS[error]())
    try:
        instance.close()
    except (RuntimeError, OSError, SqlError, KeyboardInterrupt):
        assert step != "fold" or error != "SqlError", "a fold can be made up for"
    monkeypatch.undo()
    is_interrupted = error == "KeyboardInterrupt" and step in (
        "session",
        "connection",
    )  # while sessions were being ended
    if step == "work" or is_interrupted:  # for all it knows something runs in the store
        instance.close()
    nothing_is_left(tmp_path, before)
    instance.close()
    is_there(tmp_path, before)
