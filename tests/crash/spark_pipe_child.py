"""A stream from the queue `work` into the service `results`, until it is killed. Run by
test_killed_spark.py, never imported.

Each line on standard output is the id of a batch that is committed, or "failed" and why: then the query is started
again. When standard input ends, what is there is still read, then the stream ends.
"""

from __future__ import annotations

import select
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from pyspark.errors import StreamingQueryException
from spark_session import new_session

from sbql.spark_udfs import SbqlDataSource


def started(spark: Any, store: str, folder: Path) -> Any:
    source = spark.readStream.format("sbql").option("database", store).option("queue", "Pipe.dbo.work")
    source = (
        source.option("maxMessagesPerTrigger", 500).option("numPartitions", 2).option("autoEndConversation", "true")
    )
    # A conversation is in one task, and its messages share a dialog to the results.
    messages = source.load().where("message_type_name = 'DEFAULT'")
    text = "decode(message_body, 'UTF-16LE')"
    sent = messages.selectExpr(f"split({text}, ':')[0] AS conversation_key", "message_body")
    sink = sent.writeStream.format("sbql").option("database", store).option("inDatabase", "Pipe")
    sink = sink.option("fromService", "front").option("toService", "results").option("encryption", "false")
    return sink.option("checkpointLocation", str(folder / "checkpoint")).start()


def watched(query: Any) -> tuple[bool, bool]:
    """Tell its batches until it fails, or nobody wants more. Whether it has ended well, and whether it had a batch."""
    told = -1
    try:
        while query.isActive:
            progress = query.lastProgress
            if progress is not None and progress.batchId > told and progress.numInputRows:
                told = progress.batchId
                print(told, flush=True)
            ready, _, _ = select.select([sys.stdin], [], [], 0.02)
            if ready:
                query.processAllAvailable()
                query.stop()
                return True, told >= 0
        failure = query.exception()
    except StreamingQueryException as error:
        failure = error
    print("failed:", str(failure).partition("\n")[0], flush=True)
    return False, told >= 0


def main(store: str, folder: Path) -> None:
    spark = new_session(folder / "warehouse")
    spark.dataSource.register(SbqlDataSource)
    delay = 0.0
    while True:
        is_done, had_a_batch = watched(started(spark, store, folder))
        if is_done:
            return
        # Spark leaves a Python process behind that was too slow to start: who starts
        # again at once makes the next one slower.
        delay = 0.0 if had_a_batch else min(20.0, 2 * delay + 1)
        time.sleep(delay)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
