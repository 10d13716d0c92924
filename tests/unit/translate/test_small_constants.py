"""Decimals that have digits behind the point only, wherever a statement may name or store one: the same as computed
alone. Python writes them as 1E-8, which DuckDB reads as no decimal of such a type."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from told import last_rows

from sbql.engine.instance import Instance
from sbql.engine.session import Session

NUMBERS = [sign + digits for digits in (".5", ".000001", ".0000001", ".00000001", ".0000000000000000001", "." + "0" * 35 + "1", ".00000000", ".00000120") for sign in ("", "-")]  # fmt: skip
PLACES = {
    "a column": "SELECT {n} FROM dbo.t",
    "sum": "SELECT z + {n} FROM dbo.t",
    "branch": "SELECT CASE WHEN k = 1 THEN {n} END FROM dbo.t",
    "coalesce": "SELECT COALESCE(x, {n}) FROM dbo.t",
    "isnull": "SELECT ISNULL(x, {n}) FROM dbo.t",
    "union": "SELECT {n} UNION ALL SELECT {n} FROM dbo.t WHERE k = 2",
    "values": "SELECT v.n FROM (VALUES ({n}), (NULL)) AS v (n) WHERE v.n IS NOT NULL",
    "where": "SELECT CAST({n} AS {type}) FROM dbo.t WHERE {n} = CAST('{n}' AS {type}) AND z + {n} = {n}",
    "in": "SELECT CAST({n} AS {type}) FROM dbo.t WHERE z + CAST('{n}' AS {type}) IN ({n}, 5.0)",
    "variable": "DECLARE @n {type} = {n}; SELECT @n FROM dbo.t",
    "insert": "INSERT dbo.s (k, n) VALUES (1, {n}); SELECT n FROM dbo.s",
    "insert of many": "INSERT dbo.s (k, n) SELECT value, {n} FROM GENERATE_SERIES(1, 2000); SELECT MAX(n) FROM dbo.s",
    "insert of rows": "INSERT dbo.s (k, n) VALUES (1, {n}), (2, {n}); SELECT n FROM dbo.s WHERE k = 2",
    "update": "INSERT dbo.s (k, n) VALUES (1, NULL); UPDATE dbo.s SET n = {n}; SELECT n FROM dbo.s",
    "update by key": "INSERT dbo.s (k, n) VALUES (1, NULL); UPDATE dbo.s SET n = {n} WHERE k = 1; SELECT n FROM dbo.s WHERE k = 1",
    "merge": "MERGE dbo.s USING (SELECT 1 AS k) AS f ON s.k = f.k WHEN NOT MATCHED THEN INSERT (k, n) VALUES (1, {n}); SELECT n FROM dbo.s",
    "found": "INSERT dbo.s (k, n) VALUES (1, {n}); SELECT n FROM dbo.s WHERE n = {n}",
    "default": "CREATE TABLE dbo.d (k int, n {type} DEFAULT {n}); INSERT dbo.d (k) VALUES (1); SELECT n FROM dbo.d",
    "check": "CREATE TABLE dbo.d (k int, n {type} CHECK (n = {n})); INSERT dbo.d VALUES (1, {n}); INSERT dbo.d SELECT 2, {n} FROM dbo.t; SELECT n FROM dbo.d WHERE k = 1",
    "computed": "CREATE TABLE dbo.d (k int, n AS CAST({n} AS {type}) PERSISTED); INSERT dbo.d (k) VALUES (1); SELECT n FROM dbo.d",
    "key": "CREATE TABLE dbo.d (n {type} PRIMARY KEY); INSERT dbo.d VALUES ({n}); SELECT n FROM dbo.d WHERE n = {n}",
    "procedure": "EXEC sp_executesql N'SELECT @n + z FROM dbo.t', N'@n {type}', @n = {n}",
    "variant": "SELECT CAST(CAST({n} AS sql_variant) AS {type}) FROM dbo.t",
    "table variable": "DECLARE @t table (n {type}); INSERT @t VALUES ({n}); SELECT n FROM @t AS a JOIN dbo.t ON 1 = 1 WHERE a.n = {n}",
    "temp": "CREATE TABLE #n (n {type}); INSERT #n SELECT {n} FROM dbo.t; SELECT n FROM #n JOIN dbo.t ON 1 = 1 WHERE n = {n}; DROP TABLE #n",
    "xml": "SELECT CAST(CAST('<a>{n}</a>' AS xml).value('/a[1]', '{type}') AS {type}) FROM dbo.t",
    "json": "SELECT CAST(JSON_VALUE('{{\"a\": 0}}', '$.a') AS {type}) + {n} FROM dbo.t",
}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(None)
    session = instance.connect()
    last_rows(
        session,
        "CREATE TABLE dbo.t (k int PRIMARY KEY, z decimal(1,0), x decimal(38,38)); INSERT dbo.t VALUES (1, 0, NULL)",
    )
    yield session
    instance.close()


@pytest.mark.parametrize("place", PLACES)
def test_a_small_constant_is_what_it_says(session: Session, place: str) -> None:
    differences = []
    for number in NUMBERS:
        scale = len(number.partition(".")[2])
        name = f"decimal({scale},{scale})"
        last_rows(session, f"DROP TABLE IF EXISTS dbo.s, dbo.d; CREATE TABLE dbo.s (k int PRIMARY KEY, n {name})")
        text = (
            PLACES[place]
            .format(n=f"({number})" if place not in ("xml", "procedure") else number, type=name)
            .replace(f"'({number})'", f"'{number}'")
        )
        try:
            found = last_rows(session, text)
        except AssertionError as error:
            differences.append(str(error)[:300])
            continue
        if found is None or [Decimal(value) for (value,) in found][:1] != [Decimal(number)]:
            differences.append(f"{text}: {found}")
    assert not differences, "\n".join(differences)
