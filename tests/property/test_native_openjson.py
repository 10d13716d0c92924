"""OPENJSON gives the same rows, and the same errors, whether DuckDB makes the list of a document or Python.

Random documents, with all that JSON may have in odd places, are read by their default schema and by columns of many
types and paths. What an instance without the native lists says is expected.
"""

from __future__ import annotations

import json
import os
import random
from collections.abc import Iterator
from typing import Any

import pytest
from json_documents import BROKEN, NAMES, NUMBERS, PIECES, STRINGS, WRITTEN, document, spaced

import sbql
from sbql.engine.documents import json_rows
from sbql.engine.query import rowsets

ROUNDS = int(os.environ.get("OPENJSON_ROUNDS", "40"))
TYPES = ("int", "bigint", "smallint", "tinyint", "bit", "decimal(10, 2)", "decimal(38, 10)", "decimal(5, 0)", "numeric(4, 4)", "money", "smallmoney", "float", "real", "varchar(5)", "varchar(max)", "nvarchar(4)", "nvarchar(max)", "char(3)", "nchar(3)", "date", "datetime", "datetime2", "datetime2(3)", "datetime2(0)", "datetime2(5)", "smalldatetime", "time", "datetimeoffset", "uniqueidentifier", "varbinary(8)")  # fmt: skip
GENTLE = ("nvarchar(max)", "varchar(max)", "nvarchar(4)", "varchar(3)", "nchar(3)")
"""Those that every text converts to."""
PATHS = (
    "$",
    "$.a",
    "$.b",
    "$.c",
    "$.A",
    "$.a.b",
    "$.a.a",
    "$.b[0]",
    "$.b[1].a",
    "$[0]",
    "$[1].a",
    '$."a b"',
    '$."x.y"',
    "lax $.c",
    "strict $.a",
    "$.\u00e9",
)
ROOTS = (None, None, None, "$", "$.lines", "$.lines", "$.a", "$[0]", "$.a.lines", "$.lines[1]", "strict $.lines", "lax $.lines", '$."a b"', "strict $")  # fmt: skip


def shape(choice: random.Random, gentle: float) -> str:
    """The source behind OPENJSON's document: a path, and columns or none."""
    root = choice.choice(ROOTS)
    path = "" if root is None else f", N'{root}'"
    if choice.random() < 0.2:
        return f"{path})"
    columns = []
    for i in range(choice.choice((1, 2, 3, 4))):
        way = choice.choice(PATHS)
        if choice.random() < 0.12:
            columns.append(f"c{i} nvarchar(max) N'{way}' AS JSON")
        else:
            columns.append(f"c{i} {choice.choice(GENTLE if choice.random() < gentle else TYPES)} N'{way}'")
    return f"{path}) WITH ({', '.join(columns)})"


OF_ONE = "SELECT j.* FROM (SELECT ? AS body) AS d CROSS APPLY OPENJSON(d.body"
"""Of a document in a row: those of variables are Python's."""


def outcome(cursor: Any, sql: str, *given: Any) -> Any:
    """The rows, or the number of the error and its text."""
    try:
        return [tuple(map(repr, row)) for row in cursor.execute(sql, given).fetchall()]
    except sbql.DatabaseError as error:
        return error.number, error.message


