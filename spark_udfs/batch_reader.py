"""The batch reader: a queue to look at, or the result of a query.

Spark reads again at every action and every retry, so only what changes nothing may be read: one SELECT. A queue is peeked at, never
received from. It must not know how statements run.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.types import StructField, StructType

from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.grammar.ast import NextValueFor, SelectStatement
from sbql.grammar.errors import SqlError
from sbql.grammar.parser import parse_batch
from sbql.grammar.tree import walk
from sbql.spark_udfs.columns import arrow_schema, message_schema
from sbql.spark_udfs.engine_client import engine_at, told
from sbql.spark_udfs.options import ReaderOptions, option_error
from sbql.spark_udfs.spark_types import arrow_table, named_schema_of

__all__ = ["TableReader", "schema_for"]

_ROWS = 10_000


def _text(options: ReaderOptions, columns: pa.Schema) -> str:
    """The SELECT that is run. Raises SqlError 87 for a query that is none, or that changes something."""
    if options.queue:
        return f"SELECT {', '.join(columns.names)} FROM {options.queue}"
    assert options.query is not None
    statements = parse_batch(options.query).statements
    changes = (
        any(isinstance(node, NextValueFor) or getattr(node, "into", None) for node in walk(statements[0]))
        if statements
        else True
    )
    if len(statements) != 1 or not isinstance(statements[0], SelectStatement) or changes:
        raise option_error(
            "The option query takes one SELECT that changes nothing: Spark runs it as often as it likes. For RECEIVE use a stream, for other "
            "statements sbql.spark_udfs.sql."
        )
    return options.query


def _run(options: ReaderOptions, *texts: str) -> ResultSet:
    """The last result set. Raises SqlError."""
    session = engine_at(options.connection).session("master")
    try:
        found: ResultSet | None = None
        for text in texts:
            for outcome in session.run(text):
                if isinstance(outcome, ErrorOutcome):
                    raise outcome.error
                if isinstance(outcome, ResultSet):
                    found = outcome
    finally:
        session.close()
    if found is None:
        raise SqlError(87, "The query gives no rows.")
    return found


def schema_for(options: ReaderOptions) -> StructType:
    """What the query would give; it is not run. Raises SqlError."""
    if options.queue:
        return message_schema()
    columns = named_schema_of(_run(options, "SET FMTONLY ON", _text(options, arrow_schema())).columns)
    return StructType(
        [StructField(field.name, field.dataType) for field in columns.fields]
    )  # Arrow's columns may all be NULL


class TableReader(DataSourceReader):  # type: ignore[misc]
    """One partition: one snapshot. `columns`: those of a queue that are read, in this order (all)."""

    def __init__(self, options: ReaderOptions, *, columns: pa.Schema | None = None) -> None:
        self.options = options
        self.columns = arrow_schema() if columns is None else columns
        self.text = _text(options, self.columns)

    @told
    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return iter(self._batches())

    def _batches(self) -> list[pa.RecordBatch]:
        result = _run(self.options, self.text)
        table = arrow_table(result)
        if self.options.queue:
            table = table.cast(self.columns)
        batches: list[pa.RecordBatch] = table.to_batches(max_chunksize=_ROWS)
        return batches
