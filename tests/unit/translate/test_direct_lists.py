"""What STRING_SPLIT and GENERATE_SERIES list without DuckDB is what they list with it: rows, columns and errors of
statements at random."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from answers import asked, with_and_without

from sbql.engine.direct import form
from sbql.engine.instance import Instance
from sbql.engine.session import Session

TEXTS = ("''", "'a,b,c'", "N'1,2,,3 '", "NULL", "','", "N'éxÉXß'", "N'\U0001f600,\U0001f601'", "'no'", "N'日,本'", "'1;2;x'", "' a , b '", "REPLICATE(CAST('a,' AS varchar(max)), 2100)", "'1,2' + ',7'",
         "'aXbxc'")  # fmt: skip
SEPARATORS = ("','", "N','", "','", "';'", "'x'", "N'é'", "''", "', '", "@s", "NULL", "@none", "NCHAR(0xD83D)", "N'\U0001f600'", "' '")  # fmt: skip
FLAGS = ("", "", "", ", 1", ", 0", ", NULL", ", 2", ", @n", ", 1 - 0", ", CAST(1 AS bit)")
KINDS = ("varchar(20)", "nvarchar(20)", "nvarchar(max)", "varchar(max)", "char(8)", "nchar(8)", "varchar(20)")
NUMBERS = ("1", "10", "0", "-3", "@n", "@n + 2", "@null", "NULL", "@none", "300", "@b", "1.5", "CAST(5 AS tinyint)", "CAST(250 AS tinyint)")  # fmt: skip
STEPS = ("", "", "", ", 1", ", 2", ", -1", ", 0", ", @n", ", @null", ", NULL", ", -7", ", @b")
CONDITIONS = ("value > '1'", "value = 'a'", "value LIKE '[0-9]%'", "LEN(value) > 1", "TRY_CAST(value AS int) > 1", "CAST(value AS int) < 5", "value IS NOT NULL", "value IN (1, 2, 5)", "value % 2 = 0", "value + 1 > 1")  # fmt: skip
ITEMS = ("value", "*", "LEN(value)", "COUNT(*)", "MAX(value)", "MIN(value), COUNT(value)", "CAST(value AS int)", "value + 1", "value + 'x'", "DISTINCT value", "TRIM(value) AS v", "SUM(value)", "@n, value")  # fmt: skip
BEHIND = ("", "", "", " ORDER BY value", " ORDER BY value DESC", " ORDER BY 1")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect()
    instance.close()


def usually(chance: random.Random, first: tuple[str, ...], others: tuple[str, ...]) -> str:
    return chance.choice(first if chance.random() < 0.7 else others)


def statement(chance: random.Random) -> str:
    if chance.random() < 0.5:
        text = chance.choice((*TEXTS, "@t", "@t"))
        call = f"STRING_SPLIT({text}, {usually(chance, SEPARATORS[:4], SEPARATORS)}{usually(chance, FLAGS[:4], FLAGS)})"
    else:
        bounds = [usually(chance, NUMBERS[:6], NUMBERS) for _ in range(2)]
        call = f"GENERATE_SERIES({bounds[0]}, {bounds[1]}{usually(chance, STEPS[:6], STEPS)})"
    alias = usually(chance, ("", " AS l", " l"), (" AS l (value)", " AS l (v)", " AS l (value, o)"))
    where = f" WHERE {chance.choice(CONDITIONS)}" if chance.random() < 0.3 else ""
    items = usually(chance, ("value", "*"), ITEMS)
    top = chance.choice(("", "", "TOP (2) ")) if "(" not in items and "DIST" not in items else ""
    behind = "" if "(" in items and "CAST" not in items else chance.choice(BEHIND)
    return f"SELECT {top}{items} FROM {call}{alias}{where}{behind}"


@pytest.mark.matrix
@pytest.mark.parametrize("seed", range(15))
def test_statements_at_random(session: Session, seed: int) -> None:
    chance = random.Random(seed)
    answered: list[Any] = []
    for number in range(150):
        text = f"""DECLARE @t {chance.choice(KINDS)} = {chance.choice(TEXTS)}, @s nchar(1) = N',', @none varchar(5), @null int, @n int = {number % 5}, @b bigint = 7;
            {statement(chance)}"""
        here, there = with_and_without(session, text, form.Direct, answered)
        assert here == there, text
    assert sum(rows is not None for rows in answered) > 25


@pytest.mark.parametrize(
    ("source", "is_direct"),
    [
        ("STRING_SPLIT('a,b', ',')", True),
        ("STRING_SPLIT('a,b', ',', 1) AS l", True),
        ("STRING_SPLIT(@t, N';')", True),
        ("STRING_SPLIT(REPLICATE(@t, 2000), ';')", True),
        ("STRING_SPLIT(REPLICATE(@t, 2001), ';')", False),
        ("STRING_SPLIT(@t COLLATE Latin1_General_BIN2, ';')", False),
        ("GENERATE_SERIES(1, 10)", True),
        ("GENERATE_SERIES(@n, 256)", True),
        ("GENERATE_SERIES(@n, 257)", False),
        ("GENERATE_SERIES(512, @n, -2)", True),
        ("GENERATE_SERIES(1.0, 2.0, 0.5)", False),
        ("GENERATE_SERIES(2147483645, 2147483647)", True),
        ("GENERATE_SERIES(-2147483645, -2147483647)", True),
        ("GENERATE_SERIES(CAST(9223372036854775800 AS bigint), 9223372036854775807, CAST(5 AS bigint))", False),
        ("GENERATE_SERIES(@large, @large - 3)", True),
    ],
)
def test_which_calls_need_no_duckdb(session: Session, source: str, is_direct: bool) -> None:
    answered: list[Any] = []
    text = (
        f"DECLARE @t varchar(max) = 'a;', @n int = 1, @large bigint = 9223372036854775807; SELECT value FROM {source}"
    )
    here, there = with_and_without(session, text, form.Direct, answered)
    assert here == there
    assert [rows for rows in answered if rows is not None] != [] if is_direct else answered in ([], [None])


def test_rows_are_inserted_and_joined(session: Session) -> None:
    text = """DECLARE @t table (v int, w varchar(10)); INSERT @t SELECT value, 'x' FROM GENERATE_SERIES(1, 3)
        INSERT @t (w) SELECT value FROM STRING_SPLIT('p,q', ','); SELECT * FROM @t ORDER BY v, w
        SELECT t.v FROM @t AS t WHERE t.v IN (SELECT CAST(value AS int) FROM STRING_SPLIT('1,3', ',')) ORDER BY t.v"""
    first, second = (rows for rows, _ in asked(session, text))
    assert [(v, w) for (_, v), (_, w) in first] == [
        ("None", "'p'"), ("None", "'q'"), ("1", "'x'"), ("2", "'x'"), ("3", "'x'"),
    ]  # fmt: skip
    assert [v for ((_, v),) in second] == ["1", "3"]
