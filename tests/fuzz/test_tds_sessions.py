"""Sessions of TDS with wrong bytes in them, at every stage: the server stays, keeps nothing, and grows no further.

Each session is a run of messages as a client sends them, one or more of which are changed: bytes flipped, cut off,
doubled, lengths that lie, packets that never end. `TDS_SESSIONS` says how many (`make fuzz-tds`: 100,000),
`TDS_FIRST` which is the first seed.
"""

from __future__ import annotations

import os
import random
import socket
import ssl
import struct
import threading
import time as clock
from collections.abc import Iterator

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import HEADERS, WireClient, login_record, notification, parameter, rpc

import sbql
from sbql.engine.server.owner import Server
from sbql.engine.tds.packets import packets_of
from sbql.engine.tds.prelogin import write_prelogin
from sbql.grammar.types import INT, NVARCHAR_MAX, SQL_VARIANT, XML, Variant, datetimeoffset, decimal, nvarchar

SESSIONS = int(os.environ.get("TDS_SESSIONS", "100"))
FIRST = int(os.environ.get("TDS_FIRST", "0"))
PASSWORD = "Secret-1234"
PATIENCE = 20.0

PRELOGIN = write_prelogin([(0, bytes(6)), (1, b"\x02"), (2, b"\0"), (3, bytes(4)), (4, b"\0")])
ENCRYPTED = write_prelogin([(0, bytes(6)), (1, b"\x01")])
TABLE = b"\2@\0t\0\0\xf3\0\3d\0b\0o\0\3I\0d\0s\0\1\0\0\0\0\0\0\0\x26\x04\0\0\x01\x04\1\0\0\0\0"


def requests() -> list[tuple[int, bytes]]:
    text = parameter("", NVARCHAR_MAX, "SELECT @a, @b, @c, @d")
    declared = parameter("", nvarchar(200), "@a int, @b decimal(9,2), @c sql_variant, @d datetimeoffset")
    values = (
        parameter("@a", INT, 1, 1),
        parameter("@b", decimal(9, 2), 2),
        parameter("@c", SQL_VARIANT, Variant(INT, 1)),
        parameter("@d", datetimeoffset(7), None),
    )
    return [
        (1, HEADERS + "SELECT 1; PRINT N'ж'".encode("utf-16-le")),
        (1, HEADERS + "BEGIN TRANSACTION; CREATE TABLE #t (a int)".encode("utf-16-le")),
        (3, HEADERS + rpc(10, text, declared, *values)),
        (
            3,
            HEADERS
            + rpc("sp_prepexec", parameter("", INT, None, 1), declared, text, *values)
            + b"\xff"
            + rpc("none", parameter("@x", XML, "<a/>")),
        ),
        (3, HEADERS + rpc("TakeIds", TABLE)),
        (14, HEADERS + struct.pack("<H", 5) + b"\2\0"),
        (14, HEADERS + struct.pack("<H", 7) + b"\0\1\2\0"),
        BULK,
        (1, notification("m", "service=Told", 60) + "SELECT id FROM dbo.loaded".encode("utf-16-le")),
        (6, b""),
    ]


BULK = (
    7,
    b"\x81\3\0" + b"\0\0\0\0\x09\0\x26\4\1a\0" + b"\0\0\0\0\x09\0\xe7\x28\0\x09\4\xd0\0\x34\1b\0" + b"\0\0\0\0\x09\0\x6a\5\x09\2\1c\0"
    + b"\xd1\4\1\0\0\0\4\0\x36\4\x36\4\5\1\1\0\0\0" * 3 + b"\xd2\6\4\2\0\0\0" + b"\xfd" + bytes(12),
)  # fmt: skip
ANNOUNCED = (1, HEADERS + "INSERT BULK dbo.loaded (id int, s nvarchar(20), d decimal(9,2))".encode("utf-16-le"))


def changed(data: bytes, chance: random.Random) -> bytes:
    """One way of being wrong."""
    found = bytearray(data)
    match chance.randrange(6):
        case 0:
            for _ in range(chance.randrange(1, 5)):
                found[chance.randrange(len(found))] = chance.randrange(256)
        case 1:
            del found[chance.randrange(len(found)) :]
        case 2:
            at = chance.randrange(len(found))
            found[at:at] = chance.randbytes(chance.randrange(1, 40))
        case 3:
            found += found[: chance.randrange(len(found))]
        case 4:  # a length that lies
            at = chance.randrange(max(1, len(found) - 4))
            found[at : at + 2] = struct.pack("<H", chance.choice((0, 1, 0x7FFF, 0xFFFE, 0xFFFF)))
        case _:
            at = chance.randrange(len(found))
            del found[at : at + chance.randrange(1, 9)]
    return bytes(found)


