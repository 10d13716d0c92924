"""What is wrong with a call's arguments, on the ways out: sqlcmd's output, the protocol (a batch and a call),
sbql's own client, and the driver."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from tds_wire import WireClient, of, parameter

import sbql
from sbql.grammar.types import INT
from sbql.repl.cli import main

PASSWORD = "Secret-1234"
MAKE = "CREATE PROCEDURE one @a int AS RETURN 0"


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with sbql.serve(listen="127.0.0.1:0", sa_password=PASSWORD) as server:
        yield server.endpoints[1].port


def test_sqlcmds_output(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The head is SQL Server's; where the call stands, and the caret, are ours."""
    script = tmp_path / "s.sql"
    script.write_text(f"{MAKE}\nGO\n\nEXEC one 1,\n  2;\nGO\nEXEC('EXEC one')\nGO\n")
    main([str(script)])
    shown = capsys.readouterr().out.splitlines()
    heads = [line for line in shown if line.startswith("Msg ")]
    assert [head.partition(" (")[0] for head in heads] == [
        "Msg 8144, Level 16, State 2, Procedure one, Line 0",
        "Msg 201, Level 16, State 4, Procedure one, Line 0",
    ]
    assert [head.endswith(end) for head, end in zip(heads, ("s.sql:4)", "s.sql, batch at line 7)"), strict=True)] == [
        True,
        True,
    ]
    at = shown.index("EXEC one 1,")
    assert shown[at + 1] == "     ^"


def test_the_protocol(port: int) -> None:
    """Procedure and line of the ERROR token, of a batch and of a call."""
    with WireClient(port, password=PASSWORD) as client:
        client.batch(MAKE)
        batch, call = client.batch("\n\nEXEC one"), client.call("one", parameter("@b", INT, 1))
    told = [
        (number, state, procedure, line)
        for answer in (batch, call)
        for number, _, state, _, procedure, line in of("error", answer)
    ]
    assert told == [(201, 4, "one", 0), (8145, 2, "one", 0)]


def test_the_drivers(port: int) -> None:
    for connection in (sbql.connect(), sbql.connect(server=f"127.0.0.1,{port}", user="sa", password=PASSWORD)):
        cursor = connection.cursor()
        cursor.execute("IF OBJECT_ID('one') IS NULL EXEC ('" + MAKE + "')")
        with pytest.raises(sbql.DatabaseError) as told:
            cursor.execute("\n\nEXEC one")
        connection.close()
        assert (told.value.number, told.value.procedure, told.value.line) == (201, "one", 0)
