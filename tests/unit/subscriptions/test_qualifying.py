"""Which queries are watched, rule by rule, and what those hear that are not."""

from __future__ import annotations

from typing import Any

import pytest

from sbql.grammar.errors import SqlError

WATCHED = [
    "SELECT id FROM dbo.Items",
    "SELECT id, name AS n, qty * 2 AS twice FROM dbo.Items AS i WHERE i.qty > 5 AND name LIKE N'p%' ORDER BY qty DESC",
    "SELECT i.id, o.amount FROM dbo.Items AS i JOIN dbo.Orders AS o ON o.item_id = i.id WHERE o.amount > 1",
    "SELECT Items.id, Orders.id AS order_id FROM dbo.Items, dbo.Orders WHERE Items.id = Orders.item_id",
    "SELECT item_id, COUNT_BIG(*) AS n, SUM(amount) AS total FROM dbo.Orders GROUP BY item_id",
    "SELECT id, price FROM dbo.Items ORDER BY price",
    "DECLARE @id int = 2; SELECT name FROM dbo.Items WHERE id = @id",
    "EXEC sp_executesql N'SELECT name FROM dbo.Items WHERE id = @id', N'@id int', 2",
    "EXEC dbo.Listed",
    "SELECT UPPER(name) AS name FROM dbo.Items WITH (HOLDLOCK) WHERE id IN (1, 2)",
    "SELECT id FROM dbo.Items WHERE name IS NULL OR note = N'x'",
]
NOT_WATCHED = [
    "SELECT * FROM dbo.Items",
    "SELECT i.* FROM dbo.Items AS i",
    "SELECT id FROM Items",
    "SELECT id FROM Shop.dbo.Items",
    "SELECT id FROM #t",
    "SELECT id FROM Shop..Items",
    "SELECT qty + 1 FROM dbo.Items",
    "SELECT id, name AS id FROM dbo.Items",
    "SELECT id, id AS again FROM dbo.Items",
    "SELECT 1 AS one",
    "SELECT DISTINCT name FROM dbo.Items",
    "SELECT TOP (1) id FROM dbo.Items ORDER BY id",
    "SELECT id FROM dbo.Items ORDER BY id OFFSET 1 ROWS",
    "SELECT COUNT(*) AS n FROM dbo.Items",
    "SELECT COUNT_BIG(*) AS n FROM dbo.Items",
    "SELECT item_id, COUNT(*) AS n FROM dbo.Orders GROUP BY item_id",
    "SELECT item_id, MAX(amount) AS n FROM dbo.Orders GROUP BY item_id",
    "SELECT item_id, AVG(amount) AS n FROM dbo.Orders GROUP BY item_id",
    "SELECT amount, SUM(item_id) AS n FROM dbo.Orders GROUP BY amount",
    "SELECT item_id, COUNT_BIG(*) AS n FROM dbo.Orders GROUP BY item_id HAVING COUNT_BIG(*) > 1",
    "SELECT item_id, COUNT_BIG(*) AS n FROM dbo.Orders GROUP BY ROLLUP (item_id)",
    "SELECT item_id, COUNT_BIG(*) AS n FROM dbo.Orders GROUP BY CUBE (item_id)",
    "SELECT i.id FROM dbo.Items AS i LEFT JOIN dbo.Orders AS o ON o.item_id = i.id",
    "SELECT a.id FROM dbo.Items AS a JOIN dbo.Items AS b ON a.id = b.qty",
    "SELECT id FROM dbo.Items WHERE id IN (SELECT item_id FROM dbo.Orders)",
    "SELECT id FROM dbo.Items AS i WHERE EXISTS (SELECT 1 FROM dbo.Orders AS o WHERE o.item_id = i.id)",
    "SELECT d.id FROM (SELECT id FROM dbo.Items) AS d",
    "WITH c AS (SELECT id FROM dbo.Items) SELECT id FROM c",
    "SELECT i.id FROM dbo.Items AS i CROSS APPLY (SELECT id FROM dbo.Orders AS o WHERE o.item_id = i.id) AS x",
    "SELECT id FROM dbo.Items UNION ALL SELECT id FROM dbo.Orders",
    "SELECT id FROM dbo.Items INTERSECT SELECT id FROM dbo.Orders",
    "SELECT id FROM dbo.Items EXCEPT SELECT id FROM dbo.Orders",
    "SELECT id FROM dbo.Seen",
    "SELECT id FROM dbo.Alias",
    "SELECT id FROM dbo.Computed",
    "SELECT id FROM dbo.Old WHERE body LIKE 'x'",
    "SELECT id, body FROM dbo.Old",
    "SELECT name FROM sys.objects",
    "SELECT name FROM sys.dm_os_performance_counters CROSS JOIN dbo.Items",
    "SELECT TABLE_NAME FROM INFORMATION_SCHEMA.TABLES",
    "SELECT message_type_id FROM dbo.Told",
    "DECLARE @t TABLE (id int); SELECT id FROM @t",
    "SELECT value FROM STRING_SPLIT('a,b', ',')",
    "SELECT id FROM dbo.Items WHERE qty > @@SPID",
    "SELECT id, ROW_NUMBER() OVER (ORDER BY id) AS n FROM dbo.Items",
    "SELECT id, GETDATE() AS now FROM dbo.Items",
    "SELECT id FROM dbo.Items WHERE name = SUSER_SNAME()",
    "SELECT id, NEWID() AS n FROM dbo.Items",
    "SELECT id FROM dbo.Items WHERE price > 1",
    "SELECT id, price * 2 AS p FROM dbo.Items",
    "SELECT id FROM dbo.Items WHERE 1 = 0",
    "SELECT id FROM dbo.Items WITH (NOLOCK)",
    "SELECT id FROM dbo.Items WITH (READPAST)",
    "SELECT p.[1] FROM (SELECT id, qty FROM dbo.Items) AS s PIVOT (SUM(qty) FOR id IN ([1])) AS p",
    "SELECT id, NEXT VALUE FOR dbo.Numbers AS n FROM dbo.Items",
    "INSERT dbo.Orders VALUES (99, 1, 1); DELETE TOP (0) FROM dbo.Items",
    "UPDATE dbo.Items SET qty = qty WHERE id = 1",
]  # fmt: skip
OTHERS = (
    "CREATE VIEW dbo.Seen AS SELECT id FROM dbo.Items",
    "CREATE SYNONYM dbo.Alias FOR dbo.Items",
    "CREATE TABLE dbo.Computed (id int NOT NULL, twice AS id * 2)",
    "CREATE TABLE dbo.Old (id int NOT NULL, body text NULL)",
    "CREATE PROCEDURE dbo.Listed AS SELECT id, name FROM dbo.Items WHERE qty > 5",
    "CREATE SEQUENCE dbo.Numbers",
    "CREATE TABLE #t (id int)",
)


