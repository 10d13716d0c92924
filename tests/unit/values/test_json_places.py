"""A value that is found without a tree stands where the tree says that it stands."""

from __future__ import annotations

import pytest

from sbql.grammar.errors import SqlError
from sbql.grammar.values.json_places import container, located
from sbql.grammar.values.json_text import JsonPath, find, parse_document, parse_json, parse_path

TEXTS = (
    '{"a":1,"b":"x y","c":{"a":[1,2],"b":null}}', '{"a": 1.50, "b" :\t"é", "c": {"b": "z"}}', ' [ 7 , {"a" : true} , [ ] ] ', "[]", "{}", '{"a":-0,"a":5}', '{"\\u0061":"\\n\\"","b":"\\ud83d"}',
    '{"a":"}","b":[{"a":"]"},{"b":1e5}]}', '{"a":1,}', "[1,]", '{"a":NaN}', "[Infinity]", "[1]x", "5", '"a"', "", " ", "nan", '["\t"]', "[1٣]", "[" * 130 + "]" * 130, "[" * 128 + "]" * 128,
    "[" + "[1]," * 300 + "[2]]", '{"a":' + "7" * 5000 + "}", '{"a":"' + "x" * 200_000 + '","b":[1]}', '{"a"', '{"a":[1}',
)  # fmt: skip
PATHS = (
    "$",
    "$.a",
    "$.b",
    "$.c.b",
    "$.c.a[1]",
    "$[0]",
    "$[1].a",
    "$[2]",
    "$.b[0].a",
    "$.b[1].b",
    "strict $.z",
    "strict $.a",
    "$.a.a",
    '$."a"',
)


@pytest.mark.parametrize("path", PATHS)
def test_a_place_is_that_of_the_tree(path: str) -> None:
    steps = parse_path(path)
    for text in TEXTS:
        assert _found(located, text, steps) == _found(lambda text, path: find(parse_document(text), path), text, steps)


def test_what_is_no_container_is_not_called_one() -> None:
    for text in TEXTS:
        try:
            known = parse_json(text).kind
        except SqlError:
            known = "none"
        assert container(text) in (None, known)


def _found(search: object, text: str, path: JsonPath) -> object:
    assert callable(search)
    try:
        value = search(text, path)
    except SqlError as error:
        return error.number, error.message
    return value and (value.kind, value.start, value.end)
