"""The instance's error log: lines with a message number, kept in memory and handed to listeners as they come.

PRINT and errors of activated procedures land here (9724), as do queue disabling and failed activations. It decides nothing.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

__all__ = ["ErrorLog", "LogRecord"]

_RECORDS_MAX = 10_000


@dataclass(frozen=True, slots=True)
class LogRecord:
    """`time` is seconds since 1970-01-01 UTC; `source` names who wrote it, such as "spid 23s"."""

    time: float
    number: int
    text: str
    source: str


class ErrorLog:
    """The newest records; older ones are dropped beyond a bound. Iterable, oldest first."""

    def __init__(self) -> None:
        self._records: deque[LogRecord] = deque(maxlen=_RECORDS_MAX)
        self._listeners: list[Callable[[LogRecord], None]] = []
        self._mutex = threading.Lock()
        self.written = 0

    def write(self, record: LogRecord) -> None:
        with self._mutex:
            self._records.append(record)
            self.written += 1
            listeners = list(self._listeners)
        for listener in listeners:
            listener(record)

    def listen(self, listener: Callable[[LogRecord], None]) -> Callable[[], None]:
        """Call `listener` for each new record. Returns what stops it."""
        with self._mutex:
            self._listeners.append(listener)

        def stop() -> None:
            with self._mutex:
                if listener in self._listeners:
                    self._listeners.remove(listener)

        return stop

    def __iter__(self) -> Iterator[LogRecord]:
        with self._mutex:
            return iter(list(self._records))

    def __len__(self) -> int:
        return len(self._records)
