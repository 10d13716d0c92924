"""The rules of comparison: what DuckDB computes by itself is what Python computes, and the order is that of ICU."""

from __future__ import annotations

import itertools
import unicodedata

import duckdb
import pytest
from letter_order import FILE, letter_order, levels

from sbql.engine.tables.comparison_keys import doubled_text, kept_text, plain_text
from sbql.grammar.types import SqlType, nvarchar, varchar
from sbql.grammar.values.collation import (
    DOUBLE,
    KEPT,
    PLAIN,
    WINDOWS,
    Rule,
    fold_function,
    key_function,
    key_of,
    order_of,
    rule_numbered,
    rule_of,
    sort_key_function,
)
from sbql.grammar.values.text_weights import EXPANSIONS, fold_table

NATIONAL = nvarchar(40)


def equal(one: str, other: str, sql_type: SqlType = NATIONAL) -> bool:
    key, order = key_function(sql_type), sort_key_function(sql_type)
    assert (key(one) == key(other)) == (order(one) == order(other)), "equality and order are one relation"
    return key(one) == key(other)


@pytest.mark.spec("TEXT-1")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("straße", "STRASSE"), ("Æ", "AE"), ("œuvre", "OEUVRE"), ("Þór", "THór"), ("２", "2"), ("Ａ", "a"), ("ア", "あ"), ("ｱ", "ア"), ("ｶﾞ", "が"), ("m²", "m2"),
        ("é", "e\u0301"), ("ﬁn", "FIN"), ("σ", "ς"), ("a ", "a"), ("a\u3000", "a"), ("Ĳ", "ij"),
    ],
)  # fmt: skip
def test_equal_under_the_default_collation(one: str, other: str) -> None:
    assert equal(one, other)


@pytest.mark.spec("TEXT-1")
@pytest.mark.parametrize(
    ("one", "other"), [("é", "e"), ("ø", "o"), ("đ", "d"), ("co-op", "coop"), ("O'Neil", "ONeil"), ("ı", "i"), (" a", "a"), ("が", "か")]
)  # fmt: skip
def test_different_under_the_default_collation(one: str, other: str) -> None:
    assert not equal(one, other)


@pytest.mark.spec("TEXT-2")
@pytest.mark.parametrize(
    ("collation", "one", "other", "same"),
    [
        ("Latin1_General_CI_AI", "Ø", "o", True), ("Latin1_General_CI_AI", "élan", "ELAN", True), ("Latin1_General_CS_AI", "é", "e", True),
        ("Latin1_General_CS_AI", "É", "e", False), ("Latin1_General_CS_AS", "A", "a", False), ("Latin1_General_CS_AS", "ß", "ss", True),
        ("Latin1_General_CI_AS_WS", "２", "2", False), ("Latin1_General_CI_AS_WS", "ア", "あ", True), ("Latin1_General_CI_AS_KS", "ア", "あ", False),
        ("Latin1_General_CI_AS_KS", "ｱ", "ア", True), ("Latin1_General_BIN2", "a", "A", False), ("Latin1_General_BIN2", "ß", "ss", False),
        ("Latin1_General_100_CI_AS_SC", "Æ", "ae", True),
    ],
)  # fmt: skip
def test_what_a_collation_ignores(collation: str, one: str, other: str, same: bool) -> None:
    assert equal(one, other, NATIONAL.with_collation(collation)) == same


@pytest.mark.spec("TEXT-3")
def test_code_page_text_has_its_own_rule_under_sql_collations() -> None:
    assert not equal("ß", "ss", varchar(9))
    assert not equal("Æ", "AE", varchar(9))
    assert equal("ß", "ss", varchar(9).with_collation("Latin1_General_CI_AS"))
    assert sorted(["con", "co-op"], key=sort_key_function(varchar(9))) == ["co-op", "con"]
    assert equal("É", "e", varchar(9).with_collation("SQL_Latin1_General_CP1_CI_AI"))


@pytest.mark.spec("TEXT-4")
def test_word_sort() -> None:
    words = [
        "coop",
        "O'Neil",
        "con",
        "OMalley",
        "co-op",
        "café",
        "cafe",
        "cafes",
        "Zebra",
        "_",
        "1",
        "ähnlich",
        "ж",
        "あ",
        "漢",
    ]
    assert sorted(words, key=sort_key_function(NATIONAL)) == [
        "_", "1", "ähnlich", "cafe", "café", "cafes", "con", "coop", "co-op", "OMalley", "O'Neil", "Zebra", "ж", "あ", "漢",
    ]  # fmt: skip


@pytest.mark.spec("TEXT-4")
def test_small_letters_come_before_capitals_where_case_counts() -> None:
    key = sort_key_function(NATIONAL.with_collation("Latin1_General_CS_AS"))
    assert sorted(["b", "A", "B", "a", "ab", "á"], key=key) == ["a", "A", "á", "ab", "b", "B"]