class Worlds:
    """Two instances, of which one has no native lists."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.cursors = [sbql.connect(autocommit=True).cursor() for _ in range(2)]
        for cursor in self.cursors:
            cursor.execute("CREATE TABLE documents (id int PRIMARY KEY, body nvarchar(max))")

    def both(self, sql: str, *given: Any) -> tuple[Any, Any]:
        native = outcome(self.cursors[0], sql, *given)
        with self.patch.context() as patch:
            patch.setattr(rowsets, "with_list", lambda path, columns: None)
            patch.setattr(rowsets, "default_list", lambda path, columns: None)
            return native, outcome(self.cursors[1], sql, *given)


@pytest.fixture(scope="module")
def worlds() -> Iterator[Worlds]:
    with pytest.MonkeyPatch.context() as patch:
        made = Worlds(patch)
        yield made
        for cursor in made.cursors:
            cursor.connection.close()


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_documents_at_random_have_the_same_rows_and_errors(worlds: Worlds, seed: int) -> None:
    choice = random.Random(seed)
    source = shape(choice, choice.choice((0.2, 0.9)))
    documents = [document(choice) for _ in range(40)]
    good = []
    for text in documents:
        found, expected = worlds.both(f"{OF_ONE}{source} AS j", text)
        assert found == expected, (text, source)
        if isinstance(expected, list):
            good.append(text)
    for cursor in worlds.cursors:
        cursor.execute("DELETE documents")
        cursor.executemany("INSERT documents VALUES (?, ?)", list(enumerate(good)))
    for join in ("CROSS", "OUTER"):
        found, expected = worlds.both(f"SELECT d.id, j.* FROM documents d {join} APPLY OPENJSON(d.body{source} AS j")
        assert isinstance(expected, list) or not good
        assert sorted(found) == sorted(expected), (source, good)
        for number in range(len(good)):  # the rows of a document are in its order
            own = [row for row in found if row[0] == repr(number)]
            assert own == [row for row in expected if row[0] == repr(number)], (source, good[number])
        named_columns_are_those_of_all(worlds, choice, join, source, found)


def named_columns_are_those_of_all(worlds: Worlds, choice: random.Random, join: str, source: str, rows: Any) -> None:
    """DuckDB makes only the columns that a query names."""
    names = ["[key]", "value", "[type]"] if "WITH" not in source else [f"c{i}" for i in range(source.count(" N'$"))]
    if not rows or len(rows[0]) != len(names) + 1:
        return
    for count in (0, 1, 2):
        chosen = choice.sample(range(len(names)), min(count, len(names)))
        items = "".join(f", {choice.choice(('', 'j.'))}{names[i]}" for i in chosen)
        found, expected = worlds.both(f"SELECT d.id{items} FROM documents d {join} APPLY OPENJSON(d.body{source} AS j")
        assert found == expected or sorted(found) == sorted(expected), (source, items)
        assert sorted(found) == sorted((row[0], *(row[i + 1] for i in chosen)) for row in rows), (source, items)


VALUES = (
    *NUMBERS,
    *(json.dumps(text, ensure_ascii=False) for text in STRINGS),
    *WRITTEN,
    "true",
    "null",
    "[1.50]",
    '{"a":1}',
)
TWINS = [f'{{"a":{text}}}' for text in VALUES], [f'{{"b": 1.50, "a": {text}}}' for text in VALUES]
"""Documents of one value: those that may stand as DuckDB writes them, and those that do not."""


@pytest.mark.parametrize("column", [*TYPES, "nvarchar(max) AS JSON"])
def test_each_value_alone_as_each_type(worlds: Worlds, column: str) -> None:
    what = column.replace(" AS", " '$.a' AS") if "AS" in column else f"{column} '$.a'"
    for texts in TWINS:
        for text in texts:
            found, expected = worlds.both(f"{OF_ONE}) WITH (a {what}) AS j", text)
            assert found == expected, text


@pytest.mark.parametrize("form", ["[{}]", '{{"a":{}}}', "[1, {}]"])
def test_each_value_alone_by_the_default_schema(worlds: Worlds, form: str) -> None:
    for text in VALUES:
        found, expected = worlds.both(f"{OF_ONE}) AS j", form.format(text))
        assert found == expected, text


@pytest.mark.parametrize("text", BROKEN)
def test_what_is_no_json_and_what_is_too_deep(worlds: Worlds, text: str) -> None:
    for source in (
        ")",
        ", '$.a')",
        ", '$[0]')",
        ") WITH (a int)",
        ") WITH (a nvarchar(9) '$[0]')",
        ", '$.a') WITH (a int)",
    ):
        found, expected = worlds.both(f"{OF_ONE}{source} AS j", text)
        assert found == expected, source


@pytest.mark.parametrize("seed", range(8))
def test_numbers_and_pieces_as_they_stand(worlds: Worlds, seed: int) -> None:
    """Of documents that do not stand as DuckDB writes them: with levels below that are too many for its expression."""
    choice = random.Random(seed)
    texts = []
    for _ in range(300):
        values = [
            choice.choice(choice.choice((NUMBERS, PIECES, WRITTEN, ("true", "false", "null", '"x"', '"[1.50"'))))
            for _ in range(choice.choice((1, 2, 3, 6)))
        ]
        if choice.random() < 0.5:
            names = [json.dumps(choice.choice((*NAMES, "[", "{", '"', "\\", "1.50", ","))) for _ in values]
            values = [f"{spaced(choice, name)}:{spaced(choice, v)}" for name, v in zip(names, values, strict=True)]
            texts.append(spaced(choice, "{" + ",".join(values) + "}"))
        else:
            texts.append(spaced(choice, "[" + ",".join(spaced(choice, v) for v in values) + "]"))
    for cursor in worlds.cursors:
        cursor.execute("DELETE documents")
        cursor.executemany("INSERT documents VALUES (?, ?)", list(enumerate(texts)))
    found, expected = worlds.both("SELECT d.id, j.* FROM documents d CROSS APPLY OPENJSON(d.body) AS j ORDER BY d.id")
    assert isinstance(expected, list)
    for number, text in enumerate(texts):
        own = repr(number)
        assert [row for row in found if row[0] == own] == [row for row in expected if row[0] == own], text


PLAIN = [
    json.dumps(
        {"lines": [{"sku": f"A{i}", "qty": i - 3, "price": 1.25 * i, "day": "2024-01-05", "tags": ["x", 5]}]},
        separators=(",", ":"),
    )
    for i in range(6)
]


@pytest.mark.parametrize(
    "source",
    [
        ", '$.lines') WITH (sku varchar(20) '$.sku', qty int '$.qty', price decimal(10, 2), day date, t nvarchar(9) '$.tags[0]')",
        ", 'strict $.lines')",
        ", '$.lines[0].tags')",
        ") WITH (first nvarchar(20) '$.lines[0].sku', price money '$.lines[0].price')",
    ],
)
def test_plain_documents_never_come_to_python(worlds: Worlds, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = [worlds.both(f"{OF_ONE}{source} AS j", text) for text in PLAIN]
    for name in ("with_rows", "default_rows"):
        monkeypatch.setattr(json_rows, name, _not_asked)
    for text, (found, other) in zip(PLAIN, expected, strict=True):
        assert found == other
        again = outcome(worlds.cursors[0], f"{OF_ONE}{source} AS j", text)
        assert again == other and again


def test_numbers_that_do_not_stand_as_duckdb_writes_them_never_come_to_python(
    worlds: Worlds, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = ('{"id": 1, "price": 1.50, "tags": ["a"], "at": {"x": [1e5]}}', '[1.50, 1e5, -0, 100.0, {"a": 2.0}]')
    expected = [worlds.both(f"{OF_ONE}) AS j", text)[1] for text in texts]
    monkeypatch.setattr(json_rows, "default_rows", _not_asked)
    for text, other in zip(texts, expected, strict=True):
        assert outcome(worlds.cursors[0], f"{OF_ONE}) AS j", text) == other


def _not_asked(*_: Any) -> Any:
    raise AssertionError("Python has been asked")
