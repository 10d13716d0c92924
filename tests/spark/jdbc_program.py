"""Spark's JDBC source with Microsoft's driver, in a process of its own, whose JVM starts with the jar:
`jdbc_program.py JAR URL PASSWORD`.

Writes and reads tables, and prints what came as one line of JSON.
"""

from __future__ import annotations

import datetime as dt
import json
import sys
from decimal import Decimal

from pyspark.sql import SparkSession

jar, url, password = sys.argv[1:]
builder = (
    SparkSession.builder.master("local[2]")
    .config("spark.driver.extraClassPath", jar)
    .config("spark.ui.enabled", "false")
)
spark = builder.config("spark.sql.session.timeZone", "UTC").config("spark.sql.shuffle.partitions", "2").getOrCreate()
spark.sparkContext.setLogLevel("ERROR")
OPTIONS = {"url": url, "user": "sa", "password": password, "driver": "com.microsoft.sqlserver.jdbc.SQLServerDriver"}


def source(**options: object) -> object:
    return spark.read.format("jdbc").options(**OPTIONS, **options)


rows = [
    (
        n,
        f"ж{n}",
        Decimal(n) / 4,
        n / 8,
        n % 2 == 0,
        dt.date(2024, 2, 29),
        dt.datetime(2024, 2, 29, 1, 2, 3),
        bytes([n]),
        None,
    )
    for n in range(100)
]
schema = "n int, s string, d decimal(9,2), f double, b boolean, day date, at timestamp, raw binary, nothing long"
frame = spark.createDataFrame(rows, schema)
writer = frame.write.format("jdbc").options(**OPTIONS, dbtable="dbo.frames")
writer.mode("overwrite").save()
writer.mode("append").save()
back = source(dbtable="dbo.frames").load()
halves = source(dbtable="dbo.frames", partitionColumn="n", lowerBound=0, upperBound=100, numPartitions=4).load()
found = {
    "schema": {field.name: field.dataType.simpleString() for field in back.schema},
    "count": back.count(),
    "same": sorted(back.distinct().collect(), key=lambda row: row.n) == sorted(frame.collect(), key=lambda row: row.n),
    "pushed": back.where("s LIKE '%7' AND at > timestamp'2024-01-01'").count(),
    "partitions": [halves.rdd.getNumPartitions(), halves.count()],
    "grouped": [list(row) for row in back.groupBy("b").sum("n").orderBy("b").collect()],
    "limited": len(source(query="SELECT TOP 50 n, s FROM dbo.frames ORDER BY n").load().limit(7).collect()),
}
frame.limit(3).write.format("jdbc").options(**OPTIONS, dbtable="dbo.frames", truncate="true").mode("overwrite").save()
found["truncated"] = source(dbtable="dbo.frames").load().count()
print("FOUND", json.dumps(found))
spark.stop()
