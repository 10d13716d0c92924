"""What stands as the second argument of value(): a data type and nothing else, with and without a table below."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome, ResultSet
from sbql.engine.session import Session

TYPES = {
    "int": 1,
    " int ": 1,
    "[int]": 1,
    "sys.int": 1,
    "INT /* a number */": 1,
    "int -- a number": 1,
    "decimal (5, 2)": "1.00",
    "dec(5)": "1",
    "varchar(max)": "1",
    "char varying (3)": "1",
    "national char (3)": "1  ",
    "double precision": 1.0,
    "dbo.Short": "1",
}
_BEHIND = (
    "= 7",
    ", @w varchar(3)",
    "; DROP TABLE dbo.t",
    ";",
    "NOT NULL",
    "PRIMARY KEY",
    "DEFAULT 1",
    "GO",
    "int",
    "AS int",
    ")",
    "''",
    "COLLATE Latin1_General_BIN",
)
WRONG = [
    *(f"{name} {end}" for name in ("int", "varchar(3)", "decimal(5, 2)", "dbo.Short") for end in _BEHIND),
    "", " ", "5", "'int'", "@v int", "AS int", "nosuch", "a.b.int", "table (a int)", "cursor", "xml", "text", "int(3)", "varchar(9000)",
    "varchar(0)", "varchar('3')", "decimal(5, 6)", "decimal(39)", "int/*", "[int", "sql_variant", "SELECT 1",
]  # fmt: skip
PLACES = (
    "DECLARE @x xml = '<a>1</a>'; SELECT @x.value('(/a)[1]', '{}')",
    "SELECT x.value('(/a)[1]', '{}') FROM dbo.t",
)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    session = instance.connect()
    for text in (
        "CREATE TYPE dbo.Short FROM varchar(3)",
        "CREATE TABLE dbo.t (x xml)",
        "INSERT dbo.t VALUES (N'<a>1</a>')",
    ):
        session.run(text)
    yield session
    instance.close()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("written", TYPES)
def test_a_type_is_one(session: Session, written: str, place: str) -> None:
    found = [o for o in session.run(place.format(written)) if isinstance(o, ResultSet | ErrorOutcome)]
    assert isinstance(found[0], ResultSet), found
    expected = TYPES[written]
    value = found[0].rows[0][0]
    assert str(value) == expected if isinstance(expected, str) else value == expected


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("written", WRONG)
def test_anything_else_is_none(session: Session, written: str, place: str) -> None:
    text = place.format(written.replace("'", "''"))
    assert [o.error.number for o in session.run(text) if isinstance(o, ErrorOutcome)] == [9500]
    assert not [o for o in session.run("SELECT 1 FROM dbo.t") if isinstance(o, ErrorOutcome)]
