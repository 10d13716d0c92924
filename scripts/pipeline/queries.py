"""The two streaming queries of the trade pipeline.

`land` reads the brokerage's queue. Each batch becomes a directory of Parquet files, and then every
entry in it is answered. `positions` reads these directories, a stream again, and keeps the position of
every symbol in every five minutes.

What makes each entry count once, whatever is killed when:

- A batch that runs again has the same messages, because the queue's delivery log
  holds them until the batch is committed.
- Its directory is written beside its place, anew each time, and put there by one rename. What stands there
  stands: the other query may have read it already, and a file stream knows files by their names, which
  Spark invents anew whenever it writes.
- Entries that were entered before are looked for in the batches before this one alone, so that a
  second run finds what the first found.
- The answers are made from the files and sent in one transaction that is known by (query id,
  batch id): a second one changes nothing.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pyspark.sql.functions import expr, from_xml

from sbql.spark_udfs import decode_body, invalid_xml, schema_of

SCHEMAS = "dbo.TradeEntries"
LANDED = (
    "conversation_handle STRING, number BIGINT, seq BIGINT, order_id INT, account STRING, symbol STRING, side STRING, volume INT, price DECIMAL(12, 2), "
    "traded_at TIMESTAMP, code INT, reason STRING, batch INT"
)
COLUMNS = [field.strip().partition(" ")[0] for field in LANDED.replace("(12, 2)", "").split(",")]
WINDOW = "5 minutes"

Answer = Callable[[Any, str, int], None]
"""Sends a landed batch's answers: the frame, the query's id, the batch's."""


class Landing:
    """What happens to a batch of the queue.

    `session` runs in the database Brokerage: the schema collection and the instruments are read
    now, and then travel with the query.
    """

    def __init__(self, session: Any, known: list[str], folder: Path, answer: Answer) -> None:
        self.entries, self.answer, self.known = folder / "entries", answer, known
        self._problem, self._text = invalid_xml(SCHEMAS, session), decode_body()
        self._schema = schema_of(SCHEMAS, session=session)
        self.entries.mkdir(parents=True, exist_ok=True)

    def __call__(self, frame: Any, batch: int) -> None:
        spark, place = frame.sparkSession, self.entries / f"batch={batch}"
        if not place.exists():
            writing = self.entries / f"_writing-{batch}"  # a name that readers of Parquet pass over
            self.judged(frame, self.landed(spark).where(f"batch < {batch}")).write.mode("overwrite").parquet(
                str(writing)
            )
            writing.rename(place)
        query = spark.sparkContext.getLocalProperty("sql.streaming.queryId")
        self.answer(self.landed(spark).where(f"batch = {batch}"), query, batch)

    def landed(self, spark: Any) -> Any:
        return spark.read.schema(LANDED).parquet(str(self.entries))

    def judged(self, messages: Any, earlier: Any) -> Any:
        """Each entry of a batch with what it says, and why it is refused: `code` and
        `reason`, NULL for one that is accepted."""
        symbols = ", ".join("'" + symbol.replace("'", "''") + "'" for symbol in self.known)
        read = (
            messages.where("message_type_name = '//trades/Entry'")
            .withColumn("problem", self._problem("message_body"))
            .withColumn("entry", from_xml(self._text("message_body"), self._schema))
            .selectExpr(
                "conversation_handle", "message_sequence_number AS number", "_seq AS seq", "problem",
                *(f"IF(problem IS NULL, entry.{theirs}, NULL) AS {ours}" for theirs, ours in _FIELDS.items()),
            )
            .withColumn("is_known", expr(f"symbol IN ({symbols})"))
        )  # fmt: skip
        before = earlier.where("code IS NULL").selectExpr("order_id AS entered").distinct()
        return (
            read.withColumn("is_fit", expr("problem IS NULL AND is_known"))
            .withColumn("place", expr("row_number() OVER (PARTITION BY order_id, is_fit ORDER BY seq)"))
            .join(before, expr("is_fit AND order_id = entered"), "left")
            .withColumn("is_double", expr("is_fit AND (place > 1 OR entered IS NOT NULL)"))
            .withColumn("code", expr(_CODE))
            .withColumn("reason", expr(_REASON))
            .select(*COLUMNS[:-1])
        )


