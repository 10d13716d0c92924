"""Errors of types say which column, parameter or variable of the statement they mean; errors of date parts name the
type that the value has."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from sbql.engine.instance import Instance
from sbql.engine.outcomes import ErrorOutcome
from sbql.engine.session import Session

DECLARING = {
    "variables": "DECLARE {at}",
    "parameters": "CREATE PROCEDURE made {at} AS SELECT 1",
    "parameters of a function": "CREATE FUNCTION made ({at}) RETURNS int AS BEGIN RETURN 1 END",
    "parameters of dynamic SQL": "EXEC sys.sp_executesql N'SELECT 1', N'{at}', 1, 2, 3",
    "columns": "CREATE TABLE made ({plain})",
    "columns behind constraints": "CREATE TABLE made (CHECK (1 = 1), {plain}, UNIQUE (c1))",
    "columns of a temporary table": "CREATE TABLE #made ({plain})",
    "columns of a table variable": "DECLARE @t TABLE ({plain})",
    "columns of a table type": "CREATE TYPE made AS TABLE ({plain})",
    "columns of a function": "CREATE FUNCTION made () RETURNS @t TABLE ({plain}) AS BEGIN RETURN END",
    "added columns": "ALTER TABLE there ADD {plain}",
    "columns of JSON": "SELECT * FROM OPENJSON('{{}}') WITH ({plain})",
    "columns of result sets": "EXEC ('SELECT 1, 2, 3') WITH RESULT SETS (({plain}))",
}
WRONG = {2715: "nothing.of_it", 2716: "int(3)", 2750: "decimal(39, 0)", 2751: "decimal(4, 5)"}


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    instance = Instance.open(clock="virtual")
    opened = instance.connect()
    assert _errors(opened, "CREATE TABLE there (a int)") == []
    yield opened
    instance.close()


def _errors(session: Session, text: str) -> list[tuple[int, str]]:
    return [(o.error.number, o.error.message) for o in session.run(text) if isinstance(o, ErrorOutcome)]


@pytest.mark.parametrize("place", [1, 2, 3])
@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("declaring", DECLARING)
def test_the_place_is_told(session: Session, declaring: str, wrong: int, place: int) -> None:
    types = [WRONG[wrong] if i == place else "int" for i in (1, 2, 3)]
    plain = ", ".join(f"c{i} {type_}" for i, type_ in enumerate(types, 1))
    text = DECLARING[declaring].format(plain=plain, at=re.sub(r"\b(c\d)", r"@\1", plain))
    [(number, message)] = _errors(session, text)
    assert number == wrong
    assert f"#{place}:" in message


VALUES = {
    "date": "CAST('20200101' AS date)", "datetime": "CAST('20200101' AS datetime)",
    "smalldatetime": "CAST('20200101' AS smalldatetime)", "datetime2": "CAST('20200101' AS datetime2(3))",
    "datetimeoffset": "CAST('20200101' AS datetimeoffset)",
}  # fmt: skip
REFUSED = {
    "DATEADD({}, 1, {})": ("tzoffset", "iso_week"),
    "DATEDIFF({}, {}, '20210101')": ("tzoffset", "iso_week"),
    "DATEDIFF_BIG({}, {}, '20210101')": ("tzoffset", "iso_week"),
    "DATETRUNC({}, {})": ("weekday", "tzoffset", "nanosecond"),
    "DATE_BUCKET({}, 1, {})": ("dayofyear", "weekday", "tzoffset", "iso_week", "microsecond", "nanosecond"),
}


@pytest.mark.parametrize("where", ["SELECT {}", "SELECT {} FROM there", "SELECT MAX({}) FROM there AS t"])
@pytest.mark.parametrize("type_", VALUES)
@pytest.mark.parametrize("call", REFUSED)
def test_the_type_is_told(session: Session, call: str, type_: str, where: str) -> None:
    for part in REFUSED[call]:
        [(number, message)] = _errors(session, where.format(call.format(part, VALUES[type_])))
        assert number == 9810
        assert f"date part {part} " in message
        assert f"function {call.partition('(')[0].lower()} " in message
        assert message.endswith(f"data type {type_}.")
