"""Rows of sys.dm_os_performance_counters: the counters of Service Broker, with what the engine has counted.

Decides names, types and which number stands behind a counter. A counter "/sec" is a running total, as on SQL Server:
whoever reads it twice divides the difference by the time. Averages that have no base beside them are averages. What is
0 always belongs to buffers and tables in tempdb that sbql does not have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from sbql.catalog import live_relations as live
from sbql.catalog.records import Database
from sbql.engine.broker.counters import TransportTotals
from sbql.engine.broker.state import BrokerState
from sbql.engine.ports import Instance

__all__ = ["performance_counters"]

RAW: Final = 65792
"""PERF_COUNTER_LARGE_RAWCOUNT: the value as it is."""
RATE: Final = 272696576
"""PERF_COUNTER_BULK_COUNT: a running total from which a rate is made."""
AVERAGE: Final = 1073874176
"""PERF_AVERAGE_BULK: to be divided by its base."""
BASE: Final = 1073939712
"""PERF_LARGE_RAW_BASE: the base of an average."""

_STATISTICS: Final = "SQLServer:Broker Statistics"
_ACTIVATION: Final = "SQLServer:Broker Activation"
_OBJECTS: Final = "SQLServer:Broker TO Statistics"
_TRANSPORT: Final = "SQLServer:Broker/DBM Transport"
_TOTAL: Final = "_Total"

_NO_BUFFERS: Final = (
    "Current Bytes for Recv I/O", "Current Msg Frags for Send I/O", "Recv I/O Buffer Copies Count", "Recv I/O Buffer Copies bytes/sec",
)  # fmt: skip
"""Nothing is read ahead into buffers, or copied out of them; what a connection has been given is bytes."""

_NO_TABLES: Final = (
    "Avg. Length of Batched Writes", "Avg. Time Between Batches (ms)", "Avg. Time Between Batches Base",
    "Avg. Time to Write Batch (ms)", "Avg. Time to Write Batch Base", "Tran Object Writes/sec", "Tran Objects Marked Dirty/sec",
)  # fmt: skip
"""Transmission objects are what a dialog with another instance keeps of its transmission: here in memory
alone, made again from what is stored."""


def performance_counters(instance: Instance) -> Iterator[live.PerformanceCounter]:
    """Those of Service Broker, by object, counter and database."""
    for name, value in _statistics(instance):
        yield _counter(_STATISTICS, name, "", value)
    databases = [(0, _TOTAL), *((database.id, database.name) for database in instance.catalog.all(Database))]
    for database_id, database in databases:
        for name, value in _activation(instance, database_id):
            yield _counter(_ACTIVATION, name, database, value)
    yield _counter(_OBJECTS, "Tran Object Gets/sec", "", instance.broker.counters.dialog_lookups)
    for name in _NO_TABLES:
        yield _counter(_OBJECTS, name, "", 0)
    for name, value in _transport(instance):
        yield _counter(_TRANSPORT, name, "", value)


def _counter(group: str, name: str, database: str, value: int) -> live.PerformanceCounter:
    return live.PerformanceCounter(
        object_name=group, counter_name=name, instance_name=database, cntr_value=value, cntr_type=_type(name)
    )


def _type(name: str) -> int:
    if name.endswith("/sec"):
        return RATE
    if name.endswith(" Base"):
        return BASE
    return AVERAGE if name.startswith("Avg. ") else RAW


def _open_endpoints(state: BrokerState) -> int:
    resting = state.resting
    return sum(1 for c in list(state.endpoints.values()) if c.endpoint.state != "CD") + resting.count - resting.closed


def _statistics(instance: Instance) -> Iterator[tuple[str, int]]:
    state, scheduler = instance.broker, instance.scheduler
    counters = state.counters
    enqueued = sum(counters.enqueued)
    yield "Activation Errors Total", sum(scheduler.tasks_aborted.values())
    yield "Broker Transaction Rollbacks", counters.rollbacks
    yield "Dequeued TransmissionQ Msgs/sec", counters.dequeued_transmissions
    yield "Dialog Timer Event Count", _open_endpoints(state)
    yield "Dropped Messages Total", counters.dropped
    transport = counters.transport_messages
    waiting = instance.transmitter.forwarded_waiting() if instance.transmitter is not None else (0, 0)
    for total, rate, value in (
        ("Enqueued Local Messages Total", "Enqueued Local Messages/sec", enqueued - transport),
        ("Enqueued Messages Total", "Enqueued Messages/sec", enqueued),
        ("Enqueued Transport Msg Frag Tot", "Enqueued Transport Msg Frags/sec", counters.transport_fragments),
        ("Enqueued Transport Msgs Total", "Enqueued Transport Msgs/sec", transport),
        ("Forwarded Messages Total", "Forwarded Messages/sec", counters.forwarded),
        ("Forwarded Msg Byte Total", "Forwarded Msg Bytes/sec", counters.forwarded_bytes),
        ("Forwarded Msg Discarded Total", "Forwarded Msgs Discarded/sec", counters.forwarded_discarded),
    ):
        yield total, value
        yield rate, value
    yield "Corrupted Messages Total", counters.corrupted
    yield "Forwarded Pending Msg Bytes", waiting[0]
    yield "Forwarded Pending Msg Count", waiting[1]
    for priority in range(1, 11):
        yield f"Enqueued P{priority} Messages/sec", counters.enqueued[priority]
    yield "Enqueued TransmissionQ Msgs/sec", counters.enqueued_transmissions
    yield "SQL RECEIVE Total", counters.receives
    yield "SQL RECEIVEs/sec", counters.receives
    yield "SQL SEND Total", counters.sends
    yield "SQL SENDs/sec", counters.sends


def _transport(instance: Instance) -> Iterator[tuple[str, int]]:
    """Of all connections with other instances."""
    found = instance.transmitter.traffic() if instance.transmitter is not None else TransportTotals()
    yield "Open Connection Count", found.connections
    for priority in range(1, 11):
        yield f"Message Fragment P{priority} Sends/sec", instance.broker.counters.sent_fragments[priority]
    yield "Message Fragment Sends/sec", found.fragments_sent
    yield "Message Fragment Receives/sec", found.fragments_received
    yield "Msg Fragment Send Size Avg", _average(found.fragment_bytes_sent, found.fragments_sent)
    yield "Msg Fragment Recv Size Avg", _average(found.fragment_bytes_received, found.fragments_received)
    yield "Current Bytes for Send I/O", found.current_bytes
    yield "Pending Bytes for Send I/O", found.pending_bytes
    yield "Pending Msg Frags for Send I/O", found.pending_fragments
    yield "Pending Bytes for Recv I/O", found.incomplete_bytes
    yield "Pending Msg Frags for Recv I/O", found.incomplete_fragments
    for word, count, size in (
        ("Send", found.sends, found.bytes_sent),
        ("Receive", found.receives, found.bytes_received),
    ):
        yield f"{word} I/Os/sec", count
        yield f"{word} I/O bytes/sec", size
        yield f"{word} I/O Bytes Total", size
        yield f"{word} I/O Len Avg", _average(size, count)
    for name in _NO_BUFFERS:
        yield name, 0


def _average(total: int, count: int) -> int:
    return total // count if count else 0


def _activation(instance: Instance, database_id: int) -> Iterator[tuple[str, int]]:
    """Of one database; 0: of all together."""
    scheduler = instance.scheduler

    def of(counts: dict[int, int]) -> int:
        return counts.get(database_id, 0) if database_id else sum(counts.values())

    def concerns(thing: Any) -> bool:
        return not database_id or thing.database_id == database_id

    monitors = list(instance.broker.monitors.values())
    limit_reached = sum(monitor.task_limit_reached for monitor in monitors if concerns(monitor))
    yield "Stored Procedures Invoked/sec", of(scheduler.tasks_started)
    yield "Task Limit Reached", limit_reached
    yield "Task Limit Reached/sec", limit_reached
    yield "Tasks Aborted/sec", of(scheduler.tasks_aborted)
    yield "Tasks Running", sum(1 for task in list(scheduler.tasks.values()) if concerns(task.queue))
    yield "Tasks Started/sec", of(scheduler.tasks_started)
