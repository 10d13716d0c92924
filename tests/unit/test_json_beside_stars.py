"""What is JSON already stays JSON in FOR JSON, whatever stands beside it in the select list."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet
from sbql.engine.session import Session

JSON = {
    "JSON_QUERY('{\"z\":1}')": {"z": 1},
    "JSON_QUERY(t.doc, '$.in')": [1],
    "JSON_MODIFY('{}', '$.a', 1)": {"a": 1},
    "JSON_OBJECT('a': t.a)": {"a": 5},
    "JSON_ARRAY(1, 2)": [1, 2],
    "(SELECT 1 AS q FOR JSON PATH)": [{"q": 1}],
}
TEXT = {
    "'{\"z\":1}'": '{"z":1}',
    "t.doc": '{"in":[1]}',
    "(SELECT 1 AS q FOR JSON PATH, WITHOUT_ARRAY_WRAPPER)": '{"q":1}',
    "CONCAT(JSON_QUERY('{\"z\":1}'), '')": '{"z":1}',
}
LISTS = (
    "{} AS k", "t.a, {} AS k", "t.*, {} AS k", "{} AS k, t.*", "*, {} AS k", "TOP (1) *, {} AS k", "DISTINCT t.*, {} AS k",
    "t.*, {} AS k, t.a AS again", "t.*, u.*, {} AS k",
)  # fmt: skip


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    opened.run("CREATE TABLE t (a int, doc nvarchar(max)); INSERT t VALUES (5, N'{\"in\":[1]}')")
    opened.run("CREATE TABLE u (b int, c int); INSERT u VALUES (1, 2)")
    yield opened
    instance.close()


@pytest.mark.parametrize(
    "tail", ["FOR JSON PATH", "ORDER BY t.a FOR JSON PATH", "FOR JSON AUTO", "FOR JSON PATH, ROOT('r')"]
)
@pytest.mark.parametrize("columns", LISTS)
def test_json_stays_json(session: Session, columns: str, tail: str) -> None:
    for value, expected in (JSON | TEXT).items():
        text = f"SELECT {columns.format(value)} FROM t CROSS JOIN u {tail}"
        [found] = [outcome for outcome in session.run(text) if isinstance(outcome, ResultSet)]
        written = json.loads(found.rows[0][0])
        [row] = written["r"] if isinstance(written, dict) else written
        assert _under_k(row) == expected, text


def _under_k(row: dict[str, object]) -> object:
    """AUTO puts a value that is no table's to the last table that was named."""
    inner = row.get("u")
    return row["k"] if "k" in row or not isinstance(inner, list) else inner[0]["k"]
