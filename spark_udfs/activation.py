"""`activate`: a streaming query as the reader that a queue has outside of the database (external activation).

Decides how the query reaches the queue when nobody says: the way that `use` or `install` went. The messages of a batch,
what the function replies and the note that the batch is done are one story: the source delivers them once,
`foreach_batch` runs the function once. It must not know what the function does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from sbql.grammar.names import parse_object_name
from sbql.spark_udfs.engines import engine_of, run_script
from sbql.spark_udfs.options import option_error
from sbql.spark_udfs.pipelines import Transaction, foreach_batch

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming import StreamingQuery

__all__ = ["activate"]


def activate(
    spark: SparkSession,
    queue: str,
    function: Callable[[DataFrame, Transaction], object],
    *,
    checkpoint: str,
    name: str | None = None,
    available_now: bool = False,
    processing_time: str | None = None,
    **options: Any,
) -> StreamingQuery:
    """Start a query that calls `function(messages, transaction)` for each batch of messages in `queue`,
    as an activated procedure is called::

        def reply(messages, tran):
            for row in messages.collect():
                tran.run("SEND ON CONVERSATION @h (@body)", {"h": row.conversation_handle, "body": row.message_body})

        query = activate(spark, "dbo.OrderQueue", reply, checkpoint="checkpoints/orders")

    What the function does through `transaction` is committed together, once for a batch; when it raises, it is rolled
    back, the query ends, and the same messages come again when it is started with the same `checkpoint`.

    Args:
        spark: the session that runs the query.
        queue: a T-SQL name; without a database, in that of the engine in use.
        function: what is called with each batch: a DataFrame of messages, and the transaction that is open.
        checkpoint: a folder for Spark's notes: one for each query.
        name: of the query, in Spark.
        available_now: end when what is there now is done.
        processing_time: begin a batch at most that often ('10 seconds').
        options: of the data source, such as consumerId or maxMessagesPerTrigger; endpoint or database, where the
            engine is.

    Raises SqlError 87 when the engine in use is not served, and with Spark Connect, where the
    function would run in the server's process.
    """
    if type(spark).__module__.startswith("pyspark.sql.connect"):
        raise option_error(
            "With Spark Connect a batch's function runs in the server, which knows nothing of use(…) here: write a function that calls use(…) and then "
            "foreach_batch(function, 'a name for the query')(messages, batch), and give it to writeStream.foreachBatch."
        )
    from sbql.spark_udfs.data_source import SbqlDataSource

    engine = engine_of()
    given = {**({} if {"endpoint", "database"} & options.keys() else engine.way()), **options}
    if not given.keys() & {"endpoint", "database"}:
        raise option_error(
            "Spark reads the queue from processes of its own: serve the engine that is in use, with sbql.serve(connection) or sbql serve --store "
            "FILE, or say where another is, with database=… or endpoint=…."
        )
    each_batch = foreach_batch(function)
    spark.dataSource.register(SbqlDataSource)
    reader = spark.readStream.format("sbql").option("queue", _full_name(engine.session, queue))
    for key, value in given.items():
        reader = reader.option(key, value)
    writer = reader.load().writeStream.foreachBatch(each_batch)
    writer = writer.option("checkpointLocation", checkpoint)
    if name is not None:
        writer = writer.queryName(name)
    if available_now:
        writer = writer.trigger(availableNow=True)
    elif processing_time is not None:
        writer = writer.trigger(processingTime=processing_time)
    return writer.start()


def _full_name(session: Any, queue: str) -> str:
    """With the database of the session. Raises SqlError 102 for what is no name."""
    parts = parse_object_name(queue).parts
    if len(parts) > 2:
        return queue
    results, _ = run_script(session, "SELECT QUOTENAME(DB_NAME())")
    return f"{results[-1].rows[0][0]}.{queue if len(parts) == 2 else f'dbo.{queue}'}"
