"""`sbql('…')` and `sbql_send(TABLE(…))` in Spark SQL: what Spark evaluates several
times, or tries again, is done once."""

from __future__ import annotations

from typing import Any

import pytest
from serving_owner import Owner

pytestmark = [pytest.mark.spark, pytest.mark.timeout(400)]

RECEIVE = "RECEIVE TOP (1) conversation_handle, message_sequence_number AS n, CAST(message_body AS nvarchar(50)) AS text FROM work"


@pytest.fixture
def functions(spark: Any, owner: Owner) -> Any:
    from sbql.spark_udfs import register_table_functions

    register_table_functions(spark, store=owner.path, database="d")
    return spark


def rows(frame: Any) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in frame.collect()]


def test_one_frame_is_one_execution(functions: Any, owner: Owner) -> None:
    spark = functions
    owner.sql("EXEC d.dbo.talk 1, 20")
    frame = spark.sql(f"SELECT n, text FROM sbql('{RECEIVE}')")
    assert frame.schema.simpleString() == "struct<n:bigint,text:string>"
    frame.explain()
    assert owner.count() == 20, "to ask for the columns takes nothing"
    assert rows(frame) == rows(frame) == [(0, "1:0")]
    assert frame.union(frame).count() == 2 and frame.join(frame, "n").count() == 1
    assert owner.count() == 19
    spark.conf.set("spark.sql.shuffle.partitions", "3")  # a sort samples its input first
    try:
        ordered = spark.sql(f"SELECT a.text FROM sbql('{RECEIVE}') a CROSS JOIN range(5) ORDER BY id")
        assert rows(ordered) == [("1:1",)] * 5
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", "1")
    assert owner.count() == 18
    named = f"SELECT text FROM sbql('{RECEIVE}', request_id => 'mine')"
    assert rows(spark.sql(named)) == rows(spark.sql(named)) == [("1:2",)], "another frame, the same request"
    late = spark.sql(f"SELECT text FROM sbql('{RECEIVE}', request_id => uuid())")
    assert rows(late) == rows(late)
    assert owner.count() == 16


def test_a_task_that_is_tried_again_gets_the_same(spark: Any, owner: Owner) -> None:
    """Local Spark does not try again: the two attempts are made as the worker makes them, from the pickled analysis."""
    from pyspark import cloudpickle
    from pyspark.sql.types import StringType
    from pyspark.sql.udtf import AnalyzeArgument

    from sbql.spark_udfs.options import ConnectionOptions
    from sbql.spark_udfs.table_functions import _text_function

    owner.sql("EXEC d.dbo.talk 1, 3")
    kind = _text_function(ConnectionOptions(database=owner.path), "d")
    asked = kind.analyze(AnalyzeArgument(StringType(), RECEIVE, False, True))  # type: ignore[attr-defined]
    pickled = cloudpickle.dumps((kind, asked))
    for _ in range(2):
        worker, known = cloudpickle.loads(pickled)
        assert [row[1:] for row in worker(known).eval(RECEIVE)] == [(0, "1:0")]
    assert owner.count() == 2


