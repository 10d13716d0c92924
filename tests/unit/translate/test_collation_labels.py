"""Two texts of every pair of labels in every construct where texts meet, over columns and without a query.

What must come out follows from the table of the documentation ("Collation Precedence"), which is written down here once
more: `met` has the label of two that meet, `CONSTRUCTS` what each construct does where there is none.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, Outcome
from sbql.engine.session import Session

X, Y = "Latin1_General_CI_AS", "Latin1_General_CS_AS"

OPERANDS = {
    "literal": ("default", "", "{n}'a'"),
    "variable": ("default", "", "@{t}"),
    "function": ("default", "", "{char}(97)"),
    "implicit x": ("implicit", X, "{t}x"),
    "implicit y": ("implicit", Y, "{t}y"),
    "of a function": ("implicit", Y, "LEFT({t}y, 5)"),
    "explicit x": ("explicit", X, "{n}'a' COLLATE Latin1_General_CI_AS"),
    "explicit y": ("explicit", Y, "{t}x COLLATE Latin1_General_CS_AS"),
    "none": ("none", "", "CONCAT({t}x, {t}y)"),
}
"""Kinds of operands: label, collation, text for national and other text."""

CONSTRUCTS = {
    "=": ("compare", "SELECT COUNT(*) FROM t WHERE {0} = {1}"),
    "<>": ("compare", "SELECT COUNT(*) FROM t WHERE {0} <> {1}"),
    "<": ("compare", "SELECT COUNT(*) FROM t WHERE {0} < {1}"),
    "LIKE": ("compare", "SELECT COUNT(*) FROM t WHERE {0} LIKE {1}"),
    "IN": ("compare", "SELECT COUNT(*) FROM t WHERE {0} IN ({1}, {1}, {1})"),
    "IN (SELECT)": ("compare", "SELECT COUNT(*) FROM t WHERE {0} IN (SELECT {1} FROM t)"),
    "BETWEEN": ("compare", "SELECT COUNT(*) FROM t WHERE {0} BETWEEN {1} AND {1}"),
    "ANY": ("compare", "SELECT COUNT(*) FROM t WHERE {0} > ANY (SELECT {1} FROM t)"),
    "JOIN": ("compare", "SELECT COUNT(*) FROM (SELECT {0} AS l FROM t) AS p JOIN (SELECT {1} AS r FROM t) AS q ON p.l = q.r"),
    "CASE WHEN": ("compare", "SELECT COUNT(CASE {0} WHEN {1} THEN 1 END) FROM t"),
    "NULLIF": ("compare", "SELECT COUNT(*) FROM t WHERE NULLIF({0}, {1}) IS NULL"),
    "CHARINDEX": ("compare", "SELECT CHARINDEX({0}, {1}) FROM t"),
    "PATINDEX": ("compare", "SELECT PATINDEX({0}, {1}) FROM t"),
    "REPLACE": ("compare", "SELECT DATALENGTH(REPLACE({0}, {1}, 'b')) FROM t"),
    "REPLACE with": ("compare", "SELECT DATALENGTH(REPLACE({0}, 'b', {1})) FROM t"),
    "STUFF": ("compare", "SELECT DATALENGTH(STUFF({0}, 1, 0, {1})) FROM t"),
    "TRANSLATE": ("compare", "SELECT DATALENGTH(TRANSLATE({0}, {1}, 'b')) FROM t WHERE i = 2"),
    "DIFFERENCE": ("compare", "SELECT DIFFERENCE({0}, {1}) FROM t"),
    "GREATEST": ("compare", "SELECT DATALENGTH(GREATEST({0}, {1})) FROM t"),
    "UNION": ("set", "SELECT COUNT(*) FROM (SELECT {0} AS c FROM t UNION SELECT {1} FROM t) AS d"),
    "INTERSECT": ("set", "SELECT COUNT(*) FROM (SELECT {0} AS c FROM t INTERSECT SELECT {1} FROM t) AS d"),
    "EXCEPT": ("set", "SELECT COUNT(*) FROM (SELECT {0} AS c FROM t EXCEPT SELECT {1} FROM t) AS d"),
    "+": ("make", "SELECT {0} + {1} FROM t"),
    "CASE": ("make", "SELECT CASE WHEN i = 1 THEN {0} ELSE {1} END FROM t"),
    "IIF": ("make", "SELECT IIF(i = 1, {0}, {1}) FROM t"),
    "COALESCE": ("make", "SELECT COALESCE({0}, {1}) FROM t"),
    "CHOOSE": ("make", "SELECT CHOOSE(i, {0}, {1}) FROM t"),
    "UNION ALL": ("make", "SELECT {0} FROM t UNION ALL SELECT {1} FROM t"),
    "CONCAT": ("mark", "SELECT CONCAT({0}, {1}) FROM t"),
    "CONCAT_WS": ("mark", "SELECT CONCAT_WS('', {0}, {1}) FROM t"),
    "ORDER BY": ("make", "SELECT i FROM t ORDER BY IIF(i = 1, {0}, {1})"),
    "GROUP BY": ("make", "SELECT COUNT(*) FROM t GROUP BY IIF(i = 1, {0}, {1})"),
    "COUNT of +": ("inside", "SELECT COUNT({0} + {1}) FROM t"),
    "LEN of +": ("looked into", "SELECT LEN({0} + {1}) FROM t"),
    "MAX of +": ("looked into", "SELECT COUNT(m) FROM (SELECT MAX({0} + {1}) AS m FROM t) AS d"),
    "ISNULL": ("first", "SELECT DATALENGTH(ISNULL({0}, {1})) FROM t"),
}  # fmt: skip
"""What a construct does where texts have no common collation: it compares, as a set operator too; it makes a value; it
marks what it makes (CONCAT); what it makes stays inside of the query, or is looked into; or the first one's counts."""


