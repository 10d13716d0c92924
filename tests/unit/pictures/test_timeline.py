"""The timeline of a trace: what its lanes say, that a trace cannot break out of the
page, and the page in a real browser."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from chromium import CHROMIUM, Browser

import sbql
from sbql.engine.broker.trace import CLASSES, SUBCLASSES
from sbql.engine.pictures import recorded_timeline
from sbql.engine.pictures.timeline import _KINDS, Timeline
from sbql.engine.tracing import TraceFile

SETUP = """
CREATE DATABASE Shop
GO
USE Shop
GO
CREATE QUEUE CustomerQueue
CREATE QUEUE ShopQueue
CREATE SERVICE [//customer] ON QUEUE CustomerQueue
CREATE SERVICE [//shop] ON QUEUE ShopQueue ([DEFAULT])
GO
CREATE PROCEDURE Serve AS
DECLARE @h uniqueidentifier, @type sysname
WAITFOR (RECEIVE TOP (1) @h = conversation_handle, @type = message_type_name FROM ShopQueue), TIMEOUT 0
IF @type = N'DEFAULT' SEND ON CONVERSATION @h (N'yes')
ELSE IF @h IS NOT NULL END CONVERSATION @h
GO
ALTER QUEUE ShopQueue WITH ACTIVATION (STATUS = ON, PROCEDURE_NAME = dbo.Serve, MAX_QUEUE_READERS = 1, EXECUTE AS OWNER)
GO
"""
DIALOG = """
DECLARE @h uniqueidentifier
BEGIN DIALOG @h FROM SERVICE [//customer] TO SERVICE N'{to}' WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h (N'one');
SEND ON CONVERSATION @h (N'two');
"""
HOSTILE = "</script><script>window.broken = 1</script><!-- \u2028 ]]> & \" '"


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two dialogs with an activated reader, one to a service with a hostile name."""
    path = tmp_path_factory.mktemp("trace") / "shop.jsonl"
    with sbql.connect(clock="virtual") as connection:
        for batch in SETUP.split("GO\n"):
            connection.execute(batch)
        file = TraceFile(path)
        stop = connection.trace(file)
        connection.execute(DIALOG.format(to="//shop"))
        connection.execute(DIALOG.format(to="//shop"))
        assert connection.wait_idle()
        connection.execute("WAITFOR DELAY '00:00:10'")
        connection.execute(DIALOG.format(to=HOSTILE.replace("'", "''")))
        connection.execute(
            "DECLARE @h uniqueidentifier = (SELECT TOP (1) conversation_handle FROM CustomerQueue); END CONVERSATION @h"
        )
        assert connection.wait_idle()
        stop()
        file.close()
    return path


def lane_of(found: Timeline, kind: str, name: str) -> int:
    return next(at for at, lane in enumerate(found.lanes) if lane.kind == kind and lane.name == name)


def said(found: Timeline, lane: int) -> list[str]:
    return [str(found.events[mark.event]["subclass"]) for mark in found.marks if mark.lane == lane]


def test_lanes_are_the_queues_the_readers_and_the_conversations(trace: Path) -> None:
    found = recorded_timeline(trace).timeline
    kinds = [lane.kind for lane in found.lanes]
    assert kinds == sorted(kinds, key=["queue", "reader", "conversation"].index)
    assert kinds.count("conversation") == 3
    arrivals = said(found, lane_of(found, "queue", "Shop.dbo.ShopQueue"))
    assert arrivals.count("Received Sequenced Message") == 4
    assert arrivals.count("Received END CONVERSATION") == 1
    assert {"started", "ended"} <= set(arrivals)
    assert said(found, lane_of(found, "queue", "Shop.dbo.CustomerQueue")).count("Received Sequenced Message") == 4
    for lane in range(len(found.lanes)):
        assert said(found, lane) or found.lanes[lane].kind == "queue"


def test_every_message_that_arrived_is_joined_to_its_sending(trace: Path) -> None:
    found = recorded_timeline(trace).timeline
    events = found.events
    assert len(found.links) == sum(
        str(e["subclass"]).startswith("Received ") and not str(e["subclass"]).endswith("Ack") for e in events
    )
    for link in found.links:
        sent, arrived = events[link.sent], events[link.arrived]
        assert sent["conversation_id"] == arrived["conversation_id"]
        if sent["subclass"] == "SEND Message":
            assert sent["message_number"] == arrived["message_number"]
        assert sent["role"] != arrived["role"]


def test_readers_are_there_from_their_start_to_their_end(trace: Path) -> None:
    found = recorded_timeline(trace).timeline
    tasks = [bar for bar in found.bars if found.lanes[bar.lane].kind == "reader"]
    assert len(tasks) == sum(e["subclass"] == "started" for e in found.events)
    for bar in tasks:
        assert bar.label == "Shop.dbo.ShopQueue"
        assert found.events[bar.first]["subclass"] == "started"
        assert bar.last is not None
        assert found.events[bar.last]["spid"] == found.events[bar.first]["spid"]


def test_every_subclass_of_a_conversation_is_marked_as_something() -> None:
    """A new subclass shall not become 'other' because nobody thought of it."""
    known = {*SUBCLASSES["Broker:Conversation"], *SUBCLASSES["Broker:Activation"]}
    assert known <= _KINDS.keys()
    assert _KINDS.keys() <= {name for names in SUBCLASSES.values() for name in names}


def lines(*events: dict[str, Any]) -> list[str]:
    return [json.dumps({"time": "2026-01-01T00:00:00.000", **event}) for event in events]


def test_a_trace_that_begins_in_the_middle() -> None:
    """A reader that ends and was never started, an arrival of nothing, events of the
    network that belong to no conversation."""
    found = recorded_timeline(lines(
        {"event": "Broker:Connection", "subclass": "Connecting"},
        {"event": "Broker:Activation", "subclass": "aborted", "spid": 60, "database": "Shop", "queue": "dbo.Q", "tasks": 0},
        {"event": "Broker:Conversation", "subclass": "Received Sequenced Message", "conversation_id": "A", "role": "target"},
        {"event": "Broker:Activation", "subclass": "started", "spid": 61, "object_id": 7, "tasks": 1},
    )).timeline  # fmt: skip
    assert [(lane.kind, lane.name) for lane in found.lanes] == [
        ("queue", "Shop.dbo.Q"), ("reader", "broker"), ("reader", "spid 60"), ("reader", "spid 61"), ("conversation", "A"),
    ]  # fmt: skip
    assert [(bar.first, bar.last, bar.label, bar.has_failed) for bar in found.bars[:2]] == [
        (0, 1, "Shop.dbo.Q", True), (3, None, "object 7", False),
    ]  # fmt: skip
    assert found.links == ()


@pytest.mark.parametrize("name", CLASSES)
def test_each_class_of_events_has_its_mark(name: str) -> None:
    found = recorded_timeline(lines({"event": name, "queue": "dbo.Q", "database": "Shop"})).timeline
    is_fault = name in (
        "Broker:Queue Disabled", "Broker:Message Undeliverable", "Broker:Corrupted Message", "Broker:Forwarded Message Dropped",
        "Audit Broker Conversation",
    )  # fmt: skip
    assert {mark.kind for mark in found.marks} == {"error" if is_fault else "other"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{}", "event 1 of the trace has no time"),
        ('{"time": "noon"}', "event 1 of the trace has no time"),
        ("[]", r"line 1 of the trace is no JSON object: '\[\]'"),
        ("\n{", r"line 2 of the trace is no JSON object: '\{'"),
    ],
)
def test_what_is_no_trace(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        recorded_timeline(text.split("\n"))


def test_one_conversation(trace: Path) -> None:
    id = recorded_timeline(trace).timeline.lanes[-1].id
    found = recorded_timeline(trace, id.lower()).timeline
    assert {event["conversation_id"] for event in found.events} == {id}
    assert found.title == f"shop.jsonl, {id}"


class _Parts(HTMLParser):
    """The scripts and what they hold."""

    def __init__(self) -> None:
        super().__init__()
        self.scripts: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script":
            self.scripts[-1] += data


def test_nothing_of_a_trace_becomes_markup_and_nothing_is_loaded(trace: Path) -> None:
    page = recorded_timeline(trace)
    parts = _Parts()
    parts.feed(page.html)
    assert len(parts.scripts) == 2
    assert parts.links == []
    data = json.loads(parts.scripts[0])
    assert any(event.get("far_service") == HOSTILE for event in data["events"])
    assert data["times"][-1] == 10_000
    named = recorded_timeline(lines({"event": "x"})).timeline
    from sbql.engine.pictures.timeline_page import timeline_page

    parts = _Parts()
    parts.feed(timeline_page(named.events, HOSTILE).html)
    assert len(parts.scripts) == 2


# --- in a browser --------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser(trace: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    page = trace.with_suffix(".html")
    recorded_timeline(trace).save(page)
    with Browser(tmp_path_factory.mktemp("chromium")) as found:
        found.open(page)
        yield found


def test_the_page_shows_filters_zooms_and_tells_in_a_browser(browser: Browser, trace: Path) -> None:
    """One walk, as starting a browser takes longer than all of it."""
    found = recorded_timeline(trace).timeline
    events = len(found.events)
    count = "document.getElementById('count').textContent"
    marks = "document.querySelectorAll('.mark').length"
    assert browser.value(count) == f"{events} of {events} events, {len(found.lanes)} of {len(found.lanes)} lanes"
    assert browser.value("window.broken") is None
    assert browser.value("document.getElementById('axis-of').value") == "order", (
        "all at two instants of a virtual clock"
    )

    browser.click('.mark[data-kind="send"]')
    event = browser.value("state.picked")
    detail = browser.value("document.getElementById('detail').innerText")
    for value in found.events[event].values():
        assert str(value) in detail
    browser.click("#only")
    of_it = sum(e.get("conversation_id") == found.events[event]["conversation_id"] for e in found.events)
    assert browser.value(count).startswith(f"{of_it} of {events} events")
    browser.key("Escape")
    assert browser.value(count).startswith(f"{events} of")

    queue = lane_of(found, "queue", "Shop.dbo.CustomerQueue")
    browser.click(f'.lane-name[data-lane="{queue}"]')
    shown = browser.value("shown().map(one => one.lane.name)")
    assert "Shop.dbo.CustomerQueue" in shown
    assert "Shop.dbo.ShopQueue" not in shown
    browser.click(f'.lane-name[data-lane="{queue}"]')
    browser.click('#kinds input[value="send"]')
    sends = sum(e["subclass"] == "SEND Message" for e in found.events)
    assert browser.value(count).startswith(f"{events - sends} of")
    browser.click('#kinds input[value="send"]')
    browser.click('#lanes input[value="conversation"]')
    assert browser.value("document.querySelectorAll('.link').length") == 0
    browser.click('#lanes input[value="conversation"]')
    assert browser.value("document.querySelectorAll('.link').length") == len(found.links)

    whole = browser.value(marks)
    browser.click("#in")
    assert browser.value("[state.from, state.to]") == [0.25, 0.75]
    assert browser.value(marks) < whole
    box = browser.value(
        "(() => { const b = document.getElementById('plot').getBoundingClientRect(); return [b.x, b.y, b.width]; })()"
    )
    browser.drag(box[0] + box[2] - 20, box[1] + 30, box[0] + box[2] - 120)
    assert browser.value("state.from") > 0.25
    before = browser.value("state.to - state.from")
    browser.wheel(box[0] + box[2] - 50, box[1] + 30, -100)
    assert browser.value("state.to - state.from") < before
    browser.key("0")
    assert browser.value("[state.from, state.to]") == [0, 1]
    browser.key("Escape")
    browser.key("ArrowRight")
    assert browser.value("state.picked") == 0
    browser.value("document.getElementById('axis-of').value = 'time', document.getElementById('axis-of').onchange()")
    assert "00:00:10" in " ".join(browser.value("[...document.querySelectorAll('.tick')].map(one => one.textContent)"))
    assert browser.complaints == []
