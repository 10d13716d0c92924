"""The counters, event classes, subclasses and types of waits that docs/spec lists are those of the product."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from spec import facts

from sbql.engine.broker.trace import CLASSES, SUBCLASSES
from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultSet


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual")
    yield opened
    opened.close()


def rows(instance: Instance, query: str) -> list[tuple[object, ...]]:
    return [row for outcome in instance.connect().run(query) if isinstance(outcome, ResultSet) for row in outcome.rows]


def listed(prefix: str) -> list[str]:
    """The facts of a prefix without their marks."""
    return [fact.text.removesuffix(" (conflict)") for fact in FACTS[prefix]]


FACTS = {
    "COUNTER": facts("COUNTER"), "EVENT": facts("EVENT"), "SUBCLASS": facts("SUBCLASS"), "WAITTYPE": facts("WAITTYPE"),
}  # fmt: skip


def test_counters(instance: Instance) -> None:
    found = rows(
        instance, "SELECT DISTINCT RTRIM(object_name), RTRIM(counter_name) FROM sys.dm_os_performance_counters"
    )
    assert {f"{group}: {name}" for group, name in found} == {f"SQLServer:{text}" for text in listed("COUNTER")}


def test_event_classes(instance: Instance) -> None:
    """In the view, and for those who listen."""
    found = rows(instance, "SELECT trace_event_id, name FROM sys.trace_events ORDER BY trace_event_id")
    assert [f"{number} {name}" for number, name in found] == listed("EVENT")
    assert sorted(f"{number} {name}" for name, number in CLASSES.items()) == listed("EVENT")
    stop = instance.trace(lambda event: None, *CLASSES)
    stop()
    # As in SQL Server's sys.trace_categories: 8 Security Audit, 16 Broker.
    categories = rows(instance, "SELECT DISTINCT category_id, LEFT(name, 6) FROM sys.trace_events")
    assert sorted(map(tuple, categories)) == [(8, "Audit "), (16, "Broker")]


def test_subclasses(instance: Instance) -> None:
    query = "SELECT trace_event_id, subclass_value, subclass_name FROM sys.trace_subclass_values ORDER BY 1, 2"
    assert [f"{event} {value} {name}" for event, value, name in rows(instance, query)] == listed("SUBCLASS")
    assert SUBCLASSES.keys() == CLASSES.keys()


def test_wait_types(instance: Instance) -> None:
    query = "SELECT wait_type FROM sys.dm_os_wait_stats WHERE wait_type LIKE 'BROKER%' ORDER BY wait_type"
    assert [name for (name,) in rows(instance, query)] == listed("WAITTYPE")
