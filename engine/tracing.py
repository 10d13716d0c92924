"""Who listens to the broker's trace: adds to each event who caused it and when, and hands it on.

Decides delivery: in the thread and at the moment of the event, to each listener that asked for its class. A listener
that raises is dropped, with a line in the error log: the broker goes on. While nobody listens the broker has no sink at
all.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from sbql.catalog.records import Database, Queue, Schema, Service
from sbql.engine.broker.trace import CLASSES, TraceEvent, TraceSink, class_name, event_line
from sbql.engine.host import local_time
from sbql.engine.ports import Instance

__all__ = ["UNNAMED", "TraceFile", "Tracing"]

UNNAMED: Final = "SBQL"
"""What an instance is called that nobody has given a name."""


class Tracing:
    """The trace of an instance: its listeners, and what is filled in on the way to them."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self._store = Path(instance.store.path).stem if instance.store.path is not None else ""
        self._listeners: list[tuple[TraceSink, frozenset[str]]] = []
        self._mutex = threading.Lock()

    def listen(self, sink: TraceSink, classes: Iterable[str] = ()) -> Callable[[], None]:
        """Call `sink` for each event of `classes` (none: all). Returns what stops it. Raises KeyError for an unknown
        class."""
        entry = (sink, frozenset(map(class_name, classes)) or frozenset(CLASSES))
        with self._mutex:
            self._listeners = [*self._listeners, entry]
            self._instance.broker.trace = self._deliver

        def stop() -> None:
            self._drop(entry)

        return stop

    @property
    def _instance_name(self) -> str:
        """All instances are called alike, unless somebody calls them otherwise: then the store tells them apart."""
        name = self._instance.name
        return self._store or name if name == UNNAMED else name

    def _names(self, event: TraceEvent) -> tuple[str, str, str]:
        """Service, database and queue of an event; '' for what it has not, or only an open transaction knows."""
        catalog, database_id = self._instance.catalog, event.database_id
        database = catalog.get(Database, 0, database_id) if database_id else None
        service = catalog.get(Service, database_id, event.service_id) if event.service_id else None
        queue_id = service.queue_id if service is not None else event.object_id
        queue = catalog.get(Queue, database_id, queue_id) if queue_id else None
        schema = catalog.get(Schema, database_id, queue.schema_id) if queue is not None else None
        name = "" if queue is None else queue.name if schema is None else f"{schema.name}.{queue.name}"
        return ("" if service is None else service.name), ("" if database is None else database.name), name

    def _drop(self, entry: tuple[TraceSink, frozenset[str]]) -> None:
        with self._mutex:
            self._listeners = [e for e in self._listeners if e is not entry]
            if not self._listeners:
                self._instance.broker.trace = None

    def _deliver(self, event: TraceEvent) -> None:
        instance = self._instance
        session = instance.driver.current_session()
        spid = event.spid or (session.spid if session is not None else 0)
        service, database, queue = self._names(event)
        now = local_time(instance.host, instance.host.now())
        event = event._replace(
            spid=spid, start_time=now, service=service, database=database, queue=queue, instance=self._instance_name
        )
        for entry in self._listeners:
            sink, classes = entry
            if event.event_class not in classes:
                continue
            try:
                sink(event)
            except Exception as error:
                self._drop(entry)
                instance.log(0, f"A trace listener failed and is dropped: {error!r}")


class TraceFile:
    """A sink that writes each event as a line of JSON to a file, at once:
    `connection.trace(TraceFile("broker.jsonl"))`.

    What the file had is replaced. `close` when nobody traces into it any more. Raises OSError as `open` does.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._file = open(path, "w", encoding="utf-8", buffering=1)  # noqa: SIM115

    def __call__(self, event: TraceEvent) -> None:
        self._file.write(event_line(event) + "\n")

    def close(self) -> None:
        self._file.close()
