"""Which change fires which subscription: each way of writing against queries with and without
conditions, committed and rolled back."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest
from watched_shop import Shop

from sbql.engine.instance import Instance
from sbql.grammar.errors import SqlError

QUERIES = {
    "all": "SELECT id, name FROM dbo.Items",
    "pens": "SELECT id, qty FROM dbo.Items WHERE name = N'pen'",
    "first": "DECLARE @id int = 1; SELECT id, name FROM dbo.Items WHERE @id = id",
    "many": "SELECT i.id, o.amount FROM dbo.Items AS i JOIN dbo.Orders AS o ON o.item_id = i.id AND o.amount > 1 WHERE i.qty > 15",
    "sums": "SELECT item_id, COUNT_BIG(*) AS n, SUM(amount) AS total FROM dbo.Orders GROUP BY item_id",
}
CHANGES: dict[str, tuple[str, dict[str, str]]] = {
    "insert of no pen": ("INSERT dbo.Items (id, name, qty) VALUES (4, N'cup', 1)", {"all": "insert"}),
    "insert of a pen": ("INSERT dbo.Items (id, name, qty) VALUES (4, N'PEN', 1)", {"all": "insert", "pens": "insert"}),
    "insert of many": ("INSERT dbo.Items (id, name, qty) SELECT value, N'x', 1 FROM GENERATE_SERIES(100, 3000)", {"all": "insert"}),
    "insert of many with a pen": (
        "INSERT dbo.Items (id, name, qty) SELECT value, IIF(value = 777, N'pen', N'x'), 1 FROM GENERATE_SERIES(100, 3000)",
        {"all": "insert", "pens": "insert"},
    ),
    "insert of dear items": ("INSERT dbo.Items (id, name, qty) VALUES (4, N'cup', 99)", {"all": "insert", "many": "insert"}),
    "update of what nobody reads": ("UPDATE dbo.Items SET price = 1, note = N'x'", {}),
    "update to the same": ("UPDATE dbo.Items SET name = name, qty = qty", {}),
    "update of a name": ("UPDATE dbo.Items SET name = N'cap' WHERE id = 3", {"all": "update"}),
    "update of a pen's name": ("UPDATE dbo.Items SET name = N'cap' WHERE id = 1", {"all": "update", "pens": "update", "first": "update"}),
    "update to a pen": ("UPDATE dbo.Items SET name = N'pen' WHERE id = 2", {"all": "update", "pens": "update"}),
    "update of a pen's quantity": ("UPDATE dbo.Items SET qty = 11 WHERE id = 1", {"pens": "update"}),
    "update of an ink's quantity": ("UPDATE dbo.Items SET qty = 21 WHERE id = 2", {"many": "update"}),
    "update of all quantities": ("UPDATE dbo.Items SET qty = qty + 1", {"pens": "update", "many": "update"}),
    "update of a key": ("UPDATE dbo.Items SET id = 7 WHERE id = 3", {"all": "update", "many": "update"}),
    "update through a view": ("UPDATE dbo.Pens SET qty = 12", {"pens": "update"}),
    "update through a cursor": (
        ("DECLARE c CURSOR FOR SELECT id FROM dbo.Items WHERE id = 1 FOR UPDATE; OPEN c; FETCH c; "
        "UPDATE dbo.Items SET qty = 5 WHERE CURRENT OF c; CLOSE c; DEALLOCATE c"), {"pens": "update"},
    ),
    "delete": ("DELETE dbo.Items WHERE id = 3", {"all": "delete", "many": "delete"}),
    "delete with a cascade": (
        "DELETE dbo.Items WHERE id = 1", {"all": "delete", "pens": "delete", "first": "delete", "sums": "delete"},
    ),
    "delete of all orders": ("DELETE dbo.Orders", {"many": "delete", "sums": "delete"}),
    "delete of an order of one": ("DELETE dbo.Orders WHERE id = 10", {"sums": "delete"}),
    "truncate": ("TRUNCATE TABLE dbo.Orders", {"many": "truncate", "sums": "truncate"}),
    "merge": (
        ("MERGE dbo.Items AS t USING (VALUES (1, N'pen2'), (9, N'cup')) AS s (id, name) ON t.id = s.id "
        "WHEN MATCHED THEN UPDATE SET name = s.name WHEN NOT MATCHED THEN INSERT (id, name, qty) VALUES (s.id, s.name, 1);"),
        {"all": "merge", "pens": "merge", "first": "merge"},
    ),
    "a trigger's change": ("INSERT dbo.Log (item) VALUES (2)", {"many": "update"}),
    "insert and delete of the same": (
        "BEGIN TRANSACTION; INSERT dbo.Items (id, name, qty) VALUES (4, N'cup', 1); DELETE dbo.Items WHERE id = 4; COMMIT", {"all": "insert"},
    ),
    "insert and update in one transaction": (
        "BEGIN TRANSACTION; INSERT dbo.Items (id, name, qty) VALUES (4, N'cup', 1); UPDATE dbo.Items SET name = N'pen' WHERE id = 4; COMMIT",
        {"all": "insert", "pens": "update"},
    ),
    "two updates in one transaction": (
        "BEGIN TRANSACTION; UPDATE dbo.Items SET name = N'pen' WHERE id = 3; UPDATE dbo.Items SET name = N'pad' WHERE id = 3; COMMIT",
        {"all": "update", "pens": "update"},
    ),
    "a change that a savepoint undoes": (
        ("BEGIN TRANSACTION; SAVE TRANSACTION s; UPDATE dbo.Items SET name = N'pen' WHERE id = 3; ROLLBACK TRANSACTION s; "
        "UPDATE dbo.Items SET qty = 31 WHERE id = 3; COMMIT"), {"many": "update"},
    ),
    "a statement that fails": ("BEGIN TRY INSERT dbo.Items (id, name, qty) VALUES (8, N'pen', 1), (1, N'pen', 1) END TRY BEGIN CATCH END CATCH", {}),
    "a wide delete": ("DELETE dbo.Items WHERE id > 3", {"all": "delete"}),
    "nothing at all": ("UPDATE dbo.Items SET qty = 1 WHERE id = 55; DELETE dbo.Orders WHERE id = 55", {}),
}  # fmt: skip
MORE = (
    "CREATE VIEW dbo.Pens AS SELECT id, qty FROM dbo.Items WHERE name = N'pen'",
    "CREATE TABLE dbo.Log (item int)",
    "CREATE TRIGGER dbo.Logged ON dbo.Log FOR INSERT AS UPDATE dbo.Items SET qty = 99 WHERE id IN (SELECT item FROM inserted)",
)
FILL = (
    "DELETE dbo.Orders; DELETE dbo.Items; INSERT dbo.Items (id, name, qty) VALUES (1, N'pen', 10), (2, N'ink', 20), (3, N'pad', 30); "
    "INSERT dbo.Orders VALUES (10, 1, 1), (20, 2, 2)"
)


@pytest.fixture(scope="module")
def full(shops: Any) -> Any:
    for text in MORE:
        shops.run(text)
    return shops


@pytest.mark.parametrize(("name", "ends"), list(itertools.product(CHANGES, ("by itself", "as sets", "rolled back"))))
def test_a_change(full: Any, name: str, ends: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """ "as sets": what otherwise a thousand rows are written by."""
    text, expected = CHANGES[name]
    full.run(FILL)
    if ends == "as sets":
        monkeypatch.setattr(full.instance.locks, "sets_from", 1)
        text += " -- another text, of which nobody knows yet that its rows are few"
    if name == "a wide delete":
        full.run("INSERT dbo.Items (id, name, qty) SELECT value, N'x', 1 FROM GENERATE_SERIES(100, 3000)")
    for message, query in QUERIES.items():
        full.subscribe(query, message)
    if ends == "rolled back":
        full.run(f"BEGIN TRANSACTION; {text}; ROLLBACK")
        expected = {}
    else:
        full.run(text)
    told = full.told()
    full.run("KILL QUERY NOTIFICATION SUBSCRIPTION ALL")
    assert sorted(told) == sorted(("change", "data", info, message) for message, info in expected.items())


def test_an_equal_value_is_another_one(full: Any) -> None:
    """The instant is the same, and the row not: whoever shows it shows another offset."""
    full.run("CREATE TABLE dbo.Moments (id int NOT NULL PRIMARY KEY, at datetimeoffset NOT NULL)")
    full.run("INSERT dbo.Moments VALUES (1, '2026-01-01 10:00 +02:00')")
    full.subscribe("SELECT id, at FROM dbo.Moments")
    full.run("UPDATE dbo.Moments SET at = SWITCHOFFSET(at, '+05:00')")
    assert full.infos() == ["update"]
    full.run("DROP TABLE dbo.Moments")


def test_two_writers_and_one_message(full: Any) -> None:
    """One subscription, one message: whoever commits first."""
    full.run(FILL)
    full.subscribe("SELECT id, name FROM dbo.Items")
    other = full.instance.connect("Shop")
    full.run("BEGIN TRANSACTION; UPDATE dbo.Items SET name = N'a' WHERE id = 1")
    full.run(
        "UPDATE dbo.Items SET name = N'b' WHERE id = 2; DELETE dbo.Orders WHERE id = 20; DELETE dbo.Items WHERE id = 2",
        session=other,
    )
    full.run("COMMIT")
    other.close()
    assert full.infos() == ["update"]
    assert full.waiting() == []


def test_what_the_subscriber_has_done_before_in_its_transaction_is_no_news(full: Any) -> None:
    full.run(FILL)
    full.run("BEGIN TRANSACTION; UPDATE dbo.Items SET name = N'a'")
    full.subscribe("SELECT id, name FROM dbo.Items")
    full.run("COMMIT")
    assert full.told() == [] and len(full.waiting()) == 1
    full.run("BEGIN TRANSACTION; UPDATE dbo.Items SET name = N'b'; COMMIT")
    assert full.infos() == ["update"]


def test_a_bulk_load(full: Any, tmp_path: Path) -> None:
    full.run(FILL)
    file = tmp_path / "items.csv"
    file.write_text("7,cup,1,1,\n8,pen,1,1,\n")
    full.subscribe(QUERIES["pens"], "pens")
    full.subscribe(QUERIES["sums"], "sums")
    full.run(f"BULK INSERT dbo.Items FROM '{file}' WITH (FORMAT = 'CSV')")
    assert full.told() == [("change", "data", "insert", "pens")]
    full.run("KILL QUERY NOTIFICATION SUBSCRIPTION ALL")


def test_many_rows_are_not_looked_at(full: Any) -> None:
    """A message too many is allowed where looking would take long."""
    full.run(FILL)
    full.subscribe(QUERIES["pens"])
    full.run("INSERT dbo.Items (id, name, qty) SELECT value, N'x', 1 FROM GENERATE_SERIES(100, 20000)")
    assert full.infos() == ["insert"]
    full.run("DELETE dbo.Items WHERE id >= 100")


def test_a_condition_that_cannot_be_worked_out_is_fulfilled(full: Any) -> None:
    full.run(FILL)
    full.subscribe("SELECT id FROM dbo.Items WHERE 100 / qty > 1")
    full.run("INSERT dbo.Items (id, name, qty) VALUES (4, N'x', 0)")
    assert full.infos() == ["insert"]


@pytest.mark.parametrize("option", ["ANSI_NULLS OFF", "QUOTED_IDENTIFIER OFF", "CONCAT_NULL_YIELDS_NULL OFF", "ANSI_WARNINGS OFF", "ANSI_PADDING OFF", "NUMERIC_ROUNDABORT ON"])  # fmt: skip
def test_a_write_under_other_options_is_refused_where_somebody_watches(full: Any, option: str) -> None:
    full.run(FILL)
    full.subscribe(QUERIES["all"])
    other = full.instance.connect("Shop")
    full.run(f"SET {option}", session=other)
    for text in (
        "INSERT dbo.Items (id, name, qty) VALUES (4, N'x', 0)",
        "UPDATE dbo.Items SET name = N'x' WHERE id = 1",
        "DELETE dbo.Items WHERE id = 3",
        "MERGE dbo.Items AS t USING (VALUES (1)) AS s (id) ON t.id = s.id WHEN MATCHED THEN DELETE;",
        "INSERT dbo.Log (item) VALUES (2)",
    ):
        with pytest.raises(SqlError) as raised:
            full.run(text, session=other)
        assert (raised.value.number, option.split()[0] in raised.value.message) == (1934, True), text
    full.run("UPDATE dbo.Orders SET amount = 5", session=other)
    assert full.told() == [] and full.run("SELECT COUNT(*), MIN(name) FROM dbo.Items") == [(3, "ink")]
    full.run("KILL QUERY NOTIFICATION SUBSCRIPTION ALL")
    full.run("UPDATE dbo.Items SET name = N'x' WHERE id = 1", session=other)
    other.close()


# --- definitions -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "info"),
    [
        ("ALTER TABLE dbo.T ADD c int NULL", "alter"),
        ("ALTER TABLE dbo.T ADD c int NOT NULL DEFAULT 5", "alter"),
        ("ALTER TABLE dbo.T ALTER COLUMN b nvarchar(50)", "alter"),
        ("ALTER TABLE dbo.T DROP COLUMN b", "alter"),
        ("EXEC sp_rename 'dbo.T.b', 'd', 'COLUMN'", "alter"),
        ("EXEC sp_rename 'dbo.T', 'U'", "alter"),
        ("CREATE INDEX i ON dbo.T (b)", "alter"),
        ("CREATE SCHEMA other; ALTER SCHEMA other TRANSFER dbo.T", "alter"),
        ("DROP TABLE dbo.T", "drop"),
        ("BEGIN TRANSACTION; DROP TABLE dbo.T; ROLLBACK", ""),
        ("CREATE TABLE dbo.V (a int)", ""),
        ("GRANT SELECT ON dbo.T TO public", ""),
        ("CREATE VIEW dbo.W AS SELECT a FROM dbo.T", ""),
    ],
)
def test_a_definition(shop: Any, text: str, info: str) -> None:
    shop.run("CREATE TABLE dbo.T (a int NOT NULL, b nvarchar(20) NULL); INSERT dbo.T VALUES (1, N'x')")
    shop.subscribe("SELECT a, b FROM dbo.T")
    for part in text.split("; ") if text.startswith("CREATE SCHEMA") else [text]:
        shop.run(part)
    assert shop.told() == ([("change", "object", info, "it")] if info else [])


def test_a_database_that_goes_takes_its_subscriptions(shop: Any) -> None:
    shop.subscribe("SELECT id FROM dbo.Items")
    shop.run("USE master; DROP DATABASE Shop")
    shop.settle()
    assert shop.run("SELECT COUNT(*) FROM sys.dm_qn_subscriptions") == [(0,)]


# --- time and life -----------------------------------------------------------------------------------------


def test_a_time_out(shop: Any) -> None:
    shop.subscribe("SELECT id FROM dbo.Items", "short", 60)
    shop.subscribe("SELECT id FROM dbo.Items", "long")
    assert [timeout for _, timeout in shop.waiting()] == [60, 432000]
    shop.instance.loop.advance(59)
    assert shop.told() == []
    shop.instance.loop.advance(2)
    assert shop.told() == [("change", "timeout", "none", "short")]
    shop.instance.loop.advance(432000)
    assert shop.told() == [("change", "timeout", "none", "long")]
    assert shop.waiting() == []


def test_the_same_again_waits_for_another_while(shop: Any) -> None:
    shop.subscribe("SELECT id FROM dbo.Items", timeout=60)
    shop.instance.loop.advance(50)
    shop.subscribe("SELECT id  FROM dbo.Items", timeout=30)
    ((number, timeout),) = shop.waiting()
    assert timeout == 30
    shop.instance.loop.advance(29)
    assert shop.told() == []
    shop.subscribe("SELECT id FROM dbo.Items", timeout=0)
    assert shop.waiting() == []
    shop.instance.loop.advance(60)
    assert shop.told() == [] and number == 1


@pytest.mark.parametrize(
    "text", ["DECLARE @i int = {}; SELECT id FROM dbo.Items WHERE id = @i", "SELECT id FROM dbo.Items WHERE id = {}"]
)
def test_other_values_are_another_query(shop: Any, text: str) -> None:
    for value in (1, 2, 1):
        shop.subscribe(text.format(value))
    assert len(shop.waiting()) == 2


def test_a_restart_tells_everybody(tmp_path: Path) -> None:
    path = str(tmp_path / "shop.duckdb")
    shop = Shop(Instance.open(path, clock="virtual"))
    shop.subscribe("SELECT id FROM dbo.Items", "one")
    shop.subscribe("SELECT id, name FROM dbo.Items", "two")
    shop.run("INSERT dbo.Items (id, name, qty) VALUES (4, N'x', 0)")
    assert shop.infos() == ["insert", "insert"]
    shop.subscribe("SELECT id FROM dbo.Items", "three")
    shop.subscribe("SELECT id FROM dbo.Items", "killed", 5)
    shop.run(f"KILL QUERY NOTIFICATION SUBSCRIPTION {shop.waiting()[-1][0]}")
    shop.instance.close()
    again = Shop(Instance.open(path, clock="virtual"), is_new=False)
    assert again.told() == [("change", "database", "restart", "three")]
    assert again.waiting() == []
    again.instance.close()
    third = Shop(Instance.open(path, clock="virtual"), is_new=False)
    assert third.told() == []
    third.instance.close()
