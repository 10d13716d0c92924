"""Views, base tables and queues have the columns that docs/spec says, in its order, with its types, and no others.

A fact is `view.column type`, with `null` or `not null` after it where a document says so:

    - COLUMN-12: sys.service_queues.max_readers smallint null

`queue` stands for any queue, `sys.queue_messages` for the internal table of one. Another file of the specification has
a prefix of its own (say ROUTECOLUMN): add it to COLUMNS.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

import pytest
from spec import Fact, facts

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultColumn, ResultSet

COLUMNS = (
    *facts("COLUMN"),
    *facts("CONVCOLUMN"),
    *facts("KEYCOLUMN"),
    *facts("EVENTCOLUMN"),
    *facts("ROUTECOLUMN"),
    *facts("SERVICECOLUMN"),
)

SHAPE = re.compile(r"(?P<view>[\w.]+)\.(?P<column>\w+) (?P<type>\w+(\([\w,]+\))?)(?P<null>( not)? null)?$")


def parts(fact: Fact) -> dict[str, str]:
    found = SHAPE.match(re.sub(r" \((derived|unverified|conflict)\)$", "", fact.text))
    assert found is not None, f"{fact.id} is not of the shape `view.column type [not null|null]`: {fact.text}"
    return {name: value or "" for name, value in found.groupdict().items()}


@pytest.fixture(scope="module")
def instance() -> Iterator[Instance]:
    opened = Instance.open(clock="virtual")
    opened.connect().run("CREATE DATABASE Shown")
    opened.connect("Shown").run("CREATE QUEUE Q")
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def columns(instance: Instance) -> dict[str, Sequence[ResultColumn]]:
    """View -> its columns, for all views of COLUMNS."""
    session = instance.connect("Shown", admin=True)
    queue_id = str(only_result(session.run("SELECT OBJECT_ID('Q')")).rows[0][0])
    found = {}
    for view in {parts(fact)["view"] for fact in COLUMNS}:
        name = {"queue": "Q", "sys.queue_messages": f"sys.queue_messages_{queue_id}"}.get(view, view)
        found[view] = only_result(session.run(f"SELECT TOP (0) * FROM {name}")).columns
    session.close()
    return found


def only_result(outcomes: Sequence[object]) -> ResultSet:
    results = [outcome for outcome in outcomes if isinstance(outcome, ResultSet)]
    assert len(results) == 1, outcomes
    return results[0]


@pytest.mark.parametrize("fact", COLUMNS, ids=str)
def test_the_column_is_there(fact: Fact, columns: dict[str, Sequence[ResultColumn]]) -> None:
    wanted = parts(fact)
    found = {column.name: column for column in columns[wanted["view"]]}
    assert wanted["column"] in found
    column = found[wanted["column"]]
    assert str(column.type) == {"sysname": "nvarchar(128)"}.get(wanted["type"], wanted["type"])
    if wanted["null"]:
        assert column.nullable == (wanted["null"].strip() == "null")


@pytest.mark.parametrize("view", sorted({parts(fact)["view"] for fact in COLUMNS}))
def test_there_are_no_other_columns(view: str, columns: dict[str, Sequence[ResultColumn]]) -> None:
    """And the order is that of the specification."""
    listed = [parts(fact)["column"] for fact in COLUMNS if parts(fact)["view"] == view]
    assert [column.name for column in columns[view]] == listed


def test_a_view_is_listed_in_one_place() -> None:
    """Otherwise the order of its columns would be that of two lists."""
    runs = [view for view, _ in groupby(parts(fact)["view"] for fact in COLUMNS)]
    assert len(runs) == len(set(runs))
