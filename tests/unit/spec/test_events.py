"""Each event of docs/spec is in sys.event_notification_event_types with its number and group, and a notification can
ask for it.

- DDLEVENT-13: CREATE_MESSAGE_TYPE 151 in DDL_MESSAGE_TYPE_EVENTS
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from spec import Fact, facts

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

EVENTS = facts("DDLEVENT")
SHAPE = re.compile(r"(?P<name>\w+) (?P<number>\d+) in (?P<group>\w+)$")


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    yield instance.connect("msdb")
    instance.close()


def rows(session: Session, text: str) -> list[tuple[object, ...]]:
    outcomes = session.run(text)
    assert not [o for o in outcomes if isinstance(o, ErrorOutcome)], outcomes
    return [row for o in outcomes if isinstance(o, ResultSet) for row in o.rows]


def parts(fact: Fact) -> tuple[str, int, str]:
    found = SHAPE.match(fact.text)
    assert found is not None, f"{fact.id} is not of the shape NAME number in GROUP"
    return found["name"], int(found["number"]), found["group"]


@pytest.mark.parametrize("fact", EVENTS, ids=str)
def test_the_event_is_known(fact: Fact, session: Session) -> None:
    name, number, group = parts(fact)
    query = f"""SELECT e.type, g.type_name FROM sys.event_notification_event_types e
        LEFT JOIN sys.event_notification_event_types g ON g.type = e.parent_type WHERE e.type_name = '{name}'"""
    assert rows(session, query) == [(number, group)]
    rows(
        session,
        f"CREATE EVENT NOTIFICATION N ON SERVER FOR {name} TO SERVICE 'S', 'current database'; DROP EVENT NOTIFICATION N ON SERVER",
    )


@pytest.mark.spec("EVENTVIEW-5")
def test_numbers_are_unique_and_groups_lead_to_the_top(session: Session) -> None:
    table = rows(session, "SELECT type, type_name, parent_type FROM sys.event_notification_event_types")
    parents = {number: parent for number, _, parent in table}
    assert len(parents) == len(table)
    for number, name, parent in table:
        while parents[number] is not None:
            number = parents[number]
        assert number in (10001, 11000) or name in ("QUEUE_ACTIVATION", "BROKER_QUEUE_DISABLED"), name
        del parent
