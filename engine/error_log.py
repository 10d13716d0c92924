"""The instance's error log: lines with a message number, kept in memory, handed to listeners as they come, and written
to a file.

PRINT and errors of activated procedures land here (9724), as do queue disabling and failed activations. It decides how
many lines one cause may write: what fails in a loop must not push everything else out of the log.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, replace

from sbql.engine.host import Host, local_time

__all__ = ["MOST_A_MINUTE", "ErrorLog", "LogFile", "LogRecord"]

_RECORDS_MAX = 10_000
_MINUTE = 60.0
MOST_A_MINUTE = 10
"""Lines a minute of one cause, unless its writer says otherwise."""
_CAUSES_MAX = 1000


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


@dataclass(slots=True)
class _Minute:
    """What one cause has written since `began`; `last` is the record that was held back last."""

    began: float
    written: int = 0
    held: int = 0
    last: LogRecord | None = None

    def note(self, now: float) -> list[LogRecord]:
        """What is to be said of the lines that were held back."""
        if self.last is None:
            return []
        held = "1 more line" if self.held == 1 else f"{self.held} more lines"
        return [replace(self.last, time=now, text=f"{held} like this within a minute, held back: {self.last.text}")]


class ErrorLog:
    """The newest records; older ones are dropped beyond a bound. Iterable, oldest first."""

    def __init__(self) -> None:
        self._minutes: dict[Hashable, _Minute] = {}
        self._records: deque[LogRecord] = deque(maxlen=_RECORDS_MAX)
        self._listeners: list[Callable[[LogRecord], None]] = []
        self._mutex = threading.Lock()
        self.written = 0

    def write(self, record: LogRecord, cause: Hashable = None, most: int | None = None) -> None:
        """Append a record, unless its cause (None: its number and text) has written `most` within a minute (None: 10).
        How many were held back is written when the minute is over and the next record comes, whichever that is."""
        cause = (record.number, record.text) if cause is None else cause
        with self._mutex:
            fresh = self._notes(record.time)
            minute = self._minutes.setdefault(cause, _Minute(record.time))
            if minute.written < (MOST_A_MINUTE if most is None else most):
                minute.written += 1
                fresh.append(record)
            else:
                minute.held += 1
                minute.last = record
            listeners = self._append(fresh)
        _tell(listeners, fresh)

    def flush(self, now: float) -> None:
        """Say at once what was held back until now, as nothing may come any more."""
        with self._mutex:
            fresh = self._notes(now, is_end=True)
            listeners = self._append(fresh)
        _tell(listeners, fresh)

    def _notes(self, now: float, *, is_end: bool = False) -> list[LogRecord]:
        """With the mutex: what minutes that are over have to say. A clock that goes back ends a minute, too."""
        is_end = is_end or len(self._minutes) >= _CAUSES_MAX
        over = [c for c, m in self._minutes.items() if is_end or not m.began <= now < m.began + _MINUTE]
        return [note for cause in over for note in self._minutes.pop(cause).note(now)]

    def _append(self, records: list[LogRecord]) -> list[Callable[[LogRecord], None]]:
        self._records.extend(records)
        self.written += len(records)
        return list(self._listeners)

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


def _tell(listeners: list[Callable[[LogRecord], None]], records: list[LogRecord]) -> None:
    for record in records:
        for listener in listeners:
            listener(record)


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
