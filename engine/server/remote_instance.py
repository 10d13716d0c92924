"""RemoteInstance: an instance that runs in the process of the store's owner, for whoever has one here otherwise.

It decides which of an instance's methods work from afar, and how: the driver of PEP 249, the command line and the
prompt call either by the same names. Its clock is the owner's. It must not know what carries requests.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sbql.engine.broker.trace import CLASSES, TraceEvent, TraceSink
from sbql.engine.error_log import LogRecord
from sbql.engine.patience import NotAtRest, Patience, Report, Terms
from sbql.engine.server.client import Client, ServerFacts
from sbql.engine.server.elsewhere import InstanceElsewhere
from sbql.engine.server.remote_session import RemoteSession
from sbql.grammar.errors import SqlError

__all__ = ["RemoteInstance", "RemoteLoop"]

_LOOK = 0.5
"""Seconds that one question after idleness waits at the server."""


class RemoteInstance(InstanceElsewhere):
    """Made over a client. All methods are thread safe.

    Attributes: `name`; `loop`, with which a virtual clock is moved (None on a system clock); `facts`.
    """

    def __init__(self, client: Client, facts: ServerFacts) -> None:
        super().__init__()
        self.client = client
        self.facts = facts
        self.name = facts.name
        self.loop = RemoteLoop(client) if facts.clock == "virtual" else None
        self._failures_before = self._status()["failures"]

    def connect(self, database: str = "master", login: str = "", *, admin: bool = False) -> RemoteSession:
        """A new session. `login`: another one than the token's, for a sysadmin. Raises as `Instance.connect`."""
        found = self.client.session(database, login=login, admin=admin)
        self._sessions.add(found)
        return found

    def _status(self) -> dict[str, Any]:
        found: dict[str, Any] = self.client.act("status", {})
        return found

    def busy(self) -> list[str]:
        """For people: who keeps the instance from being idle."""
        return [str(text) for text in self._status()["busy"]]

    @property
    def failures(self) -> int:
        """Activated tasks that have failed since we connected."""
        return int(self._status()["failures"]) - int(self._failures_before)

    def wait_idle(self, timeout: float | None = None, report: Report | None = None) -> bool:
        """As `Instance.wait_idle`."""
        patience = Patience(self.busy, Terms(), timeout, report)
        while True:
            seconds = _LOOK if timeout is None else min(_LOOK, patience.left())
            if self.client.act("wait_idle", {"seconds": seconds, "limit": timeout}):
                return True
            if patience.is_over():
                return False

    def listen_log(self, listener: Callable[[LogRecord], None]) -> Callable[[], None]:
        """Call `listener` for each new line of the error log. Returns what stops it. A login
        without the right to it hears nothing."""
        try:
            return self._listen({"log": True}, lambda event: listener(LogRecord(*event[1:])))
        except SqlError:
            return lambda: None

    def trace(self, sink: TraceSink, *classes: str) -> Callable[[], None]:
        """As `Instance.trace`; `sink` is called in a thread of its own. Raises KeyError for an unknown
        class, SqlError without the right."""
        known = {name.lower() for name in CLASSES} | {name.partition(":")[2].lower() for name in CLASSES}
        for name in classes:
            if name.lower() not in known:
                raise KeyError(name)
        return self._listen({"trace": list(classes)}, lambda event: sink(TraceEvent(*event[1])))

    def _listen(self, asked: dict[str, Any], hear: Callable[[list[Any]], None]) -> Callable[[], None]:
        return self.until_closed(self.client.listen(asked, hear).stop)


class RemoteLoop:
    """The virtual clock of a server."""

    def __init__(self, client: Client) -> None:
        self._client = client

    def advance(self, seconds: float) -> None:
        """As `LoopDriver.advance`."""
        self._ask("advance", {"seconds": seconds})

    def settle(self, *, limit: float | None = None, report: Report | None = None) -> None:
        """As `LoopDriver.settle`; nothing is reported meanwhile."""
        self._ask("settle", {"limit": limit})

    def _ask(self, name: str, request: dict[str, Any]) -> None:
        busy = self._client.act(name, request)
        if busy is not None:
            raise NotAtRest(str(busy))
