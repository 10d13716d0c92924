"""Text is ordered alike by DuckDB's own functions, by keys of Python, and where both meet in one query."""

from __future__ import annotations

import operator
import random
import string
import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session
from sbql.engine.tables.comparison_keys import order_key
from sbql.engine.tables.text_functions import ORDER
from sbql.engine.tables.typed_sql import Signs, Typed
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
    "eéèêëE ěęĒ-'@",
    "αΑβσςΣω άέΰΏa",
    "аАйЙиЯё ѐїz-",
    "一漢龿㐀가힣ᄀa.",
    "iİIK\u212aı-ı",
)
COMMON = ("aZ9 @", "b_:B5", "zY0 .@_:", "a: ", "@ _/", 'zZ09 "#$%&()*,./;?[]^`{|}~')
NATIVE = (*COMMON, "αΑβΒρσΣωΩ", "аАиИйЙяЯ -", "一漢龿가힣a.", "eE-' @:_z", "αЯ@ _")
"""Characters of which no text needs Python, those of a code page first."""


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


@pytest.mark.parametrize(("name", "kind", "pools"), [("varchar", CODE_PAGE, COMMON), ("nvarchar", WINDOWS, NATIVE)])
def test_native_keys_are_those_of_python(name: str, kind: str, pools: tuple[str, ...]) -> None:
    connection = duckdb.connect()
    connection.create_function(ORDER, lambda text, rule: "of Python", ["VARCHAR", "UTINYINT"], "VARCHAR")
    found = texts(4, 400, pools)
    connection.execute("CREATE TABLE t AS SELECT unnest($1) AS x", [found])
    key = order_of(Rule(kind))
    sql = order_key(Typed("x", SqlType(name, length=20)))
    for text, given in connection.execute(f"SELECT x, {sql} FROM t").fetchall():
        assert given == key(text), ascii(text)


@pytest.mark.parametrize("signs", ["[]", "@", ":_", "a,", "{'}", "-/", "\u00e9@"])
@pytest.mark.parametrize(("name", "kind", "pools"), [("varchar", CODE_PAGE, COMMON), ("nvarchar", WINDOWS, NATIVE)])
def test_keys_are_the_same_where_signs_of_the_texts_are_known(
    name: str, kind: str, pools: tuple[str, ...], signs: str
) -> None:
    """Those that sort by themselves or do not, for texts that have them or do not."""
    connection = duckdb.connect()
    connection.create_function(ORDER, lambda text, rule: "of Python", ["VARCHAR", "UTINYINT"], "VARCHAR")
    found = texts(5, 150, (*pools, *(f"{pool} {''.join(c for c in signs if c.isascii())}" for pool in pools)))
    connection.execute("CREATE TABLE t AS SELECT unnest($1) AS x", [found])
    key = order_of(Rule(kind))
    sql = order_key(Typed("x", SqlType(name, length=20), signs=Signs("x", frozenset(signs))))
    for text, given in connection.execute(f"SELECT x, {sql} FROM t").fetchall():
        assert given == key(text), ascii(text)


PUT_TOGETHER = (
    "QUOTENAME(x)",
    "QUOTENAME(x, '''')",
    "CONCAT(x, '@', k)",
    "CONCAT_WS(':', x, x)",
    "x + ':' + x",
    "'_' + QUOTENAME(x)",
)


@pytest.mark.parametrize("text", PUT_TOGETHER)
def test_texts_that_are_put_together_with_signs_are_ordered_as_in_python(session: Session, text: str) -> None:
    session.run("DROP TABLE IF EXISTS s; CREATE TABLE s (k int, x nvarchar(20), y nvarchar(400))")
    for k, x in enumerate([*texts(6, 12), "a]b", "]", "[", "a b", "a ", "it's"]):
        session.run(f"INSERT s (k, x) VALUES ({k}, N'{x.replace(chr(39), chr(39) * 2)}')")
    session.run(f"UPDATE s SET y = {text}")
    key = sort_key_function(SqlType("nvarchar", length=400))
    if text == "QUOTENAME(x)":
        assert all(y == f"[{x.replace(']', ']]')}]" for x, y in session.run("SELECT x, y FROM s")[0].rows)
    rows = session.run("SELECT k, y FROM s")[0].rows
    expected = [k for k, y in sorted(rows, key=lambda row: (key(row[1]), row[0]))]
    assert [row[0] for row in session.run(f"SELECT k FROM s ORDER BY {text}, k")[0].rows] == expected
    ((least, most),) = session.run(f"SELECT MIN({text}), MAX({text}) FROM s")[0].rows
    assert (key(least), key(most)) == (min(key(y) for _, y in rows), max(key(y) for _, y in rows))


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


