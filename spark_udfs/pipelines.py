"""Jobs and messages in one transaction: `transaction` around a job on the driver,
`foreach_batch` around each batch of a stream.

It decides what is committed when. A RECEIVE, the replies and the note that a batch is done stand in one T-SQL
transaction. It commits when the job has done its work. When the job fails, it is rolled back, and the messages are in
their queue again. A batch that Spark runs again after it was committed is left out. What the job has written elsewhere,
such as files, is the job's to make idempotent: by the batch's id.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from sbql.engine.outcomes import ResultSet
from sbql.spark_udfs.engines import Runner, engine_session, is_in_use, parameters_of, run_script
from sbql.spark_udfs.frames import count_frame, frame_of
from sbql.spark_udfs.options import option_error

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["Transaction", "foreach_batch", "transaction"]

_TABLE = """
IF OBJECT_ID(N'dbo.sbql_batches') IS NULL
    CREATE TABLE dbo.sbql_batches (query_id nvarchar(100) NOT NULL PRIMARY KEY, batch_id bigint NOT NULL)
"""

_NOTE = """
BEGIN TRANSACTION;
UPDATE dbo.sbql_batches SET batch_id = @batch WHERE query_id = @query AND batch_id < @batch;
DECLARE @is_new bit = IIF(@@ROWCOUNT > 0, 1, 0);
IF @is_new = 0 AND NOT EXISTS (SELECT * FROM dbo.sbql_batches WHERE query_id = @query)
BEGIN
    INSERT dbo.sbql_batches VALUES (@query, @batch);
    SET @is_new = 1;
END;
IF @is_new = 0 ROLLBACK TRANSACTION;
SELECT @is_new;
"""


class Transaction:
    """What runs T-SQL inside of the open transaction."""

    def __init__(self, spark: SparkSession, session: Runner) -> None:
        self.spark, self._session = spark, session

    def run(self, text: str, args: Mapping[str, Any] | None = None) -> list[ResultSet]:
        """Run a script; its result sets. Raises SqlError."""
        return run_script(self._session, text, parameters=parameters_of(args or {}))[0]

    def sql(self, text: str, args: Mapping[str, Any] | None = None) -> DataFrame:
        """Run a script; its last result set as a DataFrame, or `rows_affected`. Raises SqlError."""
        results, count = run_script(self._session, text, parameters=parameters_of(args or {}))
        return frame_of(self.spark, results[-1]) if results else count_frame(self.spark, count)


def _value(session: Runner, text: str) -> Any:
    results, _ = run_script(session, text)
    return results[-1].rows[0][0]


@contextmanager
def transaction(spark: SparkSession) -> Iterator[Transaction]:
    """What a script in it has received is gone when the block ends well, and back in its queue when it raises::

        with transaction(spark) as tran:
            orders = tran.sql("RECEIVE * FROM dbo.OrderQueue")
            orders.write.mode("append").parquet("orders")

    Raises ValueError when the session has a transaction open already, SqlError when the commit fails or the block has
    ended the transaction itself (266).
    """
    session = engine_session()
    if _value(session, "SELECT @@TRANCOUNT"):
        raise ValueError("the session has an open transaction: commit it or roll it back first")
    run_script(session, "BEGIN TRANSACTION")
    try:
        yield Transaction(spark, session)
    except BaseException:
        run_script(session, "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION")
        raise
    _commit(session)


def _commit(session: Runner) -> None:
    """Raises SqlError 3902 when there is nothing to commit any more: somebody has ended the transaction inside."""
    run_script(session, "COMMIT TRANSACTION")


def foreach_batch(
    function: Callable[[DataFrame, Transaction], object], query_id: str | None = None
) -> Callable[[DataFrame, int], None]:
    """For `writeStream.foreachBatch(foreach_batch(function))`: `function(frame, transaction)` is called inside of one
    T-SQL transaction for each batch, which also notes that the batch is done (`dbo.sbql_batches`, a row a query).

    A batch that Spark repeats after its commit is left out; one that fails is rolled back, its exception goes to the
    query, and Spark runs it again when the query is started again. `query_id`: by which the query is known; None:
    Spark's own id, which its checkpoint keeps. The batch of a stream is the same whenever it is run again, so that what
    `function` sends is sent once. The engine session is the driver's: with Spark Connect the function runs in the
    server, which needs `use(...)` there.
    """

    if not callable(function):
        raise TypeError(f"what runs for each batch is a function of (frame, transaction), not {function!r}")

    def run(frame: DataFrame, batch_id: int) -> None:
        if not is_in_use() and type(frame).__module__.startswith("pyspark.sql.connect"):
            raise option_error(
                "This function runs in Spark Connect's server, which no use(…) has told where the engine is: give foreachBatch a function that calls "
                "use(store=…) or use(endpoint=…) and then foreach_batch(function, 'a name for the query')(frame, batch)."
            )
        session = engine_session()
        query = query_id or _query_of(frame)
        if not begun(session, query, batch_id):
            return
        try:
            function(frame, Transaction(frame.sparkSession, session))
        except BaseException:
            run_script(session, "IF @@TRANCOUNT > 0 ROLLBACK TRANSACTION")
            raise
        _commit(session)

    return run


def begun(session: Runner, query: str, batch_id: int) -> bool:
    """Begin the transaction of a batch. False: it was committed before, and nothing is open."""
    run_script(session, _TABLE)
    known = parameters_of({"query": query, "batch": batch_id})
    results, _ = run_script(session, _NOTE, parameters=known)
    return bool(results[-1].rows[0][0])


def _query_of(frame: DataFrame) -> str:
    """The id of the streaming query that runs in this thread. Raises ValueError where Spark does not tell it."""
    context = getattr(frame.sparkSession, "sparkContext", None)
    found = context.getLocalProperty("sql.streaming.queryId") if context is not None else None
    if not found:
        raise ValueError("Spark does not say which query this batch is of: give foreach_batch a query_id of your own")
    return str(found)
