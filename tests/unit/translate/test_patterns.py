"""Patterns that are regular expressions in DuckDB match what the matcher of
`grammar.values.like` matches, at the same place.

Random patterns over few characters meet random texts of them, as columns of a table, under collations of every rule.
What `is_like` and `place_of` say is the truth: they are tested against the reference by themselves. Texts beyond ASCII
are among them, which DuckDB's form has to leave to Python.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session
from sbql.grammar.values.like import is_like, place_of
from sbql.grammar.values.like_regex import ASCII_TEXT, CODE_PAGE_TEXT, PLAIN_TEXT, alphabet_for, regex_like

COLLATIONS = (
    "SQL_Latin1_General_CP1_CI_AS",
    "Latin1_General_CS_AS",
    "Latin1_General_CI_AI",
    "Latin1_General_BIN2",
    "Danish_Norwegian_CI_AS",
)
SIGNS = "aAbzZéß 0-_%%[[]]^\\'."
NATIONAL_SIGNS = SIGNS + "ąЖжя東"
TEXTS = "aAbBzZéÉäŸ ß0- _%[]^\\'.\n"
NATIONAL = TEXTS + "ąĄżЖжщσς東가́😀"


def texts(chance: random.Random, signs: str, count: int, most: int) -> list[str]:
    some = ["".join(chance.choices(signs, k=chance.randrange(most))) for _ in range(count)]
    return [re.sub(r"\\+\n", "\n", text) for text in some]  # in a literal a line would go on there


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open()
    yield instance.connect()
    instance.close()


def literal(text: str, national: bool) -> str:
    return ("N" if national else "") + "'" + text.replace("'", "''") + "'"


def asked(session: Session, text: str) -> list[tuple[object, ...]]:
    found: list[tuple[object, ...]] = []
    for outcome in session.run(text):
        assert not isinstance(outcome, ErrorOutcome), (outcome, text[-300:])
        if isinstance(outcome, ResultSet):
            found += [tuple(row) for row in outcome.rows]
    return found


@pytest.mark.parametrize("national", [True, False])
@pytest.mark.parametrize("collation", COLLATIONS)
def test_like_and_patindex_of_columns(session: Session, collation: str, national: bool) -> None:
    chance = random.Random(f"{collation} {national}")
    values = [*texts(chance, NATIONAL if national else TEXTS, 90, 7), *texts(chance, TEXTS[:4], 20, 6), ""]
    kind = f"{'n' if national else ''}varchar(40) COLLATE {collation}"
    rows = ", ".join(f"({i}, {literal(value, national)})" for i, value in enumerate(values))
    asked(
        session,
        f"DROP TABLE IF EXISTS p; CREATE TABLE p (i int, s {kind}); INSERT p VALUES {rows}; INSERT p VALUES (-1, NULL)",
    )
    patterns = [*texts(chance, SIGNS, 60, 8), *(texts(chance, NATIONAL_SIGNS, 60, 8) if national else [])]
    patterns += [
        "%[0-9]%",
        "[a-c]%",
        "%[^a-z]",
        "a_",
        "%a%b%",
        "[]",
        "[a",
        "%%a",
        "_",
        "%",
        "",
        "a%",
        "%z ",
        "[[]%",
        "%[^ ]%",
    ]
    found = {}
    for start in range(0, len(patterns), 15):
        some = patterns[start : start + 15]
        items = [
            f"IIF(s LIKE {literal(p, national)}, 1, 0), IIF(s LIKE {literal(p, national)} ESCAPE '\\', 1, 0), PATINDEX({literal(p, national)}, s)"
            for p in some
        ]
        for row in asked(session, f"SELECT i, {', '.join(items)} FROM p ORDER BY i"):
            found |= {(row[0], p): row[1 + 3 * n : 4 + 3 * n] for n, p in enumerate(some)}
    for (i, pattern), (like, escaped, place) in found.items():
        if i == -1:
            assert (like, escaped, place) == (0, 0, None)
            continue
        value = values[i]
        what = pattern, value
        assert like == is_like(value, pattern, None, collation, is_national=national), what
        assert escaped == is_like(value, pattern, "\\", collation, is_national=national), what
        assert place == place_of(pattern, value, collation, is_national=national) + 1, what


@pytest.mark.parametrize("kind", ["varchar(12)", "nvarchar(12)", "char(8)", "nchar(8)"])
@pytest.mark.parametrize("collation", COLLATIONS)
def test_like_with_the_pattern_of_the_row(session: Session, collation: str, kind: str) -> None:
    chance, national = random.Random(f"{collation} {kind}"), kind.startswith("n")
    values = dict.fromkeys([*texts(chance, NATIONAL if national else TEXTS, 40, 7), "a  ", " ", ""])
    patterns = dict.fromkeys(
        [*texts(chance, NATIONAL_SIGNS if national else SIGNS, 60, 6), "a%", "%b ", "_", "", "a\\b", "%\\", "a_ "]
    )
    for name, column, rows in (
        ("v", kind, values),
        ("p", "nvarchar(12)" if national else "varchar(12)", patterns),
    ):
        made = ", ".join(f"({i}, {literal(text, national)})" for i, text in enumerate(rows))
        asked(
            session,
            f"DROP TABLE IF EXISTS {name}; CREATE TABLE {name} (i int, s {column} COLLATE {collation}); INSERT {name} VALUES {made}",
        )
    kept, shapes = dict(asked(session, "SELECT i, s FROM v")), list(patterns)
    for i, j, found in asked(session, "SELECT v.i, p.i, IIF(v.s LIKE p.s, 1, 0) FROM v CROSS JOIN p"):
        what = kept[i], shapes[j]
        assert found == is_like(*what, None, collation, is_national=national), what


USUAL = "SQL_Latin1_General_CP1_CI_AS"


def test_most_patterns_need_no_python() -> None:
    for pattern in ("%m 1[0-4]%", "[a-z][0-9][0-9]", "a[^b]c%", "100[%]", "%[^a-zäöüß]%", "%[а-я]"):
        for national, wanted in ((False, CODE_PAGE_TEXT), (True, PLAIN_TEXT)):
            alphabet = alphabet_for(pattern, None, USUAL, is_national=national, is_wide=False)
            assert alphabet == wanted
            assert regex_like(pattern, None, USUAL, alphabet, is_national=national) is not None
    assert regex_like("a!%", "!", None, PLAIN_TEXT, is_national=True) is not None
    assert regex_like("x" * 300, None, None, ASCII_TEXT, is_national=True) is None
    assert alphabet_for("[0-9]%", None, "Latin1_General_CI_AI", is_national=True, is_wide=False) == ASCII_TEXT
    assert alphabet_for("[0-9]%", None, USUAL, is_national=False, is_wide=True) == ASCII_TEXT


@pytest.mark.parametrize("wanted", ["em", "E", "a.", "\\", "a\\b", "(", "é"])
@pytest.mark.parametrize("other", ["x", "\\1", "$1", "\\", ""])
def test_replace_of_letters_in_a_column(session: Session, wanted: str, other: str) -> None:
    """As over variables, where it is Python."""
    rows = ["Item EM eM em", "a.A.ab", "A\\b (e)", "\\\\", "", "É em", "ememem"]
    values = ", ".join(f"({i}, N'{row}')" for i, row in enumerate(rows))
    asked(session, f"DROP TABLE IF EXISTS r; CREATE TABLE r (i int, n nvarchar(max)); INSERT r VALUES {values}")
    found = asked(session, f"SELECT REPLACE(n, N'{wanted}', N'{other}') FROM r ORDER BY i")
    for row, (value,) in zip(rows, found, strict=True):
        assert asked(session, f"DECLARE @n nvarchar(max) = N'{row}'; SELECT REPLACE(@n, N'{wanted}', N'{other}')") == [
            (value,)
        ]
