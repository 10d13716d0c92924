"""The sink: rows that become messages, a batch in one transaction of the engine, once.

Decides what a batch is known by: in a stream, the query's id and the batch id, which the tasks read and `commit` gets
from them; in a job, `txnAppId` and `txnVersion`, or an id made for it. Tasks bring their rows to the engine, and only
those that Spark names are sent. An abort never undoes a commit: Spark calls it, too, when it has not heard the answer.

Of several instances each gets its rows in a transaction of its own, one after the other: a batch that one of them has
not taken is written again, and the others know it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from itertools import chain
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.datasource import DataSourceArrowWriter, DataSourceStreamArrowWriter, WriterCommitMessage
from pyspark.sql.types import StructType

from sbql.engine.host import SystemHost
from sbql.grammar.errors import SqlError
from sbql.spark_udfs.engine_client import Engine, engine_at, told
from sbql.spark_udfs.options import SinkOptions, option_error

__all__ = ["BatchWriter", "Sender", "StreamWriter", "check_columns", "message_table"]

_SCHEMA: Final = pa.schema([
    ("conversation_handle", pa.string()),
    ("conversation_key", pa.string()),
    ("message_type_name", pa.string()),
    ("message_body", pa.binary()),
    ("end_conversation", pa.bool_()),
])  # fmt: skip


_KINDS: Final = {
    **dict.fromkeys(("conversation_handle", "conversation_key", "message_type_name", "_store"), ("string",)),
    "message_body": ("binary", "string"),
    "end_conversation": ("boolean",),
}
_STORE: Final = "_store"
"""The column that says, of several instances, which has the dialog: the id of its store, as the source gives it."""


@dataclass
class Staged(WriterCommitMessage):  # type: ignore[misc]
    """What a task has brought, and for which batch: the key of its rows in each instance, None where there are none."""

    writer: str
    version: int
    partition: int
    keys: tuple[str | None, ...]


def check_columns(schema: StructType, options: SinkOptions) -> None:
    """Raises SqlError 87 for a column that messages do not have, and when nothing says where they go."""
    names = [field.name for field in schema.fields]
    known = [*_SCHEMA.names, _STORE]
    unknown = [name for name in names if name not in known]
    if unknown:
        raise option_error(f"A message has no column '{unknown[0]}'. Its columns are {', '.join(known)}: select those.")
    for field in schema.fields:
        kind = field.dataType.simpleString()
        if kind not in _KINDS[field.name]:
            raise option_error(
                f"The column {field.name} is {kind}; it has to be {' or '.join(_KINDS[field.name])}. Cast it, or, for a message_body, say how with "
                "to_json or CAST(… AS string)."
            )
    if len(options.connections) > 1 and "conversation_handle" in names and _STORE not in names:
        raise option_error(
            f"Which of the instances has the dialog of a conversation_handle? Select the column {_STORE}, too: the source gives it with includeMetadata."
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
    """What all writers do. `engines`, one for each endpoint, are for tests."""

    def __init__(self, options: SinkOptions, *engines: Engine) -> None:
        self.options = options
        self._engines: list[Engine | None] = list(engines) or [None] * len(options.connections)
        self._stores: list[str] = []

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_engines": [None] * len(self._engines), "_stores": []}

    def engine(self, number: int) -> Engine:
        found = self._engines[number]
        if found is None:
            found = self._engines[number] = engine_at(self.options.connections[number])
        return found

    def bring(self, rows: Iterator[pa.RecordBatch], writer: str, version: int, partition: int) -> Staged:
        keys: list[str | None] = [None] * len(self._engines)
        for number, batches in self._routed(rows):
            reader = pa.RecordBatchReader.from_batches(_SCHEMA, map(self._messages, batches))
            asked = {"writer": writer, "version": version}
            keys[number] = self.engine(number).write("sink.stage", asked, reader)["key"]
        return Staged(writer, version, partition, tuple(keys))

    def _routed(self, rows: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, Iterator[pa.RecordBatch]]]:
        """Which rows go to which instance. With one of them they pass through; with several a task's rows are held."""
        first = next(rows, None)
        if first is None or (len(self._engines) == 1 and _STORE not in first.schema.names):
            yield 0, chain(() if first is None else (first,), rows)
            return
        stores = self._store_ids()
        routed: dict[int, list[pa.RecordBatch]] = {}
        for batch in chain((first,), rows):
            targets = pa.array(_targets(batch, stores), pa.int32())
            for number in sorted(set(targets.to_pylist())):
                routed.setdefault(number, []).append(batch.filter(pc.equal(targets, number)))
        for number in sorted(routed):
            yield number, iter(routed[number])

    def _store_ids(self) -> list[str]:
        """Of each endpoint. Raises SqlError 87 when two are one store."""
        if not self._stores:
            self._stores = [str(self.engine(number).ping().store_id) for number in range(len(self._engines))]
        if len(set(self._stores)) < len(self._stores):
            raise option_error("Two of the endpoints are the same store. Name each store once.")
        return self._stores

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
                column = pa.array(_encoded(column.to_pylist(), self.options.body_encoding), pa.binary())
            columns.append(column.cast(field.type))
        return pa.RecordBatch.from_arrays(columns, schema=_SCHEMA)

    def send(self, messages: list[Any]) -> None:
        """Commit what the named tasks have brought, in the order of their partitions,
        in one instance after the other."""
        staged = sorted((m for m in messages if isinstance(m, Staged)), key=lambda m: m.partition)
        options = self.options
        for number in range(len(self._engines)):
            keys = [m.keys[number] for m in staged if m.keys[number] is not None]
            if not keys:
                continue
            request = {
                "writer": staged[0].writer, "version": staged[0].version, "keys": keys, "database": options.database,
                "dialogs": options.dialogs, "message_type": options.message_type, "end_conversations": options.end_conversations,
            }  # fmt: skip
            try:
                self.engine(number).call("sink.commit", request)
            except SqlError as error:
                if error.number == 8442:
                    error.advise(f"The option inDatabase says where the services are; it is {options.database} here.")
                raise

    def forget(self, messages: list[Any]) -> None:
        staged = next((m for m in messages if isinstance(m, Staged)), None)
        if staged is not None:
            for number in range(len(self._engines)):
                self.engine(number).call("sink.abort", {"writer": staged.writer, "version": staged.version})


