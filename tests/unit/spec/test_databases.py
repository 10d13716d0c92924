"""sys.databases has the columns that docs/spec/identities.md names, with their types."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from spec import Fact, facts

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ResultColumn, ResultSet

SHAPE = re.compile(r"(?P<column>\w+) (?P<type>\w+(\(\d+\))?)( (?P<null>(not )?null))?$")


@pytest.fixture(scope="module")
def columns() -> Iterator[dict[str, ResultColumn]]:
    instance = Instance.open(clock="virtual")
    (result,) = (o for o in instance.connect().run("SELECT * FROM sys.databases") if isinstance(o, ResultSet))
    yield {column.name: column for column in result.columns}
    instance.close()


@pytest.mark.parametrize("fact", facts("DATABASECOLUMN"), ids=str)
def test_column(fact: Fact, columns: dict[str, ResultColumn]) -> None:
    wanted = SHAPE.match(fact.text)
    assert wanted is not None
    column = columns[wanted["column"]]
    assert str(column.type) == {"sysname": "nvarchar(128)"}.get(wanted["type"], wanted["type"])
    if wanted["null"]:
        assert column.nullable == (wanted["null"] == "null")
