"""JSON as programs write it: DuckDB reads and changes it, and what it does is what the scalar evaluator does.

Documents come from a seed, in the layouts of several writers: without blanks, with one behind each comma and colon, in
lines; with escapes, numbers that end in zeros, names that are in strings, too."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

import native_sweep
import pytest
from native_sweep import Sweep

NAMES = ("a", "b", "price", "name", "ame", "unit_price", "A", "a b", "é")
TEXTS = (
    "", "x", "a,b", "a:b", 'q"q', 'say "name" now', 'x "price",', "C:\\d", "é", "1.50", "2024-01-01T10:00:00", "{", "[1, 2]", ", ", '":', "tab\t", "/", 'name","price":5',
)  # fmt: skip
NUMBERS = (0, 1, -1, 12.5, 1e10, -0.0, 123456789012, 0.1, 5, 1.0, 1e-7)
SEPARATORS = ((",", ":"), (", ", ": "), (", ", ":"), (",", ": "), (" , ", " : "), (",", " :"))
PATHS = (
    "$.a",
    "$.price",
    "$.name",
    "$.name.a",
    "$.a.b",
    "$.a[0]",
    "$.a[1].b",
    "$.b.price",
    "strict $.a",
    '$."a b"',
    "$.A",
)
CALLS = (
    "JSON_VALUE(a0, '{}')", "JSON_QUERY(a0, '{}')", "JSON_MODIFY(a0, '{}', 5)", "JSON_MODIFY(a0, '{}', 'z\"y')", "JSON_MODIFY(a0, '{}', NULL)", "JSON_MODIFY(a0, 'append {}', 7)",
)  # fmt: skip
USUAL = {
    "written by Python": '{"id": 5, "name": "Müller", "price": 12.50, "ok": true, "tags": ["a", 1.5], "at": {"x": 1, "y": [1, 2]}, "none": null}',
    "with escapes": '{"path": "C:\\\\dir", "url": "https:\\/\\/x.y", "name": "a \\"q\\" b", "price": 12.50, "tags": ["a"], "at": {"x": 1}}',
    "without blanks": '{"name":"Info","price":3.0,"tags":[1,2],"at":{"x":"a,b"}}',
}


def _value(seed: random.Random, depth: int) -> object:
    chance = seed.random()
    if depth > 2 or chance < 0.25:
        return seed.choice(TEXTS)
    if chance < 0.6:
        return seed.choice((*NUMBERS, True, False, None))
    if chance < 0.8:
        return [_value(seed, depth + 1) for _ in range(seed.randrange(4))]
    return {seed.choice(NAMES): _value(seed, depth + 1) for _ in range(seed.randrange(4))}


def _document(seed: random.Random) -> str:
    value = {seed.choice(NAMES): _value(seed, 0) for _ in range(seed.randrange(1, 6))}
    is_in_lines, is_ascii = seed.random() < 0.2, seed.random() < 0.8
    text = json.dumps(
        value, ensure_ascii=is_ascii, separators=seed.choice(SEPARATORS), indent=2 if is_in_lines else None
    )
    if seed.random() < 0.3:
        text = text.replace(".5,", ".50,").replace(".1}", ".100}")
    if seed.random() < 0.1:
        text = text.replace("/", "\\/")
    return text.replace("a", "\\u0061", 1) if seed.random() < 0.05 else text


@pytest.fixture(scope="module")
def documents() -> Iterator[Sweep]:
    seed = random.Random(14)
    made = {text for text in (_document(seed) for _ in range(300)) if len(text) <= 300}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(native_sweep.VALUES, "nvarchar(300)", sorted(made))
        found = Sweep()
        yield found
        found.close()


@pytest.mark.matrix
@pytest.mark.parametrize(
    "call", [c.format(p) for p in PATHS for c in CALLS if not (p.startswith("strict") and "append" in c)]
)
def test_documents_of_any_layout_are_what_scalars_make_of_them(documents: Sweep, call: str) -> None:
    assert list(documents.differences(call, ("nvarchar(300)",))) == []


@pytest.mark.parametrize("name", USUAL)
@pytest.mark.parametrize(
    "call",
    [c.format(p) for p in ("$.name", "$.price", "$.tags", "$.at") for c in CALLS if "append" not in c]
    + [CALLS[-1].format("$.tags")],
)
def test_usual_documents_need_no_python(documents: Sweep, name: str, call: str) -> None:
    document = USUAL[name].replace("'", "''")
    documents.run(
        f"DROP TABLE IF EXISTS dbo.u; CREATE TABLE dbo.u (a0 nvarchar(max)); INSERT dbo.u VALUES (N'{document}'), (NULL)"
    )
    assert documents.asked(f"SELECT {call} FROM dbo.u") == 0
