"""What Tab offers: by the place in the statement, from names that are handed in; and where the names come from."""

from __future__ import annotations

from pathlib import Path

import pytest
from prompt_toolkit.document import Document

from sbql.engine.instance import Instance
from sbql.grammar.expectations import expectation
from sbql.repl.completion import TSqlCompleter, command_offers
from sbql.repl.history import history, history_path
from sbql.repl.known_names import KnownNames
from sbql.repl.side_session import SideSession
from sbql.repl.suggestions import Known, suggest

KNOWN = Known(
    {
        "database": ["Shop", "master"],
        "service": ["//shop/orders", "//shop/customer"],
        "contract": ["//shop/contract", "Plain"],
        "message type": ["//shop/order", "//other/type"],
        "queue": ["OrderQueue", "order"],
        "route": ["ShopRoute"],
        "table": ["Orders", "zig]zag"],
        "procedure": ["Take", "sp_help"],
        "function": ["Twice"],
    },
    {"orders": ["id", "quantity"]},
    {"take": ["@n", "@found"]},
    {"//shop/contract": ["//shop/order"]},
)
BEGIN = "BEGIN DIALOG @h FROM SERVICE [//shop/customer] TO SERVICE "


def offered(text: str, kind: str | None = None) -> list[str]:
    """What is offered at the bar, or at the end; only of a kind, if one is given."""
    cursor = text.find("|") if "|" in text else len(text)
    offers = suggest(text.replace("|", "", 1), cursor, KNOWN)
    return [offer.text for offer in offers if kind is None or offer.kind == kind]


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        ("USE ", "database", ["master", "Shop"]),
        ("BEGIN DIALOG @h FROM SERVICE ", "service", ["[//shop/customer]", "[//shop/orders]"]),
        (BEGIN, "service", ["'//shop/customer'", "'//shop/orders'"]),
        (f"{BEGIN}'//shop/o", "service", ["'//shop/orders'"]),
        (f"{BEGIN}'a' ON CONTRACT ", "contract", ["[//shop/contract]", "Plain"]),
        (f"{BEGIN}'a' WITH ", "word", ["ENCRYPTION", "LIFETIME", "RELATED_CONVERSATION", "RELATED_CONVERSATION_GROUP"]),
        (f"{BEGIN}'a' WITH ENCRYPTION = ", "word", ["OFF", "ON"]),
        ("SEND ON CONVERSATION @h MESSAGE TYPE ", "message type", ["[//other/type]", "[//shop/order]"]),
        (f"{BEGIN}'a' ON CONTRACT [//shop/contract];SEND ON CONVERSATION @h MESSAGE TYPE ", "message type", ["[//shop/order]"]),
        (f"{BEGIN}'a' ON CONTRACT Plain;SEND ON CONVERSATION @other MESSAGE TYPE [//s", "message type", ["[//shop/order]"]),
        ("RECEIVE * FROM ", "queue", ["[order]", "OrderQueue"]),
        ("WAITFOR (RECEIVE TOP (1) * FROM ", "queue", ["[order]", "OrderQueue"]),
        ("WAITFOR (GET CONVERSATION GROUP @g FROM ", "queue", ["[order]", "OrderQueue"]),
        ("RECEIVE message_b", "column", ["message_body"]),
        ("RECEIVE conversation_h| FROM OrderQueue", "column", ["conversation_handle"]),
        ("EXEC ", "procedure", ["sp_help", "Take"]),
        ("EXEC Take ", "parameter", ["@n = ", "@found = "]),
        ("EXEC dbo.Take ", "parameter", ["@n = ", "@found = "]),
        ("EXEC Take @n = 1, ", "parameter", ["@found = "]),
        ("EXEC Take @f", "parameter", ["@found = "]),
        ("CREATE QUEUE q WITH ACTIVATION (PROCEDURE_NAME = ", "procedure", ["sp_help", "Take"]),
        ("CREATE QUEUE q WITH ", "word", ["ACTIVATION", "POISON_MESSAGE_HANDLING", "RETENTION", "STATUS"]),
        ("CREATE SERVICE s ON QUEUE ", "queue", ["[order]", "OrderQueue"]),
        ("CREATE SERVICE s ON QUEUE q (", "contract", ["[//shop/contract]", "Plain"]),
        ("CREATE SERVICE s ON QUEUE q (Plain, ", "contract", ["[//shop/contract]", "Plain"]),
        ("CREATE CONTRACT c (", "message type", ["[//other/type]", "[//shop/order]"]),
        ("ALTER QUEUE ", "queue", ["[order]", "OrderQueue"]),
        ("DROP ROUTE ", "route", ["ShopRoute"]),
        ("DROP MESSAGE TYPE ", "message type", ["[//other/type]", "[//shop/order]"]),
        ("CREATE QUEUE ", None, []),
        ("SELECT qua| FROM Orders", "column", ["quantity"]),
        ("SELECT o.| FROM Orders AS o JOIN OrderQueue q ON 1 = 1", "column", ["id", "quantity"]),
        ("SELECT q.message_t| FROM Orders AS o JOIN OrderQueue q ON 1 = 1", "column", ["message_type_id", "message_type_name"]),
        ("SELECT * FROM Orders o WHERE o.q", "column", ["quantity"]),
        ("SELECT * FROM Orders WHERE id = 1 AND ", "column", ["id", "quantity"]),
        ("SELECT * FROM Orders o ORDER BY ", "column", ["id", "quantity"]),
        ("SELECT * FROM Ord", "table", ["[order]", "OrderQueue", "Orders"]),
        ("SELECT * FROM Shop..O", "table", ["[order]", "OrderQueue", "Orders"]),
        ("SELECT 1 FROM a JOIN Orders", "table", ["Orders"]),
        ("WITH few AS (SELECT 1 AS a) SELECT * FROM fe", "table", ["few"]),
        ("SELECT * FROM sys.conversation_e", "system view", ["conversation_endpoints"]),
        ("SELECT * FROM zi", "table", ["[zig]]zag]"]),
        ("UPDATE Orders SET ", "column", ["id", "quantity"]),
        ("INSERT INTO Orders (", "column", ["id", "quantity"]),
        ("INSERT INTO Ord", "table", ["[order]", "OrderQueue", "Orders"]),
        ("SELECT Tw", "function", ["Twice"]),
        ("DECLARE @dialog int, @n int; SET @d", None, ["@dialog"]),
        ("DECLARE @dialog int, @n int; END CONVERSATION ", "variable", ["@dialog", "@n"]),
        ("IF @@ROWC", None, ["@@ROWCOUNT"]),
        ("SEND ON ", None, ["CONVERSATION"]),
        ("END CONVERSATION @h WITH ", "word", ["CLEANUP", "ERROR"]),
        ("rece", None, ["receive"]),
        ("RECE", None, ["RECEIVE"]),
        ("SELECT 1 FRM x; USE ", "database", ["master", "Shop"]),
        ("FROM SERVICE [//s", "service", ["[//shop/customer]", "[//shop/orders]"]),
        ("SELECT 1 -- US", None, []),
        ("/* US", None, []),
        ("PRINT 'US", None, []),
        ("DROP SERVICE cust", "service", ["[//shop/customer]"]),
    ],
)  # fmt: skip
def test_tab_knows_the_place(text: str, kind: str | None, expected: list[str]) -> None:
    assert offered(text, kind) == expected