def stream_of(chance: random.Random) -> list[bytes]:
    """The packets of a session, message by message."""
    login = login_record(user="sa", password=PASSWORD)
    messages = [(0x12, chance.choice((PRELOGIN, PRELOGIN, ENCRYPTED))), (0x10, login)]
    for _ in range(chance.randrange(1, 5)):
        asked = chance.choice(requests())
        messages += [ANNOUNCED, asked] if asked is BULK else [asked]
    stage = chance.choice((0, 1, 2, 2, 2, 3))
    packets = []
    for place, (kind, data) in enumerate(messages):
        if place == stage and chance.random() < 0.6 and data:
            data = changed(data, chance)
        size = chance.choice((512, 4096))
        packet = packets_of(kind, data, size, is_end=chance.random() > 0.03)[0]
        if place == stage and chance.random() < 0.4:
            packet = changed(packet, chance)
        packets.append(packet)
    return packets


def run_encrypted(port: int, chance: random.Random) -> None:
    """TDS 8.0: something is wrong in the handshake of TLS, in its records, or in what they carry."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
    tls, stage = context.wrap_bio(coming, going), chance.choice(("handshake", "records", "inside"))
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as sock:

        def flush(wrong: bool) -> None:
            if data := going.read():
                sock.sendall(changed(data, chance) if wrong else data)

        try:
            while True:
                try:
                    tls.do_handshake()
                    break
                except ssl.SSLWantReadError:
                    flush(stage == "handshake" and chance.random() < 0.6)
                    sock.settimeout(0.5 if stage == "handshake" else PATIENCE)  # it may wait for what was cut off
                    coming.write(data := sock.recv(65536))
                    if not data:
                        return
            for packet in stream_of(chance) if stage == "inside" else stream_of(random.Random(0)):
                tls.write(packet)
                flush(stage == "records" and chance.random() < 0.3)
            sock.shutdown(socket.SHUT_WR)
            sock.settimeout(PATIENCE)
            while sock.recv(65536):
                pass
        except TimeoutError:
            if stage != "handshake":
                raise
        except OSError:
            pass  # closed by the server, or an answer to what was wrong


def run_session(port: int, seed: int) -> None:
    chance = random.Random(seed)
    if chance.random() < 0.15:
        run_encrypted(port, chance)
        return
    waits = chance.random() < 0.5
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as sock:
        try:
            for packet in stream_of(chance):
                sock.sendall(packet)
                if waits:
                    sock.settimeout(0.02)
                    try:
                        if not sock.recv(65536):
                            return
                    except TimeoutError:
                        pass
                    sock.settimeout(PATIENCE)
            if chance.random() < 0.2:
                return  # gone without a word
            sock.shutdown(socket.SHUT_WR)
            while sock.recv(65536):
                pass
        except TimeoutError:
            raise
        except OSError:
            pass  # the server has closed it


def megabytes() -> float:
    """The memory of this process, where the system says it."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20
    except OSError:
        return 0.0


@pytest.fixture(scope="module")
def served() -> Iterator[Server]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        session = server.instance.connect()
        session.run("CREATE TYPE dbo.Ids AS TABLE (id int)")
        session.run("CREATE TABLE dbo.loaded (id int, s nvarchar(20), d decimal(9,2))")
        session.run("CREATE PROCEDURE TakeIds @t dbo.Ids READONLY AS SELECT COUNT(*) FROM @t")
        session.close()
        yield server


@pytest.mark.timeout(0)
def test_wrong_bytes_at_every_stage(served: Server) -> None:
    port = served.endpoints[1].port
    broken: list[str] = []
    stop = served.instance.listen_log(
        lambda record: broken.append(record.text) if record.number in (3624, 8631, 701) else None
    )
    settled = FIRST + SESSIONS // 5
    before = 0.0
    for seed in range(FIRST, FIRST + SESSIONS):
        if seed == settled:
            before = megabytes()
        try:
            run_session(port, seed)
        except TimeoutError:
            pytest.fail(f"seed {seed}: the server neither answers nor closes")
        assert broken == [], f"seed {seed}"
    stop()
    assert megabytes() - before < 150
    with WireClient(port, password=PASSWORD) as client:
        assert ("row", (1,)) in client.batch("SELECT 1")
    end = clock.monotonic() + PATIENCE
    while served.instance.sessions or any(thread.name == "sbql-tds" for thread in threading.enumerate()):
        assert clock.monotonic() < end, "sessions or threads are left"
        clock.sleep(0.02)
