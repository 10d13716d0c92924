"""The functions of JSON over documents at random: a query says what the scalar evaluator says.

Random documents, with all that JSON may have in odd places, are read by paths that the statement names and by paths of
the row. What the scalar evaluator says is expected: it has no native forms.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from json_documents import BROKEN, NUMBERS, PIECES, STRINGS, WRITTEN, document, spaced

import sbql

ROUNDS = int(os.environ.get("JSON_ROUNDS", "30"))
VALUES = 12
PATHS = ("$.a", "$.a", "$.b", "$.c", "$.A", "$.lines", "$.lines[0].a", "$.lines[1]", "$.a.b", "$.a.a", "$.b[0]", "$.b[1].a", "$[0]", "$[1].a", "$[1]", '$."a b"', '$."x.y"', "lax $.c", "strict $.a", "strict $.lines", "strict $[0]", "$.zz", "$.nan", "$.ba")  # fmt: skip
NEW = ("N'x'", "N'a/b\"'", "NULL", "7", "2.50", "JSON_QUERY(N'[1.50, {{}}]')", "CAST(1 AS bit)")
MANY_PATHS = [path for path in PATHS if '"' not in path]


def call(choice: random.Random) -> str:
    """A call over {0}, the document, and {1}, a path of the row, if it names it."""
    path = "{1}" if choice.random() < 0.25 else f"N'{choice.choice(PATHS)}'"
    draw = choice.random()
    if draw < 0.4:
        return f"JSON_VALUE({{0}}, {path})"
    if draw < 0.6:
        return f"JSON_QUERY({{0}}, {path})"
    if draw < 0.65:
        return choice.choice(
            ("JSON_QUERY({0})", "ISJSON({0})", "ISJSON({0}, VALUE)", "ISJSON({0}, ARRAY)", "ISJSON({0}, OBJECT)")
        )
    if draw < 0.72:
        return f"JSON_PATH_EXISTS({{0}}, {path})"
    if path != "{1}" and choice.random() < 0.3:
        path = path.replace("N'", "N'append ", 1)
    return f"JSON_MODIFY({{0}}, {path}, {choice.choice(NEW)})"


class World:
    def __init__(self) -> None:
        self.cursor = sbql.connect(autocommit=True).cursor()
        self.cursor.execute("CREATE TABLE documents (id int PRIMARY KEY, body nvarchar(max), way nvarchar(100))")

    def answer(self, sql: str, *given: Any) -> Any:
        """The values, or the number of the error and its text."""
        try:
            return [tuple(row) for row in self.cursor.execute(sql, given).fetchall()]
        except sbql.DatabaseError as error:
            return error.number, error.message

    def differences(self, text: str, documents: list[str | None], ways: list[str]) -> Iterator[Any]:
        """Where a query says something else than a variable: of the rows together, and of each that fails alone."""
        rows = list(zip(documents, ways, strict=True))
        wanted = [
            self.answer(
                f"DECLARE @t nvarchar(max) = ?, @p nvarchar(100) = ?, @r nvarchar(max); SET @r = {text.format('@t', '@p')}; SELECT @r",
                *row,
            )
            for row in rows
        ]
        self.cursor.execute("DELETE documents")
        self.cursor.executemany("INSERT documents VALUES (?, ?, ?)", [(i, *row) for i, row in enumerate(rows)])
        query = f"SELECT id, CAST({text.format('body', 'way')} AS nvarchar(max)) FROM documents WHERE id"
        good = [i for i, value in enumerate(wanted) if isinstance(value, list)]
        found = self.answer(f"{query} IN ({', '.join(map(str, [-1, *good]))}) ORDER BY id")
        expected = [(i, *wanted[i][0]) for i in good]
        if found != expected:
            assert isinstance(found, list), (text, found)
            yield from (
                (text, rows[i], value, one)
                for (i, value), one in zip(expected, found, strict=True)
                if (i, value) != one
            )
        for i in sorted(set(range(len(rows))) - set(good))[:12]:
            alone = self.answer(f"{query} = {i}")
            if alone != wanted[i]:
                yield text, rows[i], wanted[i], alone


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    made = World()
    yield made
    made.cursor.connection.close()


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_functions_of_documents_at_random(world: World, seed: int) -> None:
    choice = random.Random(seed)
    for _ in range(3):
        documents = [document(choice) for _ in range(60)]
        ways = [choice.choice(MANY_PATHS) for _ in documents]
        assert not list(world.differences(call(choice), documents, ways))


def _values(choice: random.Random) -> list[str]:
    """Each number, and some of the others."""
    quoted = [f'"{text}"' for text in STRINGS if '"' not in text and "\\" not in text and text.isprintable()]
    others = [*quoted, *WRITTEN, *PIECES]
    long = (f'"{"x" * 4000}"', f'"{"x" * 4001}"', "7" * 4000, f"0.{'1' * 3998}", f"0.{'1' * 3999}")
    return [*NUMBERS, *choice.sample(others, VALUES), "true", "null", choice.choice(long)]


AROUND = ('{{"a":{}}}', '{{"a": {} ,"b":1}}', '{{"b":"a","a":{},"c":2}}', '{{"b":{{"a":5.0}},"a":{}}}', '{{"a":{0},"b":{{"a":{0}}}}}', '{{"a":{0},"a":1.50}}', '{{"ba":2.0,"a":{}, "x":[1]}}', '{{"c":"\\n","a":{}}}', '[{{"a":{}}}]', '{{"b":{{"a":\n{}\t}}}}', '{{"b":[ {{"a":{}}}]}}', '{{"\\u0061":{}}}')  # fmt: skip
"""Documents of one value, at one of the paths: its name may stand in other places too, or end another name."""


@pytest.mark.matrix
@pytest.mark.parametrize("path", ["$.a", "strict $.a", "$[0].a", "$.b.a", "$.b[0].a", "$.b[0]"])
@pytest.mark.parametrize(
    "form",
    ["JSON_VALUE({{0}}, {})", "JSON_QUERY({{0}}, {})", "JSON_MODIFY({{0}}, {}, NULL)", "JSON_MODIFY({{0}}, {}, 2.50)"],
)
def test_each_value_in_each_place(world: World, path: str, form: str) -> None:
    choice = random.Random(f"{form} {path}")
    documents: list[str | None] = [around.format(value) for around in AROUND for value in _values(choice)]
    for way in (f"N'{path}'", "{1}"):
        assert not list(world.differences(form.format(way), documents, [path] * len(documents)))[:5]


@pytest.mark.parametrize("form", ["JSON_VALUE({0}, N'$.a')", "JSON_VALUE({0}, N'strict $[0]')", "JSON_QUERY({0}, N'$.a')", "JSON_QUERY({0})", "ISJSON({0})", "JSON_PATH_EXISTS({0}, N'$.a')", "JSON_MODIFY({0}, N'$.a', 1)", "JSON_VALUE({0}, {1})"])  # fmt: skip
def test_what_is_no_json_is_none_to_a_query(world: World, form: str) -> None:
    for text in BROKEN:
        assert not list(world.differences(form, [text], ["$.a"]))
    for word in ("nan", "inf", "infinity"):  # in every case
        for bits in range(1 << min(len(word), 4)):
            cased = "".join(sign.upper() if bits >> i & 1 else sign for i, sign in enumerate(word))
            for text in (f'{{"a":{cased}}}', f"[1, -{cased} ]", f'{{"a":1,"f":[{cased}]}}'):
                assert not list(world.differences(form, [text], ["$.a"]))
    choice = random.Random(0)
    for end in ("]", "}"):
        for _ in range(6):
            text = (
                ('[{"b":[1' if end == "]" else '{"a":{"c":1')
                + spaced(choice, ",")
                + end
                + ("}]" if end == "]" else "}")
            )
            assert not list(world.differences(form, [text], ["$.a"]))
