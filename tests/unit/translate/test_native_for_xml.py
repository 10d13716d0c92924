"""FOR XML PATH('') gives the same text whether DuckDB joins the values or Python, for values of every type and names of
all kinds. What an instance without the native form says is expected."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import pytest
from told_cursors import cursor_outcome

import sbql
from sbql.engine.query import for_clause

TEXTS = ("a", None, "", "é&", "<b>", "\"'", ">", "&amp;", " x ", "\t\n", "日", "\U0001f600")
ODD = ("\r", "\x01", "\x1f\x0b", "\x08", "\x00", "\x0c", "a\x0e")
SETUP = """CREATE TABLE many (id int PRIMARY KEY, g int, n nvarchar(20), v varchar(20), c char(8), m nvarchar(max), k bigint, t tinyint, d date, b bit, f float, x xml, u uniqueidentifier, q sql_variant);
INSERT many (id, g, n) VALUES (100, 7, NCHAR(0xD83D)), (101, 7, NCHAR(0xDE00)), (102, 8, NCHAR(0xDE00)), (103, 8, NCHAR(0xD83D))"""
COLUMNS = (
    "n",
    "v",
    "c",
    "m",
    "k",
    "t",
    "d",
    "b",
    "f",
    "x",
    "q",
    "',' + n",
    "n + v",
    "CAST(k AS varchar(10)) + ', '",
    "NULL",
    "u",
)
NAMES = ("", "AS [*]", "AS [text()]", "AS [node()]", "AS [data()]", "AS [comment()]", "AS a", "AS [@a]", "AS [a/text()]", "AS [*x]")  # fmt: skip
CLAUSES = ("PATH('')", "PATH", "PATH('r')", "PATH(''), ROOT('r')", "PATH(''), TYPE", "PATH(''), ELEMENTS XSINIL", "PATH(''), ELEMENTS", "RAW", "AUTO")  # fmt: skip


@pytest.fixture(scope="module")
def cursors() -> Iterator[list[Any]]:
    cursors = [sbql.connect(autocommit=True).cursor() for _ in range(2)]
    for cursor in cursors:
        cursor.execute(SETUP)
        texts = (*TEXTS, *ODD)
        for i, text in enumerate(texts):
            other = texts[(i + 5) % len(TEXTS)]
            values = (i, i % 4 if i < len(TEXTS) else i, text, other, other, text, i * 10**6 if i % 3 else None, i)
            cursor.execute(
                "INSERT many (id, g, n, v, c, m, k, t, d, b, f, x, q) VALUES (?, ?, ?, ?, ?, ?, ?, ?, '2020-01-31', 1, 1.5, N'<a/>', 5)",
                values,
            )
    yield cursors
    for cursor in cursors:
        cursor.connection.close()


def both(cursors: list[Any], sql: str) -> Any:
    found = cursor_outcome(cursors[0], sql)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(for_clause, "joined_rows", lambda *_: None)
        assert found == cursor_outcome(cursors[1], sql), sql
    return found


@pytest.mark.matrix
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("clause", CLAUSES)
def test_both_ways_say_the_same(cursors: list[Any], clause: str, name: str) -> None:
    for column, order in itertools.product(COLUMNS, ("", "ORDER BY i.n DESC, i.id")):
        if order and clause == "AUTO":
            continue
        both(
            cursors,
            f"SELECT o.g, (SELECT {column} {name} FROM many i WHERE i.g = o.g {order or 'ORDER BY i.id'} FOR XML {clause}) FROM many o GROUP BY o.g ORDER BY o.g",
        )


@pytest.mark.parametrize(
    "columns", ["n, v", "n [*], k [text()], c", "n [data()], v [data()]", "n, v [data()]", "n a, v", "n, d", "NULL, n"]
)
def test_several_columns(cursors: list[Any], columns: str) -> None:
    both(
        cursors,
        f"SELECT o.id, (SELECT {columns} FROM many i WHERE i.id <= o.id ORDER BY i.id FOR XML PATH('')) FROM many o ORDER BY o.id",
    )
    both(cursors, f"SELECT (SELECT {columns} FROM many i ORDER BY i.id FOR XML PATH(''))")


def test_rows_that_are_none_or_nothing(cursors: list[Any]) -> None:
    text = "SELECT (SELECT n AS [text()] FROM many WHERE {} FOR XML PATH(''))"
    assert both(cursors, text.format("id > 900")) == [(None,)]
    assert both(cursors, text.format("id > 0 AND n IS NULL")) == [("",)]
    assert both(cursors, text.format("id < 6 ORDER BY id")) == [("aé&amp;&lt;b&gt;\"'",)]
    assert both(cursors, text.format("g = 7 ORDER BY id")) == [("\U0001f600",)]
    ((whole,),) = both(cursors, "SELECT n AS [text()] FROM many ORDER BY id FOR XML PATH('')")
    assert "&#x0D;&#x01;&#x1F;&#x0B;&#x08;" in whole


def test_the_native_form_is_taken(cursors: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(for_clause, "packed", fails)
    for column in ("n + ''", "',' + v", "k + 1", "n [text()]", "v [data()]", "n [*], v [*]"):
        assert len(cursor_outcome(cursors[0], f"SELECT (SELECT {column} FROM many FOR XML PATH(''))")) == 1


@pytest.mark.parametrize(
    ("columns", "clause"),
    [
        ("id, n, d, b, f, u, x", "PATH('r')"), ("id AS [@id], n AS [@n], x", "PATH('r'), ROOT('q'), TYPE"),
        ("id, k, v", "RAW"), ("id, n AS [a b]", "RAW('r'), ELEMENTS, TYPE"), ("id, n", "AUTO"), ("id, n", "AUTO, ELEMENTS, TYPE"),
        ("',' + n", "PATH(''), TYPE"),
    ],
)  # fmt: skip
def test_the_native_form_of_elements_is_taken(
    cursors: list[Any], monkeypatch: pytest.MonkeyPatch, columns: str, clause: str
) -> None:
    def fails(*_: Any) -> Any:
        raise AssertionError

    monkeypatch.setattr(for_clause, "packed", fails)
    (found,) = cursor_outcome(
        cursors[0], f"SELECT (SELECT {columns} FROM many WHERE id IN (0, 3) OR id = -1 FOR XML {clause})"
    )
    assert found[0]
