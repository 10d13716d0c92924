"""What a client listens to: the error log and trace events of its server, from a thread of its own.

It must not know who wants to hear it, nor what carries the messages.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from typing import Any

from sbql.engine.server import forks
from sbql.engine.server.messages import ALIVE, error_from, pack, unpack
from sbql.engine.server.transport import Stream, gone
from sbql.grammar.errors import SqlError

__all__ = ["RemoteListener"]


class RemoteListener:
    """Made by `Client.listen`. Ends with `stop`, or with the server."""

    def __init__(self, url: str, stream: Stream, hear: Callable[[list[Any]], None]) -> None:
        """Returns when the server listens on our behalf. `hear` gets each event, in the listener's thread. Raises SqlError."""
        self._stream = stream
        forks.holds(self)
        first = stream.receive()
        answer = unpack(first) if first is not None else None
        if not isinstance(answer, list) or answer[0] != "opened":
            stream.finish()
            raise error_from(answer[1]) if isinstance(answer, list) and answer[0] == "refused" else gone(url)
        stream.send(pack(["listen"]))
        self._hear = hear
        threading.Thread(target=self._listen, name="sbql-listener", daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(SqlError):
            while (message := self._stream.receive()) is not None and (event := unpack(message)) != ["ended"]:
                if message != ALIVE:
                    self._hear(event)
        self._stream.finish()

    def stop(self) -> None:
        self._stream.abandon()

    def disown(self) -> None:
        """In the child of a fork."""
