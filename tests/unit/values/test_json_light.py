"""What the scanner in C reads of JSON is what ours reads, and what it does not read is left to ours."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from sbql.engine.documents.json_rows import default_rows, with_rows
from sbql.grammar.errors import SqlError
from sbql.grammar.values import json_light
from sbql.grammar.values.json_light import UNREAD, read
from sbql.grammar.values.json_text import MAX_DEPTH, JsonPath, parse_path

SCALARS = (
    "1",
    "-0",
    "1.50",
    "1e3",
    "-12E-7",
    '"a"',
    '""',
    '"\\u00e9\\ud83d\\ude00"',
    '"\\ud83d"',
    '"a\\/b\\n\\"c"',
    '"日本"',
    "true",
    "false",
    "null",
    '"{[\\"}"',
)
ODD = ("NaN", "Infinity", "-Infinity", "01", "+1", "1.", ".5", "True", "'a'", '"\t"', '"\\x"', '"a', "{", "[1,]", '{"a":1,}', "{a:1}", '{"a" 1}', "[1 2]", "", "1x", "\x00", "\ufeff", "[1]x", "\u0661")  # fmt: skip
BLANKS = ("", "", "", " ", "\n\t ", "\r", "\x0b", "\xa0")
PATHS = (None, "$", "$.a", "$.b", "$[1]", "$.a.b", "$.a[0]", "strict $", "strict $.a", "$.*", '$."a b"', "lax $.b[1].a")
COLUMNS = tuple(
    (parse_path(path), as_json)
    for path, as_json in (("$.a", False), ("$.b", False), ("$.a.b", False), ("$[0]", False), ('$."a b"', False))
)

PIECES = (
    *COLUMNS,
    *((parse_path(path), True) for path in ("$", "$.a", "$.a.b", "$[1]", '$."a b"', "$.b[0].a")),
)
"""Some of the columns are pieces of the text."""


def made(rng: random.Random, depth: int) -> str:
    """A JSON text, mostly a right one."""
    kind = rng.randrange(10) if depth else 9

    def blank() -> str:
        return rng.choice(BLANKS[:6] if rng.random() < 0.98 else BLANKS)

    if kind < 4:
        members = [
            f'{blank()}"{rng.choice(["a", "b", "a b", "c"])}"{blank()}:{made(rng, depth - 1)}'
            for _ in range(rng.randrange(4))
        ]
        return f"{blank()}{{{','.join(members)}{blank()}}}{blank()}"
    if kind < 7:
        return f"{blank()}[{','.join(made(rng, depth - 1) for _ in range(rng.randrange(4)))}{blank()}]{blank()}"
    return blank() + rng.choice(SCALARS if rng.random() < 0.95 else ODD) + blank()


def outcome(function: Callable[..., object], *arguments: object) -> object:
    """The rows, or the number and text of the error."""
    try:
        return function(*arguments)
    except SqlError as error:
        return error.number, error.message


@pytest.mark.parametrize("seed", range(8))
def test_rows_are_those_of_our_own_scanner(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    texts = [made(rng, rng.randrange(5)) for _ in range(400)]

    def every() -> list[object]:
        shapes = (COLUMNS, PIECES)
        return [
            (outcome(default_rows, t, p), *(outcome(with_rows, t, p, columns) for columns in shapes))
            for t in texts
            for p in PATHS
        ]

    found = every()
    monkeypatch.setattr("sbql.engine.documents.json_rows.read", lambda text: UNREAD)
    assert found == every()
    assert sum(read(text) is not UNREAD for text in texts) > 50


@pytest.mark.parametrize(("opens", "closes"), [("[", "]"), ('{"a":', "}"), ('[{"a":', "}]")])
@pytest.mark.parametrize("depth", range(MAX_DEPTH // 2 - 2, MAX_DEPTH + 3))
def test_what_is_too_deep_is_refused_by_both(
    opens: str, closes: str, depth: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"{opens * depth}1{closes * depth}"
    found = outcome(with_rows, text, None, COLUMNS), outcome(with_rows, f"[{text}]", None, COLUMNS)
    monkeypatch.setattr("sbql.engine.documents.json_rows.read", lambda text: UNREAD)
    assert found == (outcome(with_rows, text, None, COLUMNS), outcome(with_rows, f"[{text}]", None, COLUMNS))


def test_a_long_object_is_read_by_our_own_which_can_be_cancelled() -> None:
    members = ",".join(f'"k{i}":{i}' for i in range(30_000))
    assert read(f"{{{members}}}") is UNREAD
    assert len(read(f"[{members.replace(':', ',')}]")) == 60_000


def test_elements_are_counted_between_checkpoints(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(json_light, "checkpoint", lambda: seen.append(1))
    read(f"[{','.join('1' * 2000)}]")
    assert len(seen) >= 4
    assert with_rows("[1]", None, ((JsonPath(()), False),)) == [("1",)]
