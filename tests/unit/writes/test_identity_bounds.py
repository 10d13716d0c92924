"""Seed and increment of an identity column stand in its type, wherever a column is described."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import sbql

TYPES = {
    "tinyint": (0, 255),
    "smallint": (-32768, 32767),
    "int": (-2147483648, 2147483647),
    "bigint": (-(2**63), 2**63 - 1),
    "decimal(5, 0)": (-99999, 99999),
}
STATEMENTS = {
    "CREATE TABLE": "CREATE TABLE t (a {type} IDENTITY ({seed}, {step})); DROP TABLE t",
    "CREATE TABLE #t": "CREATE TABLE #t (a {type} IDENTITY ({seed}, {step})); DROP TABLE #t",
    "ALTER TABLE": "CREATE TABLE t (b int); ALTER TABLE t ADD a {type} IDENTITY ({seed}, {step}); DROP TABLE t",
    "CREATE TYPE": "CREATE TYPE y AS TABLE (a {type} IDENTITY ({seed}, {step})); DROP TYPE y",
    "DECLARE": "DECLARE @t TABLE (a {type} IDENTITY ({seed}, {step}))",
    "SELECT INTO": "SELECT 1 AS b, IDENTITY ({type}, {seed}, {step}) AS a INTO t; DROP TABLE t",
}


@pytest.fixture(scope="module")
def connection() -> Iterator[Any]:
    with sbql.connect() as made:
        made.execute("CREATE DATABASE bounds; USE bounds")
        yield made


@pytest.mark.parametrize("text", STATEMENTS.values(), ids=STATEMENTS)
@pytest.mark.parametrize("name", TYPES)
def test_seed_and_increment_are_values_of_the_type(connection: Any, text: str, name: str) -> None:
    low, high = TYPES[name]
    right = [(low, 1), (high, -1), (high, high), (low, -high)]
    wrong = [
        (low - 1, 1, 2752),
        (high + 1, 1, 2752),
        (9 * 10**60, 1, 2752),
        (1, 0, 2753),
        (1, high + 2, 2753),
        (1, -(10**60), 2753),
    ]
    for seed, step in right:
        connection.execute(text.format(type=name, seed=seed, step=step))
    for seed, step, number in wrong:
        with pytest.raises(sbql.Error) as caught:
            connection.execute(text.format(type=name, seed=seed, step=step))
        assert caught.value.number == number, (seed, step)
        connection.execute("DROP TABLE IF EXISTS t")
