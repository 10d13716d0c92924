"""`sbql.spark_udfs.sql` with a real local Spark."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import sbql
from sbql.spark_udfs import sql

pytestmark = [pytest.mark.spark, pytest.mark.timeout(120)]

ALL_TYPES = """
SELECT CAST(1 AS bit) AS flag, CAST(200 AS tinyint) AS tiny, CAST(-5 AS smallint) AS small, 7 AS number,
    CAST(9000000000 AS bigint) AS big, CAST(1.5 AS decimal(9, 2)) AS price, CAST(2.5 AS money) AS cost,
    CAST(0.5 AS float) AS ratio, CAST(0.25 AS real) AS half, CAST('2026-01-02' AS date) AS day,
    CAST('2026-01-02 03:04:05' AS datetime) AS at, CAST('2026-01-02 03:04:05.1234569' AS datetime2) AS exact,
    CAST('2026-01-02 03:04:05 +02:00' AS datetimeoffset) AS instant, 0x01FF AS bytes, N'text' AS words,
    CAST('6f9619ff-8b86-d011-b42d-00c04fc964ff' AS uniqueidentifier) AS id, CAST(N'<a/>' AS xml) AS doc,
    CAST('01:02:03' AS time(0)) AS hour, 7 + 1
"""

SCHEMA = (
    "flag boolean, tiny smallint, small smallint, number int, big bigint, price decimal(9,2), cost decimal(19,4), "
    "ratio double, half float, day date, at timestamp_ntz, exact timestamp_ntz, instant timestamp, bytes binary, "
    "words string, id string, doc string, hour string, column19 int"
)

VALUES: dict[str, Any] = {
    "flag": True,
    "tiny": 200,
    "small": -5,
    "number": 7,
    "big": 9000000000,
    "price": Decimal("1.50"),
    "cost": Decimal("2.5000"),
    "ratio": 0.5,
    "half": 0.25,
    "day": dt.date(2026, 1, 2),
    "at": dt.datetime(2026, 1, 2, 3, 4, 5),
    "exact": dt.datetime(2026, 1, 2, 3, 4, 5, 123456),
    "bytes": bytearray(b"\x01\xff"),
    "words": "text",
    "id": "6F9619FF-8B86-D011-B42D-00C04FC964FF",
    "doc": "<a/>",
    "hour": "01:02:03",
    "column19": 8,
}


def types_of(frame: Any) -> str:
    return ", ".join(f"{field.name} {field.dataType.simpleString()}" for field in frame.schema.fields)


def test_every_type_has_its_spark_type(spark: Any) -> None:
    frame = sql(spark, ALL_TYPES)
    assert types_of(frame) == SCHEMA
    row = frame.first().asDict()
    assert {name: row[name] for name in VALUES} == VALUES
    instant = frame.selectExpr("date_format(instant, 'yyyy-MM-dd HH:mm') AS t").first().t
    assert instant == "2026-01-02 01:04"


def test_an_empty_result_keeps_its_types(spark: Any) -> None:
    frame = sql(spark, f"SELECT * FROM ({ALL_TYPES} AS last) AS t WHERE number < 0")
    assert types_of(frame) == SCHEMA.replace("column19", "last")
    assert frame.count() == 0


def test_nulls_of_every_type(spark: Any) -> None:
    names = [part.split()[0] for part in SCHEMA.split(", ")][:-1]
    nulls = ", ".join(f"NULLIF({n}, {n}) AS {n}" for n in names if n not in ("doc", "hour"))
    row = sql(spark, f"SELECT {nulls} FROM ({ALL_TYPES} AS last) AS t").first()
    assert set(row) == {None}


def test_the_last_result_of_a_script_counts(spark: Any) -> None:
    frame = sql(spark, "SELECT 1 AS a\nGO\nSELECT $(n) AS b\nGO\nPRINT 'x'\n", variables={"n": "2"})
    assert [tuple(row) for row in frame.collect()] == [(2,)]


def test_a_script_without_a_result_tells_the_rows_affected(spark: Any) -> None:
    frame = sql(spark, "CREATE TABLE t (a int)\nGO\nINSERT t VALUES (1), (2)\nGO")
    assert [row.asDict() for row in frame.collect()] == [{"rows_affected": 2}]


def test_messages_are_received_once(spark: Any, tmp_path: Path) -> None:
    """However often Spark looks at the DataFrame; and the store is closed in between."""
    store = tmp_path / "shop.duckdb"
    sql(
        spark,
        """
        CREATE DATABASE Shop
        GO
        USE Shop
        GO
        CREATE QUEUE q
        CREATE SERVICE s ON QUEUE q ([DEFAULT])
        GO
        DECLARE @h uniqueidentifier;
        BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' WITH ENCRYPTION = OFF;
        SEND ON CONVERSATION @h (N'one');
        SEND ON CONVERSATION @h (N'two');
        """,
        store=store,
    )
    frame = sql(spark, "RECEIVE message_sequence_number, message_body FROM q", store=store, database="Shop")
    said = frame.selectExpr("message_sequence_number AS n", "decode(message_body, 'UTF-16LE') AS said")
    assert [tuple(row) for row in said.orderBy("n").collect()] == [(0, "one"), (1, "two")]
    assert frame.count() == 2
    assert sql(spark, "RECEIVE * FROM q", store=store, database="Shop").count() == 0


def test_an_open_instance_can_be_used(spark: Any) -> None:
    with sbql.connect() as connection:
        connection.execute("CREATE TABLE t (a int); INSERT t VALUES (5)")
        assert sql(spark, "SELECT a FROM t", instance=connection.instance).first().a == 5
        assert connection.execute("SELECT a FROM t").fetchone() == (5,)
        with pytest.raises(ValueError, match="not both"):
            sql(spark, "SELECT 1", store="x.duckdb", instance=connection.instance)


def test_an_error_is_a_sql_error_with_its_line(spark: Any) -> None:
    with pytest.raises(sbql.SqlError) as caught:
        sql(spark, "SELECT 1\nGO\n\nSELECT 1 / 0\nGO\n")
    assert (caught.value.number, caught.value.line) == (8134, 4)
