"""The programs of docs/spark.md run as they stand, in the order of the page, on the store that its first script makes.
Those with several machines and with spark-pipelines have tests of their own."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql.spark_udfs import release, sql, uninstall, use

pytestmark = [pytest.mark.spark, pytest.mark.timeout(400)]

PAGE = (Path(__file__).parents[2] / "docs" / "spark.md").read_text(encoding="utf-8")
FENCES = re.compile(r"^```(\w+)\n(.*?)^```", re.M | re.S)
ORDER = """
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE Customer TO SERVICE 'Orders' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'<order symbol="ABC"/>')
"""
SCHEMA = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema"><xs:element name="order"><xs:complexType>
<xs:attribute name="symbol" type="xs:string"/></xs:complexType></xs:element></xs:schema>"""


def block(language: str, words: str) -> str:
    """The one that has these words. Names of files are made absolute: Spark's processes began in another folder."""
    (found,) = [body for kind, body in FENCES.findall(PAGE) if kind == language and words in body]
    return re.sub(
        r"\"(orders|checkpoint|checkpoints/orders|shop\.duckdb)\"",
        lambda name: repr(str(Path(name[1]).absolute())),
        str(found),
    )


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with sbql.connect("shop.duckdb") as connection:
        sbql.run_script(connection, block("sql", "CREATE DATABASE Shop"))
    yield tmp_path
    uninstall()
    release()


def is_answered(connection: sbql.Connection) -> bool:
    """Whether a query that runs answers an order within a minute. (One with a new checkpoint may also answer what the
    query before it has not acknowledged.)"""
    connection.execute("RECEIVE * FROM dbo.ReplyQueue")
    connection.execute(ORDER)
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if connection.execute("SELECT COUNT(*) FROM dbo.ReplyQueue").fetchall() != [(0,)]:
            return True
        time.sleep(0.1)
    return False


def test_without_a_server(spark: Any, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {}
    exec(block("python", "orders = sql(spark"), names)
    assert "<order symbol=" in capsys.readouterr().out
    exec(block("python", "hook = install("), names)
    spark.sql("DROP QUEUE dbo.ReturnQueue")


def test_with_a_server(spark: Any, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"spark": spark, "path": "sent"}
    with sbql.connect("shop.duckdb", database="Shop") as connection, sbql.serve(connection):
        names["connection"] = connection
        connection.execute(f"CREATE XML SCHEMA COLLECTION dbo.Orders AS N'{SCHEMA}'; CREATE TABLE dbo.Trades (id int)")
        use(connection, database="Shop")
        exec(block("python", "with transaction(spark)"), names)
        assert spark.read.parquet(str(folder / "orders")).count() == 1

        exec(block("python", "spark.dataSource.register(SbqlDataSource)\norders"), names)
        exec(block("python", "foreach_batch(reply)"), names)
        assert is_answered(connection)
        for query in spark.streams.active:
            query.stop()
        exec(block("python", "query = activate("), names)
        assert is_answered(connection)
        names["query"].stop()

        connection.execute(ORDER)
        names["orders"] = sql(spark, "SELECT * FROM dbo.OrderQueue")
        names["orders"].createOrReplaceTempView("orders")
        exec(block("python", "checked = orders"), names)
        assert {row.o["_symbol"] for row in names["good"].collect()} == {"ABC"}
        exec(block("python", "Shop.dbo.Trades"), names)
        assert names["trades"].columns == ["id"]


def test_table_functions(spark: Any, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"spark": spark}
    with sbql.connect("shop.duckdb", database="Shop") as connection, sbql.serve(connection):
        spark.createDataFrame([("ABC", 2)], "symbol string, n int").createOrReplaceTempView("prices")
        exec(block("python", "register_table_functions(spark"), names)
        assert "ABC|  2" in capsys.readouterr().out
        connection.execute(
            "CREATE SERVICE front ON QUEUE dbo.ReplyQueue; CREATE SERVICE [//results] ON QUEUE dbo.OrderQueue ([DEFAULT])"
        )
        spark.createDataFrame([(7, "x")], "id int, text string").createOrReplaceTempView("answers")
        assert spark.sql(block("sql", "sbql_send(")).collect() == [(1,)]
        assert connection.execute(
            "SELECT service_name, CAST(message_body AS nvarchar(9)) FROM dbo.OrderQueue"
        ).fetchall() == [("//results", "x")]
