"""The sink: rows that become messages, a batch in one transaction of the engine, once.

Decides what a batch is known by: in a stream, the query's id and the batch id, which the tasks read and `commit` gets from them; in a job,
`txnAppId` and `txnVersion`, or an id made for it. Tasks bring their rows to the engine, and only those that Spark names are sent. An abort
never undoes a commit: Spark calls it, too, when it has not heard the answer.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pyarrow as pa
from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from sbql.engine.host import SystemHost
from sbql.spark_udfs.engine_client import Engine, engine_at, told
from sbql.spark_udfs.options import SinkOptions, option_error

__all__ = ["BatchWriter", "Sender", "Staged", "StreamWriter", "check_columns", "message_table"]

_SCHEMA: Final = pa.schema([
    ("conversation_handle", pa.string()),
    ("conversation_key", pa.string()),
    ("message_type_name", pa.string()),
    ("message_body", pa.binary()),
    ("end_conversation", pa.bool_()),
])  # fmt: skip


@dataclass
class Staged(WriterCommitMessage):  # type: ignore[misc]
    """What a task has brought, and for which batch."""

    writer: str
    version: int
    partition: int
    key: str


def check_columns(schema: StructType, options: SinkOptions) -> None:
    """Raises SqlError 87 for a column that messages do not have, and when nothing says where they go."""
    names = [field.name for field in schema.fields]
    unknown = [name for name in names if name not in _SCHEMA.names]
    if unknown:
        raise option_error(
            f"A message has no column '{unknown[0]}'. Its columns are {', '.join(_SCHEMA.names)}: select those."
        )
    if "conversation_handle" not in names and not options.dialogs:
        raise option_error(
            "Where do the messages go? Select conversation_handle, the dialog of each, or set fromService and toService; then "
            "conversation_key says which rows share a dialog."
        )


def message_table(names: tuple[str, ...], columns: list[list[Any]]) -> pa.RecordBatch:
    """Values of Python as rows of messages."""
    kinds = [
        pa.string() if name == "message_body" and _is_text(part) else _SCHEMA.field(name).type
        for name, part in zip(names, columns)
    ]
    arrays = [pa.array(part, kind) for part, kind in zip(columns, kinds, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=list(names))


def _is_text(values: list[Any]) -> bool:
    return any(isinstance(value, str) for value in values)


class Sender:
    """What all writers do. `engine` is for tests."""

    def __init__(self, options: SinkOptions, engine: Engine | None = None) -> None:
        self.options = options
        self._engine = engine

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engine": None}

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = engine_at(self.options.connection)
        return self._engine

    def bring(self, rows: Iterator[pa.RecordBatch], writer: str, version: int, partition: int) -> Staged:
        reader = pa.RecordBatchReader.from_batches(_SCHEMA, (self._messages(batch) for batch in rows))
        found = self.engine.write("sink.stage", {"writer": writer, "version": version}, reader)
        return Staged(writer, version, partition, found["key"])

    def _messages(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The batch with all columns of messages, bodies as bytes."""
        columns = []
        for field in _SCHEMA:
            if field.name not in batch.schema.names:
                columns.append(pa.nulls(batch.num_rows, field.type))
                continue
            column = batch.column(field.name)
            if field.name == "message_body" and (
                pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
            ):
                encoding = self.options.body_encoding
                column = pa.array(
                    [None if text is None else text.encode(encoding) for text in column.to_pylist()], pa.binary()
                )
            columns.append(column.cast(field.type))
        return pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)

    def send(self, messages: list[Any]) -> None:
        """Commit what the named tasks have brought, in the order of their partitions."""
        staged = sorted((m for m in messages if isinstance(m, Staged)), key=lambda m: m.partition)
        if not staged:
            return
        options = self.options
        request = {
            "writer": staged[0].writer, "version": staged[0].version, "keys": [m.key for m in staged], "database": options.database,
            "dialogs": options.dialogs, "message_type": options.message_type, "end_conversations": options.end_conversations,
        }  # fmt: skip
        self.engine.call("sink.commit", request)

    def forget(self, messages: list[Any]) -> None:
        staged = next((m for m in messages if isinstance(m, Staged)), None)
        if staged is not None:
            self.engine.call("sink.abort", {"writer": staged.writer, "version": staged.version})


class StreamWriter(DataSourceStreamArrowWriter):  # type: ignore[misc]
    """writeStream: a batch is the query's id and the batch id."""

    def __init__(self, options: SinkOptions, engine: Engine | None = None) -> None:
        self._writer = Sender(options, engine)

    @told
    def write(self, iterator: Iterator[pa.RecordBatch]) -> Staged:
        from pyspark import TaskContext

        context = TaskContext.get()
        query = context.getLocalProperty("sql.streaming.queryId")
        batch = context.getLocalProperty("streaming.sql.batchId")
        return self._writer.bring(iterator, f"query {query}", int(batch), context.partitionId())

    @told
    def commit(self, messages: list[Any], batchId: int) -> None:
        self._writer.send(messages)

    @told
    def abort(self, messages: list[Any], batchId: int) -> None:
        self._writer.forget(messages)


class BatchWriter(DataSourceArrowWriter):  # type: ignore[misc]
    """write: a batch is what the options say, or this writer, which is pickled to tasks and commit."""

    def __init__(self, options: SinkOptions, engine: Engine | None = None) -> None:
        self._writer = Sender(options, engine)
        named = options.application is not None and options.version is not None
        self._name = f"application {options.application}" if named else f"job {SystemHost().new_guid()}"
        self._version = options.version if options.version is not None else 0

    @told
    def write(self, iterator: Iterator[pa.RecordBatch]) -> Staged:
        from pyspark import TaskContext

        return self._writer.bring(iterator, self._name, self._version, TaskContext.get().partitionId())

    @told
    def commit(self, messages: list[Any]) -> None:
        self._writer.send(messages)

    @told
    def abort(self, messages: list[Any]) -> None:
        self._writer.forget(messages)
