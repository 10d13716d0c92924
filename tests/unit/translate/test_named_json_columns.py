"""OPENJSON makes the columns that a query names, wherever it does, and those whose values may be errors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from told import prepared, told

import sbql
from sbql.engine.native import openjson
from sbql.engine.query import rowsets

BODY = '{"a":[{"k":1,"t":"x"},{"k":2,"t":"y"}],"b":"no"}'


@pytest.fixture(scope="module")
def cursor() -> Iterator[Any]:
    with sbql.connect(autocommit=True) as connection:
        cursor = connection.cursor()
        cursor.execute("CREATE TABLE documents (id int PRIMARY KEY, body nvarchar(max), x xml, [key] int)")
        cursor.execute("INSERT documents VALUES (1, ?, N'<r/>', 7), (2, ?, N'<r/>', 8)", (BODY, '{"a":[],"b":"2"}'))
        cursor.execute("CREATE TABLE kept (v nvarchar(max), w int)")
        yield cursor


OF_A = "documents d CROSS APPLY OPENJSON(d.body, '$.a')"
WITH_A = f"{OF_A} WITH (k int, t varchar(5)) j"
FOUND = (
    (f"SELECT COUNT(*) FROM {OF_A}", [(2,)]),
    (f"SELECT COUNT(*) FROM {WITH_A}", [(2,)]),
    ("SELECT COUNT(*) FROM documents d OUTER APPLY OPENJSON(d.body, '$.a')", [(3,)]),
    (f"SELECT d.id FROM {WITH_A} ORDER BY t DESC", [(1,), (1,)]),
    (f"SELECT d.id FROM {WITH_A} WHERE j.T = 'y'", [(1,)]),
    (f"SELECT k FROM {WITH_A} GROUP BY k, t HAVING MAX(t) > 'x'", [(2,)]),
    (f"SELECT k, ROW_NUMBER() OVER (ORDER BY t DESC) FROM {WITH_A} ORDER BY k", [(1, 2), (2, 1)]),
    (f"SELECT k, ROW_NUMBER() OVER w FROM {WITH_A} WINDOW w AS (ORDER BY t DESC) ORDER BY k", [(1, 2), (2, 1)]),
    (f"SELECT k, (SELECT t + o.u FROM (SELECT 'z') AS o (u)) FROM {WITH_A} ORDER BY k", [(1, "xz"), (2, "yz")]),
    (f"SELECT j.* FROM {WITH_A} ORDER BY 1", [(1, "x"), (2, "y")]),
    (f"SELECT k AS t FROM {WITH_A} ORDER BY t DESC", [(2,), (1,)]),
    (f"SELECT m.u FROM {WITH_A} CROSS APPLY (SELECT t + '!' AS u) m ORDER BY u", [("x!",), ("y!",)]),
    (f"SELECT w.value FROM {WITH_A} CROSS APPLY STRING_SPLIT(t, ',') w ORDER BY 1", [("x",), ("y",)]),
    (f"SELECT e.k FROM {WITH_A} JOIN (VALUES (5, 'y')) e (k, u) ON e.u = j.t", [(5,)]),
    ("SELECT id FROM documents d WHERE EXISTS (SELECT * FROM OPENJSON(d.body, '$.a'))", [(1,)]),
    ("SELECT id FROM documents d WHERE EXISTS (SELECT * FROM OPENJSON(d.body, '$.a') WHERE [key] = '1')", [(1,)]),
    (f"SELECT d.[key] FROM {OF_A} j", [(7,), (7,)]),
    (f"SELECT d.x.value('sql:column(\"j.t\")', 'varchar(9)') FROM {WITH_A} ORDER BY 1", [("x",), ("y",)]),
    (f"SELECT [x], [y] FROM (SELECT k, t FROM {WITH_A}) s PIVOT (MAX(k) FOR t IN ([x], [y])) p", [(1, 2)]),
    (f"DECLARE @j nvarchar(max) = N'{BODY}'; SELECT [x], [y] FROM OPENJSON(@j, '$.a') WITH (k int, t varchar(5), z varchar(5) '$.t') s PIVOT (MAX(k) FOR t IN ([x], [y])) p ORDER BY 1", [(None, 2), (1, None)]),
    (f"SELECT DISTINCT id FROM {WITH_A}", [(1,)]),
    (f"SELECT (SELECT k FROM {WITH_A} ORDER BY t DESC FOR JSON PATH)", [('[{"k":2},{"k":1}]',)]),
    (f"WITH c AS (SELECT t, k AS n FROM {WITH_A}) SELECT MAX(n) FROM c", [(2,)]),
    (f"SELECT k FROM {WITH_A} UNION ALL SELECT LEN(value) FROM {OF_A} WHERE type = 5 ORDER BY 1", [(1,), (2,), (15,), (15,)]),
)  # fmt: skip


@pytest.mark.parametrize(("sql", "rows"), FOUND)
def test_columns_are_found(cursor: Any, sql: str, rows: list[Any]) -> None:
    assert [tuple(row) for row in cursor.execute(sql).fetchall()] == rows


def test_writes_find_them_too(cursor: Any) -> None:
    cursor.execute(
        f"INSERT kept SELECT t, k FROM {WITH_A}; UPDATE kept SET v = j.t + 'z' FROM kept JOIN {WITH_A} ON j.k = kept.w"
    )
    assert [tuple(row) for row in cursor.execute("SELECT * FROM kept ORDER BY w").fetchall()] == [("xz", 1), ("yz", 2)]
    cursor.execute(f"DELETE kept FROM kept JOIN {WITH_A} ON j.t = 'x' AND j.k = kept.w")
    cursor.execute(
        f"MERGE kept USING (SELECT k, t FROM {WITH_A}) s ON s.k = kept.w WHEN MATCHED THEN UPDATE SET v = s.t WHEN NOT MATCHED THEN INSERT VALUES (s.t, s.k);"
    )
    assert [tuple(row) for row in cursor.execute("SELECT * FROM kept ORDER BY w").fetchall()] == [("x", 1), ("y", 2)]


@pytest.mark.parametrize("items", ["COUNT(*)", "MAX(j.t)", "MAX(j.k)"])
def test_a_value_that_does_not_convert_is_an_error(cursor: Any, items: str) -> None:
    """Whether it is named or not."""
    with pytest.raises(sbql.DatabaseError) as caught:
        cursor.execute(
            f"SELECT {items} FROM documents d CROSS APPLY OPENJSON(d.body) WITH (k int '$.b', t varchar(5) '$.b') j"
        )
    assert caught.value.number == 245


@pytest.mark.parametrize(
    ("sql", "made"),
    [
        (f"SELECT COUNT(*) FROM {OF_A}", []),
        (f"SELECT MAX(value) FROM {OF_A}", ["value"]),
        (f"SELECT MAX([KEY]), MAX(d.[type]) FROM (SELECT j.[key], type FROM {OF_A} j) d", ["key", "type"]),
        (f"SELECT * FROM {OF_A}", ["key", "value", "type"]),
        (f"SELECT COUNT(*) FROM {WITH_A}", ["k"]),
        (f"SELECT MAX(t) FROM {WITH_A}", ["k", "t"]),
    ],
)
def test_no_others_are_made(cursor: Any, sql: str, made: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []

    def default_list(path: str | None, columns: list[str]) -> str | None:
        asked.append(columns)
        return openjson.default_list(path, columns)

    def with_list(path: str | None, columns: list[openjson.JsonColumn]) -> str | None:
        asked.append([str(column.path.steps[-1]) for column in columns])
        return openjson.with_list(path, columns)

    monkeypatch.setattr(rowsets, "default_list", default_list)
    monkeypatch.setattr(rowsets, "with_list", with_list)
    cursor.execute(f"{sql} OPTION (RECOMPILE)")
    assert made in asked


@pytest.mark.parametrize("column", ["b varchar(9) 'strict $.b'", "b nvarchar(max) 'strict $.b' AS JSON", "b int '$.a'"])
def test_a_column_that_fails_fails_unnamed(column: str) -> None:
    """13608, 13608 and 245: of a path that has to be there, and of a value that does not convert."""
    with prepared("CREATE TABLE d (id int PRIMARY KEY, j nvarchar(max)); INSERT d VALUES (1, N'[{\"a\":\"x\"}]'), (2, N'[{\"a\":\"y\"}]')") as session:  # fmt: skip
        wanted = 245 if "int" in column else 13608
        json = f"OPENJSON(j) WITH (a varchar(9), {column}) o"
        for query in (
            f"SELECT o.a FROM d CROSS APPLY {json}",
            f"SELECT COUNT(*) FROM d WHERE EXISTS (SELECT 1 FROM {json})",
        ):
            assert told(session, query)[-1:] == [wanted], query
