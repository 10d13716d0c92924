"""A queue with a sender, a consumer of it, and the operations as a client would call them."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from sbql.catalog.store_port import PORT, StorePort
from sbql.engine.durability import wait_durable
from sbql.engine.instance import Instance
from sbql.engine.operations import OPERATIONS, Call
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.spark_udfs.columns import arrow_schema
from sbql.spark_udfs.packed_messages import MessageNames

SETUP = """
CREATE DATABASE d; ALTER DATABASE d SET TRUSTWORTHY ON;
GO
CREATE QUEUE replies; CREATE QUEUE work;
CREATE SERVICE front ON QUEUE replies ([DEFAULT]);
CREATE SERVICE back ON QUEUE work ([DEFAULT]);
CREATE TABLE dialogs (n int PRIMARY KEY, h uniqueidentifier);
GO
CREATE PROCEDURE talk @n int, @text nvarchar(100), @times int = 1 AS
    DECLARE @h uniqueidentifier = (SELECT h FROM dialogs WHERE n = @n);
    IF @h IS NULL
    BEGIN
        BEGIN DIALOG @h FROM SERVICE front TO SERVICE 'back' WITH ENCRYPTION = OFF;
        INSERT dialogs VALUES (@n, @h);
    END
    WHILE @times > 0
    BEGIN
        SEND ON CONVERSATION @h (@text);
        SET @times -= 1;
    END
"""


class Bench:
    """One instance on a virtual clock. `sql` runs a batch in `session` and gives the rows of its last result set."""

    def __init__(self, store: str | None = None, port: StorePort = PORT) -> None:
        self.store = store
        self.port = port
        self.openings = 0
        self.open()
        for number, batch in enumerate(SETUP.split("GO\n")):
            self.sql(batch)
            if number == 0:
                self.session.use("d")

    def open(self, database: str = "master") -> None:
        self.openings += 1  # a new seed: GUIDs must not come again
        self.instance = Instance.open(self.store, clock="virtual", seed=self.openings, port=self.port)
        self.session = self.instance.connect(database)
        self.reader = self.instance.connect(database if database != "master" else "master")

    def reopen(self) -> None:
        self.instance.close()
        self.open("d")

    def sql(self, text: str) -> list[tuple[Any, ...]]:
        rows: list[tuple[Any, ...]] = []
        for outcome in self.session.run(text):
            if isinstance(outcome, ErrorOutcome):
                raise outcome.error
            if isinstance(outcome, ResultSet):
                rows = outcome.rows
        return rows

    def talk(self, n: int, *texts: str) -> None:
        for text in texts:
            self.sql(f"EXEC talk {n}, N'{text}'")

    def call(self, name: str, **request: Any) -> Any:
        """An operation, its answer durable."""
        answer = OPERATIONS[name].run(Call(self.reader, request))
        if hasattr(answer, "send"):
            answer = self.instance.driver.run(answer, self.reader)
        wait_durable(self.reader)
        return answer

    def operation(self, name: str, session: Any, **request: Any) -> Any:
        """One that waits, as work for the loop: call it with what takes its answer."""

        def work(take: Any) -> Any:
            take((yield from OPERATIONS[name].run(Call(session, request))))

        return work

    def peek(self) -> list[str]:
        return [
            text for (text,) in self.sql("SELECT CAST(message_body AS nvarchar(100)) FROM work ORDER BY queuing_order")
        ]

    def receive(self, where: str = "") -> list[str]:
        return [text for (text,) in self.sql(f"RECEIVE CAST(message_body AS nvarchar(100)) FROM work {where}")]


class Reader:
    """A reader of a consumer, as the data source is one."""

    def __init__(self, bench: Bench, consumer: str = "spark", queue: str = "d.dbo.work", where: str = "") -> None:
        self.bench = bench
        self.facts = bench.call("consumer.open", queue=queue, consumer=consumer, where=where)
        self.position = self.facts["acknowledged"]

    def call(self, name: str, **request: Any) -> Any:
        return self.bench.call(f"consumer.{name}", log=self.facts["log"], epoch=self.facts["epoch"], **request)

    def next(self, limit: int = 10, **more: Any) -> int:
        """What may be read next: acknowledges what was read before."""
        more.setdefault("wanted", self.facts["wanted"])
        end: int = self.call("deliver", start=self.position, limit=limit, **more)["end"]
        return end

    def table(self, start: int, end: int, **more: Any) -> pa.Table:
        names = MessageNames.of(self.call("names", start=start, end=end, **more))
        rows = self.call("read", start=start, end=end, **more)
        try:
            reader = pa.RecordBatchReader.from_stream(rows)
            empty = pa.RecordBatch.from_pylist([], reader.schema)
            columns = [
                name for name in (*arrow_schema().names, "_seq") if name != "_seq" or name in reader.schema.names
            ]
            return pa.concat_tables(
                pa.table({name: names.column(batch, name) for name in columns}) for batch in [empty, *reader]
            )
        finally:
            rows.close()

    def texts(self, start: int, end: int, **more: Any) -> list[str]:
        return [(body or b"").decode("utf-16le") for body in self.table(start, end, **more)["message_body"].to_pylist()]

    def take(self, limit: int = 10, **more: Any) -> list[str]:
        """The next messages, which count as done from the next call on."""
        start, self.position = self.position, self.next(limit, **more)
        return self.texts(start, self.position)
