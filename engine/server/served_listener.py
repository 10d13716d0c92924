"""A client that listens: lines of the error log and trace events go to it as they arise.

It decides what may be listened to, and by whom: members of sysadmin. It must not know what the client does with it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from sbql.engine.broker.trace import TraceEvent
from sbql.engine.error_log import LogRecord
from sbql.engine.event_queue import EventQueue
from sbql.engine.instance import Instance
from sbql.engine.server.messages import pack
from sbql.grammar.errors import SqlError

__all__ = ["ServedListener"]


class ServedListener:
    """Of one stream. The only request is the first: what is wanted. Events are queued where they arise, for whoever
    causes them must not wait for a client, and sent by the thread of the stream; a client that does not keep up loses
    the oldest, and is told how many."""

    def __init__(self, name: str, instance: Instance, asked: dict[str, Any], send: Callable[[bytes], None]) -> None:
        """`asked`: {"log": True} or {"trace": classes}. Whoever knows `name` may end it.
        Raises SqlError for an unknown class."""
        self.name = name
        self._send = send
        self.is_closed = self._is_over = False
        self._news = threading.Event()
        self._events: EventQueue[list[Any]] = EventQueue(self._news.set)
        if asked.get("log"):
            self._stop = instance.error_log.listen(self._log)
        else:
            try:
                self._stop = instance.trace(self._trace, *map(str, asked.get("trace", ())))
            except KeyError as error:
                raise SqlError(4002, f"There is no event class {error}.") from None

    def greet(self) -> None:
        """Tell the client that it listens, and by which name it ends that. Raises OSError when it is gone."""
        self._send(pack(["opened", {"name": self.name}]))

    def _log(self, record: LogRecord) -> None:
        self._events.put(["log", record.time, record.number, record.text, record.source])

    def _trace(self, event: TraceEvent) -> None:
        self._events.put(["trace", list(event)])

    def handle(self, request: bytes) -> None:
        """Send events until the client is gone, or the server ends. Raises OSError."""
        is_last = False
        while not is_last:
            self._news.wait()
            self._news.clear()
            is_last = self._is_over  # what arose before it is over is in the queue
            for lost, event in self._events.take():
                if lost:
                    self._send(pack(["lost", lost]))
                self._send(pack(event))
        if not self.is_closed:
            self._send(pack(["ended"]))

    def lost(self) -> None:
        self._is_over = True
        self._news.set()

    def end(self) -> None:
        """Nothing that arises from now on is told; what has arisen is."""
        self._stop()
        self.lost()

    def close(self) -> None:
        self.is_closed = True
        self._stop()
        self.lost()
