"""FOR JSON gives the same text whether DuckDB writes the rows or Python: for values of every type, with names, nesting
and options at random. What an instance without the native form says is expected."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from native_sweep import VALUES
from told_cursors import cursor_outcome

import sbql
from sbql.engine.documents import for_json
from sbql.engine.query import for_clause

EXTRA = {
    "nvarchar(40)": ("a/b", 'a"b', "a\\b", "\b\f\n\r\t", "\x00", "\x01x", "\x1f\x7f", "\\u0041", "\u2028", "</script>", "{}"),
    "varchar(40)": ("a/b\\", "\x1b", "u"),
    "varbinary(8)": ("0x", "0x00", "0xFFEFBE", "0xFBFFFF"),
    "xml": ("<a b='1'>x</a>", ""),
    "sql_variant": ("1", "x/y"),
}  # fmt: skip
TYPES = sorted({*VALUES, *EXTRA})
NAMES = ("a", "b", "x.a", "x.b", "x.y.c", "x.y.d", "é", 'q"/', "B", "z.a")
OPTIONS = ("", ", ROOT", ", ROOT('r/é')", ", INCLUDE_NULL_VALUES", ", WITHOUT_ARRAY_WRAPPER", ", INCLUDE_NULL_VALUES, ROOT('')", ", WITHOUT_ARRAY_WRAPPER, INCLUDE_NULL_VALUES")  # fmt: skip


def given(value: str, name: str) -> Any:
    return bytes.fromhex(value[2:]) if name.startswith(("varbinary", "binary")) and value.startswith("0x") else value


@pytest.fixture(scope="module")
def cursors() -> Iterator[list[Any]]:
    """Two instances with a table of all values: those of a type in a column, one below the other, in another order in
    each."""
    cursors = [sbql.connect(autocommit=True).cursor() for _ in range(2)]
    lists = {name: [*VALUES.get(name, ()), *EXTRA.get(name, ())] for name in TYPES}
    count = max(map(len, lists.values()))
    for cursor in cursors:
        columns = ", ".join(f"v{i} {name}" for i, name in enumerate(TYPES))
        cursor.execute(
            f"CREATE TABLE many (id int PRIMARY KEY, {columns}); CREATE TABLE few (id int PRIMARY KEY, n int)"
        )
        places = ", ".join(f"CAST(? AS {name})" for name in TYPES)
        rows = [
            [
                given(lists[name][(row * 7 + i) % len(lists[name])], name) if (row + i) % 5 else None
                for i, name in enumerate(TYPES)
            ]
            for row in range(count)
        ]
        cursor.executemany(f"INSERT many VALUES (?, {places})", [(number, *row) for number, row in enumerate(rows)])
        cursor.execute("INSERT few SELECT value, NULLIF(value % 3, 0) FROM GENERATE_SERIES(0, 9)")
    yield cursors
    for cursor in cursors:
        cursor.connection.close()


def both(cursors: list[Any], sql: str) -> tuple[Any, Any]:
    native = cursor_outcome(cursors[0], sql)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(for_clause, "joined_objects", lambda *_: None)
        return native, cursor_outcome(cursors[1], sql)


@pytest.mark.parametrize("number", range(len(TYPES)))
def test_each_value_of_a_type(cursors: list[Any], number: int) -> None:
    for mode in ("PATH", "AUTO", "PATH, INCLUDE_NULL_VALUES"):
        sql = f"SELECT id, (SELECT v{number} AS v FROM many AS o WHERE o.id = m.id FOR JSON {mode}) FROM many AS m ORDER BY id"
        found, expected = both(cursors, sql)
        assert isinstance(expected, list) and len(expected) > 5
        assert found == expected


@pytest.mark.parametrize("seed", range(60))
def test_clauses_at_random(cursors: list[Any], seed: int) -> None:
    choice = random.Random(seed)
    names = choice.sample(NAMES, choice.randint(1, 5))
    if choice.random() < 0.8:
        names.sort()  # the members of an object stand together
    columns = [f"v{choice.randrange(len(TYPES))} AS [{name}]" for name in names]
    if choice.random() < 0.3:
        columns.append("(SELECT n, f.id FROM few AS f WHERE f.id = m.id % 12 FOR JSON PATH) AS inside")
    if choice.random() < 0.3:
        columns.append("JSON_QUERY('[1, \"\\u0041\"]') AS piece")
    where = choice.choice(("", "WHERE m.id < 7", "WHERE m.id < 0", "WHERE m.id % 3 = 1"))
    order = choice.choice(("", "ORDER BY m.id", "ORDER BY m.id DESC", "ORDER BY m.id % 4, m.id"))
    top = choice.choice(("", "", "TOP (4) "))
    mode = choice.choice(("PATH", "PATH", "AUTO"))
    sql = f"SELECT {top}{', '.join(columns)} FROM many AS m {where} {order} FOR JSON {mode}{choice.choice(OPTIONS)}"
    found, expected = both(cursors, sql)
    assert found == expected, sql


def test_rows_of_two_tables(cursors: list[Any]) -> None:
    for mode in ("AUTO", "PATH", "AUTO, INCLUDE_NULL_VALUES"):
        sql = (
            f"SELECT m.id, f.n, f.id AS i FROM many m JOIN few f ON f.id = m.id % 5 ORDER BY m.id, f.id FOR JSON {mode}"
        )
        found, expected = both(cursors, sql)
        assert found == expected and isinstance(expected, list)


def test_plain_rows_never_come_to_python(cursors: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(rows: Any) -> Any:
        raise AssertionError("Python has been asked")

    monkeypatch.setattr(for_json, "_path", lambda columns, options: refuse)
    cursor = cursors[0]
    cursor.execute("CREATE TABLE plain (a int, b nvarchar(20), c decimal(9, 2), d date, e bit, f datetime2, g money)")
    cursor.execute("INSERT plain VALUES (1, N'é/\"', 1.5, '2024-02-29', 1, '2024-02-29T01:02:03', 2), (2, NULL, NULL, NULL, 0, NULL, -1)")  # fmt: skip
    found = cursor.execute(
        "SELECT a, b, c AS [x.c], d AS [x.d], e, f, g FROM plain ORDER BY a FOR JSON PATH"
    ).fetchall()
    first = '{"a":1,"b":"é\\/\\"","x":{"c":1.50,"d":"2024-02-29"},"e":true,"f":"2024-02-29T01:02:03","g":2.0000}'
    assert [tuple(row) for row in found] == [(f'[{first},{{"a":2,"e":false,"g":-1.0000}}]',)]
