"""Who may subscribe and who hears of it; how conversations of notifications end."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sbql.engine.subscriptions.request import QueryRequest
from sbql.grammar.errors import SqlError

QUERY = "SELECT id, name FROM dbo.Items"
CHANGE = "UPDATE dbo.Items SET name = name + N'!'"


@pytest.fixture
def ann(shop: Any) -> Any:
    """A login that may read and subscribe, and no more."""
    for text in (
        "CREATE LOGIN ann WITH PASSWORD = 'Secret-1234'; CREATE USER ann FOR LOGIN ann",
        "GRANT SELECT ON dbo.Items TO ann; GRANT SUBSCRIBE QUERY NOTIFICATIONS TO ann",
    ):
        shop.run(text)
    return shop.instance.connect("Shop", "ann")


def raised(shop: Any, text: str, request: QueryRequest | None = None, session: Any = None) -> int:
    with pytest.raises(SqlError) as found:
        shop.run(text, request, session)
    return found.value.number


def logged(shop: Any) -> list[tuple[int, str]]:
    return [(r.number, r.text) for r in shop.instance.error_log if 9200 <= r.number < 9250]


def test_the_permission_to_subscribe(shop: Any, ann: Any) -> None:
    shop.run("REVOKE SUBSCRIBE QUERY NOTIFICATIONS FROM ann")
    with pytest.raises(SqlError) as found:
        shop.subscribe(QUERY, session=ann)
    assert found.value.number == 262
    shop.run("GRANT SUBSCRIBE QUERY NOTIFICATIONS TO ann")
    shop.subscribe(QUERY, session=ann)
    assert len(shop.waiting()) == 1


def test_who_may_not_send_is_not_heard(shop: Any, ann: Any) -> None:
    shop.subscribe(QUERY, session=ann)
    shop.run(CHANGE)
    assert shop.told() == []
    assert [number for number, _ in logged(shop)] == [9207]
    assert "-8494" in logged(shop)[0][1]
    assert shop.run("SELECT state FROM sys.conversation_endpoints") == []
    shop.run("GRANT SEND ON SERVICE::Told TO ann")
    shop.subscribe(QUERY, session=ann)
    shop.run(CHANGE)
    assert shop.infos() == ["update"]


def test_everybody_sees_his_own(shop: Any, ann: Any) -> None:
    shop.subscribe(QUERY, "sa's")
    shop.subscribe(QUERY, "ann's", 77, session=ann)
    seen = "SELECT timeout, sid, SUSER_SID() AS own, database_id, status FROM sys.dm_qn_subscriptions ORDER BY id"
    ((timeout, sid, own, database, status),) = shop.run(seen, session=ann)
    assert (timeout, sid, database, status) == (77, own, shop.run("SELECT DB_ID()")[0][0], 0)
    assert len(shop.run(seen)) == 2


def test_an_owner_who_goes_takes_the_subscriptions(shop: Any, ann: Any) -> None:
    shop.subscribe(QUERY, "one", session=ann)
    shop.subscribe(QUERY, "two", session=ann)
    shop.subscribe(QUERY, "sa's")
    ann.close()
    shop.run("DROP USER ann")
    assert shop.told() == [] and len(shop.waiting()) == 1
    ((number, text),) = logged(shop)
    assert number == 9223 and text.startswith("2 ")


def test_who_may_kill(shop: Any, ann: Any) -> None:
    shop.subscribe(QUERY)
    ((number, _),) = shop.waiting()
    for target in ("ALL", number):
        assert raised(shop, f"KILL QUERY NOTIFICATION SUBSCRIPTION {target}", session=ann) == 6102
    assert raised(shop, f"KILL QUERY NOTIFICATION SUBSCRIPTION {number + 1}") == 15151
    shop.run(f"KILL QUERY NOTIFICATION SUBSCRIPTION {number}")
    shop.run("KILL QUERY NOTIFICATION SUBSCRIPTION ALL")
    shop.run(CHANGE)
    assert shop.waiting() == [] and shop.told() == []


@pytest.mark.parametrize(
    ("options", "number"), [("service=Told;local database=Nowhere", 9236), ("service=Told;local database=Quiet", 9237)]
)
def test_where_it_is_to_go(shop: Any, options: str, number: int) -> None:
    shop.run("CREATE DATABASE Quiet; ALTER DATABASE Quiet SET DISABLE_BROKER")
    assert raised(shop, QUERY, QueryRequest("it", options)) == number


@pytest.mark.parametrize("how", ["local database", "broker instance"])
def test_another_database_hears_of_it(shop: Any, how: str) -> None:
    shop.run("CREATE DATABASE Office")
    shop.run("USE Office")
    shop.run(
        "CREATE QUEUE dbo.Told; CREATE SERVICE Told ON QUEUE dbo.Told ([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification])"
    )
    ((guid,),) = shop.run("SELECT CAST(service_broker_guid AS nvarchar(36)) FROM sys.databases WHERE name = 'Office'")
    shop.run("USE Shop")
    shop.run(QUERY, QueryRequest("it", f"service=Told;{how}={'Office' if how == 'local database' else guid}"))
    shop.run(CHANGE)
    assert shop.told() == []
    shop.run("USE Office")
    assert shop.told() == [("change", "data", "update", "it")]
    assert shop.run(
        "SELECT (SELECT COUNT(*) FROM Shop.sys.conversation_endpoints) + (SELECT COUNT(*) FROM Shop.sys.conversation_groups)"
    ) == [(0,)]


def test_a_service_that_is_not_there_yet(shop: Any) -> None:
    """All normal rules of delivery hold: the message waits."""
    shop.run(QUERY, QueryRequest("it", "service=Later;local database=Shop"))
    shop.run(CHANGE)
    shop.settle()
    assert shop.run("SELECT to_service_name FROM sys.transmission_queue") == [("Later",)]
    shop.run(
        "CREATE SERVICE Later ON QUEUE dbo.Told ([http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification])"
    )
    shop.instance.loop.advance(100)
    assert shop.infos() == ["update"]


def test_a_service_that_is_dropped_ends_the_conversation(shop: Any) -> None:
    shop.subscribe(QUERY)
    shop.run(CHANGE)
    shop.settle()
    assert shop.run("SELECT COUNT(*) FROM sys.conversation_endpoints") == [(2,)]
    shop.run("DROP SERVICE Told")
    shop.settle()
    assert shop.run("SELECT COUNT(*) FROM sys.conversation_endpoints WHERE is_initiator = 1") == [(0,)]
    ((number, text),) = logged(shop)
    assert number == 9207 and "-8470" in text


def test_a_message_that_cannot_be_sent_is_lost(shop: Any) -> None:
    shop.subscribe(QUERY, timeout=5)
    shop.run("ALTER DATABASE Shop SET READ_ONLY WITH ROLLBACK IMMEDIATE")
    shop.instance.loop.advance(6)
    ((number, text),) = logged(shop)
    assert number == 9210 and 'source="timeout"' in text
    assert shop.waiting() == []


def test_a_broker_that_is_off_keeps_it(shop: Any) -> None:
    shop.subscribe(QUERY)
    shop.run("ALTER DATABASE Shop SET DISABLE_BROKER WITH ROLLBACK IMMEDIATE")
    shop.run(CHANGE)
    shop.settle()
    shop.run("ALTER DATABASE Shop SET ENABLE_BROKER WITH ROLLBACK IMMEDIATE")
    shop.instance.loop.advance(100)
    assert shop.infos() == ["update"]


@pytest.mark.parametrize("message", ["", "<a & b>", "\u017b\U0001f58a", "\x01\ud800"])
def test_the_message_is_given_back(shop: Any, message: str) -> None:
    shop.subscribe(QUERY, message)
    shop.run(CHANGE)
    assert shop.told() == [("change", "data", "update", message if message != "\x01\ud800" else "\ufffd\ufffd")]


def test_what_is_sent(shop: Any) -> None:
    """The document and its conversation, as SQL Server's error log and clients show them."""
    shop.subscribe(QUERY, "cars")
    shop.run(CHANGE)
    shop.settle()
    ((body, contract, sid, database),) = shop.run(
        "SELECT CAST(message_body AS nvarchar(max)), service_contract_name, SUSER_SID(), DB_ID() FROM dbo.Told"
    )
    assert contract == "http://schemas.microsoft.com/SQL/Notifications/PostQueryNotification"
    assert body == (
        '\ufeff<qn:QueryNotification xmlns:qn="http://schemas.microsoft.com/SQL/Notifications/QueryNotification" id="1" type="change" '
        f'source="data" info="update" database_id="{database}" sid="0x{sid.hex().upper()}"><qn:Message>cars</qn:Message></qn:QueryNotification>'
    )
    ends = shop.run(
        "SELECT is_initiator, is_system, far_service, state FROM sys.conversation_endpoints ORDER BY is_initiator"
    )
    service = "http://schemas.microsoft.com/SQL/Notifications/QueryNotificationService"
    assert ends == [(False, True, service, "CO"), (True, True, "Told", "CO")]


def test_the_page_shows_such_a_document(shop: Any) -> None:
    page = (Path(__file__).parents[3] / "docs" / "query-notifications.md").read_text(encoding="utf-8")
    shown = ElementTree.fromstring(page.partition("```xml\n")[2].partition("```")[0])
    shop.subscribe(QUERY)
    shop.run(CHANGE)
    shop.settle()
    ((body,),) = shop.run("SELECT CAST(CAST(message_body AS xml) AS nvarchar(max)) FROM dbo.Told")
    sent = ElementTree.fromstring(body)
    assert (sent.tag, list(sent.attrib), sent[0].tag) == (shown.tag, list(shown.attrib), shown[0].tag)
    assert {key: sent.get(key) for key in ("type", "source", "info")} == {
        key: shown.get(key) for key in ("type", "source", "info")
    }
