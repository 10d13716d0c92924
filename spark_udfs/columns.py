"""The columns of messages in Spark, and the same as Arrow, exactly as Spark maps them.

They are those of RECEIVE *, in its order, and the time when the message came. It must not know where rows come from.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa
from pyspark.sql import types as spark

__all__ = ["METADATA", "arrow_schema", "message_schema"]

_COLUMNS: Final = (
    ("status", spark.ShortType(), pa.int16()),
    ("priority", spark.ShortType(), pa.int16()),
    ("queuing_order", spark.LongType(), pa.int64()),
    ("conversation_group_id", spark.StringType(), pa.string()),
    ("conversation_handle", spark.StringType(), pa.string()),
    ("message_sequence_number", spark.LongType(), pa.int64()),
    ("service_name", spark.StringType(), pa.string()),
    ("service_id", spark.IntegerType(), pa.int32()),
    ("service_contract_name", spark.StringType(), pa.string()),
    ("service_contract_id", spark.IntegerType(), pa.int32()),
    ("message_type_name", spark.StringType(), pa.string()),
    ("message_type_id", spark.IntegerType(), pa.int32()),
    ("validation", spark.StringType(), pa.string()),
    ("message_body", spark.BinaryType(), pa.binary()),
    ("message_enqueue_time", spark.TimestampType(), pa.timestamp("us", tz="UTC")),
)
METADATA: Final = (
    ("_seq", spark.LongType(), pa.int64()),
    ("_queue", spark.StringType(), pa.string()),
    ("_delivery_count", spark.IntegerType(), pa.int32()),
    ("_store", spark.StringType(), pa.string()),
)


def message_schema(*, with_metadata: bool = False) -> spark.StructType:
    columns = (*_COLUMNS, *METADATA) if with_metadata else _COLUMNS
    return spark.StructType([spark.StructField(name, kind) for name, kind, _ in columns])


def arrow_schema(*, with_metadata: bool = False) -> pa.Schema:
    columns = (*_COLUMNS, *METADATA) if with_metadata else _COLUMNS
    return pa.schema([(name, kind) for name, _, kind in columns])
