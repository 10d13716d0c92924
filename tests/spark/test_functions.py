"""Functions over message bodies, against the engine's own answers; and the StructType of a schema
collection with Spark's from_xml."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any

import pytest

import sbql

pytest.importorskip("pyspark", reason="PySpark is not installed")

import pyarrow as pa

from sbql.spark_udfs import bodies, decode_body, functions, invalid_xml, is_well_formed, schema_of, xml_value
from sbql.spark_udfs.schema_collections import documents_of

SCHEMA = """<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
<xs:element name="order"><xs:complexType><xs:sequence>
<xs:element name="symbol" type="xs:string"/>
<xs:element name="fill" minOccurs="0" maxOccurs="unbounded"><xs:complexType><xs:simpleContent><xs:extension base="xs:int">
<xs:attribute name="at" type="xs:date"/></xs:extension></xs:simpleContent></xs:complexType></xs:element>
<xs:element name="price"><xs:simpleType><xs:restriction base="xs:decimal"><xs:totalDigits value="9"/><xs:fractionDigits value="2"/>
</xs:restriction></xs:simpleType></xs:element>
<xs:element name="leg" minOccurs="0"><xs:complexType><xs:choice maxOccurs="unbounded"><xs:element name="a" type="xs:boolean"/>
<xs:element name="b" type="xs:double"/></xs:choice></xs:complexType></xs:element>
</xs:sequence><xs:attribute name="id" type="xs:integer" use="required"/></xs:complexType></xs:element></xs:schema>"""

SETUP = f"""
CREATE DATABASE Shop
GO
USE Shop
GO
CREATE XML SCHEMA COLLECTION dbo.Orders AS N'{SCHEMA}'
CREATE MESSAGE TYPE [//any] VALIDATION = NONE
CREATE MESSAGE TYPE [//formed] VALIDATION = WELL_FORMED_XML
CREATE MESSAGE TYPE [//valid] VALIDATION = VALID_XML WITH SCHEMA COLLECTION dbo.Orders
CREATE CONTRACT [//c] ([//any] SENT BY ANY, [//formed] SENT BY ANY, [//valid] SENT BY ANY)
CREATE QUEUE q
CREATE SERVICE s ON QUEUE q ([//c])
"""

GOOD = '<order id="7"><symbol>ÄBC</symbol><fill at="2026-01-02">5</fill><fill>6</fill><price>1.25</price></order>'
DOCUMENTS = [
    GOOD, '<?xml version="1.0"?>' + GOOD, '<order id="7"><symbol>A</symbol><price>1</price></order>',
    '<order id="7"><symbol>A</symbol><price>1.255</price></order>', '<order id="x"><symbol>A</symbol><price>1</price></order>',
    '<order id="7"><symbol>A</symbol></order>', "<order", "<a/><b/>", "text", "<a>&undefined;</a>", "<other/>", " ", "<a>€</a>",
]  # fmt: skip


def encodings(text: str) -> Iterator[bytes]:
    yield text.encode("utf-16-le")
    yield codecs.BOM_UTF16_LE + text.encode("utf-16-le")
    yield codecs.BOM_UTF16_BE + text.encode("utf-16-be")
    yield text.encode("utf-8")
    yield codecs.BOM_UTF8 + text.encode("utf-8")
    for name in ("windows-1252", "iso-8859-1", "utf-8"):
        body = text if text.startswith("<?xml") else f'<?xml version="1.0" encoding="{name}"?>' + text
        yield body.encode(name, "replace")
    yield text.encode("cp1252", "replace")


BODIES = [body for text in DOCUMENTS for body in encodings(text)] + [b"\xff", b"\x00", b"<a/>\xff", b"\xff\xfe<"]


@pytest.fixture(scope="module")
def orders() -> Iterator[sbql.Connection]:
    with sbql.connect(clock="virtual") as connection:
        sbql.run_script(connection, SETUP)
        yield connection


def accepted(connection: sbql.Connection, kind: str, body: bytes) -> str | None:
    """Whether the broker delivers a message of this type with this body; its error otherwise."""
    connection.execute(
        """DECLARE @h uniqueidentifier;
        BEGIN DIALOG @h FROM SERVICE s TO SERVICE 's' ON CONTRACT [//c] WITH ENCRYPTION = OFF;
        SEND ON CONVERSATION @h MESSAGE TYPE """
        + kind
        + " (@body)",
        {"body": body},
    )
    rows = connection.execute(
        "SELECT message_type_name, CAST(message_body AS xml) FROM q WHERE message_type_name LIKE '%/Error'"
    ).fetchall()
    connection.execute(
        "DECLARE @h uniqueidentifier; WHILE 1 = 1 BEGIN SET @h = NULL; SELECT TOP (1) @h = conversation_handle FROM "
        "sys.conversation_endpoints; IF @h IS NULL BREAK; END CONVERSATION @h WITH CLEANUP; END"
    )
    return None if not rows else rows[0][1]


def test_well_formed_and_valid_are_what_the_broker_says(orders: sbql.Connection) -> None:
    documents = documents_of("dbo.Orders", orders.session)
    for body in BODIES:
        assert bodies.is_well_formed(body) == (accepted(orders, "[//formed]", body) is None), body
        assert (bodies.fault(documents, body) is None) == (accepted(orders, "[//valid]", body) is None), body


@pytest.mark.parametrize(
    "path", ["(/order/symbol)[1]", "(/order/@id)[1]", "count(/order/fill)", "(//fill/@at)[1]", "string((/a)[1])"]
)
def test_values_are_those_of_the_xml_method(orders: sbql.Connection, path: str) -> None:
    read = bodies.value_reader(path)
    for body in BODIES:
        text = f"SELECT TRY_CAST(@body AS xml).value('{path}', 'nvarchar(max)')"
        try:
            expected = orders.execute(text, {"body": body}).fetchall()[0][0]
        except sbql.Error:
            expected = None
        assert read(body) == expected, (path, body)


def test_paths_that_value_does_not_take_are_refused_at_once() -> None:
    with pytest.raises(sbql.SqlError) as caught:
        xml_value("/order/fill")
    assert caught.value.number == 2389


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("a€".encode("utf-16-le"), "a€"),
        (codecs.BOM_UTF16_BE + "a€".encode("utf-16-be"), "a€"),
        ("aé".encode(), "aé"),
        (codecs.BOM_UTF8 + "aé".encode(), "aé"),
        ("aé€".encode("cp1252"), "aé€"),
        (
            b'<?xml version="1.0" encoding="iso-8859-2"?><a>\xb1</a>',
            '<?xml version="1.0" encoding="iso-8859-2"?><a>ą</a>',
        ),
        (b'<?xml version="1.0" encoding="nonsense"?><a>\xe9</a>', '<?xml version="1.0" encoding="nonsense"?><a>é</a>'),
        (b"", ""),
        (b"\xff\xfea", "a"),
    ],
)
def test_bodies_are_decoded_by_mark_declaration_and_bytes(body: bytes, text: str) -> None:
    assert bodies.decoded(body) == text


def test_nothing_that_is_sent_cannot_be_decoded() -> None:
    for body in BODIES + [bytes([a, b]) for a in range(0, 256, 7) for b in range(0, 256, 5)]:
        assert isinstance(bodies.decoded(body), str)


def test_a_schema_collection_that_is_not_there(orders: sbql.Connection) -> None:
    with pytest.raises(sbql.SqlError, match=r"dbo\.Missing"):
        documents_of("dbo.Missing", orders.session)
    with pytest.raises(LookupError, match="it declares order"):
        schema_of("dbo.Orders", "missing", orders.session)


@pytest.mark.parametrize("kind", [pa.string(), pa.int32()], ids=str)
def test_a_column_that_holds_no_bytes_is_told(kind: Any) -> None:
    column = pa.array([None, "1" if kind == pa.string() else 1], type=kind)
    path = pa.array(["(/a)[1]"] * 2)
    for run in (
        lambda: functions._over(bodies.decoded, pa.string())(column),
        lambda: functions._values(column, path),
        lambda: functions._faults({"(/a)[1]": ()})(column, path),
    ):
        with pytest.raises(TypeError, match=f"take BINARY, .* not {str(kind).upper()}: .*encode"):
            run()


@pytest.mark.spark
def test_the_functions_in_spark(spark: Any, orders: sbql.Connection) -> None:
    """Columns and SQL give what the pure functions give; NULL gives NULL."""
    functions.register(spark, ["dbo.Orders"], orders.session)
    documents = documents_of("dbo.Orders", orders.session)
    frame = spark.createDataFrame(
        [(i, body) for i, body in enumerate([*BODIES, None])], "i int, body binary"
    ).repartition(2)
    path = "(/order/symbol)[1]"
    columns = frame.select(
        "i",
        decode_body()("body"),
        is_well_formed()("body"),
        invalid_xml("dbo.Orders", orders.session)("body"),
        xml_value(path)("body"),
    )
    texts = frame.selectExpr(
        "i",
        "sbql_decode(body)",
        "sbql_is_well_formed(body)",
        "sbql_invalid_xml(body, 'dbo.Orders')",
        f"sbql_xml_value(body, '{path}')",
    )
    read = bodies.value_reader(path)
    expected = [
        (i, bodies.decoded(b), bodies.is_well_formed(b), bodies.fault(documents, b), read(b))
        for i, b in enumerate(BODIES)
    ] + [(len(BODIES), None, None, None, None)]
    assert sorted(map(tuple, columns.collect())) == expected
    assert sorted(map(tuple, texts.collect())) == expected


@pytest.mark.spark
def test_from_xml_reads_documents_with_the_schema_of_the_collection(spark: Any, orders: sbql.Connection) -> None:
    from pyspark.sql.functions import col, from_xml

    schema = schema_of("dbo.Orders", session=orders.session)
    assert schema.simpleString() == (
        "struct<_id:decimal(38,0),symbol:string,fill:array<struct<_at:date,_VALUE:int>>,price:decimal(9,2),"
        "leg:struct<a:array<boolean>,b:array<double>>>"
    )
    text = GOOD.replace("</order>", "<leg><a>true</a><b>0.5</b><a>false</a></leg></order>")
    frame = spark.createDataFrame([(text.encode("utf-16-le"),)], "body binary")
    row = (
        frame.select(from_xml(decode_body()(col("body")), schema).alias("o"))
        .select("o.*")
        .first()
        .asDict(recursive=True)
    )
    assert (str(row["_id"]), row["symbol"], str(row["price"])) == ("7", "ÄBC", "1.25")
    assert [(str(fill["_at"]), fill["_VALUE"]) for fill in row["fill"]] == [("2026-01-02", 5), ("None", 6)]
    assert row["leg"] == {"a": [True, False], "b": [0.5]}
