"""The line of an event: what it says by key, what it leaves out, and that the event comes back from it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest

from sbql.engine.broker.trace import TraceEvent, event_line, event_of, event_record, event_text

CONVERSATION = UUID("0aa00000-0000-4000-8000-00000000000b")
WHEN = datetime(2026, 11, 23, 6, 45, 1, 250000, UTC)


def test_a_line_has_what_the_event_has() -> None:
    event = TraceEvent(
        "Broker:Conversation", "SEND Message", start_time=WHEN, spid=51, database_id=5, conversation_id=CONVERSATION,
        service="//left", message_type="//request", message_number=0, instance="trader",
    )  # fmt: skip
    assert event_record(event) == {
        "time": "2026-11-23T06:45:01.250+00:00", "spid": 51, "event": "Broker:Conversation", "subclass": "SEND Message", "database_id": 5,
        "conversation_id": "0AA00000-0000-4000-8000-00000000000B", "service": "//left", "message_type": "//request", "message_number": 0,
        "instance": "trader",
    }  # fmt: skip
    assert json.loads(event_line(event)) == event_record(event)
    assert event_of(json.loads(event_line(event))) == event


@pytest.mark.parametrize("tasks", [0, 3])
def test_an_activation_says_how_many_tasks(tasks: int) -> None:
    event = TraceEvent("Broker:Activation", "Started", start_time=WHEN, queue="q", integer_data=tasks)
    assert event_record(event)["tasks"] == tasks
    assert event_of(event_record(event)) == event


def test_no_number_is_shown_where_there_is_none() -> None:
    assert set(event_record(TraceEvent("Broker:Connection", "", text="", start_time=WHEN))) >= {"event", "time"}
    assert not {"text", "subclass", "spid", "tasks", "conversation_id"} & set(
        event_record(TraceEvent("Broker:Connection", "", text="", start_time=WHEN))
    )


def test_the_line_for_people() -> None:
    timed = TraceEvent("Broker:Queue Disabled", "", start_time=WHEN, spid=51)
    assert event_text(timed).startswith("06:45:01.250 spid 51 Broker:Queue Disabled")
    assert event_text(TraceEvent("Broker:Conversation", "SEND Message")).startswith(
        "broker Broker:Conversation SEND Message"
    )