@pytest.mark.spec("TEXT-5")
def test_binary_order_is_that_of_units() -> None:
    key = sort_key_function(NATIONAL.with_collation("Latin1_General_BIN2"))
    assert sorted(["\uffee", "😀", "\ue000", "\ud83d", "z", "漢"], key=key) == [
        "z",
        "漢",
        "\ud83d",
        "😀",
        "\ue000",
        "\uffee",
    ]


@pytest.mark.parametrize(
    "rule", [Rule(WINDOWS, *flags) for flags in itertools.product((True, False), repeat=4)], ids=str
)
def test_what_is_equal_is_equal_in_order(rule: Rule) -> None:
    """Expansions, letters with marks, both kana and both widths, each beside what it may be equal to."""
    texts = [
        *EXPANSIONS,
        *EXPANSIONS.values(),
        *(text.upper() for text in EXPANSIONS.values()),
        *"aAàÀáあアｱ\uff21\uff411\uff11",
        "fi ",
        "\uff46\uff49",
        "\u00e9",
        "e\u0301",
    ]
    key, order = key_of(rule), order_of(rule)
    assert [(a, b) for a in texts for b in texts if (key(a) == key(b)) != (order(a) == order(b))] == []


def test_plain_characters_are_lower_case_to_duckdb_too() -> None:
    """What PLAIN promises of each character, alone and after another."""
    characters = [chr(code) for low, high in PLAIN for code in range(max(low, 1), high + 1)]
    texts = [*characters, *(f"S{c}x" for c in characters)]
    with duckdb.connect() as connection:
        rows = connection.execute(
            f"SELECT t, lower(t), {plain_text('t')} FROM (SELECT unnest(?) AS t)", [texts]
        ).fetchall()
    fold = fold_function(Rule(WINDOWS))
    assert len(rows) == len(texts)
    assert [t for t, lower, is_plain in rows if not is_plain or fold(t) != lower] == []


def test_characters_that_are_two_are_two_to_duckdb_too() -> None:
    letters = [*DOUBLE, *(c.upper() for c in DOUBLE if len(c.upper()) == 1), "a", "É", "ж"]
    texts = [a + b + c for a in letters for b in letters for c in letters]
    test, folded = doubled_text("t")
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT t, {folded}, {test} FROM (SELECT unnest(?) AS t)", [texts]).fetchall()
    fold = fold_function(Rule(WINDOWS))
    assert [t for t, found, is_so in rows if not is_so or fold(t) != found] == []


def test_characters_that_are_kept_are_that_to_duckdb_too() -> None:
    """Hiragana and supplementary characters: each alone, between others, and beside those that are two."""
    kept = [chr(code) for low, high in KEPT for code in range(low, high + 1, 1 if high < 0x20000 else 97)]
    doubles = (b + a + b for a in kept[::5] for b in (*DOUBLE, "Þ"))
    texts = [*kept, *(f"É{c}ー" for c in kept), *doubles]
    test, folded = kept_text("t")
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT t, {folded}, {test} FROM (SELECT unnest(?) AS t)", [texts]).fetchall()
    fold = fold_function(Rule(WINDOWS))
    assert [t for t, found, is_so in rows if not is_so or fold(t) != found] == []


def test_what_is_not_plain_is_told() -> None:
    odd = [c for c in map(chr, range(0x80, 0x3400)) if not any(low <= ord(c) <= high for low, high in PLAIN)]
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT t FROM (SELECT unnest(?) AS t) WHERE {plain_text('t')}", [odd]).fetchall()
    assert rows == []


def test_letter_order_is_that_of_icu() -> None:
    assert FILE.read_text("utf-8") == letter_order(), "python tests/letter_order.py writes it anew"


_UNLIKE = {"\u1d4c": "\u025c"}
"""Unicode decomposes this one to another letter than it shows."""


def test_what_is_equal_here_is_equal_to_icu() -> None:
    """But for the expansions, which are SQL Server's."""
    table = fold_table(True, False, True, True)
    folded = {
        chr(code): text
        for code, text in table.items()
        if code < 0x10000 and not set(text) - set(map(chr, range(0x3400)))
    }
    folded = {
        c: t
        for c, t in folded.items()
        if unicodedata.category(c) != "Cn" and not unicodedata.name(c, "").endswith("MARK")
    }
    weights = levels([*folded, *set(folded.values())])
    expanded = {c for c in folded if c in EXPANSIONS or any(e in unicodedata.normalize("NFKD", c) for e in EXPANSIONS)}
    assert {c: t for c, t in folded.items() if c not in expanded and weights[c] != weights[t]} == _UNLIKE


def test_rules_are_numbered() -> None:
    names = (
        None,
        "Latin1_General_BIN",
        "Latin1_General_CS_AI_KS_WS",
        "SQL_Latin1_General_CP1_CI_AI",
        "Japanese_90_CI_AS",
    )
    for rule in (rule_of(name, national) for name in names for national in (True, False)):
        assert rule_numbered(rule.number) == rule
