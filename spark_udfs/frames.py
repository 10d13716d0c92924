"""`sql`: a T-SQL script in, the DataFrame of its last result set out.

The script runs once, now, on the driver; the rows are in memory before Spark sees them. So whatever Spark does with
the DataFrame afterwards, a SEND or RECEIVE in the script happens exactly once. What a RECEIVE has taken is
committed with it, though: a job that fails later has lost those rows, unless both stand in one `transaction`. It
must not run anything on executors.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.spark_udfs.engines import Runner, engine_of, file_of, is_served, parameters_of, run_script, session_at
from sbql.spark_udfs.options import ConnectionOptions

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["count_frame", "frame_of", "sql"]

_IDLE_TIMEOUT = 60.0
_Found: TypeAlias = tuple[list[ResultSet], int]


def sql(
    spark: SparkSession,
    text: str,
    *,
    args: Mapping[str, Any] | None = None,
    store: str | os.PathLike[str] | None = None,
    variables: Mapping[str, str] | None = None,
    instance: Instance | None = None,
    database: str | None = None,
) -> DataFrame:
    """Run the T-SQL script `text` (GO separates batches) and return its last result set.

    Args:
        spark: the session that makes the DataFrame.
        text: the script.
        args: values of @variables, by name.
        store: a DuckDB file that this call opens and closes; where another process
            serves it (`sbql serve`), it goes there.
        variables: values for $(name) in the script.
        instance: an open instance (`connect(…).instance`) to run on, in a session of the call's own; it stays open.
        database: the T-SQL database to start in, with a store or an instance; master when nothing is said.

    Without store and instance it runs in the session of what `use` or `install` was given, so that transactions and
    variables of the session outlive the call; when nothing was given, a store in memory that ends with the process.

    Returns the last result set with Spark's types; a script without one gives one row `rows_affected`. Raises
    SqlError for the first error of a batch; batches after it do not run, and TypeError or ValueError for
    arguments that do not go together. When the call owns the store, it waits (up to a minute) until activated
    procedures are idle before it closes it.
    """
    parameters = parameters_of({} if args is None else args)
    if instance is not None and store is not None:
        raise ValueError("give either store or instance, not both")
    if instance is None and store is None:
        if database is not None:
            raise ValueError(
                f"database goes with store or instance; without them the session of use(…) runs the text, in its own database: use(…, database={database!r})"
            )
        results, count = run_script(engine_of().session, text, variables=variables, parameters=parameters)
    else:
        given = partial(run_script, text=text, variables=variables, parameters=parameters)
        results, count = _run(given, instance, store, database or "master")
    return frame_of(spark, results[-1]) if results else count_frame(spark, count)


def _run(run: Callable[[Runner], _Found], instance: Any, store: str | os.PathLike[str] | None, database: str) -> _Found:
    """In a session of its own: of the instance, of the process that serves the store, or of
    the store, which is opened for it."""
    path = None if store is None else file_of(store)
    if path is not None and is_served(path):
        return _in_session(run, session_at(ConnectionOptions(None, path), database))
    if instance is not None:
        return _in_session(run, instance.connect(database=database))
    own = Instance.open(path)
    try:
        found = _in_session(run, own.connect(database=database))
        own.wait_idle(_IDLE_TIMEOUT)
        return found
    finally:
        own.close()


def _in_session(run: Callable[[Runner], _Found], session: Runner) -> _Found:
    try:
        return run(session)
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
