"""Pictures: what they say of live state and of a trace, that every form carries every text,
and that nothing covers anything."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

import sbql
from sbql.engine.broker.conversation_state import CLOSED, DISCARD, REMOVED, STATES, TABLE, Event
from sbql.engine.pictures import Picture, conversation, conversation_states, recorded, topology
from sbql.engine.pictures.graph_svg import Rectangle, curves, layout
from sbql.engine.pictures.model import Arrow, Graph, Note, Participant, SequenceDiagram
from sbql.engine.pictures.svg import text_width
from sbql.engine.tracing import TraceFile

SETUP = """
CREATE DATABASE Shop
GO
USE Shop
GO
CREATE MESSAGE TYPE [//order] VALIDATION = WELL_FORMED_XML
CREATE MESSAGE TYPE [//reply] VALIDATION = NONE
CREATE CONTRACT [//contract] ([//order] SENT BY INITIATOR, [//reply] SENT BY ANY)
CREATE QUEUE CustomerQueue
CREATE QUEUE ShopQueue
CREATE SERVICE [//customer] ON QUEUE CustomerQueue
CREATE SERVICE [//shop] ON QUEUE ShopQueue ([//contract])
CREATE ROUTE Far WITH SERVICE_NAME = '//stock', ADDRESS = 'TCP://stock.example.com:4022'
GO
CREATE PROCEDURE Serve AS RETURN
GO
ALTER QUEUE ShopQueue WITH ACTIVATION (STATUS = OFF, PROCEDURE_NAME = dbo.Serve, MAX_QUEUE_READERS = 3, EXECUTE AS OWNER)
GO
"""

BEGIN = """
DECLARE @h uniqueidentifier;
BEGIN DIALOG @h FROM SERVICE [//customer] TO SERVICE '{to}' ON CONTRACT [//contract] WITH ENCRYPTION = OFF;
SEND ON CONVERSATION @h MESSAGE TYPE [//order] (N'<o n="1"/>');
SEND ON CONVERSATION @h MESSAGE TYPE [//order] (N'<o n="2"/>');
SEND ON CONVERSATION @h MESSAGE TYPE [//order] (N'<o n="3"/>');
SELECT @h;
"""

ANSWER = """
DECLARE @h uniqueidentifier;
RECEIVE TOP (2) @h = conversation_handle FROM ShopQueue;
SEND ON CONVERSATION @h MESSAGE TYPE [//reply] (0x01);
SELECT @h;
"""


def run(connection: sbql.Connection, text: str) -> Any:
    return connection.execute(text).fetchall()[0][0]


@pytest.fixture
def shop() -> Iterator[sbql.Connection]:
    with sbql.connect(clock="virtual") as connection:
        sbql.run_script(connection, SETUP)
        yield connection


def steps(picture: Picture) -> list[tuple[str, ...]]:
    """Arrows as (from, to, text, kind), notes as (over, text)."""
    found = picture.diagram
    assert isinstance(found, SequenceDiagram)
    names = {p.key: p.name for p in found.participants}
    return [
        (names[s.source], names[s.target], s.text, s.kind) if isinstance(s, Arrow) else (names[s.over], s.text)
        for s in found.steps
    ]


# --- live state ----------------------------------------------------------------------------------------------


def test_a_conversation_as_it_is_now(shop: sbql.Connection) -> None:
    handle = run(shop, BEGIN.format(to="//shop"))
    target = run(shop, ANSWER)
    shop.execute("BEGIN CONVERSATION TIMER (?) TIMEOUT = 60", (handle,))
    expected = [
        ("//customer", "BEGIN DIALOG, contract //contract"),
        ("//customer", "//shop", "0–1 · 2 messages, received", "earlier"),
        ("//customer", "//shop", "2 · //order", "waiting"),
        ("//shop", "//customer", "0 · //reply", "waiting"),
        ("//customer", "timer, due 2026-01-01 00:01:00"),
        ("//customer", "CO CONVERSING"),
        ("//shop", "CO CONVERSING"),
    ]
    identity, group = shop.execute(
        "SELECT conversation_id, conversation_group_id FROM sys.conversation_endpoints WHERE is_initiator = 1"
    ).fetchall()[0]
    for id in (handle, target, identity, group, str(handle).lower()):
        assert steps(conversation(shop, id)) == expected
    assert conversation(shop, group).diagram.title.startswith("Conversation group")


def test_an_error_and_a_timer_that_wait(shop: sbql.Connection) -> None:
    handle = run(shop, BEGIN.format(to="//shop"))
    target = run(shop, ANSWER)
    shop.execute("BEGIN CONVERSATION TIMER (?) TIMEOUT = 60", (handle,))
    shop.advance(61)
    shop.execute("END CONVERSATION @h WITH ERROR = 17 DESCRIPTION = N'sold out'", {"h": target})
    picture = conversation(shop, handle)
    assert steps(picture)[2:] == [
        ("//shop", "//customer", "0 · //reply", "waiting"),
        ("//shop", "//customer", "1 · Error", "error"),
        ("//customer", "DialogTimer waits"),
        ("//customer", "ER ERROR"),
        ("//shop", "DO DISCONNECTED_OUTBOUND"),
    ]
    error = next(s for s in picture.diagram.steps if isinstance(s, Arrow) and s.kind == "error")  # type: ignore[union-attr]
    assert (error.detail, error.time) == ("17: sold out", "00:01:01.000")


def test_an_error_of_the_broker_comes_from_no_side(shop: sbql.Connection) -> None:
    handle = run(shop, BEGIN.format(to="//shop").replace('<o n="3"/>', "<o"))
    found = steps(conversation(shop, handle))
    errors = {(step[0], step[1].split(":")[0]) for step in found if "Error -" in step[1]}
    assert errors == {("//customer", "Error -9615"), ("//shop", "Error -9616")}


def test_delayed_messages_carry_the_reason(shop: sbql.Connection) -> None:
    handle = run(shop, BEGIN.format(to="//nowhere"))
    picture = conversation(shop, handle)
    assert [s[2:] for s in steps(picture) if len(s) == 4] == [(f"{n} · //order", "delayed") for n in range(3)]
    arrow = picture.diagram.steps[1]  # type: ignore[union-attr]
    status = run(
        shop, "SELECT TOP (1) transmission_status FROM sys.transmission_queue ORDER BY message_sequence_number"
    )
    assert isinstance(arrow, Arrow)
    assert arrow.detail == status != ""


def test_retention_keeps_what_was_sent_and_received(shop: sbql.Connection) -> None:
    shop.execute("ALTER QUEUE ShopQueue WITH RETENTION = ON")
    handle = run(shop, BEGIN.format(to="//shop"))
    run(shop, ANSWER)
    kinds = [s[2:] for s in steps(conversation(shop, handle)) if len(s) == 4]
    assert kinds == [
        ("0 · //order", "message"), ("1 · //order", "message"), ("2 · //order", "waiting"), ("0 · //reply", "waiting"),
    ]  # fmt: skip


def test_a_group_shows_all_its_conversations(shop: sbql.Connection) -> None:
    first = run(shop, BEGIN.format(to="//shop"))
    shop.execute(
        """DECLARE @h uniqueidentifier;
        BEGIN DIALOG @h FROM SERVICE [//customer] TO SERVICE '//other' ON CONTRACT [//contract]
        WITH ENCRYPTION = OFF, RELATED_CONVERSATION = @first;
        SEND ON CONVERSATION @h MESSAGE TYPE [//order] (N'<o/>')""",
        {"first": first},
    )
    group = run(shop, "SELECT conversation_group_id FROM sys.conversation_endpoints WHERE far_service = '//other'")
    picture = conversation(shop, group)
    assert isinstance(picture.diagram, SequenceDiagram)
    assert [(p.name, p.role) for p in picture.diagram.participants] == [
        ("//customer", "initiator"), ("//shop", "target"), ("//other", "target"),
    ]  # fmt: skip
    assert {text.split(":")[0] for text in (s[-1] if len(s) == 2 else s[2][4:] for s in steps(picture))} == {
        "dialog 1", "dialog 2",
    }  # fmt: skip


def test_both_sides_are_found_across_databases(shop: sbql.Connection) -> None:
    sbql.run_script(
        shop,
        """CREATE DATABASE [Far ]]away]
        GO
        USE [Far ]]away]
        GO
        CREATE MESSAGE TYPE [//order] VALIDATION = WELL_FORMED_XML
        CREATE MESSAGE TYPE [//reply] VALIDATION = NONE
        CREATE CONTRACT [//contract] ([//order] SENT BY INITIATOR, [//reply] SENT BY ANY)
        CREATE QUEUE [odd ]]queue]
        CREATE SERVICE [//away] ON QUEUE [odd ]]queue] ([//contract])
        GRANT SEND ON SERVICE::[//away] TO public
        GO
        ALTER DATABASE Shop SET TRUSTWORTHY ON
        GO
        USE Shop
        """,
    )
    handle = run(shop, BEGIN.format(to="//away"))
    picture = conversation(shop, handle)
    assert isinstance(picture.diagram, SequenceDiagram)
    assert picture.diagram.participants[1].lines == ("Far ]away, queue dbo.odd ]queue",)
    assert ("//customer", "//away", "2 · //order", "waiting") in steps(picture)


def test_what_is_not_here_is_said(shop: sbql.Connection) -> None:
    unknown = uuid4()
    with pytest.raises(LookupError, match=str(unknown).upper()):
        conversation(shop, unknown)
    with pytest.raises(ValueError):
        conversation(shop, "no guid")


def test_rights_count(shop: sbql.Connection) -> None:
    """229 for who may not look into the queue: pictures ask the views, not the engine's memory."""
    handle = run(shop, BEGIN.format(to="//shop"))
    shop.execute("CREATE USER anna WITHOUT LOGIN; GRANT CONTROL ON SERVICE::[//customer] TO anna")
    shop.execute("GRANT VIEW DEFINITION TO anna")
    shop.execute("EXECUTE AS USER = 'anna'")
    with pytest.raises((sbql.SqlError, LookupError)):
        conversation(shop, handle)


# --- a recorded trace ----------------------------------------------------------------------------------------


def test_a_recorded_conversation(shop: sbql.Connection, tmp_path: Path) -> None:
    file = tmp_path / "broker.jsonl"
    sink = TraceFile(file)
    shop.trace(sink)
    handle = run(shop, BEGIN.format(to="//shop"))
    target = run(shop, ANSWER)
    shop.execute("BEGIN CONVERSATION TIMER (?) TIMEOUT = 60", (handle,))
    shop.advance(61)
    shop.execute("END CONVERSATION @h WITH ERROR = 17 DESCRIPTION = N'sold out'", {"h": target})
    shop.execute("END CONVERSATION ?", (handle,))
    sink.close()
    expected = [
        ("//customer", "BEGIN DIALOG contract //contract"),
        *(("//customer", "//shop", f"{n} · //order", "message") for n in range(3)),
        ("//shop", "//customer", "0 · //reply", "message"),
        ("//customer", "BEGIN CONVERSATION TIMER 60 s"),
        ("//customer", "Conversation Timer Expired"),
        ("//shop", "//customer", "Error", "error"),
        ("//customer", "END CONVERSATION"),
    ]
    for id in (handle, target, None):
        assert steps(recorded(file, id)) == expected
    lines = file.read_text(encoding="utf-8").splitlines()
    assert steps(recorded(lines)) == expected
    sent = next(json.loads(line) for line in lines if '"SEND Message"' in line)
    assert (sent["conversation_handle"], sent["message_type"], sent["message_number"]) == (
        str(handle).upper(),
        "//order",
        0,
    )
    with pytest.raises(LookupError):
        recorded(file, uuid4())


def test_recorded_messages_that_did_not_arrive(shop: sbql.Connection, tmp_path: Path) -> None:
    file = tmp_path / "broker.jsonl"
    shop.trace(TraceFile(file))
    run(shop, BEGIN.format(to="//nowhere"))
    run(shop, BEGIN.format(to="//shop").replace('<o n="3"/>', "<o"))
    found = steps(recorded(file))
    assert [s[3] for s in found if len(s) == 4][:3] == ["delayed"] * 3
    assert any(s[-1].startswith("dialog 1: delayed: ") for s in found)
    assert any("dialog 2: Broker Initiated Error 9615" in s[-1] for s in found)


@pytest.mark.parametrize("line", ["no json", "[1]", '{"event": "Broker:Conv'])
def test_a_line_that_is_no_event_is_named(line: str) -> None:
    with pytest.raises(ValueError, match="line 2 of the trace"):
        recorded(['{"event": "Broker:Activation"}', line])


# --- topology and states ---------------------------------------------------------------------------------------


def test_the_topology_of_a_database(shop: sbql.Connection) -> None:
    graph = topology(shop).diagram
    assert isinstance(graph, Graph)
    titles = {node.key: node.title for node in graph.nodes}
    assert {(node.kind, node.title, node.lines) for node in graph.nodes} == {
        ("contract", "//contract", ("→ //order", "↔ //reply")),
        ("route", "AutoCreatedLocal", ("to every service", "LOCAL")),
        ("route", "Far", ("to //stock", "TCP://stock.example.com:4022")),
        ("service", "//customer", ()),
        ("service", "//shop", ()),
        ("queue", "dbo.CustomerQueue", ()),
        ("queue", "dbo.ShopQueue", ("activation OFF, 3 readers at most",)),
        ("procedure", "[Shop].[dbo].[Serve]", ()),
    }
    assert {(titles[e.source], titles[e.target], e.dashed) for e in graph.edges} == {
        ("//contract", "//shop", False),
        ("//customer", "dbo.CustomerQueue", False),
        ("//shop", "dbo.ShopQueue", False),
        ("dbo.ShopQueue", "[Shop].[dbo].[Serve]", True),
    }
    assert topology(shop, "master").diagram.title == "Broker objects of the database master"


def test_the_states_are_those_of_the_table() -> None:
    """Each cell that changes something is an edge or a note, and there is no other edge."""
    graph = conversation_states().diagram
    assert isinstance(graph, Graph)
    drawn = {(e.source, e.target, label) for e in graph.edges for label in e.labels}
    told = {(CLOSED, "CD", "target"), (CLOSED, REMOVED, "initiator")}
    for (state, event), cell in TABLE.items():
        if isinstance(cell, str) and cell not in (state, DISCARD) and event != Event.END_WITH_CLEANUP:
            told.add((state, cell, event.replace("_", " ")))
    assert drawn == told
    assert {TABLE[state, Event.END_WITH_CLEANUP] for state in STATES} == {REMOVED}
    assert graph.notes[0] == "END WITH CLEANUP removes the endpoint in every state."


# --- how it is drawn -------------------------------------------------------------------------------------------

NASTY = "a<b>&\"'\x01;#%%|`{}[]()\n日本"


def nasty() -> list[Picture]:
    people = tuple(Participant(key, f"{key}{NASTY}", "initiator", (NASTY,)) for key in "xyz")
    kinds = ("message", "earlier", "waiting", "delayed", "end", "error")
    arrows = tuple(
        Arrow(*ends, NASTY, kind, "0–9", "00:00:00.000", NASTY * 4) for kind in kinds for ends in combinations("xyz", 2)
    )
    notes = tuple(Note(key, NASTY, kind) for key in "xyz" for kind in ("begin", "state", "timer", "error", "end"))
    return [Picture(SequenceDiagram(NASTY, people, (*arrows, *notes))), Picture(SequenceDiagram("", (), ()))]


def texts(svg: str) -> list[tuple[str, Rectangle]]:
    """The texts of a document with the room that they take at least: fonts are narrower than what we reckon with."""
    found = []
    for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"):
        size = float(element.get("font-size", "12"))
        text = element.text or ""
        wide = text_width(text, size) * 0.9
        x, y = float(element.get("x", "0")), float(element.get("y", "0"))
        left = x if element.get("text-anchor") == "start" else x - wide / 2
        found.append((text, Rectangle(left, y - size * 0.75, wide, size * 0.9)))
    return found


def pictures(shop: sbql.Connection) -> list[Picture]:
    handle = run(shop, BEGIN.format(to="//shop"))
    run(shop, ANSWER)
    far = run(shop, BEGIN.format(to="//nowhere/" + "very/long/" * 8))
    return [conversation(shop, handle), conversation(shop, far), topology(shop), conversation_states(), *nasty()]


def test_no_text_covers_another_or_leaves_the_picture(shop: sbql.Connection) -> None:
    for picture in pictures(shop):
        svg = picture.svg
        root = ET.fromstring(svg)
        page = Rectangle(0, 0, float(root.get("width", "0")), float(root.get("height", "0")))
        placed = texts(svg)
        for text, place in placed:
            assert place.x >= 0 and place.x + place.width <= page.width and place.y + place.height <= page.height, text
        for (one, place), (other, there) in combinations(placed, 2):
            assert not place.meets(there), (picture.diagram.title, one, other)


def test_no_edge_runs_through_a_box() -> None:
    graph = conversation_states().diagram
    assert isinstance(graph, Graph)
    places = layout(graph)
    for one, other in combinations(places.values(), 2):
        assert not one.meets(other)
    for edge, curve in curves(graph, places):
        for key, place in places.items():
            if key not in (edge.source, edge.target):
                for step in range(101):
                    x, y = curve.at(step / 100)
                    assert not Rectangle(x, y, 0, 0).meets(place), (edge, key)


def test_every_form_carries_every_name(shop: sbql.Connection) -> None:
    for picture in pictures(shop)[:4]:
        diagram = picture.diagram
        names = (
            [n.title for n in diagram.nodes] if isinstance(diagram, Graph) else [p.name for p in diagram.participants]
        )
        drawn = " ".join(text for text, _ in texts(picture.svg))
        for name in (n for n in names if len(n) < 30):
            assert name in drawn
            assert name in picture.text
            assert name.replace("[", "#91;").replace("]", "#93;") in picture.mermaid
        assert picture._repr_svg_() == picture.svg


def test_syntax_in_names_stays_text() -> None:
    for picture in nasty():
        ET.fromstring(picture.svg)
        assert "\x01" not in picture.svg + picture.text + picture.mermaid
        body = [line.strip() for line in picture.mermaid.splitlines()[1:]]
        assert all(line.split()[0] in ("title", "participant", "Note") or line[0] == "p" for line in body if line)
        assert not any(char in line.split(": ", 1)[-1].replace("<br/>", "") for line in body for char in '<>&"|`{}')


def test_life_lines_stay_straight_beside_wide_characters() -> None:
    lines = nasty()[0].text.splitlines()
    ends = [line for line in lines if line.strip("│ ") == "" and "│" in line]
    assert len(set(ends)) == 1


def test_saving_by_the_name_of_the_file(tmp_path: Path) -> None:
    picture = conversation_states()
    for name, start in (("a.svg", "<svg"), ("a.mmd", "---"), ("a.txt", "States")):
        picture.save(tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    with pytest.raises(ValueError, match=r"\.svg, \.mmd or \.txt"):
        picture.save(tmp_path / "a.png")


def test_edges_of_the_states_have_ports_of_their_own() -> None:
    graph = conversation_states().diagram
    assert isinstance(graph, Graph)
    ends = [point for _, curve in curves(graph, layout(graph)) for point in (curve.points[0], curve.points[3])]
    assert len(ends) == len(set(ends))
    assert all(one != other for one, other in pairwise(sorted(ends)))
