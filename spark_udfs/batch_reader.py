"""The batch reader: a queue to look at, or the result of a query.

Spark reads again at every action and every retry, so only what changes nothing may be read: one SELECT. A queue is
peeked at, never received from. It must not know how statements run.
"""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.types import StringType, StructField, StructType

from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.grammar.ast import NextValueFor, SelectStatement
from sbql.grammar.errors import SqlError
from sbql.grammar.names import bracketed, parse_object_name
from sbql.grammar.parser import parse_batch
from sbql.grammar.suggestions import did_you_mean
from sbql.grammar.tree import walk
from sbql.spark_udfs.columns import arrow_schema, message_schema
from sbql.spark_udfs.engine_client import engine_at, told
from sbql.spark_udfs.options import ReaderOptions, option_error
from sbql.spark_udfs.spark_types import arrow_table, named_schema_of

__all__ = ["TableReader", "schema_for"]

_ROWS = 10_000


def _text(options: ReaderOptions, columns: pa.Schema) -> str:
    """The SELECT that is run. A queue is a name and nothing else, whatever stands in it. Raises SqlError 87 for a query
    that is none, or that changes something."""
    if options.queue:
        parts = ["" if part is None else bracketed(part.value) for part in parse_object_name(options.queue).parts]
        return f"SELECT {', '.join(columns.names)} FROM {'.'.join(parts)}"
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


def _places(schema: StructType, result: ResultSet) -> list[int]:
    """Which columns of the query are waited for, in this order. Raises SqlError 87 for one that it
    does not give, or not of this type."""
    given = named_schema_of(result.columns)
    if schema.names == given.names:
        found = list(range(len(given)))
    else:
        found = []
        for name in schema.names:
            if name not in given.names:
                hint = did_you_mean(name, given.names)
                raise option_error(
                    f"The query gives no column '{name}'. {hint} It gives {', '.join(given.names)}.".replace("  ", " ")
                )
            found.append(given.names.index(name))
    for field, place in zip(schema.fields, found, strict=True):
        kind = given[place].dataType
        is_text = isinstance(field.dataType, StringType) and isinstance(kind, StringType)  # of whatever collation
        if field.dataType != kind and not is_text:
            raise option_error(
                f"The column {field.name} of the query is {kind.simpleString()}, not {field.dataType.simpleString()}: name it so in schema(…), and cast it "
                "afterwards, or CAST it in the query."
            )
    return found


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

    def __init__(self, options: ReaderOptions, schema: StructType, *, columns: pa.Schema | None = None) -> None:
        """`schema`: what Spark waits for, of a query what it gives, or what `.schema(…)` of the reader names."""
        self.options, self.schema = options, schema
        self.columns = arrow_schema() if columns is None else columns
        self.text = _text(options, self.columns)

    @told
    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        return iter(self._batches())

    def _batches(self) -> list[pa.RecordBatch]:
        try:
            result = _run(self.options, self.text)
        except SqlError as error:
            if self.options.queue and error.number == 207:  # every queue has these columns
                raise option_error(
                    f"'{self.options.queue}' is no queue. Rows of tables and views are read with the option query, a SELECT."
                ) from None
            raise
        table = arrow_table(result)
        table = table.cast(self.columns) if self.options.queue else table.select(_places(self.schema, result))
        batches: list[pa.RecordBatch] = table.to_batches(max_chunksize=_ROWS)
        return batches
