"""The data source `sbql`: queues and queries for Spark's readers and writers.

    spark.dataSource.register(SbqlDataSource)
    spark.readStream.format("sbql").option("database", "shop.duckdb").option("queue", "Shop.dbo.OrderQueue").load()

It decides which reader or writer serves which call. It must not connect before one of them works.
"""

from __future__ import annotations

from typing import Any

from pyspark.sql.datasource import DataSource
from pyspark.sql.types import StructType

from sbql.spark_udfs.batch_reader import TableReader, schema_for
from sbql.spark_udfs.columns import chosen, message_schema
from sbql.spark_udfs.engine_client import told
from sbql.spark_udfs.options import ReaderOptions, SinkOptions, SourceOptions, option_error
from sbql.spark_udfs.sink import BatchWriter, StreamWriter, check_columns
from sbql.spark_udfs.stream_source import QueueStreamReader

__all__ = ["SbqlDataSource"]


class SbqlDataSource(DataSource):  # type: ignore[misc]
    """See docs/spark.md for the options and columns."""

    @classmethod
    def name(cls) -> str:
        return "sbql"

    @told
    def schema(self) -> StructType:
        """Spark asks before it says what for: a query is for a batch, a queue reads alike in both
        but for the stream's own columns."""
        if "query" in self.options:
            return schema_for(ReaderOptions.of(self.options))
        return message_schema(with_metadata=SourceOptions.of(self.options).with_metadata)

    @told
    def reader(self, schema: StructType) -> Any:
        options = ReaderOptions.of(self.options)
        return TableReader(options, schema, columns=chosen(schema, with_metadata=False) if options.queue else None)

    @told
    def streamReader(self, schema: StructType) -> Any:
        return QueueStreamReader(SourceOptions.of(self.options), columns=chosen(schema, with_metadata=True))

    @told
    def streamWriter(self, schema: StructType, overwrite: bool) -> Any:
        options = SinkOptions.of(self.options)
        if options.application is not None:
            raise option_error("txnAppId and txnVersion are for write: a stream's batches are known by its query.")
        check_columns(schema, options)
        return StreamWriter(options)

    @told
    def writer(self, schema: StructType, overwrite: bool) -> Any:
        if overwrite:
            raise option_error("Messages cannot be overwritten: they are sent. Use mode('append').")
        options = SinkOptions.of(self.options)
        check_columns(schema, options)
        return BatchWriter(options)
