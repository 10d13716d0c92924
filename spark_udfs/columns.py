"""The columns of messages in Spark, and the same as Arrow, exactly as Spark maps them.

They are those of RECEIVE *, in its order, and the time when the message came; who reads may name fewer. It
must not know where rows come from.
"""

from __future__ import annotations

from typing import Final

import pyarrow as pa
from pyspark.sql import types as spark

from sbql.grammar.suggestions import did_you_mean
from sbql.spark_udfs.options import option_error

__all__ = ["arrow_schema", "chosen", "message_schema"]

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


def chosen(schema: spark.StructType, *, with_metadata: bool) -> pa.Schema:
    """The columns that Spark waits for, as Arrow: all of them, or those that `.schema(…)` of the reader names, in its
    order. Raises SqlError 87 for one that there is not, or not of this type."""
    columns = (*_COLUMNS, *METADATA) if with_metadata else _COLUMNS
    known = {name: (kind, arrow) for name, kind, arrow in columns}
    fields = []
    for field in schema.fields:
        if field.name not in known:
            hint = did_you_mean(field.name, list(known))
            raise option_error(
                f"Messages have no column '{field.name}'. {hint} They have {', '.join(known)}.".replace("  ", " ")
            )
        kind, arrow = known[field.name]
        if field.dataType != kind:
            raise option_error(
                f"The column {field.name} of messages is {kind.simpleString()}, not {field.dataType.simpleString()}: name it so in "
                "schema(…), and cast it afterwards."
            )
        fields.append((field.name, arrow))
    return pa.schema(fields)