def test_statements_types_and_errors(functions: Any, owner: Owner) -> None:
    from pyspark.errors import AnalysisException, PythonException

    spark = functions
    sent = spark.sql("SELECT * FROM sbql('EXEC talk 1, 2')")
    assert sent.columns == ["rows_affected"] and len(rows(sent)) == 1
    assert owner.count() == 2
    typed = spark.sql(
        "SELECT * FROM sbql('SELECT CAST(1.5 AS decimal(9,2)) AS d, CAST(''2026-01-02 03:04:05'' AS datetime2) AS t, 0x01 AS b')"
    )
    assert typed.schema.simpleString() == "struct<d:decimal(9,2),t:timestamp_ntz,b:binary>"
    assert [str(value) for value in rows(typed)[0][:2]] == ["1.50", "2026-01-02 03:04:05"]
    found = spark.sql(
        "BEGIN SELECT text FROM sbql('RECEIVE TOP (1) CAST(message_body AS nvarchar(9)) AS text FROM work'); END"
    )
    assert rows(found) == rows(found) == [("1:0",)]
    text = spark.sql("SELECT * FROM sbql(:statement)", args={"statement": "SELECT 7 AS seven"})
    assert rows(text) == [(7,)]
    for statement, what in (
        ("SELECT * FROM missing", "Msg 208"), ("RECEIVE FROM", "Msg 156"), ("EXEC(''SELECT 1'')", "Msg 11514"),
    ):  # fmt: skip
        with pytest.raises(AnalysisException, match=what):
            spark.sql(f"SELECT * FROM sbql('{statement}')")
    with pytest.raises(AnalysisException, match="a literal, a parameter"):
        spark.sql("SELECT * FROM sbql(CAST(NULL AS string))")
    for statement, what in (("SELECT 1 / 0 AS x", "Msg 8134"), ("RECEIVE * FROM work; COMMIT", "Msg 49949")):
        with pytest.raises(PythonException, match=what):
            rows(spark.sql(f"SELECT * FROM sbql('{statement}')"))
    assert owner.count() == 1, "what an error ended has taken nothing"


def test_rows_of_a_query_are_sent_once(functions: Any, owner: Owner) -> None:
    from pyspark.errors import AnalysisException

    spark = functions
    send = (
        "SELECT * FROM sbql_send(TABLE(SELECT CAST(id % 2 AS string) AS conversation_key, CAST(id AS string) AS message_body FROM range(6)), "
        "from_service => 'front', to_service => '//results', encryption => false{more})"
    )
    frame = spark.sql(send.format(more=""))
    assert owner.count("results") == 0, "it is lazy"
    assert rows(frame) == rows(frame) == [(6,)] and frame.union(frame).count() == 2
    assert owner.count("results") == 6
    assert owner.sql("SELECT COUNT(DISTINCT conversation_handle) FROM d.dbo.results") == [(2,)]
    for _ in range(2):
        assert rows(spark.sql(send.format(more=", request_id => 'load 1'"))) == [(6,)]
    assert owner.count("results") == 12
    texts = owner.sql("SELECT TOP (6) CAST(message_body AS nvarchar(9)) FROM d.dbo.results ORDER BY queuing_order")
    assert sorted(text for (text,) in texts) == ["0", "1", "2", "3", "4", "5"]
    for text, what in (
        ("SELECT * FROM sbql_send(TABLE(SELECT 1 AS body))", "no column 'body'"),
        ("SELECT * FROM sbql_send(TABLE(SELECT 'x' AS message_body))", "Where do the messages go"),
        ("SELECT * FROM sbql_send('x')", "takes a table"),
    ):
        with pytest.raises(AnalysisException, match=what):
            spark.sql(text)


def test_sparks_parser_may_be_taught_the_statements(functions: Any, owner: Owner) -> None:
    from pyspark.errors import ParseException

    from sbql.spark_udfs.parser import install_parser, uninstall_parser

    spark, receive = functions, "RECEIVE TOP (1) CAST(message_body AS nvarchar(9)) AS text FROM work"
    owner.sql("EXEC d.dbo.talk 1, 3")
    install_parser(spark)
    install_parser(spark)
    try:
        frame = spark.sql(f"-- the first\n/* of them */ {receive.lower()}")
        assert owner.count() == 3, "it is as lazy as the function"
        assert rows(frame) == rows(frame) == [("1:0",)]
        assert rows(spark.sql(f"EXECUTE IMMEDIATE '{receive}'")) == [("1:1",)]
        quoted = spark.sql(r"RECEIVE TOP (1) message_sequence_number AS n, N'it''s \x' AS text FROM work")
        assert rows(quoted) == [(2, r"it's \x")]
        assert owner.count() == 0
        for text, near in (("SELECT 1 FRM x y z", "'x'"), ("RECEIVED FROM x", "'RECEIVED'")):
            with pytest.raises(ParseException, match=near):
                spark.sql(text)
    finally:
        uninstall_parser(spark)
    with pytest.raises(ParseException, match="'RECEIVE'"):
        spark.sql(receive)
