"""What becomes of an event notification that cannot be sent."""

from __future__ import annotations

import pytest

from sbql.engine import notices
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.grammar.errors import SqlError, sql_error

SETUP = (
    "CREATE DATABASE D",
    "USE D; CREATE QUEUE Q; CREATE QUEUE N; CREATE SERVICE S ON QUEUE Q ([DEFAULT]); CREATE SERVICE S0 ON QUEUE N",
    "CREATE EVENT NOTIFICATION E ON QUEUE Q FOR QUEUE_ACTIVATION TO SERVICE 'NS', 'current database'",
    "DECLARE @h uniqueidentifier; BEGIN DIALOG @h FROM SERVICE S0 TO SERVICE 'S' WITH ENCRYPTION = OFF; SEND ON CONVERSATION @h (N'x')",
)


@pytest.mark.spec("EXTERNAL-5")
def test_posting_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """The error log tells, and nobody else: the message has arrived all the same."""

    def refuse(*arguments: object) -> SqlError:
        raise sql_error(9618, "EventNotificationErrorsQueue")

    monkeypatch.setattr(notices, "post", refuse)
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    for text in SETUP:
        assert not [o for o in session.run(text) if isinstance(o, ErrorOutcome)]
    instance.wait_idle()
    logged = [record.number for record in instance.error_log]
    assert {17001, 17002} <= set(logged)
    assert session.run("SELECT COUNT(*) FROM Q")[0].rows == [(1,)]  # type: ignore[union-attr]
    instance.close()
