"""STRING_SPLIT and GENERATE_SERIES: what DuckDB makes is what our own functions list,
for text and numbers of every kind.

A literal separator may go to DuckDB, one in a variable never does; a series whose bounds are columns
of a neighbour is listed by Python.
"""

from __future__ import annotations

import random

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.engine.session import Session

LETTERS = [
    "a",
    "B",
    "é",
    "ß",
    "æ",
    "'",
    "-",
    ",",
    ";",
    " ",
    ".",
    "|",
    "，",
    "；",
    "カ",
    "か",
    "ｶ",
    "̈",
    "😀",
    "­",
    "İ",
    "‐",
]
SEPARATORS = [",", ";", " ", "|", "-", "'", "a", "b", ".", "，", "s"]
COLLATIONS = [
    "Latin1_General_CI_AS",
    "SQL_Latin1_General_CP1_CI_AS",
    "Latin1_General_BIN2",
    "Latin1_General_100_CS_AI",
    "Latin1_General_100_CI_AS_KS_WS",
    "Latin1_General_100_CI_AI_SC_UTF8",
]


def rows(session: Session, text: str) -> list[tuple[object, ...]]:
    outcomes = session.run(text)
    return [tuple(row) for outcome in outcomes if isinstance(outcome, ResultSet) for row in outcome.rows]


@pytest.fixture(scope="module")
def session() -> Session:
    return Instance.open(None, clock="virtual").connect()


@pytest.mark.parametrize("collation", COLLATIONS)
@pytest.mark.parametrize("kind", ["varchar", "nvarchar"])
def test_a_separator_of_the_text_splits_as_one_of_a_variable(session: Session, collation: str, kind: str) -> None:
    chance = random.Random(f"{collation} {kind}")
    for separator in SEPARATORS:
        text = "".join(chance.choice(LETTERS) for _ in range(chance.randrange(40))).replace("'", "''")
        mark = separator.replace("'", "''")
        given = f"DECLARE @t {kind}(200) = N'{text}', @s nvarchar(1) = N'{mark}';"
        for form in (
            "STRING_SPLIT(@t COLLATE {0}, {1}, 1)",
            "(VALUES (1)) AS v (i) OUTER APPLY STRING_SPLIT(@t COLLATE {0}, {1}, 1)",
        ):
            own, native = (
                rows(session, f"{given} SELECT value, ordinal FROM {form.format(collation, s)}")
                for s in ("@s", f"N'{mark}'")
            )
            assert native == own, (text, separator)
            assert own, "a text has a part"


@pytest.mark.parametrize("target", ["tinyint", "smallint", "int", "bigint"])
def test_a_series_of_known_bounds_is_that_of_a_neighbours_columns(session: Session, target: str) -> None:
    top = {"tinyint": 255, "smallint": 32767, "int": 2147483647, "bigint": 9223372036854775807}[target]
    low = 0 if target == "tinyint" else -top - 1
    chance = random.Random(target)
    for _ in range(12):
        start = chance.choice([low, top, 5, chance.randint(low, top)])
        stop = min(top, max(low, start + chance.randint(-20, 20)))
        step = chance.choice(["", ", 3", ", -2", ", NULL"])
        bounds = f"@a {target} = {start}, @b {target} = {stop}"
        given = step and f", CAST({step[2:]} AS {target})" if target != "tinyint" or "-" not in step else ""
        native = rows(session, f"DECLARE {bounds}; SELECT value FROM GENERATE_SERIES(@a, @b{given})")
        own = rows(
            session,
            f"DECLARE {bounds}; SELECT g.value FROM (VALUES (@a, @b)) AS v (a, b) CROSS APPLY GENERATE_SERIES(v.a, v.b{given}) AS g",
        )
        assert native == own, (start, stop, given)


@pytest.mark.parametrize("arguments", ["CAST(NULL AS int), 3", "1, NULL", "1, 3, NULL"])
def test_a_series_of_null_is_empty_and_under_outer_apply_a_row(session: Session, arguments: str) -> None:
    assert rows(session, f"SELECT value FROM GENERATE_SERIES({arguments})") == []
    applied = f"SELECT v.i, g.value FROM (VALUES (1)) AS v (i) OUTER APPLY GENERATE_SERIES({arguments}) AS g"
    assert rows(session, applied) == [(1, None)]


def test_collations_of_one_rule_split_each_its_own_form(session: Session) -> None:
    """Text of a code page and UTF-8 are stored in two forms; what is registered for
    the one is not used for the other."""
    for collation in ("Latin1_General_100_CI_AS", "Latin1_General_100_CI_AS_SC_UTF8", "Latin1_General_100_CI_AS"):
        text = "😀x日😀" if collation.endswith("UTF8") else "éxÉ"
        given = f"DECLARE @t TABLE (v varchar(40) COLLATE {collation}); INSERT @t VALUES (N'{text}');"
        parts = text.split("x")
        found = rows(session, f"{given} SELECT s.value FROM @t AS t CROSS APPLY STRING_SPLIT(t.v, 'X') AS s")
        assert found == [(part,) for part in parts]
        shown = rows(session, f"{given} SELECT t.v AS [text()] FROM @t AS t FOR XML PATH('')")
        assert shown == [(text,)]


def test_a_text_of_null_has_no_part_and_under_outer_apply_a_row(session: Session) -> None:
    for columns in ("s.value", "s.value, s.ordinal"):
        ordinal = ", 1" if "ordinal" in columns else ""
        split = f"STRING_SPLIT(CAST(NULL AS varchar(9)), ','{ordinal}) AS s"
        assert rows(session, f"SELECT {columns} FROM {split}") == []
        width = columns.count(",") + 1
        assert rows(session, f"SELECT {columns} FROM (VALUES (1)) AS v (i) OUTER APPLY {split}") == [(None,) * width]
    assert rows(session, "SELECT value FROM STRING_SPLIT('', ',')") == [("",)]
