"""The data source `sbql` under real Spark: streams that read queues."""

from __future__ import annotations

import shutil
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from serving_owner import Owner

pytestmark = [pytest.mark.spark, pytest.mark.timeout(400)]


@pytest.fixture
def stream(spark: Any, owner: Owner) -> Any:
    """A stream of the queue `work`, with more options."""
    from sbql.spark_udfs import SbqlDataSource

    spark.dataSource.register(SbqlDataSource)

    def load(**options: Any) -> Any:
        reader = spark.readStream.format("sbql").option("database", owner.path).option("queue", "d.dbo.work")
        for name, value in options.items():
            reader = reader.option(name, value)
        return reader.load()

    return load


def collect(frame: Any, checkpoint: Path, found: list[tuple[int, list[str]]], fail_at: int | None = None) -> None:
    """Run what is there now, and note each batch: (batch id, texts in their order)."""

    def take(batch: Any, number: int) -> None:
        if number == fail_at:
            raise RuntimeError("the sink is out of order")
        rows = batch.selectExpr("decode(message_body, 'UTF-16LE') AS text").collect()
        found.append((number, [row.text for row in rows]))

    query = (
        frame.writeStream.foreachBatch(take)
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination(100)


def test_a_stream_reads_each_message_once_across_failures(stream: Any, owner: Owner, tmp_path: Path) -> None:
    from pyspark.errors import StreamingQueryException

    owner.sql("EXEC d.dbo.talk 4, 5")
    frame, checkpoint = stream(maxMessagesPerTrigger=6), tmp_path / "c"
    batches: list[tuple[int, list[str]]] = []
    with pytest.raises(StreamingQueryException, match="out of order"):
        collect(frame, checkpoint, batches, fail_at=2)
    assert [number for number, _ in batches] == [0, 1]
    collect(frame, checkpoint, batches)
    texts = [text for _, part in batches for text in part]
    assert [number for number, _ in batches] == [0, 1, 2, 3]
    assert sorted(texts) == sorted(f"{d}:{i}" for d in range(1, 5) for i in range(5))
    for dialog in range(1, 5):
        assert [t for t in texts if t.startswith(f"{dialog}:")] == [f"{dialog}:{i}" for i in range(5)]
    assert owner.count() == 0, "acknowledged, the last batch too"

    # A lost commit: Spark plans the last batch again, but its messages are gone for good.
    owner.sql("EXEC d.dbo.talk 1, 2")
    for name in ("3", ".3.crc"):
        shutil.rmtree(checkpoint / "commits" / name, ignore_errors=True)
        (checkpoint / "commits" / name).unlink(missing_ok=True)
    with pytest.raises(StreamingQueryException, match="49943") as caught:
        collect(frame, checkpoint, [])
    from sbql.spark_udfs import sql_error

    told = sql_error(caught.value)
    assert told is not None and told.number == 49943 and "failOnDataLoss" in told.message
    collect(stream(failOnDataLoss="false"), checkpoint, batches)
    assert batches[-1][1] == ["1:0", "1:1"]


def test_order_in_partitions_metadata_and_lag(stream: Any, owner: Owner, tmp_path: Path, spark: Any) -> None:
    from sbql.spark_udfs import lag

    owner.sql("EXEC d.dbo.talk 15, 2")  # so many groups that chance puts them into both partitions
    found: list[Any] = []

    def take(batch: Any, number: int) -> None:
        rows = batch.selectExpr(
            "*", "spark_partition_id() AS part", "decode(message_body, 'UTF-16LE') AS text"
        ).collect()
        found.extend(rows)

    frame = stream(numPartitions=2, includeMetadata="true", maxMessagesPerTrigger=20)
    query = frame.writeStream.foreachBatch(take).option("checkpointLocation", str(tmp_path / "c")).start()
    query.processAllAvailable()
    progress = [p for p in query.recentProgress if p.numInputRows]
    query.stop()
    assert [p.numInputRows for p in progress] == [20, 10]
    assert lag(progress[0]) == 10 and lag(progress[1]) == 0
    assert sorted(row._seq for row in found) == list(range(1, 31))
    assert {row._queue for row in found} == {"d.dbo.work"} and {row._delivery_count for row in found} == {1}
    assert len({row.part for row in found}) == 2
    for handle in {row.conversation_handle for row in found}:
        texts = [row.text for row in found if row.conversation_handle == handle]
        assert texts == sorted(texts)


def test_wrong_options_and_owners_are_told_what_to_do(stream: Any, owner: Owner, spark: Any, tmp_path: Path) -> None:
    from pyspark.errors import AnalysisException, StreamingQueryException

    for option, text in (
        ({"maxMessagePerTrigger": 5}, "Did you mean maxMessagesPerTrigger"),
        ({"numPartitions": "many"}, "It is a whole number"),
        ({"startingOffsets": "latest"}, "earliest"),
    ):
        with pytest.raises(AnalysisException, match=text):
            stream(**option)
    for number, (option, text) in enumerate((
        ({"queue": "d.dbo.nothing"}, "Msg 208"),
        ({"database": str(tmp_path / "nobody.duckdb")}, "sbql serve --store"),
    )):  # fmt: skip
        with pytest.raises(StreamingQueryException, match=text):
            collect(stream(**option), tmp_path / f"c{number}", [])


def test_queue_to_queue_with_a_commit_whose_answer_is_lost(stream: Any, owner: Owner, tmp_path: Path) -> None:
    """Source and sink in one stream, and the same stream after it forgot its last
    commit: every message once, in order."""
    owner.sql("EXEC d.dbo.talk 3, 10")
    sent = stream(maxMessagesPerTrigger=12).selectExpr("conversation_handle AS conversation_key", "message_body")

    def run(checkpoint: Path) -> None:
        writer = sent.writeStream.format("sbql").option("database", owner.path).option("inDatabase", "d")
        writer = writer.option("fromService", "front").option("toService", "//results").option("encryption", "false")
        query = writer.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start()
        query.awaitTermination(200)

    run(tmp_path / "c")
    texts = owner.sql(
        "SELECT CAST(message_body AS nvarchar(50)), conversation_handle FROM d.dbo.results ORDER BY queuing_order"
    )
    assert sorted(text for text, _ in texts) == sorted(f"{d}:{i}" for d in (1, 2, 3) for i in range(10))
    assert len({handle for _, handle in texts}) == 3
    for dialog in (1, 2, 3):
        assert [text for text, _ in texts if text.startswith(f"{dialog}:")] == [f"{dialog}:{i}" for i in range(10)]
    assert owner.count("work") == 0
    (record,) = owner.connection.instance.broker.sent_batches.values()
    assert record.version == 2 and record.writer.startswith("query ")


def test_a_schema_names_the_columns_that_are_read(spark: Any, owner: Owner, tmp_path: Path) -> None:
    """In its order, without what a stream or a look has else; the stream's own columns without
    includeMetadata. The other rows are the same."""
    from sbql.spark_udfs import SbqlDataSource

    spark.dataSource.register(SbqlDataSource)
    owner.sql("EXEC d.dbo.talk 2, 3")

    def named(reader: Any, schema: str) -> Any:
        return reader.format("sbql").option("database", owner.path).option("queue", "d.dbo.work").schema(schema).load()

    columns = "message_body BINARY, conversation_handle STRING"
    peeked = named(spark.read, columns)
    assert peeked.columns == ["message_body", "conversation_handle"]
    looked = sorted((row.conversation_handle, bytes(row.message_body)) for row in peeked.collect())
    expected = owner.sql("SELECT CAST(conversation_handle AS char(36)), message_body FROM d.dbo.work")
    assert looked == sorted((handle, bytes(body)) for handle, body in expected) and len(looked) == 6
    found: list[Any] = []
    frame = named(spark.readStream, f"_seq BIGINT, {columns}, _queue STRING")
    query = frame.writeStream.foreachBatch(lambda batch, _: found.extend(batch.collect()))
    query.option("checkpointLocation", str(tmp_path / "c")).trigger(availableNow=True).start().awaitTermination(100)
    assert frame.columns == ["_seq", "message_body", "conversation_handle", "_queue"]
    assert sorted((row.conversation_handle, bytes(row.message_body)) for row in found) == looked
    assert sorted(row._seq for row in found) == [1, 2, 3, 4, 5, 6] and {row._queue for row in found} == {"d.dbo.work"}


def test_batch_write_and_read(spark: Any, owner: Owner) -> None:
    from pyspark.errors import AnalysisException, PythonException

    from sbql.spark_udfs import SbqlDataSource

    spark.dataSource.register(SbqlDataSource)
    frame = spark.createDataFrame(
        [("a", "1"), ("b", "2"), ("a", "3")], "conversation_key string, message_body string"
    ).coalesce(1)

    def write(frame: Any, **options: Any) -> None:
        writer = frame.write.format("sbql").mode("append").option("database", owner.path).option("inDatabase", "d")
        for name, value in {"fromService": "front", "toService": "//results", "encryption": "false", **options}.items():
            writer = writer.option(name, value)
        writer.save()

    for _ in range(2):
        write(frame, txnAppId="load", txnVersion=7)
    read = spark.read.format("sbql").option("database", owner.path)
    peeked = read.option("queue", "d.dbo.results").load()
    rows = peeked.orderBy("queuing_order").selectExpr("decode(message_body, 'UTF-16LE') AS text").collect()
    assert [row.text for row in rows] == ["1", "2", "3"], "the second write with the same name changed nothing"
    assert peeked.count() == 3 == peeked.count(), "a look takes nothing away"
    names = spark.read.format("sbql").option("database", owner.path)
    states = names.option(
        "query", "SELECT state_desc, COUNT(*) AS n FROM d.sys.conversation_endpoints GROUP BY state_desc"
    ).load()
    assert {(row.state_desc, row.n) for row in states.collect()} == {("CONVERSING", 4)}
    with pytest.raises(AnalysisException, match="one SELECT"):
        names.option("query", "RECEIVE * FROM d.dbo.results").load()
    with pytest.raises(AnalysisException, match="has no column 'body'"):
        write(frame.withColumnRenamed("message_body", "body"))
    with pytest.raises((AnalysisException, PythonException), match="Msg 8428"):
        write(frame, messageType="//unknown")
    assert owner.count("results") == 3


def test_a_query_gives_the_columns_of_the_readers_own_schema(spark: Any, owner: Owner) -> None:
    from sbql.spark_udfs import SbqlDataSource

    spark.dataSource.register(SbqlDataSource)
    reader = spark.read.format("sbql").option("database", owner.path)
    query = "SELECT 1 AS a, N'x' AS b, CAST(2.5 AS decimal(9, 2)) AS c"
    for columns, row in (
        ("c decimal(9,2), a int", (Decimal("2.50"), 1)), ("b string", ("x",)), ("b string COLLATE UNICODE_CI, a int", ("x", 1)),
        ("a int, b string, c decimal(9,2)", (1, "x", Decimal("2.50"))),
    ):  # fmt: skip
        assert tuple(reader.schema(columns).option("query", query).load().first()) == row
