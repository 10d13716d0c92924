"""`sql`: a T-SQL script in, the DataFrame of its last result set out.

The script runs once, now, on the driver; the rows are in memory before Spark sees them. So whatever Spark does with the
DataFrame afterwards, a SEND or RECEIVE in the script happens exactly once. It must not run anything on executors.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet, RowsAffected
from sbql.grammar.batches import BatchText, split
from sbql.grammar.errors import SqlError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["sql"]

_IDLE_TIMEOUT = 60.0


def sql(
    spark: SparkSession,
    text: str,
    *,
    store: str | os.PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    instance: Instance | None = None,
    database: str = "master",
) -> DataFrame:
    """Run a T-SQL script (GO separates batches) and return its last result set.

    Args:
        spark: the session that makes the DataFrame.
        store: a DuckDB file; None is a store in memory that ends with the call.
        variables: values for $(name) in the script.
        instance: an open instance (`connect(…).instance`) to run on instead; it stays open.
        database: the T-SQL database to start in.

    Returns the last result set with Spark's types; a script without one gives one row `rows_affected`. Raises SqlError
    for the first error of a batch; batches after it do not run. When the call owns the store, it waits (up to a minute)
    until activated procedures are idle before it closes it.
    """
    if instance is not None:
        if store is not None:
            raise ValueError("give either store or instance, not both")
        return _frame(spark, *_run(instance, text, variables, database))
    own = Instance.open(None if store is None else os.fspath(store))
    try:
        result, count = _run(own, text, variables, database)
        own.wait_idle(_IDLE_TIMEOUT)
    finally:
        own.close()
    return _frame(spark, result, count)


def _run(
    instance: Instance, text: str, variables: Mapping[str, str] | None, database: str
) -> tuple[ResultSet | None, int]:
    """The last result set of the script, and the last count of rows."""
    result: ResultSet | None = None
    count = 0
    session = instance.connect(database=database)
    try:
        for batch in split(text, variables=variables):
            if not isinstance(batch, BatchText):
                continue  # :on error exit and the like: the first error ends it anyway
            for _ in range(batch.count):
                for outcome in session.run(batch.text):
                    match outcome:
                        case ErrorOutcome(error):
                            raise _placed(error, batch.first_line)
                        case ResultSet():
                            result = outcome
                        case RowsAffected():
                            count = outcome.count
    finally:
        session.close()
    return result, count


def _placed(error: SqlError, first_line: int) -> SqlError:
    """The error with its line in the whole text instead of in its batch."""
    if error.procedure is None and error.line > 0:
        error.line += first_line - 1
    return error


def _frame(spark: SparkSession, result: ResultSet | None, count: int) -> DataFrame:
    import pyarrow as pa
    from pyspark.sql.types import LongType, StructField, StructType

    from sbql.spark_udfs.spark_types import arrow_type, converter, schema_of

    if result is None:
        return spark.createDataFrame([(count,)], StructType([StructField("rows_affected", LongType(), False)]))
    schema = schema_of(result.columns)
    arrays = []
    for index, column in enumerate(result.columns):
        values: list[Any] = [row[index] for row in result.rows]
        convert = converter(column.type)
        if convert is not None:
            values = [convert(value) for value in values]
        arrays.append(pa.array(values, type=arrow_type(column.type)))
    return spark.createDataFrame(pa.Table.from_arrays(arrays, names=schema.names), schema=schema)