WORDS = (
    "a", "ab", "Ab", "aB ", "b", "Z", "z9", "0", "5", "a1", "A1b", "item 5", "Item 4x", "ITEM 5", "item 5 ", "item", "item 55", "item 5\u0301", "item :", "item a", "1tem 5",
    "", " ", "  a", "a-b", "ab-", "'a", "_a", "\u00df", "ss", "SS ", "\uff49tem 5", "it\u00e9m 5", "\u00e6", "ae", "AE ", "\u0431a", "\u65e5", "\ufb01", "FI", "a\u0301", "\u00e1", "\x1f1", "\x11", "{", "[",
    "item 5\u00ad", "\u00adab", "it\U0001f600", "ITEM 50", "iTem 4", "item 5a", "item 50\u0301", "AB1", "ab0",
)  # fmt: skip
"""Texts that begin alike or not, go on with letters, digits and signs, and are equal beyond ASCII."""
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
COMPARED = (*TYPES, "char(12)", "nchar(12) COLLATE Latin1_General_CI_AI", "varchar(20) COLLATE Latin1_General_CI_AS", "nvarchar(20) COLLATE Latin1_General_CI_AS_WS",
            "varchar(20) COLLATE Latin1_General_BIN", "nvarchar(20) COLLATE Latin1_General_BIN2")  # fmt: skip


@pytest.mark.matrix
@pytest.mark.parametrize("declared", COMPARED)
@pytest.mark.parametrize("beside", ["column", "constant", "variable", "other relation"])
def test_texts_compare_as_their_keys_do(session: Session, declared: str, beside: str) -> None:
    """Whatever form the comparison has in DuckDB: words beside each other in every pair."""
    name, _, collation = declared.partition(" COLLATE ")
    bare, _, size = name.partition("(")
    kind = SqlType(bare, length=int(size[:-1]), collation=collation or None)
    key = sort_key_function(kind)
    words = [word for word in WORDS if bare.startswith("n") or all(ord(c) < 256 and c != "\xad" for c in word)]
    quoted = {word: ("N'" if bare.startswith("n") else "'") + word.replace("'", "''") + "'" for word in words}
    session.run(f"DROP TABLE IF EXISTS w; CREATE TABLE w (k int, x {declared}, y {declared})")
    wrong: list[str] = []
    if beside in ("column", "other relation"):
        pairs = [(x, y) for x in words for y in words]
        for start in range(0, len(pairs), 500):
            rows = ", ".join(
                f"({start + n}, {quoted[x]}, {quoted[y]})" for n, (x, y) in enumerate(pairs[start : start + 500])
            )
            session.run(f"INSERT w VALUES {rows}")
        session.run("INSERT w VALUES (-1, NULL, 'a'), (-2, 'a', NULL), (-3, NULL, NULL)")
        source = "w AS a" if beside == "column" else "w AS a JOIN w AS b ON b.k = a.k"
        for sign, holds in OPERATORS.items():
            text = f"SELECT a.k FROM {source} WHERE a.x {sign} {'a' if beside == 'column' else 'b'}.y"
            found = {row[0] for row in session.run(text)[0].rows}
            expected = {k for k, (x, y) in enumerate(pairs) if holds(key(x), key(y))}
            wrong += [f"{pairs[k][0]!r} {sign} {pairs[k][1]!r}" if k >= 0 else "NULL" for k in found ^ expected]
    else:
        rows = ", ".join(f"({n}, {quoted[x]}, NULL)" for n, x in enumerate(words))
        session.run(f"INSERT w VALUES {rows}, (-1, NULL, NULL)")
        for word in words:
            tests = ", ".join(
                f"CASE WHEN x {sign} {{0}} THEN 1 WHEN NOT x {sign} {{0}} THEN 0 END" for sign in OPERATORS
            )
            text = f"SELECT k, {tests}, CASE WHEN {{0}} < x THEN 1 ELSE 0 END FROM w"
            text = (
                text.format(quoted[word])
                if beside == "constant"
                else f"DECLARE @v {name} = {quoted[word]}; " + text.format("@v")
            )
            (outcome, *_) = session.run(text)
            assert not isinstance(outcome, ErrorOutcome), (text, outcome.error)
            for k, *answers, behind in outcome.rows:
                if k < 0:
                    assert answers == [None] * len(OPERATORS)
                    continue
                expected = [int(holds(key(words[k]), key(word))) for holds in OPERATORS.values()]
                if [*answers, behind] != [*expected, expected[4]]:
                    wrong.append(f"{words[k]!r} beside {word!r}: {answers} {behind}, not {expected}")
    assert not wrong, "\n".join(wrong[:20])


@pytest.mark.parametrize("rule", RULES, ids=str)
def test_texts_that_begin_with_different_letters_or_digits_are_ordered_by_these(rule: Rule) -> None:
    """Whatever comes behind them: marks and joiners above all, which make one character with a letter before."""
    behind = [chr(code) for code in (*range(1, 0x250), *range(0x300, 0x370), 0x200D, 0x20E3, 0x3099, 0xFE0F, 0x1F3FB)]
    assert all(unicodedata.combining(chr(code)) for code in range(0x300, 0x34F))
    key, last = order_of(rule), ""
    for sign in string.digits + string.ascii_lowercase:
        keys = sorted(key(case + rest) for case in {sign, sign.upper()} for rest in ("", *behind))
        assert last < keys[0]
        last = keys[-1]
