"""Which Spark type carries which SQL type, and how a value gets there.

A table decides. Two that surprise: tinyint is SMALLINT, because Spark's TINYINT is signed; datetime and datetime2 are
TIMESTAMP_NTZ, because they have no time zone, while datetimeoffset is TIMESTAMP, an instant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import pyarrow as pa
from pyspark.sql import types as spark

from sbql.engine.outcomes import ResultColumn, ResultSet
from sbql.grammar.errors import sql_error
from sbql.grammar.types import SqlType
from sbql.grammar.values.display import to_display

__all__ = ["arrow_table", "named_schema_of", "schema_of"]

_Pair = tuple[Callable[[], spark.DataType], Callable[[], Any]]

_SMALL: _Pair = (spark.ShortType, pa.int16)
_PLAIN_TIME: _Pair = (spark.TimestampNTZType, lambda: pa.timestamp("us"))
_BYTES: _Pair = (spark.BinaryType, pa.binary)
_TEXT: _Pair = (spark.StringType, pa.string)

_TYPES: dict[str, _Pair] = {
    "bit": (spark.BooleanType, pa.bool_),
    "tinyint": _SMALL,
    "smallint": _SMALL,
    "int": (spark.IntegerType, pa.int32),
    "bigint": (spark.LongType, pa.int64),
    "float": (spark.DoubleType, pa.float64),
    "real": (spark.FloatType, pa.float32),
    "money": (lambda: spark.DecimalType(19, 4), lambda: pa.decimal128(19, 4)),
    "smallmoney": (lambda: spark.DecimalType(10, 4), lambda: pa.decimal128(10, 4)),
    "date": (spark.DateType, pa.date32),
    "datetime": _PLAIN_TIME,
    "smalldatetime": _PLAIN_TIME,
    "datetime2": _PLAIN_TIME,
    "datetimeoffset": (spark.TimestampType, lambda: pa.timestamp("us", tz="UTC")),
    "binary": _BYTES,
    "varbinary": _BYTES,
    "image": _BYTES,
    "rowversion": _BYTES,
    "timestamp": _BYTES,
    "null": (spark.IntegerType, pa.int32),
}
"""Types that are not here (text, xml, uniqueidentifier, time, sql_variant) are STRING."""


def _pair(sql_type: SqlType) -> _Pair:
    if sql_type.name in ("decimal", "numeric"):
        precision, scale = sql_type.precision or 18, sql_type.scale or 0
        return lambda: spark.DecimalType(precision, scale), lambda: pa.decimal128(precision, scale)
    return _TYPES.get(sql_type.name, _TEXT)


def spark_type(sql_type: SqlType) -> spark.DataType:
    """The Spark type for values of `sql_type`."""
    return _pair(sql_type)[0]()


def arrow_type(sql_type: SqlType) -> Any:
    """The Arrow type that becomes that Spark type, exactly as Spark maps it."""
    return _pair(sql_type)[1]()


def converter(sql_type: SqlType) -> Callable[[Any], Any] | None:
    """What turns a value of `sql_type` into one that Spark takes for its type; None when nothing has to be done. Half
    of a surrogate pair, which UTF-8 does not have, is U+FFFD."""
    if not isinstance(spark_type(sql_type), spark.StringType):
        return None
    return lambda value: None if value is None else to_display(value, sql_type)


def schema_of(columns: Sequence[ResultColumn]) -> spark.StructType:
    """The schema of a result set. Columns without a name are called `column1`, `column2` and so on."""
    return spark.StructType(
        [
            spark.StructField(column.name or f"column{index}", spark_type(column.type), column.nullable)
            for index, column in enumerate(columns, 1)
        ]
    )


def named_schema_of(columns: Sequence[ResultColumn]) -> spark.StructType:
    """The same, where Spark's workers hand the rows over: that way takes each name once. Raises SqlError 8156."""
    schema = schema_of(columns)
    twice = [name for name, times in Counter(schema.names).items() if times > 1]
    if twice:
        raise sql_error(8156, twice[0], "sbql")
    return schema


def arrow_table(result: ResultSet) -> Any:
    """The rows as a pyarrow Table with exactly the types that Spark maps `schema_of` to."""
    arrays = []
    for index, column in enumerate(result.columns):
        values: list[Any] = [row[index] for row in result.rows]
        convert = converter(column.type)
        if convert is not None:
            values = [convert(value) for value in values]
        arrays.append(pa.array(values, type=arrow_type(column.type)))
    return pa.Table.from_arrays(arrays, names=schema_of(result.columns).names)
