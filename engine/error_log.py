"""The instance's error log: lines with a message number, kept in memory, handed to listeners as they come, and written
to a file.

PRINT and errors of activated procedures land here (9724), as do queue disabling and failed activations. It decides
nothing.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sbql.engine.host import Host, local_time

__all__ = ["ErrorLog", "LogFile", "LogRecord"]

_RECORDS_MAX = 10_000


@dataclass(frozen=True, slots=True)
class LogRecord:
    """`time` is seconds since 1970-01-01 UTC; `source` names who wrote it, such as "spid 23s"."""

    time: float
    number: int
    text: str
    source: str

    @property
    def process_info(self) -> str:
        """ProcessInfo as sp_readerrorlog shows it, such as "spid23s"."""
        return self.source.replace(" ", "")


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


class LogFile:
    """Appends each record to a file, in the columns of SQL Server's ERRORLOG: date and time, process, text. UTF-8.

    A disk that is full or gone must not stop the broker: what cannot be written is only in memory.
    """

    def __init__(self, path: str | os.PathLike[str], host: Host) -> None:
        self._host = host
        self._mutex = threading.Lock()
        self._file = open(path, "a", encoding="utf-8", errors="replace")  # noqa: SIM115 (closed by close)

    def write(self, record: LogRecord) -> None:
        time = local_time(self._host, record.time).strftime("%Y-%m-%d %H:%M:%S.%f")[:-4]
        with self._mutex, contextlib.suppress(OSError, ValueError):
            self._file.write(f"{time} {record.process_info:<11} {record.text}\n")
            self._file.flush()

    def close(self) -> None:
        with self._mutex, contextlib.suppress(OSError):
            self._file.close()
