"""The line of an event: what it says by key, what it leaves out, and that the event comes back from it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from uuid import UUID

import pytest

from sbql.engine.broker.trace import TraceEvent, class_name, event_line, event_of, event_record, event_text

CONVERSATION = UUID("0aa00000-0000-4000-8000-00000000000b")
HANDLE, GROUP = UUID("0bb00000-0000-4000-8000-00000000000b"), UUID("0cc00000-0000-4000-8000-00000000000b")
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


def test_the_columns_are_those_of_a_trace() -> None:
    """Reference 11.2: the state as TextData, the conversation id as GUID, its handle as
    ObjectName, its group as MethodName."""
    event = TraceEvent(
        "Broker:Conversation", "END CONVERSATION", "DO", 5, CONVERSATION, HANDLE, GROUP, 7, "target", spid=51
    )
    told = {name: value for name, value in event.columns.items() if value is not None}
    assert told == {
        "EventClass": 124, "EventSubClass": 2, "TextData": "DO", "DatabaseID": 5, "SPID": 51, "GUID": CONVERSATION, "ObjectName": str(HANDLE).upper(),
        "MethodName": str(GROUP).upper(), "Priority": 7, "RoleName": "target",
    }  # fmt: skip
    assert event.columns.keys() >= {"SPID", "StartTime", "ObjectID", "IntegerData"}
    activation = TraceEvent("Broker:Activation", "started", database_id=5, object_id=1001, integer_data=0, spid=20)
    told = {name: value for name, value in activation.columns.items() if value is not None}
    assert told == {
        "EventClass": 163, "EventSubClass": 1, "DatabaseID": 5, "SPID": 20, "ObjectID": 1001, "IntegerData": 0
    }  # fmt: skip


@pytest.mark.parametrize("asked", ["Broker:Queue Disabled", "queue disabled", " BROKER:queue DISABLED"])
def test_a_class_by_the_name_that_people_give_it(asked: str) -> None:
    assert class_name(asked) == "Broker:Queue Disabled"
    with pytest.raises(KeyError):
        class_name(f"{asked} at last")


def test_the_line_for_people() -> None:
    activation = TraceEvent("Broker:Activation", "started", object_id=1001, integer_data=0)
    assert event_text(activation) == "broker Broker:Activation started object_id=1001 tasks=0"
    ended = TraceEvent("Broker:Conversation", "END CONVERSATION", "DO", conversation_handle=HANDLE, role="target")
    assert event_text(ended) == f"broker Broker:Conversation END CONVERSATION target handle={str(HANDLE).upper()} DO"
    timed = TraceEvent("Broker:Queue Disabled", "", start_time=WHEN, spid=51)
    assert event_text(timed).startswith("06:45:01.250 spid 51 Broker:Queue Disabled")
    assert event_text(TraceEvent("Broker:Conversation", "SEND Message")).startswith(
        "broker Broker:Conversation SEND Message"
    )
