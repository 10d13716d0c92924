"""The bytes of TDS: every type there and back, against the layouts of the protocol's description;
parsers against cut and changed bytes."""

from __future__ import annotations

import datetime as dt
import random
import struct
import uuid
from decimal import Decimal
from typing import Any

import pytest

from sbql.engine.tds import login, packets, prelogin, requests, tokens
from sbql.engine.tds.collations import DEFAULT_COLLATION, code_page
from sbql.engine.tds.decoding import read_type
from sbql.engine.tds.encoding import encoder, row_encoder
from sbql.engine.tds.login import TDS_71, TDS_72, TDS_73, TDS_74
from sbql.engine.tds.reading import ProtocolError, Reader
from sbql.engine.tds.types import shown_type, type_info
from sbql.grammar.types import (
    BIGINT,
    BIT,
    DATE,
    DATETIME,
    FLOAT,
    INT,
    MAX,
    MONEY,
    REAL,
    SMALLINT,
    SQL_VARIANT,
    TINYINT,
    UNIQUEIDENTIFIER,
    VARBINARY_MAX,
    XML,
    SqlType,
    Variant,
    binary,
    char,
    datetime2,
    datetimeoffset,
    decimal,
    nchar,
    nvarchar,
    time,
    varbinary,
    varchar,
)
from sbql.grammar.values.ticks import with_tick

INDIA = dt.timezone(dt.timedelta(hours=5, minutes=30))
WEST = dt.timezone(-dt.timedelta(hours=3, minutes=30))
LAST = with_tick(dt.datetime(9999, 12, 31, 23, 59, 59, 999999), 9)

VALUES: list[tuple[SqlType, list[Any]]] = [
    (TINYINT, [0, 255]), (SMALLINT, [-32768, 32767]), (INT, [-(2**31), 2**31 - 1, 0]), (BIGINT, [-(2**63), 2**63 - 1]), (BIT, [True, False]),
    (REAL, [1.5, -0.25]), (FLOAT, [1e308, -2.5e-308, 0.1]), (MONEY, [Decimal("922337203685477.5807"), Decimal("-922337203685477.5808"), Decimal("0.0001")]),
    (SqlType("smallmoney"), [Decimal("214748.3647"), Decimal("-214748.3648")]),
    (decimal(5, 2), [Decimal("999.99"), Decimal("-0.01")]), (decimal(38, 10), [Decimal("9" * 28 + "." + "9" * 10), Decimal("-1.0000000001")]),
    (decimal(19, 0), [Decimal(10**19 - 1)]), (decimal(28, 28), [Decimal("0." + "1" * 28)]),
    (DATE, [dt.date(1, 1, 1), dt.date(9999, 12, 31), dt.date(1900, 1, 1)]),
    (DATETIME, [dt.datetime(1753, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59, 997000), dt.datetime(2024, 2, 29, 1, 2, 3, 3000), dt.datetime(1899, 12, 31, 12)]),
    (SqlType("smalldatetime"), [dt.datetime(1900, 1, 1), dt.datetime(2079, 6, 6, 23, 59)]),
    *[(time(n), [dt.time(0), dt.time(23, 59, 59)]) for n in range(8)],
    (time(7), [with_tick(dt.time(23, 59, 59, 999999), 9)]), (time(3), [dt.time(1, 2, 3, 4000)]),
    *[(datetime2(n), [dt.datetime(1, 1, 1), dt.datetime(9999, 12, 31, 23, 59, 59)]) for n in range(8)],
    (datetime2(7), [LAST]), (datetime2(1), [dt.datetime(2000, 1, 1, 0, 0, 0, 900000)]),
    (datetimeoffset(7), [dt.datetime(2024, 1, 1, 1, 0, tzinfo=INDIA), dt.datetime(2024, 12, 31, 23, 30, tzinfo=WEST), LAST.replace(tzinfo=dt.timezone.utc)]),
    (datetimeoffset(0), [dt.datetime(1, 1, 2, tzinfo=INDIA)]),
    (UNIQUEIDENTIFIER, [uuid.UUID("00112233-4455-6677-8899-aabbccddeeff")]),
    (varchar(10), ["", "abc", "äöü€"]), (char(4), ["ab  "]), (nvarchar(10), ["", "ж漢😀", "\ud800"]), (nchar(3), ["ab ", "😀 "]),
    (varbinary(5), [b"", b"\0\xff"]), (binary(3), [b"a\0\0"]),
    (nvarchar(MAX), ["", "x" * 100_000]), (varchar(MAX), ["", "é" * 9000]), (VARBINARY_MAX, [b"", bytes(70_000)]), (XML, ["<a>ж</a>"]),
    (SQL_VARIANT, [Variant(INT, 5), Variant(nvarchar(3), "abc"), Variant(decimal(5, 2), Decimal("1.50")), Variant(DATE, dt.date(2000, 1, 1)), Variant(BIT, True),
                   Variant(datetime2(3), dt.datetime(2000, 1, 1, 1, 1, 1, 123000)), Variant(UNIQUEIDENTIFIER, uuid.UUID(int=7)), Variant(varbinary(3), b"abc"),
                   Variant(MONEY, Decimal("1.2500")), Variant(DATETIME, dt.datetime(2000, 1, 1, 0, 0, 0, 3000)), Variant(FLOAT, 1.5), Variant(varchar(1), "ü")]),
]  # fmt: skip


