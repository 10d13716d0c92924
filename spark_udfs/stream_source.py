"""The streaming source: a consumer of a queue as Spark's micro-batches ask for it.

Decides when what was read is acknowledged. Spark asks for the next offset only when the batch before it is in its commit log, so the start
of `latestOffset` is done; `commit` tells the same later, and after the last batch not at all. An offset is a number of the consumer's
log: everything up to it was delivered, and reads the same for ever. `stop` is not relied on: a reader that comes later ends this one.

A constructor must not connect: Spark builds a reader in other processes, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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

from sbql.grammar.errors import SqlError
from sbql.spark_udfs.columns import arrow_schema
from sbql.spark_udfs.engine_client import Engine, engine_at, told
from sbql.spark_udfs.options import SourceOptions

__all__ = ["OFFSET_VERSION", "MessagePartition", "QueueStreamReader", "lag"]

OFFSET_VERSION: Final = 1
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


class QueueStreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):  # type: ignore[misc]
    """See the module. `engine` is for tests: otherwise the options say where it is."""

    def __init__(self, options: SourceOptions, engine: Engine | None = None) -> None:
        self.options = options
        self._engine = engine
        self._facts: dict[str, Any] | None = None
        self._bound: int | None = None
        self._is_bounded = False

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": None, "_facts": None}

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = engine_at(self.options.connection)
        return self._engine

    # --- offsets -------------------------------------------------------------------------------------------

    @told
    def initialOffset(self) -> dict[str, Any]:
        """What a new checkpoint begins after: the last that is acknowledged."""
        return self._offset(self._consumer()["acknowledged"])

    def getDefaultReadLimit(self) -> ReadLimit:
        return ReadMaxRows(self.options.most_messages)

    @told
    def latestOffset(self, start: dict[str, Any], limit: ReadLimit) -> dict[str, Any]:
        options, position = self.options, self._position(start)
        request: dict[str, Any] = {
            "start": position,
            "limit": limit.max_rows if isinstance(limit, ReadMaxRows) else _EVERYTHING,
            "end_conversations": options.end_conversations,
            "most_bytes": limit.max_bytes if isinstance(limit, ReadMaxBytes) else options.most_bytes,
        }
        if isinstance(limit, ReadAllAvailable):
            request["most_bytes"] = None
        if self._is_bounded:
            request["before_order"] = self._bound
        else:
            request |= {
                "wait": options.poll_timeout,
                "minimum": options.fewest_messages,
                "delay": options.longest_delay,
            }
        return self._offset(self._ask("deliver", **request)["end"])

    @told
    def reportLatestOffset(self) -> dict[str, Any]:
        """For progress: what was delivered and what still waits."""
        found = self._ask("lag")
        return self._offset(found["delivered"] + found["waiting"])

    @told
    def prepareForTriggerAvailableNow(self) -> None:
        """From now on only what is there now."""
        self._bound, self._is_bounded = self._ask("lag")["next_order"], True

    # --- batches -------------------------------------------------------------------------------------------

    @told
    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[MessagePartition]:
        first, last, count = self._position(start), self._position(end), self.options.partitions
        if first == last:
            return []
        found = self._ask(
            "begin_range", start=first, end=last, partitions=count, allow_loss=not self.options.fail_on_data_loss
        )
        facts = self._consumer()
        return [
            MessagePartition(facts["log"], facts["epoch"], first, last, n, count, rows, found["failures"] + 1)
            for n, rows in enumerate(found["counts"])
            if rows
        ]

    @told
    def read(self, partition: MessagePartition) -> Iterator[pa.RecordBatch]:
        return self._batches(partition)

    def _batches(self, part: MessagePartition) -> Iterator[pa.RecordBatch]:
        """In a task. The number of rows was known when the batch was planned: fewer would be a loss that nobody notices."""
        with_metadata = self.options.with_metadata
        schema = arrow_schema(with_metadata=with_metadata)
        request = {
            "log": part.log, "epoch": part.epoch, "start": part.start, "end": part.end, "partition": part.partition,
            "partitions": part.partitions, "with_numbers": with_metadata,
        }  # fmt: skip
        left = part.count
        for batch in _told_while(lambda: self.engine.read("consumer.read", request)):
            left -= batch.num_rows
            table = pa.Table.from_batches([batch])
            if with_metadata:
                table = table.append_column("_queue", pa.array([self.options.queue] * len(table), pa.string()))
                table = table.append_column("_delivery_count", pa.array([part.delivery_count] * len(table), pa.int32()))
            if not self.options.with_system_messages:
                table = table.filter(_is_no_system_message(table["message_type_name"]))
            yield from table.cast(schema).to_batches()
        if left:
            raise RuntimeError(
                f"{left} messages of the log {part.log} between {part.start} and {part.end} are missing. Run DBCC CHECKDB; the query can be restarted."
            )

    @told
    def commit(self, end: dict[str, Any]) -> None:
        self._ask("acknowledge", through=self._position(end), end_conversations=self.options.end_conversations)

    def stop(self) -> None:
        """Nothing: Spark may not call it."""

    # --- the consumer --------------------------------------------------------------------------------------

    def _consumer(self) -> dict[str, Any]:
        """What the engine says of the consumer; this process becomes its reader the first time."""
        if self._facts is None:
            self._facts = self.engine.call(
                "consumer.open", {"queue": self.options.queue, "consumer": self.options.consumer}
            )
        assert self._facts is not None
        return self._facts

    def _ask(self, operation: str, **request: Any) -> Any:
        facts = self._consumer()
        return self.engine.call(f"consumer.{operation}", {"log": facts["log"], "epoch": facts["epoch"], **request})

    def _offset(self, number: int) -> dict[str, Any]:
        """Nothing in it changes but the number: Spark compares offsets as text."""
        facts = self._consumer()
        names = {key: facts[key] for key in ("store", "log", "queue", "consumer")}
        return {"version": OFFSET_VERSION, **names, "seq": number}

    def _position(self, offset: dict[str, Any]) -> int:
        """The number in an offset of the checkpoint. Raises SqlError when it belongs to another log."""
        facts = self._consumer()
        version = offset.get("version")
        if not isinstance(version, int) or version > OFFSET_VERSION:
            raise SqlError(
                49944,
                f"The checkpoint has an offset of version {version}; this sbql reads up to version {OFFSET_VERSION}. Use the version that has written it.",
            )
        for name in ("store", "log"):
            if offset.get(name) != facts[name]:
                raise SqlError(
                    49944,
                    f"The checkpoint belongs to the {name} {offset.get(name)}, queue {offset.get('queue')}, consumer {offset.get('consumer')}; here are "
                    f"the {name} {facts[name]}, queue {facts['queue']}, consumer {facts['consumer']}. Begin with a new checkpointLocation, or go "
                    "back to the store, queue and consumerId of this one.",
                )
        return int(offset["seq"])


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
    """Messages that wait behind the end of a batch, from a StreamingQueryProgress (or its JSON as a dict): over all its sbql sources."""
    import json

    found = progress if isinstance(progress, dict) else json.loads(progress.json)
    total = 0
    for source in found["sources"]:
        ends = [
            json.loads(text) if isinstance(text, str) else text
            for text in (source.get("latestOffset"), source.get("endOffset"))
        ]
        if all(isinstance(end, dict) and "seq" in end and "log" in end for end in ends):
            total += max(0, ends[0]["seq"] - ends[1]["seq"])
    return total