_FIELDS = {
    "OrderID": "order_id", "CustomerID": "account", "RICCODE": "symbol", "BuySell": "side", "Volume": "volume", "Price": "price",
    "TradedAt": "traded_at",
}  # fmt: skip
_CODE = "CASE WHEN problem IS NOT NULL THEN CAST(regexp_extract(problem, '^Msg ([0-9]+)', 1) AS INT) WHEN NOT is_known THEN 101 WHEN is_double THEN 102 END"
_REASON = (
    "CASE WHEN problem IS NOT NULL THEN left(problem, 400) WHEN NOT is_known THEN concat('Unknown instrument ', symbol, '.')"
    " WHEN is_double THEN concat('Order ', order_id, ' was entered before.') END"
)
_ACK = (
    "concat('<TradeAck number=\"', number, '\"><OrderID>', order_id, '</OrderID><RICCODE>', symbol, '</RICCODE><BuySell>', side, '</BuySell><Volume>',"
    " volume, '</Volume><Price>', price, '</Price></TradeAck>')"
)
_REFUSAL = (
    "concat('<TradeRefusal number=\"', number, '\" code=\"', code, '\">',"
    " replace(replace(replace(reason, '&', '&amp;'), '<', '&lt;'), '>', '&gt;'), '</TradeRefusal>')"
)


def answering(database: str) -> Answer:
    """Answers on the conversations that the entries came on, in the entries' order,
    once for each (query id, batch id)."""

    def answer(landed: Any, query: str, batch: int) -> None:
        messages = landed.coalesce(1).sortWithinPartitions("seq").selectExpr(
            "conversation_handle", "IF(code IS NULL, '//trades/Ack', '//trades/Refusal') AS message_type_name",
            f"IF(code IS NULL, {_ACK}, {_REFUSAL}) AS message_body",
        )  # fmt: skip
        writer = (
            messages.write.format("sbql").mode("append").option("database", database).option("inDatabase", "Brokerage")
        )
        writer.option("txnAppId", query).option("txnVersion", batch).save()

    return answer


def land(spark: Any, database: str, folder: Path, landing: Landing, most: int = 10_000, **trigger: Any) -> Any:
    """Start the query that reads the queue, judges, lands and answers."""
    source = spark.readStream.format("sbql").option("database", database).option("queue", "Brokerage.dbo.entryQueue")
    source = source.option("maxMessagesPerTrigger", most).option("numPartitions", 2).option("includeMetadata", "true")
    writer = source.option("autoEndConversation", "true").load().writeStream.queryName("land").foreachBatch(landing)
    return _started(writer.option("checkpointLocation", str(folder / "land")), trigger)


def positions(spark: Any, folder: Path, **trigger: Any) -> Any:
    """Start the query that keeps positions by symbol and window: its result is
    `folder/positions`, whole after each batch."""
    table = spark.readStream.schema(LANDED).parquet(str(folder / "entries")).where("code IS NULL")
    found = table.groupBy(expr(f"window(traded_at, '{WINDOW}')"), expr("symbol")).agg(
        expr("count(*) AS trades"),
        expr("sum(IF(side = 'B', volume, -volume)) AS position"),
        expr("sum(volume * price) AS turnover"),
    )

    def keep(frame: Any, batch: int) -> None:
        target, writing = folder / "positions", folder / "_positions"
        frame.selectExpr("window.start AS begins", "symbol", "trades", "position", "turnover").write.mode(
            "overwrite"
        ).parquet(str(writing))
        shutil.rmtree(target, ignore_errors=True)
        writing.rename(target)

    writer = found.writeStream.queryName("positions").outputMode("complete").foreachBatch(keep)
    return _started(writer.option("checkpointLocation", str(folder / "aggregate")), trigger)


def _started(writer: Any, trigger: dict[str, Any]) -> Any:
    return (writer.trigger(**trigger) if trigger else writer).start()
