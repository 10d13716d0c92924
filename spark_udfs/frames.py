"""`sql`: a T-SQL script in, the DataFrame of its last result set out.

The script runs once, now, on the driver; the rows are in memory before Spark sees them. So whatever Spark does with the
DataFrame afterwards, a SEND or RECEIVE in the script happens exactly once. What a RECEIVE has taken is committed with it, though: a job
that fails later has lost those rows, unless both stand in one `transaction`. It must not run anything on executors.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.spark_udfs.engines import engine_of, parameters_of, run_script

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["count_frame", "frame_of", "sql"]

_IDLE_TIMEOUT = 60.0


def sql(
    spark: SparkSession,
    text: str,
    *,
    args: Mapping[str, Any] | None = None,
    store: str | os.PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    instance: Instance | None = None,
    database: str = "master",
) -> DataFrame:
    """Run the T-SQL script `text` (GO separates batches) and return its last result set.

    Args:
        spark: the session that makes the DataFrame.
        args: values of @variables, by name.
        store: a DuckDB file that this call opens and closes.
        variables: values for $(name) in the script.
        instance: an open instance (`connect(…).instance`) to run on, in a session of the call's own; it stays open.
        database: the T-SQL database to start in, with a store or an instance.

    Without store and instance it runs in the session of what `use` or `install` was given, so that transactions and variables of the
    session outlive the call; when nothing was given, a store in memory that ends with the process.

    Returns the last result set with Spark's types; a script without one gives one row `rows_affected`. Raises SqlError
    for the first error of a batch; batches after it do not run. When the call owns the store, it waits (up to a minute)
    until activated procedures are idle before it closes it.
    """
    parameters = parameters_of(args or {})
    if instance is not None and store is not None:
        raise ValueError("give either store or instance, not both")
    if instance is None and store is None:
        results, count = run_script(engine_of().session, text, variables=variables, parameters=parameters)
    elif instance is not None:
        results, count = _run(instance, text, variables, parameters, database)
    else:
        own = Instance.open(None if store is None else os.fspath(store))
        try:
            results, count = _run(own, text, variables, parameters, database)
            own.wait_idle(_IDLE_TIMEOUT)
        finally:
            own.close()
    return frame_of(spark, results[-1]) if results else count_frame(spark, count)


def _run(
    instance: Instance, text: str, variables: Mapping[str, str] | None, parameters: dict[str, Any], database: str
) -> tuple[list[ResultSet], int]:
    session = instance.connect(database=database)
    try:
        return run_script(session, text, variables=variables, parameters=parameters)
    finally:
        session.close()


def frame_of(spark: SparkSession, result: ResultSet) -> DataFrame:
    """The result set as a DataFrame; its rows are in memory."""
    from sbql.spark_udfs.spark_types import arrow_table, schema_of

    return spark.createDataFrame(arrow_table(result), schema=schema_of(result.columns))


def count_frame(spark: SparkSession, count: int) -> DataFrame:
    """One row `rows_affected`, for a script without a result set."""
    from pyspark.sql.types import LongType, StructField, StructType

    return spark.createDataFrame([(count,)], StructType([StructField("rows_affected", LongType(), False)]))
