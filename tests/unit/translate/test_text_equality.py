"""A column of text beside a literal or a variable: equal and unequal as the keys of Python say, whatever the signs of
the constant mean to DuckDB's LIKE, by which it passes over parts of a table."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import pytest

from sbql.engine.session import Session
from sbql.grammar.types import SqlType
from sbql.grammar.values.collation import key_function
from tests.told import last_rows, prepared

COLUMNS = {
    "ci": SqlType("varchar", length=40, collation="SQL_Latin1_General_CP1_CI_AS"),
    "cs": SqlType("varchar", length=40, collation="SQL_Latin1_General_CP1_CS_AS"),
    "ai": SqlType("varchar", length=40, collation="SQL_Latin1_General_CP1_CI_AI"),
    "w": SqlType("varchar", length=40, collation="Latin1_General_CI_AS"),
    "b": SqlType("varchar", length=40, collation="Latin1_General_BIN2"),
    "n": SqlType("nvarchar", length=40, collation="SQL_Latin1_General_CP1_CI_AS"),
}
ALPHABET = "aAbBkK%_\\[ ]'-ÿŸšŠéÉßµ"


def texts(seed: int, count: int) -> list[str]:
    rng = random.Random(seed)
    found = ["", " ", "%", "_", "a%", "a_", "a\\%", "Ÿ", "ÿ", "K", "ab", "AB  "]
    return found + ["".join(rng.choices(ALPHABET, k=rng.randrange(1, 5))) for _ in range(count)]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    columns = ", ".join(f"{name} {t.name}(40) COLLATE {t.collation}" for name, t in COLUMNS.items())
    with prepared("CREATE DATABASE shop", f"USE shop; CREATE TABLE t (id int, {columns})") as session:
        rows = ", ".join(f"({i}{f', {quoted(text)}' * len(COLUMNS)})" for i, text in enumerate(texts(1, 200)))
        session.run(f"SET NOCOUNT ON; INSERT t VALUES {rows}, (999{', NULL' * len(COLUMNS)})")
        yield session


def quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


WAYS: dict[str, Callable[[str, str], str]] = {
    "literal": lambda column, text: f"SELECT id FROM t WHERE {column} = {quoted(text)}",
    "turned": lambda column, text: f"SELECT id FROM t WHERE {quoted(text)} = {column}",
    "variable": lambda column, text: f"DECLARE @v varchar(40) = {quoted(text)}; SELECT id FROM t WHERE {column} = @v",
    "selected": lambda column, text: f"SELECT id FROM t WHERE IIF({column} = {quoted(text)}, 1, 0) = 1",
    "in": lambda column, text: (
        f"DECLARE @v varchar(40) = {quoted(text)}; SELECT id FROM t WHERE {column} IN ('no', @v)"
    ),
    "not unequal": lambda column, text: f"SELECT id FROM t WHERE NOT {column} <> {quoted(text)}",
    "unequal": lambda column, text: f"SELECT id FROM t WHERE {column} <> {quoted(text)}",
    "unequal variable": lambda column, text: (
        f"DECLARE @v varchar(40) = {quoted(text)}; SELECT id FROM t WHERE {column} <> @v"
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("column", COLUMNS)
def test_column_and_constant(session: Session, column: str, way: str) -> None:
    key, known = key_function(COLUMNS[column]), texts(1, 200)
    for text in [*texts(1, 8), *texts(2, 8)]:
        given = text + "  " if len(text) % 2 else text
        found = sorted(i for (i,) in last_rows(session, WAYS[way](column, given)))
        differs = [key(one) != key(text) for one in known]
        assert found == [i for i, unlike in enumerate(differs) if unlike == way.startswith("unequal")], text


def test_of_a_null(session: Session) -> None:
    for column in COLUMNS:
        for sign in ("=", "<>"):
            assert last_rows(session, f"DECLARE @v varchar(40); SELECT id FROM t WHERE {column} {sign} @v") == []
        assert (999,) not in [tuple(row) for row in last_rows(session, f"SELECT id FROM t WHERE NOT {column} = 'a'")]


def test_of_many_rows_in_turn(session: Session) -> None:
    """More rows than DuckDB has in one part of a table, in the order of the column."""
    session.run(
        "CREATE TABLE Many (id int, code varchar(20)); INSERT Many SELECT value, CONCAT(CHAR(65 + value % 2 * 32), "
        "RIGHT(CONCAT('00000', value), 6), REPLICATE(' ', value % 3)) FROM GENERATE_SERIES(1, 300000)"
    )
    for id_ in (1, 2, 122_880, 122_881, 299_999, 300_000):
        for start in "aA":
            sql = f"DECLARE @v varchar(20) = '{start}{id_:06}'; SELECT id FROM Many WHERE code = @v"
            assert [tuple(row) for row in last_rows(session, sql)] == [(id_,)]
            sql = f"SELECT id FROM Many WHERE code LIKE '{start}{id_:06}%'"
            assert [tuple(row) for row in last_rows(session, sql)] == [(id_,)]
