"""What a client of Spark Connect does, as a program of its own: a process has either Connect or a classic
session. Prints what came out as JSON.

python connect_program.py STORE ENDPOINT TOKEN FOLDER
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any


def main(store: str, endpoint: str, token: str, folder: str) -> dict[str, Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    from pyspark.sql import SparkSession

    from sbql.spark_udfs import SbqlDataSource, foreach_batch, install, register, register_table_functions, sql, use

    builder = SparkSession.builder.remote("local[2]").config("spark.ui.enabled", "false")
    spark = builder.config("spark.sql.shuffle.partitions", "1").getOrCreate()
    found: dict[str, Any] = {"kind": type(spark).__module__}

    # The hook runs in the client, the functions in the server.
    hook = install(endpoint=endpoint, token=token, database="d")
    spark.sql("EXEC talk 1, 6")
    frame = spark.sql("RECEIVE TOP (1) CAST(message_body AS nvarchar(9)) AS text FROM work")
    found["hook"] = [[row.text for row in frame.collect()] for _ in range(2)]
    found["results"] = len(hook.results)

    found["nulls"] = [
        list(row) for row in sql(spark, "SELECT @n AS n, CAST(NULL AS int) AS z", args={"n": 3}).collect()
    ]
    register(spark)
    bodies = "SELECT sbql_decode(b) AS t, sbql_xml_value(b, '(/a/@b)[1]') AS v FROM VALUES (X'3C6120623D2278222F3E'), (NULL) AS r (b)"
    found["functions"] = [list(row) for row in spark.sql(bodies).collect()]

    register_table_functions(spark, store=store, database="d")
    receive = "RECEIVE TOP (1) CAST(message_body AS nvarchar(9)) AS text FROM work"
    frame = spark.sql(f"SELECT text FROM sbql('{receive}', request_id => 'mine')")
    found["function"] = [[row.text for row in frame.collect()] for _ in range(2)]

    spark.dataSource.register(SbqlDataSource)
    read = spark.read.format("sbql").option("database", store)
    found["waiting"] = read.option("queue", "d.dbo.work").load().count()
    stream = spark.readStream.format("sbql").option("database", store).option("queue", "d.dbo.work").load()
    sink = stream.selectExpr("'k' AS conversation_key", "message_body").writeStream.format("sbql").options(
        database=store, inDatabase="d", fromService="front", toService="//results", encryption="false",
        checkpointLocation=f"{folder}/sink",
    )  # fmt: skip
    sink.trigger(availableNow=True).start().awaitTermination()

    spark.sql("EXEC talk 1, 2")

    def reply(messages: Any, open: Any) -> None:
        for row in messages.collect():
            open.run("SEND ON CONVERSATION @h (@body)", {"h": row.conversation_handle, "body": bytes(row.message_body)})

    def in_the_server(messages: Any, number: int) -> None:
        use(endpoint=endpoint, token=token, database="d")
        foreach_batch(reply, "replies")(messages, number)

    writer = stream.writeStream.foreachBatch(in_the_server).option("checkpointLocation", f"{folder}/replies")
    writer.trigger(availableNow=True).start().awaitTermination()
    spark.stop()
    return found


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