def _encoded(texts: list[str | None], encoding: str) -> list[bytes | None]:
    """Raises SqlError 87 for a character that the encoding does not have."""
    try:
        return [None if text is None else text.encode(encoding) for text in texts]
    except UnicodeEncodeError as error:
        raise option_error(
            f"A message_body has the character {error.object[error.start]!r}, which bodyEncoding '{encoding}' has no bytes for. Nothing was sent: choose "
            "another encoding (utf-16le, utf-8), or make the bytes yourself: encode(column, 'utf-8')."
        ) from None


def _targets(batch: pa.RecordBatch, stores: list[str]) -> list[int]:
    """The instance of each row: that of its store, or, for a dialog by key, one that the key
    always falls on. Raises SqlError 87."""
    columns = batch.schema.names
    named = batch.column(_STORE).to_pylist() if _STORE in columns else [None] * batch.num_rows
    keys = batch.column("conversation_key").to_pylist() if "conversation_key" in columns else [None] * batch.num_rows
    handles = (
        batch.column("conversation_handle").to_pylist() if "conversation_handle" in columns else [None] * batch.num_rows
    )
    found: list[int] = []
    places: dict[str, int] = {store: number for number, store in enumerate(stores)}
    of_key: dict[str, int] = {}
    for store, key, handle in zip(named, keys, handles, strict=True):
        if store is not None:
            if store not in places:
                raise option_error(
                    f"No endpoint is the store {store} ({_STORE}). The stores here are {', '.join(stores)}."
                )
            found.append(places[store])
        elif handle is not None and len(stores) > 1:
            raise option_error(
                f"The row with the conversation_handle {handle} has no {_STORE}: which of the instances has its dialog?"
            )
        else:
            if (key or "") not in of_key:
                of_key[key or ""] = places[
                    max(stores, key=lambda store: sha256(f"{store} {key or ''}".encode()).digest())
                ]
            found.append(of_key[key or ""])
    return found


class StreamWriter(DataSourceStreamArrowWriter):  # type: ignore[misc]
    """writeStream: a batch is the query's id and the batch id."""

    def __init__(self, options: SinkOptions, *engines: Engine) -> None:
        self._writer = Sender(options, *engines)

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

    def __init__(self, options: SinkOptions, *engines: Engine) -> None:
        self._writer = Sender(options, *engines)
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
