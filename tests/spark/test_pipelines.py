"""Which texts `spark.sql` gives to the engine; jobs and batches in one transaction with their
messages. Most of it without Spark."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest

import sbql
from sbql.spark_udfs import engines

pytest.importorskip("pyspark", reason="PySpark is not installed")

from sbql.spark_udfs import engine_session, foreach_batch, install, transaction, uninstall, use
from sbql.spark_udfs.hook import is_for_the_engine

ENGINE = [
    "RECEIVE TOP (1) * FROM q", "-- note\n/* more */ receive * from q", "WAITFOR (RECEIVE * FROM q), TIMEOUT 10", "SEND ON CONVERSATION '1' (1)",
    "BEGIN DIALOG CONVERSATION @h FROM SERVICE a TO SERVICE 'b'", "BEGIN CONVERSATION TIMER ('1') TIMEOUT = 1", "BEGIN TRAN", "BEGIN TRANSACTION x",
    "COMMIT", "ROLLBACK TRANSACTION", "END CONVERSATION '1'", "GET CONVERSATION GROUP @g FROM q", "MOVE CONVERSATION '1' TO '2'", "CREATE QUEUE q",
    "ALTER QUEUE q WITH STATUS = ON", "DROP SERVICE s", "CREATE CONTRACT c (x SENT BY ANY)", "CREATE MESSAGE TYPE t", "CREATE ROUTE r WITH ADDRESS = 'LOCAL'",
    "CREATE REMOTE SERVICE BINDING b TO SERVICE 'x' WITH USER = u", "CREATE BROKER PRIORITY p FOR CONVERSATION", "DECLARE @x int", "SET @x = 1",
    "SELECT @@TRANCOUNT", "SELECT * FROM t WHERE a = @a", "EXEC sp_who", "EXECUTE dbo.p", "PRINT 'x'",
]  # fmt: skip

SPARK = [
    "SELECT 1", "SELECT * FROM t@v1", "SELECT '@x', \"@y\"", "SELECT 'it\\'s @x'", "SELECT `@x` FROM t", "BEGIN SELECT 1; END", "USE x",
    "SELECT TOP (1) * FROM t", "SELECT * FROM sys.x", "CREATE TABLE t (a int)", "DROP VIEW v", "EXECUTE IMMEDIATE 'SELECT 1'", "DECLARE x INT", "",
    "SELECT receive FROM send", "CREATE FUNCTION queue() RETURNS INT RETURN 1", "-- RECEIVE * FROM q\nSELECT 1", "WITH q AS (SELECT 1) SELECT * FROM q",
]  # fmt: skip


@pytest.mark.parametrize("text", ENGINE)
def test_statements_of_service_broker_are_the_engines(text: str) -> None:
    assert is_for_the_engine(text)


@pytest.mark.parametrize("text", SPARK)
def test_everything_else_is_sparks(text: str) -> None:
    assert not is_for_the_engine(text)


# --- transactions ------------------------------------------------------------------------------------------------

SETUP = """
CREATE DATABASE Shop
GO
USE Shop
GO
CREATE QUEUE q
CREATE QUEUE r
CREATE SERVICE s ON QUEUE q ([DEFAULT])
CREATE SERVICE c ON QUEUE r
GO
DECLARE @h uniqueidentifier, @n int = 0;
BEGIN DIALOG @h FROM SERVICE c TO SERVICE 's' WITH ENCRYPTION = OFF;
WHILE @n < 4 BEGIN SEND ON CONVERSATION @h (CAST(@n AS binary(1))); SET @n += 1 END;
"""

REPLY = "SEND ON CONVERSATION @h (@body)"


@pytest.fixture
def shop() -> Iterator[sbql.Connection]:
    with sbql.connect() as connection:
        sbql.run_script(connection, SETUP)
        use(connection, database="Shop")
        yield connection
        engines.release()


def waiting(connection: sbql.Connection, queue: str = "q") -> int:
    return int(connection.execute(f"SELECT COUNT(*) FROM {queue}").fetchall()[0][0])


class JobFailed(Exception):
    pass


def test_a_job_that_fails_leaves_its_messages_in_the_queue(shop: sbql.Connection) -> None:
    def failing(open: Any) -> None:
        assert len(open.run("RECEIVE * FROM q")[-1].rows) == 4
        raise JobFailed

    with pytest.raises(JobFailed), transaction(None) as open:  # type: ignore[arg-type]
        failing(open)
    assert waiting(shop) == 4
    with transaction(None) as open:  # type: ignore[arg-type]
        assert [row[0] for row in open.run("RECEIVE TOP (@n) message_body FROM q", {"n": 3})[-1].rows] == [
            b"\0",
            b"\1",
            b"\2",
        ]
    assert waiting(shop) == 1


def test_a_transaction_that_the_job_ends_itself_is_told(shop: sbql.Connection) -> None:
    with pytest.raises(sbql.SqlError) as caught, transaction(None) as open:  # type: ignore[arg-type]
        open.run("ROLLBACK TRANSACTION")
    assert caught.value.number == 3902
    engine_session().run("BEGIN TRANSACTION")
    with pytest.raises(ValueError, match="open transaction"), transaction(None):  # type: ignore[arg-type]
        pass
    engine_session().run("ROLLBACK TRANSACTION")


def test_a_batch_counts_once_however_often_spark_repeats_it(shop: sbql.Connection) -> None:
    handle = shop.execute(
        "SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0"
    ).fetchall()[0][0]
    calls: list[int] = []

    def reply(frame: Any, open: Any) -> None:
        calls.append(frame.number)
        open.run(REPLY, {"h": handle, "body": bytes([frame.number])})
        if frame.fails:
            raise JobFailed

    def frame(number: int, fails: bool = False) -> Any:
        return SimpleNamespace(number=number, fails=fails, sparkSession=None)

    run = foreach_batch(reply, "orders")
    run(frame(0), 0)
    with pytest.raises(JobFailed):
        run(frame(1, fails=True), 1)
    assert waiting(shop, "r") == 1
    for _ in range(3):
        run(frame(1), 1)
    run(frame(0), 0)
    assert calls == [0, 1, 1]
    assert waiting(shop, "r") == 2
    foreach_batch(reply, "another query")(frame(7), 0)
    assert waiting(shop, "r") == 3
    rows = shop.execute("SELECT query_id, batch_id FROM dbo.sbql_batches ORDER BY 1").fetchall()
    assert rows == [("another query", 0), ("orders", 1)]
    assert shop.execute("SELECT COUNT(*) FROM sys.dm_tran_session_transactions").fetchall() == [(0,)]


def test_what_is_used_is_said_once_and_wrong_targets_are_told() -> None:
    with pytest.raises(ValueError, match="not both"):
        use(object(), store="x.duckdb")
    with pytest.raises(TypeError, match="not int"):
        use(5)
    with pytest.raises(sbql.SqlError) as caught:
        use(database="missing")
    assert caught.value.number == 911


# --- with Spark ----------------------------------------------------------------------------------------------------


@pytest.mark.spark
def test_spark_sql_takes_statements_of_service_broker(spark: Any, shop: sbql.Connection) -> None:
    hook = install()
    try:
        assert spark.sql("CREATE QUEUE made").collect()[0].rows_affected is not None
        spark.sql("BEGIN TRANSACTION")
        frame = spark.sql("PRINT 'hello'; RECEIVE TOP (2) message_sequence_number AS n FROM q")
        assert hook.messages == ["hello"]
        assert frame.count() == frame.count() == 2  # looking again receives nothing
        assert waiting(shop) == 4
        spark.sql("ROLLBACK TRANSACTION")
        assert spark.newSession().sql("RECEIVE * FROM q WHERE conversation_handle = @h", args={
            "h": shop.execute("SELECT TOP (1) conversation_handle FROM q").fetchall()[0][0]}).count() == 4  # fmt: skip
        assert [tuple(row) for row in spark.sql("SELECT 1 AS a, :b AS b", args={"b": 2}).collect()] == [(1, 2)]
        with pytest.raises(sbql.SqlError) as caught:
            spark.sql("RECEIVE * FROM missing")
        assert caught.value.number == 208
    finally:
        uninstall()
    with pytest.raises(Exception, match="PARSE_SYNTAX_ERROR"):
        spark.sql("RECEIVE * FROM q")


@pytest.mark.spark
@pytest.mark.timeout(300)
def test_a_stream_that_spark_runs_again_replies_once(spark: Any, shop: sbql.Connection, tmp_path: Any) -> None:
    """The batch's commit record is taken away, as a crash before it leaves a checkpoint: Spark runs the batch again."""
    handle = shop.execute(
        "SELECT conversation_handle FROM sys.conversation_endpoints WHERE is_initiator = 0"
    ).fetchall()[0][0]
    source, checkpoint = tmp_path / "in", tmp_path / "checkpoint"
    spark.range(3).write.json(str(source))
    calls = []

    def reply(frame: Any, open: Any) -> None:
        calls.append(frame.count())
        open.run(REPLY, {"h": handle, "body": str(calls[-1]).encode()})

    def stream() -> None:
        query = (
            spark.readStream.schema("id long").json(str(source)).writeStream.foreachBatch(foreach_batch(reply))
            .option("checkpointLocation", str(checkpoint)).trigger(availableNow=True).start()
        )  # fmt: skip
        query.awaitTermination()

    stream()
    for name in ("0", ".0.crc"):
        (checkpoint / "commits" / name).unlink()
    stream()
    assert calls == [3]
    assert waiting(shop, "r") == 1
