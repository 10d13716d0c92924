"""Clients that are no Python: FreeTDS' tsql in every version of the protocol, tedious for Node; and
TDS 8.0, seen from its first byte."""

from __future__ import annotations

import json
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import HEADERS, login_record, parse

import sbql
from sbql.engine.tds.login import TDS_80
from sbql.engine.tds.packets import MessageReader, packets_of
from sbql.engine.tds.prelogin import read_prelogin, write_prelogin

PASSWORD = "Pässwörd-ж漢1"


@pytest.fixture
def port() -> Iterator[int]:
    """A server for each: the lists make objects of the same names."""
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        yield server.endpoints[1].port


@pytest.mark.parametrize("version", ["7.0", "7.1", "7.2", "7.3", "7.4"])
def test_tsql_in_every_version(port: int, version: str) -> None:
    if shutil.which("tsql") is None:
        pytest.skip("FreeTDS' tsql is not installed here (freetds-bin)")
    script = (
        "SELECT 1 AS a, N'ж' AS b, CAST('x' AS varchar(max)) AS c, CAST(1.5 AS decimal(5,2)) AS d, CAST(N'<a>ж</a>' AS xml) AS e\ngo\n"
        "PRINT 'said'\nSELECT 1/0\ngo\nSELECT CAST('2024-02-29' AS date) AS f, NULL AS g\ngo\nexit\n"
    )
    done = subprocess.run(
        ["tsql", "-H", "127.0.0.1", "-p", str(port), "-U", "sa", "-P", PASSWORD, "-o", "q", "-J", "UTF-8"],
        input=script, capture_output=True, text=True, timeout=60, env={**os.environ, "TDSVER": version},
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert "1\tж\tx\t1.50\t<a>ж</a>" in said
    assert "said" in said
    assert "Msg 8134 (severity 16, state 1)" in said
    assert ("2024-02-29\tNULL" if version < "7.3" else "2024") in said


def test_tedious_does_its_list(port: int) -> None:
    node = shutil.which("node")
    if node is None or subprocess.run([node, "-e", "require('tedious')"], capture_output=True).returncode:
        pytest.skip("Node or its module tedious is not here (npm install tedious@19.2; NODE_PATH says where)")
    script = Path(__file__).with_name("tedious_list.js")
    done = subprocess.run([node, str(script), str(port), PASSWORD], capture_output=True, text=True, timeout=90)
    assert done.returncode == 0, done.stderr
    found = {name: json.loads(value) for name, _, value in (line.partition(" ") for line in done.stdout.splitlines())}
    assert found == {
        "encrypted": [[1]], "message": True, "procedure": [[[21]], 42, 7], "error": [8134, 1, 16, 2], "rollback": [[None]], "bulk": 500,
        "types": [[5, "ж", "2024-02-29T01:02:03.456Z", {"type": "Buffer", "data": [97, 98]}, "00112233-4455-6677-8899-AABBCCDDEEFF", 12.34, True]],
        "loaded": [[124750, "ж99"]], "table": [[3]], "cancel": "ECANCEL", "reset": [[0]],
    }  # fmt: skip


def test_jdbc_does_its_list(port: int) -> None:
    """Microsoft's driver, with scrollable results and selectMethod=cursor, which are server cursors."""
    java, jar = shutil.which("java"), os.environ.get("MSSQL_JDBC", "")
    if java is None or not os.path.isfile(jar):
        pytest.skip("Java or mssql-jdbc.jar is not here (npm pack liquibase@4.28.1 has the jar; MSSQL_JDBC says where)")
    script = Path(__file__).with_name("JdbcList.java")
    command = [java, "-cp", jar, str(script), f"jdbc:sqlserver://127.0.0.1:{port}", PASSWORD]
    done = subprocess.run(command, capture_output=True, text=True, timeout=110)
    assert done.returncode == 0, done.stderr
    found = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    del found["version"]
    assert found == {
        "encrypted": "1", "procedure": "[21, 42] 42 7 said", "error": "8134 S0001 2", "rollback": "null", "batch": "50", "bulk": "500, 124750, ж99",
        "types": "5, ж, 2024-02-29 01:02:03.4560000, 6162, 12.34, 1, null, 00112233-4455-6677-8899-AABBCCDDEEFF, 2024-02-29, 01:02:03.456, "
        "2024-02-29 01:02:03.456 +02:00, <a/>",
        "scroll": "9 n8 300 300 150 299 289 1 true 1 300 true", "table": "3, y", "metadata": "bulked a:int s:nvarchar nvarchar", "cancel": "true",
        "timeout": "true", "receive": "ж", "cursor": "95, 4560",
    }  # fmt: skip


def test_tds_8_is_encrypted_from_the_first_byte(port: int) -> None:
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["tds/8.0"])
    with socket.create_connection(("127.0.0.1", port), timeout=30) as plain, context.wrap_socket(plain) as way:
        assert way.selected_alpn_protocol() == "tds/8.0"
        reader = MessageReader(1 << 20)

        def ask(kind: int, data: bytes) -> bytes:
            way.sendall(packets_of(kind, data, 4096)[0])
            while (found := reader.next()) is None:
                reader.feed(way.recv(65536))
            return found.data

        assert read_prelogin(ask(0x12, write_prelogin([(0, bytes(6)), (1, b"\x01")]))).encryption == 2
        greeting = parse(ask(0x10, login_record(TDS_80, user="sa", password=PASSWORD)))
        assert next(token for token in greeting if token[0] == "login")[1] == TDS_80
        rows = [
            token[1]
            for token in parse(ask(1, HEADERS + "SELECT REPLICATE('x', 8000)".encode("utf-16-le")))
            if token[0] == "row"
        ]
        assert rows == [("x" * 8000,)]


def test_forced_encryption_refuses_who_does_not_encrypt() -> None:
    from sbql.engine.host import SystemHost
    from sbql.engine.server.certificates import make_certificate
    from sbql.engine.server.doors import Keys
    from sbql.engine.server.owner import Server
    from sbql.engine.server.tds_setup import address_of, give_sa_password, tds_door

    connection = sbql.connect()
    instance = connection.instance
    give_sa_password(instance, PASSWORD)  # type: ignore[arg-type]
    keys = Keys({}, *make_certificate(SystemHost(), ["localhost"]))
    door = tds_door(address_of("127.0.0.1:0"), keys, name="SBQL", forces_encryption=True)
    with Server(instance, [door], Keys(), pid=os.getpid()) as server:  # type: ignore[arg-type]
        found = server.endpoints[0].port
        lines: list[str] = []
        stop = instance.listen_log(lambda record: lines.append(record.text))
        for first in (
            packets_of(0x12, write_prelogin([(0, bytes(6)), (1, b"\x02")]), 4096)[0],
            packets_of(0x10, login_record(user="sa", password=PASSWORD), 4096)[0],
        ):
            with socket.create_connection(("127.0.0.1", found), timeout=30) as sock:
                sock.sendall(first)
                heard = b""
                while data := sock.recv(4096):
                    heard += data
                assert b"\xad" not in heard[8:9]
                body = heard[8:]
                assert read_prelogin(body).encryption == 3 if first[0] == 0x12 else parse(body)[0][1] == 18456
        stop()
        assert [("does not encrypt" in line, "[CLIENT: 127.0.0.1]" in line) for line in lines if "sa" in line] == [
            (True, True)
        ]
    connection.close()
