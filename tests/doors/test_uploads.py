"""Rows that a client uploads: what making them raises is the caller's error, not one of the connection."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("pyarrow", reason="a server needs pyarrow")

import pyarrow as pa
from pyarrow import flight

import sbql
from sbql.engine.server.client import Client, client_at
from sbql.grammar.errors import SqlError

SCHEMA = pa.schema([
    ("conversation_handle", pa.string()), ("conversation_key", pa.string()), ("message_type_name", pa.string()),
    ("message_body", pa.binary()), ("end_conversation", pa.bool_()),
])  # fmt: skip
ROW = pa.RecordBatch.from_arrays([pa.nulls(1, field.type) for field in SCHEMA], schema=SCHEMA)


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    path: Path = tmp_path_factory.mktemp("uploads") / "store.duckdb"
    with sbql.serve(str(path)) as server:
        yield client_at(server.endpoint.url, server.endpoint.token)


@pytest.mark.parametrize("before", [0, 1, 3])
@pytest.mark.parametrize(
    "error",
    [
        ValueError("mine"), OSError("mine"), KeyError("mine"), RuntimeError("mine"), TimeoutError("mine"), ConnectionResetError("mine"),
        UnicodeEncodeError("ascii", "ü", 0, 1, "mine"), pa.ArrowInvalid("mine"), flight.FlightUnavailableError("mine"), SqlError(87, "mine"),
    ],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_what_the_rows_raise_is_raised_as_it_is(client: Client, error: Exception, before: int) -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        for _ in range(before):
            yield ROW
        raise error

    with pytest.raises(type(error), match="mine"):
        client.write("sink.stage", {"writer": "w", "version": 1}, pa.RecordBatchReader.from_batches(SCHEMA, batches()))
    good = pa.RecordBatchReader.from_batches(SCHEMA, iter([ROW]))
    assert client.write("sink.stage", {"writer": "w", "version": 1}, good)["count"] == 1, "the connection goes on"