def met(one: tuple[str, str], other: tuple[str, str]) -> tuple[str, str]:
    """The table: the label of two that meet, or ("error", "")."""
    order = ("default", "implicit", "none", "explicit")
    if one[0] != other[0]:
        return max(one, other, key=lambda label: order.index(label[0]))
    if one == other:
        return one
    return ("none", "") if one[0] == "implicit" else ("error", "")


def expected(what: str, one: tuple[str, str], other: tuple[str, str], national: bool) -> int:
    """The number of the error; 0 for none."""
    if what == "first":
        return 456 if (one[0], other[0]) != ("none", "none") and other[0] == "none" and not national else 0
    label = met(one, other)[0]
    if label == "error":
        return 468
    if label != "none":
        return 0
    was_none = "none" in (one[0], other[0])
    if what == "compare":
        return 4191 if was_none else 468
    if what == "set":
        return 5335 if was_none else 468
    if what == "mark" or national:
        return {"looked into": 4191, "inside": 0}.get(what, 451)
    return 456 if was_none else 457


STRIDE = int(os.environ.get("LABEL_STRIDE", "13"))
"""A usual run takes every thirteenth pair, other ones for each construct; `make labels` all."""
PAIRS = list(product(OPERANDS, OPERANDS))
TABLE = (
    f"CREATE TABLE t (i int, nx nvarchar(5) COLLATE {X}, ny nvarchar(5) COLLATE {Y}, vx varchar(5) COLLATE {X}, vy varchar(5) COLLATE {Y});"
    " INSERT t VALUES (1, N'a', N'a', 'a', 'a')"
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    assert not error_of(opened, TABLE)
    yield opened
    instance.close()


def operand(name: str, national: bool) -> str:
    text = OPERANDS[name][2]
    return text.format(t="n" if national else "v", n="N" if national else "", char="NCHAR" if national else "CHAR")


@pytest.mark.spec("TEXT-12", "TEXT-14", "TEXT-15", "TEXT-16")
@pytest.mark.parametrize("national", [True, False], ids=["nvarchar", "varchar"])
@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_every_pair_of_labels_in_every_construct(session: Session, construct: str, national: bool) -> None:
    what, text = CONSTRUCTS[construct]
    wrong = []
    for one, other in PAIRS[(list(CONSTRUCTS).index(construct) * 2 + national) % STRIDE :: STRIDE]:
        (label, name, _), (second, collation, _) = OPERANDS[one], OPERANDS[other]
        wanted = expected(what, (label, name), (second, collation), national)
        got = error_of(session, text.format(operand(one, national), operand(other, national)))
        if got != wanted:
            wrong.append(f"{one} and {other}: {got}, not {wanted}")
    assert not wrong, "\n".join(wrong)


def error_of(session: Session, query: str) -> int:
    found: list[Outcome] = []
    session.instance.driver.run(
        session.execute(f"DECLARE @n nvarchar(5) = N'a', @v varchar(5) = 'a'; {query}", found.append)
    )
    return next((outcome.error.number for outcome in found if isinstance(outcome, ErrorOutcome)), 0)


SCALARS = ["'a'", "@v", f"'a' COLLATE {X}", f"@v COLLATE {X}", f"UPPER('a' COLLATE {Y})", f"('a' + @v) COLLATE {Y}"]


@pytest.mark.spec("TEXT-12")
@pytest.mark.parametrize(
    "text",
    [
        "IF {0} = {1} SET @n = 1", "IF {0} LIKE {1} SET @n = 1", "IF {0} IN ({1}, 'b') SET @n = 1", "SET @n = {0} + {1}", "SET @n = REPLACE({0}, {1}, '')",
        "SET @n = CHARINDEX({0}, {1})", "SET @n = CONCAT({0}, {1})", "SET @n = COALESCE({0}, {1})", "SET @n = IIF(1 = 1, {0}, {1})",
        "SET @n = CASE {0} WHEN {1} THEN 1 END", "SET @n = CASE WHEN @n = '' THEN {0} ELSE {1} END", "SET @n = CHOOSE(1, {0}, {1})", "SET @n = STUFF({0}, 1, 0, {1})",
        "SET @n = NULLIF({0}, {1})", "SET @n = GREATEST({0}, {1})",
    ],
)  # fmt: skip
def test_two_clauses_that_differ_without_a_query(session: Session, text: str) -> None:
    for one in SCALARS:
        for other in SCALARS:
            wanted = 468 if {X, Y} <= {c for c in (X, Y) if c in one or c in other} else 0
            assert error_of(session, text.format(one, other)) == wanted, (one, other)