def test_what_takes_the_place_of_what() -> None:
    (offer,) = suggest(f"{BEGIN}N'//shop/o", len(BEGIN) + 10, KNOWN)
    assert (offer.text, offer.length) == ("'//shop/orders'", 10)


def test_whatever_stands_before_nothing_breaks() -> None:
    """Every beginning of a program: no error, and never the wrong length."""
    text = "DECLARE @h int = (SELECT TOP (1) [a b] FROM dbo.t AS x WHERE x.c = N'it''s' /* no */ AND y IN (1, 0x2F)); -- end\nSEND ON CONVERSATION @h (N'x'); IF 1 = 1 BEGIN EXEC p @a = 1 END"
    for end in range(len(text) + 1):
        for offer in suggest(text, end, KNOWN):
            assert 0 <= offer.length <= end


def test_words_are_the_grammars() -> None:
    """Whatever is offered after the first words of a statement can be read there."""
    for text in ("ALTER QUEUE q ", "CREATE ROUTE r WITH ", "BEGIN ", "WAITFOR ", "SET TRANSACTION ISOLATION LEVEL "):
        words = expectation(text).words
        assert words
        for word in words:
            assert expectation(f"{text}{word} ").is_sound, (text, word)


def test_commands_are_completed() -> None:
    assert [word for word, *_ in command_offers("\\conv", KNOWN)] == ["\\conversations", "\\conversation"]
    assert command_offers("\\peek Ord", KNOWN) == [("OrderQueue", 3, "queue"), ("order", 3, "queue")]
    assert command_offers("\\nothing ", KNOWN) == []


def test_the_names_are_those_of_the_database() -> None:
    """Asked in a session of its own: whoever types notices nothing, and a database is not in use because of it."""
    instance = Instance.open(None)
    try:
        session = instance.connect()
        for batch in (
            "CREATE DATABASE Shop", "USE Shop", "CREATE TABLE Orders (quantity int)", "CREATE QUEUE OrderQueue",
            "CREATE SERVICE [//shop/orders] ON QUEUE OrderQueue", "CREATE PROCEDURE Take @n int AS SELECT @n",
        ):  # fmt: skip
            session.run(batch)
        aside = SideSession(instance)
        names = KnownNames(aside)
        completer = TSqlCompleter(names, lambda: session.database_name)

        def tab(text: str) -> list[str]:
            return [found.text for found in completer.get_completions(Document(text), None)]  # type: ignore[arg-type]

        session.run("SELECT 1 UNION ALL SELECT 2")
        assert tab("SELECT zzz") == []
        assert tab("SELECT 1\nGO\nSELECT * FROM Order") == ["OrderQueue", "Orders"]
        assert "[//shop/orders]" in tab("DROP SERVICE ")
        assert tab("EXEC Take ")[:1] == ["@n = "]
        assert "sp_helptext" in tab("EXEC sp_helpt")
        assert tab("EXEC sp_helptext ")[0] == "@objname = "
        assert tab("\\peek O") == ["OrderQueue"]
        assert session.run("SELECT @@ROWCOUNT")[0].rows == [(2,)]
        session.run("CREATE QUEUE OrderLines")
        assert tab("ALTER QUEUE OrderL") == []
        names.forget()
        assert tab("ALTER QUEUE OrderL") == ["OrderLines"]
        session.run("USE master")
        assert session.run("DROP DATABASE Shop") == []
        aside.close()
    finally:
        instance.close()


def test_passwords_are_not_kept(home: Path) -> None:
    kept = history()
    kept.append_string("CREATE MASTER KEY ENCRYPTION BY PASSWORD = 'Secret 1'\nGO")
    kept.append_string("PRINT 'open'\nGO")
    text = history_path().read_text()
    assert "Secret 1" not in text and "PASSWORD = '******'" in text and "open" in text
    assert "Secret 1" in kept.get_strings()[0]
