"""The instance's error log: lines with a message number, kept in memory, handed to listeners as they come, and written
to a file.

PRINT and errors of activated procedures land here (9724), as do queue disabling and failed activations. It decides how
many lines one cause may write: what fails in a loop must not push everything else out of the log.
"""

from __future__ import annotations

import contextlib
import datetime
import json
import os
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

import msgspec
from msgspec import Struct

from sbql.catalog.stored_log import LogLine
from sbql.engine.host import Host, local_time
from sbql.grammar.messages import all_messages

__all__ = ["MOST_A_MINUTE", "ErrorLog", "JsonLogFile", "LogFile", "LogRecord", "json_line"]

_RECORDS_MAX = 10_000
_MINUTE = 60.0
MOST_A_MINUTE = 10
"""Lines a minute of one cause, unless its writer says otherwise."""
_CAUSES_MAX = 1000
_ARCHIVES = 6
"""Logs that sp_cycle_errorlog leaves behind, as many as a server keeps."""


class LogRecord(Struct, frozen=True):
    """`time` is seconds since 1970-01-01 UTC; `source` names who wrote it, such as "spid 23s"."""

    time: float
    number: int
    text: str
    source: str

    @property
    def process_info(self) -> str:
        """ProcessInfo as sp_readerrorlog shows it, such as "spid23s"."""
        return self.source.replace(" ", "")


class _Minute(Struct):
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
        return [
            msgspec.structs.replace(
                self.last, time=now, text=f"{held} like this within a minute, held back: {self.last.text}"
            )
        ]


class ErrorLog:
    """The newest records of the current cycle; older ones are dropped beyond a bound. Iterable, oldest first.

    `archive(n)` has the cycles before. `unsaved` and `saved` are for whoever keeps it all
    somewhere, `load` for what was kept.
    """

    def __init__(self) -> None:
        self._archives: deque[tuple[LogRecord, ...]] = deque(maxlen=_ARCHIVES)
        self._cycle = 0
        self._unsaved = 0
        self._kept = 0
        self._is_anew = False
        self.loaded = 0
        """Records of the current cycle that were there before this instance."""
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
        self._tell(listeners, fresh)

    def flush(self, now: float) -> None:
        """Say at once what was held back until now, as nothing may come any more."""
        with self._mutex:
            fresh = self._notes(now, is_end=True)
            listeners = self._append(fresh)
        self._tell(listeners, fresh)

    def _tell(self, listeners: list[Callable[[LogRecord], None]], records: list[LogRecord]) -> None:
        """A listener that fails is nothing to whoever has something to log: the log
        says so, in memory and in the store."""
        for record in records:
            for listener in listeners:
                try:
                    listener(record)
                except Exception as error:
                    text = f"A listener of the error log failed: {error!r}"
                    with self._mutex:
                        self._append([msgspec.structs.replace(record, number=0, text=text)])

    def _notes(self, now: float, *, is_end: bool = False) -> list[LogRecord]:
        """With the mutex: what minutes that are over have to say. A clock that goes back ends a minute, too."""
        is_end = is_end or len(self._minutes) >= _CAUSES_MAX
        over = [c for c, m in self._minutes.items() if is_end or not m.began <= now < m.began + _MINUTE]
        return [note for cause in over for note in self._minutes.pop(cause).note(now)]

    def _append(self, records: list[LogRecord]) -> list[Callable[[LogRecord], None]]:
        self._records.extend(records)
        self.written += len(records)
        self._unsaved = min(self._unsaved + len(records), _RECORDS_MAX)
        return list(self._listeners)

    # --- cycles, and what is kept of them --------------------------------------------------------------------

    def cycle(self) -> None:
        """Begin a new log; the oldest one beyond six archives goes."""
        with self._mutex:
            self._archives.appendleft(tuple(self._records))
            self._records.clear()
            self._cycle += 1
            self._unsaved, self._is_anew = 0, True

    def archive(self, number: int) -> Sequence[LogRecord]:
        """Log `number`: 0 the current one, 1 the one before it. Empty when there is none."""
        with self._mutex:
            logs: list[Sequence[LogRecord]] = [list(self._records), *self._archives]
        return logs[number] if 0 <= number < len(logs) else ()

    def load(self, lines: Iterable[LogLine]) -> None:
        """What an earlier instance has kept. To be called first."""
        with self._mutex:
            for cycle, time, number, text, source in lines:
                if cycle != self._cycle:
                    if self._records:
                        self._archives.appendleft(tuple(self._records))
                    self._records.clear()
                    self._cycle = cycle
                self._records.append(LogRecord(time, number, text, source))
                self._kept += 1
            self.loaded = len(self._records)

    def unsaved(self) -> tuple[list[LogLine], bool, int]:
        """What is still to be kept, whether in the place of all that was (there has been a cycle, or it has
        become much), and a mark for `saved`."""
        with self._mutex:
            is_anew = self._is_anew or self._kept > 2 * _RECORDS_MAX * (1 + len(self._archives))
            fresh = list(self._records)[len(self._records) - self._unsaved :] if not is_anew else list(self._records)
            cycles = [(self._cycle, fresh)]
            if is_anew:
                cycles += [(self._cycle - age, list(records)) for age, records in enumerate(self._archives, 1)]
            lines = [(cycle, r.time, r.number, r.text, r.source) for cycle, records in cycles for r in records]
            return lines, is_anew, self.written

    def saved(self, count: int, is_anew: bool, mark: int) -> None:
        """`count` lines of `unsaved` are kept now."""
        with self._mutex:
            self._unsaved = min(self.written - mark, len(self._records))
            self._kept = count if is_anew else self._kept + count
            self._is_anew = self._is_anew and not is_anew

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

    def __init__(self, path: str | os.PathLike[str], host: Host | None) -> None:
        self._host = host
        self._mutex = threading.Lock()
        self._file = open(path, "a", encoding="utf-8", errors="replace")  # noqa: SIM115 (closed by close)

    def write(self, record: LogRecord) -> None:
        with self._mutex, contextlib.suppress(OSError, ValueError):
            self._file.write(f"{self._line(record)}\n")
            self._file.flush()

    def _line(self, record: LogRecord) -> str:
        assert self._host is not None
        time = local_time(self._host, record.time).strftime("%Y-%m-%d %H:%M:%S.%f")[:-4]
        return f"{time} {record.process_info:<11} {record.text}"

    def close(self) -> None:
        with self._mutex, contextlib.suppress(OSError):
            self._file.close()


class JsonLogFile(LogFile):
    """The same for programs: a JSON object a line."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        super().__init__(path, None)

    def _line(self, record: LogRecord) -> str:
        return json_line(record)


def json_line(record: LogRecord) -> str:
    """A record as a JSON object: its time in UTC, number and severity of its message, who wrote it, text."""
    time = datetime.datetime.fromtimestamp(record.time, datetime.UTC).isoformat(timespec="milliseconds")
    known = all_messages().get(record.number)
    severity = known.severity if known is not None else 0
    found = {
        "time": time.replace("+00:00", "Z"),
        "number": record.number,
        "severity": severity,
        "process": record.process_info,
    }
    return json.dumps({**found, "text": record.text}, ensure_ascii=False)
