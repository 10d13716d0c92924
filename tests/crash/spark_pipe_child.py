"""What brings messages into the service `results` until it is killed: a stream from the queue `work` through the
sink, the same through `activate` (foreachBatch in one transaction), or one job after the other. Run by
test_killed_spark.py, never imported.

Each line on standard output is the id of a batch that is committed, or "failed" and why: then the query is started
again, the job done again. When standard input ends, what is there is still read, then the stream ends.
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

import sbql
from sbql.spark_udfs import SbqlDataSource, activate, use

JOBS = "jobs.txt"
"""The versions of the jobs that have ended well, in the folder of the test."""
LABELS, ROWS = 8, 320
"""The dialogs of a job, and its rows."""


def activated(spark: Any, store: str, folder: Path) -> Any:
    use(store=store, database="Pipe", served=True)
    options = {"maxMessagesPerTrigger": 200, "numPartitions": 2, "autoEndConversation": "true"}
    return activate(spark, "work", forward, checkpoint=str(folder / "checkpoint"), **options)


def forward(messages: Any, transaction: Any) -> None:
    for row in messages.collect():
        if row.message_type_name == "DEFAULT":
            transaction.run("EXEC forward @body", {"body": bytes(row.message_body)})


def write_job(spark: Any, store: str, version: int) -> None:
    """Each label has the numbers from version * ROWS / LABELS on."""
    each = ROWS // LABELS
    rows = spark.range(ROWS, numPartitions=2).selectExpr(
        f"CAST(id DIV {each} AS string) AS conversation_key", f"id % {each} + 1 + {version * each} AS number"
    )
    sent = rows.selectExpr("conversation_key", "concat_ws(':', conversation_key, number) AS message_body")
    writer = sent.write.format("sbql").mode("append").option("database", store).option("inDatabase", "Pipe")
    writer = writer.option("fromService", "front").option("toService", "results").option("encryption", "false")
    writer.option("txnAppId", "jobs").option("txnVersion", version).save()


def work_off(spark: Any, store: str, folder: Path) -> None:
    """Jobs, until standard input ends. One that has failed is written again, whether it was committed or not."""
    done = folder / JOBS
    version = len(done.read_text().splitlines()) if done.exists() else 0
    while not select.select([sys.stdin], [], [], 0)[0]:
        try:
            write_job(spark, store, version)
        except Exception as error:
            print("failed:", str(error).partition("\n")[0], flush=True)
            time.sleep(1)
            continue
        with done.open("a") as file:
            file.write(f"{version}\n")
        print(version, flush=True)
        version += 1


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


def main(store: str, folder: Path, way: str) -> None:
    spark = new_session(folder / "warehouse")
    spark.dataSource.register(SbqlDataSource)
    if way == "jobs":
        work_off(spark, store, folder)
        return
    begin = {"sink": started, "activate": activated}[way]
    delay = 0.0
    while True:
        try:
            query = begin(spark, store, folder)
        except sbql.DatabaseError as error:  # the owner is away
            print("failed:", error, flush=True)
            time.sleep(1)
            continue
        is_done, had_a_batch = watched(query)
        if is_done:
            return
        # Spark leaves a Python process behind that was too slow to start: who starts
        # again at once makes the next one slower.
        delay = 0.0 if had_a_batch else min(20.0, 2 * delay + 1)
        time.sleep(delay)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), sys.argv[3])
