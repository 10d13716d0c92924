"""Rows that Python lists are the same however they pass to DuckDB: texts and whole numbers as one list of texts, or,
beside a column of another type, as a list for each column.

Random elements, with every end of each whole type, go through OPENJSON of a variable, of a column (CROSS and OUTER
APPLY) and through a function with a table variable. What is expected is made from the elements themselves.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest
from text_strings import strings

import sbql

WHOLE = {"tinyint": (0, 255), "smallint": (-(2**15), 2**15 - 1), "int": (-(2**31), 2**31 - 1), "bigint": (-(2**63), 2**63 - 1)}  # fmt: skip
TEXTS = ("", " ", "NULL", "null", "[]", "[1, 2]", "{}", "'", '"', "a,b", "\\", "\r\n\t", "\x00", "\x1f", "true", "0", "é", "𝒜", "\ud800", "\udc00x", "x" * 4000)  # fmt: skip
FLAT = "t nvarchar(max), " + ", ".join(f"{name[0]}{i} {name}" for i, name in enumerate(WHOLE))
NAMES = ["t", *(f"{name[0]}{i}" for i, name in enumerate(WHOLE))]
OTHERS = ("", ", o bit", ", o decimal(5, 2)", ", o date", ", o float")
"""What is read beside: all but the first pass as lists of their own."""


@pytest.fixture(scope="module")
def cursor() -> Iterator[Any]:
    with sbql.connect(autocommit=True) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE documents (id int PRIMARY KEY, body nvarchar(max))")
        for i, other in enumerate(OTHERS):
            cursor.execute(
                f"CREATE FUNCTION listed{i} (@x nvarchar(max)) RETURNS @r TABLE ({FLAT}{other}) AS BEGIN "
                f"INSERT @r SELECT * FROM OPENJSON(@x) WITH ({FLAT}{other}); RETURN END"
            )
        yield cursor


def element(choice: random.Random) -> tuple[Any, ...]:
    text = choice.choice((None, choice.choice(TEXTS), strings(choice.randrange(10**6), 1)[0]))
    whole = [
        choice.choice((None, low, high, 0 if low else 1, choice.randint(low, high))) for low, high in WHOLE.values()
    ]
    return (text, *whole)


def document(elements: list[tuple[Any, ...]]) -> str:
    return json.dumps([dict(zip(NAMES, values, strict=True)) for values in elements])


@pytest.mark.parametrize("other", OTHERS)
def test_rows_are_the_same_in_one_list_and_in_many(cursor: Any, other: str) -> None:
    choice = random.Random(7)
    made = [[element(choice) for _ in range(count)] for count in (0, 1, 2, 3, 40, 300, 5000)]
    shown = ", ".join(NAMES)
    cursor.execute("DELETE documents; INSERT documents VALUES (100, NULL)")
    for i, elements in enumerate(made):
        text = document(elements)
        found = cursor.execute(f"SELECT {shown} FROM OPENJSON(?) WITH ({FLAT}{other})", (text,)).fetchall()
        assert [tuple(row) for row in found] == elements
        cursor.execute("INSERT documents VALUES (?, ?)", (i, text))
    every = [(i, *values) for i, elements in enumerate(made) for values in elements]
    nothing = (None,) * len(NAMES)
    sources = f"OPENJSON(d.body) WITH ({FLAT}{other})", f"listed{OTHERS.index(other)}(d.body)"
    for source in sources:
        found = cursor.execute(f"SELECT d.id, {shown} FROM documents d CROSS APPLY {source} j").fetchall()
        assert sorted(map(repr, map(tuple, found))) == sorted(map(repr, every))
        found = cursor.execute(f"SELECT d.id, {shown} FROM documents d OUTER APPLY {source} j").fetchall()
        kept = [*every, (0, *nothing), (100, *nothing)]
        assert sorted(map(repr, map(tuple, found))) == sorted(map(repr, kept))


def test_the_default_schema_gives_keys_values_and_types_in_order(cursor: Any) -> None:
    choice = random.Random(8)
    values = [
        choice.choice((None, True, False, choice.choice(TEXTS), choice.randint(-(10**30), 10**30))) for _ in range(5000)
    ]
    found = cursor.execute("SELECT [key], value, type FROM OPENJSON(?)", (json.dumps(values),)).fetchall()
    assert [tuple(row) for row in found] == [(str(i), *_shown(value)) for i, value in enumerate(values)]


def _shown(value: Any) -> tuple[str | None, int]:
    if value is None:
        return None, 0
    if isinstance(value, bool):
        return str(value).lower(), 3
    return (value, 1) if isinstance(value, str) else (str(value), 2)
