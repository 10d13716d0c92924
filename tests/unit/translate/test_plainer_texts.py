"""Comparisons of UPPER, LOWER and RTRIM, which look at the text inside where neither case nor blanks at the end count:
each as the keys and the matcher of Python have it, of what the function makes of the text."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sbql.engine.scalars.function_registry import bind, lookup
from sbql.engine.session import Session
from sbql.grammar.types import SqlType
from sbql.grammar.values.collation import key_function, key_of, order_of, rule_of, sort_key_function
from sbql.grammar.values.kinds import is_national
from sbql.grammar.values.like import is_like
from tests.told import last_rows, prepared

COLUMNS = {
    "ci": SqlType("varchar", length=40, collation="SQL_Latin1_General_CP1_CI_AS"),
    "cs": SqlType("varchar", length=40, collation="SQL_Latin1_General_CP1_CS_AS"),
    "ai": SqlType("varchar", length=40, collation="Latin1_General_CI_AI"),
    "bin": SqlType("varchar", length=40, collation="Latin1_General_BIN2"),
    "padded": SqlType("char", length=9, collation="SQL_Latin1_General_CP1_CI_AS"),
    "utf": SqlType("varchar", length=60, collation="Latin1_General_100_CI_AS_SC_UTF8"),
    "n": SqlType("nvarchar", length=40, collation="SQL_Latin1_General_CP1_CI_AS"),
    "ncs": SqlType("nvarchar", length=40, collation="Latin1_General_CS_AS"),
}
CHANGES = ("UPPER({})", "LOWER({})", "RTRIM({})", "UPPER(RTRIM({}))", "RTRIM(LOWER({}))", "LTRIM(UPPER({}))")
ALPHABET, BEYOND = "aAbBzZ9_%[- ÿŸµßéÉþ", "ıſKµΜϐΒςΣẞᲀвǅ"


def texts(name: str, count: int) -> list[str]:
    rng = random.Random(3)
    signs = ALPHABET if name not in ("utf", "n", "ncs") else ALPHABET + BEYOND
    found = ["", " ", "a ", "A", "ab", "AB  ", "µ", "ÿ", "ß"]
    return found + ["".join(rng.choices(signs, k=rng.randrange(1, 5))) + " " * rng.randrange(3) for _ in range(count)]


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    columns = ", ".join(f"{n} {t.name}({t.length}) COLLATE {t.collation}" for n, t in COLUMNS.items())
    with prepared("CREATE DATABASE shop", f"USE shop; CREATE TABLE t (id int, {columns})") as session:
        known = {name: texts(name, 90) for name in COLUMNS}
        rows = [f"({i}, {', '.join(quoted(known[name][i]) for name in COLUMNS)})" for i in range(99)]
        assert last_rows(session, f"SET NOCOUNT ON; INSERT t VALUES {', '.join(rows)}") is None
        assert last_rows(session, f"SET NOCOUNT ON; INSERT t VALUES (999{', NULL' * len(COLUMNS)})") is None
        yield session


def quoted(text: str) -> str:
    return "N'" + text.replace("'", "''") + "'"


def changed(session: Session, change: str, name: str) -> dict[int, str]:
    """What the function gives, as a query shows it, where nothing is compared."""
    return dict(last_rows(session, f"SELECT id, {change.format(name)} FROM t WHERE id < 999"))


CONDITIONS: dict[str, Callable[[Any, Any, str, str], bool]] = {
    "{0} = {1}": lambda same, before, a, b: same(a, b),
    "{0} <> {1}": lambda same, before, a, b: not same(a, b),
    "{0} < {1}": lambda same, before, a, b: before(a, b),
    "{0} IN ('no', {1})": lambda same, before, a, b: same(a, b) or same(a, "no"),
    "{0} IN ('no', 'other', {1})": lambda same, before, a, b: any(same(a, x) for x in ("no", "other", b)),
    "{0} BETWEEN 'a' AND {1}": lambda same, before, a, b: not before(a, "a") and not before(b, a),
}


@pytest.mark.matrix
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", COLUMNS)
def test_compared(session: Session, name: str, change: str) -> None:
    shown, sign = changed(session, change, name), "N" if is_national(COLUMNS[name]) or name == "utf" else ""
    key, order = key_function(COLUMNS[name]), sort_key_function(COLUMNS[name])
    for constant in ("a", "AB", "ÿ", "µ", "ı", "s", "i", "k", "β", *list(shown.values())[9::30]):
        if not sign and any(ord(c) > 255 and c != "Ÿ" for c in constant):
            continue
        given = (sign or "") + quoted(constant)[1:]
        for condition, holds in CONDITIONS.items():
            sql = f"SELECT id FROM t WHERE {condition.format(change.format(name), given)}"
            found = {i for (i,) in last_rows(session, sql)}
            same, before = (lambda a, b: key(a) == key(b)), (lambda a, b: order(a) < order(b))
            assert found == {i for i, text in shown.items() if holds(same, before, text, constant)}, sql


@pytest.mark.matrix
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", COLUMNS)
def test_matched(session: Session, name: str, change: str) -> None:
    shown, of = changed(session, change, name), COLUMNS[name]
    for pattern in ("A%", "%b ", "_b%", "%[a-k]%", "[^A]%", "[µÿ]%", "%ß", "%!%%' ESCAPE '!"):
        sql = f"SELECT id FROM t WHERE {change.format(name)} LIKE '{pattern}'"
        shape, _, escape = pattern.partition("' ESCAPE '")
        found = {i for (i,) in last_rows(session, sql)}
        matches = {
            i
            for i, text in shown.items()
            if is_like(text, shape, escape or None, of.collation, is_national=is_national(of))
        }
        assert found == matches, sql


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", COLUMNS)
def test_grouped_and_sorted(session: Session, name: str, change: str) -> None:
    shown, value = changed(session, change, name), change.format(name)
    key, order = key_function(COLUMNS[name]), sort_key_function(COLUMNS[name])
    groups: dict[str, int] = {}
    for text in shown.values():
        groups[key(text)] = groups.get(key(text), 0) + 1
    found = last_rows(session, f"SELECT {value}, COUNT(*) FROM t WHERE id < 999 GROUP BY {value}")
    assert {key(text): count for text, count in found} == groups
    assert all(text in shown.values() for text, _ in found)
    ((count,),) = last_rows(session, f"SELECT COUNT(DISTINCT {value}) FROM t")
    assert count == len(groups) == len(last_rows(session, f"SELECT DISTINCT {value} FROM t WHERE id < 999"))
    found = [i for (i,) in last_rows(session, f"SELECT id FROM t WHERE id < 999 ORDER BY {value}, id")]
    assert found == sorted(shown, key=lambda i: (order(shown[i]), i))
    ((least, most),) = last_rows(session, f"SELECT MIN({value}), MAX({value}) FROM t")
    keys = [order(text) for text in shown.values()]
    assert (order(least), order(most)) == (min(keys), max(keys))


@pytest.mark.parametrize(
    "collation", [None, "Latin1_General_CI_AI", "Latin1_General_CI_AS_KS_WS", "SQL_Latin1_General_CP1_CI_AI"]
)
def test_each_letter_is_alike_in_both_cases(collation: str | None) -> None:
    """LOWER of every character, and UPPER of those of the code page."""
    for name, function in (("nvarchar", "LOWER"), ("varchar", "LOWER"), ("varchar", "UPPER")):
        kind = SqlType(name, length=20, collation=collation)
        known = lookup(function)
        assert known is not None
        run, rule = bind(known, [kind], None).run, rule_of(collation, name == "nvarchar")
        codes = range(256) if name == "varchar" else [*range(0xD800), *range(0xE000, 0x11000), *range(0x1D400, 0x1EA00)]
        for text in [*map(chr, codes), *"ŒœŠšŸŽžƒ€"]:
            for make in (key_of(rule), order_of(rule)):
                assert make(run(text)) == make(text), (ascii(text), function)
