"""sys.transmission_queue from memory is empty when the view is, while two sessions send, receive, end and roll back at
random, to queues that are OFF and to services that are not there.

`CROSS JOIN (SELECT 1 AS one) AS beside` makes of the same question one for DuckDB.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from sessions_at_random import at_random
from told import told

from sbql.engine.direct import form, transmissions
from sbql.engine.instance import Instance

SETUP = (
    "CREATE DATABASE shop", "USE shop; CREATE QUEUE a; CREATE QUEUE b; CREATE SERVICE [//A] ON QUEUE a",
    "USE shop; CREATE SERVICE [//B] ON QUEUE b ([DEFAULT])", "CREATE LOGIN guest_of WITH PASSWORD = 'Str0ng!pass'",
    "USE shop; CREATE USER guest_of",
)  # fmt: skip
BEGIN = "DECLARE @n uniqueidentifier BEGIN DIALOG @n FROM SERVICE [//A] TO SERVICE '//{to}' WITH ENCRYPTION = OFF"
DOINGS = (
    BEGIN.format(to="B") + "; SEND ON CONVERSATION @n (0x01)", BEGIN.format(to="None") + "; SEND ON CONVERSATION @n (0x01)",
    "SEND ON CONVERSATION '{handle}' (0x02)", "SEND ON CONVERSATION '{handle}' (0x02)", "RECEIVE TOP (1) * FROM a", "RECEIVE * FROM b",
    "END CONVERSATION '{handle}'", "END CONVERSATION '{handle}' WITH ERROR = 5 DESCRIPTION = N'x'",
    "END CONVERSATION '{handle}' WITH CLEANUP", "END CONVERSATION '{handle}' WITH CLEANUP", "ALTER QUEUE b WITH STATUS = OFF",
    "ALTER QUEUE b WITH STATUS = ON", "ALTER QUEUE b WITH STATUS = ON",
    "BEGIN TRANSACTION", "IF @@TRANCOUNT > 0 COMMIT", "IF @@TRANCOUNT > 0 COMMIT", "IF @@TRANCOUNT > 0 ROLLBACK",
)  # fmt: skip
FORMS = (
    "SELECT * FROM sys.transmission_queue{beside}",
    "SELECT COUNT(*), MAX(message_sequence_number) FROM sys.transmission_queue{beside}",
    "SELECT transmission_status FROM sys.transmission_queue{beside} WHERE conversation_handle = '{handle}'",
    "IF EXISTS (SELECT 1 FROM sys.transmission_queue{beside}) SELECT 1 ELSE SELECT 0",
    "SELECT TOP (1) to_service_name FROM sys.transmission_queue{beside} ORDER BY enqueue_time",
)


@pytest.fixture
def instance() -> Iterator[Instance]:
    found = Instance.open(clock="virtual", seed=1)
    session = found.connect()
    for batch in SETUP:
        assert told(session, batch) == [], batch
    yield found
    found.close()


@pytest.fixture
def answered(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Whether each look needed no DuckDB."""
    found: list[bool] = []
    run = form.Direct.__call__

    def counted(self: Any, frame: Any) -> Any:
        rows = run(self, frame)
        if isinstance(self.source, transmissions.NoTransmissions):
            found.append(rows is not None)
        return rows

    monkeypatch.setattr(form.Direct, "__call__", counted)
    return found


@pytest.mark.parametrize("seed", range(6))
def test_empty_when_the_view_is(instance: Instance, answered: list[bool], seed: int) -> None:
    chance = random.Random(seed)
    seen = set()
    for step, sessions, handles in at_random(instance, chance, DOINGS, 60, rests=seed % 3 == 0):
        for session in sessions:
            form, handle = chance.choice(FORMS), chance.choice(handles)
            direct_text, by_duckdb = (
                form.format(beside=beside, handle=handle).replace(
                    "SELECT *", "SELECT conversation_handle, message_body"
                )
                for beside in ("", " AS q CROSS JOIN (SELECT 1 AS one) AS beside")
            )
            # What can be delivered again may be so between two statements.
            before, found, after = (told(session, text) for text in (by_duckdb, direct_text, by_duckdb))
            assert found in (before, after), (step, direct_text)
            seen.add(bool(found and found != [(0,)] and found != [(0, None)]))
    assert seen == {True, False} and True in answered and False in answered


def test_what_waits_is_the_views(instance: Instance, answered: list[bool]) -> None:
    session, other = instance.connect("shop"), instance.connect("shop")
    look = "SELECT to_service_name, transmission_status FROM sys.transmission_queue"
    assert told(session, look) == [] and answered == [True]
    assert told(session, "BEGIN TRANSACTION; " + DOINGS[1]) == []
    assert [row[0] for row in told(session, look)] == ["//None"] and answered[1:] == [False]
    assert told(other, look) == [] and answered[2:] == [False], "another transaction may end either way"
    assert told(session, "ROLLBACK") == [] and told(other, look) == [] and answered[3:] == [True]


def test_conditions_and_rights(instance: Instance, answered: list[bool]) -> None:
    session = instance.connect("shop")
    assert told(session, "SELECT * FROM sys.transmission_queue WHERE CAST(to_service_name AS int) = 1") == []
    assert told(session, "EXECUTE AS USER = 'guest_of'; SELECT COUNT(*) FROM sys.transmission_queue; REVERT") == [(0,)]
    assert all(answered) and len(answered) == 2
    assert told(session, "SELECT nothing FROM sys.transmission_queue") == [207]
