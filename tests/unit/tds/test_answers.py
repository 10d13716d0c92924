"""Answers as a client reads them: what our own server writes comes back, however the bytes are cut; what
only SQL Server says is read, too."""

from __future__ import annotations

import datetime as dt
import random
import struct
import uuid
from decimal import Decimal
from typing import Any

import pytest

from sbql.engine.tds import tokens
from sbql.engine.tds.answers import AnswerReader, Changed, Columns, Done, Event, LoggedIn, ReturnValue, Rows, Said
from sbql.engine.tds.encoding import row_encoder
from sbql.engine.tds.login import TDS_74
from sbql.engine.tds.reading import ProtocolError
from sbql.grammar.types import MAX, SqlType, Variant

VALUES: list[tuple[SqlType, Any]] = [
    (SqlType("int"), -5), (SqlType("bigint"), 1 << 60), (SqlType("tinyint"), 255), (SqlType("bit"), True), (SqlType("float"), 1.5),
    (SqlType("decimal", precision=38, scale=4), Decimal("-12345678901234567890.1234")), (SqlType("money"), Decimal("-1.2500")),
    (SqlType("nvarchar", length=20), "a😀b"), (SqlType("varchar", length=20), "Straße"), (SqlType("nvarchar", length=MAX), "x" * 9000),
    (SqlType("varbinary", length=MAX), b"\x01" * 70_000), (SqlType("binary", length=3), b"\x01\x02\x03"), (SqlType("ntext"), "long"),
    (SqlType("uniqueidentifier"), uuid.UUID(int=7)), (SqlType("date"), dt.date(1, 1, 1)), (SqlType("datetime"), dt.datetime(2008, 2, 29, 23, 59, 59, 997000)),
    (SqlType("xml"), "<a/>"), (SqlType("sql_variant"), Variant(SqlType("int"), 7)),
]  # fmt: skip


def answer() -> bytes:
    """Every kind of token that our server says."""
    columns = [(f"c{place}", one) for place, (one, _) in enumerate(VALUES)]
    encode = row_encoder([one for one, _ in VALUES], TDS_74)
    return b"".join([
        tokens.change(1, "Shop", "master"), tokens.collation_change(), tokens.transaction_change(8, struct.pack("<Q", 3)),
        tokens.login_ack(TDS_74, "Microsoft SQL Server", (16, 0, 1000)), tokens.features([(0x0A, b"\x01")]), tokens.column_metadata(columns, TDS_74),
        encode([value for _, value in VALUES]), encode([None] * len(VALUES)), tokens.done(tokens.DONE, tokens.COUNT | tokens.MORE, 0xC1, 2, TDS_74),
        tokens.message(is_error=True, number=50000, state=5, severity=16, text="ä", server="s", procedure="dbo.p", line=70_000, version=TDS_74),
        tokens.message(is_error=False, number=0, state=1, severity=0, text="", server="s", procedure="", line=1, version=TDS_74),
        tokens.return_status(-4), tokens.return_value(2, "@o", SqlType("nvarchar", length=5), "out", TDS_74),
        tokens.done(tokens.DONEPROC, 0, 0xE0, 0, TDS_74),
    ])  # fmt: skip


def joined(events: list[Event]) -> list[Event]:
    """Rows of one result set together: how they are cut is chance."""
    found: list[Event] = []
    for event in events:
        if isinstance(event, Rows) and found and isinstance(found[-1], Rows):
            found[-1] = Rows([*found[-1].rows, *event.rows])
        else:
            found.append(event)
    return found


def read(data: bytes, *cuts: int) -> list[Event]:
    reader, events, before = AnswerReader(), list[Event](), 0
    for cut in cuts:
        events += reader.feed(data[before:cut], is_end=False)
        before = cut
    return joined(events + reader.feed(data[before:], is_end=True))


def test_what_the_server_writes_is_what_the_client_reads() -> None:
    database, _, begun, login, columns, rows, count, error, message, code, output, end = read(answer())
    assert database == Changed(1, "Shop") and begun == Changed(8, struct.pack("<Q", 3))
    assert login == LoggedIn(TDS_74, "Microsoft SQL Server")
    assert isinstance(columns, Columns) and [one.type.name for one in columns.columns] == [
        one.name for one, _ in VALUES
    ]
    assert rows == Rows([tuple(value for _, value in VALUES), (None,) * len(VALUES)])
    assert count == Done(tokens.DONE, tokens.COUNT | tokens.MORE, 0xC1, 2)
    assert error == Said(True, 50000, 5, 16, "ä", "dbo.p", 70_000) and message == Said(False, 0, 1, 0, "", "", 1)
    assert code == ReturnValue("", SqlType("int"), -4) and output == ReturnValue(
        "@o", SqlType("nvarchar", length=5), "out"
    )
    assert end == Done(tokens.DONEPROC, 0, 0xE0, 0)


def test_an_answer_may_be_cut_anywhere() -> None:
    data, chance = answer(), random.Random(1)
    whole = read(data)
    for _ in range(60):
        cuts = sorted(chance.sample(range(len(data)), chance.randint(1, 12)))
        assert read(data, *cuts) == whole
    small = data[: data.index(b"\x81")]
    assert read(small, *range(1, len(small))) == read(small)


def test_what_has_come_is_told_at_once() -> None:
    """PRINT in front of a long statement is heard before its end."""
    reader = AnswerReader()
    said = tokens.message(
        is_error=False, number=0, state=1, severity=0, text="hi", server="", procedure="", line=1, version=TDS_74
    )
    assert reader.feed(said + b"\xfd\x00", is_end=False) == [Said(False, 0, 1, 0, "hi", "", 1)]
    assert reader.feed(bytes(11), is_end=True) == [Done(tokens.DONE, 0, 0, 0)]


def test_rows_with_a_bitmap_of_nulls_and_tokens_for_cursors() -> None:
    """NBCROW, ORDER, TABNAME, COLINFO, SESSIONSTATE: SQL Server says them, our server never does."""
    columns = tokens.column_metadata([(f"c{n}", SqlType("int")) for n in range(9)], TDS_74)
    row = (
        b"\xd2"
        + bytes([0b10101010, 1])
        + b"".join(b"\x04" + struct.pack("<i", n) for n in range(9) if n % 2 == 0 and n != 8)
    )
    others = b"".join(bytes([token]) + b"\x02\0\x01\0" for token in (0xA9, 0xA4, 0xA5)) + b"\xe4\x02\0\0\0\1\2"
    found = read(columns + others + row + tokens.done(tokens.DONE, 0, 0, 0, TDS_74))
    assert found[1] == Rows([(0, None, 2, None, 4, None, 6, None, None)])


@pytest.mark.parametrize(
    "data", [b"\x00", b"\xd1", b"\x81\x01\x00", b"\x81\x01\x00\0\0\0\0\x09\x00\xf0", b"\xaa\x02\x00\x00\x00", b"\xfd"]
)
def test_what_is_no_answer_is_refused(data: bytes) -> None:
    if data == b"\xd1":
        assert read(data) == [Rows([()])], "a row of no columns"
        return
    with pytest.raises(ProtocolError):
        read(data)


def test_mutated_answers_are_read_or_refused() -> None:
    data, chance = answer()[:4000], random.Random(2)
    for _ in range(400):
        bad = bytearray(data)
        for _ in range(chance.randint(1, 4)):
            bad[chance.randrange(len(bad))] = chance.randrange(256)
        try:
            read(bytes(bad))
        except ProtocolError:
            pass
