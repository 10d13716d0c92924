"""CASE, IIF and CHOOSE of literals, whose keys are those of the literals: grouped, sorted and compared as the keys of
Python have it of what each row shows. And texts put together of columns that have no NULL until an outer join."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from sbql.engine.session import Session
from sbql.grammar.types import SqlType
from sbql.grammar.values.collation import key_function, sort_key_function
from tests.told import last_rows, prepared

WORDS = ("low", "Low", "high ", "high", "", " ", "a-b", "ab", "_x", "@", "Zürich", "ß", "ss", "10", "9", None)
COLLATIONS = (
    "SQL_Latin1_General_CP1_CI_AS", "SQL_Latin1_General_CP1_CS_AS", "Latin1_General_CI_AI", "Latin1_General_BIN2",
)  # fmt: skip
ROWS = range(40)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    table = "CREATE TABLE t (id int NOT NULL, n int, name varchar(10) NOT NULL, b nvarchar(10) NOT NULL)"
    with prepared("CREATE DATABASE shop", f"USE shop; {table}; CREATE TABLE o (id int NOT NULL)") as session:
        rows = ", ".join(f"({i}, {'NULL' if i % 13 == 12 else i % 5}, 'n{i % 3}', N'é{i % 2}')" for i in ROWS)
        assert last_rows(session, f"SET NOCOUNT ON; INSERT t VALUES {rows}; INSERT o VALUES (1), (2), (99)") is None
        yield session


def literal(word: str | None, sign: str) -> str:
    return "NULL" if word is None else sign + "'" + word.replace("'", "''") + "'"


def cases(seed: int, sign: str) -> Iterator[str]:
    """Expressions over n, of random words."""
    rng = random.Random(seed)
    for _ in range(6):
        a, b, c, d = (literal(word, sign) for word in rng.sample(WORDS, 4))
        if a == b == "NULL":
            continue
        yield f"CASE WHEN n < 2 THEN {a} WHEN n = 2 THEN {b} WHEN n = @v THEN {c} ELSE {d} END"
        yield f"CASE WHEN n = 1 THEN {sign}'x' WHEN n > @v - 1 THEN {b} END"
        yield f"IIF(n > 2, {a}, {sign}'Mid')"
        yield f"CHOOSE(n + 1, {a}, {sign}'C', {c})"


@pytest.mark.parametrize("collation", COLLATIONS)
@pytest.mark.parametrize("sign", ["", "N"])
def test_cases_of_literals(session: Session, collation: str, sign: str) -> None:
    kind = SqlType("nvarchar" if sign else "varchar", length=20, collation=collation)
    key, order = key_function(kind), sort_key_function(kind)
    for case in cases(len(collation), sign):
        value, start = f"{case} COLLATE {collation}", "DECLARE @v int = 3; "
        shown = dict(last_rows(session, f"{start}SELECT id, {case} FROM t"))
        keys = {i: None if text is None else key(text) for i, text in shown.items()}
        groups = last_rows(session, f"{start}SELECT {value}, COUNT(*) FROM t GROUP BY {value}")
        found = {None if text is None else key(text): count for text, count in groups}
        assert found == Counter(keys.values()) and len(found) == len(groups), case
        sets = last_rows(session, f"{start}SELECT {value}, COUNT(*) FROM t GROUP BY GROUPING SETS (({value}), ())")
        assert Counter(text is None or key(text) in found for text, _ in sets) == {True: len(groups) + 1}, case
        ((distinct,),) = last_rows(session, f"{start}SELECT COUNT(DISTINCT {value}) FROM t")
        assert distinct == len(found.keys() - {None}), case
        assert len(last_rows(session, f"{start}SELECT DISTINCT {value} FROM t")) == len(groups)
        in_turn = [i for (i,) in last_rows(session, f"{start}SELECT id FROM t ORDER BY {value} DESC, id")]
        ranks = sorted({order(text) for text in shown.values() if text is not None})
        place = {i: -1 if text is None else ranks.index(order(text)) for i, text in shown.items()}
        assert in_turn == sorted(shown, key=lambda i: (-place[i], i)), case
        for other in ("LOW", "high", "Ab", "a", "", "SS"):
            for op in ("=", "<", ">="):
                where = f"WHERE {value} {op} {literal(other, sign)}"
                given = {i for (i,) in last_rows(session, f"{start}SELECT id FROM t {where}")}
                holds = {
                    i for i, text in shown.items() if text is not None
                    and (key(text) == key(other) if op == "=" else (order(text) < order(other)) == (op == "<"))
                }  # fmt: skip
                assert given == holds, (case, op, other)
        pairs = f"{start}SELECT COUNT(*) FROM t JOIN (SELECT {value} AS x FROM t) AS u ON u.x = {value}"
        count = sum(number * number for known, number in found.items() if known is not None)
        assert last_rows(session, pairs) == [(count,)], case


CHAINS = {
    "t.name + ':' + t.b + '-' + t.name": lambda i: f"n{i % 3}:é{i % 2}-n{i % 3}",
    "t.name + CAST(t.id AS varchar(5)) + ' ' + ISNULL(t.b, 'none')": lambda i: f"n{i % 3}{i} é{i % 2}",
    "'<' + t.name + '>' + CAST(t.n AS varchar(3)) + '.'": lambda i: f"<n{i % 3}>{i % 5}.",
    "'@' + (t.name + t.b + t.name)": lambda i: f"@n{i % 3}é{i % 2}n{i % 3}",
}


@pytest.mark.parametrize("chain", CHAINS)
def test_texts_put_together(session: Session, chain: str) -> None:
    """A NULL makes the whole NULL: of an outer join, and of a group that is left out."""
    made = CHAINS[chain]
    found = dict(last_rows(session, f"SELECT o.id, {chain} FROM o LEFT JOIN t ON t.id = o.id"))
    assert found == {1: made(1), 2: made(2), 99: None}
    found = dict(last_rows(session, f"SELECT id, {chain} FROM t"))
    assert found == {i: None if i % 13 == 12 and "t.n " in chain else made(i) for i in ROWS}
    groups = last_rows(session, "SELECT name + '/' + b + '/' + name, COUNT(*) FROM t GROUP BY CUBE (name, b)")
    assert sum(text is None for text, _ in groups) == 6 and len(groups) == 12
    least = min(
        (made(i) for i in ROWS if i % 13 != 12 or "t.n " not in chain), key=sort_key_function(SqlType("nvarchar"))
    )
    assert last_rows(session, f"SELECT MIN({chain}) FROM t") == [(least,)]
