"""The streaming source: a consumer of a queue as Spark's micro-batches ask for it.

Decides when what was read is acknowledged. Spark asks for the next offset only when the batch before it is in its
commit log, so the start of `latestOffset` is done; `commit` tells the same later, and after the last batch not at all.
An offset is a number of the consumer's log in each instance (`queue_logs`): everything up to it was delivered, and
reads the same for ever. `stop` is not relied on: a reader that comes later ends this one.

A constructor must not connect: Spark builds a reader in other processes, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    ReadMaxRows,
    SupportsTriggerAvailableNow,
)

from sbql.spark_udfs.columns import arrow_schema
from sbql.spark_udfs.engine_client import Engine, told
from sbql.spark_udfs.options import SourceOptions
from sbql.spark_udfs.packed_messages import MessageNames
from sbql.spark_udfs.queue_logs import Log, Logs

__all__ = ["QueueStreamReader", "lag"]

_EVERYTHING: Final = 1 << 40


@dataclass
class MessagePartition(InputPartition):  # type: ignore[misc]
    """The messages of a batch that one task reads: `count` of them."""

    log: str
    epoch: int
    start: int
    end: int
    partition: int
    partitions: int
    count: int
    delivery_count: int
    instance: int
    store: str


class QueueStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):  # type: ignore[misc]
    """See the module. `columns`: those that are read, in this order (all). `engines`, one for each endpoint, are for
    tests: otherwise the options say where they are."""

    def __init__(self, options: SourceOptions, *engines: Engine, columns: pa.Schema | None = None) -> None:
        self.options = options
        self.columns = arrow_schema(with_metadata=options.with_metadata) if columns is None else columns
        ways: Sequence[Engine | None] = engines or [None] * len(options.connections)
        self.logs = Logs([
            Log(connection, options.queue, options.consumer, engine, options.where)
            for connection, engine in zip(options.connections, ways, strict=True)
        ])  # fmt: skip
        self._bounds: list[int] | None = None

    # --- offsets -------------------------------------------------------------------------------------------

    @told
    def initialOffset(self) -> dict[str, Any]:
        """What a new checkpoint begins after: the last that is acknowledged."""
        return self.logs.first()

    def getDefaultReadLimit(self) -> ReadLimit:
        return ReadMaxRows(self.options.most_messages)

    @told
    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        places = self.logs.places(start)
        most_bytes = limit.max_bytes if isinstance(limit, ReadMaxBytes) else self.options.most_bytes
        if isinstance(limit, ReadAllAvailable):
            most_bytes = None
        most = limit.max_rows if isinstance(limit, ReadMaxRows) else _EVERYTHING
        if len(self.logs) == 1:
            ends = [self._deliver(0, places[0], most, most_bytes, **self._patience(self.options.poll_timeout))["end"]]
        else:
            ends = self._from_each(places, most, most_bytes)
        return self.logs.offset(ends, start)

    def _patience(self, wait: float) -> dict[str, Any]:
        """How long a delivery may wait, and for how many; nothing under Trigger.AvailableNow."""
        if self._bounds is not None:
            return {}
        return {"wait": wait, "minimum": self.options.fewest_messages, "delay": self.options.longest_delay}

    def _deliver(self, number: int, start: int, limit: int, most_bytes: int | None, **more: Any) -> Any:
        if self._bounds is not None:
            more["before_order"] = self._bounds[number]
        return self.logs.all[number].ask(
            "deliver", start=start, limit=limit, most_bytes=most_bytes, end_conversations=self.options.end_conversations, **more
        )  # fmt: skip

    def _from_each(self, places: list[int], most: int, most_bytes: int | None) -> list[int]:
        """A fair share from each instance, another one first in each batch; what one leaves is the others'. Nothing
        there: the wait goes round among them."""
        count = len(places)
        turn = [(sum(places) + step) % count for step in range(count)]
        ends, ages, left, bytes_left = list(places), [0.0], most, most_bytes
        for wait in (0.0, self.options.poll_timeout / count):
            for position, number in enumerate(turn):
                others = count - position
                share = min(left, max(1, left // others))
                if not share or (wait and ends != places):
                    break
                part = None if bytes_left is None else max(1, bytes_left // others)
                found = self._deliver(
                    number, places[number], share, part, **({"wait": wait} if self._bounds is None else {})
                )
                ends[number] = found["end"]
                if found["end"] > places[number]:
                    left -= found["end"] - places[number]
                    ages.append(found["age"])
            if ends != places or self._bounds is not None:
                break
        options = self.options
        if self._bounds is None and most - left < options.fewest_messages and max(ages) < options.longest_delay:
            return places
        return ends

    @told
    def reportLatestOffset(self) -> dict[str, Any]:
        """For progress: what was delivered and what still waits."""
        found = [log.ask("lag") for log in self.logs.all]
        return self.logs.offset([one["delivered"] + one["waiting"] for one in found], None)

    @told
    def prepareForTriggerAvailableNow(self) -> None:
        """From now on only what is there now."""
        self._bounds = [log.ask("lag")["next_order"] for log in self.logs.all]

    # --- batches -------------------------------------------------------------------------------------------

    @told
    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[MessagePartition]:
        firsts, lasts = self.logs.places(start, end), self.logs.places(end)
        found: list[MessagePartition] = []
        for number, (log, first, last) in enumerate(zip(self.logs.all, firsts, lasts, strict=True)):
            if first != last:
                found += self._parts(number, log, first, last)
        return found

    def _parts(self, number: int, log: Log, first: int, last: int) -> list[MessagePartition]:
        count = self.options.partitions
        found = log.ask(
            "begin_range", start=first, end=last, partitions=count, allow_loss=not self.options.fail_on_data_loss
        )
        facts = log.facts
        return [
            MessagePartition(
                facts["log"], facts["epoch"], first, last, n, count, rows, found["failures"] + 1, number, facts["store"]
            )
            for n, rows in enumerate(found["counts"])
            if rows
        ]

    @told
    def read(self, partition: MessagePartition) -> Iterator[pa.RecordBatch]:
        return self._batches(partition)

    def _batches(self, part: MessagePartition) -> Iterator[pa.RecordBatch]:
        """In a task. The number of rows was known when the batch was planned: fewer
        would be a loss that nobody notices."""
        schema = self.columns
        request = {
            "log": part.log, "epoch": part.epoch, "start": part.start, "end": part.end, "partition": part.partition,
            "partitions": part.partitions, "with_numbers": "_seq" in schema.names,
        }  # fmt: skip
        same = {"_queue": self.options.queue, "_delivery_count": part.delivery_count, "_store": part.store}
        left = part.count
        engine = self.logs.all[part.instance].engine
        names = MessageNames.of(told(engine.call)("consumer.names", request))
        for packed in _told_while(lambda: engine.read("consumer.read", request)):
            left -= packed.num_rows
            if not self.options.with_system_messages:
                packed = packed.filter(_is_no_system_message(packed["message_type_name"]))
            arrays = [
                pa.repeat(pa.scalar(same[field.name], field.type), len(packed))
                if field.name in same
                else names.column(packed, field.name).cast(field.type)
                for field in schema
            ]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)
        if left:
            raise RuntimeError(
                f"{left} messages of the log {part.log} between {part.start} and {part.end} are missing. Run DBCC CHECKDB; the query can be restarted."
            )

    @told
    def commit(self, end: dict[str, Any]) -> None:
        for log, place in zip(self.logs.all, self.logs.places(end), strict=True):
            log.ask("acknowledge", through=place, end_conversations=self.options.end_conversations)

    def stop(self) -> None:
        """Nothing: Spark may not call it."""


def _is_no_system_message(names: Any) -> Any:
    import pyarrow.compute as pc

    return pc.invert(pc.starts_with(names, pattern="http://schemas.microsoft.com/SQL/ServiceBroker/"))


def _told_while(batches: Callable[[], Any]) -> Iterator[pa.RecordBatch]:
    """Errors that come while rows are read are told, too."""
    iterator = iter(told(batches)())
    following: Callable[[], Any] = told(partial(next, iterator, None))
    while (batch := following()) is not None:
        yield batch


def lag(progress: Any) -> int:
    """Messages that wait behind the end of a batch, from a StreamingQueryProgress (or its JSON as a
    dict): over all its sbql sources."""
    import json

    found = progress if isinstance(progress, dict) else json.loads(progress.json)
    total = 0
    for source in found["sources"]:
        ends = [
            json.loads(text) if isinstance(text, str) else text
            for text in (source.get("latestOffset"), source.get("endOffset"))
        ]
        if all(isinstance(end, dict) and ("log" in end or "logs" in end) for end in ends):
            newest, done = (_numbers(end) for end in ends)
            total += sum(max(0, number - done.get(store, 0)) for store, number in newest.items())
    return total


def _numbers(offset: dict[str, Any]) -> dict[str, int]:
    """By store, of either version."""
    if "logs" in offset:
        return {store: int(entry["seq"]) for store, entry in offset["logs"].items()}
    return {offset["store"]: int(offset["seq"])}
