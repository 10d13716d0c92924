"""A connection that goes away rolls back, and for a queue that is a rollback like any other
(docs/spec/activation.md)."""

from __future__ import annotations

from typing import Any

import pytest

SETUP = """
CREATE QUEUE asks; CREATE QUEUE work;
CREATE SERVICE [//asks] ON QUEUE asks;
CREATE SERVICE [//work] ON QUEUE work ([DEFAULT]);
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [//asks] TO SERVICE '//work' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
"""


def rows(session: Any, text: str) -> list[tuple[Any, ...]]:
    return next(outcome.rows for outcome in session.run(text) if hasattr(outcome, "rows"))


@pytest.mark.spec("POISON-9")
def test_lost_connections_count_as_poison(instance: Any) -> None:
    session = instance.connect()
    session.run("CREATE DATABASE d")
    session.use("d")
    session.run(SETUP)
    enabled = []
    for _ in range(5):
        reader = instance.connect("d")
        assert rows(reader, "BEGIN TRANSACTION; RECEIVE CAST(message_body AS nvarchar(10)) FROM work;") == [("one",)]
        reader.close()
        instance.loop.settle()
        enabled.append(rows(session, "SELECT is_receive_enabled FROM sys.service_queues WHERE name = 'work'")[0][0])
    assert enabled == [True, True, True, True, False]