@pytest.mark.parametrize(("sql_type", "values"), VALUES, ids=lambda one: str(one) if isinstance(one, SqlType) else "")
def test_a_value_comes_back_as_it_was(sql_type: SqlType, values: list[Any]) -> None:
    write = encoder(sql_type, TDS_74)
    for value in [*values, None]:
        reader = Reader(type_info(sql_type, TDS_74) + write(value))
        incoming = read_type(reader)
        found = incoming.read(reader)
        assert (found, reader.is_over) == (value, True)
        if value is not None and sql_type.name not in ("xml", "sql_variant"):
            assert incoming.type == sql_type


@pytest.mark.parametrize(
    ("sql_type", "value", "layout"),
    [
        (INT, 1, "26 04 | 04 01000000"),
        (TINYINT, 200, "26 01 | 01 c8"),
        (BIT, True, "68 01 | 01 01"),
        (decimal(5, 2), Decimal("-1.50"), "6a 05 05 02 | 05 00 96000000"),
        (MONEY, Decimal("1"), "6e 08 | 08 00000000 10270000"),
        (DATETIME, dt.datetime(1900, 1, 2, 0, 0, 1), "6f 08 | 08 01000000 2c010000"),
        (SqlType("smalldatetime"), dt.datetime(1900, 1, 2, 0, 5), "6f 04 | 04 0100 0500"),
        (DATE, dt.date(1, 1, 2), "28 | 03 010000"),
        (time(0), dt.time(0, 1), "29 00 | 03 3c0000"),
        (datetime2(7), dt.datetime(1, 1, 1, 0, 0, 0, 1), "2a 07 | 08 0a00000000 000000"),
        (
            datetimeoffset(0),
            dt.datetime(1, 1, 2, 1, 0, tzinfo=dt.timezone(dt.timedelta(hours=1))),
            "2b 00 | 08 000000 010000 3c00",
        ),
        (
            UNIQUEIDENTIFIER,
            uuid.UUID("00112233-4455-6677-8899-aabbccddeeff"),
            "24 10 | 10 33221100554477668899aabbccddeeff",
        ),
        (varchar(3), "€", "a7 0300 0904d00034 | 0100 80"),
        (nvarchar(3), "é", "e7 0600 0904d00034 | 0200 e900"),
        (nvarchar(MAX), "a", "e7 ffff 0904d00034 | 0200000000000000 02000000 6100 00000000"),
        (XML, "", "f1 00 | 0000000000000000 00000000"),
        (SQL_VARIANT, Variant(INT, 1), "62 491f0000 | 06000000 38 00 01000000"),
    ],
    ids=str,
)
def test_the_bytes_are_those_of_the_protocol(sql_type: SqlType, value: Any, layout: str) -> None:
    info, _, data = layout.partition("|")
    assert type_info(sql_type, TDS_74) == bytes.fromhex(info)
    assert encoder(sql_type, TDS_74)(value) == bytes.fromhex(data)


def test_a_time_before_midnight_in_utc_counts_the_day_before() -> None:
    value = dt.datetime(2024, 1, 1, 1, 0, tzinfo=INDIA)
    data = encoder(datetimeoffset(0), TDS_74)(value)
    assert int.from_bytes(data[4:7], "little") == dt.date(2023, 12, 31).toordinal() - 1


def test_old_clients_get_types_that_they_know() -> None:
    assert shown_type(datetime2(7), TDS_72) == nvarchar(27)
    assert shown_type(datetime2(7), TDS_73) == datetime2(7)
    assert shown_type(nvarchar(MAX), TDS_71).name == "ntext"
    assert shown_type(XML, TDS_71).name == "ntext"
    assert tokens.done(tokens.DONE, 0x10, 0xC1, 3, TDS_71) == bytes.fromhex("fd 1000 c100 03000000")
    assert tokens.done(tokens.DONE, 0x10, 0xC1, 3, TDS_72) == bytes.fromhex("fd 1000 c100 0300000000000000")


