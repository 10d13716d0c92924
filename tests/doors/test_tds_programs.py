"""Clients that are no Python, each doing the list that Python's drivers do in test_tds_drivers.py: Microsoft's JDBC,
jTDS, go-mssqldb, mssql for Node, bsqldb.

What a client cannot do by its own make is in `UNABLE`, with the reason; one that is not installed is skipped.
`make clients` writes the table of docs/clients.md from a run of both.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

from serving import listening_server
from tds_programs import PROGRAMS
from tds_values import type_lines
from tds_wire import WireClient

ROWS = int(os.environ.get("CLIENT_ROWS", "10000"))
PASSWORD = "Pässwörd-ж漢1"

EXPECTED = {
    "connects": "shop sa ж漢",
    "encrypted": "TRUE 8000",
    "refuses_a_wrong_password": "18456",
    "every_type_comes": "all",
    "datetimeoffset_comes": "2024-02-29 01:02:03.123456 +05:30",
    "every_type_goes": "all",
    "null_goes_into_every_type": "all",
    "parameters": "42 ж! 43 ж! 44 ж!",
    "guid_parameters": "00112233-4455-6677-8899-AABBCCDDEEFF",
    "outputs": "42 7",
    "tables_as_parameters": "1000 500500 ж999",
    "several_results": "1; c two 3; end",
    "counts": "3 2",
    "errors": "8134 208 5",
    "numbers_of_errors": "50000 3 16 2",
    "messages": "hello ж note",
    "transactions": "1 2 1 2",
    "many_rows": f"{ROWS} {ROWS * (ROWS + 1) // 2}",
    "bulk": "1000 499500 ж999 249.75 FF 2024-02-29T01:02:03",
    "a_result_that_is_left": "7",
    "cancels": "soon 7",
    "receives_what_another_connection_sends": "ж",
}
OWN = {
    ("go_mssqldb", "refuses_a_wrong_password"): "Login error: mssql: Login failed for user 'sa'.",
    ("node_mssql", "refuses_a_wrong_password"): "Login failed for user 'sa'.",
    ("node_mssql", "datetimeoffset_comes"): "2024-02-28T19:32:03.123Z",
    ("jdbc", "numbers_of_errors"): "50000",
    ("jtds", "numbers_of_errors"): "50000",
    ("bsqldb", "numbers_of_errors"): "50000 16 3 2",
    ("bsqldb", "several_results"): "1; two 3",
    ("bsqldb", "transactions"): "1 2",
}
"""What a client shows in its own way: moments as those of UTC, a refused login without its number, state and line only
in a class of the driver's, no names of columns."""
UNABLE = {
    ("go_mssqldb", "outputs"): "this version has no output parameters",
    ("go_mssqldb", "tables_as_parameters"): "this version has no table-valued parameters",
    ("jtds", "tables_as_parameters"): "it has no table-valued parameters",
    ("go_mssqldb", "messages"): "it hands on no messages",
    ("bsqldb", "datetimeoffset_comes"): "DB-Library does not know it",
    **{
        ("bsqldb", item): "it runs scripts, without parameters"
        for item in ("every_type_goes", "null_goes_into_every_type", "parameters", "guid_parameters", "outputs", "tables_as_parameters", "counts", "bulk", "a_result_that_is_left")
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with listening_server(tmp_path_factory.mktemp("served"), PASSWORD) as (_, found):
        with WireClient(found, password=PASSWORD) as client:
            client.batch("CREATE DATABASE shop")
            client.batch("USE shop; CREATE QUEUE WireQueue; CREATE SERVICE Wire ON QUEUE WireQueue ([DEFAULT])")
        yield found


@pytest.fixture(scope="module", params=list(PROGRAMS))
def program(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if (reason := PROGRAMS[name].missing()) is not None:
        pytest.skip(f"{name}: {reason}")
    return name


@pytest.fixture(scope="module")
def said(program: str, port: int, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What the program has seen, by item: it runs once."""
    types: Path = tmp_path_factory.mktemp("types") / "types.tsv"
    types.write_text(type_lines(), encoding="utf-8")
    return PROGRAMS[program].run(str(port), PASSWORD, str(types), str(ROWS))


def test_versions(said: dict[str, str], record_property: Callable[[str, str], None]) -> None:
    """For the table."""
    assert said["version"]
    record_property("version", said["version"])


@pytest.mark.parametrize("item", list(EXPECTED))
def test_does(program: str, item: str, said: dict[str, str]) -> None:
    if (program, item) in UNABLE:
        assert item not in said
        pytest.skip(f"{program}: {UNABLE[program, item]}")
    assert said[item] == OWN.get((program, item), EXPECTED[item])
