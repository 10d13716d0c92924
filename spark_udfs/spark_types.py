"""Which Spark type carries which SQL type, and how a value gets there.

A table decides. Two that surprise: tinyint is SMALLINT, because Spark's TINYINT is signed; datetime and datetime2 are
TIMESTAMP_NTZ, because they have no time zone, while datetimeoffset is TIMESTAMP, an instant.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pyspark.sql import types as spark

from sbql.engine.outcomes import ResultColumn
from sbql.grammar.types import SqlType, Variant
from sbql.grammar.values.display import to_display

__all__ = ["converter", "schema_of", "spark_type"]

_TYPES: dict[str, Callable[[], spark.DataType]] = {
    "bit": spark.BooleanType,
    "tinyint": spark.ShortType,
    "smallint": spark.ShortType,
    "int": spark.IntegerType,
    "bigint": spark.LongType,
    "float": spark.DoubleType,
    "real": spark.FloatType,
    "money": lambda: spark.DecimalType(19, 4),
    "smallmoney": lambda: spark.DecimalType(10, 4),
    "date": spark.DateType,
    "datetime": spark.TimestampNTZType,
    "smalldatetime": spark.TimestampNTZType,
    "datetime2": spark.TimestampNTZType,
    "datetimeoffset": spark.TimestampType,
    "binary": spark.BinaryType,
    "varbinary": spark.BinaryType,
    "image": spark.BinaryType,
    "rowversion": spark.BinaryType,
    "timestamp": spark.BinaryType,
    "null": spark.IntegerType,
}
"""Types that are not here (text, xml, uniqueidentifier, time, sql_variant) are STRING."""


def spark_type(sql_type: SqlType) -> spark.DataType:
    """The Spark type for values of `sql_type`."""
    if sql_type.name in ("decimal", "numeric"):
        return spark.DecimalType(sql_type.precision or 18, sql_type.scale or 0)
    return _TYPES.get(sql_type.name, spark.StringType)()


def converter(sql_type: SqlType) -> Callable[[Any], Any] | None:
    """What turns a value of `sql_type` into one that Spark takes for its type; None when nothing has to be done."""
    if not isinstance(spark_type(sql_type), spark.StringType):
        return None

    def text(value: Any) -> str | None:
        if value is None or isinstance(value, str):
            return value
        if isinstance(value, Variant):
            return to_display(value.value, value.type)
        return to_display(value, sql_type)

    return text


def schema_of(columns: Sequence[ResultColumn]) -> spark.StructType:
    """The schema of a result set. Columns without a name are called `column1`, `column2` and so on."""
    return spark.StructType([
        spark.StructField(column.name or f"column{index}", spark_type(column.type), column.nullable)
        for index, column in enumerate(columns, 1)
    ])
