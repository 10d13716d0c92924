"""Text is ordered alike by DuckDB's own functions, by keys of Python, and where both meet in one query."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.session import Session
from sbql.grammar.types import SqlType
from sbql.grammar.values.collation import (
    CODE_PAGE,
    WINDOWS,
    Rule,
    order_of,
    own_order,
    sort_key_function,
    variant_text_key,
)

RULES = [
    Rule(kind, case, accent, True, True)
    for kind in (CODE_PAGE, WINDOWS)
    for case in (True, False)
    for accent in (True, False)
]
POOLS = (
    "abzABZ019 ,./",
    "abyz-' +_@~",
    "aáàæßeéoœøöñÑ",
    "".join(map(chr, range(32, 127))),
    "aB \u0142\u20ac\u65e5\U0001f600",
)


def texts(seed: int, count: int, pools: tuple[str, ...] = POOLS) -> list[str]:
    rng = random.Random(seed)
    return ["".join(rng.choice(pool) for _ in range(rng.randrange(6))) for pool in pools for _ in range(count)]


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_text_of_own_characters_is_its_key(rule: Rule) -> None:
    own = own_order(rule)
    assert bool(own) == rule.case
    if own:
        assert set(" ,./0123456789abcdefghijklmnopqrstuvwxyz") <= set(own)
    for text in texts(1, 200):
        if own and text.isascii() and set(text.lower()) <= set(own):
            assert order_of(rule)(text) == text.lower().rstrip(" ")


@pytest.mark.parametrize(
    "collation", ["SQL_Latin1_General_CP1_CI_AS", "SQL_Latin1_General_CP1_CI_AI", "SQL_Latin1_General_CP1_CS_AS"]
)
def test_the_order_of_a_code_page_is_that_of_the_keys_that_the_store_keeps(collation: str) -> None:
    """In a sql_variant, where each character has one weight."""
    kind = SqlType("varchar", length=20, collation=collation)
    new, kept = sort_key_function(kind), variant_text_key(kind)
    found = [text for text in texts(2, 150) if ord(max(text, default="a")) < 0x3000]
    ordered = sorted(set(found), key=new)
    assert [kept(text) for text in ordered] == sorted(kept(text) for text in ordered)
    assert len({new(text) for text in found}) == len({kept(text) for text in found})


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open()
    yield instance.connect()
    instance.close()


TYPES = ("varchar(20)", "nvarchar(20)", "varchar(20) COLLATE Latin1_General_CI_AI", "varchar(20) COLLATE SQL_Latin1_General_CP1_CS_AS",
         "nvarchar(20) COLLATE Latin1_General_CS_AS")  # fmt: skip


@pytest.mark.parametrize("declared", TYPES)
def test_a_query_orders_text_as_python_does(session: Session, declared: str) -> None:
    name, _, collation = declared.partition(" COLLATE ")
    kind = SqlType(name.partition("(")[0], length=20, collation=collation or None)
    national = name.startswith("n")
    pools = POOLS if national else POOLS[:4]
    session.run(f"DROP TABLE IF EXISTS t; CREATE TABLE t (k int, x {declared}, y {declared})")
    found = texts(3, 60, pools)
    pairs = list(zip(found, reversed(found), strict=True))
    quoted = [tuple("N'" + text.replace("'", "''") + "'" for text in pair) for pair in pairs]
    for start in range(0, len(pairs), 100):
        rows = ", ".join(f"({start + n}, {x}, {y})" for n, (x, y) in enumerate(quoted[start : start + 100]))
        session.run(f"INSERT t VALUES {rows}")
    session.run("INSERT t VALUES (-1, NULL, NULL)")
    key = sort_key_function(kind)
    keys = [(key(x), key(y)) for x, y in pairs]
    by_order = sorted(range(len(pairs)), key=lambda k: (keys[k][0], k))
    assert [row[0] for row in session.run("SELECT k FROM t ORDER BY x, k")[0].rows] == [-1, *by_order]
    ((least, most),) = session.run("SELECT MIN(x), MAX(x) FROM t")[0].rows
    assert (key(least), key(most)) == (min(a for a, _ in keys), max(a for a, _ in keys))
    for sign, expected in (("<", lambda a, b: a < b), (">=", lambda a, b: a >= b), ("=", lambda a, b: a == b)):
        rows = session.run(f"SELECT k FROM t WHERE x {sign} y ORDER BY k")[0].rows
        assert [row[0] for row in rows] == [k for k, (a, b) in enumerate(keys) if expected(a, b)], sign
    between = session.run("SELECT k FROM t WHERE x BETWEEN 'b' AND 'b.z' ORDER BY k")[0].rows
    assert [row[0] for row in between] == [k for k, (a, _) in enumerate(keys) if key("b") <= a <= key("b.z")]
