"""The door of TDS: table-valued parameters."""

from __future__ import annotations

import struct
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import in_session
from tds_wire import PASSWORD, WireClient, of, parameter

from sbql.engine.server.owner import Server
from sbql.engine.tds.encoding import encoder
from sbql.engine.tds.login import TDS_74
from sbql.engine.tds.types import type_info
from sbql.grammar.types import INT, SqlType, decimal, nvarchar


def table(name: str, type_name: str, columns: list[tuple[SqlType, bool]], rows: list[tuple[Any, ...]]) -> bytes:
    """A table-valued parameter; a column that is True takes its default."""

    def text(value: str) -> bytes:
        return bytes([len(value)]) + value.encode("utf-16-le")

    described = b"".join(
        struct.pack("<IH", 0, 0x0200 if by_default else 1) + type_info(kind, TDS_74) + b"\0"
        for kind, by_default in columns
    )
    sent = [kind for kind, by_default in columns if not by_default]
    body = b"".join(b"\x01" + b"".join(encoder(k, TDS_74)(v) for k, v in zip(sent, row, strict=True)) for row in rows)
    count = struct.pack("<H", len(columns) or 0xFFFF)
    return (
        text(name)
        + b"\0\xf3"
        + text("")
        + text("dbo" if type_name else "")
        + text(type_name)
        + count
        + described
        + b"\0"
        + body
        + b"\0"
    )


@pytest.fixture(scope="module")
def lines(served: Server) -> str:
    """A table type and a procedure that takes it."""
    in_session(
        served,
        "USE trade; EXEC ('CREATE TYPE Lines AS TABLE (id int IDENTITY, item nvarchar(20) NOT NULL, amount decimal(9,2) DEFAULT 1, twice AS amount * 2, "
        "CHECK (amount > 0))'); EXEC ('CREATE PROCEDURE TakeLines @shop int, @lines Lines READONLY AS SELECT id, item, amount, twice FROM @lines ORDER BY id');",
    )
    return "TakeLines"


TWO = [(nvarchar(20), False), (decimal(9, 2), False)]


def test_a_table_goes_to_a_procedure(port: int, lines: str) -> None:
    with WireClient(port, password=PASSWORD, database="trade") as client:
        for type_name in ("Lines", ""):
            answer = client.call(
                lines, parameter("@shop", INT, 1), table("@lines", type_name, TWO, [("ж", 2), ("b", None)])
            )
            assert of("row", answer) == [((1, "ж", 2, 4),), ((2, "b", None, None),)]
        all_columns = [(INT, True), (nvarchar(20), False), (decimal(9, 2), True), (decimal(9, 2), True)]
        answer = client.call(lines, parameter("@shop", INT, 1), table("@lines", "Lines", all_columns, [("x",)]))
        assert of("row", answer) == [((1, "x", 1, 2),)]
        assert of("row", client.call(lines, parameter("@shop", INT, 1), table("@lines", "Lines", [], []))) == []
        text = (
            parameter("", nvarchar(100), "SELECT COUNT(*) FROM @t"),
            parameter("", nvarchar(100), "@t dbo.Lines READONLY"),
        )
        assert of("row", client.call(10, *text, table("@t", "Lines", TWO, [("a", 1)] * 3))) == [((3,),)]


@pytest.mark.parametrize(
    ("type_name", "columns", "rows", "number"),
    [
        ("Lines", TWO, [("a", -1)], 547),
        ("Lines", TWO, [(None, 1)], 515),
        ("Lines", [(nvarchar(40), False), (decimal(9, 2), False)], [("x" * 30, 1)], 2628),
        ("Lines", [(INT, False)], [(1,)], 500),
        ("Nothing", TWO, [("a", 1)], 2715),
    ],
)
def test_a_table_that_does_not_fit(port: int, lines: str, type_name: str, columns: Any, rows: Any, number: int) -> None:
    with WireClient(port, password=PASSWORD, database="trade") as client:
        answer = client.call(lines, parameter("@shop", INT, 1), table("@lines", type_name, columns, rows))
        assert [error[0] for error in of("error", answer)] == [number]
        assert of("row", client.batch("SELECT @@TRANCOUNT")) == [((0,),)]
