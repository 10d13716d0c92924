"""Several instances behind one stream and one sink: offsets as a map, a list that may only grow,
each message once in each of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from serving_owner import Owner

pytest.importorskip("pyspark", reason="PySpark is not installed")

from pyspark.sql.streaming.datasource import ReadMaxRows

from sbql.grammar.errors import SqlError
from sbql.spark_udfs.engine_client import SparkFacingError
from sbql.spark_udfs.options import SourceOptions
from sbql.spark_udfs.stream_source import QueueStreamReader, lag

pytestmark = [pytest.mark.timeout(400)]


@pytest.fixture
def owners(tmp_path: Path) -> Iterator[list[Owner]]:
    found = [Owner(str(tmp_path / f"{name}.duckdb")) for name in ("first", "second")]
    yield found
    for owner in found:
        owner.close()


def where(*owners: Owner) -> dict[str, str]:
    """The options for all of them."""
    endpoints = [owner.server.endpoint for owner in owners]
    return {"endpoint": ", ".join(e.url for e in endpoints), "authToken": ",".join(e.token for e in endpoints)}


class Stream:
    """A query as Spark runs one: its offsets go through the checkpoint as text."""

    def __init__(self, *owners: Owner, **options: Any) -> None:
        given = {"queue": "d.dbo.work", "pollTimeoutMs": "0", **where(*owners), **options}
        self.reader = QueueStreamReader(SourceOptions.of({key: str(value) for key, value in given.items()}))

    def batch(self, start: str | None, most: int = 1000) -> tuple[str, list[str]]:
        """The next offset, and the texts before it."""
        before = self.reader.initialOffset() if start is None else json.loads(start)
        end = json.loads(json.dumps(self.reader.latestOffset(before, ReadMaxRows(most))))
        return json.dumps(end), self.texts(before, end)

    def texts(self, start: dict[str, Any], end: dict[str, Any]) -> list[str]:
        return [
            body.decode("utf-16le")
            for part in self.reader.partitions(start, end)
            for batch in self.reader.read(part)
            for body in batch.column("message_body").to_pylist()
        ]


def test_offsets_are_a_map_that_grows(owners: list[Owner]) -> None:
    first, second = owners
    first.sql("EXEC d.dbo.talk 1, 3")
    alone, texts = Stream(first).batch(None)
    assert texts == ["1:0", "1:1", "1:2"] and json.loads(alone)["version"] == 1

    second.sql("EXEC d.dbo.talk 1, 2")
    first.sql("EXEC d.dbo.talk 1, 1")
    both = Stream(second, first)
    end, texts = both.batch(alone)
    assert sorted(texts) == ["1:0", "1:0", "1:1"]
    offset = json.loads(end)
    stores = [owner.connection.instance.store.id for owner in (first, second)]
    assert offset["version"] == 2 and list(offset["logs"]) == stores, (
        "who came first stands first, however the list is written"
    )
    assert [entry["seq"] for entry in offset["logs"].values()] == [4, 2]
    again = Stream(first, second)
    assert sorted(again.texts(json.loads(alone), offset)) == sorted(texts), (
        "the batch that brought the second, run again"
    )
    assert again.batch(end) == (end, []), "nothing new is the same text"
    assert first.count() == second.count() == 0, "acknowledged in both"
    with pytest.raises(SparkFacingError, match=r"49944.*may grow"):
        Stream(first).batch(end)
    progress = {"sources": [{"latestOffset": json.dumps(both.reader.logs.offset([9, 4], offset)), "endOffset": end}]}
    assert lag(progress) == 7, "in the second 9 after 2, in the first none after 4"


def test_a_batch_takes_a_fair_share_of_each(owners: list[Owner]) -> None:
    first, second = owners
    first.sql("EXEC d.dbo.talk 1, 50")
    second.sql("EXEC d.dbo.talk 1, 3")
    stream, end, sizes = Stream(first, second), None, []
    for _ in range(5):
        end, texts = stream.batch(end, 20)
        sizes.append(len(texts))
    assert sum(sizes) == 53 and max(sizes) <= 20
    for one in (first, second):
        assert one.count() == 0 or sizes[-1], "the last batch is acknowledged by the next"
    stream.batch(end)
    assert first.count() == second.count() == 0
    first.sql("EXEC d.dbo.talk 1, 2")
    second.sql("EXEC d.dbo.talk 1, 2")
    assert Stream(first, second, minMessagesPerTrigger=5).batch(end) == (end, []), "too few of all together"
    assert len(Stream(first, second, minMessagesPerTrigger=4).batch(end)[1]) == 4


def test_lists_that_cannot_be(owners: list[Owner]) -> None:
    first, second = owners
    url, token = first.server.endpoint.url, first.server.endpoint.token
    for given, text in (
        ({"endpoint": f"{url},{url}"}, "twice"),
        ({"endpoint": f"{url},{second.server.endpoint.url}", "authToken": "a,b,c"}, "2 endpoints and 3 tokens"),
    ):
        with pytest.raises(SqlError, match=text):
            SourceOptions.of({"queue": "q", **given})
    same = {"endpoint": f"{url},{url.replace('127.0.0.1', 'localhost')}", "authToken": token}
    with pytest.raises(SparkFacingError, match="the same store"):
        QueueStreamReader(SourceOptions.of({"queue": "d.dbo.work", **same})).initialOffset()


@pytest.mark.spark
def test_queues_of_two_instances_to_replies_in_both(spark: Any, owners: list[Owner], tmp_path: Path) -> None:
    """Each answers on its own dialogs. While one of them is away the query ends with an
    error; when it is back, it goes on."""
    from pyspark.errors import StreamingQueryException

    from sbql.spark_udfs import SbqlDataSource

    spark.dataSource.register(SbqlDataSource)
    second = owners[1]
    for owner in owners:
        owner.sql("EXEC d.dbo.talk 2, 4")

    def options(stream: Any) -> Any:
        for key, value in where(*owners).items():
            stream = stream.option(key, value)
        return stream

    def run() -> None:
        source = (
            options(spark.readStream.format("sbql")).option("queue", "d.dbo.work").option("includeMetadata", "true")
        )
        answers = (
            source.option("maxMessagesPerTrigger", 8).load().select("_store", "conversation_handle", "message_body")
        )
        sink = options(answers.writeStream.format("sbql")).option("inDatabase", "d")
        query = sink.option("checkpointLocation", str(tmp_path / "c")).trigger(availableNow=True).start()
        query.awaitTermination(200)

    second.sql("ALTER QUEUE d.dbo.work WITH STATUS = OFF")
    with pytest.raises(StreamingQueryException, match="9617"):
        run()
    second.sql("ALTER QUEUE d.dbo.work WITH STATUS = ON")
    run()
    for owner in owners:
        replies = owner.sql("SELECT CAST(message_body AS nvarchar(9)) FROM d.dbo.replies ORDER BY queuing_order")
        assert sorted(text for (text,) in replies) == sorted(f"{d}:{i}" for d in (1, 2) for i in range(4))
        assert owner.count() == 0

    for owner in owners:
        owner.sql("EXEC d.dbo.talk 1, 1")
    address = second.server.endpoint
    second.server.stop()
    with pytest.raises(StreamingQueryException, match=r"10061|10054"):
        run()
    second.serve()
    assert second.server.endpoint != address, "another port and token: a store is known by its id"
    run()
    assert [owner.count("replies") for owner in owners] == [9, 9]


@pytest.mark.spark
def test_rows_with_keys_are_spread_and_sent_once_in_each(spark: Any, owners: list[Owner]) -> None:
    from pyspark.errors import AnalysisException

    from sbql.spark_udfs import SbqlDataSource

    spark.dataSource.register(SbqlDataSource)
    rows = spark.range(20).selectExpr(
        "CAST(id % 10 AS string) AS conversation_key", "CAST(id AS string) AS message_body"
    )

    def write(frame: Any, **more: Any) -> None:
        given = {
            **where(*owners),
            "inDatabase": "d",
            "fromService": "front",
            "toService": "//results",
            "encryption": "false",
            **more,
        }
        frame.write.format("sbql").mode("append").options(**given).save()

    # The second does not take its part of what the first has taken: written again, each has it once.
    owners[1].sql("ALTER DATABASE d SET READ_ONLY WITH ROLLBACK IMMEDIATE")
    with pytest.raises(Exception, match="Msg 3906"):
        write(rows, txnAppId="load", txnVersion="1")
    owners[1].sql("ALTER DATABASE d SET READ_WRITE")
    for _ in range(2):
        write(rows, txnAppId="load", txnVersion="1")
    counts = [owner.count("results") for owner in owners]
    assert sum(counts) == 20 and 0 < counts[0] < 20
    found = [
        owner.sql("SELECT CAST(message_body AS nvarchar(9)) FROM d.dbo.results ORDER BY queuing_order")
        for owner in owners
    ]
    keys = [{int(text) % 10 for (text,) in part} for part in found]
    assert not keys[0] & keys[1], "a key falls on one of them"
    with pytest.raises(AnalysisException, match="_store"):
        write(spark.sql("SELECT 'x' AS conversation_handle, 'y' AS message_body"))
