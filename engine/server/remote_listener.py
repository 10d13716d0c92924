"""What a client listens to: the error log and trace events of its server, from a thread of its own.

It must not know who wants to hear it, nor what carries the messages.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Callable
from typing import Any

from sbql.engine.server import forks
from sbql.engine.server.messages import ALIVE, error_from, pack, unpack
from sbql.engine.server.transport import Stream, gone
from sbql.grammar.errors import SqlError

__all__ = ["RemoteListener", "join_last_words", "tell_lost"]

_LAST_WORDS = 5.0
"""Seconds without one of the events that arose before the end: no other comes."""


def tell_lost(count: int) -> None:
    logging.getLogger("sbql").warning("a listener does not keep up: it has lost %d events", count)


def join_last_words(thread: threading.Thread, heard: Callable[[], int]) -> None:
    """Wait for a listener that is ending, as long as it hears one event after the other: `heard` counts them."""
    before = -1
    while thread.is_alive() and heard() != before:
        before = heard()
        thread.join(_LAST_WORDS)


class RemoteListener:
    """Made by `Client.listen`. Ends with `stop`, or with the server."""

    def __init__(
        self, url: str, stream: Stream, hear: Callable[[list[Any]], None], unlisten: Callable[[str, str], None]
    ) -> None:
        """Returns when the server listens on our behalf. `hear` gets each event, in the listener's thread; `unlisten`
        asks the server to end the listener of that name, and says why, for the error log. Raises SqlError."""
        self._stream = stream
        forks.holds(self)
        first = stream.receive()
        answer = unpack(first) if first is not None else None
        if not isinstance(answer, list) or answer[0] != "opened":
            stream.finish()
            raise error_from(answer[1]) if isinstance(answer, list) and answer[0] == "refused" else gone(url)
        try:
            stream.send(pack(["listen"]))
        except SqlError:
            stream.finish()
            raise
        self._name = str(answer[1].get("name"))
        self._hear = hear
        self._heard = 0
        self._unlisten = unlisten
        self._thread = threading.Thread(target=self._listen, name="sbql-listener", daemon=True)
        try:
            self._thread.start()
        except BaseException:
            stream.abandon()
            raise

    def _listen(self) -> None:
        with contextlib.suppress(SqlError):
            while (message := self._stream.receive()) is not None and (event := unpack(message)) != ["ended"]:
                if message != ALIVE:
                    if event[0] == "lost":
                        tell_lost(event[1])
                        continue
                    self._heard += 1
                    try:
                        self._hear(event)
                    except Exception as error:
                        self._unlisten(self._name, repr(error))
                        self._stream.abandon()
                        break
        self._stream.finish()

    def stop(self) -> None:
        """What has arisen until now is heard first, for as long as it comes."""
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._unlisten(self._name, "")
            join_last_words(self._thread, lambda: self._heard)
        self._stream.abandon()

    def disown(self) -> None:
        """In the child of a fork."""
