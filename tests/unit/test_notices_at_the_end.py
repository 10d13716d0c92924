"""Event notifications of what happened just before an instance was closed: they are sent before the store closes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sbql.engine.instance import Instance
from sbql.engine.notices import Notices
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

SETUP = (
    "CREATE DATABASE Shop",
    "USE Shop; CREATE QUEUE told; CREATE SERVICE told ON QUEUE told ([http://schemas.microsoft.com/SQL/Notifications/PostEventNotification])",
    """DECLARE @broker char(36) = (SELECT service_broker_guid FROM sys.databases WHERE name = 'Shop');
    EXEC ('CREATE EVENT NOTIFICATION hears ON SERVER FOR AUDIT_LOGIN, AUDIT_LOGOUT TO SERVICE ''told'', ''' + @broker + '''')""",
    "CREATE EVENT NOTIFICATION passing ON DATABASE FOR CREATE_TABLE TO SERVICE 'told', 'current database'",
    "CREATE TABLE t (a int)",
)
TOLD = "SELECT CAST(message_body AS xml).value('(//EventType)[1]', 'sysname') FROM told WHERE message_type_name LIKE '%/EventNotification'"
OPEN = "SELECT CAST(COUNT(*) AS varchar(10)) FROM sys.conversation_endpoints WHERE is_initiator = 1 AND state = 'CO'"


def column(session: Session, text: str) -> list[str]:
    for outcome in session.run(text):
        assert not isinstance(outcome, ErrorOutcome), outcome.error
        if isinstance(outcome, ResultSet):
            return [row[0] for row in outcome.rows]
    return []


@pytest.mark.spec("DELIVER-23")
@pytest.mark.parametrize("clock", ["system", "virtual"])
@pytest.mark.parametrize("holds", [False, True], ids=["free", "held"])
def test_what_was_to_be_told_is_told_before_the_store_closes(tmp_path: Path, clock: str, holds: bool) -> None:
    """`held`: a session holds the conversation until it is ended."""
    path = str(tmp_path / "shop.duckdb")
    instance = Instance.open(path, clock=clock)
    session = instance.connect()
    for text in SETUP:
        column(session, text)
    assert instance.wait_idle() and column(session, OPEN) == ["1"]
    if holds:
        column(session, "BEGIN TRANSACTION")
        with instance.broker.mutex:
            for conversation in instance.broker.endpoints.values():
                if conversation.endpoint.is_initiator:
                    assert session.transaction is not None
                    session.transaction.broker.lock(conversation.group)
    others = [instance.connect(database="Shop") for _ in range(20)]
    for other in others[:10]:
        other.close()
    column(others[10], "DROP EVENT NOTIFICATION passing ON DATABASE")
    instance.close()
    instance = Instance.open(path, clock="virtual")
    session = instance.connect(database="Shop")
    told = column(session, TOLD)
    opened = column(session, OPEN)
    instance.close()
    assert [told.count(event) for event in ("AUDIT_LOGIN", "AUDIT_LOGOUT", "CREATE_TABLE")] == [20, 21, 1]
    assert opened == ["0"], "the conversation of the notification that was dropped"


def test_an_instance_is_not_idle_while_it_ends_conversations_that_were_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that was killed behind DROP EVENT NOTIFICATION has not ended its conversation: the next one does."""
    path = str(tmp_path / "shop.duckdb")
    instance = Instance.open(path)
    for text in SETUP:
        column(
            instance.connect(),
            f"IF DB_ID('Shop') IS NOT NULL USE Shop; {text}" if "CREATE DATABASE" not in text else text,
        )
    assert instance.wait_idle()
    monkeypatch.setattr(Notices, "_close", lambda self, dropped, session: iter(()))
    column(instance.connect("Shop"), "DROP EVENT NOTIFICATION passing ON DATABASE")
    assert instance.wait_idle() and column(instance.connect("Shop"), OPEN) == ["1"]
    instance.close()
    monkeypatch.undo()
    idle: list[bool] = []
    end = Notices._end

    def ended(self: Notices, *given: Any) -> Any:
        idle.append(self.instance.scheduler.is_idle())
        yield from end(self, *given)
        idle.append(self.instance.scheduler.is_idle())

    monkeypatch.setattr(Notices, "_end", ended)
    instance = Instance.open(path)
    assert instance.wait_idle() and column(instance.connect("Shop"), OPEN) == ["0"]
    assert idle == [False, False]
    instance.close()
