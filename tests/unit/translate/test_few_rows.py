"""Which OPENJSON of a column, and which FOR JSON, DuckDB makes: none of the few rows that a statement names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from sbql.engine.query import for_clause, unnesting
from sbql.engine.session import Session
from tests.told import last_rows, prepared

JSON = "CROSS APPLY OPENJSON({0}.b) WITH (sku varchar(10)) j"
FEW = (
    f"SELECT j.sku FROM t {JSON.format('t')} WHERE i = 1",
    f"SELECT j.sku FROM dbo.t AS x {JSON.format('x')} WHERE x.i = 1 AND j.sku <> 'a'",
    f"SELECT j.sku FROM t {JSON.format('t')} WHERE 1 = T.I",
    f"SELECT j.sku FROM two {JSON.format('two')} WHERE k = 1 AND l = 2",
    f"SELECT j.sku FROM t JOIN two ON two.k = t.i {JSON.format('t')} WHERE i = 1 AND k = 1 AND l = 1",
    f"SELECT (SELECT COUNT(*) FROM t {JSON.format('t')} WHERE t.i = 1)",
)
MANY = (
    f"SELECT j.sku FROM t {JSON.format('t')}",
    f"SELECT j.sku FROM t {JSON.format('t')} WHERE i > 1",
    f"SELECT j.sku FROM t {JSON.format('t')} WHERE i = 1 OR i = 2",
    f"SELECT j.sku FROM t {JSON.format('t')} WHERE s = 1",
    f"SELECT j.sku FROM t {JSON.format('t')} WHERE i = s",
    f"SELECT j.sku FROM two {JSON.format('two')} WHERE k = 1",
    f"SELECT j.sku FROM t AS x CROSS JOIN t AS y {JSON.format('x')} WHERE x.i = 1",
    f"SELECT j.sku FROM keyless {JSON.format('keyless')} WHERE i = 1",
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with prepared(
        "CREATE TABLE t (i int PRIMARY KEY, s int, b nvarchar(max))",
        "CREATE TABLE two (k int, l int, b nvarchar(max), PRIMARY KEY (l, k))",
        "CREATE TABLE keyless (i int, b nvarchar(max))",
    ) as session:
        yield session


@pytest.mark.parametrize(("query", "is_native"), [(q, False) for q in FEW] + [(q, True) for q in MANY])
def test_which_are_native(session: Session, query: str, is_native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    of_list = unnesting.of_list
    monkeypatch.setattr(unnesting, "of_list", lambda rows, *rest: made.append(rows) or of_list(rows, *rest))
    last_rows(session, query)
    assert {"json_transform" in text for text in made} == {is_native}


@pytest.mark.parametrize(("where", "is_native"), [("", True), (" WHERE s = 1", True), (" WHERE i = 1", False)])
def test_which_are_written(session: Session, where: str, is_native: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str | None] = []
    joined = for_clause.joined_objects

    def write(*given: Any) -> str | None:
        made.append(joined(*given))
        return made[-1]

    monkeypatch.setattr(for_clause, "joined_objects", write)
    last_rows(session, f"SELECT i, s FROM t{where} FOR JSON PATH")
    assert {text is not None for text in made} == {is_native}