@pytest.fixture(scope="module")
def full(shops: Any) -> Any:
    for text in OTHERS:
        shops.run(text)
    return shops


@pytest.mark.parametrize("text", WATCHED)
def test_a_query_that_qualifies(full: Any, text: str) -> None:
    full.subscribe(text)
    assert len(full.waiting()) == 1
    full.run("KILL QUERY NOTIFICATION SUBSCRIPTION ALL")
    assert full.told() == []


@pytest.mark.parametrize("text", NOT_WATCHED)
def test_a_statement_that_does_not(full: Any, text: str) -> None:
    full.subscribe("BEGIN TRANSACTION; " + text, message=text)
    full.run("ROLLBACK")
    assert full.waiting() == []
    told = full.told()
    assert told and set(told) == {("subscribe", "statement", "invalid", text)}


@pytest.mark.parametrize(
    ("option", "info"),
    [
        ("SET ANSI_NULLS OFF", "set options"),
        ("SET ANSI_PADDING OFF", "set options"),
        ("SET ANSI_WARNINGS OFF", "set options"),
        ("SET CONCAT_NULL_YIELDS_NULL OFF", "set options"),
        ("SET NUMERIC_ROUNDABORT ON", "set options"),
        ("SET TRANSACTION ISOLATION LEVEL READ UNCOMMITTED", "isolation"),
        ("SET TRANSACTION ISOLATION LEVEL SNAPSHOT", "isolation"),
        ("SET ARITHABORT OFF", ""),
        ("SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", ""),
        ("SET NOCOUNT ON", ""),
    ],
)
def test_options_of_the_session(full: Any, option: str, info: str) -> None:
    session = full.instance.connect("Shop")
    full.run("ALTER DATABASE Shop SET ALLOW_SNAPSHOT_ISOLATION ON")
    full.run(option, session=session)
    full.subscribe("SELECT id, name FROM dbo.Items WHERE qty > 0", session=session)
    session.close()
    told = full.told()
    assert told == ([("subscribe", "statement", info, "it")] if info else [])
    assert len(full.waiting()) == (0 if info else 1)
    full.run("KILL QUERY NOTIFICATION SUBSCRIPTION ALL")


def test_each_statement_of_a_batch_counts_for_itself(full: Any) -> None:
    full.subscribe("SELECT id FROM dbo.Items; SELECT * FROM dbo.Items; SELECT id FROM dbo.Orders; SET NOCOUNT OFF")
    assert len(full.waiting()) == 2
    assert full.infos() == ["invalid"]
    full.run("KILL QUERY NOTIFICATION SUBSCRIPTION ALL")


def test_a_query_that_fails_is_no_subscription(full: Any) -> None:
    for text, number in (("SELECT id FROM dbo.Nowhere", 208), ("SELECT nothing FROM dbo.Items", 207)):
        with pytest.raises(SqlError) as raised:
            full.subscribe(text)
        assert raised.value.number == number
    assert full.waiting() == [] and full.told() == []