@pytest.mark.parametrize(
    ("sql_type", "value", "text"),
    [
        (DATE, dt.date(1, 1, 2), "0001-01-02"),
        (time(0), dt.time(23, 59, 59), "23:59:59"),
        (time(3), dt.time(1, 2, 3, 40_000), "01:02:03.040"),
        (datetime2(0), dt.datetime(999, 1, 2, 3, 4, 5), "0999-01-02 03:04:05"),
        (datetime2(6), dt.datetime(2024, 1, 2, 3, 4, 5, 123456), "2024-01-02 03:04:05.123456"),
        (datetimeoffset(0), dt.datetime(2024, 1, 2, 3, 4, 5, tzinfo=INDIA), "2024-01-02 03:04:05 +05:30"),
        (datetimeoffset(7), with_tick(dt.datetime(2024, 1, 2, 3, 4, 5, 123456, tzinfo=WEST), 7), "2024-01-02 03:04:05.1234567 -03:30"),
    ],
)  # fmt: skip
def test_old_clients_get_dates_as_text_with_the_digits_of_the_type(sql_type: SqlType, value: Any, text: str) -> None:
    assert shown_type(sql_type, TDS_72) == nvarchar(len(text))
    assert encoder(sql_type, TDS_72)(value)[2:].decode("utf-16-le") == text


def test_code_pages_of_collations() -> None:
    assert code_page(DEFAULT_COLLATION) == "cp1252"
    assert code_page(bytes.fromhex("0904d02400")) == "utf-8"
    assert code_page((1049).to_bytes(3, "little") + b"\0\0") == "cp1251"
    assert code_page((1041).to_bytes(3, "little") + b"\0\0") == "cp932"
    assert code_page(bytes.fromhex("0904d0001e")) == "cp437"


# --- packets -----------------------------------------------------------------------------------------------


def test_messages_survive_any_cutting() -> None:
    chance = random.Random(3)
    sent = [(kind, chance.randbytes(chance.randrange(0, 3000))) for kind in (1, 3, 1, 14, 7) for _ in range(4)]
    stream = b"".join(packets.packets_of(kind, data, chance.choice((512, 600, 4096)))[0] for kind, data in sent)
    reader, found = packets.MessageReader(10_000), []
    while stream:
        size = chance.randrange(1, 700)
        reader.feed(stream[:size])
        stream = stream[size:]
        while (message := reader.next()) is not None:
            found.append((message.kind, message.data))
    assert found == sent


def test_packets_are_numbered_and_only_the_last_one_ends() -> None:
    stream, number = packets.packets_of(4, bytes(2000), 512, 254)
    heads = [stream[at : at + 8] for at in range(0, len(stream), 512)]
    assert [(head[1], head[6]) for head in heads] == [(0, 255), (0, 1), (0, 2), (1, 3)]
    assert number == 3


@pytest.mark.parametrize("data", ["01 01 0004 0000 00 00", "99 01 0008 0000 00 00", "01 01 ffff 0000 00 00"])
def test_a_packet_that_is_none(data: str) -> None:
    reader = packets.MessageReader(1000)
    reader.feed(bytes.fromhex(data))
    with pytest.raises(ProtocolError):
        reader.next()


def test_a_message_that_is_too_long() -> None:
    reader = packets.MessageReader(1000)
    reader.feed(packets.packets_of(1, bytes(1001), 512)[0])
    with pytest.raises(ProtocolError, match="1000"):
        reader.next()


def test_an_attention_is_seen_behind_other_packets() -> None:
    request, _ = packets.packets_of(1, b"\x06" * 50, 4096)
    attention, _ = packets.packets_of(6, b"", 4096)
    assert not packets.has_attention(request)
    assert packets.has_attention(request + attention)
    assert not packets.has_attention(request + attention[:5])


def test_an_attention_in_the_middle_of_a_request_takes_its_place() -> None:
    reader = packets.MessageReader(10_000)
    reader.feed(packets.packets_of(1, bytes(100), 512, is_end=False)[0] + packets.packets_of(6, b"", 512)[0])
    message = reader.next()
    assert message is not None
    assert message.kind == packets.Kind.ATTENTION


# --- the beginning -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "has_certificate", "is_forced", "answer"),
    [
        (0, False, False, 2), (1, False, False, 2), (2, False, False, 2), (3, False, False, 2),
        (0, True, False, 0), (1, True, False, 1), (2, True, False, 2), (3, True, False, 1),
        (0, True, True, 3), (1, True, True, 1), (2, True, True, 3), (3, True, True, 3),
    ],
)  # fmt: skip
def test_what_is_agreed_upon(wanted: int, has_certificate: bool, is_forced: bool, answer: int) -> None:
    assert prelogin.encryption_answer(wanted, has_certificate=has_certificate, is_forced=is_forced) == answer


