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

import sbql
from sbql.engine.documents import json_rows
from sbql.engine.query import rowsets

ROUNDS = int(os.environ.get("OPENJSON_ROUNDS", "40"))
NUMBERS = ("0", "-0", "-0.0", "1", "-1", "7", "42", "255", "256", "1.5", "1.50", "-2.25", "0.1", "0.005", "1.005", "1.00499999999999999999", "1e5", "1E5", "1e-5", "0.00001", "15e-1", "1E400", "1e22", "100000000000000000000.0", "12345678901234567890", "123456789012345678901234567890", "999999999.999999", "9999999999.5", "1234567.891", "2147483647", "-2147483648", "2147483648", "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616", "20240229", "1.0", "1.10e+2", "0.1234567", "99999.995")  # fmt: skip
STRINGS = ("", " ", "x", "abc", "1", "-1", "+1", "5-", "--5", "-", "1-2", "007", "1.5", "1.50", "1.005", "-0", "0", "1e5", "1,5", "$1", " 7", "7 ", "true", "True", "false", "null", "2024-02-29", "2023-02-29", "2024-01-02 03:04:05", "2024-01-02T03:04:05.123", "2024-1-2", "20240102", "2024-02-30", "2024-02-29T24:00:00", "2024-02-29 23:59:60", "2024-02-29 23:59:59.999", "2024-02-29T23:59:59.995", "2024-02-29T01:02", "2024-02-29T01:02:03Z", "2024-02-29T01:02:03.1", "2024-02-29 01:02:03.1234567", "2024-02-29t01:02:03", "2024-02-29  01:02:03", "0000-01-01", "0001-01-01", "1752-12-31", "1753-01-01", "1753-01-01 00:00:00.001", "1753-01-02", "9999-12-30 23:59:59.999", "9999-12-31", "9999-12-31T23:59:59.999", "2024-13-01", "1899-12-31T00:00:00.001", "1582-10-10", "12:30", "[", "{", "[1, 2]", "{}", "NaN", "inf", ",]", "\u00e9", "\U0001d49c", "\U0010f123", "a/b", 'a"b', "a\\b", "a\nb", "\x00", "\x1f", "\\u00e9", "\\ud800", "x" * 60, "0E984A7C-0F4C-4D9A-8C3F-1C2D3E4F5A6B", "0e984a7c-0f4c-4d9a-8c3f-1c2d3e4f5a6b", "{0E984A7C-0F4C-4D9A-8C3F-1C2D3E4F5A6B}", "0E984A7C0F4C4D9A8C3F1C2D3E4F5A6B0000")  # fmt: skip
WRITTEN = (r'"\u0041"', r'"\u00e9"', r'"\ud835\udc9c"', r'"\ud800"', r'"\udbfc\udd23"', r'"x\u0000y"', r'"a\/b"', '"a/b"', r'"\\ud800"', '"\U0010f800"')  # fmt: skip
"""Strings as they stand."""
BROKEN = ("", " ", "{", "[", "5", '"x"', "null", "true", "[1,]", "[1 2]", '{"a":1,}', '{"a" 1}', "{a:1}", "[NaN]", '{"a":-inf}', "[nan]", '{"a":Infinity}', "[01]", "[1.]", "[+1]", "[.5]", "[tru]", "['a']", '["a\nb"]', '["\t"]', '["\\x"]', "[1]x", "[1]]", "\ufeff[1]", "\u00a0[1]", "[1]\x0b", "/**/[1]", "[" * 129 + "]" * 129, "[" * 200 + "]" * 200, '{"a":' * 130 + "1" + "}" * 130, "[" * 127 + "1" + "]" * 127)  # fmt: skip
NAMES = ("a", "b", "c", "A", "lines", "a b", "x.y", "\u00e9", "")

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


def spaced(choice: random.Random, text: str) -> str:
    return choice.choice(("", "", "", "", " ", "\n\t")) + text + choice.choice(("", "", "", "", " ", "\r\n"))


def value(choice: random.Random, depth: int, tame: float) -> str:
    """JSON, most of it as the columns want it if it is tame."""
    draw = choice.random()
    if draw < tame:
        return choice.choice(("1", "42", '"abc"', '"x"', "null", "7"))
    if depth < 4 and draw > 0.9:
        return container(choice, depth + 1, tame)
    kind = choice.randrange(5)
    if kind == 0:
        return choice.choice(("true", "false", "null"))
    if kind == 1:
        return choice.choice(NUMBERS)
    if kind == 2 and choice.random() < 0.3:
        return choice.choice(WRITTEN)
    return json.dumps(choice.choice(STRINGS), ensure_ascii=choice.random() < 0.3)


def container(choice: random.Random, depth: int, tame: float, *, of_objects: bool = False) -> str:
    count = choice.choice((0, 1, 1, 2, 2, 3, 5))

    def inner() -> str:
        if of_objects and choice.random() < 0.95:
            return members()
        return value(choice, depth, tame)

    def members() -> str:
        found = []
        for _ in range(choice.choice((0, 1, 2, 3, 4))):
            name = json.dumps(
                choice.choice(NAMES[:5] if choice.random() < 0.8 else NAMES), ensure_ascii=choice.random() < 0.3
            )
            name = r'"\u0061"' if choice.random() < 0.02 else name
            below = (
                container(choice, depth + 1, tame)
                if depth < 4 and choice.random() < 0.15
                else value(choice, depth, tame)
            )
            found.append(f"{spaced(choice, name)}:{spaced(choice, below)}")
        return "{" + ",".join(found) + "}"

    if of_objects or choice.random() < 0.5:
        return "[" + ",".join(spaced(choice, inner()) for _ in range(count)) + "]"
    return members()


def document(choice: random.Random) -> str | None:
    draw = choice.random()
    if draw < 0.03:
        return None
    if draw < 0.08:
        return choice.choice(BROKEN)
    tame = choice.choice((0.3, 0.8, 0.95, 1.0))
    text = container(choice, 0, tame, of_objects=choice.random() < 0.6)
    if choice.random() < 0.4:
        text = '{"lines":' + spaced(choice, text) + choice.choice(("", ',"lines":[1]', ',"c":"x"')) + "}"
    if choice.random() < 0.3:
        try:  # as DuckDB writes it, most often
            text = json.dumps(json.loads(text), separators=(",", ":"), ensure_ascii=False)
        except ValueError:
            pass
    if choice.random() < 0.03:  # something is missing
        place = choice.randrange(len(text) + 1)
        text = text[:place] + text[place + 1 :]
    return text if "\ud800" not in text else None


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


PIECES = ("[]", "{}", "[[]]", "[[[]]]", "[[[[]]]]", "[[[[1.50]]]]", "[[[1.50]]]", "[[[[[]]]]]", '{"a":{"a":{"a":{"a":1.0}}}}', '{"a":[{"a":[ 1e5]}]}', '["]", "[", "\\"]", 1.50]', '{"}":"{\\\\"}', "[ ]", "[1.0, 1.00]", '[{"a": 1.50}]')  # fmt: skip


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
