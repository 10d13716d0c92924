"""What `sbql serve` bounds and writes for the clients of SQL Server: how many there are at a
time, and a log that programs read."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import ServerProcess, free_port
from tds_wire import WireClient, of

PASSWORD = "Secret-1234"


def test_a_server_with_room_for_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The third is told why, also when he may come in; one who leaves makes room. Each line of the log is a JSON
    object, in the file and on standard error."""
    monkeypatch.setenv("MSSQL_SA_PASSWORD", PASSWORD)
    port, log = free_port(), tmp_path / "errorlog.json"
    server = ServerProcess(
        "--store", tmp_path / "shop.duckdb", "--listen", f"127.0.0.1:{port}", "--max-connections", "2", "--log-format", "json", "--errorlog", log,
    )  # fmt: skip
    try:
        first, second = (WireClient(port, password=PASSWORD) for _ in range(2))
        third = WireClient(port, password=PASSWORD)
        assert [number for number, *_ in of("error", third.greeting)] == [17809]
        wrong = WireClient(port, password="wrong")
        assert [number for number, *_ in of("error", wrong.greeting)] == [18456]
        for _ in range(20):  # who sees his end finds the place free
            second.leave()
            second = WireClient(port, password=PASSWORD)
            assert of("error", second.greeting) == []
        assert of("row", second.batch("SELECT 1 AS one")) == [((1,),)]
        assert of("row", first.batch("SELECT 2 AS two")) == [((2,),)]
    finally:
        code, errors = server.terminate()
    assert code == 0
    lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
    assert {tuple(line) for line in lines} == {("time", "number", "severity", "process", "text")}
    told = {line["number"]: line for line in lines}
    assert told[17126]["text"] == "SQL Server is now ready for client connections."
    assert told[17809]["severity"] == 20 and told[18456]["severity"] == 14
    shown = [json.loads(line) for line in errors.splitlines() if line.startswith("{")]
    assert [line for line in shown if line["number"] == 17126] == [told[17126]]


def test_all_come_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A place is taken when it is given: of many who log in together as many come in as there are places, and whoever
    comes after them is refused from the moment on at which they know that they are in."""
    monkeypatch.setenv("MSSQL_SA_PASSWORD", PASSWORD)
    port = free_port()
    server = ServerProcess(
        "--store", tmp_path / "shop.duckdb", "--listen", f"127.0.0.1:{port}", "--max-connections", "3"
    )
    try:
        with ThreadPoolExecutor(24) as pool:
            clients = list(pool.map(lambda _: WireClient(port, password=PASSWORD), range(24)))
        inside = [client for client in clients if of("login", client.greeting)]
        told = [[number for number, *_ in of("error", client.greeting)] for client in clients if client not in inside]
        assert len(inside) == 3 and told == [[17809]] * 21
    finally:
        assert server.terminate()[0] == 0


@pytest.mark.parametrize("given", ["0", "40000", "many"])
def test_how_many_there_may_be(given: str, capsys: pytest.CaptureFixture[str]) -> None:
    from sbql.repl.cli import main

    assert main(["serve", "--listen", "127.0.0.1:0", "--max-connections", given]) == 1
    assert "--max-connections" in capsys.readouterr().err
