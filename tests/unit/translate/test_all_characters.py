"""Every character of 16 bits, between letters and alone: what DuckDB computes of it in a query is what Python does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from told import told

from sbql.catalog import function_errors
from sbql.engine.instance import Instance
from sbql.engine.scalars.function_registry import bind, lookup
from sbql.engine.session import Session
from sbql.grammar.types import SqlType, nvarchar
from sbql.grammar.values.codepage import encode_1252, to_1252
from sbql.grammar.values.collation import key_of, rule_of
from sbql.grammar.values.like import is_like, place_of

CODES = [code for code in range(1, 0x10000) if not 0xD800 <= code < 0xE000]
TEXTS = [*map(chr, CODES), *(f"a{chr(code)}B " for code in CODES)]
"""Alone it may be what is trimmed, or begin a text."""


@pytest.fixture(scope="module")
def characters() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    made = """
        SELECT value AS code INTO c FROM GENERATE_SERIES(1, 65535) WHERE value NOT BETWEEN 0xD800 AND 0xDFFF;
        CREATE TABLE t (place int NOT NULL, x nvarchar(4) NOT NULL);
        INSERT t SELECT code, NCHAR(code) FROM c;
        INSERT t SELECT code + 65536, CONCAT(N'a', NCHAR(code), N'B ') FROM c;
    """
    assert told(session, made) == []
    yield session
    instance.close()


def _function(name: str, *types: SqlType) -> Callable[..., Any]:
    spec = lookup(name)
    assert spec is not None
    return bind(spec, list(types), None).run


PATTERNS = ("%[0-9]%", "%[^a-z]%", "[a-z]%", "%[^ -~]", "%[а-я]%", "_[^äßł]_%", "%[Ͱ-࿿]%", "%b ")


def _like(pattern: str, collation: str | None = None) -> Callable[[str], Any]:
    return lambda text: int(is_like(text, pattern, None, collation, is_national=True))


def _place(pattern: str) -> Callable[[str], Any]:
    return lambda text: place_of(pattern, text, None, is_national=True) + 1


WHAT: dict[str, Callable[[str], Any]] = {
    "UPPER(x)": _function("UPPER", nvarchar(4)),
    "LOWER(x)": _function("LOWER", nvarchar(4)),
    "UNICODE(x)": lambda text: ord(text[0]),
    "CAST(x AS varchar(4))": to_1252,
    "CAST(x AS varchar(2))": lambda text: to_1252(text)[:2],
    "LEN(x)": lambda text: len(text.rstrip(" ")),
    "LEFT(x, 2)": lambda text: text[:2],
    **{f"IIF(x LIKE N'{p}', 1, 0)": _like(p) for p in PATTERNS},
    **{f"PATINDEX(N'{p}', x)": _place(p) for p in PATTERNS},
    "IIF(x COLLATE Latin1_General_CS_AS LIKE N'%[B-Z]%', 1, 0)": _like("%[B-Z]%", "Latin1_General_CS_AS"),
    "REVERSE(x)": lambda text: text[::-1],
    "ASCII(x)": lambda text: encode_1252(text)[0],
    "REPLACE(x, N'b', N'c')": _function("REPLACE", nvarchar(4), nvarchar(1), nvarchar(1)),
}


@pytest.mark.parametrize("expression", WHAT)
def test_of_every_character_duckdb_makes_what_python_makes(characters: Session, expression: str) -> None:
    outcome, *_ = characters.run(f"SELECT {expression} FROM t ORDER BY place")
    compute = WHAT[expression]
    if expression.startswith("REPLACE"):
        compute = lambda text: WHAT[expression](text, "b", "c")  # noqa: E731
    found = [row[0] for row in outcome.rows]
    assert len(found) == len(TEXTS)
    assert [(ascii(t), f) for t, f in zip(TEXTS, found, strict=True) if compute(t) != f] == []


COLLATIONS = (
    "SQL_Latin1_General_CP1_CI_AS",
    "Latin1_General_CS_AS",
    "Latin1_General_CI_AI",
    "Japanese_CI_AS_KS_WS",
    "Japanese_CS_AS_WS",
)


@pytest.mark.parametrize("collation", COLLATIONS)
def test_every_character_is_equal_in_groups_as_by_its_key(characters: Session, collation: str) -> None:
    key = key_of(rule_of(collation, True))
    outcome, *_ = characters.run(f"SELECT MIN(place), MAX(place), COUNT(*) FROM t GROUP BY x COLLATE {collation}")
    groups: dict[str, list[int]] = {}
    for place, text in zip([*CODES, *(code + 65536 for code in CODES)], TEXTS, strict=True):
        groups.setdefault(key(text), []).append(place)
    assert sorted(outcome.rows) == sorted((min(g), max(g), len(g)) for g in groups.values())


LANGUAGES = {
    "French": "Le cœur déçu mais l’âme plutôt naïve, Louÿs rêva de crapaüter en canoë",
    "German": "Zwölf Boxkämpfer jagten Viktor quer über den großen Sylter Deich",
    "Polish": "Pchnąć w tę łódź jeża lub ośm skrzyń fig",
    "Czech": "Příliš žluťoučký kůň úpěl ďábelské ódy",
    "Romanian": "Muzicologă în bej vând whisky și tequila, preț fix",
    "Turkish": "Pijamalı hasta yağız şoföre çabucak güvendi",
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία, ο σκύλος",
    "Russian": "Съешь же ещё этих мягких французских булок",
    "Ukrainian": "Жебракують філософи при ґанку церкви в Гадячі",
    "Hebrew": "דג סקרן שט בים מאוכזב ולפתע מצא לו חברה",
    "Arabic": "نص حكيم له سر قاطع وذو شأن عظيم مكتوب",
    "Hindi": "ऋषियों को सताने वाले दुष्ट राक्षसों के राजा",
    "Vietnamese": "Do bạch kim rất quý nên sẽ dùng để lắp vô xương",
    "Chinese": "視野無限廣，窗外有藍天".replace("，", "、"),
    "Korean": "키스의 고유조건은 입술끼리 만나야 하고",
    "signs": "“quoted” – it’s 5 € … → ★ ✓",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_of_many_languages_are_compared_without_python(
    characters: Session, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    words = [f"{word} {n}" for n, word in enumerate(LANGUAGES[language].split() * 20)]
    values = ", ".join(f"(N'{word.replace(chr(39), chr(39) * 2)}')" for word in words)
    assert told(characters, f"DROP TABLE IF EXISTS w; CREATE TABLE w (x nvarchar(40)); INSERT w VALUES {values}") == []
    calls: list[None] = []
    monkeypatch.setattr(function_errors, "checkpoint", lambda: calls.append(None))
    for query in (
        "SELECT COUNT(DISTINCT x) FROM w",
        "SELECT COUNT(*) FROM w WHERE x = N'abc'",
        "SELECT COUNT(*) FROM w WHERE x LIKE N'%qxz%'",
        "SELECT COUNT(*) FROM w AS a JOIN w AS b ON a.x = b.x",
    ):
        outcome, *_ = characters.run(query)
        assert outcome.rows == [(len(words) if "DISTINCT" in query or "JOIN" in query else 0,)]
    assert len(calls) <= len(words) // 20