def test_prelogin_is_read_as_it_is_written() -> None:
    data = prelogin.write_prelogin([(0, bytes(6)), (1, b"\x01"), (4, b"\x01"), (6, b"\x01")])
    found = prelogin.read_prelogin(data)
    assert (found.encryption, found.asks_federated, found.options) == (1, True, {0, 1, 4, 6})
    data = prelogin.answer_to(found, 3, (16, 0, 1000))
    answer = prelogin.read_prelogin(data)
    assert (answer.encryption, answer.asks_federated, answer.options) == (3, True, {0, 1, 2, 3, 4, 6})
    assert data.endswith(b"\x03\x00\x00\x00")  # the encryption; no instance, no MARS, no federated login


@pytest.mark.parametrize(
    ("wanted", "spoken"),
    [
        (0x74000004, 0x74000004), (0x75000001, 0x74000004), (0x730B0003, 0x730B0003), (0x730A0003, 0x730A0003), (0x72090002, 0x72090002),
        (0x71000001, 0x71000001), (0x71000000, 0x71000000), (0x70000000, 0x70000000), (0x08000000, 0x08000000),
    ],
)  # fmt: skip
def test_the_version_that_is_spoken(wanted: int, spoken: int) -> None:
    assert login.spoken_version(wanted) == spoken


def test_a_version_before_7() -> None:
    with pytest.raises(ProtocolError):
        login.spoken_version(0x42000000)


# --- requests ----------------------------------------------------------------------------------------------

HEADERS = struct.pack("<IIH", 22, 18, 2) + bytes(12)


def _b(text: str) -> bytes:
    return bytes([len(text)]) + text.encode("utf-16-le")


def call(*parameters: tuple[str, int, SqlType, Any], name: str | int = 10) -> bytes:
    head = (
        struct.pack("<HH", 0xFFFF, name)
        if isinstance(name, int)
        else struct.pack("<H", len(name)) + name.encode("utf-16-le")
    )
    body = b"".join(
        _b(n) + bytes([status]) + type_info(t, TDS_74) + encoder(t, TDS_74)(v) for n, status, t, v in parameters
    )
    return head + b"\0\0" + body


def test_calls_in_one_message() -> None:
    data = HEADERS + call(("", 0, nvarchar(100), "SELECT 1")) + b"\xff" + call(("@a", 1, INT, None), name="dbo.p")
    first, second = requests.read_calls(data, TDS_74)
    assert (first.procedure, [p.value for p in first.parameters]) == ("sp_executesql", ["SELECT 1"])
    assert (second.procedure, second.parameters[0].name, second.parameters[0].is_output) == ("dbo.p", "@a", True)


def test_a_table_valued_parameter() -> None:
    columns = struct.pack("<HIH", 1, 0, 1) + type_info(INT, TDS_74) + b"\0"
    rows = b"\x01" + encoder(INT, TDS_74)(5) + b"\x01" + encoder(INT, TDS_74)(None)
    data = (
        HEADERS
        + struct.pack("<HH", 0xFFFF, 10)
        + b"\0\0"
        + _b("@t")
        + b"\0\xf3"
        + b"\0"
        + _b("dbo")
        + _b("Ids")
        + columns
        + b"\0"
        + rows
        + b"\0"
    )
    ((parameter,),) = [one.parameters for one in requests.read_calls(data, TDS_74)]
    assert (parameter.value.type_name, parameter.value.types, parameter.value.rows) == (
        ("", "dbo", "Ids"),
        (INT,),
        [(5,), (None,)],
    )


def test_transaction_requests() -> None:
    def read(body: bytes) -> requests.TransactionRequest:
        return requests.read_transaction(HEADERS + body, TDS_74)

    assert read(b"\5\0\4\0") == requests.TransactionRequest("begin", "", "SERIALIZABLE")
    name = "T".encode("utf-16-le")
    assert read(b"\7\0\2" + name + b"\1\5\0") == requests.TransactionRequest(
        "commit", "T", "SNAPSHOT", begins_again=True
    )
    assert read(b"\x08\0\0\0") == requests.TransactionRequest("rollback")
    with pytest.raises(ProtocolError, match="distributed"):
        read(b"\1\0")


def test_cut_and_changed_requests_are_protocol_errors_and_nothing_else() -> None:
    chance = random.Random(11)
    parameters = [("", 0, sql_type, values[0]) for sql_type, values in VALUES]
    whole = HEADERS + call(*parameters)
    requests.read_calls(whole, TDS_74)
    failed = 0
    for _ in range(1500):
        data = bytearray(whole)
        for _ in range(chance.randrange(1, 4)):
            data[chance.randrange(len(HEADERS), min(len(data), 1200))] = chance.randrange(256)
        if chance.random() < 0.3:
            del data[chance.randrange(len(data)) :]
        try:
            requests.read_calls(bytes(data), TDS_74)
        except ProtocolError:
            failed += 1
    assert failed > 500


def test_a_row_is_its_values_side_by_side() -> None:
    write = row_encoder([INT, nvarchar(5)], TDS_74)
    assert write((None, "a")) == bytes.fromhex("d1 00 0200 6100")
