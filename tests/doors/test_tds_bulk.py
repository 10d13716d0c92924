"""The door of TDS: rows in bulk, as bcp and the drivers' bulk copies send them."""

from __future__ import annotations

import struct
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import WireClient, of

import sbql
from sbql.engine.tds.encoding import encoder
from sbql.engine.tds.login import TDS_74
from sbql.engine.tds.types import type_info
from sbql.grammar.types import INT, SqlType, nvarchar, varchar


def bulk(columns: list[SqlType], rows: list[tuple[Any, ...]], *, with_bitmap: bool = False) -> bytes:
    described = b"".join(struct.pack("<IH", 0, 9) + type_info(kind, TDS_74) + b"\0" for kind in columns)
    body = b""
    for row in rows:
        if with_bitmap:
            bits = sum(1 << i for i, value in enumerate(row) if value is None)
            values = b"".join(encoder(k, TDS_74)(v) for k, v in zip(columns, row, strict=True) if v is not None)
            body += b"\xd2" + bits.to_bytes((len(row) + 7) // 8, "little") + values
        else:
            body += b"\xd1" + b"".join(encoder(k, TDS_74)(v) for k, v in zip(columns, row, strict=True))
    return struct.pack("<BH", 0x81, len(columns)) + described + body + b"\xfd" + bytes(12)


def load(
    client: WireClient, text: str, columns: list[SqlType], rows: list[tuple[Any, ...]], **how: Any
) -> list[tuple[Any, ...]]:
    announced = client.batch(text)
    if of("error", announced):
        return announced
    assert announced in ([("done", 0, 0, 0)], [("done", 4, 0, 0)])
    client.send(7, bulk(columns, rows, **how))
    return client.answer()


THREE = [INT, nvarchar(20), varchar(36)]
SHAPE = "CREATE TABLE #b (id int IDENTITY, n int CHECK (n > 0), s nvarchar(5) DEFAULT N'none', g uniqueidentifier)"
GUID = "00112233-4455-6677-8899-aabbccddeeff"


@pytest.mark.parametrize("with_bitmap", [False, True])
def test_rows_in_bulk(client: WireClient, with_bitmap: bool) -> None:
    client.batch(SHAPE)
    text = "INSERT BULK #b ([n] int, s nvarchar(20) COLLATE SQL_Latin1_General_CP1_CI_AS, g char(36)) WITH (TABLOCK, ROWS_PER_BATCH = 3)"
    answer = load(client, text, THREE, [(1, "ж", GUID), (-2, None, None)], with_bitmap=with_bitmap)
    assert answer == [("done", 0x10, 0xF0, 2)]
    rows = of("row", client.batch("SELECT id, n, s, CAST(g AS char(36)) FROM #b ORDER BY id"))
    assert rows == [((1, 1, "ж", GUID.upper()),), ((2, -2, "none", None),)]


def test_options_of_rows_in_bulk(client: WireClient) -> None:
    client.batch(SHAPE)
    two = [INT, nvarchar(20)]
    assert (
        of("error", load(client, "INSERT BULK #b (n int, s nvarchar(20)) WITH (CHECK_CONSTRAINTS)", two, [(-1, None)]))[
            0
        ][0]
        == 547
    )
    load(client, "INSERT BULK #b (n int, s nvarchar(20)) WITH (KEEP_NULLS)", two, [(1, None)])
    load(client, "INSERT BULK #b (id int, n int)", [INT, INT], [(70, 7)])
    assert of("row", client.batch("SELECT id, n, s FROM #b WHERE n > 0 ORDER BY n"))[0][0][1:] == (1, None)
    assert of("row", client.batch("SELECT id FROM #b WHERE n = 7")) == [((70,),)]


def test_a_sequence_has_one_value_in_a_row(client: WireClient) -> None:
    """In a column that came as NULL, and in those that did not come."""
    client.batch("CREATE SEQUENCE bulk_q START WITH 1")
    columns = "a int DEFAULT NEXT VALUE FOR bulk_q, b int DEFAULT NEXT VALUE FOR bulk_q, c int DEFAULT NEXT VALUE FOR bulk_q, n int"
    client.batch(f"CREATE TABLE bulk_t ({columns})")
    load(client, "INSERT BULK bulk_t (n int, a int)", [INT, INT], [(1, None), (2, None), (3, 70)])
    rows = of("row", client.batch("SELECT n, a, b, c FROM bulk_t ORDER BY n"))
    assert rows == [((1, 1, 1, 1),), ((2, 2, 2, 2),), ((3, 70, 3, 3),)]
    client.batch("DROP TABLE bulk_t; DROP SEQUENCE bulk_q")


@pytest.mark.parametrize(
    ("text", "columns", "row", "number"),
    [
        ("INSERT BULK nowhere (n int)", [INT], (1,), 208),
        ("INSERT BULK #b (x int)", [INT], (1,), 207),
        ("INSERT BULK #b (n int) WITH (NONSENSE)", [INT], (1,), 102),
        ("INSERT BULK #b (n int)", [INT, INT], (1, 2), 4815),
        ("INSERT BULK #b (s nvarchar(20))", [nvarchar(20)], ("too long",), 2628),
        ("INSERT BULK #b (g char(36))", [varchar(36)], ("no guid",), 8169),
    ],
)
def test_rows_in_bulk_that_do_not_fit(
    client: WireClient, text: str, columns: list[SqlType], row: Any, number: int
) -> None:
    client.batch(SHAPE)
    answer = load(client, text, columns, [row])
    assert [error[0] for error in of("error", answer)] == [number]
    assert of("row", client.batch("SELECT COUNT(*), @@TRANCOUNT FROM #b")) == [((0, 0),)]


@pytest.mark.parametrize(
    ("options", "wrong", "number", "goes_on"),
    [
        (" WITH (CHECK_CONSTRAINTS)", (-1, "s", None), 547, True),
        ("", (1, "too long", None), 2628, True),
        ("", (1, "s", "no guid"), 8169, False),  # as elsewhere, a failed conversion ends the batch and its transaction
    ],
)
@pytest.mark.parametrize("place", [0, 2_500, 4_999])
def test_rows_in_bulk_one_of_which_is_wrong(
    client: WireClient, options: str, wrong: tuple[Any, ...], number: int, goes_on: bool, place: int
) -> None:
    """It fails as a whole, wherever the row stands, and the connection goes on."""
    client.batch(SHAPE)
    rows: list[tuple[Any, ...]] = [(n + 1, "s", None) for n in range(5_000)]
    rows[place] = wrong
    client.batch("BEGIN TRANSACTION; INSERT INTO #b (n) VALUES (7)")
    text = f"INSERT BULK #b (n int, s nvarchar(20), g char(36)){options}"
    answer = load(client, text, THREE, rows)
    assert ([error[0] for error in of("error", answer)], answer[-1][:2]) == ([number], ("done", 6 if goes_on else 2))
    left = (1, 7, 1) if goes_on else (0, None, 0)
    assert of("row", client.batch("SELECT COUNT(*), MIN(n), @@TRANCOUNT FROM #b")) == [(left,)]
    rows[place] = (1, "s", None)
    assert load(client, text, THREE, rows)[-1][2:] == (0xF0, 5_000)


@pytest.mark.parametrize("others", [0, 4_000])
def test_a_check_that_reads_the_table_counts_when_it_is_asked_for(client: WireClient, others: int) -> None:
    """Two of a kind are enough: it sees the rows that come, and is not asked otherwise."""
    client.batch("DROP TABLE IF EXISTS few; DROP FUNCTION IF EXISTS dbo.ManyOf; CREATE TABLE few (c int)")
    client.batch(
        "CREATE FUNCTION dbo.ManyOf(@c int) RETURNS int AS BEGIN RETURN (SELECT COUNT(*) FROM few WHERE c = @c) END"
    )
    client.batch("ALTER TABLE few ADD CONSTRAINT two CHECK (c <= 0 OR dbo.ManyOf(c) <= 2)")
    rows: list[tuple[Any, ...]] = [(-n,) for n in range(others)]
    checked = "INSERT BULK few (c int) WITH (CHECK_CONSTRAINTS)"
    assert [error[0] for error in of("error", load(client, checked, [INT], [*rows, (1,), (1,), (1,)]))] == [547]
    assert of("row", client.batch("SELECT COUNT(*) FROM few")) == [((0,),)]
    assert of("error", load(client, checked, [INT], [*rows, (1,), (1,)])) == []
    assert of("error", load(client, "INSERT BULK few (c int)", [INT], [(1,), (1,)])) == []
    assert of("row", client.batch("SELECT COUNT(*) FROM few")) == [((others + 4,),)]


def test_rows_that_are_announced_and_do_not_come(client: WireClient) -> None:
    client.batch(SHAPE)
    client.batch("INSERT BULK #b (n int)")
    assert of("error", client.batch("SELECT 1"))[0][0] == 4022
    assert of("row", client.batch("SELECT 1")) == [((1,),)]
    client.send(7, bulk([INT], [(1,)]))
    assert of("error", client.answer())[0][0] == 4002
    with sbql.connect() as connection, pytest.raises(sbql.Error, match="4022"):
        connection.execute("CREATE TABLE #c (n int); INSERT BULK #c (n int)")
